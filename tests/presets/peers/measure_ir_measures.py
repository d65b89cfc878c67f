"""ir-measures, the providers that it chooses by itself."""

import ir_measures
from common import KS, WHOLE, Rows, Values, give
from ir_measures import AP, RBP, RR, Accuracy, Bpref, Judged, P, Qrel, R, ScoredDoc, SetP, Success, nDCG

CUT = {
    "precision": P,
    "precision(relevance_threshold=2)": P(rel=2),
    "recall": R,
    "ap": AP,
    "recall(relevance_threshold=2)": R(rel=2),
    "ap(relevance_threshold=2)": AP(rel=2),
    "ndcg": nDCG,
    "hit": Success,
    "judged": Judged,
    "hit(relevance_threshold=2)": Success(rel=2),
    "rr": RR,
    "rr(relevance_threshold=2)": RR(rel=2),
}
WHOLE_LIST = {
    "rr(ties=item_desc)": RR,
    "bpref": Bpref,
    "rbp": RBP(rel=1),
    "rbp(relevance_threshold=2)": RBP(rel=2),
    "ap": AP,
    "ndcg": nDCG,
    "precision(denominator=returned)": SetP,
}


def values(recs: Rows, truth: Rows) -> Values:
    judged = [Qrel(row["user_id"], row["item_id"], int(row["relevance"])) for row in truth]
    scored = [ScoredDoc(row["user_id"], row["item_id"], row["score"]) for row in recs]
    asked = {f"{ours}@{k}": measure @ k for ours, measure in CUT.items() for k in KS}
    asked |= {f"{ours}@{WHOLE}": measure for ours, measure in WHOLE_LIST.items()}
    found = ir_measures.calc_aggregate(set(asked.values()), judged, scored)
    lists = {user: {row["item_id"] for row in recs if row["user_id"] == user} for user in {row["user_id"] for row in recs}}
    relevant = {(row["user_id"], row["item_id"]) for row in truth if row["relevance"] > 0}
    if all(any((user, item) not in relevant for item in items) for user, items in lists.items()):  # else its Accuracy is an error
        asked[f"auc@{WHOLE}"], found[Accuracy] = Accuracy, ir_measures.calc_aggregate([Accuracy], judged, scored)[Accuracy]
    return {ours: found[measure] for ours, measure in asked.items()}


give(values)
