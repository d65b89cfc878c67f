"""Slices that are known when a macro is called: the symbols that templates read, and the macros that read the option `by`."""

from types import SimpleNamespace
from typing import Any

from recsql.conditions import Unknown, fact
from recsql.loops import Loops, Repeated
from recsql.macro import sentence
from recsql.options import literal
from recsql.roles import SEGMENTS
from recsql.slice_names import ACTIVITY, AFTER_COMMA, BANDS, CROSSED, CUT, MOST_QUANTILES, NONE, QUANTILES
from recsql.symbols import Truth
from recsql.templates import template
from recsql.text import IDENTIFIER

BY = '"by"'
BY_PARAMETER = f"{BY} union(name varchar, names varchar[])"  # one text or a list
LISTS = ("ranges", "labels", "keys", "slices", "columns", "quantiles")
OF_CALL = ("columns", "activity", "quantiles", "cuts", "crossed", "order")  # what the slices of a call can have
STUB = "{'facts': [''], 'vals': map {'': ''}, 'fault': '', 'titles': ['']}"  # has the type of what slices_in() returns


def grouped() -> dict[str, Any]:
    """The slices of a macro, and what follows from them, as templates name them."""
    return {
        "slices": Repeated("slices", a_slice),
        "segment_sources": (),  # each table may have each column
        "segment_columns": Repeated("columns", a_column),
        "quantile_columns": Repeated("quantiles", a_key),
        "activity": Unknown("activity"),
        "activity_bands": BANDS,
        **{f"with_{name}": fact(f"with_{name}") for name in OF_CALL},
    }


def a_slice() -> SimpleNamespace:
    return SimpleNamespace(
        **values("place", "name", "title", "otherwise"),
        **facts("is_crossed", "is_ordered"),
        keys=Repeated("keys", a_key),
        labels=Repeated("labels", lambda: SimpleNamespace(**values("place", "text"))),
    )


def a_key() -> SimpleNamespace:
    return SimpleNamespace(
        **values("place", "ours", "quantiles", "digits", "last"),
        **facts("by_quantiles", "by_ranges", "is_activity"),
        ranges=Repeated("ranges", lambda: SimpleNamespace(**values("end", "segment"))),
    )


def a_column() -> SimpleNamespace:
    return SimpleNamespace(**values("place", "ours", "column", "quoted"), **facts("is_cut", "is_crossed"), is_activity=False)


def values(*names: str) -> dict[str, Unknown]:
    return {name: Unknown(f".{name}") for name in names}


def facts(*names: str) -> dict[str, Truth]:
    return {name: fact(f".{name}") for name in names}


def slice_macros(loops: Loops) -> str:
    """The macros that read `by`, and that put together what texts repeat for its slices."""
    return template(
        "macro_slices",
        loops="".join(f"\n== {name} ==\n{text}" for list_ in LISTS for name, text in loops.of(list_).items()),
        activity=ACTIVITY,
        bands=", ".join(map(literal, BANDS.ends)),
        without=NONE,
        after_comma=AFTER_COMMA,
        crossed=CROSSED,
        cut=CUT,
        quantiles=QUANTILES,
        most_quantiles=MOST_QUANTILES,
        most_columns=len(SEGMENTS),
        plain=IDENTIFIER.pattern,
        said=sentence,
    )
