"""Help from Python: what the command line's help has."""

import inspect

import pyarrow as pa

import recsql
from recsql.base.errors import UnknownName, nearest
from recsql.base.printing import print_text
from recsql.catalog import catalog
from recsql.display.topics import help_text, titles
from recsql.query.metric_names import readers_of


def help(name: str | None = None) -> None:
    """Prints what a function, a topic of options, an option or a metric is, as in `help("ties")`; without a name, all of these.

    Raises:
        UnknownName: If nothing has that name.
    """
    if name is None:
        functions = ", ".join(one for one in recsql.__all__ if one.islower())
        print_text(f"functions: {functions}\n\n{titles([*catalog().topics.values()])}\nmetrics: {', '.join(catalog().metrics)}")
    elif name in recsql.__all__:
        one = getattr(recsql, name)
        print_text(f"{name}{inspect.signature(one)}\n\n{inspect.getdoc(one)}")
    else:
        print_text(help_text(name, recsql.__all__))


def options(topic: str | None = None) -> pa.Table:
    """Returns the options of all functions, or those of a topic: option, topic, about, default, values and metrics.

    `metrics` names the metrics that the option can change.

    Raises:
        UnknownName: If there is no such topic.
    """
    topics = catalog().topics
    if topic is not None and topic not in topics:
        raise UnknownName(f"there is no topic {topic!r}; {nearest(topic, topics)}choose one of {', '.join(topics)}")
    rows = [
        {
            "option": one.called,
            "topic": one.topic,
            "about": one.about,
            "default": None if one.default is None else str(one.default),
            "values": one.choices,
            "metrics": readers_of(one.name),
        }
        for one in catalog().options.values()
        if topic in (None, one.topic) and one.type != "names"
    ]
    return pa.Table.from_pylist(rows)
