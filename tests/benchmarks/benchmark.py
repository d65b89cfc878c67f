"""How long recsql takes from Parquet files to its metrics, beside the least that it could and beside its peers.

    python tests/benchmarks/benchmark.py --users 1000000 --recs 50 --truth 5 --items 50000 --repeat 5

Every contender runs in a process of its own, in turn, --repeat times. A contender whose values differ ends the run.
"""

import argparse
import json
import math
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
PEERS = ["polars", "rectools", "ranx"]


@dataclass
class Contender:
    """What is run, and what its runs took."""

    name: str
    label: str
    memory_limit: str = ""
    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peaks: list[float] = field(default_factory=list)
    values: dict[str, float] = field(default_factory=dict)

    def run(self, folder: Path) -> None:
        command = [sys.executable, str(HERE / "contenders.py"), self.name, str(folder), self.memory_limit]
        usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        result = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, env=usual).stdout.splitlines()[-1])
        self.seconds.append(result["seconds"])
        self.cpu.append(result["cpu"])
        self.peaks.append(result["peak"])
        self.values = result["values"]


def contenders(memory_limit: str, peers: list[str]) -> list[list[Contender]]:
    """By what is computed, the floor first; a peer that isn't installed is left out, and said to be."""
    of_users = [
        Contender("floor", "floor: join, hits counted per user"),
        Contender("python", "recsql.evaluate in Python"),
        Contender("python_and_items", "recsql.evaluate in Python, item metrics too"),
        Contender("macro", "the macro, the 24 means"),
        Contender("macro_all", "the macro, all metrics"),
    ]
    of_items = [
        Contender("count", "floor: items counted at the cut-offs"),
        Contender("count_each", "items counted, a query per cut-off"),
        Contender("items_python", "recsql.item_metrics in Python"),
        Contender("items_macro", "the macro item_metrics"),
    ]
    groups = [of_users, of_items]
    if memory_limit:
        for group in groups:
            group += [Contender(one.name, f"{one.label}, within {memory_limit}", memory_limit) for one in group]
    for name in peers:
        if find_spec(name):
            of_users.append(Contender(name, f"{name} {version(name)}"))
        else:
            print(f"{name}: not installed, skipped")
    return groups


def prepare(folder: Path, sizes: list[str]) -> None:
    """Data, size of the catalogue and macro file into `folder`, by other processes: a child's peak begins at its parent's."""
    subprocess.run([sys.executable, str(HERE / "make_data.py"), str(folder), *sizes], check=True)
    (folder / "catalog_size").write_text(sizes[3], encoding="utf-8")
    with open(folder / "macros.sql", "w", encoding="utf-8") as file:
        subprocess.run([sys.executable, "-c", "import recsql; print(recsql.macros())"], check=True, stdout=file)


def check(found: list[Contender], users: int) -> None:
    """Asserts that recsql counts the hits of the floor, and that all agree on every value they share."""
    floor, python, *others = found
    deepest = max(int(name.partition("@")[2]) for name in python.values)
    hits = python.values[f"precision@{deepest}"] * deepest * users
    assert math.isclose(hits, floor.values["hits"], rel_tol=1e-9), f"{hits} hits, {floor.values['hits']} in the floor"
    known = floor.values | python.values
    for other in others:
        shared = known.keys() & other.values.keys()
        assert shared, f"{other.label} has no value to compare"
        for name in shared:
            ours, theirs = known[name], other.values[name]
            assert math.isclose(ours, theirs, rel_tol=1e-9), f"{name}: {ours}, {theirs} in {other.label}"
        known |= other.values


def table(found: list[Contender]) -> str:
    floor = median(found[0].seconds)
    rows = ["| | seconds | x floor | CPU seconds | peak memory |", "|---|---|---|---|---|"]
    for one in found:
        seconds, cpu, peak = median(one.seconds), median(one.cpu), median(one.peaks)
        rows.append(f"| {one.label} | {seconds:.2f} | {seconds / floor:.1f} | {cpu:.2f} | {peak / 1e9:.2f} GB |")
    return "\n".join(rows)


def machine() -> str:
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9
    size = f"{os.cpu_count()} cores, {memory:.0f} GB, {platform.system()} {platform.machine()}"
    return f"{size}; Python {platform.python_version()}, duckdb {version('duckdb')}, recsql {version('recsql-metrics')}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, size in {"users": 1_000_000, "recs": 50, "truth": 5, "items": 50_000, "repeat": 5}.items():
        parser.add_argument(f"--{name}", type=int, default=size, help=f"{size} by default")
    parser.add_argument("--text", action="store_true", help="text ids instead of numbers")
    parser.add_argument("--memory-limit", default="", help="measure recsql within this limit too, such as 500MB")
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=PEERS, help="all that are installed by default")
    asked = parser.parse_args()
    sizes = [str(size) for size in (asked.users, asked.recs, asked.truth, asked.items)] + ["--kind", "text"] * asked.text
    groups = contenders(asked.memory_limit, asked.peers)
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), sizes)
        for _ in range(asked.repeat):
            for group in groups:
                for one in group:
                    one.run(Path(folder))
    check([one for group in groups for one in group], asked.users)
    print(*map(table, groups), machine(), sep="\n\n")


if __name__ == "__main__":
    main()
