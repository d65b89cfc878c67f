"""README and docs/: every block prints what the page says, the reference is current, the links lead somewhere.

If it fails, a page says something that the code doesn't do.
"""

import csv
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from recsql.catalog import catalog
from recsql.cli.parsing import parser
from tests.docs.pages import BLOCK, COUNTED, PAGES, README, ROOT, blocks, filled, printed, tidy
from tests.docs.reference import ADDED, title_of
from tests.presets.data import LISTS, TRUTHS, written
from tests.support import assert_current, write_piece

LONGEST_README = 12 * 1024
MOST_LINES = 200
INDEX = ROOT / "docs/README.md"
LINK = re.compile(r"(?<!`)\[[^\]]*\]\(([^)\s]+)\)")
SITE = "https://OWNER.github.io/recsql"
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
by_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@pytest.mark.parametrize(
    "page",
    [pytest.param(one, marks=[pytest.mark.thorough] * (one.stem == "coming-from")) for one in PAGES],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_the_blocks_print_what_the_page_says(page: Path) -> None:
    """One page has a call for each name under each preset."""
    found = blocks(page.read_text())
    for block, output in zip(found, printed(found), strict=True):
        if output is not None:
            rewrite = f"python -m tests.generate {page.relative_to(ROOT)}"
            assert tidy(output) == tidy(block.output or ""), f"{block.code}\nwrite it anew: {rewrite}"


@by_page
def test_a_block_is_of_a_kind_that_is_run(page: Path) -> None:
    """Installing, the workflow in yaml and the metric in jinja are checked below; its cases in toml are a part that is made."""
    text = page.read_text()
    kinds = Counter(re.findall(r"^```(\w*)\n.*?^```$", text, re.DOTALL | re.MULTILINE))
    outputs = [found for found in BLOCK.finditer(text) if found[3] is not None]
    assert kinds.keys() <= {"sh", "python", "sql", "text", "console", "jinja", "toml", "yaml"}
    assert kinds["text"] == len(outputs), "a block of text that no code prints"


@by_page
def test_what_is_made_from_the_headers_is_current(page: Path) -> None:
    assert_current(str(page.relative_to(ROOT)), filled(page.read_text()))


@by_page
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text()
    for link in LINK.findall(text):
        if re.match(r"https?://", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text()), link


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, which are made of their words; no two are the same."""
    found = [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(FENCED.sub("", text))]
    assert len(found) == len(set(found)), "two headings with one anchor"
    return {*found}


def test_every_page_is_on_the_index() -> None:
    """Which is itself a page, linked from README."""
    links = {link.partition("#")[0] for link in LINK.findall(INDEX.read_text())}
    assert {page.name for page in PAGES if page.parent == INDEX.parent and page != INDEX} <= links
    assert f"docs/{INDEX.name}" in LINK.findall(README.read_text())


def test_every_metric_option_preset_and_command_is_on_a_page() -> None:
    for page, names in {
        "metrics": catalog().metrics.keys(),
        "options": {title_of(option).replace(" ", "-") for option in catalog().options.values()},
        "presets": catalog().presets.keys(),
        "cli": {f"recsql-{name}" for name in parser().commands.choices},
    }.items():
        assert names
        assert names <= anchors((ROOT / f"docs/{page}.md").read_text())


def test_every_name_that_a_library_has_for_a_metric_has_a_row() -> None:
    text = (ROOT / "docs/coming-from.md").read_text()
    assert {*re.findall(r'like="(\w+)"', text)} == {*catalog().presets}
    of_lists = re.findall(r'`evaluate\(\w+, truth, "(\w+?)(?:_\d+)?[@("][^`]*like="(\w+)"', text)
    rows = {(library, name.lower()) for name, library in of_lists}
    rows |= {("ratings", name) for name in re.findall(r'metrics="(\w+)"', text)}
    for metric in catalog().metrics.values():
        for library, names in metric.header.get("names", {}).items():
            assert {("ratings" if metric.grain == "rating" else library, name) for name in names} <= rows


def test_every_metric_of_the_catalogue_is_there_or_among_the_limits(shared: Path) -> None:
    """The first cell of each row of its tables of metrics names one or several."""
    text, limits = (shared / "catalogue.md").read_text(encoding="utf-8"), (ROOT / "docs/limits.md").read_text().lower()
    tables = text[text.index("## A.") : text.index("### A3.")] + text[text.index("## B.") : text.index("## E.")]
    cells = [line.split("|")[1] for line in tables.splitlines() if line.startswith("| ")]
    named = [name for cell in cells for name in re.findall("`([^`]+)`", cell) or re.split(r"[,/] ", re.sub(r"\(.*\)", "", cell))]
    names = {re.split("[(@\u2026,]", name)[0].strip().lower() for name in named} - {"", "metric", "name", "estimator"}
    missing = {one for one in names - catalog().known_names if one not in limits and one.replace("_", " ") not in limits}
    assert {one for one in missing if not one.startswith("hit ratio variants")} == set()
    assert len(names) > 100


def test_the_small_example_is_the_one_that_the_libraries_are_compared_on() -> None:
    for table, file in zip(written("small", LISTS, TRUTHS).tables, ("ease", "truth"), strict=True):
        with (ROOT / f"examples/small/{file}.csv").open() as stored:
            rows = list(csv.DictReader(stored))
        assert rows == [{name: str(row[name]) for name in rows[0]} for row in table.to_pylist()]


def test_the_readme_is_short() -> None:
    assert len(README.read_bytes()) <= LONGEST_README
    assert len(README.read_text().splitlines()) <= MOST_LINES


def test_the_readme_begins_with_what_most_readers_have() -> None:
    """Recommenders and retrieval, each by a command, before Python, the shell and the pages."""
    text = README.read_text()
    places = [
        text.index(one)
        for one in (
            "movietweetings/recs.parquet",
            "search/qrels.txt",
            "recsql report examples/search/",
            "## Python",
            "## DuckDB shell",
            "## What each",
        )
    ]
    assert places == sorted(places)
    assert all(f"\n| [{tool}](" in text for tool in ("trec_eval", "ranx", "RecTools", "Evidently"))


def test_the_readme_counts_metrics_and_presets() -> None:
    """The numbers are right if the page is as it is made."""
    assert len(COUNTED.findall(README.read_text())) == 2


def test_the_commands_to_install_are_run_in_ci_as_written() -> None:
    """Those with an address need the network and a release: with the wheel and the databases of one in their place."""
    text = README.read_text().replace("git+https://github.com/OWNER/recsql", '"$package"').replace(SITE, "$site")
    commands = [line for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    scripts = "".join((ROOT / ".ci" / name).read_text() for name in ("run", "try")).replace("pip install -q ", "pip install ")
    assert len(commands) == 5
    assert [command for command in commands if command not in scripts] == []


def test_the_workflows_run_the_commands_of_their_page() -> None:
    text = (ROOT / "docs/ci.md").read_text()
    workflows = "".join(re.findall(r"```yaml\n(.*?)```", text, re.DOTALL))
    commands = re.findall(r"^ +- (recsql .*)", workflows, re.MULTILINE)
    run = "".join(block.code for block in blocks(text) if block.language == "sh")
    assert len(commands) == 2
    assert [one for one in commands if one not in run] == []


def test_the_metric_of_the_page_is_added_as_it_says(tmp_path: Path) -> None:
    """In a copy of the project without it: Python, the macros and the list of metrics then have it."""
    for folder in ("recsql", "sql"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    written = re.findall(r"in `(\S+)`:\n\n```jinja\n(.*?)```", (ROOT / "docs/adding-a-metric.md").read_text(), re.DOTALL)
    assert [file for file, _ in written] == [f"sql/{path.partition(': ')[0]}" for path in ADDED.values()]
    for path, (_, text) in zip(ADDED.values(), written, strict=True):
        write_piece(tmp_path / "sql", path, re.sub(r"^-- name: .*\n", "", text))
    code = """
import duckdb, recsql
con = duckdb.connect()
con.execute(recsql.macros())
con.execute("create table recs as select 1 as user_id, unnest(['a', 'b']) as item_id, unnest([1, 2]) as rank")
con.execute("create table truth as select 1 as user_id, 'b' as item_id")
asked = ["rbp@2", "rbp(p=0.5)@2", "rbp(normalize=achievable)@2"]
print([round(value, 4) for value in recsql.evaluate("recs", "truth", asked, connection=con)["value"].to_pylist()])
print(con.sql("select round(recsql.rbp(['a', 'b'], ['b'], 2), 4)").fetchall())
print(con.sql("select value from recsql.evaluate('recs', 'truth', k := [2], metrics := 'rbp', p := 0.5)").fetchall())
print("rbp" in recsql.metrics()["metric"].to_pylist())
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "[0.16, 0.25, 0.8]\n[(0.16,)]\n[(0.25,)]\nTrue\n", done.stderr
