"""Cases from other systems' own tests, with the values that those tests assert; the source of each stands beside it.

If it fails, recsql contradicts what another system asserts of the same metric.

LEFT_OUT has the cases of golden.json that are not here, with the reason. catalogue.json has further cases of some metrics:
those of other systems, and a small input with the values that libraries give for it.
"""

import json
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from recsql.catalog import catalog
from tests.support import Case, check, of_lists, parsed, table

Found = dict[str, Any]

DATA = Path(__file__).parents[1] / "data"
CORE: list[Found] = json.loads((DATA / "golden.json").read_text(encoding="utf-8"))
FURTHER: list[Found] = json.loads((DATA / "catalogue.json").read_text(encoding="utf-8"))
CASES = CORE + FURTHER
WHOLE_LIST = 100  # longer than any list and any truth among the cases
DENOMINATORS = {"R": "relevant", "min(R,k)": "achievable", "min(k,R)": "achievable", "list": "returned"}  # others have our names
OF_THE_CATALOGUE = ("accuracy", "fallout", "mcc", "specificity")
GAINS = {"linear": "linear", "binary": "binary", "exp": "exp2"}
IDEALS = {"truth": "truth", "k": "constant"}
FORMULAS = {"entropy of recommended items": "none", "-mean over distinct items of p*ln p": "distinct"}
OURS = {"auc_at_k": "auc(over=list)", "gm_ap": "ap(denominator=relevant, mean=geometric)"}  # what has another name here
LEFT_OUT = {
    "no such metric": [
        *["rectools-021", "recommenders-018"],  # diversity
        *["replay-025"],  # share of new items
    ],
    "tied scores share the mean gain of their block": ["scikit-learn-006", "scikit-learn-007"],
    "two items have the same rank in a list, which is refused": ["rectools-018", "rectools-019"],
}
FURTHER_LEFT_OUT = {
    "serendipity by similarity to the history": ["catalogue-open-049", "catalogue-open-050"],
    "two items have the same rank in a list, which is refused": ["catalogue-rectools-005"],
}


def of_users(found: Found) -> Case:
    without_hit = dict.fromkeys(user for user, *_ in found["recs"]) if found["metric"] == "first_rank" else {}
    return Case(
        str(OURS.get(found["metric"], found["metric"])),
        of_lists(ranked(found["recs"]) if found["order"] == "score" else found["recs"], found["truth"]),
        found["k"] or WHOLE_LIST,
        options(found),
        {"value": found["expected"]},
        without_hit | dict(found["expected_per_user"]) if "expected_per_user" in found else None,
        tolerance=found["tolerance"],
    )


def of_items(found: Found) -> Case:
    params = dict(found["params"])
    recs = ranked(found["recs"]) if found["order"] == "score" else found["recs"]
    tables = {"recs": table(recs, ["user_id", "item_id", "rank", "score"])}
    chosen: dict[str, Any] = {"rank_by": found["order"]}
    if "log_base" in params:
        chosen["entropy_base"] = str(params.pop("log_base"))
        chosen["entropy_normalize"] = FORMULAS[params.pop("formula")]
    if "train" in found:
        tables["train"] = table(found["train"], ["user_id", "item_id"])
        chosen["train"] = "train"
    if found["metric"] == "personalisation":
        chosen["personalisation_assume"] = {"cosine of pairs": "returned", "closed form": "k"}[params.pop("kind")]
    if params.pop("normalize", None) is False:
        chosen["coverage_denominator"] = "count"
    if params.pop("catalog", None) == "train items":
        chosen["coverage_denominator"] = "train"
    if "catalog_size" in params:
        chosen["catalog_size"] = params.pop("catalog_size")
    assert not params
    row = {"value": found["expected"]}
    return Case(found["metric"], tables, found["k"] or WHOLE_LIST, chosen, row, tolerance=found["tolerance"])


