"""Finds and inspects the tables of a call, and gives their columns our names and types.

A table is a path, a glob, the name of a table, Arrow data, a data frame, or a mapping of models to any of these.
"""

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeGuard

import pyarrow as pa

from recsql.base.errors import BadInput, EngineError, first_line, warn
from recsql.base.paths import matches
from recsql.base.text import name_parts, plain
from recsql.base.types import NULL, UNKNOWN, is_numeric
from recsql.catalog.roles import MODEL, ORDERS, RATING, ROLES, UNRATED, Names, Role
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.query.parts import read_as
from recsql.query.results import FOLD
from recsql.query.templates import dialect, template
from recsql.tables.columns import missing_column, rename_columns
from recsql.tables.files import (
    DATABASE,
    SAID,
    SCHEME,
    ending_of,
    find_files,
    find_in_database,
    find_models,
    name_damaged,
    read_once,
    refuse_shape,
    refuse_two_dates,
    split_ending,
    unreadable,
)
from recsql.tables.folds import fold_column
from recsql.tables.models import WithModel, unite_models, with_model
from recsql.tables.source_table import IDS, MODELS, NESTED, UNNAMED, SourceTable
from recsql.tables.types import TEXT, cast_ids, check_ids, choose_types, id_types, refuse_long_ids

PER_MODEL: Mapping[str, Sequence[str]] = {"recs": (), "predictions": ("item_id",)}  # what a model answers once, besides the user
FILENAME = "filename"  # as `model`, it makes each file a model with the file's name
TABULAR = ("schema", "columns", "projected_schema")  # attributes of tables, frames, readers and scanners that arrays lack
LIST = re.compile(r"\[\d*\]$")  # the end of the type of a LIST, or of an ARRAY with its length
WIDE = re.compile(r"MAP\(VARCHAR, (?!STRUCT|MAP)")  # as DuckDB reads an object with hundreds of keys
# A part of a table's name in SQL for another engine: a word, a quoted name, or dbt's Jinja.
NAME_PART = re.compile(r'\w+|`(?:[^`]|``)+`|"(?:[^"]|"")+"|\{\{.*?\}\}')
TABLE_NAME = re.compile(rf"({NAME_PART.pattern})(\.({NAME_PART.pattern}))*")


