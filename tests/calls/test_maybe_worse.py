"""The gate with three verdicts: pass if no model is worse, fail if one is, unclear if the users don't tell.

If it fails, a pipeline passes on a model that nothing is known about, or stops one that is shown to be as good.
"""

import csv
import io
import json
from math import ceil, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import stats

import recsql
from recsql.base.errors import RecsqlError
from recsql.cli import main
from recsql.display.gate import apply_gate, options_for
from tests.calls.comparisons import result, row

GATES = json.loads((Path(__file__).parents[1] / "data/gates.json").read_text())
MARGIN = "margin: it is 0; without a loss that you accept, equal models can never pass, so give one above 0"


def tables(differences: dict[str, Any]) -> tuple[pa.Table, pa.Table]:
    """Lists and truth in which the cg@1 of each user and model is above that of old by a difference."""
    users = range(len(next(iter(differences.values()))))
    gains = {"old": [1.0 for _ in users]} | {model: [1 + d for d in of_users] for model, of_users in differences.items()}
    lists = [{"model": model, "user_id": user, "item_id": model, "rank": 1} for model in gains for user in users]
    truth = [
        {"user_id": user, "item_id": model, "relevance": float(gain)}
        for model, of_users in gains.items()
        for user, gain in zip(users, of_users, strict=True)
    ]
    return pa.Table.from_pylist(lists), pa.Table.from_pylist(truth)


def judged(differences: dict[str, Any], fail_if: str, margin: float, **options: Any) -> tuple[Any, list[dict[str, Any]]]:
    asked = {"baseline": "old", "findings": "off", **options_for(fail_if, margin), **options}
    found = recsql.compare(*tables(differences), "cg", 1, **asked)
    gate = apply_gate(found, fail_if)
    *lines, counted = gate.lines
    assert counted.startswith("Users in the mean: ")
    return gate._replace(lines=lines), found.to_pylist()


