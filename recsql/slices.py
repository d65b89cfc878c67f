"""Slices: the columns by which a call groups its users, and the tables that these columns are in."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from recsql.catalog import catalog
from recsql.errors import BadInput, RecsqlError, nearest
from recsql.given import Given, family
from recsql.headers import Value
from recsql.roles import ROLES, SEGMENTS
from recsql.slice_names import ACTIVITY, NONE, Cut, keys_in
from recsql.text import plain

COLUMNS = ("slice", "segment", "share")  # of a result with slices
OF_USERS = {  # targets with columns of slices, and the columns beside these
    "per_user": ("model", "user_id", "k", "list_length", "relevant"),
    "differences": (
        *("model", "baseline", "user_id", "metric", "k", "value", "baseline_value", "difference"),
        *("list_length", "baseline_list_length", "relevant"),
    ),
}
SOURCES = ("segments", "truth", "recs")  # where a column is looked up, in this order
WITHOUT = {  # targets that have no slices, and what they do instead
    "hits": "hits has rows of lists and no users to group",
    "ideal": "ideal has rows of lists and no users to group",
    "rank_by_score": "rank_by_score has rows of lists and no users to group",
    "rating_metrics": "it doesn't group ratings",
    "partial_items": "parts carry slices of means over users alone, so leave metrics of all lists together out",
}


@dataclass(frozen=True)
class Key:
    """A column of a slice: its name in the call, how it is cut, our name for it, and the role of the table that has it."""

    column: str
    cut: Cut
    ours: str = ""
    role: str = ""
    is_list: bool = False  # it has several values in a row

    @property
    def absent(self) -> str:
        """The segment of a user who is not in the table."""
        return self.cut.label(0) if self.role == "train" else NONE


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
    def otherwise(self) -> str | None:
        """The segment of users who are in no table; None for users without a segment."""
        return " / ".join(key.absent for key in self.keys) if any(key.role == "train" for key in self.keys) else None

    @property
    def labels(self) -> list[str]:
        """The segments in their order, if it isn't that of their texts."""
        return self.keys[0].cut.labels if len(self.keys) == 1 else []


@dataclass(frozen=True)
class Source:
    """A table with columns of slices: its role and these columns."""

    role: str
    columns: tuple[Key, ...]

    @property
    def alias(self) -> str:
        return "a" if self.role == "train" else ROLES[self.role].alias


def slices_in(by: Iterable[str] | None) -> list[Slice]:
    """The slices of a call; raises RecsqlError if they have more columns than a query takes."""
    columns: dict[str, str] = {}
    found: list[Slice] = []
    for place, name in enumerate(by or (), start=1):
        keys = []
        for column, cut in keys_in(name):
            ours = columns.setdefault(column.lower(), f"segment_{len(columns) + 1}")
            keys.append(Key(column, cut, ours, "train" if column == ACTIVITY else ""))
        found.append(Slice(name, tuple(keys), place))
    if len(columns) > len(SEGMENTS):
        raise RecsqlError(f"by: {len(columns)} columns; give at most {len(SEGMENTS)}")
    return found


def columns_in(by: Iterable[str] | None) -> dict[str, str]:
    """The columns that tables must have for the slices, by our names."""
    return {key.ours: key.column for one in slices_in(by) for key in one.keys if not key.role}


def resolved(by: Iterable[str] | None, found: Mapping[str, Given]) -> tuple[Slice, ...]:
    """The slices with the table of each column; raises BadInput for a column that is in no table."""
    return tuple(replace(one, keys=tuple(located(key, found) for key in one.keys)) for one in slices_in(by))


