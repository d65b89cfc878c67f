"""The action for GitHub's workflows without GitHub: its own last step, run by bash with what a runner gives it.

If it fails, a workflow lets a worse model pass, or a name from a file becomes a command.
"""

import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import duckdb
import pytest
import yaml

import recsql
from tests.docs.pages import ROOT, command

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
STEP = ACTION["runs"]["steps"][-1]
GATE = (ROOT / ".github/gate.sh").read_text()
EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")
DATA = ROOT / "examples/movietweetings"
TABLES = {"lists": f"{DATA}/recs.parquet", "truth": f"{DATA}/truth.parquet"}
SMALL = {"lists": f"old={ROOT}/examples/small/ease.csv", "truth": f"{ROOT}/examples/small/truth.csv", "k": "5"}
PASSED = "Passed: no model is shown to be worse than itemknn by more than 0.002, in 3 comparisons; 3 are shown not to be."


class Done(NamedTuple):
    """What a use of the action left: its exit status, outputs and summary, and the commands to the runner in its log."""

    status: int
    outputs: dict[str, str]
    summary: str
    commands: list[str]

    @property
    def errors(self) -> list[str]:
        return [one for one in self.commands if one.startswith("::error ")]


class Job:
    """A folder to work in, and the files of a runner. Each step has files of its own; RUNNER_TEMP is that of the job."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.temporary, self.uses = folder / "work", folder / "temporary", 0
        self.folder.mkdir()
        self.program = self.temporary / "recsql/bin/recsql"  # where the step before installs it
        self.program.parent.mkdir(parents=True)
        self.program.write_text(f'#!/bin/sh\nexec {command()}/recsql "$@"\n')
        self.program.chmod(0o755)

    def write(self, name: str, rows: str) -> str:
        (self.folder / name).write_text(rows)
        return name

    def use(self, given: Mapping[str, str]) -> Done:
        assert given.keys() <= ACTION["inputs"].keys()
        inputs = {name: given.get(name, one.get("default", "")) for name, one in ACTION["inputs"].items()}
        env = {
            name: EXPRESSION.sub(lambda found: inputs[found[1].removeprefix("inputs.")], one) for name, one in STEP["env"].items()
        }
        self.uses += 1
        files = {name: self.temporary / f"{name}_{self.uses}" for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.touch()
        places = {"RUNNER_TEMP": str(self.temporary), "RUNNER_OS": "Linux", "GITHUB_ACTION_PATH": str(ROOT)}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEP["run"]],
            cwd=self.folder,
            env=os.environ | env | places | {name: str(file) for name, file in files.items()},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        output, summary = (file.read_text() for file in files.values())
        return Done(done.returncode, outputs_of(output), summary, commands_of(done.stdout))


def outputs_of(text: str) -> dict[str, str]:
    """The outputs in the file of a step, read as the runner reads it: NAME=VALUE, or NAME<<END, lines, END."""
    found, lines = {}, iter(text.splitlines())
    for line in lines:
        name, sign, value = re.fullmatch(r"(.*?)(=|<<)(.*)", line).groups()  # type: ignore[union-attr]
        found[name] = value if sign == "=" else "\n".join(iter(lambda end=value: next(lines), value))
    return found


def commands_of(log: str) -> list[str]:
    """The lines of a log that the runner takes as commands: `::NAME` at the beginning, or `##[NAME` anywhere."""
    found, resume = [], ""
    for line in log.splitlines():
        if resume:
            resume = "" if line.strip() == f"::{resume}::" else resume
        elif line.startswith("::stop-commands::"):
            resume = line.removeprefix("::stop-commands::")
        elif line.lstrip().startswith("::") or "##[" in line:
            found.append(line)
    assert not resume
    return found


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job(tmp_path)


# -- its shape


def test_no_input_is_in_the_text_of_a_script() -> None:
    """Where a runner would put it in before bash reads the script."""
    assert [one["run"] for one in ACTION["runs"]["steps"] if "run" in one and "${{" in one["run"]] == []
    assert not re.search(r"\beval\b|bash -c|`", re.sub("^ *#.*", "", GATE, flags=re.MULTILINE))


def test_every_input_reaches_the_script_and_every_output_leaves_it() -> None:
    passed = {EXPRESSION.fullmatch(value)[1]: name for name, value in STEP["env"].items()}  # type: ignore[index]
    inputs = {f"inputs.{name}": f"INPUT_{name.upper().replace('-', '_')}" for name in ACTION["inputs"]}
    [own] = inputs.keys() - passed.keys()
    assert own == "inputs.python-version"  # of the first step
    assert passed == {name: variable for name, variable in inputs.items() if name != own}
    assert {*re.findall(r"\$\{?(INPUT_\w+)", GATE)} == {*passed.values()}
    values = {name: one["value"] for name, one in ACTION["outputs"].items()}
    assert values == {name: f"${{{{ steps.gate.outputs.{name} }}}}" for name in values}
    assert re.findall(r"^    output (\S+)", GATE, re.MULTILINE) == [*values]


def test_an_input_is_required_or_has_a_default() -> None:
    assert {name for name, one in ACTION["inputs"].items() if "default" not in one} == TABLES.keys()
    assert all(ACTION["inputs"][name]["required"] for name in TABLES)


def test_the_workflows_of_the_page(job: Job) -> None:
    """The first workflow gives the verdict that the page shows. The second one only adds the report."""
    page = (ROOT / "docs/ci.md").read_text()
    first, second = (
        found.group() for found in re.finditer(r"^      - uses: \S+/recsql@(.*\n(?!      -|```))*.*", page, re.MULTILINE)
    )
    [step], [other] = yaml.safe_load(first), yaml.safe_load(second)
    assert other == {"id": "recsql", **step, "with": {**step["with"], "report": "report.html"}}
    assert {*re.findall(r"steps\.recsql\.outputs\.([\w-]+)", page)} == {"report", "summary"}
    with duckdb.connect() as con:
        con.execute(f"copy (from '{TABLES['truth']}') to '{job.folder}/truth.parquet'")
        for name, model in {"old": "itemknn", "new": "ease"}.items():
            chosen = f"select * exclude model from '{TABLES['lists']}' where model = '{model}'"
            con.execute(f"copy ({chosen}) to '{job.folder}/{name}.parquet'")
    done = job.use({name: str(value) for name, value in step["with"].items()})
    assert (done.status, done.outputs["verdict"]) == (0, "passed")
    assert f"```text\n{done.outputs['sentence']}\n" in page
    assert "| ndcg@10 | new |" in done.summary


# -- its verdicts


def test_passed(job: Job) -> None:
    done = job.use(TABLES | {"baseline": "itemknn", "margin": "0.002"})
    assert (done.status, done.outputs["verdict"], done.outputs["sentence"]) == (0, "passed", PASSED)
    rows = recsql.compare(
        TABLES["lists"],
        TABLES["truth"],
        "ndcg",
        10,
        baseline="itemknn",
        alternative="less",
        margin=0.002,
        outcome=True,
        findings="off",
    )
    assert json.loads(Path(done.outputs["results"]).read_text()) == rows.to_pylist()
    assert f"## recsql: passed\n\n<p>{PASSED}</p>\n\n| metric | model | value |" in done.summary
    assert Path(done.outputs["summary"]).read_text() == done.summary
    assert done.outputs["report"] == ""
    assert [one.partition("::")[2].partition("::")[0] for one in done.commands[:1]] == ["warning title=same_list_for_many"]
    assert done.errors == []


def test_failed(job: Job) -> None:
    done = job.use(TABLES | {"baseline": "pop"})
    sentence = "Failed: a model is shown to be worse than pop, in 3 of 3 comparisons."
    assert (done.status, done.outputs["verdict"], done.outputs["sentence"]) == (3, "failed", sentence)
    assert done.errors == [f"::error title=recsql failed::{sentence}"]
    assert "als is worse than pop on ndcg@10 by 0.0149" in done.summary


def test_unclear(job: Job) -> None:
    """One of three comparisons doesn't tell, which stops the job, as does a failure."""
    done = job.use(TABLES | {"baseline": "als", "margin": "0.002", "fail-if": "maybe-worse"})
    sentence = "Can't tell: whether itemknn is worse than als by more than 0.002 isn't shown, in 1 of 3 comparisons."
    assert (done.status, done.outputs["verdict"], done.outputs["sentence"]) == (4, "unclear", sentence)
    assert done.errors == [f"::error title=recsql unclear::{sentence}"]
    assert [one["outcome"] for one in json.loads(Path(done.outputs["results"]).read_text())] == ["pass", "unclear", "pass"]
    assert done.summary.startswith(f"## recsql: unclear\n\n<p>{sentence}</p>\n\n| metric | model | value |")
    assert "about 25,000 users would tell" in done.summary


