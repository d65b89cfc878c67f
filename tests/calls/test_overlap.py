"""`overlap`: by hand, the cases of other systems, values of libraries, and what is refused.

If it fails, two models seem more or less alike than the definitions say.
"""

import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.cli import main
from tests.random_data import random_data
from tests.support import fetched, macro_call

Found = dict[str, Any]

DATA = Path(__file__).parents[1] / "data" / "overlaps.json"
CASES: list[Found] = json.loads(DATA.read_text(encoding="utf-8"))
LEFT_OUT = {"tied ranks are refused": ["rest-open-066", "rest-open-067", "rest-open-068"]}
TIED = [name for names in LEFT_OUT.values() for name in names]
ORDERS_OF_MODELS = "kendall"  # no metric of lists: cases that nothing here computes
TRUNCATED = ("catalogue-open-053", "catalogue-lenskit-007")  # LensKit's, whose cases do not say so
NEW = {"u1": ["a", "b"], "u2": ["a", "b", "c"], "u3": ["a"]}
OLD = {"u1": ["b", "c"], "u2": ["c"], "u4": ["a"]}


def ranked(lists: dict[str, list[Any]]) -> pa.Table:
    rows = [
        {"user_id": user, "item_id": item, "rank": place + 1}
        for user, items in lists.items()
        for place, one in enumerate(items)
        for item in (one if isinstance(one, list) else [one])
    ]
    return pa.Table.from_pylist(rows)


def models_of(found: Found) -> dict[str, pa.Table]:
    if "lists" in found:
        return {name: ranked({"u": its}) for name, its in zip(("a", "b"), found["lists"], strict=True)}
    tables = (found["recs"], found["reference_recs"])
    names = ("user_id", "item_id", "rank")
    return {
        name: pa.table(dict(zip(names, zip(*rows, strict=True), strict=True))) for name, rows in zip("ab", tables, strict=True)
    }


def options(found: Found) -> dict[str, Any]:
    params = {name: value for name, value in found["params"].items() if name != "ties"}
    return params | ({"kind": "truncated"} if found["id"] in TRUNCATED else {})


@pytest.mark.parametrize("found", CASES, ids=[one["id"] for one in CASES])
def test_value_of_another_system(found: Found) -> None:
    recs, k = models_of(found), found["k"] or 10
    if found["id"] in TIED:
        with pytest.raises(recsql.BadInput, match="have the same rank 1 in the list of user u"):
            recsql.overlap(recs, k, **options(found))
        return
    [row] = recsql.overlap(recs, k, **options(found)).to_pylist()
    assert row[found["metric"]] == pytest.approx(found["expected"], rel=0, abs=found["tolerance"])
    for user, value in found.get("expected_per_user", {}).items():
        rows = recsql.overlap(recs, k, per_user=True, **options(found)).to_pylist()
        [its] = [one[found["metric"]] for one in rows if str(one["user_id"]) == user]
        assert its == pytest.approx(value, rel=0, abs=1e-9)


def test_every_case_is_used(shared: Path) -> None:
    files = [shared / "catalogue" / name for name in ("golden_rest.json", "golden.json")]
    collected = [one for file in files for one in json.loads(file.read_text(encoding="utf-8"))]
    assert [one for one in collected if one["metric"] in ("overlap", "rbo")] == CASES
    assert sum(one["metric"] == ORDERS_OF_MODELS for one in collected) == 5


def values(shared: Path, metric: str) -> list[Found]:
    lines = (shared / "catalogue" / "values.json").read_text(encoding="utf-8").splitlines()
    return [one for one in map(json.loads, lines) if one["metric"] == metric]


