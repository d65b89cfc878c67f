"""The sentences under a comparison, and the gate for CI.

If it fails, the sentence under a comparison, or the exit status in CI, contradicts its numbers.
"""

import json
import re
import shlex
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from scipy import stats

from recsql.base.errors import RecsqlError
from recsql.base.text import cases
from recsql.cli import command, main
from recsql.cli.commands import settings_for, show_judged
from recsql.cli.parsing import parser
from recsql.display.comparison import pairs_of, settings_of
from recsql.display.comparison_text import sentences
from recsql.display.gate import apply_gate, options_for
from recsql.display.shown import Shown
from tests.calls.comparisons import Values, compared, result, row

ROOT = Path(__file__).parents[2]
NDCG = ("ndcg", 10)
SIX = {NDCG: {"new": [1, 0.5, 0, 0.25, 1, 0], "old": [0.5, 0.5, 0, 0, 0.25, 0.5]}}
RNG = np.random.default_rng(5)
BASE = RNG.uniform(0.2, 0.7, 300)
NOISE = RNG.normal(0, 0.01, (3, 300))


def shifted(**shifts: float) -> dict[tuple[str, int | None], dict[str, list[float | None]]]:
    """Models whose ndcg@10 differs from that of old by a shift and some noise."""
    models = {name: list(BASE + shift + noise) for (name, shift), noise in zip(shifts.items(), NOISE, strict=False)}
    return {NDCG: models | {"old": list(BASE)}}


def findings(table: pa.Table) -> list[str]:
    return list(Shown.of(table).notes)


def first(**found: Any) -> str:
    """The sentence on the row of the specification, with other values and options."""
    options = {name: found.pop(name) for name in ("test", "alternative", "margin", "power", "correction") if name in found}
    return findings(result([row(**found)], "pop", **{"correction": "none"} | options))[0]


# -- sentences


def test_the_sentence_of_the_specification(shared: Path) -> None:
    """Over the golden values of scipy and statsmodels for 54 comparisons."""
    golden = json.loads((shared / "statistics/values.json").read_text())["compare"]
    named = {"baseline": "pop", "unpaired": 0, "few": False}
    rows = [one | named | {"p_adjusted": one["p_holm"]} for one in golden]
    [place] = [n for n, one in enumerate(rows) if (one["model"], one["metric"], one["k"]) == ("ease", "ndcg", 10)]
    told = findings(result([rows[place], *rows[:place], *rows[place + 1 :]], "pop"))
    assert told[0] == (
        "ease is worse than pop on ndcg@10 by 0.0098 [0.0047, 0.0148], p = 0.00015 (Holm over 54 comparisons: 0.0026); "
        "no difference for 2,252 of 2,681 users."
    )


def test_a_better_model_and_a_worse_one() -> None:
    assert first() == (
        "ease is worse than pop on ndcg@10 by 0.0098 [0.0047, 0.0148], p = 0.00015; no difference for 2,252 of 2,681 users."
    )
    assert first(difference=0.0098, low=0.0047, high=0.0148, wins=258, losses=171, ties=0, k=None) == (
        "ease is better than pop on ndcg by 0.0098 [0.0047, 0.0148], p = 0.00015."
    )
    assert first(metric="fn").startswith("ease is better than pop on fn@10 by 0.0098 ")
    assert first(metric="ndcg(gain=exp2)", model="a\nb").startswith("a b is worse than pop on ndcg(gain=exp2)@10 by ")


def test_nothing_found() -> None:
    """Never that there is no difference."""
    assert first(p=0.2, p_adjusted=0.2) == (
        "No difference found between ease and pop on ndcg@10; "
        "a difference of 0.0072 or more would have been found in 4 of 5 cases."
    )
    assert first(p=0.2, p_adjusted=0.2, detectable=None) == "No difference found between ease and pop on ndcg@10."
    assert first(p=0.05, p_adjusted=0.05).startswith("No difference found")
    assert first(p=0.0499, p_adjusted=0.0499).startswith("ease is worse")


