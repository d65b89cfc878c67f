"""The only module that prints."""

import sys
from threading import Lock

from recsql.base.text import escape_controls, no_command


class Status:
    """A line on the terminal. The next one, or any other output, replaces it."""

    def __init__(self) -> None:
        self.text = ""
        self.lock = Lock()  # a thread shows progress while another prints

    def show(self, text: str) -> None:
        with self.lock:
            if text != self.text:
                print(f"\r{text.ljust(len(self.text))}{'' if text else chr(13)}", end="", file=sys.stderr, flush=True)
                self.text = text


STATUS = Status()


def print_text(text: str, *, commands: bool = False) -> None:
    """Prints a text; unless it has `commands` to a runner of CI, no line of it is one."""
    STATUS.show("")
    print(text if commands else no_command(text))


def print_error(text: str) -> None:
    """Prints a sentence to stderr; control characters are escaped."""
    STATUS.show("")
    print(no_command(escape_controls(text)), file=sys.stderr)
