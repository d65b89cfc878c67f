"""Forest plots: they show the differences, intervals and verdicts of `compare`, for any model name and any page.

If it fails, a picture says something else than the table, or has a text that is cut or can't be read.
"""

import json
import math
import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow as pa
import pytest

import recsql
from recsql.calls import curve
from recsql.cli import main
from recsql.display import drawing, forest
from recsql.display.comparison import pairs_of
from tests.calls.test_curve import NAMES, RECS, TRUTH, Page, marks

TRAIN = str(Path(RECS).with_name("ratings.parquet"))
pytestmark = pytest.mark.filterwarnings("ignore:.*have lists for different users")


@pytest.fixture(scope="module")
def compared() -> pa.Table:
    return recsql.compare(RECS, TRUTH, ["ndcg", "fallout", "novelty"], 10, baseline="pop", train=TRAIN, catalog_size=6000)


@pytest.fixture(scope="module")
def sliced() -> pa.Table:
    return recsql.compare(RECS, TRUTH, ["ndcg"], 10, baseline="pop", by="train.activity", train=TRAIN)


def made(like: pa.Table, *rows: Mapping[str, Any]) -> pa.Table:
    """A comparison with other rows: each is the first row of `like` with other values."""
    first = {**like.to_pylist()[0], "verdict": "inconclusive"}
    return pa.Table.from_pylist([{**first, **row} for row in rows], like.schema)


def svg(chart: recsql.Chart) -> ElementTree.Element:
    return ElementTree.fromstring(chart.svg())


def layers(chart: recsql.Chart) -> list[dict[str, list[dict[str, Any]]]]:
    """What each panel draws."""
    names = ("markers", "intervals", "points", "texts")
    return [
        dict(zip(names, (layer["data"]["values"] for layer in panel["layer"]), strict=True)) for panel in chart.spec["vconcat"]
    ]


def rows(chart: recsql.Chart, panel: int = 0) -> list[list[str]]:
    """The texts of a panel as people see them: line by line, from the left to the right."""
    found: dict[float, list[tuple[float, str]]] = {}
    for one in layers(chart)[panel]["texts"]:
        found.setdefault(one["y"], []).append((one["x"], one["text"]))
    return [[text for _, text in sorted(found[y]) if text] for y in sorted(found)]


def notes(chart: recsql.Chart) -> str:
    return " ".join(chart.spec["title"]["text"])


# -- ranks

SCORES = [{"model": model, "value": value, "std_error": 0.01} for model, value in zip("abcd", (0.9, 0.5, 0.49, 0.1), strict=True)]


def drawn(chart: recsql.Chart, name: str) -> list[dict[str, Any]]:
    """What the first panel draws in one of its layers, such as the lines between tiers."""
    layer = {"intervals": 1, "points": 2, "tiers": 4}[name]
    values: list[dict[str, Any]] = chart.spec["vconcat"][0]["layer"][layer]["data"]["values"]
    return values


def test_ranks_have_their_intervals_values_and_tiers() -> None:
    ranks = recsql.rank(SCORES)
    chart = recsql.forest(ranks)
    assert rows_of_ranks(chart) == [
        ["value: rank"],
        ["value", "rank"],
        ["a", "0.9000 [0.8787, 0.9179]", "1 [1, 1]"],
        ["b", "0.5000 [0.4804, 0.5196]", "2 [2, 3]"],
        ["c", "0.4900 [0.4704, 0.5096]", "3 [2, 3]"],
        ["d", "0.1000 [0.0821, 0.1213]", "4 [4, 4]"],
    ]
    assert [(one["at"], one["filled"], one["look"]) for one in drawn(chart, "points")] == [
        (1, True, 0),
        (2, False, 0),
        (3, False, 0),
        (4, True, 0),
    ]
    assert [(one["y"], one["low"], one["high"]) for one in drawn(chart, "intervals") if one["low"] < one["high"]] == [
        (36, pytest.approx(2, abs=0.1), 3),
        (60, 2, pytest.approx(3, abs=0.1)),
    ]
    assert [one["y"] for one in drawn(chart, "tiers")] == [24, 72]
    encoding = chart.spec["vconcat"][0]["encoding"]["x"]
    assert (encoding["scale"]["domain"], encoding["axis"]["values"]) == ([0.5, 4.5], [1, 2, 3, 4])
    told = json.loads(ranks.schema.metadata[b"recsql"])["told"]
    assert notes(chart) == " ".join(["\u25cf one rank, \u25cb several are possible.", *told])
    about = [one.get("aria-label") for one in marks(svg(chart), "point")]
    assert about[1] == "b, value: 0.5000 [0.4804, 0.5196], rank 2 [2, 3]"
    assert (chart.data is ranks, chart.title, chart.numbers.column_names[2]) == (True, "Ranks on value", "value")


