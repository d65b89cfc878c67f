"""The values of other libraries for the metrics beyond the core, on the data of test_peer_values, and ours.

If it fails, a preset gives other values than its library for the metrics beyond the core.

The grades 0 to 4 are made from the ratings 2 to 10, as they were for the libraries.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import recsql

Found = dict[str, Any]
ITEMS = 10_506  # in items.parquet
WHOLE = 1000  # beyond the longest list and the longest truth
METRICS: dict[tuple[str, str], str] = {  # by the library and its name of the metric
    ("ranx", "rbp.50"): "rbp(p=0.5)",
    ("ranx", "rbp.80"): "rbp",
    ("ranx", "rbp.95"): "rbp(p=0.95)",
    ("ir-measures", "RBP(rel=1)"): "rbp(gain=binary)",
    ("ir-measures", "RBP(p=0.5,rel=1)"): "rbp(gain=binary, p=0.5)",
    ("ir-measures", "RBP(p=0.95,rel=1)"): "rbp(gain=binary, p=0.95)",
    ("ir-measures", "RBP(rel=2)"): "rbp(gain=binary, relevance_threshold=2)",
    ("ir-measures", "RBP(rel=3)"): "rbp(gain=binary, relevance_threshold=3)",
    ("lenskit", "RBP"): "rbp(gain=binary, p=0.85)",
    ("lenskit", "RBP normalised"): "rbp(gain=binary, p=0.85, normalize=achievable)",
    ("ranx", "r-precision"): "r_precision",
    ("ir-measures", "Rprec"): "r_precision",
    ("ir-measures", "Rprec(rel=2)"): "r_precision(relevance_threshold=2)",
    ("pytrec-eval-terrier", "Rprec"): "r_precision",
    ("ir-measures", "Bpref"): "bpref",
    ("ir-measures", "Bpref(rel=2)"): "bpref(relevance_threshold=2)",
    ("pytrec-eval-terrier", "bpref"): "bpref",
    ("ir-measures", "ERR@5"): "err",
    ("ir-measures", "ERR@10"): "err",
    ("ir-measures", "ERR@20"): "err",
    ("ir-measures", "Judged@5"): "judged",
    ("ir-measures", "Judged@10"): "judged",
    ("ir-measures", "Judged@20"): "judged",
    ("ir-measures", "SetP"): "precision(denominator=returned)",
    ("ir-measures", "SetR"): "recall",
    ("ir-measures", "SetF"): "f1(precision_denominator=returned)",
    ("ir-measures", "SetF(rel=2)"): "f1(precision_denominator=returned, relevance_threshold=2)",
    ("ir-measures", "SDCG(max_rel=1)@10"): "ndcg(ideal=constant)",
    ("pytrec-eval-terrier", "Rprec_mult_1.00"): "r_precision",
    ("rectools", "Accuracy"): "accuracy(like=rectools)",
    ("rectools", "MCC"): "mcc(like=rectools)",
    ("pytrec-eval-terrier", "gm_map"): "ap(denominator=relevant, mean=geometric)",
    ("pytrec-eval-terrier", "gm_bpref"): "bpref(mean=geometric)",
    ("pytrec-eval-terrier", "11pt_avg"): "eleven_point(rounding=up)",
    ("pytrec-eval-terrier", "utility"): "utility",
    ("ir-measures", "IPrec(rel=2)@0.5"): "interpolated_precision(rounding=up, relevance_threshold=2)",
    **{
        (
            "pytrec-eval-terrier",
            f"iprec_at_recall_{tenths / 10:.2f}",
        ): f"interpolated_precision(recall={tenths / 10}, rounding=up)"
        for tenths in range(11)
    },
    **{
        ("ir-measures", f"IPrec@{recall}"): f"interpolated_precision(recall={recall}, rounding=up)"
        for recall in (0.0, 0.1, 0.5, 1.0)
    },
}
CANDIDATES = {  # by metric: the library, what a parameter of it has, its name there, and how many values it has
    "auc(no_recs=skip)": ("scikit-learn", {"candidates": "candidates = all items of items.parquet"}, "roc_auc_score", 4),
    "auc(no_recs=skip, mean=weighted)": (
        "scikit-learn",
        {"candidates": "candidates = all items of items.parquet", "weights": "relevant items"},
        "roc_auc_score",
        4,
    ),
    "auc(no_recs=skip, candidates=unseen)": (
        "scikit-learn",
        {"candidates": "candidates = items.parquet minus the train history, truth kept"},
        "roc_auc_score",
        4,
    ),
    "auc(no_recs=skip, candidates=unseen, mean=weighted)": (
        "scikit-learn",
        {"candidates": "candidates = items.parquet minus the train history, truth kept", "weights": "relevant items"},
        "roc_auc_score",
        4,
    ),
    "AUC(like=elliot)": ("elliot", None, "AUC", 4),
    "GAUC(like=elliot)": ("elliot", None, "GAUC", 4),
    "LAUC(like=elliot)": ("elliot", None, "LAUC", 12),
    "EFD(like=elliot)": ("elliot", None, "EFD", 12),
    "EPC(like=elliot)": ("elliot", None, "EPC", 12),
    "PercentileRanking(like=recpack)": ("recpack", None, "PercentileRanking", 4),
}
OF_PRESETS: dict[str, tuple[str, list[str], dict[str, Any], dict[str, Any], int]] = {
    # by metric: the library, its names there, its parameters, our truth and options, and how many values it has
    "CoveredUsers(like=rectools)": ("rectools", ["CoveredUsers"], {}, {}, 12),
    "UnrepeatedReco(like=rectools)": ("rectools", ["UnrepeatedReco"], {}, {}, 12),
    **{
        f"{name}(like=rectools, negatives={k}, insufficient={ours})": (
            *("rectools", [name], {"k": k, "insufficient_handling": theirs}, {}, 4),
        )
        for name in ("PartialAUC", "PAP")
        for k in (5, 10, 20)
        for theirs, ours in (("ignore", "zero"), ("exclude", "skip"))
    },
    "SRecall(like=elliot)": ("elliot", ["SRecall"], {}, {"truth": "truth_of_train", "items": "genres"}, 12),
    "StRecall(like=ir_measures)": (
        *("ir-measures", ["StRecall@10", "StRecall@20"], {}, {"truth": "truth_with_genre", "items": "genres"}, 8),
    ),
}
TRUTHS = {"binary": "binary_truth", "graded": "graded_truth", "grade 0-4": "grades", "judged, relevant from 8": "graded_truth"}
RATED: dict[str, str] = {  # of ratings with predictions, by their name
    "median_absolute_error": "median_ae",
    "mean_absolute_percentage_error": "mape",
    "log_loss": "logloss",
    "brier_score_loss": "brier",
    "roc_auc_score": "rating_auc",
    "ece, 10 equal-width bins": "ece",
    "calibration ratio": "calibration_ratio",
    "average_precision_score": "pr_auc",
    "normalized entropy": "ne",
}
COUNTS = {
    "rbp": 72,
    "r_precision": 44,
    "precision": 4,
    "recall": 4,
    "f1": 8,
    "ndcg": 4,
    "err": 12,
    "bpref": 48,
    "ap": 16,
    "judged": 12,
    "accuracy": 12,
    "mcc": 12,
}
COUNTS |= {"interpolated_precision": 196, "eleven_point": 16, "utility": 16}
TOLERANCES = {"err": 5e-6}  # ir-measures rounds the value of each user to 5 decimals


@pytest.fixture(scope="module")
def values(shared: Path) -> list[Found]:
    """The values that are compared."""
    lines = (shared / "catalogue" / "values.json").read_text(encoding="utf-8").splitlines()
    return [value for value in map(json.loads, lines) if (value["peer"], value["metric"]) in METRICS]


@pytest.fixture(scope="module")
def con(shared: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    runs = shared / "data" / "movietweetings-100k" / "runs"
    with duckdb.connect() as connection:
        connection.execute(f"create view runs as from '{runs / 'runs.parquet'}'")
        connection.execute(
            f"create view graded_truth as select user_id, item_id, rating as relevance from '{runs / 'truth.parquet'}'"
        )
        connection.execute("create view binary_truth as select user_id, item_id from graded_truth")
        grade = "greatest(0, least(4, floor((relevance - 2) / 2)))"
        connection.execute(f"create view grades as select user_id, item_id, {grade} as relevance from graded_truth")
        connection.execute(f"create view train as select user_id, item_id from '{runs / 'train.parquet'}'")
        connection.execute(f"create view genres as select item_id, genres as category from '{runs / 'items.parquet'}'")
        with_genre = "select t.user_id from binary_truth as t join genres as g using (item_id) where len(g.category) > 0"
        connection.execute(f"create view truth_with_genre as from binary_truth where user_id in ({with_genre})")
        connection.execute(f"create view items as select item_id from '{runs / 'items.parquet'}'")
        connection.execute("create view truth_of_train as from binary_truth where user_id in (select t.user_id from train as t)")
        yield connection


@pytest.mark.parametrize("metric", COUNTS)
def test_every_value(con: duckdb.DuckDBPyConnection, values: list[Found], metric: str) -> None:
    theirs = [value for value in values if METRICS[value["peer"], value["metric"]].startswith(metric)]
    assert len(theirs) == COUNTS[metric]
    asked: dict[tuple[str, str, str, int | None], list[Found]] = {}
    for value in theirs:
        no_recs = "skip" if value["averaging"].endswith("users in both") else "zero"
        level = value["params"].get("relevance_level")
        how = (METRICS[value["peer"], value["metric"]], TRUTHS[value["relevance"]], no_recs, level)
        asked.setdefault(how, []).append(value)
    differing = [difference for how, several in asked.items() for difference in differences(con, *how, several)]
    assert differing == []


PEERS = {"ir-measures": "ir_measures", "pytrec-eval-terrier": "trec_eval"}  # the presets with another name


@pytest.mark.parametrize("theirs", METRICS)
def test_a_preset_gives_the_same(con: duckdb.DuckDBPyConnection, theirs: tuple[str, str]) -> None:
    """The lists have ranks and no ties; the users are those of the values."""
    metric, like = METRICS[theirs], PEERS.get(theirs[0], theirs[0])
    chosen: dict[str, Any] = {"no_recs": "zero", "no_truth": "zero_below_threshold", "connection": con}
    chosen |= {"catalog_size": ITEMS} if like == "rectools" else {}
    truth = "binary_truth" if like == "lenskit" else "grades"  # to lenskit, a grade of 0 is relevant
    under = [recsql.evaluate("runs", truth, metric, 10, **chosen, **own) for own in ({}, {"like": like, "rank_by": "rank"})]
    assert under[0]["value"].to_pylist() == under[1]["value"].to_pylist()


def differences(
    con: duckdb.DuckDBPyConnection, metric: str, truth: str, no_recs: str, level: int | None, theirs: list[Found]
) -> Iterator[tuple[Found, float]]:
    """The values that ours are not equal to, with ours."""
    ks = sorted({value["k"] or WHOLE for value in theirs})
    given: dict[str, Any] = {"no_recs": no_recs, "no_truth": "zero_below_threshold", "relevance_threshold": level}
    if "rectools" in metric:
        given["catalog_size"] = ITEMS
    found = recsql.evaluate("runs", truth, metric, ks, connection=con, **given)
    ours = {(row["model"], row["k"]): row["value"] for row in found.to_pylist()}
    for value in theirs:
        if (mine := ours[value["model"], value["k"] or WHOLE]) != pytest.approx(
            value["value"], rel=0, abs=TOLERANCES.get(metric, 1e-9)
        ):
            yield value, mine


@pytest.mark.parametrize("metric", CANDIDATES)
def test_values_over_candidates(con: duckdb.DuckDBPyConnection, shared: Path, metric: str) -> None:
    """Elliot leaves out users who are not in train, and counts one candidate more than there are items in train."""
    peer, params, name, count = CANDIDATES[metric]
    lines = (shared / "catalogue" / "values.json").read_text(encoding="utf-8").splitlines()
    named = [value for value in map(json.loads, lines) if (value["peer"], value["metric"]) == (peer, name)]
    theirs = [value for value in named if params is None or value["params"] == params]
    of_elliot = peer == "elliot"
    [[items]] = con.execute(f"select count(distinct item_id) + {of_elliot:d} from {'train' if of_elliot else 'items'}").fetchall()
    options = {"catalog_size": items, "train": "train" if of_elliot or "unseen" in metric else None, "connection": con}
    truth, ks = "truth_of_train" if of_elliot else "binary_truth", sorted({value["k"] for value in theirs})
    found = recsql.evaluate("runs", truth, metric, ks, rank_by="rank", **options).to_pylist()
    ours = {(row["model"], row["k"]): row["value"] for row in found}
    assert len(theirs) == count
    assert ours == pytest.approx({(value["model"], value["k"]): value["value"] for value in theirs}, rel=0, abs=1e-9)


@pytest.mark.parametrize("metric", OF_PRESETS)
def test_values_under_a_preset(con: duckdb.DuckDBPyConnection, shared: Path, metric: str) -> None:
    """Elliot leaves out users who are not in train; to ir_measures, a relevant item without a category is no judgement."""
    peer, names, params, given, count = OF_PRESETS[metric]
    lines = (shared / "catalogue" / "values.json").read_text(encoding="utf-8").splitlines()
    named = [value for value in map(json.loads, lines) if value["peer"] == peer and value["metric"] in names]
    theirs = {(one["model"], one["k"]): one["value"] for one in named if params.items() <= one["params"].items()}
    options: dict[str, Any] = {"truth": "binary_truth", "rank_by": "rank", "connection": con, **given}
    found = recsql.evaluate("runs", metrics=metric, k=sorted({k for _, k in theirs}), **options).to_pylist()
    assert len(theirs) == count
    assert {(row["model"], row["k"]): row["value"] for row in found} == pytest.approx(theirs, rel=0, abs=1e-9)


def test_r_precision_of_recommenders(con: duckdb.DuckDBPyConnection, shared: Path) -> None:
    """It is averaged over the users with a hit in the first min(R, k) ranks, which no option does."""
    lines = (shared / "catalogue" / "values.json").read_text(encoding="utf-8").splitlines()
    theirs = [value for value in map(json.loads, lines) if value["metric"] == "r_precision_at_k"]
    ks = sorted({value["k"] for value in theirs})
    rows = recsql.per_user("runs", "binary_truth", "r_precision(cut=k)", ks, connection=con).to_pylist()
    ours: dict[tuple[str, int], list[float]] = {}
    for row in rows:
        if row["r_precision(cut=k)"] > 0:
            ours.setdefault((row["model"], row["k"]), []).append(row["r_precision(cut=k)"])
    assert len(theirs) == 12
    for value in theirs:
        found = ours[value["model"], value["k"]]
        assert sum(found) / len(found) == pytest.approx(value["value"], rel=1e-9)


def test_every_value_of_ratings(con: duckdb.DuckDBPyConnection, shared: Path) -> None:
    """Of clicks, the label is a rating of 8 or more, and the probability a tenth of the predicted rating."""
    predictions = f"from '{shared / 'data' / 'movietweetings-100k' / 'runs' / 'predictions.parquet'}'"
    con.execute(f"create or replace view predictions as {predictions}")
    con.execute(f"create or replace view clicks as select * replace (prediction / 10 as prediction) {predictions}")
    lines = (shared / "catalogue" / "values.json").read_text(encoding="utf-8").splitlines()
    theirs = [value for value in map(json.loads, lines) if value["metric"] in RATED and value["averaging"] == "all pairs"]
    asked = [("predictions", "ratings, NULL predictions left out", {}), ("clicks", "label: rating >= 8", {"threshold": 8})]
    compared = 0
    for table, about, options in asked:
        values = {(RATED[one["metric"]], one["model"]): one for one in theirs if one["relevance"].startswith(about)}
        rows = recsql.evaluate_ratings(table, metrics=sorted({name for name, _ in values}), connection=con, **options)
        for row in rows.to_pylist():
            value = values[row["metric"], row["model"]]
            assert (row["value"], row["pairs"]) == (pytest.approx(value["value"], rel=0, abs=1e-9), value["n_pairs"]), value
            compared += 1
    assert compared == len(theirs) == 27


def test_every_order_of_ratings(con: duckdb.DuckDBPyConnection, shared: Path) -> None:
    """Of each user; a model that predicts the same for all has none."""
    con.execute(
        f"create or replace view predictions as from '{shared / 'data' / 'movietweetings-100k' / 'runs' / 'predictions.parquet'}'"
    )
    lines = (shared / "catalogue" / "values.json").read_text(encoding="utf-8").splitlines()
    theirs = {value["model"]: value for value in map(json.loads, lines) if value["metric"] == "spearmanr"}
    rows = recsql.evaluate_ratings("predictions", metrics="rating_order", mean="users", connection=con).to_pylist()
    ours = {row["model"]: row for row in rows if row["value"] is not None}
    assert ours.keys() == theirs.keys() and len(ours) == 2
    for model, value in theirs.items():
        assert (ours[model]["value"], ours[model]["users"]) == (pytest.approx(value["value"], rel=0, abs=1e-9), value["n_users"])
