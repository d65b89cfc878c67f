"""Data sets: each is evaluated as if it were alone, then the mean with its interval, in which variances of data sets add up.

If it fails, users of two data sets are mixed, or the interval of a mean over data sets is wrong.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.cli import main
from recsql.display.gate import apply_gate, options_for

CASES = json.loads((Path(__file__).parents[1] / "data/datasets.json").read_text())
OF_VALUES = [case for case in CASES if case["models"]]


def lists_of(per_user: dict[str, dict[str, list[float]]]) -> tuple[pa.Table, pa.Table]:
    """Lists whose precision@100 is the value of each user of each data set and model; all data sets have the same ids."""
    recs: list[dict[str, Any]] = []
    truth: list[dict[str, Any]] = []
    for name, models in per_user.items():
        for model, values in models.items():
            for user, value in enumerate(values):
                hits = range(1, round(100 * value) + 1) or [0]  # item 0 is not relevant
                recs += [
                    {"dataset": name, "model": model, "user_id": user, "item_id": item, "rank": max(item, 1)} for item in hits
                ]
        users = range(max(map(len, models.values())))
        truth += [{"dataset": name, "user_id": user, "item_id": item} for user in users for item in range(1, 101)]
    return pa.Table.from_pylist(recs), pa.Table.from_pylist(truth)


def data() -> tuple[pa.Table, pa.Table]:
    """Two models on two data sets: the case of two data sets."""
    return lists_of(next(case for case in CASES if case["name"].startswith("two models, two data sets"))["per_user"])


def of_one(table: pa.Table, name: str) -> pa.Table:
    return table.filter(pc.field("dataset") == name).drop_columns("dataset")


# -- evaluate


@pytest.mark.parametrize("case", OF_VALUES, ids=[case["name"] for case in OF_VALUES])
def test_the_mean_and_its_interval(case: dict[str, Any]) -> None:
    rows = recsql.evaluate(*lists_of(case["per_user"]), "precision", 100, interval=case["interval"], findings="off").to_pylist()
    last = {row["model"]: row for row in rows if row["dataset"] is None}
    for expected in case["models"]:
        found = last[expected["model"]]
        for name in ("value", "std_error", "low", "high"):
            assert found[name] == (None if expected[name] is None else pytest.approx(expected[name], abs=1e-9)), name
        assert (found["users"], found["metric"], found["k"]) == (None, "precision", 100)


@pytest.mark.parametrize("options", [{}, {"interval": 0.9}, {"like": "ranx"}], ids=str)
def test_each_data_set_is_as_if_alone(options: dict[str, Any]) -> None:
    recs, truth = data()
    found = recsql.evaluate(recs, truth, k=[2, 5], **options)
    assert found.column_names[:3] == ["model", "dataset", "metric"]
    for name in ("a", "b"):
        alone = recsql.evaluate(of_one(recs, name), of_one(truth, name), k=[2, 5], **options).to_pylist()
        rows = [row for row in found.to_pylist() if row["dataset"] == name]
        assert [{column: row[column] for column in alone[0]} for row in rows] == alone
    assert json.loads(found.schema.metadata[b"recsql"])["datasets"] == ["a", "b"]


def test_metrics_that_are_not_means_have_an_interval_too() -> None:
    recs, truth = data()
    rows = recsql.evaluate(recs, truth, "entropy", 5, interval=0.95).to_pylist()
    last = next(row for row in rows if row["dataset"] is None)
    errors = [row["std_error"] for row in rows if row["dataset"] and row["model"] == last["model"]]
    assert last["std_error"] == pytest.approx(sum(error**2 for error in errors) ** 0.5 / 2, rel=1e-12)
    assert last["low"] < last["value"] < last["high"]


def test_what_people_see() -> None:
    truth = pa.table({"user_id": [1, 2, 1, 2], "item_id": list("abcd"), "dataset": ["x", "x", "y", "y"]})
    recs = pa.table({"user_id": [1, 2, 1, 2], "item_id": list("axcd"), "rank": [1] * 4, "dataset": ["x", "x", "y", "y"]})
    # The variances are 0.5 * 0.5 / 2 and 0, so e = 0.75 * 0.25 / (0.125 / 4) = 6 in Wilson's formula.
    for interval, last in ((None, "| mean | hit@1 | 0.7500 ± 0.3536 |"), (0.95, r"| mean | hit@1 | 0.7500 [0.3648, 0.9400]\* |")):
        lines = recsql.to_markdown(recsql.evaluate(recs, truth, "hit", [1], interval=interval)).split("\n\n")
        assert lines[0].splitlines()[0] == "| dataset | metric | value |"
        assert lines[0].splitlines()[-1] == last
        assert lines[1].startswith("The last lines are means over data sets")


# -- what is refused

ONE = "give the rows of one data set"
BOTH = "a list is measured by the truth of its data set, so both need the column, or neither"
WAY = "; if the column means something else, dataset='none'"
REFUSED: dict[str, tuple[Callable[[pa.Table, pa.Table], Any], str]] = {
    "per_user": (
        recsql.per_user,
        "dataset: recs and truth have data sets, and only evaluate, compare and rank can keep these apart; " + ONE + WAY,
    ),
    "lists alone": (
        lambda recs, _: recsql.item_metrics(recs),
        "recs: it has the column dataset; give the lists of one data set, without that column" + WAY,
    ),
    "truth without": (
        lambda recs, truth: recsql.evaluate(recs, truth.drop_columns("dataset")),
        "truth: there is no column dataset, as in recs; " + BOTH + WAY,
    ),
    "recs without": (
        lambda recs, truth: recsql.evaluate(of_one(recs, "a"), truth),
        "recs: there is no column dataset, as in truth; " + BOTH + WAY,
    ),
    "train without": (
        lambda recs, truth: recsql.evaluate(recs, truth, "novelty", train=of_one(truth, "a")),
        "train: there is no column dataset, as in recs; data sets share nothing, so each table needs the column" + WAY,
    ),
    "a data set without truth": (
        lambda recs, truth: recsql.evaluate(recs, truth.filter(pc.field("dataset") == "a")),
        "recs: data set b is not in truth",
    ),
    "a data set without lists": (
        lambda recs, truth: recsql.evaluate(recs.filter(pc.field("dataset") == "a"), truth),
        "truth: data set b is not in recs",
    ),
    "a model without a data set": (
        lambda recs, truth: recsql.evaluate(recs.filter((pc.field("model") == "new") | (pc.field("dataset") == "a")), truth),
        "recs: model old has no list in data set b; give lists of every model in every data set",
    ),
    "another test than t": (
        lambda recs, truth: recsql.compare(recs, truth, "precision", test="wilcoxon"),
        "test: wilcoxon can't be combined over 2 data sets; use test='t'",
    ),
    "many looks": (
        lambda recs, truth: recsql.compare(recs, truth, "precision", looks="many"),
        "looks: many can't be combined over 2 data sets; use looks='one'",
    ),
    "a plan": (
        lambda recs, truth: recsql.plan(truth, recs, "precision"),
        "dataset: recs and truth have data sets, and only evaluate, compare and rank can keep these apart; "
        "give the rows of one data set; if the column means something else, dataset='none'",
    ),
    "vary without data sets": (
        lambda recs, truth: recsql.compare(of_one(recs, "a"), of_one(truth, "a"), "precision", vary="datasets"),
        "vary: recs and truth have no column dataset, so no data sets vary; leave vary= out",
    ),
    "folds in compare": (
        lambda recs, truth: recsql.compare(recs.rename_columns({"dataset": "fold"}), truth.rename_columns({"dataset": "fold"})),
        "fold: recs and truth have folds, and only evaluate can keep these apart; give the rows of one fold",
    ),
    "a model to compare without a data set": (
        lambda recs, truth: recsql.compare(recs.filter((pc.field("model") == "new") | (pc.field("dataset") == "a")), truth),
        "recs: model old has no list in data set b; give lists of every model in every data set",
    ),
    "slices": (
        lambda recs, truth: recsql.evaluate(recs, truth.append_column("c", truth["item_id"]), by="c"),
        "by: recs and truth have data sets, and there are no slices within these; give the rows of one data set",
    ),
    "a segment per data set": (
        lambda recs, truth: recsql.compare(recs, truth, "precision", by="dataset"),
        "by: recs and truth have data sets, and there are no slices within these; give the rows of one data set",
    ),
    "folds as well": (
        lambda recs, truth: recsql.evaluate(recs.append_column("fold", recs["rank"]), truth),
        "recs: fold and dataset are both there; give the rows of one fold, or of one data set",
    ),
    "another name": (
        lambda recs, truth: recsql.evaluate(recs, truth, dataset="suite"),
        "recs: there is no column suite, which dataset= names; name another one, or leave it out",
    ),
    "a NULL": (
        lambda recs, truth: recsql.evaluate(
            recs, pa.concat_tables([truth, pa.table({"user_id": [1], "item_id": [1]})], promote_options="default")
        ),
        "truth: dataset is NULL in some rows; leave such rows out or fill in a value",
    ),
    "a fraction": (
        lambda recs, truth: recsql.evaluate(
            recs.set_column(0, "dataset", pc.cast(recs["rank"], pa.float64())), truth
        ),
        "recs: dataset is DOUBLE; it must be a whole number or text",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("call", "sentence"), REFUSED.values(), ids=REFUSED)
def test_refused(call: Callable[[pa.Table, pa.Table], Any], sentence: str) -> None:
    with pytest.raises(recsql.RecsqlError) as refused:
        call(*data())
    assert str(refused.value) == sentence


def test_a_column_that_means_something_else() -> None:
    recs, truth = data()
    plain = recsql.evaluate(of_one(recs, "a"), of_one(truth, "a"), "precision", 100)
    odd = recs.filter(pc.field("dataset") == "a")
    assert recsql.evaluate(odd, of_one(truth, "a"), "precision", 100, dataset="none").to_pylist() == plain.to_pylist()


def test_another_name() -> None:
    recs, truth = data()
    named = [one.rename_columns({"dataset": "Suite"}) for one in (recs, truth)]
    found = recsql.evaluate(named[0], named[1], "precision", 100, dataset="suite")
    assert found.to_pylist() == recsql.evaluate(recs, truth, "precision", 100).to_pylist()


# -- compare


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_difference_of_the_means(case: dict[str, Any]) -> None:
    recs, truth = lists_of(case["per_user"])
    rows = recsql.compare(recs, truth, "precision", 100, interval=case["interval"], vary=case["vary"], findings="off").to_pylist()
    found = {frozenset((row["model"], row["baseline"])): row for row in rows}
    assert len(found) == len(rows) == len(case["pairs"])
    for expected in case["pairs"]:
        row = found[frozenset((expected["model"], expected["baseline"]))]
        sign = 1 if row["model"] == expected["model"] else -1
        assert row["datasets"] == len(case["per_user"])
        assert row["difference"] == pytest.approx(sign * expected["difference"], abs=1e-9)
        for name in ("p", "p_adjusted"):
            assert row[name] == (None if expected[name] is None else pytest.approx(expected[name], abs=1e-9)), name
        if expected["std_error"]:
            assert row["std_error"] == pytest.approx(expected["std_error"], abs=1e-9)
            assert row["low"] < row["difference"] < row["high"]
        if "wins" in expected:
            assert (row["wins"], row["losses"])[::sign] == (expected["wins"], expected["losses"])


@pytest.mark.parametrize("options", [{}, {"baseline": "new"}, {"alternative": "less", "margin": 0.1}, {"test": "sign"}], ids=str)
def test_one_data_set_is_compared_as_without_the_column(options: dict[str, Any]) -> None:
    recs, truth = data()
    of_a = [one.filter(pc.field("dataset") == "a") for one in (recs, truth)]
    rows = recsql.compare(of_a[0], of_a[1], ["precision", "entropy"][: 1 + (not options)], [5, 100], **options).to_pylist()
    plain = recsql.compare(
        of_one(recs, "a"), of_one(truth, "a"), ["precision", "entropy"][: 1 + (not options)], [5, 100], **options
    )
    assert [row | {"datasets": 1} for row in plain.to_pylist()] == rows


def test_metrics_that_are_not_means_are_compared_too() -> None:
    recs, truth = data()
    alone = [recsql.compare(of_one(recs, one), of_one(truth, one), "entropy", 100).to_pylist()[0] for one in ("a", "b")]
    [row] = recsql.compare(recs, truth, "entropy", 100).to_pylist()
    assert row["difference"] == pytest.approx(sum(one["difference"] for one in alone) / 2, rel=1e-12)
    assert row["std_error"] == pytest.approx(sum(one["std_error"] ** 2 for one in alone) ** 0.5 / 2, rel=1e-12)


def test_clusters_count_for_the_degrees_of_freedom() -> None:
    recs, truth = data()
    truth = truth.append_column("group", pc.divide(truth["user_id"], 2))
    alone = [
        recsql.compare(of_one(recs, one), of_one(truth, one), "precision", 100, cluster="group").to_pylist()[0]
        for one in ("a", "b")
    ]
    [row] = recsql.compare(recs, truth, "precision", 100, cluster="group").to_pylist()
    assert row["std_error"] == pytest.approx(sum(one["std_error"] ** 2 for one in alone) ** 0.5 / 2, rel=1e-12)


def test_a_data_set_with_missing_lists_fails_the_gate_by_itself() -> None:
    """Of 4 users of a small data set one has a list of new: few of the 104 of both, and too few of these 4."""
    values = {"a": {"new": [0.5] * 100, "old": [0.5] * 100}, "b": {"new": [0.5], "old": [0.5] * 4}}
    recs, truth = lists_of(values)
    said = "recs of data set b: 3 of 4 users with truth have no list of model new and count as 0; no_recs='skip' leaves them out"
    with pytest.warns(UserWarning) as warned:
        rows = recsql.compare(recs, truth, "precision", 100, baseline="old", **options_for("worse", 0.5))
    assert said in [str(one.message) for one in warned]
    assert apply_gate(rows, "worse").verdict == "pass"  # half of the lists of the baseline may be missing
    outcome = apply_gate(rows, "worse", 0.7)
    lacking = "Not comparable: new has no list in data set b for 3 of the 4 users with truth for whom old has one;"
    assert (outcome.verdict, outcome.lines[0]) == ("fail", f"{lacking} max_missing allows more.")
    turned = recsql.compare(recs, truth, "precision", 100, baseline="new", findings="off", **options_for("worse", 0.5))
    assert apply_gate(turned, "worse").lines[0] == outcome.lines[0]


def test_what_people_see_of_a_comparison() -> None:
    recs, truth = data()
    for vary, sentence in (
        ("users", "which are taken as given; the same user id in two of them is two users."),
        ("datasets", "which are taken as a sample."),
    ):
        shown = recsql.to_markdown(recsql.compare(recs, truth, "precision", 100, vary=vary))
        assert f"Differences of the means over 2 data sets, {sentence}" in shown


def test_a_gate_judges_the_means(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of equal lists but for 30 users of one data set, who lose the same share of the mean: the model is shown to be worse."""
    values = {"a": {"new": [0.5] * 30, "old": [0.9, 0.8] * 15}, "b": {"new": [0.5] * 4, "old": [0.5] * 4}}
    paths = [str(tmp_path / f"{name}.parquet") for name in ("recs", "truth")]
    for path, table in zip(paths, lists_of(values), strict=True):
        pq.write_table(table, path)
    arguments = ["compare", *paths, "-k", "100", "-m", "precision", "--baseline", "old", "--fail-if", "worse"]
    assert main([*arguments, "--margin", "0.1"]) == 3
    assert main([*arguments, "--margin", "0.2"]) == 0
    assert "Passed: no model is shown to be worse than old by more than 0.2, in 1 comparison; " in capsys.readouterr().err


