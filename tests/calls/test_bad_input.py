"""Bad input is refused in one sentence: where, what was found, the way out. Unusual names are only names.

If it fails, a table with a mistake gives a number, or an error that doesn't say which row or column to mend.
"""

import itertools
import math
import os
import pickle
import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest

import recsql

Columns = Mapping[str, Any]
CASES = Path(__file__).parents[1] / "data/cases"
RECS = {"user_id": [1, 1, 2], "item_id": [7, 8, 7], "rank": [1, 2, 1]}
SCORED = {"user_id": [1, 1, 2], "item_id": [7, 8, 7], "score": [0.5, 0.4, 0.5]}
TRUTH = {"user_id": [1, 2], "item_id": [8, 7]}
RANKS = "ranks are whole numbers that start at 1"
CUTOFF = "k: a cut-off is a whole number from 1 to 1000000, or all"


@dataclass(frozen=True)
class Bad:
    """Input that is refused, and the pieces that the sentence must have."""

    name: str
    says: tuple[str, ...]
    recs: Columns = field(default_factory=lambda: RECS)
    truth: Columns = field(default_factory=lambda: TRUTH)
    options: Mapping[str, Any] = field(default_factory=dict)
    in_macro: tuple[str, ...] = ()  # the pieces in a macro, if it offers something else


def bad_rank(ranks: list[Any], found: str) -> Bad:
    return Bad(f"rank {found}", ("recs", f"rank is {found}", "user 1, item 8", RANKS), recs=RECS | {"rank": ranks})


def bad_score(score: float | None, found: str) -> Bad:
    says = ("recs", f"score is {found}", "user 1, item 8")
    return Bad(f"score {found}", says, recs=SCORED | {"score": [0.5, score, 0.5]})


def bad_relevance(relevance: float | None, found: str) -> Bad:
    says = ("truth", f"relevance is {found}", "user 2, item 7", "give every row a number")
    return Bad(f"relevance {found}", says, truth=TRUTH | {"relevance": [1.0, relevance]})


def bad_cutoff(k: Any) -> Bad:
    return Bad(f"cut-off {k!r}", (CUTOFF, f"found {k}"), options={"k": k})


BAD = [
    Bad(
        "user_id of two types",
        ("user_id is VARCHAR in recs and BIGINT in truth", "cast"),
        recs=RECS | {"user_id": ["1", "1", "2"]},
    ),
    Bad(
        "item_id of two types", ("item_id is BIGINT in recs and VARCHAR in truth", "cast"), truth=TRUTH | {"item_id": ["8", "7"]}
    ),
    Bad(
        "NULL user_id in recs",
        ("recs: user_id is NULL", "item_id 8", "rank 2", "leave such rows out"),
        recs=RECS | {"user_id": [1, None, 2]},
    ),
    Bad(
        "NULL item_id in recs",
        ("recs: item_id is NULL", "user_id 1", "rank 2", "leave such rows out"),
        recs=RECS | {"item_id": [7, None, 7]},
    ),
    Bad(
        "NULL user_id in truth",
        ("truth: user_id is NULL", "item_id 7", "leave such rows out"),
        truth=TRUTH | {"user_id": [1, None]},
    ),
    Bad(
        "NULL item_id in truth",
        ("truth: item_id is NULL", "user_id 2", "leave such rows out"),
        truth=TRUTH | {"item_id": [8, None]},
    ),
    bad_rank([1, None, 1], "NULL"),
    bad_rank([1, 0, 1], "0"),
    bad_rank([1, -3, 1], "-3"),
    bad_rank([1, 1.5, 1], "1.5"),
    bad_rank([1, math.nan, 1], "nan"),
    bad_rank([1, math.inf, 1], "inf"),
    bad_rank([1, -math.inf, 1], "-inf"),
    bad_rank([1, 1e300, 1], "1e+300"),
    bad_relevance(math.nan, "nan"),
    bad_relevance(math.inf, "inf"),
    bad_relevance(None, "NULL"),
    bad_score(math.nan, "nan"),
    bad_score(math.inf, "inf"),
    bad_score(-math.inf, "-inf"),
    bad_score(None, "NULL"),
    Bad(
        "nothing relevant",
        ("no user in truth has a relevant item", "check relevance"),
        truth=TRUTH | {"relevance": [0.0, -1.0]},
        in_macro=("no user in truth has a relevant item", "check its column relevance"),
    ),
    bad_cutoff(0),
    bad_cutoff(-1),
    bad_cutoff(1.5),
    bad_cutoff("ten"),
    bad_cutoff(1_000_001),
    Bad("a cut-off among others", (CUTOFF, "found 0"), options={"k": [5, 0]}),
    Bad("no cut-off", ("k: ",), options={"k": []}),
    Bad(
        "a relevant item twice",
        ("recs: item 8 appears more than once", "user 1", "duplicates"),
        recs=RECS | {"item_id": [8, 8, 7]},
        in_macro=(
            "recs: item 8 appears more than once",
            "user 1",
            "recsql macros --duplicates first",
            "as user_id in both tables",
        ),
    ),
    Bad(
        "a relevant item twice in a model",
        ("recs: item 8 appears more than once", "user 1", "model m", "duplicates"),
        recs=RECS | {"item_id": [8, 8, 7], "model": ["m", "m", "m"]},
        in_macro=("recs: item 8 appears more than once", "user 1", "model m", "recsql macros --duplicates first"),
    ),
    Bad("unknown value", ("no_recs: unknown value 'skp'", "did you mean skip?", "zero, skip"), options={"no_recs": "skp"}),
    Bad("unknown option", ("unknown option 'no_rec'", "did you mean no_recs?"), options={"no_rec": "skip"}),
    Bad(
        "catalogue smaller than a list",
        ("catalog_size: 1 is too small", "user 1", "2 items"),
        options={"metrics": ["tn"], "catalog_size": 1},
    ),
    *(
        Bad(
            f"ranks beyond the catalogue in {metric}",
            ("rank: the list of user 1 has ranks beyond the 10 candidates; number the ranks 1, 2, ...",),
            recs=RECS | {"rank": [1, 50, 1]},
            options={"metrics": [metric], "catalog_size": 10},
        )
        for metric in ("auc", "auc(unlisted=drop)", "percentile_rank")
    ),
    Bad(
        "a user who must have truth",
        ("user 3", "no relevant item in truth"),
        recs=RECS | {"user_id": [1, 1, 3]},
        options={"no_truth": "error"},
    ),
    Bad(
        "tied ranks",
        ("recs: items 7 and 8 have the same rank 3 in the list of user 1;", "row_number()", "rank_by='score'", "ties"),
        recs=RECS | {"rank": [3, 3, 1]},
        in_macro=(
            "recs: items 7 and 8 have the same rank 3 in the list of user 1;",
            "row_number()",
            "recsql macros --rank-by score",
        ),
    ),
    Bad(
        "tied scores",
        ("recs: user 1", "items 7 and 8", "same score 0.5", "ties"),
        recs=SCORED | {"score": [0.5, 0.5, 0.5]},
        options={"ties": "error"},
    ),
]


