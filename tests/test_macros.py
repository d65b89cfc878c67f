"""The parameters of macros that Python calls do not have: NULL, presets, lists."""

import math
import re
from collections.abc import Iterator, Mapping, Set
from typing import Any

import duckdb
import pytest

import recsql
from recsql.catalog import catalog
from tests.support import arguments, fetched

TABLES = {
    "recs (user_id, item_id, rank, score)": "(1, 7, 1, 0.9), (1, 8, 2, 0.5), (2, 9, 1, 0.4), (3, 7, 1, 0.3)",
    "scored (user_id, item_id, score)": "(1, 7, 0.9), (1, 8, 0.5), (2, 9, 0.4), (3, 7, 0.3)",
    "truth (user_id, item_id, relevance, rank)": "(1, 8, 3.0, 1), (1, 9, 1.0, 2), (2, 8, 2.0, 1)",
    "runs (model, user_id, item_id, rank)": "('a', 1, 8, 1), ('a', 2, 7, 1), ('b', 1, 7, 1), ('b', 2, 8, 1)",
    "items (item_id, category)": "(7, 'a'), (8, 'b'), (9, 'b'), (10, 'c')",
    "predictions (user_id, item_id, rating, prediction)": "(1, 7, 2.0, 3.0), (1, 8, 4.0, null)",
    "events (user_id, item_id, ts, type)": "(1, 7, timestamp '2026-03-01', 'click'), (2, 9, timestamp '2026-03-10', 'buy')",
    "impressions (user_id, item_id, ts, rank)": "(1, 7, timestamp '2026-03-01', 1), (1, 8, timestamp '2026-03-01', 2)",
    "interactions (user_id, item_id, timestamp)": "(1, 7, 1), (1, 8, 2), (2, 7, 3)",
}
GIVEN = {  # what each macro over tables is called with
    "evaluate": "'recs', 'truth'",
    "per_user": "'recs', 'truth'",
    "compare": "'runs', 'truth'",
    "item_metrics": "'recs', items := 'items'",
    "rating_metrics": "'predictions'",
    "hits": "'recs', 'truth'",
    "ideal": "'truth'",
    "split": "'interactions', protocol := 'last_n'",
    "leave_one_out": "'interactions'",
    "labels": "'events', 'impressions'",
    "popularity": "'interactions'",
    "segments": "'interactions', 'truth'",
    "candidates": "'truth', 'items', 'interactions', n := 1",
    "rank_by_score": "'scored'",
}
NAMES = {"window": '"window"'}  # which DuckDB reads only in quotes
BY_PLACE = {
    "split": {"protocol"},
    "popularity": {"train"},
    "segments": {"train"},
    "candidates": {"train", "n"},
}  # what GIVEN has, called as options
OTHERWISE: dict[str, Any] = {
    "discount": "geometric",
    "order_by": "hash",
    "entropy_scope": "category",
}  # options under which others have an effect


