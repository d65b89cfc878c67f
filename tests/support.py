"""Computes one small case in every way: table macro, Python and, for users' lists, the scalar macro over LIST columns.

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
from recsql.catalog import catalog
from recsql.grammar import Asked, as_written
from recsql.text import literal as in_quotes

Row = Sequence[Any]
PerUser = dict[Any, float | None]
Place = tuple[str, int]  # a metric, by its name alone, and a cut-off

# A scalar macro sees one ordered list. It needs no options about the users in the mean, the mean itself or the order of the list.
OUTSIDE_A_LIST = {"users", "no_recs", "no_truth", "rank_by", "ties", "f1_average"}


# The functions for all lists together and for ratings, in Python and as macros.
MEASURES: dict[str, tuple[Callable[..., pa.Table], str]] = {
    "item": (recsql.item_metrics, "item_metrics"),
    "rating": (recsql.evaluate_ratings, "rating_metrics"),
}


def parsed(text: str) -> Asked:
    """The metric that a text asks for, without the options that have their default anyway."""
    asked = as_written(text)
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
    evaluated: whether the macro evaluate is among the ways, and the means of cases that state only users' values. test_twins
    shows that the macro runs what Python runs, and test_needs that the means are those of users' values.
    """
    load(con, cases[0])
    if cases[0].error:
        return refused(con, cases[0])
    assert all(same_tables(case) == same_tables(cases[0]) and not case.error for case in cases)
    per_user = [case for case in cases if case.per_user is not None]
    means, of_users = both_values(con, cases, evaluated=evaluated)
    in_macro = [case for case in per_user if not fits_scalar(con, case) or case.all_options.keys() & OUTSIDE_A_LIST]
    macro_of_users = macro_values(con, in_macro) if in_macro else {}
    for place, (mean, users) in (macro_means(con, cases) if evaluated else {}).items():
        assert mean == pytest.approx(means[place][0], rel=1e-12, abs=1e-12), place
        assert users == means[place][1], place
    for case in cases:
        mean, users = means.get(case.place, (None, None))
        if case.mean is not None:
            assert mean == pytest.approx(case.mean, rel=0, abs=case.tolerance), case.place
        if case.users is not None:
            assert users == case.users, case.place
    for case in per_user:
        if fits_scalar(con, case):
            one_list = scalar_per_user(con, case, list(of_users[case.place]))
            agree(one_list, {user: of_users[case.place][user] for user in one_list}, 1e-12)
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
        with pytest.raises(duckdb.Error, match=case.error):
            macro_row(con, case)
        return sentence(lambda: python_row(con, case), case.error)
    row = python_row(con, case)
    if in_macro:
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
    for macro in (macro_values, macro_means):
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
    found = {(row["metric"].partition("(")[0], row["k"]): (row["value"], row["users"]) for row in rows}
    assert found.keys() == {case.place for case in cases}
    assert len(found) == len(rows)
    return found


def python_mean(con: duckdb.DuckDBPyConnection, case: Case) -> tuple[float, int]:
    return python_means(con, [case])[case.place]


def python_per_user(con: duckdb.DuckDBPyConnection, case: Case) -> PerUser:
    return python_values(con, [case])[case.place]


def python_values(con: duckdb.DuckDBPyConnection, cases: Sequence[Case]) -> dict[Place, PerUser]:
    metrics, ks = {case.metric: None for case in cases}, {case.k for case in cases}
    rows = recsql.per_user("recs", "truth", list(metrics), sorted(ks), connection=con, **cases[0].options).to_pylist()
    return {case.place: {row["user_id"]: row[case.asked.label] for row in rows if row["k"] == case.k} for case in cases}


def macro_means(con: duckdb.DuckDBPyConnection, cases: Sequence[Case]) -> dict[Place, tuple[float, int]]:
    metrics, ks = {case.asked.metric: None for case in cases}, {case.k for case in cases}
    given = f"k := {sorted(ks)}, metrics := {list(metrics)}{arguments(cases[0].all_options)}"
    query = f"select split_part(metric, '(', 1), k, value, users from recsql.evaluate('recs', 'truth', {given})"
    rows = con.execute(query).fetchall()
    found = {(metric, k): (mean, users) for metric, k, mean, users in rows}
    assert len(found) == len(rows) == len(metrics) * len(ks)
    return {case.place: found[case.place] for case in cases}


