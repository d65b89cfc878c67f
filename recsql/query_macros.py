"""The macros over tables: each writes the query that Python would run for the same call, and runs it.

A macro `evaluate` is `from query(recsql.evaluate_sql(...))`. The text is put together when the call is bound: from the texts of
`recsql.texts()`, of which each macro names those that it needs, and its rules, which say under which conditions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import SimpleNamespace

from recsql.catalog import catalog
from recsql.conditions import (
    ANY,
    CLOSE,
    OPEN,
    THEN,
    Columns,
    Condition,
    Unknown,
    fact,
    line,
    named,
    named_in,
    names_in,
    set_rules,
    values_of,
    within,
)
from recsql.grammar import WHOLE
from recsql.loops import Loops
from recsql.macro import listed, macro_of, sentence
from recsql.macro_call import LIKE, data, declared, given, presets, whole_sentence
from recsql.program import Program, as_literal, fixed, taken
from recsql.slice_macros import BY, BY_PARAMETER, STUB, grouped, slice_macros
from recsql.slices import OF_USERS
from recsql.symbols import chosen, negated
from recsql.table_macro import TABLE_MACROS, TESTS, TableMacro
from recsql.templates import template
from recsql.text import quoted

INDENTED = {
    "evaluate": ("recsql.indented(recsql.indented(", "))"),
    "per_user": ("recsql.indented(", ")"),
    "paired": ("recsql.indented(recsql.indented(", "))"),
}  # the queries in a joined one
JOINED = tuple(INDENTED)  # the targets that can join several queries
RULES = "rules."  # the sections of rules; those of a level follow from the levels before
GAIN = "gain of "  # a value: the gain that gain_map gives for an expression
VALUES_OF_CALL = (
    "activity",
    "order_by as text",
    "baseline as text",
    *(f"{name} as text" for name in ("start", "until", "window", "tolerance")),
    *(f"gains of {x}.type and {x}.surface" for x in ("a", "e")),
    "gains lack i.surface",
    "types in gains",
    "gains differ",
    "order_by as name",
    "cutoffs",
    "depth",
    "deepest",
    "made_of_1",
    "made_of_2",
)
VALUES_OF_METRIC = (".name", ".place", ".order", ".label", ".ks_text", ".natural")
STUBS = {  # what stands for the macros that write a query while those that call them are created
    "fault_of(d)": "d",
    "parsed(texts, preset, names)": "texts",
    "chosen(options, given, usual)": "given",
    "facts_of(options, vals)": "vals",
    "above(facts, options, vals)": "facts",
    "lines_of(program)": "map {'': ['']}",
    "sections(text)": "map {'': ''}",
    "with_rules(facts, rules)": "facts",
    "filled(text, facts, vals, columns)": "text",
    "parts(text, facts, vals)": "text",
    "under(lines, facts)": "lines",
    "holds(condition, facts)": "true",
    "slices_in(given, by_table, with_train)": STUB,
    "no_slices()": STUB,
    "texts_of(program, sources, ks, metrics, as_given, slices)": "[{'text': 'select 1'}]",
} | {f"joined_{target}(queries)": "'select 1'" for target in JOINED}


class Texts:
    """The texts of all macros by name, and those of the loops in them."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.loops = Loops()

    def named(self, name: str, text: str, owner: str) -> str:
        """The name of a text: that of its owner is added if another macro has a different text of this name."""
        own = name if self.texts.setdefault(name, text) == text else f"{name} of {owner}"
        self.texts[own] = text
        return own

    def __str__(self) -> str:
        return "".join(f"\n== {name} ==\n{text}" for name, text in self.texts.items())


def query_macros() -> Iterator[str]:
    """All macros over tables, after those that they call."""
    texts = Texts()
    programs = {one.name: program_of(one, texts) for one in TABLE_MACROS}
    yield template("macro_data", texts=str(texts), presets="\n".join(presets()))
    yield from (template("macro_program", name=name, sections=sections) for name, sections in programs.items())
    yield template(
        "macro_text",
        macros=[*chain.from_iterable(map(macros_of, TABLE_MACROS)), *(joined(target, texts.loops) for target in JOINED)],
        stubs=STUBS,
        levels=max(int(name.removeprefix(RULES)) for sections in programs.values() for name in sections if RULES in name),
        open=OPEN,
        close=CLOSE,
        whole=WHOLE,
        whole_sentence=whole_sentence(),
        no_metrics=sentence("no_metrics"),
        by_taken=sentence("by_taken", name="x"),
    )
    yield slice_macros(texts.loops)


