"""A query does not rank items below all that may be relevant; the plain steps rank all.

If it fails, ranking only the best items, which is only for speed, changes a rank.
"""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql

pytestmark = pytest.mark.engine

METRICS = ["precision", "ap", "ndcg", "rr", "hits"]
TIES = ["item_asc", "item_desc", "expected", "best", "worst"]
DUPLICATES = ["first", "hole", "count", "set", "last"]
K = 4


def lists(seed: int) -> pa.Table:
    """Lists with few different scores; those of c and d may have an item twice, with one score or two."""
    draw = random.Random(seed)
    rows = []
    for model, user in product("abcd", range(60)):
        items = draw.sample(range(30), 12)
        items += draw.choices(items, k=3) if model in "cd" else []
        rows += [(model, user, item, draw.randrange(5) / 4) for item in items]
    draw.shuffle(rows)
    return pa.table(dict(zip(("model", "user_id", "item_id", "score"), zip(*rows, strict=True), strict=True)))


def wanted(seed: int) -> pa.Table:
    """A truth in which some users have nothing, some much, and some only what nobody recommends."""
    draw = random.Random(seed)
    rows = [
        (user, item + 30 * (user % 7 == 0), draw.randrange(1, 4))
        for user in range(70)
        for item in draw.sample(range(30), user % 9)
    ]
    return pa.table(dict(zip(("user_id", "item_id", "relevance"), zip(*rows, strict=True), strict=True)))


@pytest.fixture(scope="module")
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as cursor:
        for name, table in {"recs": lists(7), "truth": wanted(8)}.items():
            cursor.register("given", table)
            cursor.execute(f"create temporary table {name} as from given")
        cursor.execute(
            "create temporary table distinct_recs as"
            " from (select r.* exclude (score), max(r.score) as score from recs as r group by all)"
        )
        yield cursor


@pytest.mark.few(10)
@pytest.mark.parametrize(("ties", "duplicates"), list(product(TIES, DUPLICATES)))
def test_the_values_are_those_of_all_ranks(
    tables: duckdb.DuckDBPyConnection, ties: str, duplicates: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {"rank_by": "score", "ties": ties, "duplicates": duplicates}
    recs = "distinct_recs" if duplicates in ("hole", "count", "set") and ties in ("expected", "best", "worst") else "recs"
    text = recsql.sql(recs, "truth", METRICS, K, connection=tables, **options)
    assert ("floors as" in text) == (duplicates != "last" and recs == "recs")
    found = recsql.evaluate(recs, "truth", METRICS, K, connection=tables, **options)
    assert len(found) == 4 * len(METRICS)
    assert min(found["value"].to_pylist()) > 0
    monkeypatch.setenv("RECSQL_FAST", "off")
    assert found.equals(recsql.evaluate(recs, "truth", METRICS, K, connection=tables, **options))


@pytest.mark.parametrize(
    ("metrics", "options"),
    [("precision(denominator=returned)", {}), ("ap", {"ties": "error"}), ("ap", {"judged_only": "true"})],
    ids=["lengths", "ties refused", "judged"],
)
def test_where_every_rank_is_read_all_are_ranked(
    tables: duckdb.DuckDBPyConnection, metrics: str, options: dict[str, Any]
) -> None:
    text = recsql.sql("recs", "truth", metrics, K, connection=tables, rank_by="score", **options)
    assert "scored as" in text and "floors as" not in text


@pytest.mark.parametrize("scores", [(2, 1, 1), (2, 1, 3)], ids=["one score", "two scores"])
def test_a_copy_is_found_where_a_floor_is(scores: tuple[int, ...]) -> None:
    recs = pa.table({"user_id": [1, 1, 1], "item_id": [8, 9, 9], "score": scores})
    truth = pa.table({"user_id": [1], "item_id": [9]})
    assert "floors as" in recsql.sql(recs, truth, "ap", K)
    with pytest.raises(recsql.BadInput, match="item 9 appears more than once in the list of user 1"):
        recsql.evaluate(recs, truth, "ap", K)


def test_ranks_by_hand() -> None:
    """Of one score the smaller item is first, or the larger: item 5 is third or second, item 1 fourth."""
    recs = pa.table({"user_id": [1] * 4, "item_id": [5, 4, 3, 1], "score": [2, 2, 3, 1]})
    truth = pa.table({"user_id": [1, 1], "item_id": [5, 1]})
    for ties, rr, ap in (("item_asc", 1 / 3, (1 / 3 + 2 / 4) / 2), ("item_desc", 1 / 2, (1 / 2 + 2 / 4) / 2)):
        found = recsql.evaluate(recs, truth, ["rr", "ap"], K, ties=ties)
        assert found["value"].to_pylist() == pytest.approx([rr, ap], abs=1e-15)
