"""How people see a result with slices: a line per metric and segment, and the lines under the table."""

from collections.abc import Iterator

import pyarrow as pa

from recsql.catalog.grammar import labelled
from recsql.catalog.slice_names import NONE
from recsql.query.results import report_of
from recsql.show import notes as of_result
from recsql.show.pivoted import Row, of_models

ALL = "all"  # the segment of all users
SOME = 1e-9  # more than rounding adds to a sum of shares


def by_slice(result: pa.Table) -> pa.Table:
    """The rows of `evaluate` with a column per model, the number of users, and their share: one, if models agree."""
    rows = result.to_pylist()
    models = list(dict.fromkeys(row["model"] for row in rows))
    cells: dict[tuple[str, str, str], dict[str | None, Row]] = {}
    for place in dict.fromkeys((row["metric"], row["k"]) for row in rows):
        for row in (row for row in rows if (row["metric"], row["k"]) == place):
            cells.setdefault((labelled(*place), row["slice"] or "", segment_of(row)), {})[row["model"]] = row
    keys = zip(("metric", "slice", "segment"), zip(*cells, strict=True), strict=True)
    lines = list(cells.values())
    columns = [*((name, list(values)) for name, values in keys), *of_models(lines, models)]
    shares = {model: [line[model]["share"] if model in line else None for line in lines] for model in models}
    columns += [(f"share of {model}", found) for model, found in shares.items()]
    if all(found == shares[models[0]] for found in shares.values()):
        columns[-len(shares) :] = [("share", shares[models[0]])]
    return pa.table([values for _, values in columns], names=[name for name, _ in columns])


def segment_of(row: Row) -> str:
    return ALL if row["slice"] is None else NONE if row["segment"] is None else str(row["segment"])


def notes(result: pa.Table) -> list[str]:
    """The lines about all users, and one for slices whose segments share users."""
    return [*of_result.notes(result), *left_out(result), *shared(result)]


def left_out(result: pa.Table) -> Iterator[str]:
    """The line for small segments that are not in the result."""
    report = report_of(result)
    models = report.get("models", ())
    if any(model.get("segments_left_out") for model in models):
        told = of_result.by_model(models, [str(model["segments_left_out"]) for model in models])
        yield f"Segments with fewer than {report['options'][0]['min_users']} users (left out): {told}."


def shared(result: pa.Table) -> Iterator[str]:
    """The line for each slice whose shares add up to more than 1."""
    rows = [row for row in result.to_pylist() if row["slice"] is not None]
    sums: dict[tuple[str | None, ...], float] = {}
    for row in rows:
        key = tuple(row.get(name) for name in ("slice", "model", "baseline", "metric", "k"))
        sums[key] = sums.get(key, 0.0) + (row["share"] or 0.0)
    for name in dict.fromkeys(str(key[0]) for key, total in sums.items() if total > 1 + SOME):
        yield f"Some users are in several segments of {name} and count in each, so the shares add up to more than 1."
