"""Metrics over two lists: the same values as over tables, wherever an expression may stand.

If it fails, a metric over two lists in SQL gives another value than over tables.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recsql
from recsql.base.text import LITERAL
from recsql.catalog import catalog
from recsql.catalog.grammar import find_metric
from recsql.catalog.options import idle, parse_value
from recsql.query.list_macros import OVER_LISTS, Macro, list_macros
from recsql.query.needs import made_from, needed_by
from recsql.query.plan import unmet, usual
from recsql.query.templates import reads, rendered
from tests.support import OF_USERS, SETTINGS, fetched, near

pytestmark = pytest.mark.engine

# Two lists are all that they have.
ELSEWHERE = {"ties", "f1_average", "zero_ideal", "gain_map", "catalog_size", "weighting"}  # options that aren't drawn
NEEDED = {"catalog_size": 100}
PRESETS = [None, *catalog().presets]
FIELDS = {"k", "relevant", "returned", "list_length"}  # the statistics that the macros for the hits give
NUMBERS: dict[str, list[Any]] = {
    "discount_p": [0.5, 1],
    "beta": [0.5, 2],
    "rbp_p": [0.5, 1],
    "err_max_grade": [12, 20],
    "relevance_threshold": [0, 1, 2.5],
    "hit_at_least": [1, 2, 3, "all"],
    "user_coverage_at_least": [1, 3],
    "interpolated_precision_recall": [0, 0.3, 1],
    "pauc_negatives": [1, 3],
    **{f"utility_{counted}": [-2, 0, 0.5] for counted in ("tp", "fp", "fn", "tn")},
}
LISTS = "['a', 'b', 'c', 'd'], ['b', 'x', 'd'], 3"

some = settings(max_examples=6, deadline=None, derandomize=True)
many = settings(max_examples=40, deadline=None, derandomize=True)


def known(given: Mapping[str, Any]) -> dict[str, Any]:
    """All options as the macros take them."""
    options = catalog().options
    return usual(given.get("like")) | {name: parse_value(options[name], value) for name, value in given.items()}


def create(con: duckdb.DuckDBPyConnection, options: Mapping[str, Any], macros: Sequence[Macro], schema: str = "recsql") -> None:
    """Creates the macros, and that for the discount, which the macro file has for all."""
    con.execute(f"create schema if not exists {schema}")
    context = {**known(options), "x": "rank", "double": "cast({} as double)".format}
    discount = rendered(catalog().expressions["discount_at"].path, context)
    for one in [Macro("discount", "rank", discount, ""), *macros]:
        text = f"create or replace macro recsql.{one.name}({one.parameters}) as (\n{one.body}\n)"
        con.execute(text.replace("recsql.", f"{schema}."))


@cache
def usual_macros(like: str | None) -> list[Macro]:
    options = in_convention(like)
    return list_macros(known(options), computable(options))


def in_convention(like: str | None) -> dict[str, Any]:
    return NEEDED | ({"like": like} if like else {})


def computable(options: Mapping[str, Any]) -> list[str]:
    return [name for name in OF_USERS if not unmet(name, known(options) | {"ties": "item_asc"})]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the macros under the usual options."""
    with duckdb.connect() as connection:
        create(connection, NEEDED, usual_macros(None))
        yield connection


# -- the text


def test_every_statistic_is_there() -> None:
    """And none that no metric reads."""
    read = {name for metric in OF_USERS for source in made_from(metric) for name in needed_by(source)}
    statistics = {name for name, source in catalog().statistics.items() if OVER_LISTS in source.further}
    # For ties, from train, with spans, within a budget, with weights.
    elsewhere = {"split_precision", "seen_not_relevant", "useful", "rows_in_force", "hit_weights", "total_gain", "total_weight"}
    assert read & catalog().statistics.keys() - elsewhere == statistics | FIELDS


