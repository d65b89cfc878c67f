"""The notebook of the first hour: it is that of the page, in the format of notebooks, and its cells print what they say.

If it fails, a reader of the notebook sees something else than one of the page, or can't open it.
"""

import json
import re
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tests.docs.notebook import notebook
from tests.docs.pages import ROOT
from tests.support import assert_current

PATH = "examples/first_hour.ipynb"


def test_it_is_made_of_the_page() -> None:
    assert_current(PATH, notebook((ROOT / "docs/first-hour.md").read_text()))


def test_it_is_a_notebook() -> None:
    """As nbformat 4.5 demands, which isn't installed here."""
    whole = json.loads((ROOT / PATH).read_text())
    assert whole.keys() == {"cells", "metadata", "nbformat", "nbformat_minor"}
    assert (whole["nbformat"], whole["nbformat_minor"]) == (4, 5)
    assert whole["metadata"]["kernelspec"].keys() == {"display_name", "language", "name"}
    names = [cell["id"] for cell in whole["cells"]]
    assert len(names) == len({*names}) and all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in names)
    for cell in whole["cells"]:
        of_code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert cell.keys() == {"cell_type", "id", "metadata", "source", *of_code}
        assert cell["cell_type"] in ("code", "markdown") and cell["metadata"] == {}
        texts = [cell["source"], *(output["text"] for output in cell.get("outputs", ()))]
        assert all(text and all(line.endswith("\n") for line in text[:-1]) for text in texts)
        assert cell.get("execution_count") is None
        assert all(one.keys() == {"name", "output_type", "text"} for one in cell.get("outputs", ()))


def test_its_links_lead_somewhere() -> None:
    cells = json.loads((ROOT / PATH).read_text())["cells"]
    links = re.findall(
        r"\]\(([^)\s#]+)", "".join(line for cell in cells if cell["cell_type"] == "markdown" for line in cell["source"])
    )
    assert len(links) > 5 and all((ROOT / "examples" / link).exists() for link in links)


@pytest.mark.filterwarnings("ignore:.*(rows do not count|have lists for different users)")
def test_its_cells_print_what_they_say(tmp_path: Path) -> None:
    """In one namespace, one after the other, from the notebook's folder."""
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples/movietweetings").symlink_to(ROOT / "examples/movietweetings")
    names: dict[str, Any] = {"__name__": "__main__"}
    with chdir(tmp_path / "examples"):
        for cell in json.loads((ROOT / PATH).read_text())["cells"]:
            if cell["cell_type"] == "code":
                with redirect_stdout(StringIO()) as out:
                    exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
                said = "".join(line for output in cell["outputs"] for line in output["text"])
                assert out.getvalue().strip() == said.strip(), cell["id"]
    assert (tmp_path / "report.html").exists()
