"""The parts of the pages that are made from the headers in sql/, the command line's own flags, and action.yml.

A function is a part, and has the name that its page has it by; it gives the paragraphs.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb
import yaml

from recsql.catalog import catalog
from recsql.catalog.headers import PRESET, TABLE, Option
from recsql.catalog.headers import keys as declared_keys
from recsql.cli.flags import OptionFlag
from recsql.cli.parsing import Parser, parser
from recsql.query.metric_names import options_of, readers_of, shared
from recsql.query.steps import row_of

ROOT = Path(__file__).parents[2]
GRAINS = {
    "user": "Metrics of each user's list",
    "list": "Means over lists",
    "item": "Metrics of all lists together",
    "item_group": "Metrics of groups of items",
    "rating": "Metrics of predicted ratings",
}
KINDS = {
    "number": "a number",
    "integer": "a whole number",
    "map": "pairs of numbers: `1:1 2:3.5` on the command line, a `dict` in Python",
    "table": "a table",
    "time": "a date or a time, in UTC",
    "duration": "a length of time: `7 days`, `12h`, `30min`; in Python also a `timedelta`",
    "gains": "types with numbers: `click:1,buy:3`, a `dict` in Python",
    "weights": "models with numbers: `bm25=0.7,dense=0.3`, a `dict` in Python",
    "ends": "`desc` or `asc`, or models with these: `bm25=desc,dense=asc`, a `dict` in Python",
    "column": "the name of a column",
    "moment": "a number, or a date or time",
    "span": "a number, or a duration",
    "columns": "names of columns, with commas between them or as a list; see [slices](slices.md)",
    "names": "names; in the shell only",
    PRESET: "a [preset](presets.md)",
}
BETTER = {"lower": "low values", "neither": "neither high nor low values"}
# The metric that the page on adding one follows.
ADDED = {"The metric": "metrics/rbp.sql", "The statistic": "statistics/hits.sql: persistent_gain"}
CASES = "tests/cases/rbp.toml"
# What the queries of textbooks run on: a list with hits at ranks 2 and 4, and a relevant item that it lacks.
CLEAN = """\
create table recs as from (values (1, 'a', 1), (1, 'b', 2), (1, 'c', 3), (1, 'd', 4)) as r(user_id, item_id, rank);
create table truth as from (values (1, 'b', 1), (1, 'd', 1), (1, 'e', 1)) as t(user_id, item_id, relevance);
"""


def table(names: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(names)
    lines = [[text.replace("|", r"\|") for text in line] for line in (head, ["---"] * len(head), *rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines).replace("|  |", "| |")


def code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def section(heading: str, about: str, facts: Mapping[str, str]) -> Iterator[str]:
    """A section with a list of what there is of some facts, each with its title."""
    yield heading
    yield about
    yield "\n".join(f"- {title}: {text}" for title, text in facts.items() if text)


def to_options(names: Iterable[str]) -> str:
    return ", ".join(f"[`{name}`](options.md#{name})" for name in names)


def settings(given: Mapping[str, object]) -> str:
    """Options with their values, each a link."""
    options = [(catalog().options[name], value) for name, value in given.items()]
    return ", ".join(f"[`{one.called} = {value}`](options.md#{title_of(one).replace(' ', '-')})" for one, value in options)


def title_of(one: Option) -> str:
    """The heading of an option, which tells it from that of the same name in other calls."""
    home = one.name.partition("__")[0]
    return one.called if one.called == one.name else f"{one.called} of a{'n' * (home[0] in 'aeio')} {home}"


def of_grain(grain: str) -> list[str]:
    return [name for name, one in catalog().metrics.items() if one.grain == grain]


def value_on_clean_input(query: str) -> float:
    """What a query of textbooks gives for the list of the page."""
    with duckdb.connect() as con:
        [(value,)] = con.execute(CLEAN + query).fetchall()
    return float(value)


def metrics() -> Iterator[str]:
    """A table of each group, then a section on each metric, by grain."""
    found = catalog().metrics
    yield f"```sql\n{CLEAN}.mode csv\n```"
    for title, names in catalog().groups.items():
        yield f"**{sentence(title)}**"
        rows = ([f"[`{name}`](#{name})", found[name].header["title"], found[name].header["formula"]] for name in names)
        yield table(["metric", "", "default definition"], rows)
    for grain, title in GRAINS.items():
        common = [name for name in catalog().options if name in shared(grain)]
        yield f"## {title}"
        yield f"These options change all of them: {to_options(common)}."
        for name in of_grain(grain):
            header = found[name].header
            libraries = header.get("names", {}).items()
            by_name = "only if it is named, not with `all`"
            facts = {
                "Definition": header["formula"],
                "Take care": header["care"],
                "Better": BETTER.get(header.get("better", ""), ""),
                "Computed": "only with spans of documents"
                if header.get("spans") == "only"
                else by_name * header.get("by_name", False),
                "Options": to_options(option for option in options_of(name) if option not in common),
                "Other names": code(header["aliases"]),
                "In libraries": "; ".join(f"[{library}](presets.md#{library}) {code(names)}" for library, names in libraries),
                "Reference": header["reference"],
            }
            yield from section(f"### {name}", sentence(header["title"]), facts)
            if textbook := found[name].further.get("textbook"):
                yield f"```sql\n{textbook}```"
                yield f"```text\n{name}\n{value_on_clean_input(textbook)}\n```"


def options() -> Iterator[str]:
    """A section on each option, by topic: what it is, its default, its values, and the metrics that read it."""
    for topic in catalog().topics.values():
        yield f"## Topic: {topic.name}"  # an option may have the same name, and would have the same anchor
        yield sentence(topic.title)
        for one in topic.options.values():
            kind = KINDS.get(one.type, "")
            facts = {
                "Default": "" if one.default is None else f"`{one.default}`",
                "Takes": ", ".join(filter(None, [kind, kind and one.bound])),
                "In a metric's brackets": in_brackets(one),
                "Counts only with": " and ".join(other(name, value) for name, value in one.where.items()),
                "Changes": readers(one),
            }
            yield from section(f"### {title_of(one)}", sentence(one.about), facts)
            if one.values and one.type != PRESET:
                yield table(["value", "meaning"], ([f"`{value}`", about] for value, about in one.values))


def other(name: str, value: str) -> str:
    """A value of another option, or its table, that an option counts with."""
    return f"the table `{name}`" if value == TABLE else f"`{catalog().options[name].called} = {value}`"


def in_brackets(option: Option) -> str:
    """The short name of a metric's own option, which other metrics that read it write out."""
    if option.short == option.name:
        return ""
    others = {*readers_of(option.name)} - {option.home.name}
    return f"`{option.short}`" + (f"; in those of others than {option.home.name}, `{option.name}`" if others else "")


