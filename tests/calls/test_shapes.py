"""What libraries return, as it is: mappings of users to their items in Python and in JSON, lists of rows, and lists of ids.

If it fails, some shape is refused, or gives other numbers than the same rows in a table.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import recsql

pytestmark = pytest.mark.engine

ROWS: list[dict[str, Any]] = [{"user_id": "q1", "item_id": item, "rank": rank} for rank, item in enumerate(["d1", "d2"], start=1)]
TRUTH: list[dict[str, Any]] = [{"user_id": "q1", "item_id": "d2"}, {"user_id": "q2", "item_id": "d1", "relevance": 1}]


@dataclass
class Document:
    """As those of LangChain, which may have no id of their own, and of Haystack."""

    id: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass
class NodeWithScore:
    """As those of LlamaIndex."""

    node_id: str
    score: float


# The list of q1 has a hit at rank 2, and that of q2 is empty.
LISTS: dict[str, Any] = {
    "ids": ["d1", "d2"],
    "pairs": [("d1", 0.9), ("d2", 0.95)],
    "rows": [{"id": "d1", "score": 0.9}, {"_id": "d2", "_score": 0.95}],
    "a tuple": ("d1", "d2"),
    "an array": np.array(["d1", "d2"]),
    "a series": pd.Series(["d1", "d2"]),
    "Polars": pl.Series(["d1", "d2"]),
    "Arrow": pa.array(["d1", "d2"]),
    "LangChain": [Document(metadata={"id": "d1"}), Document("d2")],
    "LangChain with scores": [(Document("d1"), 0.9), (Document("x", {"id": "d2"}), 0.95)],
    "LlamaIndex": [NodeWithScore("d1", 0.9), NodeWithScore("d2", 0.95)],
    "LangChain in JSON": [{"page_content": "", "metadata": {"id": "d1"}}, {"page_content": "", "metadata": {"id": "d2"}}],
}
TRUTHS: dict[str, Any] = {
    "ids": {"q1": ["d2"], "q2": ["d1"]},
    "sets": {"q1": {"d2"}, "q2": frozenset({"d1"})},
    "one": {"q1": "d2", "q2": "d1"},
    "grades": {"q1": [("d2", 1), ("d1", 0)], "q2": [{"id": "d1", "relevance": 1}]},
    "a mapping and a list": {"q1": {"d2": 1}, "q2": ["d1"]},
    "columns": {"user_id": ["q1", "q2"], "item_id": ["d2", "d1"]},
}


def rr(recs: Any, truth: Any, **settings: Any) -> list[float]:
    values: list[float] = recsql.evaluate(recs, truth, "rr", 2, **settings)["value"].to_pylist()
    return values


@pytest.mark.parametrize("shape", LISTS)
def test_a_ranked_list_per_query(shape: str, tmp_path: Path) -> None:
    recs = {"q1": LISTS[shape], "q2": []}
    assert rr(recs, TRUTHS["ids"]) == [0.25]
    assert rr({"a": recs, "b": {"q1": ["d2"], "q2": ["d1"]}}, TRUTHS["ids"]) == [0.25, 1.0]
    if "score" in str(LISTS[shape]) or shape == "pairs":
        assert rr(recs, TRUTHS["ids"], rank_by="score") == [0.5]
    if shape in ("ids", "pairs", "rows", "LangChain in JSON"):
        for name, content in (("recs", recs), ("models", {"a": recs, "b": {"q1": ["d2"], "q2": ["d1"]}})):
            (tmp_path / f"{name}.json").write_text(json.dumps(content))
        assert rr(tmp_path / "recs.json", TRUTHS["ids"]) == [0.25]
        assert rr(tmp_path / "models.json", TRUTHS["ids"]) == [0.25, 1.0]


@pytest.mark.parametrize("shape", TRUTHS)
def test_what_is_relevant(shape: str, tmp_path: Path) -> None:
    recs = {"q1": ["d1", "d2"]}
    assert rr(recs, TRUTHS[shape]) == [0.25]
    assert recsql.conventions(recs, TRUTHS[shape], "rr", 2).num_rows > 1
    if shape not in ("sets", "columns"):
        (tmp_path / "truth.json").write_text(json.dumps(TRUTHS[shape]))
        assert rr(recs, tmp_path / "truth.json") == [0.25]


def test_rows() -> None:
    """A list of rows is a table, also of one model of several; a later row may have more columns."""
    assert rr(ROWS, [row | {"relevance": 1} for row in TRUTH]) == [0.25]
    assert rr({"a": ROWS, "b": pa.Table.from_pylist(ROWS)}, [row | {"relevance": 1} for row in TRUTH]) == [0.25, 0.25]
    with pytest.raises(recsql.BadInput, match=r"relevance is NULL for user q1, item d2"):
        rr(ROWS, TRUTH)


@pytest.mark.parametrize("empty", [{}, []], ids=["mapping", "list"])
def test_a_question_without_items(empty: Any, tmp_path: Path) -> None:
    """It was asked, so it counts, in the truth as the conventions say."""
    recs, truth = {"q1": ["d1", "d2"], "q2": empty}, {"q1": ["d2"], "q2": ["d1"]}
    result = recsql.evaluate(recs, truth, "rr", 2)
    assert result["value"].to_pylist() == [0.25]
    assert (result["users"].to_pylist(), result["lists"].to_pylist()) == ([2], [1])
    assert rr(recs, truth, no_recs="skip") == [0.5]
    for ids in ({"q1": ["d2"]}, {"q1": {"d2": 1.0}}, {"q1": [2]}):
        judged = {**ids, "q5": empty}
        (tmp_path / "truth.json").write_text(json.dumps(judged))
        for given in (judged, tmp_path / "truth.json"):
            of_q1 = {"q1": [1, 2] if ids["q1"] == [2] else ["d1", "d2"]}
            assert rr(of_q1, given) == [0.5]
            assert rr(of_q1, given, no_truth="one_if_both_empty") == [0.75]
            assert rr(of_q1, given, no_truth="zero") == [0.25]


def test_ids_of_json_are_those_of_the_other_table(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text('{"1": [10, 11], "2": []}')
    assert rr(tmp_path / "r.json", pa.table({"user_id": [1, 2], "item_id": [11, 10]})) == [0.25]


IDS: dict[str, Any] = {
    "list": ["q1", "q2"],
    "set": {"q1", "q2"},
    "pandas": pd.Series(["q1", "q2"]),
    "Polars": pl.Series(["q1", "q2"]),
    "array": np.array(["q1", "q2"]),
    "rows": [{"user_id": "q1"}, {"user_id": "q2"}],
    "keys": {"q1": 1, "q2": 2}.keys(),
}


@pytest.mark.parametrize("shape", IDS)
def test_ids_alone(shape: str) -> None:
    recs, truth = {"q1": ["d1", "d2"], "q3": ["d1"]}, {"q1": ["d2"], "q2": ["d1"], "q3": ["d1"]}
    assert rr(recs, truth) == [0.5]
    assert rr(recs, truth, users=IDS[shape]) == [0.25]
    if shape != "rows":
        renamed = pa.table({"uid": ["q1"], "item_id": ["d1"], "rank": [1]}), pa.table({"uid": ["q1"], "item_id": ["d1"]})
        assert rr(*renamed, users=IDS[shape], user="uid") == [1.0]


def test_numbers_as_ids_and_a_catalogue() -> None:
    recs = {1: [1, 2], 2: np.array([1])}
    assert rr(recs, {1: {2}, 2: {1}}, users=[2]) == [1.0]
    assert recsql.evaluate(recs, {1: {2}}, "coverage", 2, items=[1, 2, 3, 4])["value"].to_pylist() == [0.5]
    assert recsql.popularity({1: [1, 2], 2: [1]}, 5)["item_id"].to_pylist() == [2]


def test_true_is_the_usual_interval() -> None:
    recs, truth = {"q1": ["d1"], "q2": ["d2"]}, {"q1": ["d1"], "q2": ["d1"]}
    for call in (recsql.evaluate, lambda *given, **more: recsql.compare({"a": recs, "b": truth}, *given[1:], **more)):
        found = call(recs, truth, "rr", 1, interval=True)
        assert found.equals(call(recs, truth, "rr", 1, interval=0.95))
    assert (
        recsql.evaluate(recs, truth, "rr", 1, interval=False).column_names == recsql.evaluate(recs, truth, "rr", 1).column_names
    )


REFUSED: dict[str, tuple[Any, Any, str]] = {
    "a set": (
        {"q1": {"d1"}},
        {"q1": ["d1"]},
        "^recs: give each user .* a list of ids, the best first; 'q1' has a set without an order$",
    ),
    "scores": (
        {"q1": [0.9, 0.3]},
        {"q1": ["d1"]},
        "^recs: 0.9 in a list is not an id and has no id; give ids, pairs of an id and a score, or a mapping$",
    ),
    "no id": (
        {"q1": [{"chunk": "d1"}]},
        {"q1": ["d1"]},
        "^recs: {'chunk': 'd1'} in a list is not an id and has no id",
    ),
    "a mapping and a list": (
        {"q1": ["d1"], "q2": {"d1": 0.5}},
        {"q1": ["d1"]},
        "^recs: scores order the mapping of 'q2', but 'q1' has a list; give all users the same$",
    ),
    "a truth without users": ({"q1": ["d1"]}, {}, "^truth: the mapping is empty; give each user their items, or a table$"),
    "a document without an id": (
        {"q1": [SimpleNamespace(id=None, metadata={})]},
        {"q1": ["d1"]},
        "in a list is not an id and has no id",
    ),
    "triples": ({"q1": [["d1", "d2", "d3"]]}, {"q1": ["d1"]}, "in a list is not an id"),
    "a file in a list": (
        {"q1": ["d1.csv"]},
        {"q1": ["d1"]},
        r"^recs: d1.csv: no such file; if it is an id, write .'d1.csv': 1. in",
    ),
    "a file in the truth": ({"q1": ["d1"]}, {"q1": ["d.txt"]}, r"^truth: d.txt: no such file; if it is an id, write"),
    "a file alone": ({"pop": "pop.parquet"}, {"q1": ["d1"]}, "^pop.parquet: no such file or table$"),
}


@pytest.mark.parametrize(("recs", "truth", "says"), REFUSED.values(), ids=REFUSED)
def test_what_has_no_single_meaning(recs: Any, truth: Any, says: str) -> None:
    with pytest.raises(recsql.BadInput, match=says):
        rr(recs, truth)


def test_files_among_ids() -> None:
    with pytest.raises(recsql.BadInput, match=r"^users.csv: no such file or table$"):
        rr({"q1": ["d1"]}, {"q1": ["d1"]}, users=["users.csv"])
    assert rr({"q1": {"d.txt": 1}}, {"q1": {"d.txt": 1}}) == [1.0]
