"""RePlay: its splitters without draws, with and without their filters."""

from collections.abc import Iterator

from pandas import DataFrame
from parting import FRACTIONS, NUMBERS, Split, give
from replay.splitters import LastNSplitter, RatioSplitter, TimeSplitter

COLUMNS = {"query_column": "user_id", "item_column": "item_id"}
DROPPED = {"cold_users": "drop", "cold_items": "drop"}
FILTERED = {"drop_cold_users": True, "drop_cold_items": True}


def splits(rows: DataFrame) -> Iterator[Split]:
    for options, filters in (({}, {}), (DROPPED, FILTERED)):
        given = {**COLUMNS, **filters}
        asked = [
            *(({"protocol": "last_n", "n": n}, LastNSplitter(n, divide_column="user_id", **given)) for n in NUMBERS),
            *(
                ({"protocol": "last_fraction", "fraction": one}, RatioSplitter(one, divide_column="user_id", **given))
                for one in FRACTIONS
            ),
            ({"protocol": "temporal", "cut": "2026-01-05"}, TimeSplitter("2026-01-05 00:00:00", **given)),
        ]
        for one, splitter in asked:
            train, truth = splitter.split(rows)
            yield one | options, train.index, truth.index


give(splits)