def test_a_correction_that_makes_the_difference() -> None:
    """The smallest difference that would be found is that of a test alone, and the p of such a test is shown if it is small."""
    rows = [row(p=0.03, p_adjusted=0.06), row(k=5, p=0.2, p_adjusted=0.2)]
    assert findings(result(rows, "pop"))[:2] == [
        "The difference between ease and pop on ndcg@10, -0.0098 [-0.0148, -0.0047], is not shown "
        "after the correction for 2 tests: p = 0.03 (Holm over 2 comparisons: 0.06); "
        "tested alone, a difference of 0.0072 or more would have been found in 4 of 5 cases.",
        "No difference found between ease and pop on ndcg@5; "
        "tested alone, a difference of 0.0072 or more would have been found in 4 of 5 cases.",
    ]
    for options, begun in (
        (GREATER, "It is not shown after the correction for 2 tests that ease is better than pop on ndcg@10: difference"),
        ({"test": "sign"}, "No difference shown between ease and pop on ndcg@10 after the correction for 2 tests, p = 0.03"),
    ):
        assert findings(result(rows, "pop", **options))[0].startswith(begun)
    gate = apply_gate(result(rows, "pop", **LESS), "worse")
    assert not gate.fails
    assert gate.lines[0] == "Passed: no model is shown to be worse than pop, in 2 comparisons."
    assert gate.lines[1].startswith("It is not shown after the correction for 2 tests that ease is worse than pop on ndcg@10: ")


@pytest.mark.parametrize(
    ("power", "words"),
    [
        (0.8, "4 of 5 cases"),
        (0.9, "9 of 10 cases"),
        (0.75, "3 of 4 cases"),
        (0.5, "1 of 2 cases"),
        (0.95, "19 of 20 cases"),
        (1 / 3 + 1 / 3, "2 of 3 cases"),
        (0.99, "99 of 100 cases"),
    ],
)
def test_the_power_in_words(power: float, words: str) -> None:
    assert cases(power) == words
    assert first(p=0.2, p_adjusted=0.2, power=power).endswith(f"would have been found in {words}.")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (
            {"users": 1, "low": None, "high": None, "std_error": None, "wins": 0, "ties": 0, "losses": 1},
            "The difference between ease and pop on ndcg@10, -0.0098, can't be tested: only one user has values of both.",
        ),
        (
            {"std_error": 0.0, "low": None, "high": None},
            "The difference between ease and pop on ndcg@10, -0.0098, can't be tested: it is the same for all 2,681 users.",
        ),
        (
            {"std_error": None},
            "The difference between ease and pop on ndcg@10, -0.0098, can't be tested: its standard error can't be computed.",
        ),
        (
            {"ties": 2681, "difference": 0.0, "std_error": 0.0},
            "ease and pop have the same ndcg@10: no user differs (2,681 users).",
        ),
        ({"ties": 1, "users": 1, "difference": 0.0}, "ease and pop have the same ndcg@10: no user differs (1 user)."),
        (
            {"users": 0, "wins": 0, "ties": 0, "losses": 0, "difference": None},
            "ease and pop can't be compared on ndcg@10: no user has values of both.",
        ),
    ],
    ids=["one user", "same difference", "no standard error", "same values", "same value", "no user"],
)
def test_what_cannot_be_tested(found: dict[str, Any], expected: str) -> None:
    assert first(p=None, p_adjusted=None, **found) == expected


def test_numbers_are_written_in_sentences_as_in_tables() -> None:
    """Also -0.0, what four decimals can't show, halves, and large numbers."""
    numbers = [0.0, -0.0, 1e-300, -2.5e-9, 4.99999999999999e-5, 5e-5, -5e-5, 0.00015, 0.12345, -0.00625, -99999.99995, 1e7]
    rows = [row(difference=one, low=-one, high=one, p=0.2, p_adjusted=0.5, detectable=None) for one in numbers]
    table = result(rows, "pop", correction="none", alternative="greater")
    settings = settings_of(table)
    assert settings
    for number, sentence in zip(numbers, sentences(pairs_of(table), settings), strict=True):
        texts = [f"{one:.2g}" if one and abs(one) < 5e-5 else f"{one + 0.0:.4f}" for one in (number, -number, number)]
        sign = "" if texts[0].startswith("-") else "+"
        assert sentence.endswith(f": difference {sign}{texts[0]} [{texts[1]}, {texts[2]}], p = 0.2.")
    for p in (1e-12, 9.99e-5, 1e-4, 0.000104999, 0.0345, 0.0995, 0.995, 1.0):
        told = "p < 0.0001" if p < 1e-4 else f"p = {p:.2g}"
        assert f" on ndcg@10, {told}; " in first(p=p, p_adjusted=p, test="sign")


def test_models_with_the_same_values() -> None:
    """Also if a test gives them a p."""
    found = findings(compared({NDCG: {"a": [1, 0, 1, 1], "b": [1, 0, 1, 1]}}))
    assert found[0] == "a and b have the same ndcg@10: no user differs (4 users)."
    assert not any("few users" in line for line in found)
    assert first(ties=2681, difference=0.0, p=1.0, p_adjusted=1.0).startswith("ease and pop have the same ndcg@10")


LESS, GREATER = {"alternative": "less"}, {"alternative": "greater"}
AT = "difference -0.0098 [-0.0148, -0.0047]"


