"""The examples run from the repository's root, and print what recsql.evaluate gives."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import recsql

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
# The commands that the test extra installs lie beside this Python, also where its environment isn't activated.
PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])


def cells(command: Sequence[str], script: str | None = None) -> list[list[str]]:
    """The cells of each line that a command prints; it must succeed and must not complain."""
    environment = os.environ | {"PATH": PATH}
    result = subprocess.run(command, check=False, input=script, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "Error" not in result.stderr, result.stderr
    return [re.split(r"[│|,\s]+", line.strip("│| \n")) for line in result.stdout.splitlines()]


def evaluated(folder: str, metrics: list[str], **options: Any) -> list[dict[str, Any]]:
    recs, truth = EXAMPLES / folder / "recs.parquet", EXAMPLES / folder / "truth.parquet"
    rows: list[dict[str, Any]] = recsql.evaluate(recs, truth, metrics, **options).to_pylist()
    return rows


@pytest.fixture(scope="module")
def shell() -> str:
    found = shutil.which("duckdb", path=PATH)
    assert found, "there is no command duckdb: install the extra 'test', with duckdb-cli in it"
    return found


def test_shell_script(shell: str) -> None:
    printed = cells([shell], (EXAMPLES / "movietweetings.sql").read_text(encoding="utf-8"))
    rows = evaluated("movietweetings", ["ndcg", "recall"], k=[5, 10])
    assert len(rows) == 4 * 2 * 2
    for row in rows:
        assert [row["model"], row["metric"], str(row["k"]), str(round(row["value"], 6)), str(row["users"])] in printed
    skipped = [str(round(row["value"], 4)) for row in evaluated("movietweetings", ["ndcg@10"], no_recs="skip")]
    assert ["ndcg@10", *skipped] in printed
    halves = (evaluated("movietweetings", [name]) for name in ("ap@5", "ap(denominator=relevant)@5"))
    for ours, theirs in zip(*halves, strict=True):
        assert [ours["model"], str(round(ours["value"], 5)), str(round(theirs["value"], 5))] in printed
    assert ["Now", "You", "See", "Me", "(2013)", "117", "2012", "0.0582"] in printed


def test_dcg_of_the_list_looked_at(shell: str) -> None:
    printed = cells([shell], (EXAMPLES / "movietweetings.sql").read_text(encoding="utf-8"))
    # Hits at ranks 2, 3 and 4 with ratings 7, 8 and 8: 7 / log2(3) + 8 / log2(4) + 8 / log2(5).
    assert ["4", "Inception", "(2010)", "8.0", "true", "0.431", "11.862"] in printed
    # Relevant are 9, 8, 8, 7 and 6: 9 + 8 / log2(3) + 8 / log2(4) + 7 / log2(5) + 6 / log2(6).
    assert ["6.0", "23.383"] in [line[-2:] for line in printed]


def test_python_script() -> None:
    printed = cells([sys.executable, str(EXAMPLES / "online_retail.py")])
    rows = evaluated("online_retail", ["ndcg", "recall@10"], k=[5, 10]) + evaluated("online_retail", ["ndcg@10"], no_recs="skip")
    assert len(rows) == 4 * 3 + 4
    for row in rows:
        assert [row["model"], row["metric"], str(row["k"]), f"{row['value']:.4f}", str(row["users"])] in printed
    gains = (evaluated("online_retail", ["ndcg@10"], gain=gain) for gain in ("linear", "exp2"))
    for linear, exp2 in zip(*gains, strict=True):
        assert [linear["model"], f"{linear['value']:.4f}", f"{exp2['value']:.4f}"] in printed


def test_command_line() -> None:
    printed = cells(["sh", str(EXAMPLES / "command_line.sh")])
    for name in ("ndcg@5", "ndcg@10", "ap@5", "ap@20"):
        assert [name, *(f"{row['value']:.4f}" for row in evaluated("movietweetings", [name]))] in printed
    lines = {tuple(line[:3]): line for line in printed if len(line) == 5}
    for row in evaluated("movietweetings", ["recall@10"]):
        assert float(lines[row["model"], "recall", "10"][3]) == pytest.approx(row["value"], rel=1e-9)


@pytest.mark.parametrize("folder", ["movietweetings", "online_retail"])
def test_readme_describes_the_files(folder: str) -> None:
    readme = (EXAMPLES / folder / "README.md").read_text(encoding="utf-8")
    described = re.findall(r"\| `(\w+\.parquet)` \| ([\d,]+) \| (.+) \|", readme)
    assert [name for name, _, _ in described][:2] == ["recs.parquet", "truth.parquet"]
    for name, rows, columns in described:
        file = pq.ParquetFile(EXAMPLES / folder / name)
        assert file.metadata.num_rows == int(rows.replace(",", ""))
        assert file.schema_arrow.names == re.sub(r" \([^)]*\)", "", columns).split(", ")
