"""The report. If it fails, somebody ships the wrong model, or reads a number that no function returned."""

import re
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.calls import conventions as of_presets
from recsql.cli import main
from recsql.display.comparison import pairs_of
from recsql.page.evidence import Evidence
from recsql.page.verdict import judge, origin
from recsql.query.results import metadata_of
from tests.calls.comparisons import result
from tests.calls.comparisons import row as row_of

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/movietweetings"
RECS, TRUTH, ITEMS = (str(EXAMPLE / f"{name}.parquet") for name in ("recs", "truth", "items"))
Hits = Callable[[int], bool | None]  # whether a user's list begins with the relevant item; None: the user has no list


def lists(users: int, **models: Hits) -> pa.Table:
    """Lists of five items for each model, of which only the first can be relevant."""
    rows = [
        {"model": model, "user_id": user, "item_id": f"t{user}" if rank == 1 and hit else f"{model}{user}x{rank}", "rank": rank}
        for model, hits in models.items()
        for user in range(users)
        if (hit := hits(user)) is not None
        for rank in range(1, 6)
    ]
    return pa.Table.from_pylist(rows)


def truth_of(users: int) -> pa.Table:
    return pa.table({"user_id": range(users), "item_id": [f"t{user}" for user in range(users)]})


def made(users: int, models: Mapping[str, Hits], **settings: Any) -> recsql.Page:
    given: dict[str, Any] = {
        "metrics": "hit",
        "k": 5,
        "conventions": False,
        "sql": False,
        "check": False,
        "cases": 0,
        "out": None,
    }
    given |= settings
    return recsql.report(lists(users, **models), truth_of(users), **given)


def half(user: int) -> bool:
    return user % 2 == 0


def other_half(user: int) -> bool:
    return user % 2 == 1 or user == 0


def quarter(user: int) -> bool:
    return user % 4 == 0


def eighth(user: int) -> bool:
    return user % 8 == 0


NOISY = [user for user in range(100) if user % 4 in (2, 3)][:31]
VERDICTS: dict[str, tuple[int, dict[str, Hits], dict[str, Any], str, list[str]]] = {
    "better than all": (
        400,
        {"new": half, "other": quarter, "old": eighth},
        {"baseline": "old"},
        "new is the best model on hit@5.",
        ["new is better than old on hit@5 by 0.3750", "other is worse than new on hit@5 by 0.2500"],
    ),
    "too close to call": (
        400,
        {"new": half, "other": other_half, "old": eighth},
        {"baseline": "old"},
        "other and new are too close to call on hit@5. Both beat old.",
        ["No difference found between new and other on hit@5"],
    ),
    "nobody beats the baseline": (
        400,
        {"new": quarter, "old": half, "other": eighth},
        {"baseline": "old"},
        "No model beats old.",
        ["The closest: new is worse than old on hit@5 by 0.2500"],
    ),
    "nobody is shown to": (
        400,
        {"new": half, "old": other_half},
        {"baseline": "old"},
        "No model is shown to beat old.",
        ["No difference found between new and old on hit@5"],
    ),
    "another model than the best one beats the baseline": (
        400,
        {"old": quarter, "steady": lambda user: quarter(user) or user % 20 == 1, "noisy": lambda user: user % 100 in NOISY},
        {"baseline": "old"},
        "noisy and 2 other models are too close to call on hit@5. steady beats old.",
        ["steady is better than old on hit@5 by 0.0500", "No difference found between steady and noisy on hit@5"],
    ),
    "one loses and one is close": (
        400,
        {"old": half, "close": other_half, "worst": eighth},
        {"baseline": "old"},
        "No model is shown to beat old.",
        ["The closest: No difference found between close and old on hit@5"],
    ),
    "the highest mean is of other users": (
        400,
        {"few": lambda user: user % 8 != 0 if user < 100 else None, "all": lambda user: user < 100 or quarter(user)},
        {"no_recs": "skip"},
        "No model is best on hit@5: few has the highest mean, over other users.",
        ["all is better than few on hit@5 by 0.1300"],
    ),
    "from one slice": (
        400,
        {"new": lambda user: user < 200, "old": lambda user: user < 100 if user < 100 or user >= 200 else None},
        {"baseline": "old"},
        "new is the best model on hit@5.",
        ["The whole gain of new comes from the 100 users with a list of new only: +1.0000."],
    ),
    "from one slice, and the opposite in another": (
        400,
        {"new": lambda user: user % 5 < 2 or user >= 300, "old": lambda user: user % 5 < 3 if user < 300 else None},
        {"baseline": "old"},
        "new is the best model on hit@5.",
        ["with a list of new only: +1.0000. For the 300 users with a list of both, old is better: -0.2000 ["],
    ),
    "different users": (
        400,
        {"new": half, "old": lambda user: quarter(user) if user >= 40 else None},
        {"baseline": "old", "check": True},
        "new is the best model on hit@5.",
        ["The models are measured on different users: old has no list for 40 of 400 users of another model."],
    ),
    "few users": (
        30,
        {"new": half, "old": other_half},
        {"baseline": "old"},
        "No model is shown to beat old.",
        ["There are only 30 users, and the intervals may be too narrow."],
    ),
    "nothing left to win": (
        400,
        {"new": lambda user: user != 3, "old": lambda user: user != 4},
        {"check": True},
        "Nothing is left to win on hit@5.",
        ["Nearly all users have the best possible value in every model"],
    ),
    "one model": (400, {"new": half}, {}, "new has hit@5 of 0.5000.", ["There is no other model to compare it with."]),
    "no baseline": (
        400,
        {"new": half, "old": quarter},
        {},
        "new is the best model on hit@5.",
        ["old is worse than new on hit@5 by 0.2500"],
    ),
}


