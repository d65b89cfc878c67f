"""`popularity`, `segments` and `candidates`, by hand and against the same in Python: nothing is random.

If it fails, a baseline recommends other items than the most popular ones, or those that it may not recommend.
"""

import hashlib
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.base.package import sql_root
from tests.support import macro_call, said_by, takes

Pair = tuple[Any, Any]
# Rows by item: a 3, b 2, c 2, d 1. User 1 has a (twice) and b, user 2 has a, b and c, user 3 has c and d.
TRAIN = [(1, "a"), (1, "a"), (1, "b"), (2, "a"), (2, "b"), (2, "c"), (3, "c"), (3, "d")]
RESULTS: dict[str, Callable[..., Any]] = {
    "popularity": recsql.popularity,
    "segments": recsql.segments,
    "candidates": recsql.candidates,
}


def table(rows: list[Pair], **types: pa.DataType) -> pa.Table:
    return pa.table(
        {name: pa.array([row[place] for row in rows], types.get(name)) for place, name in enumerate(("user_id", "item_id"))}
    )


def pairs(found: pa.Table) -> list[Pair]:
    return sorted(zip(found["user_id"].to_pylist(), found["item_id"].to_pylist(), strict=True))


def catalogue(items: Any) -> pa.Table:
    return pa.table({"item_id": pa.array(items)})


# -- popularity


def lists(found: pa.Table) -> dict[Any, list[Any]]:
    made: dict[Any, list[Any]] = defaultdict(list)
    for row in sorted(found.to_pylist(), key=lambda one: one["rank"]):
        made[row["user_id"]].append(row["item_id"])
        assert (row["model"], row["rank"]) == ("popularity", len(made[row["user_id"]]))
    return dict(made)


def test_the_most_popular_items_that_a_user_lacks() -> None:
    assert lists(recsql.popularity(table(TRAIN), 2)) == {1: ["c", "d"], 2: ["d"], 3: ["a", "b"]}
    assert lists(recsql.popularity(table(TRAIN), 1)) == {1: ["c"], 2: ["d"], 3: ["a"]}
    assert lists(recsql.popularity(table(TRAIN), "all")) == {1: ["c", "d"], 2: ["d"], 3: ["a", "b"]}


def test_new_users_get_lists_too() -> None:
    """User 9 is not in train; 1 is in both tables and gets one list."""
    users = table([(9, "z"), (1, "z"), (9, "y")])
    assert lists(recsql.popularity(table(TRAIN), 3, users)) == {1: ["c", "d"], 2: ["d"], 3: ["a", "b"], 9: ["a", "b", "c"]}


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ("drop", {1: ["c", "d"], 2: ["d"], 3: ["a", "b"], 9: ["a", "b", "c"]}),
        ("keep", {user: ["a", "b", "c"] for user in (1, 2, 3, 9)}),
        ("first", {1: ["a", "b", "c"], 2: ["a", "b", "c"], 3: ["c", "d", "a"], 9: ["a", "b", "c"]}),
    ],
)
def test_what_users_have_already(seen: str, expected: dict[int, list[str]]) -> None:
    """In Python and as a macro. A user's own items are in the order of the user's rows; of equal ones, the more popular first."""
    users = table([(9, "z")])
    assert lists(recsql.popularity(table(TRAIN), 3, users, seen=seen)) == expected
    with duckdb.connect() as con:
        con.execute((sql_root() / "recsql.sql").read_text("utf-8"))
        con.register("train", table(TRAIN))
        con.register("users", users)
        found = con.sql(f"from recsql.popularity('train', k := 3, users := 'users', seen := '{seen}')").to_arrow_table()
        assert lists(found) == expected
        with pytest.raises(duckdb.Error, match="seen: first come is not one of drop, keep, first"):
            con.sql("from recsql.popularity('train', seen := 'first come')").fetchall()


def test_what_users_had_most_often() -> None:
    own = [(1, "d"), (1, "d"), (1, "c"), (1, "b"), (1, "b")]
    rows = recsql.popularity(table([*own, (2, "b"), (2, "a")]), "all", seen="first")
    assert lists(rows) == {1: ["b", "d", "c", "a"], 2: ["b", "a", "d", "c"]}
    assert json.loads(rows.schema.metadata[b"recsql"])["options"] == [{"seen": "first"}]


