"""The files of sql/: chapters that are read from top to bottom, and the keys of their headers.

If it fails, a reader of sql/ looks for a piece in the wrong place, or a key of a header is not described.
"""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from recsql.catalog import catalog
from recsql.catalog.headers import PIECE, Option, keys

ROOT = Path(__file__).parents[2]
FOLDERS = ("metrics", "statistics", "lists", "expressions", "steps", "fast", "checks")
MADE = ("recsql.sql", "check.sql")
CHAPTERS = [path for path in sorted((ROOT / "sql").rglob("*.sql")) if path.name not in MADE and PIECE.search(path.read_text())]


def test_few_files_are_kept_by_hand() -> None:
    files = [path for path in (ROOT / "sql").rglob("*") if path.is_file() and path.name not in MADE]
    assert 100 < len(files) <= 240


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: str(path.relative_to(ROOT / "sql")))
def test_a_chapter_opens_with_a_paragraph(chapter: Path) -> None:
    """What it is about; a chapter of steps also says what goes in and what comes out."""
    prose = " ".join(chapter.read_text().partition("#}")[0].removeprefix("{#").split())
    assert prose.endswith(".")
    if "steps" in chapter.relative_to(ROOT / "sql").with_suffix("").parts:
        assert "Goes in: " in prose and "Comes out: " in prose


def test_a_faster_form_stands_below_the_plain_one() -> None:
    for chapter in CHAPTERS:
        names = PIECE.findall(chapter.read_text())
        for place, name in enumerate(names):
            plain = name.removesuffix(" (fast)")
            if name != plain and plain in names:
                assert names[place - 1] == plain, f"{chapter}: {name}"


def test_each_piece_is_found_by_its_name() -> None:
    """The loader has the pieces that a search for their names finds."""
    named = {f"{path.relative_to(ROOT / 'sql')}: {name}" for path in CHAPTERS for name in PIECE.findall(path.read_text())}
    assert named == {path for path in catalog().sources if ": " in path}
    marks = re.compile(r"^-- *name\b.*$", re.MULTILINE)
    assert sum(len(marks.findall(path.read_text())) for path in CHAPTERS) == len(named)


def test_each_step_reads_earlier_ones() -> None:
    """In the order of the chapters, so that a reader has seen what a step reads."""
    places = {name: place for place, name in enumerate(catalog().steps)}
    for name, step in catalog().steps.items():
        for form in (step, catalog().fast.get(name, step)):
            text = re.sub(r"\{#.*?#\}|\{%.*?%\}", "", form.text, flags=re.DOTALL)
            read = {one for one in re.findall(r"\b(?:from|join)\s+([a-z_]+) as\b", text) if one in places}
            assert {one for one in read if places[one] > places[name]} == set(), form.path


def test_each_key_is_described_and_used() -> None:
    for folder in FOLDERS:
        used = {key for one in catalog().sources.values() if one.folder == folder for key in one.header}
        assert used - keys()["all"].keys() == keys()[folder].keys(), folder
    assert keys()["options"].keys() == {one.name for one in fields(Option)} - {"name", "home"}
    assert sum(len(keys()[folder]) for folder in (*FOLDERS, "all")) <= 75


def test_each_need_is_read() -> None:
    """By a template, as needs.NAME, by a join of that name, or by the package."""
    sources = catalog().sources.values()
    texts = "\n".join("\n".join([one.head, one.text, *one.further.values()]) for one in sources)
    read = {*re.findall(r"\bneeds\.(\w+)", texts), *(name for one in sources for name in one.joins)}
    package = "\n".join(path.read_text() for path in (ROOT / "recsql").rglob("*.py"))
    asked = {*re.findall(r'user_needs\("(\w+)"\)', texts), *re.findall(r'"(\w+)"', package)}
    assert catalog().needs.keys() - read - asked == set()
