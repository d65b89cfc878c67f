"""The default metrics as queries of clean input: what a textbook would print gives what the macro gives.

If it fails, the definition that people read above the macros, and in docs/metrics.md, is not what the macros compute.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import recsql
from recsql.catalog import catalog
from tests.support import default_file, file_of

PAGE = Path(__file__).parents[2] / "docs/metrics.md"
USUAL = catalog().usual_metrics("user")
QUERIES = {name: catalog().metrics[name].further["textbook"] for name in USUAL}


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database of this file's own, as its tables have the names in the queries."""
    with duckdb.connect() as connection:
        connection.execute(default_file().text)
        yield connection


def value(con: duckdb.DuckDBPyConnection, query: str) -> float:
    [(found,)] = con.execute(query).fetchall()
    return float(found)


def tables(con: duckdb.DuckDBPyConnection, recs: list[Any], truth: list[Any]) -> None:
    con.execute("create or replace table recs (user_id integer, item_id varchar, rank integer)")
    con.execute("create or replace table truth (user_id integer, item_id varchar, relevance integer)")
    con.executemany("insert into recs values (?, ?, ?)", recs)
    con.executemany("insert into truth values (?, ?, ?)", truth)


def test_the_default_metrics_stand_above_the_macros_and_on_the_page() -> None:
    head, page = default_file().text.partition("-- Contents:")[0], PAGE.read_text(encoding="utf-8")
    for query in QUERIES.values():
        assert query.count("\n") <= 25
        assert "".join(f"--     {line}\n" for line in query.splitlines()) in head
        assert f"```sql\n{query}```\n" in page
    assert "of the list a, b" not in file_of("trec_eval").text  # its definitions are others
    assert recsql.macros(metrics="rr").count("of the list a, b") == 1


@pytest.mark.parametrize("name", USUAL)
def test_it_is_the_value_worked_out_by_hand(con: duckdb.DuckDBPyConnection, name: str) -> None:
    tables(con, [(1, item, rank) for rank, item in enumerate("abcd", 1)], [(1, item, 1) for item in "bde"])
    [by_hand] = re.findall(r"^--.* = ([\d.]+)$", QUERIES[name], re.MULTILINE)
    assert round(value(con, QUERIES[name]), 4) == float(by_hand)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", USUAL)
def test_it_is_the_value_of_the_macro(con: duckdb.DuckDBPyConnection, name: str, seed: int) -> None:
    """Users without a list, without a hit, without a relevant item and with more relevant items than places."""
    drawn, items = random.Random(seed), [f"i{number}" for number in range(60)]
    lists = {user: drawn.sample(items, drawn.randint(1, 30)) for user in range(80) if user % 7}
    relevant = {user: drawn.sample(items, drawn.randint(1, 20)) for user in range(80) if user % 11}
    tables(
        con,
        [(user, item, rank) for user, found in lists.items() for rank, item in enumerate(found, 1)],
        [(user, item, drawn.randint(0, 4)) for user, found in relevant.items() for item in found],
    )
    for k in (3, 10, 25):
        query = re.sub(r"\b10(?=\b|e0)", str(k), QUERIES[name])
        macro = f"select m.value from recsql.evaluate('recs', 'truth', k := {k}, metrics := '{name}') as m"
        assert value(con, query) == pytest.approx(value(con, macro), rel=1e-13, abs=0)
