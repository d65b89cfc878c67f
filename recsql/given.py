"""One table of a call as it was found: its columns, their types, and what stands behind FROM."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace

NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT")
TEXT_KINDS = ("csv", "json")  # files whose columns have no types of their own
REALS = ("FLOAT", "DOUBLE", "DECIMAL")


@dataclass(frozen=True)
class Given:
    """One input found: its name for people, its columns and their types (as DuckDB calls them), and what stands behind FROM."""

    name: str
    types: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)
    table: str = ""
    paths: Sequence[str] = ()  # the files that it is read from
    kind: str = "parquet"  # the format of the files
    read_as: Mapping[str, str] = field(default_factory=dict)  # columns of text files, and the types that they are read as
    converted: Mapping[str, str] = field(default_factory=dict)  # of these, what becomes another type once it is read
    lists: Mapping[str, str] = field(default_factory=dict)  # LIST columns, with what one element of each is called
    doubled: Collection[str] = ()  # names, in lower case, that two columns have as SQL reads them
    models: Mapping[str, "Given"] = field(default_factory=dict)  # a table for each model, where they are given so

    def rows(self, sql: SimpleNamespace) -> str:
        """What stands behind FROM for the rows as they are given, as a dialect says it."""
        if self.table:
            return self.table
        if self.kind not in TEXT_KINDS:
            return str(sql.parquet(self.paths))
        read = getattr(sql, self.kind)(self.paths, self.read_as)
        return str(sql.with_ids(read, self.converted, self.name) if self.converted else read)

    def relation(self, sql: SimpleNamespace) -> str:
        """What stands behind FROM, with a row for each element of a LIST."""
        rows = self.rows(sql)
        others = [name for name in self.types if name not in (*self.lists.values(), "rank")]
        return str(sql.long_rows(rows, others, self.lists, ["items", *self.names.values()])) if self.lists else rows

    @property
    def each(self) -> Sequence["Given"]:
        """The tables that it is made of: one for each model, or itself."""
        return list(self.models.values()) or [self]

    @property
    def is_text(self) -> bool:
        """Whether its columns have no types of their own."""
        return not self.table and self.kind in TEXT_KINDS

    @property
    def parquet(self) -> list[str]:
        """The Parquet files among what it is read from."""
        return [path for one in self.each if not one.table and one.kind == "parquet" for path in one.paths]

    def has(self, column: str) -> bool:
        return column in self.names

    def type(self, column: str) -> str:
        return self.types[self.names[column]]

    def in_files(self, column: str) -> tuple[str, str]:
        """What a column of ours is called in the files, and what stands behind its type there: [] where it is of a LIST."""
        name = self.names[column]
        of_lists = {element: whole for whole, element in self.lists.items()}
        return (of_lists[name], "[]") if name in of_lists else (name, "")

    @property
    def file_types(self) -> dict[str, str]:
        """The columns as the files have them, with their types."""
        of_lists = {element: whole for whole, element in self.lists.items()}
        kept = {name: kind for name, kind in self.types.items() if not (self.lists and name == "rank")}
        return {of_lists.get(name, name): f"{kind}[]" if name in of_lists else kind for name, kind in kept.items()}


def family(kind: str) -> str:
    """Types whose values are compared as they are: whole numbers of any size are one."""
    return "a whole number" if kind in NUMBERS else kind