@pytest.mark.parametrize("like", PRESETS)
def test_people_can_read_it(like: str | None) -> None:
    """Also in the macro file, which indents it and renames the schema."""
    found = usual_macros(like)
    assert sum(len(text) for one in found for text in one) < 42_000
    for one in found:
        assert max(map(len, one.body.splitlines())) <= 156, one.name
        assert not re.search(r"[ \t]+$|\n\n", one.body, re.MULTILINE), one.name
        assert not [text for text in LITERAL.findall(one.body) if "recsql." in text]
        assert one.comment


def test_a_file_has_only_what_its_metrics_need() -> None:
    found = {one.name: one for one in list_macros(known({}), ["precision"])}
    assert found.keys() == {"precision", "list_hits", "list_ranks", "list_check", "list_relevance", "list_cutoff"}
    assert "whole" not in found["list_ranks"].parameters
    assert "rejected" not in found["list_ranks"].body


@pytest.mark.parametrize("like", PRESETS)
def test_the_examples(like: str | None) -> None:
    """Each has its value; by default, every metric has one."""
    examples = [one.example for one in usual_macros(like) if one.example]
    assert like is not None or len(examples) == len(OF_USERS)
    with duckdb.connect() as con:
        create(con, in_convention(like), usual_macros(like))
        for call, value in (example.rsplit(" = ", 1) for example in examples):
            assert f"{con.execute(f'select round({call}, 4)').fetchall()[0][0]}" == value, call


def test_an_example_is_left_out_if_it_may_have_another_value() -> None:
    def examples(**options: Any) -> set[str]:
        return {one.name for one in list_macros(known(NEEDED | options), OF_USERS) if one.example}

    assert examples(relevance_threshold=4) == set()
    assert {*OF_USERS} - examples(discount="none") == {"dcg", "idcg", "ndcg"}
    assert {*OF_USERS} - examples(precision_denominator="returned") == {"f1", "precision"}
    assert {*OF_USERS} - examples(relevant="present") == {
        "bpref",
        "cg",
        "judged",
        "rbp_residual",
    }  # whose examples have a relevance
    assert examples(duplicates="last", zero_ideal="zero") == {*OF_USERS}


# -- the same values as over tables


@cache
def drawable() -> list[str]:
    """The options that these macros read."""
    paths = [source.path for source in (*catalog().lists.values(), *(catalog().metrics[name] for name in OF_USERS))]
    paths += [f"{source.path}|{OVER_LISTS}" for source in catalog().statistics.values() if OVER_LISTS in source.further]
    names = {name for path in paths for name in reads(path)} & catalog().options.keys()
    return sorted(names - ELSEWHERE)


def drawn(draw: random.Random) -> dict[str, Any]:
    """Options of some users' lists: a preset or none, and a few others."""
    names = draw.sample(drawable(), draw.choice([0, 1, 1, 2, 3]))
    usable = {name: [one for one in catalog().options[name].choices if one != "error"] or NUMBERS[name] for name in names}
    options = {"err_max_grade": 12, **{name: draw.choice(values) for name, values in usable.items()}}
    if "discount_p" in options:
        options["discount"] = "geometric"
    if options.get("gain") == "map":
        options["gain_map"] = {-1: 0.25, 0: 0.5, 1: 7, 2: 1.5, 3: 2}
    if draw.random() < 0.4:
        options["like"] = draw.choice(sorted(catalog().presets))
    return {name: value for name, value in options.items() if not idle(catalog().options[name], known(options))}


