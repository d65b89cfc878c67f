"""One call, from the arguments to the result: its inputs found, its options checked, its result described."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import chain
from types import SimpleNamespace
from typing import Any

import pyarrow as pa

from recsql.base import wording
from recsql.base.errors import BadInput, EngineError, RecsqlError, UnknownName, warn
from recsql.base.package import release
from recsql.base.paths import matches, refuse_to_replace
from recsql.base.statement import Joined
from recsql.base.text import is_quoted
from recsql.base.text import plain as as_column
from recsql.calls.counts import counts_in, idle_truth, of_models
from recsql.calls.requests import both_means, refuse_others_requests
from recsql.calls.train_checks import refuse_seen, refuse_unknown_users
from recsql.calls.warnings import not_read, of_all, told, utter, warned
from recsql.catalog import GRAINS, catalog
from recsql.catalog.grammar import FEW, WHOLE, Cutoffs, cutoffs
from recsql.catalog.headers import Value
from recsql.catalog.options import literal
from recsql.catalog.roles import NAMES, ROLES, Names
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.engines.elsewhere import Elsewhere
from recsql.engines.spark import Spark
from recsql.query.binding import Inputs
from recsql.query.intervals import refuse_clusters
from recsql.query.key_columns import SEGMENT
from recsql.query.plan import Pipeline, hint_at_users, plan
from recsql.query.render import Query
from recsql.query.slices import columns_in
from recsql.query.templates import dialect, spelt, template
from recsql.show.judged import added_up, judged
from recsql.show.output import refuse_other_format
from recsql.tables.files import FORMATS, naming
from recsql.tables.folds import folds_of, refuse_folds, together
from recsql.tables.inputs import check_types, inputs_of, relation, taken
from recsql.tables.ranking import ordered
from recsql.tables.source_table import Given

Table = Any  # a path, glob, list of paths, table name, DuckDB relation, Arrow data, data frame or mapping of models
Metrics = str | Iterable[str] | None
IN_A_LIST = " in the list of user "  # in sentences about an item or a rank that is there twice
Connection = Any  # a DuckDB connection or a SparkSession; None for a new one per call


@dataclass(frozen=True)
class Call:
    """One call whose inputs are found and whose options are checked."""

    engine: Engine
    inputs: Inputs
    pipelines: Sequence[Pipeline]
    read: Sequence[str] = ()  # the paths and globs of the input files
    grains: Sequence[str] = ()  # whose options the call has
    folds: Mapping[Any, Inputs] = field(default_factory=dict)  # the tables of each fold, if recs and truth have a column fold
    order: Callable[[Pipeline], Pipeline] = replace  # names the column that orders the lists of a further pipeline

    def bindings(self, *, averaged: bool = False, counted: bool = False, partial: bool = False) -> Iterator[Inputs]:
        """What the query of each pipeline is bound to. Several with a row per user are joined by their cut-offs."""
        for pipeline in self.pipelines:
            yield replace(
                self.inputs,
                cutoffs=one_row_each(pipeline.ks),
                depth=str(max(pipeline.ks, default="")),
                deepest=str(max((k for k in pipeline.ks if k != WHOLE), default=0)),
                uncut=WHOLE in pipeline.ks,
                columns=pipeline.columns,
                known=pipeline.options,
                averaged=averaged,
                counted=counted,
                partial=partial,
                keyed=len(self.pipelines) > 1 and not averaged,
                modelled=self.inputs.modelled or partial,
            )

    def text(self, target: str, *, averaged: bool = False) -> str:
        """The statement of a target; those of several pipelines are joined."""
        queries = [Query(one, target).statement() for one in self.bindings(averaged=averaged)]
        if len(queries) == 1:
            return queries[0]
        numbers = dict(enumerate(self.pipelines, start=1))
        shown = [(column, number) for number, one in numbers.items() for column in one.columns if column.shown]
        context = {
            "queries": queries,
            "numbered": [
                SimpleNamespace(number=number, order=order, heading=column.heading, title=column.title)
                for order, (column, number) in enumerate(sorted(shown, key=lambda one: one[0].place), start=1)
            ],
            "ordinary_first": sorted(numbers, key=lambda number: not numbers[number].by_call),
            "whole": WHOLE,
            "uncut": any(WHOLE in one.ks for one in self.pipelines),
            "spread": self.pipelines[0].options.get("interval") is not None,
            "slices": self.inputs.slices,
            "sliced": bool(self.inputs.slices),
            "with_order": any(one.is_ordered for one in self.inputs.slices),
            "literal_of": literal,
            "as_given": self.inputs.as_given,
            "turn": self.inputs.turn,
            "user_column": as_column(self.inputs.ids.get("user_id", "user_id")),
        }
        return Joined.of(template(f"{target}_joined", **context), queries)

    def run(self, target: str) -> pa.Table:
        return self.engine.query(self.text(target))

    def rows(self, target: str, into: str | None = None) -> Any:
        """The result of a target with the report in its metadata, or None if it goes into a new table or a Parquet file."""
        return self.stored(self.text(target), into, **told(self.engine, self.bindings()))

    def stored(self, text: str, into: str | None, **further: Any) -> Any:
        """The rows of a query, as in `rows`; `further` is added to the report."""
        if into is None:
            return self.described(self.engine.query(text), **further)
        if not isinstance(into, str | os.PathLike) or not os.fspath(into):
            raise BadInput(f"into: {into!r} is neither a table name nor a path; give one of them")
        place = os.fspath(into)
        if not is_quoted(place):
            self.refuse(place)
        if is_quoted(place) or ("/" not in place and not place.lower().endswith(".parquet")):
            self.engine.keep(text, place)
        else:
            self.engine.write(text, place, {"recsql": self.report(**further)})
        utter(further)
        return None

    def refuse(self, path: str) -> None:
        """Raises RecsqlError if the Parquet file to write is an input, or if its ending is that of another format."""
        refuse_other_format(path)
        refuse_to_replace(self.read, path)

    def described(self, rows: pa.Table, **further: Any) -> pa.Table:
        """Returns the rows with the report in the schema's metadata, and issues its warnings."""
        utter(further)
        return rows.replace_schema_metadata({"recsql": self.report(**further)})

    def report(self, **further: Any) -> str:
        """The metrics, options and versions, as a JSON object."""
        shown = [(column, one.options_of(column)) for one in self.pipelines for column in one.columns if column.shown]
        likes = {pipeline.options.get("like") for pipeline in self.pipelines} | {column.like for column, _ in shown}
        named = catalog().options_of({column.grain for column, _ in shown} | ({*self.grains} - {*GRAINS, "segment"}))
        report = {
            "options": [{named[name].called: pipeline.options[name] for name in named} for pipeline in self.pipelines],
            "metrics": {
                column.heading: {"definition": column.label, **options}
                for column, options in sorted(shown, key=lambda pair: pair[0].place)
            },
            "presets": {name: f"{preset.title} {preset.version}" for name, preset in catalog().presets.items() if name in likes},
            "versions": {"recsql": release(), **self.engine.versions},
            **({"notes": [f"{not_read('The truth', self.inputs.rated)}."]} if self.inputs.rated else {}),
            **further,
        }
        return json.dumps(report, default=str)


