"""Splits: the cases of each protocol in Python and in the shell, and against an oracle in plain Python on random interactions.

If it fails, a split puts rows of the future into train, or loses rows.
"""

import json
import random
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from hashlib import md5
from math import ceil
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.cli.command import main
from tests.support import fetched, macro_call, takes

FOLDER = Path(__file__).parents[1] / "cases" / "split"
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


def in_shell(con: duckdb.DuckDBPyConnection, protocol: str, **options: Any) -> list[Row]:
    return sorted(map(ordered, fetched(con, macro_call(f"split_{protocol}", "interactions", **options))), key=repr)


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


def in_macro(protocol: str, sentence: str) -> str:
    return sentence.replace(f"protocol='{protocol}'", f"split_{protocol}").replace("window: ", "period: ")


def part_of(row: Row, parts: Mapping[str, Mapping[str, str]]) -> str:
    return next((part for part, users in parts.items() if row[1] in users.get(row[0], "")), "train")


@pytest.mark.parametrize(("protocol", "found"), CASES, ids=[f"{name}: {found['about']}" for name, found in CASES])
def test_the_parts_are_those_of_the_case(connection: duckdb.DuckDBPyConnection, protocol: str, found: Mapping[str, Any]) -> None:
    """By Python, and by the macro if it is one of the default file; in its sentences numbers are doubles."""
    connection.register("interactions", table(rows_of(found["interactions"])))
    options = found.get("options", {})
    ways: list[Any] = [lambda: in_python("interactions", connection=connection, protocol=protocol, **options)]
    if takes(f"split_{protocol}", options):
        ways.append(lambda: in_shell(connection, protocol, **options))
    for way, error in zip(ways, [found.get("error", ""), in_macro(protocol, found.get("error", ""))], strict=False):
        if "error" in found:
            with pytest.raises((recsql.RecsqlError, duckdb.Error)) as refused:
                way()
            assert error in str(refused.value).replace(".0;", ";")
        else:
            assert way() == expected(found)


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


# -- the order of the rows


def last_by_row(rows: Sequence[Row], n: int, *, later: bool) -> set[Row]:
    """The last n rows of each user by time; of one time, those that are later in the table, or earlier."""
    own: dict[Any, list[Row]] = {}
    for row in rows if later else rows[::-1]:
        own.setdefault(row[0], []).append(row)
    return {row for of_user in own.values() for row in sorted(of_user, key=lambda row: row[2])[-n:]}


@pytest.mark.parametrize("kind", ["table", "view", "parquet", "csv"])
def test_ties_by_row(connection: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str) -> None:
    """Enough rows for several threads, of a few times."""
    rows = [(i * 7919 % 2003, i, i % 3) for i in range(200_000)]
    name = "many"
    connection.register("given", table(rows))
    if kind in ("parquet", "csv"):
        name = str(tmp_path / f"many.{kind}")
        connection.execute(f"copy given to '{name}'")
    else:
        connection.execute(f"create or replace temporary {kind} many as from given")
    for ties in ("row_last", "row_first"):
        found = recsql.split(name, connection=connection, protocol="last_n", n=5, ties=ties)
        truth = {tuple(map(int, row[:3])) for row in zip(*found.to_pydict().values(), strict=True) if row[3] == "truth"}
        assert truth == last_by_row(rows, 5, later=ties == "row_last")


def test_rows_without_an_order_are_refused(connection: duckdb.DuckDBPyConnection) -> None:
    connection.register("interactions", NUMBERS)
    options = {"protocol": "last_n", "like": "rectools", "cold_items": "keep"}
    sentence = "ties='row_last' needs the order of the rows, which preserve_insertion_order = false gives up; set it to true"
    connection.execute("set preserve_insertion_order = false")
    try:
        with pytest.raises(recsql.RecsqlError, match=sentence):
            in_python("interactions", connection=connection, **options)
        assert in_python("interactions", connection=connection, **options, ties="item")
    finally:
        connection.execute("reset preserve_insertion_order")


def test_a_column_of_the_name_of_the_row_is_refused() -> None:
    interactions = NUMBERS.append_column("Row_Place", [[1, 2]])
    with pytest.raises(recsql.RecsqlError, match="interactions: the column Row_Place already exists"):
        in_python(interactions, protocol="last_n", ties="row_last")
    assert in_python(interactions, protocol="last_n")


# -- times


