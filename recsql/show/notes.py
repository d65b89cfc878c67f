"""The lines under a table of metrics: which users are in the mean, and how the others are treated."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from recsql.base.text import on_one_line, span
from recsql.catalog import catalog
from recsql.catalog.grammar import labelled
from recsql.query.labels import metric_of
from recsql.query.needs import needing_cutoff
from recsql.query.results import USER_OF_A_PART, report_of
from recsql.show.few import few
from recsql.show.judged import share

Models = Sequence[Mapping[str, Any]]
Averaged = Mapping[str, Mapping[str, str]]  # metrics that are means over users, with their definitions and options


def notes(result: pa.Table) -> list[str]:
    """One line per fact; without metadata only that for few users."""
    return [*population(result), *of_input(result), *few(result)]


def population(result: pa.Table) -> list[str]:
    """The lines on the users in the mean, also of a comparison; none if no metric is a mean over users."""
    report = report_of(result)
    models: Models = report.get("models", ())
    averaged: Averaged = {name: options for name, options in report.get("metrics", {}).items() if "no_recs" in options}
    if "slice" in result.column_names:
        result = result.filter(result["slice"].is_null())
    return list(lines(result, report, models, averaged)) if models and averaged else []


def of_input(result: pa.Table) -> list[str]:
    """The lines on what is read: how much of the lists is judged, and a column of the truth that is not read."""
    report = report_of(result)
    return [*share(result), *report.get("notes", ())]


def definitions(result: pa.Table) -> Iterator[str]:
    """The line on metrics whose names don't say the options that they are computed with."""
    names = zip(result["metric"].to_pylist(), result["definition"].to_pylist(), strict=True)
    if told := dict.fromkeys(f"{metric} is {one}" for metric, one in names if one not in (metric, metric_of(one))):
        yield f"Definitions: {', '.join(told)}."


def lines(result: pa.Table, report: Mapping[str, Any], models: Models, averaged: Averaged) -> Iterator[str]:
    yield users(counts_in_the_mean(result, averaged), models[0]["users_with_truth"], of_pairs="baseline" in result.column_names)
    yield from tally("Without a list", without_list, averaged, models, "users_without_list")
    yield from tally("Lists without truth", without_truth, averaged, models, "lists_without_truth")
    yield from short_lists(result, models, averaged)
    if report.get("unit") == USER_OF_A_PART:
        yield "Some users are in several parts and count once in each."


def users(in_the_mean: Collection[int], with_truth: int, *, of_pairs: bool) -> str:
    """How many users are in the mean and how many have truth. If the number varies, a table of models has a column `users`."""
    counted = span([*in_the_mean] or [0]) if len(in_the_mean) <= 1 or of_pairs else "see the column users"
    return f"Users in the mean: {counted}. Users with truth: {with_truth:,}."


def counts_in_the_mean(result: pa.Table, metrics: Collection[str]) -> set[int]:
    """The numbers of users that the means are over."""
    rows = result.select(["metric", "users"]).to_pylist()
    return {row["users"] for row in rows if row["metric"] in metrics and row["users"] is not None}


def tally(
    title: str, policy: Callable[[Mapping[str, str]], str], averaged: Averaged, models: Models, count: str
) -> Iterator[str]:
    """The line of one count, with the treatment of the users or lists counted; none if the count is 0."""
    if any(model[count] for model in models):
        yield f"{title}{told(policy, averaged)}: {by_model(models, [f'{model[count]:,}' for model in models])}."


def short_lists(result: pa.Table, models: Models, averaged: Averaged) -> Iterator[str]:
    """The line for lists shorter than a cut-off that metrics divide by; none if the lists are long enough."""
    dividing = {metric for metric, options in averaged.items() if divides_by_k(options)}
    rows = [row for row in result.select(["metric", "k"]).to_pylist() if row["metric"] in dividing and row["k"]]
    deepest = max((row["k"] for row in rows), default=0)
    lengths = [model["longest_list"] for model in models]
    if any(0 < length < deepest for length in lengths):
        told = by_model(models, [f"{length:,}" for length in lengths])
        longest = (
            f"Lists have at most {told} item{'s' if lengths[0] > 1 else ''}"
            if len(set(lengths)) == 1
            else f"Items in the longest list: {told}"
        )
        metrics = dict.fromkeys(labelled(row["metric"], deepest) for row in rows if row["k"] == deepest)
        yield f"{longest}; {' and '.join(metrics)} divide{'' if len(metrics) > 1 else 's'} by {deepest}."


def divides_by_k(options: Mapping[str, str]) -> bool:
    """Whether a metric divides by the cut-off even if the list is shorter."""
    metric, known = metric_of(options["definition"]), catalog().options
    denominators = {name: values for name, values in needing_cutoff(metric).items() if known[name].home.folder == "metrics"}
    always = bool(catalog().metrics[metric].header.get("needs_cutoff"))
    return always or any(options[name] in values for name, values in denominators.items())


def told(policy: Callable[[Mapping[str, str]], str], averaged: Averaged) -> str:
    """The effect of a policy under the options of the metrics, in brackets; empty if the metrics differ in it."""
    first, *others = {policy(options) for options in averaged.values()}
    return "" if others else f" ({first})"


def without_list(options: Mapping[str, str]) -> str:
    """How a user with truth but without a list is treated."""
    return "left out" if options["users"] == "intersection" else meaning(options, "no_recs")


def without_truth(options: Mapping[str, str]) -> str:
    """How the list of a user without truth is treated."""
    counted = options["users"] == "union" and options["no_truth"] not in ("one", "one_if_both_empty")
    return "counted as 0" if counted else meaning(options, "no_truth")


def meaning(options: Mapping[str, str], name: str) -> str:
    """The description of an option's value."""
    return dict(catalog().options[name].values)[options[name]]


def by_model(models: Models, texts: Iterable[str]) -> str:
    """One text for all models, or one per model if they differ."""
    texts = list(texts)
    if len(set(texts)) == 1:
        return texts[0]
    return ", ".join(f"{on_one_line(str(model['model']))} {text}" for model, text in zip(models, texts, strict=True))
