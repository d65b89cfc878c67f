"""The command that makes the generated files. If it fails, a stale file isn't noticed, or another file is written."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from tests import generate
from tests.names import repeated, repeating
from tests.support import ROOT

NEW = "some-body"
# How files name the owner, and the version: addresses, the Action, the dbt package.
FORMS = """
git+https://github.com/{0}/recsql, https://github.com/{0}/recsql.git, https://raw.githubusercontent.com/{0}/recsql/v$VERSION/x.png
https://{0}.github.io/recsql/recsql.duckdb, https://github.com/{0}/recsql/releases/download/v{1}/recsql.duckdb
- uses: {0}/recsql@v{1}
`{0}/recsql@v{1}`. https://github.com/{0}/recsql@v{1}, https://github.com/{0}/recsql.git@v{1}
revision: v{1}
name: recsql
version: {1}
https://github.com/another/ranx, uses: actions/checkout@v4, recsql 1.2.3
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a current file, a stale one, and none for the third."""
    texts = {"current": "one\n", "stale": "two\n", "missing": "three\n"}
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(generate, "FILES", {name: lambda text=text: text for name, text in texts.items()})
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "current").write_text("one\n")
    (tmp_path / "stale").write_text("before\n")
    return tmp_path


def test_check_names_what_is_stale_and_writes_nothing(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--check"]) == 1
    assert capsys.readouterr().err.splitlines()[-2:] == [
        "stale: stale, missing",
        "run: python -m tests.generate stale missing",
    ]
    written = {path.name: path.read_text() for path in files.iterdir() if path.suffix != ".toml"}
    assert written == {"current": "one\n", "stale": "before\n"}
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
    by_hand = {"sql/plain.sql", "sql/lists.sql", "sql/report.sql", *generate.BY_HAND}
    others = {"README.md", "AGENTS.md", "tests/cases/chosen.txt", "recsql/__init__.pyi"}
    assert found - by_hand == generate.FILES.keys() - others - {*generate.BY_HAND}


def test_every_file_has_the_owner_and_the_version_of_pyproject() -> None:
    files = [*repeating(ROOT)]
    assert "pyproject.toml" in files
    stale = [path for path in files if repeated(text := (ROOT / path).read_text(), ROOT) != text]
    assert not stale, f"run: python -m tests.generate {' '.join(stale)}"


def test_one_line_changes_the_owner_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And another line the version, in a copy of all files that name them."""
    now = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    owner, version = now["urls"]["Source"].split("/")[-2], now["version"]
    files = {path: (ROOT / path).read_text() for path in repeating(ROOT)}
    files["pyproject.toml"] = files["pyproject.toml"].replace(
        f'Source = "https://github.com/{owner}', f'Source = "https://github.com/{NEW}'
    )
    files["pyproject.toml"] = files["pyproject.toml"].replace(f'version = "{version}"', 'version = "9.8.7rc1"')
    files["all.md"] = FORMS.format(owner, version)
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(generate, "FILES", {path: (tmp_path / path).read_text for path in files})
    assert generate.main([]) == 0
    assert (tmp_path / "all.md").read_text() == FORMS.format(NEW, "9.8.7rc1")
    left = re.compile(rf"\b{owner}(?=/|\.github)|\bOWNER\b|\bv{re.escape(version)}\b")
    assert [path for path in files if left.search((tmp_path / path).read_text())] == []
    assert generate.main(["--check"]) == 0
