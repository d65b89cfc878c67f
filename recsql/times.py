"""Points and lengths of time: checked, and as text that both engines read."""

import re
from datetime import UTC, date, datetime, timedelta

from recsql.catalog import catalog
from recsql.errors import RecsqlError
from recsql.headers import Option, Value

UNITS = {"day": 86400, "hour": 3600, "minute": 60, "second": 1}
SECONDS = {
    **UNITS,
    **{f"{name}s": seconds for name, seconds in UNITS.items()},
    **{"d": 86400, "h": 3600, "min": 60, "s": 1, "w": 604800, "week": 604800, "weeks": 604800},
}
DURATION = re.compile(r"\s*(\d{1,9})\s*([a-z]+)\s*")


def as_time(option: Option, value: Value) -> str:
    """A date or a time as text without a zone; one that has a zone is converted to UTC."""
    try:
        found = value if isinstance(value, date) else datetime.fromisoformat(str(value).strip())
    except ValueError:
        raise RecsqlError(catalog().say("not_a_time", option=option.name, value=value)) from None
    whole = found if isinstance(found, datetime) else datetime(found.year, found.month, found.day)
    return (whole.astimezone(UTC).replace(tzinfo=None) if whole.tzinfo else whole).isoformat(" ")


def as_duration(option: Option, value: Value) -> str:
    """A length of time as text, in the largest unit of which it is a whole number."""
    seconds = value.total_seconds() if isinstance(value, timedelta) else seconds_in(str(value).lower())
    if seconds is None or seconds % 1 or seconds < 0:
        raise RecsqlError(catalog().say("not_a_duration", option=option.name, value=value))
    if not seconds and option.above is not None:
        raise RecsqlError(catalog().say("numbers", option=option.name, value=repr(value), bound=option.bound))
    unit = next(name for name, size in UNITS.items() if not seconds % size) if seconds else "second"
    number = int(seconds) // UNITS[unit]
    return f"{number} {unit}{'' if number == 1 else 's'}"


def seconds_in(text: str) -> int | None:
    """The seconds in a text such as 7d or 12 hours; None if it is no such text."""
    found = DURATION.fullmatch(text)
    return int(found[1]) * SECONDS[found[2]] if found and found[2] in SECONDS else None
