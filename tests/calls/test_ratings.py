"""Ratings against predictions: tables that are empty or do not match, what is refused, and what holds for any numbers.

If it fails, rmse, mae or r2 is wrong for pairs without a match, or accepts what it can't use.
"""

import math
import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recsql
from recsql.catalog import catalog
from tests.calls.test_items import Columns, Rows, agreed, both, register
from tests.support import fetched, macro_call, near

METRICS = sorted(catalog().usual_metrics("rating"))
PREDICTIONS: Columns = {"user_id": [1, 2], "item_id": [7, 8], "prediction": [1.5, 2.0]}
RATINGS: Columns = {"user_id": [1, 2], "item_id": [7, 8], "rating": [1.0, 3.0]}
NOBODY: Columns = {"user_id": [], "item_id": []}


def rows_of(connection: duckdb.DuckDBPyConnection, **options: Any) -> Rows:
    """The rows as Python and the macro give them alike."""
    rows = agreed(connection, recsql.evaluate_ratings, "predictions", **options)
    assert not isinstance(rows, str), rows
    return rows


def row(model: str | None, metric: str, value: float | None, **counts: int) -> dict[str, Any]:
    """A row whose value is of all its pairs, each of another user."""
    users = 0 if value is None else counts["pairs"]
    beside = {"missing": 0, "unmatched_predictions": 0, "unmatched_ratings": 0} | counts
    return {"model": model, "metric": metric, "value": value, "pairs": counts["pairs"], "users": users, **beside}


def valueless(model: str | None, **counts: int) -> Rows:
    return [row(model, metric, None, pairs=0, **counts) for metric in METRICS]


# -- the grid of empties

NO_PAIR = "predictions: no rating has a prediction; check the ids, and that not every prediction is NULL"
UNMET: dict[str, dict[str, Columns]] = {
    "no predictions": {"predictions": NOBODY | {"prediction": []}, "ratings": RATINGS},
    "no ratings": {"predictions": PREDICTIONS, "ratings": NOBODY | {"rating": []}},
    "neither": {"predictions": NOBODY | {"prediction": []}, "ratings": NOBODY | {"rating": []}},
    "no rows": {"predictions": NOBODY | {"prediction": [], "rating": []}},
    "other users": {"predictions": PREDICTIONS | {"user_id": [8, 9]}, "ratings": RATINGS},
    "other pairs": {"predictions": PREDICTIONS | {"item_id": [8, 7]}, "ratings": RATINGS},
    "nothing predicted": {"predictions": PREDICTIONS | {"prediction": pa.nulls(2, pa.float64())}, "ratings": RATINGS},
    "nothing predicted, of no type": {"predictions": PREDICTIONS | {"prediction": [None, None]}, "ratings": RATINGS},
}


@pytest.mark.parametrize("tables", UNMET.values(), ids=UNMET)
def test_nothing_to_compare(connection: duckdb.DuckDBPyConnection, tables: dict[str, Columns]) -> None:
    register(connection, **tables)
    options = {"ratings": "ratings"} if "ratings" in tables else {}
    assert agreed(connection, recsql.evaluate_ratings, "predictions", **options) == NO_PAIR


def test_a_model_without_a_prediction(connection: duckdb.DuckDBPyConnection) -> None:
    """Model b predicts nothing: it has rows without values, with the number of missing predictions."""
    beside: Columns = {
        "model": ["a", "a", "b", "b"],
        "user_id": [1, 2, 1, 2],
        "item_id": [7, 8, 7, 8],
        "prediction": [1.5, 2.0, None, None],
        "rating": [1.0, 3.0, 1.0, 3.0],
    }
    register(connection, predictions=beside)
    of_a = {"explained_variance": 0.4375, "mae": 0.75, "mse": 0.625, "r2": 0.375, "rmse": round(math.sqrt(0.625), 12)}
    expected = [row("a", metric, value, pairs=2) for metric, value in of_a.items()]
    assert rows_of(connection) == expected + valueless("b", missing=2)
    register(connection, ratings=RATINGS)
    assert rows_of(connection, ratings="ratings") == expected + valueless("b", missing=2)


def test_a_model_that_meets_no_rating(connection: duckdb.DuckDBPyConnection) -> None:
    """Model b predicts other items: it has rows without values, with the number of unmatched rows."""
    register(connection, predictions=PREDICTIONS | {"model": ["a", "b"], "item_id": [7, 9]}, ratings=RATINGS)
    found = rows_of(connection, ratings="ratings", metrics=["mae", "mse"])
    assert found == [
        row("a", "mae", 0.5, pairs=1, unmatched_ratings=1),
        row("a", "mse", 0.25, pairs=1, unmatched_ratings=1),
        *[row("b", metric, None, pairs=0, unmatched_predictions=1, unmatched_ratings=2) for metric in ("mae", "mse")],
    ]


