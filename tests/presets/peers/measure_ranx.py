"""ranx, with make_comparable=True."""

from common import KS, WHOLE, Rows, Values, give, nested
from ranx import Qrels, Run, evaluate

NAMES = {
    "precision": "precision@{}",
    "precision(relevance_threshold=2)": "precision@{}-l2",
    "recall": "recall@{}",
    "f1": "f1@{}",
    "ap": "map@{}",
    "ap(relevance_threshold=2)": "map@{}-l2",
    "ndcg": "ndcg@{}",
    "ndcg(gain=exp2)": "ndcg_burges@{}",
    "dcg": "dcg@{}",
    "dcg(gain=exp2)": "dcg_burges@{}",
    "rr": "mrr@{}",
    "hit": "hit_rate@{}",
    "hits": "hits@{}",
}


def values(recs: Rows, truth: Rows) -> Values:
    judged, run = Qrels(nested(truth, "relevance", int)), Run(nested(recs, "score", float))
    asked = {f"{ours}@{k}": name.format(k) for ours, name in NAMES.items() for k in KS}
    found = evaluate(judged, run, list(asked.values()), make_comparable=True)
    values = {ours: found[name] for ours, name in asked.items()} | {f"bpref@{WHOLE}": evaluate(judged, run, "bpref")}
    return {
        ours: value for ours, value in values.items() if value == value
    }  # bpref is NaN if a user has nothing judged not relevant


give(values)
