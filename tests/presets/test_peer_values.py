"""The values of seven other libraries for four recommenders on real data, and ours under each library's convention.

If it fails, a preset gives other values than its library on real data.

The data are those of shared/data/movietweetings-100k: 2,681 users with truth, of whom a thousand have no list.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

import recsql
from recsql.catalog import catalog
from tests.support import parsed

Found = dict[str, Any]

WHOLE = 1000  # beyond the longest list and the longest truth
METRICS = {
    "hits/k": "precision",
    "hits/min(k,R)": "precision(denominator=achievable)",
    "hits/R": "recall",
    "any hit in top k": "hit",
    "1/rank first hit, rank<=k": "rr",
    "1/rank first hit, whole list": "rr",
    "ap: sum P@i over hits i<=k, / R": "ap(denominator=relevant)",
    "ap: sum P@i over hits i<=k, / min(R,k)": "ap",
    "ap: sum P@i over hits i<=k, / k": "ap(denominator=k)",
    "ap / R, whole list": "ap(denominator=relevant)",
    "F1 of P@k and R@k": "f1",
    "F1 (2TP/(2TP+FP+FN)) of P@k and R@k": "f1",
    "ndcg binary, ideal over min(R,k)": "ndcg",
    "ndcg binary, ideal over k": "ndcg(ideal=constant)",
    "ndcg linear gain, ideal from all graded": "ndcg",
    "ndcg exp gain, ideal from all graded": "ndcg(gain=exp2)",
    "ndcg whole list": "ndcg",
    "P at R": "r_precision",
    "bpref": "bpref",
    "replay roc auc at k": "auc(over=list)",
    "rectools serendipity": "serendipity",
    "1 - share of list seen in train": "share_unseen",
    "distinct items in top k": "coverage(denominator=count)",
    "distinct items in top k / catalogue": "coverage(denominator=train)",
    "distinct items in top k / train items": "coverage(denominator=train)",
    "entropy base 2 of recommended items": "entropy",
    "-log2(train rows of item / train rows), mean over recommended rows": "novelty(base=interactions, unseen=zero, mean=rows)",
    "mean over k of log2(N/u_j)/log2(N)": "novelty(divide=k, normalize=log_users)",
    "mean over list of -log2(users of item / users), mean over users": "novelty",
    "mean train count of items, mean over users": "popularity",
    "MAE": "mae",
    "RMSE": "rmse",
    "R2": "r2",
    "explained variance": "explained_variance",
}
OF_PEERS = {  # the definitions that a preset gives, by its name
    "rectools": ("rectools serendipity", "mean over list of -log2(users of item / users), mean over users"),
    "recommenders": ("-log2(train rows of item / train rows), mean over recommended rows",),
    "replay": ("replay roc auc at k", "1 - share of list seen in train", "mean over k of log2(N/u_j)/log2(N)"),
    "trec_eval": ("P at R",),
}
RAW_SCORES = "binary, raw model scores (peer breaks ties itself)"


@dataclass(frozen=True)
class Convention:
    """Which truth, whose order and who is in the mean."""

    graded: bool
    by_score: bool
    no_recs: str
    no_truth: str


def convention(value: Found) -> Convention:
    """What a library's value was computed under.

    One user's only rating is 0: recommenders leaves this user out of its graded nDCG, the others count 0.
    """
    return Convention(
        graded=value["relevance"] == "graded",
        by_score=value["relevance"] == RAW_SCORES,
        no_recs="skip" if value["averaging"] == "users in both" else "zero",
        no_truth="skip" if value["peer"] == "recommenders" else "zero_below_threshold",
    )


def reason_to_leave_out(value: Found) -> str | None:
    if value["peer"] == "ranx" and value["relevance"] == RAW_SCORES:
        return "unstable where scores tie"
    return None


def metric(value: Found) -> str:
    name = METRICS[value["definition"]]
    return name if grain(value) == "rating" else f"{name}@{value['k'] or WHOLE}"


def grain(value: Found) -> str:
    return catalog().metrics[parsed(METRICS[value["definition"]]).metric].grain


@pytest.fixture(scope="module")
def data(shared: Path) -> Path:
    return shared / "data" / "movietweetings-100k"


@pytest.fixture(scope="module")
def values(data: Path) -> list[Found]:
    found: list[Found] = json.loads((data / "peer_values.json").read_text(encoding="utf-8"))["values"]
    return found


@pytest.fixture(scope="module")
def used(values: list[Found]) -> dict[str, list[Found]]:
    """The values that ours are compared with, by the grain of the metric."""
    found: dict[str, list[Found]] = {}
    for value in values:
        if reason_to_leave_out(value) is None:
            found.setdefault(grain(value), []).append(value)
    return found


@pytest.fixture(scope="module")
def con(data: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        truth = data / "runs" / "truth.parquet"
        for name in ("runs", "train", "predictions"):
            connection.execute(f"create view {name} as from '{data / 'runs' / name}.parquet'")
        connection.execute(f"create view graded_truth as select user_id, item_id, rating as relevance from '{truth}'")
        connection.execute(f"create view binary_truth as select user_id, item_id from '{truth}'")
        yield connection


def test_every_value_of_users_lists(con: duckdb.DuckDBPyConnection, used: dict[str, list[Found]]) -> None:
    asked: dict[Convention, list[Found]] = {}
    for value in used["user"]:
        asked.setdefault(convention(value), []).append(value)
    differing = [difference for how, theirs in asked.items() for difference in differences(con, how, theirs)]
    assert differing == []


def differences(con: duckdb.DuckDBPyConnection, how: Convention, theirs: list[Found]) -> Iterator[tuple[Found, float]]:
    """The values that ours are not equal to, with ours."""
    metrics = sorted({metric(value) for value in theirs})
    found = recsql.evaluate(
        "runs",
        "graded_truth" if how.graded else "binary_truth",
        metrics,
        connection=con,
        rank_by="score" if how.by_score else "rank",
        ties="item_desc",
        no_recs=how.no_recs,
        no_truth=how.no_truth,
    )
    ours = {(row["model"], f"{row['metric']}@{row['k']}"): row for row in found.to_pylist()}
    for value in theirs:
        row = ours[value["model"], metric(value)]
        same_users = value["n_users"] in (None, row["users"])
        if not same_users or row["value"] != pytest.approx(value["value"], rel=0, abs=1e-9):
            yield value, row["value"]


def test_every_value_of_all_lists_together(con: duckdb.DuckDBPyConnection, used: dict[str, list[Found]]) -> None:
    """The catalogue of every library is the items of train."""
    names = sorted({metric(value) for value in used["item"]})
    found = recsql.item_metrics("runs", names, train="train", connection=con)
    ours = {(row["model"], f"{row['metric']}@{row['k']}"): row["value"] for row in found.to_pylist()}
    differing = [
        (value, ours[value["model"], metric(value)])
        for value in used["item"]
        if ours[value["model"], metric(value)] != pytest.approx(value["value"], rel=0, abs=1e-9)
    ]
    assert differing == []


def test_every_value_of_means_over_lists(con: duckdb.DuckDBPyConnection, used: dict[str, list[Found]]) -> None:
    """RePlay's novelty also has the users of train without a list: its value is 1, as no list has an item of train."""
    names = sorted({metric(value) for value in used["list"]})
    found = recsql.evaluate("runs", "binary_truth", names, train="train", items="train", connection=con)
    ours = {(row["model"], f"{row['metric']}@{row['k']}"): row["value"] for row in found.to_pylist()}
    differing = [
        (value, ours[value["model"], metric(value)])
        for value in used["list"]
        if ours[value["model"], metric(value)] != pytest.approx(value["value"], rel=0, abs=1e-9)
    ]
    assert differing == []


def test_every_value_of_ratings(con: duckdb.DuckDBPyConnection, used: dict[str, list[Found]]) -> None:
    """What they call users are the pairs of rating and prediction."""
    found = recsql.evaluate_ratings("predictions", metrics=sorted({metric(value) for value in used["rating"]}), connection=con)
    ours = {(row["model"], row["metric"]): (row["value"], row["pairs"]) for row in found.to_pylist()}
    differing = [
        (value, ours[value["model"], metric(value)])
        for value in used["rating"]
        if ours[value["model"], metric(value)] != (pytest.approx(value["value"], rel=0, abs=1e-9), value["n_users"])
    ]
    assert differing == []


def test_no_value_is_left_out_without_a_reason(values: list[Found]) -> None:
    reasons = Counter(reason_to_leave_out(value) for value in values)
    assert reasons == {None: 1157, "unstable where scores tie": 48}
