"""The command `recsql`: the functions for Python on the command line."""

from recsql.cli.command import main

__all__ = ["main"]
