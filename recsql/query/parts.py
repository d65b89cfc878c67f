"""The result of a split."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from recsql.base.text import counted
from recsql.query.results import metadata_of

OF_ONE_PART = ("train", "fold_in", "validation", "truth")  # in the order in which they are unpacked
READ = {"train": "train", "past": "train", "truth": "truth", "users": "truth"}  # the part that is read as a table of a role


@dataclass(frozen=True, repr=False)
class Parts:
    """The rows of a split. It unpacks into its parts, as in `train, truth = recsql.split(...)`; else it is the table `rows`."""

    rows: pa.Table  # with the column part

    def __iter__(self) -> Iterator[pa.Table]:
        there = {*self.rows["part"].unique().to_pylist()}
        return (self[name] for name in OF_ONE_PART if name in there)

    def __getitem__(self, name: Any) -> Any:
        """The rows of a part, or a column."""
        if name not in OF_ONE_PART:
            return self.rows[name]
        from pyarrow import compute  # which takes longer to import than all of recsql

        return self.rows.filter(compute.field("part") == name).drop_columns("part")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rows if name != "rows" else super(), name)  # a copy asks before it has rows

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        """The counts, and what is odd about the parts, a sentence each; Spark counts only rows."""
        found = sorted(Counter(self.rows["part"].to_pylist()).items())
        parts = "; ".join(f"{part} {counted(number, 'interaction')}" for part, number in found)
        return "\n".join(metadata_of(self.rows).get("notes") or [f"{parts}."])


def read_as(role: str, data: object) -> object:
    """What a call reads of the data given for a role: of a split, the part."""
    return (data[READ[role]] if role in READ else data.rows) if isinstance(data, Parts) else data
