"""The scripts of a release: .ci/release, .ci/try and the workflow that publishes.

If it fails, a script of the release can't be read, or lets something pass that it is there to stop.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ADDRESS = "https://github.com/"
TRY = (ROOT / ".ci/try").read_text()
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
JOBS = WORKFLOW["jobs"]
SCRIPTS = [step["run"] for job in JOBS.values() for step in job["steps"] if "run" in step]


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
    """With dbt, httpfs and Chromium in conditions, which CI meets."""
    ways = re.findall(r"^(\w+)\(\) \{", TRY, re.MULTILINE)
    assert ways == ["try", "with_pip", "with_uvx", "in_shell", "in_python", "over_http", "with_dbt", "in_page", "in_action"]
    assert re.findall(r"\btry (\w+) ", TRY) == ways[1:]
    run = (ROOT / ".ci/run").read_text()
    assert run.index("begin release .ci/release") < run.index("ready release") < run.index('.ci/try "$scratch/dist"')
    assert run.index("export RECSQL_DBT=") < run.index("begin ways ") < run.index("ready ways")


def test_the_workflow_publishes_only_what_is_built_and_approved() -> None:
    """And each job has no right but those that it needs."""
    assert WORKFLOW[True] == {"push": {"tags": ["v*"]}}  # YAML reads the key `on` as a truth value
    assert WORKFLOW["permissions"] == {}
    assert {name: job["permissions"] for name, job in JOBS.items()} == {
        "build": {"contents": "read"},
        "pypi": {"id-token": "write"},
        "github": {"contents": "write"},
        "site": {"pages": "write", "id-token": "write"},
    }
    assert {name: job.get("needs") for name, job in JOBS.items()} == {
        "build": None,
        "pypi": "build",
        "github": "pypi",
        "site": "pypi",
    }
    assert JOBS["pypi"]["environment"] == "pypi"
    assert SCRIPTS[1:3] == [".ci/run", ".ci/release"]


@pytest.mark.parametrize("script", SCRIPTS)
def test_bash_can_read_the_workflow_and_no_name_is_a_command(script: str) -> None:
    subprocess.run(["bash", "-n", "-c", script], check=True)
    assert "${{" not in script


@pytest.mark.parametrize(
    ("tag", "repository", "heading", "said"),
    [
        ("v1.2.3", "some/recsql", "## 1.2.3 - 2027-01-31", ""),
        ("v1.2.4", "some/recsql", "## 1.2.4 - 2027-01-31", "The tag is v1.2.4, but pyproject.toml has another version."),
        ("v1.2", "some/recsql", "## 1.2 - 2027-01-31", "The tag is v1.2, but pyproject.toml has another version."),
        ("v1.2.3", "other/recsql", "## 1.2.3 - 2027-01-31", f"Source in pyproject.toml is not {ADDRESS}other/recsql."),
        ("v1.2.3", "some/recsql", "## 1.2.3 - unreleased", "CHANGELOG.md has no heading '## 1.2.3 - YYYY-MM-DD'."),
        ("v1.2.3", "some/recsql", "## 1.203 - 2027-01-31", "CHANGELOG.md has no heading '## 1.2.3 - YYYY-MM-DD'."),
    ],
)
def test_a_tag_that_does_not_agree_is_stopped(tag: str, repository: str, heading: str, said: str, tmp_path: Path) -> None:
    """In files of the same form as the project's."""
    project, changes = (ROOT / "pyproject.toml").read_text(), (ROOT / "CHANGELOG.md").read_text()
    project = re.sub(r'^version = ".*"$', 'version = "1.2.3"', project, flags=re.MULTILINE)
    project = re.sub(r'^Source = ".*"$', f'Source = "{ADDRESS}some/recsql"', project, flags=re.MULTILINE)
    (tmp_path / "pyproject.toml").write_text(project)
    (tmp_path / "CHANGELOG.md").write_text(re.sub("^## .*", heading, changes, count=1, flags=re.MULTILINE))
    env = os.environ | {"TAG": tag, "GITHUB_REPOSITORY": repository}
    done = subprocess.run(["bash", "-e", "-c", SCRIPTS[0]], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == ((1, f"::error::{said}\n") if said else (0, ""))
