"""Runs and judgements in TREC's formats as tables."""

from collections.abc import Sequence
from dataclasses import replace

from recsql.base.text import quoted
from recsql.engines import Engine
from recsql.query.templates import template
from recsql.tables.source_table import SourceTable

TREC = {"recs": "trec_run", "truth": "trec_qrels"}  # the templates that read TREC's formats, by role
DELIMITERS = (" ", "\t")


def trec_rows(role: str, paths: Sequence[str]) -> str:
    """The SQL that follows FROM: the rows of files, each line split by any white space."""
    return with_ranks(role, f"({template(TREC[role], file=listed(paths), with_ranks=True)})")


def with_ranks(role: str, rows: str) -> str:
    """Rows as read, with the ranks of a run from 1 on."""
    return f"({template('trec_run_ranks', rows=rows)})" if role == "recs" else rows


def listed(paths: Sequence[str]) -> str:
    return quoted(paths[0]) if len(paths) == 1 else f"[{', '.join(map(quoted, paths))}]"


def read_trec(engine: Engine, found: SourceTable) -> SourceTable:
    """Reads the files into a table of this call: as CSV if one space or one tab is between all fields, else line by line."""
    role, name = found.role.name, f"given_{found.role.name}"
    for delimiter in DELIMITERS:
        quick = template(f"{TREC[role]}_quick", file=listed(found.paths), delimiter=quoted(delimiter))
        table = engine.keep_once(name, quick)
        if engine.query(f"select bool_and(t.fits) as fits from {table} as t")["fits"][0].as_py():
            return replace(found, table=with_ranks(role, table))
    return replace(found, table=engine.keep_once(name, f"from {found.table}"))
