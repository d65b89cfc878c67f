"""With judged_only, a result says how many items of the lists are judged: hand-counted, in each function that has the line.

If it fails, a result with judged_only hides how little of the lists is judged.
"""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import compute

import recsql
from recsql.display.gate import apply_gate, options_for
from recsql.display.shown import Shown

LISTS = {"m": {"u1": "axb", "u2": "cd", "u3": "e"}, "n": {"u1": "xa", "u2": "c"}}
RECS = pa.Table.from_pylist(
    [
        {"model": model, "user_id": user, "item_id": item, "rank": rank}
        for model, lists in LISTS.items()
        for user, items in lists.items()
        for rank, item in enumerate(items, start=1)
    ]
)
TRUTH = pa.table(  # u2 has judged items alone, u3 none; b is judged twice
    {
        "user_id": ["u1", "u1", "u1", "u2"],
        "item_id": ["a", "b", "b", "c"],
        "relevance": [2.0, 0.0, 1.0, 0.0],
    }
)
TRAIN = pa.table({"user_id": ["u1"], "item_id": ["x"]})
CANDIDATES = pa.table({"user_id": ["u1", "u1", "u2"], "item_id": ["a", "b", "c"]})


def counts_of(result: pa.Table) -> Any:
    """The items and the judged ones of each model; None if the report lacks them."""
    found = json.loads(result.schema.metadata[b"recsql"]).get("judged")
    return found and {row["model"]: (row["items"], row["judged"]) for row in found}


COUNTED: list[tuple[dict[str, Any], dict[str, tuple[int, int]]]] = [
    ({}, {"m": (3, 2), "n": (2, 1)}),  # a x b, x a
    ({"k": 1}, {"m": (3, 2), "n": (2, 1)}),  # whatever the cut-off
    ({"no_truth": "zero"}, {"m": (3, 2), "n": (2, 1)}),
    ({"relevant": "present"}, {"m": (5, 3), "n": (3, 2)}),  # c is relevant for u2
    ({"relevance_threshold": 0}, {"m": (5, 3), "n": (3, 2)}),
    ({"users": pa.table({"user_id": ["u1", "u3"]})}, {"m": (3, 2), "n": (2, 1)}),
    ({"users": pa.table({"user_id": ["u2"]}), "relevant": "present"}, {"m": (2, 1), "n": (1, 1)}),
    ({"train": TRAIN, "seen": "drop"}, {"m": (2, 2), "n": (1, 1)}),
    ({"candidates": CANDIDATES}, {"m": (2, 2), "n": (1, 1)}),
]


def test_a_repeated_item_counts_each_time() -> None:
    recs = pa.table({"user_id": ["u1"] * 3, "item_id": ["a", "x", "a"], "rank": [1, 2, 3]})
    found = recsql.evaluate(recs, TRUTH, "hit", 2, judged_only=True, duplicates="first")
    assert counts_of(found) == {None: (3, 2)}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("options", "expected"), COUNTED, ids=str)
def test_the_counts(options: dict[str, Any], expected: dict[str, tuple[int, int]]) -> None:
    result = recsql.evaluate(RECS, TRUTH, "ndcg", **{"k": 3, "judged_only": True, **options})
    assert counts_of(result) == expected


def test_only_what_asks_for_it() -> None:
    assert counts_of(recsql.evaluate(RECS, TRUTH, "ndcg", 3)) is None
    assert counts_of(recsql.evaluate(RECS, TRUTH, ["ndcg", "ndcg(judged_only=true)"], 3)) == {"m": (3, 2), "n": (2, 1)}
    assert not any("Judged" in line for line in Shown.of(recsql.evaluate(RECS, TRUTH, "ndcg", 3)).notes)


LINE = "Judged items in the whole lists of users with truth: m 2 of 3 (66.7%), n 1 of 2 (50.0%)."


def test_the_line_of_each_function(tmp_path: Path) -> None:
    """Also from parts, whose counts add up, and in slices."""
    parts = []
    for user in ("u1", "u2", "u3"):
        recs, truth = (table.filter(compute.equal(table["user_id"], user)) for table in (RECS, TRUTH))
        if truth.num_rows:
            parts.append(str(tmp_path / f"{user}.parquet"))
            recsql.partial(recs, truth, parts[-1], "ndcg", 3, judged_only=True)
    by: dict[str, Any] = {"by": "half", "segments": pa.table({"user_id": ["u1", "u2"], "half": [1, 2]})}
    results = [
        recsql.evaluate(RECS, TRUTH, "ndcg", 3, judged_only=True),
        recsql.evaluate(RECS, TRUTH, "ndcg", 3, judged_only=True, **by),
        recsql.evaluate(RECS, TRUTH, "entropy", 3, judged_only=True),
        recsql.compare(RECS, TRUTH, "ndcg", 3, judged_only=True),
        recsql.compare(RECS, TRUTH, "ndcg", 3, judged_only=True, **by),
        recsql.merge(parts),
    ]
    assert [[line for line in Shown.of(result).notes if line == LINE] for result in results] == [[LINE]] * len(results)


