"""The commands that do more than call a function of recsql and show its result."""

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import pyarrow as pa

import recsql
from recsql.base.errors import RecsqlError, UnknownName
from recsql.base.package import sql_root, to_install
from recsql.base.paths import refuse_same_file
from recsql.base.printing import print_error, print_text
from recsql.base.text import quoted_name
from recsql.base.wording import flag, said
from recsql.calls.call import Call, Metrics, Table
from recsql.calls.compare import options_of_tests
from recsql.calls.explain import of_user, plain, sizes_of
from recsql.calls.open_call import opened
from recsql.calls.split import PARTS, divide
from recsql.catalog import catalog
from recsql.catalog.grammar import ALL, Cutoffs
from recsql.catalog.headers import Given
from recsql.catalog.options import literal, parse_number
from recsql.cli.floor import apply_floor
from recsql.cli.running import GITHUB, arguments, as_path, calls, kind_of, parquet_out, ranks, show, show_text, width
from recsql.cli.spelling import on_command_line, say
from recsql.display import findings_text, output
from recsql.display.comparison import Pair, pairs_of
from recsql.display.drawing import drawer
from recsql.display.gate import FAIL, PASS, UNCLEAR, Outcome, apply_gate, options_for, refuse_no_share
from recsql.display.output import SHOWN, aligned
from recsql.display.topics import help_text, metrics_text
from recsql.query.over_result import over_result
from recsql.query.plan import LISTS_AND_ITEMS, USERS
from recsql.query.results import in_words_of
from recsql.query.steps import columns_of, query_of_step, row_of

FAILED = 3  # the exit status of a gate that fails, and of a check that finds something
STATUSES = {PASS: 0, FAIL: FAILED, UNCLEAR: 4}  # of the verdicts of a gate
FILES = ("FILE", "TABLE", "FOLDER")  # the metavars of options that take a path
PAGE = "report.html"  # the usual file of a report
NEVER = "never"  # what --fail-on takes besides severities


def calls_or_stops(function: Callable[..., pa.Table | None], *, is_long: bool = False) -> Callable[[argparse.Namespace], None]:
    """A run that calls `evaluate` or `per_user`, or shows the rows of one of the steps of its query."""

    def run(asked: argparse.Namespace) -> None:
        step, user_id = asked.settings.pop("stop_after", None), asked.settings.pop("user_id", None)
        if step is not None:
            show(rows_after(function.__name__, step, user_id, arguments(asked)), asked)
        elif user_id is not None:
            raise RecsqlError("--user-id: it chooses rows of a step; add --stop-after STEP, or use recsql explain")
        elif condition := vars(asked).get("fail_if"):
            result = function(**({} if condition["what"] == "value" else {"interval": True}) | arguments(asked))
            show_judged(result, asked, result)
        else:
            calls(function, is_long=is_long)(asked)

    return run


def explain(asked: argparse.Namespace) -> None:
    given = arguments(asked)
    user_id, room = given.pop("user_id", None), None if asked.output else width()
    if user_id is None:
        show(recsql.explain(**given), asked, room)
    elif kind_of(asked) == "table":
        show_text("\n\n".join(walk(user_id, room, given)), asked)
    else:
        raise RecsqlError("--format: with --user-id, explain only has tables for people; try recsql evaluate --stop-after STEP")


def open_given(
    grains: Sequence[str], recs: Table, truth: Table, metrics: Metrics = None, k: Cutoffs = None, **settings: Given
) -> AbstractContextManager[Call]:
    """The call of `evaluate` or `per_user` with the arguments of the command."""
    return opened({"recs": recs, "truth": truth}, grains, settings, metrics, k)


def rows_after(target: str, step: str, user_id: str | None, given: Mapping[str, Given]) -> pa.Table:
    """The rows of the step after which `evaluate` or `per_user` stops; those of one user, if `user_id` is given."""
    with open_given(LISTS_AND_ITEMS if target == "evaluate" else USERS, **given) as call:
        text = plain(call, target)
        query_of_step(text, step)  # refuses an unknown step first
        condition = of_user(call, text, step, user_id)
        if user_id is not None and not condition:
            there = ", ".join(columns_of(step, text.steps))
            raise RecsqlError(f"--user-id: the rows of {step} have no user; they have {there}; leave --user-id out")
        return call.described(call.engine.query(query_of_step(text, step, condition)))


