"""A folder with a sub-folder for each data set: its tables, which are read as if each data set were alone."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

from recsql.base.errors import BadInput
from recsql.tables.files import split_ending
from recsql.tables.source_table import SourceTable

Tables = Mapping[str, SourceTable]
Fold = int | str  # a fold or a data set


@dataclass(frozen=True)
class DataSets:
    """What is given for a role: a table, or one for each model, by data set."""

    each: Mapping[str, object]


def find_datasets(folder: str, further: Mapping[str, str]) -> dict[str, DataSets]:
    """The tables of each sub-folder by role: recs, truth, and `further` ones by their paths there; BadInput if one is missing."""
    if not os.path.isdir(folder):
        raise BadInput(f"{folder}: there is no such folder")
    names = [name for name in listed(folder) if os.path.isdir(os.path.join(folder, name))]
    if not names:
        raise BadInput(f"{folder}: it has no sub-folder; each data set needs one, with recs.* and truth.*")
    roles = {role: {name: find_table(os.path.join(folder, name), role) for name in names} for role in ("recs", "truth")}
    roles |= {role: {name: os.path.join(folder, name, path) for name in names} for role, path in further.items()}
    return {role: DataSets(each) for role, each in roles.items()}


def find_table(folder: str, role: str) -> str | dict[str, str]:
    """The table of a role in the folder of a data set; of a folder recs, its files by model."""
    there = [name for name in listed(folder) if name.partition(".")[0] == role]
    if len(there) > 1:
        raise BadInput(f"{folder}: {there[0]} and {there[1]} are both there; leave one")
    if not there:
        way = ", or give each model a file in recs/" if role == "recs" else ""
        raise BadInput(f"{folder}: it has no {role}.*; name a file like that{way}")
    path = os.path.join(folder, there[0])
    if there != ["recs"] or not os.path.isdir(path):
        return path
    models = {split_ending(name)[0]: os.path.join(path, name) for name in listed(path)}
    if len(models) != len(listed(path)) or not models:
        raise BadInput(f"{path}: {'two files are named the same' if models else 'it has no file'}; give each model one")
    return models


def listed(folder: str) -> list[str]:
    """The names in a folder, without hidden ones and those of Spark."""
    return sorted(name for name in os.listdir(folder) if not name.startswith((".", "_")))


def of_dataset(tables: Mapping[str, object], name: str) -> dict[str, object]:
    """What is given for each role of one data set; a table that no folder divides is that of all."""
    return {role: one.each[name] if isinstance(one, DataSets) else one for role, one in tables.items()}


def unite_datasets(each: Mapping[str, Tables]) -> dict[str, SourceTable]:
    """The tables of all data sets by role; a query reads those of one, see `of_each_dataset`."""
    first, *others = each.values()
    return {
        role: replace(
            one,
            name=f"{one.name} and {len(others)} more" if others else one.name,
            paths=[path for tables in each.values() for path in tables[role].paths],
            datasets={name: tables[role] for name, tables in each.items()},
        )
        for role, one in first.items()
    }


def of_each_dataset(found: Tables) -> dict[Fold, Tables]:
    """The tables of each data set, where folders divide them; else nothing."""
    names = next(iter(found.values())).datasets
    return {name: {role: one.datasets[name] for role, one in found.items()} for name in names}