def test_parts_add_up(tmp_path: Path) -> None:
    """A model without a list in one part has the counts of the other."""
    parts = [str(tmp_path / f"{number}.parquet") for number in (1, 2)]
    recsql.partial(RECS, TRUTH, parts[0], "ndcg", 3, judged_only=True)
    users = {"user_id": ["u4", "u4"], "item_id": ["a", "b"]}
    recs = pa.table({"model": ["m", "m"], **users, "rank": [1, 2]})
    recsql.partial(
        recs, pa.table({"user_id": ["u4"], "item_id": ["b"], "relevance": [1.0]}), parts[1], "ndcg", 3, judged_only=True
    )
    assert counts_of(recsql.merge(parts)) == {"m": (5, 3), "n": (2, 1)}


def test_folds_add_up() -> None:
    """Each list is judged by the truth of its fold."""
    lists = {"user_id": [1, 1, 1, 1], "item_id": ["a", "b", "a", "b"], "rank": [1, 2, 1, 2], "fold": [1, 1, 2, 2]}
    truth = pa.table({"user_id": [1, 1, 1], "item_id": ["a", "a", "b"], "fold": [1, 2, 2]})
    result = recsql.evaluate(pa.table(lists), truth, "ndcg", 2, judged_only=True)
    assert counts_of(result) == {None: (4, 3)}
    assert Shown.of(result).notes[-1] == "Judged items in the whole lists of users with truth: 3 of 4 (75.0%)."


# -- models that are judged unequally


def unequal(judged_of_new: int) -> dict[str, pa.Table]:
    """For each of 20 users, the hit is at 4. What is above it is judged in the list of old, and not all in that of new."""
    lists = {"old": ["b", "c", "d", "a"], "new": [*"bcd"[: judged_of_new - 1], *"xyz"[judged_of_new - 1 :], "a"]}
    rows = [
        (model, user, item, rank) for model, items in lists.items() for user in range(20) for rank, item in enumerate(items, 1)
    ]
    truth = [(user, item, float(item == "a" and user > 0)) for user in range(20) for item in "abcd"] + [(0, "d", 1.0)]
    recs = {name: [row[n] for row in rows] for n, name in enumerate(("model", "user_id", "item_id", "rank"))}
    judged = {name: [row[n] for row in truth] for n, name in enumerate(("user_id", "item_id", "relevance"))}
    return {"recs": pa.table(recs), "truth": pa.table(judged)}


APART = "new is judged at 25 %, old at 100 %: what nobody judged counts as not relevant."


def test_unjudged_items_beside_the_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On judged items alone, new has the hit of 19 users at 1 and old at 4. User 0 wants d, which new lacks and old has at 3."""
    tables = unequal(1)
    result = recsql.compare(**tables, metrics="rr", k=4, baseline="old")
    alone = "On judged items alone, rr@4 of new less that of old: +0.6958 [0.5825, 0.8092], p < 0.0001."
    again = recsql.compare(**tables, metrics="rr", k=4, baseline="old", judged_only=True)
    [row] = again.to_pylist()
    assert row["difference"] == pytest.approx(0.75 * 19 / 20 - 1 / 3 / 20)
    assert [line for line in Shown.of(result).notes if "judged" in line] == [APART, alone]
    assert not any("is judged at" in line for line in Shown.of(again).notes)
    gate = apply_gate(recsql.compare(**tables, metrics="rr", k=4, baseline="old", **options_for("worse")), "worse")
    assert [line.partition(":")[0] for line in gate.lines if "judged" in line] == [
        APART.partition(":")[0],
        alone.partition(":")[0],
    ]
    page = recsql.report(**tables, metrics="rr", k=4, baseline="old", out=None, check=False, conventions=False)
    assert f"{APART} {alone}" in page.verdict.paragraphs


@pytest.mark.parametrize(
    ("judged", "options"),
    [(4, {}), (1, {"relevant": "present"}), (1, {"judged_only": True})],
    ids=["equally", "all judged items are relevant", "on judged items alone"],
)
def test_models_that_are_judged_equally(judged: int, options: dict[str, Any]) -> None:
    found = recsql.compare(**unequal(judged), metrics="hit", k=4, **options)
    assert json.loads(found.schema.metadata[b"recsql"])["judged_apart"] == []
    assert "judged_differs" not in recsql.check(**unequal(judged), k=4, **options)["finding"].to_pylist()


def test_lists_in_a_column() -> None:
    lists = pa.table({"user_id": ["u1", "u2"], "items": [["a", "x", "b"], ["c"]]})
    assert counts_of(recsql.evaluate(lists, TRUTH, "ndcg", 3, judged_only=True)) == {None: (3, 2)}