@dataclass(frozen=True)
class Finder:
    """Finds the tables of a call."""

    engine: Engine
    names: Names
    kind: str | None = None  # the format of files whose ending doesn't say
    named: Collection[str] = ()  # the columns that the call names; a table that recsql can't inspect is assumed to have them
    sliced: Mapping[str, str] = field(default_factory=dict)  # the columns of slices, by our names
    guessed: bool = False  # a text may name a table that recsql can't inspect

    def open_tables(
        self, tables: Mapping[str, object], *, beside: Sequence[SourceTable] = (), once: bool = True
    ) -> dict[str, SourceTable]:
        """The input tables by role, with our names and types for their columns; ids are also compared with those of `beside`."""
        roles = {**ROLES, "predictions": UNRATED} if "ratings" in tables else ROLES
        found = {role: self.each_model(roles[role], read_as(role, data)) for role, data in tables.items()}
        every = [one for models in found.values() for one in models.values()]
        check_ids([one for one in every if not one.is_text])
        ids = id_types([*beside, *every])
        for models in found.values():
            for model, one in models.items():
                if one.is_text:
                    models[model] = read_once(self.engine, one, ids) if once else choose_types(one, ids)
                elif self.engine.dialect == DuckDB.dialect:
                    models[model] = cast_ids(one, ids)
                refuse_long_ids(self.engine, models[model])
                for column in (column.ours for column in one.role.columns if column.is_time and one.has(column.ours)):
                    refuse_two_dates(self.engine, models[model], one.names[column])
        made = {role: replace(unite_models(self.engine, models), role=ROLES[role]) for role, models in found.items()}
        for one in made["predictions"].each if "predictions" in made and "ratings" not in made else ():
            if not one.has("rating"):
                raise BadInput(f"{missing_column(one, RATING, self.names)}, or give the table of ratings")
        return made

    def each_model(self, role: Role, data: object) -> dict[str | None, SourceTable]:
        """The tables by model, or one table under None, with our names for their columns."""
        if isinstance(data, WithModel):
            return with_model(self.engine, self.each_model(role, data.recs), data)
        finder, paths = self, [] if self.is_unseen(data) else paths_in(data)
        if (
            paths
            and (MODEL in role.columns and self.names.model == FILENAME)
            and FILENAME not in map(str.lower, self.find(role, data).types)
        ):  # each file is a model
            data, finder = find_models(self.engine, paths, self.kind), replace(self, names=replace(self.names, model=Names.model))
        elif len(paths) > 1 and role.name in PER_MODEL and (runs := self.runs(role, paths)):
            return runs
        if not isinstance(data, Mapping) or (role.name in NESTED and is_nested(data)):
            return {None: self.one(role, data)}
        if MODEL not in role.columns:
            same = f"a mapping gives a table per model, but {role.name} is the same for all models"
            raise BadInput(f"{role.name}: {same}; give one table")
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

    def runs(self, role: Role, paths: Sequence[str]) -> dict[str | None, SourceTable]:
        """Each of the named files as a model, and a warning, if two of them answer the same; else nothing: they are one table."""
        each = [self.one(role, path) for path in paths]
        columns = [one for one in ("user_id", *PER_MODEL[role.name], "model") if all(table.has(one) for table in each)]
        folds = [fold_column(table) for table in each]
        columns += [FOLD] if all(folds) else []
        files = [runs_of(self.engine, table, columns) for table in each]
        with name_damaged(each):
            rows = self.engine.query(template("runs", files=files, columns=columns)).to_pylist()
        for row in rows:
            first, other = each[row["one"]].name, each[row["other"]].name
            names = [split_ending(path.rstrip("/"))[0] for path in paths]
            if twice := next((name for name in names if names.count(name) > 1), None):
                way = f"name the models yourself, with {twice}=FILE or a mapping"
                raise BadInput(f"{first} and {other}: both have user {row['user_id']}, and two are named {twice}; {way}")
            as_one = "a folder or a glob would be one table"
            warn(f"{first} and {other}: both have user {row['user_id']}, so each file is a model, named after it; {as_one}")
            unnamed = [{ours: name for ours, name in table.names.items() if ours != "model"} for table in each]
            return {name: replace(one, names=ours) for name, one, ours in zip(names, each, unnamed, strict=True)}
        return {}

    def one(self, role: Role, data: object, called: str = "") -> SourceTable:
        """One table, with our names for its columns; `called` is its name if it has none of its own."""
        found = self.unseen(role, data) if self.is_unseen(data) else self.find(role, data, called)
        unnamed = Names(relevance=self.names.relevance and Names.relevance)
        return rename_columns(found, unnamed if found.kind in UNNAMED else self.names, self.sliced)

    def find(self, role: Role, data: object, called: str = "") -> SourceTable:
        """The table that `data` names or holds, with its columns; raises BadInput if a file is missing or can't be read."""
        paths = paths_in(data)
        if not paths:
            return self.in_memory(role, data, called or role.name)
        of_file = DATABASE.fullmatch(paths[0]) if isinstance(data, str | os.PathLike) and not os.path.isfile(data) else None
        if isinstance(data, str) and (table := self.engine.find_table(data)):
            found = SourceTable(data, role, table=table)
        elif of_file:
            found = find_in_database(self.engine, role, of_file[1], of_file[2])
        else:
            name = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
            found = find_files(self.engine, role, name, paths, self.kind)
        return inspect(self.engine, found)

    def in_memory(self, role: Role, data: object, name: str) -> SourceTable:
        """A table from a frame, a reader, or a mapping of users to mappings of items to numbers."""
        rows = unfold(name, role.name, data) if isinstance(data, Mapping) else to_arrow(self.engine, name, data)
        is_empty = False
        if isinstance(rows, pa.Table) and not rows.num_rows:
            needed = {one.ours: getattr(self.names, one.argument) or one.ours for one in role.columns if one.needed}
            rows, is_empty = empty_table(rows.schema, needed), True
        schema = getattr(rows, "schema", getattr(rows, "projected_schema", None))
        columns = schema.names if isinstance(schema, pa.Schema) else getattr(rows, "columns", ())
        called = [str(column).lower() for column in columns]
        doubled = {column for column in called if called.count(column) > 1}
        try:
            table = self.engine.register(f"given_to_recsql_{role.name}", rows)
        except (BadInput, EngineError) as error:
            raise BadInput(f"{name}: it can't be read: {error}") from None
        kind = NESTED[role.name] if isinstance(data, Mapping) else "parquet"
        found = inspect(self.engine, SourceTable(name, role, table=table, doubled=doubled, kind=kind, is_empty=is_empty))
        if isinstance(rows, pa.Table) and is_empty:  # DuckDB 1.5 makes untyped columns INTEGER
            typed = {one.name for one in rows.schema if not pa.types.is_null(getattr(one.type, "value_type", one.type))}
            typed |= {element for element, name in found.lists.items() if name in typed}
            return replace(found, types={name: kind if name in typed else NULL for name, kind in found.types.items()})
        return found

    def is_unseen(self, data: object) -> TypeGuard[str]:
        """Whether `data` names a table or file that the engine can't inspect, perhaps on another machine, in a call of `sql`."""
        if not (self.guessed and isinstance(data, str)):
            return False
        if self.engine.dialect != self.engine.reads and SCHEME.match(data):
            return True
        if self.engine.dialect != self.engine.reads and os.path.isabs(data):
            return not matches(data) and not os.path.isdir(os.path.dirname(data))
        is_file = os.path.exists(data) or ending_of(data) is not None
        return TABLE_NAME.fullmatch(data) is not None and not is_file and self.engine.find_table(data) is None

    def unseen(self, role: Role, name: str) -> SourceTable:
        """A table or files that can't be inspected: assumed to have the columns that the role needs and the call names."""
        types: dict[str, str] = {}
        for column in role.columns:
            ordering = column.argument == "rank" and not self.names.score
            theirs = getattr(self.names, column.argument)
            if column.absent is None or column.argument in self.named or ordering or theirs not in (None, column.usual):
                number = "BIGINT" if column.ours == "rank" else "DOUBLE"
                text = UNKNOWN if column.ours in IDS else "VARCHAR"
                types[theirs or column.ours] = number if column.is_number else text
        types |= dict.fromkeys(self.sliced.values() if role.is_sliced else (), "VARCHAR")
        if not TABLE_NAME.fullmatch(name):
            kind = ending_of(name)
            if kind in ("csv", "json"):
                raise BadInput(f"{name}: only DuckDB reads {SAID[kind]}; give it as Parquet, or name a table")
            return SourceTable(name, role, types, paths=[name])
        said = re.sub(r"\{\{ *| *\}\}", "", name)  # for sentences, so that dbt finds no Jinja in them
        parts = [part if part.startswith("{{") else plain(*name_parts(part)) for part in NAME_PART.findall(name)]
        return SourceTable(said, role, types, table=".".join(parts))


