"""The sections of the page: the numbers that the template shows, with their texts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from recsql.base.text import on_one_line, span
from recsql.catalog.grammar import labelled
from recsql.query.results import Row, report_of
from recsql.report.cases import Case
from recsql.report.evidence import BINS, LEVEL, Evidence
from recsql.show import findings_text
from recsql.show.comparison import SMALLEST, Pair, decimals, settings_of
from recsql.show.comparison_text import test_lines
from recsql.show.output import cell
from recsql.show.pivoted import segment_of
from recsql.show.report_notes import population

MOST = 12  # models in a chart
Section = dict[str, Any]  # the names that a section of the template reads


def whole(evidence: Evidence) -> Section:
    """The sections that every report with numbers has."""
    users, count = evidence.value(evidence.ranking[0])["users"], len(evidence.models)
    return {
        "baseline": name_of(evidence.baseline),
        "contender": name_of(evidence.contender if evidence.contender is not None else evidence.ranking[0]),
        "main": str(evidence.main),
        "metric": evidence.main.metric,
        "level": f"{100 * float(evidence.settings.get('interval') or LEVEL):g} %",
        "ends": ("worse", "better")[:: evidence.main.orientation],
        "facts": [("models" if count > 1 else "model", count), ("users in the mean", f"{users:,}")],
        "models": models(evidence),
        "values": all_values(evidence),
        "forest": forest(evidence),
        **comparisons(evidence),
        "slices": slices(evidence),
        "counted": who_counts(evidence),
        "bins": single_users(evidence),
    }


def name_of(model: str | None) -> str:
    return "(no name)" if model is None else on_one_line(model)


def p_text(p: float | None) -> str:
    return "" if p is None else f"< {SMALLEST}" if p < SMALLEST else f"{p:.4f}"


def interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{decimals(low)} to {decimals(high)}"


def look(pair: Pair) -> str:
    """Whether the model is shown to be better or worse than the baseline; empty if neither is shown."""
    return {pair.model: "better", pair.baseline: "worse"}.get(pair.winner or "", "")


def compared(pair: Pair) -> Row:
    """One comparison: its numbers and their texts."""
    users = (pair.wins, pair.ties, pair.losses)
    return {
        "name": name_of(pair.model),
        "at": pair.at,
        "difference": pair.difference,
        "difference_text": "" if pair.difference is None else decimals(pair.difference, "+"),
        "low": pair.low,
        "high": pair.high,
        "interval": interval(pair.low, pair.high),
        "p": pair.p_adjusted,
        "p_text": p_text(pair.p_adjusted),
        "p_alone": pair.p,
        "p_alone_text": p_text(pair.p),
        "wins": "" if pair.wins is None else " / ".join(f"{number:,}" for number in users),
        "detectable": pair.detectable,
        "detectable_text": cell(pair.detectable),
        "look": look(pair),
        "users": pair.users,
        "users_text": f"{pair.users:,}",
    }


def scale_of(pairs: Iterable[Pair]) -> Callable[[float], float]:
    """A function from a difference to its place in a chart with 0 and every interval, from 2 to 98 %."""
    ends = [0.0, *(end for pair in pairs for end in (pair.low, pair.high, pair.difference) if end is not None)]
    low, width = min(ends), (max(ends) - min(ends)) or 1.0
    return lambda value: round(2 + 96 * (value - low) / width, 2)


def models(evidence: Evidence) -> Section:
    """The values of each model at every metric, the best model first."""
    rows = evidence.values.to_pylist()
    metrics = list(dict.fromkeys(labelled(row["metric"], row["k"]) for row in rows))
    metrics.sort(key=lambda metric: metric != str(evidence.main))
    at = {(row["model"], labelled(row["metric"], row["k"])): row for row in rows}
    pairs = {(pair.model, pair.at): pair for pair in evidence.compared}
    best = {metric: best_of(metric, at, evidence) for metric in metrics}

    def cell_of(model: str | None, metric: str) -> Row:
        row, pair = at[model, metric], pairs.get((str(model), metric))
        value = row["value"]
        return {
            "value": value,
            "text": cell(value),
            "interval": interval(row["low"], row["high"]),
            "is_best": value is not None and value == best[metric],
            "look": look(pair) if pair else "",
        }

    rows = [(model, [cell_of(model, metric) for metric in metrics]) for model in evidence.ranking]
    named = evidence.named_baseline
    signs = f" \u25b2 shown to be better than {evidence.baseline}, \u25bc worse." if pairs else ""
    return {
        "metrics": metrics,
        "caption": f"The best value of each metric is bold.{signs}",
        "rows": [
            {"name": name_of(model), "is_baseline": named is not None and model == named, "cells": cells} for model, cells in rows
        ],
        "plain": [
            {"model": name_of(model)} | {metric: one["text"] for metric, one in zip(metrics, cells, strict=True)}
            for model, cells in rows
        ],
    }


def best_of(metric: str, at: Mapping[tuple[str | None, str], Row], evidence: Evidence) -> float | None:
    """The best value of a metric; None for one model, or if neither high nor low values are better."""
    row = at[evidence.models[0], metric]
    orientation = evidence.orientation(row["metric"])
    known: list[float] = [one["value"] for model in evidence.models if (one := at[model, metric])["value"] is not None]
    if len(evidence.models) < 2 or not orientation or not known:
        return None
    return max(known, key=lambda value: orientation * value)


def all_values(evidence: Evidence) -> list[Row]:
    return [
        {
            "name": name_of(row["model"]),
            "at": labelled(row["metric"], row["k"]),
            "value": row["value"],
            "text": cell(row["value"]),
            "interval": interval(row["low"], row["high"]),
            "users": row["users"],
            "users_text": "" if row["users"] is None else f"{row['users']:,}",
        }
        for row in evidence.values.to_pylist()
    ]


def forest(evidence: Evidence) -> Section | None:
    """The differences from the baseline at the main metric, the best model first."""
    pairs = [pair for pair in evidence.compared if (pair.metric, pair.k) == evidence.main[:2]]
    pairs.sort(key=lambda pair: -evidence.main.orientation * (pair.difference or 0))
    if not pairs:
        return None
    more = f" The {len(pairs) - MOST} others are in the table of all comparisons." if len(pairs) > MOST else ""
    caption = f"{evidence.main}: difference from {name_of(evidence.baseline)}, user by user. "
    caption += f"A hollow point stands for a difference that is not shown.{more}"
    return {"rows": list(map(compared, pairs[:MOST])), "scale": scale_of(pairs[:MOST]), "caption": caption}


def comparisons(evidence: Evidence) -> Section:
    """All comparisons, and how they were tested."""
    settings = evidence.comparison is not None and settings_of(evidence.comparison)
    lines = test_lines(evidence.compared, settings) if settings else ()
    return {"others": list(map(compared, evidence.compared)), "tested": " ".join(lines)}


def slices(evidence: Evidence) -> Section | None:
    pairs = evidence.slices
    if not pairs:
        return None
    rows = [
        {
            **compared(pair),
            "name": "all users" if pair.slice is None else f"{pair.slice}: {segment_of(pair.slice, pair.segment)}",
            "share": pair.share,
            "share_text": "" if pair.share is None else f"{pair.share:.0%}",
            "contribution": pair.contribution,
            "contribution_text": "" if pair.contribution is None else decimals(pair.contribution, "+"),
        }
        for pair in pairs
    ]
    gist = f"{name_of(evidence.contender)} against {name_of(evidence.baseline)} on {evidence.main}"
    caption = "Part of the whole: the share of the users times their difference. The parts of each slice add up to the whole."
    return {"rows": rows, "scale": scale_of(pairs), "gist": gist, "caption": caption}


def who_counts(evidence: Evidence) -> Section:
    """The number of users on whom each model is measured."""
    report = report_of(evidence.values)
    rows = [
        {
            **one,
            "name": name_of(one["model"]),
            "with_list": (with_list := one["users_with_truth"] - one["users_without_list"]),
            "with_list_text": f"{with_list:,}",
            "percent": round(100 * with_list / (one["users_with_truth"] or 1)),
            "truth_text": f"{one['users_with_truth']:,}",
            "mean_text": f"{one['users_in_mean']:,}",
            "without_text": f"{one['lists_without_truth']:,}",
        }
        for one in sorted(report.get("models", ()), key=lambda one: evidence.ranking.index(one["model"]))
    ]
    return {"rows": rows, "lines": list(population(evidence.values)), "gist": ""}


def single_users(evidence: Evidence) -> Section:
    """The histogram of each model's users, above 0."""
    known = evidence.bins
    lowest, highest = (known[0]["lowest"], known[0]["highest"]) if known else (0, 1)
    width = (highest - lowest) / BINS
    most = max((row["users"] for row in known if row["bin"]), default=1)
    found = []
    for model in evidence.ranking[:MOST]:
        rows = [row for row in known if row["model"] == model]
        zeros = sum(row["users"] for row in rows if not row["bin"])
        above = [
            {
                "x": row["bin"] - 1 + 0.07,
                "height": round(100 * row["users"] / most, 2),
                "users": row["users"],
                "users_text": f"{row['users']:,}",
                "title": f"{lowest + (row['bin'] - 1) * width:.2f} to {lowest + row['bin'] * width:.2f}: {row['users']:,}",
            }
            for row in rows
            if row["bin"]
        ]
        zero = {"title": "0", "users": zeros, "users_text": f"{zeros:,}"}
        every = zeros + sum(bar["users"] for bar in above)
        told = f"{zeros:,} of {every:,} have 0"
        label = f"{name_of(model)}: {told}; the highest bar has {max((bar['users'] for bar in above), default=0):,} users"
        found.append({"name": name_of(model), "zeros": told, "bars": above, "table": [zero, *above], "label": label})
    bounds = {"lowest": f"{lowest:g}", "highest": f"{highest:g}", "count": BINS}
    return {"models": found, **bounds, "gist": f"{evidence.main} of users above 0, on one scale"}


