"""The macro files in the real duckdb shell, whose DuckDB is older than Python's.

If it fails, the macro files can't be loaded by the shell that people have.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import recsql
from recsql.base.text import literal as quoted
from recsql.cli import main
from tests.support import SETTINGS, default_file, file_of, without_advice, without_definition

ROOT = Path(__file__).parents[2]
RECS, TRUTH = (f"examples/movietweetings/{name}.parquet" for name in ("recs", "truth"))
FILES = f"{quoted(RECS)}, {quoted(TRUTH)}"
LOADED = ".read sql/recsql.sql\n.read sql/check.sql\n"


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


def same(rows: list[dict[str, object]], found: list[dict[str, object]]) -> None:
    expected = [without_definition(row) for row in found]
    assert [row | {"value": None} for row in rows] == [row | {"value": None} for row in expected]
    assert [row["value"] for row in rows] == pytest.approx([row["value"] for row in expected], rel=1e-12)


def test_it_gives_what_python_gives() -> None:
    rows = shell(f"{LOADED}from recsql.evaluate({FILES}, k := [5, 10]);")
    same(rows, recsql.evaluate(ROOT / RECS, ROOT / TRUTH, k=[5, 10]).to_pylist())


def test_a_database_is_attached(tmp_path: Path) -> None:
    assert main(["macros", "-o", str(tmp_path / "recsql.duckdb")]) == 0
    rows = shell(f"attach {quoted(str(tmp_path / 'recsql.duckdb'))} as recsql;\nfrom recsql.evaluate({FILES}, k := [5, 10]);")
    same(rows, recsql.evaluate(ROOT / RECS, ROOT / TRUTH, k=[5, 10]).to_pylist())


@pytest.mark.parametrize("metric", ["dcg", "ap"])
def test_a_database_with_one_metric_is_read_by_an_older_version(tmp_path: Path, metric: str) -> None:
    """Without a metric from 0 to 1, no interval is Wilson's; with one alone, no comparison leaves out users without a hit."""
    path = tmp_path / "recsql.duckdb"
    assert main(["macros", "-m", metric, "-o", str(path)]) == 0
    opened = f"attach {quoted(str(path))} (read_only);"
    rows = shell(f"{opened} select model, k, value from recsql.evaluate_with_interval({FILES}, k := 10);")
    found = recsql.evaluate(RECS, TRUTH, metric, 10).to_pylist()
    assert rows == [{name: row[name] for name in ("model", "k", "value")} for row in found]
    rows = shell(f"{opened} select model, baseline, users, difference from recsql.compare({FILES}, k := 10);")
    found = recsql.compare(RECS, TRUTH, metric, 10, findings="off").to_pylist()
    assert rows == [{name: row[name] for name in ("model", "baseline", "users", "difference")} for row in found]


def test_check_gives_what_python_gives(tmp_path: Path) -> None:
    assert main(["macros", "-o", str(tmp_path / "recsql.duckdb")]) == 0
    expected = without_advice(recsql.check(RECS, TRUTH, metrics="hit").to_pylist())
    found = shell(f"{LOADED}from recsql.check({FILES});")
    assert expected and without_advice(found) == expected
    assert shell(f"attach {quoted(str(tmp_path / 'recsql.duckdb'))} as recsql;\nfrom recsql.check({FILES});") == found


def test_several_conventions_side_by_side(tmp_path: Path) -> None:
    for name in ("trec_eval", "ranx"):
        (tmp_path / f"{name}.sql").write_text(file_of(name).text, encoding="utf-8")
    loaded = "".join(f".read {quoted(str(tmp_path / f'{name}.sql'))}\n" for name in ("trec_eval", "ranx"))
    calls = [f"from {name}.evaluate({FILES}, k := 10)" for name in ("recsql", "trec_eval", "ranx")]
    expected = [
        row
        for like in (None, "trec_eval", "ranx")
        for row in recsql.evaluate(ROOT / RECS, ROOT / TRUTH, k=10, like=like).to_pylist()
    ]
    same(shell(f"{LOADED}{loaded}{' union all '.join(calls)};"), expected)


def test_the_macros_explain_themselves() -> None:
    text = "select distinct comment from duckdb_functions() where schema_name = 'recsql' and function_name = 'evaluate';"
    about, signature, call = str(shell(f"{LOADED}{text}")[0]["comment"]).splitlines()
    assert about == "the metrics averaged over users"
    assert signature == "evaluate(recs, truth, k := [5, 10, 20], metrics := null, beta := 1, p := 0.8)"
    assert call == "from recsql.evaluate('recs.parquet', 'truth.parquet', k := 10, metrics := ['ndcg', 'recall'])"


def test_ctes_a_view_and_a_script_loaded_twice() -> None:
    rows = shell(
        f"{LOADED}{LOADED}create view truth as from {quoted(TRUTH)};\n"
        f"with top as (select r.* from {quoted(RECS)} as r where r.model = 'pop')"
        " select e.model, e.users from recsql.evaluate('top', 'truth', k := 5, metrics := ['hit']) as e;"
    )
    assert rows == [{"model": "pop", "users": 2680}]


