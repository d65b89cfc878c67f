"""The examples in docstrings, and the list of functions in docs/python.md.

If it fails, `help(recsql.evaluate)` ends with an example that gives something else, or a public name is on no page.
"""

import doctest
import re

import pytest

import recsql
from tests.docs.pages import ROOT

PAGE = (ROOT / "docs/python.md").read_text()
FIRST = ("split", "popularity", "evaluate", "show", "compare", "per_user", "hits", "check", "report")


@pytest.mark.parametrize("name", FIRST)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_example_of_a_first_day_runs(name: str) -> None:
    """It is the end of the docstring, and gives what it says."""
    text = getattr(recsql, name).__doc__
    [*_, last] = text.rstrip().split("\n\n") if "<BLANKLINE>" not in text else text.rsplit("\n\n", 1)
    assert last.lstrip().startswith(">>> ")
    found = doctest.DocTestParser().get_doctest(text, {"recsql": recsql}, name, None, 0)
    said: list[str] = []
    assert doctest.DocTestRunner(verbose=False).run(found, out=said.append).attempted > 0
    assert not said, "".join(said)


def test_the_page_has_all_public_names() -> None:
    """Those of a first day in their order, then the others."""
    first, more = PAGE[PAGE.index("## The functions") : PAGE.index("## The result")].split("### More")
    assert re.findall(r"^\| `(\w+)\(", first, re.MULTILINE) == [*FIRST]
    named = {*re.findall(r"\b(\w+)\(", more), *FIRST}
    functions = {name for name in recsql.__all__ if name.islower()}
    assert functions <= named and named <= functions, functions ^ named
    assert {name for name in recsql.__all__ if f"`{name}`" in PAGE or f"`recsql.{name}`" in PAGE} >= {*recsql.__all__} - functions
