"""DuckDB: tables by name, in-memory objects registered for one call, results as Arrow."""

import glob
import os
import re
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, count
from threading import Lock
from typing import Any
from weakref import WeakSet

import duckdb
import pyarrow as pa
from duckdb import connect

from recsql.base.errors import BadInput, FailedCheck, table_there
from recsql.base.paths import is_there, whole
from recsql.base.statement import Joined, Statement
from recsql.base.text import LINE_BREAK, literal, name_parts, quoted_name
from recsql.base.wording import COMMAND
from recsql.engines.duckdb_words import BUSY, first_words, in_words

NAMES = """
    select
        n.database,
        n.schema,
        n.name,
        n.database = current_database() as is_current,
        n.schema = current_schema() as is_default,
        n.database = 'temp' or is_current and list_contains(current_schemas(true), n.schema) as is_seen
    from (
        select t.database_name as database, t.schema_name as schema, t.table_name as name from duckdb_tables() as t
        union all
        select v.database_name as database, v.schema_name as schema, v.view_name as name from duckdb_views() as v
    ) as n
    order by n.database = 'temp' desc, is_current desc, n.schema asc, n.name asc
"""
IN_USE: WeakSet[duckdb.DuckDBPyConnection] = WeakSet()  # connections of callers in which a call is running
TAKING = Lock()
SORTED = re.compile(r"^order by ", re.MULTILINE)  # of the whole query: the lines of its parts are indented
BEFORE_2 = duckdb.__version__.startswith("1.")
HUGE = ("HUGEINT", "UHUGEINT")  # Parquet has no such types: DuckDB writes the nearest doubles


