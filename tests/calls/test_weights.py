"""Weights of what users could have seen: golden values, a reference by lists, all orders of ties, refusals, the line, the macros.

If it fails, metrics that claim to correct for what users could see are wrong.
"""

import json
import random
from collections.abc import Mapping, Sequence
from itertools import chain, permutations, product
from math import log2
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.catalog import catalog
from recsql.cli import main
from recsql.query.results import metadata_of
from tests.random_data import random_data
from tests.support import table

Found = dict[str, Any]
GOLDEN: list[Found] = json.loads((Path(__file__).parents[1] / "data/propensity.json").read_text(encoding="utf-8"))
LEFT_OUT = {"rest-open-038": "a doubly robust estimate needs a model of the reward"}
OF_THE_LOG = {"effective_sample_size": "effective", "largest_weight_share": "largest"}  # values of the metadata
SUMS = ["hits", "precision", "recall", "arhr", "cg", "dcg", "rbp"]
NORMALISED = ["hits", "recall", "cg", "dcg", "rbp"]
RECS = table([["u1", "d", 1], ["u1", "e", 2], ["u2", "d", 1]], ["user_id", "item_id", "rank"])
TRUTH = table([["u1", "e", 3, 0.2], ["u1", "h", 1, 0.1], ["u2", "d", 1, 0.25]], ["user_id", "item_id", "relevance", "seen"])
TRAIN = table([["u1", "a"], ["u2", "a"], ["u1", "d"], ["u2", "e"]], ["user_id", "item_id"])


def chance(found: Found, user: str, item: str) -> float | None:
    """The propensity of an item of a golden case, if its truth has a column of them."""
    if "shown" in found:
        eta = found["params"]["eta"]
        return float(next(1 / rank**eta for one, other, rank in found["shown"] if (one, other) == (user, item)))
    if found["metric"] == "ips_hits":  # the share of the rows of train
        rows = [one for _, one in found["train"]]
        return rows.count(item) / len(rows) or 1 / found["params"]["cap"]
    return float(found["propensity"][item]) if "propensity" in found else None


def called(found: Found) -> tuple[pa.Table, pa.Table, dict[str, Any]]:
    """The lists, the truth and the options of a golden case."""
    params = found["params"]
    if found["metric"] == "ctr":
        rows = found["truth_with_propensity"]
        options = {"no_recs": "zero"} | ({"judged_only": True} if params["estimator"] == "matching" else {"weighting": "ips"})
        recs = table([[user, item, score] for user, item, score in found["recs_with_score"]], ["user_id", "item_id", "score"])
        truth = table(rows, ["user_id", "item_id", "relevance", "seen"])
        return recs, truth, options | ({"propensity": "seen"} if "weighting" in options else {})
    truth = found["truth"] if "truth" in found else [[*one, 1] for one in found["clicks"]]
    rows = [[*row[:2], row[2] if len(row) > 2 else 1, chance(found, row[0], row[1])] for row in truth]
    options = {
        "weighting": params.get("weight", "ips").partition(",")[0],
        "gain": "linear" if params.get("gain") == "graded" else "binary",
    }
    if params["propensity"] == "popularity":
        train = table(found["train"], ["user_id", "item_id"])
        options |= {"propensity_power": params["power"], "propensity_unseen": params["unseen"], "train": train}
    else:
        options["propensity"] = "seen"
    options |= {"propensity_floor": params["floor"]} if params.get("floor") else {}
    options |= {"no_truth": "zero"} if found["aggregate"] == "mean over queries" else {}
    options |= {"rbp_p": params["p"]} if "p" in params else {}
    return table(found["recs"], ["user_id", "item_id", "rank"]), table(rows, ["user_id", "item_id", "relevance", "seen"]), options


