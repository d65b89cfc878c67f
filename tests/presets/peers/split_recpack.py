"""recpack: its splitters without draws."""

from collections.abc import Iterator

from pandas import DataFrame
from parting import NUMBERS, Split, give
from recpack.matrix import InteractionMatrix
from recpack.scenarios.splitters import MostRecentSplitter, TimestampSplitter

CUT = "2026-01-05"


def splits(rows: DataFrame) -> Iterator[Split]:
    seconds = rows.assign(timestamp=rows["timestamp"].astype("datetime64[s]").astype("int64"))
    interactions = InteractionMatrix(seconds, item_ix="item_id", user_ix="user_id", timestamp_ix="timestamp")
    cut = DataFrame({"cut": [CUT]})["cut"].astype("datetime64[s]").astype("int64")[0]
    asked = [
        *(({"protocol": "last_n", "n": n}, MostRecentSplitter(n)) for n in NUMBERS),
        ({"protocol": "temporal", "cut": CUT}, TimestampSplitter(cut)),
        ({"protocol": "temporal", "cut": CUT, "window": "1 day"}, TimestampSplitter(cut, delta_out=24 * 60 * 60)),
    ]
    for options, splitter in asked:
        train, truth = (part._df[InteractionMatrix.INTERACTION_IX] for part in splitter.split(interactions))
        yield options, train, truth


give(splits)
