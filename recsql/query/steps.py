"""The steps of a query: their columns, and the query that ends after one of them."""

import re
from collections.abc import Mapping

from recsql.base.errors import RecsqlError, UnknownName, nearest
from recsql.base.statement import Joined, Statement
from recsql.base.text import code
from recsql.catalog import catalog

BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
SELECT = re.compile(r"\bselect\b(?: distinct\b)?(.*?)(?:\bfrom\b\s*(\w*)|\b(?:union|where|group|having)\b|$)", re.DOTALL)
LAST = re.compile(r"([\w*]+)[\s)]*$")  # the name of a column
KEYS = ("model", "user_id", "place", "k", "rank", "item_id")  # the columns that order the rows


def single_statement(text: str) -> Statement:
    """`text` as one statement with its steps; raises RecsqlError if it combines several queries."""
    if isinstance(text, Joined):
        raise RecsqlError(f"metrics: their options need {len(text.parts)} queries; ask for those of one query to see its steps")
    assert isinstance(text, Statement)
    return text


def query_of_step(text: str, step: str | None, condition: str = "", most: int | None = None) -> str:
    """The query for the rows `s` of a step that meet a condition, with the steps that it needs; without a step, the whole."""
    if step is None:
        return text
    steps = single_statement(text).steps
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
    _, _, text = code(steps[step]).partition("(")
    while True:
        outside = text
        while (shorter := BRACKETS.sub("#", outside)) != outside:
            outside = shorter
        found = SELECT.search(outside)
        assert found, f"no SELECT in {text}"
        columns = [column for part in found[1].split(",") for column in LAST.findall(part)]
        if columns != ["*"]:
            return columns
        if found[2]:
            return columns_of(found[2], steps)
        _, _, text = text.partition("from (")