def given(connection: duckdb.DuckDBPyConnection, recs: Columns, truth: Columns) -> None:
    connection.register("recs", pa.table(recs))
    connection.register("truth", pa.table(truth))


def call(function: str, options: Mapping[str, Any], *, where: str = "") -> str:
    arguments = "".join(f", {name} := {value!r}" for name, value in options.items())
    return f"from recsql.{function}('recs', 'truth'{arguments}) {where}"


VERSION = tuple(int(part) for part in duckdb.__version__.split(".")[:2])


def macro_message(connection: duckdb.DuckDBPyConnection, text: str) -> str:
    """What the macro's own error() says."""
    with pytest.raises(duckdb.InvalidInputException) as refused:
        connection.execute(text).fetchall()
    return str(refused.value).removeprefix("Invalid Input Error: ").partition("\n\nLINE ")[0].strip()


@cache
def python_message(name: str) -> str:
    """What Python says of one of the inputs, asked once for all tests of it."""
    [bad] = [one for one in BAD if one.name == name]
    with duckdb.connect() as connection:
        given(connection, bad.recs, bad.truth)
        with pytest.raises(recsql.RecsqlError) as refused:
            recsql.evaluate("recs", "truth", connection=connection, **bad.options)
    return str(refused.value)


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.name)
def test_python(bad: Bad) -> None:
    message = python_message(bad.name)
    assert all(piece in message for piece in bad.says), message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("function", "bad"),
    [
        pytest.param(function, bad, id=f"{bad.name}-{function}")
        for place, bad in enumerate(BAD)
        for function in ("evaluate", "per_user")[: 1 + (place % 3 == 0)]
        if bad.options.keys() <= {"k"}
    ],
)
def test_macro_says_the_same(connection: duckdb.DuckDBPyConnection, bad: Bad, function: str) -> None:
    given(connection, bad.recs, bad.truth)
    message = macro_message(connection, call(function, bad.options))
    assert all(piece in message for piece in bad.in_macro or bad.says), message
    if bad.name != "no cut-off" and not bad.in_macro:
        assert message == python_message(bad.name)


@pytest.mark.parametrize("where", ["where metric = 'ndcg'", "where k = 5", "where users > 0", "order by value desc limit 1"])
def test_no_filter_on_the_macro_hides_an_error(connection: duckdb.DuckDBPyConnection, where: str) -> None:
    given(connection, RECS | {"rank": [1, 0, 1]}, TRUTH)
    assert RANKS in macro_message(connection, call("evaluate", {}, where=where))


def test_no_selection_from_the_macro_hides_an_error(connection: duckdb.DuckDBPyConnection) -> None:
    given(connection, RECS | {"rank": [1, 0, 1]}, TRUTH)
    assert RANKS in macro_message(connection, "select max(e.value) from recsql.evaluate('recs', 'truth') as e")
    assert RANKS in macro_message(connection, "select p.ndcg from recsql.per_user('recs', 'truth') as p where p.user_id = 2")


@pytest.mark.parametrize(
    ("recs", "truth", "says"),
    [
        (
            {"user": [1], "item_id": [7], "rank": [1]},
            TRUTH,
            ("recs", "no column user_id", "did you mean user?", "user, item_id, rank"),
        ),
        ({"user_id": [1], "rank": [1]}, TRUTH, ("recs", "no column item_id", "user_id, rank")),
        (RECS, {"user_id": [1], "ItemID": [7]}, ("truth", "no column item_id", "did you mean ItemID?", "user_id, ItemID")),
        ({"user_id": [1], "item_id": [7]}, TRUTH, ("recs", "no column rank", "user_id, item_id")),
    ],
    ids=["user_id", "item_id", "item_id of truth", "rank"],
)
def test_missing_column(connection: duckdb.DuckDBPyConnection, recs: Columns, truth: Columns, says: tuple[str, ...]) -> None:
    given(connection, recs, truth)
    with pytest.raises(recsql.BadInput) as refused:
        recsql.evaluate("recs", "truth", connection=connection)
    from_python, from_macro = str(refused.value), macro_message(connection, call("evaluate", {}))
    assert all(piece in from_python for piece in (*says, "name the column with")), from_python
    assert all(piece in from_macro for piece in (*says, "in a view")), from_macro


