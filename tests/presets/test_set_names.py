"""The measures of whole lists in ir-measures, by its names: the values that it gives.

If it fails, a name of ir-measures means another measure here.
"""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import recsql

SETS = ("SetP", "SetR", "SetF")
SUMS = {"NumRet": ("tp", "fp"), "NumRel": ("tp", "fn")}  # sums over users of what per_user has, which recsql averages


def tables_of(case: dict[str, Any]) -> tuple[pa.Table, pa.Table]:
    recs, truth = (list(zip(*case[name], strict=True)) for name in ("recs", "truth"))
    recommended = {"user_id": recs[0], "item_id": recs[1], "rank": recs[2]}
    return pa.table(recommended), pa.table({"user_id": truth[0], "item_id": truth[1], "relevance": truth[2]})


def test_golden_cases(shared: Path) -> None:
    cases = {case["metric"]: case for case in json.loads((shared / "catalogue" / "golden_rest.json").read_text(encoding="utf-8"))}
    for name in SETS:
        tables, expected = tables_of(cases[name]), cases[name]["expected"]
        [row] = recsql.evaluate(*tables, name, like="ir_measures").to_pylist()
        assert (row["k"], row["value"]) == (None, pytest.approx(expected, rel=0, abs=1e-9))
        users = recsql.per_user(*tables, name, like="ir_measures").to_pylist()
        found = {str(one["user_id"]): one[name] for one in users}
        assert found == pytest.approx(cases[name]["expected_per_user"], rel=0, abs=1e-9)
    for name, parts in SUMS.items():
        counts = recsql.per_user(*tables_of(cases[name]), parts, "all", no_recs="skip").to_pylist()
        assert sum(one[part] for one in counts for part in parts) == cases[name]["expected"]


@pytest.mark.parametrize("name", ["NumRet", "NumRel"])
def test_a_sum_is_told(name: str) -> None:
    recs, truth = pa.table({"user_id": [1], "item_id": [1], "rank": [1]}), pa.table({"user_id": [1], "item_id": [1]})
    with pytest.raises(
        recsql.UnknownName, match=f"^metric '{name}' of ir_measures is a sum over users with a list, of tp . f., which"
    ):
        recsql.evaluate(recs, truth, name, like="ir_measures")


@pytest.mark.parametrize(
    ("name", "like", "metric"),
    [
        ("FMeasure", "cornac", "f1"),
        ("NoveltyMetric", "evidently", "novelty"),
        ("Rprec_mult_1.00", "trec_eval", "Rprec"),
        ("SDCG", "ir_measures", "ndcg(ideal=constant)"),
    ],
)
def test_a_further_name_gives_what_the_metric_gives(name: str, like: str, metric: str) -> None:
    recs = pa.table({"user_id": [1, 1, 2], "item_id": [1, 2, 3], "score": [3.0, 2.0, 1.0]})
    truth = pa.table({"user_id": [1, 2, 2], "item_id": [1, 1, 3]})
    k = None if like == "trec_eval" else 2
    train = {"train": pa.table({"user_id": [1, 2, 2], "item_id": [1, 1, 2]})} if name == "NoveltyMetric" else {}
    found, ours = (recsql.evaluate(recs, truth, one, k, like=like, **train).to_pylist() for one in (name, metric))
    assert [row["value"] for row in found] == [row["value"] for row in ours]
    assert all(row["value"] is not None for row in found)
