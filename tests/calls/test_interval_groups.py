"""Intervals without a value for each user: groups of users left out, one by one, and pairs of ratings that belong to a user.

If it fails, the intervals of metrics without a value for each user, and of ratings, are wrong.
"""

import hashlib
import math
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS

import recsql
from recsql.calls.open_call import opened
from recsql.query.plan import ITEMS as ITEMS_ALONE
from recsql.query.plan import LISTS_AND_ITEMS, RATINGS
from recsql.query.render import Query
from tests.promises.test_needs import has_what_it_reads
from tests.random_data import random_data

Row = dict[str, Any]
Place = tuple[str | None, str, int | None]
ITEMS = pa.table({"item_id": [*range(9), 40, 41]})
TRAIN = pa.table({"user_id": [place % 7 for place in range(40)], "item_id": [place * place % 11 for place in range(40)]})
CATEGORIES = pa.table({"item_id": [*range(9), *range(5)], "category": list("aabbccabc" + "cccdd")})


def group_of(user: Any, groups: int) -> int:
    """The first 32 bits of the MD5 of the id, as a share of the groups."""
    return int(hashlib.md5(str(user).encode()).hexdigest()[:8], 16) * groups >> 32


def without(tables: Mapping[str, pa.Table], users: Sequence[Any]) -> dict[str, pa.Table]:
    """The tables without some users."""
    return {
        name: table.filter(pc.invert(pc.is_in(table["user_id"], pa.array(users, table["user_id"].type))))
        for name, table in tables.items()
    }


def jackknife(compute: Callable[..., pa.Table], tables: Mapping[str, pa.Table], users: Sequence[Any], groups: int) -> Any:
    """The standard error of each value, from the values without each group, and the number of groups."""
    parts: dict[int, list[Any]] = {}
    for place, user in enumerate(users):
        parts.setdefault(place if len(users) < groups else group_of(user, groups), []).append(user)
    found: dict[Place, list[float]] = {}
    for row in left_out(compute, tables, [*parts.values()]):
        found.setdefault((row["model"], row["metric"], row.get("k")), []).append(row["value"])
    return {key: (math.sqrt((len(v) - 1) * np.var(v)), len(v)) for key, v in found.items() if None not in v}


def left_out(compute: Callable[..., pa.Table], tables: Mapping[str, pa.Table], parts: Sequence[Sequence[Any]]) -> Iterator[Row]:
    """The values without each part of the users, in one call: of several tables in slices, of one as models.

    test_slices shows that a segment has the values of its users alone.
    """
    if len(tables) > 1:
        yield from (row for row in in_slices(compute, tables, parts) if row["slice"] is not None)
        return
    copies = []
    for place, part in enumerate(parts):
        [(name, rest)] = without(tables, part).items()
        models = pc.binary_join_element_wise(rest["model"], str(place), "/")
        copies.append(rest.set_column(rest.column_names.index("model"), "model", models))
    for row in compute(**{name: pa.concat_tables(copies)}).to_pylist():
        yield row | {"model": row["model"].partition("/")[0]}


def in_slices(compute: Callable[..., pa.Table], tables: Mapping[str, pa.Table], parts: Sequence[Sequence[Any]]) -> list[Row]:
    """The values of all users, and those without each part: the segments are the other users."""
    users = {user for table in tables.values() for user in table["user_id"].to_pylist()}
    left = [(user, place) for place, part in enumerate(parts) for user in sorted(users - {*part})]
    segments = pa.table(dict(zip(("user_id", "without"), zip(*left, strict=True), strict=True)))
    rows: list[Row] = compute(**tables, by="without", segments=segments, multiple="each").to_pylist()
    return rows


