"""Charts of metrics over the cut-offs, to save or to display in a notebook."""

import json
import re
from collections.abc import Iterable, Sequence
from math import isclose

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.calls.call import Metrics, Table, average
from recsql.calls.open_call import opened, parse_settings
from recsql.catalog import catalog
from recsql.catalog.grammar import WHOLE, Asked, Cutoffs, Inner, cutoffs, name_in, parse_metric
from recsql.catalog.headers import Given
from recsql.catalog.options import parse_value
from recsql.display.drawing import Chart, Spec, drawable, part, shortened
from recsql.display.pivoted import side_by_side
from recsql.query.plan import LISTS_AND_ITEMS, has, written_out
from recsql.query.results import Row, metadata_of

METRICS = ("ndcg", "dcg")
CUTOFFS = range(1, 21)
Key = tuple[str, str | None]  # the column `line`, and the model's name

# Okabe and Ito 2008, without yellow (too faint on white) and black (used for the ideal).
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
DASHES = ((1, 0), (8, 5), (2, 5), (9, 5, 2, 5))
MOST = len(COLOURS) * len(SHAPES)  # models with distinct styles
IDEAL = {"color": "black", "shape": "M-1.5,-.1H-.5V.1H-1.5ZM.5,-.1H1.5V.1H.5Z", "dash": (6, 5)}
WIDTH, HEIGHT, ABOVE, GAP = 340, 260, 70, 22
LONGEST = 300  # the most characters of a name
MARKED = 20  # the most points on a line, and ticks of k, that do not overlap
NAMED = 8  # the most models with names at the ends of their lines
LINE = 16  # the height of a name
FAR = 4  # an ideal this many times above the best model would flatten the models' lines


def curve(recs: Table, truth: Table, metrics: Metrics = None, k: Cutoffs = CUTOFFS, **settings: Given) -> Chart:
    """Draws metrics over the cut-offs: one panel per metric, one line per model. Takes the arguments of `evaluate`.

    The panel of dcg also shows the ideal: idcg under the same options. If the ideal is much higher, it gets its own axis.

    Args:
        metrics: Metrics without a cut-off of their own, each once. By default ndcg and dcg.
        k: The cut-offs, 1 to 20 by default. The whole list ("all") is refused.

    Returns:
        The chart. Its `data` are the values drawn: model, metric, k, value and users as in `evaluate`, then panel and line.
        `panel` is the metric whose panel the row belongs to. `line` is "model", "ideal" (one line for all models, with model
        NULL) or "own ideal" (one line per model, where the ideals differ).
    """
    _, options = parse_settings(settings)
    if options.get("by") is not None:
        raise RecsqlError("by: a curve has a line for each model and none for segments; leave by= out")
    named = written_out(METRICS if metrics is None else metrics, options, LISTS_AND_ITEMS)
    like = settings.get("like") and str(parse_value(catalog().options["like"], settings["like"]))
    named = [one for one in named if metrics is not None or has(like, one)]
    asked = []
    for text in named:
        asked.append(parse_metric(text, like, at_k=True))
        if (k_of_metric := asked[-1].k) is not None:
            raise RecsqlError(f"{text}: a curve is drawn over every cut-off of k; leave @{k_of_metric} out")
    if WHOLE in cutoffs(k, []):
        raise RecsqlError("k: a curve can't show the whole list; give numbers, such as 1..20")
    if len(cutoffs(k, [])) == 1:
        raise RecsqlError("k: a curve needs several cut-offs, and this is one; give a range such as 1..20, or use evaluate")
    ideals: dict[str, str] = {Inner(Asked("idcg", one.options)): one.said for one in asked if one.metric == "dcg"}
    with opened({"recs": recs, "truth": truth}, LISTS_AND_ITEMS, settings, [*named, *ideals], k) as call:
        result = average(call)
    metadata = metadata_of(result)
    if len({one["definition"] for one in metadata["metrics"].values()}) < len(metadata["metrics"]):
        raise RecsqlError(f"metrics: two of {', '.join(named)} are the same; name each once")
    of_ideals = {column.heading for one in call.pipelines for column in one.columns if column.metric == "idcg"}
    rows = [
        {**row, "panel": ideals.get(row["metric"], row["metric"]), "line": "ideal" if row["metric"] in of_ideals else "model"}
        for row in result.to_pylist()
    ]
    panels = dict.fromkeys(ideals.get(one.said, one.said) for one in asked)
    drawn = [row for panel in panels for row in lines([row for row in rows if row["panel"] == panel])]
    columns = [*result.schema, pa.field("panel", pa.string()), pa.field("line", pa.string())]
    data = pa.Table.from_pylist(drawn, pa.schema(columns, result.schema.metadata))
    is_model = [row["line"] == "model" for row in drawn]
    of_models = data.filter(is_model) if any(is_model) else data
    title = f"{', '.join(dict.fromkeys(of_models['metric'].to_pylist()))} over k"
    return Chart(data, chart(drawn, metadata["options"][0]["interval"]), title, side_by_side(of_models))


