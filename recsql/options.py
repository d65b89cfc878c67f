"""What templates can ask about options, which have values in a query and are parameters in a macro."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import jinja2

from recsql.catalog import PRESET, Option, Requirement, Value, catalog
from recsql.text import BREAK, quoted


@dataclass(frozen=True)
class Condition:
    """A condition on options: decided in a query, an expression over the parameters in a macro."""

    possible: bool
    certain: bool
    sql: str

    @property
    def negated(self) -> "Condition":
        return Condition(not self.certain, not self.possible, f"not ({self.sql})")

    def __or__(self, other: "Condition") -> "Condition":
        texts = [one.sql for one in (self, other) if one.possible and not one.certain]
        return Condition(self.possible or other.possible, self.certain or other.certain, " or ".join(texts))

    def __and__(self, other: "Condition") -> "Condition":
        texts = [one.sql for one in (self, other) if one.possible and not one.certain]
        bracketed = [f"({text})" if len(texts) > 1 and " or " in outside_brackets(text) else text for text in texts]
        return Condition(self.possible and other.possible, self.certain and other.certain, " and ".join(bracketed))

    @property
    def where(self) -> str:
        return "" if self.certain else f"where {self.sql}"

    @property
    def also(self) -> str:
        """A further condition of a WHERE."""
        return "" if self.certain else f"and ({self.sql})"

    @property
    def union_all(self) -> str:
        """The UNION ALL between a branch for the condition and one for its opposite, if both exist."""
        return "union all" if self.possible and not self.certain else ""

    def then(self, text: str, otherwise: str = "null") -> str:
        """`text` if the condition holds, else `otherwise`."""
        if self.certain or not self.possible:
            return text if self.certain else otherwise
        return f"case when {self.sql} then {text} else {otherwise} end"

    @property
    def on(self) -> str:
        """The first condition of a join that is needed only if this condition holds."""
        return "" if self.certain else f"({self.sql}) and "

    def requires(self, text: str, before: str = "and") -> str:
        """A further condition of a WHERE that applies only if this condition holds."""
        if self.certain or not self.possible:
            return f"{before} {text}" if self.certain else ""
        return f"{before} (not ({self.sql}) or {text})"

    def filter(self, text: str) -> str:
        """The same as a separate WHERE."""
        return self.requires(text, before="where")


def outside_brackets(text: str) -> str:
    while (shorter := re.sub(r"\([^()]*\)", "", text)) != text:
        text = shorter
    return text


def real(number: float) -> str:
    """A number as a double; without an exponent SQL would read it as a decimal."""
    return repr(number) if "e" in repr(number) else f"{number!r}e0"


class Options:
    """The options of one rendering: known values, or else parameters. It records the parameters that are read."""

    def __init__(self, known: Mapping[str, Value]) -> None:
        self.known = dict(known)
        self.parameters: dict[str, None] = {}

    def reference(self, name: str) -> str:
        """The option's value as SQL: a literal, or the macro's parameter."""
        if name in self.known:
            return self.literal(self.known[name])
        self.parameters[name] = None
        return catalog().options[name].reference or name

    def looked_up(self, name: str, x: str) -> str:
        """The value of a known map, such as 1:1 2:3.5, for `x`; NULL if it has none."""
        pairs = [map(float, pair.split(":")) for pair in str(self.known[name] or "").split()]
        whens = [f"when {real(key)} then {real(number)}" for key, number in pairs]
        return f"case {x} {' '.join(whens)} end" if whens else "cast(null as double)"

    def literal(self, value: Value) -> str:
        if value is None:
            return "null"
        if isinstance(value, float):
            return real(value)
        return quoted(value) if isinstance(value, str) else repr(value)

    def satisfied(self, requirement: Requirement) -> Condition:
        """Whether one of the options that a metric requires is given; true if it requires none."""
        in_force = self.condition(**requirement.where)
        return reduce(Condition.__or__, map(self.is_given, requirement.one_of), in_force.negated)

    def is_given(self, name: str) -> Condition:
        """Whether an option without a default is given."""
        known, given = name in self.known, self.known.get(name) is not None
        return Condition(not known or given, known and given, f"{self.reference(name)} is not null")

    def is_table(self, name: str) -> Condition:
        """Whether an option is given as a table and not as one of its words."""
        return self.condition(**{name: " ".join(catalog().options[name].choices)}).negated

    def is_above(self, name: str, bound: float) -> Condition:
        """Whether a number is above the bound, or is not given."""
        known, value = name in self.known, self.known.get(name)
        above = value is None or value > bound
        return Condition(not known or above, known and above, f"coalesce({self.reference(name)} > {bound}, true)")

    def condition(self, **values: str) -> Condition:
        """Whether each option named has one of the values listed, which are separated by spaces."""
        listed = {name: text.split() for name, text in values.items()}
        held = [self.known[name] in choices for name, choices in listed.items() if name in self.known]
        open_ = {name: choices for name, choices in listed.items() if name not in self.known}
        texts = [f"{self.reference(name)} {self.among(choices)}" for name, choices in open_.items()]
        return Condition(all(held), all(held) and not open_, " and ".join(texts))

    def among(self, choices: Sequence[str]) -> str:
        """The right side of a condition that tests for one of the choices."""
        return f"= {self.literal(choices[0])}" if len(choices) == 1 else f"in ({', '.join(map(self.literal, choices))})"

    def choose(self, name: str, otherwise: str | None = None, **texts: str) -> str:
        """The text for the option's value; in a macro a CASE over all values."""
        choices = catalog().options[name].choices
        if not set(texts) <= set(choices) or (otherwise is None and set(texts) != set(choices)):
            raise jinja2.TemplateRuntimeError(f"choose({name}): its texts are not those of the option's values")
        if name in self.known:
            return texts.get(self.known[name], otherwise or "")
        deeper = f"{BREAK}    "
        whens = [
            f"    when {self.literal(value)} then {text.replace(BREAK, deeper)}"
            for value, text in texts.items()
            if text != otherwise
        ]
        last = [f"    else {otherwise}"] if otherwise is not None else []
        return BREAK.join([f"case {self.reference(name)}", *whens, *last, "end"]) if whens else str(otherwise)

    def needing(self, what: str, asked: Iterable[tuple[str, Value]]) -> Condition:
        """Whether option values need `whole_list`, or another key of this kind. `asked` has the metrics' own options.

        The answer follows from options that are read elsewhere, so it makes none of them a parameter.
        """
        read = dict(self.parameters)
        needing = {name: getattr(option, what) for name, option in catalog().options.items() if getattr(option, what)}
        own = any(value in needing.get(name, ()) for name, value in asked)
        found = Condition(possible=own, certain=own, sql="")
        for name, values in needing.items():
            found |= self.condition(**{name: " ".join(values)})
        self.parameters = read
        return found

    def open_numbers(self) -> list[Option]:
        """The parameters that were read and are numbers."""
        return [
            option
            for name, option in catalog().options.items()
            if option.type in ("number", "integer") and name in self.parameters
        ]

    def open_idle(self) -> list[tuple[Option, str, str]]:
        """The parameters that were read and have an effect only under some values of another option, with both."""
        return [
            (option, other, values)
            for name, option in catalog().options.items()
            if name in self.parameters
            for other, values in option.where.items()
        ]

    def open_choices(self) -> list[Option]:
        """The parameters that were read and take one of several values."""
        return [
            option for name, option in catalog().options.items() if option.type in ("choice", PRESET) and name in self.parameters
        ]
