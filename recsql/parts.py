"""Evaluation in parts, such as shards of users or daily exports: each part keeps sums, which are then added up."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from recsql.binding import Column, Inputs, Relation
from recsql.call import Call, Metrics, Table, averaged, calling, engine_of, in_order, parted
from recsql.catalog import catalog
from recsql.engines import Engine
from recsql.errors import BadInput, RecsqlError
from recsql.given import Given
from recsql.grammar import Asked
from recsql.headers import Value
from recsql.inputs import check_types, relation, taken
from recsql.options import checked
from recsql.output import write_parquet
from recsql.paths import is_there, matches, whole
from recsql.plan import LISTS_AND_ITEMS, Cutoffs, Pipeline
from recsql.render import Query, looks_at_lists
from recsql.roles import ROLES
from recsql.statement import Statement, steps_in
from recsql.templates import dialect
from recsql.text import code, quoted

SAME = {  # what all parts must have in common, and the words for a part that differs
    "metrics": "different metrics",
    "cut-offs": "different cut-offs",
    "options": "different options",
    "presets": "different presets",
    "columns": "a different order of metrics",
}
TARGETS = {"user": "partial", "item": "partial_items"}  # the template that writes the metrics of a grain
STORED = {  # how Parquet stores the DuckDB types that it lacks; the values compare the same
    "UUID": "VARCHAR",
    "ENUM": "VARCHAR",
    "JSON": "VARCHAR",
    "HUGEINT": "DECIMAL(38,0)",
    "UHUGEINT": "DECIMAL(38,0)",
}
USER_OF_A_PART = "user of a part"  # the unit of the mean if parts share users, as daily exports do
CATALOGUE = ("items", "train")  # the tables that list all items; they describe the whole, not a part
OF_INTERVALS = ("interval", "interval_method")  # the options that only merge takes


def partial(recs: Table, truth: Table, path: str, metrics: Metrics = None, k: Cutoffs = None, **settings: Value) -> None:
    """Writes the sums behind the metrics of these users to a Parquet file, for `merge` to combine with other parts.

    Args:
        recs, truth, metrics, k, settings: As in `evaluate`. Each user's lists and truth must be in the same part.
        path: The Parquet file to write.

    The file has one row per model, metric and cut-off. Its columns are
        - model, metric, k (10**18 for the whole list), and has_lists: false for a model without a list in this part;
        - headcount: the users in the mean; users: those for whom the metric has a value;
        - sum: exact, in units of 1e-18; squares: the sum of the squares, likewise, NULL if a value is beyond 3e4; zeros: the
          number of values that are 0;
        - users_with_truth, lists, lists_without_truth and longest_list, the counts of `evaluate`;
        - place: the position of the metric in the call, negative for a metric that only other means need;
        - pipeline: the number of the query in the call.
    Metrics of all lists together have one row per model with the counts only, and one per model, cut-off and item. The latter
    have item_id, times and exposure. `times` is how often the item occurs in the top k, but not in the top of the cut-off before.
    `exposure` is the sum of its discounts in units of 1e-18, if a metric needs it.

    Raises:
        RecsqlError: As `evaluate` does, and for a metric that can't be computed from sums over users or items. Also if `users`
            is a table whose users count even without a list or truth, because they would count in every part.
    """
    with calling(LISTS_AND_ITEMS, {"recs": recs, "truth": truth}, metrics, k, settings) as call, whole(path) as beside:
        call.refuse(path)
        for binding in call.bindings(partial=True):
            for column in binding.columns:
                refuse(binding, column)
        rows = pa.concat_tables(portions(call), promote_options="default")
        metadata = {"recsql": call.report(**beyond_report(call.pipelines), origin=origin(call))}
        write_parquet(rows.replace_schema_metadata(metadata), beside)


def origin(call: Call) -> dict[str, Any]:
    """What a part was made from: a fingerprint of its rows (None without rows) and the smallest hashes of its users."""
    query = Query(next(call.bindings(partial=True)), "origin").statement()
    [row] = call.engine.query(query).to_pylist()
    return {"fingerprint": row["fingerprint"], "users": row["users"] or []}


def refuse(binding: Inputs, column: Column) -> None:
    """Raises RecsqlError if a metric can't be computed in parts."""
    if looks_at_lists(binding, column):
        raise RecsqlError(
            f"{column.label} looks at each list, while parts only count how often items are recommended; leave it out"
        )


