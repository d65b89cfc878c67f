"""The commands: their names, what runs them, and their flags."""

import argparse
from collections.abc import Sequence
from importlib.metadata import version

import duckdb

import recsql
from recsql import curves
from recsql.catalog import ABOUT, DEFAULT_CUTOFF, DEFAULT_CUTOFFS
from recsql.cli import commands as run
from recsql.cli.flags import (
    ITEMS,
    LISTS,
    RATED,
    asked_for,
    catalogue,
    columns,
    drawn,
    engine,
    in_dialect,
    inputs,
    interactions,
    metric,
    one_k,
    options,
    parts,
    predictions,
    recs,
    written,
    written_part,
    written_text,
)
from recsql.errors import nearest
from recsql.text import shown


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What was asked; a flag that doesn't exist is wrong usage, and the nearest is named."""
    asked, unknown = parser().parse_known_args(arguments)
    if unknown:
        hints = filter(None, (nearest(one.partition("=")[0], asked.flags) for one in unknown if one.startswith("--")))
        asked.refuse(f"unrecognized arguments: {shown(' '.join(unknown))}; {''.join(hints)}".rstrip("; "))
    return asked


def parser() -> argparse.ArgumentParser:
    """The commands and their flags; those for options come from the headers in sql/."""
    top = argparse.ArgumentParser(prog="recsql", description=recsql.__doc__, allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"recsql {version('recsql')}, duckdb {duckdb.__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    lists, both = (columns(*LISTS), options("user")), (columns(*LISTS, "category"), options("user", "item"))
    items = (columns(*ITEMS), options("item"))
    measured = asked_for(",".join(map(str, DEFAULT_CUTOFFS)))
    for name, function, about, groups in (
        ("evaluate", run.evaluate, ABOUT["evaluate"], (inputs, measured, *both, engine, written)),
        ("per-user", run.per_user, ABOUT["per_user"], (inputs, measured, *lists, engine, written)),
        ("hits", run.hits, ABOUT["hits"], (inputs, one_k, *lists, engine, written)),
        ("item-metrics", run.item_metrics, ABOUT["item_metrics"], (recs, measured, *items, engine, written)),
        (
            "rate",
            run.rate,
            ABOUT["rating_metrics"],
            (predictions, metric, columns(*RATED), options("rating"), engine, written),
        ),
        (
            "split",
            run.split,
            "the last interaction of each user held out: two Parquet files",
            (interactions, columns("user", "item"), options("interaction"), engine),
        ),
        (
            "partial",
            run.partial,
            "what the metrics of these users are made of, for merge to add to that of others",
            (inputs, measured, *both, engine, written_part),
        ),
        ("merge", run.merge, "what evaluate gives on all parts together", (parts, columns("item"), catalogue, engine, written)),
        (
            "curve",
            run.curve,
            "the metrics over k, drawn",
            (inputs, asked_for(f"{curves.CUTOFFS[0]}..{curves.CUTOFFS[-1]}"), *both, engine, drawn),
        ),
        (
            "conventions",
            run.conventions,
            "each metric under the convention of every preset, and which option makes the difference",
            (inputs, asked_for(str(DEFAULT_CUTOFF)), *lists, engine, written),
        ),
        ("sql", run.sql, "the query that evaluate would run", (inputs, measured, in_dialect, *both, engine, written_text)),
        ("macros", run.macro_file, "the macro file for the DuckDB shell", (written_text,)),
        ("metrics", run.metrics, "what metrics there are", (written,)),
    ):
        command = commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.", allow_abbrev=False)
        for add in groups:
            add(command)
        flags = [one for action in command._actions for one in action.option_strings]
        command.set_defaults(run=function, flags=flags, refuse=command.error)
    return top
