"""The grid of empties: recommendations and truth that are full, partial or empty, with and without models.

If it fails, users without a list or without truth count in the wrong way.
"""

from collections.abc import Sequence
from functools import cache
from statistics import fmean
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.catalog import catalog
from recsql.catalog.grammar import name_in
from recsql.display.shown import Shown
from tests.support import fetched, macro_call, metrics_of_file

OF_UNSEEN_LISTS = (
    "fp",
    "fallout",
    "bpref",
    "mcc",
    "utility",
    "user_coverage",
)  # 0 for an empty list, and another value for a list without a hit
USERS: dict[str, list[int]] = {"full": [1, 2, 3], "partial": [1, 2], "empty": []}
JUDGED: dict[str, list[int]] = {"full": [1, 2, 3], "partial": [2, 3], "empty": []}
LISTS = {1: [7, 8], 2: [8, 9], 3: [8]}
TRUTH = {1: 7, 2: 7, 3: 8}  # one relevant item each: user 2 has a list without a hit

PER_USER = {
    name: source for name, source in catalog().metrics.items() if source.grain == "user" and "by_name" not in source.header
}


def over_lists(recommended: Sequence[int], relevant: Sequence[int]) -> dict[str, float]:
    """Every metric at k = 2 in a catalogue of 10, by the macros over two lists."""
    calls = ", ".join(f"recsql.{name}({recommended}::bigint[], {relevant}, 2)" for name in PER_USER)
    return dict(zip(PER_USER, macros_over_lists().execute(f"select {calls}").fetchall()[0], strict=True))


@cache
def macros_over_lists() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(recsql.macros(metrics=[*PER_USER], catalog_size=10))
    return connection


@cache
def served(user: int) -> dict[str, float]:
    return over_lists(LISTS[user], [TRUTH[user]])


@cache
def unserved() -> dict[str, float]:
    return over_lists([], [7])


def nothing() -> dict[str, float]:
    """Without truth, what is 0 for a list without a hit is 0, and all that a list has are false positives."""
    zero = {name: 0.0 for name, value in served(2).items() if value == 0}
    return zero | {"fn": 0.0, "idcg": 0.0, "fallout": 0.0, "fp": 0.0, "tn": 10.0}


def unjudged(user: int) -> dict[str, float]:
    n = len(LISTS[user])
    return nothing() | {"fallout": n / 10, "fp": n, "tn": 10 - n}


BOUNDED = [name for name, source in PER_USER.items() if source.header["bounds"] == [0, 1]]


def given(connection: duckdb.DuckDBPyConnection, recs: Sequence[int], truth: Sequence[int], models: Sequence[str] = ()) -> None:
    """Lists for the users `recs` by each of `models` (no column model without one), and the truth of the users `truth`."""
    names: Sequence[str | None] = models or [None]
    rows = [(model, user, item, rank) for model in names for user in recs for rank, item in enumerate(LISTS[user], 1)]
    columns = {name: pa.array([row[n] for row in rows], kind) for n, (name, kind) in enumerate(RECS_COLUMNS)}
    if not models:
        del columns["model"]
    connection.register("recs", pa.table(columns))
    judged = {"user_id": truth, "item_id": [TRUTH[user] for user in truth]}
    connection.register("truth", pa.table({name: pa.array(values, pa.int64()) for name, values in judged.items()}))


RECS_COLUMNS = [("model", pa.string()), ("user_id", pa.int64()), ("item_id", pa.int64()), ("rank", pa.int64())]


def asked(connection: duckdb.DuckDBPyConnection, function: str, way: str = "query", **options: Any) -> list[dict[str, Any]]:
    """The rows of a function at k = 2, as the query or the macro gives them."""
    if way == "query":
        options |= {"metrics": "all", "catalog_size": 10}
        measure: Any = getattr(recsql, function)
        rows: list[dict[str, Any]] = measure("recs", "truth", k=2, connection=connection, **options).to_pylist()
        return rows
    every = {"metrics": "all"} if function == "evaluate" else {}
    return fetched(connection, macro_call(function, "recs", "truth", k=2, **every))


def values(
    connection: duckdb.DuckDBPyConnection, way: str = "query", **options: Any
) -> dict[tuple[str | None, int], dict[str, Any]]:
    """The metrics by model and user."""
    rows = asked(connection, "per_user", way, **options)
    assert {row.pop("k") for row in rows} <= {2}
    for row in rows:
        del row["list_length"], row["relevant"]
    return {(row.pop("model"), row.pop("user_id")): row for row in rows}