def walk(user_id: str, width: int | None, given: Mapping[str, Given]) -> Iterator[str]:
    """Each step, in its plain form, with rows of one user, as text: its name, what one row is, and the first rows of the user."""
    with open_given(LISTS_AND_ITEMS, **given) as call:
        statement = plain(call)
        each = ((step, of_user(call, statement, step, user_id)) for step in statement.steps)
        conditions = {step: condition for step, condition in each if condition}
        sizes = sizes_of(call, statement, conditions)
        if not any(sizes[step] for step in conditions):
            raise RecsqlError(f"--user-id: neither recs nor truth has a user {user_id!r}; give the id of a user with a list")
        for step, condition in conditions.items():
            rows = call.engine.query(query_of_step(statement, step, condition, SHOWN))
            shown = aligned(rows, width, sizes[step], f"recsql evaluate --stop-after {step} has all")
            yield f"{step}: {said(row_of(step))}\n{shown if sizes[step] else '(no rows)'}"


def partial(asked: argparse.Namespace) -> None:
    recsql.partial(path=asked.output, **arguments(asked))


def curve(asked: argparse.Namespace) -> None:
    drawer(asked.output)  # first, so that nothing is computed for a file that can't be drawn
    recsql.curve(**arguments(asked)).save(asked.output)


def forest(asked: argparse.Namespace) -> None:
    drawer(asked.output)
    recsql.forest(recsql.compare(**arguments(asked))).save(asked.output)


# -- compare

rank = ranks(recsql.rank, recsql.forest)


def compare(asked: argparse.Namespace) -> None:
    """Shows a comparison. With --fail-if, the outcome follows on stderr; it decides the exit status."""
    given = settings_for(arguments(asked), asked.fail_if, asked.max_missing)
    path, other = asked.users_out, asked.output
    if path == "" or (path and other is not None and os.path.realpath(path) == os.path.realpath(other)):
        raise RecsqlError(f"--users-out: {'it is the file of --output' if path else 'the path is empty'}; name another file")
    if asked.texts and not asked.worst:
        raise RecsqlError("--texts: compare shows texts beside the users of --worst; give that as well, or leave this out")
    result = recsql.compare(**given)
    of_users = {name: value for name, value in given.items() if name not in (*options_of_tests(), "min_users")}
    if path is not None:
        recsql.differences(into=as_path(path), **of_users)
    means = None
    if isinstance(asked.fail_if, dict):
        apart = {name: one for name, one in of_users.items() if name != "baseline"}
        means = recsql.evaluate(**apart, interval=given.get("interval") or True)
    worst = recsql.differences(texts=asked.texts, **of_users) if asked.worst else None
    show_judged(result, asked, means)
    if worst is not None:
        show_worst(pairs_of(result)[0], worst, asked)


def show_worst(first: Pair, rows: pa.Table, asked: argparse.Namespace) -> None:
    """Shows the users who lose most to the baseline, for each pair of models, at the first metric and cut-off."""
    at = {"metric": literal(first.metric), "k": literal(first.k), "sign": first.orientation or 1}
    worst = over_result("worst", rows, user=quoted_name(rows.column_names[2]), most=asked.worst, **at)
    for line in ["", *aligned(worst, width()).split("\n")]:
        (print_text if kind_of(asked) == "table" else print_error)(line)


def settings_for(
    given: Mapping[str, Given], gate: str | dict[str, str] | None, limit: float | str | None = None
) -> dict[str, Given]:
    """The settings of `compare`, with the test that the gate needs; raises RecsqlError if they contradict the gate."""
    refuse_no_share(limit)
    if not isinstance(gate, str) and limit is not None:
        raise RecsqlError("--max-missing: it is a limit of --fail-if; give that as well, or leave this out")
    if not isinstance(gate, str):
        return dict(given)
    if given.get("alternative") is not None:
        raise RecsqlError("--alternative: --fail-if chooses the direction of the test; leave one of them out")
    return {**given, **options_for(gate, parse_number(str(given.get("margin") or 0)), given.get("test"))}


