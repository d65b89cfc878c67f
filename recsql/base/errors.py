"""The errors of recsql. Each message is one sentence: where, what was found, and the way out."""

import re
import sys
import warnings
from collections.abc import Iterable
from difflib import get_close_matches

SHORT = 3  # shorter text begins too many names to suggest one


class RecsqlError(ValueError):
    """A call that recsql can't compute. The message is one complete sentence, so no other error is chained to it."""


class UnknownName(RecsqlError):
    """A metric, option or value that does not exist; the message suggests the nearest names."""


class BadInput(RecsqlError):
    """Data that can't be evaluated, for example a missing file or column, a NULL id or a rank of 0."""


class FailedCheck(BadInput):
    """What a check of the tables found while a query ran."""


class NoSuchFile(BadInput):
    """A file that does not exist."""


class OtherTypes(BadInput):
    """The ids of two tables have different types, so none of them can be equal."""


class RoundedIds(BadInput):
    """Ids are floating-point numbers so large that different ids have become equal."""


class EngineError(RecsqlError):
    """A failure of the database, in its own words: `statement` is the SQL that failed, `__cause__` the database's error."""

    def __init__(self, message: str, statement: str = "") -> None:
        super().__init__(message)
        self.statement = statement


for public in (RecsqlError, UnknownName, BadInput, FailedCheck, NoSuchFile, OtherTypes, RoundedIds, EngineError):
    public.__module__ = "recsql"  # where users find it


def warn(sentence: str) -> None:
    """Warns at the line of the caller's code, outside recsql."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in ("recsql", "contextlib"):
        frame, level = frame.f_back, level + 1
    warnings.warn(sentence, UserWarning, stacklevel=level)


def table_there(name: str) -> BadInput:
    """The error for creating a table that already exists."""
    return BadInput(f"into: table {name} already exists; drop it first, or choose another name")


def first_line(error: BaseException) -> str:
    """The first line of an error that says what is wrong, without the error's class."""
    found = re.search(r"\[[A-Z_.]+\] [^\n]+", str(error))
    return (found[0] if found else str(error).split("\n", 1)[0]).split(" SQLSTATE:")[0].strip()


def nearest(name: str, candidates: Iterable[str]) -> str:
    """'did you mean ...? ' with the candidate that begins with `name`, has it as a word or is spelt alike; empty if none does."""
    spelt, text = {one.lower(): one for one in candidates}, name.lower()
    longer = sorted((one for one in spelt if one.startswith(text)), key=len) if len(text.strip("-")) >= SHORT else []
    having = [one for one in spelt if text.strip("-") in re.split("[-_]", one)]
    close = longer or (having if len(having) == 1 else get_close_matches(text, spelt, n=1, cutoff=0.6))
    return f"did you mean {spelt[close[0]]}? " if close else ""
