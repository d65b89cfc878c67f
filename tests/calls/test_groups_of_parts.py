"""Metrics that are not means over users, merged from parts: with intervals, in comparisons and in slices.

If it fails, a metric of all lists together, merged from parts, has another value or error than in one run.
"""

import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.cli import main
from tests.calls.test_parts import Tables, same, shards
from tests.random_data import random_data

MANY, FEW = 150, 45  # users: more than there are groups, and fewer, so that each user is a group
METRICS = ["entropy", "coverage", "gini(weight=exposure)", "f1(average=of_means)", "ndcg"]
ITEMS: dict[str, Any] = {"catalog_size": 500}
OPTIONS: dict[str, dict[str, Any]] = {
    "each metric": ITEMS,
    "only counts": {"metrics": ["entropy(normalize=distinct)", "gini(population=recommended)"]},
    "only means of means": {
        "metrics": ["f1(average=of_means)", "f1(beta=2, average=of_means, precision_denominator=returned)@3"]
    },
    "other averages": {"metrics": ["ap(mean=geometric)", "recall(mean=micro)@3", "auc(mean=weighted)", "ndcg"]} | ITEMS,
    "several queries": {"metrics": ["f1(average=of_means, no_truth=zero)@3", "entropy", "hit(relevance_threshold=3)", "gini@3"]}
    | ITEMS,
    "whole lists": {"metrics": ["entropy", "coverage", "ndcg"], "k": [3, "all"]} | ITEMS,
    "users with lists": {"no_recs": "skip", "duplicates": "first"} | ITEMS,
    "users with an ideal": {"zero_ideal": "skip", "ideal": "truth_returned"} | ITEMS,
    "a sample of all users": {"users": "union", "no_truth": "zero", "sample": 0.5} | ITEMS,
    "judged items of some users": {"users": pa.table({"user_id": [*range(0, MANY, 3)]}), "judged_only": True} | ITEMS,
}
CATALOGUES: Mapping[str, Mapping[str, Any]] = {
    "items": {"metrics": ["coverage(denominator=count)", "entropy(normalize=log_catalog)", "gini(weight=exposure)"]},
    "train": {"metrics": ["coverage(like=rectools)", "gini", "coverage(restrict=false)"]},
}


@cache
def owners() -> dict[Any, int]:
    """The part of each user: nobody is in 1, most are in 0."""
    draw = random.Random(4)
    return {user: draw.choice([0, 0, 0, 2]) for user in range(MANY)}


@cache
def tables(users: int) -> Tables:
    """Three models; "late" has lists in part 2 only."""
    data = random_data(8, users=users, items=60, models=("a", "b", "late"), ties=True)
    recs, truth = data.recs_table(), data.truth_table()
    pairs = zip(recs["model"].to_pylist(), recs["user_id"].to_pylist(), strict=True)
    return recs.filter(pa.array([model != "late" or owners()[user] == 2 for model, user in pairs])), truth


def segments(users: int) -> pa.Table:
    """Users with a country and an age; some are in no row. Country z is in part 2 alone."""
    draw = random.Random(2)
    rows = [(user, draw.choice("xy") if owners()[user] != 2 else "z", draw.choice([10, 20, None])) for user in range(users - 5)]
    return pa.table(dict(zip(("user_id", "country", "age"), zip(*rows, strict=True), strict=True)))


def parts(folder: Path, whole: Tables, count: int = 2, **options: Any) -> str:
    """Two parts, and an empty one if there are three: a glob."""
    for n, part in enumerate(shards(whole, owners(), 3)[:: 4 - count]):
        recsql.partial(*part, str(folder / f"part {n}.parquet"), **{"metrics": METRICS, "k": [3, 10], **options})
    return str(folder / "part *.parquet")


