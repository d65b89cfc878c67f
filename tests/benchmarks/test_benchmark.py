"""A smoke run: the benchmark itself asserts that the floor, Python, the macro and a peer agree."""

import subprocess
import sys
from pathlib import Path


def test_contenders_agree() -> None:
    script = Path(__file__).with_name("benchmark.py")
    asked = ["--users", "2000", "--repeat", "1", "--memory-limit", "500MB", "--peers", "polars"]
    result = subprocess.run([sys.executable, str(script), *asked], check=False, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    labels = [line.split("|")[1].strip() for line in result.stdout.splitlines() if line.startswith("| ")][1:]
    assert labels[0].startswith("floor")
    assert sum("500MB" in label for label in labels) == 2
    assert labels[-1].startswith("polars")
