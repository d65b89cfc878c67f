"""What the template of the page reads beside the evidence: how numbers are written, and their order in each section."""

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from recsql.base.package import release
from recsql.base.text import on_one_line, span
from recsql.base.wording import SPOKEN, USER, flag, said
from recsql.calls.call import Table
from recsql.calls.conventions import WITHOUT_SCORES
from recsql.catalog import catalog
from recsql.catalog.grammar import is_named, labelled
from recsql.catalog.headers import Given
from recsql.display import findings_text
from recsql.display.comparison import SMALLEST, Pair, decimals, settings_of, widest_of
from recsql.display.comparison_text import WORDS, test_lines
from recsql.display.notes import of_sample, population
from recsql.display.output import cell
from recsql.display.pivoted import segment_of
from recsql.page.baseline import POPULARITY
from recsql.page.cases import Case
from recsql.page.evidence import BINS, MOST, Evidence
from recsql.query.plan import usual
from recsql.query.results import Row, metadata_of
from recsql.tables.models import WithModel

SHOWN = 20  # items of a list
LEAVES_OUT = ("check", "conventions", "sql")  # arguments with flags that begin with --no
NAMES = 4  # files in the line above the verdict
Section = dict[str, Any]  # the names that a section of the template reads


# -- how values are written; NULL is empty


def name_of(model: str | None) -> str:
    return "(no name)" if model is None else on_one_line(model)


def interval(row: Any) -> str:
    """The interval of a row of `evaluate`, or of a comparison."""
    low, high = (row.low, row.high) if isinstance(row, Pair) else (row["low"], row["high"])
    return "" if low is None or high is None else f"{decimals(low)} to {decimals(high)}"


def detectable(pair: Pair) -> str:
    known = pair.detectable is None or pair.detectable <= widest_of(pair.definition)
    return cell(pair.detectable) if known else "none"


def look(pair: Pair) -> str:
    """Whether the model is shown to be better or worse than the baseline; empty if neither is shown."""
    return {pair.model: "better", pair.baseline: "worse"}.get(pair.winner or "", "")


WRITTEN: dict[str, Callable[..., str]] = {
    "name": name_of,
    "value": cell,
    "signed": lambda number: "" if number is None else decimals(number, "+"),
    "p": lambda p: "" if p is None else f"< {SMALLEST}" if p < SMALLEST else f"{p:.4f}",
    "count": lambda number: "" if number is None else f"{number:,}",
    "share": lambda share: "" if share is None else f"{share:.0%}",
    "interval": interval,
    "wins": lambda pair: "" if pair.wins is None else f"{pair.wins:,} / {pair.ties:,} / {pair.losses:,}",
    "detectable": detectable,
    "look": look,
    "at": lambda row: labelled(row["metric"], row["k"]),
    "segment": lambda pair: said("all users" if pair.slice is None else f"{pair.slice}: {segment_of(pair.slice, pair.segment)}"),
    "what": lambda rows: said(findings_text.what(rows)),
    "why": lambda row: said(findings_text.why(row)),
    "place": lambda row: findings_text.place(row).strip(" ()"),
}


# -- the sections


def whole(evidence: Evidence) -> Section:
    """The sections that every report with numbers has."""
    main, settings = evidence.main, evidence.comparison is not None and settings_of(evidence.comparison)
    forest = sorted(
        (pair for pair in evidence.compared if (pair.metric, pair.k) == main[:2]),
        key=lambda pair: -(main.orientation or 1) * (pair.difference or 0),
    )
    counted = metadata_of(evidence.values).get("models", ())
    return {
        "evidence": evidence,
        "baseline": name_of(evidence.baseline),
        "contender": name_of(evidence.contender if evidence.contender is not None else evidence.ranking[0]),
        "level": f"{100 * evidence.level:g} %",
        "ends": WORDS[main.orientation][::-1],
        "users": evidence.value(evidence.ranking[0])["users"],
        "models": models(evidence),
        "forest": forest[:MOST],
        "not_drawn": len(forest[MOST:]),
        "scale": scale_of(forest[:MOST]),
        "tested": " ".join(test_lines(evidence.compared, settings)) if settings else "",
        "slices_scale": scale_of(evidence.slices),
        "counted": sorted(counted, key=lambda one: evidence.ranking.index(one["model"])),
        "population": [*map(said, population(evidence.values))],
        "bins": single_users(evidence),
        "shown": SHOWN,
        "pair": lambda *models: frozenset(models),
    }


