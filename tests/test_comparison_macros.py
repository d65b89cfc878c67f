"""Comparisons in the shell: the macro gives what Python gives."""

from typing import Any

import duckdb
import pytest

import recsql
from tests.support import arguments, fetched
from tests.test_rendering import RECS, TRUTH

CALLS: list[dict[str, Any]] = [
    {"metrics": ["ndcg", "hit"], "baseline": "pop", "k": 10},
    {"metrics": ["ndcg", "hit", "dcg"], "k": [5, 10]},
    {"metrics": ["ndcg", "hit@20"], "k": 5, "test": "wilcoxon", "correction": "bh", "family": "metric"},
    {"metrics": ["ap"], "k": "all", "test": "randomisation", "alternative": "less"},
    {"metrics": "ndcg", "alternative": "greater", "margin": 0.002, "correction": "bonferroni", "interval": 0.9},
    {"metrics": "ndcg", "power": 0.9, "effect": "hedges", "correction": "none"},
    {"metrics": ["hit", "precision"], "like": "ranx"},
    {"metrics": ["ndcg", "hit", "ap"], "like": "rectools", "k": 10},  # two queries
    {"no_recs": "skip", "test": "sign"},
    {"metrics": "f1", "k": 5, "ties": "expected", "rank_by": "score"},
]


def run(con: duckdb.DuckDBPyConnection, call: dict[str, Any]) -> list[dict[str, Any]]:
    return fetched(con, f"from recsql.compare('{RECS}', '{TRUTH}'{arguments(call)})")


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_the_rows_of_python(con: duckdb.DuckDBPyConnection, call: dict[str, Any]) -> None:
    found = run(con, call)
    assert found == recsql.compare(RECS, TRUTH, **call).to_pylist()
    assert any(row["p"] for row in found)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            {"metrics": "ndcg", "baseline": "itemkn"},
            r"baseline: itemkn is no model of .*; did you mean itemknn\? choose one of als, ",
        ),
        ({"margin": 0.1}, "margin: it applies only if alternative = 'greater' or 'less'"),
        ({"test": "zz"}, "test: unknown value 'zz'; choose one of t, randomisation, wilcoxon, sign"),
        ({"power": 0.5}, "power: 0.5 is not above 0.5 and below 1"),
        ({"interval": 1}, "interval: 1 is not above 0.5 and below 1"),
    ],
    ids=str,
)
def test_refusals(con: duckdb.DuckDBPyConnection, call: dict[str, Any], says: str) -> None:
    with pytest.raises(duckdb.Error, match=says):
        con.execute(f"from recsql.compare('{RECS}', '{TRUTH}'{arguments(call)})").fetchall()
    with pytest.raises(recsql.RecsqlError, match=says):
        recsql.compare(RECS, TRUTH, **call)


def test_metrics_of_all_lists_together_are_for_python(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.Error, match="entropy is not available here; it is one value for all lists together"):
        con.execute(f"from recsql.compare('{RECS}', '{TRUTH}', metrics := 'entropy')").fetchall()


def test_a_name_with_a_quote(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(f"create or replace view quoted as select r.* replace (r.model || '''s' as model) from '{RECS}' as r")
    found = con.execute(f"select distinct baseline from recsql.compare('quoted', '{TRUTH}', baseline := 'pop''s')").fetchall()
    assert found == [("pop's",)]
