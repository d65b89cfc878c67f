"""ragas on the ids of each question of the truth, and its average precision of the verdicts that the truth gives.

A rank without a row is a context that is not relevant. A NaN is left out of the mean.
"""

import asyncio
import math

from common import WHOLE, Rows, Values, give, nested
from ragas.dataset_schema import SingleTurnSample
from ragas.metrics._context_precision import ContextPrecision, IDBasedContextPrecision, Verification
from ragas.metrics._context_recall import IDBasedContextRecall

BY_ID = {"precision": IDBasedContextPrecision(), "recall": IDBasedContextRecall()}
OF_VERDICTS = {"ap": ContextPrecision()}  # the language model that gives them is never asked


def values(recs: Rows, truth: Rows) -> Values:
    lists: dict[str, dict[int, str]] = {}
    for row in recs:
        lists.setdefault(row["user_id"], {})[row["rank"]] = row["item_id"]
    found: dict[str, list[float]] = {}
    for user, judged in nested(truth, "relevance", float).items():
        relevant, shown = [item for item, value in judged.items() if value > 0], lists.get(user, {})
        if not relevant:
            continue
        sample = SingleTurnSample(retrieved_context_ids=[*shown.values()], reference_context_ids=relevant)
        verdicts = [Verification(reason="", verdict=shown.get(rank) in relevant) for rank in range(1, max(shown, default=0) + 1)]
        for name, metric in BY_ID.items():
            found.setdefault(name, []).append(asyncio.run(metric.single_turn_ascore(sample)))
        for name, metric in OF_VERDICTS.items():
            found.setdefault(name, []).append(metric._calculate_average_precision(verdicts))
    known = {name: [one for one in of_users if not math.isnan(one)] for name, of_users in found.items()}
    return {f"{name}@{WHOLE}": math.fsum(of_users) / len(of_users) for name, of_users in known.items()}


give(values)
