"""The steps of a query: the query that ends after one, and the walk through all of them.

If it fails, `explain` stops, or shows rows that the query doesn't have at that step.
"""

import csv
import json
import re
from math import log2
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.base.statement import steps_in
from recsql.cli import main
from tests.support import ROOT, fetched

DATA = Path(__file__).parents[2] / "examples/movietweetings"
RECS, TRUTH, ITEMS = (str(DATA / f"{name}.parquet") for name in ("recs", "truth", "items"))
USER = 15558
# User 1 has hits at the ranks 1 and 3, user 2 none, user 3 no list, and user 4 no truth.
FEW_RECS = pa.table({"user_id": [1, 1, 1, 2, 2, 4], "item_id": [*"abcabx"], "rank": [1, 2, 3, 1, 2, 1]})
FEW_TRUTH = pa.table({"user_id": [1, 1, 2, 3], "item_id": [*"acdd"], "relevance": [2.0, 1.0, 1.0, 3.0]})


def rows(step: str, metrics: Any = "ndcg", k: Any = (2, 3), **options: Any) -> list[dict[str, Any]]:
    with duckdb.connect() as con:
        con.register("recs", FEW_RECS)
        con.register("truth", FEW_TRUTH)
        text = recsql.sql("recs", "truth", metrics, k, connection=con, stop_after=step, **options)
        return fetched(con, text)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    pq.write_table(FEW_RECS, tmp_path / "recs.parquet")
    pq.write_table(FEW_TRUTH, tmp_path / "truth.parquet")
    return str(tmp_path / "recs.parquet"), str(tmp_path / "truth.parquet")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 1
    return capsys.readouterr().err.removesuffix("\n")


# -- the query that ends after a step


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"metrics": "all", "k": (5, "all"), "items": ITEMS, "category": "title"},
        {"metrics": "all", "sample": 0.5, "train": TRUTH},
        {"rank_by": "score", "ties": "expected", "no_recs": "skip"},
        {"metrics": "ap(denominator=relevant)", "users": "union"},
    ],
    ids=str,
)
def test_after_every_step(options: dict[str, Any]) -> None:
    """It has the columns of the step, in their order, and no step that this one does not need."""
    with duckdb.connect() as con:
        for step in re.findall(r"^([a-z_]+) as (?:not materialized )?\($", recsql.sql(RECS, TRUTH, **options), re.MULTILINE):
            text = recsql.sql(RECS, TRUTH, stop_after=step, **options)
            before, _, last = text.rpartition("\n\nselect\n")
            found = con.sql(f"{before}\n\nselect s as whole_row,\n{last}")
            assert found.columns[1:] == [name for name, _ in found.types[0].children]
            assert re.search(rf"^from {step} as s$", last, re.MULTILINE)
            made = dict(re.findall(r"^([a-z_]+) as (?:not materialized )?(\(\n.*?\n\))", before, re.MULTILINE | re.DOTALL))
            read = {step}.union(*map(steps_in, made.values()))
            assert [*made][-1] == step
            assert {*made} <= read


def test_the_rows_are_those_worked_out_by_hand() -> None:
    third = 1 / log2(3 + 1)  # the discount of rank 3
    second = 1 / log2(2 + 1)
    best = {1: 2 + second, 2: 1, 3: 3}  # the gains of the best list, discounted
    assert rows("cutoffs") == [{"k": 2}, {"k": 3}]
    assert rows("relevant") == [
        {"user_id": 1, "item_id": "a", "gain": 2},
        {"user_id": 1, "item_id": "c", "gain": 1},
        {"user_id": 2, "item_id": "d", "gain": 1},
        {"user_id": 3, "item_id": "d", "gain": 3},
    ]
    assert rows("hits") == [
        {"user_id": 1, "item_id": "a", "rank": 1, "gain": 2, "copies": 1, "nth": 1},
        {"user_id": 1, "item_id": "c", "rank": 3, "gain": 1, "copies": 1, "nth": 2},
    ]
    assert [(row["k"], row["rank"]) for row in rows("hits_in_force")] == [(2, 1), (3, 1), (3, 3)]
    assert rows("hits_at_k") == [{"user_id": 1, "k": 2, "dcg": 2}, {"user_id": 1, "k": 3, "dcg": pytest.approx(2 + third)}]
    means = {row["k"]: row["ndcg"] for row in rows("means")}
    assert means == {2: pytest.approx(2 / best[1] / 3), 3: pytest.approx((2 + third) / best[1] / 3)}
    each = {(row["user_id"], row["k"]): row["ndcg"] for row in rows("per_user", ["ndcg", "idcg"])}
    assert each[1, 3] == pytest.approx((2 + third) / best[1])
    assert {row["user_id"]: row["idcg"] for row in rows("at_k", ["ndcg", "idcg"], 3)} == {u: pytest.approx(best[u]) for u in best}
    assert [row["metric"] for row in rows("summary", ["rr", "ndcg"], 3)] == ["rr", "ndcg"]


