"""Evaluation in parts: shards of users, days of exports, machines; what each comes to is kept, and added up."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from recsql.api import LISTS_AND_ITEMS
from recsql.call import Call, Metrics, Table, averaged, calling, engine_of, in_order, parted
from recsql.catalog import Asked, Value, catalog
from recsql.engines import Engine
from recsql.errors import BadInput, RecsqlError
from recsql.given import Given
from recsql.inputs import check_types, relation, taken
from recsql.output import whole, write_parquet
from recsql.paths import is_there, matches
from recsql.plan import Cutoffs, Pipeline
from recsql.render import Column, Inputs, Relation, Rendering, Statement, steps_in
from recsql.roles import ROLES
from recsql.templates import dialect
from recsql.text import code, quoted

SAME = {  # what the parts of a whole agree on, and what is said of one that doesn't
    "metrics": "different metrics",
    "cut-offs": "different cut-offs",
    "options": "different options",
    "presets": "different presets",
    "columns": "a different order of metrics",
}
TARGETS = {"user": "partial", "item": "partial_items"}  # what is written of the metrics of a grain
STORED = {  # what Parquet has of DuckDB's types where it has none like them; the values compare alike
    "UUID": "VARCHAR",
    "ENUM": "VARCHAR",
    "JSON": "VARCHAR",
    "HUGEINT": "DECIMAL(38,0)",
    "UHUGEINT": "DECIMAL(38,0)",
}
USER_OF_A_PART = "user of a part"  # the unit of the mean where parts share users, as days of exports do
CATALOGUE = ("items", "train")  # the tables that say which items there are: of the whole, and not of a part


def partial(recs: Table, truth: Table, path: str, metrics: Metrics = None, k: Cutoffs = None, **settings: Value) -> None:
    """Writes what the metrics of these users are made of as a Parquet file, for `merge` to add to that of others.

    Args:
        recs, truth, metrics, k, settings: what `evaluate` takes. Each user's lists and truth must be in the same part.
        path: the file. A row per model, metric and cut-off: model, has_lists, metric, k, headcount (how many are in the mean),
            users (of how many the metric has a value), sum (exact, in units of 1e-18), squares (the sum of the squares), zeros
            (how many values are 0), users_with_truth, lists, lists_without_truth, longest_list, place, pipeline (the number of
            the query in the call). Rows where has_lists is false are those of a model that has no list here. The metrics of all
            lists together have a row per model with the counts alone, and one per model, cut-off and item: item_id, times (how
            often it stands down to k, and not down to the cut-off before), exposure (the sum of its discounts, in the same
            units, where a metric asks). Metrics that other means are made of are there with a place below 0.

    Raises:
        RecsqlError: as `evaluate`, for a metric that no sums over users or items give, and for a table of users of whom those
            without a list and without truth count: they would in every part.
    """
    with calling(LISTS_AND_ITEMS, {"recs": recs, "truth": truth}, metrics, k, settings) as call, whole(path) as beside:
        call.refuse(path)
        for pipeline in call.pipelines:
            for column in pipeline.columns:
                refuse(column, pipeline.options_of(column))
        rows = pa.concat_tables(portions(call), promote_options="default")
        metadata = {"recsql": call.report(**beyond_report(call.pipelines), origin=origin(call))}
        write_parquet(rows.replace_schema_metadata(metadata), beside)


def origin(call: Call) -> dict[str, Any]:
    """What a part is made from: a fingerprint of its rows, none where there are none, and the smallest hashes of its users."""
    first = next(call.renderings(partial=True))
    [row] = call.engine.query(first.query("targets/origin.sql")).to_pylist()
    return {"fingerprint": row["fingerprint"], "users": row["users"] or []}


def refuse(column: Column, options: Mapping[str, Value]) -> None:
    """Raises RecsqlError where a metric can't be had in parts."""
    if any(value in catalog().options[name].of_lists for name, value in options.items()):
        raise RecsqlError(f"{column.label} compares each list with all others and can't be computed in parts; leave it out")


def portions(call: Call) -> Iterator[pa.Table]:
    """The rows of a part, grain by grain of each pipeline."""
    for number, rendering in enumerate(call.renderings(averaged=True, counted=True, partial=True)):
        for grain, target in TARGETS.items():
            if columns := rendering.columns_of(grain):
                alone = Rendering(replace(rendering.inputs, columns=columns))
                query = alone.query(f"targets/{target}.sql")
                refuse_users_of_others(query)
                rows = call.engine.query(query)
                yield rows.append_column("pipeline", pa.array([number] * rows.num_rows, pa.int32()))


