"""The distribution: its version, its folder `sql`, and how to install its extras."""

from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

DISTRIBUTION = "recsql-metrics"  # recsql, on PyPI, is another project


@cache
def release() -> str:
    return version(DISTRIBUTION)


def to_install(extra: str) -> str:
    """How to install an extra. Until there is a release, this needs a checkout."""
    return f"run pip install '.[{extra}]' in a checkout of recsql"


def sql_root() -> Traversable:
    """The folder `sql`: inside the installed package, else beside it (a checkout, an editable install)."""
    packaged = files("recsql") / "sql"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "sql"
