"""The presets of systems that can't be run here: Elliot and Hivemall by their formulas, two conventions by worked numbers.

If it fails, the preset of a system that can't be run here departs from its formulas.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pytest

import recsql
from tests.presets.data import Sample, samples
from tests.presets.test_vectors import means

Rows = list[dict[str, Any]]

KS = (1, 3, 5, 10)
KINDS = ("binary", "graded", "negative", "copies")


@dataclass(frozen=True)
class Shown:
    """One list, cut at k, and the relevance of the user's relevant items."""

    items: list[str]
    relevant: Mapping[str, float]
    k: int

    @property
    def hits(self) -> list[bool]:
        return [item in self.relevant for item in self.items]

    @property
    def precisions(self) -> list[float]:
        """At every rank down to k, also beyond the list."""
        return [sum(self.hits[:rank]) / rank for rank in range(1, self.k + 1)]

    @property
    def precision_sum(self) -> float:
        return math.fsum(precision for precision, hit in zip(self.precisions, self.hits, strict=False) if hit)

    @property
    def recall(self) -> float:
        return sum(self.hits) / len(self.relevant)

    @property
    def rr(self) -> float:
        return next((1 / rank for rank, hit in enumerate(self.hits, start=1) if hit), 0.0)

    def ndcg(self, gain: Callable[[float], float], length: int) -> float:
        """The ideal list is this long."""
        ideal = sorted(map(gain, self.relevant.values()), reverse=True)[:length]
        return dcg([gain(self.relevant[item]) if item in self.relevant else 0.0 for item in self.items]) / dcg(ideal)


