"""The printed names of metrics, with the options that are not the default."""

from collections.abc import Mapping
from functools import cache

from recsql.base.errors import RecsqlError
from recsql.catalog import OF_LISTS, catalog
from recsql.catalog.grammar import Asked, parse_metric
from recsql.catalog.headers import PRESET, Value
from recsql.catalog.options import idle
from recsql.query.needs import own_options


@cache
def options_of(metric: str) -> tuple[str, ...]:
    """The options that can change the value of a metric, in the order of the catalogue."""
    source = catalog().metrics[metric]
    wanted = own_options(metric).union(*map(shared, source.grains)) - ({*OF_LISTS} if source.grain in ("list", "item") else set())
    return tuple(name for name in catalog().options if name in wanted)


@cache
def readers_of(option: str) -> tuple[str, ...]:
    """The metrics whose value an option can change."""
    return tuple(metric for metric in catalog().metrics if option in options_of(metric))


def options_in_effect(metric: str, chosen: Mapping[str, Value]) -> tuple[str, ...]:
    """The options that can change the value under the given options, and those of idcg if it leaves users out."""
    usual = options_of(metric)
    further = options_of("idcg") if "zero_ideal" in usual and chosen["zero_ideal"] == "skip" else ()
    return tuple(name for name in catalog().options if name in further or name in usual) if further else usual


@cache
def shared(grain: str) -> set[str]:
    """The options of the steps that all metrics of a grain use."""
    apart = {name for statistic in catalog().statistics.values() for name in statistic.header.get("made_with", "").split()}
    return {
        name
        for name, option in catalog().options_of([grain]).items()
        if (option.home.folder == "steps" or "of_all" in option.home.header) and option.home.name not in apart
        if option.type != PRESET
    }


def meaning(name: str, like: str | None, known: Mapping[str, Mapping[str, Value]]) -> str:
    """What a name means under a preset: a metric, one with options, unless `known` has these for it, or why it means none."""
    try:
        asked = parse_metric(name, like, at_k=True)
    except RecsqlError as fault:
        return str(fault).partition("; ")[0].replace(f"'{name}' ", "", 1)  # which the macro adds: names share what they mean
    is_known = all(known.get(asked.metric, {}).get(option) == value for option, value in asked.options)
    return asked.metric if is_known else asked.label


def label(asked: Asked, like: str | None, chosen: Mapping[str, Value], usual: Mapping[str, Value]) -> str:
    """The metric with preset and options that differ from the preset's; inputs, such as tables, only if in the brackets."""
    known, own = catalog().options, dict(asked.options)
    counted = [name for name in options_in_effect(asked.metric, chosen) if name in own or not known[name].input]
    differing = tuple(
        (name, chosen[name]) for name in counted if chosen[name] != usual.get(name) and not idle(known[name], chosen)
    )
    return Asked(asked.metric, ((("like", like),) if like else ()) + differing).label
