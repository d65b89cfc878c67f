"""The conditions and marks of macros that write a query."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import duckdb
import pytest

from recsql import symbols
from recsql.conditions import Columns, Condition, Unknown, fact, laid, line, under
from recsql.query_macros import Texts, program_of, refuse_unknown_values
from recsql.table_macro import TABLE_MACROS

VALUES = {"ties": ["error", "best", "worst"], "gain": ["linear", "exp2"], "uncut": ["uncut", ""]}


def formula(random_: random.Random, depth: int = 0) -> Any:
    """A random condition, as a template makes it, and what it means in Python."""
    kind = random_.choice(["fact", "among", "flag"] if depth > 3 else ["fact", "among", "flag", "both", "either", "not"])
    if kind == "flag":
        return fact("uncut"), lambda call: call["uncut"] == "uncut"
    if kind in ("fact", "among"):
        option = random_.choice(["ties", "gain"])
        some = random_.sample(VALUES[option], random_.randint(1, len(VALUES[option])))
        if kind == "fact":
            return Unknown(option) == some[0], lambda call: call[option] == some[0]
        return symbols.among(Unknown(option), some), lambda call: call[option] in some
    a, means_a = formula(random_, depth + 1)
    if kind == "not":
        return symbols.negated(a), lambda call: not means_a(call)
    b, means_b = formula(random_, depth + 1)
    if kind == "both":
        return symbols.both(a, lambda: b), lambda call: means_a(call) and means_b(call)
    return symbols.either(a, lambda: b), lambda call: means_a(call) or means_b(call)


def calls() -> Iterator[dict[str, str]]:
    for values in product(*VALUES.values()):
        yield dict(zip(VALUES, values, strict=True))


def facts(call: dict[str, str]) -> list[str]:
    """The facts of a call, with those of its sets of values."""
    of_options = [f"{name}={call[name]}" for name in ("ties", "gain")]
    sets = {
        f"{name}={'/'.join(sorted(some))}"
        for name in ("ties", "gain")
        for n in range(2, 4)
        for some in product(VALUES[name], repeat=n)
        if len({*some}) == n and call[name] in some
    }
    return ["", *of_options, *sets, call["uncut"]]


def test_a_condition_means_what_the_template_says(con: duckdb.DuckDBPyConnection) -> None:
    random_ = random.Random(3)
    compared = 0
    for _ in range(300):
        condition, means = formula(random_)
        if not isinstance(condition, Condition):
            assert {means(call) for call in calls()} == {condition}
            continue
        for call in random_.sample([*calls()], 3):
            compared += 1
            [(holds,)] = con.execute("select recsql.holds(?, ?)", [repr(condition), facts(call)]).fetchall()
            assert holds == means(call), (condition, call)
    assert compared > 300


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ((Unknown("gain") == "exp2").both(Unknown("gain") == "linear"), False),
        ((Unknown("gain") == "exp2").both(symbols.negated(Unknown("gain") == "linear")), "gain=exp2"),
        (Unknown("gain").among(["linear", "exp2"]).both(Unknown("gain") == "exp2"), "gain=exp2"),
        (Unknown("gain").is_none(), "gain="),
        (Columns(lambda: Unknown(".metric")).any(lambda metric: metric == "ap"), "any(.metric=ap)"),
    ],
)
def test_what_follows_is_left_out(condition: Any, said: Any) -> None:
    assert (condition if isinstance(said, bool) else repr(condition)) == said


def test_marks_say_under_which_condition_a_text_belongs() -> None:
    inner = symbols.decide((lambda: Unknown("gain") == "exp2", lambda: f"power({Unknown('base')})"), (lambda: True, lambda: "g"))
    outer = f"select {symbols.decide((lambda: fact('uncut'), lambda: f'{inner} as gain, '))}k"
    assert laid(outer) == (
        "{%%}select {%gain=exp2 & uncut%}power({%gain=exp2 & uncut: base%}){%!gain=exp2 & uncut%}g{%uncut%} as gain, {%%}k"
    )
    assert under(False, "text") == ""
    assert line(fact("uncut"), "text") == "uncut => text"


def test_a_text_puts_in_only_values_that_the_macros_give() -> None:
    evaluate = TABLE_MACROS[0]
    texts = Texts()
    sections = program_of(evaluate, texts)
    refuse_unknown_values(evaluate, sections, ["{%: depth%}"], texts.loops)
    with pytest.raises(ValueError, match="evaluate: the macro does not give unheard_of"):
        refuse_unknown_values(evaluate, sections, ["{%: depth%}", "{%uncut: unheard_of%}"], texts.loops)
