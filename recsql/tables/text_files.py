"""Text files: their columns have no types, so ids take the type that they have in other tables. Each file is read once."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from recsql.base import types
from recsql.base.errors import BadInput, EngineError
from recsql.base.text import quoted_name
from recsql.base.types import NUMBERS, REALS
from recsql.catalog.roles import SEGMENTS, Column, Role
from recsql.engines.duckdb import DuckDB
from recsql.query.templates import dialect
from recsql.tables.files import partitions, refuse_ids
from recsql.tables.source_table import Given

IDS = ("user_id", "item_id")
TEXT = "VARCHAR"
READABLE = ("UUID", "DATE", "TIME", "TIMESTAMP")  # the types besides numbers that text can be read as
UNKNOWN = (types.UNKNOWN, types.NULL, "JSON")  # JSON columns without values, or with values of several types, have the last two


def id_types(tables: Sequence[Given]) -> dict[str, tuple[str, str]]:
    """The types that text ids are read as, per column, with the table that has each type. Without such a table, ids stay text.

    Tables that have types of their own come first, then whole numbers in JSON.
    """
    found = {}
    for column in IDS:
        having = [one for one in tables if one.has(column)]
        firm = [one for one in having if not one.is_text and one.type(column) not in UNKNOWN]
        kinds = [(one.type(column), one.name) for one in sorted(firm, key=lambda one: one.is_empty)]
        numbers = [(one.type(column), one.name) for one in having if one.kind == "json" and one.type(column) in NUMBERS]
        found[column] = next(((reading(kind), name) for kind, name in [*kinds, *numbers]), (TEXT, ""))
    return found


def reading(kind: str) -> str:
    """The type that text is read as, to be compared with ids of this type."""
    if kind in NUMBERS:
        return kind if kind in ("UBIGINT", "HUGEINT", "UHUGEINT") else "BIGINT"
    return kind if kind.startswith((*REALS, *READABLE)) else TEXT


def typed(found: Given, role: Role, ids: Mapping[str, tuple[str, str]]) -> Given:
    """A text file with the types of its columns; raises BadInput if ids in JSON are fractions."""
    in_folders = partitions(found.paths)
    read_as: dict[str, str] = {}
    converted: dict[str, str] = {}
    types = dict(found.types)
    in_role = {found.names[column.ours] for column in role.columns if found.has(column.ours)}
    for column in role.readable:
        if not found.has(column.ours) or found.names[column.ours].lower() in in_folders:
            continue
        if column in SEGMENTS and found.names[column.ours] in in_role:
            continue  # a slice by a column that has a type
        name, behind = found.in_files(column.ours)
        own = found.type(column.ours)
        if column.ours not in IDS:
            read, kind = (type_of(column, own),) * 2
        elif found.kind == "json" and is_number_of_json(found, column.ours, ids[column.ours][0]):
            read, kind = own, own
        else:
            read, kind = TEXT, ids[column.ours][0]
        types[found.names[column.ours]] = kind
        if read != own or not column.is_number:  # needed too if files read together differ
            read_as[name] = f"{read}{behind}"
        if read != kind:
            converted[name] = f"{kind}{behind}"
    if found.kind == "json":  # which needs the types of all columns or of none
        others = {
            name: TEXT if kind in UNKNOWN else kind for name, kind in found.file_types.items() if name.lower() not in in_folders
        }
        read_as = {**others, **read_as}
    return replace(found, types=types, read_as=read_as, converted=converted)


def is_number_of_json(found: Given, column: str, kind: str) -> bool:
    """Whether ids in JSON are whole numbers, and those of the other tables are too."""
    own = found.type(column)
    if own.startswith(REALS):
        raise BadInput(
            f"{found.name}: {found.names[column]} has fractions, or whole numbers of more than 19 digits; write such ids as text"
        )
    return own in NUMBERS and kind in NUMBERS


def type_of(column: Column, kind: str) -> str:
    """The type for a text column that is not an id. Numbers are read as numbers, so that errors name the line."""
    if column.is_time:
        return kind
    if not column.is_number:
        return TEXT if not kind.endswith("[]") else f"{TEXT}[]"
    if kind == "BOOLEAN" or (column.cast != "double" and (kind in NUMBERS or kind.startswith(REALS))):
        return kind
    return "DOUBLE"


def read_once(engine: DuckDB, label: str, role: Role, found: Given, ids: Mapping[str, tuple[str, str]], *, whole: bool) -> Given:
    """A text file as a temporary table of this call, because a query reads its tables more than once.

    `whole`: keep all columns, and not only those of its role.
    """
    columns = list(found.file_types) if whole or found.lists else list(dict.fromkeys(found.names.values()))
    text = "select {} from {}".format(", ".join(map(quoted_name, columns)), found.rows(dialect(engine.reads)))
    try:
        table = engine.keep_once(f"given_to_recsql_{label}", text)
    except (BadInput, EngineError) as error:
        wider = looked_into(found, role, columns, ids)
        if wider:
            return read_once(engine, label, role, wider, ids, whole=whole)
        if isinstance(error, EngineError):
            raise BadInput(f"{found.name}: it can't be read: {error}") from None
        raise
    return replace(found, table=table)


def looked_into(found: Given, role: Role, columns: Sequence[str], ids: Mapping[str, tuple[str, str]]) -> Given | None:
    """Other types for a file that can't be read; raises BadInput if an id is wrong.

    It uses a separate connection, because the error may have ended a transaction of the caller.
    """
    engine = DuckDB()
    try:
        refuse_ids(engine, found, {found.in_files(column)[0]: other for column, (_, other) in ids.items() if found.has(column)})
        return widened(engine, found, role, columns)
    finally:
        engine.release()


def widened(engine: DuckDB, found: Given, role: Role, columns: Sequence[str]) -> Given | None:
    """CSV with wider types, if the first 20,000 lines suggested types too narrow for the rest; otherwise None."""
    if found.kind != "csv":
        return None
    every = engine.columns(dialect(engine.reads).csv(found.paths, {}, ", sample_size = -1"))
    by_name = {found.names[column.ours]: column for column in role.columns if found.has(column.ours)}
    changed = {
        name: type_of(by_name[name], kind) if name in by_name else kind
        for name, kind in every.items()
        if name in columns and name not in found.read_as and kind != found.types[name]
    }
    return replace(found, types={**found.types, **changed}, read_as={**found.read_as, **changed}) if changed else None
