"""Parses the command line: a parser of all commands, with a short and a long help."""

import argparse
import os
import re
import sys
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Any, NoReturn

import duckdb

import recsql
from recsql.base.errors import RecsqlError, nearest
from recsql.base.package import release
from recsql.base.paths import matches
from recsql.base.text import SURROGATE, escape_controls
from recsql.base.wording import flag
from recsql.catalog import catalog
from recsql.catalog.headers import Topic
from recsql.catalog.options import parse_number
from recsql.cli.flags import LESSER, Argument, Flag, by_topic
from recsql.cli.table import COMMANDS, ITSELF, TABLE
from recsql.display.topics import row, section, titles, topic_names, topic_text, topics_of
from recsql.tables.datasets import find_datasets

EXAMPLE = "recsql evaluate recs.parquet truth.parquet"
NUMBER = re.compile(r"-\d*\.?\d+")  # argparse reads such an argument as a value


class Parser(argparse.ArgumentParser):
    """The parser of one command. Its short help leaves out the options by topic and the lesser groups."""

    def __init__(
        self, *, examples: Sequence[str] = (), topics: Sequence[Topic] = (), flags: Sequence[Flag] = (), **settings: Any
    ) -> None:
        super().__init__(allow_abbrev=False, add_help=False, **settings)
        self.examples, self.topics = examples, topics
        self.flags: dict[str, Flag] = {}  # by the name of the value
        self.add_argument("-h", "--help", action="help", help="show this help")
        if topics:
            self.add_argument("--help-all", action=HelpAll, nargs=0, help="show this help and all other options")
        groups = {"": self, **{topic.name: self.add_argument_group(topic.name) for topic in topics}}
        apart = {name for one in flags for name in one.names}  # options that are among the command's own flags
        for one in (*(option for option in by_topic(topics) if apart.isdisjoint(option.names)), *flags):
            if one.group not in groups:
                groups[one.group] = self.add_argument_group(one.group)
            self.flags[groups[one.group].add_argument(*one.names, **one.settings).dest] = one

    def format_help(self) -> str:
        hidden = [*LESSER, *(topic.name for topic in self.topics)] if self.topics else []
        return "\n".join(filter(None, [self.sections(hidden), titles(self.topics)]))

    def format_help_all(self) -> str:
        names = {name for topic in self.topics for name in topic.options}
        texts = [topic_text(topic, names) for topic in self.topics]
        return "\n".join([self.sections([topic.name for topic in self.topics]), *texts])

    def sections(self, hidden: Collection[str]) -> str:
        """The usage, the examples, and the groups of flags except the hidden ones."""
        head, body = self._get_formatter(), self._get_formatter()
        head.add_usage(self.line(), (), ())
        head.add_text(self.description)
        for group in self._action_groups:
            if group.title not in hidden:
                body.start_section(group.title)
                body.add_arguments(group._group_actions)
                body.end_section()
        return "\n".join(filter(None, [head.format_help(), section("examples", self.examples), body.format_help()]))

    def line(self) -> str:
        """The usage line: the command's name, its required arguments, and a mark for options."""
        needed = [action for action in self._actions if action.required]
        last = [f"{action.metavar}{' ...' if action.nargs == '+' else ''}" for action in needed if not action.option_strings]
        flags = [f"{action.option_strings[0]} {action.metavar}" for action in needed if action.option_strings]
        return " ".join(["%(prog)s", *last, *flags, "[options]"])

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuses unknown options first, because they can cause other errors that would hide them."""
        self.refuse_unknown(args)
        if any(argument.partition("=")[0] == "--datasets" for argument in args):  # in place of tables
            for action in self._get_positional_actions():
                action.required = False
        alone = {name: one.alone for one in self.flags.values() for name in one.names if one.alone is not None}
        for place, (argument, following) in enumerate(pairwise([*args, ""])):
            if argument in alone and isinstance(parse_number(following), str):
                args = [*args[:place], f"{argument}={alone[argument]}", *args[place + 1 :]]
        return super().parse_known_args(args, namespace)

    def refuse_unknown(self, arguments: Sequence[str]) -> None:
        """Raises SystemExit for the first argument that looks like an option but is not one."""
        known = [*self._option_string_actions]
        for argument in arguments:
            name = argument.partition("=")[0]
            if argument == "--" or (self._subparsers is not None and not argument.startswith("-")):
                return  # what follows are positional arguments, or belongs to the parser of a command
            if not argument.startswith("-") or argument == "-" or " " in argument or NUMBER.fullmatch(argument):
                continue
            if name not in known and (name.startswith("--") or name[:2] not in known):
                of_pairs = name in map(flag, catalog().options_of(["pair"]))
                hint = "recsql compare has it" if of_pairs else nearest(name, [one for one in known if one.startswith("--")])
                self.error(f"unknown option {name}; {hint}")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Checks the value as argparse does, and adds the nearest choice to the error."""
        if action.choices is not None and value not in action.choices:
            if isinstance(action, argparse._SubParsersAction):
                raise argparse.ArgumentError(None, f"unknown command {value}; {nearest(str(value), action.choices)}")
            known = f"{nearest(str(value), map(str, action.choices))}choose one of {', '.join(map(str, action.choices))}"
            raise argparse.ArgumentError(action, f"unknown value {value}; {known}")

    def error(self, message: str) -> NoReturn:
        """Ends with one line and exit status 2."""
        said = escape_controls(message.removeprefix("argument ")).rstrip("; ")
        self.exit(2, f"{self.prog}: {said}{'' if said.endswith('?') else ';'} see `{self.prog} --help`\n")


