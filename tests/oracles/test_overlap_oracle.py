"""Overlaps of random lists of different lengths, each computed again depth by depth.

If it fails, the closed forms of rank-biased overlap differ from the sums over depths that define it.
"""

from math import log
from random import Random

import pyarrow as pa
import pytest

import recsql

RANDOM = Random(58)
USERS, DEPTHS = range(300), 4000  # so deep that 0.95^d is below 1e-80
ITEMS = range(15)
LISTS = {name: {user: RANDOM.sample(ITEMS, RANDOM.randint(1, 12)) for user in USERS} for name in ("a", "b")}
RECS = {
    name: pa.Table.from_pylist(
        [{"user_id": user, "item_id": item, "rank": rank} for user, items in lists.items() for rank, item in enumerate(items, 1)]
    )
    for name, lists in LISTS.items()
}


def common(one: list[int], other: list[int], depth: int) -> int:
    return len({*one[:depth]} & {*other[:depth]})


def rbo(kind: str, p: float, k: int, depth: str, one: list[int], other: list[int]) -> float:
    """The agreement at each depth, weighted by (1 - p) p^(d - 1)."""
    short, long = sorted((one, other), key=len)
    s, n = len(short), len(long)
    within, both = common(one, other, s), common(one, other, n)
    if kind == "truncated":
        end = k if depth == "k" else n
        weights = [p ** (d - 1) for d in range(1, end + 1)]
        return sum(w * common(one, other, d) / d for d, w in enumerate(weights, 1)) / sum(weights)
    if kind == "extrapolated":  # equation 32 of Webber, Moffat and Zobel 2010
        seen = sum(common(one, other, d) / d * p**d for d in range(1, n + 1))
        further = sum(within * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
        return (1 - p) / p * (seen + further) + ((both - within) / n + within / s) * p**n
    if kind == "least":  # the infinite sum of p^d / d is ln(1 / (1 - p))
        seen = sum((common(one, other, d) - both) / d * p**d for d in range(1, n + 1))
        return (1 - p) / p * (seen + both * log(1 / (1 - p)))
    total = 0.0
    for d in range(1, DEPTHS):  # each rank beyond the end of a list is an item in common, as long as one is left
        unknown = max(d - s, 0) + max(d - n, 0)
        total += (1 - p) * p ** (d - 1) * min(common(one, other, d) + unknown, d) / d
    return total


def share(denominator: str, k: int, one: list[int], other: list[int]) -> float:
    found = len({*one} & {*other})
    sizes = {"k": k, "returned": len(one), "shorter": min(len(one), len(other)), "union": len({*one} | {*other})}
    return found / sizes[denominator]


@pytest.mark.parametrize("p", [0.3, 0.9, 0.95])
@pytest.mark.parametrize("k", [1, 7, 20])
@pytest.mark.parametrize(
    ("kind", "depth"), [("extrapolated", "k"), ("least", "k"), ("most", "k"), ("truncated", "k"), ("truncated", "longer")]
)
def test_rbo(kind: str, depth: str, k: int, p: float) -> None:
    chosen = {"depth": depth} if kind == "truncated" else {}
    rows = recsql.overlap(RECS, k, kind=kind, p=p, per_user=True, **chosen).to_pylist()
    assert len(rows) == len(USERS)
    for row in rows:
        one, other = (LISTS[name][row["user_id"]][:k] for name in ("a", "b"))
        assert row["rbo"] == pytest.approx(rbo(kind, p, k, depth, one, other), rel=0, abs=1e-12)


@pytest.mark.parametrize("k", [1, 7, 20])
@pytest.mark.parametrize("denominator", ["k", "returned", "shorter", "union"])
def test_overlap(denominator: str, k: int) -> None:
    rows = recsql.overlap(RECS, k, denominator=denominator, per_user=True).to_pylist()
    for row in rows:
        one, other = (LISTS[name][row["user_id"]][:k] for name in ("a", "b"))
        assert row["overlap"] == pytest.approx(share(denominator, k, one, other), rel=0, abs=1e-12)
    [mean] = recsql.overlap(RECS, k, denominator=denominator).to_pylist()
    assert mean["overlap"] == pytest.approx(sum(row["overlap"] for row in rows) / len(rows), rel=0, abs=1e-12)


def test_residual() -> None:
    """The extrapolated value is between the least and the most."""
    least, found, most = (
        recsql.overlap(RECS, 5, kind=kind, per_user=True)["rbo"].to_pylist() for kind in ("least", "extrapolated", "most")
    )
    assert all(low <= value + 1e-12 and value <= high + 1e-12 for low, value, high in zip(least, found, most, strict=True))
