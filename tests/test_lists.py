"""Metrics over two lists: the same values as over tables, wherever an expression may stand."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recsql
from recsql.catalog import catalog
from recsql.headers import Option
from recsql.list_macros import shared
from recsql.list_options import taken
from recsql.lists import Lists, of_lists, of_one_list, reads_gains, reads_rejected
from recsql.plan import unmet, usual
from recsql.text import code
from tests.support import agree, arguments, fetched

pytestmark = pytest.mark.engine

METRICS = of_lists()
OPTIONS = {option.name: option for metric in METRICS for option in taken(metric)}
NEEDED = {"catalog_size": 99}
SCALE = {"err_max_grade": 12}  # above all gains
NUMBERS: dict[str, list[Any]] = {
    "discount_p": [0.5, 1],
    "beta": [0.5, 2],
    "rbp_p": [0.5, 1],
    "err_max_grade": [10, 20],
    "relevance_threshold": [0, 1, 2.5],
    "catalog_size": [50],
}
OWN_NAMES = ("l", "s", "e", "h", "r", "o", "options", "recommended", "relevance")  # of the templates
LISTS = "['a', 'b', 'c', 'd'], ['b', 'x', 'd'], 3"

some = settings(max_examples=6, deadline=None, derandomize=True)
many = settings(max_examples=20, deadline=None, derandomize=True)


def test_every_statistic_is_there() -> None:
    """And none that no metric reads."""
    lists = Lists(of_one_list(), gains=True)
    read = {name for metric in METRICS for name in lists.statistics(metric)}
    assert read == catalog().lists.keys() & catalog().statistics.keys()


@pytest.mark.parametrize("gains", [False, True])
@pytest.mark.parametrize(("graded", "options"), [(False, usual(None)), (True, usual(None)), (True, of_one_list())])
def test_what_a_list_needs_is_what_it_reads(options: Mapping[str, Any], *, graded: bool, gains: bool) -> None:
    lists = Lists(options, gains=gains, graded=graded)
    metrics = [metric for metric in METRICS if reads_gains(metric) == gains]
    wanted = lists.start.union(*(lists.statistics(metric) for metric in metrics))
    for name in lists.behind(wanted):
        assert {*lists.needs(name)} == {*re.findall(r"\bl\.([a-z_]+)", code(lists.field(name)))} - {"o"}, name


def test_metrics_start_from_the_hits() -> None:
    """Their statistics read nothing else."""
    for metric in METRICS:
        lists = Lists(of_one_list(), gains=reads_gains(metric), rejected=reads_rejected(metric))
        for name in {*lists.statistics(metric)} - lists.start:
            assert {*lists.needs(name)} <= lists.start, metric


def test_each_shared_text_has_a_macro_of_its_own() -> None:
    assert len({*shared().values()}) == len(shared())


# -- the same values as over tables


def drawn(draw: random.Random) -> dict[str, Any]:
    """Options of some users' lists: a preset or none, and a few others."""
    names = draw.sample(sorted(OPTIONS), draw.choice([0, 1, 1, 2, 3]))
    options = {name: value_of(OPTIONS[name], draw) for name in names if name != "gain_map"}
    if "discount_p" in options:
        options["discount"] = "geometric"
    if options.get("gain") == "map":
        options["gain_map"] = {-1: 0.25, 0: 0.5, 1: 7, 2: 1.5, 3: 2}
    if draw.random() < 0.4:
        options["like"] = draw.choice(sorted(catalog().presets))
    return options


def value_of(option: Option, draw: random.Random) -> Any:
    return draw.choice(option.choices or NUMBERS[option.name])


def lists(draw: random.Random, *, text: bool, copies: bool, graded: bool) -> list[dict[str, Any]]:
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
        relevance = [draw.choice([-1.0, 0.0, 1.0, 2.0, 3.0]) for _ in relevant]
        rows.append({"user_id": user, "items": recommended, "relevant": relevant, "relevance": relevance if graded else None})
    return rows


