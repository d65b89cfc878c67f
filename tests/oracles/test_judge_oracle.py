"""Bounds of metrics and of differences over random lists, against all subsets of the unjudged items.

If it fails, some judgements would give a value beyond the bounds, or the bounds are wider than any judgements.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, product
from math import log2
from random import Random

import pyarrow as pa
import pytest

import recsql

K = 4
Gains = dict[str, int]


def drawn(seed: int) -> tuple[dict[str, dict[str, list[str]]], dict[str, Gains]]:
    """Lists of up to five items of five users, the last one without a relevant item; about half of the items are judged."""
    random = Random(seed)
    truth: dict[str, Gains] = {}
    for user in "1234":
        judged = {item: random.choice((0, 0, 1, 3)) for item in random.sample("abcdefg", 4)}
        truth[user] = judged | {"z": random.choice((0, 1, 2)) if any(judged.values()) else 1}
    truth["5"] = {"a": 0, "b": 0}
    lists = {model: {user: random.sample("abcdefg", random.randint(0, 5)) for user in truth} for model in ("m", "n")}
    return lists, truth


def subsets(items: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(items, n) for n in range(len(items) + 1))


def value(metric: str, items: list[str], gains: Gains, k: int = K) -> float:
    """A metric of one list, from its definition; gains are linear."""
    top = [gains.get(item, 0) for item in items[:k]]
    hits, relevant = [rank for rank, gain in enumerate(top, 1) if gain > 0], sum(gain > 0 for gain in gains.values())
    if not relevant:
        return 0.0
    dcg = sum(gain / log2(rank + 1) for rank, gain in enumerate(top, 1))
    if metric == "err":
        found, goes_on = 0.0, 1.0
        for rank, gain in enumerate(top, 1):
            stops = (2**gain - 1) / 2**4
            found, goes_on = found + goes_on * stops / rank, goes_on * (1 - stops)
        return found
    best = sorted(gains.values(), reverse=True)[:k]
    return {
        "precision": len(hits) / k,
        "hits": float(len(hits)),
        "hit": float(bool(hits)),
        "rr": 1 / hits[0] if hits else 0.0,
        "cg": float(sum(top)),
        "dcg": dcg,
        "rbp": 0.2 * sum(gain * 0.8 ** (rank - 1) for rank, gain in enumerate(top, 1)),
        "recall": len(hits) / relevant,
        "ap": sum(nth / rank for nth, rank in enumerate(hits, 1)) / min(relevant, k),
        "ndcg": dcg / sum(gain / log2(rank + 1) for rank, gain in enumerate(best, 1)),
    }[metric]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def tables(lists: dict[str, dict[str, list[str]]], truth: dict[str, Gains]) -> tuple[pa.Table, pa.Table]:
    recs = [
        {"model": model, "user_id": user, "item_id": item, "rank": rank}
        for model, of_users in lists.items()
        for user, items in of_users.items()
        for rank, item in enumerate(items, 1)
    ]
    judged = [{"user_id": user, "item_id": item, "relevance": gain} for user, its in truth.items() for item, gain in its.items()]
    return pa.Table.from_pylist(recs), pa.Table.from_pylist(judged)


@pytest.mark.parametrize(("seed", "no_truth"), [*((seed, "skip") for seed in range(4)), (1, "zero"), (3, "zero_below_threshold")])
@pytest.mark.parametrize("metric", ["precision", "hits", "hit", "rr", "cg", "dcg", "rbp", "err", "recall", "ap", "ndcg"])
def test_bounds_of_a_mean(metric: str, seed: int, no_truth: str) -> None:
    lists, truth = drawn(seed)
    rows = {
        row["model"]: row for row in recsql.judge(*tables(lists, truth), metric, K, bounds=True, no_truth=no_truth).to_pylist()
    }
    users = [user for user, gains in truth.items() if any(gains.values()) or no_truth != "skip"]
    for model, of_users in lists.items():
        found = []
        for user in users:
            items = of_users[user]
            unjudged = [item for item in items[:K] if item not in truth[user]]
            found.append([value(metric, items, truth[user] | dict.fromkeys(some, 1)) for some in subsets(unjudged)])
        expected = (mean([one[0] for one in found]), mean([min(one) for one in found]), mean([max(one) for one in found]))
        row = rows[model]
        assert (row["value"], row["lowest"], row["highest"]) == pytest.approx(expected, rel=0, abs=1e-12), model


@pytest.mark.parametrize(("seed", "no_truth"), [*((seed, "skip") for seed in range(6)), (6, "zero"), (7, "zero_below_threshold")])
@pytest.mark.parametrize("metric", ["precision", "hits", "cg", "dcg", "rbp"])
def test_bounds_of_a_difference(metric: str, seed: int, no_truth: str) -> None:
    """The sign after the first judgements said no, under every outcome of the others."""
    lists, truth = drawn(10 + seed)
    rows = recsql.judge(*tables(lists, truth), metric, K, n=1000, no_truth=no_truth)
    [outcome] = json.loads(rows.schema.metadata[b"recsql"])["outcomes"]
    users = [user for user, gains in truth.items() if any(gains.values()) or no_truth != "skip"]

    def difference(judged: dict[str, tuple[str, ...]]) -> float:
        known = {user: truth[user] | dict.fromkeys(judged.get(user, ()), 1) for user in users}
        return mean(
            [value(metric, lists["m"][user], known[user]) - value(metric, lists["n"][user], known[user]) for user in users]
        )

    def outcomes(left: list[tuple[str, str]]) -> list[float]:
        """The least and the largest difference: users don't depend on one another, so that each is searched alone."""
        none, ends = difference({}), [0.0, 0.0]
        for user in users:
            its = [item for owner, item in left if owner == user]
            moves = [difference({user: some}) - none for some in subsets(its)]
            ends = [ends[0] + min(moves), ends[1] + max(moves)]
        return [none + ends[0], none + ends[1]]

    order = list(zip(rows["user_id"].to_pylist(), rows["item_id"].to_pylist(), strict=True))
    unjudged = {
        (user, item) for model, user in product(lists, users) for item in lists[model][user][:K] if item not in truth[user]
    }
    assert {*order} == unjudged and len(order) == outcome["unjudged"]
    assert [outcome["lowest"], outcome["highest"]] == pytest.approx(outcomes(order), rel=0, abs=1e-12)
    assert outcome["difference"] == pytest.approx(difference({}), rel=0, abs=1e-12)
    for (user, item), moves in zip(order, rows["moves"].to_pylist(), strict=True):
        assert moves == pytest.approx(difference({user: (item,)}) - difference({}), rel=0, abs=1e-12)
    settled = [n for n in range(len(order) + 1) if outcomes(order[n:])[0] > 1e-9 or outcomes(order[n:])[1] < -1e-9]
    assert outcome["enough"] == (settled[0] if settled else None)
