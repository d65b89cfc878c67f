"""The worked cases of efd, epc and of the metrics of predictions in shared/catalogue that came last, each with its metric here.

If it fails, one of these metrics contradicts its specification. LATER has the cases of what recsql does not have.
"""

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

import recsql
from tests.support import table

Found = dict[str, Any]
OF_HITS = {"divide": {"k": "k"}, "unseen": {"one": "one"}}  # the parameters of efd and epc, with our values
ELLIOT = {"discovery_depth": "returned", "discovery_unseen": "max"}  # of the older cases, which follow Elliot
OURS = {"normalised_entropy": "ne", "relative_information_gain": "rig"}
OPTIONS: dict[str, dict[str, Any]] = {  # of the cases of predictions, by metric
    "ece": {"ece_norm": "max", "ece_bins": 5},
    "nmae": {"nmae_scale": 5 - 1},
    "rating_order": {"mean": "users"},
}
LATER = {"kendall": "rest-open-109", "ndpm": "rest-open-110"}  # kinds of rating_order that need pairs of pairs
RATED = ("pr_auc", *OURS, *OPTIONS)


def cases(shared: Path, *metrics: str) -> list[Found]:
    read = [json.loads((shared / "catalogue" / name).read_text(encoding="utf-8")) for name in ("golden.json", "golden_rest.json")]
    return [one for found in read for one in found if one["metric"] in metrics]


def test_every_case_of_discovery(con: duckdb.DuckDBPyConnection, shared: Path) -> None:
    found = cases(shared, "efd", "epc")
    assert [one["id"] for one in found] == ["catalogue-open-033", "catalogue-open-034", "rest-open-122", "rest-open-123"]
    for one in found:
        chosen = {
            f"discovery_{'depth' if name == 'divide' else name}": OF_HITS[name][value] for name, value in one["params"].items()
        }
        con.register("recs", table(one["recs"], ["user_id", "item_id", "rank"]))
        con.register("truth", table(one["truth"], ["user_id", "item_id", "relevance"]))
        con.register("train", table(one["train"], ["user_id", "item_id"]))
        given = {"connection": con, "train": "train", **(chosen or ELLIOT)}
        [row] = recsql.evaluate("recs", "truth", one["metric"], one["k"], **given).to_pylist()
        assert row["value"] == pytest.approx(one["expected"], rel=0, abs=one["tolerance"]), one["id"]
        rows = recsql.per_user("recs", "truth", one["metric"], one["k"], **given).to_pylist()
        of_users = {row["user_id"]: row[one["metric"]] for row in rows if row[one["metric"]] is not None}
        assert of_users == pytest.approx(one["expected_per_user"], rel=0, abs=one["tolerance"]), one["id"]


def test_every_case_of_predictions(con: duckdb.DuckDBPyConnection, shared: Path) -> None:
    found = [one for one in cases(shared, *RATED) if one["source"] == "catalogue rest"]
    later = [one["id"] for one in found if one["params"].get("kind") in LATER]
    assert (len(found), later) == (9, [*LATER.values()])
    for one in (one for one in found if one["id"] not in later):
        metric = OURS.get(one["metric"], one["metric"])
        con.register("predictions", table(one["predictions"], one["columns"]))
        options = OPTIONS.get(metric) or one["params"]
        [row] = recsql.evaluate_ratings("predictions", metrics=metric, connection=con, **options).to_pylist()
        assert row["value"] == pytest.approx(one["expected"], rel=0, abs=one["tolerance"]), one["id"]
        if "expected_per_user" in one:
            assert row["users"] == len([value for value in one["expected_per_user"].values() if value is not None])