def macro_values(con: duckdb.DuckDBPyConnection, cases: Sequence[Case]) -> dict[Place, PerUser]:
    metrics, ks = {case.asked.metric: None for case in cases}, {case.k for case in cases}
    options = {name: value for name, value in cases[0].all_options.items() if name != "f1_average"}
    given = f"k := {sorted(ks)}, metrics := {list(metrics)}{arguments(options)}"
    rows = fetched(con, f"select user_id, k, {', '.join(metrics)} from recsql.per_user('recs', 'truth', {given})")
    return {case.place: {row["user_id"]: row[case.asked.metric] for row in rows if row["k"] == case.k} for case in cases}


def python_row(con: duckdb.DuckDBPyConnection, case: RowCase) -> PerUser:
    """The value and the counts beside it, by column."""
    measure, _ = MEASURES[case.grain]
    cutoff = {"k": case.k} if case.k else {}
    [row] = measure(next(iter(case.tables)), metrics=case.metric, connection=con, **cutoff, **case.options).to_pylist()
    return numbers(row)


def macro_row(con: duckdb.DuckDBPyConnection, case: RowCase) -> PerUser:
    _, macro = MEASURES[case.grain]
    cutoff = {"k": [case.k]} if case.k else {}
    given = arguments({**cutoff, "metrics": [case.asked.metric], **case.all_options})
    [row] = fetched(con, f"from recsql.{macro}('{next(iter(case.tables))}'{given})")
    return numbers(row)


def numbers(row: Mapping[str, Any]) -> PerUser:
    """A row without its key columns."""
    return {name: value for name, value in row.items() if name not in ("model", "metric", "k")}


def scalar_per_user(con: duckdb.DuckDBPyConnection, case: Case, users: Sequence[Any]) -> PerUser:
    """The values of users with a relevant item, from the scalar macro on each user's lists."""
    options = case.all_options
    kept = {name: value for name, value in options.items() if name not in OUTSIDE_A_LIST}
    last = {"item_desc": "item_id desc", "input": "rank"}.get(options.get("ties", ""), "item_id")
    order = f"score desc, {last}" if options.get("rank_by") == "score" else "rank"
    threshold = options.get("relevance_threshold")
    graded = any(len(row) == 3 for row in case.truth)
    relevance = "list(relevance order by rank)" if graded else "null"
    relevant = "true" if not graded else "relevance > 0" if threshold is None else f"relevance >= {threshold}"
    lists = f"coalesce(r.items, []), t.items, {case.k}, relevance := t.relevance{arguments(kept)}"
    return dict(
        con.execute(
            f"""
            with r as (select user_id, list(item_id order by {order}) as items from recs group by user_id),
            t as (
                select user_id, list(item_id order by rank) as items, {relevance} as relevance
                from truth
                group by user_id
                having bool_or({relevant})
            )
            select user_id, recsql.{case.asked.metric}({lists})
            from t left join r using (user_id)
            where list_contains($users, user_id)
            """,
            {"users": users},
        ).fetchall()
    )


def fits_scalar(con: duckdb.DuckDBPyConnection, case: Case) -> bool:
    """Whether the scalar macro can compute the case: it has the options, and the lists have no gaps in their ranks."""
    ranks: dict[Any, list[int]] = {}
    for user, _, rank, *_ in case.recs:
        ranks.setdefault(user, []).append(rank)
    whole = all(sorted(found) == list(range(1, len(found) + 1)) for found in ranks.values())
    in_order = case.all_options.get("ties") not in ("expected", "best", "worst")
    return whole and in_order and case.all_options.keys() - OUTSIDE_A_LIST <= scalar_options(con, case.asked.metric)


@cache
def scalar_options(con: duckdb.DuckDBPyConnection, metric: str) -> frozenset[str]:
    """The options that the scalar macro takes, after the two lists, the cut-off and the relevance."""
    named = "schema_name = 'recsql' and function_type = 'macro' and function_name = ?"
    query = f"select flatten(list(parameters)) from duckdb_functions() where {named}"
    [[parameters]] = con.execute(query, [metric]).fetchall()
    return frozenset(parameters) & catalog().options.keys() - {"relevant"}  # which is the second list


def fetched(con: duckdb.DuckDBPyConnection, text: str) -> list[dict[str, Any]]:
    """The rows of a query by column. sql() would bind it once more, which takes most of a macro's time."""
    rows = con.execute(text).fetchall()
    return [dict(zip([name for name, *_ in con.description or ()], row, strict=True)) for row in rows]


def arguments(options: Mapping[str, Any]) -> str:
    """The options as arguments of a macro; window is a keyword, and so is interval before DuckDB 2.0."""
    names = {"interval": '"interval"', "window": '"window"'}
    return "".join(f", {names.get(name, name)} := {literal(value)}" for name, value in options.items())


def literal(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"map {{{', '.join(f'{literal(key)}: {gain}' for key, gain in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    return in_quotes(value) if isinstance(value, str) else repr(value)
