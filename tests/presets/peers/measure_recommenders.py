"""recommenders, its functions on data frames of pandas."""

from collections.abc import Callable
from functools import partial

from common import KS, Rows, Values, give
from pandas import DataFrame
from recommenders.evaluation import python_evaluation as theirs

COLUMNS = {"col_user": "user_id", "col_item": "item_id"}
BOTH = COLUMNS | {"col_rating": "relevance", "col_prediction": "score"}
LISTS: dict[str, Callable[..., float]] = {
    "precision": theirs.precision_at_k,
    "recall": theirs.recall_at_k,
    "ap": theirs.map_at_k,
    "ap(denominator=relevant)": theirs.map,
    "ndcg": theirs.ndcg_at_k,
    "ndcg(gain=linear)": partial(theirs.ndcg_at_k, score_type="raw"),
    "ndcg(gain=exp2)": partial(theirs.ndcg_at_k, score_type="exp"),
}
RATINGS = {"mae": theirs.mae, "rmse": theirs.rmse, "r2": theirs.rsquared, "explained_variance": theirs.exp_var}


def values(recs: Rows, truth: Rows) -> Values:
    shown, judged = DataFrame(recs)[["user_id", "item_id", "score"]], DataFrame(truth)
    found = {f"{name}@{k}": metric(judged, shown, k=k, **BOTH) for name, metric in LISTS.items() for k in KS}
    train = judged.assign(user_id="other " + judged["user_id"])  # a pair of the train table that is recommended is an error
    for k in KS:
        top = shown.groupby("user_id").head(k)
        found[f"coverage@{k}"] = theirs.catalog_coverage(train, top, **COLUMNS)
        found[f"entropy@{k}"] = theirs.distributional_coverage(train, top, **COLUMNS)
    return found | {name: metric(judged, shown, **BOTH) for name, metric in RATINGS.items()}


give(values)
