"""The macro file: the macros of the DuckDB shell as plain SQL, rendered for one convention.

A macro is the query of its target, with a CTE for each step. A step or check of several macros is a macro of its own: it takes
the names of the tables that it reads, and its callers pass the names of their CTEs.
"""

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from itertools import chain, count
from pathlib import Path

import duckdb

from recsql.base.errors import RecsqlError, UnknownName, nearest
from recsql.base.package import release
from recsql.base.paths import whole
from recsql.base.text import IDENTIFIER, LITERAL, indented, quoted, quoted_name
from recsql.catalog import catalog
from recsql.catalog.grammar import LARGEST, MOST, parse_metric
from recsql.catalog.headers import Given, Value
from recsql.catalog.options import IDLE_TRAIN, SEEN_WITHOUT_TRAIN, literal, text_in
from recsql.engines.duckdb_words import in_words
from recsql.query.binding import Relation
from recsql.query.list_macros import CALL, LISTS, list_macros
from recsql.query.macro_query import (
    HOMES,
    IF_NAMED,
    OF_PAIRS,
    STEP,
    VALUE,
    MacroQuery,
    Spec,
    Step,
    asked_of,
    macros_over_tables,
    query_of,
)
from recsql.query.macro_words import worded
from recsql.query.metric import needs_train
from recsql.query.metric_names import meaning
from recsql.query.plan import as_list
from recsql.query.render import Query
from recsql.query.templates import dialect, environment, template

NAMED = re.compile(rf"--[^\n]*|{LITERAL.pattern}|\brecsql\.(\w+)")  # the names of macros, outside of comments and literals
PUBLIC = re.compile(r"comment on macro (?:table )?recsql\.(\w+)")
LINE = re.compile(r"^comment on [^']+'(?:[^']|'')*';$|^.*$", re.MULTILINE)  # the lines of a comment stay as they are
SPACE = re.compile(rf"{LITERAL.pattern}| ")
DATABASE, STORAGE = ".duckdb", "v1.2.0"  # the ending of a database file, and its format, which DuckDB 1.2 and newer read
CHECK = "Check"  # the section with a file of its own
WIDEST = 150  # of all lines, in characters
ELSEWHERE = {  # options that a file does not have, and where they are
    "by": "the macro evaluate_by takes the table segments",
    "segments": "the macro evaluate_by takes that table",
    "interval": "the macros evaluate_with_interval and compare take it as confidence",
    "baseline": "the macro compare takes it",
    "protocol": "each protocol has a macro of its own, such as split_last_n",
    "impressions": "the macro labels_of_impressions takes that table",
}


