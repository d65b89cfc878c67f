"""Calls as a user writes them, for `mypy --strict`: each result has its type, and a wrong option is an error."""

from pathlib import Path
from typing import assert_type

import pyarrow as pa

import recsql

RECS = pa.table({"model": ["a", "a", "b"], "user_id": [1, 1, 1], "item_id": [1, 2, 2], "rank": [1, 2, 1]})
TRUTH = pa.table({"user_id": [1, 2], "item_id": [2, 3]})
TRAIN = pa.table({"user_id": [1, 2, 2, 1], "item_id": [4, 5, 6, 7], "timestamp": [1, 2, 3, 4]})


def calls(folder: Path) -> list[float]:
    """Twenty calls; returns some of their values."""
    result = recsql.evaluate(RECS, TRUTH, ["ndcg", "recall"], k=[1, 10], gain="exp2", no_recs="skip", users="truth")
    recsql.evaluate(RECS, TRUTH, "ndcg@1", like="ranx", gain={1: 1.0}, findings="off", interval=0.9, interval_method="t")
    recsql.compare(RECS, TRUTH, "ndcg@2", baseline="a", test="sign", correction="none")
    assert_type(recsql.per_user(RECS, TRUTH, "hit@1", into=folder / "users.parquet"), None)
    assert_type(recsql.hits(RECS, TRUTH, into=str(folder / "hits.parquet"), gain="exp2"), None)
    recsql.rank_by_score(pa.table({"user_id": [1], "item_id": [1], "score": [0.5]}), k="all", order="asc")
    assert_type(recsql.popularity(TRAIN, 2, TRUTH, into=str(folder / "popularity.parquet")), None)
    recsql.segments(TRAIN, TRUTH, user="user_id", relevance=None)
    recsql.check(RECS, TRUTH, level="quick", train=TRAIN, seen="drop")
    recsql.item_metrics(RECS, ["coverage@2"], items=TRAIN, coverage_restrict=False)
    recsql.conventions(RECS, TRUTH, "hit@1", no_truth="zero")
    recsql.differences(RECS, TRUTH, "ndcg@2", baseline="a")
    recsql.fuse(RECS, "rrf", rank_by="rank")
    assert_type(recsql.sql(RECS, TRUTH, "ndcg@1", plain=True, discount="ln1p"), str)
    assert_type(recsql.macros(metrics="ndcg", gain="exp2"), str)
    assert_type(recsql.report(RECS, TRUTH, "ndcg", 1, train=TRAIN, main="ndcg@1"), recsql.Page)
    assert_type(recsql.partial(RECS, TRUTH, str(folder / "part.parquet"), "ndcg@1"), None)
    recsql.merge(folder / "part.parquet", interval=0.9)
    assert_type(recsql.show(result, "models"), None)
    assert_type(recsql.__version__, str)
    values: list[float] = recsql.wide(result)["ndcg@10"].to_pylist()
    return values


def wrong_calls() -> None:
    """Never called: the checker says that each of these is wrong."""
    recsql.evaluate(RECS, TRUTH, gain="exp3")  # type: ignore[arg-type]
    recsql.evaluate(RECS, TRUTH, gian="exp2")  # type: ignore[call-arg]
    recsql.evaluate(RECS, TRUTH, protocol="temporal")  # type: ignore[call-arg]
    recsql.popularity(TRAIN, gain="exp2")  # type: ignore[call-overload]
    recsql.conventions(RECS, TRUTH, like="ranx")  # type: ignore[call-arg]
    recsql.item_metrics(RECS, ks=10)  # type: ignore[call-arg]
    _ = recsql.nothing  # type: ignore[attr-defined]
