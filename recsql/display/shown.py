"""Results for people: tables and the lines under them, as text, Markdown, LaTeX and HTML."""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import chain
from math import inf
from typing import Any

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.printing import print_text
from recsql.base.text import on_one_line
from recsql.base.wording import said
from recsql.catalog.grammar import labelled
from recsql.display import comparison, comparison_text, findings_text, output, pivoted
from recsql.display.comparison import COLUMNS as COMPARED
from recsql.display.notes import definitions, notes, of_input, of_sample, population
from recsql.query.parts import Parts
from recsql.query.results import DATASETS, FOLDS, INTERVAL, SEGMENT, SPREAD, in_words_of, metadata_of

MEANS = {"model", "metric", "k", "value", "users", "lists", "definition"}  # the columns of evaluate, merge and item_metrics
PLANNED = ("model", "baseline", "metric", "k", "users", "value", "detectable", "users_needed", "users_not_worse", "verdict")
CONVENTIONS = {*MEANS, "preset", "because"}
WIDEST = 120  # characters of a table in a notebook; a wider one has models as rows
ROWS = ("metrics", "models")  # the rows that a table of means can have
CATALOGUES = (("metric", "title", "formula", "aliases"), ("option", "topic", "default", "values", "about"))  # what people see


@dataclass(frozen=True, repr=False)
class Shown:
    """The table of a result, further tables, and the lines under them."""

    table: pa.Table
    further: Sequence[pa.Table] = ()
    notes: Sequence[str] = ()
    of_models: str = ""  # the table of a comparison in LaTeX, where it has another shape
    turns: bool = False  # the rows can be models instead of metrics
    prose: str = ""  # text in place of the table

    @classmethod
    def of(cls, result: pa.Table | Parts, sort: str | None = None) -> "Shown":
        """What is shown of a result, in its words: of users and items, or of queries and documents."""
        if isinstance(result, Parts):
            return cls(result.rows, notes=str(result).split("\n"), prose=str(result))
        if not isinstance(result, pa.Table):
            raise RecsqlError(f"result: {type(result).__name__} is not a result; give the table that recsql.evaluate returns")
        with in_words_of(result):
            shown = cls.plain(result, sort)
            return replace(shown, notes=[*map(said, shown.notes)], prose=said(shown.prose))

    @classmethod
    def plain(cls, result: pa.Table, sort: str | None) -> "Shown":
        """What is shown of a table; its columns tell which function returned it. `sort` is the metric that orders the models."""
        if {*result.column_names} >= findings_text.COLUMNS:
            return cls(result, notes=findings_text.summary(result), prose=findings_text.text(result))
        if "definition" not in result.column_names:
            shown = next((one for one in CATALOGUES if {*one} <= {*result.column_names}), result.column_names)
            return cls(result.select(shown), notes=metadata_of(result).get("told", ()))
        names = {*result.column_names}
        pivoted.refuse_twice(result)
        if sort is not None:
            if names not in (MEANS, MEANS | {*INTERVAL}):
                raise RecsqlError("sort: only means of metrics, without slices, folds and data sets, can be sorted; leave it out")
            told = [f"{pivoted.MARK} the best value of its metric. The models are sorted by {sort}.", *definitions(result)]
            table = pivoted.side_by_side(pivoted.best_first(result, sort), marked=True)
            return cls(table, notes=[*told, *notes(result)], turns=True)
        if names >= CONVENTIONS:
            reasons = pivoted.reasons(result)
            shown = cls(pivoted.by_preset(result), [reasons] if reasons.num_rows else [], [*of_sample(result)])
        elif names >= {*COMPARED}:
            of_models = "" if names >= {*SEGMENT, "share"} else comparison.latex(result)
            shown = cls(comparison.table(result), notes=comparison_text.notes(result), of_models=of_models)
        elif names >= {*pivoted.RANKED}:
            counted = [*population(result), *of_input(result)]
            shown = cls(pivoted.of_ranks(result), notes=[*metadata_of(result).get("told", ()), *counted])
        elif names >= {*PLANNED}:
            told = [one for one in PLANNED if result[one].null_count < result.num_rows]
            shown = cls(result.select(told), notes=metadata_of(result).get("told", ()))
        elif names >= {*SEGMENT, "share", *MEANS} or names in (MEANS, MEANS | {*INTERVAL}):
            shown = cls(pivoted.side_by_side(result), notes=notes(result), turns="slice" not in names)
        elif names >= {*MEANS, SPREAD}:
            kind = FOLDS if FOLDS.name in names else DATASETS
            given = "; their intervals take the data sets as given" if kind is DATASETS and {*INTERVAL} <= names else ""
            last = f"The last lines are means over {kind.several}{given or f', ± the standard deviation between {kind.several}'}."
            own = [] if kind.shares else ["The same user id in two data sets is two users."]
            shown = cls(pivoted.by_fold(result, kind.name), notes=[last, *own, *of_input(result)])
        else:
            shown = cls(result.drop_columns("definition"))
        return replace(shown, notes=[*definitions(result), *shown.notes])

    def with_rows(self, rows: str | None, width: int | None = None) -> "Shown":
        """The same with metrics or models as rows; if `rows` is None, models if the table is too wide otherwise."""
        if rows not in (None, *ROWS) or (rows == "models" and not self.turns):
            raise RecsqlError(
                f"rows: only means of metrics can be shown by model; choose one of {', '.join(ROWS)}, or leave it out"
            )
        if rows == "metrics" or not self.turns:
            return replace(self, turns=False)
        turned = pivoted.models_as_rows(self.table)
        own, other = (sum(room + 2 for room in output.natural_widths(table)) - 2 for table in (self.table, turned))
        return self if rows is None and (own <= (width or inf) or own <= other) else replace(self, table=turned, turns=False)

    def text(self, width: int | None = None) -> str:
        """The tables and lines as text. A table wider than `width` is shortened."""
        if self.prose:
            return self.prose
        tables = [output.aligned(table, width) for table in (self.table, *self.further)]
        return "\n\n".join(filter(None, [*tables, "\n".join(self.notes)]))

    def markdown(self) -> str:
        """The same in Markdown. Each line under a table is a paragraph, because Markdown would join lines."""
        return "\n\n".join([*map(output.markdown, (self.table, *self.further)), *map(output.in_markdown, self.notes)])

    def latex(self) -> str:
        """The same in LaTeX, with the lines under the tables as comments."""
        tables = [self.of_models or output.latex(self.table), *map(output.latex, self.further)]
        return "\n".join([*tables, *(f"% {on_one_line(note)}" for note in self.notes)])

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """What a notebook displays."""
        tables = [output.html(table) for table in (self.with_rows(None, WIDEST).table, *self.further)]
        return "\n".join([*tables, *(f"<p>{escape(note)}</p>" for note in self.notes)])


