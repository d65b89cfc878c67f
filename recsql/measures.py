"""The metrics of a query as its templates read them: the expression of each one, under its own options."""

from collections.abc import Callable, Mapping
from typing import Any

from recsql.binding import Column
from recsql.catalog import catalog
from recsql.conditions import Unknown, fact
from recsql.headers import Value
from recsql.needs import holds, needed_by, needs_of
from recsql.options import literal, readable
from recsql.symbols import Truth, among, any_of, both, decide, is_open, negated
from recsql.templates import environment, values


class Measure:
    """A metric in a query. Its attributes are known, or symbols over the entry of a macro's list of metrics."""

    metric: Any  # its name in the catalogue
    name: Any  # of its column
    place: Any  # among the metrics that are shown
    order: Any  # in the call
    label: Any  # as an SQL literal
    title: Any  # of the column of a result with one column per metric
    shown: Truth
    ks_text: Any
    made_of: tuple[Any, ...]
    own: Mapping[str, Any]  # the options in its brackets, and those of the metrics themselves

    def __init__(self, of_query: Mapping[str, Any], grain: str) -> None:
        self.of_query, self.grain = of_query, grain

    @property
    def context(self) -> Mapping[str, Any]:
        """What its template can name: the names of the whole query, and its own options."""
        return {**self.of_query, **self.own}

    @property
    def bounded(self) -> Truth:
        """Whether its values lie between 0 and 1."""
        return among(self.metric, [name for name in self.metrics if catalog().metrics[name].header["bounds"] == [0, 1]])

    @property
    def metrics(self) -> list[str]:
        """The metrics that it can be."""
        return [self.metric] if not is_open(self.metric) else catalog().metrics_of(self.grain)

    @property
    def natural(self) -> str:
        """Its expression over the statistics, for a user with a relevant item."""
        return self.expressed

    @property
    def expressed(self) -> str:
        return self.each(lambda name: metric_text(name, self.context))

    @property
    def value(self) -> str:
        """Its value for any user in the mean."""
        return rendered("expressions/value.sql", {**self.context, "natural": self.natural, "column": self})

    @property
    def users(self) -> str:
        """The number of users in its mean as SQL; NULL if it is not a mean."""
        return self.each(lambda name: users_text(name, self.context))

    @property
    def mean(self) -> str:
        """Its mean in terms of the totals over users, or of other metrics' means if an option says so."""
        own = mean_of(self.name)
        branches = [
            (
                lambda m=metric, o=option: both(self.metric == m, lambda: self.own[o] == "of_means"),
                lambda m=metric: self.of_means(m),
            )
            for metric in self.metrics
            if (option := catalog().metrics[metric].header.get("of_means"))
        ]
        return decide(*branches, (lambda: True, lambda: own))

    def of_means(self, metric: str) -> str:
        header = catalog().metrics[metric].header
        means = dict(zip(header["means"], self.made_of, strict=True))
        texts = {name: mean_of(one) for name, one in means.items()}
        value = rendered(f"metrics/{metric}.sql", {**self.context, "metric": texts})
        return f"case when n.users > 0 then coalesce({value}, {header['empty']}) end"

    @property
    def needs_cutoff(self) -> Truth:
        """Whether it has no value for the whole list."""
        through = [
            both(needs_of(self, source.name), lambda s=source, p=place: holds(s, p, self.of_query))  # type: ignore[misc]
            for source, place in needed_by()["cutoff"]
            if source.folder == "statistics"
        ]
        return any_of(needs_of(self, "cutoff"), *through)

    @property
    def positive_without_hits(self) -> Truth:
        """Whether it may differ from 0 for a user without a hit."""
        return any_of(*(both(self.metric == name, lambda n=name: negated(self.is_sparse(n))) for name in self.metrics))  # type: ignore[misc]

    def is_sparse(self, metric: str) -> Truth:
        if "sparse" not in catalog().metrics[metric].header:
            return False
        return values(f"headers/metrics/{metric}.sql", self.context)["sparse"]

    def each(self, text: Callable[[str], str]) -> str:
        """A text for the metric that it is; metrics with the same text share it."""
        texts = {name: text(name) for name in self.metrics}
        shared = {made: [name for name in texts if texts[name] == made] for made in texts.values()}
        most = max(shared, key=lambda made: len(shared[made]))
        others = [(lambda n=names: among(self.metric, n), lambda m=made: m) for made, names in shared.items() if made != most]
        return decide(*others, (lambda: True, lambda: most))


