"""The rating metrics under random options, against their definitions in plain Python.

If it fails, a metric of ratings departs from its definition under some option or data.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import correlation, fmean, median, pvariance
from typing import Any

import duckdb
import pytest

import recsql
from tests.random_data import Id
from tests.support import near, table, without_definition

Pair = tuple[Id, Id]
Errors = Sequence[tuple[float, float]]  # rating, prediction
Metric = Callable[[Errors], float | None]


def mae(errors: Errors) -> float:
    return fmean(abs(rating - prediction) for rating, prediction in errors)


def mse(errors: Errors) -> float:
    return fmean((rating - prediction) ** 2 for rating, prediction in errors)


def r2(errors: Errors) -> float | None:
    variance = pvariance([rating for rating, _ in errors])
    return 1 - mse(errors) / variance if variance else None


def explained_variance(errors: Errors) -> float | None:
    variance = pvariance([rating for rating, _ in errors])
    return 1 - pvariance([rating - prediction for rating, prediction in errors]) / variance if variance else None


def mape(errors: Errors) -> float | None:
    shares = [abs(rating - prediction) / abs(rating) for rating, prediction in errors if rating]
    return fmean(shares) if shares else None


def places(values: list[float]) -> list[float]:
    """The place of each value; equal ones share their mean place."""
    return [sum(other < one for other in values) + (values.count(one) + 1) / 2 for one in values]


def rating_order(errors: Errors) -> float | None:
    x, y = (places([pair[side] for pair in errors]) for side in (0, 1))
    return correlation(x, y) if len({*x}) > 1 and len({*y}) > 1 else None


METRICS: dict[str, Metric] = {
    "nmae(scale=4)": lambda errors: mae(errors) / 4,
    "rating_order": rating_order,
    "explained_variance": explained_variance,
    "mae": mae,
    "mse": mse,
    "r2": r2,
    "rmse": lambda errors: math.sqrt(mse(errors)),
    "mape": mape,
    "median_ae": lambda errors: median(abs(rating - prediction) for rating, prediction in errors),
}


# -- of labels, which are ratings of 0 and 1, and probabilities


def logloss(pairs: Errors, clip: float = 2**-52) -> float:
    return fmean(-math.log(min(max(p if label else 1 - p, clip), 1 - clip)) for label, p in pairs)


def rating_auc(pairs: Errors) -> float | None:
    """Every 1 beside every 0."""
    ones, zeros = ([p for label, p in pairs if label == wanted] for wanted in (1, 0))
    wins = [(one > zero) + (one == zero) / 2 for one in ones for zero in zeros]
    return fmean(wins) if wins else None


def ece(pairs: Errors, bin_of: Callable[[float], int]) -> float:
    bins: dict[int, list[float]] = defaultdict(list)
    for label, p in pairs:
        bins[bin_of(p)].append(label - p)
    return sum(len(gaps) / len(pairs) * abs(fmean(gaps)) for gaps in bins.values())


def by_width(bins: int) -> Metric:
    return lambda pairs: ece(pairs, lambda p: sum(p >= edge / bins for edge in range(1, bins)))


def by_quantile(pairs: Errors, bins: int = 4) -> float:
    return ece(pairs, lambda p: sum(other < p for _, other in pairs) * bins // len(pairs))


def calibration_ratio(pairs: Errors) -> float | None:
    clicks = sum(label for label, _ in pairs)
    return sum(p for _, p in pairs) / clicks if clicks else None


def mce(pairs: Errors) -> float:
    bins: dict[int, list[float]] = defaultdict(list)
    for label, p in pairs:
        bins[sum(p >= edge / 10 for edge in range(1, 10))].append(label - p)
    return max(abs(fmean(gaps)) for gaps in bins.values())


def ne(pairs: Errors) -> float | None:
    """The loss beside that of the share of label 1, predicted for every pair."""
    share = fmean(label for label, _ in pairs)
    return logloss(pairs) / logloss([(label, share) for label, _ in pairs]) if 0 < share < 1 else None


def rig(pairs: Errors) -> float | None:
    found = ne(pairs)
    return None if found is None else 1 - found


def pr_auc(pairs: Errors) -> float | None:
    """The steps of recall, from the highest prediction down, times the precision there."""
    steps, before, ones = 0.0, 0.0, sum(label for label, _ in pairs)
    for cut in sorted({p for _, p in pairs}, reverse=True):
        above = [label for label, p in pairs if p >= cut]
        steps += (sum(above) - before) * fmean(above)
        before = sum(above)
    return steps / ones if ones else None


OF_LABELS: dict[str, Metric] = {
    "ece(norm=max)": mce,
    "ne": ne,
    "pr_auc": pr_auc,
    "rig": rig,
    "brier": mse,
    "calibration_ratio": calibration_ratio,
    "ece": by_width(10),
    "ece(binning=quantile, bins=4)": by_quantile,
    "ece(bins=7)": by_width(7),
    "logloss": logloss,
    "logloss(clip=0.125)": lambda pairs: logloss(pairs, 0.125),
    "rating_auc": rating_auc,
}


@dataclass(frozen=True)
class Trial:
    """Ratings of users and items, what each model predicts of them, NULL where it can't, and options."""

    ratings: dict[Pair, float]
    predictions: dict[str | None, dict[Pair, float | None]]
    apart: bool
    mean: str