def macros_of(one: TableMacro) -> Iterator[str]:
    """The macro of the query and that of its rows. Both have a second way, with slices, so that DuckDB binds these only there."""
    options = [option for option in taken(one) if option.name != "by"]
    second = [option for option in options if option.name in one.tables.values() and not one.grain]  # also without its name
    usual = [
        *one.given[len(one.positional) :],
        *(["metrics := null"] if one.grain else []),
        *(declared(option, one.usual) for option in second),
        *([f"{LIKE} := null"] if "like" not in one.fixed else []),
        *(declared(option, one.usual) for option in options if option not in second),
    ]
    ways = [[*one.positional, *usual], *([[*one.positional, BY_PARAMETER, *usual]] if one.sliced else [])]
    sliced = 'recsql.slices_in("by", segments is not null, {})'.format("train is not null" if "train" in one.tables else "false")
    bodies = [call(one, with_gains(one)), call(one, sliced)]
    about = f"the query that {one.name} runs"
    yield macro_of(f"{one.name}_sql", about, zip(ways, bodies, strict=False))
    yield macro_of(one.name, one.about, [(way, rows(one, way)) for way in ways], table=True)


def with_gains(one: TableMacro) -> str:
    """The expression for the gains of a call, which are beside its slices; empty if it has none."""
    gains = catalog().options["gains"]
    return f"recsql.with_gains(coalesce({given(gains)}, {quoted(gains.default)}))" if gains in taken(one) else ""


def rows(one: TableMacro, parameters: Sequence[str]) -> str:
    """The rows of the query that a call with some parameters writes."""
    names = [BY if whole == BY_PARAMETER else whole.partition(" := ")[0] for whole in parameters]
    passed = listed([name if name in one.given else f"{name} := {name}" for name in names])
    return f"from query(recsql.{one.name}_sql(\n    {passed}\n))"


def call(one: TableMacro, slices: str = "") -> str:
    """The text of the query of a call; `slices` is an expression for its slices, if it has any."""
    values = [given(option) if slices or option.name != "by" else "null" for option in taken(one)]
    return template(
        "macro_query",
        name=one.name,
        sources=[f"cast({parameter} as varchar)" for parameter in one.tables.values()],
        ks="[]" if not one.k else "recsql.ks(k)" if one.several else "[recsql.cutoff(cast(k as varchar))]",
        metrics="metrics" if one.grain else "null",
        given=listed([f"cast({LIKE} as varchar)" if "like" not in one.fixed else "null", *values]),
        joined=one.target if one.target in JOINED and one.grain == "user" else "",
        slices=slices or "recsql.no_slices()",
    )


# -- the program of a macro


def program_of(one: TableMacro, texts: Texts) -> dict[str, list[str]]:
    """The program of a macro: sections of lines."""
    program = Program(one, texts.loops)
    steps = [(texts.named(f"step.{name}", text, one.name), there, text) for name, there, text in program.steps]
    checks = [
        (name, there, texts.named(f"check.{name}", text, one.name), text) for name, (there, text) in program.check_texts.items()
    ]
    for name, text in program.naturals.items():
        texts.named(f"metric.{name}", text, one.name)
    made = [*(text for _, _, text in steps), *(text for _, _, _, text in checks), *program.naturals.values(), program.last]
    of_call = data(program, [*taken(one), *fixed(one)])
    names = set().union(*map(names_in, made), *(named(there) for _, there, _ in steps))
    rules = used(program, names)
    names |= {name for level in rules for rule in level.values() for name in rule.names}
    of_metrics: dict[str, Condition] = program.context["metric_rules"]
    names |= {name for rule in of_metrics.values() for name in rule.names}
    for section in ("available", "apart", "idle", "refused", "cut"):
        names |= set().union(*map(named_in, of_call[section]))
    always = {"averaged": Condition([()])} if one.target in ("evaluate", "paired") else {}
    sections = {
        **of_call,
        "roles": list(one.tables),
        "of_users": list(OF_USERS.get(one.target, ())),
        "required": [parameter for parameter in one.tables.values() if parameter in one.given],
        "above": sorted(name for name in names if ">" in name and name[0] != "."),
        "of_any": sorted(name for name in names if name.startswith(ANY)),
        "sets": [line(rule, name) for name, rule in set_rules(names).items()],
        "of_metrics": [line(rule, name) for name, rule in of_metrics.items()],
        **{
            f"{RULES}{n}": [line(rule, name) for name, rule in level.items()] for n, level in enumerate([always, *rules], start=1)
        },
        "steps": [line(there, name) for name, there, _ in steps],
        "checks": [line(there, f"check.{name}: {text}") for name, there, text, _ in checks],
        "last": [texts.named(f"target.{one.target}", program.last, one.name)],
        "looked_up": sorted({value.removeprefix(GAIN) for text in made for value in values_of(text) if value.startswith(GAIN)}),
    }
    refuse_unknown_values(one, sections, made, texts.loops)
    refuse_later_facts(
        one,
        {name for rule in of_metrics.values() for name in rule.names}.union(
            *map(within, sections["of_any"]), *map(named_in, sections["cut"])
        ),
    )
    return sections


