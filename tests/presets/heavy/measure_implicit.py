"""implicit: its ranking_metrics_at_k of a model that recommends what is given. It asks for k items of every user with truth."""

from collections.abc import Sequence

import numpy as np
from common import KS, Rows, Values, give
from implicit.evaluation import ranking_metrics_at_k
from scipy.sparse import csr_matrix

NAMES = {"precision": "precision", "map": "ap", "ndcg": "ndcg"}


class Recommender:
    """Gives each user the start of their list."""

    def __init__(self, lists: Sequence[Sequence[int]]) -> None:
        self.lists = lists

    def recommend(self, users: np.ndarray, _: csr_matrix, N: int) -> tuple[np.ndarray, np.ndarray]:
        ids = np.array([self.lists[user][:N] for user in users], np.int32)
        return ids, np.ones_like(ids, float)


def values(recs: Rows, truth: Rows) -> Values:
    users, items = (
        {one: place for place, one in enumerate(sorted({row[column] for row in rows}))}
        for column, rows in (("user_id", truth), ("item_id", recs + truth))
    )
    lists: list[list[int]] = [[] for _ in users]
    for row in recs:
        lists[users[row["user_id"]]].append(items[row["item_id"]])
    places = [users[row["user_id"]] for row in truth], [items[row["item_id"]] for row in truth]
    test = csr_matrix((np.ones(len(truth)), places), shape=(len(users), len(items)))

    def at(k: int) -> dict[str, float]:
        found: dict[str, float] = ranking_metrics_at_k(Recommender(lists), csr_matrix(test.shape), test, K=k, show_progress=False)
        return found

    found = {f"{ours}@{k}": at(k)[theirs] for k in KS for theirs, ours in NAMES.items()}
    return found | {f"auc@{max(KS)}": at(len(lists[0]))["auc"]}


give(values)
