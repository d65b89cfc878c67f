"""One call, from its queries to its result."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from types import SimpleNamespace
from typing import Any

import pyarrow as pa

from recsql.base.errors import BadInput
from recsql.base.package import release
from recsql.base.paths import refuse_to_replace, target_of
from recsql.base.printing import STATUS
from recsql.base.statement import Joined
from recsql.base.text import is_quoted
from recsql.base.text import plain as as_column
from recsql.base.wording import SPOKEN, spoken
from recsql.calls.warnings import (
    IDLE_TRUTH,
    WARN,
    Mean,
    Warned,
    add_judged,
    count_judged,
    count_models,
    count_unfit,
    count_weights,
    drop_counts,
    find_warnings,
    issue_warnings,
    zeros,
)
from recsql.catalog import GRAINS, catalog
from recsql.catalog.grammar import FEW, WHOLE
from recsql.display.output import refuse_other_format
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.query.binding import Inputs
from recsql.query.plan import Pipeline, hint_at_users
from recsql.query.render import Query
from recsql.query.results import DATASETS, FOLDS, SEGMENT, Apart, Row, names_in, of_words
from recsql.query.templates import template
from recsql.tables.datasets import Fold
from recsql.tables.folds import add_means
from recsql.tables.source_table import SourceTable

Table = Any  # a path, glob, list of paths, table name, DuckDB relation, Arrow data, data frame or mapping of models
Metrics = str | Iterable[str] | None
Rows = Any  # the rows of a result as a table; None if they go into a new table or a file
Connection = Any  # a DuckDB connection or a SparkSession; None for a new one per call


@dataclass(frozen=True)
class Call:
    """One call whose inputs are found and whose options are checked."""

    engine: Engine
    inputs: Inputs
    pipelines: Sequence[Pipeline]
    found: Mapping[str, SourceTable] = field(default_factory=dict)  # the given tables, by role
    grains: Sequence[str] = ()  # the grains of the call's options
    apart: Apart = FOLDS  # the column that keeps rows apart, if there is one
    folds: Mapping[Fold, "Call"] = field(default_factory=dict)  # the call of each of its values: of each fold or data set
    on_oddity: str = WARN  # what to do about an oddity of the tables
    order: Callable[[Pipeline], Pipeline] = replace  # sets the column that orders the lists of a further pipeline

    @property
    def recs(self) -> str:
        """The name of the lists in sentences."""
        return self.found["recs"].name if "recs" in self.found else "the parts"

    @property
    def itemised(self) -> bool:
        """Whether a metric has a value for each group of items."""
        return any(column.grain == "item_group" for one in self.pipelines for column in one.columns)

    def bindings(self, *, averaged: bool = False, counted: bool = False, partial: bool = False) -> Iterator[Inputs]:
        """The inputs of the query of each pipeline. Queries with a row per user are joined by their cut-offs."""
        for number, pipeline in enumerate(self.pipelines, start=1):
            STATUS.query = f"{number} of {len(self.pipelines)}"
            yield replace(
                self.inputs,
                cutoffs=one_row_each(pipeline.ks),
                depth=str(WHOLE if pipeline.options["budget"] else max(pipeline.ks, default="")),
                deepest=str(max((k for k in pipeline.ks if k != WHOLE), default=0)),
                uncut=WHOLE in pipeline.ks,
                columns=pipeline.columns,
                known=pipeline.options,
                averaged=averaged,
                counted=counted,
                partial=partial,
                itemised=self.itemised,
                keyed=len(self.pipelines) > 1 and not averaged,
                modelled=self.inputs.modelled or partial,
            )

    def text(self, target: str, *, averaged: bool = False) -> str:
        """The statement of a target; the statements of several pipelines are joined."""
        queries = [Query(one, target).statement() for one in self.bindings(averaged=averaged)]
        if len(queries) == 1:
            return queries[0]
        numbers = dict(enumerate(self.pipelines, start=1))
        shown = [(column, number) for number, one in numbers.items() for column in one.columns if column.shown]
        uncut = any(WHOLE in one.ks for one in self.pipelines)
        context = {
            **Query(replace(self.inputs, known=self.pipelines[0].options, uncut=uncut, itemised=self.itemised), target).context,
            "queries": queries,
            "numbered": [
                SimpleNamespace(number=number, order=order, heading=column.heading, title=column.title)
                for order, (column, number) in enumerate(sorted(shown, key=lambda one: one[0].order), start=1)
            ],
            "ordinary_first": sorted(numbers, key=lambda number: not numbers[number].by_call),
            "spread": self.pipelines[0].options.get("interval") is not None,
            "user_column": as_column(self.inputs.called.get("user_id", "user_id")),
        }
        return Joined.of(template(f"{target}_joined", **context), queries)

    def rows(self, target: str, into: str | None = None) -> Rows:
        """The result of a target with its metadata; None if it goes into a new table or a Parquet file."""
        return self.stored(self.text(target), into, warnings=find_warnings(self.engine, self.bindings()))

    def stored(self, text: str, into: str | None, warnings: Iterable[Warned] = (), **further: object) -> Rows:
        """The rows of a query, returned as by `rows`; `further` is added to the metadata."""
        if into is None:
            return self.described(self.engine.query(text), warnings, **further)
        if not isinstance(into, str | os.PathLike) or not os.fspath(into):
            raise BadInput(f"into: {into!r} is neither a table name nor a path; give one of them")
        place, sentences = os.fspath(into), issue_warnings(warnings, self.on_oddity)
        if not is_quoted(place):
            self.refuse(place)
        if is_quoted(place) or ("/" not in place and not place.lower().endswith(".parquet")):
            self.engine.keep(text, place)
        else:
            self.engine.write(text, place, {"recsql": self.metadata(warnings=sentences, **further)})
        return None

    def refuse(self, path: str) -> None:
        """Raises RecsqlError if the Parquet file can't be written, is an input, or has the ending of another format."""
        if isinstance(self.engine, DuckDB):  # the files of Spark are those of its cluster
            target_of(path)
        refuse_to_replace([path for one in self.found.values() for table in one.each for path in table.paths], path)
        refuse_other_format(path)

    def described(self, rows: pa.Table, warnings: Iterable[Warned] = (), **further: object) -> pa.Table:
        """Returns the rows with their metadata, and issues its warnings."""
        with spoken(SPOKEN.get()[0], names_in(rows)):
            sentences = issue_warnings(warnings, self.on_oddity)
        return rows.replace_schema_metadata({"recsql": self.metadata(warnings=sentences, **further)})

    def metadata(self, **further: object) -> str:
        """The metrics, options and versions, as a JSON object."""
        shown = [(column, column.read) for one in self.pipelines for column in one.columns if column.shown]
        likes = {pipeline.options.get("like") for pipeline in self.pipelines} | {options["like"] for _, options in shown}
        named = catalog().options_of({column.grain for column, _ in shown} | ({*self.grains} - {*GRAINS, "segment"}))
        measured = self.bindings() if "truth" in self.found or "recs" not in self.found else ()
        not_read = catalog().say("relevance_not_read", truth="The truth", column=self.inputs.rated)
        entries = {
            **of_words(),
            "options": [{named[name].called: pipeline.options[name] for name in named} for pipeline in self.pipelines],
            "metrics": {
                column.heading: {"definition": column.label, **options}
                for column, options in sorted(shown, key=lambda pair: pair[0].order)
            },
            "zeros": [name for one in measured if one.columns_of("user") for name, is_zero in zeros(one).items() if is_zero],
            "presets": {name: f"{preset.title} {preset.version}" for name, preset in catalog().presets.items() if name in likes},
            "versions": {"recsql": release(), **self.engine.versions},
            **({"notes": [f"{not_read}."]} if self.inputs.rated else {}),
            **{name: found for name, found in further.items() if found or name != "warnings"},
        }
        return json.dumps(entries, default=str)


