"""The flags of the commands, in groups; those for options come from the headers in sql/."""

import argparse
from collections.abc import Callable

from recsql import curves
from recsql import parts as in_parts
from recsql.call import FORMATS as READ
from recsql.catalog import DEFAULT_CUTOFF, catalog
from recsql.cli.results import FORMATS
from recsql.inputs import Names
from recsql.spoken import flag

Group = Callable[[argparse.ArgumentParser], None]  # adds some flags to a command
LISTS = ("user", "item", "rank", "score", "model", "relevance", "truth_rank")
ITEMS = ("user", "item", "rank", "score", "model", "category")
RATED = ("user", "item", "rating", "prediction", "model")


def recs(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "recs", metavar="RECS", help="Parquet of user_id, item_id, rank (or score) and perhaps model; a path or a glob"
    )


def inputs(command: argparse.ArgumentParser) -> None:
    recs(command)
    command.add_argument("truth", metavar="TRUTH", help="Parquet of user_id, item_id and perhaps relevance; a path or a glob")
    about = (
        "what the files are; those that end in .txt, .trec, .run, .qrel or .qrels are TREC's run and judgements, others Parquet"
    )
    command.add_argument("--input", dest="option_input", choices=READ, help=about)


def predictions(command: argparse.ArgumentParser) -> None:
    about = "Parquet of user_id, item_id, prediction, rating (or --ratings) and perhaps model; a path or a glob"
    command.add_argument("predictions", metavar="PREDICTIONS", help=about)


def interactions(command: argparse.ArgumentParser) -> None:
    about = "Parquet of user_id, item_id, timestamp (or --order-by); a path or a glob"
    command.add_argument("interactions", metavar="INTERACTIONS", help=about)
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
    about = "how to write the result (default: as the file's ending says, else table)"
    command.add_argument("--format", choices=FORMATS, help=about)
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
