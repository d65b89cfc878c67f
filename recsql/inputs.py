"""What a user may hand over (a path, a glob, a table's name, Arrow, a data frame) as a relation with our columns."""

import glob
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pyarrow as pa

from recsql import spoken
from recsql.catalog import catalog
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.engines.elsewhere import Elsewhere
from recsql.errors import BadInput, EngineError, NoSuchFile, nearest
from recsql.paths import matches, missing
from recsql.render import IDENTIFIER, Relation
from recsql.templates import dialect, template
from recsql.text import quoted, quoted_name

TABULAR = ("schema", "columns", "projected_schema")  # what a table, a frame, a reader or a scanner has, and an array has not
TREC = {"recs": "trec_run", "truth": "trec_qrels"}  # the templates that read TREC's formats
TREC_ENDINGS = (".txt", ".trec", ".run", ".qrel", ".qrels")
LIST = re.compile(r"\[\d*\]$")  # at the end of the type: of any length, or of one
# A part of a table's name as a text for another engine has it: a word, in backticks where it is none, or dbt's own Jinja.
NAME_PART = re.compile(r"\w+|`(?:[^`]|``)+`|\{\{.*?\}\}")
TABLE_NAME = re.compile(rf"({NAME_PART.pattern})(\.({NAME_PART.pattern}))*")
SCHEME = re.compile(r"[A-Za-z][\w+.-]+:/")
NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT")
REALS = ("FLOAT", "DOUBLE", "DECIMAL")
UNREADABLE = "it can't be read as Parquet"
DAMAGED = re.compile("TProtocolException|TType|don't know what type|Variable-length int|corrupt")
ORDERS = ("rank", "score")  # the columns of which a list needs one


@dataclass(frozen=True)
class Names:
    """What the columns are called in the user's tables."""

    user: str = "user_id"
    item: str = "item_id"
    rank: str = "rank"
    score: str | None = None
    model: str = "model"
    relevance: str = "relevance"
    truth_rank: str = "rank"
    category: str = "category"
    rating: str = "rating"
    prediction: str = "prediction"


@dataclass(frozen=True)
class Column:
    """A column that the steps read: our name, the argument that says the user's, and what stands in where there is none."""

    ours: str
    argument: str
    absent: str | None = None  # with the type of text left open
    cast: str = ""
    is_number: bool = False
    unnested: bool = False

    @property
    def usual(self) -> str | None:
        return str(getattr(Names, self.argument)) if getattr(Names, self.argument) else None


@dataclass(frozen=True)
class Role:
    """A table that a call takes: its columns, and the alias that it is read by."""

    alias: str
    columns: tuple[Column, ...]
    distinct: bool = False


USER, ITEM = Column("user_id", "user"), Column("item_id", "item")
MODEL = Column("model", "model", absent="cast(null as {text})", cast="{text}")
ROLES = {
    "recs": Role(
        "r",
        (
            MODEL,
            USER,
            ITEM,
            Column("rank", "rank", absent="cast(null as bigint)", is_number=True),
            Column("score", "score", absent="cast(null as double)", is_number=True),
        ),
    ),
    "truth": Role(
        "t",
        (
            USER,
            ITEM,
            Column("relevance", "relevance", absent="1e0", cast="double", is_number=True),
            Column("rank", "truth_rank", absent="cast(null as bigint)", is_number=True),
        ),
    ),
    "users": Role("g", (USER,), distinct=True),
    "items": Role("i", (ITEM, Column("category", "category", absent="cast(null as {text})", unnested=True))),
    "train": Role("t", (ITEM,)),
    "predictions": Role(
        "p",
        (
            MODEL,
            USER,
            ITEM,
            Column("prediction", "prediction", cast="double", is_number=True),
            Column("rating", "rating", absent="cast(null as double)", cast="double", is_number=True),
        ),
    ),
    "ratings": Role("t", (USER, ITEM, Column("rating", "rating", cast="double", is_number=True))),
    "interactions": Role("t", (USER, ITEM)),
}

UNRATED = replace(ROLES["predictions"], columns=ROLES["predictions"].columns[:-1])  # where ratings are a table of their own


@dataclass(frozen=True)
class Given:
    """One input found: its name for people, its columns and their types (as DuckDB calls them), and what stands behind FROM."""

    name: str
    types: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)
    table: str = ""
    paths: Sequence[str] = ()  # the files that it is read from; Parquet, where it has no table
    lists: Mapping[str, str] = field(default_factory=dict)  # LIST columns, with what one element of each is called
    doubled: Collection[str] = ()  # names, in lower case, that two columns have as SQL reads them

    def relation(self, sql: SimpleNamespace) -> str:
        """What stands behind FROM, as a dialect says it."""
        rows = self.table or str(sql.parquet(self.paths))
        others = [name for name in self.types if name not in (*self.lists.values(), "rank")]
        return str(sql.long_rows(rows, others, self.lists, ["items", *self.names.values()])) if self.lists else rows

    def has(self, column: str) -> bool:
        return column in self.names

    def type(self, column: str) -> str:
        return self.types[self.names[column]]


