"""Turns sentences of errors, warnings and results into the words of the command line."""

import re
from shlex import quote

from recsql.base.printing import print_error
from recsql.base.wording import ARGUMENT, flag
from recsql.catalog import catalog

OWN = ("k", "input", "dialect", "stop_after", "fail_if", "max_missing", "rows", "sort", "user_id")  # arguments of single commands
BEGINNING = re.compile(r"(^|; )([a-z_]+): ")


def on_command_line(sentence: str) -> str:
    """Replaces arguments in a sentence by flags: `ties='item'` by `--ties item`, and also an argument at its beginning."""

    def flagged(found: re.Match[str]) -> str:
        if not found["name"]:
            return found[0]
        value = quote(found["text"]) if found["text"] else (found["value"] or "").lower()
        return f"{flag(found['name'])} {'NAME' if value == '...' else value}".rstrip()

    def begun(found: re.Match[str]) -> str:
        named = {*catalog().arguments, *OWN} - {"p"}  # "p: " begins the line about p-values
        return f"{found[1]}{flag(found[2])}: " if found[2] in named else found[0]

    return BEGINNING.sub(begun, ARGUMENT.sub(flagged, sentence))


def say(sentence: object, before: str = "") -> None:
    """Prints a sentence as one line on stderr, in the words of the command line."""
    print_error(f"{before}{on_command_line(str(sentence))}")


def show_warning(message: Warning | str, *_: object, said: set[str], **__: object) -> None:
    """Prints a warning as one line on stderr, unless it is among those `said` before, to which it is added."""
    if str(message) not in said:
        said.add(str(message))
        say(message, "recsql: warning: ")
