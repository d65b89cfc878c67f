"""Leave-one-out: the last interaction of each user held out, no row lost or doubled, two files that appear together.

If it fails, leave-one-out loses a row, doubles one, or holds out another than the last.
"""

import hashlib
import math
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recsql
from recsql.cli import main
from tests.calls.test_items import Columns, agreed, both, register

BOUGHT: Columns = {"user_id": [1, 1, 2], "item_id": [7, 8, 7], "timestamp": [1, 2, 3]}
Row = tuple[Any, ...]


def parts(connection: duckdb.DuckDBPyConnection, **options: Any) -> dict[Row, str]:
    """The part of each interaction; Python and the macro agree."""
    found, *from_macro = both(connection, recsql.leave_one_out, "bought", **options)
    assert not isinstance(found, str), found
    assert [sorted(map(repr, rows)) for rows in from_macro] in ([], [sorted(map(repr, found))])
    return {(row["user_id"], row["item_id"]): row["part"] for row in found}


# -- which one is held out


def test_the_last_of_each_user(connection: duckdb.DuckDBPyConnection) -> None:
    """User 2 has one interaction alone: there is nothing to learn from once it is held out."""
    register(connection, bought=BOUGHT)
    assert parts(connection) == {(1, 7): "train", (1, 8): "truth", (2, 7): "train"}
    assert parts(connection, single="truth") == {(1, 7): "train", (1, 8): "truth", (2, 7): "truth"}


def test_ties_go_to_the_greater_item(connection: duckdb.DuckDBPyConnection) -> None:
    register(connection, bought={"user_id": [1, 1, 1], "item_id": [9, 10, 8], "timestamp": [5, 5, 4]})
    assert parts(connection) == {(1, 9): "train", (1, 10): "truth", (1, 8): "train"}


@pytest.mark.engine
@pytest.mark.parametrize("column", ["seed", "order_by", "single", "interactions", "t", "Two Words", "position"])
def test_any_column_orders(connection: duckdb.DuckDBPyConnection, column: str) -> None:
    """Also one that is called as a step of the query."""
    register(connection, bought={"user_id": [1, 1], "item_id": [7, 8], column: [2, 1]})
    assert parts(connection, order_by=column) == {(1, 7): "truth", (1, 8): "train"}
    assert parts(connection, order_by=column.upper()) == {(1, 7): "truth", (1, 8): "train"}


