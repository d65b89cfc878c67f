"""Equal users without a hit in the top k are merged into one row with their number: the means are those of separate users.

If it fails, merging equal users, which is only for speed, changes a mean.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import recsql
from tests.random_data import random_data

pytestmark = pytest.mark.engine

K = [1, 2, 3]  # lists are longer: hits below k distinguish users that are otherwise equal
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "every metric": {"catalog_size": 30},
    "counts alone": {"metrics": ["fp", "fn"]},
    "no hits": {"metrics": "idcg"},
    "who is in the mean": {"users": "union", "no_truth": "zero"},
    "both empty": {"users": "union", "no_truth": "one_if_both_empty", "catalog_size": 30},
    "relevance of 0": {"relevant": "present", "metrics": ["ndcg", "fp"]},
    "copies": {"duplicates": "set"},
    "ideal of what is returned": {"ideal": "truth_returned"},
    "the whole list": {"rr_cutoff": "none", "metrics": ["rr", "fn"]},
    "ideal of the whole list": {"ideal": "candidates"},
    "an ordered truth": {"truth_window": "k"},
    "ties in every order": {"rank_by": "score", "ties": "expected", "metrics": ["ap", "fp", "fn", "rr", "ndcg"]},
    "ties in the best order": {"rank_by": "score", "ties": "best", "metrics": ["ap(denominator=hits)", "fp", "fn", "rr"]},
}

# What reads each list as a whole computes each user alone.
EACH = {"the whole list", "ideal of the whole list", "ties in every order", "ties in the best order"}


@pytest.mark.few(5)
@pytest.mark.parametrize("name", OPTIONS)
def test_the_bits_are_those_of_user_by_user(name: str, tmp_path: Path) -> None:
    """Parts are computed from each user's own row."""
    options = {"k": K, "metrics": "all", **OPTIONS[name]}
    above: dict[str, Any] = {"relevances": (0.0, 1.0, 2.0)} if "relevant" in options else {}
    data = random_data(5, users=150, items=6, depth=6, ties=True, gaps=True, copies="duplicates" in options, **above)
    recs = data.recs_table("model", "user_id", "item_id", "rank", "score")
    truth = data.truth_table("user_id", "item_id", "relevance", "rank")
    assert ("alike as (" in recsql.sql(recs, truth, **options)) == (name not in EACH)
    recsql.partial(recs, truth, str(tmp_path / "part.parquet"), **options)
    assert recsql.evaluate(recs, truth, **options).to_pylist() == recsql.merge(str(tmp_path / "part.parquet")).to_pylist()


def test_by_hand() -> None:
    """Four users with two relevant items and lists of two; the first of them has a hit, at rank 2, and two have gains of 0."""
    users = [1, 1, 2, 2, 3, 3, 4, 4]
    recs = pa.table({"user_id": users, "item_id": [9, 1, 8, 9, 8, 9, 8, 9], "rank": [1, 2] * 4})
    truth = pa.table({"user_id": users, "item_id": [1, 2] * 4, "relevance": [1, 1, 1, 1, 0, 0, 0, 0]})
    found = recsql.evaluate(recs, truth, ["fp", "fn", "hit", "ndcg"], [1, 2], relevant="present").to_pylist()
    assert [(row["metric"], row["k"], row["value"], row["users"]) for row in found if row["metric"] != "ndcg"] == [
        ("fp", 1, 1.0, 4),
        ("fp", 2, (1 + 2 + 2 + 2) / 4, 4),
        ("fn", 1, 2.0, 4),
        ("fn", 2, (1 + 2 + 2 + 2) / 4, 4),
        ("hit", 1, 0.0, 4),
        ("hit", 2, 1 / 4, 4),
    ]
    assert [row["users"] for row in found if row["metric"] == "ndcg"] == [2, 2]
