"""SQL as text: literals, layout, and what stands in it apart from literals."""

import re
from functools import lru_cache

BREAK = "\x1f"  # a line break inside an expression: indented like the line it stands in
LITERAL = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
LINE_BREAK = re.compile("[\n-\r\x1c-\x1f\x85\u2028\u2029]")  # what splitlines() breaks at, and BREAK
NAME_PART = re.compile(r'"((?:[^"]|"")+)"|`((?:[^`]|``)+)`|([^."`]+)')  # of a table's name: in quotes, or without a dot
IDENTIFIER = re.compile(r"[a-z_][a-z0-9_]*")
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
WORDS = re.compile(rf"--[^\n]*|{LITERAL.pattern}|\{{\{{.*?\}}\}}")  # and comments, and the Jinja of a table's name

MODELS = {  # what steps say of models, and what is left of it where there is only one
    r"\b\w+\.model is not distinct from \w+\.model and ": "",
    r"\b\w+\.model is not distinct from \w+\.model\b": "true",
    r"(?m)^ *(?:\w+\.model|cast\(null as \w+\) as model),\n": "",
    r"(?m)\n *group by \w+\.model$": "",
    r"\b(?:\w+\.model(?: asc)?(?: nulls first)?|null as model), ": "",
}


def quoted(text: str) -> str:
    """Text as an SQL literal; its line breaks are written as chr(), so that no layout changes what it says."""
    return LINE_BREAK.sub(lambda found: f"' || chr({ord(found[0])}) || '", literal(text))


def literal(text: str) -> str:
    """Text as an SQL literal as it is, for a place that takes no expression."""
    return "'" + text.replace("'", "''") + "'"


def shown(text: str) -> str:
    """Text of the user's for a terminal or a page: what controls these, or turns the direction of writing, as an escape."""
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def on_one_line(text: str) -> str:
    """Text of the user's with spaces for its line breaks, and escapes for other control characters."""
    return shown(" ".join(text.splitlines()))


def quoted_name(name: str) -> str:
    """The name of a column or table as SQL."""
    return '"' + name.replace('"', '""') + '"'


def plain(name: str) -> str:
    """A column's name as SQL, in quotes where it needs them."""
    return name if IDENTIFIER.fullmatch(name) else quoted_name(name)


def name_parts(name: str) -> list[str]:
    """The parts of a table's name as SQL has it, without their quotes; none where it is no such name."""
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
    """Whether a name is that of a table because it has quotes."""
    return name[:1] in ('"', "`") and bool(name_parts(name))


@lru_cache(maxsize=4096)
def code(text: str) -> str:
    """Text without its comments, literals and quoted names: what a search for SQL looks at."""
    return WORDS.sub("''", text)


@lru_cache(maxsize=4096)
def laid_out(text: str) -> str:
    """Rendered text as a person would lay it out: expression breaks indented, no blank or trailing space."""
    lines: list[str] = []
    for line in text.splitlines():
        indent = " " * (len(line) - len(line.lstrip()))
        lines += line.rstrip().replace(BREAK, f"\n{indent}").split("\n")
    return "\n".join(line.rstrip() for line in lines if line.strip())


def indented(text: str, by: int = 4) -> str:
    return "\n".join(f"{' ' * by}{line}" if line.strip() else line for line in text.splitlines())


@lru_cache(maxsize=4096)
def without_models(text: str) -> str:
    """A step for one model without a name: no key, no group and no join of it has the column."""
    pieces = re.split(f"({LITERAL.pattern})", text)
    for written, left in MODELS.items():
        pieces[::2] = [re.sub(written, left, piece) for piece in pieces[::2]]
    return "".join(pieces)
