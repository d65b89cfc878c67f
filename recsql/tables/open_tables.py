"""The way of a table into a call: what was given is found, inspected, and gets our names and types for its columns."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from recsql.base.errors import BadInput
from recsql.catalog.roles import RATING, ROLES, UNRATED
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.tables.columns import absent
from recsql.tables.find import Finder
from recsql.tables.source_table import SourceTable
from recsql.tables.text_files import read_once
from recsql.tables.types import cast_ids, check_ids, choose_types, id_types, refuse_long_ids


def open_tables(
    finder: Finder, tables: Mapping[str, object], *, beside: Sequence[SourceTable] = (), once: bool = True
) -> dict[str, SourceTable]:
    """The input tables by role, found, inspected, and with our column names.

    `beside` are further tables whose ids are compared. `once`: text files are read once; otherwise every query reads its file.

    Raises BadInput if a table or a column is missing, or if ids have different types.
    """
    engine, roles = finder.engine, {**ROLES, "predictions": UNRATED} if "ratings" in tables else ROLES
    found = {role: finder.each_model(roles[role], data) for role, data in tables.items()}
    every = [one for models in found.values() for one in models.values()]
    check_ids([one for one in every if not one.is_text])
    ids = id_types([*beside, *every])
    for models in found.values():
        for model, one in models.items():
            if one.is_text:
                models[model] = read_once(engine, one, ids) if once else choose_types(one, ids)
            elif engine.dialect == DuckDB.dialect:
                models[model] = cast_ids(one, ids)
            refuse_long_ids(engine, models[model])
    made = {role: replace(models.get(None) or unite_models(engine, models), role=ROLES[role]) for role, models in found.items()}
    for one in made["predictions"].each if "predictions" in made and "ratings" not in made else ():
        if not one.has("rating"):
            raise BadInput(f"{absent(one, RATING, finder.names)}, or give the table of ratings")
    return made


def unite_models(engine: Engine, models: Mapping[str | None, SourceTable]) -> SourceTable:
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
