"""Slices: each segment has what its users alone have, and all users what they have without slices.

If it fails, a segment's value is not that of its users.
"""

import json
import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import recsql
from recsql.cli import main
from tests.random_data import random_data

Row = dict[str, Any]
Rows = Sequence[Row]

# Users 1 to 4 have one relevant item each. Model a finds those of 1 and 2, at ranks 2 and 1; model b that of user 3.
RECS = pa.table(
    {"model": ["a", "a", "a", "b", "b"], "user_id": [1, 1, 2, 2, 3], "item_id": [7, 1, 2, 1, 3], "rank": [1, 2, 1, 1, 1]}
)
TRUTH = pa.table({"user_id": [1, 2, 3, 4], "item_id": [1, 2, 3, 4], "country": ["DE", "FR", "DE", None]})
SEGMENTS = pa.table({"user_id": [1, 2, 2, 3], "plan": ["free", "paid", "free", None], "age": [20, 30, 30, 40]})


def cells(result: pa.Table, *names: str) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """The values of each row by model, slice and segment."""
    return {
        (row["model"], row["slice"], row["segment"]): tuple(row[name] for name in names or ("value", "users", "share"))
        for row in result.to_pylist()
    }


# -- worked out by hand


def test_a_column_of_truth() -> None:
    result = recsql.evaluate(RECS, TRUTH, "rr", 2, by="country")
    assert result.column_names == ["model", "slice", "segment", "metric", "k", "value", "users", "lists", "share", "definition"]
    assert cells(result) == {
        ("a", None, None): ((0.5 + 1) / 4, 4, 1.0),
        ("a", "country", "DE"): (0.5 / 2, 2, 0.5),
        ("a", "country", "FR"): (1.0, 1, 0.25),
        ("a", "country", None): (0.0, 1, 0.25),
        ("b", None, None): (1 / 4, 4, 1.0),
        ("b", "country", "DE"): (1 / 2, 2, 0.5),
        ("b", "country", "FR"): (0.0, 1, 0.25),
        ("b", "country", None): (0.0, 1, 0.25),
    }


def test_a_table_of_segments() -> None:
    """User 2 is in two segments and counts in each; user 4 is not in the table, and user 3 has no value."""
    result = recsql.evaluate(RECS, TRUTH, "hit", 2, by="plan", segments=SEGMENTS)
    assert {key: found for key, found in cells(result).items() if key[0] == "a"} == {
        ("a", None, None): (2 / 4, 4, 1.0),
        ("a", "plan", "free"): (2 / 2, 2, 0.5),
        ("a", "plan", "paid"): (1.0, 1, 0.25),
        ("a", "plan", None): (0.0, 2, 0.5),
    }


def test_several_and_crossed() -> None:
    """Columns of two tables; a user without any of the values is in no segment."""
    result = recsql.evaluate(RECS, TRUTH, "hit", 2, by=["country", "plan x country"], segments=SEGMENTS)
    assert [key[1:] for key in cells(result) if key[0] == "a"] == [
        (None, None),
        *(("country", segment) for segment in ("DE", "FR", None)),
        *(("plan x country", segment) for segment in ("(none) / DE", "free / DE", "free / FR", "paid / FR", None)),
    ]
    crossed = {key[2]: found for key, found in cells(result, "value", "users").items() if key[:2] == ("a", "plan x country")}
    assert crossed == {
        "free / DE": (1.0, 1),
        "(none) / DE": (0.0, 1),
        "free / FR": (1.0, 1),
        "paid / FR": (1.0, 1),
        None: (0.0, 1),
    }


def test_a_column_of_recs() -> None:
    """Users without a list have none."""
    recs = RECS.append_column("group", pa.array(["x", "x", "y", "y", "x"]))
    found = cells(recsql.evaluate(recs, TRUTH, "hit", 2, by="group"), "value", "users")
    assert found["a", "group", "x"] == (1 / 2, 2)
    assert found["b", "group", "y"] == (0.0, 1)
    assert found["b", "group", None] == (0.0, 1)


def test_the_table_of_segments_comes_first() -> None:
    """It has the column as well as truth."""
    segments = pa.table({"user_id": [1, 2, 3, 4], "country": ["x", "x", "x", "x"]})
    found = cells(recsql.evaluate(RECS, TRUTH, "hit", 2, by="Country", segments=segments), "users")
    assert found == {(model, *key): (4,) for model in "ab" for key in ((None, None), ("Country", "x"))}


