"""What the files of `sql/` declare in their headers: metrics, options, topics and presets.

A chapter is a file of several pieces, each of which begins with `-- name: NAME`. A piece, or a file of its own, begins with a
Jinja comment that holds its TOML header; the rest is SQL.
"""

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources.abc import Traversable
from typing import Any

from recsql.base.errors import RecsqlError, nearest
from recsql.base.package import sql_root
from recsql.catalog.slice_names import SliceName

Given = Any  # a setting of a call as it is given: text, a number, a mapping or a table
Value = str | int | float | tuple[SliceName, ...] | None  # an option's value, parsed; moments, spans and gains are also texts
Header = dict[str, Any]  # the header of a file, which is TOML
TABLE = "table"  # the value of an option that was given as a table
PROSE = ("dialects", "targets", "decisions", "plain", "report")  # where a header is prose
PIECE = re.compile(r"^-- name: (\w+(?: \(fast\))?)\n", re.MULTILINE)  # the line above a piece, of a step or its faster form
MARK = re.compile(r"^-- *name\b.*$", re.MULTILINE)  # a line that is meant to begin one
FURTHER = re.compile(r"^\{# (over two lists|rows|sentence|textbook) #\}\n", re.MULTILINE)  # the line above a further text
PRODUCTS = ("split", "labels", "baselines", "overlap", "judge")  # folders with steps, checks, targets and expressions
REQUIRED = {  # the keys that a header must have, by folder
    "metrics": ("title", "group", "formula", "reference", "care", "aliases", "bounds"),
    "lists": ("about", "parameters"),
}
WITH_OPTIONS = ("metrics", "statistics", "expressions", "steps", "checks")  # the folders whose headers can have all keys of `all`
PRESET = "preset"  # the type of the option that takes a preset's name


@dataclass(frozen=True, eq=False)
class Source:
    """A piece of a chapter, as in `steps/hits.sql: found`, or a file of its own: its header as text, and its SQL.

    `further` has its other texts: the form of a statistic over two lists, the query for the rows of a finding, or that for the
    sentence of a finding that other functions than check say unasked; the textbook's query for a metric.
    """

    path: str
    head: str
    text: str
    further: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def header(self) -> Header:
        """The header, parsed when it is first read; raises RecsqlError if it is not TOML, or a key is missing or unknown."""
        try:
            found = {} if self.folder in PROSE else tomllib.loads(self.head)
        except tomllib.TOMLDecodeError as error:
            raise RecsqlError(f"sql/{self.path}: its header is not TOML: {error}") from error
        known = keys().get(self.folder, {})
        if missing := [f"{key} ({known[key]})" for key in REQUIRED.get(self.folder, ()) if key not in found]:
            raise RecsqlError(f"sql/{self.path}: its header lacks {', '.join(missing)}; docs/keys.md describes the keys")
        shared = keys()["all"] if self.folder in WITH_OPTIONS else {}
        refuse_unknown_keys(f"sql/{self.path}: its header", found, {**known, **shared})
        for name, spec in found.get("options", {}).items():
            refuse_unknown_keys(f"sql/{self.path}: option {name}", spec, keys()["options"])
        return found

    @property
    def chapter(self) -> str:
        """The file that it is a piece of."""
        return self.path.partition(": ")[0]

    @cached_property
    def name(self) -> str:
        file, _, piece = self.path.partition(": ")
        return piece.removesuffix(" (fast)") or file.rpartition("/")[2].removesuffix(".sql")

    @cached_property
    def folder(self) -> str:
        """What it is, such as `steps`: its folder or, in a product, its file. The opening of a chapter of steps has decisions."""
        file, _, piece = self.path.partition(": ")
        first, *others = file.removesuffix(".sql").split("/")
        kind = others[0] if first in PRODUCTS else first
        return "fast" if piece.endswith(" (fast)") else "decisions" if kind == "steps" and not piece else kind

    @property
    def aliases(self) -> list[str]:
        """The other names of a metric: those of the field, then those of other libraries."""
        named = [name for names in self.header.get("names", {}).values() for name in names]
        return list(dict.fromkeys([*self.header["aliases"], *named]))

    def libraries(self, name: str) -> list[str]:
        """The presets of the libraries that use this name for the metric; empty for a name that is common in the field."""
        return [library for library, names in self.header.get("names", {}).items() if name in names]

    @cached_property
    def needs(self) -> "list[Need]":
        """What the file needs, in the order of its header."""
        return [Need(*entry.split(" if ")) for entry in self.header.get("needs", ())]

    @property
    def requires(self) -> "list[Requirement]":
        """The options that the metric needs."""
        return [Requirement(**one) for one in self.header.get("requires", ())]

    @property
    def when(self) -> str:
        """The condition under which a check runs, a finding is looked for, or a fast form replaces a step."""
        when = str(self.header.get("when", "true"))
        return f"fast and ({when})" if self.folder == "fast" else when

    @property
    def joins(self) -> dict[str, str]:
        """The joins that statistics need, by name."""
        found: dict[str, str] = self.header.get("joins", {})
        return found

    @property
    def grain(self) -> str:
        """What one row of the pipeline describes: a user's list, an item, a rating or an interaction."""
        return str(self.header.get("grain", "user"))

    @cached_property
    def grains(self) -> set[str]:
        """The grain, and the others whose pipelines read the file. What all lists together read, others read."""
        found = {self.grain, *self.header.get("also", "").split()}
        return found | {"list", "item_group"} if "item" in found else found


