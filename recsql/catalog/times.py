"""Points and lengths of time, as options give them.

Two kinds of options take them. `time` and `duration` are exact: a timestamp, and a length in seconds. `moment` and `span` belong
to a column that may also be a number, and a span may be of months.
"""

import re
from datetime import UTC, date, datetime, timedelta

from recsql.base.text import quoted

SECONDS = {"week": 604800, "day": 86400, "hour": 3600, "minute": 60, "second": 1}  # the units of a fixed length
NAMES = (*SECONDS, "month", "year")
SHORT = {"w": "week", "d": "day", "h": "hour", "min": "minute", "s": "second", "y": "year"}
UNITS = {**{name: name for name in NAMES}, **{f"{name}s": name for name in NAMES}, **SHORT}  # by all their spellings
WRITTEN = ("day", "hour", "minute", "second")  # the units that a length is written in
LENGTH = re.compile(r"\s*(\d{1,9})\s*([a-z]+)\s*")


class Moment(str):
    """A date or a time in ISO 8601, without a zone."""

    @property
    def sql(self) -> str:
        return f"cast({quoted(self)} as timestamp)"

    @classmethod
    def parse(cls, value: object) -> "Moment":
        """Parses a date or a time; one with a zone is converted to UTC. Raises ValueError for anything else."""
        found = in_utc(value)
        return cls(value.strip() if isinstance(value, str) and not datetime.fromisoformat(value.strip()).tzinfo else found)


class Span(str):
    """A length of time, which may be of months or years."""

    @property
    def sql(self) -> str:
        return f"interval {quoted(self)}"

    @classmethod
    def parse(cls, value: object) -> "Span":
        """Parses a length above zero and keeps its unit; raises ValueError for anything else."""
        if isinstance(value, timedelta) and not value.microseconds:
            count, unit = in_largest_unit(int(value.total_seconds()))
        else:
            count, unit = count_and_unit(value)
        if count <= 0:
            raise ValueError
        return cls(in_words(count, unit))


def parse_time(value: object) -> str:
    """Parses a date or a time as the text of a timestamp in UTC; raises ValueError for anything else."""
    found = in_utc(value)
    return (found if isinstance(found, datetime) else datetime(found.year, found.month, found.day)).isoformat(" ")


def parse_duration(value: object) -> str:
    """Parses a whole number of seconds as text in the largest unit that divides it; raises ValueError for anything else."""
    if isinstance(value, timedelta):
        seconds = value.total_seconds()
    else:
        count, unit = count_and_unit(str(value))
        seconds = count * SECONDS[unit] if unit in SECONDS else -1
    if seconds % 1 or seconds < 0:
        raise ValueError
    return in_words(*in_largest_unit(int(seconds)))


def in_utc(value: object) -> date:
    """A date or a time without its zone; raises ValueError if the value is neither."""
    found = value if isinstance(value, date) else datetime.fromisoformat(str(value).strip())
    return found.astimezone(UTC).replace(tzinfo=None) if isinstance(found, datetime) and found.tzinfo else found


def count_and_unit(value: object) -> tuple[int, str]:
    """The number and the unit in a text such as 7d or 12 hours; raises ValueError for anything else."""
    found = LENGTH.fullmatch(value.lower()) if isinstance(value, str) else None
    if not found or found[2] not in UNITS:
        raise ValueError
    return int(found[1]), UNITS[found[2]]


def in_largest_unit(seconds: int) -> tuple[int, str]:
    unit = next(name for name in WRITTEN if not seconds % SECONDS[name]) if seconds else "second"
    return seconds // SECONDS[unit], unit


def in_words(count: int, unit: str) -> str:
    return f"{count} {unit}{'' if count == 1 else 's'}"
