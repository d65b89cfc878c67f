"""cornac: its evaluation of a model that recommends what is given.

MAP and MRR have no cut-off: every item must be ranked. AUC needs every item but those of the user's history.
"""

import numpy as np
from common import KS, WHOLE, Rows, Values, give
from cornac.data import Dataset
from cornac.eval_methods.base_method import ranking_eval
from cornac.metrics import AUC, MAP, MRR, NDCG, FMeasure, HitRatio, Precision, Recall

NAMES = {"precision": Precision, "recall": Recall, "f1": FMeasure, "hit": HitRatio, "ndcg": NDCG}


class Recommender:
    """Gives each user his list, best first, and the score of every item."""

    def __init__(self, recs: Rows, test: Dataset) -> None:
        self.lists: dict[int, list[int]] = {user: [] for user in test.uid_map.values()}
        self.scores = np.full((test.num_users, test.num_items), -np.inf)
        for row in recs:
            if row["user_id"] in test.uid_map:
                user, item = test.uid_map[row["user_id"]], test.iid_map[row["item_id"]]
                self.lists[user].append(item)
                self.scores[user, item] = row["score"]

    def rank(self, user_idx: int, item_indices: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        return np.array(self.lists[user_idx], int), self.scores[user_idx, item_indices]


def values(recs: Rows, truth: Rows) -> Values:
    users, items = (
        {one: place for place, one in enumerate(sorted({row[column] for row in rows}))}
        for column, rows in (("user_id", truth), ("item_id", recs + truth))
    )

    def dataset(rows: Rows) -> Dataset:
        triples = [(row["user_id"], row["item_id"], row["relevance"]) for row in rows]
        return Dataset.build(triples, global_uid_map=dict(users), global_iid_map=dict(items))

    test, train = dataset(truth), dataset([row | {"relevance": 0.0} for row in truth])
    metrics = {f"{name}@{k}": metric(k=k) for name, metric in NAMES.items() for k in KS}
    if len(recs) == len(users) * len(items):
        metrics |= {f"ap@{WHOLE}": MAP(), f"rr@{WHOLE}": MRR()}
    found, _ = ranking_eval(Recommender(recs, test), list(metrics.values()), train, test, exclude_unknowns=False)
    listed = {(row["user_id"], row["item_id"]) for row in recs}
    if all((row["user_id"], row["item_id"]) in listed for row in truth):
        pairs = [(user, item) for user in users for item in items if (user, item) not in listed]
        history = [{"user_id": user, "item_id": item, "relevance": 1.0} for user, item in pairs]
        seen = dataset([row | {"relevance": 0.0} for row in truth] + history)
        [auc], _ = ranking_eval(Recommender(recs, test), [AUC()], seen, test, exclude_unknowns=False)
        found, metrics = [*found, auc], [*metrics, f"auc@{WHOLE}"]
    return dict(zip(metrics, found, strict=True))


give(values)