def test_a_share_is_one_of_the_users_with_a_value() -> None:
    """User 4 has no ndcg, as the relevant item has no gain."""
    truth = TRUTH.append_column("relevance", pa.array([1.0, 1.0, 1.0, 0.5]))
    options: Any = {"gain": "map", "gain_map": {1: 1, 0.5: 0}}
    found = cells(recsql.evaluate(RECS, truth, "ndcg", 2, by="country", **options), "users", "share")
    assert found["a", None, None] == (3, 1.0)
    assert found["a", "country", "DE"] == (2, 2 / 3)
    assert found["a", "country", None] == (0, 0.0)


def test_columns_beside_the_values_of_users() -> None:
    rows = recsql.per_user(RECS, TRUTH, ["hit", "ap"], 2, by=["country", "plan", "plan x country"], segments=SEGMENTS)
    assert rows.column_names[4:] == ["relevant", "country", "plan", "plan x country", "hit", "ap"]
    told = {row["user_id"]: tuple(row[name] for name in rows.column_names[5:8]) for row in rows.to_pylist()}
    assert told == {
        1: ("DE", "free", "free / DE"),
        2: ("FR", "free, paid", "free / FR, paid / FR"),
        3: ("DE", None, "(none) / DE"),
        4: (None, None, None),
    }
    without = recsql.per_user(RECS, TRUTH, ["hit", "ap"], 2)
    assert rows.drop_columns(["country", "plan", "plan x country"]).to_pylist() == without.to_pylist()


def test_several_queries() -> None:
    """Metrics with options of their own need another query; the rows are those of each metric alone."""
    metrics = ["hit", "ndcg(gain=binary)", "rr"]
    by: dict[str, Any] = {"by": ["country", "plan"], "segments": SEGMENTS}
    whole = recsql.evaluate(RECS, TRUTH, metrics, 2, **by).to_pylist()
    alone = [row for metric in metrics for row in recsql.evaluate(RECS, TRUTH, metric, 2, **by).to_pylist()]
    assert sorted(map(repr, whole)) == sorted(map(repr, alone))
    assert [row["metric"] for row in whole[:3]] == metrics
    tables = {"recs": RECS, "truth": TRUTH, "users": SEGMENTS}
    with duckdb.connect() as con:
        for name, rows in tables.items():
            con.register(name, rows)
        text = recsql.sql("recs", "truth", metrics, 2, connection=con, by=["country", "plan"], segments="users")
        assert con.sql(text).to_arrow_table().to_pylist() == whole
    of_users = recsql.per_user(RECS, TRUTH, metrics, 2, **by)
    assert of_users.column_names[5:] == ["country", "plan", *metrics]
    assert of_users.select(["user_id", "country", "plan"]).to_pylist()[:2] == [
        {"user_id": 1, "country": "DE", "plan": "free"},
        {"user_id": 2, "country": "FR", "plan": "free, paid"},
    ]


def test_where_the_column_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files of the command line, with text and numbers as they are written."""
    paths = {name: str(tmp_path / f"{name}.csv") for name in ("recs", "truth", "users")}
    for name, rows in {"recs": RECS, "truth": TRUTH, "users": SEGMENTS}.items():
        duckdb.from_arrow(rows).write_csv(paths[name])
    command = ["evaluate", paths["recs"], paths["truth"], "-m", "hit", "-k", "2", "--by", "country,age"]
    assert main([*command, "--segments", paths["users"]]) == 0
    assert (
        capsys.readouterr().out
        == """\
metric  slice    segment       a       b  users   share
------  -------  -------  ------  ------  -----  ------
hit@2            all      0.5000  0.2500      4  1.0000
hit@2   country  DE       0.5000  0.5000      2  0.5000
hit@2   country  FR       1.0000  0.0000      1  0.2500
hit@2   country  (none)   0.0000  0.0000      1  0.2500
hit@2   age      20       1.0000  0.0000      1  0.2500
hit@2   age      30       1.0000  0.0000      1  0.2500
hit@2   age      40       0.0000  1.0000      1  0.2500
hit@2   age      (none)   0.0000  0.0000      1  0.2500