def of_each_list(found: Found) -> Case:
    """The values of single lists, which need no truth; `ils` is the similarity, which is 1 less the distance."""
    params = dict(found["params"])
    recs = ranked(found["recs"]) if found["order"] == "score" else found["recs"]
    tables = of_lists(recs, found["truth"] or [row[:2] for row in recs])
    chosen: dict[str, Any] = {"rank_by": found["order"]}
    chosen |= {"catalog_size": len(found["catalog"])} if "catalog" in found else {}
    metric = our_name(found)
    if "item_features" in found:
        features = {type(found["recs"][0][1])(item): its for item, its in found["item_features"].items()}
        if metric == "category_coverage":  # one category of each item
            features = {item: [(*its, "none")[0]] for item, its in features.items()}
        tables["items"] = pa.table({"item_id": [*features], "category": pa.array(features.values(), pa.list_(pa.string()))})
        chosen["items"] = "items"
    if "train" in found:
        tables["train"] = table(found["train"], ["user_id", "item_id"])
        chosen["train"] = "train"
    if "item_counts" in found:
        tables["train"] = table([[n, item] for item, times in found["item_counts"] for n in range(times)], ["user_id", "item_id"])
        chosen["train"] = "train"
    if metric in ("novelty", "popularity"):
        words: dict[str, dict[Any, str]] = {"unseen": {1: "one", 0: "zero", None: "skip"}, "normalize": {False: "none"}}
        params.pop("formula", None)
        chosen |= {f"{metric}_{name}": words.get(name, {}).get(value, value) for name, value in params.items()}
        params.clear()
    if metric == "ild":
        chosen |= {"ild_distance": params.pop("distance", params.pop("similarity", "cosine"))}
        chosen |= {"ild_single": "zero"} if params.pop("single", None) == 0 else {}
        chosen |= {"ild_divide": params.pop("divide", "pairs")}
    if metric == "calibration":
        chosen["calibration_alpha"] = params.pop("alpha")
        assert params.pop("log") == "e"
    if metric == "sufficiency":
        chosen["sufficiency_deep"] = str(params.pop("deep")).lower()
    if metric == "tail_share":
        chosen["tail_share_head"] = params.pop("head")
    if metric == "category_coverage":
        chosen["category_coverage_denominator"] = "k"
        assert params.pop("category").startswith("first letter")
    assert params in ({}, {"kind": "popularity"})
    value = 1 - found["expected"] if found["metric"] == "ils" else found["expected"]
    of_users = {str(user): expected for user, expected in dict(found.get("expected_per_user", {})).items()}
    per_user = {user: of_users.get(str(user)) for user, *_ in recs} if of_users else None  # a user who is left out has none
    asked = found["metric"] if metric == "novelty" else metric
    return Case(asked, tables, found["k"] or WHOLE_LIST, chosen, {"value": value}, per_user, tolerance=found["tolerance"])


def of_ratings(found: Found) -> Case:
    """The recommendations hold predictions, the truth ratings; their note has how many pairs are in both."""
    assert not found["params"]
    tables = {
        "predictions": table(found["recs"], ["user_id", "item_id", "prediction"]),
        "ratings": table(found["truth"], ["user_id", "item_id", "rating"]),
    }
    row = {"value": found["expected"], "pairs": 8}
    return Case(found["metric"], tables, options={"ratings": "ratings"}, row=row, tolerance=found["tolerance"])


def ranked(scored: list[list[Any]]) -> list[list[Any]]:
    """Rows with a score, given the place they are listed at as the rank that rank_by='score' must overlook."""
    places: dict[Any, int] = {}
    rows = []
    for user, item, score in scored:
        places[user] = places.get(user, 0) + 1
        rows.append([user, item, places[user], score])
    return rows


