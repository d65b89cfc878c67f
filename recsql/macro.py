"""The text of one macro: its parameters, its body and its comment."""

from collections.abc import Iterable, Sequence
from textwrap import wrap

from recsql.sentences import sentence_of
from recsql.templates import dialect, template
from recsql.text import indented, quoted

Way = tuple[Sequence[str], str]  # a way to call a macro: its parameters and its body


def macro(name: str, about: str, parameters: Sequence[str], body: str, *, table: bool = False) -> str:
    return macro_of(name, about, [(parameters, body)], table=table)


def inner(name: str, about: str, parameters: Sequence[str], body: str) -> str:
    """A macro that only others call; it shows no comment in the shell."""
    given = listed(parameters)
    given = f"\n    {given}\n" if "\n" in given else given
    return f"-- {about}\ncreate or replace macro recsql.{name}({given}) as\n{indented(body)};"


def macro_of(name: str, about: str, ways: Iterable[Way], *, table: bool = False) -> str:
    """A macro that can be called in several ways, each with parameters and a body of its own."""
    laid = [(listed(parameters), indented(body)) for parameters, body in ways]
    return template("macro", name=name, about=about, ways=laid, table=table, comment=quoted(about))


def listed(parts: Sequence[str]) -> str:
    """Parameters or arguments separated by commas, wrapped over several lines; none is split."""
    unbroken = ", ".join(part.replace(" ", "\xa0") for part in parts)
    return "\n    ".join(wrap(unbroken, 116, break_long_words=False)).replace("\xa0", " ")


def sentence(check: str, **found: str) -> str:
    """The message of a check as an expression on one line."""
    return sentence_of(check, {}, dialect("duckdb"), found).replace("\n", " ")
