"""Parses the values of options, and refuses wrong ones."""

from collections.abc import Callable, Mapping
from math import inf
from numbers import Integral, Real

from recsql.base.errors import RecsqlError, UnknownName, nearest
from recsql.base.text import quoted, real
from recsql.catalog import catalog
from recsql.catalog.by_model import Ends, Weights
from recsql.catalog.gains import GainMap, Gains
from recsql.catalog.headers import PRESET, TABLE, Given, Option, Requirement, Value, canonical
from recsql.catalog.slice_names import names_in
from recsql.catalog.times import Moment, Span, parse_duration, parse_time

WRITTEN: Mapping[str, tuple[Callable[[object], str], str]] = {
    # Types that are written in several ways: their parser, and what is wrong with a value that it refuses.
    "time": (parse_time, "'{}' is not a date or a time; write it like 2026-03-01 or 2026-03-01 12:00"),
    "duration": (
        parse_duration,
        "'{}' is not a length of time; write a whole number of weeks, days, hours, minutes or seconds, such as 7 days",
    ),
    "gains": (
        Gains.parse,
        "'{}' does not give each type of event a number that is at least 0; "
        "write it like click:1,buy:3 or home/click:1,cart/buy:3",
    ),
    "weights": (
        Weights.parse,
        "{!r} does not give each model a number that is at least 0 and at most 1000000; write it like A=0.7,B=0.3",
    ),
    "ends": (Ends.parse, "{!r} is neither desc nor asc, nor one of them for each model; write it like A=desc,B=asc"),
    "map": (GainMap.parse, "{!r} does not map numbers to numbers; write it like 1:1 2:3.5"),
    "moment": (Moment.parse, "{!r} is neither a number nor a date or time such as 2026-03-01"),
    "span": (Span.parse, "{!r} is neither a number above 0 nor a duration such as 7 days"),
}
OR_NUMBERS = {"moment": "a number", "span": "a number above 0"}  # types whose values can also be numbers
IDLE_TRAIN = (
    "train: it is read only for by='train.activity', for seen=, propensity_power= and metrics that need it, such as "
    "auc(candidates=unseen); give one of these, or leave train= out"
)
SEEN_WITHOUT_TRAIN = "seen='{seen}': it removes or refuses what users have in train; give train= as well"


def parse_value(option: Option, value: Given) -> Value:
    """Parses the value of an option; raises UnknownName or RecsqlError if it is wrong."""
    if value is None:
        return option.default
    if option.alone is not None and isinstance(value, bool):
        return option.alone if value else option.default
    if option.is_number and str(value).lower() not in option.choices:
        return as_number(option, value)
    if option.type in OR_NUMBERS and (number := number_in(value)) is not None:
        if not abs(number) < inf or (option.type == "span" and number <= 0):
            raise RecsqlError(f"{option.called}: {value!r} is not {OR_NUMBERS[option.type]}")
        return number
    if option.type in WRITTEN:
        return parse_written(option, value)
    if option.is_table(value):
        return option.word
    if option.type == "columns":
        return names_in(value)
    if option.type in ("column", "model", "text"):
        if isinstance(value, str) and (value or option.type == "text"):
            return value
        what = "text" if option.type == "text" else f"a {option.type} name"
        raise RecsqlError(
            f"{option.called}: {value!r} is not {what}; give {'a' if option.type == 'text' else 'the name as'} text"
        )
    word = canonical(str(value)) if option.type == PRESET else str(value).lower()  # 2 and True can be words, too
    if word not in option.choices:
        hint, values = nearest(word, option.choices), ", ".join(option.choices)
        raise UnknownName(f"{option.called}: unknown value '{value}'; {hint}choose one of {values}")
    return word


def parse_written(option: Option, value: object) -> str:
    """Parses a value of a type that is written in several ways."""
    parse, wrong = WRITTEN[option.type]
    try:
        found = parse(value)
    except KeyError as twice:
        raise RecsqlError(f"{option.called}: {value!r} has two values for {twice.args[0]!r}; give one") from None
    except (AttributeError, TypeError, ValueError):
        raise RecsqlError(f"{option.called}: {wrong.format(value)}") from None
    if option.above == 0 and found == "0 seconds":
        raise RecsqlError(catalog().say("numbers", option=option.called, value=repr(value), bound=option.bound))
    return found


