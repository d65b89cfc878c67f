"""Queries and documents in place of users and items, wherever people read; and the texts of queries.

If it fails, whoever measures search reads about users and items, or a name of theirs is changed.
"""

import json
import re
from html import unescape
from pathlib import Path

import pyarrow as pa
import pytest

import recsql
from recsql.base.wording import PASSAGE, QUERY, said, spoken
from recsql.cli import main
from recsql.display.shown import Shown

SEARCH = "examples/search"
RUNS, QRELS = [f"{SEARCH}/bm25.run", f"{SEARCH}/dense.run"], f"{SEARCH}/qrels.txt"
ABOUT_USERS = re.compile(r"(?<![\w.=/@-])(?:user|item)s?(?![\w=]|[./@-]\w)", re.IGNORECASE)
LONG = "How do I get my money back for a parcel that arrived broken, and who pays for <b>sending</b> it back to you? " * 2
QUERIES = [{"_id": "q1", "text": LONG, "metadata": {}}, {"_id": "q4", "text": "Which items can users return?", "metadata": {}}]
CORPUS = [{"_id": "refunds", "title": "Refunds & users", "text": "All.", "metadata": {"url": "x"}}]
# Names that have a word for users or items in them.
NAMED = {
    "items": {"user 1": {"item 1": 3.0, "item 2": 2.0}, "u2": {"a": 1.0}},
    "user knn": {"user 1": {"item 2": 1.0}, "u2": {"a": 1.0, "b": 0.5}, "u4": {"a": 1.0}},
}
OF_NAMED = {"user 1": {"item 1": 1}, "u2": {"b": 1}, "u3": {"item 2": 1}}


@pytest.fixture
def texts(tmp_path: Path) -> str:
    return written(tmp_path / "queries.jsonl", QUERIES)


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    return written(tmp_path / "corpus.jsonl", CORPUS)


def written(path: Path, rows: list[dict[str, object]]) -> str:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return str(path)


def words(result: pa.Table) -> object:
    return json.loads(result.schema.metadata[b"recsql"]).get("words")


# -- where the words are those of search


def test_trec_files_are_about_queries_and_documents() -> None:
    result = recsql.evaluate(RUNS, QRELS, "precision", [3, 10], findings="off")
    assert Shown.of(result).notes == [
        "Queries in the mean: 4. Queries with truth: 4.",
        "Lists without truth (left out): 1.",
        "Documents in the longest list: bm25 3, dense 4; precision@10 divides by 10.",
    ]
    assert words(result) == "query"
    assert recsql.per_user(RUNS, QRELS, "hit", 3, findings="off").column_names[:2] == ["model", "user_id"]
    asked = recsql.evaluate(RUNS, QRELS, "precision", 3, words="user", findings="off")
    assert Shown.of(asked).notes[0] == "Users in the mean: 4. Users with truth: 4."
    assert words(asked) is None
    assert asked.column_names == result.column_names


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, "Users in the mean: 3. Users with truth: 3."),
        ({"words": "user"}, "Users in the mean: 3. Users with truth: 3."),
        ({"words": "query"}, "Queries in the mean: 3. Queries with truth: 3."),
    ],
)
def test_other_tables_have_the_words_that_a_call_says(settings: dict[str, str], told: str) -> None:
    assert Shown.of(recsql.evaluate(NAMED, OF_NAMED, "hit", 1, findings="off", **settings)).notes[0] == told


def test_files_of_beir_are_about_queries(capsys: pytest.CaptureFixture[str]) -> None:
    files = [f"{SEARCH}/dense.tsv", f"{SEARCH}/qrels/test.tsv", "-k", "3", "-m", "hit"]
    assert main(["evaluate", *files, "--names", "beir"]) == 0
    assert "Queries in the mean: 4. Queries with truth: 4." in capsys.readouterr().out
    assert main(["evaluate", *files, "--names", "beir", "--words", "user"]) == 0
    assert "Users in the mean: 4. Users with truth: 4." in capsys.readouterr().out