def test_maybe_worse_passes_and_fails(job: Job) -> None:
    done = job.use(TABLES | {"baseline": "itemknn", "margin": "0.002", "fail-if": "maybe-worse"})
    sentence = "Passed: every model is shown not to be worse than itemknn by more than 0.002, in 3 comparisons."
    assert (done.status, done.outputs["verdict"], done.outputs["sentence"]) == (0, "passed", sentence)
    done = job.use(TABLES | {"baseline": "pop", "margin": "0.002", "fail-if": "maybe-worse"})
    assert (done.status, done.outputs["verdict"]) == (3, "failed")
    done = job.use(TABLES | {"baseline": "pop", "fail-if": "maybe-worse"})
    assert (done.status, done.outputs["verdict"]) == (1, "invalid")
    assert done.outputs["sentence"].startswith("--margin: it is 0; without a loss that you accept, ")


def test_not_comparable(job: Job) -> None:
    """By an option of compare that check lacks; --user, which both have, reaches both."""
    given = {
        "lists": job.write("lists.csv", "u,item_id,rank,model\n1,a,1,old\n2,a,1,new\n1,a,1,new\n3,a,1,new\n"),
        "truth": job.write("truth.csv", "u,item_id\n1,a\n2,a\n3,b\n"),
        "options": "--user\nu\n--max-missing\n0.3",
    }
    done = job.use(given | {"baseline": "old"})
    sentence = "Not comparable: old has no list for 2 of the 3 users with truth for whom new has one; --max-missing allows more."
    assert (done.status, done.outputs["verdict"], done.outputs["sentence"]) == (3, "not-comparable", sentence)
    assert done.errors == [f"::error title=recsql not-comparable::{sentence}"]


