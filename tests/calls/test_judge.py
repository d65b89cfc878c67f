"""`judge`: the cases of the catalogue, an example by hand, and what is refused.

If it fails, people judge the wrong items, or believe bounds that judgements could break.
"""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import recsql
from recsql.cli import main

Found = dict[str, Any]

DATA = Path(__file__).parents[1] / "data" / "judgements.json"
CASES: list[Found] = json.loads(DATA.read_text(encoding="utf-8"))
BOUNDS = [one for one in CASES if one["metric"] == "upper_bound"]
NEXT = [one for one in CASES if one["metric"] == "judge_next"]
TWICE = pa.table({"model": list("aab"), "user_id": ["u1"] * 3, "item_id": list("bba"), "rank": [1, 2, 1]})
TRUTH = {"u1": {"a": 1, "c": 0}, "u2": {"b": 2}}
NEW = {"u1": {"a": 0.9, "b": 0.8}, "u2": {"a": 0.9, "b": 0.8}}
OLD = {"u1": {"c": 0.9, "a": 0.8}, "u2": {"c": 0.9}}
LISTS = {"new": NEW, "old": OLD}


def table(rows: list[list[Any]], last: str) -> pa.Table:
    return pa.table(dict(zip(("user_id", "item_id", last), zip(*rows, strict=True), strict=True)))


def options(found: Found) -> Found:
    """Every gain of the cases is 1."""
    return {"gain": "binary", **({"rbp_p": found["params"]["p"]} if "p" in found["params"] else {})}


def outcomes(rows: pa.Table) -> list[Found]:
    found: list[Found] = json.loads(rows.schema.metadata[b"recsql"])["outcomes"]
    return found


@pytest.mark.parametrize("found", BOUNDS, ids=[one["id"] for one in BOUNDS])
def test_bounds(found: Found) -> None:
    recs, truth, metric = table(found["recs"], "rank"), table(found["truth"], "relevance"), found["params"]["metric"]
    [row] = recsql.judge(recs, truth, metric, found["k"], bounds=True, **options(found)).to_pylist()
    assert row["highest"] == pytest.approx(found["expected"], rel=0, abs=1e-9)
    assert row["lowest"] == pytest.approx(found["lower"], rel=0, abs=1e-9)
    [value] = recsql.evaluate(recs, truth, metric, found["k"], **options(found))["value"].to_pylist()
    assert (row["model"], row["metric"], row["k"], row["users"]) == (None, metric, found["k"], 5)
    assert row["value"] == pytest.approx(value, rel=0, abs=1e-12)


@pytest.mark.parametrize("found", NEXT, ids=[one["id"] for one in NEXT])
def test_judge_next(found: Found) -> None:
    models = {"recs": table(found["recs"], "rank"), "reference": table(found["reference_recs"], "rank")}
    truth, metric = table(found["truth"], "relevance"), found["params"]["metric"]
    rows = recsql.judge(models, truth, metric, found["k"], baseline="recs", n=100, **options(found))
    assert len(rows) == found["rows"]
    for row, (user, item, base_rank, rank, moves) in zip(rows.to_pylist(), found["expected"], strict=False):
        assert (row["user_id"], row["item_id"], row["baseline_rank"], row["rank"]) == (user, item, base_rank, rank)
        assert row["moves"] == pytest.approx(moves, rel=0, abs=1e-9)
    [outcome] = outcomes(rows)
    for name, theirs in (("difference", "difference"), ("lowest", "difference_least"), ("highest", "difference_most")):
        assert outcome[name] == pytest.approx(found[theirs], rel=0, abs=1e-9), name
    assert (outcome["unjudged"], outcome["enough"]) == (found["rows"], found["enough"])


def test_every_case_is_used(shared: Path) -> None:
    collected = json.loads((shared / "catalogue" / "golden_rest.json").read_text(encoding="utf-8"))
    assert [one for one in collected if one["metric"] in ("upper_bound", "judge_next")] == CASES
    assert (len(BOUNDS), len(NEXT)) == (11, 4)