@pytest.mark.parametrize(
    ("options", "claim", "needed"),
    [
        (LESS | {"margin": 0.002}, "ease is worse than pop on ndcg@10 by more than 0.002", "-0.0092"),
        (LESS | {"margin": -0.02}, "ease is at most 0.02 better than pop on ndcg@10", "+0.0128"),
        (GREATER | {"margin": 0.02}, "ease is at most 0.02 worse than pop on ndcg@10", "-0.0128"),
        (GREATER | {"margin": -0.05}, "ease is better than pop on ndcg@10 by more than 0.05", "+0.0572"),
    ],
    ids=["less", "less, negative margin", "greater", "greater, negative margin"],
)
def test_directions_and_margins(options: dict[str, Any], claim: str, needed: str) -> None:
    """The difference that would have shown it is detectable, 0.0072, away from -margin."""
    assert first(p=0.01, p_adjusted=0.01, **options) == f"{claim}: {AT}, p = 0.01."
    assert first(p=0.3, p_adjusted=0.3, **options) == (
        f"It is not shown that {claim}: {AT}, p = 0.3; a difference of {needed} would have shown it in at least 4 of 5 cases."
    )
    assert first(p=0.3, p_adjusted=0.3, detectable=None, **options) == f"It is not shown that {claim}: {AT}, p = 0.3."


def test_a_direction_without_a_margin() -> None:
    assert first(**LESS) == first()
    assert first(p=0.3, p_adjusted=0.3, **LESS).startswith(f"It is not shown that ease is worse than pop on ndcg@10: {AT}, ")


def test_tests_that_are_not_about_means() -> None:
    """They may find a difference against that of the means, so that neither model is called better."""
    means = "Difference of the means: -0.0098 [-0.0148, -0.0047]."
    users = "ease is better for 171 users and worse for 258"
    assert first(test="sign") == f"ease and pop differ on ndcg@10, p = 0.00015; {users}. {means}"
    assert first(test="wilcoxon", p=0.5, p_adjusted=0.5) == (
        f"No difference found between ease and pop on ndcg@10, p = 0.5; {users}. {means}"
    )
    assert first(test="sign", **LESS, margin=0.002) == (
        f"It is shown that ease tends to be worse than pop on ndcg@10 by more than 0.002, p = 0.00015; {users}. {means}"
    )
    assert first(test="sign", p=0.5, p_adjusted=0.5, **GREATER).startswith(
        "It is not shown that ease tends to be better than pop on ndcg@10, p = 0.5; "
    )


def test_such_a_test_has_to_agree_with_the_means_for_the_table() -> None:
    """More users are better off, by less: pop has the higher mean, and is not called better."""
    for test, superscripts in (("t", ["b"]), ("sign", [])):
        table = result([row(wins=300, losses=129)], "pop", test=test, correction="none")
        assert re.findall(r"\^\{(\w)\}", Shown.of(table).latex()) == superscripts


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({}, "p: paired t test, two-sided, one comparison. Intervals: 95 %, not adjusted."),
        ({"correction": "none"}, "p: paired t test, two-sided, one comparison. Intervals: 95 %, not adjusted."),
        (
            {"test": "randomisation", "interval": 0.9},
            "p: randomisation test, two-sided, one comparison. Intervals: 90 %, not adjusted.",
        ),
        (LESS | {"margin": 0.002}, "p: paired t test, difference < -0.002, one comparison. Intervals: 95 %, not adjusted."),
        (GREATER, "p: paired t test, difference > 0, one comparison. Intervals: 95 %, not adjusted."),
    ],
)
def test_the_line_on_the_test(options: dict[str, Any], line: str) -> None:
    assert line in findings(result([row()], "pop", **options))


def test_the_line_on_corrections() -> None:
    of_models: Values = {"a": [1, 0, 0.5], "b": [0, 0, 1], "c": [0, 1, 1]}
    values = {("ndcg", k): of_models for k in (5, 10)}
    alone = "Intervals: 95 %, not adjusted."
    lines = {
        "none": f"p: paired t test, two-sided, not adjusted. {alone}",
        "bonferroni": "p: paired t test, two-sided, adjusted by Bonferroni over 6 comparisons. "
        "Intervals: 95 %, widened for all together.",
        "bh": f"p: paired t test, two-sided, adjusted by Benjamini-Hochberg over 6 comparisons. {alone}",
    }
    for correction, line in lines.items():
        assert line in findings(compared(values, correction=correction))


# -- the gate


def judged(fail_if: str, margin: float, **shifts: float) -> Any:
    return apply_gate(compared(shifted(**shifts), "old", **options_for(fail_if, margin)), fail_if)


