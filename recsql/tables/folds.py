"""Recommendations and truth with a column fold: each fold is evaluated by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import fsum, sqrt
from statistics import fmean
from types import SimpleNamespace

import pyarrow as pa

from recsql.base.errors import BadInput
from recsql.base.text import plain
from recsql.base.types import NUMBERS
from recsql.catalog.options import literal
from recsql.catalog.slice_names import SliceName
from recsql.engines import Engine
from recsql.query.results import FOLD, SPREAD
from recsql.query.templates import dialect
from recsql.tables.source_table import SourceTable

OF_FOLDS = ("recs", "truth")
OF_A_MEAN = ("model", "metric", "k", "definition")  # the columns that identify a mean over folds
WITH_FOLDS = (*OF_FOLDS, "train")  # the tables with rows per fold
Tables = Mapping[str, SourceTable]
Fold = int | str


def folds_of(engine: Engine, found: Tables, by: Sequence[SliceName], *, folds: bool) -> dict[Fold, Tables]:
    """The tables of each fold, in order; empty without a column fold. Raises BadInput if folds don't fit together or the call."""
    having = [role for role in OF_FOLDS if role in found and all(fold_column(one) for one in found[role].each)]
    if not having or "recs" not in found or engine.dialect != engine.reads:
        return {}
    sql = dialect(engine.dialect)
    if "truth" not in found:
        raise BadInput(f"{found['recs'].name}: it has the column fold; give the lists of one fold, without that column")
    for role in {*OF_FOLDS} - {*having}:
        other, way = found[having[0]].name, "a list is measured by the truth of its fold, so both need the column, or neither"
        raise BadInput(f"{found[role].name}: there is no column fold, as in {other}; {way}")
    of_recs, of_truth = (find_folds(engine, found[role], sql) for role in OF_FOLDS)
    for value in of_recs:
        if value not in of_truth:
            raise BadInput(f"{found['recs'].name}: fold {value} is not in {found['truth'].name}")
    if not folds:
        raise BadInput("fold: recs and truth have this column, and only evaluate can keep folds apart; give the rows of one fold")
    if by:
        raise BadInput("by: recs and truth have a column fold, and there are no slices within folds; give the rows of one fold")
    return {value: {role: select_fold(one, value, sql) for role, one in found.items()} for value in of_truth}


def fold_column(table: SourceTable) -> str | None:
    """The column fold, in the table's spelling; None if there is none."""
    return next((name for name in table.types if name.lower() == FOLD), None)


def find_folds(engine: Engine, table: SourceTable, sql: SimpleNamespace) -> list[Fold]:
    """The folds in a table, sorted."""
    selects = []
    for one in table.each:
        column = str(fold_column(one))
        if one.types[column] not in (*NUMBERS, "VARCHAR"):
            raise BadInput(f"{one.name}: fold is {one.types[column]}; it must be a whole number or text")
        selects.append(f"select distinct f.{plain(column)} as fold from {one.rows(sql)} as f")
    found = set(engine.query("\nunion\n".join(selects))[FOLD].to_pylist())
    if None in found:
        raise BadInput(f"{table.name}: fold is NULL in some rows; leave such rows out or fill in a value")
    return sorted(found)


def select_fold(table: SourceTable, value: Fold, sql: SimpleNamespace) -> SourceTable:
    """The rows of a table that belong to a fold; all of them if the table has no folds."""
    models = {name: select_fold(one, value, sql) for name, one in table.models.items()}
    column = fold_column(table)
    if table.role.name not in WITH_FOLDS or column is None or models:
        return replace(table, models=models)
    return replace(table, table=f"(select f.* from {table.rows(sql)} as f where f.{plain(column)} = {literal(value)})")


def add_means(tables: Mapping[Fold, pa.Table]) -> pa.Table:
    """Unites the results of all folds, and adds means with their standard deviation; NULL if a fold has no value."""
    kind = pa.array(list(tables)).type
    parts = []
    for fold, table in tables.items():
        added = table.add_column(1, pa.field(FOLD, kind), pa.array([fold] * len(table), kind))
        parts.append(added.add_column(added.num_columns - 1, SPREAD, pa.nulls(len(table), pa.float64())))
    rows = pa.concat_tables(parts).replace_schema_metadata()
    values: dict[tuple[str | None, ...], list[float | None]] = {}
    for row in rows.to_pylist():
        values.setdefault(tuple(row[name] for name in OF_A_MEAN), []).append(row["value"])
    means = []
    for key, found in values.items():
        if len(found) < len(tables):
            raise BadInput(f"recs: model {key[0]} has no list in some fold; give lists of every model in every fold")
        mean = spread = None
        known = [value for value in found if value is not None]
        if len(known) == len(found):
            mean = fmean(known)
            spread = sqrt(fsum((value - mean) ** 2 for value in known) / (len(known) - 1)) if len(known) > 1 else None
        means.append({**dict(zip(OF_A_MEAN, key, strict=True)), "value": mean, SPREAD: spread})
    return pa.concat_tables([rows, pa.Table.from_pylist(means, rows.schema)])
