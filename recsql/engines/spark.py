"""Spark SQL: the caller's session, classic or Connect. Tables and data frames by name; results as Arrow, or left on the cluster.

It uses only what both kinds of session have: everything is SQL, without RDDs or Python functions.
"""

import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from threading import Lock
from typing import Any

import pyarrow as pa

from recsql.base.errors import BadInput, EngineError, FailedCheck, NoSuchFile, first_line, table_there
from recsql.base.statement import Statement
from recsql.base.text import name_parts, quoted_name

Session = Any  # a SparkSession: classic and Connect have no class in common, and pyspark need not be installed
Frame = Any  # its data frames, likewise
# The sentence of a check, however deeply it is wrapped.
RAISED = re.compile(r"recsql: (.*?)(?: SQLSTATE: P0001|\Z)", re.DOTALL)
# Set during a call in place of Spark's defaults. Settings of the user stay.
SETTINGS = {
    # Spark 4.1 to 4.3 zip the branches of a union, and fail if adaptive execution gave them different numbers of partitions.
    "spark.sql.unionOutputPartitioning": "false",
    # By default, Spark sorts the recommendations to join them, even if the other table is small enough for a hash join.
    "spark.sql.join.preferSortMergeJoin": "false",
}
FEW = 10_000  # the most rows of a kept step that are put into plans as data
HOLDING = Lock()
# Per session and setting: how many calls hold it, and its value before.
HELD: dict[tuple[object, str], tuple[int, str | None]] = {}
PLACES = {  # Spark's errors about the target of a result, with our sentences
    "PATH_ALREADY_EXISTS": "{}: the path already exists, and Spark doesn't replace it; remove it first, or choose another path",
    "INVALID_IDENTIFIER|INVALID_SCHEMA_OR_RELATION_NAME|PARSE_SYNTAX_ERROR": (
        "into: {} is not a table name in Spark; use letters, digits and _, or give a path"
    ),
    "SCHEMA_NOT_FOUND": "into: the schema of {} does not exist; create it first, or choose another name",
}
TYPES = {  # DuckDB's names
    "tinyint": "TINYINT",
    "smallint": "SMALLINT",
    "int": "INTEGER",
    "bigint": "BIGINT",
    "string": "VARCHAR",
    "binary": "BLOB",
    "void": '"NULL"',
    "timestamp": "TIMESTAMP WITH TIME ZONE",
    "timestamp_ntz": "TIMESTAMP",
}


class Spark:
    """A live SparkSession. `spelt` writes a query with the literals and quoted names of Spark SQL."""

    dialect = reads = "spark"
    scanned: tuple[str, ...] = ("pyspark", "pyarrow")

    def __init__(self, session: Session, spelt: Callable[[str], str]) -> None:
        if int(session.version.split(".")[0]) < 4:
            raise BadInput(f"connection: Spark {session.version} is too old; recsql runs on Spark 4.0 or newer")
        self.session = session
        self._spelt = spelt
        self._views: list[str] = []
        self._kept: list[Frame] = []
        self._settings = ExitStack()
        for name, value in SETTINGS.items():
            self._settings.enter_context(hold_setting(session, name, session.conf.get(name, None) or value))

    @property
    def versions(self) -> dict[str, str]:
        return {"spark": str(self.session.version)}

    def files(self, paths: Sequence[str]) -> list[str]:
        """The paths as they are: only the cluster knows what is behind them."""
        return list(paths)

    def columns(self, relation: str) -> dict[str, str]:
        text = f"select * from {relation}"
        with in_words(text):
            found = {field.name: type_name(field.dataType.simpleString()) for field in self._frame(text).schema.fields}
        if not found:
            raise NoSuchFile(relation)
        return found

    def find_table(self, name: str) -> str | None:
        try:
            known = self.session.catalog.tableExists(in_backticks(name))
        except Exception:  # for an invalid name, each kind of session raises its own error
            return None
        return ".".join(map(quoted_name, name_parts(name))) if known else None

    def register(self, name: str, data: object) -> str:
        with in_words(name):
            if type(data).__module__.startswith("pyspark."):
                return self._view(name, data)
            read = getattr(data, "read_all", None) or getattr(data, "to_table", None)  # of a reader, and of a dataset
            return self._view(name, frame_of(self.session, read() if read else data))

    def _view(self, name: str, frame: Frame) -> str:
        """Makes a data frame a view; its name differs from the caller's tables and the views of parallel calls."""
        self._views.append(f"{name}_{secrets.token_hex(4)}")
        frame.createOrReplaceTempView(self._views[-1])
        return quoted_name(self._views[-1])

    def keep_once(self, name: str, text: str) -> str:
        with in_words(text), self._inlining():
            return self._view(name, self._computed(self._frame(text)))

    def query(self, text: str) -> pa.Table:
        with in_words(text):
            return nullable(self._frame(text).toArrow())

    def write(self, text: str, path: str, metadata: Mapping[str, str]) -> None:
        """Writes the result of a query to a folder of Parquet files; Spark can't store the metadata."""
        with target_errors(path), in_words(text):
            self._frame(text).write.parquet(path)

    def repeat_until_stable(self, start: str, again: Callable[[str], str]) -> str:
        """Repeats `again`, the query for the rows of a view to keep, until no row drops out; returns the last view."""
        with in_words(start):
            frame = self._frame(start).persist()
            while True:
                self._kept.append(frame)
                view = self._view("round", frame)
                fewer = self._frame(again(view)).persist()
                if fewer.count() == frame.count():
                    return view
                frame = fewer

    def keep(self, text: str, table: str) -> None:
        name = in_backticks(table)
        with target_errors(table), in_words(text):
            is_there = self.session.catalog.tableExists(name)
        if is_there:
            raise table_there(table)
        with target_errors(table), in_words(text):
            self._frame(text).write.saveAsTable(name)

    def release(self) -> None:
        with self._settings:
            if self._kept:
                with self._inlining():
                    for frame in self._kept:
                        frame.unpersist()
            for view in self._views:
                self.session.catalog.dropTempView(view)

    def _computed(self, frame: Frame) -> Frame:
        """The rows of a data frame, computed once: cached, or as data if they are few.

        Wherever a cached data frame is read, Spark analyses its plan anew, with the plans of all that it reads. For a chain of
        steps, these multiply; data have no plan.
        """
        self._kept.append(frame.persist())
        first = frame.limit(FEW + 1)
        rows = nullable(first.toArrow())
        if rows.num_rows > FEW:
            return frame
        self._kept.pop().unpersist()
        schema = first.schema
        for field in schema.fields:
            field.nullable = True
        return frame_of(self.session, rows, schema)

    def _frame(self, text: str) -> Frame:
        whole = self._with_views(text) if isinstance(text, Statement) else text
        return self.session.sql(self._spelt(whole))

    def _with_views(self, statement: Statement) -> Statement:
        """The statement with views for CTEs that should run only once, because Spark runs a CTE wherever it is read.

        Inputs become views: their files are listed, and their schema is read, once. Expensive steps are computed and cached.
        """

        def view(name: str, rows: str) -> str:
            frame = self.session.sql(self._spelt(rows))
            found = self._computed(frame) if name in statement.kept else frame
            return f"(select * from {self._view(f'{name}_of_recsql', found)})"

        given = {name for name in statement.steps if name.startswith("given_")}
        with self._inlining():
            return statement.reading({*given, *statement.kept}, view)

    def _inlining(self) -> AbstractContextManager[None]:
        """While active, Spark inlines every WITH.

        Spark finds a cached data frame by its plan, but not if the plan has a WITH. Over Connect, a data frame is a text that is
        planned on each use. Inlined, a WITH inside a step would read tables and views of the session instead of the outer steps
        (Spark 4.3), so no step has one.
        """
        return hold_setting(self.session, "spark.sql.legacy.ctePrecedencePolicy", "LEGACY")