def options(found: Found) -> dict[str, Any]:
    """The case's parameters as our options."""
    params = dict(found["params"])
    chosen: dict[str, Any] = {"rank_by": found["order"]}
    if "denominator" in params:
        divided = "precision" if found["metric"] == "fbeta" else found["metric"]
        chosen[f"{divided}_denominator"] = DENOMINATORS.get(params["denominator"], params.pop("denominator"))
    if found["metric"] in OF_THE_CATALOGUE:  # with k items in each list, also in a case that doesn't say so
        size = params.pop("catalog_size") if params.pop("fp", None) is None else len(found["catalog"])
        chosen |= {"catalog_size": size, "fp_count": "k"}
    if "gain" in params:
        chosen["gain"] = GAINS[params.pop("gain")]
    if "ideal" in params:
        chosen["ideal"] = IDEALS[params.pop("ideal")]
    if "beta" in params:
        chosen["beta"] = params.pop("beta")
    if "relevance_min" in params:
        chosen |= {"relevance_threshold": params.pop("relevance_min"), "no_truth": "zero_below_threshold"}
    if "users" in found:
        chosen["no_truth"] = "zero"
        if {user for user, *_ in found["truth"]} - {*found["users"]}:
            chosen["no_recs"] = "skip"
    if found["metric"] == "r_precision" and found["k"]:
        chosen["r_precision_cut"] = "k"
    if found["metric"] == "auc":
        chosen["auc_over"] = {"within_list": "list"}.get(params["scope"], params.pop("scope"))
        if params.pop("candidates", None) == "catalogue":
            chosen["catalog_size"] = len(found["catalog"])
    if found["metric"] == "gm_ap":
        assert (params.pop("floor"), params.pop("ap_denominator")) == (1e-5, "R")
    if "max_grade" in params:
        chosen["err_max_grade"] = params.pop("max_grade")
    if found["metric"] == "rbp":
        chosen = {"gain": "binary", "rbp_p": params.pop("p"), **chosen}
        if params.pop("normalize", False):
            chosen["rbp_normalize"] = "achievable"
    assert not params
    return chosen


def our_name(found: Found) -> str:
    return parsed("ild" if found["metric"] == "ils" else str(OURS.get(found["metric"], found["metric"]))).metric


def grain(found: Found) -> str:
    return catalog().metrics[our_name(found)].grain


MADE = {"user": of_users, "list": of_each_list, "item": of_items, "rating": of_ratings}


@pytest.mark.parametrize("found", CASES, ids=[found["id"] for found in CASES])
def test_value_of_another_system(con: duckdb.DuckDBPyConnection, found: Found) -> None:
    check(con, MADE[grain(found)](found), in_macro=False)


def test_every_case_is_used_or_left_out_for_a_reason(shared: Path) -> None:
    collected = {found["id"]: found for found in json.loads((shared / "golden.json").read_text(encoding="utf-8"))}
    left_out = [name for names in LEFT_OUT.values() for name in names]
    assert (len(CORE), len(left_out), len(collected)) == (122, 7, 129)
    assert sorted([*left_out, *(found["id"] for found in CORE)]) == sorted(collected)
    assert all(found == collected[found["id"]] for found in CORE)


def test_every_further_case_of_a_metric_is_used(shared: Path) -> None:
    collected = json.loads((shared / "catalogue" / "golden.json").read_text(encoding="utf-8"))
    metrics = {found["metric"] for found in FURTHER}
    left_out = [name for names in FURTHER_LEFT_OUT.values() for name in names]
    assert [found for found in collected if found["metric"] in metrics and found["id"] not in left_out] == FURTHER


def test_every_case_of_ranks_plans_gates_and_looks_is_used(shared: Path) -> None:
    """By test_rank, test_plan, test_maybe_worse and test_looks of tests/calls; test_datasets has the pairs of ranks."""

    def read(path: Path) -> Any:
        return json.loads(path.read_text(encoding="utf-8"))

    collected = read(shared / "ranks" / "golden.json")["cases"]
    used = [one for name in ("ranks", "plans", "gates", "looks") for one in read(DATA / f"{name}.json")]
    keys = ("name", "input", "expected")
    assert len(collected) == 64
    assert [{key: one[key] for key in keys} for one in collected] == [{key: one[key] for key in keys} for one in used]