def test_the_options_of_each_gate() -> None:
    for gate in ("worse", "maybe-worse"):
        assert options_for(gate, 0.002) == {"alternative": "less", "margin": 0.002, "outcome": "true"}
    assert options_for("not-better", 0.002) == {"alternative": "greater", "margin": -0.002, "outcome": "true"}
    assert options_for("worse", 0.0, "sign") == {"alternative": "less", "margin": 0.0}
    assert str(options_for("not-better")["margin"]) == "0.0"


@pytest.mark.few(5)
@pytest.mark.parametrize("shift", [-0.02, -0.003, -0.0005, 0.0, 0.0005, 0.003, 0.02])
@pytest.mark.parametrize("margin", [0.0, 0.002])
def test_gates_against_scipy(shift: float, margin: float) -> None:
    """Fails as worse if the interval's upper end is below -margin, as not better unless its lower end is above the margin."""
    d = BASE + shift + NOISE[0] - BASE
    one_sided = stats.ttest_1samp(d, 0, alternative="less").confidence_interval(0.95).high
    assert judged("worse", margin, new=shift).fails == (one_sided < -margin)
    one_sided = stats.ttest_1samp(d, 0, alternative="greater").confidence_interval(0.95).low
    assert judged("not-better", margin, new=shift).fails == (not one_sided > margin)


def test_what_the_gate_says() -> None:
    found = judged("worse", 0.002, new=-0.02, other=0.01)
    assert found.fails
    assert found.lines[0] == "Failed: a model is shown to be worse than old by more than 0.002, in 1 of 2 comparisons."
    [line] = found.lines[1:]
    assert line.startswith("new is worse than old on ndcg@10 by more than 0.002: difference -0.0")
    found = judged("worse", 0.002, new=0.02, other=0.01)
    assert (found.fails, found.lines) == (
        False,
        ["Passed: no model is shown to be worse than old by more than 0.002, in 2 comparisons; 2 are shown not to be."],
    )
    found = judged("not-better", 0.0, new=-0.02, other=0.01)
    assert found.fails
    assert found.lines[0] == "Failed: a model is not shown to be better than old, in 1 of 2 comparisons; 1 is shown not to be."
    assert found.lines[1].startswith("It is not shown that new is better than old on ndcg@10: difference -0.0")
    found = judged("not-better", 0.002, new=0.02, other=0.01)
    assert (found.fails, found.lines) == (
        False,
        ["Passed: every model is shown to be better than old by more than 0.002, in 2 comparisons."],
    )


def test_a_gate_names_at_most_six() -> None:
    rows = [row(model=f"m{n}", p=0.001, p_adjusted=0.008) for n in range(8)]
    found = apply_gate(result(rows, "pop", alternative="less"), "worse")
    assert found.lines[0] == "Failed: a model is shown to be worse than pop, in 8 of 8 comparisons."
    assert len(found.lines) == 8
    assert found.lines[-1] == "... and 2 more: the result itself has all"


@pytest.mark.parametrize(
    "values",
    [{"new": [0.5], "old": [1]}, {"new": [0, 0, 0], "old": [0.5, 0.5, 0.5]}, {"new": [0, 1, 1], "old": [0, 1, 1]}],
    ids=["one user", "the same difference", "the same values"],
)
def test_what_cannot_be_tested_shows_nothing(values: dict[str, list[float | None]]) -> None:
    found = apply_gate(compared({NDCG: values}, "old", **options_for("worse")), "worse")
    assert not found.fails
    begun = "Passed" if values["new"] == values["old"] else "Can't be tested"
    told = [f"{begun}: no model is shown to be worse than old, in 1 comparison; 1 can't be told.", "Not tested: 1 of these."]
    assert found.lines[:2] == told
    assert re.search("can't be tested|have the same", found.lines[2])
    found = apply_gate(compared({NDCG: values}, "old", **options_for("not-better")), "not-better")
    assert found.fails
    assert re.search("can't be tested|have the same", found.lines[1])


def test_a_gate_that_passes_says_first_what_was_not_tested() -> None:
    values = {"a": [0.25] * 9, "b": [0.5] * 8 + [1.0], "old": [0.5] * 9}
    found = apply_gate(compared({NDCG: values}, "old", **options_for("worse")), "worse")
    assert not found.fails
    assert found.lines[:3] == [
        "Passed, but 1 of 2 can't be tested: no model is shown to be worse than old, in 2 comparisons; 2 can't be told.",
        "Not tested: 1 of these.",
        "The difference between a and old on ndcg@10, -0.2500, can't be tested: it is the same for all 9 users.",
    ]


SAME = "the same for all {} users, which no t test can judge."