Users in the mean: 4. Users with truth: 4.
Without a list (counted as 0): 2.
"""
    )


def test_users_in_several_segments_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    recsql.show(recsql.evaluate(RECS, TRUTH, "hit", 2, by=["country", "plan"], segments=SEGMENTS))
    assert capsys.readouterr().out.endswith(
        "Some users are in several segments of plan and count in each, so the shares add up to more than 1.\n"
    )


def test_small_segments_can_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    """FR and (none) have a user each."""
    result = recsql.evaluate(RECS, TRUTH, "hit", 2, by="country", min_users=2)
    assert [key for key in cells(result) if key[0] == "a"] == [("a", None, None), ("a", "country", "DE")]
    told = json.loads(result.schema.metadata[b"recsql"])
    assert [model["segments_left_out"] for model in told["models"]] == [2, 2]
    recsql.show(result)
    assert "\nSegments with fewer than 2 users (left out): 2.\n" in capsys.readouterr().out
    skipped = recsql.evaluate(RECS, TRUTH, "hit", 2, by="country", min_users=2, no_recs="skip")
    assert [(row["model"], row["users"]) for row in skipped.to_pylist()] == [("a", 2), ("b", 2)]


LISTS = pa.table(
    {"user_id": [1, 2, 3], "likes": [["jazz", "folk", "jazz"], ["folk"], []], "ages": [[20, 30], [30], [40]]},
)


def test_lists_of_segments() -> None:
    """A value that is twice in a list counts once; a user with an empty list has no segment."""
    result = recsql.evaluate(RECS, TRUTH, "rr", 2, by=["likes", "ages x likes"], segments=LISTS)
    assert {key[1:]: found for key, found in cells(result, "value", "users").items() if key[0] == "a"} == {
        (None, None): (1.5 / 4, 4),
        ("likes", "folk"): (1.5 / 2, 2),
        ("likes", "jazz"): (0.5, 1),
        ("likes", None): (0.0, 2),
        ("ages x likes", "20 / folk"): (0.5, 1),
        ("ages x likes", "20 / jazz"): (0.5, 1),
        ("ages x likes", "30 / folk"): (1.5 / 2, 2),
        ("ages x likes", "30 / jazz"): (0.5, 1),
        ("ages x likes", "40 / (none)"): (0.0, 1),
        ("ages x likes", None): (0.0, 1),
    }


def ages(*numbers: float | str | None) -> pa.Table:
    return pa.table({"user_id": [1, 2, 3, 4], "age": list(numbers)})


@pytest.mark.parametrize(
    ("cut", "numbers", "segments"),
    [
        ("[18,25, 35.5]", (17.9, 18, 25, 35.5), ["< 18", "18 to < 25", "25 to < 35.5", "35.5+"]),
        ("[18]", (-1, None, 18, 17), ["< 18", None, "18+", "< 18"]),
        ("[0.5,1e3]", ("0.4", " 7", "1000", None), ["< 0.5", "0.5 to < 1000", "1000+", None]),
        ("[q2]", (5, 1, 9, 7), ["q1", "q1", "q2", "q2"]),
        ("[q4]", (5, 5, 5, 9), ["q1", "q1", "q1", "q4"]),
        ("[q3]", (1, 2, None, 3), ["q1", "q2", None, "q3"]),
        ("[q10]", (1, 2, 3, 4), ["q01", "q03", "q06", "q08"]),
    ],
    ids=str,
)
def test_numbers_are_cut(cut: str, numbers: Sequence[Any], segments: list[str | None]) -> None:
    """An end belongs to the range above it, and equal numbers to one quantile: that of the first of them."""
    rows = recsql.per_user(RECS, TRUTH, "hit", 2, by=f"age{cut}", segments=ages(*numbers)).to_pylist()
    assert [row[f"age{cut}"] for row in rows if row["model"] == "a"] == segments


def test_a_column_called_rowid_orders_nothing() -> None:
    recs = pa.table({"user_id": [1, 2, 3], "item_id": [7, 7, 7], "rank": [1, 1, 1]})
    named = pa.table({"user_id": [1, 2, 3], "rowid": [30, 20, 10]})
    rows = recsql.per_user(recs, recs.select(["user_id", "item_id"]), "hit", 1, by="rowid", segments=named).to_pylist()
    assert [(row["user_id"], row["rowid"]) for row in rows] == [(1, "30"), (2, "20"), (3, "10")]


def test_ranges_are_in_order() -> None:
    """So are quantiles, which do not depend on the slices beside them."""
    segments = pa.table({"user_id": [1, 2, 3, 4], "n": [5, 70, 300, 9], "likes": [["x", "y", "z"], ["x"], ["y"], ["z"]]})
    by = ["n[8,100,200]", "n[q2]", "likes", "n[8] x likes"]
    rows = recsql.evaluate(RECS, TRUTH, ["hit", "rr(like=ranx)"], 2, by=by, segments=segments).to_pylist()
    told = list(dict.fromkeys((row["slice"], row["segment"]) for row in rows))
    assert told[1:6] == [*((by[0], segment) for segment in ("< 8", "8 to < 100", "200+")), (by[1], "q1"), (by[1], "q2")]
    assert told[-6:] == [(by[3], segment) for segment in ("< 8 / x", "< 8 / y", "< 8 / z", "8+ / x", "8+ / y", "8+ / z")]


TRAIN = pa.table(
    {"user_id": [1] * 2 + [2] * 21 + [3] * 20 + [9] * 101, "item_id": [*range(2), *range(21), *range(20), *range(101)]}
)


def test_rows_in_train() -> None:
    """User 4 has none, and is not in the table of segments."""
    given: dict[str, Any] = {"train": TRAIN, "segments": SEGMENTS}
    rows = recsql.evaluate(
        RECS, TRUTH, "rr", 2, by=["train.activity", "train.activity[1,5,21]", "plan x train.activity"], **given
    )
    assert [(*key[1:], *found) for key, found in cells(rows, "value", "users").items() if key[0] == "a"] == [
        (None, None, 1.5 / 4, 4),
        ("train.activity", "0", 0.0, 1),
        ("train.activity", "1-2", 0.5, 1),
        ("train.activity", "3-20", 0.0, 1),
        ("train.activity", "21-100", 1.0, 1),
        ("train.activity[1,5,21]", "0", 0.0, 1),
        ("train.activity[1,5,21]", "1-4", 0.5, 1),
        ("train.activity[1,5,21]", "5-20", 0.0, 1),
        ("train.activity[1,5,21]", "21+", 1.0, 1),
        ("plan x train.activity", "(none) / 0", 0.0, 1),
        ("plan x train.activity", "(none) / 3-20", 0.0, 1),
        ("plan x train.activity", "free / 1-2", 0.5, 1),
        ("plan x train.activity", "free / 21-100", 1.0, 1),
        ("plan x train.activity", "paid / 21-100", 1.0, 1),
    ]


def test_rows_in_train_beside_the_values_of_users() -> None:
    """As among the means, user 4 has no row in train and is in no table."""
    by = ["train.activity", "plan x train.activity[2]"]
    given: dict[str, Any] = {"metrics": ["rr", "hit(no_recs=skip)"], "k": 2, "by": by, "train": TRAIN, "segments": SEGMENTS}
    expected = {
        1: ("1-2", "free / 2+"),
        2: ("21-100", "free / 2+, paid / 2+"),
        3: ("3-20", "(none) / 2+"),
        4: ("0", "(none) / 0-1"),
    }
    for function in (recsql.per_user, recsql.differences):
        rows = function(RECS, TRUTH, **given).to_pylist()
        assert {row["user_id"]: tuple(row[name] for name in by) for row in rows} == expected
    compared = recsql.compare(RECS, TRUTH, "rr", 2, by="train.activity", train=TRAIN).to_pylist()
    assert [(row["segment"], row["users"], row["difference"]) for row in compared] == [
        (None, 4, 0.125),
        ("0", 1, 0.0),
        ("1-2", 1, 0.5),
        ("3-20", 1, -1.0),
        ("21-100", 1, 1.0),
    ]


# -- what is refused

TWO_COUNTRIES = pa.table({"user_id": [1, 1, 2], "item_id": [1, 2, 2], "country": ["DE", "FR", "FR"]})
WITH_AND_WITHOUT = pa.table({"user_id": [1, 1, 2], "item_id": [1, 2, 2], "country": ["DE", None, "FR"]})
CITIES = pa.table({"user_id": list(range(101)), "item_id": [1] * 101, "city": [str(n) for n in range(101)]})
REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    (TRUTH, {"by": "contry"}, "by: there is no column contry in truth nor recs; did you mean country? there are"),
    (TRUTH, {"by": "plan", "segments": TRUTH}, "by: there is no column plan in segments nor truth nor recs; there are user_id"),
    (TWO_COUNTRIES, {"by": "country"}, "truth: user 1 has two values of country: DE and FR; give every user one, or"),
    (WITH_AND_WITHOUT, {"by": "country"}, "truth: user 1 has two values of country: DE and NULL; give every user one, or"),
    (CITIES, {"by": "city"}, "by: city has 101 segments, and at most 100 are shown; group its values in a view"),
    (
        TRUTH,
        {"by": ["age", "plan"], "segments": SEGMENTS, "multiple": "error"},
        "segments: user 2 has several segments of plan: free and paid; give every user one, or set multiple='each'",
    ),
    (TRUTH, {"by": "country", "min_users": 0}, "min_users: 0 is not at least 1"),
    (TRUTH, {"min_users": 5}, "min_users: it applies only with by=; give that as well, or leave min_users= out"),
    (LISTS.append_column("item_id", pa.array([1, 2, 3])), {"by": "likes"}, "truth: likes is a LIST; give one value per row"),
    (
        TRUTH,
        {"by": "age[18]", "segments": ages("1", "x", "2", None)},
        "by: age of user 2 is x, which is not a number to cut; correct",
    ),
    (TRUTH, {"by": "age[q2]", "segments": ages(1.0, 2.0, float("nan"), 3.0)}, "by: age of user 3 is nan, which is not a number"),
    (
        TRUTH,
        {"by": "age[25,18]"},
        "by: age[25,18]: give the ends of ranges in ascending order, as in age[18,25,35], or quantiles",
    ),
    (TRUTH, {"by": "age[x]"}, "by: age[x]: give the ends of ranges in ascending order"),
    (TRUTH, {"by": "age[]"}, "by: age[]: give the ends of ranges in ascending order"),
    (TRUTH, {"by": "age[q1]"}, "by: age[q1]: give from 2 to 100 quantiles, as in activity[q4]"),
    (TRUTH, {"by": "train.activity[q4]"}, "by: train.activity[q4]: the activity is cut at whole numbers from 1, as in"),
    (TRUTH, {"by": "train.activity"}, "by: train.activity is the number of a user's rows in train; give that table as well"),
    (TRUTH, {"by": "train.activity", "train": TRAIN.select(["item_id"])}, "train: there is no column user_id, whose rows"),
    (
        TRUTH,
        {"by": "train.activity", "train": pa.table({"user_id": ["1"], "item_id": [1]})},
        "user_id is BIGINT in recs and VARCHAR in train; cast one",
    ),
    (
        TRUTH,
        {"by": "plan x country", "segments": pa.table({"user_id": [1, 2], "plan": ["a", "a / b"]})},
        "by: plan of user 2 is a / b, which would be unclear when it is crossed; rename the value in a view",
    ),
    (TRUTH, {"by": ["country", "Country"]}, "by: country is named twice; name each slice once"),
    (TRUTH, {"by": "country,"}, "by: 'country,' does not name a column; give a name such as 'country', or several"),
    (TRUTH, {"by": 3}, "by: 3 does not name columns; give a name such as 'country', or a list of names"),
    (TRUTH, {"by": []}, "by: [] does not name a column"),
    (TRUTH, {"segments": SEGMENTS}, "segments: it applies only with by=; give that as well, or leave segments= out"),
    (TRUTH, {"by": "plan", "segments": pa.table({"plan": ["free"]})}, "segments: there is no column user_id; it has plan"),
    (TRUTH, {"by": "plan", "segments": pa.table({"user_id": ["1"], "plan": ["x"]})}, "user_id is BIGINT in recs and VARCHAR"),
    (TRUTH, {"by": [f"c{n}" for n in range(17)]}, "by: 17 columns; give at most 16"),
]


@pytest.mark.parametrize(("truth", "options", "sentence"), REFUSED)
def test_what_is_refused(truth: pa.Table, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=re.escape(sentence)):
        recsql.evaluate(RECS, truth, "hit", 2, **options)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: recsql.hits(RECS, TRUTH, 2, by="country"), "by: hits has rows of lists and no users to group; leave by= out"),
        (
            lambda: recsql.per_user(RECS, TRUTH, "hit", 2, by="country", min_users=2),
            "min_users: per_user has the values of each user and leaves out no segment; leave min_users= out",
        ),
        *(
            (lambda function=function, by=by: function(RECS, TRUTH, "hit", 2, train=TRAIN, **by), "train: it is read only for by")
            for function in (recsql.per_user, recsql.differences, recsql.compare)
            for by in ({}, {"by": "country"})
        ),
        (
            lambda: recsql.differences(RECS, TRUTH, "hit", 2, by="Value", segments=pa.table({"user_id": [1], "value": [1]})),
            "by: the result already has a column Value; rename yours in a view, or leave one of them out",
        ),
        (lambda: recsql.curve(RECS, TRUTH, by="country"), "by: a curve has a line for each model and none for segments"),
        (lambda: recsql.conventions(RECS, TRUTH, "hit", by="country"), "by: conventions has no slices"),  # type: ignore[call-arg]
        (lambda: recsql.evaluate(RECS, TRUTH, "ndcg(by=country)"), "ndcg does not read by; leave it out of the brackets"),
        (
            lambda: recsql.per_user(RECS, TRUTH, "hit", by="relevant", segments=pa.table({"user_id": [1], "relevant": [1]})),
            "by: the result already has a column relevant",
        ),
    ],
)
def test_where_it_is_refused(call: Any, sentence: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=re.escape(sentence)):
        call()


# -- against the users of a segment alone

METRICS = ["ndcg", "recall", "precision", "ap", "hit", "rr", "f1", "dcg", "fp", "hits", "r_precision", "rbp"]
OPTIONS: list[dict[str, Any]] = [
    {"no_recs": "skip"},
    {"zero_ideal": "skip", "gain": "map", "gain_map": {-1: 0, 0: 0, 1: 0, 2: 1, 3: 2}},
    {"zero_ideal": "zero", "gain": "map", "gain_map": {-1: 0, 0: 0, 1: 0, 2: 1, 3: 2}},
    {"users": "union", "no_truth": "zero"},
    {"users": "intersection", "no_truth": "one_if_both_empty"},
    {"f1_average": "of_means"},
    {"ties": "expected", "rank_by": "score"},
    {"interval": 0.9, "no_recs": "skip", "interval_method": "t"},
    {"interval": 0.9, "f1_average": "of_means"},
]


def sliced_data(seed: int) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Lists and truth, and the segments of most of the users; some users have two countries."""
    data = random_data(seed, users=40, models=("a", "b"), ties=True)
    draw = random.Random(seed)
    rows = [(n, draw.choice(["DE", "FR", None]), draw.choice(["x", "y"])) for n in range(60) if draw.random() < 0.9]
    rows += [(n, "IT", "x") for n, _, _ in rows[::7]]
    segments = pa.table(dict(zip(("user_id", "country", "group"), map(list, zip(*rows, strict=True)), strict=True)))
    columns = ("model", "user_id", "item_id", "rank", "score")
    return data.recs_table(*columns), data.truth_table(), segments