def portions(call: Call) -> Iterator[pa.Table]:
    """The rows of a part: for each pipeline, one table per grain."""
    for number, binding in enumerate(call.bindings(averaged=True, counted=True, partial=True)):
        for grain, target in TARGETS.items():
            if columns := binding.columns_of(grain):
                query = Query(replace(binding, columns=columns), target).statement()
                refuse_users_of_others(query)
                rows = call.engine.query(query)
                yield rows.append_column("pipeline", pa.array([number] * rows.num_rows, pa.int32()))


def refuse_users_of_others(query: Statement) -> None:
    """Raises RecsqlError if a table of users puts users in the mean that have no list and no truth in this part."""
    if "given_users" in steps_in(code(query.steps.get("candidates", ""))):
        raise RecsqlError(
            "users: each part would count all users of the table, also those of others; set no_truth = 'skip', or pass no table"
        )


def beyond_report(pipelines: Sequence[Pipeline]) -> dict[str, Any]:
    """What `merge` needs beyond the report of a result."""
    return {
        "cut-offs": {column.label: column.ks for one in pipelines for column in one.columns if column.shown},
        "columns": [[asdict(column) for column in one.columns] for one in pipelines],
    }


def merge(parts: str | Path | Iterable[str | Path], **settings: Value) -> pa.Table:
    """Combines parts into the result that `evaluate` gives for all of them together, identical to the last bit.

    If parts share users, as daily exports do, each user counts once per part, as a separate user. recsql detects this from
    the 256 smallest user hashes of each part. It may miss a few users that large parts share.

    Args:
        parts: The files that `partial` wrote: a path, a glob, or several of them.
        settings: `interval` and `interval_method`, as in `evaluate`, for means over users; `items` and `train`, if the parts
            were made with them, `item` (the item column of these tables) and `connection`.

    Returns:
        The table of `evaluate`: model, metric, k, value and users, and with `interval` low, high, std_error and few. Its metadata
        also has `parts`, the number of parts, and `unit`, which is "user", or "user of a part" if parts share users.

    Raises:
        BadInput: If a file is not a part, two parts come from the same rows, or no user is in the mean. Also if parts differ
            in their metrics, cut-offs, options or type of ids, or were made with another `items` or `train`. With `interval`,
            also if parts share users, because their values are not independent.
    """
    if not isinstance(parts, str | Path | Iterable):
        raise BadInput(f"parts: {parts!r} is not a path; name the files that partial wrote")
    files = found([parts] if isinstance(parts, str | Path) else parts)
    tables = [read(path) for path in files]
    reports = [json.loads(table.schema.metadata[b"recsql"]) for table in tables]
    refuse_other_calls(files, reports)
    refuse_copies(files, reports)
    refuse_other_ids(files, tables)
    report = reports[0] | {"options": [one | asked_of(settings) for one in reports[0]["options"]]}
    if unit(reports) == USER_OF_A_PART and report["options"][0].get("interval") is not None:
        raise BadInput("interval: these parts share users, whose values in two parts belong together; leave interval out")
    with engine_of(settings) as engine:
        together = Relation(engine.register("parts_to_merge", numbered(tables)), quoted(", ".join(files)))
        calls = list(merging(engine, together, report, settings))
        merged = [averaged(call) for call in calls]
    told = {name: value for name, value in report.items() if name not in ("cut-offs", "columns", "origin")}
    told |= {"models": json.loads(merged[0].schema.metadata[b"recsql"])["models"], "parts": len(files), "unit": unit(reports)}
    rows = in_order(merged, [pipeline for call in calls for pipeline in call.pipelines])
    return rows.replace_schema_metadata({"recsql": json.dumps(told)})


def asked_of(settings: Mapping[str, Value]) -> dict[str, Value]:
    """The options of intervals in a call, checked."""
    options = catalog().options
    return {name: checked(options[name], settings[name]) for name in OF_INTERVALS if settings.get(name) is not None}


def refuse_other_calls(files: Sequence[str], reports: Sequence[Mapping[str, Any]]) -> None:
    """Raises BadInput if the parts were not made with the same call."""
    for path, report in zip(files, reports, strict=True):
        for name, other in SAME.items():
            if report[name] != reports[0][name]:
                what, which = differing(report, reports[0]) if name == "metrics" else (other, "")
                raise BadInput(f"{path}: it has {what} from {files[0]}{which}; only parts of the same call can be merged")


def refuse_copies(files: Sequence[str], reports: Sequence[Mapping[str, Any]]) -> None:
    """Raises BadInput if two parts were made from the same rows."""
    made: dict[str, str] = {}
    for path, report in zip(files, reports, strict=True):
        fingerprint = report["origin"]["fingerprint"]
        if fingerprint in made:
            raise BadInput(f"{path}: it was made from the same rows as {made[fingerprint]}; a part counts once, so leave one out")
        if fingerprint is not None:
            made[fingerprint] = path


