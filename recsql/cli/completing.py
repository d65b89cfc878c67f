"""The scripts with which shells complete the command."""

import argparse
from types import ModuleType

from recsql.base.errors import RecsqlError
from recsql.base.package import to_install
from recsql.catalog import catalog
from recsql.catalog.grammar import ALL

FOLDER = "FOLDER"
FILES = ("FILE", "TABLE", FOLDER)  # the metavars of options that take a path


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script for a shell to complete commands, options, their values and files."""
    try:
        import shtab
    except ImportError:
        raise RecsqlError(f"completion: shtab is not installed; {to_install('completion')}") from None
    complete_values(parser, shtab)
    return str(shtab.complete(parser, shell=shell))


def complete_values(parser: argparse.ArgumentParser, library: ModuleType) -> None:
    """Tells the library the values of each argument of a parser and its commands."""
    own = {"metrics": [*catalog().metrics, ALL], "stop_after": [*catalog().steps]}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                complete_values(command, library)
        elif action.choices is None and action.nargs != 0:
            option = catalog().options.get(action.dest)
            action.choices = own.get(action.dest) or (option.choices if option else None) or None
            if action.choices is None and (action.metavar in FILES or not action.option_strings):
                vars(action)["complete"] = library.DIRECTORY if action.metavar == FOLDER else library.FILE
