"""Metrics of groups of items, discoveries and partial areas over random lists, against their definitions in plain Python.

If it fails, one of these metrics departs from its definition under some option or data.
"""

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from tests.oracles.oracle import discount
from tests.random_data import Data, Id, random_data

CHOICES: dict[str, Sequence[Any]] = {
    "several_groups": ["equal", "whole"],
    "rsp_ungrouped": ["out", "group"],
    "awrf_target": ["catalog", "train", "uniform"],
    "exposure_share_relative": ["none", "catalog", "train"],
    "discount": ["log2p1", "jk2002", "geometric", "none"],
    "discount_p": [0.5],
    "discovery_depth": ["k", "returned"],
    "discovery_unseen": ["one", "max"],
    "category_recall_denominator": ["relevant", "all"],
    "pauc_negatives": [1, 2, 4],
    "pauc_insufficient": ["zero", "skip"],
    "rbp_p": [0.8, 0.5],
    "user_coverage_at_least": [1, 3],
}
LISTS = ("awrf", "cold_share")  # means over all lists; the others but those of groups are means over users
USERS = ("category_recall", "efd", "epc", "pap", "pauc", "rbp_residual", "user_coverage")
Groups = Mapping[str | None, float]
Found = dict[tuple[str, int, str, str | None], float | None]


@dataclass(frozen=True)
class Trial:
    """Lists, a table of items that lacks some and has others without a category, train, and options, drawn from one seed."""

    data: Data
    options: dict[str, Any]
    categories: Mapping[Id, list[str]]
    train: Sequence[tuple[Id, Id]]  # users and items, each pair once

    def lists(self, model: str, k: int | None) -> dict[Id, list[Id]]:
        """The items of each user's list, best first."""
        rows: dict[Id, dict[int, Id]] = defaultdict(dict)
        for rec in self.data.recs:
            if rec.model == model and (k is None or rec.rank <= k):
                rows[rec.user_id][rec.rank] = rec.item_id
        return {user: [of[rank] for rank in sorted(of)] for user, of in rows.items()}

    @property
    def judged(self) -> dict[Id, dict[Id, float]]:
        found: dict[Id, dict[Id, float]] = defaultdict(dict)
        for row in self.data.truth:
            found[row.user_id][row.item_id] = row.relevance
        return found

    @property
    def relevant(self) -> dict[Id, set[Id]]:
        """The relevant items of each user who has some."""
        of_users = {user: {item for item, gain in rows.items() if gain > 0} for user, rows in self.judged.items()}
        return {user: items for user, items in of_users.items() if items}

    def d(self, rank: int) -> float:
        return discount(rank, self.options)

    def parts(self, item: Id, *, how: str | None = None) -> Groups:
        """The groups of an item, and how much of it counts in each."""
        if of := self.categories.get(item):
            return dict.fromkeys(of, 1 / len(of) if (how or self.options["several_groups"]) == "equal" else 1.0)
        return {None: 1.0} if item in self.categories and self.options["rsp_ungrouped"] == "group" else {}


def trial(seed: int) -> Trial:
    draw = random.Random(seed)
    options = {name: draw.choice(values) for name, values in CHOICES.items()}
    if options["discount"] != "geometric":
        del options["discount_p"]
    data = random_data(seed, depth=6)
    categories = {item: draw.sample("pqrs", draw.randint(0, 3)) for item in draw.sample(range(15), 12)}
    train = {(user, item) for user in range(16) for item in draw.sample(range(2, 15), draw.randint(0, 4))}
    return Trial(data, options, categories, sorted(train))


# -- the definitions


def expected_of(one: Trial, ks: Iterable[int]) -> Found:
    found: Found = {}
    for model, k in ((model, k) for model in "ab" for k in ks):
        of_groups: dict[str, float | None] = {"rsp": rsp(one, model, k), "reo": reo(one, model, k)}
        values = of_groups | {name: mean(globals()[name](one, model, k)) for name in (*LISTS, *USERS)}
        found |= {(model, k, name, None): value for name, value in values.items()}
        found |= {(model, k, "exposure_share", group): value for group, value in exposure_share(one, model, k).items()}
    return found


def mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def summed(rows: Iterable[tuple[Groups, float]]) -> dict[str | None, float]:
    """By group, the sum of the parts, each times its weight."""
    found: dict[str | None, float] = defaultdict(float)
    for groups, weight in rows:
        for group, part in groups.items():
            found[group] += part * weight
    return found


