"""One input under the convention of every preset: the values, and what each option of a preset changes.

If it fails, `conventions` names a wrong value for a library, or blames the wrong option for a difference.
"""

import csv
import re
import warnings
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.calls import conventions as calls
from recsql.catalog import catalog
from recsql.cli import main
from recsql.display.shown import Shown
from recsql.query.results import metadata_of
from tests.presets.data import LISTS, TRUTHS
from tests.presets.test_table import METRICS, ROWS, Row

PRESETS = catalog().presets
AUCS = {
    "cornac": "auc(like=cornac)",
    "elliot": "gauc(like=elliot, unlisted=worst)",
    "recbole": "gauc(like=recbole)",
}  # the names there of an AUC that needs what users have in train
UNORDERED = (
    "truth: rank is NULL for user u1, item a; truth_window and ideal='truth_as_given' need the position of each item, "
    "starting at 1, in the truth's column rank"
)
Cells = dict[tuple[str, str], dict[str, Any]]  # the rows by preset and metric


def rows(lists: Mapping[str, str], **columns: str) -> pa.Table:
    placed = [(user, item, place) for user, items in lists.items() for place, item in enumerate(items.split(), start=1)]
    user_ids, item_ids, ranks = (list(column) for column in zip(*placed, strict=True))
    constant = {name: [value] * len(placed) for name, value in columns.items()}
    return pa.table({**constant, "user_id": user_ids, "item_id": item_ids, "rank": ranks})


def scored(lists: pa.Table) -> pa.Table:
    """The same lists with scores in the order of the ranks."""
    return lists.append_column("score", [[10.0 - rank for rank in lists["rank"].to_pylist()]])


ORDERED = rows(TRUTHS)
RECS, TRUTH = scored(rows(LISTS)), ORDERED.drop_columns(["rank"])


def by_place(table: pa.Table) -> Cells:
    found = {(row["preset"], row["metric"]): row for row in table.to_pylist()}
    assert len(found) == table.num_rows
    return found


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return recsql.conventions(RECS, TRUTH, METRICS, 5)


@pytest.fixture(scope="module")
def cells(table: pa.Table) -> Cells:
    return by_place(table)


