"""The bits that a user's items leave never lose a hit, and never hide what stands in the truth twice."""

from collections.abc import Iterator
from itertools import product

import duckdb
import pytest

import recsql

WIDTHS = ["smallint", "bigint", "hugeint"]
METRICS = ["hits", "recall", "ndcg", "ap"]
MACRO = f"from recsql.evaluate('recs', 'truth', k := 20, metrics := {METRICS})"


def values(con: duckdb.DuckDBPyConnection) -> list[float]:
    """The metrics at 20 in order, the same in Python and from the macro."""
    found = recsql.evaluate("recs", "truth", METRICS, 20, connection=con).to_pylist()
    by_name = {row["metric"]: row["value"] for row in found}
    assert {row["metric"]: row["value"] for row in con.sql(MACRO).to_arrow_table().to_pylist()} == by_name
    return [by_name[name] for name in METRICS]


@pytest.fixture(scope="module")
def shell() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        con.execute(recsql.macros())
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
    """User u has the items u + 1 .. u + wanted, and the first ten of his list are the first ten odd numbers from there."""
    item = "'i' || cast({} as varchar)" if text else "{}"
    shell.execute(f"""
        create or replace table recs as
        select u.u as user_id, {item.format("u.u + 2 * r.r - 1")} as item_id, r.r as rank
        from range(40) as u(u), range(1, 11) as r(r)""")
    shell.execute(f"""
        create or replace table truth as
        select u.u as user_id, {item.format("u.u + i.i")} as item_id, 2e0 as relevance
        from range(40) as u(u), range(1, {wanted + 1}) as i(i)""")
    once = values(shell)
    assert once[0] == min((wanted + 1) // 2, 10)
    shell.execute("insert into truth select t.user_id, t.item_id, 1e0 from truth as t where t.user_id % 3 = 0")
    assert values(shell) == once, "a lower relevance stated again changes nothing"
    shell.execute("insert into truth select t.user_id, t.item_id, 4e0 from truth as t where t.user_id = 5 and t.relevance = 2")
    assert values(shell) == once, "the highest counts: user 5 has twice the gains, and twice the ideal"


def test_one_item_stated_twice_has_its_highest_relevance(shell: duckdb.DuckDBPyConnection) -> None:
    shell.execute("create or replace table recs as select 'u' as user_id, unnest(['a', 'b']) as item_id, unnest([1, 2]) as rank")
    shell.execute("create or replace table truth (user_id varchar, item_id varchar, relevance integer)")
    shell.execute("insert into truth values ('u', 'a', 1), ('u', 'b', 1), ('u', 'a', 3), ('u', 'c', 2), ('u', 'c', 2)")
    hits, recall, ndcg, ap = values(shell)
    assert (hits, recall, ap) == (2, 2 / 3, 2 / 3)
    # (3 + 1 / log2(3)) / (3 + 2 / log2(3) + 1 / 2)
    assert ndcg == pytest.approx(3.6309297535714573 / 4.761859507142915, rel=1e-14)
