"""How alike the lists of models are, without truth."""

from dataclasses import replace

from recsql.base.errors import RecsqlError
from recsql.calls.call import Rows, Table
from recsql.calls.compare import refuse_one_model
from recsql.calls.open_call import opened
from recsql.calls.refusals import refuse_idle
from recsql.calls.warnings import find_warnings
from recsql.catalog.grammar import DEFAULT_CUTOFF, cutoff
from recsql.catalog.headers import Given
from recsql.query.over_result import over_result

OVERLAP = ("overlap",)  # the grain of its options


def overlap(
    recs: Table,
    k: int | str = DEFAULT_CUTOFF,
    *,
    baseline: str | None = None,
    per_user: bool = False,
    into: str | None = None,
    **settings: Given,
) -> Rows:
    """Says how alike the lists of models are, pair by pair: the items in common, and rank-biased overlap. It needs no truth.

    Both values are between 0 and 1. Neither end is better: a low one says that two models differ, not which one is right.

    Args:
        recs: The lists of two or more models, in any form that `evaluate` takes: a column model, or a mapping of names to tables.
            The ranks of a list are 1, 2, ... without gaps.
        k: The cut-off of the lists, 10 by default; "all" for whole lists.
        baseline: As in `compare`.
        per_user: Whether the rows are the values of each user.
        into: As in `per_user`, for the rows of users.
        settings: The column names, connection, input, the options of the topic agreement in docs/options.md, and of those of
            `evaluate` rank_by, ties, order and duplicates.

    Returns:
        One row per pair of models: model, baseline, k (NULL for whole lists), users, the number with a list of both models,
        unpaired, the number with a list of only one, and the means over `users` of

        - overlap: the number of items that both lists have, divided by `denominator`;
        - rbo: rank-biased overlap (Webber, Moffat and Zobel 2010): the mean of the overlaps at depth 1, 2, 3, ..., where depth d
          has the weight (1 - p) * p^(d - 1), so that the first ranks count most. `kind` says what is below the lists' ends.

        With per_user, one row per pair of models and user: model, baseline, user_id, k, overlap and rbo (NULL unless the user has
        both lists), list_length and baseline_list_length. With `into`, None.

    Raises:
        RecsqlError: If there is only one model, an item is in a list more than once, or the ranks of a list repeat or have gaps.

    >>> lists = {"new": {"u1": {"a": 0.9, "b": 0.8}}, "old": {"u1": {"b": 0.9, "c": 0.8}}}
    >>> recsql.overlap(lists, 2).select(["overlap", "users"]).to_pylist()
    [{'overlap': 0.5, 'users': 1}]
    """
    if into is not None and not per_user:
        raise RecsqlError("into: it is for the rows of users; add per_user=True, or leave into= out")
    with opened({"recs": recs}, OVERLAP, {**settings, "baseline": baseline}) as found:
        refuse_one_model(found)
        call = replace(found, pipelines=[one.with_lengths(cutoff(k)) for one in found.pipelines])
        target = "user_overlaps" if per_user else "overlap"
        refuse_idle(call, target, settings)
        if per_user:
            return call.rows(target, into)
        rows = call.engine.query(call.text(target))
        told = over_result("overlapping", rows, **call.pipelines[0].options)["line"].to_pylist()
        return call.described(rows, find_warnings(call.engine, call.bindings()), told=told)