class File:
    """The macros under some options."""

    def __init__(self, schema: str, metrics: str | Sequence[str] | None, options: Mapping[str, Given]) -> None:
        if not isinstance(schema, str) or not IDENTIFIER.fullmatch(schema):
            raise RecsqlError(f"schema: {schema!r} is not a name of lower-case letters, digits and underscores, such as recsql")
        refuse_name(schema, f"create schema if not exists {schema}")
        self.options, named = dict(file_options(options)), metrics_of_file(metrics)
        grains = {catalog().metrics[parse_metric(one).metric].grain for one in named}
        there = [one for one in macros_over_tables() if (one.grain not in IF_NAMED or one.grain in grains) and self.has(one)]
        self.schema, self.specs = schema, [one for one in there if asked_of(one, named, self.options)[0] != []]
        self.macros: dict[str, Step] = {}  # those of steps and checks, by name
        chosen = {"schema": schema if schema != "recsql" else "", "metric": ",".join(named), **options}
        words = [word for name, value in chosen.items() if value != "" for word in (f"--{name.replace('_', '-')}", str(value))]
        self.command = " ".join(shlex.join(["recsql", "macros", *words]).split())  # on one line of a comment
        self.queries = {spec.name: query_of(spec, named, self.options, self.name_of) for spec in self.specs}
        self.bodies = {spec.name: self.body(spec) for spec in self.specs}
        self.uses = Counter(step for steps, _ in self.bodies.values() for step in steps)

    def has(self, spec: Spec) -> bool:
        """Whether a macro has a meaning with spans or a budget, if the file is about these."""
        about_items = self.options.get("spans") != "true" and self.options.get("budget") is None
        return about_items or (spec.takes(catalog().options["spans"]) and spec.target != "ideal")

    def name_of(self, step: Step) -> str:
        """The name for the macro of a step or check, with a number if another step has the name."""
        names = chain([step.macro], (f"{step.macro}_{number}" for number in count(2)))
        return next(name for name in names if self.macros.setdefault(name, step) == step)

    def body(self, spec: Spec) -> tuple[list[Step], str]:
        """The steps of a macro and its last SELECT. A comparison has the sums of the pairs, then their tests."""
        query = self.queries[spec.name]
        if spec.target not in OF_PAIRS:
            return query.steps(), query.last
        tests = MacroQuery(replace(query.inputs, tables={"paired": Relation(query.last, "")}), spec.target, spec, self.name_of)
        if not spec.worded:
            return [*query.steps(), *tests.steps()], tests.last
        steps = query.steps()
        read = {step.name for step in steps}
        tables = [name for name in query.inputs.tables if name not in spec.tables and f"given_{name}" in read]
        means, words = worded(tests, query.usual["margin"], tables)
        return [means, *steps, *tests.steps(), *words], "from told_verdict"

    def given(self, spec: Spec) -> dict[str, str]:
        """What a macro gives the parameters of its steps that are none of its own; those that say what they find have few."""
        usual = self.usual(spec)
        values = {f"«{spec.values[name]}»": f"{one if isinstance(one, float) else literal(one)}" for name, one in usual.items()}
        own = {"«metrics»": "«metric»", "«baseline»": "«baseline»"}
        return values | own if spec.worded else {}

    def usual(self, spec: Spec) -> dict[str, Value]:
        """The defaults of the values of a macro."""
        known = self.queries[spec.name].usual
        return {name: spec.usual.get(name) if known[name] is None else known[name] for name in spec.values}

    def parameters(self, spec: Spec) -> list[str]:
        """The parameters of a macro with their defaults: tables, cut-offs, metrics, values, then optional tables.

        The table of an option of the file is one if a step reads it.
        """
        query, read = self.queries[spec.name], {step.name for step in self.bodies[spec.name][0]}
        usual = {name: one for name, one in self.usual(spec).items() if not spec.worded or name == "baseline"}
        return [
            *(one for one in spec.tables.values() if ":=" not in one),
            *(name for name in query.inputs.tables if name not in spec.tables and f"given_{name}" in read),
            *([f"k := {spec.k}"] if spec.k else []),
            *(["metrics := null"] if spec.metrics else [f"metric := {quoted(query.usual_metrics[0])}"] if spec.worded else []),
            *(f"{spec.values[name]} := {one if isinstance(one, float) else literal(one)}" for name, one in usual.items()),
            *(one for one in spec.tables.values() if ":=" in one),
        ]

    # -- the text

    @property
    def text(self) -> str:
        return self.rendered(database=False)

    @property
    def check(self) -> str:
        """The statements that create the macro check beside the others."""
        return self.rendered(database=False, target="check")

    def rendered(self, *, database: bool, target: str = "macros") -> str:
        """The statements that create the macros, in a schema or in a database of that name; only a database has check as well."""
        sections = dict(self.sections())
        checks = sections[CHECK] if database or target == "check" else sections.pop(CHECK)
        steps = f"{self.schema}{'.' if database else '_'}steps"  # a database has it beside main; schemas have no schemas
        context = {
            "whole": self,
            "database": database,
            "discount": Query.function(self.queries["evaluate"], "discount_at", "rank"),
            "named": {spec.grain: self.queries[spec.name] for spec in self.specs if spec.name in HOMES.values()},
            "version": release(),
            "sections": sections,
            "checks": checks,
            "left_out": [name for name in catalog().findings if f"{name}_of" not in self.macros],
            "sql": dialect("duckdb"),
            "most_k": LARGEST if self.options.get("budget") is None else MOST,
            "id": "document" if self.options.get("spans") == "true" else "item_id",
            "ids": "document, start, end" if self.options.get("spans") == "true" else "item_id",
            "steps": steps,
            "say": self.queries["evaluate"].message,
            "textbook": self.textbook,
            "meanings": self.meanings,
            "homes": {home: catalog().metrics_of(grain) for grain, home in HOMES.items()},
        }
        text = environment().get_template(catalog().targets[target].path).render(context) + "\n"
        text = self.placed(text, public={*PUBLIC.findall(text)}, steps=steps)
        return LINE.sub(lambda found: found[0] if found[0].startswith("comment on ") else fold_line(found[0]), text)

    def placed(self, text: str, public: Set[str], steps: str) -> str:
        """The text with each macro in its schema. The public ones have a comment; the others are in the schema `steps`."""

        def place(found: re.Match[str]) -> str:
            if found[1] is None:
                return found[0].replace("recsql.", f"{self.schema}.") if found[0].startswith("--") else found[0]
            return f"{self.schema if found[1] in public else steps}.{found[1]}"

        return NAMED.sub(place, text)

    @property
    def textbook(self) -> list[str]:
        """The default metrics of the file as queries of clean input; none if options change the definitions."""
        named = [] if self.options else catalog().usual_metrics("user")
        return [catalog().metrics[name].further["textbook"].strip() for name in named if name in self.queries["evaluate"].found]

    @cached_property
    def meanings(self) -> dict[str, str]:
        """What the other names of metrics mean."""
        known = {column.metric: column.options for query in self.queries.values() for column in query.inputs.columns}
        like = text_in(self.queries["evaluate"].usual, "like")
        found = {name: meaning(name, like, known) for name in sorted(catalog().known_names)}
        return {name: one for name, one in found.items() if name != one}

    def sections(self) -> Iterator[tuple[str, list[str]]]:
        """The macros by section, after the macros of the steps and checks that they need."""
        written: set[str] = set()
        for section in dict.fromkeys(spec.section for spec in self.specs):
            yield section, [text for spec in self.specs if spec.section == section for text in self.macro(spec, written)]
            if section == "Evaluate" and {"spans", "budget", "weighting"}.isdisjoint(self.options):
                yield "Two lists", list(self.over_lists())

    def over_lists(self) -> Iterator[str]:
        """The scalar macros of the metrics of evaluate, over two lists."""
        query = self.queries["evaluate"]
        for one in list_macros(query.usual, list(query.found)):
            head = {"name": one.name, "about": one.comment, "example": one.example, "parameters": [one.parameters]}
            call = f"select {self.schema}.{one.name}({lists_of(one.name)})" if one.name in query.found else ""
            yield template("macro", **head, body=indented(one.body), table=False, call=call)
        # A name such as iprec_at_recall_0.50 can't be that of a macro.
        spelt = [name for name in self.meanings if name.isidentifier() and name not in catalog().metrics]
        others = [(name, self.meanings[name]) for name in spelt if self.meanings[name] in query.found]
        yield template("aliases", others=others, parameters=LISTS, schema=self.schema, lists_of=lists_of)

    def macro(self, spec: Spec, written: set[str]) -> Iterator[str]:
        """A macro over tables, after those that it calls."""
        steps, last = self.bodies[spec.name]
        ctes, given = [], self.given(spec)
        for step in steps:
            called = self.uses[step] > 1 or step.text.count("\n") > spec.long
            text = step.call(self.name_of(step)) if called else step.text
            text = VALUE.sub(lambda found: given.get(found[0], found[0]), text)
            yield from self.called(text, written)
            name, text = f"{step.name} as {'not materialized ' if step.inline else ''}", beside(text)
            ctes.append(f"\n{name}({' '.join(text.split())})" if called else f"\n\n-- {step.row}\n{name}(\n{indented(text)}\n)")
        yield from self.called(last, written)
        head = {"name": spec.name, "about": spec.about, "example": "", "parameters": self.parameters(spec)}
        yield template("macro", **head, body=f"with{','.join(ctes)}\n\n{beside(last)}", table=True, call=self.example(spec))

    def example(self, spec: Spec) -> str:
        """A call of a macro with files named after its parameters."""
        tables = [quoted(f"{one}.parquet") for one in self.parameters(spec) if ":=" not in one]
        values = [*(["k := 10"] if spec.k else []), *([spec.example] if spec.example else [])]
        metrics = [f"metrics := {self.queries[spec.name].usual_metrics[:2]}"] if spec.metrics else []
        return f"from {self.schema}.{spec.name}({', '.join([*tables, *values, *metrics])})"

    def called(self, text: str, written: set[str]) -> Iterator[str]:
        """The macros of steps and checks that a text calls and that are not written yet."""
        for name in CALL.findall(text):
            if name in self.macros and name not in written:
                step = self.macros[name]
                yield from self.called(step.text, written)
                written.add(name)
                head = {"name": name, "about": step.row, "example": "", "parameters": list(step.parameters)}
                yield template("macro", **head, body=step.body, table=True, call="")