@dataclass(frozen=True)
class Need:
    """A name that a file needs under a condition over options: a statistic, a metric or a name of `needs.toml`."""

    name: str
    condition: str = "true"


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
    aliases: tuple[str, ...] = ()
    above: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    below: float | None = None
    alone: Value = None  # what it is if the call only says that it wants it
    word: str = TABLE  # the value of an option that was given as a table, as labels show it
    input: bool = False  # an input, such as a table, and not part of a convention
    splits: bool = False  # a metric's statistics read it, so metrics that differ in it need separate queries
    also: str = ""  # other grains than those of its file whose pipelines read it
    where: Mapping[str, str] = field(default_factory=dict)  # the option has an effect only under these values of others

    @property
    def called(self) -> str:
        """The name in calls, without the prefix before `__`: options of different calls may have the same name there."""
        return self.name.rpartition("__")[2]

    @cached_property
    def grains(self) -> set[str]:
        """The grains whose pipelines read it."""
        return {*self.home.grains, *self.also.split()}

    @property
    def short(self) -> str:
        """The name inside a metric's brackets: ap_denominator is ap(denominator=...)."""
        return self.name.removeprefix(f"{self.home.name}_") if self.home.folder == "metrics" else self.name

    @cached_property
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
        words = {"above ": self.above, "at least ": self.at_least, "at most ": self.at_most, "below ": self.below}
        return " and ".join(f"{word}{bound}" for word, bound in words.items() if bound is not None)

    @property
    def is_number(self) -> bool:
        return self.type in ("number", "integer")

    def is_table(self, value: object) -> bool:
        """Whether `value` is a table and not one of the option's words."""
        return self.type == TABLE and value is not None and not (isinstance(value, str) and value in self.choices)


@cache
def keys() -> Mapping[str, Mapping[str, str]]:
    """The keys that headers can have, with their meaning, by folder; those of options; and the names that templates can read."""
    return tomllib.loads((sql_root() / "keys.toml").read_text(encoding="utf-8"))


def refuse_unknown_keys(where: str, found: Iterable[str], known: Collection[str]) -> None:
    """Raises RecsqlError for a key that nothing reads."""
    if stray := [key for key in found if key not in known]:
        raise RecsqlError(f"{where} can't have the key {stray[0]}; {nearest(stray[0], known)}docs/keys.md describes the keys")