def check(rows: pa.Table, expected: Mapping[Place, tuple[float, int]], level: float = 0.95) -> None:
    """Each row has the error expected, and the interval that follows from it, cut to what is possible."""
    compared = 0
    for row in rows.to_pylist():
        key = (row["model"], row["metric"], row.get("k"))
        if key in expected:
            error, groups = expected[key]
            margin = stats.t.isf((1 - level) / 2, groups - 1) * error
            metric = row["metric"].partition("(")[0]
            least = -math.inf if metric in ("r2", "explained_variance") else 0
            most = 1 if metric in ("gini", "coverage", "f1", "ndcg", "recall", "precision", "hit", "rating_auc") else math.inf
            assert row["std_error"] == pytest.approx(error, rel=1e-7, abs=1e-10), row
            ends = (max(row["value"] - margin, least), min(row["value"] + margin, most)) if row["std_error"] else (None, None)
            assert [row["low"], row["high"]] == [
                end if end is None else pytest.approx(end, rel=1e-7, abs=1e-9) for end in ends
            ], row
            compared += 1
    assert compared == rows.num_rows


ITEM_METRICS: Mapping[str, tuple[Any, Row]] = {
    "as usual": (["entropy", "coverage", "gini"], {"items": ITEMS}),
    "of what is recommended": (["gini(population=recommended)", "entropy(normalize=distinct)"], {}),
    "of train": (["coverage(denominator=train)", "coverage"], {"train": ITEMS}),
    "a large catalogue": (["coverage", "gini", "entropy(normalize=log_catalog)"], {"catalog_size": 50}),
    "eight groups": (["entropy", "gini", "entropy(scope=list)"], {"items": ITEMS, "groups": 8}),
    "exposure": (["gini(weight=exposure)", "gini"], {"items": ITEMS}),
    "exposure of what is recommended": (["gini(weight=exposure,population=recommended)"], {"discount": "geometric"}),
    "within lists": (["entropy(scope=list)", "entropy(scope=list,normalize=distinct)", "entropy"], {}),
    "categories": (["entropy(scope=category)", "entropy(scope=category,normalize=log_catalog)"], {"items": CATEGORIES}),
    "smoothed categories": (["entropy(scope=category)"], {"items": CATEGORIES, "smoothing": 0.5}),
    "novelty of rows": (["novelty(mean=rows)"], {"train": TRAIN, "novelty_unseen": "skip"}),
    "copies": (["gini(weight=exposure)", "entropy(scope=list)"], {"items": ITEMS, "duplicates": "count"}),
}


@pytest.mark.few(8)
@pytest.mark.parametrize(
    ("name", "users"), [*((name, 20) for name in ITEM_METRICS), *((name, 400) for name in [*ITEM_METRICS][::2])]
)
def test_item_metrics_are_computed_without_each_group(name: str, users: int) -> None:
    metrics, options = ITEM_METRICS[name]
    recs = random_data(3, users=users, items=14, copies="duplicates" in options).recs_table()
    groups = options.get("groups", 64)
    plain = {option: value for option, value in options.items() if option != "groups"}

    def compute(recs: pa.Table) -> pa.Table:
        return recsql.item_metrics(recs, metrics, [1, 5], **plain)

    found = recsql.item_metrics(recs, metrics, [1, 5], interval=0.95, **options)
    expected: dict[Place, tuple[float, int]] = {}
    for model in pc.unique(recs["model"]).to_pylist():  # the groups are those of the users with a list of the model
        of_model = recs.filter(pc.equal(recs["model"], model))
        expected |= jackknife(compute, {"recs": of_model}, sorted({*of_model["user_id"].to_pylist()}), groups)
    check(found, expected)
    assert found.drop_columns(["low", "high", "std_error", "few"]).to_pylist() == compute(recs).to_pylist()
    for row in found.to_pylist():
        assert row["few"] == (users < 400 if row["users"] is None else row["users"] < 200), row


