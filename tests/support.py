"""Computes one small case in every way: by Python, and by the macros of the shell if their file has its convention.

They must agree before they are compared with the expected values.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.base.text import literal as in_quotes
from recsql.catalog import catalog
from recsql.catalog.grammar import Asked, name_in, parse_metric
from recsql.shell import File

Row = Sequence[Any]
PerUser = dict[Any, float | None]
Place = tuple[str, int]  # a metric, by its name alone, and a cut-off

# The functions for all lists together and for ratings, in Python and as macros.
MEASURES: dict[str, tuple[Callable[..., pa.Table], str]] = {
    "item": (recsql.item_metrics, "item_metrics"),
    "rating": (recsql.evaluate_ratings, "rating_metrics"),
}


def parsed(text: str) -> Asked:
    """The metric that a text asks for, without the options that have their default anyway."""
    asked = parse_metric(text)
    like = dict(asked.options).get("like")
    defaults = {name: option.default for name, option in catalog().options.items()}
    usual = defaults | (catalog().presets[like].options_of(asked.metric) if like else {})
    return replace(asked, options=tuple((name, value) for name, value in asked.options if value != usual[name]))


class Asking:
    """A metric as asked for in brackets, with options beside it."""

    metric: str
    options: Mapping[str, Any]

    @property
    def asked(self) -> Asked:
        return parsed(self.metric)

    @property
    def grain(self) -> str:
        return catalog().metrics[self.asked.metric].grain

    @property
    def all_options(self) -> dict[str, Any]:
        """The options given in the metric's brackets and beside it, by their full names."""
        return {**dict(self.asked.options), **self.options}


@dataclass(frozen=True)
class Case(Asking):
    """Recommendations, truth and what a metric must give for them.

    recs: rows (user, item, rank) or (user, item, rank, score).
    truth: rows (user, item) or (user, item, relevance), in the order of each user's truth.
    looked_at: the users in the table for the option `users`.
    error: what the message must say where the case is refused.
    """

    metric: str
    k: int
    recs: Sequence[Row]
    truth: Sequence[Row]
    options: Mapping[str, Any] = field(default_factory=dict)
    looked_at: Sequence[Any] = ()
    mean: float | None = None
    users: int | None = None
    per_user: Mapping[Any, float | None] | None = None
    error: str | None = None
    tolerance: float = 1e-9

    @property
    def place(self) -> Place:
        return self.asked.metric, self.k


@dataclass(frozen=True)
class RowCase(Asking):
    """Tables, and the one row that a metric of all lists together, or of ratings, must give for them.

    tables: by name; the first is the one evaluated, options name the others.
    row: what the row must have: the value, and any of the counts beside it.
    error: what the message must say where the case is refused.
    """

    metric: str
    tables: Mapping[str, pa.Table]
    k: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    row: Mapping[str, float | None] = field(default_factory=dict)
    error: str | None = None
    tolerance: float = 1e-9


def check(con: duckdb.DuckDBPyConnection, *cases: Case, evaluated: bool = True) -> object:
    """Computes the cases in all ways and compares them; a case with only a mean is compared by that. Returns what Python gives.

    Several cases are computed in one call: they have the same tables and options, inside and outside their brackets.
    evaluated: whether the macro evaluate is among the ways, and the means of cases that state only users' values. test_macro_file
    shows that the macro gives what Python gives, and test_needs that the means are those of users' values.
    """
    load(con, cases[0])
    if cases[0].error:
        return refused(con, cases[0])
    assert all(same_tables(case) == same_tables(cases[0]) and not case.error for case in cases)
    per_user = [case for case in cases if case.per_user is not None]
    means, of_users = both_values(con, cases, evaluated=evaluated)
    in_macro = [case for case in per_user if is_in_file(case)]
    macro_of_users = macro_values(con, in_macro) if in_macro else {}
    in_means = [case for case in cases if evaluated and is_in_file(case)]
    for place, (mean, users) in (macro_means(con, in_means) if in_means else {}).items():
        assert mean == pytest.approx(means[place][0], rel=1e-12, abs=1e-12), place
        assert users == means[place][1], place
    for case in cases:
        mean, users = means.get(case.place, (None, None))
        if case.mean is not None:
            assert mean == pytest.approx(case.mean, rel=0, abs=case.tolerance), case.place
        if case.users is not None:
            assert users == case.users, case.place
    for case in per_user:
        if case in in_macro:
            agree(macro_of_users[case.place], of_users[case.place], 1e-12)
        check_per_user(case, of_users[case.place], means.get(case.place))
    return means, of_users


