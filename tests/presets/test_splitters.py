"""Splits under presets, against their libraries: the part of every row. Many rows have the same time.

If it fails, a preset for splits puts a row into another part than its library.

A heavy library is not run each time: tests/presets/make_vectors.sh stores the parts that it gives in vectors/split_NAME.json.
"""

import json
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import recsql
from recsql.catalog import catalog
from tests.presets.test_peers import SCRIPTS, python_of
from tests.presets.test_vectors import HERE, installed, run

LIBRARIES = ("rectools", "recommenders", "replay", "recpack")
HEAVY = ("lenskit",)
WITHOUT_TIES = ("recpack", "lenskit")  # they sort by an algorithm that is not stable
START = datetime(2026, 1, 1)
Sample = dict[str, list[Any]]


def samples(name: str) -> list[Sample]:
    """What a library splits."""
    given = [sample(seed, tied=name not in WITHOUT_TIES) for seed in range(5)]
    return [once(one) for one in given[:2]] if name in HEAVY else given


def sample(seed: int, *, tied: bool = True) -> Sample:
    """Interactions of users with 1 to 24 rows, some of an item that the user has already, and if tied, often of the same time."""
    chosen = random.Random(seed)
    users = [user for user in range(40) for _ in range(chosen.randint(1, 24))]
    chosen.shuffle(users)
    times = [START + timedelta(hours=6 * chosen.randrange(32), seconds=0 if tied else second) for second, _ in enumerate(users)]
    return {
        "user_id": users,
        "item_id": [min(chosen.randrange(60), chosen.randrange(60)) for _ in users],
        "timestamp": [time.isoformat() for time in times],
    }


def once(given: Sample) -> Sample:
    """The first interaction of each user and item, of users with 3 or more: LensKit takes no others, or differs."""
    pairs = list(zip(given["user_id"], given["item_id"], strict=True))
    kept = [row for row, pair in enumerate(pairs) if pairs.index(pair) == row]
    users = [given["user_id"][row] for row in kept]
    return {name: [values[row] for row in kept if users.count(given["user_id"][row]) >= 3] for name, values in given.items()}


def table(given: Sample) -> pa.Table:
    """The interactions with a column of the place of each row."""
    times = [datetime.fromisoformat(time) for time in given["timestamp"]]
    return pa.table({**given, "timestamp": times, "row": range(len(times))})


def theirs(name: str, given: Sequence[Sample]) -> list[list[dict[str, Any]]]:
    """The splits of every sample by the library."""
    call = [python_of(name), "-W", "ignore", str(SCRIPTS / f"split_{name}.py")]
    ran = subprocess.run(call, input=json.dumps(given), capture_output=True, text=True, check=False, timeout=600)
    assert ran.returncode == 0, ran.stderr
    found: list[list[dict[str, Any]]] = json.loads(ran.stdout)
    return found


def ours(name: str, given: Sample, options: Mapping[str, Any]) -> list[str]:
    """Our part of each row under the preset."""
    rows = recsql.split(table(given), like=name, **options).to_pylist()
    return [row["part"] for row in sorted(rows, key=lambda row: row["row"])]


@pytest.mark.peers
@pytest.mark.parametrize("name", LIBRARIES)
def test_every_row_has_the_part_of_the_library(name: str) -> None:
    compare(name, theirs(name, samples(name)))


@pytest.mark.parametrize("name", HEAVY)
def test_every_row_has_the_part_that_a_heavy_library_gave(name: str) -> None:
    vectors = json.loads((HERE / f"vectors/split_{name}.json").read_text(encoding="utf-8"))
    assert vectors["version"] == catalog().presets[name].version
    compare(name, vectors["splits"])


def compare(name: str, given_parts: Sequence[Sequence[Mapping[str, Any]]]) -> None:
    for given, splits in zip(samples(name), given_parts, strict=True):
        assert splits
        for split in splits:
            assert {"train", "truth"} <= {*split["parts"]}
            assert (split["options"], ours(name, given, split["options"])) == (split["options"], split["parts"])


@pytest.mark.peers
@pytest.mark.parametrize("name", LIBRARIES)
def test_the_preset_matters(name: str) -> None:
    """Without it, parts are others: the sample has what the library treats otherwise."""
    given = sample(0, tied=name not in WITHOUT_TIES)
    asked = [split["options"] for split in theirs(name, [given])[0] if split["options"]["protocol"] != "temporal"]
    usual = [recsql.split(table(given), **options).sort_by("row")["part"].to_pylist() for options in asked]
    assert [ours(name, given, options) for options in asked] != usual


@pytest.mark.peers
@pytest.mark.parametrize(
    ("name", "rows", "fraction", "their_truth", "our_truth"), [("recommenders", 45, 0.3, 14, 13), ("replay", 401, 0.2, 80, 81)]
)
def test_differences(name: str, rows: int, fraction: float, their_truth: int, our_truth: int) -> None:
    """What the file of the preset says: the numbers of one user's interactions in the truth."""
    times = [(START + timedelta(hours=place)).isoformat() for place in range(rows)]
    given: Sample = {"user_id": [1] * rows, "item_id": [*range(rows)], "timestamp": times}
    options = {"protocol": "last_fraction", "fraction": fraction}
    parts = next(split["parts"] for split in theirs(name, [given])[0] if split["options"] == options)
    assert (parts.count("truth"), ours(name, given, options).count("truth")) == (their_truth, our_truth)


if __name__ == "__main__":
    for name in sys.argv[2:]:
        python = str(Path(sys.argv[1], name, "bin/python"))
        splits = json.loads(run(json.dumps(samples(name)), python, "-W", "ignore", f"{HERE}/heavy/split_{name}.py"))
        vectors = json.dumps({"library": name, "version": installed(python, name), "splits": splits})
        (HERE / f"vectors/split_{name}.json").write_text(f"{vectors}\n", encoding="utf-8")
