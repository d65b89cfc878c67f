"""The hand-made tables of tests/cases: a file per metric, a case for every value of every option.

A file has a list for each user, best first: items, or [item, score] in `recs` and [item, relevance] in `truth`. A case may
have its own lists.
What is expected is written as the arithmetic that gives it, so that it can be followed by eye.
"""

import tomllib
from pathlib import Path
from typing import Any

import duckdb
import pytest

from recsql.catalog import catalog
from tests.support import Case, Row, check

Found = dict[str, Any]


def read(path: Path) -> list[Found]:
    """The cases of a file, each with the file's lists unless it has its own."""
    text = tomllib.loads(path.read_text(encoding="utf-8"))
    cases: list[Found] = text.pop("case")
    return [{**text, **case} for case in cases]


FILES = {path.stem: read(path) for path in sorted((Path(__file__).parent / "cases").glob("*.toml"))}
CASES = [pytest.param(case, id=f"{name}: {case['about']}") for name, cases in FILES.items() for case in cases]


def rows(lists: dict[str, list[Any]], *, ranked: bool) -> list[Row]:
    """A row per item: user, item, with `ranked` its place, then its score or relevance where it has one."""
    found: list[Row] = []
    for user, items in lists.items():
        for place, item in enumerate(items, start=1):
            name, *value = item if isinstance(item, list) else [item]
            found.append((user, name, *([place] if ranked else []), *value))
    return found


def case_of(con: duckdb.DuckDBPyConnection, found: Found) -> Case:
    recs, truth = rows(found["recs"], ranked=True), rows(found["truth"], ranked=False)
    options = {name: dict(value) if isinstance(value, list) else value for name, value in found.get("options", {}).items()}
    per_user = {user: worked_out(con, text) for user, text in found["per_user"].items()} if "per_user" in found else None
    return Case(
        found["metric"],
        found["k"],
        recs,
        truth,
        options,
        looked_at=found.get("looked_at", ()),
        mean=worked_out(con, found["mean"]) if "mean" in found else None,
        users=found.get("users"),
        per_user=per_user,
        error=found.get("error"),
        tolerance=1e-12,
    )


def worked_out(con: duckdb.DuckDBPyConnection, arithmetic: str) -> float | None:
    [[value]] = con.execute(f"select cast({arithmetic} as double)").fetchall()
    return value if value is None else float(value)


@pytest.mark.parametrize("found", CASES)
def test_case(con: duckdb.DuckDBPyConnection, found: Found) -> None:
    check(con, case_of(con, found))


def test_every_metric_has_its_file() -> None:
    assert FILES.keys() == catalog().metrics.keys()


def test_every_file_is_about_its_metric() -> None:
    for name, cases in FILES.items():
        assert {catalog().parse(case["metric"]).metric for case in cases} >= {name}


def test_the_printed_name_of_a_metric_is_read_back() -> None:
    for case in (case for cases in FILES.values() for case in cases):
        asked = catalog().parse(case["metric"])
        assert catalog().parse(str(asked)) == asked


def test_every_case_expects_something() -> None:
    for case in (case for cases in FILES.values() for case in cases):
        assert {"per_user", "mean", "error"} & case.keys(), case["about"]


def test_every_option_and_value_has_a_case() -> None:
    """A default is covered where it is left out; whatever else there is must be named."""
    named: set[tuple[str, Any]] = set()
    for case in (case for cases in FILES.values() for case in cases):
        options = {**dict(catalog().parse(case["metric"]).options), **case.get("options", {})}
        named |= {(name, value if isinstance(value, str) else None) for name, value in options.items()}
    wanted: set[tuple[str, Any]] = set()
    for option in catalog().options.values():
        wanted |= {(option.name, choice) for choice in option.choices if choice != option.default} or {(option.name, None)}
    assert wanted - named == {("metrics", None)}  # of the macro, which every case asks for its own metric alone
