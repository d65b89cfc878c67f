"""recpack, on sparse matrices of users and items, as wide as there are items in both tables.

The features of an item are the characters of its id. A user without a list is not left out of IntraListDiversityK.
"""

from common import KS, Rows, Values, give
from recpack.metrics import (
    DCGK,
    NDCGK,
    CalibratedRecallK,
    CoverageK,
    HitK,
    IntraListDiversityK,
    PrecisionK,
    RecallK,
    ReciprocalRankK,
)
from scipy.sparse import csr_matrix

NAMES = {
    "precision": PrecisionK,
    "recall": RecallK,
    "recall(denominator=achievable)": CalibratedRecallK,
    "hits": HitK,
    "rr": ReciprocalRankK,
    "dcg": DCGK,
    "ndcg": NDCGK,
    "coverage": CoverageK,
}


def values(recs: Rows, truth: Rows) -> Values:
    users, items = (
        {one: place for place, one in enumerate(sorted({row[column] for row in recs + truth}))}
        for column in ("user_id", "item_id")
    )

    def matrix(rows: Rows, column: str) -> csr_matrix:
        places = [users[row["user_id"]] for row in rows], [items[row["item_id"]] for row in rows]
        return csr_matrix(([row[column] for row in rows], places), shape=(len(users), len(items)))

    relevant = (matrix(truth, "relevance") > 0).astype(float)
    found = {}
    for name, metric in NAMES.items():
        for k in KS:
            measured = metric(k)
            measured.calculate(relevant, matrix(recs, "score"))
            found[f"{name}@{k}"] = measured.value
    if {row["user_id"] for row in truth} == {row["user_id"] for row in recs}:
        pairs = [(place, ord(character)) for item, place in items.items() for character in {*item}]
        features = csr_matrix(([1.0] * len(pairs), tuple(zip(*pairs, strict=True))), shape=(len(items), 128))
        for k in KS:
            diversity = IntraListDiversityK(k)
            diversity.fit(features)
            diversity.calculate(relevant, matrix(recs, "score"))
            found[f"ild@{k}"] = diversity.value
    return found


give(values)
