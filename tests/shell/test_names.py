"""Names of metrics in macros: those of the catalogue and of other libraries mean there what they mean in Python.

If it fails, a macro refuses a name that Python takes, or takes it for another metric.
"""

import re

import duckdb
import pytest

import recsql
from recsql.catalog import catalog
from recsql.catalog.grammar import parse_metric
from tests.support import file_of

RECS, TRUTH = "examples/small/ease.csv", "examples/small/truth.csv"
LISTS = "['a', 'b', 'c', 'd'], ['d', 'b', 'e'], 3, relevance := [3, 1, 2]"


def plain_names(like: str | None, home: str = "evaluate") -> dict[str, str]:
    """The metric that each name of the catalogue means, if a macro of the file has it without further options."""
    found, file = {}, file_of(like)
    for name in sorted(catalog().known_names):
        try:
            asked = parse_metric(name, like, at_k=True)
        except recsql.RecsqlError:
            continue
        if asked.metric in file.queries[home].found and not asked.options:
            found[name] = asked.metric
    return found


@pytest.mark.parametrize("like", [None, "trec_eval", "elliot"])
@pytest.mark.filterwarnings("ignore")
def test_every_name_is_taken_as_in_python(con: duckdb.DuckDBPyConnection, like: str | None) -> None:
    """The column metric has the name of the call, also if it has two for one metric."""
    schema, names = file_of(like).schema, list(plain_names(like))
    con.execute(file_of(like).text)
    assert {"mrr", "map", "recip_rank", "p", "success", "hit_rate", "rr"} - {"map" if like == "elliot" else ""} <= {*names}
    metrics = [*names, "MRR", "Hit-Rate"]
    query = f"from {schema}.{{}}('{RECS}', '{TRUTH}', k := 3, metrics := {metrics})"
    expected = recsql.evaluate(RECS, TRUTH, metrics, 3, interval=0.95, like=like).drop_columns("definition").to_pylist()
    found = con.sql(query.format("evaluate_with_interval")).to_arrow_table().to_pylist()
    assert found == expected and [row["metric"] for row in found] == metrics
    found = con.sql(query.format("evaluate")).to_arrow_table().to_pylist()
    assert found == [{name: row[name] for name in found[0]} for row in expected]


def test_the_other_macros_take_them(con: duckdb.DuckDBPyConnection) -> None:
    con = con.cursor()
    con.execute(
        "create or replace temporary table half as select user_id, hash(user_id) % 2 as half from 'examples/small/truth.csv'"
    )
    con.execute(
        f"create or replace temporary table two as select *, 'a' as model from '{RECS}' union all select *, 'b' from '{RECS}'"
    )
    asked = "k := 3, metrics := ['mrr', 'rr', 'map']"
    by = con.execute(
        f"select slice, segment, metric, share from recsql.evaluate_by('{RECS}', '{TRUTH}', 'half', {asked})"
    ).fetchall()
    assert [row[2] for row in by] == ["mrr", "rr", "map"] * 3 and all(row[3] is not None for row in by)
    rows = con.execute(f"select metric, verdict, tests from recsql.compare('two', '{TRUTH}', {asked})").fetchall()
    assert rows == [("mrr", "same", 3), ("rr", "same", 3), ("map", "same", 3)]
    rows = con.execute(f"select metric, rank, rank_high from recsql.rank('two', '{TRUTH}', {asked})").fetchall()
    assert rows == [(one, 1, 2) for one in ("mrr", "rr", "map") for model in "ab"]
    for given, metrics in {
        "catalog_size := 50": ["item_coverage", "shannon_entropy", "gini_index"],
        "k := 3": ["ShannonEntropy"],
    }.items():
        rows = con.execute(f"select distinct metric from recsql.item_metrics('{RECS}', {given}, metrics := {metrics})").fetchall()
        assert {name for [name] in rows} == {*metrics}
    con.execute("create or replace temporary table rated as select 1 as user_id, 2 as item_id, 3 as rating, 4 as prediction")
    rows = con.execute(
        "select metric, value from recsql.rating_metrics('rated', metrics := ['mean_squared_error', 'MAE'])"
    ).fetchall()
    assert rows == [("mean_squared_error", 1.0), ("MAE", 1.0)]


def test_each_is_a_macro_over_two_lists(con: duckdb.DuckDBPyConnection) -> None:
    for name, metric in plain_names(None).items():
        value = f"recsql.{{}}({LISTS})"
        [[found, expected]] = con.execute(f"select {value.format(name)}, {value.format(metric)}").fetchall()
        assert found == expected is not None, name


REFUSED = {
    "mar": "metric 'mar' is ambiguous: the mean recall over the ranks in elliot, the sum of recall at the rank of each hit",
    "gauc": "gauc is not among the metrics of this file; render one that has it: recsql macros -m gauc -o FILE",
    "item_coverage": "item_coverage is not available here; use item_metrics",
    "ndcg_burges": "ndcg_burges is ndcg(gain=exp2), which has options in brackets, and a macro has those of its file",
    "ndcg(gain=exp2)": "ndcg(gain=exp2) has options in brackets, and a macro has those of its file; render one",
    "mrr@5": "mrr@5 has a cut-off, which a macro takes as k; write mrr",
    "P_10": "P_10 has a cut-off, which a macro takes as k; write P",
    "mrrr": "unknown metric 'mrrr'; did you mean rr? choose one of ndcg, recall",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_says_why(con: duckdb.DuckDBPyConnection, name: str) -> None:
    with pytest.raises(duckdb.Error, match=re.escape(REFUSED[name])):
        con.execute(f"from recsql.evaluate('{RECS}', '{TRUTH}', k := 3, metrics := ['{name}'])").fetchall()


def test_words_are_taken_in_any_case(con: duckdb.DuckDBPyConnection) -> None:
    query = f"from recsql.popularity('{TRUTH}', k := 2, seen := '{{}}') as p order by all"
    assert con.execute(query.format("KEEP")).fetchall() == con.execute(query.format("keep")).fetchall()