def check_row(con: duckdb.DuckDBPyConnection, case: RowCase, *, in_macro: bool = True) -> object:
    """Computes the case by Python and by the macro and compares. Returns what Python gives.

    in_macro: whether the macro is among the ways. test_cases, test_items_oracle and test_ratings_oracle show that they agree.
    """
    for name, rows in case.tables.items():
        con.register(name, rows)
    if case.error:
        if is_in_file(case):
            with pytest.raises(duckdb.Error, match=case.error):
                macro_row(con, case)
        return sentence(lambda: python_row(con, case), case.error)
    row = python_row(con, case)
    if in_macro and is_in_file(case):
        agree(macro_row(con, case), row, 1e-12)
    agree({name: row[name] for name in case.row}, case.row, case.tolerance)
    return row


def in_python(con: duckdb.DuckDBPyConnection, *cases: Case | RowCase) -> object:
    """The results of Python for cases whose tables are loaded, in the form that `check` and `check_row` return."""
    first = cases[0]
    if isinstance(first, RowCase):
        return sentence(lambda: python_row(con, first), first.error) if first.error else python_row(con, first)
    of_users = [case for case in cases if isinstance(case, Case)]
    return sentences(con, first) if first.error else both_values(con, of_users, evaluated=True)


def both_values(
    con: duckdb.DuckDBPyConnection, cases: Sequence[Case], *, evaluated: bool
) -> tuple[dict[Place, Any], dict[Place, PerUser]]:
    """The means, of all cases if `evaluated`, else if a case states one, and the values of users where a case states them."""
    stated = evaluated or any(case.mean is not None or case.users is not None or case.per_user is None for case in cases)
    per_user = [case for case in cases if case.per_user is not None]
    return python_means(con, cases) if stated else {}, python_values(con, per_user) if per_user else {}


def same_tables(case: Case) -> tuple[object, ...]:
    """What cases must have in common to be computed together."""
    return case.recs, case.truth, case.looked_at, case.options, case.all_options


def check_per_user(case: Case, values: PerUser, found: tuple[float, int] | None) -> None:
    """Users' values, and whether the mean is that of these if it is there."""
    agree(values, case.per_user or {}, case.tolerance)
    if found is None:
        return
    mean, users = found
    counted = [value for value in values.values() if value is not None]
    assert users == len(counted), case.place
    if "f1_average" not in case.all_options:
        assert mean == pytest.approx(math.fsum(counted) / users, rel=1e-12, abs=1e-12), case.place


def refused(con: duckdb.DuckDBPyConnection, case: Case) -> list[str]:
    for macro in (macro_values, macro_means) if is_in_file(case) else ():
        with pytest.raises(duckdb.Error, match=case.error):
            macro(con, [case])
    return sentences(con, case)


def sentences(con: duckdb.DuckDBPyConnection, case: Case) -> list[str]:
    """How Python refuses a case."""
    return [sentence(partial(python, con, [case]), str(case.error)) for python in (python_values, python_means)]


def sentence(call: Callable[[], object], error: str) -> str:
    """The sentence that refuses a call."""
    with pytest.raises(recsql.RecsqlError, match=error) as found:
        call()
    return str(found.value)


def agree(found: Mapping[Any, float | None], expected: Mapping[Any, float | None], tolerance: float) -> None:
    """The same users with the same values, NULL for NULL."""
    assert found.keys() == expected.keys()
    for user, value in expected.items():
        assert (user, found[user]) == (user, None if value is None else pytest.approx(value, rel=tolerance, abs=tolerance))


def load(con: duckdb.DuckDBPyConnection, case: Case) -> None:
    """The case as the tables recs, truth and looked_at."""
    places: dict[Any, int] = {}
    truth: list[list[Any]] = []
    for user, item, *relevance in case.truth:
        places[user] = places.get(user, 0) + 1
        truth.append([user, item, places[user], *relevance])
    con.register("recs", table(case.recs, ["user_id", "item_id", "rank", "score"]))
    con.register("truth", table(truth, ["user_id", "item_id", "rank", "relevance"]))
    con.register("looked_at", table([[user] for user in case.looked_at], ["user_id"]))


def table(rows: Sequence[Row], names: Sequence[str]) -> pa.Table:
    """The rows as a table, with as many of the names as they have values."""
    return pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=False)) or {names[0]: pa.array([], pa.string())})


# -- the three ways