def at(*texts: str, zone: str | None = None) -> pa.Table:
    """Interactions of one user, an item for each time."""
    times = [datetime.fromisoformat(text) for text in texts]
    if zone:
        times = [time.replace(tzinfo=UTC) for time in times]
    return pa.table(
        {"user_id": [1] * len(times), "item_id": range(len(times)), "timestamp": pa.array(times, pa.timestamp("us", zone))}
    )


def truth_of(interactions: pa.Table | Path, **options: Any) -> list[Any]:
    return [row[1] for row in in_python(interactions, **options) if row[-1] == "truth"]


DAYS = ("2026-02-27", "2026-02-28 23:59:59", "2026-03-01", "2026-03-07 12:00", "2026-03-08", "2026-03-31", "2026-04-01")


@pytest.mark.parametrize(
    ("options", "truth"),
    [
        ({"cut": "2026-03-01"}, [2, 3, 4, 5, 6]),
        ({"cut": date(2026, 3, 1), "window": timedelta(days=7)}, [2, 3]),
        ({"cut": "2026-03-01", "window": "7 days"}, [2, 3]),
        ({"cut": "2026-03-01", "window": "1w"}, [2, 3]),
        ({"cut": "2026-03-01", "window": "1 month"}, [2, 3, 4, 5]),
        ({"cut": "2026-03-01 00:00:01", "gap": "6 days", "window": "24h"}, [3, 4]),
        ({"cut": datetime(2026, 2, 28, 23, 59, 59), "window": "1 second"}, [1]),
    ],
    ids=str,
)
@pytest.mark.parametrize("zone", [None, "Asia/Tokyo"])
def test_cuts_in_time(options: dict[str, Any], truth: list[int], zone: str | None) -> None:
    """A column with a time zone is cut in UTC, whatever the zone of the column and of the session."""
    with duckdb.connect() as con:
        con.execute("set timezone = 'America/New_York'")
        assert truth_of(at(*DAYS, zone=zone), protocol="temporal", connection=con, **options) == truth


def test_a_cut_with_a_zone() -> None:
    """2026-03-01 00:59 in Berlin is before midnight in UTC."""
    for cut in ("2026-03-01T00:59:59+01:00", datetime.fromisoformat("2026-03-01T00:59:59+01:00")):
        assert truth_of(at(*DAYS, zone="UTC"), protocol="temporal", cut=cut) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Tokyo"])
def test_times_with_a_zone_in_a_file(zone: str) -> None:
    """A second before the cut in UTC is train, in whatever zone the session shows it."""
    with duckdb.connect() as con:
        con.execute(f"set timezone = '{zone}'")
        log = Path(__file__).parents[1] / "data/cases/zone.csv"
        assert truth_of(log, protocol="temporal", cut="2025-01-01", connection=con) == ["a", "b"]


def test_months_step_by_the_calendar() -> None:
    days = at("2026-01-15", "2026-02-15", "2026-03-15", "2026-04-15", "2026-05-02")
    found = in_python(days, protocol="backtest", cut="2026-02-01", window="1 month")
    assert {(row[0], row[2]) for row in found if row[-1] == "truth"} == {(1, 1), (2, 2), (3, 3)}


def test_dates(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "create or replace temporary table days as select 1 as user_id, i as item_id,"
        " date '2026-02-27' + cast(i as integer) as timestamp from range(5) as r (i)"
    )
    options = {"protocol": "temporal", "cut": "2026-03-01", "window": "2 days"}
    rows = recsql.split("days", connection=connection, **options)
    assert Counter(rows["part"].to_pylist()) == {"train": 2, "truth": 2, "unused": 1}
    assert rows.column_names == ["user_id", "item_id", "timestamp", "part"]