def refuse_users_of_others(query: Statement) -> None:
    """Raises RecsqlError where a table of users says who is in the mean, with or without a list or truth in this part."""
    if "given_users" in steps_in(code(query.steps.get("candidates", ""))):
        raise RecsqlError(
            "users: each part would count all users of the table, also those of others; set no_truth = 'skip', or pass no table"
        )


def beyond_report(pipelines: Sequence[Pipeline]) -> dict[str, Any]:
    """What `merge` needs to know beyond what a result says of itself."""
    return {
        "cut-offs": {column.label: column.ks for one in pipelines for column in one.columns if column.shown},
        "columns": [[asdict(column) for column in one.columns] for one in pipelines],
    }


def merge(parts: str | Path | Iterable[str | Path], **settings: Value) -> pa.Table:
    """What `evaluate` gives on all the parts together, to the last bit: model, metric, k, value, users, with its metadata.

    The metadata has further `parts`, how many there are, and `unit`: "user", or "user of a part" where parts share users, as
    days of exports do. A user then counts once in each part, as a user of their own. Parts are known to share users by the 256
    smallest hashes of the users of each, so a few users that large parts share may go unnoticed.

    Args:
        parts: the files that `partial` wrote: a path, a glob or several of them.
        settings: items and train, the tables of the catalogue, where the parts were made with them; item, the name of that
            column there; connection.

    Raises:
        BadInput: for a file that is no part, for two parts made from the same rows, for parts of other metrics, at other
            cut-offs, under other options or with ids of another type than the first, where tables are given and the parts were
            made without, or the other way round, and where nobody is in the mean.
    """
    if not isinstance(parts, str | Path | Iterable):
        raise BadInput(f"parts: {parts!r} is not a path; name the files that partial wrote")
    files = found([parts] if isinstance(parts, str | Path) else parts)
    tables = [read(path) for path in files]
    reports = [json.loads(table.schema.metadata[b"recsql"]) for table in tables]
    refuse_other_calls(files, reports)
    refuse_copies(files, reports)
    refuse_other_ids(files, tables)
    report = reports[0]
    with engine_of(settings) as engine:
        together = Relation(engine.register("parts_to_merge", numbered(tables)), quoted(", ".join(files)))
        calls = list(merging(engine, together, report, settings))
        merged = [averaged(call) for call in calls]
    told = {name: value for name, value in report.items() if name not in ("cut-offs", "columns", "origin")}
    told |= {"models": json.loads(merged[0].schema.metadata[b"recsql"])["models"], "parts": len(files), "unit": unit(reports)}
    rows = in_order(merged, [pipeline for call in calls for pipeline in call.pipelines])
    return rows.replace_schema_metadata({"recsql": json.dumps(told)})


def refuse_other_calls(files: Sequence[str], reports: Sequence[Mapping[str, Any]]) -> None:
    """Raises BadInput where the parts were not made with one call."""
    for path, report in zip(files, reports, strict=True):
        for name, other in SAME.items():
            if report[name] != reports[0][name]:
                what, which = differing(report, reports[0]) if name == "metrics" else (other, "")
                raise BadInput(f"{path}: it has {what} from {files[0]}{which}; only parts of the same call can be merged")


def refuse_copies(files: Sequence[str], reports: Sequence[Mapping[str, Any]]) -> None:
    """Raises BadInput where two parts were made from the same rows."""
    made: dict[str, str] = {}
    for path, report in zip(files, reports, strict=True):
        fingerprint = report["origin"]["fingerprint"]
        if fingerprint in made:
            raise BadInput(f"{path}: it was made from the same rows as {made[fingerprint]}; a part counts once, so leave one out")
        if fingerprint is not None:
            made[fingerprint] = path


def unit(reports: Sequence[Mapping[str, Any]]) -> str:
    """What the means are over. Parts that share one of their smallest hashes share a user, who counts in each of them."""
    parts_of = Counter(user for report in reports for user in report["origin"]["users"])
    return USER_OF_A_PART if any(parts > 1 for parts in parts_of.values()) else "user"


def numbered(tables: Sequence[pa.Table]) -> pa.Table:
    """The rows of all parts, with the number of the part."""
    rows = [table.append_column("part", pa.array([n] * table.num_rows, pa.int32())) for n, table in enumerate(tables)]
    return pa.concat_tables(rows, promote_options="permissive").replace_schema_metadata()


