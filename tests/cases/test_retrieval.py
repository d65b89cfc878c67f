"""Spans, budgets and judgements of documents: values with their arithmetic, and the sentences of what is refused.

If it fails, retrieval is measured otherwise than is specified. The findings of the same file are in tests/findings.
"""

import json
from collections.abc import Mapping
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import recsql

DATA: Mapping[str, list[Any]] = json.loads((Path(__file__).parents[1] / "data" / "retrieval.json").read_text(encoding="utf-8"))
LEFT_OUT = {"labels after another chunking": "status"}  # kinds that are not here, with the reason


def of_one_call(world: Mapping[str, Any]) -> str:
    """Worlds with equal options and columns go into one call, and each is a segment of its users."""
    return json.dumps(
        [world["options"], world["recs_columns"], world["truth_columns"], {case[2] == "all" for case in world["cases"]} == {True}]
    )


CALLS = [[*some] for _, some in groupby(sorted(DATA["values"], key=of_one_call), key=of_one_call)]


def table(rows: list[list[Any]], columns: list[str], world: int = 0) -> pa.Table:
    """The rows, which may lack their last columns, such as a relevance of 1; users get the number of their world."""
    usual = {"relevance": 1} if "relevance" in columns else {}
    return pa.Table.from_pylist([usual | dict(zip(columns, [f"{world} {user}", *rest], strict=False)) for user, *rest in rows])


def together(worlds: list[Mapping[str, Any]], name: str) -> pa.Table:
    tables = [table(world[name], world[f"{name}_columns"], number) for number, world in enumerate(worlds)]
    return pa.concat_tables(tables, promote_options="default")


@pytest.mark.parametrize("worlds", CALLS, ids=lambda worlds: worlds[0]["cases"][0][0])
def test_values(worlds: list[Mapping[str, Any]]) -> None:
    recs, truth = (together(worlds, name) for name in ("recs", "truth"))
    users = dict.fromkeys([*recs["user_id"].to_pylist(), *truth["user_id"].to_pylist()])
    segments = pa.table({"user_id": [*users], "world": [user.split()[0] for user in users]})
    cases = [(number, *case) for number, world in enumerate(worlds) for case in world["cases"]]
    asked = {"metrics": [*dict.fromkeys(case[2] for case in cases)], "k": [*dict.fromkeys(case[3] for case in cases)]}
    found = recsql.evaluate(recs, truth, **asked, by="world", segments=segments, findings="off", **worlds[0]["options"])
    values = {(row["segment"], row["metric"], row["k"]): row["value"] for row in found.to_pylist()}
    for number, name, metric, k, expected, working in cases:
        value = values[str(number), metric, None if k == "all" else k]
        assert value == (expected if expected is None else pytest.approx(expected, abs=1e-12)), f"{name}: {working}"


@pytest.mark.parametrize("world", DATA["errors"], ids=lambda world: world["case"][0])
def test_refused(world: Mapping[str, Any]) -> None:
    """Without tokens, they are NULL."""
    recs = pa.Table.from_pylist([dict(zip_longest(world["recs_columns"], row)) for row in world["recs"]])
    truth = pa.Table.from_pylist([dict(zip(world["truth_columns"], row, strict=False)) for row in world["truth"]])
    _, metric, k, sentence = world["case"]
    with pytest.raises(recsql.RecsqlError) as error:
        recsql.evaluate(recs, truth, metric, k, **world["options"])
    said = str(error.value).removesuffix(" and at most 1")  # a sentence about a number has both bounds
    assert said == sentence.format(recs="recs", truth="truth")


def test_every_case_is_here_or_left_out_for_a_reason(shared: Path) -> None:
    collected = json.loads((shared / "retrieval" / "golden.json").read_text(encoding="utf-8"))["cases"]
    valued = {case[0]: case[3:] for world in DATA["values"] for case in world["cases"]}
    refused = {world["case"][0]: world["case"][3] for world in DATA["errors"]}
    findings = {case["id"]: case for case in DATA["findings"]}
    assert len(valued) + len(refused) + len(findings) == len(collected) == 188
    for case in collected:
        if "error" in case:
            assert refused[case["id"]] == case["error"].replace("overlap_threshold", "match_threshold")
        elif case["id"] in valued:
            assert valued[case["id"]] == [case["expected"], case["working"]]
        else:
            assert findings[case["id"]] == {name: value for name, value in case.items() if name != "checked_with"}
