"""What can be given in place of a path: to every public function, for every parameter that takes one.

If it fails, a wrong path ends in an error of Python or the database, and not in a sentence that names it.
"""

import inspect
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import recsql
from recsql.catalog import catalog
from recsql.catalog.headers import TABLE
from recsql.cli import main

RECS = pa.table(
    {
        "model": ["a", "a", "b", "b"],
        "user_id": [1, 1, 1, 1],
        "item_id": [1, 2, 2, 1],
        "rank": [1, 2, 1, 2],
        "score": [2.0, 1.0, 2.0, 1.0],
    }
)
TRUTH = pa.table({"user_id": [1], "item_id": [2]})
LOG = pa.table({"user_id": [1, 1], "item_id": [1, 2], "timestamp": [1, 2]})
EVENTS = pa.table({"user_id": [1], "item_id": [1], "ts": [0]}).cast(
    pa.schema([("user_id", pa.int64()), ("item_id", pa.int64()), ("ts", pa.timestamp("us"))])
)
RATED = pa.table({"user_id": [1], "item_id": [1], "rating": [1.0], "prediction": [2.0]})
TABLES = {
    "recs": RECS,
    "truth": TRUTH,
    "scored": RECS,
    "interactions": LOG,
    "events": EVENTS,
    "predictions": RATED,
    "items": TRUTH,
}
TABLES |= {"train": LOG, "parts": "none.parquet", "path": "none.parquet"}
BESIDE: Mapping[str, Mapping[str, Any]] = {
    "candidates": {"n": 0},
    "hits": {"k": 2},
    "judge": {"metric": "dcg"},
    "labels": {"start": "1970-01-01"},
    "overlap": {"per_user": True},
    "split": {"protocol": "last_n"},
    "report": {"check": False, "by": "x"},
}
OUT = ("into", "path", "out")  # what is written
BOTH = {"split": ("train", "truth"), "labels": ("truth",)}  # files that are written together
OF_OPTIONS = [name for name, option in catalog().options.items() if option.type == TABLE]


def functions() -> Iterator[tuple[str, str]]:
    """The public functions with their parameters that take a path."""
    for name in recsql.__all__:
        function = getattr(recsql, name)
        if inspect.isfunction(function):
            parameters = inspect.signature(function).parameters
            own = [one for one in parameters if one in TABLES or one in (*OUT, *OF_OPTIONS)]
            by_name = [
                one for one in OF_OPTIONS if "recs" in own and name in ("evaluate", "per_user", "compare", "check", "report")
            ]
            yield from ((name, one) for one in dict.fromkeys([*own, *by_name]) if (name, one) != ("labels", "recs"))


WRONG: Mapping[str, Any] = {
    "NUL": "a\0b.parquet",
    "NUL in a path": Path("a\0b.parquet"),
    "too long a name": "n" * 300 + ".parquet",
    "too long": "/".join(["n" * 200] * 30) + ".parquet",
    "bytes": b"a.parquet",
    "a circle": "circle.parquet",
    "in a circle": "circle.parquet/a.parquet",
    "a file as a folder": "file/a.parquet",
    "no text": "a\udcff.parquet",
    "empty": "",
    "a number": 5,
    "a truth value": True,
    "an object": object(),
    "a list": [5.5],
    "a list with NUL": ["a\0b.parquet"],
    "a list of none": [None],
    "a mapping": {"a": 5},
    "a mapping with NUL": {"a": "a\0b.parquet"},
    "a mapping of bytes": {"a": b"a.parquet"},
    "a function": len,
    "a class": Path,
}


@pytest.fixture(autouse=True, scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    before, there = Path.cwd(), tmp_path_factory.mktemp("paths")
    os.chdir(there)
    Path("circle.parquet").symlink_to("circle.parquet")
    Path("file").write_text("")
    yield
    os.chdir(before)


@pytest.mark.parametrize(("name", "parameter"), functions(), ids=str)
def test_a_wrong_path_is_a_sentence(name: str, parameter: str) -> None:
    function = getattr(recsql, name)
    known = inspect.signature(function).parameters
    needed = {one: TABLES[one] for one, spec in known.items() if one in TABLES and spec.default is spec.empty}
    together = {one: "other.parquet" for one in BOTH.get(name, ()) if parameter in BOTH[name]}
    for wrong in WRONG.values():
        with pytest.raises(recsql.RecsqlError, match=r"\A[^\n]+\Z"):
            function(**{**needed, **together, **BESIDE.get(name, {}), parameter: wrong})
        assert {*Path().iterdir()} == {Path("circle.parquet"), Path("file")}


@pytest.mark.parametrize("kind", ["page", "chart"])
def test_a_result_is_not_saved_under_a_wrong_path(kind: str) -> None:
    result = recsql.curve(RECS, TRUTH) if kind == "chart" else recsql.report(RECS, TRUTH, check=False, out=None)
    for wrong in WRONG.values():
        with pytest.raises(recsql.RecsqlError, match=r"\A[^\n]+\Z"):
            result.save(wrong)


SAID: Mapping[str, str] = {
    "NUL": "a\0b.parquet: it can't be written: embedded null byte",
    "too long a name": "n{300}.parquet: it can't be written: File name too long",
    "bytes": "b'a.parquet' is not a path; give text that is not empty, or a Path",
    "no text": "a\udcff.parquet: the path is not in UTF-8, as DuckDB needs it; rename it",
    "a circle": "circle.parquet: it can't be written: Too many levels of symbolic links",
    "a file as a folder": "file/a.parquet: it can't be written: Not a directory",
    "empty": "'' is not a path; give text that is not empty, or a Path",
}


@pytest.mark.parametrize("wrong", SAID)
def test_the_sentence(wrong: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=f"^{SAID[wrong]}$"):
        recsql.partial(RECS, TRUTH, WRONG[wrong])


def test_an_argument_that_is_no_text(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["evaluate", "a\udcff.parquet", "truth.parquet"], ["report", "a.parquet", "b.parquet", "--title", "\udcff"]):
        assert main(words) == 1
        assert capsys.readouterr().err.endswith(
            ": it is not in UTF-8, as DuckDB needs it; rename the file, or write it in UTF-8\n"
        )
    assert main(["evaluate", "n" * 300, "b=" + "n" * 300]) == 1
    assert capsys.readouterr().err == f"recsql: {'n' * 300}: no such file or table\n"
