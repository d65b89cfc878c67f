"""Adds up parts: the result for all users, from the sums that partial wrote."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from recsql.base.errors import BadInput
from recsql.base.text import quoted
from recsql.base.wording import USER, spoken
from recsql.calls.call import Call, measure, order_rows
from recsql.calls.open_call import open_engine, parse_settings
from recsql.calls.parts import refuse_comparison
from recsql.calls.warnings import add_judged
from recsql.catalog import catalog
from recsql.catalog.headers import Given, Value
from recsql.catalog.options import parse_value
from recsql.catalog.roles import ROLES
from recsql.engines import Engine
from recsql.query.binding import Inputs, Relation
from recsql.query.metric import Metric
from recsql.query.plan import Pipeline, usual
from recsql.query.results import USER_OF_A_PART, metadata_of
from recsql.query.slices import slices_in
from recsql.query.templates import dialect
from recsql.tables.find import Finder
from recsql.tables.inputs import relation
from recsql.tables.part_files import PartHeader, find_parts, number_rows, read_part, refuse_parts, share, unit
from recsql.tables.source_table import SourceTable
from recsql.tables.types import check_types

STORED = {  # how Parquet stores the DuckDB types that it lacks; the values compare the same
    "UUID": "VARCHAR",
    "ENUM": "VARCHAR",
    "JSON": "VARCHAR",
    "HUGEINT": "DECIMAL(38,0)",
    "UHUGEINT": "DECIMAL(38,0)",
}
CATALOGUE = ("items", "train")  # tables of all items, which describe the whole and not a part
OF_INTERVALS = ("interval", "interval_method")  # the options that only merge takes


def merge(parts: str | Path | Iterable[str | Path], **settings: Given) -> pa.Table:
    """Combines parts into the result of `evaluate` for all of them together, identical to the last bit.

    If parts share users, as daily exports do, each user counts once per part, as a separate user. recsql detects this from
    the 256 smallest user hashes of each part. It may miss a few users that large parts share.

    Args:
        parts: The files that `partial` wrote: a path, a glob, or several of them.
        settings: `interval` and `interval_method`, as in `evaluate`, for means over users. Also `items` and `train`, if the parts
            were made with them, `user` and `item` (the columns of these tables) and `connection`.

    Returns:
        The table of `evaluate`: model, metric, k, value, users and lists, and with `interval` low, high, std_error and few. The
        metadata also has `parts`, the number of parts, and `unit`, which is "user", or "user of a part" if parts share users.

    Raises:
        BadInput: If a file is not a part, two parts come from the same rows, or no user is in the mean. Also if parts differ
            in their metrics, cut-offs, options or type of ids, or were made with another `items` or `train`. With `interval`,
            also if parts share users, because their values are not independent.
        RecsqlError: For an `interval` of a metric that is not a mean over users, and for a comparison.

    Warns:
        UserWarning: As `evaluate` does if models have no lists for more than half of the users with truth.
    """
    refuse_comparison(settings)
    paths = [*parts] if isinstance(parts, Iterable) and not isinstance(parts, str | pa.Table) else [parts]
    if any(isinstance(one, pa.Table) for one in paths):
        raise BadInput("parts: these are results, whose means can't be merged; give the files of partial, or use recsql.concat")
    given = [read_part(path) for path in find_parts(paths)]
    refuse_parts(given)
    reports = [part.header for part in given]
    asked = parse_options({name: settings[name] for name in OF_INTERVALS if settings.get(name) is not None})
    report = {**reports[0], "options": [{**made, **asked} for made in reports[0]["options"]]}
    if unit(given) == USER_OF_A_PART and "interval" in asked:
        raise BadInput("interval: these parts share users, so their values are not independent; leave interval= out")
    if "interval" in asked and share("clusters", given):
        raise BadInput("cluster: these parts share clusters, and each must be in one part; divide the users by cluster")
    others = {name: value for name, value in settings.items() if name not in OF_INTERVALS}
    with open_engine(settings) as engine, spoken(report.get("words", USER)):
        name = Relation(engine.register("parts_to_merge", number_rows(given)), quoted(", ".join(part.path for part in given)))
        calls = list(open_parts(engine, name, report, others))
        whole = replace(calls[0], pipelines=[pipeline for call in calls for pipeline in call.pipelines])
        rows, told = summarize(calls, whole)
    said = {name: value for name, value in report.items() if name not in ("cut-offs", "columns", "origin", "clustered")}
    said |= {**told, **add_judged(reports), "parts": len(given), "unit": unit(given)}
    return rows.replace_schema_metadata({"recsql": json.dumps(said)})


def summarize(calls: Sequence[Call], whole: Call) -> tuple[pa.Table, PartHeader]:
    """Computes the table of `evaluate` from one call per pipeline. Also returns further entries of the report."""
    measured = [measure(call) for call in calls]
    _, warnings, further = measured[0]
    rows = whole.described(order_rows([rows for rows, *_ in measured], whole.pipelines), warnings, **further)
    return rows, {
        name: found for name, found in metadata_of(rows).items() if name in ("models", "clustered", "options", "warnings")
    }


def open_parts(engine: Engine, together: Relation, report: PartHeader, settings: Mapping[str, Given]) -> Iterator[Call]:
    """One call per pipeline of the call that made the parts, over the parts."""
    pipelines = [pipeline_of(*one) for one in zip(report["columns"], report["options"], strict=True)]
    tables = catalogue(engine, together, pipelines, settings)
    for number, pipeline in enumerate(pipelines):
        part = f"select p.*\nfrom {together.select} as p\nwhere p.pipeline = {number}"
        inputs = Inputs(
            {**tables, "parts": replace(together, select=part)},
            dialect=engine.dialect,
            slices=tuple(slices_in(pipeline.by)),
            clustered=report["clustered"],
            fast=True,  # only the fast forms read sums
        )
        yield Call(engine, inputs, [pipeline])


def pipeline_of(columns: Iterable[PartHeader], options: Mapping[str, Given]) -> Pipeline:
    """A pipeline restored from JSON. Options that don't change its means and items have their defaults."""
    known = usual(None) | parse_options(options)
    metrics = (
        Metric(
            **{**one, "options": known | parse_options(one["options"]), "ks": tuple(one["ks"]), "made_of": tuple(one["made_of"])}
        )
        for one in columns
    )
    return Pipeline(tuple(metrics), known)


