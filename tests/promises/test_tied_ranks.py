"""Two items at one rank of a list are always refused: such ranks make every metric wrong.

If it fails, two items at one rank are taken, and every metric is wrong.
"""

from collections.abc import Callable, Sequence
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql

TRUTH = pa.table({"user_id": [1, 1], "item_id": [1, 2], "relevance": [2.0, 1.0]})
SAME = r"^recs: items {} and {} have the same rank {} in the list of user 1; number each list with row_number\(\), or use rank_by"
IN_MACRO = SAME.replace("^", "").replace("or use rank_by", "or choose how equal scores count with recsql macros --rank-by")

# The items of user 1's list with their ranks, and what is refused: two items and their rank.
TIED = {
    "at every rank": ([7, 8, 9], [1, 1, 1], (7, 9, 1)),
    "then a gap, as rank() leaves it": ([7, 8, 9], [1, 1, 3], (7, 8, 1)),
    "hits": ([1, 2, 9], [2, 2, 1], (1, 2, 2)),
    "a hit and another": ([1, 8, 9], [1, 2, 2], (8, 9, 2)),
    "below the cut-off": ([1, 8, 9], [1, 7, 7], (8, 9, 7)),
    "in a list of many ranks": (list(range(300)), [*range(1, 300), 299], (298, 299, 299)),
    "in a list of few, far down": (list(range(3)), [1, 10**17, 10**17], (1, 2, 10**17)),
    "64 ranks apart from a third": ([7, 8, 9], [1, 65, 65], (8, 9, 65)),
    "beside a copy": ([7, 7, 8], [1, 1, 1], (7, 8, 1)),
}
# Lists in which no two items have the same rank.
APART = {
    "without a gap": ([7, 1, 9], [2, 1, 3]),
    "with gaps": ([7, 1, 9], [5, 1, 3]),
    "64 apart": ([7, 1, 9], [65, 1, 129]),
    "deep": (list(range(3, 303)), list(range(300, 0, -1))),
    "deep, with gaps": (list(range(3, 304)), [*range(1000, 700, -1), 1]),
    "a copy of an item": ([7, 7, 9], [1, 1, 3]),
}
Call = Callable[..., Any]
CALLS: dict[str, tuple[Call, dict[str, Any]]] = {
    "evaluate": (recsql.evaluate, {"metrics": "ndcg", "k": 2}),
    "evaluate, the length of lists": (recsql.evaluate, {"metrics": "fp", "k": 2}),
    "evaluate, all lists together": (recsql.evaluate, {"metrics": "entropy", "k": 2}),
    "per_user": (recsql.per_user, {"metrics": "rr", "k": 2}),
    "hits": (recsql.hits, {"k": 2}),
    "judged items alone": (recsql.evaluate, {"metrics": "ap", "k": 2, "judged_only": True}),
    "the first copy": (recsql.evaluate, {"metrics": "ap", "k": 2, "duplicates": "first"}),
    "users of a policy": (recsql.evaluate, {"metrics": "ap", "k": 2, "no_recs": "skip"}),
}


def recs(items: Sequence[int], ranks: Sequence[int], **further: Any) -> pa.Table:
    columns = {"user_id": [1] * len(items), "item_id": list(items), "rank": list(ranks)}
    return pa.table(columns | further)


# Every list in two calls; in each further call a third of the lists.
REFUSED = [
    (call, name)
    for turn, call in enumerate(CALLS)
    for place, name in enumerate(TIED)
    if call in ("evaluate", "hits") or (turn + place) % 3 == 0
]


@pytest.mark.parametrize(("call", "name"), REFUSED)
def test_refused(call: str, name: str) -> None:
    function, options = CALLS[call]
    items, ranks, found = TIED[name]
    with pytest.raises(recsql.BadInput, match=SAME.format(*found)):
        function(recs(items, ranks), TRUTH, **options)


@pytest.mark.parametrize("call", CALLS)
def test_taken(call: str) -> None:
    """Each list is that of a model, which a refusal would name."""
    function, options = CALLS[call]
    lists = pa.concat_tables(recs(*APART[name], model=[name] * len(APART[name][0])) for name in APART)
    assert set(function(lists, TRUTH, **options)["model"].to_pylist()) == set(APART)


@pytest.mark.parametrize("macro", ["evaluate", "per_user", "hits"])
def test_macros(connection: duckdb.DuckDBPyConnection, macro: str) -> None:
    connection.register("truth", TRUTH)
    names = [*TIED] if macro == "evaluate" else [*TIED][len(macro) % 3 :: 3]
    for name in names:
        items, ranks, found = TIED[name]
        connection.register("recs", recs(items, ranks))
        with pytest.raises(duckdb.InvalidInputException, match=IN_MACRO.format(*found)):
            pytest.fail(f"{name}: {connection.execute(f'''from recsql.{macro}('recs', 'truth', k := 2)''').fetchall()}")
    connection.register("recs", recs([1, 8, 9], [1, 5, 3]))
    assert connection.execute(f"from recsql.{macro}('recs', 'truth', k := 2)").fetchall()


def test_item_metrics(connection: duckdb.DuckDBPyConnection) -> None:
    tied = recs([7, 8], [1, 1])
    with pytest.raises(recsql.BadInput, match=SAME.format(7, 8, 1)):
        recsql.item_metrics(tied, "entropy", 1)
    connection.register("recs", tied)
    with pytest.raises(duckdb.InvalidInputException, match=IN_MACRO.format(7, 8, 1)):
        connection.execute("from recsql.item_metrics('recs', k := 1, metrics := ['entropy'])").fetchall()


def test_model_is_named() -> None:
    tied = recs([7, 8, 7, 8], [1, 2, 1, 1], model=["a", "a", "b", "b"])
    with pytest.raises(recsql.BadInput, match="items 7 and 8 have the same rank 1 in the list of user 1 and model b;"):
        recsql.evaluate(tied, TRUTH, "hit", 1)


def test_copies_that_count_need_ranks_of_their_own() -> None:
    """A precision at rank 3 is not one of three items where two copies of one stand there."""
    copies = recs([9, 1, 1], [1, 3, 3])
    with pytest.raises(recsql.BadInput, match=SAME.format(1, 1, 3)):
        recsql.evaluate(copies, TRUTH, "ap", 3, duplicates="count")
    [row] = recsql.evaluate(copies, TRUTH, "ap", 3, duplicates="hole").to_pylist()
    assert row["value"] == pytest.approx((1 / 3) / 2)


def test_equal_ranks_are_no_matter_where_a_score_orders() -> None:
    scored = recs([1, 8], [1, 1], score=[0.5, 0.4])
    assert recsql.evaluate(scored, TRUTH, "rr", 2, score="score")["value"].to_pylist() == [1.0]


def test_real_data() -> None:
    """What SQL's rank() gives lists whose items have no scores: all are first."""
    folder = "examples/movietweetings"
    with duckdb.connect() as con:
        con.sql(f"create view recs as select * replace (1 as rank) from '{folder}/recs.parquet'")
        with pytest.raises(recsql.BadInput, match=r"recs: items .* have the same rank 1 in the list of user .* and model als"):
            recsql.evaluate("recs", f"{folder}/truth.parquet", "ndcg@10", connection=con)
