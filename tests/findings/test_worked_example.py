"""All findings of one small input, in which much is odd: item ids in two cases, gaps, missing lists, and one model twice.

If it fails, findings hide each other, or their order is not that of their weight.
"""

import pyarrow as pa

import recsql

OF_USER_1 = [("A1", 1, 0.9), ("a2", 2, 0.9), ("a3", 4, 0.7)]
OF_USER_2 = [("A1", 1, 0.1), ("a2", 2, 0.5)]
LISTS = [("m", 1, OF_USER_1), ("m", 2, OF_USER_2), ("n", 1, OF_USER_1)]
RECS = pa.Table.from_pylist(
    [
        {"model": model, "user_id": user, "item_id": item, "rank": rank, "score": score}
        for model, user, items in LISTS
        for item, rank, score in items
    ]
)
TRUTH = pa.table({"user_id": [1, 1, 2, 3], "item_id": ["a1", "A3", "a9", "a1"]})
EXPECTED = [
    ("error", "ids_differ_by_case", None, 2, 3, "A1 in recs, a1 in truth"),
    ("warning", "identical_models", "n", 1, 1, "m"),
    ("warning", "no_common_items", None, 3, 3, "A1 in recs, A3 in truth"),
    ("warning", "no_hits", "m", 3, 3, None),
    ("warning", "no_hits", "n", 3, 3, None),
    ("warning", "rank_gaps", "n", 1, 1, "1"),
    ("warning", "users_without_list", "n", 2, 3, "2"),
    ("warning", "coverage_differs", "n", 1, 2, "2"),
    ("warning", "rank_gaps", "m", 1, 2, "1"),
    ("warning", "score_against_rank", "m", 1, 2, "2"),
    ("warning", "short_lists", "m", 1, 2, "2"),
    ("warning", "users_without_list", "m", 1, 3, "3"),
    ("warning", "list_lengths_differ", "m", 1, 6, "2.5 items in a list, not 3.0"),
    ("warning", "few_users", None, 3, None, "1"),
]


def test_everything_that_is_odd() -> None:
    found = recsql.check(RECS, TRUTH, k=3).to_pylist()
    columns = ("severity", "finding", "model", "count", "of", "example")
    assert [tuple(row[column] for column in columns) for row in found] == EXPECTED


def test_the_quick_level_finds_the_same_here() -> None:
    assert recsql.check(RECS, TRUTH, k=3, level="quick").equals(recsql.check(RECS, TRUTH, k=3))


def test_the_remedies_help() -> None:
    """Lower case, lists ordered by score and one for everybody: what is left is true of three users."""
    lists = [*LISTS[:2], ("m", 3, OF_USER_2)]
    recs = [{"user_id": user, "item_id": item.lower(), "score": score} for _, user, items in lists for item, _, score in items]
    truth = TRUTH.set_column(1, "item_id", pa.array([item.lower() for item in TRUTH["item_id"].to_pylist()]))
    found = recsql.check(pa.Table.from_pylist(recs), truth, k=2).to_pylist()
    assert [row["finding"] for row in found] == ["few_users"]
