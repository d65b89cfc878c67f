"""One table per model: a mapping of names to tables, or files named after their models."""

import os
from collections.abc import Mapping, Sequence

from recsql.base.errors import BadInput
from recsql.base.paths import is_there, matches
from recsql.base.text import quoted
from recsql.catalog.roles import Names
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.tables.files import SCHEME, divided, files_in
from recsql.tables.source_table import NESTED, SourceTable

FILENAME = "filename"  # as the model column: each file is a model with the file's name


def refuse_names(role: str, data: Mapping[object, object], names: Names) -> None:
    """Raises BadInput for a mapping that does not name models."""
    if not data:
        raise BadInput(f"{role}: the mapping is empty; give the table of each model by its name")
    for name, table in data.items():
        if not isinstance(name, str) or not name:
            raise BadInput(f"{role}: {name!r} is not a model name; use text that is not empty")
        if isinstance(table, Mapping) and role not in NESTED:
            raise BadInput(f"{role}: the model {name} is itself a mapping; give one table for each model")
    if names.model != Names.model:
        raise BadInput(
            f"model: {role} already names the model of each table, so {names.model} is not read; leave the argument out"
        )


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
        first.name if not others else f"{first.name} and {len(others)} more",
        {**first.types, "model": "VARCHAR"},
        {**shared, "model": "model"},
        paths=[path for one in by_name.values() for path in one.paths],
        models=by_name,
    )