def python_means(con: duckdb.DuckDBPyConnection, cases: Sequence[Case]) -> dict[Place, tuple[float, int]]:
    asked = [f"{case.metric}@{case.k}" for case in cases]
    rows = recsql.evaluate("recs", "truth", asked, connection=con, **cases[0].options).to_pylist()
    found = {(name_in(row["definition"]), row["k"]): (row["value"], row["users"]) for row in rows}
    assert found.keys() == {case.place for case in cases}
    assert len(found) == len(rows)
    return found


def python_values(con: duckdb.DuckDBPyConnection, cases: Sequence[Case]) -> dict[Place, PerUser]:
    metrics, ks = {case.metric: None for case in cases}, {case.k for case in cases}
    rows = recsql.per_user("recs", "truth", list(metrics), sorted(ks), connection=con, **cases[0].options).to_pylist()
    return {case.place: {row["user_id"]: row[case.asked.said] for row in rows if row["k"] == case.k} for case in cases}


def macro_means(con: duckdb.DuckDBPyConnection, cases: Sequence[Case]) -> dict[Place, tuple[float, int]]:
    metrics, ks = {case.asked.metric: None for case in cases}, {case.k for case in cases}
    means = macro_call("evaluate", "recs", "truth", k=sorted(ks), metrics=list(metrics), **cases[0].all_options)
    rows = con.execute(f"select split_part(metric, '(', 1), k, value, users {means}").fetchall()
    found = {(metric, k): (mean, users) for metric, k, mean, users in rows}
    assert len(found) == len(rows) == len(metrics) * len(ks)
    return {case.place: found[case.place] for case in cases}


def macro_values(con: duckdb.DuckDBPyConnection, cases: Sequence[Case]) -> dict[Place, PerUser]:
    values = macro_call("per_user", "recs", "truth", k=sorted({case.k for case in cases}), **cases[0].all_options)
    rows = fetched(con, f"select user_id, k, {', '.join({case.asked.metric for case in cases})} {values}")
    return {case.place: {row["user_id"]: row[case.asked.metric] for row in rows if row["k"] == case.k} for case in cases}


def python_row(con: duckdb.DuckDBPyConnection, case: RowCase) -> PerUser:
    """The value and the counts beside it, by column."""
    measure, _ = MEASURES[case.grain]
    cutoff = {"k": case.k} if case.k else {}
    [row] = measure(next(iter(case.tables)), metrics=case.metric, connection=con, **cutoff, **case.options).to_pylist()
    return numbers(without_definition(row))


def without_definition(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of Python with the columns of the macros."""
    return {name: value for name, value in row.items() if name != "definition"}


def macro_row(con: duckdb.DuckDBPyConnection, case: RowCase) -> PerUser:
    cutoff = {"k": [case.k]} if case.k else {}
    [row] = fetched(
        con, macro_call(macro_of(case), next(iter(case.tables)), **cutoff, metrics=[case.asked.metric], **case.all_options)
    )
    return numbers(row)


def macro_of(case: Asking) -> str:
    """The macro for a case; that for ratings in a table of their own has another name."""
    macro = MEASURES[case.grain][1] if case.grain in MEASURES else "evaluate"
    return f"{macro}_joined" if "ratings" in case.options else macro


def numbers(row: Mapping[str, Any]) -> PerUser:
    """A row without its key columns."""
    return {name: value for name, value in row.items() if name not in ("model", "metric", "k")}


def is_in_file(case: Asking) -> bool:
    """Whether a macro of the default file can compute a case."""
    return takes(macro_of(case), {**case.all_options, "metrics": [case.asked.metric]})


def takes(macro: str, options: Mapping[str, Any]) -> bool:
    """Whether a macro of the default file takes all of these options."""
    return options.keys() <= parameters_of(macro).keys() and {*options.get("metrics", ())} <= metrics_of_file()


@cache
def parameters_of(macro: str) -> dict[str, str]:
    """The options that are parameters of a macro of the default file, and what they are called there."""
    [spec] = [one for one in default_file().specs if one.name == macro]
    values = {catalog().options[name].called: parameter for name, parameter in spec.values.items()}
    return {**values, **{name: name for name in (*spec.tables, "k", "metrics")}}


@cache
def default_file() -> File:
    return File("recsql", None, {})


@cache
def metrics_of_file() -> frozenset[str]:
    """The metrics of the default macro file."""
    return frozenset(column.metric for query in default_file().queries.values() for column in query.inputs.columns)


def fetched(con: duckdb.DuckDBPyConnection, text: str) -> list[dict[str, Any]]:
    """The rows of a query by column. sql() would bind it once more, which takes most of a macro's time."""
    rows = con.execute(text).fetchall()
    return [dict(zip([name for name, *_ in con.description or ()], row, strict=True)) for row in rows]


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
