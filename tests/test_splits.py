"""Splits: the cases of each protocol in Python and in the shell, and against an oracle in plain Python on random interactions."""

import random
import tomllib
from collections.abc import Mapping, Sequence
from hashlib import md5
from math import ceil
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql

FOLDER = Path(__file__).parent / "cases" / "split"
FILES = {path.stem: tomllib.loads(path.read_text()) for path in sorted(FOLDER.glob("*.toml")) if path.stem != "leave_one_out"}
CASES = [(protocol, found | {**case}) for protocol, found in FILES.items() for case in found["case"]]
COLUMNS = ("user_id", "item_id", "timestamp", "rating")
Row = tuple[Any, ...]  # fold if there are several, user, item, timestamp, part


def table(rows: Sequence[Row]) -> pa.Table:
    """Interactions; cells that are not given are NULL."""
    width = max(map(len, rows))
    return pa.table({name: [(*row, *[None] * 4)[place] for row in rows] for place, name in enumerate(COLUMNS[:width])})


def rows_of(interactions: Mapping[str, Sequence[Sequence[Any]]]) -> list[Row]:
    return [(user, *row) for user, rows in interactions.items() for row in rows]


def in_python(interactions: Any, **options: Any) -> list[Row]:
    rows: list[dict[str, Any]] = recsql.split(interactions, **options).to_pylist()
    return sorted(map(ordered, rows), key=repr)


def in_shell(con: duckdb.DuckDBPyConnection, **options: Any) -> list[Row]:
    given = "".join(f', "{name}" := {value!r}' for name, value in options.items())
    rows = con.sql(f"from recsql.split('interactions'{given})")
    found = [dict(zip(rows.columns, row, strict=True)) for row in rows.fetchall()]
    return sorted(map(ordered, found), key=repr)


def ordered(row: Mapping[str, Any]) -> Row:
    fold = (row["fold"],) if "fold" in row else ()
    return (*fold, row["user_id"], row["item_id"], row.get("timestamp"), row["part"])


def expected(found: Mapping[str, Any]) -> list[Row]:
    """The rows of a case: those that no part names are train."""
    if "rows" in found:
        return sorted(map(tuple, found["rows"]), key=repr)
    folds: dict[Row, Any] = {(int(fold),): parts for fold, parts in found.get("folds", {}).items()} or {(): found["parts"]}
    given = [(user, *(*row, None)[:2]) for user, *row in rows_of(found["interactions"])]
    kept = [row for row in given if row[1] not in found.get("left_out", {}).get(row[0], "")]
    return sorted(((*fold, *row, part_of(row, parts)) for fold, parts in folds.items() for row in kept), key=repr)


def part_of(row: Row, parts: Mapping[str, Mapping[str, str]]) -> str:
    return next((part for part, users in parts.items() if row[1] in users.get(row[0], "")), "train")


@pytest.mark.parametrize(("protocol", "found"), CASES, ids=[f"{name}: {found['about']}" for name, found in CASES])
def test_the_parts_are_those_of_the_case(connection: duckdb.DuckDBPyConnection, protocol: str, found: Mapping[str, Any]) -> None:
    interactions, options = table(rows_of(found["interactions"])), {"protocol": protocol} | found.get("options", {})
    connection.register("interactions", interactions)
    if "error" in found:
        with pytest.raises(recsql.RecsqlError) as refused:
            in_python("interactions", connection=connection, **options)
        with pytest.raises(duckdb.Error) as failed:
            in_shell(connection, **options)
        assert found["error"] in str(refused.value)
        assert found["error"] in str(failed.value)
    else:
        python = in_python("interactions", connection=connection, **options)
        assert python == expected(found)
        assert in_shell(connection, **options) == python


def test_the_hashes_in_the_comments_are_those_of_md5() -> None:
    for name in ("random", "k_fold"):
        for user, items in {"u1": "a .552 b .353 c .791 d .984 e .789", "u4": "a .606 b .032 c .139"}.items():
            assert f"{user}: {items}" in (FOLDER / f"{name}.toml").read_text()
            for item, share in zip(*[iter(items.split())] * 2, strict=True):
                assert f"{drawn(f'{user}:{item}:0'):.3f}" == f"0{share}"
    for user, share in {"u1": 0.599, "u2": 0.170, "u3": 0.172, "u4": 0.947}.items():
        assert round(drawn(f"{user}:0"), 3) == share


def drawn(text: str) -> float:
    return int(md5(text.encode()).hexdigest()[:8], 16) / 2**32


# -- an oracle


