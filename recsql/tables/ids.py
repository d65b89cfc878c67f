"""The types of ids: users and items are compared across the tables of a call, so their types must be alike."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from recsql.base.errors import BadInput
from recsql.base.text import plain, quoted_name
from recsql.base.types import NULL, NUMBERS, REALS, UNKNOWN, alike, family
from recsql.catalog import catalog
from recsql.catalog.roles import Role
from recsql.engines import Engine
from recsql.query.templates import dialect
from recsql.tables.source_table import IDS, SourceTable

IdTypes = Mapping[str, tuple[str, str]]  # per column, the type that ids get, and the name of the table that has it
TEXT = "VARCHAR"
READABLE = ("UUID", "DATE", "TIME", "TIMESTAMP", *REALS)  # the types besides whole numbers that text can be read as
UNTYPED = (UNKNOWN, NULL, "JSON")  # JSON columns without values, or with values of several types, have the last two


def id_types(tables: Sequence[SourceTable]) -> IdTypes:
    """The type that ids without a type of their own get, per column, with the table that has this type.

    It is the type in the first table that has one, in a table without rows only if no other has; then that of whole numbers in
    JSON. Otherwise such ids are text.
    """
    found = {}
    for column in IDS:
        having = [one for one in tables if one.has(column)]
        firm = [one for one in having if not one.is_text and one.type(column) not in UNTYPED]
        numbers = [one for one in having if one.kind == "json" and one.type(column) in NUMBERS]
        first = next(iter([*sorted(firm, key=lambda one: one.is_empty), *numbers]), None)
        found[column] = (readable(first.type(column)), first.name) if first else (TEXT, "")
    return found


def readable(kind: str) -> str:
    """The type that text is read as, to be compared with ids of this type."""
    if kind in NUMBERS:
        return kind if kind in ("UBIGINT", "HUGEINT", "UHUGEINT") else "BIGINT"
    return kind if kind.startswith(READABLE) else TEXT


def with_typed_ids(found: SourceTable, ids: IdTypes) -> SourceTable:
    """A table in DuckDB whose ids without values have the type of the other tables' ids."""
    kinds = {}
    for column in (one for one in IDS if found.has(one)):
        own, kind = found.type(column), ids[column][0]
        if own == NULL or (found.is_empty and family(own) != family(kind)):
            kinds[column] = kind
    if not kinds:
        return found
    casts = []
    for column, kind in kinds.items():
        name, behind = found.in_files(column)
        casts.append(f"cast({quoted_name(name)} as {kind}{behind}) as {quoted_name(name)}")
    types = {found.names[column]: kind for column, kind in kinds.items()}
    table = f"(select * replace ({', '.join(casts)}) from {found.table})"
    return replace(found, table=table, types={**found.types, **types})


def check_ids(tables: Sequence[tuple[Role, SourceTable]]) -> None:
    """Raises BadInput if ids have different types in two tables. Ids that are only counted may have any type."""
    for column in IDS:
        having = [
            one
            for role, one in tables
            if one.has(column) and not one.is_empty and not any(each.counted and each.ours == column for each in role.columns)
        ]
        for first, other in combinations(having, 2):
            if not alike(first.type(column), other.type(column)):
                types = {"in_left": first.type(column), "in_right": other.type(column)}
                raise BadInput(catalog().say("id_types", column=column, left=first.name, right=other.name, **types))


def refuse_long_ids(engine: Engine, found: SourceTable) -> None:
    """Raises BadInput for whole numbers of 20 digits in a text file: DuckDB 1.5 reads them as doubles, which equal others."""
    for column in (one for one in IDS if found.has(one) and found.type(one) == "DOUBLE"):
        id_ = f"abs(f.{plain(found.names[column])})"
        rows = f"{found.relation(dialect(engine.reads))} as f where {id_} >= 9007199254740992 and {id_} < 1e300"
        if engine.query(f"select 1 as one from {rows} limit 1").num_rows:
            raise BadInput(catalog().say("long_ids", table=found.name, column=found.names[column]))
