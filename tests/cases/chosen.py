"""Representative cases for slow runs, on Spark and on DuckDB 1.5; tests/cases/chosen.txt has their names.

Together they use every file, macro and SQL function that any case uses, in every dialect, and raise every error. All cases test
what each option does, on DuckDB. To choose again: python -m tests.cases.chosen
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from unittest.mock import patch

import duckdb
import pyarrow as pa

import recsql
import recsql.calls.open_call
from recsql.base.text import code
from recsql.calls.findings import COUNTS
from recsql.catalog import catalog
from recsql.engines.duckdb import DuckDB
from recsql.query.templates import dialect, environment, spelt
from recsql.tables.find import Finder
from tests.cases.test_cases import FOLDER, NAMED, Found, case_of, row_case_of
from tests.support import MEASURES, load

FUNCTION = re.compile(r"\b[a-z_0-9]+\(")
NO_ROWS = pa.table(dict.fromkeys(["model", "baseline", "metric", "k", "value", "message", *COUNTS], pa.array([], pa.int64())))


def rendered(call: Callable[[], object]) -> set[str]:
    """What a call over DuckDB renders in all dialects: files by their paths, dialects/ENGINE.sql: MACRO, ENGINE: FUNCTION(."""
    recsql.metrics()  # the first call renders each metric under all options
    found: set[str] = set()
    for name in catalog().dialects:
        with (
            patch.object(recsql.calls.open_call, "DuckDB", writer(name, found)),
            patch.object(Finder, "is_unseen", return_value=False),  # the writer has the tables
            noting(name, found),
            suppress(ValueError),
        ):  # for bad input, and for missing rows
            call()
    return found


def writer(name: str, found: set[str]) -> type[DuckDB]:
    """A DuckDB with its tables that gets queries in a dialect, and runs none of them."""

    class Writer(DuckDB):
        dialect = name

        def query(self, text: str) -> pa.Table:
            found.update(f"{name}: {function}" for function in FUNCTION.findall(code(spelt(text, name))))
            return NO_ROWS

        def write(self, text: str, path: str, metadata: Mapping[str, str]) -> None:
            self.query(text)

    return Writer


@contextmanager
def noting(name: str, found: set[str]) -> Iterator[None]:
    """Records the rendered files and macros of a dialect in `found`."""

    def noted(function: Callable[..., Any], macro: str = "") -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            found.add(macro or given[0])
            return function(*given, **named)

        return call

    with ExitStack() as patches:
        patches.enter_context(patch.object(environment(), "get_template", noted(environment().get_template)))
        for sql in (dialect(name), dialect(name, plain=False)):  # two objects, as their caller says more or less
            for macro, function in list(vars(sql).items()):
                patches.enter_context(patch.object(sql, macro, noted(function, f"dialects/{name}.sql: {macro}")))
        yield


def chosen(found: Mapping[str, set[str]]) -> list[str]:
    """A few names that together cover everything found; each one is the one that adds most."""
    left, picked = set[str]().union(*found.values()), list[str]()
    while left:
        picked.append(max(found, key=lambda name: len(found[name] & left)))
        left -= found[picked[-1]]
    return [name for name in found if name in picked]


def of_case(con: duckdb.DuckDBPyConnection, found: Found) -> set[str]:
    """What a case renders. A refused case computes nothing, but runs its checks and gives the error."""
    text = rendered(call_of(con, found))
    if "error" in found:
        return {found["error"]} | {name for name in text if "checks/" in name}
    return text


def call_of(con: duckdb.DuckDBPyConnection, found: Found) -> Callable[[], object]:
    """The calls of a case, with its tables in DuckDB. Metrics of users' lists are computed per user, and as means it states."""
    if "truth" in found:
        case = case_of(con, found)
        load(con, case)
        given = {"metrics": case.metric, "k": case.k, "connection": con, **case.options}
        return lambda: (
            recsql.per_user("recs", "truth", **given, into="no.parquet"),
            "mean" in found and recsql.evaluate("recs", "truth", **given),
        )
    one = row_case_of(con, found)
    for name, rows in one.tables.items():
        con.register(name, rows)
    measure, _ = MEASURES[one.grain]
    cutoff = {"k": one.k} if one.k else {}
    return lambda: measure(next(iter(one.tables)), metrics=one.metric, connection=con, **cutoff, **one.options)


if __name__ == "__main__":
    with duckdb.connect() as connection:
        names = chosen({name: of_case(connection, case) for name, case in NAMED.items()})
    (FOLDER / "chosen.txt").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
