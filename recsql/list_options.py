"""The options of the macros over two lists: their values under the presets, and the checks of them."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from recsql.catalog import catalog
from recsql.headers import Option
from recsql.lists import Lists, of_lists, of_one_list, reads_gains, reads_on, reads_rejected, unknown
from recsql.macro import Way, inner, listed, macro, macro_of, sentence
from recsql.macro_call import LIKE, bounds
from recsql.options import lacking, literal
from recsql.plan import usual
from recsql.symbols import spelt
from recsql.templates import template
from recsql.text import quoted

HITS, GAINS, REJECTED = "hits_of_lists", "gains_of_lists", "judgements_of_lists"  # the macros that metrics start from
OF_HITS, OF_GAINS = "options_of_hits", "options_of_gains"  # the macros for the options that all metrics of a kind take
ALWAYS = ("gain", "gain_map", "ideal")  # options that every macro takes, so that the same options fit all of them


def start_of(metric: str) -> str:
    """The macro that a metric starts from."""
    return GAINS if reads_gains(metric) else REJECTED if reads_rejected(metric) else HITS


@cache
def in_general(start: str, *, deep: bool = True) -> Lists:
    """The metrics that start from a macro, under any options."""
    return Lists(of_one_list(), gains=start == GAINS, rejected=start == REJECTED, deep=deep)


@cache
def read(metric: str) -> list[Option]:
    """The options that a metric and its hits read."""
    return in_general(start_of(metric)).options_of(metric)


@cache
def taken(metric: str) -> list[Option]:
    """The options of its macro. `relevant` is left out: there it is the name of a list, and only presets set the option."""
    names = {*(option.name for option in read(metric)), *ALWAYS} - {"relevant"}
    return [option for option in catalog().options.values() if option.name in names]


def deep(metric: str) -> Any:
    """Whether the metric reads a list beyond rank k: known, or an expression over its options."""
    symbols = {option.name: unknown(option.name, resolved(option, metric)) for option in read(metric)}
    return reads_on([metric], usual(None) | of_one_list() | symbols)


# -- the options that all metrics of a kind take


def common_options() -> Iterator[str]:
    """The macros that give these options their values, one for metrics without gains and one for those with them."""
    about = "the options that all metrics over two lists take, and the sentence for the first that is invalid"
    for name in (OF_HITS, OF_GAINS):
        yield inner(name, about, common_parameters(name), common_text(name))


def common_parameters(name: str) -> list[str]:
    """Their parameters: the options, and what a metric adds to the checks of them."""
    return [*(option.name for option in common(name)), "preset", "own_choices", "own_numbers", "own_fault"]


@cache
def common(name: str) -> list[Option]:
    """The options of the macro `name`: those that all of its metrics take."""
    metrics = [metric for metric in of_lists() if common_of(metric) == name]
    return [option for option in taken(metrics[0]) if all(option in taken(metric) for metric in metrics)]


def common_of(metric: str) -> str:
    return OF_GAINS if reads_gains(metric) else OF_HITS


def common_text(name: str) -> str:
    """The struct of these options."""
    some = next(metric for metric in of_lists() if common_of(metric) == name)
    own = {option.name for option in taken(some)} - {option.name for option in common(name)}
    fields = [option for option in read(some) if option.name not in own]
    return template(
        "list_common",
        choices=[option for option in common(name) if option.values],
        before=before_own(),
        numbers=[option for option in common(name) if option.is_number],
        idle=[option for option in common(name) if option.where],
        literal=literal,
        sentence=sentence,
        resolved={option.name: resolved(option) for option in fields},
    )


def before_own() -> set[str]:
    """The options that come before those of single metrics, in the order in which options are checked."""
    taken_by_some = {option.name for metric in of_lists() for option in taken(metric)}
    own = taken_by_some - {option.name for option in common(OF_GAINS)}
    names = list(catalog().options)
    return {*names[: min(map(names.index, own))]}


# -- the options of one metric


def options_of(metric: str) -> str:
    """The struct of a metric's options: the common ones, its own, and whether it reads on beyond rank k."""
    shared = common(common_of(metric))
    own = [option for option in taken(metric) if option not in shared]
    return template(
        "list_options",
        common=common_of(metric),
        given=listed([*(departing(option, metric) for option in shared), LIKE]).replace("\n", "\n    "),
        choices=[option.name for option in own if option.values],
        numbers=[option.name for option in own if option.is_number],
        refused=refused(metric),
        resolved={option.name: resolved(option, metric) for option in own},
        deep=spelt(deep(metric)),
    )


def departing(option: Option, metric: str) -> str:
    """A common option as the metric passes it on: as given, or else as a preset has it for this metric alone."""
    own = {
        name: preset.metrics[metric][option.name]
        for name, preset in catalog().presets.items()
        if option.name in preset.metrics.get(metric, {})
    }
    return f"coalesce({option.name}, {of_preset(own, LIKE)})" if own else option.name


def refused(metric: str) -> list[tuple[str, str]]:
    """Conditions on the options under which a metric can't be computed, each with its sentence."""
    values = {option.name: resolved(option, metric) for option in read(metric)}
    found = []
    for one in catalog().metrics[metric].requires:
        if not one.one_of and one.where.keys() <= values.keys():
            met = " and ".join(
                f"{values[name]} in ({', '.join(map(quoted, words.split()))})" for name, words in one.where.items()
            )
            found.append((met, quoted(lacking(one, metric))))
    return found


def resolved(option: Option, metric: str = "") -> str:
    """The value of an option: the one given, or else that of the preset, or else the default; with a metric, in its own macro."""
    by_preset = {name: preset.options_of(metric).get(option.name) for name, preset in catalog().presets.items()}
    differing = {name: value for name, value in by_preset.items() if value is not None and value != option.default}
    texts = [
        parameter(option) if option.name != "relevant" else "",
        of_preset(differing, LIKE if metric else "preset") if differing else "",
        literal(option.default) if option.default is not None else "",
    ]
    said = [text for text in texts if text]
    return f"coalesce({', '.join(said)})" if len(said) > 1 else said[0]


def of_preset(values: Mapping[str, Any], preset: str) -> str:
    """The value that a preset gives; NULL if it gives none."""
    return f"map {{{', '.join(f'{quoted(name)}: {literal(value)}' for name, value in values.items())}}}[lower({preset})]"


def parameter(option: Option) -> str:
    """An option's parameter in the form that the templates expect."""
    types = {"map": "cast({} as map(double, double))", "number": "try_cast({} as double)", "integer": "try_cast({} as bigint)"}
    as_it_is = "cast({} as varchar)" if "true" in option.choices else "{}"
    return types.get(option.type, as_it_is).format(option.name)


# -- the checks


def checks() -> Iterator[str]:
    """The checks of options and lists. The macros over tables use those of options, too."""
    options = catalog().options.values()
    choices = template("list_choices", choices=[option for option in options if option.values])
    numbers = template("list_numbers", numbers=[option for option in options if option.is_number], bounds=bounds)
    yield macro("choices", "the values of the options", [], choices)
    yield macro("numbers", "the bounds of their numbers, and the bounds in words", [], numbers)
    plain, graded = (Lists(usual(None), gains=False, graded=graded) for graded in (False, True))
    about = "the sentence for the first of some options that can't have its value, else NULL"
    yield macro("fault", about, ["options", "numbers"], plain.laid("list_fault"))
    given = ["recommended", "judged", "relevance"]
    ways: list[Way] = [(given[:2], plain.laid("list_check")), (given, graded.laid("list_check"))]
    yield macro_of("check_lists", "an error in words for two lists that can't be measured, else NULL", ways)