def lists(draw: random.Random, *, text: bool, copies: bool, graded: bool, least: float = -1.0) -> list[dict[str, Any]]:
    """Some users with a list of items and one of relevant items, some of which are stated twice."""
    items: list[Any] = [f"item {n:02}" if text else n for n in range(12)]
    rows = []
    for user in range(30):
        recommended = draw.sample(items, draw.randrange(10))
        relevant = draw.sample(items, draw.randrange(1, 7))
        relevant += draw.sample(relevant, draw.choice([0, 0, 1]))
        if copies:
            recommended += draw.sample(recommended, len(recommended) // 3)
            draw.shuffle(recommended)
        relevance = [draw.choice([least, 0.0, 1.0, 2.0, 3.0]) for _ in relevant]
        rows.append({"user_id": user, "items": recommended, "relevant": relevant, "relevance": relevance if graded else None})
    return rows


def over_tables(
    con: duckdb.DuckDBPyConnection, metrics: Sequence[str], k: int, options: Mapping[str, Any]
) -> dict[str, dict[Any, float | None]]:
    """By metric and user: those without a list, or with nothing relevant, as the macros have no options for them."""
    whole = {"no_recs": "zero", "no_truth": "skip", "zero_ideal": "null", "users": "truth", "rank_by": "rank", "ties": "item_asc"}
    rows = recsql.per_user("recs", "truth", metrics, k, connection=con, **dict(options) | whole).to_pylist()
    return {metric: {row["user_id"]: row[metric] for row in rows} for metric in metrics}


def same_values(seed: int) -> None:
    draw = random.Random(seed)
    options = NEEDED | drawn(draw)
    own = catalog().presets[options["like"]].metrics if "like" in options else {}
    # A file has one convention for all metrics, and our names: Accuracy of ir_measures is auc.
    ours = [name for name in computable(options) if find_metric(name, options.get("like")).metric == name]
    has = catalog().presets[options["like"]].has if "like" in options else OF_USERS
    metrics = [name for name in ours if name not in own and name in has]
    copies, graded, k = known(options)["duplicates"] != "error", draw.random() < 0.7, draw.choice([1, 3, 5, 20])
    graded = graded or (known(options)["relevance_threshold"] or 0) > 1  # otherwise nothing is relevant
    least = 0.0 if known(options)["relevant"] == "present" else -1.0  # a gain below 0 is an error
    with duckdb.connect() as con:
        create(con, options, list_macros(known(options), metrics))
        con.register(
            "listed", pa.Table.from_pylist(lists(draw, text=draw.random() < 0.3, copies=copies, graded=graded, least=least))
        )
        unnested = "select user_id, unnest({0}) as item_id, generate_subscripts({0}, 1) as rank"
        con.execute(f"create temporary view recs as {unnested.format('items')} from listed")
        relevance = ", unnest(relevance) as relevance" if graded else ""
        con.execute(f"create temporary view truth as {unnested.format('relevant')}{relevance} from listed")
        calls = [f"recsql.{metric}(items, relevant, {k}{', relevance' if graded else ''}) as {metric}" for metric in metrics]
        rows = fetched(con, f"select user_id, {', '.join(calls)} from listed")
        for metric, expected in over_tables(con, metrics, k, options).items():
            found = {row["user_id"]: row[metric] for row in rows}
            assert expected, options
            assert {user: found[user] for user in expected} == near(expected)
            assert all(value is None for user, value in found.items() if user not in expected)


@some
@given(seed=st.integers(0, 10**6))
def test_the_values_of_tables(seed: int) -> None:
    same_values(seed)


@pytest.mark.thorough
@many
@given(seed=st.integers(0, 10**6))
def test_the_values_of_tables_at_length(seed: int) -> None:
    same_values(seed)


@pytest.mark.parametrize("metric", OF_USERS)
def test_ways_to_call(con: duckdb.DuckDBPyConnection, metric: str) -> None:
    """A cut-off of any type, with and without a relevance, at the whole list."""
    ways = [
        LISTS,
        f"{LISTS}::bigint",
        f"{LISTS}.0",
        f"{LISTS}, relevance := [1, 1, 1]",
        f"{LISTS}, [1, 1, 1]::float[]",
        f"{LISTS}, null",
        f"{LISTS[:-1]}'3'",
        f"{LISTS[:-1]}?",
    ]
    [values] = con.execute(f"select {', '.join(f'recsql.{metric}({way})' for way in ways)}", [3]).fetchall()
    assert len({*values}) == 1
    assert values[0] is not None
    ways = ["4", "null", "k := null", "'all'", "'ALL'", "k := 'all'"]
    [values] = con.execute(f"select {', '.join(f'recsql.{metric}({LISTS[:-1]}{way})' for way in ways)}").fetchall()
    assert len({*values}) == 1


@pytest.mark.parametrize("metric", OF_USERS)
def test_empty_and_missing_lists(con: duckdb.DuckDBPyConnection, metric: str) -> None:
    """A user without a list counts as over tables; without a truth, there is no value."""
    calls = [f"recsql.{metric}({given}, ['a'], 3)" for given in ("[]", "null", "null::varchar[]")]
    calls += [f"recsql.{metric}(['a'], {given}, 3)" for given in ("[]", "null")]
    [(empty, *missing, none, unknown)] = con.execute(f"select {', '.join(calls)}").fetchall()
    of_nothing: dict[str, float | None] = {"fn": 1, "idcg": 1, "first_rank": None, "miss_rate": 1, "auc": 0.5}
    of_nothing |= {
        "percentile_rank": 50,
        "accuracy": 0.99,
        "balanced_accuracy": 0.5,
        "npv": 0.99,
        "specificity": 1,
        "tn": 99,
        "rbp_residual": 1,
    }
    assert empty == of_nothing.get(metric, 0)
    assert missing == [empty, empty]
    assert (none, unknown) == (None, None)


def test_the_settings_of_a_session_change_no_value(con: duckdb.DuckDBPyConnection) -> None:
    """The lists have their items in opposite orders."""
    lists = "['a', 'b', 'c', 'd', 'e'], ['e', 'x', 'b', 'd']"
    values = [
        f"recsql.{metric}({lists}, {k}, {grades})" for metric in OF_USERS for k in (3, 5) for grades in ("null", "[1, 2, 3, 2]")
    ]
    usual = con.execute(f"select {', '.join(values)}").fetchall()
    con.execute("; ".join(f"set {setting}" for setting in SETTINGS))
    found = con.execute(f"select {', '.join(values)}").fetchall()
    con.execute("; ".join(f"reset {setting.partition(' ')[0]}" for setting in SETTINGS))
    assert found == usual


# -- wherever an expression may stand


@pytest.mark.parametrize("metric", OF_USERS)
def test_beside_the_same_names(con: duckdb.DuckDBPyConnection, metric: str) -> None:
    """In a lambda, and beside a table and its columns that are called as parameters, fields and lambda parameters are."""
    bodies = "\n".join(one.body for one in usual_macros(None))
    parameters = {
        name for found in re.findall(r"\blambda (\w+(?:, \w+)*):", bodies) for name in found.replace("_", "").split(", ")
    }
    names = sorted({"x", "k", "recommended", "relevance", *parameters})
    assert {"l", "s", "h"} <= parameters
    lists = LISTS.rpartition(",")[0]
    alone = ", ".join(f"recsql.{metric}({lists}, {k}, [1, 2, 3])" for k in (1, 2, 3))
    inside = [f"list_transform([1, 2, 3], lambda {name}: recsql.{metric}({lists}, {name}, [1, 2, 3]))" for name in names]
    [[expected, *found]] = con.execute(f"select [{alone}], {', '.join(inside)}").fetchall()
    assert found == [expected] * len(found)
    fields = {*names, *re.findall(r"'(\w+)':", bodies)}
    columns = ", ".join(f"{{'hits': [7], 'k': 7, 'rank': 7}} as {name}" for name in sorted(fields))
    tables = [f"(select ['a', 'b', 'c', 'd'] as items, ['b', 'x', 'd'] as truth, {columns}) as {name}" for name in names]
    call = f"recsql.{metric}({names[0]}.items, {names[0]}.truth, 3, [1, 2, 3])"
    assert con.execute(f"select {call} from {', '.join(tables)}").fetchall() == [(expected[2],)]


def test_in_a_query(con: duckdb.DuckDBPyConnection) -> None:
    """WHERE, ORDER BY, a view, a lateral column, an aggregate, a prepared call, a subquery and a lambda as a list."""
    with con.cursor() as own:
        own.execute(
            "create temporary table listed as from (values (1, ['a', 'b'], ['b'], 2), (2, ['c', 'd'], ['c', 'e'], 1),"
            " (3, ['f'], ['a'], 5), (4, null, ['a'], 1), (5, ['a'], null, 1)) as t(user_id, items, relevant, depth)"
        )
        own.execute("create temporary view scored as select user_id, recsql.rr(items, relevant, 2) as rr from listed")
        assert own.execute("from scored order by user_id").fetchall() == [(1, 0.5), (2, 1), (3, 0), (4, 0), (5, None)]
        found = own.execute("select user_id from listed where recsql.hit(items, relevant, depth) = 1 order by 1").fetchall()
        assert found == [(1,), (2,)]
        by = "recsql.ap(items, relevant) desc nulls last, user_id"
        assert own.execute(f"select user_id from listed order by {by}").fetchall() == [(1,), (2,), (3,), (4,), (5,)]
        rated = "select [0.5, 2] as rated, recsql.cg(items, relevant, 2, rated) as graded from listed where user_id = 2"
        assert own.execute(f"select graded from ({rated})").fetchall() == [(0.5,)]
        assert own.execute("select avg(recsql.recall(items, relevant, ?)) from listed", [2]).fetchall() == [(0.375,)]
        nested = "select recsql.recall((select list(i order by i) from range(3) as r(i)), list(user_id), 3) from listed"
        assert own.execute(nested).fetchall() == [(0.4,)]
        mapped = "recsql.recall(list_transform(items, lambda l: l || '!'), list_transform(relevant, lambda l: l || '!'))"
        assert own.execute(f"select {mapped} from listed where user_id = 2").fetchall() == [(0.5,)]


def test_an_argument_is_evaluated_once(con: duckdb.DuckDBPyConnection) -> None:
    drawn_lists = "list_transform(range(20), lambda i: cast(floor(random() * 1e9) as bigint))"
    assert con.execute(f"select sum(recsql.fp({drawn_lists}, [-1]) = 20) from range(50)").fetchall() == [(50,)]


def test_only_the_row_that_is_wrong_is_refused(con: duckdb.DuckDBPyConnection) -> None:
    rows = "(values (1, ['a', 'a'], ['a']), (2, ['a', 'b'], ['b']), (3, ['a', null], ['b'])) as t(id, items, relevant)"
    call = "recsql.precision(items, relevant, 2)"
    assert con.execute(f"select case when id = 2 then {call} end from {rows}").fetchall() == [(None,), (0.5,), (None,)]
    assert con.execute(f"select {call} from {rows} where id = 2").fetchall() == [(0.5,)]
    with pytest.raises(duckdb.InvalidInputException, match="item a appears more than once in the list; list it once"):
        con.execute(f"select {call} from {rows} where id < 3").fetchall()


def test_in_another_schema() -> None:
    """And beside the usual convention."""
    with duckdb.connect() as con:
        create(con, NEEDED, usual_macros(None))
        create(con, in_convention("trec_eval"), usual_macros("trec_eval"), "trec_eval")
        lists = "['a', 'b', 'c'], ['b', 'x', 'd'], 2"
        found = con.execute(f"select recsql.ap({lists}), trec_eval.ap({lists})").fetchall()
        assert found == [(0.25, pytest.approx(1 / 6))]


# -- what is refused

WRONG = {
    "['a', null], ['a'], 3": "recommended: item_id is NULL in a row (item_id NULL, rank 2)",
    "['a'], ['a', null], 3": "relevant: item_id is NULL in a row (item_id NULL)",
    "['a'], ['a'], 3, relevance := [1, 2]": "relevant: item_id is NULL in a row (item_id NULL)",
    "['a'], ['a', 'b'], 3, relevance := [1]": "relevant: relevance is NULL for item b; give every row a number",
    "['a'], ['a'], 3, relevance := ['nan'::double]": "relevant: relevance is nan for item a; give every row a number",
    "['a'], ['a'], 3, relevance := ['inf'::double]": "relevant: relevance is inf for item a; give every row a number",
    "['a', 'a'], ['a'], 3": "recommended: item a appears more than once in the list; list it once, or choose how",
    "['', ''], ['', 'a'], 3": "recommended: item '' appears more than once in the list",
    "['a'], [1], 3": "item_id is VARCHAR in recommended and INTEGER in relevant; cast one of them to the other's type",
    "'a', ['a'], 3": "recommended is VARCHAR, relevant VARCHAR[] and relevance",
    "['a'], ['a'], 3, 1": "recommended is VARCHAR[], relevant VARCHAR[] and relevance INTEGER; give LISTs",
    "[1.5], [1], 3": "item_id is DECIMAL(2,1) in recommended and INTEGER in relevant; cast one of them to the other's type",
    "['a'], ['a'], 0": "k: a cut-off is a whole number from 1 to 1000000, or all; found 0",
    "['a'], ['a'], 2.5": "k: a cut-off is a whole number from 1 to 1000000, or all; found 2.5",
    "['a'], ['a'], 1000001": "k: a cut-off is a whole number from 1 to 1000000, or all; found 1000001",
    "['a'], ['a'], 'ten'": "k: a cut-off is a whole number from 1 to 1000000, or all; found ten",
    "['a'], ['a'], ''": "k: a cut-off is a whole number from 1 to 1000000, or all; found none",
    "['a'], ['a'], [1, 2]": "k: a cut-off is a whole number from 1 to 1000000, or all; found [1, 2]",
    "['a'], ['a'], true": "k: a cut-off is a whole number from 1 to 1000000, or all; found true",
}


def refused(con: duckdb.DuckDBPyConnection, call: str) -> str:
    with pytest.raises(duckdb.InvalidInputException) as found:
        con.execute(f"select {call}").fetchall()
    return str(found.value).removeprefix("Invalid Input Error: ")


@pytest.mark.parametrize("metric", OF_USERS)
def test_what_is_refused(con: duckdb.DuckDBPyConnection, metric: str) -> None:
    for lists, says in WRONG.items():
        assert refused(con, f"recsql.{metric}({lists})").startswith(says), lists


@pytest.mark.parametrize(
    ("options", "call", "says"),
    [
        ({}, "err(['a'], ['a'], 3, relevance := [5])", "relevant: gain 5.0 is above that of the highest grade 4; set"),
        ({"gain": "map", "gain_map": {2: 1}}, "ndcg(['a'], ['a'], 3)", "gain_map: no gain for relevance 1.0 of item a; add one"),
        ({}, "idcg(['a'], ['a'], 3, relevance := [1e-9])", "relevant: item a has gain 1e-09; scale the relevance so"),
        ({}, "dcg(['b'], ['a'], 3, relevance := [1e9])", "relevant: item a has gain 1000000000.0; scale the relevance"),
        ({"catalog_size": 1}, "tn(['a'], ['b'], 3)", "catalog_size: 1 is too small; the two lists alone have 2 items"),
    ],
)
def test_what_some_refuse(options: Mapping[str, Any], call: str, says: str) -> None:
    with duckdb.connect() as con:
        create(con, options, list_macros(known(options), [call.partition("(")[0]]))
        assert refused(con, f"recsql.{call}").startswith(says)
        if "gain" not in says.partition(":")[0]:
            return
        create(con, options, list_macros(known(options), ["hit"]))  # which reads no gains
        assert con.execute("select recsql.hit(['a'], ['a'], 3, relevance := [1e-9])").fetchall() == [(1,)]
