"""The bit masks of a user's items never lose a hit, and never hide an item that is in the truth twice.

If it fails, the filter for hits, which is only for speed, loses a hit.
"""

from collections.abc import Iterator
from itertools import product
from math import fsum, log2

import duckdb
import pyarrow as pa
import pytest

import recsql
from tests.support import default_file, fetched

pytestmark = pytest.mark.engine

WIDTHS = ["smallint", "bigint", "hugeint"]
METRICS = ["hits", "recall", "ndcg", "ap"]
MACRO = f"from recsql.evaluate('recs', 'truth', k := 20, metrics := {METRICS})"


def values(con: duckdb.DuckDBPyConnection) -> list[float]:
    """The metrics at 20 in order, the same in Python and from the macro."""
    found = recsql.evaluate("recs", "truth", METRICS, 20, connection=con).to_pylist()
    by_name = {row["metric"]: row["value"] for row in found}
    assert {row["metric"]: row["value"] for row in fetched(con, MACRO)} == by_name
    return [by_name[name] for name in METRICS]


def dcg(con: duckdb.DuckDBPyConnection) -> float:
    [found] = recsql.evaluate("recs", "truth", "dcg", 20, connection=con)["value"].to_pylist()
    return float(found)


@pytest.fixture(scope="module")
def shell() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        con.execute(default_file().text)
        yield con