TABLES = """
create table recs as
select m.model, u.user_id, (u.user_id * r.rank) % 9 as item_id, r.rank, 1 / r.rank as score
from (values ('a'), ('b')) as m(model), range(1, 7) as u(user_id), range(1, 3) as r(rank);
create table scored as from recs;
create table truth as select distinct user_id, item_id from recs where rank % 2 = 1;
create table segments as select distinct user_id, user_id % 2 as half from truth;
create table train as select user_id, item_id + 1 as item_id from truth;
create table users as select user_id from truth;
create table items as select item_id from range(20) as i(item_id);
create table ratings as select user_id, item_id, cast(user_id as double) as rating from truth;
create table predictions as select *, 3e0 as prediction from ratings;
create table interactions as
select u.user_id, i.item_id, timestamp '2026-01-01' + to_days(cast(i.item_id as integer)) as timestamp
from range(9) as u(user_id), range(9) as i(item_id);
create table events as select user_id, item_id, timestamp as ts from interactions;
create table impressions as select user_id, item_id, timestamp - interval 1 minute as ts, 1 as rank from interactions;
"""
VALUES = {
    **{
        "k": "[1, 2]",
        "metric": "'ndcg'",
        "metrics": "'all'",
        "beta": "2",
        "p": "0.5",
        "confidence": "0.9",
        "min_users": "1",
        "baseline": "'a'",
    },
    **{"margin": "null", "catalog_size": "30", "n": "2", "seed": "3", "fraction": "0.3", "fold_in": "0.5", "folds": "2"},
    **{
        "cut": "'2026-01-05'",
        "period": "'1 day'",
        "start": "'2026-01-03'",
        "until": "'2026-02-01'",
        "cap": "4",
        "missed": "true",
    },
}
INSTEAD = {("split_temporal", "fraction"): "null", ("rank_by_score", "k"): "2", ("hits", "k"): "2", ("ideal", "k"): "2"}
INSTEAD |= {
    ("rank", "metrics"): "['ndcg', 'hit']",
    ("overlap", "k"): "2",
    ("verdict", "k"): "2",
    ("popularity", "k"): "2",
    ("check", "k"): "2",
    ("popularity", "seen"): "'keep'",
}


def called_by_name() -> dict[str, str]:
    """The arguments of each macro over tables."""
    names = {spec.name: [one.partition(" ")[0] for one in default_file().parameters(spec)] for spec in default_file().specs}
    return {
        macro: ", ".join(f"{one} := {INSTEAD.get((macro, one), VALUES.get(one, quoted(one)))}" for one in parameters)
        for macro, parameters in names.items()
    }


def test_every_parameter_is_called_by_its_name() -> None:
    """Without quotes: none of them is a keyword."""
    calls = called_by_name()
    counts = [f"select '{macro}' as macro, count(*) as rows from recsql.{macro}({call})" for macro, call in calls.items()]
    rows = shell(f"{LOADED}{TABLES}{' union all '.join(counts)};")
    assert {row["macro"] for row in rows if row["rows"]} == calls.keys()


ODD = ["x'; drop table truth; --", "-- a comment\nin two lines", "/* {{ Ünïcödé }} 名前", "a.b.c", "select"]


def test_names_are_only_names(tmp_path: Path) -> None:
    """Of tables, and of folders and files."""
    made, calls = "", []
    for place, name in enumerate(ODD):
        folder = tmp_path / str(place) / name.replace("/", "|")
        folder.mkdir(parents=True)
        table, path = f'"{name}"', str(folder / f"{folder.name}.parquet")
        made += f"create table {table} as from recs;\ncopy recs to {quoted(path)};\n"
        calls += [f"from recsql.evaluate({quoted(given)}, 'truth', k := 2, metrics := 'rr')" for given in (table, path)]
    rows = shell(f"{LOADED}{TABLES}{made}{' union all '.join(calls)};")
    assert len(rows) == 2 * len(calls) and rows == rows[:2] * len(calls)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (f"{FILES}, k := [0]", "k: a cut-off is a whole number from 1 to 1000000, or all; found 0"),
        (f"{FILES}, metrics := 'all@5'", "unknown metric 'all@5'; choose one of ndcg, recall"),
        (f"{FILES}, metrics := ['ndgc']", "unknown metric 'ndgc'; did you mean ndcg? choose one of ndcg, recall"),
        (f"null, {quoted(TRUTH)}", "NULL; give the name of a table or a file"),
        (f"{quoted(RECS)}, null", "NULL; give the name of a table or a file"),
    ],
)
def test_a_wrong_call_is_a_sentence(call: str, says: str) -> None:
    assert says in run(f"{LOADED}from recsql.evaluate({call});").stderr


@pytest.mark.parametrize(("text", "columns"), [("", "column0"), ("1,7,1\n", "column0, column1, column2")])
def test_a_file_without_a_header_is_a_sentence(tmp_path: Path, text: str, columns: str) -> None:
    path = tmp_path / "recs.csv"
    path.write_text(text)
    says = f"recs.csv: there is no column user_id; it has {columns}; the first line of a file must name its columns"
    assert says in run(f"{LOADED}from recsql.evaluate({quoted(str(path))}, {quoted(TRUTH)});").stderr


@pytest.mark.engine
def test_the_settings_of_a_session_change_no_value() -> None:
    """Each macro over tables; test_lists has those over two lists."""
    with duckdb.connect() as con:
        con.execute("load icu")
        con.execute((ROOT / "sql/recsql.sql").read_text(encoding="utf-8"))
        con.execute((ROOT / "sql/check.sql").read_text(encoding="utf-8"))
        con.execute(TABLES)
        calls = {name: f"from recsql.{name}({arguments})" for name, arguments in called_by_name().items()}
        usual = {name: sorted(map(repr, con.execute(call).fetchall())) for name, call in calls.items()}
        con.execute("; ".join(f"set {setting}" for setting in SETTINGS))
        for name, call in calls.items():
            assert sorted(map(repr, con.execute(call).fetchall())) == usual[name], name
