"""The page in a browser. If it fails, the page shows other numbers than the command line, or sends something somewhere."""

import functools
import gzip
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.catalog.grammar import Cutoffs
from tests.page.chromium import EXAMPLES, Case, Server, serving, shown
from tests.support import fetched

pytestmark = [
    pytest.mark.page,
    pytest.mark.skipif("RECSQL_PAGE" not in os.environ, reason="RECSQL_PAGE names no folder with the page"),
]
FILMS = ("movietweetings/recs.parquet", "movietweetings/truth.parquet")
RUNS = ("search/bm25.run", "search/dense.run", "search/qrels.txt")
LISTS = [("q1", "d1", 1, 3.5), ("q1", "d2", 2, 2.25), ("q1", "d3", 3, 1.0), ("q2", "d2", 1, 3.0), ("q2", "d9", 2, 1.0)]
ODD = "it's $&.v1.json"  # the name of a file
LARGE = [2**53, 2**53 + 1]  # ids
TRUTH = [("q1", "d2", 2), ("q1", "d4", 1), ("q2", "d9", 1)]
KEYED = {user: {item: x for one, item, x in TRUTH if one == user} for user in ("q1", "q2")}
REFUSED = {  # by case: lists, truth, metrics, k, the areas that show the sentence, the sentence
    "no order": (
        "truth.csv",
        "qrels.csv",
        "ndcg",
        "10",
        ["drop-recs"],
        "there is no column rank or score; it has user_id, item_id",
    ),
    "no item": (
        "lists.csv",
        "bad.csv",
        "ndcg",
        "10",
        ["drop-truth"],
        "there is no column item_id; did you mean user_id? it has user_id, thing",
    ),
    "no metric": ("lists.csv", "qrels.csv", "ndcgg", "10", [], "unknown metric 'ndcgg'; did you mean ndcg?"),
    "no k": ("lists.csv", "qrels.csv", "ndcg", "0", [], "k: a cut-off is a whole number from 1 to 1000000, or all; found 0"),
    "no Parquet": ("broken.parquet", "qrels.csv", "ndcg", "10", ["drop-recs"], "it can't be read as Parquet"),
    "empty": ("empty.csv", "qrels.csv", "ndcg", "10", ["drop-recs"], "empty.csv: the file is empty"),
    "no rows": ("lists.csv", "none.json", "ndcg", "10", ["drop-truth"], "none.json: it has no rows"),
    "a short line": ("short.run", "qrels.csv", "ndcg", "10", ["drop-recs"], "short.run: a line of a run is topic, Q0"),
    "too many": ("many.parquet", "qrels.csv", "ndcg", "10", ["drop-recs"], "this page reads 5 million; use the command line"),
}


