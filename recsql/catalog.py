"""Reads `sql/`. Its files are the registry of metrics, statistics, steps, checks and options.

A file begins with a Jinja comment that holds its TOML header; the rest is SQL.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from math import inf, isfinite
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from recsql.errors import RecsqlError, UnknownName, nearest

DEFAULT_CUTOFFS = (5, 10, 20)  # of metrics
DEFAULT_CUTOFF = 10  # of hits, ideal and conventions
DEFAULT_LENGTH = 100  # of the lists of rank_by_score
ABOUT = {  # what the table macros and the commands of the same name do
    "evaluate": "the metrics averaged over users",
    "per_user": "the metrics of each user, one column per metric",
    "item_metrics": "the metrics of all lists together",
    "rating_metrics": "how far predictions are from ratings",
    "hits": "every recommended row in the top k, with the running hits, precision and dcg of its list",
    "ideal": "the best possible list of each user, up to rank k, with its running dcg",
    "leave_one_out": "every interaction, labelled as train or truth",
    "rank_by_score": "scored items ranked, the top k of each list; ties by item id",
}
Value = Any  # an option's value: text, a number, a mapping or a table
TABLE = "table"  # the value of an option that was given as a table
ALL = "all"  # for metrics: all that can be computed; for a cut-off: the whole list
WHOLE = 10**18  # the cut-off "all" inside a query; no rank is as large
PRESET = "preset"  # the type of the option that takes a preset's name
JOINED = ("hits", "list", "user")  # the kinds of statistics that can have joins of their own
LISTED = ("of_lists", "aliases")  # the keys of an option that hold a list


def sql_root() -> Traversable:
    """The folder `sql`: inside the installed package, else beside it (a checkout, an editable install)."""
    packaged = files("recsql") / "sql"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "sql"


@dataclass(frozen=True, eq=False)
class Source:
    """One file of `sql/`: its path below that folder, its header and its SQL."""

    path: str
    header: dict[str, Any]
    text: str

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2].removesuffix(".sql")

    @property
    def folder(self) -> str:
        return self.path.partition("/")[0]

    @property
    def aliases(self) -> list[str]:
        """The other names of a metric: those of the field, then those of other libraries."""
        named = [name for names in self.header.get("names", {}).values() for name in names]
        return list(dict.fromkeys([*self.header["aliases"], *named]))

    def libraries(self, name: str) -> list[str]:
        """The libraries, by preset, that use this name for the metric; none for a name that is common in the field."""
        return [library for library, names in self.header.get("names", {}).items() if name in names]

    @property
    def needs(self) -> "list[Need]":
        """What the file needs, in the order of its header."""
        return [Need(*entry.partition(" if ")[::2]) for entry in self.header.get("needs", ())]

    @property
    def requires(self) -> "list[Requirement]":
        """The options that the metric needs."""
        return [Requirement(one.get("one_of", ()), one.get("where", {})) for one in self.header.get("requires", ())]

    @property
    def grain(self) -> str:
        """What one row of the pipeline describes: a user's list, an item, a rating or an interaction."""
        return str(self.header.get("grain", "user"))

    @property
    def grains(self) -> set[str]:
        """The grain, and the other grains whose pipelines read the file."""
        return {self.grain, *self.header.get("also", "").split()}


@dataclass(frozen=True)
class Need:
    """A name that a file needs: a statistic, another metric or one of `needs.toml`. The condition is over options."""

    name: str
    condition: str = ""


