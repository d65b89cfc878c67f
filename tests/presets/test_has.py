"""What a preset gives, and for which metrics the tests have a value from the library's own code: the same list.

If it fails, a preset gives a metric that nobody has compared with its library, or lacks one that somebody has.
"""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from recsql.catalog import catalog
from recsql.catalog.grammar import parse_metric
from tests.presets import test_catalogue_values, test_formulas, test_group_values, test_novelty_values, test_peer_values

HERE, PRESETS = Path(__file__).parent, catalog().presets
PEERS = {"ir-measures": "ir_measures", "pytrec-eval-terrier": "trec_eval", "replay-rec": "replay"}
FORMULAS = {  # by the source code, since the library can't be run here, or by worked numbers, since there is none
    "elliot": [*test_formulas.ELLIOT, "coverage", "entropy", "gini"],
    "hivemall": [*test_formulas.HIVEMALL],
    "pyspark_udf": ["precision", "recall", "ndcg", "ap"],
    "returned": ["precision"],
    "torchmetrics": ["auc"],
}


def stored(name: str) -> Iterator[str]:
    """The metrics of `vectors/`, as the library gave them."""
    path = HERE / f"vectors/{name}.json"
    for sample in json.loads(path.read_text(encoding="utf-8"))["samples"].values() if path.exists() else ():
        yield from sample["values"]


def run_beside(name: str) -> Iterator[str]:
    """The metrics of the script that runs the library: the keys of its dictionaries, and the beginnings of its f-strings."""
    path = HERE / f"peers/measure_{name}.py"
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if path.exists() else ():
        texts = node.keys if isinstance(node, ast.Dict) else node.values[:1] if isinstance(node, ast.JoinedStr) else []
        named = [str(one.value).partition("@")[0] for one in texts if isinstance(one, ast.Constant)]
        yield from (one for one in named if one.partition("(")[0] in catalog().metrics)


def on_real_data(name: str) -> Iterator[str]:
    """The metrics of the values of libraries in `shared/`."""
    for named in (test_catalogue_values.METRICS, test_novelty_values.METRICS, test_group_values.METRICS):
        yield from (ours for (peer, _), ours in named.items() if PEERS.get(peer, peer) == name)
    for table in (test_catalogue_values.CANDIDATES, test_catalogue_values.OF_PRESETS):
        yield from (ours for ours in table if f"like={name}" in ours)
    yield from (test_peer_values.METRICS[one] for one in test_peer_values.OF_PEERS.get(name, ()))


@pytest.mark.parametrize("name", PRESETS)
def test_what_a_preset_gives_has_a_value_from_its_library(name: str) -> None:
    compared = [*stored(name), *run_beside(name), *on_real_data(name), *FORMULAS.get(name, ())]
    metrics = {parse_metric(one).metric for one in compared}
    assert {one for one in metrics if catalog().metrics[one].grain != "rating"} == {*PRESETS[name].has}
