"""The macros over tables: each writes the query that Python would run for the same call, and runs it.

A macro `evaluate` is `from query(recsql.evaluate_sql(...))`. The text is put together when the call is bound. A struct `d` has
the tables, options, metrics and cut-offs of the call, then what they need, then what follows from these. The steps are macros
over that struct.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from types import SimpleNamespace
from typing import Any

from jinja2 import nodes

from recsql.binding import Inputs, Relation
from recsql.catalog import catalog
from recsql.grammar import WHOLE
from recsql.headers import Option
from recsql.macro import listed, macro, part, stub
from recsql.macro_call import LIKE, call_context, declared
from recsql.measures import Open as Measured
from recsql.measures import rendered
from recsql.pieces import Check
from recsql.render import Query
from recsql.symbols import Several, Text, expression, hole, is_open
from recsql.table_macro import TABLE_MACROS, TableMacro
from recsql.templates import environment, reads, template
from recsql.text import quoted

NOT_HERE = ("sample", "interval", "interval_method", "groups", "metrics", "like")  # no parameters, or with their own place
INDENT = 12  # of a check within the step problems
ANY_ORDER, PREFERS_SCORE = Text("d['any_order']"), Text("d['prefers_score']")


OWN_NAMES = {"user_id": "t.user_id", "item_id": "t.item_id"}


class Open(Query):
    """The query of a macro, whose options are known when it is bound. It records what is worked out once."""

    def __init__(self, one: "TableMacro", parts: "Parts") -> None:
        self.one, self.parts = one, parts
        self.needed: dict[str, str] = {}
        self.decided: dict[str, str] = {}
        self.present: dict[str, str] = {}
        inputs = bound(one)
        super().__init__(inputs, one.target)
        if inputs.grain:  # from here on, each metric has its expression
            self.columns[inputs.grain] = Several(
                "d['measured']", "c", partial(Measured, self.context, inputs.known, inputs.grain)
            )
            self.context |= self.of_columns()

    def once(self, name: str, value: Any) -> Any:
        fields = self.needed if name == "zero_without_hits" else self.present if name.startswith("has_") else self.decided
        return self._field(fields, name, value)

    def once_needs(self) -> Any:
        return Recorded(self)

    def _field(self, fields: dict[str, str], name: str, value: Any) -> Any:
        if not is_open(value):
            return value
        fields[name] = value.sql
        return Text(f"d['{name}']")

    @cached_property
    def there(self) -> dict[str, Any]:
        return {name: self.once(f"has_{name}", value) for name, value in super().there.items()}

    def literal_of(self, text: Any) -> str:
        return f"'{Text(f'recsql.content({text.sql})')}'" if is_open(text) else super().literal_of(text)

    def looked_up(self, x: str) -> str:
        return str(Text(f"recsql.looked_up(d['gain_map'], {quoted(x)})"))

    def pieces(self) -> list[str]:
        """The steps as expressions, each with what separates it from the one before."""
        made: list[str] = []
        for name, there in self.there.items():
            if there is not False:
                text = expression(("" if not made else ",\n\n") + self.cte(name))
                call = self.parts.named(f"step_{name}", catalog().steps[name].header["row"], text, self.one.name)
                made.append(f"case when {there.sql} then {call} else '' end" if is_open(there) else call)
        return made

    def checks(self) -> list[Check]:
        """The checks, each with a macro of its own."""
        return [replace(one, render=partial(self.check_apart, one)) for one in super().checks()]

    def check_apart(self, one: Check) -> str:
        text = expression(one.text.replace("\n", "\n" + " " * INDENT))
        return hole(self.parts.named(f"check_{one.source.name}", one.source.header["message"], text, self.one.name))


class Recorded:
    """The needs of a macro: each is worked out once."""

    def __init__(self, query: Open) -> None:
        self._query = query

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._query.needs, name)
        if not is_open(value):
            return value
        self._query.needed[f"needs_{name}"] = value.sql
        return Text(f"d['needs_{name}']")


def bound(one: TableMacro) -> Inputs:
    """The binding of a macro: everything is a field of the struct `d`."""
    known: dict[str, Any] = {}
    for name, option in catalog().options.items():
        known[name] = one.known.get(name, option.default)
    for option in taken(one):
        known[option.name] = Text(f"d['{option.name}']", nullable=option.default is None)
    return Inputs(
        {role: relation_of(role, one) for role in one.tables},
        names=OWN_NAMES | {"order_by": f"t.{Text('recsql.name(d[' + quoted('order_by') + '])')}"}
        if one.target == "leave_one_out"
        else {},
        cutoffs=Text("d['cutoffs']"),
        depth=Text("d['depth']"),
        deepest=Text("d['deepest']"),
        uncut=Text("d['uncut']"),
        columns=Several("d['columns']", "c", str) if one.grain else (),
        grain=one.grain,
        known=known,
        averaged=one.target == "evaluate",
        named=True,
        prefers_score=PREFERS_SCORE,
        keyed=Text("d['several']") if one.target == "per_user" else False,
    )


def relation_of(role: str, one: TableMacro) -> Relation:
    """A table that a macro is called with: its name is put into the text as the content of a literal."""
    source, name = Text(f"d['source_{role}']"), Text(f"d['name_{role}']")
    relation = f"query_table('{source}')"
    any_order = ANY_ORDER if "rank_by" not in one.known else False
    select = template(f"given_{role}", source=relation, any_order=any_order, prefers_score=PREFERS_SCORE)
    return Relation(select, f"'{name}'", relation)


def taken(one: TableMacro) -> list[Option]:
    """The options of a macro."""
    options = catalog().options_of([one.grain]) if one.grain else {name: catalog().options[name] for name in read_by(one.target)}
    return [option for name, option in options.items() if name not in (*NOT_HERE, *one.known)]


def read_by(target: str) -> list[str]:
    """The options that a target without metrics reads."""
    names = {*reads(f"targets/{target}.sql"), "checked"}
    for step in STEPS_OF[target]:
        names |= reads(catalog().steps[step].path).union(*(reads(one.path) for one in [catalog().fast.get(step)] if one))
    decided = decisions()
    while further := {name for one in names & decided.keys() for name in decided[one]} - names:
        names |= further
    names |= {"gain_map"} if "gain_of" in names else set()
    names |= {*catalog().checks["ideal"].header["plain"]} if target == "ideal" else set()
    return [name for name in catalog().options if name in names]


STEPS_OF = {  # where the options of a macro without metrics are read
    "hits": ("relevant", "hits", "hits_in_force", "ranked", "scored", "judged_recs"),
    "ideal": ("relevant",),
    "rank_by_score": ("scored",),
    "leave_one_out": (),
}


def decisions() -> dict[str, set[str]]:
    """The names that each decision reads."""
    tree = environment().parse(catalog().sources["decisions.sql"].text)
    found: dict[str, set[str]] = {}
    for one in tree.find_all(nodes.Assign):
        found[str(getattr(one.target, "name", ""))] = {name.name for name in one.node.find_all(nodes.Name)}
    return found


NO_CALLS = (
    "[{'d': {'columns': [{'metric': 'x', 'name': 'x', 'label': 'x', 'shown': true}], 'metrics': [{'metric': 'x'}],"
    " 'is_apart': false, 'uncut': false}, 'text': 'select 1'}]"
)


def table_macros() -> Iterator[str]:
    """All macros over tables.

    DuckDB expands a macro whenever it creates another one that calls it. So each is created before those that it calls, which are
    stubs until then.
    """
    parts = Parts()
    stubs, queries, calls = zip(*(made_of(one, parts) for one in TABLE_MACROS), strict=True)
    yield "\n".join(["-- stubs, replaced further down", *(stub(name, ["d"], "''") for name in parts.texts), *stubs])
    yield from chain.from_iterable(queries)
    yield from calls
    for name, (about, text) in parts.texts.items():
        yield part(name, about, text)


class Parts:
    """The parts of queries that have macros of their own, by the macro's name: what they are, and the text. Macros share them."""

    def __init__(self) -> None:
        self.texts: dict[str, tuple[str, str]] = {}

    def named(self, name: str, about: str, text: str, owner: str) -> str:
        """The macro of a part; its name has that of its owner if another macro has a different part of this name."""
        own = name if self.texts.setdefault(name, (about, text)) == (about, text) else f"{name}__{owner}"
        self.texts[own] = (about, text)
        return f"recsql.{own}(d)"


