"""`recsql compare --fail-if`: the exit status that tells CI that a model is worse, or not better."""

import argparse
import sys

import pyarrow as pa

from recsql.cli.results import show
from recsql.printing import print_error
from recsql.verdicts import verdict

FAILED = 3  # the exit status


def show_judged(result: pa.Table, asked: argparse.Namespace) -> None:
    """Shows a comparison. With --fail-if, the verdict follows on stderr, and the exit status is 3 if it fails."""
    judged = verdict(result, asked.fail_if) if asked.fail_if else None
    if judged is not None and judged.fails:
        asked.status = FAILED  # before anything is shown, as the output may be cut
    show(result, asked)
    if judged is not None:
        sys.stdout.flush()  # so that the verdict comes last
        for line in judged.lines:
            print_error(line)
