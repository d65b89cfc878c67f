"""The command `recsql`: the functions for Python on the command line. The only module that prints."""

import argparse
import io
import json
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

import recsql
from recsql import api, comparison, curves, output
from recsql import parts as in_parts
from recsql.arguments import gathered, paths_in
from recsql.catalog import ABOUT, DEFAULT_CUTOFF, DEFAULT_CUTOFFS, Value, catalog, cutoff, parse_number
from recsql.engines.duckdb import first_words
from recsql.errors import RecsqlError, nearest
from recsql.files import FORMATS
from recsql.macro_file import macros
from recsql.paths import refuse_to_replace
from recsql.roles import Names
from recsql.spoken import as_command, flag
from recsql.text import literal, shown

Group = Callable[[argparse.ArgumentParser], None]  # adds some flags to a command
LISTS = ("user", "item", "rank", "score", "model", "relevance", "truth_rank")
ITEMS = ("user", "item", "rank", "score", "model", "category")
RATED = ("user", "item", "rating", "prediction", "model")
BAD_INPUT = 1
MOST_THREADS = 1024


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status: 0, 1 for bad input (2 is argparse's, for wrong usage).

    After a signal it is 128 and the signal's number: 130 after Ctrl-C.
    """
    prepare_streams()
    with as_ctrl_c() as signals, as_command(), warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show_warning
        try:
            asked = parsed(arguments)
            guard(asked)
            asked.run(asked)
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (RecsqlError, OSError) as error:
            print(f"recsql: {shown(str(error))}", file=sys.stderr)
            return BAD_INPUT
        except KeyboardInterrupt:
            return 128 + next(iter(signals), signal.SIGINT)
    return 0


def show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning as one line beside the results."""
    print(f"recsql: warning: {shown(str(message))}", file=sys.stderr)


def prepare_streams() -> None:
    """What the terminal's encoding lacks is printed as an escape; to a closed stream nothing is, and a result is not lost so."""
    for name, closed in (("stdout", Closed), ("stderr", io.StringIO)):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, closed())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class Closed(io.StringIO):
    """Standard output where there is none."""

    def write(self, _: str) -> int:
        raise RecsqlError("standard output is closed; open it, or name a file with -o")


@contextmanager
def as_ctrl_c() -> Iterator[list[int]]:
    """While a signal that ends the process does what Ctrl-C does, which leaves no file half written; gives those that came."""
    came: list[int] = []

    def stop(number: int, _: object) -> None:
        came.append(number)
        raise KeyboardInterrupt

    ending = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {one: signal.signal(one, stop) for one in ending if signal.getsignal(one) == signal.SIG_DFL}  # nohup ignores one
    try:
        yield came
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def guard(asked: argparse.Namespace) -> None:
    """Raises RecsqlError where what a command computes could not be written, or would be over what it reads."""
    flags = vars(asked)
    if flags.get("output") is None:
        return
    if not asked.output:
        raise RecsqlError("--output: it is empty; name a file")
    if "format" in flags:
        output.format_of(asked.output)
    output.target_of(asked.output)
    read = [path for name, value in flags.items() if name not in ("output", "temp_directory") for path in paths_in(value)]
    refuse_to_replace(read, asked.output)


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What was asked; a flag that doesn't exist is wrong usage, and the nearest is named."""
    asked, unknown = parser().parse_known_args(arguments)
    unknown = gathered(asked, unknown)
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
    for name, run, about, groups in (
        ("evaluate", evaluate, ABOUT["evaluate"], (inputs, measured, *both, engine, written)),
        ("per-user", per_user, ABOUT["per_user"], (inputs, measured, *lists, engine, written)),
        ("hits", hits, ABOUT["hits"], (inputs, one_k, *lists, engine, written)),
        ("item-metrics", item_metrics, ABOUT["item_metrics"], (recs, measured, *items, engine, written)),
        (
            "rate",
            rate,
            ABOUT["rating_metrics"],
            (predictions, metric, columns(*RATED), options("rating"), engine, written),
        ),
        (
            "split",
            split,
            "the last interaction of each user held out: two Parquet files",
            (interactions, columns("user", "item"), options("interaction"), engine),
        ),
        (
            "partial",
            partial,
            "what the metrics of these users are made of, for merge to add to that of others",
            (inputs, measured, *both, engine, written_part),
        ),
        ("merge", merge, "what evaluate gives on all parts together", (parts, columns("item"), catalogue, engine, written)),
        (
            "curve",
            curve,
            "the metrics over k, drawn",
            (inputs, asked_for(f"{curves.CUTOFFS[0]}..{curves.CUTOFFS[-1]}"), *both, engine, drawn),
        ),
        (
            "conventions",
            conventions,
            "each metric under the convention of every preset, and which option makes the difference",
            (inputs, asked_for(str(DEFAULT_CUTOFF)), *lists, engine, written),
        ),
        ("sql", sql, "the query that evaluate would run", (inputs, measured, in_dialect, *both, engine, written_text)),
        ("macros", macro_file, "the macro file for the DuckDB shell", (written_text,)),
        ("metrics", metrics, "what metrics there are", (written,)),
    ):
        command = commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.", allow_abbrev=False)
        for add in groups:
            add(command)
        flags = [one for action in command._actions for one in action.option_strings]
        command.set_defaults(run=run, flags=flags, refuse=command.error)
    return top


