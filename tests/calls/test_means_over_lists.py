"""Means over lists: who counts, and that all functions give the same values.

If it fails, a list is left out or counted twice, or one function disagrees with another. tests/cases has the metrics themselves.
"""

import re
from math import inf, nan, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import recsql
from recsql.query.results import metadata_of

LISTS = {1: "abc", 2: "ad", 3: "xb", 4: "cda", 5: "b"}  # 5 has no relevant item
RECS = pa.Table.from_pylist(
    [
        {"user_id": user, "item_id": item, "rank": rank}
        for user, items in LISTS.items()
        for rank, item in enumerate(items, start=1)
    ]
)
TRUTH = pa.table({"user_id": [1, 2, 3, 4, 9], "item_id": ["b", "d", "x", "e", "a"]})  # 9 has no list
ITEMS = pa.table({"item_id": [*"abcde"], "category": [["X"], ["X", "Y"], ["Y"], ["Z"], ["X"]]})
TRAIN = pa.table({"user_id": [1, 1, 2, 3, 3, 7], "item_id": [*"abacae"]})
TABLES: dict[str, Any] = {"items": ITEMS, "train": TRAIN}
METRICS = ["ild", "category_coverage", "cold_share", "share_unseen", "tail_share", "calibration", "sufficiency"]
METRICS += ["novelty", "popularity"]


def by_metric(rows: pa.Table) -> dict[tuple[str, int], dict[str, Any]]:
    return {(row["metric"], row["k"]): row for row in rows.to_pylist()}


def test_every_list_counts_and_nobody_else() -> None:
    found = by_metric(recsql.evaluate(RECS, TRUTH, ["cold_share", "ild", "hit"], 2, train=TRAIN, items=ITEMS))
    assert [found[name, 2]["users"] for name in ("cold_share", "ild", "hit")] == [5, 4, 5]  # a single item has no distance
    assert [found[name, 2]["lists"] for name in ("cold_share", "ild", "hit")] == [5, 5, 4]
    assert found["cold_share", 2]["value"] == pytest.approx((0 + 1 / 2 + 1 / 2 + 1 / 2 + 0) / 5)
    below = pa.table({"user_id": [1, 2], "item_id": ["a", "x"], "rank": [1, 3]})  # the list of 2 begins below the cut-off
    assert by_metric(recsql.evaluate(below, TRUTH, "cold_share", 2, train=TRAIN))["cold_share", 2]["users"] == 1


def test_the_counts_are_those_of_the_users_in_the_mean() -> None:
    """Wherever the mean over lists stands."""
    for metrics in (["ild", "ndcg"], ["ndcg", "ild"]):
        found = recsql.evaluate(RECS, TRUTH, metrics, 2, items=ITEMS)
        assert [row["metric"] for row in found.to_pylist()] == metrics
        [counts] = metadata_of(found)["models"]
        assert (counts["users_in_mean"], counts["users_without_list"], counts["lists_without_truth"]) == (5, 1, 1)


def test_a_value_for_each_user() -> None:
    rows = recsql.per_user(RECS, TRUTH, [*METRICS, "ndcg"], 2, **TABLES).to_pylist()
    assert {row["user_id"] for row in rows} == {1, 2, 3, 4, 5, 9}
    assert [row["cold_share"] for row in rows if row["user_id"] in (5, 9)] == [0, None]
    means = by_metric(recsql.evaluate(RECS, TRUTH, METRICS, 2, interval=0.9, interval_method="t", **TABLES))
    for name in METRICS:
        values = [row[name] for row in rows if row[name] is not None]
        assert means[name, 2]["value"] == pytest.approx(fmean(values))
        if len({*values}) > 1:
            assert means[name, 2]["std_error"] == pytest.approx(stdev(values) / len(values) ** 0.5, abs=1e-9)


def test_without_a_truth() -> None:
    without = recsql.item_metrics(RECS, METRICS, [1, 2], **TABLES).to_pylist()
    assert without == recsql.evaluate(RECS, TRUTH, METRICS, [1, 2], **TABLES).to_pylist()
    with pytest.raises(recsql.RecsqlError, match="serendipity: it has hits, and this function has no truth; use evaluate"):
        recsql.item_metrics(RECS, "serendipity", 2, catalog_size=9, **TABLES)


def test_parts(tmp_path: Path) -> None:
    metrics = [*METRICS, "coverage", "serendipity"]
    options = {**TABLES, "catalog_size": 9}
    for rest in (0, 1):
        recs, truth = (one.filter(pc.equal(pc.bit_wise_and(one["user_id"], 1), rest)) for one in (RECS, TRUTH))
        recsql.partial(recs, truth, str(tmp_path / f"{rest}.parquet"), metrics, [1, 2], **options)
    merged, whole = recsql.merge(str(tmp_path / "*.parquet"), **TABLES), recsql.evaluate(RECS, TRUTH, metrics, [1, 2], **options)
    assert merged.to_pylist() == whole.to_pylist()