def rows_of_ranks(chart: recsql.Chart) -> list[list[str]]:
    """The texts of the first panel, as in `rows`."""
    found: dict[float, list[tuple[float, str]]] = {}
    for one in chart.spec["vconcat"][0]["layer"][3]["data"]["values"]:
        found.setdefault(one["y"], []).append((one["x"], one["text"]))
    return [[text for _, text in sorted(found[y]) if text] for y in sorted(found)]


def test_ranks_have_a_panel_per_metric_and_forty_models_at_most() -> None:
    many = [
        {"model": f"m{i:02}", "metric": name, "value": i / 99, "std_error": 0.2} for i in range(45) for name in ("mae", "ndcg")
    ]
    chart = recsql.forest(recsql.rank(many))
    assert [one["layer"][3]["data"]["values"][0]["text"] for one in chart.spec["vconcat"]] == ["mae: rank", "ndcg: rank"]
    assert [line[0] for line in rows_of_ranks(chart)[2:]] == [f"m{i:02}" for i in range(40)]  # low errors are the better ones
    assert chart.spec["vconcat"][0]["encoding"]["x"]["scale"]["domain"] == [0.5, 45.5]
    assert notes(chart).endswith("The first 40 of 45 models are drawn; the table of the ranks has all.")
    narrow = recsql.forest(recsql.rank(many), width=400)
    assert [line[1:] for line in rows_of_ranks(narrow)[2:]] == [[]] * 40
    with pytest.raises(recsql.RecsqlError, match=r"^ranks: no model has one; give what recsql.rank returns"):
        apart = [{"model": model, "dataset": model, "value": 0.5} for model in "ab"]
        recsql.forest(recsql.rank(apart, missing="leave_out"))


def test_the_command_rank_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("scores.json").write_text(json.dumps(SCORES))
    assert main(["rank", "scores.json", "-o", "ranks.svg"]) == 0
    assert capsys.readouterr().out == ""
    assert len(marks(ElementTree.parse("ranks.svg").getroot(), "point")) == 4
    assert main(["rank", "scores.json", "-o", "ranks.svg", "--format", "csv"]) == 0
    assert Path("ranks.svg").read_text().startswith("model,metric,k,value")


# -- what is drawn


def test_each_row_has_the_numbers_of_the_comparison(compared: pa.Table) -> None:
    chart = recsql.forest(compared)
    pairs = {metric: [pair for pair in pairs_of(compared) if pair.at == metric] for metric in ("ndcg@10", "fallout@10")}
    for i, (metric, found) in enumerate(pairs.items()):
        title, header, *lines = rows(chart, i)
        assert title == [f"{metric}: difference from pop"]
        assert [line[0] for line in lines] == ["als", "ease", "itemknn"]
        assert [" ".join(line[-3:]).replace("\u2212", "-") for line in lines] == [pair.difference_text for pair in found]
        assert header[-2:] == ["difference", "95 % interval"]
    assert chart.data is compared
    assert chart.title == "Differences in ndcg@10, fallout@10, novelty@10"


def test_points_and_intervals_are_where_the_numbers_are(compared: pa.Table) -> None:
    chart = recsql.forest(compared)
    points = marks(svg(chart), "point")
    assert [one.get("aria-label") for one in points] == [
        f"{pair.model} and pop, {pair.on}: {pair.difference_text}"
        for metric in ("ndcg", "fallout", "novelty")
        for pair in pairs_of(compared)
        if pair.metric == metric
    ]
    for pair, line in zip(
        [one for one in pairs_of(compared) if one.metric == "ndcg"], layers(chart)[0]["intervals"], strict=True
    ):
        assert (line["low"], line["high"]) == (pair.low, pair.high)  # all are shown, so that no line has a gap
    low, high = chart.spec["vconcat"][0]["encoding"]["x"]["scale"]["domain"]
    width, start = chart.spec["vconcat"][0]["width"], low
    places = [float(re.split(r"[(,]", one.get("transform", ""))[1]) for one in points[:3]]
    expected = [(pair.difference - start) / (high - low) * width for pair in pairs_of(compared) if pair.metric == "ndcg"]
    assert places == pytest.approx(expected, abs=0.01)


