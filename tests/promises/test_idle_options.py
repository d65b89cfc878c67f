"""An option that would change nothing is refused: it was given for a reason, and the number is not the one wanted.

If it fails, an option that does nothing is accepted, and its user trusts a number that it didn't make.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import product
from typing import Any

import pyarrow as pa
import pytest

import recsql
from recsql.catalog import catalog

RECS = pa.table({"user_id": [1, 1], "item_id": [7, 8], "rank": [1, 2]})
TRUTH = pa.table({"user_id": [1, 1], "item_id": [8, 9], "relevance": [1.0, 3.0]})
ITEMS = pa.table({"item_id": [7, 8], "category": ["a", "b"]})

# The option, its value, and where it counts.
WHERE = {
    "gain_map": ({1: 1, 3: 5}, "gain='map'"),
    "discount_p": (0.5, "discount='geometric'"),
    "smoothing": (0.5, "entropy_scope='category'"),
}


@pytest.mark.parametrize("name", WHERE)
def test_it_counts_only_where_another_has_a_value(name: str) -> None:
    given, where = WHERE[name]
    says = rf"{name}: it applies only if {where}; set that as well, or leave {name}= out"
    metric, other = ("entropy" if name == "smoothing" else "dcg"), where.partition("=")[0]
    value = where.split("'")[1]
    tables: dict[str, Any] = {"recs": RECS, "items": ITEMS} if metric == "entropy" else {"recs": RECS, "truth": TRUTH}
    measure: Any = recsql.item_metrics if metric == "entropy" else recsql.evaluate
    with pytest.raises(recsql.RecsqlError, match=f"^{says}$"):
        measure(**tables, metrics=metric, k=2, **{name: given})
    assert measure(**tables, metrics=metric, k=2, **{name: given, other: value}).num_rows == 1


def test_one_metric_that_reads_it_is_enough() -> None:
    found = recsql.evaluate(RECS, TRUTH, ["dcg", "dcg(gain=map)"], 2, gain_map={1: 10, 3: 5})
    assert found["definition"].to_pylist() == ["dcg", "dcg(gain=map, gain_map=1:10.0 3:5.0)"]
    with pytest.raises(recsql.RecsqlError, match=r"^dcg\(gain_map=1:10\.0\): gain_map: it applies only if gain='map'; set"):
        recsql.evaluate(RECS, TRUTH, ["dcg(gain_map=1:10)", "dcg(gain=map)"], 2, gain_map={1: 10, 3: 5})


def test_the_default_may_be_given() -> None:
    assert recsql.evaluate(RECS, TRUTH, "dcg", 2, discount_p=0.8, gain_map=None)["metric"].to_pylist() == ["dcg"]


def test_two_gains_for_one_relevance() -> None:
    for text in ("1:1 1:2", "1:1 3:5 1.0:1"):
        with pytest.raises(recsql.RecsqlError, match=rf"^gain_map: '{text}' has two values for 1\.0; give one$"):
            recsql.evaluate(RECS, TRUTH, "dcg", 2, gain="map", gain_map=text)
    with pytest.raises(recsql.RecsqlError, match=r"gain_map: '0:1 0:2' has two values for 0\.0; give one"):
        recsql.evaluate(RECS, TRUTH, "dcg", 2, gain="map", gain_map="0:1 0:2")


@pytest.mark.parametrize(
    ("metric", "option"),
    [
        ("ndcg(ap_denominator=relevant)", "ap_denominator"),
        ("precision(gain=exp2)", "gain"),
        ("recall(beta=2)", "beta"),
        ("hit(catalog_size=5)", "catalog_size"),
        ("ndcg(entropy_base=e)", "entropy_base"),
    ],
)
def test_brackets_that_the_metric_does_not_read(metric: str, option: str) -> None:
    name = metric.partition("(")[0]
    with pytest.raises(recsql.UnknownName, match=f"{name} does not read {option}; leave it out of the brackets$"):
        recsql.evaluate(RECS, TRUTH, metric, 2)


def test_a_label_has_only_what_the_metric_reads() -> None:
    found = recsql.evaluate(RECS, TRUTH, ["precision", "ap", "ndcg"], 2, ap_denominator="relevant", gain="exp2", no_recs="skip")
    assert found["definition"].to_pylist() == [
        "precision(no_recs=skip)",
        "ap(denominator=relevant, no_recs=skip)",
        "ndcg(gain=exp2, no_recs=skip)",
    ]


# -- functions whose options are all their own

LONG = {"user_id": [1] * 5, "item_id": [9, 8, 7, 6, 9], "rank": [1, 2, 3, 4, 5], "score": [4.0, 2.0, 2.0, 1.0, 0.0]}
SHORT = {"user_id": [1, 1], "item_id": [8, 7], "rank": [1, 3], "score": [0.5, 0.25]}
OTHER = {"user_id": [1] * 3, "item_id": [6, 8, 7], "rank": [1, 2, 3], "score": [9.0, 5.0, 4.0]}
OF_MODELS: Mapping[str, Sequence[object]] = {
    "weights": [{"a": 1, "b": 2, "c": 3}],
    "order": ["asc", {"a": "desc", "b": "desc", "c": "asc"}],
}  # values of options
REFUSED = "|".join(
    [
        "nothing in this call reads it, so it has no effect; leave .* out$",
        "it applies only if method='rrf'; set that as well, or leave k= out$",
        "it applies only if method='rrf' or 'weighted_sum'; set that as well, or leave weights= out$",
        "method='weighted_sum' needs the weight of each model, such as ",
        "lists are ordered by rank; add rank_by='score', or leave it out$",
        "the column score is read here, and no ranks; leave rank_by= out$",
        "there is no column (score|rank) to order the lists by; ",
        "have the same `?score`?|with the same `?score`? |the same score ",
        "gives tied items no order|which ties='.*' with duplicates='.*' does not support",
        "appears more than once in the list",
        "needs the input order in the column rank$",
    ]
)


def outcome(function: Any, *tables: Any, **options: Any) -> Sequence[str]:
    """The rows of a call, or the sentence with which it is refused."""
    try:
        return sorted(map(str, function(*tables, **options).to_pylist()))
    except recsql.RecsqlError as error:
        return [str(error)]


OF_SCORES = [one for one in catalog().options["method"].choices if one != "rrf"]
WAYS = [*product(["rrf", *OF_SCORES[:1]], [["rank", "score"], ["score"], ["rank"]], [None, "score"], [True, False])]
WAYS += [(method, ["rank", "score"], None, True) for method in OF_SCORES[1:]]  # which read the same options of the lists


@pytest.mark.parametrize(("method", "columns", "rank_by", "copies"), WAYS, ids=str)
def test_each_option_of_fuse_changes_the_lists_or_is_refused(
    method: str, columns: Sequence[str], rank_by: str | None, copies: bool
) -> None:
    """But for values that say what holds anyway: the column that orders the lists, and how copies count if there are none."""
    tables = [pa.table(LONG).slice(0 if copies else 1), pa.table(SHORT), pa.table(OTHER)]
    recs = dict(zip("abc", (one.select(["user_id", "item_id", *columns]) for one in tables), strict=True))
    beside: dict[str, Any] = {"method": method, "rank_by": rank_by, "duplicates": "last" if copies else "error"}
    beside |= {"weights": {"a": 1, "b": 1, "c": 2}} if method == "weighted_sum" else {}
    before = outcome(recsql.fuse, recs, **beside)
    if "score" not in columns and (rank_by or method != "rrf"):
        assert "there is no column score" in before[0]
        return
    of_scores = method != "rrf" or rank_by == "score" or "rank" not in columns
    holding = [("rank_by", "score")] if of_scores else [("rank_by", "rank"), ("rank_by", "position")]
    holding += [] if copies else [("duplicates", value) for value in catalog().options["duplicates"].choices]
    for option in catalog().options_of(["fusion"]).values():
        values: Sequence[object] = option.choices or OF_MODELS.get(option.called, [0, 7])
        for value in values:
            if value != (beside.get(option.called) or option.default) and (option.name, value) not in holding:
                found = outcome(recsql.fuse, recs, **{**beside, option.called: value})
                assert found != before, (option.called, value)
                assert found[0][0] == "{" or re.search(REFUSED, found[0])


def test_ties_are_an_error_wherever_they_are() -> None:
    """Also below the first ranks of a list that is fused, which has no cut-off."""
    says = "recs of b: user 1 has items 7 and 8 with the same score 2.0; use ties='item_asc' or 'item_desc', or rank the list"
    deep = pa.table({"user_id": [1] * 4, "item_id": [5, 6, 7, 8], "score": [9.0, 8.0, 2.0, 2.0]})
    with pytest.raises(recsql.BadInput, match=f"^{says} yourself$"):
        recsql.fuse({"b": deep, "a": pa.table(SHORT)}, ties="error", rank_by="score")


LOG = pa.table({"user_id": [1] * 6, "item_id": [5, 2, 4, 3, 1, 6], "timestamp": [1, 2, 3, 4, 5, 5], "other": [6, 5, 4, 3, 2, 1]})
EVENTS = pa.table({"user_id": [1], "item_id": [2], "ts": [datetime(2026, 3, 2)]})
IDLE: list[tuple[Any, Sequence[Any], Mapping[str, Any], str]] = [
    (recsql.rank_by_score, [pa.table(SHORT)], {"gain": "exp2"}, "gain"),
    (recsql.rank_by_score, [pa.table(SHORT)], {"users": TRUTH}, "users"),
    (recsql.rank_by_score, [pa.table(SHORT)], {"duplicates": "first"}, "duplicates"),
    (recsql.hits, [RECS, TRUTH], {"beta": 2}, "beta"),
    (recsql.hits, [RECS, TRUTH], {"ties": "error"}, "ties"),
    (recsql.ideal, [TRUTH], {"no_recs": "skip"}, "no_recs"),
]


@pytest.mark.parametrize(("function", "tables", "options", "name"), IDLE)
def test_nothing_reads_it(function: Any, tables: Sequence[Any], options: Mapping[str, Any], name: str) -> None:
    says = f"{name}: nothing in this call reads it, so it has no effect; leave {name}= out"
    assert outcome(function, *tables, **options) == [says]
    assert outcome(function, *tables, **{**options, name: None})[0][0] == "{"


def test_an_order_or_a_seed_that_is_not_read() -> None:
    says = "order_by: protocol='random' draws by a hash and reads no order; leave order_by= out"
    assert outcome(recsql.split, LOG, protocol="random", order_by="other") == [says]
    assert outcome(recsql.split, LOG, protocol="random", order_by="other", target="last", seed=2)[0][0] == "{"
    says = "seed: protocol='last_n' draws nothing; leave seed= out"
    assert outcome(recsql.split, LOG, protocol="last_n", seed=3) == [says]
    assert outcome(recsql.split, LOG, protocol="last_n", order_by="hash", seed=3)[0][0] == "{"
    says = "rank_by='rank': the column score is read here, and no ranks; leave rank_by= out"
    assert outcome(recsql.rank_by_score, pa.table(SHORT), rank_by="rank") == [says]


def test_a_gain_of_types_that_no_event_has() -> None:
    way = "name the column with type='...', or leave other= out"
    says = f"events: there is no column type; it has user_id, item_id, ts; {way}"
    assert outcome(recsql.labels, EVENTS, start="2026-03-01", other=2) == [says]


def test_a_slice_of_an_ideal_list() -> None:
    assert outcome(recsql.ideal, TRUTH, by="x")[0].startswith(
        "by: there is no column x in truth; there are user_id, item_id, rel"
    )
