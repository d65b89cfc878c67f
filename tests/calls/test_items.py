"""The metrics of all lists together: tables that are empty or short, what is refused, and what holds for any lists.

If it fails, coverage, gini, entropy, novelty or popularity is wrong for unusual lists, or accepts what it can't use.
"""

import math
import random
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recsql
from recsql.catalog import catalog
from recsql.catalog.grammar import name_in
from recsql.cli import main
from tests.random_data import Data, random_data
from tests.support import OF_ALL_LISTS, fetched, macro_call, said_by, takes

Columns = dict[str, Any]
Rows = list[dict[str, Any]]
MACROS: dict[Any, str] = {
    recsql.item_metrics: "item_metrics",
    recsql.evaluate_ratings: "rating_metrics",
    recsql.leave_one_out: "split_leave_one_out",
}
K = [1, 2]
RECS: Columns = {"model": ["a", "a", "b"], "user_id": [1, 1, 1], "item_id": [7, 8, 8], "rank": [1, 2, 2]}
ITEMS: Columns = {"item_id": [7, 8, 9]}


def register(connection: duckdb.DuckDBPyConnection, **tables: Columns) -> None:
    """Tables of these names; a column without values is of whole numbers."""
    for name, columns in tables.items():
        typed = {column: pa.array(values, None if values else pa.int64()) for column, values in columns.items()}
        connection.register(name, pa.table(typed))


def said(run: Callable[[], Rows]) -> Rows | str:
    """The rows, values to the digits that don't depend on the order of adding; or the sentence that refuses."""
    try:
        return [row | {"value": rounded(row["value"])} if "value" in row else row for row in run()]
    except (recsql.RecsqlError, duckdb.InvalidInputException) as refused:
        return str(refused).removeprefix("Invalid Input Error: ").partition("\n\nLINE ")[0].strip()


def without_definition(result: pa.Table) -> Rows:
    return [{name: value for name, value in row.items() if name != "definition"} for row in result.to_pylist()]


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 12)


def both(
    connection: duckdb.DuckDBPyConnection, function: Callable[..., pa.Table], table: str, **options: Any
) -> list[Rows | str]:
    """What Python says but for the definition, and the macro unless it is one of another file."""
    found = [said(lambda: without_definition(function(table, connection=connection, **options)))]
    macro = macro_of(function, options)
    if takes(macro, options):
        found.append(said(lambda: fetched(connection, macro_call(macro, table, **options))))
    return found


def macro_of(function: Callable[..., pa.Table], options: Mapping[str, Any]) -> str:
    return f"{MACROS[function]}_joined" if "ratings" in options else MACROS[function]


def agreed(connection: duckdb.DuckDBPyConnection, function: Callable[..., pa.Table], table: str, **options: Any) -> Rows | str:
    """What Python and the macro say alike, a sentence in the words of each."""
    from_python, *from_macro = both(connection, function, table, **options)
    expected = said_by(macro_of(function, options), from_python) if isinstance(from_python, str) else from_python
    assert from_macro in ([], [expected])
    return from_python


def values(connection: duckdb.DuckDBPyConnection, **options: Any) -> dict[tuple[Any, ...], tuple[float | None, int | None]]:
    """The values and users by model, metric and cut-off; Python and the macro agree."""
    rows = agreed(connection, recsql.item_metrics, "recs", k=K, **options)
    assert not isinstance(rows, str), rows
    return {(row["model"], name_in(row["metric"]), row["k"]): (row["value"], row["users"]) for row in rows}


# -- the grid of empties


def test_no_recommendations(connection: duckdb.DuckDBPyConnection) -> None:
    """Nothing is covered; of no item at all there is neither entropy nor inequality."""
    register(connection, recs={"user_id": [], "item_id": [], "rank": []}, items=ITEMS)
    expected = {(None, metric, k): (value, None) for metric, value in NOTHING_RECOMMENDED.items() for k in K}
    assert values(connection, items="items") == expected


