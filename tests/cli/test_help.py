"""The command line: help, topics, errors of usage, and completion scripts.

If it fails, help, an error of usage or a completion names a flag that isn't there, or leaves one out.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import recsql
from recsql.catalog import catalog
from recsql.cli import main
from recsql.cli.parsing import EXAMPLE
from recsql.cli.table import COMMANDS
from recsql.query.metric_names import options_of

ROOT = Path(__file__).parents[2]
DATA = ROOT / "examples/movietweetings"
SCREEN = 72  # lines of a help
SHELL = {*"|>&$*"}  # in a command that sh must read


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints that ends well."""
    try:
        status = main(arguments)
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    captured = capsys.readouterr()
    assert (status, captured.err) == (0, "")
    return captured.out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The line that wrong usage gets."""
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    captured = capsys.readouterr()
    assert (stopped.value.code, captured.out, captured.err.count("\n")) == (2, "", 1)
    return captured.err.rstrip("\n")


# -- help


@pytest.mark.parametrize("columns", ["80", "120"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_help_fits_a_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    text = said(capsys, command, "--help")
    assert text.startswith(f"usage: recsql {command} ")
    assert len(text.splitlines()) <= SCREEN
    assert max(map(len, text.splitlines())) <= int(columns)
    assert said(capsys, "help", command) == text


@pytest.mark.parametrize("topic", catalog().topics)
def test_a_topic_fits_a_screen(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, topic: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = said(capsys, "help", topic)
    start = text.index(f"{topic}: {catalog().topics[topic].title}\n")
    assert start == 0 or topic in catalog().metrics
    assert len(text.splitlines()) <= SCREEN
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("command", [name for name, row in COMMANDS.items() if row.grains])
def test_all_help_has_every_option_once(capsys: pytest.CaptureFixture[str], command: str) -> None:
    """The short help leaves out the limits of DuckDB and the topics' options."""
    everything = said(capsys, command, "--help-all")
    options = catalog().options_of(COMMANDS[command].grains)
    flags = re.findall(r"^  --?([a-z0-9-]+) [A-Z]+\b", everything, re.MULTILINE)
    called = [name.replace("__", "_") if option.called in options else option.called for name, option in options.items()]
    shown = {
        "like",
        *(("baseline", "test", "margin") if command in ("compare", "forest", "report") else ()),
        *(
            ("method", "k", "weights")
            if command == "fuse"
            else ("baseline", "denominator", "kind", "p", "depth")
            if command == "overlap"
            else ("n", "baseline", "grade")
            if command == "judge"
            else ("seen",)
            if command == "popularity"
            else ("missed",)
            if command == "hits"
            else ("margin",)
            if command == "plan"
            else ()
        ),
    }  # in the short help, too
    assert {name: flags.count(name.replace("_", "-")) for name in called} == {name: 2 if name in shown else 1 for name in called}
    assert ("--memory-limit" in everything) is (command != "macros")  # which reads no rows
    short = said(capsys, command, "--help")
    assert "--memory-limit" not in short
    assert all(f"\n  {topic.name} " in short for topic in catalog().topics.values() if {*topic.options} & {*options})


