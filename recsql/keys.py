"""The key columns of the steps, as the templates write them: the model, and with slices the segment of the users."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace

from recsql.symbols import Truth, chosen

MODEL = ("model",)
SEGMENT = ("slice", "segment")


def keys(sql: SimpleNamespace, *, modelled: bool, sliced: Callable[[], Truth]) -> dict[str, Callable[..., str]]:
    """The functions of templates for key columns. None has a column that the query lacks; `sliced` says whether it has slices."""
    model = MODEL if modelled else ()

    return {
        "model": lambda alias: listed(alias, model),
        "same_model": lambda a, b: joined(a, b, model),
        "on_model": lambda a, b: alone(joined(a, b, model)),
        "model_of": lambda alias: f"{alias}.model" if modelled else f"{sql.text('null')} as model",
        "keys": lambda alias: listed(alias, model) + further(sliced(), lambda: listed(alias, SEGMENT)),
        "key_columns": lambda alias: in_lines(listed(alias, model)) + further(sliced(), lambda: in_lines(listed(alias, SEGMENT))),
        "same_keys": lambda a, b: joined(a, b, model) + further(sliced(), lambda: joined(a, b, SEGMENT)),
        "on_keys": lambda a, b: str(
            chosen(sliced(), lambda: alone(joined(a, b, (*model, *SEGMENT))), lambda: alone(joined(a, b, model)))
        ),
    }


def further(condition: Truth, text: Callable[[], str]) -> str:
    """The text if a condition holds."""
    return str(chosen(condition, text, str))


def in_lines(columns: str) -> str:
    return columns.replace(", ", ",\n    ")


def alone(conditions: str) -> str:
    """Conditions with none after them."""
    return conditions.removesuffix(" and ") or "true"


def listed(alias: str, columns: Sequence[str]) -> str:
    """Columns before others."""
    return "".join(f"{alias}.{column}, " for column in columns)


def joined(a: str, b: str, columns: Sequence[str]) -> str:
    """The conditions that two rows agree in columns, before another condition. Only `slice` is never NULL."""
    return "".join(f"{a}.{column} {'=' if column == 'slice' else 'is not distinct from'} {b}.{column} and " for column in columns)