def test_the_verdict_is_filled_and_has_a_direction(compared: pa.Table) -> None:
    """The colour and the words turn round where low values are better; where neither are, the differences have no colour."""
    lines = [{"model": "up", "difference": 0.1, "verdict": "higher"}, {"model": "down", "difference": -0.1, "verdict": "lower"}]
    lines += [{"model": "open", "difference": 0.1}, {"model": "other", "difference": 0.1, "verdict": "differs"}]
    metrics = {"ndcg": ([1, -1, 0, 0], "worse", "better"), "fallout": ([-1, 1, 0, 0], "better", "worse")}
    metrics["novelty"] = ([0, 0, 0, 0], "lower", "higher")
    spread = {"low": None, "high": None}
    result = made(compared, *({**line, **spread, "metric": name, "definition": name} for name in metrics for line in lines))
    chart = recsql.forest(result)
    for i, (looks, left, right) in enumerate(metrics.values()):
        assert [point["look"] for point in layers(chart)[i]["points"]] == looks
        assert rows(chart, i)[1][:2] == [f"\u2190 {left}", f"{right} \u2192"]
    filled = [one.get("fill-opacity") for one in marks(svg(chart), "point")]
    assert filled == ["1", "1", "0", "1"] * 3


def test_at_a_margin_is_a_dashed_line() -> None:
    result = recsql.compare(RECS, TRUTH, "ndcg", 10, baseline="pop", alternative="greater", margin=0.02)
    [panel] = layers(recsql.forest(result))
    assert [(one["at"], one["dash"]) for one in panel["markers"]] == [(0, [1, 0]), (-0.02, [5, 4])]
    assert [point["look"] for point in panel["points"]] == [
        0 if row["verdict"] == "inconclusive" else 1 for row in result.to_pylist()
    ]
    assert "Dashed: a difference of \u22120.02. p: paired t test, difference > -0.02," in notes(recsql.forest(result))


def test_a_hollow_point_has_no_line_inside(compared: pa.Table) -> None:
    chart = recsql.forest(made(compared, {"difference": 0.1, "low": -0.1, "high": 0.2}))
    [left, right] = layers(chart)[0]["intervals"]
    assert (left["low"], right["high"]) == (-0.1, 0.2)
    assert right["low"] - 0.1 == pytest.approx(0.1 - left["high"])
    assert 0 < right["low"] - left["high"] < 0.02


def test_segments_are_below_their_model(sliced: pa.Table) -> None:
    chart = recsql.forest(sliced)
    _, header, *lines = rows(chart)
    assert [line[0] for line in lines[:7]] == ["als", "0", "1-2", "3-20", "21-100", "101+", "ease"]
    assert [int(line[1].replace(",", "")) for line in lines] == sliced["users"].to_pylist()
    assert header[:2] == ["train.activity", "users"]
    places = {one["text"]: (one["x"], one["weight"]) for one in layers(chart)[0]["texts"]}
    assert places["als"][0] < places["101+"][0]
    assert (places["als"][1], places["101+"][1]) == (600, 400)


def test_several_slices_are_named(sliced: pa.Table) -> None:
    segments = ({"slice": name, "segment": "DE"} for name in ("country", "home"))
    _, header, *lines = rows(recsql.forest(made(sliced, {}, *segments)))
    assert [line[0] for line in lines] == ["als", "country = DE", "home = DE"]
    assert header[0] == "\u2190 worse"


def test_a_long_interval_of_a_segment_is_cut(sliced: pa.Table) -> None:
    """It would make the others too short to read. That of all users never is."""
    whole = {"difference": 0.0, "low": -1.0, "high": 1.0}
    segment = {"slice": "country", "segment": "DE", "difference": 0.5, "low": -40.0, "high": 1.5}
    [panel] = layers(recsql.forest(made(sliced, whole, segment)))
    shapes = [(point["shape"], round(point["at"])) for point in panel["points"]]
    assert shapes == [("circle", 0), ("circle", 0), ("triangle-left", -3)]
    assert max(line["high"] for line in panel["intervals"]) == 1.5


