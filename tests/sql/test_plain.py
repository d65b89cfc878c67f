"""The query to read: it gives the values of evaluate, with neither checks nor sums in units.

If it fails, the query that people read doesn't give the values that they get.
"""

import math
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.base.statement import columns_read
from recsql.calls.open_call import opened
from recsql.cli import main
from recsql.engines.duckdb import DuckDB
from recsql.query.plan import LISTS_AND_ITEMS, RATINGS
from recsql.query.render import Query
from recsql.query.steps import columns_of
from recsql.query.unread import without_unread
from tests.sql.test_rendering import ITEMS, RECS, ROOT, TRUTH
from tests.sql.test_rendering import RATINGS as TRAIN
from tests.support import OF_USERS

ABSENT = ("error(", "problems", "repeated_ranks", "hugeint", "decimal", "1e18", "e-18", "fsum", "materialized", "\n\n\n")
OPTIONS: dict[str, dict[str, Any]] = {
    "lists": {"metrics": ["entropy", "gini(weight=exposure)", "entropy(scope=list)", "coverage"], "items": ITEMS},
    "a catalogue": {"metrics": ["entropy(scope=list, normalize=log_catalog)", "gini", "tn"], "catalog_size": 100_000},
    "train": {"metrics": ["novelty", "popularity"], "train": TRAIN},
    "categories": {"metrics": ["entropy(scope=category)"], "items": ITEMS, "category": "title"},
    "intervals": {"metrics": ["ndcg", "hit", "f1(average=of_means)", "gini"], "interval": 0.95, "catalog_size": 10_506},
    "slices": {"metrics": ["ndcg", "hit", "entropy"], "by": "train.activity", "train": TRAIN, "min_users": 5},
    "clusters": {"metrics": ["ndcg", "hit"], "interval": 0.95, "cluster": "user_id"},
    "expected ties": {"metrics": ["ndcg", "ap", "rr", "precision"], "rank_by": "score", "ties": "expected"},
    "gains": {"metrics": "ndcg", "gain": {gain: gain / 3 for gain in range(11)}},
    "a sample": {"metrics": ["ndcg", "hits"], "sample": 0.5},
    "several queries": {"metrics": ["ndcg(gain=exp2)", "ndcg", "hit@all"]},
    "further metrics": {"metrics": ["bpref", "err", "rbp", "r_precision", "mean_precision"], "err_max_grade": 10},
}
KEYS = {"model", "user_id", "item_id", "k", "cluster"}
READ: list[dict[str, Any]] = [
    {"metrics": ["ndcg", "recall"]},
    *({"metrics": metric} for metric in OF_USERS),
    {"metrics": ["ndcg", "recall"], "rank_by": "score"},
    {"metrics": "hit", "rank_by": "score", "ties": "best"},
    {"metrics": ["ndcg", "ap"], "no_recs": "skip", "users": "union"},
    {"metrics": "ndcg", "ideal": "truth_returned", "truth_window": "k"},
    {"metrics": ["ap(mean=geometric)", "precision(mean=micro)", "f1(average=of_means)"]},
    *(asked for name, asked in OPTIONS.items() if name not in ("a sample", "several queries")),
]


def assert_near(text: str, expected: pa.Table) -> None:
    """The query has the rows expected, and numbers differ by 1e-9 at most."""
    assert [word for word in ABSENT if word in text] == []
    found = DuckDB().query(text)
    assert found.column_names == expected.column_names
    for name, column in zip(found.column_names, found.itercolumns(), strict=True):
        if pa.types.is_floating(column.type):
            wanted = [math.nan if one is None else one for one in expected[name].to_pylist()]
            values = [math.nan if one is None else one for one in column.to_pylist()]
            assert values == pytest.approx(wanted, rel=1e-9, abs=1e-9, nan_ok=True), name
        else:
            assert column.to_pylist() == expected[name].to_pylist()


@pytest.mark.parametrize(
    "like", [None, *(pytest.param(one, marks=pytest.mark.thorough) for one in ("trec_eval", "ranx", "sklearn", "rectools"))]
)
@pytest.mark.parametrize("data", ["movietweetings", "online_retail"])
def test_the_values_under_presets(data: str, like: str | None) -> None:
    recs, truth = (str(ROOT / f"examples/{data}/{name}.parquet") for name in ("recs", "truth"))
    asked: dict[str, Any] = {"metrics": "all", "k": [5, 10], "like": like, "catalog_size": 20_000}
    assert_near(recsql.sql(recs, truth, plain=True, **asked), recsql.evaluate(recs, truth, **asked))


