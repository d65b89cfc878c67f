"""The distributions of the SQL against scipy: upper normal tail, normal quantile, tail and quantile of t, tail of chi-squared.

If it fails, p-values and intervals are wrong, whatever is compared.
"""

from itertools import product
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from recsql.catalog import catalog
from recsql.query.binding import Inputs
from recsql.query.render import Query

DEGREES = [
    1.0,
    2.0,
    3.0,
    4.0,
    5.0,
    7.0,
    9.0,
    10.0,
    11.0,
    20.0,
    30.0,
    63.0,
    100.0,
    200.0,
    399.0,
    400.0,
    401.0,
    500.0,
    1e3,
    1e4,
    1e5,
    1e7,
]
STATISTICS = [0.0, 1e-4, 0.01, 0.1, 0.5, 1.0, 1.5, 1.96, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 20.0, 40.0]
TAILS = [1e-6, 1e-4, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2]


def expressed(name: str, x: str, dialect: str = "duckdb", **further: Any) -> str:
    """An expression of `sql/expressions` over `x`."""
    usual = {option.name: option.default for option in catalog().options.values()}
    return Query(Inputs({}, known=usual, dialect=dialect), "warnings").function(name, x, **further)


def points(**columns: Any) -> pa.Table:
    """Every combination of the values of some columns."""
    return pa.table(dict(zip(columns, map(list, zip(*product(*columns.values()), strict=True)), strict=True)))


def answers(con: duckdb.DuckDBPyConnection, rows: pa.Table, query: str) -> dict[str, Any]:
    con.register("points", rows)
    found: dict[str, Any] = con.sql(query).to_arrow_table().to_pydict()
    return found


def test_upper_normal_tail(con: duckdb.DuckDBPyConnection) -> None:
    rows = pa.table({"z": np.concatenate([np.linspace(0, 8, 801), np.linspace(8, 45, 200)])})
    found = answers(con, rows, f"select p.z, {expressed('upper_normal', 'p.z')} as tail from points as p")
    expected = stats.norm.sf(found["z"])
    assert found["tail"] == pytest.approx(expected, rel=0, abs=2e-16)
    assert found["tail"][:701] == pytest.approx(expected[:701], rel=1e-13)
    assert [tail for z, tail in zip(found["z"], found["tail"], strict=True) if z < 37] == pytest.approx(
        [tail for z, tail in zip(found["z"], expected, strict=True) if z < 37], rel=1e-8
    )


def test_normal_quantile(con: duckdb.DuckDBPyConnection) -> None:
    rows = pa.table({"p": np.concatenate([np.logspace(-300, -2, 300), np.linspace(0.01, 0.5, 300)])})
    root = "case when p.p > 7.5e-2 then 1.80625e-1 - (5e-1 - p.p) * (5e-1 - p.p) else sqrt(-ln(p.p)) end"
    text = expressed("normal_quantile", "p.p", r="p.r")
    found = answers(con, rows, f"select p.p, {text} as z from (select p.p, {root} as r from points as p) as p")
    assert found["z"] == pytest.approx(stats.norm.isf(found["p"]), rel=2e-15, abs=1e-16)


def test_tail_of_t(con: duckdb.DuckDBPyConnection) -> None:
    found = answers(con, points(t=STATISTICS, df=DEGREES), f"select s.t, s.df, s.p from ({expressed('t_tail', 'points')}) as s")
    expected = 2 * stats.t.sf(found["t"], found["df"])
    assert found["p"] == pytest.approx(expected, rel=0, abs=1e-12)
    likely = expected > 1e-12
    assert np.array(found["p"])[likely] == pytest.approx(expected[likely], rel=1e-8)


def test_tail_of_t_near_0(con: duckdb.DuckDBPyConnection) -> None:
    """Against the formula for one degree of freedom, as scipy is off by 3e-9."""
    found = answers(con, points(t=[1e-8, 1e-6], df=[1.0]), f"select s.t, s.p from ({expressed('t_tail', 'points')}) as s")
    assert found["p"] == pytest.approx([1 - 2 / np.pi * np.arctan(t) for t in found["t"]], rel=0, abs=1e-15)


def test_quantile_of_t(con: duckdb.DuckDBPyConnection) -> None:
    found = answers(con, points(tail=TAILS, df=[None, *DEGREES]), expressed("t_quantile", "points"))
    degrees = [np.inf if df is None else df for df in found["df"]]
    assert found["quantile"] == pytest.approx(stats.t.isf(np.array(found["tail"]) / 2, degrees), rel=1e-9)


def test_a_wide_tail(con: duckdb.DuckDBPyConnection) -> None:
    """The least certain intervals that can be asked for."""
    found = answers(con, points(tail=[0.3, 0.4, 0.49], df=DEGREES), expressed("t_quantile", "points"))
    assert found["quantile"] == pytest.approx(stats.t.isf(np.array(found["tail"]) / 2, found["df"]), rel=2e-7)


def test_the_quantile_of_a_tail_is_its_statistic(con: duckdb.DuckDBPyConnection) -> None:
    tails = f"(select s.t, s.df, s.p as tail from ({expressed('t_tail', 'points')}) as s)"
    query = f"""
        with tails as {tails}
        select t.t, q.quantile from tails as t
        inner join ({expressed("t_quantile", "tails")}) as q on q.tail = t.tail and q.df = t.df
    """
    found = answers(con, points(t=[1.5, 2.0, 3.0, 5.0], df=DEGREES), query)
    assert len(found["t"]) == 4 * len(DEGREES)
    assert found["quantile"] == pytest.approx(found["t"], rel=1e-8)


def test_tail_of_chi_squared(con: duckdb.DuckDBPyConnection) -> None:
    rows = points(x=[0.0, 1e-6, 0.01, 0.5, 1.0, 2.0, 3.84, 10.0, 50.0, 300.0, 2000.0], df=[1, 2, 3, 4, 5, 6, 7, 10, 31, 98, 99])
    text = expressed("chi_squared_tail", "p.x", df="p.df")
    found = answers(con, rows, f"select p.x, p.df, {text} as tail from points as p")
    assert found["tail"] == pytest.approx(stats.chi2.sf(found["x"], found["df"]), rel=1e-9, abs=1e-200)
