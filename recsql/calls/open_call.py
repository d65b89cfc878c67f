"""Opens the call of every function: finds the tables, checks the options, binds the queries, and cleans up at the end."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields, replace
from functools import partial

from recsql.base.errors import BadInput, EngineError, FailedCheck, RecsqlError, UnknownName, warn
from recsql.base.wording import PASSAGE, QUERY, USER, spoken
from recsql.calls.call import Call, Metrics, Table
from recsql.calls.refusals import find_refusals, refuse_tables
from recsql.calls.warnings import ON_ODDITY, WARN
from recsql.catalog import catalog
from recsql.catalog.grammar import Asked, Cutoffs, cutoffs, is_named
from recsql.catalog.headers import Given
from recsql.catalog.roles import NAMES, Names
from recsql.engines import Engine
from recsql.engines.duckdb import DuckDB
from recsql.engines.shared import SHARED
from recsql.engines.spark import Spark
from recsql.query.metric import Metric
from recsql.query.metric_names import label
from recsql.query.plan import Pipeline, plan, usual
from recsql.query.render import Query
from recsql.query.slices import columns_in
from recsql.query.templates import dialect, spelt
from recsql.tables.columns import choose_order
from recsql.tables.datasets import of_each_dataset
from recsql.tables.files import FORMATS, name_damaged
from recsql.tables.find import Finder
from recsql.tables.folds import kept_apart, refuse_missing
from recsql.tables.inputs import inputs_of, relation
from recsql.tables.source_table import SourceTable
from recsql.tables.types import check_types

# Columns of a truth of requests: the user of a request, and the number of events of an item.
OF_REQUESTS = ("person_id", "events")


@contextmanager
def opened(
    tables: Mapping[str, Table],
    grains: Sequence[str],
    settings: Mapping[str, Given],
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    sql_of: str | None = None,
    once: bool = True,
    sums: bool = False,
    apart: Collection[str] = (),
    both: bool = False,
    plain: bool = False,
    texts: Table = None,
    of_items: bool = False,
) -> Iterator[Call]:
    """Finds the tables of a call and checks its options; at the end, removes what it registered.

    `tables` are by role; options can add more. `grains` say what is computed, and so which options there are. `settings` has the
    column names, the connection and the options.

    `sql_of`: the dialect of a query that is only written. `once`: text files are read once, into a table of the call, and not by
    each query. `sums`: the result is sums, for later intervals. `apart`: the columns whose values are kept apart, fold and
    dataset. `both`: a truth of requests also has the means over all of them. `plain`: queries for people to read, without checks
    and fast forms. `texts`: a further table, of the texts of users. `of_items`: a truth with spans of documents is refused.
    """
    names, options = parse_settings(settings, grains)
    pipelines = plan(metrics, k, options, grains)
    measured = {k for one in pipelines for k in one.ks}
    if is_named(k) and measured and not measured >= {*cutoffs(k, [])}:
        warn("k: every metric has its own cut-off, so k has no effect; leave one of the two out")
    for sentence in find_refusals(grains, options, pipelines, tables, names, sums=sums):
        raise RecsqlError(sentence)
    by = pipelines[0].by
    of_options = {name: options[name] for name, option in catalog().options.items() if option.is_table(options.get(name))}
    with open_engine(settings, sql_of) as engine:
        said = [name for name, value in settings.items() if value is not None]
        finder = Finder(
            engine, names, settings.get("input"), said, columns_in(by), sql_of is not None, options.get("spans") in (True, "true")
        )
        found = finder.open_tables({**tables, **of_options, **({} if texts is None else {"texts": texts})}, once=once)
        if "truth" in found and found["truth"].has("document"):
            if of_items:
                spans = f"{found['truth'].name}: it has spans of documents"
                raise BadInput(f"{spans}, for which other libraries have no conventions; use evaluate")
            pipelines = plan(metrics, k, {**options, "spans": "true"}, grains, again=True)
        for tables in of_each_dataset(found).values() or [found]:
            check_types(tables)
            refuse_tables(grains, tables, pipelines)
        pipelines = both_means(pipelines, found, settings) if both else pipelines
        order = partial(choose_order, found=found, names=names)
        kind, of_each = kept_apart(engine, found, by, names, apart)
        inputs = inputs_of(found, engine.dialect, names, by, plain=plain)
        parts = {value: inputs_of(one, engine.dialect, names) for value, one in of_each.items()}
        if pipelines[0].options["rank__missing"] == "error":
            refuse_missing(engine, parts, kind, found)
        on_oddity = settings.get("findings") or WARN
        call = Call(engine, inputs, [order(one) for one in pipelines], found, grains, kind, {}, on_oddity, order)
        call = replace(call, folds={value: replace(call, inputs=parts[value], found=one) for value, one in of_each.items()})
        own = [*inputs.models, *(each.name for one in found.values() for each in one.each)]
        with name_damaged(found.values()), naming_model(call), spoken(words_of(found, settings), own):
            yield call


def words_of(found: Mapping[str, SourceTable], settings: Mapping[str, Given]) -> str:
    """What people read in place of users and items: what the call says, else the words of its tables."""
    of_spans = "truth" in found and found["truth"].has("document")
    of_trec = any(each.kind == "trec" for one in found.values() for each in one.each)
    words = settings.get("words") or (QUERY if of_spans or of_trec or settings.get("names") == "beir" else USER)
    return PASSAGE if of_spans and words == QUERY else words


def parse_settings(settings: Mapping[str, Given], grains: Sequence[str] = ()) -> tuple[Names, dict[str, Given]]:
    """The column names and the options among the settings of a call."""
    columns = {field.name for field in fields(Names)} - ({"start"} if "event" in grains else set())
    for name, value in settings.items():
        if name in columns and (not isinstance(value, str | None) or value == ""):
            raise RecsqlError(f"{name}: {value!r} is not a column name; give the name as text")
    for name, choices in (("input", FORMATS), ("names", NAMES), ("findings", ON_ODDITY), ("words", (USER, QUERY))):
        if settings.get(name) is not None and not (isinstance(settings[name], str) and settings[name] in choices):
            raise BadInput(f"{name}: unknown value {settings[name]!r}; choose one of {', '.join(choices)}")
    given = {
        name: value
        for name, value in settings.items()
        if name in columns and value != getattr(Names, name) and (value is not None or name == "relevance")
    }
    names = Names(**{**NAMES.get(settings.get("names") or "", {}), **given})
    names = replace(names, truth_user=names.truth_user or names.user, truth_item=names.truth_item or names.item)
    others = {*columns, "connection", "input", "names", "findings", "words"} - {"budget", "propensity"}
    return names, {name: value for name, value in settings.items() if name not in others}


@contextmanager
def open_engine(settings: Mapping[str, Given], sql_of: str | None = None) -> Iterator[Engine]:
    """Yields the engine of a call; at the end, removes what was registered with it."""
    connection = settings.get("connection")
    if sql_of is not None and sql_of not in catalog().dialects:
        raise UnknownName(f"dialect: unknown value {sql_of!r}; choose one of {', '.join(catalog().dialects)}")
    engine: Engine
    if (shared := SHARED.get()) is not None:
        engine = shared
    elif type(connection).__module__.startswith("pyspark."):
        if sql_of not in (None, Spark.dialect):
            raise BadInput(f"dialect: a Spark session can't inspect tables for {sql_of}; leave dialect= or connection= out")
        engine = Spark(connection, partial(spelt, name=Spark.dialect))
    else:
        engine = DuckDB(connection) if sql_of in (None, DuckDB.dialect) else DuckDB(dialect=sql_of)
    try:
        yield engine
    finally:
        engine.release()


def both_means(pipelines: Sequence[Pipeline], found: Mapping[str, SourceTable], settings: Mapping[str, Given]) -> list[Pipeline]:
    """The pipelines; of a truth of requests each twice, the second with requests without an event as 0, unless the call chose."""
    columns = found["truth"].types.keys() if "truth" in found else ()
    left_out = catalog().options["no_truth"].default
    chosen = settings.get("no_truth") is not None or any(
        one.options["no_truth"] != left_out or any(column.options["like"] for column in one.columns) for one in pipelines
    )
    if chosen or not {*OF_REQUESTS} <= {*columns} or settings.get("user") in OF_REQUESTS:
        return list(pipelines)
    return [*pipelines, *(zero for one in pipelines if (zero := over_all(one)).columns)]


def over_all(pipeline: Pipeline) -> Pipeline:
    """The pipeline with means over all requests; a request without an event counts as 0."""

    def named(metric: Metric) -> Metric:
        definition = label(Asked(metric.metric), None, metric.options, usual(None))
        heading = metric.heading.partition("(")[0] + definition.removeprefix(metric.metric)
        return replace(metric, heading=heading, label=definition)

    over = pipeline.under(no_truth="zero")
    of_users = (metric for metric in over.columns if metric.grain == "user")
    return replace(over, columns=tuple(named(metric) if metric.shown else metric for metric in of_users), by_call=False)


@contextmanager
def naming_model(call: Call) -> Iterator[None]:
    """Adds the model to the error of a check in the lists of several models."""
    try:
        yield
    except FailedCheck:
        for role in {"recs", "predictions"} & call.found.keys():
            for model, one in call.found[role].models.items():
                refuse_alone(call, role, replace(call.found[role], name=one.name, models={model: one}))
        raise


def refuse_alone(call: Call, role: str, given: SourceTable) -> None:
    """Raises FailedCheck if a check finds a problem in the table of one model."""
    tables = {**call.inputs.tables, role: relation(given, dialect(call.engine.dialect))}
    for binding in replace(call, inputs=replace(call.inputs, tables=tables)).bindings(averaged=True):
        target = "rating_metrics" if role == "predictions" else "evaluate" if binding.columns else "rank_by_score"
        with suppress(EngineError):
            for problem in call.engine.query(Query(binding, target).problems())["message"].to_pylist():
                raise FailedCheck(problem)
