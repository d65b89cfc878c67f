"""The values of options: checked, and in the form that templates read and print."""

import numbers
from collections.abc import Mapping
from math import inf, isfinite
from typing import Any

from recsql.base.errors import RecsqlError, UnknownName, nearest
from recsql.base.text import quoted, real
from recsql.catalog import catalog, times
from recsql.catalog.gains import Gains, as_gains
from recsql.catalog.headers import PRESET, TABLE, Option, Preset, Requirement, Value, canonical
from recsql.catalog.slice_names import names_in

READ = {
    "time": times.as_time,
    "duration": times.as_duration,
    "gains": as_gains,
}  # the types of options that are written in several ways
NAMED = {"column": "column", "model": "model"}  # the types of options that are names, in words

IDLE_TRAIN = "train: it is read only for by='train.activity' and for seen= here; give one of these, or leave train= out"
SEEN_WITHOUT_TRAIN = "seen='{seen}': it removes or refuses what users have in train; give train= as well"


def checked(option: Option, value: Value) -> Value:
    """`value` in the form that the templates expect; raises UnknownName or RecsqlError if it is invalid."""
    if value is None:
        return option.default
    if option.is_number:
        return as_number(option, value)
    if option.type == "map":
        return as_map(option, value)
    if option.type in times.PRINTED:
        return as_number_or_time(option, value)
    if option.type in READ:
        return READ[option.type](option, value)
    if option.is_table(value):
        return option.word
    if option.type == "columns":
        return names_in(value)
    if option.type in NAMED and not (isinstance(value, str) and value):
        raise RecsqlError(f"{option.called}: {value!r} is not a {NAMED[option.type]} name; give the name as text")
    return as_choice(option, value) if option.values else value


def as_choice(option: Option, value: Value) -> str:
    """One of the words; values that spell one, such as 2 or True, also work."""
    word = canonical(str(value)) if option.type == PRESET else str(value).lower()
    if word not in option.choices:
        hint, values = nearest(word, option.choices), ", ".join(option.choices)
        raise UnknownName(f"{option.called}: unknown value '{value}'; {hint}choose one of {values}")
    return word


def as_number(option: Option, value: Value) -> Value:
    """A number within the bounds of the option."""
    number: Value = parse_number(value) if isinstance(value, str) else value
    is_one = isinstance(number, numbers.Integral if option.type == "integer" else numbers.Real) and not isinstance(number, bool)
    if not (is_one and abs(number) < inf):
        raise RecsqlError(f"{option.called}: {value!r} is not {'a whole number' if option.type == 'integer' else 'a number'}")
    exact = int(number) if isinstance(number, numbers.Integral) else float(number)  # numpy's are written with their type
    above = option.above is None or exact > option.above
    below = (option.at_most is None or exact <= option.at_most) and (option.below is None or exact < option.below)
    if not (above and below) or (option.at_least is not None and exact < option.at_least):
        raise RecsqlError(catalog().say("numbers", option=option.called, value=repr(value), bound=option.bound))
    return exact


def as_number_or_time(option: Option, value: Value) -> int | float | str:
    """A number, or the text of a point in time or of a duration."""
    number: Value = parse_number(value) if isinstance(value, str) else value
    if isinstance(number, numbers.Real) and not isinstance(number, bool):
        if not isfinite(number) or (option.type == times.SPAN and number <= 0):
            raise RecsqlError(f"{option.called}: {value!r} is not a number{' above 0' if option.type == times.SPAN else ''}")
        return int(number) if isinstance(number, numbers.Integral) else float(number)
    return (times.as_moment if option.type == times.MOMENT else times.as_span)(option, value)


