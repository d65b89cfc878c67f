"""Renders the templates of `sql/` as one query or as the macro file.

A step never contains a table name, a cut-off or an option. In a macro they are bound to its parameters, and an option becomes
a CASE over its values. In a query they are bound to a relation, to literals and to the one branch chosen.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial, reduce
from typing import Any

from recsql.catalog import WHOLE, Asked, Requirement, Source, Value, catalog
from recsql.errors import RecsqlError
from recsql.options import Condition, Options
from recsql.templates import compiled, dialect, environment
from recsql.text import BREAK, LITERAL, code, indented, laid_out, plain, quoted, without_models

READS = re.compile(r"\b(?:from|join)\s+([a-z_]+)\b")
COLUMN = re.compile(r"\b[a-z_]+\.[a-z0-9_]+\b")
STATISTIC = re.compile(r"\bs\.([a-z_]+)\b")
MODEL = re.compile(r"\b\w+\.model,")


IDS = ("user", "item", "one", "other")  # their names in a check; an empty id is shown in quotes
OF_ONE_LIST = {  # the words about a user in sentences, and their replacement if there is one list and no user
    "user_id {user}, ": "",
    " user {user}, item": " item",
    "user {user} alone has {found} items in list and truth": "the two lists alone have {found} items",
    " of user {user}{model}": "",
    " of user {user}": "",
    " for user {user}": "",
}


@dataclass(frozen=True)
class Relation:
    """A table as the templates read it: a SELECT with our column names, and its name in sentences (an SQL expression)."""

    select: str
    name: str


@dataclass(frozen=True)
class Column:
    """A metric in a query: its column, the metric asked for, and the cut-offs that it is shown at (none: all)."""

    name: str
    asked: Asked
    ks: tuple[int, ...] = ()
    shown: bool = True
    heading: str = ""  # the metric as asked for
    label: str = ""  # the metric with all its options, as in the column metric of a result
    like: str | None = None  # the preset that it is computed under
    place: int = 0  # the position in the call; negative if it isn't shown
    made_of: tuple[str, ...] = ()  # the columns whose means its mean is computed from

    @property
    def title(self) -> str:
        """The column's name, quoted if needed."""
        heading = self.heading or self.asked.metric
        return plain(heading)

    @property
    def header(self) -> dict[str, Any]:
        return catalog().metrics[self.asked.metric].header

    @property
    def grain(self) -> str:
        return catalog().metrics[self.asked.metric].grain

    @property
    def requires(self) -> list[Requirement]:
        return catalog().metrics[self.asked.metric].requires


@dataclass(frozen=True)
class Inputs:
    """What one rendering is bound to. An option that is not in `known` is a parameter of the macro."""

    tables: Mapping[str, Relation]  # by role: recs, truth, users, items, ...
    names: Mapping[str, str] = field(default_factory=dict)  # columns read under the names in your tables, as SQL
    cutoffs: str = ""
    depth: str = ""  # the largest cut-off
    deepest: str = ""  # the largest cut-off that is not the whole list
    columns: Sequence[Column] = ()
    known: Mapping[str, Value] = field(default_factory=dict)
    dialect: str = "duckdb"
    averaged: bool = False  # only means are wanted, not the values of each user
    counted: bool = False  # with the counts of the report
    partial: bool = False  # sums are wanted instead of means, to be added to those of other users
    lists: str = ""  # the query for recs, if they are given as one LIST per row
    single: bool = False  # one list, not tables of them
    modelled: bool = True  # recs have a column model, or may have one
    graded: bool = True  # truth has a column relevance, or may have one
    finite: bool = False  # no relevance can be NaN or infinite: they are whole numbers
    named: bool = False  # tables are given by name: their columns are known only when the query runs
    keyed: bool = False  # the cut-off of the whole list is its key and not NULL, because results are joined by it


