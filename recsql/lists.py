"""Metrics over two lists: expressions of list functions, as chains of structs that each build on the one before.

The hits, which several metrics use, are a chain of their own; a metric continues from there.
"""

import re
from collections.abc import Mapping, Set
from typing import Any

from recsql.catalog import Option, Value, catalog
from recsql.options import Condition, Options
from recsql.render import STATISTIC, Inputs, Relation, Rendering
from recsql.templates import template
from recsql.text import LITERAL, code, laid_out

GIVEN = {"recommended", "judged", "relevance", "cutoff"}  # the first fields of a chain, besides the options
FOUND = {
    "found",
    "entries",
    "returned",
    "k",
}  # the fields that metrics start from; for gains there are also the weights of the ranks
FIELD = re.compile(r"\bl\.([a-z_]+)")
LAMBDA = re.compile(r"\blambda (\w+(?:, \w+)*):")
RESERVED = "__recsql_"  # the prefix of lambda parameters in a macro, because arguments may use lambdas themselves
Fields = dict[str, str]  # the fields of a struct with their SQL
OUTSIDE = (  # where options that don't apply to two lists are declared: rows, the users of a mean, the order of a list
    "steps/given_users",
    "steps/population",
    "steps/scored",
    "expressions/value",
    "expressions/has_ideal",
    "checks",
)


class ListOptions(Options):
    """The options of metrics over two lists; those that are not known are fields of a struct."""

    of = "l"  # the struct that the current text reads: l in a list, s in the metric

    def reference(self, name: str) -> str:
        if name in self.known:
            return super().reference(name)
        self.parameters[name] = None
        return f"{self.of}.o.{name}"


class ListRendering(Rendering):
    """Renders metrics over two lists: either those that read gains, or the others."""

    options: ListOptions

    def __init__(self, known: Mapping[str, Value], *, gains: bool, graded: bool = True) -> None:
        tables = {"recs": Relation("", "'recommended'"), "truth": Relation("", "'relevant'")}
        super().__init__(Inputs(tables, known=known, single=True, graded=graded))
        self.options = ListOptions(known)
        self.gains = gains
        self.fields: dict[str, str] = {}  # the lists and statistics rendered so far

    # -- the names that sql/lists can use

    @property
    def gained(self) -> bool:
        """Whether a hit can have a gain other than 1."""
        return self.gains and not self.gains_of_one

    @property
    def counting_items(self) -> str:
        """The recommended items that count."""
        closed = self.options.condition(judged_only="true") | self.options.condition(duplicates="first last")
        return "l.closed" if closed.possible else "l.recommended"

    @property
    def deep(self) -> Condition:
        """Whether the list is read beyond rank k."""
        known = self.options.known
        values = {option.name: option.whole_list for option in reading_on()}
        deep = any(known.get(name) in wanted for name, wanted in values.items())
        possible = deep or not values.keys() <= known.keys()
        return Condition(possible, deep, "l.o.deep")

    @property
    def found_at_k(self) -> str:
        """The hits in the top k."""
        return "list_filter(l.found, lambda h: h.rank <= l.k)" if self.deep.possible else "l.found"

    def statistic(self, name: str) -> str:
        """A statistic, or a list that statistics are computed from."""
        text = self.expression(self.catalog.lists[name].path)
        empty = self.catalog.statistics[name].header.get("empty") if name in self.catalog.statistics else None
        return f"coalesce({text}, {empty})" if empty else text

    # -- the chain

    def found(self) -> str:
        """The chain from the inputs to the hits, as a LIST of one struct."""
        wanted = FOUND | ({"weights"} if self.gains else set())
        links = self.links(wanted)  # first, as it shows which options are read
        return self.laid("list_hits", links=links)

    def of_metric(self, metric: str) -> str:
        """The chain from the hits to a metric."""
        self.options.of = "s"
        text = self.metric(metric)
        self.options.of = "l"
        read = {"relevant", *STATISTIC.findall(code(text))} & self.catalog.statistics.keys()
        statistics = {name: f"l.{name}" if name in FOUND else self.field(name) for name in sorted(read)}
        return self.laid("list_value", links=[statistics | self.carried(set())], metric=text)

    def laid(self, target: str, **context: Any) -> str:
        return reserved(laid_out(template(target, **self.context | context)))

    def links(self, wanted: Set[str]) -> list[Fields]:
        """The structs that lists are computed in, in order."""
        links: list[Fields] = []
        names = set(wanted)
        for level in range(max(map(self.level, names)), 0, -1):
            made = sorted(name for name in names if self.level(name) == level)
            links.insert(0, {name: self.field(name) for name in made} | self.carried(names - set(made)))
            names = {need for name in made for need in self.needs(name)} | (names - set(made))
        return links

    def carried(self, names: Set[str]) -> Fields:
        """Fields that a struct copies from the one before."""
        options = {"o"} if self.options.parameters else set()
        return {name: f"l.{name}" for name in sorted(names | options)}

    def field(self, name: str) -> str:
        if name not in self.fields:
            self.fields[name] = self.statistic(name)
        return self.fields[name]

    def needs(self, name: str) -> set[str]:
        """The lists that a list is computed from."""
        return set(FIELD.findall(code(self.field(name)))) - {"o"}

    def level(self, name: str) -> int:
        """The number of structs between the inputs and a list."""
        return 0 if name in GIVEN else 1 + max(map(self.level, self.needs(name)))


def reading_on() -> list[Option]:
    """The options with values that read a list beyond rank k.

    `duplicates` is not among them, because the gaps that it leaves are closed before the list is cut.
    """
    return [option for option in catalog().options.values() if option.whole_list and option.name != "duplicates"]


def of_one_list() -> dict[str, Value]:
    """The defaults of the options that do not apply to two lists."""
    return catalog().declared_in(*OUTSIDE) | {"rank_by": "rank", "metrics": None, "f1_average": "per_user"}


def reserved(text: str) -> str:
    """The text with reserved names for the parameters of its lambdas."""
    pieces = re.split(f"({LITERAL.pattern})", text)
    names = {name for piece in pieces[::2] for found in LAMBDA.findall(piece) for name in found.split(", ")}
    if not names:
        return text
    words = re.compile(rf"(?<![.\w])({'|'.join(sorted(names))})(?!\w)")
    pieces[::2] = [words.sub(rf"{RESERVED}\1", piece) for piece in pieces[::2]]
    return "".join(pieces)