@pytest.mark.parametrize("found", [pytest.param(one, id=one["id"]) for one in GOLDEN if one["id"] not in LEFT_OUT])
def test_the_golden_cases(found: Found) -> None:
    """The rate of clicks is a precision over all rows that were shown."""
    recs, truth, options = (
        called(found) if found["metric"] != "ips_ctr" else called({**found, "params": {"propensity": "column"}})
    )
    if found["metric"] in OF_THE_LOG:
        [weights] = metadata_of(recsql.evaluate(recs, truth, "hits", "all", **options))["weights"]
        assert weights[OF_THE_LOG[found["metric"]]] == pytest.approx(found["expected"], abs=1e-9)
        return
    metric = found["metric"]
    metric = "precision(denominator=returned, mean=micro)" if metric in ("ctr", "ips_ctr") else metric
    metric = {"ips_hits": "hits"}.get(metric, metric)
    metric = f"{metric}(mean=micro)" if "pooled" in str(found["params"].get("weight")) else metric
    [row] = recsql.evaluate(recs, truth, metric, found["k"] or "all", **options).to_pylist()
    assert row["value"] == pytest.approx(found["expected"], abs=1e-9)
    if "expected_per_user" in found:
        rows = recsql.per_user(recs, truth, metric, found["k"] or "all", **options).to_pylist()
        assert {one["user_id"]: one[metric] for one in rows} == pytest.approx(found["expected_per_user"], abs=1e-9)


def test_every_golden_case_is_used(shared: Path) -> None:
    older, rest = (
        json.loads((shared / f"catalogue/{name}.json").read_text(encoding="utf-8")) for name in ("golden", "golden_rest")
    )
    metrics = {one["metric"] for one in GOLDEN}
    assert [one for one in rest if one["metric"] in metrics] + [one for one in older if "ips" in one["metric"]] == GOLDEN


# -- a reference by lists

Judgements = Mapping[str, tuple[float, float]]  # by item: its gain and its propensity


def value(metric: str, items: Sequence[str], truth: Judgements, k: int, weighting: str) -> float:
    """The value of one list, from the definitions."""
    hits = [(rank, *truth[item]) for rank, item in enumerate(items[:k], 1) if item in truth]
    sums = {
        "hits": sum(1 / p for _, _, p in hits),
        "precision": sum(1 / p for _, _, p in hits) / k,
        "recall": sum(1 / p for _, _, p in hits) / (len(truth) if weighting == "ips" else 1),
        "arhr": sum(1 / p / rank for rank, _, p in hits),
        "cg": sum(gain / p for _, gain, p in hits),
        "dcg": sum(gain / p / log2(rank + 1) for rank, gain, p in hits),
        "rbp": 0.2 * sum(gain / p * 0.8 ** (rank - 1) for rank, gain, p in hits),
    }
    if weighting == "ips":
        return float(sums[metric])
    return float(sums[metric] / sum((1 if metric in ("hits", "recall") else gain) / p for gain, p in truth.values()))


@pytest.mark.engine
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("weighting", ["ips", "snips"])
@pytest.mark.parametrize("ties", ["item_asc", "expected"])
def test_the_definitions_and_the_mean_over_all_orders(ties: str, weighting: str, seed: int) -> None:
    draw, items, metrics = random.Random(seed), "abcdefgh", SUMS if weighting == "ips" else NORMALISED
    lists = {f"u{n}": {item: draw.randint(1, 3) for item in draw.sample(items, 5)} for n in range(6)}
    truth = {user: {item: (draw.randint(1, 3), draw.choice([0.1, 0.3, 1.0])) for item in draw.sample(items, 3)} for user in lists}
    recs = table([[user, *one] for user, scored in lists.items() for one in scored.items()], ["user_id", "item_id", "score"])
    rows = [[user, item, gain, p] for user, judged in truth.items() for item, (gain, p) in judged.items()]
    judged = table(rows, ["user_id", "item_id", "relevance", "seen"])
    options = {"weighting": weighting, "propensity": "seen", "ties": ties}
    found = recsql.evaluate(recs, judged, metrics, [2, 4], **options).to_pylist()
    for row in found:
        means = []
        for user, scored in lists.items():
            groups = [sorted(one for one in scored if scored[one] == score) for score in sorted({*scored.values()}, reverse=True)]
            orders = (
                [[*chain(*groups)]] if ties == "item_asc" else [[*chain(*one)] for one in product(*map(permutations, groups))]
            )
            means.append(sum(value(row["metric"], one, truth[user], row["k"], weighting) for one in orders) / len(orders))
        assert row["value"] == pytest.approx(sum(means) / len(means), abs=1e-12), row
    assert len(found) == 2 * len(metrics)


