"""Comparisons that are looked at many times: golden values, too few users, refusals, the macro, the gate.

If it fails, who looks every day and stops at the first difference is wrong more often than the interval says.
"""

import json
from collections.abc import Sequence
from decimal import Decimal
from math import sqrt
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import recsql
from recsql.calls import compare
from recsql.calls.open_call import opened
from recsql.calls.warnings import COUNTS
from recsql.cli import main
from recsql.display.shown import Shown
from recsql.query.plan import PAIRS
from tests.calls.test_comparison import SEGMENTS, Row, lists, one
from tests.calls.test_maybe_worse import spread, tables
from tests.random_data import random_data
from tests.sql.test_rendering import RECS, TRUTH

GOLDEN = json.loads((Path(__file__).parents[1] / "data/looks.json").read_text())
MANY: Row = {"looks": "many"}
RNG = np.random.default_rng(57)
NEW, OLD = RNG.uniform(0.5, 1, 60).tolist(), RNG.uniform(0.2, 0.7, 60).tolist()


def of_sums(connection: duckdb.DuckDBPyConnection, users: int, difference: float, variance: float, **options: Any) -> Row:
    """The comparison with a baseline of 0, from the number of users, and the mean and variance of their differences."""
    exact, n = Decimal(str(difference)), Decimal(users)
    moment = exact * exact + Decimal(str(variance)) * (n - 1) / n
    sums: dict[str, Decimal | int] = {"sum": n * exact, "base_sum": 0, "squares": n * moment, "base_squares": 0, "products": 0}
    units = {name: pa.array([Decimal(int(total * 10**18))], pa.decimal128(38, 0)) for name, total in sums.items()}
    keys = {"model": ["new"], "baseline": ["old"], "place": [0], "metric": ["ndcg"], "definition": ["ndcg"], "k": [10]}
    counts = {"users": [users], "unpaired": [0], "wins": [users], "losses": [0]}
    connection.register("sums", pa.table(keys | counts | units | {name: pa.nulls(1, pa.int64()) for name in COUNTS}))
    with opened(
        {"recs": RECS, "truth": TRUTH}, PAIRS, MANY | {"interval": 0.95, "connection": connection} | options, "ndcg", 10
    ) as call:
        found: list[Row] = connection.sql(compare.tests_of(call, "select * from sums")).to_arrow_table().to_pylist()
    return found[0]


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["name"])
def test_golden_values(connection: duckdb.DuckDBPyConnection, case: Row) -> None:
    given, expected = dict(case["input"]), case["expected"]
    margin = given.pop("margin")
    ends = {name: expected[name] and pytest.approx(expected[name], abs=1e-9) for name in ("low", "high")}
    asked = {"p_greater": {"alternative": "greater", "margin": margin}, "p_less": {"alternative": "less", "margin": margin}}
    for p, options in (asked | ({} if margin else {"p": {}})).items():
        row = of_sums(connection, **given, **options)
        assert row["p"] == pytest.approx(expected[p], abs=1e-9)
        assert {name: row[name] for name in ends} == ends
        assert row["detectable"] is None


@pytest.mark.parametrize("case", [case for case in GOLDEN if case["input"]["users"] <= 1_000], ids=lambda case: case["name"])
def test_golden_values_from_lists(case: Row) -> None:
    given, expected = dict(case["input"]), case["expected"]
    users = given.pop("users")
    error = sqrt(given.pop("variance") / users)
    recs, truth = tables({"new": spread(given.pop("difference"), error, users - 1)})
    for alternative in ("greater", "less"):
        asked = {"baseline": "old", "findings": "off", "alternative": alternative, **MANY, **given}
        [row] = recsql.compare(recs, truth, "cg", 1, **asked).to_pylist()
        wanted = {"p": expected[f"p_{alternative}"], "low": expected["low"], "high": expected["high"]}
        assert {name: row[name] for name in wanted} == pytest.approx(wanted, abs=1e-9)