def paths_in(data: object) -> list[str]:
    """The names in `data`: of one file, folder or table, or of a list of them; empty if the data is in memory."""
    if isinstance(data, str | os.PathLike):
        return [os.fspath(data)]
    if isinstance(data, Sequence) and all(isinstance(one, str | os.PathLike) for one in data):
        return [os.fspath(one) for one in data]
    return []


def runs_of(engine: Engine, found: SourceTable, columns: Sequence[str]) -> str:
    """The query for the different values of some columns of a table, as text."""
    sql = dialect(engine.reads)
    typed = choose_types(found, dict.fromkeys(IDS, (TEXT, ""))) if found.is_text else found
    texts = [f"{sql.text(plain(typed.names.get(one) or str(fold_column(typed))))} as {one}" for one in columns]
    return f"select distinct {', '.join(texts)} from {typed.rows(sql)} as f"


def empty_table(schema: pa.Schema, needed: Mapping[str, str]) -> pa.Table:
    """An empty table with the `needed` columns, of which only ids and times keep their types, because the others say nothing."""
    ids = {needed.get(one) for one in IDS}
    kinds = {name: pa.null() for ours, name in needed.items() if name not in schema.names if ours in ORDERS or not schema.names}
    for one in schema:
        is_list = one.name == "items"
        keeps = one.name in ids or pa.types.is_temporal(one.type) or (is_list and pa.types.is_list(one.type))
        kinds[one.name] = one.type if keeps else pa.list_(pa.null()) if is_list else pa.null()
    return pa.table({name: pa.array([], kind) for name, kind in kinds.items()})


def is_nested(data: Mapping[object, object]) -> bool:
    """Whether a mapping is of users to mappings of items to numbers, and not of models to tables."""
    return bool(data) and all(
        isinstance(items, Mapping) and not isinstance(next(iter(items.values()), None), Mapping) for items in data.values()
    )


def unfold(name: str, role: str, data: Mapping[object, Mapping[object, float]]) -> pa.Table:
    """The rows of a mapping of users to mappings of items to numbers."""
    number = NESTED[role].removeprefix("nested_")
    try:
        return pa.table(
            {
                "user_id": pa.array([user for user, items in data.items() for _ in items]),
                "item_id": pa.array([item for items in data.values() for item in items]),
                number: pa.array([value for items in data.values() for value in items.values()], pa.float64()),
            }
        )
    except (pa.ArrowException, AttributeError, TypeError, ValueError, OverflowError) as error:
        way = "give each user a mapping of items to numbers, with ids of one type"
        raise BadInput(f"{name}: {way}: {first_line(error)}") from None