TIMES = at(*DAYS)
NUMBERS = table(rows_of({"u1": [["a", 1], ["b", 5]]}))
WRONG: dict[str, tuple[pa.Table, dict[str, Any], str]] = {
    "a number for a time": (TIMES, {"cut": 5}, "cut: timestamp is TIMESTAMP, so give a date or time, not 5"),
    "a date for a number": (NUMBERS, {"cut": "2026-03-01"}, "cut: timestamp is BIGINT, so give a number, not '2026-03-01'"),
    "a duration for a number": (
        NUMBERS,
        {"cut": 3, "window": "7 days"},
        "window: timestamp is BIGINT, so give a number, not '7 days'",
    ),
    "a number for a duration": (
        TIMES,
        {"cut": "2026-03-01", "gap": 7},
        "gap: timestamp is TIMESTAMP, so give a duration such as 7 days, not 7",
    ),
    "no date": (TIMES, {"cut": "tomorrow"}, "cut: 'tomorrow' is neither a number nor a date or time such as 2026-03-01"),
    "no duration": (
        TIMES,
        {"cut": "2026-03-01", "window": "soon"},
        "window: 'soon' is neither a number above 0 nor a duration such as 7 days",
    ),
    "no time at all": (
        TIMES,
        {"cut": "2026-03-01", "window": "0 days"},
        "window: '0 days' is neither a number above 0 nor a duration",
    ),
    "a length below zero": (NUMBERS, {"cut": 3, "window": -1}, "window: -1 is not a number above 0"),
    "a column of text": (
        NUMBERS,
        {"cut": 3, "order_by": "item_id"},
        "interactions: item_id is VARCHAR; a cut in time needs a date",
    ),
    "a hash": (NUMBERS, {"cut": 3, "order_by": "hash"}, "order_by: hash is not a time; a cut in time needs a column of times"),
    "no such column": (NUMBERS, {"cut": 3, "order_by": "time"}, "interactions: there is no column time"),
    "a cut after the data": (
        TIMES,
        {"cut": "2027-01-01"},
        "there is no interaction on or after 2027-01-01 00:00:00; the last is of 2026",
    ),
}


@pytest.mark.parametrize(("interactions", "options", "sentence"), WRONG.values(), ids=WRONG)
def test_wrong_times(interactions: pa.Table, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(recsql.RecsqlError) as refused:
        recsql.split(interactions, protocol="temporal", **options)
    assert sentence in str(refused.value)


@pytest.mark.parametrize("folds", [{}, {"folds": 2}], ids=["all folds", "two folds"])
@pytest.mark.parametrize("options", [{"window": "7 days"}, {"cut": "2026-03-01"}], ids=["no cut", "no window"])
def test_a_backtest_over_times_says_what_it_lacks(
    con: duckdb.DuckDBPyConnection, options: dict[str, Any], folds: dict[str, Any]
) -> None:
    """Neither a time nor a length is read where there is none."""
    says = "protocol='backtest' needs a cut, the time" if "window" in options else "window: give the length of the truth"
    with con.cursor() as cursor:
        cursor.register("interactions", TIMES)
        with pytest.raises(recsql.BadInput, match=says):
            recsql.split("interactions", protocol="backtest", connection=cursor, **options, **folds)
        with pytest.raises(duckdb.InvalidInputException, match=in_macro("backtest", says)):
            in_shell(cursor, "backtest", **options, **folds)


@pytest.mark.parametrize(
    ("protocol", "options"),
    [
        ("temporal", {"cut": 2}),
        ("temporal", {"fraction": 0.5}),
        ("backtest", {"cut": 2, "window": 1}),
        ("last_n", {}),
        ("last_n", {"ties": "row_last"}),
        ("last_n", {"core": 2}),
        ("random", {"fraction": 0.5}),
        ("users", {"fraction": 0.5}),
        ("k_fold", {}),
    ],
)
def test_no_rows(con: duckdb.DuckDBPyConnection, protocol: str, options: dict[str, Any]) -> None:
    """Whatever the protocol does with them."""
    with con.cursor() as cursor:
        cursor.register("interactions", table(rows_of({"u1": [["a", 1]]})).slice(0, 0))
        with pytest.raises(recsql.BadInput, match=r"^interactions: it has no rows, so there is nothing to split$"):
            recsql.split("interactions", protocol=protocol, connection=cursor, **options)
        if takes(f"split_{protocol}", options):
            with pytest.raises(duckdb.InvalidInputException, match="interactions: it has no rows, so there is nothing to split"):
                in_shell(cursor, protocol, **options)


def test_a_null_time_is_named() -> None:
    with pytest.raises(recsql.BadInput, match="timestamp is NULL for user u1, item b; leave such rows out or fill in a value"):
        recsql.split(table(rows_of({"u1": [["a", 1], ["b"], ["c", 3]]})), protocol="temporal", cut=2)


# -- output files and notes


def written(folder: Path, rows: Sequence[Row]) -> str:
    path = folder / "interactions.parquet"
    pq.write_table(table(rows), path)
    return str(path)


def test_a_protocol_must_be_named(tmp_path: Path) -> None:
    sentence = "^protocol: choose one of temporal, .*; temporal is recommended, because no model sees the future$"
    with pytest.raises(recsql.RecsqlError, match=sentence):
        recsql.split(NUMBERS)
    with pytest.raises(recsql.RecsqlError, match=sentence):
        recsql.split(NUMBERS, train=str(tmp_path / "a"), truth=str(tmp_path / "b"))


def test_the_report_counts_what_no_model_knows(tmp_path: Path) -> None:
    rows = rows_of(FILES["temporal"]["interactions"])
    made = [str(tmp_path / f"{part}.parquet") for part in ("train", "truth")]
    recsql.split(written(tmp_path, rows), train=made[0], truth=made[1], protocol="temporal", cut=6)
    report = json.loads(pq.read_metadata(made[1]).metadata[b"recsql"])
    assert report["options"][0]["cut"] == 6
    assert report["notes"] == [
        "train 7 interactions of 3 users; truth 4 interactions of 4 users.",
        "The truth has 1 interaction of 1 user without train, 2 interactions of items without train.",
    ]
    assert pq.read_table(made[0]).num_rows == 7
    assert pq.read_table(made[1]).column_names == ["user_id", "item_id", "timestamp"]
    assert (
        json.loads(recsql.split(table(rows), protocol="temporal", cut=6).schema.metadata[b"recsql"])["notes"] == report["notes"]
    )


def test_the_leak_is_told() -> None:
    """Of the truth e (9), f (8) and c (6), c lies before the last of train, which is the a of u3 (7)."""
    found = recsql.split(table(rows_of(FILES["last_n"]["interactions"])), protocol="last_n")
    notes = json.loads(found.schema.metadata[b"recsql"])["notes"]
    assert notes[-1].startswith(
        "33.3% of the truth lies before the last interaction in train, so models can learn from the future"
    )


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"protocol": "k_fold"}, "protocol='k_fold' gives folds"),
        ({"protocol": "users"}, "protocol='users' gives the part fold_in"),
        ({"protocol": "temporal", "cut": 6, "window": 2}, "window=2 gives the part unused"),
        ({"protocol": "last_n", "validation": True}, "validation='true' gives the part validation"),
        ({"protocol": "last_n", "cold_items": "drop"}, "cold_items='drop' gives the part unused"),
    ],
)
def test_two_files_for_two_parts_only(tmp_path: Path, options: dict[str, Any], what: str) -> None:
    with pytest.raises(recsql.RecsqlError) as refused:
        recsql.split(NUMBERS, train=str(tmp_path / "train"), truth=str(tmp_path / "truth"), **options)
    assert str(refused.value).startswith(f"train, truth: {what}")
    assert str(refused.value).endswith("; write all rows with the column part to one file instead")
    assert not list(tmp_path.iterdir())


