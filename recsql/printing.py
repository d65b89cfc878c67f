"""The only module that prints."""

import sys

from recsql.text import shown


def print_text(text: str) -> None:
    print(text)


def print_error(text: str) -> None:
    """A sentence for the terminal, beside the results; control characters are escaped."""
    print(shown(text), file=sys.stderr)
