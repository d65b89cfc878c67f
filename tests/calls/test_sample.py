"""A sample of the users: the id alone decides who is in it, and all results are as if there were no other users.

If it fails, a sample has other users in each table, or its values are not those of its users.
"""

from hashlib import md5
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from tests.random_data import Id, random_data

SHARES = [0.1, 0.5, 0.9]


def drawn(user: Id, share: float) -> bool:
    return md5(str(user).encode()).hexdigest() < f"{int(share * 2**32):08x}"


def part(rows: pa.Table, share: float) -> pa.Table:
    """The rows of the users drawn."""
    return rows.filter(pa.array([drawn(user, share) for user in rows["user_id"].to_pylist()], pa.bool_()))


@pytest.fixture(scope="module", params=[False, True], ids=["numbers", "text"])
def tables(request: pytest.FixtureRequest) -> tuple[pa.Table, pa.Table]:
    data = random_data(3, users=400, items=30, text=request.param)
    return data.recs_table(), data.truth_table()


@pytest.mark.parametrize(
    ("share", "options"),
    [
        (0.1, {}),
        (0.9, {"no_truth": "zero", "users": "union"}),
        (0.5, {"metrics": ["ndcg", "entropy"]}),
        (0.5, {"metrics": ["ndcg", "map"], "like": "jurity"}),
    ],
    ids=str,
)
def test_as_if_there_were_nobody_else(tables: tuple[pa.Table, pa.Table], share: float, options: dict[str, Any]) -> None:
    recs, truth = (part(rows, share) for rows in tables)
    found = recsql.evaluate(*tables, k=[3, 10], sample=share, **options)
    alone = recsql.evaluate(recs, truth, k=[3, 10], **options)
    assert found.drop_columns("definition").to_pylist() == alone.drop_columns("definition").to_pylist()
    assert all(f"sample={share}" in label for label in found["definition"].to_pylist())


def test_the_users_themselves(tables: tuple[pa.Table, pa.Table]) -> None:
    found = {share: set(recsql.per_user(*tables, "ndcg", 5, sample=share)["user_id"].to_pylist()) for share in SHARES}
    everybody = set(recsql.per_user(*tables, "ndcg", 5)["user_id"].to_pylist())
    for share, users in found.items():
        assert users == {user for user in everybody if drawn(user, share)}
        assert 0.4 * share < len(users) / len(everybody) < 1.5 * share
    assert found[0.1] < found[0.5] < found[0.9]


def test_a_table_of_users(tables: tuple[pa.Table, pa.Table]) -> None:
    some = pa.table({"user_id": tables[1]["user_id"].unique()[::2]})
    found = recsql.evaluate(*tables, ["ndcg", "recall"], 5, users=some, sample=0.5)
    alone = recsql.evaluate(*tables, ["ndcg", "recall"], 5, users=part(some, 0.5))
    assert found["value"].to_pylist() == alone["value"].to_pylist()
    assert found["users"].to_pylist() == alone["users"].to_pylist()


def test_items_and_single_lists(tables: tuple[pa.Table, pa.Table]) -> None:
    recs, truth = tables
    found = recsql.item_metrics(recs, ["coverage", "entropy"], 5, catalog_size=30, sample=0.5)
    assert (
        found["value"].to_pylist()
        == recsql.item_metrics(part(recs, 0.5), ["coverage", "entropy"], 5, catalog_size=30)["value"].to_pylist()
    )
    hits = recsql.hits(recs, truth, 5, sample=0.5)
    assert set(hits["user_id"].to_pylist()) == set(part(recs, 0.5)["user_id"].to_pylist())


def test_all_of_them(tables: tuple[pa.Table, pa.Table]) -> None:
    assert recsql.sql(*tables, "ndcg@5", sample=1) == recsql.sql(*tables, "ndcg@5")
    assert "md5" not in recsql.sql(*tables, "ndcg@5")


@pytest.mark.parametrize("share", [0, -0.1, 1.5, "half", float("nan")])
def test_refused(tables: tuple[pa.Table, pa.Table], share: Any) -> None:
    with pytest.raises(recsql.RecsqlError, match=r"sample: .* is not"):
        recsql.evaluate(*tables, sample=share)


def test_nobody_drawn(tables: tuple[pa.Table, pa.Table]) -> None:
    with pytest.raises(recsql.BadInput, match=r"check relevance=, relevance_threshold=, users=, no_recs= or sample=$"):
        recsql.evaluate(*tables, sample=1e-9)
    with pytest.raises(recsql.BadInput, match=r"check relevance=, relevance_threshold=, users= and no_recs=$"):
        recsql.evaluate(*tables, relevance_threshold=1e9)


def test_tables_by_name(tables: tuple[pa.Table, pa.Table], con: duckdb.DuckDBPyConnection) -> None:
    con.register("recs", tables[0])
    con.register("truth", tables[1])
    found = recsql.evaluate("recs", "truth", "map@5", sample=0.5, connection=con)
    assert found["value"].to_pylist() == recsql.evaluate(*tables, "map@5", sample=0.5)["value"].to_pylist()


def test_a_row_without_a_user_is_refused_all_the_same() -> None:
    """It is in no sample, but a sample should not hide that the export is broken."""
    whole = pa.table({"user_id": ["u", None], "item_id": ["a", "b"], "rank": [1, 2]})
    for recs, truth in ((whole, whole.slice(0, 1)), (whole.slice(0, 1), whole)):
        with pytest.raises(recsql.BadInput, match="user_id is NULL in a row"):
            recsql.evaluate(recs, truth.drop_columns("rank"), "ndcg", 5, sample=0.999)


@pytest.mark.engine
@pytest.mark.parametrize("share", [1e-9, 0.999])
@pytest.mark.parametrize("kind", [pa.float64(), pa.float32(), pa.binary(), pa.timestamp("us", "UTC")], ids=str)
def test_ids_that_engines_write_differently(kind: pa.DataType, share: float) -> None:
    """1e7 is 10000000.0 to one and 1.0E7 to another: what is drawn by the hash of that would not be the same users."""
    ids = pa.array([b"1", b"2"], kind) if kind == pa.binary() else pa.array([1, 2]).cast(kind)
    rows = pa.table({"user_id": ids, "item_id": ["a", "b"], "rank": [1, 1]})
    with pytest.raises(
        recsql.BadInput, match=r"sample: user_id is (DOUBLE|FLOAT|BLOB|TIMESTAMP WITH TIME ZONE), which engines convert to text"
    ):
        recsql.evaluate(rows, rows.drop_columns("rank"), "ndcg", 5, sample=share)
    assert recsql.evaluate(rows, rows.drop_columns("rank"), "ndcg", 5)["value"].to_pylist() == [1.0]


@pytest.mark.parametrize(
    "kind", [pa.int8(), pa.uint64(), pa.string(), pa.decimal128(30, 2), pa.date32(), pa.timestamp("us"), pa.bool_()], ids=str
)
def test_ids_that_can_be_drawn(kind: pa.DataType) -> None:
    ids = pa.array([0, 1]).cast(pa.int32() if kind == pa.date32() else pa.int64()).cast(kind)
    rows = pa.table({"user_id": ids, "item_id": ["a", "b"], "rank": [1, 1]})
    found = recsql.per_user(rows, rows.drop_columns("rank"), "ndcg", 5, sample=0.999999999)
    assert sorted(found["user_id"].to_pylist()) == ids.to_pylist()