def grouped(found: Groups) -> dict[str, float]:
    return {group: value for group, value in found.items() if group is not None}


def spread(rates: Sequence[float]) -> float | None:
    return pstdev(rates) / fmean(rates) if len(rates) > 1 and fmean(rates) else None


def rsp(one: Trial, model: str, k: int) -> float | None:
    lists = one.lists(model, k)
    users, known = one.lists(model, None), {(user, item) for user, item in one.train}
    shown = summed((one.parts(item), 1) for listed in lists.values() for item in listed)
    could_be = summed((one.parts(item), 1) for user in users for item in one.categories if (user, item) not in known)
    return spread([shown[group] / pairs for group, pairs in could_be.items() if pairs > 1e-9])


def reo(one: Trial, model: str, k: int) -> float | None:
    lists, users = one.lists(model, k), one.lists(model, None)
    wanted = [(user, item) for user, items in one.relevant.items() if user in users for item in items]
    hits = grouped(summed((one.parts(item), 1) for user, item in wanted if item in lists.get(user, [])))
    relevant = grouped(summed((one.parts(item), 1) for _, item in wanted))
    return spread([hits.get(group, 0) / rows for group, rows in relevant.items()])


def targets(one: Trial, kind: str) -> dict[str, float]:
    """The share that each group should have."""
    items = list(one.categories) if kind == "catalog" else [item for _, item in one.train]
    found = grouped(summed((one.parts(item), 1) for item in items))
    if kind == "uniform":
        found = dict.fromkeys({group for groups in one.categories.values() for group in groups}, 1.0)
    return {group: value / sum(found.values()) for group, value in found.items()}


def awrf(one: Trial, model: str, k: int) -> Iterator[float | None]:
    target = targets(one, one.options["awrf_target"])
    for listed in one.lists(model, k).values():
        found = grouped(summed((one.parts(item), one.d(rank)) for rank, item in enumerate(listed, 1)))
        total = sum(found.values())
        shares = {group: (found.get(group, 0) / total if total else 0, target.get(group, 0)) for group in {*found, *target}}
        halves = (p * math.log2(2 * p / (p + q)) / 2 for pair in shares.values() for p, q in (pair, pair[::-1]) if p > 0)
        yield 1 - sum(halves) if total else None


def exposure_share(one: Trial, model: str, k: int) -> dict[str | None, float | None]:
    """By group; that of the train and of the catalogue are over the parts of items, too, with equal parts in the sum."""
    rows = [(item, one.d(rank)) for listed in one.lists(model, k).values() for rank, item in enumerate(listed, 1)]
    relative = one.options["exposure_share_relative"]
    base = {"catalog": [(item, 1.0) for item in one.categories], "train": [(item, 1.0) for _, item in one.train]}.get(relative)
    share, shares = shares_of(one, rows), shares_of(one, base) if base else None
    groups = {group for of in one.categories.values() for group in of}
    return {
        group: share.get(group, 0.0) if shares is None else share.get(group, 0.0) / shares[group] if shares.get(group) else None
        for group in groups
    }


def shares_of(one: Trial, rows: Sequence[tuple[Id, float]]) -> dict[str, float]:
    total = sum(weight for item, weight in rows if one.categories.get(item))
    found = grouped(summed((one.parts(item), weight) for item, weight in rows))
    return {group: value / total for group, value in found.items()}


def cold_share(one: Trial, model: str, k: int) -> Iterator[float]:
    known = {item for _, item in one.train}
    for listed in one.lists(model, k).values():
        yield fmean(item not in known for item in listed)


def category_recall(one: Trial, model: str, k: int) -> Iterator[float]:
    lists = one.lists(model, k)
    every = {group for groups in one.categories.values() for group in groups}
    for user, relevant in one.relevant.items():
        of_hits = {group for item in lists.get(user, []) if item in relevant for group in one.categories.get(item, [])}
        of_relevant = {group for item in relevant for group in one.categories.get(item, [])}
        base = every if one.options["category_recall_denominator"] == "all" else of_relevant
        yield len(of_hits) / len(base) if base else 0.0


