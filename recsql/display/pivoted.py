"""Results in the shape that people read, with models or metrics side by side."""

from collections import Counter
from collections.abc import Iterable
from math import inf

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.wording import said
from recsql.catalog import catalog
from recsql.catalog.grammar import labelled, name_in
from recsql.catalog.slice_names import NONE
from recsql.display.output import TO_THE_RIGHT, cell, cells
from recsql.query.results import INTERVAL, Row, metadata_of

ALL = "all"  # the segment of all users
KEYS = ("model", "baseline", "preset", "fold", "dataset", "slice", "segment")  # what identifies a value of a metric at a cut-off
BETTER = {"higher": 1, "lower": -1, "neither": 0}  # values of the key `better` in headers of metrics
RANKED = ("metric", "model", "value", "rank", "tier", "borda", "firsts")  # what people see of ranks
MARK = "^"  # before the best value


def refuse_twice(result: pa.Table) -> None:
    """Raises RecsqlError if a value of a metric is there twice, of which a table can show only one."""
    names = [name for name in (*KEYS, "k", "metric") if name in result.column_names]
    for key, count in Counter(zip(*(result[name].to_pylist() for name in names), strict=True)).items():
        if count > 1:
            row = dict(zip(names, key, strict=True))
            of_model = "" if row.get("model") is None else f" of {row['model']}"
            said = f"{labelled(row['metric'], row.get('k'))}{of_model} is there {count} times"
            raise RecsqlError(f"result: {said}; recsql.concat({{'name': result, ...}}) names the results apart")


def best_first(result: pa.Table, metric: str) -> pa.Table:
    """The rows by model, that with the best value of a metric first; raises RecsqlError if there is no such metric."""
    rows = result.to_pylist()
    of_metric = {row["model"]: row for row in rows if labelled(row["metric"], row["k"]) == metric}
    if not of_metric:
        there = dict.fromkeys(labelled(row["metric"], row["k"]) for row in rows)
        raise RecsqlError(f"sort: there is no {metric!r} in this result; choose one of {', '.join(there)}")
    place = {model: n for n, model in enumerate(sorted(of_metric, key=lambda model: -goodness(of_metric[model])))}
    return result.take(sorted(range(len(rows)), key=lambda n: place.get(rows[n]["model"], len(rows))))


def orientation_of(definition: str) -> int:
    """1 if higher values of a metric are better, -1 if lower ones are, 0 if neither are."""
    return BETTER[catalog().metrics[name_in(definition)].header.get("better", "higher")]


def goodness(row: Row) -> float:
    """The value of a row, turned so that higher is better; the lowest number if there is none."""
    return -inf if row["value"] is None else orientation_of(row["definition"]) * row["value"]


def side_by_side(result: pa.Table, *, marked: bool = False) -> pa.Table:
    """The rows of `evaluate` with a column per model, and a column `users` if rows differ in their number of users.

    With slices, there are also the segment and its share of the users. If models differ in users or shares, each has its own
    columns for them. The best values can be `marked`.
    """
    rows, is_sliced = result.to_pylist(), "slice" in result.column_names
    models = list(dict.fromkeys(row["model"] for row in rows))
    found: dict[tuple[str, ...], dict[str | None, Row]] = {}
    for row in rows:
        segment = (row["slice"] or "", segment_of(row["slice"], row["segment"])) if is_sliced else ()
        found.setdefault((labelled(row["metric"], row["k"]), *segment), {})[row["model"]] = row
    metrics = [metric for metric, *_ in found]
    keys = sorted(found, key=lambda key: metrics.index(key[0]))
    lines = [found[key] for key in keys]
    names = ("metric", "slice", "segment") if is_sliced else ("metric",)
    columns: list[tuple[str, list[object]]] = [(name, [key[place] for key in keys]) for place, name in enumerate(names)]
    users = {model: [line[model]["users"] if model in line else None for line in lines] for model in models}
    differ = len({count for counts in users.values() for count in counts} - {None}) > 1
    apart = differ and any(counts != users[models[0]] for counts in users.values())
    goods = [[*map(goodness, line.values())] if marked else () for line in lines]
    best = [max(values) if len({*values}) > 1 else inf for values in goods]
    for model in models:
        texts = [(value_text(line[model]), goodness(line[model])) if model in line else (None, None) for line in lines]
        pairs = zip(texts, best, strict=True)
        values: list[object] = [f"{MARK}{cell(text)}" if good == most else text for (text, good), most in pairs]
        columns.append(("value" if model is None else model, [*map(cell, values)] if marked else values))
        columns += [(said("users"), users[model])] if apart else []
    columns += [(said("users"), users[models[0]])] if differ and not apart else []
    if is_sliced:
        shares = {model: [line[model]["share"] if model in line else None for line in lines] for model in models}
        alike = all(of_model == shares[models[0]] for of_model in shares.values())
        columns += [("share", shares[models[0]])] if alike else [(f"share of {model}", shares[model]) for model in models]
    return pa.table([values for _, values in columns], names=[name for name, _ in columns])


