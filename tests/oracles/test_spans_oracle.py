"""Metrics of spans against their definitions over sets of positions, and against the formulas of packages, on 1,000 drawn worlds.

If it fails, a metric of spans or a budget is computed wrongly, or no longer as the packages do.
All worlds are in one table, with users of their own, so that each way of finding spans is one call.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import isclose
from typing import Any

import pyarrow as pa
import pytest

import recsql
from tests.oracles.spans import PACKAGES, Question, Range, Row, Way, anchor_eval, values

WORLDS = 1000
SHARES = (0.1, 0.5, 0.8, 1.0)
KS = [1, 2, 3, 4, 5, 7]  # more than five cut-offs are counted in another way
BUDGETS = [4, 9, 15]
OF_TEXT = ("text_recall", "text_precision", "text_iou")
METRICS = (
    *("hits", "recall", "miss_rate", "hit", "hit(at_least=2)", "hit(at_least=all)", "rr", "first_rank", "cg"),
    *("precision", "precision(denominator=returned)", *OF_TEXT),
)
BY_RANK = [Way(), *(Way(match, share) for match in ("share", "iou") for share in SHARES)]
BY_TOKENS = [Way(crossing="out"), Way(crossing="first"), Way(crossing="in"), Way("iou", 0.3, crossing="out")]


def drawn_range(random: random.Random) -> Range:
    start = random.randrange(30)
    return Range(random.choice("dde"), start, start + random.choice((0, 1, 3, 5, 10, 10, 14)))


def drawn_question(random: random.Random) -> Question:
    """Up to six rows and four spans: overlaps, copies, empty rows, gaps in the ranks, rows without tokens, spans judged 0."""
    ranges = [drawn_range(random) for _ in range(random.randrange(7))]
    ranges = [random.choice(ranges[:place]) if place and random.random() < 0.1 else one for place, one in enumerate(ranges)]
    gap = random.random() < 0.2
    rows = [Row(one, rank + (gap and rank > 1), random.choice((0, 1, 3, 6))) for rank, one in enumerate(ranges, start=1)]
    spans = [one for _ in range(random.randrange(6)) if (one := drawn_range(random)).length]
    spans += random.sample(spans, min(len(spans), random.random() < 0.2))
    return Question(random.sample(rows, len(rows)), [(one, random.choice((0, 1, 1, 2, 3))) for one in spans])


@cache
def drawn_worlds() -> dict[str, Question]:
    """The questions of all worlds, of which each has one to three."""
    drawing = random.Random(55)
    return {f"w{world} q{n}": drawn_question(drawing) for world in range(WORLDS) for n in range(drawing.randrange(1, 4))}


@cache
def tables() -> tuple[pa.Table, pa.Table]:
    worlds = drawn_worlds().items()
    rows = [(user, row.text, {"rank": row.rank, "tokens": row.tokens}) for user, one in worlds for row in one.rows]
    spans = [(user, span, {"relevance": relevance}) for user, one in worlds for span, relevance in one.judged]
    recs, truth = (
        pa.Table.from_pylist([{"user_id": user, **vars(text), **more} for user, text, more in some]) for some in (rows, spans)
    )
    return recs, truth


def found_by(way: Way, metrics: Sequence[str]) -> dict[str, dict[float, dict[str, Any]]]:
    """The values of each question with relevant spans, by cut-off."""
    options: dict[str, Any] = {} if way.match == "any" else {"match": way.match, "match_threshold": way.threshold}
    options |= {"budget": "tokens", "crossing": way.crossing} if way.crossing else {}
    rows = recsql.per_user(*tables(), list(metrics), BUDGETS if way.crossing else KS, findings="off", **options).to_pylist()
    found: dict[str, dict[float, dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["user_id"], {})[row["k"]] = row
    return found


@pytest.mark.parametrize("way", [*BY_RANK, *BY_TOKENS], ids=str)
def test_definitions(way: Way) -> None:
    """What finds a span changes nothing of text. Within a budget, k counts no rows, so precision is of the rows returned."""
    metrics = [
        one
        for one in METRICS
        if (way == Way() or way.crossing or one not in OF_TEXT) and (one != "precision" or not way.crossing)
    ]
    found = found_by(way, metrics)
    asked = {user: question for user, question in drawn_worlds().items() if question.spans}
    assert found.keys() == asked.keys()
    for user, question in asked.items():
        for k, row in found[user].items():
            assert not differing(row, values(question, k, way), metrics), (user, k, question)


def differing(row: Mapping[str, Any], expected: Mapping[str, float | None], metrics: Iterable[str]) -> dict[str, Any]:
    """The values that are not those expected, beside them."""
    pairs = {one: (row[one], expected[one]) for one in metrics}
    return {
        one: pair for one, pair in pairs.items() if pair[0] != pair[1] and (None in pair or not isclose(*pair, abs_tol=1e-12))
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_packages(package: str) -> None:
    found, compared = found_by(Way(), OF_TEXT), 0
    for user, by_k in found.items():
        for k, row in by_k.items():
            if theirs := PACKAGES[package](drawn_worlds()[user], k):
                assert not differing(row, theirs, theirs), (user, k)
                compared += len(theirs)
    assert compared > 1000


@pytest.mark.parametrize("threshold", [0.3, 0.5])
def test_anchor_eval(threshold: float) -> None:
    found, compared = found_by(Way("iou", threshold), ("hit", "hit(at_least=all)", "recall")), 0
    for user, by_k in found.items():
        for k, row in by_k.items():
            if theirs := anchor_eval(drawn_worlds()[user], k, threshold):
                assert not differing(row, theirs, theirs), (user, k)
                compared += len(theirs)
    assert compared > 1000