@pytest.mark.parametrize("dialect", ["duckdb", "spark"])
def test_the_text(dialect: str) -> None:
    """The same in each dialect, with the order of the rows."""
    text = recsql.sql(RECS, TRUTH, "hit@5", dialect=dialect, stop_after="hits_in_force")
    assert text.startswith("with\n-- one row per row of recs")
    columns = ",\n".join(f"    s.{name}" for name in ("model", "user_id", "item_id", "k", "rank", "gain", "nth"))
    order = "s.model asc nulls first, s.user_id asc, s.k asc, s.rank asc, s.item_id asc"
    assert text.endswith(f"\n)\n\nselect\n{columns}\nfrom hits_in_force as s\norder by {order}")


def test_steps_that_the_query_does_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECSQL_FAST", "off")  # so that the steps are those that explain lists
    with pytest.raises(recsql.UnknownName) as unknown:
        recsql.sql(RECS, TRUTH, "hit@5", stop_after="hitz")
    steps = ", ".join(recsql.explain(RECS, TRUTH, "hit@5")["step"].to_pylist())
    assert str(unknown.value) == f"stop_after: unknown step 'hitz'; did you mean hits? choose one of {steps}"
    with pytest.raises(recsql.RecsqlError) as absent:
        recsql.sql(RECS, TRUTH, "hit@5", stop_after="ideals")
    assert str(absent.value) == f"stop_after: this query has no step ideals; it has {steps}"
    assert "ideals" in recsql.explain(RECS, TRUTH, "ndcg@5")["step"].to_pylist()
    with pytest.raises(recsql.RecsqlError) as several:
        recsql.sql(RECS, TRUTH, ["hit", "hit(no_recs=skip)"], stop_after="hits")
    assert str(several.value) == "metrics: their options need 2 queries; ask for those of one query to see its steps"


def test_bad_rows_are_shown() -> None:
    """The checks don't run, but the step problems has what they find."""
    bad = FEW_RECS.set_column(2, "rank", pa.array([1, 2, 3, 1, 1, 1]))
    with pytest.raises(recsql.BadInput) as found:
        recsql.evaluate(bad, FEW_TRUTH, "hit@5")
    with duckdb.connect() as con:
        con.register("recs", bad)
        con.register("truth", FEW_TRUTH)
        text = {step: recsql.sql("recs", "truth", "hit@5", connection=con, stop_after=step) for step in ("problems", "ranked")}
        assert con.execute(text["problems"]).fetchall() == [(str(found.value),)]
        assert len(con.sql(text["ranked"])) == 6
    assert recsql.explain(bad, FEW_TRUTH, "hit@5").to_pylist()[-1].items() > {"step": "problems", "rows": 1}.items()


# -- the command line


def test_the_rows_of_a_step_in_every_format(capsys: pytest.CaptureFixture[str], files: tuple[str, str], tmp_path: Path) -> None:
    asked = ("evaluate", *files, "-m", "ndcg", "-k", "2,3", "--stop-after", "hits")
    assert json.loads(printed(capsys, *asked, "--format", "json")) == rows("hits")
    assert [*csv.DictReader(printed(capsys, *asked, "--format", "csv").splitlines())] == [
        {name: str(value) for name, value in row.items()} for row in rows("hits")
    ]
    assert printed(capsys, *asked, "-o", str(tmp_path / "hits.parquet")) == ""
    assert pq.read_table(tmp_path / "hits.parquet").to_pylist() == rows("hits")
    assert printed(capsys, "evaluate", *files, "-m", "ndcg", "--stop-after", "ideals", "-o", str(tmp_path / "x.parquet")) == ""
    assert printed(capsys, *asked, "--format", "markdown").count("\n") == 4
    assert printed(capsys, *asked).splitlines()[0].split() == ["user_id", "item_id", "rank", "gain", "copies", "nth"]
    text = printed(capsys, "sql", *asked[1:])
    assert text.rstrip("\n") == recsql.sql(*files, "ndcg", (2, 3), stop_after="hits")


def test_the_rows_of_one_user(capsys: pytest.CaptureFixture[str], files: tuple[str, str]) -> None:
    """Also of one without a hit, who has no row of their own in the query for the means."""

    def found(command: str, step: str, user: str) -> list[Any]:
        arguments = (command, *files, "-m", "ndcg", "-k", "3", "--format", "json", "--stop-after", step, "--user-id", user)
        return list(json.loads(printed(capsys, *arguments)))

    assert [row["user_id"] for row in rows("at_k", k=3)] == [1]
    for command in ("evaluate", "per-user"):
        assert [row["item_id"] for row in found(command, "given_recs", "2")] == ["a", "b"]
        assert [(row["user_id"], row["dcg"], row["idcg"]) for row in found(command, "at_k", "3")] == [(3, 0, 3)]
        assert found(command, "hits", "3") == found(command, "hits", "'; drop") == []
    assert "list_length" in found("per-user", "per_user", "2")[0]