def compare(size: int, folder: Path, catalogue: Mapping[str, Any], *, fully: bool = False, **options: Any) -> pa.Table:
    """Merged intervals against those of the whole; fully: with an empty part, and the values alone as well."""
    whole, count = tables(size), 3 if fully else 2
    settings: dict[str, Any] = {"metrics": METRICS, "k": [3, 10], **options, **catalogue}
    files = parts(folder, whole, count, interval=0.95, **settings)
    expected = recsql.evaluate(*whole, interval=0.95, **settings)
    same(recsql.merge(files, interval=0.95, **catalogue), expected, count)
    if fully:
        same(recsql.merge(files, **catalogue), recsql.evaluate(*whole, **settings), count)
    return expected


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("name", "users"), [*((name, MANY) for name in OPTIONS), *((name, FEW) for name in ("each metric", "several queries"))]
)
def test_the_intervals_of_the_whole(name: str, users: int, tmp_path: Path) -> None:
    expected = compare(users, tmp_path, {}, fully=name == "each metric", **OPTIONS[name])
    assert None not in expected["std_error"].to_pylist()


@pytest.mark.parametrize("role", CATALOGUES)
def test_a_catalogue(role: str, tmp_path: Path) -> None:
    catalogue = {role: pa.table({"item_id": [*range(0, 60, 2), 100, None]})}
    compare(MANY, tmp_path, catalogue, **CATALOGUES[role])


LISTS: dict[str, dict[str, Any]] = {
    "novelty and popularity": {
        "metrics": [
            *("novelty", "novelty(mean=rows)", "novelty(divide=k)", "novelty(unseen=skip)", "novelty(normalize=log_users)"),
            *("novelty(base=interactions)", "popularity", "popularity(normalize=max)", "popularity(base=users)", "ndcg"),
        ]
    },
    "entropy of lists and categories": {
        "metrics": [
            *("entropy(scope=list)", "entropy(scope=list, normalize=distinct)@3"),
            *("entropy(scope=category)", "entropy(scope=category, smoothing=1)"),
        ],
        "duplicates": "first",
    },
    "together": {"metrics": ["novelty", "popularity", "entropy(scope=list)", "entropy(scope=category)", "f1(average=of_means)"]},
}


def train_and_items() -> dict[str, pa.Table]:
    """Interactions of most items, and items with categories, some with two and some without."""
    draw = random.Random(1)
    rows = [(draw.randrange(200), int(55 * draw.random() ** 2)) for _ in range(600)]
    categories = [(item, draw.choice(["p", "q", "r", None])) for item in [*range(58), *range(9)]]
    return {
        "train": pa.table(dict(zip(("user_id", "item_id"), zip(*rows, strict=True), strict=True))),
        "items": pa.table(dict(zip(("item_id", "category"), zip(*categories, strict=True), strict=True))),
    }


def read_by(metrics: Sequence[str]) -> dict[str, pa.Table]:
    """The tables that metrics need."""
    needed = {"train": ("novelty", "popularity"), "items": ("category",)}
    return {role: rows for role, rows in train_and_items().items() if any(name in str(metrics) for name in needed[role])}


@pytest.mark.few(2)
@pytest.mark.parametrize(("name", "users"), [*((name, MANY) for name in LISTS), ("together", FEW)])
def test_what_looks_at_each_list(name: str, users: int, tmp_path: Path) -> None:
    compare(users, tmp_path, read_by(LISTS[name]["metrics"]), fully=name == "together", **LISTS[name])


def test_what_looks_at_each_list_in_slices_and_comparisons(tmp_path: Path) -> None:
    whole, catalogue = tables(MANY), train_and_items()
    given: dict[str, Any] = {"by": "country", "segments": segments(MANY), "k": [3, 10], **LISTS["together"], **catalogue}
    files = parts(tmp_path, whole, baseline="a", **given)
    same(recsql.merge(files, baseline="a", **catalogue), recsql.compare(*whole, baseline="a", **given))
    same(recsql.merge(files, interval=0.9, **catalogue), recsql.evaluate(*whole, interval=0.9, **given))
    for n, part in enumerate(shards(whole, owners(), 3)[::2]):
        recsql.partial(*part, str(tmp_path / f"part {n}.parquet"), **given)
    same(recsql.merge(files, **catalogue), recsql.evaluate(*whole, **given))


