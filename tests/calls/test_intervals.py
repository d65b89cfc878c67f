"""Intervals: against golden values, worked examples, scipy and statsmodels; bounds; the same bits whatever the threads.

If it fails, the interval of a mean doesn't cover as often as it says, or goes beyond the metric's bounds.
"""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import recsql
from recsql.calls.open_call import opened
from recsql.catalog import catalog
from recsql.cli import main
from recsql.display.shown import Shown
from recsql.query.plan import LISTS_AND_ITEMS
from recsql.query.render import Query
from tests.promises.test_needs import each_option
from tests.random_data import random_data
from tests.sql.test_rendering import RECS, TRUTH
from tests.support import OF_USERS

GOLDEN = json.loads((Path(__file__).parents[1] / "data/intervals.json").read_text())
COLUMNS = ["model", "metric", "k", "value", "users", "lists", "low", "high", "std_error", "few", "definition"]
SCORED = [name for name in OF_USERS if catalog().metrics[name].header["bounds"] == [0, 1]]
Row = dict[str, Any]


def lists(ranks: Sequence[int | None]) -> dict[str, pa.Table]:
    """One list of ten items per user, with the only relevant item of the user at a rank, or not in the list."""
    users = range(len(ranks))
    rows = [(user, 0 if rank == ranks[user] else rank, rank) for user in users for rank in range(1, 11)]
    recs = dict(zip(("user_id", "item_id", "rank"), map(list, zip(*rows, strict=True)), strict=True))
    return {"recs": pa.table(recs), "truth": pa.table({"user_id": list(users), "item_id": [0 for _ in users]})}


def one(ranks: Sequence[int | None], metric: str, **options: Any) -> Row:
    rows: list[Row] = recsql.evaluate(**lists(ranks), metrics=metric, k=10, **{"interval": 0.95, **options}).to_pylist()
    return rows[0]


def ends(row: Row) -> tuple[Any, Any]:
    return row["low"], row["high"]


# -- given values


@pytest.mark.parametrize(("method", "level", "name"), [("wilson", 0.95, "wilson"), ("t", 0.95, "t"), ("t", 0.99, "t99")], ids=str)
def test_golden_values(con: duckdb.DuckDBPyConnection, method: str, level: float, name: str) -> None:
    """Six metrics of four models on MovieTweetings: the ends from the mean, its standard error and the number of users."""
    rows = [
        {
            "place": place,
            "k": row["k"],
            "value": row["value"],
            "few": False,
            "least": None,
            "most": None,
            "is_scored": method == "wilson",
            "std_error": row["std_error"],
            "df": None if method == "wilson" and row["metric"] == "hit" else row["users"] - 1.0,
            "effective_users": row["users"]
            if row["metric"] == "hit"
            else row["value"] * (1 - row["value"]) / row["std_error"] ** 2,
        }
        for place, row in enumerate(GOLDEN)
    ]
    con.register("spreads", pa.Table.from_pylist(rows))
    with opened(lists([1]), LISTS_AND_ITEMS, {"interval": level}, "rr", 10) as call:
        query = Query(next(call.bindings(averaged=True)), "evaluate")
    steps = ",\n".join(query.statement().steps[step] for step in ("degrees", "quantiles", "intervals"))
    found = con.execute(f"with {steps} select i.place, i.low, i.high from intervals as i order by i.place").fetchall()
    assert len(found) == len(GOLDEN) == 72
    for (_, *interval), row in zip(found, GOLDEN, strict=True):
        assert interval == pytest.approx([row[f"{name}_low"], row[f"{name}_high"]], rel=0, abs=1e-12), row


def test_golden_values_from_the_lists(shared: Path) -> None:
    """The same values, from the lists that they belong to."""
    runs = shared / "data/movietweetings-100k/runs"
    golden = json.loads((shared / "statistics/values.json").read_text())["interval"]
    assert [{name: row[name] for name in GOLDEN[0]} for row in golden] == GOLDEN
    metrics = sorted({row["metric"] for row in GOLDEN})
    for method, level, name in (("auto", 0.95, "wilson"), ("t", 0.95, "t"), ("t", 0.99, "t99")):
        options: Row = {"interval": level, "interval_method": method}
        rows = recsql.evaluate(str(runs / "runs.parquet"), str(runs / "truth.parquet"), metrics, [5, 10, 20], **options)
        found = {(row["model"], row["metric"], row["k"]): row for row in rows.to_pylist()}
        for row in GOLDEN:
            one = found[row["model"], row["metric"], row["k"]]
            expected = [row["value"], row["users"], row[f"{name}_low"], row[f"{name}_high"], row["std_error"]]
            assert [one[column] for column in ("value", "users", "low", "high", "std_error")] == pytest.approx(
                expected, rel=0, abs=1e-12
            ), row
            assert one["few"] == (row["nonzero"] < 50)


