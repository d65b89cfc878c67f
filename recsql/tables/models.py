"""One table per model: a mapping of names to tables, or files named after their models."""

import os
from collections.abc import Mapping
from typing import Any

from recsql.base.errors import BadInput
from recsql.base.paths import is_there, matches
from recsql.base.text import quoted
from recsql.catalog.roles import Names
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.tables.files import SCHEME, files_in, stem_of
from recsql.tables.find import is_path
from recsql.tables.source_table import NESTED, Given

FILENAME = "filename"  # as the model column: each file is a model with the file's name


def refuse_names(role: str, data: Mapping[Any, Any], names: Names) -> None:
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


def by_file(engine: Engine, data: Any, kind: str | None) -> dict[str, str]:
    """The files behind paths, folders and globs, by their names without folder and ending.

    Raises BadInput if two files have the same name.
    """
    if engine.dialect != DuckDB.dialect:
        raise BadInput("model: only DuckDB finds files; give a mapping of names to paths")
    found: dict[str, str] = {}
    for path in [os.fspath(data)] if is_path(data) else map(os.fspath, data):
        for file in expanded(engine, path, kind):
            name = stem_of(file)
            if name in found:
                raise BadInput(
                    f"{file}: {found[name]} is named {name} as well; name the models yourself, with {name}=FILE or a mapping"
                )
            found[name] = file
    return found


def expanded(engine: Engine, path: str, kind: str | None) -> list[str]:
    if SCHEME.match(path):
        return [
            str(row["file"]) for row in engine.query(f"select g.file from glob({quoted(path)}) as g order by all").to_pylist()
        ]
    if os.path.isdir(path):
        return [file for one in files_in(path, kind) for file in matches(one)]
    return [path] if is_there(path) else [file for file in matches(path) if os.path.isfile(file)]


def together(engine: Engine, models: Mapping[str | None, Given]) -> Given:
    """The tables of several models as one, with the columns that all of them have.

    Raises BadInput if one of them has models of its own.
    """
    by_name = {str(name): one for name, one in models.items()}
    for name, one in by_name.items():
        if one.has("model"):
            refuse_models(engine, name, one)
    first, *others = by_name.values()
    shared = [ours for ours in first.names if all(one.has(ours) for one in others)]
    return Given(
        first.name if not others else f"{first.name} and {len(others)} more",
        {**first.types, "model": "VARCHAR"},
        {ours: first.names[ours] for ours in shared} | {"model": "model"},
        paths=[path for one in by_name.values() for path in one.paths],
        models=by_name,
    )


def refuse_models(engine: Engine, name: str, found: Given) -> None:
    """Raises BadInput if the table of one model has a model column, unless it is a TREC run with a single name."""
    column = found.names["model"]
    if found.kind != "trec":
        raise BadInput(
            f"{found.name}: it has a column {column}, but the call names its model {name}; "
            "give the table without a name, or leave that column out"
        )
    [row] = engine.query(f"select min(r.model) as one, max(r.model) as other from {found.table} as r").to_pylist()
    if row["one"] != row["other"]:
        raise BadInput(
            f"{found.name}: it has runs of several models ({row['one']}, {row['other']}); give it without the name {name}"
        )
