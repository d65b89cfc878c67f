"""The public functions of Python: each checks the call, renders the SQL, runs it and returns Arrow."""

from dataclasses import replace
from typing import Any

import pyarrow as pa

from recsql.base.errors import BadInput, RecsqlError
from recsql.calls.call import Connection, Metrics, Rows, Table, average, measure_users
from recsql.calls.open_call import opened, parse_settings
from recsql.calls.refusals import refuse_idle
from recsql.catalog import catalog
from recsql.catalog.grammar import DEFAULT_CUTOFF, DEFAULT_LENGTH, Cutoffs, Inner
from recsql.catalog.headers import Given
from recsql.query.metric_names import options_of
from recsql.query.plan import EVALUATED, HITS, ITEMS, LISTS, RATINGS, USERS, as_list
from recsql.query.steps import query_of_step
from recsql.query.templates import spelt


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
    relevance: str | None = "relevance",
    truth_rank: str = "rank",
    connection: Connection = None,
    **options: Given,
) -> pa.Table:
    """Computes metrics per model: means over users, and values for all lists together.

    `metrics()` and docs/metrics.md give the formula and the source of each metric. Other functions take the arguments of these
    names alike, `into` as in `per_user`, and raise the same errors.

    Args:
        recs: What was recommended, with the columns user_id, item_id, rank (from 1) or score, and optionally model. It can be
            - a path, a folder, a glob or a list of paths: Parquet, CSV, TSV, JSON or TREC runs. Listed files are the parts of one
              table, or models with the names of the files if two have lists of the same user;
            - a table of a DuckDB file, as "file.duckdb:table", or the name of a table or view in `connection`;
            - a DuckDB relation, a Spark data frame if `connection` is a SparkSession, an Arrow table, reader or dataset, or
              another data frame that exports Arrow, such as one of pandas or Polars;
            - a mapping of users to mappings of their items to scores, as {"q1": {"d1": 0.9}}, also as a JSON file;
            - a mapping of model names to any of these, in which one can have ranks and another scores; a name counts, and not a
              column model with one value.
            One row per user with a LIST column `items`, in the order of the list, or a LIST of STRUCT(item, score), also works.
        truth: What was relevant, with user_id, item_id and optionally relevance, given in the same ways, except that a mapping of
            models is refused, one of users has relevances, and TREC files hold judgements.
        metrics: Names such as "ndcg@10", "ap(denominator=relevant)@100", "entropy@10" or "ndcg" (at every k), or "all" for
            every metric that the inputs and options allow, except a few slow or strict ones, such as bpref and err. By default
            ndcg, recall, precision, ap, hit and rr, with `items` or `train` also common metrics of all lists together.
        k: The cut-offs of the metrics that are named without one. By default 5, 10 and 20. "all" stands for the whole list.
            Metrics without a value for the whole list, such as precision, are left out there; if you name one, it is an error.
        user, item, rank, score, model, relevance: The names of your columns; `truth_user` and `truth_item` are those of truth if
            they differ, and names="beir" stands for those of BEIR's files. If `score` is given, lists are ranked by that column.
            model="filename" makes each file a model, named after the file without its folder and ending, unless the files have a
            column of that name. relevance=None says that every row of truth counts.
        truth_rank: The column of truth with the position of each item, for an ordered truth.
        connection: A DuckDB connection, or a SparkSession (4.0 or newer, classic or Connect). By default a new in-memory
            DuckDB database. A DuckDB connection runs one call at a time, and rows of its execute() that you have not fetched are
            lost or, from DuckDB 2.0 on, the call is refused. connection.cursor() opens another connection to the same database,
            which does not see temporary tables, registered objects or the open transaction.
        options: Any option in docs/options.md, such as gain="exp2", no_recs="skip", interval=0.95 or items="items.parquet".
            `category` and `vector` name columns of items, `cluster` one of truth that says which users belong together, for
            `interval`. `input` ("parquet", "csv", "json" or "trec") is the format of files whose ending names none, "trec" also
            of .tsv and .csv; all but Parquet need DuckDB. `findings` is what to do about oddities in the tables: "warn", the
            default; "error", to raise BadInput for those that make the numbers wrong, and not only doubtful; or "off".

    Returns:
        One row per model, metric and cut-off, with the columns model, metric, k, value, users, lists and definition. `model` is
        NULL if recs names none, and `k` for the whole list. `users` is the number of users in the mean, NULL for a metric of all
        lists together. `lists` is how many of these users have a list, even one whose items are all left out, as by seen="drop";
        0 if no id of recs is one of theirs. For a metric of all lists together, it is the number of these.

        With `interval`, a number between 0.5 and 1, also low, high, std_error and few (whether the interval may be too narrow:
        fewer than 200 users, or fewer than 50 whose value is not 0). The ends are NULL for a single user. See docs/intervals.md.

        With `by`, each group of users has rows too: slice (the columns that group them) and segment (their value, NULL for users
        without one) follow model, and share (of all users in the mean) follows lists. All users come first, with NULL as slice.
        A metric with a value for each group of items, exposure_share, adds the same columns: slice is the column of items,
        segment the group, and share is NULL there.

        If recs and truth have a column fold, each list is measured by the truth of its fold, as is train if it has the column.
        Each fold has rows of its own, with `fold` after model. The last rows, with NULL as fold, are the means over folds, with
        `spread`, the standard deviation between the values of folds. A column dataset does the same for data sets, which share
        no users. With `interval`, their means have one as well: the data sets are given, and users of each are a sample.

        If the truth is one of requests, as `labels` writes it, each metric of users' lists is there twice, unless `no_truth` or
        `like` is given: over the requests with a relevant item, and as no_truth=zero over all of them.

        The schema's metadata holds a JSON object under "recsql": options, metrics, presets, versions and models. For each model,
        `models` has users_in_mean, users_with_truth, users_without_list (of those with truth), lists, lists_without_truth,
        longest_list and, by score, tied_lists (at a cut-off); of a table `users`, only its users. With judged_only, `judged` has
        model, items (in the lists of users with a relevant item, whatever k is) and judged (how many of them).

    Raises:
        UnknownName: If a metric, option or value does not exist.
        BadInput: If the data cannot be evaluated, for example because a column is missing or an id is NULL.
        EngineError: If the database fails.
        RecsqlError: For any other call that cannot be computed. It is the base class of the errors above.

    Warns:
        UserWarning: If recs is empty; if a model and the truth have no user or no item in common, with an id of each side; if a
            model has no hit, or no lists for more than half of the users with truth; if truth has no relevance, but a number
            called score, grade, label, rel or gain; if the tables look swapped; if judgements of one pair differ; if seen="drop"
            leaves rows out; with `candidates`; and if a metric is named as in a library whose definition differs, without `like`.
            The metadata repeats the sentences under "warnings".

    >>> recsql.to_dict(recsql.evaluate({"u1": {"a": 0.9, "b": 0.8}}, {"u1": {"b": 1}}, "rr@2"))
    {'rr@2': 0.5}
    """
    names = {"user": user, "item": item, "rank": rank, "score": score, "model": model, "relevance": relevance}
    settings = names | {"truth_rank": truth_rank, "connection": connection} | options
    with opened({"recs": recs, "truth": truth}, EVALUATED, settings, metrics, k, apart=("fold", "dataset"), both=True) as call:
        return average(call)


