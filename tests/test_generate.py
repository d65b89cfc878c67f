"""The command that makes the generated files. If it fails, a stale file isn't noticed, or another file is written."""

from pathlib import Path

import pytest

from tests import generate
from tests.support import ROOT


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a current file, a stale one, and none for the third."""
    texts = {"current": "one\n", "stale": "two\n", "missing": "three\n"}
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(generate, "FILES", {name: lambda text=text: text for name, text in texts.items()})
    (tmp_path / "current").write_text("one\n")
    (tmp_path / "stale").write_text("before\n")
    return tmp_path


def test_check_names_what_is_stale_and_writes_nothing(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--check"]) == 1
    assert capsys.readouterr().err.splitlines()[-2:] == [
        "stale: stale, missing",
        "run: python -m tests.generate stale missing",
    ]
    assert {path.name: path.read_text() for path in files.iterdir()} == {"current": "one\n", "stale": "before\n"}
    assert generate.main(["--check", "current"]) == 0


def test_it_writes_what_is_stale(files: Path) -> None:
    assert generate.main(["stale"]) == 0
    assert (files / "stale").read_text() == "two\n" and not (files / "missing").exists()
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0


def test_a_file_that_is_not_generated_is_refused(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        generate.main(["setup.py"])
    assert "setup.py: this file is not generated; choose from current, stale, missing\n" in capsys.readouterr().err


def test_it_makes_every_macro_file_text_and_page() -> None:
    kinds = ("llms.txt", "sql/*.sql", "tests/rendered/*", "docs/*.md", "examples/*/*.svg", "examples/*.ipynb")
    found = {str(path.relative_to(ROOT)) for kind in kinds for path in ROOT.glob(kind)}
    by_hand = {"sql/plain.sql", "sql/lists.sql", "sql/report.sql"}
    assert found - by_hand == generate.FILES.keys() - {"README.md", "AGENTS.md", "tests/cases/chosen.txt", "recsql/__init__.pyi"}
