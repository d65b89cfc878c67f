"""The commands: their names, the functions that run them, and their flags."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import duckdb

import recsql
from recsql.base.package import release
from recsql.calls.curve import CUTOFFS
from recsql.catalog.grammar import DEFAULT_CUTOFF
from recsql.cli import commands, flags
from recsql.cli.gate import fail_if
from recsql.cli.parsing import Commands
from recsql.cli.tables import gathered
from recsql.cli.topics import topics_of
from recsql.query.plan import ITEMS, LISTS, LISTS_AND_ITEMS, PAIRS, RATINGS, USERS

MEASURED = flags.asked_for()
EXAMPLES = ("recsql evaluate recs.parquet truth.parquet", "recsql help evaluate", "recsql help ties")


@dataclass(frozen=True)
class Spec:
    """One command: its function, its description, its flags in groups, the grains whose options it has, and what helps."""

    run: Callable[[argparse.Namespace], None]
    about: str
    groups: Sequence[flags.Group]
    grains: Sequence[str] = ()
    examples: Sequence[str] = ()
    foremost: Sequence[str] = ()  # the options that have their place in a group of flags


SPECS = {
    "evaluate": Spec(
        commands.evaluate,
        "the metrics averaged over users",
        (flags.inputs, MEASURED, flags.steps_of_user, flags.shaped, flags.columns(*flags.LISTS, "category"), flags.engine),
        LISTS_AND_ITEMS,
        (
            "recsql evaluate recs.parquet truth.parquet",
            "recsql evaluate recs.parquet truth.parquet -k 10 -m ndcg,recall --like ranx",
            "recsql evaluate pop=pop.parquet ease=ease.csv truth.csv",
            "recsql evaluate recs.parquet truth.parquet --no-recs skip -o result.csv",
        ),
    ),
    "per-user": Spec(
        commands.per_user,
        "the metrics of each user, one column per metric",
        (flags.inputs, MEASURED, flags.steps_of_user, flags.written, flags.columns(*flags.LISTS), flags.engine),
        USERS,
        ("recsql per-user recs.parquet truth.parquet -k 10 -m ndcg -o per_user.parquet",),
    ),
    "compare": Spec(
        commands.compare,
        "compare models in pairs, with intervals and tests",
        (flags.inputs, MEASURED, fail_if, flags.users_out, flags.written, flags.columns(*flags.LISTS), flags.engine),
        PAIRS,
        (
            "recsql compare recs.parquet truth.parquet -k 10 -m ndcg --baseline pop",
            "recsql compare pop=pop.parquet ease=ease.csv truth.csv -k 10 -o comparison.csv",
        ),
        ("baseline", "test", "margin"),
    ),
    "hits": Spec(
        commands.hits,
        "every recommended row in the top k, with running totals",
        (flags.inputs, flags.one_k, flags.user, flags.written, flags.columns(*flags.LISTS), flags.engine),
        LISTS,
        (
            "recsql hits recs.parquet truth.parquet -k 10 -o hits.parquet",
            "recsql hits recs.parquet truth.parquet --user-id 15558",
        ),
    ),
    "explain": Spec(
        commands.explain,
        "the steps of the query of evaluate, with their rows",
        (flags.inputs, MEASURED, flags.user, flags.written, flags.columns(*flags.LISTS, "category"), flags.engine),
        LISTS_AND_ITEMS,
        (
            "recsql explain recs.parquet truth.parquet",
            "recsql explain recs.parquet truth.parquet -k 10 -m ndcg --user-id 15558",
        ),
    ),
    "item-metrics": Spec(
        commands.item_metrics,
        "the metrics of all lists together",
        (flags.recs, MEASURED, flags.shaped, flags.columns(*flags.ITEMS), flags.engine),
        ITEMS,
        ("recsql item-metrics recs.parquet -k 10 --items items.parquet",),
    ),
    "rate": Spec(
        commands.rate,
        "how far predictions are from ratings",
        (flags.predictions, flags.metric, flags.written, flags.columns(*flags.RATED), flags.engine),
        RATINGS,
        ("recsql rate predictions.parquet -m mae,rmse",),
    ),
    "split": Spec(
        commands.split,
        "divide interactions into train and truth, by a protocol",
        (flags.interactions, flags.written_parts, flags.columns("user", "item"), flags.engine),
        ("interaction",),
        (
            "recsql split ratings.parquet --protocol temporal --fraction 0.2 -o p.parquet",
            "recsql split ratings.parquet --protocol last_n --n 2 --train a.pq --truth t.pq",
            "recsql split ratings.parquet --protocol k_fold -o folds.parquet",
        ),
    ),
    "labels": Spec(
        commands.labels,
        "make the truth from a log of events, in Parquet files",
        (flags.events, flags.columns(*flags.LOGGED), flags.engine),
        ("event",),
        (
            "recsql labels log.csv --start 2026-03-01 --truth after.parquet",
            "recsql labels log.csv --impressions shown.csv --recs r.pq --truth t.pq",
        ),
    ),
    "popularity": Spec(
        commands.popularity,
        "the most popular items that each user lacks, as lists",
        (flags.beside("train"), flags.length, flags.written, flags.columns("user", "item"), flags.engine),
        examples=("recsql popularity ratings.parquet -k 10 -o popularity.parquet",),
    ),
    "segments": Spec(
        commands.segments,
        "the segments of each user: activity, warm and mainstream",
        (flags.beside("train", "truth"), flags.written, flags.columns(*flags.OF_TRUTH), flags.engine),
        examples=("recsql segments ratings.parquet truth.parquet -o segments.parquet",),
    ),
    "candidates": Spec(
        commands.candidates,
        "the truth of each user and n items that are new to them",
        (flags.beside("truth", "items", "train"), flags.written, flags.columns(*flags.OF_TRUTH), flags.engine),
        ("draw",),
        ("recsql candidates truth.parquet items.parquet ratings.parquet -o drawn.parquet",),
    ),
    "partial": Spec(
        commands.partial,
        "evaluate some of the users, as a file for merge",
        (flags.inputs, MEASURED, flags.written_part, flags.columns(*flags.LISTS, "category"), flags.engine),
        PAIRS,
        (
            "recsql partial recs.parquet truth.parquet -k 10 -m ndcg -o part.parquet",
            "recsql partial recs.parquet truth.parquet --baseline pop -o part.parquet",
        ),
    ),
    "merge": Spec(
        commands.merge,
        "combine files of partial into the result for all users",
        (flags.parts, flags.of_parts, flags.columns("user", "item"), flags.catalogue, flags.engine, flags.shaped),
        examples=("recsql merge part.parquet", "recsql merge part.parquet --baseline pop"),
    ),
    "curve": Spec(
        commands.curve,
        "draw metrics over k",
        (
            flags.inputs,
            flags.asked_for(f"{CUTOFFS[0]}..{CUTOFFS[-1]}"),
            flags.drawn,
            flags.columns(*flags.LISTS, "category"),
            flags.engine,
        ),
        LISTS_AND_ITEMS,
        ("recsql curve recs.parquet truth.parquet -m ndcg -o curve.svg",),
    ),
    "conventions": Spec(
        commands.conventions,
        "each metric under every preset, and what each option changes",
        (flags.inputs, flags.asked_for(str(DEFAULT_CUTOFF)), flags.written, flags.columns(*flags.LISTS), flags.engine),
        LISTS,
        ("recsql conventions recs.parquet truth.parquet -k 10 -m hit",),
    ),
    "sql": Spec(
        commands.sql,
        "the query that evaluate runs",
        (
            flags.inputs,
            MEASURED,
            flags.steps,
            flags.of_text,
            flags.written_text,
            flags.columns(*flags.LISTS, "category"),
            flags.engine,
        ),
        LISTS_AND_ITEMS,
        (
            "recsql sql recs.parquet truth.parquet -k 10 -m ndcg",
            "recsql sql recs.parquet truth.parquet -k 10 -m ndcg --plain",
            "recsql sql lake.recs lake.truth -k 10 -m ndcg --dialect spark",
            "recsql sql \"{{ ref('recs') }}\" \"{{ ref('truth') }}\" -m ndcg --dialect duckdb",
        ),
    ),
    "macros": Spec(
        commands.macros,
        "the macros of the DuckDB shell, as SQL or a database",
        (flags.metric, flags.schema, flags.written_text),
        (*PAIRS, *RATINGS, "segment", "interaction", "event", "draw"),
        (
            "recsql macros -o recsql.duckdb",
            "recsql macros --like trec_eval --schema trec_eval -o trec_eval.sql",
            "recsql macros -m err,ndcg --gain exp2 -o exp2.sql",
        ),
    ),
    "metrics": Spec(
        commands.metrics, "all metrics and their definitions", (flags.written,), examples=("recsql metrics --format csv",)
    ),
    "new": Spec(
        commands.new,
        "write the files of a new metric into a checkout of recsql",
        (flags.new,),
        examples=("recsql new metric my_metric",),
    ),
    "help": Spec(
        commands.show_help,
        "help on a command, topic, option or metric",
        (flags.subject,),
        examples=("recsql help evaluate", "recsql help ties", "recsql help ndcg"),
    ),
    "completion": Spec(
        commands.completion,
        "the script that completes commands and options in a shell",
        (flags.shell,),
        examples=(
            "recsql completion bash >> ~/.bash_completion",
            "recsql completion zsh > ~/.zfunc/_recsql",
            "recsql completion fish > ~/.config/fish/completions/recsql.fish",
        ),
    ),
}


USES = {  # the commands by what they are for
    "evaluate": ("evaluate", "per-user", "item-metrics", "rate", "curve"),
    "compare": ("compare", "conventions"),
    "look closer": ("hits", "explain", "sql"),
    "make lists, truth and segments": ("split", "labels", "popularity", "segments", "candidates"),
    "large or scattered data": ("partial", "merge"),
    "recsql itself": ("metrics", "help", "macros", "new", "completion"),
}


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The parsed command line. Wrong usage ends the process with status 2. Without arguments, the commands are listed."""
    given = (sys.argv[1:] if arguments is None else arguments) or ["help"]
    asked: argparse.Namespace
    asked, unexpected = parser(next((one for one in given if one in SPECS), "")).parse_known_args(given)
    unexpected = gathered(asked, unexpected)
    if unexpected:
        asked.command.error(f"unexpected argument {' '.join(unexpected)}")
    return asked


def parser(only: str = "") -> Commands:
    """The parser of all commands. If `only` is one of them, the others have no flags, which take time to make."""
    top = Commands(prog="recsql", description=recsql.__doc__, examples=EXAMPLES, uses=USES)
    version_text = f"recsql {release()}, duckdb {duckdb.__version__}"
    top.add_argument("-V", "--version", action="version", version=version_text, help="show the versions of recsql and DuckDB")
    for name, spec in SPECS.items():
        about = f"{spec.about[0].upper()}{spec.about[1:]}."
        is_full = only in (name, "")
        topics = topics_of(spec.grains) if is_full else ()
        command = top.commands.add_parser(
            name, help=spec.about, description=about, examples=spec.examples, topics=topics, foremost=spec.foremost
        )
        for add in (flags.options, *spec.groups) if is_full else ():
            add(command)
        command.set_defaults(run=spec.run, command=command, parser=parser)
    return top