def test_other_words_are_refused() -> None:
    with pytest.raises(recsql.BadInput, match=r"^words: unknown value 'passages'; choose one of user, query$"):
        recsql.evaluate(NAMED, OF_NAMED, "hit", 1, words="passages")


def test_parts_and_results_together_keep_them(tmp_path: Path) -> None:
    recsql.partial(RUNS, QRELS, str(tmp_path / "part.parquet"), "hit", 3, findings="off")
    merged = recsql.merge(tmp_path / "part.parquet")
    assert Shown.of(merged).notes[0] == "Queries in the mean: 4. Queries with truth: 4."
    assert words(recsql.concat({"today": merged})) == "query"


# -- sentences in these words


@pytest.mark.parametrize(
    ("sentence", "of_queries", "of_passages"),
    [
        ("an item of a user", "a document of a query", "a passage of a query"),
        ("An item. Items and users.", "A document. Documents and queries.", "A passage. Passages and queries."),
        ("users for whom it has one", "queries for which it has one", "queries for which it has one"),
        ("items that their users have", "documents that their queries have", "passages that their queries have"),
        ("see user_id and users='union' and --users union", *["see user_id and users='union' and --users union"] * 2),
        ("recsql per-user users.csv, data/items/a.run", *["recsql per-user users.csv, data/items/a.run"] * 2),
        ("'user 1' here, not in items", *["'user 1' here, not in items"] * 2),
        ("5 users of item knn", "5 queries of item knn", "5 queries of item knn"),
    ],
)
def test_names_and_options_stay(sentence: str, of_queries: str, of_passages: str) -> None:
    assert said(sentence) == sentence
    with spoken(QUERY, ["item knn"]):
        assert said(sentence) == of_queries
    with spoken(PASSAGE, ["item knn"]):
        assert said(sentence) == of_passages


def test_names_of_the_caller_stay_as_they_are() -> None:
    segments = pa.table({"user_id": ["user 1", "u2"], "user group": ["an item", "b"]})
    with pytest.warns(UserWarning, match="^recs of items and 1 more: no list of model user knn has a hit in its top k"):
        by_model = recsql.compare(NAMED, OF_NAMED, "hit", 1, baseline="items", words="query")
        sliced = recsql.evaluate(NAMED, OF_NAMED, "hit", 1, words="query", by="user group", segments=segments)
    shown = Shown.of(by_model)
    assert shown.notes[0].startswith("No difference found between user knn and items on hit@1; 3 queries are too few")
    assert "Queries in the mean: 3. Queries with truth: 3." in shown.notes
    assert Shown.of(sliced).table.column_names == ["metric", "slice", "segment", "items", "user knn", "queries", "share"]
    assert Shown.of(sliced).table["segment"].to_pylist() == ["all", "an item", "b", "(none)"]


def test_a_comparison_and_its_gate(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *RUNS, QRELS, "-k", "3", "-m", "ndcg", "--baseline", "bm25", "--fail-if", "worse"]) == 0
    shown = capsys.readouterr()
    assert "; 4 queries are too few to find even" in shown.out
    assert "* few queries: the interval of dense and bm25 on ndcg@3 may be too narrow (4 queries, 4 of" in shown.out
    assert "Queries in the mean: 4. Queries with truth: 4." in shown.err
    assert not ABOUT_USERS.search(shown.out + shown.err)


def test_findings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *RUNS, QRELS]) == 0
    shown = capsys.readouterr().out
    assert "The truth has fewer than 200 queries with relevant documents: 4 queries, for example q1." in shown
    assert "Not checked without items: recs_not_in_items, truth_not_in_items." in shown
    assert ABOUT_USERS.findall(shown) == ["items"]
    assert main(["check", *RUNS, QRELS, "--format", "github"]) == 0
    assert "title=few_users::The truth has fewer than 200 queries" in capsys.readouterr().out
    named = Shown.of(recsql.check(NAMED, OF_NAMED, words="query")).prose
    assert "Queries with relevant items have no list: 1 of 3 queries of model items (and 1 more model), for example u3." in named


