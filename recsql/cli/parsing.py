"""A parser with a short and a long help, and one-line errors that suggest the nearest name."""

import argparse
import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NoReturn

from recsql.base.errors import nearest
from recsql.base.text import shown
from recsql.base.wording import flag
from recsql.catalog import catalog
from recsql.catalog.headers import Topic
from recsql.catalog.options import parse_number
from recsql.cli.flags import LESSER, Flag, by_topic
from recsql.cli.topics import row, section, titles, topic_text

NUMBER = re.compile(r"-\d*\.?\d+")  # what argparse reads as a value


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
        apart = [one.names for one in flags]  # an option can have its place among the command's own flags
        for one in (*(option for option in by_topic(topics) if option.names not in apart), *flags):
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
        """Refuses unknown options first, because errors that follow from them would hide the cause."""
        self.refuse_unknown(args)
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
                return  # the rest is for no parser, or for that of a command
            if not argument.startswith("-") or argument == "-" or " " in argument or NUMBER.fullmatch(argument):
                continue
            if name not in known and (name.startswith("--") or name[:2] not in known):
                options = [option for topic in self.topics for option in topic.options.values()]
                renamed = [flag(one.called) for one in options if one.was and flag(one.was) == name]
                hint = nearest(name, [one for one in known if one.startswith("--")])
                self.error(f"unknown option {name}; {f'it is called {renamed[0]} now; ' if renamed else hint}")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """The check of argparse, with the nearest choice in its error."""
        if action.choices is not None and value not in action.choices:
            if isinstance(action, argparse._SubParsersAction):
                raise argparse.ArgumentError(None, f"unknown command {value}; {nearest(str(value), action.choices)}")
            known = f"{nearest(str(value), map(str, action.choices))}choose one of {', '.join(map(str, action.choices))}"
            raise argparse.ArgumentError(action, f"unknown value {value}; {known}")

    def error(self, message: str) -> NoReturn:
        """One line, and exit status 2."""
        said = shown(message.removeprefix("argument ")).rstrip("; ")
        self.exit(2, f"{self.prog}: {said}{'' if said.endswith('?') else ';'} see `{self.prog} --help`\n")


class HelpAll(argparse.Action):
    """Shows the long help."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        assert isinstance(parser, Parser)
        parser._print_message(parser.format_help_all(), sys.stdout)
        parser.exit()


class TopParser(Parser):
    """The parser of all commands, whose help lists them by use, and all topics."""

    def __init__(self, uses: Mapping[str, Iterable[str]], **settings: Any) -> None:
        super().__init__(**settings)
        self.uses = uses
        self.commands = self.add_subparsers(title="commands", required=True, metavar="COMMAND", parser_class=Parser)

    def format_help(self) -> str:
        rows = {name: row(name, str(command.description)) for name, command in self.commands.choices.items()}
        listed = [section(use, [rows[name] for name in names], "") for use, names in self.uses.items()]
        return "\n".join([self.sections(["commands"]), "".join(listed), titles([*catalog().topics.values()])])
