"""Spark beside DuckDB and beside Spark's own evaluators: the same two Parquet files, a process each.

    python -m tests.benchmarks.spark --users 100000 --recs 50 --truth 5 --items 20000 --repeat 3

Ours gives six metrics at 5, 10, 20 and 50; Spark's own evaluators the five that they have, at 10. Seconds are those from the
files to the values, in a session that has started and has read the files once; memory is the peak of the process and its Java.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from tests.benchmarks.benchmark import machine, prepare
from tests.benchmarks.contenders import KS, METRICS

K = 10
Values = dict[str, float]
SETTINGS = {
    "spark.master": "local[2]",
    "spark.driver.memory": "6g",
    "spark.sql.shuffle.partitions": "8",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
}


def session(folder: Path) -> Any:
    """A session that has started, and seen the files."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder
    for name, value in {**SETTINGS, "spark.sql.warehouse.dir": str(folder / "warehouse")}.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    for name in ("recs", "truth"):
        made.read.parquet(str(folder / f"{name}.parquet")).createOrReplaceTempView(name)
        made.sql(f"select count(*), min(item_id) from {name}").collect()
    return made


def ours(folder: Path, connection: Any) -> Values:
    import recsql

    recs, truth = str(folder / "recs.parquet"), str(folder / "truth.parquet")
    rows = recsql.evaluate(recs, truth, METRICS, KS, connection=connection).to_pylist()
    return {f"{row['metric']}@{row['k']}": row["value"] for row in rows}


def lists(spark: Any) -> Any:
    """A row per user with truth: what was recommended, in order, and what is relevant; as the evaluators want them."""
    return spark.sql(
        """
        select coalesce(r.items, array()) as prediction, t.items as label
        from (select user_id, collect_list(cast(item_id as double)) as items from truth group by user_id) as t
        left join (
            select user_id, transform(array_sort(collect_list(struct(rank, item_id))), e -> cast(e.item_id as double)) as items
            from recs
            group by user_id
        ) as r on r.user_id = t.user_id
        """
    )


def ranking_metrics(folder: Path, spark: Any) -> Values:
    from pyspark.mllib.evaluation import RankingMetrics

    found = RankingMetrics(lists(spark).rdd.map(lambda row: (list(row.prediction), list(row.label))))
    same = {"precision": found.precisionAt(K), "recall": found.recallAt(K), "ap": found.meanAveragePrecisionAt(K)}
    further = {"MAP": found.meanAveragePrecision, "binary ndcg": found.ndcgAt(K)}
    return {f"{name}@{K}": value for name, value in {**same, **further}.items()}


def ranking_evaluator(folder: Path, spark: Any) -> Values:
    from pyspark.ml.evaluation import RankingEvaluator

    found = lists(spark).cache()
    names = {"precisionAtK": "precision", "recallAtK": "recall", "meanAveragePrecisionAtK": "ap"}
    names |= {"meanAveragePrecision": "MAP", "ndcgAtK": "binary ndcg"}
    return {f"{ours}@{K}": RankingEvaluator(metricName=theirs, k=K).evaluate(found) for theirs, ours in names.items()}


RUNS: dict[str, tuple[str, Callable[[Path, Any], Values]]] = {
    "duckdb": ("recsql on DuckDB, six metrics at four cut-offs", ours),
    "spark": ("recsql on Spark, the same", ours),
    "metrics": (f"Spark's RankingMetrics, its five metrics at {K}", ranking_metrics),
    "evaluator": (f"Spark's RankingEvaluator, its five metrics at {K}", ranking_evaluator),
}


def alone(name: str, folder: Path) -> None:
    """One of them, in this process; what it took is printed."""
    connection = None if name == "duckdb" else session(folder)
    start = time.perf_counter()
    values = RUNS[name][1](folder, connection)
    print(json.dumps({"seconds": time.perf_counter() - start, "peak": peak(), "values": values}))


def peak() -> float:
    """The largest memory that this process and those below it had, in bytes; each at its own time."""
    parents = {int(entry.name): status(entry) for entry in Path("/proc").iterdir() if entry.name.isdigit()}
    tree, size = {os.getpid()}, 0
    while len(tree) > size:
        size = len(tree)
        tree |= {process for process, told in parents.items() if int(told.get("PPid", "0")) in tree}
    return sum(int(parents[process].get("VmHWM", "0 kB").split()[0]) * 1024 for process in tree)


def status(process: Path) -> dict[str, str]:
    try:
        lines = (process / "status").read_text().splitlines()
    except OSError:  # it has ended
        return {}
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, size in {"users": 100_000, "recs": 50, "truth": 5, "items": 20_000, "repeat": 3}.items():
        parser.add_argument(f"--{name}", type=int, default=size, help=f"{size} by default")
    parser.add_argument("--only", nargs="*", choices=RUNS, default=list(RUNS))
    parser.add_argument("--alone", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.alone:
        alone(asked.alone[0], Path(asked.alone[1]))
        return
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in asked.only}
    with tempfile.TemporaryDirectory() as name:
        prepare(Path(name), [str(size) for size in (asked.users, asked.recs, asked.truth, asked.items)])
        for _ in range(asked.repeat):
            for run, results in found.items():
                command = [sys.executable, "-m", "tests.benchmarks.spark", "--alone", run, name]
                printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
                results.append(json.loads(printed.splitlines()[-1]))
    check([results[0]["values"] for results in found.values()])
    print("| | seconds | peak memory |", "|---|---|---|", sep="\n")
    for run, results in found.items():
        seconds, memory = (median(result[key] for result in results) for key in ("seconds", "peak"))
        print(f"| {RUNS[run][0]} | {seconds:.1f} | {memory / 1e9:.2f} GB |")
    print(f"\n{machine()}, pyspark {version('pyspark')}")


def check(found: list[Values]) -> None:
    """Asserts that all agree on every value that they share."""
    known, *others = found
    for other in others:
        shared = known.keys() & other.keys()
        assert shared, "there is no value to compare"
        for name in shared:
            assert math.isclose(known[name], other[name], rel_tol=1e-9), f"{name}: {known[name]}, {other[name]}"


if __name__ == "__main__":
    main()
