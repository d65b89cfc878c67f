"""The rows of one step of a query, or of all steps for one user."""

from collections.abc import Iterator

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.calls.call import Metrics, Table
from recsql.calls.explain import of_user, plain, sizes_of
from recsql.calls.open_call import opened
from recsql.catalog.grammar import Cutoffs
from recsql.catalog.headers import Given
from recsql.query.plan import LISTS_AND_ITEMS, USERS
from recsql.query.steps import columns_of, query_of_step, row_of
from recsql.show.output import SHOWN, aligned


def rows_after(
    target: str,
    step: str,
    user_id: str | None,
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    **settings: Given,
) -> pa.Table:
    """The rows of the step after which `evaluate` or `per_user` stops; those of one user, if `user_id` is given."""
    grains = LISTS_AND_ITEMS if target == "evaluate" else USERS
    with opened({"recs": recs, "truth": truth}, grains, settings, metrics, k) as call:
        text = plain(call, target)
        query_of_step(text, step)  # refuses an unknown step first
        condition = of_user(call, text, step, user_id)
        if user_id is not None and not condition:
            there = ", ".join(columns_of(step, text.steps))
            raise RecsqlError(f"--user-id: the rows of {step} have no user; they have {there}; leave --user-id out")
        return call.described(call.engine.query(query_of_step(text, step, condition)))


def walk(
    user_id: str, width: int | None, recs: Table, truth: Table, metrics: Metrics = None, k: Cutoffs = None, **settings: Given
) -> Iterator[str]:
    """Each step with rows of one user, as text: its name, what one row is, and the first rows of the user.

    The steps have their plain forms, in which each user has rows of their own.
    """
    with opened({"recs": recs, "truth": truth}, LISTS_AND_ITEMS, settings, metrics, k) as call:
        statement = plain(call)
        each = ((step, of_user(call, statement, step, user_id)) for step in statement.steps)
        conditions = {step: condition for step, condition in each if condition}
        sizes = sizes_of(call, statement, conditions)
        if not any(sizes[step] for step in conditions):
            raise RecsqlError(f"--user-id: neither recs nor truth has a user {user_id!r}; give the id of a user with a list")
        for step, condition in conditions.items():
            rows = call.engine.query(query_of_step(statement, step, condition, SHOWN))
            shown = aligned(rows, width, sizes[step], f"recsql evaluate --stop-after {step} has all")
            yield f"{step}: {row_of(step)}\n{shown if sizes[step] else '(no rows)'}"
