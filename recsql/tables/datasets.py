"""A folder with a sub-folder for each data set, whose tables are read as if the data set were alone."""

import glob
import os
from collections.abc import Mapping
from dataclasses import replace

from recsql.base.errors import BadInput
from recsql.base.paths import matches
from recsql.tables.source_table import SourceTable

Tables = Mapping[str, SourceTable]
Fold = int | str  # a fold or a data set


class DataSets(dict[str, str]):
    """What is given for a role: the path of its table in each data set, by the name of this."""


def find_datasets(folder: str, further: Mapping[str, str]) -> dict[str, DataSets]:
    """The tables in the sub-folders by role: recs, truth, and `further` ones at their paths there; BadInput if one is missing."""
    found = matches(os.path.join(glob.escape(folder), "[!_]*", ""))
    if not found:
        raise BadInput(f"{folder}: there is no sub-folder; each data set needs one, with recs.* and truth.*")
    names = {os.path.basename(os.path.dirname(path)): path for path in found}  # paths end in a slash
    given = {role: DataSets({name: find_table(path, role) for name, path in names.items()}) for role in ("recs", "truth")}
    return given | {role: DataSets({name: os.path.join(names[name], path) for name in names}) for role, path in further.items()}


def find_table(folder: str, role: str) -> str:
    """The table of a role in the folder of a data set; the lists may be a folder recs, with a file for each model."""
    of_models = ", or a folder recs with a file for each model" if role == "recs" else ""
    there = matches(*(os.path.join(glob.escape(folder), name) for name in (f"{role}.*", *(["recs"] if of_models else []))))
    if len(there) != 1:
        found = " and ".join(map(os.path.basename, there)) or "none"
        raise BadInput(f"{folder}: it needs one {role}.*{of_models}; there is {found}")
    return there[0]


def unite_datasets(each: Mapping[str, Tables]) -> dict[str, SourceTable]:
    """The tables of all data sets by role; a query reads those of one."""
    first, more = next(iter(each.values())), f" and {len(each) - 1} more" if len(each) > 1 else ""
    every = {role: {name: tables[role] for name, tables in each.items()} for role in first}
    return {role: replace(one, name=one.name + more, datasets=every[role]) for role, one in first.items()}


def of_each_dataset(found: Tables) -> dict[Fold, Tables]:
    """The tables of each data set, where folders divide them; else nothing."""
    names = next(iter(found.values())).datasets
    return {name: {role: one.datasets[name] for role, one in found.items()} for name in names}
