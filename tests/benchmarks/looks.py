"""How often a comparison with many looks is wrong, on streams of users from real data that have no difference.

`python -m tests.benchmarks.looks --streams 500` prints the tables of docs/compare.md. A population is the differences of the
users of an example from the baseline, less their mean. Each stream draws users from it and looks 300 times. It is wrong if one
look shows a difference.
"""

import argparse
from collections.abc import Iterator, Mapping
from math import log, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

import recsql

EXAMPLES = Path(__file__).parents[2] / "examples"
METRICS = ("ndcg", "hit", "recall")
TAIL, LOOKS = 0.05, 300
STEPS = {"a user": 1, "10 users": 10, "33 users": 33}  # how many come between two looks
PLANNED = (300, 1000, 3000)
SIZES = (50, 100, 200, 1_000, 10_000, 100_000)
AT_ONCE = 100  # streams
Floats = npt.NDArray[np.float64]


class Population(NamedTuple):
    """The differences of users, and whether each is not 0; what `compare` says of all users."""

    differences: Floats
    differing: npt.NDArray[np.bool_]
    p: float


def populations() -> Iterator[tuple[str, Population]]:
    """Three models against pop, by three metrics, on two examples."""
    for example in ("movietweetings", "online_retail"):
        asked = (EXAMPLES / example / "recs.parquet", EXAMPLES / example / "truth.parquet", METRICS, 10)
        rows = recsql.compare(*asked, baseline="pop", looks="many", findings="off").to_pylist()
        users = recsql.differences(*asked, baseline="pop").to_pylist()
        for row in rows:
            same = [one["difference"] for one in users if (one["model"], one["metric"]) == (row["model"], row["metric"])]
            differences = np.array([one for one in same if one is not None])
            yield f"{example} {row['model']} {row['metric']}", Population(differences, np.abs(differences) > 5e-13, row["p"])


def tuning(planned: float) -> float:
    """The variance of effects in the mixture, for the interval to be narrowest at about `planned` users."""
    return (log(1 - 2 * log(TAIL)) - 2 * log(TAIL)) / planned


def evidence(t: Floats, n: Floats, planned: float) -> Floats:
    """ln(1 / p) of t with many looks; below 0, p is 1."""
    ratio, square = 1 + n * tuning(planned), t * t / (n - 1)
    found: Floats = n / 2 * (np.log1p(square) - np.log1p(square / ratio)) - np.log(ratio) / 2
    return found


def errors(population: Population, step: int, streams: int, random: np.random.Generator) -> dict[str, Floats]:
    """For each way to look, the share of streams that some look shows to be above 0, and below 0."""
    differences = population.differences - population.differences.mean()
    n: Floats = np.arange(1, LOOKS + 1) * np.float64(step)
    wrong: dict[str, list[tuple[bool, bool]]] = {}
    for _ in range(streams // AT_ONCE):
        drawn = random.integers(len(differences), size=(AT_ONCE, LOOKS * step))
        sums, squares, changed = (
            np.cumsum(one.reshape(AT_ONCE, LOOKS, step).sum(axis=2), axis=1)
            for one in (differences[drawn], differences[drawn] ** 2, population.differing[drawn])
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            t = sums / n / np.sqrt((squares / n - (sums / n) ** 2) / (n - 1))
            shown = {"fixed": np.abs(t) > stats.t.isf(TAIL / 2, n - 1)}
            shown |= {str(planned): evidence(t, n, planned) > log(1 / TAIL) for planned in PLANNED}
        for way, at in shown.items():
            seen = at & (n >= 50) & (changed >= 20)
            sides = zip((seen & (sums > 0)).any(axis=1), (seen & (sums < 0)).any(axis=1), strict=True)
            wrong.setdefault(way, []).extend(sides)
    # A stream that is wrong on both sides counts once among all.
    return {way: np.array([*np.mean(found, axis=0), np.mean(np.any(found, axis=1))]) for way, found in wrong.items()}


def width(n: int, planned: float) -> float:
    """How much wider the interval is than that of one look."""
    ratio = 1 + n * tuning(planned)
    reach = (sqrt(ratio) / TAIL) ** (2 / n)
    return float(sqrt((n - 1) * (reach - 1) / (1 - reach / ratio)) / stats.t.isf(TAIL / 2, n - 1))


def check(found: Mapping[str, Population]) -> None:
    """Stops if this script and recsql differ on p over all users."""
    for name, (differences, _, p) in found.items():
        n = np.array(float(len(differences)))
        t = differences.mean() / differences.std(ddof=1) * np.sqrt(n)
        assert abs(min(1, float(np.exp(-evidence(t, n, 1000)))) - p) < 1e-9, name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    found, random = dict(populations()), np.random.default_rng(asked.seed)
    check(found)
    print(f"{len(found)} populations, {asked.streams:,} streams each: wrong on average, and in the worst population")
    print("one look at each, fixed | planned", *PLANNED, sep=" | ")
    sides = []
    for name, step in STEPS.items():
        every = [errors(one, step, asked.streams, random) for one in found.values()]
        wrong = {way: np.array([one[way] for one in every]) for way in every[0]}
        print(name, *(f"{one[:, 2].mean():.3f}, {one[:, 2].max():.3f}" for one in wrong.values()), sep=" | ")
        sides.append(wrong["1000"][:, :2].max())
    print(f"one side alone, planned 1000: at most {', '.join(f'{one:.3f}' for one in sides)}")
    print("width / fixed width, planned 1000:", ", ".join(f"{n:,} users {width(n, 1000):.2f}" for n in SIZES))


if __name__ == "__main__":
    main()
