"""The dbt package of examples/dbt, and the model of docs/dbt.md without it, run by dbt-duckdb in an environment of its own.

If it fails, the package or the model doesn't run as docs/dbt.md says.
"""

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import chdir
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import duckdb
import pyarrow.compute as pc
import pytest
import yaml
from jinja2 import Environment

import recsql
from recsql.catalog import catalog
from recsql.cli import main
from recsql.shell import File
from tests.docs.pages import ROOT, blocks
from tests.shell.test_shell import run as run_in_shell

with_dbt = pytest.mark.dbt
PACKAGE = ROOT / "examples/dbt"
PROJECT = PACKAGE / "integration"
PAGE, FROZEN = (ROOT / "docs/dbt.md").read_text().split("\n## Without the package\n")
SEEDS = {"recs": ROOT / "examples/small/ease.csv", "truth": ROOT / "examples/small/truth.csv"}
RECS, TRUTH = (ROOT / f"examples/movietweetings/{name}.parquet" for name in ("recs", "truth"))
# The negative tests by name, with the number of rows that each finds; the lists of pop are better than all others.
FAILING = """
models:
  - name: lists
    data_tests:
      - recsql.recsql_at_least:
          name: too_high
          arguments: {truth: ref('truth'), metric: ndcg, k: 10, value: 0.04}
      - recsql.recsql_at_least:
          name: less_sure
          arguments: {truth: ref('truth'), metric: ndcg, k: 10, value: 0.04, confidence: 0.6}
      - recsql.recsql_not_worse_than:
          name: worse
          arguments: {truth: ref('truth'), baseline: pop, metric: ndcg, k: 10, margin: 0.012}
      - recsql.recsql_not_worse_than:
          name: maybe_worse
          arguments: {truth: ref('truth'), baseline: als, metric: ndcg, k: 10, margin: 0.002, fail_if: maybe-worse}
      - recsql.recsql_not_worse_than:
          name: no_margin
          arguments: {truth: ref('truth'), baseline: als, metric: ndcg, k: 10, fail_if: maybe-worse}
      - recsql.recsql_not_worse_than:
          name: untested
          arguments: {truth: ref('one_user'), baseline: pop, metric: ndcg, k: 10}
      - recsql.recsql_not_worse_than:
          name: low_is_better
          arguments: {truth: ref('truth'), baseline: pop, metric: fn, k: 10}
      - recsql.recsql_check:
          name: notes
          arguments: {truth: ref('truth'), level: note, ignore: [tied_scores_at_k, relevance_looks_like_ratings, popularity_skew]}
          config: {where: "model = 'ease'"}
      - recsql.recsql_check:
          name: named
          arguments: {truth: ref('truth'), level: warning, findings: [coverage_differs, cold_items]}
      - recsql.recsql_check:
          name: no_level
          arguments: {truth: ref('truth'), level: warn}
"""
# Models beside those of the page, by name: tables that dbt gives other names, and mistakes.
FURTHER = {
    "lists": "select * from {{ ref('recs') }}",
    "rows": '{{ config(materialized="ephemeral") }} select * from {{ ref("recs") }}',
    "of_an_ephemeral": '{{ recsql.evaluate(ref("rows"), ref("truth"), k=10, metrics="ndcg") }}',
    "of_files": '{{ recsql.evaluate(source("files", "recs"), source("files", "truth"), k=10, metrics="ndcg") }}',
    "one_user": "select * from {{ ref('truth') }} where user_id = 15558",
    "twice": "select * from {{ ref('recs') }} union all select * from {{ ref('recs') }} where user_id = 15558",
    "of_twice": '{{ recsql.evaluate(ref("twice"), ref("truth"), k=10) }}',
    "unknown": '{{ recsql.evaluate(ref("recs"), ref("truth"), kk=10) }}',
}
FILES = """
sources:
  - name: files
    meta: {external_location: "../../movietweetings/{name}.parquet"}
    tables: [{name: recs}, {name: truth}]
"""
# A third day, and truth that comes late.
DAY = {
    "daily_recs": "new,2026-03-03,u1,b,1\nold,2026-03-03,u1,a,1\nold,2026-03-03,u1,b,2\n",
    "daily_truth": "2026-03-03,u1,b\n2026-03-03,u2,a\n2026-03-01,u1,a\n",
}
# What a second run need not do again: models, and the tests of the page.
DONE = ("evaluation", "comparison", "per_user", "ease", "trec_eval", "path:models/recs.yml")
# A process that has imported dbt, which takes two seconds, and forks for each command.
FORKS = """
import json, os, sys
from dbt.adapters import duckdb
from dbt.cli.main import dbtRunner
for line in sys.stdin:
    folder, *command = json.loads(line)
    if os.fork() == 0:
        os.chdir(folder)
        done = dbtRunner().invoke([*command, "--log-level", "none"])
        nodes = getattr(done.result, "results", [])
        found = {one.node.name: [str(one.status), one.failures, one.message] for one in nodes}
        print(json.dumps([done.success, str(done.exception or ""), found]), flush=True)
        sys.exit()
    os.wait()  # it has closed its database
    print(flush=True)
"""


