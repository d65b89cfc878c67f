"""What the advice of findings and the sentences of checks tell people to type: options, values, functions and commands.

If it fails, a sentence names something that doesn't exist, and who follows it gets an error.
"""

import inspect
import re
from typing import Any

import duckdb

import recsql
from recsql.base.errors import RecsqlError
from recsql.catalog import catalog
from recsql.catalog.headers import Option
from recsql.catalog.options import parse_value
from recsql.cli.parsing import parser

SENTENCE = re.compile(r'\b(?:advice|unless|said|message|sentence) = "(.*)"')
SAID = "\n".join(line for one in catalog().sources.values() for line in SENTENCE.findall(f"{one.head}\n{one.text}"))
OPTIONS = [*catalog().options.values()]
FUNCTIONS = {name: inspect.signature(getattr(recsql, name)) for name in recsql.__all__ if name.islower()}
ARGUMENTS = {name for function in FUNCTIONS.values() for name in function.parameters}


def of_duckdb(column: str, table: str) -> set[str]:
    return {name for (name,) in duckdb.execute(f"select {column} from {table}()").fetchall()}


def takes(option: Option, value: str) -> bool:
    try:
        return parse_value(option, value) is not None
    except RecsqlError:
        return False


def test_options_take_their_values() -> None:
    """If several options have one name, one of them does. A value in curly brackets is that of the call."""
    found = {(name, word or number) for name, word, number in re.findall(r"(?<![\w.{])(\w+)=(?:'(\w+)'|(\d[\d.]*))?", SAID)}
    options = [(name, one) for one in OPTIONS for name in {one.called, one.short}]
    assert {name for name, _ in found} - {"A", "B"} <= ARGUMENTS | {name for name, _ in options}
    given = {(name, value) for name, value in found if value and name in dict(options)}
    assert {(name, value) for name, value in given for other, one in options if other == name and takes(one, value)} == given
    assert len(given) > 20


def test_functions_take_their_arguments() -> None:
    """An error names the function or the argument that isn't there."""
    calls = re.findall(r"\brecsql\.(\w+)(?:\((.*?)\))?", SAID)
    for name, arguments in calls:
        pairs = [argument.partition("=") for argument in filter(None, arguments.split(", "))]
        FUNCTIONS[name].bind_partial(
            *(one for one, _, value in pairs if not value), **{one: value for one, _, value in pairs if value}
        )
    assert len(calls) > 5


def test_commands_have_their_flags() -> None:
    found = re.findall(r"\brecsql ([a-z-]+)((?: --[a-z-]+)*)", SAID)
    commands: dict[str, Any] = parser().commands.choices
    assert found
    assert all({*flags.split()} <= commands[name]._option_string_actions.keys() for name, flags in found)


def test_sql_has_what_is_called_in_it() -> None:
    called = {*re.findall(r"(?<![\w.])(\w+)\(", SAID)}
    known = of_duckdb("function_name", "duckdb_functions") | of_duckdb("type_name", "duckdb_types")
    assert called - known == {"cast", "ild"}  # a metric with an option


def test_all_other_names_are_known() -> None:
    """Those with an underscore: the rest are words."""
    known = {
        "user_id",
        "item_id",
        *ARGUMENTS,
        *FUNCTIONS,
        *catalog().findings,
        *catalog().metrics,
        *of_duckdb("name", "duckdb_settings"),
    }
    known |= of_duckdb("function_name", "duckdb_functions")
    known |= {name for one in OPTIONS for name in (one.called, *one.choices)}
    assert {*re.findall(r"(?<![\w{/])[a-z]+_\w+", SAID)} <= known
