"""Parts merge into the comparisons and slices of the whole: the same bits, however users are divided.

If it fails, comparisons and slices merged from parts differ from those of one run.
"""

import random
from collections.abc import Mapping, Sequence
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
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "sums of hits": {},
    "own users": {"no_recs": "skip"},
    "all users": {"users": "union", "no_truth": "zero"},
    "above 1, in a sample": {"metrics": ["dcg", "hits"], "gain": "exp2", "sample": 0.5},
    "two queries": {"metrics": ["ndcg", "precision(no_recs=skip)@3", "ap(like=ranx)"]},
    "recommenders": {"like": "recommenders"},
    "whole lists, users in every model": {"metrics": ["ndcg", "recall"], "k": [3, "all"], "users": "intersection"},
}
TESTS: Mapping[str, Mapping[str, Any]] = {
    "sign": {"test": "sign", "alternative": "less"},
    "wilcoxon": {"test": "wilcoxon", "correction": "bh"},
    "randomisation": {"test": "randomisation", "alternative": "greater"},
    "not worse": {"alternative": "greater", "margin": 0.05, "family": "metric"},
    "Bonferroni": {"correction": "bonferroni", "interval": 0.9, "effect": "hedges", "power": 0.9},
}


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


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("name", "test"),
    [
        *((name, "t") for name in ("a column", "activity")),
        *((name, "wilcoxon") for name in ("crossed", "large segments")),
    ],
)
def test_comparisons_in_slices(name: str, test: str, tables: Tables, tmp_path: Path) -> None:
    options = {"segments": segments(), **SLICED[name], "baseline": "late", "test": test}
    if name == "activity":
        options["train"] = train()
    found = recsql.merge(parts(tmp_path, tables, **options), baseline="late", contributions="true")
    same(found, whole(tables, contributions="true", **options))


def clustered(tables: Tables) -> Tables:
    """Accounts of several users, each in one part; every fourth user has none, and is a cluster of its own."""
    recs, truth = tables
    accounts = [None if user % 4 == 0 else f"{owners()[user]}-{user % 5}" for user in truth["user_id"].to_pylist()]
    return recs, truth.append_column("account", pa.array(accounts))


@pytest.mark.parametrize("options", [{"by": "country"}, {"no_recs": "skip", "metrics": ["dcg", "ndcg"]}], ids=str)
def test_clusters_lie_within_a_part(options: Mapping[str, Any], tables: Tables, tmp_path: Path) -> None:
    given = {"cluster": "account", **options} | ({"segments": segments()} if "by" in options else {})
    together = clustered(tables)
    files = parts(tmp_path, together, baseline="a", **given)
    settings = {"metrics": METRICS, "k": [3, 10], **given}
    for interval in (0.95, 0.8):
        same(recsql.merge(files, interval=interval), recsql.evaluate(*together, interval=interval, **settings))
    assert recsql.merge(files, baseline="a").to_pylist() == recsql.compare(*together, baseline="a", **settings).to_pylist()
    with pytest.raises(recsql.RecsqlError, match="cluster: test='sign' takes users as independent"):
        recsql.merge(files, baseline="a", test="sign")


def test_a_cluster_in_two_parts(tables: Tables, tmp_path: Path) -> None:
    recs, truth = tables
    files = parts(tmp_path, (recs, truth.append_column("account", pa.array(["one"] * len(truth)))), cluster="account")
    assert recsql.merge(files).to_pylist() == recsql.evaluate(*tables, METRICS, [3, 10]).to_pylist()
    with pytest.raises(recsql.BadInput, match="cluster: these parts share clusters, and each must be in one part"):
        recsql.merge(files, interval=0.95)


def parts(folder: Path, tables: Tables, count: int = 2, **options: Any) -> str:
    """Two parts, and an empty one if there are three: a glob."""
    for n, part in enumerate(shards(tables, owners(), 3)[:: 4 - count]):
        recsql.partial(*part, str(folder / f"part {n}.parquet"), **{"metrics": METRICS, "k": [3, 10], **options})
    return str(folder / "part *.parquet")


def whole(tables: Tables, **options: Any) -> pa.Table:
    return recsql.compare(*tables, **{"metrics": METRICS, "k": [3, 10], **options})


@pytest.mark.few(5)
@pytest.mark.parametrize(("name", "baseline"), [*((name, "a") for name in OPTIONS), *((name, "late") for name in [*OPTIONS][:2])])
def test_any_partition_merges_to_the_whole(name: str, baseline: str, tables: Tables, tmp_path: Path) -> None:
    options = {**OPTIONS[name], "baseline": baseline}
    count = 3 if name == "sums of hits" else 2
    same(recsql.merge(parts(tmp_path, tables, count, **options), baseline=baseline), whole(tables, **options), count)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", TESTS)
def test_each_test_is_that_of_the_whole(name: str, tables: Tables, tmp_path: Path) -> None:
    options = TESTS[name]
    given = {"test": options["test"]} if options.get("test") in ("wilcoxon", "randomisation") else {}
    found = recsql.merge(parts(tmp_path, tables, baseline="b", **given), baseline="b", **options)
    assert found.to_pylist() == whole(tables, baseline="b", **options).to_pylist()


def test_the_means_are_those_without_a_baseline(tables: Tables, tmp_path: Path) -> None:
    found = recsql.merge(parts(tmp_path, tables, baseline="a", test="wilcoxon"), interval=0.9)
    same(found, recsql.evaluate(*tables, METRICS, [3, 10], interval=0.9))