@pytest.mark.thorough
@pytest.mark.parametrize("metric", ["hit", "ndcg", "ap"])
def test_the_interval_covers_as_often_as_it_says(con: duckdb.DuckDBPyConnection, metric: str) -> None:
    """10,000 samples of 1,000 users, a cut-off each: in 94.5 to 95.5 % of them, the interval has the mean of all users.

    The standard error of such a share is 0.2 %.
    """
    everyone = np.array(recsql.per_user(RECS, TRUTH, metric, 10)[metric])
    samples = np.random.default_rng(28).choice(everyone, (10_000, 1_000))
    sums, places = samples.sum(axis=1), range(1, len(samples) + 1)
    of_query = {"model": None, "place": 1, "k": places, "value": sums / 1_000, "users": 1_000}
    totals = {"model": None, "k": places, metric: sums, f"{metric}_squares": (samples**2).sum(axis=1)}
    totals |= {f"{metric}_others": (samples != 0).sum(axis=1), f"{metric}_missing": 0}
    for name, columns in {"summary": of_query, "totals": totals}.items():
        con.register(name, pa.table({column: np.broadcast_to(values, len(samples)) for column, values in columns.items()}))
    with opened(lists([1]), LISTS_AND_ITEMS, {"interval": 0.95}, metric, 10) as call:
        query = Query(next(call.bindings(averaged=True)), "evaluate")
    steps = ",\n".join(query.statement().steps[step] for step in ("mean_spreads", "spreads", "degrees", "quantiles", "intervals"))
    mean = everyone.mean()
    [(covered,)] = con.execute(
        f"with {steps} select avg(cast(? between i.low and i.high as integer)) from intervals as i", [mean]
    ).fetchall()
    assert 0.943 < covered < 0.957


SIX = [1, 2, None, 4, 1, None]  # the reciprocal ranks 1, 1/2, 0, 1/4, 1, 0


def test_six_users() -> None:
    """The mean is .4583333, s^2 .2104167, so .2482639 x 6 / .2104167 = 7.0792079 users count; the quantile is 2.5705818."""
    scored = one(SIX, "rr")
    assert ends(scored) == pytest.approx((0.1316610, 0.8252375), rel=0, abs=1e-7)
    assert scored["std_error"] == pytest.approx(math.sqrt(0.2104166666666667 / 6), rel=1e-12)
    assert ends(one(SIX, "rr", interval_method="t")) == pytest.approx((-0.0230554, 0.9397220), rel=0, abs=1e-7)
    assert scored["few"]


@pytest.mark.filterwarnings("ignore:recs")
def test_nothing_found_and_everything() -> None:
    """0 of 300: from 0 to 3.8414588 / 303.8414588; 300 of 300: mirrored."""
    for metric in ("hit", "rr", "ndcg", "recall"):
        none, every = one([None] * 300, metric), one([1] * 300, metric)
        assert none["low"] == 0
        assert none["high"] == pytest.approx(3.841458820694124 / 303.841458820694124, rel=1e-12)
        assert ends(every) == pytest.approx((1 - none["high"], 1), rel=1e-12)
        assert none["std_error"] == every["std_error"] == 0


def test_equal_values() -> None:
    """Wilson's interval of as many binary values of this mean has a width; for t there is nothing to tell it from."""
    q, n, m = stats.t.isf(0.025, 299), 300, 1 / 3
    centre, half = (m + q * q / (2 * n)) / (1 + q * q / n), q / (1 + q * q / n) * math.sqrt(m * (1 - m) / n + q * q / 4 / n**2)
    assert ends(one([3] * 300, "rr")) == pytest.approx((centre - half, centre + half), rel=1e-12)
    found = one([3] * 300, "rr", interval_method="t")
    assert (found["value"], *ends(found), found["std_error"]) == (pytest.approx(m), None, None, None)


def test_one_user_has_no_interval() -> None:
    for metric in ("hit", "rr", "dcg"):
        found = one([2], metric)
        assert (found["users"], *ends(found), found["few"]) == (1, None, None, True)


@pytest.mark.parametrize(("users", "hits", "few"), [(199, 60, True), (200, 49, True), (200, 50, False)])
def test_few(users: int, hits: int, few: bool) -> None:
    ranks = [3] * hits + [None] * (users - hits)
    assert {one(ranks, metric)["few"] for metric in ("hit", "rr", "dcg", "ndcg")} == {few}


