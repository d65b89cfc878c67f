"""An engine that is not connected: recsql writes queries for it, and you run them."""

from recsql.engines.duckdb import DuckDB


class Elsewhere(DuckDB):
    """Reads local files with DuckDB; of tables and remote files it knows only what the call says."""

    def __init__(self, dialect: str) -> None:
        super().__init__()
        self.dialect = dialect
