"""The steps of a query: their columns, and the query that ends after one of them."""

import re
from collections.abc import Mapping

from recsql.base.errors import RecsqlError, UnknownName, nearest
from recsql.base.statement import READS, Joined, Statement
from recsql.base.text import code
from recsql.catalog import catalog

SELECT = re.compile(r"[()]|\bselect(?: distinct)?\b")
WITH = re.compile(r"[^(]*\(\s*with\b")
MARK = re.compile(r"[(\[{]|[)\]}]|,|\b(?:from|union|where|group|having)\b")  # what separates or ends the columns
LAST = re.compile(r"([\w*]+)\s*$")
KEYS = ("model", "user_id", "place", "k", "rank", "item_id")  # the columns that order the rows


def alone(text: str) -> Statement:
    """A query with its steps; raises RecsqlError if it combines several queries."""
    if isinstance(text, Joined):
        raise RecsqlError(f"metrics: their options need {len(text.parts)} queries; ask for those of one query to see its steps")
    assert isinstance(text, Statement)
    return text


def stopped(text: str, step: str | None, condition: str = "", most: int | None = None) -> str:
    """The query for the rows of a step, with only the steps that it needs; without a step, the whole query.

    `condition` is one on `s`, the rows of the step. Raises RecsqlError if the query has no such step.
    """
    if step is None:
        return text
    steps = alone(text).steps
    if step not in steps:
        there = ", ".join(steps)
        if step in catalog().steps:
            raise RecsqlError(f"stop_after: this query has no step {step}; it has {there}")
        raise UnknownName(f"stop_after: unknown step {step!r}; {nearest(str(step), steps)}choose one of {there}")
    columns = columns_of(step, steps)
    keys = [key for key in KEYS if key in columns] or columns[:1]
    order = ", ".join(f"s.{key} asc{' nulls first' if key == 'model' else ''}" for key in keys)
    lines = ["select", ",\n".join(f"    s.{column}" for column in columns), f"from {step} as s"]
    clauses = {"where": condition, "order by": order, "limit": most}
    return str(Statement.over(steps, "\n".join([*lines, *(f"{word} {said}" for word, said in clauses.items() if said)])))


def row_of(step: str) -> str:
    """What one row of a step is in the plain flow."""
    header = catalog().steps[step].header
    return str(header.get("plain_row", header["row"]))


def columns_of(step: str, steps: Mapping[str, str]) -> list[str]:
    """The columns of a step, from its text."""
    columns, rest = first_columns(code(steps[step]))
    while columns == ["*"]:
        read = READS.match(rest)
        columns, rest = first_columns(code(steps[read[1]]) if read else rest)
    return columns


def select_of(text: str) -> re.Match[str]:
    """The first SELECT; if the step has a WITH of its own, the one that follows it."""
    anywhere, depth = not WITH.match(text), 0
    for found in SELECT.finditer(text):
        if found[0] in "()":
            depth += 1 if found[0] == "(" else -1
        elif anywhere or depth == 1:
            return found
    raise AssertionError(f"no SELECT in {text}")


def first_columns(text: str) -> tuple[list[str], str]:
    """The columns of the first SELECT in a text that is not within a WITH, and the text that follows them."""
    start = select_of(text)
    columns, begin, depth = [], start.end(), 0
    for found in MARK.finditer(text, begin):
        mark = found[0]
        if depth == 0 and mark not in "([{":
            columns += LAST.findall(text[begin : found.start()])
            begin = found.end()
            if mark != ",":
                break
        depth += (mark in "([{") - (mark in ")]}")
    return columns, text[begin - len(mark) :]