@pytest.mark.parametrize("by", [{}, {"by": "country"}], ids=str)
def test_the_other_models_of_a_call_do_not_matter(by: Row) -> None:
    """Two have fewer users than there are groups, and hardly a user is in all lists."""
    of_models = {"few": range(50), "many": range(20, 300), "fewest": range(45, 60)}
    rows = [
        (model, user, user * rank * 7 % 31, rank) for model, users in of_models.items() for user in users for rank in (1, 2, 3)
    ]
    recs = pa.table(dict(zip(("model", "user_id", "item_id", "rank"), zip(*rows, strict=True), strict=True)))
    truth = pa.table({"user_id": range(300), "item_id": [1] * 300, "country": ["x", "y", "z"] * 100})
    settings = {"interval": 0.9, "train": TRAIN, "duplicates": "count", **by}
    metrics = ["entropy", "coverage", "gini(weight=exposure)", "novelty(unseen=zero)", "entropy(scope=list)"]
    together = recsql.evaluate(recs, truth, metrics, [1, 3], **settings).to_pylist()
    alone = [
        recsql.evaluate(recs.filter(pc.equal(recs["model"], model)), truth, metrics, [1, 3], **settings) for model in of_models
    ]
    key = itemgetter("model", "metric", "k", *(["segment"] if by else []))
    assert {key(row): row for row in together} == {key(row): row for one in alone for row in one.to_pylist()}
    if not by:
        beside = recsql.item_metrics(recs, metrics, [1, 3], **{**settings, "users": truth}).to_pylist()
        errors = {(row["model"], row["metric"], row["k"]): row["std_error"] for row in together}
        assert [row["std_error"] for row in beside] == [errors[row["model"], row["metric"], row["k"]] for row in beside]


def test_metrics_of_users_and_items_together() -> None:
    data = random_data(4, users=300)
    tables = {"recs": data.recs_table(), "truth": data.truth_table()}
    metrics = ["ndcg@3", "coverage@5", "f1(average=of_means)@5"]
    beside = recsql.evaluate(**tables, metrics=metrics, items=ITEMS, interval=0.9).to_pylist()
    apart = [row for one in metrics for row in recsql.evaluate(**tables, metrics=one, items=ITEMS, interval=0.9).to_pylist()]
    assert sorted(beside, key=str) == sorted(apart, key=str)


@pytest.mark.parametrize("users", [30, 300])
@pytest.mark.parametrize(
    ("options", "groups"),
    [
        ({}, 64),
        ({"no_recs": "skip"}, 16),
        ({"no_truth": "zero"}, 16),
        ({"zero_ideal": "skip", "ideal": "truth_returned"}, 16),  # some users are in a group and have no value
    ],
    ids=str,
)
def test_means_without_each_group(users: int, options: Row, groups: int) -> None:
    """Of metrics that are means over users, and of f1 of the means of precision and recall."""
    data = random_data(5, users=users, models=("a",))
    tables = {"recs": data.recs_table(), "truth": data.truth_table()}
    metrics = ["f1(average=of_means)", "ndcg", "dcg", "hit"]

    def compute(**given: Any) -> pa.Table:
        return recsql.evaluate(**given, metrics=metrics, k=[1, 5], **options)

    given = {"interval": 0.9, "interval_method": "groups", **({} if groups == 64 else {"groups": groups}), **options}
    found = recsql.evaluate(**tables, metrics=metrics, k=[1, 5], **given)
    everyone = {**options, "zero_ideal": "zero"}
    grouped = recsql.per_user(**tables, metrics="hit", k=5, **everyone)["user_id"].to_pylist()
    check(found, jackknife(compute, tables, sorted(grouped), groups), level=0.9)


def test_groups_come_near_to_the_plain_error() -> None:
    """The jackknife over 64 groups is an estimate of the same error, give or take 9 %."""
    data = random_data(6, users=2000, models=("a",))
    tables = data.recs_table(), data.truth_table()
    for metric in ("ndcg", "dcg", "recall"):
        errors = [
            recsql.evaluate(*tables, metric, 5, interval=0.95, interval_method=method)["std_error"][0].as_py()
            for method in ("t", "groups")
        ]
        assert errors[1] == pytest.approx(errors[0], rel=0.3)


# -- ratings


def ratings(seed: int, users: int) -> pa.Table:
    """Ratings of users who differ in how well they are predicted; some predictions are missing."""
    draw = random.Random(seed)
    rows = []
    for model in ("a", "b"):
        for user in range(users):
            bias = draw.gauss(0, 1)
            for item in range(draw.randint(1, 9)):
                rating = draw.randint(1, 5)
                prediction = rating + bias + draw.gauss(0, 1) if draw.random() < 0.9 else None
                rows.append({"model": model, "user_id": user, "item_id": item, "rating": rating, "prediction": prediction})
    return pa.Table.from_pylist(rows)


