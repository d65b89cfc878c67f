"""For every kind of input, the numbers are those of plain Arrow tables, and the connection is left as it was.

If it fails, some kind of table gives other numbers than the same rows in Arrow, or leaves something behind in the connection.
"""

import math
import resource
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.base.statement import Statement
from recsql.catalog import catalog
from recsql.catalog.roles import Names
from recsql.cli import main
from recsql.display import output
from recsql.query.results import metadata_of
from tests.random_data import random_data
from tests.support import default_file, without_definition

pytestmark = pytest.mark.engine

CASES = Path(__file__).parents[1] / "data/cases"
DATA = random_data(3)
RECS, TRUTH = DATA.recs_table(), DATA.truth_table()
METRICS = ["ndcg@3", "ap(denominator=relevant)@5", "recall", "fp"]
K = [1, 4]
BY_SCORE_OR_NOT: tuple[dict[str, Any], ...] = ({}, {"rank_by": "score"})
STEPS = sorted({"recs", "truth", *catalog().steps})


def rows_of(recs: Any, truth: Any, **settings: Any) -> list[dict[str, Any]]:
    """The means, to the digits that don't depend on the order in which the threads add up."""
    rows: list[dict[str, Any]] = recsql.evaluate(recs, truth, METRICS, K, **settings).to_pylist()
    return [row | {"value": round(row["value"], 12)} for row in rows]


def macro_agrees(connection: duckdb.DuckDBPyConnection, recs: str, truth: str, with_ctes: str = "") -> bool:
    """Whether the macro gives the expected means of the metric that it has at its defaults."""
    given = f"'{recs}', '{truth}', k := {K}, metrics := 'recall'"
    text = f"{with_ctes} select * replace (round(value, 12) as value) from recsql.evaluate({given})"
    return connection.execute(text).fetchall() == [
        tuple(without_definition(row).values()) for row in EXPECTED if row["metric"] == "recall"
    ]


EXPECTED = rows_of(RECS, TRUTH)


@pytest.fixture
def own() -> Iterator[duckdb.DuckDBPyConnection]:
    """A user's connection, with our data in tables of his."""
    with duckdb.connect() as connection:
        for name, table in {"my_recs": RECS, "my_truth": TRUTH}.items():
            connection.register("staged", table)
            connection.execute(f"create table {name} as from staged")
        connection.unregister("staged")
        yield connection


def test_expected_says_something() -> None:
    assert {row["model"] for row in EXPECTED} == {"a", "b"}
    assert len({row["value"] for row in EXPECTED}) > 8