def test_popularity_on_random_data() -> None:
    draw = random.Random(1)
    rows = [(draw.randrange(40), draw.choice(range(30))) for _ in range(600)]
    counts = Counter(item for _, item in rows)
    places = sorted(counts, key=lambda item: (-counts[item], item))
    owned = defaultdict(set)
    for user, item in rows:
        owned[user].add(item)
    expected = {user: [item for item in places if item not in items][:5] for user, items in owned.items()}
    assert lists(recsql.popularity(table(rows), 5)) == {user: items for user, items in expected.items() if items}


def test_it_can_be_evaluated() -> None:
    truth = table([(1, "d"), (3, "a")])
    [row] = recsql.evaluate(recsql.popularity(table(TRAIN), 2), truth, "rr", 2).to_pylist()
    assert (row["model"], row["value"]) == ("popularity", pytest.approx((1 / 2 + 1) / 2))


# -- segments


def test_the_segments_of_users() -> None:
    """Popularities: user 1 of d 1; user 2 of a and z (3 + 0) / 2; user 5 of z 0; user 4 has no relevant item.

    Of three users in order 5, 1, 2, each is a tercile.
    """
    truth = table([(1, "d"), (2, "a"), (2, "z"), (5, "z"), (4, "a")]).append_column("relevance", pa.array([1, 1, 2, 1, 0]))
    assert sorted(recsql.segments(table(TRAIN), truth).to_pylist(), key=str) == [
        {"user_id": 1, "activity": "3-20", "warm": "all", "mainstream": "q2"},
        {"user_id": 2, "activity": "3-20", "warm": "some", "mainstream": "q3"},
        {"user_id": 5, "activity": "0", "warm": "none", "mainstream": "q1"},
    ]


@pytest.mark.parametrize(
    ("events", "band"),
    [(0, "0"), (1, "1-2"), (2, "1-2"), (3, "3-20"), (20, "3-20"), (21, "21-100"), (100, "21-100"), (101, "101+")],
)
def test_the_bands_of_activity(events: int, band: str) -> None:
    rows = [*((1, f"item {n}") for n in range(events)), (2, "x")]
    assert recsql.segments(table(rows), table([(1, "x")]))["activity"].to_pylist() == [band]


def test_equal_users_are_in_one_tercile() -> None:
    """Popularities 1, 1, 1, 2: of the first three 0 users are below, of the last one 3 of 4."""
    train = table([(9, "a"), (9, "b"), (8, "b")])
    found = recsql.segments(train, table([(1, "a"), (2, "a"), (3, "a"), (4, "b")]))
    assert dict(zip(found["user_id"].to_pylist(), found["mainstream"].to_pylist(), strict=True)) == {
        **dict.fromkeys((1, 2, 3), "q1"),
        4: "q3",
    }


def test_they_are_a_table_for_slices() -> None:
    truth = table([(1, "d"), (2, "a"), (5, "z")])
    segments = recsql.segments(table(TRAIN), truth)
    rows = recsql.evaluate(table([(1, "d")]).append_column("rank", pa.array([1])), truth, "hit", 1, by="warm", segments=segments)
    assert [(row["segment"], row["value"], row["users"]) for row in rows.to_pylist()] == [
        (None, pytest.approx(1 / 3), 3),
        ("all", 0.5, 2),
        ("none", 0.0, 1),
    ]


# -- candidates


def part(text: str, of: int) -> int:
    """One of `of` numbers, by the first 32 bits of md5."""
    return int(hashlib.md5(text.encode()).hexdigest()[:8], 16) * of >> 32


def draws(truth: list[Pair], items: list[Any], train: list[Pair], n: int, draw: str, seed: int) -> list[Pair]:
    """The candidates, as documented: by draws from the items, or by a hash of each if that is no more work."""
    popular = Counter(item for _, item in train)
    weights = {item: 1 if draw == "uniform" else popular[item] for item in sorted({*items}) if draw == "uniform" or popular[item]}
    slots = [item for item, weight in weights.items() for _ in range(weight)]
    likeliest = sum(sorted(weights.values(), reverse=True)[:n])
    found: list[Pair] = sorted({*truth})
    for user in {user for user, _ in truth}:
        known = {item for owner, item in (*truth, *train) if owner == user}
        left = len(slots) - likeliest - sum(weights.get(item, 0) for item in known)
        enough = 2.0 * (n + 20) * len(slots) / left if left > 0 else math.inf
        if enough < len(weights):
            drawn = [slots[part(f"{user}:{i}:{seed}", len(slots))] for i in range(1, int(enough) + 1)]
            order = list(dict.fromkeys(drawn))
        else:
            hashes = {item: (part(f"{user}:{item}:{seed}", 2**31) + 0.5) / 2**31 for item in weights}
            order = sorted(weights, key=lambda item: (-math.log(hashes[item]) / weights[item], item))
        found += [(user, item) for item in order if item not in known][:n]
    return sorted(found)


