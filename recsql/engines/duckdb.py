"""DuckDB: tables by name, in-memory objects registered for one call, results as Arrow."""

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, count
from threading import Lock
from typing import Any
from weakref import WeakSet

import duckdb
import pyarrow as pa

from recsql.errors import BadInput, EngineError, table_there
from recsql.output import whole
from recsql.paths import there
from recsql.render import Joined, Statement
from recsql.spoken import memory_limit
from recsql.text import literal, quoted_name

NAMES = """
    select t.database_name as database, t.schema_name as schema, t.table_name as name from duckdb_tables() as t
    union all
    select v.database_name as database, v.schema_name as schema, v.view_name as name from duckdb_views() as v
"""
# Found by its name alone where DuckDB looks for such a name; behind a schema, a database or both anywhere.
NAMED = f"""
    select n.database, n.schema, n.name
    from ({NAMES}) as n
    where
        (
            lower(n.name) = lower($1)
            and (n.database = 'temp' or n.database = current_database() and list_contains(current_schemas(true), n.schema))
        )
        or lower($1) in (lower(n.schema || '.' || n.name), lower(n.database || '.' || n.schema || '.' || n.name))
        or (lower(n.database || '.' || n.name) = lower($1) and n.schema = 'main')
    order by n.database = 'temp' desc, n.database = current_database() desc
    limit 1
"""
# Whether a new table of that name would be one that is there.
TAKEN = f"""
    select count(*)
    from ({NAMES}) as n
    where lower($1) in (
        case when n.database = current_database() and n.schema = current_schema() then lower(n.name) end,
        case when n.database = current_database() then lower(n.schema || '.' || n.name) end,
        case when n.schema = 'main' then lower(n.database || '.' || n.name) end,
        lower(n.database || '.' || n.schema || '.' || n.name)
    )
"""
IN_USE: WeakSet[duckdb.DuckDBPyConnection] = WeakSet()  # the users' connections that a call is running in
TAKING = Lock()
BUSY = "connection: another call is using it; give each thread a cursor of it, connection.cursor()"
UNFETCHED = "connection: it has rows of execute() that are not fetched yet; fetch them first, or give connection.cursor()"
HUGE = ("HUGEINT", "UHUGEINT")  # what Parquet has no type for: DuckDB writes the nearest doubles


