"""The scalar macros over two lists: each metric under its own and its other names, and the macros that they use."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from string import ascii_lowercase

from recsql.catalog import catalog
from recsql.list_options import (
    GAINS,
    HITS,
    OF_GAINS,
    OF_HITS,
    REJECTED,
    checks,
    common_options,
    common_parameters,
    deep,
    in_general,
    options_of,
    start_of,
    taken,
)
from recsql.lists import Lists, cut_at_k, of_lists, reserved
from recsql.macro import Way, inner, listed, macro_of
from recsql.macro_call import LIKE, declared
from recsql.plan import usual
from recsql.templates import template
from recsql.text import indented

LISTS = ["recommended", "relevant"]
HITS_GIVEN = [*LISTS, "k", "relevance", "options"]
LONG = 130  # characters of a list's text from which a macro of its own is worth it


def list_macros() -> Iterator[str]:
    """All these macros. One that others call is first created as a stub, and filled in after them.

    DuckDB expands a macro whenever it creates another one that calls it. A stub gives a parameter, whose type is not known yet,
    so that DuckDB puts off the rest until a call.
    """
    called = {name: ways_to_start(name) for name in (HITS, GAINS, REJECTED)}
    called |= {name: [len(common_parameters(name))] for name in (OF_HITS, OF_GAINS)} | {"fault": [2]}
    called |= {name: [len(given) for given in [*plain_ways(name), parameters(name)]] for name in of_lists()}
    yield template("list_stubs", called=called, letters=ascii_lowercase, structs=(OF_HITS, OF_GAINS))
    for name in of_lists():
        yield template("list_aliases", name=name, aliases=catalog().metrics[name].aliases, ways=[*same_ways(name)])
    yield from shared_lists()
    for name in of_lists():
        header = catalog().metrics[name].header
        yield macro_of(name, f"{header['title']}: {header['formula']}", ways_of(name))
    yield from common_options()
    yield from checks()
    yield from hits_of_lists()


# -- a metric


def ways_of(name: str) -> Iterator[Way]:
    """The ways to call a metric: without options if it needs none, with relevance, with options."""
    start = start_of(name)
    for given, lists in lists_of(name):
        call = f"recommended, relevant, k, relevance, {options_of(name)}" if lists.open else passed(given)
        yield given, f"recsql.{start}({call})\n{indented(lists.of_metric(name, shared()))}"


def lists_of(name: str) -> Iterator[tuple[list[str], Lists]]:
    """The parameters of these ways, each with the lists that the metric is computed from."""
    start = start_of(name)
    for given in plain_ways(name):
        yield given, Lists(usual(None), gains=start == GAINS, graded="relevance" in given)
    yield parameters(name), in_general(start, deep=deep(name) is not False)


def same_ways(name: str) -> Iterator[tuple[str, str]]:
    """The parameters of the same ways, and what another name of the metric passes on."""
    for given in plain_ways(name):
        yield listed(given), passed(given)
    yield listed(parameters(name)), listed([*LISTS, "k", "relevance", *(option.name for option in taken(name)), LIKE])


def plain_ways(name: str) -> list[list[str]]:
    """The parameters of a metric without options; DuckDB tells these calls from the others by a whole number as k.

    Without options, the hits of all metrics are those in the top k. A type could also tell relevance from NULL, but not if it is
    another column of the same SELECT, whose type DuckDB does not know yet.
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
    """The hits: without options, with relevance, with options."""
    for name in (HITS, GAINS, REJECTED):
        further = {HITS: "", GAINS: ", with their gains", REJECTED: ", and the items judged not relevant"}[name]
        ways = [(HITS_GIVEN[:n], chain(name, n).found(shared())) for n in ways_to_start(name)]
        yield macro_of(name, f"the hits of two lists{further}", ways)


def ways_to_start(name: str) -> list[int]:
    """The numbers of parameters with which metrics call such a macro."""
    return sorted({5, *(len(given) for metric in of_lists() if start_of(metric) == name for given in plain_ways(metric))})


def chain(name: str, given: int) -> Lists:
    """The lists of such a macro, called with a number of parameters."""
    return in_general(name) if given == 5 else Lists(usual(None), gains=name == GAINS, graded=given == 4)


# -- the lists that several of these macros have


def list_texts() -> Iterator[tuple[Lists, str]]:
    """Each list and statistic of each macro."""
    for start in (HITS, GAINS, REJECTED):
        for lists in (chain(start, given) for given in ways_to_start(start)):
            yield from ((lists, name) for name in sorted(lists.behind(lists.start)))
    for metric in of_lists():
        for _, lists in lists_of(metric):
            yield from ((lists, name) for name in lists.statistics(metric) if name not in lists.start)


@cache
def shared() -> dict[str, str]:
    """The macros for long texts that several macros have, by text."""
    texts = [(lists, name, lists.field(name)) for lists, name in list_texts()]
    used = Counter(text for _, _, text in texts)
    macros: dict[str, str] = {}
    for lists, name, text in texts:
        if used[text] > 1 and len(text) > LONG and text not in macros:
            further = "" if f"list_{name}" not in macros.values() else "_by_options" if lists.open else "_with_gains"
            macros[text] = f"list_{name}{further}"
    return macros


def shared_lists() -> Iterator[str]:
    """Their macros, over a struct of the fields that they read."""
    about = {lists.field(name): catalog().lists[name].header["about"] for lists, name in list_texts()}
    for text, name in shared().items():
        yield inner(name, about[text], ["l"], reserved(text))
