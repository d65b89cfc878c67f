"""Results as people see them from Python: printed, in a notebook, as Markdown and LaTeX.

If it fails, people read a wrong number, or a wrong name, in a printed table.
"""

import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import recsql
from recsql.cli import main
from recsql.display.shown import Shown

ROOT = Path(__file__).parents[2]
RECS = str(ROOT / "examples/movietweetings/recs.parquet")
TRUTH = str(ROOT / "examples/movietweetings/truth.parquet")
SMALL_RECS, SMALL_TRUTH = (str(ROOT / f"examples/small/{name}.csv") for name in ("ease", "truth"))
LISTS = pa.table({"model": ["a", "a", "b"], "user_id": [1, 3, 1], "item_id": [7, 7, 8], "rank": [1, 1, 1]})
RELEVANT = pa.table({"user_id": [1, 2], "item_id": [7, 8]})
KINDS = pa.table({"user_id": [1, 2], "kind": ["x", "y"]})
SMALL_SEGMENTS = "Segments with fewer than 2 users (left out): 2."


def printed(capsys: pytest.CaptureFixture[str], result: pa.Table) -> str:
    recsql.show(result)
    return capsys.readouterr().out


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("command", "result"),
    [
        (["evaluate", RECS, TRUTH, "-m", "ndcg"], lambda: recsql.evaluate(RECS, TRUTH, "ndcg")),
        (
            ["evaluate", RECS, TRUTH, "-m", "hit", "--no-recs", "skip"],
            lambda: recsql.evaluate(RECS, TRUTH, "hit", no_recs="skip"),
        ),
        (["item-metrics", RECS, "-m", "entropy"], lambda: recsql.item_metrics(RECS, "entropy")),
        (["conventions", SMALL_RECS, SMALL_TRUTH, "-m", "hit"], lambda: recsql.conventions(SMALL_RECS, SMALL_TRUTH, "hit")),
    ],
    ids=["evaluate", "users differ", "item metrics", "conventions"],
)
def test_it_prints_what_the_command_prints(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: list[str], result: object
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert callable(result)
    table = result()
    assert main(command) == 0
    from_command = capsys.readouterr().out
    assert from_command.replace("--format csv or -o FILE gives all", "the result itself has all") == printed(capsys, table)
    for kind, text in (("markdown", recsql.to_markdown(table)), ("latex", recsql.to_latex(table))):
        assert main([*command, "--format", kind]) == 0
        assert capsys.readouterr().out == f"{text}\n"


def test_worked_out_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    """Users 1 and 2 have truth; a has a hit for user 1 and a list for user 3, who has no truth; b has no hit."""
    result = recsql.evaluate(LISTS, RELEVANT, "hit", [1, 5])
    assert printed(capsys, result) == (
        "metric       a       b\n"
        "------  ------  ------\n"
        "hit@1   0.5000  0.0000\n"
        "hit@5   0.5000  0.0000\n"
        "\n"
        "Users in the mean: 2. Users with truth: 2.\n"
        "Without a list (counted as 0): 1.\n"
        "Lists without truth (left out): a 1, b 0.\n"
    )
    assert recsql.to_markdown(result).splitlines()[2] == "| hit@1 | 0.5000 | 0.0000 |"
    assert r"hit@1 & 0.5000 & 0.0000 \\" in recsql.to_latex(result).splitlines()


def test_the_rows_can_be_models(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    result = recsql.evaluate(LISTS, RELEVANT, "hit", [1, 5])
    turned = "model   hit@1   hit@5\n-----  ------  ------\na      0.5000  0.5000\nb      0.0000  0.0000\n\nUsers in the mean: 2."
    recsql.show(result, rows="models")
    assert capsys.readouterr().out.startswith(turned)
    with pytest.raises(recsql.RecsqlError, match=r"^rows: only means of metrics can be shown by model"):
        recsql.show(recsql.per_user(LISTS, RELEVANT, "hit", 1), rows="models")
    command = ["evaluate", RECS, TRUTH, "-m", "ndcg", "-k", "10"]
    for columns, rows, first in (
        ("30", [], "model    ndcg@10"),
        ("30", ["--rows", "metrics"], "metric      als    ease  itemknn     pop"),
        ("80", [], "metric      als    ease  itemknn     pop"),
        ("80", ["--rows", "models"], "model    ndcg@10"),
    ):
        monkeypatch.setenv("COLUMNS", columns)
        assert main([*command, *rows]) == 0
        assert capsys.readouterr().out.startswith(f"{first}\n")
    assert main([*command, "--rows", "models", "--format", "markdown"]) == 0
    assert capsys.readouterr().out.startswith("| model | ndcg@10 |\n| --- | ---: |\n| als | 0.0322 |\n")


def test_a_line_that_says_nothing_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    result = recsql.evaluate(LISTS.slice(0, 1).drop_columns("model"), RELEVANT.slice(0, 1), "hit", 5)
    assert printed(capsys, result).splitlines()[2:] == ["hit@5   1.0000", "", "Users in the mean: 1. Users with truth: 1."]


def test_parts_and_ratings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    part = str(tmp_path / "part.parquet")
    recsql.partial(LISTS.slice(0, 1), RELEVANT, part, "hit", 5)
    assert printed(capsys, recsql.merge(part)).splitlines()[-1] == "Without a list (counted as 0): 1."
    predictions = pa.table({"user_id": [1], "item_id": [7], "rating": [3.0], "prediction": [2.0]})
    shown = printed(capsys, recsql.evaluate_ratings(predictions, metrics="mae")).splitlines()
    assert [line.split() for line in (shown[0], shown[2])] == [
        ["model", "metric", "value", "pairs", "users", "missing", "unmatched_predictions", "unmatched_ratings"],
        ["mae", "1.0000", "1", "1", "0", "0", "0"],
    ]


def test_a_metric_of_the_whole_list_has_no_cut_off(capsys: pytest.CaptureFixture[str]) -> None:
    """Where k is NULL, in the table of evaluate and in that of conventions."""
    result = recsql.evaluate(LISTS, RELEVANT, "hit", 5)
    whole = result.set_column(2, "k", pa.nulls(result.num_rows, pa.int32()))
    assert printed(capsys, whole).splitlines()[2].split() == ["hit", "0.5000", "0.0000"]
    compared = recsql.conventions(LISTS, RELEVANT, "hit", 5)
    at = compared.column_names.index("k")
    assert printed(capsys, compared.set_column(at, "k", pa.nulls(compared.num_rows, pa.int32()))).splitlines()[0].split() == [
        "model", "preset", "hit",
    ]  # fmt: skip


def test_rows_without_their_metadata(capsys: pytest.CaptureFixture[str]) -> None:
    """A result that has been elsewhere has no metadata, and so no lines under the table; some of the rows do."""
    result = recsql.evaluate(LISTS, RELEVANT, ["hit", "rr"], 5)
    bare = result.filter(pc.equal(result["metric"], "rr")).replace_schema_metadata(None)
    assert printed(capsys, bare).splitlines()[2:] == ["rr@5    0.5000  0.0000"]
    assert printed(capsys, result.filter(pc.equal(result["model"], "a"))).splitlines()[2].split() == ["hit@5", "0.5000"]


def test_many_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """The first 40 rows and how many more there are; Markdown has all."""
    rows = pa.table({"user_id": range(50)})
    shown = printed(capsys, rows).splitlines()
    assert shown[-2:] == ["     39", "... and 10 more rows: the result itself has all"]
    assert recsql.to_markdown(rows).splitlines()[-1] == "| 49 |"
    html = Shown.of(rows)._repr_html_()
    assert html.count("<tr>") == 41
    assert html.endswith("<p>... and 10 more rows: the result itself has all</p>")


class Page(HTMLParser):
    """The text of each element, and the tags that a page has."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, _: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts += [data] if data.strip() else []


def test_html_escapes_names() -> None:
    name = "<script>alert('x')</script>&amp;\"\n<b>"
    named = LISTS.set_column(0, "model", pa.array([name, name, "b"]))
    result = recsql.evaluate(named, RELEVANT, "hit", 5)
    page = Page(Shown.of(result)._repr_html_())
    assert set(page.tags) == {"table", "thead", "tbody", "tr", "th", "td", "p"}
    shown = name.replace("\n", " ")
    assert page.texts == [
        *("metric", shown, "b", "hit@5", "0.5000", "0.0000"),
        "Users in the mean: 2. Users with truth: 2.",
        "Without a list (counted as 0): 1.",
        f"Lists without truth (left out): {shown} 1, b 0.",
    ]


def test_conventions_as_html() -> None:
    """The values and their reasons are a table each."""
    page = Page(Shown.of(recsql.conventions(LISTS, RELEVANT, "hit", 5))._repr_html_())
    assert page.tags.count("table") == 2
    assert "because" in page.texts


def test_a_notebook_gets_an_object_that_shows_itself(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """IPython's display is asked where a session of it runs, and not where it is only imported."""
    result = recsql.evaluate(LISTS, RELEVANT, "hit", 5)
    displayed: list[Shown] = []
    ipython, display = ModuleType("IPython"), ModuleType("IPython.display")
    vars(display)["display"] = displayed.append
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    vars(ipython)["get_ipython"] = lambda: None
    assert printed(capsys, result).startswith("metric")
    assert displayed == []
    vars(ipython)["get_ipython"] = object
    assert printed(capsys, result) == ""
    [report] = displayed
    assert "<td" in report._repr_html_()
    assert repr(report).splitlines()[2] == "hit@5   0.5000  0.0000"


def test_a_notebook_shows_results_and_leaves_other_tables_alone() -> None:
    """The formatter of a session that runs before recsql is imported."""
    text = """
import sys
from types import ModuleType, SimpleNamespace
import pyarrow as pa
made = {}
html = SimpleNamespace(for_type=lambda kind, function: made.update({kind: function}))
sys.modules["IPython"] = ModuleType("IPython")
formatter = SimpleNamespace(formatters={"text/html": html})
sys.modules["IPython"].get_ipython = lambda: SimpleNamespace(display_formatter=formatter)
import recsql
rows = pa.table({"user_id": [1], "item_id": [7], "rank": [1]})
assert "<td" in made[pa.Table](recsql.evaluate(rows, rows.drop_columns("rank"), "hit", 5))
assert made[pa.Table](rows) is None
"""
    subprocess.run([sys.executable, "-c", text], check=True)


def test_wide_has_a_column_per_metric() -> None:
    found = recsql.wide(recsql.evaluate(LISTS, RELEVANT, ["hit", "hit@all", "MRR"], 5))
    assert found.to_pylist() == [
        {"model": "a", "hit@5": 0.5, "hit": 0.5, "MRR@5": 0.5},
        {"model": "b", "hit@5": 0.0, "hit": 0.0, "MRR@5": 0.0},
    ]
    sliced = recsql.wide(
        recsql.evaluate(LISTS, RELEVANT, "hit", 5, by="half", segments=pa.table({"user_id": [1], "half": ["x"]}))
    )
    assert sliced.column_names == ["model", "slice", "segment", "hit@5"] and sliced.num_rows > 2
    assert recsql.wide(recsql.compare(LISTS, RELEVANT, "hit", 5)).column_names == ["model", "baseline", "hit@5"]
    with pytest.raises(recsql.RecsqlError, match=r"^result: it has no row per metric; give the table that recsql\.evaluate"):
        recsql.wide(LISTS)


def test_values_as_a_mapping() -> None:
    """Of one model by metric, for a tracker of experiments; of several by model."""
    alone = recsql.evaluate(LISTS.filter(pc.equal(LISTS["model"], "a")), RELEVANT, ["hit", "rr"], [1, 5])
    assert recsql.to_dict(alone) == {"hit@1": 0.5, "hit@5": 0.5, "rr@1": 0.5, "rr@5": 0.5}
    assert recsql.to_dict(recsql.evaluate(LISTS.drop_columns("model").slice(1), RELEVANT, "hit@5")) == {"hit@5": 0.0}
    assert recsql.to_dict(recsql.evaluate(LISTS, RELEVANT, "hit@5")) == {"a": {"hit@5": 0.5}, "b": {"hit@5": 0.0}}
    options = recsql.evaluate(LISTS.slice(2), RELEVANT, ["hit@5", "ap(denominator=k)@5", "hit@all"])
    assert recsql.to_dict(options, plain=True) == {"hit_at_5": 0.0, "ap_denominator_k_at_5": 0.0, "hit": 0.0}  # as MLflow wants
    sliced = recsql.evaluate(LISTS, RELEVANT, "hit@5", by="kind", segments=KINDS)
    assert recsql.to_dict(sliced)["a/kind/x"] == {"hit@5": 1.0}
    with pytest.raises(recsql.RecsqlError, match=r"^result: it has no row per metric; give the table that recsql\.evaluate"):
        recsql.to_dict(LISTS)


def test_models_are_sorted_and_the_best_value_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    lists = pa.table({"model": [*"abbc"], "user_id": [1, 1, 1, 1], "item_id": [6, 6, 7, 7], "rank": [1, 1, 2, 1]})
    result = recsql.evaluate(lists, RELEVANT, ["hit", "rr", "miss_rate", "hits"], 5)
    recsql.show(result, sort="rr@5")
    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == [
        "model    hit@5     rr@5  miss_rate@5   hits@5",
        "-----  -------  -------  -----------  -------",
        "c      ^0.5000  ^0.5000      ^0.5000  ^0.5000",
        "b      ^0.5000   0.2500      ^0.5000  ^0.5000",
        "a       0.0000   0.0000       1.0000   0.0000",
    ]
    assert lines[6] == "^ the best value of its metric. The models are sorted by rr@5."
    recsql.show(result, sort="miss_rate@5")
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[2:5]] == ["b", "c", "a"]
    recsql.show(recsql.evaluate(lists, RELEVANT, "hit", 5, interval=0.9), "models", sort="hit@5")
    assert "^0.5000 [" in capsys.readouterr().out


def test_what_can_not_be_sorted() -> None:
    result = recsql.evaluate(LISTS, RELEVANT, ["hit", "rr"], 5)
    with pytest.raises(recsql.RecsqlError, match=r"^sort: there is no 'hit@6' in this result; choose one of hit@5, rr@5$"):
        recsql.show(result, sort="hit@6")
    for other in (
        recsql.compare(LISTS, RELEVANT, "hit", 5),
        recsql.evaluate(LISTS, RELEVANT, "hit", 5, by="kind", segments=KINDS),
    ):
        with pytest.raises(recsql.RecsqlError, match=r"^sort: only means of metrics, without slices, folds and data sets, "):
            recsql.show(other, sort="hit@5")


def test_the_command_sorts_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", RECS, TRUTH, "-m", "ndcg", "-k", "10", "--sort", "ndcg@10"]) == 0
    shown = capsys.readouterr().out
    recsql.show(recsql.evaluate(RECS, TRUTH, "ndcg", 10), sort="ndcg@10")
    assert capsys.readouterr().out == shown and shown.splitlines()[2].split() == ["pop", "^0.0472"]
    assert main(["evaluate", RECS, TRUTH, "-m", "ndcg", "-k", "10", "--sort", "ndcg"]) == 1
    assert capsys.readouterr().err == "recsql: --sort: there is no 'ndcg' in this result; choose one of ndcg@10\n"


def test_many_models_are_rows_in_a_notebook() -> None:
    names = [f"model {n}" for n in range(30)]
    rows = {"model": names, "user_id": [1] * 30, "item_id": [7] * 30, "rank": [1] * 30}
    many = recsql.evaluate(pa.table(rows), RELEVANT, ["hit", "rr"], 5)
    assert Page(Shown.of(many)._repr_html_()).texts[:6] == ["model", "hit@5", "rr@5", "model 0", "0.5000", "0.5000"]
    assert Page(Shown.of(many).with_rows("metrics")._repr_html_()).texts[:2] == ["metric", "model 0"]
    assert Page(Shown.of(recsql.evaluate(LISTS, RELEVANT, "hit", 5))._repr_html_()).texts[:2] == ["metric", "a"]


def test_what_is_no_result() -> None:
    for function in (recsql.show, recsql.to_markdown, recsql.to_latex):
        with pytest.raises(
            recsql.RecsqlError, match=r"^result: dict is not a result; give the table that recsql.evaluate returns$"
        ):
            function({"metric": ["hit"]})


LENGTHS = "Items in the longest list: a 2, b 1"


@pytest.mark.parametrize(
    ("models", "asked", "line"),
    [
        (["b"], {"metrics": "precision", "k": [1, 5]}, "Lists have at most 1 item; precision@5 divides by 5."),
        (["a", "b"], {"metrics": "precision", "k": 2}, f"{LENGTHS}; precision@2 divides by 2."),
        (["a", "b"], {"metrics": ["precision", "f1", "ndcg@9"], "k": 3}, f"{LENGTHS}; precision@3 and f1@3 divide by 3."),
        (["a", "b"], {"metrics": ["precision@4", "mean_precision@3"]}, f"{LENGTHS}; precision@4 divides by 4."),
        (["a"], {"metrics": "ap(denominator=k)@7"}, "Lists have at most 2 items; ap(denominator=k)@7 divides by 7."),
        (["a", "b"], {"metrics": "precision", "k": 1}, None),
        (["a", "b"], {"metrics": ["recall", "ndcg(ideal=constant)"], "k": 9}, None),
        (["a", "b"], {"metrics": ["precision(denominator=returned)@9", "recall@all"]}, None),
        (["a", "b"], {"metrics": "precision", "k": 9, "like": "returned"}, None),
    ],
)
def test_lists_shorter_than_what_a_metric_divides_by(models: list[str], asked: dict[str, Any], line: str | None) -> None:
    lists = pa.table({"model": ["a", "a", "b"], "user_id": [1, 1, 1], "item_id": [7, 9, 8], "rank": [1, 2, 1]})
    found = Shown.of(recsql.evaluate(lists.filter(pc.is_in(lists["model"], pa.array(models))), RELEVANT, **asked)).notes
    assert [one for one in found if "divide" in one] == ([line] if line else [])


TIED = "; ties='expected' averages over their orders."


def scored(tied: dict[str, int], lists: int = 20) -> pa.Table:
    """Lists of three items, of which some have equal scores at ranks 2 and 3, of each model."""
    scores = {model: [[3.0, 2.0, 2.0 if user < count else 1.0] for user in range(lists)] for model, count in tied.items()}
    rows = [(model, user, item, one[item]) for model, of in scores.items() for user, one in enumerate(of) for item in range(3)]
    return pa.Table.from_pylist([dict(zip(("model", "user_id", "item_id", "score"), row, strict=True)) for row in rows])


@pytest.mark.parametrize(
    ("tied", "asked", "line"),
    [
        ({"bm25": 1}, {"k": 2}, None),  # 5 % of the lists
        ({"bm25": 2}, {"k": 2}, "Tied scores at the cut: bm25 2 of 20 lists"),
        ({"bm25": 2, "dense": 1, "pop": 20}, {"k": 2}, "Tied scores at the cut: bm25 2 of 20 lists, pop 20 of 20 lists"),
        ({"bm25": 2}, {"k": [1, 2, 3]}, "Tied scores at the cut: bm25 2 of 20 lists"),
        ({"bm25": 2}, {"k": [1, 3]}, None),  # the tied items are on one side of each cut-off
        ({"bm25": 2}, {"k": "all"}, None),
        ({"bm25": 2}, {"k": 2, "order": "asc"}, None),
        ({"bm25": 2}, {"k": 1, "order": "asc"}, "Tied scores at the cut: bm25 2 of 20 lists"),
        ({"bm25": 2}, {"k": 2, "duplicates": "first"}, "Tied scores at the cut: bm25 2 of 20 lists"),
        ({"bm25": 2}, {"k": 2, "like": "trec_eval"}, "Tied scores at the cut: bm25 2 of 20 lists"),
        ({"bm25": 2}, {"k": 2, "ties": "expected"}, None),
        ({"bm25": 2}, {"k": 2, "ties": "best"}, None),
    ],
)
def test_ties_at_a_cutoff_are_told(tied: dict[str, int], asked: dict[str, Any], line: str | None) -> None:
    truth = pa.table({"user_id": [*range(20)], "item_id": [0] * 20})
    found = recsql.evaluate(scored(tied), truth, "ndcg", **asked)
    assert [one for one in Shown.of(found).notes if "Tied" in one] == ([line + TIED] if line else [])


def test_lists_with_ranks_have_no_ties_at_a_cutoff() -> None:
    lists = scored({"bm25": 20}).append_column("rank", [[1, 2, 3] * 20])
    truth = pa.table({"user_id": [*range(20)], "item_id": [0] * 20})
    assert not [one for one in Shown.of(recsql.evaluate(lists, truth, "ndcg", 2)).notes if "Tied" in one]
    told = Shown.of(recsql.evaluate(lists, truth, "ndcg", 2, rank_by="score", judged_only="true")).notes
    assert not [one for one in told if "Tied" in one]  # one item of each list is judged
    told = Shown.of(recsql.evaluate(lists, truth, "ndcg", 2, rank_by="score")).notes
    assert [one for one in told if "Tied" in one] == [f"Tied scores at the cut: bm25 20 of 20 lists{TIED}"]


def test_markdown_and_latex_have_the_lines_below_the_table() -> None:
    """Who is in the mean, the level of the intervals and few users; an asterisk is none of Markdown's."""
    result = recsql.evaluate(LISTS, RELEVANT, "hit", 1, interval=0.9)
    told = [*Shown.of(result).notes]
    assert told[:2] == ["Users in the mean: 2. Users with truth: 2.", "Without a list (counted as 0): 1."]
    assert "Intervals: 90 %." in told and told[-1].startswith("* few users: ")
    assert recsql.to_markdown(result).split("\n\n")[1:] == [*told[:-1], rf"\{told[-1]}"]
    assert recsql.to_latex(result).splitlines()[-len(told) - 1 :] == [r"\end{tabular}", *(f"% {line}" for line in told)]
    one_sided = recsql.compare(
        LISTS, RELEVANT, "hit", 1, baseline="b", alternative="less", by="kind", min_users=2, segments=KINDS
    )
    for line in ("p: paired t test, difference < 0, one comparison. Intervals: 95 %, not adjusted.", SMALL_SEGMENTS):
        assert line in recsql.to_markdown(one_sided).split("\n\n")
        assert f"% {line}" in recsql.to_latex(one_sided).splitlines()


def test_of_many_models_a_line_has_the_least_and_the_most(capsys: pytest.CaptureFixture[str]) -> None:
    """Thirty models of a sweep: the m-th has lists for the first m users of 30, of which the last five have no truth."""
    users = [f"u{n:02}" for n in range(1, 31)]
    truth = {user: {"a": 1} for user in users[:25]}
    models = {f"m{m:02}": {user: {"a": 1.0, "b": 1.0} for user in users[:m]} for m in range(1, 31)}
    recs = {name: {"user_id": [*lists], "items": [[*one] for one in lists.values()]} for name, lists in models.items()}
    result = recsql.evaluate({name: pa.table(one) for name, one in recs.items()}, truth, "hit@1")
    assert printed(capsys, result).splitlines()[-3:] == [
        "Users in the mean: 25. Users with truth: 25.",
        "Without a list (counted as 0): 0 (m25) to 24 (m01).",
        "Lists without truth (left out): 0 (m01) to 5 (m30).",
    ]
    tied = recsql.evaluate(models, truth, "hit@1", findings="off")
    *_, last = printed(capsys, tied).splitlines()
    assert last.startswith("Tied scores at the cut: m01 1 of 1 lists, ") and ", m12 12 of 12 lists, and 18 more; " in last
