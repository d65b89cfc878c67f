"""The command `recsql`: the functions for Python on the command line. The only module that prints."""

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from importlib.metadata import version
from typing import Any

import duckdb
import pyarrow as pa

from recsql import api, output
from recsql.catalog import Option, Value, catalog, cutoff, parse_number
from recsql.engines.duckdb import first_line
from recsql.errors import RecsqlError
from recsql.macro_file import macros

BAD_INPUT, INTERRUPTED = 1, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status: 0, 1 for bad input (2 is argparse's, for wrong usage), 130 after Ctrl-C."""
    asked = parser().parse_args(arguments)
    try:
        asked.run(asked)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (RecsqlError, OSError) as error:
        print(f"recsql: {str(error).splitlines()[0]}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def parser() -> argparse.ArgumentParser:
    """The commands and their flags; those for options come from the headers in sql/."""
    top = argparse.ArgumentParser(
        prog="recsql", description="Recommender and ranking metrics as SQL on DuckDB.", allow_abbrev=False
    )
    top.add_argument("--version", action="version", version=f"recsql {version('recsql')}, duckdb {duckdb.__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for name, run, about, groups in (
        ("evaluate", evaluate, "the metrics averaged over users", (inputs, asked_for, columns, options, engine, written)),
        ("per-user", per_user, "the metrics of each user", (inputs, asked_for, columns, options, engine, written)),
        (
            "hits",
            hits,
            "every recommended row down to k, with what its list has come to so far",
            (inputs, one_k, columns, options, engine, written),
        ),
        ("sql", sql, "the query that evaluate would run", (inputs, asked_for, columns, options, engine, written_text)),
        ("macros", macro_file, "the macro file for the DuckDB shell", (written_text,)),
        ("metrics", metrics, "what metrics there are", (written,)),
    ):
        command = commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.", allow_abbrev=False)
        command.set_defaults(run=run)
        for add in groups:
            add(command)
    return top


# -- flags, in groups


def inputs(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "recs", metavar="RECS", help="Parquet of user_id, item_id, rank (or score) and perhaps model; a path or a glob"
    )
    command.add_argument("truth", metavar="TRUTH", help="Parquet of user_id, item_id and perhaps relevance; a path or a glob")


def asked_for(command: argparse.ArgumentParser) -> None:
    command.add_argument("-k", default="5,10,20", help="cut-offs, separated by commas (default: %(default)s)")
    command.add_argument(
        "-m", "--metric", action="append", help="such as ndcg, ap@100, 'recall(denominator=achievable)'; may be repeated"
    )


def one_k(command: argparse.ArgumentParser) -> None:
    command.add_argument("-k", default="10", help="cut-off (default: %(default)s)")


def columns(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("names of columns")
    for name in fields(api.Names):
        group.add_argument(flag(name.name), metavar="COLUMN", help=f"default: {name.default or 'score, where there is no rank'}")


def options(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("conventions", "each changes numbers; `recsql metrics` tells which metric reads which")
    for option in flagged():
        choices = "; ".join(f"{value}: {about}" for value, about in option.values)
        default = "" if option.default is None else f" (default: {option.default})"
        about = f"{option.about}{default}{'. ' if choices else ''}{choices}"
        group.add_argument(
            flag(option.name), dest=f"option_{option.name}", metavar=option.type.upper(), help=about.replace("%", "%%")
        )


def engine(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("DuckDB")
    group.add_argument("--memory-limit", metavar="SIZE", help="such as 4GB")
    group.add_argument("--threads", metavar="N", type=int)
    group.add_argument("--temp-directory", metavar="FOLDER", help="where to spill what exceeds the memory limit")


def written(command: argparse.ArgumentParser) -> None:
    command.add_argument("--format", choices=list(output.FORMATS), default="table", help="default: %(default)s")
    written_text(command)


def written_text(command: argparse.ArgumentParser) -> None:
    command.add_argument("-o", "--output", metavar="FILE", help="write to a file; a table's format goes by its ending")


def flagged() -> list[Option]:
    return [option for option in catalog().options.values() if option.type != "names"]


def flag(name: str) -> str:
    return "--" + name.replace("_", "-")


# -- commands


def evaluate(asked: argparse.Namespace) -> None:
    result = api.evaluate(asked.recs, asked.truth, metric_names(asked), cutoffs(asked.k), **settings(asked))
    show(result, asked, for_people=output.side_by_side, note=note(result))


def per_user(asked: argparse.Namespace) -> None:
    if asked.output and output.format_of(asked.output) == "parquet":
        with output.whole(asked.output) as beside:
            api.save_per_user(beside, asked.recs, asked.truth, metric_names(asked), cutoffs(asked.k), **settings(asked))
        return
    show(api.per_user(asked.recs, asked.truth, metric_names(asked), cutoffs(asked.k), **settings(asked)), asked)


def hits(asked: argparse.Namespace) -> None:
    show(api.hits(asked.recs, asked.truth, cutoff(parse_number(asked.k)), **settings(asked)), asked)


def sql(asked: argparse.Namespace) -> None:
    show_text(api.sql(asked.recs, asked.truth, metric_names(asked), cutoffs(asked.k), **settings(asked)), asked)


def macro_file(asked: argparse.Namespace) -> None:
    show_text(macros().rstrip("\n"), asked)


def metrics(asked: argparse.Namespace) -> None:
    show(api.metrics(), asked, for_people=lambda table: table.select(["metric", "title", "formula", "aliases"]))


# -- what the flags say


def cutoffs(text: str) -> list[Any]:
    return [parse_number(part.strip()) for part in text.split(",") if part.strip()]


def metric_names(asked: argparse.Namespace) -> list[str] | None:
    """The metrics named, split at the commas outside brackets; None for all."""
    return None if asked.metric is None else [name for text in asked.metric for name in re.split(r",(?![^(]*\))", text)]


def settings(asked: argparse.Namespace) -> dict[str, Value]:
    """The columns' names, the options and the connection that the flags say."""
    names = {name.name: getattr(asked, name.name) for name in fields(api.Names)}
    chosen = {option.name: getattr(asked, f"option_{option.name}") for option in flagged()}
    given = {name: value for name, value in (names | chosen).items() if value is not None}
    return given | {"connection": connection(asked)}


def connection(asked: argparse.Namespace) -> duckdb.DuckDBPyConnection:
    """A connection with the limits asked for; on a terminal it shows its progress."""
    limits = {"memory_limit": asked.memory_limit, "threads": asked.threads, "temp_directory": asked.temp_directory}
    try:
        made = duckdb.connect(config={name: value for name, value in limits.items() if value is not None})
    except duckdb.Error as error:
        raise RecsqlError(f"{', '.join(map(flag, limits))}: {first_line(error)}") from error
    if sys.stdout.isatty():
        made.execute("set enable_progress_bar = true")
    return made


# -- printing


def show(
    result: pa.Table, asked: argparse.Namespace, for_people: Callable[[pa.Table], pa.Table] = lambda table: table, note: str = ""
) -> None:
    """A result on the terminal or in a file, in the format asked for."""
    kind = output.format_of(asked.output) if asked.output else asked.format
    if kind == "parquet":
        output.save_parquet(result, asked.output)
        return
    text = output.FORMATS[kind](for_people(result) if kind in output.FOR_PEOPLE else result)
    show_text(f"{text}\n\n{note}" if kind == "table" and note else text, asked)


def show_text(text: str, asked: argparse.Namespace) -> None:
    if asked.output:
        output.save(text, asked.output)
    else:
        print(text)


def note(result: pa.Table) -> str:
    """Who is in the mean, in one line."""
    report = json.loads(result.schema.metadata[b"recsql"])
    models, chosen = report["models"], report["options"][0]
    unserved = f"without a list ({chosen['no_recs']}: {told('no_recs', chosen)}) {tally(models, 'users_without_list')}"
    untrue = f"lists without truth ({chosen['no_truth']}: {told('no_truth', chosen)}) {tally(models, 'lists_without_truth')}"
    return f"{models[0]['users_with_truth']:,} users with truth; of them {unserved}; {untrue}."


def told(name: str, chosen: dict[str, Any]) -> str:
    """What the chosen value of an option means."""
    return dict(catalog().options[name].values)[chosen[name]]


def tally(models: Sequence[dict[str, Any]], count: str) -> str:
    """One count for all models, or each model's where they differ."""
    counts = [model[count] for model in models]
    if len(set(counts)) == 1:
        return f"{counts[0]:,}"
    return ", ".join(f"{model['model']} {model[count]:,}" for model in models)