@pytest.mark.parametrize(
    ("recs", "truth", "says"),
    [
        (RECS | {"rank": ["1", "2", "1"]}, TRUTH, ("recs", "rank is VARCHAR", "number")),
        (SCORED | {"score": ["a", "b", "c"]}, TRUTH, ("recs", "score is VARCHAR", "number")),
        (RECS, TRUTH | {"relevance": ["high", "low"]}, ("truth", "relevance is VARCHAR", "number")),
    ],
    ids=["rank", "score", "relevance"],
)
def test_text_for_a_number(connection: duckdb.DuckDBPyConnection, recs: Columns, truth: Columns, says: tuple[str, ...]) -> None:
    given(connection, recs, truth)
    with pytest.raises(recsql.BadInput) as refused:
        recsql.evaluate("recs", "truth", connection=connection)
    assert all(piece in str(refused.value) for piece in says), refused.value


def test_a_list_as_id_in_the_macro(connection: duckdb.DuckDBPyConnection) -> None:
    """Lists are never compared as if each were one item."""
    items: list[Any] = [["a", "b"]]
    for lists in (("recs", "truth"), ("recs",), ("truth",)):
        tables = {name: {"user_id": [1], "item_id": items if name in lists else ["a"]} for name in ("recs", "truth")}
        given(connection, tables["recs"] | {"rank": [1]}, tables["truth"])
        says = f"{lists[0]}: item_id is a LIST, and not one id; rename the LIST of items to items, and make rows"
        assert macro_message(connection, call("evaluate", {})).startswith(says)
    with pytest.raises(duckdb.InvalidInputException, match=r"recs: item_id is a LIST, .* recsql.unnest_lists\('recs'\)"):
        given(connection, {"user_id": [1], "item_id": items, "rank": [1]}, TRUTH)
        connection.execute("from recsql.item_metrics('recs')").fetchall()


@pytest.mark.parametrize("columns", ["user_id,item_id,rank", "user_id,item_id,score", "model,user_id,item_id,rank"])
def test_an_empty_day_in_the_macro(connection: duckdb.DuckDBPyConnection, tmp_path: Path, columns: str) -> None:
    """DuckDB reads the columns of a CSV file without rows as text."""
    path = tmp_path / "recs.csv"
    path.write_text(f"{columns}\n")
    given(connection, RECS, TRUTH)
    found = connection.execute(f"select value, users from recsql.evaluate('{path}', 'truth', k := [5])").fetchall()
    assert {*found} == {(0.0, 2)}
    assert connection.execute(f"select count(*) from recsql.hits('{path}', 'truth')").fetchall() == [(0,)]
    if "rank" in columns:
        (tmp_path / "more.csv").write_text("user_id,item_id,rank\n1,7,one\n")
        message = macro_message(connection, f"from recsql.evaluate('{tmp_path}/more.csv', 'truth')")
        assert message.endswith("rank is one for user 1, item 7; ranks are whole numbers that start at 1")


def test_all_wrong_names_in_one_message() -> None:
    with pytest.raises(recsql.UnknownName) as refused:
        recsql.evaluate(pa.table(RECS), pa.table(TRUTH), ["ndgc", "ndcg@5", "recal@5"], no_recs="skp", gian="exp2")  # type: ignore[call-arg]
    message = str(refused.value)
    for found, meant in {"ndgc": "ndcg", "recal": "recall", "skp": "skip", "gian": "gain"}.items():
        assert f"'{found}'; did you mean {meant}" in message, message


@pytest.mark.parametrize(
    ("metric", "says"),
    [
        ("ap(denominator=hit)", "ap_denominator: unknown value 'hit'; did you mean hits?"),
        ("ap(denominater=hits)", "unknown option 'denominater'; did you mean denominator"),
        ("ap(hits)", "write option=value"),
        ("hit(at_least=both)", "hit_at_least: 'both' is not a whole number or all"),
        ("hit(at_least=0)", "hit_at_least: 0 is not at least 1"),
        ("ndcg@0", f"{CUTOFF}; found 0"),
        ("ndcg@ten", f"{CUTOFF}; found ten"),
        ("", "metric ''"),
        ("tn", "tn needs catalog_size="),
    ],
)
def test_wrong_metric(metric: str, says: str) -> None:
    with pytest.raises(recsql.RecsqlError) as refused:
        recsql.evaluate(pa.table(RECS), pa.table(TRUTH), metric)
    assert says in str(refused.value)


def test_an_option_that_is_wrong_is_not_lacking() -> None:
    with pytest.raises(recsql.RecsqlError, match=r"^catalog_size: 'abc' is not a whole number$"):
        recsql.evaluate(pa.table(RECS), pa.table(TRUTH), "tn", catalog_size="abc")


@pytest.mark.parametrize("metrics", ["nonsense", ["nonsense"]])
def test_metrics_where_there_are_none(metrics: str | list[str]) -> None:
    recs, truth = pa.table(RECS), pa.table(TRUTH)
    calls: dict[Callable[..., Any], list[pa.Table]] = {
        recsql.hits: [recs, truth],
        recsql.ideal: [truth],
        recsql.rank_by_score: [recs],
    }
    for call, tables in calls.items():
        with pytest.raises(recsql.UnknownName, match=r"^unknown option 'metrics'; recsql.options\(\) has all of them$"):
            call(*tables, metrics=metrics)


@pytest.mark.parametrize(
    ("argument", "table"),
    [("rank", "recs"), ("score", "recs"), ("model", "recs"), ("relevance", "truth"), ("truth_rank", "truth")],
)
def test_a_column_that_was_named_must_be_there(argument: str, table: str) -> None:
    with pytest.raises(recsql.BadInput, match=f"{table}: there is no column nowhere"):
        recsql.per_user(pa.table(RECS), pa.table(TRUTH), None, 5, **{argument: "nowhere"})


def test_no_connection() -> None:
    with pytest.raises(recsql.BadInput, match="connection: str is not a connection"):
        recsql.evaluate(pa.table(RECS), pa.table(TRUTH), connection="data.duckdb")


