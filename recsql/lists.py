"""Metrics over two lists: expressions of list functions, as chains of structs that each build on the one before.

The hits, which several metrics use, are a chain of their own; a metric continues from there. An option that is known only when
the macro is bound is a field of the struct `o`.
"""

import re
from collections.abc import Callable, Mapping, Sequence, Set
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

from recsql import symbols
from recsql.catalog import catalog
from recsql.headers import Option, Value
from recsql.measures import Lookup, metric_text, rendered
from recsql.needs import Needs, holds, made_from, sources_of
from recsql.options import looked_up, readable
from recsql.sentences import failing, sentence_of
from recsql.symbols import Truth, among, either, is_open
from recsql.templates import dialect, reads, template
from recsql.text import LITERAL, code

GIVEN = {"recommended", "judged", "relevance", "cutoff"}  # the first fields of a chain, besides the options
FOUND = {"found", "entries", "returned", "k"}  # the fields that metrics start from; for gains also the weights of the ranks
LAMBDA = re.compile(r"\blambda (\w+(?:, \w+)*):")
STATISTIC = re.compile(r"\bs\.(\w+)")
OPERAND = re.compile(r"[\w.]+|coalesce\(len\([\w.]+\), 0\)|len\([\w.]+\)")  # what needs no brackets
SHORT = 30  # characters of an expression that needs no field of its own
RESERVED = "__"  # the prefix of lambda parameters in a macro, because arguments may use lambdas themselves
NAMES = {"recs": "'recommended'", "truth": "'relevant'"}  # of the lists in sentences
OUTSIDE = ("f1_average", "ties", "users", "no_recs", "no_truth", "zero_ideal")  # options that don't apply to two lists
Fields = dict[str, str]  # the fields of a struct with their SQL


class Lists:
    """Metrics over two lists: those that read gains, those that read items judged not relevant, or the others."""

    def __init__(
        self, known: Mapping[str, Value], *, gains: bool, rejected: bool = False, graded: bool = True, deep: bool = True
    ) -> None:
        self.gains, self.rejected, self.graded = gains, rejected, graded
        self.deep = deep  # some options may make a metric read on beyond rank k
        self.open = [name for name in catalog().options if name not in known]
        self.known = readable(known)
        self.sql = dialect("duckdb")
        self.context = self._of("l") | self._of_lists()
        self.fields: Fields = {}  # the lists and statistics rendered so far

    def _of(self, struct: str) -> dict[str, Any]:
        """What texts over a struct can name: l in a list, s in the metric."""
        options = self.known | {name: unknown(name, f"{struct}.o.{name}") for name in self.open}
        context = options | {
            "unordered": False,
            "checked": False,  # no check runs before: each value is refused where it is read
            "sql": self.sql,
            "double": lambda text: f"cast({text} as double)",
            "refusal": self.refusal,
            "looked_up": partial(self.looked_up, options["gain_map"]),
        }
        for name, source in catalog().expressions.items():
            context[name] = lambda x, item="", path=source.path: rendered(path, {**context, "x": x, "item": item})
        return context

    def _of_lists(self) -> dict[str, Any]:
        """The further names for lists and statistics."""
        options = self._of("l")
        some = either(options["judged_only"] == "true", lambda: among(options["duplicates"], ("first", "last")))
        deep = self.deep and (symbols.Value("l.o.deep") if self.open else reads_on(cut_at_k(), options))
        return {
            "graded": self.graded,  # the macro has the parameter relevance
            "rated": symbols.Value("l.relevance is not null") if self.graded else False,
            "gained": self.gains and (self.graded or options["gain"] not in ("linear", "binary", "exp2")),  # not all gains are 1
            "selective": some is not False,  # some recommended items may not count
            "deep": deep,  # the list is read beyond rank k
            "found_at_k": "l.found" if deep is False else "list_filter(l.found, lambda h: h.rank <= l.k)",
            "field": Lookup(self.field),
        }

    def refusal(self, check: str, **found: object) -> str:
        return failing(sentence_of(check, NAMES, self.sql, found, single=True), self.sql)

    def looked_up(self, pairs: Any, x: str) -> str:
        """The gain that the option gain_map gives for a relevance."""
        return str(self.sql.lookup(pairs, x)) if is_open(pairs) else looked_up(pairs, x)

    # -- the chain

    def found(self, macros: Mapping[str, str]) -> str:
        """The chain from the inputs to the hits, as a LIST of one struct; some lists, by their texts, have macros."""
        return self.laid("list_hits", links=[called(fields, macros) for fields in self.links(self.start)])

    def of_metric(self, metric: str, macros: Mapping[str, str]) -> str:
        """The chain from the hits to a metric: in one step if its statistics are short expressions."""
        fields = {name: f"l.{name}" if name in self.start else self.field(name) for name in self.statistics(metric)}
        value = f"case when s.relevant > 0 then {metric_text(metric, self._of('s'))} end"
        if max(map(len, fields.values())) > SHORT:
            return self.laid("list_value", fields=called(fields, macros) | self.carried(set()), metric=value)
        operands = {name: text if OPERAND.fullmatch(text) else f"({text})" for name, text in fields.items()}
        in_place = outside_literals(STATISTIC, lambda s: operands.get(s[1], f"l.{s[1]}"), value)
        return self.laid("list_value", fields={}, metric=in_place)

    def laid(self, target: str, **context: Any) -> str:
        return reserved(template(target, **self.context, open=self.open, **context))

    @property
    def start(self) -> set[str]:
        return FOUND | ({"weights"} if self.gains else set()) | ({"rejected"} if self.rejected else set())

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
        return {name: f"l.{name}" for name in sorted({*names, *(["o"] if self.open else [])})}

    def field(self, name: str) -> str:
        """A statistic, or a list that statistics are computed from."""
        if name not in self.fields:
            text = rendered(catalog().lists[name].path, self.context)
            empty = catalog().statistics[name].header.get("empty") if name in catalog().statistics else None
            self.fields[name] = f"coalesce({text}, {empty})" if empty else text
        return self.fields[name]

    def needs(self, name: str) -> list[str]:
        """The fields that a list or statistic is computed from."""
        source = catalog().lists[name]
        return [need.name for place, need in enumerate(source.needs) if holds(source, place, self.context) is not False]

    def behind(self, names: Set[str]) -> set[str]:
        """These lists, and those that they are computed from."""
        found: set[str] = set()
        while names := {*names} - found - GIVEN:
            found |= names
            names = {need for name in names for need in self.needs(name)}
        return found

    def level(self, name: str) -> int:
        """The number of structs between the inputs and a list."""
        return 0 if name in GIVEN else 1 + max(map(self.level, self.needs(name)))

    def statistics(self, metric: str) -> list[str]:
        """The statistics that a metric reads, and the number of relevant items, without which it has no value."""
        named = {
            need.name
            for source in made_from(metric)
            for place, need in enumerate(source.needs)
            if need.name in catalog().statistics and holds(source, place, self.context) is not False
        }
        return sorted({"relevant", *named} & catalog().lists.keys())

    def options_of(self, metric: str) -> list[Option]:
        """The options that a metric and its hits read, apart from known ones."""
        fields = self.behind({*self.start, *self.statistics(metric)})
        sources = [*made_from(metric), *(catalog().lists[name] for name in fields)]
        names = {name for source in sources for name in reads(source.path)} & {*self.open}
        maps = {catalog().options[name].mapping for name in names}
        return [option for name, option in catalog().options.items() if name in names | maps]