def fold_line(line: str) -> str:
    """Folds a line that is too long, unless its first word is; the further lines are indented more."""
    indent, start = len(line) - len(line.lstrip()), len(line) - len(line.lstrip(" -"))
    spaces = [found.start() for found in SPACE.finditer(line, start) if found[0] == " " and found.start() <= WIDEST]
    if len(line) <= WIDEST or not spaces:
        return line
    commas = [place for place in spaces if line[place - 1] == "," and place > WIDEST // 2]
    place = (commas or spaces)[-1]
    return f"{line[:place]}\n{fold_line(('-- ' if line.startswith('--') else ' ' * (indent + 4)) + line[place + 1 :])}"


def lists_of(metric: str) -> str:
    """The two lists of a metric's example, and its cut-off; others if it has none."""
    return str(catalog().metrics[metric].header.get("example", {"lists": "['a', 'b'], ['b', 'c'], 2"})["lists"])


def beside(text: str) -> str:
    """The text of a step beside the steps that it reads."""
    return VALUE.sub(r"\1", STEP.sub(r"'\1'", re.sub(r"query_table\(¦(\w+)¦\)", r"\1", text)))


def macros(schema: str = "recsql", metrics: str | Sequence[str] | None = None, *, check: bool = False, **options: Given) -> str:
    """Returns the macro file for the DuckDB shell under some options; by default, it is `sql/recsql.sql`.

    Args:
        schema: The schema that the macros are created in.
        metrics: The metrics of the file. By default, it has those that `evaluate` computes by default, and a few further ones.
        check: The file with the macro check alone, to be loaded after the other one; by default, it is `sql/check.sql`.
        options: The options of `evaluate`, `compare`, `split`, `labels` and the other functions. They hold for every call of a
            macro. An option that is a table, as in users="table", becomes a parameter of the macros that read it.

    Raises:
        RecsqlError: If an option or a metric is unknown or has no effect, or if it can't be rendered into a macro.
    """
    file = File(schema, metrics, options)
    return file.check if check else file.text


def save_database(file: File, path: str) -> None:
    """Writes the macros as a database, which any client of DuckDB 1.5 or newer can attach under the name of the schema."""
    refuse_name(file.schema, f"attach ':memory:' as {file.schema}")
    if file.schema == "steps":
        raise RecsqlError("schema: steps is the name of a schema in each database of macros; choose another one, such as recsql")
    with whole(path) as beside:
        Path(beside).unlink()
        with duckdb.connect() as connection, in_words(""):
            connection.execute(f"attach {quoted(beside)} as {quoted_name(file.schema)} (storage_version '{STORAGE}')")
            connection.execute(f"use {quoted_name(file.schema)}")
            connection.execute(file.rendered(database=True))
            connection.execute("use memory")
            connection.execute(f"detach {quoted_name(file.schema)}")


def refuse_name(name: str, creates: str) -> None:
    """Raises RecsqlError if SQL can't call a macro in the schema or database of a name, which a statement creates."""
    try:
        with duckdb.connect() as connection:
            connection.execute(f"{creates}; create macro {name}.one() as 1; select {name}.one()")
    except duckdb.Error:
        raise RecsqlError(f"schema: {name} is a name that DuckDB keeps for itself; choose another one, such as recsql") from None


def file_options(given: Mapping[str, Given]) -> Iterator[tuple[str, Given]]:
    """The options of a file by their full names; raises RecsqlError for one that no macro has."""
    options = catalog().options
    named = {one.called: name for name, one in options.items()} | {name.replace("__", "_"): name for name in options}
    averages = (one.header.get("of_means") for one in catalog().metrics.values())
    elsewhere = ELSEWHERE | dict.fromkeys(averages, "a macro has the mean of the values of users")
    for said, value in given.items():
        if said in elsewhere:
            raise RecsqlError(f"{said}: {elsewhere[said]}; leave {said}= out")
        if named.get(said, "metrics") == "metrics":
            known = [name for name in named if name not in ("metrics", *elsewhere)]
            raise UnknownName(f"unknown option {said!r}; {nearest(said, known)}choose one of {', '.join(known)}")
        if value is not None:
            yield named[said], value
    seen, train = given.get("seen", "keep"), given.get("train")
    if seen != "keep" and train is None:
        raise RecsqlError(SEEN_WITHOUT_TRAIN.format(seen=seen))
    if seen == "keep" and train is not None and given.get("propensity_power") is None:
        raise RecsqlError(IDLE_TRAIN)


def metrics_of_file(metrics: str | Sequence[str] | None) -> list[str]:
    """The metrics of a file by name; raises RecsqlError for one with a cut-off, and for one of users that needs train."""
    named = [] if metrics is None else as_list(metrics)
    for one in named:
        asked = parse_metric(one, at_k=True)
        if asked.k:
            raise RecsqlError(f"metrics: {one} has a cut-off, which a macro takes as k; write {parse_metric(one).label}")
        if catalog().metrics[asked.metric].grain == "user" and needs_train(asked.metric):
            raise RecsqlError(f"metrics: {one} needs train, which macros of users don't take; use Python or the command line")
    return named
