"""Tables that nobody looks at: their columns are known only when a query runs."""

import re
from typing import Any

from recsql.binding import Relation
from recsql.templates import template
from recsql.text import quoted, quoted_name

FILE = re.compile(r"[.](parquet|pq|csv|tsv|json|jsonl|ndjson)([.]gz)?$")


def unseen(role: str, name: str, **context: Any) -> Relation:
    """A table by its name, a path or a glob; `context` has what the template of its role reads."""
    source = f"query_table({quoted(called(name))})"
    return Relation(template(f"given_{role}", source=source, **context), quoted(name), source)


def called(name: str) -> str:
    """The name of a table, a view or a CTE unchanged; a path in quotes, so that its dots do not separate schemas."""
    is_path = "/" in name or "*" in name or FILE.search(name.lower())
    return quoted_name(name) if is_path and name[:1] != '"' else name
