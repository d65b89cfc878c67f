"""Maps the columns of an input to our names, and writes the sentence for a missing one."""

import re
from collections.abc import Mapping
from dataclasses import replace

from recsql.base.errors import BadInput, nearest
from recsql.base.text import LINE_BREAK
from recsql.base.types import is_numeric
from recsql.catalog import catalog
from recsql.catalog.roles import LIKELY, ORDERS, Column, Names, Role
from recsql.tables.source_table import SourceTable

NUMBER = re.compile(r"[+-]?\d+(\.\d+)?(_\d+)?")  # a name that is a value; DuckDB appends _1 to the second of two equal names


def rename_columns(found: SourceTable, role: Role, names: Names, sliced: Mapping[str, str]) -> SourceTable:
    """`found` with our names for the columns of its role. `sliced` are the columns of slices, by our names.

    Raises BadInput with every missing column, the columns that exist, and the nearest name.
    """
    theirs = {name.lower(): name for name in found.types}
    read = [column for column in role.columns if getattr(names, column.argument) or not (column.on_request or column.usual)]
    called = {column: getattr(names, column.argument) or column.ours for column in read}
    needed = [
        column
        for column in read
        if column.absent is None or (getattr(names, column.argument) != column.usual and not column.counted)
    ]
    lacking = [absent(found, column, names) for column in needed if called[column].lower() not in theirs]
    if lacking:
        raise BadInput("; ".join(lacking))
    called |= {column: sliced[column.ours] for column in role.readable if column.ours in sliced}
    for name in called.values():
        if name.lower() in found.doubled:
            raise BadInput(f"{found.name}: it has two columns named {name}, as SQL ignores case; rename one of them")
    if broken := [name for name in called.values() if name.lower() in theirs and LINE_BREAK.search(name)]:
        raise BadInput(f"{found.name}: the column name {broken[0]!r} has a line break; rename it")
    there = {column.ours: theirs[name.lower()] for column, name in called.items() if name.lower() in theirs}
    if any(column.ours == "relevance" for column in read) and "relevance" not in there:
        there |= unread(found, theirs, there)
    return replace(found, names=there)


def unread(found: SourceTable, theirs: Mapping[str, str], there: Mapping[str, str]) -> dict[str, str]:
    """A column of a truth without a relevance that is likely one by another name, such as grade or rating, under our name."""
    free = {name: column for name, column in theirs.items() if column not in there.values() and is_numeric(found.types[column])}
    likely = {ours: [free[name] for name in names if name in free] for ours, names in LIKELY.items()}
    return next(({ours: columns[0]} for ours, columns in likely.items() if columns), {})


def absent(found: SourceTable, column: Column, names: Names) -> str:
    """The sentence for a missing column of a role: the columns that exist, and the argument to pass."""
    name = getattr(names, column.argument) or column.ours
    if column.ours == "item_id" and found.types.get("items") == "VARCHAR":
        way = "split it first, as in: select user_id, string_split(items, ' ') as items from ..."
        return f"{found.name}: items is text, not a LIST of ids; {way}"
    if column.argument in ORDERS:
        others = {str(getattr(names, one) or one).lower() for one in ORDERS} | {*ORDERS}
        without, way = any(other in others for other in map(str.lower, found.types)), saying(*ORDERS)
    else:
        without, way = column.absent is not None, saying(column.argument)
    return no_column(found, name, "leave the argument out if there is none" if without and name != column.ours else way)


def saying(*arguments: str) -> str:
    return "name the column with " + " or ".join(f"{one}='...'" for one in arguments)


def no_column(found: SourceTable, name: str, way: str) -> str:
    """The sentence for a missing column: the columns that exist, and the way out."""
    if found.kind == "csv" and any(NUMBER.fullmatch(one) for one in found.types):
        way = "the first line seems to be data, so add a line of column names above it"
    columns = ", ".join(found.types)
    return catalog().say(
        "missing_columns", table=found.name, column=name, hint=nearest(name, found.types), columns=columns, way=way
    )
