"""The SQL that reads the tables of a call: each with the columns of its role, under our names."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from types import SimpleNamespace

from recsql.base.errors import BadInput
from recsql.base.text import plain, quoted
from recsql.base.types import NUMBERS, REALS
from recsql.catalog import catalog
from recsql.catalog.headers import Value
from recsql.catalog.roles import MODEL, ROLES, USER, Column, Role
from recsql.engines.duckdb import DuckDB
from recsql.query.binding import Inputs, Relation, is_fast
from recsql.query.templates import dialect
from recsql.tables.columns import no_column, resolved, saying
from recsql.tables.source_table import IDS, SourceTable

SPARING = (("recs", "model"), ("truth", "relevance"))  # columns that make a call cheaper if they are absent
NO_SLICES: Mapping[str, str] = {}
ZONED = "TIMESTAMP WITH TIME ZONE"
NOTHING = SourceTable("", ROLES["truth"])


def inputs_of(found: Mapping[str, SourceTable], engine: str, by: Value, *, plain: bool = False) -> Inputs:
    """The part of a query's inputs that its tables determine."""
    sql = dialect(engine, plain=plain)
    lacking = {column for role, column in SPARING if role in found and not found[role].has(column)}
    graded = "relevance" not in lacking
    truth = found.get("truth", NOTHING)
    first = next(iter(found.values()))
    return Inputs(
        {role: relation(one, sql) for role, one in found.items()},
        dialect=engine,
        modelled="model" not in lacking,
        graded=graded,
        finite="truth" in found and (not graded or found["truth"].type("relevance") in NUMBERS),
        lists=lists_of(found["recs"], sql) if "recs" in found and engine == DuckDB.dialect else None,
        slices=resolved(by, found),
        ids={ours: name for ours, name in first.each[0].names.items() if ours in IDS},
        models=list(first.models),
        clustered="truth" in found and found["truth"].has("cluster"),
        swapped=swapped(found),
        unread=truth.names.get("unread", ""),
        rated=truth.names.get("rated", ""),
        fast=is_fast() and not plain,
        plain=plain,
    )


def swapped(found: Mapping[str, SourceTable]) -> str:
    """The column of truth that makes it look like lists, if recs have no rank: a rank, or a score that is not read.

    A truth that `labels` wrote has a rank, and the order of a LIST is one.
    """
    if not {"recs", "truth"} <= found.keys() or found["recs"].has("rank"):
        return ""
    truth = found["truth"]
    of_labels = {"relevance", "events"} <= {name.lower() for name in truth.types}
    ranked = truth.names.get("rank", "").lower() == "rank" and not truth.lists and not of_labels
    return "rank" if ranked else "score" if truth.names.get("unread", "").lower() == "score" else ""


def relation(found: SourceTable, sql: SimpleNamespace) -> Relation:
    """The table as the steps read it: the columns of its role under our names."""
    role = found.role
    # Of the tables of models, only the columns that all models have.
    models = {
        name: rows(role, replace(one, names={ours: name for ours, name in one.names.items() if found.has(ours)}), sql, name)
        for name, one in found.models.items()
    }
    without_model = replace(role, columns=tuple(one for one in role.columns if one != MODEL))
    return Relation(
        "\nunion all\n".join(models.values()) or rows(role, found, sql),
        quoted(found.name),
        alone="" if models else rows(without_model, found, sql),
        models={name: quoted(one.name) for name, one in found.models.items()},
        columns=found.names,
    )


def rows(role: Role, found: SourceTable, sql: SimpleNamespace, model: str | None = None) -> str:
    """The query for the rows of one table; `model` is its model if tables are given per model."""
    lines = [
        f"cast({quoted(model)} as {sql.text_type()}) as model"
        if model is not None and column == MODEL
        else expression(column, found, role.alias, sql)
        for column in role.readable
        if not column.on_request or found.has(column.ours)
    ]
    columns = ",\n    ".join(lines)
    return f"select{' distinct' if role.distinct else ''}\n    {columns}\nfrom {found.relation(sql)} as {role.alias}"


def lists_of(found: SourceTable, sql: SimpleNamespace) -> Relation | None:
    """The query for recommendations as they are given, if each row has a LIST of ids and no other column per item.

    There is none for ids that are fractions: NaN is equal to itself in a join, but to nothing in a LIST.
    """
    elements = [name for name in found.lists if name in found.names.values()]
    if elements != ["item_id"] or found.type("item_id").startswith(REALS):
        return None
    model, user = (expression(column, found, "r", sql) for column in (MODEL, USER))
    selects = [
        f"select\n    {lines}\nfrom {found.rows(sql)} as r"
        for lines in (f"{model},\n    {user},\n    r.items", f"{user},\n    r.items")
    ]
    return Relation(selects[0], quoted(found.name), alone=selects[1])


def expression(column: Column, found: SourceTable, alias: str, sql: SimpleNamespace) -> str:
    """One column of a role as SQL, under our name."""
    if not found.has(column.ours):
        return f"{str(column.absent).format(text=sql.text_type())} as {column.ours}"
    text = f"{alias}.{plain(found.names[column.ours])}"
    if found.type(column.ours).endswith("[]") and column.unnested:
        text = str(sql.elements(text))
    elif column.is_time:
        text = str(sql.utc(text, found.type(column.ours)))
    elif column.cast:
        text = f"cast({text} as {column.cast.format(text=sql.text_type())})"
    return text if text == f"{alias}.{column.ours}" else f"{text} as {column.ours}"


def split_of(
    found: SourceTable, order_by: str | None, sql: SimpleNamespace, further: Collection[str], time: str
) -> tuple[Relation, dict[str, str], list[str]]:
    """What a split reads: the interactions, its columns as SQL over `t` by our names, and all other columns, the time first.

    Raises BadInput if the column to order by is missing, or if a column has the name of one that the split adds (`further`).
    """
    theirs = {name.lower(): name for name in found.types}
    if order_by is not None and order_by.lower() not in theirs:
        raise BadInput(no_column(found, order_by, saying("order_by")))
    for added in further:
        if added in theirs:
            raise BadInput(catalog().say("part_column", interactions=found.name, column=theirs[added]))
    names = {ours: f"t.{plain(name)}" for ours, name in found.names.items()}
    if order_by is not None:
        column = theirs[order_by.lower()]
        place = f"t.{plain(column)}"
        names["order_by"] = str(sql.in_utc(place)) if found.types[column] == ZONED else place
    others = {f"t.{plain(name)}": found.types[name] for name in sorted(found.types, key=lambda name: name.lower() != time)}
    rows = Relation(f"select *\nfrom {found.relation(sql)}", quoted(found.name))
    # Spark orders no maps.
    unread = [sql.text(one) if "MAP" in kind else one for one, kind in others.items() if one not in names.values()]
    return rows, {"order_by": "", **names}, unread