def test_one_pair(connection: duckdb.DuckDBPyConnection) -> None:
    """One rating has no variance to explain."""
    register(connection, predictions={"user_id": [1], "item_id": [7], "prediction": [1.5], "rating": [1.0]})
    of_one = {"explained_variance": None, "mae": 0.5, "mse": 0.25, "r2": None, "rmse": 0.5}
    assert rows_of(connection) == [row(None, metric, value, pairs=1) for metric, value in of_one.items()]


@pytest.mark.parametrize("error", [1e-10, 1e-9, 1e-3, 1e8, 1e100])
def test_errors_of_any_size(connection: duckdb.DuckDBPyConnection, error: float) -> None:
    """Errors of one, two and three times `error`: a mean of 2, of squares 14 / 3, and 1 - 14 / 2 of the variance explained."""
    ratings = [error, 2 * error, 3 * error]
    register(connection, predictions={"user_id": [1, 2, 3], "item_id": [7] * 3, "prediction": [0.0] * 3, "rating": ratings})
    expected = {"mae": 2 * error, "mse": 14 / 3 * error**2, "r2": -6, "rmse": math.sqrt(14 / 3) * error}
    for rows in (
        recsql.evaluate_ratings("predictions", metrics=list(expected), connection=connection).to_pylist(),
        fetched(connection, f"from recsql.rating_metrics('predictions', metrics := {list(expected)})"),
    ):
        found = {row["metric"]: row["value"] for row in rows}
        assert found == {name: pytest.approx(value, rel=1e-12) for name, value in expected.items()}


def test_what_is_left_out_is_counted(connection: duckdb.DuckDBPyConnection) -> None:
    """Of five ratings one has a NULL prediction and two have none; of four predictions one has no rating."""
    predictions = {"user_id": [1, 2, 3, 9], "item_id": [7, 7, 7, 7], "prediction": [2.0, 4.0, None, 1.0]}
    ratings = {"user_id": [1, 2, 3, 4, 5], "item_id": [7] * 5, "rating": [1.0, 4.0, 2.0, 2.0, 2.0]}
    register(connection, predictions=predictions, ratings=ratings)
    [found] = rows_of(connection, ratings="ratings", metrics=["mae"])
    assert found == row(None, "mae", 0.5, pairs=2, missing=1, unmatched_predictions=1, unmatched_ratings=2)


# -- what is refused

TYPES = "{} is VARCHAR in predictions and BIGINT in ratings; cast one of them to the other's type"
TWICE = "user 1 and item 7 appear together more than once{}; keep one row per pair to join ratings and predictions"
IDS = "{} is NULL in a row (user_id {}, item_id {}); leave such rows out or give them an id"
PREDICTED = "predictions: prediction is {} for user 2, item 8; give a number below 1e150, or NULL for no prediction"
REFUSED: dict[str, tuple[dict[str, Columns], dict[str, Any], str]] = {
    "user_id of two types": ({"predictions": PREDICTIONS | {"user_id": ["1", "2"]}}, {}, TYPES.format("user_id")),
    "item_id of two types": ({"predictions": PREDICTIONS | {"item_id": ["7", "8"]}}, {}, TYPES.format("item_id")),
    "a NULL user": (
        {"predictions": PREDICTIONS | {"user_id": [1, None]}},
        {},
        "predictions: " + IDS.format("user_id", "NULL", 8),
    ),
    "a NULL item": (
        {"predictions": PREDICTIONS | {"item_id": [7, None]}},
        {},
        "predictions: " + IDS.format("item_id", 2, "NULL"),
    ),
    "a NULL user in ratings": ({"ratings": RATINGS | {"user_id": [1, None]}}, {}, "ratings: " + IDS.format("user_id", "NULL", 8)),
    "a NULL item in ratings": ({"ratings": RATINGS | {"item_id": [7, None]}}, {}, "ratings: " + IDS.format("item_id", 2, "NULL")),
    "a pair predicted twice": (
        {"predictions": PREDICTIONS | {"user_id": [1, 1], "item_id": [7, 7]}},
        {},
        "predictions: " + TWICE.format(""),
    ),
    "a pair predicted twice by a model": (
        {"predictions": PREDICTIONS | {"user_id": [1, 1], "item_id": [7, 7], "model": ["m", "m"]}},
        {},
        "predictions: " + TWICE.format(" for model m"),
    ),
    "a pair rated twice": ({"ratings": RATINGS | {"user_id": [1, 1], "item_id": [7, 7]}}, {}, "ratings: " + TWICE.format("")),
    "a NULL prediction that must not be": (
        {"predictions": PREDICTIONS | {"prediction": [1.0, None]}},
        {"missing": "error"},
        "predictions: prediction is NULL for user 2, item 8; missing='error' does not allow that",
    ),
    "an unknown value": ({}, {"missing": "skp"}, "missing: unknown value 'skp'; did you mean skip? choose one of skip, error"),
    "an unknown mean": ({}, {"mean": "user"}, "mean: unknown value 'user'; did you mean users? choose one of micro, users"),
}
REFUSED |= {
    f"a prediction of {number}": ({"predictions": PREDICTIONS | {"prediction": [1.0, number]}}, {}, PREDICTED.format(number))
    for number in (math.nan, math.inf, -math.inf)
}
REFUSED |= {
    f"a rating of {shown}": (
        {"ratings": RATINGS | {"rating": [1.0, number]}},
        {},
        f"ratings: rating is {shown} for user 2, item 8; every rating must be a number below 1e150",
    )
    for number, shown in {math.nan: "nan", math.inf: "inf", None: "NULL"}.items()
}


