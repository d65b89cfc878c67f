"""One run of the command: from the arguments to the exit status."""

import argparse
import atexit
import gc
import os
import signal
import sys
import warnings
from collections.abc import Sequence

from recsql.base.errors import RecsqlError
from recsql.base.paths import refuse_to_replace, target_of
from recsql.base.wording import as_command
from recsql.cli.arguments import parse
from recsql.cli.process import WithoutPandas, as_ctrl_c, prepare_streams, say, show_warning, watching
from recsql.cli.results import kind_of

BAD_INPUT = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status.

    The status is 0, 1 for bad input, 2 (from argparse) for wrong usage, or what the command sets: 3 for a gate that fails.
    After a signal the status is 128 plus the signal's number: 130 after Ctrl-C.
    """
    prepare_streams()
    if arguments is None:
        sys.meta_path.insert(0, WithoutPandas())
        atexit.register(gc.freeze)  # at the end, Python would look for cycles among all objects, for 20 ms
    with as_ctrl_c() as signals, as_command(), watching() as watch, warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show_warning
        try:
            asked = parse(arguments)
            guard(asked)
            asked.watch, asked.status = watch, 0
            asked.run(asked)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader of the output, such as `head`, has stopped reading
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (RecsqlError, OSError) as error:
            say(error, "recsql: ")
            return BAD_INPUT
        except KeyboardInterrupt:
            return 128 + next(iter(signals), signal.SIGINT)
    return int(asked.status)


def guard(asked: argparse.Namespace) -> None:
    """Raises RecsqlError if the output can't be written, or would replace an input."""
    path = vars(asked).get("output")
    if path == "":
        raise RecsqlError("--output: the path is empty; name a file")
    if "format" in asked:
        kind_of(asked)
    if path is not None:
        target_of(path)
        given = [value.values() if isinstance(value, dict) else value for value in asked.settings.values()]
        lists = [[value] if isinstance(value, str | bool) else value for value in given]
        refuse_to_replace([one for values in lists for one in values if isinstance(one, str)], path)
