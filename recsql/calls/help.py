"""Help from Python: what the command line's help has."""

from inspect import getdoc, signature

import pyarrow as pa

import recsql
from recsql.base.errors import UnknownName, nearest
from recsql.base.printing import print_text
from recsql.catalog import catalog
from recsql.display.topics import help_text, titles
from recsql.query.metric_names import readers_of


def help(name: str = "") -> None:
    """Prints what a function, a topic of options, an option or a metric is, as of `help("ties")`; without a name, what there is.

    Raises UnknownName, with the nearest name, if nothing has that one.
    """
    if name in recsql.__all__:
        print_text(f"{name}{signature(one := getattr(recsql, name))}\n\n{getdoc(one)}")
    else:
        listed = {"functions": filter(str.islower, recsql.__all__), **catalog().groups}
        there = [*(f"{kind}: {', '.join(names)}" for kind, names in listed.items()), titles([*catalog().topics.values()])]
        print_text(help_text(name, recsql.__all__) if name else "\n\n".join(there).rstrip())


def options(topic: str | None = None) -> pa.Table:
    """Returns the options of all functions, or those of a topic, a row each, with the metrics whose value each can change.

    Raises UnknownName if there is no such topic.
    """
    if topic not in (None, *(topics := catalog().topics)):
        raise UnknownName(f"there is no topic {topic!r}; {nearest(str(topic), topics)}choose one of {', '.join(topics)}")
    found = [one for one in catalog().options.values() if topic in (None, one.topic) and one.type != "names"]
    texts = {name: [getattr(one, name) for one in found] for name in ("called", "topic", "about", "default", "choices")}
    texts |= {"default": [None if one is None else str(one) for one in texts["default"]]}
    columns = ["option", "topic", "about", "default", "values", "metrics"]
    return pa.table([*texts.values(), [readers_of(one.name) for one in found]], columns)