@pytest.mark.parametrize("name", OPTIONS)
def test_the_values_with_options(name: str) -> None:
    asked = {"k": [3, 7]} | OPTIONS[name]
    assert_near(recsql.sql(RECS, TRUTH, plain=True, **asked), recsql.evaluate(RECS, TRUTH, **asked))


@pytest.mark.parametrize("options", [{}, {"mean": "users", "interval": 0.9}], ids=str)
def test_the_values_of_ratings(options: dict[str, Any]) -> None:
    predictions = str(ROOT / "examples/movietweetings/predictions.parquet")
    with opened({"predictions": predictions}, RATINGS, options, plain=True) as call:
        assert_near(call.text("rating_metrics"), recsql.evaluate_ratings(predictions, **options))


@pytest.mark.parametrize("asked", READ, ids=str)
def test_it_has_only_what_is_read(asked: dict[str, Any]) -> None:
    """Every column of a step is read by a step or by the end, but for those that say which row it is."""
    options: dict[str, Any] = {"k": [5, 10], "catalog_size": 20_000} | asked
    metrics, k = options.pop("metrics"), options.pop("k")
    with opened({"recs": RECS, "truth": TRUTH}, LISTS_AND_ITEMS, options, metrics, k, plain=True) as call:
        [query] = [Query(one, "evaluate").statement() for one in call.bindings(averaged=True)]
    texts = [*query.steps.values(), query.last]
    columns = [(step, column) for step in query.steps for column in columns_of(step, query.steps) if column not in KEYS]
    assert columns
    assert [(step, one) for step, one in columns if not any({"*", one} & columns_read(step, text) for text in texts)] == []
    assert [step for step, text in query.steps.items() if "\n\n" in text] in ([], ["quantiles"])  # which has CTEs of its own


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("select t.a, t.b, t.c\nfrom t as t", "select t.a, t.c\nfrom t as t"),
        ("select\n    t.a,\n    f(t.x, ')') as b\nfrom t as t", "select t.a\nfrom t as t"),
        ("select\n    t.a,\n    t.b,\n    t.c\nfrom t as t", "select\n    t.a,\n    t.c\nfrom t as t"),
        (
            "select t.a, 1 as b\nfrom t as t\nunion all\nselect u.c, 2\nfrom u as u",
            "select t.a\nfrom t as t\nunion all\nselect u.c\nfrom u as u",
        ),
        ("select t.b, count(*) as c\nfrom t as t\ngroup by t.b", "select t.b, count(*) as c\nfrom t as t\ngroup by t.b"),
        ("select distinct t.b\nfrom t as t", "select distinct t.b\nfrom t as t"),
        (
            "select s.a\nfrom (\n    select t.a, t.b\n    from t as t\n) as s",
            "select s.a\nfrom (\n    select t.a\n    from t as t\n) as s",
        ),
        (
            "select s.*\nfrom (\n    select t.a, t.b\n    from t as t\n) as s",
            "select s.*\nfrom (\n    select t.a, t.b\n    from t as t\n) as s",
        ),
    ],
)
def test_a_column_that_nothing_reads_is_left_out(text: str, left: str) -> None:
    """Here those that are read are a and c."""
    assert without_unread(text, {"a", "c"}.__contains__) == left


def test_it_is_short() -> None:
    text = recsql.sql(RECS, TRUTH, ["ndcg", "recall"], [5, 10], plain=True)
    assert text.count("\n") < 190
    assert text.count(" as (\n") <= 18


def test_text_files_whose_ids_have_a_type_elsewhere(tmp_path: Path) -> None:
    recs = tmp_path / "recs.csv"
    duckdb.sql(f"copy (from '{RECS}' where model = 'pop') to '{recs}'")
    assert_near(recsql.sql(recs, TRUTH, plain=True), recsql.evaluate(recs, TRUTH))


def test_a_step_and_the_text_for_spark(capsys: pytest.CaptureFixture[str]) -> None:
    """Printed by the command line."""
    assert main(("sql", RECS, TRUTH, "-m", "ap", "-k", "5", "--plain", "--stop-after", "hits_at_k")) == 0
    text = capsys.readouterr().out.rstrip("\n")
    assert text == recsql.sql(RECS, TRUTH, "ap", 5, plain=True, stop_after="hits_at_k")
    assert "        sum(h.nth / nullif(cast(h.rank as double), 0)) as precision_sum\n" in text
    on_spark = recsql.sql(RECS, TRUTH, "ap", 5, plain=True, dialect="spark", stop_after="hits_at_k")
    spelt = {
        f"read_parquet('{RECS}')": f"parquet.`{RECS}`",
        f"read_parquet('{TRUTH}')": f"parquet.`{TRUTH}`",
        "varchar": "string",
    }
    for ours, theirs in spelt.items():
        text = text.replace(ours, theirs)
    assert on_spark == text