class Done(NamedTuple):
    """What a command of dbt says."""

    success: bool
    exception: str
    nodes: dict[str, tuple[str, int | None, str]]  # by name: the status, what a test found, and the message


class Dbt(NamedTuple):
    process: subprocess.Popen[str]

    def __call__(self, folder: Path, *command: str) -> Done:
        assert self.process.stdin and self.process.stdout
        print(json.dumps([str(folder), *command]), file=self.process.stdin, flush=True)
        answer, _ = self.process.stdout.readline(), self.process.stdout.readline()
        return Done(*json.loads(answer))


@pytest.fixture(scope="module")
def dbt() -> Iterator[Dbt]:
    command = [f"{os.environ['RECSQL_DBT']}/bin/python", "-c", FORKS]
    settings = os.environ | {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DBT_PROFILES_DIR": "."}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=settings, stdin=pipe, stdout=pipe, text=True) as process:
        yield Dbt(process)


def files(text: str) -> dict[str, str]:
    """The files that a part of the page shows, by path."""
    return dict(re.findall(r"`(\S+)`[^`]*:\n\n```(?:yaml|jinja)\n(.*?)```", text, re.DOTALL))


def rows(database: Path, query: str) -> list[dict[str, Any]]:
    with duckdb.connect(database / "shop.duckdb", read_only=True) as connection:
        found: list[dict[str, Any]] = connection.sql(query).to_arrow_table().to_pylist()
    return found


# -- the package's text


def macros(**variables: str) -> dict[str, Any]:
    """The package's macros over tables, and those that write a call, by name; in a project with some variables."""
    package = SimpleNamespace()
    text = "".join(file.read_text() for file in sorted((PACKAGE / "macros").glob("*.sql")))
    given = {"recsql": package, "var": variables.get}
    module = Environment(extensions=["jinja2.ext.do"], autoescape=False).from_string(text, given).module
    vars(package).update({name: one for name, one in vars(module).items() if name[0] != "_"})
    return vars(package)


def test_the_package_has_every_macro_over_tables_with_its_tables() -> None:
    """The parameters without a default are in the error of a call without any; the others need no argument of their own."""
    con, file = duckdb.connect(), File("recsql", ["ndcg", "ild", "exposure_share"], {})  # the last two have macros of their own
    for text in (file.text, file.check):
        con.execute(text)
    found = con.execute(
        "select function_name from duckdb_functions() "
        "where schema_name = 'recsql' and function_type = 'table_macro' and comment is not null"
    ).fetchall()
    tables = {}
    for (name,) in found:
        with pytest.raises(duckdb.BinderException, match="Candidate macros") as raised:
            con.execute(f"from recsql.{name}()")
        parameters = str(raised.value).partition("Candidate macros:")[2].partition("(")[2].partition(":=")[0]
        tables[name] = re.findall(r"\w+(?=[,)])", parameters)
    package = {name: one for name, one in macros().items() if name not in ("call", "literal")}
    assert {name: list(one.arguments) for name, one in package.items()} == tables
    assert all(one.catch_kwargs for one in package.values())
    assert len(tables) > 25
    for name, names in tables.items():
        quoted = ", ".join(f"'{one}'" for one in names)
        assert package[name](*names, k=1, schema="other") == f"select * from other.{name}({quoted}, k := 1)"


def test_values_become_sql() -> None:
    evaluate = macros()["evaluate"]
    assert evaluate("a", "it's", k=[5, "all"], p=0.5, metrics=None) == (
        "select * from recsql.evaluate('a', 'it''s', k := [5, 'all'], p := 0.5)"
    )
    assert macros()["hits"]("'a.csv'", "b", missed=True) == "select * from recsql.hits('a.csv', 'b', missed := true)"
    assert macros(recsql_schema="ranx")["ideal"]("a") == "select * from ranx.ideal('a')"


def test_a_metric_whose_high_values_are_not_better_is_refused_under_each_name() -> None:
    text = (PACKAGE / "tests/generic/recsql_not_worse_than.sql").read_text()
    refused = ast.literal_eval(text.partition("other = ")[2].partition(" -%}")[0])
    names = set()
    for metric in catalog().metrics.values():
        if metric.grain == "user" and metric.header.get("better", "higher") != "higher":
            names |= {metric.name, *metric.header.get("aliases", ()), *chain(*metric.header.get("names", {}).values())}
    assert sorted(refused) == sorted(names)


def test_the_package_has_the_version_of_the_project() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"\nversion: {version}\n" in (PACKAGE / "dbt_project.yml").read_text()
    assert f"revision: v{version}\n" in PAGE


def test_the_page_shows_the_files_of_the_project() -> None:
    shown = files(PAGE)
    assert "subdirectory: examples/dbt\n" in shown.pop("packages.yml")
    assert shown == {path: (PROJECT / path).read_text() for path in shown}
    models = {f"models/{one.name}" for one in (PROJECT / "models").iterdir()}
    assert shown.keys() == {"profiles.yml", "dbt_project.yml", *models} - {"models/truth.sql"}


# -- the project that uses it


@pytest.fixture(scope="module")
def project(dbt: Dbt, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of the page, built as it says, with the package installed from git."""
    examples, origin = tmp_path_factory.mktemp("examples"), tmp_path_factory.mktemp("origin")
    left = shutil.ignore_patterns("dbt_packages", "target", "logs", "*.duckdb", "package-lock.yml")
    for folder in (examples / "dbt", origin / "examples/dbt"):
        shutil.copytree(PACKAGE, folder, ignore=left)
    (examples / "movietweetings").symlink_to(ROOT / "examples/movietweetings")
    author = ("-c", "user.name=recsql", "-c", "user.email=")
    packages = files(PAGE)["packages.yml"]
    tag = str(yaml.safe_load(packages)["packages"][0]["revision"])
    for git in (["init", "-q"], ["add", "."], [*author, "commit", "-qm", "The package"], ["tag", tag]):
        subprocess.run(["git", *git], cwd=origin, check=True)
    folder = examples / "dbt/integration"
    for line in blocks(PAGE)[0].code.splitlines():
        *command, file = shlex.split(line)
        assert main([*command[1:], str(folder / file)]) == 0
    packages = re.sub(r"https://github\.com/[\w-]+/recsql", origin.as_uri(), packages)
    for is_local, text in ((True, (PROJECT / "packages.yml").read_text()), (False, packages)):
        (folder / "packages.yml").write_text(text)
        assert dbt(folder, "deps").success
        assert (folder / "dbt_packages/recsql").is_symlink() is is_local
    done = dbt(folder, "build")
    assert done.success, done
    assert len(done.nodes) == 13  # eight models, two seeds, three tests
    return folder


@pytest.fixture(scope="module")
def two_days(project: Path) -> list[dict[str, Any]]:
    """The rows of the days after the first run."""
    return rows(project, "from daily order by all")


@pytest.fixture(scope="module")
def second(dbt: Dbt, project: Path, two_days: list[dict[str, Any]]) -> Done:
    """A second run: another day, tests that fail, and further models."""
    (project / "models/lists.yml").write_text(FAILING)
    (project / "models/files.yml").write_text(FILES)
    for name, text in FURTHER.items():
        (project / f"models/{name}.sql").write_text(text)
    for name, day in DAY.items():
        with (project / f"seeds/{name}.csv").open("a") as seed:
            seed.write(day)
    return dbt(project, "build", "--store-failures", "--exclude", *DONE)


@with_dbt
@pytest.mark.filterwarnings("ignore")
def test_the_models_have_the_values_of_python(project: Path) -> None:
    asked = (str(RECS), str(TRUTH))
    for name, expected in {
        "evaluation": recsql.evaluate(*asked, ["ndcg", "recall"], [5, 10], interval=0.95),
        "comparison": recsql.compare(*asked, "ndcg", 10, baseline="pop"),
        "per_user": recsql.per_user(*asked, "all", 10),
        "ease": recsql.evaluate(*asked, k=10).filter(pc.field("model") == "ease"),
        "trec_eval": recsql.evaluate(*asked, "ndcg", 10, like="trec_eval"),
    }.items():
        found = rows(project, f"from {name}")
        assert found == expected.select(list(found[0])).to_pylist(), name


@with_dbt
def test_the_page_has_rows_of_the_evaluation(project: Path) -> None:
    found = rows(project, "from evaluation where metric = 'ndcg' and k = 10 order by model")
    lines = [" | ".join(f"{one:.4f}" if isinstance(one, float) else str(one) for one in [*row.values()][:8]) for row in found]
    assert "".join(f"| {line} |\n" for line in lines) in PAGE


@with_dbt
def test_the_shell_opens_the_database(project: Path) -> None:
    """The shell is older than the DuckDB of dbt."""
    done = run_in_shell("select count(*) as n from evaluation;", "-json", str(project / "shop.duckdb"))
    assert json.loads(done.stdout) == [{"n": 16}], done.stderr


@with_dbt
@pytest.mark.filterwarnings("ignore")
def test_a_run_adds_a_day_and_leaves_the_earlier_ones(project: Path, two_days: list[dict[str, Any]], second: Done) -> None:
    """The truth of the first day has a further row, which is not read."""
    assert second.nodes["daily"][0] == "success"
    after = rows(project, "from daily order by all")
    assert [row for row in after if str(row["dt"]) < "2026-03-03"] == two_days
    assert len(two_days) == len(after) - 4 == 8
    for day in ("2026-03-02", "2026-03-03"):
        for name in ("recs", "truth"):
            rows(project, f"copy (select * exclude (dt) from daily_{name} where dt = '{day}') to '{project}/{name}.csv'")
        expected = recsql.evaluate(str(project / "recs.csv"), str(project / "truth.csv"), ["ndcg", "recall"], 3)
        found = [{name: row[name] for name in row if name != "dt"} for row in after if str(row["dt"]) == day]
        assert found == sorted(expected.select(list(found[0])).to_pylist(), key=lambda row: (row["model"], row["metric"]))


@with_dbt
def test_each_test_fails_with_its_rows(project: Path, second: Done) -> None:
    assert not second.success

    def found(name: str, columns: str) -> list[tuple[Any, ...]]:
        assert second.nodes[name][0] == "fail", second.nodes[name]
        return [tuple(row.values()) for row in rows(project, f"select {columns} from main_dbt_test__audit.{name} order by all")]

    assert found("too_high", "model") == [("als",), ("ease",), ("itemknn",)]
    assert found("less_sure", "model, round(low, 4)") == [("als", 0.0303), ("ease", 0.0352), ("itemknn", 0.0242)]
    assert found("worse", "model, verdict") == [("itemknn", "lower")]
    assert found("maybe_worse", "model, verdict") == [("itemknn", "inconclusive")]
    assert found("untested", "model, verdict") == [("als", "untested"), ("ease", "untested"), ("itemknn", "untested")]
    assert found("notes", 'finding, "count"') == [("lists_without_truth", 101), ("users_without_list", 1004)]
    assert {row[1:] for row in found("named", "model, finding, advice") if row[1] == "cold_items"} == {
        ("cold_items", "check does not look for it here; docs/check.md has all findings")
    }
    assert second.nodes["named"][1] == 4  # the coverage of three models, and the name


@with_dbt
def test_a_mistake_is_a_sentence(second: Done) -> None:
    for name, sentence in {
        "low_is_better": "recsql_not_worse_than: high values of fn are not the better ones; leave it out",
        "no_margin": "recsql_not_worse_than: margin: it is not above 0, and equal models can then never pass maybe-worse",
        "no_level": "recsql_check: level: warn is none of error, warning, note",
        "of_twice": "appears more than once in the list of user 15558",
        "unknown": "evaluate(recs, truth, k := ",
    }.items():
        status, _, message = second.nodes[name]
        assert status == "error"
        assert sentence in message


@with_dbt
def test_other_kinds_of_tables_have_names_too(project: Path, second: Done) -> None:
    expected = recsql.evaluate(str(RECS), str(TRUTH), "ndcg", 10)
    for name in ("of_an_ephemeral", "of_files"):
        assert second.nodes[name][0] == "success"
        found = rows(project, f"from {name}")
        assert found == expected.select(list(found[0])).to_pylist()


# -- without the package


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of the page's second part, with the model that its command prints."""
    path = tmp_path_factory.mktemp("frozen")
    for folder in ("models", "seeds", "tests"):
        (path / folder).mkdir()
    for file, text in files(FROZEN).items():
        (path / file).write_text(text)
    for name, csv in SEEDS.items():
        shutil.copy(csv, path / f"seeds/{name}.csv")
    with chdir(path / "models"):
        assert main(shlex.split(blocks(FROZEN)[0].code.splitlines()[0])[1:]) == 0
    return path


@with_dbt
def test_dbt_runs_the_model(dbt: Dbt, frozen: Path) -> None:
    done = dbt(frozen, "build")
    assert done.success, done
    assert len(done.nodes) == 4  # two seeds, the model, and its test
    found = rows(frozen, "from evaluation")
    expected = recsql.evaluate(str(SEEDS["recs"]), str(SEEDS["truth"]), ["ndcg", "recall"], 5)
    assert found == expected.select(list(found[0])).to_pylist()
    for row in found:
        assert (
            f"| | {row['metric']} | {row['k']} | {row['value']:.4f} | {row['users']} | {row['lists']} | {row['definition']} |"
            in FROZEN
        )


@with_dbt
def test_a_later_build_fails_with_the_sentence_of_a_check(dbt: Dbt, frozen: Path) -> None:
    with (frozen / "seeds/recs.csv").open("a") as seed:
        seed.write("u1,a,3\n")
    done = dbt(frozen, "build")
    assert not done.success
    assert "ref('recs'): item a appears more than once in the list of user u1" in done.nodes["evaluation"][2]
