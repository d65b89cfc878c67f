"""RecTools, its defaults and its other denominators."""

from common import KS, Rows, Values, give
from pandas import DataFrame
from rectools.metrics import MAP, MCC, MRR, NDCG, Accuracy, CatalogCoverage, F1Beta, HitRate, Precision, Recall, calc_metrics


def values(recs: Rows, truth: Rows) -> Values:
    asked = {
        f"{name}@{k}": metric
        for k in KS
        for name, metric in {
            "precision": Precision(k=k),
            "precision(denominator=achievable)": Precision(k=k, r_precision=True),
            "recall": Recall(k=k),
            "f1": F1Beta(k=k),
            "f1(beta=2)": F1Beta(k=k, beta=2),
            "ap": MAP(k=k),
            "ap(denominator=k)": MAP(k=k, divide_by_k=True),
            "ndcg": NDCG(k=k),
            "ndcg(ideal=truth)": NDCG(k=k, divide_by_achievable=True),
            "rr": MRR(k=k),
            "hit": HitRate(k=k),
            "accuracy": Accuracy(k=k),
            "mcc": MCC(k=k),
            "coverage": CatalogCoverage(k=k),
            "coverage(denominator=catalog)": CatalogCoverage(k=k, normalize=True),
        }.items()
    }
    return calc_metrics(asked, DataFrame(recs), DataFrame(truth), catalog=sorted({row["item_id"] for row in truth}))


give(values)