def show_judged(result: pa.Table, asked: argparse.Namespace, means: pa.Table | None = None) -> None:
    """Shows a result and the outcome of its gate, if there is one: a condition is about `means`."""
    judged = judge(result, asked, means)
    if judged is not None:
        asked.status = STATUSES[judged.verdict]  # first, because showing the result may fail
    show(result, asked)
    print_judged(judged, result)


def judge(result: object, asked: argparse.Namespace, means: pa.Table | None) -> Outcome | None:
    """The outcome of the gate of a comparison; for a condition, of the means of the models but the baseline."""
    if isinstance(asked.fail_if, dict):
        return apply_floor(means, asked.fail_if, asked.settings.get("baseline"))
    return apply_gate(result, asked.fail_if, asked.max_missing) if asked.fail_if else None


def print_judged(judged: Outcome | None, result: pa.Table) -> None:
    """Prints the outcome of a gate on stderr, if there is one, in the words of the result."""
    sys.stdout.flush()  # so that the outcome comes last
    with in_words_of(result):
        for line in judged.lines if judged is not None else ():
            print_error(said(line))


def report(asked: argparse.Namespace) -> None:
    """Writes a report and prints its verdict. The exit status is that of --fail-if, or 3 if the gate of --fail-on fails."""
    path, given = asked.output or PAGE, arguments(asked)
    if asked.summary is not None:
        refuse_same_file({"--output": path, "--summary": asked.summary})
    if asked.fail_on is not None and not given["check"]:
        raise RecsqlError("--fail-on: it is about what check finds; leave --no-check out")
    if isinstance(asked.fail_if, str) and given.get("baseline") is None and given.get("train") is None:
        raise RecsqlError("--fail-if: it compares models with a baseline; name one with --baseline, or give --train")
    gate = settings_for(given, asked.fail_if, asked.max_missing)
    shown = {name: value for name, value in given.items() if name != "margin" or not asked.fail_if}  # it is for the gate
    page = recsql.report(**shown, out=None)
    if isinstance(asked.fail_if, str) and page.refused is None and page.evidence.named_baseline is None:
        raise RecsqlError(f"--fail-if: there is no baseline from --train: {page.evidence.no_popularity}")
    judged = None
    if asked.fail_if and page.refused is None:
        tests = {name: gate.get(name) for name in ("alternative", "margin", "outcome")}
        again = page.compared_again(tests) if isinstance(asked.fail_if, str) else None
        judged = judge(again, asked, page.evidence.values)
    if judged is not None:
        asked.status = STATUSES[judged.verdict]
    if asked.fail_on and findings_text.has_found(page.findings, asked.fail_on):
        asked.status = FAILED
    if page.refused is not None:
        asked.status = asked.status or 1  # as for any bad input
    page.save(path)
    if asked.summary is not None:
        output.save(page.summary, asked.summary)
    print_text("\n".join([*map(on_command_line, repr(page).split("\n")), "", path]))
    if judged is not None:
        print_judged(judged, page.evidence.values)


# -- check


def check(asked: argparse.Namespace) -> None:
    """Shows the findings in the tables. The exit status is 3 for a finding of the severity --fail-on or a worse one."""
    given, asked.rows = arguments(asked), None  # which are not those of a table of means
    result = recsql.check(**given)
    if given.get("rows") is None and asked.fail_on != NEVER and findings_text.has_found(result, asked.fail_on):
        asked.status = FAILED
    if asked.format == GITHUB:
        with in_words_of(result):
            show_text("\n".join(said(on_command_line(one)) for one in findings_text.annotations(result)), asked)
    else:
        show(result, asked)


# -- files of train and truth


