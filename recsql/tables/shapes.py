"""Tables from what Python has in memory: frames, rows, ids, and mappings of users to their items."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from numbers import Integral, Real
from typing import Any

import pyarrow as pa

from recsql.base.errors import BadInput, first_line
from recsql.catalog.roles import ORDERS, Role
from recsql.engines import Engine
from recsql.tables.source_table import IDS, NESTED, NO_ITEM

TABULAR = ("schema", "columns", "projected_schema")  # attributes of tables, frames, readers and scanners that arrays lack
AS_LIST = ("to_pylist", "to_list", "tolist")  # methods of arrays and series
METADATA, ID = ("metadata", "meta"), ("id", "_id", "node_id", "item_id")  # attributes or keys of what retrievers return
NO_IDS = (bool, bytes, list, tuple)
GIVE = "give each user a mapping of items to numbers or a list of ids"
# Polars' string views become plain strings: DuckDB 1.5 leaves some filters to Arrow, which can't filter views.
VIEWS = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
NUMBERS = {"score": ("score", "_score"), "relevance": ("relevance", "score")}


def is_tabular(data: object) -> bool:
    return any(hasattr(data, name) for name in TABULAR)


def listed(data: object) -> list[Any] | None:
    """The elements of a list, a set, an array or a series; None for anything else."""
    if isinstance(data, Sequence | AbstractSet) and not isinstance(data, str | bytes):
        return list(data)
    if isinstance(data, Mapping) or is_tabular(data) or getattr(data, "ndim", 1) != 1:
        return None
    return next((getattr(data, name)() for name in AS_LIST if hasattr(data, name)), None)


def has_column(data: object, columns: Iterable[str]) -> bool:
    """Whether a mapping is a row, or has the values of each column."""
    return isinstance(data, Mapping) and not data.keys().isdisjoint(columns)


def tabled(name: str, role: Role, data: object, columns: Collection[str]) -> object:
    """A mapping, a list of rows or, if a role needs one column, a list of ids as a table; `columns` are those that it needs."""
    elements, by_column = listed(data), has_column(data, columns) or role.name not in NESTED
    try:
        if isinstance(data, Mapping):
            return pa.table(data if by_column else unfold(name, role, data))
        if elements is None:
            return data
        if all(isinstance(one, Mapping) for one in elements) and (elements or len(columns) > 1):
            return pa.table({key: [one.get(key) for one in elements] for key in dict.fromkeys(chain(*elements))})
        if len(columns) == 1:
            return pa.table({key: [entry(name, one, "")[0] for one in elements] for key in columns})
    except (pa.ArrowException, AttributeError, TypeError, OverflowError) as error:
        way = GIVE if isinstance(data, Mapping) and not by_column else "give each column values"
        raise BadInput(f"{name}: {way}, with ids of one type: {first_line(error)}") from None
    return data


# -- users with their items


def unfold(name: str, role: Role, data: Mapping[object, Any]) -> dict[str, Any]:
    """The rows of a mapping of users to their items; one without items in the truth has one that is not relevant."""
    number, of_truth = NESTED[role.name].removeprefix("nested_"), role.name == "truth"
    users, items, ranks, numbers = list[Any](), list[Any](), list[Any](), list[Any]()
    for user, theirs in data.items():
        elements = [theirs] if isinstance(theirs, str) else listed(theirs)
        if isinstance(theirs, Mapping):
            ids, values, places = list(theirs), list(theirs.values()), list[int | None]([None] * len(theirs))
        elif elements is None or (isinstance(theirs, AbstractSet) and role.name == "recs"):
            what = type(theirs).__name__
            raise BadInput(f"{name}: {GIVE}, the best first; {user!r} has a {what}{' without an order' if elements else ''}")
        else:
            pairs = [entry(name, one, number) for one in elements]
            ids, places = [one for one, _ in pairs], [*range(1, len(pairs) + 1)]
            values = [1.0 if of_truth and one is None else one for _, one in pairs]
        users += [user] * len(ids)
        items += ids
        ranks += places
        numbers += values
    asked = [user for user, theirs in data.items() if of_truth and len(theirs) == 0]
    nothing = NO_ITEM if items and isinstance(items[0], Integral) else str(NO_ITEM)
    columns = {"user_id": users + asked, "item_id": items + [nothing] * len(asked)}
    if not of_truth and any(ranks):
        if None in ranks:
            mapped, whole = users[ranks.index(None)], next(user for user, rank in zip(users, ranks, strict=True) if rank)
            raise BadInput(f"{name}: scores order the mapping of {mapped!r}, but {whole!r} has a list; give all users the same")
        columns["rank"] = pa.array(ranks, pa.int64())
    if not all(one is None for one in numbers):
        columns[number] = pa.array(numbers + [0.0] * len(asked), pa.float64())
    return columns


def entry(name: str, one: Any, number: str) -> tuple[object, object]:
    """The id and the number, or None, of an element of a list: an id, a pair of both, or what a retriever returns."""
    if isinstance(one, str):
        return one, None
    if isinstance(one, list | tuple) and len(one) == 2:
        return entry(name, one[0], number)[0], one[1]
    told = look(one, *METADATA)
    named = (look(told, "id"), look(one, *ID), None if isinstance(one, Mapping) or told is not None else one)
    found = next((each for each in named if each is not None), None)
    if found is None or isinstance(found, NO_IDS) or (isinstance(found, Real) and not isinstance(found, Integral)):
        raise BadInput(
            f"{name}: {one!r} in a list is not an id and has no id; give ids, pairs of an id and a score, or a mapping"
        )
    return found, look(one, *NUMBERS.get(number, ()))


def look(one: object, *names: str) -> Any:
    """The first of some keys of a mapping, or attributes of anything else, that is there."""
    found = (one.get(name) if isinstance(one, Mapping) else getattr(one, name, None) for name in names)
    return next((value for value in found if value is not None), None)


# -- frames and tables


def to_arrow(engine: Engine, name: str, data: object) -> object:
    """`data` in a form that the engine can read."""
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if type(data).__module__.split(".")[0] in engine.scanned and is_tabular(data):
        return data
    if hasattr(data, "__arrow_c_stream__"):
        try:
            table = pa.table(data)
            return table.cast(pa.schema([field.with_type(VIEWS.get(field.type, field.type)) for field in table.schema]))
        except (pa.ArrowException, TypeError, ValueError) as error:
            raise BadInput(f"{name}: Arrow can't convert it: {first_line(error)}") from None
    kind, usual = type(data).__name__, "a path, a table's name, an Arrow table or a data frame"
    if isinstance(data, Sequence) and any(map(is_tabular, data)):
        usual = "a mapping of the models' names to their tables"
    raise BadInput(f"{name}: {kind} is not a table; give {'what its .collect() returns' if kind == 'LazyFrame' else usual}")


def empty_table(schema: pa.Schema, needed: Mapping[str, str]) -> pa.Table:
    """An empty table with the `needed` columns, of which only ids and times keep their types, because the others say nothing."""
    ids = {needed.get(one) for one in IDS}
    kinds = {name: pa.null() for ours, name in needed.items() if name not in schema.names if ours in ORDERS or not schema.names}
    values = [one.type.value_type if pa.types.is_dictionary(one.type) else one.type for one in schema]
    for one in (field.with_type(VIEWS.get(kind, kind)) for field, kind in zip(schema, values, strict=True)):
        is_list = one.name == "items"
        keeps = one.name in ids or pa.types.is_temporal(one.type) or (is_list and pa.types.is_list(one.type))
        kinds[one.name] = one.type if keeps else pa.list_(pa.null()) if is_list else pa.null()
    return pa.schema(kinds).empty_table()