def trial(seed: int) -> Trial:
    """Ratings in a table of their own lack some pairs that are predicted, and have some that are not."""
    draw = random.Random(seed)
    text, apart = draw.random() < 0.5, draw.random() < 0.5
    pairs: list[Pair] = [(f"user {user}", f"item {item}") if text else (user, item) for user in range(6) for item in range(8)]
    models: list[str | None] = draw.choice([[None], ["a"], ["a", "b", "c"]])
    predictions: dict[str | None, dict[Pair, float | None]] = {
        model: {pair: None if draw.random() < 0.2 else draw.uniform(0, 6) for pair in draw.sample(pairs, draw.randint(5, 25))}
        for model in models
    }
    predicted = {pair for of_model in predictions.values() for pair in of_model}
    rated = draw.sample(pairs, 35) if apart else sorted(predicted)
    scale = draw.choice([(1.0, 2.0, 3.0, 4.0, 5.0), (0.5, 4.5), (3.0,)])
    return Trial({pair: draw.choice(scale) for pair in rated}, predictions, apart, draw.choice(["micro", "users"]))


def expected_of(one: Trial, metrics: Mapping[str, Metric]) -> dict[tuple[str | None, str], dict[str, float | None]]:
    """The rows of each model; users are those of the pairs whose value is in the mean."""
    found: dict[tuple[str | None, str], dict[str, float | None]] = {}
    for model, predictions in one.predictions.items():
        joined = {pair: prediction for pair, prediction in predictions.items() if pair in one.ratings}
        errors: dict[Id, list[tuple[float, float]]] = defaultdict(list)
        for (user, item), prediction in joined.items():
            if prediction is not None:
                errors[user].append((one.ratings[user, item], prediction))
        pairs = sum(map(len, errors.values()))
        counts = {
            "pairs": pairs,
            "missing": len(joined) - pairs,
            "unmatched_predictions": len(predictions) - len(joined),
            "unmatched_ratings": len(one.ratings) - len(joined) if one.apart else 0,
        }
        groups = list(errors.values()) if one.mean == "users" else [[pair for of_user in errors.values() for pair in of_user]]
        for metric, measure in metrics.items():
            values = [value for group in groups if (value := measure(group)) is not None]
            users = len(values) if one.mean == "users" else len(errors)
            found[model, metric] = {
                "value": fmean(values) if values else None,
                "users": users if values else 0,
                **counts,
            }
    return found


def given(connection: duckdb.DuckDBPyConnection, one: Trial) -> dict[str, Any]:
    """The options as recsql is asked for them, the tables registered."""
    rows = [
        (model, *pair, prediction, *([] if one.apart else [one.ratings[pair]]))
        for model, predictions in one.predictions.items()
        for pair, prediction in predictions.items()
    ]
    connection.register("predictions", table(rows, ["model", "user_id", "item_id", "prediction", "rating"]))
    connection.register(
        "ratings", table([(*pair, rating) for pair, rating in one.ratings.items()], ["user_id", "item_id", "rating"])
    )
    return {"mean": one.mean} | ({"ratings": "ratings"} if one.apart else {})


SEEDS = range(48)


def check(con: duckdb.DuckDBPyConnection, one: Trial, metrics: Mapping[str, Metric], like: Trial, **options: Any) -> None:
    """The values of a trial are those of `like`, whose ratings may be labels."""
    rows = recsql.evaluate_ratings("predictions", metrics=[*metrics], connection=con, **given(con, one), **options).to_pylist()
    found = {(row.pop("model"), row.pop("metric")): without_definition(row) for row in rows}
    expected = expected_of(like, metrics)
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        assert found[key] == near(value), (key, one.mean)


@pytest.mark.parametrize("seed", SEEDS)
def test_definitions(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    one = trial(seed)
    check(connection, one, METRICS, one)


@pytest.mark.parametrize("seed", SEEDS[:24])
def test_definitions_of_labels_and_probabilities(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    """Probabilities from 0 to 1, many of which are equal; the labels are ratings from 3 on, or 0 and 1."""
    one, digits = trial(seed), 1 + seed % 2
    probabilities: dict[str | None, dict[Pair, float | None]] = {
        model: {pair: None if x is None else round(x / 6, digits) for pair, x in of_model.items()}
        for model, of_model in one.predictions.items()
    }
    rated = replace(one, predictions=probabilities)
    labelled = replace(rated, ratings={pair: float(rating >= 3) for pair, rating in one.ratings.items()})
    check(connection, rated, OF_LABELS, labelled, threshold=3)
    check(connection, labelled, OF_LABELS, labelled)


def test_the_trials_are_of_every_kind() -> None:
    trials = map(trial, SEEDS)
    assert len(Counter((one.apart, one.mean, len(set(one.ratings.values())) == 1) for one in trials)) == 8