class DuckDB:
    """A DuckDB connection, the user's or one of our own for the call."""

    dialect = reads = "duckdb"
    scanned: tuple[str, ...] = ("pyarrow", "duckdb", "_duckdb")

    def __init__(self, connection: duckdb.DuckDBPyConnection | None = None) -> None:
        if connection is not None and not isinstance(connection, duckdb.DuckDBPyConnection):
            raise BadInput(
                f"connection: {type(connection).__name__} is no connection; give what duckdb.connect() returns, or a SparkSession"
            )
        self.is_own = connection is None
        self.connection = connection or duckdb.connect()
        self._views: list[str] = []
        self._tables: list[str] = []
        if not self.is_own:
            self._take()

    def _take(self) -> None:
        """Raises BadInput where a call would run into another one, or take rows from under the user's hands.

        These DuckDB 2.0 alone can tell of; before, any query drops them.
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
        return there(paths)

    def columns(self, relation: str) -> dict[str, str]:
        """The columns of what stands behind FROM, with their types."""
        return {name: kind for name, kind, *_ in self._rows(f"describe select * from {relation}")}

    def find_table(self, name: str) -> str | None:
        """The table or view of that name in the user's connection, quoted; None where there is none."""
        if self.is_own:
            return None
        found = self._rows(NAMED, name)
        if not found:
            return None
        return quoted_name(found[0][-1]) if found[0][-1].lower() == name.lower() else ".".join(map(quoted_name, found[0]))

    def register(self, name: str, data: Any) -> str:
        """An in-memory object under a name of this call; what can be read once only becomes a temporary table."""
        free = self._free(name)
        with in_words(name):
            if not isinstance(data, pa.RecordBatchReader):
                return self._view(free, arrow_of(data) if isinstance(data, duckdb.DuckDBPyRelation) else data)
            self._tables.append(free)
            self.connection.execute(f"create temporary table {quoted_name(free)} as from {self._view(f'{free}_once', data)}")
            return quoted_name(free)

    def _view(self, name: str, data: Any) -> str:
        """An in-memory object under `name`, until the call ends."""
        self.connection.register(name, data)
        self._views.append(name)
        return quoted_name(name)

    def _free(self, name: str) -> str:
        """`name`, or with a number behind it where the user has such a table."""
        taken = {row[0] for row in self._rows(f"select lower(n.name) from ({NAMES}) as n")}
        return next(one for one in chain([name], (f"{name}_{i}" for i in count(2))) if one not in taken)

    def _rows(self, text: str, *values: str) -> list[tuple[Any, ...]]:
        with in_words(text):
            return self.connection.execute(text, values).fetchall()

    def query(self, text: str) -> pa.Table:
        """The result of a query; raises BadInput where its checks found something, else EngineError."""
        with self._prepared(text) as last:
            return arrow_of(self.connection.sql(last))

    def write(self, text: str, path: str, metadata: Mapping[str, str]) -> None:
        """The result of a query as a Parquet file with that metadata, streamed; it appears whole or not at all."""
        pairs = ", ".join(f"{name}: {literal(value)}" for name, value in metadata.items())
        how = f"format parquet, use_tmp_file false, kv_metadata {{{pairs}}}"
        with whole(path) as beside, self._prepared(text) as last:
            self._refuse_huge(f"(\n{last}\n)")
            self.connection.execute(f"copy (\n{last}\n) to {literal(beside)} ({how})")

    def write_parts(self, text: str, column: str, paths: Mapping[str, str]) -> None:
        """The result of a query as one Parquet file for each value of a column, which is left out; the query runs once."""
        self._tables.append(self._free("parts_of_recsql"))
        name = quoted_name(self._tables[-1])
        with self._prepared(text) as last:
            self.connection.execute(f"create temporary table {name} as\n{last}")
            self._refuse_huge(name)
            for value, path in paths.items():
                rows = f"select p.* exclude ({column}) from {name} as p where p.{column} = {literal(value)}"
                self.connection.execute(f"copy ({rows}) to {literal(path)} (format parquet, use_tmp_file false)")

    def _refuse_huge(self, rows: str) -> None:
        """Raises BadInput for a column that a Parquet file would change."""
        for name, kind in self.columns(rows).items():
            if kind in HUGE:
                raise BadInput(f"{name}: it is {kind}, which Parquet has no type for; cast it to text or to decimal(38, 0)")

    def keep(self, text: str, table: str) -> None:
        """The result of a query as a table of the user's connection."""
        if self.is_own:
            raise BadInput(f"into: a table {table} is gone with the connection of the call; give connection=, or a path")
        if self._rows(TAKEN, table) != [(0,)]:
            raise table_there(table)
        with self._prepared(text) as last:
            self.connection.execute(f"create table {quoted_table(table)} as\n{last}")

    def release(self) -> None:
        """Forgets what was registered for the call, and closes a connection of our own."""
        if self.is_own:
            self.connection.close()
            return
        try:
            with suppress(duckdb.TransactionException):  # a failure has ended the user's own, which can only be rolled back
                for view in self._views:
                    self.connection.unregister(view)
                for table in self._tables:
                    self.connection.execute(f"drop table if exists {quoted_name(table)}")
        finally:
            IN_USE.discard(self.connection)

    @contextmanager
    def _prepared(self, text: str) -> Iterator[str]:
        """What to run of a statement: the steps whose size tells DuckDB how to join the rest are temporary tables by then."""
        made: list[str] = []

        def table(name: str, rows: str) -> str:
            made.append(f"{name}_{secrets.token_hex(4)}")  # the name of nothing that the user has; to look takes 10 ms
            self._tables.append(made[-1])
            self.connection.execute(f"create temporary table {made[-1]} as\n{rows}")
            return f"not materialized (select * from {made[-1]})"

        with in_words(text), self._in_transaction(text):
            yield text.reading(text.sized, table) if isinstance(text, Statement) else text
            for name in made:
                self.connection.execute(f"drop table {name}")

    @contextmanager
    def _in_transaction(self, text: str) -> Iterator[None]:
        """All that a statement is made of sees the same rows: in a transaction, perhaps one of the user's, who ends it.

        An error of DuckDB's would abort the user's: what the checks find is looked for before, as rows.
        """
        if self.is_own:
            yield
            return
        if self._transacting():
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
        """Raises BadInput for what the checks of a statement find."""
        parts = text.parts if isinstance(text, Joined) else [text] if isinstance(text, Statement) else []
        for part in parts:
            for (message,) in self._rows(part.problems):
                raise BadInput(message)

    def _transacting(self) -> bool:
        """Whether a transaction goes on, which a second one would abort: without one each query is in one of its own.

        txid_current() would ask the default database, which may be none of DuckDB's own.
        """
        now = "select current_transaction_id()"
        return self._rows(now) == self._rows(now)


