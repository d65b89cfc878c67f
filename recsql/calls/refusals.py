"""Refuses calls before they run: options that lack a table, contradict each other or have no effect."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from recsql.base.errors import BadInput, RecsqlError
from recsql.base.text import plain
from recsql.base.types import UNKNOWN, is_numeric
from recsql.calls.call import Call
from recsql.catalog import GRAINS, catalog
from recsql.catalog.gains import Gains
from recsql.catalog.headers import PRESET, Given
from recsql.catalog.options import IDLE_TRAIN, SEEN_WITHOUT_TRAIN, idle
from recsql.catalog.roles import Names
from recsql.query.metric import Metric, needs_train
from recsql.query.plan import EVENTS, INTERACTIONS, LISTS, PAIRS, PLAN, USERS, Pipeline
from recsql.tables.columns import refuse_train
from recsql.tables.source_table import SourceTable

ELEMENT = re.compile(r"([^\[]+)\[\d*\]$")  # the type of the elements of a LIST or an ARRAY
TEXTS = ("VARCHAR", "JSON")  # of elements in files without types; the query names the one that is not a number
SHOWN_BY = "shown_by"  # a column of a truth of requests: the model that answered the request, if there are several


def find_refusals(
    grains: Sequence[str],
    options: Mapping[str, Given],
    pipelines: Sequence[Pipeline],
    tables: Collection[str],
    names: Names,
    *,
    sums: bool,
) -> Iterator[str]:
    """The sentences for options that a call can't have; `options` are the given ones, `tables` the roles of its tables."""
    known, say = pipelines[0].options, catalog().say
    if grains == INTERACTIONS:
        if known["protocol"] is None:
            yield say("no_protocol", protocols=", ".join(catalog().options["protocol"].choices))
        preset = catalog().presets.get(str(known["like"]))
        if preset is not None and not preset.split:
            having = ", ".join(one.name for one in catalog().presets.values() if one.split)
            yield f"like: {preset.name} has no options for splits; choose one of {having}"
    if grains[0] not in GRAINS:
        yield from filter(None, (idle(catalog().option(name, grains=grains), known) for name in options))
    if grains == EVENTS and known["impressions"] is None:
        if known["start"] is None:
            yield say("no_start")
        if isinstance(known["gains"], Gains) and known["gains"].by_surface:
            yield "gains: they differ by surface, and events alone have no surface; give one gain per type"
    elif grains == EVENTS and known["start"] is not None:
        yield "start: with impressions, events count from the time of each; leave start= out"
    if grains[0] in GRAINS:
        if train_is_idle(grains, pipelines):
            yield IDLE_TRAIN
        if known["train"] is None:
            yield from (SEEN_WITHOUT_TRAIN.format(seen=seen) for seen in seen_in_train(pipelines))
        for one in columns_needing("vectors", pipelines):
            if names.vector is None:
                yield f"{one.heading}: it needs vector=, the column of items with a LIST of numbers for each item"
        cluster = names.cluster
        if cluster is not None and "truth" not in tables:
            yield "cluster: it names a column of truth, and this function takes no truth; leave it out"
        if cluster is not None and not sums and any(one.options["interval"] is None for one in pipelines):
            yield "cluster: it applies only with interval=; give that as well, or leave cluster= out"


def train_is_idle(grains: Sequence[str], pipelines: Sequence[Pipeline]) -> bool:
    """Whether a call without metrics of all lists together gives train, and nothing reads it."""
    of_metrics = {column.grain for one in pipelines for column in one.columns}
    if "list" in of_metrics or (grains not in (LISTS, USERS, PLAN) and (grains != PAIRS or "item" in of_metrics)):
        return False
    options = pipelines[0].options
    by_users = columns_needing("train_of_users", pipelines) or any(name.by_activity for name in pipelines[0].by)
    required = any(needs_train(column.metric) for one in pipelines for column in one.columns)
    required |= options["propensity_power"] is not None
    return options["train"] is not None and not (by_users or required or seen_in_train(pipelines))


def columns_needing(need: str, pipelines: Sequence[Pipeline]) -> list[Metric]:
    """The metrics whose headers name a need."""
    return [column for pipeline in pipelines for column in pipeline.columns if need in column.needs]


def seen_in_train(pipelines: Sequence[Pipeline]) -> set[str]:
    """The values of the option seen that read train."""
    return {str(pipeline.options["seen"]) for pipeline in pipelines} - {"keep"}


def refuse_tables(grains: Sequence[str], found: Mapping[str, SourceTable], pipelines: Sequence[Pipeline]) -> None:
    """Raises BadInput for tables that do not fit the options.

    If models answered different requests, they can't be compared, and the requests of others can't count as 0. If seen= or a
    metric reads train, it needs users with ids as in recs.
    """
    truth = found.get("truth")
    if truth is not None and SHOWN_BY in truth.types and found.get("recs", truth).has("model"):
        owned = f"{truth.name}: each request belongs to the model in its column {SHOWN_BY}"
        if "pair" in grains:
            raise BadInput(f"{owned}, so no request has lists of two models to compare; evaluate has the mean of each model")
        if pipelines[0].options["no_recs"] != "skip":
            raise BadInput(f"{owned}, and would count as 0 for the others; give no_recs='skip'")
    if seen_in_train(pipelines):
        refuse_train(found["train"], found["recs"], "which seen= needs")
    if columns_needing("vectors", pipelines):
        items, kind = found["items"], found["items"].type("vector")
        if kind != UNKNOWN and not ((of := ELEMENT.match(kind)) and (is_numeric(of[1]) or of[1] in TEXTS)):
            said = f"{items.names['vector']} is {kind}, and a vector is a LIST of numbers"
            raise BadInput(f"{items.name}: {said}; write cast({plain(items.names['vector'])} as double[]) in a view")
    for one in columns_needing("train_of_users", pipelines):
        refuse_train(found["train"], found["recs"], f"which {one.heading} needs")


def refuse_idle(call: Call, target: str, given: Mapping[str, Given]) -> None:
    """Raises RecsqlError for an option of `given` that the query of the call doesn't read: without it, the text is the same."""
    [pipeline], text, known = call.pipelines, call.text(target), catalog().options_of(call.grains).values()
    for one in (one for one in known if given.get(one.called) is not None and one.type not in ("column", PRESET)):
        usual = replace(call, pipelines=[pipeline.under(**{one.name: one.default})])
        if pipeline.options[one.name] != one.default and usual.text(target) == text:
            raise RecsqlError(f"{one.called}: nothing in this call reads it, so it has no effect; leave {one.called}= out")
