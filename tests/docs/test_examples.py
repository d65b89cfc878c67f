"""The examples run from the repository's root, and print what recsql.evaluate gives.

If it fails, an example stops, or prints other numbers than `evaluate`.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duckdb
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.base.text import quoted
from tests.calls.test_curve import values_of
from tests.calls.test_forest import labels
from tests.docs.pages import command

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
# The commands that the test extra installs lie beside this Python, also where its environment isn't activated.
PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])


def cells(arguments: Sequence[str], script: str | None = None) -> list[list[str]]:
    """The cells of each line that a program prints; it must succeed and must not complain."""
    environment = os.environ | {"PATH": os.pathsep.join([str(command()), PATH])}
    result = subprocess.run(arguments, check=False, input=script, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "Error" not in result.stderr, result.stderr
    return [re.split(r"[│|,\s]+", line.strip("│| \n")) for line in result.stdout.splitlines()]


def evaluated(folder: str, metrics: list[str], **options: Any) -> list[dict[str, Any]]:
    recs, truth = EXAMPLES / folder / "recs.parquet", EXAMPLES / folder / "truth.parquet"
    rows: list[dict[str, Any]] = recsql.evaluate(recs, truth, metrics, **options).to_pylist()
    return rows


@pytest.fixture(scope="module")
def shell() -> str:
    found = shutil.which("duckdb", path=PATH)
    assert found, "there is no command duckdb: install the extra 'test', with duckdb-cli in it"
    return found


@pytest.fixture(scope="module")
def looked_at(shell: str) -> list[list[str]]:
    """What the script for the shell prints."""
    return cells([shell], (EXAMPLES / "movietweetings.sql").read_text(encoding="utf-8"))


def test_shell_script(looked_at: list[list[str]]) -> None:
    rows = evaluated("movietweetings", ["ndcg", "recall"], k=[5, 10])
    assert len(rows) == 4 * 2 * 2
    for row in rows:
        assert [row["model"], row["metric"], str(row["k"]), str(round(row["value"], 6)), str(row["users"])] in looked_at
    assert ["Now", "You", "See", "Me", "(2013)", "117", "2012", "0.0582"] in looked_at


def test_dcg_of_the_list_looked_at(looked_at: list[list[str]]) -> None:
    # Hits at ranks 2, 3 and 4 with ratings 7, 8 and 8: 7 / log2(3) + 8 / log2(4) + 8 / log2(5).
    assert ["4", "Inception", "(2010)", "8.0", "true", "0.431", "11.862"] in looked_at
    # Relevant are 9, 8, 8, 7 and 6: 9 + 8 / log2(3) + 8 / log2(4) + 7 / log2(5) + 6 / log2(6).
    assert ["6.0", "23.383"] in [line[-2:] for line in looked_at]


def test_python_script() -> None:
    printed = cells([sys.executable, str(EXAMPLES / "online_retail.py")])
    rows = evaluated("online_retail", ["ndcg", "recall@10"], k=[5, 10]) + evaluated("online_retail", ["ndcg@10"], no_recs="skip")
    assert len(rows) == 4 * 3 + 4
    for row in rows:
        assert [
            row["model"],
            row["metric"],
            str(row["k"]),
            f"{row['value']:.4f}",
            str(row["users"]),
            str(row["lists"]),
            row["definition"],
        ] in printed
    gains = (evaluated("online_retail", ["ndcg@10"], gain=gain) for gain in ("linear", "exp2"))
    for linear, exp2 in zip(*gains, strict=True):
        assert [linear["model"], f"{linear['value']:.4f}", f"{exp2['value']:.4f}"] in printed


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[str]]]:
    """The folder that the walk through an evaluation filled, and what it printed."""
    folder = tmp_path_factory.mktemp("o'hara")
    return folder, cells([sys.executable, str(EXAMPLES / "leave_one_out.py"), str(folder)])


def test_walk_prints_what_the_functions_give(walked: tuple[Path, list[list[str]]]) -> None:
    folder, printed = walked
    recs, truth, train = (folder / f"{name}.parquet" for name in ("recs", "truth", "train"))
    metrics = ["hit", "ndcg", "coverage", "entropy", "gini"]
    rows = recsql.evaluate(recs, truth, metrics, [5, 10, 20], train=str(train), truth_check="leave_one_out").to_pylist()
    for name in metrics:
        for k in (5, 10, 20):
            popular, together = (row for row in rows if (row["metric"], row["k"]) == (name, k))
            assert [name, str(k), *(str(round(row["value"], 4)) for row in (popular, together))] in printed
    errors = recsql.evaluate_ratings(EXAMPLES / "movietweetings/predictions.parquet", metrics=["mae", "rmse", "r2"]).to_pylist()
    for model in ("bias", "global_mean", "item_mean"):
        values = [row for row in errors if row["model"] == model]
        counts = [str(values[0]["pairs"]), str(values[0]["missing"])]
        assert [model, *counts, *(str(round(row["value"], 4)) for row in values)] in printed


def test_walk_holds_the_last_rating_out_and_recommends_what_is_new(walked: tuple[Path, list[list[str]]]) -> None:
    folder, printed = walked
    held_out = f"""
        select user_id, max_by(item_id, (timestamp, item_id)) as item_id
        from {quoted(f"{EXAMPLES}/movietweetings/ratings.parquet")}
        group by user_id
        having count(*) > 1"""
    con = duckdb.connect()
    truth = con.execute(f"select user_id, item_id from {quoted(f'{folder}/truth.parquet')}").fetchall()
    assert sorted(truth) == sorted(con.execute(held_out).fetchall())
    parts = [pq.read_table(folder / f"{part}.parquet") for part in ("train", "truth")]
    for part, table in zip(("train", "truth"), parts, strict=True):
        users, items = (len(table[column].unique()) for column in ("user_id", "item_id"))
        assert [part, str(table.num_rows), str(users), str(items)] in printed
    assert sum(table.num_rows for table in parts) == 51_002
    recommended = f"""
        select count(*), count(distinct (model, user_id)), count(distinct (model, user_id, item_id)), max(rank), count(t.item_id)
        from {quoted(f"{folder}/recs.parquet")} left join {quoted(f"{folder}/train.parquet")} as t using (user_id, item_id)"""
    [counts] = con.execute(recommended).fetchall()
    assert counts == (91_460 + 86_784, 4_573 + 4_409, 91_460 + 86_784, 20, 0)
    assert ["together", "4409", "86784", "947"] in printed


def test_walk_draws_the_curve(walked: tuple[Path, list[list[str]]]) -> None:
    folder, printed = walked
    drawn_is_evaluated(folder / "curve.svg", folder)
    assert [f"{folder}/curve.svg;", "train", "truth", "and", "recs", "are", "beside", "it."] in printed


def test_the_pictures_of_the_pages_are_up_to_date() -> None:
    """Drawn again with: python -m tests.generate."""
    drawn_is_evaluated(EXAMPLES / "movietweetings/curve.svg", EXAMPLES / "movietweetings")
    drawn_is_evaluated(EXAMPLES / "movietweetings/ndcg.svg", EXAMPLES / "movietweetings", ["ndcg"], [1, 2, 3, 5, 10, 15, 20])


@pytest.mark.filterwarnings("ignore:.*have lists for different users")
def test_the_picture_of_a_comparison_is_up_to_date() -> None:
    """Drawn again with: python -m tests.generate."""
    folder = EXAMPLES / "movietweetings"
    compared = recsql.compare(folder / "recs.parquet", folder / "truth.parquet", ["ndcg", "recall"], 10, baseline="pop")
    expected = labels(ElementTree.fromstring(recsql.forest(compared).svg()))
    assert labels(ElementTree.parse(folder / "forest.svg").getroot()) == expected


def drawn_is_evaluated(
    picture: Path, folder: Path, metrics: Sequence[str] = ("ndcg", "dcg"), k: Sequence[int] = range(1, 21)
) -> None:
    """Asserts that a picture of some metrics shows what evaluate gives for the files of a folder."""
    rows = recsql.evaluate(folder / "recs.parquet", folder / "truth.parquet", metrics, k).to_pylist()
    expected = {f"{row['model']}, {row['metric']}@{row['k']}": row["value"] for row in rows}
    assert dict(values_of(picture)) == pytest.approx(expected, abs=1e-9)


def test_command_line() -> None:
    printed = cells(["sh", str(EXAMPLES / "command_line.sh")])
    for name in ("ndcg@5", "ndcg@10", "ap@5", "ap@20"):
        assert [name, *(f"{row['value']:.4f}" for row in evaluated("movietweetings", [name]))] in printed
    lines = {tuple(line[:3]): line for line in printed if len(line) == 7}
    for row in evaluated("movietweetings", ["recall@10"]):
        assert float(lines[row["model"], "recall", "10"][3]) == pytest.approx(row["value"], rel=1e-9)


@pytest.mark.parametrize("folder", ["movietweetings", "online_retail"])
def test_readme_describes_the_files(folder: str) -> None:
    readme = (EXAMPLES / folder / "README.md").read_text(encoding="utf-8")
    described = re.findall(r"\| `(\w+\.parquet)` \| ([\d,]+) \| (.+) \|", readme)
    assert [name for name, _, _ in described][:2] == ["recs.parquet", "truth.parquet"]
    for name, rows, columns in described:
        file = pq.ParquetFile(EXAMPLES / folder / name)
        assert file.metadata.num_rows == int(rows.replace(",", ""))
        assert file.schema_arrow.names == re.sub(r" \([^)]*\)", "", columns).split(", ")


def test_the_tables_of_chunks_are_made_from_their_documents(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES / "rag", tmp_path / "rag", ignore=shutil.ignore_patterns("small*", "large*", "spans*", "questions*"))
    subprocess.run([sys.executable, tmp_path / "rag" / "make.py"], check=True)
    made = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "rag").iterdir() if path.is_file()}
    assert made == {path.name: path.read_text(encoding="utf-8") for path in (EXAMPLES / "rag").iterdir() if path.is_file()}
