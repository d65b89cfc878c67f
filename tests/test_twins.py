"""A macro of the shell runs the query that Python renders for tables whose columns are unknown, to the letter."""

import json
import random
import string
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.catalog import catalog
from recsql.headers import Option
from tests.support import arguments, literal
from tests.test_shell import shell

BESIDE: dict[str, dict[str, Any]] = {
    "discount_p": {"discount": "geometric"},
    "gain_map": {"gain": "map"},
    "interval_method": {"interval": 0.9},
    "groups": {"interval": 0.9, "interval_method": "groups"},
    "seen": {"train": "past"},
    "train": {"seen": "drop"},
}
TYPED = ("k", "metrics", "gain_map")  # arguments that may be lists and maps; the macro makes text of the others
QUERY = ("with\n", "select q.model,")  # how a query begins, or one of several
USERS = [name for name in catalog().metrics_of("user") if name != "tn"]


def values(option: Option) -> list[Any]:
    numbers: dict[str, list[Any]] = {
        "number": [0.25, 1, 0.5],
        "integer": [100],
        "map": [{1: 1, 2: 3.5, 3: 1e20}],
        "table": ["some.users"],
    }
    return [0.8, 0.95] if option.name == "interval" else [*option.choices, *numbers.get(option.type, [])]


def options() -> dict[str, Option]:
    """The options that both take; those of slices have calls of their own."""
    ours = catalog().options_of(["user"]).items()
    return {name: one for name, one in ours if name not in ("like", "sample") and one.topic != "slices"}


def sliced() -> Iterator[dict[str, Any]]:
    """Calls with slices."""
    yield {"by": "country"}
    yield {"by": ["country", "a b", 'it\'s x "quoted"', "Upper"], "segments": "some.users", "interval": 0.9}
    yield {
        "by": ["age[q4]", "age[18,25.5,1e20]", "age[q4] x country x age[2]", "country x age"],
        "min_users": 5,
        "metrics": "hit",
    }
    yield {"by": ["age[18,25]", "x"], "like": "rectools", "metrics": ["ap", "ndcg"], "k": 10}  # two queries
    yield {"by": "train.activity", "train": "past", "segments": "users.parquet", "multiple": "error"}
    yield {"by": ["train.activity[1,1000]", "b[q2] x train.activity x c"], "train": "past", "no_truth": "zero", "users": "union"}


def every_value() -> Iterator[dict[str, Any]]:
    for name, option in options().items():
        for value in values(option):
            if name != "seen" or value != option.default:  # a train that nothing reads is refused
                yield {**BESIDE.get(name, {}), name: value}


def calls() -> Iterator[dict[str, Any]]:
    """Every metric, every value of every option, every preset."""
    yield {}
    yield {"metrics": ["ap", "ndcg@5"], "k": [10, 3]}
    yield {"metrics": ["f1@5", "precision@10"], "f1_average": "of_means"}
    yield {"k": "all"}
    yield {"metrics": "all", "k": 7, "catalog_size": 50}
    yield {"interval": 0.95}
    yield {"interval": 0.8, "metrics": "all", "k": 7, "catalog_size": 50, "duplicates": "count"}
    yield {"interval": 0.8, "metrics": ["f1@5", "precision@10"], "f1_average": "of_means"}
    yield {"interval": 0.95, "like": "replay", "k": 3}
    yield from sliced()
    yield from ({"interval": 0.9, "relevance_threshold": level, "metrics": ["ndcg", "err"]} for level in (-1, 0, 0.5))
    yield from ({"metrics": name} for name in USERS)
    aliases = [catalog().metrics[name].header["aliases"] for name in USERS]
    yield from ({"metrics": [alias for alias in place if alias]} for place in zip_longest(*aliases))
    yield from every_value()
    yield from ({"like": name, "metrics": "all", "k": [5, 10]} for name in catalog().presets)
    yield from ({"like": name, "no_recs": "skip", "duplicates": "count", "k": 3} for name in catalog().presets)


def drawn(number: int) -> Iterator[dict[str, Any]]:
    """Random calls."""
    random_ = random.Random(5)
    several = list(every_value())
    for _ in range(number):
        call: dict[str, Any] = {"k": random_.choice([5, [1, 20], "all"])}
        for _ in range(random_.randint(0, 5)):
            call |= random_.choice(several)
        if random_.random() < 0.3:
            call["like"] = random_.choice(list(catalog().presets))
        if random_.random() < 0.5:
            call["metrics"] = random_.sample(USERS, random_.randint(1, 6))
        yield call


def macro_text(con: duckdb.DuckDBPyConnection, call: Mapping[str, Any]) -> str:
    try:
        [(text,)] = con.execute(f"select recsql.evaluate_sql('recs', 'truth'{arguments(call)})").fetchall()
    except duckdb.InvalidInputException as error:
        return str(error).removeprefix("Invalid Input Error: ").partition("\n\nLINE ")[0]
    return str(text)


def macro_texts(con: duckdb.DuckDBPyConnection, calls: Sequence[Mapping[str, Any]]) -> list[str]:
    """The texts of several calls. Those whose arguments have the same types are the rows of one query, which is bound once."""
    alike: dict[tuple[Any, ...], list[int]] = {}
    for place, call in enumerate(calls):
        alike.setdefault(("by" in call, *(type(call.get(name)) for name in TYPED)), []).append(place)
    texts: dict[int, str] = {}
    for (sliced, *_), places in alike.items():
        together = [calls[place] for place in places]
        texts |= zip(places, [macro_text(con, call) for call in together] if sliced else of_rows(con, together), strict=True)
    return [texts[place] for place in range(len(calls))]