class DuckDB:
    """A DuckDB connection: the caller's, or one for this call.

    With the dialect of another engine, queries are only written; DuckDB then inspects the local files.
    """

    dialect = reads = "duckdb"
    scanned: tuple[str, ...] = ("pyarrow", "duckdb", "_duckdb")
    in_transactions = False  # whether each query runs in a transaction even in a connection of its own

    def __init__(self, connection: duckdb.DuckDBPyConnection | None = None, dialect: str = "") -> None:
        if connection is not None and not isinstance(connection, duckdb.DuckDBPyConnection):
            raise BadInput(
                f"connection: {type(connection).__name__} is not a connection; pass that of duckdb.connect(), or a SparkSession"
            )
        self.dialect = dialect or self.dialect
        self.is_own = connection is None
        self.connection = connection or connect()
        self._views: list[str] = []
        self._tables: list[str] = []
        self._databases: list[str] = []
        if self.is_own:
            self.connection.execute("set enable_progress_bar = false")  # which DuckDB prints to stdout in a notebook
        else:
            self._take()

    def _take(self) -> None:
        """Raises BadInput if another call is running in the connection, or if the caller has unfetched rows in it.

        Unfetched rows can be told only in DuckDB 2.0; before, any query drops them.
        """
        with TAKING:
            if self.connection in IN_USE:
                raise BadInput(BUSY)
            IN_USE.add(self.connection)
        try:
            with in_words("select 1"):
                self.connection.sql("select 1").fetchall()
        except BaseException:
            IN_USE.discard(self.connection)
            raise

    @property
    def versions(self) -> dict[str, str]:
        return {"duckdb": duckdb.__version__}

    def files(self, paths: Sequence[str]) -> list[str]:
        """The paths, with those of files escaped so that DuckDB doesn't read them as globs; raises BadInput if none exists."""
        return [glob.escape(path) if is_there(path) else path for path in paths]

    def columns(self, relation: str) -> dict[str, str]:
        return {name: kind for name, kind, *_ in self._rows(f"describe select * from {relation}")}

    def find_table(self, name: str, database: str | None = None) -> str | None:
        """The quoted name of a table or view in the connection or in a database; None if there is none."""
        if database is None and (self.is_own or COMMAND.get()):  # that of the command has no tables, either
            return None
        before, parts = [database] if database else [], name_parts(name) or [name]
        found = self._find((*before, name), (*before, *parts))
        alone = not before and (len(parts) == 1 or [one.lower() for one in found[-1:]] == [name.lower()])
        if any(map(LINE_BREAK.search, found)):  # which the layout of a query would change
            raise BadInput(f"{name!r}: the name of the table has a line break; rename it, or make a view of it")
        return ".".join(map(quoted_name, found[-1:] if alone else found)) or None

    def _find(self, *names: Sequence[str], new: bool = False) -> list[str]:
        """The database, schema and name of the first table or view with one of the names, which are split into parts.

        A bare name is looked up in DuckDB's search path, and one with a schema or a database everywhere. With `new`, only the
        place of a new table counts.
        """
        wanted = {tuple(map(str.lower, parts)) for parts in names}
        for *found, is_current, is_default, is_seen in self._rows(NAMES):
            database, schema, name = map(str.lower, found)
            spelt: list[Sequence[str]] = [(database, schema, name)]
            if schema == "main":
                spelt.append((database, name))
            if is_current or not new:
                spelt.append((schema, name))
            if is_current and is_default if new else is_seen:
                spelt.append((name,))
            if not wanted.isdisjoint(spelt):
                return found
        return []

    def attach(self, path: str) -> str:
        """Attaches a database file for reading during this call; reuses it if it is already attached.

        It gets the name that DuckDB gives it, so that the query also runs elsewhere, or another one if that is taken.
        """
        if (name := self._database_of(path)) is not None:
            return name
        taken = self._rows("select 1 from duckdb_databases() where database_name = $1", os.path.basename(path).partition(".")[0])
        alias = f" as recsql_{secrets.token_hex(4)}" if taken else ""
        try:
            self.connection.execute(f"attach {literal(path)}{alias} (type duckdb, read_only)")
        except duckdb.Error as error:
            way = "; close the other connection to it, or pass it as connection" if "conflict" in str(error).lower() else ""
            raise BadInput(f"{path}: the database can't be opened: {first_words(error)}{way}") from None
        self._databases.append(str(self._database_of(path)))
        return self._databases[-1]

    def _database_of(self, path: str) -> str | None:
        """The name of the database in a file, if it is attached."""
        found = self._rows("select database_name, path from duckdb_databases() where path is not null")
        return {os.path.realpath(path): str(name) for name, path in found}.get(os.path.realpath(path))

    def tables(self, database: str) -> list[str]:
        """The quoted names of the tables and views of a database."""
        found = [(schema, name) for there, schema, name, *_ in self._rows(NAMES) if there == database]
        return [name if schema == "main" else f"{schema}.{name}" for schema, name in found]

    def keep_once(self, name: str, text: str) -> str:
        """The result of a query as a temporary table of this call."""
        self._tables.append(self._free(name))
        table = quoted_name(self._tables[-1])
        with in_words(text):
            self.connection.execute(f"create temporary table {table} as\n{text}")
        return table

    def register(self, name: str, data: object) -> str:
        """Registers an in-memory object for this call and returns its name. A one-time reader becomes a temporary table."""
        is_once = isinstance(data, pa.RecordBatchReader)
        view = self._free(f"{name}_once" if is_once else name)
        with in_words(name):
            self.connection.register(view, data.to_arrow_table() if isinstance(data, duckdb.DuckDBPyRelation) else data)
        self._views.append(view)
        return self.keep_once(name, f"from {quoted_name(view)}") if is_once else quoted_name(view)

    def _free(self, name: str) -> str:
        """`name`, with a number appended if the caller has such a table."""
        taken = {*self._views, *self._tables} if self.is_own else {found.lower() for _, _, found, *_ in self._rows(NAMES)}
        return next(one for one in chain([name], (f"{name}_{i}" for i in count(2))) if one not in taken)

    def _rows(self, text: str, *values: str) -> list[tuple[Any, ...]]:
        with in_words(text):
            return self.connection.execute(text, values).fetchall()

    def query(self, text: str) -> pa.Table:
        with self._prepared(text) as last:
            return self._fetched(last)

    def write(self, text: str, path: str, metadata: Mapping[str, str]) -> None:
        """Streams the result of a query to a Parquet file with that metadata. The file appears whole or not at all."""
        with whole(path) as beside:
            self.copy(text, beside, metadata)

    def copy(self, text: str, path: str, metadata: Mapping[str, str]) -> None:
        """Streams the result of a query to a temporary Parquet file."""
        pairs = ", ".join(f"{name}: {literal(value)}" for name, value in metadata.items())
        how = f"format parquet, use_tmp_file false, kv_metadata {{{pairs}}}"
        with self._prepared(text) as last:
            for name, kind in self.columns(f"(\n{last}\n)").items():
                if kind in HUGE:
                    raise BadInput(f"{name}: it is {kind}, and Parquet has no such type; cast it to text or to decimal(38, 0)")
            self.connection.execute(f"copy (\n{last}\n) to {literal(path)} ({how})")

    @contextmanager
    def keep_steps(self, text: Statement, steps: Collection[str]) -> Iterator[Statement]:
        """Yields the statement with some steps as temporary tables, so that several queries see the same rows."""
        with self._in_transaction(""), in_words(text):
            settled = text.reading(steps, self._settled)
            self._refuse(settled)
            yield settled

    def keep(self, text: str, table: str) -> None:
        if self.is_own:
            raise BadInput(
                f"into: the table {table} would be lost when the call closes its connection; pass connection=, or a path"
            )
        name = name_parts(table) or [table]
        if self._find(name, new=True):
            raise table_there(table)
        with self._prepared(text) as last:
            self.connection.execute(f"create table {'.'.join(map(quoted_name, name))} as\n{last}")

    def release(self) -> None:
        """Removes what was registered for the call, and closes a connection of its own."""
        if self.is_own:
            self.connection.close()
            return
        try:
            with suppress(duckdb.TransactionException):  # an error has aborted the caller's transaction, which can only roll back
                for view in self._views:
                    self.connection.unregister(view)
                for table in self._tables:
                    self.connection.execute(f"drop table if exists {quoted_name(table)}")
            for database in self._databases:
                with suppress(duckdb.Error):  # DuckDB 1.5 keeps a database that the caller's open transaction has read
                    self.connection.execute(f"detach {quoted_name(database)}")
        finally:
            IN_USE.discard(self.connection)

    @contextmanager
    def _prepared(self, text: str) -> Iterator[str]:
        """The statement to run, after the steps that decide DuckDB's join order are stored as temporary tables."""
        before = len(self._tables)
        with in_words(text), self._in_transaction(text):
            yield self._ready(text) if isinstance(text, Statement) else text
            for name in self._tables[before:]:
                self.connection.execute(f"drop table {name}")
            del self._tables[before:]

    def _ready(self, text: Statement) -> Statement:
        """The statement, with steps stored as temporary tables that should be there before DuckDB plans it."""
        return text.reading(text.sized, self._settled)

    def _fetched(self, text: str) -> pa.Table:
        """The rows of a query.

        DuckDB parses and binds the query of a relation twice, which takes 20 ms for a long text. A sorted result is complete with
        its first row, so execute() suffices: until then, it can be interrupted and raises errors. DuckDB 2.x stores the result
        instead, because it returns only relations as Arrow without a warning.
        """
        hidden = "rowid" in text.lower()  # a column with this name hides the number of the row
        if not SORTED.search(text) or (hidden and not BEFORE_2):
            return self.connection.sql(text).to_arrow_table()
        if BEFORE_2:
            return self.connection.execute(text).to_arrow_table()
        return self.connection.sql(f"from {self._stored('rows', text)} as r order by r.rowid asc").to_arrow_table()

    def _settled(self, name: str, rows: str) -> str:
        """Stores the rows of a step in a temporary table; returns the text that follows AS."""
        return f"not materialized (select * from {self._stored(name, rows)})"

    def _stored(self, name: str, rows: str) -> str:
        """Stores the rows of a query in a temporary table of this call; returns its name."""
        table = f"{name}_{secrets.token_hex(4)}"  # no table of the caller has this name; to make sure would take 10 ms
        self._tables.append(table)
        self.connection.execute(f"create temporary table {table} as\n{rows}")
        return table

    @contextmanager
    def _in_transaction(self, text: str) -> Iterator[None]:
        """Runs all parts of a statement in one transaction, so that they see the same rows. That of the caller stays open.

        An error would abort the caller's transaction, so the checks run first and return their findings as rows.
        """
        if self.is_own and not self.in_transactions:
            yield
            return
        now = "select current_transaction_id()"  # txid_current() asks the default database, which another system may run
        if self._rows(now) == self._rows(now):  # in an open transaction; to begin a second one would abort it
            self._refuse(text)
            yield
            return
        self.connection.begin()
        try:
            yield
        except BaseException:
            self.connection.rollback()
            raise
        self.connection.commit()

    def _refuse(self, text: str) -> None:
        """Raises BadInput for the findings of a statement's checks."""
        parts = text.parts if isinstance(text, Joined) else [text] if isinstance(text, Statement) else []
        for part in (one for one in parts if "problems" in one.steps):
            for (message,) in self._rows(part.problems):
                raise FailedCheck(message)


def query_rows(name: str, rows: pa.Table, statement_of: Callable[[str], str]) -> pa.Table:
    """The rows of a statement over rows that a call has computed; `statement_of` gets the query for these."""
    local = DuckDB()
    try:
        return local.query(statement_of(f"select *\nfrom {local.register(name, rows)}"))
    finally:
        local.release()