# -- a folder

LISTS = ("user_id,item_id,rank,model\n1,x,1,new\n2,y,1,new\n1,x,2,old\n1,y,1,old\n2,y,1,old\n", "user_id,item_id\n1,x\n2,y\n")
FILES = {
    "a/recs.csv": LISTS[0],
    "a/truth.csv": LISTS[1],
    "a/train.csv": LISTS[1],
    "b/recs/new.csv": "user_id,item_id,score\nu,p,0.5\nv,q,0.3\n",
    "b/recs/old.csv": "user_id,item_id,score\nu,p,0.5\nu,q,0.9\nv,p,1\n",
    "b/truth.json": '{"u": ["p"], "v": ["q"]}',
    "b/train.csv": "user_id,item_id\nu,p\nv,p\nv,q\n",
    ".git/x": "",
}
ONE_EACH = "it needs one recs.*, or a folder recs with a file for each model"
OF_B = ["b/recs/new.csv", "b/recs/old.csv"]
MORE = {  # files that are left out, files that there are in place of them, and what is said
    "no sub-folder": (FILES, {"truth.csv": LISTS[1]}, "there is no sub-folder; each data set needs one, with recs.* and truth.*"),
    "no truth": (["a/truth.csv"], {}, "/a/: it needs one truth.*; there is none"),
    "no lists": (["a/recs.csv"], {}, f"/a/: {ONE_EACH}; there is none"),
    "two truths": ([], {"a/truth.json": "{}"}, "/a/: it needs one truth.*; there is truth.csv and truth.json"),
    "a file and a folder": ([], {"b/recs.csv": ""}, f"/b/: {ONE_EACH}; there is recs.csv and recs"),
    "no file of a model": (OF_B, {"b/recs/_x": ""}, ".tab, .psv, .dat, .data, .json, .ndjson, .jsonl"),
    "a model twice": ([], {"b/recs/x/old.csv": ""}, "is named old as well; name the models yourself, with old=FILE or a mapping"),
    "a model without a data set": (
        OF_B[1:],
        {},
        "/a/recs.csv and 1 more: model old has no list in data set b; give lists of every model in every data set",
    ),
    "a column": (
        ["a/truth.csv"],
        {"a/truth.csv": "user_id,item_id,dataset\n1,x,a\n"},
        "/a/truth.csv: it has a column dataset, and its folder is a data set; leave one out",
    ),
}  # fmt: skip