@pytest.mark.parametrize("case", VERDICTS)
def test_the_verdict(case: str) -> None:
    users, models, settings, headline, sentences = VERDICTS[case]
    page = made(users, models, **settings)
    assert page.verdict.headline == headline
    told = "\n".join(page.verdict.paragraphs)
    assert [one for one in sentences if one not in told] == []
    assert not page.verdict.is_void


WHOLE = result([row_of(model="new", baseline="old", metric="hit", k=5, difference=0.4, users=100, wins=60, losses=20)], "old")


@pytest.mark.parametrize(
    ("share", "part", "told"),
    [
        (0.25, 0.5, "Most of the gain of new comes"),  # half of the difference
        (0.25, 0.4999, ""),
        (0.625, 0.75, ""),  # 1.2 times its share of the users
        (0.62, 0.75, "Most of the gain of new comes"),
        (0.25, 0.95, "The whole gain of new comes"),
        (0.25, 0.9499, "Most of the gain of new comes"),
    ],
)
def test_from_when_on_a_segment_is_named(share: float, part: float, told: str) -> None:
    [whole] = pairs_of(WHOLE)
    segment = replace(whole, slice="country", segment="DE", share=share, contribution=part, users=25)
    found = origin(cast(Evidence, SimpleNamespace(slices=[replace(whole, difference=1.0), segment])))
    assert found.startswith(told) == bool(found or not told)
    assert bool(found) == bool(told)


@pytest.mark.parametrize(("users", "told"), [(199, ["There are only 199 users, and the"]), (200, [])])
def test_from_when_on_users_are_few(users: int, told: list[str]) -> None:
    found = made(users, {"new": half}).verdict.paragraphs[2:]
    assert [line[: len(told[0])] for line in found] == told


def test_errors_in_the_data_come_first() -> None:
    recs = lists(60, new=half, old=quarter)
    upper = recs.set_column(2, "item_id", pa.array([item.upper() for item in recs["item_id"].to_pylist()]))
    page = recsql.report(upper, truth_of(60), "hit", 5, conventions=False, out=None)
    assert page.verdict.headline == "These numbers can't be trusted: 2 errors in the data."
    assert page.html.index('id="data"') < page.html.index('id="models"')
    assert page.html.count('id="data"') == 1


def test_refused_tables_still_have_a_page(tmp_path: Path) -> None:
    recs = lists(60, new=half).append_column("score", pa.array([1.0] * 300))
    broken = recs.set_column(3, "rank", pa.array([None, *recs["rank"].to_pylist()[1:]], pa.int64()))
    page = recsql.report(broken, truth_of(60), "hit", 5, out=tmp_path / "report.html")
    assert page.verdict.headline == "These tables can't be evaluated."
    assert "rank is NULL for user 0" in page.verdict.paragraphs[0]
    assert (tmp_path / "report.html").read_text() == page.html
    with pytest.raises(recsql.BadInput, match="rank is NULL"):
        recsql.report(broken, truth_of(60), "hit", 5, check=False, out=None)


def test_a_model_without_a_value_comes_last() -> None:
    recs = pa.concat_tables([lists(60, new=half, old=quarter), lists(60, absent=half).slice(0, 5)])
    strangers = pa.array([*recs["user_id"].to_pylist()[:-5], *[99] * 5])
    page = recsql.report(recs.set_column(1, "user_id", strangers), truth_of(60), "hit", 5, no_recs="skip", out=None)
    assert page.evidence.ranking == ["new", "old", "absent"]
    assert page.verdict.headline == "new is the best model on hit@5."


def test_a_list_that_is_wrong_below_the_cutoffs_has_no_curve() -> None:
    recs = lists(60, new=half)
    items = [f"t{row['user_id']}" if row["rank"] == 5 else row["item_id"] for row in recs.to_pylist()]
    twice = recs.set_column(2, "item_id", pa.array(items))
    page = recsql.report(twice, truth_of(60), "hit", 3, check=False, conventions=False, out=None)
    assert page.evidence.curve is None
    assert 'id="k"' not in page.html


def test_no_input_is_replaced(tmp_path: Path) -> None:
    truth = tmp_path / "it's a.truth.parquet"
    pq.write_table(truth_of(60), truth)
    before = truth.read_bytes()
    with pytest.raises(recsql.BadInput, match=r"this file is one of the inputs; choose another output file"):
        recsql.report(lists(60, new=half), truth, "hit", 5, out=truth)
    assert truth.read_bytes() == before


