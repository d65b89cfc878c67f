"""Refuses what a query can't have, such as intervals of hits, or two columns of one name."""

from collections.abc import Iterator, Mapping, Sequence

from recsql.base.text import plain
from recsql.base.wording import functions
from recsql.catalog import catalog
from recsql.catalog.headers import Value
from recsql.query.binding import Inputs
from recsql.query.metric import Metric, by_groups
from recsql.query.spans import without_effect
from recsql.query.templates import holds

BESIDE = {  # targets with columns of slices, or with a row per item, and the columns beside these and the ids
    "per_user": ("model", "k", "list_length", "relevant"),
    "differences": (
        *("model", "baseline", "metric", "k", "value", "baseline_value", "difference"),
        *("list_length", "baseline_list_length", "relevant", "definition"),
    ),
    "hits": ("model", "rank", "relevance", "gain", "hit", "hits", "precision", "discount", "dcg"),
    "ideal": ("rank", "relevance", "gain", "discount", "idcg"),
    "segments": ("activity", "warm", "mainstream"),
}
OF_USERS, OF_LISTS = ("per_user", "differences"), ("hits", "ideal", "rank_by_score")


def problems(options: Mapping[str, Value], target: str, metrics: Sequence[Metric], inputs: Inputs) -> Iterator[str]:
    """The sentences for what a query can't have; the first one is raised."""
    without_truth = "truth" not in inputs.tables and "recs" in inputs.tables and target in ("evaluate", "rank_by_score")
    if without_truth and options.get("judged_only") == "true":
        yield "judged_only='true': this function has no truth to tell which items are judged; use evaluate"
    for one in (one for one in metrics if without_truth and "user" in catalog().metrics[one.metric].grains):
        yield f"{one.heading}: it has hits, and this function has no truth; use evaluate"
    for one in (one for one in metrics if inputs.named and "vectors" in one.needs):
        yield f"{one.heading}: a macro's table of items has no vectors; use Python or the command line"
    for one in (one for one in metrics if "truth" in inputs.tables and one.header.get("spans") == "only"):
        if options["spans"] == "false":
            lacking = (
                "make the file with recsql macros --spans" if inputs.named else "it needs the columns document, start and end"
            )
            yield f"{one.heading}: {'truth' if inputs.named else inputs.tables['truth'].name[1:-1]} has no positions; {lacking}"
    if "truth" in inputs.tables or "parts" in inputs.tables:
        yield from without_effect(options)
    if target == "plan":
        yield from in_plan(options, metrics, inputs)
    if target == "paired":
        if inputs.named and (test := options["test"]) in ("wilcoxon", "randomisation"):
            yield f"test={test!r}: the macro compare has the tests t and sign; take one of them, or call compare in Python"
        yield from in_comparison(options, metrics)
    elif options.get("interval") is None:
        yield from idle_without("intervals", "interval", options)
    elif target in (*OF_USERS, *OF_LISTS):
        rows = "rows of lists" if target in OF_LISTS else "the values of each user"
        yield f"interval: {target} has {rows} and no means; leave interval= out"
    else:
        yield from in_intervals([one for one in metrics if one.shown], inputs)
    if target == "differences":
        for one in by_groups(metrics):
            yield f"{one.heading}: it is not a mean over users, so no user has a difference; leave it out"
    if options.get("by") is None:
        yield from idle_without("slices", "by", options)
    elif target in OF_LISTS:
        yield f"by: {target} has rows of lists and no users to group; leave by= out"
    elif target == "rating_metrics":
        yield "by: it doesn't group ratings; leave by= out"
    elif target in OF_USERS and options.get("min_users") != catalog().options["min_users"].default:
        yield f"min_users: {target} has the values of each user and leaves out no segment; leave min_users= out"
    yield from name_clashes(target, metrics, inputs)


def idle_without(topic: str, needed: str, options: Mapping[str, Value]) -> Iterator[str]:
    """The sentences for options of a topic that have no effect, because the call lacks another one."""
    for name, option in catalog().topics[topic].options.items():
        if options.get(name) != option.default:
            yield f"{name}: it applies only with {needed}=; give that as well, or leave {name}= out"