def test_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    """precision@2, of 2 users: u1 has 1 and 1 hits of 2, u2 1 and 0. new is better by (0 + 1/2) / 2 = 0.25.

    Unjudged: b of u1 in new, a of u2 in new, and c of u2 in old: each moves 1/2 / 2.
    """
    rows = recsql.judge(LISTS, TRUTH, "precision", 2, baseline="old")
    assert [tuple(row.values()) for row in rows.to_pylist()] == [
        ("u1", "b", "new", "old", 2, None, 0.25),
        ("u2", "a", "new", "old", 1, None, 0.25),
        ("u2", "c", "new", "old", None, 1, -0.25),
    ]
    recsql.show(rows)
    said = (
        "new is better than old on precision@2 by 0.250; the 3 unjudged items could make it 0.000 to 0.750. Judging the first 3"
    )
    assert f"{said} settles it.\n" in capsys.readouterr().out
    assert recsql.judge(LISTS, TRUTH, "precision", 2, n=1)["item_id"].to_pylist() == ["b"]


def test_bounds_of_models_by_hand() -> None:
    """rr@2: u1 has 1 in new and 1/2 in old; u2 has 1/2 in new, 1 if a is relevant, and 0 in old, 1 if c is."""
    rows = recsql.judge(LISTS, TRUTH, "rr", 2, bounds=True).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        ("new", "rr", 2, 0.75, 0.75, 1.0, 2, 2),
        ("old", "rr", 2, 0.25, 0.25, 0.75, 1, 2),
    ]


def test_a_grade_that_an_item_would_have() -> None:
    """With gain exp2, an item of relevance 3 adds 7 at rank 1."""
    rows = recsql.judge(LISTS, TRUTH, "dcg", 2, gain="exp2", grade=3, baseline="old").to_pylist()
    assert {row["item_id"]: row["moves"] for row in rows}["a"] == 7 / 2
    [new, _] = recsql.judge(LISTS, TRUTH, "dcg", 2, gain="exp2", grade=3, bounds=True).to_pylist()
    assert new["highest"] - new["lowest"] == pytest.approx((7 * 0.6309297535714575 + 7) / 2, abs=1e-12)


def test_several_models_and_users_without_a_list() -> None:
    """Each item is there once, with the pair that it moves most. With no_recs=skip, u2 is left out."""
    lists = {**LISTS, "one": {"u1": {"d": 0.9}}}
    rows = recsql.judge(lists, TRUTH, "dcg", 2).to_pylist()
    assert sorted((row["user_id"], row["item_id"]) for row in rows) == [("u1", "b"), ("u1", "d"), ("u2", "a"), ("u2", "c")]
    assert [len(outcomes(recsql.judge(lists, TRUTH, "dcg", 2, baseline=baseline))) for baseline in (None, "one")] == [3, 2]
    skipped = recsql.judge({"new": NEW, "one": lists["one"]}, TRUTH, "dcg", 2, no_recs="skip")
    assert {row["user_id"] for row in skipped.to_pylist()} == {"u1"}
    [both] = outcomes(skipped)
    assert (both["difference"], both["lowest"]) == (1, 0)


@pytest.mark.parametrize("duplicates", ["first", "hole", "last"])
def test_copies_that_are_chosen(duplicates: str) -> None:
    """B is at rank 1, or with duplicates=last at rank 1 as well, because it moves up."""
    rows = recsql.judge(TWICE, TRUTH, "rr", 2, duplicates=duplicates, bounds=True).to_pylist()
    assert [(row["model"], row["lowest"], row["highest"], row["unjudged"]) for row in rows] == [
        ("a", 0, 0.5, 1),
        ("b", 0.5, 0.5, 0),
    ]
    [row] = recsql.judge(TWICE, TRUTH, "dcg", 2, duplicates=duplicates).to_pylist()
    assert (row["item_id"], row["rank"], row["moves"]) == ("b", 1, 0.5)