def test_the_users_of_train(tmp_path: Path) -> None:
    """Merge reads them for what novelty is divided by, under the name that partial read."""
    whole, train = tables(FEW), train_and_items()["train"].rename_columns(["who", "item_id"])
    recs, truth = (rows.rename_columns(["who" if name == "user_id" else name for name in rows.column_names]) for rows in whole)
    given: dict[str, Any] = {"train": train, "user": "who"}
    recsql.partial(recs, truth, str(tmp_path / "part.parquet"), "novelty(normalize=log_users)", 3, **given)
    expected = recsql.evaluate(recs, truth, "novelty(normalize=log_users)", 3, **given)
    assert recsql.merge(tmp_path / "part.parquet", **given).to_pylist() == expected.to_pylist()
    with pytest.raises(recsql.BadInput, match="train: no row has a user"):
        recsql.merge(tmp_path / "part.parquet", train=train)


def test_the_number_of_groups_and_the_level(tmp_path: Path) -> None:
    """The level is that of merge; the groups are those of the parts."""
    whole = tables(MANY)
    files = parts(tmp_path, whole, interval=0.95, groups=16, **ITEMS)
    levels: Sequence[dict[str, Any]] = [{"interval": 0.8}, {"interval": 0.95, "interval_method": "t"}]
    for asked in levels:
        same(
            recsql.merge(files, **asked),
            recsql.evaluate(*whole, **{"metrics": METRICS, "k": [3, 10], "groups": 16, **asked, **ITEMS}),
        )


SLICED: dict[str, dict[str, Any]] = {
    "two slices": {"by": ["country", "age[15]"]} | ITEMS,
    "large segments, crossed": {"by": "country x age", "min_users": 12} | ITEMS,
    "of all lists alone": {"by": "country", "metrics": ["entropy", "gini(weight=exposure)"]} | ITEMS,
}


@pytest.mark.few(2)
@pytest.mark.parametrize(("name", "users"), [*((name, MANY) for name in SLICED), ("two slices", FEW)])
def test_slices(name: str, users: int, tmp_path: Path) -> None:
    compare(users, tmp_path, {}, fully=name == "two slices", segments=segments(users), **SLICED[name])


def test_slices_without_intervals(tmp_path: Path) -> None:
    """The parts have segments and no groups."""
    whole = tables(MANY)
    options: dict[str, Any] = {"by": ["country", "age"], "segments": segments(MANY), **ITEMS}
    files = parts(tmp_path, whole, **options)
    same(recsql.merge(files), recsql.evaluate(*whole, METRICS, [3, 10], **options))
    assert "user_group" not in pq.read_table(tmp_path / "part 0.parquet").column_names


def test_slices_by_activity(tmp_path: Path) -> None:
    draw = random.Random(5)
    train = pa.table(
        {"user_id": [draw.randint(0, MANY) for _ in range(300)], "item_id": [draw.randint(0, 60) for _ in range(300)]}
    )
    compare(MANY, tmp_path, {"train": train}, by="train.activity[1,3]", metrics=["coverage", "f1(average=of_means)"])


COMPARED: dict[str, dict[str, Any]] = {
    "each metric": ITEMS,
    "several queries": OPTIONS["several queries"] | {"users": "union"},
    "two slices": {"by": ["country", "age[15]"], "min_users": 5} | ITEMS,
    "of all lists alone": {"by": "country", "metrics": ["entropy", "gini(weight=exposure)"]} | ITEMS,
}


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("name", "users", "baseline"),
    [
        *((name, MANY, "a") for name in COMPARED),
        ("two slices", FEW, "b"),
        ("each metric", MANY, "late"),
    ],
)
def test_the_comparisons_of_the_whole(name: str, users: int, baseline: str, tmp_path: Path) -> None:
    whole = tables(users)
    options: dict[str, Any] = {"baseline": baseline, **COMPARED[name]}
    if "by" in options:
        options["segments"] = segments(users)
    fully = name in ("each metric", "two slices")
    count = 3 if fully else 2
    files = parts(tmp_path, whole, count, **options)
    given: dict[str, Any] = {"metrics": METRICS, "k": [3, 10], **options}
    same(recsql.merge(files, baseline=baseline), recsql.compare(*whole, **given), count)
    if fully:  # the means as well
        del given["baseline"]
        same(recsql.merge(files, interval=0.9), recsql.evaluate(*whole, interval=0.9, **given), count)