def taken(
    engine: Engine, tables: Mapping[str, Any], names: Names, kind: str | None = None, named: Collection[str] = ()
) -> dict[str, Given]:
    """The tables given, each for a role, with our names for their columns; `kind` is the format of the files.

    `named` are the columns that the call says itself: those that a table has which can't be looked at.
    """
    roles = {**ROLES, "predictions": UNRATED} if "ratings" in tables else ROLES
    found = {}
    for role, data in tables.items():
        if isinstance(engine, Elsewhere) and isinstance(data, str) and is_elsewhere(data):
            found[role] = mapped(unseen(data, roles[role], names, named), roles[role], names)
        else:
            found[role] = mapped(find(engine, role, data, kind), roles[role], names)
    if "ratings" not in found and "predictions" in found and not found["predictions"].has("rating"):
        rating = next(column for column in ROLES["predictions"].columns if column.ours == "rating")
        raise BadInput(f"{absent(found['predictions'], rating, names)}, or give the table of ratings")
    return found


def find(engine: Engine, role: str, data: Any, kind: str | None = None) -> Given:
    """The input behind `data`; `role` (recs, truth, users) is its name where it has none of its own, `kind` the files' format.

    Raises BadInput for a file that isn't there or can't be read, and for what is no table at all.
    """
    if isinstance(data, str | os.PathLike):
        table = engine.find_table(data) if isinstance(data, str) else None
        name = os.fspath(data)
        return described(engine, Given(name, {}, table=table) if table else of_files(engine, role, name, [name], kind))
    if isinstance(data, Sequence) and data and all(isinstance(path, str | os.PathLike) for path in data):
        paths = [os.fspath(path) for path in data]
        name = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
        return described(engine, of_files(engine, role, name, paths, kind))
    rows = as_arrow(engine, role, data)
    named = [name.lower() for name in names_in(rows)]
    doubled = {name for name in named if named.count(name) > 1}
    try:
        table = engine.register(f"given_to_recsql_{role}", rows)
    except (BadInput, EngineError) as error:
        raise BadInput(f"{role}: it can't be read: {error}") from None
    return described(engine, Given(role, {}, table=table, doubled=doubled))


def names_in(rows: Any) -> list[str]:
    """The columns of a table in memory, or of what reads one."""
    schema = getattr(rows, "schema", getattr(rows, "projected_schema", None))
    return list(schema.names) if isinstance(schema, pa.Schema) else [str(name) for name in rows.columns]


def is_elsewhere(name: str) -> bool:
    """Whether a name is that of a table, or of a file on no disk of this machine: behind a scheme, or in no folder here."""
    if SCHEME.match(name):
        return True
    if os.path.isabs(name):
        return not matches(name) and not os.path.isdir(os.path.dirname(name))
    is_file = os.path.isfile(name) or name.lower().endswith((".parquet", *TREC_ENDINGS))
    return TABLE_NAME.fullmatch(name) is not None and not is_file


def unseen(name: str, role: Role, names: Names, named: Collection[str]) -> Given:
    """A table or remote files with the columns that the role can't do without and those that the call names."""
    types: dict[str, str] = {}
    for column in role.columns:
        ordering = column.argument == "rank" and not names.score
        if column.absent is None or column.argument in named or ordering:
            kind = ("BIGINT" if column.ours == "rank" else "DOUBLE") if column.is_number else "VARCHAR"
            types[getattr(names, column.argument) or column.ours] = kind
    if not TABLE_NAME.fullmatch(name):
        return Given(name, types, paths=[name])
    said = re.sub(r"\{\{ *| *\}\}", "", name)  # in sentences, where dbt is to find no Jinja
    return Given(said, types, table=".".join(map(part_of_name, NAME_PART.findall(name))))


def part_of_name(part: str) -> str:
    """A part of a table's name as SQL."""
    if part.startswith("{{"):
        return part
    return plain(part[1:-1].replace("``", "`") if part.startswith("`") else part)


def described(engine: Engine, found: Given) -> Given:
    """What was found, with its columns; a LIST column `items` a user is read as one row per item, in the list's order."""
    try:
        types = engine.columns(found.relation(dialect(engine.reads)))
    except NoSuchFile:
        raise BadInput(f"{found.name}: {missing(found.name)}") from None
    except (BadInput, EngineError) as error:
        if found.table:
            raise BadInput(f"{found.name}: it can't be read: {error}") from None
        path = (damaged(found.paths, DuckDB.columns) if engine.reads == DuckDB.reads else None) or found.name
        other = "; from Python other formats can be given as a relation, such as duckdb.read_csv(path)"
        way = "" if path.lower().endswith(".parquet") else other
        raise BadInput(f"{path}: {UNREADABLE}: {error}{way}") from None
    return unnested(replace(found, types=types))