def scale_of(pairs: Iterable[Pair]) -> Callable[[float], float]:
    """The place of a difference from 2 to 98 % of a chart, which shows 0 and every interval."""
    ends = [0.0, *(end for pair in pairs for end in (pair.low, pair.high, pair.difference) if end is not None)]
    low, width = min(ends), (max(ends) - min(ends)) or 1.0
    return lambda value: round(2 + 96 * (value - low) / width, 2)


def models(evidence: Evidence) -> Section:
    """The row of each model and metric, the best value of each metric, and how the models compare with the baseline."""
    rows = {(row["model"], labelled(row["metric"], row["k"])): row for row in evidence.values.to_pylist()}
    metrics = sorted({metric: None for _, metric in rows}, key=lambda metric: metric != str(evidence.main))
    best: dict[str, float] = {}
    for (_, metric), row in rows.items():
        orientation, value = evidence.orientation(row["metric"]), row["value"]
        if len(evidence.models) > 1 and orientation and value is not None:
            best[metric] = max(value, best.get(metric, value), key=lambda one: orientation * one)
    looks = {(pair.model, pair.at): look(pair) for pair in evidence.compared}
    return {"metrics": metrics, "rows": rows, "best": best, "looks": looks}


def single_users(evidence: Evidence) -> Section:
    """The histogram of each model's users."""
    known = evidence.bins
    lowest, highest = (known[0]["lowest"], known[0]["highest"]) if known else (0, 1)
    width = (highest - lowest) / BINS
    of_models = {model: [row for row in known if row["model"] == model] for model in evidence.ranking[:MOST]}
    return {
        "models": {model: [row for row in rows if row["bin"]] for model, rows in of_models.items()},
        "zeros": {model: sum(row["users"] for row in rows if not row["bin"]) for model, rows in of_models.items()},
        "users": {model: sum(row["users"] for row in rows) for model, rows in of_models.items()},
        "most": max((row["users"] for row in known if row["bin"]), default=1),
        "range": lambda bin: f"{lowest + (bin - 1) * width:.2f} to {lowest + bin * width:.2f}",
        "lowest": f"{lowest:g}",
        "highest": f"{highest:g}",
        "count": BINS,
    }


def of_check(table: pa.Table | None) -> Section:
    """The findings of check; without it the page has no such section."""
    if table is None:
        return {"findings": None}
    found = findings_text.group_rows(table)
    counts, *not_checked = findings_text.summary(table)[0].split("\n")
    severities = [rows[0]["severity"] for rows in found]
    facts = {name: severities.count(name) for name in ("error", "warning")}
    return {"findings": found, "found_gist": counts, "not_checked": " ".join(not_checked), "found_facts": facts}


def conventions(evidence: Evidence) -> Section:
    """The values under the conventions of other libraries, those with another best model first; before them, tools of search."""
    own, others = evidence.by_convention
    places = {} if SPOKEN.get()[0] == USER else {name: one.in_search for name, one in catalog().presets.items()}
    presets = sorted(others, key=lambda preset: (places.get(preset, 0), preset not in evidence.differing))

    def users(rows: dict[str | None, Row]) -> str:
        counts = [row["users"] for row in rows.values() if row["users"] is not None]
        return span(counts) if counts else ""

    def without_scores(rows: dict[str | None, Row]) -> str:
        models = [name_of(model) for model, row in rows.items() if WITHOUT_SCORES in row["because"]]
        return f"; {', '.join(models)}: {WITHOUT_SCORES}" if models else ""

    gist = (
        f"{len(evidence.differing)} of {len(others)} name another best model"
        if len(own) > 1 and evidence.main.orientation
        else ""
    )
    without = {row["preset"]: row["because"] for row in evidence.conventions.to_pylist() if row["value"] is None}
    idle = {one: why for one, why in without.items() if why.startswith("not applicable")}  # all for the same reason
    rows = {"recsql": own, **{preset: others[preset] for preset in presets}}
    told = {"gist": gist, "idle": idle, "sample": said(" ".join(of_sample(evidence.conventions)))}
    return {"rows": rows, "users": users, "without_scores": without_scores, **told}


