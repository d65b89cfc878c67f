"""The blocks of the pages that need Spark print what the pages say.

If it fails, a page about Spark says something that the code doesn't do.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import PAGES, ROOT, blocks
from tests.spark.conftest import KIND

ON_SPARK = [page for page in PAGES if any(block.on_spark for block in blocks(page.read_text()))]


@pytest.mark.skipif(KIND == "connect", reason="its paths are seen from where the server runs")
@pytest.mark.parametrize("page", ON_SPARK, ids=lambda page: page.name)
def test_the_blocks_print_what_the_page_says(
    page: Path, spark: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    names = {"session": spark}
    for block in blocks(page.read_text()):
        if block.on_spark:
            exec(block.code.replace("SparkSession.builder.getOrCreate()", "session"), names)
            assert capsys.readouterr().out.strip() == (block.output or "").strip()
