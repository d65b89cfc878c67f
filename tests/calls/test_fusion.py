"""`fuse`: by hand, against the formulas on random lists, in every form of recs.

If it fails, fused lists have other scores or ranks than the definitions give, or lists that can't be fused are.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from statistics import median
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.catalog import catalog
from recsql.cli import main
from tests.random_data import Rec, random_data

SEARCH = Path(__file__).parents[2] / "examples/search"
A = {"u1": {"a": 8.0, "b": 5.0, "c": 4.0}, "u2": {"x": 3.0}}
B = {"u1": {"c": 0.9, "d": 0.5}, "u2": {"y": 0.5, "x": 0.5}, "u3": {"z": 0.1}}
# u1 in A: a 1, b 1/4, c 0; in B: c 1, d 0. A list of one item, or of equal scores, adds 0.
BY_HAND: Mapping[str, Mapping[str, Mapping[str, float]]] = {
    "rrf": {
        "u1": {"c": 1 / 63 + 1 / 61, "a": 1 / 61, "b": 1 / 62, "d": 1 / 62},
        "u2": {"x": 1 / 61 + 1 / 61, "y": 1 / 62},
        "u3": {"z": 1 / 61},
    },
    "comb_sum": {"u1": {"a": 1, "c": 1, "b": 1 / 4, "d": 0}, "u2": {"x": 0, "y": 0}, "u3": {"z": 0}},
    "comb_mnz": {"u1": {"c": 2, "a": 1, "b": 1 / 4, "d": 0}, "u2": {"x": 0, "y": 0}, "u3": {"z": 0}},
    "comb_anz": {"u1": {"a": 1, "c": 1 / 2, "b": 1 / 4, "d": 0}, "u2": {"x": 0, "y": 0}, "u3": {"z": 0}},
    "comb_max": {"u1": {"a": 1, "c": 1, "b": 1 / 4, "d": 0}, "u2": {"x": 0, "y": 0}, "u3": {"z": 0}},
    "comb_min": {"u1": {"a": 1, "b": 1 / 4, "c": 0, "d": 0}, "u2": {"x": 0, "y": 0}, "u3": {"z": 0}},
    "comb_med": {"u1": {"a": 1, "c": 1 / 2, "b": 1 / 4, "d": 0}, "u2": {"x": 0, "y": 0}, "u3": {"z": 0}},
    "weighted_sum": {"u1": {"c": 3, "a": 1 / 2, "b": 1 / 8, "d": 0}, "u2": {"x": 0, "y": 0}, "u3": {"z": 0}},
}
WEIGHTS = {"a": 0.5, "b": 3}


def weighed(method: str, weights: Mapping[str, float] = WEIGHTS) -> dict[str, Any]:
    return {"weights": weights} if method == "weighted_sum" else {}


def lists(found: pa.Table) -> dict[Any, dict[Any, float]]:
    """The scores of each list in its order; the ranks count from 1, and equal scores are ordered by item."""
    made: dict[Any, dict[Any, float]] = defaultdict(dict)
    for row in sorted(found.to_pylist(), key=lambda one: one["rank"]):
        made[row["user_id"]][row["item_id"]] = row["score"]
        assert row["rank"] == len(made[row["user_id"]])
    assert all([*items] == sorted(items, key=lambda item: (-items[item], item)) for items in made.values())
    return dict(made)


def same(found: pa.Table, expected: Mapping[Any, Mapping[Any, float]]) -> None:
    assert lists(found) == {user: pytest.approx(items, rel=0, abs=1e-12) for user, items in expected.items()}


@pytest.mark.parametrize("method", BY_HAND)
def test_by_hand(method: str) -> None:
    same(recsql.fuse({"a": A, "b": B}, method, **weighed(method)), BY_HAND[method])


def test_every_method_is_worked_out_by_hand() -> None:
    assert [*BY_HAND] == catalog().options["method"].choices


def test_weights_of_ranks() -> None:
    """The ranks of u1 are a 1, b 2, c 3 in A and c 1, d 2 in B."""
    found = lists(recsql.fuse({"a": A, "b": B}, weights=WEIGHTS))["u1"]
    assert found == pytest.approx({"c": 0.5 / 63 + 3 / 61, "d": 3 / 62, "a": 0.5 / 61, "b": 0.5 / 62}, abs=1e-12)
    assert lists(recsql.fuse({"a": A, "b": B}, weights="b=3, a=0.5")) == lists(recsql.fuse({"a": A, "b": B}, weights=WEIGHTS))


def test_an_order_of_each_model() -> None:
    """In A the lowest is the best: c 4 is 1, b 5 is (8 - 5) / 4, a 8 is 0; B is as it was."""
    ends = {"a": "asc", "b": "desc"}
    found = recsql.fuse({"a": A, "b": B}, "comb_sum", order=ends)
    same(found, {"u1": {"c": 2, "b": 3 / 4, "a": 0, "d": 0}, "u2": {"x": 0, "y": 0}, "u3": {"z": 0}})
    assert lists(recsql.fuse({"a": A, "b": B}, "comb_sum", order="a=asc,b=desc")) == lists(found)
    found = recsql.fuse({"a": A, "b": B}, rank_by="score", order=ends)
    assert lists(found)["u1"] == pytest.approx({"c": 1 / 61 + 1 / 61, "b": 1 / 62, "d": 1 / 62, "a": 1 / 63}, abs=1e-12)


@pytest.mark.parametrize("end", ["desc", "asc"])
@pytest.mark.parametrize("method", ["rrf", "comb_sum"])
def test_one_order_of_all_models_is_that_of_each(method: str, end: str) -> None:
    """Also of equal scores, and of scores that only their own type keeps apart."""
    large = pa.table({"user_id": [1, 1, 1], "item_id": [7, 8, 9], "score": [2**62, 2**62 + 1, 2**62 + 1]})
    data = random_data(8, users=20, models=("a",), ties=True).recs_table("user_id", "item_id", "rank", "score")
    for recs in ({"a": large, "b": large}, {"a": data, "b": data}):
        of_each = recsql.fuse(recs, method, rank_by="score", order=dict.fromkeys("ab", end))
        assert lists(of_each) == lists(recsql.fuse(recs, method, rank_by="score", order=end))


@pytest.mark.parametrize("method", BY_HAND)
def test_the_models_in_another_order_give_the_same(method: str) -> None:
    """To the last bit, as the scores are added exactly."""
    data = random_data(9, users=30, models=("a", "b", "c"))
    recs = data.recs_table("model", "user_id", "item_id", "rank", "score")
    tables = {name: recs.filter(pc.equal(recs["model"], name)).drop_columns("model") for name in "abc"}
    own = {
        **weighed(method, {"a": 0.1, "b": 0.7, "c": 1 / 3}),
        "order": {"a": "asc", "b": "desc", "c": "asc"},
        "rank_by": "score",
    }
    found = [lists(recsql.fuse({name: tables[name] for name in names}, method, **own)) for names in permutations("abc")]
    assert all(one == found[0] for one in found)
    assert len(found[0]) > 20


def test_golden_cases(shared: Path) -> None:
    """The values of ranx 0.3.21."""
    cases = json.loads((shared / "catalogue" / "golden_rest.json").read_text(encoding="utf-8"))
    cases = [case for case in cases if case["metric"] == "fuse"]
    assert [case["params"]["method"] for case in cases] == ["comb_max", "comb_min", "comb_anz", "comb_med", "weighted_sum"]
    for case in cases:
        names = [f"run {number}" for number, _ in enumerate(case["runs"])]
        columns = [dict(zip(case["columns"], zip(*run, strict=True), strict=True)) for run in case["runs"]]
        weights = dict(zip(names, case["params"].get("weights", []), strict=False)) or None
        rows = recsql.fuse(dict(zip(names, map(pa.table, columns), strict=True)), case["params"]["method"], weights=weights)
        found = {f"{row['user_id']} {row['item_id']}": row["score"] for row in rows.to_pylist()}
        assert found == pytest.approx(case["expected"], rel=0, abs=1e-9)


def test_the_constant() -> None:
    """The sums k + rank: c has 1 and 3, a has 1, b and d have 2."""
    assert lists(recsql.fuse({"a": A, "b": B}, k=0))["u1"] == pytest.approx({"c": 4 / 3, "a": 1, "b": 1 / 2, "d": 1 / 2})


def test_a_given_rank_counts_as_it_is() -> None:
    """Also after a gap. With rank_by = score the list is numbered by its scores, with order = asc by the lowest first."""
    recs = pa.table({"model": ["a", "a", "b"], "user_id": [1, 1, 1], "item_id": [7, 8, 7], "rank": [2, 5, 1], "score": [1, 3, 2]})
    same(recsql.fuse(recs), {1: {7: 1 / 62 + 1 / 61, 8: 1 / 65}})
    same(recsql.fuse(recs, rank_by="score"), {1: {7: 1 / 62 + 1 / 61, 8: 1 / 61}})
    same(recsql.fuse(recs, rank_by="score", order="asc"), {1: {7: 1 / 61 + 1 / 61, 8: 1 / 62}})
    same(recsql.fuse(recs, "comb_sum", order="asc"), {1: {7: 1, 8: 0}})


def test_scores_at_the_ends_of_the_numbers() -> None:
    """The range of the first list is larger than any number, and half of that of the second is too small for one."""
    wide = pa.table({"user_id": [1, 1, 1], "item_id": [7, 8, 9], "score": [1e308, 0.0, -1e308]})
    narrow = pa.table({"user_id": [1, 1], "item_id": [7, 8], "score": [5e-324, 0.0]})
    same(recsql.fuse({"a": wide, "b": narrow}, "comb_sum"), {1: {7: 1 + 1, 8: 1 / 2, 9: 0}})
    same(recsql.fuse({"a": wide, "b": narrow}, "comb_sum", order="asc"), {1: {7: 0, 8: 1 / 2 + 1, 9: 1}})


@pytest.mark.parametrize("method", BY_HAND)
@pytest.mark.parametrize("copies", ["error", "first", "last", "count"])
def test_random_lists(method: str, copies: str) -> None:
    data = random_data(
        6, users=40, models=("a", "b", "c" if method == "weighted_sum" else None), copies=copies != "error", gaps=True
    )
    recs = data.recs_table("model", "user_id", "item_id", "rank", "score")
    weights = {**WEIGHTS, "c": 2}
    same(recsql.fuse(recs, method, duplicates=copies, **weighed(method, weights)), fused(data.recs, method, copies, weights))


def fused(recs: Any, method: str, copies: str, weights: Mapping[str, float]) -> dict[Any, dict[Any, float]]:
    """The definitions in exact arithmetic."""
    of_list: dict[Any, list[Rec]] = defaultdict(list)
    for row in sorted(recs, key=lambda row: row.rank):
        of_list[row.model, row.user_id].append(row)
    votes: dict[Any, dict[Any, list[Fraction]]] = defaultdict(lambda: defaultdict(list))
    for (model, user), rows in of_list.items():
        weight = Fraction(weights[model]) if method == "weighted_sum" else 1
        low, high = min(row.score for row in rows), max(row.score for row in rows)
        added: dict[Any, list[Fraction]] = defaultdict(list)
        gone = 0
        for place, row in enumerate(rows):
            others = rows[:place] if copies == "first" else rows[place + 1 :] if copies == "last" else []
            if row.item_id in [other.item_id for other in others]:
                gone += 1  # later items move up
            elif method == "rrf":
                added[row.item_id].append(Fraction(1, 60 + row.rank - gone))
            else:
                added[row.item_id].append(weight * Fraction(row.score - low) / Fraction(high - low or 1))
        for item, found in added.items():
            votes[user][item].append(sum(found, Fraction()))
    totals: dict[str, Callable[[list[Fraction]], Any]] = {
        "comb_mnz": lambda found: sum(found) * len(found),
        "comb_anz": lambda found: sum(found) / len(found),
        "comb_max": max,
        "comb_min": min,
        "comb_med": median,
    }
    total = totals.get(method, sum)
    return {user: {item: float(total(found)) for item, found in items.items()} for user, items in votes.items()}


def test_every_form_of_recs(tmp_path: Path) -> None:
    """A table with a column model, a mapping, files with names, relations and TREC runs give the same."""
    bm25, dense = str(SEARCH / "bm25.run"), str(SEARCH / "dense.run")
    expected = lists(recsql.fuse([bm25, dense], "comb_sum"))
    with duckdb.connect() as con:
        for name, path in {"bm25": bm25, "dense": dense}.items():
            rows = f"select string_split(column0, ' ') as w from read_csv('{path}', sep='|', header=false) as r"
            con.execute(f"create table {name} as select w[1] as user_id, w[3] as item_id, w[5]::double as score from ({rows})")
            con.execute(f"copy {name} to '{tmp_path}/{name}.csv'")
        both = con.sql("select 'bm25' as model, * from bm25 union all select 'dense', * from dense")
        relations = {"bm25": con.table("bm25"), "dense": con.table("dense")}
        files = {name: f"{tmp_path}/{name}.csv" for name in relations}
        for recs in (both, both.to_arrow_table(), relations, files, {"bm25": bm25, "dense": dense}):
            assert lists(recsql.fuse(recs, "comb_sum", connection=con)) == expected


def test_it_can_be_evaluated_beside_the_models() -> None:
    models = {"bm25": str(SEARCH / "bm25.run"), "dense": str(SEARCH / "dense.run")}
    beside, truth = {**models, "fused": recsql.fuse(models)}, str(SEARCH / "qrels.txt")
    found = recsql.evaluate(beside, truth, "recall", 3, rank_by="score").to_pylist()
    assert {row["model"]: row["value"] for row in found} == {"bm25": 0.875, "dense": 0.875, "fused": 1.0}


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs, out = [str(SEARCH / "bm25.run"), str(SEARCH / "dense.run")], tmp_path / "fused.parquet"
    assert main(["fuse", *runs, "-k", "1", "-o", str(out)]) == 0
    same(pq.read_table(out), lists(recsql.fuse(runs, k=1)))
    assert main(["fuse", runs[0]]) == main(["fuse", *runs, "--method", "comb_sum", "-k", "1"]) == 1
    one, idle = capsys.readouterr().err.splitlines()
    assert one.startswith(f"recsql: {runs[0]}: these are the lists of one model (bm25), and fusion needs two or more; ")
    assert idle == "recsql: -k: it applies only if --method rrf; set that as well, or leave -k out"


ONE = {"user_id": [1, 1], "item_id": [7, 8], "rank": [1, 2], "score": [0.5, 0.25]}
BAD: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any], str]] = {
    "an item twice": (
        {"item_id": [7, 7]},
        {},
        "recs of b and 1 more: item 7 appears more than once in the list of user 1 and mo",
    ),
    "NULL as an id": ({"item_id": [7, None]}, {}, "recs of b: item_id is NULL in a row (user_id 1, item_id NULL, ran"),
    "a rank of 0": ({"rank": [0, 1]}, {}, "recs of b: rank is 0 for user 1, item 7; ranks are whole numbers that"),
    "a rank twice": ({"rank": [1, 1]}, {}, "recs of b: items 7 and 8 have the same rank 1 in the list of user 1 an"),
    "no score": ({"score": [0.5, None]}, {"method": "COMB_SUM"}, "recs of b: score is NULL for user 1, item 8; every"),
    "ties": ({}, {"rank_by": "score", "ties": "best"}, "ties='best' gives tied items no order"),
    "a method": (
        {},
        {"method": "max"},
        "method: unknown value 'max'; did you mean comb_max? choose one of rrf, comb_sum, comb_mnz, comb_anz, ",
    ),
    "weighted_sum alone": (
        {},
        {"method": "weighted_sum"},
        "weights: method='weighted_sum' needs the weight of each model, such as",
    ),
    "no weight of a model": (
        {},
        {"weights": {"a": 1}},
        "weights: it lacks model b; give each model of recs of b and 1 more one value",
    ),
    "a weight of no model": (
        {},
        {"weights": {"a": 1, "b": 1, "c": 1}},
        "weights: it names model c; give each model of recs of b a",
    ),
    "a weight below 0": (
        {},
        {"weights": {"a": 1, "b": -1}},
        "weights: {'a': 1, 'b': -1} does not give each model a number that is at",
    ),
    "a model twice": ({}, {"weights": "a=1,b=2,a=3"}, "weights: 'a=1,b=2,a=3' has two values for 'a'; give one"),
    "weights of comb_max": (
        {},
        {"method": "comb_max", "weights": WEIGHTS},
        "weights: it applies only if method='rrf' or 'weighted_s",
    ),
    "no order of a model": (
        {},
        {"method": "comb_max", "order": {"a": "asc"}},
        "order: it lacks model b; give each model of recs of b",
    ),
    "an order of ranks": (
        {},
        {"order": {"a": "asc", "b": "desc"}},
        "order: nothing in this call reads it, so it has no effect; lea",
    ),
    "an end": (
        {},
        {"order": {"a": "up", "b": "desc"}},
        "order: {'a': 'up', 'b': 'desc'} is neither desc nor asc, nor one of them",
    ),
    "a constant": ({}, {"k": -1}, "k: -1 is not at least 0 and at most 1000000"),
    "an option of evaluate": ({}, {"gain": "exp2"}, "unknown option 'gain'; "),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_refused(name: str) -> None:
    wrong, options, says = BAD[name]
    with pytest.raises(recsql.RecsqlError, match=f"^{re.escape(says)}"):
        recsql.fuse({"b": pa.table({**ONE, **wrong}), "a": pa.table(ONE)}, **options)


def test_weights_and_orders_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs, out = [str(SEARCH / "bm25.run"), str(SEARCH / "dense.run")], tmp_path / "fused.parquet"
    own = ["--weights", "bm25=0.3,dense=0.7", "--order", "bm25=desc,dense=asc"]
    assert main(["fuse", *runs, "--method", "weighted_sum", *own, "-o", str(out)]) == 0
    weights, order = {"bm25": 0.3, "dense": 0.7}, {"bm25": "desc", "dense": "asc"}
    same(pq.read_table(out), lists(recsql.fuse(runs, "weighted_sum", weights=weights, order=order)))
    assert main(["fuse", *runs, "--method", "weighted_sum"]) == 1
    says = "recsql: --weights: --method weighted_sum needs the weight of each model, such as A=0.7,B=0.3; give --weights"
    assert capsys.readouterr().err.strip() == says


def test_one_model_has_nothing_to_be_fused_with() -> None:
    for recs in (pa.table(ONE), {"a": pa.table(ONE)}, {"a": pa.table(ONE), "b": pa.table(ONE).slice(0, 0)}):
        with pytest.raises(recsql.BadInput, match=r" of one model( \(a\))?, and fusion needs two or more; "):
            recsql.fuse(recs)
    with pytest.raises(recsql.BadInput, match="there is no column score"):
        recsql.fuse({name: pa.table(ONE).drop_columns("score") for name in "ab"}, "comb_mnz")