def test_all_is_judged_or_equal(capsys: pytest.CaptureFixture[str]) -> None:
    truth = {"u1": {"a": 1, "b": 0, "c": 0}}
    recsql.show(recsql.judge({"new": {"u1": {"a": 1}}, "old": {"u1": {"b": 1}}}, truth, "hits", 1))
    assert "new is better than old on hits@1 by 1.000; every item of both lists is judged.\n" in capsys.readouterr().out
    recsql.show(recsql.judge({"new": {"u1": {"a": 1, "d": 0.5}}, "old": {"u1": {"a": 1}}}, truth, "cg", 2))
    said = "new and old have the same cg@2; the 1 unjudged item could make the difference 0.000 to 1.000.\n"
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (
            {"metric": "ndcg"},
            "ndcg: what an item adds to it depends on the other items, .*; take one of cg, dcg, hits, precision, ",
        ),
        ({"metric": "precision(denominator=returned)"}, "what an item adds to it depends on the other items"),
        (
            {"metric": "bpref", "bounds": True},
            "bpref: it is not known which judgements make it lowest and highest; take one of ap, ",
        ),
        ({"metric": "ap(mean=geometric)", "bounds": True}, "it is not known which judgements make it lowest and highest"),
        ({"metric": ["dcg", "cg"]}, "judgements are asked for one metric at one k, and these are 2"),
        ({"metric": "dcg,cg"}, "judgements are asked for one metric at one k, and these are 2"),
        ({"k": "all"}, "k: whole lists have no cut-off"),
        ({"truth": {"u1": {"a": 1}}}, "no row is judged not relevant"),
        ({"truth": {"u1": {"a": 1}}, "bounds": True}, "no row is judged not relevant"),
        ({"recs": NEW}, "it has no column model"),
        ({"ties": "expected"}, "ties='expected': it is not known what the unjudged items could change under it"),
        ({"no_truth": "one", "bounds": True}, "no_truth='one': it is not known what the unjudged items could change"),
        ({"relevance_threshold": 2}, "grade=1: an item of this relevance is not relevant"),
        ({"grade": 0}, "grade: 0 is not above 0"),
        ({"n": 5, "bounds": True}, "n: nothing in this call reads it"),
        ({"baseline": "old", "bounds": True}, "baseline: nothing in this call reads it"),
        ({"interval": 0.9, "bounds": True}, "interval: nothing in this call reads it"),
        ({"recs": TWICE}, "item b appears more than once in the list of user u1 and model a; list it once"),
        ({"recs": TWICE, "bounds": True}, "item b appears more than once in the list of user u1 and model a; list it once"),
        ({"metric": "precision", "discount": "none"}, "discount: nothing in this call reads it"),
    ],
    ids=str,
)
def test_refused(chosen: Found, message: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=message):
        recsql.judge(**{"recs": LISTS, "truth": TRUTH, "metric": "dcg", "k": 2, **chosen})


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = []
    for name, lists in LISTS.items():
        rows = [f"{user},{item},{score}" for user, items in lists.items() for item, score in items.items()]
        (tmp_path / f"{name}.csv").write_text("\n".join(["user_id,item_id,score", *rows]))
        paths.append(f"{name}={tmp_path / name}.csv")
    (tmp_path / "truth.csv").write_text("user_id,item_id,relevance\nu1,a,1\nu1,c,0\nu2,b,2\n")
    paths.append(str(tmp_path / "truth.csv"))
    assert main(["judge", *paths, "-m", "dcg", "-k", "2", "-n", "2", "-o", str(tmp_path / "next.csv")]) == 0
    assert len((tmp_path / "next.csv").read_text().splitlines()) == 3
    assert main(["judge", *paths, "-m", "ndcg", "-k", "2", "--bounds", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "model,metric,k,value,lowest,highest,unjudged,users"


def test_under_a_preset_and_a_cutoff_of_its_own(recwarn: pytest.WarningsRecorder) -> None:
    """The value is that of evaluate, also with the names and conventions of another library."""
    at_two: Found = {"k": 2}
    for metric, given in (
        ("ndcg_cut", at_two | {"like": "trec_eval"}),
        ("map", at_two | {"like": "ranx"}),
        ("rbp(p=0.5)@2", {}),
        ("ap(denominator=relevant)", at_two),
    ):
        rows = recsql.judge(LISTS, TRUTH, metric, bounds=True, **given).to_pylist()
        values = recsql.evaluate(LISTS, TRUTH, metric, **given)["value"].to_pylist()
        assert [row["value"] for row in rows] == pytest.approx(values, rel=0, abs=1e-12)
        assert all(row["lowest"] <= row["value"] < row["highest"] for row in rows)
    assert not [one for one in recwarn if "k has no effect" in str(one.message)]
