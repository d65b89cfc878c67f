"""Computes one small case in every way: by Python, and by the macros of the shell if their file has its convention.

They must agree before they are compared with the expected values.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.base.text import literal as in_quotes
from recsql.base.wording import in_macro as in_words_of_macro
from recsql.catalog import catalog
from recsql.catalog.grammar import Asked, parse_metric
from recsql.query.plan import has, unmet
from recsql.shell import File

ROOT = Path(__file__).parents[1]
SETTINGS = [  # of a session, which change what DuckDB's own operators and functions give
    *("default_order = 'desc'", "default_null_order = 'nulls_first'", "integer_division = true"),
    *("ieee_floating_point_ops = false", "timezone = 'America/New_York'"),
]
Row = Sequence[Any]
Values = Mapping[Any, Any]  # by user, or by column

# The metrics that lists of items have: those of text need spans of documents.
OF_ITEMS = {name: one for name, one in catalog().metrics.items() if one.header.get("spans") != "only"}

# The function and the macro for the metrics of each grain.
MEASURES: dict[str, tuple[Callable[..., pa.Table], str]] = {
    "user": (recsql.evaluate, "evaluate"),
    "list": (recsql.evaluate, "evaluate"),
    "item": (recsql.item_metrics, "item_metrics"),
    "item_group": (recsql.item_metrics, "item_metrics"),
    "rating": (recsql.evaluate_ratings, "rating_metrics"),
}


def parsed(text: str) -> Asked:
    """The metric that a text asks for, without the options that have their default anyway."""
    asked = parse_metric(text)
    like = dict(asked.options).get("like")
    defaults = {name: option.default for name, option in catalog().options.items()}
    usual = defaults | (catalog().presets[str(like)].options_of(asked.metric) if like else {})
    return replace(asked, options=tuple((name, value) for name, value in asked.options if value != usual[name]))


@dataclass(frozen=True)
class Case:
    """Tables, and what a metric must give for them.

    metric: with its options in brackets, or in `options`.
    tables: by name; the first are evaluated, options name the others.
    row: what the row of the result must have: the value, and any of the counts beside it; of groups of items, the value of each.
    per_user: the values of all users.
    error: what the message must say where the case is refused.
    """

    metric: str
    tables: Mapping[str, pa.Table]
    k: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    row: Values = field(default_factory=dict)
    per_user: Values | None = None
    error: str | None = None
    tolerance: float = 1e-9

    @property
    def asked(self) -> Asked:
        return parsed(self.metric)

    @property
    def grain(self) -> str:
        return catalog().metrics[self.asked.metric].grain

    @property
    def measured(self) -> tuple[Callable[..., pa.Table], str]:
        """The function and the macro for the metric."""
        has_hits = self.grain == "item" and "user" in catalog().metrics[self.asked.metric].grains
        return MEASURES["user" if has_hits else self.grain]

    @property
    def evaluated(self) -> list[str]:
        """The tables that are evaluated."""
        return [*self.tables][: 2 if self.measured[0] is recsql.evaluate else 1]

    @property
    def all_options(self) -> dict[str, Any]:
        """The options given in the metric's brackets and beside it, by their full names."""
        return {**dict(self.asked.options), **self.options}

    @property
    def cutoff(self) -> dict[str, int]:
        return {"k": self.k} if self.k else {}

    @property
    def macro(self) -> str:
        """The macro for its row; that for ratings in a table of their own has another name."""
        return f"{self.measured[1]}_joined" if "ratings" in self.options else self.measured[1]

    @property
    def results(self) -> list[str]:
        """What is computed of it: what it states, and all that can be refused."""
        refused = self.error is not None and self.grain in ("user", "list")
        return ["per_user"] * (self.per_user is not None or refused) + ["row"] * bool(self.per_user is None or self.row)

    def expected(self, found: Values) -> dict[str, Values]:
        """By result; a row has further columns than those that are stated."""
        return {"per_user": self.per_user or {}, "row": {**found, **self.row}}


def assert_current(path: str, text: str) -> None:
    """A generated file is what is made of its sources today."""
    kept, made = (ROOT / path).read_text(encoding="utf-8").splitlines(keepends=True), text.splitlines(keepends=True)
    change = "".join(islice(unified_diff(kept, made, path, "made anew", n=1), 30))
    assert not change, f"{path} is stale; run: python -m tests.generate {path}\n{change}"