def made_of(one: TableMacro, parts: Parts) -> tuple[str, list[str], str]:
    """A stub for the macro of a call's queries, the macros that write and run the query, and the macro of the queries."""
    query = Open(one, parts)
    pieces = query.pieces()
    last = expression("\n\n" + rendered(f"targets/{one.target}.sql", query.context))
    options = taken(one)
    context = call_context(one, options, query.columns.get(one.grain))
    text = template(
        "macro_text",
        **context,
        needed=query.needed,
        decided=query.decided,
        present=query.present,
        natural=natural(query, one),
        texts=["$$with\n$$", *pieces, last],
    )
    parameters = [*one.given, *(["metrics := null"] if one.grain else []), f"{LIKE} := null", *map(declared, options)]
    same = [name if name == whole else f"{name} := {name}" for whole in parameters for name in [whole.partition(" := ")[0]]]
    passed = listed(same)
    name, about = f"{one.name}_calls", f"the queries that {one.name} joins, each with its call"
    texts = f"recsql.{name}(\n    {passed}\n)"
    of_query = [
        macro(f"{one.name}_sql", f"the query that {one.name} runs", parameters, joined(one, texts)),
        macro(one.name, one.about, parameters, f"from query(recsql.{one.name}_sql(\n    {passed}\n))", table=True),
    ]
    return stub(name, parameters, NO_CALLS), of_query, macro(name, about, parameters, text)


