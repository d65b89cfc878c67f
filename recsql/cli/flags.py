"""The flags of the commands, in groups; those for options come from the headers in sql/."""

import argparse
from collections.abc import Callable

from recsql.base.wording import flag
from recsql.calls.compare import options_of_tests
from recsql.calls.curve import DRAWN
from recsql.calls.merge import CATALOGUE, OF_INTERVALS
from recsql.catalog import catalog
from recsql.catalog.grammar import DEFAULT_CUTOFF, DEFAULT_CUTOFFS, DEFAULT_LENGTH
from recsql.catalog.headers import PRESET, Option
from recsql.catalog.roles import NAMES, Names
from recsql.cli.parsing import Command
from recsql.cli.results import FORMATS
from recsql.show.report import ROWS
from recsql.tables.files import FORMATS as READ

Group = Callable[[Command], None]  # adds some flags to a command
LISTS = ("user", "item", "truth_user", "truth_item", "rank", "score", "model", "relevance", "truth_rank", "cluster")
OF_TRUTH = ("user", "item", "truth_user", "truth_item", "relevance")
ITEMS = ("user", "item", "rank", "score", "model", "category")
LIKE = "the conventions of another library, such as ranx or trec_eval; `recsql help presets` lists them"
SHELLS = ("bash", "zsh", "fish")
RARE = ("truth_user", "truth_item", "truth_rank", "category", "cluster")
USUAL = {
    "truth_user": "that of --user",
    "truth_item": "that of --item",
    "score": "score, where there is no rank",
    "cluster": "none; a column of truth: users who belong together, for intervals",
}
LOGGED = ("user", "item", "ts", "type", "rank", "model", "request", "surface")
BESIDE = {
    "train": "a table of user_id and item_id: what models learn from",
    "truth": "a table of user_id, item_id and perhaps relevance",
    "items": "a table of item_id: the items that can be drawn",
}
RATED = ("user", "item", "rating", "prediction", "model")


def recs(command: Command) -> None:
    about = "user_id, item_id, rank (or score), perhaps model: Parquet, CSV, JSON, a folder; or NAME=FILE for each"
    command.add_argument("recs", metavar="RECS", nargs="+", help=about)
    files(command)


def inputs(command: Command) -> None:
    recs(command)
    command.add_argument("truth", metavar="TRUTH", help="user_id, item_id, perhaps relevance, likewise")


def files(command: Command) -> None:
    """The format of files whose names do not tell it."""
    about = f"what files are whose ending doesn't say it: {', '.join(READ)} (which also reads .tsv and .csv)"
    command.add_argument("--input", metavar="FORMAT", dest="option_input", choices=READ, help=about)


def predictions(command: Command) -> None:
    about = (
        "a table of user_id, item_id, prediction, rating (or --ratings) and perhaps model; or one for each model, as NAME=TABLE"
    )
    command.add_argument("predictions", metavar="PREDICTIONS", nargs="+", help=about)
    files(command)


def interactions(command: Command) -> None:
    command.add_argument("interactions", metavar="INTERACTIONS", help="a table of user_id, item_id, timestamp (or --order-by)")
    files(command)
    for part in ("train", "truth"):
        command.add_argument(f"--{part}", metavar="FILE", help=f"default: {part}.parquet, if no such file exists")


def events(command: Command) -> None:
    command.add_argument("events", metavar="EVENTS", help="a table of user_id, item_id, ts and perhaps type")
    files(command)
    command.add_argument(
        "--recs",
        metavar="FILE",
        dest="recs_file",
        help="the file for the shown lists (default: recs.parquet, if no such file exists)",
    )
    command.add_argument(
        "--truth",
        metavar="FILE",
        dest="truth_file",
        help="the file for the labels (default: truth.parquet, if no such file exists)",
    )


def asked_for(usual: str | None = None) -> Group:
    """The metrics and their cut-offs; `usual` are the command's default cut-offs, if they differ from the function's."""

    def add(command: Command) -> None:
        default = usual or ",".join(map(str, DEFAULT_CUTOFFS))
        about = f"cut-offs: 10 or 5,10 or 1..20, or all, the whole list (default: {default})"
        command.add_argument("-k", action="append", help=about)
        command.set_defaults(usual_k=usual)
        metric(command)

    return add


def metric(command: Command) -> None:
    about = "ndcg,recall or ndcg@10 or ap(denominator=relevant), or all; `recsql metrics` lists them"
    command.add_argument("-m", "--metric", metavar="METRIC", action="append", help=about)


def of_text(command: Command) -> None:
    command.add_argument("--plain", action="store_true", help="a query to read: plain steps and sums, no checks of the input")
    about = "the engine (default: duckdb); tables that recsql can't see are taken to have ids, rank and the columns you name"
    command.add_argument("--dialect", dest="option_dialect", choices=list(catalog().dialects), help=about)


def steps(command: Command) -> None:
    group = command.add_lesser_group("the steps of the query")
    group.add_argument("--stop-after", metavar="STEP", help="end with the rows of this step; `recsql explain` lists them")


def steps_of_user(command: Command) -> None:
    steps(command)
    user(command.lesser[-1])


def user(command: argparse._ActionsContainer) -> None:
    command.add_argument("--user-id", metavar="ID", help="only the rows of this user")


def one_k(command: Command) -> None:
    command.add_argument("-k", action="append", help=f"cut-off (default: {DEFAULT_CUTOFF})")
    command.set_defaults(usual_k=str(DEFAULT_CUTOFF))