MAKERS: dict[str, Callable[[pa.Table], Any]] = {
    "Arrow table": lambda table: table,
    "record batch": lambda table: table.combine_chunks().to_batches()[0],
    "record batch reader": lambda table: table.to_reader(max_chunksize=5),
    "dataset": ds.dataset,
    "pandas": lambda table: table.to_pandas(),
    "Polars": pl.from_arrow,
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_in_memory(make: Callable[[pa.Table], Any], own: duckdb.DuckDBPyConnection) -> None:
    assert rows_of(make(RECS), make(TRUTH)) == EXPECTED
    assert rows_of(make(RECS), make(TRUTH), connection=own) == EXPECTED


def test_frames_are_what_they_say() -> None:
    assert isinstance(MAKERS["pandas"](RECS), pd.DataFrame)
    assert isinstance(MAKERS["Polars"](RECS), pl.DataFrame)


def test_files(tmp_path: Path) -> None:
    pq.write_table(TRUTH, tmp_path / "truth.parquet")
    pq.write_table(RECS, tmp_path / "all.of.them.v1.parquet")
    pq.write_table(RECS.slice(0, 20), tmp_path / "part-1.parquet")
    pq.write_table(RECS.slice(20), tmp_path / "part-2.parquet")
    parts = [tmp_path / "part-1.parquet", tmp_path / "part-2.parquet"]
    whole = tmp_path / "all.of.them.v1.parquet"
    for recs in (whole, str(whole), str(tmp_path / "part-*.parquet"), parts, [str(part) for part in parts]):
        assert rows_of(recs, tmp_path / "truth.parquet") == EXPECTED
        assert rows_of(recs, str(tmp_path / "truth.parquet")) == EXPECTED


@pytest.mark.parametrize("name", ["my_recs", "main.my_recs", "a_view", "a_temporary_view", "other.my_recs", "registered"])
def test_names(own: duckdb.DuckDBPyConnection, name: str) -> None:
    own.execute("create view a_view as from my_recs")
    own.execute("create temporary view a_temporary_view as from my_recs")
    own.execute("create schema other")
    own.execute("create table other.my_recs as from my_recs")
    own.register("registered", RECS)
    assert rows_of(name, "my_truth", connection=own) == EXPECTED


def test_relations(own: duckdb.DuckDBPyConnection) -> None:
    assert rows_of(own.table("my_recs"), own.sql("from my_truth"), connection=own) == EXPECTED
    assert rows_of(own.table("my_recs").filter("rank < 100"), TRUTH, connection=own) == EXPECTED


def test_relation_of_another_connection(own: duckdb.DuckDBPyConnection) -> None:
    assert rows_of(own.table("my_recs"), own.table("my_truth")) == EXPECTED


# -- columns


def test_columns_by_any_name() -> None:
    recs = RECS.rename_columns(["Algo Rithm", "Customer", "product", "pos"])
    truth = TRUTH.rename_columns(["Customer", "product", "stars"])
    named = {"user": "Customer", "item": "product", "rank": "pos", "model": "Algo Rithm", "relevance": "stars"}
    assert rows_of(recs, truth, **named) == EXPECTED


def test_columns_that_differ_between_the_tables() -> None:
    recs, truth = RECS.rename_columns(["model", "user", "item", "rank"]), TRUTH.rename_columns(["u", "item_id", "relevance"])
    assert rows_of(recs, TRUTH, user="user", item="item", truth_user="user_id", truth_item="item_id") == EXPECTED
    assert rows_of(RECS, truth, truth_user="u") == EXPECTED
    for wanted in ("user_id", "v"):
        with pytest.raises(recsql.BadInput, match=f"^truth: there is no column {wanted}; .*with truth_user='...'$"):
            rows_of(RECS, truth, truth_user=wanted)


def test_the_columns_of_files_of_beir(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For query 1 the relevant document is second; query 2 has its own first. A judgement of 0 is none."""
    files = [str(CASES / "beir-results.tsv"), str(CASES / "beir-qrels.tsv")]
    results, judged = files
    found = recsql.evaluate(results, judged, ["rr@10", "ndcg@10"], names="beir")
    assert found["value"].to_pylist() == [0.75, pytest.approx((1 / math.log2(3) + 1) / 2)]
    assert main(["evaluate", *files, "-m", "rr@10", "--names", "beir", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith(",rr,10,0.75,2,2")
    (tmp_path / "beir.run").write_text("1 Q0 2 1 9.1 m\n1 Q0 14255 2 7.5 m\n2 Q0 308938 1 3.3 m\n")
    differing: list[dict[str, Any]] = [{"names": "beir"}, {"user": "query-id", "item": "corpus-id", "relevance": "score"}]
    for names in differing:  # a run has no names
        assert recsql.evaluate(tmp_path / "beir.run", judged, "rr@10", **names)["value"].to_pylist() == [0.75]
    text = recsql.sql("lake.recs", "lake.truth", "rr@10", dialect="spark", names="beir")
    assert "r.`query-id`" in text and "cast(t.score as double) as relevance" in text
    with pytest.raises(recsql.BadInput, match="names: unknown value 'bier'; choose one of beir"):
        recsql.evaluate(*files, names="bier")


def test_none_is_the_usual_column() -> None:
    names: dict[str, Any] = {field.name: None for field in fields(Names)}
    recs = RECS.filter(pc.equal(RECS["model"], "a")).drop_columns(["model"])
    truth = TRUTH.drop_columns(["relevance"])
    assert recsql.evaluate(recs, truth, **names).equals(recsql.evaluate(recs, truth), check_metadata=True)
    written = recsql.sql("recs", "truth", dialect="spark", **names)
    assert written == recsql.sql("recs", "truth", dialect="spark")
    assert recsql.conventions(recs, truth, "hit", 2, like=None).num_rows  # type: ignore[call-arg]


def test_the_report_says_what_orders_the_lists() -> None:
    """A preset prefers scores, but these lists have only ranks."""
    report = metadata_of(recsql.evaluate(RECS, TRUTH, "ndcg", 5, like="elliot"))
    assert (report["options"][0]["rank_by"], report["metrics"]["ndcg"]["rank_by"]) == ("rank", "rank")


def test_columns_in_any_case_and_order() -> None:
    recs = RECS.rename_columns(["MODEL", "User_ID", "ITEM_ID", "Rank"]).select(["Rank", "ITEM_ID", "MODEL", "User_ID"])
    assert rows_of(recs, TRUTH.select(["relevance", "item_id", "user_id"])) == EXPECTED


@pytest.mark.parametrize("twin", ["item_id", "ITEM_ID"])
def test_two_columns_of_one_name(twin: str) -> None:
    doubled = RECS.append_column(twin, RECS["rank"])
    for given in (doubled, doubled.to_reader(), doubled.to_pandas()):
        with pytest.raises(recsql.BadInput, match=r"recs: (it has two columns named item_id, as SQL|.* (Duplicate|Multiple) )"):
            recsql.evaluate(given, TRUTH)
    assert rows_of(RECS.append_column("note", RECS["rank"]).append_column("Note", RECS["rank"]), TRUTH) == EXPECTED


def test_a_table_without_columns() -> None:
    empty = pa.table({})
    for given in (empty.to_reader(), ds.dataset(empty), ds.dataset(empty).scanner()):
        with pytest.raises(recsql.BadInput, match=r"^recs: it can't be read: .*at least one column$"):
            recsql.evaluate(given, TRUTH)


COLUMNS = ["user_id", "item_id", "rank"]
EMPTY: dict[str, Callable[[], Any]] = {
    "pandas without columns": pd.DataFrame,
    "pandas without types": lambda: pd.DataFrame(columns=COLUMNS),
    "pandas with a type": lambda: pd.DataFrame({name: [] for name in COLUMNS}, dtype=float),
    "pandas with a LIST": lambda: pd.DataFrame(columns=["user_id", "items"]),
    "Polars without columns": pl.DataFrame,
    "Polars without types": lambda: pl.DataFrame(schema=COLUMNS),
    "pandas with categories": lambda: pd.DataFrame({name: pd.Categorical([]) for name in COLUMNS}),
    "pandas with a filter": lambda: pd.DataFrame({name: pd.Categorical(["a"]) for name in COLUMNS})[:0],
    "Polars with categories": lambda: pl.DataFrame(schema=dict.fromkeys(COLUMNS, pl.Categorical)),
    "Polars with an enum": lambda: pl.DataFrame(schema=dict.fromkeys(COLUMNS, pl.Enum(["a"]))),
    "Polars with types": lambda: pl.DataFrame(schema=dict.fromkeys(COLUMNS, pl.String)),
    "Arrow": lambda: pa.table({}),
}


@pytest.mark.parametrize("make", EMPTY.values(), ids=EMPTY)
@pytest.mark.parametrize("text", [True, False], ids=["text", "numbers"])
def test_an_empty_frame_has_no_rows(make: Callable[[], Any], text: bool) -> None:
    truth = pa.table({"user_id": ["u1"], "item_id": ["i1"]} if text else {"user_id": [1], "item_id": [1]})
    listed = truth.append_column("score", [[0.5]])
    for given, says, values in (
        (make(), "recs has no rows", [0.0]),
        ({"a": make(), "b": listed}, "recs of a has no rows", [0.0, 1.0]),
    ):
        with pytest.warns(UserWarning, match=f"^{says}, so every user counts as having no list$"):
            assert recsql.evaluate(given, truth, "ndcg", 5)["value"].to_pylist() == values
    with pytest.raises(recsql.BadInput, match="no user in truth has a relevant item"):
        recsql.evaluate(listed, make())


def test_a_file_without_rows_or_types(tmp_path: Path) -> None:
    """As pandas writes an empty frame to Parquet: its columns have the type null."""
    pq.write_table(pa.schema(dict.fromkeys(COLUMNS, pa.null())).empty_table(), tmp_path / "recs.parquet")
    truth = pa.table({"user_id": [1], "item_id": [1]})
    assert recsql.evaluate(tmp_path / "recs.parquet", truth, "ndcg", 5)["value"].to_pylist() == [0.0]


RANKS = {"user_id": [1, 1], "item_id": [1, 2], "rank": [1, 2]}


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        pytest.param({"rank": pa.array([1, 2])}, {"rank": pa.array([1.4, 2.0])}, "rank is 1.4 for user 2", id="rank"),
        pytest.param({}, {"item_id": pa.array(["1", "02"])}, "item_id is VARCHAR in .*recs.* and BIGINT in truth", id="text"),
        pytest.param({}, {"item_id": pa.array([1.0, 2.4])}, "item_id is DOUBLE in .*recs.* and BIGINT in truth", id="double"),
        pytest.param({}, {"rank": None}, "rank is NULL for user 2", id="no rank"),
        pytest.param({}, {"model": pa.array(["a", "a"])}, None, id="a model in the second alone"),
    ],
)
def test_files_that_are_not_alike(tmp_path: Path, first: Any, second: Any, says: str | None) -> None:
    """No file is read as if it were the first."""
    truth = pa.table({"user_id": [1, 2], "item_id": [1, 2], "relevance": [1, 1]})
    for n, changed in enumerate((first, second), start=1):
        columns = {**RANKS, "user_id": [n, n], **changed}
        pq.write_table(
            pa.table({name: column for name, column in columns.items() if column is not None}), tmp_path / f"recs{n}.parquet"
        )
    paths = [str(tmp_path / f"recs{n}.parquet") for n in (1, 2)]
    for recs in (paths, str(tmp_path / "recs*.parquet")):
        if says is None:
            assert {row["model"] for row in recsql.evaluate(recs, truth).to_pylist()} == {None, "a"}
            continue
        with pytest.raises(recsql.BadInput, match=says):
            recsql.evaluate(recs, truth)


def test_relevances_and_scores_are_as_wide_as_in_any_file(tmp_path: Path) -> None:
    for n, (relevance, score) in enumerate([([2], [1, 2]), ([0.4], [0.3, 0.4])], start=1):
        lists = pa.table({"user_id": [n, n], "item_id": [1, 2], "score": score})
        pq.write_table(lists, tmp_path / f"recs{n}.parquet")
        pq.write_table(pa.table({"user_id": [n], "item_id": [2], "relevance": relevance}), tmp_path / f"truth{n}.parquet")
    found = recsql.evaluate(str(tmp_path / "recs*.parquet"), str(tmp_path / "truth*.parquet"), ["dcg", "rr"], 2).to_pylist()
    assert [row["value"] for row in found] == [pytest.approx(1.2), 1.0]


def test_score_instead_of_rank() -> None:
    scored = DATA.recs_table("model", "user_id", "item_id", "score")
    assert rows_of(scored, TRUTH) == EXPECTED
    both = scored.append_column("rank", pa.array([99] * len(scored)))
    assert rows_of(both, TRUTH, score="score") == EXPECTED
    renamed = both.rename_columns(["model", "user_id", "item_id", "points", "rank"])
    assert rows_of(renamed, TRUTH, score="points") == EXPECTED
    said = rows_of(both, TRUTH, rank_by="score")
    assert [*map(without_definition, said)] == [*map(without_definition, EXPECTED)]
    assert all("rank_by=score" in row["definition"] for row in said)
    assert rows_of(both, TRUTH, rank_by="Score") == said
    ranked = rows_of(RECS, TRUTH, rank_by="position")
    assert [*map(without_definition, ranked)] == [*map(without_definition, EXPECTED)]


def test_place_in_an_ordered_truth() -> None:
    windowed: dict[str, Any] = {"truth_window": "k"}
    ordered = DATA.truth_table("user_id", "item_id", "relevance", "rank")
    expected = rows_of(RECS, ordered, **windowed)
    named = ordered.rename_columns(["user_id", "item_id", "relevance", "place"])
    assert rows_of(RECS, named, truth_rank="place", **windowed) == expected
    assert expected != EXPECTED


def test_lists() -> None:
    """One row per model and user with the items in a LIST; the same for the truth, with the relevance in a second LIST."""
    in_order = "list(item_id order by rank) as items, list(score order by rank) as scores"
    with duckdb.connect() as one:
        one.register("recs", DATA.recs_table("model", "user_id", "item_id", "rank", "score"))
        one.register("truth", TRUTH)
        lists = one.sql(f"select model, user_id, {in_order} from recs group by all").to_arrow_table()
        beside = "list(item_id) as items, list(relevance) as relevance"
        judged = one.sql(f"select user_id, {beside} from truth group by all").to_arrow_table()
        one.execute(default_file().text)
        one.register("lists", lists)
        one.register("judged", judged)
        unnested = "with l as (from recsql.unnest_lists('lists')), t as (from recsql.unnest_lists('judged'))"
        assert macro_agrees(one, "l", "t", unnested)
    assert rows_of(lists.drop_columns(["scores"]), judged) == EXPECTED
    assert rows_of(lists, judged) == EXPECTED
    assert rows_of(lists, judged, score="score") == EXPECTED


def test_a_list_of_structs(tmp_path: Path) -> None:
    """As Spark's ALS returns it: the first field is the item, and a number beside it the score."""
    als, truth = CASES / "als.parquet", CASES / "als-truth.parquet"
    turned, as_json = (
        tmp_path / "turned.parquet",
        tmp_path / "turned.ndjson",
    )  # the lists backwards, and the item under another name
    fields = "list_transform(list_reverse(recommendations), lambda e: {'movie Id': e.item_id, 'why': 'so', 'rating': e.rating})"
    for path in (turned, as_json):
        duckdb.execute(f"copy (select user_id, {fields} as items from '{als}') to '{path}'")
    for recs, values in ((als, [0.75, 0.75]), (turned, [1.0, 0.75]), (as_json, [1.0, 0.75])):  # by position, and by score
        found = [recsql.evaluate(recs, truth, "rr@10", **by)["value"][0].as_py() for by in BY_SCORE_OR_NOT]
        assert found == values
    assert main(["evaluate", str(als), str(truth), "-m", "rr@10"]) == 0
    with pytest.raises(recsql.BadInput, match=r"als\.parquet: there is no column item_id; it has user_id, recommendations"):
        recsql.evaluate(truth, als)  # as a truth, it could be anything


def test_a_list_in_a_text(tmp_path: Path) -> None:
    for recs in (CASES / "text-list.csv", pa.table({"user_id": ["0001"], "items": ["0706016001 0706016002"]})):
        with pytest.raises(recsql.BadInput, match=r"items is text, not a LIST of ids; split it first, .* string_split"):
            recsql.evaluate(recs, CASES / "text-list-truth.csv")
    split = "select user_id, string_split(items, ' ') as items from read_csv('{}', all_varchar = true)"
    duckdb.execute(f"copy ({split.format(CASES / 'text-list.csv')}) to '{tmp_path}/split.parquet'")
    assert recsql.evaluate(tmp_path / "split.parquet", CASES / "text-list-truth.csv", "rr@10")["value"].to_pylist() == [0.5]


def test_a_list_of_relevances_that_is_missing() -> None:
    """It says nothing of the items, where a table without such a column says that each has 1."""
    judged = "select 1 as user_id, [1, 2] as items, [1, 2] as relevance union all select 2, [3, 4], null"
    with duckdb.connect() as one:
        one.execute(default_file().text)
        one.execute(f"create table judged as {judged}")
        one.execute("create table recs as select 1 as user_id, 1 as item_id, 1 as rank")
        query = "with t as (from recsql.unnest_lists('judged')) from recsql.evaluate('recs', 't', k := [1])"
        with pytest.raises(duckdb.InvalidInputException, match="relevance is NULL for user 2, item 3; give every row a number"):
            one.execute(query).fetchall()
        with pytest.raises(recsql.BadInput, match="relevance is NULL for user 2, item 3; give every row a number"):
            recsql.evaluate("recs", "judged", connection=one)
        one.execute("alter table judged drop column relevance")
        assert {row[-1] for row in one.execute("from recsql.unnest_lists('judged')").fetchall()} == {1.0}


# -- the tables of the other metrics

CATALOGUE = pa.table({"item_id": list(range(12)), "category": [["even", "odd", None][item % 3] for item in range(12)]})
TRAIN = pa.table({"user_id": [1, 2] * 5, "item_id": list(range(10))})
OF_ITEMS = ["coverage", "coverage(denominator=train)", "gini(weight=exposure)", "entropy(scope=category)"]
PAIRS = [(user, item) for user in range(4) for item in range(5)]
USERS, THINGS = [user for user, _ in PAIRS], [item for _, item in PAIRS]
RATINGS = pa.table({"user_id": USERS, "item_id": THINGS, "rating": [1.0 + (3 * user + item) % 5 for user, item in PAIRS]})
PREDICTIONS = pa.table({"user_id": USERS, "item_id": THINGS, "prediction": [3.0 + item / 4 for item in THINGS]})
BOUGHT = pa.table({"user_id": USERS, "item_id": THINGS, "timestamp": [(7 * user + 2 * item) % 9 for user, item in PAIRS]})


def of_items(items: Any, train: Any, **settings: Any) -> list[dict[str, Any]]:
    return rounded(recsql.item_metrics(settings.pop("recs", RECS), OF_ITEMS, K, items=items, train=train, **settings))


def of_ratings(predictions: Any, ratings: Any, **settings: Any) -> list[dict[str, Any]]:
    return rounded(recsql.evaluate_ratings(predictions, ratings, **settings))


def held_out(interactions: Any, **settings: Any) -> set[tuple[Any, ...]]:
    rows = recsql.leave_one_out(interactions, settings.pop("order_by", "timestamp"), **settings).to_pylist()
    return {tuple(row.values())[:2] for row in rows if row["part"] == "truth"}


def rounded(result: pa.Table) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = result.to_pylist()
    return [row | {"value": round(row["value"], 12)} for row in rows]


EXPECTED_OF_ITEMS = of_items(CATALOGUE, TRAIN)
EXPECTED_OF_RATINGS = of_ratings(PREDICTIONS, RATINGS)
EXPECTED_HELD_OUT = held_out(BOUGHT)


def test_expected_of_the_others_says_something() -> None:
    assert len({row["value"] for row in EXPECTED_OF_ITEMS}) > 8
    assert len({row["value"] for row in EXPECTED_OF_RATINGS}) == 5
    assert len({item for _, item in EXPECTED_HELD_OUT}) > 1


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_others_in_memory(make: Callable[[pa.Table], Any], own: duckdb.DuckDBPyConnection) -> None:
    before = state(own)
    for settings in ({}, {"connection": own}):
        assert of_items(make(CATALOGUE), make(TRAIN), **settings) == EXPECTED_OF_ITEMS
        assert of_ratings(make(PREDICTIONS), make(RATINGS), **settings) == EXPECTED_OF_RATINGS
        assert held_out(make(BOUGHT), **settings) == EXPECTED_HELD_OUT
    assert state(own) == before


def test_others_in_files_and_tables(own: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Paths, globs and lists of paths; tables and views by name."""
    every = {"items": CATALOGUE, "train": TRAIN, "predictions": PREDICTIONS, "ratings": RATINGS, "bought": BOUGHT}
    for name, one in every.items():
        pq.write_table(one.slice(0, 3), tmp_path / f"{name}.1.parquet")
        pq.write_table(one.slice(3), tmp_path / f"{name}.2.parquet")
        own.execute(f"create view {name} as from '{tmp_path}/{name}.*.parquet'")
    globs = {name: f"{tmp_path}/{name}.*.parquet" for name in every}
    paths = {name: [tmp_path / f"{name}.{part}.parquet" for part in (1, 2)] for name in every}
    for given in (globs, paths, {name: name for name in every}):
        assert of_items(given["items"], given["train"], connection=own) == EXPECTED_OF_ITEMS
        assert of_ratings(given["predictions"], given["ratings"], connection=own) == EXPECTED_OF_RATINGS
        assert held_out(given["bought"], connection=own) == EXPECTED_HELD_OUT


def test_others_with_columns_by_any_name() -> None:
    recs = RECS.rename_columns(["model", "user_id", "Movie", "rank"])
    items, train = CATALOGUE.rename_columns(["Movie", "genres"]), TRAIN.rename_columns(["user", "Movie"])
    assert of_items(items, train, recs=recs, item="Movie", category="genres") == EXPECTED_OF_ITEMS
    predictions = PREDICTIONS.rename_columns(["who", "Movie", "yhat"])
    ratings = RATINGS.rename_columns(["who", "Movie", "stars"])
    named = {"user": "who", "item": "Movie"}
    assert of_ratings(predictions, ratings, prediction="yhat", rating="stars", **named) == EXPECTED_OF_RATINGS
    together = predictions.append_column("stars", ratings["stars"])
    assert of_ratings(together, None, prediction="yhat", rating="stars", **named) == EXPECTED_OF_RATINGS
    bought = BOUGHT.rename_columns(["who", "Movie", "bought at"])
    assert held_out(bought, order_by="bought at", **named) == EXPECTED_HELD_OUT


def test_categories_in_a_list() -> None:
    """Several an item, one or none: the same as one row each, and none is no category."""
    listed = pa.table({"item_id": [0, 1, 2, 3], "genres": [["even", "low"], ["odd"], [], None]})
    long = pa.table({"item_id": [0, 0, 1, 2, 3], "genres": ["even", "low", "odd", None, None]})
    asked = ["entropy(scope=category)", "coverage"]
    known = RECS.filter(pc.less(RECS["item_id"], 4))
    found = rounded(recsql.item_metrics(known, asked, 3, items=listed, category="genres"))
    assert found == rounded(recsql.item_metrics(known, asked, 3, items=long, category="genres"))
    one = pa.table({"user_id": [1, 1], "item_id": [0, 1], "rank": [1, 2]})
    [row] = recsql.item_metrics(one, asked[0], 2, items=listed, category="genres").to_pylist()
    assert (row["value"], row["users"]) == (pytest.approx(math.log2(3), abs=1e-12), 1)


# -- ids


def uuid_of(number: int) -> uuid.UUID:
    return uuid.UUID(int=number)


IDS: dict[str, tuple[str, Callable[[int], Any]]] = {
    "TINYINT": ("tinyint", int),
    "INTEGER": ("integer", int),
    "UBIGINT": ("ubigint", int),
    "HUGEINT": ("hugeint", lambda number: 2**100 + number),
    "VARCHAR": ("varchar", lambda number: f"id {number:03}"),
    "UUID": ("uuid", uuid_of),
    "DATE": ("date", lambda number: f"2024-01-{number + 1:02}"),
}


@pytest.mark.parametrize(("kind", "made"), IDS.values(), ids=IDS)
def test_ids_of_any_type(own: duckdb.DuckDBPyConnection, kind: str, made: Callable[[int], Any]) -> None:
    own.execute(f"create table names (number bigint, name {kind})")
    own.executemany(f"insert into names values (?, cast(? as {kind}))", [[number, str(made(number))] for number in range(20)])
    joined = "join names as u on u.number = x.user_id join names as i on i.number = x.item_id"
    own.execute(f"create view r as select x.model, u.name as user_id, i.name as item_id, x.rank from my_recs as x {joined}")
    own.execute(f"create view t as select u.name as user_id, i.name as item_id, x.relevance from my_truth as x {joined}")
    assert rows_of("r", "t", connection=own) == EXPECTED
    own.execute(default_file().text)
    assert macro_agrees(own, "r", "t")


def test_doubles_that_lack_digits() -> None:
    """Two users whose ids differ in their last digit would be one."""
    for column in ("user_id", "item_id"):
        recs = pa.table({"user_id": [1.0], "item_id": [1.0], "rank": [1]})
        long = recs.set_column(recs.column_names.index(column), column, pa.array([float(2**53)]))
        for given in ((long, recs), (recs, long)):
            with pytest.raises(
                recsql.BadInput, match=f"^(recs|truth): {column} is DOUBLE and has ids beyond 2.53, .*; read it as text"
            ):
                recsql.evaluate(given[0], given[1].drop_columns(["rank"]), "hit", 1)
    assert recsql.evaluate(recs, recs.drop_columns(["rank"]), "hit", 1)["value"].to_pylist() == [1.0]


def test_whole_numbers_of_any_size_compare() -> None:
    small = RECS.cast(pa.schema([("model", pa.string()), ("user_id", pa.int16()), ("item_id", pa.uint8()), ("rank", pa.int32())]))
    assert rows_of(small, TRUTH) == EXPECTED


# -- the user's connection


def state(connection: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[Any, ...]]]:
    """The tables, views, macros and settings of a connection."""
    selections = {
        "tables": "select schema_name, table_name, sql from duckdb_tables()",
        "views": "select schema_name, view_name from duckdb_views() where not internal",
        "functions": "select schema_name, function_name from duckdb_functions() where not internal",
        "settings": "select name, value from duckdb_settings()",
    }
    return {name: connection.execute(f"{text} order by all").fetchall() for name, text in selections.items()}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_connection_is_left_as_it_was(own: duckdb.DuckDBPyConnection, make: Callable[[pa.Table], Any]) -> None:
    own.execute("create table Given_to_recsql_recs as select 42 as answer")
    before = state(own)
    assert rows_of(make(RECS), make(TRUTH), connection=own) == EXPECTED
    with pytest.raises(recsql.BadInput, match="rank is 0"):
        rows_of(make(RECS.set_column(3, "rank", pa.array([0] * len(RECS)))), make(TRUTH), connection=own)
    assert state(own) == before
    assert own.execute("from given_to_recsql_recs").fetchall() == [(42,)]


def test_open_transaction_stays_open(own: duckdb.DuckDBPyConnection) -> None:
    own.execute("begin")
    own.execute("insert into my_recs select 'c', user_id, item_id, rank from my_recs where model = 'a'")
    assert {row["model"] for row in rows_of("my_recs", "my_truth", connection=own)} == {"a", "b", "c"}
    own.execute("rollback")
    assert rows_of("my_recs", "my_truth", connection=own) == EXPECTED


NO_RANKS = RECS.set_column(3, "rank", pa.array([0] * len(RECS)))


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_bad_input_in_an_open_transaction(own: duckdb.DuckDBPyConnection, make: Callable[[pa.Table], Any]) -> None:
    """The transaction goes on, with what the user did in it."""
    before = state(own)
    own.execute("begin; create table mine as select 42 as answer")
    with pytest.raises(recsql.BadInput, match="rank is 0"):
        rows_of(make(NO_RANKS), make(TRUTH), connection=own)
    assert rows_of(make(RECS), make(TRUTH), connection=own) == EXPECTED
    own.execute("commit")
    assert own.execute("from mine").fetchall() == [(42,)]
    own.execute("drop table mine")
    assert state(own) == before


TWO = ["rr", "recall(no_recs=skip)"]  # which take two queries
REFUSED: dict[str, tuple[Callable[..., Any], str]] = {
    "evaluate": (lambda **settings: recsql.evaluate(NO_RANKS, TRUTH, TWO, K, **settings), "rank is 0"),
    "per_user": (lambda **settings: recsql.per_user(NO_RANKS, TRUTH, TWO, K, **settings), "rank is 0"),
    "hits": (lambda **settings: recsql.hits(NO_RANKS, TRUTH, 3, into="found", **settings), "rank is 0"),
    "a table that is there": (
        lambda **settings: recsql.hits(RECS, TRUTH, 3, into="main.My_Recs", **settings),
        "table main.My_Recs already exists",
    ),
    "item_metrics": (lambda **settings: recsql.item_metrics(NO_RANKS, "entropy", 3, **settings), "rank is 0"),
    "evaluate_ratings": (
        lambda **settings: recsql.evaluate_ratings(PREDICTIONS, pa.concat_tables([RATINGS, RATINGS]), **settings),
        "appear together more than once",
    ),
    "split": (
        lambda **settings: recsql.split(
            pa.table({"user_id": [None], "item_id": [1], "timestamp": [1]}),
            train="a",
            truth="b",
            protocol="leave_one_out",
            **settings,
        ),
        "user_id is NULL",
    ),
    "gain_map": (lambda **settings: recsql.evaluate(RECS, TRUTH, "dcg", K, gain={99: 1}, **settings), "gain_map: no gain for"),
    "conventions": (lambda **settings: recsql.conventions(NO_RANKS, TRUTH, "rr", 3, **settings), "rank is 0"),
}


@pytest.mark.parametrize(("call", "says"), REFUSED.values(), ids=REFUSED)
def test_whatever_is_called_in_an_open_transaction(
    own: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Callable[..., Any], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    before = state(own)
    own.execute("begin; insert into my_truth select 77, 1, 1.0")
    with pytest.raises(recsql.RecsqlError, match=says):
        call(connection=own)
    own.execute("commit")
    assert own.execute("select count(*) from my_truth where user_id = 77").fetchall() == [(1,)]
    assert state(own) == before
    assert not list(tmp_path.iterdir())


def test_what_aborts_an_open_transaction(own: duckdb.DuckDBPyConnection) -> None:
    """An error in the middle of an expression is DuckDB's, which lets nothing but a rollback follow; the sentence is not lost."""
    before = state(own)
    own.execute("begin")
    with pytest.raises(recsql.BadInput, match="catalog_size"):
        recsql.evaluate(RECS, TRUTH, "tn", K, catalog_size=1, connection=own)
    with pytest.raises(recsql.EngineError, match="Current transaction is aborted"):
        rows_of("my_recs", "my_truth", connection=own)
    own.execute("rollback")
    assert state(own) == before
    assert rows_of(RECS, TRUTH, connection=own) == EXPECTED


BUSY = "connection: another call is using it; give each thread its own cursor, connection.cursor()"


def test_a_connection_that_is_in_use(own: duckdb.DuckDBPyConnection) -> None:
    """A call from the middle of another one, before it could have touched anything."""
    said: list[str] = []

    def batches() -> Iterator[pa.RecordBatch]:
        with pytest.raises(recsql.BadInput) as refused:
            rows_of("my_recs", "my_truth", connection=own)
        said.append(str(refused.value))
        yield from RECS.to_batches()

    assert rows_of(pa.RecordBatchReader.from_batches(RECS.schema, batches()), TRUTH, connection=own) == EXPECTED
    assert said == [BUSY]
    assert rows_of("my_recs", "my_truth", connection=own) == EXPECTED


def test_a_connection_in_eight_threads(own: duckdb.DuckDBPyConnection) -> None:
    before = state(own)

    def outcome(_: int) -> Any:
        try:
            return rows_of("my_recs", TRUTH, connection=own)
        except recsql.BadInput as refused:
            return str(refused)

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(outcome, range(24)))
    assert all(one in (BUSY, EXPECTED) for one in outcomes), outcomes
    assert BUSY in outcomes
    assert state(own) == before
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda _: rows_of("my_recs", TRUTH, connection=own.cursor()), range(8))) == [EXPECTED] * 8