def test_the_options_of_a_comparison(tmp_path: Path) -> None:
    whole = tables(MANY)
    asked: dict[str, Any] = {"alternative": "greater", "correction": "bonferroni", "interval": 0.9, "power": 0.9}
    files = parts(tmp_path, whole, baseline="a", **ITEMS)
    expected = recsql.compare(*whole, **{"metrics": METRICS, "k": [3, 10], "baseline": "a", **asked, **ITEMS})
    same(recsql.merge(files, baseline="a", **asked), expected)


def test_three_users_by_hand(tmp_path: Path) -> None:
    """Each user is a part and a group. Without one of them, coverage is .2, .2 and .1.

    The standard error is that of the jackknife, sqrt(2 / 3 x (2 x (.2 - 1/6)^2 + (.1 - 1/6)^2)) = sqrt(2 / 3 x 1 / 150) = 1 / 15.
    """
    for user, item in enumerate([7, 7, 8]):
        recs = pa.table({"user_id": [user], "item_id": [item], "rank": [1]})
        recsql.partial(recs, recs, str(tmp_path / f"{user}.parquet"), "coverage", 1, interval=0.95, catalog_size=10)
    [row] = recsql.merge(str(tmp_path / "*.parquet"), interval=0.95).to_pylist()
    assert (row["value"], row["few"]) == (0.2, True)
    assert row["std_error"] == pytest.approx(1 / 15, abs=1e-15)


def test_users_are_named_only_where_they_are_few(tmp_path: Path) -> None:
    """A part with fewer users of a model than groups has their ids, as all parts together may have few. Else it has 64 groups."""
    recs, truth = tables(MANY)
    recs = recs.filter(pa.array([model != "late" for model in recs["model"].to_pylist()]))
    few = pa.array([user < 50 for user in recs["user_id"].to_pylist()])
    for name, rows in {"many": recs, "few": recs.filter(few)}.items():
        recsql.partial(rows, truth.slice(0, 0), str(tmp_path / name), "entropy", 3, interval=0.95)
    many, few = ({*pq.read_table(tmp_path / name)["user_group"].to_pylist()} - {None} for name in ("many", "few"))
    assert many <= {f"{group:04}" for group in range(64)}
    assert {group[4:] for group in few} <= {f":{user}" for user in range(50)}


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["uuid", "hugeint", "enum"])
def test_ids_of_users(kind: str, tmp_path: Path) -> None:
    """Users who are groups of their own have the order of their ids as text, whatever the type."""
    import duckdb

    whole = tables(FEW)
    id_of = {"uuid": "cast(md5(cast(t.user_id as varchar)) as uuid)", "enum": "cast(cast(t.user_id as varchar) as of_users)"}
    with duckdb.connect() as con:
        con.execute(f"create type of_users as enum ({', '.join(repr(str(user)) for user in range(FEW, -1, -1))})")
        for n, part in enumerate([whole, *shards(whole, owners(), 3)[::2]]):
            for name, rows in zip(("recs", "truth"), part, strict=True):
                con.register("rows_of_part", rows)
                user = id_of.get(kind, f"cast(t.user_id as {kind})")
                con.execute(f"create table {name}_{n} as select t.* replace ({user} as user_id) from rows_of_part as t")
            if n > 0:
                path = str(tmp_path / f"{n}.parquet")
                recsql.partial(f"recs_{n}", f"truth_{n}", path, METRICS, 3, interval=0.95, connection=con, **ITEMS)
        expected = recsql.evaluate("recs_0", "truth_0", METRICS, 3, interval=0.95, connection=con, **ITEMS)
    same(recsql.merge(str(tmp_path / "*.parquet"), interval=0.95), expected)


