"""The rows of the steps of a query: those of one step, or a walk through all steps for one user."""

import argparse
from collections.abc import Iterator

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.calls.explain import of_user, plain, sizes_of
from recsql.calls.open_call import opened
from recsql.cli.asked import cutoffs, metric_names, settings
from recsql.query.plan import LISTS_AND_ITEMS, USERS
from recsql.query.steps import columns_of, row_of, stopped
from recsql.show.output import SHOWN, aligned


def rows_after(target: str, asked: argparse.Namespace) -> pa.Table:
    """The rows of the step after which `evaluate` or `per_user` should stop; of one user, if asked for."""
    grains = LISTS_AND_ITEMS if target == "evaluate" else USERS
    given = {"recs": asked.recs, "truth": asked.truth}
    with opened(given, grains, settings(asked), metric_names(asked), cutoffs(asked)) as call:
        text = plain(call, target)
        stopped(text, asked.stop_after)  # refuses an unknown step first
        condition = of_user(call, text, asked.stop_after, asked.user_id)
        if asked.user_id is not None and not condition:
            there = ", ".join(columns_of(asked.stop_after, text.steps))
            raise RecsqlError(f"--user-id: the rows of {asked.stop_after} have no user; they have {there}; leave --user-id out")
        return call.described(call.engine.query(stopped(text, asked.stop_after, condition)))


def walk(asked: argparse.Namespace, width: int | None) -> Iterator[str]:
    """Each step whose rows have a user as text: its name, what one row is, and its first rows of this user.

    The steps have their plain forms, in which each user has rows of their own.
    """
    given = {"recs": asked.recs, "truth": asked.truth}
    with opened(given, LISTS_AND_ITEMS, settings(asked), metric_names(asked), cutoffs(asked)) as call:
        statement = plain(call)
        each = ((step, of_user(call, statement, step, asked.user_id)) for step in statement.steps)
        conditions = {step: condition for step, condition in each if condition}
        sizes = sizes_of(call, statement, conditions)
        if not any(sizes[step] for step in conditions):
            raise RecsqlError(f"--user-id: neither recs nor truth has a user {asked.user_id!r}; give an id that is there")
        for step, condition in conditions.items():
            rows = call.engine.query(stopped(statement, step, condition, SHOWN))
            shown = aligned(rows, width, sizes[step], f"recsql evaluate --stop-after {step} has all")
            yield f"{step}: {row_of(step)}\n{shown if sizes[step] else '(no rows)'}"