def unit(reports: Sequence[Mapping[str, Any]]) -> str:
    """What the means are over. Parts with one of their smallest hashes in common share a user, who counts in each."""
    parts_of = Counter(user for report in reports for user in report["origin"]["users"])
    return USER_OF_A_PART if any(parts > 1 for parts in parts_of.values()) else "user"


def numbered(tables: Sequence[pa.Table]) -> pa.Table:
    """The rows of all parts, with the number of the part."""
    rows = [table.append_column("part", pa.array([n] * table.num_rows, pa.int32())) for n, table in enumerate(tables)]
    return pa.concat_tables(rows, promote_options="permissive").replace_schema_metadata()


def differing(report: Mapping[str, Any], first: Mapping[str, Any]) -> tuple[str, str]:
    """How the metrics of two parts differ: the labels that only one has, or the options of a metric."""
    ours, theirs = report["metrics"], first["metrics"]
    if apart := sorted({*ours} ^ {*theirs}):
        return SAME["metrics"], f" ({', '.join(apart)})"
    label = next(label for label in ours if ours[label] != theirs[label])
    pairs = {name: (value, theirs[label].get(name)) for name, value in ours[label].items()}
    named = [f"{name} = {one!r}, not {other!r}" for name, (one, other) in pairs.items() if one != other]
    return SAME["options"], f" ({label}: {', '.join(named)})"


def refuse_other_ids(files: Sequence[str], tables: Sequence[pa.Table]) -> None:
    """Raises BadInput if a part's item ids have another type than those of the first part."""
    kinds = [table.schema.field("item_id").type if "item_id" in table.column_names else None for table in tables]
    for path, kind in zip(files, kinds, strict=True):
        if kind != kinds[0] and not (pa.types.is_integer(kind) and pa.types.is_integer(kinds[0])):
            types = {"in_left": kinds[0], "in_right": kind}
            raise BadInput(catalog().say("id_types", column="item_id", left=files[0], right=path, **types))


def merging(engine: Engine, together: Relation, report: Mapping[str, Any], settings: Mapping[str, Value]) -> Iterator[Call]:
    """The call that made the parts, as one call per pipeline that reads the parts."""
    pipelines = [pipeline_of(*one) for one in zip(report["columns"], report["options"], strict=True)]
    tables = catalogue(engine, together, pipelines, settings)
    for number, pipeline in enumerate(pipelines):
        part = replace(together, select=f"select p.*\nfrom {together.select} as p\nwhere p.pipeline = {number}")
        yield Call(engine, Inputs({**tables, "parts": part}, dialect=engine.dialect), [pipeline])


def pipeline_of(columns: Iterable[Mapping[str, Any]], options: Mapping[str, Value]) -> Pipeline:
    """A pipeline restored from JSON; options that its means and items do not depend on have their defaults."""
    usual = {name: option.default for name, option in catalog().options.items()}
    return Pipeline(tuple(Column(**{**column, **of_column(column)}) for column in columns), {**usual, **options})


def catalogue(
    engine: Engine, together: Relation, pipelines: Iterable[Pipeline], settings: Mapping[str, Value]
) -> dict[str, Relation]:
    """The tables that list the items; raises BadInput if they are not those that the parts were made with."""
    names, others = parted(settings)
    options = {name: value for name, value in others.items() if value is not None and name not in OF_INTERVALS}
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
    """The types of a table; ids get the type that Parquet stored them as."""
    return {name: of_parts if STORED.get(kind.split("(")[0]) == of_parts else kind for name, kind in types.items()}


def of_column(column: Mapping[str, Any]) -> dict[str, Any]:
    """Restores the tuples that JSON turned into lists."""
    asked = column["asked"]
    options = tuple((name, value) for name, value in asked["options"])
    return {"asked": Asked(asked["metric"], options, asked["k"]), "ks": tuple(column["ks"]), "made_of": tuple(column["made_of"])}


def found(parts: Iterable[str | Path]) -> list[str]:
    """The files behind paths and globs; raises BadInput if there are none, or if a file is named twice."""
    files = [path for part in map(str, parts) for path in behind(part)]
    if not files:
        raise BadInput("parts: the list is empty; name the files that partial wrote")
    same = [Path(path).resolve() for path in files]
    for path, file in zip(files, same, strict=True):
        if same.count(file) > 1:
            raise BadInput(f"{path}: it is named more than once; name each part once")
    return files


def behind(part: str) -> list[str]:
    """The file at a path, or those behind a glob; raises BadInput if there is none on this machine."""
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
