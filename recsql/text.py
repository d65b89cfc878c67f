"""SQL as text: literals, layout, and what stands in it apart from literals."""

import re

BREAK = "\x1f"  # a line break inside an expression: indented like the line it stands in
LITERAL = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")


def quoted(text: str) -> str:
    """Text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def code(text: str) -> str:
    """Text without its literals and quoted names: what a search for SQL looks at."""
    return LITERAL.sub("''", text)


def laid_out(text: str) -> str:
    """Rendered text as a person would lay it out: expression breaks indented, no blank or trailing space."""
    lines: list[str] = []
    for line in text.splitlines():
        indent = " " * (len(line) - len(line.lstrip()))
        lines += line.rstrip().replace(BREAK, f"\n{indent}").split("\n")
    return "\n".join(line.rstrip() for line in lines if line.strip())


def indented(text: str, by: int = 4) -> str:
    return "\n".join(f"{' ' * by}{line}" if line.strip() else line for line in text.splitlines())
