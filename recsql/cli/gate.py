"""`recsql compare --fail-if`: the exit status that tells CI that a model is worse, or not better."""

import argparse
import sys
from collections.abc import Mapping

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.printing import print_error
from recsql.catalog import catalog
from recsql.catalog.headers import Value
from recsql.catalog.options import parse_number
from recsql.cli.flags import option_of
from recsql.cli.parsing import Command
from recsql.cli.results import show
from recsql.show.gate import ALTERNATIVES, options_for, refuse_no_share, verdict

FAILED = 3  # the exit status


def fail_if(command: Command) -> None:
    """The options that the short help shows, and the flag of the gate."""
    group = command.add_argument_group("the comparison")
    for name in command.foremost:
        option_of(group, catalog().options[name])
    about = "exit status 3 if a model is worse, or not better"
    group.add_argument("--fail-if", choices=list(ALTERNATIVES), help=about)
    group.add_argument(
        "--max-missing", metavar="SHARE", type=parse_number, help="the share of lists that --fail-if lets be missing"
    )


def settings_for(given: Mapping[str, Value], gate: str | None, limit: float | str | None = None) -> dict[str, Value]:
    """The settings of `compare`, with the test that the gate needs if there is one.

    Raises RecsqlError if the settings choose the direction of the test themselves, or for a limit of missing lists that is no
    share or has no gate.
    """
    refuse_no_share(limit)
    if gate is None and limit is not None:
        raise RecsqlError("--max-missing: it is a limit of --fail-if; give that as well, or leave this out")
    if gate is None:
        return dict(given)
    if given.get("alternative") is not None:
        raise RecsqlError("--alternative: --fail-if chooses the direction of the test; leave one of them out")
    return {**given, **options_for(gate, parse_number(str(given.get("margin") or 0)))}


def show_judged(result: pa.Table, asked: argparse.Namespace) -> None:
    """Shows a comparison. With --fail-if, the verdict follows on stderr, and the exit status is 3 if it fails."""
    judged = verdict(result, asked.fail_if, asked.max_missing) if asked.fail_if else None
    if judged is not None and judged.fails:
        asked.status = FAILED  # before anything is shown, as the output may be cut
    show(result, asked)
    if judged is not None:
        sys.stdout.flush()  # so that the verdict comes last
        for line in judged.lines:
            print_error(line)
