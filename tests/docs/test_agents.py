"""The skill and llms.txt: each command in them runs, each statement gives rows, each link leads to a page.

If it fails, an agent types what doesn't work, or finds no page.
"""

import re
import shlex
import shutil
from pathlib import Path

import duckdb
import pytest

from recsql.cli import main
from tests import generate
from tests.docs.llms import FILES, INDEX
from tests.docs.pages import README, ROOT, in_python
from tests.docs.test_docs import anchors
from tests.support import fetched

SKILL = ROOT / "recsql/.agents/skills/recsql/SKILL.md"
LLMS = ROOT / "llms.txt"
EXAMPLES = ("movietweetings", "search", "rag", "small")  # their files have the names that the skill uses
LONGEST_SKILL = 70  # lines: an agent reads all of it before it begins
LONGEST_OUTPUT = 10_000  # characters: it reads that as well
GATE = "--fail-if"  # the command with it fails, as pop is the best model


def commands(path: Path) -> list[str]:
    """The lines of the blocks for a shell, and the commands within sentences, in their order."""
    blocks = r"^```(?:sh|console)\n(.*?)^```"
    found = re.findall(rf"{blocks}|`((?:python -m )?recsql\b[^`\n]*)`", path.read_text(), re.MULTILINE | re.DOTALL)
    return [line for pair in found for one in pair for line in one.splitlines()]


def block(language: str) -> str:
    [found] = re.findall(rf"^```{language}\n(.*?)^```", SKILL.read_text(), re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in EXAMPLES:
        shutil.copytree(ROOT / "examples" / name, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_of_the_skill_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    found = commands(SKILL)
    assert len(found) > 15 and any(GATE in one for one in found)
    for command in found:
        before, words = (shlex.split(part, comments=True) for part in re.split(r"\brecsql\b", command, maxsplit=1))
        with monkeypatch.context() as patch:
            for name, value in (one.split("=") for one in before if "=" in one):
                patch.setenv(name, value)
            status = main(words)
        out, err = capfd.readouterr()
        assert status == (3 if GATE in words else 0), f"{command}\n{err}"
        written = [folder / words[place + 1] for place, word in enumerate(words) if word in ("-o", "--train", "--truth")]
        assert 0 < len(out) < LONGEST_OUTPUT or written, command
        assert all(path.stat().st_size for path in written), command


def test_every_statement_of_the_skill_runs(folder: Path) -> None:
    assert main(["macros", "-o", "recsql.duckdb"]) == 0
    with duckdb.connect() as con:
        attach, macros, *calls = (fetched(con, one) for one in block("sql").split(";\n")[:-1])
    assert attach == [] and len(calls) == 3 and all(calls)
    assert {"evaluate", "compare", "check", "ndcg"} <= {row["function_name"] for row in macros}


def test_the_python_of_the_skill_runs(folder: Path) -> None:
    [printed] = in_python([block("python")], str(folder))
    assert "als is worse than pop on ndcg@10 by 0.0149" in printed


def test_the_skill_has_the_form_of_one() -> None:
    """That of agentskills.io: a name, which its folder has, and a description without what YAML reads as a key."""
    text = SKILL.read_text()
    head = re.fullmatch(r"---\nname: (.*)\ndescription: (.*)\n---\n\n# recsql\n\n.*", text, re.DOTALL)
    assert head and head[1] == SKILL.parent.name == "recsql"
    assert len(head[2]) <= 1024 and not re.search(r": | #|\n", head[2])
    assert len(text.splitlines()) <= LONGEST_SKILL


def test_the_flags_that_the_skill_names_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["compare", "--help-all"])
    there = {*re.findall(r"--[a-z-]+", capsys.readouterr().out)}
    assert {*re.findall(r"`(--[a-z-]+)[^`]*`", SKILL.read_text())} <= there


def test_llms_txt_is_current() -> None:
    assert generate.main(["--check", "llms.txt"]) == 0


def test_llms_txt_has_the_form_of_one() -> None:
    """That of llmstxt.org: a title, a summary, how to begin, then sections of links with a note each."""
    opening, *sections = LLMS.read_text().split("\n## ")
    assert re.fullmatch(r"# recsql\n\n> [^\n]+\n\n[^#]+", opening)
    assert len(sections) == 4
    for section in sections:
        _, links = section.split("\n\n")
        assert all(re.fullmatch(rf"- \[[^\]]+\]\({FILES}docs/[^)]+\): .+", line) for line in links.strip().split("\n"))


def test_every_link_of_llms_txt_is_a_page_and_every_page_is_linked() -> None:
    links = [one.partition("#") for one in re.findall(rf"\({re.escape(FILES)}([^)]+)\)", LLMS.read_text())]
    assert {path for path, _, _ in links} == {str(one.relative_to(ROOT)) for one in (ROOT / "docs").glob("*.md") if one != INDEX}
    assert [path for path, _, anchor in links if anchor and anchor not in anchors((ROOT / path).read_text())] == []


def test_every_command_of_llms_txt_runs_or_is_one_of_the_readme(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What installs recsql needs the network: .ci/run runs the README's own line."""
    monkeypatch.chdir(ROOT)
    found = commands(LLMS)
    assert {one for one in found if not one.startswith("recsql ")} <= {*commands(README)}
    for command in found:
        if command.startswith("recsql "):
            assert main(shlex.split(command)[1:]) == 0 and capsys.readouterr().out, command
