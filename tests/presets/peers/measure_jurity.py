"""Jurity; the column of the clicks is the score in what was recommended, the relevance in the truth."""

from common import KS, Rows, Values, give
from jurity.recommenders import MAP, NDCG, Precision, Recall
from pandas import DataFrame

NAMES = {"precision": Precision, "recall": Recall, "ap": MAP, "ndcg": NDCG}


def values(recs: Rows, truth: Rows) -> Values:
    predicted = DataFrame(recs)[["user_id", "item_id", "score"]].rename(columns={"score": "click"})
    actual = DataFrame(truth)[["user_id", "item_id", "relevance"]].rename(columns={"relevance": "click"})
    return {
        f"{name}@{k}": metric(click_column="click", k=k).get_score(actual, predicted)
        for name, metric in NAMES.items()
        for k in KS
    }


give(values)