@pytest.mark.parametrize(
    ("fail_if", "margin", "users", "shift", "fails", "line"),
    [
        ("worse", 0.0, 10, -0.25, True, f"new is worse than old on ndcg@10: difference -0.2500, {SAME}"),
        (
            "worse",
            0.0,
            9,
            -0.25,
            False,
            "The difference between new and old on ndcg@10, -0.2500, can't be tested: it is the same",
        ),
        ("worse", 0.0, 10, 0.25, False, None),
        ("worse", 0.2, 60, -0.25, True, f"new is worse than old on ndcg@10 by more than 0.2: difference -0.2500, {SAME}"),
        ("worse", 0.25, 60, -0.25, False, None),
        (
            "not-better",
            0.0,
            60,
            -0.25,
            True,
            f"It is not shown that new is better than old on ndcg@10: difference -0.2500, {SAME}",
        ),
        ("not-better", 0.0, 10, 0.25, False, None),
        (
            "not-better",
            0.0,
            9,
            0.25,
            True,
            "The difference between new and old on ndcg@10, +0.2500, can't be tested: it is the same",
        ),
        (
            "not-better",
            0.5,
            10,
            0.25,
            True,
            "It is not shown that new is better than old on ndcg@10 by more than 0.5: difference +",
        ),
    ],
)
def test_equal_differences_at_a_gate(
    fail_if: str, margin: float, users: int, shift: float, fails: bool, line: str | None
) -> None:
    """A t test of equal differences has no p, but ten of them are no chance."""
    old = [0.25 + 0.5 * (n % 2) for n in range(users)]
    table = compared({NDCG: {"new": [one + shift for one in old], "old": old}}, "old", **options_for(fail_if, margin))
    found = apply_gate(table, fail_if)
    assert found.fails == fails
    if line is None:
        assert [one.split(":")[0] for one in found.lines] == ["Passed"]
    else:
        assert any(one.startswith(line.format(users)) for one in found.lines[1:])


def test_a_gate_that_fails_also_says_what_was_not_tested() -> None:
    rows = [row(model="a"), row(model="b", p=None, p_adjusted=None, std_error=0.0)]
    lines = apply_gate(result(rows, "pop", alternative="less", correction="none"), "worse").lines
    assert [line.split(" ")[0] for line in lines] == ["Failed:", "a", "Not", "The"]


def test_a_p_that_is_no_number_shows_nothing() -> None:
    rows = [row(p=float("nan"), p_adjusted=float("nan"))]
    assert not apply_gate(result(rows, "pop", alternative="less"), "worse").fails
    assert apply_gate(result(rows, "pop", alternative="greater"), "not-better").fails


@pytest.mark.parametrize(
    ("table", "fail_if", "message"),
    [
        (result([row()], None, alternative="less"), "worse", "it compares models with a baseline; name one with baseline="),
        (result([], "pop", alternative="less"), "worse", "no model is compared with pop; give at least one more model"),
        (result([row(metric="fp")], "pop", alternative="less"), "worse", "those of fp are not; leave it out"),
    ],
)
def test_what_a_gate_refuses(table: pa.Table, fail_if: str, message: str) -> None:
    with pytest.raises(RecsqlError, match=re.escape(message)):
        apply_gate(table, fail_if)


@pytest.mark.parametrize("margin", [-0.1, float("nan"), float("inf")])
def test_a_margin_that_is_no_margin(margin: float) -> None:
    with pytest.raises(
        RecsqlError, match=r"^margin: .* is not a number of at least 0; give the largest difference that doesn't matter$"
    ):
        options_for("worse", margin)


# -- the command line


def test_the_flag_of_the_gate(capsys: pytest.CaptureFixture[str]) -> None:
    tables = ["recs", "truth"]
    compare = parser(["compare"]).commands.choices["compare"]
    assert [compare.parse_args([*tables, "--fail-if", gate]).fail_if for gate in ("worse", "not-better")] == [
        "worse",
        "not-better",
    ]
    assert compare.parse_args(tables).fail_if is None
    with pytest.raises(SystemExit, match="2"):
        compare.parse_args([*tables, "--fail-if", "better"])
    assert "better" in capsys.readouterr().err


def test_the_settings_of_compare() -> None:
    given = {"baseline": "pop", "margin": "0.002"}
    assert settings_for(given, None) == given
    assert settings_for(given, "worse") == {"baseline": "pop", "alternative": "less", "margin": 0.002, "outcome": "true"}
    assert settings_for(given, "not-better") == {"baseline": "pop", "alternative": "greater", "margin": -0.002, "outcome": "true"}
    assert settings_for({"test": "sign"}, "worse") == {"test": "sign", "alternative": "less", "margin": 0}
    with pytest.raises(RecsqlError, match=r"^--alternative: --fail-if chooses the direction of the test; leave one of them out$"):
        settings_for(given | {"alternative": "greater"}, "worse")
    with pytest.raises(RecsqlError, match=r"^margin: much is not a number of at least 0; "):
        settings_for({"margin": "much"}, "worse")


