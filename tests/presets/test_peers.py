"""Every preset whose library can be run, against that library: the mean of every metric that both have, to 1e-9.

If it fails, a preset gives other values than the installed version of its library.

The libraries exclude each other, so that each runs in an environment of its own: see environments.sh. RECSQL_PEERS names their
folder; trec_eval is a dependency of the tests and always runs.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from math import log2
from pathlib import Path
from typing import Any

import pytest

import recsql
from tests.presets.data import Sample, drawn, samples, written
from tests.random_data import random_data

SCRIPTS = Path(__file__).parent / "peers"

# The kinds of data that a library takes, and the metrics that it has otherwise for a kind: its preset says why.
KINDS = {
    "trec_eval": ("binary", "graded", "negative", "tied"),
    "ir_measures": ("binary", "graded", "negative", "copies", "tied"),
    "ranx": ("binary", "graded", "negative", "copies"),
    "rectools": ("binary", "graded", "negative"),
    "replay": ("binary", "graded", "negative", "copies", "tied"),
    "recommenders": ("binary", "graded", "negative", "copies"),
    "jurity": ("binary", "graded"),
    "sklearn": ("binary", "graded", "tied"),
    "ragas": ("binary", "graded", "negative", "copies"),
}
NOT_COMPARED: dict[tuple[str, str], str | tuple[str, ...]] = {
    ("ir_measures", "negative"): "bpref",
    ("ir_measures", "copies"): "rbp",  # which counts each copy
    ("ir_measures", "tied"): ("rbp", "auc"),  # which read the order of the rows
    ("recommenders", "copies"): "ndcg",
    ("recommenders", "negative"): "ndcg",  # gains below 0, which recsql refuses
    ("replay", "tied"): "coverage",
}


@dataclass(frozen=True)
class Difference:
    """An input that a library and its preset measure differently, as the preset's file says."""

    library: str
    recs: str
    truth: str
    metric: str
    theirs: float
    ours: float | None

    @property
    def sample(self) -> Sample:
        return written("difference", {"u": self.recs}, {"u": self.truth})


DIFFERENCES = [
    Difference("rectools", "a a x", "a b", "recall@3", 2 / 3, 1.0),
    Difference("rectools", "a x", "a a b", "recall@3", 2 / 3, 1 / 2),
    Difference("rectools", "a x", "a a b", "precision@1", 2.0, 1.0),
    Difference("replay", "a x", "a a b", "ap@3", 1 / 3, 1 / 2),
    Difference("recommenders", "a a x", "a b", "ndcg@3", (2 + 2 / log2(3)) / (1 + 1 / log2(3) + 1 / 2), 1.0),
    Difference("recommenders", "a x", "a a b", "recall@3", 2 / 3, 1 / 2),
    Difference("recommenders", "a b", "a b", "r2", 0.0, None),
    Difference("jurity", "a x", "a a b", "recall@3", 2 / 3, 1 / 2),
    Difference("sklearn", "a b", "a b", "explained_variance", 0.0, None),
]


def python_of(name: str) -> str:
    """The interpreter that has the library."""
    if name == "trec_eval":
        return sys.executable
    folder = os.environ.get("RECSQL_PEERS")
    if not folder:
        pytest.skip("RECSQL_PEERS is not set: the folder with the environments that tests/presets/environments.sh builds")
    return str(Path(folder) / name / "bin" / "python")


def theirs(name: str, given: Iterable[Sample]) -> list[dict[str, float]]:
    """The library's values of every sample."""
    values: list[dict[str, float]] = answer(name, f"measure_{name}", [asdict(one) for one in given])
    return values


