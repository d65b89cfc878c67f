"""Slices in the shell: the macros give what Python gives, and read `by` as Python does."""

import random
import re
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

import recsql
from recsql.errors import RecsqlError
from recsql.slice_names import names_in
from recsql.slices import Slice, columns_of, quantiles_of, slices_in
from tests.random_data import random_data
from tests.support import arguments, fetched

TABLES = {
    "users": """
        select i as user_id, case when i % 4 = 0 then null else ['DE', 'FR', 'IT'][i % 3 + 1] end as country,
            case when i % 7 = 0 then null else i * 1.25 end as age, i % 2 = 0 as "Is ""it"" old?", i / 3 as height,
            cast(i / 10 as float) as weight, date '2020-01-01' + cast(i % 3 as integer) as since, 'it''s ' || i % 3 as "it's; --"
        from range(45) as r(i)
        """,
    "several": """
        select i % 30 as user_id, ['a', 'b', null][i % 3 + 1] as taste, i % 5 as level from range(45) as r(i)
        """,
    "lists": """
        select i as user_id, case i % 4 when 0 then [] when 1 then ['a', 'b'] when 2 then null else ['b', null] end as taste,
            [i % 3, i % 2] as level, 'x' as plain
        from range(45) as r(i)
        """,
    "past": "select i * i % 17 as user_id, i as item_id from range(200) as r(i)",
    "items": "select i as item_id, 'c' || i % 3 as category from range(15) as r(i)",
}


