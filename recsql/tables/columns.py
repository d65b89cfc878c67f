"""Our names for the columns of a call's tables, and the sentences for missing ones."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from recsql.base.errors import BadInput, nearest
from recsql.base.text import LINE_BREAK
from recsql.base.types import is_numeric
from recsql.catalog import catalog
from recsql.catalog.options import text_in
from recsql.catalog.roles import LIKELY, ORDERS, Column, Names
from recsql.catalog.slice_names import SliceName
from recsql.query.plan import Pipeline
from recsql.query.slices import SOURCES, Key, Slice, slices_in
from recsql.tables.files import ending_of
from recsql.tables.source_table import SourceTable
from recsql.tables.types import refuse_other_type

NUMBER = re.compile(r"[+-]?\d+(\.\d+)?(_\d+)?")  # a value in place of a name; DuckDB appends _1 to the second of two equal names


def rename_columns(found: SourceTable, names: Names, sliced: Mapping[str, str]) -> SourceTable:
    """`found` with our names for the columns of its role and, as in `sliced`, of slices; BadInput names every missing column."""
    theirs = {name.lower(): name for name in found.types}
    called: dict[str, str] = {}
    lacking = []
    for column in found.role.columns:
        given = getattr(names, column.argument)
        if not given and (column.on_request or column.usual):
            continue
        called[column.ours] = given or column.ours
        needed = column.absent is None or (given != column.usual and not column.counted)
        if needed and called[column.ours].lower() not in theirs:
            lacking.append(missing_column(found, column, names))
    if lacking:
        raise BadInput("; ".join(lacking))
    called |= {column.ours: sliced[column.ours] for column in found.role.readable if column.ours in sliced}
    for name in called.values():
        if name.lower() in found.doubled:
            raise BadInput(f"{found.name}: it has two columns named {name}, as SQL ignores case; rename one of them")
        if name.lower() in theirs and LINE_BREAK.search(name):
            raise BadInput(f"{found.name}: the column name {name!r} has a line break; rename it")
    if (item := theirs.get(called.get("item_id", "").lower())) and found.types[item].endswith("[]"):
        raise BadInput(f"{found.name}: {item} is a LIST of LISTs, and not of ids; make a view with a row per item")
    there = {ours: theirs[name.lower()] for ours, name in called.items() if name.lower() in theirs}
    if "relevance" in called and "relevance" not in there:
        # It likely has another name, such as grade or rating.
        free = {name: one for name, one in theirs.items() if one not in there.values() and is_numeric(found.types[one])}
        there |= [(ours, free[name]) for ours, likely in LIKELY.items() for name in likely if name in free][:1]
    return replace(found, names=there)


def missing_column(found: SourceTable, column: Column, names: Names) -> str:
    """The sentence for a missing column of a role, with the columns that exist and the argument to pass."""
    name = getattr(names, column.argument) or column.ours
    if column.ours == "item_id" and found.types.get("items") == "VARCHAR":
        way = "split it first, as in: select user_id, string_split(items, ' ') as items from ..."
        return f"{found.name}: items is text, not a LIST of ids; {way}"
    without, way = column.absent is not None, name_with(column.argument)
    if column.argument in ORDERS:
        others = {str(getattr(names, one) or one).lower() for one in ORDERS} | {*ORDERS}
        without, way = not others.isdisjoint(map(str.lower, found.types)), name_with(*ORDERS)
    return no_column(found, name, "leave the argument out if there is none" if without and name != column.ours else way)


def name_with(*arguments: str) -> str:
    """The advice for a missing column: pass its name as one of these arguments."""
    return "name the column with " + " or ".join(f"{one}='...'" for one in arguments)


def no_column(found: SourceTable, name: str, way: str) -> str:
    """The sentence for a missing column, with the columns that exist and the advice `way`."""
    if found.kind == "csv" and any(NUMBER.fullmatch(one) for one in found.types):
        way = "the first line seems to be data, so add a line of column names above it"
    hint, columns = nearest(name, found.types), ", ".join(found.types)
    return catalog().say("missing_columns", table=found.name, column=name, hint=hint, columns=columns, way=way)


# -- what orders the lists


def choose_order(pipeline: Pipeline, found: Mapping[str, SourceTable], names: Names) -> Pipeline:
    """The pipeline with rank_by set to the column that orders the lists; BadInput if there is none, or if models differ."""
    by = pipeline.rank_by or pipeline.options["rank_by"]
    if "recs" in found:
        truth_orders = "truth" in found and not {*ORDERS}.isdisjoint(map(str.lower, found["truth"].types))
        way = f"{name_with(*ORDERS)}{'; or are the tables swapped? recommendations come first' if truth_orders else ''}"
        tables = found["recs"].each
        tables = [one for one in tables if not one.is_empty] or tables
        (first, by), *others = [(one.name, find_order(one, pipeline, names, way)) for one in tables]
        for name, other in others:
            if other != by:
                raise BadInput(
                    f"{name}: its lists are ordered by {other}, but those of {first} by {by}; {name_with(*ORDERS)} for all"
                )
    if by == "rank" and pipeline.options["order"] == "asc":
        instead = "add rank_by='score', or leave it out"
        raise BadInput(f"order='asc': it is about scores, but the lists are ordered by rank; {instead}")
    return pipeline.under(rank_by=by)


def find_order(found: SourceTable, pipeline: Pipeline, names: Names, way: str) -> str:
    """The column that orders the lists of one table.

    A preset's column applies only if it exists: lists with ranks alone have no ties to break. TREC runs are ordered by score,
    as TREC's tools do, whatever their ranks are.
    """
    asked = pipeline.rank_by or ("score" if names.score else None)
    preferred = ("score",) if found.kind == "trec" else (text_in(pipeline.options, "rank_by"), *ORDERS)
    by = asked or next((one for one in preferred if one and found.has(one)), "rank")
    if not found.has(by):
        what = "no column rank or score" if asked is None else f"no column {by} to order the lists by"
        raise BadInput(f"{found.name}: there is {what}; it has {', '.join(found.types)}; {way}")
    return by


# -- the columns of slices


def find_slices(by: Iterable[SliceName], found: Mapping[str, SourceTable]) -> tuple[Slice, ...]:
    """The slices with the table of each column; raises BadInput for a column that is in no table."""
    return tuple(replace(one, keys=tuple(find_key(key, found) for key in one.keys)) for one in slices_in(by))


def find_key(key: Key, found: Mapping[str, SourceTable]) -> Key:
    """The column of a slice in the first table that has it: segments, truth or recs."""
    if key.role == "train":
        if "train" not in found:
            raise BadInput("by: train.activity is the number of a user's rows in train; give that table as well")
        refuse_train(found["train"], found["recs"], "whose rows train.activity counts")
        return key
    tables = {role: found[role] for role in SOURCES if role in found}
    role = next((role for role, one in tables.items() if one.has(key.ours)), None)
    if role is None and (key.column in found or ending_of(key.column)):
        raise BadInput(f"by: {key.column} is a table, and not a column; give the table with segments=, and its columns with by=")
    if role is None:
        columns = list(dict.fromkeys(name for one in tables.values() for name in one.types))
        hint, there = nearest(key.column, columns), " nor ".join(one.name for one in tables.values())
        user = next(iter(found.values())).names["user_id"]
        way = "" if "segments" in tables else f"; give a table with {user} and that column as segments="
        raise BadInput(f"by: there is no column {key.column} in {there}; {hint}there are {', '.join(columns)}{way}")
    is_list = tables[role].type(key.ours).endswith("[]")
    if is_list and role != "segments":
        raise BadInput(f"{tables[role].name}: {key.column} is a LIST; give one value per row, or a table as segments=")
    return replace(key, role=role, is_list=is_list)


def refuse_train(train: SourceTable, recs: SourceTable, why: str) -> None:
    """Raises BadInput unless train has users with ids of the same type as in recs; `why` says what needs them."""
    if not train.has("user_id"):
        raise BadInput(f"{train.name}: there is no column user_id, {why}; name it with user='...'")
    refuse_other_type("user_id", recs, train)
