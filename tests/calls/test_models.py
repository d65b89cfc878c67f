"""One table per model: the same bits as one table with a model column, for any kind of input.

If it fails, tables per model give other numbers than one table with a column model, or lose a model.
"""

import gzip
import json
import math
import re
import warnings
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.cli import main
from recsql.cli.parsing import by_model
from tests.random_data import random_data

DATA = random_data(5, ties=True)
RECS, TRUTH = DATA.recs_table("model", "user_id", "item_id", "rank", "score"), DATA.truth_table()
METRICS = ["ndcg@3", "ap(denominator=relevant)@5", "recall", "fp", "rr(no_recs=skip)"]
EXPECTED = recsql.evaluate(RECS, TRUTH, METRICS, [1, 4])


def of(model: str, *without: str) -> pa.Table:
    return RECS.filter(pc.equal(RECS["model"], model)).drop_columns(["model", *without])


A, B = of("a"), of("b")
CALLS: dict[str, Callable[[Any], pa.Table]] = {
    "evaluate": lambda recs: recsql.evaluate(recs, TRUTH, METRICS, [1, 4]),
    "by score": lambda recs: recsql.evaluate(recs, TRUTH, METRICS, [1, 4], score="score", ties="item_desc"),
    "like": lambda recs: recsql.evaluate(recs, TRUTH, ["ndcg", "ap"], 3, like="trec_eval"),
    "sample": lambda recs: recsql.evaluate(recs, TRUTH, "ndcg", 3, sample=0.5),
    "per_user": lambda recs: recsql.per_user(recs, TRUTH, ["ndcg", "rr"], [1, 4]),
    "hits": lambda recs: recsql.hits(recs, TRUTH, 3),
    "item_metrics": lambda recs: recsql.item_metrics(recs, ["entropy", "gini(population=recommended)"], 3),
    "rank_by_score": lambda recs: recsql.rank_by_score(recs, 3),
    "conventions": lambda recs: recsql.conventions(recs, TRUTH, ["hit", "ap"], 3),
    "curve": lambda recs: recsql.curve(recs, TRUTH, ["ndcg", "dcg"], range(1, 4)).data,
}


def sorted_rows(table: pa.Table) -> list[str]:
    return sorted(map(repr, table.to_pylist()))


@pytest.mark.few(5)
@pytest.mark.parametrize("name", CALLS)
def test_wherever_recs_go_in(name: str) -> None:
    call = CALLS[name]
    found = call({"a": A, "b": B})
    assert {row["model"] for row in found.to_pylist()} >= {"a", "b"}
    assert sorted_rows(found) == [row.replace("recs of a and 1 more:", "recs:") for row in sorted_rows(call(RECS))]


def test_the_metadata_names_the_models() -> None:
    found = recsql.evaluate({"b": B, "a, or 'so'": A}, TRUTH, METRICS, [1, 4])
    report, expected = (json.loads(one.schema.metadata[b"recsql"]) for one in (found, EXPECTED))
    assert [one["model"] for one in report["models"]] == ["b", "a, or 'so'"]
    assert [one | {"model": None} for one in reversed(report["models"])] == [one | {"model": None} for one in expected["models"]]


def test_each_may_be_anything(tmp_path: Path) -> None:
    """Paths, lists of them, globs, tables by name, frames and readers, side by side."""
    pq.write_table(A, tmp_path / "a.parquet")
    pq.write_table(B.slice(0, 20), tmp_path / "b1.parquet")
    pq.write_table(B.slice(20), tmp_path / "b2.parquet")
    pa_csv.write_csv(B, tmp_path / "b.csv")
    lists = duckdb.sql(
        "select user_id, list(item_id order by rank) as items, list(score order by rank) as scores from B group by all"
    )
    with duckdb.connect() as own:
        own.register("staged", B)
        own.execute('create table "my b" as from staged')
        ways_of_a = (tmp_path / "a.parquet", A, pl.from_arrow(A), A.to_pandas(), str(tmp_path / "a*.parquet"))
        ways_of_b = (
            tmp_path / "b.csv",
            [tmp_path / "b1.parquet", tmp_path / "b2.parquet"],
            str(tmp_path / "b?.parquet"),
            '"my b"',
            B.to_reader(max_chunksize=7),
            own.table("my b"),
            lists,
        )
        for a, b in zip(cycle(ways_of_a), ways_of_b, strict=False):
            assert recsql.evaluate({"a": a, "b": b}, TRUTH, METRICS, [1, 4], connection=own) == EXPECTED, (a, b)
        assert {name for (name,) in own.execute("select table_name from duckdb_tables()").fetchall()} == {"my b"}


def test_one_model_has_its_name() -> None:
    found = recsql.evaluate({"a": A}, TRUTH, METRICS, [1, 4])
    assert found.to_pylist() == EXPECTED.filter(pc.equal(EXPECTED["model"], "a")).to_pylist()


