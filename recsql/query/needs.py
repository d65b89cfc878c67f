"""What the metrics and the options of a query need, by name."""

import re
from functools import cache

from recsql.catalog import catalog
from recsql.catalog.headers import Source
from recsql.query.templates import Context, compiled, holds, reads

STATISTIC, MADE_OF = re.compile(r"\bs\.(\w+)"), re.compile(r"\bmetric\.(\w+)")  # in the text of a metric
KEYS = ("user_id",)  # not statistics: columns that sentences read


def needs_of(source: Source, context: Context) -> list[str]:
    """What a file needs under some options."""
    return [need.name for need in source.needs if holds(need.condition, context)]


def needs_cutoff(metric: str, context: Context) -> str:
    """Why a metric has no value for the whole list: its name, or an option with its value; empty if it has one."""
    needs = (need for source in sources_of(metric) for need in source.needs if need.name == "cutoff")
    names = (compiled(need.condition).co_names for need in needs if holds(need.condition, context))
    named = [[metric, *(one for one in found if one in catalog().options)][-1] for found in names]
    return next((name if name == metric else f"{name} = {context[name]}" for name in named), "")


def read_in(text: str) -> list[str]:
    """The statistics that a metric's text reads, in the order of the text."""
    return [name for name in dict.fromkeys(STATISTIC.findall(text)) if name not in KEYS]


def needed_by(source: Source) -> list[str]:
    """What a file needs under any options: the statistics in the text of a metric, and the needs in its header."""
    read = read_in(f"{source.text} {source.header.get('users')}") if source.folder == "metrics" else []
    return [*read, *(need.name for need in source.needs)]


@cache
def metrics_in(metric: str) -> list[str]:
    """The metrics whose expressions are part of a metric's text."""
    return sorted({*MADE_OF.findall(catalog().metrics[metric].text)})


@cache
def made_from(metric: str) -> list[Source]:
    """The metric and those that it is computed from."""
    return [catalog().metrics[metric], *(one for name in metrics_in(metric) for one in made_from(name))]


@cache
def sources_of(metric: str) -> list[Source]:
    """The files that a metric is made from: its own, those of other metrics, and their statistics."""
    found: list[Source] = []
    todo = list(made_from(metric))
    while todo:
        if (source := todo.pop(0)) not in found:
            found.append(source)
            todo += [catalog().statistics[name] for name in needed_by(source) if name in catalog().statistics]
    return found


@cache
def own_options(metric: str) -> frozenset[str]:
    """The options that a metric requires, and those that it and its statistics read, directly or in an earlier step."""
    read = frozenset[str]().union(*(reads(source.path) for source in sources_of(metric)))
    made_with = {name for source in sources_of(metric) for name in source.header.get("made_with", "").split()}
    before = {name for name, option in catalog().options.items() if option.home.name in made_with}
    averages = {source.header.get("of_means") for source in made_from(metric)[1:]}  # how others are averaged makes no difference
    declared = {name for source in made_from(metric) for name in source.header.get("options", {})} - averages
    required = {name for requirement in catalog().metrics[metric].requires for name in requirement.one_of}
    of_weights = {*catalog().topics["propensity"].options} if "weighting" not in catalog().metrics[metric].header else set()
    return frozenset((read & catalog().options.keys() | declared | before | required) - of_weights)