def one_row_each(ks: Sequence[int]) -> str:
    """The query for the cut-offs. It is no union, because DuckDB 2.0 plans one of thousands for seconds."""
    if len(ks) > FEW:
        return f"select c.k\nfrom (values {', '.join(f'({k})' for k in ks)}) as c (k)"
    return "\nunion all\n".join(f"select {k} as k" for k in ks)


def average(call: Call) -> pa.Table:
    """The rows of all pipelines as one table, model by model; with folds or data sets, the rows of each and their means."""
    if call.folds:
        known = call.pipelines[0].options
        combined = call.apart is DATASETS and known["interval"] is not None
        parts = {value: measure(replace(one, inputs=replace(one.inputs, combined=combined))) for value, one in call.folds.items()}
        rows = add_means({one: rows for one, (rows, *_) in parts.items()}, call.apart, known)
        found = dict.fromkeys(chain(*(warnings for _, warnings, _ in parts.values())))
        values = {f"{call.apart.name}s": list(parts)}
        return call.described(rows, found, **values, **add_judged(further for *_, further in parts.values()))
    rows, warnings, further = measure(call)
    return call.described(rows, warnings, **further)


def measure(call: Call) -> tuple[pa.Table, Iterable[Warned], dict[str, object]]:
    """The means of all pipelines, the warnings, and the further entries of the metadata."""
    rows, models, idle_truth = means_of(call)
    values = [Mean(*(row[name] for name in Mean._fields)) for row in rows.to_pylist()]
    further: dict[str, object] = {"models": models, **({"clustered": True} if call.inputs.clustered else {})}
    for count in (count_judged, count_unfit, count_weights):
        further |= count(call.engine, call.bindings())
    warnings = find_warnings(call.engine, call.bindings(), values, models, idle_truth, call.recs)
    hint_at_users(call.pipelines, models, idle_truth)
    return rows, warnings, further


