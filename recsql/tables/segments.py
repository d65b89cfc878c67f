"""Where the columns of slices are: the table of each one."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from recsql.base.errors import BadInput, nearest
from recsql.base.types import alike
from recsql.catalog import catalog
from recsql.catalog.slice_names import SliceName
from recsql.query.slices import SOURCES, Key, Slice, slices_in
from recsql.tables.files import ending_of
from recsql.tables.source_table import SourceTable


def resolved(by: Iterable[SliceName] | None, found: Mapping[str, SourceTable]) -> tuple[Slice, ...]:
    """The slices with the table of each column; raises BadInput for a column that is in no table."""
    return tuple(replace(one, keys=tuple(located(key, found) for key in one.keys)) for one in slices_in(by))


def located(key: Key, found: Mapping[str, SourceTable]) -> Key:
    """The column with its table."""
    if key.role == "train":
        if "train" not in found:
            raise BadInput("by: train.activity is the number of a user's rows in train; give that table as well")
        refuse_train(found["train"], found["recs"], "whose rows train.activity counts")
        return key
    tables = {role: found[role] for role in SOURCES if role in found}
    role = next((role for role, one in tables.items() if one.has(key.ours)), None)
    if role is None and (key.column in found or ending_of(key.column)):
        raise BadInput(f"by: {key.column} is a table, and not a column; give the table with segments=, and its columns with by=")
    if role is None:
        columns = list(dict.fromkeys(name for one in tables.values() for name in one.types))
        hint, there = nearest(key.column, columns), " nor ".join(one.name for one in tables.values())
        way = "" if "segments" in tables else "; give a table with user_id and that column as segments="
        raise BadInput(f"by: there is no column {key.column} in {there}; {hint}there are {', '.join(columns)}{way}")
    is_list = tables[role].type(key.ours).endswith("[]")
    if is_list and role != "segments":
        raise BadInput(f"{tables[role].name}: {key.column} is a LIST; give one value per row, or a table as segments=")
    return replace(key, role=role, is_list=is_list)


def refuse_train(train: SourceTable, recs: SourceTable, why: str) -> None:
    """Raises BadInput unless train has a column of users whose ids have the type of those in recs; `why` says what needs it."""
    if not train.has("user_id"):
        raise BadInput(f"{train.name}: there is no column user_id, {why}; name it with user='...'")
    if not alike(train.type("user_id"), recs.type("user_id")):
        types = {"in_left": recs.type("user_id"), "in_right": train.type("user_id")}
        raise BadInput(catalog().say("id_types", column="user_id", left=recs.name, right=train.name, **types))
