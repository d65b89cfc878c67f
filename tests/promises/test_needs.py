"""What headers promise is tested: needs, and that a metric's value does not depend on the metrics beside it.

If it fails, a metric's value depends on the metrics beside it, or a query lacks a step.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

import duckdb
import pytest

import recsql
from recsql.base.statement import Statement, steps_in
from recsql.base.text import code
from recsql.catalog import catalog
from recsql.catalog.headers import Option
from recsql.query.binding import Inputs
from recsql.query.metric import Metric
from recsql.query.needs import made_from, needed_by, own_options
from recsql.query.plan import unmet
from recsql.query.render import Query
from recsql.query.templates import compiled, reads
from tests.random_data import random_data
from tests.support import OF_USERS

GIVEN = {"catalog_size": 40, "err_max_grade": 5, "gain_map": "0:0.5 1:1 2:2.5 3:4 -1:0", "hit_at_least": 2}
TABLES = ("users", "items", "train", "ratings")
BESIDE = {"discount_p": {"discount": "geometric"}, "gain_map": {"gain": "map"}, "smoothing": {"entropy_scope": "category"}}


def values(option: Option) -> list[Any]:
    """Values that show what an option does."""
    if option.name in GIVEN:
        return [GIVEN[option.name], *option.choices]
    numbers: dict[str, list[Any]] = {"number": [0.5, 1], "integer": [1]}
    return numbers.get(option.type, [*option.choices])


def combinations(names: Iterator[str] | list[str]) -> Iterator[dict[str, Any]]:
    """Every combination of the values of some options."""
    options = [catalog().options[name] for name in names]
    for chosen in itertools.product(*([option.default, *values(option)] for option in options)):
        yield {option.name: value for option, value in zip(options, chosen, strict=True)}


COMPARED = re.compile(r"\b(\w+) (?:[!=]=|(?:not )?in) ([\"']\w+[\"']|\([^)]*\))")  # an option with its values, in templates


@pytest.mark.parametrize("metric", catalog().metrics)
def test_each_value_of_its_options_has_a_branch(metric: str) -> None:
    """One value may be what is left. A value without a branch, or a branch for no value, would pass for that one."""
    everything = "\n".join("".join([source.head, source.text, *source.further.values()]) for source in catalog().sources.values())
    compared = [(name, word) for name, words in COMPARED.findall(everything) for word in re.findall(r"[\"'](\w+)[\"']", words)]
    header = catalog().metrics[metric].header
    for name in header.get("options", {}).keys() - {header.get("of_means")}:
        found, choices = {word for option, word in compared if option == name}, {*catalog().options[name].choices}
        assert found <= choices and len(choices - found) <= 1, name


@pytest.mark.parametrize("metric", catalog().metrics)
def test_a_metric_spells_out_the_statistics_that_it_reads(metric: str) -> None:
    """All of them, and no other, under the combinations of its options: else its label would lack the options of a statistic."""
    sources = made_from(metric)
    spelled = {name for source in sources for name in needed_by(source)}
    named = {name for source in sources for need in source.needs for name in compiled(need.condition).co_names}
    own = catalog().options.keys() & named.union(*(reads(source.path) for source in sources))
    usual = {name: option.default for name, option in catalog().options.items()}
    given = {**usual, "like": None, "catalog_size": 40}
    needed = [Metric(metric, {**given, **options}).needs for options in combinations(sorted(own))]
    assert set().union(*needed) | {"k"} == spelled | {"k"}  # each row has k
    assert all(one & catalog().statistics.keys() for one in needed)


def test_an_option_of_a_metric_is_read_by_the_metric_alone_or_splits_queries() -> None:
    own = {name for name, option in catalog().options.items() if option.is_own}
    for source in catalog().sources.values():
        if source.folder in ("steps", "statistics", "expressions", "checks"):
            assert not reads(source.path) & own, source.path


DATA = random_data(11, users=10)
RECS = DATA.recs_table("user_id", "item_id", "rank", "score")
TRUTH = DATA.truth_table("user_id", "item_id", "relevance", "rank")


def each_option(grain: str) -> Iterator[dict[str, Any]]:
    """Every value of every option that a call about lists takes, one at a time; the defaults are what a call without has."""
    yield {}
    for name, option in catalog().options_of([grain]).items():
        if option.topic != "intervals" and name not in ("like", "sample", "rank_by", "truth_check", *TABLES):
            for value in values(option):
                if value != option.default:
                    yield {**BESIDE.get(name, {}), name: value}
    yield {"users": "union"}
    yield {"users": "intersection"}


def rows(con: duckdb.DuckDBPyConnection, metrics: Any, options: Mapping[str, Any]) -> dict[tuple[str, int], Any]:
    given = {"rank_by": "score", "catalog_size": 40, "gain_map": None, **options}
    found = recsql.evaluate("recs", "truth", metrics, [3, 7], connection=con, **given)
    return {(row["metric"].partition("(")[0], row["k"]): (row["value"], row["users"]) for row in found.to_pylist()}


def halves(names: list[str], turn: int) -> list[list[str]]:
    """The names in two, by a digit of their places in binary: another one in each turn."""
    digit = turn % max(1, (len(names) - 1).bit_length())
    return [[name for place, name in enumerate(names) if place >> digit & 1 == bit] for bit in (0, 1)]


def same_beside_others(con: duckdb.DuckDBPyConnection, options: Mapping[str, Any], turn: int) -> int:
    """Compares each metric with itself in a call of fewer and with the mean of its users. Returns how many values it compared.

    Without options each is alone, and in half of them: every two are apart in one of the halves, and together in another. For a
    value of an option, half of those that read it are in a call with a fifth of the others; another turn has another half.
    """
    usual = {name: option.default for name, option in catalog().options.items()}
    metrics = [name for name in OF_USERS if not unmet(name, {**usual, "catalog_size": 40, **options})]
    for name, table in {"recs": RECS, "truth": TRUTH}.items():
        con.register(name, table)
    try:
        beside = rows(con, metrics, options)
    except recsql.RecsqlError:
        return 0
    given = {"rank_by": "score", "catalog_size": 40, **options}
    by_user = recsql.per_user("recs", "truth", metrics, [3, 7], connection=con, **given).to_pylist()
    if options:
        reading = [name for name in metrics if own_options(name) & options.keys()]
        calls = [halves(reading, turn)[turn % 2] + [name for name in metrics[turn % 5 :: 5] if name not in reading]]
    else:
        calls = [[name] for name in metrics]
        calls += [half for digit in range(len(metrics).bit_length()) for half in halves(metrics, digit)]
    compared = 0
    for asked in filter(None, calls):
        fewer = rows(con, asked, options)
        for metric, k in itertools.product(asked, (3, 7)):
            assert fewer[metric, k] == beside[metric, k], (metric, options)
            found = [row[metric] for row in by_user if row["k"] == k and row[metric] is not None]
            mean, users = fewer[metric, k]
            if catalog().metrics[metric].header.get("of_means") in options:  # another average than the mean
                continue
            assert users == len(found), (metric, options)
            assert mean is None or mean == pytest.approx(sum(found) / len(found), rel=1e-12, abs=1e-15), (metric, options)
            compared += 1
    return compared


def test_a_metric_is_the_same_alone_beside_others_and_as_a_mean_over_users(con: duckdb.DuckDBPyConnection) -> None:
    assert same_beside_others(con, {}, 0) > 200


@pytest.mark.thorough
def test_so_it_is_under_each_option(con: duckdb.DuckDBPyConnection) -> None:
    assert sum(same_beside_others(con, options, turn) for turn, options in enumerate(each_option("user")) if options) > 500


def test_which_metrics_are_0_for_a_user_without_a_hit() -> None:
    known = {name: option.default for name, option in catalog().options.items()}
    known |= {"catalog_size": 40, "like": None}
    columns = [Metric(name, known, name=name) for name, source in catalog().metrics.items() if source.grain == "user"]
    query = Query(Inputs({}, columns=columns, known=known), "evaluate")
    zero = {one.metric for one in query.columns["user"] if one.zero_without_hits}
    # Not all: a metric that is added is of either kind.
    assert {"ap", "arhr", "cg", "dcg", "err", "f1", "hit", "hits", "mean_precision", "ndcg", "precision", "rbp", "recall"} <= zero
    assert {"rr", "tp"} <= zero
    assert zero.isdisjoint({"bpref", "fallout", "fn", "fp", "idcg", "r_precision", "tn"})


def queries(con: duckdb.DuckDBPyConnection) -> Iterator[tuple[dict[str, Any], Any]]:
    """The queries of calls with every value of every option: all metrics by rank and by score, and single ones in turn."""
    from recsql.calls.open_call import opened

    orders = ("rank", "score")
    targets = ((True, True, "evaluate"), (True, False, "evaluate"), (False, False, "per_user"))
    single = ("hit", "ndcg", "idcg", "tn")
    for place, options in enumerate(each_option("user")):
        for metrics in ("all", *single[place % 2 :: 2]):
            for order in orders if metrics == "all" else [orders[place // 2 % 2]]:
                settings = {"catalog_size": 40, "rank_by": order, **options}
                tables, given = {"recs": RECS, "truth": TRUTH}, {**settings, "connection": con}
                try:
                    with opened(tables, ("user", "item"), given, metrics, [3, 7]) as call:
                        for averaged, counted, target in targets:
                            for binding in call.bindings(averaged=averaged, counted=counted):
                                yield settings | {"metrics": metrics, "target": target}, Query(binding, target).statement()
                except recsql.RecsqlError:
                    continue


def has_what_it_reads(query: Statement) -> None:
    """Fails if a query lacks a step that it reads, or has one that nothing reads.

    It also fails if a step that Spark computes ahead depends on one with a WITH of its own. There, Spark would look for tables
    instead of steps.
    """
    steps = list(query.steps)
    read: set[str] = set(steps_in(query.last))
    for name in steps:
        body = query.steps[name]
        earlier = steps[: steps.index(name)]
        assert (steps_in(body) & catalog().steps.keys()) - {name} <= {*earlier}, name
        read |= steps_in(body) - {name}
    assert steps_in(query.last) & catalog().steps.keys() <= {*steps}
    assert {*steps} <= read, sorted({*steps} - read)
    for name in query.kept:
        ahead = Statement.over(query.steps, f"select * from {name}")
        assert [step for step, text in ahead.steps.items() if re.search(r"\bwith\b", code(text))] == [], name


def test_a_query_has_the_steps_that_it_reads_and_no_others(con: duckdb.DuckDBPyConnection) -> None:
    seen = 0
    for settings, query in queries(con):
        try:
            has_what_it_reads(query)
        except AssertionError as error:
            raise AssertionError(settings) from error
        seen += 1
    assert seen > 500


def test_no_option_is_hidden_by_another_name() -> None:
    known = {name: option.default for name, option in catalog().options.items()}
    query = Query(Inputs({}, known=known), "union")
    assert {name: query.context[name] for name in query.options} == query.options


def test_no_decision_is_made_twice() -> None:
    made = [name for path in catalog().decisions for name in re.findall(r"{% set (\w+) =", catalog().sources[path].text)]
    assert len(made) == len({*made})
    assert not {*made} & {*catalog().options, *catalog().expressions}
