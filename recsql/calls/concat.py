"""Puts results together."""

import json
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import pyarrow as pa

from recsql.base.errors import BadInput
from recsql.display.pivoted import refuse_twice
from recsql.display.shown import MEANS
from recsql.query.results import metadata_of


def concat(results: Iterable[pa.Table] | Mapping[str, pa.Table]) -> pa.Table:
    """Puts results of `evaluate`, `item_metrics` or `merge` below each other, as one result that has the metadata of all.

    Args:
        results: Results with different models; or a mapping of names to results, such as one per day. A name is that of the
            model then, or stands before it, as in monday/ease, if a result has several models.

    Raises:
        BadInput: If a metric has one name but unlike definitions.
        RecsqlError: If a metric of a model is there twice.
    """
    given = results if isinstance(results, Mapping) else {f"result {n}": one for n, one in enumerate(results, 1)}
    meant: dict[str, tuple[str, str]] = {}
    for name, one in given.items():
        if not isinstance(one, pa.Table) or not {*one.column_names} >= MEANS:
            raise BadInput(f"{name}: it is no result with a mean per row; give what evaluate, item_metrics or merge returned")
        made = metadata_of(one).get("options", ())
        levels = [("interval", str(options["interval"])) for options in made if options.get("interval")]
        for metric, definition in [*zip(*(one[name].to_pylist() for name in ("metric", "definition")), strict=True), *levels]:
            where, other = meant.setdefault(metric, (name, definition))
            if other != definition:
                way = "evaluate both alike, or name a metric with its options, as in ndcg(gain=exp2)"
                raise BadInput(f"{metric}: it is {other} in {where} and {definition} in {name}; {way}")
    if not given:
        raise BadInput("results: there are none; give two or more")
    tables = [named(name, one) if isinstance(results, Mapping) else one for name, one in given.items()]
    whole = pa.concat_tables(tables, promote_options="default")
    refuse_twice(whole)
    return whole.replace_schema_metadata({"recsql": json.dumps(united([dict(metadata_of(one)) for one in tables]))})


def named(name: str, result: pa.Table) -> pa.Table:
    """A result whose models have a name, also in the metadata."""
    models = result["model"].to_pylist()
    names = {model: name if len({*models}) == 1 else f"{name}/{model}" for model in models}
    told: dict[str, Any] = dict(metadata_of(result))
    told |= {key: [{**one, "model": names.get(one["model"])} for one in told.get(key, ())] for key in ("models", "judged")}
    column = pa.array([names[model] for model in models], pa.string())
    renamed = result.set_column(result.column_names.index("model"), "model", column)
    return renamed.replace_schema_metadata({"recsql": json.dumps(told)})


def united(each: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The metadata of several results: lists and mappings are joined, and another entry is kept if it is the same in all."""
    found: dict[str, list[Any]] = {}
    for metadata in each:
        for key, entry in metadata.items():
            found.setdefault(key, []).append(entry)
    whole: dict[str, Any] = {}
    for key, entries in found.items():
        if isinstance(entries[0], list):
            joined = [*chain.from_iterable(entries)]
            whole[key] = [one for n, one in enumerate(joined) if one not in joined[:n]]
        elif isinstance(entries[0], dict):
            whole[key] = {name: one for entry in entries for name, one in entry.items()}
        elif all(one == entries[0] for one in entries):
            whole[key] = entries[0]
    return whole