@pytest.mark.parametrize(("recs", "truth"), list(product(WIDTHS, WIDTHS)))
def test_ids_below_zero_are_found_whatever_the_widths(shell: duckdb.DuckDBPyConnection, recs: str, truth: str) -> None:
    ids = "range(-40, 40) as u(u)"
    shell.execute(f"""
        create or replace table recs as
        select cast(u.u as {recs}) as user_id, cast(r.r - u.u as {recs}) as item_id, r.r as rank
        from {ids}, range(1, 11) as r(r)""")
    shell.execute(
        f"create or replace table truth as select cast(u.u as {truth}) as user_id, cast(4 - u.u as {truth}) as item_id from {ids}"
    )
    hits, recall, ndcg, ap = values(shell)
    assert (hits, recall, ap) == (1, 1, 1 / 4)
    assert ndcg == pytest.approx(0.43067655807339306, rel=1e-15)  # 1 / log2(5)


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("wanted", [3, 100])
def test_many_items_of_a_user_share_bits_and_count_once_each(shell: duckdb.DuckDBPyConnection, wanted: int, text: bool) -> None:
    """User u has the items u + 1 .. u + wanted; their list begins with the first ten odd numbers from there."""
    item = "'i' || cast({} as varchar)" if text else "{}"
    shell.execute(f"""
        create or replace table recs as
        select u.u as user_id, {item.format("u.u + 2 * r.r - 1")} as item_id, r.r as rank
        from range(40) as u(u), range(1, 11) as r(r)""")
    shell.execute(f"""
        create or replace table truth as
        select u.u as user_id, {item.format("u.u + i.i")} as item_id, 2e0 as relevance
        from range(40) as u(u), range(1, {wanted + 1}) as i(i)""")
    once, gained = values(shell), dcg(shell)
    assert once[0] == min((wanted + 1) // 2, 10)
    shell.execute("insert into truth select t.user_id, t.item_id, 1e0 from truth as t where t.user_id % 3 = 0")
    assert (values(shell), dcg(shell)) == (once, gained), "a lower relevance stated again changes nothing"
    shell.execute("insert into truth select t.user_id, t.item_id, 4e0 from truth as t where t.user_id = 5 and t.relevance = 2")
    assert values(shell) == once, "the highest counts: user 5 has twice the gains, and twice the ideal"
    assert dcg(shell) == pytest.approx(gained * 41 / 40, rel=1e-15), "which is one of 40 users"


def test_one_item_stated_twice_has_its_highest_relevance(shell: duckdb.DuckDBPyConnection) -> None:
    shell.execute("create or replace table recs as select 'u' as user_id, unnest(['a', 'b']) as item_id, unnest([1, 2]) as rank")
    shell.execute("create or replace table truth (user_id varchar, item_id varchar, relevance integer)")
    shell.execute("insert into truth values ('u', 'a', 1), ('u', 'b', 1), ('u', 'a', 3), ('u', 'c', 2), ('u', 'c', 2)")
    hits, recall, ndcg, ap = values(shell)
    assert (hits, recall, ap) == (2, 2 / 3, 2 / 3)
    # (3 + 1 / log2(3)) / (3 + 2 / log2(3) + 1 / 2)
    assert ndcg == pytest.approx(3.6309297535714573 / 4.761859507142915, rel=1e-14)


def ideal(gains: list[float], k: int) -> float:
    return fsum(gain / log2(place + 1) for place, gain in enumerate(sorted(gains, reverse=True)[:k], start=1))


GAINS = {
    "one profile, in any order": [[1, 2, 3], [3, 1, 2], [2, 3, 1]],
    "the same sum and number": [[1, 3], [2, 2], [3, 1], [4]],
    "the same powers up to the sixth (Prouhet, Tarry, Escott)": [[0, 18, 27, 58, 64, 89, 101], [1, 13, 38, 44, 75, 84, 102]],
    "the same sum of DuckDB's hash": [[5, 10, 11, 12, 28, 32, 35, 36, 43], [3, 9, 13, 16, 29, 29, 34, 40, 41]],
    "one more of the same": [[5, 1], [5, 1, 1], [5, 5, 1]],
    "fractions, all of them different": [[u / 7 + i / 3 for i in range(1, 4)] for u in range(1, 300)],
}


@pytest.mark.parametrize("of_users", GAINS.values(), ids=GAINS.keys())
def test_users_share_an_ideal_only_if_they_have_the_same_gains(
    shell: duckdb.DuckDBPyConnection, of_users: list[list[float]]
) -> None:
    gains = [[gain + 1 for gain in gains] for gains in of_users]
    rows = [(user, item, gain) for user, own in enumerate(gains) for item, gain in enumerate(own)]
    relevant = pa.table(dict(zip(("user_id", "item_id", "relevance"), zip(*rows, strict=True), strict=True)))
    listed = pa.table({"user_id": range(len(gains)), "item_id": [0] * len(gains), "rank": [1] * len(gains)})
    for name, table in {"recs": listed, "truth": relevant}.items():
        shell.register("rows", table).execute(f"create or replace table {name} as from rows").unregister("rows")
    found = recsql.per_user("recs", "truth", ["idcg", "ndcg"], [2, 100], connection=shell).to_pylist()
    expected = {(user, k): ideal(own, k) for user, own in enumerate(gains) for k in (2, 100)}
    assert {(row["user_id"], row["k"]): row["idcg"] for row in found} == pytest.approx(expected, rel=1e-15)
    means = {k: fsum(own[0] / ideal(own, k) for own in gains) / len(gains) for k in (2, 100)}
    averaged = fetched(shell, "from recsql.evaluate('recs', 'truth', k := [2, 100], metrics := ['ndcg'])")
    assert {row["k"]: row["value"] for row in averaged} == pytest.approx(means, rel=1e-15)


def test_a_relevance_of_zero_that_counts_is_part_of_the_profile() -> None:
    truth = pa.table({"user_id": [1, 2, 2], "item_id": [1, 1, 2], "relevance": [1.0, 1.0, 0.0]})
    recs = pa.table({"user_id": [1, 2], "item_id": [1, 1], "rank": [1, 1]})
    rows = recsql.per_user(recs, truth, "idcg", 5, gain="map", gain_map="0:4 1:2", relevance_threshold=-1).to_pylist()
    assert {row["user_id"]: row["idcg"] for row in rows} == pytest.approx({1: 2, 2: 4 + 2 / log2(3)}, rel=1e-15)
