"""`recsql skill` prints what agents read, and puts it where they look.

If it fails, an agent reads nothing, what an older version said, or a file of somebody else's is lost.
"""

import zipfile
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from recsql.cli import main

SKILL = Path(__file__).parents[2] / "recsql/.agents/skills/recsql/SKILL.md"
LINKED = Path(".agents/skills/recsql/SKILL.md")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The status of the command, and what it prints."""
    return main(["skill", *arguments]), *capsys.readouterr()


def test_it_prints_the_skill(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys) == (0, SKILL.read_text(), "")
    assert [*Path().iterdir()] == []


@pytest.mark.parametrize(("folder", "place"), [([], LINKED), ([".claude/skills"], Path(".claude/skills/recsql/SKILL.md"))])
def test_it_is_linked(capsys: pytest.CaptureFixture[str], folder: list[str], place: Path) -> None:
    """Once more as well."""
    for _ in range(2):
        assert said(capsys, "--link", *folder) == (0, f"{place}: a link to {SKILL}\n", "")
        assert place.readlink() == SKILL


def test_a_link_into_an_environment_that_is_gone_is_made_anew(capsys: pytest.CaptureFixture[str]) -> None:
    LINKED.parent.mkdir(parents=True)
    LINKED.symlink_to("gone/SKILL.md")
    assert said(capsys, "--link") == (0, f"{LINKED}: a link to {SKILL}\n", "")
    assert LINKED.readlink() == SKILL


def test_it_is_copied_where_links_cannot_be_made(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("a required privilege is not held by the client")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    for _ in range(2):
        assert said(capsys, "--link") == (0, f"{LINKED}: the same text as {SKILL}\n", "")
        assert not LINKED.is_symlink() and LINKED.read_bytes() == SKILL.read_bytes()


def test_it_is_copied_out_of_a_wheel(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Which Python can import without unpacking it: a link would lead nowhere."""
    with zipfile.ZipFile("recsql.whl", "w") as wheel:
        wheel.write(SKILL, LINKED)
    root: Traversable = zipfile.Path("recsql.whl")
    monkeypatch.setattr("recsql.base.package.files", lambda _: root)
    assert said(capsys) == (0, SKILL.read_text(), "")
    assert said(capsys, "--link")[::2] == (0, "")
    assert not LINKED.is_symlink() and LINKED.read_bytes() == SKILL.read_bytes()


def test_another_file_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    LINKED.parent.mkdir(parents=True)
    LINKED.write_text("mine")
    says = "this is not the skill of the installed recsql; remove it, or name another folder"
    assert said(capsys, "--link") == (1, "", f"recsql: {LINKED}: {says}\n")
    assert LINKED.read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("notes").write_text("mine")
    says = "it can't be written: Not a directory; name another folder"
    assert said(capsys, "--link", "notes") == (1, "", f"recsql: notes/recsql/SKILL.md: {says}\n")
    assert [*Path().iterdir()] == [Path("notes")]
