"""Renders the templates of `sql/` as one query."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from types import SimpleNamespace
from typing import Any

from recsql.binding import Inputs, Relation
from recsql.catalog import GRAINS, catalog
from recsql.conditions import Columns as OfMacro
from recsql.conditions import fact
from recsql.errors import RecsqlError
from recsql.grammar import WHOLE
from recsql.headers import Source
from recsql.intervals import by_groups, has_interval_by, refuse_intervals
from recsql.keys import keys
from recsql.measures import Known, Lookup, Measure, Open, rendered
from recsql.needs import Needs, any_column
from recsql.options import literal, looked_up, readable
from recsql.pieces import Check, Lazy, Part, kinds, readers
from recsql.sentences import failing, sentence_of
from recsql.slices import grouped, refuse_slices
from recsql.statement import Statement, reads_in
from recsql.symbols import Several, Truth, all_of, any_of, both, chosen, is_open, negated
from recsql.templates import dialect, values
from recsql.text import indented

# The targets that compute metrics, and what one needs besides that of its metrics.
PARTIAL = ("partial", "partial_items", "partial_lists", "partial_groups", "partial_pairs", "partial_differences")
MEASURING = ("evaluate", "per_user", "paired", "differences", "rating_metrics", *PARTIAL)
FURTHER = dict.fromkeys(("per_user", "differences"), ("list_length", "relevant"))
Columns = Sequence[Measure] | Several


class Query:
    """One target of one binding."""

    def __init__(self, inputs: Inputs, target: str) -> None:
        self.inputs, self.target = inputs, target
        self.sql = dialect(inputs.dialect)
        self.options = readable({name: value for name, value in inputs.known.items() if not catalog().options[name].is_own})
        self.context: dict[str, Any] = {"metric_rules": {}}
        columns = inputs.columns if target in MEASURING else ()
        if inputs.grain:
            self.columns: dict[str, Columns] = dict.fromkeys(GRAINS, ())
            self.columns[inputs.grain] = OfMacro(partial(Open, self.context, inputs.known, inputs.grain))
        else:
            shown = [column for column in columns if column.shown or inputs.partial]
            places = {column.name: place for place, column in enumerate(shown, start=1)}
            known = [Known(self.context, inputs.known, column, places.get(column.name, 0)) for column in columns]
            self.columns = {grain: [one for one in known if one.grain == grain] for grain in GRAINS}
        refuse_to_judge(self.options.get("judged_only"), inputs, target)
        self.context |= self._bound()
        if not inputs.grain:
            refuse_intervals(self.options, target, known)
            refuse_slices(self.options, target, known)
        self.needs = Needs(self._all, self.context, FURTHER.get(target, ()))
        self.context["needs"] = self.once_needs()
        self.context["zero_without_hits"] = self.once("zero_without_hits", self._zero_without_hits())
        for name, value in sorted(values("decisions.sql", self.context).items()):
            self.context[name] = self.once(name, value)

    # -- what a macro works out once

    def once(self, name: str, value: Any) -> Any:
        """A decision; a macro works it out once, when it is bound."""
        return value

    def once_needs(self) -> Any:
        return self.needs

    # -- the statement

    def statement(self) -> Statement:
        """The whole query: WITH, the steps that the target needs, the checks on what they read, then the target."""
        ctes = {name: self.cte(name) for name in self.there if self.there[name]}
        last = rendered(f"targets/{self.target}.sql", self.context)
        reads = Counter(name for text in (*ctes.values(), last) for name in reads_in(text))
        kept = {name for name in self.told("kept", ctes) if reads[name] > 1}
        return Statement.of(ctes, last, kept, set() if self.context["listed"] else self.told("sized", ctes))

    def told(self, key: str, steps: Mapping[str, str]) -> set[str]:
        """Of some steps, those whose headers have this key."""
        return {name for name in steps if self.form(name).header.get(key)}

    @cached_property
    def there(self) -> dict[str, Truth]:
        """The steps, in the order of the flow, and whether the query has them."""
        whens = values("headers/steps", self.context)
        return {name: whens[f"when_{name}"] for name in catalog().steps}

    def cte(self, name: str) -> str:
        """A step with its comment; in a macro, the forms between which its call decides."""
        fast, plain = catalog().fast, catalog().steps
        return str(chosen(self.is_fast[name], lambda: self.cte_of(fast[name]), lambda: self.cte_of(plain[name])))

    def cte_of(self, source: Source) -> str:
        keyword = self.sql.inline() if source.header.get("inline") else ""
        row = source.header.get("row") or catalog().steps[source.name].header["row"]
        return f"-- {row}\n{source.name} as {keyword}(\n{indented(rendered(source.path, self.context))}\n)"

    def form(self, name: str) -> Source:
        """The file of a step: its fast form if it has one in this query."""
        return catalog().fast[name] if self.is_fast[name] is True else catalog().steps[name]

    @cached_property
    def is_fast(self) -> dict[str, Truth]:
        """The steps, and whether they have their fast form."""
        whens = values("headers/fast", self.context)
        return {name: name in catalog().fast and whens[f"when_{name}"] for name in catalog().steps}

    # -- the names that templates can use

    def _bound(self) -> dict[str, Any]:
        """What is known before the needs: options, tables, cut-offs, and functions."""
        inputs = self.inputs
        adds_up = inputs.partial or self.target == "paired"  # sums are in units of 1e-18, and further steps add them up exactly
        return {
            **self.options,
            **{name: partial(self.function, name) for name in catalog().expressions},
            "target": self.target,
            "tables": self.tables,
            "names": inputs.names,
            "cutoffs": inputs.cutoffs,
            "depth": inputs.depth,
            "deepest": inputs.deepest,
            "uncut": inputs.uncut,
            "whole": WHOLE,
            "averaged": inputs.averaged,
            "counted": inputs.counted,
            "partial": inputs.partial,
            "modelled": inputs.modelled,
            "graded": inputs.graded,
            "finite": inputs.finite,
            "fast": inputs.fast,
            "named": inputs.named,
            "clustered": inputs.clustered,
            "jackknifed": inputs.jackknifed,
            "slices": inputs.slices,
            **self.grouped(),
            "has_interval_by": partial(has_interval_by, self.columns, self.target, self.options.get("interval")),
            "all_scored": lambda: negated(any_column(self.columns["user"], lambda column: negated(column.is_by("wilson")))),
            "sums_error": lambda name: any_column(self.columns["rating"], lambda column: column.sums(name)),
            "keyed": inputs.keyed,
            "prefers_score": inputs.prefers_score,
            "lists_query": self.lists_query,
            "sampled": not is_open(self.options.get("sample", 1)) and self.options.get("sample", 1) != 1,
            "user_metrics": self.has("user"),
            "item_metrics": self.has("item"),
            **self.of_columns(),
            "sql": self.sql,
            "statistic": Lookup(self.statistic),
            "statistics": SimpleNamespace(**{kind: Lazy(partial(self.statistics, kind)) for kind in kinds()}),
            "joins": SimpleNamespace(**{kind: Lazy(partial(self.joins, kind)) for kind in kinds()}),
            "sums": SimpleNamespace(**{reader: Lazy(partial(self.sums, reader)) for reader in readers()}),
            "checks": Lazy(self.checks),
            "warnings": Lazy(self.warnings),
            "literal": literal,
            "literal_of": self.literal_of,
            "words_of": lambda name: ", ".join(catalog().options[name].choices),
            "double": lambda text: f"cast({text} as double)",
            **keys(self.sql, modelled=inputs.modelled, sliced=lambda: self.context["sliced"]),
            "exact": self.sql.exact_units if adds_up else self.sql.exact_sum,
            "exact_sum": self.sql.exact_units if inputs.partial else self.sql.exact_sum,
            "as_k": self.as_k,
            "said_k": self.said_k,
            "looked_up": self.looked_up,
            "refusal": self.refusal,
            "guard": self.guard,
        }

    def grouped(self) -> Mapping[str, Any]:
        """The slices, and what follows from them."""
        return grouped(self.inputs.slices)

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

    def of_columns(self) -> dict[str, Any]:
        """The metrics, by grain."""
        by_grain = {f"{grain}_columns": columns for grain, columns in self.columns.items()}
        return {**by_grain, "shown_columns": self._shown, "ks_differ": self._ks_differ, "by_groups": by_groups}

    @cached_property
    def table_names(self) -> dict[str, str]:
        """How sentences name tables."""
        names = {role: table.name for role, table in self.inputs.tables.items()}
        return {"recs": names["parts"], **names} if "parts" in names else names

    def sentence(self, check: str, **found: str) -> str:
        return sentence_of(check, self.table_names, self.sql, found, modelled=self.inputs.modelled)

    def refusal(self, check: str, **found: str) -> str:
        return failing(self.sentence(check, **found), self.sql)

    def function(self, name: str, x: str = "t.relevance", item: str = "t.item_id", **further: Any) -> str:
        """An expression of `sql/expressions`, for the value `x` of an item."""
        return rendered(catalog().expressions[name].path, {**self.context, "x": x, "item": item, **further})

    def literal_of(self, text: Any) -> str:
        """A text of the call as a literal."""
        return literal(text)

    def looked_up(self, x: str) -> str:
        """The gain that the option gain_map gives for a relevance."""
        return looked_up(self.options["gain_map"], x)

    def as_k(self, key: str) -> str:
        """A cut-off as the column k of a result: NULL for the whole list."""
        shown = both(self.inputs.uncut, lambda: negated(self.inputs.keyed))
        return str(chosen(shown, lambda: f"cast(nullif({key}, {WHOLE}) as integer) as k", lambda: key))

    def said_k(self, key: str) -> str:
        """A cut-off as a sentence shows it: all for the whole list."""
        return str(chosen(self.inputs.uncut, lambda: f"coalesce({self.sql.text(f'nullif({key}, {WHOLE})')}, 'all')", lambda: key))

    # -- metrics

    @property
    def _all(self) -> Any:
        """The metrics of all grains."""
        open_ = [columns for columns in self.columns.values() if isinstance(columns, Several)]
        return open_[0] if open_ else [one for columns in self.columns.values() for one in columns]

    def has(self, grain: str) -> bool:
        """Whether metrics of a grain are asked for."""
        columns = self.columns[grain]
        return isinstance(columns, Several) or bool(columns)

    @property
    def _shown(self) -> Columns:
        """The metrics that a result shows; a part also has hidden ones."""
        if isinstance(self._all, OfMacro):
            return self._all.where(lambda column: column.shown)
        return sorted((one for one in self._all if one.place), key=lambda one: one.place)

    @property
    def _ks_differ(self) -> Truth:
        """Whether some metrics are shown at other cut-offs than others, or are computed apart from others."""
        shown = self._shown
        if isinstance(shown, Several):
            return fact("ks_differ")
        return len({(one.grain, one.ks_text) for one in shown}) > 1

    def _zero_without_hits(self) -> Truth:
        """Whether every metric of the users' lists is 0 for a user without a hit."""
        return negated(any_column(self.columns["user"], lambda column: column.positive_without_hits))

    def statistics(self, kind: str) -> list[Part]:
        """The statistics of a kind."""
        of_kind = [source for source in catalog().statistics.values() if source.header["over"] == kind and source.name != "k"]
        needs = self.context["needs"]
        return [
            Part(one.name, getattr(needs, one.name), partial(self.text_of, one), partial(self.statistic, one.name))
            for one in of_kind
        ]

    def sums(self, reader: str) -> list[SimpleNamespace]:
        """The steps whose sums a step reads, and whether the query needs them."""
        steps = [step for step in catalog().sums.values() if step.header["sums"]["reader"] == reader]
        needs = self.context["needs"]
        return [SimpleNamespace(name=step.name, needed=getattr(needs, step.name), **step.header["sums"]) for step in steps]

    def text_of(self, source: Source) -> str:
        return rendered(source.path, self.context)

    def statistic(self, name: str) -> str:
        """A statistic as a column of the step before the metrics."""
        source = catalog().statistics[name]
        over, empty = source.header["over"], source.header.get("empty")
        text = f"{catalog().sums[over].header['sums']['alias']}.{name}" if over in catalog().sums else self.text_of(source)
        return f"coalesce({text}, {empty})" if empty else text

    def joins(self, kind: str) -> list[Part]:
        """The joins of the statistics of a kind. A join is needed if what it is named after is."""
        of_kind = [source for source in catalog().statistics.values() if source.header["over"] == kind]
        needs = self.context["needs"]
        found: dict[str, Part] = {}
        for source in of_kind:
            for name in source.header.get("joins", {}):
                wanted = self.context[name] if name in self.context else getattr(needs, name)
                form = self.form(name) if name in catalog().steps else source
                path = f"joins/{(form if 'join' in form.header else source).path}/{name}"
                needed = all_of(getattr(needs, source.name), wanted)
                before = found[name].needed if name in found else False
                found[name] = Part(name, any_of(before, needed), partial(rendered, path, self.context))
        return list(found.values())

    # -- checks

    def checks(self) -> list[Check]:
        """The checks on what the steps read, each a query for one row that can't be evaluated."""
        checks = [check for check in catalog().checks.values() if "place" in check.header]
        whens = values("headers/checks", self.context)
        found = []
        for check in checks:
            there = [self.there[step] for step in check.header["on"]]
            if any(value is False for value in there):
                continue
            runs = all_of(*there, whens[f"when_{check.name}"])
            if runs is not False:
                found.append(Check(check, runs, partial(self.check, check.name)))
        return found

    def warnings(self) -> list[str]:
        """The checks that only warn of suspicious input, each a query."""
        names = [check.name for check in catalog().checks.values() if "warning" in check.header]
        whens = values("headers/checks", self.context)
        return [self.check(name) for name in names if whens[f"when_{name}"]]

    def check(self, name: str, **context: Any) -> str:
        """A check as a query for one row that can't be evaluated."""
        return rendered(catalog().checks[name].path, {**self.context, "sentence": partial(self.sentence, name), **context})

    def guard(self, name: str, *, before: str = "and", **context: Any) -> str:
        """A WHERE, or a further condition of one, that raises an error if a check finds something.

        It refuses input that can't even be joined.
        """
        text = self.check(name, **context)
        return (
            f"\n{before} coalesce((select {self.sql.error('g.message')} from (\n{indented(text)}\n) as g), true)" if text else ""
        )


def proofs(inputs: Inputs) -> dict[str, bool]:
    """The metrics of the users' lists, and whether a value above 0 proves that a user had a hit."""
    query = Query(inputs, "evaluate")
    judged = query.options["no_truth"] in ("skip", "zero", "zero_below_threshold", "error")
    measures = {one.heading: Known(query.context, inputs.known, one, 1) for one in inputs.columns_of("user")}
    return {name: judged and not measure.positive_without_hits for name, measure in measures.items()}


def refuse_to_judge(judged_only: Any, inputs: Inputs, target: str) -> None:
    """Raises RecsqlError if only judged items should count, and there is no truth."""
    without = "truth" not in inputs.tables and "recs" in inputs.tables and target in ("evaluate", "rank_by_score")
    if without and not is_open(judged_only) and judged_only == "true":
        raise RecsqlError("judged_only = true: this function has no truth to tell which items are judged; use evaluate")
