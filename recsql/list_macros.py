"""The scalar macros over two lists: each metric under its own and its other names, and the macros that they use."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from string import ascii_lowercase

from recsql.catalog import catalog
from recsql.list_options import (
    FURTHER,
    GAINS,
    HITS,
    OF_GAINS,
    OF_HITS,
    REJECTED,
    checks,
    common,
    common_options,
    deep,
    in_general,
    options_of,
    start_of,
    taken,
)
from recsql.lists import Lists, cut_at_k, of_lists, reserved
from recsql.macro import Way, listed, macro_of
from recsql.macro_call import LIKE, declared
from recsql.plan import usual
from recsql.templates import template
from recsql.text import indented

LISTS = ["recommended", "relevant"]
HITS_GIVEN = [*LISTS, "k", "relevance", "options"]
LONG = 100  # characters of a list's text from which a macro of its own is worth it


def list_macros() -> Iterator[str]:
    """All these macros. One that others call is first created as a stub, and filled in after them.

    DuckDB expands a macro whenever it creates another one that calls it. A stub gives a parameter, whose type is not known yet,
    so that DuckDB puts off the rest until a call.
    """
    called = {name: ways_to_start(name) for name in (HITS, GAINS, REJECTED)}
    called |= {name: [len(common(name)) + 1 + len(FURTHER)] for name in (OF_HITS, OF_GAINS)}
    called |= {name: [len(given) for given in [*plain_ways(name), parameters(name)]] for name in of_lists()}
    yield template("list_stubs", called=called, letters=ascii_lowercase, structs=(OF_HITS, OF_GAINS))
    for name in of_lists():
        yield template("list_aliases", name=name, aliases=catalog().metrics[name].aliases, ways=[*same_ways(name)])
    for name in of_lists():
        header = catalog().metrics[name].header
        yield macro_of(name, f"{header['title']}: {header['formula']}", ways_of(name))
    yield from checks()
    yield from common_options()
    yield from hits_of_lists()


# -- a metric


def ways_of(name: str) -> Iterator[Way]:
    """The ways to call a metric: without options if it needs none, with relevance, with options."""
    start = start_of(name)
    for given in plain_ways(name):
        value = Lists(usual(None), gains=start == GAINS, graded="relevance" in given).of_metric(name)
        yield given, f"recsql.{start}({passed(given)})\n{indented(value)}"
    call = f"recsql.{start}(recommended, relevant, k, relevance, {options_of(name)})"
    value = in_general(start, deep=deep(name) is not False).of_metric(name)
    yield parameters(name), f"{call}\n{indented(value)}"


def same_ways(name: str) -> Iterator[tuple[str, str]]:
    """The parameters of the same ways, and what another name of the metric passes on."""
    for given in plain_ways(name):
        yield listed(given), passed(given)
    yield listed(parameters(name)), listed([*LISTS, "k", "relevance", *(option.name for option in taken(name)), LIKE])


def plain_ways(name: str) -> list[list[str]]:
    """The parameters of a metric without options; DuckDB tells these calls from the others by a whole number as k.

    Without options, the hits of all metrics are those in the top k.
    """
    lists = [*LISTS, "k integer"]
    return (
        []
        if any(one.one_of for one in catalog().metrics[name].requires) or name not in cut_at_k()
        else [lists, [*lists, "relevance"]]
    )


def passed(given: list[str]) -> str:
    return ", ".join(one.removesuffix(" integer") for one in given)


def parameters(name: str) -> list[str]:
    """The parameters of a metric with options."""
    return [*LISTS, "k := null", "relevance := null", *map(declared, taken(name)), "like := null"]


# -- the hits that metrics start from


def hits_of_lists() -> Iterator[str]:
    """The hits: without options, with relevance, with options; before them, the lists that several of them have."""
    for text, (name, further) in shared().items():
        about = catalog().lists[name].header["about"]
        yield f"-- {about}\ncreate or replace macro recsql.list_{name}{further}(l) as\n{indented(reserved(text))};"
    macros = {text: f"list_{name}{further}" for text, (name, further) in shared().items()}
    for name in (HITS, GAINS, REJECTED):
        further = {HITS: "", GAINS: ", with their gains", REJECTED: ", and the items judged not relevant"}[name]
        ways = [(HITS_GIVEN[:n], chain(name, n).found(macros)) for n in ways_to_start(name)]
        yield macro_of(name, f"the hits of two lists{further}", ways)


def ways_to_start(name: str) -> list[int]:
    """The numbers of parameters with which metrics call such a macro."""
    return sorted({5, *(len(given) for metric in of_lists() if start_of(metric) == name for given in plain_ways(metric))})


@cache
def chain(name: str, given: int) -> Lists:
    """The lists of such a macro, called with a number of parameters."""
    return in_general(name) if given == 5 else Lists(usual(None), gains=name == GAINS, graded=given == 4)


@cache
def shared() -> dict[str, tuple[str, str]]:
    """The long texts of lists that several of these chains have, each with the list and what its macro's name adds to it."""
    chains = [chain(name, n) for name in (HITS, GAINS, REJECTED) for n in ways_to_start(name)]
    used = Counter(text for one in chains for name in one.behind(one.start) if (text := one.field(name)))
    found: dict[str, tuple[str, str]] = {}
    for one in chains:
        for name in sorted(one.behind(one.start), key=one.level):
            text = one.field(name)
            if used[text] > 1 and len(text) > LONG and text not in found:
                further = "" if (name, "") not in found.values() else "_by_options" if one.open else "_with_gains"
                found[text] = (name, further)
    return found
