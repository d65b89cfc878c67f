"""Comparisons of what is not a mean over users: groups left out of both models, against a plain jackknife of differences.

If it fails, comparisons of coverage, entropy and the like have wrong errors, and so wrong p.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import recsql
from recsql.calls import compare
from recsql.calls.open_call import opened
from recsql.cli import main
from recsql.display.shown import Shown
from recsql.query.plan import PAIRS
from recsql.query.render import Query
from tests.calls.test_interval_groups import CATEGORIES, ITEMS, group_of, in_slices, without
from tests.promises.test_needs import has_what_it_reads
from tests.random_data import random_data
from tests.sql.test_rendering import RECS, TRUTH

Row = dict[str, Any]
OF_LISTS = {"items": CATEGORIES}
NONE = ("unpaired", "wins", "ties", "losses", "effect", "relative", "relative_low", "relative_high")  # of one value for all
CORRECTED = dict.fromkeys(("p_adjusted", "tests", "verdict"))  # what other tests in the family change


def tables(seed: int, users: int, models: Sequence[str] = ("a", "b")) -> dict[str, pa.Table]:
    data = random_data(seed, users=users, items=14, models=models)
    return {"recs": data.recs_table(), "truth": data.truth_table()}


def key(row: Row) -> tuple[Any, ...]:
    return row["metric"], row.get("k")


def differences(
    compute: Callable[..., pa.Table], given: Mapping[str, pa.Table], users: Sequence[Any], each: bool
) -> Iterator[dict[Any, float | None]]:
    """The differences of b and a: of all users, then without each group."""
    parts: dict[int, list[Any]] = {}
    for place, user in enumerate(users):
        parts.setdefault(place if each else group_of(user, 64), []).append(user)
    rows = in_slices(compute, given, [*parts.values()])
    for segment in (None, *map(str, range(len(parts)))):
        values = {(row["model"], *key(row)): row["value"] for row in rows if row["segment"] == segment}
        found = {at[1:]: (values["b", *at[1:]], values["a", *at[1:]]) for at in values if at[0] == "b"}
        yield {at: None if None in pair else pair[0] - pair[1] for at, pair in found.items()}


def check(
    rows: Sequence[Row], compute: Callable[..., pa.Table], given: Mapping[str, pa.Table], users: Sequence[Any], each: bool
) -> None:
    """Each row has the difference, the error and the interval of the jackknife, and the p of its t."""
    whole, *rest = differences(compute, given, users, each)
    assert {key(row) for row in rows} == whole.keys()
    for row in rows:
        left = [value for one in rest if (value := one.get(key(row))) is not None]
        error, df = math.sqrt((len(left) - 1) * np.var(left)), len(left) - 1
        assert row["difference"] == pytest.approx(whole[key(row)], rel=1e-9, abs=1e-12)
        assert row["value"] - row["baseline_value"] == pytest.approx(row["difference"], abs=1e-12)
        if error < 1e-12:
            assert (row["low"], row["high"]) == (None, None)
            assert (row["std_error"], row["p"]) == ((0, 1) if row["difference"] == 0 else (None, None))
            continue
        ends = stats.t.interval(0.95, df, row["difference"], error)
        assert row["std_error"] == pytest.approx(error, rel=1e-7, abs=1e-11), row
        assert [row["low"], row["high"]] == pytest.approx(ends, rel=1e-6, abs=1e-9)
        assert row["p"] == pytest.approx(2 * stats.t.sf(abs(row["difference"]) / error, df), rel=1e-6, abs=1e-9)
        assert row["detectable"] == pytest.approx((stats.t.isf(0.025, df) + stats.norm.ppf(0.8)) * error, rel=1e-6)
        assert [row[name] for name in NONE] == [None] * len(NONE)


CALLS: Mapping[str, tuple[Any, Row]] = {
    "counts": (["entropy", "coverage", "gini"], {"items": ITEMS}),
    "lists": (["entropy(scope=list)", "entropy(scope=category)"], OF_LISTS),
    "exposure": (["gini(weight=exposure)"], {"items": ITEMS}),
}


@pytest.mark.parametrize("users", [20, 150])
@pytest.mark.parametrize("name", CALLS)
def test_metrics_of_all_lists_together(name: str, users: int) -> None:
    metrics, options = CALLS[name]
    given = tables(3, users)

    def compute(recs: pa.Table, truth: pa.Table, **slices: Any) -> pa.Table:
        return recsql.item_metrics(recs, metrics, [1, 5], **slices, **options)

    rows = recsql.compare(**given, metrics=metrics, k=[1, 5], baseline="a", **options).to_pylist()
    check(rows, compute, given, sorted(set(given["recs"]["user_id"].to_pylist())), users == 20)
    lists = [len({row["user_id"] for row in given["recs"].to_pylist() if row["model"] == model}) for model in ("a", "b")]
    for row in rows:
        assert row["users"] <= min(lists) if name == "lists" else row["users"] == min(lists)
        assert row["few"] == (row["users"] < 200)


@pytest.mark.parametrize("users", [20, 150])
@pytest.mark.parametrize("options", [{}, {"no_recs": "skip"}, {"no_truth": "zero", "users": "union"}], ids=str)
@pytest.mark.filterwarnings("ignore:recs")
def test_f1_of_means(options: Row, users: int) -> None:
    """Both means are over the users whom both models have. So are those of other averages."""
    given = tables(4, users)
    metrics = ["f1(average=of_means)", "f1(average=of_means,beta=2)", "ap(mean=geometric)", "recall(mean=micro)"]

    def compute(**given: Any) -> pa.Table:
        return recsql.evaluate(**given, metrics=metrics, k=[1, 5], **options)

    rows = recsql.compare(**given, metrics=metrics, k=[1, 5], baseline="a", **options).to_pylist()
    counted = recsql.per_user(**given, metrics="hit", k=5, **options).to_pylist()
    of_models = [{row["user_id"] for row in counted if row["model"] == model} for model in ("a", "b")]
    shared, apart = of_models[0] & of_models[1], of_models[0] ^ of_models[1]
    check(rows, compute, without(given, [*apart]), sorted(shared), users == 20)
    assert {row["users"] for row in rows} == {len(shared)}


def test_beside_means_they_are_corrected_together() -> None:
    given = tables(5, 200, models=("a", "b", "c"))
    metrics = ["ndcg", "entropy@5", "f1(average=of_means)", "ndcg(gain=exp2)@5", "entropy(scope=category,base=e)@5"]
    rows = recsql.compare(**given, metrics=metrics, k=[1, 5], **OF_LISTS).to_pylist()
    expected = [("ndcg", 1), ("ndcg", 5), ("entropy", 5), ("f1(average=of_means)", 1), ("f1(average=of_means)", 5)]
    expected += [("ndcg(gain=exp2)", 5), ("entropy(scope=category,base=e)", 5)]
    assert [key(row) for row in rows if (row["model"], row["baseline"]) == ("a", "b")] == expected
    assert [row["p_adjusted"] for row in rows] == pytest.approx(
        list(multipletests([row["p"] for row in rows], method="holm")[1]), rel=1e-9
    )
    calls = [{"metrics": one, **(OF_LISTS if "category" in one else {})} for one in metrics]
    alone = [row for call in calls for row in recsql.compare(**given, k=[1, 5], **call).to_pylist()]
    apart = {(row["model"], row["baseline"], *key(row)): row for row in alone}
    for row in rows:
        one = apart[row["model"], row["baseline"], *key(row)]
        assert {**row, **CORRECTED} == {**one, **CORRECTED}


def test_slices_are_as_their_users_alone() -> None:
    given = tables(6, 60)
    segments = pa.table({"user_id": range(60), "country": [["DE", "FR", None][user % 3] for user in range(60)]})
    call: Row = {
        "metrics": ["entropy", "entropy(scope=category)", "f1(average=of_means)", "ndcg"],
        "k": [1, 5],
        "baseline": "a",
        **OF_LISTS,
    }
    rows = recsql.compare(**given, by="country", segments=segments, **call).to_pylist()
    for name, rest in ((None, 3), ("DE", 0), ("FR", 1), (None, 2)):
        others = [user for user in range(60) if rest != 3 and user % 3 != rest]
        alone = recsql.compare(**without(given, others), **call).to_pylist()
        here = [row for row in rows if row["segment"] == name and (row["slice"] is None) == (rest == 3)]
        assert len(here) == len(alone) == 8
        for row, one in zip(here, alone, strict=True):
            for column in set(one) - {*CORRECTED}:
                approx = isinstance(one[column], float)
                assert row[column] == (pytest.approx(one[column], rel=1e-9, abs=1e-12) if approx else one[column]), (column, one)


@pytest.mark.parametrize(
    ("metric", "options", "values"),
    [
        ("coverage", {"catalog_size": 4}, (0.25, 0.5)),
        ("coverage", {"catalog_size": 10}, (0.1, 0.2)),
        ("f1(average=of_means)", {}, (0.4, 0.8)),
    ],
    ids=str,
)
def test_the_same_models_and_a_difference_that_no_group_changes(metric: str, options: Row, values: tuple[float, float]) -> None:
    """Two equal models differ by 0, with p = 1. If a value is the same whoever is left out, nothing tells how far off it is.

    The mean of equal values may be off by rounding.
    """
    lists = {"user_id": [user for user in range(80) for _ in (1, 2)], "item_id": [1, 3] * 80, "rank": [1, 2] * 80}
    models = {"two": pa.table(lists), "same": pa.table(lists), "one": pa.table(lists).take(list(range(0, 160, 2)))}
    truth = pa.table({"user_id": [user for user in range(80) for _ in (1, 2, 3)], "item_id": [1, 3, 4] * 80})
    rows = recsql.compare(models, truth, metric, 2, baseline="two", **options).to_pylist()
    found = {row["model"]: (row["difference"], row["std_error"], row["low"], row["p"], row["p_adjusted"]) for row in rows}
    assert found == {"one": (values[0] - values[1], None, None, None, None), "same": (0, 0, None, 1, 1)}
    for row in recsql.evaluate(models, truth, metric, 2, interval=0.95, **options).to_pylist():
        expected = values[row["model"] != "one"]
        assert (row["value"], row["std_error"], row["low"]) == (pytest.approx(expected, rel=1e-14), 0, None)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            {"test": "wilcoxon"},
            "test: entropy is not a mean over users, and wilcoxon needs a value of each; use test='t' or leave it out",
        ),
        (
            {"test": "sign", "metrics": "f1(average=of_means)"},
            r"test: f1\(average=of_means\) is not a mean over users, and sign needs",
        ),
        ({"cluster": "relevance"}, "cluster: entropy has groups of users, not of clusters; leave cluster= or entropy out"),
        (
            {"by": "relevance", "contributions": "true"},
            "contributions: those of entropy don't add up, because it is not a mean over users",
        ),
        ({"groups": 32}, "groups: a comparison has t intervals"),
    ],
)
def test_what_is_refused(options: Row, says: str) -> None:
    data = random_data(1, users=5)
    with pytest.raises(recsql.RecsqlError, match=says):
        recsql.compare(data.recs_table(), data.truth_table(), **{"metrics": ["ndcg", "entropy"], "k": 5, **options})


def test_a_user_has_no_difference() -> None:
    with pytest.raises(
        recsql.RecsqlError, match="entropy: it is not a mean over users, so no user has a difference; leave it out"
    ):
        recsql.differences(**tables(1, 9), metrics=["ndcg", "entropy"], k=5)


def test_all_stands_for_means_over_users() -> None:
    given = tables(1, 9)
    metrics = recsql.compare(**given, metrics="all", k=5, items=ITEMS)["metric"].to_pylist()
    assert "ndcg" in metrics and "coverage" not in metrics


@pytest.mark.parametrize(
    "metrics",
    [["entropy", "gini(weight=exposure)"], ["f1(average=of_means)"], ["ndcg", "category_coverage", "f1(average=of_means)@3"]],
)
@pytest.mark.parametrize("sliced", [False, True])
def test_a_query_has_the_steps_that_it_reads_and_no_others(metrics: list[str], sliced: bool) -> None:
    given = tables(8, 9)
    read = {} if metrics == ["f1(average=of_means)"] else OF_LISTS
    options: Row = {"interval": 0.95, **read, **({"by": "relevance"} if sliced else {})}
    with opened(given, PAIRS, options, metrics, [1, 5]) as found:
        for binding in compare.with_groups(found).bindings(averaged=True):
            has_what_it_reads(Query(binding, "paired").statement())


def test_people_see_how_it_was_tested() -> None:
    text = repr(Shown.of(recsql.compare(RECS, TRUTH, ["ndcg", "entropy"], 10, baseline="pop")))
    says = "Not means over users: entropy; interval and test leave out one group of users at a time."
    assert says in text.splitlines()


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["compare", RECS, TRUTH, "-m", "entropy,coverage", "--catalog-size", "5000", "-k", "10", "--baseline", "pop"]) == 0
    )
    text = capsys.readouterr().out
    assert "ease is higher than pop on entropy@10 by" in text and "ease is better than pop on coverage@10 by" in text
