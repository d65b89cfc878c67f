"""The key columns of the steps, as the templates write them: the model, and with slices the segment of the users."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace

MODEL = ("model",)
SEGMENT = ("slice", "segment")


def keys(sql: SimpleNamespace, *, modelled: bool, sliced: bool) -> dict[str, Callable[..., str]]:
    """The functions of templates for key columns. None has a column that the query lacks."""
    model = MODEL if modelled else ()
    all_ = (*model, *SEGMENT) if sliced else model
    return {
        "model": lambda alias: listed(alias, model),
        "same_model": lambda a, b: joined(a, b, model),
        "on_model": lambda a, b: joined(a, b, model).removesuffix(" and ") or "true",
        "model_of": lambda alias: f"{alias}.model" if modelled else f"{sql.text('null')} as model",
        "keys": lambda alias: listed(alias, all_),
        "key_columns": lambda alias: listed(alias, all_).replace(", ", ",\n    "),
        "same_keys": lambda a, b: joined(a, b, all_),
        "on_keys": lambda a, b: joined(a, b, all_).removesuffix(" and ") or "true",
    }


def listed(alias: str, columns: Sequence[str]) -> str:
    """Columns before others."""
    return "".join(f"{alias}.{column}, " for column in columns)


def joined(a: str, b: str, columns: Sequence[str]) -> str:
    """The conditions that two rows agree in columns, before another condition. Only `slice` is never NULL."""
    return "".join(f"{a}.{column} {'=' if column == 'slice' else 'is not distinct from'} {b}.{column} and " for column in columns)
