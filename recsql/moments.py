"""Points in time and lengths of time, as options give them: numbers, or dates and durations as text."""

import re
from datetime import UTC, date, datetime, timedelta

from recsql.errors import RecsqlError
from recsql.text import quoted

UNITS = {
    "second": ("s", "sec", "seconds"),
    "minute": ("min", "minutes"),
    "hour": ("h", "hours"),
    "day": ("d", "days"),
    "week": ("w", "weeks"),
    "month": ("months",),
    "year": ("y", "years"),
}
UNIT = {spelling: unit for unit, others in UNITS.items() for spelling in (unit, *others)}
DURATION = re.compile(r"\s*(\d+)\s*([a-z]+)\s*")
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


def moment(name: str, value: object) -> str:
    """A date or time in ISO 8601 as text; one with a time zone is converted to UTC. Raises RecsqlError if it is none."""
    found = value
    if isinstance(value, str):
        try:
            found = datetime.fromisoformat(value.strip())
        except ValueError:
            raise RecsqlError(f"{name}: {value!r} is neither a number nor a date or time such as 2026-03-01") from None
    if isinstance(found, datetime):
        utc = found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found
        return str(utc) if found.tzinfo or not isinstance(value, str) else value.strip()
    if isinstance(found, date):
        return str(found)
    raise RecsqlError(f"{name}: {value!r} is neither a number nor a date or time such as 2026-03-01")


def span(name: str, value: object) -> str:
    """A duration as text, such as 7 days. Raises RecsqlError if it is none, or not above zero."""
    if isinstance(value, timedelta):
        value = f"{int(value.total_seconds())} seconds" if value.microseconds == 0 else None
    found = DURATION.fullmatch(value.lower()) if isinstance(value, str) else None
    if found is None or found[2] not in UNIT or int(found[1]) == 0:
        raise RecsqlError(f"{name}: {value!r} is neither a number above 0 nor a duration such as 7 days")
    count = int(found[1])
    return f"{count} {UNIT[found[2]]}{'s' if count > 1 else ''}"