def oracle(rows: Sequence[Row], protocol: str, **options: Any) -> list[Row]:
    """The split of distinct rows (user, item, time), worked out row by row."""
    if protocol == "temporal":
        cut, gap = options["cut"], options.get("gap", 0)
        end = cut + gap + options.get("window", 10**9)
        parts = {row: "train" if row[2] < cut else "truth" if cut + gap <= row[2] < end else "unused" for row in rows}
        return [(*row, parts[row]) for row in rows]
    if protocol == "backtest":
        cuts = [options["cut"] + i * options["window"] for i in range(options["folds"])]
        return [(i, *row) for i, cut in enumerate(cuts, 1) for row in oracle(rows, "temporal", cut=cut, window=options["window"])]
    if protocol == "k_fold":
        fold = {row: int(drawn(f"{row[0]}:{row[1]}:{options['seed']}") * options["folds"]) for row in rows}
        return [(i + 1, *row, "truth" if fold[row] == i else "train") for i in range(options["folds"]) for row in rows]
    if protocol == "random":
        return [
            (*row, "truth" if drawn(f"{row[0]}:{row[1]}:{options['seed']}") < options["fraction"] else "train") for row in rows
        ]
    found = []
    for user in {row[0] for row in rows}:
        own = sorted((row for row in rows if row[0] == user), key=lambda row: (row[2], row[1]), reverse=True)
        held = options["n"] if protocol == "last_n" else ceil(round(options["fraction"] * len(own), 6))
        found += [(*row, "truth" if place < min(held, len(own) - 1) else "train") for place, row in enumerate(own)]
    return found


ASKED = {
    "temporal": {"protocol": "temporal", "cut": 12},
    "gap and window": {"protocol": "temporal", "cut": 10, "gap": 2, "window": 4},
    "backtest": {"protocol": "backtest", "cut": 8, "window": 4, "folds": 3},
    "last_n": {"protocol": "last_n", "n": 3},
    "last_fraction": {"protocol": "last_fraction", "fraction": 0.3},
    "random": {"protocol": "random", "fraction": 0.3, "seed": 7},
    "k_fold": {"protocol": "k_fold", "folds": 4, "seed": 3},
}


def interactions_of(seed: int) -> list[Row]:
    """Random interactions, no pair of user and item twice."""
    chosen = random.Random(seed)
    pairs = {(chosen.randrange(30), chosen.randrange(40)) for _ in range(300)}
    return [(*pair, chosen.randrange(20)) for pair in sorted(pairs)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", ASKED.values(), ids=ASKED)
def test_random_interactions(options: Mapping[str, Any], seed: int) -> None:
    rows = interactions_of(seed)
    assert in_python(table(rows), **options) == sorted(oracle(rows, **options), key=repr)


@pytest.mark.parametrize("options", ASKED.values(), ids=ASKED)
def test_order_of_rows_and_threads_do_not_matter(options: Mapping[str, Any]) -> None:
    rows = interactions_of(5)
    mixed = random.Random(1).sample(rows, len(rows))
    with duckdb.connect(config={"threads": 1}) as con:
        assert in_python(table(mixed), connection=con, **options) == in_python(table(rows), **options)


@pytest.mark.parametrize("name", ["random", "k_fold"])
def test_a_new_user_moves_nobody(name: str) -> None:
    rows = interactions_of(6)
    before, after = (in_python(table(some), **ASKED[name]) for some in (rows, [*rows, (99, 1, 1), (99, 2, 5)]))
    assert [row for row in after if 99 not in row[:2]] == before


def test_users_are_drawn_by_themselves() -> None:
    rows = interactions_of(7)
    options = {"protocol": "users", "fraction": 0.4, "seed": 3}
    before, after = (in_python(table(some), **options) for some in (rows, [*rows, (99, 1, 1), (99, 2, 5)]))
    assert [row for row in after if row[0] != 99] == before
    chosen = {row[0] for row in before if row[-1] != "train"}
    assert chosen == {user for user in {row[0] for row in rows} if drawn(f"{user}:3") < 0.4}
    assert not chosen & {row[0] for row in before if row[-1] == "train"}


@pytest.mark.parametrize("cut", [8, 12, 15])
def test_no_train_at_or_after_the_cut(cut: int) -> None:
    found = in_python(table(interactions_of(8)), protocol="temporal", cut=cut, gap=1, window=3, validation="true")
    last = {part: max(row[2] for row in found if row[-1] == part) for part in ("train", "validation")}
    first = {part: min(row[2] for row in found if row[-1] == part) for part in ("validation", "truth")}
    assert last["train"] < first["validation"] <= last["validation"] < cut < first["truth"]


def core(rows: Sequence[Row], k: int) -> list[Row]:
    """The k-core, row by row: whoever has too few goes, until nobody does."""
    while True:
        users, items = ([row[place] for row in rows] for place in (0, 1))
        kept = [row for row in rows if users.count(row[0]) >= k and items.count(row[1]) >= k]
        if len(kept) == len(rows):
            return kept
        rows = kept


@pytest.mark.parametrize("k", [4, 5])
def test_the_core_is_what_repeated_counting_leaves(k: int) -> None:
    rows = interactions_of(9)
    left = core(rows, k)
    assert 0 < len(left) < len(rows)
    found = in_python(table(rows), protocol="last_n", core=k)
    assert [row[:3] for row in found] == sorted(left, key=repr)
