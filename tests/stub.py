"""The stub of the package, from its signatures and the headers in sql/: what type checkers and editors know of a function."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import fields
from types import FunctionType

import recsql
from recsql.base.wording import QUERY, USER
from recsql.calls.compare import options_of_tests
from recsql.calls.merge import CATALOGUE, OF_INTERVALS
from recsql.calls.warnings import ON_ODDITY
from recsql.catalog import catalog
from recsql.catalog.headers import PRESET, Option
from recsql.catalog.roles import NAMES, Names
from recsql.cli.parsing import parser
from recsql.cli.table import COMMANDS
from recsql.tables.files import FORMATS

# The commands of functions that have none of their own, or one of another name.
COMMAND_OF = {
    "differences": "compare",
    "evaluate_ratings": "rate",
    "ideal": "hits",
    "leave_one_out": "split",
    "rank_by_score": "hits",
}
REFUSED = {  # options of a command that the function refuses
    "conventions": {"like", "interval", "by"},
    "differences": {*options_of_tests(), "min_users"},
    "leave_one_out": {"protocol", "order_by"},
}
FILES = {"split": ("train", "truth"), "labels": ("recs", "truth")}  # parameters that name files in place of rows
SETTINGS = {  # of every call
    "connection": "Connection",
    "input": f"Literal{[*FORMATS]} | None",
    "findings": f"Literal{[*ON_ODDITY]} | None",
}
NUMBERS = "Mapping[int, float] | Mapping[float, float]"
TYPES = {
    "number": "float",
    "integer": "int",
    "table": "Table",
    "map": f"{NUMBERS} | str",
    "gains": "Mapping[str, Any] | str",
    "weights": "Mapping[str, float] | str",
    "ends": "Mapping[str, str] | str",
    "time": "date | str",
    "duration": "timedelta | str",
    "moment": "float | date | str",
    "span": "float | timedelta | str",
    "columns": "str | Sequence[str]",
    "column": "str",
    "model": "str",
    "text": "str",
}
HEAD = '''"""Made by `python -m tests.generate recsql/__init__.pyi`: the public functions, with the options that each takes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack, overload

import pyarrow as pa