@pytest.mark.parametrize("draw", ["uniform", "popularity"])
@pytest.mark.parametrize(("items", "n"), [(30, 5), (900, 5), (900, 100)])
def test_the_draws_are_those_of_md5(draw: str, items: int, n: int) -> None:
    """Few items: a hash of each; many: draws. With n = 100 of 900 and popularity, users differ in which of them is less work."""
    dice = random.Random(items + n)
    ids = [f"item {number}" for number in range(items)]
    train = [(dice.randrange(40), dice.choice(ids[dice.randrange(items // 3) :])) for _ in range(items * 6)]
    truth = [(user, dice.choice(ids)) for user in range(0, 60, 3) for _ in range(dice.randint(1, 3))]
    for seed in (0, 7):
        found = pairs(recsql.candidates(table(truth), catalogue(ids), table(train), n, draw, seed))
        assert found == draws(truth, ids, train, n, draw, seed)
    assert not {*found} & {*train} - {*truth}
    assert {*truth} <= {*found}


@pytest.mark.parametrize(("items", "n"), [(6, 1), (400, 1)])
def test_popular_items_are_drawn_as_often_as_they_are_popular(items: int, n: int) -> None:
    """One draw for each of 4,000 users, by a hash of each item and by draws."""
    train = [(-1, item) for item in range(items) for _ in range(1 + item % 3)]
    users = range(4000)
    truth = [(user, -1) for user in users]
    found = Counter(
        item % 3
        for _, item in pairs(recsql.candidates(table(truth), catalogue(range(items)), table(train), n, "popularity"))
        if item >= 0
    )
    total = sum(1 + item % 3 for item in range(items))
    for rest in range(3):
        share = sum(1 + item % 3 for item in range(items) if item % 3 == rest) / total
        assert found[rest] == pytest.approx(len(users) * share, abs=4 * math.sqrt(len(users) * share * (1 - share)))


def test_another_user_moves_nobody() -> None:
    ids, train = catalogue(range(50)), table([(1, 3)])
    alone = pairs(recsql.candidates(table([(1, 4)]), ids, train, 10))
    beside = pairs(recsql.candidates(table([(1, 4), (2, 9)]), ids, train, 10))
    assert [pair for pair in beside if pair[0] == 1] == alone


def test_sampled_ranks_order_models_otherwise() -> None:
    """Of 10,000 items A ranks the target 5th for 30 % of the users and 9,000th for the others, B 300th for all.

    Among all items, hit@10 is .3 for A and 0 for B; among 99 sampled ones, .3 and .999.
    """
    users, items = range(1000), 10_000
    truth = table([(user, 0) for user in users])
    drawn = recsql.candidates(truth, catalogue(range(items)), table([], user_id=pa.int64(), item_id=pa.int64()), 99)
    assert drawn.num_rows == 100 * len(users)
    recs = []
    for user, item in pairs(drawn):
        for model, target in (("A", 5 if user % 10 < 3 else 9000), ("B", 300)):
            recs.append((model, user, item, target if item == 0 else item if item < target else item + 1))
    names = ("model", "user_id", "item_id", "rank")
    lists = pa.table({name: [row[place] for row in recs] for place, name in enumerate(names)})
    full = recsql.evaluate(lists, truth, "hit", 10)
    assert full["value"].to_pylist() == pytest.approx([0.3, 0])
    with pytest.warns(UserWarning, match=re.escape("Ranks among 99 sampled items need not order models")) as warned:
        sampled = recsql.evaluate(lists, truth, "hit", 10, candidates=drawn)
    assert len(warned) == 1
    assert sampled["definition"].to_pylist() == ["hit(candidates=given)"] * 2
    assert sampled["value"].to_pylist() == [pytest.approx(0.3), pytest.approx(0.999, abs=0.002)]
    above = Counter(user for _, user, item, rank in recs[1::2] if item != 0 and rank < 300)
    assert sampled["value"][1].as_py() == pytest.approx(sum(above[user] < 10 for user in users) / len(users))


def test_how_they_were_drawn_is_written_down(tmp_path: Path) -> None:
    path = str(tmp_path / "drawn.parquet")
    given = table([(1, 4)]), catalogue(range(50)), table([(1, 3)]), 10, "uniform", 5
    assert recsql.candidates(*given, into=path) is None
    for schema in (pq.read_schema(path), recsql.candidates(*given).schema):
        report = json.loads(schema.metadata[b"recsql"])
        assert report["options"] == [{"seed": 5, "n": 10, "draw": "uniform"}]


# -- what is refused

NOBODY = table([], user_id=pa.int64(), item_id=pa.int64())
REFUSED: dict[str, tuple[str, list[pa.Table], dict[str, Any], str]] = {
    "a user without an id": (
        "popularity",
        [table([(1, 2), (None, 3)])],
        {},
        "train: user_id is NULL in a row (user_id NULL, item_id 3); leave such rows out or give them an id",
    ),
    "a truth without an id": (
        "segments",
        [table([(1, 2)]), table([(1, None)], item_id=pa.int64())],
        {},
        "truth: item_id is NULL in a row (user_id 1, item_id NULL); leave such rows out or give them an id",
    ),
    "ids of another type": (
        "segments",
        [table([(1, 2)]), table([("1", 2)])],
        {},
        "user_id is BIGINT in train and VARCHAR in truth; cast one of them to the other's type",
    ),
    "too few items": (
        "candidates",
        [table([(1, 2)]), catalogue([1, 2, 3]), table([(1, 3)])],
        {"n": 2},
        "items: user 1 has 1 items to draw from that are in neither truth nor train, and n is 2; lower n=, or give more items",
    ),
    "no items": (
        "candidates",
        [table([(1, 2)]), catalogue(pa.array([], pa.int64())), NOBODY],
        {"n": 2},
        "items: user 1 has 0 items to draw from that are in neither truth nor train, and n is 2; lower n=, or give more items",
    ),
    "ids that engines write differently": (
        "candidates",
        [table([(1.5, 2)]), catalogue([1, 2, 3]), table([(1.5, 3)])],
        {"n": 1},
        "truth: user_id is DOUBLE, which engines convert to text differently; cast it to a whole number or to text",
    ),
    "no draw": ("candidates", [NOBODY, catalogue([1]), NOBODY], {"n": 0}, "n: 0 is not at least 1"),
    "another draw": (
        "candidates",
        [NOBODY, catalogue([1]), NOBODY],
        {"draw": "log"},
        "draw: unknown value 'log'; choose one of uniform, popularity",
    ),
}
PARAMETERS = {"popularity": ["train"], "segments": ["train", "truth"], "candidates": ["truth", "items", "train"]}


def by_name(connection: duckdb.DuckDBPyConnection, function: str, tables: list[pa.Table]) -> list[str]:
    for name, one in zip(PARAMETERS[function], tables, strict=True):
        connection.register(name, one)
    return PARAMETERS[function]


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(connection: duckdb.DuckDBPyConnection, case: str) -> None:
    function, tables, options, sentence = REFUSED[case]
    names = by_name(connection, function, tables)
    with pytest.raises(recsql.RecsqlError, match=re.escape(sentence)):
        RESULTS[function](*names, connection=connection, **options)
    if takes(function, options):
        with pytest.raises(duckdb.InvalidInputException, match=re.escape(said_by(function, sentence))):
            connection.execute(macro_call(function, *names, **options)).fetchall()


@pytest.mark.parametrize("function", RESULTS)
def test_an_option_of_another_function(function: str) -> None:
    tables = [table([(1, 2)])] * len(PARAMETERS[function])
    with pytest.raises(recsql.UnknownName, match="unknown option 'order_by'; there are only the names of columns"):
        RESULTS[function](*tables, order_by="x")


def test_a_column_that_is_missing() -> None:
    with pytest.raises(recsql.BadInput, match="there is no column user_id"):
        recsql.popularity(catalogue(["a"]))


def test_a_new_user_without_an_id() -> None:
    with pytest.raises(recsql.BadInput, match="users: user_id is NULL in a row; leave such rows out or give them an id"):
        recsql.popularity(table(TRAIN), 2, table([(1, "z"), (None, "z")]))


@pytest.mark.parametrize("options", [{}, {"users": "new"}])
def test_no_interactions(options: dict[str, Any], connection: duckdb.DuckDBPyConnection) -> None:
    connection.register("past", NOBODY)
    connection.register("new", table([(1, 2)]))
    assert recsql.popularity("past", 5, connection=connection, **options).num_rows == 0
