"""Gains by relevance, and by type of event, where they may differ by the surface on which the item was shown."""

import json
from collections.abc import Mapping
from math import inf, isfinite

from recsql.base.text import quoted, real


class GainMap(str):
    """A gain for each relevance, as it is written inside a metric's brackets: 1:1 2:3.5."""

    numbers: Mapping[float, float]

    @classmethod
    def parse(cls, value: object) -> "GainMap":
        """Parses a mapping of numbers or its text; raises ValueError for anything else, KeyError for a number given twice."""
        given = value.items() if isinstance(value, Mapping) else [pair.partition(":")[::2] for pair in str(value).split()]
        found = [(float(key), float(gain)) for key, gain in given]
        if not all(isfinite(one) for pair in found for one in pair):
            raise ValueError
        keys = [key for key, _ in found]
        if twice := [key for key in keys if keys.count(key) > 1]:
            raise KeyError(twice[0])
        made = cls(" ".join(f"{key!r}".removesuffix(".0") + f":{gain!r}" for key, gain in found))
        made.numbers = dict(found)
        return made

    def of(self, x: str) -> str:
        """SQL for the gain of the relevance `x`; NULL if it has none."""
        return f"case {x} {' '.join(f'when {real(key)} then {real(gain)}' for key, gain in self.numbers.items())} end"


class Gains(str):
    """A gain for each type of event, by surface: JSON, or a text such as click:1,buy:3 or home/click:1,cart/buy:3."""

    surfaces: Mapping[str, Mapping[str, float]]  # those for all surfaces are under the empty name

    @classmethod
    def parse(cls, value: object) -> "Gains":
        """Parses a text, or a mapping by type or surface; raises ValueError or TypeError if it has no gains."""
        given = value if isinstance(value, Mapping) else pairs_in(str(value))
        by_surface = {str(name): of for name, of in given.items() if isinstance(of, Mapping)}
        surfaces = by_surface if len(by_surface) == len(given) else {"": given}
        made = cls(value if isinstance(value, str) else json.dumps(given, ensure_ascii=False, separators=(",", ":")))
        made.surfaces = {name: of_types(of) for name, of in surfaces.items()}
        if not any(made.surfaces.values()):
            raise ValueError
        return made

    @property
    def by_surface(self) -> bool:
        return "" not in self.surfaces

    def of(self, kind: str, surface: str) -> str:
        """SQL for the gain of a type of event on a surface; NULL if it has none."""
        cases = {name: case(kind, {one: real(gain) for one, gain in of.items()}) for name, of in self.surfaces.items()}
        return case(surface, cases) if self.by_surface else cases[""]

    @property
    def types(self) -> str:
        """SQL for the types that have a gain on any surface."""
        return ", ".join(map(quoted, dict.fromkeys(kind for of in self.surfaces.values() for kind in of)))

    def lack(self, surface: str) -> str:
        """SQL for the condition that a surface has no gains."""
        return f"{surface} is null or {surface} not in ({', '.join(map(quoted, self.surfaces))})"

    @property
    def differ(self) -> str:
        """SQL for the condition that gains differ by surface."""
        return str(self.by_surface).lower()


def pairs_in(text: str) -> Mapping[str, object]:
    """The gains in a text, by type or by surface; raises ValueError or TypeError if its form is wrong."""
    if text.lstrip().startswith("{"):
        return dict(json.loads(text))
    of_all: dict[str, object] = {}
    by_surface: dict[str, dict[str, object]] = {}
    for pair in text.split(","):
        name, _, gain = pair.strip().rpartition(":")
        surface, slash, kind = name.partition("/")
        of_types, key = (by_surface.setdefault(surface, {}), kind) if slash else (of_all, name)
        if not key or key in of_types:
            raise ValueError
        of_types[key] = float(gain)
    return of_all | by_surface


def of_types(given: Mapping[str, object]) -> dict[str, float]:
    """A gain of at least 0 for each type; raises ValueError for anything else."""
    found: dict[str, float] = {}
    for kind, gain in given.items():
        if not isinstance(kind, str) or isinstance(gain, bool) or not isinstance(gain, int | float) or not 0 <= gain < inf:
            raise ValueError
        found[kind] = float(gain)
    return found


def case(x: str, values: Mapping[str, str]) -> str:
    return f"case {x} {' '.join(f'when {quoted(key)} then {value}' for key, value in values.items())} end"