def made(folder: Path) -> dict[str, tuple[str, str]]:
    """Writes the same lists and truth in each format; gives the files of each case."""
    recs = pa.table(list(zip(*LISTS, strict=True)), ["user_id", "item_id", "rank", "score"])
    truth = pa.table(list(zip(*TRUTH, strict=True)), ["user_id", "item_id", "relevance"])
    pq.write_table(recs, folder / "lists.parquet", compression="zstd")
    pq.write_table(truth, folder / "truth.parquet", compression="snappy")
    lines = "".join(f"{user},{item},{rank}\n" for user, item, rank, _ in LISTS)
    (folder / "lists.csv").write_text(f"user_id,item_id,rank\n{lines}", encoding="utf-8")
    (folder / "lists.csv.gz").write_bytes(gzip.compress(f"Query,doc_id,Rank\n{lines}".encode()))
    (folder / "truth.jsonl").write_text("\n".join(map(json.dumps, truth.to_pylist())), encoding="utf-8")
    by_user = {user: {item: score for one, item, _, score in LISTS if one == user} for user in KEYED}
    (folder / "scores.json").write_text(json.dumps(by_user), encoding="utf-8")
    (folder / "ranked.json").write_text(json.dumps({user: [*items] for user, items in by_user.items()}), encoding="utf-8")
    (folder / "qrels.json").write_text(json.dumps(KEYED), encoding="utf-8")
    rows = "".join(f"{user}\t{item}\t{x}\n" for user, item, x in TRUTH)
    (folder / "qrels.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}", encoding="utf-8")
    (folder / "qrels.csv").write_text("user_id,item_id,relevance\n" + rows.replace("\t", ","), encoding="utf-8")
    (folder / "truth.csv").write_text("user_id,item_id\nq1,d2\n", encoding="utf-8")
    (folder / "others.csv").write_text("user_id,item_id\nq7,d2\n", encoding="utf-8")
    (folder / "bad.csv").write_text("user_id,thing\nq1,d2\n", encoding="utf-8")
    (folder / "empty.csv").touch()
    (folder / "none.json").write_text("{}", encoding="utf-8")
    (folder / "short.run").write_text("q1 Q0 d1 1 2.5 a\nq1 Q0 d2 2 b\n", encoding="utf-8")
    shutil.copy(folder / "ranked.json", folder / ODD)
    for name, items in {"large": LARGE[::-1], "large_truth": LARGE}.items():
        pq.write_table(pa.table([LARGE, items, [1, 1]], ["user_id", "item_id", "rank"]), folder / f"{name}.parquet")
    (folder / "broken.parquet").write_bytes(b"PAR1 and nothing else")
    many = pa.array([1]).take(pa.repeat(0, 5_000_001))
    pq.write_table(pa.table([many] * 3, ["user_id", "item_id", "rank"]), folder / "many.parquet")
    for name in ("one", "two"):
        lists = reversed(LISTS) if name == "two" else LISTS
        lines = "".join(f"{user} Q0 {item} {n} {9 - n} same\n" for n, (user, item, _, _) in enumerate(lists))
        (folder / f"{name}.run").write_text(lines, encoding="utf-8")
    return {
        "Parquet": ("lists.parquet", "truth.parquet"),
        "CSV and lines of JSON": ("lists.csv", "truth.jsonl"),
        "other names, compressed, and BEIR": ("lists.csv.gz", "qrels.tsv"),
        "scores by query": ("scores.json", "qrels.json"),
        "lists by query": ("ranked.json", "qrels.csv"),
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("given")
    for name in ("movietweetings", "search"):
        shutil.copytree(EXAMPLES / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def formats(folder: Path) -> Mapping[str, tuple[str, str]]:
    return made(folder)


class Elsewhere(SimpleHTTPRequestHandler):
    """Another server. It counts what it is asked."""

    asked: list[str] = []  # noqa: RUF012 - of all requests, each of which has a handler of its own

    def do_GET(self) -> None:
        self.do_HEAD()
        self.wfile.write(b"x\n1\n")

    def do_HEAD(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", "4")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing."""


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    server = Server(os.environ["RECSQL_PAGE"], folder)
    with serving(server):
        yield server


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("profile"))


@pytest.fixture(scope="module")
def found(server: Server, profile: str, formats: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """What the page shows for every case; all are asked in one page."""
    cases: list[Case] = [
        {"name": "films", "recs": FILMS[:1], "truth": FILMS[1], "metrics": "ndcg, recall, rr", "k": "5, 10", "users": True},
        {"name": "als", "recs": FILMS[:1], "truth": FILMS[1], "metrics": "recall", "k": "all", "baseline": "als"},
        {"name": "runs", "recs": RUNS[:2], "truth": RUNS[2], "metrics": "ndcg", "k": "3", "users": True},
        {"name": "one tag", "recs": ["one.run", "two.run"], "truth": "qrels.tsv", "metrics": "ndcg", "k": "10"},
        {"name": "odd name", "recs": [ODD], "truth": "qrels.csv", "metrics": "ndcg", "k": "2"},
        {
            "name": "large ids",
            "recs": ["large.parquet"],
            "truth": "large_truth.parquet",
            "metrics": "mrr",
            "k": "1",
            "users": True,
        },
    ]
    cases += [{"name": "void", "recs": ["lists.csv"], "truth": "others.csv", "metrics": "ndcg", "k": "10"}]
    cases += [
        {"name": name, "recs": [recs], "truth": truth, "metrics": "ndcg, ap", "k": "2"} for name, (recs, truth) in formats.items()
    ]
    cases += [{"name": name, "recs": [one[0]], "truth": one[1], "metrics": one[2], "k": one[3]} for name, one in REFUSED.items()]
    other = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Elsewhere))
    with serving(other):
        return shown(server, cases, profile, foreign=f"http://127.0.0.1:{other.server_port}/")


@pytest.fixture(scope="module")
def offline(found: Mapping[str, Any], server: Server, profile: str) -> dict[str, Any]:
    """The page on a phone, after its first visit, while its server answers nothing."""
    server.off = True
    server.asked.clear()
    return shown(
        server, [{"name": "films", "recs": FILMS[:1], "truth": FILMS[1], "metrics": "ndcg", "k": "10"}], profile, width=390
    )


@pytest.fixture
def serial() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that sums in the order of the browser's, which has one thread."""
    with duckdb.connect(config={"threads": 1}) as con:
        yield con


near = functools.partial(pytest.approx, rel=1e-12, abs=0)


def paths(*names: str) -> list[str]:
    return [str(EXAMPLES / name) for name in names]


def exactly(cell: Mapping[str, Any]) -> float:
    return float(cell["v"])


def values(shown: Mapping[str, Any]) -> dict[tuple[str, str], tuple[float, ...]]:
    """The values with their intervals and users, by model and metric."""
    rows = shown["tables"]["models"][-1]
    return {
        (model["text"], label["text"]): (exactly(value), exactly(ends), float(ends["high"]), int(exactly(users)))
        for model, label, value, ends, users in rows
    }


@pytest.mark.parametrize("name", ["films", "runs"])
def test_values_are_those_of_the_command_line(found: Mapping[str, Any], serial: duckdb.DuckDBPyConnection, name: str) -> None:
    """Bit for bit: the means, both ends of each interval, and the users."""
    recs, truth = (paths(*RUNS[:2]), *paths(RUNS[2])) if name == "runs" else paths(*FILMS)
    metrics, k = (["ndcg"], [3]) if name == "runs" else (["ndcg", "recall", "rr"], [5, 10])
    rows = recsql.evaluate(recs, truth, metrics, k, interval=0.95, connection=serial).to_pylist()
    expected = {
        (row["model"], f"{row['metric']}@{row['k']}"): (row["value"], row["low"], row["high"], row["users"]) for row in rows
    }
    assert values(found[name]) == expected
    assert len(expected) == {"films": 24, "runs": 2}[name]


@pytest.mark.parametrize(
    ("name", "metric", "k", "baseline"),
    [("films", "ndcg", 5, "pop"), ("als", "recall", "all", "als"), ("runs", "ndcg", 3, "dense")],
)
@pytest.mark.filterwarnings("ignore:.*lists for different users")
def test_comparisons_are_those_of_the_command_line(
    found: Mapping[str, Any], serial: duckdb.DuckDBPyConnection, name: str, metric: str, k: Cutoffs, baseline: str
) -> None:
    recs, truth = (paths(*RUNS[:2]), *paths(RUNS[2])) if name == "runs" else paths(*FILMS)
    rows = recsql.compare(recs, truth, metric, k, baseline=baseline, connection=serial).to_pylist()
    shown = {
        model["text"]: (exactly(difference), exactly(ends), float(ends["high"]), exactly(p), exactly(adjusted), wins["v"])
        for model, _, difference, ends, p, adjusted, wins in found[name]["tables"]["models"][1]
    }
    assert shown == {
        row["model"]: (
            *(row[one] for one in ("difference", "low", "high", "p", "p_adjusted")),
            f"{row['wins']} {row['ties']} {row['losses']}",
        )
        for row in rows
    }


def test_findings_are_those_of_check(found: Mapping[str, Any]) -> None:
    rows = recsql.check(*paths(*FILMS), k=5).to_pylist()
    kinds = list(dict.fromkeys((row["severity"], row["finding"]) for row in rows))
    assert [text.startswith(" ".join(kind)) for text, kind in zip(found["films"]["findings"], kinds, strict=True)] == [
        True
    ] * len(kinds)
    for row in rows:
        [text] = [text for text in found["films"]["findings"] if text.startswith(f"{row['severity']} {row['finding']}")]
        assert f"{row['count']:,}" in text, row
    severe = [sum(row["severity"] == kind for row in rows) for kind in ("error", "warning")]
    assert found["films"]["facts"] == ["4", "2,680", *map(str, severe)]


def test_an_error_in_the_data_stands_in_place_of_a_verdict(found: Mapping[str, Any], folder: Path) -> None:
    """In the words of the report."""
    shown = found["void"]
    lists, truth = (str(folder / name) for name in ("lists.csv", "others.csv"))
    assert shown["headline"] == recsql.report(lists, truth, "ndcg", 10, conventions=False, out=None).verdict.headline
    assert (shown["state"], shown["headline"]) == ("done", "These numbers can't be trusted: 1 error in the data.")
    assert shown["sentences"][0].startswith("no_common_users: ")
    assert shown["facts"][2] == "1"


def test_single_users_have_their_ids_and_a_metric_its_other_name(found: Mapping[str, Any]) -> None:
    """Numbers of JavaScript would make one user of two, and per_user has no column mrr."""
    assert found["large ids"]["headline"] == "The model has mrr@1 of 0.0000."
    texts = [one["text"] for one in found["large ids"]["users"]]
    assert texts == [
        f"user {user}: 0.0000the model: 0.0000{item}missed: {user}" for user, item in zip(LARGE, LARGE[::-1], strict=True)
    ]


@pytest.mark.parametrize("name", ["films", "als", "runs", "one tag", "Parquet", "odd name"])
def test_the_sql_gives_the_same_in_the_shell(
    found: Mapping[str, Any], folder: Path, serial: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """As it is shown, in the folder of the files and the macros; the last digit of a sum depends on the version of DuckDB."""
    shutil.copy(Path(os.environ["RECSQL_PAGE"]) / "recsql.duckdb", folder)
    monkeypatch.chdir(folder / {"films": "movietweetings", "als": "movietweetings", "runs": "search"}.get(name, ""))
    text = found[name]["sql"].replace("'recsql.duckdb'", f"'{folder / 'recsql.duckdb'}'")
    results = [fetched(serial, one) for one in text.split(";\n\n")]
    lines = [row["line"] for row in next(one for one in results if one and "line" in one[0])]
    assert [found[name]["headline"], *found[name]["sentences"]] == lines
    measured = next(one for one in results if one and "std_error" in one[0] and "baseline" not in one[0])
    label = {
        (row["model"] or "the model", row["metric"] if row["k"] is None else f"{row['metric']}@{row['k']}"): row
        for row in measured
    }
    expected = {key: near((row["value"], row["low"], row["high"], row["users"])) for key, row in label.items()}
    assert values(found[name]) == expected
    counted = next(one for one in results if one and "users_with_list" in one[0])
    shares = [exactly(share) for *_, share, _ in found[name]["tables"]["counted"][0]]
    assert shares == [row["share"] for row in counted]
    drawn = [exactly(one) for row in found[name]["tables"]["curve"][0] for one in row[1:]]
    whole = next(one for one in results if one and {*one[0]} == {"model", "metric", "k", "value", "users", "lists"})
    assert sorted(drawn) == near(sorted(row["value"] for row in whole))
    if name in ("films", "runs"):  # single users, the worst first
        worst = {str(row["user_id"]): row["difference"] for row in results[-1]}
        users = {one["text"].split(":")[0].removeprefix("user "): float(one["v"]) for one in found[name]["users"]}
        assert users == near(worst)
        assert [*users] == [*worst]
        assert [*users.values()] == sorted(users.values())


def test_each_format_gives_the_same(found: Mapping[str, Any], formats: Mapping[str, tuple[str, str]]) -> None:
    lists, truth = (pa.table(list(zip(*rows, strict=True)), names) for rows, names in (
        (LISTS, ["user_id", "item_id", "rank", "score"]), (TRUTH, ["user_id", "item_id", "relevance"])
    ))  # fmt: skip
    rows = recsql.evaluate(lists, truth, ["ndcg", "ap"], 2, interval=0.95).to_pylist()
    expected = {("the model", f"{row['metric']}@2"): (row["value"], row["low"], row["high"], row["users"]) for row in rows}
    for name in formats:
        assert values(found[name]) == expected, name


def test_runs_with_the_same_tag_stay_two_models(found: Mapping[str, Any]) -> None:
    assert {model for model, _ in values(found["one tag"])} == {"one", "two"}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_are_shown_at_the_file(found: Mapping[str, Any], name: str) -> None:
    *_, where, sentence = REFUSED[name]
    shown = found[name]
    assert (shown["state"], shown["wrong"], shown["headline"]) == ("failed", where, "These tables can't be evaluated.")
    assert sentence in shown["sentences"][0]
    for one in where:
        assert sentence in shown["told"][one == "drop-truth"]


def test_nothing_leaves_the_page(found: Mapping[str, Any], server: Server) -> None:
    """Neither the page nor its worker can ask another server, and neither asks one by itself."""
    assert found["foreign"]["blocked"]
    assert "x.csv" in found["foreign"]["answer"] and "Error" in found["foreign"]["answer"]
    assert Elsewhere.asked == []
    assert all(one.startswith((server.address, "blob:")) for one in found["requests"]), found["requests"]
    assert len(found["requests"]) > 5


def test_without_a_network(offline: Mapping[str, Any], found: Mapping[str, Any], server: Server) -> None:
    """After the first visit, the page starts and evaluates although its server answers nothing."""
    assert {*server.asked} <= {"/", "/offline.js"}  # Chromium looks for newer ones, and gets no answer
    assert offline["films"]["state"] == "done"
    assert values(offline["films"]).items() <= values(found["films"]).items()


def test_it_can_be_read_and_operated(offline: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    """At 1,200 and 390 px nothing is cut; each field has a label, and each can be reached with a keyboard."""
    assert found["layout"] == offline["layout"] == {"overflow": 0, "wide": [], "unnamed": [], "unreachable": []}


def test_what_is_saved_has_no_script(found: Mapping[str, Any]) -> None:
    saved = found["saved"]
    assert "<script" not in saved and "<form" not in saved and "<link" not in saved
    assert "content=\"default-src 'none'; style-src 'unsafe-inline'\"" in saved


def test_its_size_over_the_wire() -> None:
    """At most 8 MB with gzip, which every server has."""
    folder = Path(os.environ["RECSQL_PAGE"])
    files = [one for one in folder.iterdir() if one.is_file()]
    assert sum(len(gzip.compress(one.read_bytes(), 6)) for one in files) < 8e6
    assert {one.name for one in files} >= {"index.html", "page.js", "decode.js", "duckdb-eh.wasm", "recsql.duckdb", "NOTICE"}