def refuse_unknown_values(one: TableMacro, sections: Mapping[str, list[str]], texts: Iterable[str], loops: Loops) -> None:
    """Raises ValueError if a text puts in a value that the macros don't give."""
    options = [option.partition("|")[0] for option in sections["options"]]
    roles = [f"{of}.{role}" for role in sections["roles"] for of in ("source", "name")]
    checks = [check.partition(THEN)[2].partition(": ")[0] for check in sections["checks"]]
    known = {
        *options,
        *roles,
        *checks,
        *(f"{GAIN}{x}" for x in sections["looked_up"]),
        *VALUES_OF_CALL,
        *VALUES_OF_METRIC,
        *loops.names.values(),
    }
    for text in texts:
        if unknown := values_of(text) - known:
            raise ValueError(f"{one.name}: the macro does not give {', '.join(sorted(unknown))}, which a text puts in")


def refuse_later_facts(one: TableMacro, names: Iterable[str]) -> None:
    """Raises ValueError if a condition about a metric has a fact that is known only later, when all metrics are."""
    for name in names:
        if not (name[0] == "." or "=" in name or ">" in name):
            raise ValueError(f"{one.name}: {name} is not known yet when the facts of a metric are worked out")


def used(program: Program, names: Iterable[str]) -> list[dict[str, Condition]]:
    """The rules that texts need, by level."""
    wanted = set(names)
    for level in reversed(program.levels):
        wanted |= {one for name, rule in level.items() if name in wanted for one in rule.names}
    return [{name: rule for name, rule in level.items() if name in wanted} for level in program.levels]


# -- two queries joined


def joined(target: str, loops: Loops) -> str:
    text = tests_text(loops) if target == "paired" else joined_text(target, loops)
    return template("macro_joined", target=target, text=text, indented=INDENTED[target], always=target == "paired")


def tests_text(loops: Loops) -> str:
    """The text of the tests and intervals of a comparison, over the sums that its one or two queries give."""
    program = Program(TESTS, loops)
    first, *others = [name for name, there in program.there.items() if there is not False]
    steps = [str(chosen(program.there[name], lambda n=name: f",\n\n{program.cte(n)}", str)) for name in others]  # type: ignore[misc]
    return loops.taken_from(f"with\n{program.cte(first)}{''.join(steps)}\n\n") + program.last


def joined_text(target: str, loops: Loops) -> str:
    """The text that joins two queries of a call."""

    def column() -> SimpleNamespace:
        return SimpleNamespace(**{name: Unknown(f".{name}") for name in ("number", "title", "order", "label")})

    return loops.taken_from(
        template(
            f"{target}_joined",
            queries=[str(Unknown(f"query.{place}")) for place in (1, 2)],
            numbered=Columns(column),
            ordinary_first=[Unknown("ordinary"), Unknown("other")],
            whole=WHOLE,
            uncut=fact("uncut"),
            spread=negated(fact("interval=")),
            sliced=negated(fact("by=")),
            literal_of=as_literal,
            **grouped(),
        )
    )
