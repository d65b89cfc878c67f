"""Sentences of the macro files: each thing that one offers is there, in a macro, among the parameters or in `recsql macros`.

If it fails, people in the shell are told to type what is only in Python.
"""

import re

import pytest

from recsql.base.text import LITERAL
from recsql.catalog import catalog
from recsql.cli.parsing import parser
from recsql.shell import File
from tests.support import default_file

COMMENT = re.compile(rf"{LITERAL.pattern}|--[^\n]*")
CREATED = re.compile(r"^create or replace macro recsql\.(\w+)\s*\(([^;]*?)\) as", re.MULTILINE)
DEFAULT = re.compile(r":= (\[.*?\]|[^,\n]+)")
MORE = {  # files with sentences of their own
    "recsql": {},
    "of lists": {"metrics": ["ild", "novelty", "tail_share", "popularity"]},
    "graded": {"metrics": ["err", "ndcg"]},
    "tied": {"ties": "error", "duplicates": "last"},
    "strict": {"no_truth": "error", "train": "train", "seen": "error"},
    "labels": {"gains": "view:1,buy:5", "order_by": "ts"},
}


def texts(file: File) -> list[str]:
    """The comments and sentences: the literals on neighbouring lines as one."""
    return COMMENT.findall(file.text) + COMMENT.findall(file.check)


def names(file: File) -> tuple[set[str], set[str]]:
    """The macros of a file, and their parameters."""
    created = CREATED.findall(file.text + file.check)
    parameters = {word for _, given in created for word in re.findall(r"[a-z]\w*", DEFAULT.sub("", given))}
    return {name for name, _ in created}, parameters


@pytest.mark.parametrize("name", MORE)
@pytest.mark.filterwarnings("ignore")
def test_what_a_sentence_names_is_there(name: str) -> None:
    given = dict(MORE[name])
    file = default_file() if name == "recsql" else File("recsql", given.pop("metrics", None), given)
    macros, parameters = names(file)
    flags = set(parser().commands.choices["macros"]._option_string_actions)
    options = {one.called for one in catalog().options.values()} - {*catalog().findings} | {
        "relevance",
        "interval",
        "metrics",
        "k",
    }
    for text in texts(file):
        said = re.sub(r"(?<=\w)\([^()]*\)", "()", text)
        assert not [one for one in re.findall(r"(?<![\w.-])([a-z_]+)=(?!=)", said) if one in options], text
        assert {*re.findall(r"(?<![\w{])([a-z_]+) := ", said)} <= parameters | macros, text
        assert {*re.findall(r"(?<![\w-])--[a-z][a-z-]*", said)} <= flags, text
        assert {*re.findall(r"\brecsql\.(?!sql\b)(\w+)", said)} <= macros, text
        assert {*re.findall(r"(?<![./\w])recsql (?!does\b)([a-z]+)\b", said)} <= {"macros"}, text
        words = {*re.findall(r"(?<![\w-])[a-z]+_\w+(?! =)\b", said)} if " " in said else set()
        assert words & options <= parameters | macros, text
