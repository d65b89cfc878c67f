"""Recommender and ranking metrics as plain SQL, for DuckDB and Spark."""

import sys
from importlib import import_module

MODULES = {  # of the names, each of which is imported when it is first used
    "base.errors": "BadInput EngineError FailedCheck NoSuchFile OtherTypes RecsqlError RoundedIds UnknownName",
    "calls.baselines": "candidates fuse popularity segments",
    "calls.check": "check",
    "calls.compare": "compare differences",
    "calls.concat": "concat",
    "calls.conventions": "conventions",
    "calls.curve": "curve",
    "calls.evaluate": "evaluate evaluate_ratings hits ideal item_metrics metrics per_user rank_by_score sql",
    "calls.explain": "explain",
    "calls.help": "help options",
    "calls.judge": "judge",
    "calls.label": "labels",
    "calls.merge": "merge",
    "calls.overlap": "overlap",
    "calls.parts": "partial",
    "calls.plan": "plan",
    "calls.rank": "rank",
    "calls.split": "leave_one_out split",
    "display.drawing": "Chart",
    "display.forest": "forest",
    "query.parts": "Parts",
    "display.shown": "show to_dict to_latex to_markdown wide",
    "page.page": "Page report",
    "shell": "macros",
}
__all__ = [*sorted(name for names in MODULES.values() for name in names.split())]  # noqa: PLE0604


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("recsql.base.package").release()
    home = next((module for module, names in MODULES.items() if name in names.split()), None)
    if home is None:
        raise AttributeError(f"module 'recsql' has no attribute {name!r}")
    globals()[name] = getattr(import_module(f"recsql.{home}"), name)
    return globals()[name]


if "IPython" in sys.modules:  # in a notebook, which then displays results as tables
    import_module("recsql.display.shown")
