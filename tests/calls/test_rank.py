"""Ranks of models with intervals: from lists, from values per user and from scores, against plain definitions.

If it fails, a model has a wrong rank, or an interval of ranks that its pairs don't give.
"""

import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyarrow import parquet

import recsql
from recsql.calls.warnings import add_models
from recsql.cli import main
from recsql.query.results import metadata_of
from tests.calls.test_datasets import lists_of, of_one

CASES = json.loads((Path(__file__).parents[1] / "data/ranks.json").read_text())
OF_KIND = {kind: [case for case in CASES if case["kind"] == kind] for kind in ("ranks", "scores", "borda")}
HIGH = [case for case in OF_KIND["ranks"] if case["input"]["higher_is_better"]]


def in_hundredths(case: dict[str, Any]) -> bool:
    """Whether lists of 100 items can have the values of the case."""
    values = [value for models in case["input"]["per_user"].values() for of_model in models.values() for value in of_model]
    return all(value is not None and abs(100 * value - round(100 * value)) < 1e-9 for value in values)


def named(cases: list[dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


def refuse_other(result: pa.Table, expected: list[dict[str, Any]], pairs: Path | None = None) -> None:
    """Compares ranks with those expected, or the pairs in a file with theirs, whatever the order of the two models."""
    found = {(row["model"], row.get("baseline")): row for row in (read(pairs) if pairs else result.to_pylist())}
    assert len(found) == len(expected)
    for row in expected:
        assert {name: found[row["model"], row.get("baseline")][name] for name in row} == pytest.approx(row, abs=1e-9)


def read(path: Path) -> list[dict[str, Any]]:
    return list(json.loads(path.read_text()))


@named(OF_KIND["ranks"])
def test_values_per_user(case: dict[str, Any], tmp_path: Path) -> None:
    given = case["input"]
    metric = "ndcg" if given["higher_is_better"] else "first_rank"
    rows = [
        {"dataset": name, "model": model, "user_id": user, "metric": metric, "value": value}
        for name, models in given["per_user"].items()
        for model, values in models.items()
        for user, value in enumerate(values)
    ]
    path = tmp_path / "pairs.json"
    found = recsql.rank(pa.Table.from_pylist(rows), vary=given["vary"], interval=given["interval"], pairs_out=str(path))
    refuse_other(found, case["expected"]["models"])
    refuse_other(found, case["expected"]["pairs"], path)


@named([case for case in HIGH if in_hundredths(case)])
def test_lists(case: dict[str, Any], tmp_path: Path) -> None:
    given, path = case["input"], tmp_path / "pairs.json"
    recs, truth = lists_of(given["per_user"])
    settings = {"vary": given["vary"], "interval": given["interval"], "findings": "off", "pairs_out": str(path)}
    found = recsql.rank(recs, truth, "precision", 100, **settings)
    refuse_other(found, case["expected"]["models"])
    refuse_other(found, case["expected"]["pairs"], path)


@named(OF_KIND["scores"])
def test_scores(case: dict[str, Any], tmp_path: Path) -> None:
    given = case["input"]
    rows = [{("users" if name == "n" else name): value for name, value in row.items()} for row in given["scores"]]
    settings = {"correlation": given["correlation"]} if given["vary"] == "users" else {}  # else the default
    path = tmp_path / "pairs.json"
    settings |= {"missing": "leave_out", "pairs_out": str(path)}
    found = recsql.rank(pa.Table.from_pylist(rows), interval=given["interval"], **settings)
    refuse_other(found, case["expected"]["models"])
    refuse_other(found, case["expected"]["pairs"], path)


@named(OF_KIND["borda"])
def test_borda_points(case: dict[str, Any]) -> None:
    values = case["input"]["values"]
    rows = [{"model": model, "dataset": name, "value": one} for model in values for name, one in values[model].items()]
    found = recsql.rank(pa.Table.from_pylist(rows), missing="leave_out")
    refuse_other(found, [{"model": model, **row} for model, row in case["expected"].items()])


# -- messages and refusals

FILMS = {"a": [1.0, 1.0, 1.0, 0.9] * 20, "b": [0.9, 1.0, 0.8, 0.9] * 20, "c": [0.1, 0.3, 0.0, 0.1] * 20}
SHOP = {"a": [0.5, 0.4, 0.7, 0.4] * 20, "b": [0.5, 0.5, 0.6, 0.4] * 20, "c": [0.6, 0.5, 0.7, 0.6] * 20}
LISTS = lists_of({"films": FILMS, "shop": SHOP})


def of_films() -> tuple[pa.Table, pa.Table]:
    recs, truth = (of_one(table, "films") for table in LISTS)
    return recs, truth


def lines(result: pa.Table) -> list[str]:
    return list(json.loads(result.schema.metadata[b"recsql"])["told"])


def test_the_sentences_of_data_sets() -> None:
    result = recsql.rank(*LISTS, "precision", 100, findings="off")
    assert lines(result) == [
        "a is the best of 3 models on precision@100, the mean of 2 data sets: it is shown to be better than each of the others.",
        "Tiers: a | b | c. Models of one tier can't be told apart.",
        "On shop, c is better than a.",
        "Ranks: [low, high] holds for all 3 models at once, for 95 % of samples of users like these; "
        "the data sets are taken as given.",
        "The same user id in two data sets is two users.",
    ]
    sample = recsql.rank(*LISTS, "precision", 100, vary="datasets", interval=0.9, findings="off")
    assert lines(sample) == [
        "a has the best precision@100 of 3 models, the mean of 2 data sets, but it can't be told apart from b and c.",
        "The 3 models can't be told apart: all are of one tier.",
        "2 of 2 neighbouring models can't be told apart.",
        "On shop, c is better than a.",
        "Ranks: [low, high] holds for all 3 models at once, for 90 % of samples of data sets like these 2.",
        "The same user id in two data sets is two users.",
        "* few data sets: intervals of ranks may be too narrow.",
    ]


def test_one_data_set_has_the_pairs_of_compare() -> None:
    recs, truth = of_films()
    found = {row["model"]: row for row in recsql.rank(recs, truth, "precision", 100, findings="off").to_pylist()}
    means = recsql.evaluate(recs, truth, "precision", 100, interval=True, findings="off").to_pylist()
    for row in means:
        assert {name: found[row["model"]][name] for name in ("value", "low", "high", "std_error")} == {
            name: pytest.approx(row[name], rel=1e-13) for name in ("value", "low", "high", "std_error")
        }
    pairs = recsql.compare(recs, truth, "precision", 100, findings="off").to_pylist()
    assert [row["verdict"] for row in pairs] == ["higher"] * 3
    assert [(found[one]["rank_low"], found[one]["rank_high"]) for one in "abc"] == [(1, 1), (2, 2), (3, 3)]
    assert all(row["users"] == 80 and row["datasets"] == 1 for row in found.values())


def test_the_readme_has_the_ranks_of_its_example() -> None:
    root = Path(__file__).parents[2]
    recs, truth = (str(root / f"examples/movietweetings/{name}.parquet") for name in ("recs", "truth"))
    rows = recsql.rank(recs, truth, "ndcg", 10, findings="off").to_pylist()
    ranks = ", ".join(f"{row['model']} {row['rank']} [{row['rank_low']}, {row['rank_high']}]" for row in rows)
    assert f"On ndcg@10: {ranks}." in (root / "README.md").read_text()


@pytest.mark.parametrize("models", ["ab", "ba"])
def test_counts_over_data_sets_are_by_model(models: str) -> None:
    """In whatever order the pairs of models are found."""
    counts = [{"models": [{"model": one, "lists": 1, "longest_list": n} for one in models]} for n in (2, 3)]
    assert add_models(counts)["models"] == [{"model": one, "lists": 2, "longest_list": 3} for one in "ab"]


def test_pairs_of_one_data_set_are_those_of_compare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables = {name: tmp_path / f"{name}.parquet" for name in ("recs", "truth")}
    for path, table in zip(tables.values(), of_films(), strict=True):
        parquet.write_table(table, path)
    out = tmp_path / "pairs.parquet"
    call = ["rank", *map(str, tables.values()), "-k", "100", "-m", "precision", "--pairs-out", str(out)]
    assert main([*call, "-o", str(tmp_path / "ranks.csv")]) == 0
    pairs = parquet.read_table(out)
    assert " ".join(pairs.column_names) == (
        "model baseline metric k datasets users difference low high std_error df p p_adjusted tests verdict wins ties losses"
    )
    compared = recsql.compare(*of_films(), "precision", 100, findings="off")
    theirs = compared.select([name for name in pairs.column_names if name not in ("datasets", "df")])
    assert pairs.drop_columns(["datasets", "df"]).to_pylist() == theirs.to_pylist()
    assert main([*call, "-o", str(out)]) == 1
    assert "--output and --pairs-out can't both be written to this file" in capsys.readouterr().err
    with pytest.raises(recsql.RecsqlError, match=r"^pairs.md: its ending names no format of rows; use one of .csv, .json, .par"):
        recsql.rank(SCORES, pairs_out="pairs.md")


def test_values_of_one_model_alone_beyond_1() -> None:
    """Each model still has one row, with all its data sets."""
    values = {"a": [0.2, 0.9, 0.4], "b": [0.3, 0.8, 0.1], "c": [0.6, 0.9, 1.5]}
    rows = [
        {"dataset": name, "model": model, "user_id": user, "value": one * scale}
        for name, scale in (("x", 1), ("y", 0.5))
        for model, of_model in values.items()
        for user, one in enumerate(of_model)
    ]
    found = recsql.rank(pa.Table.from_pylist(rows)).to_pylist()
    assert [(row["model"], row["rank"], row["borda"], row["users"]) for row in found] == [
        *(("c", 1, 4.0, 6), ("a", 2, 2.0, 6), ("b", 3, 0.0, 6))
    ]
    assert [row["value"] for row in found] == pytest.approx([0.75, 0.375, 0.3])


def test_metrics_that_are_not_means_and_clusters() -> None:
    recs, truth = of_films()
    result = recsql.rank(recs, truth, ["coverage", "precision"], 100, items=ITEMS, findings="off").to_pylist()
    assert [row["rank"] for row in result if row["metric"] == "coverage"] == [1, 1, 3]  # b lists all items of a
    clustered = truth.append_column("g", pc.divide(truth["user_id"], 2))
    found = recsql.rank(recs, clustered, "precision", 100, cluster="g", findings="off").to_pylist()
    mean = recsql.evaluate(recs, clustered, "precision", 100, cluster="g", interval=True, findings="off").to_pylist()[-3]
    assert {name: found[0][name] for name in ("model", "value", "low", "high")} == {
        name: mean[name] for name in ("model", "value", "low", "high")
    }


ITEMS = pa.table({"item_id": range(200)})
SCORES = [{"model": model, "dataset": name, "value": 0.5, "users": 9} for model in "ab" for name in "xy"]


NO_MEAN = "coverage@10 is not a mean over users; give scores with std_error"


@pytest.mark.parametrize(
    ("scores", "settings", "sentence"),
    [
        (pa.table({"model": ["a"], "value": pa.nulls(1, pa.float64())}), {}, "scores: it has no values; give a row per model"),
        ([{"model": "a", "score": 1.0}], {}, "scores: there is no column value; it has model, score"),
        (
            SCORES[:3],
            {},
            "scores: model b has no value on data set y; add it, or give missing='leave_out' or missing='common'",
        ),
        (
            [*SCORES, SCORES[0]],
            {},
            "scores: model a has two values on data set x for one metric and k; leave one of them out",
        ),
        (
            [{"model": "a", "value": 1.5, "users": 9}],
            {},
            "scores: value has values beyond 0 to 1, of which a number of users tells no error; give std_error",
        ),
        (
            [{"model": "a", "value": 0.5}],
            {"vary": "users"},
            "scores: it has neither std_error nor users in some rows, so no users vary; add one of them, or give vary='datasets'",
        ),
        (
            [{"model": "a", "user_id": 1, "value": 0.5}],
            {"correlation": 0.5},
            "scores: the values of each user tell how models correlate; leave correlation= out",
        ),
        (
            [{"model": "a", "metric": "idcg@10", "value": 0.5}],
            {},
            "idcg@10: neither its high nor its low values are better, so it ranks no models; leave it out",
        ),
        (SCORES, {"metrics": "ndcg"}, "metrics: scores are ranked as they are; leave it out"),
        (
            SCORES,
            {"test": "wilcoxon"},
            "rank: test is for single differences, and ranks are from all pairs of models; use compare",
        ),
        ([{"model": "a", "metric": "coverage@10", "value": 0.5, "users": 9}], {}, f"scores: {NO_MEAN}"),
        ([{"model": "a", "metric": "coverage@10", "user_id": 1, "value": 0.5}], {}, f"scores: {NO_MEAN}"),
        (
            [{"model": str(model), "value": 0.5, "users": 9} for model in range(1001)],
            {},
            "scores: it has 1001 models and 1 data sets, and at most 1000 and 10000 are ranked; give fewer",
        ),
        (
            [{"model": "a", "dataset": name, "value": 0.5, "users": 9} for name in range(10001)],
            {},
            "scores: it has 1 models and 10001 data sets, and at most 1000 and 10000 are ranked; give fewer",
        ),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_scores_that_are_refused(scores: Any, settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=f"^{re.escape(sentence)}"):
        recsql.rank(scores, **settings)


def without_dataset(table: pa.Table) -> pa.Table:
    return table.drop_columns("dataset")


def folded(table: pa.Table) -> pa.Table:
    return table.append_column("fold", pa.array([1] * len(table)))


LACKING = "recs: model b has no list in data set shop; give lists of every model in every data set"
TEST_OF = {"test": "wilcoxon", "margin": 0, "baseline": "a", "alternative": "less", "looks": "many"}
NEEDS_BOTH = "a list is measured by the truth of its data set, so both need the column, or neither; if the column means something"


@pytest.mark.parametrize(
    ("change", "settings", "sentence"),
    [
        *(
            ({}, {name: value}, f"rank: {name} is for single differences, and ranks are from all")
            for name, value in TEST_OF.items()
        ),
        (
            {"recs": lambda recs: recs.filter(pc.or_(pc.equal(recs["dataset"], "films"), pc.equal(recs["model"], "a")))},
            {},
            LACKING,
        ),
        ({"truth": without_dataset}, {}, f"truth: there is no column dataset, as in recs; {NEEDS_BOTH}"),
        ({"recs": without_dataset}, {}, f"recs: there is no column dataset, as in truth; {NEEDS_BOTH}"),
        (
            {"recs": folded, "truth": folded},
            {},
            "recs: fold and dataset are both there; give the rows of one fold, or of one data",
        ),
        (
            {"recs": lambda recs: folded(without_dataset(recs)), "truth": lambda truth: folded(without_dataset(truth))},
            {},
            "fold: recs and truth have folds, and only evaluate can keep these apart; give the rows of one fold",
        ),
        ({}, {"correlation": 0.5}, "correlation: lists are ranked for all users, pair by pair; leave it out"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_lists_that_are_refused(change: dict[str, Any], settings: dict[str, Any], sentence: str) -> None:
    recs, truth = (change.get(role, lambda table: table)(table) for role, table in zip(("recs", "truth"), LISTS, strict=True))
    with pytest.raises(recsql.RecsqlError, match=f"^{re.escape(sentence)}"):
        recsql.rank(recs, truth, "precision", 100, findings="off", **settings)


def test_more_than_a_thousand_models_are_refused() -> None:
    names = [f"m{i}" for i in range(1001)]
    recs = pa.table({"model": names, "user_id": [1] * 1001, "item_id": [1] * 1001, "rank": [1] * 1001})
    says = "^recs: it has 1001 models, and at most 1000 are ranked, because the pairs grow with the square; give fewer$"
    with pytest.raises(recsql.RecsqlError, match=says):
        recsql.rank(recs, pa.table({"user_id": [1], "item_id": [1]}), "hit", 1, findings="off")


def test_models_without_a_value() -> None:
    left_out = recsql.rank(SCORES[:3], missing="leave_out")
    assert {row["model"]: (row["rank"], row["tier"], row["borda"]) for row in left_out.to_pylist()} == {
        "a": (1, 1, 1.5),
        "b": (None, None, 0.5),
    }
    assert "No value of value on some data set, so no rank: b." in lines(left_out)
    common = recsql.rank(SCORES[:3], missing="common")
    assert [(row["model"], row["rank"], row["datasets"]) for row in common.to_pylist()] == [("a", 1, 1), ("b", 1, 1)]
    assert "Left out, because not every model has a value on them: y." in lines(common)


def test_users_without_a_value_of_every_model_are_counted() -> None:
    rows = [
        {"model": model, "user_id": user, "value": user / 40} for model in "abc" for user in range(40) if model != "c" or user > 2
    ]
    assert "Left out, because not every model has a value of value: 3 users." in lines(recsql.rank(rows))


def test_one_model(tmp_path: Path) -> None:
    path = tmp_path / "pairs.json"
    result = recsql.rank([{"model": "a", "value": 0.5, "users": 9}], pairs_out=str(path))
    assert read(path) == []
    assert [(row["rank"], row["rank_low"], row["rank_high"], row["tier"], row["best"]) for row in result.to_pylist()] == [
        (1, 1, 1, 1, "yes")
    ]
    assert lines(result)[0] == "One model: nothing to compare."
    recs, truth = (table.drop_columns("dataset") for table in lists_of({"x": {"a": [0.5, 0.7]}}))
    ranks = recsql.rank(recs, truth, "precision", 100, findings="off", pairs_out=str(path))
    assert (ranks["rank_high"].to_pylist(), read(path)) == ([1], [])


def test_the_command_takes_scores_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("model,value,std_error\nnew,0.62,0.01\nold,0.61,0.01\nbad,0.3,0.01\n")
    assert main(["rank", str(path)]) == 0
    assert capsys.readouterr().out == (
        "metric  model   value  rank      tier  borda  firsts\n"
        "------  -----  ------  --------  ----  -----  ------\n"
        "value   new    0.6200  1 [1, 2]     1  2           1\n"
        "value   old    0.6100  2 [1, 2]     1  1           0\n"
        "value   bad    0.3000  3 [3, 3]     2  0           0\n"
        "\n"
        "new has the best value of 3 models, but it can't be told apart from old.\n"
        "Tiers: new, old | bad. Models of one tier can't be told apart.\n"
        "1 of 2 neighbouring models can't be told apart.\n"
        "Ranks: [low, high] holds for all 3 models at once, for 95 % of samples of users like these.\n"
        "The scores have no values per user. The models are compared as if each had users of its own; "
        "with values per user, intervals would be narrower.\n"
    )


def test_who_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """Users of all data sets, of each model, and the pair whose lists are of the most different users."""
    truth = [{"dataset": name, "user_id": user, "item_id": 1} for name in "ab" for user in range(30)]
    recs = [
        {"model": model, "item_id": 1 + user % 2, "rank": 1, "dataset": name, "user_id": user}
        for name in "ab"
        for user in range(30)
        for model in ("new", "old")
        if model == "new" or user > 5
    ]
    with pytest.warns(UserWarning, match=r"^new and old \(and 1 more\) have lists for different users: 30 and 24 of"):
        result = recsql.rank(recs, truth, "hit", 1)
    recsql.show(result)
    *_, counted, without = capsys.readouterr().out.splitlines()
    assert counted == "Users in the mean: 60. Users with truth: 60."
    assert without == "Without a list (counted as 0): new 0, old 12."


def test_scores_of_one_data_set_without_errors() -> None:
    """No sample varies, so nothing is claimed."""
    result = recsql.rank([{"model": "a", "value": 0.5}, {"model": "b", "value": 0.2}])
    assert [(row["rank"], row["rank_low"], row["rank_high"]) for row in result.to_pylist()] == [(1, 1, 2), (2, 1, 2)]
    *_, untested, why, few = metadata_of(result)["told"]
    assert untested == "Untested on value: 1 of 1 pairs of models."
    assert why == "One data set without std_error and users: nothing tells how far a score may be off, so no pair is tested."
    assert few == "* few data sets: intervals of ranks may be too narrow."