@pytest.mark.parametrize(
    ("gate", "status", "line"),
    [
        ("worse --margin 0.002", 3, "Failed: a model is shown to be worse than pop by more than 0.002, in 1 of 1 comparisons."),
        (
            "worse --margin 0.02",
            0,
            "Passed: no model is shown to be worse than pop by more than 0.02, in 1 comparison; 1 is shown not to be.",
        ),
        ("not-better", 3, "Failed: a model is not shown to be better than pop, in 1 of 1 comparisons; 1 is shown not to be."),
        ("not-better --test sign", 3, "Failed: a model is not shown to be better than pop, in 1 of 1 comparisons."),
        (
            "maybe-worse --margin 0.002",
            3,
            "Failed: a model is shown to be worse than pop by more than 0.002, in 1 of 1 comparisons.",
        ),
        (
            "maybe-worse --margin 0.01",
            4,
            "Can't tell: whether ease is worse than pop by more than 0.01 isn't shown, in 1 of 1 comparisons.",
        ),
        (
            "maybe-worse --margin 0.02",
            0,
            "Passed: every model is shown not to be worse than pop by more than 0.02, in 1 comparison.",
        ),
    ],
)
def test_the_gate_of_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path, gate: str, status: int, line: str) -> None:
    """The difference of ease from pop is -0.0098, with a standard error of 0.0026."""
    folder = ROOT / "examples/movietweetings"
    lists = pq.read_table(folder / "recs.parquet")
    models = [f"{name}={tmp_path / name}.parquet" for name in ("pop", "ease")]
    for one in models:
        name, _, path = one.partition("=")
        pq.write_table(lists.filter(pc.equal(lists["model"], name)).drop_columns("model"), path)
    options = f"-m ndcg -k 10 --baseline pop --fail-if {gate}".split()
    assert main(["compare", *models, str(folder / "truth.parquet"), *options]) == status
    shown = capsys.readouterr()
    assert shown.err.splitlines()[0].startswith("recsql: warning: ease and pop have lists for different users: ")
    assert shown.err.splitlines()[1] == line
    assert shown.out.splitlines()[3].startswith("ndcg@10  ease   0.0373        -0.0098 [-0.0149, -0.0048]")


@pytest.mark.parametrize(
    ("gate", "status", "lines"),
    [
        (
            "worse",
            3,
            [
                "Failed: a model is shown to be worse than old, in 1 of 4 comparisons.",
                "new is worse than old on hit@1 in country = FR by 0.8000 [",
                "Not tested: 1 of these.",
                "new and old have the same hit@1 in country = (none): no user differs (40 users).",
            ],
        ),
        (
            "worse --margin 0.9",
            0,
            ["Passed: no model is shown to be worse than old by more than 0.9, in 4 comparisons; 3 are shown not to be, 1 "],
        ),
        (
            "worse --min-users 60",
            0,
            ["Passed: no model is shown to be worse than old, in 2 comparisons; 1 is shown not to be, 1 can't be told."],
        ),
        (
            "not-better --min-users 60",
            3,
            [
                "Failed: a model is not shown to be better than old, in 1 of 2 comparisons; 1 can't be told.",
                "It is not shown that new is better than old on hit@1: difference +0.0",
            ],
        ),
    ],
)
def test_the_gate_judges_each_segment(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, gate: str, status: int, lines: list[str]
) -> None:
    """Of 160 users, new wins 40 of the 80 of DE, and loses 32 of the 40 of FR; the other 40 are in no segment."""
    shown = {"new": [*range(40), *range(112, 120)], "old": range(80, 120)}
    for name, hits in shown.items():
        rows = {"user_id": [*range(160)], "item_id": [1 if user in hits else 2 for user in range(160)], "rank": [1] * 160}
        pq.write_table(pa.table(rows), tmp_path / f"{name}.parquet")
    country = ["DE"] * 80 + ["FR"] * 40 + [None] * 40
    truth = {"user_id": [*range(160)], "item_id": [1] * 160, "country": country}
    pq.write_table(pa.table(truth), tmp_path / "truth.parquet")
    models = [f"{name}={tmp_path / name}.parquet" for name in shown]
    options = f"-m hit -k 1 --baseline old --by country --fail-if {gate}".split()
    assert main(["compare", *models, str(tmp_path / "truth.parquet"), *options]) == status
    found = capsys.readouterr().err.splitlines()
    assert [line.startswith(start) for line, start in zip(found, lines, strict=False)] == [True] * len(lines), found