def check(con: duckdb.DuckDBPyConnection, case: Case, *, in_macro: bool = True) -> list[Any]:
    """Computes a case in all ways and compares them. Returns what Python gives.

    in_macro: whether macros are among the ways. test_cases, test_items_oracle and test_ratings_oracle show that they agree.
    """
    load(con, case)
    found = in_python(con, case)
    in_macro = in_macro and takes(case.macro, {**case.all_options, "metrics": [case.asked.metric]})
    for result, values in zip(case.results, found, strict=True):
        if case.error:
            if in_macro:
                with pytest.raises(duckdb.Error, match=said_by(case.macro, case.error)):
                    MACROS[result](con, case)
            continue
        if in_macro:
            assert MACROS[result](con, case) == near(values)
        assert values == near(case.expected(values)[result], case.tolerance)
    return found


def in_python(con: Any, case: Case) -> list[Any]:
    """The results of Python for a case whose tables are loaded, or the sentences that refuse it."""
    return [refused(con, case, result) if case.error else PYTHON[result](con, case) for result in case.results]


def refused(con: Any, case: Case, result: str) -> str:
    with pytest.raises(recsql.RecsqlError, match=case.error) as found:
        PYTHON[result](con, case)
    return str(found.value)


def near(values: Values, tolerance: float = 1e-12) -> dict[Any, Any]:
    """The same users or columns with almost the same values; NULL only equals NULL."""
    numbers = {name: value for name, value in values.items() if value is not None}
    return {**values, **{name: pytest.approx(value, rel=tolerance, abs=tolerance) for name, value in numbers.items()}}


def load(con: duckdb.DuckDBPyConnection, case: Case) -> None:
    for name, rows in case.tables.items():
        con.register(name, rows)


def of_lists(recs: Sequence[Row], truth: Sequence[Row], looked_at: Sequence[Any] = ()) -> dict[str, pa.Table]:
    """The tables of rows (user, item, rank), perhaps with a score, and (user, item), perhaps with a relevance.

    The truth gets the place of each row among those of its user. looked_at: the users in the table for the option `users`.
    """
    places: dict[Any, int] = {}
    placed = []
    for user, item, *relevance in truth:
        places[user] = places.get(user, 0) + 1
        placed.append([user, item, places[user], *relevance])
    return {
        "recs": table(recs, ["user_id", "item_id", "rank", "score"]),
        "truth": table(placed, ["user_id", "item_id", "rank", "relevance"]),
        "looked_at": table([[user] for user in looked_at], ["user_id"]),
    }


def table(rows: Sequence[Row], names: Sequence[str]) -> pa.Table:
    """The rows as a table, with as many of the names as they have values."""
    return pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=False)) or {names[0]: pa.array([], pa.string())})


# -- the ways, each with its results


def python_values(con: Any, case: Case) -> Values:
    rows = recsql.per_user("recs", "truth", case.metric, case.k, connection=con, **case.options).to_pylist()
    return {row["user_id"]: row[case.asked.said] for row in rows}


def python_row(con: Any, case: Case) -> Values:
    """The value and the counts beside it, by column."""
    measure, _ = case.measured
    found = measure(*case.evaluated, metrics=case.metric, connection=con, **case.cutoff, **case.options).to_pylist()
    if case.grain == "item_group":
        return {row["segment"]: row["value"] for row in found}
    [row] = found
    return numbers(without_definition(row))


def macro_values(con: duckdb.DuckDBPyConnection, case: Case) -> Values:
    call = macro_call("per_user", "recs", "truth", k=case.k, **case.all_options)
    return {row["user_id"]: row["value"] for row in fetched(con, f"select user_id, {case.asked.metric} as value {call}")}


def macro_row(con: duckdb.DuckDBPyConnection, case: Case) -> Values:
    options = {**case.cutoff, "metrics": [case.asked.metric], **case.all_options}
    [row] = fetched(con, macro_call(case.macro, *case.evaluated, **options))
    return numbers(row)


PYTHON: Mapping[str, Callable[[Any, Case], Values]] = {"per_user": python_values, "row": python_row}
MACROS: Mapping[str, Callable[[Any, Case], Values]] = {"per_user": macro_values, "row": macro_row}


