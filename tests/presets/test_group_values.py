"""The values of other libraries for groups of items on real data, and ours by the library's name under its preset.

If it fails, a preset gives other values than its library for exposure, rsp, reo or the popularity rank.

The data are those of shared/data/movietweetings-100k. The groups are those of the values: items whose first genre in
alphabetical order is Drama (0) or not (1), and users with at most 20 rows of train (0) or more (1).
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import recsql

Found = dict[str, Any]
METRICS = {  # by library and name there: ours
    ("lenskit", "MeanPopRank"): "MeanPopRank(like=lenskit)",
    ("elliot", "PopRSP"): "PopRSP(like=elliot, rank_by=rank)",
    ("elliot", "PopREO"): "PopREO(like=elliot, rank_by=rank)",
    ("elliot", "RSP"): "RSP(like=elliot, rank_by=rank)",
    ("elliot", "REO"): "REO(like=elliot, rank_by=rank)",
    ("elliot", "BiasDisparityBR"): "BiasDisparityBR(like=elliot, rank_by=rank)",
    ("elliot", "BiasDisparityBD"): "exposure_share(discount=none, relative=train, like=elliot, rank_by=rank)",
}
BIAS = re.compile(r"(BiasDisparity..)_users:u-(.)_items:i-(.)")


@pytest.fixture(scope="module")
def values(shared: Path) -> list[Found]:
    lines = (shared / "catalogue" / "values.json").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def con(shared: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        for name in ("runs", "train", "truth"):
            path = shared / "data" / "movietweetings-100k" / "runs" / f"{name}.parquet"
            connection.execute(f"create view {name} as select * from '{path}'")
        connection.execute(f"""
            create view things as
            select i.item_id, case when list_min(i.genres) = 'Drama' then '0' else '1' end as category
            from '{path.with_name("items.parquet")}' as i
            where i.item_id in (select t.item_id from train as t);
            create view activity as
            select t.user_id, case when count(*) <= 20 then '0' else '1' end as activity from train as t group by t.user_id
        """)
        yield connection


@pytest.mark.parametrize(("theirs", "count"), [("MeanPopRank", 16), ("PopRSP", 12), ("PopREO", 12), ("RSP", 12), ("REO", 12)])
def test_every_value(con: duckdb.DuckDBPyConnection, values: list[Found], theirs: str, count: int) -> None:
    there = {(one["model"], one["k"]): one["value"] for one in values if one["metric"] == theirs}
    asked = next(ours for (_, name), ours in METRICS.items() if name == theirs)
    tables = {"train": "train", "items": "things"} if theirs != "MeanPopRank" else {"train": "train"}
    users = {} if theirs == "MeanPopRank" else {"users": "train"}
    rows = recsql.evaluate("runs", "truth", asked, [5, 10, 20, "all"], connection=con, **tables, **users).to_pylist()
    ours = {(row["model"], row["k"]): row["value"] for row in rows}
    assert len(there) == count
    assert {key: ours[key] for key in there} == pytest.approx(there, rel=1e-12, abs=1e-9)


def test_every_value_of_bias_disparity(con: duckdb.DuckDBPyConnection, values: list[Found]) -> None:
    """BS, the share of train by that of the items, is BR / (1 + BD)."""
    asked = {name: METRICS["elliot", name] for name in ("BiasDisparityBR", "BiasDisparityBD")}
    given = {"train": "train", "items": "things", "users": "train", "by": "activity", "segments": "activity"}
    rows = recsql.evaluate("runs", "truth", [*asked.values()], [5, 10, 20], connection=con, **given).to_pylist()
    ours = {(row["metric"], row["model"], row["k"], row["segment"]): row["value"] for row in rows}
    compared = 0
    for one in values:
        if name := BIAS.fullmatch(one["metric"]):
            of, segment = name[1], f"{name[2]} / {name[3]}"
            shown, by_train = (ours[text, one["model"], one["k"], segment] for text in asked.values())
            found = {"BiasDisparityBR": shown, "BiasDisparityBD": by_train - 1, "BiasDisparityBS": shown / by_train}[of]
            assert found == pytest.approx(one["value"], rel=1e-12, abs=1e-9), one
            compared += 1
    assert compared == 144
