"""The command recsql: what it prints, writes and returns."""

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.cli import main

ROOT = Path(__file__).parent.parent
RECS = str(ROOT / "examples/movietweetings/recs.parquet")
TRUTH = str(ROOT / "examples/movietweetings/truth.parquet")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def test_the_table_has_the_models_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "evaluate", RECS, TRUTH, "-k", "5,10", "-m", "ndcg", "-m", "ap(denominator=relevant)@10")
    assert shown.splitlines() == [
        "metric                          als    ease  itemknn     pop",
        "---------------------------  ------  ------  -------  ------",
        "ndcg@5                       0.0236  0.0268   0.0194  0.0315",
        "ndcg@10                      0.0322  0.0373   0.0259  0.0472",
        "ap(denominator=relevant)@10  0.0205  0.0237   0.0164  0.0279",
        "",
        "2,680 users with truth; of them without a list (zero: counted as 0) als 1,004, ease 1,004, itemknn 1,011, pop 502; "
        "lists without truth (skip: left out) als 101, ease 101, itemknn 97, pop 101.",
    ]


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_machines_get_the_tidy_rows(capsys: pytest.CaptureFixture[str], kind: str) -> None:
    shown = run(capsys, "evaluate", RECS, TRUTH, "-k", "5,10", "--format", kind)
    rows = list(csv.DictReader(shown.splitlines())) if kind == "csv" else json.loads(shown)
    expected = recsql.evaluate(RECS, TRUTH, k=[5, 10]).to_pylist()
    assert [(row["model"], row["metric"], int(row["k"]), int(row["users"])) for row in rows] == [
        (row["model"], row["metric"], row["k"], row["users"]) for row in expected
    ]
    assert [float(row["value"]) for row in rows] == pytest.approx([row["value"] for row in expected], rel=1e-12)


def test_markdown_and_latex(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ("evaluate", RECS, TRUTH, "-k", "10", "-m", "hit")
    assert run(capsys, *flags, "--format", "markdown").splitlines() == [
        "| metric | als | ease | itemknn | pop |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| hit@10 | 0.0873 | 0.1022 | 0.0716 | 0.1343 |",
    ]
    assert r"hit@10 & 0.0873 & 0.1022 & 0.0716 & 0.1343 \\" in run(capsys, *flags, "--format", "latex").splitlines()


@pytest.mark.parametrize("ending", ["parquet", "csv", "json", "md", "tex"])
def test_a_file_by_its_ending(capsys: pytest.CaptureFixture[str], tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"an 'odd' name.{ending}"
    assert run(capsys, "evaluate", RECS, TRUTH, "-k", "5", "-m", "hit", "-o", str(path)) == ""
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    if ending == "parquet":
        assert pq.read_table(path)["metric"].to_pylist() == ["hit"] * 4
    else:
        assert "0.075" in path.read_text()


def test_per_user_hits_sql_macros_and_metrics(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "users.parquet"
    run(capsys, "per-user", RECS, TRUTH, "-k", "5", "-m", "rr", "-o", str(path))
    assert pq.read_table(path).num_rows == recsql.per_user(RECS, TRUTH, "rr", k=5).num_rows == 4 * 2680
    assert "more rows" in run(capsys, "per-user", RECS, TRUTH, "-k", "5", "-m", "rr")
    assert run(capsys, "hits", RECS, TRUTH, "-k", "1", "--format", "csv").splitlines()[0].split(",")[:5] == [
        "model", "user_id", "item_id", "rank", "relevance",
    ]  # fmt: skip
    text = run(capsys, "sql", RECS, TRUTH, "-k", "5", "-m", "rr")
    assert duckdb.connect().execute(text).fetchall()[0][1] == "rr"
    assert run(capsys, "macros") == recsql.macros()
    assert [row["metric"] for row in json.loads(run(capsys, "metrics", "--format", "json"))] == recsql.metrics()[
        "metric"
    ].to_pylist()


def test_an_option_a_column_and_a_limit(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    renamed = tmp_path / "renamed.parquet"
    duckdb.sql(f"copy (select user_id as uid, * exclude (user_id) from '{RECS}') to '{renamed}'")
    truth = tmp_path / "truth.parquet"
    duckdb.sql(f"copy (select user_id as uid, * exclude (user_id) from '{TRUTH}') to '{truth}'")
    flags = (
        "-k",
        "5",
        "-m",
        "ap",
        "--format",
        "csv",
        "--ap-denominator",
        "relevant",
        "--memory-limit",
        "200MB",
        "--threads",
        "1",
    )
    shown = run(capsys, "evaluate", str(renamed), str(truth), "--user", "uid", "--temp-directory", str(tmp_path), *flags)
    expected = recsql.evaluate(RECS, TRUTH, "ap", k=5, ap_denominator="relevant")
    assert [float(row["value"]) for row in csv.DictReader(shown.splitlines())] == pytest.approx(expected["value"].to_pylist())


def test_bad_input_is_one_line_and_leaves_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    assert main(["evaluate", "nothing.parquet", TRUTH, "-o", str(path)]) == 1
    error = capsys.readouterr().err
    assert error.startswith("recsql: nothing.parquet: there is no such file")
    assert error.count("\n") == 1
    assert main(["evaluate", RECS, TRUTH, "-m", "ndgc", "-o", str(path)]) == 1
    assert "did you mean ndcg?" in capsys.readouterr().err
    assert main(["evaluate", RECS, TRUTH, "-k", "0"]) == 1
    assert main(["evaluate", RECS, TRUTH, "--memory-limit", "much"]) == 1
    assert "--memory-limit" in capsys.readouterr().err
    assert main(["evaluate", RECS, TRUTH, "-o", str(tmp_path / "out.xyz")]) == 1
    assert main(["evaluate", RECS, TRUTH, "-o", str(tmp_path / "nowhere" / "out.csv")]) == 1
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_survives_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "users.parquet"
    path.write_text("precious")
    bad = tmp_path / "bad.parquet"
    duckdb.sql(f"copy (select 1 as user_id, 'a' as item_id, 0 as rank) to '{bad}'")
    truth = tmp_path / "truth.parquet"
    duckdb.sql(f"copy (select 1 as user_id, 'a' as item_id) to '{truth}'")
    assert main(["per-user", str(bad), str(truth), "-o", str(path)]) == 1
    assert path.read_text() == "precious"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bad.parquet", "truth.parquet", "users.parquet"]


def test_wrong_usage_is_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        [],
        ["evaluate", RECS],
        ["evaluate", RECS, TRUTH, "--no-such-flag"],
        ["evaluate", RECS, TRUTH, "--format", "xml"],
    ):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == 2
    capsys.readouterr()


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m recsql per-user {RECS} {TRUTH} --format csv | head -1"
    run = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_ctrl_c_stops_at_once(tmp_path: Path) -> None:
    """A query of many seconds, interrupted after one."""
    recs, truth, out = (str(tmp_path / name) for name in ("recs.parquet", "truth.parquet", "out.parquet"))
    duckdb.sql(f"copy (select range // 50 as user_id, range as item_id, range % 50 + 1 as rank from range(20000000)) to '{recs}'")
    duckdb.sql(f"copy (select range // 50 as user_id, range as item_id from range(20000000)) to '{truth}'")
    process = subprocess.Popen([sys.executable, "-m", "recsql", "per-user", recs, truth, "--threads", "1", "-o", out])
    time.sleep(2)
    assert process.poll() is None, "it was too quick to be interrupted"
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130
    assert time.monotonic() - started < 3
    assert sorted(file.name for file in tmp_path.iterdir()) == ["recs.parquet", "truth.parquet"]
