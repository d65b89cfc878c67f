"""Several processes: rows shuffled between executors, more of them than fit, one user with most, an executor that dies."""

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest

import recsql
from tests.spark.conftest import KIND
from tests.spark.support import same

pytestmark = pytest.mark.skipif(KIND not in ("cluster", "connect"), reason="RECSQL_SPARK is neither cluster nor connect")

METRICS = ["precision", "recall", "ap", "ndcg", "rr", "hit"]
SKEWED = """
    copy (
        select u.range as user_id, if(i.range = 1, 7, 10 + (37 * u.range + 101 * i.range) % 49000) as item_id, i.range as rank
        from range(100000) as u cross join range(1, 21) as i
    ) to '{folder}/recs.parquet';
    copy (
        select 0 as user_id, i.range as item_id, 1 + i.range % 3 as relevance from range(1000000) as i
        union all
        select u.range, if(i.range = 3, 7, 10 + (37 * u.range + 303 * i.range) % 49000), 1 + u.range % 2
        from range(1, 100000) as u cross join range(1, 4) as i
    ) to '{folder}/truth.parquet';
"""


@pytest.fixture(scope="module")
def skewed(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """An item in every one of 100,000 lists of 20; a million rows of truth for one user, three for every other."""
    folder = tmp_path_factory.mktemp("skewed")
    with duckdb.connect() as con:
        con.execute(SKEWED.format(folder=folder))
    return str(folder / "recs.parquet"), str(folder / "truth.parquet")


def executors() -> list[int]:
    """The processes of the executors."""
    lines = {int(entry.name): command_of(entry) for entry in Path("/proc").iterdir() if entry.name.isdigit()}
    return [process for process, line in lines.items() if b"CoarseGrainedExecutorBackend" in line]


def command_of(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:  # it has ended
        return b""


@pytest.mark.parametrize("broadcast", ["-1", "10MB"], ids=["sorted", "hashed"])
def test_skew(spark: Any, con: duckdb.DuckDBPyConnection, skewed: tuple[str, str], broadcast: str) -> None:
    """200 partitions, executors of 1 GB; Spark hashes what it joins only where it may also broadcast."""
    usual = {name: spark.conf.get(name) for name in ("spark.sql.shuffle.partitions", "spark.sql.autoBroadcastJoinThreshold")}
    for name, value in zip(usual, ("200", broadcast), strict=True):
        spark.conf.set(name, value)
    try:
        same(spark, con, lambda con: recsql.evaluate(*skewed, METRICS, [5, 20], connection=con))
        same(spark, con, lambda con: recsql.item_metrics(skewed[0], "entropy", [5, 20], connection=con))
    finally:
        for name, value in usual.items():
            spark.conf.set(name, value)


@pytest.mark.skipif(KIND != "cluster", reason="a thin client can't ask who ran what")
def test_both_executors_work(spark: Any, skewed: tuple[str, str]) -> None:
    recsql.evaluate(*skewed, "ndcg", 10, connection=spark)
    listed = spark.sparkContext._jsc.sc().statusStore().executorList(True)
    found = {one.id(): one for one in (listed.apply(n) for n in range(listed.size()))}
    assert found["driver"].totalTasks() == 0
    for name, one in found.items():
        if name != "driver":
            assert one.totalTasks() > 0
            assert one.totalShuffleWrite() > 0
    assert len(found) == 3


def test_an_executor_dies(spark: Any, con: duckdb.DuckDBPyConnection, skewed: tuple[str, str]) -> None:
    """What it had is computed again, and the result is the same."""
    found: list[Any] = []

    def measure() -> None:
        found.append(same(spark, con, lambda con: recsql.evaluate(*skewed, METRICS, 10, connection=con)))

    running = threading.Thread(target=measure)
    before = executors()
    running.start()
    time.sleep(4)
    assert running.is_alive(), "the query was over before the executor died"
    os.kill(before[0], signal.SIGKILL)
    running.join(300)
    assert len(found) == 1
    assert before[0] not in executors()
