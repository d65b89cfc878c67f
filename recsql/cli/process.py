"""The process of the command: its streams, signals and warnings."""

import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from recsql.base.errors import RecsqlError
from recsql.base.printing import print_error
from recsql.cli.spelling import on_command_line


def say(sentence: object, before: str = "") -> None:
    """Prints a sentence as one line on stderr, in the words of the command line."""
    print_error(f"{before}{on_command_line(str(sentence))}")


def show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Prints a warning as one line on stderr."""
    say(message, "recsql: warning: ")


def prepare_streams() -> None:
    """Escapes characters that the terminal's encoding lacks, and replaces closed streams, so that no result is lost silently."""
    for name, closed in (("stdout", Closed), ("stderr", io.StringIO)):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, closed())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class WithoutPandas:
    """Finds no pandas for this process.

    The command reads no data frames. PyArrow would import pandas to ask whether a list is one, which takes 0.2 seconds.
    """

    @staticmethod
    def find_spec(name: str, *_: Any) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("the command recsql does without pandas", name=name)


class Closed(io.StringIO):
    """Stands in for a closed standard output; writing to it raises RecsqlError."""

    def write(self, _: str) -> int:
        raise RecsqlError("standard output is closed; open it, or name a file with -o")


@contextmanager
def output_may_be_cut() -> Iterator[None]:
    """Lets the reader of the output, such as `head`, stop reading."""
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def as_ctrl_c() -> Iterator[list[int]]:
    """Lets the signals that end the process act as Ctrl-C, which leaves no partial file; yields the signals received."""
    came: list[int] = []

    def stop(number: int, _: object) -> None:
        came.append(number)
        raise KeyboardInterrupt

    ending = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {one: signal.signal(one, stop) for one in ending if signal.getsignal(one) == signal.SIG_DFL}  # nohup ignores SIGHUP
    try:
        yield came
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
