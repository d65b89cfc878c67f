"""How often intervals of ranks hold the true ranks, and how often the difference of a plan is shown, on draws from real data.

`python -m tests.benchmarks.ranks --draws 1000` prints the figures of docs/ranks.md and docs/plan.md. The values are those of the
users of the examples, at k = 10; data sets are the two examples in turn. Each draw is one cut-off of a call of `recsql.rank`.
"""

import argparse
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import recsql
from tests.benchmarks.looks import METRICS, populations

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("movietweetings", "online_retail")
SIZES = (50, 100, 300, 1_000)
Floats = npt.NDArray[np.float64]


class Setting(NamedTuple):
    """What is drawn. Equal models differ by chance alone; each mixed one has shares of its own of the values of the real ones."""

    metric: str
    users: Sequence[int]  # of each data set
    models: int = 4
    kind: str = "equal"  # or real, or mixed
    vary: str = "users"  # or datasets, or scores: scores with std_error


def settings() -> Iterator[Setting]:
    for metric in ("ndcg", "hit", "ap"):
        for users in ([50], [1_000], [100] * 2, [300] * 2, [50] * 8):
            yield Setting(metric, users)
        for users in ([50], [100] * 2, [50] * 8):
            yield Setting(metric, users, models=10)
    for metric in ("ndcg", "hit"):
        for users in ([2_000, 60], [30, 20]):
            yield Setting(metric, users)
        for size in (100, 300, 1_000):
            yield Setting(metric, [size] * 2, kind="real")
        yield Setting(metric, [100] * 8, models=10, kind="mixed")
        for kind in ("equal", "real"):
            for datasets in (5, 10, 40):
                yield Setting(metric, [50] * datasets, kind=kind, vary="datasets")
            yield Setting(metric, [300] * 2, kind=kind, vary="scores")


@cache
def values_of(metric: str) -> list[Floats]:
    """The values of the users of each example, a column per model."""
    found = []
    for name in NAMES:
        rows = recsql.per_user(EXAMPLES / name / "recs.parquet", EXAMPLES / name / "truth.parquet", metric, 10, findings="off")
        wide = rows.to_pandas().pivot(index="user_id", columns="model", values=metric)
        found.append(wide.dropna().to_numpy())
    return found