def over_tables(
    con: duckdb.DuckDBPyConnection, metrics: Sequence[str], k: int, options: Mapping[str, Any]
) -> dict[str, dict[Any, float | None]]:
    """By metric and user: those without a list, or with nothing relevant, as no macro over two lists has options for them."""
    whole = {"no_recs": "zero", "no_truth": "skip", "zero_ideal": "null", "users": "truth", "rank_by": "rank", "ties": "item_asc"}
    whole |= {"f1_average": "per_user"}
    rows = recsql.per_user("recs", "truth", metrics, k, connection=con, **whole | dict(options)).to_pylist()
    return {metric: {row["user_id"]: row[metric] for row in rows} for metric in metrics}


def asked(options: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Of some options those that a metric takes, with all metrics that take the same."""
    groups: dict[str, tuple[dict[str, Any], list[str]]] = {}
    for metric in METRICS:
        names = {option.name for option in taken(metric)} | {"like"}
        beside: dict[str, Any] = {**NEEDED, **SCALE, **options}
        handed = {name: value for name, value in beside.items() if name in names}
        if not unmet(metric, usual(options.get("like"), metric) | handed):
            groups.setdefault(str(handed), (handed, []))[1].append(metric)
    yield from groups.values()


def same_values(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    draw = random.Random(seed)
    options = drawn(draw)
    copies = options.get("duplicates", "error") != "error"
    graded = draw.random() < 0.7
    users = lists(draw, text=draw.random() < 0.3, copies=copies, graded=graded)
    con.register("listed", pa.Table.from_pylist(users))
    unnested = "select user_id, unnest({0}) as item_id, generate_subscripts({0}, 1) as rank"
    con.execute(f"create or replace temporary view recs as {unnested.format('items')} from listed")
    relevance = ", unnest(relevance) as relevance" if graded else ""
    con.execute(f"create or replace temporary view truth as {unnested.format('relevant')}{relevance} from listed")
    k = draw.choice([1, 3, 5, 20])
    for handed, metrics in asked(options):
        lists_of_user = f"items, relevant, {k}{', relevance := relevance' if graded else ''}{arguments(handed)}"
        calls = ", ".join(f"recsql.{metric}({lists_of_user}) as {metric}" for metric in metrics)
        rows = fetched(con, f"select user_id, {calls} from listed")
        for metric, expected in over_tables(con, metrics, k, handed).items():
            found = {row["user_id"]: row[metric] for row in rows}
            assert expected, options
            agree({user: found[user] for user in expected}, expected, 1e-12)
            assert all(value is None for user, value in found.items() if user not in expected)


@some
@given(seed=st.integers(0, 10**6))
def test_the_values_of_tables(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    with con.cursor() as cursor:
        same_values(cursor, seed)


@pytest.mark.thorough
@many
@given(seed=st.integers(0, 10**6))
def test_the_values_of_tables_at_length(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    with con.cursor() as cursor:
        same_values(cursor, seed)


@pytest.mark.parametrize("metric", METRICS)
def test_ways_to_call(con: duckdb.DuckDBPyConnection, metric: str) -> None:
    """With and without options, under each of its names, at the whole list."""
    needed = arguments(NEEDED) if metric == "tn" else ""
    ways = [
        f"{LISTS}{needed}",
        f"{LISTS}::bigint{needed}",
        f"{LISTS}, relevance := [1, 1, 1]{needed}",
        f"{LISTS}, null{needed}",
        f"{LISTS}, judged_only := 'false'{needed}",
        f"{LISTS}, judged_only := false{needed}",
        f"{LISTS[:-1]}'3'{needed}",
        f"{LISTS[:-1]}?{needed}",
    ]
    others = [f"recsql.{name}({way})" for name in catalog().metrics[metric].aliases for way in (ways[0], ways[5])]
    calls = [*(f"recsql.{metric}({way})" for way in ways), *others]
    [values] = con.execute(f"select {', '.join(calls)}", [3]).fetchall()
    assert len({*values}) == 1
    assert values[0] is not None
    whole = ", ".join(f"recsql.{metric}({LISTS[:-1]}{k}{needed})" for k in ("4", "null", "k := null"))
    [values] = con.execute(f"select {whole}").fetchall()
    assert len({*values}) == 1


# -- wherever an expression may stand


@pytest.mark.parametrize("metric", METRICS)
def test_in_a_lambda(con: duckdb.DuckDBPyConnection, metric: str) -> None:
    """Whatever its parameter is called: the names of the macro's own ones are reserved."""
    needed = arguments(NEEDED) if metric == "tn" else ""
    lists = LISTS.rpartition(",")[0]
    usual = ("x", "p", "i", "k", "d")
    for options, names in {"": usual, ", relevance := [1, 2, 3], like := 'returned'": ("x", *OWN_NAMES)}.items():
        alone = ", ".join(f"recsql.{metric}({lists}, {k}{options}{needed})" for k in (1, 2, 3))
        inside = [
            f"list_transform([1, 2, 3], lambda {name}: recsql.{metric}({lists}, k := {name}{options}{needed}))" for name in names
        ]
        [[expected, *found]] = con.execute(f"select [{alone}], {', '.join(inside)}").fetchall()
        assert found == [expected] * len(found)


def test_in_a_query(con: duckdb.DuckDBPyConnection) -> None:
    """WHERE, ORDER BY, a view, a lateral column, an aggregate and a subquery as a list, a column as an option."""
    with con.cursor() as own:
        own.execute(
            "create temporary table listed as from (values (1, ['a', 'b'], ['b'], 2, 'log2p1'),"
            " (2, ['c', 'd'], ['c', 'e'], 1, 'none'),"
            " (3, ['f'], ['a'], 5, 'ln1p'), (4, null, ['a'], 1, 'none'), (5, ['a'], null, 1, 'none'))"
            " as t(user_id, items, relevant, depth, discounts)"
        )
        own.execute("create temporary view scored as select user_id, recsql.rr(items, relevant, 2) as rr from listed")
        assert own.execute("from scored order by user_id").fetchall() == [(1, 0.5), (2, 1), (3, 0), (4, 0), (5, None)]
        found = own.execute("select user_id from listed where recsql.hit(items, relevant, depth) = 1 order by 1").fetchall()
        assert found == [(1,), (2,)]
        by = "recsql.ap(items, relevant) desc nulls last, user_id"
        assert own.execute(f"select user_id from listed order by {by}").fetchall() == [(1,), (2,), (3,), (4,), (5,)]
        discounted = "round(recsql.dcg(items, relevant, 2, discount := discounts), 4)"
        assert own.execute(f"select {discounted} from listed where user_id < 3 order by user_id").fetchall() == [
            (0.6309,),
            (1.0,),
        ]
        rated = "select [0.5, 2] as rated, recsql.cg(items, relevant, 2, rated) as graded from listed where user_id = 2"
        assert own.execute(f"select graded from ({rated})").fetchall() == [(0.5,)]
        nested = "select recsql.recall((select list(i order by i) from range(3) as r(i)), list(user_id), 3) from listed"
        assert own.execute(nested).fetchall() == [(0.4,)]


def test_only_the_row_that_is_wrong_is_refused(con: duckdb.DuckDBPyConnection) -> None:
    rows = "(values (1, ['a', 'a'], ['a']), (2, ['a', 'b'], ['b']), (3, ['a', null], ['b'])) as t(id, items, relevant)"
    for options in ("", ", like := 'sklearn'"):
        call = f"recsql.precision(items, relevant, 2{options})"
        assert con.execute(f"select case when id = 2 then {call} end from {rows}").fetchall() == [(None,), (0.5,), (None,)]
        assert con.execute(f"select {call} from {rows} where id = 2").fetchall() == [(0.5,)]
        with pytest.raises(duckdb.InvalidInputException, match="item a appears more than once in the list; list it once"):
            con.execute(f"select {call} from {rows} where id < 3").fetchall()


WRONG = {
    "['a', null], ['a'], 3": "recommended: item_id is NULL in a row (item_id NULL, rank 2)",
    "['a'], ['a', null], 3": "relevant: item_id is NULL in a row (item_id NULL)",
    "['a'], ['a'], 3, relevance := [1, 2]": "relevant: item_id is NULL in a row (item_id NULL)",
    "['a'], ['a', 'b'], 3, relevance := [1]": "relevant: relevance is NULL for item b; give every row a number",
    "['a'], ['a'], 3, relevance := ['nan'::double]": "relevant: relevance is nan for item a; give every row a number",
    "['a'], ['a'], 3, relevance := ['inf'::double]": "relevant: relevance is inf for item a; give every row a number",
    "['a', 'a'], ['a'], 3": "recommended: item a appears more than once in the list; list it once, or choose how",
    "['a'], ['a'], 0": "k: a cut-off is a whole number from 1 to 1000000, or all; found 0",
    "['a'], ['a'], 2.5": "k: a cut-off is a whole number from 1 to 1000000, or all; found 2.5",
    "['a'], ['a'], 'ten'": "k: a cut-off is a whole number from 1 to 1000000, or all; found ten",
    "['a'], ['a'], 3, gain := 'exp'": "gain: unknown value 'exp'; did you mean exp2? choose one of linear, binary, exp2",
    "['a'], ['a'], 3, ideal := 'zzz'": "ideal: unknown value 'zzz'; choose one of truth, constant",
    "['a'], ['a'], 3, like := 'ranxx'": "like: unknown value 'ranxx'; did you mean ranx? choose one of cornac",
    "['a'], ['a'], 3, relevance_threshold := 'nan'::double": "relevance_threshold: nan is not a number",
    "['a'], ['a'], 3, gain_map := map {1: 2}": "gain_map: it applies only if gain = 'map'; set that as well, or",
}


@pytest.mark.parametrize("metric", ["hit", "ndcg", "tn"])
def test_what_is_refused(con: duckdb.DuckDBPyConnection, metric: str) -> None:
    """By a metric without gains, one with them, and one that needs an option."""
    needed = arguments(NEEDED) if metric == "tn" else ""
    for lists, says in WRONG.items():
        with pytest.raises(duckdb.InvalidInputException) as refused:
            con.execute(f"select recsql.{metric}({lists}{needed})").fetchall()
        assert str(refused.value).removeprefix("Invalid Input Error: ").startswith(says), lists


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("bpref(['a'], ['a'], 3, truth_window := 'k')", "bpref can't be computed with truth_window = 'k'; choose another value"),
        ("err(['a'], ['a'], 3, relevance := [5])", "relevant: gain 5.0 is above that of the highest grade 4; set err_max_grade"),
        ("f1(['a'], ['a'], 3, beta := 0)", "beta: 0 is not above 0"),
        ("f1(['a'], ['a'], 3, beta := 'much')", "beta: much is not a number"),
        ("tn(['a'], ['a'], 3, catalog_size := 4.5)", "catalog_size: 4.5 is not a whole number"),
        ("dcg(['a'], ['a'], 3, discount := 'geometric', discount_p := 1.5)", "discount_p: 1.5 is not above 0 and at most 1"),
        ("dcg(['a'], ['a'], 3, discount_p := 0.5)", "discount_p: it applies only if discount = 'geometric'; set that as well"),
        ("ndcg(['a'], ['a'], 3, gain := 'map', gain_map := map {2: 1})", "gain_map: no gain for relevance 1.0 of item a"),
        ("idcg(['a'], ['a'], 3, relevance := [1e-9])", "relevant: item a has gain 1e-09; scale the relevance"),
    ],
)
def test_what_some_refuse(con: duckdb.DuckDBPyConnection, call: str, says: str) -> None:
    with pytest.raises(duckdb.InvalidInputException) as refused:
        con.execute(f"select recsql.{call}").fetchall()
    assert str(refused.value).removeprefix("Invalid Input Error: ").startswith(says)
