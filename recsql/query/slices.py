"""Slices: the columns by which a call groups its users, and the tables that these columns are in."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from recsql.base.errors import RecsqlError
from recsql.base.text import plain, quoted_name
from recsql.catalog import catalog
from recsql.catalog.headers import Value
from recsql.catalog.roles import ROLES, SEGMENTS
from recsql.catalog.slice_names import ACTIVITY, BANDS, NONE, Cut, Range, SliceName
from recsql.query.metric import Metric

COLUMNS = ("slice", "segment", "share")  # of a result with slices
OF_USERS = {  # targets with columns of slices, and the columns beside these
    "per_user": ("model", "k", "list_length", "relevant"),
    "differences": (
        *("model", "baseline", "metric", "k", "value", "baseline_value", "difference"),
        *("list_length", "baseline_list_length", "relevant", "definition"),
    ),
}
OF_LISTS = {  # targets with a row per item, and their columns beside the ids
    "hits": ("model", "rank", "relevance", "gain", "hit", "hits", "precision", "discount", "dcg"),
    "ideal": ("rank", "relevance", "gain", "discount", "idcg"),
}
SOURCES = ("segments", "truth", "recs")  # where a column is looked up, in this order
WITHOUT = {  # targets that have no slices, and what they do instead
    "hits": "hits has rows of lists and no users to group",
    "ideal": "ideal has rows of lists and no users to group",
    "rank_by_score": "rank_by_score has rows of lists and no users to group",
    "rating_metrics": "it doesn't group ratings",
}


@dataclass(frozen=True)
class Key:
    """A column of a slice: its name in the call, how it is cut, our name for it, and the role of the table that has it."""

    column: str
    cut: Cut
    ours: str = ""
    role: str = ""
    is_list: bool = False  # it has several values in a row
    place: int = 0  # in the slice, from 1

    @property
    def is_activity(self) -> bool:
        return self.role == "train"

    @property
    def absent(self) -> str:
        """The segment of a user who is not in the table."""
        return self.cut.label(0) if self.is_activity else NONE

    @property
    def by_quantiles(self) -> bool:
        return self.cut.quantiles > 0

    @property
    def by_ranges(self) -> bool:
        return bool(self.cut.ends)

    @property
    def quantiles(self) -> int:
        return self.cut.quantiles

    @property
    def digits(self) -> int:
        """The number of digits of its quantiles."""
        return len(str(self.quantiles))

    @property
    def ranges(self) -> list[Range]:
        return self.cut.ranges

    @property
    def last(self) -> str:
        """The segment of the numbers beyond all ends."""
        return self.cut.labels[-1]


@dataclass(frozen=True)
class Label:
    """A segment of a slice whose segments have an order of their own, with its place from 1."""

    place: int
    text: str


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
    def is_crossed(self) -> bool:
        return len(self.keys) > 1

    @property
    def is_ordered(self) -> bool:
        """Whether its segments have an order of their own."""
        return not self.is_crossed and bool(self.keys[0].cut)

    @property
    def otherwise(self) -> str | None:
        """The segment of users who are in no table; None for users without a segment."""
        return " / ".join(key.absent for key in self.keys) if any(key.is_activity for key in self.keys) else None

    @property
    def labels(self) -> list[Label]:
        """The segments in their order, if they have one of their own."""
        return [Label(place, text) for place, text in enumerate(self.keys[0].cut.labels, start=1)] if self.is_ordered else []


@dataclass(frozen=True)
class Grouped:
    """A column whose values are segments: our name for it, its name in the call, the table that has it, and how slices use it."""

    key: Key
    place: int  # among the columns, from 1
    is_cut: bool
    is_crossed: bool  # uncut, beside other columns

    @property
    def ours(self) -> str:
        return self.key.ours

    @property
    def column(self) -> str:
        return self.key.column

    @property
    def quoted(self) -> str:
        return quoted_name(self.key.column)

    @property
    def is_activity(self) -> bool:
        return False


@dataclass(frozen=True)
class Source:
    """A table with columns of slices: its role and these columns."""

    role: str
    columns: tuple[Key, ...]

    @property
    def alias(self) -> str:
        return "a" if self.role == "train" else ROLES[self.role].alias


def slices_in(by: Iterable[SliceName] | None) -> list[Slice]:
    """The slices of a call; raises RecsqlError if they have more columns than a query takes."""
    columns: dict[str, str] = {}
    found: list[Slice] = []
    for place, name in enumerate(by or (), start=1):
        keys = []
        for of_slice, (column, cut) in enumerate(name.columns, start=1):
            ours = columns.setdefault(column.lower(), f"segment_{len(columns) + 1}")
            keys.append(Key(column, cut, ours, "train" if column == ACTIVITY else "", place=of_slice))
        found.append(Slice(name, tuple(keys), place))
    if len(columns) > len(SEGMENTS):
        raise RecsqlError(f"by: {len(columns)} columns; give at most {len(SEGMENTS)}")
    return found


def columns_in(by: Iterable[SliceName] | None) -> dict[str, str]:
    """The columns that tables must have for the slices, by our names."""
    return {key.ours: key.column for one in slices_in(by) for key in one.keys if not key.role}


def sources_of(slices: Iterable[Slice]) -> list[Source]:
    """The tables that have columns of the slices."""
    keys = [key for one in slices for key in one.keys]
    columns = {role: tuple({key.ours: key for key in keys if key.role == role}.values()) for role in (*SOURCES, "train")}
    return [Source(role, of_role) for role, of_role in columns.items() if of_role]


def columns_of(slices: Iterable[Slice]) -> list[Grouped]:
    """The columns of the slices, without the activity."""
    keys = [(key, one.is_crossed) for one in slices for key in one.keys if not key.is_activity]
    cut = {key.ours for key, _ in keys if key.cut}
    crossed = {key.ours for key, is_crossed in keys if is_crossed and not key.cut}
    by_name = {key.ours: key for key, _ in keys}
    return [Grouped(key, place, name in cut, name in crossed) for place, (name, key) in enumerate(by_name.items(), start=1)]


def quantiles_of(slices: Iterable[Slice]) -> list[Key]:
    """The columns that are cut into quantiles, numbered from 1."""
    keys = {(key.ours, key.quantiles): key for one in slices for key in one.keys if key.quantiles}
    return [replace(key, place=place) for place, key in enumerate(keys.values(), start=1)]


def grouped(slices: Sequence[Slice]) -> dict[str, object]:
    """The slices of a query, and what follows from them, as templates name them."""
    sources, columns, quantiles = sources_of(slices), columns_of(slices), quantiles_of(slices)
    activity = next((source.columns[0].ours for source in sources if source.role == "train"), "")
    return {
        "slices": slices,
        "segment_sources": sources,
        "segment_columns": columns,
        "quantile_columns": quantiles,
        "activity": activity,
        "activity_bands": BANDS,
        "with_columns": bool(columns),
        "with_activity": bool(activity),
        "with_quantiles": bool(quantiles),
        "with_cuts": any(one.is_cut for one in columns),
        "with_crossed": any(one.is_crossed for one in columns),
        "with_order": any(one.is_ordered for one in slices),
    }


def refuse_slices(options: Mapping[str, Value], target: str) -> None:
    """Raises RecsqlError for a call that can't have the slices that it asks for."""
    if options.get("by") is None:
        for name, option in catalog().topics["slices"].options.items():
            if options.get(name) != option.default:
                raise RecsqlError(f"{name}: it applies only with by=; give that as well, or leave {name}= out")
    elif target in WITHOUT:
        raise RecsqlError(f"by: {WITHOUT[target]}; leave by= out")
    elif target in OF_USERS and options.get("min_users") != catalog().options["min_users"].default:
        raise RecsqlError(f"min_users: {target} has the values of each user and leaves out no segment; leave min_users= out")


def refuse_taken(options: Mapping[str, Value], target: str, columns: Iterable[Metric], ids: Mapping[str, str]) -> None:
    """Raises RecsqlError if a result would have two columns of one name: an id as the input names it, a slice or a metric."""
    beside = OF_USERS.get(target) or OF_LISTS.get(target, ())
    named = [("user", ids.get("user_id", "user_id")), ("item", ids.get("item_id", "item_id"))]
    metrics = [column for column in columns if column.shown] if target == "per_user" else []
    given = [*named[: 2 if target in OF_LISTS else 1], *(("by", name) for name in options.get("by") or ())]
    taken = {*beside}
    for option, name in [*(("metrics", one.heading) for one in metrics), *given] if beside else []:
        if plain(name.lower()) in taken:
            raise RecsqlError(
                f"{option}: the result already has a column {name}; rename yours in a view, or leave one of them out"
            )
        taken.add(plain(name.lower()))
