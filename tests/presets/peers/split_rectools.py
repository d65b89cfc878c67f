"""RecTools: its splitters without draws, with and without their filters."""

from collections.abc import Iterator

from pandas import DataFrame
from parting import NUMBERS, Split, give
from rectools.dataset import Interactions
from rectools.model_selection import LastNSplitter, TimeRangeSplitter

KEPT = {"cold_users": "keep", "cold_items": "keep", "repeats": "keep"}
UNFILTERED = {"filter_cold_users": False, "filter_cold_items": False, "filter_already_seen": False}
WINDOWS = {"2D": "2 days", "12H": "12 hours"}


def splits(rows: DataFrame) -> Iterator[Split]:
    interactions = Interactions(rows.rename(columns={"timestamp": "datetime"}).assign(weight=1.0))
    for options, filters in (({}, {}), (KEPT, UNFILTERED)):
        for n in NUMBERS:
            for train, truth, _ in LastNSplitter(n, **filters).split(interactions):
                yield {"protocol": "last_n", "n": n, **options}, train, truth
        for size, window in WINDOWS.items():
            for train, truth, fold in TimeRangeSplitter(size, n_splits=2, **filters).split(interactions):
                yield {"protocol": "temporal", "cut": fold["start"].isoformat(), "window": window, **options}, train, truth


give(splits)