def split(asked: argparse.Namespace) -> None:
    files = {part: getattr(asked, part) for part in PARTS}
    if asked.output is None:
        files = {part: path or free_file(part) for part, path in files.items()}
    elif any(files.values()):
        raise RecsqlError("--output: it is for all rows with the column part; give it, or --train and --truth")
    into, given = parquet_out(asked), arguments(asked)
    rows, told = divide(given.pop("interactions"), files, into, given)
    show(rows, asked)
    for sentence in told:
        say(sentence)


def labels(asked: argparse.Namespace) -> None:
    given = arguments(asked)
    has_lists = given.get("impressions") is not None and given.get("unit", "request") == "request"
    recs = asked.recs_file or (free_file("recs") if has_lists else None)
    say(recsql.labels(recs=recs, truth=asked.truth_file or free_file("truth"), **given))


def free_file(part: str) -> str:
    """The usual file of a part; raises RecsqlError if it is already there."""
    file = f"{part}.parquet"
    if Path(file).exists():
        raise RecsqlError(f"{file}: it already exists; choose another file with {flag(part)}")
    return file


# -- recsql itself


def macros(asked: argparse.Namespace) -> None:
    from recsql import shell  # a tenth of the start of a command, which only this one needs

    given = arguments(asked)
    file = shell.File(asked.schema, given.pop("metrics", None), given)
    if asked.output and asked.output.endswith(shell.DATABASE):
        shell.save_database(file, asked.output)
    else:
        show_text((file.check if asked.check else file.text).rstrip("\n"), asked)


def metrics(asked: argparse.Namespace) -> None:
    if kind_of(asked) == "table" and not asked.output:
        print_text(metrics_text())
    else:
        show(recsql.metrics(), asked)


def show_help(asked: argparse.Namespace) -> None:
    """The help of a command, or of the metric, topic or option of a name; without a name, a list of all."""
    name, top = asked.subject, asked.parser()
    if name is None or name in top.commands.choices:
        print_text(top.commands.choices.get(name, top).format_help().rstrip())
        return
    try:
        print_text(help_text(name, top.commands.choices))
    except UnknownName as error:
        asked.command.error(str(error))


def completion(asked: argparse.Namespace) -> None:
    """Prints the script for a shell to complete commands, options, their values and files."""
    try:
        import shtab
    except ImportError:
        raise RecsqlError(f"completion: shtab is not installed; {to_install('completion')}") from None
    top, own = asked.parser(), {"metrics": [*catalog().metrics, ALL], "stop_after": [*catalog().steps]}
    for action in (action for command in top.commands.choices.values() for action in command._actions):
        if action.choices is None and action.nargs != 0:
            option = catalog().options.get(action.dest)
            action.choices = own.get(action.dest) or (option.choices if option else None) or None
            if action.choices is None and (action.metavar in FILES or not action.option_strings):
                vars(action)["complete"] = shtab.DIRECTORY if action.metavar == "FOLDER" else shtab.FILE
    print_text(str(shtab.complete(top, shell=asked.shell)))


def new_metric(name: str) -> str:
    """Writes the files of a new metric, which is hits / k until you edit it, into a checkout, and says what to do next."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise RecsqlError(f"{name}: a metric's name has lower-case letters, digits and underscores, and begins with a letter")
    if name in catalog().names:
        raise RecsqlError(f"{name}: this is already a name of {catalog().names[name]}; choose another name")
    metric, case = Path(f"sql/metrics/{name}.sql"), Path(f"tests/cases/{name}.toml")
    for path in (metric, case):
        if not path.parent.is_dir():
            raise RecsqlError(f"{path.parent}: there is no such folder here; run this in the root of a checkout of recsql")
        if path.exists():
            raise RecsqlError(f"{path}: it already exists; choose another name")
    made = [
        (sql_root() / "new" / template).read_text(encoding="utf-8").replace("NAME", name)
        for template in ("metric.jinja", "case.toml", "next.txt")
    ]
    metric.write_text(made[0], encoding="utf-8")
    case.write_text(made[1], encoding="utf-8")
    return made[2].rstrip()
