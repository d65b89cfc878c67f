"""Several processes: rows shuffled between executors, more of them than fit, one user with most, an executor that dies.

If it fails, results are wrong or lost where Spark has several executors.
"""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import pytest

import recsql
from tests.spark.conftest import KIND
from tests.spark.support import same

pytestmark = pytest.mark.skipif(KIND != "cluster", reason="RECSQL_SPARK is not cluster; a thin client can't ask who ran what")

METRICS = ["precision", "recall", "ap", "ndcg", "rr", "hit"]
SKEWED = """
    copy (
        select u.range as user_id, if(i.range = 1, 7, 10 + (37 * u.range + 101 * i.range) % 49000) as item_id, i.range as rank
        from range(20000) as u cross join range(1, 21) as i
    ) to '{folder}/recs.parquet';
    copy (
        select 0 as user_id, i.range as item_id, 1 + i.range % 3 as relevance from range(600000) as i
        union all
        select u.range, if(i.range = 3, 7, 10 + (37 * u.range + 303 * i.range) % 49000), 1 + u.range % 2
        from range(1, 20000) as u cross join range(1, 4) as i
    ) to '{folder}/truth.parquet';
"""


@pytest.fixture(scope="module")
def skewed(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """An item in every one of 20,000 lists of 20; 600,000 rows of truth for one user, three for every other."""
    folder = tmp_path_factory.mktemp("skewed")
    with duckdb.connect() as con:
        con.execute(SKEWED.format(folder=folder))
    return str(folder / "recs.parquet"), str(folder / "truth.parquet")


def executors(spark: Any) -> dict[str, Any]:
    """What Spark says of the driver and of the executors that there have been, by their ids."""
    return {one.id(): one for one in listed(status(spark).executorList(False))}


def stages(spark: Any) -> list[Any]:
    """What Spark says of the stages that have run."""
    no_quantiles = spark.sparkContext._gateway.new_array(spark.sparkContext._jvm.double, 0)
    return listed(status(spark).stageList(None, False, False, no_quantiles, spark.sparkContext._jvm.java.util.ArrayList()))


def status(spark: Any) -> Any:
    return spark.sparkContext._jsc.sc().statusStore()


def listed(found: Any) -> list[Any]:
    """A sequence of Scala's."""
    return [found.apply(n) for n in range(found.size())]


def process_of(executor: str) -> int:
    """The process of an executor, among those that this one has started."""
    parents = {int(entry.name): parent_of(entry) for entry in Path("/proc").iterdir() if entry.name.isdigit()}
    ours = {os.getpid()}
    while found := {process for process, parent in parents.items() if parent in ours} - ours:
        ours |= found
    lines = {process: read(Path(f"/proc/{process}/cmdline")).split("\0") for process in ours}
    (process,) = (
        one for one, line in lines.items() if "--executor-id" in line and line[line.index("--executor-id") + 1] == executor
    )
    return process


def parent_of(process: Path) -> int:
    return int((read(process / "stat").rpartition(")")[2].split() or ["0", "0"])[1])


def read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:  # it has ended
        return ""


@pytest.mark.parametrize("broadcast", ["-1", "10MB"], ids=["sorted", "hashed"])
def test_skew(spark: Any, con: duckdb.DuckDBPyConnection, skewed: tuple[str, str], broadcast: str) -> None:
    """12 partitions, one with more than fits its memory; Spark hashes what it joins only where it may also broadcast."""
    settings = {
        "spark.sql.shuffle.partitions": "12",
        "spark.sql.adaptive.coalescePartitions.enabled": "false",
        "spark.sql.autoBroadcastJoinThreshold": broadcast,
    }
    usual = {name: spark.conf.get(name) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    before = {one.stageId() for one in stages(spark)}
    try:
        same(spark, con, lambda con: recsql.evaluate(*skewed, METRICS, [5, 20], connection=con))
    finally:
        for name, value in usual.items():
            spark.conf.set(name, value)
    ours = [one for one in stages(spark) if one.stageId() not in before]
    assert 12 in {one.numTasks() for one in ours}
    assert sum(one.memoryBytesSpilled() for one in ours) > 0
    assert sum(one.diskBytesSpilled() for one in ours) > 0


def test_both_executors_work(spark: Any, con: duckdb.DuckDBPyConnection, skewed: tuple[str, str]) -> None:
    same(spark, con, lambda con: recsql.item_metrics(skewed[0], "entropy", [5, 20], connection=con))
    found = executors(spark)
    assert found["driver"].totalTasks() == 0
    for name, one in found.items():
        if name != "driver":
            assert one.totalTasks() > 0
            assert one.totalShuffleWrite() > 0
    assert len(found) == 3


def test_an_executor_dies(spark: Any, con: duckdb.DuckDBPyConnection, skewed: tuple[str, str]) -> None:
    """What it had is computed again, and the result is the same."""
    before = executors(spark)
    dying = next(name for name, one in before.items() if name != "driver" and one.isActive())
    with ThreadPoolExecutor(1) as threads:
        found = threads.submit(same, spark, con, lambda con: recsql.evaluate(*skewed, METRICS, 10, connection=con))
        while not (has_written(executors(spark)[dying], before[dying]) or found.done()):
            time.sleep(0.05)
        assert not found.done(), "the query was over before the executor died"
        os.kill(process_of(dying), signal.SIGKILL)
        assert found.result(300).num_rows == len(METRICS)
    assert not executors(spark)[dying].isActive()


def has_written(now: Any, before: Any) -> bool:
    """Whether an executor has written rows of a shuffle since, and works on."""
    return now.activeTasks() > 0 and bool(now.totalShuffleWrite() > before.totalShuffleWrite())
