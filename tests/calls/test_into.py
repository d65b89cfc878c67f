"""Results that are not returned: they go into a table of the connection, or a file.

If it fails, a result is written in part, overwrites what it should not, or differs from the returned one.
"""

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recsql
from tests.random_data import random_data

pytestmark = pytest.mark.engine

DATA = random_data(4, ties=True)
RECS = DATA.recs_table("model", "user_id", "item_id", "rank", "score")
TRUTH = DATA.truth_table()
CALLS: dict[str, Callable[..., Any]] = {
    "per_user": partial(recsql.per_user, RECS, TRUTH, ["ndcg", "ap(denominator=relevant)"], [2, 5]),
    "hits": partial(recsql.hits, RECS, TRUTH, 3, rank_by="rank"),
    "ideal": partial(recsql.ideal, TRUTH, 3),
    "rank_by_score": partial(recsql.rank_by_score, RECS, 3),
    "popularity": partial(recsql.popularity, RECS, 3),
    "segments": partial(recsql.segments, RECS, TRUTH),
    "candidates": partial(recsql.candidates, TRUTH, pa.table({"item_id": range(50)}), RECS, 2),
    "fuse": partial(recsql.fuse, RECS),
    "overlap": partial(recsql.overlap, RECS, 3, rank_by="score", duplicates="first", per_user=True),
    "leave_one_out": partial(recsql.leave_one_out, TRUTH, "relevance"),
}


def rows(table: pa.Table) -> list[str]:
    return sorted(map(str, table.to_pylist()))


@pytest.mark.parametrize("name", CALLS)
def test_a_table_and_a_file(name: str, tmp_path: Path) -> None:
    call, path = CALLS[name], tmp_path / "kept.parquet"
    with duckdb.connect() as con:
        con.execute("create schema odd")
        assert call(into="kept", connection=con) is None
        assert call(into="odd.kept", connection=con) is None
        assert call(into=str(path), connection=con) is None
        expected = rows(call())
        assert expected == rows(con.table("kept").to_arrow_table())
        assert expected == rows(con.table("odd.kept").to_arrow_table())
        assert expected == rows(pq.read_table(path))
        with pytest.raises(recsql.BadInput, match=r"^into: table kept already exists; drop it first, or choose another name$"):
            call(into="kept", connection=con)
    metadata = pq.read_schema(path).metadata
    assert "versions" in json.loads(metadata[b"recsql"])
    assert call().schema.metadata == metadata


def test_a_table_needs_a_connection() -> None:
    with pytest.raises(
        recsql.BadInput, match=r"^into: the table kept would be lost when the call closes its connection; pass connection="
    ):
        CALLS["per_user"](into="kept")


@pytest.mark.parametrize("into", [5, "", b"kept.parquet"])
def test_what_is_no_place(into: Any) -> None:
    with (
        duckdb.connect() as con,
        pytest.raises(recsql.BadInput, match=f"^into: {into!r} is neither a table name nor a path; give one of them$"),
    ):
        CALLS["per_user"](into=into, connection=con)


def test_another_format_s_ending(tmp_path: Path) -> None:
    """Neither a table of a schema `kept`, nor Parquet that another program would take for text."""
    for path in ("kept.csv", str(tmp_path / "kept.CSV"), str(tmp_path / "kept.json")):
        sentence = f"^{path}: this file is written as Parquet; use the ending .parquet$"
        for call in (
            partial(CALLS["ideal"], into=path),
            partial(recsql.partial, RECS, TRUTH, path, "hit", 5),
            partial(
                recsql.split,
                TRUTH,
                train=path,
                truth=str(tmp_path / "truth.parquet"),
                protocol="leave_one_out",
                order_by="relevance",
            ),
        ):
            with duckdb.connect() as con, pytest.raises(recsql.RecsqlError, match=sentence):
                call(connection=con)
    assert not list(tmp_path.iterdir())


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    wrong = RECS.set_column(3, "rank", pa.array([0] * RECS.num_rows))
    with pytest.raises(recsql.BadInput, match="ranks are whole numbers"):
        recsql.per_user(wrong, TRUTH, "ndcg", 5, rank_by="rank", into=str(tmp_path / "kept.parquet"))
    assert not list(tmp_path.iterdir())


def test_rank_by_score_ranks_as_evaluate_does() -> None:
    ranked = recsql.rank_by_score(RECS, 5, ties="item_desc")
    assert ranked.column_names == ["model", "user_id", "item_id", "rank", "score"]
    found = recsql.evaluate(ranked, TRUTH, ["ndcg", "ap"], [2, 5], rank_by="rank").to_pylist()
    expected = recsql.evaluate(RECS, TRUTH, ["ndcg", "ap"], [2, 5], rank_by="score", ties="item_desc").to_pylist()
    assert [row["value"] for row in found] == [row["value"] for row in expected]


def test_integers_that_parquet_has_no_type_for(tmp_path: Path) -> None:
    """DuckDB would write doubles, and two users could become one."""
    with duckdb.connect() as con:
        con.execute("create table recs as select 2::hugeint ** 70 + i as user_id, 1 as item_id, 1 as rank from range(2) as t(i)")
        con.execute("create table truth as select user_id, item_id from recs; alter table truth alter user_id type hugeint")
        con.execute("alter table recs alter user_id type hugeint")
        with pytest.raises(recsql.BadInput, match=r"^user_id: it is HUGEINT, and Parquet has no such type; cast it"):
            recsql.per_user("recs", "truth", "hit", 1, connection=con, into=str(tmp_path / "kept.parquet"))
        with pytest.raises(recsql.BadInput, match=r"^user_id: it is HUGEINT"):
            recsql.split(
                "recs",
                train=str(tmp_path / "a"),
                truth=str(tmp_path / "b"),
                protocol="leave_one_out",
                order_by="rank",
                connection=con,
            )
    assert not list(tmp_path.iterdir())