def dcg(gains: Iterable[float]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def binary(_: float) -> float:
    return 1.0


def shown(one: Sample, k: int, threshold: float) -> list[Shown]:
    """The lists of the users who also have something relevant."""
    lists: dict[str, list[str]] = {}
    for row in one.recs:
        lists.setdefault(row["user_id"], []).append(row["item_id"])
    relevant: dict[str, dict[str, float]] = {}
    for row in one.truth:
        if row["relevance"] >= threshold:
            relevant.setdefault(row["user_id"], {})[row["item_id"]] = row["relevance"]
    return [Shown(items[:k], relevant[user], k) for user, items in lists.items() if user in relevant]


# -- Elliot


def f1(one: Shown) -> float:
    precision = sum(one.hits) / one.k
    return 2 * precision * one.recall / (precision + one.recall) if any(one.hits) else 0.0


ELLIOT: Mapping[str, Callable[[Shown], float]] = {
    "precision": lambda one: sum(one.hits) / one.k,
    "recall": lambda one: one.recall,
    "f1": f1,
    "hit": lambda one: any(one.hits),
    "rr": lambda one: one.rr,
    "mean_precision": lambda one: math.fsum(one.precisions) / one.k,
    "ndcg": lambda one: one.ndcg(lambda relevance: 2 ** (relevance + 1) - 1, one.k),
    "ndcg(gain=binary)": lambda one: one.ndcg(binary, one.k),
}


def elliot_of_items(one: Sample, k: int, catalogue: int) -> dict[str, float]:
    """Item coverage, entropy and Gini, over all lists."""
    lists: dict[str, list[str]] = {}
    for row in one.recs:
        lists.setdefault(row["user_id"], []).append(row["item_id"])
    cut = [items[:k] for items in lists.values()]
    counts = Counter(item for items in cut for item in items)
    information = {item: -math.log2(count / counts.total()) for item, count in counts.items()}
    ascending = sorted([0] * (catalogue - len(counts)) + list(counts.values()))
    unequal = sum((2 * place - catalogue - 1) * count for place, count in enumerate(ascending, start=1)) / counts.total()
    return {
        "coverage": len(counts),
        "entropy": mean(mean(information[item] for item in items) for items in cut),
        "gini": 1 - unequal / (catalogue - 1),
    }


@pytest.mark.parametrize("kind", KINDS)
def test_elliot(kind: str) -> None:
    for one in samples([kind]):
        catalogue = len({row["item_id"] for row in [*one.recs, *one.truth]})
        expected: dict[str, float] = {}
        for k in KS:
            lists = shown(one, k, threshold=0)
            expected |= {f"{metric}@{k}": mean(map(formula, lists)) for metric, formula in ELLIOT.items()}
            expected |= {f"{metric}@{k}": value for metric, value in elliot_of_items(one, k, catalogue).items()}
        assert means(*one.tables, list(expected), like="elliot", catalog_size=catalogue) == pytest.approx(
            expected, rel=0, abs=1e-9
        )


# -- Apache Hivemall, over an inner join


def auc(one: Shown) -> float:
    """The pairs of a hit above another item, of which there are k less the hits."""
    hits = [place for place, hit in enumerate(one.hits) if hit]
    pairs = sum(not hit for place in hits for hit in one.hits[place:])
    return pairs / (len(hits) * (one.k - len(hits))) if 0 < len(hits) < one.k else 0.5


HIVEMALL: Mapping[str, Callable[[Shown], float]] = {
    "precision": lambda one: sum(one.hits) / len(one.items),
    "recall": lambda one: one.recall,
    "hit": lambda one: any(one.hits),
    "rr": lambda one: one.rr,
    "ap": lambda one: one.precision_sum / sum(one.hits) if any(one.hits) else 0.0,
    "ndcg": lambda one: one.ndcg(binary, len(one.items)),
    "auc": auc,
}


@pytest.mark.parametrize("kind", KINDS)
def test_hivemall(kind: str) -> None:
    for one in samples([kind]):
        expected: dict[str, float] = {}
        for k in KS:
            lists = shown(one, k, threshold=-math.inf)
            expected |= {f"{metric}@{k}": mean(map(formula, lists)) for metric, formula in HIVEMALL.items()}
        assert means(*one.tables, list(expected), like="hivemall", rank_by="score") == pytest.approx(expected, rel=0, abs=1e-9)


# -- worked numbers


def test_returned() -> None:
    recs = ranked("first", "ABCLYUFZ") + ranked("second", "NXYBM")
    truth = ranked("first", "AKBZ") + ranked("second", "EB")
    found = recsql.per_user(pa.Table.from_pylist(recs), pa.Table.from_pylist(truth), "precision", (3, 5, 100), like="returned")
    assert {(row["user_id"], row["k"]): row["precision"] for row in found.to_pylist()} == pytest.approx(
        {
            ("first", 3): 2 / 3,
            ("first", 5): 2 / 5,
            ("first", 100): 3 / 8,
            ("second", 3): 0.0,
            ("second", 5): 1 / 5,
            ("second", 100): 1 / 5,
        }
    )


@pytest.mark.parametrize(
    ("metric", "values"),
    [
        ("precision", [0, 1 / 2, 1 / 3, 1 / 4, 2 / 5]),
        ("recall", [0, 1 / 5, 1 / 5, 1 / 5, 2 / 5]),
        ("ndcg", [0, 0.8262, 0.8262, 0.7262, 0.7436]),
    ],
)
def test_pyspark_udf(metric: str, values: list[float]) -> None:
    """An entry of the truth counts by being there, from its own place on; i has relevance 0."""
    relevance = {"h": 1.0, "a": 3.0, "i": 0.0, "j": 1.0, "d": 2.0}
    truth = [row | {"relevance": relevance[row["item_id"]]} for row in ranked("u", relevance)]
    assert udf(ranked("u", "abcde"), truth, metric, (1, 2, 3, 4, 5)) == pytest.approx(values, abs=5e-5)


def test_pyspark_udf_of_ap() -> None:
    """An item counts where it stands no higher than in the truth: a, c and e at 1, 3 and 5; g and h at 2 and 3."""
    recs, truth = ranked("one", "abcde") + ranked("other", "fgh"), ranked("one", "axcye") + ranked("other", "xgh")
    assert udf(recs, truth, "ap", 5) == pytest.approx([((1 + 2 / 3 + 3 / 5) / 3 + (1 / 2 + 2 / 3) / 2) / 2])


def udf(recs: Rows, truth: Rows, metric: str, k: int | tuple[int, ...]) -> list[float]:
    """The means, by rising k."""
    found = recsql.evaluate(pa.Table.from_pylist(recs), pa.Table.from_pylist(truth), metric, k, like="pyspark_udf")
    return [row["value"] for row in found.sort_by("k").to_pylist()]


def ranked(user: str, items: Iterable[str]) -> Rows:
    return [{"user_id": user, "item_id": item, "rank": rank} for rank, item in enumerate(items, start=1)]


def mean(values: Iterable[float]) -> float:
    kept = list(values)
    return math.fsum(kept) / len(kept)


# -- the AUROC of torchmetrics


def test_auroc_of_torchmetrics() -> None:
    """Pairs of a hit and another item of the list: u1 (1 + 1 + 0 + 1) / 4. A list of one kind alone has 0."""
    scores = {"u1": {"a": 0.9, "b": 0.5, "c": 0.4, "d": 0.1}, "u2": {"a": 0.9, "b": 0.5}, "u3": {"a": 0.9, "b": 0.5}}
    recs = [(user, item, score) for user, items in scores.items() for item, score in items.items()]
    truth = [("u1", "a"), ("u1", "c"), ("u2", "a"), ("u2", "b"), ("u3", "x")]
    lists, relevant = (
        pa.Table.from_pylist([dict(zip(("user_id", "item_id", "score"), row, strict=False)) for row in rows])
        for rows in (recs, truth)
    )
    [row] = recsql.evaluate(lists, relevant, "RetrievalAUROC", like="torchmetrics").to_pylist()
    assert (row["value"], row["k"], row["users"]) == (pytest.approx((3 / 4 + 0 + 0) / 3, abs=1e-12), None, 3)
