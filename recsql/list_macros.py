"""The scalar macros over two lists: each metric under its own and its other names, and the macros that they use."""

from collections.abc import Iterator, Mapping
from functools import cache

from recsql.catalog import catalog
from recsql.headers import Option
from recsql.lists import Lists, cut_at_k, of_lists, of_one_list, reads_gains, reads_on, reads_rejected, unknown
from recsql.macro import Way, listed, macro, macro_of, sentence
from recsql.macro_call import LIKE, declared
from recsql.options import lacking, literal
from recsql.plan import usual
from recsql.symbols import spelt
from recsql.templates import template
from recsql.text import indented, quoted

LISTS = ["recommended", "relevant"]
GAINS, REJECTED = "gains_of_lists", "judgements_of_lists"  # the macros that metrics start from if they read gains or judgements
HITS = ("hits_of_lists", GAINS, REJECTED)
HITS_GIVEN = [*LISTS, "k", "relevance", "options"]
SHARED = ("gain", "gain_map", "ideal")  # options that every macro takes, so that the same options fit all of them


def list_macros() -> Iterator[str]:
    """All these macros. One that others call is first created as a stub, and filled in at the end.

    DuckDB expands a macro whenever it creates another one that calls it. With full macros that would take a quarter of a second.
    """
    about = "a stub, replaced further down"
    for name in of_lists():
        ways = [(given, "cast(null as double)") for given in [*plain_ways(name), parameters(name)]]
        yield macro_of(name, about, ways)
    for name in of_lists():
        for alias in catalog().metrics[name].aliases:
            yield macro_of(alias, f"another name of {name}", same_ways(name))
    entries = "[{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}]"
    hits = f"'found': {entries}, 'entries': {entries}, 'weights': [1e0], 'rejected': [1], 'returned': 1, 'k': 1"
    ways = [(HITS_GIVEN[:n], f"[{{{hits}{further}}}]") for n, further in ((3, ""), (4, ""), (5, ", 'o': options"))]
    for name in HITS:
        yield macro_of(name, about, ways)
    yield macro("fault", about, ["options", "numbers"], "cast(null as varchar)")
    for name in of_lists():
        header = catalog().metrics[name].header
        yield macro_of(name, f"{header['title']}: {header['formula']}", ways_of(name))
    yield from checks()
    yield from hits_of_lists()


# -- a metric


def ways_of(name: str) -> Iterator[Way]:
    """The ways to call a metric: without options if it needs none, with relevance, with options."""
    start = start_of(name)
    for given in plain_ways(name):
        value = Lists(usual(None), gains=start == GAINS, graded="relevance" in given).of_metric(name)
        yield given, f"recsql.{start}({passed(given)})\n{indented(value)}"
    call = f"recsql.{start}(recommended, relevant, k, relevance, {options_of(name)})"
    yield parameters(name), f"{call}\n{indented(in_general(start).of_metric(name))}"


def start_of(name: str) -> str:
    """The macro that a metric starts from."""
    return GAINS if reads_gains(name) else REJECTED if reads_rejected(name) else HITS[0]


def same_ways(name: str) -> Iterator[Way]:
    """The same ways under another name."""
    for given in plain_ways(name):
        yield given, f"recsql.{name}({passed(given)})"
    same = listed([*LISTS, "k", "relevance", *(option.name for option in taken(name)), LIKE])
    yield parameters(name), f"recsql.{name}(\n    {same}\n)"


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


# -- its options


@cache
def in_general(start: str) -> Lists:
    """The metrics that start from a macro, under any options."""
    return Lists(of_one_list(), gains=start == GAINS, rejected=start == REJECTED)


@cache
def read(name: str) -> list[Option]:
    """The options that a metric and its hits read."""
    return in_general(start_of(name)).options_of(name)


@cache
def taken(name: str) -> list[Option]:
    """The options of its macro. `relevant` is left out: there it is the name of a list, and only presets set the option."""
    names = {*(option.name for option in read(name)), *SHARED} - {"relevant"}
    return [option for option in catalog().options.values() if option.name in names]


