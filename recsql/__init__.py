"""Recommender and ranking metrics as plain SQL, for DuckDB and Spark."""

from recsql.api import (
    evaluate,
    evaluate_ratings,
    hits,
    ideal,
    item_metrics,
    metrics,
    per_user,
    rank_by_score,
    sql,
)
from recsql.baselines import candidates, popularity, segments
from recsql.comparison import compare, differences
from recsql.curves import Curve, curve
from recsql.errors import BadInput, EngineError, RecsqlError, UnknownName
from recsql.explaining import explain
from recsql.labelling import labels
from recsql.merging import merge
from recsql.parts import partial
from recsql.report import show, to_latex, to_markdown, wide
from recsql.shell import macros
from recsql.splitting import leave_one_out, split
from recsql.under_presets import conventions

__all__ = [
    "BadInput",
    "Curve",
    "EngineError",
    "RecsqlError",
    "UnknownName",
    "candidates",
    "compare",
    "conventions",
    "curve",
    "differences",
    "evaluate",
    "evaluate_ratings",
    "explain",
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
    "segments",
    "show",
    "split",
    "sql",
    "to_latex",
    "to_markdown",
    "wide",
]
