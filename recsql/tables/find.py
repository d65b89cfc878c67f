"""Finds and inspects the tables of a call, and gives their columns our names and types.

A table is a path, a glob, the name of a table, Arrow data, a data frame, or a mapping of models to any of these.
"""

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard

import pyarrow as pa

from recsql.base.errors import BadInput, EngineError, warn
from recsql.base.paths import is_path, matches
from recsql.base.text import name_parts, plain
from recsql.base.types import NULL, UNKNOWN
from recsql.base.wording import COMMAND
from recsql.catalog.roles import MODEL, RATING, ROLES, UNRATED, Names, Role, of_spans
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.query.parts import read_as
from recsql.query.templates import dialect, template
from recsql.tables.columns import has_ranges, inspect, missing_column, names_among, rename_columns
from recsql.tables.datasets import DataSets, unite_datasets
from recsql.tables.files import (
    DATABASE,
    GIVEN,
    SAID,
    SCHEME,
    ending_of,
    find_files,
    find_in_database,
    find_models,
    name_damaged,
    read_once,
    refuse_two_dates,
    split_ending,
)
from recsql.tables.models import WithModel, find_orders, unite_models, with_model
from recsql.tables.shapes import empty_table, has_column, is_tabular, listed, tabled, to_arrow
from recsql.tables.source_table import IDS, NESTED, UNNAMED, SourceTable
from recsql.tables.trec import read_trec
from recsql.tables.types import TEXT, cast_ids, check_ids, choose_types, id_types, refuse_long_ids

