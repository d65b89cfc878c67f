"""`recsql new metric` writes files that work before they are edited."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recsql.cli import main

ROOT = Path(__file__).parent.parent


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the project."""
    for folder in ("recsql", "sql", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_new_metric_passes_its_tests(checkout: Path) -> None:
    said = run(checkout, "recsql", "new", "metric", "my_metric")
    assert said.splitlines()[0].startswith("sql/metrics/my_metric.sql: ")
    run(checkout, "recsql", "macros", "-o", "sql/recsql.sql")
    run(checkout, *said.splitlines()[-1].split(), "-n0")


def test_a_new_metric_that_counts_users_without_a_hit(checkout: Path) -> None:
    """Its mean is the same alone and beside another one."""
    run(checkout, "recsql", "new", "metric", "fallout")
    file = checkout / "sql/metrics/fallout.sql"
    text = file.read_text().replace('needs = ["hits", "k"]', 'needs = ["returned", "hits", "relevant"]')
    file.write_text(
        text.replace("s.hits / {{ double", "(s.returned - s.hits) / {{ double").replace("s.k, 0", "9000 - s.relevant, 0")
    )
    data = [str(ROOT / f"examples/movietweetings/{name}.parquet") for name in ("recs", "truth")]
    asked = ("recsql", "evaluate", *data, "-k", "5", "--format", "csv", "-m")
    alone, beside = run(checkout, *asked, "fallout").splitlines(), run(checkout, *asked, "fallout,fp").splitlines()
    assert len(alone) == 5 and {*alone} < {*beside}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ndcg", "ndcg: this is already a name of ndcg; choose another name"),
        ("map", "map: this is already a name of ap; choose another name"),
        ("My-Metric", "My-Metric: a metric's name has lower-case letters, digits and underscores, and begins with a letter"),
        ("my_metric", "sql/metrics: there is no such folder here; run this in the root of a checkout of recsql"),
    ],
)
def test_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "metric", name]) == 1
    assert capsys.readouterr().err == f"recsql: {says}\n"
    assert not [*tmp_path.iterdir()]


def test_a_file_is_never_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("sql/metrics", "tests/cases"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "tests/cases/my_metric.toml").write_text("mine")
    assert main(["new", "metric", "my_metric"]) == 1
    assert (tmp_path / "tests/cases/my_metric.toml").read_text() == "mine"
    assert not [*(tmp_path / "sql/metrics").iterdir()]
