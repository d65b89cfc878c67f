"""What a macro over tables needs to write its query: the texts of the steps, and the rules under which each belongs to it.

The query is rendered as always, with an `Unknown` for every option. So each text is rendered once, with marks that say under
which condition a part of it belongs to the query.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from jinja2 import nodes

from recsql import slice_macros
from recsql.binding import Inputs, Relation
from recsql.catalog import catalog
from recsql.conditions import Condition, Unknown, fact
from recsql.gains import GainsOfMacro
from recsql.headers import Option
from recsql.loops import Loops
from recsql.measures import Open, rendered
from recsql.needs import Needs
from recsql.pieces import Check
from recsql.render import FURTHER, Query
from recsql.symbols import Truth, chosen, is_open
from recsql.table_macro import TableMacro
from recsql.templates import environment, reads, template

NOT_HERE = ("sample", "metrics", "like")  # options that are no parameters, or that have a place of their own
OWN_NAMES = {"user_id": "t.user_id", "item_id": "t.item_id", "order_by": f"t.{Unknown('order_by as name')}"}
OF_TARGETS = {name for names in FURTHER.values() for name in names}  # what some target needs besides its metrics
OF_SOME = (
    "grouped",
    "sliced",
    "pairs_sliced",
)  # decisions that never hold in some macros, but are marked in their texts, which they share with others
INDENT = " " * 12  # of a check within the step problems


class Program(Query):
    """The query of a macro, whose options are known when it is bound. `rules` has what follows from them."""

    def __init__(self, one: TableMacro, loops: Loops) -> None:
        self.one, self.loops = one, loops
        self.rules: dict[str, Condition] = {}
        super().__init__(bound(one), one.target)

    def once(self, name: str, value: Any) -> Any:
        """A rule for what is more than the value of one option."""
        shared = self.one.grain == "user" and name in OF_SOME
        if not isinstance(value, Condition):
            return fact(name) if shared else value
        if value.is_short and not shared:
            return value
        self.rules[name] = value
        return fact(name)

    def grouped(self) -> Mapping[str, Any]:
        return slice_macros.grouped()

    def once_needs(self) -> Any:
        return Recorded(self, self.needs)

    def needed(self, name: str, value: Any) -> Any:
        """A rule for a need; also for one that one target always has and another one never, so that they share their texts."""
        if not (value is True or (self.one.grain == "user" and name in OF_TARGETS)):
            return self.once(f"needs.{name}", value)
        if value is not False:
            self.rules[f"needs.{name}"] = value if is_open(value) else Condition([()])
        return fact(f"needs.{name}")

    @cached_property
    def there(self) -> dict[str, Any]:
        return {name: self.once(f"step.{name}", value) for name, value in super().there.items()}

    @cached_property
    def is_fast(self) -> dict[str, Any]:
        return {name: self.once(f"fast.{name}", value) for name, value in super().is_fast.items()}

    def literal_of(self, text: Any) -> str:
        return as_literal(text) if is_open(text) else super().literal_of(text)

    def looked_up(self, x: str) -> str:
        return str(Unknown(f"gain of {x}"))

    @property
    def steps(self) -> Iterator[tuple[str, Truth, str]]:
        """The steps that the query can have: their names, when it has them, and their texts."""
        for name, there in self.there.items():
            if there is not False:
                yield name, there, self.loops.taken_from(self.cte(name))

    def checks(self) -> list[Check]:
        """The checks; a check's query is a value, so that the macros share it."""
        return [replace(one, render=partial(str, Unknown(f"check.{one.source.name}"))) for one in super().checks()]

    @property
    def check_texts(self) -> dict[str, tuple[Truth, str]]:
        """The checks that the query can have: when it has them, and their queries as deep as they stand in the step problems."""
        return {
            one.source.name: (one.runs, self.loops.taken_from(one.text.replace("\n", f"\n{INDENT}"))) for one in super().checks()
        }

    @property
    def last(self) -> str:
        return self.loops.taken_from(rendered(f"targets/{self.target}.sql", self.context))

    @property
    def naturals(self) -> dict[str, str]:
        """Each metric's expression for a user with a relevant item."""
        return {name: self.loops.taken_from(self.measure(name).expressed) for name in self.metrics}

    @property
    def metrics(self) -> list[str]:
        return catalog().metrics_of(self.one.grain) if self.one.grain else []

    def measure(self, metric: str = "") -> Open:
        return Open(self.context, self.inputs.known, self.one.grain, metric)

    # -- the rules, in the order in which they can be worked out

    @property
    def levels(self) -> list[dict[str, Condition]]:
        """The rules by level: each follows from facts and from the rules of the levels before."""
        levels: list[dict[str, Condition]] = []
        left = dict(self.rules)
        while left:
            level = {name: rule for name, rule in left.items() if not rule.names & left.keys()}
            if not level:
                raise ValueError(f"these rules follow from each other: {', '.join(left)}")
            levels.append(level)
            left = {name: rule for name, rule in left.items() if name not in level}
        return levels


