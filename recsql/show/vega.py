"""A chart as a Vega-Lite specification: a panel per metric and a line per model, each with its colour, shape and dashes."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recsql.base.errors import RecsqlError
from recsql.catalog import catalog
from recsql.catalog.grammar import name_in
from recsql.query.results import Row

Key = tuple[str, str | None]  # the column `line`, and the model's name
Spec = dict[str, Any]

# Okabe and Ito 2008, without yellow (too faint on white) and black (used for the ideal).
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
DASHES = ((1, 0), (8, 5), (2, 5), (9, 5, 2, 5))
MOST = len(COLOURS) * len(SHAPES)  # models with distinct styles
IDEAL = {"color": "black", "shape": "M-1.5,-.1H-.5V.1H-1.5ZM.5,-.1H1.5V.1H.5Z", "dash": (6, 5)}
WIDTH, HEIGHT, ABOVE, GAP = 340, 260, 70, 22
LONGEST = 300  # the most characters of a name in a chart
MARKED = 20  # the most points on a line, and ticks of k, that do not overlap
NAMED = 8  # the most models with names at the ends of their lines
LINE = 16  # the height of a name
FAR = 4  # an ideal this many times above the best model would flatten the models' lines
UNDRAWABLE = "[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"  # compiled where it is used, because that takes 4 ms


def chart(rows: Sequence[Row], level: float | None = None) -> Spec:
    """The specification of the chart of `rows`; `level` is the coverage of their intervals."""
    keys = sorted(dict.fromkeys((row["line"], row["model"]) for row in rows), key=lambda key: key[0] != "model")
    models = [model for line, model in keys if line == "model"]
    if len(models) > MOST:
        raise RecsqlError(f"a curve can show at most {MOST} models, not {len(models)}; draw fewer at a time")
    looks = [look(key, models) for key in keys]
    names = [label(*key) for key in keys]
    panels: dict[str, list[Row]] = {}
    for row in rows:
        i = keys.index((row["line"], row["model"]))
        panels.setdefault(row["panel"], []).append({**row, "look": i, "dash": looks[i]["dash"], "name": names[i]})
    # The style goes by the position of a line, because its name may be any text.
    by_look = {"field": "look", "type": "nominal", "legend": legend(names, nameless=models == [None])}
    channels = {
        channel: {**by_look, "scale": {"domain": list(range(len(looks))), "range": [look[channel] for look in looks]}}
        for channel in ("color", "shape")
    }
    return {**part("chart"), "concat": [panel(found, channels, level) for found in panels.values()]}


def part(name: str, **filled: object) -> Spec:
    """A part of chart.json with the values `filled` in."""
    return {**json.loads(Path(__file__).with_name("chart.json").read_text("utf-8"))[name], **filled}


def panel(rows: Sequence[Row], channels: Spec, level: float | None) -> Spec:
    """The panel of one metric. If the ideal is much higher than the models, it gets its own axis, on top.

    Its title is the metric in words, and below it are the options that are not the default, and what the bands are.
    """
    models = [row for row in rows if row["line"] == "model"]
    ideals = [row for row in rows if row["line"] != "model"]
    shown = (models or ideals)[0]["definition"]  # of the metric itself, not of the ideal of dcg
    metric = name_in(shown)
    text, band = catalog().metrics[metric].header["title"], f"bands: {level * 100:g} % intervals" if level else ""
    subtitle = "; ".join(filter(None, [shown.removeprefix(metric).strip("()"), band]))
    title = {"text": f"{text[0].upper()}{text[1:]}", "subtitle": subtitle}
    axis = f"{'nDCG' if metric == 'ndcg' else metric}@k"
    highest, ideal = (max((row["value"] for row in of if row["value"] is not None), default=0) for of in (models, ideals))
    if models and ideal > FAR * highest:
        above = plot("ideal", ideals, channels, ABOVE)
        above["encoding"]["x"]["axis"] = None
        below = plot(axis, models, channels, HEIGHT - GAP - ABOVE)
        return {"title": title, "bounds": "flush", "spacing": GAP, "vconcat": [above, below]}
    return {"title": title} | plot(axis, rows, channels, HEIGHT)


def plot(y: str, rows: Sequence[Row], channels: Spec, height: int) -> Spec:
    """Lines over k, with points on the models' lines and a gap where a value is NULL."""
    ks = sorted({row["k"] for row in rows})
    marked = ks if len(ks) <= MARKED else ks[:: -(len(ks) * 2 // MARKED)]
    models = [row for row in rows if row["line"] == "model"]
    layers = [part("band")] if any(row.get("low") is not None for row in models) else []
    layers.append(part("line"))
    if models:
        pointed = f"datum.line == 'model' && indexof({marked}, datum.k) >= 0"
        layers.append({"mark": "point", "transform": [{"filter": pointed}], "encoding": {"shape": channels["shape"]}})
    last = sorted((row for row in models if row["k"] == ks[-1] and row["value"] is not None), key=lambda row: row["value"])
    if 1 < len(last) <= NAMED:  # names at the ends of the lines, from the lowest up, without overlap
        room, above, names = last[-1]["value"] * LINE / height, -1.0, []
        for row in last:
            above = max(row["value"], above + room)
            names.append({**row, "value": above, "name": shortened(row["name"])})
        layers.append(part("names", data={"values": names}))
    ticks = height // 45 + 2
    spec = part("plot", width=WIDTH, height=height, data={"values": list(rows)}, layer=layers)
    scale = {"domain": [ks[0], ks[-1]], "nice": False, "padding": 8}
    spec["encoding"]["x"] |= {"axis": part("axis of k", values=marked), "scale": scale}
    spec["encoding"]["y"] |= {"title": y, "axis": {"tickCount": ticks}, "scale": {"nice": ticks}}
    spec["encoding"]["color"] = channels["color"]
    return spec


def look(key: Key, models: Sequence[str | None]) -> Spec:
    """The style of a line.

    Each model has its colour and shape; dashes change when colours repeat. The ideal of one model has its colour.
    """
    line, model = key
    if line == "ideal":
        return IDEAL
    i = models.index(model)
    colour = COLOURS[i % len(COLOURS)]
    if line == "own ideal":
        return IDEAL | {"color": colour}
    return {"color": colour, "shape": SHAPES[i % len(SHAPES)], "dash": DASHES[i // len(COLOURS) % len(DASHES)]}


def legend(names: Sequence[str], *, nameless: bool) -> Spec | None:
    """The legend of the lines, with long names shortened; a single model without a name is left out."""
    named = list(range(nameless, len(names)))
    if not named:
        return None
    labels = [shortened(name) for name in names]
    columns = max(1, min(len(named), 2 * WIDTH // (max(map(len, labels)) * 7 + 45)))
    return part("legend", columns=columns, labelExpr=f"{json.dumps(labels)}[datum.value]", values=named)


def shortened(name: str) -> str:
    """A name that fits into a chart: the beginning and the end of a long one."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 30]} \u2026 {name[-27:]}"


def label(line: str, model: str | None) -> str:
    """The name of a line. Characters that XML can't contain, such as NUL, become the replacement character."""
    name = "(no name)" if model is None else re.sub(UNDRAWABLE, "\ufffd", model)
    return {"model": name, "own ideal": f"ideal of {name}", "ideal": "ideal"}[line]


def inline(spec: Spec) -> Spec:
    """The chart for a page, light or dark: texts in the colour of the page's text, no background, each mark in two shades."""
    colours = part("inline")

    def recoloured(value: Any) -> Any:
        if isinstance(value, dict):  # the values of a chart may be named like a colour
            return {name: one if name == "values" else recoloured(one) for name, one in value.items()}
        if isinstance(value, list):
            return [*map(recoloured, value)]
        return colours.get(value, value) if isinstance(value, str) else value

    return {name: recoloured(one) for name, one in spec.items()}
