"""The command `recsql`: the functions of Python on the command line."""

from recsql.cli.command import main

__all__ = ["main"]