def inspect(engine: Engine, found: SourceTable) -> SourceTable:
    """Adds the columns of an input. A LIST column `items` becomes one row per item, in the order of the list."""
    sql = dialect(engine.reads)
    nested = NESTED.get(found.role.name) if found.kind == "json" else None
    try:
        types = engine.columns(found.relation(sql))
    except (BadInput, EngineError) as error:
        if not (nested and "maximum_object_size" in str(error)):
            raise unreadable(engine, found, error) from None
        types = {}
    if found.kind == "json" and WIDE.match(types.get("json", "")):
        types = engine.columns(sql.wide_json(found.paths))
    if nested and all(kind.startswith(("STRUCT(", "MAP(")) for kind in types.values()):
        deepest = max((kind.count("STRUCT(") + kind.count("MAP(") for kind in types.values()), default=0)
        of_models = found.role.name == "recs" and deepest > (2 if [*types] == ["json"] else 1)
        found = replace(found, kind=MODELS if of_models else nested)
        types = engine.columns(found.relation(sql))
    if any("\0" in column for column in types):
        raise unreadable(engine, found, BadInput("the name of a column has a NUL byte"))
    found = replace(found, types=types)
    if found.is_text:
        refuse_shape(engine, found)
    return unnest(split_structs(engine, found) if found.role.name == "recs" else found)


def to_arrow(engine: Engine, name: str, data: object) -> object:
    """`data` in a form that the engine can read."""
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if type(data).__module__.split(".")[0] in engine.scanned and any(hasattr(data, name) for name in TABULAR):
        return data
    if hasattr(data, "__arrow_c_stream__"):
        try:
            table = pa.table(data)
            # Polars' string views become plain strings: DuckDB 1.5 leaves some filters to Arrow, which can't filter views.
            views = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
            return table.cast(pa.schema([field.with_type(views.get(field.type, field.type)) for field in table.schema]))
        except (pa.ArrowException, TypeError, ValueError) as error:
            raise BadInput(f"{name}: Arrow can't convert it: {first_line(error)}") from None
    kind, usual = type(data).__name__, "a path, a table's name, an Arrow table or a data frame"
    if isinstance(data, Sequence) and any(hasattr(one, name) for one in data for name in TABULAR):
        usual = "a mapping of the models' names to their tables"
    raise BadInput(f"{name}: {kind} is not a table; give {'what its .collect() returns' if kind == 'LazyFrame' else usual}")


def split_structs(engine: Engine, found: SourceTable) -> SourceTable:
    """Splits a column with a LIST of STRUCTs, as Spark's ALS returns it, into a LIST of ids and one of numbers."""
    structs = [name for name, kind in found.types.items() if kind.startswith("STRUCT") and LIST.search(kind)]
    if len(structs) != 1 or {"item_id", "items"} & {*found.types} - {*structs}:
        return found
    sql, place = dialect(engine.reads), f"l.{plain(structs[0])}"
    rows = found.rows(sql)
    fields = engine.columns(f"(select entry.* from (select {sql.elements(place)} as entry from {rows} as l) as s)")
    [item, *further] = fields
    score = next((one for one in further if is_numeric(fields[one])), None)
    lists = {"items": item} | ({} if score is None else {"scores": score})
    others = {name: kind for name, kind in found.types.items() if name not in (*structs, *lists)}
    columns = [f"l.{plain(name)}" for name in others]
    columns += [f"{sql.mapped(place, 'e', f'e.{plain(one)}')} as {name}" for name, one in lists.items()]
    types = others | {name: f"{fields[one]}[]" for name, one in lists.items()}
    return replace(found, table=f"(select {', '.join(columns)} from {rows} as l)", types=types)


def unnest(found: SourceTable) -> SourceTable:
    """Turns a LIST column `items` into one row per item, in the order of the list."""
    if "item_id" in found.types or not LIST.search(found.types.get("items", "")):
        return found
    singular = {"items": "item_id", "scores": "score"}
    lists = {singular.get(name, name): name for name, kind in found.types.items() if LIST.search(kind)}
    if "rank" in lists:
        raise BadInput(f"{found.name}: items and rank are both LISTs, but the order of items gives the ranks; leave rank out")
    elements = {whole: element for element, whole in lists.items()}
    types = {elements.get(name, name): LIST.sub("", kind) for name, kind in found.types.items()}
    return replace(found, lists=lists, types=types | {"rank": "BIGINT"})