# -- flags, in groups


def recs(command: argparse.ArgumentParser) -> None:
    about = (
        "a table of user_id, item_id, rank (or score) and perhaps model: Parquet, CSV or JSON, a glob or a folder of such files, "
        "file.duckdb:table; or one for each model, NAME=FILE"
    )
    command.add_argument("recs", metavar="RECS", nargs="+", help=about)
    files(command)


def files(command: argparse.ArgumentParser) -> None:
    """What the files are where their names don't say it."""
    about = "what files are whose ending doesn't say it; .txt, .trec, .run, .qrel and .qrels are TREC's, others Parquet"
    command.add_argument("--input", dest="option_input", choices=FORMATS, help=about)


def inputs(command: argparse.ArgumentParser) -> None:
    recs(command)
    command.add_argument("truth", metavar="TRUTH", help="a table of user_id, item_id and perhaps relevance, likewise")


def predictions(command: argparse.ArgumentParser) -> None:
    about = "a table of user_id, item_id, prediction, rating (or --ratings) and perhaps model; or one for each model, NAME=FILE"
    command.add_argument("predictions", metavar="PREDICTIONS", nargs="+", help=about)
    files(command)


def interactions(command: argparse.ArgumentParser) -> None:
    about = "a table of user_id, item_id, timestamp (or --order-by)"
    command.add_argument("interactions", metavar="INTERACTIONS", help=about)
    files(command)
    for part in ("train", "truth"):
        command.add_argument(f"--{part}", metavar="FILE", help=f"default: {part}.parquet, where there is none")


def asked_for(usual: str) -> Group:
    def add(command: argparse.ArgumentParser) -> None:
        about = f"cut-offs and ranges such as 1..20, several with commas or a flag each (default: {usual})"
        command.add_argument("-k", action="append", help=about)
        command.set_defaults(usual_k=usual)
        metric(command)

    return add


def metric(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-m",
        "--metric",
        action="append",
        help="by name, several with commas or a flag each; perhaps with options and a cut-off of "
        "its own, name(option=value)@k; `recsql metrics` says which there are",
    )


def in_dialect(command: argparse.ArgumentParser) -> None:
    about = "what is to run it (default: duckdb); for spark also tables: name the columns they have besides ids and rank"
    command.add_argument("--dialect", dest="option_dialect", choices=list(catalog().dialects), help=about)


def one_k(command: argparse.ArgumentParser) -> None:
    command.add_argument("-k", action="append", help=f"cut-off (default: {DEFAULT_CUTOFF})")
    command.set_defaults(usual_k=str(DEFAULT_CUTOFF))


def columns(*names: str) -> Group:
    def add(command: argparse.ArgumentParser) -> None:
        group = command.add_argument_group("names of columns")
        for name in names:
            usual = getattr(Names, name) or "score, where there is no rank"
            group.add_argument(flag(name), dest=f"column_{name}", metavar="COLUMN", help=f"default: {usual}")

    return add


def options(*grains: str) -> Group:
    def add(command: argparse.ArgumentParser) -> None:
        group = command.add_argument_group(
            "conventions", "each changes numbers; `recsql metrics --format csv` tells which metric reads which"
        )
        for option in catalog().options_of(grains).values():
            choices = "; ".join(f"{value}: {about}" for value, about in option.values)
            default = "" if option.default is None else f" (default: {option.default})"
            about = f"{option.about}{default}{'. ' if choices else ''}{choices}"
            group.add_argument(
                flag(option.name), dest=f"option_{option.name}", metavar=option.type.upper(), help=about.replace("%", "%%")
            )

    return add


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


def drawn(command: argparse.ArgumentParser) -> None:
    endings = ", ".join(curves.DRAWN)
    command.add_argument("-o", "--output", metavar="FILE", required=True, help=f"write to a file, by its ending {endings}")


def parts(command: argparse.ArgumentParser) -> None:
    command.add_argument("parts", metavar="PART", nargs="+", help="files that partial wrote; paths or globs")