@pytest.mark.parametrize(
    ("metrics", "says"),
    [
        ("'ndcg'", None),
        ("'hit,  ndcg'", None),
        ("['ndcg@5']", "ndcg@5 has a cut-off, which a macro takes as k; write ndcg"),
        (
            "'ap(denominator=relevant)'",
            "ap(denominator=relevant) has options in brackets, and a macro has those of its file; render one",
        ),
    ],
)
def test_the_forms_of_metrics_in_the_macro(connection: duckdb.DuckDBPyConnection, metrics: str, says: str | None) -> None:
    given(connection, RECS, TRUTH)
    text = f"select metric from recsql.evaluate('recs', 'truth', k := 5, metrics := {metrics})"
    if says is None:
        assert [metric for (metric,) in connection.execute(text).fetchall()] == re.findall("[a-z]+", metrics)
    else:
        assert macro_message(connection, text).startswith(says)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("ndcg(['a', 'a'], ['a'], 5)", "recommended: item a appears more than once in the list; list it once, or choose how"),
        ("ndcg(['a', ''], ['', ''], 5, relevance := [1, null])", "relevant: relevance is NULL for item ''; give every row"),
        ("ndcg(['a', null], ['a'], 5)", "recommended: item_id is NULL in a row (item_id NULL, rank 2); leave such rows out"),
        (
            "dcg(['a'], ['a'], 5, relevance := [1e300])",
            "relevant: item a has gain 1e+300; scale the relevance so that gains lie between",
        ),
    ],
)
def test_two_lists_are_of_no_user(connection: duckdb.DuckDBPyConnection, call: str, says: str) -> None:
    assert macro_message(connection, f"select recsql.{call}").startswith(says)


def test_an_empty_id_is_quoted(connection: duckdb.DuckDBPyConnection) -> None:
    recs, truth = {"user_id": ["", "b"], "item_id": ["x", ""], "rank": [0, 1]}, {"user_id": [""], "item_id": ["x"]}
    for ranks, says in (([0, 1], "recs: rank is 0 for user '', item x; "), ([1, 0], "recs: rank is 0 for user b, item ''; ")):
        given(connection, recs | {"rank": ranks}, truth)
        with pytest.raises(recsql.BadInput, match=says):
            recsql.evaluate("recs", "truth", connection=connection)
        assert macro_message(connection, call("evaluate", {})).startswith(says)


# -- the truth of leave-one-out

HELD_OUT = "truth_check='leave_one_out' needs exactly one per user"
UNHELD: dict[str, tuple[Columns, dict[str, Any], str]] = {
    "two": ({"user_id": [1, 2, 2], "item_id": [7, 8, 9]}, {}, "user 2 has 2 relevant items"),
    "none": (TRUTH | {"relevance": [1.0, 0.0]}, {}, "user 2 has 0 relevant items"),
    "none for a user without a list": (
        {"user_id": [1, 9], "item_id": [7, 8], "relevance": [1, 0]},
        {},
        "user 9 has 0 relevant items",
    ),
    "below the threshold": (TRUTH | {"relevance": [3.0, 2.0]}, {"relevance_threshold": 3}, "user 2 has 0 relevant items"),
    "two present": (
        {"user_id": [1, 2, 2], "item_id": [7, 8, 9], "relevance": [1, 1, 0]},
        {"relevant": "present"},
        "user 2 has 2 relevant items",
    ),
}


@pytest.mark.parametrize(("truth", "options", "says"), UNHELD.values(), ids=UNHELD)
@pytest.mark.parametrize("function", ["evaluate", "per_user"])
def test_more_or_less_than_one_held_out(
    connection: duckdb.DuckDBPyConnection, function: str, truth: Columns, options: dict[str, Any], says: str
) -> None:
    given(connection, RECS, truth)
    asked = {"truth_check": "leave_one_out"} | options
    with pytest.raises(recsql.BadInput) as refused:
        getattr(recsql, function)("recs", "truth", connection=connection, **asked)
    assert str(refused.value) == f"truth: {says}; {HELD_OUT}"


@pytest.mark.parametrize(
    ("truth", "options"),
    [
        (TRUTH, {}),
        (TRUTH | {"user_id": [1, 9]}, {}),
        ({"user_id": [1, 2, 2], "item_id": [7, 8, 8]}, {}),
        ({"user_id": [1, 2, 2], "item_id": [7, 8, 9], "relevance": [3.0, 3.0, 2.0]}, {"relevance_threshold": 3}),
    ],
    ids=["one each", "one without a list", "one twice", "one above the threshold"],
)
def test_one_held_out(connection: duckdb.DuckDBPyConnection, truth: Columns, options: dict[str, Any]) -> None:
    given(connection, RECS, truth)
    asked = {"truth_check": "leave_one_out"} | options
    assert set(recsql.evaluate("recs", "truth", connection=connection, **asked)["users"].to_pylist()) == {2}


# -- files


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    whole = tmp_path / "whole.parquet"
    pq.write_table(pa.table(RECS), whole)
    (tmp_path / "cut.parquet").write_bytes(whole.read_bytes()[:200])
    (tmp_path / "empty").mkdir()
    for name in ("text.parquet", "text.csv", "parquet.bin"):
        (tmp_path / name).write_text("user_id,item_id,rank\n1,7,1\n")
    (tmp_path / "hive" / "year=2026").mkdir(parents=True)
    pq.write_table(pa.table(RECS), tmp_path / "hive" / "year=2026" / "recs.parquet")
    os.mkfifo(tmp_path / "pipe")
    for name, says in {
        "whole.parqet": f"no such file; did you mean {whole}?",
        "hvie/year=2026/recs.parquet": f"no such file; did you mean {tmp_path / 'hive/year=2026/recs.parquet'}?",
        "none*.parquet": "no file matches",
        "cut.parquet": "can't be read as Parquet",
        "text.parquet": "can't be read as Parquet",
        "parquet.bin": "can't be read as Parquet",
        ".": "the files have several formats (CSV, Parquet); choose those of one format, such as",
        "empty": "the folder has no file that ends in .parquet, .csv, .tsv, .tab, .psv, .dat, .data, .json, .ndjson, .jsonl",
        "pipe": "it can be read only once",
    }.items():
        with pytest.raises(recsql.BadInput) as refused:
            recsql.evaluate(tmp_path / name, pa.table(TRUTH))
        message = str(refused.value)
        assert message.startswith(f"{tmp_path / name}: "), message
        assert says in message
        assert "\n" not in message
    for nested in (tmp_path / "hive" / "**" / "*.parquet", tmp_path / "hive"):
        assert recsql.evaluate(nested, pa.table(TRUTH), "hit", 5) == recsql.evaluate(whole, pa.table(TRUTH), "hit", 5)