def in_comparison(options: Mapping[str, Value], metrics: Sequence[Metric]) -> Iterator[str]:
    """The sentences for options that a comparison doesn't have, or that have no effect in it."""
    usual, margin, test = catalog().options, options["margin"], options["test"]
    for name in ("interval_method", "groups"):
        if options.get(name) != usual[name].default:
            yield (
                f"{name}: a comparison has t intervals of differences, and for metrics that are not means those of "
                f"{usual['groups'].default} groups of users; leave {name}= out"
            )
    if options.get("contributions") == "true" and options.get("by") is None:
        yield "contributions: it applies only with by=; give that as well, or leave contributions= out"
    for one in metrics:
        if isinstance(margin, int | float) and abs(margin) > 1 and one.bounded and one.within_bounds:
            yield f"margin: {margin:g} is beyond the range of {one.heading}, whose values are from 0 to 1"
    for one in by_groups(metrics):
        if test != "t":
            yield f"test: {one.heading} is not a mean over users, and {test} needs a value of each; use test='t' or leave it out"
        if options["looks"] == "many":
            yield f"looks: {one.heading} is not a mean over users, and looks='many' needs a value of each; leave it or looks= out"
        if one.of_query["clustered"]:
            yield f"cluster: {one.heading} has groups of users, not of clusters; leave cluster= or {one.heading} out"
        if options["contributions"] == "true":
            yield (
                f"contributions: those of {one.heading} don't add up, because it is not a mean over users; "
                "leave it or contributions= out"
            )


def in_plan(options: Mapping[str, Value], metrics: Sequence[Metric], inputs: Inputs) -> Iterator[str]:
    """The sentences for what a plan can't have."""
    shares = [float(str(options[one])) for one in ("wins", "losses") if options[one] is not None]
    if shares and not (len(shares) == 2 and 0 < sum(shares) <= 1):
        yield "wins: it needs losses=, and the two are shares of the users that add up to at most 1 and not to 0"
    for one in metrics:
        if one.made_of:
            yield f"{one.heading}: it is not a mean over users, so no user has a value of it; leave it out"
        if shares and "binary" not in one.header:
            yield f"wins: {one.heading} need not be 0 or 1; name hit alone, or leave wins= and losses= out"
        if "recs" not in inputs.tables and not (one.bounded and one.within_bounds):
            yield f"{one.heading}: its values need not be between 0 and 1; give lists, so that their spread is known"


def in_intervals(metrics: Sequence[Metric], inputs: Inputs) -> Iterator[str]:
    """The sentences for metrics that have no interval, or not by the method asked for."""
    for one in metrics:
        if one.grain == "item_group":
            yield f"interval: {one.metric} has values of groups of items and no interval; leave it or interval= out"
        name, asked, grouped = one.metric, one.of_query["interval_method"], one.method == "groups"
        if grouped and (inputs.partial or "parts" in inputs.tables):
            yield (
                f"interval: {name} is not a mean over users, and parts keep no groups of users for its interval; "
                f"give all files to {functions()['evaluate']} at once, as a glob, or leave interval= out"
            )
        if one.grain == "rating" and one.method != "t" and holds(one.header.get("without_interval", "false"), one.context):
            yield f"interval: {one.label} over all pairs has none; set mean='users', or leave interval= out"
        if asked == "wilson" and one.grain != "item" and one.method != "wilson":
            yield (
                f"interval_method: wilson needs a mean of values from 0 to 1, which {name} need not be; "
                "use interval_method = auto"
            )
        if asked == "groups" and not grouped:
            yield f"interval_method: groups needs mean='micro' for {name}; use interval_method='auto'"
        if inputs.clustered and grouped:
            yield f"cluster: {name} has groups of users, not of clusters; leave cluster= or {name} out"


def name_clashes(target: str, metrics: Sequence[Metric], inputs: Inputs) -> Iterator[str]:
    """The sentences for columns of one name: an id as the input names it, a slice or a metric."""
    beside = {*BESIDE.get(target, ())}
    named = [("metrics", one.heading) for one in metrics if one.shown and target == "per_user"]
    named.append(("user", inputs.called.get("user_id", "user_id")))
    named += [("item", inputs.called.get("item_id", "item_id"))] if target in OF_LISTS else []
    for option, name in [*named, *(("by", one.name) for one in inputs.slices)] if beside else []:
        if plain(name.lower()) in beside:
            yield f"{option}: the result already has a column {name}; rename yours in a view, or leave one of them out"
        beside.add(plain(name.lower()))
