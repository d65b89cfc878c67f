"""Comparisons of models: against golden values, worked examples, scipy and statsmodels; refusals; the same bits in any order.

If it fails, a comparison gives a wrong p, interval or effect, or corrects for the wrong number of tests.
"""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from hashlib import md5
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.multitest import multipletests

import recsql
from recsql.calls import compare
from recsql.calls.open_call import opened
from recsql.calls.warnings import COUNTS
from recsql.cli import main
from recsql.display.shown import Shown
from recsql.query.plan import PAIRS
from tests.promises.test_needs import each_option
from tests.random_data import random_data
from tests.sql.test_distributions import expressed
from tests.sql.test_rendering import RATINGS, RECS, TRUTH

COLUMNS = [
    "model",
    "baseline",
    "metric",
    "k",
    "users",
    "unpaired",
    "value",
    "baseline_value",
    "difference",
    "low",
    "high",
    "std_error",
    "p",
    "p_adjusted",
    "tests",
    "verdict",
    "wins",
    "ties",
    "losses",
    "effect",
    "detectable",
    "relative",
    "relative_low",
    "relative_high",
    "few",
    "definition",
]
METRICS = ["ndcg", "ap", "hit", "precision", "dcg", "rr"]
TESTS = ["t", "randomisation", "wilcoxon", "sign"]
ALTERNATIVES = ["two_sided", "greater", "less"]
# Six users: the first item of each list has this gain, and nothing else is relevant, so these are the values of cg@1.
NEW, OLD = [1, 0.5, 0, 0.25, 1, 0], [0.5, 0.5, 0, 0, 0.25, 0.5]
Row = dict[str, Any]
Values = Mapping[tuple[str, int, str], Mapping[Any, float]]  # by metric, cut-off and model: the value of each user


def lists(**models: Sequence[float | None]) -> dict[str, Any]:
    """Lists of one item, whose relevance is the user's value of cg@1; None for a user without a list."""
    tables = {
        name: pa.table(
            {
                "user_id": [user for user, value in enumerate(values) if value is not None],
                "item_id": [f"{user} {value}" for user, value in enumerate(values) if value is not None],
                "rank": [1 for value in values if value is not None],
            }
        )
        for name, values in models.items()
    }
    judged = {(user, value) for values in models.values() for user, value in enumerate(values) if value}
    users = len(next(iter(models.values())))
    rows = [(user, f"{user} {value}", float(value)) for user, value in sorted(judged)]
    rows += [(user, "other", 1.0) for user in range(users)]
    return {
        "recs": tables,
        "truth": pa.table(dict(zip(("user_id", "item_id", "relevance"), map(list, zip(*rows, strict=True)), strict=True))),
    }


def one(new: Sequence[float | None], old: Sequence[float | None], metric: str = "cg", **options: Any) -> Row:
    rows: list[Row] = recsql.compare(**lists(new=new, old=old), metrics=metric, k=1, baseline="old", **options).to_pylist()
    return rows[0]


@pytest.fixture(scope="module")
def values() -> tuple[dict[str, Any], Values]:
    """Random lists of three models with their truth, and the values of each user."""
    data = random_data(28, users=70, items=30, depth=8, models=("a", "b", "c"))
    tables = {"recs": data.recs_table(), "truth": data.truth_table()}
    rows = recsql.per_user(**tables, metrics=METRICS, k=[2, 5]).to_pylist()
    found: dict[tuple[str, int, str], dict[Any, float]] = {}
    for row in rows:
        for metric in METRICS:
            found.setdefault((metric, row["k"], row["model"]), {})[row["user_id"]] = row[metric]
    return tables, found


