"""The types of columns: compares ids across the tables of a call, and chooses types for text files."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from recsql.base.errors import BadInput, OtherTypes, RoundedIds
from recsql.base.paths import matches
from recsql.base.text import plain, quoted_name
from recsql.base.types import NULL, NUMBERS, REALS, TIMES, UNKNOWN, alike, family, is_numeric
from recsql.catalog import catalog
from recsql.catalog.roles import ORDERS, SEGMENTS, Column
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.query.templates import dialect
from recsql.tables.source_table import IDS, SourceTable

IdTypes = Mapping[str, tuple[str, str]]  # per column: the type for its ids, and the name of the table that has this type
TEXT = "VARCHAR"
READABLE = ("UUID", "DATE", "TIME", "TIMESTAMP", *REALS)  # types besides whole numbers as which text can be read
UNTYPED = (UNKNOWN, NULL, "JSON")  # the last two: columns of JSON without values, or with values of several types


def id_types(tables: Sequence[SourceTable]) -> IdTypes:
    """Per column, the type for ids that have none: that of the first table that has one, else of numbers in JSON, else text."""
    found = {}
    for column in IDS:
        having = [one for one in tables if one.has(column)]
        firm = [one for one in having if not one.is_text and one.type(column) not in UNTYPED]
        numbers = [one for one in having if one.kind == "json" and one.type(column) in NUMBERS]
        first = next(iter([*sorted(firm, key=lambda one: one.is_empty), *numbers]), None)
        found[column] = (readable_type(first.type(column)), first.name) if first else (TEXT, "")
    return found


def readable_type(kind: str) -> str:
    """The type as which text is read, to compare it with ids of this type."""
    if kind in NUMBERS:
        return kind if kind in ("UBIGINT", "HUGEINT", "UHUGEINT") else "BIGINT"
    return kind if kind.startswith(READABLE) else TEXT


def cast_ids(found: SourceTable, ids: IdTypes) -> SourceTable:
    """Gives a table's ids the type of the other tables' ids if they have no values."""
    types = {}
    for column in (one for one in IDS if found.has(one)):
        own, kind = found.type(column), ids[column][0]
        if own == NULL or (found.is_empty and family(own) != family(kind)):
            types[found.names[column]] = kind
    if not types:
        return found
    in_files = [found.in_files(*one) for one in types.items()]
    casts = ", ".join(f"cast({quoted_name(name)} as {kind}) as {quoted_name(name)}" for name, kind in in_files)
    return replace(
        found, table=f"(select * replace ({casts}) from {found.rows(dialect(DuckDB.reads))})", types={**found.types, **types}
    )


def choose_types(found: SourceTable, ids: IdTypes) -> SourceTable:
    """Chooses the types of a text file's columns; raises BadInput if ids in JSON are fractions."""
    folders = {folder for one in found.paths for file in (matches(one)[:1] or [one]) for folder in Path(file).parts[:-1]}
    in_folders = {folder.partition("=")[0].lower() for folder in folders if "=" in folder}  # columns such as year=2026
    types = {name: TEXT if found.kind == "json" and kind in UNTYPED else kind for name, kind in found.types.items()}
    read_as: dict[str, str] = {}
    in_role = {found.names[column.ours] for column in found.role.columns if found.has(column.ours)}
    for column in (one for one in found.role.readable if found.has(one.ours)):
        theirs, own = found.names[column.ours], found.type(column.ours)
        if theirs.lower() in in_folders or (column in SEGMENTS and theirs in in_role):  # these have a type already
            continue
        read = kind = type_of(column, own)
        if column.ours in IDS:
            kind = ids[column.ours][0]
            if found.kind == "json" and own.startswith(REALS):
                what = "fractions, or whole numbers of more than 19 digits"
                raise BadInput(f"{found.name}: {theirs} has {what}; write such ids as text")
            if found.kind == "json" and own in NUMBERS and kind in NUMBERS:
                read = kind = own
        types[theirs] = kind
        if read != own or not column.is_number:  # also if files that are read together differ
            read_as |= [found.in_files(theirs, read)]
    typed = replace(found, types=types)
    if found.kind == "json":  # DuckDB needs the types of all columns of JSON or of none
        read_as = {name: kind for name, kind in typed.file_types.items() if name.lower() not in in_folders} | read_as
    return replace(typed, read_as=read_as)


def type_of(column: Column, kind: str) -> str:
    """The type as which a text column is read. Numbers are read as numbers, so that errors name the line."""
    if column.is_time:
        return kind
    if not column.is_number:
        return f"{TEXT}[]" if kind.endswith("[]") else TEXT
    if kind == "BOOLEAN" or (column.cast != "double" and is_numeric(kind)):
        return kind
    return "DOUBLE"


# -- refused


def check_types(tables: Mapping[str, SourceTable]) -> None:
    """Raises OtherTypes if ids differ in type between tables, and BadInput if a column must be a number or a time and is not."""
    every = [one for table in tables.values() for one in table.each]
    check_ids(every)
    for table in every:
        for column in (one for one in table.role.columns if table.has(one.ours)):
            name, kind = table.names[column.ours], table.type(column.ours)
            if column.is_time and not kind.startswith(TIMES):
                way = f"to_timestamp({name}) makes one of seconds since 1970"
                raise BadInput(f"{table.name}: {name} is {kind}; it must be a date or a time; {way}")
            boolean = kind == "BOOLEAN" and column.ours not in ORDERS  # true and false are 1 and 0, but don't order a list
            if column.is_number and not (is_numeric(kind) or kind == NULL or boolean):
                raise BadInput(f"{table.name}: {name} is {kind}; {column.ours} must be a number")


def check_ids(tables: Sequence[SourceTable]) -> None:
    """Raises OtherTypes if ids differ in type between tables. Ids that are only counted may have any type."""
    for column in IDS:
        compared = [one for one in tables if any(each.ours == column and not each.counted for each in one.role.columns)]
        for left, right in combinations((one for one in compared if one.has(column) and not one.is_empty), 2):
            refuse_other_type(column, left, right)


def refuse_other_type(column: str, left: SourceTable, right: SourceTable) -> None:
    """Raises OtherTypes if the ids in a column differ in type between two tables."""
    types = {"in_left": left.type(column), "in_right": right.type(column)}
    if not alike(*types.values()):
        raise OtherTypes(catalog().say("id_types", column=column, left=left.name, right=right.name, **types))


def refuse_long_ids(engine: Engine, found: SourceTable) -> None:
    """Raises RoundedIds for ids of 20 digits in a text file: DuckDB 1.5 rounds them to doubles, which may be equal."""
    for column in (one for one in IDS if found.has(one) and found.type(one) == "DOUBLE"):
        id_ = f"abs(f.{plain(found.names[column])})"
        rows = f"{found.relation(dialect(engine.reads))} as f where {id_} >= 9007199254740992 and {id_} < 1e300"
        if engine.query(f"select 1 as one from {rows} limit 1").num_rows:
            raise RoundedIds(catalog().say("long_ids", table=found.name, column=found.names[column]))
