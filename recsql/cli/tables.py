"""The tables in the arguments of a command: one, several, or one per model, with flags between them."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recsql.base.errors import RecsqlError
from recsql.base.paths import matches

MODELLED = ("recs", "predictions")  # the arguments that can be one table per model


def gathered(asked: argparse.Namespace, unexpected: Sequence[str]) -> list[str]:
    """Collects tables that flags separate, which argparse reports as unexpected; returns the arguments that remain unexpected.

    If a command takes the truth, it is the last of the tables.
    """
    several = next((name for name in MODELLED if name in asked), None)
    if several is None:
        return list(unexpected)
    tables = [*getattr(asked, several), *([asked.truth] if "truth" in asked else []), *unexpected]
    if "truth" in asked:
        asked.truth = tables.pop()
    setattr(asked, several, by_model(tables))
    return []


def by_model(tables: Sequence[str]) -> str | list[str] | dict[str, str]:
    """The tables by model, if arguments such as pop=pop.parquet name them; else one path, or several."""
    named = {argument: model_of(argument) for argument in tables}
    models = [model for argument in tables if (model := named[argument])]
    if not models:
        return tables[0] if len(tables) == 1 else list(tables)
    if unnamed := [argument for argument in tables if not named[argument]]:
        example = "=".join(models[0])
        raise RecsqlError(f"{unnamed[0]}: it has no model name, but other tables have one; name each of them, as in {example}")
    names = [name for name, _ in models]
    if twice := [name for name in names if names.count(name) > 1]:
        raise RecsqlError(f"{twice[0]}: two tables have this name; give each model its own name")
    return dict(models)


def model_of(argument: str) -> tuple[str, str] | None:
    """The model and its table if an argument is NAME=TABLE; None if the argument itself is the path of a file or a glob."""
    name, equals, table = argument.partition("=")
    if not equals or Path(argument).exists() or matches(argument):
        return None
    if name.isidentifier():
        return name, table
    if "/" not in name and (not name or Path(table).exists()):
        raise RecsqlError(f"{argument}: {name!r} is not a model name; use letters, digits and _, with no digit first")
    return None


def paths_in(argument: Any) -> list[str]:
    """The paths in an argument."""
    values = argument.values() if isinstance(argument, dict) else argument if isinstance(argument, list) else [argument]
    return [value for value in values if isinstance(value, str)]
