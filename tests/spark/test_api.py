"""Everything that runs on DuckDB runs on Spark, on every kind of input, and gives the same.

If it fails, a call that works on DuckDB stops on Spark, or gives something else.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.catalog import catalog
from recsql.engines.spark import SETTINGS, frame_of, hold_setting
from recsql.page.cases import find_cases, find_missed
from recsql.page.evidence import Evidence
from tests.calls.test_bad_input import BAD, Bad
from tests.oracles.test_oracle import GAIN_MAP, trial
from tests.random_data import random_data
from tests.spark.conftest import KIND
from tests.spark.support import load, same

ITEMS = pa.table({"item_id": range(12), "category": ["a", "b", None, "c"] * 3})
MANY = pa.table({"item_id": range(200)})
TRAIN = pa.table({"item_id": [0, 1, 2, 3, 3, 40]})
SEGMENTS = pa.table(
    {
        "user_id": [*range(40), 3],
        "country": ["DE", "FR", None, "IT"] * 10 + ["DE"],
        "age": [None if n % 5 == 0 else n + n % 3 for n in range(41)],
        "likes": pa.array([["jazz", "folk"], [], None, ["folk"]] * 10 + [["jazz"]], pa.list_(pa.string())),
    }
)
SLICES = ["country", "age[10,20]", "age[q3]", "likes", "country x likes"]
Call = Callable[[Any], pa.Table]


def tables() -> dict[str, pa.Table]:
    """Two models, tied scores, a graded truth in an order, a catalogue, ratings, lists and some users.

    In the tables of many, several users share a group, by the same hash; each slice has groups of its own.
    """
    data, many = random_data(3, users=60, ties=True), random_data(5, users=150)
    pairs = {(row.user_id, row.item_id): row for row in data.truth}
    ratings = {
        "user_id": [u for u, _ in pairs],
        "item_id": [i for _, i in pairs],
        "rating": [r.relevance for r in pairs.values()],
    }
    predictions = {**ratings, "prediction": [0.5 + row.rank / 7 for row in pairs.values()]}
    (user, item), *_ = pairs
    chances = [(0.1, 0.5, 1.0)[place % 3] for place in range(len(data.truth))]
    lists = {"user_id": [user, -2], "items": [[-4, item, -5], [6]], "scores": [[0.7, 0.9, 0.8], [0.1]]}
    return {
        "recs": data.recs_table("model", "user_id", "item_id", "rank", "score"),
        "truth": data.truth_table("user_id", "item_id", "relevance", "rank"),
        "seen_truth": data.truth_table("user_id", "item_id", "relevance").append_column("seen", pa.array(chances)),
        "many_recs": many.recs_table(),
        "many_truth": many.truth_table(),
        "items": ITEMS,
        "shelved": pa.table({"item_id": range(12), "category": [["a", "b"], [], None, ["c"]] * 3}),
        "train": TRAIN,
        "predictions": pa.table(predictions),
        "lists": pa.table(lists),
        "structs": pa.table(
            {"user_id": [user], "recommendations": [[{"item": -4, "rating": 0.7}, {"item": item, "rating": 0.9}]]}
        ),
        "segments": SEGMENTS,
        "past": pa.table(
            {"user_id": [n for n in range(30) for _ in range(n)], "item_id": [1 for n in range(30) for _ in range(n)]}
        ),
        "once": pa.table({"user_id": range(40), "even": [n % 2 == 0 for n in range(40)]}),
        "looked_at": pa.table({"user_id": [1, 3, 5]}),
        "written": pa.table(
            {"user_id": ["u1", "u1", "U2", " u3"], "item_id": ["A1", "b", "02", "c "], "score": [0.5, 0.5, 0.25, -1.0]}
        ),
        "written_truth": pa.table(
            {"user_id": ["u1", "u1", "u2", "u3", "u3"], "item_id": ["a1", "b", "2", "c", "c"], "timestamp": [5, 6, 7, 8, 9]}
        ),
        "written_train": pa.table({"user_id": ["u1", "u2", "u4"], "item_id": ["b", "2", "d"], "timestamp": [6, 8000, 9000]}),
        "pages": pa.Table.from_pylist(
            [
                {"model": model, "user_id": user, **text(user + rank, size), "rank": rank, "tokens": size // 10}
                for model, size in (("short", 20), ("long", 90))
                for user in range(12)
                for rank in range(1, 5)
            ]
        ),
        "spans": pa.Table.from_pylist([{"user_id": user, **text(user + n, 15 + user)} for user in range(14) for n in range(3)]),
        "chunks": pa.Table.from_pylist([text(n, 20) for n in range(12)]),
        "of_two": in_two(many.recs_table()),
        "truth_of_two": in_two(many.truth_table()),
        "values": pa.Table.from_pylist(
            [
                {"model": model, "user_id": n, "value": (7 * n + shift) % 5 / 5}
                for model, shift in (("a", 0), ("b", 3))
                for n in range(40)
            ]
        ),
    }


def in_two(rows: pa.Table) -> pa.Table:
    """The rows, of two data sets with different users."""
    return rows.append_column("dataset", pa.array(["x" if user % 3 else "y" for user in rows["user_id"].to_pylist()]))


def text(n: int, size: int) -> dict[str, Any]:
    """A range of one of three documents."""
    return {"document": f"d{n % 3}", "start": 30 * n, "end": 30 * n + size}


@pytest.fixture(scope="module")
def both(spark: Any, con: duckdb.DuckDBPyConnection) -> tuple[Any, duckdb.DuckDBPyConnection]:
    """Spark and DuckDB with the same tables."""
    load(spark, con, tables())
    return spark, con


def conventions(con: Any) -> pa.Table:
    """Under two presets: each is a query or more of its own."""
    few = {name: preset for name, preset in catalog().presets.items() if name in ("cornac", "returned")}
    with patch.object(catalog(), "presets", few):
        return recsql.conventions("recs", "truth", "hit", 5, connection=con)


CALLS: Mapping[str, Call] = {
    "per_user, two pipelines": lambda con: recsql.per_user(
        "recs", "truth", ["ndcg", "ap(denominator=relevant)@3", "ndcg(relevance_threshold=2)"], 5, connection=con
    ),
    "item_metrics": lambda con: recsql.item_metrics("recs", k=[1, 5], items="items", train="train", connection=con),
    "split of the core": lambda con: recsql.split("truth", protocol="k_fold", folds=2, core=2, connection=con),
    "check": lambda con: recsql.check("recs", "truth", k=3, train="past", items="items", connection=con),
    "check of texts and times": lambda con: recsql.check(
        "written", "written_truth", k=2, score="score", train="written_train", connection=con
    ),
    "check of spans": lambda con: recsql.check(
        "pages", "spans", k=2, corpus="chunks", match="share", match_threshold=0.9, connection=con
    ),
    "spans compared": lambda con: recsql.compare("pages", "spans", ["recall", "rr"], 2, connection=con),
    "spans within budgets": lambda con: recsql.evaluate(
        "pages", "spans", ["recall", "rr"], [9, 30], budget="tokens", connection=con
    ),
    "hits of spans within a budget": lambda con: recsql.hits("pages", "spans", 30, budget="tokens", connection=con),
    # Further ones, for sessions that compute in another way; see COMPUTING.
    "comparison": lambda con: recsql.compare("recs", "truth", ["ndcg", "hit", "dcg"], [1, 5], baseline="b", connection=con),
    "lists": lambda con: recsql.evaluate("lists", "truth", "dcg", 5, connection=con),
    "a table of users": lambda con: recsql.evaluate(
        "recs", "truth", ["hit", "ndcg(ideal=candidates)"], 5, users="looked_at", duplicates="first", connection=con
    ),
    "hits": lambda con: recsql.hits("recs", "truth", 5, connection=con),
    "ideal": lambda con: recsql.ideal("truth", 5, connection=con),
    "rank_by_score": lambda con: recsql.rank_by_score("recs", 4, connection=con),
    "ratings": lambda con: recsql.evaluate_ratings("predictions", connection=con),
    "hash split": lambda con: recsql.leave_one_out("truth", order_by="hash", seed=7, connection=con),
    "popularity": lambda con: recsql.popularity("recs", 3, "truth", connection=con),
    "weights": lambda con: recsql.evaluate(
        "recs", "seen_truth", ["recall", "dcg", "rbp"], 5, weighting="snips", propensity="seen", connection=con
    ),
    "groups of items": lambda con: recsql.evaluate(
        "recs", "truth", ["rsp", "reo"], 5, items="shelved", train="truth", interval=0.9, connection=con
    ),
    "fused": lambda con: recsql.fuse("recs", "comb_mnz", duplicates="last", connection=con),
    "overlap": lambda con: recsql.overlap("recs", 3, kind="most", duplicates="last", rank_by="score", connection=con),
    "overlap of users": lambda con: recsql.overlap("recs", 3, per_user=True, duplicates="first", rank_by="score", connection=con),
    "judge": lambda con: recsql.judge("recs", "truth", "dcg", 5, relevance_threshold=2, grade=2, baseline="b", connection=con),
    "bounds": lambda con: recsql.judge(
        "recs", "truth", "ap", 3, relevance_threshold=2, grade=2, bounds=True, duplicates="first", connection=con
    ),
    "fused by rank": lambda con: recsql.fuse("recs", connection=con),
    "curve": lambda con: recsql.curve("recs", "truth", "dcg", range(1, 4), connection=con).data,
    "evaluate, items too": lambda con: recsql.evaluate("recs", "truth", "all", 5, items="items", train="train", connection=con),
    "the whole list": lambda con: recsql.evaluate("recs", "truth", "all", [2, "all"], catalog_size=60, connection=con),
    "intervals, of groups too": lambda con: recsql.evaluate(
        "recs", "truth", ["ndcg", "hit", "f1"], [1, 5], f1_average="of_means", interval=0.9, connection=con
    ),
    "split by a cut": lambda con: recsql.split(
        "truth", protocol="temporal", order_by="relevance", fraction=0.5, cold_items="drop", target="last", connection=con
    ),
    "unseen candidates": lambda con: recsql.evaluate(
        "recs", "truth", ["rr", "entropy"], 5, train="past", seen="drop", candidates="truth", connection=con
    ),
    "segments": lambda con: recsql.segments("recs", "truth", connection=con),
    "candidates of few items": lambda con: recsql.candidates("truth", "items", "past", 2, connection=con),
    "candidates of many": lambda con: recsql.candidates("truth", MANY, "recs", 2, connection=con),
    "conventions": conventions,
    "the whole list, items": lambda con: recsql.item_metrics("recs", k=["all", 3], items="items", connection=con),
    "exposure, categories": lambda con: recsql.item_metrics(
        "recs", ["gini(weight=exposure)", "entropy(scope=category)"], 5, items="items", connection=con
    ),
    "lists of categories": lambda con: recsql.item_metrics("recs", "entropy(scope=category)", 5, items="shelved", connection=con),
    "ratings, by user": lambda con: recsql.evaluate_ratings("predictions", mean="users", connection=con),
    "sample": lambda con: recsql.evaluate("recs", "truth", "dcg(gain=exp2)", 5, sample=0.5, connection=con),
    "intervals of items, list by list": lambda con: recsql.item_metrics(
        "recs",
        ["novelty", "popularity", "gini(weight=exposure)", "entropy(scope=list)", "entropy(scope=category)", "personalisation"],
        5,
        items="items",
        train="recs",
        interval=0.9,
        connection=con,
    ),
    "intervals of ratings": lambda con: recsql.evaluate_ratings(
        "predictions", metrics=["all", "rating_auc"], threshold=2, interval=0.9, connection=con
    ),
    "intervals of clusters": lambda con: recsql.evaluate(
        "recs", "truth", "dcg", 5, interval=0.9, cluster="user_id", connection=con
    ),
    "slices": lambda con: recsql.evaluate(
        "recs", "truth", ["ndcg", "hit"], [1, 5], connection=con, by=SLICES, segments="segments"
    ),
    "slices of users": lambda con: recsql.per_user(
        "recs", "truth", "hit", 5, connection=con, by=["train.activity", "likes x age[q2]"], segments="segments", train="past"
    ),
    "slices with intervals": lambda con: recsql.evaluate(
        "recs",
        "truth",
        ["ndcg", "f1"],
        5,
        f1_average="of_means",
        interval=0.9,
        connection=con,
        by="country",
        segments="segments",
        min_users=3,
    ),
    "slices of items with intervals, more users than groups": lambda con: recsql.item_metrics(
        "many_recs",
        ["coverage", "gini", "gini(population=recommended)", "entropy", "entropy(scope=list)"],
        [1, 5],
        items="items",
        interval=0.9,
        connection=con,
        by=["country", "likes"],
        segments="segments",
    ),
    "slices of items": lambda con: recsql.item_metrics(
        "recs", ["entropy", "entropy(scope=list)"], 5, connection=con, by="even", segments="once", multiple="error"
    ),
    "comparison by ranks": lambda con: recsql.compare("recs", "truth", "dcg", 5, test="wilcoxon", connection=con),
    "comparison by signs, two queries": lambda con: recsql.compare(
        "recs", "truth", ["hit", "hit(no_recs=skip)"], 5, test="sign", correction="bonferroni", family="metric", connection=con
    ),
    "comparison of slices": lambda con: recsql.compare(
        "recs", "truth", "dcg", [1, 5], by="country", segments="segments", contributions=True, min_users=5, connection=con
    ),
    "comparison by groups, more users than groups": lambda con: recsql.compare(
        "many_recs",
        "many_truth",
        ["ndcg", "f1", "entropy"],
        5,
        f1_average="of_means",
        connection=con,
        by="country",
        segments="segments",
    ),
    "comparison of many looks, with outcomes": lambda con: recsql.compare(
        "many_recs", "many_truth", ["ndcg", "dcg"], 5, looks="many", alternative="greater", outcome=True, connection=con
    ),
    "comparison over data sets": lambda con: recsql.compare("of_two", "truth_of_two", ["ndcg", "hit"], 5, connection=con),
    "comparison over a sample of data sets": lambda con: recsql.compare(
        "of_two", "truth_of_two", "ndcg", 5, vary="datasets", connection=con
    ),
    "ranks over data sets": lambda con: recsql.rank("of_two", "truth_of_two", ["ndcg", "hit"], 5, connection=con),
    "ranks of values": lambda con: recsql.rank("values", connection=con),
    "plan": lambda con: recsql.plan("many_truth", "many_recs", ["ndcg", "hit"], 5, margin=0.01, connection=con),
    "plan without lists": lambda con: recsql.plan("many_truth", metrics="hit", margin=0.01, connection=con),
    "differences with slices": lambda con: recsql.differences(
        "recs", "truth", "hit", [1, 5], baseline="b", by="country", segments="segments", connection=con
    ),
    "comparison of clusters": lambda con: recsql.compare("recs", "truth", "dcg", 5, cluster="user_id", connection=con),
    "tied, expected": lambda con: recsql.evaluate(
        "recs", "truth", "all", 5, score="score", ties="expected", catalog_size=60, connection=con
    ),
    "lists with scores": lambda con: recsql.evaluate("lists", "truth", "ndcg", 2, rank_by="score", connection=con),
    "lists of structs": lambda con: recsql.evaluate("structs", "truth", "rr", 2, rank_by="score", connection=con),
}


@pytest.mark.parametrize("name", CALLS)
def test_call(both: tuple[Any, duckdb.DuckDBPyConnection], name: str) -> None:
    same(*both, CALLS[name])


@pytest.mark.skipif(KIND != "local", reason="what it asks for beside the calls is plain")
def test_the_cases_of_a_report(both: tuple[Any, duckdb.DuckDBPyConnection]) -> None:
    """Users with their lists, and the items that are missed most often."""
    spark, con = (Evidence("recs", "truth", ["ndcg"], 3, {"connection": one}, "b") for one in both)
    assert find_cases(spark, 2) == find_cases(con, 2) != []
    assert find_missed(spark) == find_missed(con) != []


def test_steps_of_many_rows(both: tuple[Any, duckdb.DuckDBPyConnection], monkeypatch: pytest.MonkeyPatch) -> None:
    """They are cached, where a few rows become data."""
    monkeypatch.setattr("recsql.engines.spark.FEW", 0)
    same(*both, CALLS["comparison"])


# Together with two under which conventions() measures, they have all that any preset renders, which is tested on DuckDB.
PRESETS = ("pyspark_udf", "torchmetrics")


@pytest.mark.parametrize("like", PRESETS)
def test_preset(both: tuple[Any, duckdb.DuckDBPyConnection], like: str) -> None:
    gain: dict[str, Any] = {"gain": GAIN_MAP} if like == "pyspark_udf" else {}  # where all items are relevant
    same(*both, lambda con: recsql.evaluate("recs", "truth", "all", 5, like=like, catalog_size=60, connection=con, **gain))


def test_random_data(spark: Any, con: duckdb.DuckDBPyConnection) -> None:
    """Options, ids, copies, ties and gaps drawn from a seed: with most options, relevant = 'present' among them."""
    one = trial(202, gaps=True)
    recs = one.data.recs_table("model", "user_id", "item_id", "rank", "score")
    load(spark, con, {"recs": recs, "truth": one.data.truth_table("user_id", "item_id", "relevance", "rank")})
    same(spark, con, lambda con: recsql.per_user("recs", "truth", "all", one.ks, connection=con, **one.asked))


# The comparisons that find these also find inputs that stay in the test.
ALIKE = {
    *("rank -3", "rank 1.5", "rank inf", "rank -inf", "score nan", "score -inf", "relevance inf", "relevance NULL"),
    *("NULL user_id in truth", "NULL item_id in recs"),
}
# Chosen cases, or a test below, have the same sentences.
AS_CASES = {"rank 0", "a relevant item twice", "tied scores", "a user who must have truth"}


@pytest.mark.parametrize("bad", [bad for bad in BAD if bad.name not in ALIKE | AS_CASES], ids=lambda bad: bad.name)
def test_bad_input(spark: Any, con: duckdb.DuckDBPyConnection, bad: Bad) -> None:
    load(spark, con, {"recs": pa.table(bad.recs), "truth": pa.table(bad.truth)})
    sentences = []
    for connection in (con, spark):
        with pytest.raises(recsql.RecsqlError) as refused:
            recsql.evaluate("recs", "truth", connection=connection, **{"metrics": "hit", **bad.options})
        sentences.append(re.sub(r"\bNaN\b|-?Infinity|[\d.]+[eE]\+?\d+", as_duckdb_has_it, str(refused.value)))
    assert sentences[0] == sentences[1]


def test_no_such_baseline(spark: Any, con: duckdb.DuckDBPyConnection) -> None:
    load(spark, con, {name: rows for name, rows in tables().items() if name in ("recs", "truth")})
    for connection in (spark, con):
        with pytest.raises(
            recsql.BadInput, match=r"baseline: aa is not among the models of recs; did you mean a\? choose one of a, b"
        ):
            recsql.compare("recs", "truth", "hit", 5, baseline="aa", connection=connection)


def test_a_catalogue_that_is_just_large_enough(spark: Any, con: duckdb.DuckDBPyConnection) -> None:
    """Users one by one and users who are alike, and nobody to refuse among either."""
    recs = pa.table({"user_id": [1, 1, 2], "item_id": [7, 8, 7], "rank": [1, 2, 1]})
    load(spark, con, {"recs": recs, "truth": pa.table({"user_id": [1, 2], "item_id": [8, 7]})})
    same(spark, con, lambda con: recsql.evaluate("recs", "truth", "tn", [1, 2], catalog_size=2, connection=con))
    same(spark, con, lambda con: recsql.item_metrics("recs", "coverage", [1, 2], catalog_size=2, connection=con))


def as_duckdb_has_it(number: re.Match[str]) -> str:
    return str(float(number[0]))


def test_every_way_to_find_p_of_flips(spark: Any, con: duckdb.DuckDBPyConnection) -> None:
    """Few users, multiples of a step, other differences, and a few large ones beside tiny ones, with signs drawn from hashes."""
    draw = random.Random(1)
    gains = {
        "few": [draw.uniform(0.1, 1) for _ in range(8)],
        "step": [*[1.0] * 4, *[0.01] * 18],
        "other": [draw.uniform(0.1, 1) for _ in range(25)],
        "tiny": [*[1.0] * 4, *[draw.uniform(1e-5, 1e-4) for _ in range(30)]],
    }
    judged = [(segment, gain) for segment, found in gains.items() for gain in found]
    users = [*range(len(judged))]
    models = ["a" if user % 3 else "b" for user in users]
    recs = {"model": models, "user_id": users, "item_id": users, "rank": [1 for _ in users]}
    truth = {"user_id": users, "item_id": users, "relevance": [gain for _, gain in judged], "kind": [kind for kind, _ in judged]}
    load(spark, con, {"recs": pa.table(recs), "truth": pa.table(truth)})
    options: dict[str, Any] = {"by": "kind", "test": "randomisation", "alternative": "less", "correction": "bh"}
    rows = recsql.compare("recs", "truth", "cg", 1, connection=con, **options).to_pylist()
    methods = {row["segment"]: row["p_method"] for row in rows if row["slice"]}
    assert methods == {"few": "exact", "step": "exact", "other": "rounded", "tiny": "drawn"}
    same(spark, con, lambda con: recsql.compare("recs", "truth", "cg", 1, connection=con, **options))


# -- what is handed over

OTHERS = [f"u{n}" for n in range(16)]  # of few users alone Sail makes quotients by 0
RECS = pa.table(
    {"user_id": ["o'hara", "o'hara", "b\\c", *OTHERS], "item_id": [1, 2, 3, *range(16)], "rank": [1, 2, 1, *[1 for _ in OTHERS]]}
)
EXAMPLE = str(Path(__file__).parents[2] / "examples" / "movietweetings" / "recs.parquet")
TRUTH = pa.table({"user_id": ["o'hara", "b\\c", *OTHERS], "item_id": [2, 9, *range(16)]})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Recommendations in a folder of two files and truth beside it, in a folder of an odd name."""
    odd = tmp_path / 'it\'s 100% `odd` "here".d'
    (odd / "recs").mkdir(parents=True)
    pq.write_table(RECS.slice(0, 2), odd / "recs" / "1.parquet")
    pq.write_table(RECS.slice(2), odd / "recs" / "2.parquet")
    pq.write_table(TRUTH, odd / "truth.parquet")
    return odd


