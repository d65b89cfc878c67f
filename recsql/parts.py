"""Evaluation in parts: shards of users, days of exports, machines; what each comes to is kept, and added up."""

import json
from collections.abc import Iterable
from glob import glob
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from recsql.call import COUNTS, Cutoffs, Metrics, Table, calling, of_models
from recsql.catalog import Value
from recsql.engines.duckdb import DuckDB
from recsql.errors import BadInput, RecsqlError
from recsql.output import whole
from recsql.render import template

SAME = ("metrics", "options", "presets")  # what the parts of a whole agree on


def partial(recs: Table, truth: Table, path: str, metrics: Metrics = None, k: Cutoffs = (5, 10, 20), **settings: Value) -> None:
    """Writes what the means over these users are made of as a Parquet file, for `merge` to add to that of others.

    Args:
        recs, truth, metrics, k, settings: what `evaluate` takes. A user belongs to one part, with all his lists and his truth.
        path: the file. A row per model, metric and cut-off: model, has_lists, metric, k, users, sum (exact, to 1e-18), squares
            (the sum of the squares), zeros (how many values are 0), users_with_truth, lists, lists_without_truth, place. The rows
            where has_lists is false are those of a model that has no list here.

    Raises:
        RecsqlError: as `evaluate`, and for a metric that no sums over users give.
    """
    with calling(("user",), {"recs": recs, "truth": truth}, metrics, k, settings) as call, whole(path) as beside:
        for pipeline in call.pipelines:
            for column in pipeline.columns:
                option = column.header.get("of_means")
                if option and pipeline.options_of(column)[option] == "of_means":
                    raise RecsqlError(f"{column.label} is made of means and can't be had in parts; leave it out")
        renderings = call.renderings(averaged=True, counted=True, partial=True)
        rows = pa.concat_tables([call.engine.query(one.query("targets/partial.sql")) for one in renderings])
        pq.write_table(rows.replace_schema_metadata({"recsql": call.report()}), beside)


def merge(parts: str | Path | Iterable[str | Path]) -> pa.Table:
    """What `evaluate` gives on all the parts together, to the last bit: model, metric, k, value, users, with its metadata.

    Args:
        parts: the files that `partial` wrote: a path, a glob or several of them.

    Raises:
        BadInput: for a file that is no part, and for parts of other metrics or under other options than the first.
    """
    files = found([parts] if isinstance(parts, str | Path) else parts)
    tables = [read(path) for path in files]
    reports = [json.loads(table.schema.metadata[b"recsql"]) for table in tables]
    for path, report in zip(files, reports, strict=True):
        for name in SAME:
            if report[name] != reports[0][name]:
                raise BadInput(f"{path}: it has other {name} than {files[0]}; only parts made with one call can be merged")
    numbered = [table.append_column("part", pa.array([n] * table.num_rows, pa.int32())) for n, table in enumerate(tables)]
    with duckdb.connect() as connection:
        connection.register("parts", pa.concat_tables(numbered).replace_schema_metadata())
        rows = DuckDB(connection).query(template("merge", parts="parts"))
    if not sum(rows["users"].to_pylist()):
        raise BadInput(f"{', '.join(files)}: nobody in these parts is in the mean")
    report = reports[0] | {"models": of_models(rows), "parts": len(files)}
    return rows.drop_columns(list(COUNTS)).replace_schema_metadata({"recsql": json.dumps(report)})


def found(parts: Iterable[str | Path]) -> list[str]:
    files = [path for part in map(str, parts) for path in (sorted(glob(part)) if glob(part) else [part])]
    if not files:
        raise BadInput("parts: there is none; name the files that partial wrote")
    for path in files:
        if files.count(path) > 1:
            raise BadInput(f"{path}: it is named more than once; a part counts once")
    return files


def read(path: str) -> pa.Table:
    """A part as it was written."""
    try:
        table = pq.read_table(path)
    except FileNotFoundError as error:
        raise BadInput(f"{path}: there is no such file") from error
    except (OSError, pa.ArrowInvalid) as error:
        raise BadInput(f"{path}: it is no Parquet file") from error
    metadata: dict[bytes, Any] = table.schema.metadata or {}
    if b"recsql" not in metadata or "has_lists" not in table.column_names:
        raise BadInput(f"{path}: it is no part; merge takes the files that partial wrote")
    return table