def test_two_users_with_the_same_loss_fail_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Of 40 users, new loses the two of FR, and wins two of DE. Equal differences of two users prove nothing."""
    for name, hits in {"new": {0, 1}, "old": {38, 39}}.items():
        rows = {"user_id": [*range(40)], "item_id": [1 if user in hits else 2 for user in range(40)], "rank": [1] * 40}
        pq.write_table(pa.table(rows), tmp_path / f"{name}.parquet")
    truth = {"user_id": [*range(40)], "item_id": [1] * 40, "country": ["DE"] * 38 + ["FR"] * 2}
    pq.write_table(pa.table(truth), tmp_path / "truth.parquet")
    models = [f"{name}={tmp_path / name}.parquet" for name in ("new", "old")]
    options = ["-m", "hit", "-k", "1", "--baseline", "old", "--by", "country", "--fail-if", "worse"]
    assert main(["compare", *models, str(tmp_path / "truth.parquet"), *options]) == 0
    assert "in country = FR, -1.0000, can't be tested: it is the same for all 2 users" in capsys.readouterr().err


@pytest.mark.parametrize(("shift", "status", "word"), [(-0.02, 3, "Failed"), (0.02, 0, "Passed")])
def test_the_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shift: float, status: int, word: str
) -> None:
    table = compared(shifted(new=shift), "old", **options_for("worse"))
    asked = Namespace(run=lambda asked: show_judged(table, asked), output=None, format="csv", fail_if="worse", max_missing=None)
    monkeypatch.setattr(command, "parse", lambda _: asked)
    assert main([]) == status
    shown = capsys.readouterr()
    assert shown.out.startswith("model,baseline,metric,k,")
    assert shown.err.startswith(f"{word}: ")
    asked.fail_if = None
    assert main([]) == 0
    assert capsys.readouterr().err == ""


def test_an_error_comes_before_the_gate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    table = compared(shifted(new=-0.02), "old", **options_for("worse"))
    asked = Namespace(
        run=lambda asked: show_judged(table, asked),
        output=str(tmp_path / "no/folder.csv"),
        format=None,
        fail_if="worse",
        max_missing=None,
    )
    monkeypatch.setattr(command, "parse", lambda _: asked)
    assert main([]) == 1


def test_the_status_survives_a_reader_that_leaves() -> None:
    """A long table into `head -1`: the gate fails all the same."""
    code = """