PER_MODEL: Mapping[str, Sequence[str]] = {"recs": (), "predictions": ("item_id",)}  # what a model answers once, besides the user
FILENAME = "filename"  # as `model`, it makes each file a model with the file's name
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
    spans: bool = False  # the call says that the truth has spans, which the columns of a table tell otherwise

    def open_tables(
        self, tables: Mapping[str, object], *, beside: Sequence[SourceTable] = (), once: bool = True
    ) -> dict[str, SourceTable]:
        """The input tables by role, with our names and types for their columns; ids are also compared with those of `beside`."""
        if isinstance(recs := tables.get("recs"), DataSets):
            return unite_datasets({name: self.open_tables(self.of_dataset(tables, name), once=once) for name in recs})
        roles = {**ROLES, "predictions": UNRATED} if "ratings" in tables else {**ROLES}
        roles |= {one: of_spans(ROLES[one], "the truth") for one in ("recs", "truth") if self.spans}
        found: dict[str, dict[str | None, SourceTable]] = {}
        for role in sorted(tables, key=lambda one: one != "truth"):  # the truth first: its columns say what lists need
            try:
                found[role] = self.each_model(roles[role], read_as(role, tables[role]))
            except BadInput:
                if role == "truth" and next(iter(tables)) == "recs":
                    self.refuse_lists(tables["recs"])
                raise
            if role == "truth" and (spans := found[role][None]).has("document"):
                roles |= {one: of_spans(ROLES[one], spans.name) for one in ("recs", "truth")}
        found = {role: found[role] for role in tables}
        every = [one for models in found.values() for one in models.values()]
        check_ids([one for one in every if not one.is_text])
        ids = id_types([*beside, *every])
        for models in found.values():
            for model, one in models.items():
                if one.is_text:
                    models[model] = read_once(self.engine, one, ids) if once else choose_types(one, ids)
                elif one.kind == "trec" and one.paths and once:
                    models[model] = read_trec(self.engine, one)
                elif self.engine.dialect == DuckDB.dialect:
                    models[model] = cast_ids(one, ids)
                refuse_long_ids(self.engine, models[model])
                models[model] = find_orders(self.engine, models[model], named=model is not None)
                for column in (column.ours for column in one.role.columns if column.is_time and one.has(column.ours)):
                    refuse_two_dates(self.engine, models[model], one.names[column])
        roles |= {"predictions": ROLES["predictions"]}
        made = {role: replace(unite_models(self.engine, models), role=roles[role]) for role, models in found.items()}
        for one in made["predictions"].each if "predictions" in made and "ratings" not in made else ():
            if not one.has("rating"):
                raise BadInput(f"{missing_column(one, RATING, self.names)}, or give the table of ratings")
        return made

    def of_dataset(self, tables: Mapping[str, object], name: str) -> dict[str, object]:
        """The tables of one data set, and those that are given for all. A folder recs has a file per model."""
        given = {role: one[name] if isinstance(one, DataSets) else one for role, one in tables.items()}
        is_by_model = os.path.basename(path := str(given["recs"])) == "recs"
        return {**given, "recs": find_models(self.engine, [path], self.kind) if is_by_model else path}

    def refuse_lists(self, data: object) -> None:
        """Raises BadInput if the lists fit neither items nor spans: their errors come before those of the truth."""
        try:
            self.each_model(ROLES["recs"], read_as("recs", data))
        except BadInput as wrong:
            try:
                self.each_model(of_spans(ROLES["recs"], "the truth"), read_as("recs", data))
            except BadInput:
                raise wrong from None

    def each_model(self, role: Role, data: object) -> dict[str | None, SourceTable]:
        """The tables by model, or one table under None, with our names for their columns."""
        if isinstance(data, WithModel):
            return with_model(self.engine, self.each_model(role, data.recs), data)
        finder, paths = self, [] if self.is_unseen(data) else self.paths_in(role, data)
        if (
            paths
            and (MODEL in role.columns and self.names.model == FILENAME)
            and FILENAME not in map(str.lower, self.find(role, data).types)
        ):  # each file is a model
            data, finder = find_models(self.engine, paths, self.kind), replace(self, names=replace(self.names, model=Names.model))
        elif len(paths) > 1 and role.name in PER_MODEL and (runs := self.runs(role, paths)):
            return runs
        if not isinstance(data, Mapping) or has_column(data, role.needed(self.names)) or self.is_nested(role, data):
            return {None: self.one(role, data)}
        if not data:
            raise BadInput(f"{role.name}: the mapping is empty; give each user their items, or a table")
        if MODEL not in role.columns:
            same = f"a mapping gives a table per model, but {role.name} is the same for all models"
            raise BadInput(f"{role.name}: {same}; give one table")
        for model, table in data.items():
            if not isinstance(model, str) or not model:
                raise BadInput(f"{role.name}: {model!r} is not a model name; use text that is not empty")
            if isinstance(table, Mapping) and role.name not in NESTED:
                raise BadInput(f"{role.name}: the model {model} is itself a mapping; give one table for each model")
        each = finder.several(role, [(table, f"{role.name} of {model}") for model, table in data.items()])
        return dict(zip(data, each, strict=True))

    def runs(self, role: Role, paths: Sequence[str]) -> dict[str | None, SourceTable]:
        """Each of the named files as a model, and a warning, if two of them answer the same; else nothing: they are one table."""
        each = self.several(role, [(path, "") for path in paths])
        columns = [one for one in ("user_id", *PER_MODEL[role.name], "model") if all(table.has(one) for table in each)]
        columns += [one for one in each[0].apart if all(one in table.apart for table in each)]
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
            return dict(zip(names, each, strict=True))
        return {}

    def one(self, role: Role, data: object) -> SourceTable:
        """One table, with our names for its columns."""
        return self.several(role, [(data, "")])[0]

    def several(self, role: Role, tables: Sequence[tuple[object, str]]) -> list[SourceTable]:
        """Some tables, with our names for their columns; each comes with its name, if it has none of its own."""
        each = [self.unseen(role, data) if self.is_unseen(data) else self.find(role, data, name) for data, name in tables]
        unnamed = Names(relevance=self.names.relevance and Names.relevance)
        names = [unnamed if one.kind in UNNAMED else names_among(one, each, self.names) for one in each]
        if role.name == "truth" and not role.truth and any(map(has_ranges, each, names)):
            each = [replace(one, role=of_spans(role, one.name)) for one in each]
        return [rename_columns(one, of_one, self.sliced) for one, of_one in zip(each, names, strict=True)]

    def find(self, role: Role, data: object, called: str = "") -> SourceTable:
        """The table that `data` names or holds, with its columns; raises BadInput if a file is missing or can't be read."""
        paths = self.paths_in(role, data)
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
        return inspect(self.engine, found, self.names)

    def paths_in(self, role: Role, data: object) -> list[str]:
        """The names in `data`: of one file, folder or table, or of a list of them; empty for ids, and if it is in memory."""
        if isinstance(data, str | os.PathLike):
            return [os.fspath(data)]
        if not (isinstance(data, Sequence) and all(isinstance(one, str | os.PathLike) for one in data)):
            return []
        paths = [os.fspath(one) for one in data]
        return paths if len(role.needed(self.names)) > 1 or any(map(ending_of, paths)) or all(map(is_path, paths)) else []

    def is_nested(self, role: Role, data: Mapping[Any, Any]) -> bool:
        """Whether a mapping is of users to their items, and not of models to tables."""
        return role.name in NESTED and bool(data) and all(self.is_items(role, one) for one in data.values())

    def is_items(self, role: Role, data: Any) -> bool:
        """Whether a mapping's value lists items: numbers by item, a list of ids, or one id that names no file or table."""
        if isinstance(data, str):
            named = COMMAND.get() or self.guessed or not getattr(self.engine, "is_own", False)
            return not (named or ending_of(data) or is_path(data))
        if isinstance(data, Mapping):
            first = next(iter(data.values()), None)
            return isinstance(first, str) or not (isinstance(first, Collection | os.PathLike) or is_tabular(first))
        elements = listed(data)
        if elements is None or any(has_column(one, role.needed(self.names)) for one in elements[:1]):
            return False
        files = [
            one for one in elements if isinstance(one, os.PathLike) or (isinstance(one, str) and "." in one and ending_of(one))
        ]
        for text in (one for one in files if isinstance(one, str) and not is_path(one)):
            raise BadInput(f"{role.name}: {text}: no such file; if it is an id, write {{{text!r}: 1}} in place of the list")
        return not files

    def in_memory(self, role: Role, data: object, name: str) -> SourceTable:
        """A table from a frame, a reader, rows, ids, or a mapping of users to their items."""
        is_nested = isinstance(data, Mapping) and role.name in NESTED and not has_column(data, role.needed(self.names))
        rows = to_arrow(self.engine, name, tabled(name, role, data, role.needed(self.names)))
        is_empty = False
        if isinstance(rows, pa.Table) and not rows.num_rows:
            needed = {one.ours: getattr(self.names, one.argument) or one.ours for one in role.columns if one.needed}
            rows, is_empty = empty_table(rows.schema, needed), True
        schema = getattr(rows, "schema", getattr(rows, "projected_schema", None))
        columns = schema.names if isinstance(schema, pa.Schema) else getattr(rows, "columns", ())
        called = [str(column).lower() for column in columns]
        doubled = {column for column in called if called.count(column) > 1}
        try:
            table = self.engine.register(f"{GIVEN}{role.name}", rows)
        except (BadInput, EngineError) as error:
            raise BadInput(f"{name}: it can't be read: {error}") from None
        kind = NESTED[role.name] if is_nested else "parquet"
        found = inspect(
            self.engine, SourceTable(name, role, table=table, doubled=doubled, kind=kind, is_empty=is_empty), self.names
        )
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
            called = theirs not in (None, column.usual) and not (column.counted and role.truth)
            if column.absent is None or column.argument in self.named or ordering or called:
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


def runs_of(engine: Engine, found: SourceTable, columns: Sequence[str]) -> str:
    """The query for the different values of some columns of a table, as text."""
    sql = dialect(engine.reads)
    typed = choose_types(found, dict.fromkeys(IDS, (TEXT, ""))) if found.is_text else found
    texts = [f"{sql.text(plain({**typed.apart, **typed.names}[one]))} as {one}" for one in columns]
    return f"select distinct {', '.join(texts)} from {typed.rows(sql)} as f"
