"""Sessions of each kind that the tests run in: Spark in one process or several, and Sail, which speaks its protocol."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

# A process ends before better code would pay. All code of Spark has room, as has what the planning of a query leaves behind.
BRIEFLY = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC -Xmn400m"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.sql.ui.retainedExecutions": "1",  # for its UI, Spark keeps the plans of a thousand queries even without one
    "spark.ui.retainedJobs": "1",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": BRIEFLY,
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}
PLAIN = {  # the tables are tiny: to compile Java for each query, or to plan it again and again, would take longer than to run it
    "spark.default.parallelism": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.lightweightPlanChangeValidation": "false",  # after every rule; a cluster keeps it
    "spark.sql.maxPlanStringLength": "100",  # of the texts for a UI
    "spark.sql.debug.maxToStringFields": "1",
    "spark.sql.inMemoryColumnarStorage.compressed": "false",
    "spark.shuffle.compress": "false",
    "spark.broadcast.compress": "false",
    "spark.buffer.pageSize": "256k",  # each join and each sum takes a page; large ones would fill the memory
}
SHUFFLED = {  # small tables too, as large ones would be
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
}
CLUSTER = {
    "spark.master": "local-cluster[2,1,1024]",
    "spark.executor.memory": "1g",
    "spark.executor.extraJavaOptions": BRIEFLY,
    **SHUFFLED,
}


@contextmanager
def local(folder: Path, **settings: str) -> Iterator[Any]:
    """Spark in this process."""
    from pyspark.sql import SparkSession

    given = {"spark.master": "local[2]", **SETTINGS, **of_folder(folder), **settings}
    session = SparkSession.builder.config(map=given).getOrCreate()
    try:
        yield session
    finally:
        session.stop()


@contextmanager
def cluster(folder: Path) -> Iterator[Any]:
    """A driver and two executors, each a process of its own."""
    os.environ["SPARK_HOME"] = str(spark_home(folder, sys.executable))
    with local(folder, **CLUSTER, **{"spark.memory.fraction": "0.1"}) as session:  # what doesn't fit is spilt
        yield session


@contextmanager
def connect(folder: Path) -> Iterator[Any]:
    """A Connect server in a process of its own, started by a Python that has all of Spark: RECSQL_SPARK_PYTHON or this one."""
    python = os.environ.get("RECSQL_SPARK_PYTHON", sys.executable)
    home = spark_home(folder, python)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    given = {"spark.master": "local[2]", **SETTINGS, **PLAIN, **SHUFFLED, **of_folder(folder)}
    given["spark.connect.grpc.binding.port"] = str(port)
    started = subprocess.Popen(
        [
            home / "sbin/start-connect-server.sh",
            *(part for name, value in given.items() for part in ("--conf", f"{name}={value}")),
        ],
        env={**os.environ, "SPARK_HOME": str(home), "SPARK_NO_DAEMONIZE": "1", "PYSPARK_PYTHON": python},
        stdout=(folder / "server.log").open("w"),
        stderr=subprocess.STDOUT,
        cwd=folder,
        start_new_session=True,
    )
    try:
        wait_for(port, started)
        with client(port) as session:
            yield session
    finally:
        os.killpg(started.pid, 15)
        started.wait(30)


@contextmanager
def sail(folder: Path) -> Iterator[Any]:
    """A server of Sail, which runs without Java."""
    from pysail.spark import SparkConnectServer

    running = SparkConnectServer(ip="127.0.0.1", port=0)
    running.start(background=True)
    try:
        with client(running.listening_address[1]) as session:
            yield session
    finally:
        running.stop()


@contextmanager
def client(port: int) -> Iterator[Any]:
    """A thin client of a server."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").create()
    try:
        yield session
    finally:
        session.stop()


# A kind of session, and the packages that it needs.
KINDS: dict[str, tuple[Callable[[Path], Any], tuple[str, ...]]] = {
    "local": (lambda folder: local(folder, **PLAIN), ("pyspark", "py4j")),
    "cluster": (cluster, ("pyspark", "py4j")),
    "connect": (connect, ("pyspark", "grpc")),
    "sail": (sail, ("pysail", "grpc")),
}


def of_folder(folder: Path) -> dict[str, str]:
    """Where a session may leave files."""
    return {"spark.sql.warehouse.dir": str(folder / "warehouse"), "spark.local.dir": str(folder)}


def spark_home(folder: Path, python: str) -> Path:
    """A home of links into the package: a cluster writes its work folders there."""
    where = "import importlib.util as u; print(u.find_spec('pyspark').submodule_search_locations[0])"
    package = Path(subprocess.run([python, "-c", where], check=True, capture_output=True, text=True).stdout.strip())
    home = folder / "home"
    home.mkdir()
    for entry in package.iterdir():
        (home / entry.name).symlink_to(entry)
    return home


def wait_for(port: int, started: "subprocess.Popen[bytes]", seconds: int = 120) -> None:
    """Returns when the server listens; raises where it doesn't within the time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and started.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.2)
    raise RuntimeError(f"the Connect server does not listen after {seconds} s; see server.log")