class Cells(HTMLParser):
    """The numbers behind the cells of a page, and the text beside each."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.numbers: list[float] = []
        self.tables: list[list[float]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.tables.append([])
        if (value := dict(attrs).get("data-v")) not in (None, ""):
            self.tables[-1].append(float(value))
            self.numbers.append(float(value))


@pytest.fixture(scope="module")
def page() -> recsql.Page:
    """The report on the example, with everything."""
    return recsql.report(RECS, TRUTH, ["ndcg", "recall", "coverage"], 10, baseline="pop", items=ITEMS, out=None)


@pytest.fixture(scope="module")
def conventions() -> pa.Table:
    return recsql.conventions(RECS, TRUTH, "ndcg", 10)


def test_each_number_is_one_of_a_result(page: recsql.Page, conventions: pa.Table) -> None:
    metrics = ["ndcg", "recall", "coverage"]
    values = recsql.evaluate(RECS, TRUTH, metrics, 10, interval=0.95, items=ITEMS)
    compared = recsql.compare(RECS, TRUTH, metrics, 10, baseline="pop", items=ITEMS)
    cells = Cells(page.html)
    of_models, forest, every, tests, sliced = cells.tables[:5]
    assert sorted(of_models) == sorted(values["value"].to_pylist())
    ndcg = [row for row in compared.to_pylist() if row["metric"] == "ndcg"]
    assert sorted(forest) == sorted(chain(*((row["difference"], row["p_adjusted"]) for row in ndcg)))
    assert sorted(every) == sorted(chain(values["value"].to_pylist(), filter(None, values["users"].to_pylist())))
    columns = (compared[name].to_pylist() for name in ("difference", "p", "p_adjusted", "detectable"))
    assert sorted(tests) == sorted(one for one in chain(*columns) if one is not None)
    assert sum(sliced[5:20:5]) == sliced[0] == 2680  # all users, and those of the segments of the slice lists
    assert {*conventions["value"].to_pylist()} - {None} <= {*cells.numbers}
    counts = {row["finding"]: row for row in page.findings.to_pylist()} if page.findings else {}
    assert "1,228 of 2,279 lists of model pop" in page.html
    assert counts["same_list_for_many"]["count"] == 1228


def test_the_slices_are_those_of_compare(page: recsql.Page) -> None:
    segments = page.evidence.segments
    by = ["lists", "relevant items"]
    compared = recsql.compare(RECS, TRUTH, "ndcg", 10, baseline="pop", by=by, segments=segments, contributions="true")
    of_ease = [row for row in compared.to_pylist() if row["model"] == "ease"]
    wanted = [[row["users"], row["share"], row["difference"], row["p_adjusted"], row["contribution"]] for row in of_ease]
    assert Cells(page.html).tables[4] == [*chain(*wanted)]


def test_how_alike_the_lists_are(page: recsql.Page) -> None:
    values = recsql.overlap(RECS, 10)["overlap"].to_pylist()
    assert len(values) == 6
    [table] = Cells(page.html.partition('id="overlap"')[2].partition("</details>")[0]).tables
    assert sorted(table) == sorted(2 * values)


@pytest.mark.parametrize(
    ("models", "left_out", "settings", "shown"),
    [
        ({"new": half, "old": quarter}, 0, {}, True),
        ({"new": half}, 0, {}, False),
        ({"new": half, "old": quarter}, 0, {"k": "all"}, False),
        ({"new": half, "old": quarter}, 0, {"ties": "expected", "rank_by": "rank"}, False),
        ({"new": half, "old": quarter}, 2, {}, False),  # the ranks 1, 3, 4, 5
    ],
    ids=["two models", "one model", "whole lists", "ties", "a gap in the ranks"],
)
def test_lists_that_cannot_be_compared(models: Mapping[str, Hits], left_out: int, settings: dict[str, Any], shown: bool) -> None:
    recs = lists(200, **models)
    recs = recs.filter(pc.not_equal(recs["rank"], left_out))
    given: dict[str, Any] = {"k": 5, "conventions": False, "sql": False, "check": False, "cases": 0} | settings
    page = recsql.report(recs, truth_of(200), "hit", **given)
    assert ("How alike the lists are" in page.html) == shown


def test_single_users(page: recsql.Page) -> None:
    users = recsql.per_user(RECS, TRUTH, "ndcg", 10)
    for model, told in (("pop", "2,320 of 2,680 have 0"), ("ease", "2,406 of 2,680 have 0")):
        zeros = [row["ndcg"] for row in users.to_pylist() if row["model"] == model].count(0)
        assert told.startswith(f"{zeros:,} of")
        assert f"<b>{model}</b> <span>{told}</span>" in page.html
    drawn = sum(row["users"] for row in page.evidence.bins if row["bin"])
    assert drawn == sum(1 for value in users["ndcg"].to_pylist() if value)


def test_cases_have_both_lists_and_titles(page: recsql.Page) -> None:
    pairs = recsql.differences(RECS, TRUTH, "ndcg", 10, baseline="pop").to_pylist()
    both = [row for row in pairs if row["model"] == "ease" and row["list_length"] and row["baseline_list_length"]]
    worst = sorted(both, key=lambda row: (row["difference"], row["user_id"]))[:5]
    shown = re.findall(r"<summary>user (\w+): (\S+)</summary>", page.html)
    assert shown[:5] == [(str(row["user_id"]), f"{row['difference']:+.4f}") for row in worst]
    assert '<li class="hit">Man of Steel (2013) \u2713</li>' in page.html
    assert 'Elysium (2013)</th><td data-v="144">144</td><td data-v="22">22</td><td data-v="179">179</td>' in page.html


def test_a_long_list_is_cut() -> None:
    rows = [("new", "a"), *(("new", f"n{n}") for n in range(20)), ("new", "b"), ("new", "c"), ("old", "z"), ("old", "b")]
    recs = pa.table({"model": [model for model, _ in rows], "user_id": [1] * 25, "item_id": [item for _, item in rows]})
    ranked = recs.append_column("rank", pa.array([*range(1, 24), 1, 2]))
    truth = pa.table({"user_id": [1] * 23, "item_id": ["a", "b", *(f"t{n:02}" for n in range(21))]})
    page = recsql.report(ranked, truth, "recall", "all", baseline="old", out=None)
    assert len(page.evidence.of_users) == 2
    assert {pair.k for pair in page.evidence.slices} == {None}
    assert {row["k"] for row in page.evidence.conventions.to_pylist()} == {None}
    assert '<li>n18</li></ol>\n<p class="dim">and 3 more, 1 of them relevant</p>' in page.html
    assert "; t17 and 3 more</p>" in page.html
    assert "c</li>" not in page.html


def test_other_conventions_that_name_another_best_model(page: recsql.Page, conventions: pa.Table) -> None:
    found = conventions.to_pylist()
    best = {}
    for preset in {row["preset"] for row in found}:
        of_preset = [row for row in found if row["preset"] == preset and row["value"] is not None]
        best[preset] = max(of_preset, key=lambda row: row["value"])["model"] if len(of_preset) == 4 else None
    others = {preset: model for preset, model in best.items() if preset != "default" and model is not None}
    differing = [model for model in others.values() if model != "pop"]
    assert f"{len(differing)} of {len(others)} name another best model" in page.html
    assert page.verdict.paragraphs[-1] == f"{len(differing)} of {len(others)} other conventions name another best model."


def test_conventions_of_many_rows_are_those_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says how many users were drawn, and how sure the best value of each preset is; the other sections have all."""
    monkeypatch.setattr(of_presets, "MANY", 1000)  # of 4,000
    monkeypatch.setattr(of_presets, "ENOUGH", 10)
    page = made(400, {"new": lambda user: True if user % 8 else None, "old": half}, conventions=True)
    told = metadata_of(page.evidence.conventions)["sample"]
    assert f"those of a sample: {told['users']} of 400 users, with 95 % intervals; sample=1 takes all users.</p>" in page.html
    own, others = page.evidence.by_convention
    best = own["new"]
    assert f">{best['value']:.4f} ({best['low']:.4f} to {best['high']:.4f})</td>" in page.html
    assert page.evidence.value("new")["users"] == 400
    assert page.evidence.differing == []
    vars(page.evidence)["differing"] = ["ranx"]
    again = judge(page.evidence, [], conventions=True).paragraphs[-1]
    assert again == f"1 of {len(others)} other conventions name another best model for a sample of {told['users']} users."


