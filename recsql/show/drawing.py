"""Charts that can be saved and that a notebook displays."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path
from string import Template
from types import ModuleType

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.package import to_install
from recsql.base.paths import whole
from recsql.show import output, vega


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
    spec: vega.Spec
    title: str
    numbers: pa.Table

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the chart as .svg, .png or .html, by the ending of the path.

        Raises:
            RecsqlError: If the ending is another one, the file can't be written, or the extra plot is not installed.
        """
        draw = drawer(path)
        with whole(str(path)) as beside:
            Path(beside).write_bytes(draw(self))

    def svg(self, *, inline: bool = False) -> str:
        """The picture as text; with `inline`, it has the colours of the page around it, light or dark, and no background.

        Raises:
            RecsqlError: If the extra plot is not installed.
        """
        return str(vl_convert().vegalite_to_svg(json.dumps(vega.inline(self.spec) if inline else self.spec)))

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """What a notebook displays."""
        return {"image/svg+xml": self.svg()}


def drawer(path: str | PathLike[str]) -> Callable[[Chart], bytes]:
    """The function that draws a chart in the format of the path's ending; raises RecsqlError if there is none."""
    ending = Path(path).suffix.lower()
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
    """A page with the chart and its numbers, and all its scripts inside.

    Unlike `vegalite_to_html` of the library, it escapes model names, so none can end a script.
    """
    title, safe = escape(chart.title), json.dumps(chart.spec).replace("<", r"\u003c")
    page, libraries = Template(Path(__file__).with_name("chart.html").read_text("utf-8")), vl_convert().javascript_bundle()
    return page.substitute(title=title, libraries=libraries, spec=safe, numbers=output.html(chart.numbers, most=None)).encode()


DRAWN: dict[str, Callable[[Chart], bytes]] = {
    ".svg": lambda chart: chart.svg().encode(),
    ".png": lambda chart: bytes(vl_convert().vegalite_to_png(json.dumps(chart.spec), scale=2)),
    ".html": html,
}
