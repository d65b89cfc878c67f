"""What orders the lists of a call: the column rank or the column score."""

from collections.abc import Mapping

from recsql.base.errors import BadInput
from recsql.catalog.roles import ORDERS, Names
from recsql.query.plan import Pipeline
from recsql.tables.rename_columns import saying
from recsql.tables.source_table import SourceTable


def ordered(pipeline: Pipeline, found: Mapping[str, SourceTable], names: Names) -> Pipeline:
    """The pipeline with the column that orders its lists as the option rank_by.

    Raises BadInput if there is no such column, or if models differ in it.
    """
    by = pipeline.rank_by or pipeline.options["rank_by"]
    if "recs" in found:
        truth_orders = "truth" in found and not {*ORDERS}.isdisjoint(map(str.lower, found["truth"].types))
        way = f"{saying(*ORDERS)}{'; or are the tables swapped? recommendations come first' if truth_orders else ''}"
        tables = found["recs"].each
        tables = [one for one in tables if not one.is_empty] or tables
        (first, by), *others = [(one.name, order_of(one, pipeline, names, way)) for one in tables]
        for name, other in others:
            if other != by:
                raise BadInput(
                    f"{name}: its lists are ordered by {other}, but those of {first} by {by}; {saying(*ORDERS)} for all"
                )
    if by == "rank" and pipeline.options["order"] == "asc":
        instead = "add rank_by='score', or leave it out"
        raise BadInput(f"order='asc': it is about scores, but the lists are ordered by rank; {instead}")
    return pipeline.under(rank_by=by)


def order_of(found: SourceTable, pipeline: Pipeline, names: Names, way: str) -> str:
    """The column that orders the lists of one table.

    A preset's preference applies only if its column exists: a list that has only ranks has no ties to break. TREC's tools order
    a run by score, whatever its ranks are.
    """
    asked = pipeline.rank_by or ("score" if names.score else None)
    preferred = ("score",) if found.kind == "trec" else (pipeline.options["rank_by"], *ORDERS)
    by: str = asked or next((one for one in preferred if one and found.has(one)), "rank")
    if not found.has(by):
        what = "no column rank or score" if asked is None else f"no column {by} to order the lists by"
        raise BadInput(f"{found.name}: there is {what}; it has {', '.join(found.types)}; {way}")
    return by
