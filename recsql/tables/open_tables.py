"""The way of a table into a call: what was given is found, inspected, and gets our names and types for its columns."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

from recsql.base.errors import BadInput
from recsql.base.types import NULL, TIMES, is_numeric
from recsql.catalog.roles import MODEL, ORDERS, ROLES, UNRATED, Names, Role
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.tables.find import find, is_elsewhere, is_nested, paths_in, unseen
from recsql.tables.ids import check_ids, id_types, refuse_long_ids, with_typed_ids
from recsql.tables.models import FILENAME, by_file, refuse_names, together
from recsql.tables.rename_columns import absent, rename_columns
from recsql.tables.source_table import NESTED, UNNAMED, SourceTable
from recsql.tables.text_files import read_once, with_types

NO_SLICES: Mapping[str, str] = {}


def open_tables(
    engine: Engine,
    tables: Mapping[str, object],
    names: Names,
    kind: str | None = None,
    named: Collection[str] = (),
    *,
    beside: Sequence[SourceTable] = (),
    once: bool = True,
    sliced: Mapping[str, str] = NO_SLICES,
    guessed: bool = False,
) -> dict[str, SourceTable]:
    """The input tables by role, found, inspected, and with our column names; `kind` is the format of the files.

    `named` are the columns that the call names; a table that recsql can't inspect is assumed to have them. `beside` are further
    tables whose ids are compared. `once`: text files are read once; otherwise every query reads its file. `sliced` are the
    columns of slices, by our names. `guessed`: a text can be the name of a table that recsql can't inspect.

    Raises BadInput if a table or a column is missing, or if ids have different types.
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
    """Finds the tables of a call. Its fields are arguments of `open_tables`, which hold for all of them."""

    engine: Engine
    names: Names
    kind: str | None
    named: Collection[str]
    sliced: Mapping[str, str]
    guessed: bool

    def each_model(self, role: str, about: Role, data: object) -> dict[str | None, SourceTable]:
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

    def one(self, role: str, about: Role, data: object, called: str | None = None) -> SourceTable:
        """One table, with our names for its columns."""
        if self.is_unseen(data):
            found = unseen(data, about, self.names, self.named, self.sliced.values())
            return rename_columns(found, about, self.names, self.sliced)
        wanted = {one.ours: getattr(self.names, one.argument) or one.ours for one in about.columns if one.needed}
        found = find(self.engine, role, data, self.kind, called or about.called, wanted)
        unnamed = Names(relevance=self.names.relevance and Names.relevance)
        return rename_columns(found, about, unnamed if found.kind in UNNAMED else self.names, self.sliced)

    def is_unseen(self, data: object) -> TypeGuard[str]:
        """Whether a table can't be inspected, in a call that only writes a query."""
        return self.guessed and isinstance(data, str) and is_elsewhere(self.engine, data)


def check_types(found: Mapping[str, SourceTable]) -> None:
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