from recsql.calls.call import Connection, Metrics, Table
from recsql.catalog.grammar import Cutoffs
'''
SIMPLE = (str, int, float, bool, type(None))  # types of defaults that a signature shows


def stub() -> str:
    """The text of `recsql/__init__.pyi`."""
    found = {name: getattr(recsql, name) for name in recsql.__all__}
    functions = {name: one for name, one in found.items() if isinstance(one, FunctionType)}
    home = {name: module for module, names in vars(recsql)["MODULES"].items() for name in names.split()}
    classes = "\n".join(f"from recsql.{home[name]} import {name} as {name}" for name in found if name not in functions)
    taken = {name: settings_of(name) for name, one in functions.items() if takes_settings(one)}
    declared = "\n".join(declarations(taken))
    signatures = "".join(text for name, one in functions.items() for text in signatures_of(name, one))
    names = "".join(f'    "{name}",\n' for name in recsql.__all__)
    return f"{HEAD}{classes}\n\n__all__ = [\n{names}]\n__version__: str\n\n{declared}\n{signatures}"


def takes_settings(function: FunctionType) -> bool:
    return any(one.kind is one.VAR_KEYWORD for one in inspect.signature(function).parameters.values())


def settings_of(name: str) -> dict[str, str]:
    """The settings that a function takes besides its parameters, with their types."""
    command = COMMAND_OF.get(name, name.replace("_", "-"))
    usable = {option.called: option for option in catalog().options_of(COMMANDS[command].grains).values()}
    usable |= {one: catalog().options[one] for one in (*OF_INTERVALS, *CATALOGUE) if name == "merge"}
    columns = {field.name: "str | None" for field in fields(Names)}
    columns |= {"names": f"Literal{[*NAMES]} | None", "words": f"Literal{[USER, QUERY]} | None"}
    flags = parser([command]).commands.choices[command].flags
    known = {one: columns.get(one) or type_of(usable[one]) for one in flags if one in columns or one in usable}
    found = (SETTINGS if name != "macros" else {}) | known
    if "split" in command:
        found |= {one: type_of(option) for one, option in usable.items()}
    apart = {*inspect.signature(getattr(recsql, name)).parameters, *REFUSED.get(name, ())}
    return {one: kind for one, kind in sorted(found.items()) if one not in apart}


def type_of(option: Option) -> str:
    """The type of an option's values in Python."""
    names = [*catalog().presets] if option.type == PRESET else option.choices
    kinds = [TYPES[option.type]] if option.type in TYPES else []
    kinds += [f"Literal[{', '.join(map(repr, names))}]"] if names else []
    kinds += ["bool"] if {*names} == {"true", "false"} else []
    kinds += ["int"] if any(map(str.isdecimal, names)) else []
    kinds += [NUMBERS] if option.name == "gain" else []
    return " | ".join([*kinds, "None"])


def declarations(taken: dict[str, dict[str, str]]) -> Iterator[str]:
    """A class for the settings of each function, made of classes of those that the same functions take."""
    groups: dict[tuple[str, ...], dict[str, str]] = {}
    for key, kind in sorted({pair for one in taken.values() for pair in one.items()}):
        sharing = tuple(name for name, one in taken.items() if one.get(key) == kind)
        groups.setdefault(sharing, {})[key] = kind
    for number, keys in enumerate(groups.values()):
        lines = "\n".join(f"    {key}: {kind}" for key, kind in keys.items())
        yield f"class _Settings{number}(TypedDict, total=False):\n{lines}\n"
    for name in taken:
        bases = [f"_Settings{number}" for number, sharing in enumerate(groups) if name in sharing]
        yield f"class _{camel(name)}({', '.join(bases)}, total=False): ...\n"


def camel(name: str) -> str:
    return name.title().replace("_", "")


def signatures_of(name: str, function: FunctionType) -> Iterator[str]:
    """The signature of a function; several if its result depends on whether it writes a file."""
    [node] = [one for one in ast.parse(inspect.getsource(function)).body if isinstance(one, ast.FunctionDef)]
    files = FILES.get(name, ())
    result = ast.unparse(node.returns) if node.returns else "None"
    if "into" not in inspect.signature(function).parameters:
        yield signature(node, function, {}, result)
        return
    rows = "pa.Table" if result == "Rows" else result.removesuffix(" | None")
    into, path = {"into": "str | PathLike[str]"}, "str | PathLike[str]"
    nothing = dict.fromkeys(files, "None")
    yield f"@overload\n{signature(node, function, {'into': 'None', **nothing}, rows)}"
    yield f"@overload\n{signature(node, function, {**into, **nothing}, 'None', given=('into',))}"
    if files:
        last = {**dict.fromkeys(files, path), **({"recs": f"{path} | None"} if "recs" in files else {}), "into": "None"}
        given = ("truth",) if "recs" in files else files
        yield f"@overload\n{signature(node, function, last, 'str' if name == 'labels' else 'None', given=given)}"


def signature(
    node: ast.FunctionDef, function: FunctionType, types: dict[str, str], result: str, given: tuple[str, ...] = ()
) -> str:
    """One signature, with other types for some parameters; those `given` have no default."""
    written, parts, star = {one.arg: one for one in ast.walk(node) if isinstance(one, ast.arg)}, [], False
    for name, one in inspect.signature(function).parameters.items():
        if one.kind is one.VAR_KEYWORD:
            parts.append(f"**{name}: Unpack[_{camel(function.__name__)}]")
            continue
        if one.kind is one.KEYWORD_ONLY and not star:
            star = True
            parts.append("*")
        kind = types.get(name) or ast.unparse(written[name].annotation or ast.Name("Any"))
        usual = "" if one.default is one.empty or name in given else f" = {default_of(one.default)}"
        parts.append(f"{name}: {kind}{usual}")
    lines = "".join(f"\n    {part}," for part in parts)
    return f"def {function.__name__}({lines}\n) -> {result}: ...\n"


def default_of(value: object) -> str:
    if not isinstance(value, SIMPLE):
        return "..."
    return repr(value)