def one_row_each(ks: Sequence[int]) -> str:
    """The query for the cut-offs; of a union of thousands, DuckDB 2.0 makes a plan for seconds."""
    if len(ks) > FEW:
        return f"select c.k\nfrom (values {', '.join(f'({k})' for k in ks)}) as c (k)"
    return "\nunion all\n".join(f"select {k} as k" for k in ks)


@contextmanager
def calling(
    grains: Sequence[str],
    given: Mapping[str, Table],
    metrics: Metrics,
    k: Cutoffs,
    settings: Mapping[str, Value],
    dialect_asked: str | None = None,
    *,
    once: bool = True,
    sums: bool = False,
    folds: bool = False,
    both: bool = False,
    plain: bool = False,
) -> Iterator[Call]:
    """A call for metrics of some grains, with its inputs found and checked; what it registered is removed afterwards.

    `given` has a table for each role; options can add more. `settings` has the column names, the connection and the options.
    `once`: text files are read once, into a table of the call, and not by each query. `sums`: they are for intervals to come.
    `folds`: recs and truth can have a column fold. `both`: of a truth of requests, the mean over all of them is wanted, too.
    `plain`: the queries are to be read, without checks and fast forms.
    """
    names, options = parted(settings)
    pipelines = plan(metrics, k, options, grains)
    measured = {k for one in pipelines for k in one.ks}
    if measured and not measured >= {*cutoffs(k, [])}:
        warn("k: every metric has its own cut-off, so k has no effect; leave one of the two out")
    refuse_seen(pipelines, grains)
    refuse_clusters(names.cluster, pipelines, "truth" in given, sums=sums)
    by = pipelines[0].options["by"]
    tables = {name: options[name] for name, option in catalog().options.items() if option.is_table(options.get(name))}
    with engine_of(settings, dialect_asked) as engine:
        said = [name for name, value in settings.items() if value is not None]
        every, kind, guessed = {**given, **tables}, settings.get("input"), dialect_asked is not None
        found = taken(engine, every, names, kind, said, once=once, sliced=columns_in(by), guessed=guessed)
        check_types(found)
        refuse_others_requests(found, pipelines[0].options, grains, sums=sums)
        refuse_unknown_users(pipelines, found)
        pipelines = both_means(pipelines, found, settings) if both else pipelines
        order = partial(ordered, found=found, names=names)
        inputs = inputs_of(found, engine.dialect, by, plain=plain)
        by_fold = folds_of(engine, found, dialect(engine.dialect)) if engine.dialect == engine.reads else {}
        refuse_folds(by_fold, by, folds=folds)
        parts = {value: inputs_of(tables, engine.dialect, None) for value, tables in by_fold.items()}
        read = [path for one in found.values() for path in one.paths]
        call = Call(engine, inputs, [order(one) for one in pipelines], read, grains, parts, order)
        with naming([path for one in found.values() for path in one.parquet]), naming_model(call, found):
            yield call


