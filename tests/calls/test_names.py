"""Metrics' names as other libraries print them, and as results have them.

If it fails, a name from another library is refused, or means another metric.
"""

import json
import warnings
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import recsql
from recsql.cli.command import main
from recsql.display.shown import Shown
from tests.support import parsed

NAMES = {
    "map@100-l2": "ap(relevance_threshold=2)@100",  # ranx
    "ndcg@10": "ndcg@10",
    "AP(rel=2)@100": "ap(relevance_threshold=2)@100",  # ir_measures
    "Success@1": "hit@1",
    "P_10": "precision@10",  # trec_eval
    "map_cut_100": "ap@100",
    "ndcg_cut_10": "ndcg@10",
    "success_1": "hit@1",
    "P.5": "precision@5",
    "rbp.80": "rbp",  # ranx
    "rbp.95@10": "rbp(p=0.95)@10",
    "precisionAt": "precision",  # Spark
    "ndcgAtK@3": "ndcg@3",
    "RetrievalMRR": "rr",  # torchmetrics
    "hit-rate@5": "hit@5",
    "mean_precision": "mean_precision",
}


@pytest.mark.parametrize(("theirs", "ours"), NAMES.items())
def test_it_is_read_as_ours(theirs: str, ours: str) -> None:
    assert str(parsed(theirs)) == ours
    assert str(parsed(ours)) == ours


@pytest.mark.parametrize("name", ["P_", "ndcg_ten", "cut_10", "p10", "ndcg@5-l", "P_0"])
def test_it_is_no_name(name: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=r"unknown metric|a cut-off is a whole number"):
        parsed(name)


def test_the_threshold_in_the_name_counts() -> None:
    recs = pa.table({"user_id": [1, 1], "item_id": [1, 2], "rank": [1, 2]})
    truth = pa.table({"user_id": [1, 1], "item_id": [1, 2], "relevance": [1, 2]})
    found = recsql.evaluate(recs, truth, ["P_2", "precision@2-l2"])
    assert found["value"].to_pylist() == [1.0, 0.5]


# -- as they come back

RECS = pa.table({"user_id": [1, 1, 2, 2], "item_id": [1, 2, 1, 2], "rank": [1, 2, 1, 2], "model": ["a"] * 2 + ["b"] * 2})
TRUTH = pa.table({"user_id": [1, 1, 2], "item_id": [1, 3, 2]})
BOTH = [("map", "ap"), ("ap", "ap"), ("MAP", "ap"), ("P", "precision"), ("map-l1", "ap(relevance_threshold=1)")]


def names_in(result: pa.Table) -> list[tuple[str, str]]:
    pairs = zip(result["metric"].to_pylist(), result["definition"].to_pylist(), strict=True)
    return list(dict.fromkeys(pairs))


@pytest.mark.filterwarnings("ignore")
def test_they_come_back_as_asked_for(tmp_path: Path) -> None:
    """Without the cut-off; two names of one metric are two rows, with our full name in the last column."""
    asked = ["map@2", "ap", "MAP", "P_1", "P@2", "map@2-l1"]
    found = recsql.evaluate(RECS, TRUTH, asked, 2)
    assert names_in(found) == BOTH
    assert found.column_names[-1] == "definition"
    metadata = json.loads(found.schema.metadata[b"recsql"])["metrics"]
    assert [(name, one["definition"]) for name, one in metadata.items()] == BOTH
    recsql.partial(RECS, TRUTH, str(tmp_path / "part"), asked, 2)
    apart = [recsql.compare, recsql.differences, recsql.conventions]
    for result in (recsql.merge(str(tmp_path / "part")), *(one(RECS, TRUTH, asked, 2) for one in apart)):
        assert names_in(result) == BOTH and result.column_names[-1] == "definition"
    connection = duckdb.connect()
    connection.register("recs", RECS)
    connection.register("truth", TRUTH)
    text = recsql.sql("recs", "truth", asked, 2, connection=connection)
    assert connection.sql(text).to_arrow_table().to_pylist() == found.to_pylist()
    assert names_in(recsql.curve(RECS, TRUTH, ["map", "P"], [1, 2]).data) == [BOTH[0], BOTH[3]]
    assert recsql.per_user(RECS, TRUTH, ["map", "ap", "P"], 2).column_names[5:] == ["map", "ap", "P"]


@pytest.mark.filterwarnings("ignore")
def test_parts_match_by_definition(tmp_path: Path) -> None:
    """The names are those of the first part."""
    for name, user in (("map", 1), ("ap", 2)):
        recs, truth = (table.filter(pc.equal(table["user_id"], user)) for table in (RECS, TRUTH))
        recsql.partial(recs, truth, str(tmp_path / name), name, 2)
    found = recsql.merge([str(tmp_path / "map"), str(tmp_path / "ap")])
    expected = recsql.evaluate(RECS, TRUTH, "map", 2)
    assert found.to_pylist() == expected.to_pylist()


@pytest.mark.filterwarnings("ignore")
def test_options_that_a_name_does_not_say_are_told() -> None:
    shown = repr(Shown.of(recsql.evaluate(RECS, TRUTH, ["map", "ndcg(gain=binary)"], 2, like="ranx")))
    assert "\nDefinitions: map is ap(like=ranx), ndcg(gain=binary) is ndcg(like=ranx, gain=binary).\n" in shown
    assert "Definitions" not in repr(Shown.of(recsql.evaluate(RECS, TRUTH, ["map", "ap(denominator=k)"], 2)))