def test_both_files_or_none(tmp_path: Path) -> None:
    with pytest.raises(recsql.RecsqlError, match=r"^train, truth: give both files, or none for rows with the column part$"):
        recsql.split(NUMBERS, train=str(tmp_path / "train"), protocol="last_n")
    with pytest.raises(recsql.RecsqlError, match=r"^into: train and truth are written already; leave one of them out$"):
        recsql.split(
            NUMBERS, train=str(tmp_path / "a"), truth=str(tmp_path / "b"), into=str(tmp_path / "c.parquet"), protocol="last_n"
        )


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, rows_of(FILES["temporal"]["interactions"]))
    monkeypatch.chdir(tmp_path)
    assert main(["split", path, "--protocol", "temporal", "--cut", "6"]) == 0
    assert capsys.readouterr().err.startswith("train 7 interactions of 3 users; truth 4 interactions of 4 users.\n")
    assert pq.read_table(tmp_path / "train.parquet").num_rows == 7
    assert main(["split", path, "--protocol", "temporal", "--cut", "6"]) == 1
    assert "train.parquet: it already exists; choose another file with --train" in capsys.readouterr().err
    assert main(["split", path, "--protocol", "last_n", "--train", "a.parquet", "-o", "folds.parquet"]) == 1
    assert "--output: it is for all rows with the column part; give it, or --train and --truth" in capsys.readouterr().err
    assert main(["split", path, "--protocol", "k_fold", "--folds", "2", "-o", "folds.parquet"]) == 0
    assert capsys.readouterr().err.startswith("Fold 1: train ")
    assert pq.read_table(tmp_path / "folds.parquet").num_rows == 22
    assert main(["split", path, "--protocol", "backtest", "--cut", "3", "--window", "3", "-o", "rows.csv"]) == 0
    assert (tmp_path / "rows.csv").read_text().startswith("user_id,item_id,timestamp,fold,part\n")
