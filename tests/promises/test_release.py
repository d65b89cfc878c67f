"""The scripts of a release: .ci/release, .ci/try and the workflow that publishes.

If it fails, a script of the release can't be read, or lets something pass that it is there to stop.
"""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TRY = (ROOT / ".ci/try").read_text()


@pytest.mark.parametrize("script", ["run", "release", "try"])
def test_bash_can_read_the_script(script: str) -> None:
    subprocess.run(["bash", "-n", ROOT / ".ci" / script], check=True)


@pytest.mark.parametrize(
    ("way", "limit", "said"),
    [
        ("echo 0.5837", 20, r"way        0.5837 in 0\.\d{3} s\n"),
        ("echo 0.5838", 20, r"0.5838\nway: it had to give 0.5837 within 20 s; the exit status is 0\n"),
        ("false; echo 0.5837", 20, r"way: it had to give 0.5837 within 20 s; the exit status is 1\n"),
        ("echo 0.5837; exit 3", 20, r"0.5837\nway: it had to give 0.5837 within 20 s; the exit status is 3\n"),
        ("sleep 0.1; echo 0.5837", 0, r"0.5837\nway: it had to give 0.5837 within 0 s; the exit status is 0\n"),
    ],
)
def test_a_way_has_to_give_its_number_in_time(way: str, limit: int, said: str, tmp_path: Path) -> None:
    """The function of .ci/try that judges each way."""
    judge = re.search(r"^try\(\) \{\n.*?^\}\n", TRY, re.DOTALL | re.MULTILINE)
    assert judge
    script = f"set -euo pipefail\nlimit={limit}\n{judge[0]}way() {{ {way}; }}\ntry way 0.5837\necho next\n"
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    passed = r"in 0\." in said
    assert re.fullmatch(said + ("next\n" if passed else ""), done.stdout) and done.returncode == (0 if passed else 1)


def test_each_way_of_the_script_is_tried() -> None:
    """With dbt and httpfs in conditions, which CI meets."""
    ways = re.findall(r"^(\w+)\(\) \{", TRY, re.MULTILINE)
    assert ways == ["try", "with_pip", "with_uvx", "in_shell", "in_python", "over_http", "with_dbt", "in_action"]
    assert re.findall(r"\btry (\w+) ", TRY) == ways[1:]
    run = (ROOT / ".ci/run").read_text()
    assert run.index("begin release .ci/release") < run.index("ready release") < run.index('.ci/try "$scratch/dist"')
    assert run.index("export RECSQL_DBT=") < run.index("begin ways ") < run.index("ready ways")
