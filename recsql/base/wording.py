"""Words for advice in sentences: Python, or the command line while a command runs."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

FUNCTIONS = {  # with their commands
    "evaluate": "recsql evaluate",
    "per_user": "recsql per-user",
    "item_metrics": "recsql item-metrics",
    "evaluate_ratings": "recsql rate",
}
FLAGS = {"k": "-k", "metrics": "-m"}  # of the arguments that have a flag of another name
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
    """How sentences call each function."""
    return FUNCTIONS if COMMAND.get() else {name: name for name in FUNCTIONS}


def flag(name: str) -> str:
    return FLAGS.get(name) or "--" + name.replace("_", "-")


def either(python: str, command: str) -> str:
    """What to write in Python, or on the command line while a command runs."""
    return command if COMMAND.get() else python


def all_rows() -> str:
    """How to get the rows that a shortened table leaves out."""
    return either("the result itself has all", "--format csv or -o FILE gives all")
