"""Plans: what a number of users can show, and how many users a difference needs.

If it fails, somebody buys too few questions, or learns too late that a test set shows nothing.
"""

import json
import warnings
from math import log2, sqrt
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import recsql
from recsql.cli import main
from recsql.query.results import metadata_of

ROOT = Path(__file__).parents[2]
DATA = ROOT / "examples/movietweetings"
CASES = json.loads((ROOT / "tests/data/plans.json").read_text())
TRUTH = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"b": 1, "c": 1}}
LISTS = {"q1": {"a": 1}, "q2": {"c": 1}, "q3": {"d": 1}}
OTHERS = {"q1": {"b": 1}, "q2": {"b": 1}, "q3": {"b": 1}}


def values(users: int, std: float, other: float, correlation: float) -> tuple[list[float], list[float]]:
    """Values of two models with these standard deviations and this correlation, from a line and a parabola."""

    def scaled(found: list[float]) -> list[float]:
        mean = sum(found) / users
        return [(one - mean) / sqrt(sum((x - mean) ** 2 for x in found) / (users - 1)) for one in found]

    line = scaled([float(i) for i in range(users)])
    parabola = scaled([x * x for x in line])
    both = [correlation * x + sqrt(1 - correlation**2) * y for x, y in zip(line, parabola, strict=True)]
    return [9 + std * x for x in line], [9 + other * x for x in both]


