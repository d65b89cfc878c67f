"""Ties without an order: the mean, the best and the worst over all orders, by formula, against every order enumerated.

If it fails, values for ties are not the mean, best or worst over all orders.
"""

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, permutations, product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import recsql
from recsql.catalog import catalog
from recsql.catalog.headers import TABLE, Option
from recsql.cli import main
from recsql.query.needs import own_options
from tests.random_data import random_data
from tests.support import OF_ITEMS, is_refused, tables_needed

DISTANCES = pa.schema([("model", pa.string()), ("user_id", pa.int64()), ("item_id", pa.int64()), ("score", pa.float64())])

CASES = Path(__file__).parents[1] / "cases"
KS = [1, 2, 3, 4, 5, 7]
ITEMS = pa.table({"item_id": [*"abcdefghij"], "category": [*"xxyyzxyzzx"]})
TABLES = {"items": ITEMS, "train": pa.table({"user_id": ["t"] * 6, "item_id": [*"acegik"]})}
USERS = [name for name, source in OF_ITEMS.items() if source.grain == "user" and tables_needed(name) <= TABLES.keys()]
# Options that say how an order is made, or that a list of scores does not have; and values that need a truth in order or refuse.
OTHERS = ("ties", "duplicates", "truth_window", "catalog_size")
LEFT_OUT = ("truth_as_given", "error")


def values_of(option: Option) -> list[Any]:
    some: dict[str, list[Any]] = {"choice": option.choices, "number": [0.3], "integer": [4]}
    return some.get(option.type, [])


def varied() -> Iterator[str]:
    """Each metric, and it or one of those that read an option with each other value of the option."""
    yield from USERS
    for option in (
        one for one in catalog().options_of(("user",)).values() if {one.topic, one.name}.isdisjoint({"propensity", "dcg_mean"})
    ):  # see test_weights
        read_by = [name for name in USERS if option.name in own_options(name)]
        metric = option.home.name if option.home.folder == "metrics" else "ndcg" if "ndcg" in read_by else next(iter(read_by), "")
        for value in values_of(option) if metric and option.name not in OTHERS else []:
            if value not in (option.default, *LEFT_OUT) and not option.where and "of_all" not in option.home.header:
                yield f"{metric}({option.inside(metric)}={value})"


METRICS = [*varied()]
OVER_ALL: dict[str, Callable[[Sequence[float]], float]] = {
    "expected": lambda values: math.fsum(values) / len(values),
    "best": max,
    "worst": min,
}
GIVEN = {name: TABLES[name] for metric in METRICS for name in tables_needed(metric)}  # a table that no metric needs is refused
OPTIONS: dict[str, Any] = {"catalog_size": 20, "no_truth": "zero", "gain_map": {0: 0.0, 1: 1.0, 2: 5.0, 3: 7.0}, **GIVEN}
Scored = list[tuple[str, float]]


def random_list(seed: int) -> tuple[Scored, list[tuple[str, float]]]:
    """Up to seven items of few scores, and what is relevant of them and beyond."""
    draw = random.Random(seed)
    items = draw.sample("abcdefghij", draw.randint(1, 7))
    scored = [(item, float(draw.randint(1, 3))) for item in items]
    truth = [(item, float(draw.randint(0, 3))) for item in draw.sample("abcdefghij", draw.randint(1, 6))]
    return scored, truth


def orders(scored: Scored) -> Iterator[list[str]]:
    """Every order that the scores leave open."""
    ranked = sorted(scored, key=lambda one: -one[1])
    blocks = [[item for item, _ in block] for _, block in groupby(ranked, key=lambda one: one[1])]
    for chosen in product(*map(permutations, blocks)):
        yield [item for block in chosen for item in block]


def runs(metric: str, ties: str, further: Mapping[str, Any] = {}) -> bool:
    """Whether a metric can be computed with some ties; the call has its tables."""
    return not is_refused(metric, {"ties": ties, "catalog_size": 20, **dict.fromkeys(GIVEN, TABLE), **further})


def table(rows: Iterable[Sequence[object]], *names: str) -> pa.Table:
    return pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


@pytest.fixture(scope="module")
def enumerated() -> dict[int, dict[tuple[str, int], list[float]]]:
    """By list, metric and cut-off: the value under every order."""
    rows, judged, owner = [], [], {}
    for seed in range(40):
        scored, truth = random_list(seed)
        for number, order in enumerate(orders(scored)):
            user = f"{seed}/{number}"
            owner[user] = seed
            rows += [(user, item, rank) for rank, item in enumerate(order, start=1)]
            judged += [(user, *row) for row in truth]
    found: dict[int, dict[tuple[str, int], list[float]]] = {}
    values = recsql.per_user(
        table(rows, "user_id", "item_id", "rank"), table(judged, "user_id", "item_id", "relevance"), METRICS, KS, **OPTIONS
    )
    for row in values.to_pylist():
        of_list = found.setdefault(owner[row["user_id"]], {})
        for metric in METRICS:
            of_list.setdefault((metric, row["k"]), []).append(row[metric])
    return found