@pytest.mark.parametrize("kind", ["frame", "csv", "parquet"])
def test_a_name_in_the_call_wins_over_a_column_of_one_model(tmp_path: Path, kind: str) -> None:
    """Such as that of `popularity`; the column may have a name that only its table has."""
    for called, named in (("model", {}), ("algo", {"model": "algo"})):
        table: Any = A.append_column(called, pa.array(["popularity"] * A.num_rows))
        if kind != "frame":
            write = pq.write_table if kind == "parquet" else pa_csv.write_csv
            write(table, table := str(tmp_path / f"{called}.{kind}"))
        assert recsql.evaluate({"a": table, "b": B}, TRUTH, METRICS, [1, 4], **named) == EXPECTED
    if kind != "frame":
        other = str(tmp_path / f"b.{kind}")
        write(B.append_column("model", pa.array(["popularity"] * B.num_rows)), other)
        with pytest.warns(UserWarning, match="so each file is a model, named after it"):
            found = recsql.evaluate([str(tmp_path / f"model.{kind}"), other], TRUTH, METRICS, [1, 4])
        assert found["value"] == EXPECTED["value"] and found["model"].unique().to_pylist() == ["model", "b"]
        assert recsql.evaluate(f"{tmp_path}/[mb]*.{kind}", TRUTH, "hit", 1, model="filename")["model"].to_pylist() == [
            "b",
            "model",
        ]


def test_models_without_a_name_and_many_of_them() -> None:
    several = {"user_id": range(7), "item_id": range(7), "rank": [1] * 7, "model": [None, *"fedcba"]}
    with pytest.raises(recsql.BadInput, match=r"several models \(NULL, a, b, c, d and 2 more\), but"):
        recsql.evaluate({"x": pa.table({name: [*values] for name, values in several.items()})}, TRUTH, "hit", 1)


def test_a_baseline_beside_a_model() -> None:
    """`popularity` has a column model, lists that were ranked by score have none."""
    lists = recsql.popularity(B, 3, TRUTH)
    ranked = recsql.rank_by_score(B, 3)
    assert ranked.column_names == ["user_id", "item_id", "rank", "score"]
    found = recsql.evaluate({"pop": lists, "mine": ranked}, TRUTH, "hit", 3)
    alone = [recsql.evaluate(one, TRUTH, "hit", 3)["value"][0] for one in (lists, B)]
    assert found.to_pydict()["model"] == ["pop", "mine"] and [*found["value"]] == alone


def test_the_text_of_a_query(tmp_path: Path) -> None:
    for name, table in {"a": A, "b": B, "truth": TRUTH}.items():
        pq.write_table(table, tmp_path / f"{name}.parquet")
    given = {name: str(tmp_path / f"{name}.parquet") for name in ("a", "b")}
    text = recsql.sql(given, str(tmp_path / "truth.parquet"), ["ndcg", "hit"], 3)
    expected = recsql.evaluate(RECS, TRUTH, ["ndcg", "hit"], 3).to_pylist()
    assert duckdb.execute(text).fetchall() == [tuple(row.values()) for row in expected]
    elsewhere = recsql.sql({"a": "lake.a", "b": '"my b"'}, "lake.truth", "hit", 3, dialect="spark", score="points")
    for name, table in {"a": "lake.a", "b": "`my b`"}.items():
        assert f"cast('{name}' as string) as model,\n" in elsewhere
        assert f"from {table} as r\n" in elsewhere


def test_parts(tmp_path: Path) -> None:
    whole, split = tmp_path / "whole.parquet", [tmp_path / "1.parquet", tmp_path / "2.parquet"]
    recsql.partial({"a": A, "b": B}, TRUTH, str(whole), ["ndcg", "ap"], 3)
    for part, keep in zip(split, (pc.less, pc.greater_equal), strict=True):
        users = {"a": A, "b": B, "truth": TRUTH}
        a, b, truth = (table.filter(keep(table["user_id"], 6)) for table in users.values())
        recsql.partial({"a": a, "b": b}, truth, str(part), ["ndcg", "ap"], 3)
    expected = recsql.evaluate(RECS, TRUTH, ["ndcg", "ap"], 3)
    assert recsql.merge(whole) == expected
    assert recsql.merge(split) == expected


def test_predictions() -> None:
    rated = pa.table({"user_id": [1, 1, 2], "item_id": [1, 2, 1], "rating": [4.5, 3.0, 1.0]})
    guesses = {"one": [4.0, 4.0, 1.0], "other": [1.0, 2.0, 3.0]}
    models = {name: rated.append_column("prediction", pa.array(values)) for name, values in guesses.items()}
    together = pa.concat_tables([table.append_column("model", pa.array([name] * 3)) for name, table in models.items()])
    assert recsql.evaluate_ratings(models) == recsql.evaluate_ratings(together)
    alone = {name: table.drop_columns(["rating"]) for name, table in models.items()}
    assert recsql.evaluate_ratings(alone, rated) == recsql.evaluate_ratings(together.drop_columns(["rating"]), rated)
    with pytest.raises(
        recsql.BadInput, match=r"predictions of other: there is no column rating; .*, or give the table of ratings"
    ):
        recsql.evaluate_ratings({"one": models["one"], "other": alone["other"]})


