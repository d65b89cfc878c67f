"""Words for advice in sentences: Python, or the command line while a command runs."""

import re
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
# An argument in a sentence: duplicates=, ties='item', relevance='...' or margin=0.1; not a path such as day=5/x.parquet, nor an
# option in a metric's brackets, as in f1(beta=2).
ARGUMENT = re.compile(
    r"\w\([^()]*\)|(?<![\w/.-])(?P<name>[a-z]\w*)=(?:'(?P<text>[^']*)'|(?P<value>[TFN][a-z]+|-?\d[\d.]*))?(?=[\s,;:.)]|$)"
)
STATED = re.compile(r" (does not|needs?|gives|with) |: ")  # after an option that holds already
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


def in_macro(sentence: str, parameters: Mapping[str, str]) -> str:
    """Replaces arguments by parameters of a macro or its file: `recsql macros --ties item -o FILE` for `ties='item'`."""

    def said(found: re.Match[str]) -> str:
        name = found["name"]
        if not name or name in parameters:
            return parameters.get(name, found[0])
        told = f"{flag(name)} {found['text'] or (found['value'] or '...').lower()}"
        return told if STATED.match(sentence, found.end()) else f"recsql macros {told} -o FILE"

    return ARGUMENT.sub(said, sentence).replace(" -o FILE and recsql macros", "")


def either(python: str, command: str) -> str:
    """What to write in Python, or on the command line while a command runs."""
    return command if COMMAND.get() else python


def all_rows() -> str:
    """How to get the rows that a shortened table leaves out."""
    return either("the result itself has all", "--format csv or -o FILE gives all")