def test_a_comparison_pairs_the_lists() -> None:
    other = pa.table({"user_id": [1, 1, 2, 2, 3, 8], "item_id": [*"acbcad"], "rank": [1, 2, 1, 2, 1, 1]})
    [row] = recsql.compare({"a": RECS, "b": other}, TRUTH, "cold_share", 2, baseline="b", train=TRAIN).to_pylist()
    assert (row["users"], row["unpaired"]) == (3, 3)
    assert row["difference"] == pytest.approx(fmean([0 - 0, 1 / 2 - 0, 1 / 2 - 0]))


@pytest.mark.parametrize(
    "metric", ["novelty", "novelty(unseen=skip, log=e)", "popularity", "popularity(base=users, normalize=sum)"]
)
def test_a_comparison_of_novelty_is_one_of_lists(metric: str) -> None:
    """It is a t test of the differences, and no jackknife of two values."""
    lists = {"a": RECS, "b": pa.table({"user_id": [1, 1, 2, 2, 3, 4, 8], "item_id": [*"acbcaed"], "rank": [1, 2, 1, 2, 1, 1, 1]})}
    options: dict[str, Any] = {"metrics": metric, "k": 2, "train": TRAIN}
    [row] = recsql.compare(lists, TRUTH, **options, baseline="b").to_pylist()
    values = {model: recsql.per_user(recs, TRUTH, **options).to_pylist() for model, recs in lists.items()}
    a, b = ({one["user_id"]: one[metric] for one in found} for found in values.values())
    differences = [a[user] - b[user] for user in sorted(LISTS) if None not in (a[user], b.get(user))]
    assert len(differences) == row["users"] == 4
    assert row["difference"] == pytest.approx(fmean(differences))
    assert row["std_error"] == pytest.approx(stdev(differences) / 2)
    assert row["wins"] + row["losses"] + row["ties"] == 4
    [beside] = recsql.differences(lists, TRUTH, **options, baseline="b").select(["difference"]).to_pydict().values()
    assert sorted(one for one in beside if one is not None) == pytest.approx(sorted(differences))


def test_a_mean_over_rows(tmp_path: Path) -> None:
    """It weighs the mean of each list with its number of items that have a novelty: 1 has a, b, c, 2 has a, and so on."""
    metric, options = "novelty(mean=rows)", {"train": TRAIN, "novelty_unseen": "skip"}
    values = {row["user_id"]: row[metric] for row in recsql.per_user(RECS, TRUTH, metric, 3, **options).to_pylist()}
    items = {1: 3, 2: 1, 3: 1, 4: 2, 5: 1}
    assert {user for user, value in values.items() if value is not None} == {*items}
    row = recsql.evaluate(RECS, TRUTH, metric, 3, interval=0.9, **options).to_pylist()[0]
    assert (row["users"], row["lists"], row["low"] < row["value"] < row["high"]) == (5, 5, True)
    assert row["value"] == pytest.approx(sum(values[user] * items[user] for user in items) / 8)
    for rest in (0, 1):
        recs, truth = (one.filter(pc.equal(pc.bit_wise_and(one["user_id"], 1), rest)) for one in (RECS, TRUTH))
        recsql.partial(recs, truth, str(tmp_path / f"{rest}.parquet"), metric, 3, **options)
    [merged] = recsql.merge(str(tmp_path / "*.parquet")).to_pylist()
    assert merged.items() <= row.items()
    [compared] = recsql.compare({"a": RECS, "b": RECS}, TRUTH, metric, 3, baseline="b", **options).to_pylist()
    assert (compared["difference"], compared["users"], compared["wins"]) == (0, 5, None)
    with pytest.raises(recsql.RecsqlError, match=r"metrics: a macro has the mean over users, which novelty\(mean=rows\) is not"):
        recsql.macros(metrics=metric)


def test_segments() -> None:
    segments = pa.table({"user_id": [1, 2, 3, 4, 5], "half": ["x", "x", "y", "y", "y"]})
    rows = recsql.evaluate(RECS, TRUTH, "cold_share", 2, by="half", segments=segments, train=TRAIN).to_pylist()
    assert [(row["segment"], row["users"], row["value"]) for row in rows] == [
        (None, 5, pytest.approx(0.3)),
        ("x", 2, pytest.approx(0.25)),
        ("y", 3, pytest.approx(1 / 3)),
    ]


def test_the_macro() -> None:
    con = duckdb.connect()
    con.execute(recsql.macros(metrics=[*METRICS, "personalisation"]))
    long = con.from_arrow(ITEMS).select("item_id, unnest(category) as category").to_arrow_table()
    for name, one in (("recs", RECS), ("things", long), ("past", TRAIN)):
        con.register(name, one)
    rows = con.execute("from recsql.list_metrics('recs', items := 'things', train := 'past', k := [1, 2])").fetchall()
    found = recsql.item_metrics(RECS, METRICS, [1, 2], **TABLES).to_pylist()
    assert rows == [tuple(row[name] for name in ("model", "metric", "k", "value", "users", "lists")) for row in found]
    with pytest.raises(duckdb.Error, match="ild needs items"):
        con.execute("from recsql.list_metrics('recs', k := 2, metrics := ['ild'])")
    with pytest.raises(duckdb.Error, match="ild is not available here; use list_metrics"):
        con.execute("from recsql.item_metrics('recs', k := 2, metrics := ['ild'])")