def options_of(name: str) -> str:
    """The struct of a metric's options, and the sentence for an invalid one."""
    values = {option.name: resolved(option, name) for option in read(name)}
    symbols = {option: unknown(option, text) for option, text in values.items()}
    return template(
        "list_options",
        choices=[option for option in taken(name) if option.values],
        numbers=[option for option in taken(name) if option.is_number],
        idle=[option for option in taken(name) if option.where],
        refused=refused(name, values),
        literal=literal,
        sentence=sentence,
        deep=spelt(reads_on([name], usual(None) | of_one_list() | symbols)),
        resolved=values,
    )


def refused(metric: str, values: Mapping[str, str]) -> list[tuple[str, str]]:
    """Conditions on the options under which a metric can't be computed, each with its sentence."""
    found = []
    for one in catalog().metrics[metric].requires:
        if not one.one_of and one.where.keys() <= values.keys():
            met = " and ".join(
                f"{values[name]} in ({', '.join(map(quoted, words.split()))})" for name, words in one.where.items()
            )
            found.append((met, quoted(lacking(one, metric))))
    return found


def resolved(option: Option, metric: str) -> str:
    """The value of an option: the one given, or else that of the preset, or else the default."""
    by_preset = {name: preset.options_of(metric).get(option.name) for name, preset in catalog().presets.items()}
    differing = {name: value for name, value in by_preset.items() if value is not None and value != option.default}
    pairs = ", ".join(f"{quoted(name)}: {literal(value)}" for name, value in differing.items())
    texts = [
        parameter(option) if option.name != "relevant" else "",
        f'map {{{pairs}}}[lower("like")]' if pairs else "",
        literal(option.default) if option.default is not None else "",
    ]
    said = [text for text in texts if text]
    return f"coalesce({', '.join(said)})" if len(said) > 1 else said[0]


def parameter(option: Option) -> str:
    """An option's parameter in the form that the templates expect."""
    types = {"map": "cast({} as map(double, double))", "number": "try_cast({} as double)", "integer": "try_cast({} as bigint)"}
    as_it_is = "cast({} as varchar)" if "true" in option.choices else "{}"
    return types.get(option.type, as_it_is).format(option.name)


# -- the macros that metrics use


def checks() -> Iterator[str]:
    """The checks of options and lists. The macros over tables use those of options, too."""
    options = catalog().options.values()
    choices = template("list_choices", choices=[option for option in options if option.values])
    numbers = template("list_numbers", numbers=[option for option in options if option.is_number], bound=bound)
    yield macro("choices", "the values of the options", [], choices)
    yield macro("numbers", "and what their numbers are", [], numbers)
    plain, graded = (Lists(usual(None), gains=False, graded=graded) for graded in (False, True))
    about = "the sentence for the first of some options that can't have its value, else NULL"
    yield macro("fault", about, ["options", "numbers"], plain.laid("list_fault", sentence=sentence))
    given = ["recommended", "judged", "relevance"]
    ways = [(given[:2], plain.laid("list_check")), (given, graded.laid("list_check"))]
    yield macro_of("check_lists", "an error in words for two lists that can't be measured, else NULL", ways)


def bound(number: float | None, otherwise: str) -> str:
    return f"cast({quoted(otherwise) if number is None else literal(number)} as double)"


def hits_of_lists() -> Iterator[str]:
    """The hits: without options, with relevance, with options."""
    for name in HITS:
        gains, rejected = name == GAINS, name == REJECTED
        ways = [
            (HITS_GIVEN[:3], Lists(usual(None), gains=gains, rejected=rejected, graded=False).found()),
            (HITS_GIVEN[:4], Lists(usual(None), gains=gains, rejected=rejected).found()),
            (HITS_GIVEN, in_general(name).found()),
        ]
        further = ", with their gains" if gains else ", and the items judged not relevant" if rejected else ""
        yield macro_of(name, f"the hits of two lists{further}", ways)
