"""The metrics of a query as its templates read them: the expression of each one, under its own options."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from recsql.binding import Column
from recsql.catalog import catalog
from recsql.conditions import Condition, Unknown, fact
from recsql.headers import Value
from recsql.needs import holds, needed_by, needs_of
from recsql.options import literal, readable
from recsql.symbols import Truth, all_of, among, any_of, both, decide, either, is_open, negated
from recsql.templates import environment, values

METHODS = ("wilson", "t", "clusters", "groups")  # of intervals
NO_BOUND = "cast(null as double)"


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
        return self.holds_for(lambda name: negated(self.is_sparse(name)))

    def is_sparse(self, metric: str) -> Truth:
        if "sparse" not in catalog().metrics[metric].header:
            return False
        return values(f"headers/metrics/{metric}.sql", self.context)["sparse"]

    # -- its interval

    def is_by(self, method: str) -> Truth:
        """Whether its interval is computed by a method."""
        return self.holds_for(lambda name: self.has_method(name, method))

    def has_method(self, metric: str, method: str) -> Truth:
        """Whether the interval of a metric that it can be is computed by a method, under its options."""
        header, asked = catalog().metrics[metric].header, self.of_query["interval_method"]
        if self.grain == "item":
            return method == "groups"
        if self.grain == "rating":
            by_user = self.of_query["mean"] == "users"
            grouped = either(asked == "groups", lambda: "sum_of" not in header)
            found = {
                "t": by_user,
                "groups": all_of(negated(by_user), grouped),
                "clusters": all_of(negated(by_user), negated(grouped)),
            }
            return found.get(method, False)
        of_means = str(header.get("of_means", ""))
        grouped = either(asked == "groups", lambda: bool(of_means) and self.own[of_means] == "of_means")
        scored = all_of(header["bounds"] == [0, 1], negated(asked == "t"), self.keeps_bounds(metric))
        found = {"groups": grouped, "wilson": all_of(negated(grouped), scored), "t": all_of(negated(grouped), negated(scored))}
        return found.get(method, False)

    @property
    def within_bounds(self) -> Truth:
        """Whether no value is beyond the bounds of the metric under its options."""
        return self.holds_for(self.keeps_bounds)

    def keeps_bounds(self, metric: str) -> Truth:
        """Whether no value is beyond the bounds of a metric that it can be."""
        if "exceeds" not in catalog().metrics[metric].header:
            return True
        return negated(values(f"headers/metrics/{metric}.sql", self.context)["exceeds"])

    @property
    def least(self) -> str:
        """The smallest possible value as SQL, or NULL."""
        return self.each(lambda name: bound(catalog().metrics[name].header["bounds"], 0))

    @property
    def most(self) -> str:
        """The largest possible value as SQL, or NULL."""
        return self.each(
            lambda name: decide(
                (lambda: self.within_bounds, lambda: bound(catalog().metrics[name].header["bounds"], 1)),
                (lambda: True, lambda: NO_BOUND),
            )
        )

    @property
    def sum_of(self) -> str:
        """The statistic whose mean over the pairs it is, or the root of that mean."""
        return self.each(lambda name: str(catalog().metrics[name].header.get("sum_of", "")))

    def sums(self, statistic: str) -> Truth:
        """Whether it is the mean of a statistic over the pairs, or the root of that mean."""
        return among(self.metric, [name for name in self.metrics if catalog().metrics[name].header.get("sum_of") == statistic])

    @property
    def is_root(self) -> Truth:
        roots = [name for name in self.metrics if catalog().metrics[name].header.get("root")]
        return both(among(self.metric, roots), lambda: self.is_by("clusters"))

    def holds_for(self, test: Callable[[str], Truth]) -> Truth:
        """Whether a condition holds for the metric that it is."""
        return any_of(*(both(self.metric == name, partial(test, name)) for name in self.metrics))

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
    def method(self) -> str:
        """How its interval is computed."""
        return next(method for method in METHODS if self.is_by(method))


class Open(Measure):
    """A metric of a macro, which is known only when the macro is bound; or a given one under any options."""

    def __init__(self, of_query: Mapping[str, Any], known: Mapping[str, Any], grain: str, metric: str = "") -> None:
        super().__init__(of_query, grain)
        self.rules: dict[str, Condition] = of_query["metric_rules"]
        self.metric = metric or Unknown(".metric")
        self.name, self.place, self.order, self.label = map(Unknown, (".name", ".place", ".order", ".label"))
        self.ks_text = Unknown(".ks_text")
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

    def is_by(self, method: str) -> Truth:
        return self.once(f".by_{method}", super().is_by(method))

    @property
    def within_bounds(self) -> Truth:
        return self.once(".within_bounds", super().within_bounds)

    def once(self, name: str, value: Truth) -> Truth:
        """A rule about the metric, which is worked out once when the macro is bound."""
        if not is_open(self.metric) or not isinstance(value, Condition) or value.is_short:
            return value
        self.rules[name] = value
        return fact(name)


def bound(bounds: Sequence[int], place: int) -> str:
    return f"{bounds[place]}e0" if len(bounds) > place else NO_BOUND


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