def test_runs_in_trec_s_format(tmp_path: Path) -> None:
    """What the mapping says counts, and not the name in the file."""
    run, both, qrels = tmp_path / "a.run", tmp_path / "both.run", tmp_path / "q.qrels"
    run.write_text("1 Q0 d1 1 2.5 STANDARD\n1 Q0 d2 2 1.5 STANDARD\n")
    both.write_text("1 Q0 d1 1 2.5 bm25\n1 Q0 d2 2 1.5 dense\n")
    qrels.write_text("1 0 d2 1\n")
    found = recsql.evaluate({"mine": run, "yours": run}, qrels, "rr", 5).to_pylist()
    assert [(row["model"], row["value"]) for row in found] == [("mine", 0.5), ("yours", 0.5)]
    with pytest.raises(
        recsql.BadInput,
        match=r"both.run: it has the lists of several models \(bm25, dense\), but the call names it mine; give it without",
    ):
        recsql.evaluate({"mine": both}, qrels, "rr", 5)


RUNS = {  # two runs of the same users and without names of their own, in each format
    ".run": "q1 Q0 {} 1 9 Anserini\nq2 Q0 d1 1 5 Anserini\n",
    ".json": '{{"q1": {{"{}": 0.9}}, "q2": {{"d1": 0.5}}}}',
    ".csv": "model,user_id,item_id,score\nbest,q1,{},9\nbest,q2,d1,5\n",
    ".jsonl": '{{"user_id": "q1", "items": ["{}"]}}\n{{"user_id": "q2", "items": ["d1"]}}\n',
}


