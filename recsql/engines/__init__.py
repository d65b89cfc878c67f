"""The databases that run the SQL, one file each."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import pyarrow as pa


class Engine(Protocol):
    """What a call needs from a database."""

    dialect: str  # the dialect of its queries
    reads: str  # the dialect that it runs itself
    scanned: tuple[str, ...]  # packages whose tables it reads directly

    @property
    def versions(self) -> dict[str, str]:
        """Its name and version, for the report."""

    def columns(self, relation: str) -> dict[str, str]:
        """The columns and types (with DuckDB's names) of the SQL that follows FROM; NoSuchFile if there is no such file."""

    def find_table(self, name: str) -> str | None:
        """The table or view of that name in the caller's connection, quoted; None if there is none."""

    def files(self, paths: Sequence[str]) -> list[str]:
        """Paths and globs as the engine reads them; raises BadInput if it knows that no file matches."""

    def register(self, name: str, data: object) -> str:
        """An in-memory table under a name that this call owns."""

    def keep_once(self, name: str, text: str) -> str:
        """The result of a query as a table of this call, quoted; the query runs once."""

    def query(self, text: str) -> pa.Table:
        """The result of a query; raises BadInput if a check finds a problem, EngineError if the database fails."""

    def write(self, text: str, path: str, metadata: Mapping[str, str]) -> None:
        """Streams the result of a query to Parquet."""

    def keep(self, text: str, table: str) -> None:
        """Writes the result of a query to a new table of the caller's connection; it must not exist yet."""

    def release(self) -> None:
        """Removes what was registered for the call."""