@dataclass(frozen=True)
class Option:
    """One option, as declared in the header of the file that reads it."""

    name: str
    home: Source
    about: str
    topic: str
    default: Value = None
    type: str = "choice"
    values: tuple[tuple[str, str], ...] = ()
    of_lists: tuple[str, ...] = ()
    mapping: str = ""
    aliases: tuple[str, ...] = ()
    above: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    input: bool = False  # an input, such as a table, and not part of a convention
    splits: bool = False  # of a metric's option: its statistics read it, so that metrics that differ in it need a query each
    reads: Mapping[str, str] = field(default_factory=dict)  # per value: another metric whose options also count
    where: Mapping[str, str] = field(default_factory=dict)  # the option has an effect only under these values of others

    @property
    def short(self) -> str:
        """The name inside a metric's brackets: ap_denominator is ap(denominator=...)."""
        return self.name.removeprefix(f"{self.home.name}_") if self.home.folder == "metrics" else self.name

    @property
    def is_own(self) -> bool:
        """Whether only the metric itself reads it, so that metrics in one query can differ in it."""
        return self.home.folder == "metrics" and not self.splits

    def inside(self, metric: str) -> str:
        """The name inside the brackets of a given metric."""
        return self.short if self.home.name == metric else self.name

    @property
    def choices(self) -> list[str]:
        return [value for value, _ in self.values]

    @property
    def bound(self) -> str:
        """The range of a number, in words; empty if any number is allowed."""
        words = {"above ": self.above, "at least ": self.at_least, "at most ": self.at_most}
        return " and ".join(f"{word}{bound}" for word, bound in words.items() if bound is not None)

    def idle(self, chosen: Mapping[str, Value]) -> str:
        """The sentence for an option that is set but has no effect; empty if it has an effect or is the default."""
        unmet = [name for name, values in self.where.items() if chosen[name] not in values.split()]
        if not unmet or chosen[self.name] == self.default:
            return ""
        return catalog().say("idle_options", option=self.name, other=unmet[0], value=self.where[unmet[0]])

    def is_table(self, value: Value) -> bool:
        """Whether `value` is a table and not one of the option's words."""
        return self.type == TABLE and value is not None and not (isinstance(value, str) and value in self.choices)

    def check(self, value: Value) -> Value:
        """`value` in the form that the templates expect; raises UnknownName or RecsqlError if it is invalid."""
        if value is None:
            return self.default
        if self.type in ("number", "integer"):
            return self._number(value)
        if self.type == "map":
            return self._map(value)
        if self.is_table(value):
            return TABLE
        if self.type == PRESET:
            return catalog().preset(str(value)).name
        if self.type == "column" and not (isinstance(value, str) and value):
            raise RecsqlError(f"{self.name}: {value!r} is not a column name; give the name as text")
        return self._choice(value) if self.values else value

    def _choice(self, value: Value) -> str:
        """One of the words; values that spell one, such as 2 or True, also work."""
        word = str(value).lower()
        if word not in self.choices:
            found = {"option": self.name, "value": value, "hint": nearest(word, self.choices), "values": ", ".join(self.choices)}
            raise UnknownName(catalog().say("options", **found))
        return word

    def _number(self, value: Value) -> Value:
        number: Value = parse_number(value) if isinstance(value, str) else value
        is_one = isinstance(number, Integral if self.type == "integer" else Real) and not isinstance(number, bool)
        if not (is_one and abs(number) < inf):
            raise RecsqlError(f"{self.name}: {value!r} is not {'a whole number' if self.type == 'integer' else 'a number'}")
        exact = int(number) if isinstance(number, Integral) else float(number)  # numpy's are written with their type
        above = self.above is None or exact > self.above
        below = self.at_most is None or exact <= self.at_most
        if not (above and below) or (self.at_least is not None and exact < self.at_least):
            raise RecsqlError(catalog().say("numbers", option=self.name, value=repr(value), bound=self.bound))
        return exact

    def _map(self, value: Value) -> str:
        """A mapping of numbers, or its text, as the text used inside a metric's brackets: 1:1 2:3.5."""
        pairs = value.items() if isinstance(value, Mapping) else [pair.partition(":")[::2] for pair in str(value).split()]
        try:
            numbers = [(float(key), float(number)) for key, number in pairs]
            if not all(isfinite(number) for pair in numbers for number in pair):
                raise ValueError
        except (TypeError, ValueError):
            raise RecsqlError(f"{self.name}: {value!r} does not map numbers to numbers; write it like 1:1 2:3.5") from None
        keys = [key for key, _ in numbers]
        if twice := [key for key in keys if keys.count(key) > 1]:
            raise RecsqlError(f"{self.name}: {value!r} has two values for {twice[0]!r}; give one")
        return " ".join(f"{key!r}".removesuffix(".0") + f":{number!r}" for key, number in numbers)