def test_means_have_no_groups(tmp_path: Path) -> None:
    """Parts without intervals are what they were, and those of means too."""
    whole = tables(FEW)
    for n, options in enumerate([ITEMS, {"metrics": ["ndcg", "hit"], "baseline": "a"}]):
        recsql.partial(*whole, str(tmp_path / f"{n}.parquet"), **{"metrics": METRICS, "k": [3, 10], **options})
        assert not {"user_group", "lists_of_users", "users_in_groups"} & {*pq.read_table(tmp_path / f"{n}.parquet").column_names}


REFUSED: Sequence[tuple[Mapping[str, Any], Mapping[str, Any], str]] = [
    (
        {},
        {"interval": 0.95},
        "interval: these parts lack the groups of users that entropy needs; make them with interval= as well",
    ),
    ({"metrics": "ndcg", "interval": 0.9}, {}, "interval: parts keep sums, so give interval= to merge; only metrics that are no"),
    ({"baseline": "a", "interval": 0.9}, {}, "interval: parts keep sums, so give interval= to merge"),
    (
        {"baseline": "a", "metrics": "ndcg", "groups": 8},
        {},
        "groups: a comparison has t intervals of differences, and for metrics that are not means",
    ),
    ({"interval": 0.9, "interval_method": "t"}, {}, "interval_method: parts keep sums, so give interval_method= to merge"),
    ({"groups": 16}, {}, "groups: it applies only with interval=; give that as well"),
    ({"interval": 0.9, "cluster": "relevance"}, {}, "cluster: .* has groups of users, not of clusters"),
    ({"baseline": "a", "test": "wilcoxon"}, {}, "test: entropy is not a mean over users, and wilcoxon needs a value of each"),
    (
        {"baseline": "a"},
        {"baseline": "a", "test": "sign"},
        "test: entropy is not a mean over users, and sign needs a value of each",
    ),
    ({"baseline": "a", "groups": 16}, {}, "not means those of 64 groups of users; leave groups= out"),
    (
        {"baseline": "a", "by": "country", "segments": segments(FEW)},
        {"baseline": "a", "contributions": "true"},
        "contributions: those of entropy don't add up",
    ),
    ({"by": "age[q2]", "segments": segments(FEW)}, {}, "by: the quantiles of age are those of all users"),
]


@pytest.mark.parametrize(("made", "merged", "sentence"), REFUSED, ids=[str(one[2]) for one in REFUSED])
def test_refused(made: Mapping[str, Any], merged: Mapping[str, Any], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(recsql.RecsqlError, match=sentence):
        recsql.merge(parts(tmp_path, tables(FEW), **{**ITEMS, **made}), **merged)


def test_parts_of_which_only_some_have_groups(tmp_path: Path) -> None:
    for n, part in enumerate(shards(tables(FEW), owners(), 2)):
        recsql.partial(*part, str(tmp_path / f"{n}.parquet"), "entropy", 3, interval=[None, 0.9][n])
    with pytest.raises(recsql.BadInput, match=r"1\.parquet: it has different options from .*0\.parquet"):
        recsql.merge(str(tmp_path / "*.parquet"))


@pytest.mark.parametrize("asked", [["--interval"], ["--baseline", "a"]], ids=str)
def test_on_the_command_line(asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, rows in zip(("recs", "truth"), tables(FEW), strict=True):
        pq.write_table(rows, tmp_path / f"{name}.parquet")
    recs, truth, part = (str(tmp_path / f"{name}.parquet") for name in ("recs", "truth", "part"))
    metrics = ["-m", "entropy", "-m", "f1(average=of_means)", "-k", "3"]
    assert main(["partial", recs, truth, *metrics, *asked, "-o", part]) == 0
    assert main(["compare" if "--baseline" in asked else "evaluate", recs, truth, *metrics, *asked]) == 0
    expected = capsys.readouterr().out
    assert main(["merge", part, *asked]) == 0
    assert capsys.readouterr().out == expected
