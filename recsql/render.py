"""Renders the templates of `sql/` as one query or as the macro file: the Jinja environment and its bindings.

A step never writes a table name, a cut-off or an option. Rendered as a macro these are bound to the macro's parameters, an
option to a CASE over its values; rendered as a query, to a relation, to literals, to the one branch chosen.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial, reduce
from types import SimpleNamespace
from typing import Any

import jinja2

from recsql.catalog import Asked, Option, Source, Value, catalog

BREAK = "\x1f"  # a line break inside an expression: indented one step deeper than the line it stands in
READS = re.compile(r"\b(?:from|join)\s+([a-z_]+)\b")
STATISTIC = re.compile(r"\bs\.([a-z_]+)\b")
IDENTIFIER = re.compile(r"[a-z_][a-z0-9_]*")


@dataclass(frozen=True)
class Relation:
    """A table as the templates read it: the SELECT that gives our columns, and its name in sentences (an SQL expression)."""

    select: str
    name: str


@dataclass(frozen=True)
class Column:
    """A metric in a query: its column, what was asked, and the cut-offs it is shown at (none: all)."""

    name: str
    asked: Asked
    ks: tuple[int, ...] = ()
    shown: bool = True

    @property
    def title(self) -> str:
        """Its name in a result: the metric as asked for, quoted where that is no plain name."""
        label = self.asked.label
        return label if IDENTIFIER.fullmatch(label) else str(dialect("duckdb").quote(label))

    @property
    def header(self) -> dict[str, Any]:
        return catalog().metrics[self.asked.metric].header


@dataclass(frozen=True)
class Inputs:
    """What one rendering is bound to; an option that is not among the known ones is a parameter of the macro."""

    recs: Relation
    truth: Relation
    cutoffs: str
    depth: str
    users: Relation
    columns: Sequence[Column] = ()
    known: Mapping[str, Value] = field(default_factory=dict)
    averaged: bool = False
    single: bool = False
    named: bool = False
    counted: bool = False
    dialect: str = "duckdb"


@dataclass(frozen=True)
class Condition:
    """A condition on options: known in a query, an expression over the parameters in a macro."""

    possible: bool
    certain: bool
    sql: str

    @property
    def negated(self) -> "Condition":
        return Condition(not self.certain, not self.possible, f"not ({self.sql})")

    def __or__(self, other: "Condition") -> "Condition":
        open_ = [f"({one.sql})" for one in (self, other) if one.possible and not one.certain]
        return Condition(self.possible or other.possible, self.certain or other.certain, " or ".join(open_))

    def __and__(self, other: "Condition") -> "Condition":
        open_ = [f"({one.sql})" for one in (self, other) if one.possible and not one.certain]
        return Condition(self.possible and other.possible, self.certain and other.certain, " and ".join(open_))

    @property
    def where(self) -> str:
        return "" if self.certain else f"where {self.sql}"

    @property
    def also(self) -> str:
        """A further condition of a WHERE."""
        return "" if self.certain else f"and ({self.sql})"

    @property
    def union_all(self) -> str:
        """Between a branch for the condition and one for its contrary, where both are there."""
        return "union all" if self.possible and not self.certain else ""

    def then(self, text: str, otherwise: str = "null") -> str:
        """`text` where the condition holds, else `otherwise`."""
        if self.certain or not self.possible:
            return text if self.certain else otherwise
        return f"case when {self.sql} then {text} else {otherwise} end"

    def filter(self, text: str) -> str:
        """A WHERE with `text`, in force where the condition holds."""
        if self.certain or not self.possible:
            return f"where {text}" if self.certain else ""
        return f"where not ({self.sql}) or {text}"


def quoted(text: str) -> str:
    """Text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