def test_without_a_baseline_the_models_are_compared_with_the_best() -> None:
    every = recsql.compare(RECS, TRUTH, "ndcg", 10)
    from_pop = recsql.compare(RECS, TRUTH, "ndcg", 10, baseline="ease", correction="none")
    assert rows(recsql.forest(every)) == rows(recsql.forest(recsql.compare(RECS, TRUTH, "ndcg", 10, baseline="pop")))
    title, _, *lines = rows(recsql.forest(from_pop))
    assert (title, [line[0] for line in lines]) == (["ndcg@10: difference from ease"], ["als", "itemknn", "pop"])


def test_a_one_sided_test_keeps_its_pairs() -> None:
    """Seen from the other model, it would be another test."""
    chart = recsql.forest(recsql.compare(RECS, TRUTH, "ndcg", 10, alternative="less"))
    title, _, *lines = rows(chart)
    assert (title, len(lines), lines[0][0]) == (["ndcg@10: difference"], 6, "als \u2212 ease")


def test_of_many_models_the_first_are_drawn(compared: pa.Table) -> None:
    chart = recsql.forest(made(compared, *({"model": f"m{i}"} for i in range(15))))
    assert [line[0] for line in rows(chart)[2:]] == [f"m{i}" for i in range(forest.MOST)]
    assert notes(chart).endswith("The first 12 of 15 pairs of models are drawn; the table of the comparison has all.")
    assert "The first" not in notes(recsql.forest(made(compared, *({"model": f"m{i}"} for i in range(forest.MOST)))))


def test_what_can_not_be_drawn_has_a_row(compared: pa.Table) -> None:
    none, nan, far = {"low": None, "high": None}, {"low": math.nan, "high": math.nan}, {"low": -math.inf, "high": math.inf}
    odd: list[dict[str, Any]] = [{"difference": None, **none}, {"difference": math.nan, **nan}, {"difference": math.inf, **far}]
    odd += [{"difference": 0.1, **none}, {"difference": 0.1, **far}]
    chart = recsql.forest(made(compared, *odd))
    [panel] = layers(chart)
    assert [point["at"] for point in panel["points"]] == [0.1, 0.1]
    assert panel["intervals"] == []
    assert len(rows(chart)) == 2 + len(odd)
    assert len(marks(svg(chart), "point")) == 2
    alone = recsql.forest(made(compared, {"difference": 0.0, "verdict": "same", **none}))
    assert alone.spec["vconcat"][0]["encoding"]["x"]["scale"]["domain"] == [-0.01, 0.01]


def test_a_result_without_metadata_is_drawn(compared: pa.Table) -> None:
    chart = recsql.forest(compared.replace_schema_metadata(None))
    assert [line[-4:] for line in rows(chart)[2:]] == [line[-4:] for line in rows(recsql.forest(compared))[2:]]
    assert notes(chart) == "\u25cf shown by the test, \u25cb not shown."


@pytest.mark.parametrize("other", [pa.table({"model": ["a"]}), "comparison.csv", None])
def test_what_is_no_comparison_is_refused(other: Any) -> None:
    with pytest.raises(recsql.RecsqlError, match=r"^comparison: it has no pairs of models; give the table that recsql"):
        recsql.forest(other)


# -- how it looks


def test_names_are_text(compared: pa.Table, tmp_path: Path) -> None:
    names = [*(name for name in NAMES if len(name) < forest.LONGEST), "black", "a\0b\nc"]
    chart = recsql.forest(made(compared, *({"model": name} for name in names)))
    drawn = [text.text or "" for text in svg(chart).iter("{http://www.w3.org/2000/svg}text")]
    assert {*names[:-1]} - {""} <= {*drawn}
    assert "a\ufffdb c" in [" ".join(text.split("\n")) for text in drawn]
    assert ">black<" in chart.svg(inline=True)
    chart.save(tmp_path / "forest.html")
    page = Page((tmp_path / "forest.html").read_text(encoding="utf-8"))
    assert json.loads(page.scripts[1]) == json.loads(json.dumps(chart.spec))
    assert {tag for tag, _ in page.elements}.isdisjoint({"b", "img"})


