"""The report in a browser. If it fails, a person sees cut text, has to scroll sideways, or can't sort a table."""

import json
import re
import shutil
import subprocess
from html import escape
from pathlib import Path
from typing import Any

import pytest

import recsql

pytestmark = pytest.mark.browser
EXAMPLE = Path(__file__).parents[2] / "examples/movietweetings"
LOOK = """
const frame = document.querySelector("iframe"), page = frame.contentDocument, view = frame.contentWindow;
page.querySelectorAll("details").forEach((one) => { one.open = true; });
const inline = (one) => view.getComputedStyle(one).display === "inline";
const wide = (one) => one.scrollWidth > one.clientWidth + 1 && !one.closest(".scroll, pre, svg") && !inline(one);
const box = page.documentElement;
const cut = [...page.querySelectorAll("figure svg text")].filter((one) => {
    const text = one.getBoundingClientRect(), all = one.ownerSVGElement.getBoundingClientRect();
    return text.width && (text.left < all.left - 1 || text.right > all.right + 1);
});
const table = page.querySelector("table.sorts");
const names = () => [...table.tBodies[0].rows].map((row) => row.cells[0].textContent.trim());
const before = names();
table.tHead.rows[0].cells[2].querySelector("button").click();
const down = names();
table.tHead.rows[0].cells[2].querySelector("button").click();
document.title = JSON.stringify({
    overflow: box.scrollWidth - box.clientWidth,
    wide: [...page.querySelectorAll("main *")].filter(wide).map((one) => one.outerHTML.slice(0, 80)),
    cut: cut.map((one) => one.textContent),
    background: view.getComputedStyle(page.body).backgroundColor,
    text: view.getComputedStyle(page.body).color,
    fills: [...page.querySelectorAll("figure svg text")].map((one) => view.getComputedStyle(one).fill),
    requests: view.performance.getEntriesByType("resource").length,
    before, down, up: names(),
});
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    recs, truth, items = (EXAMPLE / f"{name}.parquet" for name in ("recs", "truth", "items"))
    return recsql.report(recs, truth, k=10, baseline="pop", items=items, conventions=False, out=None).html


STRICT = """
const frame = document.querySelector("iframe"), page = frame.contentDocument, view = frame.contentWindow;
page.querySelectorAll("details").forEach((one) => { one.open = true; });
const look = (one, what) => view.getComputedStyle(one)[what];
const filled = (point) => look(point, "fill") !== "none";
const drawn = (one) => look(one, "stroke") !== "none" && one.getBoundingClientRect().width > 0;
document.title = JSON.stringify({
    styled: look(page.querySelector("main"), "maxWidth") !== "none",
    points: [...page.querySelectorAll("table.forest circle")].map(filled),
    intervals: [...page.querySelectorAll("table.forest g line")].every(drawn),
    heights: [...page.querySelectorAll("main svg:not(figure svg)")].map((one) => one.getBoundingClientRect().height),
    bars: [...page.querySelectorAll(".bar rect")].map((one) => one.getBoundingClientRect().width),
});
"""


def look(page: str, width: int, scheme: str, folder: Path, script: str = LOOK) -> Any:
    """What a browser sees in a frame of some width, in a light or dark scheme."""
    chromium = shutil.which("chromium")
    assert chromium, "install chromium"
    frame = f'<iframe srcdoc="{escape(page)}" style="width:{width}px;height:800px;border:0"></iframe>'
    file = folder / "look.html"
    file.write_text(f'<!DOCTYPE html><meta charset="utf-8"><body>{frame}<script>onload = () => {{{script}}};</script></body>')
    settings = f"--blink-settings=preferredColorScheme={int(scheme == 'light')}"
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile", settings, "--dump-dom"]
    shown = subprocess.run([chromium, *flags, file.as_uri()], check=True, capture_output=True, text=True, timeout=120).stdout
    found = re.search(r"<title>(.*?)</title>", shown, re.DOTALL)
    assert found is not None, shown[:500]
    return json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


@pytest.mark.parametrize(("width", "scheme"), [(400, "light"), (800, "dark"), (1200, "light")])
def test_it_fits_and_sorts(page: str, width: int, scheme: str, tmp_path: Path) -> None:
    seen = look(page, width, scheme, tmp_path)
    assert (seen["overflow"], seen["wide"], seen["cut"], seen["requests"]) == (0, [], [], 0)
    assert seen["before"][0].startswith("pop")
    assert [name.removesuffix("baseline").strip() for name in seen["down"]] == ["pop", "ease", "als", "itemknn"]
    assert seen["up"] == seen["down"][::-1]
    light = sum(map(int, re.findall(r"\d+", seen["background"])[:3])) > 600
    assert light == (scheme == "light")
    assert seen["text"] in seen["fills"]
    assert "rgb(0, 0, 0)" not in seen["fills"]


def test_a_server_that_forbids_styles_changes_no_result(page: str, tmp_path: Path) -> None:
    """As Jenkins serves artifacts: without styles and scripts, undecided differences are still hollow, and decided ones not."""
    policy = re.compile(r'(<meta http-equiv="Content-Security-Policy" content=")[^"]*')
    strict = policy.sub(r"\1default-src 'none'; img-src 'self'; style-src 'self'", page)
    assert strict != page
    seen, usual = (look(one, 1200, "light", tmp_path, STRICT) for one in (strict, page))
    assert (seen["styled"], usual["styled"]) == (False, True)
    shown = [look != "hollow" for look in re.findall(r'<g class="(\w+)" stroke', page)]
    assert seen["points"] == shown
    assert {*shown} == {True, False}
    assert seen["intervals"]
    assert {*seen["heights"]} == {8, 22}
    assert seen["bars"] == pytest.approx(usual["bars"], abs=0.01)


def test_it_prints_on_few_pages(page: str, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(page)
    chromium, printed = shutil.which("chromium"), tmp_path / "report.pdf"
    assert chromium, "install chromium"
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile"]
    command = [chromium, *flags, f"--print-to-pdf={printed}", (tmp_path / "report.html").as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    pages = len(re.findall(rb"/Type\s*/Page\b", printed.read_bytes()))
    assert 1 <= pages <= 12
