"""The rating metrics under random options, against their definitions in plain Python.

If it fails, a metric of ratings departs from its definition under some option or data.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, pvariance
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


METRICS: dict[str, Metric] = {
    "explained_variance": explained_variance,
    "mae": mae,
    "mse": mse,
    "r2": r2,
    "rmse": lambda errors: math.sqrt(mse(errors)),
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


def expected_of(one: Trial) -> dict[tuple[str | None, str], dict[str, float | None]]:
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
        for metric, measure in METRICS.items():
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


@pytest.mark.parametrize("seed", SEEDS)
def test_definitions(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    one = trial(seed)
    rows = recsql.evaluate_ratings("predictions", connection=connection, **given(connection, one)).to_pylist()
    found = {(row.pop("model"), row.pop("metric")): without_definition(row) for row in rows}
    expected = expected_of(one)
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        assert found[key] == near(value), (key, one.mean)


def test_the_trials_are_of_every_kind() -> None:
    trials = map(trial, SEEDS)
    assert len(Counter((one.apart, one.mean, len(set(one.ratings.values())) == 1) for one in trials)) == 8
