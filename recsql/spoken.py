"""What sentences tell their reader to write: Python, or the command line while a command runs."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from recsql.catalog import catalog

FUNCTIONS = {  # each with its command
    "evaluate": "recsql evaluate",
    "per_user": "recsql per-user",
    "item_metrics": "recsql item-metrics",
    "evaluate_ratings": "recsql rate",
}
FLAGS = {"k": "-k", "metrics": "-m"}  # those that are not called like the argument
OWN = ("k", "input", "dialect", "stop_after", "fail_if", "max_missing", "rows", "user_id")  # arguments of single commands
# An argument in a sentence: duplicates=, ties='item', relevance='...' or margin=0.1. A path such as day=5/x.parquet is none, nor
# is an option in a metric's brackets, as in f1(beta=2).
ARGUMENT = re.compile(
    r"\w\([^()]*\)|(?<![\w/.-])(?P<name>[a-z]\w*)=(?:'(?P<text>[^']*)'|(?P<value>[TFN][a-z]+|-?\d[\d.]*))?(?=[\s,;:.)]|$)"
)
BEGINNING = re.compile(r"(^|; )([a-z_]+): ")
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


def on_command_line(sentence: str) -> str:
    """A sentence that spells arguments as Python does, with flags: `--ties item` for `ties='item'`, also where it begins."""

    def flagged(found: re.Match[str]) -> str:
        if not found["name"]:
            return found[0]
        value = found["text"] or (found["value"] or "").lower()
        return f"{flag(found['name'])} {'NAME' if value == '...' else value}".rstrip()

    def begun(found: re.Match[str]) -> str:
        return f"{found[1]}{flag(found[2])}: " if found[2] in (*catalog().arguments, *OWN) else found[0]

    return BEGINNING.sub(begun, ARGUMENT.sub(flagged, sentence))


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
