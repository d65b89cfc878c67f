"""Labels: the truth from a log of events, with or without impressions."""

from collections.abc import Mapping
from dataclasses import replace

from recsql.base.errors import BadInput, RecsqlError
from recsql.base.paths import refuse_same_file, whole_together
from recsql.base.statement import Statement
from recsql.calls.call import Call, Rows, Table
from recsql.calls.open_call import opened
from recsql.calls.refusals import SHOWN_BY
from recsql.calls.warnings import find_warnings
from recsql.catalog.gains import Gains
from recsql.catalog.headers import Given, Value
from recsql.display.file_notes import of_labels
from recsql.engines.duckdb import DuckDB
from recsql.query.plan import EVENTS
from recsql.query.render import Query
from recsql.query.templates import dialect
from recsql.tables.columns import name_with, no_column
from recsql.tables.source_table import SourceTable

TARGETS = {"recs": "shown_lists", "truth": "labels_alone"}  # the templates of the files
SHARED = ("shown", "outcomes")  # steps that several queries read
OPTIONAL = ("type", "request_id", "surface")  # columns that decide what a query has


def labels(
    events: Table,
    impressions: Table | None = None,
    *,
    recs: str | None = None,
    truth: str | None = None,
    into: str | None = None,
    **settings: Given,
) -> Rows:  # or the sentences, if the rows go into files
    """Makes the truth from a log of events: those in the days after a date, or after items were shown to users.

    Without `impressions`, the truth is the events in [start, start + window): a row per user and item. With them, requests are
    evaluated in place of users: what a user was shown at one time, by one model and on one surface. The shown items are the
    recommendations, and each is judged: without an event, its relevance is 0. An event goes to an earlier impression of the same
    user and item, if it is within the window of the impression.

    Args:
        events: A table with user_id, item_id, ts (a date or a time, in UTC if it has no zone) and perhaps type.
        impressions: A table with user_id, item_id, ts, rank, and perhaps model, request_id and surface.
        recs, truth: Parquet files for the shown lists and for the labels, as `evaluate` takes them: user_id (or your name for
            it) is the request, and person_id its user, for `cluster`. Either both files appear or neither does. Without
            requests, there are no lists, and only `truth` can be written. It needs DuckDB.
        into: As in `per_user`, for the rows.
        settings: The column names (user, item, ts, type, rank, model, request, surface, examination), connection, input, and the
            options of the topics events, impressions and curves in docs/options.md. `gains` maps types to numbers, or surfaces to
            such mappings. With `curve`, the relevance is clicks over the clicks that the ranks let expect.

    Returns:
        One row per shown and per labelled item, in no fixed order: part (recs or truth), model, user_id, request_id, item_id,
        rank, relevance (NULL in recs), events (how many of them count), propensity (if asked for) and, if impressions have it,
        surface. The rank is that at which the item was shown; in a truth from events alone, it is the order of the user's first
        events. In the metadata, `labels` has the counts, and `said` the sentences about them. Columns that you name keep your
        names. With recs or truth, the sentences.

    Raises:
        RecsqlError: If an option is missing or has no effect, a column is missing or has a NULL, a type of event has no gain, an
            item was shown to a user twice at one time, or no event is in the window.
    """
    with opened({"events": events}, EVENTS, {**settings, "impressions": impressions}) as given:
        refuse_columns(given.found, given.pipelines[0].options, settings)
        call, engine, options = with_columns(given), given.engine, given.pipelines[0].options
        for message in engine.query(Query(next(call.bindings()), "labels").problems())["message"].to_pylist():
            raise BadInput(message)
        kept: dict[str, str] = {}  # the shared steps as tables of this call

        def keep(step: str, rows: Statement) -> str:
            if step not in kept:
                kept[step] = engine.keep_once(f"{step}_of_recsql", rows)
            return f"{dialect(engine.dialect).inline()}(select * from {kept[step]})"

        def text(target: str, call: Call = call) -> str:
            return str(Query(next(call.bindings()), target).statement().reading(SHARED, keep))

        [counts] = engine.query(text("label_counts")).to_pylist()
        entries = {"labels": counts, "said": of_labels(counts, options)}
        if recs is None and truth is None:
            return call.stored(text("labels"), into, find_warnings(engine, call.bindings()), **entries)
        if into is not None:
            raise RecsqlError("into: the labels go to the files recs and truth; leave into= out")
        if not isinstance(engine, DuckDB):
            raise BadInput("labels: Spark can't write two files on this machine; write the rows with into='...'")
        by_request = impressions is not None and options["unit"] == "request"
        files = files_of(recs, truth, by_request=by_request)
        for path in files.values():
            call.refuse(path)
        if by_request and counts["models"] > 1:
            call = replace(call, inputs=replace(call.inputs, names={**call.inputs.names, SHOWN_BY: SHOWN_BY}))
        with whole_together(files) as beside:
            for part, path in beside.items():
                engine.copy(text(TARGETS[part], call), path, {"recsql": call.metadata(**entries)})
        return entries["said"]


def with_columns(call: Call) -> Call:
    """Binds the call to the columns of its tables."""
    found = call.found
    names = {column: column for column in OPTIONAL if any(one.has(column) for one in found.values())}
    modelled = "impressions" in found and found["impressions"].has("model")
    return replace(call, inputs=replace(call.inputs, names=names, modelled=modelled))


def refuse_columns(found: Mapping[str, SourceTable], known: Mapping[str, Value], given: Mapping[str, Given]) -> None:
    """Raises BadInput for gains of types or surfaces that the tables do not have."""
    for name in (name for name in ("gains", "other") if given.get(name) is not None and not found["events"].has("type")):
        raise BadInput(no_column(found["events"], "type", f"{name_with('type')}, or leave {name}= out"))
    if isinstance(known["gains"], Gains) and known["gains"].by_surface and not found["impressions"].has("surface"):
        raise BadInput(no_column(found["impressions"], "surface", name_with("surface")))


def files_of(recs: str | None, truth: str | None, *, by_request: bool) -> Mapping[str, str]:
    """The files to write, by part; raises RecsqlError if a part has no file, or a file no part."""
    if not by_request and recs is not None:
        raise RecsqlError("recs: the labels are of users, who have no lists here; leave recs out")
    asked = {"recs": recs, "truth": truth} if by_request else {"truth": truth}
    files = {part: path for part, path in asked.items() if path is not None}
    if len(files) < len(asked):
        raise RecsqlError(f"{'truth' if truth is None else 'recs'}: shown lists and labels belong together; give both files")
    refuse_same_file(files)
    return files
