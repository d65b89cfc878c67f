"""scikit-learn on the matrix of the lists, short ones filled up with items below that are not relevant."""

import numpy as np
from common import KS, Rows, Values, give, nested
from sklearn import metrics

LISTS = {"ndcg": metrics.ndcg_score, "dcg": metrics.dcg_score}
RATINGS = {
    "mae": metrics.mean_absolute_error,
    "mse": metrics.mean_squared_error,
    "rmse": metrics.root_mean_squared_error,
    "r2": metrics.r2_score,
    "explained_variance": metrics.explained_variance_score,
}


def values(recs: Rows, truth: Rows) -> Values:
    judged, scored = nested(truth, "relevance", float), nested(recs, "score", float)
    width = max(map(len, scored.values())) + 1
    relevance, score = np.zeros((len(scored), width)), np.tile(-1e6 - np.arange(width), (len(scored), 1))
    for line, (user, scores) in enumerate(scored.items()):
        for column, (item, value) in enumerate(scores.items()):
            relevance[line, column], score[line, column] = judged.get(user, {}).get(item, 0), value
    found = {f"{name}@{k}": metric(relevance, score, k=k) for name, metric in LISTS.items() for k in KS}
    pairs = [
        (judged[user][item], value) for user in judged for item, value in scored.get(user, {}).items() if item in judged[user]
    ]
    return found | {name: metric(*zip(*pairs, strict=True)) for name, metric in RATINGS.items()}


give(values)