@pytest.fixture(scope="module")
def lists() -> tuple[pa.Table, pa.Table]:
    drawn = {seed: random_list(seed) for seed in range(40)}
    recs = [(seed, *row) for seed, (scored, _) in drawn.items() for row in scored]
    truth = [(seed, *row) for seed, (_, judged) in drawn.items() for row in judged]
    return table(recs, "user_id", "item_id", "score"), table(truth, "user_id", "item_id", "relevance")


@pytest.mark.parametrize("ties", OVER_ALL)
def test_the_formula_gives_what_all_orders_give(
    ties: str, lists: tuple[pa.Table, pa.Table], enumerated: dict[int, dict[tuple[str, int], list[float]]]
) -> None:
    metrics = [one for one in METRICS if runs(one, ties)]
    found = recsql.per_user(*lists, metrics, KS, ties=ties, **OPTIONS).to_pylist()
    assert {row["user_id"] for row in found} == enumerated.keys()
    for row in found:
        for metric in metrics:
            values = enumerated[row["user_id"]][metric, row["k"]]
            over_all = OVER_ALL[ties]
            if catalog().metrics[metric.partition("(")[0]].header.get("better") == "lower" and ties != "expected":
                over_all = {"best": min, "worst": max}[ties]
            if ties == "best":  # an order without a hit is the worst
                values = [value for value in values if value is not None] or values
            expected = None if None in values else over_all(values)
            place = (row["user_id"], metric, row["k"])
            assert (place, row[metric]) == (place, expected if expected is None else pytest.approx(expected, abs=1e-12))


@pytest.mark.parametrize("ties", OVER_ALL)
def test_metrics_without_a_formula_say_so(ties: str, lists: tuple[pa.Table, pa.Table]) -> None:
    for metric in METRICS:
        if not runs(metric, ties):
            with pytest.raises(recsql.RecsqlError, match=f"can't be computed with .*ties='{ties}'"):
                recsql.evaluate(*lists, metric, 2, ties=ties, catalog_size=20, **GIVEN)


def test_a_metric_without_a_mean_over_all_orders_shows_it_in_a_case() -> None:
    """Under any of its own options. It is found from the texts, so this tells whoever writes the metric."""
    known, refused = catalog().options, {}
    elsewhere = {"ties", "spans", "dcg_mean", *catalog().topics["propensity"].options}  # see test_weights
    for metric in USERS:
        one_set = [{name: value} for name in own_options(metric) - elsewhere for value in values_of(known[name])]
        for options in [{}, *one_set]:
            if not runs(metric, "expected", {**options, **dict.fromkeys(TABLES, TABLE)}):
                refused[metric] = f"{metric} is refused with {options | {'ties': 'expected'}}"
    cases = {name: (CASES / f"{name}.toml").read_text() for name in catalog().metrics}
    shown = {name for name, text in cases.items() if "error = \"can't be computed with ties='expected': " in text}
    for name, metric in refused.items():
        assert name in shown, f"{metric}; show it in tests/cases/{name}.toml, or make it affine in hits"
    assert refused.keys() == shown


def test_a_long_tie_keeps_its_precision() -> None:
    """A model that gives all of 10,000 items one score: every rank is as likely for the one relevant item."""
    count = 10_000
    recs = pa.table({"user_id": ["u"] * count, "item_id": list(range(count)), "score": [0.5] * count})
    truth = pa.table({"user_id": ["u"], "item_id": [17]})
    found = recsql.evaluate(recs, truth, ["rr", "rr(cutoff=none)", "recall", "ap"], 100, ties="expected")
    upto = math.fsum(1 / rank for rank in range(1, 101)) / count
    whole = math.fsum(1 / rank for rank in range(1, count + 1)) / count
    assert found["value"].to_pylist() == pytest.approx([upto, whole, 100 / count, upto], rel=1e-12)


def test_copies_of_other_scores_are_hits_of_their_own() -> None:
    """Of a x a the first two are tied: in both orders one hit is among them."""
    recs = table([("u", "a", 2.0), ("u", "x", 2.0), ("u", "a", 1.0)], "user_id", "item_id", "score")
    truth = pa.table({"user_id": ["u"], "item_id": ["a"]})
    found = recsql.evaluate(recs, truth, ["hit", "rr", "hits"], 2, ties="expected", duplicates="count")
    assert found["value"].to_pylist() == pytest.approx([1, (1 + 1 / 2) / 2, 1], abs=1e-12)
    with pytest.raises(recsql.BadInput, match="ties='expected' with duplicates='count' does not support"):
        recsql.evaluate(recs, truth, "fn", 2, ties="expected", duplicates="count")  # the mean of what is 0 instead of less


