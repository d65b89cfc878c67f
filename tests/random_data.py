"""Random recommendations and truth, the same for the same seed: ragged lists, users missing on either side, several models."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

Id = int | str
RELEVANCES = (0.0, 1.0, 1.0, 2.0, 3.0, -1.0)


@dataclass(frozen=True)
class Rec:
    """One recommended row."""

    model: str | None
    user_id: Id
    item_id: Id
    rank: int
    score: float


@dataclass(frozen=True)
class Judgement:
    """One row of truth; `rank` is its place in an ordered truth."""

    user_id: Id
    item_id: Id
    relevance: float
    rank: int


@dataclass(frozen=True)
class Data:
    """Recommendations and truth as rows."""

    recs: Sequence[Rec]
    truth: Sequence[Judgement]

    def recs_table(self, *columns: str) -> pa.Table:
        """The recommendations as Arrow, with these columns."""
        return table(self.recs, columns or ("model", "user_id", "item_id", "rank"))

    def truth_table(self, *columns: str) -> pa.Table:
        """The truth as Arrow, with these columns."""
        return table(self.truth, columns or ("user_id", "item_id", "relevance"))


def table(rows: Sequence[Rec] | Sequence[Judgement], columns: Sequence[str]) -> pa.Table:
    return pa.table({column: [getattr(row, column) for row in rows] for column in columns})


def random_data(
    seed: int,
    *,
    users: int = 14,
    items: int = 12,
    depth: int = 8,
    models: Sequence[str | None] = ("a", "b"),
    text: bool = False,
    copies: bool = False,
    ties: bool = False,
    gaps: bool = False,
    relevances: Sequence[float] = RELEVANCES,
) -> Data:
    """Recommendations and truth of at most so many users and items, with lists of at most this depth.

    Each model recommends to about three quarters of the users, and about as many have a truth. ids can be text. With copies,
    items may appear more than once in a list and in the truth. With ties, items may share a score; their ranks then follow the
    item. With gaps, some ranks of a list may be missing.
    """
    draw = random.Random(seed)
    user_ids: list[Id] = [f"user {n}" if text else n for n in range(users)]
    item_ids: list[Id] = [f"item {n:02}" if text else n for n in range(items)]
    recs = [
        rec
        for model in models
        for user in user_ids
        if draw.random() < 0.75
        for rec in random_list(draw, model, user, item_ids, draw.randint(1, depth), copies, ties, gaps)
    ]
    truth = [row for user in user_ids if draw.random() < 0.75 for row in random_truth(draw, user, item_ids, copies, relevances)]
    return Data(draw.sample(recs, len(recs)), draw.sample(truth, len(truth)))


def random_list(
    draw: random.Random, model: str | None, user: Id, items: list[Id], length: int, copies: bool, ties: bool, gaps: bool
) -> list[Rec]:
    """One list, best first."""
    chosen: list[Any] = draw.choices(items, k=length) if copies else draw.sample(items, length)
    scores = [10.0 - place for place in range(length)]
    if ties:
        pairs = sorted((-draw.randint(1, 3), item) for item in chosen)
        scores, chosen = [-float(score) for score, _ in pairs], [item for _, item in pairs]
    ranks = sorted(draw.sample(range(1, length + 3), length)) if gaps else range(1, length + 1)
    return [Rec(model, user, item, rank, score) for rank, item, score in zip(ranks, chosen, scores, strict=True)]


def random_truth(draw: random.Random, user: Id, items: list[Id], copies: bool, relevances: Sequence[float]) -> list[Judgement]:
    """The truth of one user, in its order."""
    chosen = draw.sample(items, draw.randint(1, len(items) // 2))
    rows = [Judgement(user, item, draw.choice(relevances), place) for place, item in enumerate(chosen, start=1)]
    again = [Judgement(user, row.item_id, draw.choice(relevances), row.rank) for row in rows if copies and draw.random() < 0.2]
    return rows + again
