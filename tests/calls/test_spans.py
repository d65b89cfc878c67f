"""Truth in spans and cut-offs in tokens: which calls are about them, what is missing, and what `hits` shows.

If it fails, a table of items is taken for one of spans, or a sentence about one names the wrong column.
"""

import re
from typing import Any

import pyarrow as pa
import pytest

import recsql
from recsql.catalog import catalog
from recsql.query.spans import without_meaning

LISTS = {
    "user_id": ["q1", "q1", "q2"],
    "document": ["d", "d", "e"],
    "start": [0, 100, 0],
    "end": [100, 200, 50],
    "rank": [1, 2, 1],
}
SPANS = {"user_id": ["q1", "q1", "q2"], "document": ["d", "d", "e"], "start": [80, 90, 60], "end": [120, 95, 70]}
RECS, TRUTH = pa.table({**LISTS, "tokens": [30, 40, 90]}), pa.table(SPANS)


def without(table: pa.Table, *columns: str) -> pa.Table:
    return table.drop_columns([*columns])


def test_rows_come_with_the_spans_that_they_find_first() -> None:
    rows = recsql.hits(RECS, TRUTH, 2).to_pylist()
    assert [(one["document"], one["start"], one["end"], one["rank"], one["spans"]) for one in rows] == [
        ("d", 0, 100, 1, "[80, 120), [90, 95)"),
        ("d", 100, 200, 2, None),
        ("e", 0, 50, 1, None),
        ("e", 60, 70, None, None),
    ]
    assert recsql.hits(RECS, TRUTH, 70, budget="tokens")["place"].to_pylist() == [30, 70, None]


def test_items_stay_items() -> None:
    both = pa.table({"user_id": ["q1"], "item_id": ["d"], "document": ["d"], "start": [80], "end": [120]})
    assert recsql.evaluate({"q1": ["d"]}, both, "ndcg", 1)["value"].to_pylist() == [1.0]
    by_document = recsql.evaluate(RECS, TRUTH, "recall", 2, item="document", duplicates="hole")
    assert by_document["value"].to_pylist() == [1.0]


def test_other_names_and_lists_with_ids() -> None:
    theirs = {"document": "doc_id", "start": "start_index", "end": "end_index"}
    recs, truth = (table.rename_columns([theirs.get(name, name) for name in table.column_names]) for table in (RECS, TRUTH))
    named: dict[str, Any] = {**theirs, "metrics": "recall", "k": 1}
    assert recsql.evaluate(recs.append_column("item_id", [["a", "b", "c"]]), truth, **named)["value"].to_pylist() == [0.5]
    wrong = pa.table({**SPANS, "start": [-1, 90, 60]}).rename_columns(truth.column_names)
    with pytest.raises(recsql.BadInput, match="truth: start_index is -1 in document d of user q1; was the text not found"):
        recsql.evaluate(recs, wrong, **named)


@pytest.mark.parametrize(
    ("recs", "truth", "sentence"),
    [
        (without(RECS, "document"), TRUTH, "recs: there is no column document, but truth has spans of documents; "),
        (RECS, without(TRUTH, "start", "end"), "truth: there is no column start; judgements of whole documents need none: take "),
    ],
)
def test_what_is_missing(recs: pa.Table, truth: pa.Table, sentence: str) -> None:
    with pytest.raises(recsql.BadInput, match=re.escape(sentence)) as raised:
        recsql.evaluate(recs, truth, "recall", 1)
    assert ";" not in str(raised.value).partition("; ")[2]


def test_budgets(capsys: pytest.CaptureFixture[str]) -> None:
    result = recsql.evaluate(RECS, TRUTH, "recall", [80, 2_000_000], budget="tokens")
    assert result["value"].to_pylist() == [0.5, 0.5]
    recsql.show(result)
    assert "Nothing fits: 1 of 2 lists at 80." in capsys.readouterr().out
    with pytest.raises(recsql.RecsqlError, match="a cut-off is a whole number from 1 to 1000000"):
        recsql.evaluate(RECS, TRUTH, "recall", 2_000_000)
    with pytest.raises(recsql.RecsqlError, match=r"recall\(budget=tokens\): a column is an option of the whole call"):
        recsql.evaluate(RECS, TRUTH, "recall(budget=tokens)", 1)
    with pytest.raises(recsql.BadInput, match="recs: there is no column words, which budget names; it has user_id, document"):
        recsql.evaluate(RECS, TRUTH, "recall", 1, budget="words")
    with pytest.raises(recsql.RecsqlError, match="crossing: it applies only with budget="):
        recsql.evaluate(RECS, TRUTH, "recall", 1, crossing="in")


def test_an_ordered_truth_within_a_budget() -> None:
    recs = pa.table({"user_id": ["q", "q"], "item_id": ["a", "b"], "rank": [1, 2], "tokens": [30, 40]})
    truth = pa.table({"user_id": ["q", "q"], "item_id": ["b", "a"], "rank": [1, 2]})
    given: dict[str, Any] = {"metrics": "recall", "k": [30, 70], "budget": "tokens", "truth_window": "rank"}
    assert recsql.evaluate(recs, truth, **given)["value"].to_pylist() == [0.0, 0.5]


def test_names_of_libraries_warn_once_and_not_about_spans() -> None:
    with pytest.warns(UserWarning, match="precision_at is hivemall's name") as warned:
        recsql.evaluate(RECS, TRUTH, ["precision_at", "p_5"], 1)
    assert len(warned) == 1


def test_a_query_for_another_engine_is_told_of_spans() -> None:
    text = recsql.sql("db.recs", "db.truth", "recall", 3, dialect="spark", spans=True, document="doc")
    assert "named_struct('document', t.doc, 'start', t.start, 'end', t.end) as item_id" in text
    assert "t.start < r.stop" in text


def test_other_conventions_are_about_items() -> None:
    with pytest.raises(recsql.BadInput, match="truth: it has spans of documents, for which other libraries have no conventions"):
        recsql.conventions(RECS, TRUTH, "recall", 1)
    page = recsql.report({"a": RECS, "b": RECS}, TRUTH, "recall", 1, out=None, check=False)
    assert "d [80, 120)" in page.html


def test_the_sentence_lists_what_has_a_meaning() -> None:
    known = {name: option.default for name, option in catalog().options.items()} | {"spans": "true"}
    _, _, listed = catalog().say("spans_only").partition("for spans take ")
    allowed = {name for name in catalog().metrics_of("user") if not without_meaning(name, known)}
    assert {*re.split(", | or ", listed)} == allowed


@pytest.mark.parametrize(
    "budget", ["recall", "hit", "rr", "first_rank", "hits", "miss_rate", "cg", "dcg", "ap(denominator=relevant)"]
)
def test_what_has_a_meaning_within_a_budget(budget: str) -> None:
    recs = pa.table({"user_id": ["q", "q"], "item_id": ["a", "b"], "rank": [1, 2], "tokens": [30, 40]})
    found = recsql.evaluate(recs, {"q": ["b"]}, budget, [40, 70], budget="tokens")["value"].to_pylist()
    at_rank = recsql.evaluate(recs, {"q": ["b"]}, budget, [1, 2])["value"].to_pylist()
    assert found == at_rank
