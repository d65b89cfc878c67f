"""Folds: each is evaluated as if it were alone, then the mean and the spread over folds.

If it fails, the mean over folds mixes the users of different folds, or its spread is wrong.
"""

import random
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import recsql

Columns = dict[str, list[Any]]


def data(seed: int = 1) -> tuple[pa.Table, pa.Table]:
    """Recommendations of two models and the truth, for the same users in three folds."""
    chosen = random.Random(seed)
    recs: list[dict[str, Any]] = []
    truth: list[dict[str, Any]] = []
    for fold in (1, 2, 3):
        for user in range(12):
            truth += [{"fold": fold, "user_id": user, "item_id": item} for item in chosen.sample(range(15), 2)]
            for model in ("a", "b"):
                ranked = enumerate(chosen.sample(range(15), 5), start=1)
                recs += [{"fold": fold, "model": model, "user_id": user, "item_id": item, "rank": rank} for rank, item in ranked]
    return pa.Table.from_pylist(recs), pa.Table.from_pylist(truth)


def of_fold(table: pa.Table, fold: int) -> pa.Table:
    return table.filter(pc.field("fold") == fold).drop_columns("fold")


@pytest.mark.parametrize("options", [{}, {"interval": 0.95}, {"like": "ranx"}, {"catalog_size": 15}], ids=str)
def test_each_fold_is_as_if_alone(options: dict[str, Any]) -> None:
    recs, truth = data()
    found = recsql.evaluate(recs, truth, k=[2, 5], **options).to_pylist()
    for fold in (1, 2, 3):
        alone = recsql.evaluate(of_fold(recs, fold), of_fold(truth, fold), k=[2, 5], **options).to_pylist()
        rows = [row for row in found if row["fold"] == fold]
        assert [{name: row[name] for name in alone[0]} for row in rows] == alone
        assert {row["spread"] for row in rows} == {None}


def test_the_mean_and_the_spread() -> None:
    recs, truth = data(2)
    found = recsql.evaluate(recs, truth, ["ndcg", "entropy"], [5]).to_pylist()
    assert list(found[0]) == ["model", "fold", "metric", "k", "value", "users", "lists", "spread", "definition"]
    last = [row for row in found if row["fold"] is None]
    assert [(row["model"], row["metric"]) for row in last] == [
        ("a", "ndcg"), ("a", "entropy"), ("b", "ndcg"), ("b", "entropy"),
    ]  # fmt: skip
    for row in last:
        same = [one["value"] for one in found if one["fold"] and (one["model"], one["metric"]) == (row["model"], row["metric"])]
        assert row["value"] == pytest.approx(statistics.mean(same), rel=1e-14)
        assert row["spread"] == pytest.approx(statistics.stdev(same), rel=1e-12)
        assert row["users"] is None


def test_train_has_folds_too() -> None:
    recs, truth = data(3)
    items = [*range(1, 13), *range(12), *range(3, 15)]  # of 15; item 1, 2 or 3 has two rows in its fold
    train = pa.table({"fold": [1] * 12 + [2] * 12 + [3] * 12, "user_id": [1] * 36, "item_id": items})
    train = pa.concat_tables([train, train.filter(pc.equal(train["item_id"], train["fold"]))])
    rows = recsql.evaluate(recs, truth, ["popularity"], [5], train=train).to_pylist()
    for fold in (1, 2, 3):
        alone = recsql.evaluate(of_fold(recs, fold), of_fold(truth, fold), ["popularity"], [5], train=of_fold(train, fold))
        assert [row["value"] for row in rows if row["fold"] == fold] == alone["value"].to_pylist()


@pytest.mark.parametrize("ending", ["", "parquet", "csv", "json"])
def test_a_table_per_model(tmp_path: Path, ending: str) -> None:
    recs, truth = data(4)
    given: dict[str, Any] = {model: recs.filter(pc.field("model") == model).drop_columns("model") for model in ("a", "b")}
    options = {"train": data(3)[1]}
    every = {**given, "truth": truth, **options}
    if ending:
        for name, table in every.items():
            duckdb.from_arrow(table).query("t", f"copy t to '{tmp_path}/{name}.{ending}'")
        every = {name: str(tmp_path / f"{name}.{ending}") for name in every}
    found = recsql.evaluate({model: every[model] for model in given}, every["truth"], ["hit", "novelty"], train=every["train"])
    assert found.to_pylist() == recsql.evaluate(recs, truth, ["hit", "novelty"], **options).to_pylist()


