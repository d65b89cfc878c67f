"""pytrec_eval-terrier: the mean over the queries that it returns."""

from statistics import fmean

import pytrec_eval
from common import KS, WHOLE, Rows, Values, give, nested

CUT = {
    "precision": "P",
    "precision(denominator=achievable)": "relative_P",
    "recall": "recall",
    "ap": "map_cut",
    "ndcg": "ndcg_cut",
    "hit": "success",
}
WHOLE_LIST = {"rr": "recip_rank", "ap": "map", "ndcg": "ndcg", "hits": "num_rel_ret", "precision(denominator=returned)": "set_P"}


def values(recs: Rows, truth: Rows) -> Values:
    measures = {f"{name}.{','.join(map(str, KS))}" for name in CUT.values()} | set(WHOLE_LIST.values())
    evaluator = pytrec_eval.RelevanceEvaluator(nested(truth, "relevance", int), measures)
    queries = evaluator.evaluate(nested(recs, "score", float)).values()
    asked = {f"{ours}@{k}": f"{name}_{k}" for ours, name in CUT.items() for k in KS}
    asked |= {f"{ours}@{WHOLE}": name for ours, name in WHOLE_LIST.items()}
    return {ours: fmean(query[name] for query in queries) for ours, name in asked.items()}


give(values)