NOTHING_RECOMMENDED = {"coverage": 0.0, "entropy": None, "gini": None}


def test_beside_metrics_of_users_under_other_options(connection: duckdb.DuckDBPyConnection) -> None:
    """Each of them has a pipeline of its own, and the rows are of one type."""
    register(connection, recs=RECS, truth={"user_id": [1], "item_id": [8]})
    asked = ["hit(no_recs=skip)", "entropy", "ndcg(relevance_threshold=1)"]
    rows = recsql.evaluate("recs", "truth", asked, 2, connection=connection).to_pylist()
    assert [(row["model"], row["metric"].partition("(")[0], row["users"]) for row in rows] == [
        (model, metric, users) for model in "ab" for metric, users in (("hit", 1), ("entropy", None), ("ndcg", 1))
    ]


def test_lists_that_begin_below_the_cutoff(connection: duckdb.DuckDBPyConnection) -> None:
    """Model b has its only item at rank 2: at cut-off 1 it has a row with nothing recommended."""
    register(connection, recs=RECS, items=ITEMS)
    one_of_three, two_of_three = (rounded(1 / 3), None), (rounded(2 / 3), None)
    assert values(connection, items="items") == {
        ("a", "coverage", 1): one_of_three,
        ("a", "coverage", 2): two_of_three,
        ("a", "entropy", 1): (0.0, None),
        ("a", "entropy", 2): (1.0, None),
        ("a", "gini", 1): two_of_three,
        ("a", "gini", 2): one_of_three,
        ("b", "coverage", 1): (0.0, None),
        ("b", "coverage", 2): one_of_three,
        ("b", "entropy", 1): (None, None),
        ("b", "entropy", 2): (0.0, None),
        ("b", "gini", 1): (None, None),
        ("b", "gini", 2): two_of_three,
    }
    per_list = values(connection, metrics=["entropy"], entropy_scope="list")
    assert per_list == {
        ("a", "entropy", 1): (0.0, 1),
        ("a", "entropy", 2): (1.0, 1),
        ("b", "entropy", 1): (None, 0),
        ("b", "entropy", 2): (0.0, 1),
    }


@pytest.mark.parametrize("catalogue", ["items", "train"])
def test_empty_catalogue(connection: duckdb.DuckDBPyConnection, catalogue: str) -> None:
    """A share of no items is NULL, while the entropy of the recommended items stays."""
    register(connection, recs=RECS, nothing={"item_id": []})
    found = values(connection, **{catalogue: "nothing"})
    assert {found["a", metric, 2] for metric in ("coverage", "gini")} == {(None, None)}
    assert found["a", "entropy", 2] == (1.0, None)
    bounded = values(connection, metrics=["entropy"], entropy_normalize="log_catalog", **{catalogue: "nothing"})
    assert bounded["a", "entropy", 2] == (None, None)


def test_empty_train_beside_a_catalogue(connection: duckdb.DuckDBPyConnection) -> None:
    register(connection, recs=RECS, items=ITEMS, nothing={"item_id": []})
    found = values(connection, items="items", train="nothing", metrics=["coverage"], coverage_denominator="train")
    assert set(found.values()) == {(None, None)}
    found = values(connection, items="items", train="nothing", metrics=["coverage"])
    assert found["a", "coverage", 2] == (rounded(2 / 3), None)


def test_an_empty_train(connection: duckdb.DuckDBPyConnection) -> None:
    """No user has anything: novelty is NULL for every list, and the popularity of every item is 0."""
    register(connection, recs=RECS, nothing={"user_id": [], "item_id": []})
    found = values(connection, metrics=["novelty", "popularity"], train="nothing")
    assert (found["a", "novelty", 2], found["a", "popularity", 2]) == ((None, 0), (0.0, 1))
    assert (found["b", "novelty", 1], found["b", "popularity", 1]) == ((None, 0), (None, 0))
    normalized = values(connection, metrics=["novelty", "popularity"], train="nothing", popularity_normalize="max")
    assert normalized["a", "popularity", 2] == (None, 0)