@dataclass(frozen=True)
class Requirement:
    """The options of which a metric needs one if others have the values in `where`, which are separated by spaces.

    If `one_of` is empty, the metric can't be computed under these values; `why` says why. The condition `when` must hold as well.
    `said` has the rest of the sentence, if there is one of its own.
    """

    one_of: Sequence[str] = ()
    where: Mapping[str, str] = field(default_factory=dict)
    when: str = "true"
    why: str = ""
    said: str = ""

    @property
    def in_words(self) -> str:
        """The options as a sentence lists them: `users= or train=`."""
        return " or ".join(f"{name}=" for name in self.one_of)


@dataclass(frozen=True)
class Topic:
    """A topic and its options."""

    name: str
    title: str
    options: Mapping[str, Option]


@dataclass(frozen=True)
class Preset:
    """The conventions of another library: the options of all metrics, those of single metrics, and those of splits."""

    name: str
    title: str
    version: str
    reference: str
    differs: Sequence[str] = ()
    has: Sequence[str] = ()
    uncut: Sequence[str] = ()
    options: Mapping[str, Value] = field(default_factory=dict)
    metrics: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    split: Mapping[str, Value] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    in_search: int = 99  # its place in a report about search, before those without one

    def name_of(self, metric: str, header: Header) -> str:
        """A name that means the metric in this library: its own, unless that is another one there."""
        meant = {name: meaning.partition("@")[0] for name, meaning in self.names.items()}
        theirs = [*header.get("names", {}).get(self.name, ()), *(name for name, one in meant.items() if one.startswith(metric))]
        return metric if meant.get(metric, metric) == metric else next((name for name in theirs if name != metric), metric)

    def options_of(self, metric: str, *, whole: bool = False) -> dict[str, Value]:
        """The options that the preset gives to one metric; `metrics` can have others for the whole list, as of "rr@all"."""
        return {**self.options, **self.metrics.get(metric, {}), **(self.metrics.get(f"{metric}@all", {}) if whole else {})}


def canonical(name: str) -> str:
    """A name in the catalogue's spelling, whatever its case and hyphens."""
    return name.strip().lower().replace("-", "_")


def read_sources(root: Traversable, folder: str = "") -> Iterator[Source]:
    """The files and pieces of files below `root`, in any order of the files."""
    for entry in root.iterdir():
        path = f"{folder}/{entry.name}" if folder else entry.name
        if path.endswith(".sql") and path not in ("recsql.sql", "check.sql"):
            opening, *pieces = PIECE.split(entry.read_text(encoding="utf-8"))
            whole = source_of(path, opening)
            yield from [] if pieces and not whole.text.strip() else [whole]  # prose opens a chapter, perhaps with decisions
            yield from (source_of(f"{path}: {name}", text) for name, text in zip(pieces[::2], pieces[1::2], strict=True))
        elif entry.is_dir():
            yield from read_sources(entry, path)


def read_presets(root: Traversable) -> Iterator[Preset]:
    """The presets, sorted by name; raises RecsqlError if one is not valid TOML."""
    for entry in sorted((root / "presets").iterdir(), key=lambda entry: entry.name):
        try:
            found = tomllib.loads(entry.read_text(encoding="utf-8"))
            names = {canonical(name): meaning for name, meaning in found.pop("names", {}).items()}
            yield Preset(entry.name.removesuffix(".toml"), names=names, **found)
        except (tomllib.TOMLDecodeError, TypeError) as error:
            raise RecsqlError(f"sql/presets/{entry.name}: {error}") from error


def source_of(path: str, text: str) -> Source:
    """A piece split into header and SQL; raises RecsqlError if it has no header."""
    head, end, body = text.partition("#}")
    if not end or not head.startswith("{#"):
        raise RecsqlError(f"sql/{path} does not begin with its header, a Jinja comment")
    first, *others = FURTHER.split(body.strip("\n") + "\n")
    further = {name: text.strip("\n") + "\n" for name, text in zip(others[::2], others[1::2], strict=True)}
    return Source(path, head.removeprefix("{#"), first.strip("\n") + "\n", further)
