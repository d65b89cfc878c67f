"""One small input under the conventions of every library: the numbers that each gives, to four decimals.

If it fails, the table of conventions in the docs has a wrong number.

They were had from the libraries themselves, or from the formulas in their sources where those can't be run on so small an input.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

import recsql
from tests.presets.data import LISTS, TRUTHS, written

METRICS = ("precision", "recall", "ap", "ndcg", "rr", "hit")


@dataclass(frozen=True)
class Row:
    """What a library gives at k = 5, by the names of the metrics here; `why` where ours is something else on purpose."""

    library: str
    values: Mapping[str, float]
    options: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""

    def __str__(self) -> str:
        return " ".join((self.library, *self.options, *(name for name in self.values if name not in METRICS)))


def usual(*values: float) -> dict[str, float]:
    """The metrics in the order of the table, the last ones missing where a library lacks them."""
    return dict(zip(METRICS, values, strict=False))


ROWS = [
    Row("ranx", usual(0.4000, 0.5729, 0.4201, 0.5837, 0.6250, 0.75)),
    Row("ir_measures", usual(0.4000, 0.5729, 0.4201, 0.5837, 0.6250, 0.75)),
    Row("trec_eval", usual(0.5333, 0.7639, 0.5602, 0.7783, 0.8333, 1.00)),
    Row("rectools", usual(0.4000, 0.5729, 0.4201, 0.4307, 0.6250, 0.75)),
    Row("rectools", {"precision(denominator=achievable)": 0.6667, "ap(denominator=k)": 0.3583, "ndcg(ideal=truth)": 0.5837}),
    Row("replay", usual(0.4000, 0.5729, 0.5139, 0.5837, 0.6250, 0.75)),
    Row("recommenders", usual(0.5333, 0.7639, 0.6852, 0.5837) | {"ap(denominator=relevant)": 0.5602}),
    Row("recbole", usual(0.4000, 0.5729, 0.5139, 0.5837, 0.6250, 0.75)),
    Row("jurity", usual(0.6333, 0.5729, 0.6852, 0.5202)),
    Row("elliot", {"precision": 0.5333, "recall": 0.7639, "mean_precision": 0.6233, "ndcg": 0.7783, "rr": 0.8333, "hit": 1.00}),
    Row("lenskit", usual(0.6333, 0.8889, 0.6852, 0.8733, 0.8333, 1.00), {"no_truth": "skip"}),
    Row("hivemall", usual(0.6333, 0.7639, 0.7778, 0.7783, 0.8333, 1.00)),
    Row("spark", usual(0.3200, 0.4583, 0.4111, 0.4670)),
    Row(
        "evidently",
        usual(0.4750, 0.5729, 0.4201),
        why="its AP is 0.7951, from the last row down to each rank: another number when the same rows are shuffled",
    ),
]


@pytest.mark.few(7)
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_row(row: Row) -> None:
    recs, truth = written("small", LISTS, TRUTHS).tables
    found = {
        metric: recsql.evaluate(recs, truth, metric, 5, like=row.library, **row.options)["value"][0].as_py()
        for metric in row.values
    }
    assert found == {metric: pytest.approx(value, rel=0, abs=0.00005) for metric, value in row.values.items()}, row.why