@pytest.fixture(scope="module")
def tables(con: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    data = random_data(5, users=40, models=("a", "b"))
    given = {"drawn_recs": data.recs_table("model", "user_id", "item_id", "rank"), "drawn_truth": data.truth_table()}
    with con.cursor() as cursor:
        for name, rows in given.items():
            cursor.register(name, rows)
        cursor.execute("create temporary table sliced_recs as select r.*, r.user_id % 3 as side from drawn_recs as r")
        cursor.execute(
            "create temporary table sliced_truth as select t.*, t.user_id % 5 as age, 'x' as own from drawn_truth as t"
        )
        for name, query in TABLES.items():
            cursor.execute(f"create temporary table sliced_{name} as {query}")
        yield cursor


def called(con: duckdb.DuckDBPyConnection, name: str, call: dict[str, Any]) -> Any:
    """The rows of a macro, or the sentence that refuses the call."""
    try:
        return fetched(con, f"from recsql.{name}({', '.join(tables_of(name))}{arguments(call)})")
    except duckdb.Error as error:
        return str(error).removeprefix("Invalid Input Error: ").partition("\n\nLINE ")[0]


def of_python(con: duckdb.DuckDBPyConnection, name: str, call: dict[str, Any]) -> Any:
    """The same of the function of this name."""
    try:
        tables = [table.strip("'") for table in tables_of(name)]
        return getattr(recsql, name)(*tables, connection=con, **call).to_pylist()
    except RecsqlError as error:
        return str(error)


def tables_of(name: str) -> list[str]:
    return ["'sliced_recs'", *(["'sliced_truth'"] if name != "item_metrics" else [])]


USERS: dict[str, Any] = {"segments": "sliced_users"}
BY: list[dict[str, Any]] = [
    {"by": "side"},  # of recs
    {"by": "own"},  # of truth
    {"by": "country", **USERS},
    {"by": ["country", "age", "side"], **USERS},  # truth has an age of another type
    {"by": "country,age[10,20,30.5],age[q3]", **USERS},
    {"by": ["height[q4]", "weight[0.1,2]", "weight", "since", "age[20]"], **USERS},
    {"by": ['Is "it" old?', "it's; --", 'Is "it" old? x it\'s; --'], **USERS},
    {"by": ["country x side x age[q2]", "AGE", "age[q2] x height[5,6,7]"], **USERS},
    {"by": ["taste", "taste x level[q2]", "level[1,3]"], "segments": "sliced_several"},
    {"by": ["taste", "taste x level", "plain x side"], "segments": "sliced_lists"},
    {"by": ["user_id[q2]", "model"], "segments": "sliced_users"},  # each user has lists of both models
    {"by": "taste", "segments": "sliced_several", "multiple": "error"},
    {"by": "taste", "segments": "sliced_lists", "multiple": "error"},
    {"by": "since[3]", **USERS},
    {"by": "country[q4]", **USERS},
    {"by": "colour", **USERS},
    {"by": "sid"},
    {"by": "taste"},
    {"by": "train.activity"},
    {"by": ["level", "Level"], "segments": "sliced_several"},
    USERS,
    {"multiple": "error"},
]
OF_EVALUATE: list[dict[str, Any]] = [
    {"by": "country", "min_users": 8, **USERS},
    {"by": ["country", "age[q3]"], "interval": 0.9, **USERS},
    {"by": "age[10,20]", "interval": 0.9, "f1_average": "of_means", "metrics": ["f1", "ndcg@5"], **USERS},
    {"by": ["age[5,10]", "side"], "like": "rectools", "metrics": ["ndcg", "ap", "hit"], **USERS},  # two queries
    {"by": ["train.activity", "train.activity[2,12] x country"], "train": "sliced_past", **USERS},
    {"by": "train.activity", "train": "sliced_past"},
    {"by": "age[q2] x train.activity", "train": "sliced_past", "users": "union", "no_truth": "zero"},
    {"by": "side", "no_recs": "skip", "metrics": "all", "catalog_size": 50},
    {"min_users": 3},
]


@pytest.mark.parametrize("call", [*BY, *OF_EVALUATE], ids=str)
def test_means(tables: duckdb.DuckDBPyConnection, call: dict[str, Any]) -> None:
    asked = {"metrics": ["ndcg", "hit"], "k": [2, 5], **call}
    found = called(tables, "evaluate", asked)
    assert found
    assert found == of_python(tables, "evaluate", asked)


@pytest.mark.parametrize("call", [*BY[::4], *OF_EVALUATE[3:6], {"by": "relevant", "segments": "sliced_taken"}], ids=str)
def test_values_of_users(tables: duckdb.DuckDBPyConnection, call: dict[str, Any]) -> None:
    tables.execute("create or replace temporary table sliced_taken as select 1 as user_id, 2 as relevant")
    asked = {"metrics": ["ndcg", "hit"], "k": [2, 5], **call}
    assert called(tables, "per_user", asked) == of_python(tables, "per_user", asked)


@pytest.mark.parametrize(
    "call",
    [
        *BY[1::4],
        {"by": ["country", "age[q2]"], "contributions": "true", **USERS},
        {"by": "age[q2]", "contributions": "true", "like": "rectools", "metrics": ["ndcg", "ap"], **USERS},  # two queries
        {"by": ["country x side"], "test": "wilcoxon", "baseline": "b", **USERS},
        *OF_EVALUATE[4:7],
        {"contributions": "true"},
        {"min_users": 2},
    ],
    ids=str,
)
def test_comparisons(tables: duckdb.DuckDBPyConnection, call: dict[str, Any]) -> None:
    asked = {"metrics": ["ndcg", "hit"], "k": 5, **call}
    assert called(tables, "compare", asked) == of_python(tables, "compare", asked)


@pytest.mark.parametrize(
    "call",
    [
        {"by": "side"},
        {"by": ["country", "age[q3]", "country x side"], "items": "sliced_items", **USERS},
        {"by": ["taste", "level[2]"], "segments": "sliced_lists", "min_users": 5, "interval": 0.9},
        {"by": ["train.activity", "side"], "train": "sliced_past", "metrics": ["novelty", "popularity", "entropy"]},
        {"by": "own"},  # of truth, which it doesn't have
        {"by": "train.activity"},
        {"segments": "sliced_users"},
    ],
    ids=str,
)
def test_all_lists_together(tables: duckdb.DuckDBPyConnection, call: dict[str, Any]) -> None:
    asked = {"metrics": ["entropy", "gini"], "k": [2, 5], "catalog_size": 60, **call}
    if "items" in call:
        asked.pop("catalog_size")
    assert called(tables, "item_metrics", asked) == of_python(tables, "item_metrics", asked)


def test_what_differs_from_python(tables: duckdb.DuckDBPyConnection) -> None:
    """A table train that nothing reads is refused, and segments without a column user_id are DuckDB's error."""
    for macro in ("evaluate", "per_user", "compare"):
        found = called(tables, macro, {"metrics": "hit", "by": "side", "train": "sliced_past"})
        assert found.startswith("train: it is read only for by = 'train.activity' and for seen here")
    tables.execute("create or replace temporary table sliced_nobody as select 'x' as taste, 7 as item_id")
    assert "user_id" in called(tables, "evaluate", {"metrics": "hit", "by": "taste", "segments": "sliced_nobody"})
    found = called(tables, "evaluate", {"metrics": "hit", "by": "train.activity", "train": "sliced_nobody"})
    assert found.startswith("sliced_nobody: there is no column user_id, whose rows train.activity counts")
    for name in ("segments", "train"):
        tables.execute("create or replace temporary table sliced_texts as select 'u1' as user_id, 'x' as taste, 7 as item_id")
        by = {"segments": "taste", "train": "train.activity"}[name]
        found = called(tables, "evaluate", {"metrics": "hit", "by": by, name: "sliced_texts"})
        assert found.startswith("user_id is BIGINT in sliced_recs and VARCHAR in sliced_texts; cast one of them")
    found = called(tables, "evaluate", {"metrics": "hit", "by": ["two\nlines"]})
    assert found.startswith("by: the column name two\nlines has a line break; rename it in a view")


def test_no_slices_if_by_is_null(tables: duckdb.DuckDBPyConnection) -> None:
    for null in ("null", "cast(null as varchar)", "cast(null as varchar[])"):
        text = f"select recsql.evaluate_sql('sliced_recs', 'sliced_truth', by := {null})"
        assert tables.execute(text).fetchall() == tables.execute(text.replace(f", by := {null}", "")).fetchall()


def test_other_calls_by_place(tables: duckdb.DuckDBPyConnection) -> None:
    """A number or a list of numbers without a name is k."""
    for k in ("5", "[2, 5]"):
        rows = tables.execute(f"select distinct e.k from recsql.evaluate('sliced_recs', 'sliced_truth', {k}) as e order by 1")
        assert [k for (k,) in rows.fetchall()] == ([5] if k == "5" else [2, 5])


# -- the text of a query, and how `by` is read

COLUMNS = ["country", "age", "Ägypten", "a b", "it's", 'x"y', "train.activity", "x", "UPPER", "a]b", "$$", "{% x %}"]
ENDS = ["1", "18", "25.5", "1e3", "-3", ".5", "0.1", "1e16", "1e-7", "123456789012", "x", "", "nan", "inf", " 40 ", "2"]


def written(draw: random.Random) -> str:
    """A slice as somebody could write it."""
    parts = []
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        column = draw.choice(COLUMNS)
        ends = draw.sample(ENDS, draw.randint(1, 3))
        cut = draw.choice(["", "", "[q4]", "[q100]", " [q2]", "[q1]", "[q101]", "[]", "[ q3 ]", f"[{','.join(sorted(ends))}]"])
        parts.append(column + cut)
    return draw.choice([" x ", " x ", "  x\t", "x"]).join(parts)


def values_of_by(number: int) -> Iterator[Any]:
    yield from ("", "a,", ",", "a,,b", "a, b ,c", "a[1,2],b[q2]", "a[1,b", "a]b,c", " a ", [], [""], ["a", " "], ["A", "a"])
    yield from ([f"c{n}" for n in range(16)], [f"c{n}" for n in range(17)], "a[1,10,100] x b", ["a,b", "c"], "\ta\n,b")
    draw = random.Random(7)
    for _ in range(number):
        texts = [written(draw) for _ in range(draw.choice([1, 1, 2, 4]))]
        yield draw.choice([texts, ",".join(texts)])


def read_in_python(value: Any) -> dict[str, Any] | str:
    try:
        slices = tuple(slices_in(names_in(value)))
    except RecsqlError as error:
        return str(error)
    return {"titles": [one.title for one in slices], "labels": [labels(one) for one in slices], "facts": facts(slices)}


def labels(one: Slice) -> str:
    """The segments as the order of a result has them."""
    return "".join(f" when '{label.text}' then {label.place}" for label in one.labels)


def facts(slices: tuple[Slice, ...]) -> set[str]:
    columns = columns_of(slices)
    found = {
        "with_columns": bool(columns),
        "with_activity": any(key.is_activity for one in slices for key in one.keys),
        "with_quantiles": bool(quantiles_of(slices)),
        "with_cuts": any(one.is_cut for one in columns),
        "with_crossed": any(one.is_crossed for one in columns),
        "with_order": any(one.is_ordered for one in slices),
    }
    return {name for name, holds in found.items() if holds}


def test_by_is_read_as_in_python(con: duckdb.DuckDBPyConnection) -> None:
    values = [*values_of_by(400)]
    refused = 0
    given = [arguments({"by": value}).partition(" := ")[2] for value in values]
    rows = ", ".join(f"({number}, cast({text} as union(name varchar, names varchar[])))" for number, text in enumerate(given))
    [(loops,)] = con.execute("select recsql.loops()").fetchall()
    [order] = re.findall(r"^== (\S+) ==\n\{%.is_ordered%\}\n +when [^\n]* then case s[.]segment", loops, re.MULTILINE)
    query = f"select recsql.slices_in(v.given, false, true) from (values {rows}) as v(number, given) order by v.number"
    for value, (found,) in zip(values, con.execute(query).fetchall(), strict=True):
        expected = read_in_python(value)
        if isinstance(expected, str):
            refused += 1
            assert found["fault"] == expected, value
            continue
        assert found["fault"] is None, value
        assert found["titles"] == expected["titles"], value
        assert {*found["facts"]} - {""} == expected["facts"], value
        ordered = [(place, text) for place, text in enumerate(expected["labels"], start=1) if text]
        told = "".join(f"\n        when {place} then case s.segment{text} end" for place, text in ordered)
        assert found["vals"][order] == told, value
    assert 50 < refused < len(values) - 50