@pytest.mark.engine
@pytest.mark.parametrize("seed", [0, 1, 2, -5, 10**12])
def test_the_draw_is_the_greatest_md5(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    """Text, hashed: what any engine can compute; the other columns have no part in it."""
    register(connection, bought={"user_id": [1] * 20, "item_id": list(range(20))})
    drawn = max(range(20), key=lambda item: hashlib.md5(f"1:{item}:{seed}".encode()).hexdigest())
    held_out = {(1, item): "truth" if item == drawn else "train" for item in range(20)}
    assert parts(connection, order_by="hash", seed=seed) == held_out
    register(connection, bought={"user_id": [1] * 20, "item_id": list(range(20)), "timestamp": [None, *range(19)]})
    assert parts(connection, order_by="hash", seed=seed) == held_out


@pytest.mark.parametrize("column", ["user_id", "item_id"])
def test_no_draw_of_ids_that_engines_write_differently(connection: duckdb.DuckDBPyConnection, column: str) -> None:
    connection.register("bought", pa.table(BOUGHT | {column: [1e7, 1e7, 2e7]}))
    words = f"bought: {column} is DOUBLE, which engines convert to text differently; cast it to a whole number or to text"
    with pytest.raises(recsql.BadInput, match=words):
        recsql.leave_one_out("bought", "hash", connection=connection)
    assert len(recsql.leave_one_out("bought", connection=connection)) == 3


def test_every_item_is_drawn_by_some_seed() -> None:
    bought = pa.table({"user_id": [1] * 4, "item_id": ["a", "b", "c", "d"]})
    drawn = Counter(
        row["item_id"]
        for seed in range(30)
        for row in recsql.leave_one_out(bought, "hash", seed=seed).to_pylist()
        if row["part"] == "truth"
    )
    assert drawn.keys() == {"a", "b", "c", "d"}
    assert max(drawn.values()) < 20


# -- empties, and what is refused


@pytest.mark.parametrize("order_by", ["timestamp", "hash"])
def test_no_interactions(connection: duckdb.DuckDBPyConnection, tmp_path: Path, order_by: str) -> None:
    register(connection, bought={"user_id": [], "item_id": [], "timestamp": []})
    assert agreed(connection, recsql.leave_one_out, "bought", order_by=order_by) == []
    recsql.split(
        "bought",
        train=str(tmp_path / "train"),
        truth=str(tmp_path / "truth"),
        protocol="leave_one_out",
        order_by=order_by,
        connection=connection,
    )
    for name in ("train", "truth"):
        assert pq.read_table(tmp_path / name).schema.names == ["user_id", "item_id", "timestamp"]
        assert pq.read_table(tmp_path / name).num_rows == 0


REFUSED: dict[str, tuple[Columns, dict[str, Any], str]] = {
    "a NULL user": (
        BOUGHT | {"user_id": [1, 1, None]},
        {},
        "bought: user_id is NULL for user NULL, item 7; leave such rows out or fill in a value",
    ),
    "a NULL item": (
        BOUGHT | {"item_id": [7, None, 7]},
        {},
        "bought: item_id is NULL for user 1, item NULL; leave such rows out or fill in a value",
    ),
    "a NULL item in a draw": (
        BOUGHT | {"item_id": [7, None, 7]},
        {"order_by": "hash"},
        "bought: item_id is NULL for user 1, item NULL; leave such rows out or fill in a value",
    ),
    "a NULL time": (
        BOUGHT | {"timestamp": [1, None, 3]},
        {},
        "bought: timestamp is NULL for user 1, item 8; leave such rows out or fill in a value",
    ),
    "a time that is no number": (
        BOUGHT | {"timestamp": [5.0, math.nan, 7.0]},
        {},
        "bought: timestamp is nan for user 1, item 8; leave such rows out or fill in a value",
    ),
    "an unknown value": (BOUGHT, {"single": "both"}, "single: unknown value 'both'; choose one of train, truth"),
    "a column part": (
        BOUGHT | {"Part": ["x", "y", "z"]},
        {},
        "bought: the column Part already exists; rename it, or leave it out",
    ),
}


@pytest.mark.parametrize(("bought", "options", "sentence"), REFUSED.values(), ids=REFUSED)
def test_refused(connection: duckdb.DuckDBPyConnection, bought: Columns, options: dict[str, Any], sentence: str) -> None:
    register(connection, bought=bought)
    assert agreed(connection, recsql.leave_one_out, "bought", **options) == sentence


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"order_by": "time"}, "bought: there is no column time; did you mean timestamp? it has user_id, item_id, timestamp"),
        ({"user": "customer"}, "bought: there is no column customer; it has user_id, item_id, timestamp"),
        ({"seed": "x"}, "seed: 'x' is not a whole number"),
        ({"orderby": "x"}, "unknown option 'orderby'; did you mean order_by?"),
        ({"gain": "exp2"}, "unknown option 'gain'"),
    ],
)
def test_wrong_settings(connection: duckdb.DuckDBPyConnection, settings: dict[str, Any], says: str) -> None:
    register(connection, bought=BOUGHT)
    with pytest.raises(recsql.RecsqlError) as refused:
        recsql.leave_one_out("bought", connection=connection, **settings)
    assert str(refused.value).startswith(says)


# -- two files, together or not at all


def split_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_files_are_the_parts(tmp_path: Path) -> None:
    recsql.split(
        pa.table(BOUGHT), train=str(tmp_path / "train.parquet"), truth=str(tmp_path / "truth.parquet"), protocol="leave_one_out"
    )
    assert pq.read_table(tmp_path / "truth.parquet").to_pylist() == [{"user_id": 1, "item_id": 8, "timestamp": 2}]
    assert sorted(pq.read_table(tmp_path / "train.parquet")["timestamp"].to_pylist()) == [1, 3]
    assert split_names(tmp_path) == ["train.parquet", "truth.parquet"]


