"""The small examples from the articles that many learnt these metrics from, recomputed exactly.

If it fails, recsql contradicts the example from which people learnt the metric.

Where an article prints a rounded or wrong figure, the comment says so: ours is the exact one.
"""

from collections.abc import Iterable, Sequence

import duckdb
import pytest

import recsql
from tests.support import Case, Row, check, of_lists, table

PRINTED = 5e-7  # numbers below with six digits


def ranked(user: str, items: Iterable[str]) -> list[tuple[str, str, int]]:
    return [(user, item, rank) for rank, item in enumerate(items, start=1)]


def liked(user: str, items: Iterable[str]) -> list[tuple[str, str]]:
    return [(user, item) for item in items]


# -- precision and mean precision, dividing by what was returned

RETURNED = "precision(denominator=returned)"
FIRST = ranked("first", "ABCLYUFZ")
SECOND = ranked("second", "NXYBM")
LIKED_FIRST = liked("first", "AKBZ")
LIKED_SECOND = liked("second", "EB")


def test_precision_of_one_list(con: duckdb.DuckDBPyConnection) -> None:
    check(con, Case(RETURNED, of_lists(FIRST, LIKED_FIRST), 5, per_user={"first": 2 / 5}))


def test_precision_of_the_whole_list(con: duckdb.DuckDBPyConnection) -> None:
    check(con, Case(RETURNED, of_lists(FIRST, LIKED_FIRST), 100, per_user={"first": 3 / 8}))


def test_mean_precision_of_two_lists(con: duckdb.DuckDBPyConnection) -> None:
    tables = of_lists(FIRST + SECOND, LIKED_FIRST + LIKED_SECOND)
    check(con, Case(RETURNED, tables, 3, row={"value": 1 / 3}, per_user={"first": 2 / 3, "second": 0}))


# -- an ordered truth list, windowed at k

PREDICTED = ranked("u", "abcde")
ORDERED = [("u", "h", 1), ("u", "a", 3), ("u", "i", 0), ("u", "j", 1), ("u", "d", 2)]
UNGRADED = liked("u", "haijd")
WINDOWED = {"truth_window": "k"}
HITS_RETURNED = {"precision_denominator": "returned"}


def check_at_each_k(
    con: duckdb.DuckDBPyConnection, metric: str, truth: Sequence[Row], expected: Sequence[float], **options: str
) -> None:
    """The metric of the predicted list at 1, 2, ... as printed, with up to four digits."""
    tables, tolerance = of_lists(PREDICTED, truth), 1e-9 if metric != "ndcg" else 5e-5
    for k, value in enumerate(expected, start=1):
        check(con, Case(metric, tables, k, options, per_user={"u": value}, tolerance=tolerance))


def test_precision_of_a_windowed_truth(con: duckdb.DuckDBPyConnection) -> None:
    """An entry counts by being there: i has relevance 0."""
    expected = [0, 1 / 2, 1 / 3, 1 / 4, 2 / 5]
    check_at_each_k(con, "precision", UNGRADED, expected, **WINDOWED, **HITS_RETURNED)
    check_at_each_k(con, "precision", ORDERED, expected, **WINDOWED, **HITS_RETURNED, relevant="present")


def test_recall_of_a_windowed_truth(con: duckdb.DuckDBPyConnection) -> None:
    expected = [0, 1 / 5, 1 / 5, 1 / 5, 2 / 5]
    check_at_each_k(con, "recall", UNGRADED, expected, **WINDOWED)
    check_at_each_k(con, "recall", ORDERED, expected, **WINDOWED, relevant="present")


def test_precision_of_all_the_truth(con: duckdb.DuckDBPyConnection) -> None:
    expected = [1, 1 / 2, 1 / 3, 2 / 4, 2 / 5]
    check_at_each_k(con, "precision", UNGRADED, expected, **HITS_RETURNED)
    check_at_each_k(con, "precision", ORDERED, expected, **HITS_RETURNED, relevant="present")


def test_ndcg_of_an_ordered_truth(con: duckdb.DuckDBPyConnection) -> None:
    """Here an entry counts by its gain: i adds nothing, be it relevant or not."""
    windowed = [0, 0.8262, 0.8262, 0.7262, 0.7436]  # the article prints 0.0, 0.82, 0.82, 0.72, 0.74
    check_at_each_k(con, "ndcg", ORDERED, windowed, **WINDOWED)
    check_at_each_k(con, "ndcg", ORDERED, windowed, **WINDOWED, relevant="present")
    check_at_each_k(con, "ndcg", ORDERED, [1, 0.7039, 0.6300, 0.7436, 0.7436])


def test_ap_with_the_truth_windowed_at_the_rank(con: duckdb.DuckDBPyConnection) -> None:
    """Hits at ranks 1, 3, 5 and at ranks 2, 3; the article prints 0.75, 0.58 and their mean as 0.665."""
    recs = ranked("one", "abcde") + ranked("other", "fgh")
    truth = liked("one", "axcye") + liked("other", "xgh")
    expected = {"one": (1 + 2 / 3 + 3 / 5) / 3, "other": (1 / 2 + 2 / 3) / 2}
    metric = "ap(denominator=hits, truth_window=rank)"
    check(con, Case(metric, of_lists(recs, truth), 5, per_user=expected))
    check(con, Case(metric, of_lists(recs, truth), 5, row={"value": 0.669444}, tolerance=PRINTED))


def test_ap_counts_a_repeated_item_once(con: duckdb.DuckDBPyConnection) -> None:
    recs = ranked("one", "aacce")
    metric = "ap(denominator=hits, truth_window=rank, duplicates=hole)"
    check(con, Case(metric, of_lists(recs, liked("one", "axcye")), 5, per_user={"one": (1 + 2 / 3 + 3 / 5) / 3}))


