"""Clusters in macros: a column cluster of the truth says which users belong together, as the argument cluster in Python.

If it fails, an interval or a test of the shell takes the lists of one person for those of several.
"""

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

import recsql
from tests.support import near

ALIKE = "hash(u.user_id, i.item_id, {}) % 5"
TABLES = f"""
create or replace temporary table recs as
select
    m.model, u.user_id, i.item_id,
    row_number() over (partition by m.model, u.user_id order by {ALIKE.format("m.model")}, i.item_id) as rank
from (values ('a'), ('b')) as m(model), range(150) as u(user_id), range(20) as i(item_id)
where u.user_id % 11 < 8 or m.model = 'a';
create or replace temporary table truth as
select u.user_id, i.item_id, 1 + (u.user_id + i.item_id) % 3 as relevance, {{}} as cluster
from range(150) as u(user_id), range(20) as i(item_id)
where {ALIKE.format("'truth'")} = 0 and u.user_id % 13 > 0;
"""
CLUSTERS = {
    "of three": "u.user_id // 3",
    "some alone": "case when u.user_id % 4 > 0 then 'p' || u.user_id // 7 end",
    "all alone": "cast(null as integer)",
    "structs": "{'person': u.user_id // 5}",
}


@pytest.fixture
def loaded(con: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with temporary tables of its own."""
    with con.cursor() as cursor:
        yield cursor


def same(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> bool:
    """Whether numbers differ by 1e-9 at most, and nothing else differs."""
    close = [{key: near({"": one}, 1e-9)[""] if isinstance(one, float) else one for key, one in row.items()} for row in found]
    return len(found) > 0 and close == expected


@pytest.mark.parametrize("metrics", [["ndcg", "recall", "hit", "rr", "dcg", "fn", "precision"], ["hit"]])
@pytest.mark.parametrize("name", CLUSTERS)
def test_they_are_those_of_python(loaded: duckdb.DuckDBPyConnection, name: str, metrics: list[str]) -> None:
    loaded.execute(TABLES.format(CLUSTERS[name]))
    given = f"'recs', 'truth', k := [2, 5], metrics := {metrics}"
    found = loaded.sql(f"from recsql.evaluate_with_interval({given})").to_arrow_table().to_pylist()
    cluster = {"cluster": "cluster", "connection": loaded}
    expected = recsql.evaluate("recs", "truth", metrics, [2, 5], interval=0.95, **cluster).drop_columns("definition").to_pylist()
    assert same(found, expected)
    found = loaded.sql(f"from recsql.compare({given})").to_arrow_table().to_pylist()
    expected = recsql.compare("recs", "truth", metrics, [2, 5], findings="off", **cluster).to_pylist()
    assert same(found, [{key: row[key] for key in found[0]} for row in expected])


def test_users_without_truth_are_clusters_of_their_own(loaded: duckdb.DuckDBPyConnection) -> None:
    loaded.execute(TABLES.format(CLUSTERS["of three"]))
    loaded.execute(recsql.macros("zero", ["hit", "ndcg"], no_truth="zero", users="asked"))
    loaded.execute("create or replace temporary table asked as select distinct user_id from recs")
    options = {"no_truth": "zero", "users": "asked", "interval": 0.95, "cluster": "cluster", "connection": loaded}
    expected = recsql.evaluate("recs", "truth", ["hit", "ndcg"], 5, **options).drop_columns("definition").to_pylist()
    found = loaded.sql("from zero.evaluate_with_interval('recs', 'truth', 'asked', k := 5, metrics := ['hit', 'ndcg'])")
    assert same(found.to_arrow_table().to_pylist(), expected)


def test_what_has_no_clusters_says_so(loaded: duckdb.DuckDBPyConnection) -> None:
    loaded.execute(TABLES.format("i.item_id"))
    with pytest.raises(duckdb.Error, match=r"truth: user \d+ belongs to the clusters \d+ and \d+; give every user one"):
        loaded.execute("from recsql.evaluate_with_interval('recs', 'truth', k := 5)").fetchall()
    loaded.execute(recsql.macros("signs", test="sign"))
    says = "truth: it has a column cluster, and the test of this file takes users as independent; leave the column out in a view"
    with pytest.raises(duckdb.Error, match=says):
        loaded.execute("from signs.compare('recs', 'truth', k := 5)").fetchall()
    with pytest.raises(
        duckdb.Error, match="truth: it has a column cluster, and the macro rank takes users as independent; leave"
    ):
        loaded.execute("from recsql.rank('recs', 'truth', k := 5)").fetchall()
