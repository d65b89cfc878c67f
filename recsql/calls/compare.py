"""Compares models in pairs, user by user: the difference of two means with its interval and test."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import pyarrow as pa

from recsql.base.errors import BadInput, RecsqlError
from recsql.base.statement import Joined, Statement
from recsql.base.wording import either
from recsql.calls.call import Call, Metrics, Rows, Table
from recsql.calls.open_call import opened
from recsql.calls.warnings import (
    Mean,
    add_judged,
    count_judged,
    count_pairs,
    count_weights,
    drop_counts,
    find_differing_lists,
    find_missing_lists,
    find_warnings,
)
from recsql.catalog import catalog
from recsql.catalog.grammar import WHOLE, Cutoffs
from recsql.catalog.headers import Given
from recsql.engines.duckdb import DuckDB, query_rows
from recsql.query.binding import Inputs, Relation
from recsql.query.plan import PAIRS, hint_at_users
from recsql.query.render import Query
from recsql.query.results import Row
from recsql.query.templates import dialect, template
from recsql.tables.datasets import Fold
from recsql.tables.inputs import with_tokens


def compare(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    baseline: str | None = None,
    interval: float | None = None,
    **settings: Given,
) -> pa.Table:
    """Compares models in pairs, over the users who have a value of both.

    Args:
        recs, truth, metrics, k: As in `evaluate`. recs has two or more models: a column model, or a mapping of their names to
            tables. Metrics of all lists together, such as entropy, have to be named.
        baseline: The model that each other one is compared with. By default every pair of models is compared once.
        interval: How much the intervals cover, a number between 0.5 and 1; by default 0.95.
        settings: The column names, connection and options of `evaluate`, and those of the comparison in docs/options.md: test,
            alternative, margin, looks, planned_users, correction, family, effect and power.

    Returns:
        One row per pair of models, metric and cut-off, with the columns

        - model, baseline, metric and k, which is NULL for the whole list;
        - users, the number with a value of both models, and unpaired, the number with a value of only one;
        - value and baseline_value, the means over these users, and difference, value - baseline_value;
        - low, high and std_error: the t interval of the difference and its standard error. The ends are NULL if all differences
          are equal, or for a single user; with looks="many", they and p are if users are few;
        - p and p_adjusted: the p-value, and the same corrected for the number of tests in the result;
        - tests: how many p-values were corrected together; 1 without a correction, NULL without a p;
        - verdict: what the test shows: higher, lower, not_lower, not_higher, differs, inconclusive, same or untested;
        - wins, ties and losses: the users for whom the model is better, equal (to 12 decimals) and worse;
        - effect: the mean difference divided by the standard deviation of the differences (Cohen's d_z, 1988);
        - detectable: the smallest difference that would have been found with the chance `power`;
        - relative, relative_low and relative_high: difference / baseline_value, with an interval by the delta method. They are
          NULL if the baseline is less than three standard errors above 0;
        - few: whether there are fewer than 50 users, or fewer than 20 with a difference;
        - p_method, with the tests randomisation and wilcoxon: how p was found, as exact, rounded, drawn or normal;
        - preference, with the test sign: (wins + ties / 2) / users - 1/2, from -1/2 to 1/2. Of an interleaved log, it is the
          preference for the model (Chapelle et al. 2012);
        - outcome, if it is asked for: what the row is to a gate, pass, fail or unclear. docs/ci.md explains it.

        A metric that is not a mean over users, such as entropy, is compared by a jackknife over 64 groups of users: low, high and
        p are from t with groups - 1 degrees of freedom. users is then the number of users behind both values, few is true below
        200, and unpaired, wins, ties, losses, effect and the relative difference are NULL.

        If recs and truth have a column dataset, each data set is evaluated by itself, and the rows compare the means over these,
        with their number as `datasets` after k. effect and the relative difference are NULL for two or more. With a baseline, the
        metadata has the models and pairs of each data set in `each`.

        With `by`, the columns slice and segment follow baseline, and share (of the users of the pair) follows users. Every
        segment is a test of its own. contributions="true" adds contribution (share * difference), of_difference (that as a share
        of the difference of all users), excess (share * (difference - that of all users)), and q and q_p: Cochran's Q of the
        slice and its p, whether the segments differ (Cochran 1954). min_users leaves out the rows of segments with fewer users
        before p is corrected; Q is that of the segments that are left.

        The schema's metadata is that of `evaluate` with `baseline`; `models` has no users_in_mean. For each pair of models,
        `pairs` has shared_lists, the number of users with truth who have a list of both; with min_users also
        segments_left_out, the number of segments left out. docs/compare.md explains the method.

    Raises:
        RecsqlError: As `evaluate` does, and if there is only one model or the baseline is not among them.

    Warns:
        UserWarning: As `evaluate` does, and if models have lists for different users: if more than 1 % of the users with truth
            who have a list of one of two models have none of the other.

    >>> lists = {"new": {"u1": {"a": 0.9}}, "old": {"u1": {"b": 0.9}}}
    >>> recsql.compare(lists, {"u1": {"a": 1}}, "hit@1", baseline="old")["difference"].to_pylist()
    [1.0]
    """
    given = settings | {"baseline": baseline, "interval": True if interval is None or interval is False else interval}
    with opened({"recs": recs, "truth": truth}, PAIRS, given, metrics, k, apart=["dataset"]) as found:
        call = with_groups(found)
        refuse_one_model(call)
        refuse_tests(call)
        if call.folds:
            return compare_datasets(call, baseline)
        rows = rows_of(call, list(call.bindings(averaged=True)))
        values = [
            Mean(row[model], row["metric"], row[value], row["users"])
            for row in rows.to_pylist()
            for model, value in (("model", "value"), ("baseline", "baseline_value"))
        ]
        counts = count_pairs(rows)
        missing = find_missing_lists(call.recs, next(call.bindings()), counts.get("models", ()))
        of_input = find_warnings(call.engine, call.bindings(), values, recs=call.recs)
        warnings = chain(find_differing_lists(rows), of_input, missing)
        hint_at_users(call.pipelines, counts.get("models", ()))
        apart = {"judged_apart": judged_apart(call), "read_apart": read_apart(call)}
        counted = count_judged(call.engine, call.bindings()) | count_weights(call.engine, call.bindings())
        return call.described(drop_counts(rows), warnings, baseline=baseline, **counted, **apart, **counts)


def compare_datasets(call: Call, baseline: str | None) -> pa.Table:
    """The comparison of the means over data sets, from the sums of each. Whose lists are missing is counted in each as well."""
    each = {value: with_groups(one) for value, one in call.folds.items()}
    sums = {value: sums_of(one) for value, one in each.items()}
    counts = {f"{value}": count_pairs(rows) for value, rows in sums.items()}
    whole = with_groups(replace(call, inputs=replace(call.inputs, datasets=len(each))))
    rows = query_rows("sums", with_dataset(sums), partial(tests_of, whole))
    of_input = (
        find_warnings(
            one.engine, one.bindings(), models=counts[f"{value}"].get("models", ()), recs=f"{one.recs} of data set {value}"
        )
        for value, one in each.items()
    )
    judged = add_judged(count_judged(one.engine, one.bindings()) for one in each.values())
    apart = {} if baseline is None else {"each": counts}
    further = {"baseline": baseline, "datasets": list(call.folds), **judged, **count_pairs(rows), **apart}
    return call.described(drop_counts(rows), dict.fromkeys(chain(find_differing_lists(rows), *of_input)), **further)


def sums_of(call: Call) -> pa.Table:
    """The sums of all pairs of models."""
    queries = [Query(one, "paired").statement() for one in call.bindings(averaged=True)]
    return pa.concat_tables(map(call.engine.query, queries))


def with_dataset(each: Mapping[Fold, pa.Table]) -> pa.Table:
    """The rows of all data sets, with the data set of each."""
    pairs = zip(pa.array([*each]), each.values(), strict=True)
    return pa.concat_tables(rows.append_column("dataset", pa.repeat(value, len(rows))) for value, rows in pairs)


def judged_apart(call: Call) -> list[Row]:
    """The comparison on judged items alone of models of which one has far fewer of them, with the share of both."""
    of_items = [one for one in call.bindings() if one.graded and one.known["spans"] == "false"]
    asked = [one for one in of_items if one.known["judged_only"] == "false"]
    if not asked or call.engine.query(Query(asked[0], "rejected_rows").statement()).to_pylist() == [{"rejected": 0}]:
        return []
    found = call.engine.query(Query(max(asked, key=lambda one: int(one.depth)), "judged_apart").statement()).to_pylist()
    shares = {(one["model"], one["other"]): {"judged": one["share"], "baseline_judged": one["other_share"]} for one in found}
    alone = replace(call, pipelines=[one.under(judged_only="true") for one in call.pipelines])
    rows = rows_of(alone, list(alone.bindings(averaged=True))).to_pylist() if found else []
    return [row | shares[pair] for row in rows if (pair := (row["model"], row["baseline"])) in shares]


def read_apart(call: Call) -> list[Row]:
    """How much a list of each model reads up to the largest cut-off, if some read far less; nothing within a budget."""
    tokens = with_tokens(call.found["recs"], dialect(call.engine.dialect))
    asked = max(call.bindings(), key=lambda one: int(one.depth))
    if asked.known["budget"] is not None or not (tokens or asked.known["spans"] == "true"):
        return []
    query = Query(replace(asked, tables={**asked.tables, **tokens}), "read_apart")
    found: list[Row] = call.engine.query(query.statement()).to_pylist()
    return found


def differences(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    baseline: str | None = None,
    texts: Table = None,
    into: str | None = None,
    **settings: Given,
) -> Rows:
    """Returns both values and the difference of each user: who won and who lost in a comparison.

    Args:
        recs, truth, metrics, k, baseline: As in `compare`.
        texts: As in `hits`; adds the column text after the user, and with `items` also titles, those of the relevant items.
        into: As in `per_user`.
        settings: The column names, connection and options of `evaluate`.

    Returns:
        One row per pair of models, user, metric and cut-off, sorted by these: model, baseline, user_id, metric, k (NULL for the
        whole list), value, baseline_value, difference (NULL, as both values, unless the user has both), list_length and
        baseline_list_length (the number of items in the lists; NULL for a user whom the mean of that model leaves out) and
        relevant (the number of relevant items). With `by`, a column per slice follows, with the segment of the user; several have
        commas between them. The metadata is that of `compare`. With `into`, None.

    Raises:
        RecsqlError: As `compare` does, and for an option of tests.
    """
    for name in options_of_tests():
        if settings.get(name) is not None:
            raise RecsqlError(f"{name}: differences has the values of each user and no tests; leave {name}= out")
    with opened({"recs": recs, "truth": truth}, PAIRS, settings | {"baseline": baseline}, metrics, k, texts=texts) as call:
        refuse_one_model(call)
        return call.rows("differences", into)


def options_of_tests() -> list[str]:
    """The options of compare that only tests and intervals read."""
    return ["interval", *(name for name in catalog().options_of(["pair"]) if name != "baseline")]


def refuse_one_model(call: Call) -> None:
    if not call.inputs.modelled:
        way = either("give a mapping of names to tables, or model='filename'", "write NAME=FILE, or add --model filename")
        raise BadInput(f"recs: it has no column model, and a comparison needs two or more models; {way}")


def with_groups(call: Call) -> Call:
    """The call, with values that leave out one group of users at a time if a metric is not a mean over users."""
    columns = [column for one in call.pipelines for column in one.columns if column.shown]
    return replace(call, inputs=replace(call.inputs, jackknifed=any(one.grain == "item" or one.made_of for one in columns)))


def refuse_tests(call: Call) -> None:
    """Raises RecsqlError for a test or looks that clusters of users or data sets have none of, and if no data sets can vary."""
    options = call.pipelines[0].options
    for name, usual in (("test", "t"), ("looks", "one")):
        if call.inputs.clustered and options[name] != usual:
            why = "takes users as independent, and users of a cluster are not"
            raise RecsqlError(f"cluster: {name}={options[name]!r} {why}; use {name}={usual!r}")
        if len(call.folds) > 1 and options[name] != usual:
            raise RecsqlError(f"{name}: {options[name]} can't be combined over {len(call.folds)} data sets; use {name}={usual!r}")
    if options["vary"] == "datasets" and not call.folds:
        raise RecsqlError("vary: recs and truth have no column dataset, so no data sets vary; leave vary= out")


def rows_of(call: Call, bindings: Sequence[Inputs]) -> pa.Table:
    """The rows of a comparison, from the inputs of each pipeline's query.

    Spark computes the sums and DuckDB the tests, which Spark would plan for a minute.
    """
    sums = [Query(one, "paired").statement() for one in bindings]
    if call.engine.dialect == DuckDB.dialect:
        return call.engine.query(statement_of(call, sums))
    return query_rows("sums", pa.concat_tables(map(call.engine.query, sums)), partial(tests_of, call))


def statement_of(call: Call, sums: Sequence[Statement]) -> Statement | Joined:
    """The statement of a comparison: the sums of each pipeline, then the tests and intervals of all of them."""
    if len(sums) > 1:
        return Joined.of(tests_of(call, template("union", queries=sums)), sums)
    tests = tests_of(call, sums[0].last)
    return Statement.of({**sums[0].steps, **tests.steps}, tests.last, sums[0].kept, sums[0].sized)


def tests_of(call: Call, rows: str) -> Statement:
    """The statement of the tests and intervals of all pipelines, over a query for the sums."""
    inputs = replace(
        call.inputs,
        tables={"paired": Relation(rows, "")},
        known=call.pipelines[0].options,
        dialect=DuckDB.dialect,
        uncut=any(WHOLE in one.ks for one in call.pipelines),
    )
    return Query(inputs, "compare").statement()