def natural(query: Open, one: TableMacro) -> str:
    """The text of the metric `c` for a user with a relevant item."""
    columns = query.columns.get(one.grain, ())
    return expression(columns.entry("c").expressed) if isinstance(columns, Several) else ""


def joined(one: TableMacro, texts: str) -> str:
    """The text of one query, or of several that are joined."""
    if one.grain != "user":
        return f"{texts}[1]['text']"
    return f"list_transform([{texts}], lambda calls: recsql.joined_{one.target}(calls))[1]"


def joined_macros() -> Iterator[str]:
    """The macros that join the queries of a call."""
    for target in ("evaluate", "per_user"):
        context = {
            "queries": [str(Text(indented_in(target, f"calls[{place}]['text']"))) for place in (1, 2)],
            "numbered": Several("recsql.numbered(calls)", "c", numbered),
            "ordinary_first": [
                Text(f"case when calls[1]['d']['is_apart'] then {one} else {other} end") for one, other in ((2, 1), (1, 2))
            ],
            "whole": WHOLE,
            "uncut": Text("calls[1]['d']['uncut'] or calls[2]['d']['uncut']"),
        }
        text = expression(template(f"{target}_joined", **context))
        body = f"case when len(calls) = 1 then calls[1]['text'] else {text} end"
        yield macro(f"joined_{target}", f"the query of {target}, or its queries joined", ["calls"], body)


def indented_in(target: str, text: str) -> str:
    """A query as deep as it stands in the joined one."""
    once = f"recsql.indented({text})"
    return f"recsql.indented({once})" if target == "evaluate" else once


def numbered(variable: str) -> SimpleNamespace:
    """A metric of a joined result."""
    return SimpleNamespace(**{name: Text(f"{variable}['{name}']") for name in ("number", "title", "order", "label")})