@pytest.fixture
def few_presets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only some presets, for tests that do not depend on the presets; each one takes time."""
    few = ("evidently", "lenskit", "pyspark_udf", "ranx", "spark", "trec_eval")
    monkeypatch.setattr(catalog(), "presets", {name: PRESETS[name] for name in few})


@cache
def evaluated(**options: Any) -> dict[str, float]:
    """Every metric under some options, by itself."""
    return {
        row["metric"].partition("(")[0]: row["value"] for row in recsql.evaluate(RECS, TRUTH, METRICS, 5, **options).to_pylist()
    }


# -- the values


@pytest.mark.parametrize("row", [row for row in ROWS if not row.options], ids=str)
def test_the_values_are_those_of_the_libraries(row: Row, cells: Cells) -> None:
    known = {metric: expected for metric, expected in row.values.items() if metric in METRICS}
    found = {metric: cells[row.library, metric]["value"] for metric in known}
    assert found == {metric: pytest.approx(expected, abs=0.00005) for metric, expected in known.items()}


def test_every_preset_is_there_without_what_it_lacks(table: pa.Table) -> None:
    found: dict[str, list[str]] = {}
    for row in table.to_pylist():
        found.setdefault(row["preset"], []).append(row["metric"])
    kept = {name: [metric for metric in METRICS if metric in preset.has] for name, preset in PRESETS.items()}
    assert list(found.items()) == [("default", list(METRICS)), *((name, metrics) for name, metrics in kept.items() if metrics)]
    assert ("elliot", "ap") not in by_place(table) and ("sklearn", "ndcg") in by_place(table)


def test_the_default_is_beside_them(cells: Cells) -> None:
    for metric in METRICS:
        row = cells["default", metric]
        assert (row["value"], row["difference"], row["because"]) == (pytest.approx(evaluated()[metric], rel=1e-12), 0, "")
    for (_, metric), row in cells.items():
        if row["value"] is not None:
            assert row["difference"] == pytest.approx(row["value"] - evaluated()[metric], abs=1e-12)


def test_the_columns(table: pa.Table) -> None:
    assert [(field.name, str(field.type)) for field in table.schema] == [
        ("model", "string"),
        ("preset", "string"),
        ("metric", "string"),
        ("k", "int32"),
        ("value", "double"),
        ("users", "int64"),
        ("lists", "int64"),
        ("difference", "double"),
        ("because", "string"),
        ("definition", "string"),
    ]
    assert set(table["model"].to_pylist()) == {None}
    assert {row["preset"]: row["users"] for row in table.to_pylist() if row["metric"] == "precision"}.items() >= {
        ("ranx", 4), ("trec_eval", 3), ("spark", 5)
    }  # fmt: skip


# -- the reasons


def named(because: str) -> tuple[dict[str, str], dict[str, float]]:
    """The options that a reason names, and what it says each changes, "together" among them."""
    told = [part.rsplit(" ", 1) for part in because.split("; ") if part]
    options = dict(name.split("=") for name, _ in told if name != "together")
    return options, {name.partition("=")[0]: float(change) for name, change in told}


def test_because_adds_up(cells: Cells) -> None:
    """What each option named changes by itself, and what is left; nothing where the value is the same."""
    together = 0
    for (name, metric), row in cells.items():
        if name == "default" or row["value"] is None:
            continue
        options, changes = named(row["because"])
        own = {one: evaluated(**{one: value})[metric] - evaluated()[metric] for one, value in options.items()}
        rest = row["difference"] - sum(own.values())
        expected = own | ({"together": rest} if abs(rest) > 1e-9 else {})
        assert changes == pytest.approx(expected, rel=5e-3, abs=1e-9), (name, metric)  # three digits are shown
        together += "together" in changes
    assert together >= 10


def test_the_options_named_make_the_whole_difference(cells: Cells) -> None:
    """All options of a reason, given to `evaluate`, give the value of the preset. One that changes nothing alone says so."""
    idle = 0
    for (name, metric), row in cells.items():
        if name == "default" or row["value"] is None:
            continue
        options, changes = named(row["because"])
        assert evaluated(**options)[metric] == pytest.approx(row["value"], abs=1e-9), (name, metric)
        without_effect = [one for one, change in changes.items() if change == 0]
        assert "together" in changes or not without_effect, (name, metric)
        idle += len(without_effect)
    assert idle >= 10


def test_reasons_by_hand(cells: Cells) -> None:
    """The precision is (2/5 + 1/5 + 0 + 5/5) / 4 = 0.4 by default; u2 has two items, of which one hits, and u3 has no list."""
    assert {name: cells[name, "precision"]["because"] for name in ("ranx", "returned", "trec_eval", "spark")} == {
        "ranx": "",
        "returned": "precision_denominator=returned +0.075",
        "trec_eval": "no_recs=skip +0.133",
        "spark": "no_truth=zero -0.08",
    }
    assert cells["rectools", "ndcg"]["because"] == "ideal=constant -0.153"
    assert cells["evidently", "precision"]["because"] == "precision_denominator=returned +0.075"
    hivemall = (
        "relevant=present +0; precision_denominator=returned +0.075; no_recs=skip +0.133; duplicates=count +0; together +0.025"
    )
    assert cells["hivemall", "precision"]["because"] == hivemall


def test_options_that_do_it_only_together() -> None:
    """The last of the tied items is first by score and item_desc: alone, neither the score nor the rule for ties does it."""
    recs = pa.table({"user_id": ["u"] * 3, "item_id": ["a", "b", "c"], "rank": [1, 2, 3], "score": [1.0, 1.0, 1.0]})
    truth = pa.table({"user_id": ["u"], "item_id": ["c"]})
    found = by_place(recsql.conventions(recs, truth, "rr", 1))
    assert (found["default", "rr"]["value"], found["ranx", "rr"]["value"], found["replay", "rr"]["value"]) == (0, 0, 1)
    reason = "relevant=present +0; rank_by=score +0; duplicates=set +0; ties=item_desc +0; together +1"
    assert found["replay", "rr"]["because"] == reason


@pytest.mark.parametrize(("least", "grade"), [(0.0, "0"), (-2.0, "-2"), (0.5, "")])
def test_a_preset_to_which_every_row_is_relevant_does_not_apply_to_grades_of_0(least: float, grade: str) -> None:
    """The values of the others stay; metrics that read no truth have theirs."""
    recs = pa.table({"user_id": ["u", "u", "v"], "item_id": ["a", "b", "a"], "rank": [1, 2, 1]})
    truth = pa.table({"user_id": ["u", "u", "u", "v"], "item_id": ["a", "c", "d", "b"], "relevance": [1.0, 1.0, 1.0, least]})
    found = by_place(recsql.conventions(recs, truth, ["recall", "coverage"], 2, catalog_size=9))
    present = {name for name, one in PRESETS.items() if one.options.get("relevant") == "present" and "recall" in one.has} - {
        "pyspark_udf"
    }
    assert len(present) == 7
    present |= {"elliot"} if least == 0 else set()  # whose threshold is 0
    says = f"not applicable: the truth has rows of grade {grade}"
    assert {preset for (preset, _), row in found.items() if row["because"] == says} == (present if grade else set())
    for (preset, metric), row in found.items():
        if row["because"] == says:
            assert (metric, row["value"], row["users"], row["difference"]) == ("recall", None, None, None)
        elif preset != "pyspark_udf" and "train" not in row["because"]:
            assert row["value"] is not None, (preset, metric)
    given = by_place(recsql.conventions(recs, truth, "recall", 2, relevant="present"))
    assert given["spark", "recall"]["value"] is not None


def test_the_ideal_is_named_where_it_says_who_is_in_the_mean() -> None:
    recs = pa.table({"user_id": [1, 2], "item_id": ["x", "a"], "rank": [1, 1]})
    found = by_place(recsql.conventions(recs, pa.table({"user_id": [1, 2], "item_id": ["a", "a"]}), "hit", 5, zero_ideal="skip"))
    assert found["torchmetrics", "hit"]["because"] == "ideal=candidates +0.5"


def test_a_preset_that_cannot_be_computed_says_why(cells: Cells) -> None:
    for metric in (metric for metric in METRICS if metric in PRESETS["pyspark_udf"].has):
        row = cells["pyspark_udf", metric]
        assert (row["value"], row["users"], row["difference"], row["because"]) == (None, None, None, UNORDERED)
    assert not [row for (name, _), row in cells.items() if row["value"] is None and name != "pyspark_udf"]


@pytest.mark.usefixtures("few_presets")
def test_with_what_it_needs_it_is_computed() -> None:
    found = by_place(recsql.conventions(RECS, ORDERED, ["precision", "ap"], 5))
    for metric in ("precision", "ap"):
        alone = recsql.evaluate(RECS, ORDERED, metric, 5, like="pyspark_udf").to_pylist()[0]
        row = found["pyspark_udf", metric]
        assert (row["value"], row["users"]) == (pytest.approx(alone["value"], rel=1e-12), 4)
        assert "NULL" not in row["because"]


# -- what else may be asked


def test_options_beat_the_presets() -> None:
    graded = TRUTH.append_column("relevance", [[float(1 + n % 3) for n in range(TRUTH.num_rows)]])
    found = by_place(recsql.conventions(RECS, graded, "ndcg", 5, gain="exp2", no_recs="skip"))
    for name in ("ranx", "rectools", "lenskit", "spark"):
        [alone] = recsql.evaluate(RECS, graded, "ndcg", 5, gain="exp2", no_recs="skip", like=name)["value"].to_pylist()
        assert found[name, "ndcg"]["value"] == pytest.approx(alone, rel=1e-12)
    assert not [row for row in found.values() if re.search("gain|no_recs", row["because"])]
    assert found["ranx", "ndcg"]["value"] != pytest.approx(evaluated()["ndcg"])


@pytest.mark.usefixtures("few_presets")
def test_the_lenskit_row_without_lists_that_have_no_truth() -> None:
    [row] = [row for row in ROWS if row.options]
    found = by_place(recsql.conventions(RECS, TRUTH, METRICS, 5, **row.options))
    assert {metric: found[row.library, metric]["value"] for metric in row.values} == {
        metric: pytest.approx(expected, abs=0.00005) for metric, expected in row.values.items()
    }


def test_brackets_and_other_names() -> None:
    """Brackets override every preset, even if they give the default."""
    metrics = ["ap(denominator=relevant)", "ndcg(ideal=truth)", "precision(denominator=achievable)", "MRR"]
    found = by_place(recsql.conventions(RECS, TRUTH, metrics, 5))
    assert [metric for name, metric in found if name == "rectools"] == metrics
    for name in ("rectools", "trec_eval"):
        alone = recsql.evaluate(RECS, TRUTH, metrics, 5, like=name)["value"].to_pylist()
        assert [found[name, metric]["value"] for metric in metrics] == pytest.approx(alone, rel=1e-12)
    told = {metric: found["rectools", metric]["because"] for metric in metrics}
    assert told == dict.fromkeys(metrics, "")


def test_models_and_cutoffs() -> None:
    reversed_lists = {user: " ".join(reversed(items.split())) for user, items in LISTS.items()}
    recs = pa.concat_tables([rows(LISTS, model="a"), rows(reversed_lists, model="b")])
    found = recsql.conventions(recs, TRUTH, ["ap", "rr@3"], [2, 4]).to_pylist()
    asked = {"ap": [2, 4], "rr": [3]}
    expected = [
        (model, name, metric, k)
        for model in ("a", "b")
        for name in ("default", *PRESETS)
        for metric, ks in asked.items()
        for k in ks
        if name == "default" or metric in PRESETS[name].has
    ]
    assert [(row["model"], row["preset"], row["metric"], row["k"]) for row in found] == expected
    for name in ("ranx", "trec_eval", "recbole"):
        alone = recsql.evaluate(recs, TRUTH, ["ap", "rr@3"], [2, 4], like=name).to_pylist()
        assert [row["value"] for row in found if row["preset"] == name] == pytest.approx([row["value"] for row in alone])


def test_metrics_of_lists_have_conventions_too() -> None:
    recs = pa.table({"user_id": [1, 1, 1, 2], "item_id": ["a", "b", "c", "a"], "rank": [1, 2, 3, 1]})
    items = pa.table({"item_id": ["a", "b", "c"], "category": [["X"], ["X", "Y"], ["Z"]]})
    found = recsql.conventions(recs, recs, ["ild", "personalisation"], 3, items=items, rank_by="rank").to_pylist()
    ild = {row["preset"]: row["value"] for row in found if row["metric"] == "ild"}
    assert ild["default"] == ild["jurity"] == pytest.approx((1 - 1 / 2**0.5 + 1 + 1) / 3)
    assert ild["rectools"] == pytest.approx(((1 + 2 + 3) / 3 + 0) / 2)
    assert {row["preset"]: row["because"] for row in found if row["metric"] == "personalisation"}["evidently"] != ""


@pytest.mark.usefixtures("few_presets")
@pytest.mark.parametrize(
    ("metrics", "options", "sentence"),
    [
        (["ndgc"], {}, "unknown metric 'ndgc'; did you mean ndcg? "),
        ([["ndcg"]], {}, "metric ['ndcg'] is not of the form name(option=value)@k"),
        (["ndcg"], {"gain": "exp3"}, "gain: unknown value 'exp3'; did you mean exp2? "),
        (["ndcg"], {"like": "ranx"}, "like: conventions computes every preset; leave it out"),
        (["ndcg(like=ranx)"], {}, "like: conventions computes every preset; leave it out"),
        (["rmse"], {}, "rmse is not available here; it compares ratings with predictions, so use evaluate_ratings"),
        (["ndcg"], {"no_truth": "error"}, "user u4 has no relevant item in truth; no_truth='error' does not allow that"),
        (["ndcg"], {"relevance_threshold": 5}, "no user in truth has a relevant item and is in the mean; check relevance"),
    ],
    ids=str,
)
def test_what_the_default_cannot_measure_is_an_error(metrics: list[Any], options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(recsql.RecsqlError) as caught:
        recsql.conventions(RECS, TRUTH, metrics, 5, **options)
    assert str(caught.value).count(sentence) == 1


def test_the_default_metrics_and_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """The default metrics come first, as in evaluate; all are those that the options allow. One preset is enough for that."""
    monkeypatch.setattr(catalog(), "presets", {"ranx": PRESETS["ranx"]})
    usual = catalog().usual_metrics("user")
    assert metrics_in(recsql.conventions(RECS, TRUTH)) == metrics_in(recsql.conventions(RECS, TRUTH, None, 2)) == usual
    found = metrics_in(recsql.conventions(RECS, TRUTH, "all", 2))
    assert found[:6] == usual
    assert {"dcg", "mean_precision", "tp"} <= {*found}
    assert "tn" not in found
    assert "tn" in metrics_in(recsql.conventions(RECS, TRUTH, ["all"], 2, catalog_size=100))


def metrics_in(result: pa.Table) -> list[str]:
    return list(dict.fromkeys(result["metric"].to_pylist()))


@pytest.mark.usefixtures("few_presets")
def test_another_librarys_name_needs_no_hint() -> None:
    """The result has the library's convention, and conventions takes no preset."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = recsql.conventions(RECS, TRUTH, "ndcg_cut_2")
    same = recsql.conventions(RECS, TRUTH, "ndcg@2")
    assert found.drop_columns("metric") == same.drop_columns("metric")
    assert metrics_in(found) == ["ndcg_cut"]


