"""Recommendations as one LIST per user: the same bits and the same sentences as from rows.

If it fails, lists in one row per user give other values than rows.
"""

import random
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from tests.shell.test_lists import lists
from tests.support import OF_USERS, is_refused

KS = [1, 3, 5, 20]
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "copies count": {"duplicates": "count"},
    "copies leave holes": {"duplicates": "hole"},
    "copies leave gaps": {"duplicates": "first"},
    "once": {"duplicates": "set", "precision_denominator": "returned"},
    "judged alone": {"judged_only": True, "duplicates": "count"},
    "the whole list": {"ideal": "candidates", "rr_cutoff": "none", "duplicates": "hole"},
    "an ordered truth": {"truth_window": "k", "ideal": "truth_as_given", "duplicates": "count"},
    "everybody": {"users": "union", "no_truth": "zero", "duplicates": "count"},
    "who has a list": {"no_recs": "skip", "duplicates": "count", "like": "recbole"},
    "a preset": {"like": "rectools"},
    "a preset about ties, which ranks don't have": {"like": "torchmetrics"},
    "all orders of ties": {"ties": "expected"},
    "a sample": {"sample": 0.5, "duplicates": "count"},
}


def shaped(rows: list[dict[str, Any]], models: int) -> tuple[pa.Table, pa.Table]:
    """Lists by several models, and the truth, as a LIST a row."""
    recs = [
        {"model": f"m{model}", "user_id": row["user_id"], "items": row["items"][model:]}
        for model in range(models)
        for row in rows
    ]
    truth = [{"user_id": row["user_id"], "items": row["relevant"], "relevance": row["relevance"]} for row in rows]
    return pa.Table.from_pylist(recs), pa.Table.from_pylist(truth)


def unnested(table: pa.Table) -> pa.Table:
    """The same as rows, with ranks."""
    with duckdb.connect() as con:
        con.register("lists", table)
        others = "" if "relevance" not in table.column_names else ", unnest(relevance) as relevance"
        model = "model, " if "model" in table.column_names else ""
        query = f"select {model}user_id, unnest(items) as item_id, generate_subscripts(items, 1) as rank{others} from lists"
        return con.sql(query).to_arrow_table()


@pytest.mark.few(6)
@pytest.mark.parametrize(("place", "options"), list(enumerate(OPTIONS.values())), ids=OPTIONS)
def test_the_same_bits(place: int, options: dict[str, Any]) -> None:
    """Means and users' values in turn, and ids that are numbers or text in turns of two."""
    measure, text = (recsql.per_user, recsql.evaluate)[place % 2], place // 2 % 2 == 1
    draw = random.Random(1 + text)
    copies = options.get("duplicates", "error") != "error" or options.get("like") == "rectools"
    rows = lists(draw, text=text, copies=copies, graded=True)
    for row in rows[:3]:  # more relevant items than are sought in a list
        others = [f"other {n:02}" if text else 100 + n for n in range(30)]
        row["relevant"] = [*row["relevant"], *others]
        row["relevance"] = [*row["relevance"], *(1.0 + n % 3 for n in range(30))]
        row["items"] = [*row["items"], *others[::7]]
    recs, truth = shaped(rows, models=2)
    metrics = [name for name in OF_USERS if not is_refused(name, options)]
    given = ((recs, truth), (unnested(recs), unnested(truth)))
    listed, plain = (measure(*one, metrics, KS, catalog_size=900, **options) for one in given)
    assert ordered(listed) == ordered(plain)
    assert listed.schema.metadata == plain.schema.metadata


def ordered(table: pa.Table) -> list[Any]:
    return sorted(map(str, table.to_pylist()))


@pytest.mark.parametrize("k", [1, 3, "all"])
def test_each_hit(k: Any) -> None:
    """With its rank and running totals."""
    rows = lists(random.Random(4), text=False, copies=False, graded=True)
    recs, truth = shaped(rows, models=2)
    found = recsql.hits(recs, truth, k)
    assert ordered(found) == ordered(recsql.hits(unnested(recs), unnested(truth), k))
    assert found.num_rows > 2 * len(rows) * (k == 3)