@pytest.mark.parametrize("where", ["the end", "the middle"])
def test_the_one_file_that_is_damaged(tmp_path: Path, where: str) -> None:
    """Among others, and whether it shows when it is opened or when it is read."""
    whole, broken = tmp_path / "r1.parquet", tmp_path / "r2.parquet"
    pq.write_table(pa.table(RECS), whole)
    content = bytearray(whole.read_bytes())
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    begin = footer if where == "the end" else pq.read_metadata(whole).row_group(0).column(0).dictionary_page_offset
    content[begin : begin + 12] = 12 * b"\xff"
    broken.write_bytes(content)
    for given in ([whole, broken], str(tmp_path / "r*.parquet")):
        for call in (recsql.evaluate, recsql.hits):
            with pytest.raises(recsql.BadInput) as refused:
                call(given, pa.table(TRUTH))
            assert str(refused.value).startswith(f"{broken}: it can't be read as Parquet: "), refused.value


def test_duckdb_names_the_file_that_the_macro_cannot_find(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    given(connection, RECS, TRUTH)
    with pytest.raises(duckdb.IOException, match=r"none\.parquet"):
        connection.sql(call("evaluate", {}).replace("'recs'", f"'{tmp_path}/none.parquet'"))


def test_no_table_at_all() -> None:
    with pytest.raises(recsql.BadInput, match="recs: int is not a table; give a path"):
        recsql.evaluate(5, pa.table(TRUTH))
    with pytest.raises(recsql.BadInput, match=r"^recs: LazyFrame is not a table; give what its .collect\(\) returns$"):
        recsql.evaluate(pl.DataFrame(RECS).lazy(), pa.table(TRUTH))


@pytest.mark.parametrize("of", ["file", "column", "check", "reader"])
def test_a_sentence_stands_alone(tmp_path: Path, of: str) -> None:
    """No other error is chained to it, except the database's own if the database failed, because that says more."""
    (tmp_path / "text.parquet").write_text("nonsense")
    given = {
        "file": tmp_path / "text.parquet",
        "column": pa.table({"user_id": [1]}),
        "check": pa.table(RECS | {"rank": [0, 1, 1]}),
        "reader": pa.RecordBatchReader.from_batches(pa.schema({"user_id": pa.int64()}), iter([pa.record_batch({"x": [1]})])),
    }
    with pytest.raises(recsql.BadInput) as refused:
        recsql.evaluate(given[of], pa.table(TRUTH))
    assert "".join(traceback.format_exception(refused.value)).count("Traceback") == 1


def test_as_many_cut_offs_as_there_can_be(connection: duckdb.DuckDBPyConnection) -> None:
    recs, truth = pa.table(RECS), pa.table(TRUTH)
    assert recsql.evaluate(recs, truth, "hit", range(1, 10_001)).num_rows == 10_000
    given(connection, RECS, TRUTH)
    found = connection.execute("from recsql.evaluate('recs', 'truth', k := range(1, 10001), metrics := ['hit'])")
    assert len(found.fetchall()) == 10_000
    says = "k: there are more than 10000 cut-offs; give fewer"
    assert macro_message(connection, call("evaluate", {"k": list(range(1, 10_002))})) == says
    assert macro_message(connection, "from recsql.per_user('recs', 'truth', k := range(1, 100000))") == says


# -- names are quoted, never interpreted

ODD = [
    "two words",
    "it's",
    'say "so"',
    "a.b.c",
    "Ünïcödé 名前",
    "x'; drop table t; --",
    'x"; drop table t; --',
    "select",
    "{{ recs }}",
]


@pytest.fixture
def untouched(connection: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection whose table t is still there at the end."""
    connection.execute("create temporary table t as select 42 as answer")
    yield connection
    assert connection.execute("from t").fetchall() == [(42,)]


def quoted(name: str, mark: str = '"') -> str:
    return mark + name.replace(mark, mark * 2) + mark


@pytest.mark.parametrize("name", ODD)
def test_odd_tables_columns_ids_and_models(untouched: duckdb.DuckDBPyConnection, name: str) -> None:
    recs = pa.table({name: [name, name], "item": [name, "other"], "model": [name, name], "rank": [2, 1]})
    untouched.register("staged", recs)
    untouched.execute(f"create temporary table {quoted(name)} as from staged")
    truth = pa.table({name: [name], "item": [name]})
    rows = recsql.per_user(name, truth, ["rr"], 5, user=name, item="item", connection=untouched).to_pylist()
    assert rows == [{"model": name, name: name, "k": 5, "list_length": 2, "relevant": 1, "rr": 0.5}]
    means = recsql.evaluate(name, truth, ["rr"], 5, user=name, item="item", connection=untouched).to_pylist()
    assert means == [{"model": name, "metric": "rr", "k": 5, "value": 0.5, "users": 1, "lists": 1, "definition": "rr"}]


@pytest.mark.parametrize("name", ODD)
def test_odd_tables_ids_and_models_in_the_macro(untouched: duckdb.DuckDBPyConnection, name: str) -> None:
    given(untouched, {"user_id": [name], "item_id": [name], "model": [name], "rank": [1]}, {"user_id": [name], "item_id": [name]})
    untouched.execute(f"create temporary table {quoted(name)} as from recs")
    table = quoted(quoted(name), "'")  # a table's name as the macro takes it: an identifier, in quotes where it needs them
    text = f"select model, user_id, k, rr from recsql.per_user({table}, 'truth', k := 5)"
    if '"' in name and VERSION < (2, 0):  # where query_table takes no such name
        with pytest.raises(duckdb.Error):
            untouched.sql(text)
    else:
        assert untouched.sql(text).fetchall() == [(name, name, 5, 1.0)]


@pytest.mark.parametrize("name", [*ODD, "[1]", "a*b", "a?b", "two\n  lines\u2028"])
def test_odd_paths(untouched: duckdb.DuckDBPyConnection, tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    path = folder / f"{name}.parquet"
    pq.write_table(pa.table(RECS), path)
    truth = pa.table(TRUTH)
    (row,) = recsql.evaluate(path, truth, ["rr"], 5, connection=untouched).to_pylist()
    assert (row["value"], row["users"]) == (0.75, 2)
    untouched.register("truth", truth)
    macro = f"select value, users from recsql.evaluate({quoted(str(path), chr(39))}, 'truth', k := 5) where metric = 'rr'"
    if '"' in name and VERSION < (2, 0):
        with pytest.raises(duckdb.Error):
            untouched.sql(macro)
    else:
        assert untouched.sql(macro).fetchall() == [(0.75, 2)]


@pytest.mark.parametrize("name", ODD)
def test_odd_names_in_messages(untouched: duckdb.DuckDBPyConnection, name: str) -> None:
    untouched.register("staged", pa.table({"user_id": [name], "item_id": [name], "rank": [0]}))
    untouched.execute(f"create temporary table {quoted(name)} as from staged")
    with pytest.raises(recsql.BadInput) as refused:
        recsql.evaluate(name, pa.table({"user_id": [name], "item_id": [name]}), connection=untouched)
    assert str(refused.value).startswith(f"{name}: rank is 0 for user {name}, item {name}; ")


@pytest.mark.parametrize("name", ODD)
def test_odd_options(untouched: duckdb.DuckDBPyConnection, name: str) -> None:
    given(untouched, RECS, TRUTH)
    with pytest.raises(recsql.UnknownName, match="no_recs: unknown value"):
        recsql.evaluate("recs", "truth", connection=untouched, no_recs=name)


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("f1", {"beta": 0.5}),
        ("dcg", {"discount": "geometric", "discount_p": 0.5}),
        ("hit", {"relevance_threshold": 2}),
        ("coverage", {"catalog_size": 100}),
    ],
)
def test_numpy_s_numbers_are_numbers(metric: str, options: dict[str, Any]) -> None:
    judged = pa.table(TRUTH | {"relevance": [2.0, 1.0]})
    expected = recsql.evaluate(pa.table(RECS), judged, metric, 5, **options)
    given = {name: np.array([value])[0] if not isinstance(value, str) else value for name, value in options.items()}
    assert recsql.evaluate(pa.table(RECS), judged, metric, 5, **given).equals(expected, check_metadata=True)


@pytest.mark.parametrize("value", [True, np.True_, np.nan, np.float64(math.inf), 1j])
def test_what_is_no_number(value: Any) -> None:
    with pytest.raises(recsql.RecsqlError, match=rf"^beta: {re.escape(repr(value))} is not a number"):
        recsql.evaluate(pa.table(RECS), pa.table(TRUTH), "f1", 5, beta=value)


@pytest.mark.parametrize("gain", ["map", {}], ids=["no map", "an empty map"])
def test_no_gain_for_any_relevance(gain: Any) -> None:
    """Never 0 for what can't be computed."""
    with pytest.raises(recsql.BadInput, match=r"gain_map: no gain for relevance 1.0 of user 1, item 8"):
        recsql.evaluate(pa.table(RECS), pa.table(TRUTH), ["dcg", "recall"], 5, gain=gain)


def test_no_gain_in_hits_and_ideal() -> None:
    """The first relevance without a gain is named, by user and item, whether or not its item was recommended."""
    judged: Columns = {"user_id": [2, 1, 1, 1], "item_id": [1, 7, 6, 1], "relevance": [3.0, 2.0, 2.0, 1.0]}
    recs, truth = pa.table(RECS), pa.table(judged)
    says = "gain_map: no gain for relevance 2.0 of user 1, item 6; add one"
    with pytest.raises(recsql.BadInput, match=says):
        recsql.hits(recs, truth, 5, gain={1: 1})
    with pytest.raises(recsql.BadInput, match=says):
        recsql.ideal(truth, gain={1: 1})


def test_a_gain_map_in_brackets_and_as_an_option() -> None:
    judged = pa.table(TRUTH | {"relevance": [2.0, 1.0]})
    inside = recsql.evaluate(pa.table(RECS), judged, "dcg(gain=map, gain_map=1:1 2:3.5)@5")
    beside = recsql.evaluate(pa.table(RECS), judged, "dcg@5", gain={1: 1, 2: 3.5})
    assert inside["value"].to_pylist() == beside["value"].to_pylist()
    assert inside["definition"].to_pylist() == ["dcg(gain=map, gain_map=1:1.0 2:3.5)"]
    with pytest.raises(recsql.RecsqlError, match="gain_map: 'nonsense' does not map numbers"):
        recsql.evaluate(pa.table(RECS), judged, "dcg@5", gain="map", gain_map="nonsense")


def test_a_gain_map_tells_large_relevances_apart() -> None:
    judged = pa.table(TRUTH | {"relevance": [1000000.0, 1000001.0]})
    [row] = recsql.evaluate(pa.table(RECS), judged, "idcg@1", gain="map", gain_map={1000000: 1, 1000001: 5.5}).to_pylist()
    assert (row["definition"], row["value"]) == ("idcg(gain=map, gain_map=1000000:1.0 1000001:5.5)", (1 + 5.5) / 2)
    with pytest.raises(recsql.RecsqlError, match=r"gain_map: {1: inf} does not map numbers"):
        recsql.evaluate(pa.table(RECS), judged, "idcg@1", gain="map", gain_map={1: math.inf})


@pytest.mark.parametrize("metric", ["dcg", "idcg"])
def test_one_gain_out_of_range_is_not_left_out(metric: str) -> None:
    judged = pa.table(TRUTH | {"relevance": [1.0, 1e21]})
    with pytest.raises(
        recsql.BadInput, match=r"has gain 1e\+21 for user 2; scale the relevance so that gains lie between 1e-6 and 1e9"
    ):
        recsql.evaluate(pa.table(RECS), judged, metric, 5)


def test_more_items_than_ranks() -> None:
    """If the length of a list is used, copies of an item at one rank count as well."""
    recs = {"user_id": [1, 1, 1], "item_id": [8, 9, 9], "rank": [1, 2, 2]}
    says = "recs: the list of user 1 has 3 items, but its last rank is 2; give each item of a list its own rank"
    with pytest.raises(recsql.BadInput, match=says):
        recsql.evaluate(pa.table(recs), pa.table(TRUTH), "fp", 1)


@pytest.mark.parametrize(("scores", "first"), [(["9", "10"], "9"), ([True, False], "true")], ids=["text", "true and false"])
def test_scores_and_ranks_that_are_no_numbers(connection: duckdb.DuckDBPyConnection, scores: list[Any], first: str) -> None:
    recs = {"user_id": [1, 1], "item_id": [8, 9], "score": scores}
    given(connection, recs, TRUTH)
    for call in ("evaluate('recs', 'truth', k := 1, metrics := 'hit')", "rank_by_score('recs')"):
        with pytest.raises(
            duckdb.InvalidInputException,
            match=f"recs: score is {first} for user 1, item 8; every score must be a finite number, not NULL or text",
        ):
            connection.execute(f"from recsql.{call}").fetchall()
    for name in ("score", "rank"):
        wrong = pa.table({"user_id": [1, 1], "item_id": [8, 9], name: scores})
        with pytest.raises(recsql.BadInput, match=f"recs: {name} is (BOOLEAN|VARCHAR); {name} must be a number"):
            recsql.evaluate(wrong, pa.table(TRUTH), "hit", 1)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"k": []}, "k: the list is empty; give one or more"),
        ({"k": "whole"}, "k: a cut-off is a whole number from 1 to 1000000, or all; found whole"),
        ({"metrics": 5}, "metric 5 is not of the form"),
        ({"metrics": ["hit", None]}, "metric None is not of the form"),
        ({"metrics": "ndcg recall"}, r"^metric 'ndcg recall' is not of the form .*; give several metrics as a list$"),
        ({"metrics": "ndcg@5,recall"}, r"^metric 'ndcg@5,recall' is not of the form .*; give several metrics as a list$"),
        ({"metric": "ndcg"}, r"^unknown option 'metric'; did you mean metrics\?"),
        ({"by": "users.csv"}, "^by: users.csv is a table, and not a column; give the table with segments"),
        ({"by": "segments", "segments": pa.table({"user_id": [1]})}, "^by: segments is a table, and not a column"),
        ({"user": 5}, "user: 5 is not a column name"),
        ({"user": ""}, "^user: '' is not a column name; give the name as text$"),
        ({"relevance": ""}, "^relevance: '' is not a column name; give the name as text$"),
        ({"k": itertools.count(1)}, "^k: there are more than 10000 cut-offs; give fewer$"),
        ({"input": "xyz"}, "input: unknown value 'xyz'; choose one of parquet, csv, json, trec"),
    ],
)
def test_settings_of_another_kind(settings: Any, says: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=says):
        recsql.evaluate(pa.table(RECS), pa.table(TRUTH), **({"metrics": "ap", "k": 5} | settings))