def per_user(
    recs: Table, truth: Table, metrics: Metrics = None, k: Cutoffs = None, *, into: str | None = None, **settings: Given
) -> Rows:
    """Computes the metrics of each user's own list. Takes the arguments of `evaluate`.

    Args:
        into: Where to leave the rows instead of returning them: a new table of that name in `connection`, or a Parquet path.
            A name with a slash or with the ending .parquet is a path. The function then returns None, as all that have it do.

    Returns:
        One row per model, user and cut-off, sorted by these: model, user_id (under its name in recs), k, list_length (the items
        in the user's list), relevant (the relevant items in their truth), then one column per metric, named as asked for. With
        `by`, a column per slice comes before these, with the segment of the user; several have commas between them. For the whole
        list k is NULL; that row is the user's last. The metadata is that of `evaluate` without `models`.

    >>> recsql.per_user({"u1": {"a": 0.9}, "u2": {"a": 0.9}}, {"u1": {"a": 1}, "u2": {"b": 1}}, "hit@1")["hit"].to_pylist()
    [1.0, 0.0]
    """
    with opened({"recs": recs, "truth": truth}, USERS, settings, metrics, k) as call:
        return measure_users(call) if into is None else call.rows("per_user", into)


def hits(
    recs: Table,
    truth: Table,
    k: int | str = DEFAULT_CUTOFF,
    *,
    user_id: Any = None,
    missed: bool = False,
    texts: Table = None,
    into: str | None = None,
    **settings: Given,
) -> Rows:
    """Returns every recommended row in the top k, with the running totals of its list.

    Args:
        k: The cut-off, 10 by default; "all" for the whole list.
        user_id: The id of a user, or several, for their rows alone; RecsqlError if one has no row.
        missed: Whether to return the relevant items that lists miss as well, also those of users without a list: with their rank
            below k, or NULL if they are not listed. The values of the list are NULL there, and hit is false.
        texts: A table with the id of each user, which may be a query, and its column text or title, as BEIR's queries.jsonl.

    Returns:
        One row per item, sorted by model, user and rank: model, user_id, item_id, rank, relevance (NULL if the item is not in
        the truth), gain, hit, hits (so far), precision (so far), discount (of the rank) and dcg (so far). The ids have
        the names that they have in recs. `items` adds its column title (or name) as title, and `texts` the column text after the
        user. With `missed`, `train` adds in_train: whether the item is there.

    >>> recsql.hits({"u1": {"a": 0.9, "b": 0.8}}, {"u1": {"b": 1}})["hit"].to_pylist()
    [False, True]
    """
    tables, given = {"recs": recs, "truth": truth}, {**settings, "missed": missed}
    with opened(tables, HITS, given, Inner("hits"), (k,), texts=texts) as call:
        refuse_idle(call, "hits", settings)
        only = [] if user_id is None else [*map(str, as_list(user_id))]
        rows = replace(call, inputs=replace(call.inputs, only_users=only)).rows("hits", into)
        if only and rows is not None:
            there = {*map(str, rows[call.inputs.called.get("user_id", "user_id")].to_pylist())}
            if lacking := [one for one in only if one not in there]:
                way = "" if missed else ", or add missed=True for what others lack"
                raise BadInput(f"user_id: recs has no list of user {lacking[0]!r}; give the id of a user with a list{way}")
        return rows


