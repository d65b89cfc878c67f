"""Each finding of check, on the least input that has it and on the nearest that does not.

If it fails, check cries wolf, or misses what it is there for.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.catalog import catalog

FOLDER = Path(__file__).parent
CASES: dict[str, Any] = {path.stem: tomllib.loads(path.read_text()) for path in sorted(FOLDER.glob("*.toml"))}
SPAN = re.compile(r"\b(\d+)\.\.(\d+)\b")
TABLES = ("recs", "truth", "train", "items", "users", "candidates", "corpus")


def value(text: str) -> object:
    """A cell: NULL, a number, or text, which single quotes can hold together."""
    if text == "NULL":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text.strip("'").replace("_", " ") if text.startswith("'") else text


def lines(text: str) -> Iterator[str]:
    """The lines of a table. One with 1..20 stands for 20 rows, each with one of these numbers."""
    for line in text.strip().splitlines():
        span = SPAN.search(line)
        yield from (SPAN.sub(str(n), line) for n in range(int(span[1]), int(span[2]) + 1)) if span else (line,)


def table(text: str) -> pa.Table:
    """The table that a case writes as lines, the names of the columns and then the rows; or as a query."""
    if text.startswith("select"):
        relation = duckdb.sql(text)
        assert relation is not None
        return relation.to_arrow_table()
    names, *rows = [line.split() for line in lines(text)]
    columns = [[value(row[n]) for row in rows] for n in range(len(names))]
    return pa.table({name: pa.array(column) for name, column in zip(names, columns, strict=True)})


def check(case: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The rows of one finding in a case; without the others, the query is short."""
    ignore = [one for one in catalog().findings if one != name]
    return [row for row in recsql.check(**given(case), ignore=ignore).to_pylist() if row["finding"] == name]


def given(case: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a case."""
    options = {name: None if value == "NULL" else value for name, value in case.get("options", {}).items()}
    return {**options, **{name: table(case[name]) for name in TABLES if name in case}}


@pytest.mark.parametrize("name", CASES)
def test_least_input_that_has_it(name: str) -> None:
    case = CASES[name]["has"]
    found = check(case, name)
    expected = case["expected"] if isinstance(case["expected"], list) else [case["expected"]]
    assert [{key: row[key] for key in one} for row, one in zip(found, expected, strict=True)] == expected
    assert found[0]["advice"] and found[0]["unit"] in catalog().findings[name].header["unit"].split(" or ")
    if "rows" in case:
        rows = recsql.check(**given(case), rows=name)
        wanted = table(case["rows"])
        assert rows.column_names == wanted.column_names
        assert sorted(map(str, rows.to_pylist())) == sorted(map(str, wanted.to_pylist()))
        assert str(rows.to_pylist()) == str(rows.sort_by([(column, "ascending") for column in rows.column_names]).to_pylist())


@pytest.mark.parametrize("name", CASES)
def test_nearest_input_that_does_not(name: str) -> None:
    cases = CASES[name]["nearly"]
    for case in cases if isinstance(cases, list) else [cases]:
        found = [row["severity"] for row in check(case, name)]
        assert found == case.get("expected", [])


def test_each_finding_has_its_cases() -> None:
    assert {*CASES} == {*catalog().findings}
    without_rows = {name for name, case in CASES.items() if "rows" not in case["has"]}
    assert not {name for name in without_rows if "rows" in catalog().findings[name].further}


def test_rows_that_contradict_their_ranks() -> None:
    """Of user 1, the best score is beyond k; of user 2, the disorder is, which is no part of the finding."""
    recs = pa.table(
        {
            "user_id": [1, 1, 1, 2, 2, 2, 3, 3],
            "item_id": ["a", "b", "c", "a", "b", "c", "a", "b"],
            "rank": [1, 2, 3, 1, 2, 3, 1, 2],
            "score": [0.8, 0.7, 0.9, 0.9, 0.1, 0.2, 0.4, 0.5],
        }
    )
    truth = pa.table({"user_id": [1], "item_id": ["a"]})

    def rows(**options: Any) -> list[tuple[Any, ...]]:
        found = recsql.check(recs, truth, rows="score_against_rank", **options)
        return [tuple(row[name] for name in ("user_id", "item_id", "score")) for row in found.to_pylist()]

    assert rows(k=1) == [(1, "c", 0.9), (3, "b", 0.5)]
    assert rows(k=3) == [(1, "c", 0.9), (2, "c", 0.2), (3, "b", 0.5)]


def test_rows_of_the_models_that_are_alike() -> None:
    """Of three, the two copies beside the first; b has lists of its own."""
    recs = pa.table({"model": ["a", "b", "c", "d"], "user_id": [1] * 4, "item_id": ["x", "y", "x", "x"], "rank": [1] * 4})
    found = recsql.check(recs, pa.table({"user_id": [1], "item_id": ["x"]}), rows="identical_models").to_pylist()
    assert [(row["model"], row["same_as"]) for row in found] == [("a", "c"), ("a", "d")]


@pytest.mark.parametrize("kind", ["interval", "struct(a integer)", "integer[]", "map(integer, integer)", "uhugeint", "integer"])
def test_ids_of_any_type(kind: str) -> None:
    """Types whose names begin with INT or end so are no whole numbers."""
    one = {
        "interval": "interval 1 day",
        "struct(a integer)": "{'a': 1}",
        "integer[]": "[1]",
        "map(integer, integer)": "map {1: 2}",
    }
    with duckdb.connect() as con:
        con.execute(f"create table recs as select cast({one.get(kind, '1')} as {kind}) as user_id, 'x' as item_id, 1 as rank")
        con.execute("create table truth as select user_id, item_id from recs")
        found = recsql.check("recs", "truth", connection=con).to_pylist()
    assert not [row for row in found if row["severity"] == "error"]


HALVES = {  # what half of the ids have on one side, and the finding
    "a character without a width": ("chr(8203) || i", "space"),
    "a byte order mark": ("chr(65279) || i", "space"),
    "one inside": ("i || chr(8205) || 'x'", "space"),
    "double quotes": ("'\"' || i || '\"'", "quotes"),
    "single quotes": ("chr(39) || i || chr(39)", "quotes"),
    "a word": ("'item_' || i", "prefix"),
    "a letter": ("'m' || i", "prefix"),
    "an address": ("'https://x.org/title/' || i", "prefix"),
}


@pytest.mark.parametrize("turned", [False, True], ids=["in recs", "in truth"])
@pytest.mark.parametrize("what", HALVES)
def test_half_of_the_ids_are_written_otherwise(what: str, turned: bool) -> None:
    form, finding = HALVES[what]
    plain = "i || 'x'" if what == "one inside" else "i"
    odd = f"select 1 as user_id, case when n % 2 = 0 then {form} else {plain} end as item_id, n as rank from numbers"
    with duckdb.connect() as con:
        con.execute("create view numbers as select cast(100 + n as varchar) as i, n from range(1, 101) as r (n)")
        con.execute(f"create view odd as {odd}")
        con.execute(f"create view plain as select 1 as user_id, {plain} as item_id, n as rank from numbers")
        rows = recsql.check(*(("plain", "odd") if turned else ("odd", "plain")), k=100, connection=con).to_pylist()
    found = [row for row in rows if row["finding"].startswith("ids_differ")]
    assert [(row["finding"], row["severity"], row["count"], row["of"]) for row in found] == [
        (f"ids_differ_by_{finding}", "error", 50, 50)
    ]
