"""The same input gives the same bits, whatever the threads, the memory and the order of the rows.

If it fails, the same input gives another result the next time.
"""

from pathlib import Path
from typing import Any

import duckdb
import pytest
from pyarrow import parquet

import recsql
from recsql.base.errors import EngineError
from tests.support import default_file

pytestmark = pytest.mark.engine

USERS = 20_000  # enough rows for two threads, and too many for a low memory limit
RECS = f"""
    select
        case when u.u % 3 = 0 then 'a' else 'b' end as model,
        u.u as user_id,
        cast(hash(u.u, r.r) % 400 as bigint) * 20 + r.r as item_id,
        r.r as rank,
        1 / (r.r + hash(u.u, r.r) % 7 / 10e0) as score
    from range({USERS}) as u(u), range(1, 21) as r(r)"""
TRUTH = f"""
    select t.user_id, t.item_id, 1e-3 + hash(t.item_id, t.user_id, 'relevance') % 1000003 / 1e5 as relevance
    from ({RECS}) as t
    where hash(t.user_id, t.item_id, 'relevant') % 3 = 0
    union all
    select u.u, -1, 3e0 from range({USERS}) as u(u)"""
PREDICTIONS = f"""
    select r.user_id, r.item_id, hash(r.user_id, r.item_id) % 1000 / 2e2 as rating, 1 / 3e0 + r.score * 4 as prediction
    from ({RECS}) as r"""
# Too small for whole numbers of 1e-18, as their mean is below 1e-6.
SMALL_ERRORS = "select p.user_id, p.item_id, p.rating / 1e6 as rating, p.prediction / 1e6 as prediction from predictions as p"
# Of half the users, as the windows over ties need twice the memory.
TIED = "select r.* exclude (rank) replace (round(r.score, 1) as score) from recs as r where r.user_id % 2 = 0"
ITEM_METRICS = ["gini(weight=exposure)", "entropy", "entropy(scope=list)"]
TABLES = {"recs": RECS, "truth": TRUTH, "predictions": PREDICTIONS}
CALLS: dict[str, Any] = {
    "evaluate": lambda con: recsql.evaluate("recs", "truth", "all", [3, 10, 20], catalog_size=10_000, connection=con),
    "by score": lambda con: recsql.evaluate("recs", "truth", ["ndcg", "ap", "rr"], 10, rank_by="score", connection=con),
    "expected": lambda con: recsql.evaluate("tied", "truth", ["ndcg", "ap", "rr"], 10, ties="expected", connection=con),
    "like": lambda con: recsql.evaluate("recs", "truth", ["ndcg", "map"], 10, like="recommenders", connection=con),
    "macro": lambda con: con.sql("from recsql.evaluate('recs', 'truth', k := [3, 10], metrics := 'all')").to_arrow_table(),
    "items": lambda con: recsql.item_metrics("recs", ITEM_METRICS, 10, catalog_size=9000, connection=con),
    "ratings": lambda con: recsql.evaluate_ratings("predictions", connection=con),
    "small errors": lambda con: recsql.evaluate_ratings("small_errors", connection=con),
    "users' ratings": lambda con: recsql.evaluate_ratings("predictions", mean="users", connection=con),
}
if duckdb.__version__.startswith("1."):
    del CALLS["small errors"]  # fsum of 1.5 depends on the order, which docs/limits.md says
LITTLE: dict[str, Any] = {"threads": 2, "memory_limit": "140MB"}


def measured(order: str, folder: Path | None = None, **machine: Any) -> dict[str, list[dict[str, Any]]]:
    """The rows of every call, the tables in some order; in a folder they are Parquet, with row groups for many threads."""
    with duckdb.connect(config=machine) as con:
        con.execute(default_file().text)
        for name, text in TABLES.items():
            rows = f"select g.* from ({text}) as g order by {order}"
            if folder is None:
                con.execute(f"create table {name} as {rows}")
            else:
                con.execute(f"copy ({rows}) to '{folder}/{name}.parquet' (row_group_size 8192)")
                con.execute(f"create view {name} as from '{folder}/{name}.parquet'")
        con.execute(f"create view tied as {TIED}")
        con.execute(f"create view small_errors as {SMALL_ERRORS}")
        return {call: asked(con).to_pylist() for call, asked in CALLS.items()}


@pytest.fixture(scope="module")
def expected() -> dict[str, list[dict[str, Any]]]:
    """Of one thread."""
    return measured("g.user_id, g.item_id", threads=1)


def test_same_bits_of_two_threads_in_little_memory(tmp_path: Path, expected: dict[str, list[dict[str, Any]]]) -> None:
    assert measured("hash(g.user_id, g.item_id)", temp_directory=str(tmp_path / "spilt"), **LITTLE) == expected
    assert all(expected.values())


def test_same_bits_of_eight_threads(tmp_path: Path, expected: dict[str, list[dict[str, Any]]]) -> None:
    assert measured("hash(g.item_id, g.user_id)", tmp_path, threads=8) == expected
    groups = [parquet.ParquetFile(path).num_row_groups for path in tmp_path.iterdir()]
    assert len(groups) == len(TABLES)
    assert min(groups) >= 8


def test_little_memory_is_too_little_without_a_disk() -> None:
    with pytest.raises(EngineError) as failure:
        measured("hash(g.user_id, g.item_id)", temp_directory="", **LITTLE)
    assert isinstance(failure.value.__cause__, duckdb.OutOfMemoryException)


JOINED = {
    "recs": "select i // 10 as user_id, i * 7919 % 100003 as item_id, i % 10 + 1 as rank from range(1000000) as t(i)",
    "truth": "select user_id, item_id from recs where rank in (2, 7)",
    "train": """
        select i % 100000 as user_id, i * 31 % 100003 as item_id from range(5000000) as t(i)
        union all
        select user_id, item_id from recs where rank = 1""",
}


def joined(**machine: Any) -> tuple[list[tuple[Any, ...]], list[dict[str, Any]]]:
    """The number of rows that find one of their own in a join, and metrics of lists that are joined with train."""
    with duckdb.connect(config={"threads": 1, **machine}) as con:
        for name, text in JOINED.items():
            con.execute(f"create table {name} as {text}")
        counts = con.execute("select count(*) from train as t where t.user_id in (select u.user_id from train as u)").fetchall()
        with pytest.warns(UserWarning, match="rows do not count"):
            rows = recsql.evaluate("recs", "truth", ["ndcg", "ap"], 10, seen="drop", train="train", connection=con)
        return counts, rows.to_pylist()


def test_a_join_beyond_the_memory_loses_no_row(tmp_path: Path) -> None:
    """Versions of DuckDB between releases lost those that came back from the disk, without a word."""
    counts, rows = joined(memory_limit="300MB", temp_directory=str(tmp_path))
    assert counts == [(5_100_000,)]
    assert (counts, rows) == joined()
    with pytest.raises(duckdb.OutOfMemoryException):
        joined(memory_limit="300MB", temp_directory="")
