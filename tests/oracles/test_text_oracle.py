"""Rows that find spans, and the text in them, on drawn worlds: each user is a world, computed again with sets of positions.

If it fails, text is counted twice or lost where rows or spans overlap, or a row counts at a cut-off that it is beyond.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql

METRICS = ("precision(denominator=returned)", "text_recall", "text_precision", "text_iou")
KS, BUDGETS, MODELS = (1, 2, 4, 9), (1, 3, 10, 40), ("one", "two")
RANDOM = Random(55)
Range = tuple[str, int, int]  # a document, the first position and the one behind the last


def drawn(least: int) -> Range:
    start = RANDOM.randint(0, 12)
    return RANDOM.choice("de"), start, start + RANDOM.randint(least, 8)


def drawn_list() -> list[Range]:
    rows = [drawn(0) for _ in range(RANDOM.randint(0, 7))]
    return rows + RANDOM.choices(rows, k=RANDOM.randint(0, 2)) if rows else []


WORLDS = range(250)
SPANS = {world: [drawn(1) for _ in range(RANDOM.randint(1, 4))] for world in WORLDS}
LISTS = {(model, world): drawn_list() for model in MODELS for world in WORLDS}
COSTS = {key: [RANDOM.choice([0, 1, 2, 5, 20]) for _ in rows] for key, rows in LISTS.items()}
RECS = pa.Table.from_pylist(
    [
        {"model": model, "user_id": world, "document": document, "start": start, "end": end, "rank": rank, "tokens": cost}
        for (model, world), rows in LISTS.items()
        for rank, ((document, start, end), cost) in enumerate(zip(rows, COSTS[model, world], strict=True), start=1)
    ]
)
TRUTH = pa.Table.from_pylist(
    [
        {"user_id": world, "document": document, "start": start, "end": end}
        for world, spans in SPANS.items()
        for document, start, end in spans
    ]
)


def text(ranges: Sequence[Range]) -> set[tuple[str, int]]:
    return {(document, position) for document, start, end in ranges for position in range(start, end)}


def finds(row: Range, span: Range, match: str, threshold: float) -> bool:
    shared = len(text([row]) & text([span]))
    whole = {"any": 1, "share": len(text([span])), "iou": len(text([row, span]))}[match]
    return shared > 0 and (match == "any" or shared / whole >= threshold)


def in_force(rows: Sequence[Range], costs: Sequence[int], k: int, crossing: str | None) -> Sequence[Range]:
    if crossing is None:
        return rows[:k]
    spent = [0, *accumulate(costs)]
    if crossing == "in":
        return [row for row, before in zip(rows, spent, strict=False) if before < k]
    within = [row for row, after in zip(rows, spent[1:], strict=True) if after <= k]
    return within or (rows[:1] if crossing == "first" else [])


def expected(rows: Sequence[Range], spans: Sequence[Range], match: str, threshold: float) -> Sequence[float]:
    relevant, read = text(spans), sum(end - start for _, start, end in rows)
    useful = sum(any(finds(row, span, match, threshold) for span in spans) for row in rows)
    found = len(text(rows) & relevant)
    return (
        useful / len(rows) if rows else 0,
        found / len(relevant),
        found / read if read else 0,
        found / (read + len(relevant) - found),
    )


def compare(match: str, threshold: float, crossing: str | None, found: Sequence[Mapping[str, Any]]) -> None:
    of_list = {(row["model"], row["user_id"], row["k"]): row for row in found}
    for key in LISTS.keys() & {(model, world) for model, world, _ in of_list}:
        for k in BUDGETS if crossing else KS:
            rows = in_force(LISTS[key], COSTS[key], k, crossing)
            values = [of_list[*key, k][name] for name in METRICS]
            assert values == pytest.approx(expected(rows, SPANS[key[1]], match, threshold), abs=1e-12), (key, k)
    assert len(of_list) == len(LISTS) * 4


@pytest.mark.parametrize("fast", ["on", "off"])
@pytest.mark.parametrize(
    ("match", "threshold", "crossing"),
    [
        *(("any", 0.5, crossing) for crossing in (None, "out", "first", "in")),
        *(("share", 0.3, None), ("share", 1, "in"), ("iou", 0.25, None), ("iou", 0.5, "first")),
    ],
)
def test_each_position_counts_once(
    match: str, threshold: float, crossing: str | None, fast: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECSQL_FAST", fast)
    of_match = {"match": match, "match_threshold": threshold} if match != "any" else {}
    of_budget = {"budget": "tokens", "crossing": crossing} if crossing else {}
    found = recsql.per_user(RECS, TRUTH, METRICS, k=BUDGETS if crossing else KS, **of_match, **of_budget)
    compare(match, threshold, crossing, found.to_pylist())


@pytest.mark.parametrize("budget", [{}, {"budget": "tokens", "crossing": "in"}])
def test_macros_have_the_values_of_python(budget: dict[str, str], con: duckdb.DuckDBPyConnection) -> None:
    con.execute(recsql.macros("passages_read", METRICS, spans=True, **budget))
    con.register("recs", RECS)
    con.register("truth", TRUTH)
    names = [name.partition("(")[0] for name in METRICS]
    values = f"model, metric, k, value from passages_read.evaluate('recs', 'truth', k := [1, 3, 10], metrics := {names})"
    found = recsql.evaluate(RECS, TRUTH, METRICS, [1, 3, 10], **budget).to_pylist()
    expected = [(row["model"], row["metric"].partition("(")[0], row["k"], row["value"]) for row in found]
    assert sorted(con.execute(f"select {values}").fetchall()) == sorted(expected)


def test_text_needs_spans() -> None:
    lists = pa.table({"user_id": [1], "item_id": [1], "rank": [1]})
    said = "text_recall: truth has no positions; it needs the columns document, start and end"
    with pytest.raises(recsql.RecsqlError, match=f"^{said}$"):
        recsql.evaluate(lists, lists.drop_columns("rank"), "text_recall", 1)
    with pytest.raises(recsql.RecsqlError, match=r"^text_iou: truth has no positions; make the file with recsql macros --spans$"):
        recsql.macros(metrics="text_iou")


def test_all_metrics_are_those_of_text_where_there_are_spans() -> None:
    found = {row["metric"] for row in recsql.evaluate(RECS, TRUTH, "all", 2).to_pylist()}
    assert found >= {"recall", "precision", "text_recall", "text_precision", "text_iou"}