def show(result: pa.Table | Parts, rows: str | None = None, *, sort: str | None = None) -> None:
    """Prints a result as the command line does: models side by side, and under them which users are in the mean.

    A notebook displays HTML instead. Only the first 40 rows of a long table are shown.

    Args:
        result: What `evaluate`, `compare`, `merge`, `item_metrics`, `per_user`, `hits`, `evaluate_ratings`, `conventions`,
            `metrics` or `options` returned; of a split, the counts and what is odd about the parts.
        rows: "models" for a row per model and a column per metric, where the result has means of metrics.
        sort: A metric such as "ndcg@10": a row per model, the best one first, and the best value of each metric marked.

    Raises:
        RecsqlError: If `result` is not a pyarrow.Table, or has no rows of that kind.

    >>> recsql.show(recsql.evaluate({"u1": {"a": 0.9, "b": 0.8}}, {"u1": {"b": 1}}, "rr@2"))
    metric   value
    ------  ------
    rr@2    0.5000
    <BLANKLINE>
    Users in the mean: 1. Users with truth: 1.
    """
    shown = Shown.of(result, sort).with_rows(rows or (sort and "models"))
    if notebook() is not None:
        from IPython.display import display

        display(shown)
    else:
        print_text(repr(shown))


def to_markdown(result: pa.Table) -> str:
    """Returns what `show` prints as Markdown, with all rows; RecsqlError if `result` is not a pyarrow.Table."""
    return Shown.of(result).markdown()


def to_latex(result: pa.Table) -> str:
    """Returns the table that `show` prints as a LaTeX tabular, with all its rows. It needs the LaTeX package booktabs.

    The lines under the table follow as comments.

    A comparison has a row per model and a column per metric instead. The best value is bold. A superscript has the letters of
    the models that this one is shown to be better than.

    Raises RecsqlError if `result` is not a pyarrow.Table.
    """
    return Shown.of(result).latex()


def wide(result: pa.Table) -> pa.Table:
    """Returns the values of a result with a row per model, and a column per metric and cut-off, such as ndcg@10.

    Further columns identify the rows: slice and segment, fold, data set, preset or baseline.

    Raises RecsqlError if `result` is not a table with a row per metric, as `evaluate` returns.
    """
    if not isinstance(result, pa.Table) or not {"metric", "value"} <= {*result.column_names}:
        raise RecsqlError("result: it has no row per metric; give the table that recsql.evaluate returns")
    pivoted.refuse_twice(result)
    keys = [name for name in result.column_names if name in pivoted.KEYS]
    rows: dict[tuple[object, ...], dict[str, object]] = {}
    for row in result.to_pylist():
        of_key = {name: row[name] for name in keys}
        rows.setdefault(tuple(of_key.values()), of_key)[labelled(row["metric"], row.get("k"))] = row["value"]
    metrics = (pa.field(name, pa.float64()) for name in dict.fromkeys(chain.from_iterable(rows.values())) if name not in keys)
    return pa.Table.from_pylist([*rows.values()], pa.schema([*map(result.schema.field, keys), *metrics], result.schema.metadata))


def to_dict(result: pa.Table, *, plain: bool = False) -> dict[str, Any]:
    """Returns the values of a result by metric, as {"ndcg@10": 0.04}; of several models by their names, as {"pop": {...}}.

    Segments, folds, data sets, presets and baselines are part of the name, as in "pop/country/DE". With `plain`, metrics have
    names of letters, digits and _, as in ndcg_at_10, which MLflow needs. Raises RecsqlError as `wide` does.
    """
    found = {}
    for row in wide(result).to_pylist():
        name = "/".join(str(row[key]) for key in pivoted.KEYS if row.get(key) is not None)
        values = ((re.sub(r"\W+", "_", one.replace("@", " at ")) if plain else one, row[one]) for one in row)
        found[name] = {metric: value for metric, value in values if metric not in pivoted.KEYS}
    return found if len(found) != 1 else found.popitem()[1]


def notebook() -> Any:
    """The current IPython session; None outside of one."""
    ipython = sys.modules.get("IPython")  # without an import, there is no session
    return None if ipython is None else ipython.get_ipython()


def html_of(table: pa.Table) -> str | None:
    """What a notebook displays for a result of recsql; None for other Arrow tables, which are displayed as usual."""
    return Shown.of(table)._repr_html_() if b"recsql" in (table.schema.metadata or {}) else None


if (session := notebook()) is not None:  # a notebook that imports recsql has its session already
    session.display_formatter.formatters["text/html"].for_type(pa.Table, html_of)