# -- other libraries


def score(values: Sequence[float], level: float) -> tuple[float, float]:
    """Wilson's interval with the users that the variance amounts to; of values 0 and 1, that of statsmodels."""
    n, m, s2 = len(values), np.mean(values), np.var(values, ddof=1)
    if {*values} <= {0.0, 1.0}:
        low, high = proportion_confint(sum(values), n, 1 - level, method="wilson")
        return float(low), float(high)
    e = m * (1 - m) * n / s2 if s2 > 1e-20 else n
    q = stats.t.isf((1 - level) / 2, n - 1)
    half = q * math.sqrt(m * (1 - m) / e + q * q / (4 * e * e))
    return (m + q * q / (2 * e) - half) / (1 + q * q / e), (m + q * q / (2 * e) + half) / (1 + q * q / e)


OTHERS: Mapping[str, Row] = {
    "as usual": {},
    "every user apart": {"no_recs": "skip", "no_truth": "zero"},
    "graded": {"gain": "exp2", "discount": "jk2002"},
    "a narrow one": {"interval": 0.6},
    "a wide one": {"interval": 0.999},
    "t": {"interval_method": "t"},
}


@pytest.mark.few(4)
@pytest.mark.parametrize(("seed", "name"), [(n % 3, name) for place, name in enumerate(OTHERS) for n in (place, place + 1)])
def test_other_libraries_give_the_same(name: str, seed: int) -> None:
    """From the values of each user, in numpy."""
    options = {"catalog_size": 40, **OTHERS[name]}
    level = options.pop("interval", 0.95)
    data = random_data(seed, users=[8, 60, 500][seed])
    recs, truth = data.recs_table(), data.truth_table()
    metrics = [name for name in OF_USERS if name != "err"]
    found = recsql.evaluate(recs, truth, metrics, [1, 4], interval=level, **options)
    assert found.column_names == COLUMNS
    method = options.pop("interval_method", "auto")
    rows = recsql.per_user(recs, truth, metrics, [1, 4], **options).to_pylist()
    for row in found.to_pylist():
        metric = row["metric"].partition("(")[0]
        name_there = next(name for name in rows[0] if name.partition("(")[0] == metric)
        of_model = [one for one in rows if (one["model"], one["k"]) == (row["model"], row["k"])]
        values = [one[name_there] for one in of_model if one[name_there] is not None]
        error = np.std(values, ddof=1) / math.sqrt(len(values)) if len(values) > 1 else math.nan
        if metric in SCORED and method == "auto" and len(values) > 1:
            assert ends(row) == pytest.approx(score(values, level), rel=1e-9, abs=1e-12), row
            assert row["std_error"] == pytest.approx(error, rel=1e-9, abs=1e-12)
        elif error > 1e-9:
            low, high = stats.t.interval(level, len(values) - 1, np.mean(values), error)
            assert ends(row) == pytest.approx((low, high), rel=1e-7), row
            assert row["std_error"] == pytest.approx(error, rel=1e-8)
        else:
            assert ends(row) == (None, None)
        assert row["few"] == (len(values) < 200 or sum(value != 0 for value in values) < 50)


# -- bounds


BOUNDED = [{"duplicates": ("hole", "count")[place % 2], **options} for place, options in enumerate(each_option("user"))]


def scored(tables: Sequence[pa.Table], metrics: Sequence[str], options: Row) -> list[str]:
    """The metrics whose interval is Wilson's."""
    with opened(dict(zip(("recs", "truth"), tables, strict=True)), LISTS_AND_ITEMS, options, metrics, 5) as call:
        columns: Any = Query(next(call.bindings(averaged=True)), "evaluate").columns["user"]
    return [column.metric for column in columns if column.method == "wilson"]


@pytest.mark.thorough
def test_no_value_is_beyond_the_bounds_of_its_interval() -> None:
    """Under all options, every second one with copies that count."""
    data = random_data(1, users=25, items=8, copies=True, ties=True)
    recs = data.recs_table("user_id", "item_id", "rank", "score")
    truth = data.truth_table("user_id", "item_id", "relevance", "rank")
    usual: Row = {"rank_by": "score", "gain_map": None, "err_max_grade": 3, "catalog_size": 30}
    checked = 0
    for place, options in enumerate(BOUNDED):
        given = usual | options
        groups = [[name for name in SCORED if name not in ("bpref", "err")], ["bpref"], ["err"]]
        for metrics in groups if place % 3 == 0 or {"bpref_empty", "err_normalize"} & options.keys() else groups[:1]:
            try:
                found = scored((recs, truth), metrics, given)
                rows = recsql.per_user(recs, truth, metrics, [1, 5], **given)
            except recsql.RecsqlError:
                continue
            for name in found:
                values = [value for value in rows[name].to_pylist() if value is not None]
                assert min(values, default=0) > -1e-12 and max(values, default=0) < 1 + 1e-12, (name, options)
                checked += 1
    assert checked > 300


