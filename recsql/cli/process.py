"""What the command does with its process: its streams, its signals, its warnings."""

import io
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from recsql.errors import RecsqlError
from recsql.printing import print_error


def show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning as one line beside the results."""
    print_error(f"recsql: warning: {message}")


def prepare_streams() -> None:
    """What the terminal's encoding lacks is printed as an escape; to a closed stream nothing is, and a result is not lost so."""
    for name, closed in (("stdout", Closed), ("stderr", io.StringIO)):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, closed())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class Closed(io.StringIO):
    """Standard output where there is none."""

    def write(self, _: str) -> int:
        raise RecsqlError("standard output is closed; open it, or name a file with -o")


@contextmanager
def as_ctrl_c() -> Iterator[list[int]]:
    """While a signal that ends the process does what Ctrl-C does, which leaves no file half written; gives those that came."""
    came: list[int] = []

    def stop(number: int, _: object) -> None:
        came.append(number)
        raise KeyboardInterrupt

    ending = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {one: signal.signal(one, stop) for one in ending if signal.getsignal(one) == signal.SIG_DFL}  # nohup ignores one
    try:
        yield came
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
