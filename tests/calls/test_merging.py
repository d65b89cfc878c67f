"""Parts merge into the slices and clusters of the whole: the same bits, however users are divided.

If it fails, slices merged from parts differ from those of one run, or a part was asked for what it can't have.
"""

import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import recsql
from recsql.cli import main
from tests.calls.test_parts import Tables, same, shards
from tests.random_data import random_data

METRICS = ["ndcg", "ap", "hit", "rr"]
OF_ITEMS: dict[str, Any] = {"metrics": ["entropy", "coverage", "gini(weight=exposure)", "ndcg"], "catalog_size": 500}


@pytest.fixture(scope="module")
def tables() -> Tables:
    """Four models; "late" has lists of the users of one part only, "none" of the same few."""
    data = random_data(8, users=60, models=("a", "b", "c", "late"), ties=True)
    recs, truth = data.recs_table("model", "user_id", "item_id", "rank"), data.truth_table()
    kept = [
        model != "late" or owners()[user] == 2
        for model, user in zip(recs["model"].to_pylist(), recs["user_id"].to_pylist(), strict=True)
    ]
    return recs.filter(pa.array(kept)), truth


@cache
def owners() -> dict[Any, int]:
    """The part of each user: nobody is in 1, most are in 0."""
    draw = random.Random(4)
    return {user: draw.choice([0, 0, 0, 2]) for user in range(100)}


def segments() -> pa.Table:
    """Users with countries and an age; some are in no row, and some values are NULL. Country z is in part 2 alone."""
    draw = random.Random(2)
    rows: list[tuple[Any, ...]] = []
    for user in range(55):
        rows.append((user, draw.choice("xy") if owners()[user] != 2 else "z", draw.choice([10, 20, 30, None])))
    rows += [(user, None, 20) for user in range(0, 55, 7)]
    return pa.table(dict(zip(("user_id", "country", "age"), zip(*rows, strict=True), strict=True)))


def train() -> pa.Table:
    """Interactions of some users."""
    draw = random.Random(5)
    return pa.table({"user_id": [draw.randint(0, 70) for _ in range(300)], "item_id": [1] * 300})


def parts(folder: Path, tables: Tables, count: int = 2, **options: Any) -> str:
    """Two parts, and an empty one if there are three: a glob."""
    for n, part in enumerate(shards(tables, owners(), 3)[:: 4 - count]):
        recsql.partial(*part, str(folder / f"part {n}.parquet"), **{"metrics": METRICS, "k": [3, 10], **options})
    return str(folder / "part *.parquet")


SLICED: Mapping[str, Mapping[str, Any]] = {
    "a column": {"by": "country"},
    "two slices": {"by": ["country", "age[18,25]"], "no_recs": "skip"},
    "crossed": {"by": "country x age", "multiple": "each"},
    "large segments": {"by": ["country", "age"], "min_users": 12},
    "activity": {"by": "train.activity", "segments": None},
    "crossed activity": {"by": "country x train.activity[1,4]", "users": "union", "no_truth": "zero"},
}


@pytest.mark.few(2)
@pytest.mark.parametrize("name", SLICED)
def test_slices_are_those_of_the_whole(name: str, tables: Tables, tmp_path: Path) -> None:
    """With intervals and without, from the same parts."""
    options = {"segments": segments(), **SLICED[name]}
    if "activity" in str(options["by"]):
        options["train"] = train()
    count = 3 if name == "a column" else 2
    files = parts(tmp_path, tables, count, **options)
    for interval in (None, 0.9):
        same(
            recsql.merge(files, interval=interval),
            recsql.evaluate(*tables, METRICS, [3, 10], interval=interval, **options),
            count,
        )


SLICED_ITEMS: Mapping[str, Mapping[str, Any]] = {
    "two slices": {"by": ["country", "age[15]"], **OF_ITEMS},
    "large segments, crossed": {"by": "country x age", "min_users": 12, **OF_ITEMS},
    "of all lists alone": {"by": "country", "metrics": ["entropy", "gini(population=recommended)"]},
    "activity": {"by": "train.activity[1,3]", "segments": None, "metrics": ["coverage", "f1(average=of_means)"]},
}


@pytest.mark.few(2)
@pytest.mark.parametrize("name", SLICED_ITEMS)
def test_how_often_items_are_recommended_in_slices(name: str, tables: Tables, tmp_path: Path) -> None:
    options = {"segments": segments(), **SLICED_ITEMS[name]}
    catalogue = {"train": train()} if name == "activity" else {}
    count = 3 if name == "two slices" else 2
    files = parts(tmp_path, tables, count, **options, **catalogue)
    same(recsql.merge(files, **catalogue), recsql.evaluate(*tables, **{"k": [3, 10], **options, **catalogue}), count)


# -- clusters


def clustered(tables: Tables) -> Tables:
    """Accounts of several users, each in one part; every fourth user has none, and is a cluster of its own."""
    recs, truth = tables
    accounts = [None if user % 4 == 0 else f"{owners()[user]}-{user % 5}" for user in truth["user_id"].to_pylist()]
    return recs, truth.append_column("account", pa.array(accounts))


