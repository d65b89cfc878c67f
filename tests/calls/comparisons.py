"""Results in the shape of `compare`, computed with numpy, scipy and statsmodels."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
from scipy import stats
from statsmodels.stats.multitest import multipletests

import recsql
from recsql.catalog import catalog

COMPARISON = catalog().options_of(["pair"])
OPTIONS: Mapping[str, Any] = {**{name: option.default for name, option in COMPARISON.items()}, "interval": 0.95}
METHODS = {"holm": "holm", "bonferroni": "bonferroni", "bh": "fdr_bh"}
Values = Mapping[str, Sequence[Any]]  # of each model, by user; None for a user without a value


def compared(values: Mapping[Any, Values], baseline: str | None = None, **options: Any) -> pa.Table:
    """The comparison of models with the baseline, or of all pairs, by their values at each metric and cut-off, a pair."""
    asked = {**OPTIONS, **options}
    rows = []
    for (metric, k), of_models in values.items():
        models = sorted(of_models)
        pairs = [(one, baseline) for one in models if one != baseline] if baseline else list(combinations(models, 2))
        rows += [
            {"model": one, "baseline": other, "metric": metric, "k": k} | tested(of_models[one], of_models[other], asked)
            for one, other in pairs
        ]
    families: dict[Any, list[dict[str, Any]]] = {}
    for row in rows:
        if row["p"] is not None:
            families.setdefault((row["metric"], row["k"]) if asked["family"] == "metric" else None, []).append(row)
    for family in families.values():
        ps = [row["p"] for row in family]
        adjusted = ps if asked["correction"] == "none" else multipletests(ps, method=METHODS[asked["correction"]])[1]
        for row, p in zip(family, adjusted, strict=True):
            row["p_adjusted"] = float(p)
            row["tests"] = 1 if asked["correction"] == "none" else len(family)
    return result(rows, baseline, **options)


def result(rows: Sequence[Mapping[str, Any]], baseline: str | None, **options: Any) -> pa.Table:
    """Rows in the shape of compare, with its metadata; a column that a row doesn't have is NULL."""
    asked = {**OPTIONS, **options}
    report: dict[str, Any] = {"options": [asked], "baseline": baseline, "metrics": {}, "presets": {}, "versions": {}}
    usual = 1 if asked["correction"] == "none" else len(rows)
    rows = [{"definition": row["metric"], "tests": usual, "verdict": verdict_of(row, asked), **row} for row in rows]
    table = pa.Table.from_pylist(rows, schema()).replace_schema_metadata({"recsql": json.dumps(report)})
    told = [[outcome_of(row, asked) for row in rows]]
    return table.append_column("outcome", told) if asked["outcome"] == "true" and rows else table


@cache
def schema() -> pa.Schema:
    recs = pa.table({"model": ["a", "b"], "user_id": [1, 1], "item_id": [1, 1], "rank": [1, 1]})
    return recsql.compare(recs, recs.select(["user_id", "item_id"]), "hit", 1).schema


def verdict_of(row: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """The verdict that docs/compare.md defines."""
    difference, p = row.get("difference"), row.get("p_adjusted")
    if row["users"] and row["ties"] == row["users"]:
        return "same"
    alike = row.get("std_error") == 0 and row["users"] >= 10 and 0 in (row["wins"], row["losses"])
    if difference is None or (p is None and not (alike and options["test"] == "t")):
        return "untested"
    if p is None:
        found = {"greater": difference + options["margin"] > 0, "less": difference + options["margin"] < 0}
        p = 0.0 if found.get(options["alternative"], True) else 1.0
    if not p < round(1 - options["interval"], 12):
        return "inconclusive"
    above = {"greater": True, "less": False}.get(options["alternative"], difference + options["margin"] > 0)
    if options["test"] in ("wilcoxon", "sign") and {difference > 0, row["wins"] > row["losses"]} != {above}:
        return "differs"
    beyond = options["margin"] > 0 if above else options["margin"] < 0
    return {True: "not_lower" if beyond else "higher", False: "not_higher" if beyond else "lower"}[above]


def outcome_of(row: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """What docs/ci.md defines: the one-sided p is 1 for equal differences on the other side."""
    ahead = options["alternative"] == "greater"
    if row["verdict"] in (("higher", "not_lower") if ahead else ("lower", "not_higher")):
        return "pass" if ahead else "fail"
    beyond = 0 if row["verdict"] == "untested" else row["difference"] + options["margin"]
    other = 1 - (1 if row["p"] is None else row["p"]) if beyond else 1
    return ("fail" if ahead else "pass") if other < round(1 - options["interval"], 12) else "unclear"


def tested(ours: Sequence[float | None], theirs: Sequence[float | None], options: Mapping[str, Any]) -> dict[str, Any]:
    """The paired t test over the users with both values."""
    a, b = np.array(ours, float), np.array(theirs, float)
    both = ~np.isnan(a) & ~np.isnan(b)
    unpaired = int((~np.isnan(a) ^ ~np.isnan(b)).sum())
    a, b = a[both], b[both]
    d, n = a - b, int(both.sum())
    if n == 0:
        return {"users": 0, "unpaired": unpaired, "p": None, "wins": 0, "ties": 0, "losses": 0, "few": True}
    counts = {"wins": int((d > 0).sum()), "ties": int((d == 0).sum()), "losses": int((d < 0).sum())}
    means = {"value": float(a.mean()), "baseline_value": float(b.mean()), "difference": float(d.mean())}
    few = n < 50 or n - counts["ties"] < 20
    found = {"users": n, "unpaired": unpaired, **means, **counts, "few": few, "p": None}
    if n == 1 or np.ptp(d) == 0:
        return found | ({} if n == 1 else {"std_error": 0.0})
    error = float(d.std(ddof=1) / np.sqrt(n))
    q = float(stats.t.ppf(0.5 + options["interval"] / 2, n - 1))
    alternative = options["alternative"].replace("_", "-")
    return found | {
        "low": means["difference"] - q * error,
        "high": means["difference"] + q * error,
        "std_error": error,
        "p": float(stats.ttest_1samp(d, -options["margin"], alternative=alternative).pvalue),
        "effect": float(d.mean() / d.std(ddof=1)),
        "detectable": (q + float(stats.norm.ppf(options["power"]))) * error,
    }


def row(**found: Any) -> dict[str, Any]:
    """The row of ease against pop that the specification gives, with other values where they are given."""
    usual = {"model": "ease", "baseline": "pop", "metric": "ndcg", "k": 10, "users": 2681, "unpaired": 0, "few": False}
    means = {"value": 0.0374, "baseline_value": 0.0472, "difference": -0.0098}
    tests = {"low": -0.0148, "high": -0.0047, "std_error": 0.0026, "p": 0.00015, "p_adjusted": 0.00015, "detectable": 0.0072}
    return {**usual, **means, **tests, "wins": 171, "ties": 2252, "losses": 258, **found}
