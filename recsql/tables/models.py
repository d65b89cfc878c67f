"""Tables of several models as one table."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pyarrow as pa

from recsql.base.errors import BadInput
from recsql.base.text import plain
from recsql.base.types import UNKNOWN
from recsql.catalog.roles import ORDERS
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.query.templates import dialect
from recsql.tables.files import GIVEN, name_damaged, split_ending
from recsql.tables.source_table import SourceTable


@dataclass(frozen=True)
class WithModel:
    """Recommendations with the lists of one more model: an Arrow table with user_id, item_id, rank and score."""

    recs: object
    model: str
    lists: pa.Table


def with_model(engine: Engine, found: Mapping[str | None, SourceTable], data: WithModel) -> dict[str | None, SourceTable]:
    """The tables by model, with that of one more model, which has a rank or a score if all others do; at least a rank."""
    if (one := found.get(None)) and not one.has("model"):
        name = split_ending(one.name)[0] if one.paths else one.name  # that of its file
        found = {one.name if name == data.model else name: one}
    first, *_ = found.values()
    table = engine.register(data.model, data.lists)
    types = engine.columns(table)
    names = {ours: ours for ours in types if all(one.has(ours) for one in found.values())}
    names |= {} if {*ORDERS} & {*names} else {"rank": "rank"}
    return {**found, data.model: SourceTable(data.model, first.role, types, names, table=table, kind=first.kind)}


def unite_models(engine: Engine, models: Mapping[str | None, SourceTable]) -> SourceTable:
    """Unites the tables of several models, with the columns that all have, and rank and score. One under None stays as it is."""
    first, *others = models.values()
    if not others and None in models:
        return first
    for name, one in models.items():
        if name is not None and one.has("model") and one.type("user_id") != UNKNOWN:
            refuse_several(engine, name, one)
    orders = {ours: one for ours in ORDERS for one in models.values() if one.has(ours)}  # models may differ in these
    shared = {ours: name for ours, name in first.names.items() if ours not in orders and all(one.has(ours) for one in others)}
    shared |= {ours: one.names[ours] for ours, one in orders.items()}
    return SourceTable(
        f"{first.name} and {len(others)} more" if others and None not in models else first.name,
        first.role,
        {**first.types, **{one.names[ours]: one.type(ours) for ours, one in orders.items()}, "model": "VARCHAR"},
        {**shared, "model": "model"},
        paths=[path for one in models.values() for path in one.paths],
        models=models,
    )


def find_orders(engine: Engine, found: SourceTable, *, named: bool) -> SourceTable:
    """The table with the orders of each model, if one has no rank or no score, as where tables with one each were united.

    Only files and tables in memory are asked, where that costs milliseconds; `named` says that the table is one model. A run of
    TREC has a score in every row.
    """
    is_cheap = engine.reads == DuckDB.reads and found.kind != "trec" and (found.paths or GIVEN in found.table)
    if found.lists or not is_cheap or not all(map(found.has, ORDERS)):
        return found
    rows = f"from {found.rows(dialect(engine.reads))} as r"
    columns = [f"r.{plain(found.names[one])}" for one in ORDERS]
    lacking = "\nunion all\n".join(f"(select 1 as one {rows} where {one} is null limit 1)" for one in columns)
    with name_damaged([found]):
        if not engine.query(lacking).num_rows:
            return found
    model = "''" if named or not found.has("model") else f"cast(r.{plain(found.names['model'])} as varchar)"
    counts = ", ".join(f"count({column}) as {one}" for one, column in zip(ORDERS, columns, strict=True))
    each = engine.query(f"select {model} as model, {counts} {rows} group by all order by model").to_pylist()
    filled = {one["model"]: [order for order in ORDERS if one[order]] for one in each if one["model"] is not None}
    return replace(found, filled=filled)


def refuse_several(engine: Engine, name: str, found: SourceTable) -> None:
    """Raises BadInput if a table has the lists of several models, and the call names one."""
    models = f"select distinct r.{plain(found.names['model'])} as model from {found.rows(dialect(engine.reads))} as r"
    with name_damaged([found]):
        each = sorted("NULL" if one is None else str(one) for one in engine.query(models)["model"].to_pylist())
    if each[1:]:
        named = f"{', '.join(each[:5])}{f' and {len(each) - 5} more' if each[5:] else ''}"
        way = "give it without that name, or the rows of one model"
        raise BadInput(f"{found.name}: it has the lists of several models ({named}), but the call names it {name}; {way}")
