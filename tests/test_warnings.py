"""If recs and truth have nothing in common, all values are 0; a warning says so, with an id of each side."""

import json
import re
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.catalog import catalog
from recsql.cli import main
from recsql.grammar import as_written

TRUTH = pa.table({"user_id": ["u1", "u2"], "item_id": ["007", "008"]})
HOW = r"; check how the ids are written \(case, spaces, leading zeros, Unicode forms\)$"
USERS = r"^recs: no user of the lists is in truth: for example, 'U1' here and 'u1' there" + HOW
ITEMS = r"^recs: no item of the lists is in truth: for example, '7' here and '007' there" + HOW


def recs(users: list[str], items: list[str], **further: Any) -> pa.Table:
    return pa.table({**further, "user_id": users, "item_id": items, "rank": pa.array([1] * len(users), pa.int64())})


def told(result: pa.Table) -> list[str]:
    found: list[str] = json.loads(result.schema.metadata[b"recsql"]).get("warnings", [])
    return found


@pytest.mark.parametrize("function", [recsql.evaluate, recsql.per_user], ids=["evaluate", "per_user"])
@pytest.mark.parametrize("asked", ["ndcg", "fn", ["hit", "idcg"]], ids=str)
def test_nothing_in_common(function: Any, asked: Any) -> None:
    """Also for metrics that are not 0 without a hit."""
    for table, says in ((recs(["U1"], ["007"]), USERS), (recs(["u1"], ["7"]), ITEMS)):
        with pytest.warns(UserWarning, match=says) as caught:
            result = function(table, TRUTH, asked, 5)
        assert told(result) == [str(one.message) for one in caught]
        assert {one.filename for one in caught} == {__file__}


def test_a_user_who_counts_1_without_truth_is_no_hit() -> None:
    with pytest.warns(UserWarning, match=USERS):
        [value] = recsql.evaluate(recs(["U1"], ["007"]), TRUTH, "recall", 5, no_truth="one")["value"].to_pylist()
    assert value == pytest.approx(1 / 3)


def test_no_rows() -> None:
    for further in ({}, {"model": pa.array([], pa.string())}):
        empty = pa.table(
            {**further, **{name: pa.array([], pa.string()) for name in ("user_id", "item_id")}, "rank": pa.array([], "i8")}
        )
        with pytest.warns(UserWarning, match="^recs has no rows, so every user counts as having no list$") as caught:
            assert recsql.evaluate(empty, TRUTH, "ndcg", 5)["value"].to_pylist() == [0.0]
        assert len(caught) == 1


@pytest.mark.engine
def test_models_are_named() -> None:
    table = recs(["u1"] * 3, ["7", "007", "8"], model=["a", "b", "c"])
    with pytest.warns(
        UserWarning, match="^recs: no item of the lists of model a and 1 more is in truth: for example, '7' here and '007'"
    ):
        recsql.evaluate(table, TRUTH, "ndcg", 5)
    with pytest.warns(UserWarning, match="^recs: no item of the lists of model a is in truth: for example, '7' here and '007'"):
        recsql.evaluate(table.slice(0, 2), TRUTH, "ndcg", 5)


@pytest.mark.engine
@pytest.mark.parametrize(
    "table",
    [recs(["u1"], ["007"]), recs(["u1"], ["008"]), recs(["u1", "u2"], ["7", "007"]), recs(["u1", "U1"], ["007", "8"])],
    ids=["a hit", "an item of another user", "one item in common", "one user in common"],
)
def test_something_in_common(table: pa.Table) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert told(recsql.evaluate(table, TRUTH, ["ndcg", "fn"], 5)) == []
        assert told(recsql.per_user(table, TRUTH, "ndcg", 5)) == []


def test_the_command_line_says_it_beside_the_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(tmp_path / "recs.parquet"), str(tmp_path / "truth.parquet")]
    for path, table in zip(paths, (recs(["u1"], ["7"]), TRUTH), strict=True):
        pq.write_table(table, path)
    assert main(["evaluate", *paths, "-m", "ndcg", "-k", "5", "--format", "csv"]) == 0
    out, err = capsys.readouterr()
    assert out == "model,metric,k,value,users,lists\n,ndcg,5,0.0,2,1\n"
    said = ITEMS.replace("recs", paths[0], 1).replace("truth", paths[1], 1).replace("^", "^recsql: warning: ")
    assert re.match(said, err)
    assert err.count("\n") == 1


NAMED = {
    "ndcg_cut_10": "trec_eval",
    "P_5": "trec_eval",
    "ndcg_score@5": "sklearn",
    "RetrievalMRR@5": "torchmetrics",
    "hitrate@5": "evidently",
}


@pytest.mark.parametrize(("name", "library"), NAMED.items())
def test_a_library_s_name_under_another_convention(name: str, library: str) -> None:
    """The sentence names each option that the metric reads and that the library has otherwise, and how to ask for the latter."""
    table = recs(["u1"], ["007"])
    with pytest.warns(UserWarning, match=f"^{name} is {library}'s name, and its convention differs") as caught:
        recsql.evaluate(table, TRUTH, name)
    [warning] = caught
    assert warning.filename == __file__
    assert str(warning.message).endswith(f": add like='{library}'")
    said = dict(re.findall(r"(\w+) = (\w+)", str(warning.message)))
    preset = catalog().presets[library].options_of(as_written(name).metric)
    assert said
    assert said == {option: str(preset[option]) for option in said}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("map@5", {}),  # a name of the field
        ("ndcg@5", {}),
        ("ndcg_cut_10", {"like": "trec_eval"}),
        ("ndcg_cut_10", {"like": "ranx"}),
        ("ndcg_cut_10(like=trec_eval)", {}),
        ("ndcg_at_k(no_recs=skip)@5", {"like": "spark"}),
        ("precisionAt@5", {"relevant": "present", "duplicates": "count", "no_truth": "zero", "zero_ideal": "zero"}),  # as Spark
    ],
)
def test_names_that_need_no_hint(name: str, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        recsql.evaluate(recs(["u1"], ["007"]), TRUTH, name, **options)


@pytest.mark.parametrize(
    ("metrics", "k", "is_idle"),
    [("ndcg@10", 5, True), (["ndcg@10", "hit@1"], [1, 5], True), (["ndcg@10", "hit"], 5, False), ("ndcg@5", None, False)],
)
def test_a_cut_off_that_no_metric_has(metrics: Any, k: Any, is_idle: bool) -> None:
    with warnings.catch_warnings(record=True) as caught:
        recsql.evaluate(recs(["u1"], ["007"]), TRUTH, metrics, k)
    says = "k: every metric has its own cut-off, so k has no effect; leave one of the two out"
    assert [str(one.message) for one in caught] == [says] * is_idle


def test_the_command_line_names_the_flag(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"recs": recs(["u1"], ["007"]), "truth": TRUTH}
    for file, table in files.items():
        pq.write_table(table, tmp_path / f"{file}.parquet")
    assert main(["evaluate", *(str(tmp_path / f"{file}.parquet") for file in files), "-m", "ndcg_cut_10"]) == 0
    told = capsys.readouterr().err
    assert told.startswith("recsql: warning: ndcg_cut_10 is trec_eval's name, and its convention differs (")
    assert told.endswith("): add --like trec_eval\n")
