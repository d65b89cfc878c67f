"""Fixtures that several test files share."""

import gc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

pytest.register_assert_rewrite("tests.support")

SLOW = (
    *("test_comparison", "test_docs", "test_macro_file", "test_inputs", "test_bad_input", "test_cases"),
    *("test_conventions", "test_cli", "test_findings", "test_merging", "test_parts", "test_models", "test_examples"),
    *("test_properties", "test_text_files", "test_items", "test_slices", "test_truth_labels", "test_new", "test_shell"),
    *("test_help", "test_warnings", "test_lists", "test_needs", "test_package", "test_rendering", "test_portability"),
    "test_action",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test marked with few(n), all cases but the first n are thorough.

    The slowest files come first, in that order, so that no process is left with one when the others are done.
    """
    counts: Counter[str] = Counter()
    for item in items:
        if (few := item.get_closest_marker("few")) and isinstance(item, pytest.Function):
            counts[name := f"{item.path}::{item.originalname}"] += 1
            if counts[name] > few.args[0]:
                item.add_marker(pytest.mark.thorough)
    places = {name: place for place, name in enumerate(SLOW)}
    items.sort(key=lambda item: places.get(item.path.stem, len(SLOW)))


def pytest_collection_finish() -> None:
    """Frees statsmodels of looking for garbage among all tests, which takes it 0.1 s whenever it corrects p."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def one_database() -> Iterator[None]:
    """Calls without a connection get one to the same database: to make and close a database takes 17 ms, more than most calls."""
    with duckdb.connect() as database, pytest.MonkeyPatch.context() as patch:
        patch.setattr("recsql.engines.duckdb.connect", database.cursor)
        yield


@pytest.fixture
def own_databases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls without a connection get one to a database of their own, as outside of tests: a file that they attach is closed."""
    monkeypatch.setattr("recsql.engines.duckdb.connect", duckdb.connect)


@pytest.fixture(scope="session")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the macro files loaded."""
    from tests.support import default_file

    with duckdb.connect() as connection:
        connection.execute(default_file().text)
        connection.execute(default_file().check)
        yield connection


@pytest.fixture
def connection(con: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection of the test's own to the database with the macros."""
    with con.cursor() as cursor:
        yield cursor


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with real data, and other libraries' values for them; it is too large for this repository."""
    folder = Path(__file__).parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("needs the folder 'shared' beside the repository")
    return folder
