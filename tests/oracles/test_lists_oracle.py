"""Means over lists on random data, each list computed again from its pairs of items.

If it fails, a closed form of a distance within a list, or between lists, differs from the sum over pairs.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import log, sqrt
from random import Random
from statistics import fmean

import pyarrow as pa
import pytest

import recsql

ITEMS, CATEGORIES, KS = range(50), "abcde", (1, 3, 10)
RANDOM = Random(5)
FEATURES = {item: {one for one in CATEGORIES if RANDOM.random() < 0.3} for item in ITEMS}
VECTORS = {
    item: [RANDOM.gauss(0, 1) * scale for _ in range(6)]
    for item in ITEMS
    for scale in [RANDOM.choice([0, 1e-10, 1e-3, 1, 1e4, 1e30])]
}
LISTS = {user: RANDOM.sample([*ITEMS, 98, 99], RANDOM.randint(1, 12)) for user in range(60)}  # 98 and 99 are not in items
PAST = {user: RANDOM.choices(ITEMS, k=RANDOM.randint(1, 9)) for user in range(5, 70)}

RECS = pa.Table.from_pylist(
    [{"user_id": user, "item_id": item, "rank": rank} for user, items in LISTS.items() for rank, item in enumerate(items, 1)]
)
THINGS = pa.table(
    {"item_id": [*ITEMS], "category": [sorted(FEATURES[item]) for item in ITEMS], "vector": [VECTORS[item] for item in ITEMS]}
)
TRAIN = pa.Table.from_pylist([{"user_id": user, "item_id": item} for user, items in PAST.items() for item in items])
TABLES = {"items": THINGS, "train": TRAIN, "vector": "vector"}


def cosine(one: int, other: int) -> float:
    a, b = FEATURES.get(one, set()), FEATURES.get(other, set())
    return 1 - (len(a & b) / sqrt(len(a) * len(b)) if a and b else 0)


def hamming(one: int, other: int) -> float:
    return len(FEATURES.get(one, set()) ^ FEATURES.get(other, set()))


def jaccard(one: int, other: int) -> float:
    a, b = FEATURES.get(one, set()), FEATURES.get(other, set())
    return 1 - len(a & b) / len(a | b) if a | b else 0


def by_vector(one: int, other: int) -> float:
    a, b = VECTORS.get(one, [0.0]), VECTORS.get(other, [0.0])
    norm = sqrt(sum(x * x for x in a) * sum(y * y for y in b))
    return 1 - (sum(x * y for x, y in zip(a, b, strict=True)) / norm if norm else 0)


DISTANCES = {"cosine": cosine, "hamming": hamming, "jaccard": jaccard, "vector": by_vector}


@pytest.mark.parametrize("name", DISTANCES)
def test_distance_within_lists(name: str) -> None:
    def mean(items: Sequence[int], distance: Callable[[int, int], float]) -> float | None:
        pairs = [distance(one, other) for one, other in combinations(items, 2)]
        return fmean(pairs) if pairs else None

    assert values(f"ild(distance={name})") == {key: near(mean(items, DISTANCES[name])) for key, items in cut().items()}


def test_miscalibration() -> None:
    def shares(items: Sequence[int]) -> dict[str, float]:
        known = [FEATURES[item] for item in items if FEATURES.get(item)]
        return {one: fmean((one in its) / len(its) for its in known) for one in CATEGORIES} if known else {}

    def divergence(user: int, items: Sequence[int]) -> float | None:
        wanted, listed = shares(PAST.get(user, ())), shares(items)
        if not wanted or not listed:
            return None
        return sum(p * log(p / (0.99 * listed[one] + 0.01 * p)) for one, p in wanted.items() if p)

    assert values("calibration") == {key: near(divergence(key[0], items)) for key, items in cut().items()}


def test_distance_between_lists() -> None:
    found = recsql.item_metrics(RECS, "personalisation", KS).to_pylist()
    for row in found:
        lists = [{*items} for (_, k), items in cut().items() if k == row["k"]]
        pairs = [1 - len(one & other) / sqrt(len(one) * len(other)) for one, other in combinations(lists, 2)]
        assert row["value"] == pytest.approx(fmean(pairs), abs=1e-12)
    assert len(found) == len(KS)


def cut() -> dict[tuple[int, int], list[int]]:
    """The top k of each list, by user and k."""
    return {(user, k): items[:k] for user, items in LISTS.items() for k in KS}


def values(metric: str) -> dict[tuple[int, int], float | None]:
    truth = pa.table({"user_id": [1], "item_id": [1]})
    found = recsql.per_user(RECS, truth, metric, KS, **TABLES).to_pylist()
    return {(row["user_id"], row["k"]): row[metric] for row in found}


def near(value: float | None) -> object:
    return None if value is None else pytest.approx(value, abs=1e-9)