@pytest.mark.parametrize("options", [{"duplicates": "count"}, {"ideal": "constant"}], ids=lambda options: next(iter(options)))
def test_values_that_may_be_above_1_have_t(options: Row) -> None:
    data = random_data(1, users=25, copies="duplicates" in options)
    tables = data.recs_table(), data.truth_table()
    auto, t = (recsql.evaluate(*tables, "ndcg", 5, interval=0.95, interval_method=method, **options) for method in ("auto", "t"))
    assert auto.to_pylist() == t.to_pylist()
    with pytest.raises(
        recsql.RecsqlError, match="interval_method: wilson needs a mean of values from 0 to 1, which ndcg need not be"
    ):
        recsql.evaluate(*tables, "ndcg", 5, interval=0.95, interval_method="wilson", **options)


# -- as the query computes it


def test_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the threads, the order of the rows and the forms of the steps."""
    data = random_data(5, users=300)
    recs, truth = data.recs_table(), data.truth_table()
    settings: Row = {"metrics": ["ndcg", "hit", "dcg", "recall", "idcg", "tn"], "k": [1, 5], "interval": 0.95, "catalog_size": 40}
    expected = recsql.evaluate(recs, truth, **settings).to_pylist()
    for threads in (1, 4):
        with duckdb.connect(config={"threads": threads}) as con:
            turned = [table.take(list(range(table.num_rows))[::-1]) for table in (recs, truth)]
            assert recsql.evaluate(*turned, **settings, connection=con).to_pylist() == expected
    monkeypatch.setenv("RECSQL_FAST", "off")
    assert recsql.evaluate(recs, truth, **settings).to_pylist() == expected


def test_values_do_not_depend_on_whether_there_are_intervals() -> None:
    data = random_data(6, users=100)
    tables = data.recs_table(), data.truth_table()
    plain = recsql.evaluate(*tables, ["ndcg", "hit"], [1, 5])
    assert (
        recsql.evaluate(*tables, ["ndcg", "hit"], [1, 5], interval=0.9).select(plain.column_names).to_pylist()
        == plain.to_pylist()
    )
    assert plain.column_names == [*COLUMNS[:6], "definition"]


def test_the_text_gives_the_same_for_several_queries(con: duckdb.DuckDBPyConnection) -> None:
    """One of the options needs a query of its own."""
    metrics = ["ndcg", "ndcg(gain=exp2)", "hit"]
    text = recsql.sql(RECS, TRUTH, metrics, 10, interval=0.95)
    expected = recsql.evaluate(RECS, TRUTH, metrics, 10, interval=0.95)
    found = con.sql(text).to_arrow_table()
    assert found.column_names == COLUMNS
    assert found.to_pylist() == expected.to_pylist()


def test_the_rows_of_a_step() -> None:
    text = recsql.sql(RECS, TRUTH, "ndcg", 10, interval=0.95, stop_after="quantiles")
    with duckdb.connect() as con:
        assert con.sql(text).columns == ["tail", "df", "quantile"]


# -- what is refused


@pytest.mark.parametrize("interval", [0.5, 1, 0, 2, -0.95, "95"])
def test_an_interval_outside_of_its_range(interval: Any) -> None:
    with pytest.raises(recsql.RecsqlError, match=rf"^interval: {interval!r} is not above 0.5 and below 1$"):
        recsql.evaluate(RECS, TRUTH, "ndcg", 10, interval=interval)


def test_where_there_are_no_intervals(tmp_path: Path, con: duckdb.DuckDBPyConnection) -> None:
    for call, sentence in (
        (
            lambda **options: recsql.per_user(RECS, TRUTH, "ndcg", 5, **options),
            "per_user has the values of each user and no means",
        ),
        (lambda **options: recsql.hits(RECS, TRUTH, 5, **options), "hits has rows of lists and no means"),
        (
            lambda **options: recsql.partial(RECS, TRUTH, str(tmp_path / "part.parquet"), "ndcg", **options),
            "parts keep sums, so give interval= to merge",
        ),
        (lambda **options: recsql.conventions(RECS, TRUTH, "ndcg", 5, **options), "conventions has no intervals"),
    ):
        with pytest.raises(recsql.RecsqlError, match=f"interval: {sentence}"):
            call(interval=0.95)
    assert not list(tmp_path.iterdir())
    with pytest.raises(recsql.RecsqlError, match="interval_method: it applies only with interval"):
        recsql.evaluate(RECS, TRUTH, "ndcg", 5, interval_method="t")
    with pytest.raises(recsql.RecsqlError, match="ndcg does not read interval"):
        recsql.evaluate(RECS, TRUTH, "ndcg(interval=0.9)", 5)


# -- as people see it


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["evaluate", RECS, TRUTH, "-m", "hit", "-k", "10", *arguments]) == 0
    return capsys.readouterr().out


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    """0.1343 x 2680 = 360 users of pop have a hit."""
    low, high = proportion_confint(360, 2680, method="wilson")
    assert f"0.1343 [{low:.4f}, {high:.4f}]" in printed(capsys, "--interval")
    low, high = proportion_confint(360, 2680, 0.1, method="wilson")
    nine = printed(capsys, "--interval=0.9")
    assert f"0.1343 [{low:.4f}, {high:.4f}]" in nine and "*" not in nine
    assert printed(capsys, "--interval", "0.9") == nine


def test_the_flag_before_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--interval", RECS, TRUTH, "-m", "hit", "-k", "10"]) == 0
    assert capsys.readouterr().out == printed(capsys, "--interval")


def test_few_users_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    users = recsql.evaluate(RECS, TRUTH, "hit", 10, sample=0.05)["users"][0].as_py()
    text = printed(capsys, "--interval", "--sample", "0.05")
    assert text.count("]*") == 4
    assert text.splitlines()[-1] == f"* few users: 4 intervals may be too narrow ({users} users)."


def told(ranks: Sequence[int | None], **options: Any) -> str:
    """The last line under a table of hit@10."""
    tables = lists(ranks)
    tables["truth"] = tables["truth"].append_column("account", pa.array([user % 20 for user in range(len(ranks))]))
    return repr(Shown.of(recsql.evaluate(**tables, metrics="hit", k=10, interval=0.95, **options))).splitlines()[-1]


def test_the_sentence_on_few_users() -> None:
    """One value is named, and 200 users are few only if nearly all of their values are 0, or if they are in few clusters."""
    assert told([1] * 180) == "* few users: the interval of hit@10 may be too narrow (180 users)."
    assert told([1]) == "* few users: the interval of hit@10 may be too narrow (1 user)."
    why = "(200 users, fewer than 50 of them not 0"
    assert told([1] * 49 + [None] * 151) == f"* few users: the interval of hit@10 may be too narrow {why})."
    of_clusters = told([1] * 200, cluster="account")
    assert of_clusters == f"* few users: the interval of hit@10 may be too narrow {why} or in fewer than 40 clusters)."
    assert not told([1] * 200).startswith("*")


@pytest.mark.parametrize(
    ("form", "begins"), [("markdown", "| hit@10 | 0.0873 [0.0772, 0.0986] |"), ("latex", "hit@10 & 0.0873 [0.0772, 0.0986] &")]
)
def test_in_other_tables(capsys: pytest.CaptureFixture[str], form: str, begins: str) -> None:
    assert any(line.startswith(begins) for line in printed(capsys, "--interval", "--format", form).splitlines())


def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(printed(capsys, "--interval", "--format", "json"))
    assert [*rows[0]] == COLUMNS
    assert printed(capsys, "--interval", "--format", "csv").splitlines()[0] == ",".join(COLUMNS)


def test_no_interval_in_a_table_without_one(capsys: pytest.CaptureFixture[str]) -> None:
    text = recsql.to_markdown(recsql.evaluate(**lists([2]), metrics="hit", k=10, interval=0.95))
    assert text.splitlines()[2] == r"| hit@10 | 1.0000\* |"


def test_a_curve_has_a_band() -> None:
    with_band, without = (
        recsql.curve(RECS, TRUTH, ["hit", "dcg"], [1, 5, 10], **options) for options in ({"interval": 0.95}, {})
    )
    bands = [layer for panel in with_band.spec["concat"] for layer in layers(panel) if isinstance(layer["mark"], dict)]
    assert [layer["encoding"]["y2"] for layer in bands] == [{"field": "high"}] * 2
    assert {"low", "high"} <= {*with_band.data.column_names}
    assert "area" not in json.dumps(without.spec) and "low" not in without.data.column_names


def layers(panel: Mapping[str, Any]) -> list[Row]:
    return [layer for one in panel.get("vconcat", [panel]) for layer in one["layer"] if "area" in str(layer["mark"])]
