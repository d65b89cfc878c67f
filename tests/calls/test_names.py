"""Metrics' names as other libraries print them, and as results have them.

If it fails, a name from another library is refused, or means another metric.
"""

import json
import warnings
from collections.abc import Callable
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
    apart: list[Callable[..., Any]] = [recsql.compare, recsql.differences, recsql.conventions]
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
    sentence = "user_id: recs has no list of user '9'; give the id of a user with a list, or add missed=True for what others lack"
    for several in (9, ["1", 9]):
        with pytest.raises(recsql.BadInput, match=f"^{sentence}$"):
            recsql.hits(recs, TRUTH, user_id=several)
    assert recsql.hits(recs, TRUTH, user_id=["1", 2]).to_pylist() == rows
    files = ["tests/data/cases/five-recs.csv", "tests/data/cases/five-truth.csv"]
    assert main(["hits", *files, "--user-id", "2", "--format", "csv"]) == 0
    assert [line.split(",")[:4] for line in capsys.readouterr().out.splitlines()[1:]] == [
        ["A", "2", "a", "1"],
        ["B", "2", "b", "1"],
    ]


def test_what_lists_miss() -> None:
    """User 1: x is a hit, z is at rank 3, q is not listed; model b has none of them. User 4 has no list. v is not relevant."""
    rows = {"model": [*"aaaabbb"], "uid": [1, 1, 1, 2, 1, 1, 1], "item_id": [*"xyzvwvu"], "rank": [1, 2, 3, 1, 1, 2, 3]}
    truth = {"uid": [1, 1, 1, 2, 4, 4], "item_id": [*"xzqyxv"], "relevance": [1, 2, 1, 1, 1, 0]}
    recs, judged = pa.table(rows), pa.table(truth)
    train, items = pa.table({"item_id": [*"xyz"]}), pa.table({"item_id": [*"xxz"], "name": ["X!", "X!", "Z!"]})
    plain = recsql.hits(recs, judged, 2, user="uid")
    found = recsql.hits(recs, judged, 2, user="uid", missed=True, train=train, items=items)
    listed = found.filter(pc.field("hits").is_valid())
    assert listed.select(plain.column_names).to_pylist() == plain.to_pylist()
    names = ["model", "uid", "item_id", "rank", "gain", "title", "in_train"]
    assert [tuple(row[name] for name in names) for row in found.to_pylist() if row["hits"] is None] == [
        ("a", 1, "z", 3, 2.0, "Z!", True),
        ("a", 1, "q", None, 1.0, None, False),
        ("a", 2, "y", None, 1.0, None, True),
        ("a", 4, "x", None, 1.0, "X!", True),
        ("b", 1, "q", None, 1.0, None, False),
        ("b", 1, "x", None, 1.0, "X!", True),
        ("b", 1, "z", None, 2.0, "Z!", True),
        ("b", 2, "y", None, 1.0, None, True),
        ("b", 4, "x", None, 1.0, "X!", True),
    ]
    assert {*recsql.hits(recs, judged, 2, user="uid", missed=True, user_id=[2, 4])["uid"].to_pylist()} == {2, 4}
    with_titles = recsql.hits(recs, judged, 2, user="uid", items=items)
    assert with_titles.column_names == [*plain.column_names, "title"]
    with pytest.raises(recsql.RecsqlError, match=r"^train: nothing in this call reads it, so it has no effect"):
        recsql.hits(recs, judged, 2, user="uid", train=train)
    with duckdb.connect() as con:
        con.execute(recsql.macros())
        con.register("recs", recs.rename_columns(["model", "user_id", "item_id", "rank"]))
        con.register("truth", judged.rename_columns(["user_id", "item_id", "relevance"]))
        counts = [con.sql(f"select count(*) from recsql.hits('recs', 'truth', k := 2{one})") for one in ("", ", missed := true")]
        assert [one.fetchall() for one in counts] == [[(plain.num_rows,)], [(found.num_rows,)]]


def test_the_command_line_shows_what_lists_miss(capsys: pytest.CaptureFixture[str]) -> None:
    files = ["tests/data/cases/five-recs.csv", "tests/data/cases/five-truth.csv"]
    assert main(["hits", *files, "-k", "1", "--user-id", "1,2", "--missed", "--format", "csv"]) == 0
    shown = [line.split(",")[:4] for line in capsys.readouterr().out.splitlines()[1:]]
    found = recsql.hits(files[0], files[1], 1, user_id=[1, 2], missed=True).to_pylist()
    assert shown == [["" if row[name] is None else str(row[name]) for name in [*row][:4]] for row in found]
    assert {str(row["user_id"]) for row in found} == {"1", "2"}


def test_the_users_who_lose_most(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Model b misses the items of three users, a those of one."""
    models = {"a": [1, 2, 3], "b": [4]}
    rows = [f"{model},{user},{'x' if user in hits else 'y'},1" for model, hits in models.items() for user in range(1, 5)]
    (tmp_path / "recs.csv").write_text("\n".join(["model,user_id,item_id,rank", *rows]))
    (tmp_path / "truth.csv").write_text("user_id,item_id\n1,x\n2,x\n3,x\n4,x\n")
    files = [str(tmp_path / name) for name in ("recs.csv", "truth.csv")]
    given = ["compare", *files, "-m", "hit,miss_rate", "-k", "1", "--baseline", "a"]
    assert main([*given, "--worst", "2"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.split("\n\n")[-1].splitlines()]
    assert lines[0][:4] == ["model", "baseline", "user_id", "metric"]
    assert [line[:4] for line in lines[2:4]] == [["b", "a", "1", "hit"], ["b", "a", "2", "hit"]]
    assert main([*given, "--worst", "2", "--format", "json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)
    assert "baseline_value  difference" in shown.err