def models_as_rows(table: pa.Table) -> pa.Table:
    """Turns a table with a column per model into one with a row per model."""
    [_, *models], lines = cells(table)
    fields = [pa.field(metric, pa.string(), metadata=TO_THE_RIGHT) for metric, *_ in lines]
    columns = [models, *(values for _, *values in lines)]
    return pa.table([pa.array(column, pa.string()) for column in columns], pa.schema([pa.field("model", pa.string()), *fields]))


def value_text(row: Row) -> float | str | None:
    """The value of a row, with its interval as in 0.0373 [0.0319, 0.0437], and an asterisk if users are few."""
    value: float | str | None = row["value"]
    if "low" not in row or value is None:
        return value
    interval = "" if row["low"] is None else f" [{cell(row['low'])}, {cell(row['high'])}]"
    return f"{cell(value)}{interval}{'*' if row.get('few') else ''}"


def segment_of(name: str | None, segment: str | None) -> str:
    return ALL if name is None else NONE if segment is None else str(segment)


def by_fold(result: pa.Table, column: str) -> pa.Table:
    """The rows of `evaluate` with folds or data sets: the lines of each, then of the means, with their interval or spread."""
    parts = []
    for fold in dict.fromkeys(result[column].to_pylist()):
        rows = [row for row in result.to_pylist() if row[column] == fold]
        if fold is None and all(row.get("std_error") is None for row in rows):
            plain = [{name: value for name, value in row.items() if name not in INTERVAL} for row in rows]
            rows = [{**row, "value": f"{cell(row['value'])} ± {cell(row['spread'])}"} for row in plain]
        lines = side_by_side(pa.Table.from_pylist(rows)).to_pydict()
        folds = ["mean" if fold is None else str(fold)] * len(lines["metric"])
        parts.append(pa.table({column: folds, **{name: [*map(cell, values)] for name, values in lines.items()}}))
    return pa.concat_tables(parts, promote_options="default")


def by_preset(result: pa.Table) -> pa.Table:
    """The rows of `conventions` with a line per preset and a column per metric."""
    rows = result.to_pylist()
    columns = dict.fromkeys(labelled(row["metric"], row["k"]) for row in rows)
    lines: dict[tuple[str | None, str], dict[str, float | str | None]] = {}
    for row in rows:
        lines.setdefault((row["model"], row["preset"]), {})[labelled(row["metric"], row["k"])] = value_text(row)
    values = {name: [line.get(name) for line in lines.values()] for name in columns}
    return pa.table({**column_of_models(lines), "preset": [preset for _, preset in lines], **values})


def reasons(result: pa.Table) -> pa.Table:
    """A line per reason why rows of `conventions` differ, with the metrics that it changes."""
    told: dict[tuple[str | None, str, str], list[str]] = {}
    for reason in metadata_of(result).get("reasons", ()):
        metric, change = labelled(reason["metric"], reason["k"]), reason["change"]
        key = (reason["model"], reason["preset"], reason["because"])
        told.setdefault(key, []).append(metric if change is None else f"{metric} {change:+.3g}")
    columns = {"preset": [preset for _, preset, _ in told], "because": [because for _, _, because in told]}
    return pa.table({**column_of_models(told), **columns, "changes": [", ".join(metrics) for metrics in told.values()]})


def column_of_models(lines: Iterable[tuple[str | None, ...]]) -> dict[str, list[str | None]]:
    """The column `model` of lines with keys that begin with it; empty if no model has a name."""
    models = [key[0] for key in lines]
    return {"model": models} if any(models) else {}


def of_ranks(result: pa.Table) -> pa.Table:
    """Ranks for people: each with its interval, and a star where users are few."""
    rows = result.to_pylist()
    texts = [f"{row['rank']} [{row['rank_low']}, {row['rank_high']}]{'*' * row['few']}" if row["rank"] else None for row in rows]
    metrics = pa.array([labelled(row["metric"], row["k"]) for row in rows])
    table = result.set_column(1, "metric", metrics).set_column(result.column_names.index("rank"), "rank", pa.array(texts))
    points = pa.array([f"{row['borda']:g}" for row in rows])
    return table.set_column(table.column_names.index("borda"), "borda", points).select(RANKED)
