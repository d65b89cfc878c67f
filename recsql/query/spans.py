"""What has no meaning where the truth has spans of documents, where cut-offs are sums of a column, or where hits have weights."""

from collections.abc import Iterator, Mapping

from recsql.catalog import catalog
from recsql.catalog.grammar import Asked
from recsql.catalog.headers import Value
from recsql.query.metric import CALLED, metric_text
from recsql.query.needs import own_options, read_in

BY_ITEMS = (
    "weighting",
    "train",
    "items",
    "candidates",
    "judged_only",
    "seen",
    "truth_window",
)  # options that go by the items of the truth


def without_meaning(metric: str, known: Mapping[str, Value]) -> str:
    """Why a metric can't be computed with spans, a budget or weights; empty if it can: if it or its statistics say so."""
    if said := without_weights(metric, str(known["weighting"])):
        return said
    if known["spans"] == "true":
        if lacking("spans", metric, known) or not catalog().metrics[metric].header.get("spans", True):
            return catalog().say("spans_only")
        if "achievable" in (known[name] for name in own_options(metric)):
            return catalog().say("spans_unbounded")
    if known["budget"] is not None and (read := lacking("budget", metric, known)):
        if "k" in read:
            other = next(others(metric, known), "recall, hit, rr or dcg")
            return catalog().say("budget_divides", budget=known["budget"], other=other)
        return catalog().say("budget_ideal" if "idcg" in read else "budget_items", budget=known["budget"])
    return ""


def without_weights(metric: str, weighting: str) -> str:
    """Why a metric has no value in which hits have weights; empty if it has one."""
    own = catalog().metrics[metric]
    if weighting == "none" or own.grain != "user" or weighting in own.header.get("weighting", "").split():
        return ""
    having = [name for name, one in catalog().metrics.items() if weighting in one.header.get("weighting", "").split()]
    check = "unnormalised" if "weighting" in own.header else "unweighted"
    return catalog().say(check, weighting=weighting, others=", ".join(having))


def lacking(key: str, metric: str, known: Mapping[str, Value]) -> list[str]:
    """The statistics that a metric reads and that do not hold with spans or a budget, as the key says."""
    read = (catalog().statistics[name] for name in read_in(metric_text(metric, {**known, **CALLED})))
    return [one.name for one in read if not one.header.get(key)]


def others(metric: str, known: Mapping[str, Value]) -> Iterator[str]:
    """The metric with another value of one of its options, with which it holds within a budget."""
    for option in (catalog().options[name] for name in own_options(metric) if catalog().options[name].is_own):
        for value in option.choices:
            if not lacking("budget", metric, {**known, option.name: value}):
                yield Asked(metric, ((option.name, value),)).label


def without_effect(options: Mapping[str, Value]) -> Iterator[str]:
    """The sentences for options that spans or a budget leave without a meaning, or that need these."""
    yield from without_propensity(options)
    usual, spans, budget = catalog().options, options.get("spans") == "true", options.get("budget") is not None
    one_order = "take item_asc, item_desc or input"
    if spans and options["duplicates"] not in ("error", "hole"):
        way = (
            "leave the option out"
            if options["like"] is None
            else f"add duplicates='hole', as like={options['like']!r} is about items"
        )
        yield f"duplicates={options['duplicates']}: a span counts once, however many rows find it; {way}"
    if spans and options["ties"] in ("expected", "best", "worst"):
        yield f"ties={options['ties']}: not with spans, since a span can be found by several tied rows; {one_order}"
    elif budget and options["ties"] in ("expected", "best", "worst"):
        yield f"ties={options['ties']}: not with a budget, since what a list spends depends on its order; {one_order}"
    for name in (name for name in BY_ITEMS if spans and options.get(name) != usual[name].default):
        yield f"{name}: it goes by items, and the truth has spans of documents; leave {name}= out"
    if budget and options["truth_window"] == "k":
        yield f"truth_window='k': k is a number of {options['budget']} here, and no part of the truth; leave truth_window= out"
    for name, needed in (("match", spans), ("crossing", budget)):
        if not needed and options.get(name) != usual[name].default:
            need = "spans of documents in the truth" if name == "match" else "budget="
            yield f"{name}: it applies only with {need}; give that as well, or leave {name}= out"


def without_propensity(options: Mapping[str, Value]) -> Iterator[str]:
    """The sentences for weights whose propensities have no source, or two."""
    column, power = options["propensity"], options["propensity_power"]
    if options["weighting"] == "none":
        return
    if (column is None) == (power is None):
        yield catalog().say("propensity_source", weighting=options["weighting"])
    if power is not None and options["train"] is None:
        yield "propensity_power: it is about the popularity in train; give train= as well, or name a column with propensity="
    if options["propensity_unseen"] == "zero" and (column is not None or not options["propensity_floor"]):
        need = "propensity_power=" if column is not None else "a propensity_floor= above 0"
        yield f"propensity_unseen='zero': it needs {need}; give that as well, or leave propensity_unseen= out"
