"""Reads `sql/`. Its files are the registry of metrics, statistics, steps, checks and options."""

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import fields
from functools import cache, partial
from importlib.resources.abc import Traversable
from math import inf
from pathlib import Path
from typing import Any

from recsql.base.errors import RecsqlError, UnknownName, nearest
from recsql.base.package import sql_root
from recsql.base.wording import either
from recsql.catalog.gains import Gains
from recsql.catalog.headers import PRESET, Option, Source, Topic, read_presets, read_sources
from recsql.catalog.kept import kept_or_made
from recsql.catalog.promises import (
    reads_of,
    refuse_hits_without_ties,
    refuse_lost_pieces,
    refuse_options_read_below,
    refuse_unknown_steps,
    rows_of,
)
from recsql.catalog.roles import Names

JOINED = ("hits", "list", "list_items", "user")  # the kinds of statistics that can have joins of their own
GRAINS = {
    "user": "use {evaluate} or {per_user}",
    "list": "it is a mean over lists, so use {evaluate}, {per_user} or {item_metrics}",
    "item": "it is one value for all lists together, so use {evaluate} or {item_metrics}",
    "item_group": "it has a value for each group of items, so use {evaluate} or {item_metrics}",
    "rating": "it compares ratings with predictions, so use {evaluate_ratings}",
}
OF_LISTS = {"no_recs": "skip", "no_truth": "zero", "zero_ideal": "null"}  # who is in a mean over lists: each user with a list

ARGUMENTS = ("metrics", *(field.name for field in fields(Names)))  # of functions, besides options
OF_CALLS = (*ARGUMENTS, "k", "into", "connection", "findings", "words")
AS_K = ("at", "cutoff", "cutoffs", "top_k", "topk", "top_n")  # what others call the cut-offs