# -- a sample of the users


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch, few_presets: None) -> tuple[pa.Table, pa.Table]:
    """Tables of which a sample of a quarter of the users is measured."""
    places = [(model, user, rank) for model in "ab" for user in range(400) for rank in range(1, 6)]
    hits = {"a": lambda user: user % 5 + 1, "b": lambda user: user % 7 + 1}
    items = [user if rank == hits[model](user) else 1000 * rank for model, user, rank in places]
    recs = pa.table(
        {**dict(zip(("model", "user_id", "rank"), map(list, zip(*places, strict=True)), strict=True)), "item_id": items}
    )
    truth = pa.table({"user_id": range(400), "item_id": range(400), "relevance": [1.0 + user % 3 for user in range(400)]})
    monkeypatch.setattr(calls, "MANY", 1000)  # of 4,000
    monkeypatch.setattr(calls, "ENOUGH", 10)
    return recs, truth


def test_many_rows_are_sampled(drawn: tuple[pa.Table, pa.Table]) -> None:
    """Each value is that of evaluate over the same sample, with its interval; the result says how many users were drawn."""
    found = recsql.conventions(*drawn, ["ndcg", "coverage"], 5, catalog_size=9000)
    assert found.column_names == [
        "model", "preset", "metric", "k", "value", "users", "lists", "low", "high", "difference", "because", "definition"
    ]  # fmt: skip
    by_preset = {
        row["preset"]: row for row in found.to_pylist() if row["metric"] == "ndcg" and row["value"] and row["model"] == "a"
    }
    for preset, row in by_preset.items():
        options = {} if preset == "default" else {"like": preset}
        same, _ = recsql.evaluate(*drawn, "ndcg", 5, sample=0.25, interval=0.95, **options).to_pylist()
        assert [row[name] for name in ("value", "low", "high", "users")] == [
            same[name] for name in ("value", "low", "high", "users")
        ]
    assert {*found["definition"].to_pylist()} == {"ndcg(sample=0.25)", "coverage(sample=0.25)"}
    told = metadata_of(found)["sample"]
    assert told == {"share": 0.25, "users": by_preset["default"]["users"], "of": 400, "interval": 0.95}
    assert 80 < told["users"] < 120
    assert (by_preset["ranx"]["because"], by_preset["lenskit"]["because"][:16]) == ("", "discount=jk2002 ")
    line = f"The values are those of a sample: {told['users']} of 400 users, with 95 % intervals; sample=1 takes all users."
    assert repr(Shown.of(found)).split("\n")[-1] == line