@pytest.mark.parametrize("seed", range(4))
def test_weights_are_gains(seed: int) -> None:
    """With weight x gain as the relevance, cg, dcg and rbp without weights have the same values."""
    data, draw = random_data(seed, users=60), random.Random(seed)
    recs, truth = data.recs_table(), data.truth_table()
    chances = {one: draw.choice([0.05, 0.2, 0.5, 1.0]) for one in truth["item_id"].to_pylist()}
    seen = pa.array([chances[one] for one in truth["item_id"].to_pylist()])
    gains = [None if one is None else one / p for one, p in zip(truth["relevance"].to_pylist(), seen.to_pylist(), strict=True)]
    at = truth.column_names.index("relevance")
    as_gains = truth.set_column(at, "relevance", pa.array(gains, pa.float64()))
    metrics = ["cg", "dcg", "rbp"]
    plain = recsql.evaluate(recs, as_gains, metrics, [1, 5, "all"], findings="off")
    found = recsql.evaluate(
        recs, truth.append_column("seen", seen), metrics, [1, 5, "all"], weighting="ips", propensity="seen", findings="off"
    )
    assert found["value"].to_pylist() == pytest.approx(plain["value"].to_pylist(), abs=1e-9)
    assert found["users"] == plain["users"]


def test_weights_of_1_change_nothing() -> None:
    options = {"weighting": "ips", "propensity": "seen"}
    truth = TRUTH.set_column(3, "seen", pa.array([1.0] * 3))
    plain = recsql.evaluate(RECS, TRUTH, SUMS, [1, 2])
    assert recsql.evaluate(RECS, truth, SUMS, [1, 2], **options)["value"] == plain["value"]
    assert recsql.evaluate(RECS, truth, SUMS, 2, train=TRAIN, weighting="ips", propensity_power=0)["value"].to_pylist() == (
        recsql.evaluate(RECS, TRUTH, SUMS, 2)["value"].to_pylist()
    )


# -- refusals


@pytest.mark.parametrize("metric", [name for name in catalog().metrics_of("user") if name not in SUMS])
def test_a_metric_that_is_not_a_sum_is_refused(metric: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=rf"^{metric}(: it is not a sum over relevant items|.*(needs|spans|positions))"):
        recsql.evaluate(RECS, TRUTH, metric, 2, weighting="ips", propensity="seen", catalog_size=20)


OF_TRAIN = {"propensity_power": 1, "train": TRAIN}
RARE = table([*([n, "a"] for n in range(10)), [0, "e"]], ["user_id", "item_id"])
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no source": ({}, "weighting=ips: no default says how likely an item was to be seen; give either propensity="),
    "two sources": ({"propensity": "seen", **OF_TRAIN}, "weighting=ips: no default says"),
    "no train": ({"propensity_power": 1}, "propensity_power: it is about the popularity in train; give train= as well"),
    "no rows of train": ({**OF_TRAIN, "train": TRAIN.slice(0, 0)}, "train: it has no rows, so that no item has a propensity"),
    "no users of train": ({**OF_TRAIN, "train": TRAIN.select(["item_id"])}, "train: no row has a user"),
    "no floor": ({**OF_TRAIN, "propensity_unseen": "zero"}, "propensity_unseen='zero': it needs a propensity_floor="),
    "a floor of 0": ({"propensity": "seen", "propensity_floor": 0}, "propensity_floor: 0 is not at least 1e-09"),
    "a column and unseen": (
        {"propensity": "seen", "propensity_unseen": "zero"},
        "propensity_unseen='zero': it needs propensity_power=",
    ),
    "no column": ({"propensity": "shown"}, "truth: there is no column shown"),
    "a steep power": (
        {"propensity_power": 10, "train": RARE},
        "train: item e has a propensity of .*, which is below 1e-9; lower",
    ),
}


@pytest.mark.parametrize(("options", "message"), BAD.values(), ids=BAD.keys())
@pytest.mark.filterwarnings("ignore:train. it has no rows")
def test_a_propensity_without_a_source_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=f"^{message}"):
        recsql.evaluate(RECS, TRUTH, "recall", 2, weighting="ips", **options)


