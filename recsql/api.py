"""The functions for Python: check what was asked, render, run, give Arrow back."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from recsql.call import Connection, Metrics, Table, averaged, calling, of_users, splitting
from recsql.catalog import DEFAULT_CUTOFF, DEFAULT_LENGTH, Value, catalog
from recsql.errors import RecsqlError
from recsql.labels import options_of
from recsql.output import whole
from recsql.plan import Cutoffs
from recsql.templates import spelt

LISTS = ("user",)  # the metrics of each user's list
LISTS_AND_ITEMS = ("user", "item")  # and those of all lists together
ITEMS = ("item",)
RATINGS = ("rating",)


def evaluate(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    user: str = "user_id",
    item: str = "item_id",
    rank: str = "rank",
    score: str | None = None,
    model: str = "model",
    relevance: str = "relevance",
    truth_rank: str = "rank",
    connection: Connection = None,
    **options: Value,
) -> pa.Table:
    """The metrics averaged over users, and those of all lists together.

    Args:
        recs: what was recommended: a path, folder, glob or list of paths (Parquet, CSV, TSV, JSON or TREC's runs), a table of a
            DuckDB file ("file.duckdb:table") or of `connection` by its name, a DuckDB relation, a Spark data frame where that is
            a SparkSession, an Arrow table, reader or dataset, a data frame; or a mapping of models' names to such tables. Columns
            user_id, item_id, rank (from 1) or score, and optionally model; or a LIST column `items` a user, in order.
        truth: what turned out to be relevant, likewise (of TREC's files the judgements): user_id, item_id, perhaps relevance.
        metrics: names such as "ndcg@10", "ap(denominator=relevant)@100", "entropy@10" or "ndcg" (at every k); by default all
            metrics of the users' lists, and those of all lists together if items or train is given.
        k: the cut-offs of the metrics named without one.
        user, item, rank, score, model, relevance: the columns' names in both tables; `score` ranks by that column.
        truth_rank: the column of truth that has the place of an item in an ordered truth.
        connection: a DuckDB connection or a SparkSession (4.0 or newer, classic or Connect) to run in; by default a DuckDB
            connection of its own. One of DuckDB's serves one call at a time, and loses rows of its execute() that are not
            fetched yet (2.0 refuses to); connection.cursor() is another one to the same database, without its temporary tables,
            what is registered with it and its open transaction.
        options: any option of the README's table, such as gain="exp2", no_recs="skip", items="items.parquet" or
            protocol="leave_one_out"; category, the name of that column of items; and input, "parquet", "csv", "json" or "trec",
            for files whose ending doesn't say what they are. model="filename" makes each file a model that is called as it is.

    Returns:
        One row per model, metric and cut-off: model, metric, k, value, and users: over how many the mean is, NULL where the
        value is none but one for all lists together. The schema's metadata has under "recsql" a JSON object: options, versions,
        and for each model how many users are in the mean, how many have truth, how many of these have no list, and how many lists
        have no truth. If `users` is a table, all of them are counts of its users.

    Raises:
        RecsqlError: for input that can't be measured and for names that don't exist, in one sentence.

    Warns:
        UserWarning: where recs has no rows, and where no user or no item of a model's lists is in truth, with an id of each; the
            metadata has it under "warnings".
    """
    names = {
        "user": user,
        "item": item,
        "rank": rank,
        "score": score,
        "model": model,
        "relevance": relevance,
        "truth_rank": truth_rank,
    }
    given = {"recs": recs, "truth": truth}
    with calling(LISTS_AND_ITEMS, given, metrics, k, names | {"connection": connection} | options) as call:
        return averaged(call)


def per_user(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    into: str | None = None,
    **settings: Value,
) -> Any:  # a table, or None
    """The metrics of each user: model, user_id, k, then a column per metric (ndcg, ap(denominator=relevant)).

    Takes what `evaluate` takes and raises what it raises. The order of the rows is not fixed. The schema's metadata is that of
    `evaluate`, without the counts. With `into` the rows stay where they were computed: in a new table of that name in
    `connection`, or as Parquet at that path (what has a slash or ends in .parquet), and None is returned.
    """
    with calling(LISTS, {"recs": recs, "truth": truth}, metrics, k, settings) as call:
        return of_users(call) if into is None else call.rows("per_user", into)


def hits(
    recs: Table, truth: Table, k: int | str = DEFAULT_CUTOFF, *, into: str | None = None, **settings: Value
) -> Any:  # a table, or None
    """Every recommended row down to rank k, with what its list has come to so far.

    Takes the columns' names, connection and options of `evaluate`, and `into` as `per_user` does. Returns model, user_id,
    item_id, rank, relevance (NULL where the truth lacks the item), gain, hit, the hits and the precision so far, the rank's
    discount and the dcg so far.
    """
    with calling(LISTS, {"recs": recs, "truth": truth}, "hits", (k,), settings) as call:
        return call.rows("hits", into)


def ideal(truth: Table, k: int | str = DEFAULT_CUTOFF, *, into: str | None = None, **settings: Value) -> Any:  # a table, or None
    """The best list there could be for each user, down to rank k.

    Takes the columns' names, connection and options of `evaluate`, and `into` as `per_user` does. Returns user_id, item_id, rank,
    relevance, gain, the rank's discount and the idcg so far.
    """
    with calling(LISTS, {"truth": truth}, "idcg", (k,), settings) as call:
        for name, plain in catalog().checks["ideal"].header["plain"].items():
            if (chosen := call.pipelines[0].options[name]) != plain:
                raise RecsqlError(catalog().say("ideal", option=name, plain=plain, given=chosen))
        return call.rows("ideal", into)


def rank_by_score(
    scored: Table, k: int | str = DEFAULT_LENGTH, *, into: str | None = None, **settings: Value
) -> Any:  # a table, or None
    """Scored items ranked, down to k: model, user_id, item_id, rank, score; `evaluate` takes it as recs.

    Takes the columns' names, connection and options of `evaluate` (ties says who is first among equal scores), and `into` as
    `per_user` does. The order of the rows is not fixed.
    """
    with calling(LISTS, {"recs": scored}, "hits", (k,), {**settings, "rank_by": "score"}) as call:
        return call.rows("rank_by_score", into)


def sql(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    dialect: str | None = None,
    **settings: Value,
) -> str:
    """The query that `evaluate` would run: one statement that gives its table. Takes what `evaluate` takes.

    `dialect` is duckdb or spark; by default it is that of `connection`. For another engine than that, `recs` and `truth` can
    also be names of its tables, which have the columns user_id, item_id and rank, and those that the call names: with
    model="model" a column model, with relevance="relevance" one of that name.

    `evaluate` reads the counts of its metadata in the same run, as three further columns; they are left out here. Metrics under
    options that take a query of their own come one after the other. What is given in memory is read under a name that it has
    during a call alone.
    """
    with calling(LISTS_AND_ITEMS, {"recs": recs, "truth": truth}, metrics, k, settings, dialect, once=False) as call:
        return spelt(call.text("evaluate", averaged=True), call.engine.dialect)


def item_metrics(recs: Table, metrics: Metrics = None, k: Cutoffs = None, **settings: Value) -> pa.Table:
    """The metrics of all lists together: how many and how evenly the items are recommended. No truth is needed.

    Args:
        recs: what was recommended, as `evaluate` takes it.
        metrics: names such as "entropy@10" or "gini(population=recommended)"; by default all that the options allow.
        k: the cut-offs of the metrics named without one.
        settings: the columns' names, connection and options of `evaluate`; among them items: a table of the catalogue (item_id,
            optionally category, one a row or a LIST), train: a table of the interactions learnt from (item_id), catalog_size.

    Returns:
        One row per model, metric and cut-off: model, metric, k, value and users: over how many lists the value is a mean, NULL
        where it is none.

    Raises:
        RecsqlError: as `evaluate`.
    """
    with calling(ITEMS, {"recs": recs}, metrics, k, settings) as call:
        return call.rows("evaluate")


def evaluate_ratings(predictions: Table, ratings: Table | None = None, metrics: Metrics = None, **settings: Value) -> pa.Table:
    """How far predictions are from ratings.

    Args:
        predictions: user_id, item_id, prediction, optionally model; and rating, where `ratings` is not given.
        ratings: user_id, item_id, rating, to be joined with the predictions by user and item; each pair once in either table.
        metrics: of mae, mse, rmse, r2 and explained_variance; all by default.
        settings: the columns' names (user, item, rating, prediction, model), connection, and the options missing
            (skip or error: a NULL prediction) and mean (micro or users: the mean of the users' values).

    Returns:
        One row per model and metric: model, metric, value; pairs: how many were compared; users: how many they are of; missing:
        NULL predictions, left out; unmatched_predictions and unmatched_ratings: rows of one table that the other lacks.

    Raises:
        RecsqlError: for a rating that is no finite number, a NaN, two rows for one pair where tables are joined.
    """
    with calling(RATINGS, {"predictions": predictions}, metrics, None, settings | {"ratings": ratings}) as call:
        return call.rows("rating_metrics")


def leave_one_out(
    interactions: Table, order_by: str = "timestamp", *, into: str | None = None, **settings: Value
) -> Any:  # a table, or None
    """Every interaction with its part, train or truth: the last one of each user is held out.

    Args:
        interactions: user_id, item_id and the column to order by; further columns stay as they are.
        order_by: the column that orders a user's interactions, ties by item; or "hash": one at random, the same on every engine.
        into: a new table of `connection`, or Parquet at a path, for the rows to go to, as with `per_user`.
        settings: user and item (the columns' names), connection, seed (of the hash), single: train or truth, for the only
            interaction of a user.

    Returns:
        The rows of `interactions`, each once, with a column `part`. Their order is not fixed. An item that a user had twice can
        be in both parts.

    Raises:
        RecsqlError: for a column that is missing or NULL.
    """
    with splitting(interactions, settings | {"order_by": order_by}) as call:
        return call.rows("leave_one_out", into)


def split(interactions: Table, train: str, truth: str, order_by: str = "timestamp", **settings: Value) -> None:
    """Writes the two parts that `leave_one_out` gives into the Parquet files `train` and `truth`.

    Both appear, or neither. Takes the settings of `leave_one_out` and raises what it raises.
    """
    if Path(train).resolve() == Path(truth).resolve():
        raise RecsqlError(f"{train}: train and truth can't both be written to this file; give two files")
    given = settings | {"order_by": order_by}
    with splitting(interactions, given) as call:
        for path in (train, truth):
            call.refuse(path)
        with whole(train) as for_train, whole(truth) as for_truth:
            call.engine.write_parts(call.text("leave_one_out"), "part", {"train": for_train, "truth": for_truth})


def metrics() -> pa.Table:
    """The catalogue: metric, aliases, title, formula, reference, and the options that change its value."""
    shown = ("title", "formula", "reference")
    return pa.Table.from_pylist(
        [
            {"metric": name, "aliases": source.aliases, **{key: source.header[key] for key in shown}, "options": options_of(name)}
            for name, source in catalog().metrics.items()
        ]
    )