def answer(name: str, script: str, given: Any) -> Any:
    """What a script gives in the environment of a library."""
    call = [python_of(name), "-W", "ignore", str(SCRIPTS / f"{script}.py")]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # to compile ranx takes a minute, to run it on samples a second
    ran = subprocess.run(call, input=json.dumps(given), capture_output=True, text=True, check=False, timeout=600, env=env)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def ours(name: str, given: Sample, asked: Iterable[str]) -> dict[str, float | None]:
    """Our values of the same metrics under the preset; those without a cut-off are of ratings."""
    recs, truth = given.tables
    found: dict[str, float | None] = {}
    for metric, ks in by_metric(asked).items():
        if ks:
            rows = recsql.evaluate(recs, truth, metric, ks, like=name, train=truth, items=given.items)
            found |= {f"{metric}@{row['k']}": row["value"] for row in rows.to_pylist()}
        else:
            rows = recsql.evaluate_ratings(recs, truth, metric, prediction="score", rating="relevance")
            found[metric] = rows["value"][0].as_py()
    return found


def by_metric(asked: Iterable[str]) -> Mapping[str, list[int]]:
    """The cut-offs of each metric."""
    found: dict[str, list[int]] = {}
    for metric, at, k in (one.partition("@") for one in asked):
        found.setdefault(metric, []).extend([int(k)] if at else [])
    return found


def unequal(one: Mapping[str, float | None], other: Mapping[str, float]) -> dict[str, tuple[float | None, float]]:
    return {name: (one[name], value) for name, value in other.items() if one[name] != pytest.approx(value, rel=0, abs=1e-9)}


@pytest.mark.peers
@pytest.mark.parametrize("name", KINDS)
def test_lists(name: str) -> None:
    given = samples(KINDS[name])
    for one, values in zip(given, theirs(name, given), strict=True):
        left_out = NOT_COMPARED.get((name, one.kind), "-")
        compared = {metric: value for metric, value in values.items() if "@" in metric and not metric.startswith(left_out)}
        assert compared
        assert (one.kind, unequal(ours(name, one, compared), compared)) == (one.kind, {})


@pytest.mark.peers
@pytest.mark.parametrize("name", ["recommenders", "sklearn"])
def test_ratings(name: str) -> None:
    given = drawn("graded")
    values = {metric: value for metric, value in theirs(name, [given])[0].items() if "@" not in metric}
    assert values
    assert unequal(ours(name, given, values), values) == {}


@pytest.mark.peers
@pytest.mark.parametrize("name", sorted({one.library for one in DIFFERENCES}))
def test_differences(name: str) -> None:
    stated = [one for one in DIFFERENCES if one.library == name]
    for one, values in zip(stated, theirs(name, [one.sample for one in stated]), strict=True):
        assert values[one.metric] == pytest.approx(one.theirs)
        assert ours(name, one.sample, [one.metric]) == {one.metric: one.ours}


@pytest.mark.peers
def test_fusion() -> None:
    """Three models, with lists of one item and of equal scores."""
    models = ("a", "b", "c")
    data = random_data(3, users=80, models=models, text=True)
    runs: dict[str, dict[str, dict[str, float]]] = {name: {"one": {"x": 3.0}, "equal": {"x": 2.0, "y": 2.0}} for name in models}
    for row in data.recs:
        runs[str(row.model)].setdefault(str(row.user_id), {})[str(row.item_id)] = row.score
    shared = set.intersection(*({*run} for run in runs.values()))  # ranx takes no others
    runs = {name: {user: run[user] for user in shared} for name, run in runs.items()}
    fused = answer("ranx", "fuse_ranx", [*runs.values()])
    assert len(shared) > 20
    for method, lists in fused.items():
        ours: dict[str, dict[str, float]] = {user: {} for user in lists}
        for row in recsql.fuse(runs, method).to_pylist():
            ours[row["user_id"]][row["item_id"]] = row["score"]
        assert ours == {user: pytest.approx(items, rel=0, abs=1e-12) for user, items in lists.items()}


@pytest.mark.peers
def test_what_retrievers_return() -> None:
    """Each finds the document that is asked for first, and recsql takes its answer as it is."""
    found = answer("retrieval", "retrieve", [str(Path(recsql.__file__).parents[1]), *filter(None, sys.path)])
    assert found == dict.fromkeys(("langchain", "langchain with scores", "langchain by metadata", "haystack"), 1.0)