class Statement(str):
    """A rendered query; `steps` has its CTEs by name, `last` the final SELECT."""

    steps: Mapping[str, str]
    last: str
    kept: Collection[str]  # steps that are read more than once, and should be computed once
    sized: Collection[str]  # steps to compute first, because the plan of the rest depends on their number of rows

    @classmethod
    def of(cls, steps: Mapping[str, str], last: str, kept: Collection[str] = (), sized: Collection[str] = ()) -> "Statement":
        made = cls("with\n" + ",\n\n".join(steps.values()) + f"\n\n{last}")
        made.steps, made.last, made.kept, made.sized = steps, last, kept, sized
        return made

    def reading(self, names: Collection[str], elsewhere: Callable[[str, "Statement"], str]) -> "Statement":
        """The statement with the steps `names` replaced.

        `elsewhere` gets a step's name and the query for its rows, and returns the text that follows AS.
        """
        steps: dict[str, str] = {}
        for name, step in self.steps.items():
            steps[name] = step
            if name in names:
                steps[name] = f"{name} as {elsewhere(name, Statement.over(steps, f'select * from {name}'))}"
        return Statement.over(steps, self.last)

    @classmethod
    def over(cls, steps: Mapping[str, str], last: str) -> "Statement":
        """The statement with only those steps that are read."""
        read = set(steps_in(code(last)))
        for name in reversed(list(steps)):
            if name in read:
                read |= steps_in(code(steps[name]))
        return cls.of({name: step for name, step in steps.items() if name in read}, last)

    @property
    def problems(self) -> "Statement":
        """The query for what is wrong with the input: rows with the sentences that the statement itself would fail with."""
        return Statement.over(self.steps, "select p.message\nfrom problems as p")


class Joined(str):
    """Several statements combined into one; `parts` has them."""

    parts: Sequence[Statement]

    @classmethod
    def of(cls, text: str, parts: Sequence[Statement]) -> "Joined":
        made = cls(text)
        made.parts = parts
        return made


@lru_cache(maxsize=4096)
def columns_in(text: str) -> frozenset[str]:
    """The columns that a rendered step reads, as `alias.name`."""
    return frozenset(COLUMN.findall(text))


@lru_cache(maxsize=4096)
def steps_in(text: str) -> frozenset[str]:
    """The steps that a step or a check reads."""
    return frozenset(READS.findall(text))


