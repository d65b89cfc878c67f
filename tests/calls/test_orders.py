"""Models of which one has ranks and another scores: each keeps its own order, wherever recs go in.

If it fails, a model is refused, or ordered by another model's column.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import recsql
from recsql.cli import main
from recsql.engines.duckdb import DuckDB

LISTS = {"a": {"u1": "pxq", "u2": "yrz", "u3": "s"}, "b": {"u1": "xp", "u2": "ryz", "u3": "tsx"}}
TRUTH = pd.DataFrame({"user_id": ["u1", "u1", "u2", "u3"], "item_id": ["p", "q", "r", "s"]})
ROWS = [
    {"model": model, "user_id": user, "item_id": item, "rank": rank}
    for model, lists in LISTS.items()
    for user, items in lists.items()
    for rank, item in enumerate(items, start=1)
]
RANKED = pd.DataFrame(ROWS)
ORDERED = {
    "rank": RANKED,
    "score": RANKED.assign(score=-RANKED["rank"] / 2).drop(columns="rank"),
    "both": RANKED.assign(score=RANKED["rank"] / 2),  # which contradict
}
SHAPES = [("rank", "score"), ("both", "score"), ("rank", "rank"), ("score", "score"), ("both", "both")]
KINDS = [  # and whether the models are a mapping, or a column
    *(("csv", *SHAPES[0], mapped) for mapped in (True, False)),
    *(("frame", *shape, place % 2 == 0) for place, shape in enumerate(SHAPES)),
    ("parquet", *SHAPES[0], False),
]
FUNCTIONS: dict[str, Callable[[Any], pa.Table]] = {
    "evaluate": lambda recs: recsql.evaluate(recs, TRUTH, "all", [1, 2]),
    "interval": lambda recs: recsql.evaluate(recs, TRUTH, ["ndcg", "rr"], 2, interval=0.95),
    "per_user": lambda recs: recsql.per_user(recs, TRUTH, ["ndcg", "rr"], [1, "all"]),
    "hits": lambda recs: recsql.hits(recs, TRUTH, 2),
    "curve": lambda recs: recsql.curve(recs, TRUTH, "ndcg", [1, 2]).data,
    "compare": lambda recs: recsql.compare(recs, TRUTH, "ndcg", 2),
    "differences": lambda recs: recsql.differences(recs, TRUTH, "ndcg", 2),
    "item_metrics": lambda recs: recsql.item_metrics(recs, "entropy", 2),
    "conventions": lambda recs: recsql.conventions(recs, TRUTH, "ndcg", 2),
    "fuse": lambda recs: recsql.fuse(recs).sort_by([("user_id", "ascending"), ("rank", "ascending")]),
}


@cache
def of_ranks(name: str) -> list[dict[str, Any]]:
    """The rows of a function if all models have ranks."""
    return list(FUNCTIONS[name](RANKED).to_pylist())


def given(folder: Path, kind: str, a: str, b: str, *, mapped: bool) -> Any:
    """The lists of both models in one table or in a mapping, with these columns for their orders, in memory or as files."""
    tables = {"a": ORDERED[a], "b": ORDERED[b]}
    tables = {model: table[table["model"] == model] for model, table in tables.items()}
    if mapped:
        tables = {model: table.drop(columns="model") for model, table in tables.items()}
    else:
        tables = {"both": pd.concat(tables.values())}
    if kind != "frame":
        for name, table in tables.items():
            getattr(table, f"to_{kind}")(folder / f"{name}.{kind}", index=False)
        tables = {name: str(folder / f"{name}.{kind}") for name in tables}
    return tables if mapped else tables["both"]


@pytest.mark.few(2)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("kind", "a", "b", "mapped"), KINDS)
def test_every_function_takes_the_same_tables(tmp_path: Path, kind: str, a: str, b: str, mapped: bool) -> None:
    recs = given(tmp_path, kind, a, b, mapped=mapped)
    for name, function in FUNCTIONS.items():
        assert name == "conventions" or function(recs).to_pylist() == of_ranks(name), name
    for level in ("full", "quick"):
        assert "refused" not in recsql.check(recs, TRUTH, k=2, level=level)["finding"].to_pylist()
    if (a, b) == ("rank", "score"):
        found = FUNCTIONS["conventions"](recs).to_pylist()
        assert [row["value"] for row in found] == [row["value"] for row in of_ranks("conventions")]
        said = [(row["model"], row["preset"]) for row in found if "no scores, so ordered by rank" in row["because"]]
        assert ("a", "ranx") in said and ("a", "rectools") not in said and {model for model, _ in said} == {"a"}
        if kind != "csv":
            return
        assert recsql.report(recs, TRUTH, "ndcg", 2, out=str(tmp_path / "report.html"))
        page = (tmp_path / "report.html").read_text()
        assert "; a: no scores, so ordered by rank</td>" in page and "rank_by=rank, else score" in page


def test_a_preset_orders_each_model_by_what_it_has() -> None:
    both, ranks = ORDERED["both"], ORDERED["rank"]
    recs = {"a": ranks[ranks["model"] == "a"], "b": both[both["model"] == "b"]}
    alone = {model: recsql.evaluate({model: table}, TRUTH, "rr", 2, like="ranx") for model, table in recs.items()}
    found = recsql.evaluate(recs, TRUTH, ["rr", "rr(like=ranx)", "ndcg(like=trec_eval)"], 2)
    values = {(row["model"], row["metric"]): row["value"] for row in found.to_pylist()}
    assert values["a", "rr(like=ranx)"] == values["a", "rr"] == alone["a"]["value"][0].as_py()
    assert values["b", "rr(like=ranx)"] == alone["b"]["value"][0].as_py() != values["b", "rr"]
    told = json.loads(found.schema.metadata[b"recsql"])["options"]
    assert [one["rank_by"] for one in told] == ["rank", "score, else rank", "score, else rank"]
    rows = recsql.conventions(recs, TRUTH, "rr", 2).to_pylist()
    because = {row["model"]: row["because"] for row in rows if row["preset"] == "ranx"}
    assert because == {"a": "no scores, so ordered by rank", "b": "rank_by=score -0.167"}


def test_ties_of_the_model_with_scores() -> None:
    """Lists with ranks have no ties."""
    tied = ORDERED["score"].assign(score=1.0)
    recs = {"a": RANKED[RANKED["model"] == "a"], "b": tied[tied["model"] == "b"]}
    for ties in ("expected", "best", "item_desc"):
        found = recsql.evaluate(recs, TRUTH, "rr", 3, ties=ties)["value"].to_pylist()
        alone = [recsql.evaluate({model: one}, TRUTH, "rr", 3, ties=ties)["value"][0].as_py() for model, one in recs.items()]
        assert found == alone
    models = json.loads(recsql.evaluate(recs, TRUTH, "rr", 1).schema.metadata[b"recsql"])["models"]
    assert {one["model"]: one["tied_lists"] for one in models} == {"a": 0, "b": 3}
    for options, says in (
        ({"ties": "input"}, "^recs of b: rank is NULL for user u1, item p; ties='input' needs the input order"),
        (
            {"rank_by": "score"},
            "^recs of a: there is no column score to order the lists by; it has .*; name .* with score='...'$",
        ),
        ({"rank_by": "rank"}, "^recs of b: there is no column rank to order the lists by; it has .*; name .* with rank='...'$"),
    ):
        with pytest.raises(recsql.BadInput, match=says):
            recsql.evaluate(recs, TRUTH, "rr", 3, **options)
    with pytest.raises(recsql.BadInput, match=r"^recs of a: there is no column score to order the lists by"):
        recsql.fuse(recs, method="comb_sum")


def test_rank_one_among_the_rows_of_another_order() -> None:
    """What is wrong with one order is found in it alone, with its rows."""
    recs = {"a": RANKED[RANKED["model"] == "a"].assign(rank=lambda rows: rows["rank"] - 1), "b": ORDERED["score"]}
    recs["b"] = recs["b"][recs["b"]["model"] == "b"]
    with pytest.raises(recsql.BadInput, match=r"^recs of a: rank is 0 for user u1, item p"):
        recsql.evaluate(recs, TRUTH, "rr", 2)
    found = recsql.check(recs, TRUTH, k=2, rows="impossible_ranks").to_pylist()
    assert [(row["model"], row["rank"]) for row in found] == [("a", 0)] * 3


def test_a_list_with_some_ranks_is_refused() -> None:
    recs = pd.concat([RANKED[RANKED["model"] == "a"], ORDERED["score"][ORDERED["score"]["model"] == "b"]])
    recs.iloc[0, 3] = None
    with pytest.raises(recsql.BadInput, match=r"^recs: rank is NULL for user u1, item p; ranks are"):
        recsql.evaluate(recs, TRUTH, "rr", 2)
    recs = recs.assign(model=[None if one == "b" else one for one in recs["model"]]).iloc[1:]
    with pytest.raises(recsql.BadInput, match=r"^recs: rank is NULL for user u1, item p; ranks are"):
        recsql.evaluate(recs, TRUTH, "rr", 2)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_names_of_columns_that_only_some_tables_have(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = {"a": {"rank": "place"}, "b": {"score": "points"}}
    tables = {"a": ORDERED["rank"], "b": ORDERED["score"]}
    for model, table in tables.items():
        named = table[table["model"] == model].drop(columns="model").rename(columns=names[model])
        named.to_csv(tmp_path / f"{model}.csv", index=False)
    TRUTH.to_csv(tmp_path / "truth.csv", index=False)
    files = [f"{model}={tmp_path / model}.csv" for model in tables]
    expected = recsql.evaluate(RANKED, TRUTH, "ndcg@2")["value"].to_pylist()
    paths = dict(one.split("=") for one in files)
    assert recsql.evaluate(paths, TRUTH, "ndcg@2", rank="place", score="points")["value"].to_pylist() == expected
    assert recsql.evaluate([*paths.values()], TRUTH, "ndcg@2", rank="place", score="points")["value"].to_pylist() == expected
    asked = [*files, str(tmp_path / "truth.csv"), "--rank", "place", "--score", "points"]
    assert main(["evaluate", *asked, "-m", "ndcg", "-k", "2"]) == 0
    assert f"ndcg@2  {expected[0]:.4f}  {expected[1]:.4f}" in capsys.readouterr().out
    assert main(["report", *asked, "-o", str(tmp_path / "report.html")]) == 0
    assert main(["evaluate", *files, str(tmp_path / "truth.csv"), "--score", "points"]) == 1
    assert "a.csv: there is no column rank or score; it has user_id, item_id, place; name the" in capsys.readouterr().err


def test_parts(tmp_path: Path) -> None:
    recs = given(tmp_path, "frame", "rank", "score", mapped=True)
    for n, users in enumerate((["u1"], ["u2", "u3"])):
        mine = {model: table[table["user_id"].isin(users)] for model, table in recs.items()}
        recsql.partial(mine, TRUTH[TRUTH["user_id"].isin(users)], str(tmp_path / f"{n}.parquet"), ["ndcg", "ap(like=ranx)"], 2)
    merged = recsql.merge(str(tmp_path / "*.parquet"))
    assert merged.to_pylist() == recsql.evaluate(recs, TRUTH, ["ndcg", "ap(like=ranx)"], 2).to_pylist()


@pytest.mark.parametrize("named", [False, True])
def test_a_damaged_file_is_named(tmp_path: Path, named: bool) -> None:
    """The queries for the orders of its models, and for the model that the call names, name it as well."""
    path = tmp_path / "recs.parquet"
    ORDERED["both"].to_parquet(path)
    path.write_bytes(b"PAR1" + bytes(one ^ 0x5A for one in path.read_bytes()[4:400]) + path.read_bytes()[400:])
    with pytest.raises(recsql.BadInput, match=r"recs\.parquet: it can't be read as Parquet"):
        recsql.evaluate({"x": str(path)} if named else str(path), TRUTH, "rr", 2)


@pytest.mark.parametrize(("name", "looks"), [("recs.parquet", True), ("recs.run", False)])
def test_a_run_is_not_parsed_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, looks: bool) -> None:
    """Each of its rows has a rank and a score, so it isn't asked for models without one of them, as a table is."""
    recs = ORDERED["both"][ORDERED["both"]["model"] == "a"].drop(columns="model")
    recs.to_parquet(tmp_path / "recs.parquet")
    run = recs.assign(q0="Q0", tag="t")[["user_id", "q0", "item_id", "rank", "score", "tag"]]
    run.to_csv(tmp_path / "recs.run", sep=" ", header=False, index=False)
    asked, query = list[str](), DuckDB.query

    def noted(self: DuckDB, text: str) -> pa.Table:
        asked.append(str(text))
        return query(self, text)

    monkeypatch.setattr(DuckDB, "query", noted)
    recsql.evaluate(tmp_path / name, TRUTH, "rr", 2)
    assert any("is null limit 1" in text for text in asked) == looks and asked
