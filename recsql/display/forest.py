"""A comparison or ranks as a forest plot: a panel per metric, with a row per pair of models, segment of users or model."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, count, pairwise
from math import ceil, isfinite
from textwrap import wrap
from typing import NamedTuple, TypeGuard
from unicodedata import east_asian_width

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.wording import said
from recsql.display.comparison import COLUMNS, Pair, Standing, pairs_of, settings_of, standings_of, table
from recsql.display.comparison_text import WORDS, test_lines
from recsql.display.drawing import Chart, Spec, drawable, part, shortened
from recsql.display.pivoted import RANKED, of_ranks, segment_of
from recsql.query.results import Row, in_words_of, metadata_of

WIDTH, NARROW, PLOT = 720, 480, 160  # the usual width, the one below which there are no numbers, and the least of a plot
ROW, GAP, INDENT, SPACE = 24, 8, 14, 18  # a row, what is above a model with segments and before their names, between columns
LONGEST = 32  # the most characters of a label
MOST, MOST_RANKED = 12, 40  # the most pairs of models in a panel, and the most models with ranks
POINT, RADIUS, ARROW = 64, 5.5, 45  # the area of a point, the gap of a line at a hollow point, the area of an arrow
THIN = " .,:;!|()[]fijlt"  # letters and marks of half a digit's width
COLOURS = {1: "#0072B2", -1: "#B84300", 0: "black"}  # if the model is shown to be better, worse, or neither


class Line(NamedTuple):
    """A row of a panel: the texts beside its point and interval, where these are, and how they look."""

    label: str
    numbers: tuple[str, str, str]
    y: float
    users: int
    at: float | None
    low: float | None
    high: float | None
    filled: bool
    about: str
    look: int = 0
    inner: bool = False  # a segment, below its model


class Columns(NamedTuple):
    """The places of columns in all panels, in pixels from the left of the plot: left ends of labels, right ends of others."""

    labels: float
    users: float | None
    plot: float
    numbers: Sequence[float]


def forest(comparison: pa.Table, *, width: int = WIDTH) -> Chart:
    """Draws a comparison as a forest plot: each difference as a point on its interval, beside a line at 0. Draws ranks likewise.

    Each metric has a panel with its own scale and a row per model and segment. A point is filled if the test shows what it looks
    for, else hollow. Without a baseline, the models are compared with the best one. A rank is filled if no other one is possible.

    Args:
        comparison: What `compare` or `rank` returned. Of more than 12 models, or 40 with ranks, the first ones are drawn.
        width: The approximate width of the picture in pixels. Below 480, there are no numbers beside the intervals.

    Returns:
        The chart. Its `data` are the comparison.

    Raises:
        RecsqlError: If the table is neither a comparison nor ranks, or has no rows.
    """
    if isinstance(comparison, pa.Table) and {*RANKED} <= {*comparison.column_names}:
        return forest_of_ranks(comparison, width)
    if not isinstance(comparison, pa.Table) or not {*COLUMNS} <= {*comparison.column_names} or not comparison.num_rows:
        raise RecsqlError("comparison: it has no pairs of models; give the table that recsql.compare returns for two or more")
    settings, standings = settings_of(comparison), standings_of(comparison)
    slices = [*dict.fromkeys(comparison["slice"].drop_null().to_pylist())] if "slice" in comparison.column_names else []
    seen = {one.pairs[0].at: seen_from(one) for one in standings}
    margin = 0.0 - settings.margin if settings else 0.0
    lines = {at: [*lines_of(reference, pairs, slices, margin)] for at, (reference, pairs) in seen.items()}
    interval = f"{100 * settings.interval:g} % interval" if settings else "interval"
    with in_words_of(comparison):
        header = (short(slices[0]) if len(slices) == 1 else "", said("users"), "difference", interval)
        beside = table(comparison)
    columns = columns_of([*chain(*lines.values())], header, width)
    panels = []
    markers = [{"at": 0, "dash": [1, 0]}, *([{"at": margin, "dash": [5, 4]}] if margin else [])]
    for at, (reference, pairs) in seen.items():
        title = f"{at}: difference" if reference is None else f"{at}: difference from {short(reference)}"
        down, up = WORDS[pairs[0].orientation][::-1]
        texts = (title, f"\u2190 {down}", f"{up} \u2192", *header)
        axis = {"tickCount": min(max(2, columns.plot // 60), 6)}
        panels.append(panel(texts, lines[at], columns, domain(lines[at], margin), markers, axis))
    notes = ["\u25cf shown by the test, \u25cb not shown."]
    if margin:
        notes.append(f"Dashed: a difference of {minus(f'{margin:g}')}.")
    if settings:
        notes += test_lines(pairs_of(comparison), settings)
    if (many := max(len({(pair.model, pair.baseline) for pair in pairs}) for _, pairs in seen.values())) > MOST:
        notes.append(f"The first {MOST} of {many:,} pairs of models are drawn; the table of the comparison has all.")
    return Chart(comparison, together(panels, notes, width), f"Differences in {', '.join(seen)}", beside)


def forest_of_ranks(ranks: pa.Table, width: int) -> Chart:
    """The picture of ranks, with a thin line above the first model of each tier but the highest."""
    beside, each = of_ranks(ranks), dict[str, list[Row]]()
    for row, shown in zip(ranks.to_pylist(), beside.to_pylist(), strict=True):
        if row["rank"] is not None:  # else the model lacks a value on some data set
            each.setdefault(shown["metric"], []).append(row | {"at": shown["metric"], "ranks": shown["rank"]})
    if not each:
        raise RecsqlError("ranks: no model has one; give what recsql.rank returns for models with a value on each data set")
    lines = {at: [*map(line_of_rank, found[:MOST_RANKED], count())] for at, found in each.items()}
    header = ("", said("users"), "value", "rank")
    columns, panels = columns_of([*chain(*lines.values())], header, width), list[Spec]()
    for at, found in each.items():
        axis = {"values": [*range(1, len(found) + 1, ceil(ROW * len(found) / columns.plot))], "format": "d"}
        panels.append(panel((f"{at}: rank", "", "", *header), lines[at], columns, (0.5, len(found) + 0.5), (), axis))
        tiers = [{"y": ROW * i} for i, (above, row) in enumerate(pairwise(found[:MOST_RANKED]), 1) if row["tier"] > above["tier"]]
        panels[-1]["layer"].append(part("tiers", data={"values": tiers}))
    notes = ["\u25cf one rank, \u25cb several are possible.", *metadata_of(ranks).get("told", ())]
    if (many := max(map(len, each.values()))) > MOST_RANKED:
        notes.append(f"The first {MOST_RANKED} of {many:,} models are drawn; the table of the ranks has all.")
    return Chart(ranks, together(panels, notes, width), f"Ranks on {', '.join(each)}", beside)


def together(panels: Sequence[Spec], notes: Sequence[str], width: int) -> Spec:
    """The panels, above the notes."""
    return part("forest", title=part("notes", text=[line for note in notes for line in wrap(note, width // 6)]), vconcat=panels)


def line_of_rank(row: Row, place: int) -> Line:
    value = f"{row['value']:.4f}" + ("" if row["low"] is None else f" [{row['low']:.4f}, {row['high']:.4f}]")
    about, is_one = f"{row['model']}, {row['at']}: {value}, rank {row['ranks']}", row["rank_low"] == row["rank_high"]
    texts, ends = (minus(value), "", row["ranks"]), (row["rank"], row["rank_low"], row["rank_high"])
    return Line(short(row["model"]), texts, (place + 0.5) * ROW, row["users"] or 0, *ends, is_one, about)


def seen_from(standing: Standing) -> tuple[str | None, Sequence[Pair]]:
    """The model that the others are compared with, and the pairs from their side; without one, all pairs."""
    baselines = {pair.baseline for pair in standing.pairs}
    if len(baselines) == 1:
        return baselines.pop(), standing.pairs
    best = Standing(standing.settings, [pair for pair in standing.pairs if pair.slice is None]).best[:1]
    if not best or (standing.settings and standing.settings.alternative != "two_sided"):
        return None, standing.pairs
    of_best = (pair for pair in standing.pairs if best[0] in (pair.model, pair.baseline))
    return best[0], [pair.turned if pair.model == best[0] else pair for pair in of_best]


def lines_of(reference: str | None, pairs: Sequence[Pair], slices: Sequence[str], margin: float) -> Iterator[Line]:
    """The rows of the first models, each with its segments."""
    models, y = list[tuple[str, str]](), ROW / 2
    for pair in pairs:
        if (names := (pair.model, pair.baseline)) not in models:
            if len(models) == MOST:
                break
            y += GAP * bool(models and slices)
            models.append(names)
        label = short(pair.model) if reference is not None else " \u2212 ".join(short(name, LONGEST // 2) for name in names)
        if pair.slice is not None:
            segment = segment_of(pair.slice, pair.segment)
            label = short(segment if len(slices) == 1 else f"{pair.slice} = {segment}")
        difference, low, high, *_ = *minus(pair.difference_text).split(), "", "", ""
        about, inner = f"{pair.model} and {pair.baseline}, {pair.on}: {pair.difference_text}", pair.slice is not None
        ends = (pair.difference, pair.low, pair.high)
        yield Line(label, (difference, low, high), y, pair.users, *ends, pair.is_shown, about, look(pair, margin), inner)
        y += ROW


def columns_of(lines: Sequence[Line], header: Sequence[str], width: int) -> Columns:
    """Columns as wide as their texts, with one for users if their number differs, and a plot in the rest of the room."""
    labels = max(room(header[0]), *(room(line.label) + INDENT * line.inner for line in lines)) + SPACE
    counts = {line.users for line in lines}
    users = max(room(header[1]), room(f"{max(counts):,}")) + SPACE if len(counts) > 1 else 0.0
    difference, low, high = (max(map(room, texts)) for texts in zip(*(line.numbers for line in lines), strict=True))
    difference, high = max(difference, room(header[2])) + SPACE, high + SPACE / 2
    numbers = [] if width < NARROW else [difference, max(low, room(header[3]) - high) + SPACE, high]
    plot = max(PLOT, width - labels - users - sum(numbers))
    return Columns(-labels - users, -SPACE if users else None, plot, [*accumulate(numbers, initial=plot)][1:])


def panel(
    texts: Sequence[str], lines: Sequence[Line], columns: Columns, ends: tuple[float, float], markers: Sequence[Spec], axis: Spec
) -> Spec:
    """The panel of one metric: its title, what both sides mean and the headings of the columns, then the rows."""
    title, left, right, heading, users, *further = texts
    low, high = ends
    intervals, points = list[Spec](), list[Spec]()
    shown = [text(title, columns.labels, -36, bold=True), text(heading, columns.labels, -12, dim=True)]
    shown += [text(left, 0, -12, dim=True), text(right, columns.plot, -12, "right", dim=True)]
    shown += [text(users, columns.users, -12, "right", dim=True)] if columns.users is not None else []
    shown += [text(one, x, -12, "right", dim=True) for one, x in zip(further, columns.numbers[::2], strict=False)]
    is_sliced = any(one.inner for one in lines)
    for one in lines:
        y = one.y
        shown.append(text(one.label, columns.labels + INDENT * one.inner, y, bold=is_sliced and not one.inner))
        shown += [text(f"{one.users:,}", columns.users, y, "right", dim=True)] if columns.users is not None else []
        shown += [text(number, x, y, "right") for number, x in zip(one.numbers, columns.numbers, strict=False)]
        if not is_number(one.at):
            continue
        line = {"y": y, "look": one.look, "filled": one.filled, "size": POINT, "shape": "circle", "about": drawable(one.about)}
        points.append({**line, "at": one.at})
        if not is_number(one.low) or not is_number(one.high):
            continue
        start, end, free = max(one.low, low), min(one.high, high), RADIUS * (high - low) / columns.plot
        hollow = ((start, one.at - free), (one.at + free, end))
        spans = [(start, end)] if one.filled else [(left, right) for left, right in hollow if left < right]
        intervals += [{**line, "low": left, "high": right} for left, right in spans]
        cut = [(low, "triangle-left")] * (one.low < low) + [(high, "triangle-right")] * (one.high > high)
        points += [{**line, "at": at, "filled": True, "size": ARROW, "shape": shape} for at, shape in cut]
    spec = part("forest panel", width=columns.plot, height=lines[-1].y + ROW / 2)
    spec["encoding"]["x"]["scale"]["domain"] = [low, high]
    spec["encoding"]["x"]["axis"] |= axis
    colour = {"field": "look", "type": "nominal", "legend": None, "scale": {"domain": [*COLOURS], "range": [*COLOURS.values()]}}
    layers = {"marker": markers, "interval": intervals, "difference": points, "texts": shown}
    spec["layer"] = [part(name, data={"values": values}) for name, values in layers.items()]
    for layer in spec["layer"][1:3]:
        layer["encoding"] |= dict.fromkeys(("fill", "stroke"), colour)
    return spec


def domain(lines: Sequence[Line], margin: float) -> tuple[float, float]:
    """The ends of the scale: all differences and the intervals of all users; those of segments may treble it, and are cut."""
    whole = [end for one in lines if not one.inner for end in (one.low, one.high)]
    inner = [*filter(is_number, [*whole, *(one.at for one in lines)]), 0.0, margin]
    every = [*filter(is_number, (end for one in lines for end in (one.low, one.high))), *inner]
    low, high = max(min(every), 2 * min(inner) - max(inner)), min(max(every), 2 * max(inner) - min(inner))
    edge = 0.03 * (high - low) or 0.01
    return low - edge, high + edge


def look(pair: Pair, margin: float) -> int:
    """1 if the model is shown to be better, -1 if worse, else 0. From the other model's side, the row's verdict stays."""
    if not pair.is_shown or pair.verdict == "differs" or pair.difference is None:
        return 0
    return pair.orientation if pair.difference > margin else -pair.orientation


def text(text: str, x: float, y: float, align: str = "left", *, bold: bool = False, dim: bool = False) -> Spec:
    return {"text": text, "x": x, "y": y, "align": align, "weight": 600 if bold else 400, "opacity": 0.75 if dim else 1}


def room(text: str) -> float:
    """The approximate width of a text in a chart, with some room for fonts wider than Arial."""
    widths = [13.0 if east_asian_width(one) in "WF" else 4.6 if one in THIN else 9.4 if one.isupper() else 7.9 for one in text]
    return sum(widths)


def short(name: str | None, longest: int = LONGEST) -> str:
    """A name that fits into a label."""
    return shortened(drawable(name), longest)


def minus(number: str) -> str:
    """A number with minus signs that are as wide as a plus sign."""
    return number.replace("-", "\u2212")


def is_number(number: float | None) -> TypeGuard[float]:
    return number is not None and isfinite(number)