@cache
def environment() -> jinja2.Environment:
    """The environment of all templates, which are loaded from the catalogue by their path below `sql/`."""
    texts = {path: source.text for path, source in catalog().sources.items()}
    made = jinja2.Environment(
        loader=jinja2.DictLoader(texts), undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    made.filters.update(either=Condition.__or__, both=Condition.__and__, sql_literal=quoted)
    return made


@cache
def compiled(expression: str) -> Callable[..., Any]:
    """A condition on options, written in a header."""
    return environment().compile_expression(expression)


@cache
def dialect(name: str) -> SimpleNamespace:
    """The spellings of one engine, DuckDB's where it has none of its own."""
    sql = SimpleNamespace()
    for file in dict.fromkeys(("duckdb", name)):
        template = environment().get_template(f"dialects/{file}.sql")
        vars(sql).update({key: value for key, value in vars(template.make_module({"sql": sql})).items() if key[0] != "_"})
    return sql


def laid_out(text: str) -> str:
    """Rendered text as a person would lay it out: expression breaks indented, no blank or trailing space."""
    lines: list[str] = []
    for line in text.splitlines():
        indent = " " * (len(line) - len(line.lstrip()))
        lines += line.rstrip().replace(BREAK, f"\n{indent}").split("\n")
    return "\n".join(line.rstrip() for line in lines if line.strip())


def indented(text: str, by: int = 4) -> str:
    return "\n".join(f"{' ' * by}{line}" if line.strip() else line for line in text.splitlines())


class Rendering:
    """Renders steps for one binding and keeps what they read: `steps` the CTEs so far, `used` the options."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self.catalog = catalog()
        self.sql = dialect(inputs.dialect)
        self.known = dict(inputs.known)
        self.parameters: dict[str, None] = {}
        self.texts: dict[str, str] = {}
        self.seen: dict[str, str] = {}

    # -- what a template can say about options

    def option(self, name: str) -> str:
        """The option's value as SQL: a literal, or the macro's parameter."""
        if name in self.known:
            return self.literal(self.known[name])
        self.parameters[name] = None
        return self.catalog.options[name].reference or name

    def literal(self, value: Value) -> str:
        if value is None:
            return "null"
        if isinstance(value, Mapping):
            return f"map {{{', '.join(f'{key!r}: {gain!r}' for key, gain in value.items())}}}"
        if isinstance(value, float):
            return repr(value) if "e" in repr(value) else f"{value!r}e0"  # without an exponent it would be a decimal
        return quoted(value) if isinstance(value, str) else repr(value)

    def is_given(self, name: str) -> Condition:
        """Whether an option without a default was given."""
        known, given = name in self.known, self.known.get(name) is not None
        return Condition(not known or given, known and given, f"{self.option(name)} is not null")

    def condition(self, **values: str) -> Condition:
        """Each option named has one of the values listed, separated by spaces."""
        listed = {name: text.split() for name, text in values.items()}
        held = [self.known[name] in choices for name, choices in listed.items() if name in self.known]
        open_ = {name: choices for name, choices in listed.items() if name not in self.known}
        texts = [f"{self.option(name)} in ({', '.join(map(self.literal, choices))})" for name, choices in open_.items()]
        return Condition(all(held), all(held) and not open_, " and ".join(texts))

    def choose(self, name: str, otherwise: str | None = None, **texts: str) -> str:
        """The text for the option's value: in a macro a CASE over all of them."""
        choices = self.catalog.options[name].choices
        if not set(texts) <= set(choices) or (otherwise is None and set(texts) != set(choices)):
            raise jinja2.TemplateRuntimeError(f"choose({name}): its texts are not those of the option's values")
        if name in self.known:
            return texts.get(self.known[name], otherwise or "")
        whens = [f"    when {self.literal(value)} then {text}" for value, text in texts.items() if text != otherwise]
        last = [f"    else {otherwise}"] if otherwise is not None else []
        return BREAK.join([f"case {self.option(name)}", *whens, *last, "end"]) if whens else str(otherwise)

    # -- what a template can say about the vocabulary

    def expression(self, path: str, **context: Any) -> str:
        """One rendered file that is an expression, on one line."""
        return BREAK.join(laid_out(self.template(path, **context)).splitlines())

    def template(self, path: str, **context: Any) -> str:
        return environment().get_template(path).render(self.context | context)

    def sentence(self, source: Source, **found: str) -> str:
        """The message of a check as an SQL expression, with `found` (expressions) put in."""
        names = {"recs": self.inputs.recs.name, "truth": self.inputs.truth.name, "users": self.inputs.users.name}
        pieces: list[str] = []
        for i, piece in enumerate(re.split(r"\{(\w+)\}", source.header["message"])):
            if i % 2:
                pieces.append(names.get(piece) or f"coalesce({self.sql.text(found[piece])}, 'NULL')")
            elif piece:
                pieces.append(quoted(piece))
        return f"{BREAK}|| ".join(pieces).replace(f"'{BREAK}|| '", "")

    def refusal(self, check: str, **found: str) -> str:
        """An error with the message of a check, for what shows only in the middle of an expression."""
        lines = self.sentence(self.catalog.checks[check], **found).split(BREAK)
        return BREAK.join(str(self.sql.error("\n".join(["", *(f"    {line}" for line in lines), ""]))).split("\n"))

    def metric(self, name: str, asked: Asked | None = None) -> str:
        """A metric's expression over the statistics, for a user with something relevant."""
        own = Rendering(replace(self.inputs, known=self.known | dict(asked.options))) if asked and asked.options else self
        text = own.expression(f"metrics/{name}.sql", metric=Lookup(own.metric))
        empty = self.catalog.metrics[name].header.get("empty")
        return f"coalesce({text}, {empty})" if empty else text

    def statistic(self, name: str) -> str:
        """A statistic as a column of `at_k`."""
        source = self.catalog.statistics[name]
        over, empty = source.header["over"], source.header.get("empty")
        text = f"{'h' if over == 'hits' else 'w'}.{name}" if over != "user" else self.expression(source.path)
        return f"coalesce({text}, {empty})" if empty else text

    def over(self, kind: str) -> dict[str, str]:
        """The statistics of one kind that the text so far reads, with their expressions."""
        prefix = {"hits": "h", "list": "w"}[kind]
        wanted = set(re.findall(rf"\b{prefix}\.([a-z_]+)\b", self.everything.get("at_k", "")))
        sources = [source for source in self.catalog.statistics.values() if source.header["over"] == kind]
        return {source.name: self.expression(source.path) for source in sources if source.name in wanted}

    @property
    def statistics(self) -> dict[str, str]:
        """The statistics that the metrics read, with their expressions."""
        wanted = set(STATISTIC.findall(self.everything.get("per_user", ""))) - {"model", "user_id"}
        return {name: self.statistic(name) for name in self.catalog.statistics if name in wanted}

    def joins(self, *texts: str) -> list[str]:
        """The joins that the texts need, by the aliases that they read."""
        declared = {alias: join for s in self.catalog.statistics.values() for alias, join in s.header.get("joins", {}).items()}
        return [join for alias, join in declared.items() if re.search(rf"\b{alias}\.", " ".join(texts))]

    def reads(self, word: str) -> bool:
        """Whether any step reads `word`."""
        return any(re.search(rf"\b{re.escape(word)}\b", text) for text in self.everything.values())

    @property
    def everything(self) -> dict[str, str]:
        return self.seen | self.texts

    def is_sparse(self, column: Column) -> bool:
        """Whether the metric is 0 for every user without a hit: then only users with hits need be looked at."""
        options = self.known | dict(column.asked.options)
        return bool(compiled(column.header["sparse"])(**options))

    @property
    def sparse(self) -> bool:
        """Whether the mean can be had from the users with hits alone, the others only counted."""
        plain = self.inputs.averaged and self.known.keys() == self.catalog.options.keys()
        if not plain or not self.condition(users="truth", no_truth="skip zero zero_below_threshold error").certain:
            return False
        return all(self.is_sparse(column) for column in self.inputs.columns)

    def mean(self, column: Column) -> str:
        """A metric's mean in terms of the totals over users, or of other metrics' means where the option says so."""
        missing = f"coalesce(t.{column.name}_missing, 0)"
        mean = f"coalesce(t.{column.name}, 0e0) / nullif(n.users - {missing}, 0)"
        option = column.header.get("of_means")
        if not option:
            return mean
        known = self.known | dict(column.asked.options)
        if known.get(option, "of_means") != "of_means":
            return mean
        own = Rendering(replace(self.inputs, known=known))
        own.parameters = self.parameters
        names = {other.asked.metric: other for other in reversed(self.inputs.columns)}
        value = own.expression(f"metrics/{column.asked.metric}.sql", metric=Lookup(lambda name: own.mean(names[name])))
        text = f"case when n.users > 0 then coalesce({value}, {column.header['empty']}) end"
        return text if option in known else self.choose(option, of_means=text, otherwise=mean)

    def open_choices(self) -> list[Option]:
        """The parameters that take one of several values."""
        return [option for name, option in self.catalog.options.items() if option.type == "choice" and name in self.parameters]

    def wanted(self, column: Column) -> Condition:
        """Whether the metric is asked for: a macro can be told which, and can lack what a metric requires."""
        required = column.header.get("requires")
        needs = self.is_given(required) if required else Condition(True, True, "")
        if "metrics" in self.known:
            return needs
        asked = (
            f"({self.option('metrics')} is null or list_contains({self.option('metrics')}, {self.literal(column.asked.metric)}))"
        )
        return Condition(needs.possible, False, asked if needs.certain else f"{asked} and {needs.sql}")

    def needed(self, column: Column) -> Condition:
        """Whether the metric, or one whose mean is made of its mean, is asked for."""
        made_of = [other for other in self.inputs.columns if column.asked.metric in other.header.get("means", ())]
        return reduce(Condition.__or__, map(self.wanted, made_of), self.wanted(column))

    def checks(self) -> dict[Source, str]:
        """The checks on what the steps so far read: each a query for one row that can't be measured."""
        checks = [check for check in self.catalog.checks.values() if "place" in check.header]
        fit = [check for check in checks if set(READS.findall(check.text)) & self.catalog.steps.keys() <= self.everything.keys()]
        texts = {check: self.check(check.name) for check in fit}
        return {check: text for check, text in texts.items() if text}

    def check(self, name: str) -> str:
        """A check as a query for one row that can't be measured; nothing where the options rule that out."""
        source = self.catalog.checks[name]
        return laid_out(self.template(source.path, sentence=partial(self.sentence, source)))

    def guard(self, name: str) -> str:
        """A further condition of a WHERE, an error where a check finds something: to refuse what can't even be joined."""
        text = self.check(name)
        lines = [f"and coalesce((select {self.sql.error('g.message')} from (", *indented(text).splitlines(), ") as g), true)"]
        return BREAK.join(lines) if text else ""

    @cached_property
    def context(self) -> dict[str, Any]:
        """All that a template can name."""
        inputs = self.inputs
        return {
            "sql": self.sql,
            "recs": inputs.recs.select,
            "truth": inputs.truth.select,
            "users": inputs.users.select,
            "cutoffs": inputs.cutoffs,
            "depth": inputs.depth,
            "columns": inputs.columns,
            "counted": inputs.counted,
            "single": inputs.single,
            "named": inputs.named,
            "recs_name": inputs.recs.name,
            "truth_name": inputs.truth.name,
            "option": self.option,
            "is_given": self.is_given,
            "condition": self.condition,
            "choose": self.choose,
            "literal": self.literal,
            "double": lambda text: f"cast({text} as double)",
            "discount": lambda x: self.expression("expressions/discount.sql", x=x),
            "gain": lambda x: self.expression("expressions/gain.sql", x=x),
            "metric_value": lambda column: self.expression(
                "expressions/value.sql", natural=self.metric(column.asked.metric, column.asked), column=column
            ),
            "refusal": self.refusal,
            "statistic": Lookup(self.statistic),
            "rendering": self,
            "whole_list": self.whole_list,
        }

    @property
    def whole_list(self) -> Condition:
        """Whether each list is needed to its end and not only down to the largest cut-off."""
        asked = {option: value for column in self.inputs.columns for option, value in column.asked.options}
        for name, value in asked.items():
            if value in self.catalog.whole_list.get(name, ()):
                return Condition(True, True, "")
        parts = [self.condition(**{name: " ".join(values)}) for name, values in self.catalog.whole_list.items()]
        text = " or ".join(part.sql for part in parts if part.possible and not part.certain)
        return Condition(any(part.possible for part in parts), any(part.certain for part in parts), text)

    # -- putting steps together

    def step(self, name: str) -> str:
        source = self.catalog.steps[name]
        return laid_out(self.template(source.path))

    def query(self, final: str) -> str:
        """The whole statement: WITH, the steps that the template `final` needs and the checks on what they read, then `final`.

        What a step carries depends on who reads it, so the text is rendered until it no longer changes.
        """
        ctes: dict[str, str] = {}
        before: dict[str, str] | None = None
        while ctes != before:
            before, ctes = ctes, {}
            self.seen, self.texts = self.texts, {}
            text = laid_out(self.template(final))
            self.collect("final", text, ctes)
        ordered = {name: ctes[name] for name in sorted(ctes, key=lambda name: not name.startswith("given_"))}
        return "with\n" + ",\n\n".join(self.cte(name, cte) for name, cte in ordered.items()) + f"\n\n{text}"

    def collect(self, name: str, text: str, ctes: dict[str, str]) -> None:
        """Renders the steps that `text` reads, and those that they read, each after what it reads itself."""
        self.texts[name] = text
        for step in dict.fromkeys(READS.findall(text)):
            if step in self.catalog.steps and step not in self.texts:
                self.collect(step, self.step(step), ctes)
        if name in self.catalog.steps:
            ctes[name] = text

    def cte(self, name: str, text: str) -> str:
        header = self.catalog.steps[name].header
        keyword = self.sql.inline() if header.get("inline") else ""
        return f"-- {header['row']}\n{name} as {keyword}(\n{indented(text)}\n)"


class Lookup:
    """Names in a template that are worked out when read: `metric.recall`, `statistic.returned`."""

    def __init__(self, find: Any) -> None:
        self._find = find

    def __getitem__(self, name: str) -> str:
        return str(self._find(name))