def test_the_page_needs_no_reasons_of_conventions(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are half of the queries, and the page shows none."""
    counts: list[int] = []
    measure = of_presets.measure

    def counted(call: Any) -> Any:
        counts.append(len(call.pipelines))
        return measure(call)

    monkeypatch.setattr(of_presets, "measure", counted)
    made(60, {"new": half, "old": other_half}, metrics="ndcg", conventions=True)
    recsql.conventions(lists(60, new=half, old=other_half), truth_of(60), "ndcg", 5)
    assert [bool(count) for count in counts] == [True, False, True, True]


def test_it_is_one_small_file_that_asks_for_nothing(page: recsql.Page) -> None:
    assert len(page.html.encode()) < 250_000
    assert re.findall(r"""(?:src|href)=["']?(?!#)|url\(|@import|<link|<iframe""", page.html) == []
    assert "default-src 'none'" in page.html
    assert page.html.count("<h1>") == 1


def test_no_style_is_inline(page: recsql.Page) -> None:
    assert not re.search(r"\sstyle\s*=", re.sub(r"<style>.*?</style>", "", page.html, flags=re.DOTALL))


def test_the_same_input_gives_the_same_bytes() -> None:
    first, second = (made(60, {"new": half, "old": quarter}, baseline="old").html for _ in range(2))
    assert first == second


def test_a_table_that_can_be_read_once() -> None:
    recs = lists(60, new=half, old=quarter)
    pages = [recsql.report(one, truth_of(60), "hit", 5, conventions=False, out=None) for one in (recs, recs.to_reader())]
    assert pages[0].html == pages[1].html


def test_names_are_text() -> None:
    name, title = "<img src=x onerror=alert(1)>", "</script><b>x"
    recs = lists(60, old=quarter, **{name: half})
    items = pa.table({"item_id": [f"t{user}" for user in range(60)], "title": [title] * 60})
    page = recsql.report(recs, truth_of(60), "hit", 5, baseline="old", items=items, title=title, notes=name, out=None)
    assert "<img" not in page.html
    assert "<b>x" not in page.html
    assert "&lt;img src=x onerror=alert(1)&gt;" in page.html
    assert page.html.count("<script>") == page.html.count("</script>") == 1


TURNED = "a\u202eb"  # what follows is written from right to left


def test_the_writing_direction_stays(tmp_path: Path) -> None:
    """Of models, segments, columns, titles, notes, items and files; the SQL and the notes keep their lines."""
    models: dict[str, Hits] = {TURNED: half, "old": quarter}
    recs, truth = tmp_path / f"{TURNED}.parquet", tmp_path / "truth.parquet"
    pq.write_table(lists(60, **models), recs)
    pq.write_table(truth_of(60), truth)
    people = pa.table({"user_id": range(60), TURNED: [TURNED, "F"] * 30})
    items = pa.table({"item_id": [f"t{user}" for user in range(60)], "title": [TURNED] * 60})
    given: dict[str, Any] = {"by": TURNED, "segments": people, "items": items, "title": TURNED, "notes": f"{TURNED}\nmore"}
    page = recsql.report(str(recs), str(truth), "hit", 5, baseline="old", out=None, **given)
    assert "\u202e" not in page.html + page.summary + repr(page)
    for text in (
        "a\\u202eb: a\\u202eb</th>",
        "<title>a\\u202eb</title>",
        "<p>a\\u202eb\nmore</p>",
        "a\\u202eb \u2713</li>",
        "a\\u202eb.parquet",
    ):
        assert text in page.html
    assert "<pre>with\n" in page.html


MARKED = (
    "# head",
    "- item",
    "1. one",
    "> said",
    "![i](https://a.b/c)",
    "[l][m]",
    "<img src=x>",
    "@octocat",
    "`code`",
    "__init__",
    "a|b",
)


@pytest.mark.parametrize("name", MARKED)
def test_a_name_in_the_summary_is_text(name: str) -> None:
    """As GitHub reads it: no heading, link, mention or HTML. A name with signs that have no meaning there stays as it is."""
    page = made(60, {name: half, "ndcg_1@10 [0.5]": quarter})
    assert not re.search(r"^(- |1\. |>)|^#+ # |\]\(|\]\[|<\w|@oct|://a|(?<!\\)`|[^\\]_init|^\| a\|", page.summary, re.MULTILINE)
    assert "| ndcg_1@10 [0.5] | 0.2500 |" in page.summary
    assert page.summary.startswith("### ")
    assert page.summary.count("\n#") == 0


def test_without_cases_it_has_no_id_of_a_user(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    recs = lists(300, new=lambda user: half(user) if user > 9 else None, old=quarter)
    named = pa.array([f"person{user}" for user in recs["user_id"].to_pylist()])
    truth = truth_of(300)
    people = truth.set_column(0, "user_id", pa.array([f"person{user}" for user in range(300)]))
    shown, hidden = (
        recsql.report(recs.set_column(1, "user_id", named), people, "hit", 5, cases=cases, conventions=False, out=None).html
        for cases in (5, 0)
    )
    assert "person" in shown
    assert "person" not in hidden


def test_without_the_extra_plot_only_the_chart_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    page = made(60, {"new": half, "old": quarter})
    assert "The chart needs the extra plot: run pip install" in page.html
    assert Cells(page.html).numbers


PEOPLE = pa.table({"user_id": range(60), "country": ["DE", "FR"] * 30})
PAST = pa.table({"user_id": [user for user in range(60) for _ in range(user % 5)], "item_id": ["old"] * 120})


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        ({"train": PAST}, "train.activity: 1-2</th>"),
        ({"train": PAST, "check": True}, "train.activity: 3-20</th>"),
        ({"train": pa.table({"item_id": ["old"]})}, "lists: of both</th>"),
        ({"interval": 0.9}, '<th scope="col">90 % interval</th>'),
        ({"by": "country", "segments": PEOPLE}, "country: DE</th>"),
        ({"k": "all"}, "hit: difference from old"),
        ({"k": [1, 5], "main": "hit@1"}, "hit@1: difference from old"),
        ({"metrics": ["hit", "entropy"]}, '<th scope="col">entropy@5</th>'),
        ({"test": "sign"}, "sign test"),
        ({"no_recs": "skip", "conventions": True}, "as other libraries define it"),
    ],
)
def test_options_reach_the_functions_that_read_them(settings: dict[str, Any], shown: str) -> None:
    page = made(60, {"new": half, "old": quarter}, **{"baseline": "old", **settings})
    assert shown in page.html
    assert len(Cells(page.html).tables) >= 5


