"""A row of the table of commands."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recsql.cli.flags import Flags


@dataclass(frozen=True)
class Command:
    """A row: the command's sentence in the help, its run, flags and examples, and the grains of its options."""

    about: str
    run: Callable[[argparse.Namespace], None]
    flags: Flags
    examples: Sequence[str]
    grains: Sequence[str] = ()