def lines(rows: Iterable[Row]) -> list[Row]:
    """The rows of one panel. If all models have the same ideal, it appears once, without a model."""
    models: list[Row] = []
    ideals: dict[str | None, list[Row]] = {}
    for row in rows:
        (ideals.setdefault(row["model"], []) if row["line"] == "ideal" else models).append(row)
    first, *others = list(ideals.values()) or [[]]
    if all(same(first, other) for other in others):
        return models + [{**row, "model": None} for row in first]
    return models + [{**row, "line": "own ideal"} for ideal in ideals.values() for row in ideal]


def same(some: Sequence[Row], others: Sequence[Row]) -> bool:
    """Whether two lines are equal, but for last digits that depend on the order of summation."""
    return all(
        (a["k"], a["users"]) == (b["k"], b["users"]) and isclose(a["value"] or 0, b["value"] or 0, rel_tol=1e-9)
        for a, b in zip(some, others, strict=True)
    )


# -- the picture


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
    budget = next(iter(re.findall(r"budget=([^,)]+)", shown)), "")
    axis = f"{'nDCG' if metric == 'ndcg' else metric}{'' if budget else '@k'}"
    highest, ideal = (max((row["value"] for row in of if row["value"] is not None), default=0) for of in (models, ideals))
    if models and ideals and ideal > FAR * highest:
        above = plot("ideal", ideals, channels, ABOVE)
        above["encoding"]["x"]["axis"] = None
        below = plot(axis, models, channels, HEIGHT - GAP - ABOVE, budget)
        return {"title": title, "bounds": "flush", "spacing": GAP, "vconcat": [above, below]}
    return {"title": title} | plot(axis, rows, channels, HEIGHT, budget)


def plot(y: str, rows: Sequence[Row], channels: Spec, height: int, budget: str = "") -> Spec:
    """Lines over k, which is a `budget` if that has a name, with points on the models' lines and a gap where a value is NULL."""
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
            names.append({**row, "value": above, "name": shortened(row["name"], LONGEST)})
        layers.append(part("names", data={"values": names}))
    ticks = height // 45 + 2
    spec = part("plot", width=WIDTH, height=height, data={"values": list(rows)}, layer=layers)
    scale = {"domain": [ks[0], ks[-1]], "nice": False, "padding": 8}
    spec["encoding"]["x"] |= {"axis": part("axis of k", values=marked), "scale": scale} | ({"title": budget} if budget else {})
    spec["encoding"]["y"] |= {"title": y, "axis": {"tickCount": ticks}, "scale": {"nice": ticks}}
    spec["encoding"]["color"] = channels["color"]
    return spec


def look(key: Key, models: Sequence[str | None]) -> Spec:
    """The style of a line: each model has its colour and shape, and the ideal of one model has the model's colour."""
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
    labels = [shortened(name, LONGEST) for name in names]
    columns = max(1, min(len(named), 2 * WIDTH // (max(map(len, labels)) * 7 + 45)))
    return part("legend", columns=columns, labelExpr=f"{json.dumps(labels)}[datum.value]", values=named)


def label(line: str, model: str | None) -> str:
    """The name of a line."""
    return {"model": drawable(model), "own ideal": f"ideal of {drawable(model)}", "ideal": "ideal"}[line]