def readers(one: Option) -> str:
    """The metrics whose values an option can change; a whole grain by its name."""
    told: list[str] = []
    for grain, title in GRAINS.items():
        found = [name for name in of_grain(grain) if name in readers_of(one.name)]
        told += [f"all {title.lower()}"] if found == of_grain(grain) else [f"[`{name}`](metrics.md#{name})" for name in found]
    return ", ".join(told)


def presets() -> Iterator[str]:
    """A table of all presets, then a section on each."""
    found = catalog().presets.values()
    yield table(["preset", "reproduces", "version"], ([f"[`{one.name}`](#{one.name})", one.title, one.version] for one in found))
    for one in found:
        anchors = {metric: f"[`{metric}`](metrics.md#{metric.partition('@')[0]})" for metric in one.metrics}
        further = {f"For {anchors[metric]} also": settings(own) for metric, own in one.metrics.items()}
        words: dict[str, list[str]] = {}
        for name, meaning in one.names.items():
            words.setdefault(meaning if " " in meaning and "(" not in meaning else f"`{meaning}`", []).append(name)
        facts = {
            "Reference": one.reference,
            "Options": settings(one.options),
            **further,
            "Options of a [split](splits.md#as-in-another-library)": settings(one.split),
            "Names of its own": "; ".join(
                f"{code(names)} {'are each' if names[1:] else 'is'} {meaning}" for meaning, names in words.items()
            ),
            "Metrics": code(one.has),
            "Of the whole list, unless you give a cut-off": code(one.uncut),
        }
        yield from section(f"## {one.name}", f"{one.title}, version {one.version}.", facts)
        yield "Where it differs from the original:"
        yield "\n".join(f"- {text}" for text in one.differs)


def findings() -> Iterator[str]:
    """A table of all findings with what they need, then a section on each."""
    headers = {name: one.header for name, one in catalog().findings.items()}
    rows = (
        [f"[`{name}`](#{name})", severity(header), header["about"], code(map(str, header.get("needs", ())))]
        for name, header in headers.items()
    )
    yield table(["finding", "severity", "", "needs"], rows)
    for name, header in headers.items():
        facts = {
            "Why it matters": header["matters"],
            "What to do": header["advice"],
            "Counts": header["unit"],
            "Not if": header.get("unless", ""),
            "Level": header.get("level", ""),
        }
        yield from section(f"### {name}", sentence(header["about"]), facts)


def severity(header: Mapping[str, Any]) -> str:
    """The severity of a finding, with the shares above which it holds."""
    said = header.get("said", header["severity"])
    return (
        said
        if isinstance(said, str)
        else ", ".join(f"{name} above {share:.0%}" if share else f"else {name}" for name, share in said.items())
    )


