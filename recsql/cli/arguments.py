"""The arguments of the command line: the parser of all commands, and the tables that it finds, one or one per model."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import duckdb

import recsql
from recsql.base.errors import RecsqlError
from recsql.base.package import release
from recsql.base.paths import matches
from recsql.cli.flags import Argument, Flag, Flags
from recsql.cli.parsing import TopParser
from recsql.cli.table import COMMANDS, TABLE
from recsql.cli.topics import topics_of

EXAMPLES = ("recsql evaluate recs.parquet truth.parquet", "recsql help evaluate", "recsql help ties")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The parsed command line, with the arguments of the command's function in `settings`.

    Wrong usage ends the process with status 2. Without arguments, the commands are listed.
    """
    words = (sys.argv[1:] if arguments is None else arguments) or ["help"]
    asked: argparse.Namespace
    asked, unexpected = parser([one for one in words if one in COMMANDS][:1]).parse_known_args(words)
    given = {name: getattr(asked, name) for name, flag in asked.command.flags.items() if isinstance(flag, Argument)}
    asked.settings = {name: value for name, value in given.items() if value is not None}
    several = next((name for name in ("recs", "predictions") if name in asked.settings), None)
    if several is None and unexpected:
        asked.command.error(f"unexpected argument {' '.join(unexpected)}")
    if several is not None:  # argparse reports tables as unexpected if flags separate them; the truth is the last of all
        tables = [*asked.settings[several], *([asked.truth] if "truth" in asked.settings else []), *unexpected]
        if "truth" in asked.settings:
            asked.settings["truth"] = tables.pop()
        asked.settings[several] = by_model(tables)
    return asked


def parser(filled: Iterable[str] = COMMANDS) -> TopParser:
    """The parser of all commands. Only those that are `filled` have flags, which take time to make."""
    top = TopParser(prog="recsql", description=recsql.__doc__, examples=EXAMPLES, uses=TABLE)
    version_text = f"recsql {release()}, duckdb {duckdb.__version__}"
    top.add_argument("-V", "--version", action="version", version=version_text, help="show the versions of recsql and DuckDB")
    for name, row in COMMANDS.items():
        flags, topics = (expand(row.flags), topics_of(row.grains)) if name in filled else ((), ())
        about = f"{row.about[0].upper()}{row.about[1:]}."
        command = top.commands.add_parser(
            name, help=row.about, description=about, examples=row.examples, topics=topics, flags=flags
        )
        command.set_defaults(run=row.run, command=command, parser=parser)
    return top


def expand(flags: Flags) -> list[Flag]:
    """The flags, with those that functions yield."""
    return [flag for one in flags for flag in ([one] if isinstance(one, Flag) else one())]


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
