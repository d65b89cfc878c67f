"""The queries of the macro file: their tables, cut-offs, metrics and some options are parameters of a macro."""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from types import SimpleNamespace

from recsql.base.errors import RecsqlError, warn
from recsql.base.package import sql_root
from recsql.base.text import WORDS, plain, quoted
from recsql.base.wording import in_macro
from recsql.catalog import GRAINS, catalog
from recsql.catalog.grammar import MOST_CUTOFFS, WHOLE, Inner, parse_metric
from recsql.catalog.headers import TABLE, Given, Option, Source, Value
from recsql.catalog.options import Parameter
from recsql.catalog.roles import LIKELY, ROLES, of_spans
from recsql.query.binding import Inputs, Relation
from recsql.query.findings import finding_of
from recsql.query.metric import Metric, needs_in
from recsql.query.plan import FINDINGS, Pipeline, plan, unmet, written_out
from recsql.query.render import MEASURING, Query
from recsql.query.templates import Context, environment, holds, rendered, template

VALUE, STEP = re.compile(r"«(\w+)»"), re.compile(r"¦(\w+)¦")  # marks: a parameter of the macro, a step that is passed by name
MARK = re.compile(rf"{VALUE.pattern}|{STEP.pattern}")
READ = re.compile(rf"{WORDS.pattern}|\b(from|join)(\s+)([a-z_]+)\b")
GUARDED = re.compile(r"select error\(g\.message\) from \(\s+select c\.message\s+from (recsql\.[^\n]* as c)\s+\) as g")
HOMES = {
    "user": "evaluate",
    "list": "list_metrics",
    "item": "item_metrics",
    "item_group": "group_metrics",
    "rating": "rating_metrics",
}
IF_NAMED = ("list", "item_group")  # the grains whose macros only a file has that names a metric of theirs
OF_PAIRS = {"compare": ("pair",), "rank": ("rank",)}  # by target of the tests of pairs, the grains of its options
NEEDED = {"recs.rank", "recs.score", "types", "text ids", "float ids", "nfc_normalize"}  # by findings, that a macro can do with
EXTRA = {"harmonics", "lengths", "whole_list"}  # needs with steps beyond the hits


@dataclass(frozen=True)
class Spec:
    """A macro over tables, as `sql/macros.toml` declares it."""

    name: str
    section: str
    about: str
    target: str
    tables: Mapping[str, str]  # by role, the parameter
    grain: str = "user"
    k: str = ""
    metrics: bool = False
    values: Mapping[str, str] = field(default_factory=dict)  # by option, the parameter
    fixed: Mapping[str, Value] = field(default_factory=dict)
    usual: Mapping[str, Value] = field(default_factory=dict)
    worded: bool = False  # it says in sentences what it finds, of one metric
    example: str = ""  # what a call with files needs besides tables
    long: int = 20  # a step with more lines is a macro, also if only this one has it

    @property
    def grains(self) -> tuple[str, ...]:
        return FINDINGS if self.target == "findings" else (self.grain, *OF_PAIRS.get(self.target, ()))

    def takes(self, option: Option) -> bool:
        """Whether the query of this macro reads an option of the file."""
        without = {"slices": "by" in self.fixed, "intervals": "interval" in self.values and self.target not in OF_PAIRS}
        has_tables = all(values != TABLE or name in self.tables for name, values in option.where.items())
        of_grain = bool(option.grains & {*self.grains}) and has_tables
        return of_grain and without.get(option.topic, True) and option.name not in self.fixed


