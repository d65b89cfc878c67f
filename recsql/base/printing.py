"""The only module that prints."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from recsql.base.text import escape_controls

COMMAND = re.compile(r"^(\s*):(?=:)", re.MULTILINE)  # what a runner of CI takes as a command to itself


class Status:
    """A line on the terminal. The next one, or any other output, replaces it."""

    def __init__(self) -> None:
        self.text = ""
        self.section, self.query = "", ""  # of a call of many queries: what is computed, and which query of how many runs
        self.lock = Lock()  # a thread shows progress while another prints

    def show(self, text: str) -> None:
        with self.lock:
            if text != self.text:
                print(f"\r{text.ljust(len(self.text))}{'' if text else chr(13)}", end="", file=sys.stderr, flush=True)
                self.text = text

    @contextmanager
    def computing(self, section: str) -> Iterator[None]:
        """Names what is computed within."""
        before, self.section, self.query = self.section, section, ""
        try:
            yield
        finally:
            self.section, self.query = before, ""


STATUS = Status()


def print_text(text: str, *, commands: bool = False) -> None:
    """Prints a text; unless it has `commands` to a runner of CI, no line of it is one."""
    STATUS.show("")
    print(text if commands else COMMAND.sub(r"\1\\x3a", text))


def print_error(text: str) -> None:
    """Prints a sentence to stderr; control characters are escaped."""
    STATUS.show("")
    print(COMMAND.sub(r"\1\\x3a", escape_controls(text)), file=sys.stderr)
