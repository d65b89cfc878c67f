"""Puts results together."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from recsql.base.errors import BadInput
from recsql.display.pivoted import refuse_twice
from recsql.display.shown import MEANS
from recsql.query.results import metadata_of

UNLIKE = "evaluate both alike, or name a metric with its options, as in ndcg(gain=exp2)"


def concat(results: Iterable[pa.Table] | Mapping[str, pa.Table]) -> pa.Table:
    """Puts results of `evaluate`, `item_metrics` or `merge` below each other, as one result that has the metadata of all.

    Args:
        results: Results with different models; or a mapping of names to results, such as one per day. A name is that of the
            model then, or stands before it, as in monday/ease, if a result has several models.

    Raises:
        RecsqlError: If one name means two definitions, or if a metric of a model is there twice.
    """
    given = results if isinstance(results, Mapping) else {f"result {n}": one for n, one in enumerate(results, 1)}
    tables, meant, said = list[pa.Table](), dict[str, tuple[str, str]](), dict[str, Any]()
    for name, one in given.items():
        if not isinstance(one, pa.Table) or not {*one.column_names} >= MEANS or "preset" in one.column_names:
            raise BadInput(f"{name}: it is no result with a mean per row; give what evaluate, item_metrics or merge returned")
        told: dict[str, Any] = dict(metadata_of(one))
        levels = [("interval", str(options["interval"])) for options in told.get("options", ()) if options.get("interval")]
        for metric, definition in [*zip(*(one[column].to_pylist() for column in ("metric", "definition")), strict=True), *levels]:
            where, other = meant.setdefault(metric, (name, definition))
            if other != definition:
                raise BadInput(f"{metric}: it is {other} in {where} and {definition} in {name}; {UNLIKE}")
        models = one["model"].to_pylist()
        names = {model: name if len({*models}) == 1 else f"{name}/{model}" for model in models}
        names = names if isinstance(results, Mapping) else {model: model for model in models}
        column = pa.array(map(names.get, models), pa.string())
        tables.append(one.set_column(one.column_names.index("model"), "model", column))
        for key, entry in told.items():
            add(said, key, [{**row, "model": names.get(row["model"])} for row in entry] if key in ("models", "judged") else entry)
    if not tables:
        raise BadInput("results: there are none; give two or more")
    whole = pa.concat_tables(tables, promote_options="default")
    refuse_twice(whole)
    return whole.replace_schema_metadata({"recsql": json.dumps(said)})


def add(metadata: dict[str, Any], key: str, entry: Any) -> None:
    """Adds an entry to the metadata of several results: a list and a mapping to that of the others."""
    before = metadata.setdefault(key, entry)
    if isinstance(entry, list):
        metadata[key] = before + [one for one in entry if one not in before]
    else:
        metadata[key] = {**before, **entry} if isinstance(entry, dict) else max(before, entry)  # the unit, and numbers of parts
