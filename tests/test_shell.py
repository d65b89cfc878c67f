"""The macro file in the real duckdb shell."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import recsql
from recsql.text import quoted

ROOT = Path(__file__).parent.parent


def shell(text: str) -> list[dict[str, object]]:
    """The rows of the last query of a script, run from the repository's folder."""
    done = run(text, "-json", "-bail")
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def run(text: str, *flags: str, folder: Path | str = ROOT) -> subprocess.CompletedProcess[str]:
    beside = Path(sys.executable).parent
    program = shutil.which("duckdb", path=f"{beside}{os.pathsep}{os.environ['PATH']}")
    assert program, "no program duckdb: the test extra brings it (duckdb-cli)"
    return subprocess.run([program, *flags], input=text, cwd=folder, capture_output=True, text=True, check=False)


FILES = "'examples/movietweetings/recs.parquet', 'examples/movietweetings/truth.parquet'"


def test_it_gives_what_python_gives() -> None:
    rows = shell(f".read sql/recsql.sql\nfrom recsql.evaluate({FILES}, k := [5, 10]);")
    expected = recsql.evaluate(
        ROOT / "examples/movietweetings/recs.parquet", ROOT / "examples/movietweetings/truth.parquet", k=[5, 10]
    )
    assert [row | {"value": None} for row in rows] == [row | {"value": None} for row in expected.to_pylist()]
    assert [row["value"] for row in rows] == pytest.approx(expected["value"].to_pylist(), rel=1e-12)


def test_the_macros_explain_themselves() -> None:
    rows = shell(
        ".read sql/recsql.sql\n"
        "select distinct f.function_name, f.comment from duckdb_functions() as f"
        " where f.schema_name = 'recsql' and f.function_name in ('ndcg', 'evaluate') order by all;"
    )
    assert rows == [
        {"function_name": "evaluate", "comment": "the metrics averaged over users"},
        {
            "function_name": "ndcg",
            "comment": "normalised discounted cumulative gain: DCG / IDCG; linear gain, ideal list from the whole truth cut at k",
        },
    ]


def test_a_ctes_a_view_and_a_script_loaded_twice() -> None:
    rows = shell(
        ".read sql/recsql.sql\n.read sql/recsql.sql\n"
        "create view truth as from 'examples/movietweetings/truth.parquet';\n"
        "with top as (select r.* from 'examples/movietweetings/recs.parquet' as r where r.model = 'pop')"
        " select e.model, e.users from recsql.evaluate('top', 'truth', k := 5, metrics := ['hit']) as e;"
    )
    assert rows == [{"model": "pop", "users": 2680}]


def test_the_other_grains() -> None:
    """A split, the metrics of all lists together and those of ratings, each in one line."""
    loaded = ".read sql/recsql.sql\n"
    bought = "create table bought as select 1 as user_id, i as item_id, i as timestamp from range(3) as t(i);\n"
    assert shell(f"{loaded}{bought}select item_id from recsql.leave_one_out('bought') where part = 'truth';") == [{"item_id": 2}]
    recs = str(ROOT / "examples/movietweetings/recs.parquet")
    [row] = shell(
        f"{loaded}from recsql.item_metrics({quoted(recs)}, k := 10, catalog_size := 10506) where metric = 'gini' limit 1;"
    )
    [expected, *_] = recsql.item_metrics(recs, "gini", 10, catalog_size=10506).to_pylist()
    assert row | {"value": None} == expected | {"value": None}
    assert row["value"] == pytest.approx(expected["value"], rel=1e-12)
    rated = "create table rated as from (values (1, 7, 1.0, 1.5), (2, 8, 3.0, 2.0)) t(user_id, item_id, rating, prediction);\n"
    assert shell(f"{loaded}{rated}select value, pairs from recsql.rating_metrics('rated', metrics := ['mae']);") == [
        {"value": 0.75, "pairs": 2}
    ]


def test_an_error_is_the_sentence() -> None:
    done = run(f".read sql/recsql.sql\nfrom recsql.evaluate({FILES}, k := [0]);")
    assert "k: a cut-off is a whole number from 1 to 1000000, or all; found 0" in done.stderr


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("'recs', 'truth', metrics := 'all@5'", "unknown metric 'all@5'; choose one of ndcg, recall"),
        ("'recs', 'truth', metrics := ['ndgc']", "unknown metric 'ndgc'; did you mean ndcg? choose one of ndcg, recall"),
        ("null, 'truth'", "recs: NULL is not a table; give the name of a table or a file"),
        ("'recs', null", "truth: NULL is not a table; give the name of a table or a file"),
    ],
)
def test_a_wrong_call_is_a_sentence(call: str, says: str) -> None:
    done = run(f".read sql/recsql.sql\nfrom recsql.evaluate({call});")
    assert f"Invalid Input Error: {says}" in done.stderr