def test_an_interaction_without_an_item_or_a_user(connection: duckdb.DuckDBPyConnection) -> None:
    """A row without an item is none of train; one without a user counts as an interaction."""
    register(connection, recs=RECS, train={"user_id": [1, 2, None, 3], "item_id": [7, 8, 8, None]})
    by_users = values(connection, metrics=["novelty", "popularity"], train="train")
    assert (by_users["a", "novelty", 2], by_users["a", "popularity", 2]) == ((1.0, 1), (1.5, 1))


def test_the_column_of_users_may_be_named_for_other_tables(connection: duckdb.DuckDBPyConnection) -> None:
    register(connection, recs={"member": [1], "item_id": [7], "rank": [1]}, train={"item_id": [7]})
    options: dict[str, Any] = {"train": "train", "user": "member", "connection": connection}
    assert recsql.item_metrics("recs", "coverage", 1, **options)["value"].to_pylist() == [1.0]
    with pytest.raises(recsql.BadInput, match="train: no row has a user"):
        recsql.item_metrics("recs", "novelty", 1, **options)


def test_an_item_without_a_name_is_none_of_the_catalogue(connection: duckdb.DuckDBPyConnection) -> None:
    register(connection, recs=RECS, items={"item_id": [7, None, 8, 9, 9]})
    assert values(connection, items="items", metrics=["coverage"])["a", "coverage", 2] == (rounded(2 / 3), None)


def test_a_list_without_any_category(connection: duckdb.DuckDBPyConnection) -> None:
    """Item 8 has none: the list of model b has no entropy, and the mean is over no list."""
    register(connection, recs=RECS, items={"item_id": [7, 8, 9], "category": ["x", None, "y"]})
    assert values(connection, items="items", metrics=["entropy"], entropy_scope="category") == {
        ("a", "entropy", 1): (0.0, 1),
        ("a", "entropy", 2): (0.0, 1),
        ("b", "entropy", 1): (None, 0),
        ("b", "entropy", 2): (None, 0),
    }


# -- what is refused

TYPES = "item_id is BIGINT in recs and VARCHAR in {}; cast one of them to the other's type"
REFUSED: dict[str, tuple[dict[str, Columns], dict[str, Any], str]] = {
    "ids of two types": ({"items": {"item_id": ["7"]}}, {"items": "items"}, TYPES.format("items")),
    "ids of two types in train": ({"train": {"item_id": ["7"]}}, {"train": "train"}, TYPES.format("train")),
    "ids of two types beside a good table": (
        {"items": ITEMS, "train": {"item_id": ["7"]}},
        {"items": "items", "train": "train", "coverage_denominator": "train"},
        TYPES.format("train"),
    ),
    "a NULL item": (
        {"recs": RECS | {"item_id": [7, None, 8]}},
        {"catalog_size": 3},
        "recs: item_id is NULL in a row (user_id 1, item_id NULL, rank 2); leave such rows out or give them an id",
    ),
    "a NULL user": (
        {"recs": RECS | {"user_id": [1, None, 1]}},
        {"catalog_size": 3},
        "recs: user_id is NULL in a row (user_id NULL, item_id 8, rank 2); leave such rows out or give them an id",
    ),
    "a rank of 0": (
        {"recs": RECS | {"rank": [1, 0, 1]}},
        {"catalog_size": 3},
        "recs: rank is 0 for user 1, item 8; ranks are whole numbers that start at 1",
    ),
    "a catalogue that is too small": (
        {},
        {"catalog_size": 1},
        "catalog_size: 1 is too small; at k = 2 there are 2 different items",
    ),
    "no catalogue": (
        {},
        {"metrics": ["coverage", "entropy"]},
        "coverage needs items= or train= or catalog_size=",
    ),
    "no train": (
        {"items": ITEMS},
        {"items": "items", "metrics": ["coverage"], "coverage_denominator": "train"},
        "coverage needs train=",
    ),
    "categories of no table": ({}, {"entropy_scope": "category", "metrics": ["entropy"]}, "entropy needs items="),
    "a table without categories": (
        {"items": ITEMS},
        {"items": "items", "entropy_scope": "category"},
        "items: no item has a category; give it a column category, with one category per row or a LIST",
    ),
    "no train for what is known of items": ({}, {"metrics": ["novelty"]}, "novelty needs train="),
    "a train without users": (
        {"train": {"item_id": [7]}},
        {"train": "train", "metrics": ["popularity"], "popularity_base": "users"},
        "train: no row has a user; tail_share, propensity_power and novelty or popularity with base='users' need user_id",
    ),
    "an item that is not in train": (
        {"train": {"user_id": [1], "item_id": [7]}},
        {"train": "train", "metrics": ["popularity"], "popularity_unseen": "error"},
        "popularity_unseen='error': item 8 in the list of user 1 is not in train; add it there, or choose another value",
    ),
    "an unknown value": (
        {},
        {"entropy_base": "3"},
        "entropy_base: unknown value '3'; choose one of 2, e, 10",
    ),
    "a cut-off of 0": ({}, {"k": 0}, "k: a cut-off is a whole number from 1 to 1000000, or all; found 0"),
}