class Known(Measure):
    """A metric of a query whose options are known."""

    def __init__(self, of_query: Mapping[str, Any], known: Mapping[str, Value], column: Column, place: int) -> None:
        super().__init__(of_query, column.grain)
        self.metric, self.name, self.place, self.order = column.asked.metric, column.name, place, column.place
        self.label, self.title, self.shown = literal(column.label or column.asked.metric), column.title, column.shown
        self.ks_text = ", ".join(map(str, column.ks))
        self.made_of = column.made_of or tuple(column.header.get("means", ()))
        metrics = {name: value for name, value in known.items() if catalog().options[name].is_own}
        self.own = readable({**metrics, **dict(column.asked.options)})

    @property
    def header(self) -> Mapping[str, Any]:
        return catalog().metrics[self.metric].header

    @property
    def within_bounds(self) -> bool:
        """Whether no value is beyond the bounds of the metric under its options."""
        return "exceeds" not in self.header or not values(f"headers/metrics/{self.metric}.sql", self.context)["exceeds"]

    @property
    def least(self) -> str:
        """The smallest possible value as SQL, or NULL."""
        bounds = self.header["bounds"]
        return f"{bounds[0]}e0" if bounds else "cast(null as double)"

    @property
    def most(self) -> str:
        """The largest possible value as SQL, or NULL."""
        bounds = self.header["bounds"]
        return f"{bounds[1]}e0" if len(bounds) > 1 and self.within_bounds else "cast(null as double)"

    @property
    def sum_of(self) -> str:
        """The statistic whose mean over the pairs it is, or the root of that mean."""
        return str(self.header.get("sum_of", ""))

    @property
    def is_root(self) -> bool:
        return bool(self.header.get("root")) and self.method == "clusters"

    @property
    def method(self) -> str:
        """How its interval is computed: wilson, t, clusters or groups."""
        asked, option = self.of_query["interval_method"], self.header.get("of_means")
        if self.grain == "rating" and self.of_query["mean"] == "users":
            return "t"
        if self.grain == "item" or asked == "groups" or (option and self.own[option] == "of_means"):
            return "groups"
        if self.grain == "rating":
            return "clusters" if self.sum_of else "groups"
        return "wilson" if asked != "t" and self.header["bounds"] == [0, 1] and self.within_bounds else "t"


class Open(Measure):
    """A metric of a macro, which is known only when the macro is bound; or a given one under any options."""

    def __init__(self, of_query: Mapping[str, Any], known: Mapping[str, Any], grain: str, metric: str = "") -> None:
        super().__init__(of_query, grain)
        self.metric = metric or Unknown(".metric")
        self.name, self.place, self.label, self.ks_text = map(Unknown, (".name", ".place", ".label", ".ks_text"))
        self.title, self.shown = self.name, fact(".shown")
        self.made_of = (Unknown("made_of_1"), Unknown("made_of_2"))
        own = [option for option in catalog().options.values() if option.is_own and grain in option.home.grains]
        self.own = {
            option.name: Unknown(f".{option.name}") if is_open(known[option.name]) else known[option.name] for option in own
        }

    @property
    def natural(self) -> str:
        """Worked out once, when the macro is bound."""
        return str(Unknown(".natural"))


def mean_of(column: Any) -> str:
    """The mean of a column over the users who have a value."""
    return f"coalesce(t.{column}, 0e0) / nullif(n.users - coalesce(t.{column}_missing, 0), 0)"


def metric_text(name: str, context: Mapping[str, Any]) -> str:
    """A metric's expression over the statistics."""
    text = rendered(f"metrics/{name}.sql", {**context, "metric": Lookup(lambda other: metric_text(other, context))})
    empty = catalog().metrics[name].header.get("empty")
    return f"coalesce({text}, {empty})" if empty else text


def users_text(name: str, context: Mapping[str, Any]) -> str:
    users = catalog().metrics[name].header.get("users")
    text = environment().from_string(users).render(context) if users else "null"
    return f"cast({text} as bigint)"


def rendered(path: str, context: Mapping[str, Any]) -> str:
    return environment().get_template(path).render(context).rstrip("\n")


class Lookup:
    """Names in a template that are resolved when read: `metric.recall`, `statistic.returned`."""

    def __init__(self, find: Any) -> None:
        self._find = find

    def __getitem__(self, name: str) -> str:
        return str(self._find(name))
