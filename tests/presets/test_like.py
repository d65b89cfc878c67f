"""Presets: another library's conventions by its name, in Python, inside a metric's brackets, on the command line.

If it fails, `like=` leaves out an option of the preset, or can't be combined with others.
"""

import csv
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.base.package import sql_root
from recsql.catalog import catalog
from recsql.catalog.grammar import METRIC, WHOLE, Asked, parse_metric
from recsql.catalog.options import parse_value
from recsql.cli import main
from recsql.query.plan import LISTS_AND_ITEMS, plan
from tests.random_data import Data, random_data
from tests.support import is_refused, parsed

PRESETS = catalog().presets
KS = [2, 5]
CATALOG_SIZE = 60  # tn needs it
COLUMNS = ("model", "user_id", "item_id", "rank", "score")
JUDGED = ("user_id", "item_id", "relevance", "rank")
OF_TABLES = {("lenskit", "popularity"), ("torchmetrics", "auc")}  # values of theirs: test_group_values and test_formulas
APART = [
    (preset, metric)
    for preset in PRESETS.values()
    for metric in preset.metrics
    if "@" not in metric and (preset.name, metric) not in OF_TABLES
]
BY_SCORE = [name for name, preset in PRESETS.items() if preset.options.get("rank_by") == "score"]
UNKNOWN = f"like: unknown value 'ranxx'; did you mean ranx? choose one of {', '.join(PRESETS)}"
Tables = tuple[pa.Table, pa.Table]


@pytest.fixture(scope="module")
def tables() -> Tables:
    """Graded truth in an order, and lists with tied scores that say the contrary of their ranks."""
    data = random_data(3, text=True, ties=True)
    recs = [replace(rec, score=-rec.score) for rec in data.recs]
    return Data(recs, data.truth).recs_table(*COLUMNS), data.truth_table(*JUDGED)


def close(rows: Sequence[Mapping[str, Any]], expected: Sequence[Mapping[str, Any]]) -> None:
    """The same rows, floats to 1e-12."""
    assert len(rows) == len(expected)
    for row, wanted in zip(rows, expected, strict=True):
        assert row == {
            name: pytest.approx(value, rel=1e-12, abs=1e-12) if isinstance(value, float) else value
            for name, value in wanted.items()
        }


def value(tables: Tables, metric: str, **options: Any) -> list[float | None]:
    """The metric of each model at 5."""
    found: list[float | None] = recsql.evaluate(*tables, metric, 5, **options)["value"].to_pylist()
    return found


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(recsql.UnknownName) as caught:
        call()
    return str(caught.value)


# -- all metrics


@pytest.mark.thorough
@pytest.mark.parametrize("like", PRESETS)
def test_all_metrics(like: str, tables: Tables) -> None:
    """The case of the preset's name does not matter."""
    recs, truth = tables
    at = truth.column_names.index("relevance")
    truth = truth.set_column(at, "relevance", pc.max_element_wise(truth["relevance"], 0.0))  # a gain below 0 is an error
    labels = recsql.evaluate(recs, truth, "all", KS, like=like.upper(), catalog_size=CATALOG_SIZE)["definition"].to_pylist()
    named = [name for name in catalog().metrics_of("user") if "by_name" not in catalog().metrics[name].header]
    there = [name for name in named if name in PRESETS[like].has]
    of_all = [name for name in there if not is_refused(name, PRESETS[like].options_of(name))]
    assert len(labels) == 2 * len(KS) * len(of_all)
    assert all(f"(like={like}" in label for label in labels)


@pytest.mark.parametrize("like", PRESETS)
def test_a_metric_that_the_library_lacks(like: str, tables: Tables) -> None:
    """It is refused, in the call and in brackets, and left out of all metrics and of the default ones."""
    with pytest.raises(recsql.RecsqlError) as caught:
        recsql.evaluate(*tables, "fallout", 5, like=like, catalog_size=CATALOG_SIZE)
    has = ", ".join(PRESETS[like].has)
    assert str(caught.value) == f"fallout: {like} has no such metric; leave like= out for recsql's own, or choose one of {has}"
    with pytest.raises(recsql.RecsqlError, match=f"{like} has no such metric"):
        recsql.evaluate(*tables, f"fallout(like={like})", 5, catalog_size=CATALOG_SIZE)