def test_a_metric_of_all_lists_has_no_value_in_a_sample(drawn: tuple[pa.Table, pa.Table]) -> None:
    rows = recsql.conventions(*drawn, ["ndcg", "coverage"], 5, catalog_size=9000).to_pylist()
    of_coverage = [row for row in rows if row["metric"] == "coverage"]
    assert {row["value"] for row in of_coverage} == {None}
    assert of_coverage[0]["because"] == "not a mean over users, so not computed over a sample of them"


@pytest.mark.parametrize(
    ("metrics", "options"), [("ndcg", {"sample": 1}), ("ndcg(sample=1)", {}), ("coverage", {"catalog_size": 9000})], ids=str
)
def test_all_users_all_the_same(drawn: tuple[pa.Table, pa.Table], metrics: str, options: dict[str, Any]) -> None:
    """If the call says so, and if no metric is a mean over users."""
    found = recsql.conventions(*drawn, metrics, 5, **options)
    assert "low" not in found.column_names
    assert "sample" not in metadata_of(found)
    assert found["value"][0] == recsql.evaluate(*drawn, metrics, 5, **options)["value"][0]


def test_ids_that_engines_write_differently_are_not_sampled(drawn: tuple[pa.Table, pa.Table]) -> None:
    recs, truth = (table.drop_columns("user_id").append_column("user_id", table["user_id"].cast(pa.float64())) for table in drawn)
    assert "low" not in recsql.conventions(recs, truth, "ndcg", 5).column_names


