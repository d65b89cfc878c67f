"""The inputs of a query: its tables, cut-offs, options and metrics."""

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from recsql.base.errors import RecsqlError
from recsql.base.text import plain, quoted
from recsql.catalog.headers import Value
from recsql.query.metric import Metric
from recsql.query.slices import Slice


@dataclass(frozen=True)
class Rows:
    """A SELECT of some columns, which have our names."""

    columns: Mapping[str, str]  # SQL of each column
    source: str  # what follows FROM
    distinct: bool = False
    orders: Mapping[str, str] = field(default_factory=dict)  # SQL of the column that orders a list, by rank_by if models differ

    def without(self, left_out: Collection[str] = (), rank_by: object = None) -> str:
        texts = [text for name, text in self.columns.items() if name not in left_out]
        texts += [f"{self.orders[name]} as rank_by" for name in self.orders if name == rank_by]
        listed = ",\n    ".join(texts)
        return f"select{' distinct' * self.distinct}\n    {listed}\nfrom {self.source}"


@dataclass(frozen=True)
class Relation:
    """A table as the templates read it: a SELECT with our column names, and its name as an SQL literal.

    `source` is the text after FROM if the columns of the table are unknown. `rows` has the SELECT of each table of a union; it is
    empty if the columns are unknown. `models` has the models that the call names, with the names of their tables as SQL literals.
    `columns` has the table's own names for our columns.
    """

    select: str
    name: str
    source: str = ""
    rows: Sequence[Rows] = ()
    models: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Sequence[Rows], name: str) -> "Relation":
        return cls("", name, rows=rows).without()

    def without(self, *columns: str, rank_by: object = None) -> "Relation":
        """The table without some columns, if it has them, and with what orders the lists if models differ in it."""
        selects = [one.without(columns, rank_by) for one in self.rows]
        return replace(self, select="\nunion all\n".join(selects)) if selects else self


def is_fast() -> bool:
    """Whether steps have their fast forms; RECSQL_FAST=off turns them off. Raises RecsqlError if it is neither on nor off."""
    said = os.environ.get("RECSQL_FAST", "on")
    if said not in ("on", "off"):
        raise RecsqlError(f"RECSQL_FAST is {said!r}; set it to on or off")
    return said == "on"


@dataclass(frozen=True)
class Inputs:
    """The inputs of one query."""

    tables: Mapping[str, Relation]  # by role: recs, truth, users, items, ...
    names: Mapping[str, str] = field(default_factory=dict)  # SQL of the columns that are read by the user's names
    others: Sequence[str] = ()  # the other columns of interactions, which order rows with equal `names`
    cutoffs: str = ""  # the query for the cut-offs
    depth: str = ""  # the largest cut-off
    deepest: str = ""  # the largest cut-off that is not the whole list
    uncut: bool = False  # the whole list is among the cut-offs
    columns: Sequence[Metric] = ()
    known: Mapping[str, Value] = field(default_factory=dict)
    dialect: str = "duckdb"
    averaged: bool = False  # the values of single users are not wanted
    counted: bool = False  # with the counts of the report
    combined: bool = False  # the means are those of one data set, to be combined with others
    datasets: int = 0  # the number of data sets whose sums are compared; 0 without a column of these
    ranked: bool = False  # models are ranked, over the users who have a value of each
    lower: Sequence[str] = ()  # of ranks: the metrics whose low values are the better ones
    itemised: bool = False  # a metric of the call has a value for each group of items, so that results have slices
    partial: bool = False  # sums are wanted instead of means, to be added to those of other users
    lists: Relation | None = None  # recs, if they are given as one LIST per row
    modelled: bool = True  # recs have a column model, or may have one
    graded: bool = True  # truth has a column relevance, or may have one
    finite: bool = False  # no relevance can be NaN or infinite: they are whole numbers
    slices: Sequence[Slice] = ()  # the groups of users
    clustered: bool = False  # truth has a column of clusters of users
    unread: str = ""  # a column that is likely the relevance that truth lacks; only checks read it
    rated: str = ""  # the same for a rating, which no check reads
    swapped: str = ""  # what makes truth look like lists, if recs have no ranks: rank, score (unread) or relevance
    unproven: bool = False  # for some model, no value proves that it has a hit
    repeated: bool = False  # truth may have several rows of a user and an item
    jackknifed: bool = False  # metrics that are not means over users are compared
    named: bool = False  # tables are given by name: their columns are known only when the query runs
    fast: bool = field(default_factory=is_fast)  # with the faster forms of steps
    plain: bool = False  # for people to read: without checks, with plain sums
    called: Mapping[str, str] = field(default_factory=dict)  # the caller's names for columns of results, by our names
    models: Sequence[str] = ()  # the models that the call names, in its order
    per_file: str = "''"  # an SQL literal: what sentences add if each file of recs may be a model
    only_users: Sequence[str] = ()  # the only users whose rows are wanted, as text; none for all
    keyed: bool = False  # the whole list has its number as k and not NULL, because results are joined by k

    def as_given(self, text: str, ours: str = "") -> str:
        """SQL of a column, such as `s.user_id`, or of an expression for `ours`, with the caller's name for it."""
        own = text.rpartition(".")[2] if not ours else None
        name = plain(self.called.get(own or ours, own or ours))
        return text if name == own or (own and self.keyed) else f"{text} as {name}"

    def turn(self, text: str) -> str:
        """SQL of what orders the models in a column such as `s.model`: their order in the call, or else their names."""
        cases = " ".join(f"when {quoted(model)} then {place}" for place, model in enumerate(self.models, start=1))
        return text if [*self.models] == sorted(self.models) else f"case {text} {cases} end"

    def columns_of(self, grain: str) -> list[Metric]:
        """The metrics of the pipeline of a grain."""
        return [column for column in self.columns if column.pipeline == grain]