def test_widths(connection: duckdb.DuckDBPyConnection) -> None:
    """Against the interval of one look; docs/compare.md has these numbers."""
    widths = [
        (50, 1000, 2.95),
        (100, 1000, 2.06),
        (200, 1000, 1.74),
        (1000, 1000, 1.55),
        (10_000, 1000, 1.65),
        (100_000, 1000, 1.82),
    ]
    for users, planned, expected in [*widths, (1000, 10_000, 1.97), (10_000, 100, 1.82)]:
        many, once = (
            of_sums(connection, users, 0.1, 0.2, **options) for options in ({"planned_users": planned}, {"looks": "one"})
        )
        assert (many["high"] - many["low"]) / (once["high"] - once["low"]) == pytest.approx(expected, abs=0.005)


def test_overwhelming_evidence_does_not_overflow(connection: duckdb.DuckDBPyConnection) -> None:
    row = of_sums(connection, 200_000, 0.9, 1e-6)
    assert (row["p"], row["verdict"]) == (0, "higher")
    assert 0.8999 < row["low"] < row["high"] < 0.9001


def test_p_and_interval_agree() -> None:
    """The interval has 0 if, and only if, p is not below its tail. Bonferroni's is that of a tail divided by the tests."""
    asked: list[Row] = [{"interval": 0.95}, {"interval": 0.8}, {"interval": 0.95, "correction": "bonferroni"}]
    for options in asked:
        rows = recsql.compare(RECS, TRUTH, ["ndcg", "hit", "rr"], [5, 10], findings="off", **MANY, **options).to_pylist()
        for row in rows:
            tail = (1 - options["interval"]) / (row["tests"] if "correction" in options else 1)
            assert (not row["low"] <= 0 <= row["high"]) == (row["p"] < tail)
        assert {row["verdict"] for row in rows} == {"inconclusive", "higher", "lower"}


# -- too few users


@pytest.mark.parametrize(
    ("new", "old", "verdict", "says"),
    [
        (NEW[:49], OLD[:49], "untested", "too few users to look: 49; from 50 on."),
        (NEW[:50], OLD[:50], "higher", None),
        (NEW[:19] + OLD[19:], OLD, "untested", "too few users who differ to look: 19; from 20 on."),
        (NEW[:20] + OLD[20:], OLD, "inconclusive", None),
        ([1], [0], "untested", "too few users to look: 1; from 50 on."),
        ([0.5] * 49, [1] * 49, "untested", "too few users to look: 49; from 50 on."),
        ([0.5] * 50, [1] * 50, "lower", None),  # by chance, all are on one side with a probability of 2 ** -49
        (OLD, OLD, "same", None),
    ],
)
def test_too_few_users(new: Sequence[float], old: Sequence[float], verdict: str, says: str | None) -> None:
    result = recsql.compare(**lists(new=new, old=old), metrics="cg", k=1, baseline="old", **MANY)
    [row], notes = result.to_pylist(), Shown.of(result).notes
    assert row["verdict"] == verdict
    if says is not None:
        assert notes[0] == f"The difference between new and old on cg@1, {row['difference']:+.4f}, can't be tested: {says}"
        assert (row["few"], row["low"], row["high"], row["p"], row["p_adjusted"], row["tests"]) == (True, *[None] * 5)
        assert not any("may be too narrow" in line for line in notes)


def test_who_is_not_tested_yet_counts_in_the_correction() -> None:
    """Else a comparison would have all of the 5 % until the next one has enough users."""
    models = lists(new=NEW, old=OLD, early=NEW[:10] + OLD[10:])
    new, early = sorted(
        recsql.compare(**models, metrics="cg", k=1, baseline="old", **MANY).to_pylist(), key=lambda row: row["model"] != "new"
    )
    assert early["p"] is None
    assert (new["tests"], new["p_adjusted"]) == (2, 2 * new["p"])


# -- words and refusals


def test_the_lines_say_that_they_hold_at_every_look() -> None:
    told = Shown.of(recsql.compare(RECS, TRUTH, "ndcg", 10, baseline="pop", planned_users=3000, findings="off", **MANY)).notes
    assert "p and intervals hold at every look (looks = many, narrowest at about 3,000 users)." in told
    assert not any("would have been found" in line for line in told)
    once = Shown.of(recsql.compare(RECS, TRUTH, "ndcg", 10, baseline="pop", findings="off")).notes
    assert not any("every look" in line for line in once)