def test_a_long_name_is_shortened(compared: pa.Table) -> None:
    chart = recsql.forest(made(compared, {"model": "a" * 400 + "b"}, {"model": "a" * 400 + "c"}))
    assert [line[0] for line in rows(chart)[2:]] == ["a" * 16 + " \u2026 " + "a" * 12 + last for last in "bc"]


@pytest.mark.parametrize("width", [400, 600, 720, 1000])
def test_the_width_is_about_that_asked_for(sliced: pa.Table, width: int) -> None:
    chart = recsql.forest(sliced, width=width)
    assert abs(float(svg(chart).get("width", 0)) - width) < 40
    assert ("difference" in rows(chart)[1]) is (width >= forest.NARROW)


def test_no_text_runs_into_another(sliced: pa.Table) -> None:
    """By the widths of Arial's digits and DejaVu Sans's letters, which are wider."""
    wide = {"model": "ITEMKNN, NEIGHBOURS", "difference": -12345.678, "low": -23456.789, "high": -1234.567, "users": 50_123_456}
    for table in (sliced, made(sliced, {}, wide)):
        [panel] = layers(recsql.forest(table))
        lines: dict[float, list[tuple[float, float]]] = {}
        for one in panel["texts"]:
            wide_as = 13 * sum(0.33 if letter in " .,[]" else 0.72 if letter.isupper() else 0.6 for letter in one["text"])
            start = one["x"] if one["align"] == "left" else one["x"] - wide_as
            lines.setdefault(one["y"], []).append((start, start + wide_as))
        for spans in lines.values():
            assert all(end <= start for (_, end), (start, _) in pairwise(sorted(spans)) if start)


def test_on_a_page_it_has_the_colours_of_the_page(compared: pa.Table) -> None:
    """Without fixed colours, so that it can be read on white and on black."""
    for chart in (recsql.forest(compared), recsql.curve(RECS, TRUTH, ["ndcg", "dcg"], [1, 5])):
        root = ElementTree.fromstring(chart.svg(inline=True))
        colours = {one.get(name) for one in root.iter() for name in ("fill", "stroke")} - {
            None,
            "none",
            "transparent",
            "currentColor",
        }
        assert {colour for colour in colours if not str(colour).startswith("light-dark(")} <= {"#88888833", "#888"}  # the grid
        assert 'fill="white"' in chart.svg()
        texts = root.iter("{http://www.w3.org/2000/svg}text")
        assert {one.get("fill", "").partition("(")[0] for one in texts} <= {"currentColor", "light-dark"}


def test_every_colour_has_contrast_on_white_and_on_black() -> None:
    def luminance(colour: str) -> float:
        parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    pairs = drawing.part("inline")
    assert {*curve.COLOURS, *forest.COLOURS.values()} <= {*pairs}
    for pair in filter(None, pairs.values()):
        if pair != "currentColor":
            light, dark = re.findall("#[0-9A-F]{6}", pair)
            assert 1.05 / (luminance(light) + 0.05) >= 4.5
            assert (luminance(dark) + 0.05) / (luminance("#111111") + 0.05) >= 4.5


# -- the command


def test_the_command_draws_what_the_function_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, by = tmp_path / "forest.svg", ("--by", "train.activity", "--train", TRAIN)
    assert main(["forest", RECS, TRUTH, "-m", "ndcg", "-k", "10", "--baseline", "pop", *by, "-o", str(path)]) == 0
    expected = recsql.forest(recsql.compare(RECS, TRUTH, "ndcg", 10, baseline="pop", by="train.activity", train=TRAIN))
    assert labels(ElementTree.parse(path).getroot()) == labels(svg(expected))
    assert "warning" in capsys.readouterr().err


def labels(root: ElementTree.Element) -> list[str | None]:
    return [one.get("aria-label") for one in marks(root, "point")]


def test_the_command_fails_before_it_computes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recsql, "compare", lambda *_, **__: pytest.fail("it was computed"))
    assert main(["forest", RECS, TRUTH, "-o", str(tmp_path / "forest.pdf")]) == 1
    assert "must name a format of charts; use one of .svg, .png, .html" in capsys.readouterr().err
