"""People read the rendered SQL: its layout is tested, and that it is what runs.

If it fails, the SQL that people read is laid out badly, or isn't what runs.
"""

import re
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import jinja2
import pytest

import recsql
from recsql.base.text import LITERAL, quoted
from recsql.calls.compare import statement_of
from recsql.calls.judge import JUDGING
from recsql.calls.open_call import opened
from recsql.calls.overlap import OVERLAP
from recsql.calls.warnings import drop_counts
from recsql.engines.duckdb import DuckDB
from recsql.query.plan import PAIRS
from recsql.query.render import Query
from recsql.query.templates import Compiled, spelt
from tests.support import OF_USERS, assert_current

ROOT = Path(__file__).parents[2]
RECS = str(ROOT / "examples/movietweetings/recs.parquet")
TRUTH = str(ROOT / "examples/movietweetings/truth.parquet")
RATINGS = str(ROOT / "examples/movietweetings/ratings.parquet")
ITEMS = str(ROOT / "examples/movietweetings/items.parquet")
# The calls whose texts are in tests/rendered: together they have most of the steps, and the plain text of all metrics of a list.
RENDERED: dict[str, dict[str, Any]] = {
    "every_metric": {"metrics": OF_USERS, "catalog_size": 10506, "err_max_grade": 10, "plain": True},
    "six_metrics": {"metrics": ["precision", "recall", "ap", "ndcg", "rr", "hit"]},
    "ranked_by_score": {"metrics": "ndcg", "k": 10, "rank_by": "score", "ties": "item_desc", "gain": "exp2", "sample": 0.1},
    "slices": {
        "metrics": "ndcg",
        "k": 10,
        "by": "rating[q4] x train.activity",
        "segments": RATINGS,
        "train": RATINGS,
        "min_users": 5,
        "plain": True,
    },
    "all_lists": {
        "metrics": ["gini(weight=exposure)", "entropy(scope=list)", "entropy(scope=category)", "novelty", "popularity", "awrf"],
        "k": 10,
        "items": ITEMS,
        "category": "title",  # the only column there
        "train": TRUTH,  # any interactions
    },
    "groups_of_items": {
        "metrics": ["rsp", "reo", "exposure_share"],
        "k": 10,
        "items": ITEMS,
        "category": "title",
        "train": RATINGS,
    },
    "weights": {
        "metrics": ["recall", "dcg"],
        "k": 10,
        "weighting": "snips",
        "propensity_power": 0.5,
        "train": RATINGS,
        "plain": True,
    },
    "comparison": {"metrics": "hit", "k": 10, "baseline": "pop"},
    "overlap": {"k": 10, "baseline": "pop"},
    "judge": {"metric": "dcg", "k": 10, "baseline": "pop", "relevance_threshold": 8, "grade": 8},
}
CALLS = RENDERED | {  # with those whose texts are tested, but not kept
    "hit_rate": {"metrics": "hit", "k": 10},
    "users_with_a_list": {"metrics": ["ap(denominator=relevant)", "precision(denominator=returned)"], "no_recs": "skip"},
    "intervals": {"metrics": ["ndcg", "hit", "hits"], "k": 10, "interval": 0.95},
    "two_kinds_of_slices": {
        "metrics": ["ndcg", "hits", "entropy"],
        "k": 10,
        "by": ["rating[4,8]", "rating[q4] x train.activity"],
        "segments": RATINGS,
        "train": RATINGS,
        "min_users": 5,
    },
    "catalogue": {"metrics": ["ndcg", "coverage", "gini", "entropy"], "items": ITEMS},
    "distinct_items": {"metrics": "entropy(scope=list, normalize=distinct)", "items": ITEMS},
    "two_metrics_compared": {"metrics": ["ndcg", "hit"], "k": 10, "baseline": "pop"},
    "many_looks": {"metrics": "hit", "k": 10, "baseline": "pop", "looks": "many"},
}