def drawn(setting: Setting, values: Sequence[Floats], draws: int, random: np.random.Generator) -> Iterator[Floats]:
    """For each data set, the values of each draw, user and model."""
    shares = np.random.default_rng(1).dirichlet(np.ones(4), setting.models).cumsum(axis=1)
    for turn, size in enumerate(setting.users):
        example = random.integers(2, size=draws) if setting.vary == "datasets" else np.full(draws, turn % 2)
        rows = np.stack([values[one][random.integers(len(values[one]), size=size)] for one in map(int, example)])
        if setting.kind == "mixed":
            chosen = (random.random((draws, size, setting.models, 1)) > shares[:, :3]).sum(axis=3)
            rows = np.take_along_axis(rows, chosen, axis=2)
        elif setting.kind == "equal" and setting.vary == "datasets":  # on each data set, other models are the better ones
            order = random.permuted(np.tile(np.arange(4), (draws, 1)), axis=1)
            rows = np.take_along_axis(rows, np.broadcast_to(order[:, None, :], rows.shape), axis=2)
        elif setting.kind == "equal":
            copies = np.tile(rows, (1, 1, -(-setting.models // 4)))
            rows = random.permuted(copies, axis=2)[:, :, : setting.models]
        yield rows


def true_ranks(setting: Setting, values: Sequence[Floats]) -> npt.NDArray[np.int64]:
    if setting.kind == "equal":
        return np.ones(setting.models, dtype=np.int64)
    used = (0, 1) if setting.vary == "datasets" else [turn % 2 for turn in range(len(setting.users))]
    means = np.mean([values[one].mean(axis=0) for one in used], axis=0)
    if setting.kind == "mixed":
        means = np.random.default_rng(1).dirichlet(np.ones(4), setting.models) @ means
    ranks: npt.NDArray[np.int64] = 1 + (means[None, :] > means[:, None]).sum(axis=1)
    return ranks


def table_of(values: Sequence[Floats], scores: bool = False) -> pa.Table:
    """Values per user, or scores, of all draws; a cut-off per draw."""
    parts = []
    for dataset, of_users in enumerate(values):
        rows = of_users.mean(axis=1, keepdims=True) if scores else of_users
        draw, user, model = (one.ravel().astype(np.int32) for one in np.indices(rows.shape))
        columns = {"k": draw + 1, "model": model, "dataset": np.full_like(draw, dataset), "value": rows.ravel()}
        errors = of_users.std(axis=1, ddof=1).ravel() / np.sqrt(of_users.shape[1])
        further = {"std_error": errors} if scores else {"user_id": user}
        parts.append(pa.table(columns | further))
    return pa.concat_tables(parts)


class Found(NamedTuple):
    """Shares of draws: all ranks covered, one tier, the best model pinned; the mean width of an interval."""

    covered: float
    one_tier: float
    pinned: float
    width: float


def measure(setting: Setting, draws: int, random: np.random.Generator) -> Found:
    values = values_of(setting.metric)
    rows = table_of(list(drawn(setting, values, draws, random)), setting.vary == "scores")
    result = recsql.rank(rows, vary="datasets" if setting.vary == "datasets" else "users")
    draw, model = result["k"].to_numpy(), result["model"].to_numpy(zero_copy_only=False).astype(np.int64)
    low, high, tier = (result[name].to_numpy() for name in ("rank_low", "rank_high", "tier"))
    true = true_ranks(setting, values)[model]
    missed = np.bincount(draw, weights=(true < low) | (true > high), minlength=draws + 1)[1:]
    tiers = np.zeros(draws + 1)
    np.maximum.at(tiers, draw, tier)
    pinned = np.bincount(draw, weights=high == 1, minlength=draws + 1)[1:]
    return Found(*map(float, (np.mean(missed == 0), np.mean(tiers[1:] == 1), np.mean(pinned > 0), np.mean(high - low + 1.0))))


def detectable(users: int, deviation: float) -> float:
    """The difference that a plan for this many users gives, with differences of this deviation."""
    share = deviation * deviation / 2
    truth = {f"u{number}": {"a": 1} for number in range(users)}
    plan = recsql.plan(truth, metrics="hit", k=1, wins=share, losses=share)
    return float(plan["detectable"][0].as_py())


def planned() -> dict[str, float]:
    """The deviation of the differences of each population, from a plan with the lists."""
    found: dict[str, float] = {}
    for name in NAMES:
        rows = recsql.plan(EXAMPLES / name / "truth.parquet", EXAMPLES / name / "recs.parquet", METRICS, 10, findings="off")
        found |= {
            f"{name} {row['model']} {row['metric']}": row["std_difference"]
            for row in rows.to_pylist()
            if row["baseline"] == "pop"
        }
    return found


def power(differences: Floats, shift: float, users: int, draws: int, random: np.random.Generator) -> float:
    """The share of draws that show a difference which is `shift` in truth."""
    centred = differences - differences.mean() + shift
    better = centred[random.integers(len(centred), size=(draws, users))]
    result = recsql.rank(table_of([np.stack([better, np.zeros_like(better)], axis=2)]))
    shown = [row["rank_high"] == 1 for row in result.select(["model", "rank_high"]).to_pylist() if row["model"] == "0"]
    return float(np.mean(shown))


def show_ranks(draws: int, random: np.random.Generator) -> None:
    print(f"{draws:,} draws: all ranks covered | one tier | best model pinned | mean width")
    for one in settings():
        found = measure(one, draws, random)
        users = "+".join(map(str, one.users)) if len({*one.users}) > 1 else f"{len(one.users)} x {one.users[0]}"
        said = f"{one.models} {one.kind} models, {one.metric}, {users}, {one.vary}"
        print(said, *(f"{share:.3f}" for share in found), sep=" | ", flush=True)


def show_power(draws: int, random: np.random.Generator) -> None:
    deviations, every = planned(), dict(populations())
    print(f"power at detectable, {len(every)} populations, {draws:,} draws each: least | largest | mean")
    for size in SIZES:
        found = [power(one.differences, detectable(size, deviations[name]), size, draws, random) for name, one in every.items()]
        print(f"{size} users", *(f"{share:.3f}" for share in (min(found), max(found), np.mean(found))), sep=" | ", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=("ranks", "power"))
    asked = parser.parse_args()
    for name, show in (("ranks", show_ranks), ("power", show_power)):
        if asked.only in (None, name):
            show(asked.draws, np.random.default_rng(asked.seed))


if __name__ == "__main__":
    main()