@pytest.mark.parametrize("bad", [0.0, None, -0.5, 1.5, float("nan"), 1e-10])
def test_a_propensity_that_is_none_is_refused(bad: float | None) -> None:
    truth = TRUTH.set_column(3, "seen", pa.array([bad, 0.1, 0.25], pa.float64()))
    with pytest.raises(
        recsql.BadInput, match=r"^truth: `seen` is .* for user u1, item e; a propensity is at most 1 and at least 1e-9"
    ):
        recsql.evaluate(RECS, truth, "recall", 2, weighting="ips", propensity="seen")
    if bad is None or 0 <= bad < 1:  # what the floor stands for
        [row] = recsql.evaluate(RECS, truth, "recall", 2, weighting="ips", propensity="seen", propensity_floor=0.5).to_pylist()
        assert row["value"] == (2 / 2 + 2 / 1) / 2


def test_options_without_weights_are_refused() -> None:
    for name, given in {
        "propensity": "seen",
        "propensity_power": 1,
        "propensity_floor": 0.1,
        "propensity_unseen": "zero",
    }.items():
        with pytest.raises(recsql.RecsqlError, match=f"^{name}: it applies only if weighting='ips' or 'snips'"):
            recsql.evaluate(RECS, TRUTH, "recall", 2, **{name: given})
    with pytest.raises(recsql.RecsqlError, match=r"^dcg\(mean=micro\) can't be computed .* only self-normalised values"):
        recsql.evaluate(RECS, TRUTH, "dcg(mean=micro)", 2)
    with pytest.raises(recsql.RecsqlError, match=r"^precision: with weighting=snips, a sum is divided by that of all"):
        recsql.evaluate(RECS, TRUTH, "precision", 2, weighting="snips", propensity="seen")


# -- the command line and the shell


def test_the_line_says_what_the_weights_are_worth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The weights are 5, 10 and 4: they tell as much as 19^2 / (25 + 100 + 16) = 2.56, and the largest is 10 / 19 of all."""
    for name, one in {"recs": RECS, "truth": TRUTH, "train": TRAIN}.items():
        pq.write_table(one, tmp_path / f"{name}.parquet")
    recs, truth = str(tmp_path / "recs.parquet"), str(tmp_path / "truth.parquet")
    main(["evaluate", recs, truth, "-m", "recall,dcg", "-k", "2", "--weighting", "snips", "--propensity", "seen"])
    line = "Weights by --propensity seen: the 3 relevant rows of truth tell as much as 3 of equal weight; the largest has 52.63%"
    assert f"{line} of the weight." in capsys.readouterr().out.splitlines()
    of_train = [
        "--weighting",
        "ips",
        "--propensity-power",
        "1",
        "--propensity-floor",
        "0.6",
        "--train",
        str(tmp_path / "train.parquet"),
    ]
    main(["compare", f"a={recs}", f"b={recs}", truth, "-m", "recall", "-k", "2", *of_train])
    assert capsys.readouterr().out.splitlines()[-1].endswith("3 are at the floor.")


@pytest.mark.engine
def test_the_macros() -> None:
    """A macro file with weights has the values of Python, and no macros over two lists, which have no propensities."""
    for options, tables in (({"propensity": "seen"}, ""), ({"propensity_power": 1, "train": "past"}, ", 'past'")):
        file = recsql.macros(metrics=NORMALISED, weighting="snips", **options)
        with duckdb.connect() as con:
            con.execute(file)
            for name, one in {"recs": RECS, "truth": TRUTH, "past": TRAIN}.items():
                con.register(name, one)
            found = con.sql(f"from recsql.evaluate('recs', 'truth'{tables}, k := 2, metrics := {NORMALISED})").fetchall()
        given = {**options, "train": TRAIN} if tables else options
        expected = recsql.evaluate(RECS, TRUTH, NORMALISED, 2, weighting="snips", **given).to_pylist()
        assert {row[1]: row[3] for row in found} == {row["metric"]: row["value"] for row in expected}
        assert "macro recsql.dcg(" not in file
