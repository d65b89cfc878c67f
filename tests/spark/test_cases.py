"""The chosen cases, and all those of splits, computed by Spark.

If it fails, a metric or a split has another value on Spark.
"""

from collections.abc import Callable
from typing import Any

import duckdb
import pytest

import recsql
import tests.cases.test_cases as cases
from tests.spark.support import load, same, view
from tests.support import PYTHON, Case, near, table

# The calls of test_api.py have all that these cases render, and their options; tests/cases/test_chosen.py looks for the former.
AS_CALLS = (
    "ap: by min(R, k)",
    "entropy: in bits",
    "entropy: scope: list",
    "entropy: scope: category, a list without one",
    "explained_variance: r2 without the bias",
    "fp: up to a cut-off",
    "gini: over a catalogue of ten",
    "gini: weight: exposure, over the items of a table",
    "hits: up to the end",
    "mape: the rating of 0",
    "mean_precision: over five ranks",
    "median_ae: of four errors",
    "mse: all pairs alike",
    "ndcg: ideal: not longer than the list",
    "r2: worse than the mean rating",
    "rating_auc: over all pairs",
    "recall: users: those of a table",
    "rmse: all pairs alike",
    "rr: up to k",
    "tp: up to a cut-off",
)
ON_SPARK = [name for name in cases.CHOSEN if not name.startswith(AS_CALLS)]


@pytest.mark.parametrize("name", ON_SPARK, ids=str)
def test_case(spark: Any, con: duckdb.DuckDBPyConnection, name: str) -> None:
    check_in_spark(spark, con, cases.case_of(con, cases.CHOSEN[name]))


PLAIN = ("err: divided by the ideal", "ap: ties parted", "recall: no_truth: one without")  # these have all plain forms of steps


@pytest.mark.parametrize("name", [name for name in ON_SPARK if name.startswith(PLAIN)], ids=str)
def test_plain(spark: Any, con: duckdb.DuckDBPyConnection, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the fast forms of steps."""
    monkeypatch.setenv("RECSQL_FAST", "off")
    check_in_spark(spark, con, cases.case_of(con, cases.CHOSEN[name]))


@pytest.mark.parametrize("found", cases.SPLITS, ids=[found["about"] for found in cases.SPLITS])
def test_split(spark: Any, con: duckdb.DuckDBPyConnection, found: cases.Found) -> None:
    rows = table(cases.filled(cases.rows(found["interactions"]), len(cases.INTERACTIONS)), cases.INTERACTIONS)
    con.register("interactions", rows)
    view(spark, "interactions", rows)

    def split(connection: Any) -> Any:
        return recsql.leave_one_out("interactions", connection=connection, **found.get("options", {}))

    if "error" in found:
        same_sentence(spark, con, split, found["error"])
    else:
        same(spark, con, split)


def check_in_spark(spark: Any, con: duckdb.DuckDBPyConnection, case: Case) -> None:
    """The case gives in Spark what it must, and what DuckDB gives: users' values if it states them, else a row, or an error."""
    load(spark, con, case.tables)
    result, *_ = case.results
    if case.error:
        same_sentence(spark, con, lambda connection: PYTHON[result](connection, case), case.error)
        return
    found = PYTHON[result](spark, case)
    assert found == near(PYTHON[result](con, case))
    assert found == near(case.expected(found)[result], case.tolerance)


def same_sentence(spark: Any, con: duckdb.DuckDBPyConnection, call: Callable[[Any], object], error: str) -> None:
    """Both refuse, in the same words."""
    sentences = []
    for connection in (con, spark):
        with pytest.raises(recsql.RecsqlError, match=f"(?i){error}") as refused:
            call(connection)
        sentences.append(str(refused.value))
    assert sentences[0].lower() == sentences[1].lower()  # DuckDB writes nan, Spark NaN
