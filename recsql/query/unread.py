"""Leaves out of a text for people the columns that nothing reads."""

import re
from collections.abc import Callable, Collection, Iterator

from recsql.base.text import WORDS

KEYS = ("model", "user_id", "k", "*")  # they say which row it is, also if nothing reads them; all columns of another step
SELECT = re.compile(r"\bselect\b(?! distinct\b)(.*?)(?=\bfrom\b|\bunion\b|\Z)", re.DOTALL)  # outside of brackets
NAME = re.compile(r"(\w+|\*)\s*$")


def without_unread(text: str, is_read: Callable[[str], bool]) -> str:
    """A query without the columns that are not read, in each SELECT of its union and in the queries within it.

    Keys stay, and so do columns that the rows are grouped by.
    """
    outside = without_brackets(text)
    selects = [found.span(1) for found in SELECT.finditer(outside)]
    names = [NAME.search(column) for column in outside[slice(*selects[0])].split(",")] if selects else []  # the first names them
    grouped = {*KEYS, *re.findall(r"\w+", outside.partition("group by")[2])}
    unread = {place for place, name in enumerate(names) if name and name[1] not in grouped and not is_read(name[1])}
    for start, stop in reversed(selects if unread else []):
        text = text[:start] + shortened(text[start:stop], outside[start:stop], unread) + text[stop:]
    for start, stop, alias in reversed([*queries_within(text)]):
        read = {*re.findall(rf"\b{alias}\.(\w+|\*)", text[:start] + text[stop:])}
        within = text[start:stop] if "*" in read else without_unread(text[start:stop], read.__contains__)
        text = text[:start] + within + text[stop:]
    return text


def without_brackets(text: str) -> str:
    """The text with what is in brackets, literals and comments blanked out; all else keeps its place."""
    depth, letters = 0, []
    for letter in WORDS.sub(lambda found: "x" * len(found[0]), text):
        depth -= letter in ")]}"
        letters.append(letter if depth == 0 else " ")
        depth += letter in "([{"
    return "".join(letters)


def queries_within(text: str) -> Iterator[tuple[int, int, str]]:
    """The places of the queries in a query's FROM and JOINs, with their aliases."""
    for found in re.finditer(r"\b(?:from|join) \((\s*)\) as (\w+)", without_brackets(text)):
        if text[slice(*found.span(1))].lstrip().startswith("select"):
            yield *found.span(1), found[2]


def shortened(listed: str, outside: str, unread: Collection[int]) -> str:
    """The columns of a SELECT without those at some places: a line each as before, or all on one line."""
    commas = [place for place, letter in enumerate(outside) if letter == ","]
    columns = [
        listed[start:stop].strip() for start, stop in zip([0, *(place + 1 for place in commas)], [*commas, None], strict=True)
    ]
    kept = [one for place, one in enumerate(columns) if place not in unread]
    before, after = listed[: len(listed) - len(listed.lstrip())], listed[len(listed.rstrip()) :]
    if len(kept) == 1 and "\n" not in kept[0]:
        return f" {kept[0]}{after}"
    return f"{before}{f',{before}'.join(kept)}{after}"
