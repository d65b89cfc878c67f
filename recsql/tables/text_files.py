"""Text files: reads each once, and refuses those that are not tables."""

import glob
from collections.abc import Mapping
from dataclasses import replace

from recsql.base.errors import BadInput, EngineError
from recsql.base.paths import matches
from recsql.base.text import LINE_BREAK, quoted, quoted_name
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.query.templates import dialect
from recsql.tables.folds import fold_column
from recsql.tables.source_table import SourceTable
from recsql.tables.types import IdTypes, choose_types

DELIMITERS = ",;|\t"
NOTHING: Mapping[str, str] = {}


def refuse_shape(engine: Engine, found: SourceTable) -> None:
    """Raises BadInput if a text file is not a table: it is empty, or its lines differ in length, or its names are ambiguous."""
    columns = list(found.types)
    if found.kind == "json":
        if columns == ["json"]:
            raise BadInput(f"{found.name}: it has no objects; give one object per row, in a list or one per line")
        if broken := [column for column in columns if LINE_BREAK.search(column)]:
            raise BadInput(f"{found.name}: the column name {broken[0]!r} has a line break; rename it")
        return
    if columns == ["column0"]:
        raise BadInput(f"{found.name}: the file is empty; its first line must name the columns")
    mark = next((one for one in DELIMITERS if one in columns[0]), None)
    if len(columns) == 1 and mark:  # lines differ in length, so DuckDB has not split them; a query fails with the line
        types = {f"{column} {n}": "VARCHAR" for n, column in enumerate(columns[0].split(mark))}
        how = f"delim = {quoted(mark)}, quote = '\"', escape = '\"', columns = {dialect(engine.reads).struct(types)}"
        for path in (match for one in found.paths for match in matches(one) or [one]):
            rows = f"read_csv({quoted(path)}, auto_detect = false, header = true, {how})"
            engine.query(f"select max(hash(f)) from {rows} as f")
    for column in columns:
        if f"{column}_1" in columns and not column.isdigit():  # DuckDB adds a number to the second of two equal names
            rows = f"read_csv({quoted(found.paths[0])}, header = false, all_varchar = true, skip = 0, comment = '')"
            [header] = engine.query(f"select * from {rows} limit 1").to_pylist()
            if list(header.values()).count(column) > 1:
                raise BadInput(f"{found.name}: its first line names the column {column} twice; rename one of them")


def read_once(engine: Engine, given: SourceTable, ids: IdTypes, wider: Mapping[str, str] = NOTHING) -> SourceTable:
    """Reads a text file into a temporary table of this call, because a query reads its tables more than once.

    The table has the columns of its role and a column fold, or all for interactions, because a split writes them. If the first
    20,000 lines of CSV suggest types too narrow for the rest, the file is read again with `wider` types.
    """
    found = choose_types(given, ids)
    found = replace(found, read_as={**wider, **found.read_as})
    named = filter(None, [*found.names.values(), fold_column(found)])
    read = found.file_types if found.role.name == "interactions" or found.lists else dict.fromkeys(named)
    columns = ", ".join(map(quoted_name, read))
    text = f"select {columns} from {found.rows(dialect(engine.reads))}"
    try:
        return replace(found, table=engine.keep_once(f"given_to_recsql_{found.role.name}", text))
    except (BadInput, EngineError) as error:
        refuse_ids(found, ids)
        if found.kind == "csv":  # in another connection, because the error may have ended the caller's transaction
            every = DuckDB().columns(dialect(DuckDB.reads).csv(found.paths, {}, ", sample_size = -1"))
            if wider := {name: kind for name, kind in every.items() if kind != given.types[name]}:
                return read_once(engine, replace(given, types=every), ids, wider)
        if isinstance(error, EngineError):
            raise BadInput(f"{found.name}: it can't be read: {error}") from None
        raise


def refuse_ids(found: SourceTable, ids: IdTypes) -> None:
    """Raises BadInput for the first id that can't be read as the type of the other ids, with its line."""
    engine, sql = DuckDB(), dialect(DuckDB.reads)
    others = {found.in_files(found.names[column], "")[0]: other for column, (_, other) in ids.items() if found.has(column)}
    what, first = ("line", 1) if found.kind == "csv" else ("row", 0)  # the first line is the header
    for path in matches(*found.paths):
        for column, kind in found.converted.items():
            rows = getattr(sql, found.kind)([glob.escape(path)], {column: found.read_as[column]}, ", parallel = false")
            value = f"unnest(f.{quoted_name(column)})" if kind.endswith("[]") else f"f.{quoted_name(column)}"
            numbered = f"select row_number() over () + {first} as line, {value} as value from {rows} as f"
            wrong = f"n.value is not null and {sql.read_as('n.value', kind.removesuffix('[]'))} is null"
            for row in engine.query(f"select n.line, n.value from ({numbered}) as n where {wrong} limit 1").to_pylist():
                raise BadInput(
                    f"{path}: {what} {row['line']}: {column} is {row['value']!r}, "
                    f"but in {others[column]} it is {kind}; correct it, or give both tables ids of one type"
                )