def test_steps(capsys: pytest.CaptureFixture[str]) -> None:
    files = [*RUNS, QRELS, "-k", "3", "-m", "hit"]
    rows = dict(zip(*recsql.explain(RUNS, QRELS, "hit", 3).select(["step", "row"]).to_pydict().values(), strict=True))
    assert rows["population"] == "one row per model and query in the mean"
    assert main(["explain", *files, "--user-id", "q1"]) == 0
    assert "population: one row per model and query in the mean\n" in capsys.readouterr().out


def test_a_report() -> None:
    page = recsql.report(RUNS, QRELS, ["ndcg", "precision"], 10, sql=False)
    assert ABOUT_USERS.findall(page_text(page.html)) == ["items"]  # the table that was not given
    for told in ("queries in the mean 4", "Values of single queries", "relevant documents: 2 to 3", "query q1: -0.5204"):
        assert told in page_text(page.html)
    assert page.verdict.paragraphs[-1].startswith("There are only 4 queries, and the intervals may be too narrow.")
    of_users = recsql.report(RUNS, QRELS, "ndcg", 10, words="user", conventions=False, check=False)
    assert "user q1: -0.5204" in page_text(of_users.html)
    named = page_text(recsql.report(NAMED, OF_NAMED, "hit", 1, words="query", conventions=False, check=False).html)
    for told in ("queries in the mean 3", "Documents that user knn misses most often", "query user 1: -1.0000", "item 1 \u2713"):
        assert told in named


