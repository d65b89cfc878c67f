"""One table of a call: its columns, their types, and the SQL that follows FROM."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace

IDS = ("user_id", "item_id")  # the columns of ids, by our names
NESTED = {"recs": "nested_score", "truth": "nested_relevance"}  # {user: {item: number}}, in memory or as a JSON file
UNNAMED = ("trec", *NESTED.values())  # what has no names of columns
TEXT_KINDS = ("csv", "json", *NESTED.values())  # files whose columns have no types of their own


@dataclass(frozen=True)
class SourceTable:
    """One input: its name for people, its columns and their types (with DuckDB's names), and the SQL that follows FROM."""

    name: str
    types: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    table: str = ""
    paths: Sequence[str] = ()  # the input files
    kind: str = "parquet"  # the format of the files
    read_as: Mapping[str, str] = field(default_factory=dict)  # columns of text files, with the types that they are read as
    converted: Mapping[str, str] = field(default_factory=dict)  # of these, columns that get another type after reading
    lists: Mapping[str, str] = field(default_factory=dict)  # LIST columns, with the name of one element
    is_empty: bool = False  # a table in memory without rows: the types of its columns say nothing
    doubled: Collection[str] = ()  # names in lower case that two columns share, as SQL ignores case
    models: Mapping[str, "SourceTable"] = field(default_factory=dict)  # the table of each model, if tables are given per model

    def rows(self, sql: SimpleNamespace) -> str:
        """The SQL that follows FROM for the rows as given, in a dialect."""
        if self.table:
            return self.table
        if self.kind not in TEXT_KINDS:
            return str(sql.parquet(self.paths))
        read = getattr(sql, self.kind)(self.paths, self.read_as)
        return str(sql.with_ids(read, self.converted, self.name) if self.converted else read)

    def relation(self, sql: SimpleNamespace) -> str:
        """The SQL that follows FROM, with one row per element of a LIST."""
        rows = self.rows(sql)
        others = [name for name in self.types if name not in (*self.lists.values(), "rank")]
        return str(sql.long_rows(rows, others, self.lists, ["items", *self.names.values()])) if self.lists else rows

    @property
    def each(self) -> Sequence["SourceTable"]:
        """The tables that it consists of: one per model, or itself."""
        return list(self.models.values()) or [self]

    @property
    def is_text(self) -> bool:
        """Whether its columns have no types of their own."""
        return not self.table and self.kind in TEXT_KINDS

    @property
    def parquet(self) -> list[str]:
        """The Parquet files among its files."""
        return [path for one in self.each if not one.table and one.kind == "parquet" for path in one.paths]

    def has(self, column: str) -> bool:
        return column in self.names

    def type(self, column: str) -> str:
        return self.types[self.names[column]]

    def in_files(self, column: str) -> tuple[str, str]:
        """Our column's name in the files, and the suffix of its type there: [] if it belongs to a LIST."""
        name = self.names[column]
        of_lists = {element: whole for whole, element in self.lists.items()}
        return (of_lists[name], "[]") if name in of_lists else (name, "")

    @property
    def file_types(self) -> dict[str, str]:
        """The columns and types in the files."""
        of_lists = {element: whole for whole, element in self.lists.items()}
        kept = {name: kind for name, kind in self.types.items() if not (self.lists and name == "rank")}
        return {of_lists.get(name, name): f"{kind}[]" if name in of_lists else kind for name, kind in kept.items()}
