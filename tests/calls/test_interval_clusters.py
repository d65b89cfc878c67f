"""Intervals of means over users who belong together, such as the sessions of a person.

If it fails, intervals are too narrow where users are not independent.
"""

import math
import random
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS

import recsql
from recsql.cli import main
from tests.random_data import random_data

METRICS = ["ndcg", "hit", "recall", "dcg", "hits"]


def tables(seed: int, users: int, size: int, *, alone: bool = False) -> dict[str, pa.Table]:
    """Recommendations, and a truth whose users belong to clusters of about this size; if `alone`, every third has none."""
    data, draw = random_data(seed, users=users), random.Random(seed)
    account = {user: None if alone and user % 3 == 0 else f"a{draw.randrange(max(users // size, 1))}" for user in range(users)}
    truth = data.truth_table()
    column = pa.array([account[user] for user in truth["user_id"].to_pylist()], pa.string())
    return {"recs": data.recs_table(), "truth": truth.append_column("account", column)}


@pytest.mark.parametrize("options", [{}, {"no_recs": "skip"}], ids=str)
@pytest.mark.parametrize(("users", "size", "alone"), [(60, 3, False), (240, 5, False), (400, 5, False), (90, 4, True)])
def test_errors_of_clusters(users: int, size: int, alone: bool, options: dict[str, Any]) -> None:
    """The error is that of a regression on a constant in statsmodels, with clusters."""
    given = tables(users, users, size, alone=alone)
    account = dict(zip(given["truth"]["user_id"].to_pylist(), given["truth"]["account"].to_pylist(), strict=True))
    found = recsql.evaluate(**given, metrics=METRICS, k=[1, 5], interval=0.9, cluster="account", **options).to_pylist()
    rows = recsql.per_user(**given, metrics=METRICS, k=[1, 5], **options).to_pylist()
    for row in found:
        metric = row["metric"].partition("(")[0]
        of_model = [one for one in rows if (one["model"], one["k"]) == (row["model"], row["k"])]
        of_model = [one for one in of_model if one[metric] is not None]
        values = np.array([one[metric] for one in of_model])
        clusters = [account[one["user_id"]] or f"user {one['user_id']}" for one in of_model]
        codes = np.unique(clusters, return_inverse=True)[1]
        error = OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": codes}).bse[0]
        assert row["std_error"] == pytest.approx(error, rel=1e-8), row
        count = len({*clusters})
        q, m = stats.t.isf(0.05, count - 1), float(np.mean(values))
        if metric in ("dcg", "hits"):
            low, high = m - q * error, m + q * error
        else:
            e = m * (1 - m) / error**2
            half = q * math.sqrt(m * (1 - m) / e + q * q / (4 * e * e))
            low, high = ((m + q * q / (2 * e) + sign * half) / (1 + q * q / e) for sign in (-1, 1))
        assert (row["low"], row["high"]) == pytest.approx((low, high), rel=1e-8), row
        assert row["few"] == (count < 40 or np.count_nonzero(values) < 50)


def test_users_of_their_own_are_as_without_clusters() -> None:
    """Except that hit has the quantile of t here, and the normal one there."""
    given = tables(1, 120, 1)
    own = given["truth"]["user_id"].cast(pa.string())
    truth = given["truth"].set_column(3, "account", own)
    metrics = ["ndcg", "dcg", "recall"]
    apart = recsql.evaluate(given["recs"], truth, metrics, 5, interval=0.95, cluster="account").to_pylist()
    plain = recsql.evaluate(given["recs"], truth, metrics, 5, interval=0.95).to_pylist()
    for one, other in zip(apart, plain, strict=True):
        numbers = ("value", "low", "high", "std_error")
        assert [one[name] for name in numbers] == pytest.approx([other[name] for name in numbers], rel=1e-9)


def test_one_cluster_has_no_interval() -> None:
    given = tables(2, 40, 40)
    for row in recsql.evaluate(**given, metrics=METRICS, k=5, interval=0.95, cluster="account").to_pylist():
        assert (row["low"], row["high"], row["few"]) == (None, None, True)


def test_the_same_bits() -> None:
    given = tables(3, 300, 4)
    settings: dict[str, Any] = {"metrics": METRICS, "k": [1, 5], "interval": 0.95, "cluster": "account"}
    expected = recsql.evaluate(**given, **settings).to_pylist()
    turned = {name: table.take(list(range(table.num_rows))[::-1]) for name, table in given.items()}
    for threads in (1, 4):
        with duckdb.connect(config={"threads": threads}) as con:
            assert recsql.evaluate(**turned, **settings, connection=con).to_pylist() == expected


def test_on_the_command_line(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """From CSV, whose columns have no types of their own."""
    given = tables(4, 100, 4)
    for name, table in given.items():
        table.to_pandas().to_csv(tmp_path / f"{name}.csv", index=False)
    paths = [str(tmp_path / "recs.csv"), str(tmp_path / "truth.csv")]
    assert main(["evaluate", *paths, "-m", "ndcg", "-k", "5", "--interval", "--cluster", "account"]) == 0
    row = recsql.evaluate(**given, metrics="ndcg", k=5, interval=0.95, cluster="account").to_pylist()[0]
    assert f"{row['value']:.4f} [{row['low']:.4f}, {row['high']:.4f}]*" in capsys.readouterr().out


def test_what_is_refused() -> None:
    given = tables(5, 20, 2)
    refused: list[tuple[dict[str, Any], str]] = [
        ({"cluster": "account"}, "cluster: it applies only with interval"),
        ({"cluster": "acount", "interval": 0.95}, "no column acount.*did you mean account"),
        ({"cluster": "relevance", "interval": 0.95}, "truth: user .* belongs to the clusters .* give every user one"),
        ({"cluster": "account", "interval": 0.95, "f1_average": "of_means", "metrics": "f1"}, "cluster: f1 has groups of users"),
    ]
    for options, sentence in refused:
        with pytest.raises(recsql.RecsqlError, match=sentence):
            recsql.evaluate(**given, **{"metrics": "ndcg", "k": 5, **options})
    with pytest.raises(recsql.RecsqlError, match="cluster: it names a column of truth, and this function takes no truth"):
        recsql.item_metrics(given["recs"], "entropy", 5, interval=0.95, cluster="account")  # type: ignore[call-arg]
