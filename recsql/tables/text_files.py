"""Text files: their columns have no types, so ids take the type that they have in other tables. Each file is read once."""

import glob
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from recsql.base.errors import BadInput, EngineError
from recsql.base.paths import matches
from recsql.base.text import LINE_BREAK, quoted, quoted_name
from recsql.base.types import NUMBERS, REALS
from recsql.catalog.roles import SEGMENTS, Column, Role
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.query.templates import dialect
from recsql.tables.ids import TEXT, UNTYPED, IdTypes
from recsql.tables.source_table import IDS, SourceTable

DELIMITERS = ",;|\t"


def refuse_shape(engine: Engine, found: SourceTable) -> None:
    """Raises BadInput for a text file that is not a table: it is empty, its lines differ in length, or names are ambiguous."""
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
    if len(columns) == 1 and mark:  # DuckDB has not split the lines, as they differ in length; it says which one does
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


def with_types(found: SourceTable, role: Role, ids: IdTypes) -> SourceTable:
    """A text file with the types of its columns; raises BadInput if ids in JSON are fractions."""
    in_folders = folder_columns(found.paths)
    read_as: dict[str, str] = {}
    converted: dict[str, str] = {}
    types = dict(found.types)
    in_role = {found.names[column.ours] for column in role.columns if found.has(column.ours)}
    for column in (one for one in role.readable if found.has(one.ours)):
        theirs, own = found.names[column.ours], found.type(column.ours)
        if theirs.lower() in in_folders or (column in SEGMENTS and theirs in in_role):  # which have a type already
            continue
        if column.ours not in IDS:
            read, kind = (type_of(column, own),) * 2
        else:
            kind = ids[column.ours][0]
            if found.kind == "json" and own.startswith(REALS):
                what = "fractions, or whole numbers of more than 19 digits"
                raise BadInput(f"{found.name}: {theirs} has {what}; write such ids as text")
            if found.kind == "json" and own in NUMBERS and kind in NUMBERS:
                read, kind = own, own
            else:
                read = TEXT
        name, behind = found.in_files(column.ours)
        types[theirs] = kind
        if read != own or not column.is_number:  # needed too if files read together differ
            read_as[name] = f"{read}{behind}"
        if read != kind:
            converted[name] = f"{kind}{behind}"
    if found.kind == "json":  # which needs the types of all columns or of none
        others = {name: kind for name, kind in found.file_types.items() if name.lower() not in in_folders}
        read_as = {**{name: TEXT if kind in UNTYPED else kind for name, kind in others.items()}, **read_as}
    return replace(found, types=types, read_as=read_as, converted=converted)


def folder_columns(paths: Sequence[str]) -> set[str]:
    """The columns that folders such as year=2026 add to their files, in lower case."""
    files = [file for one in paths for file in (matches(one)[:1] or [one])]
    return {folder.partition("=")[0].lower() for file in files for folder in Path(file).parts[:-1] if "=" in folder}


def type_of(column: Column, kind: str) -> str:
    """The type for a text column that is not an id. Numbers are read as numbers, so that errors name the line."""
    if column.is_time:
        return kind
    if not column.is_number:
        return TEXT if not kind.endswith("[]") else f"{TEXT}[]"
    if kind == "BOOLEAN" or (column.cast != "double" and (kind in NUMBERS or kind.startswith(REALS))):
        return kind
    return "DOUBLE"


def read_once(engine: DuckDB, label: str, role: Role, found: SourceTable, ids: IdTypes) -> SourceTable:
    """A text file as a temporary table of this call, because a query reads its tables more than once.

    It has only the columns of its role, and all of them for interactions, which a split writes whole.
    """
    whole = label == "interactions" or found.lists
    columns = list(found.file_types) if whole else list(dict.fromkeys(found.names.values()))
    text = "select {} from {}".format(", ".join(map(quoted_name, columns)), found.rows(dialect(engine.reads)))
    try:
        return replace(found, table=engine.keep_once(f"given_to_recsql_{label}", text))
    except (BadInput, EngineError) as error:
        if wider := with_wider_types(found, role, columns, ids):
            return read_once(engine, label, role, wider, ids)
        if isinstance(error, EngineError):
            raise BadInput(f"{found.name}: it can't be read: {error}") from None
        raise


def with_wider_types(found: SourceTable, role: Role, columns: Sequence[str], ids: IdTypes) -> SourceTable | None:
    """A CSV file that can't be read, with wider types, if its first 20,000 lines suggested types too narrow for the rest.

    Raises BadInput if an id is the reason. It looks through a connection of its own, because the error may have ended a
    transaction of the caller.
    """
    engine = DuckDB()
    try:
        refuse_ids(engine, found, {found.in_files(column)[0]: other for column, (_, other) in ids.items() if found.has(column)})
        if found.kind != "csv":
            return None
        every = engine.columns(dialect(engine.reads).csv(found.paths, {}, ", sample_size = -1"))
    finally:
        engine.release()
    by_name = {found.names[column.ours]: column for column in role.columns if found.has(column.ours)}
    changed = {
        name: type_of(by_name[name], kind) if name in by_name else kind
        for name, kind in every.items()
        if name in columns and name not in found.read_as and kind != found.types[name]
    }
    return replace(found, types={**found.types, **changed}, read_as={**found.read_as, **changed}) if changed else None


def refuse_ids(engine: DuckDB, found: SourceTable, others: Mapping[str, str]) -> None:
    """Raises BadInput for the first id that can't be read as the type of the other ids, with its line.

    `others` has, per column, the name of the table with that type.
    """
    sql = dialect(engine.reads)
    first = 1 if found.kind == "csv" else 0  # the header
    for path in (match for one in found.paths for match in matches(one)):
        for column, kind in found.converted.items():
            rows = getattr(sql, found.kind)([glob.escape(path)], {column: found.read_as[column]}, ", parallel = false")
            value = f"unnest(f.{quoted_name(column)})" if kind.endswith("[]") else f"f.{quoted_name(column)}"
            numbered = f"select row_number() over () + {first} as line, {value} as value from {rows} as f"
            wrong = f"n.value is not null and {sql.read_as('n.value', kind.removesuffix('[]'))} is null"
            for row in engine.query(f"select n.line, n.value from ({numbered}) as n where {wrong} limit 1").to_pylist():
                raise BadInput(
                    f"{path}: {'line' if first else 'row'} {row['line']}: {column} is {row['value']!r}, "
                    f"but in {others[column]} it is {kind}; correct it, or give both tables ids of one type"
                )
