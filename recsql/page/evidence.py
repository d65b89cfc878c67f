"""The results of recsql's functions for one set of tables, from which a report is made."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from recsql.base.errors import BadInput, RecsqlError, nearest
from recsql.base.paths import matches
from recsql.base.printing import STATUS
from recsql.base.text import literal, plain, quoted_name
from recsql.calls.call import Call, Metrics, Table
from recsql.calls.check import METRICS, check
from recsql.calls.compare import compare
from recsql.calls.conventions import by_preset
from recsql.calls.curve import curve
from recsql.calls.evaluate import evaluate, per_user, sql
from recsql.calls.open_call import opened, parse_settings
from recsql.calls.overlap import OVERLAP, overlap
from recsql.calls.refusals import train_is_idle
from recsql.catalog import catalog
from recsql.catalog.grammar import DEFAULT_CUTOFF, WHOLE, Cutoffs, Inner, cutoffs, labelled
from recsql.catalog.headers import Given
from recsql.catalog.options import parse_value
from recsql.display.comparison import Pair, pairs_of
from recsql.display.drawing import Chart
from recsql.display.pivoted import orientation_of
from recsql.engines import Engine
from recsql.query.over_result import over_result
from recsql.query.plan import FINDINGS, LISTS_AND_ITEMS, PAIRS, USERS, plan
from recsql.query.results import Row, metadata_of
from recsql.query.templates import dialect

BINS = 20  # the number of bars of a histogram
DEPTH = 20  # the largest cut-off of the curve
MOST = 12  # models in a chart
Asked = tuple[Metrics, Cutoffs]  # the metrics and cut-offs of a function
LIST, RELEVANT, ACTIVITY = "lists", "relevant items", "train.activity"  # the slices that every report has


class Main(NamedTuple):
    """The metric that decides, with its cut-off, and whether high (1), low (-1) or neither (0) values are better."""

    metric: str
    k: int | None
    orientation: int

    def __str__(self) -> str:
        return labelled(self.metric, self.k)


class InputFile(NamedTuple):
    """One file or table that was read."""

    name: str
    rows: int
    sha256: str


@dataclass(frozen=True)
class Evidence:
    """The results for one set of tables; each is computed when it is first read."""

    recs: Table
    truth: Table
    metrics: Metrics
    k: Cutoffs
    settings: Mapping[str, Given] = field(default_factory=dict)
    named_baseline: str | None = None
    named_main: str | None = None
    popularity_of: str = ""  # the name of train, if the model popularity was made from it
    made: str = ""  # what a user gets there, and why
    no_popularity: str = ""  # why it can't be made
    texts: Table = None  # of users, for the cases

    def given(self, grains: Sequence[str], *apart: str, asked: Asked | None = None, **further: Given) -> dict[str, Given]:
        """The settings for a function with the options of some grains and `further` ones, of the topics `apart` only if named.

        Of the function's metrics and cut-offs, `asked`, some must read train; otherwise it is left out.
        """
        options, topics = catalog().options.values(), catalog().topics
        known = {one.called for one in catalog().options_of(grains).values()}
        left = {one.called for one in options if one.grains & {*PAIRS, *USERS, *FINDINGS}} - known
        for topic, others in (("slices", ()), ("intervals", ("cluster",))):
            left |= {*topics[topic].options, *others} if topic not in apart else set()
        left -= {"segments"} if self.settings.get("by") is None else set()  # evaluate refuses it
        given = {"findings": "off"} | {name: value for name, value in self.settings.items() if name not in left} | further
        idle = asked is not None and train_is_idle(PAIRS, plan(*asked, parse_settings(given)[1], grains))
        return {name: value for name, value in given.items() if not (idle and name == "train")}

    def open(self, *, asked: bool = True) -> AbstractContextManager[Call]:
        """A call with the tables found, for the main metric; without `asked`, also with a train that this doesn't read."""
        given = self.given(LISTS_AND_ITEMS, asked=self.only_main if asked else None)
        return opened({"recs": self.recs, "truth": self.truth}, LISTS_AND_ITEMS, given, *self.only_main, texts=self.texts)

    @cached_property
    def has_spans(self) -> bool:
        """Whether the truth has spans of documents."""
        with self.open() as call:
            return call.found["truth"].has("document")

    # -- the numbers

    @cached_property
    @STATUS.computing("models")
    def values(self) -> pa.Table:
        """The means of each model with their intervals."""
        given = self.given(LISTS_AND_ITEMS, "intervals")
        return evaluate(self.recs, self.truth, self.metrics, self.k, **{"interval": True, **given})

    @cached_property
    def level(self) -> float:
        """The coverage of the intervals."""
        return float(str(parse_value(catalog().options["interval"], self.settings.get("interval") or True)))

    @cached_property
    def models(self) -> list[str | None]:
        return list(dict.fromkeys(self.values["model"].to_pylist()))

    @cached_property
    def main(self) -> Main:
        """The metric that decides: the one that the call names, else the first that is a mean over users."""
        means = {labelled(row["metric"], row["k"]): row for row in self.values.to_pylist() if row["users"] is not None}
        if not means:
            raise RecsqlError("metrics: a report needs a metric that is a mean over users, such as ndcg; add one")
        wanted = self.named_main or next(iter(means))
        row = means.get(wanted) or next((one for one in means.values() if one["metric"] == wanted), None)
        if row is None:
            hint, choices = nearest(wanted, means), ", ".join(means)
            raise RecsqlError(f"main: {wanted} is not one of the metrics; {hint}choose one of {choices}")
        return Main(row["metric"], row["k"], self.orientation(row["metric"]))

    @property
    def only_main(self) -> Asked:
        """The main metric and its cut-off, as functions take them."""
        return [self.main.metric], self.main.k or "all"

    def orientation(self, metric: str) -> int:
        """1 if higher values of a metric are better, -1 if lower ones are, 0 if neither are."""
        return orientation_of(metadata_of(self.values)["metrics"][metric]["definition"])

    def value(self, model: str | None) -> Row:
        """The row of a model at the main metric."""
        at = (model, self.main.metric, self.main.k)
        return next(row for row in self.values.to_pylist() if (row["model"], row["metric"], row["k"]) == at)

    @cached_property
    def ranking(self) -> list[str | None]:
        """The models by their value at the main metric, the best first; those without a value come last."""
        return self.order({model: self.value(model) for model in self.models})

    @property
    def baseline(self) -> str | None:
        """The model that the others are compared with: the one that the call names, else the best."""
        return self.named_baseline or self.ranking[0]

    @property
    def contender(self) -> str | None:
        """The best of the other models."""
        return next((model for model in self.ranking if model != self.baseline), None)

    @cached_property
    def compared(self) -> list[Pair]:
        """Every metric of each model against the baseline; nothing if there is only one model."""
        return pairs_of(self.comparison) if self.comparison is not None else []

    @cached_property
    @STATUS.computing("comparison")
    def comparison(self) -> pa.Table | None:
        if len(self.models) < 2:
            return None
        return self.compare(self.compared_metrics, self.k, self.baseline)

    @property
    def compared_metrics(self) -> Metrics:
        """The metrics of the call; without any, those that are means over users."""
        means = dict.fromkeys(row["metric"] for row in self.values.to_pylist() if row["users"] is not None)
        return self.metrics or list(means)

    @cached_property
    def against_best(self) -> list[Pair]:
        """The main metric of each other model against the best one."""
        best = self.ranking[0]
        if best == self.baseline or best is None:
            return [pair for pair in self.compared if (pair.metric, pair.k) == self.main[:2]]
        return pairs_of(self.compare(*self.only_main, best))

    def compare(self, metrics: Metrics, k: Cutoffs, baseline: str | None) -> pa.Table:
        k = k if {*cutoffs(k, [])} <= {one or WHOLE for one in self.values["k"].to_pylist()} else None  # evaluate has warned
        given = self.given(PAIRS, "intervals", asked=(metrics, k))
        return compare(self.recs, self.truth, metrics, k, baseline=baseline, **given)

    # -- slices

    @cached_property
    @STATUS.computing("slices")
    def slices(self) -> list[Pair]:
        """The main metric of the contender against the baseline, in each segment; all users first."""
        if self.contender is None:
            return []
        by, segments = self.settings.get("by"), self.settings.get("segments")
        if by is None:
            by, segments = [LIST, RELEVANT, *([ACTIVITY] if self.knows_activity else [])], self.segments
        of_slices: dict[str, Given] = {"by": by, "segments": segments, "contributions": "true"}
        given = self.given(PAIRS, "slices", "intervals", asked=self.only_main, **of_slices)
        found = pairs_of(compare(self.recs, self.truth, *self.only_main, baseline=self.baseline, **given))
        return [pair for pair in found if pair.model == self.contender]

    @property
    def knows_activity(self) -> bool:
        """Whether train says whose each row is."""
        if self.settings.get("train") is None:
            return False
        with self.open(asked=False) as call:
            return call.found["train"].has("user_id")

    @cached_property
    def segments(self) -> pa.Table:
        """For each user: which of contender and baseline have a list, and the number of relevant items."""
        names = self.of_users.column_names
        columns = {"user": plain(names[names.index("model") + 1]), "list": quoted_name(LIST), "relevant": quoted_name(RELEVANT)}
        return self.read("segments", model=sql_of(self.contender), baseline=sql_of(self.baseline), **columns)

    # -- single users

    @cached_property
    @STATUS.computing("single users")
    def of_users(self) -> pa.Table:
        """The value of each user at the main metric."""
        return per_user(self.recs, self.truth, *self.only_main, **self.given(USERS, asked=self.only_main))

    def read(self, name: str, **context: object) -> pa.Table:
        """The rows of a query of `sql/report` over the values of single users."""
        named = self.of_users.rename_columns(["model", "user_id", "k", "list_length", "relevant", "value"])
        return over_result(name, named, **context)

    @cached_property
    def bins(self) -> list[Row]:
        """The distribution of the values of users, per model."""
        return list(self.read("bins", bins=BINS).to_pylist())

    # -- the rest

    @STATUS.computing("findings")
    def checked(self, *, with_values: bool = True) -> pa.Table:
        """The findings of `check`, with its own metrics if there are no values."""
        metrics = [str(self.main), Inner("hit")] if with_values else METRICS
        k = max(cutoffs(self.k, []), default=DEFAULT_CUTOFF)
        given = self.given(FINDINGS)
        return check(self.recs, self.truth, metrics=metrics, k="all" if k == WHOLE else k, **given)

    @cached_property
    @STATUS.computing("curve")
    def curve(self) -> Chart | None:
        """The main metric over the cut-offs; None if it has none, for many models, or if evaluate refuses lists that long."""
        if self.main.k is None or len(self.models) > MOST:
            return None
        top = range(1, max(DEPTH, self.main.k) + 1)
        given = self.given(LISTS_AND_ITEMS, "intervals", asked=([self.main.metric], top))
        try:
            return curve(self.recs, self.truth, [self.main.metric], top, **{"interval": True, **given})
        except BadInput:  # such as an item twice, beyond the cut-offs of the call
            return None

    @cached_property
    @STATUS.computing("overlap")
    def overlaps(self) -> Mapping[frozenset[str | None], float | None]:
        """The overlap of each two models at the main cut-off; nothing for whole lists, many models, or what overlap refuses."""
        if self.main.k is None or not 1 < len(self.models) <= MOST:
            return {}
        try:
            rows = overlap(self.recs, self.main.k, **self.given(OVERLAP))
        except RecsqlError:  # such as for gaps in ranks, or ties='expected'
            return {}
        return {frozenset((row["model"], row["baseline"])): row["overlap"] for row in rows.to_pylist()}

    @cached_property
    def conventions(self) -> pa.Table:
        """The main metric under every preset, without the options that make a difference."""
        given = {name: value for name, value in self.given(LISTS_AND_ITEMS, asked=self.only_main).items() if name != "like"}
        return by_preset(self.recs, self.truth, *self.only_main, given, explained=False)

    @cached_property
    def by_convention(self) -> tuple[Mapping[str | None, Row], Mapping[str, Mapping[str | None, Row]]]:
        """The rows of each model under the default, and under every preset that has a value of each model."""
        found: dict[str, dict[str | None, Row]] = {}
        for row in self.conventions.to_pylist():
            found.setdefault(row["preset"], {})[row["model"]] = row
        own = found.pop("default")
        return own, {preset: of for preset, of in found.items() if all(row["value"] is not None for row in of.values())}

    def order(self, rows: Mapping[str | None, Row]) -> list[str | None]:
        """Models by their values, the best first; those without a value come last."""
        values = {model: row["value"] for model, row in rows.items()}
        return sorted(rows, key=lambda model: (values[model] is None, -(self.main.orientation or 1) * (values[model] or 0)))

    @cached_property
    def differing(self) -> list[str]:
        """The presets by which another model is best; none for a metric without a best model."""
        own, others = self.by_convention
        judged = others.items() if self.main.orientation else ()
        return [preset for preset, of in judged if self.order(of)[0] != self.order(own)[0]]

    @cached_property
    def query(self) -> str:
        return sql(self.recs, self.truth, *self.only_main, plain=True, **self.given(LISTS_AND_ITEMS, asked=self.only_main))

    @cached_property
    def input_files(self) -> list[InputFile]:
        with self.open(asked=False) as call:
            read = dialect(call.engine.dialect)
            return [
                InputFile(each.name, rows_in(each.rows(read), call.engine), fingerprint(each.paths))
                for one in call.found.values()
                for each in one.each
            ]


def sql_of(model: str | None) -> str:
    """The name of a model as SQL."""
    return "null" if model is None else literal(model)


def rows_in(relation: str, engine: Engine) -> int:
    """The number of rows of the SQL that follows FROM."""
    [count] = engine.query(f"select count(*) as rows from {relation} as r")["rows"].to_pylist()
    return int(count)


def fingerprint(paths: Sequence[str]) -> str:
    """The SHA-256 of the file if `paths` is one file on this machine; else empty."""
    files = [Path(path) for path in dict.fromkeys([*filter(os.path.isfile, paths), *matches(*paths)])]
    if len(files) != 1:
        return ""
    with files[0].open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