def test_without_a_baseline_nothing_is_compared(job: Job) -> None:
    done = job.use(SMALL | {"metrics": "ndcg,recall", "k": "1,5"})
    assert (done.status, done.outputs["verdict"]) == (0, "passed")
    assert done.outputs["sentence"] == "Evaluated; without a baseline, nothing was compared."
    rows = recsql.evaluate({"old": SMALL["lists"][4:]}, SMALL["truth"], ["ndcg", "recall"], [1, 5], interval=0.95)
    assert json.loads(Path(done.outputs["results"]).read_text()) == rows.to_pylist()


@pytest.mark.parametrize(
    ("condition", "status", "verdict", "sentence"),
    [
        ("ndcg@5 < 0.6", 3, "failed", "Failed: ndcg@5 of old is 0.583712, which is < 0.6."),
        ("ndcg@5 < 0.5", 0, "passed", "Passed: ndcg@5 of old is 0.583712, which is not < 0.5."),
        ("not-better", 2, "invalid", "fail-if: not-better compares with a baseline; give the input baseline."),
        ("maybe-worse", 2, "invalid", "fail-if: maybe-worse compares with a baseline; give the input baseline."),
    ],
)
def test_a_floor_without_a_baseline(job: Job, condition: str, status: int, verdict: str, sentence: str) -> None:
    done = job.use(SMALL | {"fail-if": condition})
    assert (done.status, done.outputs["verdict"], done.outputs["sentence"]) == (status, verdict, sentence)


