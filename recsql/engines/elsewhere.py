"""An engine that is not at hand: queries are written for it, and run by somebody else."""

from recsql.engines.duckdb import DuckDB


class Elsewhere(DuckDB):
    """Files on this machine are looked at with DuckDB; of tables and remote files only what a call says of them is known."""

    def __init__(self, dialect: str) -> None:
        super().__init__()
        self.dialect = dialect