def cases(evidence: Evidence, found: Sequence[Case]) -> dict[str, list[Case]]:
    """The users to look at: those for whom the contender is worse than the baseline, and those for whom it is better."""
    better = [one for one in found if one.difference * (evidence.main.orientation or 1) > 0]
    down, up = ("losses", "gains") if evidence.main.orientation else ("decreases", "increases")
    groups = {down: [one for one in found if one not in better], up: better}
    for group in groups.values():
        group.sort(key=lambda one: -abs(one.difference))
    return groups


# -- how the report was made: its tables, versions and options, and the command that makes it again


def made(evidence: Evidence, arguments: Mapping[str, Given]) -> Section:
    """The last section, and the line above the verdict."""
    added = POPULARITY if evidence.popularity_of else None
    names = [Path(one.name).name or one.name for one in evidence.input_files if one.name != added]
    named = [*names[:NAMES], *([f"{len(names) - NAMES} more"] if len(names) > NAMES else [])]
    of = f"baseline {name_of(evidence.named_baseline)}" if evidence.named_baseline else ""
    metadata = metadata_of(evidence.values)
    chosen = {name: value for name, value in metadata["options"][0].items() if differs(name, value)}
    return {
        "about": " \u00b7 ".join(filter(None, [str(evidence.main), of, ", ".join(named), f"recsql {release()}"])),
        "versions": ", ".join(f"{name} {version}" for name, version in metadata["versions"].items()),
        "options": ", ".join(f"{name}={value}" for name, value in chosen.items()),
        "command": command(evidence, arguments),
        "origin": said(origin(evidence)),
    }


def origin(evidence: Evidence) -> str:
    """Where the baseline is from; empty for a single model."""
    if len(evidence.models) < 2:
        return ""
    first = "best model on" if evidence.main.orientation else "model with the highest"
    of = f"the {first} {evidence.main}" if evidence.named_baseline is None else "one of the models"
    if evidence.popularity_of:
        of = f"made from {evidence.popularity_of}: {evidence.made}"
    return f"{name_of(evidence.baseline)}, {of}"


def differs(name: str, value: Given) -> bool:
    """Whether the option of a result is not the default."""
    defaults = {catalog().options[option].called: default for option, default in usual(None).items()}
    return value not in (None, defaults.get(name)) and name != "interval"


def command(evidence: Evidence, arguments: Mapping[str, Given]) -> str:
    """The command that makes the report again; empty if a value of the call has no text, such as a table in memory."""
    given = {**evidence.settings, "baseline": evidence.named_baseline, "main": evidence.named_main}
    given |= {name: value for name, value in arguments.items() if name not in LEAVES_OUT}
    given.pop("connection", None)
    tables: Table = evidence.recs.recs if isinstance(evidence.recs, WithModel) else evidence.recs
    recs = tables if isinstance(tables, Mapping) else {"": tables}
    if not all(isinstance(one, str | int | float | None) for one in [*recs.values(), evidence.truth, *given.values()]):
        return ""
    metrics = [evidence.metrics] if isinstance(evidence.metrics, str) else [*(evidence.metrics or ())]
    words = [*(f"{name}={path}" if name else path for name, path in recs.items()), str(evidence.truth)]
    words += ["-m", ",".join(map(str, metrics))] if metrics else []
    if (k := evidence.k) is not None and is_named(k):
        words += ["-k", ",".join(map(str, [k] if isinstance(k, int | str) else k))]
    words += [word for name, value in given.items() if value is not None for word in (flag(name), str(value))]
    words += [f"--no-{name}" for name in LEAVES_OUT if not arguments[name]]
    return shlex.join(["recsql", "report", *words, "-o", "report.html"])