@pytest.mark.parametrize("ending", RUNS)
def test_files_of_the_same_users_are_models(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two files named one by one are no parts of one table if a user has a list in each."""
    monkeypatch.chdir(tmp_path)
    files = [f"bm25{ending}", f"dense.v2{ending}"]
    for file, item in zip(files, ("d1", "d2"), strict=True):
        Path(file).write_text(RUNS[ending].format(item))
    Path("q.csv").write_text("user_id,item_id\nq1,d2\nq2,d1\n")
    said = f"{files[0]} and {files[1]}: both have user q1, so each file is a model, named after it; "
    said += "a folder or a glob would be one table"
    expected = {"bm25": 0.5, "dense.v2": 1.0}

    def values(found: pa.Table) -> dict[str, float]:
        return dict(zip(found["model"].to_pylist(), found["value"].to_pylist(), strict=True))

    with pytest.warns(UserWarning, match=f"^{re.escape(said)}$"):
        assert values(recsql.evaluate(files, "q.csv", "hit", 1)) == expected
    with pytest.warns(UserWarning, match="each file is a model"):
        assert recsql.check(files, "q.csv", rows="list_lengths_differ")["model"].to_pylist() == ["bm25", "dense.v2"]
    with pytest.warns(UserWarning, match="each file is a model"):
        assert recsql.compare(files, "q.csv", "hit", 1).select(["model", "baseline"]).to_pylist() == [
            {"model": "bm25", "baseline": "dense.v2"}
        ]
    with pytest.warns(UserWarning, match="each file is a model"):
        assert recsql.fuse(files).num_rows == 3
    if ending == ".csv":
        return  # which has a column model
    assert main(["report", *files, "q.csv", "-k", "1", "-m", "hit", "-o", "page.html"]) == 0
    shown = capsys.readouterr()
    assert shown.err.count(said) == 1 and "dense.v2 " in shown.out
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert values(recsql.evaluate({"a": files[0], "b": files[1]}, "q.csv", "hit", 1)) == {"a": 0.5, "b": 1.0}


def test_files_that_are_parts_of_one_table(tmp_path: Path) -> None:
    """Files of different users, models or folds are parts; so are those with several models."""
    rows = {"a": "x,1,7,2", "b": "x,2,7,1", "c": "y,1,7,2", "d": "x,1,8,1\ny,1,8,1"}
    files = {name: tmp_path / f"{name}.csv" for name in rows}
    for name, file in files.items():
        file.write_text(f"model,user_id,item_id,score\n{rows[name]}\n")
    (tmp_path / "truth.csv").write_text("user_id,item_id\n1,7\n2,7\n")
    for names, models in {"ab": ["x"], "ac": ["x", "y"], "ad": ["x", "y"]}.items():
        found = recsql.evaluate([files[name] for name in names], tmp_path / "truth.csv", "hit", 1, findings="off")
        assert found["model"].unique().to_pylist() == models
    folds = [tmp_path / "1.csv", tmp_path / "2.csv"]
    for fold, file in enumerate(folds, start=1):
        file.write_text(f"user_id,item_id,score,fold\n1,7,2,{fold}\n")
    assert recsql.evaluate(folds, folds, "hit", 1, relevance=None)["model"].unique().to_pylist() == [None]
    with pytest.raises(
        recsql.BadInput, match="both have user 1, and two are named a; name the models yourself, with a=FILE or a map"
    ):
        recsql.evaluate([files["a"], files["a"]], tmp_path / "truth.csv")
    predictions = [tmp_path / "p.csv", tmp_path / "q.csv"]
    for file, item in zip(predictions, (7, 8), strict=True):
        file.write_text(f"user_id,item_id,prediction,rating\n1,{item},4,3\n")
    assert recsql.evaluate_ratings(predictions, None, "mae")["value"].to_pylist() == [1.0]
    predictions[1].write_text("user_id,item_id,prediction,rating\n1,7,5,3\n")
    with pytest.warns(UserWarning, match="both have user 1, so each file is a model"):
        assert recsql.evaluate_ratings(predictions, None, "mae")["value"].to_pylist() == [1.0, 2.0]


def test_files_of_models_without_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files without names are read as one model, so items or ranks repeat; the error says how to name the models."""
    monkeypatch.chdir(tmp_path)
    for name, rows in {"a": "1,7,1\n1,8,2\n", "b": "1,7,2\n1,9,1\n", "c": "1,5,1\n", "d": "2,5,1\n"}.items():
        Path(f"{name}.csv").write_text(f"user_id,item_id,rank\n{rows}")
    Path("truth.csv").write_text("user_id,item_id\n1,7\n")
    days = "or {} several lists of a user, such as one a day? give each its own user_id"
    for names, what, asked in (
        ("[ab]", "item 7 appears more than once", "does the table hold"),
        ("[ac]", "same rank 1", "are these"),
    ):
        assert main(["evaluate", f"{names}.csv", "truth.csv"]) == 1
        said = capsys.readouterr().err
        assert what in said and days.format(asked) in said and said.count("\n") == 1
        assert said.endswith("; or has each file a model? name it as NAME=FILE, or add --model filename\n")
    with pytest.raises(
        recsql.BadInput, match=r"; or has each file a model\? give a mapping of names to files, or model='filename'$"
    ):
        recsql.evaluate("[ab].csv", "truth.csv")
    assert recsql.evaluate(["a.csv", "d.csv"], "truth.csv", "rr@2")["value"].to_pylist() == [1.0]
    assert main(["compare", "a.csv", "d.csv", "truth.csv", "-m", "rr"]) == 1
    assert capsys.readouterr().err.endswith("; write NAME=FILE, or add --model filename\n")
    with pytest.raises(recsql.BadInput, match=r"; give a mapping of names to tables, or model='filename'$"):
        recsql.compare(["a.csv", "d.csv"], "truth.csv", "rr")
    with pytest.raises(recsql.BadInput, match=r"seen='error' does not allow that$"):  # which several models would not explain
        recsql.evaluate(["a.csv", "d.csv"], "truth.csv", train=pa.table({"user_id": [1], "item_id": [8]}), seen="error")
    with pytest.raises(recsql.BadInput, match=r"use a column fold$"):  # one file
        recsql.evaluate(
            pa.table({"user_id": [1, 1], "item_id": [7, 7], "rank": [1, 2]}), pa.table({"user_id": [1], "item_id": [7]})
        )
    with pytest.raises(
        recsql.BadInput, match=r"^recs: list is not a table; give a mapping of the models' names to their tables$"
    ):
        recsql.evaluate([A, B], TRUTH)


# -- users with their items, as mappings


def nested(table: pa.Table, number: str) -> dict[Any, dict[Any, float]]:
    """The rows as {user: {item: number}}."""
    found: dict[Any, dict[Any, float]] = {user: {} for user in table["user_id"].to_pylist()}
    for row in table.to_pylist():
        found[row["user_id"]][row["item_id"]] = row[number]
    return found


def test_mappings_of_users_to_their_items(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As ranx, pytrec_eval and BEIR have runs and judgements. A JSON file has the same, with ids that are text."""
    runs, judged = {model: nested(of(model), "score") for model in ("a", "b")}, nested(TRUTH, "relevance")
    for measure in (CALLS["by score"], CALLS["like"]):
        assert sorted_rows(measure(runs)) == [row.replace("recs of a and 1 more:", "recs:") for row in sorted_rows(measure(RECS))]
    alone = recsql.evaluate(runs["a"], judged, METRICS, [1, 4])
    rows = recsql.evaluate(of("a", "rank"), TRUTH, METRICS, [1, 4])
    assert alone.to_pylist() == rows.to_pylist()
    files = {"a": tmp_path / "a.json", "b": tmp_path / "b.json.gz", "truth": tmp_path / "truth.json"}
    files["a"].write_text(json.dumps(runs["a"], indent=2))
    files["b"].write_bytes(gzip.compress(json.dumps(runs["b"]).encode()))
    files["truth"].write_text(json.dumps(judged))
    given = {"a": files["a"], "b": files["b"]}
    for truth in (TRUTH, judged):  # whose ids are numbers
        assert sorted_rows(recsql.evaluate(given, truth, METRICS, [1, 4])) == sorted_rows(
            recsql.evaluate(runs, truth, METRICS, [1, 4])
        )
    tied: dict[str, Any] = {"ties": "expected"}  # their order does not depend on the type of the ids
    values = recsql.evaluate(runs, judged, "cg@4", **tied)["value"].to_pylist()
    tables = [f"a={files['a']}", f"b={files['b']}", str(files["truth"])]
    assert main(["evaluate", *tables, "-m", "cg@4", "--ties", "expected", "--format", "csv"]) == 0
    assert [float(line.split(",")[3]) for line in capsys.readouterr().out.splitlines()[1:]] == values
    text = recsql.sql(files["a"], files["truth"], "cg@4", **tied)
    assert duckdb.execute(text).fetchall()[0][3] == values[0]


@pytest.mark.parametrize(("models", "users"), [(2, 3), (2, 300), (300, 2)])
def test_models_in_one_json_file(tmp_path: Path, models: int, users: int) -> None:
    """DuckDB reads an object of more than 200 keys as a MAP, and not as a STRUCT."""
    runs = {
        f"m{n:03}": {f"q{user}": {f"d{item}": item + 0.5 for item in range(user % 3)} for user in range(users)}
        for n in range(models)
    }
    truth = {f"q{user}": {"d0": 1, "d1": 2} for user in range(users)}
    (tmp_path / "runs.json").write_text(json.dumps(runs))
    assert (
        recsql.evaluate(tmp_path / "runs.json", truth, "ndcg@2").to_pylist() == recsql.evaluate(runs, truth, "ndcg@2").to_pylist()
    )


def test_a_user_without_items_in_a_mapping(tmp_path: Path) -> None:
    """They have no list, and count as 0. A file of one large value is read, too."""
    run: dict[str, dict[str, float]] = {"q1": {"d1": 0.9, "d2": 1}, "q2": {}, "q3": {f"item {n:0200}": n for n in range(80_000)}}
    path = tmp_path / "run.json"
    path.write_text(json.dumps(run))
    assert path.stat().st_size > 2**24
    truth = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}, "q3": {f"item {79_998:0200}": 1}}
    for recs in (run, path):
        found = recsql.evaluate(recs, truth, "rr@2", item="ignored").to_pylist()
        assert [(row["value"], row["users"], row["lists"]) for row in found] == [((1 / 2 + 0 + 1 / 2) / 3, 3, 2)]


BY_SCORE = of("b", "rank")
WRONG: dict[str, tuple[Any, dict[str, Any], str]] = {
    "no model": ({}, {}, r"^recs: the mapping is empty; give each user their items, or a table$"),
    "an empty name": ({"": A}, {}, "^recs: '' is not a model name; use text that is not empty$"),
    "a number": ({1: A}, {}, "^recs: 1 is not a model name; use text that is not empty$"),
    "a mapping of mappings": (
        {"a": {"b": B}},
        {},
        "^recs of a: give each user a mapping of items to numbers or a list of ids, the best first; 'b' has a Table$",
    ),
    "a number and no mapping": ({"q1": {"d1": 0.9}, "q2": 0.5}, {}, "^recs of q1: give each user a mapping of items to numbers"),
    "a word and no number": ({"q1": {"d1": "high"}}, {}, "^recs: give each user a mapping of items to numbers .*'high'"),
    "users of two types": ({"q1": {"d1": 1}, 2: {"d1": 1}}, {}, "^recs: give each user a mapping .* with ids of one type: "),
    "columns and no tables": ({"user_id": [1, 2]}, {}, "^recs: there is no column item_id; it has user_id"),
    "models in a table": (
        {"a": A, "x": RECS},
        {},
        r"^recs of x: it has the lists of several models \(a, b\), but the call names it x; give it without that name, "
        "or the rows of one model$",
    ),
    "a column of models": (
        {"a": A, "b": B},
        {"model": "algo"},
        "^recs of a: there is no column algo; it has user_id, item_id, rank, score; leave the argument out if there is none",
    ),
    "ids of two types": (
        {"a": A, "b": B.set_column(1, "item_id", pc.cast(B["item_id"], pa.string()))},
        {},
        "^item_id is BIGINT in recs of a and VARCHAR in recs of b; cast",
    ),
    "another column": (
        {"a": A, "b": B},
        {"score": "points"},
        "^recs of a: there is no column points; it has user_id, item_id, rank, score; leave the argument out if there is none$",
    ),
    "another user": (
        {"a": A, "b": B.rename_columns(["who", "item_id", "rank", "score"])},
        {},
        "^recs of b: there is no column user_id; it has who, item_id, rank, score; name the column with user='...'",
    ),
    "no order": ({"a": A, "b": B.select(["user_id", "item_id"])}, {}, "^recs of b: there is no column rank or score"),
    "no scores": (
        {"a": A, "b": B.drop_columns(["score"])},
        {"rank_by": "score"},
        "^recs of b: there is no column score to order",
    ),
    "text for a rank": (
        {"a": A, "b": B.set_column(2, "rank", pc.cast(B["rank"], pa.string()))},
        {},
        "^recs of b: rank is VARCHAR; rank must be a number$",
    ),
    "no file": ({"a": A, "b": "nowhere.parquet"}, {}, "^nowhere.parquet: no such file"),
}


@pytest.mark.parametrize(("recs", "options", "says"), WRONG.values(), ids=WRONG)
def test_one_sentence(recs: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises(recsql.BadInput, match=says):
        recsql.evaluate(recs, TRUTH, ["ndcg"], 3, **options)


def ranked(first: int) -> pa.Table:
    return B.set_column(2, "rank", pa.array([first, *B["rank"].to_pylist()[1:]]))


@pytest.mark.parametrize("begun", [False, True], ids=["", "in a transaction"])
def test_a_check_names_the_model_s_table(tmp_path: Path, begun: bool) -> None:
    pq.write_table(ranked(0), tmp_path / "b.parquet")
    user, item = B["user_id"][0], B["item_id"][0]
    with duckdb.connect() as own:
        if begun:
            own.begin()
        given = {"a": A, "b": tmp_path / "b.parquet"}
        calls: list[Callable[[], Any]] = [
            lambda: recsql.evaluate(given, TRUTH, ["ndcg", "rr(no_recs=skip)"], 3, connection=own),
            lambda: recsql.per_user(given, TRUTH, "ndcg", 3, connection=own),
            lambda: recsql.hits(given, TRUTH, 3, connection=own),
            lambda: recsql.item_metrics(given, "entropy", 3, connection=own),
        ]
        for call in calls:
            with pytest.raises(
                recsql.BadInput, match=f"^{tmp_path}/b.parquet: rank is 0 for user {user}, item {item}; ranks are"
            ):
                call()
        assert own.execute("select 1").fetchall() == [(1,)]
    rated = pa.table({"user_id": [1], "item_id": [1], "rating": [4.5], "prediction": [4.0]})
    wrong = rated.set_column(3, "prediction", pa.array([math.nan]))
    with pytest.raises(recsql.BadInput, match=r"^predictions of b: prediction is nan for user 1, item 1"):
        recsql.evaluate_ratings({"a": rated, "b": wrong})


def test_what_is_of_all_models() -> None:
    with pytest.raises(
        recsql.BadInput, match=r"^truth: a mapping gives a table per model, but truth is the same for all models; give one table$"
    ):
        recsql.evaluate(A, {"a": TRUTH}, "ndcg", 3)


def test_a_score_that_only_one_has_is_not_needed() -> None:
    expected = recsql.evaluate(RECS.drop_columns(["score"]), TRUTH, METRICS, 3)
    assert recsql.evaluate({"a": A, "b": B.drop_columns(["score"])}, TRUTH, METRICS, 3) == expected
    assert recsql.evaluate({"a": A, "b": BY_SCORE}, TRUTH, METRICS, 3, rank_by="score") == recsql.evaluate(
        RECS, TRUTH, METRICS, 3, rank_by="score"
    )


# -- files that are named as their models


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir()
    pq.write_table(A, folder / "a.parquet")
    pq.write_table(B, folder / "b.parquet")
    pq.write_table(TRUTH, tmp_path / "truth.parquet")
    return folder


def test_a_model_per_file(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for recs in (str(runs / "*.parquet"), runs, [runs / "a.parquet", runs / "b.parquet"]):
        assert recsql.evaluate(recs, TRUTH, METRICS, [1, 4], model="filename") == EXPECTED
    truth = str(runs.parent / "truth.parquet")
    assert (
        main(["evaluate", str(runs / "[ab].parquet"), truth, "-m", "ndcg", "-k", "3", "--model", "filename", "--format", "csv"])
        == 0
    )
    assert [line.split(",")[0] for line in capsys.readouterr().out.splitlines()] == ["model", "a", "b"]


def test_a_model_per_text_file(tmp_path: Path) -> None:
    for name, table in {"a.v2": A, "b": B}.items():
        pa_csv.write_csv(table, tmp_path / f"{name}.csv")
    found = recsql.evaluate(str(tmp_path / "*.csv"), TRUTH, METRICS, [1, 4], model="filename").to_pylist()
    assert found == [row | {"model": {"a": "a.v2"}.get(row["model"], "b")} for row in EXPECTED.to_pylist()]


def test_files_that_are_called_alike(runs: Path) -> None:
    (runs / "older").mkdir()
    pq.write_table(B, runs / "older" / "b.parquet")
    with pytest.raises(
        recsql.BadInput, match=r"older/b.parquet: .*runs/b.parquet is named b as well; name the models yourself, with b=FILE"
    ):
        recsql.evaluate(str(runs / "**" / "*.parquet"), TRUTH, model="filename")


def test_a_column_of_that_name(runs: Path) -> None:
    renamed = RECS.rename_columns(["filename", "user_id", "item_id", "rank", "score"])
    pq.write_table(renamed, runs / "c.parquet")
    for recs in (runs / "c.parquet", renamed):
        assert recsql.evaluate(recs, TRUTH, METRICS, [1, 4], model="filename") == EXPECTED
    assert recsql.evaluate(renamed.to_reader(), TRUTH, METRICS, [1, 4], model="filename") == EXPECTED
    with pytest.raises(recsql.BadInput, match=r"^recs: there is no column filename; "):
        recsql.evaluate(RECS, TRUTH, model="filename")
    assert "cast(r.filename as string) as model" in recsql.sql("recs", "truth", "hit", 3, dialect="spark", model="filename")


def test_what_can_be_read_once() -> None:
    found = recsql.conventions({"a": A.to_reader(), "b": B.to_reader()}, TRUTH, "hit", 3)
    assert found.drop_columns(["because"]) == recsql.conventions(RECS, TRUTH, "hit", 3).drop_columns(["because"])


# -- on the command line


def test_names_and_flags_in_any_order(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b, truth = f"a={runs}/a.parquet", f"b={runs}/b.parquet", str(runs.parent / "truth.parquet")
    asked = ["-m", "ndcg,recall", "-k", "1,4", "--format", "csv"]
    pq.write_table(RECS, runs.parent / "recs.parquet")
    outputs = []
    for tables in (
        [str(runs.parent / "recs.parquet"), truth, *asked],
        [a, b, truth, *asked],
        [*asked, a, b, truth],
        [a, *asked[:2], b, *asked[2:], truth],
        [a, b, *asked, truth],
        [a, *asked, b, truth],
    ):
        assert main(["evaluate", *tables]) == 0
        outputs.append(capsys.readouterr().out)
    assert len(set(outputs)) == 1
    for command, flags in {"per-user": [], "hits": [], "conventions": ["-m", "hit"], "sql": []}.items():
        assert main([command, a, "-k", "3", b, truth, *flags]) == 0
        assert capsys.readouterr().out
    assert main(["item-metrics", a, "-k", "3", b, "-m", "entropy"]) == 0
    assert capsys.readouterr().out.split()[:3] == ["metric", "a", "b"]


def test_several_files_without_names(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As a shell expands a glob."""
    for name in ("a", "b"):
        rows = of(name).append_column("model", pa.array([name] * len(of(name))))
        pq.write_table(rows, runs / f"{name}.parquet")
    files = [str(runs / "a.parquet"), str(runs / "b.parquet")]
    assert main(["evaluate", *files, str(runs.parent / "truth.parquet"), "-m", "ndcg", "-k", "3", "--format", "csv"]) == 0
    values = [line.split(",")[3] for line in capsys.readouterr().out.splitlines()[1:]]
    assert values == [str(row["value"]) for row in recsql.evaluate(RECS, TRUTH, "ndcg", 3).to_pylist()]


def test_what_is_a_path_and_no_name(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(runs)
    (runs / "year=2026").mkdir()
    pq.write_table(A, "year=2026/recs.parquet")
    for path in (
        "year=2026/recs.parquet",
        "year=2026/*.parquet",
        "year=2026",
        "./pop=a.parquet",
        "s3://lake/year=2026/a.parquet",
    ):
        assert by_model([path]) == path
    assert by_model(["pop=year=2026/recs.parquet"]) == {"pop": "year=2026/recs.parquet"}
    assert by_model(["year=2027/recs.parquet"]) == {"year": "2027/recs.parquet"}
    assert by_model(["été=a.parquet", "b=a.parquet"]) == {"été": "a.parquet", "b": "a.parquet"}


@pytest.mark.parametrize(
    ("tables", "says"),
    [
        (
            ["a=a.parquet", "b.parquet"],
            "b.parquet: it has no model name, but other tables have one; name each of them, as in a=a.parquet",
        ),
        (["a=a.parquet", "a=b.parquet"], "a: two tables have this name; give each model its own name"),
        (["=a.parquet"], "=a.parquet: '' is not a model name; use letters, digits and _, with no digit first"),
        (["a-b=a.parquet"], "a-b=a.parquet: 'a-b' is not a model name; use letters"),
        (["x-y=z.parquet"], "x-y=z.parquet: no such file"),
    ],
)
def test_names_that_are_none(
    runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tables: list[str], says: str
) -> None:
    monkeypatch.chdir(runs)
    assert main(["evaluate", *tables, "../truth.parquet"]) == 1
    assert capsys.readouterr().err.startswith("recsql: ")
    with pytest.raises(recsql.RecsqlError, match=says):
        recsql.evaluate(by_model(tables), TRUTH)


def test_a_model_s_file_is_not_written_over(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, truth = str(runs / "a.parquet"), str(runs.parent / "truth.parquet")
    before = (runs / "a.parquet").read_bytes()
    for recs in (f"a={path}", str(runs)):
        assert main(["per-user", recs, truth, "-m", "ndcg", "-o", path]) == 1
        assert "a.parquet: this file is one of the inputs; choose another output file" in capsys.readouterr().err
    with pytest.raises(recsql.BadInput, match="this file is one of the inputs"):
        recsql.per_user({"a": path}, TRUTH, "ndcg", into=path)
    assert (runs / "a.parquet").read_bytes() == before


def test_no_truth_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["evaluate", "a=a.parquet", "-k", "5"])
    assert refused.value.code == 2
    assert "TRUTH" in capsys.readouterr().err


# -- a model without rows


EMPTY = A.slice(0, 0)


@pytest.mark.parametrize("options", [{}, {"score": "score"}, {"sample": 0.5}, {"interval": 0.9}, {"users": "union"}], ids=str)
def test_a_model_without_rows_is_no_model_less(options: dict[str, Any]) -> None:
    """It has what empty recommendations have, and the others what they have alone."""
    metrics = ["ndcg", "hit(no_recs=skip)", "entropy"]
    with pytest.warns(UserWarning, match="^recs of b has no rows, so every user counts as having no list$") as caught:
        found = recsql.evaluate({"a": A, "b": EMPTY}, TRUTH, metrics, 3, **options)
    assert len(caught) == 1
    assert json.loads(found.schema.metadata[b"recsql"])["warnings"] == [str(caught[0].message)]
    with pytest.warns(UserWarning, match="^recs has no rows"):
        alone = recsql.evaluate(EMPTY, TRUTH, ["ndcg", "entropy"], 3, **options)
    of_b = found.filter(pc.equal(found["model"], "b"))
    skipped = pc.starts_with(of_b["metric"], "hit")
    assert [(row["value"], row["users"]) for row in of_b.filter(skipped).to_pylist()] == [(None, 0)]
    shown = of_b.filter(pc.invert(skipped)).drop_columns(["model"])
    assert shown.to_pylist() == alone.drop_columns(["model"]).to_pylist()
    of_a = found.filter(pc.equal(found["model"], "a"))
    assert of_a.equals(recsql.evaluate({"a": A}, TRUTH, metrics, 3, **options))


@pytest.mark.filterwarnings("ignore:recs of b has no rows")
def test_a_model_without_rows_in_each_function(tmp_path: Path) -> None:
    models = {"a": A, "b": EMPTY}
    calls = [
        recsql.per_user(models, TRUTH, "hit", 3),
        recsql.item_metrics(models, "entropy", 3),
        recsql.compare(models, TRUTH, "hit", 3, baseline="b").rename_columns({"model": "other", "baseline": "model"}),
        recsql.conventions(models, TRUTH, "hit", 3),
        recsql.curve(models, TRUTH, "hit", range(1, 3)).data,
    ]
    assert all("b" in found["model"].to_pylist() for found in calls)
    part = str(tmp_path / "part.parquet")
    recsql.partial(models, TRUTH, part, ["hit", "entropy"], 3)
    merged = recsql.merge(part)
    assert merged.to_pylist() == recsql.evaluate(models, TRUTH, ["hit", "entropy"], 3).to_pylist()


def test_empty_files_of_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence names each of them."""
    for name, rows in {"a": A, "b": EMPTY, "c": EMPTY}.items():
        pq.write_table(rows, tmp_path / f"{name}.parquet")
    pq.write_table(TRUTH, tmp_path / "truth.parquet")
    (tmp_path / "d.csv").write_text("user_id,item_id,rank\n")
    files = [str(tmp_path / name) for name in ("a.parquet", "b.parquet", "c.parquet", "d.csv")]
    asked = [str(tmp_path / "truth.parquet"), "-m", "hit", "-k", "3", "--format", "csv"]
    shown = []
    for models in ([f"{Path(file).stem}={file}" for file in files], ["--model", "filename", *files[:3]]):
        assert main(["evaluate", *models, *asked]) == 0
        out, err = capsys.readouterr()
        assert [line.split(",")[0] for line in out.splitlines()[1:]] == ["a", "b", "c", "d"][: len(out.splitlines()) - 1]
        shown.append(err.splitlines())
    told = [f"recsql: warning: {file} has no rows, so every user counts as having no list" for file in files]
    assert shown == [told[1:], told[1:3]]


def test_ratings_of_a_model_without_rows() -> None:
    """As for one table, that is an error; it names the model."""
    rated = pa.table({"user_id": [1, 2], "item_id": [1, 2], "prediction": [1.0, 2.0], "rating": [1.0, 3.0]})
    assert recsql.evaluate_ratings({"a": rated, "b": rated}, metrics="mae")["value"].to_pylist() == [0.5, 0.5]
    for models in ({"a": rated, "b": rated.slice(0, 0)}, {"b": rated.slice(0, 0)}):
        with pytest.raises(recsql.BadInput, match=r"^predictions of b: no rating has a prediction; check"):
            recsql.evaluate_ratings(models, metrics="mae")