@pytest.mark.parametrize(
    ("metric", "settings", "column", "count"),
    [
        ("rank_biased_overlap", {"kind": "truncated", "p": 0.85}, "rbo", 9),
        ("Intersection", {"denominator": "returned"}, "overlap", 9),
        ("Unexpectedness", {}, "overlap", 12),
    ],
)
def test_values_of_libraries(shared: Path, metric: str, settings: dict[str, Any], column: str, count: int) -> None:
    """Left out: a reference list that is deeper than k (RecTools' ref_k), and a model compared with itself."""
    runs = str(shared / "data" / "movietweetings-100k" / "runs" / "runs.parquet")
    theirs = [one for one in values(shared, metric) if one["model"] != "pop" and "ref_k" not in one["params"]]
    compared = 0
    for k in sorted({one["k"] for one in theirs}):
        found = recsql.overlap(runs, k, baseline="pop", rank_by="rank", **settings)
        ours = {row["model"]: row[column] for row in found.to_pylist()}
        for one in (one for one in theirs if one["k"] == k):
            value = 1 - one["value"] if metric == "Unexpectedness" else one["value"]
            assert ours[one["model"]] == pytest.approx(value, rel=0, abs=1e-9), one
            compared += 1
    assert compared == count


def test_by_hand() -> None:
    """u1: b is in both. u2: c, at rank 3 and 1. u3 and u4 have a list of one model only.

    rbo: u1 has 1 of 2 in common at depth 2, so 0.1 / 0.9 * 0.81 / 2 + 0.81 / 2. u2 has s = 1, l = 3, X_1 = 0 and X_3 = 1,
    so 0.1 / 0.9 * 0.729 / 3 + (1 - 0) / 3 * 0.729.
    """
    recs = {"new": ranked(NEW), "old": ranked(OLD)}
    [row] = recsql.overlap(recs, 3).to_pylist()
    rbo = {"u1": 0.1 / 0.9 * 0.81 / 2 + 0.81 / 2, "u2": 0.1 / 0.9 * 0.729 / 3 + 0.729 / 3}
    assert row == {
        **{"model": "new", "baseline": "old", "k": 3, "users": 2, "unpaired": 2},
        "overlap": pytest.approx((1 / 3 + 1 / 3) / 2, abs=1e-15),
        "rbo": pytest.approx(sum(rbo.values()) / 2, abs=1e-15),
    }
    rows = recsql.overlap(recs, 3, per_user=True).to_pylist()
    assert [(one["user_id"], one["overlap"], one["rbo"], one["list_length"], one["baseline_list_length"]) for one in rows] == [
        ("u1", pytest.approx(1 / 3), pytest.approx(rbo["u1"]), 2, 2),
        ("u2", pytest.approx(1 / 3), pytest.approx(rbo["u2"]), 3, 1),
        ("u3", None, None, 1, None),
        ("u4", None, None, None, 1),
    ]


@pytest.mark.parametrize(("denominator", "expected"), [("k", 1 / 10), ("returned", 5 / 12), ("shorter", 3 / 4), ("union", 1 / 3)])
def test_denominators(denominator: str, expected: float) -> None:
    """u1 has 1 of 2 and 2 items in common, u2 1 of 3 and 1: unions of 3 and 3."""
    [row] = recsql.overlap({"new": ranked(NEW), "old": ranked(OLD)}, denominator=denominator).to_pylist()
    assert row["overlap"] == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("k", "options"),
    [
        (3, {}),
        ("all", {"denominator": "shorter", "kind": "most"}),
        (4, {"denominator": "union", "kind": "truncated", "depth": "longer", "rank_by": "score", "duplicates": "last"}),
        (2, {"denominator": "returned", "kind": "least", "rank_by": "score", "duplicates": "first"}),
    ],
)
def test_the_macro_gives_the_same(k: int | str, options: dict[str, Any]) -> None:
    data = random_data(7, models=("a", "b", "c"), copies="duplicates" in options)
    with duckdb.connect() as con:
        con.register("recs", data.recs_table("model", "user_id", "item_id", "score" if "rank_by" in options else "rank"))
        con.execute(recsql.macros(**options))
        for given in ({"p": 0.7}, {"baseline": "b"}):
            found = fetched(con, macro_call("overlap", "recs", k=k, **given))
            assert found == recsql.overlap("recs", k, connection=con, **given, **options).to_pylist()