def tables(first: list[float], second: list[float]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The lists of two models and a truth in which cg@1, the gain of the first item, has these values."""
    lists = {name: {f"u{i}": {name: 1.0} for i in range(len(first))} for name in ("a", "b")}
    return lists, {f"u{i}": {"a": x, "b": y} for i, (x, y) in enumerate(zip(first, second, strict=True))}


def rows(*given: Any, **settings: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = recsql.plan(*given, **settings).to_pylist()
    return found


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_golden_cases(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    options: dict[str, Any] = {name: given[name] for name in ("margin", "power", "comparisons") if name in given}
    options["interval"] = 1 - given.get("tail", 0.05)
    std, correlation = given["std"], given.get("correlation", 0.5)
    lists, truth = tables(*values(given["users"], std, given.get("std_other", std), correlation))
    of_one = {} if "std_other" in given else {"correlation": correlation}
    [row] = rows(truth, lists if "std_other" in given else lists["a"], "cg", 1, **options, **of_one)
    assert row["users"] == given["users"]
    assert row["std"] == pytest.approx(std, rel=1e-9)
    assert row["correlation"] == pytest.approx(correlation, abs=1e-9)
    assert row["std_difference"] == pytest.approx(expected["std_difference"], rel=1e-9)
    if given.get("sided") == 1:
        assert row["users_not_worse"] == expected["users_needed"]
    else:
        assert row["users_needed"] == expected["users_needed"]
        assert row["detectable"] == pytest.approx(expected["detectable"], rel=1e-9)
        [of_hit] = rows(truth, None, "hit", 1, **options)
        assert of_hit["fewest_wins"] == expected["fewest_wins"]
    assert row["fewest_wins"] is None


def test_what_is_detectable_is_that_of_compare() -> None:
    paths = DATA / "recs.parquet", DATA / "truth.parquet"
    plan = rows(paths[1], paths[0], ["ndcg", "hit"], [5, 10], power=0.9, interval=0.9)
    compared = recsql.compare(*paths, ["ndcg", "hit"], [5, 10], power=0.9, interval=0.9, correction="none").to_pylist()
    keys = ("model", "baseline", "metric", "k", "users")
    assert [[one[key] for key in keys] for one in plan] == [[one[key] for key in keys] for one in compared]
    assert len(plan) == 6 * 2 * 2
    for one, other in zip(plan, compared, strict=True):
        assert one["value"] == pytest.approx(other["value"], rel=1e-12)
        assert one["detectable"] == pytest.approx(other["detectable"], rel=1e-9)


def test_by_hand() -> None:
    """The values of hit@1 are 1, 0, 0: their mean is 1/3, their variance 1/3, and that of the difference 2 s² - 2 s² / 2."""
    [row] = rows(TRUTH, LISTS, "hit", 1, margin=0.5)
    told = {name: row.pop(name) for name in ("model", "baseline", "metric", "definition", "verdict")}
    assert told == {"model": None, "baseline": None, "metric": "hit", "definition": "hit", "verdict": "no_room"}
    assert row == pytest.approx(
        {
            **{"k": 1, "users": 3},
            **{"value": 1 / 3, "std": sqrt(1 / 3), "zero_share": 2 / 3, "best_share": 1 / 3, "ideal": 1, "headroom": 2 / 3},
            **{"correlation": 0.5, "std_difference": sqrt(1 / 3), "detectable": (4.302652729911275 + 0.8416212335729143) / 3},
            # 3 * 4.3027² / (2 + 4.3027²) = 2.71; 7.8489 / 3 / 0.25 + 3.8415 / 2 = 12.39; (1.6449 + 0.8416)² / 0.75 + 1.35 = 9.6
            **{"fewest_wins": 3, "users_needed": 13, "users_not_worse": 10},
        },
        rel=1e-9,
    )


def test_the_best_lists_are_those_of_the_options() -> None:
    """q3 has two relevant items, of which one fits; with five places, others have one and two items of five."""
    assert [row["ideal"] for row in rows(TRUTH, None, ["recall@1", "precision@5", "ndcg@3"], None)] == [
        pytest.approx(one) for one in (5 / 6, 4 / 15, 1)
    ]
    [low] = rows(TRUTH, LISTS, "miss_rate", 1, margin=0.001)
    assert (low["value"], low["ideal"], low["headroom"]) == (pytest.approx(2 / 3), pytest.approx(1 / 6), pytest.approx(-0.5))
    grades = {"q1": {"a": 1, "b": 2}, "q2": {"a": 3, "b": 1}}
    [linear, steep] = rows(grades, {"q1": {"b": 1}, "q2": {"a": 1}}, ["dcg(gain=linear)", "dcg(gain=exp2)"], 1)
    assert (linear["ideal"], steep["ideal"], linear["best_share"], steep["best_share"]) == (2.5, 5.0, 1.0, 1.0)


def test_without_lists_the_spread_is_the_largest() -> None:
    for value, options in ((0.5, {}), (0.1, {"value": 0.1})):
        [row] = rows(DATA / "truth.parquet", None, "ndcg", 10, **options)
        assert (row["users"], row["value"], row["std"], row["model"]) == (
            2680,
            value,
            pytest.approx(sqrt(value * (1 - value))),
            None,
        )
        assert (row["zero_share"], row["best_share"], row["fewest_wins"], row["users_needed"], row["verdict"]) == (None,) * 5


def test_wins_and_losses() -> None:
    """Of 100 users 5 win and 2 lose: the variance is 0.07 - 0.03²."""
    [row] = rows(DATA / "truth.parquet", None, "hit", 10, wins=0.05, losses=0.02, margin=0.03)
    assert (row["correlation"], row["std_difference"]) == (None, pytest.approx(sqrt(0.0691)))
    # 7.8489 * 0.0691 / 0.0009 + 1.92 = 604.5
    assert (row["users_needed"], row["verdict"], row["fewest_wins"]) == (605, "enough", 4)


def test_edges() -> None:
    one = {"q1": {"a": 1}}
    [row] = rows(one, one, "hit", 1, margin=0.1)
    assert [row[name] for name in ("users", "std", "detectable", "fewest_wins", "users_needed", "verdict")] == [1, *(None,) * 5]
    [row] = rows(one, None, "hit", 1, margin=0.1)
    assert [row[name] for name in ("detectable", "fewest_wins", "users_needed", "verdict")] == [None, None, 199, "too_few"]
    same = {user: {"d": 1} for user in TRUTH}
    with warnings.catch_warnings(action="ignore"):
        result = recsql.plan(TRUTH, same, "hit", 1, margin=0.1)
    [row] = result.to_pylist()
    assert [row[name] for name in ("std", "detectable", "users_needed", "verdict")] == [0, 0, None, None]
    said = "hit@1: the lists have one value for all users; nothing can be planned from them."
    assert metadata_of(result)["told"][0] == said
    [row] = rows(TRUTH, {"a": LISTS, "b": OTHERS}, "hit", "all", margin=0.1)
    assert (row["model"], row["baseline"], row["k"], row["correlation"]) == ("a", "b", None, pytest.approx(-1))


@pytest.mark.parametrize(
    ("recs", "metric", "options", "said"),
    [
        (None, "dcg", {}, "dcg: its values need not be between 0 and 1; give lists, so that their spread is known"),
        (None, "entropy", {}, "entropy is not available here; it is one value for all lists together, so use "),
        (LISTS, "f1(average=of_means)", {}, "f1(average=of_means): it is not a mean over users, so no user has a value of it; "),
        (None, "hit", {"margin": 0}, "margin: 0 is not above 0"),
        (None, "hit", {"wins": 0.1}, "wins: it needs losses=, and the two are shares of the users that add up to at most 1 "),
        (None, "hit", {"wins": 0.9, "losses": 0.2}, "wins: it needs losses=, and the two are shares"),
        (None, "ndcg", {"wins": 0.1, "losses": 0.1}, "wins: ndcg need not be 0 or 1; name hit alone, or leave "),
        (None, "hit", {"wins": 0.1, "losses": 0.1, "correlation": 0.3}, "correlation: the lists, or wins and losses, tell it; "),
        (LISTS, "hit", {"value": 0.3}, "value: the lists, or wins and losses, tell it; leave it out"),
        ({"a": LISTS, "b": OTHERS}, "hit", {"correlation": 0.3}, "correlation: the lists, or wins and losses, tell it; "),
        ({"a": LISTS, "b": OTHERS}, "hit", {"wins": 0.3, "losses": 0}, "wins: the lists, or wins and losses, tell it; "),
        (None, "hit", {"comparisons": 0}, "comparisons: 0 is not at least 1"),
    ],
)
def test_refused(recs: Any, metric: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(recsql.RecsqlError) as raised:
        recsql.plan(TRUTH, recs, metric, 1, **options)
    assert str(raised.value).startswith(said)


@pytest.mark.parametrize("name", ["by", "cluster"])
def test_groups_are_refused(name: str) -> None:
    truth = pa.table({"user_id": ["q1", "q2"], "item_id": ["a", "b"], "country": ["x", "y"]})
    with pytest.raises(recsql.RecsqlError, match=f"^{name}: a plan takes users one by one and all together; leave {name}= out$"):
        recsql.plan(truth, LISTS, "hit", 1, **{name: "country"})


def test_spans_have_no_best_list() -> None:
    spans, lists = ROOT / "examples/rag/spans.csv", ROOT / "examples/rag/small.csv"
    with pytest.raises(recsql.RecsqlError, match="of spans of documents, or within a budget, no best list is known"):
        recsql.plan(spans, None, "recall", 3)
    [row] = rows(spans, lists, "recall", 3, margin=0.05)
    assert (row["ideal"], row["headroom"], row["best_share"], row["verdict"]) == (None, None, None, "too_few")


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    truth, ease = str(DATA / "truth.parquet"), str(tmp_path / "ease.parquet")
    import pyarrow.parquet as pq

    lists = pq.read_table(DATA / "recs.parquet")
    pq.write_table(lists.filter(pa.compute.equal(lists["model"], "ease")), ease)
    assert main(["plan", ease, truth, "-m", "ndcg,hit", "--margin", "0.01"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "model  metric   k  users   value  detectable  users_needed  users_not_worse  verdict",
        "-----  ------  --  -----  ------  ----------  ------------  ---------------  -------",
        "ease   ndcg    10   2680  0.0373      0.0073          1413             1113  enough",
        "ease   hit     10   2680  0.1022      0.0164          7209             5679  too_few",
        "",
        "With 2,680 users, a difference in ndcg@10 of 0.0073 or more would be shown in 4 of 5 cases, "
        "if the values of two models correlate by 0.5.",
        "To show a difference of 0.01, 1,413 users are needed: enough.",
        "ease has 0.0373; the best lists would have 1. 90 % of users have 0, 1 % the best value.",
        "With 2,680 users, a difference in hit@10 of 0.0164 or more would be shown in 4 of 5 cases, "
        "if the values of two models correlate by 0.5.",
        "hit@10: to show a difference of 0.01, 7,209 users are needed; there are 2,680.",
        "ease has 0.1022; the best lists would have 1. 90 % of users have 0, 10 % the best value.",
    ]
    assert main(["plan", truth, "-m", "hit", "--words", "query", "--value", "0.9", "--power", "0.9"]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "With 2,680 queries, a difference in hit@10 of 0.0188 or more would be shown in 9 of 10 cases, "
        "if the values of two models correlate by 0.5.",
        "The best lists would have 1. Without lists, a mean of 0.9 is assumed, and queries that differ as much as they can.",
    ]
    assert main(["plan", truth, "-m", "hit", "--format", "json"]) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert row == rows(truth, None, "hit", 10)[0]
    assert main(["plan", "pop=" + ease, "new=" + str(DATA / "recs.parquet"), truth, "-m", "hit", "--format", "csv"]) == 1


def test_columns_of_other_names_and_scores() -> None:
    """Two options of one metric need a query each; the whole list has no cut-off."""
    lists = pa.table({"uid": [1, 1, 2, 3], "doc": [7, 8, 8, 9], "s": [0.1, 0.9, 0.5, 0.5]})
    truth = pa.table({"uid": [1, 2, 3], "doc": [7, 8, 8]})
    found = rows(truth, lists, ["rr", "hit(at_least=all)", "ndcg(gain=exp2)"], [1, "all"], user="uid", item="doc", score="s")
    assert [(row["metric"].partition("(")[0], row["k"], row["users"], row["value"], row["ideal"]) for row in found] == [
        ("rr", 1, 3, pytest.approx(1 / 3), 1),
        ("rr", None, 3, pytest.approx(1 / 2), 1),
        ("hit", 1, 3, pytest.approx(1 / 3), 1),
        ("hit", None, 3, pytest.approx(2 / 3), 1),
        ("ndcg", 1, 3, pytest.approx(1 / 3), 1),
        ("ndcg", None, 3, pytest.approx((1 / log2(3) + 1) / 3), 1),
    ]
