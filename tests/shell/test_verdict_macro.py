"""The macros verdict and counted: the words and counts of the report.

If it fails, the shell, dbt or the browser page says something else than the report about the same tables.
"""

from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import recsql
from recsql.query.results import metadata_of
from tests.report.test_report import VERDICTS, half, lists, made, quarter, truth_of


def verdict(con: duckdb.DuckDBPyConnection, recs: pa.Table, truth: pa.Table, **given: Any) -> list[tuple[int, str, str]]:
    con.register("some recs", recs)
    con.register("some truth", truth)
    values = "".join(f", {name} := {value!r}" for name, value in given.items())
    return con.execute(f"from recsql.verdict('\"some recs\"', '\"some truth\"'{values})").fetchall()


@pytest.mark.parametrize("case", [one for one, (*_, settings, _, _) in VERDICTS.items() if "no_recs" not in settings])
def test_it_says_what_the_report_says(con: duckdb.DuckDBPyConnection, case: str) -> None:
    """But for what the report knows of segments, of train and of the findings of check."""
    users, models, settings, headline, _ = VERDICTS[case]
    baseline = {"baseline": settings["baseline"]} if "baseline" in settings else {}
    rows = verdict(con, lists(users, **models), truth_of(users), k=5, metric="hit", **baseline)
    page = made(users, models, **settings)
    assert rows[0] == (1, "headline", headline)
    assert [place for place, _, _ in rows] == [*range(1, len(rows) + 1)]
    assert [kind for _, kind, _ in rows[1:]] == ["sentence"] * (len(rows) - 1 - (users < 200)) + ["doubt"] * (users < 200)
    further = ("The models are measured", "The whole", "Most of")
    assert [line for _, _, line in rows[1:]] == [one for one in page.verdict.paragraphs if not one.startswith(further)]


def test_models_over_other_users() -> None:
    """A file with another convention has the words of that convention."""
    users, models, settings, headline, _ = VERDICTS["the highest mean is of other users"]
    with duckdb.connect() as con:
        con.execute(recsql.macros(**settings))
        rows = verdict(con, lists(users, **models), truth_of(users), k=5, metric="hit")
    assert [line for _, _, line in rows] == [headline, *made(users, models, **settings).verdict.paragraphs[: len(rows) - 1]]


def test_metrics_whose_high_values_are_not_better(con: duckdb.DuckDBPyConnection) -> None:
    recs, truth = lists(400, new=half, old=quarter), truth_of(400)
    assert verdict(con, recs, truth, k=5, metric="fn")[0][2] == "new is the best model on fn@5."
    assert [line for _, _, line in verdict(con, recs, truth, k=5, metric="idcg")] == [
        "new and old are not shown to differ on idcg@5; none is better.",
        "old and new have the same idcg@5: no user differs (400 users).",
        "Neither high nor low values of idcg are better, so none of the models is the best.",
    ]


def test_lists_without_a_model(con: duckdb.DuckDBPyConnection) -> None:
    rows = verdict(con, lists(400, new=half).drop_columns("model"), truth_of(400), k=5, metric="hit")
    assert [line for _, _, line in rows] == [
        "The model has hit@5 of 0.5000.",
        "hit@5 is 0.5000 [0.4512, 0.5488], the mean over 400 users.",
        "There is no other model to compare it with.",
    ]


def test_names_are_on_one_line(con: duckdb.DuckDBPyConnection) -> None:
    [(_, _, line), *_] = verdict(con, lists(400, **{"a\r\nb\tc\x1b": half, "old": quarter}), truth_of(400), k=5, metric="hit")
    assert line == "a b\\tc\\x1b is the best model on hit@5."


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"baseline": "odl"}, "baseline: odl is not among the models of"),
        ({"metric": "hit, rr"}, "metric: this macro takes one metric; give one, such as ndcg"),
        ({"k": [5, 10]}, "k: this macro takes one cut-off"),
        ({"metric": "ndgc"}, "ndgc"),
    ],
)
def test_what_it_refuses(con: duckdb.DuckDBPyConnection, given: dict[str, Any], said: str) -> None:
    with pytest.raises(duckdb.Error, match=said):
        verdict(con, lists(60, new=half, old=quarter), truth_of(60), **given)


def test_who_is_counted_as_in_the_report(con: duckdb.DuckDBPyConnection) -> None:
    """Half of the users with truth have no list of few, and 20 lists of all are of users without truth."""
    recs = lists(60, few=lambda user: True if user % 2 == 0 else None, all=half)
    con.register("some recs", recs)
    con.register("some truth", truth_of(40))
    rows = con.execute("from recsql.counted('\"some recs\"', '\"some truth\"')").fetchall()
    assert rows == [("all", 40, 40, 1.0, 20), ("few", 40, 20, 0.5, 10)]
    told = metadata_of(recsql.evaluate(recs, truth_of(40), "hit", 5))["models"]
    of_python = [(one["model"], one["users_with_truth"], one["users_without_list"], one["lists_without_truth"]) for one in told]
    assert [(model, users, users - listed, without) for model, users, listed, _, without in rows] == of_python
    con.register("some recs", recs.filter(pc.equal(recs["model"], "few")).drop_columns("model"))
    assert con.execute("from recsql.counted('\"some recs\"', '\"some truth\"')").fetchall() == [(None, 40, 20, 0.5, 10)]


def test_a_file_with_tables_of_options() -> None:
    """They are parameters: the users who count, and the items that users have already."""
    recs, truth = lists(400, new=half, old=quarter), truth_of(400)
    some = pa.table({"user_id": truth["user_id"].slice(0, 300)})
    seen = pa.table({"user_id": truth["user_id"].slice(0, 1), "item_id": ["-"]})
    with duckdb.connect() as con:
        con.execute(recsql.macros("of_some", users="some"))
        con.execute(recsql.macros("of_new", train="seen", seen="drop"))
        for name, rows in {"recs": recs, "truth": truth, "some": some, "seen": seen}.items():
            con.register(name, rows)
        counted = con.execute("from of_some.counted('recs', 'truth', 'some')").fetchall()
        assert [(model, users) for model, users, *_ in counted] == [("new", 300), ("old", 300)]
        for macro in ("of_some.verdict('recs', 'truth', 'some'", "of_new.verdict('recs', 'truth', 'seen'"):
            [first, *_] = con.execute(f"from {macro}, k := 5, metric := 'hit')").fetchall()
            assert first == (1, "headline", "new is the best model on hit@5.")
