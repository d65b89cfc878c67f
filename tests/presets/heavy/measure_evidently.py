"""Evidently, a report on the rows of what was recommended; the truth stands for the data that were learnt from."""

from typing import Any

import pandas as pd
from common import KS, Rows, Values, give
from evidently.legacy.metrics.recsys.f_beta_top_k import FBetaTopKMetric
from evidently.legacy.metrics.recsys.hit_rate_k import HitRateKMetric
from evidently.legacy.metrics.recsys.map_k import MAPKMetric
from evidently.legacy.metrics.recsys.mrr import MRRKMetric
from evidently.legacy.metrics.recsys.ndcg_k import NDCGKMetric
from evidently.legacy.metrics.recsys.popularity_bias import PopularityBias
from evidently.legacy.metrics.recsys.precision_top_k import PrecisionTopKMetric
from evidently.legacy.metrics.recsys.recall_top_k import RecallTopKMetric
from evidently.legacy.pipeline.column_mapping import ColumnMapping, RecomType
from evidently.legacy.report import Report

NAMES = {
    "precision": PrecisionTopKMetric,
    "recall": RecallTopKMetric,
    "f1": FBetaTopKMetric,
    "ap": MAPKMetric,
    "ndcg": NDCGKMetric,
    "rr": MRRKMetric,
    "hit": HitRateKMetric,
}
COLUMNS = ColumnMapping(
    target="relevance", prediction="score", user_id="user_id", item_id="item_id", recommendations_type=RecomType.SCORE
)


def values(recs: Rows, truth: Rows) -> Values:
    learnt_from = pd.DataFrame(truth)
    judged = pd.DataFrame(recs).merge(learnt_from, "left", on=["user_id", "item_id"]).fillna({"relevance": 0.0})
    longest = judged.groupby("user_id").size().max()  # it has no value beyond
    metrics = {f"{name}@{k}": metric(k=k) for name, metric in NAMES.items() for k in KS if k <= longest}
    shares = {k: PopularityBias(k=k) for k in KS}
    report = Report([*metrics.values(), *shares.values()])
    data = {"current_train_data": learnt_from}
    report.run(reference_data=None, current_data=judged, column_mapping=COLUMNS, additional_data=data)
    found = {name: at_k(metric.get_result()) for name, metric in metrics.items()}
    for k, share in shares.items():
        found |= {f"coverage@{k}": share.get_result().current_coverage, f"gini@{k}": share.get_result().current_gini}
    return found


def at_k(result: Any) -> float:
    """The value at its k, in a series whose index begins with 0 for some metrics and with 1 for others."""
    return result.current[result.current.index.min() + result.k - 1]


give(values)