class Rendering:
    """Renders steps for one binding: `texts` has those rendered so far, `options` records the options that they read."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self.catalog = catalog()
        self.sql = dialect(inputs.dialect)
        self.options = Options(inputs.known)
        self.texts: dict[str, str] = {}
        self.before: dict[str, str] = {}

    def query(self, final: str) -> "Statement":
        """The whole statement: WITH, the steps that the template `final` needs, the checks on what they read, then `final`.

        The columns of a step depend on the steps that read it, so the text is rendered until it no longer changes.
        """
        ctes: dict[str, str] = {}
        previous: dict[str, str] | None = None
        while ctes != previous:
            previous, ctes = ctes, {}
            self.before, self.texts = self.texts, {}
            text = laid_out(self.template(final))
            self.collect("final", text, ctes)
        ordered = sorted(
            ctes, key=lambda name: not name.startswith("given_") or any(step in ctes for step in steps_in(ctes[name]))
        )
        reads = [steps_in(one) for one in self.texts.values()]
        kept = {name for name in self.told("kept", ctes) if sum(name in one for one in reads) > 1}
        return Statement.of(
            {name: self.cte(name, ctes[name]) for name in ordered},
            self.result(text),
            kept,
            set() if self.listed else self.told("sized", ctes),
        )

    def told(self, key: str, steps: Iterable[str]) -> set[str]:
        """Of some steps, those whose headers have this key."""
        return {name for name in steps if self.catalog.steps[name].header.get(key)}

    def collect(self, name: str, text: str, ctes: dict[str, str]) -> None:
        """Renders the steps that `text` reads, directly or not; each comes after the steps that it reads."""
        self.texts[name] = code(text)
        for step in dict.fromkeys(READS.findall(self.texts[name])):
            if step in self.catalog.steps and step not in self.texts:
                self.collect(step, laid_out(self.template(self.catalog.steps[step].path)), ctes)
        if name in self.catalog.steps:
            ctes[name] = text

    def cte(self, name: str, text: str) -> str:
        header = self.catalog.steps[name].header
        keyword = self.sql.inline() if header.get("inline") else ""
        body = text if self.inputs.modelled else without_models(text)
        return f"-- {header['row']}\n{name} as {keyword}(\n{indented(body)}\n)"

    def result(self, text: str) -> str:
        """The last SELECT. It has the column model even if no step has it."""
        if self.inputs.modelled or not (shown := MODEL.search(text)):
            return text
        return f"{text[: shown.start()]}{self.sql.text('null')} as model,{without_models(text[shown.end() :])}"

    # -- templates, and the names that they can use

    def template(self, path: str, **context: Any) -> str:
        return environment().get_template(path).render(self.context | context)

    def expression(self, path: str, **context: Any) -> str:
        """A rendered file that is an expression, to be placed inside a line."""
        return BREAK.join(laid_out(self.template(path, **context)).splitlines())

    @cached_property
    def context(self) -> dict[str, Any]:
        """Everything that a template can name."""
        options, inputs = self.options, self.inputs
        asked = self.asked
        return {
            "rendering": self,
            "inputs": inputs,
            "options": options,
            "columns": inputs.columns,
            "columns_of": self.columns_of,
            "depth": inputs.depth,
            "deepest": inputs.deepest,
            "whole": WHOLE if self.uncut else None,
            "too_large": WHOLE,
            "as_k": self.as_k,
            "said_k": self.said_k,
            "sql": self.sql,
            "option": options.reference,
            "is_given": options.is_given,
            "is_table": options.is_table,
            "is_above": options.is_above,
            "condition": options.condition,
            "choose": options.choose,
            "literal": options.literal,
            "whole_list": lambda: options.needing("whole_list", asked),
            "unordered": lambda: options.needing("unordered", asked),
            "statistic": Lookup(self.statistic),
            "double": lambda text: f"cast({text} as double)",
            "discount": lambda x: self.expression("expressions/discount.sql", x=x),
            "gain": lambda x, item="t.item_id": self.expression("expressions/gain.sql", x=x, item=item),
            "likely": lambda x: self.expression("expressions/likely.sql", x=x),
            "exact": self.sql.exact_units if inputs.partial else self.sql.exact_sum,  # the units of parts add up exactly
            "by_place": self.by_place,
            "refusal": self.refusal,
        }

    # -- the vocabulary

    @property
    def asked(self) -> list[tuple[str, Value]]:
        """The options in the brackets of the metrics."""
        return [chosen for column in self.inputs.columns for chosen in column.asked.options]

    @property
    def list_length(self) -> Condition:
        """Whether a metric or an option of the call reads the lengths of the lists."""
        return self.asks("list_length") | self.options.needing("list_length", self.asked)

    def asks(self, key: str) -> Condition:
        """Whether a metric of lists whose header has this key is asked for."""
        having = [column for column in self.columns_of("user") if column.header.get(key)]
        return reduce(Condition.__or__, map(self.needed, having), Condition(False, False, ""))

    @property
    def gains_of_one(self) -> bool:
        """Whether every relevant item of the truth has a gain of 1: there is no relevance, or the option says so."""
        alike = self.options.condition(gain="binary") if self.inputs.graded else self.options.condition(gain="binary linear exp2")
        return alike.certain and not self.options.condition(truth_window="k").possible

    @property
    def ranks_of_hits(self) -> bool:
        """Whether only items that may be relevant need a rank by score, so that items below them can be left out."""
        apart = self.options.condition(rank_by="score", duplicates="error first hole count set").certain
        reading = {name for name, text in self.everything.items() if steps_in(text) & {"scored", "ranked", "recommended"}}
        return apart and self.recs == "given_recs" and reading <= {"ranked", "recommended", "possible_hits"}

    @property
    def listed(self) -> bool:
        """Whether hits are searched in the lists as given: the lists have an order, and no gaps are closed."""
        plain = self.options.condition(rank_by="rank position", judged_only="false", duplicates="error hole count")
        return bool(self.inputs.lists) and "truth" in self.inputs.tables and plain.certain and not self.sample

    @property
    def ranks_counted(self) -> bool:
        """Whether items that may be relevant are ranked by counting the items that are no worse, if a list has few of them."""
        among_all = self.options.condition(ties="item_asc item_desc", duplicates="error hole count set").certain
        return self.ranks_of_hits and among_all

    def readers(self, step: str) -> list[str]:
        """The texts that read a step."""
        return [name for name, text in self.everything.items() if step in steps_in(text)]

    @property
    def sample(self) -> float | None:
        """The share of users to sample, None for all users; a macro always takes all."""
        share = self.options.known.get("sample")
        return share if share != 1 else None

    @property
    def recs(self) -> str:
        """The step with the rows of recs that count."""
        if "truth" in self.inputs.tables:
            return "judged_recs" if self.options.condition(judged_only="true").possible else "given_recs"
        if self.options.known.get("judged_only") == "true":
            raise RecsqlError("judged_only = true: this function has no truth to tell which items are judged; use evaluate")
        return "given_recs"

    def columns_of(self, grain: str) -> list[Column]:
        """The metrics of one grain."""
        return [column for column in self.inputs.columns if column.grain == grain]

    def metric(self, name: str) -> str:
        """A metric's expression over the statistics, for a user with a relevant item."""
        text = self.expression(f"metrics/{name}.sql", metric=Lookup(self.metric))
        empty = self.catalog.metrics[name].header.get("empty")
        return f"coalesce({text}, {empty})" if empty else text

    def value(self, column: Column) -> str:
        """A column of `per_user`: the metric under its own options, for any user."""
        own = self.under(column)
        text = self.expression("expressions/value.sql", natural=own.metric(column.asked.metric), column=column)
        return self.has_whole(column).then(text) if self.uncut else text

    @property
    def uncut(self) -> bool:
        """Whether the whole list may be among the cut-offs."""
        return self.inputs.named or self.inputs.depth == str(WHOLE)

    def as_k(self, key: str) -> str:
        """A cut-off as the column k of a result: NULL for the whole list."""
        return f"cast(nullif({key}, {WHOLE}) as integer) as k" if self.uncut and not self.inputs.keyed else key

    def said_k(self, key: str) -> str:
        """A cut-off as a sentence shows it: all for the whole list."""
        return f"coalesce({self.sql.text(f'nullif({key}, {WHOLE})')}, 'all')" if self.uncut else key

    def needs_cutoff(self, column: Column) -> Condition:
        """Whether a metric has no value for the whole list."""
        own, always = self.under(column).options, bool(column.header.get("needs_cutoff"))
        needing = needing_cutoff(column.asked.metric)
        found = [own.condition(**{name: " ".join(values)}) for name, values in needing.items()]
        return reduce(Condition.__or__, found, Condition(always, always, ""))

    def has_whole(self, column: Column, k: str = "s.k") -> Condition:
        """Whether a metric has a value at the cut-off `k`, which may be the whole list."""
        return Condition(True, False, f"{k} < {WHOLE}") | self.needs_cutoff(column).negated

    def natural(self, column: Column) -> str:
        """A column of `per_run`: the metric under its own options."""
        return self.under(column).metric(column.asked.metric)

    def counted(self, column: Column) -> str:
        """The number of users in the mean of a column of `per_run`; NULL if it is not a mean."""
        users = column.header.get("users")
        return f"cast({compiled(users)(**self.under(column).context) if users else 'null'} as bigint)"

    def under(self, column: Column) -> "Rendering":
        """The rendering under the options in one metric's brackets."""
        if not column.asked.options:
            return self
        return Rendering(replace(self.inputs, known=self.options.known | dict(column.asked.options)))

    def statistic(self, name: str) -> str:
        """A statistic as a column of `at_k`."""
        source = self.catalog.statistics[name]
        over, empty = source.header["over"], source.header.get("empty")
        text = f"{self.catalog.sums[over]['alias']}.{name}" if over in self.catalog.sums else self.expression(source.path)
        return f"coalesce({text}, {empty})" if empty else text

    def statistics(self, reader: str) -> dict[str, str]:
        """The statistics that the metrics in the step `reader` read, as columns of the step before it."""
        wanted = set(STATISTIC.findall(self.everything.get(reader, ""))) - {"model", "user_id"}
        return {name: self.statistic(name) for name in self.catalog.statistics if name in wanted}

    def sums(self, over: str) -> dict[str, str]:
        """The statistics that are sums over one kind of rows, as aggregates; only those that are read."""
        sums = self.catalog.sums[over]
        wanted = set(re.findall(rf"\b{sums['alias']}\.([a-z_]+)\b", self.everything.get(sums["reader"], "")))
        of_kind = [source for source in self.catalog.statistics.values() if source.header["over"] == over]
        return {source.name: self.expression(source.path) for source in of_kind if source.name in wanted}

    def summed(self, reader: str, text: str) -> dict[str, str]:
        """The steps that sum statistics for `reader`, by the aliases in `text`."""
        sums = {step.header["sums"]["alias"]: step for step in self.catalog.steps.values() if "sums" in step.header}
        return {
            alias: step.name
            for alias, step in sums.items()
            if step.header["sums"]["reader"] == reader and re.search(rf"\b{alias}\.", text)
        }

    def some(self, **values: str) -> Condition:
        """Whether a metric is asked for under these option values, given in the call or in the metric's brackets."""
        return reduce(Condition.__or__, {self.under(column).options.condition(**values): None for column in self.inputs.columns})

    def joins(self, texts: Iterable[str]) -> list[str]:
        """The joins that the texts need, by the aliases that they read."""
        declared = {alias: join for s in self.catalog.statistics.values() for alias, join in s.header.get("joins", {}).items()}
        return [join for alias, join in declared.items() if re.search(rf"\b{alias}\.", " ".join(texts))]

    def reads(self, column: str) -> bool:
        """Whether any step reads a column, given as `alias.name`."""
        return any(column in columns_in(text) for text in self.everything.values())

    @property
    def known(self) -> dict[str, str]:
        """The columns of `population` that describe a user at any cut-off and that a step reads, with their expressions."""
        said: dict[str, str] = self.catalog.steps["population"].header["known"]
        return {name: text for name, text in said.items() if self.reads(f"u.{name}")}

    @property
    def everything(self) -> dict[str, str]:
        """Everything rendered so far, in this round or in the one before."""
        return self.before | self.texts

    # -- means

    def placed(self, grain: str | None = None) -> list[tuple[int, Column]]:
        """The metrics that a result shows, with their positions, for one grain or all. A part also has hidden ones."""
        shown = enumerate((column for column in self.inputs.columns if column.shown or self.inputs.partial), start=1)
        return [(place, column) for place, column in shown if grain in (None, column.grain)]

    def by_place(self, placed: Iterable[tuple[int, Column]], text: str) -> str:
        """An expression that picks a text by the metric of a row of `asked`. `text` can use a metric's name, ks and order."""
        texts = [(place, text.format(name=one.name, ks=", ".join(map(str, one.ks)), order=one.place)) for place, one in placed]
        return self.expression("expressions/by_place.sql", texts=texts)

    @cached_property
    def sparse(self) -> Condition:
        """Whether the means need only the users with hits: all other users have 0 and are only counted."""
        averaged = Condition(self.inputs.averaged, self.inputs.averaged, "")
        alone = self.options.condition(users="truth", no_truth="skip zero zero_below_threshold error", zero_ideal="null zero one")
        return reduce(Condition.__and__, map(self.zero_without_hits, self.columns_of("user")), averaged & alone)

    @property
    def alike(self) -> bool:
        """Whether equal users, without a hit in the top k, are merged into one row with their number; only means are wanted."""
        return self.inputs.averaged and not self.inputs.partial and not self.sparse.certain

    def zero_without_hits(self, column: Column) -> Condition:
        """Whether a metric is 0 for every user without a hit, or is not asked for."""
        sparse, own = column.header.get("sparse"), self.under(column)
        unasked = self.needed(column).negated
        if not sparse:
            return unasked
        zero: Condition = compiled(sparse)(**own.context)
        return unasked | (zero & self.has_whole(column, self.inputs.depth) if self.inputs.named and self.inputs.depth else zero)

    def mean(self, column: Column) -> str:
        """A metric's mean in terms of the totals over users, or of other metrics' means if the option says so."""
        mean = f"coalesce(t.{column.name}, 0e0) / nullif(n.users - coalesce(t.{column.name}_missing, 0), 0)"
        option, own = column.header.get("of_means"), self.under(column)
        if not option or own.options.known.get(option, "of_means") != "of_means":
            return mean
        columns = {other.name: other for other in self.inputs.columns}
        metrics = column.header["means"]
        means = dict(zip(metrics, (columns[name] for name in column.made_of or metrics), strict=True))
        value = own.expression(f"metrics/{column.asked.metric}.sql", metric=Lookup(lambda name: own.mean(means[name])))
        text = f"case when n.users > 0 then coalesce({value}, {column.header['empty']}) end"
        return own.options.choose(option, of_means=text, otherwise=mean)

    def wanted(self, column: Column) -> Condition:
        """Whether the metric is asked for. A macro has a parameter for that, and can lack what a metric requires."""
        if "metrics" in self.options.known:
            return self.had(column)
        names = self.options.reference("metrics")
        listed = f"{names} is null or list_contains({names}, {quoted(column.asked.metric)})"
        return Condition(True, False, listed) & self.had(column)

    def had(self, column: Column) -> Condition:
        """Whether the options that the metric requires are given."""
        return reduce(Condition.__and__, map(self.under(column).options.satisfied, column.requires), Condition(True, True, ""))

    def needed(self, column: Column) -> Condition:
        """Whether the metric, or one whose mean is computed from its mean, is asked for."""
        made_of_it = [other for other in self.inputs.columns if column.name in (other.made_of or other.header.get("means", ()))]
        return reduce(Condition.__or__, map(self.wanted, made_of_it), self.wanted(column))

    # -- checks

    def checks(self) -> dict[Source, str]:
        """The checks on what the steps read, each a query for one row that can't be evaluated."""
        there = self.everything.keys()
        checks = [check for check in self.catalog.checks.values() if "place" in check.header]
        fit = [check for check in checks if self.of_steps(check) <= there]
        texts = {check: self.check(check.name) for check in fit}
        return {check: text for check, text in texts.items() if text}

    def warnings(self) -> list[str]:
        """The checks that only warn of suspicious input, each a query."""
        return [self.check(check.name) for check in self.catalog.checks.values() if "warning" in check.header]

    def proves_a_hit(self, column: Column) -> bool:
        """Whether a value above 0 proves that a user had a hit."""
        judged = self.under(column).options.condition(no_truth="skip zero zero_below_threshold error")
        return self.zero_without_hits(column).certain and judged.certain

    def of_steps(self, check: Source) -> set[str]:
        """The steps that a check belongs to: those in its header, which may read others for it, or else all that it reads."""
        return set(check.header.get("on", steps_in(check.text) & self.catalog.steps.keys()))

    def check(self, name: str, **context: Any) -> str:
        """A check as a query for one row that can't be evaluated; empty if the options rule the problem out."""
        source = self.catalog.checks[name]
        return laid_out(self.template(source.path, sentence=partial(self.sentence, source), **context))

    def guard(self, name: str, *, before: str = "and", **context: Any) -> str:
        """A WHERE, or a further condition of one, that raises an error if a check finds something.

        It refuses input that can't even be joined.
        """
        text = self.check(name, **context)
        lines = [
            f"{before} coalesce((select {self.sql.error('g.message')} from (",
            *indented(text).splitlines(),
            ") as g), true)",
        ]
        return BREAK.join(lines) if text else ""

    def sentence(self, source: Source, **found: str) -> str:
        """The message of a check as an SQL expression, with `found` (expressions) put in."""
        names = {role: table.name for role, table in self.inputs.tables.items()}
        pieces: list[str] = []
        message = str(source.header["message"])
        for said, left in OF_ONE_LIST.items() if self.inputs.single else ():
            message = message.replace(said, left)
        for i, piece in enumerate(re.split(r"\{(\w+)\}", message)):
            if i % 2 and (self.inputs.modelled or piece != "model"):
                text = self.sql.said if piece in IDS else self.sql.text
                pieces.append(
                    names.get(piece)
                    or (found[piece] if LITERAL.fullmatch(found[piece]) else f"coalesce({text(found[piece])}, 'NULL')")
                )
            elif piece and not i % 2:
                pieces.append(quoted(piece))
        return f"{BREAK}|| ".join(pieces).replace(f"'{BREAK}|| '", "")

    def refusal(self, check: str, **found: str) -> str:
        """An expression that fails with the message of a check, for problems that appear inside another expression."""
        lines = indented(self.sentence(self.catalog.checks[check], **found).replace(BREAK, "\n")).splitlines()
        return BREAK.join(str(self.sql.error("\n".join(["", *lines, ""]))).split("\n"))