def as_map(option: Option, value: Value) -> str:
    """A mapping of numbers, or its text, as the text used inside a metric's brackets: 1:1 2:3.5."""
    given = value.items() if isinstance(value, Mapping) else [pair.partition(":")[::2] for pair in str(value).split()]
    try:
        found = [(float(key), float(one)) for key, one in given]
        if not all(isfinite(one) for pair in found for one in pair):
            raise ValueError
    except (TypeError, ValueError):
        raise RecsqlError(f"{option.called}: {value!r} does not map numbers to numbers; write it like 1:1 2:3.5") from None
    keys = [key for key, _ in found]
    if twice := [key for key in keys if keys.count(key) > 1]:
        raise RecsqlError(f"{option.called}: {value!r} has two values for {twice[0]!r}; give one")
    return " ".join(f"{key!r}".removesuffix(".0") + f":{one!r}" for key, one in found)


def parse_number(text: str) -> int | float | str:
    """The number that `text` spells, or `text` itself."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def idle(option: Option, chosen: Mapping[str, Value]) -> str:
    """The sentence for an option that is set but has no effect; empty if it has an effect or is the default."""
    unmet = [name for name, values in option.where.items() if chosen[name] not in values.split()]
    if not unmet or chosen[option.name] == option.default:
        return ""
    return idle_sentence(option, unmet[0])


def idle_sentence(option: Option, other: str) -> str:
    """The sentence for an option that applies only under some values of another one, or only with its table."""
    name, values = catalog().options[other].called, option.where[other]
    if values == TABLE:
        return f"{option.called}: it applies only with {name}=; give that as well, or leave {option.called}= out"
    words = "' or '".join(values.split())
    return f"{option.called}: it applies only if {name}='{words}'; set that as well, or leave {option.called}= out"


def no_splitter(preset: Preset) -> str:
    """The sentence for a preset that has no options of a split."""
    having = [one.name for one in catalog().presets.values() if one.split]
    return f"like: {preset.name} has no options for splits; choose one of {', '.join(having)}"


# -- the options that a metric requires


def leaves_out(requirement: Requirement) -> bool:
    """Whether a metric that doesn't meet it is left out unless you name it."""
    return not requirement.one_of or all(
        catalog().options[name].default in values.split() for name, values in requirement.where.items()
    )


def satisfied(requirement: Requirement, known: Mapping[str, Value]) -> bool:
    """Whether one of the options that a metric requires is given; true if it requires none."""
    in_force = all(known[name] in values.split() for name, values in requirement.where.items())
    return not in_force or any(known[name] is not None for name in requirement.one_of)


def lacking(requirement: Requirement, metric: object) -> str:
    """The sentence for a metric that doesn't meet a requirement."""
    if not requirement.one_of:
        options = " and ".join(f"{name}='{values}'" for name, values in requirement.where.items())
        return f"{metric} can't be computed with {options}; choose another value, or leave {metric} out"
    return catalog().say("requirements", metric=metric, options=requirement.told)


# -- as templates read and print them


class Parameter(str):
    """The SQL of an option that is a parameter of a macro."""


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
    if isinstance(value, Parameter):
        return value
    return quoted(value) if isinstance(value, str) else repr(value)


def readable(known: Mapping[str, Value]) -> dict[str, Any]:
    """Options by name, as templates read them: numbers, times and durations that print as SQL, gains that are looked up."""
    return {name: as_read(name, value) for name, value in known.items()}


def as_read(name: str, value: Value) -> Value:
    if type(value) is float:
        return Real(value)
    if isinstance(value, Parameter):
        return value
    kind = catalog().options[name].type
    if isinstance(value, str) and kind == "gains":
        return Gains.read(catalog().options[name], value)
    return times.PRINTED[kind](value) if isinstance(value, str) and kind in times.PRINTED else value


def looked_up(pairs: str | None, x: str) -> str:
    """The value of a map, such as 1:1 2:3.5, for `x`; NULL if it has none."""
    numbers = [map(float, pair.split(":")) for pair in (pairs or "").split()]
    whens = [f"when {real(key)} then {real(number)}" for key, number in numbers]
    return f"case {x} {' '.join(whens)} end" if whens else "cast(null as double)"