def test_inputs(spark: Any, folder: Path) -> None:
    parts = [str(folder / "recs" / f"{n}.parquet") for n in (1, 2)]
    every = str(folder / "recs" / "*.parquet")
    expected = in_order(recsql.leave_one_out(RECS, "rank"))
    for recs in (RECS, RECS.to_pandas(), RECS.to_reader(), frame_of(spark, RECS), parts, every, str(folder / "recs")):
        assert in_order(recsql.leave_one_out(recs, "rank", connection=spark)) == expected
    found = recsql.evaluate(every, str(folder / "truth.parquet"), "hit", 5, connection=spark)
    assert found.to_pylist() == recsql.evaluate(RECS, TRUTH, "hit", 5).to_pylist()


def in_order(rows: pa.Table) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = rows.to_pylist()
    return sorted(found, key=str)


def test_a_table_for_each_model(spark: Any, folder: Path) -> None:
    """Whatever each of them is, and by a quoted name."""
    both = pa.concat_tables(
        [table.append_column("model", pa.array([name] * len(table))) for name, table in (("a", RECS), ("b", RECS.slice(1)))]
    )
    expected = recsql.evaluate(both, TRUTH, ["hit", "ndcg"], 5).to_pylist()
    given: dict[str, Any] = {"a": str(folder / "recs"), "b": RECS.slice(1)}
    if KIND != "sail":  # which doesn't find a name in backticks
        frame_of(spark, RECS.slice(1)).createOrReplaceTempView("`b of models`")
        given["b"] = '"b of models"'
    assert recsql.evaluate(given, TRUTH, ["hit", "ndcg"], 5, connection=spark).to_pylist() == expected


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_models_with_orders_of_their_own(spark: Any) -> None:
    """One model has ranks, one scores, and one both."""
    scored = RECS.append_column("score", pc.divide(1.0, RECS["rank"]))
    given = {"a": RECS, "b": scored.drop_columns(["rank"]), "c": scored}
    its = {model: frame_of(spark, table) for model, table in given.items()}
    for function, like in ((recsql.evaluate, "ranx"), (recsql.compare, None), (recsql.per_user, "ranx")):
        found = function(its, TRUTH, ["ndcg", "hit"], 3, connection=spark, like=like)
        assert in_order(found) == in_order(function(given, TRUTH, ["ndcg", "hit"], 3, like=like))
    assert in_order(recsql.fuse(its, connection=spark)) == in_order(recsql.fuse(given))
    found, expected = (recsql.check(recs, TRUTH, k=3, connection=con) for recs, con in ((its, spark), (given, None)))
    assert found["finding"].to_pylist() == expected["finding"].to_pylist()


