"""Intervals: the calls and metrics that have one, and how each is computed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from recsql.base.errors import RecsqlError
from recsql.catalog import catalog
from recsql.catalog.headers import Value
from recsql.query.metric import Metric

COLUMNS = ("low", "high", "std_error", "few")  # of a result with intervals
COMPARED = 0.95  # how much the intervals of a comparison cover, unless the call says otherwise
TARGETS = ("evaluate", "rating_metrics")  # those that show values with intervals
WITHOUT = {  # targets that show no means, and what they have instead
    "differences": "differences has the values of each user and no means",
    "per_user": "per_user has the values of each user and no means",
    "hits": "hits has rows of lists and no means",
    "ideal": "ideal has rows of lists and no means",
    "rank_by_score": "rank_by_score has rows of lists and no means",
}


def has_interval_by(
    columns: Mapping[str, Sequence[Metric]], target: str, interval: float | None, grain: str, *methods: str
) -> bool:
    """Whether the interval of a metric that is shown is computed by one of some methods."""
    asked = target in TARGETS and interval is not None
    return asked and any(one.shown and one.method in methods for one in columns[grain])


def by_groups(columns: Iterable[Metric]) -> list[Metric]:
    """The metrics of a result that are not means, so that their intervals leave out groups of users."""
    return [column for column in columns if column.shown and column.is_by("groups")]


def refuse_intervals(options: Mapping[str, Value], target: str, columns: Sequence[Metric]) -> None:
    """Raises RecsqlError for a call that can't have the intervals that it asks for."""
    if target == "paired" or (target.startswith("partial") and options.get("baseline") is not None):
        refuse_pairs(options, columns)
    elif options.get("interval") is None:
        for name, option in catalog().topics["intervals"].options.items():
            if options.get(name) != option.default:
                raise RecsqlError(idle(name))
    elif target in WITHOUT:
        raise RecsqlError(f"interval: {WITHOUT[target]}; leave interval= out")
    else:
        for column in (column for column in columns if column.shown):
            for refused, sentence in refusals(column, column.metric):
                if refused:
                    raise RecsqlError(sentence)
    if target == "differences":
        refuse_no_means(columns)


def refuse_pairs(options: Mapping[str, Value], columns: Sequence[Metric]) -> None:
    """Raises RecsqlError for options that a comparison does not have, or that have no effect."""
    for name in ("interval_method", "groups"):
        if options.get(name) != catalog().options[name].default:
            raise RecsqlError(
                f"{name}: a comparison has t intervals of differences, and for metrics that are not means those of "
                f"{catalog().options['groups'].default} groups of users; leave {name}= out"
            )
    if options.get("contributions") == "true" and options.get("by") is None:
        raise RecsqlError("contributions: it applies only with by=; give that as well, or leave contributions= out")
    margin = options["margin"]
    for column in columns:
        if isinstance(margin, int | float) and abs(margin) > 1 and column.bounded and column.within_bounds:
            raise RecsqlError(f"margin: {margin:g} is beyond the range of {column.heading}, whose values are from 0 to 1")
    for column in by_groups(columns):
        label, test = column.heading, options["test"]
        if test != "t":
            raise RecsqlError(
                f"test: {label} is not a mean over users, and {test} needs a value of each; use test='t' or leave it out"
            )
        if column.of_query["clustered"]:
            raise RecsqlError(f"cluster: {label} has groups of users, not of clusters; leave cluster= or {label} out")
        if options["contributions"] == "true":
            raise RecsqlError(
                f"contributions: those of {label} don't add up, as it is not a mean over users; leave it or contributions= out"
            )


def refuse_no_means(columns: Sequence[Metric]) -> None:
    """Raises RecsqlError for a metric that is not a mean over users, so that no user has a difference."""
    for column in by_groups(columns):
        raise RecsqlError(f"{column.heading}: it is not a mean over users, so no user has a difference; leave it out")


def idle(name: str) -> str:
    """The sentence for an option of intervals in a call without intervals."""
    return f"{name}: it applies only with interval=; give that as well, or leave {name}= out"


def refusals(column: Metric, metric: str) -> Iterator[tuple[bool, str]]:
    """The conditions under which a metric has no interval, or not by the method asked for, each with its sentence."""
    asked = column.of_query["interval_method"]
    yield (
        "parts" in column.of_query["tables"] and column.is_by("groups") and not column.of_query["jackknifed"],
        f"interval: these parts lack the groups of users that {metric} needs; make them with interval= as well, or leave it out",
    )
    yield (
        asked == "wilson" and column.grain != "item" and not column.is_by("wilson"),
        f"interval_method: wilson needs a mean of values from 0 to 1, which {metric} need not be; use interval_method = auto",
    )
    yield (
        asked == "groups" and not column.is_by("groups"),
        f"interval_method: groups needs mean='micro' for {metric}; use interval_method='auto'",
    )
    yield (
        column.context["clustered"] and column.is_by("groups"),
        f"cluster: {metric} has groups of users, not of clusters; leave cluster= or {metric} out",
    )
