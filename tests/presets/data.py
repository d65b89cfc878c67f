"""The input of the differential tests: one small case, and random data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from tests.random_data import Data, Judgement, Rec, random_data

# Four users with truth and four lists: hits between misses, a short list, none, one without truth, more relevant items than k.
LISTS = {"u1": "a x b y z", "u2": "x d", "u4": "a b", "u5": "g1 g2 g3 g4 g5"}
TRUTHS = {"u1": "a b c", "u2": "d", "u3": "e f", "u5": "g1 g2 g3 g4 g5 g6 g7 g8"}

KINDS: Mapping[str, Mapping[str, Any]] = {
    "binary": {"relevances": (1.0,)},
    "graded": {"relevances": (0.0, 1.0, 2.0, 3.0)},
    "negative": {"relevances": (-1.0, 0.0, 1.0, 2.0)},
    "copies": {"relevances": (1.0,), "copies": True},
    "tied": {"relevances": (0.0, 1.0, 2.0, 3.0), "ties": True},
}


@dataclass(frozen=True)
class Sample:
    """Recommendations and truth, as rows; every list best first."""

    kind: str
    recs: list[dict[str, Any]]
    truth: list[dict[str, Any]]

    @property
    def tables(self) -> tuple[pa.Table, pa.Table]:
        return pa.Table.from_pylist(self.recs), pa.Table.from_pylist(self.truth)

    @property
    def items(self) -> pa.Table:
        """The catalogue: the items of the truth."""
        return pa.table({"item_id": sorted({row["item_id"] for row in self.truth})})


def samples(kinds: Iterable[str]) -> list[Sample]:
    """The small case and random data of each kind."""
    return [written("small", LISTS, TRUTHS), *map(drawn, kinds)]


def drawn(kind: str) -> Sample:
    """Random data: users missing on either side, lists short and long, an item once in a user's truth."""
    settings: dict[str, Any] = {"users": 120, "items": 30, "depth": 14, "models": (None,), "text": True, "gaps": True}
    data = random_data(1, **settings, **KINDS[kind])
    truth = {(row.user_id, row.item_id): row for row in data.truth}
    if kind == "negative":  # trec_eval may never end where a user has no item that is judged 0 or more
        truth |= {(user, "zero"): Judgement(user, "zero", 0.0, 0) for user, _ in truth}
    return sample(kind, Data(data.recs, list(truth.values())))


def written(kind: str, lists: Mapping[str, str], truths: Mapping[str, str]) -> Sample:
    """A sample written out by hand: the items of each user, in order."""
    recs = [Rec(None, user, item, rank, 10.0 - rank) for user, rank, item in places(lists)]
    return sample(kind, Data(recs, [Judgement(user, item, 1.0, rank) for user, rank, item in places(truths)]))


def places(lists: Mapping[str, str]) -> Iterable[tuple[str, int, str]]:
    return [(user, rank, item) for user, items in lists.items() for rank, item in enumerate(items.split(), start=1)]


def sample(kind: str, data: Data) -> Sample:
    recs = sorted(data.recs, key=lambda row: (row.user_id, row.rank))
    tidy = Data(recs, data.truth)
    return Sample(kind, tidy.recs_table("user_id", "item_id", "rank", "score").to_pylist(), tidy.truth_table().to_pylist())
