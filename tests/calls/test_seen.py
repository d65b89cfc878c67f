"""`seen` and `candidates`: which items of the lists count. The others are taken out before ranks are read, and are counted.

If it fails, items that a user knew already count, or items that could not be recommended.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import recsql
from recsql.catalog.grammar import name_in
from tests.random_data import Data, Rec, random_data, table

# User 1 has a in train, which is at rank 1: b and c move up. User 2 has c there, and keeps the order d, a.
RECS = pa.table(
    {"user_id": [1, 1, 1, 2, 2, 2], "item_id": ["a", "b", "c", "d", "c", "a"], "rank": [1, 2, 3, 1, 2, 3], "score": [3, 2, 1] * 2}
)
TRUTH = pa.table({"user_id": [1, 2], "item_id": ["b", "a"]})
TRAIN = pa.table({"user_id": [1, 1, 2, 3], "item_id": ["a", "a", "c", "b"]})
CANDIDATES = pa.table({"user_id": [1, 1, 2, 2, 2], "item_id": ["b", "c", "a", "c", "x"]})
DROPPED = "recs: 2 of 6 rows do not count, because their users have these items in train; later items move up"
SAMPLED = "Ranks among 1 to 2 sampled items need not order models as the full catalogue does (Krichene and Rendle 2020)."
UNLISTED = "recs: 1 of 2 lists lack candidates of their user, which count below all listed items; score every candidate"
Values = dict[tuple[Any, ...], float | None]


def values(rows: pa.Table) -> Values:
    return {(row["model"], name_in(row["metric"]), row["k"]): row["value"] for row in rows.to_pylist()}


# -- by hand


@pytest.mark.parametrize("order", [{}, {"rank_by": "score"}])
def test_seen_items_are_taken_out_and_the_gaps_closed(order: dict[str, Any]) -> None:
    """rr: b is first instead of second, a is second instead of third."""
    kept = recsql.evaluate(RECS, TRUTH, "rr", 3, train=TRAIN, **order)
    assert values(kept) == {(None, "rr", 3): pytest.approx((1 / 2 + 1 / 3) / 2)}
    with pytest.warns(UserWarning, match=re.escape(DROPPED)):
        found = recsql.evaluate(RECS, TRUTH, "rr", 3, train=TRAIN, seen="drop", **order)
    assert values(found) == {(None, "rr", 3): pytest.approx((1 + 1 / 2) / 2)}
    assert "seen=drop" in found["definition"][0].as_py()
    assert DROPPED.encode() in found.schema.metadata[b"recsql"]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_both_in_one_call() -> None:
    found = recsql.evaluate(RECS, TRUTH, ["rr@3", "rr(seen=drop)@3"], train=TRAIN)
    assert found["metric"].to_pylist() == ["rr", "rr(seen=drop)"]
    assert found["value"].to_pylist() == pytest.approx([5 / 12, 3 / 4])


def test_only_candidates_count() -> None:
    """Of user 1 b and c are candidates, of user 2 c and a: b is first, a second. x is not in the list."""
    with pytest.warns(UserWarning, match=".") as warned:
        found = recsql.evaluate(RECS, TRUTH, "rr", 3, candidates=CANDIDATES)
    assert found.to_pylist() == [
        {"model": None, "metric": "rr", "k": 3, "value": pytest.approx((1 + 1 / 2) / 2), "users": 2, "lists": 2}
        | {"definition": "rr(candidates=given)"}
    ]
    assert [str(one.message) for one in warned] == [SAMPLED, UNLISTED]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("order", [{}, {"rank_by": "score"}])
def test_ranks_are_those_among_the_candidates(order: dict[str, Any]) -> None:
    """The given ranks, 7 and 300, are those in the full catalogue."""
    recs = pa.table({"user_id": [1, 1], "item_id": ["b", "c"], "rank": [300, 7], "score": [0.1, 0.9]})
    found = recsql.evaluate(recs, TRUTH.slice(0, 1), "rr", 2, candidates=CANDIDATES.slice(0, 2), **order)
    assert values(found) == {(None, "rr", 2): 0.5}


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_list_of_which_nothing_is_left_is_still_a_list() -> None:
    train = pa.table({"user_id": [1] * 3, "item_id": ["a", "b", "c"]})
    [row] = recsql.evaluate(RECS, TRUTH, "rr", 3, train=train, seen="drop", no_recs="skip").to_pylist()
    assert (row["users"], row["value"]) == (2, pytest.approx((0 + 1 / 3) / 2))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_seen_items_and_candidates_together() -> None:
    """Of user 2, c is a candidate but seen; d is not seen but no candidate: a is first."""
    found = recsql.evaluate(RECS, TRUTH, "rr", 3, train=TRAIN, seen="drop", candidates=CANDIDATES)
    assert values(found) == {(None, "rr", 3): pytest.approx(1.0)}


# -- what is refused

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a seen item": (
        {"train": TRAIN, "seen": "error"},
        "recs: item a in the list of user 1 is an item that they have in train; seen='error' does not allow that",
    ),
    "no train": ({"seen": "drop"}, "seen='drop': it removes or refuses what users have in train; give train= as well"),
    "train without users": (
        {"train": TRAIN.select(["item_id"]), "seen": "drop"},
        "train: there is no column user_id, which seen= needs; name it with user='...'",
    ),
    "other users": (
        {"train": pa.table({"user_id": ["1"], "item_id": ["a"]}), "seen": "drop"},
        "user_id is BIGINT in recs and VARCHAR in train; cast one of them to the other's type",
    ),
    "another word": ({"train": TRAIN, "seen": "leave"}, "seen: unknown value 'leave'; choose one of keep, drop, error"),
    "truth that is no candidate": (
        {"candidates": CANDIDATES.slice(1)},
        "candidates: the relevant item b of user 1 is not among their candidates; add the truth, as recsql.candidates does",
    ),
    "a user without candidates": (
        {"candidates": CANDIDATES.slice(2)},
        "candidates: the relevant item b of user 1 is not among their candidates; add the truth, as recsql.candidates does",
    ),
    "a candidate without an id": (
        {"candidates": pa.table({"user_id": [1, 2, 1], "item_id": ["b", "a", None]})},
        "candidates: item_id is NULL in a row (user_id 1, item_id NULL); leave such rows out or give them an id",
    ),
    "candidates of other users": (
        {"candidates": pa.table({"user_id": ["1"], "item_id": ["a"]})},
        "user_id is BIGINT in recs and VARCHAR in candidates; cast one of them to the other's type",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    options, sentence = REFUSED[case]
    with pytest.raises(recsql.RecsqlError, match=re.escape(sentence)):
        recsql.evaluate(RECS, TRUTH, "rr", 3, **options)


@pytest.mark.parametrize("function", [recsql.per_user, recsql.compare, recsql.differences, recsql.hits, recsql.rank_by_score])
def test_a_table_train_that_nothing_reads(function: Callable[..., Any]) -> None:
    recs = RECS.append_column("model", pa.array(["m", "m", "m", "n", "n", "n"]))
    tables = (recs,) if function is recsql.rank_by_score else (recs, TRUTH)
    idle = "nothing in this call reads it" if function is recsql.hits else "it is read only for by='train.activity', for seen="
    with pytest.raises(recsql.RecsqlError, match=f"train: {idle}"):
        function(*tables, k=3, train=TRAIN)


# -- against lists from which the items were taken out beforehand

OPTIONS: dict[str, dict[str, Any]] = {
    "by rank": {},
    "by score": {"rank_by": "score"},
    "ties": {"rank_by": "score", "ties": "expected"},
    "copies": {"duplicates": "first"},
    "judged alone": {"judged_only": "true"},
    "users with a list": {"no_recs": "skip"},
    "like ranx": {"like": "ranx"},
    "sample": {"sample": 0.6},
    "an interval": {"interval": 0.9},
}
METRICS = ["ndcg", "ap", "recall", "precision(denominator=returned)", "hit", "rr", "entropy"]


def without(data: Data, seen: Collection[tuple[Any, Any]]) -> pa.Table:
    """The lists without these items, ranked anew."""
    lists: dict[tuple[Any, ...], list[Rec]] = defaultdict(list)
    for row in sorted(data.recs, key=lambda one: one.rank):
        lists[row.model, row.user_id] += [] if (row.user_id, row.item_id) in seen else [row]
    rows = [
        Rec(one.model, one.user_id, one.item_id, rank, one.score)
        for kept in lists.values()
        for rank, one in enumerate(kept, start=1)
    ]
    return table(rows, ("model", "user_id", "item_id", "rank", "score"))


def drawn(data: Data, seed: int) -> set[tuple[Any, Any]]:
    """Some pairs of user and item, among them half of those recommended, but none of the truth."""
    pairs = sorted({(one.user_id, one.item_id) for one in data.recs})
    return {*pairs[seed % 2 :: 2]} - {(one.user_id, one.item_id) for one in data.truth}


def pairs_table(pairs: Iterable[tuple[Any, Any]]) -> pa.Table:
    rows = sorted(pairs)
    return pa.table({"user_id": [user for user, _ in rows], "item_id": [item for _, item in rows]})


@pytest.mark.few(3)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", OPTIONS)
def test_as_if_the_items_had_not_been_recommended(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a list of which nothing is left differs, as it is still a list; so every list has an item that stays.

    Of one draw with the fast forms of steps, of another one without them.
    """
    for seed, fast in enumerate(("on", "off")):
        monkeypatch.setenv("RECSQL_FAST", fast)
        data = random_data(seed, ties=name == "ties", copies=name == "copies", items=14)
        first = {(one.model, one.user_id): one.item_id for one in sorted(data.recs, key=lambda one: -one.rank)}
        stays = {(user, item) for (_, user), item in first.items()}
        seen = drawn(data, seed) - stays
        truth, recs = data.truth_table(), data.recs_table("model", "user_id", "item_id", "rank", "score")
        options = {"k": [1, 3, 8], **OPTIONS[name]}
        no_entropy = name in ("ties", "like ranx")  # tied items have no order, which entropy needs, and ranx has none
        metrics = METRICS[:-1] if no_entropy else METRICS
        expected = recsql.evaluate(without(data, seen), truth, metrics, **options)
        train = pairs_table([*seen, *sorted(seen)[:2], (-1, 3)])
        same(recsql.evaluate(recs, truth, metrics, train=train, seen="drop", **options), expected)
        others = {(one.user_id, one.item_id) for one in data.recs} | {(one.user_id, one.item_id) for one in data.truth}
        same(recsql.evaluate(recs, truth, metrics, candidates=pairs_table(others - seen), **options), expected)