@pytest.mark.parametrize("there", [True, False], ids=["files there", "no files"])
def test_what_fails_leaves_the_files_as_they_were(tmp_path: Path, there: bool) -> None:
    files = [tmp_path / "train.parquet", tmp_path / "truth.parquet"]
    for path in files if there else []:
        path.write_text(f"precious {path.name}")
    bad = pa.table(BOUGHT | {"timestamp": [1, None, 3]})
    with pytest.raises(recsql.BadInput, match="timestamp is NULL"):
        recsql.split(bad, train=str(files[0]), truth=str(files[1]), protocol="leave_one_out")
    with pytest.raises(recsql.RecsqlError, match="does not exist; create it first"):
        recsql.split(
            pa.table(BOUGHT), train=str(files[0]), truth=str(tmp_path / "nowhere" / "truth.parquet"), protocol="leave_one_out"
        )
    with pytest.raises(recsql.RecsqlError, match="does not exist; create it first"):
        recsql.split(
            pa.table(BOUGHT), train=str(tmp_path / "nowhere" / "train.parquet"), truth=str(files[1]), protocol="leave_one_out"
        )
    assert split_names(tmp_path) == (["train.parquet", "truth.parquet"] if there else [])
    for path in files if there else []:
        assert path.read_text() == f"precious {path.name}"


@pytest.mark.parametrize(("train", "truth"), [("folder", "out"), ("out", "folder")])
def test_a_folder_in_the_way(tmp_path: Path, train: str, truth: str) -> None:
    """Neither file is written if the other can't be, and the sentence names the one that can't."""
    (tmp_path / "folder").mkdir()
    with pytest.raises(recsql.RecsqlError, match="folder"):
        recsql.split(pa.table(BOUGHT), train=str(tmp_path / train), truth=str(tmp_path / truth), protocol="leave_one_out")
    assert split_names(tmp_path) == ["folder"]


def test_one_file_for_both_parts(tmp_path: Path) -> None:
    """One part would overwrite the other, however its path is spelt."""
    for again in (tmp_path / "out.parquet", tmp_path / ".." / tmp_path.name / "out.parquet"):
        with pytest.raises(
            recsql.RecsqlError, match=r"out.parquet: train and truth can't both be written to this file; give two files"
        ):
            recsql.split(pa.table(BOUGHT), train=str(tmp_path / "out.parquet"), truth=str(again), protocol="leave_one_out")
    assert split_names(tmp_path) == []


def test_a_file_that_is_read_is_not_written(tmp_path: Path) -> None:
    path, other = str(tmp_path / "bought.parquet"), str(tmp_path / "other.parquet")
    pq.write_table(pa.table(BOUGHT), path)
    for bought in (path, str(tmp_path / "b*.parquet"), [path]):
        for train, truth in ((path, other), (other, str(tmp_path / "." / "bought.parquet"))):
            with pytest.raises(
                recsql.BadInput, match=r"bought.parquet: this file is one of the inputs; choose another output file$"
            ):
                recsql.split(bought, train=train, truth=truth, protocol="leave_one_out")
    assert split_names(tmp_path) == ["bought.parquet"]
    assert pq.read_table(path).num_rows == 3


def test_the_connection_is_left_as_it_was(tmp_path: Path) -> None:
    """A table of the user's keeps its name and its rows, and no other stays behind."""
    with duckdb.connect() as own:
        own.execute("create table rows_of_recsql as select 42 as answer")
        for bought in (BOUGHT, BOUGHT | {"timestamp": [None, 1, 2]}):
            own.register("bought", pa.table(bought))
            before = own.execute("select table_name from duckdb_tables() order by all").fetchall()
            outcome = said_of_split("bought", tmp_path, own)
            assert (outcome is None) == (bought is BOUGHT)
            assert own.execute("select table_name from duckdb_tables() order by all").fetchall() == before
        assert own.execute("from rows_of_recsql").fetchall() == [(42,)]


def said_of_split(bought: Any, folder: Path, connection: duckdb.DuckDBPyConnection) -> str | None:
    """What the refusal says, if it is one."""
    try:
        recsql.split(
            bought,
            train=str(folder / "train.parquet"),
            truth=str(folder / "truth.parquet"),
            connection=connection,
            protocol="leave_one_out",
        )
    except recsql.BadInput as refused:
        return str(refused)
    return None


# -- what holds for any interactions

a_few = settings(max_examples=8, deadline=None, derandomize=True)
NAMES = ("user_id", "item_id", "timestamp", "note")
small = st.integers(0, 4)
rows = st.lists(st.tuples(small, st.integers(0, 9), small, st.sampled_from(["x", "y", None])), min_size=1, max_size=40)
singles = st.sampled_from(["train", "truth"])
orders = st.sampled_from(["timestamp", "hash", "item_id"])


def table(interactions: Sequence[Row], names: Sequence[str] = NAMES) -> pa.Table:
    kinds = {"note": pa.string()}
    columns = zip(names, map(list, zip(*interactions, strict=True)), strict=True)
    return pa.table({name: pa.array(column, kinds.get(name, pa.int64())) for name, column in columns})


