"""Intervals: the calls and metrics that have one, and how each is computed."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from recsql import spoken
from recsql.catalog import catalog
from recsql.errors import RecsqlError
from recsql.headers import Value
from recsql.measures import Known
from recsql.needs import Needs
from recsql.plan import Pipeline

COLUMNS = ("low", "high", "std_error", "few")  # of a result with intervals
WITHOUT = {  # targets that show no means, and what they have instead
    "per_user": "per_user has the values of each user and no means",
    "hits": "hits has rows of lists and no means",
    "ideal": "ideal has rows of lists and no means",
    "rank_by_score": "rank_by_score has rows of lists and no means",
    "partial": "parts don't carry it yet, so use evaluate on all users at once",
    "partial_items": "parts don't carry it yet, so use evaluate on all users at once",
}


def refuse_intervals(options: Mapping[str, Value], target: str, columns: Sequence[Known]) -> None:
    """Raises RecsqlError for a call that can't have the intervals that it asks for."""
    if options.get("interval") is None:
        refuse_idle(options)
    elif target in WITHOUT:
        raise RecsqlError(f"interval: {WITHOUT[target]}; leave interval out")
    else:
        for column in (column for column in columns if column.shown):
            refuse_column(column, options["interval_method"])


def refuse_column(column: Known, method: str) -> None:
    """Raises RecsqlError if a metric has no interval, or not by the method asked for."""
    way = spoken.option("interval_method", "auto")
    if method == "wilson" and column.grain != "item" and column.method != "wilson":
        raise RecsqlError(
            f"interval_method: wilson needs a mean of values from 0 to 1, which {column.metric} need not be; use {way}"
        )
    if method == "groups" and column.method != "groups":
        raise RecsqlError(f"interval_method: groups needs mean = 'micro' for {column.metric}; use {way}")
    if column.method == "groups" and column.context["clustered"]:
        raise RecsqlError(f"cluster: {column.metric} has groups of users, not of clusters; leave cluster or {column.metric} out")
    needs = Needs((column,), column.context)
    sums = [step for step in catalog().sums.values() if step.header["sums"]["reader"] == "run_at_k" and step.name != "items_at_k"]
    if any(getattr(needs, step.name) for step in sums):
        raise RecsqlError(
            f"interval: {column.label[1:-1]} has none yet, as it is more than counts of items; leave it or interval out"
        )


def refuse_clusters(column: str | None, pipelines: Iterable[Pipeline], has_truth: bool) -> None:
    """Raises RecsqlError if a call names a column of clusters and has no means over users whose intervals need it."""
    if column is not None and not has_truth:
        raise RecsqlError("cluster: it names a column of truth, and this function has none; leave it out")
    if column is not None and any(one.options["interval"] is None for one in pipelines):
        raise RecsqlError("cluster: it applies only with interval; give that as well, or leave cluster out")


def refuse_idle(options: Mapping[str, Any]) -> None:
    """Raises RecsqlError for an option of intervals if there are none."""
    for name, option in catalog().topics["intervals"].options.items():
        if options.get(name) != option.default:
            raise RecsqlError(f"{name}: it applies only with interval; give that as well, or leave {name} out")
