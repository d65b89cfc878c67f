"""The scalar macros over two lists, under known options: one for each metric, and those that they call.

A metric is a chain of structs: what a macro finds in the two lists, the metric's statistics, its value. `recsql.` is the schema.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from recsql.base.text import WORDS, code, indented, real
from recsql.base.wording import in_macro
from recsql.catalog import catalog
from recsql.catalog.grammar import LARGEST
from recsql.catalog.headers import Source, Value
from recsql.query.binding import Inputs, Relation
from recsql.query.metric import Metric, metric_text, needs_in
from recsql.query.needs import made_from, read_in
from recsql.query.render import Query
from recsql.query.templates import environment, reads, rendered

LISTS = "recommended, relevant, k := null, relevance := null"
OVER_LISTS = "over two lists"  # the form of a statistic
OF_ONE_LIST = {  # words about users in sentences, and what replaces them, as there is one list and no user
    "`user_id` {user}, ": "",
    " user {user}, item": " item",
    "user {user} alone has {found} items in list and truth": "the two lists alone have {found} items",
    " of user {user}{model}": "",
    " of user {user}": "",
    " for user {user}": "",
    "; or does the table hold several lists of a user? for days, write {day: dt, user_id: user_id} as user_id in both tables": "",
}
CALL = re.compile(r"\brecsql\.(\w+)\(")
LAMBDA = re.compile(r"\blambda (\w+(?:, \w+)*):")
WIDTH = 110  # characters of a struct or a value that stands on one line


class Macro(NamedTuple):
    """A scalar macro. `example` is a call of a metric with its value; empty if the options change the value."""

    name: str
    parameters: str
    body: str
    comment: str
    example: str = ""


def list_macros(options: Mapping[str, Value], metrics: Sequence[str]) -> list[Macro]:
    """The macros of some metrics and those that they call, in the order in which to create or replace them.

    Stubs come first: DuckDB expands a macro whenever it creates one that calls it, which takes twice as long.
    """
    lists = Lists(options, metrics)
    found = [lists.metric(name) for name in metrics]
    stubs = [one._replace(body=one.parameters.partition(",")[0], comment="a stub; see below") for one in lists.called(found)]
    return [*stubs, *found, *lists.behind(found)]


class Lists(Query):
    """The texts of these macros under some options."""

    def __init__(self, options: Mapping[str, Value], metrics: Sequence[str]) -> None:
        tables = {"recs": Relation("", "'recommended'"), "truth": Relation("", "'relevant'")}
        super().__init__(Inputs(tables, known=options), "lists")
        self.metric_needs = {name: self.needs_of(name, options) for name in metrics}
        needed = set().union(*self.metric_needs.values())
        self.context |= {
            **options,
            "zero_ideal": "null",  # a list without an ideal has no value, as one without relevant items
            "unordered": False,
            "checked": False,  # no check runs before, so values are checked where they are read
            "rejections": "preferences" in needed,
            "judgements": "judgements" in needed,
            "whole": "whole_list" in needed,
            "most_k": LARGEST,
            "double": lambda x: real(x) if isinstance(x, int | float) else f"cast({x} as double)",
            "discount_at": lambda x: f"recsql.discount({x})",  # a macro that all of the file share
        }
        self.helpers = {name: self.helper(one) for name, one in catalog().lists.items()}

    def message(self, check: str) -> str:
        message = in_macro(catalog().message(check, "in_macro"), {"k": "k"})
        for said, left in OF_ONE_LIST.items():
            message = message.replace(said, left)
        return message

    def function(self, name: str, x: str = "", item: str = "", **further: object) -> str:
        return super().function(name, x, item, **further)

    def needs_of(self, metric: str, options: Mapping[str, Value]) -> set[str]:
        """What a metric needs besides statistics. The gaps that `duplicates` leaves are closed before a list is cut."""
        options = {**options, "duplicates": "error"}
        found = needs_in([Metric(metric, options)], options)
        return {name for name in catalog().needs if getattr(found, name)}

    def helper(self, source: Source) -> Macro:
        """A macro that others call."""
        text = {key: environment().from_string(source.header[key]).render(self.context) for key in ("parameters", "about")}
        return Macro(source.name, text["parameters"], escape_lambdas(rendered(source.path, self.context)), text["about"])

    def called(self, macros: Iterable[Macro]) -> list[Macro]:
        """The macros that some macros call."""
        calls = dict.fromkeys(CALL.findall("\n".join(code(one.body) for one in macros)))
        return [self.helpers[name] for name in calls if name in self.helpers]

    def behind(self, macros: Iterable[Macro]) -> list[Macro]:
        """The macros that some macros call, each after its own callees."""
        return [*dict.fromkeys(one for helper in self.called(macros) for one in [*self.behind([helper]), helper])]

    def metric(self, name: str) -> Macro:
        """The macro of a metric."""
        start = "list_gains" if "gains" in self.metric_needs[name] else "list_hits"
        whole = ", whole := true" if "whole_list" in self.metric_needs[name] else ""
        statistics = ",\n".join(f"'{one}': {self.over_lists(one, name)}" for one in self.read_by(name))
        body = [
            f"recsql.{start}(recommended, relevant, k, relevance{whole})",
            indented(f".list_transform(lambda l: {lay_out('{', statistics, '}')})"),
            indented(f".list_transform(lambda s: {lay_out('case when s.relevant > 0 then ', self.value(name), ' end')})[1]"),
        ]
        header = catalog().metrics[name].header
        macro = Macro(name, LISTS, escape_lambdas("\n".join(body)), f"{header['title']}: {header['formula']}")
        return macro._replace(example=self.example(macro))

    def read_by(self, metric: str) -> list[str]:
        """The statistics that a metric reads, and the number of relevant items, as there is no value without any."""
        return list(dict.fromkeys([*read_in(metric_text(metric, self.context)), "relevant"]))

    def over_lists(self, name: str, metric: str) -> str:
        """A statistic of a metric, from the hits in the top k."""
        if OVER_LISTS not in catalog().statistics[name].further:
            return f"l.{name}"  # a field of the struct
        rank = "h: h.rank" if "gains" in self.metric_needs[metric] else "r: r"
        hits = f"list_filter(l.hits, lambda {rank} <= l.k)" if "whole_list" in self.metric_needs[metric] else "l.hits"
        return rendered(f"{catalog().statistics[name].path}|{OVER_LISTS}", {**self.context, "hits": hits})

    def value(self, metric: str) -> str:
        """A metric's expression over its statistics, with a long quotient on two lines."""
        text = metric_text(metric, self.context)
        return "\n/ ".join(text.rsplit(" / ", 1)) if len(text) > WIDTH and "\n" not in text else text

    def example(self, macro: Macro) -> str:
        """The example of a metric, with its value, unless an option that it reads has another value."""
        example = catalog().metrics[macro.name].header.get("example", {"lists": "", "value": ""})
        sources = [*made_from(macro.name), *(catalog().lists[one.name] for one in self.behind([macro]))]
        read = [catalog().statistics[name] for name in self.read_by(macro.name)]
        forms = [f"{one.path}|{OVER_LISTS}" for one in read if OVER_LISTS in one.further]
        neutral = {"duplicates", "zero_ideal", *([] if "relevance" in example["lists"] else ["relevant"])}
        names = {
            name for path in [*(one.path for one in sources), *forms] for name in reads(path)
        } & catalog().options.keys() - neutral
        usual = {name: catalog().options[name].default for name in names} | example.get("options", {})
        told = example["lists"] and all(self.context[name] == value for name, value in usual.items())
        return f"recsql.{macro.name}({example['lists']}) = {example['value']}" if told else ""


def lay_out(before: str, text: str, after: str) -> str:
    """Text between two others, on one line if it is short."""
    line = f"{before}{' '.join(text.splitlines())}{after}"
    is_short = len(line) <= WIDTH and all(part.endswith(",") for part in text.splitlines()[:-1])
    return line if is_short else f"{before.rstrip()}\n{indented(text)}\n{after.lstrip()}"


def escape_lambdas(text: str) -> str:
    """The text with an underscore before each lambda parameter, because a table around the call may have its name."""
    names = {name for found in LAMBDA.findall(code(text)) for name in found.split(", ")}
    words = re.compile(rf"(?<![.\w])({'|'.join(names) or '(?!)'})(?!\w)")
    pieces = re.split(f"({WORDS.pattern})", text)
    return "".join(piece if place % 2 else words.sub(r"_\1", piece) for place, piece in enumerate(pieces))
