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
        """The columns of the SQL that follows FROM, with DuckDB's types; raises NoSuchFile if a file doesn't exist."""

    def find_table(self, name: str) -> str | None:
        """The table or view of that name in the caller's connection, quoted; None if there is none."""

    def files(self, paths: Sequence[str]) -> list[str]:
        """Paths and globs in the engine's spelling; raises BadInput if it can tell that no file matches."""

    def register(self, name: str, data: object) -> str:
        """Registers an in-memory table for this call and returns its name."""

    def keep_once(self, name: str, text: str) -> str:
        """Runs a query once and keeps its result for this call; returns the quoted name of the table."""

    def query(self, text: str) -> pa.Table:
        """The result of a query; raises BadInput if a check finds a problem, EngineError if the database fails."""

    def write(self, text: str, path: str, metadata: Mapping[str, str]) -> None:
        """Streams the result of a query to Parquet."""

    def keep(self, text: str, table: str) -> None:
        """Writes the result of a query to a new table of the caller's connection; it must not exist yet."""

    def release(self) -> None:
        """Removes what was registered for the call."""