@pytest.mark.parametrize(("tables", "options", "sentence"), REFUSED.values(), ids=REFUSED)
def test_refused(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, Columns], options: dict[str, Any], sentence: str
) -> None:
    register(connection, **({"predictions": PREDICTIONS, "ratings": RATINGS} | tables))
    assert agreed(connection, recsql.evaluate_ratings, "predictions", ratings="ratings", **options) == sentence


@pytest.mark.parametrize(("rating", "shown"), [(math.nan, "nan"), (math.inf, "inf"), (None, "NULL")])
def test_a_rating_beside_the_prediction(connection: duckdb.DuckDBPyConnection, rating: float | None, shown: str) -> None:
    register(connection, predictions=PREDICTIONS | {"rating": [1.0, rating]})
    sentence = (
        f"predictions: rating is {shown} for user 2, item 8; every rating must be a number below 1e150, here or in the table {{}}"
    )
    found = both(connection, recsql.evaluate_ratings, "predictions")
    assert found == [sentence.format(name) for name in ("passed as ratings=", "ratings of recsql.rating_metrics_joined")]


@pytest.mark.parametrize("beside", [True, False])
@pytest.mark.parametrize(
    ("metric", "stars", "says"),
    [
        ("rating_auc", 3.0, "stars is 3.0 for user 2, item 8; the label must be 0 or 1, so give threshold=, the lowest rating"),
        ("mape(zero=error)", 0.0, "stars is 0 for user 2, item 8; mape_zero='error' does not allow that"),
    ],
)
def test_a_rating_that_a_metric_refuses(beside: bool, metric: str, stars: float, says: str) -> None:
    """The sentence names the column where it is: in the table of ratings, or beside the prediction."""
    rated = {"stars": [1.0, stars]}
    predictions, ratings = (pa.table(PREDICTIONS | rated), None) if beside else (pa.table(PREDICTIONS), pa.table(RATINGS | rated))
    with pytest.raises(recsql.RecsqlError, match=f"^{'predictions' if beside else 'ratings'}: {re.escape(says)}"):
        recsql.evaluate_ratings(predictions, ratings, metric, rating="stars")


def test_metrics_with_different_options_in_one_call(connection: duckdb.DuckDBPyConnection) -> None:
    """They are rows in the order of the call."""
    rated = {"user_id": [1, 1, 2], "item_id": [7, 8, 7], "prediction": [1.0, 1.0, 1.0], "rating": [1.0, 3.0, 2.0]}
    found = recsql.evaluate_ratings(pa.table(rated), metrics=["mae(mean=users)", "mse", "mae"], connection=connection)
    assert found.select(["metric", "value"]).to_pylist() == [
        {"metric": "mae(mean=users)", "value": 1.0},
        {"metric": "mse", "value": pytest.approx(5 / 3)},
        {"metric": "mae", "value": 1.0},
    ]


def test_a_pair_twice_where_nothing_is_joined(connection: duckdb.DuckDBPyConnection) -> None:
    """Beside its rating a prediction needs no other row: both pairs count."""
    register(connection, predictions=PREDICTIONS | {"user_id": [1, 1], "item_id": [7, 7], "rating": [1.0, 3.0]})
    [found] = rows_of(connection, metrics=["mae"])
    assert (found["value"], found["pairs"], found["users"]) == (0.75, 2, 1)


