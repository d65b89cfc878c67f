"""An engine that is not connected: recsql writes queries for it, and you run them."""

from recsql.engines.duckdb import DuckDB


class Elsewhere:
    """Local files are read by a DuckDB of this call; of tables and remote files it knows only what the call says."""

    reads, scanned = DuckDB.reads, DuckDB.scanned

    def __init__(self, dialect: str) -> None:
        self.dialect, here = dialect, DuckDB()
        self.versions, self.columns, self.find_table, self.files = here.versions, here.columns, here.find_table, here.files
        self.register, self.query, self.release = here.register, here.query, here.release
        self.write, self.keep, self.keep_once = here.write, here.keep, here.keep_once