def query_of(settings: dict[str, Any], dialect: str = "duckdb") -> str:
    """The query of evaluate, or of compare if there is a baseline: on other engines than DuckDB that of its sums."""
    if "metrics" not in settings:
        return query_of_pairs(dialect, **settings)
    if "baseline" not in settings:
        return recsql.sql(RECS, TRUTH, dialect=dialect, **settings)
    options = {name: value for name, value in settings.items() if name not in ("metrics", "k")} | {"interval": True}
    with opened({"recs": RECS, "truth": TRUTH}, PAIRS, options, settings["metrics"], settings["k"], sql_of=dialect) as call:
        if dialect == "duckdb":
            return statement_of(call, [Query(one, "paired").statement() for one in call.bindings(averaged=True)])
        return spelt(Query(next(call.bindings(averaged=True)), "paired").statement(), dialect)


def query_of_pairs(dialect: str, *, k: int, metric: str | None = None, **options: Any) -> str:
    """The query of judge, or of overlap if there is no metric."""
    if metric is None:
        with opened({"recs": RECS}, OVERLAP, options, sql_of=dialect) as found:
            call, target = replace(found, pipelines=[one.with_lengths(k) for one in found.pipelines]), "overlap"
    else:
        with opened({"recs": RECS, "truth": TRUTH}, JUDGING, options, metric, k, sql_of=dialect) as call:
            target = "judge"
    return spelt(Query(next(call.bindings()), target).statement(), dialect)


@cache
def rendered(name: str) -> str:
    text = query_of({"k": (5, 10)} | CALLS[name])
    return text.replace(quoted(f"{ROOT}/")[1:-1], "") + "\n"


@pytest.mark.parametrize("name", RENDERED)
def test_a_template_edit_shows_its_effect(name: str) -> None:
    assert_current(f"tests/rendered/{name}.sql", rendered(name))


def test_each_file_has_its_call() -> None:
    assert {path.stem for path in (ROOT / "tests/rendered").iterdir()} == RENDERED.keys()


@pytest.mark.parametrize("name", CALLS)
def test_it_looks_hand_written(name: str) -> None:
    text = rendered(name)
    assert "\t" not in text
    assert not re.search(r"[ ]+$", text, re.MULTILINE)
    assert "\n\n\n" not in text
    code = re.sub(r"'(?:[^']|'')*'|--.*|\"[^\"]*\"", "", text)
    assert not re.search(r"\b(SELECT|FROM|WHERE|CASE|JOIN|AS|WITH)\b", code)
    assert not re.search(r"\d\.\d+\b(?!e)", code), "a decimal literal: write 1e0"


@pytest.mark.parametrize("name", CALLS)
def test_the_text_gives_the_rows_of_its_function(name: str) -> None:
    settings = {"k": (5, 10)} | CALLS[name]
    pasted = DuckDB().query(query_of(settings))
    pasted = drop_counts(pasted)
    settings.pop("plain", None)
    if name == "overlap":
        expected = recsql.overlap(RECS, **settings)
    else:
        function = {"judge": recsql.judge}.get(name, recsql.compare if "baseline" in settings else recsql.evaluate)
        expected = function(RECS, TRUTH, **settings)
    assert pasted.column_names == expected.column_names
    for ours, theirs in zip(pasted.to_pylist(), expected.to_pylist(), strict=True):
        values = {key: pytest.approx(value, rel=1e-12, abs=1e-15) for key, value in theirs.items() if key == "value"}
        assert ours == theirs | values


def test_a_query_computes_only_what_is_asked_for() -> None:
    steps = set(re.findall(r"^(\w+) as (?:not materialized )?\($", rendered("hit_rate"), re.MULTILINE))
    assert {"found", "hits_at_k", "per_user"} <= steps
    assert not steps & {"discounts", "harmonics", "hits_of_list", "gaps", "members", "scored"}
    assert "log2" not in rendered("hit_rate")