# -- the names of ids and models

NAMED: dict[str, Any] = {"user": "customer", "item": "sku"}
THEIRS = [table.rename_columns({"user_id": "Customer", "item_id": "sku"}) for table in (RECS.drop_columns("model"), TRUTH)]


def test_ids_have_the_names_of_the_input() -> None:
    """As the table spells them, also where several queries are joined."""
    recs, truth = THEIRS
    assert recsql.per_user(recs, truth, "ndcg", 2, **NAMED).column_names[:3] == ["model", "Customer", "k"]
    joined = recsql.per_user(recs, truth, ["ndcg", "ap(duplicates=first)"], 2, **NAMED)
    assert joined.column_names[:3] == ["model", "Customer", "k"] and joined.num_rows == 2
    assert recsql.hits(recs, truth, **NAMED).column_names[:4] == ["model", "Customer", "sku", "rank"]
    assert recsql.ideal(truth, **NAMED).column_names[:3] == ["Customer", "sku", "rank"]
    models = {"pop": recs, "ease": recs}
    assert "Customer" in recsql.differences(models, truth, "ndcg", 2, **NAMED).column_names


@pytest.mark.parametrize(
    ("function", "option", "taken"),
    [
        (recsql.hits, "item", "gain"),
        (recsql.hits, "user", "Model"),
        (recsql.per_user, "user", "relevant"),
        (recsql.per_user, "user", "ndcg"),
        (recsql.ideal, "item", "idcg"),
    ],
)
def test_an_id_named_as_another_column_is_refused(function: Any, option: str, taken: str) -> None:
    tables = [table.drop_columns([*{"model"} & {*table.column_names}]) for table in (RECS, TRUTH)]
    given = [table.rename_columns({f"{option}_id": taken}) for table in tables]
    further = {"metrics": "ndcg"} if function is recsql.per_user else {}
    with pytest.raises(recsql.RecsqlError, match=f"^{option}: the result already has a column {taken}; rename yours"):
        function(*given[function is recsql.ideal :], **further, **{option: taken})


def test_names_that_differ_in_case_are_refused_as_columns() -> None:
    with pytest.raises(recsql.RecsqlError, match=r"^metrics: the result already has a column MAP; "), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        recsql.per_user(RECS, TRUTH, ["map", "MAP"], 2)


@pytest.mark.filterwarnings("ignore")
def test_models_stand_in_the_order_of_the_call(capsys: pytest.CaptureFixture[str]) -> None:
    recs = RECS.drop_columns("model")
    models = {"pop": recs, "als": recs, "ease": recs}
    several = ["ndcg", "ap(duplicates=first)"]
    for result in (
        *(recsql.evaluate(models, TRUTH, metrics, 2) for metrics in ("ndcg", several)),
        *(recsql.per_user(models, TRUTH, metrics, 2) for metrics in ("ndcg", several)),
        recsql.conventions(models, TRUTH, "ndcg", 2),
        recsql.hits(models, TRUTH, 2),
        recsql.evaluate(models, TRUTH, "ndcg", 2, by="half", segments=pa.table({"user_id": [1, 2], "half": ["a", "b"]})),
    ):
        assert list(dict.fromkeys(result["model"].to_pylist())) == [*models]
    rows = recsql.compare(models, TRUTH, several, 2).select(["model", "baseline"]).to_pylist()
    assert [(*row.values(),) for row in rows][::2] == [("pop", "als"), ("pop", "ease"), ("als", "ease")]
    assert recsql.compare(models, TRUTH, "ndcg", 2, baseline="ease")["model"].to_pylist() == ["pop", "als"]
    files = [f"{name}=tests/data/cases/trec.run" for name in ("z", "a")]
    assert main(["evaluate", *files, "tests/data/cases/qrels.dev.tsv", "--input", "trec", "-m", "rr", "-k", "2"]) == 0
    assert capsys.readouterr().out.split()[:3] == ["metric", "z", "a"]


# -- the rows of one user


def test_the_hits_of_one_user(capsys: pytest.CaptureFixture[str]) -> None:
    recs = pa.table({"user_id": [2, 1, 1, 2], "item_id": [1, 2, 1, 3], "rank": [1, 2, 1, 2]})
    rows = recsql.hits(recs, TRUTH).to_pylist()
    assert [(row["user_id"], row["rank"]) for row in rows] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert recsql.hits(recs, TRUTH, user_id=2).to_pylist() == rows[2:]
    with pytest.raises(recsql.BadInput, match=r"^user_id: recs has no list of user '9'; give the id of a user with a list$"):
        recsql.hits(recs, TRUTH, user_id=9)
    files = ["tests/data/cases/five-recs.csv", "tests/data/cases/five-truth.csv"]
    assert main(["hits", *files, "--user-id", "2", "--format", "csv"]) == 0
    assert [line.split(",")[:4] for line in capsys.readouterr().out.splitlines()[1:]] == [
        ["A", "2", "a", "1"],
        ["B", "2", "b", "1"],
    ]