def parse_number(text: str) -> int | float | str:
    """The number that `text` spells, or `text` itself."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


@dataclass(frozen=True)
class Requirement:
    """A metric needs one of these options if other options have certain values, which `where` separates by spaces.

    Without options to choose from, the metric can't be computed under these values.
    """

    one_of: Sequence[str]
    where: Mapping[str, str]

    @property
    def leaves_out(self) -> bool:
        """Whether a metric that doesn't meet it is left out unless you name it."""
        return not self.one_of or all(catalog().options[name].default in values.split() for name, values in self.where.items())

    def message(self, metric: object) -> str:
        if not self.one_of:
            options = " and ".join(f"{name} = '{values}'" for name, values in self.where.items())
            return catalog().say("undefined", metric=metric, options=options)
        return catalog().say("requirements", metric=metric, options=" or ".join(self.one_of))


@dataclass(frozen=True)
class Topic:
    """A topic and its options."""

    name: str
    title: str
    options: Mapping[str, Option]


@dataclass(frozen=True)
class Preset:
    """The conventions of another library under one name: its options, and those of metrics that it treats differently."""

    name: str
    title: str
    version: str
    reference: str
    differs: Sequence[str] = ()
    lacks: Sequence[str] = ()
    options: Mapping[str, Value] = field(default_factory=dict)
    metrics: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def apart(self) -> Mapping[str, Value]:
        """The options of the metrics that the preset computes separately; they are the same for each of these metrics.

        Raises RecsqlError if they differ, because a macro can't express that.
        """
        first, *others = self.metrics.values() or [{}]
        if any(other != first for other in others):
            raise RecsqlError(f"sql/presets/{self.name}.toml: its metrics have options of more than one kind")
        return first

    def options_of(self, metric: str) -> dict[str, Value]:
        """The options that the preset gives to one metric."""
        return {**self.options, **self.metrics.get(metric, {})}


@dataclass(frozen=True)
class Asked:
    """A metric as asked for; `str()` gives text that parses back to it, without defaults."""

    metric: str
    options: tuple[tuple[str, Value], ...] = ()
    k: int | None = None

    @property
    def label(self) -> str:
        """The metric without its cut-off, as in the column `metric`."""
        known = catalog().options
        preset_first = sorted(self.options, key=lambda option: option[0] != "like")
        inside = ", ".join(f"{known[name].inside(self.metric)}={value}" for name, value in preset_first)
        return f"{self.metric}({inside})" if inside else self.metric

    def __str__(self) -> str:
        return labelled(self.label, self.k)


def labelled(metric: str, k: int | None) -> str:
    """A metric with its cut-off as people write it; in a result, the whole list has no cut-off."""
    return metric if k is None else f"{metric}@{ALL if k == WHOLE else k}"


GRAINS = {
    "user": "use {evaluate} or {per_user}",
    "item": "it is one value for all lists together, so use {evaluate} or {item_metrics}",
    "rating": "it compares ratings with predictions, so use {evaluate_ratings}",
}

# name(option=value, ...)@k, and the -l2 of ranx for the lowest relevance that counts
METRIC = re.compile(
    r"\s*(?P<name>[A-Za-z][\w.-]*?)\s*(?:\((?P<options>.*)\))?\s*(?:@\s*(?P<k>.+?))?(?:-l(?P<level>\d+))?\s*", re.DOTALL
)


