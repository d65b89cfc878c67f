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
    columns = ("option", "topic", "about", "default", "values", "metrics")
    found = [one for one in catalog().options.values() if topic in (None, one.topic) and one.type != "names"]
    defaults = [None if one.default is None else str(one.default) for one in found]
    rows = [
        (one.called, one.topic, one.about, default, one.choices, readers_of(one.name))
        for one, default in zip(found, defaults, strict=True)
    ]
    return pa.Table.from_pylist([dict(zip(columns, row, strict=True)) for row in rows])