def test_a_sample_on_the_command_line(
    drawn: tuple[pa.Table, pa.Table], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(tmp_path / "recs.parquet"), str(tmp_path / "truth.parquet")]
    for written, path in zip(drawn, paths, strict=True):
        pq.write_table(written, path)
    assert main(["conventions", *paths, "-k", "5", "-m", "ndcg"]) == 0
    shown = capsys.readouterr().out
    assert shown.endswith(" of 400 users, with 95 % intervals; --sample 1 takes all users.\n")
    assert re.search(r"\na +default +0\.\d{4} \[0\.\d{4}, 0\.\d{4}\]", shown)


# -- on the command line


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [str(tmp_path / "recs.parquet"), str(tmp_path / "truth.parquet")]
    for written, path in zip((RECS, TRUTH), paths, strict=True):
        pq.write_table(written, path)
    return paths


def test_the_table_has_a_line_per_preset(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conventions", *files, "-k", "5", "-m", "precision,ndcg"]) == 0
    shown = capsys.readouterr().out
    values, reasons = shown.rstrip("\n").split("\n\n")
    lines = values.splitlines()
    assert lines[0].split() == ["preset", "precision@5", "ndcg@5"]
    printed = {line.split()[0]: line.split()[1:] for line in lines[2:]}
    assert list(printed) == ["default", *PRESETS]
    assert [printed[name] for name in ("default", "rectools", "spark")] == [
        ["0.4000", "0.5837"],
        ["0.4000", "0.4307"],
        ["0.3200", "0.4670"],
    ]
    assert (printed["sklearn"], printed["pyspark_udf"]) == (["0.6377"], [])
    told = reasons.splitlines()
    assert told[0].split() == ["preset", "because", "changes"]
    assert [line.split(maxsplit=2) for line in told if line.startswith(("recommenders", "rectools"))] == [
        ["recommenders", "no_recs=skip", "precision@5 +0.133"],
        ["rectools", "ideal=constant", "ndcg@5 -0.153"],
    ]
    assert [line for line in told if line.startswith("pyspark_udf")] == [
        f"pyspark_udf   {UNORDERED.replace('truth:', files[1] + ':', 1)}  precision@5, ndcg@5"
    ]


def test_machines_get_the_rows(files: list[str], cells: Cells, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conventions", *files, "-k", "5", "-m", "ap", "--format", "csv"]) == 0
    found = {row["preset"]: row for row in csv.DictReader(capsys.readouterr().out.splitlines())}
    assert found.keys() == {name for name, metric in cells if metric == "ap"}
    assert found.pop("pyspark_udf")["value"] == ""
    for name, row in found.items():
        expected = cells[name, "ap"]
        assert (row["k"], row["users"], row["because"]) == ("5", str(expected["users"]), expected["because"])
        assert float(row["value"]) == pytest.approx(expected["value"], rel=1e-12)


@pytest.mark.usefixtures("few_presets")
def test_a_file_and_options(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "found.parquet"
    assert main(["conventions", *files, "-k", "5", "-m", "rr", "--no-recs", "skip", "-o", str(path)]) == 0
    assert capsys.readouterr().out == ""
    recs, truth = files
    found, expected = pq.read_table(path), recsql.conventions(recs, truth, "rr", 5, no_recs="skip")
    assert found.schema.equals(expected.schema)
    for column in ("preset", "users", "because"):
        assert found[column].to_pylist() == expected[column].to_pylist()
    assert [round(one, 9) for one in found["value"].to_pylist() if one] == [
        round(one, 9) for one in expected["value"].to_pylist() if one
    ]


def test_what_the_database_cannot_do_is_no_reason_of_a_preset() -> None:
    with duckdb.connect() as con:
        con.execute(
            "create view listed as select 'u' as user_id, 'a' as item_id, cast(x as integer) as rank from (values ('x')) as v(x)"
        )
        con.execute("create table truth as select 'u' as user_id, 'a' as item_id")
        with pytest.raises(recsql.EngineError, match="Could not convert string 'x'"):
            recsql.conventions("listed", "truth", "recall", 5, connection=con)


@pytest.mark.usefixtures("few_presets")
def test_what_can_be_read_once_only() -> None:
    """Many queries read each table: those of the presets, and those of each of their options alone."""
    users = TRUTH.select(["user_id"]).slice(1)
    recs, truth, once = (pa.RecordBatchReader.from_batches(table.schema, table.to_batches()) for table in (RECS, TRUTH, users))
    assert recsql.conventions(recs, truth, "ndcg", 5, users=once) == recsql.conventions(RECS, TRUTH, "ndcg", 5, users=users)


@pytest.mark.usefixtures("few_presets")
def test_a_metric_asked_for_twice_has_its_rows_once() -> None:
    rows = recsql.conventions(RECS, TRUTH, ["ndcg@5", "ndcg"], 5)
    assert rows == recsql.conventions(RECS, TRUTH, "ndcg", 5)


def test_a_preset_that_cannot_compute_a_metric_says_why() -> None:
    rows = {row["preset"]: row for row in recsql.conventions(RECS, TRUTH, "auc", 5, catalog_size=30).to_pylist()}
    refused = {preset: f"{name} needs train=" for preset, name in AUCS.items()}
    assert {preset: row["because"] for preset, row in rows.items() if row["value"] is None} == refused


@pytest.mark.usefixtures("few_presets")
def test_the_mean_of_means_has_the_denominators_of_the_preset() -> None:
    """Evidently divides by the items returned, in f1 as in precision."""
    rows = {row["preset"]: row["value"] for row in recsql.conventions(RECS, TRUTH, "f1", 5).to_pylist()}
    [row] = recsql.evaluate(RECS, TRUTH, "f1", 5, like="evidently").to_pylist()
    assert rows["evidently"] == row["value"] != rows["default"]