def test_a_preset_without_metrics_of_a_kind(tables: Tables) -> None:
    says = "metrics: spark has no such metric; leave like= out for recsql's own, or choose one of precision, recall, ap, ndcg"
    with pytest.raises(recsql.RecsqlError) as caught:
        recsql.item_metrics(tables[0], like="spark", catalog_size=CATALOG_SIZE)
    assert str(caught.value) == says


def test_what_a_preset_prints_means_the_same_there() -> None:
    """Where a library has another metric of our name, its own name for ours is printed."""
    names: dict[tuple[str, str], str] = {}
    for like, preset in PRESETS.items():
        for metric in preset.has:
            label = Asked(metric, (("like", like),)).label
            assert parse_metric(label).metric == metric
            names |= {} if label == f"{metric}(like={like})" else {(like, metric): label}
    assert names == {
        ("elliot", "auc"): "gauc(like=elliot)",
        ("recbole", "auc"): "gauc(like=recbole)",
        ("replay", "novelty"): "surprisal(like=replay)",
    }


@pytest.mark.parametrize(
    ("metric", "like", "says"),
    [
        ("AUC", "recbole", "rating_auc is not available here; it compares ratings with predictions, so use evaluate_ratings"),
        (
            "AUC",
            "recommenders",
            "rating_auc is not available here; it compares ratings with predictions, so use evaluate_ratings",
        ),
        (
            "serendipity",
            "recommenders",
            "metric 'serendipity' of recommenders is the mean over the relevant items of 1 - their similarity to the user",
        ),
        ("diversity", "recommenders", "metric 'diversity' of recommenders is 1 - the mean similarity of the items of a list"),
        ("ild", "recommenders", "ild: recommenders has no such metric"),
        ("calibration", "lenskit", "calibration: lenskit has no such metric"),
    ],
)
def test_a_name_that_means_another_metric_there_is_refused(metric: str, like: str, says: str, tables: Tables) -> None:
    with pytest.raises(recsql.RecsqlError) as caught:
        recsql.evaluate(*tables, metric, 5, like=like, catalog_size=CATALOG_SIZE)
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize("metric", ["mrr", "rr", "RR", "recip_rank", "MRR"])
@pytest.mark.parametrize("like", ["trec_eval", "cornac", "ir_measures"])
def test_a_reciprocal_rank_with_a_cutoff_is_cut(metric: str, like: str) -> None:
    recs = pa.table({"user_id": [1] * 50, "item_id": [*range(50)], "score": [float(-item) for item in range(50)]})
    truth = pa.table({"user_id": [1], "item_id": [49]})
    cut = [recsql.evaluate(recs, truth, f"{metric}@10", like=like), recsql.evaluate(recs, truth, metric, 10, like=like)]
    assert [one["value"][0].as_py() for one in cut] == [0, 0]
    assert recsql.evaluate(recs, truth, metric, like=like)["value"].to_pylist() == [pytest.approx(0.02)]


def test_the_ties_of_ir_measures() -> None:
    """RR@k and Judged@k put the smaller id first, RR of the whole list the larger one."""
    recs = pa.table({"user_id": [1, 1], "item_id": ["a", "b"], "score": [1.0, 1.0]})
    truth = pa.table({"user_id": [1], "item_id": ["a"]})
    asked = {"RR@2": 1.0, "RR(rel=1)@1": 1.0, "judged@1": 1.0, "RR": 0.5, "RR@all": 0.5, "P@1": 0.0}
    found = {one: recsql.evaluate(recs, truth, one, like="ir_measures")["value"][0].as_py() for one in asked}
    assert found == asked
    assert recsql.evaluate(recs, truth, "RR", "all", like="ir_measures")["value"].to_pylist() == [0.5]


@pytest.mark.parametrize("like", ["recbole", "evidently"])
def test_item_metrics(like: str, tables: Tables) -> None:
    inputs = {"train": pa.table({"item_id": [f"item {n:02}" for n in range(9)]}), "catalog_size": CATALOG_SIZE}
    found, usual = (recsql.item_metrics(tables[0], None, 3, **inputs, **options) for options in ({"like": like}, {}))
    assert found["value"].to_pylist() != pytest.approx(usual["value"].to_pylist())


# -- its name