def split(con: duckdb.DuckDBPyConnection, interactions: Sequence[Row], **options: Any) -> dict[str, Counter[Row]]:
    """The rows of each part, with how often each stands there."""
    found: dict[str, Counter[Row]] = {"train": Counter(), "truth": Counter()}
    for row in recsql.leave_one_out(table(interactions), connection=con, **options).to_pylist():
        found[row.pop("part")][tuple(row.values())] += 1
    return found


@a_few
@given(interactions=rows, single=singles, order_by=orders)
def test_no_row_is_lost_or_doubled(
    con: duckdb.DuckDBPyConnection, interactions: Sequence[Row], single: str, order_by: str
) -> None:
    found = split(con, interactions, single=single, order_by=order_by)
    assert found["train"] + found["truth"] == Counter(interactions)


@a_few
@given(interactions=rows, single=singles, order_by=orders)
def test_one_is_held_out_of_each_user(
    con: duckdb.DuckDBPyConnection, interactions: Sequence[Row], single: str, order_by: str
) -> None:
    """Of every user with two rows or more, and of the others where that is asked for."""
    held_out = split(con, interactions, single=single, order_by=order_by)["truth"]
    of_users = Counter(row[0] for row in interactions)
    assert Counter(row[0] for row in held_out.elements()) == {
        user: 1 for user, count in of_users.items() if count > 1 or single == "truth"
    }
    if order_by == "timestamp":
        for user, item, when, _ in held_out:
            assert (when, item) == max((row[2], row[1]) for row in interactions if row[0] == user)


distinct = st.lists(st.tuples(small, st.integers(0, 9), small, st.none()), min_size=1, max_size=40, unique_by=lambda row: row[:2])


@pytest.mark.parametrize(
    "options",
    [
        *({"protocol": "leave_one_out", "order_by": name} for name in ("timestamp", "hash", "item_id")),
        *({"protocol": name, "order_by": "hash", "fraction": 0.4} for name in ("last_fraction", "users")),
        {"protocol": "last_n", "n": 9, "order_by": "hash"},
        {"protocol": "last_n", "n": 9, "target": "first"},
        {"protocol": "random", "exact": "true", "fraction": 0.4},
    ],
    ids=str,
)
def test_order_of_rows_does_not_matter(con: duckdb.DuckDBPyConnection, options: dict[str, Any]) -> None:
    """Also where a user has an item several times, at the same time, with another note."""
    draw = random.Random(3)
    interactions = [
        (draw.randint(0, 9), draw.randint(0, 2), draw.randint(0, 2), draw.choice(["x", "y", None])) for _ in range(400)
    ]
    found = [
        sorted(map(repr, recsql.split(table(some), connection=con, **options).to_pylist()))
        for some in (interactions, interactions[::-1], draw.sample(interactions, 400))
    ]
    assert found[0] == found[1] == found[2]


def test_the_earlier_copy_of_a_pair_is_drawn_first() -> None:
    """The hash of user, item and seed is the same for both; the time decides, before the column to the left of it."""
    bought = pa.table({"user_id": [1] * 5, "note": list("ba---"), "item_id": list("aabcd"), "timestamp": [1, 2, 3, 4, 5]})
    for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0]):
        found = recsql.split(bought.take(order), protocol="random", exact="true").to_pylist()
        assert [(row["item_id"], row["timestamp"]) for row in found if row["part"] == "truth"] == [("a", 1)]


@a_few
@given(interactions=distinct, seed=st.integers(0, 10**6))
def test_the_draw_reads_user_item_and_seed_alone(con: duckdb.DuckDBPyConnection, interactions: Sequence[Row], seed: int) -> None:
    later = [(user, item, 100 - when, "other") for user, item, when, _ in interactions]
    drawn, again = (split(con, some, order_by="hash", seed=seed)["truth"] for some in (interactions, later))
    assert {row[:2] for row in drawn} == {row[:2] for row in again}