def test_segments_are_looked_at_without_a_test_between_them() -> None:
    data = random_data(28, users=70, items=30, depth=8, models=("a", "b", "c"))
    asked: Row = {"by": "group", "segments": SEGMENTS, "contributions": True}
    rows = recsql.compare(data.recs_table(), data.truth_table(), "ndcg", 5, findings="off", **asked, **MANY).to_pylist()
    assert {row["verdict"] for row in rows if row["users"] < 50} == {"untested"}
    assert any(row["q"] is not None for row in rows)
    assert all(row["q_p"] is None for row in rows)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"test": "wilcoxon"}, "looks: it applies only if test='t'; set that as well, or leave looks= out"),
        ({"test": "sign"}, "looks: it applies only if test='t'"),
        ({"test": "randomisation"}, "looks: it applies only if test='t'"),
        ({"power": 0.9}, "power: it applies only if looks='one'"),
        ({"planned_users": 0}, "planned_users: 0 is not at least 1"),
        ({"planned_users": 50.5}, "planned_users: 50.5 is not a whole number"),
        ({"looks": "one", "planned_users": 50}, "planned_users: it applies only if looks='many'"),
        ({"looks": "few"}, "looks: unknown value 'few'; choose one of one, many"),
        (
            {"cluster": "user_id"},
            "cluster: looks='many' takes users as independent, and users of a cluster are not; use looks='one'",
        ),
        (
            {"metrics": ["ndcg", "entropy"]},
            "looks: entropy is not a mean over users, and looks='many' needs a value of each; leave",
        ),
        ({"metrics": "f1(average=of_means)"}, r"looks: f1\(average=of_means\) is not a mean over users"),
    ],
    ids=str,
)
def test_refusals(options: Row, sentence: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=f"^{sentence}"):
        recsql.compare(RECS, TRUTH, **{"metrics": "ndcg", "k": 10, **MANY, **options})


def test_only_comparisons_are_looked_at() -> None:
    with pytest.raises(recsql.UnknownName, match="unknown option 'looks'"):
        recsql.evaluate(RECS, TRUTH, "ndcg", 10, looks="many")  # type: ignore[call-arg]
    with pytest.raises(recsql.RecsqlError, match="looks: differences has the values of each user and no tests"):
        recsql.differences(RECS, TRUTH, "ndcg", 10, looks="many")


# -- the macro, the command line


def test_the_macro_has_the_same_bits() -> None:
    rows = recsql.compare(RECS, TRUTH, "ndcg", 10, baseline="pop", planned_users=3000, findings="off", **MANY).to_pylist()
    with duckdb.connect() as con:
        con.execute(recsql.macros("many", "ndcg", looks="many", planned_users=3000))
        con.execute(f"create table recs as from '{RECS}'; create table truth as from '{TRUTH}'")
        found = con.sql("from many.compare('recs', 'truth', baseline := 'pop', k := 10)").to_arrow_table().to_pylist()
        assert found == [{name: row[name] for name in found[0]} for row in rows]
        con.execute("create or replace table truth as select *, user_id % 9 as cluster from truth")
        with pytest.raises(duckdb.Error, match=r"truth: it has a column cluster, .* recsql macros --looks one -o FILE"):
            con.execute("from many.compare('recs', 'truth', baseline := 'pop', k := 10)").fetchall()


def test_the_gate(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """At one look ease is worse than pop by more than 0.002, with an interval up to -0.0048; at every look it ends at -0.0018."""
    call = [RECS, TRUTH, "-k", "10", "-m", "ndcg", "--baseline", "pop", "--looks", "many", "--planned-users", "3000"]
    assert main(["compare", *call, "--fail-if", "worse", "--margin", "0.002"]) == 3
    told = capsys.readouterr()
    assert "p and intervals hold at every look (looks = many, narrowest at about 3,000 users)." in told.out
    assert "Failed: a model is shown to be worse than pop by more than 0.002, in 2 of 3 comparisons." in told.err
    page = str(tmp_path / "page.html")
    assert main(["report", *call, "--fail-if", "worse", "--margin", "0.002", "-o", page]) == 3
    assert "in 2 of 3 comparisons." in capsys.readouterr().err
    assert one(NEW, OLD, alternative="less", **MANY)["p"] == 1