def test_rows_that_are_not_fetched_yet(own: duckdb.DuckDBPyConnection) -> None:
    """DuckDB 2.0 can tell that there are some; in 1.5, whatever runs in a connection drops them."""
    own.execute("from range(5000)")
    if duckdb.__version__.startswith("1."):
        assert rows_of("my_recs", "my_truth", connection=own) == EXPECTED
    else:
        with pytest.raises(recsql.BadInput, match=r"^connection: rows of an execute\(\) are not fetched"):
            rows_of("my_recs", "my_truth", connection=own)
        assert len(own.fetchall()) == 5000
        assert rows_of("my_recs", "my_truth", connection=own) == EXPECTED
    own.execute("from range(5000)")
    assert rows_of("my_recs", "my_truth", connection=own.cursor()) == EXPECTED
    assert len(own.fetchall()) == 5000


def test_the_direction_that_the_user_orders_by(own: duckdb.DuckDBPyConnection) -> None:
    """Without a direction an order goes by a setting, that of a window too."""
    own.execute(default_file().text)
    scored = DATA.recs_table("model", "user_id", "item_id", "score")
    calls: dict[str, Callable[[], Any]] = {
        "evaluate": lambda: recsql.evaluate("my_recs", "my_truth", k=K, connection=own),
        "by score": lambda: recsql.evaluate(scored, "my_truth", ["ndcg", "rr"], K, connection=own),
        "ties": lambda: recsql.evaluate(scored, "my_truth", ["ap", "rr"], K, ties="expected", connection=own),
        "copies": lambda: recsql.evaluate("my_recs", "my_truth", k=K, duplicates="hole", connection=own),
        "items": lambda: recsql.item_metrics(
            "my_recs", ["gini(population=recommended)", "gini(weight=exposure)"], K, catalog_size=99, connection=own
        ),
        "macro": lambda: own.sql(f"from recsql.evaluate('my_recs', 'my_truth', k := {K})").to_arrow_table(),
    }
    usual = {name: call().to_pylist() for name, call in calls.items()}
    own.execute("set default_order = 'desc'")
    for name, call in calls.items():
        assert str(call().to_pylist()) == str(usual[name]), name  # text: NaN is no NaN


