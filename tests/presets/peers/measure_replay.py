"""RePlay on data frames of Polars."""

from common import KS, Rows, Values, give
from polars import DataFrame
from replay.metrics import MAP, MRR, NDCG, Coverage, HitRate, Precision, Recall

NAMES = {"precision": Precision, "recall": Recall, "ap": MAP, "ndcg": NDCG, "rr": MRR, "hit": HitRate, "coverage": Coverage}
COLUMNS = {"query_column": "user_id", "item_column": "item_id", "rating_column": "score"}


def values(recs: Rows, truth: Rows) -> Values:
    shown, judged = DataFrame(recs), DataFrame(truth)
    found = {name: metric(list(KS), **COLUMNS)(shown, judged) for name, metric in NAMES.items()}
    return {f"{name}@{k}": value[f"{NAMES[name].__name__}@{k}"] for name, value in found.items() for k in KS}


give(values)
