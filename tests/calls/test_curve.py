"""Curves: they show the values of `evaluate`, in every format and for any model name.

If it fails, a curve shows other values than the table, or none for an odd model name.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import recsql
from recsql.calls import curve
from recsql.catalog import catalog
from recsql.cli import main
from recsql.display import drawing
from recsql.query.plan import unmet

EXAMPLE = Path(__file__).parents[2] / "examples/movietweetings"
RECS, TRUTH = str(EXAMPLE / "recs.parquet"), str(EXAMPLE / "truth.parquet")
NAMES = ["", "$x_1$", '<b>&"', "</script><script>alert(1)</script>", "<!--", "a.b[0]", "'; \\n ${1}", "ideal", "l" * 300, "模型"]


@pytest.fixture(scope="module")
def drawn() -> recsql.Chart:
    return recsql.curve(RECS, TRUTH)


@pytest.fixture(scope="module")
def named() -> recsql.Chart:
    """As many models as there are odd names, with lists that differ."""
    rows = [(name, 1, item, (item + i) % 5 + 1) for i, name in enumerate(NAMES) for item in range(5)]
    return recsql.curve(table(rows), pa.table({"user_id": [1, 1], "item_id": [0, 3]}), k=[1, 2, 3])


def table(rows: Sequence[tuple[str, int, int, int]]) -> pa.Table:
    return pa.table(dict(zip(["model", "user_id", "item_id", "rank"], map(list, zip(*rows, strict=True)), strict=True)))


def values(rows: pa.Table) -> list[tuple[Any, ...]]:
    """Rows of `evaluate` without the last digits of means, which depend on the threads' order of summation."""
    return [(row["model"], row["metric"], row["k"], f"{row['value']:.11g}", row["users"]) for row in rows.to_pylist()]


def of(rows: pa.Table, **wanted: str) -> pa.Table:
    for column, value in wanted.items():
        rows = rows.filter(pc.equal(rows[column], value))
    return rows