@pytest.mark.parametrize("relevance", [1e9, 1e300, 9e-7])
def test_gains_that_no_exact_sum_can_hold(con: duckdb.DuckDBPyConnection, relevance: float) -> None:
    con.register("recs", pa.table({"user_id": [1], "item_id": [1], "rank": [1]}))
    con.register("truth", pa.table({"user_id": [1], "item_id": [1], "relevance": [relevance]}))
    says = "truth: item 1 has gain .* for user 1; scale the relevance so that gains lie between 1e-6 and 1e9"
    with pytest.raises(recsql.BadInput, match=says):
        recsql.evaluate("recs", "truth", "ndcg@5", connection=con)
    with pytest.raises(duckdb.InvalidInputException, match=says):
        con.execute("from recsql.evaluate('recs', 'truth', k := [5])")
    assert recsql.evaluate("recs", "truth", "ap@5", connection=con)["value"].to_pylist() == [1]


@pytest.mark.parametrize("options", [{"relevant": "present"}, {"relevance_threshold": -1}, {"gain": {-1: 1, 1: -1}}], ids=str)
def test_gains_below_zero_are_not_added_up(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, options: dict[str, Any]
) -> None:
    recs, truth = (pa_csv.read_csv(CASES / f"neg-{role}.csv") for role in ("recs", "truth"))
    item = "b" if "gain" in options else "a"
    says = f"truth: item {item} has gain -1.0 for user 1; scale the relevance so that gains lie between 1e-6 and 1e9"
    for call in (
        *(partial(recsql.evaluate, recs, truth, metric, 2) for metric in ("ndcg", "dcg", "cg", "idcg", "rbp")),
        partial(recsql.partial, recs, truth, str(tmp_path / "part.parquet"), "ndcg", 2),
        partial(recsql.hits, recs, truth, 2),
        partial(recsql.ideal, truth, 2),
    ):
        with pytest.raises(recsql.BadInput, match=says):
            call(**options)
    assert recsql.evaluate(recs, truth, "err", 2, relevant="present")["value"].to_pylist() == [1 / 2 * 1 / 16]  # grade 0
    given(connection, {"user_id": [1], "item_id": ["a"], "rank": [1]}, {"user_id": [1], "item_id": ["a"], "relevance": [-1.0]})
    connection.execute(recsql.macros("signed", ["ndcg"], relevant="present"))
    for text in (
        "from signed.evaluate('recs', 'truth', k := 1)",
        "from signed.hits('recs', 'truth', k := 1)",
        "from signed.ideal('truth', k := 1)",
        "select signed.ndcg(['a'], ['a'], 1, relevance := [-1])",
    ):
        with pytest.raises(duckdb.InvalidInputException, match=r"item a has gain -1\.0"):
            connection.execute(text).fetchall()


