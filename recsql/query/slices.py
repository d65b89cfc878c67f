"""Slices: the columns by which a call groups its users, and the tables that these columns are in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from recsql.base.errors import RecsqlError
from recsql.base.text import plain
from recsql.catalog.roles import ROLES, SEGMENTS
from recsql.catalog.slice_names import ACTIVITY, BANDS, NONE, Cut, SliceName

SOURCES = ("segments", "truth", "recs")  # where a column is looked up, in this order


@dataclass(frozen=True)
class Key:
    """A column of a slice: its name in the call, its cut, our name for it, and the role of its table."""

    column: str
    cut: Cut
    ours: str = ""
    role: str = ""
    is_list: bool = False  # it has several values in a row
    place: int = 0  # in the slice, from 1


@dataclass(frozen=True)
class Slice:
    """A column, or several crossed columns, whose values are the segments."""

    name: str
    keys: tuple[Key, ...]
    place: int = 0  # in the call, from 1

    @property
    def title(self) -> str:
        """The name of its column beside the metrics of each user, quoted if needed."""
        return plain(self.name)

    @property
    def labels(self) -> list[str]:
        """The segments in their order; empty if they have no order of their own."""
        return self.keys[0].cut.labels if len(self.keys) == 1 else []

    @property
    def otherwise(self) -> str | None:
        """The segment of users who are in no table; None for users without a segment."""
        absent = [key.cut.label(0) if key.role == "train" else NONE for key in self.keys]
        return " / ".join(absent) if any(key.role == "train" for key in self.keys) else None


class SliceTable(NamedTuple):
    """A table with columns of slices."""

    role: str
    alias: str
    columns: list[Key]


def slices_in(by: Iterable[SliceName]) -> list[Slice]:
    """The slices of a call; raises RecsqlError if they have more columns than a query takes."""
    columns: dict[str, str] = {}
    found: list[Slice] = []
    for place, name in enumerate(by, start=1):
        keys = []
        for of_slice, (column, cut) in enumerate(name.columns, start=1):
            ours = columns.setdefault(column.lower(), f"segment_{len(columns) + 1}")
            keys.append(Key(column, cut, ours, "train" if column == ACTIVITY else "", place=of_slice))
        found.append(Slice(name, tuple(keys), place))
    if len(columns) > len(SEGMENTS):
        raise RecsqlError(f"by: {len(columns)} columns; give at most {len(SEGMENTS)}")
    return found


def columns_in(by: Iterable[SliceName]) -> dict[str, str]:
    """The columns that tables must have for the slices, by our names."""
    return {key.ours: key.column for one in slices_in(by) for key in one.keys if not key.role}


def quantiles_of(slices: Iterable[Slice]) -> list[Key]:
    """The columns that are cut into quantiles."""
    return list({(key.ours, key.cut.quantiles): key for one in slices for key in one.keys if key.cut.quantiles}.values())


def columns_of(slices: Sequence[Slice]) -> dict[str, object]:
    """The distinct columns of the slices, by what templates do with them."""

    def unique(keys: Iterable[Key]) -> list[Key]:
        return list({key.ours: key for key in keys}.values())

    keys = [key for one in slices for key in one.keys]
    by_role = {role: unique(key for key in keys if key.role == role) for role in (*SOURCES, "train")}
    aliases = {role: ROLES[role].alias for role in SOURCES} | {"train": "a"}
    return {
        "segment_sources": [SliceTable(role, aliases[role], columns) for role, columns in by_role.items() if columns],
        "cut_columns": unique(key for key in keys if key.cut and key.role != "train"),
        "crossed_columns": unique(key for one in slices if len(one.keys) > 1 for key in one.keys if not key.cut),
        "quantile_columns": quantiles_of(slices),
        "activity_bands": BANDS,
    }