def in_spec(spec: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows that a specification draws, panel by panel."""
    plots = [plot for panel in spec["concat"] for plot in panel.get("vconcat", [panel])]
    return [row for plot in plots for row in plot["data"]["values"]]


def looks(spec: Mapping[str, Any]) -> list[tuple[str, str, tuple[int, ...]]]:
    """Colour, shape and dashes of each line."""
    [*_, plot] = spec["concat"][0].get("vconcat", spec["concat"])
    colours = plot["encoding"]["color"]["scale"]["range"]
    shapes = plot["layer"][1]["encoding"]["shape"]["scale"]["range"]
    dashes = {row["look"]: row["dash"] for row in in_spec(spec)}
    return [(colours[i], shapes[i], tuple(dashes[i])) for i in range(len(colours))]


def made(lines: Mapping[Any, Sequence[float | None]], line: str = "model") -> list[dict[str, Any]]:
    """Rows of precision, a line a model, the first value at k = 1."""
    usual = {"metric": "precision", "users": 3, "definition": "precision", "panel": "precision", "line": line}
    return [
        {**usual, "model": model, "k": k, "value": value}
        for model, line_values in lines.items()
        for k, value in enumerate(line_values, start=1)
    ]


def picture(spec: Mapping[str, Any]) -> ElementTree.Element:
    return ElementTree.fromstring(drawing.vl_convert().vegalite_to_svg(json.dumps(spec)))


def marks(svg: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [element for element in svg.iter() if element.get("aria-roledescription") == kind]


def legend(svg: ElementTree.Element) -> list[str]:
    groups = [group for group in svg.iter() if "role-legend-label" in group.get("class", "")]
    return [text.text or "" for group in groups for text in group]


class Page(HTMLParser):
    """The elements of a page, and the text of its scripts as a browser would split them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.scripts[-1] += data


# -- what is drawn


def test_the_data_are_those_of_evaluate(drawn: recsql.Chart) -> None:
    expected = recsql.evaluate(RECS, TRUTH, ["ndcg", "dcg", "idcg"], range(1, 21))
    for metric in ("ndcg", "dcg"):
        assert values(of(drawn.data, line="model", panel=metric)) == values(of(expected, metric=metric))
    ideal = of(drawn.data, line="ideal")
    assert [(None, *row) for _, *row in values(of(expected, metric="idcg", model="als"))] == values(ideal)
    assert set(ideal["panel"].to_pylist()) == {"dcg"}
    assert drawn.data.num_rows == 2 * 4 * 20 + 20
    assert drawn.data.schema.metadata == expected.schema.metadata


def test_the_specification_has_the_data(drawn: recsql.Chart) -> None:
    def key(row: Mapping[str, Any]) -> tuple[str, str, int]:
        return row["metric"], row["model"] or "", row["k"]

    columns = drawn.data.column_names
    found = [{name: row[name] for name in columns} for row in in_spec(drawn.spec)]
    assert sorted(found, key=key) == sorted(drawn.data.to_pylist(), key=key)


def test_the_ideal_is_under_the_options_of_its_dcg() -> None:
    metrics = ["dcg(gain=binary)", "recall", "dcg(gain=exp2)", "dcg"]
    drawn = recsql.curve(RECS, TRUTH, metrics, k=[1, 5], discount="ln1p")
    expected = recsql.evaluate(RECS, TRUTH, ["idcg(gain=binary)", "idcg(gain=exp2)", "idcg"], [1, 5], discount="ln1p")
    of_dcg = ["dcg(gain=binary)", "dcg(gain=exp2)", "dcg"]
    for metric in of_dcg:
        ideal = of(drawn.data, line="ideal", panel=metric)["value"].to_pylist()
        assert ideal == pytest.approx(of(expected, metric=f"i{metric}", model="pop")["value"].to_pylist(), rel=1e-12)
    assert list(dict.fromkeys(drawn.data["panel"].to_pylist())) == [of_dcg[0], "recall", *of_dcg[1:]]
    assert drawn.spec["concat"][2]["title"] == {"text": "Discounted cumulative gain", "subtitle": "discount=ln1p, gain=exp2"}


def test_an_ideal_that_depends_on_the_model_is_drawn_for_each() -> None:
    drawn = recsql.curve(RECS, TRUTH, "dcg", k=[1, 5], no_recs="skip")
    expected = of(recsql.evaluate(RECS, TRUTH, ["dcg", "idcg"], [1, 5], no_recs="skip"), metric="idcg")
    assert values(of(drawn.data, line="own ideal")) == values(expected)
    assert of(drawn.data, line="ideal").num_rows == 0
    of_models, of_ideals = looks(drawn.spec)[:4], looks(drawn.spec)[4:]
    assert [colour for colour, *_ in of_ideals] == [colour for colour, *_ in of_models]
    assert {dash for *_, dash in of_ideals}.isdisjoint(dash for *_, dash in of_models)


def test_idcg_is_always_drawn_as_the_ideal_and_once() -> None:
    both = recsql.curve(RECS, TRUTH, ["idcg", "dcg"], k=[1, 5])
    assert values(both.data) == values(recsql.curve(RECS, TRUTH, "dcg", k=[1, 5]).data)
    assert set(both.data["panel"].to_pylist()) == {"dcg"}
    alone = recsql.curve(RECS, TRUTH, "idcg", k=[1, 5]).data
    assert (alone["panel"].to_pylist(), alone["line"].to_pylist()) == (["idcg"] * 2, ["ideal"] * 2)


def test_the_usual_metrics() -> None:
    metrics, usual = catalog().metrics, {name: option.default for name, option in catalog().options.items()}
    of_users = [name for name in catalog().metrics_of("user") if "by_name" not in metrics[name].header]
    possible = [name for name in of_users if not unmet(name, usual)]
    assert recsql.curve(RECS, TRUTH, "all", [1, 5]).data == recsql.curve(RECS, TRUTH, possible, [1, 5]).data
    assert recsql.curve(RECS, TRUTH, None, [1, 5]).data == recsql.curve(RECS, TRUTH, ["ndcg", "dcg"], [1, 5]).data


def test_another_librarys_name_is_hinted_at() -> None:
    with pytest.warns(UserWarning, match="^ndcg_cut is trec_eval's name, and its convention differs") as caught:
        recsql.curve(RECS, TRUTH, "ndcg_cut", [1, 5])
    assert len(caught) == 1


def test_of_some_users_alone() -> None:
    recs = pa.table({"user_id": [1, 2], "item_id": [7, 8], "rank": [1, 1]})
    truth = pa.table({"user_id": [1, 2], "item_id": [7, 7]})
    found = recsql.curve(recs, truth, ["ndcg", "idcg"], [1, 2], users=pa.table({"user_id": [1]})).data.to_pylist()
    assert [(row["metric"], row["line"], row["value"]) for row in found if row["k"] == 1] == [
        ("ndcg", "model", 1.0),
        ("idcg", "ideal", 1.0),
    ]


@pytest.mark.parametrize("k", [5, [5], "5"])
def test_one_cutoff_is_refused(k: Any) -> None:
    with pytest.raises(recsql.RecsqlError, match=r"^k: a curve needs several cut-offs, and this is one; give a range such as"):
        recsql.curve(RECS, TRUTH, "ndcg", k)


def test_what_is_no_metric() -> None:
    metrics: Any = 5
    with pytest.raises(recsql.RecsqlError, match=r"^metric 5 is not of the form name\(option=value\)@k$"):
        recsql.curve(RECS, TRUTH, metrics)


def test_a_metric_with_a_cutoff_is_refused() -> None:
    with pytest.raises(recsql.RecsqlError, match=r"^ndcg@10: a curve is drawn over every cut-off of k; leave @10 out$"):
        recsql.curve(RECS, TRUTH, ["dcg", "ndcg@10"])


# -- how it looks


def test_an_ideal_far_above_the_models_has_a_scale_of_its_own(drawn: recsql.Chart, named: recsql.Chart) -> None:
    above, below = drawn.spec["concat"][1]["vconcat"]
    assert {row["line"] for row in above["data"]["values"]} == {"ideal"}
    assert {row["line"] for row in below["data"]["values"]} == {"model"}
    assert {row["line"] for row in named.spec["concat"][1]["data"]["values"]} == {"model", "ideal"}


def test_no_two_lines_look_the_same() -> None:
    models = {str(i): [0.1, 0.2] for i in range(curve.MOST)}
    found = looks(curve.chart(made(models) + made({None: [1, 1]}, "ideal")))
    assert len({(colour, shape) for colour, shape, _ in found}) == len(found) == curve.MOST + 1
    assert len({(colour, dash) for colour, _, dash in found[:9]}) == 9
    assert (found[-1][0], found[-1][2]) == ("black", curve.IDEAL["dash"])
    with pytest.raises(recsql.RecsqlError, match="at most 42 models, not 43"):
        curve.chart(made(models | {"one more": [0.1, 0.2]}))


def test_the_picture_has_the_data(drawn: recsql.Chart) -> None:
    svg = picture(drawn.spec)
    points = [str(point.get("aria-label")).rpartition(": ") for point in marks(svg, "point")]
    expected = of(drawn.data, line="model").to_pylist()
    assert [about for about, *_ in points] == [f"{row['model']}, {row['metric']}@{row['k']}" for row in expected]
    assert [float(value) for *_, value in points] == pytest.approx([row["value"] for row in expected], rel=1e-14)
    assert len(marks(svg, "line mark")) == 4 + 4 + 1
    assert legend(svg) == ["als", "ease", "itemknn", "pop", "ideal"]


def test_an_undefined_value_is_a_gap() -> None:
    svg = picture(curve.chart(made({"a": [0.5, 0.6, None, 0.0, 0.2], "b": [None] * 5})))
    lines = [line for line in marks(svg, "line mark") if line.get("stroke") == curve.COLOURS[0]]
    assert [line.get("d", "").count("M") for line in lines] == [2]
    assert [point.get("aria-label") for point in marks(svg, "point")] == [
        "a, precision@1: 0.5", "a, precision@2: 0.6", "a, precision@4: 0", "a, precision@5: 0.2",
    ]  # fmt: skip


def texts(svg: ElementTree.Element, group: str) -> list[str]:
    """The texts of a group of marks, from the top down."""
    groups = [one for one in svg.iter("{http://www.w3.org/2000/svg}g") if group in one.get("class", "")]
    found = [one for each in groups for one in each.iter("{http://www.w3.org/2000/svg}text")]
    heights = [float(one.get("transform", "").partition(",")[2].rstrip(")")) for one in found]
    assert all(abs(a - b) > 10 for a, b in pairwise(sorted(heights)))
    return [one.text or "" for _, one in sorted(zip(heights, found, strict=True), key=lambda pair: pair[0])]


def test_up_to_eight_lines_have_their_names_at_their_ends() -> None:
    """In the order of the lines, apart from each other."""
    models = {"a": [0.1, 0.2], "b": [0.3, 0.9], "c": [0.1, 0.2], "d": [0.0, 0.5]}
    assert texts(picture(curve.chart(made(models))), "mark-text role-mark") == ["b", "d", "c", "a"]
    for few in ({"a": [0.1, 0.2]}, {str(i): [0.1, 0.2] for i in range(9)}):
        assert texts(picture(curve.chart(made(few))), "mark-text role-mark") == []


def test_the_axis_and_the_band_say_what_they_are() -> None:
    spec = recsql.curve(RECS, TRUTH, "ndcg(gain=exp2)", [1, 2], interval=0.9).spec["concat"][0]
    assert spec["encoding"]["y"]["title"] == "nDCG@k"
    assert spec["title"]["subtitle"] == "gain=exp2; bands: 90 % intervals"


def test_many_cutoffs_are_marked_sparsely() -> None:
    svg = picture(curve.chart(made({"a": [0.5] * 100})))
    places = [str(point.get("aria-label")).partition("@")[2].partition(":")[0] for point in marks(svg, "point")]
    assert sorted(map(int, places)) == list(range(10, 101, 10))
    assert marks(svg, "line mark")[0].get("d", "").count("L") == 99


def test_a_very_long_name_is_shortened() -> None:
    """To its beginning and its end: a drawing of all of it would be 32,000 pixels wide."""
    svg = picture(curve.chart(made({"a" * 5000: [0.1, 0.2], "a" * 4999 + "b": [0.1, 0.2]})))
    assert legend(svg) == ["a" * 270 + " \u2026 " + "a" * 26 + last for last in "ab"]
    assert float(svg.get("width", 0)) < 2500


def test_a_single_model_without_a_name_needs_no_legend() -> None:
    assert legend(picture(curve.chart(made({None: [0.1, 0.2]})))) == []
    assert legend(picture(curve.chart(made({None: [0.1, 0.2], "a": [0.1, 0.2]})))) == ["(no name)", "a"]


# -- names of models


def test_names_appear_as_given(named: recsql.Chart) -> None:
    models = list(dict.fromkeys(of(named.data, line="model")["model"].to_pylist()))
    assert sorted(models) == sorted(NAMES)
    assert legend(picture(named.spec)) == [*models, "ideal"]


def test_a_character_that_no_picture_can_have_is_marked() -> None:
    assert legend(picture(curve.chart(made({"a\0b\x1bc\ufffe\tT": [0.1], "d": [0.2]})))) == ["a\ufffdb\ufffdc\ufffd\tT", "d"]


def test_the_page_has_all_it_needs_and_no_name_breaks_out(named: recsql.Chart, tmp_path: Path) -> None:
    named.save(tmp_path / "curve.html")
    page = Page((tmp_path / "curve.html").read_text(encoding="utf-8"))
    of_numbers = ("table", "thead", "tbody", "tr", "th", "td")
    shown = [tag for tag, _ in page.elements]
    assert shown.count("td") == (1 + len(NAMES)) * len(of(named.data, line="model")) // len(NAMES)
    assert [tag for tag in shown if tag not in of_numbers] == [
        "html", "head", "meta", "title", "script", "body", "h1", "div", "script", "script",
    ]  # fmt: skip
    assert {name for _, attributes in page.elements for name in attributes} == {"lang", "charset", "id", "type", "style"}
    libraries, spec, call = page.scripts
    assert "vegaEmbed" in libraries
    assert json.loads(spec) == json.loads(json.dumps(named.spec))
    assert call.count("\n") == 2
    assert "url" not in json.loads(spec)["concat"][0]["data"]


# -- files, notebooks, the extra


def test_it_is_written_by_its_ending_and_shows_itself(drawn: recsql.Chart, tmp_path: Path) -> None:
    for ending in ("svg", "png", "html"):
        drawn.save(tmp_path / f"curve.{ending}")
    svg = drawn._repr_mimebundle_()["image/svg+xml"]
    assert (tmp_path / "curve.svg").read_text(encoding="utf-8") == svg
    png = (tmp_path / "curve.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    size = ElementTree.fromstring(svg).attrib
    assert [int.from_bytes(png[at : at + 4]) for at in (16, 20)] == [2 * int(size["width"]), 2 * int(size["height"])]
    again = tmp_path / "again"
    again.mkdir()
    for path in sorted(tmp_path.glob("curve.*")):
        drawn.save(again / path.name)
        assert (again / path.name).read_bytes() == path.read_bytes()


def test_a_file_is_written_whole_or_not_at_all(drawn: recsql.Chart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "curve.svg"
    path.write_text("precious")

    def half(path: Path, data: bytes) -> int:
        path.write_text(data[:10].decode())
        raise OSError("no space left")

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(recsql.RecsqlError, match=f"^{path}: it can't be written: no space left$"):
        drawn.save(path)
    with pytest.raises(recsql.RecsqlError, match=r"curve.pdf: the ending .* one of .svg, .png, .html$"):
        drawn.save(tmp_path / "curve.pdf")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("curve.svg", "precious")]


@pytest.fixture
def without_extra(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """As if vl-convert-python were not installed; yields the expected sentence."""
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    yield "a chart needs vl-convert-python, which is not installed; run pip install '.[plot]' in a checkout of recsql"


def test_without_the_extra_the_data_are_there_and_drawing_says_what_to_install(without_extra: str, tmp_path: Path) -> None:
    made_without = recsql.curve(RECS, TRUTH, "ndcg", k=[1, 2])
    assert (made_without.data.num_rows, len(in_spec(made_without.spec))) == (8, 8)
    with pytest.raises(recsql.RecsqlError) as saving:
        made_without.save(tmp_path / "curve.svg")
    with pytest.raises(recsql.RecsqlError) as showing:
        made_without._repr_mimebundle_()
    assert [str(saving.value), str(showing.value)] == [without_extra] * 2
    assert list(tmp_path.iterdir()) == []


def test_the_library_is_loaded_only_to_draw() -> None:
    text = f"import sys, recsql; recsql.curve({RECS!r}, {TRUTH!r}, 'ndcg', k=[1, 2]); print('vl_convert' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


# -- the command


def test_the_command_draws_what_the_function_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = tmp_path / "drawn.svg"
    flags = ("-m", "ndcg,dcg(gain=binary)", "-k", "1..5,10,20", "--discount", "ln1p", "--threads", "1")
    assert main(["curve", RECS, TRUTH, *flags, "-o", str(drawn)]) == 0
    expected = recsql.curve(RECS, TRUTH, ["ndcg", "dcg(gain=binary)"], [1, 2, 3, 4, 5, 10, 20], discount="ln1p")
    assert values_of(drawn) == values_of_spec(expected.spec)
    assert main(["curve", RECS, TRUTH, "-o", str(tmp_path / "default.svg")]) == 0
    assert len(values_of(tmp_path / "default.svg")) == 2 * 4 * 20
    assert capsys.readouterr() == ("", "")


def values_of(path: Path) -> list[tuple[str, float]]:
    """The value of each point in a picture, to the digits that do not depend on the number of threads."""
    points = [str(point.get("aria-label")).rpartition(": ") for point in marks(ElementTree.parse(path).getroot(), "point")]
    return [(about, round(float(value), 9)) for about, _, value in points]


def values_of_spec(spec: Mapping[str, Any]) -> list[tuple[str, float]]:
    models = [row for row in in_spec(spec) if row["line"] == "model"]
    return [(f"{row['model']}, {row['metric']}@{row['k']}", round(row["value"], 9)) for row in models]


def test_the_command_fails_before_it_computes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recsql, "evaluate", lambda *_, **__: pytest.fail("it was computed"))
    assert main(["curve", RECS, TRUTH, "-o", str(tmp_path / "curve.pdf")]) == 1
    assert main(["curve", RECS, TRUTH, "-o", str(tmp_path / "nowhere" / "curve.svg")]) == 1
    assert main(["curve", RECS, TRUTH, "-m", "dcg@5", "-o", str(tmp_path / "curve.svg")]) == 1
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    assert main(["curve", RECS, TRUTH, "-o", str(tmp_path / "curve.svg")]) == 1
    ending, folder, metric, extra = capsys.readouterr().err.splitlines()
    assert "curve.pdf: the ending of the file must name a format of charts; use one of .svg, .png, .html" in ending
    assert "does not exist; create it first" in folder
    assert "leave @5 out" in metric
    assert (
        extra
        == "recsql: a chart needs vl-convert-python, which is not installed; run pip install '.[plot]' in a checkout of recsql"
    )
    assert list(tmp_path.iterdir()) == []


def test_the_command_needs_a_file() -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["curve", RECS, TRUTH])
    assert stopped.value.code == 2


def test_ranges_of_cutoffs_in_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", RECS, TRUTH, "-m", "hit", "-k", "1..3, 5,10..10", "--format", "json"]) == 0
    assert [row["k"] for row in json.loads(capsys.readouterr().out) if row["model"] == "als"] == [1, 2, 3, 5, 10]


@pytest.mark.parametrize("text", ["5..1", "1..", "..3", "1...3", "1..2..3", "1..x", "-1..3"])
def test_what_is_no_range_is_refused(capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert main(["evaluate", RECS, TRUTH, f"-k={text}"]) == 1
    assert capsys.readouterr().err == f"recsql: -k: {text} is not a range of cut-offs; write it like 1..20\n"


@pytest.mark.parametrize("text", ["0..3", "1..1000001"])
def test_the_ends_of_a_range_are_cutoffs(capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert main(["evaluate", RECS, TRUTH, "-k", text]) == 1
    assert "k: a cut-off is a whole number from 1 to 1000000, or all; found" in capsys.readouterr().err