def test_an_ending_in_capitals_and_a_path(tmp_path: Path) -> None:
    for path in (str(tmp_path / "KEPT.PARQUET"), tmp_path / "kept.parquet"):
        assert CALLS["ideal"](into=path) is None
    assert rows(pq.read_table(tmp_path / "KEPT.PARQUET")) == rows(pq.read_table(tmp_path / "kept.parquet"))


def test_a_file_that_is_read_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "recs.parquet"
    pq.write_table(RECS, path)
    for recs in (str(path), str(tmp_path / "r*.parquet"), [str(path)]):
        with pytest.raises(recsql.BadInput, match=r"recs.parquet: this file is one of the inputs; choose another output file$"):
            recsql.per_user(recs, TRUTH, "ndcg", 5, into=str(tmp_path / "." / "recs.parquet"))
        with pytest.raises(recsql.BadInput, match="this file is one of the inputs"):
            recsql.partial(recs, TRUTH, str(path), "ndcg", 5)
    with pytest.raises(recsql.BadInput, match="this file is one of the inputs"):
        recsql.leave_one_out(path, "rank", into=str(path))
    assert pq.read_table(path).num_rows == RECS.num_rows


def test_a_run_that_is_read_is_not_written(tmp_path: Path) -> None:
    runs = [tmp_path / "a.run", tmp_path / "b.run"]
    for topic, run in enumerate(runs):
        run.write_text(f"{topic} Q0 d1 1 3.5 bm25\n")
    truth = pa.table({"user_id": ["0"], "item_id": ["d1"]})
    for recs in ([str(run) for run in runs], str(tmp_path / "*.run")):
        with pytest.raises(recsql.BadInput, match=r"a.run: this file is one of the inputs; choose another output file$"):
            recsql.hits(recs, truth, 2, into=str(runs[0]))
    assert runs[0].read_text() == "0 Q0 d1 1 3.5 bm25\n"


@pytest.mark.parametrize(("name", "role"), [("rank_by_score", "recs"), ("hits", "truth"), ("leave_one_out", "interactions")])
def test_a_table_called_as_what_is_read_from_memory(name: str, role: str) -> None:
    with duckdb.connect() as con:
        assert CALLS[name](into=role, connection=con) is None
        assert rows(con.table(role).to_arrow_table()) == rows(CALLS[name]())


def test_the_file_behind_a_link_is_written(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "link.parquet").symlink_to(tmp_path / "far" / "kept.parquet")
    CALLS["ideal"](into=str(tmp_path / "link.parquet"))
    assert (tmp_path / "link.parquet").is_symlink()
    assert pq.read_table(tmp_path / "far" / "kept.parquet").num_rows == CALLS["ideal"]().num_rows
    assert len(list(tmp_path.rglob("*"))) == 3


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.parquet")
    with pytest.raises(recsql.RecsqlError, match=r"pipe.parquet: it is not a regular file; name a file"):
        CALLS["ideal"](into=str(tmp_path / "pipe.parquet"))


@pytest.mark.parametrize("name", ["hits", "ideal", "rank_by_score"])
def test_one_cut_off_and_no_list_of_them(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    tables = {"hits": (RECS, TRUTH), "ideal": (TRUTH,), "rank_by_score": (RECS,)}[name]
    with pytest.raises(recsql.RecsqlError, match=r"^k: a cut-off is a whole number from 1 to 1000000, or all; found \[1, 2\]$"):
        getattr(recsql, name)(*tables, [1, 2])
    for table, rows in {"recs": RECS, "truth": TRUTH}.items():
        connection.register(table, rows)
    named = ", ".join("'recs'" if table is RECS else "'truth'" for table in tables)
    for k, says in (
        ("[1, 2]", "this macro takes one cut-off, and not 2; give the largest"),
        ("null", "a cut-off is .* found none"),
    ):
        with pytest.raises(duckdb.InvalidInputException, match=f"k: {says}"):
            connection.execute(f"from recsql.{name}({named}, k := {k})").fetchall()


@pytest.mark.parametrize("kind", [pa.uint8(), pa.uint64(), pa.int8(), pa.float64()])
def test_the_last_copy_whatever_the_type_of_the_rank(kind: pa.DataType) -> None:
    recs = pa.table({"user_id": [1, 1, 1], "item_id": ["A", "B", "A"], "rank": pa.array([1, 2, 3], kind)})
    truth = pa.table({"user_id": [1], "item_id": ["A"]})
    [row] = recsql.evaluate(recs, truth, "rr", 3, duplicates="last").to_pylist()
    assert row["value"] == 1 / 2


@pytest.mark.parametrize(("name", "value"), [("ideal", "constant"), ("truth_window", "k")])
def test_no_other_ideal_is_listed(name: str, value: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=f"^{name}: ideal supports only {name}='(truth|all)', not '{value}'"):
        recsql.ideal(TRUTH, 3, **{name: value})
