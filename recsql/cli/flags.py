"""The flags that several commands share. The table of commands says which command has which flags."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from recsql.base.errors import RecsqlError
from recsql.base.wording import QUERY, USER, flag
from recsql.calls.merge import CATALOGUE, OF_INTERVALS
from recsql.calls.warnings import ON_ODDITY
from recsql.catalog import catalog
from recsql.catalog.grammar import DEFAULT_CUTOFFS, LARGEST, cutoff, separated
from recsql.catalog.headers import PRESET, Given, Option, Topic
from recsql.catalog.options import parse_number
from recsql.catalog.roles import NAMES, Names
from recsql.cli.floor import condition_in, gate_in
from recsql.display.drawing import DRAWN
from recsql.display.output import FORMATS
from recsql.display.shown import ROWS
from recsql.tables.files import FORMATS as READ

STEPS, RARE, DUCKDB = "the steps of the query", "names of columns that few tables have", "DuckDB"
TABLES = "what is odd about the tables"
PAGE_HAS = "what the page has"
LESSER = (STEPS, TABLES, RARE, DUCKDB, PAGE_HAS)  # the groups that only the long help shows
GATE, COLUMNS = "the comparison", "names of columns, where yours differ"
LIKE = "conventions of ranx and others: `recsql help presets`"


# -- reading values


def cutoffs(texts: Sequence[str]) -> list[int | float | str]:
    """Parses cut-offs in texts such as `5,10` and `1..20`."""
    ks: list[int | float | str] = []
    for text in filter(None, map(str.strip, ",".join(texts).split(","))):
        ends = re.fullmatch(r"(\d+)\.\.(\d+)", text)
        here = (
            range(cutoff(int(ends[1])), cutoff(int(ends[2]), LARGEST) + 1)
            if ends
            else ()
            if ".." in text
            else (parse_number(text),)
        )
        if not here:
            raise RecsqlError(f"k: {text} is not a range of cut-offs; write it like 1..20")
        ks += here
    return ks


def metric_names(texts: Sequence[str]) -> list[str]:
    return [name for text in texts for name in separated(text)]


def severities(texts: Sequence[str]) -> dict[str, str]:
    """Parses severities of findings in texts such as `few_users=note`."""
    pairs = [text.partition("=") for text in texts]
    if broken := [text for text, (_, equals, _) in zip(texts, pairs, strict=True) if not equals]:
        raise RecsqlError(f"severity: {broken[0]} names no severity; write it like few_users=note")
    return {name: level for name, _, level in pairs}


# -- flags


class Flag:
    """A flag or a positional argument: its names, metavar, help, and further settings of argparse.

    `group` is the title of its group in the help, and `alone` the flag's value if none follows it.
    """

    def __init__(self, names: str, metavar: str, about: str, group: str = "", *, alone: object = None, **others: Any) -> None:
        self.names, self.group, self.alone = names.split("/"), group, alone
        self.settings = {"help": about, **({"metavar": metavar} if metavar else {}), **others}


class Argument(Flag):
    """A flag or positional argument for the function's argument of its name, or `dest`; errors of `read` are bad input."""

    def __init__(self, *texts: str, read: Callable[..., Given] | None = None, **others: Any) -> None:
        super().__init__(*texts, **others)
        self.read = read or (lambda value: value)


class OptionFlag(Argument):
    """The flag of an option that a header in sql/ declares."""


Flags = Sequence[Flag | Callable[[], Iterable[Flag]]]  # a function if the flags depend on headers in sql/


# -- tables, metrics and the engine

INPUT = Argument(
    "--input",
    "FORMAT",
    f"the format of files whose ending names none: {', '.join(READ)} (which also reads .tsv and .csv)",
    choices=READ,
)
ABOUT_RECS = "user_id, item_id, rank (or score), perhaps model: Parquet, CSV, JSON, a folder; or NAME=FILE for each"
RECS = (Argument("recs", "RECS", ABOUT_RECS, nargs="+"), INPUT)
LISTS = (*RECS, Argument("truth", "TRUTH", "user_id, item_id, perhaps relevance, likewise"))
SUITE = (*LISTS, Argument("--datasets", "FOLDER", "in place of RECS and TRUTH: a sub-folder per data set"))
PLANNED = (Argument("recs", "[RECS ...]", ABOUT_RECS, nargs="*"), *LISTS[1:])
TRAIN = Argument("train", "TRAIN", "a table of user_id and item_id: what models learn from")
TRUTH = Argument("truth", "TRUTH", "a table of user_id, item_id and perhaps relevance")
ITEMS = Argument("items", "ITEMS", "a table of item_id: the items that can be drawn")
ABOUT_PREDICTIONS = (
    "a table of user_id, item_id, prediction, rating (or --ratings) and perhaps model; or one for each model, as NAME=TABLE"
)
PREDICTIONS = Argument("predictions", "PREDICTIONS", ABOUT_PREDICTIONS, nargs="+")
PARTS = Argument("parts", "PART", "files that partial wrote; paths or globs", nargs="+")
ABOUT_METRIC = "ndcg,recall or ndcg@10 or ap(denominator=relevant), or all; `recsql metrics` lists them"
METRIC = Argument("-m/--metric", "METRIC", ABOUT_METRIC, dest="metrics", action="append", read=metric_names)