class HelpAll(argparse.Action):
    """Shows the long help."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        assert isinstance(parser, Parser)
        parser._print_message(parser.format_help_all(), sys.stdout)
        parser.exit()


class TopParser(Parser):
    """The parser of all commands. Its help lists the commands by use, and names the topics, so that it fits a screen."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = self.add_subparsers(title="commands", required=True, metavar="COMMAND", parser_class=Parser)

    def format_help(self) -> str:
        about = {name: str(command.description) for name, command in self.commands.choices.items()}
        uses = {use: [row(name, about[name]) for name in names] for use, names in TABLE.items()}
        uses[ITSELF] += [row(", ".join(one.option_strings), sentence(one.help)) for one in self._actions if one.option_strings]
        listed = [section(use, rows, "") for use, rows in uses.items()]
        head = self.sections(["commands", "options"]).replace("\n\n", "\n")  # so that all commands fit a screen
        return "".join([head, f"example: {EXAMPLE}\n", *listed, topic_names()])


# -- the command line


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parses the command line; `settings` has the arguments of the command's function. Wrong usage ends the process."""
    words = (sys.argv[1:] if arguments is None else arguments) or ["help"]
    for word in filter(SURROGATE.search, words):
        raise RecsqlError(f"{word}: it is not in UTF-8, as DuckDB needs it; rename the file, or write it in UTF-8")
    asked: argparse.Namespace
    asked, unexpected = parser([one for one in words if one in COMMANDS][:1]).parse_known_args(words)
    given = {name: getattr(asked, name) for name, flag in asked.command.flags.items() if isinstance(flag, Argument)}
    asked.settings = {name: value for name, value in given.items() if value is not None}
    several = next((name for name in ("recs", "predictions") if name in asked.settings), None)
    if several is None and unexpected:
        asked.command.error(f"unexpected argument {' '.join(unexpected)}")
    if several is not None:  # argparse takes tables behind flags as unexpected; the last of all is the truth
        tables = [*asked.settings[several], *([asked.truth] if "truth" in asked.settings else []), *unexpected]
        if "truth" in asked.settings:
            asked.settings["truth"] = tables.pop()
        asked.settings[several] = by_model(tables) if tables else None
    if (folder := asked.settings.pop("datasets", None)) is not None:
        if any(asked.settings.get(role) for role in ("recs", "truth")):
            asked.command.error("--datasets: its sub-folders have RECS and TRUTH; leave these out")
        named = {name for name, option in catalog().options.items() if option.is_table(asked.settings.get(name))}
        asked.settings |= find_datasets(folder, {name: asked.settings[name] for name in named})
    return asked


def parser(filled: Iterable[str] = COMMANDS) -> TopParser:
    """The parser of all commands. Only those in `filled` have flags, because making these takes time."""
    top = TopParser(prog="recsql", description=recsql.__doc__)
    version_text = f"recsql {release()}, duckdb {duckdb.__version__}"
    top.add_argument("-V", "--version", action="version", version=version_text, help="show the versions of recsql and DuckDB")
    for name, command in COMMANDS.items():
        lazy, topics = (command.flags, topics_of(command.grains)) if name in filled else ((), ())
        flags = [flag for one in lazy for flag in ([one] if isinstance(one, Flag) else one())]
        about, examples = sentence(command.about), command.examples
        made = top.commands.add_parser(name, help=command.about, description=about, examples=examples, topics=topics, flags=flags)
        made.set_defaults(run=command.run, command=made, parser=parser)
    return top


def sentence(about: str | None) -> str:
    return f"{str(about)[0].upper()}{str(about)[1:]}."


def by_model(tables: Sequence[str]) -> str | list[str] | dict[str, str]:
    """The tables by model if the arguments name models, as in pop=pop.parquet; else one path, or several."""
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
    """Splits NAME=TABLE into the model and its table; None if the whole argument is the path of a file or a glob."""
    name, equals, table = argument.partition("=")
    if not equals or os.path.exists(argument) or matches(argument):
        return None
    if name.isidentifier():
        return name, table
    if "/" not in name and (not name or os.path.exists(table)):
        raise RecsqlError(f"{argument}: {name!r} is not a model name; use letters, digits and _, with no digit first")
    return None
