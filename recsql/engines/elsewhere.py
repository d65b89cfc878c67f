"""An engine that is not at hand: queries are written for it, and run by somebody else."""

import re

from recsql.engines.duckdb import DuckDB

TABLE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


class Elsewhere(DuckDB):
    """Files on this machine are looked at with DuckDB; tables and remote files have the columns that a call names."""

    def __init__(self, dialect: str) -> None:
        super().__init__()
        self.dialect = dialect

    def is_unseen(self, name: str) -> bool:
        """Whether a name is that of a table, or of a file on no disk of this machine."""
        return "://" in name or (TABLE.fullmatch(name) is not None and not name.endswith(".parquet"))