def measured(default: str = ",".join(map(str, DEFAULT_CUTOFFS))) -> tuple[Flag, Flag]:
    """The flags of cut-offs, with the function's default, and of metrics."""
    about = f"cut-offs: 10 or 5,10 or 1..20, or all, the whole list (default: {default})"
    return Argument("-k", "", about, action="append", read=cutoffs), METRIC


def one_cutoff(about: str, default: int) -> Flag:
    """The flag of one cut-off; the function refuses several."""
    return Argument("-k", "", f"{about} (default: {default})", action="append", read=",".join)


FAIL_IF = (
    Flag("--fail-if", "CONDITION", "maybe-worse, worse, not-better or 'ndcg@10.low < 0.02'", GATE, type=gate_in),
    Flag("--max-missing", "SHARE", "the share of lists that --fail-if lets be missing", GATE, type=parse_number),
)
FLOOR = Flag("--fail-if", "CONDITION", "exit status 3 for a value such as 'ndcg@10.low < 0.02'", type=condition_in)
OF_PAGE = (
    Argument("--cases", "N", "users to show each way; 0 for no ids (default: 5)", PAGE_HAS, read=parse_number),
    Argument("--title", "TEXT", "a title above the verdict", PAGE_HAS),
    Argument("--notes", "TEXT", "a paragraph below the verdict", PAGE_HAS),
    Argument("--no-check", "", "leave out the findings about the data", PAGE_HAS, dest="check", action="store_false"),
    Argument("--no-conventions", "", "leave out other libraries", PAGE_HAS, dest="conventions", action="store_false"),
    Argument("--no-sql", "", "leave out the query", PAGE_HAS, dest="sql", action="store_false"),
)
BASELINE = "the model that all others are compared with (default: popularity, from --train, else the best model)"
ABOUT_ODD = "what to do about oddities in the tables: warn (the default), error (if they make the numbers wrong), or off"
ODD = Argument("--findings", "", ABOUT_ODD, TABLES, choices=ON_ODDITY)
USER_ID = Argument("--user-id", "ID", "only the rows of this user")
USER_IDS = Argument("--user-id", "ID", "only the rows of these users: a or a,b", action="append", read=metric_names)
ABOUT_TEXTS = "user ids with a text or title of each"
TEXTS = Argument("--texts", "TABLE", f"{ABOUT_TEXTS}, such as BEIR's queries", PAGE_HAS)
OF_HITS = (USER_IDS, lambda: own("missed"), Argument("--texts", "TABLE", ABOUT_TEXTS))
STOP_AFTER = Argument("--stop-after", "STEP", "end with the rows of this step; `recsql explain` lists them", STEPS)
STEP = (STOP_AFTER, Argument("--user-id", "ID", "only the rows of this user", STEPS))
ENGINE = (
    Flag("--memory-limit", "SIZE", "such as 4GB", DUCKDB),
    Flag("--threads", "N", "default: all cores", DUCKDB),
    Flag("--temp-directory", "FOLDER", "for what exceeds the memory limit", DUCKDB),
)


# -- output


def output(about: str = "write to a file", *, required: bool = False) -> Flag:
    return Flag("-o/--output", "FILE", about, required=required)


ABOUT_FORMAT = f"{', '.join(FORMATS)} (default: by the file's ending, else table)"
WRITTEN = (Flag("--format", "FORMAT", ABOUT_FORMAT, choices=FORMATS), output())
CHART = output(f"write to a file, by its ending {', '.join(DRAWN)}", required=True)
ABOUT_SCHEMA = "the schema of the macros (default: recsql); in a database, the name that it is attached as"
SCHEMA = Flag("--schema", "NAME", ABOUT_SCHEMA, default="recsql")
CHECK = Flag(
    "--check", "", "the macro check alone, a file to read after that of the others; a database has it", action="store_true"
)
ABOUT_ROWS = "the rows of a table for people (default: metrics; models where the terminal is too narrow)"
SORT = Flag("--sort", "METRIC", "such as ndcg@10: a row per model, the best first, and the best values marked")
SHAPED = (*WRITTEN, Flag("--rows", "", ABOUT_ROWS, choices=ROWS), SORT)  # of results with metrics or models as rows


def new_file(part: str, about: str) -> Flag:
    """The flag of a file to write. Its `dest` differs from the table of that name."""
    return Flag(f"--{part}", "FILE", f"{about} (default: {part}.parquet, if no such file exists)", dest=f"{part}_file")