def arrow_of(relation: duckdb.DuckDBPyRelation) -> pa.Table:
    """Its rows; DuckDB 1.4 has another name for that."""
    return relation.to_arrow_table() if hasattr(relation, "to_arrow_table") else relation.fetch_arrow_table()


def quoted_table(name: str) -> str:
    """A table's name, perhaps behind those of its database and schema."""
    return ".".join(map(quoted_name, name.split(".")))


@contextmanager
def in_words(text: str) -> Iterator[None]:
    """DuckDB's errors as ours: the sentence of a check as it is, anything else in DuckDB's own words."""
    try:
        yield
    except duckdb.InvalidInputException as error:
        raise BadInput(sentence(str(error))) from None
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except RuntimeError as error:
        if "interrupted" in str(error).lower():
            raise KeyboardInterrupt from None
        raise EngineError(first_words(error), text) from error  # of a damaged file, in DuckDB 1.4
    except duckdb.OutOfMemoryException as error:
        raise EngineError(out_of_memory(error), text) from error
    except duckdb.Error as error:
        if str(error).startswith("Resource In Use Error"):
            raise BadInput(UNFETCHED if "unfinished result" in str(error) else BUSY) from None
        raise EngineError(first_words(error), text) from error


def out_of_memory(error: BaseException) -> str:
    """That a limit is too small, and which one raises it; the limit of the disk is one that DuckDB names itself."""
    found = first_words(error)
    on_disk = "max_temp_directory_size" in str(error)
    return found if on_disk else f"the memory limit is too small: {found}; raise {memory_limit()}"


def sentence(message: str) -> str:
    """The sentence of a check as it is, and one for what can't be read: the lines of a text file, or a stream of the user's."""
    encoding = re.search(r"CSV Error on Line: (\d+)\n.*not utf-8 encoded.*?\n *file = ([^\n]+)", message, re.DOTALL)
    if encoding:
        return f"{encoding[2]}: line {encoding[1]} is not in UTF-8; convert the file first, for example with iconv"
    found = re.sub(r"\n\nLINE \d+: .*| Detail: Python exception: .*", "", message, flags=re.DOTALL)
    return found.removeprefix("Invalid Input Error: ").strip()


def first_words(error: BaseException) -> str:
    """What DuckDB's message says first, on one line, without the kind of error, advice and the excerpt of the query."""
    first = re.sub(r"^[A-Z][\w ]* Error: ", "", str(error)).split("\n\n", 1)[0]
    return " ".join(first.strip().splitlines())
