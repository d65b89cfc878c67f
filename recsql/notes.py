"""What stands under a table of metrics: who is in the mean."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import pyarrow as pa

from recsql import output
from recsql import parts as in_parts
from recsql.catalog import catalog


def note(result: pa.Table) -> str:
    """Who is in the mean, in one line; nothing where no metric is a mean over users."""
    report = json.loads(result.schema.metadata[b"recsql"])
    models, averaged = report["models"], {label: options for label, options in report["metrics"].items() if "no_recs" in options}
    if not averaged:
        return ""
    in_mean = by_model(models, [in_the_mean(result, model["model"], averaged) for model in models])
    with_truth = f"{models[0]['users_with_truth']:,}"
    unserved = f"without a list{told(without_list, averaged)} {tally(models, 'users_without_list')}"
    untrue = f"lists without truth{told(without_truth, averaged)} {tally(models, 'lists_without_truth')}"
    shared = " Some users are in several parts and count once in each." if report.get("unit") == in_parts.USER_OF_A_PART else ""
    return f"Users in the mean: {in_mean}. Users with truth: {with_truth}, of them {unserved}; {untrue}.{shared}"


def in_the_mean(result: pa.Table, model: str | None, averaged: Collection[str]) -> str:
    """Over how many users the means of a model are; the fewest and the most where its metrics differ."""
    rows = result.select(["model", "metric", "users"]).to_pylist()
    counts = {row["users"] for row in rows if row["model"] == model and row["metric"] in averaged}
    return f"{max(counts):,}" if len(counts) == 1 else f"{min(counts):,} to {max(counts):,}"


def told(policy: Callable[[Mapping[str, str]], str], averaged: Mapping[str, Mapping[str, str]]) -> str:
    """What a policy says under the options of the metrics, in brackets; nothing where metrics differ in it."""
    first, *others = {policy(options) for options in averaged.values()}
    return "" if others else f" ({first})"


def without_list(options: Mapping[str, str]) -> str:
    """What becomes of a user with truth and without a list."""
    return "intersection: left out" if options["users"] == "intersection" else meaning(options, "no_recs")


def without_truth(options: Mapping[str, str]) -> str:
    """What becomes of a list of a user without truth."""
    counted = options["users"] == "union" and options["no_truth"] not in ("one", "one_if_both_empty")
    return "union: counted as 0" if counted else meaning(options, "no_truth")


def meaning(options: Mapping[str, str], name: str) -> str:
    """The value of an option, and what it means."""
    return f"{options[name]}: {dict(catalog().options[name].values)[options[name]]}"


def tally(models: Sequence[dict[str, Any]], count: str) -> str:
    """One count for all models, or each model's where they differ."""
    return by_model(models, [f"{model[count]:,}" for model in models])


def by_model(models: Sequence[dict[str, Any]], texts: Sequence[str]) -> str:
    """One text for all models, or each model's where they differ."""
    if len(set(texts)) == 1:
        return texts[0]
    return ", ".join(f"{output.on_one_line(str(model['model']))} {text}" for model, text in zip(models, texts, strict=True))