@pytest.mark.parametrize("users", [12, 120])
def test_pairs_of_a_user_belong_together(users: int) -> None:
    """The error of a mean, as statsmodels has it for clusters."""
    rows = ratings(1, users)
    found = {(row["model"], row["metric"]): row for row in recsql.evaluate_ratings(rows, interval=0.95).to_pylist()}
    for model in ("a", "b"):
        pairs = [row for row in rows.to_pylist() if row["model"] == model and row["prediction"] is not None]
        errors = np.array([row["rating"] - row["prediction"] for row in pairs])
        raters = np.array([row["user_id"] for row in pairs])
        quantile = stats.t.isf(0.025, len({*raters}) - 1)
        for metric, values in (("mae", abs(errors)), ("mse", errors**2)):
            # statsmodels also multiplies by (N - 1) / (N - 1), as there is one coefficient
            fit = OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": raters})
            row = found[model, metric]
            assert row["std_error"] == pytest.approx(fit.bse[0], rel=1e-9)
            assert row["low"] == pytest.approx(row["value"] - quantile * fit.bse[0], rel=1e-9)
            assert row["high"] == pytest.approx(row["value"] + quantile * fit.bse[0], rel=1e-9)
            assert row["few"] == (users < 40)
        rmse = found[model, "rmse"]
        assert rmse["std_error"] == pytest.approx(found[model, "mse"]["std_error"] / (2 * rmse["value"]), rel=1e-12)


@pytest.mark.parametrize("users", [12, 400])
def test_r2_without_each_group(users: int) -> None:
    rows = ratings(2, users)
    of_groups = ["r2", "explained_variance"]

    def compute(rows: pa.Table) -> pa.Table:
        return recsql.evaluate_ratings(rows)

    expected = jackknife(compute, {"rows": rows}, range(users), 64)
    check(recsql.evaluate_ratings(rows, metrics=of_groups, interval=0.95), expected)
    check(recsql.evaluate_ratings(rows, interval=0.95, interval_method="groups"), expected)


def probabilities(seed: int, users: int) -> pa.Table:
    """Labels of users, and probabilities with ties."""
    rows = ratings(seed, users).to_pylist()
    for row in rows:
        row["rating"] = int(row["rating"] > 3)
        row["prediction"] = row["prediction"] and round(1 / (1 + math.exp(3 - row["prediction"])), 2)
    return pa.Table.from_pylist(rows)


@pytest.mark.parametrize("users", [12, 400])
@pytest.mark.parametrize(
    "table, metrics",
    [
        (probabilities, ["rating_auc", "calibration_ratio", "median_ae", "ne"]),
        (ratings, ["median_ae", "mape", "nmae(scale=4)"]),
    ],
    ids=["probabilities", "ratings"],
)
def test_other_metrics_without_each_group(table: Callable[[int, int], pa.Table], metrics: list[str], users: int) -> None:
    rows = table(2, users)

    def compute(rows: pa.Table) -> pa.Table:
        return recsql.evaluate_ratings(rows, metrics=metrics)

    expected = jackknife(compute, {"rows": rows}, range(users), 64)
    check(recsql.evaluate_ratings(rows, metrics=metrics, interval=0.95), expected)


def test_the_bins_keep_their_signs() -> None:
    """Each pair counts its label - p with the sign of the sum in its bin: ece is the mean of these, with users as clusters."""
    rows = probabilities(6, 90)
    for row in recsql.evaluate_ratings(rows, metrics="ece", interval=0.95).to_pylist():
        pairs = [one for one in rows.to_pylist() if one["model"] == row["model"] and one["prediction"] is not None]
        gaps = np.array([one["rating"] - one["prediction"] for one in pairs])
        bins = np.array([min(int(one["prediction"] * 10 + 1e-9), 9) for one in pairs])
        signed = gaps * np.sign([gaps[bins == place].sum() for place in bins])
        fit = OLS(signed, np.ones(len(gaps))).fit(cov_type="cluster", cov_kwds={"groups": [one["user_id"] for one in pairs]})
        assert (row["value"], row["std_error"]) == pytest.approx((fit.params[0], fit.bse[0]), rel=1e-9)


