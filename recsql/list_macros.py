"""The scalar macros over two lists: each metric under its own and its other names, and the macros that they use."""

from collections.abc import Iterator
from functools import cache

from recsql import filled
from recsql.catalog import Option, catalog
from recsql.lists import ListRendering, of_one_list, reading_on
from recsql.macro import Way, listed, macro, macro_of, sentence
from recsql.options import Options
from recsql.plan import usual
from recsql.render import STATISTIC
from recsql.templates import template
from recsql.text import indented, laid_out, quoted

LISTS = ["recommended", "relevant"]
HITS = {False: "hits_of_lists", True: "gains_of_lists"}  # the macro that metrics start from, without gains and with gains
HITS_GIVEN = [*LISTS, "k", "relevance", "options"]
SHARED = ("gain", "gain_map", "ideal")  # options that every macro takes, so that the same options fit all of them
NUMBERS = ("number", "integer")


def list_macros() -> Iterator[str]:
    """All these macros. One that others call is first created as a stub, and filled in at the end.

    DuckDB expands a macro whenever it creates another one that calls it. With full macros that would take a quarter of a second.
    """
    about = "a stub, replaced further down"
    for name in of_lists():
        ways = [(given, "cast(null as double)") for given in [*plain_ways(name), parameters(name)]]
        yield macro_of(name, about, ways, table=False)
    for name in of_lists():
        for alias in catalog().metrics[name].aliases:
            yield macro_of(alias, f"another name of {name}", same_ways(name), table=False)
    entries = "[{'rank': 1, 'back': 1, 'place': 1, 'gain': 1e0}]"
    hits = f"'found': {entries}, 'entries': {entries}, 'weights': [1e0], 'returned': 1, 'k': 1"
    ways = [(HITS_GIVEN[:n], f"[{{{hits}{further}}}]") for n, further in ((3, ""), (4, ""), (5, ", 'o': options"))]
    for name in HITS.values():
        yield macro_of(name, about, ways, table=False)
    yield macro("fault", about, ["options", "numbers"], "cast(null as varchar)", table=False)
    for name in of_lists():
        header = catalog().metrics[name].header
        yield macro_of(name, f"{header['title']}: {header['formula']}", ways_of(name), table=False)
    yield from checks()
    yield from hits_of_lists()


def of_lists() -> list[str]:
    """The metrics that can be computed from two lists."""
    return [name for name, source in catalog().metrics.items() if source.grain == "user"]


# -- a metric


def ways_of(name: str) -> Iterator[Way]:
    """The ways to call a metric: without options if it needs none, with relevance, with options."""
    gains = reads_gains(name)
    for given in plain_ways(name):
        value = ListRendering(usual(None), gains=gains, graded="relevance" in given).of_metric(name)
        yield given, f"recsql.{HITS[gains]}({passed(given)})\n{indented(value)}"
    call = f"recsql.{HITS[gains]}(recommended, relevant, k, relevance, {options_of(name)})"
    yield parameters(name), laid_out(f"{call}\n{indented(rendering(name).of_metric(name))}")


def same_ways(name: str) -> Iterator[Way]:
    """The same ways under another name."""
    for given in plain_ways(name):
        yield given, f"recsql.{name}({passed(given)})"
    same = listed([*LISTS, "k", "relevance", *(option.name for option in taken(name)), filled.LIKE])
    yield parameters(name), f"recsql.{name}(\n    {same}\n)"


def plain_ways(name: str) -> list[list[str]]:
    """The parameters of a metric without options; DuckDB tells these calls from the others by a whole number as k."""
    lists = [*LISTS, "k integer"]
    return [] if catalog().metrics[name].requires else [lists, [*lists, "relevance"]]


def passed(given: list[str]) -> str:
    return ", ".join(one.removesuffix(" integer") for one in given)


def parameters(name: str) -> list[str]:
    """The parameters of a metric with options."""
    return [*LISTS, "k := null", "relevance := null", *filled.parameters(option.name for option in taken(name)), "like := null"]


# -- its options


@cache
def rendering(name: str) -> ListRendering:
    """A metric's rendering, which records the options that the metric and its hits read."""
    made = ListRendering(of_one_list(), gains=reads_gains(name))
    made.of_metric(name)
    made.found()
    return made


@cache
def taken(name: str) -> list[Option]:
    """The options of its macro. `relevant` is left out: there it is the name of a list, and only presets set the option."""
    names = {*rendering(name).options.parameters, *SHARED} - {"relevant"}
    return [option for option in catalog().options.values() if option.name in names]


def options_of(name: str) -> str:
    """The struct of a metric's options, and the sentence for an invalid one."""
    read = [option for option in catalog().options.values() if option.name in rendering(name).options.parameters]
    deep = [f"{resolved(option, name)} = {quoted(one)}" for option in reading_on() if option in read for one in option.whole_list]
    return template(
        "list_options",
        choices=[option for option in taken(name) if option.values],
        numbers=[option for option in taken(name) if option.type in NUMBERS],
        idle=[option for option in taken(name) if option.where],
        literal=Options({}).literal,
        sentence=sentence,
        deep=" or ".join(deep) or "false",
        resolved={option.name: resolved(option, name) for option in read},
    )


def resolved(option: Option, metric: str) -> str:
    """The value of an option: the one given, or else that of the preset, or else the default."""
    by_preset = {name: preset.options_of(metric).get(option.name) for name, preset in catalog().presets.items()}
    differing = {name: value for name, value in by_preset.items() if value is not None and value != option.default}
    literal = Options({}).literal
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
    """The checks of options and lists."""
    options = [option for option in catalog().options.values() if any(option in taken(name) for name in of_lists())]
    numbers = [option for option in options if option.type in NUMBERS]
    choices = [option for option in [*options, catalog().options["like"]] if option.values]
    plain, graded = (ListRendering(usual(None), gains=False, graded=graded) for graded in (False, True))
    yield macro("choices", "the values of the options of two lists", [], plain.laid("list_choices", choices=choices), table=False)
    yield macro("numbers", "and what their numbers are", [], plain.laid("list_numbers", numbers=numbers), table=False)
    about = "the sentence for the first of some options that can't have its value, else NULL"
    yield macro("fault", about, ["options", "numbers"], plain.laid("list_fault", sentence=sentence), table=False)
    given = ["recommended", "judged", "relevance"]
    ways = [(given[:2], plain.laid("list_check")), (given, graded.laid("list_check"))]
    yield macro_of("check_lists", "an error in words for two lists that can't be measured, else NULL", ways, table=False)


def hits_of_lists() -> Iterator[str]:
    """The hits: without options, with relevance, with options."""
    for gains, name in HITS.items():
        ways = [
            (HITS_GIVEN[:3], ListRendering(usual(None), gains=gains, graded=False).found()),
            (HITS_GIVEN[:4], ListRendering(usual(None), gains=gains).found()),
            (HITS_GIVEN, ListRendering(of_one_list(), gains=gains).found()),
        ]
        yield macro_of(name, f"the hits of two lists{', with their gains' if gains else ''}", ways, table=False)


def reads_gains(metric: str) -> bool:
    """Whether a metric is computed from gains."""
    read = STATISTIC.findall(ListRendering(usual(None), gains=False).metric(metric))
    return any(catalog().statistics[name].header.get("made_with") == "gain" for name in read if name in catalog().statistics)