NAN = pa.array([0.1, 0.2, math.nan])
OF_ONE = {"user_id": [1, 1, 1], "item_id": [7, 8, 9]}


@pytest.mark.parametrize(
    ("recs", "truth", "says"),
    [
        (OF_ONE | {"score": NAN}, TRUTH, "score is nan for user 1, item 9"),
        (OF_ONE | {"rank": pa.array([1, 1, math.nan])}, TRUTH, "rank is nan for user 1, item 9"),
        (OF_ONE | {"rank": pa.array([1, 1, math.nan])}, {"user_id": [1], "item_id": [9]}, "rank is nan for user 1, item 9"),
        (RECS, OF_ONE | {"relevance": NAN}, "relevance is nan for user 1, item 9"),
    ],
    ids=["score", "rank", "rank of a hit", "relevance"],
)
def test_a_nan_that_parquet_says_nothing_of(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, recs: Columns, truth: Columns, says: str
) -> None:
    """Arrow leaves NaN out of the smallest and largest value of a column."""
    paths = [str(tmp_path / f"{name}.parquet") for name in ("recs", "truth")]
    for path, columns in zip(paths, (recs, truth), strict=True):
        pq.write_table(pa.table(columns), path)
    with pytest.raises(recsql.BadInput, match=says):
        recsql.evaluate(paths[0], paths[1], ["rr", "ndcg"], 3)
    files = ", ".join(quoted(path, "'") for path in paths)
    with pytest.raises(duckdb.Error, match=says):
        connection.execute(f"from recsql.evaluate({files}, k := 3)").fetchall()


