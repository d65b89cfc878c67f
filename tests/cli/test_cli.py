"""The command recsql: what it prints, writes and returns.

If it fails, the command prints or writes something else than Python gives, or returns a wrong status.
"""

import contextlib
import csv
import io
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.base.text import quoted
from recsql.catalog import catalog
from recsql.cli import main, running
from recsql.cli.spelling import on_command_line
from recsql.display import output
from recsql.engines.duckdb import DuckDB
from recsql.query.metric_names import options_of

ROOT = Path(__file__).parents[2]
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
        "Users in the mean: 2,680. Users with truth: 2,680.",
        "Without a list (counted as 0): als 1,004, ease 1,004, itemknn 1,011, pop 502.",
        "Lists without truth (left out): als 101, ease 101, itemknn 97, pop 101.",
    ]


def test_advice_names_what_the_command_line_has(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Commands, and not the functions of Python."""
    recs, truth = str(tmp_path / "recs.csv"), str(tmp_path / "truth.csv")
    Path(recs).write_text("user_id,item_id,rank\nu1,b,1\nu2,b,1\n")
    Path(truth).write_text("user_id,item_id\nu1,a\nu2,c\nu3,b\n")
    assert main(["evaluate", recs, truth, "-m", "rr"]) == 0
    assert "no list has a hit in its top k; run recsql check to see why" in capsys.readouterr().err
    assert main(["item-metrics", recs, "-m", "entropy", "--users", "intersection"]) == 1
    assert "give a table of users, or use evaluate, which takes a truth" in capsys.readouterr().err


def test_a_sample(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "evaluate", RECS, TRUTH, "-m", "ndcg", "-k", "5", "--sample", "0.5", "--format", "json")
    assert json.loads(shown) == recsql.evaluate(RECS, TRUTH, "ndcg", 5, sample=0.5).to_pylist()


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
        "",
        "Users in the mean: 2,680. Users with truth: 2,680.",
        "",
        "Without a list (counted as 0): als 1,004, ease 1,004, itemknn 1,011, pop 502.",
        "",
        "Lists without truth (left out): als 101, ease 101, itemknn 97, pop 101.",
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


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("recs: an item is twice; choose with duplicates=", "recs: an item is twice; choose with --duplicates"),
        ("k: give one; interval: leave it out", "-k: give one; --interval: leave it out"),
        ("seen='drop': give train= as well", "--seen drop: give --train as well"),
        ("name it with rank='...' or score='...'", "name it with --rank NAME or --score NAME"),
        ("judged_only=True and margin=0.1, like=.", "--judged-only true and --margin 0.1, --like."),
        ("give several with metrics=", "give several with -m"),
        ("day=5/x.parquet: no such file", "day=5/x.parquet: no such file"),
        ("pop=pop.parquet: k=5/x a=b", "pop=pop.parquet: k=5/x a=b"),
        ("Definitions: ndcg is ndcg(gain=exp2, sample=0.5).", "Definitions: ndcg is ndcg(gain=exp2, sample=0.5)."),
        ("recs: users: no such table", "recs: users: no such table"),
    ],
)
def test_sentences_spell_arguments_as_flags(sentence: str, said: str) -> None:
    assert on_command_line(sentence) == said


@pytest.mark.parametrize(
    ("recs", "truth", "flags", "says"),
    [
        ("u1,a,1", "u1,a,1", "--min-users 3", "--min-users: it applies only with --by; give that as well, or leave --min"),
        ("u1,a,1", "u1,a,1", "--seen drop", "--seen drop: it removes or refuses what users have in train; give --train as well"),
        ("u1,a,0", "u1,a,1", "", "{recs}: place is 0 for user u1, item a; ranks are whole numbers that start at 1"),
        (",a,1", "u1,a,1", "", "{recs}: customer is NULL in a row (customer NULL, sku a, place 1); leave such rows"),
        ("u1,a,1", ",a,1", "", "{truth}: customer is NULL in a row (customer NULL, sku a); leave such rows"),
        ("u1,a,1", "u1,a,", "", "{truth}: stars is NULL for user u1, item a; give every row a number"),
        (
            "u1,a,1\nu1,a,2",
            "u1,a,1",
            "",
            "{recs}: item a appears more than once in the list of user u1; list it once, or choose how it counts with "
            "--duplicates; or does the table hold several lists of a user, such as one a day? give each its own customer",
        ),
        (
            "u1,a,1",
            "u1,a,1",
            "--by land",
            "--by: there is no column land in {truth} nor {recs}; there are customer, sku, stars, place; "
            "give a table with customer and that column as --segments",
        ),
        ("u1,a,1\nu1,b,1", "u1,a,1", "", "{recs}: items a and b have the same place 1 in the list of user u1"),
    ],
)
def test_sentences_name_flags_and_the_columns_of_the_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, recs: str, truth: str, flags: str, says: str
) -> None:
    """In Python the same sentences name arguments."""
    paths = {"recs": str(tmp_path / "recs.csv"), "truth": str(tmp_path / "truth.csv")}
    Path(paths["recs"]).write_text(f"customer,sku,place\n{recs}\n")
    Path(paths["truth"]).write_text(f"customer,sku,stars\n{truth}\n")
    names = ["--user", "customer", "--item", "sku", "--rank", "place", "--relevance", "stars"]
    assert main(["evaluate", *paths.values(), "-m", "hit", *names, *flags.split()]) == 1
    said = capsys.readouterr().err.removeprefix("recsql: ").rstrip("\n")
    assert said.startswith(says.format(**paths))
    columns: dict[str, Any] = {name[2:]: value for name, value in zip(names[::2], names[1::2], strict=True)}
    if flags:
        flag, value = flags.split()
        columns[flag[2:].replace("-", "_")] = value
    with pytest.raises(recsql.RecsqlError) as refused:
        recsql.evaluate(paths["recs"], paths["truth"], "hit", **columns)
    assert "--" not in str(refused.value)
    assert on_command_line(str(refused.value)) == said


def test_a_format_given_makes_the_ending_free(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = ("evaluate", RECS, TRUTH, "-k", "5", "-m", "hit")
    for kind in ("table", "csv", "json", "markdown", "latex"):
        path = tmp_path / f"hits.{kind}.out"
        printed = run(capsys, *asked, "--format", kind)
        assert run(capsys, *asked, "--format", kind, "-o", str(path)) == ""
        assert path.read_text() == printed
    run(capsys, *asked, "--format", "csv", "-o", str(tmp_path / "hits.csv"))
    assert (tmp_path / "hits.csv").read_text() == (tmp_path / "hits.csv.out").read_text()


def test_parquet_by_its_format(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also for rows that are written where they are computed, to a file in this folder that a table could be called like."""
    monkeypatch.chdir(tmp_path)
    for command in ("evaluate", "per-user", "hits"):
        assert run(capsys, command, RECS, TRUTH, "-k", "5", "--format", "parquet", "-o", command) == ""
        assert pq.read_table(command).num_rows > 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["evaluate", "hits", "per-user"]


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["-o", "x.csv", "--format", "json"], "x.csv: the ending .csv is csv, but --format is json; change one of them"),
        (["-o", "x.md", "--format", "table"], "x.md: the ending .md is markdown, but --format is table; change one of them"),
        (["-o", "x.txt"], "x.txt: its ending names no format; use one of .csv, .json, .md, .tex, .parquet, or give --format"),
        (["--format", "parquet"], "--format: parquet can't be written to a terminal; name a file with -o"),
    ],
)
def test_a_format_that_cannot_be(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, flags: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in ("evaluate", "per-user"):
        assert main([command, RECS, TRUTH, *flags]) == 1
        assert capsys.readouterr().err == f"recsql: {says}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("columns", [60, 80, 100, 120])
def test_the_metrics_fit_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """A line each under its group, which has as much of the definition as there is room for."""
    monkeypatch.setenv("COLUMNS", str(columns))
    *groups, _ = run(capsys, "metrics").split("\n\n")
    assert max(len(line) for group in groups for line in group.splitlines()) <= columns
    rows = {row["metric"]: f"{row['metric']} {row['title']}: {row['formula']}" for row in recsql.metrics().to_pylist()}
    shown = {title.rstrip(":"): lines for title, *lines in (group.splitlines() for group in groups)}
    assert {title: [line.split()[0] for line in lines] for title, lines in shown.items()} == catalog().groups
    for line in (line for lines in shown.values() for line in lines):
        said = " ".join(line.split())
        assert rows[said.split()[0]].startswith(said.removesuffix(" ...")), said


def test_per_user_hits_sql_macros_and_metrics(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "users.parquet"
    for flags, returned in (
        (["hits", RECS, TRUTH, "-k", "1"], recsql.hits(RECS, TRUTH, 1)),
        (["per-user", RECS, TRUTH, "-k", "5", "-m", "rr"], recsql.per_user(RECS, TRUTH, "rr", k=5)),
    ):
        run(capsys, *flags, "-o", str(path))
        written = pq.read_table(path)
        assert written.num_rows == returned.num_rows > 6000
        assert written.schema.metadata == returned.schema.metadata != {}
    assert written.num_rows == 4 * 2680
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
    [ndcg] = [row for row in csv.DictReader(run(capsys, "metrics", "--format", "csv").splitlines()) if row["metric"] == "ndcg"]
    assert ndcg["options"] == ", ".join(options_of("ndcg"))


def test_the_metrics_of_all_lists(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ("-k", "10", "-m", "coverage,entropy", "--catalog-size", "10506")
    shown = run(capsys, "item-metrics", RECS, *flags, "--entropy-base", "e")
    assert shown.splitlines() == [
        "metric          als    ease  itemknn     pop",
        "-----------  ------  ------  -------  ------",
        "coverage@10  0.0309  0.0630   0.2505  0.0035",
        "entropy@10   4.9160  4.6361   5.6567  2.6704",
        "",
        "Definitions: entropy is entropy(base=e).",
        "The models are measured on different lists: als 1,777, ease 1,777, itemknn 1,766, pop 2,279.",
    ]
    rows = json.loads(run(capsys, "item-metrics", RECS, *flags, "--format", "json"))
    expected = recsql.item_metrics(RECS, ["coverage", "entropy"], 10, catalog_size=10506).to_pylist()
    assert [row | {"value": None} for row in rows] == [row | {"value": None} for row in expected]
    assert [row["value"] for row in rows] == pytest.approx([row["value"] for row in expected], rel=1e-12)
    both = run(capsys, "evaluate", RECS, TRUTH, "-k", "10", "-m", "hit,coverage", "--catalog-size", "10506")
    assert [line.split()[0] for line in both.splitlines()[2:4]] == ["hit@10", "coverage@10"]


def test_metrics_of_all_lists_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """No user is in a mean, so the only line is that on the lists."""
    alone = run(capsys, "evaluate", RECS, TRUTH, "-k", "10", "-m", "entropy")
    assert [line.split(" ")[0] for line in alone.splitlines()] == ["metric", "----------", "entropy@10", "", "The"]
    part = str(tmp_path / "part.parquet")
    run(capsys, "partial", RECS, TRUTH, "-k", "10", "-m", "entropy", "-o", part)
    assert run(capsys, "merge", part) == alone


def test_models_called_as_the_columns_are(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    models = pa.array(["metric", "", "value"])
    pq.write_table(pa.table({"model": models, "user_id": [1] * 3, "item_id": [1] * 3, "rank": [1, 2, 4]}), tmp_path / "r.parquet")
    pq.write_table(pa.table({"user_id": [1], "item_id": [1]}), tmp_path / "t.parquet")
    shown = run(capsys, "evaluate", str(tmp_path / "r.parquet"), str(tmp_path / "t.parquet"), "-k", "4", "-m", "rr")
    head, _, row, _, note = shown.splitlines()
    assert note == "Users in the mean: 1. Users with truth: 1."
    assert head.split() == ["metric", "metric", "value"]
    assert row.split() == ["rr@4", "0.5000", "1.0000", "0.2500"]


def test_the_users_are_a_column_where_they_differ(capsys: pytest.CaptureFixture[str]) -> None:
    """Beside each model where models differ, else once; a policy is named where all metrics have it."""
    both = run(capsys, "evaluate", RECS, TRUTH, "-k", "5", "-m", "hit(no_recs=skip)", "-m", "hit", "-m", "entropy")
    assert both.splitlines() == [
        "metric                  als  users    ease  users  itemknn  users     pop  users",
        "-------------------  ------  -----  ------  -----  -------  -----  ------  -----",
        "hit(no_recs=skip)@5  0.0794   1676  0.0943   1676   0.0707   1669  0.0927   2178",
        "hit@5                0.0496   2680  0.0590   2680   0.0440   2680  0.0754   2680",
        "entropy@5            6.7011         6.1324          7.5791         3.0070",
        "",
        "The models are measured on different lists: als 1,777, ease 1,777, itemknn 1,766, pop 2,279.",
        "Users in the mean: see the column users. Users with truth: 2,680.",
        "Without a list: als 1,004, ease 1,004, itemknn 1,011, pop 502.",
        "Lists without truth (left out): als 101, ease 101, itemknn 97, pop 101.",
    ]
    one = run(capsys, "evaluate", RECS, TRUTH, "-k", "5", "-m", "hit(no_recs=skip)", "-m", "entropy")
    assert "Without a list (left out): als 1,004" in one
    assert "users" in one.splitlines()[0]


def test_one_column_of_users_for_all_models(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """User 1 has relevance 2, user 2 has 1: a threshold of 2 leaves user 2 out of the mean for both models."""
    recs, truth = str(tmp_path / "recs.parquet"), str(tmp_path / "truth.parquet")
    lists = {"model": ["a", "a", "b", "b"], "user_id": [1, 2, 1, 2], "item_id": [1, 1, 1, 2], "rank": [1] * 4}
    pq.write_table(pa.table(lists), recs)
    pq.write_table(pa.table({"user_id": [1, 2], "item_id": [1, 1], "relevance": [2, 1]}), truth)
    shown = run(capsys, "evaluate", recs, truth, "-k", "5", "-m", "hit", "-m", "hit(relevance_threshold=2)")
    assert shown.splitlines()[:4] == [
        "metric                             a       b  users",
        "----------------------------  ------  ------  -----",
        "hit@5                         1.0000  0.5000      2",
        "hit(relevance_threshold=2)@5  1.0000  1.0000      1",
    ]


def test_the_counts_are_those_of_the_users_looked_at(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """User 1 has a hit, 2 no list, 3 no truth; 4 and 5 are not in the table of users."""
    recs, truth, users, part = (str(tmp_path / f"{name}.parquet") for name in ("recs", "truth", "users", "part"))
    pq.write_table(pa.table({"user_id": [1, 3, 4], "item_id": [1] * 3, "rank": [1] * 3}), recs)
    pq.write_table(pa.table({"user_id": [1, 2, 4, 5], "item_id": [1] * 4}), truth)
    pq.write_table(pa.table({"user_id": [1, 2, 3]}), users)
    asked = (recs, truth, "-k", "5", "-m", "hit", "--users", users)
    shown = run(capsys, "evaluate", *asked)
    assert shown.splitlines()[-3:] == [
        "Users in the mean: 2. Users with truth: 2.",
        "Without a list (counted as 0): 1.",
        "Lists without truth (left out): 1.",
    ]
    counts = {
        "model": None,
        "users_in_mean": 2,
        "users_with_truth": 2,
        "lists": 2,
        "lists_without_truth": 1,
        "longest_list": 1,
        "users_without_list": 1,
    }
    run(capsys, "partial", *asked, "-o", part)
    for result in (recsql.evaluate(recs, truth, "hit", 5, users=users), recsql.merge(part)):
        assert json.loads(result.schema.metadata[b"recsql"])["models"] == [counts]
    assert run(capsys, "merge", part) == shown


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        ("intersection", [1, "left out", "left out"]),
        ("union", [3, "counted as 0", "counted as 0"]),
    ],
)
def test_a_policy_of_users_goes_before_the_others(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, policy: str, says: list[object]
) -> None:
    recs, truth = str(tmp_path / "recs.parquet"), str(tmp_path / "truth.parquet")
    pq.write_table(pa.table({"user_id": [1, 3], "item_id": [1] * 2, "rank": [1] * 2}), recs)
    pq.write_table(pa.table({"user_id": [1, 2], "item_id": [1] * 2}), truth)
    shown = run(capsys, "evaluate", recs, truth, "-k", "5", "-m", "hit", "--users", policy)
    assert shown.splitlines()[-3:] == [
        f"Users in the mean: {says[0]}. Users with truth: 2.",
        f"Without a list ({says[1]}): 1.",
        f"Lists without truth ({says[2]}): 1.",
    ]


def test_line_breaks_in_a_model_s_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Tables for people have one line per row; programs get the name as it is."""
    model, recs, truth = "a\r\nb\nc\rd", str(tmp_path / "r.parquet"), str(tmp_path / "t.parquet")
    pq.write_table(pa.table({"model": [model, "e"], "user_id": [1, 2], "item_id": [1, 1], "rank": [1, 2]}), recs)
    pq.write_table(pa.table({"user_id": [1], "item_id": [1]}), truth)
    flags = ("evaluate", recs, truth, "-k", "5", "-m", "rr")
    for kind, head, lines in (
        ("table", "metric  a b c d", 7),
        ("markdown", "| metric | a b c d |", 9),
        ("latex", "metric & a b c d &", 10),
    ):
        shown = run(capsys, *flags, "--format", kind)
        assert head in shown
        assert len(shown.splitlines()) == lines
    assert run(capsys, *flags).endswith("Lists without truth (left out): a b c d 0, e 1.\n")
    written = output.comma_separated(pa.table({"model": [model, "a\rb"], "rr": [1.0, 0.5]}))
    assert list(csv.reader(io.StringIO(written, newline=""))) == [["model", "rr"], [model, "1.0"], ["a\rb", "0.5"]]


@pytest.mark.parametrize("kind", ["table", "csv", "json", "markdown", "latex"])
@pytest.mark.parametrize("name", ["::error::no", "a\n::error::no", "a\n ::error title=x::no"])
def test_no_name_is_a_command_to_a_runner(capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str, name: str) -> None:
    """A runner of CI takes each line that begins with :: as a command, whatever the stream."""
    users = [*range(30)]
    lists = {"user_id": users * 2, "item_id": [1 if n < 30 or n % 3 else 2 for n in range(60)], "rank": [1] * 60}
    pq.write_table(pa.table({"model": [name] * 30 + ["old"] * 30, **lists}), tmp_path / "recs.parquet")
    pq.write_table(pa.table({"user_id": users, "item_id": [1] * 30}), tmp_path / "truth.parquet")
    tables = [str(tmp_path / "recs.parquet"), str(tmp_path / "truth.parquet")]
    for arguments in (
        ["compare", *tables, "-k", "1", "-m", "hit", "--fail-if", "worse", "--baseline", "old"],
        ["per-user", *tables, "-k", "1"],
    ):
        assert main([*arguments, "--format", kind]) == 0
        shown = capsys.readouterr()
        assert not re.search(r"^\s*::", f"{shown.out}\n{shown.err}", re.MULTILINE)
        assert "error" in shown.out
    if kind == "csv" and "\n" not in name:
        assert next(csv.reader(shown.out.splitlines()[1:]))[0] == name


def test_control_characters_are_shown_as_escapes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """In tables and in sentences: in a model's name, an id and a path."""
    recs, truth = (str(tmp_path / name) for name in ("r\n\x1b[2J.parquet", "t.parquet"))
    lists = {"model": ["m\x1b[31m\t\u202e", "n"], "user_id": ["u\x07\nv", "w"], "item_id": [1, 1], "rank": [1, 1]}
    pq.write_table(pa.table(lists), recs)
    pq.write_table(pa.table({"user_id": ["u\x07\nv"], "item_id": [1]}), truth)
    shown = r"m\x1b[31m\t\u202e"
    for kind, head in (("table", shown), ("markdown", f"| {shown} |"), ("latex", shown.replace("\\", r"\textbackslash{}"))):
        assert head in run(capsys, "evaluate", recs, truth, "-k", "5", "-m", "rr", "--format", kind)
    assert f"{shown} 0, n 1" in run(capsys, "evaluate", recs, truth, "-k", "5", "-m", "rr")
    assert r"u\x07 v" in run(capsys, "hits", recs, truth)
    pq.write_table(pa.table(lists | {"rank": [0, 1]}), recs)
    assert main(["evaluate", recs, truth]) == 1
    assert capsys.readouterr().err.startswith(rf"recsql: {tmp_path}/r\n\x1b[2J.parquet: rank is 0 for user u\x07\nv, item 1; ")
    assert main(["evaluate", f"{recs}.gz", truth]) == 1
    assert r"r\n\x1b[2J.parquet.gz: no file matches" in capsys.readouterr().err


def test_what_is_read_is_not_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    recs = tmp_path / "recs.parquet"
    recs.write_bytes(Path(RECS).read_bytes())
    for command in (
        ["evaluate", str(recs), TRUTH, "-k", "5", "-o"],
        ["hits", str(tmp_path / "*.parquet"), TRUTH, "-o"],
        ["merge", str(recs), "-o"],
        ["split", str(recs), "--protocol", "last_n", "--order-by", "rank", "--truth", str(tmp_path / "truth.parquet"), "--train"],
    ):
        assert main([*command, str(recs)]) == 1
        assert capsys.readouterr().err == f"recsql: {recs}: this file is one of the inputs; choose another output file\n"
    assert recs.read_bytes() == Path(RECS).read_bytes()


def test_ratings_and_predictions(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    predictions, ratings = str(tmp_path / "predictions.parquet"), str(tmp_path / "ratings.parquet")
    duckdb.sql(f"copy (from (values (1, 7, 1.5), (2, 8, 2.0), (2, 9, null)) t(user_id, item_id, yhat)) to '{predictions}'")
    duckdb.sql(f"copy (from (values (1, 7, 1.0), (2, 8, 3.0), (2, 9, 3.0)) t(user_id, item_id, rating)) to '{ratings}'")
    given = ("rate", predictions, "--ratings", ratings, "--prediction", "yhat")
    assert list(csv.reader(run(capsys, *given, "-m", "mae", "-m", "mse", "--format", "csv").splitlines())) == [
        ["model", "metric", "value", "pairs", "users", "missing", "unmatched_predictions", "unmatched_ratings", "definition"],
        ["", "mae", "0.75", "2", "2", "1", "0", "0", "mae"],
        ["", "mse", "0.625", "2", "2", "1", "0", "0", "mse"],
    ]
    assert main([*given, "--missing", "error"]) == 1
    assert capsys.readouterr().err.startswith(f"recsql: {predictions}: yhat is NULL for user 2, item 9; ")
    assert main([*given, "-m", "rmse@5"]) == 1
    assert capsys.readouterr().err == "recsql: rmse@5: ratings have no cut-off; write rmse\n"


def test_split_and_measured(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bought, train, truth = (str(tmp_path / f"{name}.parquet") for name in ("bought", "train", "truth"))
    duckdb.sql(f"copy (select i % 50 as uid, i as item_id, i as bought_at from range(150) as t(i)) to '{bought}'")
    files = ("--train", train, "--truth", truth)
    held_out = ("split", bought, "--protocol", "leave_one_out", *files, "--user", "uid")
    assert run(capsys, *held_out, "--order-by", "bought_at") == ""
    assert sorted(pq.read_table(truth)["item_id"].to_pylist()) == list(range(100, 150))
    assert sorted(pq.read_table(train)["item_id"].to_pylist()) == list(range(100))
    recs = str(tmp_path / "recs.parquet")
    duckdb.sql(f"copy (select uid, item_id, 1 as rank from '{truth}') to '{recs}'")
    flags = ("--user", "uid", "-k", "1", "-m", "hit", "--truth-check", "leave_one_out", "--format", "csv")
    assert run(capsys, "evaluate", recs, truth, *flags).splitlines()[1:] == [",hit,1,1.0,50,50,hit"]
    assert main(["evaluate", recs, train, *flags]) == 1
    assert "has 2 relevant items; --truth-check leave_one_out" in capsys.readouterr().err
    assert main([*held_out]) == 1
    assert "there is no column timestamp" in capsys.readouterr().err
    assert pq.read_table(truth).num_rows == 50


def test_split_writes_where_it_stands(tmp_path: Path) -> None:
    duckdb.sql(f"copy (select 1 as user_id, i as item_id, i as timestamp from range(3) as t(i)) to '{tmp_path}/bought.parquet'")
    command = [sys.executable, "-m", "recsql", "split", "bought.parquet", "--protocol", "last_n"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bought.parquet", "train.parquet", "truth.parquet"]
    assert pq.read_table(tmp_path / "truth.parquet")["item_id"].to_pylist() == [2]
    again = subprocess.run([*command, "--train", "other.parquet"], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert again.stderr == "recsql: truth.parquet: it already exists; choose another file with --truth\n"
    assert not (tmp_path / "other.parquet").exists()


def test_an_option_a_column_and_a_limit(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    renamed = tmp_path / "renamed.parquet"
    duckdb.sql(f"copy (select user_id as uid, * exclude (user_id) from {quoted(RECS)}) to '{renamed}'")
    truth = tmp_path / "truth.parquet"
    duckdb.sql(f"copy (select user_id as uid, * exclude (user_id) from {quoted(TRUTH)}) to '{truth}'")
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
    assert error.startswith("recsql: nothing.parquet: no such file")
    assert error.count("\n") == 1
    assert main(["evaluate", RECS, TRUTH, "-m", "ndgc", "-o", str(path)]) == 1
    assert "did you mean ndcg?" in capsys.readouterr().err
    assert main(["evaluate", RECS, TRUTH, "-k", "0"]) == 1
    assert main(["evaluate", RECS, TRUTH, "-o", str(tmp_path / "out.xyz")]) == 1
    assert main(["evaluate", RECS, TRUTH, "-o", str(tmp_path / "nowhere" / "out.csv")]) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--threads", "0"], "--threads: 0 is not a number from 1 to 1024"),
        (["--threads", "99999999999"], "--threads: 99999999999 is not a number from 1 to 1024"),
        (["--memory-limit", "abc", "--threads", "2"], "--memory-limit: DuckDB rejects 'abc': Memory .*; give a size such as 4GB"),
        (["--memory-limit", "-1"], "--memory-limit: -1 is below zero; give a size such as 4GB"),
        (["--memory-limit=-4GB"], "--memory-limit: -4GB is below zero; give a size such as 4GB"),
        (["--memory-limit", "1MB"], "(.*: )?the memory limit is too small: .*; raise --memory-limit"),
        (["-k", "1..1000000"], "-k: there are more than 10000 cut-offs; give fewer"),
        (["-m", "ndcg recall"], r"metric 'ndcg recall' is not of the form name\(option=value\)@k; separate metrics by commas"),
        (["-m", "rmse"], "rmse is not available here; it compares ratings with predictions, so use recsql rate"),
        (["-m", "ap", "--user", "uid"], ".*: there is no column uid; .*; name the column with --user NAME"),
        (["-m", "ap", "--user", ""], "--user: '' is not a column name; give the name as text"),
    ],
)
def test_what_is_wrong_is_said_as_it_is_written(capsys: pytest.CaptureFixture[str], flags: list[str], says: str) -> None:
    assert main(["evaluate", RECS, TRUTH, *flags]) == 1
    error = capsys.readouterr().err
    assert re.fullmatch(f"recsql: {says}\n", error), error


def test_a_list_needs_a_rank_or_a_score(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Where there is neither, to leave the argument out is no way; in Python it is written otherwise."""
    path, scored = str(tmp_path / "unordered.parquet"), str(tmp_path / "scored.parquet")
    pq.write_table(pa.table({"user_id": [1], "item_id": ["1"]}), path)
    pq.write_table(pa.table({"user_id": [1], "item_id": ["1"], "score": [0.5]}), scored)
    for flag in ("--rank", "--score"):
        assert main(["hits", path, TRUTH, flag, "nope"]) == 1
        assert capsys.readouterr().err.endswith("; name the column with --rank NAME or --score NAME\n")
    assert main(["hits", path, TRUTH]) == 1
    assert (
        "no column rank or score; it has user_id, item_id; name the column with --rank NAME or --score NAME"
        in capsys.readouterr().err
    )
    assert main(["hits", scored, TRUTH, "--rank", "nope"]) == 1
    assert capsys.readouterr().err.endswith("; leave the argument out if there is none\n")
    with pytest.raises(recsql.BadInput, match=r"name the column with rank='...' or score='...'$"):
        recsql.hits(path, TRUTH, rank="nope")
    with pytest.raises(recsql.RecsqlError, match=r"ratings with predictions, so use evaluate_ratings$"):
        recsql.evaluate(RECS, TRUTH, "rmse")


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


@pytest.mark.parametrize(
    ("command", "right", "wrong"),
    [
        *(
            (name, "csv", "txt")
            for name in ("evaluate", "per-user", "hits", "item-metrics", "rate", "merge", "conventions", "metrics")
        ),
        ("partial", "parquet", "csv"),
        ("curve", "svg", "csv"),
        ("forest", "svg", "csv"),
        ("sql", "sql", ""),
        ("macros", "sql", ""),
    ],
)
def test_where_to_write_is_looked_at_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str, right: str, wrong: str
) -> None:
    """Before anything is computed, because the result would be lost."""

    def too_late(*_: object, **__: object) -> None:
        raise AssertionError("it was computed")

    for place, name in ((DuckDB, "query"), (DuckDB, "write"), (running, "show_text")):
        monkeypatch.setattr(place, name, too_late)
    given = {"macros": [], "metrics": [], "item-metrics": [RECS], "rate": [RECS], "merge": [RECS]}.get(command, [RECS, TRUTH])
    (tmp_path / f"folder.{right}").mkdir()
    for path, says in (
        ("", "--output: the path is empty; name a file"),
        (str(tmp_path / "nowhere" / f"out.{right}"), "does not exist; create it first"),
        (str(tmp_path / f"folder.{right}"), "it is a folder; name a file"),
        *([(f"out.{wrong}", f"out.{wrong}: ")] if wrong else []),
    ):
        assert main([command, *given, "-o", path]) == 1
        assert says in capsys.readouterr().err


def test_cut_offs_by_a_flag_each(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ("evaluate", RECS, TRUTH, "-m", "hit", "--format", "csv")
    assert run(capsys, *flags, "-k", "1", "-k", "5,7..8") == run(capsys, *flags, "-k", "1,5,7,8")
    assert main(["hits", RECS, TRUTH, "-k", "1", "-k", "5"]) == 1
    assert capsys.readouterr().err == "recsql: -k: a cut-off is a whole number from 1 to 1000000, or all; found 1,5\n"
    assert run(capsys, "sql", RECS, TRUTH, "-m", "hit") == recsql.sql(RECS, TRUTH, "hit") + "\n"


def test_it_says_everywhere_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    about = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["description"]
    assert recsql.__doc__ == about
    with pytest.raises(SystemExit):
        main(["--help"])
    assert about in " ".join(capsys.readouterr().out.split())


def test_wrong_usage_is_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ["evaluate", RECS],
        ["evaluate", RECS, TRUTH, "--no-such-flag"],
        ["evaluate", RECS, TRUTH, "--format", "xml"],
    ):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == 2
    capsys.readouterr()


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{shlex.join([sys.executable, '-m', 'recsql', 'per-user', RECS, TRUTH, '--format', 'csv'])} | head -1"
    run = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_what_the_terminal_cannot_print(tmp_path: Path, encoding: str) -> None:
    pq.write_table(pa.table({"model": ["模"], "user_id": [1], "item_id": [1], "rank": [1]}), tmp_path / "r.parquet")
    pq.write_table(pa.table({"user_id": [1], "item_id": [1]}), tmp_path / "t.parquet")
    for arguments in (["evaluate", "r.parquet", "t.parquet", "-m", "hit"], ["evaluate", "模", "模"]):
        command = [sys.executable, "-m", "recsql", *arguments]
        done = subprocess.run(
            command, cwd=tmp_path, env={**os.environ, "PYTHONIOENCODING": encoding}, capture_output=True, check=False
        )
        assert done.returncode == (1 if "模" in arguments else 0)
        assert "Traceback" not in done.stderr.decode()
        assert "\\u6a21" in (done.stdout + done.stderr).decode(encoding)


def test_closed_streams() -> None:
    """Output that nobody can read is an error, except the sentence of an error."""
    for arguments, code in ((["metrics"], 0), (["evaluate", "nothing.parquet", TRUTH], 1)):
        command = f"{shlex.join([sys.executable, '-m', 'recsql', *arguments])} "
        for closed, other in ((">&-", "stderr"), ("2>&-", "stdout")):
            done = subprocess.run(["bash", "-c", command + closed], capture_output=True, text=True, check=False)
            assert done.returncode == (code if other == "stdout" else 1)
            assert "Traceback" not in getattr(done, other)
            assert "no such file" not in done.stdout


def test_a_closed_output(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither a result nor a help is lost silently; a result that goes into a file is written."""
    written = tmp_path / "metrics.csv"
    for arguments, code in ((["metrics"], 1), (["--help"], 1), (["metrics", "-o", str(written)], 0)):
        monkeypatch.setattr(sys, "stdout", None)
        assert main(arguments) == code
        says = "recsql: standard output is closed; open it, or name a file with -o\n"
        assert capsys.readouterr().err == (says if code else "")
    assert written.read_text().startswith("metric,")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Lists and truth for a query of two seconds or more."""
    folder = tmp_path_factory.mktemp("many")
    recs, truth = str(folder / "recs.parquet"), str(folder / "truth.parquet")
    duckdb.sql(f"copy (select range // 50 as user_id, range as item_id, range % 50 + 1 as rank from range(5000000)) to '{recs}'")
    duckdb.sql(f"copy (select range // 50 as user_id, range as item_id from range(5000000)) to '{truth}'")
    return recs, truth


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_stops_at_once(many: tuple[str, str], tmp_path: Path, sent: signal.Signals, code: int) -> None:
    """A query of seconds, interrupted while its file is written. SIGINT: see test_progress_of_an_interrupted_query."""
    out = str(tmp_path / "out.parquet")
    process = subprocess.Popen(
        [sys.executable, "-m", "recsql", "per-user", *many, "-k", "5,10,20,50", "--threads", "1", "-o", out]
    )
    while not list(tmp_path.iterdir()):  # the file beside its target
        assert process.poll() is None, "it was too quick to be interrupted"
        time.sleep(0.05)
    started = time.monotonic()
    process.send_signal(sent)
    assert process.wait(timeout=20) == code
    assert time.monotonic() - started < 3
    assert list(tmp_path.iterdir()) == []


def on_a_terminal(*arguments: str, interrupted_at: bytes | None = None, interval: float = 0.1) -> tuple[int, str]:
    """The exit status of the command on a terminal, and all that it wrote to it; ^C is typed where it has written a text.

    Progress shows at once, so that a query of two seconds shows it on any machine.
    """
    settings = f"command.PATIENCE, command.INTERVAL = 0, {interval}"
    impatient = f"import sys; from recsql.cli import command, main; {settings}; sys.exit(main())"
    process, terminal = pty.fork()
    if process == 0:
        os.execv(sys.executable, [sys.executable, "-c", impatient, *arguments])
    written = b""
    with contextlib.suppress(OSError):  # what Linux gives at the end
        while True:
            written += os.read(terminal, 65536)
            if interrupted_at is not None and interrupted_at in written:
                os.write(terminal, b"\x03")
                interrupted_at = None
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), written.decode()


def left_on(written: str) -> list[str]:
    """The lines that a terminal shows at the end: text after a carriage return overwrites the line."""
    shown = []
    for line in written.replace("\r\n", "\n").split("\n"):
        kept = ""
        for piece in line.split("\r"):
            kept = piece + kept[len(piece) :]
        shown.append(kept.rstrip())
    return shown


def test_progress_leaves_no_line(many: tuple[str, str]) -> None:
    """Of a call with several queries."""
    status, written = on_a_terminal("evaluate", *many, "--threads", "1", "-k", "10", "-m", "hit,hit(no_recs=skip)")
    assert status == 0
    assert re.search(r"\[#+ *\] +\d+% of this query\r", written)
    assert [line.split()[0] for line in left_on(written) if line] == [
        *("metric", "--------------------", "hit@10", "hit(no_recs=skip)@10"), "Users",
    ]  # fmt: skip


def test_progress_of_many_queries(tmp_path: Path) -> None:
    """A line says which query of how many of which section runs. None shows the share of one query, on any machine."""
    tables = [str(ROOT / "examples/movietweetings" / f"{name}.parquet") for name in ("recs", "truth")]
    report = ["report", *tables, "-m", "ndcg", "-k", "10", "-o", str(tmp_path / "report.html")]
    status, written = on_a_terminal(*report, interval=0.001)
    assert status == 0
    assert "of this query" not in written
    shown = {tuple(one) for one in re.findall(r"\r([a-z ]+) (\d+) of (\d+) *(?=\r)", written)}
    assert {"comparison", "conventions"} <= {section for section, *_ in shown}
    totals = {int(of) for section, _, of in shown if section == "conventions"}
    assert len(totals) == 1 and min(totals) > 10
    assert not any("conventions" in line and " of " in line for line in left_on(written)[-2:])


def test_progress_of_an_interrupted_query(many: tuple[str, str]) -> None:
    status, written = on_a_terminal("per-user", *many, "-k", "5,10,20,50", "--threads", "1", interrupted_at=b"% of this query")
    assert status == 130
    assert [line.strip() for line in left_on(written) if line] in ([], ["^C"])


def test_pandas_is_not_imported() -> None:
    """PyArrow would import it where it makes a table of lists; that takes a third of a short call."""
    code = "import sys; from recsql.cli import main; main(); sys.exit('pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, "metrics"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