def test_means_over_raters() -> None:
    """The values of users are averaged: the interval is that of their mean."""
    rows = ratings(3, 60)
    for row in recsql.evaluate_ratings(rows, metrics=["mae", "rmse"], mean="users", interval=0.9).to_pylist():
        of_user: dict[int, list[float]] = {}
        for pair in rows.to_pylist():
            if pair["model"] == row["model"] and pair["prediction"] is not None:
                of_user.setdefault(pair["user_id"], []).append(abs(pair["rating"] - pair["prediction"]))
        mae = row["metric"].startswith("mae")
        values = [float(np.mean(v)) if mae else math.sqrt(np.mean(np.square(v))) for v in of_user.values()]
        low, high = stats.t.interval(0.9, len(values) - 1, np.mean(values), stats.sem(values))
        assert (row["low"], row["high"]) == pytest.approx((low, high), rel=1e-9)


@pytest.mark.parametrize("metric", ["pr_auc", "rating_order", "ece(norm=max)"])
def test_what_the_parts_of_users_do_not_add_up_to_has_no_interval(metric: str) -> None:
    """Of all pairs together; with mean = users, it is that of the mean of their values."""
    rows = probabilities(2, 30)
    with pytest.raises(
        recsql.RecsqlError, match=rf"^interval: {re.escape(metric)} over all pairs has none; set mean='users', or"
    ):
        recsql.evaluate_ratings(rows, metrics=metric, interval=0.95)
    assert all(
        row["low"] < row["high"] for row in recsql.evaluate_ratings(rows, metrics=metric, mean="users", interval=0.95).to_pylist()
    )


def test_the_scale_of_the_data_is_that_of_all_users() -> None:
    """Whoever is left out: an interval of nmae is that of mae on the same scale."""
    rows = ratings(2, 30)
    found = [recsql.evaluate_ratings(rows, metrics=one, interval=0.95).to_pylist() for one in ("nmae", "nmae(scale=4)")]
    spread = max(row["rating"] for row in rows.to_pylist()) - min(row["rating"] for row in rows.to_pylist())
    assert [row["std_error"] * spread for row in found[0]] == pytest.approx([row["std_error"] * 4 for row in found[1]], rel=1e-9)


def test_one_rater_has_no_interval() -> None:
    for row in recsql.evaluate_ratings(ratings(4, 1), interval=0.95).to_pylist():
        assert (row["low"], row["high"], row["few"]) == (None, None, True), row


# -- as the query computes it


def test_the_same_bits() -> None:
    """Whatever the threads and the order of the rows."""
    data = random_data(7, users=300)
    recs, truth, pairs, clicks = data.recs_table(), data.truth_table(), ratings(5, 150), probabilities(5, 150)
    calls: list[Callable[..., pa.Table]] = [
        lambda turn, **given: recsql.item_metrics(turn(recs), ["entropy", "coverage", "gini"], [1, 5], items=ITEMS, **given),
        lambda turn, **given: recsql.evaluate(turn(recs), turn(truth), ["f1(average=of_means)", "ndcg"], 5, **given),
        lambda turn, **given: recsql.evaluate_ratings(turn(pairs), **given),
        lambda turn, **given: recsql.evaluate_ratings(
            turn(clicks), metrics=["ece", "rating_auc", "logloss", "median_ae", "ne", "nmae"], **given
        ),
    ]
    for call in calls:
        expected = call(lambda table: table, interval=0.95).to_pylist()
        for threads in (1, 4):
            with duckdb.connect(config={"threads": threads}) as con:
                turned = call(lambda table: table.take(list(range(table.num_rows))[::-1]), interval=0.95, connection=con)
                assert turned.to_pylist() == expected