def same(found: pa.Table, expected: pa.Table) -> None:
    """The same rows, but for the labels."""
    assert values(found) == pytest.approx(values(expected), nan_ok=True)
    for column in {"users", "low", "high", "std_error"} & {*expected.column_names}:
        assert found[column].to_pylist() == pytest.approx(expected[column].to_pylist(), nan_ok=True)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_in_every_function(tmp_path: Path) -> None:
    data = random_data(5, items=14)
    seen = drawn(data, 0) - {(one.user_id, one.item_id) for one in data.recs if one.rank == 1}
    recs, truth = data.recs_table("model", "user_id", "item_id", "rank", "score"), data.truth_table()
    fewer, train = without(data, seen), pairs_table(seen)
    options: dict[str, Any] = {"train": train, "seen": "drop"}
    by = {"by": "half", "segments": pa.table({"user_id": range(14), "half": [0, 1] * 7})}
    calls: dict[str, Callable[..., pa.Table]] = {
        "per_user": lambda recs, **more: recsql.per_user(recs, truth, ["ndcg", "rr"], 3, **more),
        "hits": lambda recs, **more: recsql.hits(recs, truth, 5, **more),
        "compare": lambda recs, **more: recsql.compare(recs, truth, "ndcg", 3, **more),
        "differences": lambda recs, **more: recsql.differences(recs, truth, "ndcg", 3, **more),
        "items": lambda recs, **more: recsql.item_metrics(recs, "entropy", 3, **more),
        "ranked": lambda recs, **more: recsql.rank_by_score(recs, 3, **more),
        "slices": lambda recs, **more: recsql.evaluate(recs, truth, "ndcg", 3, **by, **more),
        "curve": lambda recs, **more: recsql.curve(recs, truth, "ndcg", [1, 3], **more).data,
    }
    for name, call in calls.items():
        found, expected = (rows(call(recs, **options)), rows(call(fewer)))
        assert found == expected, name
    parts = str(tmp_path / "part.parquet"), str(tmp_path / "fewer.parquet")
    recsql.partial(recs, truth, parts[0], ["ndcg", "entropy"], 3, **options)
    recsql.partial(fewer, truth, parts[1], ["ndcg", "entropy"], 3)
    assert rows(recsql.merge(parts[0], train=train)) == rows(recsql.merge(parts[1]))


def rows(found: pa.Table) -> list[str]:
    """The rows without the options in the definitions of metrics, in some order."""
    return sorted(str([name_in(one) if name == "definition" else one for name, one in row.items()]) for row in found.to_pylist())


def test_without_them_no_step_reads_train() -> None:
    text = recsql.sql(RECS, TRUTH, "rr", 3, train=TRAIN)
    assert not re.search("seen|unseen_recs|candidate_|given_train", text)
