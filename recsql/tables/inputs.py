"""The SQL that reads the tables of a call: the columns of their roles, under our names."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from types import SimpleNamespace

from recsql.base.errors import BadInput
from recsql.base.paths import matches
from recsql.base.text import plain, quoted
from recsql.base.types import NUMBERS, REALS, is_numeric
from recsql.base.wording import either
from recsql.catalog import catalog
from recsql.catalog.roles import EITHER, MODEL, ORDERS, RANGE, USER, Column, Names
from recsql.catalog.slice_names import SliceName
from recsql.engines.duckdb import DuckDB
from recsql.query.binding import Inputs, Relation, Rows, is_fast
from recsql.query.templates import dialect
from recsql.tables.columns import find_slices, name_with, no_column, orders_of
from recsql.tables.source_table import IDS, TOKENS, UNNAMED, SourceTable

ZONED = "TIMESTAMP WITH TIME ZONE"
TOLD = {"titles": ("items", "item_id"), "questions": ("texts", "user_id")}  # what ids stand for: from a role and its ids


def inputs_of(
    found: Mapping[str, SourceTable], engine: str, names: Names, by: Iterable[SliceName] = (), *, plain: bool = False
) -> Inputs:
    """The inputs of a query as far as its tables determine them."""
    sql = dialect(engine, plain=plain)
    recs, truth = found.get("recs"), found.get("truth")
    graded = truth is None or truth.has("relevance")
    first = next(iter(found.values()))
    named = first.each[0].kind not in UNNAMED
    files = [] if recs is None or recs.has("model") else matches(*recs.paths)
    return Inputs(
        {role: relation(one, sql) for role, one in found.items()} | told(found, sql),
        dialect=engine,
        modelled=recs is None or recs.has("model"),
        graded=graded,
        finite=truth is not None and (not graded or truth.type("relevance") in NUMBERS),
        lists=lists_of(recs, sql) if recs is not None and engine == DuckDB.dialect else None,
        slices=find_slices(by, found),
        called=names.of_lists | {ours: name for ours, name in first.each[0].names.items() if ours in IDS and named},
        models=list(first.named_models),
        clustered=truth is not None and truth.has("cluster"),
        swapped=""
        if recs is None or truth is None or recs.has("rank")
        else "relevance"
        if names.relevance in {names.score} - {None}  # scores and relevances share a name
        else looks_like_lists(truth),
        unread=truth.names.get("unread", "") if truth else "",
        rated=truth.names.get("rated", "") if truth else "",
        per_file=quoted(by_file() if len({*files}) > 1 else ""),
        fast=is_fast() and not plain,
        plain=plain,
    )


def looks_like_lists(truth: SourceTable) -> str:
    """The column that makes truth look like lists: a rank, but that of `labels` or a LIST, or a score that is not read."""
    of_labels = {"relevance", "events"} <= {name.lower() for name in truth.types}
    ranked = truth.names.get("rank", "").lower() == "rank" and not truth.lists and not of_labels
    return "rank" if ranked else "score" if truth.names.get("unread", "").lower() == "score" else ""


def by_file() -> str:
    """How to make each file a model, at the end of a sentence about a list that may be those of several models."""
    filename = "model='filename'"
    way = either(f"give a mapping of names to files, or {filename}", "name it as NAME=FILE, or add --model filename")
    return f"; or has each file a model? {way}"


def relation(found: SourceTable, sql: SimpleNamespace) -> Relation:
    """The table as the steps read it: the columns of its role under our names, if the tables of all models have them."""
    models = [
        rows(replace(one, names={ours: one.names[ours] for ours in found.names if one.has(ours)}), sql, name)
        for name, one in found.models.items()
    ]
    named = {name: quoted(one.name) for name, one in found.named_models.items()}
    said = {("end" if ours == "stop" else ours): theirs for ours, theirs in found.names.items()}  # `end` is a keyword of SQL
    return replace(Relation.of(models or [rows(found, sql)], quoted(found.name)), models=named, columns=said)


def with_tokens(recs: SourceTable, sql: SimpleNamespace) -> dict[str, Relation]:
    """The lists with the tokens of each row as its cost, if all have such a column of numbers and the call names no other."""
    if recs.has("cost") or not all(is_numeric(one.types.get(TOKENS, "")) for one in recs.each):
        return {}
    models = {model: replace(one, names={**one.names, "cost": TOKENS}) for model, one in recs.models.items()}
    return {"recs": relation(replace(recs, names={**recs.names, "cost": TOKENS}, models=models), sql)}


def told(found: Mapping[str, SourceTable], sql: SimpleNamespace) -> dict[str, Relation]:
    """The titles of items and the texts of users, by their ids as text, as tables; none without a column of them."""
    made = {}
    for name, (role, own) in TOLD.items():
        if (table := found.get(role)) is not None and table.has("told"):
            id_, text = (sql.text(f"i.{plain(table.names[one])}") for one in (own, "told"))
            select = f"select {id_} as id, min({text}) as told from {table.rows(sql)} as i group by {id_}"
            made[name] = Relation(select, quoted(table.name))
        elif table is not None and role == "texts":
            raise BadInput(no_column(table, " or ".join(table.role.told), "rename the column with the texts to text"))
    return made


def rows(found: SourceTable, sql: SimpleNamespace, model: str | None = None) -> Rows:
    """The rows of one table; `model` is its model if each model has a table."""
    columns = {
        column.ours: f"cast({quoted(model)} as {sql.text_type()}) as model"
        if model is not None and column == MODEL
        else expression(column, found, sql)
        for column in found.role.readable
        if not column.on_request or found.has(column.ours)
    }
    orders = {EITHER[one]: order_by_model(found, one, sql) for one in ORDERS} if found.role.name == "recs" else {}
    return Rows(columns, f"{found.relation(sql)} as {found.role.alias}", found.role.distinct, orders)


def order_by_model(found: SourceTable, preferred: str, sql: SimpleNamespace) -> str:
    """SQL of the column that orders the list of a row."""
    [first, *others] = [(quoted(model), quoted(order)) for model, order in orders_of(found, preferred).items()]
    if not others:
        return first[1]
    whens = " ".join(f"when {model} then {order}" for model, order in (first, *others))
    return f"case cast({found.role.alias}.{plain(found.names['model'])} as {sql.text_type()}) {whens} else 'rank' end"


def lists_of(found: SourceTable, sql: SimpleNamespace) -> Relation | None:
    """The query for recommendations with a LIST of ids per row and no other column per item; None for other tables.

    Ids that are fractions have none: NaN equals itself in a join, but nothing in a LIST.
    """
    item = found.names.get("item_id")
    if [name for name in found.lists if name in found.names.values()] != [item] or found.type("item_id").startswith(REALS):
        return None
    columns = {column.ours: expression(column, found, sql) for column in (MODEL, USER)}
    columns["items"] = f"r.{plain(found.lists[str(item)])} as items"
    return Relation.of([Rows(columns, f"{found.rows(sql)} as r")], quoted(found.name))


def expression(column: Column, found: SourceTable, sql: SimpleNamespace) -> str:
    """One column of a role as SQL, under our name."""
    if not found.has(column.ours):
        ends = [f"{found.role.alias}.{plain(found.names[one.ours])}" for one in RANGE if found.has(one.ours)]
        return f"{str(column.absent).format(text=sql.text_type(), span=sql.span(*ends) if ends else '')} as {column.ours}"
    text = f"{found.role.alias}.{plain(found.names[column.ours])}"
    if found.type(column.ours).endswith("[]") and column.unnested:
        text = str(sql.elements(text))
    elif column.is_time:
        text = str(sql.utc(text, found.type(column.ours)))
    elif column.cast:
        text = f"cast({text} as {column.cast.format(text=sql.text_type())})"
    return text if text == f"{found.role.alias}.{column.ours}" else f"{text} as {plain(column.ours)}"


def split_of(
    found: SourceTable, order_by: str | None, sql: SimpleNamespace, further: Collection[str], time: str
) -> tuple[Relation, dict[str, str], list[str]]:
    """What a split reads: the interactions, SQL over `t` for our columns, and the other columns, the time first."""
    theirs = {name.lower(): name for name in found.types}
    if order_by is not None and order_by.lower() not in theirs:
        raise BadInput(no_column(found, order_by, name_with("order_by")))
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
    # Spark can't order maps.
    unread = [sql.text(one) if "MAP" in kind else one for one, kind in others.items() if one not in names.values()]
    return rows, {"order_by": "", **names}, unread