def catalogue(command: argparse.ArgumentParser) -> None:
    for name in in_parts.CATALOGUE:
        about = f"{catalog().options[name].about}; where the parts were made with it"
        command.add_argument(flag(name), dest=f"option_{name}", metavar="TABLE", help=about)


def written_part(command: argparse.ArgumentParser) -> None:
    command.add_argument("-o", "--output", metavar="FILE", required=True, help="the Parquet file to write")


# -- commands


def evaluate(asked: argparse.Namespace) -> None:
    result = api.evaluate(asked.recs, asked.truth, metric_names(asked), cutoffs(asked), **settings(asked))
    show(result, asked, for_people=output.side_by_side, note=note(result))


def per_user(asked: argparse.Namespace) -> None:
    rows = api.per_user(asked.recs, asked.truth, metric_names(asked), cutoffs(asked), into=into(asked), **settings(asked))
    show(rows, asked)


def hits(asked: argparse.Namespace) -> None:
    show(api.hits(asked.recs, asked.truth, cutoff(cutoff_text(asked)), into=into(asked), **settings(asked)), asked)


def partial(asked: argparse.Namespace) -> None:
    in_parts.partial(asked.recs, asked.truth, asked.output, metric_names(asked), cutoffs(asked), **settings(asked))


def merge(asked: argparse.Namespace) -> None:
    result = in_parts.merge(asked.parts, **settings(asked))
    show(result, asked, for_people=output.side_by_side, note=note(result))


def curve(asked: argparse.Namespace) -> None:
    curves.drawer(asked.output)  # first, so that what can't be drawn isn't computed
    curves.curve(asked.recs, asked.truth, metric_names(asked), cutoffs(asked), **settings(asked)).save(asked.output)


def conventions(asked: argparse.Namespace) -> None:
    result = comparison.conventions(asked.recs, asked.truth, metric_names(asked), cutoffs(asked), **settings(asked))
    show(result, asked, for_people=output.by_preset, note=output.aligned(output.reasons(result)))


def item_metrics(asked: argparse.Namespace) -> None:
    result = api.item_metrics(asked.recs, metric_names(asked), cutoffs(asked), **settings(asked))
    show(result, asked, for_people=output.side_by_side)


def rate(asked: argparse.Namespace) -> None:
    show(api.evaluate_ratings(asked.predictions, metrics=metric_names(asked), **settings(asked)), asked)


def split(asked: argparse.Namespace) -> None:
    files = {part: getattr(asked, part) or f"{part}.parquet" for part in ("train", "truth")}
    for part, file in files.items():
        if getattr(asked, part) is None and Path(file).exists():
            raise RecsqlError(f"{file}: it is there already; say with {flag(part)} where to write")
    api.split(asked.interactions, **files, **settings(asked))


def sql(asked: argparse.Namespace) -> None:
    show_text(api.sql(asked.recs, asked.truth, metric_names(asked), cutoffs(asked), **settings(asked)), asked)


def macro_file(asked: argparse.Namespace) -> None:
    show_text(macros().rstrip("\n"), asked)


def metrics(asked: argparse.Namespace) -> None:
    show(api.metrics(), asked, for_people=lambda table: table.select(["metric", "title", "formula", "aliases"]))


# -- what the flags say


def cutoff_text(asked: argparse.Namespace) -> str:
    return asked.usual_k if asked.k is None else ",".join(asked.k)


def cutoffs(asked: argparse.Namespace) -> list[Any]:
    return [k for part in cutoff_text(asked).split(",") if part.strip() for k in span(part.strip())]


def span(text: str) -> list[Any]:
    """The cut-offs that `10` or `1..20` says."""
    if ".." not in text:
        return [parse_number(text)]
    ends = re.fullmatch(r"(\d+)\.\.(\d+)", text)
    ks = list(range(cutoff(int(ends[1])), cutoff(int(ends[2])) + 1)) if ends else []
    if not ks:
        raise RecsqlError(f"k: {text} is not a range of cut-offs; write it like 1..20")
    return ks


def metric_names(asked: argparse.Namespace) -> list[str] | None:
    """The metrics named, split at the commas outside brackets; None for all."""
    return None if asked.metric is None else [name for text in asked.metric for name in re.split(r",(?![^(]*\))", text)]


def settings(asked: argparse.Namespace) -> dict[str, Value]:
    """The columns' names, the options and the connection that the flags say."""
    flags = vars(asked).items()
    given = {name.partition("_")[2]: value for name, value in flags if name.startswith(("column_", "option_"))}
    return {name: value for name, value in given.items() if value is not None} | {"connection": connection(asked)}


def into(asked: argparse.Namespace) -> str | None:
    """The Parquet file that rows go to where they are computed, as there may be more of them than memory."""
    return asked.output if asked.output and output.format_of(asked.output) == "parquet" else None