def test_the_case_of_the_name_does_not_matter(tables: Tables) -> None:
    expected = recsql.evaluate(*tables, "ap", 5, like="ranx").to_pylist()
    assert [(row["metric"], row["definition"]) for row in expected] == [("ap", "ap(like=ranx)")] * 2
    close(recsql.evaluate(*tables, "ap", 5, like="RanX").to_pylist(), expected)
    in_brackets = recsql.evaluate(*tables, "ap(like=RANX)", 5).to_pylist()
    close([row | {"metric": "ap"} for row in in_brackets], expected)


def test_an_unknown_name_is_the_same_sentence(tables: Tables, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(lambda: recsql.evaluate(*tables, "ap", like="ranxx")) == UNKNOWN
    assert refused(lambda: recsql.evaluate(*tables, "ap(like=ranxx)")) == UNKNOWN
    files = written(tables, tmp_path)
    assert main(["evaluate", *files, "--like", "ranxx"]) == 1
    assert capsys.readouterr().err == f"recsql: --{UNKNOWN}\n"


def written(tables: Tables, folder: Path) -> list[str]:
    paths = [str(folder / "recs.parquet"), str(folder / "truth.parquet")]
    for rows, path in zip(tables, paths, strict=True):
        pq.write_table(rows, path)
    return paths


# -- what beats what


@pytest.mark.parametrize(
    ("like", "metric", "name", "chosen", "label"),
    [
        ("spark", "ap", "ap_denominator", "k", "ap(like=spark, denominator=k)"),
        ("trec_eval", "ap", "ap_denominator", "k", "ap(like=trec_eval, denominator=k)"),
        ("jurity", "ap", "no_recs", "zero", "ap(like=jurity, no_recs=zero)"),
    ],
)
def test_an_explicit_option_beats_the_preset(
    like: str,
    metric: str,
    name: str,
    chosen: str,
    label: str,
    tables: Tables,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    option: dict[str, Any] = {name: chosen}
    expected = value(tables, metric, **{**PRESETS[like].options_of(metric), **option})
    assert expected != pytest.approx(value(tables, metric, like=like))
    flags = ["-k", "5", "-m", metric, "--like", like, f"--{name.replace('_', '-')}", chosen, "--format", "csv"]
    assert main(["evaluate", *written(tables, tmp_path), *flags]) == 0
    shell = [(row["definition"], float(row["value"])) for row in csv.DictReader(capsys.readouterr().out.splitlines())]
    ways = {
        "option": labelled(recsql.evaluate(*tables, metric, 5, like=like, **option).to_pylist()),
        "brackets": labelled(recsql.evaluate(*tables, f"{metric}(like={like}, {name}={chosen})", 5).to_pylist()),
        "brackets and preset": labelled(recsql.evaluate(*tables, f"{metric}({name}={chosen})", 5, like=like).to_pylist()),
        "preset in brackets": labelled(recsql.evaluate(*tables, f"{metric}(like={like})", 5, **option).to_pylist()),
        "command line": shell,
    }
    for way, found in ways.items():
        assert [one for one, _ in found] == [label] * 2, way
        assert [one for _, one in found] == pytest.approx(expected, rel=1e-12), way


def labelled(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, float]]:
    return [(row["definition"], row["value"]) for row in rows]


def test_the_preset_in_the_brackets_beats_that_of_the_call(tables: Tables) -> None:
    metrics = ["ap", "ap(like=ranx)@5", "ap(like=spark)", "ndcg"]
    found = recsql.evaluate(*tables, metrics, 3, like="trec_eval").to_pylist()
    alone = [recsql.evaluate(*tables, text, k, like=like).to_pylist() for text, k, like in (
        ("ap", 3, "trec_eval"), ("ap(like=ranx)", 5, None), ("ap(like=spark)", 3, None), ("ndcg", 3, "trec_eval")
    )]  # fmt: skip
    close(found, [rows[model] for model in (0, 1) for rows in alone])
    assert [row["metric"] for row in found[:4]] == ["ap", "ap(like=ranx)", "ap(like=spark)", "ndcg"]
    assert [row["definition"] for row in found[:4]] == [
        "ap(like=trec_eval)",
        "ap(like=ranx)",
        "ap(like=spark)",
        "ndcg(like=trec_eval)",
    ]
    assert len({row["value"] for row in found[:3]}) == 3


def test_columns_of_a_user_are_named_by_their_preset(tables: Tables) -> None:
    metrics = ["ndcg", "ndcg(like=ranx)", "ndcg(like=rectools)"]
    found = recsql.per_user(*tables, metrics, 5)
    assert found.column_names == ["model", "user_id", "k", "list_length", "relevant", *metrics]


# -- options of some metrics alone


@pytest.mark.parametrize(("preset", "metric"), APART, ids=lambda one: getattr(one, "name", one))
def test_a_metric_apart(preset: Any, metric: str) -> None:
    """The options that a preset has for one metric change it, and no other metric."""
    data = random_data(5, users=40, ties=True, copies="duplicates" in preset.metrics[metric])
    judged = {(row.user_id, row.item_id): row for row in data.truth}.values()
    tables = data.recs_table(*COLUMNS), Data([], list(judged)).truth_table(*JUDGED)
    refused, other = is_refused(metric, preset.options), next(one for one in preset.has if one not in preset.metrics)
    like, own, most = (
        recsql.evaluate(*tables, [other] if refused and options is preset.options else [metric, other], 5, **options)
        for options in ({"like": preset.name}, preset.options_of(metric), preset.options)
    )
    values = [
        {name: [row["value"] for row in one.to_pylist() if row["metric"] == name] for name in (metric, other)}
        for one in (like, own, most)
    ]
    assert values[0][metric] == pytest.approx(values[1][metric], rel=1e-12)
    assert values[0][metric] != pytest.approx(values[2][metric])
    assert values[0][other] == pytest.approx(values[2][other], rel=1e-12)


# -- score or rank


@pytest.fixture(scope="module")
def turned() -> dict[str, pa.Table]:
    """A list whose only hit is first by rank and third by score: all of it, without the score, without the rank."""
    both = pa.table({"user_id": ["u"] * 3, "item_id": ["a", "b", "c"], "rank": [1, 2, 3], "score": [1.0, 2.0, 3.0]})
    return {"both": both, "rank": both.drop_columns(["score"]), "score": both.drop_columns(["rank"])}


JUDGED_A = pa.table({"user_id": ["u"], "item_id": ["a"], "rank": [1]})


def test_score_is_preferred_where_it_is_there(turned: Mapping[str, pa.Table]) -> None:
    asked = {like: f"{'precision' if 'precision' in one.has else 'ndcg'}(like={like})" for like, one in PRESETS.items()}
    for columns, recs in turned.items():
        [row] = recsql.per_user(recs, JUDGED_A, [*asked.values()], 1).to_pylist()
        by_score = PRESETS if columns == "score" else BY_SCORE if columns == "both" else ()
        found = {like: row[metric] for like, metric in asked.items()}
        assert (columns, found) == (columns, {like: 0.0 if like in by_score else 1.0 for like in PRESETS})


def test_the_call_and_the_brackets_say_it_otherwise(turned: Mapping[str, pa.Table]) -> None:
    tables = turned["both"], JUDGED_A
    assert value(tables, "rr", like="ranx", rank_by="rank") == [1.0]
    assert value(tables, "rr(rank_by=rank)", like="ranx") == [1.0]
    assert value(tables, "rr(like=ranx)") == [1 / 3]
    assert value(tables, "rr(like=ranx)", like="spark") == [1 / 3]


# -- names of the library's own


@pytest.mark.parametrize(
    ("text", "like", "label"),
    [
        ("MAP", None, "ap"),
        ("MAP", "elliot", "mean_precision(like=elliot)"),
        ("MAP(like=elliot)", "ranx", "mean_precision(like=elliot)"),
        ("MAP(like=ranx)", "elliot", "ap(like=ranx)"),
        ("MAP", "recommenders", "ap(like=recommenders, denominator=relevant)"),
        ("map_at_k", "recommenders", "ap(like=recommenders)"),
        ("meanAveragePrecision", "spark", "ap(like=spark, denominator=relevant)"),
        ("ndcg_burges", None, "ndcg(gain=exp2)"),
        ("NDCG-Burges", "ranx", "ndcg(like=ranx, gain=exp2)"),
        ("CalibratedRecallK", "recpack", "recall(like=recpack, denominator=achievable)"),
    ],
)
def test_a_name_means_what_it_means_there(text: str, like: str | None, label: str, tables: Tables) -> None:
    found = recsql.evaluate(*tables, text, 5, like=like)
    assert (found["metric"].to_pylist(), found["definition"].to_pylist()) == ([text] * 2, [label] * 2)


def test_a_name_that_means_several_things_is_refused_with_them(tables: Tables) -> None:
    meanings = (
        "metric 'MAR' is ambiguous: the mean recall over the ranks in elliot, "
        "the sum of recall at the rank of each hit / R in evidently; set like=, or choose one of accuracy, "
    )
    assert refused(lambda: recsql.evaluate(*tables, "MAR")).startswith(meanings)
    says = "metric 'MAR' of elliot is the mean recall over the ranks, which recsql does not have; choose one of precision, "
    assert refused(lambda: recsql.evaluate(*tables, "MAR", like="elliot")).startswith(says)


def test_a_name_of_ours_that_means_something_else_in_a_preset(tables: Tables) -> None:
    says = "metric 'serendipity' of evidently is 1 less the similarity of the hits to the user's history, divided by its length, "
    assert refused(lambda: recsql.evaluate(*tables, "serendipity", train=tables[1], like="evidently")).startswith(says)


# -- the files


@pytest.mark.parametrize("like", PRESETS)
def test_the_file_is_complete(like: str) -> None:
    found = tomllib.loads((sql_root() / "presets" / f"{like}.toml").read_text(encoding="utf-8"))
    assert all(found[key].strip() for key in ("title", "version", "reference"))
    assert found["differs"] and all(
        sentence.endswith((".", "?")) and sentence == sentence.strip() for sentence in found["differs"]
    )
    assert found["options"], "a preset without options is none"
    preset, options = PRESETS[like], catalog().options
    assert all(options[name].home.grains == {"interaction"} for name in preset.split)
    for name, chosen in [
        *preset.options.items(),
        *preset.split.items(),
        *(one for own in preset.metrics.values() for one in own.items()),
    ]:
        assert (name, parse_value(options[name], chosen)) == (name, chosen)
        assert not options[name].input
    assert {*preset.has} <= {*catalog().metrics}
    assert {metric.removesuffix("@all") for metric in preset.metrics} | {*preset.uncut} <= {*preset.has}


@pytest.mark.parametrize("name", [(like, name) for like, preset in PRESETS.items() for name in preset.names], ids="-".join)
def test_its_names_mean_metrics_or_are_told(name: tuple[str, str]) -> None:
    like, spoken = name
    meaning = PRESETS[like].names[spoken]
    if METRIC.fullmatch(meaning):
        expected = parsed(meaning)
        uncut = expected.k is None and expected.metric in PRESETS[like].uncut
        assert parse_metric(spoken, like) == (replace(expected, k=WHOLE) if uncut else expected)
    else:
        assert f"of {like} is {meaning}, which" in refused(lambda: parse_metric(spoken, like))


@pytest.mark.parametrize(
    ("metric", "like", "ks"),
    [
        ("AP", "ir_measures", [None]),
        ("AP@2", "ir_measures", [2]),
        ("AP(like=ir_measures)", None, [None]),
        ("mrr", "cornac", [None]),
        ("MRR", "trec_eval", [None]),
        ("meanAveragePrecision", "spark", [None]),
        ("meanAveragePrecisionAt", "spark", [5, 10, 20]),
        ("P", "ir_measures", [5, 10, 20]),
        ("ap", "rectools", [5, 10, 20]),
    ],
)
def test_what_has_no_cutoff_in_a_library_is_of_the_whole_list(metric: str, like: str | None, ks: list[int | None]) -> None:
    recs = pa.table({"user_id": [1, 1, 1], "item_id": [1, 2, 3], "score": [3.0, 2.0, 1.0], "rank": [1, 2, 3]})
    truth = pa.table({"user_id": [1, 1], "item_id": [1, 3]})
    assert recsql.evaluate(recs, truth, metric, like=like)["k"].to_pylist() == ks
    assert recsql.evaluate(recs, truth, metric.partition("@")[0], 4, like=like)["k"].to_pylist() == [4]


def test_each_metric_without_a_cutoff_has_a_value_of_the_whole_list() -> None:
    for preset in catalog().presets.values():
        for metric in preset.uncut:
            train = {"train": pa.table({"item_id": [1]})} if preset.name == "recommenders" else {}
            [pipeline] = plan(metric, None, {"like": preset.name, **train}, LISTS_AND_ITEMS)
            assert pipeline.ks == (WHOLE,)
