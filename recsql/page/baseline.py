"""The baseline of a report that names none: a model `popularity`, which is made from train."""

from dataclasses import replace
from typing import Any

import pyarrow as pa

from recsql.base.errors import BadInput, RecsqlError
from recsql.base.statement import Statement
from recsql.calls.call import Call
from recsql.calls.check import rows_with
from recsql.calls.open_call import opened, parse_settings
from recsql.catalog import catalog
from recsql.catalog.grammar import Inner
from recsql.catalog.headers import TABLE
from recsql.page.evidence import DEPTH, Evidence
from recsql.query.binding import Inputs
from recsql.query.metric import Metric
from recsql.query.plan import LISTS_AND_ITEMS, plan
from recsql.query.render import Query
from recsql.query.templates import rendered
from recsql.tables.columns import refuse_train
from recsql.tables.models import WithModel

POPULARITY = "popularity"
# The share of the relevant items in their users' train from which users want them again; above the other, unless their times
# are later, train has the truth in it, as in check.
AGAIN, LEAKED = 0.1, 0.5
GETS = {"drop": "the most popular items that they lack", "first": "what they have there most often, then the most popular items"}


def with_popularity(evidence: Evidence) -> Evidence:
    """The evidence with the baseline `popularity`, if train is given and the call names no other baseline.

    It is the model of that name, or else one that is added to recs. If it can't be made, the evidence says why.
    """
    if evidence.settings.get("train") is None or evidence.named_baseline not in (None, POPULARITY):
        return evidence
    try:
        lists, found = popular_lists(evidence)
    except RecsqlError as error:
        return replace(evidence, no_popularity=str(error))
    if lists is None:
        return replace(evidence, named_baseline=POPULARITY)
    recs = WithModel(evidence.recs, POPULARITY, lists)
    return replace(evidence, recs=recs, named_baseline=POPULARITY, **found)


def popular_lists(evidence: Evidence) -> tuple[pa.Table | None, dict[str, Any]]:
    """The lists of popularity for the users of the truth, and the fields of Evidence that describe them.

    There are no lists if a model is already called popularity.
    """
    given = evidence.given(LISTS_AND_ITEMS, "slices")
    pipelines = plan(evidence.metrics, evidence.k, parse_settings(given)[1], LISTS_AND_ITEMS)
    depth = max([DEPTH, *(k for one in pipelines for k in one.ks)])
    with opened({"recs": evidence.recs, "truth": evidence.truth}, LISTS_AND_ITEMS, given, Inner("hits"), 1) as call:
        recs, train = call.found["recs"], call.found["train"]
        longest = rendered(catalog().report["longest"].path, {"recs": call.inputs.tables["recs"].select})
        listed = call.engine.query(longest).to_pydict()
        if POPULARITY in listed["model"]:
            return None, {}
        refuse_train(train, recs, "which popularity needs")
        for key in (key for one in call.inputs.slices for key in one.keys if key.role == "recs"):
            raise BadInput(f"by: {key.column} is a column of {recs.name}, which popularity lacks")
        if "candidates" in call.found:
            raise BadInput("candidates: popularity doesn't rank them")
        seen, why = choose(call)
        lists = most_popular(call, min(depth, max(listed["longest"], default=depth)), seen)
    if not lists.num_rows:
        raise BadInput(f"{train.name}: it has no item that a user lacks")
    return lists, {"popularity_of": train.name, "made": f"each user gets {GETS[seen]}, as {why}"}


def choose(call: Call) -> tuple[str, str]:
    """The option seen of popularity for the tables of a call, and why: the share of the truth that is in train."""
    if (given := call.pipelines[0].options["seen"]) != "keep":
        return "drop", f"the report has seen={given!r}"
    [binding] = call.bindings()
    counts = rendered(catalog().report["repeats"].path, Query(binding, "hits").context)
    [row] = call.engine.query(counts).to_pylist()
    share, most = row["known"] / max(row["items"], 1), LEAKED * row["items"]
    told = f"{share:.0%} of the relevant items are in their users' train"
    if share > LEAKED:
        known = rows_with(call, catalog().findings["truth_in_train"]).to_pylist()
        if sum(one["truth_rows"] for one in known if not one["later"]) > most:
            return "drop", f"train seems to have the truth in it: {told}"
    return "first" if share >= AGAIN else "drop", told


def most_popular(call: Call, length: int, seen: str) -> pa.Table:
    """The lists for the users of the truth."""
    [pipeline] = call.pipelines
    columns = (Metric("hits", pipeline.options, (length,), shown=False),)
    tables = {"past": call.inputs.tables["train"], "users": call.inputs.tables["truth"]}
    inputs = Inputs(tables, dialect=call.engine.dialect)
    pipelines = [replace(pipeline, columns=columns).under(users=TABLE, by=(), popularity__seen=seen)]
    [binding] = replace(call, inputs=inputs, pipelines=pipelines).bindings()
    query = Query(binding, "popularity")
    descending = pipeline.options["order"] != "asc"
    last = rendered(catalog().report["popularity"].path, {**query.context, "descending": descending})
    return call.engine.query(Statement.over(query.statement().steps, last))
