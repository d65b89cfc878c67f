"""How people see a comparison in slices: a line per metric, pair of models and segment."""

from collections.abc import Iterator

import pyarrow as pa

from recsql.query.results import report_of
from recsql.show.compared import Compared
from recsql.show.compared_notes import by_pair, few, no_means, tested, unpaired
from recsql.show.compared_tables import Shown, found, table_of
from recsql.show.comparison_text import one
from recsql.show.notes import population
from recsql.show.slice_tables import segment_of, shared

FURTHER = ("contribution", "excess")  # the columns that contributions add to the table


def by_slice(result: pa.Table) -> pa.Table:
    """The rows of `compare` with slices, metric by metric; the other columns are in the formats for machines."""
    compared = Compared.of(result)
    places = dict.fromkeys(pair.at for pair in compared.pairs)
    rows = [
        (pair, row) for place in places for pair, row in zip(compared.pairs, result.to_pylist(), strict=True) if pair.at == place
    ]
    pairs = [pair for pair, _ in rows]
    baseline = compared.settings.baseline if compared.settings else None
    columns: list[Shown] = [
        (pa.field("metric", pa.string()), [pair.at for pair in pairs]),
        (pa.field("model", pa.string()), [pair.model for pair in pairs]),
        *([] if baseline else [(pa.field("baseline", pa.string()), [pair.baseline for pair in pairs])]),
        (pa.field("slice", pa.string()), [row["slice"] or "" for _, row in rows]),
        (pa.field("segment", pa.string()), [segment_of(row) for _, row in rows]),
        (pa.field("users", pa.int64()), [pair.users for pair in pairs]),
        (pa.field("share", pa.float64()), [row["share"] for _, row in rows]),
        *found(compared, pairs, f" from {baseline}" if baseline else ""),
        *((pa.field(name, pa.float64()), [row[name] for _, row in rows]) for name in FURTHER if name in result.column_names),
    ]
    return table_of(columns)


def notes(result: pa.Table) -> list[str]:
    """The lines on the test, on users with one value, few users, small segments, and slices whose segments share users."""
    compared = Compared.of(result)
    told = list(tested(compared, compared.settings)) if compared.settings else []
    told += [*population(result), *no_means(compared.pairs), *unpaired(compared.pairs), *few(compared.pairs)]
    return [*told, *left_out(result), *shared(result)]


def left_out(result: pa.Table) -> Iterator[str]:
    """The line for small segments that are not in the result."""
    report = report_of(result)
    counts = [
        (f"{one(pair['model'])} and {one(pair['baseline'])}", pair["segments_left_out"])
        for pair in report.get("pairs", ())
        if "segments_left_out" in pair
    ]
    if any(number for _, number in counts):
        yield f"Segments with fewer than {report['options'][0]['min_users']} users (left out): {by_pair(counts)}."