def test_tables_of_other_databases_by_name(own: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """As DuckDB finds them: behind a database, a schema or both, in any case. A bare name is looked up here alone."""
    own.execute(f"attach '{tmp_path / 'lake.duckdb'}' as lake; create schema lake.gold")
    own.execute('create table lake."Recs" as from my_recs; create table lake.gold.truth as from my_truth')
    for recs, truth in (
        ("lake.recs", "lake.gold.truth"),
        ("LAKE.main.RECS", "lake.gold.Truth"),
        ("MY_RECS", "memory.main.my_truth"),
    ):
        assert rows_of(recs, truth, connection=own) == EXPECTED
    for elsewhere in ("recs", "truth", "lake.truth"):
        with pytest.raises(recsql.BadInput, match=f"^{elsewhere}: no such file"):
            rows_of(elsewhere, "my_truth", connection=own)
    own.execute("use lake")
    assert rows_of("recs", "gold.truth", connection=own) == EXPECTED


def test_lists_beside_the_items_may_be_of_any_length() -> None:
    truth = pa.table({"user_id": [1], "item_id": [11]})
    lists = {"user_id": [1], "items": [[10, 11]], "tags": [["a", "b", "c"]], "notes": [["a"]], "scores": [[0.2, 0.1]]}
    [row] = recsql.evaluate(pa.table(lists), truth, "rr", 2).to_pylist()
    assert row["value"] == 1 / 2
    with pytest.raises(recsql.BadInput, match="item_id is NULL"):
        recsql.evaluate(pa.table(lists | {"scores": [[0.2, 0.1, 0.0]]}), truth, "rr", 2)


def test_lists_of_one_length_and_a_list_of_ranks() -> None:
    truth = pa.table({"user_id": [1], "item_id": [11]})
    items = pa.array([[10, 11]], pa.list_(pa.int64(), 2))
    [row] = recsql.evaluate(pa.table({"user_id": [1], "items": items}), truth, "rr", 2).to_pylist()
    assert row["value"] == 1 / 2
    with pytest.raises(recsql.BadInput, match="recs: items and rank are both LISTs, but the order of items gives the ranks"):
        recsql.evaluate(pa.table({"user_id": [1], "items": items, "rank": [[2, 1]]}), truth, "rr", 2)


@pytest.mark.parametrize("make", [duckdb.connect, lambda: pa.array([1]), lambda: pa.scalar(1), lambda: 5])
def test_what_is_no_table(make: Callable[[], Any]) -> None:
    what = make()
    with pytest.raises(recsql.BadInput, match=f"^recs: {type(what).__name__} is not a table; give a path"):
        rows_of(what, TRUTH)


def test_a_relation_that_fails(own: duckdb.DuckDBPyConnection) -> None:
    broken = own.sql("select cast('x' || item_id as integer) as item_id, * exclude (item_id) from my_recs")
    with pytest.raises(recsql.BadInput, match=r"^recs: it can't be read: Could not convert string 'x"):
        rows_of(broken, "my_truth", connection=own)


def test_a_stream_that_breaks_off(own: duckdb.DuckDBPyConnection) -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        yield RECS.to_batches()[0]
        raise OSError("the cable is cut")

    before = state(own)
    for connection in (own, None):
        stream = pa.RecordBatchReader.from_batches(RECS.schema, batches())
        with pytest.raises(recsql.BadInput, match=r"cable is cut\.$"):
            rows_of(stream, TRUTH, connection=connection)
    assert state(own) == before


@contextmanager
def small_files(most: int) -> Iterator[None]:
    """While a file can't grow beyond some bytes, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("begun", [False, True], ids=["", "in an open transaction"])
def test_a_full_disk_is_what_is_said(own: duckdb.DuckDBPyConnection, tmp_path: Path, begun: bool) -> None:
    own.execute("create table many as select r as user_id, hash(r) as item_id, hash(r, 1) as timestamp from range(50000) as t(r)")
    before = state(own)
    if begun:
        own.begin()
    with (
        small_files(20_000),
        pytest.raises(recsql.RecsqlError, match=rf"^{tmp_path}/a.parquet: it can't be written: File too large$"),
    ):
        recsql.split(
            "many", train=str(tmp_path / "a.parquet"), truth=str(tmp_path / "b.parquet"), protocol="leave_one_out", connection=own
        )
    if begun:
        own.rollback()
    assert state(own) == before
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "write",
    [
        lambda path: recsql.hits(RECS, TRUTH, 5, into=path),
        lambda path: recsql.partial(RECS, TRUTH, path, "hit", 5),
        lambda path: output.save(1000 * "a", path),
    ],
    ids=["by DuckDB", "by Arrow", "as text"],
)
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, write: Callable[[str], Any]) -> None:
    path = str(tmp_path / "é.parquet")
    with small_files(100), pytest.raises(recsql.RecsqlError, match=f"^{path}: it can't be written: File too large$"):
        write(path)
    assert not list(tmp_path.iterdir())


def test_a_table_that_cannot_be_committed_leaves_nothing(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "small.db")) as own:
        before = state(own)
        with small_files(100), pytest.raises(recsql.EngineError, match="File too large"):
            recsql.hits(RECS.to_reader(), TRUTH, 5, into="found", connection=own)
        assert state(own) == before


def test_all_of_a_statement_sees_the_same_rows(own: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    """What others commit after its temporary tables are made is not seen by the rest."""
    made: list[str] = []
    metrics = ["recall", "ndcg"]
    before = recsql.evaluate("my_recs", "my_truth", metrics, connection=own)
    reading = Statement.reading

    def meanwhile(self: Statement, *args: Any) -> Statement:
        last = reading(self, *args)
        made.extend(
            name for (name,) in own.execute("select table_name from duckdb_tables() where temporary order by all").fetchall()
        )
        with own.cursor() as other:
            other.execute("delete from my_truth where user_id = (select min(user_id) from my_truth)")
        return last

    monkeypatch.setattr(Statement, "reading", meanwhile)
    assert recsql.evaluate("my_recs", "my_truth", metrics, connection=own) == before
    assert [name.rpartition("_")[0] for name in made] == ["fingerprints", "possible_hits"]
    monkeypatch.undo()
    assert recsql.evaluate("my_recs", "my_truth", metrics, connection=own) != before


def test_tables_named_like_ours(own: duckdb.DuckDBPyConnection) -> None:
    """Tables with the names of the query's steps do not affect the query, and are not affected by it."""
    own.execute(default_file().text)
    for name in STEPS:
        own.execute(f"create table {name} as select 'wrong' as user_id, 'wrong' as item_id, -1 as rank, 'wrong' as model")
    assert rows_of("my_recs", "my_truth", connection=own) == EXPECTED
    assert rows_of(RECS, TRUTH, connection=own) == EXPECTED
    assert macro_agrees(own, "my_recs", "my_truth")
    for name in STEPS:
        assert own.execute(f"select rank from {name}").fetchall() == [(-1,)]


@pytest.mark.parametrize(
    ("recs", "truth"), [("recs", "truth"), ("hits", "relevant"), ("lists", "users"), ("models", "population")]
)
def test_our_names_for_the_tables_themselves(own: duckdb.DuckDBPyConnection, recs: str, truth: str) -> None:
    """The data may be in tables that are named like steps of the query."""
    own.execute(default_file().text)
    own.execute(f"create table {recs} as from my_recs")
    own.execute(f"create table {truth} as from my_truth")
    assert rows_of(recs, truth, connection=own) == EXPECTED
    assert macro_agrees(own, recs, truth)


@pytest.mark.parametrize(("recs", "truth"), [("given_recs", "given_truth"), ("problems", "summary"), ("at_k", "per_user")])
def test_names_of_inner_steps_for_the_tables_themselves(own: duckdb.DuckDBPyConnection, recs: str, truth: str) -> None:
    test_our_names_for_the_tables_themselves(own, recs, truth)