@dataclass(frozen=True)
class Step:
    """A CTE of a macro, or a check, with marks for the parameters and the steps that it reads."""

    name: str
    macro: str  # the name of its own macro
    row: str
    text: str
    inline: bool = False

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of its own macro with their marks: first the steps that it reads, then values."""
        steps = {name: f"¦{name}¦" for name in STEP.findall(self.text)}
        return steps | {f"{name}_given" if name in steps else name: f"«{name}»" for name in VALUE.findall(self.text)}

    @property
    def body(self) -> str:
        """Its text in a macro of its own."""
        names = {mark: name for name, mark in self.parameters.items()}
        return MARK.sub(lambda found: names[found[0]], self.text)

    def call(self, macro: str) -> str:
        """The query for the rows of its own macro."""
        return f"from recsql.{macro}({', '.join(self.parameters.values())})"


@cache
def macros_over_tables() -> list[Spec]:
    """The macros over tables, in the order of the file."""
    return [Spec(name, **one) for name, one in tomllib.loads((sql_root() / "macros.toml").read_text("utf-8")).items()]


class MacroQuery(Query):
    """A query whose tables, cut-offs, metrics and some options are parameters; each check is a macro of its own."""

    def __init__(
        self, inputs: Inputs, target: str, spec: Spec, named: Callable[[Step], str], usual: Mapping[str, Value] | None = None
    ) -> None:
        self.spec, self.named, self.usual = spec, named, usual or {}  # usual: the options without the call
        self.found = {column.metric: self.lacking(inputs, column.metric) for column in inputs.columns}
        super().__init__(inputs, target)

    def _bound(self) -> Context:
        words = environment().get_template(catalog().targets["macro_words"].path).make_module({"sql": self.sql})
        self.sql = SimpleNamespace(**vars(self.sql) | {name: word for name, word in vars(words).items() if name[0] != "_"})
        options = {parameter: catalog().options[name] for name, parameter in self.spec.values.items()}
        return {
            **super()._bound(),
            "discount_at": lambda x: f"recsql.discount({x})",
            "asked_metrics": self.names_of("«metrics»"),
            "every_metric": f"[{', '.join(map(quoted, self.found))}]" if self.perhaps else self.names_of("'all'"),
            "one_k": self.spec.k.isdecimal(),
            "leading": "query_table(¦model_means¦)" if self.spec.worded else "",
            "home": HOMES.get(self.spec.grain),
            "needing": {metric: lacking for metric, lacking in self.found.items() if lacking},
            "options_for": lambda metric: self.in_words(catalog().metrics[metric].requires[0].in_words),
            "bounded": {name: one for name, one in options.items() if (one.is_number and one.bound) or one.choices},
            "required": {role: required(role, self.inputs) for role in self.tables if role in ROLES},
            "read_tables": lambda: [role for role in self.tables if self.there.get(f"given_{role}")],
            "most_cutoffs": MOST_CUTOFFS,
            "likely": LIKELY,
        }

    def names_of(self, metrics: str) -> str:
        """The metrics of a call, as the call of the macro that has their names."""
        return f"recsql.{self.spec.grain}_metric_names({', '.join([metrics, *(f'«{one}»' for one in self.perhaps)])})"

    @property
    def perhaps(self) -> list[str]:
        """The optional parameters that a metric needs."""
        return list(dict.fromkeys(one for lacking in self.found.values() for one in VALUE.findall(lacking)))

    @property
    def metric_names(self) -> tuple[list[str], list[str]]:
        """The default metrics and all metrics as SQL; one that lacks what it needs is NULL."""
        names = {name: f"case when not ({one}) then '{name}' end" if one else f"'{name}'" for name, one in self.found.items()}
        return [VALUE.sub(r"\1", names[one]) for one in self.usual_metrics], [VALUE.sub(r"\1", one) for one in names.values()]

    @property
    def usual_metrics(self) -> list[str]:
        """The metrics of a call that names none."""
        return [name for name in catalog().usual_metrics(self.spec.grain) if name in self.found] or list(self.found)

    def lacking(self, inputs: Inputs, metric: str) -> str:
        """SQL condition that a call has none of the parameters of which a metric needs one; empty if it needs none."""
        perhaps = {role: one.partition(" ")[0] for role, one in self.spec.tables.items() if ":=" in one} | {**self.spec.values}
        without = {**inputs.known, **dict.fromkeys(perhaps)}
        of_metric = [[perhaps[name] for name in need.one_of if name in perhaps] for need in unmet(metric, without)]
        return " or ".join(" and ".join(f"«{one}» is null" for one in names) for names in of_metric if names)

    # -- steps and checks

    def steps(self) -> list[Step]:
        """The steps that the last SELECT reads, and those that they read."""
        return [self.step(name, text) for name, text in self.pull(self.last).items()]

    def step(self, name: str, text: str) -> Step:
        """A step, which `text` computes."""
        source = self.forms[name]
        row = source.header.get("row") or catalog().steps[name].header["row"]
        for key, said in (("buys", "it buys"), ("safe", "it is safe")):  # of a fast form; the macro file has no plain one
            row += f"\n-- {said}: {source.header[key]}" if key in source.header else ""
        return Step(name, f"{name}_of", row, self.mark_steps(text), bool(source.header.get("inline")))

    @cached_property
    def last(self) -> str:
        if self.target == "findings":
            self.context["findings"] = [self.finding(one) for one in catalog().findings.values() if self.looks_for(one)]
        return self.mark_steps(rendered(catalog().targets[self.target].path, self.context))

    def looks_for(self, finding: Source) -> bool:
        """Whether a finding needs only recs and truth, with unknown columns."""
        has = NEEDED | ({"means"} if self.options["seen"] == "keep" and not self.context["truthless"] else set())
        return {*finding.header.get("needs", ())} <= has and holds(finding.when, self.context)

    def finding(self, source: Source) -> str:
        """A finding as the call of a macro."""
        advice = self.in_words(str(source.header.get("in_macro") or source.header["advice"]))
        step = Step(
            source.name, f"{source.name}_of", source.header["about"], self.mark_steps(finding_of(self, source, advice=advice))
        )
        return step.call(self.named(step))

    def message(self, check: str) -> str:
        return self.in_words(catalog().message(check, "in_macro"))

    def in_words(self, sentence: str) -> str:
        """A sentence in the words of this macro."""
        values = {catalog().options[name].called: parameter for name, parameter in self.spec.values.items()}
        named = {name: name for name in ("k", "metrics", *self.spec.tables)}
        return in_macro(sentence, named | values)

    def mark_steps(self, text: str) -> str:
        """The text with marks for the steps that it reads."""

        def mark(found: re.Match[str]) -> str:
            return f"{found[1]}{found[2]}query_table(¦{found[3]}¦)" if found[3] in catalog().steps else found[0]

        return READ.sub(mark, text)

    def guard(self, name: str, *, before: str = "and", **context: object) -> str:
        return GUARDED.sub(r"select error(c.message) from \1", super().guard(name, before=before, **context))

    def in_check(self, name: str, text: str) -> str:
        """The call of the macro of a check, or the text of a check that has none."""
        if not text or "in_place" in catalog().checks[name].header:
            return text
        step = Step(name, f"check_{name}", "", self.mark_steps(text))
        return f"select c.message\n{step.call(self.named(step))} as c"


def query_of(spec: Spec, metrics: Sequence[str], options: Mapping[str, Given], named: Callable[[Step], str]) -> MacroQuery:
    """The query of a macro under the options of a file; `named` gives the macro of a step or check its name."""
    given = {name: value for name, value in options.items() if spec.takes(catalog().options[name])}
    pipeline = pipeline_of(spec, metrics, given)
    of_means = spec.target in (*MEASURING, *OF_PAIRS, "counted")  # the users in the mean are a table of these and of the findings
    read = {"users"} if spec.target == "findings" else given.keys() - ({"users"} if not of_means else set())
    tables = [name for name, value in given.items() if name in read and catalog().options[name].is_table(value)]
    target = "paired" if spec.target in OF_PAIRS else spec.target
    return MacroQuery(inputs_of(spec, pipeline, tables), target, spec, named, pipeline.options)


def asked_of(spec: Spec, metrics: Sequence[str], options: Mapping[str, Given]) -> tuple[list[str] | str | None, dict[str, Given]]:
    """The metrics of a macro and its options; an empty list if the preset has none of its grain."""
    tables = {role: TABLE for role in spec.tables if role in catalog().options_of(spec.grains)}
    taken = {name: value for name, value in options.items() if spec.takes(catalog().options[name])}
    given = {catalog().options[name].called: value for name, value in {**taken, **spec.fixed, **tables}.items()}
    named: list[str] | str | None = [one for one in metrics if catalog().metrics[parse_metric(one).metric].grain == spec.grain]
    if spec.target not in (*MEASURING, *OF_PAIRS):
        named = Inner("hits") if spec.grain in GRAINS else None
    elif not named:
        there = written_out("all", given, spec.grains)
        known = plan(None, (1,) if spec.k else None, given, spec.grains)[0].options if there else {}
        named = [name for name in there if is_in_every_file(name, known)]
    return named, given


def pipeline_of(spec: Spec, metrics: Sequence[str], options: Mapping[str, Given]) -> Pipeline:
    """What a macro computes; raises RecsqlError if its metrics need several queries."""
    named, given = asked_of(spec, metrics, options)
    found = sorted(plan(named, (1,) if spec.k else None, given, spec.grains), key=lambda one: -len(one.columns))
    if spec.target == "overlap":
        return found[0].with_lengths(1)
    if otherwise := [column.heading for column in found[0].columns if column.made_of]:
        raise RecsqlError(f"metrics: a macro has the mean over users, which {otherwise[0]} is not; leave it out")
    if others := [column.metric for one in found[1:] for column in one.columns]:
        said = f"a macro is one query, and {', '.join(others)} need{'s' * (len(others) == 1)} options of its own in it"
        if metrics:
            raise RecsqlError(f"metrics: {said}; render a file for each with metrics=")
        if spec.name == "evaluate":
            them = "it" if len(others) == 1 else "them"
            warn(f"{said}, so this file does not have {them}; render another for {them} with metrics=")
    return found[0]


def is_in_every_file(name: str, options: Mapping[str, Value]) -> bool:
    """Whether a file has a metric that it doesn't name: a default one, or one with `default_macro` that needs only the hits."""
    metric = Metric(name, options)
    needs = needs_in([metric], options)
    if metric.average in ("of_means", *catalog().averages):  # a macro has the mean of the values of users
        return False
    return "default" in metric.header or ("default_macro" in metric.header and not any(getattr(needs, one) for one in EXTRA))


