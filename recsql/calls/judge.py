"""What nobody judged: the items to judge next, and how much they could change."""

from collections.abc import Mapping
from typing import NoReturn

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.calls.call import Call, Table
from recsql.calls.compare import refuse_one_model
from recsql.calls.evaluate import per_user
from recsql.calls.open_call import opened
from recsql.calls.refusals import refuse_idle
from recsql.calls.warnings import find_warnings
from recsql.catalog import catalog
from recsql.catalog.grammar import USUAL_CUTOFF, WHOLE, cutoff, separated
from recsql.catalog.headers import Given
from recsql.query.metric import Metric
from recsql.query.over_result import over_result
from recsql.query.render import Query

JUDGING = ("user", "judge")  # the grains of its options
OF_PAIRS = ("judging", "comparison", "slices", "intervals")  # topics of options that bounds do not read, but for grade
FOLLOWED = (*OF_PAIRS, "ties", "duplicates", "population", "catalogue")  # and those that completed lists have followed already


def judge(
    recs: Table,
    truth: Table,
    metric: str,
    k: int | str = USUAL_CUTOFF,
    *,
    baseline: str | None = None,
    bounds: bool = False,
    **settings: Given,
) -> pa.Table:
    """Says which items to judge next, as they decide which of two models is better, or how far each mean could be off.

    An item of the top k without a row in its user's truth is unjudged. Metrics take it for not relevant, which it may not be.

    Args:
        recs, truth: As in `evaluate`. The truth has rows of relevance 0: items that people judged not relevant. For the items
            to judge, recs has two or more models, as in `compare`.
        metric: One metric: precision, hits, cg, dcg or rbp; for bounds also hit, rr, err, recall, ap or ndcg.
        k: The cut-off, 10 by default.
        baseline: As in `compare`.
        bounds: Whether the rows are the bounds of each model's mean.
        settings: The column names, connection and options of `evaluate`, and n, the number of items (20 by default), and grade,
            the relevance that an unjudged item would have (1 by default).

    Returns:
        The items of the top k that can move a difference most, the largest move first: user_id, item_id, model and baseline, the
        pair of models that it moves most, rank and baseline_rank, which are NULL below k, and moves: what a judgement as relevant
        adds to the difference of the means. Each item is one row. The metadata has `outcomes`, a row per pair of models:
        difference, lowest and highest, which it has if all unjudged items turn out as badly, or as well, as they can for the
        model; unjudged, their number; and enough: how many of the largest moves have to be judged until the others can't change
        the sign, even if all of these turn out not relevant (Moffat, Webber and Zobel 2007).

        With bounds, one row per model: model, metric, k, value, lowest and highest, the means over users of the value, and of
        the lowest and the highest value that it could have if some of the unjudged items were relevant; unjudged, and users.

        Bounds are worst cases, far wider than an interval: they say what could be, not what is likely.

    Raises:
        RecsqlError: As `evaluate` does, if no row of the truth is judged not relevant, or the metric has no such bounds.

    >>> lists = {"new": {"u1": {"a": 0.9, "b": 0.8}}, "old": {"u1": {"c": 0.9, "a": 0.8}}}
    >>> recsql.judge(lists, {"u1": {"a": 1, "c": 0}}, "dcg", 2).select(["item_id", "rank", "moves"]).to_pylist()
    [{'item_id': 'b', 'rank': 2, 'moves': 0.6309297535714575}]
    """
    cutoff(k)  # which refuses several
    asked = separated(metric) if isinstance(metric, str) else metric
    with opened({"recs": recs, "truth": truth}, JUDGING, {**settings, "baseline": baseline}, asked, k) as call:
        column = column_of(call)
        if bounds:
            return bounds_of(call, column, metric, {**settings, "baseline": baseline})
        refuse_one_model(call)
        if not column.credit("1"):
            refuse("no_credit", column)
        refuse_idle(call, "judge", {**settings, "baseline": baseline})
        rows = call.engine.query(call.text("judge"))
        outcomes = call.engine.query(call.text("judgement"))
        told = over_result("judging", outcomes)["line"].to_pylist()
        return call.described(rows, find_warnings(call.engine, call.bindings()), told=told, outcomes=outcomes.to_pylist())


def column_of(call: Call) -> Metric:
    """The metric of the call, as its query has it; raises RecsqlError if there are several, or no cut-off."""
    shown = [column for one in call.pipelines for column in one.columns if column.shown]
    if len(shown) != 1 or len(shown[0].ks) != 1:
        raise RecsqlError(f"metric: judgements are asked for one metric at one k, and these are {len(shown)}; give one")
    if shown[0].ks == (WHOLE,):
        raise RecsqlError(catalog().say("judged_depth"))
    found: Metric
    [found] = Query(next(call.bindings()), "judge").context["shown_columns"]
    if found.average not in ("", "users"):
        refuse("no_further", found)
    return found


def refuse(check: str, column: Metric) -> NoReturn:
    key = check.removeprefix("no_")
    others = [name for name, one in catalog().metrics.items() if one.header.get(key)]
    raise RecsqlError(catalog().say(check, metric=column.heading, others=", ".join(others)))


def bounds_of(call: Call, column: Metric, metric: str, settings: Mapping[str, Given]) -> pa.Table:
    """The bounds of each model: the metric of every list in each way in which its unjudged items can turn out."""
    if not column.further:
        refuse("no_further", column)
    topics = {one.called: one.topic for one in catalog().options_of(JUDGING).values()}
    refuse_idle(call, "completed_truth", {name: value for name, value in settings.items() if topics.get(name) in OF_PAIRS})
    ways, lists, truth = (call.engine.query(call.text(one)) for one in ("completions", "completed_recs", "completed_truth"))
    defining = {
        name: settings.get(name) for name, topic in topics.items() if name in ("duplicates", "no_truth") or topic not in FOLLOWED
    }
    values = per_user(lists, truth, metric, column.ks, findings="off", **defining)
    rows = over_result("judged_bounds", values, ways, metric=column.heading, title=column.title, k=column.ks[0])
    return call.described(rows, find_warnings(call.engine, call.bindings()))