def of_rows(con: duckdb.DuckDBPyConnection, calls: Sequence[Mapping[str, Any]]) -> list[str]:
    """The texts of calls that are rows; an argument that a call leaves out is NULL, and the macro makes the others text."""
    names = sorted({name for call in calls for name in call})
    if not names:
        return [macro_text(con, call) for call in calls]
    rows = [", ".join(cell(name, call.get(name)) for name in names) for call in calls]
    given = "".join(f', "{name}" := c."{name}"' for name in names)
    columns = ", ".join(f'"{name}"' for name in names)
    values = ", ".join(f"({place}, {row})" for place, row in enumerate(rows))
    query = f"select recsql.evaluate_sql('recs', 'truth'{given}) from (values {values}) as c(place, {columns}) order by c.place"
    try:
        return [text for (text,) in con.execute(query).fetchall()]
    except duckdb.InvalidInputException:
        return [macro_text(con, call) for call in calls]  # one of them is refused


def cell(name: str, value: Any) -> str:
    text = "null" if value is None else literal(value)
    return text if name in TYPED else f"cast({text} as varchar)"


def python_text(call: Mapping[str, Any]) -> str:
    try:
        return recsql.sql("recs", "truth", columns="unknown", **call)
    except recsql.RecsqlError as error:
        return str(error).partition("; ")[0]


def test_the_same_text(con: duckdb.DuckDBPyConnection) -> None:
    asked = list(calls())
    for call, found in zip(asked, macro_texts(con, asked), strict=True):
        text = python_text(call)
        assert found == text, call
        assert text.startswith(QUERY), call


def test_the_same_text_of_drawn_calls(con: duckdb.DuckDBPyConnection) -> None:
    texts = {number: text for number, call in enumerate(drawn(100)) if (text := python_text(call)).startswith(QUERY)}
    asked = [call for number, call in enumerate(drawn(100)) if number in texts]
    for call, found, text in zip(asked, macro_texts(con, asked), texts.values(), strict=True):
        assert found == text, call
    assert len(texts) > 60


def test_the_text_runs_and_gives_what_python_gives(con: duckdb.DuckDBPyConnection) -> None:
    tables = {
        "twin_recs (model, user_id, item_id, rank)": "('a', 1, 7, 1), ('a', 1, 8, 2), ('b', 2, 9, 1)",
        "twin_truth (user_id, item_id, relevance)": "(1, 8, 2.0), (2, 9, 1.0), (3, 7, 3.0)",
    }
    for table, rows in tables.items():
        con.execute(f"create or replace temporary table {table.split()[0]} as from (values {rows}) as {table}")
    asked: list[dict[str, Any]] = [{}, {"like": "ranx", "k": 2}, {"like": "replay", "k": 2}, {"metrics": "all", "k": 1}]
    for call in asked:
        pasted = con.execute(recsql.sql("twin_recs", "twin_truth", columns="unknown", **call)).fetchall()
        assert con.execute(f"from recsql.evaluate('twin_recs', 'twin_truth'{arguments(call)})").fetchall() == pasted
        rows = recsql.evaluate("twin_recs", "twin_truth", connection=con, **call).to_pylist()
        assert pasted == [tuple(row.values()) for row in rows]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"columns": "known"}, "columns: unknown value 'known'"),
        ({"columns": "unknown", "dialect": None, "user": "uid"}, "columns: the names of columns"),
        ({"columns": "unknown", "users": pa.table({"user_id": [1]})}, "columns: users must be given by name"),
    ],
)
def test_what_it_refuses(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=says):
        recsql.sql("recs", "truth", **settings)


ODD = [
    "it's",
    'say "so"',
    "a; drop table kept",
    "--",
    "/* x",
    "$$",
    "$sql$",
    "two\nlines",
    "tab\t",
    "Жук",
    "\u2028",
    "back\\slash",
    "{{ x }}",
    "'||'",
]


def names() -> list[str]:
    random_ = random.Random(7)
    letters = "'\";-*/$\\ \n\té{}%|()" + string.ascii_letters
    return ODD + ["".join(random_.choices(letters, k=random_.randint(1, 12))) for _ in range(4)]


def test_a_name_stays_a_name_in_the_shell() -> None:
    """Whatever a table is called, the text has it in a literal, and the query reads that table and changes nothing.

    DuckDB's query_table finds no table with a double quote in its name: such a name is an error of DuckDB's.
    """
    script = [".read sql/recsql.sql", "create table kept as select 1 as x;"]
    tables = [f"t {name}" for name in names() if '"' not in name]
    for name in tables:
        table = name.replace('"', '""')
        script.append(f'create table "{table}" as select 1 as user_id, 7 as item_id, 1 as rank;')
    quoted = ['"' + name.replace('"', '""') + '"' for name in tables]
    literals = ["'" + name.replace("'", "''") + "'" for name in quoted]
    parts = [f"(select list(e.value) from recsql.evaluate({name}, {name}, k := 1, metrics := 'hit') as e)" for name in literals]
    script.append(
        f"select {', '.join(f'{part} as v{place}' for place, part in enumerate(parts))}, (select count(*) from kept) as kept;"
    )
    [row] = shell("\n".join(script))
    assert row.pop("kept") == 1
    assert {json.dumps(value) for value in row.values()} == {"[1.0]"}