def members(segments: pa.Table, name: str, segment: str | None, everyone: set[int]) -> list[int]:
    """The users of a segment, one by one."""
    told: dict[int, set[str | None]] = {}
    for row in segments.to_pylist():
        parts = [row[part] for part in name.split(" x ")]
        value = " / ".join(part or "(none)" for part in parts) if any(parts) else None
        told.setdefault(row["user_id"], set()).add(value)
    return sorted(user for user in everyone if segment in told.get(user, {None}))


def of_users(table: pa.Table, users: Sequence[int]) -> pa.Table:
    return table.filter(pc.is_in(table["user_id"], pa.array(users, table["user_id"].type)))


@pytest.mark.few(4)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.filterwarnings("ignore:recs")
def test_the_users_of_a_segment_alone(options: dict[str, Any]) -> None:
    """All metrics, whatever a user without a list, a hit or an ideal counts as: of every other segment, in turns."""
    recs, truth, segments = sliced_data(5)
    everyone = {*recs["user_id"].to_pylist(), *truth["user_id"].to_pylist()}
    given: dict[str, Any] = {"metrics": ["ndcg", "rr", "hit", "recall"] if "ties" in options else METRICS, "k": [2, 5], **options}
    by = ["country", "group"]
    result = recsql.evaluate(recs, truth, by=by, segments=segments, **given)
    compared = 0
    segments_here = [*dict.fromkeys(zip(result["slice"].to_pylist(), result["segment"].to_pylist(), strict=True))]
    for name, segment in segments_here[OPTIONS.index(options) % 2 :: 2]:
        users = sorted(everyone) if name is None else members(segments, name, segment, everyone)
        alone = recsql.evaluate(of_users(recs, users), of_users(truth, users), **given).to_pylist()
        here = [row for row in result.to_pylist() if (row["slice"], row["segment"]) == (name, segment)]
        found = {(row["model"], row["metric"], row["k"]): row for row in here}
        for row in alone:
            sliced = found[row["model"], row["metric"], row["k"]]
            assert sliced["users"] == row["users"], (name, segment, row)
            for number in ("value", "low", "high", "std_error", "few"):
                expected = row.get(number) and pytest.approx(row[number], rel=0, abs=1e-12)
                assert sliced.get(number) == expected, (name, segment, row)
            compared += 1
    assert compared > 6 * len(given["metrics"])