def test_lists_are_read_as_lists(tmp_path: Any) -> None:
    """Where the options allow it: no item is a row before it is a hit."""
    rows = lists(random.Random(3), text=False, copies=False, graded=True)
    recs, truth = shaped(rows, models=1)
    with duckdb.connect() as con:
        con.register("recs", recs)
        con.register("truth", truth)
        text = recsql.sql("recs", "truth", ["ndcg"], 3, connection=con)
        assert "from given_recs" not in text.replace("from given_recs as r\n        where false", "")
        assert "list_position(l.items, t.item_id) as rank" in text
        for options in ({"duplicates": "first"}, {"judged_only": True}):
            assert "list_position" not in recsql.sql("recs", "truth", ["ndcg"], 3, connection=con, **options)


WRONG: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
    "an id is missing": ([{"user_id": 1, "items": [7, None, 8]}], [{"user_id": 1, "items": [7]}]),
    "a user is missing": ([{"user_id": None, "items": [7]}, {"user_id": 1, "items": [7]}], [{"user_id": 1, "items": [7]}]),
    "an item stands twice": ([{"user_id": 1, "items": [7, 8, 7]}], [{"user_id": 1, "items": [7]}]),
    "a user has two lists": (
        [{"user_id": 1, "items": [7, 8]}, {"user_id": 1, "items": [9, 10]}, {"user_id": 2, "items": [7]}],
        [{"user_id": 1, "items": [7]}],
    ),
    "a user has a list twice": (
        [{"user_id": 1, "items": [7, 8]}, {"user_id": 1, "items": [7, 8]}],
        [{"user_id": 1, "items": [7]}],
    ),
    "an item of the truth is missing": ([{"user_id": 1, "items": [7]}], [{"user_id": 1, "items": [7, None]}]),
}


@pytest.mark.parametrize(("recs", "truth"), WRONG.values(), ids=WRONG)
def test_the_same_sentences(recs: list[dict[str, Any]], truth: list[dict[str, Any]]) -> None:
    tables = pa.Table.from_pylist(recs), pa.Table.from_pylist(truth)
    for measure in (recsql.evaluate, recsql.per_user):
        said = []
        for given in (tables, [unnested(table) for table in tables]):
            with pytest.raises(recsql.BadInput) as refused:
                measure(given[0], given[1], "ndcg", 3)
            said.append(str(refused.value))
        assert said[0] == said[1]


def test_lists_without_items() -> None:
    """None, NULL, or none at all: as where there are no rows."""
    recs = pa.table({"user_id": [1, 2, 3], "items": pa.array([[7], [], None], pa.list_(pa.int64()))})
    truth = pa.table({"user_id": [1, 2, 3, 4], "items": [[7], [7], [7], [7]]})
    listed, plain = recsql.evaluate(recs, truth, "hit", 3), recsql.evaluate(unnested(recs), unnested(truth), "hit", 3)
    assert listed.to_pylist() == plain.to_pylist()
    assert listed.schema.metadata == plain.schema.metadata
    assert listed["value"].to_pylist() == [0.25]


@pytest.mark.parametrize("types", [(pa.int32(), pa.int64()), (pa.float64(), pa.float64()), (pa.float64(), pa.int64())])
def test_ids_of_other_widths(types: tuple[pa.DataType, pa.DataType]) -> None:
    recs = pa.table({"user_id": [1], "items": pa.array([[7, 8, 9]], pa.list_(types[0]))})
    truth = pa.table({"user_id": [1], "items": pa.array([[9, 10]], pa.list_(types[1]))})
    said = []
    for given in ((recs, truth), (unnested(recs), unnested(truth))):
        try:
            said.append(recsql.evaluate(*given, ["rr", "recall"], 3)["value"].to_pylist())
        except recsql.BadInput as refused:
            said.append(str(refused))
    assert said[0] == said[1]
