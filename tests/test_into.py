"""Results that stay where they were computed: a table of the connection, or a file."""

import json
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

DATA = random_data(4, ties=True)
RECS = DATA.recs_table("model", "user_id", "item_id", "rank", "score")
TRUTH = DATA.truth_table()
CALLS: dict[str, Callable[..., Any]] = {
    "per_user": partial(recsql.per_user, RECS, TRUTH, ["ndcg", "ap(denominator=relevant)"], [2, 5]),
    "hits": partial(recsql.hits, RECS, TRUTH, 3, rank_by="rank"),
    "ideal": partial(recsql.ideal, TRUTH, 3),
    "rank_by_score": partial(recsql.rank_by_score, RECS, 3),
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
        with pytest.raises(recsql.BadInput, match=r"^into: there is a table kept already; drop it first, or give another name$"):
            call(into="kept", connection=con)
    assert "versions" in json.loads(pq.read_metadata(path).metadata[b"recsql"])


def test_a_table_needs_a_connection() -> None:
    with pytest.raises(recsql.BadInput, match=r"^into: a table kept is gone with the connection of the call; give connection="):
        CALLS["per_user"](into="kept")


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