def agree(row: dict[str, Any], expected: dict[str, float]) -> None:
    """The metrics of which it is known have that value: a new one may count something else where there is no truth."""
    assert {name: row[name] for name in expected} == pytest.approx(expected)


@pytest.mark.parametrize(
    ("models", "way"),
    [((), "query"), (("m",), "query"), (("m",), "macro"), (("m", "n"), "query"), (("m", "n"), "macro")],
    ids=["no model", "one model", "one model, macro", "two models", "two models, macro"],
)
@pytest.mark.parametrize("truth", JUDGED)
@pytest.mark.parametrize("recs", USERS)
def test_grid(connection: duckdb.DuckDBPyConnection, way: str, recs: str, truth: str, models: Sequence[str]) -> None:
    """No list counts 0, a list without truth is left out, without truth there is nothing to measure."""
    given(connection, USERS[recs], JUDGED[truth], models)
    if truth == "empty":
        with pytest.raises((recsql.BadInput, duckdb.InvalidInputException), match=r"no user in .*truth.* has a relevant item"):
            asked(connection, "evaluate", way)
        return
    names: Sequence[str | None] = models if models and recs != "empty" else [None]
    known = PER_USER if way == "query" else PER_USER.keys() & metrics_of_file()
    expected = {
        (model, user): {name: (served(user) if user in USERS[recs] else unserved())[name] for name in known}
        for model in names
        for user in JUDGED[truth]
    }
    found = values(connection, way)
    assert found.keys() == expected.keys()
    for key, row in expected.items():
        assert found[key] == pytest.approx(row, abs=1e-12), key
    means = {(row["model"], name_in(row["metric"])): (row["value"], row["users"]) for row in asked(connection, "evaluate", way)}
    assert means.keys() == {(model, metric) for model in names for metric in known}
    for (model, metric), mean in means.items():
        found_values = [value for user in JUDGED[truth] if (value := expected[model, user][metric]) is not None]
        assert mean == (pytest.approx(fmean(found_values), abs=1e-12) if found_values else None, len(found_values)), metric


@pytest.mark.parametrize("policy", [{"no_recs": "skip"}, {"users": "intersection"}], ids=str)
def test_users_without_a_list_left_out(connection: duckdb.DuckDBPyConnection, policy: dict[str, str]) -> None:
    given(connection, USERS["partial"], JUDGED["partial"])
    assert values(connection, **policy) == {(None, 2): pytest.approx(served(2))}


@pytest.mark.parametrize("policy", [{"no_recs": "skip"}, {"users": "intersection"}], ids=str)
def test_no_user_with_list_and_truth(connection: duckdb.DuckDBPyConnection, policy: dict[str, str]) -> None:
    given(connection, [1], [3])
    with pytest.raises(recsql.BadInput, match=r"no user in .*truth.* has a relevant item"):
        asked(connection, "evaluate", **policy)


@pytest.mark.parametrize("policy", [{"no_truth": "zero"}, {"no_truth": "one_if_both_empty"}, {"users": "union"}], ids=str)
def test_list_without_truth_counts_zero(connection: duckdb.DuckDBPyConnection, policy: dict[str, str]) -> None:
    given(connection, USERS["partial"], JUDGED["partial"])
    found = values(connection, **policy)
    assert found.keys() == {(None, 1), (None, 2), (None, 3)}
    agree(found[None, 1], unjudged(1))
    assert found[None, 2] == pytest.approx(served(2))
    assert found[None, 3] == pytest.approx(unserved())


def test_list_without_truth_counts_one(connection: duckdb.DuckDBPyConnection) -> None:
    given(connection, USERS["partial"], JUDGED["partial"])
    agree(values(connection, no_truth="one")[None, 1], unjudged(1) | dict.fromkeys(BOUNDED, 1.0))


def test_list_alone_is_left_out_below_threshold(connection: duckdb.DuckDBPyConnection) -> None:
    given(connection, USERS["partial"], JUDGED["partial"])
    assert values(connection, no_truth="zero_below_threshold").keys() == {(None, 2), (None, 3)}


