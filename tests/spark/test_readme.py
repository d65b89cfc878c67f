"""What the README says of Spark was run as written."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.spark.conftest import KIND

README = (Path(__file__).parents[2] / "README.md").read_text()
BLOCK = re.compile(r"```python\n(from pyspark.*?)```\n\n[^`]*\n\n```text\n(.*?)```", re.DOTALL)


@pytest.mark.skipif(KIND == "connect", reason="its paths are seen from where the server runs")
def test_the_code_prints_what_it_says(spark: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    [(code, output)] = BLOCK.findall(README)
    running = code.replace("SparkSession.builder.getOrCreate()", "session")
    exec(running, {"session": spark})
    assert capsys.readouterr().out == output
