"""The worked cases of groups of items and of the popularity rank in shared/catalogue, each with its metric here.

If it fails, exposure_share, rsp, reo, awrf or popularity(normalize=rank) contradicts its specification.
"""

import json
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from tests.support import table

Found = dict[str, Any]
METRICS = {  # by the metric of a case: ours
    "popularity_rank": "popularity(normalize=rank)",
    "popularity": "popularity(normalize=rank)",
    "pop_rsp": "rsp(grouped_by=popularity)",
    "pop_reo": "reo(grouped_by=popularity)",
    "rsp": "rsp",
    "reo": "reo",
    "awrf": "awrf",
    "exposure_share": "exposure_share",
}
RENAMED = {"groups": "grouped_by", "several": "several_groups", "target": "awrf_target", "p": "discount_p"}
DISCOUNTS = {"log2": "log2p1"}
SAID = ("head", "by", "distance", "normalize")  # parameters that say what is so anyway


def cases(shared: Path) -> list[Found]:
    read = [json.loads((shared / "catalogue" / name).read_text(encoding="utf-8")) for name in ("golden.json", "golden_rest.json")]
    old = [one for one in read[0] if one["metric"] in ("popularity_rank", "pop_rsp", "pop_reo")]
    return old + [one for one in read[1] if one["metric"] in METRICS or one["metric"] == "bias_disparity"]


def load(con: duckdb.DuckDBPyConnection, found: Found) -> dict[str, Any]:
    """Registers the tables of a case, and returns the options that name them."""
    con.register("recs", table(found["recs"], ["user_id", "item_id", "rank"]))
    con.register("truth", table(found.get("truth") or [row[:2] for row in found["recs"]], ["user_id", "item_id", "relevance"]))
    options: dict[str, Any] = {"connection": con}
    if "train" in found:
        con.register("train", table(found["train"], ["user_id", "item_id"]))
        options["train"] = "train"
    if groups := found.get("groups", found.get("features")):
        several = [one if isinstance(one, list) else [one] for one in groups.values()]
        con.register("things", pa.table({"item_id": [*groups], "category": pa.array(several, pa.list_(pa.string()))}))
        options["items"] = "things"
    return options


def chosen(found: Found) -> dict[str, Any]:
    """The parameters of a case as our options."""
    params = {RENAMED.get(name, name): value for name, value in found["params"].items() if name not in SAID}
    if params.get("grouped_by") == "column":
        del params["grouped_by"]
    if "discount" in params:
        params["discount"] = DISCOUNTS.get(params["discount"], params["discount"])
    return params


def of_metric(con: duckdb.DuckDBPyConnection, found: Found) -> None:
    options = load(con, found) | chosen(found)
    metric = METRICS[found["metric"]]
    rows = recsql.evaluate("recs", "truth", metric, found["k"], **options).to_pylist()
    if isinstance(found["expected"], dict):
        assert {row["slice"] for row in rows} == {"category"}
        assert {row["segment"]: row["value"] for row in rows} == pytest.approx(found["expected"], rel=0, abs=1e-9)
        return
    [row] = rows
    assert row["value"] == pytest.approx(found["expected"], rel=0, abs=1e-9)
    if "expected_per_user" in found:
        users = recsql.per_user("recs", "truth", metric, found["k"], **options).to_pylist()
        ours = {row["user_id"]: row[metric] for row in users}
        assert ours == pytest.approx(found["expected_per_user"], rel=0, abs=1e-9)


def of_bias(con: duckdb.DuckDBPyConnection, found: Found) -> None:
    """BR is relative to the catalogue, BD to train, less 1. BS is BR / (1 + BD), so that BS 0 has neither here."""
    options = load(con, found) | {"discount": "none", "by": "user_group", "segments": "user_groups"}
    con.register("user_groups", pa.table({"user_id": [*found["user_groups"]], "user_group": [*found["user_groups"].values()]}))
    asked = ["exposure_share(relative=catalog)", "exposure_share(relative=train)"]
    rows = recsql.evaluate("recs", "truth", asked, found["k"], **options).to_pylist()
    ours = {(row["segment"], row["metric"]): row["value"] for row in rows if row["slice"] == "user_group x category"}
    assert len(ours) == 2 * len(found["expected"])
    for name, (of_train, of_lists, disparity) in found["expected"].items():
        shown, by_train = (ours[name.replace(" ", " / "), one] for one in asked)
        assert shown == pytest.approx(of_lists, rel=0, abs=1e-9)
        if disparity is None:
            assert (by_train, of_train) == (None, 0)
        else:
            assert (by_train - 1, shown / by_train) == pytest.approx((disparity, of_train), rel=0, abs=1e-9)


def test_every_case(con: duckdb.DuckDBPyConnection, shared: Path) -> None:
    found = cases(shared)
    assert len(found) == 17
    for one in found:
        (of_bias if one["metric"] == "bias_disparity" else of_metric)(con, one)
