"""A smoke run: the benchmark itself asserts that the floor, Python, the macro and a peer agree.

If it fails, the benchmark stops, or compares contenders that don't compute the same.
"""

import subprocess
import sys
from pathlib import Path


def test_contenders_agree() -> None:
    script = Path(__file__).with_name("benchmark.py")
    asked = ["--users", "2000", "--repeat", "1", "--peers", "polars"]
    result = subprocess.run([sys.executable, str(script), *asked], check=False, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    tables = [labels(table) for table in result.stdout.split("\n\n") if table.startswith("| ")]
    for table, floor, peers in zip(tables, ["floor: join", "floor: items counted"], [1, 0], strict=True):
        assert table[0].startswith(floor)
        assert len(table) > 3 + peers
    assert tables[0][-1].startswith("polars")


def labels(table: str) -> list[str]:
    return [line.split("|")[1].strip() for line in table.splitlines()[2:]]
