"""How people see a comparison in slices: a line per metric, pair of models and segment."""

import pyarrow as pa

from recsql.compared import Compared
from recsql.compared_notes import few, tested, unpaired
from recsql.compared_tables import TO_THE_RIGHT, heading, p_text
from recsql.slice_tables import segment_of, shared

FURTHER = ("contribution", "excess")  # the columns that contributions add to the table


def by_slice(result: pa.Table) -> pa.Table:
    """The rows of `compare` with slices, metric by metric; the other columns are in the formats for machines."""
    compared = Compared.of(result)
    places = dict.fromkeys(pair.at for pair in compared.pairs)
    rows = [
        (pair, row) for place in places for pair, row in zip(compared.pairs, result.to_pylist(), strict=True) if pair.at == place
    ]
    text, number, whole = pa.string(), pa.float64(), pa.int64()
    baseline = compared.settings.baseline if compared.settings else None
    columns = [
        (pa.field("metric", text), [pair.at for pair, _ in rows]),
        (pa.field("model", text), [pair.model for pair, _ in rows]),
        *([] if baseline else [(pa.field("baseline", text), [pair.baseline for pair, _ in rows])]),
        (pa.field("slice", text), [row["slice"] or "" for _, row in rows]),
        (pa.field("segment", text), [segment_of(row) for _, row in rows]),
        (pa.field("users", whole), [pair.users for pair, _ in rows]),
        (pa.field("share", number), [row["share"] for _, row in rows]),
        (
            pa.field(f"difference{f' from {baseline}' if baseline else ''}", text),
            [f"{pair.difference_text}{'*' * pair.few}" for pair, _ in rows],
        ),
        (pa.field(heading(compared), text, metadata=TO_THE_RIGHT), [p_text(pair) for pair, _ in rows]),
        *((pa.field(name, whole), [getattr(pair, name) for pair, _ in rows]) for name in ("wins", "ties", "losses")),
        *((pa.field(name, number), [row[name] for _, row in rows]) for name in FURTHER if name in result.column_names),
    ]
    return pa.table([values for _, values in columns], schema=pa.schema([field for field, _ in columns]))


def notes(result: pa.Table) -> list[str]:
    """The lines on the test, on users with one value, on few users, and on slices whose segments share users."""
    compared = Compared.of(result)
    told = list(tested(compared, compared.settings)) if compared.settings else []
    return [*told, *unpaired(compared.pairs), *few(compared.pairs), *shared(result)]
