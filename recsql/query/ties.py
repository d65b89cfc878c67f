"""Which metrics can be computed with ties = expected.

A hit then has a row for each rank that it can have, with its probability, so sums over hits are means over all orders of tied
items. A metric is the mean of its values in all orders if it is affine in these sums: f((x + y) / 2) = (f(x) + f(y)) / 2 for the
sums x and y of any two orders.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import duckdb

from recsql.base.statement import steps_in
from recsql.base.text import code
from recsql.catalog import catalog
from recsql.catalog.headers import TABLE, Value
from recsql.catalog.options import Parameter
from recsql.query.binding import Inputs, Relation
from recsql.query.metric import Metric
from recsql.query.needs import own_options, read_in
from recsql.query.render import OF_CHECKS, Query
from recsql.query.steps import columns_of
from recsql.query.templates import rendered

SPREAD = {"ties": "expected", "rank_by": "score", "truth_window": "all"}  # a truth in order is refused in any case
WEIGHTS, WINDOW = re.compile(r"\b(?:probability|leads)\b"), re.compile(r"\bover\s*\(")
PLACED = re.compile(r"\bh\.(?!(?:model|user_id|item_id|k|gain|weight|copies|place|probability)\b)")  # where a hit stands
MOST = (1, 2, 3, 5, 10, 30, 100, 1000, 10**6)  # how many hits a list can have
DRAWS = 6  # pairs of orders for each of these
SIZES = ("catalog_size", "candidates")  # statistics that are larger than any list
Statistics = dict[str, float | None]  # by name


def without_mean(metric: str, known: Mapping[str, Value]) -> str:
    """Why a metric has no mean over all orders of tied items under some options; empty if it has one."""
    options = catalog().options
    chosen = {name: known[name] for name in (*own_options(metric), "train")}  # weights may be of train
    # A value that only the call of a macro knows is like any other.
    fixed = {name: value for name, value in chosen.items() if value is not None and not isinstance(value, Parameter)}
    return reason(metric, tuple((name, fixed.get(name, option.default)) for name, option in options.items()))


@cache
def reason(metric: str, options: tuple[tuple[str, Value], ...]) -> str:
    """Why a metric has no mean over all orders; the options are all options."""
    known = dict(options) | SPREAD
    roles = ("recs", "truth", *(name for name, option in catalog().options.items() if option.type == TABLE))
    tables = {role: Relation("", f"'{role}'") for role in roles}
    column = Metric(metric, known, ks=(1,), name=metric, heading=metric)
    if column.pipeline != "user":  # it has no hits
        return ""
    query = Query(Inputs(tables, known=known, columns=(column,), fast=False, plain=True), "per_user")
    summed = [name for step in query.sums("at_k") for name in query.statistics(step["over"])]
    texts = {name: rendered(catalog().statistics[name].path, query.context) for name in summed}
    if missing := [name for name, text in texts.items() if not text]:
        return f"the mean of {missing[0]} is not known"
    steps = {name: query.cte(name, text) for name, text in query.pull(query.last).items()}  # also the columns that nothing reads
    if lost := next(losing_weights(steps), ""):
        return lost
    varying = varying_statistics(texts, steps)
    for name in query.statistics("user"):
        if read := [other for other in varying if re.search(rf"\b{alias_of(other)}\.{other}\b", query.statistic(name))]:
            return f"{name} is computed from {read[0]}, but is not a sum over hits"
    natural = query.metrics[0].natural
    read = [name for name in read_in(natural) if name in varying]
    if read and not is_affine(natural, varying):
        means = f"the {'means' if read[1:] else 'mean'} of {' and '.join(read)}"
        return f"its mean over all orders of tied items does not follow from {means}"
    return ""


def alias_of(statistic: str) -> str:
    """The alias of the sums of its kind in the step at_k."""
    return str(catalog().sums[catalog().statistics[statistic].header["over"]].header["sums"]["alias"])


def losing_weights(steps: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with the steps that read hits and neither pass on each one with its probability nor add up with it."""
    weighted = {name for name, text in steps.items() if WEIGHTS.search(code(text)) and "probability" in columns_of(name, steps)}
    kinds = {step.name: over for over, step in catalog().sums.items()}
    for name, text in ((name, code(text)) for name, text in steps.items() if steps_in(text) & weighted and name not in OF_CHECKS):
        adds_up = name in kinds and (kinds[name] in catalog().kinds_of_hits or WEIGHTS.search(text))
        if not (name in weighted or adds_up):
            yield f"its step {name} reads hits, but does not carry their probability onwards"
        elif WINDOW.search(text):
            yield f"its step {name} has a window over hits, which have several rows each"