@pytest.mark.parametrize(("tables", "options", "sentence"), REFUSED.values(), ids=REFUSED)
def test_refused(
    connection: duckdb.DuckDBPyConnection, tables: dict[str, Columns], options: dict[str, Any], sentence: str
) -> None:
    register(connection, **({"recs": RECS} | tables))
    assert agreed(connection, recsql.item_metrics, "recs", **({"k": K} | options)) == sentence


def test_a_column_that_is_not_there(connection: duckdb.DuckDBPyConnection) -> None:
    register(connection, recs=RECS, items={"movie": [7]}, plain=ITEMS)
    with pytest.raises(recsql.BadInput, match=r"items: there is no column item_id; it has movie; name the column with item="):
        recsql.item_metrics("recs", items="items", connection=connection)
    with pytest.raises(duckdb.Error, match="items: there is no column item_id; it has movie"):
        connection.execute("from recsql.item_metrics('recs', items := 'items')").fetchall()
    with pytest.raises(recsql.BadInput, match="plain: there is no column genres; it has item_id"):
        recsql.item_metrics("recs", items="plain", category="genres", connection=connection)


@pytest.mark.parametrize(
    ("measure", "metric", "says"),
    [
        (
            recsql.per_user,
            "entropy",
            "entropy is not available here; it is one value for all lists together, so use evaluate or item_metrics",
        ),
        (recsql.per_user, "coverage@5", "coverage is not available here; it is one value for all lists together"),
        (recsql.evaluate, "rmse", "rmse is not available here; it compares ratings with predictions, so use evaluate_ratings"),
        (recsql.sql, "mae", "mae is not available here; it compares ratings with predictions"),
    ],
)
def test_a_metric_of_another_grain(measure: Callable[..., Any], metric: str, says: str) -> None:
    truth = pa.table({"user_id": [1], "item_id": [7]})
    with pytest.raises(recsql.RecsqlError, match=says):
        measure(pa.table(RECS), truth, ["ndcg", metric])


def test_a_metric_of_lists_and_an_unknown_one() -> None:
    with pytest.raises(recsql.RecsqlError, match="ndcg is not available here; use evaluate or per_user"):
        recsql.item_metrics(pa.table(RECS), ["entropy", "ndcg"])
    with pytest.raises(recsql.UnknownName, match=r"unknown metric 'entrpy'; did you mean entropy?"):
        recsql.item_metrics(pa.table(RECS), "entrpy")
    with pytest.raises(recsql.RecsqlError, match="smoothing: -1 is not at least 0"):
        recsql.item_metrics(pa.table(RECS), "entropy(scope=category)", items=pa.table(ITEMS), smoothing=-1)


