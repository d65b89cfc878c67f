"""The gains of events: a number for each type, which may differ by the surface that an item was shown on."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from recsql.base.errors import RecsqlError
from recsql.base.text import quoted, real
from recsql.catalog.headers import Option, Value


def as_gains(option: Option, value: Value) -> str:
    """A mapping from types of events to gains, or from surfaces to such mappings, as JSON."""
    given = value if isinstance(value, Mapping) else pairs_in(option, str(value))
    nested = {isinstance(one, Mapping) for one in given.values()}
    pairs = [pair for one in (given.values() if nested == {True} else [given]) for pair in one.items()]
    if len(nested) != 1 or not pairs:
        raise wrong(option, value)
    for kind, gain in pairs:
        if not isinstance(kind, str) or isinstance(gain, bool) or not isinstance(gain, int | float) or not 0 <= gain < inf:
            raise wrong(option, value)
    return json.dumps(given, ensure_ascii=False, separators=(",", ":"))


def pairs_in(option: Option, text: str) -> dict[str, Any]:
    """The gains in a text: JSON, or as in click:1,buy:3 or home/click:1,cart/buy:3."""
    try:
        if text.lstrip().startswith("{"):
            return dict(json.loads(text))
        found: dict[str, Any] = {}
        for pair in text.split(","):
            name, _, gain = pair.strip().rpartition(":")
            surface, slash, kind = name.partition("/")
            of_types, key = (found.setdefault(surface, {}), kind) if slash else (found, name)
            if not key or key in of_types:
                raise ValueError
            of_types[key] = float(gain)
    except (ValueError, AttributeError, TypeError):
        raise wrong(option, text) from None
    return found


def wrong(option: Option, value: Value) -> RecsqlError:
    return RecsqlError(
        f"{option.name}: '{value}' does not give each type of event a number that is at least 0; "
        "write it like click:1,buy:3 or home/click:1,cart/buy:3"
    )


@dataclass(frozen=True)
class Gains:
    """Gains as templates read them."""

    surfaces: Mapping[str, Mapping[str, float]]  # those of all surfaces are under the empty name

    @classmethod
    def read(cls, option: Option, text: str) -> "Gains":
        found: dict[str, Any] = json.loads(as_gains(option, text))
        return cls(found if all(isinstance(one, Mapping) for one in found.values()) else {"": found})

    @property
    def by_surface(self) -> bool:
        return "" not in self.surfaces

    def of(self, kind: str, surface: str) -> str:
        """The gain of a type of event on a surface, as SQL; NULL if it has none."""
        cases = {name: case(kind, {one: real(float(gain)) for one, gain in of.items()}) for name, of in self.surfaces.items()}
        return case(surface, cases) if self.by_surface else cases[""]

    @property
    def types(self) -> str:
        """The types that have a gain on any surface, as SQL."""
        return ", ".join(map(quoted, dict.fromkeys(kind for of in self.surfaces.values() for kind in of)))

    def lack(self, surface: str) -> str:
        """Whether no gain is given for a surface, as SQL."""
        return f"{surface} is null or {surface} not in ({', '.join(map(quoted, self.surfaces))})"

    @property
    def differ(self) -> str:
        """Whether they differ by surface, as SQL."""
        return str(self.by_surface).lower()


def case(x: str, values: Mapping[str, str]) -> str:
    return f"case {x} {' '.join(f'when {quoted(key)} then {value}' for key, value in values.items())} end"