def located(key: Key, found: Mapping[str, Given]) -> Key:
    """The column with its table."""
    if key.role == "train":
        refuse_train(found)
        return key
    tables = {role: found[role] for role in SOURCES if role in found}
    role = next((role for role, one in tables.items() if one.has(key.ours)), None)
    if role is None:
        columns = list(dict.fromkeys(name for one in tables.values() for name in one.types))
        hint, there = nearest(key.column, columns), " nor ".join(one.name for one in tables.values())
        way = "" if "segments" in tables else "; give a table with user_id and that column as segments"
        raise BadInput(f"by: there is no column {key.column} in {there}; {hint}there are {', '.join(columns)}{way}")
    is_list = tables[role].type(key.ours).endswith("[]")
    if is_list and role != "segments":
        raise BadInput(f"{tables[role].name}: {key.column} is a LIST; give one value per row, or a table segments")
    return replace(key, role=role, is_list=is_list)


def refuse_train(found: Mapping[str, Given]) -> None:
    """Raises BadInput unless train is given, with a column of users whose ids have the type of those in recs."""
    train, recs = found.get("train"), found["recs"]
    if train is None:
        raise BadInput(f"by: {ACTIVITY} is the number of a user's rows in train; give that table as well")
    if not train.has("user_id"):
        raise BadInput(f"{train.name}: there is no column user_id, whose rows {ACTIVITY} counts; name it with user")
    if family(train.type("user_id")) != family(recs.type("user_id")):
        types = {"in_left": recs.type("user_id"), "in_right": train.type("user_id")}
        raise BadInput(catalog().say("id_types", column="user_id", left=recs.name, right=train.name, **types))


def sources_of(slices: Iterable[Slice]) -> list[Source]:
    """The tables that have columns of the slices."""
    keys = [key for one in slices for key in one.keys]
    columns = {role: tuple({key.ours: key for key in keys if key.role == role}.values()) for role in (*SOURCES, "train")}
    return [Source(role, of_role) for role, of_role in columns.items() if of_role]


def cuts_of(slices: Iterable[Slice]) -> list[Key]:
    """The columns that are cut into ranges or quantiles."""
    found = {(key.ours, key.cut): key for one in slices for key in one.keys if key.cut and key.role != "train"}
    return list(found.values())


def crossed_in(slices: Iterable[Slice]) -> list[Key]:
    """The columns whose values are in crossed segments as they are."""
    return list({key.ours: key for one in slices for key in one.keys if len(one.keys) > 1 and not key.cut}.values())


def refuse_slices(options: Mapping[str, Value], target: str, columns: Collection[Any]) -> None:
    """Raises RecsqlError for a call that can't have the slices that it asks for, or that has a table which only they read."""
    if target in OF_USERS:
        refuse_idle_train(options)
    if options.get("by") is None:
        for name, option in catalog().topics["slices"].options.items():
            if options.get(name) != option.default:
                raise RecsqlError(f"{name}: it applies only with by; give that as well, or leave {name} out")
    elif target in WITHOUT:
        raise RecsqlError(f"by: {WITHOUT[target]}; leave by out")
    elif target in OF_USERS:
        refuse_beside_users(options, target, columns)


def refuse_idle_train(options: Mapping[str, Value]) -> None:
    """Raises RecsqlError if a call without metrics of all lists together has a table train, and no slice reads it."""
    if options.get("train") is not None and not any(map(of_activity, options["by"] or ())):
        raise RecsqlError(f"train: it is read only for by = {ACTIVITY!r} here; give that as well, or leave train out")


def of_activity(name: str) -> bool:
    """Whether a slice groups users by the number of their rows in train."""
    return any(column == ACTIVITY for column, _ in keys_in(name))


def refuse_beside_users(options: Mapping[str, Value], target: str, columns: Collection[Any]) -> None:
    """Raises RecsqlError for slices that can't be columns beside the values of each user."""
    if options.get("min_users") != catalog().options["min_users"].default:
        raise RecsqlError(f"min_users: {target} has the values of each user and leaves out no segment; leave min_users out")
    metrics = [column.title.lower() for column in columns if column.shown] if target == "per_user" else []
    for name in options["by"]:
        if plain(name.lower()) in (*OF_USERS[target], *metrics):
            raise RecsqlError(f"by: the result already has a column {name}; rename that of the segments in a view")
