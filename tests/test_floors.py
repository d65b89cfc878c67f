"""A query does not rank items below all that may be relevant, and ranks a few by counting; the macro ranks all."""

import random
from collections.abc import Iterator
from itertools import product

import duckdb
import pyarrow as pa
import pytest

import recsql
from tests.support import fetched

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
def shell(con: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    with con.cursor() as cursor:
        for name, table in {"recs": lists(7), "truth": wanted(8)}.items():
            cursor.register("given", table)
            cursor.execute(f"create temporary table {name} as from given")
        cursor.execute(
            "create temporary table distinct_recs as"
            " from (select r.* exclude (score), max(r.score) as score from recs as r group by all)"
        )
        yield cursor


@pytest.mark.parametrize(("ties", "duplicates"), list(product(TIES, DUPLICATES)))
def test_the_values_are_those_of_all_ranks(shell: duckdb.DuckDBPyConnection, ties: str, duplicates: str) -> None:
    options = {"rank_by": "score", "ties": ties, "duplicates": duplicates}
    said = ", ".join(f"{name} := '{value}'" for name, value in options.items())
    recs = "distinct_recs" if duplicates in ("hole", "count", "set") and ties in ("expected", "best", "worst") else "recs"
    text = recsql.sql(recs, "truth", METRICS, K, connection=shell, **options)
    assert ("floors as" in text) == (duplicates != "last" and recs == "recs")
    assert ("counted as" in text) == (ties in ("item_asc", "item_desc") and duplicates in ("hole", "count", "set"))
    found = recsql.evaluate(recs, "truth", METRICS, K, connection=shell, **options).to_pylist()
    macro = f"from recsql.evaluate('{recs}', 'truth', k := {K}, metrics := {METRICS}, {said})"
    all_ranked = {(row["model"], row["metric"]): row["value"] for row in fetched(shell, macro)}
    assert len(found) == len(all_ranked) == 4 * len(METRICS)
    assert all(value > 0 for value in all_ranked.values())
    for row in found:
        name = row["metric"].split("(")[0]
        [expected] = [
            value for (model, metric), value in all_ranked.items() if (model, metric.split("(")[0]) == (row["model"], name)
        ]
        assert row["value"] == expected, (row, expected)


@pytest.mark.parametrize(
    ("metrics", "options"),
    [("precision(denominator=returned)", {}), ("ap", {"ties": "error"}), ("ap", {"judged_only": "true"})],
    ids=["lengths", "ties refused", "judged"],
)
def test_where_every_rank_is_read_all_are_ranked(shell: duckdb.DuckDBPyConnection, metrics: str, options: dict[str, str]) -> None:
    text = recsql.sql("recs", "truth", metrics, K, connection=shell, rank_by="score", **options)
    assert "scored as" in text and "floors as" not in text


@pytest.mark.parametrize("scores", [(2, 1, 1), (2, 1, 3)], ids=["one score", "two scores"])
def test_a_copy_is_found_where_ranks_are_counted(scores: tuple[int, ...]) -> None:
    recs = pa.table({"user_id": [1, 1, 1], "item_id": [8, 9, 9], "score": scores})
    truth = pa.table({"user_id": [1], "item_id": [9]})
    assert "counted as" in recsql.sql(recs, truth, "ap", K)
    with pytest.raises(recsql.BadInput, match="item 9 appears more than once in the list of user 1"):
        recsql.evaluate(recs, truth, "ap", K)


def test_ranks_by_hand() -> None:
    """Of one score the smaller item is first, or the larger: item 5 is third or second, item 1 fourth."""
    recs = pa.table({"user_id": [1] * 4, "item_id": [5, 4, 3, 1], "score": [2, 2, 3, 1]})
    truth = pa.table({"user_id": [1, 1], "item_id": [5, 1]})
    for ties, rr, ap in (("item_asc", 1 / 3, (1 / 3 + 2 / 4) / 2), ("item_desc", 1 / 2, (1 / 2 + 2 / 4) / 2)):
        found = recsql.evaluate(recs, truth, ["rr", "ap"], K, ties=ties)
        assert found["value"].to_pylist() == pytest.approx([rr, ap], abs=1e-15)
