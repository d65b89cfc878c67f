"""A metric of a call: its options, what it needs, and its expression for the templates of a query."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import log, nan, sqrt
from types import SimpleNamespace

from jinja2.environment import TemplateModule

from recsql.base.errors import RecsqlError, nearest
from recsql.base.text import plain
from recsql.catalog import catalog
from recsql.catalog.headers import Header, Source, Value
from recsql.query.metric_names import options_in_effect
from recsql.query.needs import made_from, metrics_in, needed_by, needs_cutoff, needs_of, read_in
from recsql.query.templates import Context, environment, holds, module, naming, rendered

# Without casts and CASE, a rendered expression is valid Python, which evaluates it in microseconds; opening DuckDB takes 11 ms.
NOT_PYTHON = re.compile(r"\bcast\b|\bas double\b|\bs\.")
NULL = nan  # like NULL, it makes NaN of any calculation and equals nothing
FUNCTIONS: dict[str, object] = {
    "coalesce": lambda *xs: next((x for x in xs if x == x), NULL),
    "nullif": lambda x, y: NULL if x == y else x,
    "least": lambda *xs: min((x for x in xs if x == x), default=NULL),
    "greatest": lambda *xs: max((x for x in xs if x == x), default=NULL),
    "power": lambda x, y: float(x) ** y if x == x and y == y else NULL,
    "ln": log,
    "sqrt": sqrt,
    "__builtins__": {},
}
# Functions that templates of metrics call, to see which statistics they read. Sentences read no further ones.
CALLED: Context = {"double": str, "said_k": str, "refusal": lambda *_, **__: "", "range": range}
RANKS = re.compile(r"\brank\b|\bnth\b|\bharmonic")  # in the text of a statistic
OF_HITS = ("hits", "splits")  # statistics over these are their `empty` without a hit in the top k
SOME = (0.25, 3.0, 70.0)  # values that any other statistic can have


@dataclass(frozen=True, eq=False)
class Metric:
    """A metric of a call: its options, its cut-offs (all if None), and its column in a query."""

    metric: str  # its name in the catalogue
    options: Mapping[str, Value]  # all options of the call; the metric reads some of them
    ks: tuple[int, ...] = ()
    heading: str = ""  # the metric as asked for, as in the column metric of a result
    label: str = ""  # the metric with all its options, as in the column definition
    name: str = ""  # its column in a query
    shown: bool = True
    order: int = 0  # the position in the call; negative if it isn't shown
    place: int = 0  # among the metrics that a query shows, from 1
    rank_by: str | None = None  # the column that orders the lists, if its brackets say so
    made_of: tuple[str, ...] = ()  # the columns whose means its mean is computed from
    part: str = ""  # of such a column: what it adds up, over the `value` of each user and what its template sets
    of_query: Context = field(default_factory=dict)  # the names that the templates of its query read

    @property
    def header(self) -> Header:
        return catalog().metrics[self.metric].header

    @property
    def grain(self) -> str:
        return catalog().metrics[self.metric].grain

    @property
    def pipeline(self) -> str:
        """The grain of its pipeline: a mean over lists is one over the users with a list."""
        return "user" if self.grain == "list" else self.grain

    @property
    def title(self) -> str:
        """The name of its column in a result, quoted if needed."""
        return plain(self.heading)

    @property
    def shared(self) -> dict[str, Value]:
        """The options that all metrics of a query have in common."""
        return {name: value for name, value in self.options.items() if not catalog().options[name].is_own}

    @cached_property
    def own(self) -> dict[str, Value]:
        """The options in which metrics of one query can differ."""
        return {name: value for name, value in self.options.items() if catalog().options[name].is_own}

    @property
    def read(self) -> dict[str, Value]:
        """The options that can change its value, and the preset."""
        return {name: self.options[name] for name in ("like", *options_in_effect(self.metric, self.options))}

    @cached_property
    def needs(self) -> set[str]:
        """What it needs: the statistics in its text and its number of users, and the needs in headers."""
        context = {**self.options, **CALLED}
        users = environment().from_string(self.header["users"]).render(context) if "users" in self.header else ""
        named = (need for source in made_from(self.metric) for need in needs_of(source, context))
        return {*read_in(f"{metric_text(self.metric, context)} {users}"), *named}

    @property
    def context(self) -> Context:
        """The names that its template can read: those of the whole query, and its own options."""
        return {**self.of_query, **self.own}

    @property
    def bounded(self) -> bool:
        return bool(self.header["bounds"] == [0, 1])

    @property
    def best_is_one(self) -> bool:
        """Whether 1 is the best possible value."""
        return self.bounded and self.within_bounds and "better" not in self.header

    @property
    def sum_of(self) -> str:
        """The statistic over pairs of ratings that is averaged; empty for other metrics."""
        return str(self.header.get("sum_of", ""))

    @cached_property
    def natural(self) -> str:
        """Its expression over the statistics, for a user with a relevant item."""
        return metric_text(self.metric, self.context)

    @property
    def value(self) -> str:
        """Its value for any user in the mean, or the part of it that is added up."""
        value = rendered(catalog().expressions["value"].path, {**self.context, "natural": self.natural, "column": self})
        if not self.part:
            return value
        try:
            return self.part.format_map({**vars(metric_module(self.metric, self.context)), "value": f"({value})"})
        except KeyError as missing:
            [name] = missing.args
            raise RecsqlError(f"sql/metrics/{self.metric}.sql sets no {name}, which its average {self.average} reads") from None

    @property
    def users(self) -> str:
        """The number of users in its mean as SQL; NULL if it is not a mean."""
        users = self.header.get("users")
        return f"cast({environment().from_string(users).render(self.context) if users else 'null'} as bigint)"

    def credit(self, x: str) -> str:
        """What an item at rank `x` adds if it is relevant, whatever else is; empty if that depends on other items."""
        return environment().from_string(self.header.get("credit", "")).render({**self.context, "x": x})

    @property
    def further(self) -> str:
        """What one more relevant item in the list does to it: `higher`, `either`, or nothing that is known."""
        return environment().from_string(self.header.get("further", "")).render(self.context)

    @property
    def average(self) -> str:
        """The value of its option for what is averaged over users; empty without such an option."""
        return str(self.options[self.header["of_means"]]) if "of_means" in self.header else ""

    def mean(self, of: str, users: str) -> str:
        """Its mean: `of` is SQL of the mean of the column {name}, `users` of the number of users.

        It is made of the means of its parts or of other metrics if an option says so.
        """
        means = [of.format(name=name) for name in self.made_of or [self.name]]
        if not self.made_of:
            return means[0]
        if self.average in catalog().averages:
            return str(catalog().averages[self.average]["mean"]).format(*means)
        texts = dict(zip(metrics_in(self.metric), means, strict=True))
        value = rendered(f"metrics/{self.metric}.sql", {**self.context, "metric": texts})
        return f"case when {users} > 0 then coalesce({value}, {self.header['empty']}) end"

    @property
    def needs_cutoff(self) -> str:
        """Why it has no value for the whole list: its name, or an option with its value; empty if it has one."""
        return needs_cutoff(self.metric, self.context)

    @cached_property
    def zero_without_hits(self) -> bool:
        """Whether it is 0 for each user in the mean without a hit in the top k; false if Python can't evaluate it."""
        if self.part:
            return False
        names = {*re.findall(r"\bs\.(\w+)", self.natural)}
        try:
            code = compile(f"({NOT_PYTHON.sub('', self.natural)})", self.metric, "eval")
            found = product(*(self.without_hits(catalog().statistics[name]) for name in names))
            return all(eval(code, FUNCTIONS, dict(zip(names, one, strict=True))) == 0 for one in found)
        except (ArithmeticError, LookupError, NameError, SyntaxError, TypeError, ValueError):
            return False

    @property
    def reads_ranks(self) -> bool:
        """Whether its value depends on the ranks of the hits, and not on their number alone."""
        return any(RANKS.search(catalog().statistics[name].text) for name in read_in(self.natural))

    def without_hits(self, statistic: Source) -> Sequence[float]:
        """Values that a statistic can have for a user in the mean without a hit in the top k."""
        if statistic.header["over"] in OF_HITS:
            return [float(statistic.header.get("empty", NULL))]
        truthful = self.bounded or self.context["no_truth"] in (
            "skip",
            "error",
        )  # otherwise value.sql also computes it for users without a relevant item
        return SOME if truthful and holds(statistic.header.get("positive", "false"), self.context) else (*SOME, 0.0, NULL)

    @cached_property
    def method(self) -> str:
        """How its interval is computed."""
        asked = self.of_query["interval_method"]
        if self.grain == "item":
            return "groups"
        if self.grain == "rating":
            return "t" if self.of_query["mean"] == "users" else "clusters" if self.sum_of and asked != "groups" else "groups"
        if self.made_of or asked == "groups":
            return "groups"
        return "wilson" if self.bounded and asked != "t" and self.within_bounds else "t"

    @property
    def within_bounds(self) -> bool:
        """Whether no value is beyond the bounds of the metric under its options."""
        return not holds(self.header.get("exceeds", "false"), self.context)

    @property
    def bounds(self) -> list[str]:
        """SQL of the smallest and the largest possible value; without the largest if values can exceed it."""
        return [f"{bound}e0" for bound in self.header["bounds"][: None if self.within_bounds else 1]]