class Catalog:
    """Everything that `sql/` declares, by name."""

    def __init__(self, root: Traversable) -> None:
        self.sources = {source.path: source for source in read_sources(root)}
        self.dialects = self._folder("dialects")
        self.metrics = self._folder("metrics")
        self.statistics = self._folder("statistics")
        self.lists = self._folder("lists")
        self.expressions = self._folder("expressions")
        self.steps = self._steps(root)
        self.needs: dict[str, str] = tomllib.loads((root / "needs.toml").read_text(encoding="utf-8"))
        self.checks = self._folder("checks")
        self.presets = {preset.name: preset for preset in read_presets(root)}
        self.options = self._options()
        self.topics = self._topics(root)
        self.names = self._names()
        self.spoken = {*self.names, *(name for preset in self.presets.values() for name in preset.names)}
        self.sums = {one.header["sums"]["over"]: one for one in self.steps.values() if "sums" in one.header}
        self._check_needs()

    def _folder(self, folder: str) -> dict[str, Source]:
        return {source.name: source for source in self.sources.values() if source.folder == folder}

    def _steps(self, root: Traversable) -> dict[str, Source]:
        """The steps in the order of the flow; raises RecsqlError if a step is not in it, or is not there."""
        order = [name for names in tomllib.loads((root / "flow.toml").read_text(encoding="utf-8")).values() for name in names]
        found = self._folder("steps")
        if apart := {*order} ^ {*found}:
            raise RecsqlError(f"sql/flow.toml must name each step of sql/steps once; look at {', '.join(sorted(apart))}")
        return {name: found[name] for name in order}

    def _check_needs(self) -> None:
        """Raises RecsqlError if a file needs something that is not there."""
        known = {*self.needs, *self.statistics, *self.metrics}
        if twice := self.needs.keys() & self.statistics.keys():
            raise RecsqlError(f"sql/needs.toml: {', '.join(sorted(twice))} is also the name of a statistic")
        for source in self.statistics.values():
            if "joins" in source.header and source.header["over"] not in JOINED:
                over = source.header["over"]
                raise RecsqlError(f"sql/{source.path} has joins, which statistics over {over} can't have; join in its step")
        for source in self.sources.values():
            for need in source.needs if source.folder != "lists" else ():
                if need.name not in known:
                    hint = nearest(need.name, known)
                    raise RecsqlError(f"sql/{source.path} needs {need.name}, which is no statistic and not in needs.toml; {hint}")

    def _options(self) -> dict[str, Option]:
        options: dict[str, Option] = {}
        for source in self.sources.values():
            for name, spec in source.header.get("options", {}).items():
                if name in options:
                    raise RecsqlError(f"option {name} is declared in {options[name].home.path} and in {source.path}")
                listed = {key: tuple(spec.get(key, ())) for key in LISTED}
                titles = {preset.name: preset.title for preset in self.presets.values()}
                values = titles if spec.get("type") == PRESET else spec.get("values", {})
                options[name] = Option(name, source, **(spec | listed | {"values": tuple(values.items())}))
        return options

    def _topics(self, root: Traversable) -> dict[str, Topic]:
        """The topics, in the order of the file; raises RecsqlError if an option has a topic that is not in it."""
        titles = tomllib.loads((root / "topics.toml").read_text(encoding="utf-8"))
        for option in self.options.values():
            if option.topic not in titles:
                raise RecsqlError(f"option {option.name} in {option.home.path}: there is no topic {option.topic} in topics.toml")
        return {
            topic: Topic(topic, title, {name: one for name, one in self.options.items() if one.topic == topic})
            for topic, title in titles.items()
        }

    def _names(self) -> dict[str, str]:
        """Every name and alias of a metric, in lower case, with the metric's own name."""
        names: dict[str, str] = {}
        for name, source in self.metrics.items():
            for alias in (name, *source.aliases):
                if alias in names:
                    other = self.metrics[names[alias]].path
                    raise RecsqlError(f"the name {alias} is claimed by {other} and by {source.path}")
                names[alias] = name
        return names

    def metrics_of(self, grain: str) -> list[str]:
        """The metrics of a grain; the default ones come first."""
        found = {name: source.header.get("default", inf) for name, source in self.metrics.items() if source.grain == grain}
        return sorted(found, key=lambda name: found[name])

    def usual_metrics(self, grain: str) -> list[str]:
        """The default metrics, in the order that their headers give; all metrics if no header gives one."""
        found = self.metrics_of(grain)
        return [name for name in found if "default" in self.metrics[name].header] or found

    def declared_in(self, *homes: str) -> dict[str, Value]:
        """The defaults of the options declared in these folders or files."""
        return {name: option.default for name, option in self.options.items() if option.home.path.startswith(homes)}

    def say(self, check: str, **found: object) -> str:
        """The sentence of a check, identical to the one in SQL."""
        return str(self.checks[check].header["message"]).format(**found)

    def named(self, text: str, like: str | None = None) -> "Asked":
        """The metric that `text` names, in any case. Under a preset, the preset's own names come first.

        Raises UnknownName if nothing has that name, or if libraries use it for different metrics.
        """
        name = plain(text)
        meanings = {preset.name: preset.names[name] for preset in self.presets.values() if name in preset.names}
        if name in self.names and like not in meanings:
            return Asked(self.names[name])
        meant = {meanings[like]} if like in meanings else set(meanings.values())
        if len(meant) == 1 and METRIC.fullmatch(only := meant.pop()):
            return self.as_written(only)
        if meanings:
            who = {meaning: [preset for preset, other in meanings.items() if other == meaning] for meaning in meanings.values()}
            told = ", ".join(f"{meaning} in {' and '.join(presets)}" for meaning, presets in who.items())
            raise UnknownName(self.say("metric_meanings", name=text, meanings=told, names=", ".join(self.metrics)))
        raise UnknownName(self.say("metric_names", name=text, hint=nearest(name, self.names), names=", ".join(self.metrics)))

    def preset(self, name: str) -> Preset:
        """The preset of that name, in any case."""
        known = plain(name)
        if known not in self.presets:
            found = {"option": "like", "value": name, "hint": nearest(known, self.presets), "values": ", ".join(self.presets)}
            raise UnknownName(self.say("options", **found))
        return self.presets[known]

    def options_of(self, grains: Iterable[str]) -> dict[str, Option]:
        """The options of the pipelines of some grains, without `metrics`, which is an option of macros only."""
        return {
            name: option for name, option in self.options.items() if option.home.grains & {*grains} and option.type != "names"
        }

    def option(self, name: str, metric: str = "", grains: Iterable[str] = GRAINS) -> Option:
        """The option of that name. Inside the brackets of `metric`, its short name and other libraries' names also work."""
        here = [option for option in self.options.values() if metric]
        short = {option.short: option for option in here if option.home.name == metric}
        known = {alias: option for option in here for alias in option.aliases} | short | self.options_of(grains)
        if name not in known:
            raise UnknownName(f"unknown option {name!r}; {nearest(name, known)}choose one of {', '.join(known)}")
        return known[name]

    def parse(self, text: str) -> Asked:
        """Parses a metric such as `ndcg@10`, `ap(denominator=relevant)@100` or `MAP`, and drops options that have their default.

        Raises UnknownName or RecsqlError if the text, a name, a value or the cut-off is wrong.
        """
        asked = self.as_written(text)
        like = dict(asked.options).get("like")
        usual = self.presets[like].options_of(asked.metric) if like else {}
        unusual = [(name, value) for name, value in asked.options if value != usual.get(name, self.options[name].default)]
        return replace(asked, options=tuple(unusual))

    def as_written(self, text: str, like: str | None = None, *, at_k: bool = False) -> Asked:
        """Parses a metric and keeps every option in the brackets.

        The name is read as in the preset `like`, or as in a preset that the brackets name. With `at_k` the call has cut-offs.
        These replace the whole list for a name that means it in a preset.
        """
        match = METRIC.fullmatch(text) if isinstance(text, str) else None
        if not match:
            raise RecsqlError(f"metric {text!r} is not of the form name(option=value)@k")
        parts = [*(match["options"] or "").split(","), f"relevance_threshold={match['level']}" if match["level"] else ""]
        other = re.search(r"\blike\s*=\s*([\w-]+)", match["options"] or "")
        name, suffix = self._suffixed(match["name"])
        meant, k = self.named(name, plain(other[1]) if other else like), match["k"] or suffix
        inside = [self._bracket(meant.metric, part) for part in parts if part.strip()]
        if suffix and "." in match["name"] and (option := self.metrics[meant.metric].header.get("decimals")):
            inside, k, suffix = [*inside, (option, float(f"0.{suffix}"))], match["k"], ""
        if len(dict(inside)) < len(inside) or (suffix and match["k"]):
            raise RecsqlError(f"metric {text!r} sets an option or the cut-off twice; give each once")
        options = dict(meant.options) | dict(inside)
        kept = tuple((name, options[name]) for name in self.options if name in options)
        return Asked(meant.metric, kept, cutoff(k) if k else None if at_k else meant.k)

    def name_in(self, text: str) -> str:
        """The name in a metric's text, without brackets and cut-off, in the catalogue's spelling."""
        match = METRIC.fullmatch(text)
        return plain(self._suffixed(match["name"])[0]) if match else ""

    def _suffixed(self, name: str) -> tuple[str, str]:
        """Splits a name such as P_10 or ndcg_cut_10, as trec_eval prints it, into the name and the cut-off."""
        stem, _, k = name.replace(".", "_").rpartition("_")
        return (stem, k) if k.isdecimal() and plain(stem) in self.spoken else (name, "")

    def _bracket(self, metric: str, part: str) -> tuple[str, Value]:
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise RecsqlError(f"{metric}({part.strip()}): write option=value inside the brackets")
        option = self.option(name, metric)
        if option.is_table(value):
            raise RecsqlError(f"{metric}({part.strip()}): a table is an option of the whole call, not of one metric")
        return option.name, option.check(parse_number(value))


