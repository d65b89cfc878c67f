"""The distribution: its version, and how to install its extras."""

from functools import cache
from importlib.metadata import version

DISTRIBUTION = "recsql-metrics"  # recsql, on PyPI, is another project


@cache
def release() -> str:
    return version(DISTRIBUTION)


def to_install(extra: str) -> str:
    """How to install an extra. Until there is a release, this needs a checkout."""
    return f"run pip install '.[{extra}]' in a checkout of recsql"