def differing(report: Mapping[str, Any], first: Mapping[str, Any]) -> tuple[str, str]:
    """What is said of parts whose metrics differ: the labels that only one has, else the options of a metric."""
    ours, theirs = report["metrics"], first["metrics"]
    if apart := sorted({*ours} ^ {*theirs}):
        return SAME["metrics"], f" ({', '.join(apart)})"
    label = next(label for label in ours if ours[label] != theirs[label])
    pairs = {name: (value, theirs[label].get(name)) for name, value in ours[label].items()}
    named = [f"{name} = {one!r}, not {other!r}" for name, (one, other) in pairs.items() if one != other]
    return SAME["options"], f" ({label}: {', '.join(named)})"


def refuse_other_ids(files: Sequence[str], tables: Sequence[pa.Table]) -> None:
    """Raises BadInput where items are told apart by ids of another type than in the first part."""
    kinds = [table.schema.field("item_id").type if "item_id" in table.column_names else None for table in tables]
    for path, kind in zip(files, kinds, strict=True):
        if kind != kinds[0] and not (pa.types.is_integer(kind) and pa.types.is_integer(kinds[0])):
            types = {"in_left": kinds[0], "in_right": kind}
            raise BadInput(catalog().say("id_types", column="item_id", left=files[0], right=path, **types))


def merging(engine: Engine, together: Relation, report: Mapping[str, Any], settings: Mapping[str, Value]) -> Iterator[Call]:
    """What the parts were made with as calls that read the parts, one a pipeline."""
    pipelines = [pipeline_of(*one) for one in zip(report["columns"], report["options"], strict=True)]
    tables = catalogue(engine, together, pipelines, settings)
    for number, pipeline in enumerate(pipelines):
        part = replace(together, select=f"select p.*\nfrom {together.select} as p\nwhere p.pipeline = {number}")
        yield Call(engine, Inputs({**tables, "parts": part}, dialect=engine.dialect), [pipeline])


def pipeline_of(columns: Iterable[Mapping[str, Any]], options: Mapping[str, Value]) -> Pipeline:
    """A pipeline as it was before it was written as JSON, but for options that its means and items don't depend on."""
    usual = {name: option.default for name, option in catalog().options.items()}
    return Pipeline(tuple(Column(**{**column, **of_column(column)}) for column in columns), {**usual, **options})


def catalogue(
    engine: Engine, together: Relation, pipelines: Iterable[Pipeline], settings: Mapping[str, Value]
) -> dict[str, Relation]:
    """The tables that say which items there are; raises BadInput where they aren't those that the parts were made with."""
    names, others = parted(settings)
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
    these = Given("these parts", of_parts, {"item_id": "item_id"}, table=together.select)
    given = taken(engine, options, names, settings.get("input"), beside=[these])
    stored = {role: replace(one, types=as_stored(one.types, of_parts["item_id"])) for role, one in given.items()}
    check_types({"recs": these, **stored})
    return {role: relation(ROLES[role], one, dialect(engine.dialect)) for role, one in given.items()}


def as_stored(types: Mapping[str, str], of_parts: str) -> dict[str, str]:
    """The types of a table, but that of the ids in the parts for what became one when it was written."""
    return {name: of_parts if STORED.get(kind.split("(")[0]) == of_parts else kind for name, kind in types.items()}


def of_column(column: Mapping[str, Any]) -> dict[str, Any]:
    """What JSON has made lists of."""
    asked = column["asked"]
    options = tuple((name, value) for name, value in asked["options"])
    return {"asked": Asked(asked["metric"], options, asked["k"]), "ks": tuple(column["ks"]), "made_of": tuple(column["made_of"])}


def found(parts: Iterable[str | Path]) -> list[str]:
    """The files behind paths and globs; raises BadInput where there is none, and where one is named twice."""
    files = [path for part in map(str, parts) for path in behind(part)]
    if not files:
        raise BadInput("parts: the list is empty; name the files that partial wrote")
    same = [Path(path).resolve() for path in files]
    for path, file in zip(files, same, strict=True):
        if same.count(file) > 1:
            raise BadInput(f"{path}: it is named more than once; name each part once")
    return files


def behind(part: str) -> list[str]:
    """The file at a path, or those behind a glob; raises BadInput where there is none on this machine."""
    if "://" in part:
        raise BadInput(f"{part}: merge reads files of this machine; copy the parts here first")
    return [part] if is_there(part, "file") else matches(part)


def read(path: str) -> pa.Table:
    """A part as it was written."""
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
    except (OSError, pa.ArrowInvalid):
        raise BadInput(f"{path}: it is not a Parquet file; merge takes the files that partial wrote") from None
    metadata: dict[bytes, Any] = table.schema.metadata or {}
    if b"recsql" not in metadata or "has_lists" not in table.column_names:
        raise BadInput(f"{path}: it is not a part; merge takes the files that partial wrote")
    return table
