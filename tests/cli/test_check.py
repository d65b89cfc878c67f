"""The command check: its exit statuses, formats and arguments.

If it fails, a CI job can not tell bad data from a broken job.
"""

import json
from pathlib import Path

import pytest

import recsql
from recsql.cli import main

RECS = "user_id,item_id,rank\n1,a,1\n1,b,3\n2,a,1\n"
TRUTH = "user_id,item_id\n1,a\n2,b\n3,a\n"


@pytest.fixture
def tables(tmp_path: Path) -> list[str]:
    paths = [tmp_path / "recs.csv", tmp_path / "truth.csv"]
    for path, text in zip(paths, (RECS, TRUTH), strict=True):
        path.write_text(text)
    return [*map(str, paths)]


@pytest.mark.parametrize(
    ("flags", "status"),
    [
        ([], 0),
        (["--fail-on", "warning"], 3),
        (["--fail-on", "warning", "--ignore", "few_users,short_lists,users_without_list,rank_gaps"], 0),
        (["--fail-on", "never", "--severity", "few_users=error"], 0),
        (["--severity", "few_users=error"], 3),
        (["--rows", "rank_gaps", "--fail-on", "note"], 0),
        (["--severity", "few_users"], 1),
        (["--ignore", "nonsense"], 1),
    ],
    ids=str,
)
def test_exit_status(flags: list[str], status: int, tables: list[str]) -> None:
    assert main(["check", *tables, "-k", "2", *flags]) == status


def test_a_missing_file_is_not_bad_data(tables: list[str]) -> None:
    assert main(["check", "nowhere.csv", tables[1], "--fail-on", "note"]) == 1


def test_people_read_three_lines(tables: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", *tables, "-k", "2"])
    *findings, last = capsys.readouterr().out.strip().split("\n\n")
    assert all(len(one.splitlines()) == 3 for one in findings)
    assert findings[0].split()[:2] == ["WARNING", "rank_gaps"]
    assert "--no-recs skip" in "".join(findings) and "no_recs=" not in "".join(findings)
    assert last.startswith("Found: ") and "Not checked without train: " in last


def test_annotations(tables: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", *tables, "-k", "2", "--format", "github"])
    lines = capsys.readouterr().out.splitlines()
    found = recsql.check(*tables, k=2)["finding"].to_pylist()
    assert [line.split("title=")[1].split("::")[0] for line in lines] == found
    assert {line.split()[0] for line in lines} <= {"::error", "::warning", "::notice"}


def test_formats_for_programs_have_a_row_per_finding(tables: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", *tables, "-k", "2", "--format", "json"])
    assert json.loads(capsys.readouterr().out) == recsql.check(*tables, k=2).to_pylist()
    main(["check", *tables, "-k", "2", "--rows", "rank_gaps", "--format", "csv"])
    assert capsys.readouterr().out.splitlines()[0] == "user_id,items,last_place"


def test_a_text_with_special_characters_stays_one_annotation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "recs.csv").write_text('user_id,item_id,rank\n"u\n%1",a,2\n')
    (tmp_path / "truth.csv").write_text('user_id,item_id\n"u\n%1",a\n')
    main(["check", str(tmp_path / "recs.csv"), str(tmp_path / "truth.csv"), "-k", "1", "--format", "github"])
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("::") for line in lines)
    assert any("%251" in line for line in lines)