def test_an_unknown_metric_of_the_macro(connection: duckdb.DuckDBPyConnection) -> None:
    register(connection, recs=RECS)
    with pytest.raises(duckdb.InvalidInputException, match="unknown metric 'entrpy'; did you mean entropy"):
        connection.execute("from recsql.item_metrics('recs', metrics := ['entrpy'])").fetchall()


# -- which metrics are had without being named


def test_metrics_by_default() -> None:
    recs, items = pa.table(RECS), pa.table(ITEMS)
    truth = pa.table({"user_id": [1], "item_id": [7]})

    def names(result: pa.Table) -> set[str]:
        return set(result["metric"].to_pylist())

    assert names(recsql.item_metrics(recs)) == {"entropy"}
    for catalogue in ({"items": items}, {"train": items}, {"catalog_size": 3}):
        assert names(recsql.item_metrics(recs, **catalogue)) == {"coverage", "entropy", "gini"}
    together = {"coverage", "entropy", "gini"}
    assert not names(recsql.evaluate(recs, truth)) & together
    assert names(recsql.evaluate(recs, truth, items=items)) >= together | {"ndcg"}
    assert names(recsql.evaluate(recs, truth, train=items)) >= together | {"ndcg"}
    assert not names(recsql.evaluate(recs, truth, train=items)) & {"novelty", "popularity"}
    assert names(recsql.item_metrics(recs, "all", train=truth)) == together
    assert names(
        recsql.item_metrics(recs, ["all", "novelty"], train=items.append_column("user_id", items["item_id"]))
    ) == together | {"novelty"}
    assert names(recsql.item_metrics(recs, "all", train=items)) == together, "a train without users"
    assert names(recsql.item_metrics(recs, "all", train=truth, like="replay")) == {"coverage"}


# -- what holds for any lists

a_few = settings(max_examples=8, deadline=None, derandomize=True)
seeds = st.integers(0, 10**6)
EVERY = pa.table({"item_id": list(range(12)), "category": [["even", "odd"][item % 2] for item in range(12)]})
TRAIN = pa.table({"user_id": [item % 4 for item in range(12)], "item_id": [item % 9 for item in range(12)]})
ALONE = [*OF_ALL_LISTS, "novelty", "popularity"]
VARIANTS = [
    *ALONE,
    "coverage(denominator=train)",
    "coverage(denominator=count)",
    "entropy(normalize=log_catalog)",
    "entropy(scope=list)",
    "entropy(scope=category)",
    "gini(population=recommended, divide=n_minus_1)",
    "gini(orientation=equality)",
    "gini(weight=exposure)",
    "novelty(base=interactions, mean=rows)",
    "novelty(divide=k, normalize=log_users)",
    "popularity(normalize=sum)",
]
STATED = {name: catalog().metrics[name].header["bounds"] for name in ALONE}
BOUNDS = {name: bounds + [-math.inf, math.inf][len(bounds) :] for name, bounds in STATED.items()}
Found = dict[tuple[Any, ...], float | None]


def measured(con: duckdb.DuckDBPyConnection, data: Data, metrics: Sequence[str] = VARIANTS, **options: Any) -> Found:
    """The metrics by model, metric and cut-off, in the catalogue of all items that there can be."""
    recs = data.recs_table()
    tables = {"items": EVERY, "train": TRAIN}
    rows = recsql.item_metrics(recs, metrics, range(1, 9), connection=con, **(tables | options)).to_pylist()
    return {(row["model"], row["metric"], row["k"]): row["value"] for row in rows}