ASKED: dict[str, dict[str, Any]] = {
    "every metric": {"catalog_size": 10506},
    "policies": {
        "metrics": ["ap", "ndcg", "precision(denominator=returned)"],
        "no_recs": "skip",
        "no_truth": "zero",
        "users": "union",
    },
    "by score": {"metrics": ["ndcg", "ap(denominator=hits)"], "rank_by": "score", "ties": "expected"},
    "duplicates": {"metrics": ["ndcg", "precision"], "duplicates": "first", "judged_only": True},
    "copies": {"metrics": ["ndcg", "hits"], "duplicates": "count"},
    "items": {
        "metrics": ["gini(weight=exposure)", "entropy(scope=list, normalize=distinct)", "entropy(scope=category)"],
        "items": ITEMS,
    }
    | {"category": "title"},
}


@pytest.mark.parametrize("asked", ASKED)
def test_where_recs_have_no_model_no_step_has_one(asked: str, con: duckdb.DuckDBPyConnection) -> None:
    """A table's name that looks like a key of ours stays as it is."""
    table, recs = "t.model, 'and' b.model is not distinct from c.model and", quoted(RECS)
    con.execute(
        f"create or replace table \"{table}\" as select r.* exclude (model) from {quoted(RECS)} as r where r.model = 'pop'"
    )
    con.execute(f"create or replace view pop as select r.* from {recs} as r where r.model = 'pop'")
    settings: dict[str, Any] = {"k": (5, 10), "connection": con} | ASKED[asked]
    text = recsql.sql(table, TRUTH, **settings)
    assert f'from "{table}" as r' in text
    steps = re.findall(r"^(\w+) as (?:not materialized )?\(\n(.*?)^\)", text, re.MULTILINE | re.DOTALL)
    assert [name for name, body in steps if re.search(r"\bmodel\b", LITERAL.sub("", body))] in (["models"], [])
    named = recsql.evaluate("pop", TRUTH, **settings).to_pylist()
    assert {row["model"] for row in named} == {"pop"}
    assert recsql.evaluate(table, TRUTH, **settings).to_pylist() == [row | {"model": None} for row in named]


@pytest.mark.parametrize(
    "options", [{}, {"ideal": "truth_uncut"}, {"ideal": "truth_returned"}, {"gain": "exp2"}, {"ties": "expected"}]
)
def test_a_truth_without_relevance_has_gains_of_one_that_nobody_collects(
    options: dict[str, Any], con: duckdb.DuckDBPyConnection
) -> None:
    con.execute(
        f"create or replace view unstated as select r.user_id, r.item_id from {quoted(TRUTH)} as r where r.relevance >= 8"
    )
    con.execute("create or replace view stated as select r.*, 1 as relevance from unstated as r")
    settings: dict[str, Any] = {"metrics": ["ndcg", "idcg", "cg"], "connection": con, "rank_by": "score"} | options
    assert "ideals as i" not in recsql.sql(RECS, "unstated", **settings)
    assert "ideals as i" in recsql.sql(RECS, "stated", **settings)
    assert recsql.evaluate(RECS, "unstated", **settings).to_pylist() == recsql.evaluate(RECS, "stated", **settings).to_pylist()


def from_cache(folder: Path) -> str:
    """What a template renders to in a separate environment that caches compiled templates in `folder`."""
    made = jinja2.Environment(loader=jinja2.DictLoader({"name": "{{ 1 + 1 }}"}), bytecode_cache=Compiled(str(folder)))
    return made.get_template("name").render()


def test_templates_are_compiled_once_where_bytecode_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert from_cache(tmp_path) == "2" and not list(tmp_path.iterdir())
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert from_cache(tmp_path) == "2" and len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr(jinja2.Environment, "_generate", None)
    assert from_cache(tmp_path) == "2"


def test_where_no_bytecode_can_be_written_it_goes_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "a file").touch()
    assert from_cache(tmp_path / "a file") == "2"
    assert from_cache(tmp_path / "nowhere") == "2"
