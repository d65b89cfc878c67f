"""The key columns of the steps, as the templates write them: the model, and with slices the segment of the users."""

from collections.abc import Callable
from types import SimpleNamespace

SEGMENT = ("slice", "segment")


def keys(sql: SimpleNamespace, *, modelled: bool, sliced: bool) -> dict[str, Callable[..., str]]:
    """The functions of templates for key columns. None has a column that the query lacks."""
    model = ("model",) if modelled else ()
    of_keys = (*model, *(SEGMENT if sliced else ()))

    def listed(alias: str, columns: tuple[str, ...], after: str = ", ") -> str:
        return "".join(f"{alias}.{column}{after}" for column in columns)

    def joined(a: str, b: str, columns: tuple[str, ...]) -> str:  # only `slice` is never NULL
        return "".join(f"{a}.{one} {'=' if one == 'slice' else 'is not distinct from'} {b}.{one} and " for one in columns)

    def alone(conditions: str) -> str:
        return conditions.removesuffix(" and ") or "true"

    return {
        "model": lambda alias: listed(alias, model),
        "same_model": lambda a, b: joined(a, b, model),
        "on_model": lambda a, b: alone(joined(a, b, model)),
        "model_of": lambda alias: f"{alias}.model" if modelled else f"{sql.text('null')} as model",
        "keys": lambda alias: listed(alias, of_keys),
        "key_columns": lambda alias: listed(alias, of_keys, ",\n    "),
        "same_keys": lambda a, b: joined(a, b, of_keys),
        "on_keys": lambda a, b: alone(joined(a, b, of_keys)),
    }
