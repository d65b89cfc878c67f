"""What orders the lists of a call: the column rank or the column score."""

from collections.abc import Mapping

from recsql.base.errors import BadInput
from recsql.catalog.roles import ORDERS, Names
from recsql.query.plan import Pipeline
from recsql.tables.rename_columns import saying
from recsql.tables.source_table import Given


def ordered(pipeline: Pipeline, found: Mapping[str, Given], names: Names) -> Pipeline:
    """The pipeline with the column that orders its lists as the option rank_by.

    Raises BadInput if there is no such column, or if models differ in it.
    """
    preferred, recs = pipeline.options["rank_by"], found.get("recs")
    truth_orders = "truth" in found and not {*ORDERS}.isdisjoint(map(str.lower, found["truth"].types))
    way = f"{saying(*ORDERS)}{'; or are the tables swapped? recommendations come first' if truth_orders else ''}"
    by = order(recs, pipeline.rank_by, preferred, names, way) if recs else pipeline.rank_by or preferred
    if by == "rank" and pipeline.options["order"] == "asc":
        instead = "add rank_by='score', or leave it out"
        raise BadInput(f"order='asc': it is about scores, but the lists are ordered by rank; {instead}")
    return pipeline.under(rank_by=by)


def order(recs: Given, asked: str | None, preferred: str | None, names: Names, way: str) -> str:
    """The column that orders the lists of all models."""
    each = [one for one in recs.each if not one.is_empty] or recs.each
    orders = {one.name: order_of(one, asked, preferred, names, way) for one in each}
    first, by = next(iter(orders.items()))
    for other, others in orders.items():
        if others != by:
            raise BadInput(f"{other}: its lists are ordered by {others}, but those of {first} by {by}; {saying(*ORDERS)} for all")
    return by


def order_of(found: Given, asked: str | None, preferred: str | None, names: Names, way: str) -> str:
    """The column that orders the lists of one table.

    A preset's preference applies only if its column exists: a list that has only ranks has no ties to break. TREC's tools order
    a run by score, whatever its ranks are.
    """
    asked = asked or ("score" if names.score else None)
    usual = [by for by in (("score",) if found.kind == "trec" else (preferred, *ORDERS)) if by and found.has(by)]
    by = asked or (usual[0] if usual else "rank")
    if not found.has(by):
        what = "no column rank or score" if asked is None else f"no column {by} to order the lists by"
        raise BadInput(f"{found.name}: there is {what}; it has {', '.join(found.types)}; {way}")
    return by