def ideal(truth: Table, k: int | str = DEFAULT_CUTOFF, *, into: str | None = None, **settings: Given) -> Rows:
    """Returns the best possible list of each user, up to rank k.

    Args:
        k: The cut-off, 10 by default; "all" for every relevant item.

    Returns:
        One row per item, in no fixed order: user_id, item_id, rank, relevance, gain, discount (of the rank) and idcg (so far).

    Raises:
        RecsqlError: Also if the option `ideal` is not "truth" or `truth_window` is not "all".
    """
    with opened({"truth": truth}, LISTS, settings, Inner("idcg"), (k,)) as call:
        for name, plain in {"ideal": "truth", "truth_window": "all"}.items():
            if (chosen := call.pipelines[0].options[name]) != plain:
                raise RecsqlError(catalog().say("ideal", option=name, plain=plain, given=chosen))
        refuse_idle(call, "ideal", settings)
        return call.rows("ideal", into)


def rank_by_score(scored: Table, k: int | str = DEFAULT_LENGTH, *, into: str | None = None, **settings: Given) -> Rows:
    """Ranks scored items, given as recs are to `evaluate`, and keeps the top k of each list. `ties` orders equal scores.

    Args:
        k: The length of the lists, 100 by default; "all" keeps every item.

    Returns:
        One row per item, in no fixed order: model (if there are models), user_id, item_id, rank and score, or your names for
        them; `rank` only names the new ranks, unless ties="input" reads it. `evaluate` takes it as recs.
    """
    if (asked := settings.get("rank_by")) not in (None, "score"):
        raise RecsqlError(catalog().say("of_scores", rank_by=asked))
    rank = {"rank": settings.get("rank") if settings.get("ties") == "input" else None}  # else it only names the new ranks
    with opened({"recs": scored}, LISTS, {**settings, **rank, "rank_by": "score"}, Inner("hits"), (k,)) as given:
        called = {**given.inputs.called, "rank": parse_settings(settings)[0].rank}
        call = replace(given, inputs=replace(given.inputs, called=called))
        refuse_idle(call, "rank_by_score", settings)
        return call.rows("rank_by_score", into)


