"""What a row of per_user says beside the metrics, and in which order the rows come.

If it fails, the values of users stand beside the wrong user, or in another order each time.
"""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import recsql
from tests.random_data import random_data

RECS = pa.table(
    {
        "model": ["b", "b", "b", "a", "a"],
        "user_id": [2, 1, 1, 1, 1],
        "item_id": [7, 8, 7, 9, 9],
        "rank": [1, 2, 1, 1, 2],
    }
)
TRUTH = pa.table({"user_id": [1, 1, 2, 3], "item_id": [7, 8, 9, 9], "relevance": [1.0, 0.0, 2.0, 1.0]})


def said(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(row["model"], row["user_id"], row["k"], row["list_length"], row["relevant"]) for row in rows]


def test_the_list_and_what_is_relevant() -> None:
    """User 3 has no list, user 2 a bad one; an item of relevance 0 is not relevant, and a list is as long as it is given."""
    rows = recsql.per_user(RECS, TRUTH, "rr", [1, 5]).to_pylist()
    users = {"a": [(1, 2, 1), (2, 0, 1), (3, 0, 1)], "b": [(1, 2, 1), (2, 1, 1), (3, 0, 1)]}
    assert said(rows) == [(model, user, k, *rest) for model, listed in users.items() for user, *rest in listed for k in (1, 5)]
    assert [row["rr"] for row in rows if row["k"] == 5] == [0, 0, 0, 1, 0, 0]


@pytest.mark.parametrize(
    ("options", "row"),
    [
        ({"relevant": "present"}, (2, 2)),
        ({"relevance_threshold": 2}, None),  # nothing is relevant to the user
        ({"relevance_threshold": 2, "no_truth": "zero"}, (2, 0)),
        ({"judged_only": "true"}, (0, 1)),
        ({"duplicates": "set"}, (1, 1)),
        ({"duplicates": "first"}, (1, 1)),
        ({"duplicates": "count"}, (2, 1)),
    ],
    ids=str,
)
def test_they_follow_the_options_of_the_call(options: dict[str, Any], row: tuple[int, int] | None) -> None:
    rows = recsql.per_user(RECS, TRUTH, "recall", 3, **{"duplicates": "count", **options}).to_pylist()
    found = [(one["list_length"], one["relevant"]) for one in rows if one["model"] == "a" and one["user_id"] == 1]
    assert found == ([row] if row else [])


@pytest.mark.parametrize("metrics", [["recall(relevance_threshold=2)", "recall"], ["recall", "recall(relevance_threshold=2)"]])
def test_brackets_leave_them_as_they_are(metrics: list[str]) -> None:
    """What is relevant under the options of the call, also where another metric has it otherwise."""
    rows = recsql.per_user(RECS, TRUTH, metrics, 3, duplicates="count").to_pylist()
    assert [(row["user_id"], row["relevant"]) for row in rows if row["model"] == "b"] == [(1, 1), (2, 1), (3, 1)]


def test_they_follow_the_brackets_where_no_metric_is_without() -> None:
    rows = recsql.per_user(RECS, TRUTH, "recall(relevance_threshold=2)", 3, duplicates="count").to_pylist()
    assert [(row["user_id"], row["relevant"]) for row in rows if row["model"] == "b"] == [(2, 1)]


@pytest.mark.parametrize("metrics", ["ndcg", ["ndcg", "ap(relevance_threshold=2)"]], ids=["a query", "two queries"])
def test_the_order_is_that_of_model_user_and_cut_off(metrics: Any, tmp_path: Path) -> None:
    data = random_data(3, users=40)
    tables = data.recs_table("model", "user_id", "item_id", "rank"), data.truth_table("user_id", "item_id", "relevance")
    rows = recsql.per_user(*tables, metrics, [7, 2, "all"]).to_pylist()
    keys = [(row["model"] is not None, row["model"] or "", row["user_id"], row["k"] or 10**9) for row in rows]
    assert keys == sorted(keys)
    assert len(keys) == len(set(keys)) > 100
    files = [tmp_path / f"{n}.parquet" for n in range(2)]
    for file in files:
        recsql.per_user(*tables, metrics, [7, 2, "all"], into=str(file))
    assert files[0].read_bytes() == files[1].read_bytes()


def test_the_catalogue_is_that_of_the_table_of_items(tmp_path: Path) -> None:
    """As for metrics of all lists together; catalog_size comes first."""
    recs = pa.table({"user_id": [1, 1, 2], "item_id": [1, 2, 3], "rank": [1, 2, 1]})
    truth = pa.table({"user_id": [1, 2, 3], "item_id": [1, 9, 9]})
    items = pa.table({"item_id": [*range(20), 3, None]})
    for options, size in [({"items": items}, 20), ({"items": items, "catalog_size": 50}, 50)]:
        assert recsql.per_user(recs, truth, "tn", 2, **options)["tn"].to_pylist() == [size - 2, size - 2, size - 1]
        found = recsql.evaluate(recs, truth, ["tn", "coverage"], 2, **options)["value"].to_pylist()
        assert found == pytest.approx([size - 5 / 3, 3 / size])
        both = recsql.compare({"a": recs, "b": recs}, truth, "tn", 2, baseline="a", **options)["value"].to_pylist()
        assert both == pytest.approx([size - 5 / 3])
        recsql.partial(recs, truth, str(tmp_path / f"{size}.parquet"), "tn", 2, **options)
        assert recsql.merge(str(tmp_path / f"{size}.parquet"))["value"].to_pylist() == pytest.approx([size - 5 / 3])
    with pytest.raises(recsql.RecsqlError, match="catalog_size: 1 is too small; user 2 alone has 2 items"):
        recsql.per_user(recs, truth, "tn", 2, items=items.slice(0, 1))
    with pytest.raises(recsql.RecsqlError, match=r"^tn needs catalog_size= or items="):
        recsql.per_user(recs, truth, "tn", 2)