@pytest.mark.parametrize("from_file", [False, True], ids=["Arrow", "file"])
@a_few
@given(interactions=rows, single=singles)
def test_what_was_held_out_can_be_measured(
    from_file: bool, tmp_path_factory: pytest.TempPathFactory, interactions: Sequence[Row], single: str
) -> None:
    """The two files together are the input, and the truth is what truth_check = leave_one_out wants."""
    folder = tmp_path_factory.mktemp("split")
    train, truth = str(folder / "train.parquet"), str(folder / "truth.parquet")
    bought: Any = table(interactions)
    if from_file:
        pq.write_table(bought, folder / "bought.parquet")
        bought = folder / "bought.parquet"
    recsql.split(bought, train=train, truth=truth, single=single, protocol="leave_one_out")
    written = [tuple(row.values()) for path in (train, truth) for row in pq.read_table(path).to_pylist()]
    assert Counter(written) == Counter(interactions)
    held_out = pq.read_table(truth)
    if held_out.num_rows:
        recs = held_out.select(["user_id", "item_id"]).append_column("rank", pa.array([1] * held_out.num_rows))
        [found] = recsql.evaluate(recs, truth, "hit", 1, truth_check="leave_one_out").to_pylist()
        assert (found["value"], found["users"]) == (1.0, held_out.num_rows)


# -- times in text

TEXTS = {  # the times of two rows, and which is the later one in a CSV file and in a table of texts; None is refused
    "31-OCT-2023 01-NOV-2023": (None, None),
    "978,300,760 1,000,000,000": (None, None),
    "01/02/2024 03/04/2024": (None, None),
    "01-02-2024 03-04-2024": (None, None),
    "01/02/24 31/12/23": (None, None),
    "13/02/2024 03/04/2024": (1, None),
    "02/13/2024 03/04/2024": (1, None),
    "9 10": (1, None),
    "2024-02-01 2024-01-31": (0, 0),
    "2024-01-02T10:00:00 2024-01-02T11:00:00": (1, 1),
    "2024-01-02T10:00:00.5 2024-01-02T10:00:00.25": (0, 0),
    "2024-01-02T10:00:00.5Z 2024-01-02T10:00:00Z": (0, None),
    "2024-01-02T10:00:00+01:00 2024-01-02T09:30:00+00:00": (1, None),
    "2024-01-02 2024-01-02T10:00:00": (None, None),
}


@pytest.mark.parametrize("times", TEXTS)
def test_texts_are_ordered_only_as_times(times: str, tmp_path: Path) -> None:
    """Every protocol refuses texts that no cut in time takes, and dates that can be read as two."""
    file, texts = tmp_path / "log.csv", times.split()
    file.write_text("user_id,item_id,timestamp\n" + "".join(f'1,{item},"{text}"\n' for item, text in enumerate(texts)))
    table = pa.table({"user_id": ["1", "1"], "item_id": ["0", "1"], "timestamp": texts})
    for interactions, later in zip((str(file), table), TEXTS[times], strict=True):
        for protocol in ("last_n", "leave_one_out", "last_fraction"):
            options: dict[str, Any] = {"protocol": protocol} | ({"fraction": 0.5} if protocol == "last_fraction" else {})
            if later is None:
                with pytest.raises(recsql.BadInput, match=r"timestamp is .*(sorts by time only|can be read as two dates)"):
                    recsql.split(interactions, **options)
            else:
                rows = recsql.split(interactions, **options).to_pylist()
                assert [row["item_id"] for row in rows if row["part"] == "truth"] == [str(later)]


def test_events_of_two_dates(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("user_id,item_id,ts\n1,7,01/02/2024\n")
    with pytest.raises(
        recsql.BadInput, match=r"log.csv: ts is 01/02/2024 and the like, which can be read as two dates; write it"
    ):
        recsql.labels(tmp_path / "log.csv", start="2024-01-01")


NANOSECONDS = {
    ".csv": "1,a,2025-01-01 00:00:00.000000001,truth\n",
    ".json": '"timestamp": "2025-01-01 00:00:00.000000001"',
    ".md": "| 1 | a | 2025-01-01 00:00:00.000000001 | truth |\n",
}


@pytest.mark.parametrize("ending", NANOSECONDS)
def test_times_that_python_does_not_have(ending: str, tmp_path: Path) -> None:
    base = 1735689600000000000
    times = pa.array([base + 1, base], pa.timestamp("ns"))
    pq.write_table(pa.table({"user_id": [1, 1], "item_id": ["a", "b"], "timestamp": times}), tmp_path / "log.parquet")
    out = tmp_path / f"parts{ending}"
    assert main(["split", str(tmp_path / "log.parquet"), "--protocol", "last_n", "-o", str(out)]) == 0
    assert NANOSECONDS[ending] in out.read_text()
