"""A truth of requests, as `labels` writes it, has two means: over the requests with an event, and over all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from recsql.catalog import catalog
from recsql.catalog.grammar import Asked
from recsql.catalog.headers import Value
from recsql.query.labels import label
from recsql.query.metric import Metric
from recsql.query.plan import Pipeline, usual
from recsql.tables.source_table import SourceTable

OF_REQUESTS = ("person_id", "events")  # the columns of such a truth: whose request it is, and how many events an item has


def both_means(pipelines: Sequence[Pipeline], found: Mapping[str, SourceTable], settings: Mapping[str, Value]) -> list[Pipeline]:
    """The pipelines, and if the users of the truth are requests, each once more with requests without an event as 0.

    A call that chooses no_truth or like has chosen its mean.
    """
    columns = found["truth"].types.keys() if "truth" in found else ()
    left_out = catalog().options["no_truth"].default
    chosen = settings.get("no_truth") is not None or any(
        one.options["no_truth"] != left_out or any(column.options["like"] for column in one.columns) for one in pipelines
    )
    if chosen or not {*OF_REQUESTS} <= {*columns} or settings.get("user") in OF_REQUESTS:
        return list(pipelines)
    return [*pipelines, *(zero for one in pipelines if (zero := over_all(one)).columns)]


def over_all(pipeline: Pipeline) -> Pipeline:
    """The means of a pipeline over all requests; a request without an event counts as 0."""

    def named(metric: Metric) -> Metric:
        definition = label(Asked(metric.metric), None, metric.options, usual(None))
        heading = metric.heading.partition("(")[0] + definition.removeprefix(metric.metric)
        return replace(metric, heading=heading, label=definition)

    over = pipeline.under(no_truth="zero")
    of_users = (metric for metric in over.columns if metric.grain == "user")
    return replace(over, columns=tuple(named(metric) if metric.shown else metric for metric in of_users), by_call=False)