def test_ap_without_an_item_early_enough(con: duckdb.DuckDBPyConnection) -> None:
    """Item a stands at rank 1 and is second in the truth, d stands at rank 4 and is fifth."""
    check(con, Case("ap(denominator=hits, truth_window=rank)", of_lists(PREDICTED, UNGRADED), 5, per_user={"u": 0}))


# -- all the liked items below


def test_precision_and_recall(con: duckdb.DuckDBPyConnection) -> None:
    recs, truth = ranked("u", "abcde"), liked("u", "acexyz")
    check(con, Case("precision", of_lists(recs, truth), 5, per_user={"u": 3 / 5}))
    check(con, Case("recall", of_lists(recs, truth), 5, per_user={"u": 3 / 6}))


def test_map_over_all_liked_items(con: duckdb.DuckDBPyConnection) -> None:
    recs, truth = ranked("one", "abc") + ranked("other", "abc"), liked("one", "ax") + liked("other", "cx")
    expected = {"one": 1 / 2, "other": 1 / 2 * 1 / 3}
    check(con, Case("ap(denominator=relevant)", of_lists(recs, truth), 3, row={"value": 1 / 3}, per_user=expected))


def test_hit_rate_of_leave_one_out(con: duckdb.DuckDBPyConnection) -> None:
    """The last item that each user liked is held out: one finds b in the list, the other misses x."""
    liked_when = [("one", "y", 1), ("one", "b", 2), ("other", "x", 3), ("other", "z", 1)]
    parts = recsql.leave_one_out(table(liked_when, ["user_id", "item_id", "timestamp"])).to_pylist()
    held_out = [(row["user_id"], row["item_id"]) for row in parts if row["part"] == "truth"]
    recs, options = ranked("one", "abc") + ranked("other", "abc"), {"truth_check": "leave_one_out"}
    check(con, Case("hit", of_lists(recs, held_out), 3, options, per_user={"one": 1, "other": 0}, row={"value": 1 / 2}))


# -- CG, DCG, IDCG and nDCG


def test_relevance_321(con: duckdb.DuckDBPyConnection) -> None:
    """The best three of all items are 3, 3, 2. The article prints DCG 4.78 and nDCG 0.81."""
    recs, truth = ranked("u", "abc"), [("u", "a", 3), ("u", "b", 2), ("u", "c", 1), ("u", "d", 3)]
    expected = {"cg": 6, "dcg": 4.761860, "idcg": 5.892789, "ndcg": 0.808082}
    for metric, value in expected.items():
        check(con, Case(metric, of_lists(recs, truth), 3, per_user={"u": value}, tolerance=PRINTED))


@pytest.mark.parametrize(
    "expected",
    [
        {"cg": 17, "dcg": 9.601615, "idcg": 10.170939, "ndcg": 0.944024},
        {"dcg(gain=exp2)": 23.605837, "idcg(gain=exp2)": 28.160424, "ndcg(gain=exp2)": 0.838263},
    ],
    ids=["linear", "exp2"],
)
def test_relevance_333422(con: duckdb.DuckDBPyConnection, expected: dict[str, float]) -> None:
    """The ideal is the list itself, sorted: DCG printed as 9.59, IDCG as 10.03 (3 / log2(5) is 1.292, not 1.16), nDCG as 0.95."""
    truth = [("u", item, relevance) for item, relevance in zip("abcdefg", (3, 3, 3, 4, 2, 2, 4), strict=True)]
    recs, options = ranked("u", "abcdef"), {"ideal": "candidates"}
    for metric, value in expected.items():
        check(con, Case(metric, of_lists(recs, truth), 6, options, per_user={"u": value}, tolerance=PRINTED))


# -- rating errors and entropy


@pytest.mark.parametrize(("metric", "expected"), [("mae", (1 + 0.5 + 2) / 3), ("rmse", ((1 + 0.25 + 4) / 3) ** 0.5)])
def test_rating_errors(con: duckdb.DuckDBPyConnection, metric: str, expected: float) -> None:
    rows = [("u", "a", 4, 5), ("u", "b", 3.5, 3), ("v", "a", 2, 4)]
    tables = {"predictions": table(rows, ["user_id", "item_id", "prediction", "rating"])}
    check(con, Case(metric, tables, row={"value": expected, "pairs": 3}))


def test_entropy_of_the_recommended_items(con: duckdb.DuckDBPyConnection) -> None:
    """The shares of items 1 to 4 are 1/2, 1/6, 1/6, 1/6."""
    recs = ranked("one", "12") + ranked("other", "13") + ranked("third", "14")
    tables = {"recs": table(recs, ["user_id", "item_id", "rank"])}
    check(con, Case("entropy", tables, 2, row={"value": 1.792481}, tolerance=PRINTED))


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("entropy(base=e, normalize=distinct)", 0.3106),  # RecBole
        ("gini", 0.7),  # RecBole, LensKit
        ("gini(divide=n_minus_1, orientation=equality)", 0.2222),  # Elliot
        ("gini(population=recommended, divide=n_minus_1)", 0.3333),  # Evidently
    ],
)
def test_what_other_libraries_make_of_these_lists(con: duckdb.DuckDBPyConnection, metric: str, expected: float) -> None:
    """The same three lists, from a catalogue of ten items."""
    recs = ranked("one", "12") + ranked("other", "13") + ranked("third", "14")
    tables = {"recs": table(recs, ["user_id", "item_id", "rank"])}
    check(con, Case(metric, tables, 2, {"catalog_size": 10}, {"value": expected}, tolerance=5e-5))