TRAIN = pa.table(
    {"user_id": [*range(60)] * 2, "item_id": [*(f"t{(user + 7) % 60}" for user in range(60)), *["t59"] * 30, *["t0"] * 30]}
)


@pytest.mark.parametrize(
    ("form", "called"),
    [
        (lambda new, old: pa.concat_tables([new, old]), {}),
        (lambda new, _: new.drop_columns("model"), {"new": "recs"}),
        (lambda new, old: {"new": new.drop_columns(["model", "rank"]), "old": old.drop_columns(["model", "rank"])}, {}),
    ],
)
def test_popularity_from_train_is_the_baseline(form: Callable[[pa.Table, pa.Table], Any], called: dict[str, str]) -> None:
    new, old = (lists(60, **{name: hits}) for name, hits in (("new", half), ("old", quarter)))
    scored = [one.append_column("score", pa.array([6.0 - rank for rank in one["rank"].to_pylist()])) for one in (new, old)]
    page = recsql.report(
        form(*scored), truth_of(60), ["hit", "ndcg"], [1, 5], train=TRAIN, check=False, conventions=bool(called), out=None
    )
    popularity = recsql.popularity(TRAIN, 5, users=truth_of(60))
    named = {called.get(name, name): one for name, one in (("new", new), ("old", old)) if not called or name in called}
    explicit = {name: one.drop_columns("model") for name, one in [*named.items(), ("popularity", popularity)]}
    compared = recsql.compare(explicit, truth_of(60), ["hit", "ndcg"], [1, 5], baseline="popularity")
    assert page.evidence.comparison is not None
    assert page.evidence.comparison.to_pylist() == compared.to_pylist()
    assert 0 < page.evidence.value("popularity")["value"] < 1
    assert "The baseline, popularity, was made from train" in "".join(page.verdict.paragraphs)
    assert "Baseline: popularity, made from train: each user gets the most popular items that they lack, as 0%" in page.html


def test_a_truth_that_is_later_is_no_leak() -> None:
    """All of it is in train, so only the times tell it from a train that has the truth in it."""
    truth = truth_of(60)
    known = pa.concat_tables([TRAIN, truth.select(["user_id", "item_id"])])
    for time, leaks in ((2, False), (1, True)):
        later = truth.append_column("timestamp", pa.array([time] * truth.num_rows))
        train = known.append_column("timestamp", pa.array([1] * known.num_rows))
        page = recsql.report(
            lists(60, new=half), later, "hit", 5, train=train, relevance=None, check=False, conventions=False, out=None
        )
        told = "".join(page.verdict.paragraphs)
        assert ("train seems to have the truth in it" in told) is leaks
        assert ("what they have there most often" in told) is not leaks


LACKED = "the most popular items that they lack"


