"""Cases from other systems' own tests, with the values that those tests assert; the source of each stands beside it.

If it fails, recsql contradicts what another system asserts of the same metric.

LEFT_OUT has the cases of golden.json that are not here, with the reason. catalogue.json has further cases of some metrics:
those of other systems, and a small input with the values that libraries give for it. catalogue_rest.json has cases of the
metrics that came after these.
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
REST: list[Found] = [
    {"order": "rank", **found} for found in json.loads((DATA / "catalogue_rest.json").read_text(encoding="utf-8"))
]
CASES = CORE + FURTHER + REST
WHOLE_LIST = 100  # longer than any list and any truth among the cases
DENOMINATORS = {"R": "relevant", "min(R,k)": "achievable", "min(k,R)": "achievable", "list": "returned"}  # others have our names
OF_THE_CATALOGUE = ("accuracy", "fallout", "mcc", "specificity")
GAINS = {"linear": "linear", "binary": "binary", "exp": "exp2"}
IDEALS = {"truth": "truth", "k": "constant"}
FORMULAS = {"entropy of recommended items": "none", "-mean over distinct items of p*ln p": "distinct"}
OURS = {  # what has another name here
    "auc_at_k": "auc(over=list)",
    "gm_ap": "ap(denominator=relevant, mean=geometric)",
    "iprec": "interpolated_precision",
    "subtopic_recall": "category_recall",
}
PARAMS = {  # of single metrics, as our options
    "interpolated_precision": {"recall": "interpolated_precision_recall", "rounding": "interpolated_precision_rounding"},
    "eleven_point": {"rounding": "interpolated_precision_rounding"},
    "rbp_residual": {"p": "rbp_p"},
    "user_coverage": {"at_least": "user_coverage_at_least"},
    "utility": {counted: f"utility_{counted}" for counted in ("tp", "fp", "fn", "tn")},
    "pauc": {"negatives": "pauc_negatives", "insufficient": "pauc_insufficient"},
    "pap": {"negatives": "pauc_negatives", "insufficient": "pauc_insufficient"},
    "category_recall": {"denominator": "category_recall_denominator"},
}
WORDS = {"ignore": "zero", "exclude": "skip", "all categories": "all"}  # values that have another name here
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
    users = {str(user): user for user, *_ in found["recs"]}
    left_out = found["metric"] == "first_rank" or found["params"].get("insufficient") == "exclude"
    without_value = dict.fromkeys(users.values()) if left_out else {}
    of_users = {users.get(user, user): value for user, value in dict(found.get("expected_per_user", {})).items()}
    return Case(
        str(OURS.get(found["metric"], found["metric"])),
        of_lists(ranked(found["recs"]) if found["order"] == "score" else found["recs"], found["truth"]) | items_of(found),
        found["k"] or WHOLE_LIST,
        options(found),
        {"value": found["expected"]},
        without_value | of_users if of_users else None,
        tolerance=found["tolerance"],
    )


def items_of(found: Found) -> dict[str, pa.Table]:
    """The table of items with their categories, if the case has one."""
    features = found.get("features", found.get("item_features"))
    if features is None:
        return {}
    return {"items": pa.table({"item_id": [*features], "category": pa.array(features.values(), pa.list_(pa.string()))})}


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
    if metric in ("sufficiency", "unrepeated"):
        chosen[f"{metric}_deep"] = str(params.pop("deep")).lower()
    if metric == "unrepeated":
        chosen["duplicates"] = "count"
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
    own = PARAMS.get(our_name(found), {})
    chosen |= {own[name]: WORDS.get(str(value := params.pop(name)), value) for name in [*params] if name in own}
    chosen |= {"items": "items"} if items_of(found) else {}
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


def test_every_case_of_the_rest_of_a_metric_is_used(shared: Path) -> None:
    collected = json.loads((shared / "catalogue" / "golden_rest.json").read_text(encoding="utf-8"))
    metrics = {found["metric"] for found in REST}
    assert [{"order": "rank", **found} for found in collected if found["metric"] in metrics] == REST


OF_REST = {  # by test: the metrics of golden_rest.json whose cases it uses, all but those that it leaves out for a reason
    "calls.test_weights": "hits precision recall arhr dcg rbp ctr effective_sample_size largest_weight_share",
    "calls.test_judge": "upper_bound judge_next",
    "calls.test_label_curves": "coec",
    "calls.test_overlap": "overlap rbo",
    "calls.test_interleaving": "interleaved_preference sign_test_p team_draft_credit paired_t",
    "calls.test_fusion": "fuse",
    "cases.test_golden": "user_coverage interpolated_precision eleven_point rbp_residual utility pauc pap category_recall",
    "cases.test_golden_discovery": "pr_auc normalised_entropy relative_information_gain nmae ece rating_order efd epc",
    "cases.test_golden_groups": "popularity awrf rsp reo exposure_share bias_disparity",
    "presets.test_set_names": "SetP SetR SetF NumRet NumRel",
}
LATER = {
    "flip": "the power of propensities at which two models change places",
    "kendall": "rank correlations of the order of models",
}


def test_every_case_of_the_rest_has_a_test(shared: Path) -> None:
    collected = json.loads((shared / "catalogue" / "golden_rest.json").read_text(encoding="utf-8"))
    assert len(collected) == 129
    assert {found["metric"] for found in collected} == {*" ".join(OF_REST.values()).split(), *LATER}
    assert all((Path(__file__).parents[1] / f"{name.replace('.', '/')}.py").exists() for name in OF_REST)


def test_every_case_of_ranks_plans_gates_and_looks_is_used(shared: Path) -> None:
    """By test_rank, test_plan, test_maybe_worse and test_looks of tests/calls; test_datasets has the pairs of ranks."""

    def read(path: Path) -> Any:
        return json.loads(path.read_text(encoding="utf-8"))

    collected = read(shared / "ranks" / "golden.json")["cases"]
    used = [one for name in ("ranks", "plans", "gates", "looks") for one in read(DATA / f"{name}.json")]
    keys = ("name", "input", "expected")
    assert len(collected) == 64
    assert [{key: one[key] for key in keys} for one in collected] == [{key: one[key] for key in keys} for one in used]
