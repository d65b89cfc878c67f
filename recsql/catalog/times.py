"""Points and lengths of time, as options give them.

Two kinds of options take them. `time` and `duration` are exact: a timestamp, and a length in seconds. `moment` and `span` belong
to a column that may also be a number, so they are numbers or text that prints as SQL, and a span may be of months.
"""

import re
from datetime import UTC, date, datetime, timedelta

from recsql.base.errors import RecsqlError
from recsql.base.text import quoted
from recsql.catalog import catalog
from recsql.catalog.headers import Option, Value

SECONDS = {"week": 604800, "day": 86400, "hour": 3600, "minute": 60, "second": 1}  # the units of a fixed length
NAMES = (*SECONDS, "month", "year")
SHORT = {"w": "week", "d": "day", "h": "hour", "min": "minute", "s": "second", "y": "year"}
UNITS = {**{name: name for name in NAMES}, **{f"{name}s": name for name in NAMES}, **SHORT}  # by all their spellings
WRITTEN = ("day", "hour", "minute", "second")  # the units that a length is written in
DURATION = re.compile(r"\s*(\d{1,9})\s*([a-z]+)\s*")
MOMENT, SPAN = "moment", "span"  # the types of options


class Moment(str):
    """A point in time that prints as SQL."""

    def __str__(self) -> str:
        return f"cast({quoted(str.__str__(self))} as timestamp)"


class Span(str):
    """A length of time that prints as SQL."""

    def __str__(self) -> str:
        return f"interval {quoted(str.__str__(self))}"


PRINTED = {MOMENT: Moment, SPAN: Span}


def as_time(option: Option, value: Value) -> str:
    """A date or a time as text without a zone; one that has a zone is converted to UTC."""
    found = in_utc(value)
    if found is None:
        raise RecsqlError(f"{option.called}: '{value}' is not a date or a time; write it like 2026-03-01 or 2026-03-01 12:00")
    return (found if isinstance(found, datetime) else datetime(found.year, found.month, found.day)).isoformat(" ")


def as_duration(option: Option, value: Value) -> str:
    """A length of time as text, in the largest unit of which it is a whole number."""
    seconds = value.total_seconds() if isinstance(value, timedelta) else seconds_in(str(value))
    if seconds is None or seconds % 1 or seconds < 0:
        raise RecsqlError(
            f"{option.called}: '{value}' is not a length of time; "
            "write a whole number of weeks, days, hours, minutes or seconds, such as 7 days"
        )
    if not seconds and option.above is not None:
        raise RecsqlError(catalog().say("numbers", option=option.called, value=repr(value), bound=option.bound))
    return written(int(seconds))


def as_moment(option: Option, value: Value) -> str:
    """A date or time in ISO 8601 as given; one with a time zone is converted to UTC. Raises RecsqlError if it is none."""
    found = in_utc(value)
    if found is None:
        raise RecsqlError(f"{option.called}: {value!r} is neither a number nor a date or time such as 2026-03-01")
    has_zone = isinstance(value, str) and datetime.fromisoformat(value.strip()).tzinfo
    return value.strip() if isinstance(value, str) and not has_zone else str(found)


def as_span(option: Option, value: Value) -> str:
    """A duration as text, such as 7 days. Raises RecsqlError if it is none, or not above zero."""
    if isinstance(value, timedelta) and value > timedelta() and not value.microseconds:
        return written(int(value.total_seconds()))
    count, unit = parsed(value) if isinstance(value, str) else (0, "")
    if not count:
        raise RecsqlError(f"{option.called}: {value!r} is neither a number above 0 nor a duration such as 7 days")
    return in_words(count, unit)


def in_utc(value: Value) -> date | None:
    """A date or a time, without its zone; None if the value is neither."""
    try:
        found = value if isinstance(value, date) else datetime.fromisoformat(str(value).strip())
    except ValueError:
        return None
    zoned = isinstance(found, datetime) and found.tzinfo
    return found.astimezone(UTC).replace(tzinfo=None) if isinstance(found, datetime) and zoned else found


def parsed(text: str) -> tuple[int, str]:
    """The number and the unit in a text such as 7d or 12 hours; 0 and no unit if it is no such text."""
    found = DURATION.fullmatch(text.lower())
    return (int(found[1]), UNITS[found[2]]) if found and found[2] in UNITS else (0, "")


def seconds_in(text: str) -> int | None:
    """The seconds in a text such as 7d or 12 hours; None if it is no such text, or if its unit has no fixed length."""
    count, unit = parsed(text)
    return count * SECONDS[unit] if unit in SECONDS else None


def written(seconds: int) -> str:
    """A length of time in the largest unit of which it is a whole number."""
    unit = next(name for name in WRITTEN if not seconds % SECONDS[name]) if seconds else "second"
    return in_words(seconds // SECONDS[unit], unit)


def in_words(count: int, unit: str) -> str:
    return f"{count} {unit}{'' if count == 1 else 's'}"
