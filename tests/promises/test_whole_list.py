"""The cut-off `all`: the whole list, whatever its length.

If it fails, the cut-off `all` leaves something of a list out.
"""

import json
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import recsql
from recsql.catalog import catalog
from recsql.query.metric import Metric
from recsql.query.needs import made_from
from tests.random_data import random_data
from tests.support import OF_ALL_LISTS, OF_USERS, fetched, is_refused

LONG = 1000  # longer than every list and every truth here
OPTIONS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "copies that count": {"duplicates": "count"},
    "copies left out": {"duplicates": "last"},
    "by score": {"rank_by": "score"},
    "ties in every order": {"rank_by": "score", "ties": "expected", "duplicates": "first"},
    "ties in the best order": {"rank_by": "score", "ties": "best", "duplicates": "first"},
    "own ideal": {"ideal": "candidates"},
    "ideal of what is returned": {"ideal": "truth_returned", "gain": "exp2"},
    "an ordered truth": {"truth_window": "k"},
    "the truth as it is given": {"ideal": "truth_as_given"},
    "users with a list": {"no_recs": "skip"},
    "like trec_eval": {"like": "trec_eval"},
    "like ranx": {"like": "ranx"},
}
USUAL = {name: option.default for name, option in catalog().options.items()}
METRICS = [name for name in OF_USERS if "cutoff" not in Metric(name, USUAL).needs]
METRICS += ["precision(denominator=returned)", "f1(precision_denominator=returned)"]
ITEM_METRICS = [*OF_ALL_LISTS, "gini(weight=exposure)"]


def tables(seed: int, options: dict[str, Any]) -> tuple[pa.Table, pa.Table]:
    data = random_data(seed, users=12, depth=9, ties="ties" in options, gaps=seed % 2 == 0, copies="duplicates" in options)
    return (
        data.recs_table("model", "user_id", "item_id", "rank", "score"),
        data.truth_table("user_id", "item_id", "relevance", "rank"),
    )


def renamed(result: pa.Table) -> list[dict[str, Any]]:
    """The rows, with the cut-off of the whole list for the long one."""
    return [row | {"k": None if row["k"] == LONG else row["k"]} for row in result.to_pylist()]


