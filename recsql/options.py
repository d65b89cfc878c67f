"""The values of options in the form that templates read and print."""

from collections.abc import Mapping
from typing import Any

from recsql.catalog import Requirement, Value
from recsql.symbols import Truth, all_of, among, any_of, is_none, is_open, negated
from recsql.text import quoted, real


class Real(float):
    """A number that prints as a double; without an exponent SQL would read it as a decimal."""

    def __str__(self) -> str:
        return real(float(self))


def literal(value: Value) -> str:
    """A known value as SQL."""
    if value is None:
        return "null"
    if isinstance(value, float):
        return real(value)
    return quoted(value) if isinstance(value, str) else repr(value)


def readable(known: Mapping[str, Value]) -> dict[str, Any]:
    """Options by name, as templates read them: numbers that print as SQL, and `position` as the rank that it is."""
    made = {name: Real(value) if type(value) is float else value for name, value in known.items()}
    if not is_open(made.get("rank_by")) and made.get("rank_by") == "position":
        made["rank_by"] = "rank"
    return made


def satisfied(requirement: Requirement, known: Mapping[str, Value]) -> Truth:
    """Whether one of the options that a metric requires is given; true if it requires none."""
    in_force = all_of(*(among(known[name], values.split()) for name, values in requirement.where.items()))
    return any_of(negated(in_force), *(negated(is_none(known[name])) for name in requirement.one_of))


def looked_up(pairs: str | None, x: str) -> str:
    """The value of a map, such as 1:1 2:3.5, for `x`; NULL if it has none."""
    numbers = [map(float, pair.split(":")) for pair in (pairs or "").split()]
    whens = [f"when {real(key)} then {real(number)}" for key, number in numbers]
    return f"case {x} {' '.join(whens)} end" if whens else "cast(null as double)"
