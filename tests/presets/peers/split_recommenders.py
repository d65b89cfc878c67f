"""recommenders: its splitter without draws."""

from collections.abc import Iterator

from pandas import DataFrame
from parting import FRACTIONS, Split, give
from recommenders.datasets.python_splitters import python_chrono_split

COLUMNS = {"col_user": "user_id", "col_item": "item_id", "col_timestamp": "timestamp"}


def splits(rows: DataFrame) -> Iterator[Split]:
    for fraction in FRACTIONS:
        train, truth = python_chrono_split(rows, ratio=round(1 - fraction, 2), **COLUMNS)
        yield {"protocol": "last_fraction", "fraction": fraction}, train.index, truth.index


give(splits)
