"""The files that commands write: whole or not at all, with the rights that the file before had.

If it fails, a result can be read by whom it is not for, or half of it is left where a whole one was.
"""

import os
import resource
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from recsql.base import paths
from recsql.cli import main

LISTS = pa.table(
    {
        "model": ["a", "a", "b", "b"],
        "user_id": [1, 2, 1, 2],
        "item_id": [1, 2, 2, 1],
        "rank": [1, 1, 1, 1],
        "score": [1.0, 2.0, 2.0, 1.0],
    }
)
LOG = pa.table({"user_id": [1, 1, 2, 2], "item_id": [1, 2, 1, 3], "timestamp": [1, 2, 3, 4]})
EVENTS = LOG.set_column(2, "ts", pa.array([0, 1, 2, 3], pa.timestamp("us")))
WRITERS: Sequence[tuple[str, Sequence[str]]] = [
    *(
        (f"evaluate recs.parquet truth.parquet -k 1 -o out{ending}", [f"out{ending}"])
        for ending in (".csv", ".json", ".md", ".tex")
    ),
    ("evaluate recs.parquet truth.parquet -k 1 -o out.parquet", ["out.parquet"]),
    ("per-user recs.parquet truth.parquet -k 1 -o out.parquet", ["out.parquet"]),
    ("hits recs.parquet truth.parquet -k 1 -o out.parquet", ["out.parquet"]),
    ("compare recs.parquet truth.parquet -k 1 -m hit -o out.csv --users-out users.parquet", ["out.csv", "users.parquet"]),
    ("rank recs.parquet truth.parquet -k 1 -m hit -o out.csv --pairs-out pairs.csv", ["out.csv", "pairs.csv"]),
    ("rank recs.parquet truth.parquet -k 1 -m hit -o out.svg", ["out.svg"]),
    ("check recs.parquet truth.parquet --fail-on never -o out.json", ["out.json"]),
    ("report recs.parquet truth.parquet -k 1 --no-check -o out.html --summary out.md", ["out.html", "out.md"]),
    ("curve recs.parquet truth.parquet -o out.svg", ["out.svg"]),
    ("partial recs.parquet truth.parquet -k 1 -o out.parquet", ["out.parquet"]),
    ("split log.parquet --protocol last_n --train out.parquet --truth other.parquet", ["out.parquet", "other.parquet"]),
    ("split log.parquet --protocol last_n -o out.parquet", ["out.parquet"]),
    ("labels events.parquet --start 1970-01-01 --truth out.parquet", ["out.parquet"]),
    ("popularity log.parquet -k 1 -o out.parquet", ["out.parquet"]),
    ("fuse recs.parquet -o out.parquet", ["out.parquet"]),
    ("macros -m dcg -o out.sql", ["out.sql"]),
    ("macros -m dcg -o out.duckdb", ["out.duckdb"]),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    for name, rows in {"recs": LISTS, "truth": LOG, "log": LOG, "events": EVENTS}.items():
        pq.write_table(rows, f"{name}.parquet")
    umask = os.umask
    before = umask(0o027)
    yield
    umask(before)


def mode(path: str) -> int:
    return stat.S_IMODE(Path(path).stat().st_mode)


@pytest.mark.parametrize(("command", "files"), WRITERS, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_a_file_keeps_its_mode(command: str, files: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A new one has that of any new file; and the process's umask, which all threads share, is never changed.

    The first command has every mode.
    """
    monkeypatch.setattr(os, "umask", lambda _: pytest.fail("another thread could write a file now"))
    inputs = {*os.listdir()}
    assert main(command.split()) == 0
    assert [mode(one) for one in files] == [0o640] * len(files)
    for kept in (0o600, 0o664, 0o444) if command == WRITERS[0][0] else (0o444,):
        for one in files:
            Path(one).write_text("before")
            Path(one).chmod(kept)
        assert main(command.split()) == 0
        assert [mode(one) for one in files] == [kept] * len(files)
        assert all(Path(one).read_bytes() != b"before" for one in files)
    assert {*os.listdir()} == {*inputs, *files}


def test_nobody_else_reads_a_private_file_while_it_is_written() -> None:
    Path("out.csv").write_text("before")
    Path("out.csv").chmod(0o600)
    with paths.whole("out.csv") as beside:
        assert mode(beside) == 0o600
    with paths.whole("new.csv") as beside:
        assert mode(beside) == 0o640


def test_a_link_stays_one_and_its_file_keeps_its_mode() -> None:
    Path("out.csv").write_text("before")
    Path("out.csv").chmod(0o600)
    Path("link.csv").symlink_to("out.csv")
    assert main(["evaluate", "recs.parquet", "truth.parquet", "-k", "1", "-o", "link.csv"]) == 0
    assert Path("link.csv").is_symlink()
    assert mode("out.csv") == 0o600


def test_a_long_name() -> None:
    """The temporary file's is not longer."""
    name = "n" * 251 + ".csv"
    assert main(["evaluate", "recs.parquet", "truth.parquet", "-k", "1", "-o", name]) == 0
    assert Path(name).exists()


@pytest.mark.parametrize(
    ("command", "size"),
    [
        ("macros -m dcg,ndcg -o out.duckdb", 0),
        ("macros -m dcg,ndcg -o out.duckdb", 20_000),
        ("macros -o out.sql", 0),
        ("macros -o out.sql", 20_000),
        ("macros -o out.sql", 200_000),
        ("per-user recs.parquet truth.parquet -o out.csv", 0),
    ],
)
def test_a_full_disk(command: str, size: int) -> None:
    """Here each file may have so many bytes: the sentence names the file, the old one stays, and nothing is left beside it."""
    file = command.split()[-1]
    Path(file).write_text("before")
    inputs = {*os.listdir()}
    run = subprocess.run(
        [sys.executable, "-B", "-m", "recsql", *command.split()],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(paths.__file__).parents[2])},
    )
    assert run.stderr == f"recsql: {file}: it can't be written: File too large\n"
    assert (run.returncode, Path(file).read_text()) == (1, "before")
    assert {*os.listdir()} == inputs


def test_a_part_that_is_computed_has_no_file_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """So nothing is left if it is killed meanwhile, whatever the signal."""
    from recsql.calls import parts

    inputs = {*os.listdir()}
    monkeypatch.setattr(parts, "rows_of", lambda *_: pytest.fail("a file") if {*os.listdir()} != inputs else stop())

    def stop() -> None:
        raise KeyboardInterrupt

    assert main(["partial", "recs.parquet", "truth.parquet", "-k", "1", "-o", "out.parquet"]) == 130
    assert {*os.listdir()} == inputs