def test_names_of_folds_are_text_too() -> None:
    recs, truth = data(5)
    named = [
        table.set_column(table.schema.get_field_index("fold"), "Fold", pc.cast(table["fold"], pa.string()))
        for table in (recs, truth)
    ]
    found = recsql.evaluate(named[0], named[1], "ndcg", [5]).to_pylist()
    expected = recsql.evaluate(recs, truth, "ndcg", [5]).to_pylist()
    assert [row["value"] for row in found] == [row["value"] for row in expected]
    assert [row["fold"] for row in found] == [row["fold"] and str(row["fold"]) for row in expected]


def test_what_people_see() -> None:
    truth = pa.table({"user_id": [1, 2, 1, 2], "item_id": list("abcd"), "fold": [1, 1, 2, 2]})
    recs = pa.table({"user_id": [1, 2, 1, 2], "item_id": list("axcd"), "rank": [1] * 4, "fold": [1, 1, 2, 2]})
    assert recsql.to_markdown(recsql.evaluate(recs, truth, "hit", [1])).split("\n\n")[0].splitlines()[2:] == [
        "| 1 | hit@1 | 0.5000 |",
        "| 2 | hit@1 | 1.0000 |",
        "| mean | hit@1 | 0.7500 ± 0.3536 |",
    ]


REFUSED: dict[str, tuple[Callable[[pa.Table, pa.Table], Any], str]] = {
    "per_user": (recsql.per_user, "fold: recs and truth have folds, and only evaluate can keep these apart"),
    "compare": (recsql.compare, "fold: recs and truth have folds, and only evaluate can keep these apart"),
    "hits": (recsql.hits, "fold: recs and truth have folds"),
    "lists alone": (
        lambda recs, _: recsql.item_metrics(recs),
        "recs: it has the column fold; give the lists of one fold, without that column",
    ),
    "truth without": (
        lambda recs, truth: recsql.evaluate(recs, truth.drop_columns("fold")),
        "truth: there is no column fold, as in recs; a list is measured by the truth of its fold",
    ),
    "recs without": (
        lambda recs, truth: recsql.evaluate(of_fold(recs, 1), truth),
        "recs: there is no column fold, as in truth",
    ),
    "a fold without truth": (
        lambda recs, truth: recsql.evaluate(recs, truth.filter(pc.field("fold") < 3)),
        "recs: fold 3 is not in truth",
    ),
    "a model without a fold": (
        lambda recs, truth: recsql.evaluate(recs.filter((pc.field("model") == "a") | (pc.field("fold") < 3)), truth),
        "recs: model b has no list in fold 3; give lists of every model in every fold",
    ),
    "slices": (
        lambda recs, truth: recsql.evaluate(recs, truth.append_column("c", truth["item_id"]), by="c"),
        "by: recs and truth have folds, and there are no slices within these",
    ),
    "a NULL": (
        lambda recs, truth: recsql.evaluate(
            recs, pa.concat_tables([truth, pa.table({"fold": pa.array([None], pa.int64()), "user_id": [1], "item_id": [1]})])
        ),
        "truth: fold is NULL in some rows",
    ),
}


@pytest.mark.parametrize(("call", "sentence"), REFUSED.values(), ids=REFUSED)
def test_refused(call: Callable[[pa.Table, pa.Table], Any], sentence: str) -> None:
    with pytest.raises(recsql.BadInput) as refused:
        call(*data(6))
    assert str(refused.value).startswith(sentence)


def test_from_the_split_to_the_numbers() -> None:
    """The truth of a k_fold, as it is, is the truth of the folds."""
    chosen = random.Random(8)
    bought = pa.table({"user_id": [i % 9 for i in range(90)], "item_id": [chosen.randrange(30) for _ in range(90)]})
    rows = recsql.split(bought, protocol="k_fold", folds=3)
    truth = rows.filter(pc.field("part") == "truth").drop_columns("part").group_by(["fold", "user_id", "item_id"]).aggregate([])
    recs = truth.append_column("rank", pa.array(range(1, len(truth) + 1)))
    with duckdb.connect() as con:
        con.register("recs", recs)
        ranked = con.sql(
            "select fold, user_id, item_id, row_number() over (partition by fold, user_id order by rank) as rank from recs"
        ).to_arrow_table()
    found = recsql.evaluate(ranked, truth, "precision(denominator=returned)", [10]).to_pylist()
    assert [row["value"] for row in found] == [1.0] * 4
    assert found[-1]["spread"] == 0
