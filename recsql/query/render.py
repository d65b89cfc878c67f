"""Renders the templates of `sql/` as one query."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import SimpleNamespace
from typing import Any

from recsql.base.errors import RecsqlError
from recsql.base.statement import Statement, reads_in
from recsql.base.text import indented
from recsql.catalog import GRAINS, catalog
from recsql.catalog.grammar import WHOLE
from recsql.catalog.headers import Source, Value
from recsql.catalog.options import Parameter, as_sql, literal
from recsql.query.binding import Inputs, Relation
from recsql.query.intervals import by_groups, has_interval_by, refuse_intervals
from recsql.query.key_columns import keys
from recsql.query.messages import failing, sentence_of
from recsql.query.metric import Lookup
from recsql.query.needs import Needs
from recsql.query.slices import grouped, refuse_slices, refuse_taken
from recsql.query.steps import row_of
from recsql.query.templates import Context, dialect, holds, rendered, values

# The targets that compute metrics, and what one needs besides that of its metrics.
PARTIAL = ("partial", "partial_items", "partial_lists", "partial_groups", "partial_pairs", "partial_differences")
MEASURING = ("evaluate", "per_user", "paired", "differences", "rating_metrics", *PARTIAL)
FURTHER = dict.fromkeys(("per_user", "differences"), ("list_length", "relevant"))
# What templates read of the inputs as it is.
PLAIN = (
    *("names", "cutoffs", "depth", "deepest", "uncut", "averaged", "counted", "partial", "modelled", "graded", "finite", "fast"),
    *(
        "unread",
        "swapped",
        "unproven",
        "repeated",
        "others",
        "clustered",
        "jackknifed",
        "slices",
        "keyed",
        "named",
        "plain",
        "only_user",
    ),
)


@dataclass
class Part:
    """A statistic, or a join that statistics need: whether the query needs it, its own text, and as a column of at_k."""

    name: str
    needed: bool
    render: Callable[[], str]
    read: Callable[[], str] = str

    @property
    def text(self) -> str:
        return self.render()

    @property
    def column(self) -> str:
        text = self.read()
        return text if text.endswith(f".{self.name}") else f"{text} as {self.name}"

    @property
    def units(self) -> bool:
        """Whether a part has the statistic in units of 1e-18; else it is a count."""
        return "exact_sum(" in catalog().statistics[self.name].text


class Late:
    """A list for templates that is made when it is read."""

    def __init__(self, make: Callable[[], Iterable[object]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[object]:
        return iter(self._make())


class Each:
    """Lists for templates by name, as in `statistics.hits`; each is made when it is read."""

    def __init__(self, make: Callable[[str], object]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> object:
        return self._make(name)

    __getitem__ = __getattr__


class Query:
    """One target of one binding."""

    def __init__(self, inputs: Inputs, target: str) -> None:
        self.inputs, self.target = inputs, target
        self.sql = dialect(inputs.dialect, plain=inputs.plain)
        self.options = {name: value for name, value in inputs.known.items() if not catalog().options[name].is_own}
        self.context: dict[str, Any] = {}
        columns = inputs.columns if target in MEASURING else ()
        shown = [column for column in columns if column.shown or inputs.partial]
        places = {column.name: place for place, column in enumerate(shown, start=1)}
        self.metrics = [replace(column, of_query=self.context, place=places.get(column.name, 0)) for column in columns]
        self.columns = {grain: [one for one in self.metrics if one.grain == grain] for grain in GRAINS}
        refuse_to_judge(self.options.get("judged_only"), inputs, target)
        self.context |= self._bound()
        refuse_intervals(self.options, target, self.metrics)
        refuse_slices(self.options, target)
        refuse_taken(self.options, target, self.metrics, inputs.ids)
        self.context["needs"] = Needs(self.metrics, self.context, FURTHER.get(target, ()))
        for path in catalog().decisions:
            self.context |= values(path, self.context)
        self.context |= keys(self.sql, modelled=inputs.modelled, sliced=self.context["sliced"])

    # -- the statement

    def statement(self) -> Statement:
        """The whole query: WITH, the steps that the target needs, the checks on what they read, then the target."""
        ctes = {name: self.cte(name) for name, there in self.there.items() if there}
        last = rendered(catalog().targets[self.target].path, self.context)
        reads = Counter(name for text in (*ctes.values(), last) for name in reads_in(text))
        kept = {name for name in self.told("kept", ctes) if reads[name] > 1}
        return Statement.of(ctes, last, kept, set() if self.context["listed"] else self.told("sized", ctes))

    def told(self, key: str, steps: Mapping[str, str]) -> set[str]:
        """Of some steps, those whose headers have this key."""
        return {name for name in steps if self.forms[name].header.get(key)}

    @cached_property
    def there(self) -> dict[str, bool]:
        """The steps, in the order of the flow, and whether the query has them."""
        return {name: holds(step.when, self.context) for name, step in catalog().steps.items()}

    def cte(self, name: str) -> str:
        """A step with its comment."""
        source = self.forms[name]
        keyword = self.sql.inline() if source.header.get("inline") else ""
        row = source.header.get("row", catalog().steps[name].header["row"]) if self.inputs.fast else row_of(name)
        return f"-- {row}\n{name} as {keyword}(\n{indented(rendered(source.path, self.context))}\n)"

    @cached_property
    def forms(self) -> dict[str, Source]:
        """The file of each step: its fast form if it has one in this query."""
        return catalog().steps | {name: one for name, one in catalog().fast.items() if holds(one.when, self.context)}

    # -- the names that templates can use

    def _bound(self) -> Context:
        """What is known before the needs: options, tables, cut-offs, and functions."""
        inputs = self.inputs
        adds_up = inputs.partial or self.target == "paired"  # sums are in units of 1e-18, and further steps add them up exactly
        shown = sorted((one for one in self.metrics if one.place), key=lambda one: one.place)
        return {
            **self.options,
            **{name: partial(self.function, name) for name in catalog().expressions},
            **{name: getattr(inputs, name) for name in PLAIN},
            **{f"{grain}_columns": columns for grain, columns in self.columns.items()},
            **grouped(inputs.slices),
            "prefers_score": False,
            "target": self.target,
            "tables": self.tables,
            "whole": WHOLE,
            "has_interval_by": partial(has_interval_by, self.columns, self.target, self.options.get("interval")),
            "zero_without_hits": lambda: all(one.zero_without_hits for one in self.columns["user"]),
            "all_scored": lambda: all(one.is_by("wilson") for one in self.columns["user"]),
            "sums_error": lambda name: any(one.sum_of == name for one in self.columns["rating"]),
            "lists_query": self.lists_query,
            "user_needs": self.user_needs,
            "sampled": self.options.get("sample", 1) != 1,
            "user_metrics": bool(self.columns["user"]),
            "item_metrics": bool(self.columns["item"]),
            "shown_columns": shown,
            "ks_differ": len({(one.grain, one.ks_text) for one in shown}) > 1,
            "by_groups": by_groups,
            "sql": self.sql,
            "statistic": Lookup(self.statistic),
            "statistics": Each(self.statistics),
            "joins": Each(self.joins),
            "sums": Each(self.sums),
            "checks": Late(self.checks),
            "warnings": Late(self.warnings),
            "literal": literal,
            "literal_of": literal,
            "words_of": lambda name: ", ".join(catalog().options[name].choices),
            "double": lambda text: text if isinstance(text, Parameter) else f"cast({as_sql(text)} as double)",
            "exact": self.sql.exact_units if adds_up else self.sql.exact_sum,
            "as_k": self.as_k,
            "as_given": inputs.as_given,
            "turn": inputs.turn,
            "said_k": self.said_k,
            "refusal": lambda check, **found: failing(self.sentence(check, **found), self.sql),
            "sentence_of": self.sentence,
            "guard": self.guard,
        }

    @property
    def tables(self) -> dict[str, Relation]:
        """The tables by role, without the column model if recs have none."""
        tables = dict(self.inputs.tables)
        if self.inputs.modelled:
            return tables
        return {role: replace(one, select=one.alone or one.select) for role, one in tables.items()}

    @property
    def lists_query(self) -> str:
        lists = self.inputs.lists
        return "" if lists is None else lists.select if self.inputs.modelled else lists.alone

    @cached_property
    def table_names(self) -> dict[str, str]:
        """How sentences name tables."""
        names = {role: table.name for role, table in self.inputs.tables.items()}
        return {"recs": names["parts"], **names} if "parts" in names else names

    def sentence(self, check: str, **found: str) -> str:
        about = re.match(r"\{(\w+)\}", str(catalog().checks[check].header["message"]))
        table = self.inputs.tables.get(about[1]) if about else None
        columns, modelled = table.columns if table else {}, self.inputs.modelled
        return sentence_of(check, self.table_names, self.sql, found, columns=columns, modelled=modelled)

    def function(self, name: str, x: str = "t.relevance", item: str = "t.item_id", **further: object) -> str:
        """An expression of `sql/expressions`, for the value `x` of an item."""
        return rendered(catalog().expressions[name].path, {**self.context, "x": x, "item": item, **further})

    def as_k(self, key: str) -> str:
        """A cut-off as the column k of a result: NULL for the whole list."""
        return f"cast(nullif({key}, {WHOLE}) as integer) as k" if self.inputs.uncut and not self.inputs.keyed else key

    def said_k(self, key: str) -> str:
        """A cut-off as a sentence shows it: all for the whole list."""
        return f"coalesce({self.sql.text(f'nullif({key}, {WHOLE})')}, 'all')" if self.inputs.uncut else key

    # -- statistics

    def statistics(self, kind: str) -> list[Part]:
        """The statistics of a kind."""
        of_kind = [source for source in catalog().statistics.values() if source.header["over"] == kind and source.name != "k"]
        return [
            Part(one.name, self.needs(one.name), partial(self.text_of, one), partial(self.statistic, one.name)) for one in of_kind
        ]

    def text_of(self, statistic: Source) -> str:
        """A statistic over its rows; raises RecsqlError if it has no text under the options."""
        of_lists = self.inputs.partial and statistic.header["over"] in ("categories", "popularities")  # which a part has in units
        units = {"sql": SimpleNamespace(**{**vars(self.sql), "exact_sum": self.sql.exact_units})} if of_lists else {}
        if text := rendered(statistic.path, {**self.context, **units}):
            return text
        raise RecsqlError(f"sql/{statistic.path} has no text under these options; a metric that needs it must refuse them")

    def user_needs(self, name: str) -> bool:
        """Whether a metric of users needs something, and not only one of all lists."""
        return any(name in one.needs for one in self.columns["user"])

    def needs(self, name: str) -> bool:
        return bool(getattr(self.context["needs"], name))

    def sums(self, reader: str) -> list[SimpleNamespace]:
        """The steps whose sums a step reads, and whether the query needs them."""
        steps = [step for step in catalog().sums.values() if step.header["sums"]["reader"] == reader]
        return [SimpleNamespace(name=step.name, needed=self.needs(step.name), **step.header["sums"]) for step in steps]

    def statistic(self, name: str) -> str:
        """A statistic as a column of the step before the metrics."""
        source = catalog().statistics[name]
        over, empty = source.header["over"], source.header.get("empty")
        is_summed = over in catalog().sums
        text = f"{catalog().sums[over].header['sums']['alias']}.{name}" if is_summed else rendered(source.path, self.context)
        return f"coalesce({text}, {empty})" if empty else text

    def joins(self, kind: str) -> list[Part]:
        """The joins of the statistics of a kind. A join is needed if what it is named after is."""
        found: dict[str, Part] = {}
        for source in (one for one in catalog().statistics.values() if one.header["over"] == kind):
            for name in source.header.get("joins", {}):
                wanted = self.context[name] if name in self.context else self.needs(name)
                form = self.forms[name] if name in catalog().steps else source
                path = f"{(form if 'join' in form.header else source).path}:join {name}"
                needed = (self.needs(source.name) and wanted) or (name in found and found[name].needed)
                found[name] = Part(name, needed, partial(rendered, path, self.context))
        return list(found.values())

    # -- checks

    def checks(self) -> Iterator[SimpleNamespace]:
        """The checks on what the steps read, each a query for one row that can't be evaluated."""
        for check in (one for one in catalog().checks.values() if "place" in one.header):
            if all(self.there[step] for step in check.header["on"]) and holds(check.when, self.context):
                yield SimpleNamespace(place=int(check.header["place"]), text=self.in_check(check.name, self.check(check.name)))

    def warnings(self) -> list[str]:
        """The checks that only warn of suspicious input, each a query: those on a step that is there, else those on the input."""
        warning = [one for one in catalog().checks.values() if "warning" in one.header]
        named = [one for one in warning if "on" in one.header and all(self.there[step] for step in one.header["on"])]
        of_input = [one for one in warning if "on" not in one.header and self.target == "warnings"]
        return [self.check(one.name) for one in (*named, *of_input) if holds(one.when, self.context)]

    def check(self, name: str, **context: object) -> str:
        """A check as a query for one row that can't be evaluated."""
        return rendered(catalog().checks[name].path, {**self.context, "sentence": partial(self.sentence, name), **context})

    def guard(self, name: str, *, before: str = "and", **context: object) -> str:
        """A WHERE, or a further condition of one, that raises an error if a check finds something.

        It refuses input that can't even be joined.
        """
        text = self.check(name, **context)
        error = self.sql.error("g.message")
        return (
            f"\n{before} coalesce((select {error} from (\n{indented(self.in_check(name, text))}\n) as g), true)" if text else ""
        )

    def in_check(self, name: str, text: str) -> str:
        """The query of a check where it stands."""
        return text


def proofs(inputs: Inputs) -> dict[str, bool]:
    """The metrics of the users' lists, and whether a value above 0 proves that a user had a hit."""
    query = Query(inputs, "evaluate")
    judged = query.options["no_truth"] in ("skip", "zero", "zero_below_threshold", "error")
    return {one.heading: judged and one.zero_without_hits for one in query.columns["user"]}


def refuse_to_judge(judged_only: Value, inputs: Inputs, target: str) -> None:
    """Raises RecsqlError if only judged items should count, and there is no truth."""
    without = "truth" not in inputs.tables and "recs" in inputs.tables and target in ("evaluate", "rank_by_score")
    if without and judged_only == "true":
        raise RecsqlError("judged_only='true': this function has no truth to tell which items are judged; use evaluate")