ITEM_METRICS = [
    "entropy",
    "coverage",
    "gini",
    "gini(weight=exposure)",
    "entropy(scope=list)",
    "entropy(scope=category)",
    "novelty",
    "popularity",
]
ITEMS = pa.table({"item_id": range(15), "category": ["a", "b", "c"] * 5})
PAST = pa.table({"user_id": [n % 7 for n in range(40)], "item_id": [*(n * n % 11 for n in range(30)), *range(10)]})


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "options",
    [{}, {"duplicates": "set"}, {"users": SEGMENTS.select(["user_id"])}, {"interval": 0.9}],
    ids=["", "set", "users", "interval"],
)
def test_items_shown_to_the_users_of_a_segment(options: dict[str, Any]) -> None:
    recs, _, segments = sliced_data(5)
    given: dict[str, Any] = {"metrics": ITEM_METRICS, "k": [2, 5], "items": ITEMS, "train": PAST, **options}
    rows = recsql.item_metrics(recs, by="country", segments=segments, **given).to_pylist()
    everyone, compared = {*recs["user_id"].to_pylist()}, 0
    for segment in dict.fromkeys(row["segment"] for row in rows if row["slice"]):
        alone = of_users(recs, members(segments, "country", segment, everyone))
        here = {
            (row["model"], row["metric"], row["k"]): row for row in rows if (row["slice"], row["segment"]) == ("country", segment)
        }
        for row in recsql.item_metrics(alone, **given).to_pylist():
            found = here[row["model"], row["metric"], row["k"]]
            assert found["users"] == row["users"]
            for number in ("value", "low", "high", "std_error", "few"):
                expected = row.get(number) and pytest.approx(row[number], rel=0, abs=1e-10)
                assert found.get(number) == expected, (segment, number, row)
            compared += 1
    assert compared == len(here) * 4 or options.get("users") is not None
    of_slices = ("slice", "segment", "share")
    whole = [{name: row[name] for name in row if name not in of_slices} for row in rows if row["slice"] is None]
    assert whole == recsql.item_metrics(recs, **given).to_pylist()