def connection(asked: argparse.Namespace) -> duckdb.DuckDBPyConnection:
    """A connection with the limits asked for; on a terminal it shows its progress."""
    if asked.threads is not None and not 1 <= asked.threads <= MOST_THREADS:
        raise RecsqlError(f"--threads: {asked.threads} is not a number from 1 to {MOST_THREADS}")
    if asked.memory_limit and asked.memory_limit.lstrip().startswith("-"):  # which DuckDB takes for no limit at all
        raise RecsqlError(f"--memory-limit: {asked.memory_limit} is below zero; give a size such as 4GB")
    made = duckdb.connect()
    for name in ("threads", "temp_directory", "memory_limit"):
        if (value := getattr(asked, name)) is not None:
            limit(made, name, str(value))
    if sys.stdout.isatty():
        made.execute("set enable_progress_bar = true")
    return made


def limit(connection: duckdb.DuckDBPyConnection, name: str, value: str) -> None:
    """Sets one of the limits; raises RecsqlError where DuckDB can't take it."""
    try:
        connection.execute(f"set {name} = {literal(value)}")
        connection.execute("select 1").fetchall()
    except duckdb.OutOfMemoryException:
        raise RecsqlError(f"{flag(name)}: {value} is too little to run anything; give more, such as 4GB") from None
    except duckdb.Error as error:
        way = "; give a size such as 4GB" if name == "memory_limit" else ""
        raise RecsqlError(f"{flag(name)}: {value!r} can't be taken: {first_words(error)}{way}") from None


# -- printing


def show(
    result: pa.Table | None,
    asked: argparse.Namespace,
    for_people: Callable[[pa.Table], pa.Table] = lambda table: table,
    note: str = "",
) -> None:
    """A result on the terminal or in a file, in the format asked for; nothing where it has gone into its file already."""
    if result is None:
        return
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
    """Who is in the mean, in one line; nothing where no metric is a mean over users."""
    report = json.loads(result.schema.metadata[b"recsql"])
    models, averaged = report["models"], {label: options for label, options in report["metrics"].items() if "no_recs" in options}
    if not averaged:
        return ""
    in_mean = by_model(models, [in_the_mean(result, model["model"], averaged) for model in models])
    with_truth = f"{models[0]['users_with_truth']:,}"
    unserved = f"without a list{told(without_list, averaged)} {tally(models, 'users_without_list')}"
    untrue = f"lists without truth{told(without_truth, averaged)} {tally(models, 'lists_without_truth')}"
    shared = " Some users are in several parts and count once in each." if report.get("unit") == in_parts.USER_OF_A_PART else ""
    return f"Users in the mean: {in_mean}. Users with truth: {with_truth}, of them {unserved}; {untrue}.{shared}"


def in_the_mean(result: pa.Table, model: str | None, averaged: Collection[str]) -> str:
    """Over how many users the means of a model are; the fewest and the most where its metrics differ."""
    rows = result.select(["model", "metric", "users"]).to_pylist()
    counts = {row["users"] for row in rows if row["model"] == model and row["metric"] in averaged}
    return f"{max(counts):,}" if len(counts) == 1 else f"{min(counts):,} to {max(counts):,}"


def told(policy: Callable[[Mapping[str, str]], str], averaged: Mapping[str, Mapping[str, str]]) -> str:
    """What a policy says under the options of the metrics, in brackets; nothing where metrics differ in it."""
    first, *others = {policy(options) for options in averaged.values()}
    return "" if others else f" ({first})"


def without_list(options: Mapping[str, str]) -> str:
    """What becomes of a user with truth and without a list."""
    return "intersection: left out" if options["users"] == "intersection" else meaning(options, "no_recs")


def without_truth(options: Mapping[str, str]) -> str:
    """What becomes of a list of a user without truth."""
    counted = options["users"] == "union" and options["no_truth"] not in ("one", "one_if_both_empty")
    return "union: counted as 0" if counted else meaning(options, "no_truth")


def meaning(options: Mapping[str, str], name: str) -> str:
    """The value of an option, and what it means."""
    return f"{options[name]}: {dict(catalog().options[name].values)[options[name]]}"


def tally(models: Sequence[dict[str, Any]], count: str) -> str:
    """One count for all models, or each model's where they differ."""
    return by_model(models, [f"{model[count]:,}" for model in models])


def by_model(models: Sequence[dict[str, Any]], texts: Sequence[str]) -> str:
    """One text for all models, or each model's where they differ."""
    if len(set(texts)) == 1:
        return texts[0]
    return ", ".join(f"{output.on_one_line(str(model['model']))} {text}" for model, text in zip(models, texts, strict=True))