@pytest.mark.parametrize(
    ("tables", "says", "column"),
    [
        (
            {"predictions": PREDICTIONS},
            "predictions: there is no column rating; it has user_id, item_id, prediction; "
            "name the column with rating='...', or give the table of ratings",
            "rating",
        ),
        (
            {"predictions": RATINGS},
            "predictions: there is no column prediction; it has user_id, item_id, rating; name the column with prediction='...'",
            "prediction",
        ),
        (
            {"predictions": PREDICTIONS, "ratings": {"user_id": [1], "item_id": [7], "stars": [1.0]}},
            "ratings: there is no column rating; it has user_id, item_id, stars; name the column with rating='...'",
            "rating",
        ),
        (
            {"predictions": PREDICTIONS, "ratings": {"user_id": [1], "movie": [7], "rating": [1.0]}},
            "ratings: there is no column item_id; it has user_id, movie, rating; name the column with item='...'",
            "item_id",
        ),
    ],
    ids=["rating", "prediction", "rating of ratings", "item_id"],
)
def test_a_column_that_is_not_there(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, Columns], says: str, column: str
) -> None:
    register(connection, **tables)
    options = {"ratings": "ratings"} if "ratings" in tables else {}
    with pytest.raises(recsql.BadInput) as refused:
        recsql.evaluate_ratings("predictions", connection=connection, **options)
    assert str(refused.value) == says
    with pytest.raises(duckdb.Error, match=rf"\b{column}\b"):
        connection.execute(macro_call(f"rating_metrics{'_joined' * bool(options)}", "predictions", **options)).fetchall()


@pytest.mark.parametrize("column", ["prediction", "rating"])
def test_text_for_a_number(column: str) -> None:
    text = pa.table(PREDICTIONS | {"rating": [1.0, 2.0]} | {column: ["a", "b"]})
    with pytest.raises(recsql.BadInput, match=rf"predictions: {column} is VARCHAR; {column} must be a number"):
        recsql.evaluate_ratings(text)


@pytest.mark.parametrize(
    ("metrics", "says"),
    [
        ("rmse@5", r"rmse@5: ratings have no cut-off; write rmse$"),
        (["mae", "ndcg"], "ndcg is not available here; use evaluate or per_user"),
        ("entropy", "entropy is not available here; it is one value for all lists together"),
        ("rmsee", "unknown metric 'rmsee'; did you mean rmse?"),
        ([], "metrics: the list is empty"),
    ],
)
def test_wrong_metric(metrics: Any, says: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=says):
        recsql.evaluate_ratings(pa.table(PREDICTIONS), pa.table(RATINGS), metrics)


def test_an_unknown_metric_of_the_macro(connection: duckdb.DuckDBPyConnection) -> None:
    register(connection, predictions=PREDICTIONS, ratings=RATINGS)
    with pytest.raises(duckdb.InvalidInputException, match="unknown metric 'rmsee'; did you mean rmse"):
        connection.execute("from recsql.rating_metrics_joined('predictions', 'ratings', metrics := ['rmsee'])").fetchall()


# -- what holds for any numbers

a_few = settings(max_examples=6, deadline=None, derandomize=True)
numbers = st.integers(-100, 100).map(lambda tenths: tenths / 10)
pairs = st.lists(st.tuples(numbers, numbers), min_size=2, max_size=30)
pairs = pairs.filter(lambda rows: len({rating for rating, _ in rows}) > 1)
Pairs = Sequence[tuple[float, float | None]]
Found = Mapping[str, float | None]


def table(rows: Pairs) -> pa.Table:
    """A rating and its prediction a row: three users in turn, each item once."""
    ratings, predictions = zip(*rows, strict=True)
    ids = {"user_id": [n % 3 for n in range(len(rows))], "item_id": list(range(len(rows)))}
    return pa.table(ids | {"rating": list(ratings), "prediction": pa.array(predictions, pa.float64())})


def measured(con: duckdb.DuckDBPyConnection, rows: Pairs | pa.Table, **options: Any) -> Found:
    given = rows if isinstance(rows, pa.Table) else table(rows)
    found = recsql.evaluate_ratings(given, connection=con, **options)
    return dict(zip(found["metric"].to_pylist(), found["value"].to_pylist(), strict=True))