@pytest.mark.parametrize("options", [{"score": "score", "duplicates": "set"}, {"sample": 0.7}, {"interval": 0.9}], ids=str)
def test_the_same_bits_of_items(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each slice is counted by itself, or all together; the others don't change it."""
    recs, _, segments = sliced_data(5)
    metrics = ["entropy", "coverage"] if "interval" in options else ITEM_METRICS
    given: dict[str, Any] = {"metrics": metrics, "k": [2, 5, "all"], "train": PAST, "items": ITEMS, **options}
    by = ["country", "country x group", "train.activity[2,5]"]
    result = recsql.item_metrics(recs, by=by, segments=segments, **given)
    for name in by[:2]:
        alone = recsql.item_metrics(recs, by=name, segments=segments, **given)
        assert bits(alone.filter(pc.is_valid(alone["slice"]))) == bits(result.filter(pc.equal(result["slice"], name)))
    monkeypatch.setenv("RECSQL_FAST", "off")
    assert bits(recsql.item_metrics(recs, by=by, segments=segments, **given)) == bits(result)


def test_the_share_of_lists() -> None:
    """The value is not a mean, so its share is that of the lists: a has one of user 1, in free, and one of user 2, in both."""
    result = recsql.item_metrics(RECS, "entropy", 1, by="plan", segments=SEGMENTS)
    assert cells(result) == {
        ("a", None, None): (1.0, None, 1.0),
        ("a", "plan", "free"): (1.0, None, 1.0),
        ("a", "plan", "paid"): (0.0, None, 0.5),
        ("a", "plan", None): (None, None, 0.0),
        ("b", None, None): (1.0, None, 1.0),
        ("b", "plan", "free"): (0.0, None, 0.5),
        ("b", "plan", "paid"): (0.0, None, 0.5),
        ("b", "plan", None): (0.0, None, 0.5),
    }
    assert recsql.item_metrics(RECS, "entropy", 1, by="plan", segments=SEGMENTS, min_users=2)["segment"].to_pylist() == [
        None,
        "free",
        None,
    ]


def test_metrics_of_both_kinds() -> None:
    rows = recsql.evaluate(RECS, TRUTH, ["hit", "entropy"], 2, by=["country"]).to_pylist()
    assert [(row["metric"], row["segment"], row["users"], row["share"]) for row in rows if row["model"] == "a"] == [
        ("hit", None, 4, 1.0),
        ("entropy", None, None, 1.0),
        ("hit", "DE", 2, 0.5),
        ("entropy", "DE", None, 0.5),
        ("hit", "FR", 1, 0.25),
        ("entropy", "FR", None, 0.5),
        ("hit", None, 1, 0.25),
    ]


def test_clusters_of_a_segment() -> None:
    recs, truth, segments = sliced_data(5)
    truth = truth.append_column("account", pa.array([str(user // 3) for user in truth["user_id"].to_pylist()]))
    given: dict[str, Any] = {"metrics": ["ndcg", "hit"], "k": 5, "interval": 0.9, "cluster": "account"}
    rows = recsql.evaluate(recs, truth, by="country", segments=segments, **given).to_pylist()
    users = members(segments, "country", "DE", {*recs["user_id"].to_pylist(), *truth["user_id"].to_pylist()})
    alone = recsql.evaluate(of_users(recs, users), of_users(truth, users), **given).to_pylist()
    here = [row for row in rows if row["segment"] == "DE"]
    numbers = ("model", "metric", "value", "users", "low", "high", "std_error", "few")
    assert [[row[name] for name in numbers] for row in here] == [[row[name] for name in numbers] for row in alone]


def test_recommendations_as_lists() -> None:
    """Their other columns can be those of slices."""
    recs, truth, _ = sliced_data(5)
    with duckdb.connect() as con:
        con.register("recs", recs)
        con.register("truth", truth)
        con.execute("create table rows as select r.*, case when r.user_id % 3 = 0 then 'x' else 'y' end as side from recs as r")
        con.execute(
            "create table lists as select model, user_id, side, list(item_id order by rank) as items from rows group by all"
        )
        found = [recsql.evaluate(name, "truth", k=[2, 5], by="side", connection=con) for name in ("rows", "lists")]
    assert bits(found[0]) == bits(found[1])
    assert {*found[0]["segment"].to_pylist()} == {"x", "y", None}


def test_a_partition_adds_up_to_the_total() -> None:
    recs, truth, segments = sliced_data(8)
    once = segments.group_by("user_id").aggregate([("country", "min")]).rename_columns(["user_id", "country"])
    rows = recsql.evaluate(recs, truth, k=[3], by="country", segments=once).to_pylist()
    for total in (row for row in rows if row["slice"] is None):
        parts = [row for row in rows if row["slice"] and all(row[key] == total[key] for key in ("model", "metric", "k"))]
        assert sum(row["users"] for row in parts) == total["users"]
        assert sum(row["value"] * row["users"] for row in parts) == pytest.approx(total["value"] * total["users"], abs=1e-12)
        assert sum(row["share"] for row in parts) == pytest.approx(1, abs=1e-12)


def bits(result: pa.Table) -> list[str]:
    return list(map(repr, result.to_pylist()))


@pytest.mark.few(4)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_same_bits(options: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without fast forms, in another order of the rows, and for all users as without slices."""
    tables = sliced_data(3)
    given: dict[str, Any] = {"metrics": ["ndcg", "rr", "hit", "recall"], "k": [2, 5], **options}
    by: dict[str, Any] = {"by": ["country", "country x group"]}
    result = recsql.evaluate(tables[0], tables[1], segments=tables[2], **by, **given)
    shuffled = [rows.take(random.Random(1).sample(range(rows.num_rows), rows.num_rows)) for rows in tables]
    assert bits(recsql.evaluate(shuffled[0], shuffled[1], segments=shuffled[2], **by, **given)) == bits(result)
    whole = result.filter(pc.is_null(result["slice"])).drop_columns(["slice", "segment", "share"])
    assert bits(whole) == bits(recsql.evaluate(tables[0], tables[1], **given))
    monkeypatch.setenv("RECSQL_FAST", "off")
    assert bits(recsql.evaluate(tables[0], tables[1], segments=tables[2], **by, **given)) == bits(result)


@pytest.mark.parametrize("column", ["rank", "user_id", "item_id"])
def test_a_slice_by_a_column_that_a_text_file_is_read_for(column: str, tmp_path: Path) -> None:
    """The column of that name in the lists keeps its type, although the segments are texts."""
    (tmp_path / "recs.csv").write_text("user_id,item_id,rank\n1,7,1\n2,8,1\n2,7,10\n")
    (tmp_path / "truth.csv").write_text("user_id,item_id\n1,7\n2,7\n")
    recs, truth = (str(tmp_path / f"{name}.csv") for name in ("recs", "truth"))
    segments = pa.table({"user_id": [1, 2], column: [1, 2]})
    rows = recsql.evaluate(recs, truth, "rr", "all", by=column, segments=segments).to_pylist()
    assert [(row["segment"], row["value"]) for row in rows] == [(None, 0.55), ("1", 1.0), ("2", 0.1)]


BY_SIZE = ["-10", "-5", "0", "0.25", "0.5", "1-2", "3-20", "< 5", "5-10", "10-20", "21-100", ">= 30", "101+"]
BY_SIZE += ["AT", "DE", "level 2", "level 10", "q2", "q10"]


def test_segments_are_in_the_order_of_their_numbers() -> None:
    """Those of `segments`, and the ranges that people write; the rest is in the order of the text."""
    count = len(BY_SIZE)
    recs = pa.table(
        {"model": [*"ab"] * count, "user_id": [*range(count)] * 2, "item_id": [*"xy"] * count, "rank": [1] * 2 * count}
    )
    truth = pa.table({"user_id": [*range(count)], "item_id": ["x"] * count})
    segments = pa.table({"user_id": [*range(count)], "band": sorted(BY_SIZE, reverse=True)})
    for metrics in ("hit", ["hit", "ndcg(no_recs=skip)"]):  # the second needs two queries
        found = recsql.evaluate(recs, truth, metrics, 1, by="band", segments=segments, findings="off").to_pylist()
        assert [one["segment"] for one in found if (one["model"], one["metric"]) == ("a", "hit")] == [None, *BY_SIZE]
    compared = recsql.compare(recs, truth, "hit", 1, by="band", segments=segments, findings="off")
    assert compared["segment"].to_pylist() == [None, *BY_SIZE]
