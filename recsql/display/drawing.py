"""Charts that can be saved and that a notebook displays, and what their specifications share."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path
from string import Template
from types import ModuleType
from typing import Any

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.package import to_install
from recsql.base.paths import path_text, whole
from recsql.base.text import escape_controls
from recsql.display import output

Spec = dict[str, Any]  # a Vega-Lite specification, or a part of one
UNDRAWABLE = "[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"  # compiled where it is used, because that takes 4 ms


@dataclass(frozen=True, repr=False)
class Chart:
    """A chart, as `curve` and `forest` return it.

    Attributes:
        data: The values drawn.
        spec: The chart as a Vega-Lite specification.
        title: The subject of the chart in words.
        numbers: The table that a page shows under it.
    """

    data: pa.Table
    spec: Spec
    title: str
    numbers: pa.Table

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the chart as .svg, .png or .html, by the ending; RecsqlError for another one, or without the extra plot."""
        draw = drawer(path)
        with whole(path) as beside:
            Path(beside).write_bytes(draw(self))

    def svg(self, *, inline: bool = False) -> str:
        """The picture as text; with `inline`, in the colours of the page around it. Raises RecsqlError without the extra plot."""
        return str(vl_convert().vegalite_to_svg(json.dumps(in_page(self.spec) if inline else self.spec)))

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """What a notebook displays."""
        return {"image/svg+xml": self.svg()}


def drawer(path: str | PathLike[str]) -> Callable[[Chart], bytes]:
    """The function that draws a chart in the format of the path's ending; raises RecsqlError if there is none."""
    ending = Path(path_text(path)).suffix.lower()
    if ending not in DRAWN:
        raise RecsqlError(f"{path}: the ending of the file must name a format of charts; use one of {', '.join(DRAWN)}")
    vl_convert()
    return DRAWN[ending]


def vl_convert() -> ModuleType:
    """The Vega project's drawing library; it needs no display, browser or network."""
    try:
        import vl_convert
    except ImportError:
        raise RecsqlError(f"a chart needs vl-convert-python, which is not installed; {to_install('plot')}") from None
    return vl_convert


def html(chart: Chart) -> bytes:
    """A page with the chart and all its scripts. Unlike `vegalite_to_html`, it escapes model names, so none can end a script."""
    title, safe = escape(chart.title), json.dumps(chart.spec).replace("<", r"\u003c")
    page, libraries = Template(Path(__file__).with_name("chart.html").read_text("utf-8")), vl_convert().javascript_bundle()
    return page.substitute(title=title, libraries=libraries, spec=safe, numbers=output.html(chart.numbers, most=None)).encode()


DRAWN: dict[str, Callable[[Chart], bytes]] = {
    ".svg": lambda chart: chart.svg().encode(),
    ".png": lambda chart: bytes(vl_convert().vegalite_to_png(json.dumps(chart.spec), scale=2)),
    ".html": html,
}


# -- specifications


def part(name: str, **filled: object) -> Spec:
    """A part of chart.json with the values `filled` in."""
    return {**json.loads(Path(__file__).with_name("chart.json").read_text("utf-8"))[name], **filled}


def drawable(model: str | None) -> str:
    """The name of a model. Those that XML can't contain, such as NUL, are replaced, and other control characters escaped."""
    return "(no name)" if model is None else escape_controls(re.sub(UNDRAWABLE, "\ufffd", model), but="\t\n")


def shortened(name: str, longest: int) -> str:
    """A name that fits into a chart: the beginning and the end of a long one."""
    end = min(27, longest // 2 - 3)
    return name if len(name) <= longest else f"{name[: longest - end - 3]} \u2026 {name[-end:]}"


def in_page(spec: Spec) -> Spec:
    """The chart for a page, light or dark: texts in the colour of the page's text, no background, each mark in two shades."""
    colours = part("inline")

    def recoloured(value: Any) -> Any:
        if isinstance(value, dict):  # the values of a chart may be named like a colour
            return {name: one if name == "values" else recoloured(one) for name, one in value.items()}
        if isinstance(value, list):
            return [*map(recoloured, value)]
        return colours.get(value, value) if isinstance(value, str) else value

    return {name: recoloured(one) for name, one in spec.items()}