class Recorded:
    """The needs of a macro: each is a rule."""

    def __init__(self, program: Program, needs: Needs) -> None:
        self._program, self._needs = program, needs

    def __getattr__(self, name: str) -> Any:
        return self._program.needed(name, getattr(self._needs, name))


def as_literal(text: Unknown) -> str:
    """A text of the call as a literal."""
    return f"'{Unknown(f'{text.name} as text')}'"


def bound(one: TableMacro) -> Inputs:
    """The binding of a macro: everything is unknown."""
    known: dict[str, Any] = {}
    for name, option in catalog().options.items():
        known[name] = one.known.get(name, option.default)
    for option in [*taken(one), *fixed(one)]:
        known[option.name] = GainsOfMacro() if option.type == "gains" else Unknown(option.name)
    return Inputs(
        {role: relation_of(role, one) for role in one.tables},
        names=OWN_NAMES if one.target == "split" else {},
        cutoffs=Unknown("cutoffs"),
        depth=Unknown("depth"),
        deepest=Unknown("deepest"),
        uncut=fact("uncut"),
        grain=one.grain,
        known=known,
        averaged=fact("averaged") if one.grain == "user" else one.target == "evaluate",
        named=True,
        prefers_score=fact("prefers_score"),
        keyed=fact("several") if one.target == "per_user" else False,
    )


def relation_of(role: str, one: TableMacro) -> Relation:
    """A table that a macro is called with: its name is put into the text as the content of a literal."""
    if role == "paired":
        queries = [str(Unknown(f"query.{place}")) for place in (1, 2)]
        return Relation(
            str(chosen(fact("one"), lambda: template("union", queries=queries[:1]), lambda: template("union", queries=queries))),
            "",
        )
    relation = f"query_table('{Unknown(f'source.{role}')}')"
    any_order = fact("any_order") if "rank_by" not in one.known else False
    read = {"segment_columns": slice_macros.grouped()["segment_columns"], "by_column": fact("by_column")}
    select = template(f"given_{role}", source=relation, any_order=any_order, prefers_score=fact("prefers_score"), **read)
    return Relation(select, f"'{Unknown(f'name.{role}')}'", relation)


def taken(one: TableMacro) -> list[Option]:
    """The options of a macro."""
    of_target = {"split": ["interaction"]}.get(one.target, one.grains)
    names = catalog().options_of(of_target) if of_target else read_by(one.target)
    return [catalog().options[name] for name in names if name not in (*NOT_HERE, *one.known)]


def fixed(one: TableMacro) -> list[Option]:
    """The options that have one value in a macro and others in a macro that shares its texts."""
    options = [catalog().options[name] for name in one.known if one.grain == "user"]
    return [option for option in options if option.topic != "slices"]


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
    "labels": ("given_impressions", "shown", "attributed", "outcomes", "credited", "labelled"),
    "popularity": ("audience",),
    "segments": (),
    "candidates": ("pool", "drawn"),
    "compare": ("contrasts", "tests", "corrections", "degrees", "paired_intervals"),
}


def decisions() -> dict[str, set[str]]:
    """The names that each decision reads."""
    tree = environment().parse(catalog().sources["decisions.sql"].text)
    found: dict[str, set[str]] = {}
    for one in tree.find_all(nodes.Assign):
        found[str(getattr(one.target, "name", ""))] = {name.name for name in one.node.find_all(nodes.Name)}
    return found
