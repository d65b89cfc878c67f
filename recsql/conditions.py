"""The symbols of macros that write a query, and texts of which parts stand under a condition.

A condition is a text such as `gain=binary & !sparse | uncut`. The names in it are facts, such as the value of an option, or
rules. A text has marks: `{%gain=binary%}` says under which condition the text up to the next mark belongs to the query,
and `{%gain=binary: depth%}` also puts in the value `depth`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from recsql.symbols import Several, Symbol, Truth, is_open

OPEN, CLOSE = "{%", "%}"  # around a mark
LOOP = EACH, END = "each", "/each"  # the marks around the text of each metric
MARK = re.compile(f"{OPEN}(.*?){CLOSE}")
VALUE = "\x02{}\x03"  # a value in a rendered text
VALUE_OR = "/"  # between the values of an option in a fact
VALUES = re.compile("\x02(.*?)\x03")
ANY = "any("  # how a fact begins that some metric of the call has facts
THEN = " => "  # between the condition and the text of a line
ALTERNATIVES = 200  # more than any condition of a template has; beyond that it should be a decision
Alternative = tuple[str, ...]  # facts and rules that hold together; those with ! don't


class Condition(Symbol):
    """A condition: one of its alternatives holds."""

    def __init__(self, alternatives: Iterable[Alternative]) -> None:
        self.alternatives = tuple(alternatives)

    def __repr__(self) -> str:
        return " | ".join(" & ".join(one) for one in self.alternatives)

    def __str__(self) -> str:
        raise TypeError(f"{self!r} is a condition and not a text")

    @property
    def is_short(self) -> bool:
        """Whether it is a single fact about the call, or that such a fact does not hold."""
        return len(self.alternatives) == 1 and len(self.alternatives[0]) == 1 and ANY not in self.alternatives[0][0]

    @property
    def names(self) -> set[str]:
        return {name.removeprefix("!") for one in self.alternatives for name in one}

    def both(self, other: Any) -> Truth:
        return of_alternatives(a + b for a in self.alternatives for b in other.alternatives)

    def either(self, other: Any) -> Truth:
        return of_alternatives((*self.alternatives, *other.alternatives))

    def negated(self) -> Truth:
        found: Truth = True
        for one in self.alternatives:
            opposite = of_alternatives((opposite_of(name),) for name in one)
            found = opposite if found is True else found.both(opposite) if is_open(found) else found
        return found

    def cases(self, branches: Iterable[tuple[Any, str]], last: str) -> str:
        texts = list(branches)
        if all(text.endswith("\n") for text in (*(text for _, text in texts), last)):  # so that what follows can be cut
            return self.cases([(condition, text[:-1]) for condition, text in texts], last[:-1]) + "\n"
        made, rest = "", True
        for condition, text in [*texts, (True, last)]:
            made += under(both_of(rest, condition), text)
            rest = both_of(rest, negated_of(condition))
        return made


@dataclass(frozen=True, eq=False)
class Unknown(Symbol):
    """A value of the call, such as an option; those of a metric begin with a dot."""

    name: str

    def __str__(self) -> str:
        return VALUE.format(self.name)

    def __eq__(self, other: object) -> Truth:
        return other.name == self.name if isinstance(other, Unknown) else fact(f"{self.name}={shown(other)}")

    def __ne__(self, other: object) -> Truth:
        return negated_of(self == other)

    def __gt__(self, other: int) -> Condition:
        return fact(f"{self.name}>{other}")

    def among(self, choices: Iterable[Any]) -> Truth:
        return fact(one_of(self.name, map(shown, choices)))

    def is_none(self) -> Truth:
        return self == None  # noqa: E711 -- a symbol

    __hash__ = None


class Columns(Several):
    """The metrics of a macro: those for which a condition holds."""

    def __init__(self, entry: Callable[[], Any], where: Truth = True) -> None:
        self.entry, self._where = entry, where

    def each(self, body: Callable[[Any], str]) -> str:
        text = under(self._where, body(self.entry()))
        return f"{OPEN}{EACH}{CLOSE}{mark()}{text}{OPEN}{END}{CLOSE}{mark()}"

    def any(self, holds: Callable[[Any], Truth]) -> Truth:
        found = both_of(self._where, holds(self.entry()))
        if not is_open(found):
            return found
        return of_alternatives(any_metric(one) for one in found.alternatives)

    def where(self, holds: Callable[[Any], Truth]) -> "Columns":
        return Columns(self.entry, both_of(self._where, holds(self.entry())))


def shown(value: Any) -> str:
    """A value as in a fact; the empty text is NULL."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def fact(name: str) -> Condition:
    return Condition([(name,)])


def opposite_of(name: str) -> str:
    return name.removeprefix("!") if name[0] == "!" else f"!{name}"


def both_of(a: Truth, b: Truth) -> Truth:
    return a.both(b) if is_open(a) and is_open(b) else (a if b is True else b) if b is True or a is True else False


def negated_of(a: Truth) -> Truth:
    return a.negated() if is_open(a) else not a


