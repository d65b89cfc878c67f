"""The types of the public functions. If it fails, an editor completes what a function refuses, or a user's type checker does.

`mypy` itself is among the checks of a change, and reads `user.py`: its calls have no errors, and its wrong ones have some.
"""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import recsql
from recsql.catalog import catalog
from tests.stub import settings_of, stub
from tests.support import ROOT, assert_current
from tests.types.user import calls


def test_the_stub_is_current() -> None:
    assert_current("recsql/__init__.pyi", stub())


def test_the_calls_of_a_user_run(tmp_path: Path) -> None:
    assert calls(tmp_path) == [0.6309297535714575, 1.0]


def test_a_users_file_has_the_types_of_mypy(tmp_path: Path) -> None:
    """A file outside of the checkout, under --strict."""
    pytest.importorskip("mypy")
    file = tmp_path / "own.py"
    file.write_text((ROOT / "tests/types/user.py").read_text())
    command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run(
        [*command, str(file)], cwd=tmp_path, env={"MYPYPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_option_is_in_the_signatures_of_the_functions_that_take_it() -> None:
    of_evaluate, of_split = settings_of("evaluate"), settings_of("split")
    assert of_evaluate["gain"].startswith("Literal['linear', 'binary', 'exp2', 'exp2_shifted', 'map'] | Mapping")
    assert {*of_evaluate} >= {one.called for one in catalog().options_of(["user", "list", "item"]).values()} - {"metrics"}
    assert {"like", "by", "items"} <= {*of_evaluate} and not {"cut", "method", "test", "user"} & {*of_evaluate}
    assert {"cut", "fraction", "cold_users"} <= {*of_split} and "gain" not in of_split


def test_the_version_is_that_of_the_distribution() -> None:
    assert recsql.__version__ == version("recsql-metrics")