@a_few
@given(rows=pairs)
def test_rmse_is_no_less_than_mae(con: duckdb.DuckDBPyConnection, rows: Pairs) -> None:
    found = measured(con, rows)
    mae, mse, rmse = (found[name] or 0.0 for name in ("mae", "mse", "rmse"))
    assert 0 <= mae <= rmse + 1e-12
    assert rmse**2 == pytest.approx(mse, rel=1e-12)
    r2, explained_variance = found["r2"], found["explained_variance"]
    assert r2 is not None
    assert explained_variance is not None
    assert r2 <= explained_variance + 1e-9 <= 1 + 1e-8


@a_few
@given(rows=pairs)
def test_perfect_predictions(con: duckdb.DuckDBPyConnection, rows: Pairs) -> None:
    perfect = {"mae": 0.0, "mse": 0.0, "rmse": 0.0, "r2": 1.0, "explained_variance": 1.0}
    assert measured(con, [(rating, rating) for rating, _ in rows]) == pytest.approx(perfect, abs=1e-12)


@a_few
@given(rows=pairs, by=st.floats(-50, 50))
def test_shift(con: duckdb.DuckDBPyConnection, rows: Sequence[tuple[float, float]], by: float) -> None:
    """Shifting both changes nothing; shifting only the predictions keeps their correlation."""
    found = measured(con, rows)
    assert measured(con, [(rating + by, guess + by) for rating, guess in rows]) == pytest.approx(found, rel=1e-6, abs=1e-6)
    biased = measured(con, [(rating, guess + by) for rating, guess in rows])
    assert biased["explained_variance"] == pytest.approx(found["explained_variance"], rel=1e-6, abs=1e-6)


@a_few
@given(rows=pairs, by=st.floats(0.01, 100))
def test_scale(con: duckdb.DuckDBPyConnection, rows: Sequence[tuple[float, float]], by: float) -> None:
    found = measured(con, rows)
    powers = {"mae": 1, "mse": 2, "rmse": 1, "r2": 0, "explained_variance": 0}
    expected = {name: (found[name] or 0.0) * by**power for name, power in powers.items()}
    assert measured(con, [(rating * by, guess * by) for rating, guess in rows]) == pytest.approx(expected, rel=1e-6, abs=1e-9)


@a_few
@given(rows=pairs, seed=st.integers(0, 10**6), mean=st.sampled_from(["micro", "users"]))
def test_two_tables_in_any_order_are_one(con: duckdb.DuckDBPyConnection, rows: Pairs, seed: int, mean: str) -> None:
    together = table(rows)
    draw = random.Random(seed)
    apart = [together.take(draw.sample(range(len(rows)), len(rows))) for _ in range(2)]
    predictions, ratings = apart[0].drop_columns("rating"), apart[1].drop_columns("prediction")
    expected = measured(con, together, mean=mean)
    assert measured(con, predictions, ratings=ratings, mean=mean) == near(expected, 1e-9)
    assert measured(con, apart[0], mean=mean) == near(expected, 1e-9)


@a_few
@given(rows=pairs, without=st.lists(numbers, max_size=5))
def test_what_is_not_predicted_changes_nothing(con: duckdb.DuckDBPyConnection, rows: Pairs, without: list[float]) -> None:
    missing = [(rating, None) for rating in without]
    assert measured(con, [*rows, *missing]) == near(measured(con, rows), 1e-9)


@a_few
@given(rows=st.lists(st.tuples(numbers, numbers), min_size=9, max_size=30))
def test_mean_of_the_users_own_values(con: duckdb.DuckDBPyConnection, rows: Pairs) -> None:
    of_users = [measured(con, table(rows).filter(pa.compute.field("user_id") == user)) for user in range(3)]
    found = measured(con, rows, mean="users")
    for name in ("mae", "mse", "rmse"):
        assert found[name] == pytest.approx(sum(one[name] or 0.0 for one in of_users) / 3, rel=1e-9, abs=1e-12)


@a_few
@given(rows=pairs, others=pairs)
def test_models_do_not_touch_each_other(con: duckdb.DuckDBPyConnection, rows: Pairs, others: Pairs) -> None:
    tables = {
        model: table(one).append_column("model", pa.array([model] * len(one))) for model, one in {"a": rows, "b": others}.items()
    }
    found = recsql.evaluate_ratings(pa.concat_tables(tables.values()), connection=con).to_pylist()
    for model, one in {"a": rows, "b": others}.items():
        beside = {row["metric"]: row["value"] for row in found if row["model"] == model}
        assert beside == near(measured(con, one), 1e-9)