@a_few
@given(seed=seeds)
def test_bounds(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    found = measured(con, random_data(seed))
    assert len(found) == 2 * len(VARIANTS) * 8
    for (model, metric, k), value in found.items():
        assert value is not None
        most = {
            "entropy": math.log2(found[model, "coverage(denominator=count)", k] or 1),
            "coverage(denominator=count)": 12,
            "entropy(scope=list)": math.inf,
            "novelty": math.log2(4),
            "novelty(base=interactions, mean=rows)": math.log2(12),
        }.get(metric, BOUNDS.get(metric, [0, 1])[1])
        assert BOUNDS.get(metric, [0])[0] <= value <= most + 1e-12, (model, metric, k)


@a_few
@given(seed=seeds)
def test_coverage_grows_with_k(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    found = measured(con, random_data(seed))
    for model in ("a", "b"):
        for metric in ("coverage", "coverage(denominator=train)", "coverage(denominator=count)"):
            down = [found[model, metric, k] or 0 for k in range(1, 9)]
            assert down == sorted(down), metric
            assert down[-1] > 0


@a_few
@given(seed=seeds)
def test_order_of_rows_and_names_do_not_matter(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    """Items turned round in their order, so that ties among them fall otherwise."""
    data, draw = random_data(seed), random.Random(seed)
    expected = measured(con, data)
    assert measured(con, Data(draw.sample(data.recs, len(data.recs)), [])) == pytest.approx(expected, abs=1e-12)
    recs = data.recs_table()
    turned = recs.set_column(2, "item_id", pa.array([f"item {99 - item}" for item in recs["item_id"].to_pylist()]))
    renamed = pa.table({"item_id": [f"item {99 - item}" for item in range(12)], "category": EVERY["category"]})
    train = TRAIN.set_column(1, "item_id", pa.array([f"item {99 - item}" for item in TRAIN["item_id"].to_pylist()]))
    rows = recsql.item_metrics(turned, VARIANTS, range(1, 9), items=renamed, train=train, connection=con)
    assert {(row["model"], row["metric"], row["k"]): row["value"] for row in rows.to_pylist()} == pytest.approx(
        expected, abs=1e-12
    )


@a_few
@given(size=st.integers(2, 12), depth=st.integers(1, 6))
def test_all_items_alike(con: duckdb.DuckDBPyConnection, size: int, depth: int) -> None:
    """As many lists as items, each shifted by one: at every cut-off all items appear equally often."""
    depth = min(depth, size)
    rows = [(user, (user + place) % size, place + 1) for user in range(size) for place in range(depth)]
    recs = pa.table(dict(zip(("user_id", "item_id", "rank"), map(list, zip(*rows, strict=True)), strict=True)))
    asked = ["coverage", "entropy", "gini", "gini(weight=exposure)", "entropy(normalize=log_catalog)"]
    found = recsql.item_metrics(recs, asked, range(1, depth + 1), catalog_size=size, connection=con).to_pylist()
    alike = dict(zip(asked, [1.0, math.log2(size), 0.0, 0.0, 1.0], strict=True))
    assert len(found) == len(asked) * depth
    for row in found:
        assert row["value"] == pytest.approx(alike[row["metric"]], abs=1e-12), row


@a_few
@given(size=st.integers(2, 50), users=st.integers(1, 20))
def test_one_item_alone(con: duckdb.DuckDBPyConnection, size: int, users: int) -> None:
    recs = pa.table({"user_id": list(range(users)), "item_id": [7] * users, "rank": [1] * users})
    asked = ["gini", "gini(divide=n_minus_1)", "gini(orientation=equality)", "entropy", "coverage"]
    found = recsql.item_metrics(recs, asked, 1, catalog_size=size, connection=con)
    assert found["value"].to_pylist() == pytest.approx([1 - 1 / size, 1.0, 1 / size, 0.0, 1 / size], abs=1e-12)


@a_few
@given(seed=seeds)
def test_the_same_in_other_words(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    """A number for the catalogue, nats for bits, equality for inequality, a count for a share."""
    data = random_data(seed)
    found = measured(con, data, ["coverage", "gini", "entropy"])
    by_size = measured(con, data, ["coverage", "gini", "entropy"], items=None, train=None, catalog_size=12)
    assert by_size == pytest.approx(found, abs=1e-12)
    words = ["coverage(denominator=count)", "gini(orientation=equality)", "entropy(base=e)", "entropy(base=10)"]
    other = measured(con, data, words)
    for (model, metric, k), value in found.items():
        assert value is not None
        expected = {
            "coverage": {words[0]: value * 12},
            "gini": {words[1]: 1 - value},
            "entropy": {words[2]: value * math.log(2), words[3]: value * math.log10(2)},
        }[metric]
        assert {word: other[model, word, k] for word in expected} == pytest.approx(expected, abs=1e-12)


@a_few
@given(seed=seeds)
def test_evaluate_gives_the_same_beside_the_means(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    data = random_data(seed)
    alone = measured(con, data)
    rows = recsql.evaluate(
        data.recs_table(),
        data.truth_table(),
        ["ndcg", *VARIANTS],
        range(1, 9),
        items=EVERY,
        train=TRAIN,
        connection=con,
    ).to_pylist()
    beside = {(row["model"], row["metric"], row["k"]): row["value"] for row in rows}
    assert {key for key in beside if key not in alone} == {(model, "ndcg", k) for model in ("a", "b") for k in range(1, 9)}
    assert {key: beside[key] for key in alone} == pytest.approx(alone, abs=1e-12)


def test_the_users_of_train_may_have_ids_of_another_type() -> None:
    """They are only counted."""
    recs = pa.table({"user_id": ["a", "b"], "item_id": ["x", "y"], "rank": [1, 1]})
    train = pa.table({"user_id": [1, 2, 2], "item_id": ["x", "x", "z"]})
    rows = recsql.item_metrics(recs, ["novelty(unseen=zero)", "coverage"], 5, train=train).to_pylist()
    assert [row["value"] for row in rows] == [0.0, 0.5]


# -- items without data


ITEMS_OF_TWO = pa.table(
    {"model": ["a"] * 4 + ["b"] * 4, "user_id": [1, 1, 2, 2] * 2, "item_id": [1, 2, 3, 9, 7, 8, 9, 3], "rank": [1, 2] * 4}
)


@pytest.mark.parametrize("metric", ["ild", "ild(distance=jaccard)", "category_coverage", "entropy(scope=category)"])
def test_listed_items_that_are_not_in_items(metric: str) -> None:
    items, truth = pa.table({"item_id": [1, 2, 3], "category": ["x", "y", "z"]}), pa.table({"user_id": [1, 2], "item_id": [1, 3]})
    with pytest.warns(UserWarning, match=r"^recs: 1 of 4 listed items of model a are not in items$"):
        recsql.evaluate(ITEMS_OF_TWO.slice(0, 4), truth, metric, 2, items=items)
    with pytest.raises(
        recsql.BadInput, match=r"^recs: 3 of 4 listed items of model b are not in items; check how the ids are wr"
    ):
        recsql.evaluate(ITEMS_OF_TWO, truth, metric, 2, items=items)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert recsql.evaluate(
            ITEMS_OF_TWO, truth, metric, 2, items=pa.table({"item_id": [1, 2, 3, 7, 8, 9], "category": ["x"] * 6})
        )


@pytest.mark.parametrize("metric", ["novelty", "popularity", "tail_share", "serendipity"])
def test_listed_items_that_are_not_in_train(metric: str) -> None:
    train, truth = pa.table({"user_id": [1, 2, 3], "item_id": [1, 2, 3]}), pa.table({"user_id": [1, 2], "item_id": [1, 3]})
    known: dict[str, Any] = {"train": train, "catalog_size": 9}
    with pytest.warns(UserWarning, match=r"^recs: 1 of 4 listed items of model a are not in train$"):
        recsql.evaluate(ITEMS_OF_TWO.slice(0, 4), truth, ["ndcg", metric], 2, **known)
    with pytest.raises(
        recsql.BadInput, match=r"^recs: 3 of 4 listed items of model b are not in train; check how the ids are wr"
    ):
        recsql.evaluate(ITEMS_OF_TWO, truth, metric, 2, **known)
    assert recsql.evaluate(ITEMS_OF_TWO, truth, "cold_share", 2, train=train, findings="off")["value"].to_pylist() == [0.25, 0.75]


# -- categories in one text

MOVIES: dict[str, list[Any]] = {
    "item_id": [1, 2, 3, 4],
    "category": ["Crime|Drama", "Drama|Comedy", "Comedy", "(no genres listed)"],
}
LISTED = {"item_id": [1, 2, 3, 4], "category": [["Crime", "Drama"], ["Drama", "Comedy"], ["Comedy"], []]}


@pytest.mark.parametrize("separator", ["|", ", ", ";"])
def test_categories_with_a_separator(separator: str) -> None:
    recs = pa.table({"user_id": [1, 1, 1, 1], "item_id": [1, 2, 3, 4], "rank": [1, 2, 3, 4]})
    truth, train = pa.table({"user_id": [1], "item_id": [1]}), pa.table({"user_id": [1, 1], "item_id": [2, 3]})
    metrics = [
        "ild",
        "ild(distance=jaccard)",
        "ild(distance=hamming)",
        "category_coverage",
        "calibration",
        "entropy(scope=category)",
    ]

    def values(items: dict[str, Any], **options: Any) -> list[float]:
        found = recsql.evaluate(recs, truth, metrics, 4, items=pa.table(items), train=train, findings="off", **options)
        values: list[float] = found["value"].to_pylist()
        return values

    joined = {**MOVIES, "category": [one.replace("|", separator) for one in MOVIES["category"]]}
    said = f"items: category has several categories in one text, such as Crime{separator}Drama; "
    said += f"category_separator='{separator}' splits them"
    with pytest.raises(recsql.BadInput, match=f"^{re.escape(said)}$"):
        values(joined)
    assert values(joined, category_separator=separator) == values(LISTED)
    assert values(joined, category_separator=separator.strip()) == values(LISTED)
    assert values(joined, category_separator="")[3] == 1.0
    with pytest.raises(recsql.RecsqlError, match=r"^category_separator: 5 is not text; give a text$"):
        values(joined, category_separator=5)


def test_texts_that_are_one_category() -> None:
    """Pieces that are never in two texts, and a separator in few texts."""
    recs, truth = pa.table({"user_id": [1, 1], "item_id": [1, 2], "rank": [1, 2]}), pa.table({"user_id": [1], "item_id": [1]})
    for texts in (["Home, Garden", "Health, Beauty", "Toys"], ["A;B", "A", "B", "C"], ["Doe, Jane", "Roe, Richard", "Lee"]):
        items = pa.table({"item_id": range(len(texts)), "category": texts})
        assert recsql.evaluate(recs, truth, "ild", 2, items=items)["value"].to_pylist() == [1.0]


def test_the_command_offers_the_separator(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in {
        "recs": "user_id,item_id,rank\n1,1,1\n1,2,2\n",
        "truth": "user_id,item_id\n1,1\n",
        "items": "item_id,genres\n1,Adventure|Animation|Children\n2,Adventure|Children\n",
    }.items():
        (tmp_path / f"{name}.csv").write_text(text)
    recs, truth, items = (str(tmp_path / f"{name}.csv") for name in ("recs", "truth", "items"))
    call = [
        "evaluate",
        recs,
        truth,
        "--items",
        items,
        "--category",
        "genres",
        "-k",
        "2",
        "-m",
        "ild(distance=jaccard)",
        "--format",
        "csv",
    ]
    assert main(call) == 1
    assert capsys.readouterr().err.endswith("such as Adventure|Animation|Children; --category-separator '|' splits them\n")
    assert main([*call, "--category-separator", "|"]) == 0
    assert "0.3333333333333333" in capsys.readouterr().out
