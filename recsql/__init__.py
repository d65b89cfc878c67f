"""Recommender and ranking metrics as plain SQL, for DuckDB and Spark."""

from recsql.base.errors import BadInput, EngineError, RecsqlError, UnknownName
from recsql.calls.baselines import candidates, fuse, popularity, segments
from recsql.calls.check import check
from recsql.calls.compare import compare, differences
from recsql.calls.conventions import conventions
from recsql.calls.curve import curve
from recsql.calls.evaluate import evaluate, evaluate_ratings, hits, ideal, item_metrics, metrics, per_user, rank_by_score, sql
from recsql.calls.explain import explain
from recsql.calls.label import labels
from recsql.calls.merge import merge
from recsql.calls.parts import partial
from recsql.calls.split import leave_one_out, split
from recsql.display.drawing import Chart
from recsql.display.forest import forest
from recsql.display.shown import show, to_latex, to_markdown, wide
from recsql.page.page import Page, report
from recsql.shell import macros

__all__ = [
    "BadInput",
    "Chart",
    "EngineError",
    "Page",
    "RecsqlError",
    "UnknownName",
    "candidates",
    "check",
    "compare",
    "conventions",
    "curve",
    "differences",
    "evaluate",
    "evaluate_ratings",
    "explain",
    "forest",
    "fuse",
    "hits",
    "ideal",
    "item_metrics",
    "labels",
    "leave_one_out",
    "macros",
    "merge",
    "metrics",
    "partial",
    "per_user",
    "popularity",
    "rank_by_score",
    "report",
    "segments",
    "show",
    "split",
    "sql",
    "to_latex",
    "to_markdown",
    "wide",
]