@pytest.mark.parametrize(
    ("again", "options", "told"),
    [
        (0, {}, f"{LACKED}, as 0% of the relevant items are in their users' train."),
        (
            6,
            {},
            "what they have there most often, then the most popular items, as 10% of the relevant items are in their "
            "users' train.",
        ),
        (6, {"seen": "drop"}, f"{LACKED}, as the report has seen='drop'."),
        (60, {}, f"{LACKED}, as train seems to have the truth in it: 100% of the relevant items are in their users' train."),
    ],
)
def test_the_baseline_for_users_who_want_the_same_items_again(again: int, options: dict[str, Any], told: str) -> None:
    truth = truth_of(60)
    known = pa.concat_tables([TRAIN, truth.select(["user_id", "item_id"]).slice(0, again)])
    page = recsql.report(lists(60, new=half), truth, "hit", 5, train=known, check=False, conventions=False, out=None, **options)
    assert f"The baseline, popularity, was made from train: each user gets {told}" in page.verdict.paragraphs
    seen = "first" if "most often" in told else "drop"
    values = {row["model"]: row["value"] for row in page.evidence.values.to_pylist()}
    made = recsql.popularity(known, 5, users=truth, seen=seen)
    assert values["popularity"] == recsql.evaluate(made, truth, "hit", 5, train=known, **options)["value"][0].as_py()


def test_a_model_called_popularity_is_the_baseline() -> None:
    page = made(60, {"popularity": half, "new": quarter}, train=TRAIN)
    assert page.verdict.headline == "new does not beat popularity."
    assert page.evidence.models == ["new", "popularity"]
    assert "Baseline: popularity, one of the models." in page.html


OF_TRAIN = (
    "novelty",
    "popularity",
    "cold_share",
    "tail_share",
    "share_unseen",
    "serendipity",
    "calibration",
    "auc(candidates=unseen)",
)


def test_segments_without_a_slice_are_refused() -> None:
    with pytest.raises(recsql.RecsqlError, match=r"^segments: it applies only with by=; give that as well"):
        made(20, {"new": half}, segments=pa.table({"user_id": [1], "country": ["DE"]}))


@pytest.mark.parametrize(
    ("metric", "baseline"),
    [*((metric, None) for metric in (*OF_TRAIN, "entropy")), ("popularity", "old"), ("calibration", "old")],
)
def test_each_function_gets_the_train_that_its_metrics_read(metric: str, baseline: str | None) -> None:
    """Beside a metric that reads none, and as the metric that decides. A baseline that is named is not the best model."""
    models: dict[str, Hits] = {"new": half, "old": quarter}
    items = [*{*lists(60, **models)["item_id"].to_pylist(), *truth_of(60)["item_id"].to_pylist(), *TRAIN["item_id"].to_pylist()}]
    table = pa.table({"item_id": items, "category": [f"c{len(item) % 2}" for item in items]})
    known = pa.concat_tables([TRAIN, pa.table({"user_id": [60] * len(items), "item_id": items})])  # it has the listed items
    given: dict[str, Any] = {"train": known, "items": table, "baseline": baseline, "sql": True, "cases": 1}
    given = given if metric in ("calibration", "entropy", "serendipity", "auc(candidates=unseen)") else {**given, "items": None}
    page = made(60, models, metrics=["hit", metric], **given)
    [value] = [row["value"] for row in page.evidence.values.to_pylist() if (row["model"], row["metric"]) == ("new", metric)]
    assert [pair.value for pair in page.evidence.compared if (pair.model, pair.metric) == ("new", metric)] in ([value], [])
    if metric in (*OF_TRAIN[2:],):
        assert made(60, models, metrics=metric, conventions=True, **given).evidence.main.metric == metric


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"train": TRAIN.select(["item_id"])}, "train: there is no column user_id, which popularity needs"),
        ({"train": TRAIN.slice(0, 0)}, "train: it has no item that a user lacks."),
        ({"train": TRAIN, "candidates": truth_of(60)}, "candidates: popularity doesn't rank them."),
        ({"train": TRAIN, "by": "country"}, "by: country is a column of recs, which popularity lacks."),
    ],
)
def test_the_best_model_is_the_baseline_if_none_can_be_made(settings: dict[str, Any], why: str) -> None:
    recs = lists(60, new=half, old=quarter)
    living = recs.append_column("country", pa.array(["DE"] * recs.num_rows))
    page = recsql.report(living, truth_of(60), "hit", 5, check=False, conventions=False, out=None, **settings)
    assert f"No baseline was made from train, so the best model is the baseline: {why}" in "".join(page.verdict.paragraphs)
    assert "Baseline: new, the best model on hit@5." in page.html


def test_whatever_evaluate_takes() -> None:
    """LISTs of items, mappings of users to lists, and lists of rows, as in a table with a row per item."""
    lists = {f"q{user}": [f"d{(user + place) % 7}" for place in range(3)] for user in range(12)}
    wanted = {f"q{user}": [f"d{(2 * user) % 7}"] for user in range(12)}
    rows = [
        {"user_id": user, "item_id": item, "rank": n} for user, items in lists.items() for n, item in enumerate(items, start=1)
    ]
    judged = [{"user_id": user, "item_id": item} for user, items in wanted.items() for item in items]
    together = pa.table({"user_id": list(lists), "ids": list(lists.values()), "expected": list(wanted.values())})
    given: list[tuple[Any, Any, dict[str, Any]]] = [
        (pa.Table.from_pylist(rows), pa.Table.from_pylist(judged), {}),
        (rows, judged, {}),
        (lists, wanted, {}),
        (pa.table({"user_id": list(lists), "items": list(lists.values())}), wanted, {}),
        (together, together, {"item": "ids", "truth_item": "expected"}),
    ]
    first, *others = (str(recsql.report(recs, truth, out=None, **names)) for recs, truth, names in given)
    assert "ndcg@10 is 0.3552" in first
    assert all(other == first for other in others)


