"""The tables of a call: for each role (recs, truth, users) what was given, and the SQL that reads it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from recsql.base.errors import BadInput
from recsql.base.text import plain, quoted
from recsql.base.types import NULL, NUMBERS, REALS, TIMES, is_numeric
from recsql.catalog import catalog
from recsql.catalog.headers import Value
from recsql.catalog.roles import MODEL, ORDERS, ROLES, UNRATED, USER, Column, Names, Role
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.query.binding import Inputs, Relation, is_fast
from recsql.query.templates import dialect
from recsql.tables.find import find, is_elsewhere, is_nested, paths_in, unseen
from recsql.tables.ids import check_ids, id_types, refuse_long_ids, with_typed_ids
from recsql.tables.models import FILENAME, by_file, refuse_names, together
from recsql.tables.rename_columns import absent, no_column, rename_columns, saying
from recsql.tables.segments import resolved
from recsql.tables.source_table import IDS, NESTED, UNNAMED, Given
from recsql.tables.text_files import read_once, with_types

SPARING = (("recs", "model"), ("truth", "relevance"))  # columns that make a call cheaper if they are absent
NO_SLICES: Mapping[str, str] = {}
ZONED = "TIMESTAMP WITH TIME ZONE"
NOTHING = Given("", {})


def open_tables(
    engine: Engine,
    tables: Mapping[str, Any],
    names: Names,
    kind: str | None = None,
    named: Collection[str] = (),
    *,
    beside: Sequence[Given] = (),
    once: bool = True,
    sliced: Mapping[str, str] = NO_SLICES,
    guessed: bool = False,
) -> dict[str, Given]:
    """The input tables by role, found, inspected, and with our column names; `kind` is the format of the files.

    `named` are the columns that the call names; a table that recsql can't inspect is assumed to have them. `beside` are further
    tables whose ids are compared. `once`: text files are read once; otherwise every query reads its file. `sliced` are the
    columns of slices, by our names. `guessed`: a text can be the name of a table that recsql can't inspect.
    """
    roles = {**ROLES, "predictions": UNRATED} if "ratings" in tables else ROLES
    finder = Finder(engine, names, kind, named, sliced, guessed)
    found = {role: finder.each_model(role, roles[role], data) for role, data in tables.items()}
    each = [(roles[role], one) for role, models in found.items() for one in models.values()]
    check_ids([(role, one) for role, one in each if not one.is_text])
    ids = id_types([*beside, *(one for _, one in each)])
    for role, models in found.items():
        for model, one in models.items():
            if one.is_text:
                text = with_types(one, roles[role], ids)
                models[model] = read_once(engine, role, roles[role], text, ids) if once and isinstance(engine, DuckDB) else text
            elif isinstance(engine, DuckDB):
                models[model] = with_typed_ids(one, ids)
            refuse_long_ids(engine, models[model])
    made = {role: models.get(None) or together(engine, models) for role, models in found.items()}
    if "ratings" not in made and "predictions" in made:
        rating = next(column for column in ROLES["predictions"].columns if column.ours == "rating")
        for one in made["predictions"].each:
            if not one.has("rating"):
                raise BadInput(f"{absent(one, rating, names)}, or give the table of ratings")
    return made


@dataclass(frozen=True)
class Finder:
    """What a call says about all its tables: the engine, their column names, the format of files, whether to guess."""

    engine: Engine
    names: Names
    kind: str | None
    named: Collection[str]
    sliced: Mapping[str, str]
    guessed: bool

    def each_model(self, role: str, about: Role, data: Any) -> dict[str | None, Given]:
        """The table of each model, or one table under no name."""
        finder, paths = self, [] if self.is_unseen(data) else paths_in(data)
        if (
            paths
            and (MODEL in about.columns and self.names.model == FILENAME)
            and FILENAME not in map(str.lower, find(self.engine, role, data, self.kind).types)
        ):  # each file is a model with the file's name
            data, finder = by_file(self.engine, paths, self.kind), replace(self, names=replace(self.names, model=Names.model))
        if not isinstance(data, Mapping) or (role in NESTED and is_nested(data)):
            return {None: self.one(role, about, data)}
        if MODEL not in about.columns:
            raise BadInput(f"{role}: a mapping gives a table per model, but {role} is the same for all models; give one table")
        refuse_names(role, data, finder.names)
        return {model: finder.one(role, about, table, f"{role} of {model}") for model, table in data.items()}

    def one(self, role: str, about: Role, data: Any, called: str | None = None) -> Given:
        """One table, with our names for its columns."""
        if self.is_unseen(data):
            found = unseen(data, about, self.names, self.named, self.sliced.values())
            return rename_columns(found, about, self.names, self.sliced)
        wanted = {one.ours: getattr(self.names, one.argument) or one.ours for one in about.columns if one.needed}
        found = find(self.engine, role, data, self.kind, called or about.called, wanted)
        unnamed = Names(relevance=self.names.relevance and Names.relevance)
        return rename_columns(found, about, unnamed if found.kind in UNNAMED else self.names, self.sliced)

    def is_unseen(self, data: Any) -> bool:
        """Whether a table can't be inspected, in a call that only writes a query."""
        return self.guessed and isinstance(data, str) and is_elsewhere(self.engine, data)