def metric_module(name: str, context: Context) -> TemplateModule:
    """The template of a metric, with the names that it sets."""
    path = f"metrics/{name}.sql"
    with naming(path):
        return module(path, {**context, "metric": {one: metric_text(one, context) for one in metrics_in(name)}})


def metric_text(name: str, context: Context) -> str:
    """A metric's expression over the statistics. A ratio names its `denominator`, and the text of its file is the numerator."""
    made = metric_module(name, context)
    text, denominator = str(made).rstrip("\n"), getattr(made, "denominator", "")
    if denominator:
        text = f"({text})" if " " in text else text
        text = (
            f"{text} / {context['double'](denominator if denominator == 's.k' else f'nullif({denominator}, 0)')}"  # k is above 0
        )
    empty = catalog().metrics[name].header.get("empty")
    return f"coalesce({text}, {empty})" if empty else text


def asks_for(metrics: Iterable[Metric], table: str) -> bool:
    """Whether one of the metrics requires a table, or one of several options of which it is one."""
    return any(table in one.one_of for each in metrics for one in catalog().metrics[each.metric].requires)


def needs_train(metric: str) -> bool:
    """Whether a metric needs train, and nothing in its place, under any options."""
    return any(one.one_of == ["train"] and not one.where for one in catalog().metrics[metric].requires)


