"""Labels on Spark, which has no ASOF join: all cases, and logs at random, as DuckDB computes them.

If it fails, labels made on Spark differ from those of DuckDB.
"""

from pathlib import Path
from typing import Any

import pytest

import recsql
from tests.calls.test_truth_labels import CASES, Found, a_log, events_of, given_by, impressions_of, said_of, truth_of

FEW = [name for name in CASES if not name.startswith("last: aggregate")]


@pytest.mark.parametrize("name", FEW, ids=str)
def test_case(spark: Any, name: str) -> None:
    events, impressions, options = given_by(CASES[name])
    if "error" in CASES[name]:
        with pytest.raises(recsql.BadInput, match=CASES[name]["error"]):
            recsql.labels(events, impressions, connection=spark, **options)
        return
    expected = recsql.labels(events, impressions, **options)
    rows = recsql.labels(events, impressions, connection=spark, **options)
    assert sorted(map(str, rows.to_pylist())) == sorted(map(str, expected.to_pylist()))
    assert said_of(rows) == said_of(expected)


@pytest.mark.parametrize("which", ["last", "first", "all"])
def test_the_window_form_gives_what_asof_gives(spark: Any, which: str) -> None:
    shown, done = a_log(3)
    options: Found = {"window": "12 hours", "complete": "keep", "attribution": which, "aggregate": "sum", "tolerance": "1 hour"}
    logs = events_of(done), impressions_of(shown)
    assert truth_of(recsql.labels(*logs, connection=spark, **options)) == truth_of(recsql.labels(*logs, **options))


def test_files_are_for_duckdb(spark: Any) -> None:
    shown, done = a_log(1)
    with pytest.raises(recsql.BadInput, match="labels: Spark can't write two files on this machine; write the rows with into="):
        recsql.labels(events_of(done), impressions_of(shown), complete="keep", recs="a", truth="b", connection=spark)


def test_times_with_a_zone_are_in_utc(spark: Any) -> None:
    """Spark's own timestamp has the zone of the session; a date is its midnight."""
    when = "timestamp '2026-03-01 12:00:00 Europe/Berlin'"
    shown = spark.sql(f"select 1 as user_id, 'a' as item_id, 1 as rank, {when} as ts")
    for hour, relevance in ((10, 0.0), (11, 1.0)):
        done = spark.sql(f"select 1 as user_id, 'a' as item_id, timestamp_ntz '2026-03-01 {hour}:00:00' as ts")
        assert truth_of(recsql.labels(done, shown, complete="keep", connection=spark)) == {"1": {"a": relevance}}
    dates = spark.sql("select 1 as user_id, 'a' as item_id, date '2026-03-02' as ts")
    assert truth_of(recsql.labels(dates, start="2026-03-02", window="1 s", connection=spark)) == {"1": {"a": 1.0}}


def test_rows_stay_on_the_cluster(spark: Any, tmp_path: Path) -> None:
    shown, done = a_log(1)
    logs, path = (events_of(done), impressions_of(shown)), str(tmp_path / "labelled")
    expected = recsql.labels(*logs, complete="keep")
    assert recsql.labels(*logs, complete="keep", into=path, connection=spark) is None
    assert sorted(map(str, spark.read.parquet(path).toArrow().to_pylist())) == sorted(map(str, expected.to_pylist()))