def page_text(html: str) -> str:
    text = re.sub(r"<(style|script|pre)>.*?</\1>", "", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", text)))


def test_the_report_begins_with_the_tools_of_search() -> None:
    def presets(**settings: str) -> list[str]:
        html = recsql.report(RUNS, QRELS, "ndcg", 10, sql=False, **settings).html
        return re.findall(r'<tr><th scope="row">(\w+)</th><td data-v', html[html.index('id="conventions"') :])

    of_search = ["recsql", "trec_eval", "ir_measures", "ranx", "torchmetrics", "sklearn"]
    found = presets()
    assert found[:6] == of_search
    assert found[6:] == sorted(found[6:])
    assert presets(words="user") == ["recsql", *sorted(found[1:])]


# -- the texts of queries


def test_hits_have_the_texts_and_titles(texts: str, corpus: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = recsql.hits(RUNS, QRELS, 1, texts=texts, items=corpus, names="beir")
    assert found.column_names[:5] == ["model", "query-id", "text", "corpus-id", "rank"]
    rows = [(row["model"], row["query-id"], row["text"], row["title"]) for row in found.to_pylist()]
    assert ("dense", "q1", LONG, "Refunds & users") in rows
    assert ("bm25", "q2", None, None) in rows
    assert main(["hits", *RUNS, QRELS, "-k", "1", "--texts", texts, "--names", "beir"]) == 0
    assert "  How do I get my money back for a parcel that arrived brok...  " in capsys.readouterr().out
    titled = pa.table({"user_id": ["q1"], "title": ["Money back?"]})
    assert recsql.hits(RUNS, QRELS, 1, texts=titled, user_id="q1")["text"].to_pylist() == ["Money back?"] * 2


@pytest.mark.parametrize("role", ["texts", "items"])
def test_ids_of_beir_need_its_name(role: str, texts: str, corpus: str) -> None:
    path, ours = {"texts": (texts, "user_id"), "items": (corpus, "item_id")}[role]
    way = f"rename _id to {ours}; or if the other tables are BEIR's or TREC's, add names='beir'"
    with pytest.raises(recsql.BadInput, match=rf"queries|corpus.*: there is no column {ours}; .*; {way}$"):
        recsql.hits(RUNS, QRELS, 1, **{role: path})


def test_a_table_without_a_text_is_refused() -> None:
    told = "^texts: there is no column text or title; it has user_id, words; rename the column with the texts to text$"
    with pytest.raises(recsql.BadInput, match=told):
        recsql.hits(RUNS, QRELS, 1, texts=pa.table({"user_id": ["q1"], "words": ["x"]}))


def test_titles_of_text_files(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("item_id,title\na,Alpha\n")
    found = recsql.hits({"u1": ["a", "b"]}, {"u1": ["a"]}, 2, items=str(tmp_path / "items.csv"))
    assert found["title"].to_pylist() == ["Alpha", None]


@pytest.mark.parametrize("metrics", ["ndcg", ["ndcg", "recall(relevance_threshold=2)"]])
def test_the_worst_have_their_texts(
    metrics: str | list[str], texts: str, corpus: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = {"baseline": "bm25", "texts": texts, "names": "beir", "findings": "off"}
    found = recsql.differences(RUNS, QRELS, metrics, 3, **settings).to_pylist()
    assert {row["query-id"]: row["text"] for row in found} == {"q1": LONG, "q2": None, "q3": None, "q4": QUERIES[1]["text"]}
    titled = recsql.differences(RUNS, QRELS, metrics, 3, items=corpus, **settings).to_pylist()
    assert next(row["titles"] for row in titled if row["query-id"] == "q1") == "Refunds & users, returns"
    command = ["compare", *RUNS, QRELS, "-k", "3", "-m", ",".join([*([metrics] if isinstance(metrics, str) else metrics)])]
    command += ["--baseline", "bm25", "--texts", texts, "--names", "beir"]
    assert main([*command, "--worst", "1"]) == 0
    assert re.search(
        r"\nmodel  baseline  query-id  text  .*\n.*\ndense  bm25      q4        Which items can", capsys.readouterr().out
    )
    assert main(command) == 1
    assert capsys.readouterr().err.startswith("recsql: --texts: compare shows texts beside the users of --worst; give that")


def test_the_cases_of_a_report_have_them(texts: str, corpus: str, tmp_path: Path) -> None:
    html = recsql.report(RUNS, QRELS, "ndcg", 10, texts=texts, items=corpus, names="beir").html
    assert f"<p>{LONG[:104].replace('<', '&lt;').replace('>', '&gt;')}" in html
    assert "<b>sending" not in html
    [shown] = re.findall(r"<p>(How do I.*)</p>", html)
    assert len(unescape(shown)) == 160
    assert shown.endswith("\u2026")
    assert "<p>Which items can users return?</p>" in html
    assert '<li class="hit">Refunds &amp; users \u2713</li>' in html
    out = tmp_path / "page.html"
    assert main(["report", f"a={RUNS[0]}", f"b={RUNS[1]}", QRELS, "--texts", texts, "--names", "beir", "-o", str(out)]) == 0
    assert f"--texts {texts}" in out.read_text()


def test_spans_are_passages() -> None:
    of = {"user_id": ["q1", "q1"], "document": ["g.md", "g.md"]}
    recs = pa.table(of | {"start": [0, 50], "end": [50, 90], "rank": [1, 2]})
    truth = pa.table(of | {"start": [9, 60], "end": [20, 70]})
    told = ["Queries in the mean: 1. Queries with truth: 1.", "Lists have at most 2 passages; precision@3 divides by 3."]
    assert Shown.of(recsql.evaluate(recs, truth, "precision", 3)).notes == told
    asked = pa.table({"user_id": ["q1"], "text": ["Where?"]})
    assert recsql.hits(recs, truth, 2, texts=asked).select(["user_id", "text", "spans"]).to_pylist() == [
        {"user_id": "q1", "text": "Where?", "spans": "[9, 20)"},
        {"user_id": "q1", "text": "Where?", "spans": "[60, 70)"},
    ]
    html = page_text(recsql.report(recs, truth, "precision", 3, check=False, sql=False).html)
    assert "queries and passages to look at" in html
    assert not ABOUT_USERS.search(html)