def test_sentences(capsys: pytest.CaptureFixture[str], files: tuple[str, str]) -> None:
    asked = ("evaluate", *files, "-m", "hit", "-k", "3")
    unknown = "recsql: --stop-after: unknown step 'hit'; did you mean hits?"
    assert refused(capsys, *asked, "--stop-after", "hit").startswith(unknown)
    assert refused(capsys, *asked, "--stop-after", "means", "--user-id", "1") == (
        "recsql: --user-id: the rows of means have no user; "
        "they have k, lists, hit, hit_users, beyond_bounds; leave --user-id out"
    )
    assert refused(capsys, *asked, "--user-id", "1") == (
        "recsql: --user-id: it chooses rows of a step; add --stop-after STEP, or use recsql explain"
    )
    assert refused(capsys, "explain", *files, "--user-id", "9") == (
        "recsql: --user-id: neither recs nor truth has a user '9'; give the id of a user with a list"
    )
    assert refused(capsys, "explain", *files, "--user-id", "1", "--format", "csv") == (
        "recsql: --format: with --user-id, explain only has tables for people; try recsql evaluate --stop-after STEP"
    )


# -- explain


@pytest.mark.parametrize("metrics", ["all", ["entropy(scope=list)", "ndcg"]], ids=str)
def test_the_steps_are_those_of_the_plain_query_and_of_the_checks(metrics: Any) -> None:
    text = recsql.sql(RECS, TRUTH, metrics, plain=True)
    found = recsql.explain(RECS, TRUTH, metrics).select(["row", "step"]).to_pylist()
    shown, steps = re.findall(r"^-- (.*)\n(\w+) as \($", text, re.MULTILINE), [tuple(one.values()) for one in found[:-2]]
    assert shown == [one for one in steps if one in shown]
    assert {name for _, name in steps} - {name for _, name in shown} <= {"hits"}  # they are what was found if nothing reads nth
    assert [one["step"] for one in found[-2:]] == ["repeated_ranks", "problems"]


def test_the_steps_with_their_rows(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each as many as the query that ends after the step has."""
    monkeypatch.setenv("RECSQL_FAST", "off")
    table = recsql.explain(RECS, TRUTH, ["ndcg", "ap"], 10)
    assert table.column_names == ["step", "rows", "file", "row"]
    with duckdb.connect() as con:
        for step, count, file, row in zip(*table.to_pydict().values(), strict=True):
            text = recsql.sql(RECS, TRUTH, ["ndcg", "ap"], 10, stop_after=step)
            chapter, *metrics = file.split(", ")
            assert f"\n-- name: {step}\n" in (ROOT / chapter).read_text()
            assert metrics == (["sql/metrics/ndcg.sql", "sql/metrics/ap.sql"] if step == "per_user" else [])
            assert len(con.sql(text)) == count, step
            assert f"-- {row}\n{step} as " in text
        hits = con.sql(f"from '{RECS}' as r join '{TRUTH}' as t using (user_id, item_id) where r.rank <= 10 and relevance > 0")
        row = {"step": "hits", "rows": len(hits), "file": "sql/steps/hits.sql", "row": "one row per hit, numbered in list order"}
        assert row in table.to_pylist()
    shown = json.loads(printed(capsys, "explain", RECS, TRUTH, "-m", "ndcg,ap", "-k", "10", "--format", "json"))
    assert shown == table.to_pylist()


def test_a_walk_for_one_user(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "explain", RECS, TRUTH, "-m", "ndcg,ap", "-k", "10", "--user-id", str(USER))
    parts = dict(part.split(": ", 1) for part in text.rstrip("\n").split("\n\n"))
    steps = recsql.explain(RECS, TRUTH, ["ndcg", "ap"], 10)
    rows = dict(zip(steps["step"].to_pylist(), steps["row"].to_pylist(), strict=True))
    assert [*parts] == [step for step in rows if step in parts], "those whose rows have a user"
    assert {"given_recs", "hits", "per_user"} < {*parts} and {"cutoffs", "totals", "problems"}.isdisjoint(parts)
    assert all(part.startswith(rows[step]) for step, part in parts.items())
    each = recsql.per_user(RECS, TRUTH, ["ndcg", "ap"], 10).to_pylist()
    of_user = [[row["model"], f"{row['ndcg']:.4f}", f"{row['ap']:.4f}"] for row in each if row["user_id"] == USER]
    shown = [line.split() for line in parts["per_user"].splitlines()[3:]]
    assert [[model, ndcg, ap] for model, _, _, ndcg, ap in shown] == of_user
    assert parts["repeated_ranks"].splitlines()[1:] == ["(no rows)"]
    assert parts["given_recs"].splitlines()[43:] == ["... and 40 more rows: recsql evaluate --stop-after given_recs has all"]
