"""The way of a table into a call: what was given is found, inspected, and gets our names and types for its columns."""

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

from recsql.base.errors import BadInput
from recsql.base.paths import is_there, matches
from recsql.base.text import quoted
from recsql.catalog.roles import MODEL, RATING, ROLES, UNRATED, Names, Role
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.tables.columns import absent, rename_columns
from recsql.tables.files import SCHEME, divided, files_in
from recsql.tables.find import find, is_elsewhere, is_nested, paths_in, unseen
from recsql.tables.source_table import NESTED, UNNAMED, SourceTable
from recsql.tables.text_files import read_once
from recsql.tables.types import check_ids, id_types, refuse_long_ids, with_typed_ids, with_types

FILENAME = "filename"  # as the model column: each file is a model with the file's name
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
    found = {role: finder.each_model(roles[role], data) for role, data in tables.items()}
    every = [one for models in found.values() for one in models.values()]
    check_ids([one for one in every if not one.is_text])
    ids = id_types([*beside, *every])
    for models in found.values():
        for model, one in models.items():
            if one.is_text:
                text = with_types(one, ids)
                models[model] = read_once(engine, text, ids) if once and isinstance(engine, DuckDB) else text
            elif isinstance(engine, DuckDB):
                models[model] = with_typed_ids(one, ids)
            refuse_long_ids(engine, models[model])
    made = {role: replace(models.get(None) or together(engine, models), role=ROLES[role]) for role, models in found.items()}
    for one in made["predictions"].each if "predictions" in made and "ratings" not in made else ():
        if not one.has("rating"):
            raise BadInput(f"{absent(one, RATING, names)}, or give the table of ratings")
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

    def each_model(self, role: Role, data: object) -> dict[str | None, SourceTable]:
        """The table of each model, or one table under no name."""
        finder, paths = self, [] if self.is_unseen(data) else paths_in(data)
        if (
            paths
            and (MODEL in role.columns and self.names.model == FILENAME)
            and FILENAME not in map(str.lower, find(self.engine, role, data, self.kind).types)
        ):  # each file is a model with the file's name
            data, finder = by_file(self.engine, paths, self.kind), replace(self, names=replace(self.names, model=Names.model))
        if not isinstance(data, Mapping) or (role.name in NESTED and is_nested(data)):
            return {None: self.one(role, data)}
        if MODEL not in role.columns:
            raise BadInput(
                f"{role.name}: a mapping gives a table per model, but {role.name} is the same for all models; give one table"
            )
        if not data:
            raise BadInput(f"{role.name}: the mapping is empty; give the table of each model by its name")
        for model, table in data.items():
            if not isinstance(model, str) or not model:
                raise BadInput(f"{role.name}: {model!r} is not a model name; use text that is not empty")
            if isinstance(table, Mapping) and role.name not in NESTED:
                raise BadInput(f"{role.name}: the model {model} is itself a mapping; give one table for each model")
        if finder.names.model != Names.model:
            read = f"{role.name} already names the model of each table, so {finder.names.model} is not read"
            raise BadInput(f"model: {read}; leave the argument out")
        return {model: finder.one(role, table, f"{role.name} of {model}") for model, table in data.items()}

    def one(self, role: Role, data: object, called: str = "") -> SourceTable:
        """One table, with our names for its columns; `called` is its name if it has none of its own."""
        if self.is_unseen(data):
            found = unseen(data, role, self.names, self.named, self.sliced.values())
            return rename_columns(found, self.names, self.sliced)
        wanted = {one.ours: getattr(self.names, one.argument) or one.ours for one in role.columns if one.needed}
        found = find(self.engine, role, data, self.kind, called, wanted)
        unnamed = Names(relevance=self.names.relevance and Names.relevance)
        return rename_columns(found, unnamed if found.kind in UNNAMED else self.names, self.sliced)

    def is_unseen(self, data: object) -> TypeGuard[str]:
        """Whether a table can't be inspected, in a call that only writes a query."""
        return self.guessed and isinstance(data, str) and is_elsewhere(self.engine, data)


def by_file(engine: Engine, paths: Sequence[str], kind: str | None) -> dict[str, str]:
    """The files behind paths, folders and globs, by their names without folder and ending.

    Raises BadInput if two files have the same name.
    """
    if engine.dialect != DuckDB.dialect:
        raise BadInput("model: only DuckDB finds files; give a mapping of names to paths")
    found: dict[str, str] = {}
    for path in paths:
        if SCHEME.match(path):
            files = engine.query(f"select g.file from glob({quoted(path)}) as g order by all")["file"].to_pylist()
        elif os.path.isdir(path):
            files = [file for one in files_in(path, kind) for file in matches(one)]
        else:
            files = [path] if is_there(path) else [file for file in matches(path) if os.path.isfile(file)]
        for file in files:
            name, _ = divided(file)
            if name in found:
                way = f"name the models yourself, with {name}=FILE or a mapping"
                raise BadInput(f"{file}: {found[name]} is named {name} as well; {way}")
            found[name] = file
    return found


def together(engine: Engine, models: Mapping[str | None, SourceTable]) -> SourceTable:
    """The tables of several models as one, with the columns that all of them have.

    Raises BadInput if one of them has models of its own; a TREC run may have a single one, whose name is not read.
    """
    by_name = {str(name): one for name, one in models.items()}
    for name, one in by_name.items():
        if not one.has("model"):
            continue
        if one.kind != "trec":
            raise BadInput(
                f"{one.name}: it has a column {one.names['model']}, but the call names its model {name}; "
                "give the table without a name, or leave that column out"
            )
        [row] = engine.query(f"select min(r.model) as one, max(r.model) as other from {one.table} as r").to_pylist()
        if row["one"] != row["other"]:
            runs = f"{row['one']}, {row['other']}"
            raise BadInput(f"{one.name}: it has runs of several models ({runs}); give it without the name {name}")
    first, *others = by_name.values()
    shared = {ours: name for ours, name in first.names.items() if all(one.has(ours) for one in others)}
    return SourceTable(
        f"{first.name} and {len(others)} more" if others else first.name,
        first.role,
        {**first.types, "model": "VARCHAR"},
        {**shared, "model": "model"},
        paths=[path for one in by_name.values() for path in one.paths],
        models=by_name,
    )