def means_of(call: Call) -> tuple[pa.Table, list[Row], int | None]:
    """The means of all pipelines, the counts of each model, and the rows of truth that are not relevant or repeated, if known."""
    tables = [call.engine.query(Query(one, "evaluate").statement()) for one in call.bindings(averaged=True, counted=True)]
    first = tables[0].slice(0, 1).to_pylist()
    rows = order_rows(map(drop_counts, tables), call.pipelines)
    return rows, count_models(tables[0]), first[0].get(IDLE_TRUTH) if first else None


def measure_users(call: Call) -> pa.Table:
    """The metrics of each user, with their metadata."""
    rows = call.engine.query(call.text("per_user"))
    names = [column.heading for one in call.pipelines for column in one.columns if column.shown]
    largest = rows.group_by("model").aggregate([*((name, "max") for name in names), ([], "count_all")]).to_pylist()
    values = [Mean(row["model"], name, row[f"{name}_max"], row["count_all"]) for row in largest for name in names]
    return call.described(rows, find_warnings(call.engine, call.bindings(), values, recs=call.recs))


def order_rows(tables: Iterable[pa.Table], pipelines: Sequence[Pipeline]) -> pa.Table:
    """The rows of each pipeline as one table: model by model, the metrics in the order of the call."""
    rows = pa.concat_tables(tables)
    if len(pipelines) == 1:
        return rows
    places = {column.heading: column.order for one in pipelines for column in one.columns if column.shown}
    keys = [(row["model"], tuple(map(row.get, SEGMENT)), row["metric"]) for row in rows.to_pylist()]
    models, segments = ({value: n for n, value in enumerate(dict.fromkeys(key[of] for key in keys))} for of in (0, 1))
    order = [(models[model], segments[segment], places[metric], n) for n, (model, segment, metric) in enumerate(keys)]
    return rows.take(pa.array([n for *_, n in sorted(order)], pa.int64()))