def discovered(one: Trial, model: str, k: int, unknown: Sequence[Id], total: int) -> Iterator[float | None]:
    """The mean discovery of a user: `unknown` has an item as often as somebody knows it, of `total`."""
    efd_of = {item: -math.log2(unknown.count(item) / total) for item in set(unknown)}
    unseen = max(efd_of.values()) if one.options["discovery_unseen"] == "max" else -math.log2(1 / total)
    return discoveries(one, model, k, efd_of, unseen)


def discoveries(one: Trial, model: str, k: int, of_items: Mapping[Id, float], unseen: float) -> Iterator[float | None]:
    lists = one.lists(model, k)
    for user, relevant in one.relevant.items():
        listed = lists.get(user, [])
        depth = len(listed) if one.options["discovery_depth"] == "returned" else k
        found = sum(one.d(rank) * of_items.get(item, unseen) for rank, item in enumerate(listed, 1) if item in relevant)
        yield found / sum(one.d(rank) for rank in range(1, depth + 1)) if listed else None


def efd(one: Trial, model: str, k: int) -> Iterator[float | None]:
    return discovered(one, model, k, [item for _, item in one.train], len(one.train))


def epc(one: Trial, model: str, k: int) -> Iterator[float | None]:
    items, users = [item for _, item in one.train], len({user for user, _ in one.train})
    values = {item: 1 - items.count(item) / users for item in set(items)}
    unseen = max(values.values()) if one.options["discovery_unseen"] == "max" else 1 - 1 / users
    return discoveries(one, model, k, values, unseen)


def pairs_above(one: Trial, model: str, *, first: bool) -> Iterator[float | None]:
    """Of the pairs of a hit and one of the first K items that are not relevant, the share with the hit above."""
    negatives, lists = one.options["pauc_negatives"], one.lists(model, None)
    for user, relevant in one.relevant.items():
        listed, above, hits = lists.get(user, []), 0, 0
        for rank, item in enumerate(listed, 1):
            if item in relevant:
                hits += 1
                above += max(negatives - (rank - hits), 0) if hits <= negatives or not first else 0
        lacks = hits < len(relevant) and len(listed) - hits < negatives
        positives = min(len(relevant), negatives) if first else len(relevant)
        skipped = lacks and one.options["pauc_insufficient"] == "skip"
        yield None if skipped else above / positives / negatives


def pauc(one: Trial, model: str, k: int) -> Iterator[float | None]:
    return pairs_above(one, model, first=False)


def pap(one: Trial, model: str, k: int) -> Iterator[float | None]:
    return pairs_above(one, model, first=True)


def rbp_residual(one: Trial, model: str, k: int) -> Iterator[float]:
    p, lists = one.options["rbp_p"], one.lists(model, k)
    for user in one.relevant:
        judged = one.judged[user]
        yield 1 - (1 - p) * sum(p ** (rank - 1) for rank, item in enumerate(lists.get(user, []), 1) if item in judged)


def user_coverage(one: Trial, model: str, k: int) -> Iterator[float]:
    lists = one.lists(model, k)
    for user in one.relevant:
        yield float(len(lists.get(user, [])) >= one.options["user_coverage_at_least"])


# -- the tests


def found_of(one: Trial, con: duckdb.DuckDBPyConnection, ks: Sequence[int]) -> Found:
    items = {"item_id": list(one.categories), "category": pa.array(one.categories.values(), pa.list_(pa.string()))}
    train = {"user_id": [user for user, _ in one.train], "item_id": [item for _, item in one.train]}
    metrics = ["rsp", "reo", "exposure_share", *LISTS, *USERS]
    rows = recsql.evaluate(
        one.data.recs_table(),
        one.data.truth_table(),
        metrics,
        ks,
        items=pa.table(items),
        train=pa.table(train),
        connection=con,
        findings="off",
        **one.options,
    )
    return {(row["model"], row["k"], row["metric"], row["segment"]): row["value"] for row in rows.to_pylist()}


@pytest.mark.parametrize("seed", range(12))
def test_every_value(seed: int, con: duckdb.DuckDBPyConnection) -> None:
    one = trial(seed)
    expected, found = expected_of(one, (2, 5)), found_of(one, con, (2, 5))
    assert found.keys() == expected.keys()
    assert found == {key: None if value is None else pytest.approx(value, rel=1e-9, abs=1e-12) for key, value in expected.items()}
