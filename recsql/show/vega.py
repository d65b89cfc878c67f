"""A chart as a Vega-Lite specification: one panel per metric, one line per model, with distinct colours, shapes and dashes."""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from recsql.base.errors import RecsqlError
from recsql.catalog import catalog
from recsql.query.labels import metric_of
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
MARKED = 20  # the most points on a line, and ticks on the axis of k, that do not overlap
NAMED = 8  # the most models that are named at the ends of their lines
LINE = 16  # the height of such a name
FAR = 4  # times the best model's value: a higher ideal would flatten the models' lines
UNDRAWABLE = "[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"  # compiled where it is used: it takes 4 ms


def chart(rows: Sequence[Row], level: float | None = None) -> Spec:
    """The specification of the chart of `rows`; `level` is how much their intervals cover."""
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
    # A line's style goes by its position, and not by its name, which may be any text.
    by_look = {"field": "look", "type": "nominal", "legend": legend(names, nameless=models == [None])}
    channels = {
        channel: {**by_look, "scale": {"domain": list(range(len(looks))), "range": [look[channel] for look in looks]}}
        for channel in ("color", "shape")
    }
    constant = json.loads(Path(__file__).with_name("chart.json").read_text("utf-8"))
    return {**constant, "concat": [panel(found, channels, level) for found in panels.values()]}


BAND: Spec = {  # the interval of each value of a model
    "mark": {"type": "area", "fillOpacity": 0.15},
    "transform": [{"filter": "datum.line == 'model' && datum.low != null"}],
    "encoding": {"y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}},
}
TOLD = [{"field": field} for field in ("name", "metric", "k", "value", "users")]
ABOUT = "datum.name + ', ' + datum.metric + '@' + datum.k + ': ' + datum.value"  # for screen readers


def panel(rows: Sequence[Row], channels: Spec, level: float | None) -> Spec:
    """The panel of one metric. If the ideal is much higher than the models, it gets its own axis, on top."""
    models = [row for row in rows if row["line"] == "model"]
    ideals = [row for row in rows if row["line"] != "model"]
    shown = (models or ideals)[0]["definition"]  # of the panel's own metric, which the ideal of dcg stands beside
    metric = metric_of(shown)
    heading, axis = title(metric, shown, level), f"{'nDCG' if metric == 'ndcg' else metric}@k"
    if models and greatest(ideals) > FAR * greatest(models):
        above = plot("ideal", ideals, channels, ABOVE)
        above["encoding"]["x"]["axis"] = None
        below = plot(axis, models, channels, HEIGHT - GAP - ABOVE)
        return {"title": heading, "bounds": "flush", "spacing": GAP, "vconcat": [above, below]}
    return {"title": heading} | plot(axis, rows, channels, HEIGHT)


def title(metric: str, definition: str, level: float | None) -> Spec:
    """The metric in words, and below it the options that are not the default, and what the bands are."""
    text, options = catalog().metrics[metric].header["title"], definition.removeprefix(metric).strip("()")
    band = f"bands: {level * 100:g} % intervals" if level else ""
    return {"text": f"{text[0].upper()}{text[1:]}", "subtitle": "; ".join(filter(None, [options, band]))}


def greatest(rows: Iterable[Row]) -> float:
    return max((row["value"] for row in rows if row["value"] is not None), default=0)


def plot(y: str, rows: Sequence[Row], channels: Spec, height: int) -> Spec:
    """Lines over k, with points on the models' lines and a gap where a value is NULL."""
    ks = sorted({row["k"] for row in rows})
    marked = ks if len(ks) <= MARKED else ks[:: -(len(ks) * 2 // MARKED)]
    layers: list[Spec] = [BAND] if any(row["line"] == "model" and row.get("low") is not None for row in rows) else []
    layers += [{"mark": "line", "encoding": {"strokeDash": {"field": "dash", "type": "nominal", "scale": None}}}]
    if any(row["line"] == "model" for row in rows):
        pointed = f"datum.line == 'model' && indexof({marked}, datum.k) >= 0"
        layers.append({"mark": "point", "transform": [{"filter": pointed}], "encoding": {"shape": channels["shape"]}})
    layers += ends([row for row in rows if row["line"] == "model" and row["k"] == ks[-1]], height)
    axis = {"values": marked, "format": "d", "labelFlush": False, "labelOverlap": "greedy"}
    scale, ticks = {"domain": [ks[0], ks[-1]], "nice": False, "padding": 8}, height // 45 + 2
    return {
        "width": WIDTH,
        "height": height,
        "data": {"values": list(rows)},
        "transform": [{"calculate": ABOUT, "as": "about"}],
        "encoding": {
            "x": {"field": "k", "type": "quantitative", "title": "k", "axis": axis, "scale": scale},
            "y": {"field": "value", "type": "quantitative", "title": y, "axis": {"tickCount": ticks}, "scale": {"nice": ticks}},
            "color": channels["color"],
            "tooltip": TOLD,
            "description": {"field": "about"},
        },
        "layer": layers,
    }


def ends(last: Sequence[Row], height: int) -> list[Spec]:
    """The names of models at the ends of their lines, from the lowest up, apart from each other; none if they are too many."""
    lowest_first = sorted((row for row in last if row["value"] is not None), key=lambda row: row["value"])
    if not 1 < len(lowest_first) <= NAMED:
        return []
    room, above, labels = lowest_first[-1]["value"] * LINE / height, -1.0, []
    for row in lowest_first:
        above = max(row["value"], above + room)
        labels.append({**row, "value": above, "name": shortened(row["name"])})
    mark = {"type": "text", "align": "left", "baseline": "middle", "dx": 9, "fontSize": 12, "limit": 160}
    return [{"data": {"values": labels}, "mark": mark, "encoding": {"text": {"field": "name"}, "description": {"value": ""}}}]


def look(key: Key, models: Sequence[str | None]) -> Spec:
    """The style of a line.

    Colour and shape change per model, dashes when the colours repeat. An own ideal has the colour of its model.
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
    """The names of the lines, shortened if very long; a single model without a name is left out."""
    named = list(range(nameless, len(names)))
    if not named:
        return None
    labels = [shortened(name) for name in names]
    widest = max(map(len, labels)) * 7 + 45
    return {
        "title": None,
        "orient": "bottom",
        "columns": max(1, min(len(named), 2 * WIDTH // widest)),
        "labelExpr": f"{json.dumps(labels)}[datum.value]",
        "labelLimit": 0,
        "labelOffset": 8,
        "symbolLimit": 0,
        "values": named,
    }


def shortened(name: str) -> str:
    """A name that fits into a chart: its beginning and its end."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 30]} \u2026 {name[-27:]}"


def label(line: str, model: str | None) -> str:
    """The name of a line. Characters that XML can't contain, such as NUL, become the replacement character."""
    name = "(no name)" if model is None else re.sub(UNDRAWABLE, "\ufffd", model)
    return {"model": name, "own ideal": f"ideal of {name}", "ideal": "ideal"}[line]
