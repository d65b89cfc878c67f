"""What a test set can show before it is bought."""

from dataclasses import replace

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.text import cases
from recsql.calls.call import Call, Metrics, Table, one_row_each
from recsql.calls.open_call import open_engine, opened
from recsql.calls.warnings import find_warnings
from recsql.catalog import catalog
from recsql.catalog.grammar import USUAL_CUTOFF, WHOLE, Cutoffs
from recsql.catalog.headers import Given
from recsql.query.binding import Relation
from recsql.query.over_result import over_result
from recsql.query.plan import PLAN, usual
from recsql.query.render import Query


def plan(truth: Table, recs: Table = None, metrics: Metrics = None, k: Cutoffs = USUAL_CUTOFF, **settings: Given) -> pa.Table:
    """Says which difference the users of a test set would show, and how many users a difference of `margin` needs.

    Args:
        truth, metrics, k: As in `evaluate`.
        recs: The lists of a model, which tell how far users differ; those of several models also tell how their values correlate.
        settings: The settings of `evaluate`, and margin, correlation, power, comparisons, value, wins and losses.

    Returns:
        One row per model (NULL without lists) or pair of models, metric and cut-off. docs/plan.md explains its columns.

    >>> recsql.plan({"q1": {"a": 1}, "q2": {"b": 1}}, metrics="hit", margin=0.05)["users_needed"].to_pylist()
    [787]
    """
    given = {**settings, "interval": settings.get("interval") or True}
    with opened({**({} if recs is None else {"recs": recs}), "truth": truth}, PLAN, given, metrics, k) as call:
        known, bare = call.pipelines[0].options, replace(call.inputs, called={})
        if refused := "cluster" if bare.clustered else "by" if known["by"] else "":
            raise RecsqlError(f"{refused}: a plan takes users one by one and all together; leave {refused}= out")
        if (unknown := known["spans"] == "true" or known["budget"] is not None) and recs is None:
            raise RecsqlError("recs: of spans of documents, or within a budget, no best list is known; give the lists of a model")
        own = replace(call, inputs=bare, pipelines=[one.under(interval=None) for one in call.pipelines])
        measured = None if recs is None else own.engine.query(own.text("per_user"))
        best = measured.slice(0, 0) if measured is not None and unknown else best_values(own)
        shown = sorted((one for each in call.pipelines for one in each.columns if one.shown), key=lambda one: one.order)
        columns, uncut = [replace(one, name=f"metric_{one.order}") for one in shown], any(WHOLE in one.ks for one in shown)
        with open_engine({}) as local:
            values = {"measured": best if measured is None else measured, "best": best}
            tables = {name: Relation("", "", source=local.register(name, rows)) for name, rows in values.items()}
            inputs = replace(call.inputs, tables={**call.inputs.tables, **tables}, columns=columns, uncut=uncut)
            rows = local.query(Query(replace(inputs, known=known, dialect=local.dialect), "plan").statement())
        pairs = rows["baseline"].null_count < rows.num_rows
        idle = {"plan__value": recs is not None, "correlation": pairs or known["wins"] is not None, "wins": pairs}
        for name in (name for name in idle if idle[name] and known[name] != usual(None)[name]):
            raise RecsqlError(f"{catalog().options[name].called}: the lists, or wins and losses, tell it; leave it out")
        told = over_result("planned", rows, measured=recs is not None, cases=cases(float(str(known["power"]))), **known)
        return call.described(rows, find_warnings(call.engine, call.bindings(), recs=call.recs), told=told["line"].to_pylist())


def best_values(call: Call) -> pa.Table:
    """The values of the best list of each user, which depends on the gains of a pipeline."""
    found = []
    for binding, pipeline in zip(call.bindings(), call.pipelines, strict=True):
        lists = Query(replace(binding, cutoffs=one_row_each([max(pipeline.ks)])), "ideal").statement()
        ideal = call.engine.register("best_lists", call.engine.query(lists))
        recs = Relation(f"select i.user_id, i.item_id, i.rank, cast(null as double) as score\nfrom {ideal} as i", "'best lists'")
        inputs = replace(call.inputs, tables={**call.inputs.tables, "recs": recs}, modelled=False, lists=None)
        one = replace(call, inputs=inputs, pipelines=[pipeline.under(rank_by="rank")])
        found.append(call.engine.query(one.text("per_user")))
    return pa.concat_tables(found, promote_options="default")
