"""What a query is bound to: its tables, cut-offs, options and metrics."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recsql.base.errors import RecsqlError
from recsql.base.text import plain, quoted
from recsql.catalog.headers import Value
from recsql.query.metric import Metric
from recsql.query.slices import Slice


@dataclass(frozen=True)
class Relation:
    """A table as the templates read it: a SELECT with our column names, and its name as an SQL literal.

    `source` is the text after FROM if the columns of the table are unknown. `alone` is the SELECT without the column model.
    `models` has the models that the call names, each with the name of its table as an SQL literal. `columns` has the names that
    our columns have in the table itself.
    """

    select: str
    name: str
    source: str = ""
    alone: str = ""
    models: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)


def is_fast() -> bool:
    """Whether steps have their fast forms: unless RECSQL_FAST is off. Raises RecsqlError if it is neither on nor off."""
    said = os.environ.get("RECSQL_FAST", "on")
    if said not in ("on", "off"):
        raise RecsqlError(f"RECSQL_FAST is {said!r}; set it to on or off")
    return said == "on"


@dataclass(frozen=True)
class Inputs:
    """What one query is bound to."""

    tables: Mapping[str, Relation]  # by role: recs, truth, users, items, ...
    names: Mapping[str, str] = field(default_factory=dict)  # columns read under the names in your tables, as SQL
    others: Sequence[str] = ()  # the other columns of interactions, which order rows that are alike in those
    cutoffs: str = ""  # the query for the cut-offs
    depth: str = ""  # the largest cut-off
    deepest: str = ""  # the largest cut-off that is not the whole list
    uncut: bool = False  # the whole list is among the cut-offs
    columns: Sequence[Metric] = ()
    known: Mapping[str, Value] = field(default_factory=dict)
    dialect: str = "duckdb"
    averaged: bool = False  # only means are wanted, not the values of each user
    counted: bool = False  # with the counts of the report
    partial: bool = False  # sums are wanted instead of means, to be added to those of other users
    lists: Relation | None = None  # recs, if they are given as one LIST per row
    modelled: bool = True  # recs have a column model, or may have one
    graded: bool = True  # truth has a column relevance, or may have one
    finite: bool = False  # no relevance can be NaN or infinite: they are whole numbers
    slices: Sequence[Slice] = ()  # by whose columns the users are grouped
    clustered: bool = False  # truth says which users belong together
    unread: str = ""  # the column of a truth without a relevance that is likely one, and that is only checked
    rated: str = ""  # the same for a rating, which is not checked
    swapped: str = ""  # the column of truth that makes it look like lists, beside recs without ranks
    unproven: bool = False  # no value of some model proves that it has a hit
    repeated: bool = False  # truth may have several rows of a user and an item
    jackknifed: bool = False  # a comparison, or sums for intervals, have metrics that are not means over users
    named: bool = False  # tables are given by name: their columns are known only when the query runs
    fast: bool = field(default_factory=is_fast)  # with the forms of sql/fast
    plain: bool = False  # to be read: without checks, and with plain sums
    ids: Mapping[str, str] = field(default_factory=dict)  # the columns of users and items as the input names them, by our names
    models: Sequence[str] = ()  # the models that the call names, in its order
    per_file: str = "''"  # what a sentence adds if recs are several files that may each be a model, as an SQL literal
    only_user: str | None = None  # the only user whose rows are wanted, as text
    keyed: bool = False  # the cut-off of the whole list is its key and not NULL, because results are joined by it

    def as_given(self, text: str) -> str:
        """An id, such as `s.user_id`, as a column of a result: under its name in the input."""
        ours = text.rpartition(".")[2]
        name = plain(self.ids.get(ours, ours))
        return text if name == ours or self.keyed else f"{text} as {name}"

    def turn(self, text: str) -> str:
        """By what to order models, which are in a column such as `s.model`: as the call names them, or by their names."""
        cases = " ".join(f"when {quoted(model)} then {place}" for place, model in enumerate(self.models, start=1))
        return text if [*self.models] == sorted(self.models) else f"case {text} {cases} end"

    def columns_of(self, grain: str) -> list[Metric]:
        """The metrics of one grain."""
        return [column for column in self.columns if column.grain == grain]
