"""Renders the templates of `sql/` as one query."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from recsql.base.errors import RecsqlError
from recsql.base.statement import PROBLEMS, Statement, columns_read, reads_in
from recsql.base.text import LITERAL, aliased, indented, quoted
from recsql.catalog import GRAINS, catalog
from recsql.catalog.grammar import WHOLE
from recsql.catalog.headers import Source
from recsql.catalog.options import Parameter, as_sql, literal
from recsql.query.binding import Inputs, Relation
from recsql.query.metric import asks_for, by_groups, needs_in
from recsql.query.refusals import problems
from recsql.query.slices import columns_of
from recsql.query.steps import row_of
from recsql.query.templates import Context, dialect, holds, rendered, values
from recsql.query.unread import without_unread

MEASURING = {"evaluate", "per_user", "paired", "differences", "plan", "rank"}  # the targets of metrics, with the next ones
MEASURING |= {"rank_pairs", "rating_metrics", "partial", "partial_items"}
MEASURING |= {"judge", "judgement", "completions", "completed_recs", "completed_truth"}

# In the message of a check: its table, a column, a column's name within an expression, and the ids.
BEGINNING, OURS, NAMED = re.compile(r"\{(\w+)\}"), re.compile(r"`(\w+)`"), re.compile(r"'(\w+)'")
OF_CHECKS = ("warnings", "problems")  # the steps of checks
IDS = ("user", "item", "one", "other")  # an empty one is shown in quotes


class Query:
    """One target of one binding."""

    def __init__(self, inputs: Inputs, target: str) -> None:
        self.inputs, self.target = inputs, target
        self.sql = dialect(inputs.dialect, plain=inputs.plain)
        self.options = {name: value for name, value in inputs.known.items() if not catalog().options[name].is_own}
        self.context: dict[str, Any] = {}
        self.there: dict[str, str] = {}  # the steps in the query, with their texts
        self._reads: dict[str, list[str]] = {}  # by text
        self.after: list[str] = []  # of a text for people: the texts that follow the step that is rendered
        columns = inputs.columns if target in MEASURING else ()
        shown = [column for column in columns if column.shown or inputs.partial]
        places = {column.name: place for place, column in enumerate(shown, start=1)}
        self.metrics = [replace(column, of_query=self.context, place=places.get(column.name, 0)) for column in columns]
        self.columns = {grain: [one for one in self.metrics if one.pipeline == grain] for grain in GRAINS}
        self.context |= self._bound()
        for sentence in problems(self.options, target, self.metrics, inputs):
            raise RecsqlError(sentence)
        further = ("list_length", "relevant") if target in ("per_user", "differences") else ()
        self.context["needs"] = needs_in(self.metrics, self.context, further)
        for path in catalog().decisions:
            self.context |= values(path, self.context)

    # -- the statement

    def statement(self) -> Statement:
        """The whole query: the target, the steps that it reads, and those that they read."""
        steps = self.pull(self.last)
        if self.inputs.plain:
            steps = self.read_only(steps)
        ctes = {name: self.cte(name, text) for name, text in steps.items()}
        reads = Counter(name for text in (*steps.values(), self.last) for name in self.reads(text))
        kept = {name for name in self.steps_with("kept", ctes) if reads[name] > 1}
        return Statement.of(ctes, self.last, kept, set() if self.context["from_lists"] else self.steps_with("sized", ctes))

    def problems(self) -> Statement:
        """The query for the problems of what the target reads, for targets that don't read the problems themselves."""
        steps = self.pull(self.last, PROBLEMS)
        return Statement.over({name: self.cte(name, text) for name, text in steps.items()}, PROBLEMS)

    @cached_property
    def last(self) -> str:
        """The text of the target, which follows the steps."""
        return rendered(catalog().targets[self.target].path, self.context)

    def pull(self, *texts: str) -> dict[str, str]:
        """The steps that some texts read, and those that they read, with their own texts.

        Each step follows the steps that it reads, otherwise the order is that of the flow. Steps of checks are rendered last,
        because their texts depend on which other steps the query has.
        """
        self._follow(texts)
        for name in [*self.there]:  # the steps of checks have no text yet
            if not self.there[name]:
                self.there[name] = self.body(name)
                self._follow([self.there[name]])
        found: dict[str, str] = {}

        def place(name: str, readers: Sequence[str] = ()) -> None:
            if name in readers:
                raise RecsqlError(f"sql/{self.forms[name].path}: {' reads '.join([name, *reversed(readers)])}; none can be first")
            for read in self.reads(self.there[name]):
                if read in self.there and read not in found:
                    place(read, (*readers, name))
            found.setdefault(name, self.there[name])

        for name in sorted(self.there, key=[*catalog().steps].index):
            place(name)
        return found

    def _follow(self, texts: Iterable[str]) -> None:
        """Adds the steps that some texts read, and those that these read, to the query."""
        todo = [*texts]
        while todo:
            for name in self.reads(todo.pop()):
                if name in catalog().steps and name not in self.there:
                    self.there[name] = "" if name in OF_CHECKS else self.body(name)
                    todo.append(self.there[name])

    def body(self, name: str) -> str:
        """The text of a step."""
        return rendered(self.forms[name].path, self.context)

    def reads(self, text: str) -> list[str]:
        """The names that a text reads, repeated if it reads them several times; not those that a given table in it reads."""
        if text not in self._reads:
            names = Counter(reads_in(text))
            for table in (one for one in self.given if one in text):
                names -= Counter(text.count(table) * [*reads_in(table)])
            self._reads[text] = [*names.elements()]
        return self._reads[text]

    @cached_property
    def given(self) -> list[str]:
        """What the given tables read: what follows their FROM, or their whole queries."""
        tables = [*self.inputs.tables.values(), *([self.inputs.lists] if self.inputs.lists else [])]
        return [
            *{text: None for one in tables for text in ([f"from {rows.source}" for rows in one.rows] or [one.select]) if text}
        ]

    def steps_with(self, key: str, steps: Iterable[str]) -> set[str]:
        """The steps whose headers have this key."""
        return {name for name in steps if self.forms[name].header.get(key)}

    def read_only(self, steps: Mapping[str, str]) -> dict[str, str]:
        """The steps anew, from the last to the first, so that each can leave out the columns that nothing after it reads."""
        self.after = [self.last]
        found: dict[str, str] = {}
        for name in reversed([*steps]):
            if any(name in self.reads(text) for text in self.after):
                found[name] = without_unread(self.body(name), partial(self.is_read, name))
                self.after.append(found[name])
        return dict(reversed(found.items()))

    def is_read(self, step: str, column: str) -> bool:
        """Whether the query reads a column of a step; only texts for people leave out what nothing reads."""
        return not self.after or any({"*", column} & columns_read(step, text) for text in self.after)

    def cte(self, name: str, text: str) -> str:
        """A step with its comment."""
        source = self.forms[name]
        keyword = self.sql.inline() if source.header.get("inline") else ""
        row = source.header.get("row", catalog().steps[name].header["row"]) if self.inputs.fast else row_of(name)
        return f"-- {row}\n{name} as {keyword}(\n{indented(text)}\n)"

    @cached_property
    def forms(self) -> dict[str, Source]:
        """The file of each step: its fast form if it has one in this query."""
        return catalog().steps | {name: one for name, one in catalog().fast.items() if holds(one.when, self.context)}

    # -- the names that templates can use

    def _bound(self) -> Context:
        """The names that don't depend on needs: options, tables, cut-offs and functions."""
        inputs = self.inputs
        adds_up = inputs.partial or self.target == "paired"  # sums are in units of 1e-18, and further steps add them up exactly
        shown = sorted((one for one in self.metrics if one.place), key=lambda one: one.place)
        return {
            **vars(inputs),
            **self.options,
            **{name: partial(self.function, name) for name in catalog().expressions},
            **{f"{grain}_columns": columns for grain, columns in self.columns.items()},
            **columns_of(inputs.slices),
            "prefers_score": False,
            "full": True,  # the level of check
            "hits_valued": False,  # whether `check` computes metrics, so that doubtful hits are refused anyway
            "target": self.target,
            "tables": self.tables,
            "whole": WHOLE,
            "has_interval_by": self.has_interval_by,
            "zero_without_hits": lambda: all(one.zero_without_hits for one in self.columns["user"]),
            "lists_query": "" if inputs.lists is None else self.without_model(inputs.lists).select,
            "asks_for": partial(asks_for, inputs.columns),
            "user_needs": lambda name: any(name in one.needs for one in self.columns["user"]),  # not only metrics of all lists
            "sampled": self.options.get("sample", 1) != 1,
            "user_metrics": bool(self.columns["user"]),
            "item_metrics": bool(self.columns["item"]),
            "group_metrics": bool(self.columns["item_group"]),
            "shown_columns": shown,
            "ks_differ": len({(one.grain, one.ks) for one in shown}) > 1,
            "by_groups": by_groups,
            "sql": self.sql,
            "range": range,
            "statistic": self.statistic,
            "statistics": self.statistics,
            "text_of": self.text_of,
            "column_of": self.column_of,
            "aliased": aliased,
            "is_read": self.is_read,
            "joins": self.joins,
            "sums": self.sums,
            "checks": self.checks,
            "warnings": self.warnings,
            "literal": literal,
            "words_of": lambda name: ", ".join(catalog().options[name].choices),
            "double": lambda text: text if isinstance(text, Parameter) else f"cast({as_sql(text)} as double)",
            "exact": self.sql.exact_units if adds_up else self.sql.exact_sum,
            "as_given": inputs.as_given,
            "turn": inputs.turn,
            "refusal": self.refusal,
            "sentence_of": self.sentence,
            "guard": self.guard,
        }

    @property
    def tables(self) -> dict[str, Relation]:
        """The tables by role, without the column model if recs have none, and with the order of lists if models differ in it."""
        return {role: self.without_model(one) for role, one in self.inputs.tables.items()}

    def without_model(self, table: Relation) -> Relation:
        return table.without(*([] if self.inputs.modelled else ["model"]), rank_by=self.options.get("rank_by"))

    def has_interval_by(self, grain: str, *methods: str) -> bool:
        """Whether a metric that is shown has an interval by one of some methods."""
        shows = self.target in ("evaluate", "rating_metrics") and self.options.get("interval") is not None
        return shows and any(one.shown and one.method in methods for one in self.columns[grain])

    def message(self, check: str) -> str:
        """The message of a check, in the words of Python."""
        return catalog().message(check)

    def sentence(self, check: str, **found: object) -> str:
        """SQL of the message of a check, with the expressions `found` put in.

        Our names of columns stand between backticks in the message. Those of the table that it begins with replace them.
        """
        message = self.message(check)
        about = BEGINNING.match(message)
        table = self.inputs.tables.get(about[1]) if about else None
        theirs = table.columns if table else {}
        names = {role: one.name for role, one in self.inputs.tables.items()}
        pieces: list[str] = []
        for place, piece in enumerate(re.split(r"\{(\w+)\}", message)):
            if place % 2 == 0:
                pieces += [quoted(OURS.sub(lambda one: theirs.get(one[1], one[1]), piece))] if piece else []
            elif piece not in found:
                pieces += [names.get(piece) or names["parts"]] if self.inputs.modelled or piece != "model" else []
            elif self.inputs.modelled or piece != "model":
                text = str(found[piece])
                text = NAMED.sub(lambda one: quoted(theirs.get(one[1], one[1])), text) if piece == "column" else text
                is_text = LITERAL.fullmatch(text) or text.startswith("«")
                pieces.append(text if is_text else str(self.sql.spoken(text, piece in IDS)))
        return "\n|| ".join(pieces).replace("'\n|| '", "").replace("; or ", "; '\n|| 'or ")  # on a line of its own

    def refusal(self, check: str, **found: object) -> str:
        """An expression that fails with the message of a check, for problems that show up inside another expression."""
        return str(self.sql.error(f"\n{indented(self.sentence(check, **found))}\n"))

    def function(self, name: str, x: str = "t.relevance", item: str = "t.item_id", **further: object) -> str:
        """An expression of `sql/expressions`, for the value `x` of an item."""
        return rendered(catalog().expressions[name].path, {**self.context, "x": x, "item": item, **further})

    # -- statistics

    def needs(self, name: str) -> bool:
        return bool(getattr(self.context["needs"], name))

    def statistics(self, kind: str) -> list[str]:
        """The statistics of a kind that the query needs."""
        of_kind = [name for name, one in catalog().statistics.items() if one.header["over"] == kind and name != "k"]
        return list(filter(self.needs, of_kind))

    def text_of(self, name: str) -> str:
        """A statistic over its rows; raises RecsqlError if it has no text under the options."""
        source = catalog().statistics[name]
        if text := rendered(source.path, self.context):
            return text
        raise RecsqlError(f"sql/{source.path} has no text under these options; a metric that needs it must refuse them")

    def statistic(self, name: str) -> str:
        """A statistic in the step before the metrics."""
        source = catalog().statistics[name]
        over, empty = source.header["over"], source.header.get("empty")
        is_summed = over in catalog().sums
        text = f"{catalog().sums[over].header['sums']['alias']}.{name}" if is_summed else rendered(source.path, self.context)
        return f"coalesce({text}, {empty})" if empty else text

    def column_of(self, name: str) -> str:
        """A statistic as a column of that step."""
        return aliased(self.statistic(name), name)

    def sums(self, reader: str) -> list[dict[str, str]]:
        """The steps whose sums a step reads, if the query needs them."""
        steps = [step for step in catalog().sums.values() if step.header["sums"]["reader"] == reader and self.needs(step.name)]
        return [{"name": step.name, **step.header["sums"]} for step in steps]

    def joins(self, kind: str) -> list[str]:
        """The joins that the statistics of a kind need. A join has the name of the need or decision that calls for it."""
        found: dict[str, str] = {}
        for name in self.statistics(kind):
            source = catalog().statistics[name]
            for join in source.header.get("joins", {}):
                if self.context[join] if join in self.context else self.needs(join):
                    found[join] = f"{source.path}|join {join}"
        return [rendered(path, self.context) for path in found.values()]

    # -- checks

    def checks(self) -> Iterator[dict[str, object]]:
        """The checks of the steps in the query, each a query for a row that can't be evaluated."""
        for check in (one for one in catalog().checks.values() if "place" in one.header):
            if all(step in self.there for step in check.header["on"]) and holds(check.when, self.context):
                yield {"place": check.header["place"], "text": self.in_check(check.name, self.check(check.name))}

    def warnings(self) -> list[tuple[str, str]]:
        """The checks that only warn, with their queries: those of a step in the query, and those of the input."""
        warning = [one for one in catalog().checks.values() if "warns" in one.header]
        named = [one for one in warning if "on" in one.header and all(step in self.there for step in one.header["on"])]
        of_input = [one for one in warning if "on" not in one.header and self.target == "warnings"]
        return [(one.name, self.check(one.name)) for one in (*named, *of_input) if holds(one.header["warns"], self.context)]

    def check(self, name: str, **context: object) -> str:
        """The query of a check for a row that can't be evaluated."""
        source = catalog().checks[name]
        path = f"{source.path}|sentence" if "sentence" in source.further else source.path
        return rendered(path, {**self.context, "sentence": partial(self.sentence, name), **context})

    def guard(self, name: str, *, before: str = "and", **context: object) -> str:
        """A WHERE, or a further condition of one, that raises the error of a check.

        It refuses input that the step itself can't join.
        """
        text = self.check(name, **context)
        error = self.sql.error("g.message")
        return (
            f"\n{before} coalesce((select {error} from (\n{indented(self.in_check(name, text))}\n) as g), true)" if text else ""
        )

    def in_check(self, name: str, text: str) -> str:
        """The query of a check, as it stands in the statement."""
        return text
