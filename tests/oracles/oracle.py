"""Shared by the oracles: the places of a list, reimplemented in plain Python."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.random_data import Id, Rec

Options = Mapping[str, Any]


@dataclass(frozen=True)
class Place:
    """One place of a list after duplicates are handled; a place without an item can't be a hit."""

    rank: int
    item: Id | None
    is_returned: bool = True


def discount(rank: int, options: Options) -> float:
    match options["discount"]:
        case "jk2002":
            return 1 / max(1.0, math.log2(rank))
        case "ln1p":
            return 1 / math.log(rank + 1)
        case "geometric":
            return float(options["discount_p"] ** (rank - 1))
        case "none":
            return 1.0
    return 1 / math.log2(rank + 1)


def places(rows: Sequence[Rec], options: Options) -> list[Place]:
    """The list, best first, with duplicates handled as the option says."""
    descending = options["ties"] == "item_desc"
    if options["rank_by"] == "score":
        ordered = sorted(sorted(rows, key=lambda row: row.item_id, reverse=descending), key=lambda row: -row.score)
        ranked = [(rank, row.item_id) for rank, row in enumerate(ordered, start=1)]
    else:
        ranked = sorted((row.rank, row.item_id) for row in rows)
    kept = {item: rank for rank, item in (ranked if options["duplicates"] == "last" else reversed(ranked))}
    match options["duplicates"]:
        case "count":
            return [Place(rank, item) for rank, item in ranked]
        case "hole" | "set":
            is_set = options["duplicates"] == "set"
            return [Place(rank, item) if kept[item] == rank else Place(rank, None, not is_set) for rank, item in ranked]
    dropped = [rank for rank, item in ranked if kept[item] != rank]
    return [Place(rank - sum(gap < rank for gap in dropped), item) for rank, item in ranked if kept[item] == rank]
