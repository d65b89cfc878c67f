"""The databases that run the SQL, one file each."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import pyarrow as pa


class Engine(Protocol):
    """What a call needs of a database."""

    dialect: str  # what queries for it are written in
    reads: str  # the dialect that it understands itself
    scanned: tuple[str, ...]  # the packages whose tables it takes as they are

    @property
    def versions(self) -> dict[str, str]:
        """Its name and version, for the report."""

    def columns(self, relation: str) -> dict[str, str]:
        """The columns of what stands behind FROM, with their types as DuckDB calls them; NoSuchFile where nothing is there."""

    def find_table(self, name: str) -> str | None:
        """The table or view of that name in the user's connection, quoted; None where there is none."""

    def files(self, paths: Sequence[str]) -> list[str]:
        """Paths and globs as it reads them; raises BadInput where it can tell that no file is behind one."""

    def register(self, name: str, data: Any) -> str:
        """An in-memory table under a name of this call."""

    def query(self, text: str) -> pa.Table:
        """The result of a query; raises BadInput where its checks found something, else EngineError."""

    def write(self, text: str, path: str, metadata: Mapping[str, str]) -> None:
        """The result of a query as Parquet, streamed."""

    def write_parts(self, text: str, column: str, paths: Mapping[str, str]) -> None:
        """The result of a query as Parquet for each value of a column, which is left out; the query runs once."""

    def keep(self, text: str, table: str) -> None:
        """The result of a query as a table of the user's connection, which must not be there yet."""

    def release(self) -> None:
        """Forgets what was registered for the call."""