@contextmanager
def naming_model(call: Call, found: Mapping[str, Given]) -> Iterator[None]:
    """If a check finds a problem in the tables of several models, names the model that has it; or offers to name the models."""
    try:
        yield
    except BadInput as error:
        for role, given in found.items():
            if not str(error).startswith(f"{given.name}: "):
                continue
            if given.models:
                for model, one in given.models.items():
                    refuse_alone(call, role, replace(given, name=one.name, models={model: one}))
            if IN_A_LIST in str(error) and not given.has("model") and len({*chain(*map(matches, given.paths))}) > 1:
                raise BadInput(f"{error}; or has each file a model? {wording.each_model()}") from None
        raise


def refuse_alone(call: Call, role: str, given: Given) -> None:
    """Raises BadInput if a check finds a problem in the table of one model."""
    tables = {**call.inputs.tables, role: relation(ROLES[role], given, dialect(call.engine.dialect))}
    target = "rating_metrics" if role == "predictions" else "evaluate"
    for binding in replace(call, inputs=replace(call.inputs, tables=tables)).bindings(averaged=True):
        with suppress(EngineError):
            for problem in call.engine.query(Query(binding, target).statement().problems)["message"].to_pylist():
                raise BadInput(problem)


def parted(settings: Mapping[str, Value]) -> tuple[Names, dict[str, Value]]:
    """The column names and the options among the settings of a call."""
    columns = {field.name for field in fields(Names)}
    for name, value in settings.items():
        if name in columns and (not isinstance(value, str | None) or value == ""):
            raise RecsqlError(f"{name}: {value!r} is not a column name; give the name as text")
    for name, choices in (("input", FORMATS), ("names", NAMES)):
        if settings.get(name) not in (None, *choices):
            raise BadInput(f"{name}: unknown value {settings[name]!r}; choose one of {', '.join(choices)}")
    given = {
        name: value
        for name, value in settings.items()
        if name in columns and value != getattr(Names, name) and (value is not None or name == "relevance")
    }
    names = Names(**{**NAMES.get(settings.get("names") or "", {}), **given})
    names = replace(names, truth_user=names.truth_user or names.user, truth_item=names.truth_item or names.item)
    others = {*columns, "connection", "input", "names"}
    return names, {name: value for name, value in settings.items() if name not in others}