def spread(difference: float, std_error: float | None, df: int) -> list[float]:
    """Differences of df + 1 users with this mean and standard error; None: all are the same."""
    n, error = df + 1, std_error or 0.0
    if n % 2:
        return [difference] + [difference + sign * error * sqrt(n) for sign in (1, -1) for _ in range(n // 2)]
    return [difference + sign * error * sqrt(n - 1) for sign in (1, -1) for _ in range(n // 2)]


@pytest.mark.parametrize("case", GATES, ids=[case["name"] for case in GATES])
def test_the_golden_cases(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    models = {f"m{n}": spread(one["difference"], one["std_error"], one["df"]) for n, one in enumerate(given["rows"])}
    gate, rows = judged(models, "maybe-worse", given["margin"], interval=given["interval"])
    assert [one["p"] for one in rows] == pytest.approx(expected["p_worse"], abs=1e-9)
    assert [one["p_adjusted"] for one in rows] == pytest.approx(expected["p_worse_adjusted"], abs=1e-9)
    assert [1 - one["p"] for one in rows if one["p"] is not None] == pytest.approx(
        [p for p in expected["p_not_worse"] if p is not None], abs=1e-9
    )
    assert [one["outcome"] for one in rows] == expected["each"]
    assert gate.verdict == expected["verdict"]


@pytest.mark.parametrize("interval", [0.9, 0.95])
@pytest.mark.parametrize("margin", [0.0, 0.01])
def test_the_outcomes_against_scipy(margin: float, interval: float) -> None:
    """Failing is corrected, passing is not. `worse` has the same outcomes, `not-better` those of the opposite test."""
    rng = np.random.default_rng(57)
    models = {f"m{n:02}": rng.normal(shift, 0.1, 200) for n, shift in enumerate(np.linspace(-0.05, 0.05, 15))}
    outcomes = {}
    for side, fail_if in (("less", "worse"), ("greater", "not-better")):
        gate, rows = judged(models, fail_if, margin, interval=interval)
        at = -margin if side == "less" else margin
        shown, other = ("fail", "pass") if side == "less" else ("pass", "fail")
        opposite = {"less": "greater", "greater": "less"}[side]
        for one in rows:
            p = float(stats.ttest_1samp(models[one["model"]], at, alternative=opposite).pvalue)
            corrected = one["p_adjusted"] < round(1 - interval, 12)
            assert one["outcome"] == (shown if corrected else other if p < 1 - interval else "unclear"), one
        outcomes[side] = [one["outcome"] for one in rows]
        assert {*outcomes[side]} == {"pass", "fail", "unclear"}
        assert gate.verdict == "fail"
    if margin:
        assert [one["outcome"] for one in judged(models, "maybe-worse", margin, interval=interval)[1]] == outcomes["less"]


def test_a_pass() -> None:
    gate, _ = judged({"a": spread(0.001, 0.0005, 99), "b": spread(0.0, 0.0, 99)}, "maybe-worse", 0.002)
    assert gate.lines == ["Passed: every model is shown not to be worse than old by more than 0.002, in 2 comparisons."]


def test_a_gate_that_cannot_tell() -> None:
    """The number of users is that of a one-sided test with power 0.8, whose true difference is 0."""
    models = {"a": spread(0.001, 0.0005, 99), "new": spread(-0.001, 0.0026, 2679), "b": spread(0.01, 0.001, 2679)}
    models["a"] *= 27
    models["a"] = models["a"][:2680]
    gate, rows = judged(models, "maybe-worse", 0.002)
    assert [one["outcome"] for one in rows] == ["pass", "pass", "unclear"]
    z = stats.norm.ppf(0.95), stats.norm.ppf(0.8)
    assert ceil((sum(z) * 0.0026 / 0.002) ** 2 * 2680 + z[0] ** 2 / 2) == 28_004
    assert gate.verdict == "unclear"
    assert gate.lines == [
        "Can't tell: whether new is worse than old by more than 0.002 isn't shown, in 1 of 3 comparisons.",
        "new on cg@1: difference -0.0010 [-0.0061, 0.0041]; "
        "about 28,000 users would tell (in 4 of 5 cases, if the models are equal).",
    ]
    gate, _ = judged({"new": models["new"]}, "maybe-worse", 0.005, power=0.9, interval=0.999)
    assert gate.lines[1:] == [
        "new on cg@1: difference -0.0010 [-0.0096, 0.0076]; "
        "about 14,000 users would tell (in 9 of 10 cases, if the models are equal)."
    ]


def test_users_who_are_enough_only_for_equal_models() -> None:
    gate, _ = judged({"new": spread(-0.0018, 0.0002, 999)}, "maybe-worse", 0.002)
    assert gate.lines == [
        "Can't tell: whether new is worse than old by more than 0.002 isn't shown, in 1 of 1 comparisons.",
        "new on cg@1: difference -0.0018 [-0.0022, -0.0014]; 1,000 users are enough (in 4 of 5 cases, if the models are equal).",
    ]


def test_what_cannot_be_tested_is_unclear() -> None:
    """Six users with the same gain; ten are no chance."""
    gate, rows = judged({"new": [0.1] * 6}, "maybe-worse", 0.002)
    assert (gate.verdict, rows[0]["outcome"]) == ("unclear", "unclear")
    assert gate.lines == [
        "Can't tell: whether new is worse than old by more than 0.002 isn't shown, in 1 of 1 comparisons.",
        "The difference between new and old on cg@1, +0.1000, can't be tested: it is the same for all 6 users.",
    ]
    for difference, verdict in ((0.1, "pass"), (-0.1, "fail"), (-0.001, "pass"), (-0.002, "unclear")):
        gate, rows = judged({"new": [difference] * 10}, "maybe-worse", 0.002)
        assert (gate.verdict, rows[0]["outcome"]) == (verdict, verdict)
    gate, rows = judged({"new": [0.0] * 10}, "worse", 0.0)
    assert rows[0]["outcome"] == "unclear"


def test_a_gate_that_cannot_tell_about_several_models() -> None:
    rows = [row(model=f"m{n}", verdict="inconclusive", p=0.3, p_adjusted=1.0, outcome="unclear") for n in range(8)]
    found = result(rows, "pop", **options_for("maybe-worse", 0.002))
    gate = apply_gate(found, "maybe-worse")
    assert gate.lines[0] == "Can't tell: whether a model is worse than pop by more than 0.002 isn't shown, in 8 of 8 comparisons."
    assert len(gate.lines) == 8
    assert gate.lines[-1] == "... and 2 more: the result itself has all"


def test_a_failure_is_that_of_worse() -> None:
    rng = np.random.default_rng(3)
    models = {"a": rng.normal(-0.05, 0.1, 300), "b": rng.normal(0, 0.1, 300), "c": rng.normal(-0.012, 0.05, 300)}
    gates = [judged(models, name, 0.005)[0] for name in ("worse", "maybe-worse")]
    assert gates[0] == gates[1]
    assert gates[1].lines[0] == "Failed: a model is shown to be worse than old by more than 0.005, in 2 of 3 comparisons."


def test_what_the_other_gates_say_of_the_rest() -> None:
    models = {"a": spread(0.001, 0.0005, 99), "b": spread(0.01, 0.001, 99), "new": spread(-0.001, 0.0026, 99)}
    assert judged(models, "worse", 0.002)[0].lines == [
        "Passed: no model is shown to be worse than old by more than 0.002, in 3 comparisons; "
        "2 are shown not to be, 1 can't be told."
    ]
    assert judged(models, "not-better", 0.0)[0].lines[0] == (
        "Failed: a model is not shown to be better than old, in 1 of 3 comparisons; 1 can't be told."
    )
    assert judged(models, "not-better", 0.005)[0].lines[0] == (
        "Failed: a model is not shown to be better than old by more than 0.005, in 2 of 3 comparisons; 2 are shown not to be."
    )


# -- what is refused


def test_a_margin_of_0_is_refused() -> None:
    with pytest.raises(RecsqlError) as refused:
        options_for("maybe-worse", 0)
    assert str(refused.value) == MARGIN
    with pytest.raises(RecsqlError, match=r"^margin: -1 is not a number of at least 0; "):
        options_for("maybe-worse", -1)


def test_what_worse_refuses_is_refused() -> None:
    asked = options_for("maybe-worse", 0.002)
    with pytest.raises(RecsqlError, match=r"^fail_if: no model is compared with pop; give at least one more model$"):
        apply_gate(result([], "pop", **asked), "maybe-worse")
    with pytest.raises(RecsqlError, match=r"^fail_if: it takes high values for the better ones, and those of fp are not; "):
        apply_gate(result([row(metric="fp")], "pop", **asked), "maybe-worse")
    with pytest.raises(RecsqlError, match=r"^outcome: it applies only if alternative='greater' or 'less'; "):
        recsql.compare(*tables({"new": [0.1] * 20}), "cg", 1, baseline="old", outcome=True)
    with pytest.raises(RecsqlError, match=r"^margin: it applies only if test='t'; "):
        judged({"new": [0.1, 0.2]}, "maybe-worse", 0.002, test="sign", outcome=None)


# -- the command line


def written(folder: Path, **differences: Any) -> list[str]:
    files = [str(folder / name) for name in ("recs.parquet", "truth.parquet")]
    for path, table in zip(files, tables(differences), strict=True):
        pq.write_table(table, path)
    return [*files, "-k", "1", "-m", "cg", "--baseline", "old", "--findings", "off"]


def test_the_outcome_is_in_json_and_csv_and_in_no_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    given = ["compare", *written(tmp_path, a=spread(0.001, 0.0005, 99), b=spread(-0.001, 0.0026, 99))]
    gate = ["--margin", "0.002", "--fail-if", "maybe-worse"]
    assert main([*given, *gate, "--format", "json"]) == 4
    assert [one["outcome"] for one in json.loads(capsys.readouterr().out)] == ["pass", "unclear"]
    assert main([*given, *gate, "--format", "csv"]) == 4
    assert [one["outcome"] for one in csv.DictReader(io.StringIO(capsys.readouterr().out))] == ["pass", "unclear"]
    assert main([*given, *gate]) == 4
    with_gate = capsys.readouterr().out
    assert main([*given, "--margin", "0.002", "--alternative", "less"]) == 0
    assert capsys.readouterr().out == with_gate
    assert main([*given, "--format", "json"]) == 0
    assert "outcome" not in json.loads(capsys.readouterr().out)[0]


@pytest.mark.parametrize(("fail_if", "statuses"), [("maybe-worse", (0, 4, 3)), ("worse", (0, 0, 3)), ("not-better", (3, 3, 3))])
@pytest.mark.parametrize("command", ["compare", "report"])
def test_the_statuses(capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, fail_if: str, statuses: Any) -> None:
    page = ["-o", str(tmp_path / "report.html"), "--no-check", "--no-conventions", "--no-sql"] if command == "report" else []
    begun = {0: "Passed: ", 3: "Failed: ", 4: "Can't tell: "}
    for difference, status in zip((0.001, -0.0019, -0.01), statuses, strict=True):
        given = written(tmp_path, new=spread(difference, 0.0005, 99))
        given = given[:-2] if command == "report" else given
        assert main([command, *given, *page, "--fail-if", fail_if, "--margin", "0.002"]) == status
        assert any(line.startswith(begun[status]) for line in capsys.readouterr().err.splitlines())


def test_a_finding_of_check_is_a_failure_even_if_the_gate_cannot_tell(tmp_path: Path) -> None:
    given = written(tmp_path, new=spread(-0.0019, 0.0005, 99))[:-2]
    page = ["-o", str(tmp_path / "report.html"), "--no-conventions", "--no-sql", "--fail-if", "maybe-worse", "--margin", "0.002"]
    assert main(["report", *given, *page, "--fail-on", "note"]) == 3
    assert main(["report", *given, *page]) == 4


def test_the_margin_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["compare", *written(tmp_path, new=[0.1] * 20), "--fail-if", "maybe-worse"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == f"recsql: --{MARGIN}"


@pytest.mark.parametrize(
    ("difference", "margin", "verdict"),
    [(-0.004, 0.02, "pass"), (-0.004, 0.019, "unclear"), (-0.06, 0.02, "fail"), (0.0, 0.002, "unclear")],
)
def test_many_looks(difference: float, margin: float, verdict: str) -> None:
    """The interval of the first two is -0.0192 to 0.0112, that of the third ends at -0.0448."""
    gate, [row] = judged({"new": spread(difference, sqrt(0.02 / 800), 799)}, "maybe-worse", margin, looks="many")
    assert (gate.verdict, row["outcome"]) == (verdict, verdict)
    assert (verdict, row["low"] > -margin, row["high"] < -margin) in [
        ("pass", True, False),
        ("unclear", False, False),
        ("fail", False, True),
    ]
    assert not any("would tell" in line for line in gate.lines)


def test_too_few_users_to_look_are_unclear() -> None:
    gate, [row] = judged({"new": spread(0.5, 0.001, 39)}, "maybe-worse", 0.02, looks="many")
    assert (gate.verdict, row["outcome"], row["verdict"]) == ("unclear", "unclear", "untested")
    assert gate.lines[-1].endswith("can't be tested: too few users to look: 40; from 50 on.")
    gate, [row] = judged({"new": spread(0.5, 0.001, 59)}, "maybe-worse", 0.02, looks="many", planned_users=10**9)
    assert (gate.verdict, row["outcome"], row["verdict"], row["low"]) == ("unclear", "unclear", "inconclusive", None)