def as_number(option: Option, value: object) -> int | float:
    """A number within the bounds of the option."""
    number = number_in(value)
    if number is None or not abs(number) < inf or (option.type == "integer" and isinstance(number, float)):
        kinds = ["a whole number" if option.type == "integer" else "a number", *option.choices]
        raise RecsqlError(f"{option.called}: {value!r} is not {' or '.join(kinds)}")
    above = option.above is None or number > option.above
    below = (option.at_most is None or number <= option.at_most) and (option.below is None or number < option.below)
    if not (above and below) or (option.at_least is not None and number < option.at_least):
        raise RecsqlError(catalog().say("numbers", option=option.called, value=repr(value), bound=option.bound))
    return number


def number_in(value: object) -> int | float | None:
    """A number, or the number in a text, as a Python int or float; None for any other value."""
    number = parse_number(value) if isinstance(value, str) else value
    if isinstance(number, bool) or not isinstance(number, Real):
        return None
    return int(number) if isinstance(number, Integral) else float(number)


def parse_number(text: str) -> int | float | str:
    """The number that `text` spells, or `text` itself."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def text_in(options: Mapping[str, Value], name: str) -> str | None:
    """An option whose values are texts; None if it has no value."""
    value = options.get(name)
    return None if value is None else str(value)


def either_of(values: str) -> str:
    """Values that are separated by spaces, as a sentence lists them: 'ips' or 'snips'."""
    return " or ".join(f"'{value}'" for value in values.split())


def idle(option: Option, chosen: Mapping[str, Value]) -> str:
    """The sentence for an option that is set without effect; empty if it has an effect or its default value.

    An option may apply only under some values of another option, or only with a table.
    """
    unmet = [name for name, values in option.where.items() if chosen[name] not in values.split()]
    if not unmet or chosen[option.name] == option.default:
        return ""
    other, values = catalog().options[unmet[0]].called, option.where[unmet[0]]
    if values == TABLE:
        return f"{option.called}: it applies only with {other}=; give that as well, or leave {option.called}= out"
    return f"{option.called}: it applies only if {other}={either_of(values)}; set that as well, or leave {option.called}= out"


# -- the options that a metric requires


def leaves_out(requirement: Requirement) -> bool:
    """Whether a metric that doesn't meet the requirement is left out, unless the call names it."""
    return not requirement.one_of or all(
        catalog().options[name].default in values.split() for name, values in requirement.where.items()
    )


def satisfied(requirement: Requirement, known: Mapping[str, Value]) -> bool:
    """Whether one of the options that a metric requires is given; true if it requires none."""
    in_force = all(known[name] in values.split() for name, values in requirement.where.items())
    return not in_force or any(known[name] is not None for name in requirement.one_of)


def lacking(requirement: Requirement, metric: object) -> str:
    """The sentence for a metric that doesn't meet a requirement."""
    if requirement.said:
        return f"{metric}: {requirement.said}"
    if not requirement.one_of:
        options = " and ".join(f"{name}={either_of(values)}" for name, values in requirement.where.items())
        why = f": {requirement.why}" if requirement.why else ""
        return f"{metric} can't be computed with {options}{why}; choose another value, or leave {metric} out"
    return catalog().say("requirements", metric=metric, options=requirement.in_words)


# -- as SQL


class Parameter(str):
    """The SQL of an option that is a parameter of a macro."""


def as_sql(value: object) -> object:
    """A value as templates print it: a float as a double, a time as a timestamp, a length of time as an interval."""
    if isinstance(value, Moment | Span):
        return value.sql
    return real(value) if type(value) is float else value  # SQL reads 1.5 as a decimal


def literal(value: Value) -> str:
    """A known value as SQL."""
    if value is None:
        return "null"
    if isinstance(value, float):
        return real(value)
    if isinstance(value, Parameter):
        return value
    return quoted(value) if isinstance(value, str) else repr(value)