RANKED: dict[str, tuple[Callable[..., Any], str]] = {  # everything that reads ranks, as a call and as a macro
    "evaluate": (
        lambda con: recsql.evaluate("recs", "truth", "hit", 3, connection=con),
        "evaluate('recs', 'truth', k := 3, metrics := 'hit')",
    ),
    "per_user": (
        lambda con: recsql.per_user("recs", "truth", "hit", 3, connection=con),
        "per_user('recs', 'truth', k := 3)",
    ),
    "item_metrics": (lambda con: recsql.item_metrics("recs", k=3, connection=con), "item_metrics('recs', k := 3)"),
    "hits": (lambda con: recsql.hits("recs", "truth", 3, connection=con), "hits('recs', 'truth', k := 3)"),
}


NO_RANKS = [math.nan, -math.inf, 1e18, 2.5]


@pytest.mark.parametrize("nth", range(len(NO_RANKS)), ids=map(str, NO_RANKS))
@pytest.mark.parametrize("name", RANKED)
def test_a_rank_that_is_none_wherever_it_stands(connection: duckdb.DuckDBPyConnection, name: str, nth: int) -> None:
    """In each function and of each value it may belong to a hit (8 and 9) or not, and be first, last or between."""
    function, macro = RANKED[name]
    says = "recs: rank is .* for user 1, item .*; ranks are whole numbers that start at 1"
    ranks = [1.0, 2.0, 3.0]
    ranks[(nth + [*RANKED].index(name)) % 3] = NO_RANKS[nth]
    given(connection, OF_ONE | {"rank": ranks}, {"user_id": [1, 1], "item_id": [9, 8]})
    with pytest.raises(recsql.BadInput, match=says):
        function(connection)
    with pytest.raises(duckdb.InvalidInputException, match=says):
        connection.execute(f"from recsql.{macro}").fetchall()


def test_a_nan_among_predictions_in_parquet(tmp_path: Path) -> None:
    path = tmp_path / "predictions.parquet"
    for column, other in (("prediction", "rating"), ("rating", "prediction")):
        pq.write_table(pa.table(OF_ONE | {column: NAN, other: [1.0, 2.0, 3.0]}), path)
        with pytest.raises(recsql.BadInput, match=f"{column} is nan for user 1, item 9"):
            recsql.evaluate_ratings(path)


def test_what_the_database_cannot_do() -> None:
    """The error has the database's own words on one line, and the SQL as an attribute."""
    with duckdb.connect() as con:
        con.execute(
            "create view recs as select 1 as user_id, 1 as item_id, cast(i + 'x' as integer) as rank from range(3) as t(i)"
        )
        con.register("truth", pa.table({"user_id": [1], "item_id": [1]}))
        with pytest.raises(recsql.EngineError, match=r"^Could not convert string 'x' to [A-Z0-9]+$") as found:
            recsql.evaluate("recs", "truth", "hit", 5, connection=con)
    assert "\nper_user as (\n" in found.value.statement
    assert isinstance(found.value.__cause__, duckdb.ConversionException)
    again = pickle.loads(pickle.dumps(found.value))  # as from a process of a pool
    assert (str(again), again.statement) == (str(found.value), found.value.statement)


@pytest.mark.parametrize("name", ["input", "names", "findings", "k"])
@pytest.mark.parametrize("value", [np.array([[1, 2]]), 10**400, object()], ids=type)
def test_a_word_or_a_number_of_another_type(name: str, value: Any) -> None:
    with pytest.raises(recsql.RecsqlError, match=f"^{'k: a cut-off is' if name == 'k' else f'{name}: unknown value'} "):
        recsql.evaluate({"u": {"i": 1.0}}, {"u": {"i": 1.0}}, "hit", **{name: value})