def parse_options(options: Mapping[str, Given]) -> dict[str, Value]:
    made = {name: value for name, value in options.items() if name == "rank_by"}  # as chosen, perhaps differently for models
    return {name: parse_value(catalog().options[name], value) for name, value in options.items() if name not in made} | made


def catalogue(
    engine: Engine, together: Relation, pipelines: Iterable[Pipeline], settings: Mapping[str, Given]
) -> dict[str, Relation]:
    """The tables of all items; raises BadInput if the parts were made with other ones."""
    names, others = parse_settings(settings)
    options = {name: value for name, value in others.items() if value is not None}
    of_items = [one for one in pipelines if any(column.grain == "item" for column in one.columns)]
    wanted = {name for one in of_items for name in CATALOGUE if one.options[name] is not None}
    if set(options) != wanted:
        had = " and ".join(sorted(wanted)) or "none"
        raise BadInput(
            f"merge: the parts were made with these catalogue tables: {had}; give the same tables, and no other option"
        )
    if not options:
        return {}
    of_parts = engine.columns(together.select)
    these = SourceTable("these parts", ROLES["recs"], of_parts, {"item_id": "item_id"}, table=together.select)
    given = Finder(engine, names, settings.get("input")).open_tables(options, beside=[these])
    kind = of_parts["item_id"]
    stored = {
        role: replace(one, types={name: kind if STORED.get(of.split("(")[0]) == kind else of for name, of in one.types.items()})
        for role, one in given.items()
    }
    check_types({"recs": these, **stored})
    return {role: relation(one, dialect(engine.dialect)) for role, one in given.items()}
