"""Makes a notebook of a page: a cell for each block of Python, with what it prints, and one for each text between them."""

import json
import re
from typing import Any

from tests.docs.pages import BLOCK

AT_HOME = """import os

if not os.path.exists("examples"):
    os.chdir("..")  # the paths below begin at the checkout"""
LINK = re.compile(r"(?<=\]\()(?!https?://)([^)\s]+)(?=\))")
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def notebook(page: str) -> str:
    """The notebook of a page in `docs/`, for a folder beside it, in version 4.5 of the format."""
    cells = [code(AT_HOME, None)]
    end = 0
    for found in BLOCK.finditer(page):
        assert found[1] == "python", "a notebook has no other code"
        cells += [text(page[end : found.start()]), code(found[2], found[3])]
        end = found.end()
    cells.append(text(page[end:]))
    kept = [cell for cell in cells if cell["source"]]
    for n, cell in enumerate(kept):
        cell["id"] = f"cell-{n:02}"
    about = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    return json.dumps({"cells": kept, "metadata": about, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False) + "\n"


def text(markdown: str) -> dict[str, Any]:
    """A cell of text; its links lead from the notebook's folder to where those of the page lead."""
    return {"cell_type": "markdown", "metadata": {}, "source": lines(LINK.sub(moved, markdown.strip()))}


def moved(link: re.Match[str]) -> str:
    inside = link[1].removeprefix("../examples/")
    return inside if inside != link[1] else f"../docs/{link[1]}"


def code(source: str, output: str | None) -> dict[str, Any]:
    said = [{"name": "stdout", "output_type": "stream", "text": lines(output)}] if output else []
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": said, "source": lines(source.strip("\n"))}


def lines(whole: str) -> list[str]:
    return whole.splitlines(keepends=True)