def varying_statistics(texts: Mapping[str, str], steps: Mapping[str, str]) -> dict[str, str]:
    """The statistics that can differ between two orders of a list, with their texts.

    Those that don't read the place of a hit are the same in all orders, unless a cut-off separates tied items.
    """

    def from_hits(name: str) -> bool:
        return name == "hits" or any(from_hits(one) for one in steps_in(steps[name]) if one in steps)

    found = {}
    for name, text in texts.items():
        source = catalog().statistics[name]
        step = catalog().sums[source.header["over"]].name
        whole = "hits" in steps_in(steps[step]) and not PLACED.search(" ".join([text, *source.joins.values()]))
        if from_hits(step) and not whole:
            found[name] = text
    return found


def is_affine(text: str, varying: Mapping[str, str]) -> bool:
    """Whether a metric's expression is affine in the statistics that differ between orders, on some draws of two orders."""
    names = ["user_id", *dict.fromkeys(("k", *read_in(text)))]
    drawn = [one for most in MOST for number in range(DRAWS) for one in orders(most, number, names, varying)]
    columns = {name: [one[name] for one in drawn] for name in names}
    types = {name: "double" if name in varying or name in SIZES else "bigint" for name in names}
    rows = ", ".join(f"unnest(cast(${name} as {types[name]}[])) as {name}" for name in names)
    try:
        with engine().cursor() as own:
            values = [value for (value,) in own.execute(f"select {text} from (select {rows}) as s", columns).fetchall()]
    except duckdb.Error:
        return False
    triples = [triple for triple in zip(values[::3], values[1::3], values[2::3], strict=True) if triple != (None, None, None)]
    return bool(triples) and all(is_halfway(*triple) for triple in triples)


def is_halfway(first: float | None, second: float | None, mean: float | None) -> bool:
    if first is None or second is None or mean is None:
        return False
    return abs(mean - (first + second) / 2) <= 1e-9 * max(1, abs(first), abs(second))


@cache
def engine() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"threads": 1})


def orders(most: int, number: int, names: Sequence[str], varying: Mapping[str, str]) -> tuple[Statistics, Statistics, Statistics]:
    """The statistics of two orders with up to `most` hits, and their means. In every third draw, the second has no hit.

    A number of the user, such as the cut-off, is the same in both, and at least the number of hits.
    """
    draw = random.Random(f"{most} {number}")
    first: Statistics = {name: most + draw.randint(0, most) for name in names}
    first |= dict.fromkeys(SIZES, 100 * most)  # they have all lists and relevant items
    second, mean = dict(first), dict(first)
    by_text = {text: (of_hits(draw, most), of_hits(draw, most)) for text in dict.fromkeys(varying.values())}
    for name in (one for one in names if one in varying):
        x, y = by_text[varying[name]]
        first[name], second[name], mean[name] = x, y, (x + y) / 2
        if number % 3 == 0:
            empty = catalog().statistics[name].header.get("empty")
            second[name], mean[name] = empty and float(empty), x / 2
    return first, second, mean


def of_hits(draw: random.Random, most: int) -> float:
    """A sum over hits: a count, or the sum of something that each hit adds, such as 1 / rank."""
    return draw.choice([float(draw.randint(1, most)), float(most), 1.0, 1 / draw.randint(1, most), draw.uniform(0, most)])