@pytest.mark.parametrize("options", [{"by": "country"}, {"no_recs": "skip", "metrics": ["dcg", "ndcg"]}], ids=str)
def test_clusters_lie_within_a_part(options: Mapping[str, Any], tables: Tables, tmp_path: Path) -> None:
    given = {"cluster": "account", **options} | ({"segments": segments()} if "by" in options else {})
    together = clustered(tables)
    files = parts(tmp_path, together, **given)
    settings = {"metrics": METRICS, "k": [3, 10], **given}
    for interval in (0.95, 0.8):
        same(recsql.merge(files, interval=interval), recsql.evaluate(*together, interval=interval, **settings))


def test_a_cluster_in_two_parts(tables: Tables, tmp_path: Path) -> None:
    recs, truth = tables
    files = parts(tmp_path, (recs, truth.append_column("account", pa.array(["one"] * len(truth)))), cluster="account")
    assert recsql.merge(files).to_pylist() == recsql.evaluate(*tables, METRICS, [3, 10]).to_pylist()
    with pytest.raises(recsql.BadInput, match="cluster: these parts share clusters, and each must be in one part"):
        recsql.merge(files, interval=0.95)


# -- what needs more than sums and counts

LISTS = (
    "it needs each list, and parts keep only how often each item is recommended; give all files to evaluate at once, as a glob"
)
PAIRS = (
    "a comparison needs each user's values of both models, and parts keep only the sums of each; "
    "give all files to compare at once, as a glob$"
)
GROUPS = (
    "is not a mean over users, and parts keep no groups of users for its interval; "
    "give all files to evaluate at once, as a glob, or leave interval= out$"
)
ITEMS = pa.table({"item_id": [*range(100)], "category": [*"pq"] * 50})
REFUSED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"metrics": ["entropy", "entropy(scope=list)"]}, {}, rf"^entropy\(scope=list\): {LISTS}"),
    ({"metrics": "entropy(scope=category)", "items": ITEMS}, {}, rf"^entropy\(scope=category\): {LISTS}"),
    ({"metrics": ["ndcg", "personalisation@3"]}, {}, f"^personalisation: {LISTS}, or leave personalisation out$"),
    ({"baseline": "a"}, {}, f"^baseline: {PAIRS}"),
    ({"test": "wilcoxon"}, {}, f"^test: {PAIRS}"),
    ({}, {"baseline": "a"}, f"^baseline: {PAIRS}"),
    ({}, {"margin": 0.1}, f"^margin: {PAIRS}"),
    ({"metrics": ["ndcg", "entropy"], "interval": 0.9}, {}, f"^interval: entropy {GROUPS}"),
    ({"metrics": ["hit(relevance_threshold=3)", "f1(average=of_means)"], "interval": 0.9}, {}, f"^interval: f1 {GROUPS}"),
    ({"metrics": "ap(mean=geometric)", "interval": 0.9}, {}, f"^interval: ap {GROUPS}"),
    ({"metrics": ["ndcg", "entropy"]}, {"interval": 0.9}, f"^interval: entropy {GROUPS}"),
    ({"metrics": ["ndcg", "f1(average=of_means)"]}, {"interval": 0.9}, f"^interval: f1 {GROUPS}"),
    ({"interval": 0.9}, {}, "^interval: parts keep sums, so give interval= to merge$"),
    ({"interval": 0.9, "interval_method": "t"}, {}, "^interval: parts keep sums, so give interval= to merge$"),
    ({"groups": 16}, {}, "^groups: it applies only with interval="),
    ({}, {"interval_method": "t"}, "^interval_method: it applies only with interval="),
    ({"by": "age[q2]", "segments": segments()}, {}, r"by: the quantiles of age are .*; cut it at numbers, as in age\[1,10\]"),
]


@pytest.mark.parametrize(("made", "merged", "sentence"), REFUSED, ids=[one[2] for one in REFUSED])
def test_refused(made: Mapping[str, Any], merged: Mapping[str, Any], sentence: str, tables: Tables, tmp_path: Path) -> None:
    with pytest.raises(recsql.RecsqlError, match=sentence):
        recsql.merge(parts(tmp_path, tables, **made), **merged)
    assert len([*tmp_path.iterdir()]) == (2 if merged else 0), "a part that is refused leaves no file"


def test_refused_on_the_command_line(tables: Tables, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import pyarrow.parquet as pq

    for name, rows in zip(("recs", "truth"), tables, strict=True):
        pq.write_table(rows, tmp_path / f"{name}.parquet")
    recs, truth, part = (str(tmp_path / f"{name}.parquet") for name in ("recs", "truth", "part"))
    asked = ["partial", recs, truth, "-k", "3", "-o", part]
    assert main([*asked, "-m", "personalisation"]) != 0
    assert "give all files to recsql evaluate at once, as a glob, or leave personalisation out" in capsys.readouterr().err
    assert main([*asked, "-m", "ndcg"]) == 0
    for words in ([*asked, "-m", "ndcg", "--baseline", "a"], ["merge", part, "--baseline", "a"]):
        with pytest.raises(SystemExit):
            main(words)
        assert "unknown option --baseline; recsql compare has it" in capsys.readouterr().err