@contextmanager
def engine_of(settings: Mapping[str, Value], dialect_asked: str | None = None) -> Iterator[Engine]:
    """The engine of a call; what was registered with it is removed afterwards."""
    connection, name = settings.get("connection"), dialect_asked
    if name is not None and name not in catalog().dialects:
        raise UnknownName(f"dialect: unknown value {name!r}; choose one of {', '.join(catalog().dialects)}")
    engine: Engine
    if type(connection).__module__.startswith("pyspark."):
        if name not in (None, Spark.dialect):
            raise BadInput(f"dialect: a Spark session can't inspect tables for {name}; leave dialect= or connection= out")
        engine = Spark(connection, partial(spelt, name=Spark.dialect))
    else:
        engine = DuckDB(connection) if name in (None, DuckDB.dialect) else Elsewhere(name)
    try:
        yield engine
    finally:
        engine.release()


def averaged(call: Call) -> pa.Table:
    """The rows of all pipelines as one table, model by model, with the report in the schema's metadata.

    With folds, those of each fold, and their means.
    """
    if call.folds:
        parts = {fold: measured(replace(call, inputs=inputs)) for fold, inputs in call.folds.items()}
        reports = [further for _, further in parts.values()]
        rows = together({fold: rows for fold, (rows, _) in parts.items()})
        return call.described(rows, folds=list(parts), **added_up(reports), **of_all(reports))
    rows, further = measured(call)
    return call.described(rows, **further)


def measured(call: Call) -> tuple[pa.Table, dict[str, Any]]:
    """The means of all pipelines, and what the report has beside the call."""
    tables = [call.engine.query(Query(one, "evaluate").statement()) for one in call.bindings(averaged=True, counted=True)]
    rows = in_order([table.drop_columns(counts_in(table)) for table in tables], call.pipelines)
    values = [(row["model"], row["metric"], row["value"]) for row in rows.to_pylist()]
    further: dict[str, Any] = {"clustered": True} if call.inputs.clustered else {}
    further |= {**judged(call.engine, call.bindings()), **warned(call.engine, call.bindings(), values, idle_truth(tables[0]))}
    models = of_models(tables[0])
    hint_at_users(call.pipelines, models, idle_truth(tables[0]))
    return rows, {"models": models, **further}


def of_users(call: Call) -> pa.Table:
    """The metrics of each user, with the report in the schema's metadata."""
    rows = call.run("per_user")
    names = [column.heading for one in call.pipelines for column in one.columns if column.shown]
    largest = rows.group_by("model").aggregate([(name, "max") for name in names]).to_pylist()
    return call.described(
        rows,
        **warned(call.engine, call.bindings(), [(row["model"], name, row[f"{name}_max"]) for row in largest for name in names]),
    )


def in_order(tables: Sequence[pa.Table], pipelines: Iterable[Pipeline]) -> pa.Table:
    """The rows of each pipeline as one table: model by model, the metrics in the order of the call."""
    rows = pa.concat_tables(tables)
    if len(tables) == 1:
        return rows
    places = {column.heading: column.place for one in pipelines for column in one.columns if column.shown}
    found = rows.to_pylist()
    segments = [tuple(row.get(name) for name in SEGMENT) for row in found]
    models = {model: place for place, model in enumerate(dict.fromkeys(row["model"] for row in found))}
    first = {segment: place for place, segment in reversed(list(enumerate(segments)))}

    def key(place: int) -> tuple[Any, ...]:
        row = found[place]
        return models[row["model"]], first[segments[place]], places[row["metric"]]

    return rows.take(pa.array(sorted(range(len(found)), key=key), pa.int64()))