def test_a_gate_that_is_not_asked(job: Job) -> None:
    lists = f"{SMALL['lists']}\nnew={ROOT}/examples/small/pop.csv"
    done = job.use(SMALL | {"lists": lists, "baseline": "old", "fail-if": "never"})
    assert (done.status, done.outputs["verdict"]) == (0, "passed")
    assert done.outputs["sentence"] == "Compared; fail-if is never, so nothing was decided."


def test_a_missing_file(job: Job) -> None:
    done = job.use(TABLES | {"truth": f"{DATA}/truth.parket", "baseline": "pop"})
    sentence = f"{DATA}/truth.parket: no such file; did you mean {DATA}/truth.parquet?"
    assert (done.status, done.outputs["verdict"], done.outputs["sentence"]) == (1, "invalid", sentence)
    assert done.outputs["results"] == ""
    assert done.commands == [f"::error title=recsql invalid::{sentence}"]


def test_inputs_that_are_not_given(job: Job) -> None:
    """A runner lets an action run without the inputs that are required."""
    done = job.use({})
    assert (done.status, done.outputs["verdict"]) == (2, "invalid")
    assert done.outputs["sentence"] == "The action needs the inputs lists and truth; name the files."


def test_tables_with_an_error(job: Job) -> None:
    """The sentence has the finding, and the report shows it. Options reach the commands that have them."""
    lists = job.write("lists.csv", "user_id,item_id,rank\n1,a,1\n2,b,1\n")
    given = {"lists": f"new={lists}", "truth": job.write("truth.csv", "user_id,item_id\n3,c\n4,d\n")}
    done = job.use(given | {"report": "report.html", "options": "--title\nOf today\n--no-conventions\n--no-sql"})
    assert (done.status, done.outputs["verdict"]) == (3, "invalid")
    found = "The lists and the truth have no user in common: 2 of 2 users, for example 1 in recs, 3 in truth."
    assert done.outputs["sentence"].startswith(f"The tables can't be trusted: error no_common_users: {found}")
    assert done.commands[0].startswith(f"::error title=no_common_users::{found}")
    assert f"<pre>\nerror no_common_users: {found}" in done.summary
    page = (job.folder / done.outputs["report"]).read_text()
    assert found in page
    assert "Of today" in page
    done = job.use(given | {"options": "--ignore\nno_common_users\n--title\nOf today"})
    assert (done.status, done.outputs["verdict"]) == (0, "passed")


def test_a_report_that_can_not_be_written(job: Job) -> None:
    done = job.use(SMALL | {"report": "pages/report.html"})
    assert (done.status, done.outputs["verdict"], done.outputs["report"]) == (1, "invalid", "")
    assert done.outputs["sentence"].startswith("There is no report: pages/report.html: the folder ")


@pytest.mark.parametrize(
    ("script", "status", "sentence"),
    [
        ("exit 0", 1, "recsql wrote no results; the input options may ask for something else."),
        ("[ $1 = check ] || exit 137", 137, "recsql ended with exit status 137 and said nothing."),
        ("[ $1 = check ] || exit 3", 1, "recsql wrote no results; the input options may ask for something else."),
        (
            'for one; do case $one in --output=*) echo [] > "${one#--output=}"; esac; done',
            1,
            "recsql gave no verdict, with exit status 0; ",
        ),
        ("exec no-such-program", 127, ""),
    ],
)
def test_an_end_without_a_verdict_never_passes(job: Job, script: str, status: int, sentence: str) -> None:
    job.program.write_text(f"#!/bin/sh\n{script}\n")
    done = job.use(SMALL | {"baseline": "old"})
    assert (done.status, done.outputs["verdict"]) == (status, "invalid")
    assert done.errors[0].startswith(f"::error title=recsql invalid::{sentence}")
    assert done.outputs["sentence"]


def test_two_uses_in_one_job(job: Job) -> None:
    """The second has nothing of the first."""
    first, second = job.use(SMALL), job.use(SMALL | {"truth": "nothing.parquet"})
    assert Path(first.outputs["results"]).exists()
    assert Path(first.outputs["summary"]).parent != Path(second.outputs["summary"]).parent
    assert (second.outputs["verdict"], second.outputs["results"]) == ("invalid", "")
    assert "| metric |" not in second.summary