def test_each_option_has_its_readers(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert said(capsys, "help", "discount").splitlines()[:11] == [
        "discount: the factor of a gain at each rank, and the ideal list",
        "",
        "  --discount CHOICE  (default: log2p1)",
        "      the factor that a gain is multiplied by at its rank",
        "      log2p1     1 / log2(rank + 1)",
        "      jk2002     1 / max(1, log2(rank)), as in Järvelin and Kekäläinen 2002",
        "      ln1p       1 / ln(rank + 1)",
        "      geometric  discount_p ^ (rank - 1)",
        "      none       1: no discount",
        "      read by dcg, efd, epc, idcg, ndcg, awrf, gini, every metric of groups of items",
        "",
    ]
    for metric in ("dcg", "efd", "epc", "idcg", "ndcg", "gini"):
        assert "discount" in options_of(metric)
    every = "read by every metric of the users' lists, every mean over lists, every metric of all lists together"
    assert every in " ".join(said(capsys, "help", "ties").split())
    assert "read by" not in said(capsys, "help", "protocols")


def test_every_option_has_one_topic() -> None:
    topics = catalog().topics
    assert sorted(name for topic in topics.values() for name in topic.options) == sorted(catalog().options)
    assert all(topic.options for topic in topics.values())
    assert {*topics}.isdisjoint(COMMANDS), "`recsql help NAME` is a command or a topic"


def test_every_metric_has_one_group() -> None:
    groups = catalog().groups.values()
    assert all(groups)
    assert sorted(name for names in groups for name in names) == sorted(catalog().metrics)


def test_the_help_of_an_option_is_its_topic(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("no_recs", "no-recs", "No_Recs"):
        assert said(capsys, "help", name) == said(capsys, "help", "population")


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_all_commands_and_topics(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """On a terminal of 49 lines: 31 commands, since judge, and the topics of their options need as many."""
    monkeypatch.setenv("COLUMNS", str(columns))
    text = said(capsys, "help")
    assert text == said(capsys) == said(capsys, "--help")
    for name in (*COMMANDS, "-h, --help", "-V, --version"):
        assert re.search(rf"^  {name} +\w", text, re.MULTILINE), name
    _, title, topics = text.partition("\noptions that change numbers, by topic (`recsql help TOPIC`):\n")
    assert title and re.findall(r"\w+", topics) == [*catalog().topics]
    assert len(text.splitlines()) <= 49
    assert max(map(len, text.splitlines())) <= columns
    assert "\ncompare:\n  compare " in text


def test_what_most_comparisons_need_is_in_the_short_help(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "compare", "--help")
    for name in ("--baseline MODEL", "--test CHOICE", "--fail-if CONDITION", "--margin NUMBER"):
        assert f"\n  {name}" in text


@pytest.mark.parametrize("name", catalog().metrics)
def test_the_help_of_a_metric_is_its_definition(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    header = catalog().metrics[name].header
    text = said(capsys, "help", f"{name}@10" if name in COMMANDS else name)
    assert text.startswith(f"{name}: {header['title']}\n\n")
    assert header["formula"] in " ".join(text.split())
    assert f"take care: {header['care']}" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80


def test_the_help_of_a_name_of_a_metric(capsys: pytest.CaptureFixture[str]) -> None:
    """In any library; where a topic has the name as well, it follows."""
    assert said(capsys, "help", "map") == said(capsys, "help", "MAP@10") == said(capsys, "help", "ap")
    assert said(capsys, "help", "ndcg_cut") == said(capsys, "help", "ndcg")
    metric, topic = said(capsys, "help", "novelty").split("\n\nnovelty: ")
    assert "log2(U / u)" in metric
    assert topic.startswith("how few users of train know the recommended items\n\n  --novelty-base CHOICE")


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "-V") == said(capsys, "--version")
    assert re.fullmatch(r"recsql \S+, duckdb \S+\n", said(capsys, "-V"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example with a part, two models' files, and the folders that completions and new metrics are written to."""
    copy = tmp_path_factory.mktemp("examples") / "movietweetings"
    shutil.copytree(DATA, copy)
    (copy / ".zfunc").mkdir()
    for needed in (".config/fish/completions", "sql/metrics", "tests/cases"):
        (copy / needed).mkdir(parents=True)
    for name, file in {"pop": "pop.parquet", "ease": "ease.csv"}.items():
        lists = f"select * exclude model from '{copy}/recs.parquet' where model = '{name}'"
        duckdb.execute(f"copy ({lists}) to '{copy}/{file}'")
    duckdb.execute(f"copy (from '{copy}/truth.parquet') to '{copy}/truth.csv'")
    for name, log in {"log": "events", "shown": "shown"}.items():
        shutil.copy(ROOT / f"examples/log/{log}.csv", copy / f"{name}.csv")
    recsql.partial(str(copy / "recs.parquet"), str(copy / "truth.parquet"), str(copy / "part.parquet"), "hit")
    return copy


@pytest.mark.parametrize("example", [EXAMPLE, *(example for row in COMMANDS.values() for example in row.examples)])
def test_the_examples_run(
    folder: Path, example: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    status, says = in_sh(example, folder) if set(example) & SHELL else (main(shlex.split(example)[1:]), capsys.readouterr().err)
    counted = any(
        f" {name} " in example for name in ("labels", "split", "compare", "rank", "--baseline")
    )  # they say it on stderr
    assert (status, "" if counted else says) == (0, "")


def in_sh(example: str, home: Path) -> tuple[int, str]:
    """The status of a command that the shell must read, and what it says on stderr."""
    command = example.replace("recsql ", f"{sys.executable} -m recsql ", 1)
    environment = os.environ | {"PYTHONPATH": str(ROOT), "HOME": str(home)}
    done = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


# -- wrong usage


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_option_is_one_line_on_every_command(capsys: pytest.CaptureFixture[str], command: str) -> None:
    see = f"see `recsql {command} --help`"
    assert refused(capsys, command, "--xyzzy") == f"recsql {command}: unknown option --xyzzy; {see}"
    assert refused(capsys, command, "--hlep") == f"recsql {command}: unknown option --hlep; did you mean --help? {see}"
    assert refused(capsys, command, "-Z", "5") == f"recsql {command}: unknown option -Z; {see}"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("evalute a b", "recsql: unknown command evalute; did you mean evaluate?"),
        ("--verison", "recsql: unknown option --verison; did you mean --version?"),
        ("evaluate a b --likee ranx", "recsql evaluate: unknown option --likee; did you mean --like?"),
        ("evaluate --likee", "recsql evaluate: unknown option --likee; did you mean --like?"),
        ("evaluate a b --gian=exp2", "recsql evaluate: unknown option --gian; did you mean --gain?"),
        ("evaluate a b --usr=\x07", "recsql evaluate: unknown option --usr; did you mean --user?"),
        ("evaluate a b --\x07", r"recsql evaluate: unknown option --\x07;"),
        ("evaluate a", "recsql evaluate: the following arguments are required: TRUTH;"),
        ("evaluate a b -k", "recsql evaluate: -k: expected one argument;"),
        (
            "evaluate a b --format marckdown",
            "recsql evaluate: --format: unknown value marckdown; did you mean markdown? "
            "choose one of table, csv, json, markdown, latex, parquet;",
        ),
        ("curve a b", "recsql curve: the following arguments are required: -o/--output;"),
        ("macros a b", "recsql macros: unexpected argument a b;"),
        ("help tis", "recsql help: there is no command, topic, option or metric tis; did you mean ties?"),
        (
            "evaluate a b --relevance-thres 3",
            "recsql evaluate: unknown option --relevance-thres; did you mean --relevance-threshold?",
        ),
        ("evaluate a b --thre 3", "recsql evaluate: unknown option --thre; did you mean --threads?"),
        ("evaluate a b --out x", "recsql evaluate: unknown option --out; did you mean --output?"),
        ("completion zs", "recsql completion: SHELL: unknown value zs; did you mean zsh? choose one of bash, zsh, fish;"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], arguments: str, says: str) -> None:
    error = refused(capsys, *arguments.split())
    assert error == f"{says} see `{error.partition(':')[0]} --help`"


def test_what_begins_with_a_minus_can_be_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    """A number, and all that follows two minuses."""
    assert main(["evaluate", "-1", "--", "--truth"]) == 1
    assert capsys.readouterr().err.startswith("recsql: -1: ")


# -- completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(capsys: pytest.CaptureFixture[str], tmp_path: Path, shell: str) -> None:
    script = tmp_path / "script"
    script.write_text(said(capsys, "completion", shell))
    for word in (*COMMANDS, "entropy-normalize", "log_catalog", "ranx"):
        assert word in script.read_text()
    if program := shutil.which(shell):
        assert subprocess.run([program, "-n", script], check=False).returncode == 0


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("recsql ev", ["evaluate"]),
        ("recsql evaluate --li", ["--like"]),
        ("recsql evaluate --like ran", ["ranx"]),
        ("recsql evaluate a b --gain exp", ["exp2", "exp2_shifted"]),
        ("recsql evaluate a b -m nd", ["ndcg"]),
        ("recsql evaluate recs.p", ["recs.parquet"]),
        ("recsql evaluate a b -o tru", ["truth.parquet"]),
        ("recsql hits a b -k ", []),
    ],
)
def test_bash_completes(capsys: pytest.CaptureFixture[str], tmp_path: Path, words: str, completed: list[str]) -> None:
    script = tmp_path / "script"
    script.write_text(said(capsys, "completion", "bash"))
    typed = f"""
    . {script}
    COMP_WORDS=({words.replace(" ", '" "').join('""')})
    COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
    $(complete -p recsql | sed 's/.*-F \\([^ ]*\\).*/\\1/') recsql "${{COMP_WORDS[COMP_CWORD]}}" ""
    printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", typed], cwd=DATA, capture_output=True, text=True, check=True)
    assert done.stdout.split() == completed


def test_completion_without_its_library(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 1
    assert (
        capsys.readouterr().err
        == "recsql: completion: shtab is not installed; run pip install '.[completion]' in a checkout of recsql\n"
    )