@pytest.mark.parametrize(
    ("metric", "train", "sentence"),
    [
        ("share_unseen", TRAIN.select(["item_id"]), "train: there is no column user_id, which share_unseen needs; name it"),
        ("calibration", TRAIN.set_column(0, "user_id", [[*"112337"]]), "user_id is BIGINT in recs and VARCHAR in train"),
        (
            "tail_share",
            TRAIN.select(["item_id"]),
            "train: no row has a user; tail_share, propensity_power and novelty or popularity",
        ),
        ("ild(distance=vector)", TRAIN, "ild\\(distance=vector\\): it needs vector=, the column of items with a LIST of numbers"),
    ],
)
def test_what_a_metric_needs(metric: str, train: pa.Table, sentence: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=sentence):
        recsql.evaluate(RECS, TRUTH, metric, 2, items=ITEMS, train=train)


@pytest.mark.parametrize("metric", ["tail_share", "cold_share", "share_unseen"])
def test_an_empty_train_is_said(metric: str) -> None:
    sentence = "^train: it has no rows, so no item counts as one that users have had; give the interactions"
    for measure in (recsql.evaluate, recsql.per_user):
        with pytest.warns(UserWarning, match=sentence):
            measure(RECS, TRUTH, metric, 2, train=TRAIN.slice(0, 0))


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e-10, 1e-9, 1, 1e20, 1e30, 1e300])
def test_the_unit_of_vectors_does_not_matter(scale: float) -> None:
    assert distance([[scale, 0.0], [scale, 0.0]]) == 0
    assert distance([[scale, scale], [scale, 0.0]]) == pytest.approx(1 - 1 / sqrt(2), rel=1e-12)


@pytest.mark.parametrize(
    ("vectors", "sentence"),
    [
        (
            [[1.0, 0.0], [0.0, 1.0, 2.0]],
            "the vector of item A has 2 numbers and that of item B has 3; all vectors must be of one length",
        ),
        ([[1.0, 0.0], []], "the vector of item B has 0 numbers and that of item A has 2"),
        ([[1.0, 0.0], [0.0, None]], "NULL is among the numbers in the vector of item B; each must be finite"),
        ([[1.0, nan], [0.0, 1.0]], "nan is among the numbers in the vector of item A"),
        ([[1.0, 0.0], [0.0, -inf]], "-inf is among the numbers in the vector of item B"),
        ([["1", "0"], ["0", "x"]], "x is among the numbers in the vector of item B"),
        ([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], "item A has two different vectors; keep one of them"),
        (["[1, 0]", "[0, 1]"], "e is VARCHAR, and a vector is a LIST of numbers; write cast(e as double[]) in a view"),
        ([[[1.0]], [[2.0]]], "e is DOUBLE[][], and a vector is a LIST of numbers"),
        ([1.0, 2.0], "e is DOUBLE, and a vector is a LIST of numbers"),
    ],
)
def test_vectors_that_have_no_distance(vectors: list[Any], sentence: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=f"^items: {re.escape(sentence)}"):
        distance(vectors)


def test_a_hit_beyond_the_catalogue_is_not_below_all() -> None:
    """Of 10 items, one that is not in train comes after them: at rank 12 it stands above none, and takes nothing from others."""
    lists = pa.table({"user_id": ["u"] * 4, "item_id": ["x", "a", "b", "y"], "rank": [1, 2, 3, 12]})
    truth, train = pa.table({"user_id": ["u", "u"], "item_id": ["x", "y"]}), pa.table({"item_id": ["a", "b"]})
    catalogues: list[dict[str, Any]] = [{"catalog_size": 10}, {"items": pa.table({"item_id": [*"abcdefghij"]})}]
    for catalog in catalogues:
        assert recsql.evaluate(lists, truth, "serendipity", 12, train=train, **catalog)["value"].to_pylist() == [10 / 10 / 4]


def test_rows_of_an_item_repeat_its_vector() -> None:
    """A table with a row per category has one for each; a row without a vector says nothing."""
    assert distance([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]) == distance([[1.0, 0.0], [0.0, 1.0], None]) == 1


def distance(vectors: list[Any]) -> float:
    """Of the items A and B; a third vector is another one of A."""
    lists = pa.table({"user_id": ["u", "u"], "item_id": ["A", "B"], "rank": [1, 2]})
    items = pa.table({"item_id": ["A", "B", "A"][: len(vectors)], "e": vectors})
    [value] = recsql.item_metrics(lists, "ild(distance=vector)", 2, items=items, vector="e")["value"].to_pylist()
    return float(value)
