"""The table train of a call that looks up what users have seen."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from recsql.base.errors import RecsqlError
from recsql.catalog.options import IDLE_TRAIN, SEEN_WITHOUT_TRAIN
from recsql.query.plan import LISTS, USERS, Pipeline
from recsql.query.slices import of_activity
from recsql.tables.segments import refuse_train
from recsql.tables.source_table import Given


def refuse_seen(pipelines: Sequence[Pipeline], grains: Sequence[str]) -> None:
    """Raises RecsqlError if the option seen lacks the table train, or if nothing reads that table."""
    if grains in (LISTS, USERS):
        refuse_idle_train(pipelines)
    for seen in looked_up(pipelines):
        if pipelines[0].options["train"] is None:
            raise RecsqlError(SEEN_WITHOUT_TRAIN.format(seen=seen))


def refuse_idle_train(pipelines: Sequence[Pipeline]) -> None:
    """Raises RecsqlError if a call without metrics of all lists together has a table train that nothing reads."""
    options = pipelines[0].options
    is_read = looked_up(pipelines) or any(map(of_activity, options["by"] or ()))
    if options["train"] is not None and not is_read:
        raise RecsqlError(IDLE_TRAIN)


def refuse_unknown_users(pipelines: Iterable[Pipeline], found: Mapping[str, Given]) -> None:
    """Raises BadInput if what users have seen is looked up and train has no column of users with the ids of recs."""
    if looked_up(pipelines):
        refuse_train(found["train"], found["recs"], "which seen= needs")


def looked_up(pipelines: Iterable[Pipeline]) -> Collection[str]:
    """The values of the option seen for which train is read."""
    return {str(pipeline.options["seen"]) for pipeline in pipelines} - {"keep"}
