"""The model of docs/dbt.md, run by dbt-duckdb in an environment of its own.

If it fails, the model of docs/dbt.md doesn't run as the page says.
"""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import duckdb
import pytest

import recsql
from recsql.cli import main
from tests.docs.pages import ROOT, blocks

pytestmark = pytest.mark.dbt
PAGE = (ROOT / "docs/dbt.md").read_text()
SEEDS = {"recs": ROOT / "examples/small/ease.csv", "truth": ROOT / "examples/small/truth.csv"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project of the page, with the model that its command prints."""
    for folder in ("models", "seeds", "tests"):
        (tmp_path / folder).mkdir()
    for path, text in re.findall(r"`(\S+)`:\n\n```(?:yaml|jinja)\n(.*?)```", PAGE, re.DOTALL):
        (tmp_path / path).write_text(text)
    for name, file in SEEDS.items():
        shutil.copy(file, tmp_path / f"seeds/{name}.csv")
    monkeypatch.chdir(tmp_path / "models")
    assert main(shlex.split(blocks(PAGE)[0].code.splitlines()[0])[1:]) == 0
    return tmp_path


def build(project: Path) -> subprocess.CompletedProcess[str]:
    command = [f"{os.environ['RECSQL_DBT']}/bin/dbt", "build", "--profiles-dir", "."]
    settings = os.environ | {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
    return subprocess.run(command, cwd=project, env=settings, capture_output=True, text=True, check=False)


def test_dbt_runs_the_model(project: Path) -> None:
    done = build(project)
    assert done.returncode == 0, done.stdout
    assert "PASS=4 WARN=0 ERROR=0" in done.stdout  # two seeds, the model, and its test
    with duckdb.connect(project / "shop.duckdb") as connection:
        found = connection.sql("from evaluation").to_arrow_table().to_pylist()
    expected = recsql.evaluate(str(SEEDS["recs"]), str(SEEDS["truth"]), ["ndcg", "recall"], 5)
    assert found == expected.select(list(found[0])).to_pylist()
    for row in found:
        assert (
            f"| | {row['metric']} | {row['k']} | {row['value']:.4f} | {row['users']} | {row['lists']} | {row['definition']} |"
            in PAGE
        )


def test_the_build_fails_with_the_sentence_of_a_check(project: Path) -> None:
    with (project / "seeds/recs.csv").open("a") as seed:
        seed.write("u1,a,3\n")
    done = build(project)
    assert done.returncode == 1
    assert "ref('recs'): item a appears more than once in the list of user u1" in done.stdout
