"""The help of topics, options and metrics, as text for a terminal, in the words of Python or of the command line."""

import shutil
from collections.abc import Collection, Sequence
from contextlib import suppress
from textwrap import fill, shorten

from recsql.base.errors import RecsqlError, UnknownName, nearest
from recsql.base.wording import either, flag
from recsql.catalog import GRAINS, catalog
from recsql.catalog.grammar import find_metric
from recsql.catalog.headers import PRESET, Option, Topic, canonical
from recsql.query.metric_names import options_of, readers_of

EVERY = {  # all metrics of a grain
    "user": "every metric of the users' lists",
    "list": "every mean over lists",
    "item": "every metric of all lists together",
    "item_group": "every metric of groups of items",
    "rating": "every metric of ratings",
}
NAME_WIDTH = 16  # the width of the column of names


def help_text(name: str, others: Collection[str]) -> str:
    """The text on the metric, topic or option of a name; raises UnknownName with the nearest one, also of `others`."""
    topics, metric = catalog().topics, None
    with suppress(RecsqlError):  # no metric has that name, or several have it
        metric = find_metric(name.partition("@")[0]).metric
    options = sorted(catalog().options.values(), key=lambda option: option.name == option.called)
    known = {option.called: topics[option.topic] for option in options} | topics
    topic = known.get(canonical(name.lstrip("-")))
    if not metric and not topic:
        kind, hint = either("function", "command"), nearest(name, [*others, *known, *catalog().names])
        raise UnknownName(f"there is no {kind}, topic, option or metric {name}; {hint}".rstrip("; "))
    texts = [metric_text(metric)] if metric else []
    if topic and (name in topics or not metric):
        texts.append(topic_text(topic))
    return "\n\n".join(texts).rstrip()


def topics_of(grains: Sequence[str]) -> list[Topic]:
    """The topics of some grains, with their options."""
    usable = catalog().options_of(grains)
    kept = ((topic, {name: one for name, one in topic.options.items() if name in usable}) for topic in catalog().topics.values())
    return [Topic(topic.name, topic.title, options) for topic, options in kept if options]


def topic_text(topic: Topic, taken: Collection[str] = ()) -> str:
    """A topic with its options; `taken` are the names of all options shown with it, which no short flag may have."""
    options = "\n".join(option_text(option, taken) for option in topic.options.values() if option.type != "names")
    return f"{wrapped(f'{topic.name}: {topic.title}', 0)}\n\n{options}"


def metric_text(name: str) -> str:
    """A metric: its definition, other names, care, source and options."""
    source = catalog().metrics[name]
    libraries = [f"{', '.join(names)} in {library}" for library, names in source.header.get("names", {}).items()]
    facts = {
        "": source.header["formula"],
        "other names: ": ", ".join(source.header["aliases"]),
        "in libraries: ": "; ".join(libraries),
        "take care: ": source.header["care"],
        "reference: ": source.header["reference"],
        f"options (`{asking('OPTION')}`): ": ", ".join(written(catalog().options[one].called) for one in options_of(name)),
    }
    lines = [wrapped(f"{title}{text}", 2) for title, text in facts.items() if text]
    return "\n".join([wrapped(f"{name}: {source.header['title']}", 0), "", *lines])


def metrics_text() -> str:
    """All metrics by group, a line each, with as much of the definition as it has room for."""
    room = max(map(len, catalog().metrics)) + 2
    lines = {
        name: name.ljust(room) + shorten(f"{one.header['title']}: {one.header['formula']}", width() - room, placeholder=" ...")
        for name, one in catalog().metrics.items()
    }
    groups = [section(title, [lines[name] for name in names]) for title, names in catalog().groups.items()]
    more = f"`{asking('METRIC')}` has the whole definition, the other names and the options of one."
    return "\n".join([*groups, wrapped(more, 0)])


def option_text(option: Option, taken: Collection[str]) -> str:
    """An option with its values and the metrics that read it."""
    name = option.name.replace("__", "_") if option.called in taken else option.called
    usual = "" if option.default is None else f"default: {option.default}"
    alone = "" if option.alone is None else either(f"True: {option.alone}", f"without a value: {option.alone}")
    limits = ", ".join(filter(None, [option.bound, usual, alone]))
    room = max(map(len, option.choices), default=0) + 2
    values = [row(value, about, 6, room) for value, about in option.values]
    head = wrapped(f"{written(name)} {option.type.upper()}{f'  ({limits})' if limits else ''}", 2)
    reading, told = readers_of(option.name) if option.type != PRESET else (), []  # a preset changes all metrics
    for grain in GRAINS:
        of_grain = [name for name, source in catalog().metrics.items() if source.grain == grain]
        found = [name for name in of_grain if name in reading]
        told += [EVERY[grain]] if found == of_grain else found
    readers = [wrapped(f"read by {', '.join(told)}", 6)] if told else []
    return "\n".join([head, wrapped(option.about, 6), *values, *readers, ""])


def titles(topics: Sequence[Topic]) -> str:
    """The topics with their titles, for the end of a help."""
    return section(of_topics(), [row(topic.name, topic.title) for topic in topics], indent="")


def topic_names() -> str:
    """All topics, without their titles."""
    return section(of_topics(), [wrapped(", ".join(catalog().topics), 2)], indent="")


def of_topics() -> str:
    return f"options that change numbers, by topic (`{asking('TOPIC')}`)"


def asking(name: str) -> str:
    """How to ask for the help on something."""
    return either(f"recsql.help({name})", f"recsql help {name}")


def written(option: str) -> str:
    """How a call sets an option."""
    return either(f"{option}=", flag(option))


def section(title: str, lines: Sequence[str], indent: str = "  ") -> str:
    """Lines under a title; empty if there are no lines."""
    return "".join([f"{title}:\n", *(f"{indent}{line}\n" for line in lines)]) if lines else ""


def row(name: str, about: str, indent: int = 2, room: int = NAME_WIDTH) -> str:
    """A line, or several, with a name and its description in two columns."""
    start = f"{' ' * indent}{name.ljust(room)}"
    return fill(about, width(), initial_indent=start, subsequent_indent=" " * len(start))


def wrapped(text: str, indent: int) -> str:
    return fill(text, width(), initial_indent=" " * indent, subsequent_indent=" " * indent, break_on_hyphens=False)


def width() -> int:
    return shutil.get_terminal_size().columns - 2