def any_metric(alternative: Alternative) -> Alternative:
    """An alternative about one metric as one about the call: whether there is such a metric."""
    own = [name for name in alternative if name.removeprefix("!")[0] == "."]
    others = [name for name in alternative if name not in own]
    return (*others, f"{ANY}{', '.join(own)})") if own else alternative


def of_alternatives(alternatives: Iterable[Alternative]) -> Truth:
    """The condition, simplified."""
    possible = list(dict.fromkeys(one for raw in alternatives if (one := simplified(raw)) is not None))
    if len(possible) > ALTERNATIVES:
        raise ValueError(f"a condition has {len(possible)} alternatives; make a part of it a decision: {possible[0]}")
    kept = [one for one in possible if not any({*other} < {*one} for other in possible)]
    return Condition(kept) if kept and () not in kept else () in kept


def simplified(names: Alternative) -> Alternative | None:
    """An alternative without what follows from the rest; None if it is impossible. An option has one value."""
    if any(opposite_of(name) in names for name in names):
        return None
    told = [(name, *values_in(name)) for name in names]
    possible: dict[str, set[str]] = {}
    for _, option, values in told:
        if values and option[0] != "!":
            possible[option] = possible.get(option, values) & values
    for _, option, values in told:
        if option[1:] in possible:
            possible[option[1:]] = possible[option[1:]] - values
    if not all(possible.values()):
        return None
    others = [name for name, option, values in told if not values or (option[0] == "!" and option[1:] not in possible)]
    return tuple(sorted({*others, *(one_of(option, values) for option, values in possible.items())}))


def one_of(option: str, values: Iterable[str]) -> str:
    """The fact that an option has one of some values."""
    return f"{option}={VALUE_OR.join(sorted(values))}"


def values_in(name: str) -> tuple[str, set[str]]:
    """The option of a fact, and its values; none if the fact is not about an option."""
    option, is_value, values = name.partition("=")
    return option, set(values.split(VALUE_OR)) if is_value and ANY not in option else set()


# -- texts with marks


def mark(condition: Truth = True, value: str = "") -> str:
    said = repr(condition) if is_open(condition) else ""
    return f"{OPEN}{said}{': ' if value else ''}{value}{CLOSE}"


def line(condition: Truth, text: str) -> str:
    """A text under a condition as a line."""
    return f"{repr(condition) if is_open(condition) else ''}{THEN}{text}"


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """The texts after each mark of a text, each with the mark; the text before the first one has an empty mark."""
    _, *found = MARK.split(mark() + text)
    return zip(found[::2], found[1::2], strict=True)


def parsed(condition: str) -> Truth:
    return Condition(tuple(one.split(" & ")) for one in condition.split(" | ")) if condition else True


def under(condition: Truth, text: str) -> str:
    """The text under a further condition."""
    if condition is True or not text:
        return text
    if condition is False:
        return ""
    made = ""
    for before, piece in pieces(text):
        if before in LOOP:
            made += f"{OPEN}{before}{CLOSE}{under(condition, piece)}"
        elif piece and (both := both_of(condition, parsed(before))) is not False:
            made += mark(both) + piece
    return made + mark()


def laid(text: str) -> str:
    """A rendered text as a macro keeps it: with a mark where the condition changes, and for each value."""
    made, now = "", None
    for found, piece in pieces(text):
        condition = "" if found in LOOP else found
        if found in LOOP:
            made, now = f"{made}{OPEN}{found}{CLOSE}", None
        for place, part in enumerate(VALUES.split(piece)):
            if place % 2:
                made += mark(parsed(condition), part)
            elif part:
                made += part if condition == now else mark(parsed(condition)) + part
            now = condition if part else now
    return made


def without_marks(text: str) -> str:
    """The text of all branches, without the values."""
    return VALUES.sub("", MARK.sub("", text))


# -- the facts and values that texts ask for


def names_in(text: str) -> set[str]:
    """The names in the conditions of a text's marks."""
    return set().union(*(named(parsed(one.partition(": ")[0])) for one in MARK.findall(text) if one not in LOOP))


def values_of(text: str) -> set[str]:
    """The values that a text puts in."""
    return {one.partition(": ")[2] for one in MARK.findall(text)} - {""}


def named_in(line_: str) -> set[str]:
    """The names in the condition of a line."""
    return named(parsed(line_.partition(THEN)[0]))


def named(condition: Truth) -> set[str]:
    return condition.names if is_open(condition) else set()


def within(name: str) -> list[str]:
    """The facts about one metric in a fact that begins with `any(`."""
    return [one.removeprefix("!") for one in name.removeprefix(ANY).removesuffix(")").split(", ")]


def set_rules(names: Iterable[str]) -> dict[str, Condition]:
    """The rules for facts that an option has one of several values."""
    facts = {name for one in names for name in (within(one) if one.startswith(ANY) else [one])}
    of_sets = {name: values_in(name) for name in sorted(facts) if VALUE_OR in name}
    return {name: Condition((f"{option}={value}",) for value in sorted(values)) for name, (option, values) in of_sets.items()}
