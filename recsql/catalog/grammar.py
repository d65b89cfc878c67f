"""Metrics and cut-offs as people write them: `ndcg@10`, `ap(denominator=relevant)@100`, `MAP`, `P_10`."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from recsql.base.errors import RecsqlError, UnknownName, nearest
from recsql.base.wording import either
from recsql.catalog import catalog
from recsql.catalog.headers import Value, canonical
from recsql.catalog.options import number_in, parse_number, parse_value

Cutoffs = int | str | Sequence[int | str] | None
DEFAULT_CUTOFFS = (5, 10, 20)  # of metrics
DEFAULT_CUTOFF = 10  # of hits, ideal and conventions
DEFAULT_LENGTH = 100  # of the lists of rank_by_score
ALL = "all"  # for metrics: all that can be computed; for a cut-off: the whole list
WHOLE = 10**18  # the cut-off "all" inside a query; no rank is as large
SUCH_AS = "give one or more, such as 10 or [5, 10]"  # cut-offs
LARGEST, MOST_CUTOFFS = 1_000_000, 10_000  # a cut-off, and how many a call can have; checks/calls.sql says both
MOST = 1_000_000_000  # the largest cut-off with a budget
FEW = 100  # the most cut-offs that a query lists one per line
# name(option=value, ...)@k; ranx appends the lowest relevance that counts, as in -l2
METRIC = re.compile(
    r"\s*(?P<name>[A-Za-z][\w.-]*?)\s*(?:\((?P<options>.*)\))?\s*(?:@\s*(?P<k>[^,]+?))?(?:-l(?P<level>\d+))?\s*", re.DOTALL
)


class Usual(int):
    """The cut-off of a call that names none, which metrics need not read."""


class Inner(str):
    """A metric that a function needs for itself, also under the preset of a library that lacks it."""


USUAL_CUTOFF = Usual(DEFAULT_CUTOFF)  # of check and report


@dataclass(frozen=True)
class Asked:
    """A metric as asked for; `str()` gives text that parses back to it, without defaults."""

    metric: str
    options: tuple[tuple[str, Value], ...] = ()
    k: int | None = None
    said: str = field(default="", compare=False)  # the text that asked for it, without its cut-off

    @property
    def label(self) -> str:
        """The metric without its cut-off, as in the column `definition`, by a name that means it in its preset."""
        known, preset = catalog().options, catalog().presets.get(str(dict(self.options).get("like")))
        name = preset.name_of(self.metric, catalog().metrics[self.metric].header) if preset else self.metric
        preset_first = sorted(self.options, key=lambda option: option[0] != "like")
        inside = ", ".join(f"{known[name].inside(self.metric)}={value}" for name, value in preset_first)
        return f"{name}({inside})" if inside else name

    def __str__(self) -> str:
        return labelled(self.label, self.k)


def labelled(metric: str, k: int | None) -> str:
    """A metric with its cut-off as people write it; in a result, the whole list has no cut-off."""
    return metric if k is None else f"{metric}@{ALL if k == WHOLE else k}"


def separated(text: str) -> list[str]:
    """Splits metrics at commas outside of brackets."""
    return re.split(r",(?![^(]*\))", text)


def parse_metric(text: str, like: str | None = None, *, at_k: bool = False) -> Asked:
    """Parses a metric with all options in its brackets.

    The name has its meaning in the preset in the brackets, else in the preset `like`. `at_k` says that the call has cut-offs,
    which replace the whole list that a preset gives the metric. Raises UnknownName or RecsqlError if the text, a name, a value
    or the cut-off is wrong.
    """
    match = METRIC.fullmatch(text) if isinstance(text, str) else None
    if not match:
        several = either("give several metrics as a list", "separate metrics by commas")
        way = f"; {several}" if isinstance(text, str) and re.search(r"\w[\s,]+\w", text) else ""
        raise RecsqlError(f"metric {text!r} is not of the form name(option=value)@k{way}")
    parts = [*(match["options"] or "").split(","), f"relevance_threshold={match['level']}" if match["level"] else ""]
    other = re.search(r"\blike\s*=\s*([\w-]+)", match["options"] or "")
    name, suffix = split_suffix(match["name"])
    library = canonical(other[1]) if other else like
    meant, k = find_metric(name, library), match["k"] or suffix
    if meant.k is None and library in catalog().presets and meant.metric in catalog().presets[library].uncut:
        meant = replace(meant, k=WHOLE)
    inside = [parse_option(meant.metric, part) for part in parts if part.strip()]
    if suffix and "." in match["name"] and (option := f"{meant.metric}_p") in catalog().options:  # rbp.80 is rbp(p=0.8)
        inside, k, suffix = [*inside, (option, float(f"0.{suffix}"))], match["k"], ""
    if len(dict(inside)) < len(inside) or (suffix and match["k"]):
        raise RecsqlError(f"metric {text!r} sets an option or the cut-off twice; give each once")
    options = dict(meant.options) | dict(inside)
    kept = tuple((name, options[name]) for name in catalog().options if name in options)
    brackets, level = f"({match['options']})" if match["options"] else "", f"-l{match['level']}" if match["level"] else ""
    said = f"{name if suffix else match['name']}{brackets}{level}"
    return Asked(meant.metric, kept, cutoff(k) if k else None if at_k else meant.k, said)


def find_metric(text: str, like: str | None = None) -> Asked:
    """Finds the metric that `text` names, in upper or lower case. The names of the preset `like` come first.

    Raises UnknownName if nothing has that name, or if libraries use it for different metrics.
    """
    name, names, metrics = canonical(text), catalog().names, ", ".join(catalog().metrics)
    meanings = {preset.name: preset.names[name] for preset in catalog().presets.values() if name in preset.names}
    if name in names and like not in meanings:
        return Asked(names[name])
    meant = [meanings[like]] if like in meanings else list(dict.fromkeys(meanings.values()))
    if len(meant) == 1:
        if METRIC.fullmatch(meant[0]):
            return parse_metric(meant[0])
        library = like if like in meanings else next(iter(meanings))
        has = ", ".join(catalog().presets[str(library)].has)
        raise UnknownName(f"metric '{text}' of {library} is {meant[0]}, which recsql does not have; choose one of {has}")
    if meanings:
        who = {meaning: [preset for preset, other in meanings.items() if other == meaning] for meaning in meanings.values()}
        told = ", ".join(f"{meaning} in {' and '.join(presets)}" for meaning, presets in who.items())
        raise UnknownName(f"metric '{text}' is ambiguous: {told}; set like=, or choose one of {metrics}")
    raise UnknownName(catalog().say("metric_names", name=text, hint=nearest(name, names), names=metrics))


def name_in(text: str) -> str:
    """The name in a metric's text: without brackets and cut-off, in the catalogue's spelling."""
    match = METRIC.fullmatch(text)
    return canonical(split_suffix(match["name"])[0]) if match else ""


def split_suffix(name: str) -> tuple[str, str]:
    """Splits a name such as P_10 or ndcg_cut_10, as trec_eval prints it, into the name and the cut-off."""
    stem, _, k = name.replace(".", "_").rpartition("_")
    return (stem, k) if k.isdecimal() and canonical(stem) in catalog().known_names else (name, "")


def parse_option(metric: str, part: str) -> tuple[str, Value]:
    """Parses one option in the brackets of a metric into its full name and its value."""
    name, equals, value = (piece.strip() for piece in part.partition("="))
    if not equals:
        raise RecsqlError(f"{metric}({part.strip()}): write option=value inside the brackets")
    option = catalog().option(name, metric)
    if option.is_table(value) or option.type == "column":
        what = "table" if option.is_table(value) else "column"
        raise RecsqlError(f"{metric}({part.strip()}): a {what} is an option of the whole call, not of one metric")
    return option.name, parse_value(option, parse_number(value))


def cutoff(k: object, most: int = MOST) -> int:
    """Parses a cut-off: a whole number from 1 to `most`, the largest budget, as a number or text, or "all", which becomes WHOLE.

    Raises RecsqlError for anything else.
    """
    given = parse_number(k.strip()) if isinstance(k, str) else k
    if isinstance(given, str) and given.lower() == ALL:
        return WHOLE
    number = number_in(given)
    if number is None or not 1 <= number <= most or not float(number).is_integer():
        raise RecsqlError(catalog().say("cutoffs", found=given))
    return int(number)


def is_named(k: Cutoffs) -> bool:
    return k is not None and not isinstance(k, Usual)


def cutoffs(k: Cutoffs, faults: list[RecsqlError]) -> tuple[int, ...]:
    """Parses the cut-offs in `k`, or None for metrics without one. Errors are added to `faults`."""
    if k is None:
        return ()
    given = list(islice(k, MOST_CUTOFFS + 1)) if isinstance(k, Iterable) and not isinstance(k, str) else [k]
    if len(given) > MOST_CUTOFFS:
        faults.append(RecsqlError(catalog().say("cutoff_count")))
        return ()
    if not given:
        faults.append(RecsqlError(f"k: the list is empty; {SUCH_AS}"))
    ks: list[int] = []
    for one in given:
        try:
            ks.append(cutoff(one))
        except RecsqlError as fault:
            faults.append(fault)
    return tuple(dict.fromkeys(ks))