@pytest.fixture
def tables(con: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    with con.cursor() as cursor:
        for table, rows in TABLES.items():
            cursor.execute(f"create temporary table {table.split()[0]} as from (values {rows}) as {table}")
        yield cursor


def parameters(con: duckdb.DuckDBPyConnection, kind: str) -> dict[str, frozenset[str]]:
    """The options that each macro of a kind takes, in any way to call it."""
    found = con.execute(
        "select f.function_name, flatten(list(f.parameters)) from duckdb_functions() as f"
        " where f.schema_name = 'recsql' and f.function_type = ?"
        " and not regexp_matches(f.function_name, '_(sql|calls)$') group by all",
        [kind],
    )
    return {name: frozenset(taken) & catalog().options.keys() for name, taken in found.fetchall()}


def same(con: duckdb.DuckDBPyConnection, text: str, given: Mapping[str, Any], handed: Set[str], null: str) -> None:
    """That a call gives the same where other options are NULL."""
    nulls = "".join(f", {NAMES.get(name, name)} := {null}" for name in sorted(handed))
    plain, with_nulls = (fetched(con, text.format(options)) for options in (arguments(given), arguments(given) + nulls))
    assert plain
    assert [list(row) for row in with_nulls] == [list(row) for row in plain]
    assert sorted(with_nulls, key=str) == sorted(plain, key=str)


def test_null_is_the_default_over_tables(tables: duckdb.DuckDBPyConnection) -> None:
    found = {name: options for name, options in parameters(tables, "table_macro").items() if options and name != "of_lists"}
    assert found.keys() == GIVEN.keys()
    for name, options in found.items():
        for given in ({}, {key: value for key, value in OTHERWISE.items() if key in options}):
            handed = options - given.keys() - {"like", "items", "impressions"} - BY_PLACE.get(name, set())
            same(tables, f"from recsql.{name}({GIVEN[name]}{{}})", given, handed, "null")


def test_null_is_the_default_over_lists(tables: duckdb.DuckDBPyConnection) -> None:
    scalar = {name: options for name, options in parameters(tables, "macro").items() if name in catalog().metrics}
    for name, options in scalar.items():
        needed = {"catalog_size": 9} if "catalog_size" in options else {}
        given = needed | {key: value for key, value in OTHERWISE.items() if key in options}
        handed = options - given.keys() - {"relevant"}  # which is the second list
        text = f"select recsql.{name}(['a', 'b', 'x'], ['b', 'c'], 2{{}}) as value"
        same(tables, text, given, handed, "getvariable('unset')")


@pytest.mark.parametrize("given", [{"ideal": "constant"}, {"truth_window": "k"}, {"like": "jurity"}, {"like": "pyspark_udf"}])
def test_no_other_ideal_is_listed(tables: duckdb.DuckDBPyConnection, given: Mapping[str, str]) -> None:
    with pytest.raises(recsql.RecsqlError) as refused:
        recsql.ideal("truth", 3, connection=tables, **given)
    assert "ideal supports only" in str(refused.value)
    with pytest.raises(duckdb.InvalidInputException, match=re.escape(str(refused.value))):
        tables.execute(f"from recsql.ideal('truth', k := 3{arguments(given)})").fetchall()


@pytest.mark.parametrize("like", sorted(catalog().presets))
def test_a_list_under_a_preset_has_what_per_user_has(tables: duckdb.DuckDBPyConnection, like: str) -> None:
    """Also where an item of the truth is relevant to some systems and not to others."""
    tables.execute("create temporary table own as from (values (1, 7, 1), (1, 8, 2)) as r(user_id, item_id, rank)")
    tables.execute(
        "create temporary table judged as from (values (1, 7, 1.0, 1), (1, 9, 0.0, 2)) as t(user_id, item_id, relevance, rank)"
    )
    [row] = recsql.per_user("own", "judged", ["recall", "ndcg"], 2, like=like, connection=tables).to_pylist()
    lists = f"[7, 8], [7, 9], 2, relevance := [1, 0], like := '{like}'"
    [found] = tables.execute(f"select recsql.recall({lists}), recsql.ndcg({lists})").fetchall()
    assert found == (row["recall"], row["ndcg"])


OTHER_TYPES = {
    ("[1, 2]", "['01', '02']"): ("INTEGER", "VARCHAR"),
    ("[true]", "[1]"): ("BOOLEAN", "INTEGER"),
    ("['x']", "[1]"): ("VARCHAR", "INTEGER"),
    ("['2020-01-01'::date]", "['2020-01-01'::timestamp]"): ("DATE", "TIMESTAMP"),
}


@pytest.mark.parametrize(("lists", "types"), OTHER_TYPES.items())
@pytest.mark.parametrize("options", ["", ", like := 'sklearn'"])
def test_lists_of_two_types(
    tables: duckdb.DuckDBPyConnection, lists: tuple[str, str], types: tuple[str, str], options: str
) -> None:
    """DuckDB's own words where it can't compare the two at all."""
    sentence = "item_id is {} in recommended and {} in relevant; cast one of them to the other's type".format(*types)
    binder = "Binder Error.*'{}', from first occurrence.*'{}', which is incompatible"
    says = "|".join([re.escape(sentence), binder.format(*types), binder.format(*types[::-1])])
    with pytest.raises(duckdb.Error, match=f"(?s){says}"):
        tables.execute(f"select recsql.recall({', '.join(lists)}, 2{options})").fetchall()


@pytest.mark.parametrize(
    ("lists", "value"),
    {"[1], [1::bigint]": 1, "['a'], []": None, "[], ['a']": 0, "null, ['a']": 0, "['a'], null": None}.items(),
)
def test_lists_of_one_type_or_of_none(tables: duckdb.DuckDBPyConnection, lists: str, value: int | None) -> None:
    assert tables.execute(f"select recsql.hits({lists}, 1)").fetchall() == [(value,)]


@pytest.mark.parametrize("name", ["evaluate", "per_user"])
def test_users_of_another_type(tables: duckdb.DuckDBPyConnection, name: str) -> None:
    tables.execute("create temporary table looked_at as select '1' as user_id")
    sentence = "user_id is INTEGER in recs and VARCHAR in looked_at; cast one of them to the other's type"
    with pytest.raises(recsql.BadInput, match=sentence):
        getattr(recsql, name)("recs", "truth", "hit", 5, users="looked_at", connection=tables)
    with pytest.raises(duckdb.InvalidInputException, match=sentence):
        tables.execute(f"from recsql.{name}('recs', 'truth', users := 'looked_at')").fetchall()


NO_NUMBERS: list[tuple[str, dict[str, Any], str]] = [  # a macro, its options, and what Python says too
    ("evaluate", {"catalog_size": 4.5}, "catalog_size: 4.5 is not a whole number"),
    ("evaluate", {"beta": math.nan}, "beta: nan is not a number"),
    ("evaluate", {"beta": math.inf}, "beta: inf is not a number"),
    ("evaluate", {"beta": 0}, "beta: 0 is not above 0"),
    ("evaluate", {"beta": 1e160}, "beta: 1e[+]160 is not above 0 and at most 1000000$"),
    ("evaluate", {"catalog_size": 2 * 10**20}, "catalog_size: 20{20} is not above 0 and at most 1000000000000$"),
    ("evaluate", {"discount_p": 1.5}, "discount_p: 1.5 is not above 0 and at most 1"),
    ("evaluate", {"relevance_threshold": math.nan}, "relevance_threshold: nan is not a number"),
    ("item_metrics", {"smoothing": math.inf}, "smoothing: inf is not a number"),
    ("item_metrics", {"smoothing": -1}, "smoothing: -1 is not at least 0"),
    ("leave_one_out", {"seed": 1.5}, "seed: 1.5 is not a whole number"),
    (
        "evaluate",
        {"metrics": []},
        "metrics: the list is empty; name a metric, pass 'all', or leave metrics out for the default ones",
    ),
    (
        "item_metrics",
        {"metrics": []},
        "metrics: the list is empty; name a metric, pass 'all', or leave metrics out for the default ones",
    ),
]


@pytest.mark.parametrize(("name", "given", "says"), NO_NUMBERS)
def test_options_that_python_refuses(tables: duckdb.DuckDBPyConnection, name: str, given: dict[str, Any], says: str) -> None:
    roles = [part.strip("'") for part in GIVEN[name].split(", ") if part[0] == "'"]
    with pytest.raises(recsql.RecsqlError, match=says):
        getattr(recsql, name)(*roles, connection=tables, **given)
    reals = {key: f"'{value}'::double" for key, value in given.items() if isinstance(value, float)}
    handed = "".join(f", {key} := {reals.get(key, value)}" for key, value in given.items())
    with pytest.raises(duckdb.InvalidInputException) as refused:
        tables.execute(f"from recsql.{name}({GIVEN[name]}{handed})").fetchall()
    assert re.search(says, str(refused.value).partition("\n\nLINE ")[0])


def test_blanks_are_no_commas(tables: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(
        duckdb.InvalidInputException, match="k: a cut-off is a whole number from 1 to 1000000, or all; found 5 10"
    ):
        tables.execute("from recsql.evaluate('recs', 'truth', k := '5 10')").fetchall()
    for k in ("'5, 10'", "' [5 ,10] '", "[5, 10]"):
        rows = tables.execute(f"select k from recsql.evaluate('recs', 'truth', k := {k}, metrics := ['hit'])").fetchall()
        assert rows == [(5,), (10,)]


@pytest.mark.parametrize(("metric", "meant"), [("recal", "recall"), ("ndgc@5", "ndcg")])
def test_a_misspelt_metric_hints_at_the_nearest(tables: duckdb.DuckDBPyConnection, metric: str, meant: str) -> None:
    with pytest.raises(
        duckdb.InvalidInputException, match=f"unknown metric '{metric}'; did you mean {meant}[?] choose one of ndcg, recall"
    ):
        tables.execute(f"from recsql.evaluate('recs', 'truth', metrics := ['{metric}'])").fetchall()


def test_no_name_is_no_metric(tables: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.InvalidInputException, match="unknown metric 'NULL'; choose one of ndcg, recall"):
        tables.execute("from recsql.evaluate('recs', 'truth', metrics := [null])").fetchall()


def test_a_category_that_is_a_list(tables: duckdb.DuckDBPyConnection) -> None:
    tables.execute("create temporary table catalogue as select 7 as item_id, ['a', 'b'] as category")
    call = "from recsql.item_metrics('recs', items := 'catalogue'"
    with pytest.raises(
        duckdb.InvalidInputException, match=r"catalogue: category is VARCHAR\[\]; unnest it in a view, with one category per row"
    ):
        tables.execute(f"{call}, entropy_scope := 'category')").fetchall()
    assert tables.execute(f"{call}, coverage_restrict := false)").fetchall()


def test_columns_that_are_called_as_ours(tables: duckdb.DuckDBPyConnection) -> None:
    """The names of the table macros' CTEs, of parameters, and of the fields in the structs of the list macros."""
    tables.execute("create temporary table lists as select [7, 8] as item_id, [8, 9] as user_id, [2, 1] as relevance, 2 as k")
    value = "recsql.hits(item_id, user_id, k, relevance := relevance)"
    assert tables.execute(f"select {value} from lists where {value} = 1 order by {value}").fetchall() == [(1,)]
    tables.execute(
        "create temporary table named as select [7, 8] as recommended, [8, 9] as relevant, [2, 1] as relevance, 2 as k,"
        " 'exp2' as gain, 'none' as discount, [8, 9] as judged, 1 as l, 1.5 as relevance_threshold, 'x' as options,"
        " 'sklearn' as \"like\""
    )
    lists = "recommended, relevant, k, relevance := relevance"
    for options, expected in {
        "": 2 / math.log2(3),
        ", discount := discount": 2,
        ", discount := discount, gain := gain": 3,
        ", discount := discount, gain := gain, relevance_threshold := relevance_threshold": 3,
        ', discount := discount, "like" := "like"': 2,
    }.items():
        value = f"recsql.dcg({lists}{options})"
        found = tables.execute(f"select {value} from named where {value} > 0 order by {value}").fetchall()
        assert found == [(pytest.approx(expected, rel=1e-15),)]
    assert tables.execute("select recsql.recall(judged, relevant, l) from named").fetchall() == [(0.5,)]
