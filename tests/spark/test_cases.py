"""The chosen cases, and all those of splits, computed by Spark."""

from typing import Any

import duckdb
import pytest

import recsql
import tests.test_cases as cases
from tests.spark.support import check_in_spark, check_row_in_spark, same, same_sentence, view
from tests.support import table


@pytest.mark.parametrize("name", cases.CHOSEN, ids=str)
def test_case(spark: Any, con: duckdb.DuckDBPyConnection, name: str) -> None:
    found = cases.CHOSEN[name]
    if "truth" in found:
        check_in_spark(spark, con, cases.case_of(con, found), averaged="mean" in found)
    else:
        check_row_in_spark(spark, con, cases.row_case_of(con, found))


PLAIN = ("ndcg:", "idcg:", "ap:", "precision:", "recall:")  # these have all plain forms of steps


@pytest.mark.parametrize("name", [name for name in cases.CHOSEN if name.startswith(PLAIN)], ids=str)
def test_plain(spark: Any, con: duckdb.DuckDBPyConnection, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the fast forms of steps."""
    monkeypatch.setenv("RECSQL_FAST", "off")
    check_in_spark(spark, con, cases.case_of(con, cases.CHOSEN[name]), averaged=False)


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