def test_list_without_truth_is_an_error(connection: duckdb.DuckDBPyConnection) -> None:
    given(connection, USERS["partial"], JUDGED["partial"])
    with pytest.raises(recsql.BadInput, match="user 1 has no relevant item in truth"):
        asked(connection, "evaluate", no_truth="error")


def test_truth_without_anything_relevant(connection: duckdb.DuckDBPyConnection) -> None:
    """User 1 is in the truth with relevance 0: left out by default, 0 or 1 if an option says so."""
    given(connection, USERS["full"], [])
    connection.register("truth", pa.table({"user_id": [1, 2], "item_id": [7, 7], "relevance": [0.0, 1.0]}))
    assert values(connection).keys() == {(None, 2)}
    for policy, value in {"zero": 0.0, "zero_below_threshold": 0.0, "one": 1.0, "one_if_both_empty": 0.0}.items():
        agree(values(connection, no_truth=policy)[None, 1], unjudged(1) | dict.fromkeys(BOUNDED, value))


def test_both_empty(connection: duckdb.DuckDBPyConnection) -> None:
    """User 1 has no list, and is in the truth without a relevant item."""
    given(connection, [2], [])
    connection.register("truth", pa.table({"user_id": [1, 2], "item_id": [7, 7], "relevance": [0.0, 1.0]}))
    for policy, value in {"zero": 0.0, "one": 1.0, "one_if_both_empty": 1.0}.items():
        agree(values(connection, no_truth=policy)[None, 1], nothing() | dict.fromkeys(BOUNDED, value))


def test_population_of_ones_own(connection: duckdb.DuckDBPyConnection) -> None:
    """Of the users in the table, those with truth; nobody else."""
    given(connection, USERS["partial"], JUDGED["partial"])
    connection.register("looked_at", pa.table({"user_id": [1, 3, 99]}))
    assert values(connection, users="looked_at") == {(None, 3): pytest.approx(unserved())}


def test_model_without_a_single_hit_appears(connection: duckdb.DuckDBPyConnection) -> None:
    given(connection, [1], [1])
    table = {"model": ["good", "useless"], "user_id": [1, 99], "item_id": [7, 500], "rank": [1, 1]}
    connection.register("recs", pa.table(table))
    means = {
        row["model"]: (row["value"], row["users"]) for row in asked(connection, "evaluate") if row["metric"].startswith("hit")
    }
    assert means == {"good": (1.0, 1), "useless": (0.0, 1)}


def test_scalar_macros_without_anything_relevant(connection: duckdb.DuckDBPyConnection) -> None:
    """NULL with or without a list, because the user is left out of the mean; avg() leaves NULL out."""
    lists = "(values ([]::bigint[]), ([7, 8])) as l(items)"
    for metric in PER_USER.keys() & metrics_of_file():
        found = connection.execute(f"select recsql.{metric}(l.items, []::bigint[], 2) from {lists}").fetchall()
        assert found == [(None,), (None,)], metric


def test_scalar_macros_of_an_empty_list(connection: duckdb.DuckDBPyConnection) -> None:
    for metric in PER_USER.keys() & metrics_of_file():
        found = connection.execute(f"select recsql.{metric}([]::bigint[], [7], 2)").fetchall()
        assert found == [(unserved()[metric],)], metric


@pytest.mark.parametrize("metric", PER_USER)
def test_the_line_says_what_an_empty_list_has(metric: str) -> None:
    """In evaluate, in compare and from parts: 0, unless the metric has another value for an empty list."""
    recs = pa.table({"model": ["m", "n"], "user_id": [1, 1], "item_id": [7, 7], "rank": [1, 1]})
    truth = pa.table({"user_id": [1, 2, 3], "item_id": [7, 7, 8]})
    asked: dict[str, Any] = {"metrics": metric, "k": 2, "findings": "off"}
    asked |= {"catalog_size": 10} if "catalog_size" in {name for one in PER_USER[metric].requires for name in one.one_of} else {}
    told = "0" if unserved()[metric] == 0 and metric not in OF_UNSEEN_LISTS else "an empty list"
    for result in (recsql.evaluate(recs, truth, **asked), recsql.compare(recs, truth, **asked)):
        assert f"Without a list (counted as {told}): 2." in Shown.of(result).notes
    with pytest.warns(UserWarning, match=f"have no list of model m and 1 more and count as {told}; "):
        recsql.evaluate(recs, truth, **asked | {"findings": "warn"})