# -- names of columns

ABOUT_WORDS = "what people read: users and items, or queries and documents (default: by the tables; query for TREC's and BEIR's)"
WORDED = Argument("--words", "", ABOUT_WORDS, RARE, choices=(USER, QUERY))
RARELY = ("truth_user", "truth_item", "truth_rank", "category", "vector", "cluster", "document", "start", "end", "dataset")
USUAL = {
    "truth_user": "that of --user",
    "truth_item": "that of --item",
    "score": "score, where there is no rank",
    "vector": "none; a column of items: a LIST of numbers, for ild(distance=vector)",
    "cluster": "none; a column of truth: users who belong together, for intervals",
    "dataset": f"{Names.dataset}; none: no column keeps data sets apart",
    "model": f"{Names.model}; filename: each file is a model",
    "relevance": f"{Names.relevance}; none: every row counts",
}


def columns(names: str) -> list[Flag]:
    """The flags of the names of columns; for lists and their truth, also the flag names."""
    found: list[Flag] = []
    for name in names.split():
        about, group = f"default: {USUAL.get(name) or getattr(Names, name)}", RARE if name in RARELY else COLUMNS
        read = (lambda text: None if text == "none" else text) if name == "relevance" else None
        found.append(Argument(flag(name), "COLUMN", about, group, read=read))
    if "truth_user" in names:
        whose = "; ".join(f"{name}: {', '.join(f'{flag(key)} {value}' for key, value in NAMES[name].items())}" for name in NAMES)
        found.append(Argument("--names", "WHOSE", whose, choices=NAMES, group=RARE))
    return [*found, *([WORDED] if "truth_rank" in names else [])]


OF_RECS_AND_ITEMS = [*columns("user item rank score model category vector dataset"), WORDED]
OF_RECS = columns("user item rank score model dataset")
OF_PAIRS, OF_TRUTH = columns("user item"), columns("user item truth_user truth_item relevance")
OF_LISTS = columns("user item truth_user truth_item rank score model relevance truth_rank cluster document start end dataset")
OF_LISTS_AND_ITEMS = [*OF_LISTS, *columns("category vector")]
OF_SCORES = Argument("truth", "TRUTH", "user_id, item_id, perhaps relevance; or, alone, a table of scores")
PAIRS_OUT = Flag("--pairs-out", "FILE", "the pairs of models behind the ranks, as Parquet, CSV or JSON")
DRAWN_OUT = output(f"write to a file; as a picture, by its ending {', '.join(DRAWN)}")
TO_RANK = (PLANNED[0], INPUT, OF_SCORES, SUITE[-1])
OF_RANKS = (*TO_RANK, *measured(), ODD, PAIRS_OUT, WRITTEN[0], DRAWN_OUT, *OF_LISTS_AND_ITEMS, *ENGINE)
RANK = ["recsql rank recs.parquet truth.parquet -k 10 -m ndcg"]


# -- the options of the headers in sql/


def option(one: Option, group: str = "", about: str = "", *, full: bool = False) -> Flag:
    """The flag of an option; it has the full name if the short one belongs to another option of the command."""
    name = one.name.replace("__", "_") if full else one.called
    text = (about or one.about).replace("%", "%%")
    return OptionFlag(flag(name), one.type.upper(), text, group, alone=one.alone)


def by_topic(topics: Sequence[Topic]) -> Iterator[Flag]:
    """The flags of the options of some topics, in a group per topic; that of the preset is always shown."""
    every = [one for topic in topics for one in topic.options.values()]
    taken: set[str] = set()
    for one in sorted(every, key=lambda one: "__" in one.name):  # the option with exactly this name has the short flag
        group, about = ("", LIKE) if one.type == PRESET else (one.topic, "")
        yield option(one, group, about, full=one.called in taken)
        taken.add(one.called)


def of_comparison(baseline: str = "") -> Iterator[Flag]:
    """The flags that most comparisons need, for the short help, perhaps with another sentence about the baseline."""
    about = {"baseline": baseline, "test": "", "margin": "the difference that the test allows"}
    return (option(catalog().options[name], GATE, said) for name, said in about.items())


def own(*names: str) -> Iterator[Flag]:
    """The flags of a command's own options, for the short help."""
    return (option(catalog().options[name]) for name in names)


def of_merge() -> Iterator[Flag]:
    """The flags of intervals and of the tables of all items."""
    options = catalog().options
    yield from (option(options[name]) for name in OF_INTERVALS)
    yield from (option(options[name], about=f"{options[name].about}; where the parts were made with it") for name in CATALOGUE)


def of_dialect() -> Iterator[Flag]:
    """The flag of the engine for which a query is written."""
    about = "the engine (default: duckdb); tables that recsql can't see are taken to have ids, rank and the columns you name"
    yield Argument("--dialect", "", about, choices=[*catalog().dialects])