def length(command: Command) -> None:
    command.add_argument("-k", action="append", help=f"the length of the lists (default: {DEFAULT_LENGTH})")
    command.set_defaults(usual_k=str(DEFAULT_LENGTH))
    command.add_argument("--users", metavar="TABLE", help="a table of user_id, such as the truth: these users also get lists")


def beside(*names: str) -> Group:
    """Tables of which each is one file or table."""

    def add(command: Command) -> None:
        for name in names:
            command.add_argument(name, metavar=name.upper(), help=BESIDE[name])
        files(command)

    return add


def columns(*names: str) -> Group:
    def add(command: Command) -> None:
        groups = [command.add_argument_group("names of columns, where yours differ")]
        if {*names} & {*RARE}:
            groups.append(command.add_lesser_group("names of columns that few tables have"))
        for name in names:
            usual = getattr(Names, name) or USUAL[name]
            group = groups[name in RARE]
            usual += {"model": "; filename: each file is a model", "relevance": "; none: every row counts"}.get(name, "")
            group.add_argument(flag(name), dest=f"column_{name}", metavar="COLUMN", help=f"default: {usual}")
        if "truth_user" in names:
            about = "; ".join(
                f"{name}: {', '.join(f'{flag(key)} {value}' for key, value in NAMES[name].items())}" for name in NAMES
            )
            groups[1].add_argument("--names", metavar="WHOSE", dest="option_names", choices=NAMES, help=about)

    return add


def options(command: Command) -> None:
    """The options of the command's topics, one group per topic; `like` is always shown."""
    groups = {topic.name: group for topic, group in zip(command.topics, command.of_topics, strict=True)}
    every = [option for topic in command.topics for option in topic.options.values()]
    for option in sorted(every, key=lambda one: "__" in one.name):  # an option with that very name has the short flag
        among, about = (command, LIKE) if option.type == PRESET else (groups[option.topic], option.about)
        if option.name not in command.foremost:
            option_of(among, option, about)


def option_of(among: argparse._ActionsContainer, option: Option, about: str = "") -> None:
    """The flag of one option; its full name if another option of the command has the short one."""
    text = (about or option.about).replace("%", "%%")
    name = option.name.replace("__", "_") if flag(option.called) in among._option_string_actions else option.called
    action = among.add_argument(flag(name), dest=f"option_{name}", metavar=option.type.upper(), help=text)
    action.alone = option.alone  # type: ignore[attr-defined]


def engine(command: Command) -> None:
    group = command.add_lesser_group("DuckDB")
    group.add_argument("--memory-limit", metavar="SIZE", help="such as 4GB")
    group.add_argument("--threads", metavar="N", help="default: all cores")
    group.add_argument("--temp-directory", metavar="FOLDER", help="for what exceeds the memory limit")


def written(command: Command) -> None:
    about = f"{', '.join(FORMATS)} (default: by the file's ending, else table)"
    command.add_argument("--format", metavar="FORMAT", choices=FORMATS, help=about)
    written_text(command)


def shaped(command: Command) -> None:
    """How a result is written whose rows can be metrics or models."""
    written(command)
    about = "the rows of a table for people (default: metrics; models where the terminal is too narrow)"
    command.add_argument("--rows", choices=ROWS, help=about)


def schema(command: Command) -> None:
    about = "the schema of the macros (default: recsql); in a database, the name that it is attached as"
    command.add_argument("--schema", metavar="NAME", default="recsql", help=about)


def users_out(command: Command) -> None:
    about = "also write each user's difference to this Parquet file"
    command.add_argument("--users-out", metavar="FILE", help=about)


def written_text(command: Command) -> None:
    command.add_argument("-o", "--output", metavar="FILE", help="write to a file")


def drawn(command: Command) -> None:
    endings = ", ".join(DRAWN)
    command.add_argument("-o", "--output", metavar="FILE", required=True, help=f"write to a file, by its ending {endings}")


def parts(command: Command) -> None:
    command.add_argument("parts", metavar="PART", nargs="+", help="files that partial wrote; paths or globs")


def of_parts(command: Command) -> None:
    """What only merge takes: the options of intervals, and those of comparisons."""
    for name in OF_INTERVALS:
        option_of(command, catalog().options[name])
    group = command.add_argument_group("comparisons, where the parts were made with --baseline")
    for name in ("baseline", *(name for name in options_of_tests() if name not in OF_INTERVALS)):
        option_of(group, catalog().options[name])


def catalogue(command: Command) -> None:
    for name in CATALOGUE:
        about = f"{catalog().options[name].about}; where the parts were made with it"
        command.add_argument(flag(name), dest=f"option_{name}", metavar="TABLE", help=about)


def written_part(command: Command) -> None:
    command.add_argument("-o", "--output", metavar="FILE", required=True, help="the Parquet file to write")


def written_parts(command: Command) -> None:
    about = "write all rows with the column part, and fold if there are several, to one file instead"
    command.add_argument("-o", "--output", metavar="FILE", help=about)
    command.set_defaults(format=None)


def new(command: Command) -> None:
    command.add_argument("kind", metavar="metric", choices=["metric"], help="what to add: metric")
    command.add_argument("name", metavar="NAME", help="the name of the metric")


def subject(command: Command) -> None:
    command.add_argument("subject", metavar="NAME", nargs="?", help="a command, a topic, an option or a metric")


def shell(command: Command) -> None:
    command.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"one of {', '.join(SHELLS)}")