CALLS: list[tuple[Sequence[str], str, Row]] = [
    (LISTS_AND_ITEMS, "evaluate", {"metrics": ["ndcg", "dcg"]}),
    (LISTS_AND_ITEMS, "evaluate", {"metrics": "hit", "no_recs": "skip", "no_truth": "zero"}),
    (LISTS_AND_ITEMS, "evaluate", {"metrics": ["f1(average=of_means)"]}),
    (LISTS_AND_ITEMS, "evaluate", {"metrics": ["ndcg", "f1(average=of_means)", "coverage"], "items": ITEMS}),
    (LISTS_AND_ITEMS, "evaluate", {"metrics": ["ndcg"], "interval_method": "groups"}),
    (LISTS_AND_ITEMS, "evaluate", {"metrics": ["ndcg", "dcg"], "cluster": "relevance"}),
    (ITEMS_ALONE, "evaluate", {"metrics": ["gini", "entropy"], "train": ITEMS}),
    (ITEMS_ALONE, "evaluate", {"metrics": ["entropy"]}),
    (RATINGS, "rating_metrics", {}),
    (RATINGS, "rating_metrics", {"metrics": "mae"}),
    (RATINGS, "rating_metrics", {"metrics": "r2"}),
    (RATINGS, "rating_metrics", {"mean": "users"}),
    (RATINGS, "rating_metrics", {"metrics": "mse", "interval_method": "groups"}),
    (RATINGS, "rating_metrics", {"metrics": ["rating_auc", "ece"], "threshold": 3}),
    (RATINGS, "rating_metrics", {"metrics": ["rating_auc", "ece"], "threshold": 3, "interval_method": "groups"}),
    (RATINGS, "rating_metrics", {"metrics": "ece(binning=quantile)", "threshold": 3, "mean": "users"}),
    (RATINGS, "rating_metrics", {"metrics": ["median_ae", "mae"]}),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call[1]} {call[2]}"[:60])
@pytest.mark.parametrize("counted", [True, False])
def test_a_query_has_the_steps_that_it_reads_and_no_others(call: tuple[Sequence[str], str, Row], counted: bool) -> None:
    grains, target, settings = call
    data = random_data(8)
    tables = {"recs": data.recs_table(), "truth": data.truth_table()}
    given = {"predictions": ratings(1, 3)} if grains == RATINGS else {"recs": tables["recs"]} if grains == ITEMS_ALONE else tables
    further = {"interval": 0.9} | {name: value for name, value in settings.items() if name != "metrics"}
    k = None if grains == RATINGS else [1, 5]
    with opened(given, grains, further, settings.get("metrics"), k) as found:
        for binding in found.bindings(averaged=True, counted=counted and grains == LISTS_AND_ITEMS):
            has_what_it_reads(Query(binding, target).statement())


def test_fewer_groups_than_8() -> None:
    with pytest.raises(recsql.RecsqlError, match="groups: 4 is not at least 8 and at most 1024"):
        recsql.item_metrics(random_data(1).recs_table(), interval=0.95, groups=4)


def test_groups_where_values_of_users_are_averaged() -> None:
    with pytest.raises(recsql.RecsqlError, match="interval_method: groups needs mean='micro' for mae"):
        recsql.evaluate_ratings(ratings(1, 9), metrics="mae", mean="users", interval=0.95, interval_method="groups")


def test_without_an_error_there_is_no_interval() -> None:
    """No list has a hit, and no list is there: nothing tells how far from 0 other users would be."""
    recs = pa.table({"user_id": [1, 2, 3], "item_id": [9, 9, 9], "rank": [1, 1, 1]})
    truth = pa.table({"user_id": [1, 2, 3], "item_id": [1, 2, 9]})
    [row] = recsql.evaluate(recs.slice(0, 2), truth, "f1(average=of_means)", 1, interval=0.95).to_pylist()
    assert (row["value"], row["low"], row["high"]) == (0, None, None)
    for row in recsql.item_metrics(recs.slice(0, 0), ["entropy", "coverage"], 1, catalog_size=9, interval=0.95).to_pylist():
        assert (row["low"], row["high"], row["few"]) == (None, None, True)
