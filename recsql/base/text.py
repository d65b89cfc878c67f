"""SQL as text: literals, names and layout."""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

LITERAL = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
LINE_BREAK = re.compile("[\n-\r\x1c-\x1f\x85\u2028\u2029]")  # the line breaks of splitlines()
NAME_PART = re.compile(r'"((?:[^"]|"")+)"|`((?:[^`]|``)+)`|([^."`]+)')  # a part of a table's name: quoted, or without a dot
IDENTIFIER = re.compile(r"[a-z_][a-z0-9_]*")
SURROGATE = re.compile("[\ud800-\udfff]")  # a byte that is not UTF-8, as Python reads names of files and arguments
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
WORDS = re.compile(rf"--[^\n]*|{LITERAL.pattern}|\{{\{{.*?\}}\}}")  # literals, comments, and Jinja in a table's name


def quoted(text: str) -> str:
    """Text as an SQL literal. Line breaks become chr(), so that layout can't change the value."""
    return LINE_BREAK.sub(lambda found: f"' || chr({ord(found[0])}) || '", literal(text))


def literal(text: str) -> str:
    """Text as a plain SQL literal, for places that take no expression."""
    return "'" + text.replace("'", "''") + "'"


def real(number: float) -> str:
    """A number as a double."""
    return repr(number) if "e" in repr(number) else f"{number!r}e0"


def escape_controls(text: str, but: str = "") -> str:
    """Text from the user, for a terminal or a page: characters that control it or the writing direction are escaped."""
    return CONTROL.sub(lambda found: found[0] if found[0] in but else found[0].encode("unicode_escape").decode(), text)


def on_one_line(text: str) -> str:
    """Text from the user with line breaks as spaces and other control characters escaped."""
    return escape_controls(" ".join(text.splitlines()))


def quoted_name(name: str) -> str:
    """The name of a column or table as SQL."""
    return '"' + name.replace('"', '""') + '"'


def plain(name: str) -> str:
    """A column's name as SQL, quoted if needed."""
    return name if IDENTIFIER.fullmatch(name) else quoted_name(name)


def name_parts(name: str) -> list[str]:
    """The parts of a table's name in SQL, without quotes; empty if `name` can't name a table."""
    parts, end = [], -1
    while end < len(name):
        found = NAME_PART.match(name, end + 1)
        if not found or name[found.end() : found.end() + 1] not in ("", "."):
            return []
        of_quotes, of_backticks, plain = found.groups()
        parts.append(plain or (of_quotes or "").replace('""', '"') or of_backticks.replace("``", "`"))
        end = found.end()
    return parts


def is_quoted(name: str) -> bool:
    """Whether a name must be a table because it has quotes."""
    return name[:1] in ('"', "`") and bool(name_parts(name))


@lru_cache(maxsize=4096)
def code(text: str) -> str:
    """SQL without comments, literals and quoted names, for searches in it."""
    return WORDS.sub("''", text)


def indented(text: str, by: int = 4) -> str:
    return "\n".join(f"{' ' * by}{line}" if line.strip() else line for line in text.splitlines())


def aliased(text: str, name: str) -> str:
    """An expression as a column of that name; a column that has the name needs no alias."""
    return text if re.fullmatch(rf"\w+\.{name}", text) else f"{text} as {name}"


def counted(number: int, noun: str) -> str:
    """A number of things, as in `1 user` and `2,681 users`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def span(counts: Sequence[int]) -> str:
    """The range of some numbers, as in `3 to 1,200`."""
    low, high = min(counts), max(counts)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def cases(power: float) -> str:
    """A power in words, as in `4 of 5 cases`."""
    share = Fraction(power).limit_denominator(1000)
    return f"{share.numerator} of {share.denominator} cases"
