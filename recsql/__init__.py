"""Recommender and ranking metrics as plain SQL, for DuckDB."""

from recsql.api import evaluate, hits, ideal, metrics, per_user, sql
from recsql.errors import BadInput, EngineError, RecsqlError, UnknownName
from recsql.macro_file import macros

__all__ = [
    "BadInput",
    "EngineError",
    "RecsqlError",
    "UnknownName",
    "evaluate",
    "hits",
    "ideal",
    "macros",
    "metrics",
    "per_user",
    "sql",
]