def by_groups(metrics: Iterable[Metric]) -> list[Metric]:
    """The metrics of a result that are not means; their intervals come from leaving out groups of users."""
    return [one for one in metrics if one.shown and one.method == "groups"]


def needs_in(metrics: Iterable[Metric], options: Context, further: Iterable[str] = ()) -> SimpleNamespace:
    """What a query needs, as in `needs.ideals`: true or false for each statistic, step of sums and name in needs.toml.

    Needs of needs are included. Raises RecsqlError if a file needs a name that doesn't exist.
    """
    statistics, sums = catalog().statistics, catalog().sums
    known, needed = {*catalog().needs, *statistics, *(step.name for step in sums.values())}, set[str]()
    metrics, todo = list(metrics), [*further]
    # Only metrics of all lists read statistics of that grain and what these need; at_k has the others.
    of_items = any(one.grain == "item" for one in metrics)
    for one in metrics:
        todo += one.needs
    for source in (*catalog().steps.values(), *catalog().expressions.values()):
        todo += needs_of(source, options) if source.needs else []
    while todo:
        if (name := todo.pop()) not in needed:
            needed.add(name)
            if name in statistics and (of_items or statistics[name].grain != "item"):
                over = statistics[name].header["over"]
                todo += [*needs_of(statistics[name], options), *([sums[over].name] if over in sums else [])]
    for name in needed - known:
        path = next((one.path for one in catalog().sources.values() if name in needed_by(one)), "metrics")
        raise RecsqlError(f"sql/{path} needs {name}, which is neither a statistic nor in needs.toml; {nearest(name, known)}")
    return SimpleNamespace(**{name: name in needed for name in known})
