"""The baseline of a report that names none: a model `popularity`, which is made from train."""

from dataclasses import replace

import pyarrow as pa

from recsql.base.errors import BadInput, RecsqlError
from recsql.base.statement import Statement
from recsql.calls.call import Call
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


def with_popularity(evidence: Evidence) -> Evidence:
    """The evidence with the baseline `popularity`, if train is given and the call names no other baseline.

    It is the model of that name, or else one that is added to recs. If it can't be made, the evidence says why.
    """
    if evidence.settings.get("train") is None or evidence.named_baseline not in (None, POPULARITY):
        return evidence
    try:
        lists, train = popular_lists(evidence)
    except RecsqlError as error:
        return replace(evidence, no_popularity=str(error))
    if lists is None:
        return replace(evidence, named_baseline=POPULARITY)
    recs = WithModel(evidence.recs, POPULARITY, lists)
    return replace(evidence, recs=recs, named_baseline=POPULARITY, popularity_of=train)


def popular_lists(evidence: Evidence) -> tuple[pa.Table | None, str]:
    """For each user of the truth, the most popular items that they lack, or None if a model is popularity; and train's name."""
    given = evidence.given(LISTS_AND_ITEMS, "slices")
    pipelines = plan(evidence.metrics, evidence.k, parse_settings(given)[1], LISTS_AND_ITEMS)
    depth = max([DEPTH, *(k for one in pipelines for k in one.ks)])
    with opened({"recs": evidence.recs, "truth": evidence.truth}, LISTS_AND_ITEMS, given, Inner("hits"), 1) as call:
        recs, train = call.found["recs"], call.found["train"]
        longest = rendered(catalog().report["longest"].path, {"recs": call.inputs.tables["recs"].select})
        listed = call.engine.query(longest).to_pydict()
        if POPULARITY in listed["model"]:
            return None, ""
        refuse_train(train, recs, "and popularity leaves out what users have")
        for key in (key for one in call.inputs.slices for key in one.keys if key.role == "recs"):
            raise BadInput(f"by: {key.column} is a column of {recs.name}, which popularity lacks")
        if "candidates" in call.found:
            raise BadInput("candidates: popularity doesn't rank them")
        lists = most_popular(call, min(depth, max(listed["longest"], default=depth)))
    if not lists.num_rows:
        raise BadInput(f"{train.name}: it has no item that a user lacks")
    return lists, train.name


def most_popular(call: Call, length: int) -> pa.Table:
    """The lists for the users of the truth."""
    [pipeline] = call.pipelines
    columns = (Metric("hits", pipeline.options, (length,), shown=False),)
    tables = {"past": call.inputs.tables["train"], "users": call.inputs.tables["truth"]}
    inputs = Inputs(tables, dialect=call.engine.dialect)
    pipelines = [replace(pipeline, columns=columns).under(users=TABLE, by=())]
    [binding] = replace(call, inputs=inputs, pipelines=pipelines).bindings()
    query = Query(binding, "popularity")
    descending = pipeline.options["order"] != "asc"
    last = rendered(catalog().report["popularity"].path, {**query.context, "descending": descending})
    return call.engine.query(Statement.over(query.statement().steps, last))