def plain(name: str) -> str:
    """A name in the catalogue's spelling, whatever its case and hyphens."""
    return name.strip().lower().replace("-", "_")


def largest_cutoff() -> int:
    return int(catalog().checks["cutoffs"].header["most"])


def most_cutoffs() -> int:
    return int(catalog().checks["cutoff_count"].header["most"])


def cutoff(k: Value) -> int:
    """`k` as a cut-off: a whole number from 1 to the largest cut-off, its text, or "all", which becomes WHOLE.

    Raises RecsqlError for anything else.
    """
    k = parse_number(k.strip()) if isinstance(k, str) else k
    if isinstance(k, str) and k.lower() == ALL:
        return WHOLE
    whole = isinstance(k, Real) and not isinstance(k, bool) and float(k).is_integer()
    if not whole or not 1 <= k <= largest_cutoff():
        raise RecsqlError(catalog().say("cutoffs", found=k))
    return int(k)


def read_sources(root: Traversable, folder: str = "") -> Iterator[Source]:
    """The SQL files below `root`, sorted by name within each folder."""
    for entry in sorted(root.iterdir(), key=lambda entry: entry.name):
        path = f"{folder}/{entry.name}" if folder else entry.name
        if entry.is_dir():
            yield from read_sources(entry, path)
        elif path.endswith(".sql") and path != "recsql.sql":
            yield source_of(path, entry.read_text(encoding="utf-8"))