def check_types(found: Mapping[str, Given]) -> None:
    """Raises BadInput if ids have different types in two tables, or if a column must be a number or a time and is not."""
    tables = [(ROLES[role], one) for role, table in found.items() for one in table.each]
    check_ids(tables)
    for role, table in tables:
        for column in role.columns:
            if column.is_time and not table.type(column.ours).startswith(TIMES):
                name = table.names[column.ours]
                raise BadInput(
                    f"{table.name}: {name} is {table.type(column.ours)}; it must be a date or a time, "
                    f"such as to_timestamp({name}) makes of seconds since 1970"
                )
            if column.is_number and table.has(column.ours):
                kind = table.type(column.ours)
                boolean = kind == "BOOLEAN" and column.ours not in ORDERS  # true and false are 1 and 0, but don't order a list
                if not (is_numeric(kind) or kind == NULL or boolean):
                    raise BadInput(f"{table.name}: {table.names[column.ours]} is {kind}; {column.ours} must be a number")


def inputs_of(found: Mapping[str, Given], engine: str, by: Value, *, plain: bool = False) -> Inputs:
    """What queries over some tables are bound to."""
    sql = dialect(engine, plain=plain)
    lacking = {column for role, column in SPARING if role in found and not found[role].has(column)}
    graded = "relevance" not in lacking
    truth = found.get("truth", NOTHING)
    first = next(iter(found.values()))
    return Inputs(
        {role: relation(ROLES[role], one, sql) for role, one in found.items()},
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


def swapped(found: Mapping[str, Given]) -> str:
    """The column of truth that makes it look like lists, if recs have no rank: a rank, or a score that is not read.

    A truth that `labels` wrote has a rank, and the order of a LIST is one.
    """
    if not {"recs", "truth"} <= found.keys() or found["recs"].has("rank"):
        return ""
    truth = found["truth"]
    of_labels = {"relevance", "events"} <= {name.lower() for name in truth.types}
    ranked = truth.names.get("rank", "").lower() == "rank" and not truth.lists and not of_labels
    return "rank" if ranked else "score" if truth.names.get("unread", "").lower() == "score" else ""


def relation(role: Role, found: Given, sql: SimpleNamespace) -> Relation:
    """The table as the steps read it: the columns of its role under our names."""
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


def rows(role: Role, found: Given, sql: SimpleNamespace, model: str | None = None) -> str:
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


def lists_of(found: Given, sql: SimpleNamespace) -> Relation | None:
    """The query for recommendations that have their ids as one LIST per row, and no other column per item; None for all others.

    It is also None for ids that are fractions: NaN is equal to itself in a join, but to nothing in a LIST.
    """
    elements = [name for name in found.lists.values() if name in found.names.values()]
    if elements != ["item_id"] or found.type("item_id").startswith(REALS):
        return None
    model, user = (expression(column, found, "r", sql) for column in (MODEL, USER))
    selects = [
        f"select\n    {lines}\nfrom {found.rows(sql)} as r"
        for lines in (f"{model},\n    {user},\n    r.items", f"{user},\n    r.items")
    ]
    return Relation(selects[0], quoted(found.name), alone=selects[1])


def expression(column: Column, found: Given, alias: str, sql: SimpleNamespace) -> str:
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
    found: Given, order_by: str | None, sql: SimpleNamespace, further: Collection[str], time: str
) -> tuple[Relation, dict[str, str], list[str]]:
    """Interactions with all their columns; those that a split reads, as SQL over `t`; and the others, the time first.

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