def in_backticks(name: str) -> str:
    """A table's name with Spark's backticks instead of the standard's quotes."""
    return ".".join(f"`{part.replace('`', '``')}`" for part in name_parts(name)) if '"' in name else name


@contextmanager
def hold_setting(session: Session, name: str, value: str) -> Iterator[None]:
    """Sets a setting while active. Of parallel calls, the first stores the old value and the last restores it."""
    key = (getattr(session, "_jsparkSession", session), name)  # getActiveSession() returns a new object each time
    with HOLDING:
        holders, before = HELD.get(key) or (0, session.conf.get(name, None))
        session.conf.set(name, value)
        HELD[key] = (holders + 1, before)
    try:
        yield
    finally:
        with HOLDING:
            holders, before = HELD.pop(key)
            if holders > 1:
                HELD[key] = (holders - 1, before)
            elif before is None:
                session.conf.unset(name)
            else:
                session.conf.set(name, before)


def frame_of(session: Session, table: pa.Table, schema: object = None) -> Frame:
    """Arrow data as a data frame. An empty one is made from one row, because Spark infers types from rows."""
    if table.num_rows:
        return session.createDataFrame(table, schema)
    return session.createDataFrame(pa.Table.from_pylist([{}], schema=table.schema), schema).limit(0)


def nullable(table: pa.Table) -> pa.Table:
    """The table with nullable columns, as all other engines return it."""
    return table.cast(pa.schema([field.with_nullable(True) for field in table.schema]))


def type_name(spark: str) -> str:
    """A type with DuckDB's name."""
    if spark.startswith("array<"):
        return f"{type_name(spark[6:-1])}[]"
    return TYPES.get(spark.split("(")[0].replace("varchar", "string").replace("char", "string"), spark.upper())


@contextmanager
def in_words(text: str) -> Iterator[None]:
    """Turns Spark's errors into ours by their text, because their class depends on whether they pass through Java."""
    try:
        yield
    except Exception as error:
        if found := RAISED.search(str(error)):
            raise FailedCheck(found[1]) from None
        if "[PATH_NOT_FOUND]" in str(error):
            raise NoSuchFile(first_line(error)) from None
        raise EngineError(first_line(error), text) from error


@contextmanager
def target_errors(into: str) -> Iterator[None]:
    """Replaces Spark's errors about the table or path to write to by our sentences."""
    try:
        yield
    except EngineError as error:
        for found, sentence in PLACES.items():
            if re.match(rf"\[({found})\]", str(error)):
                raise BadInput(sentence.format(into)) from None
        raise
