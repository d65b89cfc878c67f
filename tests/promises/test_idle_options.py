"""An option that would change nothing is refused: it was given for a reason, and the number is not the one wanted.

If it fails, an option that does nothing is accepted, and its user trusts a number that it didn't make.
"""

from typing import Any

import pyarrow as pa
import pytest

import recsql

RECS = pa.table({"user_id": [1, 1], "item_id": [7, 8], "rank": [1, 2]})
TRUTH = pa.table({"user_id": [1, 1], "item_id": [8, 9], "relevance": [1.0, 3.0]})
ITEMS = pa.table({"item_id": [7, 8], "category": ["a", "b"]})

# The option, its value, and where it counts.
WHERE = {
    "gain_map": ({1: 1, 3: 5}, "gain='map'"),
    "discount_p": (0.5, "discount='geometric'"),
    "smoothing": (0.5, "entropy_scope='category'"),
}


@pytest.mark.parametrize("name", WHERE)
def test_it_counts_only_where_another_has_a_value(name: str) -> None:
    given, where = WHERE[name]
    says = rf"{name}: it applies only if {where}; set that as well, or leave {name}= out"
    metric, other = ("entropy" if name == "smoothing" else "dcg"), where.partition("=")[0]
    value = where.split("'")[1]
    tables: dict[str, Any] = {"recs": RECS, "items": ITEMS} if metric == "entropy" else {"recs": RECS, "truth": TRUTH}
    measure: Any = recsql.item_metrics if metric == "entropy" else recsql.evaluate
    with pytest.raises(recsql.RecsqlError, match=f"^{says}$"):
        measure(**tables, metrics=metric, k=2, **{name: given})
    assert measure(**tables, metrics=metric, k=2, **{name: given, other: value}).num_rows == 1


def test_one_metric_that_reads_it_is_enough() -> None:
    found = recsql.evaluate(RECS, TRUTH, ["dcg", "dcg(gain=map)"], 2, gain_map={1: 10, 3: 5})
    assert found["definition"].to_pylist() == ["dcg", "dcg(gain=map, gain_map=1:10.0 3:5.0)"]
    with pytest.raises(recsql.RecsqlError, match=r"^dcg\(gain_map=1:10\.0\): gain_map: it applies only if gain='map'; set"):
        recsql.evaluate(RECS, TRUTH, ["dcg(gain_map=1:10)", "dcg(gain=map)"], 2, gain_map={1: 10, 3: 5})


def test_the_default_may_be_given() -> None:
    assert recsql.evaluate(RECS, TRUTH, "dcg", 2, discount_p=0.8, gain_map=None)["metric"].to_pylist() == ["dcg"]


def test_two_gains_for_one_relevance() -> None:
    for text in ("1:1 1:2", "1:1 3:5 1.0:1"):
        with pytest.raises(recsql.RecsqlError, match=rf"^gain_map: '{text}' has two values for 1\.0; give one$"):
            recsql.evaluate(RECS, TRUTH, "dcg", 2, gain="map", gain_map=text)
    with pytest.raises(recsql.RecsqlError, match=r"gain_map: '0:1 0:2' has two values for 0\.0; give one"):
        recsql.evaluate(RECS, TRUTH, "dcg", 2, gain="map", gain_map="0:1 0:2")


@pytest.mark.parametrize(
    ("metric", "option"),
    [
        ("ndcg(ap_denominator=relevant)", "ap_denominator"),
        ("precision(gain=exp2)", "gain"),
        ("recall(beta=2)", "beta"),
        ("hit(catalog_size=5)", "catalog_size"),
        ("ndcg(entropy_base=e)", "entropy_base"),
    ],
)
def test_brackets_that_the_metric_does_not_read(metric: str, option: str) -> None:
    name = metric.partition("(")[0]
    with pytest.raises(recsql.UnknownName, match=f"{name} does not read {option}; leave it out of the brackets$"):
        recsql.evaluate(RECS, TRUTH, metric, 2)


def test_a_label_has_only_what_the_metric_reads() -> None:
    found = recsql.evaluate(RECS, TRUTH, ["precision", "ap", "ndcg"], 2, ap_denominator="relevant", gain="exp2", no_recs="skip")
    assert found["definition"].to_pylist() == [
        "precision(no_recs=skip)",
        "ap(denominator=relevant, no_recs=skip)",
        "ndcg(gain=exp2, no_recs=skip)",
    ]
