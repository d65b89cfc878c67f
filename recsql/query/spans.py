"""What has no meaning where the truth has spans of documents, or where cut-offs are sums of a column."""

from collections.abc import Iterator, Mapping

from recsql.catalog import catalog
from recsql.catalog.grammar import Asked
from recsql.catalog.headers import Value
from recsql.query.metric import CALLED, metric_text
from recsql.query.needs import own_options, read_in

BY_ITEMS = ("train", "items", "candidates", "judged_only", "seen", "truth_window")  # options that go by the items of the truth


def without_meaning(metric: str, known: Mapping[str, Value]) -> str:
    """Why a metric can't be computed with spans or a budget; empty if it can: if all statistics that it reads say so."""
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
