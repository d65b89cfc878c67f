"""What the scripts of splitters share. Each runs in its library's environment: python NAME.py < samples.json > parts.json.

A sample is interactions, as columns, in the order of their rows. Each of its splits is the options of recsql that stand for what
the library did, and the part of each row.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pandas import DataFrame, to_datetime

NUMBERS = (1, 2, 5)
FRACTIONS = (0.1, 0.2, 0.25, 0.3, 0.5, 0.75)
Split = tuple[dict[str, Any], Iterable[int], Iterable[int]]  # options, rows of train, rows of truth


def give(splits: Callable[[DataFrame], Iterator[Split]]) -> None:
    """Writes the splits of every sample."""
    json.dump([[described(one, split) for split in splits(one)] for one in map(read, json.load(sys.stdin))], sys.stdout)


def read(sample: dict[str, list[Any]]) -> DataFrame:
    return DataFrame(sample | {"timestamp": to_datetime(sample["timestamp"])})


def described(interactions: DataFrame, split: Split) -> dict[str, Any]:
    options, train, truth = split
    parts = dict.fromkeys(map(int, train), "train") | dict.fromkeys(map(int, truth), "truth")
    return {"options": options, "parts": [parts.get(row, "unused") for row in range(len(interactions))]}
