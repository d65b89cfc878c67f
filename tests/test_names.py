"""Metrics' names as other libraries print them."""

import pyarrow as pa
import pytest

import recsql
from tests.support import parsed

NAMES = {
    "map@100-l2": "ap(relevance_threshold=2)@100",  # ranx
    "ndcg@10": "ndcg@10",
    "AP(rel=2)@100": "ap(relevance_threshold=2)@100",  # ir_measures
    "Success@1": "hit@1",
    "P_10": "precision@10",  # trec_eval
    "map_cut_100": "ap@100",
    "ndcg_cut_10": "ndcg@10",
    "success_1": "hit@1",
    "P.5": "precision@5",
    "rbp.80": "rbp",  # ranx
    "rbp.95@10": "rbp(p=0.95)@10",
    "precisionAt": "precision",  # Spark
    "ndcgAtK@3": "ndcg@3",
    "RetrievalMRR": "rr",  # torchmetrics
    "hit-rate@5": "hit@5",
    "mean_precision": "mean_precision",
}


@pytest.mark.parametrize(("theirs", "ours"), NAMES.items())
def test_it_is_read_as_ours(theirs: str, ours: str) -> None:
    assert str(parsed(theirs)) == ours
    assert str(parsed(ours)) == ours


@pytest.mark.parametrize("name", ["P_", "ndcg_ten", "cut_10", "p10", "ndcg@5-l", "P_0"])
def test_it_is_no_name(name: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=r"unknown metric|a cut-off is a whole number"):
        parsed(name)


def test_the_threshold_in_the_name_counts() -> None:
    recs = pa.table({"user_id": [1, 1], "item_id": [1, 2], "rank": [1, 2]})
    truth = pa.table({"user_id": [1, 1], "item_id": [1, 2], "relevance": [1, 2]})
    found = recsql.evaluate(recs, truth, ["P_2", "precision@2-l2"])
    assert found["value"].to_pylist() == [1.0, 0.5]
