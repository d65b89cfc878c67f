"""Macro files of spans and of budgets, which can't look at the columns of a table before they are made.

If it fails, the shell has other values for passages or tokens than Python, or a database of these macros does not work.
"""

from pathlib import Path
from typing import Any

import duckdb
import pytest

import recsql
from recsql.shell import File, save_database
from tests.support import near

RAG = Path(__file__).parents[2] / "examples/rag"
SPANS, LISTS = str(RAG / "spans.csv"), {name: str(RAG / f"{name}.csv") for name in ("small", "large")}
MADE: dict[str, dict[str, Any]] = {
    "spans": {"spans": True},
    "share": {"spans": True, "match": "share", "match_threshold": 0.8},
    "budget": {"spans": True, "budget": "tokens", "crossing": "first"},
}
METRICS = "['recall', 'hit', 'rr', 'text_recall', 'text_precision', 'text_iou', 'first_rank']"


@pytest.mark.engine
@pytest.mark.parametrize("name", MADE)
def test_a_file_has_the_values_of_python(con: duckdb.DuckDBPyConnection, name: str) -> None:
    given = {option: value for option, value in MADE[name].items() if option != "spans"}
    cuts = [60, 120] if name == "budget" else [1, 3]
    con.execute(
        recsql.macros(name, ["recall", "hit", "rr", "text_recall", "text_precision", "text_iou", "first_rank"], **MADE[name])
    )
    for model, path in LISTS.items():
        rows = con.sql(f"from {name}.evaluate('{path}', '{SPANS}', k := {cuts}, metrics := {METRICS})").fetchall()
        python = recsql.evaluate(path, SPANS, METRICS[2:-2].split("', '"), cuts, **given).to_pylist()
        found = {f"{metric}@{k}": value for _, metric, k, value, *_ in rows}
        assert near(found, 1e-12) == {f"{one['metric']}@{one['k']}": one["value"] for one in python}, model


def test_a_database_has_them(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    path = str(tmp_path / "passages.duckdb")
    save_database(File("passages", None, {"spans": True}), path)
    con.execute(f"attach '{path}' as passages (read_only)")
    [(first,)] = con.sql(
        f"select h.spans from passages.hits('{LISTS['large']}', '{SPANS}', k := 1) as h where h.hit limit 1"
    ).fetchall()
    con.execute("detach passages")
    assert first.startswith("[")


def test_a_missing_column_has_its_name(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(recsql.macros("positions", **MADE["spans"]))
    con.execute(f"create or replace temporary view headless as select * exclude (start) from '{SPANS}'")
    with pytest.raises(duckdb.Error, match="headless: there is no column start; it has "):
        con.sql(f"from positions.evaluate('{LISTS['small']}', 'headless', k := 1)").fetchall()