def test_readers_are_read_once() -> None:
    recs, truth = lists(60, new=half).drop_columns("model"), truth_of(60)
    page = recsql.report({"new": recs.to_reader()}, truth.to_reader(), "hit", 5, train=TRAIN.to_reader(), check=False, out=None)
    assert page.evidence.models == ["new", "popularity"]


def test_low_values_can_be_better() -> None:
    page = made(400, {"new": half, "old": quarter}, metrics="fallout", baseline="new", catalog_size=10_000)
    assert page.evidence.main.orientation == -1
    assert page.verdict.headline == "old does not beat new."


def test_the_lowest_mean_of_other_users() -> None:
    models: dict[str, Hits] = {
        "few": lambda user: user % 8 != 0 if user < 100 else None,
        "all": lambda user: user < 100 or quarter(user),
    }
    page = made(400, models, metrics="miss_rate", no_recs="skip")
    assert page.verdict.headline == "No model is best on miss_rate@5: few has the lowest mean, over other users."


NEITHER = "Neither high nor low values of judged are better, so none of the models is the best."


@pytest.mark.parametrize("baseline", [None, "old"])
@pytest.mark.parametrize(
    ("models", "found", "first"),
    [
        ({"new": half, "old": quarter}, "new and old differ", "is {} than {} on judged@5 by 0.0500"),
        ({"new": half, "old": other_half}, "{} and {} are not shown to differ", "No difference found between"),
        ({"new": half, "old": quarter, "third": eighth}, "The models differ", "on judged@5 by 0."),
    ],
)
def test_a_metric_without_better_values_has_no_winner(
    models: dict[str, Hits], found: str, first: str, baseline: str | None
) -> None:
    """In no part of the page: only relevant items are judged, a fifth of the lists that have one."""
    page = made(400, models, metrics="judged", baseline=baseline, conventions=True, cases=2)
    ranking = page.evidence.ranking
    assert page.verdict.headline == f"{found.format(*ranking)} on judged@5; none is better."
    told, last = page.verdict.paragraphs[0], page.verdict.paragraphs[-1]
    assert first.format(*(("lower", "new") if baseline is None else ("higher", "old"))) in told
    assert last == NEITHER
    text = re.sub(r"<style>.*</style>|<script>.*</script>", "", page.html, flags=re.DOTALL)
    assert not re.search(r"\bworse|losses|\bgains|too close|best model|class=.best|▲|another best", text)
    assert ('r="4.5" fill="currentColor"' in text) == ("are not shown" not in page.verdict.headline)


def test_equal_losses_of_few_users_are_no_close_call() -> None:
    of_users = {users: made(users, {"new": lambda user: True, "old": lambda user: False}).verdict for users in (9, 10)}
    assert of_users[9].headline == "new has the highest hit@5, but that can't be tested."
    assert of_users[10].headline == "new is the best model on hit@5."


def test_a_cut_off_without_effect_is_said_once() -> None:
    with pytest.warns(UserWarning) as warned:
        page = made(60, {"new": half, "old": quarter}, metrics=["hit@2", "rr@3"], k=5, baseline="old", train=TRAIN, check=True)
    assert [str(one.message).startswith("k: every metric has its own cut-off") for one in warned].count(True) == 1
    assert {pair.at for pair in page.evidence.compared} == {"hit@2", "rr@3"}


def test_values_below_0_are_no_values_above_0() -> None:
    models: dict[str, Hits] = {"new": half, "old": quarter}
    assert "mcc@5 of users other than 0, on one scale" in made(60, models, metrics="mcc", catalog_size=1000).html
    assert "hit@5 of users above 0, on one scale" in made(60, models).html


def test_lists_without_a_model() -> None:
    page = recsql.report(lists(60, new=half).drop_columns("model"), truth_of(60), "hit", 5, conventions=False, out=None)
    assert page.verdict.headline == "The model has hit@5 of 0.5000."