def inputs_of(spec: Spec, pipeline: Pipeline, further: Sequence[str]) -> Inputs:
    """The inputs of a macro's query, which are parameters. `further` are tables of options of the file."""
    known = {
        **pipeline.options,
        "rank_by": pipeline.rank_by,
        **dict.fromkeys(spec.tables.keys() & catalog().options.keys(), TABLE),
    }
    parameters = {role: one.partition(" ")[0] for role, one in spec.tables.items()} | {name: name for name in further}
    optional = {role for role, one in spec.tables.items() if ":=" in one}
    placed = spec.grain == "interaction" and Query(Inputs({}, known=known), spec.target).context["placed"]
    order = plain(str(known["order_by"])) if placed else ""
    budget = pipeline.options["budget"]
    named = {name: pipeline.options[name] and plain(str(pipeline.options[name])) for name in ("budget", "propensity")}
    ordered = {"any_order": pipeline.rank_by is None, "prefers_score": pipeline.options["rank_by"] == "score", "order": order}
    reading = {**named, **ordered, "spans": pipeline.options["spans"] == "true"}
    of_split = {"user_id": "t.user_id", "item_id": "t.item_id", "order_by": order and f"t.{order}"}
    forms = {
        "word": "lower(cast(«{}» as varchar))",
        "number": "try_cast(«{}» as double)",
        "integer": "try_cast(«{}» as bigint)",
        "time": "recsql.utc(«{}»)",
    }
    for name, parameter in spec.values.items():
        option = catalog().options[name]
        kind = "word" if option.choices else option.type if option.bound or not option.is_number else ""
        known[name] = Parameter(forms.get(kind, "«{}»").format(parameter))
    columns = []
    for one in pipeline.columns:  # options in a metric's brackets stay
        unsaid = {name: value for name, value in known.items() if one.options.get(name) == pipeline.options.get(name)}
        columns.append(replace(one, options={**one.options, **unsaid}))
    return Inputs(
        {role: relation_of(spec, role, one, optional=role in optional, **reading) for role, one in parameters.items()},
        names=of_split if spec.grain == "interaction" else {},
        others=("t",),  # the whole row
        cutoffs="select unnest(recsql.cutoffs(«k»)) as k",
        depth=str(WHOLE)
        if budget
        else f"coalesce(list_max(recsql.cutoffs(«k»)), {WHOLE})",  # with NULL, DuckDB would drop the query and its check of k
        deepest=f"coalesce(list_max(list_filter(recsql.cutoffs(«k»), lambda x: x < {WHOLE})), 0)",
        uncut=bool(spec.k),
        columns=columns,
        known=known,
        called={"stop": "end"},
        averaged=spec.target in ("evaluate", *OF_PAIRS, "rating_metrics"),
        ranked=spec.target == "rank",
        lower=[one.metric for one in columns if one.header.get("better") == "lower"],
        itemised=spec.grain == "item_group",
        named=True,
    )