@pytest.mark.few(6)
@pytest.mark.parametrize(("place", "name"), list(enumerate(OPTIONS)))
def test_it_is_a_cut_off_longer_than_every_list(place: int, name: str) -> None:
    """Means and users' values in turn, and alone or beside other cut-offs in turns of two."""
    recs, truth = tables(place % 2, OPTIONS[name])
    options = {"catalog_size": 500, **OPTIONS[name]}
    measure, others = (recsql.evaluate, recsql.per_user)[place % 2], ([], [2, 4])[place // 2 % 2]
    metrics = [name for name in METRICS if not is_refused(name, options)]
    whole = measure(recs, truth, metrics, [*others, "all"], **options)
    assert whole.to_pylist() == renamed(measure(recs, truth, metrics, [*others, LONG], **options))
    assert whole.schema.field("k").type == pa.int32()


@pytest.mark.parametrize("seed", range(3))
def test_metrics_of_all_lists_together(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    recs, truth = tables(seed, {})
    there = sorted({*recs["item_id"].to_pylist(), *truth["item_id"].to_pylist()})
    catalogue = {"items": pa.table({"item_id": there, "category": [["even", "odd"][place % 2] for place in range(len(there))]})}
    for others in ([], [2]):
        found = recsql.item_metrics(recs, ITEM_METRICS, [*others, "all"], train=truth, **catalogue)
        assert found.to_pylist() == renamed(recsql.item_metrics(recs, ITEM_METRICS, [*others, LONG], train=truth, **catalogue))
    connection.register("recs", recs)
    connection.register("items", catalogue["items"])
    rows = fetched(connection, "from recsql.item_metrics('recs', k := 'all', items := 'items', metrics := ['coverage', 'gini'])")
    assert {(row["k"], row["metric"]) for row in rows} == {(None, "coverage"), (None, "gini")}
    expected = recsql.item_metrics(recs, ["coverage", "gini"], "all", **catalogue)
    assert [row["value"] for row in rows] == expected["value"].to_pylist()


def test_parts(tmp_path: Path) -> None:
    recs, truth = tables(1, {})
    users = sorted(set(truth["user_id"].to_pylist()) | set(recs["user_id"].to_pylist()))
    for number, mine in enumerate((users[::2], users[1::2])):
        some, judged = (table.filter(pc.is_in(table["user_id"], pa.array(mine))) for table in (recs, truth))
        recsql.partial(some, judged, str(tmp_path / f"{number}.parquet"), ["ndcg", "recall@2"], "all")
    merged = recsql.merge(str(tmp_path / "*.parquet"))
    whole = recsql.evaluate(recs, truth, ["ndcg", "recall@2"], "all")
    assert merged.to_pylist() == whole.to_pylist()
    counts = [json.loads(one.schema.metadata[b"recsql"])["models"] for one in (merged, whole)]
    assert counts[0] == counts[1]


def test_lists_as_a_column() -> None:
    lists = pa.table({"user_id": [1, 2], "items": [[7, 8, 9], [8]]})
    truth = pa.table({"user_id": [1, 1, 2], "item_id": [9, 4, 8]})
    found = recsql.per_user(lists, truth, ["rr", "recall"], ["all", 2]).to_pylist()
    rows: list[dict[str, Any]] = [{"k": 2, "rr": 0.0, "recall": 0.0}, {"k": None, "rr": 1 / 3, "recall": 0.5}]
    first = [{"model": None, "user_id": 1, "list_length": 3, "relevant": 2, **row} for row in rows]
    assert found[:2] == first
    assert [row["rr"] for row in found[2:]] == [1.0, 1.0]


def test_the_rows_of_the_lists() -> None:
    recs, truth = tables(1, {})
    assert recsql.hits(recs, truth, "all").num_rows == recs.num_rows
    assert recsql.rank_by_score(recs, "all").num_rows == recs.num_rows
    assert recsql.ideal(truth, "all").num_rows == recsql.ideal(truth, LONG).num_rows


def test_two_lists(con: duckdb.DuckDBPyConnection) -> None:
    text = "select recsql.recall(['a', 'b', 'c'], ['c'], {k}), recsql.rr(['a', 'b', 'c'], ['c'], {k}, relevance := [2])"
    assert con.execute(text.format(k="'all'")).fetchall() == [(1.0, 1 / 3)]
    assert con.execute(text.format(k="2")).fetchall() == [(0.0, 0.0)]


@pytest.mark.parametrize(
    ("metric", "what"),
    [
        ("precision@all", "precision: precision_denominator = k"),
        ("f1@all", "f1: precision_denominator = k"),
        ("ap(denominator=k)@all", "ap(denominator=k): ap_denominator = k"),
        ("ndcg(ideal=constant)@all", "ndcg(ideal=constant): ideal = constant"),
        ("mean_precision@all", "mean_precision: mean_precision"),
    ],
)
def test_what_has_no_value(metric: str, what: str) -> None:
    with pytest.raises(recsql.RecsqlError) as refused:
        recsql.evaluate(*tables(1, {}), metric)
    assert str(refused.value) == f"{what} needs a cut-off, and the whole list has none; give one such as 10"


def test_what_nobody_names_is_left_out() -> None:
    recs, truth = tables(1, {})
    asked = recsql.evaluate(recs, truth, None, "all")
    assert list(dict.fromkeys(asked["metric"].to_pylist())) == ["ndcg", "recall", "ap", "hit", "rr"]
    both = {(row["metric"], row["k"]) for row in recsql.evaluate(recs, truth, "all", [3, "all"]).to_pylist()}
    assert {("precision", 3), ("mean_precision", 3), ("ndcg", None)} <= both
    assert not both & {("precision", None), ("mean_precision", None), ("f1", None)}
    [column] = set(recsql.per_user(recs, truth, "precision", [3]).column_names) & {"precision"}
    rows = recsql.per_user(recs, truth, None, [3, "all"]).to_pylist()
    assert {row[column] for row in rows if row["k"] is None} == {None}
    assert None not in {row[column] for row in rows if row["k"] == 3}


def test_every_metric_that_divides_by_k_says_so() -> None:
    """What reads the cut-off itself, and not the smaller of it and a count, needs one."""
    for name in catalog().metrics:
        text = "".join(source.text for source in made_from(name)).replace("least(s.k,", "")
        needs = any(need.name == "cutoff" for source in made_from(name) for need in source.needs)
        assert ("s.k" in text) == needs or "refusal" in text, name


def test_names_of_trec_eval_without_a_cut_off() -> None:
    recs, truth = tables(1, {})
    for name, ours in (("map", "ap"), ("ndcg", "ndcg"), ("recip_rank", "rr")):
        found = recsql.evaluate(recs, truth, name, like="trec_eval")
        whole = recsql.evaluate(recs, truth, f"{ours}@all", like="trec_eval")
        assert found.drop_columns("metric") == whole.drop_columns("metric")
        assert {(row["metric"], row["definition"], row["k"]) for row in found.to_pylist()} == {
            (name, f"{ours}(like=trec_eval)", None)
        }
        at_three = [recsql.evaluate(recs, truth, one, 3, like="trec_eval").drop_columns("metric") for one in (name, f"{ours}@3")]
        assert at_three[0] == at_three[1]
    assert recsql.evaluate(recs, truth, "map")["k"].to_pylist()[:3] == [5, 10, 20]


def test_a_curve_has_no_place_for_it() -> None:
    with pytest.raises(recsql.RecsqlError, match=r"^k: a curve can't show the whole list; give numbers, such as 1..20$"):
        recsql.curve(*tables(1, {}), "ndcg", [5, "all"])


def test_sentences_name_it() -> None:
    recs = pa.table({"user_id": [1, 1, 2], "item_id": [7, 8, 9], "rank": [1, 2, 1]})
    for k, said in (("all", "all"), (2, "2")):
        with pytest.raises(recsql.BadInput, match=f"^catalog_size: 2 is too small; at k = {said} there are 3 different items$"):
            recsql.item_metrics(recs, "coverage", k, catalog_size=2)
    asked = {"items": pa.table({"item_id": [7, 8]}), "entropy_normalize": "log_catalog", "entropy_scope": "list"}
    with pytest.raises(recsql.BadInput, match="at k = all, 1 of the recommended items are not in the catalogue"):
        recsql.item_metrics(recs, "entropy", "all", **asked)
