"""One table of a call: its columns, their types, and the SQL that follows FROM."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace

from recsql.catalog.roles import Role

IDS = ("user_id", "item_id", "document")  # the columns of ids, by our names
TOKENS = "tokens"  # a column of lists that tells what a row costs, also if no budget names it
# Users with their items, in memory or as a JSON file.
NESTED = {"recs": "nested_score", "truth": "nested_relevance", "train": "nested_score", "candidates": "nested_score"}
NO_ITEM = -(2**63)  # an id that is not relevant, of a user of such a truth who has no items; as a number or a text
MODELS = "nested_models"  # models with such mappings, as a JSON file
UNNAMED = ("trec", *NESTED.values(), MODELS)  # inputs without names of columns
TEXT_KINDS = ("csv", "json", *NESTED.values(), MODELS)  # files whose columns have no types


@dataclass(frozen=True)
class SourceTable:
    """One input: its name for people, its columns and their types (with DuckDB's names), and the SQL that follows FROM."""

    name: str
    role: Role
    types: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)  # of its columns, by our names
    table: str = ""
    paths: Sequence[str] = ()  # the input files
    kind: str = "parquet"  # the format of the files
    read_as: Mapping[str, str] = field(default_factory=dict)  # the types as which columns of text files are read
    lists: Mapping[str, str] = field(default_factory=dict)  # columns with the elements of a LIST, with the name of the LIST
    is_empty: bool = False  # a table in memory without rows, whose types say nothing
    doubled: Collection[str] = ()  # names in lower case that two columns share, because SQL ignores case
    filled: Mapping[str, Sequence[str]] = field(default_factory=dict)  # per model, its orders with values, if some have none
    apart: Mapping[str, str] = field(default_factory=dict)  # its columns of folds and of data sets, by our names
    models: Mapping[str | None, "SourceTable"] = field(default_factory=dict)  # by model; one of several models is under None
    datasets: Mapping[str, "SourceTable"] = field(default_factory=dict)  # by data set, where folders divide them

    def rows(self, sql: SimpleNamespace) -> str:
        """The SQL that follows FROM, in a dialect, with the rows as given."""
        if self.table:
            return self.table
        if self.kind not in TEXT_KINDS:
            return str(sql.parquet(self.paths))
        read = getattr(sql, self.kind)(self.paths, self.types if self.kind in UNNAMED else self.read_as)
        return str(sql.with_ids(read, self.converted, self.name) if self.converted else read)

    @property
    def converted(self) -> dict[str, str]:
        """The columns of text files that are converted after reading: ids."""
        return {name: kind for name, kind in self.file_types.items() if self.read_as.get(name, kind) != kind}

    def relation(self, sql: SimpleNamespace) -> str:
        """The SQL that follows FROM, with one row per element of a LIST."""
        if not self.lists:
            return self.rows(sql)
        others = [name for name in self.types if name not in (*self.lists, "rank")]
        elements = {whole: element for element, whole in self.lists.items()}
        return str(sql.long_rows(self.rows(sql), others, elements, next(iter(elements)), self.names.values()))

    @property
    def each(self) -> Sequence["SourceTable"]:
        """Its tables: those of all data sets, one per model, or itself."""
        return [table for one in self.datasets.values() for table in one.each] or list(self.models.values()) or [self]

    @property
    def named_models(self) -> Mapping[str, "SourceTable"]:
        """The tables by model, if the call names all models."""
        return {} if None in self.models else {str(name): one for name, one in self.models.items()}

    @property
    def is_text(self) -> bool:
        """Whether its columns have no types of their own."""
        return not self.table and self.kind in TEXT_KINDS

    @property
    def file_types(self) -> dict[str, str]:
        """The columns and types in the files."""
        return dict(self.in_files(name, kind) for name, kind in self.types.items() if not (self.lists and name == "rank"))

    def in_files(self, name: str, kind: str) -> tuple[str, str]:
        """The name and the type of a column in the files, where elements are in LISTs."""
        return (self.lists[name], f"{kind}[]") if name in self.lists else (name, kind)

    def has(self, column: str) -> bool:
        return column in self.names

    def type(self, column: str) -> str:
        return self.types[self.names[column]]