REFUSED: dict[str, tuple[dict[str, Any], list[Any], str]] = {
    "copies": (
        {"duplicates": "count"},
        [("u", "a", 1.0), ("u", "a", 1.0)],
        "item a appears more than once in the list of user u, which ties='worst' with duplicates='count' does not support",
    ),
    "set": ({"duplicates": "set"}, [("u", "a", 2.0), ("u", "a", 1.0)], "ties='worst' with duplicates='set' does not support"),
    "window": ({"truth_window": "k", "truth_rank": "relevance"}, [("u", "a", 1.0)], "gives tied items no order"),
    "negative": ({"relevance_threshold": -5}, [("u", "a", 1.0), ("u", "b", 1.0)], "item b has gain -2"),
}


@pytest.mark.parametrize("window", ["k", "rank"])
def test_a_window_of_the_truth_is_refused_beside_ranks_too(window: str) -> None:
    recs = table([("u", "a", 1)], "user_id", "item_id", "rank")
    truth = table([("u", "a", 1)], "user_id", "item_id", "rank")
    with pytest.raises(recsql.RecsqlError, match=r"^ties='best' gives tied items no order"):
        recsql.evaluate(recs, truth, "ap", 2, ties="best", truth_window=window)


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_formula_is_refused(name: str) -> None:
    options, rows, sentence = REFUSED[name]
    truth = pa.table({"user_id": ["u", "u"], "item_id": ["a", "b"], "relevance": [1, -2]})
    with pytest.raises(recsql.RecsqlError, match=sentence):
        recsql.evaluate(table(rows, "user_id", "item_id", "score"), truth, "ap", 2, ties="worst", **options)


def test_rows_and_counts_of_items_need_an_order(lists: tuple[pa.Table, pa.Table]) -> None:
    refused = "gives tied items no order"
    with pytest.raises(recsql.RecsqlError, match=refused):
        recsql.hits(*lists, ties="expected")
    with pytest.raises(recsql.RecsqlError, match=refused):
        recsql.item_metrics(lists[0], "entropy", ties="best")
    with pytest.raises(recsql.RecsqlError, match=refused):
        recsql.evaluate(*lists, ["ndcg", "entropy"], ties="worst")


@pytest.mark.parametrize("fast", ["on", "off"])
@pytest.mark.parametrize(
    ("ties", "duplicates"), [("item_asc", "error"), ("item_desc", "last"), ("expected", "last"), ("worst", "first")]
)
def test_a_score_of_which_lower_is_better(monkeypatch: pytest.MonkeyPatch, ties: str, duplicates: str, fast: str) -> None:
    """As a distance: order = asc gives what the negated scores give, with many ties and, where they may be, copies."""
    monkeypatch.setenv("RECSQL_FAST", fast)
    data = random_data(5, users=60, ties=True)
    scored = data.recs_table("model", "user_id", "item_id", "score")
    if duplicates != "error":
        worse = pa.array([score - n % 2 for n, score in enumerate(scored["score"].to_pylist())], pa.float64())
        scored = pa.concat_tables([scored.cast(DISTANCES), scored.set_column(3, "score", worse).cast(DISTANCES)])
    distances = scored.set_column(3, "score", pc.negate(scored["score"]))
    found = []
    for recs, order in ((scored, "desc"), (distances, "asc")):
        rows = recsql.evaluate(recs, data.truth_table(), ["rr", "dcg"], [1, 3], ties=ties, duplicates=duplicates, order=order)
        found.append(rows["value"].to_pylist())
    assert found[0] == found[1]


def test_distances_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recs, truth, ranked = tmp_path / "recs.csv", tmp_path / "truth.csv", tmp_path / "ranked.csv"
    recs.write_text("user_id,item_id,score\n1,a,0.3\n1,b,0.1\n1,c,0.2\n")
    ranked.write_text("user_id,item_id,rank,score\n1,a,3,0.3\n1,b,1,0.1\n")
    truth.write_text("user_id,item_id\n1,c\n")
    assert main(["evaluate", str(recs), str(truth), "-m", "rr@3", "--order", "asc", "--format", "csv"]) == 0
    assert float(capsys.readouterr().out.splitlines()[1].split(",")[3]) == 0.5
    assert sorted(recsql.rank_by_score(recs, 2, order="asc")["item_id"].to_pylist()) == ["b", "c"]
    assert main(["evaluate", str(ranked), str(truth), "-m", "rr@3", "--order", "asc"]) == 1
    said = "--order asc: it is about scores, but the lists are ordered by rank; add --rank-by score, or leave it out"
    assert capsys.readouterr().err == f"recsql: {said}\n"
