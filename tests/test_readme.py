"""What README says was run as written; its tables are made from the headers."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recsql.catalog import catalog
from tests.test_shell import run as run_in_shell

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PROGRAMS = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
KINDS = {
    "number": "a number",
    "integer": "a whole number",
    "map": "such as 1:1 2:3.5; in the macros map {1: 1, 2: 3.5}",
    "table": "a table",
    "column": "a column's name",
    "names": "names, in the macros",
    "preset": "a preset: see below",
}
EXAMPLE = re.compile(r"```(sql|python|sh)\n((?:(?!```).)*)```\n\n```text\n(.*?)```", re.DOTALL)


def shown(language: str, code: str) -> str:
    """What a block of the README prints, run from the root of the repository."""
    if language == "sql":
        done = run_in_shell(code)
    else:
        command = [sys.executable, "-c", code] if language == "python" else ["sh", "-c", code]
        done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PATH": PROGRAMS}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("language", "code", "output"), EXAMPLE.findall(README.read_text()))
def test_the_code_prints_what_it_says(language: str, code: str, output: str) -> None:
    assert shown(language, code).rstrip() == output.rstrip()


def test_the_first_command_is_run_in_ci_as_written() -> None:
    commands = re.search(r"```console\n(.*?)```", README.read_text(), re.DOTALL)
    assert commands
    script = (ROOT / ".ci/run").read_text().replace("pip install -q ", "pip install ")
    assert all(command in script for command in commands[1].splitlines())


def test_one_metric_more_is_one_file(tmp_path: Path) -> None:
    """The metric that the README adds, in a copy of the project: Python, the macros and their documentation have it."""
    example = re.search(r"```jinja\n(.*?)```", README.read_text(), re.DOTALL)
    assert example
    for folder in ("recsql", "sql"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "sql/metrics/rprec.sql").write_text(example[1])
    code = """
import duckdb, recsql
con = duckdb.connect()
con.execute(recsql.macros())
con.execute("create table recs as select 1 as user_id, unnest(['a', 'b']) as item_id, unnest([1, 2]) as rank")
con.execute("create table truth as select 1 as user_id, 'b' as item_id")
print(recsql.evaluate("recs", "truth", "rprec@2", connection=con)["value"].to_pylist())
print(con.sql("select recsql.rprec(['a', 'b'], ['b'], 2)").fetchall(), "rprec" in recsql.metrics()["metric"].to_pylist())
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "[1.0]\n[(1.0,)] True\n", done.stderr


def test_its_tables_are_those_of_the_headers() -> None:
    assert README.read_text() == filled(README.read_text())


def metrics_table() -> str:
    rows = [
        f"| `{name}` | {source.header['title']} | {in_cell(source.header['formula'])} | {', '.join(source.aliases)} |"
        for name, source in catalog().metrics.items()
    ]
    return "\n".join(["| metric | | default definition | also known as |", "|---|---|---|---|", *rows])


def in_cell(text: str) -> str:
    """Text in a cell of a table, where a bar would end it."""
    return text.replace("|", r"\|")


def options_table() -> str:
    rows = []
    for option in catalog().options.values():
        choices = "; ".join(f"`{value}` {about}" for value, about in option.values if option.type != "preset")
        values = choices or KINDS[option.type]
        default = "" if option.default is None else f"`{option.default}`"
        rows.append(f"| `{option.name}` | {option.about} | {default} | {values} |")
    return "\n".join(["| option | what it says | default | values |", "|---|---|---|---|", *rows])


def presets_table() -> str:
    rows = [f"| `{name}` | {preset.title} | {preset.version} |" for name, preset in catalog().presets.items()]
    return "\n".join(["| preset | whose conventions | version |", "|---|---|---|", *rows])


def filled(text: str) -> str:
    """The README with its tables and its outputs made anew."""
    for name, table in (("metrics", metrics_table()), ("options", options_table()), ("presets", presets_table())):
        made = f"<!-- {name} -->\n\n{table}\n".replace("\\", r"\\")
        text = re.sub(rf"<!-- {name} -->\n(\n\|.*?\n(?=\n))?", made, text, flags=re.DOTALL)
    return text


if __name__ == "__main__":
    made = EXAMPLE.sub(
        lambda m: f"```{m[1]}\n{m[2]}```\n\n```text\n{shown(m[1], m[2]).rstrip()}\n```", filled(README.read_text())
    )
    README.write_text(made)
