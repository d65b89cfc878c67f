"""Recommendations and truth with a column fold or dataset: what each of its values has is evaluated by itself."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import fsum, sqrt
from statistics import fmean
from types import SimpleNamespace

import pyarrow as pa

from recsql.base.errors import BadInput
from recsql.base.text import plain
from recsql.base.types import NUMBERS
from recsql.catalog.headers import Value
from recsql.catalog.options import literal
from recsql.catalog.roles import Names
from recsql.catalog.slice_names import SliceName
from recsql.engines import Engine
from recsql.engines.duckdb import query_rows
from recsql.query.binding import Inputs, Relation
from recsql.query.render import Query
from recsql.query.results import DATASETS, FOLDS, INTERVAL, SPREAD, Apart
from recsql.query.templates import dialect
from recsql.tables.datasets import Fold, Tables, of_each_dataset
from recsql.tables.source_table import SourceTable

KEPT = ("recs", "truth")
OF_A_MEAN = ("model", "metric", "k", "definition")  # the columns that identify a mean over folds or data sets
OF_SPREADS = ("df", "is_scored", "effective_users", "least", "most")  # what the interval of a mean over data sets needs


def kept_apart(
    engine: Engine, found: Tables, by: Sequence[SliceName], names: Names, keeps: Collection[str]
) -> tuple[Apart, Mapping[Fold, Tables]]:
    """What keeps rows apart, and the tables of each of its values, in order; these are empty without such a column or folders.

    `keeps` are the columns whose values the call can keep apart. Raises BadInput if tables don't fit together, or the call.
    """
    there = [kind for kind in (FOLDS, DATASETS) if any(having(found, role, kind) for role in KEPT)]
    in_folders = of_each_dataset(found)
    if "recs" not in found or engine.dialect != engine.reads:
        return FOLDS, {}
    for one in (one for table in found.values() for one in table.each if in_folders and one.apart):
        raise BadInput(f"{one.name}: it has a column {min(one.apart.values())}, and its folder is a data set; leave one out")
    if names.dataset not in (Names.dataset, "none") and DATASETS not in there and not in_folders:
        named = f"there is no column {names.dataset}, which dataset= names"
        raise BadInput(f"{found['recs'].name}: {named}; name another one, or leave it out")
    if len(there) > 1:
        raise BadInput(f"{found['recs'].name}: fold and dataset are both there; give the rows of one fold, or of one data set")
    if not there and not in_folders:
        return FOLDS, {}
    kind = DATASETS if in_folders else there[0]
    tables, way = in_folders or divide(engine, found, kind), "" if in_folders else kind.way
    if kind.name not in keeps:
        only = f"recs and truth have {kind.several}, and only {kind.keepers} can keep these apart"
        raise BadInput(f"{kind.name}: {only}; give the rows of one {kind.one}{way}")
    if by:
        within = f"recs and truth have {kind.several}, and there are no slices within these"
        raise BadInput(f"by: {within}; give the rows of one {kind.one}")
    return kind, tables


def divide(engine: Engine, found: Tables, kind: Apart) -> dict[Fold, Tables]:
    """The tables of each fold or data set. Raises BadInput if one of them has no such column, or other values."""
    sql, first = dialect(engine.dialect), next(found[role] for role in KEPT if having(found, role, kind))
    column = first.each[0].apart[kind.name]
    if "truth" not in found:
        one = f"it has the column {column}; give the lists of one {kind.one}, without that column"
        raise BadInput(f"{found['recs'].name}: {one}{kind.way}")
    for role in KEPT if kind.shares else found:
        if not having(found, role, kind):
            why = f"a list is measured by the truth of its {kind.one}, so both need the column, or neither"
            why = why if role in KEPT else f"{kind.several} share nothing, so each table needs the column"
            raise BadInput(f"{found[role].name}: there is no column {column}, as in {first.name}; {why}{kind.way}")
    of_recs, of_truth = (find_folds(engine, found[role], kind, sql) for role in KEPT)
    for role, other, apart in (("recs", "truth", {*of_recs} - {*of_truth}), ("truth", "recs", {*of_truth} - {*of_recs})):
        if apart and not (kind.shares and role == "truth"):
            raise BadInput(f"{found[role].name}: {kind.one} {min(apart, key=str)} is not in {found[other].name}")
    return {value: {role: select_fold(one, value, kind, sql) for role, one in found.items()} for value in of_truth}


def having(found: Tables, role: str, kind: Apart) -> bool:
    """Whether all tables of a role have the column."""
    return role in found and all(kind.name in one.apart for one in found[role].each)


def find_folds(engine: Engine, table: SourceTable, kind: Apart, sql: SimpleNamespace) -> list[Fold]:
    """The folds or data sets in a table, sorted."""
    selects = []
    for one in table.each:
        column = one.apart[kind.name]
        if one.types[column] not in (*NUMBERS, "VARCHAR"):
            raise BadInput(f"{one.name}: {column} is {one.types[column]}; it must be a whole number or text")
        selects.append(f"select distinct f.{plain(column)} as fold from {one.rows(sql)} as f")
    found = set(engine.query("\nunion\n".join(selects))["fold"].to_pylist())
    if None in found:
        raise BadInput(f"{table.name}: {kind.name} is NULL in some rows; leave such rows out or fill in a value")
    return sorted(found)


def select_fold(table: SourceTable, value: Fold, kind: Apart, sql: SimpleNamespace) -> SourceTable:
    """The rows of a table that belong to a fold or data set; all of them if the table has no such column."""
    models = {name: select_fold(one, value, kind, sql) for name, one in table.models.items()}
    column = table.apart.get(kind.name)
    if column is None or models:
        return replace(table, models=models)
    return replace(table, table=f"(select f.* from {table.rows(sql)} as f where f.{plain(column)} = {literal(value)})")


def refuse_missing(engine: Engine, parts: Mapping[Fold, Inputs], kind: Apart, found: Tables) -> None:
    """Raises BadInput for a model without a list in some fold or data set."""
    if any(one.modelled for one in parts.values()):
        select = "select distinct f.model from ({}) as f"
        models = [{*engine.query(select.format(one.tables["recs"].select))["model"].to_pylist()} for one in parts.values()]
        for value, there in zip(parts, models, strict=True):
            for model in sorted(map(str, {*chain(*models)} - there)):
                way = f"give lists of every model in every {kind.one}"
                raise BadInput(f"{found['recs'].name}: model {model} has no list in {kind.one} {value}; {way}")


def intervals_of(rows: pa.Table, options: Mapping[str, Value]) -> dict[tuple[object, ...], dict[str, object]]:
    """The intervals of the means over data sets, by what identifies a mean, from the rows of all data sets with their spreads."""
    inputs = Inputs({}, modelled=False, known=options)
    found = query_rows(
        "means", rows, lambda text: Query(replace(inputs, tables={"means": Relation(text, "")}), "dataset_means").statement()
    )
    return {tuple(row[name] for name in OF_A_MEAN): {name: row[name] for name in INTERVAL} for row in found.to_pylist()}


def add_means(tables: Mapping[Fold, pa.Table], kind: Apart, options: Mapping[str, Value]) -> pa.Table:
    """Unites the results of all folds or data sets, and adds means with their standard deviation; NULL if one has no value."""
    of_values = pa.array(list(tables)).type
    parts = []
    for value, table in tables.items():
        added = table.add_column(1, pa.field(kind.name, of_values), pa.array([value] * len(table), of_values))
        parts.append(added.add_column(added.num_columns - 1, SPREAD, pa.nulls(len(table), pa.float64())))
    every = pa.concat_tables(parts).replace_schema_metadata()
    rows = every.drop_columns([name for name in OF_SPREADS if name in every.column_names])
    intervals = intervals_of(every, options) if every != rows else {}
    values: dict[tuple[str | None, ...], list[float | None]] = {}
    for row in rows.to_pylist():
        values.setdefault(tuple(row[name] for name in OF_A_MEAN), []).append(row["value"])
    means = []
    for key, found in values.items():
        known = [value for value in found if value is not None]
        mean = fmean(known) if len(known) == len(tables) else None
        squares = [(value - mean) ** 2 for value in known if mean is not None]
        spread = sqrt(fsum(squares) / (len(squares) - 1)) if len(squares) > 1 else None
        means.append({**dict(zip(OF_A_MEAN, key, strict=True)), "value": mean, SPREAD: spread, **intervals.get(key, {})})
    return pa.concat_tables([rows, pa.Table.from_pylist(means, rows.schema)])