def sql(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    dialect: str | None = None,
    stop_after: str | None = None,
    plain: bool = False,
    **settings: Given,
) -> str:
    """Returns the query that `evaluate` would run, as one statement. Takes the arguments of `evaluate`.

    `evaluate` also reads the counts of its metadata in the same scan; this query leaves them out. Metrics whose options need a
    query of their own are appended. The query refers to in-memory tables by names that exist only during a call.

    Args:
        dialect: "duckdb" or "spark"; by default that of `connection`. If you give it, `recs` and `truth` can also be names of
            tables that recsql can't inspect, such as "{{ ref('recs') }}" of dbt. They are assumed to have user_id, item_id, rank
            and any column you name: a column model with model="model", a column relevance with relevance="relevance".
        stop_after: The name of a step, such as "hits", for the query that ends there and returns the rows of that step. It has
            only the steps that this one needs, so it does not check the input. `explain` lists the steps.
        plain: Whether to return the query in its plainest form, to read: the steps that `explain` lists, without checks of the
            input, without what nothing reads then, and with plain sums, whose last digits can depend on the order of the rows.
    """
    tables, both = {"recs": recs, "truth": truth}, stop_after is None
    with opened(tables, EVALUATED, settings, metrics, k, sql_of=dialect, once=False, both=both, plain=plain) as call:
        return spelt(query_of_step(call.text("evaluate", averaged=True), stop_after), call.engine.dialect)


def item_metrics(recs: Table, metrics: Metrics = None, k: Cutoffs = None, **settings: Given) -> pa.Table:
    """Computes the metrics of all lists together: how many different items are recommended, and how evenly. It needs no truth.

    Args:
        metrics: Names such as "entropy@10" (in bits) or "gini(population=recommended)". By default entropy, and coverage and gini
            if one of `items`, `train` and `catalog_size` is given. novelty and popularity need `train`.
        settings: As in `evaluate`; of the options also items (a table of the catalogue with item_id and optionally category, one
            per row or a LIST), train (a table of the interactions learnt from, with item_id; for some metrics also user_id) and
            catalog_size.

    Returns:
        The columns of `evaluate`. `users` is the number of lists in the mean, and NULL if the value is not a mean; `lists` is the
        number of all lists, of which `share` is a part if the value is not a mean.
    """
    with opened({"recs": recs}, ITEMS, settings, metrics, k) as call:
        return call.rows("evaluate")


def evaluate_ratings(predictions: Table, ratings: Table | None = None, metrics: Metrics = None, **settings: Given) -> pa.Table:
    """Measures how far predictions are from ratings.

    Args:
        predictions: A table with user_id, item_id, prediction and optionally model, or a mapping of model names to tables. It
            also needs the column rating if `ratings` is not given.
        ratings: A table with user_id, item_id and rating, joined with the predictions by user and item.
        metrics: By default mae, mse, rmse, r2 and explained_variance. mae and rmse are in the unit of the ratings, mse in its
            square. logloss, rating_auc and others compare predicted probabilities with labels, which are ratings of 0 and 1.
        settings: The column names (user, item, rating, prediction, model), connection, input and options.

    Returns:
        One row per model and metric: model, metric, value, pairs (compared), users (that the pairs belong to), missing (NULL
        predictions, which are left out), unmatched_predictions and unmatched_ratings (rows without a partner in the other table).
        With `interval`, also low, high, std_error and few (fewer than 40 users) after users; the pairs of a user belong together.

    Raises:
        RecsqlError: Also for a rating that is not a finite number, a prediction that is NaN, or a pair that appears twice where
            tables are joined.
    """
    with opened({"predictions": predictions}, RATINGS, settings | {"ratings": ratings}, metrics) as call:
        return call.rows("rating_metrics")


def metrics() -> pa.Table:
    """Returns the catalogue, one row per metric: metric, group, aliases, title, formula, reference and options.

    `group` is one of sql/groups.toml, and `reference` is the source of the definition. `options` names the options that can
    change the metric's value.
    """
    shown = ("title", "formula", "reference")
    return pa.Table.from_pylist(
        [
            {"metric": name, "group": source.header["group"], "aliases": source.aliases}
            | {key: source.header[key] for key in shown}
            | {"options": options_of(name)}
            for name, source in catalog().metrics.items()
        ]
    )