import sys
from argparse import Namespace
from recsql.cli import command
from recsql.cli.commands import show_judged
from tests.calls.comparisons import result, row
table = result([row(model=f"m{n}") for n in range(5000)], "pop", alternative="less", correction="none")
run = lambda asked: show_judged(table, asked)
command.parse = lambda _: Namespace(run=run, output=None, format="csv", fail_if="worse", max_missing=None)
sys.exit(command.main([]))
"""
    piped = f"set -o pipefail; {shlex.join([sys.executable, '-c', code])} 2>/dev/null | head -1"
    done = subprocess.run(["bash", "-c", piped], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("model,baseline,")
    assert done.returncode == 3


def with_lists(folder: Path, **users: range) -> list[str]:
    """The arguments of a comparison with old: of 60 users, each model has lists for some, all with a hit."""
    for name, of_model in users.items():
        rows = {"user_id": [*of_model], "item_id": [1] * len(of_model), "rank": [1] * len(of_model)}
        pq.write_table(pa.table(rows), folder / f"{name}.parquet")
    pq.write_table(pa.table({"user_id": [*range(60)], "item_id": [1] * 60}), folder / "truth.parquet")
    models = [f"{name}={folder / name}.parquet" for name in users]
    return ["compare", *models, str(folder / "truth.parquet"), "-m", "hit", "-k", "1", "--baseline", "old"]


LOST = "Not comparable: old has no list for 41 of the 60 users with truth for whom new has one; --max-missing allows more."
NOT_WORSE = "Passed: no model is shown to be worse than old, in 1 comparison; 1 is shown not to be."
TOLD = ["Users in the mean: 60. Users with truth: 60.", "Without a list (counted as 0): new 0, old 41."]


@pytest.mark.parametrize(
    ("new", "old", "gate", "status", "first"),
    [
        (range(60), range(19), "worse", 3, LOST),
        (range(60), range(19), "not-better", 3, LOST),
        (range(60), range(19), "maybe-worse --margin 0.1", 3, LOST),
        (range(60), range(19), "worse --max-missing 0.7", 0, NOT_WORSE),
        (range(60), range(30), "worse", 0, NOT_WORSE),
        (range(60), range(60, 120), "worse", 3, LOST.replace("41 of", "60 of")),
        (range(55), range(60), "worse", 3, "Failed: a model is shown to be worse than old, in 1 of 1 comparisons."),
        (
            range(55),
            range(60),
            "worse --max-missing 0.05",
            3,
            "Not comparable: new has no list for 5 of the 60 users with truth for whom old has one; --max-missing allows more.",
        ),
        (range(55), range(60), "worse --max-missing 5", 1, "recsql: --max-missing: 5 is not a share from 0 to 1; give"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*have lists for different users")
def test_the_gate_refuses_models_with_lists_for_other_users(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, new: range, old: range, gate: str, status: int, first: str
) -> None:
    """Half of the lists of the baseline may be missing; --max-missing sets the limit for all models."""
    assert main([*with_lists(tmp_path, new=new, old=old), "--fail-if", *gate.split()]) == status
    lines = [line for line in capsys.readouterr().err.splitlines() if "warning" not in line]
    assert lines[0].startswith(first)
    if len(old) == 19:
        assert lines[-2:] == TOLD


def test_a_limit_without_a_gate(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main([*with_lists(tmp_path, new=range(60), old=range(60)), "--max-missing", "0.1"]) == 1
    assert capsys.readouterr().err.startswith("recsql: --max-missing: it is a limit of --fail-if; give that as well")


@pytest.mark.parametrize(
    ("command", "condition", "status", "lines"),
    [
        ("evaluate", "hit@1.low < 0.5", 3, ["Passed: hit@1.low of new is 0.", "Failed: hit@1.low of old is 0."]),
        (
            "evaluate",
            "hit < 0.1",
            0,
            ["Passed: hit@1 of new is 0.833333, which is not < 0.1.", "Passed: hit@1 of old is 0.5, which"],
        ),
        (
            "evaluate",
            "hit@1>=5e-1",
            3,
            ["Failed: hit@1 of new is 0.833333, which is >= 5e-1.", "Failed: hit@1 of old is 0.5, which"],
        ),
        ("evaluate", "hit@1.high <= 0.95", 3, ["Failed: hit@1.high of new is 0.", "Failed: hit@1.high of old is 0."]),
        ("evaluate", "rr@1 < 1", 1, ["recsql: --fail-if: there is no value of rr@1; choose one of hit"]),
        (
            "evaluate",
            "worse",
            2,
            ["recsql evaluate: --fail-if: 'worse' is no condition on a value; write it like 'ndcg@10.low < 0.02'"],
        ),
        ("compare", "hit@1.low < 0.5", 0, ["Passed: hit@1.low of new is 0."]),
        ("compare", "hit@1 < 0.9", 3, ["Failed: hit@1 of new is 0.833333, which is < 0.9."]),
        ("compare", "hit < x", 2, ["recsql compare: --fail-if: 'hit < x' is no condition on a value"]),
        ("report", "hit@1.low < 0.5", 0, ["Passed: hit@1.low of new is 0."]),
        ("report", "hit@1.low > 0.5", 3, ["Failed: hit@1.low of new is 0."]),
    ],
)
def test_a_floor_for_one_model(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, condition: str, status: int, lines: list[str]
) -> None:
    """Of 60 users, new has a hit for 50 and old for 30; the baseline of a comparison has no floor."""
    given = with_lists(tmp_path, new=range(50), old=range(30))[1:]
    given = given[:-2] if command == "evaluate" else given
    page = ["-o", str(tmp_path / "report.html"), "--no-check", "--no-conventions"]
    output = page if command == "report" else ["--findings", "off"]
    found: object = None
    try:
        found = main([command, *given, *output, "--fail-if", condition])
    except SystemExit as usage:
        found = usage.code
    assert found == status
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith(("Passed", "Failed", "recsql"))]
    assert [line[: len(of)] for line, of in zip(told, lines, strict=True)] == lines


def test_a_value_that_is_not_known_is_below_every_floor(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The interval of one user has no ends. Each segment has a floor."""
    (tmp_path / "recs.csv").write_text("user_id,item_id,rank\n1,a,1\n")
    (tmp_path / "truth.csv").write_text("user_id,item_id,country\n1,a,DE\n")
    given = ["evaluate", str(tmp_path / "recs.csv"), str(tmp_path / "truth.csv"), "-m", "hit", "-k", "1", "--by", "country"]
    assert main([*given, "--fail-if", "hit@1.low < 0.5"]) == 3
    assert capsys.readouterr().err.splitlines() == [
        "Failed: hit@1.low is not known.",
        "Failed: hit@1.low in country = DE is not known.",
    ]
