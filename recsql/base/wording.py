"""What sentences tell their reader to write: Python, or the command line while a command runs."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

FUNCTIONS = {  # each with its command
    "evaluate": "recsql evaluate",
    "per_user": "recsql per-user",
    "item_metrics": "recsql item-metrics",
    "evaluate_ratings": "recsql rate",
}
FLAGS = {"k": "-k", "metrics": "-m"}  # those that are not called like the argument
COMMAND = ContextVar("COMMAND", default=False)


@contextmanager
def as_command() -> Iterator[None]:
    """Makes sentences use the command line's spelling."""
    before = COMMAND.set(True)
    try:
        yield
    finally:
        COMMAND.reset(before)


def functions() -> Mapping[str, str]:
    """The name of each function."""
    return FUNCTIONS if COMMAND.get() else {name: name for name in FUNCTIONS}


def flag(name: str) -> str:
    return FLAGS.get(name) or "--" + name.replace("_", "-")


def several() -> str:
    """How to give several metrics."""
    return "separate metrics by commas" if COMMAND.get() else "give several metrics as a list"


def each_model() -> str:
    """How to name the models of several files."""
    by_file = "model='filename'"
    return f"name it as NAME=FILE, or add {by_file}" if COMMAND.get() else f"give a mapping of names to files, or {by_file}"


def memory_limit() -> str:
    return flag("memory_limit") if COMMAND.get() else "memory_limit of the connection"


def max_missing() -> str:
    return flag("max_missing") if COMMAND.get() else "max_missing"


def all_rows() -> str:
    """How to get the rows that a table for people leaves out."""
    return "--format csv or -o FILE gives all" if COMMAND.get() else "the result itself has all"
