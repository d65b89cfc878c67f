"""What a user may hand over (a path, a glob, a table's name, Arrow, a data frame) as a relation with our columns."""

import glob
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import pyarrow as pa

from recsql.catalog import catalog
from recsql.engines.duckdb import DuckDB, first_line, quote
from recsql.errors import BadInput, EngineError, nearest
from recsql.render import IDENTIFIER, Relation
from recsql.text import quoted

NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT")
REALS = ("FLOAT", "DOUBLE", "DECIMAL")


@dataclass(frozen=True)
class Given:
    """One input found: what stands behind FROM, its name for people, its columns and their types."""

    relation: str
    name: str
    types: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)

    def has(self, column: str) -> bool:
        return column in self.names

    def type(self, column: str) -> str:
        return self.types[self.names[column]]

    def expression(self, column: str, alias: str) -> str:
        """One of our columns as SQL, over an alias."""
        theirs = self.names[column]
        return f"{alias}.{theirs if IDENTIFIER.fullmatch(theirs) else quote(theirs)}"

    def column(self, column: str, alias: str) -> str:
        """One of our columns as SQL, under our name."""
        return self.expression(column, alias) + ("" if self.names[column] == column else f" as {column}")


def find(engine: DuckDB, role: str, data: Any) -> Given:
    """The input behind `data`; `role` (recs, truth, users) is its name where it has none of its own.

    Raises BadInput for a file that isn't there or can't be read, and for what is no table at all.
    """
    if isinstance(data, str | os.PathLike):
        table = engine.find_table(data) if isinstance(data, str) else None
        return given(engine, table or parquet([os.fspath(data)]), os.fspath(data))
    if isinstance(data, Sequence) and data and all(isinstance(path, str | os.PathLike) for path in data):
        paths = [os.fspath(path) for path in data]
        return given(engine, parquet(paths), paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more")
    return given(engine, engine.register(f"given_to_recsql_{role}", as_arrow(role, data)), role)


def given(engine: DuckDB, relation: str, name: str) -> Given:
    try:
        types = engine.columns(relation)
    except (BadInput, EngineError) as error:
        how = " as Parquet" if relation.startswith("read_parquet(") else ""
        raise BadInput(f"{name}: it can't be read{how}: {first_line(error.__cause__ or error)}") from error
    return unnested(Given(relation, name, types))


SCANNED = ("pyarrow", "duckdb", "_duckdb")  # the packages whose tables, readers, datasets and relations DuckDB scans as they are


def as_arrow(role: str, data: Any) -> Any:
    """`data` as DuckDB can scan it."""
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if type(data).__module__.split(".")[0] in SCANNED:
        return data
    if hasattr(data, "__arrow_c_stream__"):
        return without_views(pa.table(data))
    raise BadInput(f"{role}: {type(data).__name__} is no table; give a path, a table's name, an Arrow table or a data frame")


def without_views(table: pa.Table) -> pa.Table:
    """Polars' text as plain text: filters on views of strings fail in DuckDB 1.4."""
    views = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    return table.cast(pa.schema([field.with_type(views.get(field.type, field.type)) for field in table.schema]))


def parquet(paths: Sequence[str]) -> str:
    """The Parquet files behind paths and globs as DuckDB reads them; raises BadInput where there are none."""
    texts = []
    for path in paths:
        is_remote = "://" in path
        exists = os.path.isfile(path)
        if not is_remote and not exists and not [match for match in glob.iglob(path, recursive=True) if os.path.isfile(match)]:
            raise BadInput(f"{path}: {missing(path)}")
        texts.append(quoted(glob.escape(path) if exists else path))
    return f"read_parquet({texts[0]})" if len(texts) == 1 else f"read_parquet([{', '.join(texts)}])"


def missing(path: str) -> str:
    """Why a path leads nowhere, with the nearest file beside it."""
    if os.path.isdir(path):
        return f"it is a folder; write {os.path.join(path, '*.parquet')} for the files in it"
    if glob.has_magic(path):
        return "no file matches"
    beside = [entry.name for entry in Path(path).parent.iterdir()] if Path(path).parent.is_dir() else []
    near = get_close_matches(Path(path).name, beside, n=1)
    return "there is no such file" + (f"; did you mean {Path(path).with_name(near[0])}?" if near else " or table")


def unnested(found: Given) -> Given:
    """A table with a LIST column `items` a user as one row per item, in the list's order."""
    if "item_id" in found.types or not found.types.get("items", "").endswith("[]"):
        return found
    lists = [name for name, kind in found.types.items() if kind.endswith("[]")]
    singular = {"items": "item_id", "scores": "score"}
    others = [name for name in found.types if name not in lists]
    shown = [f"l.{quote(name)}" for name in others] + [
        f"unnest(l.{quote(name)}) as {quote(singular.get(name, name))}" for name in lists
    ]
    relation = f"(select {', '.join(shown)}, generate_subscripts(l.items, 1) as rank from {found.relation} as l)"
    types = {name: found.types[name] for name in others} | {singular.get(name, name): found.types[name][:-2] for name in lists}
    return Given(relation, found.name, types | {"rank": "BIGINT"})


def mapped(found: Given, wanted: Mapping[str, str], optional: Mapping[str, str]) -> Given:
    """`found` with our names for its columns: `wanted` must be there, `optional` may.

    Raises BadInput naming every column that is missing, those there are, and the nearest.
    """
    theirs = {name.lower(): name for name in found.types}
    lacking = [absent(found, ours, name) for ours, name in wanted.items() if name.lower() not in theirs]
    if lacking:
        raise BadInput("; ".join(lacking))
    names = {ours: theirs[name.lower()] for ours, name in {**wanted, **optional}.items() if name.lower() in theirs}
    return Given(found.relation, found.name, found.types, names)


def absent(found: Given, ours: str, name: str) -> str:
    """That a column is missing, which there are, and how to say which one it is."""
    way = (
        f"say which it is with {ours.removesuffix('_id')}='...'"
        if ours.endswith("_id")
        else "leave the argument out if there is none"
    )
    hint = nearest(name, found.types)
    return catalog().say("truth_columns", truth=found.name, column=name, hint=hint, columns=", ".join(found.types), way=way)


def family(kind: str) -> str:
    """Types whose values are compared as they are: whole numbers of any size are one."""
    return "a whole number" if kind in NUMBERS else kind


def check_types(recs: Given, truth: Given) -> None:
    """Raises BadInput where ids are of different types in the two tables, or a number is no number."""
    for column in ("user_id", "item_id"):
        if family(recs.type(column)) != family(truth.type(column)):
            types = {"in_recs": recs.type(column), "in_truth": truth.type(column)}
            raise BadInput(catalog().say("id_types", column=column, recs=recs.name, truth=truth.name, **types))
    for found, column in ((recs, "rank"), (recs, "score"), (truth, "relevance"), (truth, "rank")):
        if found.has(column) and not is_number(found.type(column)):
            raise BadInput(f"{found.name}: {found.names[column]} is {found.type(column)}; {column} must be a number")


def is_number(kind: str) -> bool:
    return kind in NUMBERS or kind.startswith(REALS) or kind == "BOOLEAN"


def relation_of_recs(found: Given) -> Relation:
    """Recommendations with the columns model, user_id, item_id, rank and score."""
    lines = [
        f"cast({found.expression('model', 'r') if found.has('model') else 'null'} as varchar) as model",
        found.column("user_id", "r"),
        found.column("item_id", "r"),
        found.column("rank", "r") if found.has("rank") else "cast(null as bigint) as rank",
        found.column("score", "r") if found.has("score") else "cast(null as double) as score",
    ]
    return Relation(select(lines, found.relation, "r"), quoted(found.name))


def relation_of_truth(found: Given) -> Relation:
    """Truth with the columns user_id, item_id, relevance (1 where it has none) and rank."""
    lines = [
        found.column("user_id", "t"),
        found.column("item_id", "t"),
        f"cast({found.expression('relevance', 't')} as double) as relevance" if found.has("relevance") else "1e0 as relevance",
        found.column("rank", "t") if found.has("rank") else "cast(null as bigint) as rank",
    ]
    return Relation(select(lines, found.relation, "t"), quoted(found.name))


def relation_of_users(found: Given) -> Relation:
    """The user ids of a fixed population, each once."""
    return Relation(f"select distinct {found.column('user_id', 'g')}\nfrom {found.relation} as g", quoted(found.name))


def select(lines: Iterable[str], relation: str, alias: str) -> str:
    columns = ",\n    ".join(lines)
    return f"select\n    {columns}\nfrom {relation} as {alias}"