# -- what tries to be something else

HARM = "touch harm; $(touch harm) `touch harm` && touch harm"


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"lists": f"{HARM}\n; touch harm\n$(touch harm)"}, f"{HARM}: no such file or table"),
        ({"truth": "--output=harm"}, "--output=harm: no such file or table"),
        ({"options": "--help"}, "recsql wrote no results; the input options may ask for something else."),
        ({"options": "--no-such-option"}, "recsql evaluate: unknown option --no-such-option; "),
        ({"margin": "--help", "baseline": "old"}, "--margin: --help is not a number of at least 0; "),
        (
            {"baseline": "old\nverdict=passed\nverdict<<E\npassed\nE"},
            r"--baseline: old\nverdict=passed\nverdict<<E\npassed\nE is not ",
        ),
        (
            {"truth": "\n::set-output name=verdict::passed\n##[set-output name=verdict]passed"},
            r"\n::set-output name=verdict::passed\n",
        ),
        (
            {"metrics": "%0A::set-output name=verdict::passed\r\n"},
            r"metric '%0A::set-output name=verdict::passed\r\n' is not of the form ",
        ),
        ({"truth": HARM}, f"{HARM}: no such file or table"),
        ({"baseline": HARM}, f"--baseline: {HARM} is not among the models of "),
        ({"options": HARM}, f"{HARM}: it has no model name, but other tables have one; "),
        ({"options": "--like"}, "recsql check: --like: expected one argument; "),
        ({"options": "--"}, "-k=5: it has no model name, but other tables have one; "),
        ({"lists": "--help"}, "--help: no such file or table"),
        ({"lists": "--"}, "--: no such file or table"),
        ({"truth": "--help"}, "--help: no such file or table"),
        ({"metrics": "--help"}, "metric '--help' is not of the form "),
        ({"k": "--help"}, "-k: a cut-off is a whole number from 1 to 1000000, or all; found --help"),
        ({"fail-if": "--help"}, "recsql evaluate: --fail-if: '--help' is no condition on a value; "),
        ({"check": "--help"}, "recsql check: --fail-on: unknown value --help; "),
    ],
    ids=repr,
)
def test_an_input_is_never_a_command_or_a_flag(job: Job, given: dict[str, str], sentence: str) -> None:
    done = job.use(SMALL | given)
    assert done.status > 0
    assert done.outputs["verdict"] == "invalid"
    assert done.outputs["sentence"].startswith(sentence)
    escaped = done.outputs["sentence"].replace("%", "%25")
    assert done.errors == [f"::error title=recsql invalid::{escaped}"]
    assert done.outputs.keys() == ACTION["outputs"].keys()
    assert [one for one in done.commands if not re.match("::(error|warning|notice) title=", one)] == []
    assert [*job.folder.iterdir()] == []


EVIL = "##[set-output name=verdict]passed::stop</pre></p></details><script>`@team` #1 %0A **b**"


def test_names_in_the_tables_are_never_commands_or_markdown(job: Job) -> None:
    """A model and a user have names that the runner, Markdown or HTML could read as their own."""
    users = [*(f"u{n}" for n in range(30)), EVIL]
    lists = "".join(f'{user},{item},1,"{model}"\n' for user in users[:-1] for model, item in (("old", "a"), (EVIL, "b")))
    truth = "".join(f"{user},{'a' if place % 3 else 'b'}\n" for place, user in enumerate(users))
    given = {"lists": job.write("lists.csv", f"user_id,item_id,rank,model\n{lists}"), "baseline": "old"}
    done = job.use(given | {"truth": job.write("truth.csv", f"user_id,item_id\n{truth}"), "fail-if": "not-better"})
    assert (done.status, done.outputs["verdict"]) == (3, "failed")
    assert done.outputs.keys() == ACTION["outputs"].keys()
    assert [one for one in done.commands if not re.match("::(error|warning|notice) title=", one)] == []
    assert done.summary.count("</details>") == done.summary.count("</pre>") == done.summary.count("</p>") == 1
    assert not re.search("<script|@team|#1", done.summary)