class Catalog:
    """Everything that `sql/` declares, by name."""

    def __init__(self, root: Traversable, *, checked: bool = True) -> None:
        written = sorted(read_sources(root), key=lambda one: one.chapter)
        if checked:
            refuse_lost_pieces(written)
        self.sources = {source.path: source for source in sorted(written, key=lambda one: (one.folder, one.name))}
        for source in written:
            _ = source.header  # parsed now, to be kept so
        self.dialects = self._folder("dialects")
        self.metrics = self._folder("metrics")
        self.statistics = self._folder("statistics")
        self.lists = self._folder("lists")
        self.expressions = self._folder("expressions")
        flow = tomllib.loads((root / "flow.toml").read_text(encoding="utf-8"))
        chapters = [f"{path}.sql" for path in flow["chapters"]]
        decisions = [f"decisions/{name}.sql" for name in flow["decisions"]]
        self.decisions = [*decisions, *(one for one in chapters if one in self.sources)]
        self.steps = steps_of(chapters, written)
        self.fast = {name: source for name, source in self._folder("fast").items() if self.steps[name] is not source}
        self.needs: dict[str, str] = tomllib.loads((root / "needs.toml").read_text(encoding="utf-8"))
        self.formats: dict[str, list[dict[str, Any]]] = tomllib.loads((root / "formats.toml").read_text(encoding="utf-8"))
        self.averages: dict[str, dict[str, Any]] = tomllib.loads((root / "means.toml").read_text(encoding="utf-8"))
        facts = self._folder("checks")
        self.findings = {name: one for name, one in facts.items() if "severity" in one.header}
        self.checks = {name: one for name, one in facts.items() if name not in self.findings or "message" in one.header}
        self.targets = self._folder("targets")
        self.report = self._folder("report")
        self.presets = {preset.name: preset for preset in read_presets(root)}
        self.options = self._options()
        self.topics = self._topics(root)
        self.groups = self._groups(root)
        self.names = self._names()
        self.known_names = {*self.names, *(name for preset in self.presets.values() for name in preset.names)}
        self.sums = {one.header["sums"]["over"]: one for one in self.steps.values() if "sums" in one.header}
        self.kinds_of_hits = self._kinds_of_hits()
        self.arguments = {*ARGUMENTS, *(option.called for option in self.options.values())}
        if checked:
            self._check_promises()

    def _folder(self, folder: str) -> dict[str, Source]:
        return {source.name: source for source in self.sources.values() if source.folder == folder}

    def _check_promises(self) -> None:
        """Raises RecsqlError for what would go wrong later: of a statistic, an option or a text that reads no step."""
        if twice := self.needs.keys() & self.statistics.keys():
            raise RecsqlError(f"sql/needs.toml: {', '.join(sorted(twice))} is also the name of a statistic")
        for source in self.statistics.values():
            if "joins" in source.header and source.header["over"] not in JOINED:
                over = source.header["over"]
                raise RecsqlError(f"sql/{source.path} has joins, which statistics over {over} can't have; join in its step")
            if source.header["over"] in self.kinds_of_hits:
                refuse_hits_without_ties(source)
        refuse_options_read_below(self.options.values(), self.sources.values())
        refuse_unknown_steps(self.sources.values(), self.steps)

    def _kinds_of_hits(self) -> set[str]:
        """The kinds of statistics over the rows of a step that is the hits, or reads them itself or in an earlier step."""
        found = {"hits"}
        for name, step in self.steps.items():
            if any(one in step.text for one in found) and found & reads_of(step) and "sums" not in step.header:
                found.add(name)
        return {over for over, step in self.sums.items() if found & rows_of(step)}

    def _options(self) -> dict[str, Option]:
        options: dict[str, Option] = {}
        for source in (one for one in self.sources.values() if "[options." in one.head):
            for name, spec in source.header.get("options", {}).items():
                if name in options:
                    raise RecsqlError(f"option {name} is declared in {options[name].home.path} and in {source.path}")
                aliases = tuple(spec.get("aliases", ()))
                titles = {preset.name: preset.title for preset in self.presets.values()}
                values = titles if spec.get("type") == PRESET else spec.get("values", {})
                gains = {"default": Gains.parse(spec["default"])} if spec.get("type") == "gains" else {}
                options[name] = Option(name, source, **(spec | gains | {"aliases": aliases, "values": tuple(values.items())}))
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

    def _groups(self, root: Traversable) -> dict[str, list[str]]:
        """The titles of the groups, in the order of the file, with their metrics; raises RecsqlError for a group not in it."""
        titles = tomllib.loads((root / "groups.toml").read_text(encoding="utf-8"))
        groups: dict[str, list[str]] = {title: [] for title in titles.values()}
        for name, source in self.metrics.items():
            if (group := source.header["group"]) not in titles:
                known = ", ".join(titles)
                raise RecsqlError(f"sql/{source.path}: there is no group {group} in groups.toml; choose one of {known}")
            groups[titles[group]].append(name)
        return groups

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
        """The default metrics of a grain, in the order of their headers."""
        return [name for name in self.metrics_of(grain) if "default" in self.metrics[name].header]

    def say(self, check: str, **found: object) -> str:
        """The sentence of a check, identical to the one in SQL."""
        return self.message(check).replace("`", "").format(**found)

    def message(self, check: str, key: str = "message") -> str:
        """The message of the check of that name, or another one that it has; if there is none, `check` is the message itself."""
        header = self.checks[check].header if check in self.checks else {"message": check}
        return str(header.get(key, header["message"]))

    def options_of(self, grains: Iterable[str]) -> dict[str, Option]:
        """The options that the pipelines of some grains read, without `metrics`, an option of macros only."""
        return {name: option for name, option in self.options.items() if option.grains & {*grains} and option.type != "names"}

    def option(self, name: str, metric: str = "", grains: Iterable[str] = GRAINS) -> Option:
        """The option of that name. Inside the brackets of `metric`, its short name and other libraries' names also work."""
        here = [option for option in self.options.values() if metric]
        short = {option.short: option for option in here if option.home.name == metric}
        usable = {option.called: option for option in self.options_of(grains).values()}
        known = usable | {alias: option for option in here for alias in option.aliases} | short
        if name not in known:
            hint = nearest("k" if name in AS_K else name, sorted({*known, *(() if metric else OF_CALLS)} - {name}))
            if elsewhere := [one.topic for one in self.options.values() if one.called == name and one.type != "names"]:
                hint += f"{name} is of the topic {elsewhere[0]}, which this call does not read"
            way = either("recsql.options() has all of them", "recsql help lists them by topic")
            raise UnknownName(f"unknown option {name!r}; {hint.rstrip() or way}")
        return known[name]


def steps_of(chapters: Sequence[str], sources: Iterable[Source]) -> dict[str, Source]:
    """The steps in the order of the chapters and of their pieces, with the further steps that only fast forms read.

    Raises RecsqlError if flow.toml names a chapter that doesn't exist, or omits one.
    """
    found: dict[str, dict[str, Source]] = {}
    for source in (one for one in sources if one.folder in ("steps", "fast")):
        steps = found.setdefault(source.chapter, {})
        if source.folder == "steps" or source.name not in steps:
            steps[source.name] = source
    if apart := {*chapters} ^ found.keys():
        raise RecsqlError(f"sql/flow.toml must name each chapter of steps once; look at {', '.join(sorted(apart))}")
    return {name: source for chapter in chapters for name, source in found[chapter].items()}


@cache
def catalog() -> Catalog:
    """The catalogue of this installation, read once; in a checkout, its promises are checked if a file changed."""
    root = sql_root()
    if not isinstance(root, Path):
        return Catalog(root, checked=False)
    in_package = root.parent == Path(__file__).parents[1]
    return kept_or_made(root, partial(Catalog, root, checked=not in_package))
