"""The findings of a query: oddities in its tables."""

from collections.abc import Mapping

from recsql.base.text import quoted
from recsql.catalog import catalog
from recsql.catalog.headers import Source
from recsql.query.render import Query
from recsql.query.templates import rendered


def finding_of(query: Query, source: Source, severity: str | None = None, advice: str | None = None) -> str:
    """The query for the rows of a finding in the report; `severity` and `advice` replace its own."""
    role = source.header.get("table", "")
    context = {
        "finding": source,
        "advice": advice or source.header["advice"],
        "severity": graded(severity or source.header["severity"]),
        "table": query.inputs.tables[role].name if role in query.inputs.tables else quoted(role) if role else "",
        "text": rendered(source.path, query.context),
    }
    return rendered(catalog().targets["finding"].path, {**query.context, **context})


def graded(severity: str | Mapping[str, float | str]) -> str:
    """The severity as an expression: a constant, or per severity the share above which it holds, or a condition."""
    if isinstance(severity, str):
        return quoted(severity)
    whens = {name: f"f.found > {one} * f.total" if isinstance(one, int | float) else one for name, one in severity.items()}
    return f"case {' '.join(f'when {condition} then {quoted(name)}' for name, condition in whens.items())} end"