def test_one_test_of_parts_made_for_another(tables: Tables, tmp_path: Path) -> None:
    """A part made for a test of ranks can be merged for every test."""
    files = parts(tmp_path, tables, baseline="a", test="wilcoxon")
    for test in ("t", "randomisation"):
        found = recsql.merge(files, baseline="a", test=test)
        assert found.to_pylist() == whole(tables, baseline="a", test=test).to_pylist()
    assert recsql.merge(files, baseline="a").to_pylist() == whole(tables, baseline="a", test="wilcoxon").to_pylist()


def test_two_users_by_hand(tmp_path: Path) -> None:
    """Each user is a part: hits of new 1 and 1, of old 0 and 1. The mean difference is 1/2, as is its standard error."""
    truth = {"user_id": [1], "item_id": [7]}
    lists: Sequence[tuple[int, int]] = [(7, 8), (7, 7)]
    for user, items in enumerate(lists, start=1):
        recs = {"model": ["new", "old"], "user_id": [user] * 2, "item_id": items, "rank": [1, 1]}
        path = str(tmp_path / f"{user}.parquet")
        recsql.partial(pa.table(recs), pa.table({**truth, "user_id": [user]}), path, "hit", 1, baseline="old")
    [row] = recsql.merge(str(tmp_path / "*.parquet"), baseline="old").to_pylist()
    assert (row["value"], row["baseline_value"], row["difference"], row["std_error"]) == (1, 0.5, 0.5, 0.5)
    assert (row["users"], row["wins"], row["ties"], row["losses"]) == (2, 1, 1, 0)
    assert row["p"] == pytest.approx(0.5, abs=1e-12)  # t = 1 with one degree of freedom


REFUSED: Sequence[tuple[Mapping[str, Any], Mapping[str, Any], str]] = [
    ({"margin": 0.1}, {}, "margin: parts keep sums, so give margin= to merge"),
    ({"interval": 0.9}, {}, "interval: parts keep sums, so give interval= to merge"),
    ({"baseline": None, "test": "wilcoxon"}, {}, "test: it applies only to comparisons; give baseline= as well"),
    ({"test": "u"}, {}, "test: unknown value 'u'"),
    ({"by": "age[q2]", "segments": segments()}, {}, r"by: the quantiles of age are .*; cut it at numbers, as in age\[1,10\]"),
    ({}, {"baseline": "b"}, "baseline: these parts were made with a, not b; give the same one"),
    ({"baseline": None}, {}, "baseline: these parts were made without one; give it to partial as well"),
    ({}, {"test": "wilcoxon"}, "test: wilcoxon needs the differences of users; give test= to partial as well"),
    ({}, {"margin": 0.1}, "margin: it applies only if alternative='greater' or 'less'"),
    ({}, {"correction": "tukey"}, "correction: unknown value 'tukey'"),
    ({}, {"interval_method": "t"}, "merge: the parts were made with these catalogue tables: none"),
    ({"baseline": "aa"}, {"baseline": "aa"}, "baseline: aa is not among the models of .*part 0.parquet.*; did you mean a"),
]


@pytest.mark.parametrize(("made", "merged", "sentence"), REFUSED, ids=[str(one[:2]) for one in REFUSED])
def test_refused(made: Mapping[str, Any], merged: Mapping[str, Any], sentence: str, tables: Tables, tmp_path: Path) -> None:
    with pytest.raises(recsql.RecsqlError, match=sentence):
        recsql.merge(parts(tmp_path, tables, **{"baseline": "a", **made}), **{"baseline": "a", **merged})


def test_parts_with_another_baseline_do_not_belong_together(tables: Tables, tmp_path: Path) -> None:
    for n, (part, baseline) in enumerate(zip(shards(tables, owners(), 2), "ab", strict=True)):
        recsql.partial(*part, str(tmp_path / f"{n}.parquet"), "ndcg", 3, baseline=baseline)
    with pytest.raises(recsql.BadInput, match=r"1\.parquet: it has different options from .*0\.parquet"):
        recsql.merge(str(tmp_path / "*.parquet"))


def test_users_in_two_parts_have_no_comparison(tables: Tables, tmp_path: Path) -> None:
    recs, truth = tables
    for day in (0, 1):
        part = recs.filter(pa.array([rank % 2 == day for rank in recs["rank"].to_pylist()]))
        recsql.partial(part, truth, str(tmp_path / f"{day}.parquet"), "hit", 3, baseline="a")
    with pytest.raises(recsql.BadInput, match="baseline: these parts share users, so their values are not independent"):
        recsql.merge(str(tmp_path / "*.parquet"), baseline="a")


def test_on_the_command_line(tables: Tables, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import pyarrow.parquet as pq

    for name, rows in zip(("recs", "truth"), tables, strict=True):
        pq.write_table(rows, tmp_path / f"{name}.parquet")
    files = [str(tmp_path / f"{name}.parquet") for name in ("recs", "truth", "part")]
    asked = ["-m", "ndcg", "-k", "3", "--baseline", "a"]
    assert main(["partial", *files[:2], *asked, "-o", files[2]]) == 0
    assert main(["compare", *files[:2], *asked, "--alternative", "less"]) == 0
    expected = capsys.readouterr().out
    assert main(["merge", files[2], "--baseline", "a", "--alternative", "less"]) == 0
    assert capsys.readouterr().out == expected