def damaged(paths: Sequence[str], look: Callable[[DuckDB, str], object]) -> str | None:
    """The first file behind the paths and globs for which `look` raises an error."""
    for path in (match for one in paths for match in matches(one)):
        engine = DuckDB()
        try:
            look(engine, dialect(engine.reads).parquet([glob.escape(path)]))
        except (BadInput, EngineError):
            return path
        finally:
            engine.release()
    return None


def read_through(engine: DuckDB, relation: str) -> None:
    engine.query(f"select max(hash(f)) from {relation} as f")


@contextmanager
def naming(paths: Sequence[str]) -> Iterator[None]:
    """Names the file that is damaged, which DuckDB doesn't where the error is one of Parquet's format."""
    try:
        yield
    except EngineError as error:
        path = damaged(paths, read_through) if DAMAGED.search(str(error)) else None
        if path is None:
            raise
        raise BadInput(f"{path}: {UNREADABLE}: {error}") from None


def as_arrow(engine: Engine, role: str, data: Any) -> Any:
    """`data` as the engine can take it."""
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if type(data).__module__.split(".")[0] in engine.scanned and any(hasattr(data, name) for name in TABULAR):
        return data
    if hasattr(data, "__arrow_c_stream__"):
        try:
            return without_views(pa.table(data))
        except (pa.ArrowException, TypeError, ValueError) as error:
            raise BadInput(f"{role}: Arrow can't take it: {str(error).splitlines()[0]}") from None
    kind, usual = type(data).__name__, "a path, a table's name, an Arrow table or a data frame"
    raise BadInput(f"{role}: {kind} is no table; give {'what its .collect() returns' if kind == 'LazyFrame' else usual}")


def without_views(table: pa.Table) -> pa.Table:
    """Polars' text as plain text: filters on views of strings fail in DuckDB 1.4."""
    views = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    return table.cast(pa.schema([field.with_type(views.get(field.type, field.type)) for field in table.schema]))


def of_files(engine: Engine, role: str, name: str, paths: Sequence[str], kind: str | None) -> Given:
    """The files behind paths and globs, Parquet or TREC's; raises BadInput where there are none."""
    trec = all(path.lower().removesuffix(".gz").endswith(TREC_ENDINGS) for path in paths) if kind is None else kind == "trec"
    found = engine.files(paths)
    if not trec or role not in TREC:
        return Given(name, {}, paths=found)
    if engine.dialect != "duckdb":
        raise BadInput(f"{name}: files in TREC's format are read by DuckDB alone; give them as Parquet, or a table")
    listed = quoted(found[0]) if len(found) == 1 else f"[{', '.join(map(quoted, found))}]"
    return Given(name, {}, table=f"({template(TREC[role], file=listed)})", paths=found)


def unnested(found: Given) -> Given:
    """A table with a LIST column `items` a user as one row per item, in the list's order."""
    if "item_id" in found.types or not LIST.search(found.types.get("items", "")):
        return found
    singular = {"items": "item_id", "scores": "score"}
    lists = {name: singular.get(name, name) for name, kind in found.types.items() if LIST.search(kind)}
    if "rank" in lists:
        raise BadInput(f"{found.name}: items is a LIST, whose order says the ranks, and rank is one too; leave one of them out")
    types = {lists.get(name, name): LIST.sub("", kind) for name, kind in found.types.items()}
    return replace(found, lists=lists, types=types | {"rank": "BIGINT"})


def mapped(found: Given, role: Role, names: Names) -> Given:
    """`found` with our names for the columns of its role.

    Raises BadInput naming every column that is missing, those there are, and the nearest.
    """
    theirs = {name.lower(): name for name in found.types}
    called = {column: getattr(names, column.argument) or column.ours for column in role.columns}
    needed = [column for column in called if column.absent is None or getattr(names, column.argument) != column.usual]
    lacking = [absent(found, column, names) for column in needed if called[column].lower() not in theirs]
    if lacking:
        raise BadInput("; ".join(lacking))
    for name in called.values():
        if name.lower() in found.doubled:
            raise BadInput(f"{found.name}: it has two columns {name}, whose case SQL does not look at; rename one of them")
    there = {column.ours: theirs[name.lower()] for column, name in called.items() if name.lower() in theirs}
    return replace(found, names=there)