@pytest.mark.parametrize(
    ("k", "options", "says"),
    [
        (
            "all",
            {},
            "k: whole lists have no k, and denominator k needs one; give a number, or make a file with another --denominator",
        ),
        (
            "all",
            {"denominator": "shorter", "kind": "truncated"},
            "k: whole lists have no k, and depth k needs one; give a number, or make a file with another --depth",
        ),
        ([5, 10], {}, "k: this macro takes one cut-off, and not 2; give the largest"),
        (
            2,
            {},
            "recs: item x appears more than once in the list of user u and model a; list it once, or choose which copy counts",
        ),
    ],
)
def test_the_macro_refuses(k: object, options: dict[str, Any], says: str) -> None:
    rows = [("a", "x", 1), ("a", "x", 2), ("b", "x", 1)]
    recs = pa.Table.from_pylist([{"model": model, "user_id": "u", "item_id": item, "rank": rank} for model, item, rank in rows])
    with duckdb.connect() as con, pytest.raises(duckdb.Error, match=re.escape(says)):
        con.register("recs", recs)
        con.execute(recsql.macros(**options))
        con.execute(macro_call("overlap", "recs", k=k))


@pytest.mark.parametrize("baseline", [None, "new", "old"])
def test_the_fast_form_of_two_models(baseline: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the last bit, whichever model is the baseline, and for users with copies that are chosen."""
    recs = {"new": pa.concat_tables([ranked(NEW), ranked({"u5": ["a", "b", "a"]})]), "old": ranked({**OLD, "u5": ["b", "a"]})}
    found = [recsql.overlap(recs, 3, baseline=baseline, per_user=True, duplicates="last").to_pylist()]
    monkeypatch.setenv("RECSQL_FAST", "off")
    found.append(recsql.overlap(recs, 3, baseline=baseline, per_user=True, duplicates="last").to_pylist())
    assert found[0] == found[1]
    assert [row["overlap"] for row in found[0]] == [1 / 3, 1 / 3, None, None, 2 / 3]
    assert {row["baseline"] for row in found[0]} == {baseline or "old"}


def test_pairs_and_the_line_below(capsys: pytest.CaptureFixture[str]) -> None:
    lists = {"a": ranked(NEW), "b": ranked(NEW), "c": ranked({"u9": ["z"]})}
    found = recsql.overlap(lists, "all", denominator="union")
    rows = [(row["model"], row["baseline"], row["k"], row["users"], row["unpaired"], row["overlap"]) for row in found.to_pylist()]
    assert rows == [("a", "b", None, 3, 0, 1.0), ("a", "c", None, 0, 4, None), ("b", "c", None, 0, 4, None)]
    recsql.show(found)
    assert capsys.readouterr().out.endswith("Up to 4 users with a list of only one model are left out: see unpaired.\n")
    assert [row["model"] for row in recsql.overlap(lists, baseline="a").to_pylist()] == ["b", "c"]
    one = recsql.overlap({"new": ranked(NEW), "old": ranked({"u1": ["a"], "u2": ["a"]})})
    recsql.show(one)
    assert "1 user with a list of only one model is left out." in capsys.readouterr().out


def test_ranks_of_any_type(tmp_path: Path) -> None:
    """Pandas makes fractions of ranks beside missing ones, and a file without rows has no types."""
    old = ranked(OLD)
    expected = recsql.overlap({"new": ranked(NEW), "old": old}, 3).to_pylist()
    floats = old.set_column(2, "rank", old["rank"].cast(pa.float64()))
    assert recsql.overlap({"new": ranked(NEW), "old": floats}, 3).to_pylist() == expected
    (tmp_path / "none.csv").write_text("user_id,item_id,rank\n")
    [row] = recsql.overlap({"new": ranked(NEW), "old": str(tmp_path / "none.csv")}, 3).to_pylist()
    assert (row["users"], row["unpaired"], row["overlap"], row["rbo"]) == (0, 3, None, None)


def test_scores_and_models_in_one_table() -> None:
    """By score, the lists are b a and a b: nothing in common at depth 1, all at depth 2."""
    recs = pa.table({"model": list("xxyy"), "user_id": [1] * 4, "item_id": list("abab"), "score": [1.0, 2.0, 2.0, 1.0]})
    [row] = recsql.overlap(recs, 2, kind="truncated").to_pylist()
    assert (row["overlap"], row["rbo"]) == (1, pytest.approx(0.9 / (1 + 0.9)))
    [row] = recsql.overlap(recs, 1, order="asc").to_pylist()
    assert row["overlap"] == 0


GAPS = pa.table({"user_id": [1, 1], "item_id": ["a", "b"], "rank": [1, 3]})
TWICE = pa.table({"user_id": [1, 1, 1], "item_id": ["a", "a", "b"], "rank": [1, 2, 3]})


@pytest.mark.parametrize(
    ("recs", "chosen", "message"),
    [
        (
            {"a": GAPS, "b": GAPS.slice(1)},
            {},
            "recs of a and 1 more: rank goes up to 3 in the list of user 1 and model a, whose length is 2; number ",
        ),
        ({"a": TWICE, "b": TWICE.slice(0, 1)}, {}, "item a appears more than once in the list of user 1"),
        ({"a": TWICE, "b": TWICE.slice(0, 1)}, {"duplicates": "count"}, "duplicates='count': an overlap counts each item of a "),
        ({"a": TWICE}, {}, "is the only model"),
        (TWICE, {}, "it has no column model"),
        ({"new": ranked(NEW), "old": ranked(OLD)}, {"k": "all"}, "denominator='k': whole lists have no k; give a k, or another"),
        (
            {"new": ranked(NEW), "old": ranked(OLD)},
            {"k": "all", "denominator": "union", "kind": "truncated"},
            "depth='k': whole lists have no k; give a k, or another depth",
        ),
        ({"new": ranked(NEW), "old": ranked(OLD)}, {"depth": "longer"}, "depth: it applies only if kind='truncated'"),
        ({"new": ranked(NEW), "old": ranked(OLD)}, {"p": 1}, "p: 1 is not above 0 and below 1"),
        ({"new": ranked(NEW), "old": ranked(OLD)}, {"into": "x"}, "into: it is for the rows of users; add per_user=True"),
    ],
    ids=str,
)
def test_refused(recs: Any, chosen: dict[str, Any], message: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=message.replace("(", r"\(")):
        recsql.overlap(recs, **{"k": 10, **chosen})


def test_copies_that_are_chosen() -> None:
    """With duplicates='first', a b has both items of b a at depth 2."""
    other = ranked({1: ["b", "a"]})  # type: ignore[dict-item]
    [row] = recsql.overlap({"a": TWICE, "b": other}, 2, duplicates="first").to_pylist()
    assert row["overlap"] == 1


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = []
    for name, lists in (("new", NEW), ("old", OLD)):
        path = tmp_path / f"{name}.csv"
        rows = [f"{user},{item},{rank}" for user, its in lists.items() for rank, item in enumerate(its, 1)]
        path.write_text("\n".join(["user_id,item_id,rank", *rows]))
        paths.append(f"{name}={path}")
    assert main(["overlap", *paths, "-k", "3", "--kind", "least", "--p", "0.5"]) == 0
    said = capsys.readouterr().out
    assert "rbo: rank-biased overlap, least, p = 0.5. Neither end is better." in said
    assert "2 users with a list of only one model are left out." in said
    assert main(["overlap", *paths, "-k", "3", "--per-user", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("new,old,u1,3,0.333")