def test_files_are_named_once(spark: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark lists them, and reads a schema out of them, wherever a query names them."""
    asked: list[str] = []
    sql = type(spark).sql

    def noted(session: Any, text: str) -> Any:
        asked.append(text)
        return sql(session, text)

    monkeypatch.setattr(type(spark), "sql", noted)
    recsql.evaluate(str(folder / "recs"), str(folder / "truth.parquet"), "ndcg", 5, connection=spark)
    assert len(asked) > 2
    assert sum(text.count("parquet.`") for text in asked) == 4  # to look at their columns, and to read them


def test_columns_of_other_names(spark: Any) -> None:
    recs = RECS.rename_columns(["Wer's", "wa`s", "platz"])
    found = recsql.evaluate(
        recs, TRUTH.rename_columns(["Wer's", "wa`s"]), "ndcg", 5, user="Wer's", item="wa`s", rank="platz", connection=spark
    )
    assert found.to_pylist() == recsql.evaluate(RECS, TRUTH, "ndcg", 5).to_pylist()
    names = {"user": "Wer's", "item": "wa`s", "rank": "platz", "model": "das Modell"}
    train = RECS.drop_columns(["rank"]).rename_columns(["Wer's", "wa`s"])
    popular = recsql.popularity(train, 3, connection=spark, **names)
    assert popular.column_names == ["das Modell", "Wer's", "wa`s", "platz"]
    assert in_order(popular) == in_order(recsql.popularity(train, 3, **names))


@pytest.fixture(params=["false", "true"], ids=["as planned", "adaptive"])
def adaptive(spark: Any, request: pytest.FixtureRequest) -> Iterator[None]:
    """Spark, with its own settings otherwise, plans a text once or goes on planning while it runs."""
    usual = spark.conf.get("spark.sql.adaptive.enabled")
    spark.conf.set("spark.sql.adaptive.enabled", request.param)
    yield
    spark.conf.set("spark.sql.adaptive.enabled", usual)


@pytest.mark.usefixtures("adaptive")
def test_the_text_runs_as_it_is(spark: Any, folder: Path) -> None:
    recs, truth = str(folder / "recs" / "*.parquet"), str(folder / "truth.parquet")
    text = recsql.sql(recs, truth, ["ndcg", "ap(denominator=relevant)"], 5, dialect="spark")
    assert text == recsql.sql(recs, truth, ["ndcg", "ap(denominator=relevant)"], 5, connection=spark)
    assert spark.sql(text).toArrow().num_rows == 2


def test_text_for_tables(spark: Any) -> None:
    recs, truth = "recs_of_sql" if KIND == "sail" else "`recs of sql`", "truth_of_sql"  # Sail doesn't find a name in backticks
    frame_of(spark, RECS).createOrReplaceTempView(recs)
    frame_of(spark, TRUTH.append_column("stars", pa.array([2.0 + n % 3 for n in range(TRUTH.num_rows)]))).createOrReplaceTempView(
        truth
    )
    text = recsql.sql(recs, truth, "dcg", 5, dialect="spark", relevance="stars")
    expected = recsql.evaluate(recs, truth, "dcg", 5, relevance="stars", connection=spark)
    assert spark.sql(text).toArrow()["value"].to_pylist() == expected["value"].to_pylist()


def test_the_share_that_is_judged(spark: Any) -> None:
    """The counts are those of DuckDB."""
    found, expected = (
        json.loads(recsql.evaluate(RECS, TRUTH, "ndcg", 5, judged_only=True, connection=one).schema.metadata[b"recsql"])["judged"]
        for one in (spark, None)
    )
    assert found == expected
    assert 0 < found[0]["judged"] < found[0]["items"]


# -- what comes back, and what stays


LONGEST = max(Counter(RECS["user_id"].to_pylist()).values())


def test_versions(spark: Any) -> None:
    report = json.loads(recsql.evaluate(RECS, TRUTH, "ndcg", 5, connection=spark).schema.metadata[b"recsql"])
    assert report["versions"].keys() == {"recsql", "spark"}
    counts = {
        "users_in_mean": 18,
        "users_with_truth": 18,
        "lists": 18,
        "lists_without_truth": 0,
        "longest_list": LONGEST,
        "users_without_list": 0,
    }
    assert report["models"] == [{"model": None, **counts}]


LARGE: dict[str, Callable[..., Any]] = {
    "per_user": lambda **where: recsql.per_user(RECS, TRUTH, "ndcg", 5, **where),
    "hits": lambda **where: recsql.hits(RECS, TRUTH, 5, **where),
    "ideal": lambda **where: recsql.ideal(TRUTH, 5, **where),
    "rank_by_score": lambda **where: recsql.rank_by_score(RECS.rename_columns(["user_id", "item_id", "score"]), 5, **where),
    "leave_one_out": lambda **where: recsql.leave_one_out(RECS, "rank", **where),
}


@pytest.mark.parametrize("name", LARGE)
def test_what_is_large_stays_on_the_cluster(spark: Any, tmp_path: Path, name: str) -> None:
    path = str(tmp_path / "kept.parquet")
    assert LARGE[name](into=path, connection=spark) is None
    assert in_order(spark.read.parquet(path).toArrow()) == in_order(LARGE[name](connection=spark))


def test_in_a_table(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # Sail keeps its tables where it runs
    assert recsql.ideal(TRUTH, 5, into="large", connection=spark) is None
    assert in_order(spark.table("large").toArrow()) == in_order(recsql.ideal(TRUTH, 5, connection=spark))
    with pytest.raises(recsql.BadInput, match=r"^into: table large already exists; drop it first, or choose another name$"):
        recsql.ideal(TRUTH, 5, into="large", connection=spark)
    spark.sql("drop table large")


NO_TABLE = "into: {into} is not a table name in Spark; use letters, digits and _, or give a path"


@pytest.mark.skipif(KIND == "sail", reason="Sail says it in other words, and makes a table of any name")
@pytest.mark.parametrize(
    ("into", "says"),
    [
        ("{folder}", "{into}: the path already exists, and Spark doesn't replace it; remove it first, or choose another path"),
        ("my-table", NO_TABLE),
        ("my table", NO_TABLE),
        ("`my-table`", NO_TABLE),
        ("nowhere.mine", "into: the schema of {into} does not exist; create it first, or choose another name"),
    ],
)
def test_where_rows_can_not_stay(spark: Any, tmp_path: Path, into: str, says: str) -> None:
    into = into.format(folder=tmp_path)
    with pytest.raises(recsql.BadInput) as refused:
        recsql.ideal(TRUTH, 5, into=into, connection=spark)
    assert str(refused.value) == says.format(into=into)


PARTS: Mapping[str, Any] = {
    "metrics": ["ndcg", "ap", "f1(average=of_means)", "entropy", "gini(weight=exposure)"],
    "k": [3, 10],
    "catalog_size": 40,
}


def test_parts(spark: Any, tmp_path: Path) -> None:
    """Parts made by either engine are merged by either."""
    data = random_data(5, users=40)
    recs, truth = data.recs_table(), data.truth_table()
    for n, connection in enumerate([spark, None]):
        mine, its = (rows.filter(pa.array([user % 2 == n for user in rows["user_id"].to_pylist()])) for rows in (recs, truth))
        recsql.partial(mine, its, str(tmp_path / f"{n}.parquet"), connection=connection, **PARTS)
    whole = recsql.evaluate(recs, truth, **PARTS)
    for connection in (spark, None):
        found = recsql.merge(str(tmp_path / "*.parquet"), connection=connection)
        for row, expected in zip(found.to_pylist(), whole.to_pylist(), strict=True):
            assert row == {**expected, "value": pytest.approx(expected["value"], rel=1e-12)}


POLICY = "spark.sql.legacy.ctePrecedencePolicy"


def test_the_session_is_left_as_it_was(spark: Any) -> None:
    usual = {name: spark.conf.get(name, None) for name in SETTINGS}
    recsql.evaluate(RECS, TRUTH, "hit", 5, connection=spark)
    assert {name: spark.conf.get(name, None) for name in SETTINGS} == usual
    for name in SETTINGS:
        spark.conf.set(name, "true")
    recsql.evaluate(RECS, TRUTH, "hit", 5, connection=spark)
    assert {spark.conf.get(name) for name in SETTINGS} == {"true"}
    for name in SETTINGS:
        spark.conf.unset(name)
    assert not [row.tableName for row in spark.sql("show tables").collect() if "recsql" in row.tableName]
    assert KIND != "local" or spark._jsparkSession.sharedState().cacheManager().isEmpty()


@pytest.mark.parametrize("usual", [None, "true"])
def test_a_setting_is_held_until_the_last_lets_it_go(spark: Any, usual: str | None) -> None:
    """Also where one session comes as several objects."""
    name = next(iter(SETTINGS))
    if usual:
        spark.conf.set(name, usual)
    first, second = hold_setting(spark, name, "false"), hold_setting(type(spark).getActiveSession(), name, "false")
    with ExitStack() as last:
        with first:
            last.enter_context(second)
        assert spark.conf.get(name) == "false"
    assert spark.conf.get(name, None) == usual
    spark.conf.unset(name)


# -- what can't be had


def test_calls_side_by_side(spark: Any) -> None:
    """Each reads what it was given, though all register it in one session, which is afterwards as it was."""
    usual = {name: spark.conf.get(name, None) for name in (*SETTINGS, POLICY)}
    truth = pa.table({"user_id": [1], "item_id": [10]})
    lists = [pa.table({"user_id": [1], "item_id": [item], "rank": [1]}) for item in (10, 11, 10)]
    with ThreadPoolExecutor(3) as threads:
        found = threads.map(lambda recs: recsql.evaluate(recs, truth, "hit", 1, connection=spark)["value"].to_pylist(), lists)
    assert list(found) == [[1.0], [0.0], [1.0]]
    assert {name: spark.conf.get(name, None) for name in (*SETTINGS, POLICY)} == usual


def test_a_file_that_is_not_there(spark: Any, folder: Path) -> None:
    for connection in (None, spark):
        with pytest.raises(recsql.BadInput, match=r"truht\.parquet: no such file; did you mean .*truth\.parquet\?"):
            recsql.evaluate(RECS, str(folder / "truht.parquet"), connection=connection)


def test_a_file_that_is_not_parquet(spark: Any, folder: Path) -> None:
    text = folder / "text.parquet"
    text.write_text("user_id,item_id\n1,2\n")
    for connection in (None, spark):
        with pytest.raises(recsql.BadInput, match=r"text\.parquet: it can't be read as Parquet: ") as refused:
            recsql.evaluate(RECS, str(text), connection=connection)
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            lambda con: recsql.split(
                RECS, train="train.parquet", truth="truth.parquet", protocol="leave_one_out", order_by="rank", connection=con
            ),
            "write the rows with into=",
        ),
        (
            lambda con: recsql.split(RECS, protocol="last_n", order_by="rank", like="rectools", connection=con),
            "^ties='row_last' needs the order of the rows, which tables in Spark do not have; use ties='item'$",
        ),
        (lambda con: recsql.evaluate("run.trec", TRUTH, connection=con), "only DuckDB reads a file in TREC's format"),
        (
            lambda con: recsql.evaluate("r.csv", TRUTH, connection=con),
            r"r\.csv: only DuckDB reads CSV; give it as Parquet, or as a table, such as that of spark\.read\.csv\(\.\.\.\)$",
        ),
        (lambda con: recsql.evaluate("d.duckdb:recs", TRUTH, connection=con), "only DuckDB reads its databases"),
        (lambda con: recsql.evaluate(EXAMPLE, TRUTH, model="filename", connection=con), "give a mapping of names to paths$"),
        (lambda con: recsql.evaluate(3, TRUTH, connection=con), "recs: int is not a table"),
    ],
    ids=["split", "order of rows", "TREC", "CSV", "database", "model per file", "no table"],
)
def test_one_sentence(spark: Any, call: Callable[[Any], object], says: str) -> None:
    with pytest.raises(recsql.BadInput, match=says) as refused:
        call(spark)
    assert "\n" not in str(refused.value)


def test_nothing_in_common_is_said(spark: Any) -> None:
    truth = pa.table({"user_id": ["u1"], "item_id": ["007"]})
    for user, item, says in (("U1", "007", "no user .* 'U1' here and 'u1'"), ("u1", "7", "no item .* '7' here and '007'")):
        with pytest.warns(UserWarning, match=f"^recs: {says} there; check how the ids are written"):
            recsql.evaluate(pa.table({"user_id": [user], "item_id": [item], "rank": [1]}), truth, "hit", 5, connection=spark)


def test_a_rank_of_0_is_refused_before_it_divides(spark: Any) -> None:
    recs, truth = pa.table({"user_id": [1], "item_id": [8], "rank": [0]}), pa.table({"user_id": [1], "item_id": [8]})
    with pytest.raises(recsql.BadInput, match=r"^recs: rank is 0 for user 1, item 8; ranks"):
        recsql.evaluate(recs, truth, ["ap", "dcg", "rr"], 5, connection=spark)