def test_a_notebook_shows_it_in_a_frame_of_its_own() -> None:
    shown = made(60, {"new": half})._repr_html_()
    assert shown.startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')
    assert "<script>" not in shown


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"main": "ndgc"}, "main: ndgc is not one of the metrics; choose one of hit@5"),
        ({"metrics": "entropy"}, "metrics: a report needs a metric that is a mean over users, such as ndcg; add one"),
        ({"baseline": "nwe"}, "baseline: nwe is not among the models"),
        ({"cases": "x"}, "cases: 'x' is not a whole number from 0 on"),
        ({"cases": -1}, "cases: -1 is not a whole number from 0 on"),
        ({"gains": "exp2"}, "unknown option 'gains'; did you mean gain?"),
    ],
)
def test_wrong_arguments(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(recsql.RecsqlError, match=re.escape(sentence)):
        made(60, {"new": half, "old": quarter}, **settings)


# -- the command


@pytest.mark.parametrize(
    ("flags", "status", "said"),
    [
        ("--baseline pop", 0, ""),
        ("--baseline pop --fail-if worse", 3, "Failed: a model is shown to be worse than pop, in 3 of 3 comparisons."),
        (
            "--baseline itemknn --fail-if worse",
            0,
            "Passed: no model is shown to be worse than itemknn, in 3 comparisons; 3 are shown not to be.",
        ),
        ("--baseline pop --fail-if worse --margin 0.05", 0, "Passed: no model is shown to be worse than pop by more than 0.05"),
        ("--baseline pop --fail-on error", 0, ""),
        ("--baseline pop --fail-on warning", 3, ""),
        (
            "--fail-if worse",
            1,
            "recsql: --fail-if: it compares models with a baseline; name one with --baseline, or give --train",
        ),
        (f"--fail-if worse --train {ITEMS}", 1, "recsql: --fail-if: there is no baseline from --train: "),
        ("--fail-on error --no-check", 1, "recsql: --fail-on: it is about what check finds; leave --no-check out"),
        (
            "--summary report.html",
            1,
            "recsql: report.html: --output and --summary can't both be written to this file; give two files",
        ),
    ],
)
def test_the_command(
    flags: str, status: int, said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = ["report", RECS, TRUTH, "-m", "ndcg@9", "--no-conventions", "--no-sql", "--cases", "0", *flags.split()]
    assert main(given) == status
    printed = capsys.readouterr()
    assert "k has no effect" not in printed.err
    assert said in printed.err
    assert (tmp_path / "report.html").exists() == (status in (0, 3))
    if status != 1:
        assert printed.out.endswith("\n\nreport.html\n")


def test_the_command_spells_its_flags(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    recs, truth = str(tmp_path / "recs.parquet"), str(tmp_path / "truth.parquet")
    lists_twice = pa.concat_tables([lists(60, new=half), lists(60, new=half)])
    pq.write_table(lists_twice.set_column(3, "rank", pa.array(list(range(1, 6)) * 60 + list(range(6, 11)) * 60)), recs)
    pq.write_table(truth_of(60), truth)
    assert main(["report", recs, truth, "-m", "hit", "-o", str(tmp_path / "report.html")]) == 1
    assert "choose how it counts with --duplicates; or does" in capsys.readouterr().out


@pytest.mark.parametrize("flag", ["-o", "--summary"])
def test_the_command_replaces_no_input(flag: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    truth = tmp_path / "truth.parquet"
    truth.write_bytes(Path(TRUTH).read_bytes())
    assert main(["report", RECS, str(truth), "-m", "ndcg", flag, str(truth)]) == 1
    assert "this file is one of the inputs; choose another output file" in capsys.readouterr().err
    assert truth.read_bytes() == Path(TRUTH).read_bytes()


def test_the_command_writes_a_summary_and_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    given = ["report", RECS, TRUTH, "-m", "ndcg", "-k", "10", "--baseline", "pop", "--no-conventions", "--cases", "0"]
    assert main([*given, "--summary", "verdict.md"]) == 0
    told = Path("verdict.md").read_text()
    assert told.startswith("### No model beats pop.\n\nThe closest: ease is worse than pop on ndcg@10 by 0.0098")
    assert "| pop | 0.0472 |" in told
    found = re.search(r"<pre>(recsql report .*?)</pre>", Path("report.html").read_text())
    assert found is not None
    again = found[1].split()
    assert again == ["recsql", "report", RECS, TRUTH, *given[3:], "-o", "report.html"] or {*again} == {
        "recsql",
        "report",
        "-o",
        "report.html",
        *given[1:],
    }


def test_the_command_makes_the_same_file_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = ["report", RECS, TRUTH, "-m", "ndcg", "--train", str(EXAMPLE / "ratings.parquet"), "--no-check", "--no-conventions"]
    assert main([*given, "--fail-if", "worse"]) == 0
    assert "Passed: no model is shown to be worse than popularity" in capsys.readouterr().err
    before = Path("report.html").read_bytes()
    found = re.search(r"<pre>(recsql report .*?)</pre>", before.decode())
    assert found is not None
    assert main(shlex.split(unescape(found[1]))[1:]) == 0
    assert Path("report.html").read_bytes() == before


def test_only_a_call_that_names_a_file_writes_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tables = {"recs": {"new": {"u1": {"a": 0.9}}}, "truth": {"u1": {"a": 1}}, "metrics": "hit", "check": False}
    assert "<html" in recsql.report(**tables, conventions=False, sql=False).html
    assert [*tmp_path.iterdir()] == []
    recsql.report(**tables, conventions=False, sql=False, out="page.html")
    assert [one.name for one in tmp_path.iterdir()] == ["page.html"]


def test_a_metric_that_nobody_asked_for_is_no_alarm() -> None:
    """Each list has a hit, so hit is 1, in any order: ndcg tells the models apart."""
    users = [*range(40)]
    lists = {"a": [["x", "y"]] * 40, "b": [["x", "y"] if user % 3 else ["y", "x"] for user in users]}
    rows = [(name, user, item, rank) for name, of in lists.items() for user in users for rank, item in enumerate(of[user], 1)]
    recs = pa.Table.from_pylist([dict(zip(("model", "user_id", "item_id", "rank"), row, strict=True)) for row in rows])
    truth = pa.table({"user_id": users, "item_id": ["y"] * 40})
    page = recsql.report(recs, truth, "ndcg", 2)
    assert page.verdict.headline == "b is the best model on ndcg@2."
    saturated = recsql.report(recs, truth, "hit", 2).verdict
    assert saturated.headline == "Nothing is left to win on hit@2." and not saturated.is_void


def test_presets_that_do_not_apply_are_named() -> None:
    """To these libraries each row of the truth is relevant, and it has judgements of grade 0."""
    recs = pa.table(
        {"model": ["a", "b"] * 30, "user_id": [n // 2 for n in range(60)], "item_id": ["x", "y"] * 30, "rank": [1] * 60}
    )
    users = [*range(30), *range(30)]
    truth = pa.table({"user_id": users, "item_id": ["x"] * 30 + ["y"] * 30, "relevance": [1.0] * 30 + [0.0] * 30})
    presets = "elliot, hivemall, implicit, lenskit, recbole, recommenders, rectools, replay, spark"
    says = f"<p>{presets}: not applicable: the truth has rows of grade 0.</p>"
    assert says in recsql.report(recs, truth, "ndcg", 1).html
    assert "not applicable" not in recsql.report(recs, truth.slice(0, 30), "ndcg", 1).html
