"""The values of other libraries for metrics beyond accuracy on real data, and ours under each library's convention.

If it fails, a preset gives other values than its library for novelty, coverage and the like on real data.

The data are those of shared/data/movietweetings-100k, where no model recommends an item that is not in train.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import recsql

Found = dict[str, Any]

METRICS = {  # by library and name there: ours
    ("elliot", "ARP"): "popularity(base=users, unseen=error)",
    ("evidently", "Novelty"): "novelty(unseen=skip)",
    ("evidently", "PopularityBias apr"): "popularity(base=users, unseen=skip)",
    ("rectools", "AvgRecPopularity"): "popularity(normalize=sum)",
    ("recmetrics", "novelty"): "novelty(divide=k)",
    ("recbole", "averagepopularity"): "popularity",
    ("evidently", "Diversity"): "ild(divide=length)",
    ("jurity", "IntraListDiversity"): "ild",
    ("recmetrics", "intra_list_similarity"): "ild",
    ("rectools", "IntraListDiversity"): "ild(distance=hamming, single=zero)",
    ("evidently", "Personalization"): "personalisation(assume=k)",
    ("jurity", "InterListDiversity"): "personalisation",
    ("recmetrics", "personalization"): "personalisation",
    ("replay-rec", "CategoricalDiversity"): "category_coverage(denominator=k)",
    ("rectools", "SufficientReco"): "sufficiency",
    ("elliot", "APLT"): "tail_share",
    ("elliot", "ShannonEntropy"): "entropy(scope=list)",
    ("elliot", "GiniIndex"): "gini(divide=n_minus_1, orientation=equality)",
    ("recbole", "tailpercentage"): "tail_share(part=items)",
}
OPTIONS: dict[str, dict[Any, str]] = {  # by parameter there and its value: ours
    "normalize_arp": {True: "popularity(base=users, unseen=skip, normalize=max)"},
    "deep": {True: "sufficiency(deep=true)"},
    "tail_ratio": {0.5: "tail_share(part=items, ratio=0.5)", 5: "tail_share(part=rows)"},
}
PRESETS = {  # the same by the library's name under its preset; the lists have ranks and no ties
    ("elliot", "ARP"): "ARP(like=elliot, rank_by=rank)",
    ("elliot", "APLT"): "APLT(like=elliot, rank_by=rank)",
    ("elliot", "ShannonEntropy"): "entropy(like=elliot, rank_by=rank)",
    ("elliot", "GiniIndex"): "gini(like=elliot, rank_by=rank)",
    ("evidently", "Novelty"): "Novelty(like=evidently, rank_by=rank)",
    ("evidently", "PopularityBias apr"): "popularity(like=evidently, rank_by=rank)",
    ("recbole", "averagepopularity"): "AveragePopularity(like=recbole, rank_by=rank)",
    ("evidently", "Diversity"): "diversity(like=evidently, rank_by=rank)",
    ("evidently", "Personalization"): "personalization(like=evidently, rank_by=rank)",
    ("jurity", "InterListDiversity"): "InterListDiversity(like=jurity, rank_by=rank)",
    ("jurity", "IntraListDiversity"): "IntraListDiversity(like=jurity, rank_by=rank)",
    ("recbole", "tailpercentage"): "TailPercentage(like=recbole, rank_by=rank)",
    ("rectools", "IntraListDiversity"): "IntraListDiversity(like=rectools)",
}


def metric(value: Found) -> str:
    chosen = [OPTIONS[name][given] for name, given in value["params"].items() if given in OPTIONS.get(name, ())]
    return chosen[0] if chosen else METRICS[value["peer"], value["metric"]]


@pytest.fixture(scope="module")
def values(shared: Path) -> list[Found]:
    lines = (shared / "catalogue" / "values.json").read_text(encoding="utf-8").splitlines()
    return [value for value in map(json.loads, lines) if (value["peer"], value["metric"]) in METRICS]


@pytest.fixture(scope="module")
def con(shared: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        for name in ("runs", "train", "items"):
            path = shared / "data" / "movietweetings-100k" / "runs" / f"{name}.parquet"
            connection.execute(f"create view {name} as from '{path}'")
        connection.execute(
            "create view first_genres as select item_id, coalesce(list_min(genres), 'none') as genres from items"  # of RePlay
        )
        yield connection


def measured(con: duckdb.DuckDBPyConnection, peer: str, asked: str) -> dict[tuple[str, int], float]:
    """Elliot knows the users and items of train alone. Recmetrics gives the similarity, which is 1 less the distance."""
    tables = {"train": "train", "items": "first_genres" if peer == "replay-rec" else "items", "category": "genres"}
    tables = {"train": "train", "users": "train"} if peer == "elliot" else tables
    rows = recsql.item_metrics("runs", asked, [5, 10, 20, 50, 100], connection=con, **tables).to_pylist()
    turned = peer == "recmetrics" and asked == "ild"
    return {(row["model"], row["k"]): 1 - row["value"] if turned else row["value"] for row in rows}


def test_every_value(con: duckdb.DuckDBPyConnection, values: list[Found]) -> None:
    ours = {asked: measured(con, *asked) for asked in {(value["peer"], metric(value)) for value in values}}
    assert len(values) == 238
    for value in values:
        found = ours[value["peer"], metric(value)][value["model"], value["k"]]
        assert found == pytest.approx(value["value"], rel=1e-12, abs=1e-9), value


@pytest.mark.parametrize("theirs", PRESETS)
def test_a_preset_gives_the_same(con: duckdb.DuckDBPyConnection, theirs: tuple[str, str]) -> None:
    assert measured(con, theirs[0], PRESETS[theirs]) == measured(con, theirs[0], METRICS[theirs])
