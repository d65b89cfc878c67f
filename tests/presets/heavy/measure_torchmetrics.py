"""torchmetrics, on the rows of what was recommended. It computes in 32 bits; here it does in 64, to be compared to 1e-9."""

import torch
from common import KS, WHOLE, Rows, Values, give
from torchmetrics.retrieval import (
    RetrievalHitRate,
    RetrievalMAP,
    RetrievalMRR,
    RetrievalNormalizedDCG,
    RetrievalPrecision,
    RetrievalRecall,
    RetrievalRPrecision,
)

torch.set_default_dtype(torch.float64)
torch.float32 = torch.float64
torch.Tensor.float = torch.Tensor.double

NAMES = {
    "precision": RetrievalPrecision,
    "recall": RetrievalRecall,
    "ap": RetrievalMAP,
    "rr": RetrievalMRR,
    "hit": RetrievalHitRate,
    "ndcg": RetrievalNormalizedDCG,
}


def values(recs: Rows, truth: Rows) -> Values:
    relevance = {(row["user_id"], row["item_id"]): int(row["relevance"]) for row in truth}
    users = {user: place for place, user in enumerate(sorted({row["user_id"] for row in recs}))}
    indexes = torch.tensor([users[row["user_id"]] for row in recs])
    scores = torch.tensor([row["score"] for row in recs])
    graded = torch.tensor([relevance.get((row["user_id"], row["item_id"]), 0) for row in recs])
    targets = {name: graded if name == "ndcg" else (graded > 0).long() for name in NAMES}
    found = {f"{name}@{k}": metric(top_k=k)(scores, targets[name], indexes) for name, metric in NAMES.items() for k in KS}
    return found | {f"r_precision@{WHOLE}": RetrievalRPrecision()(scores, targets["precision"], indexes)}


give(values)