@cache
def own_options(metric: str) -> frozenset[str]:
    """The options that a metric and its statistics read, directly or in an earlier step, and those that it requires."""
    source = catalog().metrics[metric]
    rendering = Rendering(Inputs({}, columns=[Column(metric, Asked(metric))]))
    read = set(STATISTIC.findall(rendering.metric(metric)))
    homes: set[str] = set()
    while new := read - homes:
        homes |= new
        for name in new & catalog().statistics.keys():
            read |= set(STATISTIC.findall(rendering.expression(catalog().statistics[name].path)))
    made_with = {catalog().statistics[name].header.get("made_with") for name in read & catalog().statistics.keys()}
    before = {name for name, option in catalog().options.items() if option.home.name in made_with}
    required = {name for requirement in source.requires for name in requirement.one_of}
    return frozenset({*rendering.options.parameters, *source.header.get("options", {}), *before, *required})


@cache
def needing_cutoff(metric: str) -> dict[str, tuple[str, ...]]:
    """The options that a metric reads, with the values under which it has no value for the whole list."""
    known = catalog().options
    return {name: known[name].needs_cutoff for name in known if known[name].needs_cutoff and name in own_options(metric)}


class Lookup:
    """Names in a template that are resolved when read: `metric.recall`, `statistic.returned`."""

    def __init__(self, find: Callable[[str], str]) -> None:
        self._find = find

    def __getitem__(self, name: str) -> str:
        return self._find(name)