def read_presets(root: Traversable) -> Iterator[Preset]:
    """The presets, sorted by name; raises RecsqlError if one is not valid TOML."""
    for entry in sorted((root / "presets").iterdir(), key=lambda entry: entry.name):
        try:
            found = tomllib.loads(entry.read_text(encoding="utf-8"))
            names = {plain(name): meaning for name, meaning in found.pop("names", {}).items()}
            yield Preset(entry.name.removesuffix(".toml"), names=names, **found)
        except (tomllib.TOMLDecodeError, TypeError) as error:
            raise RecsqlError(f"sql/presets/{entry.name}: {error}") from error


def source_of(path: str, text: str) -> Source:
    """The file split into header and SQL; raises RecsqlError if the header is not valid TOML."""
    head, end, body = text.partition("#}")
    if not end or not head.startswith("{#"):
        raise RecsqlError(f"sql/{path} does not begin with its header, a Jinja comment")
    if not path.startswith(("dialects/", "targets/", "decisions")):
        try:
            return Source(path, tomllib.loads(head.removeprefix("{#")), body.lstrip("\n"))
        except tomllib.TOMLDecodeError as error:
            raise RecsqlError(f"sql/{path}: its header is not TOML: {error}") from error
    return Source(path, {}, body.lstrip("\n"))


@cache
def catalog() -> Catalog:
    """The catalogue of this installation, read once."""
    return Catalog(sql_root())