def relation_of(spec: Spec, role: str, parameter: str, *, optional: bool, **reading: object) -> Relation:
    """A table that is a parameter. If it can be left out, it is empty then, with the columns of the first table."""
    first = next(iter(spec.tables.values()))
    source = f"query_table(recsql.relation({f'coalesce(«{parameter}», «{first}»)' if optional else f'«{parameter}»'}))"
    given = f"«{parameter}» is not null" if optional else ""
    return Relation(template(f"given_{role}", source=source, given=given, **reading), f"«{parameter}»", source)


def required(role: str, inputs: Inputs) -> list[str]:
    """The columns that a table must have: also those of a split, of ranges, of a budget, or of propensities."""
    has_ranges = inputs.known["spans"] == "true" and role in ("recs", "truth")
    columns = (of_spans(ROLES[role], "") if has_ranges else ROLES[role]).columns
    named = [{"stop": "end"}.get(one.ours, one.ours) for one in columns if one.absent is None]
    if role == "recs":
        named += ["rank or score", *([str(inputs.known["budget"])] if inputs.known["budget"] else [])]
    if role == "truth" and inputs.known["propensity"]:
        named.append(str(inputs.known["propensity"]))
    if role == "interactions" and inputs.names["order_by"]:
        named.append(inputs.names["order_by"].removeprefix("t.").strip('"'))
    return named
