"""Findings of the cases of retrieval (see tests/cases/test_retrieval.py), and what becomes of others in a call about spans.

If it fails, check says something else of chunks, spans or judgements than is specified.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.display.comparison_text import notes
from recsql.display.gate import apply_gate, options_for

Found = dict[str, Any]
GOLDEN: list[Found] = json.loads((Path(__file__).parents[1] / "data" / "retrieval.json").read_text(encoding="utf-8"))["findings"]
OF_SPANS = {"user_id": ["q1"], "document": ["d"], "start": [0], "end": [5]}


def table(rows: Iterable[Iterable[Any]], columns: list[str]) -> pa.Table:
    return pa.Table.from_pylist([dict(zip(columns, row, strict=True)) for row in rows])


def of_kind(kind: str) -> pytest.MarkDecorator:
    cases = [one for one in GOLDEN if one["kind"] == kind]
    return pytest.mark.parametrize("case", cases, ids=[one["id"] for one in cases])


def findings(recs: Any, truth: pa.Table, **options: Any) -> dict[str, Found]:
    return {row["finding"]: row for row in recsql.check(recs, truth, **options).to_pylist()}


@of_kind("reach")
def test_what_a_corpus_reaches(case: Found) -> None:
    """Each chunk that finds a span is a row of one list: the most that lists of this corpus can reach."""
    corpus = table(case["corpus"], case["corpus_columns"])
    truth = table(case["truth"], ["user_id", *case["truth_columns"][1:]])
    reached = duckdb.sql("""
        select b.*, row_number() over (partition by b.user_id order by b.document, b.start) as rank
        from (
            select distinct t.user_id, c.*
            from corpus as c
            inner join truth as t on t.document = c.document and t.start < c."end" and c.start < t."end"
        ) as b""")
    assert reached is not None
    best = reached.to_arrow_table()
    expected, metrics = case["expected"], ["text_precision", "text_recall", "text_iou"]
    assert best.num_rows == expected["chunks_that_find"]
    values = {row["metric"]: row["value"] for row in recsql.evaluate(best, truth, metrics, 1000).to_pylist()}
    assert values["text_precision"] == pytest.approx(expected["text_precision_of_all"], abs=1e-12)
    assert values["text_recall"] == pytest.approx(expected["text_recall_of_all"], abs=1e-12)
    if case["id"] != "reach-overlapping":  # text that is read twice counts once in precision omega
        assert values["text_iou"] == pytest.approx(expected["precision_omega"], abs=1e-12)
    found = findings(best, truth, corpus=corpus)
    for name in ("spans_unreachable", "spans_split"):
        assert found.get(name, {"count": 0})["count"] == expected[name]


@of_kind("read_differs")
def test_what_models_read(case: Found) -> None:
    """Also beside the verdict of compare."""
    rows = [
        (model, user, "d", 1000 * rank, 1000 * rank + length, rank)
        for model, lists in case["lengths"].items()
        for user, lengths in lists.items()
        for rank, length in enumerate(lengths, 1)
    ]
    recs = table(rows, ["model", "user_id", "document", "start", "end", "rank"])
    truth = table([(user, "d", 0, 1) for user in ("q1", "q2")], [*OF_SPANS])
    found = findings(recs, truth, k=case["k"]).get("read_differs", {"severity": None})
    compared = [line for line in notes(recsql.compare(recs, truth, "recall", case["k"], findings="off")) if " reads " in line]
    assert found["severity"] == case["expected"]["severity"]
    assert len(compared) == (found["severity"] is not None)
    if compared:
        less, more = sorted(case["expected"]["read"].items(), key=lambda one: one[1])
        assert found["example"] == f"{less[0]} {less[1]:.0f}, {more[0]} {more[1]:.0f} positions"
        assert compared[0].startswith(f"{less[0]} reads {less[1]:,.0f} positions per list, {more[0]} {more[1]:,.0f}: ")


def test_what_models_read_beside_the_verdict() -> None:
    """The report and the gate have the line; a call with a budget has none."""
    rows = [
        (model, user, "d", 0, length, 1, length // 10)
        for model, length in (("short", 1000), ("long", 1200))
        for user in range(30)
    ]
    recs = table(rows, ["model", "user_id", "document", "start", "end", "rank", "tokens"])
    truth = table([(user, "d", 30 * user, 30 * user + 50) for user in range(30)], [*OF_SPANS])
    given: Any = {"metrics": "recall", "k": 1, "baseline": "long", "findings": "off"}
    way = "budget='tokens', of a column of tokens, compares them at equal cost."
    said = f"short reads 100 tokens per list, long 120: more text finds more; {way}"
    page = recsql.report(recs, truth, **given, out=None, check=False, conventions=False)
    assert said in page.verdict.paragraphs
    assert said in apply_gate(recsql.compare(recs, truth, **given, **options_for("worse")), "worse").lines
    assert not [line for line in notes(recsql.compare(recs, truth, **given | {"k": 100}, budget="tokens")) if " reads " in line]


@of_kind("ends_included")
def test_ends_that_are_included(case: Found) -> None:
    truth = pa.table(OF_SPANS)
    given = {"corpus": table(case["corpus"], case["corpus_columns"])}
    found = findings(truth.append_column("rank", pa.array([1])), truth, **given).get("ends_included")
    expected = case["expected"]
    assert (found and (found["count"], found["of"])) == (
        (expected["one_apart"], expected["pairs"]) if expected["found"] else None
    )


@of_kind("chunks_unknown")
def test_chunks_that_are_unknown(case: Found) -> None:
    recs, corpus = (table(case[name], case[f"{name}_columns"]) for name in ("recs", "corpus"))
    found = findings(recs, pa.table(OF_SPANS), corpus=corpus)["chunks_unknown"]
    assert {name: found[name] for name in case["expected"]} == case["expected"]


@of_kind("judged_differs")
def test_judgements_that_differ(case: Found) -> None:
    """Whether it is found, and the mean judged share of each model."""
    recs, truth = (table(case[name], case[f"{name}_columns"]) for name in ("recs", "truth"))
    found, expected = findings(recs, truth, k=case["k"]).get("judged_differs", {"severity": None}), case["expected"]
    assert found["severity"] == expected["severity"]
    shares = recsql.evaluate(recs, truth, "judged(no_recs=skip)", case["k"], findings="off").to_pylist()
    assert {row["model"]: row["value"] for row in shares} == pytest.approx(expected["judged"], abs=1e-12)
    if found["severity"]:
        highest = max(expected["judged"], key=expected["judged"].get)
        said = [f"{model} {round(expected['judged'][model], 2)}" for model in (found["model"], highest)]
        assert found["example"] == ", ".join(said)


# -- the other findings


def test_documents_take_the_place_of_items() -> None:
    recs = pa.table({**OF_SPANS, "document": ["D"], "item_id": ["d-1"], "rank": [1]})
    found = findings(recs, pa.table(OF_SPANS), k=1)
    assert {*found} == {"ids_differ_by_case", "no_common_documents", "no_hits", "few_users"}
    assert [found["ids_differ_by_case"][name] for name in ("column", "unit", "example")] == [
        "document",
        "documents",
        "D in recs, d in truth",
    ]
    with pytest.warns(UserWarning, match="^recs: no document of the lists is in truth: for example, 'D' here and 'd' there; "):
        recsql.evaluate(recs, pa.table(OF_SPANS), "recall", 1)


def test_chunks_of_two_models_with_one_id() -> None:
    """They are other lists, unless their ranges are equal as well."""
    one = pa.table({**OF_SPANS, "item_id": ["d-1"], "rank": [1]})
    other = pa.table({**OF_SPANS, "end": [6], "item_id": ["d-1"], "rank": [1]})
    assert "identical_models" not in findings({"a": one, "b": other}, pa.table(OF_SPANS))
    assert "identical_models" in findings({"a": one, "b": one}, pa.table(OF_SPANS))


def test_what_is_not_checked() -> None:
    """A call about spans takes neither train nor items, and one about items no corpus."""
    recs, truth = pa.table({**OF_SPANS, "rank": [1]}), pa.table(OF_SPANS)
    lacking = json.loads(recsql.check(recs, truth).schema.metadata[b"recsql"])["not_checked"]
    assert {*lacking.values()} == {"corpus", "recs.score"}
    items = pa.table({"user_id": ["q1"], "item_id": ["a"], "rank": [1]})
    assert "corpus" not in json.loads(recsql.check(items, items).schema.metadata[b"recsql"])["not_checked"].values()
    with pytest.raises(recsql.RecsqlError, match=r"^corpus: it has the chunks for a truth of spans, and this truth has items; "):
        recsql.check(items, items.drop_columns(["rank"]), corpus=truth)
    with pytest.raises(recsql.RecsqlError, match=r"^rows: spans_split is about corpus, which is missing; add it"):
        recsql.check(recs, truth, rows="spans_split")


@pytest.mark.parametrize("longest", [1, 1000, 10**9])
def test_chunks_and_spans_of_any_length(longest: int) -> None:
    """Each pair counts once, in whichever buckets they are."""
    corpus = [("d", start, start + length) for start in range(0, 60, 7) for length in (3, 10, 25)] + [("e", 0, longest)]
    spans = [("q1", "d", start, start + length) for start in range(0, 80, 3) for length in (1, 9, 40)] + [
        ("q1", "e", longest, 10**9 + 1)
    ]
    truth = table(spans, [*OF_SPANS])
    recs = pa.table({**OF_SPANS, "rank": [1]})
    reach: dict[Any, list[bool]] = {
        span: [
            start <= span[2] and span[3] <= end
            for document, start, end in corpus
            if document == span[1] and start < span[3] and span[2] < end
        ]
        for span in spans
    }
    expected = {
        "spans_unreachable": [span for span, whole in reach.items() if not whole],
        "spans_split": [span for span, whole in reach.items() if whole and not any(whole)],
    }
    for name, those in expected.items():
        rows = recsql.check(recs, truth, rows=name, corpus=table(corpus, [*OF_SPANS][1:])).to_pylist()
        assert sorted(tuple(row.values()) for row in rows) == sorted(those)


def test_tokens_of_text_files_are_read() -> None:
    """Of which other columns only those in use are."""
    lists = {name: f"examples/rag/{name}.csv" for name in ("small", "large")}
    [found] = [row for row in recsql.check(lists, "examples/rag/spans.csv", k=3).to_pylist() if row["finding"] == "read_differs"]
    assert found["example"] == "small 67, large 266 tokens"
