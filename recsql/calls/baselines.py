"""Functions around an evaluation: a baseline, segments of users, and candidates for sampled metrics."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from recsql.base.errors import UnknownName
from recsql.calls.call import Call, Rows, Table
from recsql.calls.open_call import opened, parse_settings
from recsql.calls.refusals import refuse_idle
from recsql.catalog.grammar import DEFAULT_LENGTH, cutoff
from recsql.catalog.headers import TABLE, Given
from recsql.query.binding import Inputs
from recsql.query.metric import Metric

POPULAR = ("popular",)  # the grain of the options of popularity
DRAWS = ("draw",)  # that of candidates
FUSION = ("fusion",)  # that of fuse
NO_OPTIONS = ("user of train",)  # a grain without options


def popularity(
    train: Table,
    k: int | str = DEFAULT_LENGTH,
    users: Table | None = None,
    *,
    seen: str = "drop",
    into: str | None = None,
    **settings: Given,
) -> Rows:
    """Recommends to each user the most popular items: the baseline that any model should beat.

    The popularity of an item is its number of rows in train; ties go to the smaller item id.

    Args:
        train: The interactions that models learn from, with user_id and item_id, in any form that `evaluate` takes.
        k: The length of the lists, 100 by default; "all" keeps every item.
        users: A table with user_id, such as the truth. Its users also get lists, whether or not train has them.
        seen: What happens to the items that a user has in train. "drop": the user gets only items that they lack. "keep": they
            count as any other item. "first": they come first, those that the user has in the most rows before the others (ties
            go to the more popular item), then the popular ones: the baseline where users want the same items again.
        into: As in `per_user`.
        settings: user and item (the names of these columns, here and in the result), model and rank (those of the result),
            connection and input.

    Returns:
        One row per item, in no fixed order: model ("popularity"), user_id, item_id and rank, or your names for them. `evaluate`
        takes it as recs, with the same names.

    Raises:
        RecsqlError: If a column is missing or an id is NULL.

    >>> import pyarrow as pa
    >>> recsql.popularity(pa.table({"user_id": [1, 1, 2], "item_id": [7, 8, 8]}), 1).select(["user_id", "item_id"]).to_pylist()
    [{'user_id': 2, 'item_id': 7}]
    """
    tables = {"past": train} | ({} if users is None else {"users": users})
    ks = (cutoff(k),)
    with open_without_metrics(tables, settings, {"seen": seen}, POPULAR) as call:
        [pipeline] = call.pipelines
        length = replace(pipeline, columns=(Metric("hits", pipeline.options, ks, shown=False),))
        return replace(call, pipelines=[length if users is None else length.under(users=TABLE)]).rows("popularity", into)


def segments(train: Table, truth: Table, *, into: str | None = None, **settings: Given) -> Rows:
    """Groups the users of the truth by how many rows they have in train, and by how popular their items are.

    Takes tables as `popularity` and `evaluate` do, with the same settings, and `relevance`.

    Returns:
        One row per user with relevant items (relevance > 0), in no fixed order: user_id (or your name for it), activity, warm
        and mainstream. `evaluate` takes it as `segments`, with by=["activity", "warm", "mainstream"].

        - activity: the number of the user's rows in train: 0, 1-2, 3-20, 21-100 or 101+.
        - warm: whether all, some or none of the user's relevant items are in train.
        - mainstream: q1, q2 or q3, the tercile of the mean popularity of the user's relevant items. The popularity is the number
          of rows in train; q3 has the users with the most popular items. Equal users are in one tercile.

    Raises:
        RecsqlError: If a column is missing, an id is NULL, or a relevance is not a number.
    """
    with open_without_metrics({"past": train, "truth": truth}, settings) as call:
        return call.rows("segments", into)


def candidates(
    truth: Table,
    items: Table,
    train: Table,
    n: int = 100,
    draw: str = "uniform",
    seed: int = 0,
    *,
    into: str | None = None,
    **settings: Given,
) -> Rows:
    """Draws n items for each user that are in neither their truth nor their train, for `evaluate(candidates=...)`.

    Use it to compare with papers. Metrics of sampled candidates need not order models as the full catalogue does (Krichene and
    Rendle 2020). Takes tables as `popularity` and `evaluate` do, with the same settings, and `relevance`.

    Args:
        items: A table of the items that can be drawn, with item_id.
        n: The number of items, 100 by default.
        draw: "uniform" for equal chances; or "popularity" for chances by the number of rows in train, without replacement.
        seed: Of the draws. They come from md5 hashes of user, draw or item, and seed: the same on every engine.

    Returns:
        One row per user of the truth and candidate, in no fixed order: user_id and item_id, or your names for them. The
        candidates are the rows of the user's truth and the n items drawn. The metadata, also of a Parquet file, has n, draw and
        seed among the options.

    Raises:
        RecsqlError: If a user has fewer than n items to draw from, a column is missing, or an id is NULL or a fraction.
    """
    options = {"n": n, "draw": draw, "seed": seed}
    with open_without_metrics({"past": train, "truth": truth, "items": items}, settings, options, DRAWS) as call:
        return call.rows("candidates", into)


def fuse(recs: Table, method: str = "rrf", k: float = 60, *, into: str | None = None, **settings: Given) -> Rows:
    """Fuses the lists of several models into one list per user, such as those of a lexical and a dense retriever.

    Args:
        recs: The lists of two or more models, in any form that `evaluate` takes: a column model, or a mapping of names to tables.
        method: "rrf", which adds up 1 / (k + rank). The others take the scores, those of each list scaled to 0..1: their sum
            ("comb_sum"), that sum times the number of lists with the item ("comb_mnz") or over it ("comb_anz"), the largest
            ("comb_max"), the smallest ("comb_min") or the median ("comb_med") of them, or their "weighted_sum".
        k: The constant of rrf.
        into: As in `per_user`.
        settings: The column names, connection and input; `weights`, a mapping of models to numbers, for weighted_sum and rrf;
            `order`, as in `evaluate`, or a mapping of models to "desc" or "asc"; and of the options of `evaluate` rank_by, ties
            and duplicates.

    Returns:
        One row per user and item of any of their lists, in no fixed order: user_id, item_id, rank and score (the fused one), or
        your names for them. Equal scores are ranked by item id. `evaluate` takes it as recs, or in a mapping beside the models.

    Raises:
        RecsqlError: As `evaluate` does, if there is only one model, or if an item is in a list more than once and `duplicates`
            does not say how it counts.
    """
    order = {} if str(method).lower() == "rrf" else {"rank_by": settings.get("rank_by") or "score"}
    with opened({"recs": recs}, FUSION, {**settings, **order, "method": method, "k": k}) as call:
        refuse_idle(call, "fuse", settings)
        return call.rows("fuse", into)


@contextmanager
def open_without_metrics(
    tables: Mapping[str, Table],
    settings: Mapping[str, Given],
    options: Mapping[str, Given] | None = None,
    grains: Sequence[str] = NO_OPTIONS,
) -> Iterator[Call]:
    """Opens a call without metrics, with the names of columns, connection and input of `settings`."""
    for name in parse_settings(settings)[1]:
        raise UnknownName(f"unknown option {name!r}; there are only the names of columns, connection, input and into here")
    with opened(tables, grains, {**settings, **(options or {})}) as call:
        yield replace(call, inputs=Inputs(call.inputs.tables, dialect=call.engine.dialect, called=call.inputs.called))