def findings(table: pa.Table | None) -> Section:
    """What check found; without it the page has no such section."""
    if table is None:
        return {"findings": None}
    counts, *not_checked = findings_text.summary(table)[0].split("\n")
    found = [
        {
            "severity": rows[0]["severity"],
            "name": rows[0]["finding"],
            "place": findings_text.place(rows[0]).strip(" ()"),
            "what": findings_text.what(rows),
            "why": findings_text.why(rows[0]),
        }
        for rows in findings_text.group_rows(table)
    ]
    severities = [one["severity"] for one in found]
    facts = [(f"{name}s in the data", severities.count(name), name) for name in ("error", "warning")]
    return {"findings": found, "found_gist": counts, "not_checked": " ".join(not_checked), "found_facts": facts}


def conventions(evidence: Evidence) -> Section:
    """The values of each model under the conventions of other libraries, those with another best model first."""
    own, others = evidence.by_convention
    best = evidence.order(own)[0]

    def line(name: str, of: Mapping[str | None, Row]) -> Row:
        users = [row["users"] for row in of.values() if row["users"] is not None]
        order = evidence.order(of)
        return {
            "name": name,
            "cells": [
                {"value": of[model]["value"], "text": cell(of[model]["value"]), "is_best": model == order[0] and len(of) > 1}
                for model in evidence.ranking
            ],
            "users": span(users) if users else "",
            "order": " > ".join(map(name_of, order)),
        }

    differing = [preset for preset, of in others.items() if evidence.order(of)[0] != best]
    presets = [*differing, *(preset for preset in others if preset not in differing)]
    return {
        "models": list(map(name_of, evidence.ranking)),
        "rows": [line("recsql", own), *(line(preset, others[preset]) for preset in presets)],
        "gist": f"{len(differing)} of {len(others)} name another best model" if len(own) > 1 else "",
        "text": f"{evidence.main} on the same data, as other libraries define it.",
    }


def cases(evidence: Evidence, found: Sequence[Case]) -> list[tuple[str, list[Row]]]:
    """The users to look at: those for whom the contender is worse than the baseline, and those for whom it is better."""
    names = (name_of(evidence.contender), name_of(evidence.baseline))
    groups: dict[bool, list[Row]] = {False: [], True: []}
    for one in found:
        lists = [(f"{name}: {cell(value)}", items) for name, value, items in zip(names, one[1:3], one.lists, strict=True)]
        row = {"user": one.user, "difference_text": decimals(one.difference, "+"), "wanted": one.wanted, "lists": lists}
        groups[one.difference * evidence.main.orientation > 0].append(row)
    losing, gaining = (f"Largest {what} of {names[0]} against {names[1]}" for what in ("losses", "gains"))
    return [(heading, rows) for heading, rows in ((losing, groups[False]), (gaining, groups[True][::-1])) if rows]