def suite(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return str(folder)


def test_a_folder_of_data_sets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ids, formats and what orders the lists are those of each data set; a file of another table is found in each."""
    arguments = ["--datasets", suite(tmp_path, FILES), "-k", "2", "--findings", "off", "--format", "csv"]
    assert main(["evaluate", *arguments, "-m", "rr,novelty", "--train", "train.csv", "--users", "truth"]) == 0
    found = [line.split(",")[:5] for line in capsys.readouterr().out.splitlines()[1:]]
    values = {(model, name or "mean"): value for model, name, metric, _, value in found if metric == "rr"}
    assert values == {
        **{("new", "a"): "1.0", ("old", "a"): "0.75", ("new", "b"): "1.0", ("old", "b"): "0.25"},
        **{("new", "mean"): "1.0", ("old", "mean"): "0.5"},
    }
    novelties = {(model, name): float(value) for model, name, metric, _, value in found if metric == "novelty"}
    assert novelties["new", "a"] == 1 and novelties["new", "b"] == 0.5
    assert main(["compare", *arguments, "-m", "rr", "--baseline", "old"]) == 0
    header, row = (line.split(",") for line in capsys.readouterr().out.splitlines())
    compared = dict(zip(header, row, strict=True))
    assert (compared["datasets"], compared["difference"], compared["users"]) == ("2", "0.5", "4")
    assert main(["rank", *arguments, "-m", "rr"]) == 0
    ranked = [line.split(",")[:4] for line in capsys.readouterr().out.splitlines()[1:]]
    assert ranked == [["new", "rr", "2", "1.0"], ["old", "rr", "2", "0.5"]]


@pytest.mark.parametrize(("without", "others", "sentence"), MORE.values(), ids=MORE)
def test_a_folder_that_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], without: list[str], others: dict[str, str], sentence: str
) -> None:
    files = {name: text for name, text in FILES.items() if name not in without} | others
    assert main(["evaluate", "--datasets", suite(tmp_path, files)]) == 1
    assert capsys.readouterr().err.splitlines()[-1].endswith(sentence)


def test_a_folder_in_place_of_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = suite(tmp_path, FILES)
    assert main(["evaluate", "--datasets", f"{folder}/c"]) == 1
    assert (
        capsys.readouterr().err
        == f"recsql: {folder}/c: there is no sub-folder; each data set needs one, with recs.* and truth.*\n"
    )
    for tables in (["recs.csv", "truth.csv", "--datasets", folder], []):
        with pytest.raises(SystemExit):
            main(["evaluate", *tables])
        told = "--datasets: its sub-folders have RECS and TRUTH; leave these out"
        assert (told if tables else "arguments are required: RECS, TRUTH") in capsys.readouterr().err
    assert main(["evaluate", "--datasets", folder, "-k", "1", "-m", "hit"]) == 0
    assert "/b/recs/new.csv and 1 more: no list of model old has a hit in its top k" in capsys.readouterr().err
    assert main(["compare", "--datasets", folder, "-k", "1", "-m", "hit", "--worst", "1"]) == 1
    only = "recs and truth have data sets, and only evaluate, compare and rank can keep these apart; " + ONE
    assert capsys.readouterr().err.splitlines()[-1] == f"recsql: --dataset: {only}"
