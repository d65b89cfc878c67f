"""The parts of the pages that are made from the headers in sql/ and from the command line's own flags."""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from recsql.catalog import catalog
from recsql.catalog.headers import PRESET, TABLE, Option, Source, Topic
from recsql.cli.flags import OptionFlag
from recsql.cli.parsing import Parser, parser
from recsql.query.labels import options_of, readers_of, shared

GRAINS = {
    "user": "Metrics of each user's list",
    "item": "Metrics of all lists together",
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
    "column": "the name of a column",
    "moment": "a number, or a date or time",
    "span": "a number, or a duration",
    "columns": "names of columns, with commas between them or as a list; see [slices](slices.md)",
    "names": "names; in the shell only",
    PRESET: "a [preset](presets.md)",
}


def cell(text: str) -> str:
    """Text in a cell of a table, where a bar would end it."""
    return text.replace("|", r"\|")


def table(names: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(names)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(cell, line))} |" for line in lines).replace("|  |", "| |")


def to_option(name: str, shown: str = "") -> str:
    return f"[`{shown or name}`](options.md#{name})"


def code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


# -- metrics


def metrics() -> str:
    """A table of all metrics, then a section on each, by grain."""
    names = catalog().metrics
    rows = ([f"[`{name}`](#{name})", one.header["title"], one.header["formula"]] for name, one in names.items())
    return "\n\n".join([table(["metric", "", "default definition"], rows), *metrics_by_grain()])


def metrics_by_grain() -> Iterator[str]:
    for grain, title in GRAINS.items():
        common = [name for name in catalog().options if name in shared(grain)]
        yield f"## {title}"
        yield f"These options change all of them: {', '.join(map(to_option, common))}."
        yield from (metric(name, one, set(common)) for name, one in catalog().metrics.items() if one.grain == grain)


def metric(name: str, source: Source, common: set[str]) -> str:
    header, libraries = source.header, source.header.get("names", {}).items()
    own = [option for option in options_of(name) if option not in common]
    facts = {
        "Definition": header["formula"],
        "Take care": header["care"],
        "Better": {"lower": "low values", "neither": "neither high nor low values"}.get(header.get("better", ""), ""),
        "Computed": "only if it is named, not with `all`" if header.get("by_name") else "",
        "Options": ", ".join(map(to_option, own)),
        "Other names": code(header["aliases"]),
        "In libraries": "; ".join(f"[{library}](presets.md#{library}) {code(names)}" for library, names in libraries),
        "Reference": header["reference"],
    }
    listed = "\n".join(f"- {title}: {text}" for title, text in facts.items() if text)
    return f"### {name}\n\n{sentence(header['title'])}\n\n{listed}"


# -- options


def options() -> str:
    return "\n\n".join(options_by_topic())


def options_by_topic() -> Iterator[str]:
    for topic in catalog().topics.values():
        yield f"## {topic_heading(topic)}"
        yield sentence(topic.title)
        yield from map(option, topic.options.values())


def topic_heading(topic: Topic) -> str:
    """The title of a topic: an option may have the same name, and would have the same anchor."""
    return f"Topic: {topic.name}"


def option(one: Option) -> str:
    """The section of an option: what it is, its default, its values, and the metrics that read it."""
    kind = KINDS.get(one.type, "")
    bound = f", {one.bound}" if one.bound else ""
    facts = {
        "Default": "" if one.default is None else f"`{one.default}`",
        "Takes": f"{kind}{bound}" if kind else "",
        "In a metric's brackets": f"`{one.short}`" if one.short != one.name else "",
        "Counts only with": " and ".join(other(name, value) for name, value in one.where.items()),
        "Changes": readers(one),
    }
    listed = "\n".join(f"- {title}: {text}" for title, text in facts.items() if text)
    values = [] if one.type == PRESET else [[f"`{value}`", about] for value, about in one.values]
    parts = [f"### {title_of(one)}", sentence(one.about), listed, *([table(["value", "meaning"], values)] if values else [])]
    return "\n\n".join(part for part in parts if part)


def title_of(one: Option) -> str:
    """The heading of an option, which tells it from that of the same name in other calls."""
    return one.called if one.called == one.name else f"{one.called} of a {one.name.partition('__')[0]}"


def other(name: str, value: str) -> str:
    """A value of another option, or its table, that an option counts with."""
    return f"the table `{name}`" if value == TABLE else f"`{catalog().options[name].called} = {value}`"


def readers(one: Option) -> str:
    """The metrics whose values an option can change; a whole grain by its name."""
    reading, told = readers_of(one.name), []
    for grain in GRAINS:
        of_grain = [name for name, source in catalog().metrics.items() if source.grain == grain]
        found = [name for name in of_grain if name in reading]
        told += (
            [f"all {GRAINS[grain].lower()}"]
            if found and found == of_grain
            else [f"[`{name}`](metrics.md#{name})" for name in found]
        )
    return ", ".join(told)


# -- presets


def presets() -> str:
    found = catalog().presets.values()
    rows = ([f"[`{one.name}`](#{one.name})", one.title, one.version] for one in found)
    sections = [preset(one.name) for one in found]
    return "\n\n".join([table(["preset", "reproduces", "version"], rows), *sections])