def absent(found: Given, column: Column, names: Names) -> str:
    """That the column of a role is missing, which there are, and what to say instead."""
    name = getattr(names, column.argument) or column.ours
    if column.argument in ORDERS:
        others = {str(getattr(names, one) or one).lower() for one in ORDERS} | {*ORDERS}
        without, way = any(other in others for other in map(str.lower, found.types)), saying(*ORDERS)
    else:
        without, way = column.absent is not None, saying(column.argument)
    return no_column(found, name, "leave the argument out if there is none" if without and name != column.ours else way)


def saying(*arguments: str) -> str:
    return f"say which it is with {' or '.join(map(spoken.column, arguments))}"


def no_column(found: Given, name: str, way: str) -> str:
    """That a column is missing, which there are, and the way out."""
    columns = ", ".join(found.types)
    return catalog().say(
        "truth_columns", truth=found.name, column=name, hint=nearest(name, found.types), columns=columns, way=way
    )


def family(kind: str) -> str:
    """Types whose values are compared as they are: whole numbers of any size are one."""
    return "a whole number" if kind in NUMBERS else kind


def check_types(found: Mapping[str, Given]) -> None:
    """Raises BadInput where ids are of different types in two tables, or a number is no number."""
    first, *others = found.values()
    for column in ("user_id", "item_id"):
        for other in others:
            if first.has(column) and other.has(column) and family(first.type(column)) != family(other.type(column)):
                types = {"in_left": first.type(column), "in_right": other.type(column)}
                raise BadInput(catalog().say("id_types", column=column, left=first.name, right=other.name, **types))
    for role, table in found.items():
        for column in (one.ours for one in ROLES[role].columns if one.is_number):
            if table.has(column) and not is_number(table.type(column), orders=column in ("rank", "score")):
                raise BadInput(f"{table.name}: {table.names[column]} is {table.type(column)}; {column} must be a number")


def is_number(kind: str, *, orders: bool) -> bool:
    """Whether values of a type can be read as numbers; true and false are 1 and 0, but no order of a list."""
    return kind in NUMBERS or kind.startswith(REALS) or kind == '"NULL"' or (kind == "BOOLEAN" and not orders)


def relation(role: Role, found: Given, sql: SimpleNamespace) -> Relation:
    """The table as the steps read it: the columns of its role under our names."""
    lines = [expression(column, found, role.alias, sql) for column in role.columns]
    columns = ",\n    ".join(lines)
    text = f"select{' distinct' if role.distinct else ''}\n    {columns}\nfrom {found.relation(sql)} as {role.alias}"
    return Relation(text, quoted(found.name))


def lists_of(found: Given, sql: SimpleNamespace) -> str:
    """The query for recommendations that have their ids as a LIST a row, and nothing else of an item; empty for all others.

    So it is for ids that are fractions: NaN is equal to itself in a join, and to nothing in a LIST.
    """
    elements = [name for name in found.lists.values() if name in found.names.values()]
    if elements != ["item_id"] or found.type("item_id").startswith(REALS):
        return ""
    columns = [expression(column, found, "r", sql) for column in (MODEL, USER)]
    lines = ",\n    ".join([*columns, "r.items"])
    return f"select\n    {lines}\nfrom {found.table or sql.parquet(found.paths)} as r"


def expression(column: Column, found: Given, alias: str, sql: SimpleNamespace) -> str:
    """One column of a role as SQL, under our name."""
    if not found.has(column.ours):
        return f"{str(column.absent).format(text=sql.text_type())} as {column.ours}"
    text = f"{alias}.{plain(found.names[column.ours])}"
    if found.type(column.ours).endswith("[]") and column.unnested:
        text = str(sql.elements(text))
    elif column.cast:
        text = f"cast({text} as {column.cast.format(text=sql.text_type())})"
    return text if text == f"{alias}.{column.ours}" else f"{text} as {column.ours}"


def split_of(found: Given, order_by: str, sql: SimpleNamespace) -> tuple[Relation, dict[str, str]]:
    """Interactions with all their columns, and those that a split reads, as SQL over `t`.

    Raises BadInput where the column to order by is missing, or one is called as the column that the split adds.
    """
    theirs = {name.lower(): name for name in found.types}
    if order_by != "hash" and order_by.lower() not in theirs:
        raise BadInput(no_column(found, order_by, saying("order_by")))
    if "part" in theirs:
        raise BadInput(catalog().say("part_column", interactions=found.name, column=theirs["part"]))
    read = {**found.names, **({} if order_by == "hash" else {"order_by": theirs[order_by.lower()]})}
    names = {ours: f"t.{plain(name)}" for ours, name in read.items()}
    return Relation(f"select *\nfrom {found.relation(sql)}", quoted(found.name)), names


def plain(name: str) -> str:
    """A column's name as SQL, in quotes where it needs them."""
    return name if IDENTIFIER.fullmatch(name) else quoted_name(name)
