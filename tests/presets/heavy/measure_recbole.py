"""RecBole: its collector picks the top of a matrix of scores, its evaluator measures. Every user has a score for every item."""

import numpy as np
import torch
from common import KS, WHOLE, Rows, Values, give

torch.set_default_dtype(torch.float64)

np.float, np.bool = float, bool  # NumPy has dropped the names, which this release still uses

from recbole.evaluator import Collector, Evaluator  # noqa: E402

NAMES = {
    "precision": "precision",
    "recall": "recall",
    "map": "ap",
    "ndcg": "ndcg",
    "mrr": "rr",
    "hit": "hit",
    "itemcoverage": "coverage",
    "shannonentropy": "entropy",
    "giniindex": "gini",
    "gauc": "gauc",
}
CONFIG = {"metrics": list(NAMES), "topk": KS, "metric_decimal_place": 15, "eval_args": {"mode": "full"}, "device": "cpu"}


def values(recs: Rows, truth: Rows) -> Values:
    users = {user: place for place, user in enumerate(sorted({row["user_id"] for row in truth}))}
    items = {item: place for place, item in enumerate(sorted({row["item_id"] for row in recs}), start=1)}  # 0 is [PAD]
    scores = torch.full((len(users), len(items) + 1), -np.inf)
    for row in recs:
        scores[users[row["user_id"]], items[row["item_id"]]] = row["score"]
    collector = Collector(CONFIG)
    positive = torch.tensor([[users[row["user_id"]], items[row["item_id"]]] for row in truth]).T
    collector.eval_batch_collect(scores, None, *positive)
    collected = collector.get_data_struct()
    collected.set("data.num_items", len(items) + 1)
    found = Evaluator(CONFIG).evaluate(collected)
    return {f"{NAMES[name]}@{k or WHOLE}": value for metric, value in found.items() for name, _, k in [metric.partition("@")]}


give(values)
