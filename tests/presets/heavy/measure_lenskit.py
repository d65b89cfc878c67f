"""LensKit: the means of its summary, over the lists of the run."""

from common import KS, Rows, Values, give, nested
from lenskit.data import ItemList, ItemListCollection
from lenskit.metrics import DCG, NDCG, Hit, ListGini, Precision, Recall, RecipRank, RunAnalysis
from lenskit.metrics.ranking import AveragePrecision

NAMES = {"precision": Precision, "recall": Recall, "ndcg": NDCG, "dcg": DCG, "rr": RecipRank, "hit": Hit}


def values(recs: Rows, truth: Rows) -> Values:
    lists: dict[str, list[str]] = {}
    for row in recs:
        lists.setdefault(row["user_id"], []).append(row["item_id"])
    shown = {user: ItemList(item_ids=items, ordered=True) for user, items in lists.items()}
    relevant = {
        user: ItemList(item_ids=list(items), relevance=list(items.values()))
        for user, items in nested(truth, "relevance", float).items()
    }
    run = RunAnalysis()
    for k in KS:
        for name, metric in NAMES.items():
            run.add_metric(metric(n=k), f"{name}@{k}")
        run.add_metric(ListGini(n=k, items=len({row["item_id"] for row in recs + truth})), f"gini@{k}")
        if shown.keys() <= relevant.keys():  # it raises an error for a list without truth
            run.add_metric(AveragePrecision(n=k), f"ap@{k}")
        run.add_metric(NDCG(n=k, gain="relevance"), f"ndcg(gain=linear)@{k}")
    found = run.measure(*(ItemListCollection.from_dict(each, "user_id") for each in (shown, relevant)))
    return {**found.global_metrics(), **found.list_summary()["mean"].dropna()}


give(values)