def preset(name: str) -> str:
    one = catalog().presets[name]
    facts = [
        f"Reference: {one.reference}",
        f"Options: {settings(one.options)}",
        *(f"For [`{metric}`](metrics.md#{metric}) also: {settings(own)}" for metric, own in one.metrics.items()),
        *([f"Options of a [split](splits.md#as-in-another-library): {settings(one.split)}"] if one.split else []),
        *([f"Names of its own: {meanings(one.names)}"] if one.names else []),
        *([f"Metrics it doesn't have: {code(one.lacks)}"] if one.lacks else []),
        *([f"Of the whole list, unless you give a cut-off: {code(one.uncut)}"] if one.uncut else []),
    ]
    listed = "\n".join(f"- {fact}" for fact in facts)
    differing = "\n".join(f"- {text}" for text in one.differs)
    return f"## {name}\n\n{one.title}, version {one.version}.\n\n{listed}\n\nWhere it differs from the original:\n\n{differing}"


def settings(given: Mapping[str, object]) -> str:
    set_to = [(catalog().options[name], value) for name, value in given.items()]
    return ", ".join(to_option(title_of(one).replace(" ", "-"), f"{one.called} = {value}") for one, value in set_to)


def meanings(names: Mapping[str, str]) -> str:
    return "; ".join(
        f"`{name}` is {meaning if ' ' in meaning and '(' not in meaning else f'`{meaning}`'}" for name, meaning in names.items()
    )


# -- findings


def findings() -> str:
    """A table of all findings with what they need, then a section on each."""
    found = catalog().findings
    rows = (
        [f"[`{name}`](#{name})", severity(one), one.header["about"], code(map(str, one.header.get("needs", ())))]
        for name, one in found.items()
    )
    return "\n\n".join([table(["finding", "severity", "", "needs"], rows), *map(finding, found.values())])


def severity(source: Source) -> str:
    """The severity of a finding, with the shares above which it holds."""
    grades = source.header["severity"]
    if isinstance(grades, str) or "said" in source.header:
        return str(source.header.get("said", grades))
    shares = (f"{name} above {share:.0%}" if share else f"else {name}" for name, share in grades.items())
    return ", ".join(shares)


def finding(source: Source) -> str:
    header = source.header
    facts = {
        "Why it matters": header["matters"],
        "What to do": header["advice"],
        "Counts": header["unit"],
        "Not if": header.get("unless", ""),
        "Level": "full" if header.get("level") == "full" else "",
    }
    listed = "\n".join(f"- {title}: {text}" for title, text in facts.items() if text)
    return f"### {source.name}\n\n{sentence(header['about'])}\n\n{listed}"


# -- the command line


class Flag(NamedTuple):
    """An argument of a command: a flag, or a place."""

    name: str
    spelling: str
    about: str


def commands() -> str:
    """A section on each command with its own arguments, then those that several commands share."""
    choices: Mapping[str, Parser] = parser().commands.choices
    flags = {name: [flag(action) for action in one._actions if is_plain(one, action)] for name, one in choices.items()}
    counts = Counter(one for found in flags.values() for one in found)
    shared = [one for one in counts if counts[one] > 1]
    sections = [command(name, one, flags[name], shared) for name, one in choices.items()]
    return "\n\n".join([*sections, "## Shared arguments", arguments(shared)])


def is_plain(command: Parser, action: argparse.Action) -> bool:
    """Whether it is neither a flag for help nor an option of a header: those have a page of their own."""
    return not isinstance(command.flags.get(action.dest), OptionFlag) and not action.dest.startswith("help")


def flag(action: argparse.Action) -> Flag:
    """An argument as argparse prints it."""
    about = (action.help or "") % (vars(action) | {"prog": "recsql"})
    if not action.option_strings:
        place = f"{action.metavar}{'...' if action.nargs == '+' else ''}"
        return Flag(place, f"`{place}`", about)
    value = "" if action.nargs == 0 else f" {action.metavar or '|'.join(action.choices or [action.dest.upper()])}"
    return Flag(action.option_strings[0], code(f"{one}{value}" for one in action.option_strings), about)


def arguments(flags: Iterable[Flag]) -> str:
    return table(["argument", "meaning"], ([one.spelling, one.about] for one in flags))


def command(name: str, one: Parser, flags: Sequence[Flag], shared: Sequence[Flag]) -> str:
    own = [found for found in flags if found not in shared]
    others = code(found.name for found in flags if found in shared)
    topics = ", ".join(f"[{topic.name}](options.md#topic-{topic.name})" for topic in one.topics)
    parts = [
        f"## recsql {name}",
        one.description or "",
        "```console\n{}\n```".format("\n".join(one.examples)),
        arguments(own) if own else "",
        f"[Shared arguments](#shared-arguments): {others}." if others else "",
        f"Options, by topic: {topics}." if topics else "",
    ]
    return "\n\n".join(part for part in parts if part)


# -- the metric that the page on adding one follows

ROOT = Path(__file__).parents[2]
ADDED = {
    "The metric": "sql/metrics/rbp.sql",
    "The statistic": "sql/statistics/persistent_gain.sql",
}
CASES = "tests/cases/rbp.toml"


def added() -> str:
    """The files of the metric, each with its path."""
    return "\n\n".join(f"{what}, in `{path}`:\n\n```jinja\n{(ROOT / path).read_text()}```" for what, path in ADDED.items())


def cases() -> str:
    """The lists of the cases, and the first case."""
    head, first, *_ = (ROOT / CASES).read_text().split("[[case]]\n")
    return f"```toml\n{head}[[case]]\n{first.rstrip()}\n```"


PARTS: Mapping[str, Callable[[], str]] = {
    "metrics": metrics,
    "options": options,
    "presets": presets,
    "findings": findings,
    "commands": commands,
    "added": added,
    "cases": cases,
}