def commands() -> Iterator[str]:
    """A section on each command with its own arguments, then those that several commands share."""
    choices: Mapping[str, Parser] = parser().commands.choices
    arguments = {name: [argument(action) for action in one._actions if is_plain(one, action)] for name, one in choices.items()}
    counts = Counter(one for found in arguments.values() for one in found)
    for name, one in choices.items():
        own = [found[1:] for found in arguments[name] if counts[found] == 1]
        others = code(found[0] for found in arguments[name] if counts[found] > 1)
        topics = ", ".join(f"[{topic.name}](options.md#topic-{topic.name})" for topic in one.topics)
        yield f"## recsql {name}"
        yield one.description or ""
        yield "```console\n{}\n```".format("\n".join(one.examples))
        if own:
            yield table(["argument", "meaning"], own)
        if others:
            yield f"[Shared arguments](#shared-arguments): {others}."
        if topics:
            yield f"Options, by topic: {topics}."
    yield "## Shared arguments"
    yield table(["argument", "meaning"], (one[1:] for one in counts if counts[one] > 1))


def is_plain(command: Parser, action: argparse.Action) -> bool:
    """Whether it is neither a flag for help nor an option of a header: those have a page of their own."""
    return not isinstance(command.flags.get(action.dest), OptionFlag) and not action.dest.startswith("help")


def argument(action: argparse.Action) -> tuple[str, str, str]:
    """The name of an argument, how it is written with its value, and what it means."""
    about = (action.help or "") % (vars(action) | {"prog": "recsql"})
    if not action.option_strings:
        name = f"{action.metavar}{'...' if action.nargs == '+' else ''}"
        return name, f"`{name}`", about
    value = "" if action.nargs == 0 else f" {action.metavar or '|'.join(action.choices or [action.dest.upper()])}"
    return action.option_strings[0], code(f"{one}{value}" for one in action.option_strings), about


def added() -> Iterator[str]:
    """The file of the metric and the piece of its statistic, each with its path."""
    for what, path in ADDED.items():
        file, _, name = path.partition(": ")
        pieces = re.split(r"^(?=-- name: )", (ROOT / "sql" / file).read_text(), flags=re.MULTILINE)
        piece = next(one for one in pieces if not name or one.splitlines()[0] == f"-- name: {name}")
        yield f"{what}, in `sql/{file}`:"
        yield f"```jinja\n{piece.rstrip()}\n```"


def opening(chapter: str) -> str:
    """The prose that a chapter opens with."""
    return (ROOT / "sql" / chapter).read_text().partition("#}")[0].removeprefix("{#").strip()


def chapters() -> Iterator[str]:
    """The chapters of steps in their order, with the first sentence of each."""
    found = dict.fromkeys(source.chapter for source in catalog().steps.values())
    yield table(["chapter", ""], ([f"`sql/{one}`", " ".join(opening(one).partition("\n\n")[0].split())] for one in found))


def flow() -> Iterator[str]:
    """A section on each chapter: its prose, and its steps with what one row of each is."""
    for chapter, steps in groupby(catalog().steps.values(), lambda one: one.chapter):
        yield f"## {chapter.removesuffix('.sql')}"
        yield opening(chapter)
        yield table(["step", ""], ([f"`{one.name}`{' (fast)' * (one.folder == 'fast')}", row(one.name)] for one in steps))


def row(step: str) -> str:
    """What one row of a step is in the plain flow, and its faster form, if it has one."""
    buys = catalog().fast[step].header["buys"] if step in catalog().fast else ""
    return f"{row_of(step)}{f'; fast: {buys}' if buys else ''}"


def keys() -> Iterator[str]:
    """A table of the keys of each kind of header, of those of options, and of the names that templates can read."""
    for kind, found in declared_keys().items():
        yield f"## {kind}"
        yield table(["key", ""], ([f"`{key}`", meaning] for key, meaning in found.items()))


def cases() -> Iterator[str]:
    """The lists of the cases, and the first case."""
    head, first, *_ = (ROOT / CASES).read_text().split("[[case]]\n")
    yield f"```toml\n{head}[[case]]\n{first.rstrip()}\n```"


def action_inputs() -> Iterator[str]:
    """A table of the inputs of the action for GitHub's workflows."""
    rows = (
        [f"`{name}`", one["description"], code([one["default"]] if one.get("default") else [])]
        for name, one in action()["inputs"].items()
    )
    yield table(["input", "", "default"], rows)


def action_outputs() -> Iterator[str]:
    yield table(["output", ""], ([f"`{name}`", one["description"]] for name, one in action()["outputs"].items()))


def action() -> Mapping[str, Any]:
    found: Mapping[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
    return found