def called(fields: Fields, macros: Mapping[str, str]) -> Fields:
    """The fields with calls of the macros that some of them have."""
    return {name: f"recsql.{macros[text]}(l)" if text in macros else text for name, text in fields.items()}


def unknown(name: str, sql: str) -> symbols.Value:
    """An option that is known only when the macro is bound."""
    return symbols.Value(sql, nullable=catalog().options[name].default is None)


def of_one_list() -> dict[str, Value]:
    """The defaults of the options that do not apply to two lists."""
    return {name: catalog().options[name].default for name in OUTSIDE}


@cache
def of_lists() -> list[str]:
    """The metrics that can be computed from two lists."""
    return [name for name, source in catalog().metrics.items() if source.grain == "user"]


@cache
def cut_at_k() -> list[str]:
    """Those of them that by default read no list beyond rank k."""
    usual = {name: option.default for name, option in catalog().options.items()}
    return [name for name in of_lists() if reads_on([name], usual) is False]


def reads_gains(metric: str) -> bool:
    """Whether a metric is computed from gains."""
    return any(need.name == "gains" for source in sources_of(metric) for need in source.needs)


def reads_rejected(metric: str) -> bool:
    """Whether a metric is computed from the items that are judged not relevant."""
    return any(need.name == "preferences" for source in sources_of(metric) for need in source.needs)


def reads_on(metrics: Sequence[str], options: Mapping[str, Any]) -> Truth:
    """Whether one of these metrics reads a list beyond rank k.

    The gaps that `duplicates` leaves don't count here: they are closed before the list is cut.
    """
    context = {**options, "duplicates": "error"}
    return Needs([SimpleNamespace(metric=name, metrics=[name], context=context) for name in metrics], context).whole_list


def reserved(text: str) -> str:
    """The text with reserved names for the parameters of its lambdas."""
    names = {name for found in LAMBDA.findall(code(text)) for name in found.split(", ")}
    if not names:
        return text
    words = re.compile(rf"(?<![.\w])({'|'.join(sorted(names))})(?!\w)")
    return outside_literals(words, lambda word: RESERVED + word[0], text)


def outside_literals(pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str], text: str) -> str:
    """The text with what the pattern finds replaced, except in literals."""
    pieces = re.split(f"({LITERAL.pattern})", text)
    pieces[::2] = [pattern.sub(replacement, piece) for piece in pieces[::2]]
    return "".join(pieces)