def without_advice(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of check without what to type, which differs between Python and macros."""
    return [{name: value for name, value in row.items() if name != "advice"} for row in rows]


def without_definition(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of Python with the columns of the macros."""
    return {name: value for name, value in row.items() if name != "definition"}


def numbers(row: Mapping[str, Any]) -> Values:
    """A row without its key columns."""
    return {name: value for name, value in row.items() if name not in ("model", "metric", "k")}


def takes(macro: str, options: Mapping[str, Any]) -> bool:
    """Whether a macro of the default file takes all of these options."""
    return options.keys() <= parameters_of(macro).keys() and {*options.get("metrics", ())} <= metrics_of_file()


@cache
def parameters_of(macro: str) -> dict[str, str]:
    """The options that are parameters of a macro of the default file, and what they are called there."""
    [spec] = [one for one in default_file().specs if one.name == macro]
    values = {catalog().options[name].called: parameter for name, parameter in spec.values.items()}
    return {**values, **{name: name for name in (*spec.tables, "k", "metrics")}}


def default_file() -> File:
    return file_of(None)


@cache
def file_of(like: str | None) -> File:
    """The macro file for a preset, in a schema of that name."""
    return File(like or "recsql", None, {"like": like} if like else {})


@cache
def metrics_of_file() -> frozenset[str]:
    """The metrics of the default macro file."""
    return frozenset(column.metric for query in default_file().queries.values() for column in query.inputs.columns)


def write_piece(folder: Path, path: str, text: str) -> None:
    """Writes a file below `sql`, or a piece of a chapter: in place of that of its name, or else at the end of the chapter."""
    file, _, name = path.partition(": ")
    if name:
        opening, *pieces = re.split(r"^(?=-- name: )", (folder / file).read_text(), flags=re.MULTILINE)
        head = f"-- name: {name}\n"
        found = {one.partition("\n")[0] + "\n": one for one in pieces} | {head: f"{head}{text}\n"}
        text = "".join([opening, *found.values()])
    (folder / file).write_text(text)


def fetched(con: duckdb.DuckDBPyConnection, text: str) -> list[dict[str, Any]]:
    """The rows of a query by column. sql() would bind it once more, which takes most of a macro's time."""
    rows = con.execute(text).fetchall()
    return [dict(zip([name for name, *_ in con.description or ()], row, strict=True)) for row in rows]


def said_by(macro: str, sentence: str) -> str:
    """A sentence of Python in the words of a macro of the default file."""
    [spec] = [one for one in default_file().specs if one.name == macro]
    return in_words_of_macro(sentence, {name: name for name in ("k", "metrics", *spec.tables)} | parameters_of(macro))


def macro_call(macro: str, *tables: str, **options: Any) -> str:
    """The call of a macro with options that are parameters of it."""
    given = [f"{parameters_of(macro)[name]} := {literal(value)}" for name, value in options.items()]
    return f"from recsql.{macro}({', '.join([*map(literal, tables), *given])})"


def literal(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"map {{{', '.join(f'{literal(key)}: {gain}' for key, gain in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    return in_quotes(value) if isinstance(value, str) else repr(value)


def is_refused(metric: str, options: Mapping[str, Any]) -> bool:
    """Whether the preset lacks the metric or its name, or its header says that it can't be computed under all options."""
    asked, like = parsed(metric), options.get("like")
    if not has(like, asked.metric) or parse_metric(metric, like).metric != asked.metric:
        return True
    usual = {name: option.default for name, option in catalog().options.items()}
    return any(not one.one_of for one in unmet(asked.metric, {**usual, **options, **dict(asked.options)}))


def tables_needed(metric: str) -> set[str]:
    """The tables that a metric needs under its usual options and those in its brackets; a number can't replace them."""
    asked = parsed(metric)
    usual = {name: option.default for name, option in catalog().options.items()}
    lacking = unmet(asked.metric, {**usual, "catalog_size": 20, **dict(asked.options)})
    return {name for one in lacking for name in one.one_of}


# The metrics of a user that recs and truth are enough for: those that a test can measure all at once.
OF_USERS = [name for name, source in OF_ITEMS.items() if source.grain == "user" and not tables_needed(name)]

# The metrics of all lists together that need no truth.
OF_ALL_LISTS = [name for name in catalog().metrics_of("item") if "user" not in catalog().metrics[name].grains]