def differences(row: Row, values: Values) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The differences of the users behind a row."""
    own, base = (values[row["metric"], row["k"], row[model]] for model in ("model", "baseline"))
    return np.round([own[user] - base[user] for user in own], 12)


# -- given values


def test_golden_values(shared: Path) -> None:
    """Six metrics of three models against a fourth on MovieTweetings, with all corrections."""
    golden = json.loads((shared / "statistics/values.json").read_text())["compare"]
    runs = shared / "data/movietweetings-100k/runs"
    tables: Any = {"recs": str(runs / "runs.parquet"), "truth": str(runs / "truth.parquet")}
    metrics = sorted({row["metric"] for row in golden})

    def compared(**options: Any) -> dict[tuple[str, str, int], Row]:
        rows = recsql.compare(**tables, metrics=metrics, k=[5, 10, 20], baseline="pop", **options).to_pylist()
        return {(row["model"], row["metric"], row["k"]): row for row in rows}

    holm, bh, bonferroni = (compared(correction=name) for name in ("holm", "bh", "bonferroni"))
    wilcoxon, flips = compared(test="wilcoxon"), compared(test="randomisation", effect="hedges")
    for row in golden:
        key = row["model"], row["metric"], row["k"]
        found = holm[key]
        same = [
            "users",
            "difference",
            "low",
            "high",
            "std_error",
            "p",
            "wins",
            "ties",
            "losses",
            "effect",
            "detectable",
            "relative",
        ]
        assert [found[name] for name in same] == pytest.approx([row[name] for name in same], rel=0, abs=1e-12)
        assert found["relative_high"] - found["relative"] == pytest.approx(row["relative_margin"], rel=0, abs=1e-12)
        corrected = [found["p_adjusted"], bh[key]["p_adjusted"], bonferroni[key]["p_adjusted"]]
        assert corrected == pytest.approx([row["p_holm"], row["p_bh"], row["p_bonferroni"]], rel=0, abs=1e-12)
        assert wilcoxon[key]["p"] == pytest.approx(row["p_wilcoxon"], rel=0, abs=1e-12)
        p = flips[key]["p"]
        assert p == pytest.approx(
            row["p_randomisation"], rel=0, abs=1e-5 + 3 * (p * (1 - p) / 200_000) ** 0.5
        )  # of 200,000 flips
        assert flips[key]["effect"] == pytest.approx(row["effect_hedges"], rel=0, abs=1e-12)


def test_six_users_by_hand() -> None:
    """The differences are 0.5, 0, 0, 0.25, 0.75 and -0.5: their sum is 1, that of their squares 1.125."""
    row = one(NEW, OLD)
    assert list(row) == COLUMNS
    assert [row[name] for name in ("users", "unpaired", "wins", "ties", "losses", "few")] == [6, 0, 3, 2, 1, True]
    error = ((1.125 - 1 / 6) / 5 / 6) ** 0.5
    expected = {
        "value": 2.75 / 6,
        "baseline_value": 1.75 / 6,
        "difference": 1 / 6,
        "std_error": error,
        "low": -0.2927737,
        "high": 0.6261070,
        "p": 0.3938797,
        "effect": 1 / 6 / (error * 6**0.5),
        "detectable": 0.6098634,
    }
    assert {name: row[name] for name in expected} == pytest.approx(expected, rel=0, abs=1e-7)
    assert one(NEW, OLD, effect="hedges")["effect"] == pytest.approx(0.3205840, rel=0, abs=1e-7)
    # The ranks are 1, 2.5, 2.5 and 4. Their sum is 5, which 8 of 16 flips reach.
    assert one(NEW, OLD, test="wilcoxon")["p"] == pytest.approx(0.5, rel=1e-12)
    assert one(NEW, OLD, test="sign")["p"] == pytest.approx(0.625, rel=0, abs=1e-12)
    assert one(NEW, OLD, test="randomisation")["p"] == 0.5  # in 8 of 16 flips, the sum is at least 1 or at most -1


def test_relative_difference() -> None:
    """A baseline of three standard errors or more above 0 has one, with the interval of the ratio."""
    new, old = [1, 0.75, 0.5, 0.75, 1, 0.5], [0.5, 0.5, 0.25, 0.5, 0.75, 0.5]
    row = one(new, old)
    residuals = np.array(new) - np.array(old) * sum(new) / sum(old)
    margin = stats.t.ppf(0.975, 5) * np.sqrt((residuals**2).sum() / 5 / 6) / 0.5
    assert row["relative"] == pytest.approx(0.5, rel=1e-12)
    assert [row["relative_low"], row["relative_high"]] == pytest.approx([0.5 - margin, 0.5 + margin], rel=1e-12)
    assert one(NEW, OLD)["relative"] is None  # 1.75 / 6 with a standard error of 0.1


# -- independent libraries


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_t_is_scipys(values: tuple[dict[str, Any], Values], alternative: str) -> None:
    rows = recsql.compare(**values[0], metrics=METRICS, k=[2, 5], interval=0.9, alternative=alternative, power=0.9).to_pylist()
    assert len(rows) == 3 * len(METRICS) * 2
    for row in rows:
        d = differences(row, values[1])
        test = stats.ttest_1samp(d, 0, alternative=alternative.replace("_", "-"))
        low, high = stats.ttest_1samp(d, 0).confidence_interval(0.9)
        error = stats.sem(d)
        found = [row[name] for name in ("users", "difference", "std_error", "p", "low", "high", "effect", "detectable")]
        detectable = (stats.t.ppf(0.95, len(d) - 1) + stats.norm.ppf(0.9)) * error
        expected = [len(d), d.mean(), error, test.pvalue, low, high, d.mean() / d.std(ddof=1), detectable]
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-11), row
        assert [row["wins"], row["ties"], row["losses"]] == [(d > 0).sum(), (d == 0).sum(), (d < 0).sum()]


@pytest.mark.parametrize("alternative", ["greater", "less"])
@pytest.mark.parametrize("margin", [0.02, -0.02])
def test_margin_is_scipys_popmean(values: tuple[dict[str, Any], Values], alternative: str, margin: float) -> None:
    for row in recsql.compare(**values[0], metrics="ndcg", k=5, alternative=alternative, margin=margin).to_pylist():
        expected = stats.ttest_1samp(differences(row, values[1]), -margin, alternative=alternative).pvalue
        assert row["p"] == pytest.approx(expected, rel=1e-9)


Numbers = np.ndarray[Any, np.dtype[np.float64]]


def of_differences(d: Sequence[float] | Numbers, **options: Any) -> Row:
    """The comparison of two models with these differences."""
    return one([max(x, 0.0) for x in d], [max(-x, 0.0) for x in d], **options)


def flipped(d: Sequence[float] | Numbers, alternative: str) -> float:
    """The share of all flips of signs whose sum reaches that of `d`: the sums of both halves, sorted."""

    def sums(of: Numbers) -> Numbers:
        found = np.zeros(1)
        for size in of:
            found = np.concatenate([found + size, found - size])
        return np.sort(found)

    sizes = np.abs([x for x in d if x])
    some, others, near = sums(sizes[::2]), sums(sizes[1::2]), 1e-9 * sizes.sum()

    def above(total: float) -> float:
        return float((len(some) - np.searchsorted(some, total - others - near)).sum() / len(some) / len(others))

    total = float(np.sum(d))
    return {"greater": above(total), "less": above(-total), "two_sided": min(1.0, 2 * above(abs(total)))}[alternative]


def flipped_numbers(d: Sequence[int] | Numbers, alternative: str) -> float:
    """The same for whole numbers, of any number of users: their distribution, one user after the other."""
    sizes = [abs(int(x)) for x in d]
    chances = np.ones(1)
    for size in sizes:
        chances = (np.append(chances, np.zeros(size)) + np.append(np.zeros(size), chances)) / 2
    at = (sum(sizes) + int(np.sum(d))) // 2  # the sum of the positive ones
    reach = {"greater": chances[at:].sum(), "less": chances[: at + 1].sum()}
    return float(reach.get(alternative, min(1.0, 2 * min(reach.values()))))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_wilcoxon_and_sign_are_scipys(values: tuple[dict[str, Any], Values], alternative: str) -> None:
    """Wilcoxon's is exact for few users, with ties as well, which scipy's is not."""
    asked: Any = {"metrics": METRICS, "k": [2, 5], "alternative": alternative}
    side: Any = alternative.replace("_", "-")
    for row in recsql.compare(**values[0], **asked, test="wilcoxon").to_pylist():
        d = differences(row, values[1])
        ranks = 2 * stats.rankdata(np.abs(d[d != 0])) * np.sign(d[d != 0])
        assert (row["p"], row["p_method"]) == (pytest.approx(flipped_numbers(ranks, alternative), rel=1e-9), "exact")
    for row in recsql.compare(**values[0], **asked, test="sign").to_pylist():
        d = differences(row, values[1])
        assert row["p"] == pytest.approx(stats.binomtest(int((d > 0).sum()), int((d != 0).sum()), 0.5, side).pvalue, rel=1e-12)


@pytest.mark.parametrize(("users", "p"), [(1, 1), (2, 0.5), (5, 0.0625), (6, 0.03125)])
def test_wilcoxon_of_few_users(users: int, p: float) -> None:
    """All have higher values, as one flip of two to the power of users, and its opposite."""
    assert of_differences(range(1, users + 1), test="wilcoxon")["p"] == pytest.approx(p, rel=1e-12)


def test_the_table_says_how_p_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    given = lists(new=[*range(2, 62)], old=[*range(1, 61)])
    segments = pa.table({"user_id": range(60), "size": ["few"] * 5 + ["many"] * 55})
    found: list[tuple[Row, str]] = [({}, "normal"), ({"by": "size", "segments": segments}, "exact or normal")]
    for options, methods in found:
        recsql.show(recsql.compare(**given, metrics="cg", k=1, test="wilcoxon", **options))
        shown = capsys.readouterr().out
        assert f"p: Wilcoxon signed-rank test ({methods}), two-sided" in shown and "p_method" not in shown


@pytest.mark.parametrize(("users", "method"), [(50, "exact"), (51, "asymptotic")])
def test_wilcoxon_without_ties_is_scipys(users: int, method: Any) -> None:
    d = np.random.default_rng(1).normal(0.3, 1, users).round(6)
    for alternative in ALTERNATIVES:
        test = stats.wilcoxon(d, method=method, correction=False, alternative=alternative.replace("_", "-"))
        row = of_differences(d, test="wilcoxon", alternative=alternative)
        assert (row["p"], row["p_method"]) == (pytest.approx(test.pvalue, rel=1e-9), "exact" if users == 50 else "normal")


@pytest.mark.parametrize(
    ("users", "alternative"),
    [(users, ALTERNATIVES[place % 3]) for place, users in enumerate([1, 2, 5, 10, 11, 20])],
)
def test_randomisation_counts_all_flips_of_few_users(users: int, alternative: str) -> None:
    rng = np.random.default_rng(users)
    d = rng.choice([-1, 1], users) * rng.choice([0.1, 0.25, 1 / 3, 0.5, 1 / 6], users)
    row = of_differences(d, test="randomisation", alternative=alternative)
    assert row["p"] == pytest.approx(flipped(d, alternative), rel=1e-12)
    assert row["p_method"] == "exact"


EXACT: Mapping[str, tuple[Sequence[int], float, float]] = {
    "a few large": ([*[100] * 4, *[1] * 7, *[-1] * 11], 0.01, 0.1101322),
    "from 0 to 1, and between 1 / 50 and 1 / 60": ([*[300] * 4, *[1] * 28, *[-1] * 28], 1 / 300, 0.0691342),
    "multiples of a step that nobody has": ([*[2] * 9, *[-3] * 8, *[5] * 7], 0.1, 0.0960819),
}


@pytest.mark.parametrize("name", EXACT)
def test_randomisation_is_exact_for_multiples_of_a_step(name: str) -> None:
    d, step, p = EXACT[name]
    for alternative in ("two_sided", ALTERNATIVES[1 + len(d) % 2]):
        row = of_differences([x * step for x in d], test="randomisation", alternative=alternative)
        assert (row["p"], row["p_method"]) == (pytest.approx(flipped_numbers(d, alternative), rel=1e-9), "exact")
        assert alternative != "two_sided" or row["p"] == pytest.approx(p, abs=1e-7)


def test_randomisation_of_large_differences() -> None:
    row = of_differences([1e7 + place for place in range(12)], test="randomisation")
    assert (row["p"], row["p_method"]) == (2 / 2**12, "exact")


@pytest.mark.parametrize("difference", [9e-11, 5e-6])
def test_randomisation_of_small_differences(difference: float) -> None:
    """The sums are compared relative to the sizes."""
    old = np.array([0.25, 0.5, 0.5, 0.75, 1, 1])
    new = old + difference * np.array([1, 1.1, 1.2, 1.3, 1.4, 1.5])
    assert one(list(new), list(old), test="randomisation")["p"] == 2 / 2**6


@pytest.mark.parametrize("users", [21, 26])
def test_randomisation_rounds_other_differences(users: int) -> None:
    rng = np.random.default_rng(users)
    drawn = rng.normal(0.2, 1, users), rng.choice([1, 2**0.5, 3**0.5, 0.1], users) * rng.choice([-1, 1, 1], users)
    for place, d in enumerate(drawn):
        alternative = ALTERNATIVES[(users + place) % 3]
        row = of_differences(d.round(9), test="randomisation", alternative=alternative)
        assert (row["p"], row["p_method"]) == (pytest.approx(flipped(d, alternative), abs=3e-4), "rounded")


def test_randomisation_of_what_nearly_has_a_step() -> None:
    """Many sums are near that of the users, as if they were the same."""
    rng = np.random.default_rng(3)
    d = ((rng.choice([1, 2, 3], 22) + rng.normal(0, 1e-3, 22)) * rng.choice([-1, 1, 1], 22)).round(9)
    row = of_differences(d, test="randomisation")
    assert (row["p"], row["p_method"]) == (pytest.approx(flipped(d, "two_sided"), abs=0.01), "drawn")


@pytest.mark.parametrize(("noise", "seed", "method"), [(0.005, 8, "drawn"), (0.004, 0, "rounded")])
def test_randomisation_is_in_doubt_within_three_standard_errors(noise: float, seed: int, method: str) -> None:
    """Of rounding: within two, 0.9 % of the flips are near the sum of the first users, and within four 1.1 % near the other."""
    rng = np.random.default_rng(seed)
    d = ((rng.choice([1, 2, 3], 22) + rng.normal(0, noise, 22)) * rng.choice([-1, 1], 22)).round(9)
    row = of_differences(d, test="randomisation")
    assert (row["p"], row["p_method"]) == (pytest.approx(flipped(d, "two_sided"), abs=0.01), method)


@pytest.mark.parametrize(("users", "largest"), [(400, 2000), (5000, 40)])
def test_randomisation_of_many_users(users: int, largest: int) -> None:
    """Whole numbers, whose sum is too large to be exact. Of 5,000 users, all but the 500 largest are the normal rest."""
    rng = np.random.default_rng(users)
    d = rng.integers(1, largest, users) * rng.choice([-1, 1], users, p=[0.49, 0.51])
    for alternative in ALTERNATIVES if users == 400 else ("two_sided",):
        row = of_differences(d, test="randomisation", alternative=alternative)
        assert (row["p"], row["p_method"]) == (pytest.approx(flipped_numbers(d, alternative), abs=5e-5), "rounded")


def test_randomisation_of_very_many_users_with_the_same_difference() -> None:
    """As the sign test: 100,450 wins of 200,000, whose rest beyond 500 users has a much larger sum."""
    users, wins = pa.array(range(200_000)), 100_450
    lists_of = {"a": [user < wins for user in range(200_000)], "b": [user >= wins for user in range(200_000)]}
    recs = {name: pa.table({"user_id": users, "item_id": items, "rank": [1] * 200_000}) for name, items in lists_of.items()}
    truth = pa.table({"user_id": users, "item_id": [True] * 200_000})
    [row] = recsql.compare(recs, truth, "hit", 1, test="randomisation").to_pylist()
    assert row["p"] == pytest.approx(stats.binomtest(wins, 200_000).pvalue, rel=0, abs=1e-6)


def test_randomisation_draws_where_it_is_in_doubt() -> None:
    """Four large differences and many tiny ones, which are lost beside them. The signs of 32 users are the bits of a hash."""
    rng = np.random.default_rng(4)
    d = np.concatenate([np.ones(4), (rng.choice([-1, 1], 40) * rng.uniform(1e-5, 1e-4, 40)).round(9)])
    sizes = np.sort(np.abs(d))[::-1]
    draws = [[int(md5(f"{flip} {chunk}".encode()).hexdigest()[:8], 16) for chunk in (0, 1)] for flip in range(1, 20_001)]
    bits = np.array(draws)[:, np.arange(44) // 32] >> np.arange(44) % 32 & 1
    sums = ((1 - 2 * bits) * sizes).sum(axis=1)
    for alternative, reach in {"two_sided": abs(sums) >= d.sum(), "greater": sums >= d.sum(), "less": sums <= d.sum()}.items():
        row = of_differences(d, test="randomisation", alternative=alternative)
        assert (row["p"], row["p_method"]) == (pytest.approx((1 + reach.sum()) / 20_001, rel=1e-12), "drawn")
        small = flipped(np.concatenate([np.ones(4), d[4:26]]), alternative)
        assert row["p"] == pytest.approx(small, abs=0.1)


@pytest.mark.parametrize(
    ("tosses", "heads"), [(1, 1), (3, 2), (21, 11), (100, 50), (1000, 540), (10**5, 50_400), (10**6, 501_000)]
)
def test_sign_test_of_any_number(con: duckdb.DuckDBPyConnection, tosses: int, heads: int) -> None:
    text = expressed("half_tail", "p.x", n="p.n")
    found = con.execute(f"select {text} from (select {heads}e0 as x, {tosses}e0 as n) as p").fetchall()
    assert found[0][0] == pytest.approx(stats.binom.sf(heads - 1, tosses, 0.5), rel=1e-9)


@pytest.mark.parametrize(
    ("correction", "theirs", "family"),
    [("holm", "holm", "all"), ("bh", "fdr_bh", "all"), ("holm", "holm", "metric"), ("bonferroni", "bonferroni", "metric")],
)
def test_corrections_are_statsmodels(values: tuple[dict[str, Any], Values], correction: str, theirs: str, family: str) -> None:
    rows = recsql.compare(**values[0], metrics=METRICS, k=[2, 5], correction=correction, family=family).to_pylist()
    families = {(row["metric"], row["k"]) if family == "metric" else None for row in rows}
    assert len(families) == (len(METRICS) * 2 if family == "metric" else 1)
    for name in families:
        own = [row for row in rows if name is None or (row["metric"], row["k"]) == name]
        expected = multipletests([row["p"] for row in own], method=theirs)[1]
        assert [row["p_adjusted"] for row in own] == pytest.approx(list(expected), rel=1e-9)
        assert {row["tests"] for row in own} == {len(own)}
        if correction == "bonferroni":
            for row in own:
                q = stats.t.ppf(1 - 0.025 / len(own), row["users"] - 1)
                assert row["high"] - row["difference"] == pytest.approx(q * row["std_error"], rel=1e-9)


@pytest.mark.parametrize("test", TESTS[1:])
def test_a_test_changes_p_alone(values: tuple[dict[str, Any], Values], test: str) -> None:
    asked: Any = {"metrics": METRICS, "k": [2, 5]}
    usual = recsql.compare(**values[0], **asked)
    found = recsql.compare(**values[0], **asked, test=test)
    further = ["preference"] if test == "sign" else ["p_method"]
    assert found.column_names == [*usual.column_names[:-1], *further, "definition"]
    same = [name for name in COLUMNS if name not in ("p", "p_adjusted")]
    assert found.select(same).replace_schema_metadata().equals(usual.select(same).replace_schema_metadata())
    assert found["p"] != usual["p"]


@pytest.mark.thorough
@pytest.mark.parametrize("baseline", ["ease", "itemknn"])
def test_equal_models_are_told_apart_as_often_as_the_level_says(con: duckdb.DuckDBPyConnection, baseline: str) -> None:
    """4,000 families of six tests of 300 users each, whose values in both models are swapped at random.

    4 to 6 % of the p are below 0.05, whose standard error is 0.14 %; Holm finds any difference in at most 6 % of the families.
    """
    values = recsql.per_user(RECS, TRUTH, "ndcg", 10).to_pandas().pivot_table(index="user_id", columns="model", values="ndcg")
    rng = np.random.default_rng(28)
    families, size, users = 4_000, 6, 300
    drawn = rng.integers(0, len(values), (families * size, users))
    both = np.stack([values[name].to_numpy()[drawn] for name in ("pop", baseline)])
    swapped = rng.random(drawn.shape) < 0.5
    a, b = np.where(swapped, both[::-1], both)

    def units(of_users: np.ndarray[Any, np.dtype[np.float64]]) -> list[Decimal]:
        return [Decimal(int(total)) for total in of_users.sum(axis=1) * 1e18]

    sums = {
        "model": [f"model {n % size}" for n in range(families * size)],
        "baseline": ["base" for _ in range(families * size)],
        "place": [n // size for n in range(families * size)],
        "metric": ["ndcg" for _ in range(families * size)],
        "definition": ["ndcg" for _ in range(families * size)],
        "k": [10 for _ in range(families * size)],
        "users": [users for _ in range(families * size)],
        "unpaired": [0 for _ in range(families * size)],
        "wins": (a - b > 5e-13).sum(axis=1),
        "losses": (b - a > 5e-13).sum(axis=1),
        **{
            name: pa.array(units(of_users), pa.decimal128(38, 0))
            for name, of_users in {"sum": a, "base_sum": b, "squares": a * a, "base_squares": b * b, "products": a * b}.items()
        },
    }
    counts = {name: pa.nulls(families * size, pa.int64()) for name in COUNTS}
    con.register("sums", pa.table(sums | counts))
    options: dict[str, Any] = {"interval": 0.95, "family": "metric", "connection": con}
    with opened({"recs": RECS, "truth": TRUTH}, PAIRS, options, "ndcg", 10) as call:
        found = con.sql(compare.tests_of(call, "select * from sums")).to_arrow_table()
    assert 0.04 < np.mean(np.array(found["p"]) < 0.05) < 0.06
    by_model = np.array(found["p_adjusted"]).reshape(size, families)  # the rows are in the order of models, then of families
    assert 0 < np.mean(by_model.min(axis=0) < 0.05) <= 0.06


def test_the_tests_read_nothing_but_sums() -> None:
    """Whatever the options of the lists, and in a sample of users."""
    found = set()
    for options in ({}, {"sample": 0.5}, *each_option("user")):
        settings = {"interval": 0.95, "rank_by": "score", "test": "wilcoxon", **options}
        with suppress(recsql.RecsqlError), opened({"recs": RECS, "truth": TRUTH}, PAIRS, settings, "ndcg", 10) as call:
            found.add(tuple(compare.tests_of(call, "select * from sums").steps))
    steps = ("given_paired", "contrasts", "p_values", "corrections", "degrees", "quantiles", "paired_intervals", "warnings")
    assert found == {steps}


def test_no_correction(values: tuple[dict[str, Any], Values]) -> None:
    rows = recsql.compare(**values[0], metrics=METRICS, k=5, correction="none").to_pylist()
    assert [row["p_adjusted"] for row in rows] == [row["p"] for row in rows]
    assert {row["tests"] for row in rows} == {1}


SURE = {"new": [1 - n / 100 for n in range(20)], "old": [n / 100 for n in range(20)]}  # higher by 0.62 to 1
OFTEN = {"new": [0.02] * 18 + [0.03, 0], "old": [0.01] * 18 + [0.01, 1]}  # 19 small wins, and a loss that makes the mean lower


@pytest.mark.parametrize(
    ("expected", "models", "options"),
    [
        ("same", {"new": NEW, "old": NEW}, {}),
        ("same", {"new": NEW, "old": NEW}, {"alternative": "greater", "margin": 0.1}),
        ("untested", {"new": [1], "old": [0]}, {}),
        ("untested", {"new": [1, None], "old": [None, 1]}, {"no_recs": "skip", "test": "sign"}),
        ("inconclusive", {"new": NEW, "old": OLD}, {}),
        ("inconclusive", {"new": SURE["old"], "old": SURE["new"]}, {"alternative": "greater"}),
        ("higher", SURE, {}),
        ("higher", SURE, {"alternative": "greater", "margin": -0.1}),
        ("higher", SURE, {"test": "sign", "alternative": "greater"}),
        ("lower", {"new": SURE["old"], "old": SURE["new"]}, {}),
        ("lower", {"new": SURE["old"], "old": SURE["new"]}, {"alternative": "less", "margin": 0.1}),
        ("lower", {"new": SURE["old"], "old": SURE["new"]}, {"test": "wilcoxon", "alternative": "less"}),
        ("not_lower", {"new": SURE["old"], "old": SURE["new"]}, {"alternative": "greater", "margin": 2}),
        ("not_higher", SURE, {"alternative": "less", "margin": -2}),
        ("differs", OFTEN, {"test": "sign"}),
        ("differs", OFTEN, {"test": "sign", "alternative": "greater"}),
        ("inconclusive", OFTEN, {"test": "sign", "alternative": "less"}),
        ("inconclusive", OFTEN, {}),
        ("untested", {"new": [0.5] * 9, "old": [1] * 9}, {}),
        ("lower", {"new": [0.5] * 10, "old": [1] * 10}, {}),
        ("higher", {"new": [0.9] * 10, "old": [0.8] * 10}, {}),
        ("lower", {"new": [0.5] * 10, "old": [1] * 10}, {"alternative": "less", "margin": 0.25}),
        ("inconclusive", {"new": [0.5] * 10, "old": [1] * 10}, {"alternative": "less", "margin": 0.5}),
        ("inconclusive", {"new": [0.5] * 10, "old": [1] * 10}, {"alternative": "greater"}),
        ("higher", {"new": [1] * 10, "old": [0.5] * 10}, {"alternative": "greater", "margin": -0.25}),
        ("not_lower", {"new": [0.5] * 10, "old": [1] * 10}, {"alternative": "greater", "margin": 0.75}),
    ],
)
def test_each_verdict(expected: str, models: dict[str, Sequence[float | None]], options: Row) -> None:
    row = one(models["new"], models["old"], **options)
    assert row["verdict"] == expected
    assert row["tests"] == (None if row["p"] is None else 1)


def test_a_verdict_looks_at_the_corrected_p_and_the_level(values: tuple[dict[str, Any], Values]) -> None:
    for correction, interval in (("holm", 0.95), ("none", 0.95), ("holm", 0.6)):
        rows = recsql.compare(**values[0], metrics=METRICS, k=[2, 5], correction=correction, interval=interval).to_pylist()
        level = 1 - interval
        assert [row["verdict"] in ("higher", "lower") for row in rows] == [row["p_adjusted"] < level for row in rows]


def test_clusters_are_statsmodels() -> None:
    """Users 4 n to 4 n + 3 belong together; every tenth has no cluster, and is one."""
    data = random_data(3, users=90, items=20, depth=5, models=("a", "b"))
    users = sorted({row.user_id for row in data.truth})
    cluster = {user: None if place % 10 == 0 else place // 4 for place, user in enumerate(users)}
    truth = data.truth_table()
    truth = truth.append_column("account", pa.array([cluster[user] for user in truth["user_id"].to_pylist()], pa.int64()))
    tables: Any = {"recs": data.recs_table(), "truth": truth, "metrics": ["ndcg", "dcg"], "k": [2, 5]}
    per_user = recsql.per_user(**{**tables, "truth": data.truth_table()}).to_pandas()
    for row in recsql.compare(**tables, cluster="account").to_pylist():
        at_k = per_user[per_user["k"] == row["k"]].pivot_table(index="user_id", columns="model", values=row["metric"])
        groups = [f"alone {user}" if cluster[user] is None else str(cluster[user]) for user in at_k.index]
        fitted = OLS(at_k["a"] - at_k["b"], np.ones(len(at_k))).fit(
            cov_type="cluster", cov_kwds={"groups": np.unique(np.array(groups), return_inverse=True)[1]}, use_t=True
        )
        low, high = fitted.conf_int().to_numpy()[0]
        found = [row[name] for name in ("std_error", "p", "low", "high")]
        assert found == pytest.approx([fitted.bse.iloc[0], fitted.pvalues.iloc[0], low, high], rel=1e-9)
        ratio = OLS(at_k["a"] - at_k["b"] - row["relative"] * at_k["b"], np.ones(len(at_k))).fit(
            cov_type="cluster", cov_kwds={"groups": np.unique(np.array(groups), return_inverse=True)[1]}, use_t=True
        )
        margin = (high - low) / 2 / fitted.bse.iloc[0] * ratio.bse.iloc[0] / at_k["b"].mean()
        assert [row["relative_low"], row["relative_high"]] == pytest.approx(
            [row["relative"] - margin, row["relative"] + margin], rel=1e-9
        )
    with pytest.raises(recsql.RecsqlError, match=r"^cluster: test='sign' takes users as independent"):
        recsql.compare(**tables, cluster="account", test="sign")


@pytest.mark.parametrize(
    ("new", "clusters", "verdict", "told"),
    [
        ([0.5] * 40, 4, "lower", "for all 40 users"),  # each user loses the same
        ([0.5, 1] * 20, 20, "lower", "in all clusters"),  # each cluster does, which has a user who loses nothing
        ([0.5, 1] * 9, 9, "untested", "in all clusters"),
        ([0.25, 1.25] * 20, 20, "untested", "in all clusters"),  # some users win
    ],
)
def test_equal_differences_in_clusters(new: list[float], clusters: int, verdict: str, told: str) -> None:
    given = lists(new=new, old=[1] * len(new))
    account = pa.array([user // (len(new) // clusters) for user in given["truth"]["user_id"].to_pylist()])
    found = recsql.compare(given["recs"], given["truth"].append_column("account", account), "cg", 1, cluster="account")
    [row] = found.to_pylist()
    assert (row["p"], row["verdict"], row["std_error"]) == (None, verdict, 0)
    assert f"the same {told}" in Shown.of(found).notes[0]


def test_few_clusters() -> None:
    """An interval may be too narrow below 40 clusters."""
    given = lists(new=[1, 0.5] * 40, old=[0.5, 1] * 40)
    for clusters, few in ((39, True), (40, False)):
        truth = given["truth"].append_column(
            "account", pa.array([user % clusters for user in given["truth"]["user_id"].to_pylist()])
        )
        for rows in (
            recsql.compare(given["recs"], truth, "cg", 1, cluster="account"),
            recsql.evaluate(given["recs"], truth, "cg", 1, cluster="account", interval=0.95),
        ):
            assert {*rows["few"].to_pylist()} == {few}


# -- who is compared


@pytest.mark.parametrize(("seed", "metrics"), enumerate([METRICS, ["hit", "recall"], "all"]), ids=str)
def test_the_fast_form_has_the_same_bits(monkeypatch: pytest.MonkeyPatch, metrics: Any, seed: int) -> None:
    data = random_data(seed, users=40, models=("a", "b", "c"))
    tables: Any = {"recs": data.recs_table(), "truth": data.truth_table(), "k": [2, 5], "metrics": metrics}
    found = []
    for fast in ("on", "off"):
        monkeypatch.setenv("RECSQL_FAST", fast)
        found.append(recsql.compare(**tables).replace_schema_metadata())
    assert found[0].equals(found[1])


def test_every_pair_once(values: tuple[dict[str, Any], Values]) -> None:
    rows = recsql.compare(**values[0], metrics="ndcg@5").to_pylist()
    assert [(row["model"], row["baseline"]) for row in rows] == list(combinations("abc", 2))
    rows = recsql.compare(**values[0], metrics="ndcg@5", baseline="b").to_pylist()
    assert [(row["model"], row["baseline"]) for row in rows] == [("a", "b"), ("c", "b")]


@pytest.mark.parametrize(
    "options", [{}, {"no_recs": "skip"}, {"users": "union"}, {"no_truth": "zero"}, {"zero_ideal": "one"}], ids=str
)
def test_difference_of_two_evaluates(options: Row) -> None:
    """Where both models have the same users, the difference is that of their means; else over the users who have both values."""
    data = random_data(5, users=40, models=("a", "b"))
    tables: Any = {"recs": data.recs_table(), "truth": data.truth_table(), "k": [2, 5], "metrics": METRICS, **options}
    means = {(row["model"], row["metric"], row["k"]): row for row in recsql.evaluate(**tables).to_pylist()}
    per_user = recsql.per_user(**{**tables, "metrics": METRICS}).to_pandas()
    for row in recsql.compare(**tables).to_pylist():
        a, b = means["a", row["metric"], row["k"]], means["b", row["metric"], row["k"]]
        name = row["metric"]
        both = per_user[per_user["k"] == row["k"]].pivot_table(
            index="user_id", columns="model", values=name.split("(")[0] if name not in per_user else name
        )
        paired = both.dropna()
        assert (row["users"], row["unpaired"]) == (len(paired), len(both) - len(paired))
        assert [row["value"], row["baseline_value"]] == pytest.approx([paired["a"].mean(), paired["b"].mean()], rel=1e-12)
        if not row["unpaired"]:
            assert row["difference"] == pytest.approx(a["value"] - b["value"], rel=1e-12, abs=1e-15)
            assert row["users"] == a["users"] == b["users"]


SEGMENTS = pa.table({"user_id": [*range(70), *range(10)], "group": [*["x", "y", None, "x", "z"] * 14, *["z"] * 10]})


@pytest.mark.parametrize("fast", ["on", "off"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"baseline": "b", "no_recs": "skip"},
        {"users": pa.table({"user_id": [*range(0, 60, 2)]})},
        {"metrics": "entropy"},
        {"by": "group", "segments": SEGMENTS, "min_users": 4},
    ],
    ids=["all pairs", "own users", "some users", "no means", "slices"],
)
@pytest.mark.filterwarnings("ignore:.*have lists for different users")
def test_who_was_counted(monkeypatch: pytest.MonkeyPatch, fast: str, options: dict[str, Any]) -> None:
    """The users with truth, the lists of each model, and the users with a list of both, as counted by hand."""
    monkeypatch.setenv("RECSQL_FAST", fast)
    data = random_data(4, users=60, models=("a", "b", "c"))
    counted = {*(options["users"]["user_id"].to_pylist() if "users" in options else range(100))}
    truth = {row.user_id for row in data.truth if row.relevance > 0} & counted
    lists = {model: {row.user_id for row in data.recs if row.model == model} & counted for model in "abc"}
    lengths = {
        model: [sum((row.model, row.user_id) == (model, user) for row in data.recs) for user in lists[model]] for model in "abc"
    }
    result = recsql.compare(data.recs_table(), data.truth_table(), **{"metrics": ["ndcg", "hit"], "k": [2, 5], **options})
    report = json.loads(result.schema.metadata[b"recsql"])
    assert {one["model"]: one for one in report["models"]} == {
        model: {
            "model": model,
            "users_with_truth": len(truth),
            "users_without_list": len(truth - of_model),
            "lists": len(of_model),
            "lists_without_truth": len(of_model - truth),
            "longest_list": max(lengths[model]),
        }
        for model, of_model in lists.items()
    }
    shared = {(pair["model"], pair["baseline"]): pair["shared_lists"] for pair in report["pairs"]}
    assert shared == {(one, other): len(lists[one] & lists[other] & truth) for one, other in shared}
    assert {*shared} == {(row["model"], row["baseline"]) for row in result.to_pylist()}


@pytest.mark.parametrize("options", [{"test": "randomisation"}, {"no_recs": "skip"}], ids=str)
def test_a_segment_is_a_comparison_of_its_users(values: tuple[dict[str, Any], Values], options: Row) -> None:
    """Some users are in two segments, and some in none; the whole is that without slices."""
    asked: Any = {"metrics": ["ndcg", "hit"], "k": 5, "correction": "none", **options}
    rows = recsql.compare(**values[0], **asked, by="group", segments=SEGMENTS).to_pylist()
    names = [name for name in COLUMNS if name not in ("metric", "definition")]

    def of(found: Sequence[Row], metric: str) -> list[list[Any]]:
        return [[row[name] for name in names] for row in found if row["metric"].startswith(metric)]

    in_group: dict[str | None, set[int]] = {}
    for user, group in zip(SEGMENTS["user_id"].to_pylist(), SEGMENTS["group"].to_pylist(), strict=True):
        in_group.setdefault(group, set()).add(user)
    assert list(dict.fromkeys((row["slice"], row["segment"]) for row in rows)) == [
        (None, None),
        *(("group", group) for group in ("x", "y", "z", None)),
    ]
    whole = [row for row in rows if row["slice"] is None]
    together = recsql.compare(**values[0], **asked).to_pylist()
    for metric in ("ndcg", "hit"):
        assert of(whole, metric) == of(together, metric)
    for group, users in in_group.items():
        alone = recsql.compare(**values[0], **asked, users=pa.table({"user_id": sorted(users)})).to_pylist()
        segment = [row for row in rows if row["slice"] and row["segment"] == group]
        for metric in ("ndcg", "hit"):
            assert of(segment, metric) == of(alone, metric), group
            assert all(
                row["share"] == row["users"] / total["users"]
                for row, total in zip(segment, whole, strict=True)
                if row["metric"] == total["metric"]
            )


def test_the_table_has_a_line_per_segment(values: tuple[dict[str, Any], Values], capsys: pytest.CaptureFixture[str]) -> None:
    segments = pa.table({"user_id": range(70), "group": ["x", "y", None, "y", "x"] * 14})
    asked: Any = {"metrics": ["hit", "rr"], "k": 5, "by": "group", "segments": segments}
    result = recsql.compare(**values[0], **asked, baseline="b", contributions=True)
    recsql.show(result)
    table, lines = capsys.readouterr().out.split("\n\n")
    head, _, *rows = (re.split(r" {2,}", line) for line in table.split("\n"))
    of_segment = ["metric", "model", "slice", "segment", "users", "share", "difference from b", "p (Holm)"]
    assert head == [*of_segment, "wins", "ties", "losses", "contribution", "excess"]
    assert [row[:2] for row in rows] == [[metric, model] for metric in ("hit@5", "rr@5") for model in "ac" for _ in range(4)]
    assert [row[3] for row in rows[1:4]] == ["x", "y", "(none)"]
    assert rows[0][2] == "all"
    assert "over 16 comparisons" in lines
    assert "shares add up" not in lines
    recsql.show(recsql.compare(**values[0], **asked))
    shown = capsys.readouterr().out
    assert re.split(r" {2,}", shown.split("\n")[0])[:3] == ["metric", "model", "baseline"]
    assert "shares add up" not in shown
    recsql.show(recsql.compare(**values[0], **{**asked, "segments": SEGMENTS}))
    assert "Some users are in several segments of group and count in each, so the shares add up" in capsys.readouterr().out


def test_all_segments_are_one_family(values: tuple[dict[str, Any], Values]) -> None:
    rows = recsql.compare(**values[0], metrics=["ndcg", "ndcg(relevance_threshold=2)"], k=5, by="group", segments=SEGMENTS)
    p = [row["p"] for row in rows.to_pylist()]
    assert len(p) == 2 * 3 * 5
    assert rows["p_adjusted"].to_pylist() == pytest.approx(list(multipletests(p, method="holm")[1]), rel=1e-12)
    assert {*rows["tests"].to_pylist()} == {30}


def test_contributions_add_up(values: tuple[dict[str, Any], Values]) -> None:
    segments = pa.table({"user_id": range(70), "group": ["x", "y", "z", "y", "z"] * 14})
    asked: Any = {"metrics": "ndcg", "k": 5, "by": "group", "segments": segments, "contributions": True, "baseline": "a"}
    rows = recsql.compare(**values[0], **asked).to_pylist()
    assert len(rows) == 2 * 4
    for whole, *parts in (rows[:4], rows[4:]):
        assert (whole["slice"], whole["share"], whole["of_difference"], whole["q"]) == (None, 1, 1, None)
        assert whole["contribution"] == whole["difference"]
        assert sum(row["contribution"] for row in parts) == pytest.approx(whole["difference"], rel=1e-12)
        assert sum(row["of_difference"] for row in parts) == pytest.approx(1, rel=1e-12)
        assert sum(row["excess"] for row in parts) == pytest.approx(0, abs=1e-15)
        weights = np.array([row["std_error"] ** -2 for row in parts])
        d = np.array([row["difference"] for row in parts])
        q = (weights * (d - (weights * d).sum() / weights.sum()) ** 2).sum()
        assert [row["q"] for row in parts] == pytest.approx([q] * 3, rel=1e-12)
        assert [row["q_p"] for row in parts] == pytest.approx([stats.chi2.sf(q, 2)] * 3, rel=1e-12)


def test_segments_that_do_not_differ_or_are_not_tested() -> None:
    """Two segments with the same differences have Q = 0 and p = 1. Where only one has a standard error, nothing is tested."""
    given = lists(new=[1, 0.5, 0.75, 1, 0.5, 0.75, 1, 1], old=[0.5, 0.25, 1, 0.5, 0.25, 1, 0.5, 0.5])
    asked: Any = {"metrics": "cg", "k": 1, "by": "group", "contributions": True}

    def of(*groups: str) -> list[Any]:
        segments = pa.table({"user_id": range(8), "group": [*groups, None, None]})
        return [(row["q"], row["q_p"]) for row in recsql.compare(**given, **asked, segments=segments).to_pylist()]

    assert of(*"xxxyyy") == [(None, None), (0, 1), (0, 1), (0, 1)]
    assert of(*"xxxxxx") == [(None, None), (0, None), (0, None)]


@pytest.mark.parametrize("metrics", [["ndcg", "hit"], ["ndcg", "hit(no_recs=skip)"]], ids=str)
def test_small_segments_are_no_tests(values: tuple[dict[str, Any], Values], metrics: list[str]) -> None:
    """Their rows are left out before p is corrected, and Q is that of the others; all users are never left out."""
    asked: Any = {"metrics": metrics, "k": 5, "by": "group", "segments": SEGMENTS, "contributions": True}
    every = recsql.compare(**values[0], **asked).to_pylist()
    result = recsql.compare(**values[0], **asked, min_users=16)
    kept = [row for row in every if row["slice"] is None or row["users"] >= 16]
    changed = ("p_adjusted", "tests", "verdict", "q", "q_p")
    assert [{**row, **dict.fromkeys(changed)} for row in result.to_pylist()] == [
        {**row, **dict.fromkeys(changed)} for row in kept
    ]
    assert 3 * 2 < len(kept) < len(every)
    tests = [row["p"] for row in kept if row["p"] is not None]
    assert [row["p_adjusted"] for row in result.to_pylist() if row["p"] is not None] == pytest.approx(
        list(multipletests(tests, method="holm")[1]), rel=1e-12
    )
    names = ("model", "baseline", "metric")
    for key in {tuple(row[name] for name in names) for row in kept if row["slice"]}:
        parts = [row for row in result.to_pylist() if row["slice"] and tuple(row[name] for name in names) == key]
        weights = np.array([row["std_error"] ** -2 for row in parts])
        d = np.array([row["difference"] for row in parts])
        q = (weights * (d - (weights * d).sum() / weights.sum()) ** 2).sum()
        assert [row["q"] for row in parts] == pytest.approx([q] * len(parts), rel=1e-9, abs=1e-12)
    dropped = {(*(row[name] for name in names[:2]), row["segment"]) for row in every if row not in kept}
    counts = {pair: sum(one[:2] == pair for one in dropped) for pair in combinations("abc", 2)}
    told = json.loads(result.schema.metadata[b"recsql"])["pairs"]
    assert {(pair["model"], pair["baseline"]): pair["segments_left_out"] for pair in told} == counts


def test_all_segments_can_be_too_small(values: tuple[dict[str, Any], Values], capsys: pytest.CaptureFixture[str]) -> None:
    result = recsql.compare(**values[0], metrics="ndcg", k=5, by="group", segments=SEGMENTS, min_users=1000)
    assert [row["slice"] for row in result.to_pylist()] == [None] * 3
    assert result["p_adjusted"].to_pylist() == recsql.compare(**values[0], metrics="ndcg", k=5)["p_adjusted"].to_pylist()
    recsql.show(result)
    assert "\nSegments with fewer than 1000 users (left out): 4.\n" in capsys.readouterr().out
    without = recsql.compare(**values[0], metrics="ndcg", k=5, by="group", segments=SEGMENTS)
    assert all("segments_left_out" not in pair for pair in json.loads(without.schema.metadata[b"recsql"])["pairs"])


def test_several_queries_are_one_family(values: tuple[dict[str, Any], Values]) -> None:
    """Options that need a query of their own change neither the other rows nor the number of tests."""
    rows = recsql.compare(**values[0], metrics=["ndcg", "ndcg(no_recs=skip)", "hit"], k=[5, "all"], test="sign").to_pylist()
    labels = list(dict.fromkeys((row["metric"], row["k"]) for row in rows))
    assert labels == [(name, k) for name in ("ndcg", "ndcg(no_recs=skip)", "hit") for k in (5, None)]
    expected = multipletests([row["p"] for row in rows], method="holm")[1]
    assert [row["p_adjusted"] for row in rows] == pytest.approx(list(expected), rel=1e-12)
    alone = recsql.compare(**values[0], metrics=["ndcg", "hit"], k=[5, "all"], test="sign", correction="none").to_pylist()
    together = {(row["model"], row["baseline"], row["metric"], row["k"]): row["p"] for row in rows}
    assert all(together[row["model"], row["baseline"], row["metric"], row["k"]] == row["p"] for row in alone)


def test_differences_are_what_is_compared(values: tuple[dict[str, Any], Values]) -> None:
    asked: Any = {"metrics": ["ndcg", "hit", "hit(no_recs=skip)"], "k": [2, "all"], "baseline": "b"}
    rows = recsql.differences(**values[0], **asked).to_pylist()
    assert rows == sorted(rows, key=lambda row: (row["model"], row["user_id"]))
    for row in recsql.compare(**values[0], **asked).to_pylist():
        own = [one for one in rows if all(one[name] == row[name] for name in ("model", "baseline", "metric", "k"))]
        d = [one["difference"] for one in own if one["difference"] is not None]
        assert len(d) == row["users"]
        assert np.mean(d) == pytest.approx(row["difference"], rel=1e-12)
        assert sum(x > 0 for x in d) == row["wins"]
        assert all(one["difference"] == one["value"] - one["baseline_value"] for one in own if one["difference"] is not None)
    lists_of = {
        (row["model"], row["user_id"]): row["list_length"] for row in recsql.per_user(**values[0], metrics="hit").to_pylist()
    }
    of_all = [row for row in rows if row["metric"] == "hit"]
    assert {row["k"] for row in of_all} == {2, None}
    for row in of_all:
        lengths = (lists_of[row["model"], row["user_id"]], lists_of[row["baseline"], row["user_id"]])
        assert (row["list_length"], row["baseline_list_length"]) == lengths


def test_differences_with_the_segments_of_each_user(values: tuple[dict[str, Any], Values]) -> None:
    """They make up what is compared in each segment; those without slices stay as they are."""
    asked: Any = {"metrics": ["ndcg", "hit(no_recs=skip)"], "k": [2, "all"], "baseline": "b"}
    rows = recsql.differences(**values[0], **asked, by=["group", "group x user_id"], segments=SEGMENTS)
    assert rows.column_names[-4:] == ["relevant", "group", "group x user_id", "definition"]
    assert rows.drop_columns(["group", "group x user_id"]).equals(recsql.differences(**values[0], **asked))
    several = {row["user_id"]: (row["group"], row["group x user_id"]) for row in rows.to_pylist()}
    assert [several[user] for user in (0, 2, 16)] == [("x, z", "x / 0, z / 0"), ("z", "(none) / 2, z / 2"), ("y", "y / 16")]
    compared = recsql.compare(**values[0], **asked, by="group", segments=SEGMENTS).to_pylist()
    segments = [row for row in compared if row["slice"] and row["segment"] is not None]
    assert {row["segment"] for row in segments} == {"x", "y", "z"}
    for row in segments:
        names = ("model", "baseline", "metric", "k")
        own = [one for one in rows.to_pylist() if all(one[name] == row[name] for name in names)]
        d = [one["difference"] for one in own if row["segment"] in (one["group"] or "").split(", ")]
        d = [x for x in d if x is not None]
        assert (len(d), sum(x > 0 for x in d)) == (row["users"], row["wins"])
        assert np.mean(d) == pytest.approx(row["difference"], rel=1e-12)


def test_differences_of_users_with_one_value() -> None:
    rows = recsql.differences(
        **lists(new=[1, None], old=[0.5, 0.25]), metrics="cg", k=1, baseline="old", no_recs="skip"
    ).to_pylist()
    names = ("user_id", "value", "baseline_value", "difference", "list_length", "baseline_list_length", "relevant")
    assert [tuple(row[name] for name in names) for row in rows] == [(0, 1, 0.5, 0.5, 1, 1, 3), (1, None, None, None, None, 1, 2)]
    with pytest.raises(recsql.RecsqlError, match=r"f1\(average=of_means\): it is not a mean over users"):
        recsql.differences(**lists(new=[1], old=[0.5]), metrics="f1(average=of_means)", k=1)
    with pytest.raises(recsql.RecsqlError, match="correction: differences has the values of each user and no tests"):
        recsql.differences(**lists(new=[1], old=[0.5]), metrics="cg", k=1, correction="bh")


def test_the_users_behind_a_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "users.parquet"
    call = ["compare", RECS, TRUTH, "-k", "10", "-m", "ndcg", "--baseline", "pop", "--test", "sign"]
    assert main([*call, "--users-out", str(out)]) == 0
    table = capsys.readouterr().out
    assert pq.read_table(out).to_pylist() == recsql.differences(RECS, TRUTH, "ndcg", 10, baseline="pop").to_pylist()
    by_rating = ["--by", "rating", "--segments", RATINGS, "--contributions", "true"]
    assert main([*call, "--users-out", str(out), *by_rating, "--min-users", "900"]) == 0
    by: Any = {"by": "rating", "segments": RATINGS}
    assert pq.read_table(out).to_pylist() == recsql.differences(RECS, TRUTH, "ndcg", 10, baseline="pop", **by).to_pylist()
    capsys.readouterr()
    assert main(call) == 0
    assert capsys.readouterr().out == table
    assert main([*call, "-o", str(out), "--users-out", str(out)]) == 1
    assert "--users-out: it is the file of --output; name another file" in capsys.readouterr().err
    assert main([*call, "--users-out", ""]) == 1
    assert "--users-out: the path is empty; name another file" in capsys.readouterr().err


def test_report(values: tuple[dict[str, Any], Values]) -> None:
    found = recsql.compare(**values[0], metrics="ndcg", k=5, baseline="c", test="sign")
    report = json.loads(found.schema.metadata[b"recsql"])
    assert report["baseline"] == "c"
    options = {"interval": 0.95, "test": "sign", "correction": "holm", "family": "all", "alternative": "two_sided", "power": 0.8}
    assert {name: report["options"][0][name] for name in options} == options
    assert report["metrics"] == {"ndcg": recsql_options(found)}


def recsql_options(found: pa.Table) -> Any:
    return json.loads(found.schema.metadata[b"recsql"])["metrics"]["ndcg"]


# -- edges


def test_equal_models() -> None:
    row = one(NEW, NEW)
    assert [row[name] for name in ("difference", "std_error", "p", "wins", "ties", "losses", "few")] == [0, 0, 1, 0, 6, 0, True]
    assert {row[name] for name in ("low", "high", "effect", "detectable")} == {None}
    for test in TESTS[1:]:
        assert one(NEW, NEW, test=test)["p"] == 1
    assert one(NEW, NEW, alternative="greater", margin=0.1)["p"] == 0  # certainly not worse by 0.1
    assert one(NEW, NEW, alternative="less", margin=0.1)["p"] == 1


def test_equal_differences() -> None:
    """0.1 and 0.2 have no exact doubles, so the variance must not be what rounding leaves of it."""
    new, old = [0.1, 0.2, 0.3, 0.7, 0.9], [0.2, 0.3, 0.4, 0.8, 1.0]
    row = one(new, old)
    assert [row[name] for name in ("std_error", "losses", "few")] == [0, 5, True]
    assert {row[name] for name in ("low", "high", "p", "p_adjusted", "effect")} == {None}
    for alternative in ("greater", "less"):
        assert one(new, old, alternative=alternative)["p"] is None
    assert one(new, old, test="sign")["p"] == pytest.approx(2 / 2**5)


@pytest.mark.parametrize("base", [1e-6, 0.1, 0.5])
@pytest.mark.parametrize("difference", [9.3e-10, 1e-8])
def test_equal_differences_that_are_small(base: float, difference: float) -> None:
    """The squares are in units of 1e-18, and doubles near 1 tell no differences of squares below 1e-16."""
    old = base * np.arange(1, 10)
    row = one(list(old + difference), list(old))
    assert [row[name] for name in ("std_error", "wins", "low", "p", "p_adjusted")] == [0, 9, None, None, None]


def test_differences_that_are_nearly_equal() -> None:
    """Each user is a cluster as well."""
    d = [0.501, 0.499, 0.5005, 0.4995, 0.5]
    given = lists(new=d, old=[0, 0, 0, 0, 0])
    truth = given["truth"].append_column("account", given["truth"]["user_id"])
    of_options: list[Row] = [{}, {"cluster": "account"}]
    for options in of_options:
        [row] = recsql.compare(given["recs"], truth, "cg", 1, **options).to_pylist()
        assert row["p"] == pytest.approx(stats.ttest_1samp(d, 0).pvalue, rel=1e-6)
        rows = recsql.evaluate(given["recs"], truth, "cg", 1, interval=0.95, **options).to_pylist()
        assert [one["std_error"] for one in rows if one["model"] == "new"] == [pytest.approx(stats.sem(d), rel=1e-6)]


def test_differences_below_what_squares_can_tell() -> None:
    """Not all differences are equal, but nothing tells how far they are apart."""
    row = one([0.5 + 1e-9, 0.5, 0.5], [0.5, 0.5, 0.5])
    assert [row[name] for name in ("std_error", "wins", "p")] == [None, 1, None]


def test_one_user() -> None:
    row = one([1], [0])
    assert [row[name] for name in ("users", "difference", "wins", "few")] == [1, 1, 1, True]
    assert {row[name] for name in ("low", "high", "std_error", "p", "p_adjusted", "relative", "effect")} == {None}
    assert one([1], [0], test="sign")["p"] == 1


def test_nobody_has_both_values() -> None:
    row = one([1, None, 0.5, None], [None, 1, None, 0.5], no_recs="skip")
    assert [row[name] for name in ("users", "unpaired", "wins", "losses", "few")] == [0, 4, 0, 0, True]
    assert {row[name] for name in ("value", "baseline_value", "difference", "low", "std_error", "p_adjusted")} == {None}


def test_a_row_without_p_is_in_no_family() -> None:
    rows = recsql.compare(
        **lists(a=[1, None, 0.5, 0], b=[None, 1, None, None], c=[0, 1, 0, 0.5]), metrics="cg", k=1, no_recs="skip"
    ).to_pylist()
    assert [row["p"] is None for row in rows] == [True, False, True]
    assert rows[1]["p_adjusted"] == rows[1]["p"]
    assert [row["tests"] for row in rows] == [None, 1, None]


def test_a_small_difference_of_large_values() -> None:
    """Only the last of 1,000 users differs, by 0.001, and the sums of squares are large."""
    new = [1.0 for _ in range(1000)]
    row = one(new, [*new[:-1], 0.999])
    d = np.array([*np.zeros(999), 0.001])
    assert row["std_error"] == pytest.approx(stats.sem(d), rel=1e-9)
    assert row["p"] == pytest.approx(stats.ttest_1samp(d, 0).pvalue, rel=1e-9)


def test_large_values_have_no_silent_variance() -> None:
    row = one([3e7, 0, 3], [0, 0, 2])
    assert row["difference"] == pytest.approx((3e7 + 1) / 3)
    assert {row["std_error"], row["p"], row["low"]} == {None}
    row = one([3e6, 0, 3], [0, 0, 2])
    assert row["p"] == pytest.approx(stats.ttest_1samp([3e6, 0, 1], 0).pvalue, rel=1e-12)


def test_any_order_gives_the_same_bits(values: tuple[dict[str, Any], Values]) -> None:
    tables = values[0]
    shuffled = {name: table.take(np.random.default_rng(1).permutation(len(table))) for name, table in tables.items()}
    for test in ("t", "randomisation"):  # the others read what these read
        asked: Any = {"metrics": METRICS, "k": [2, 5], "test": test}
        assert recsql.compare(**tables, **asked).equals(recsql.compare(**shuffled, **asked))


# -- refusals


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"baseline": "bb"}, r"baseline: bb is not among the models of recs; did you mean b\? choose one of a, b, c"),
        ({"baseline": ""}, "baseline: '' is not a model name"),
        ({"interval": 0.5}, "interval: 0.5 is not above 0.5 and below 1"),
        ({"margin": 1e154, "alternative": "less"}, r"margin: 1e\+154 is not at least -1000000000 and at most 1000000000"),
        ({"margin": 1.5, "alternative": "less"}, "margin: 1.5 is beyond the range of ndcg, whose values are from 0 to 1"),
        ({"margin": -2, "alternative": "greater"}, "margin: -2 is beyond the range of ndcg"),
        ({"margin": 0.1}, "margin: it applies only if alternative='greater' or 'less'"),
        ({"margin": 0.1, "alternative": "less", "test": "sign"}, "margin: it applies only if test='t'"),
        ({"interval_method": "wilson"}, "interval_method: a comparison has t intervals of differences"),
        ({"groups": 32}, "groups: a comparison has t intervals of differences"),
        ({"metrics": "ndcg(test=sign)"}, "unknown option 'test'"),
        ({"test": "anova"}, "test: unknown value 'anova'; choose one of t, randomisation, wilcoxon, sign"),
        ({"min_users": 5}, "min_users: it applies only with by=; give that as well, or leave min_users= out"),
        ({"contributions": True}, "contributions: it applies only with by"),
        ({"by": "group"}, "by: there is no column group in truth nor recs"),
        ({"power": 1}, "power: 1 is not above 0.5 and below 1"),
    ],
    ids=str,
)
def test_refusals(values: tuple[dict[str, Any], Values], options: Row, sentence: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=sentence):
        recsql.compare(**{**values[0], "metrics": "ndcg", "k": 5, **options})


def test_one_model_only(values: tuple[dict[str, Any], Values]) -> None:
    recs, truth = values[0]["recs"], values[0]["truth"]
    with pytest.raises(recsql.BadInput, match="recs: a is the only model, and a comparison needs two or more"):
        recsql.compare(recs.filter(pa.compute.equal(recs["model"], "a")), truth, "ndcg", 5)
    with pytest.raises(recsql.BadInput, match="recs: it has no column model, and a comparison needs two or more models"):
        recsql.compare(recs.drop_columns(["model"]).slice(0, 1), truth, "ndcg", 5)


def test_options_of_comparisons_are_theirs_alone(values: tuple[dict[str, Any], Values]) -> None:
    with pytest.raises(recsql.UnknownName, match="unknown option 'correction'"):
        recsql.evaluate(**values[0], correction="none")  # type: ignore[call-arg]
