"""A call that splits interactions."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from recsql.binding import Inputs
from recsql.call import Call, Table, engine_of, parted
from recsql.files import naming
from recsql.headers import Value
from recsql.inputs import split_of, taken
from recsql.plan import plan
from recsql.templates import dialect


@contextmanager
def splitting(interactions: Table, settings: Mapping[str, Value]) -> Iterator[Call]:
    """A call that splits interactions; all their columns keep their names."""
    names, options = parted(settings)
    pipelines = plan(None, None, options, ("interaction",))
    with engine_of(settings) as engine:
        found = taken(engine, {"interactions": interactions}, names, settings.get("input"))["interactions"]
        rows, read = split_of(found, pipelines[0].options["order_by"], dialect(engine.dialect))
        with naming(found.parquet):
            yield Call(engine, Inputs({"interactions": rows}, names=read, dialect=engine.dialect), pipelines, found.paths)
