"""The warnings of a call: what is odd about its input, and how many rows of the lists its options leave out."""

from collections.abc import Iterable, Sequence

from recsql.binding import Inputs
from recsql.engines import Engine
from recsql.errors import warn
from recsql.render import Query, proofs


def is_narrowed(inputs: Inputs) -> bool:
    """Whether options leave rows of the lists out: items that users have in train, or that are not candidates."""
    narrows = inputs.known.get("seen") == "drop" or inputs.known.get("candidates") is not None
    return narrows and "recs" in inputs.tables


def told(engine: Engine, bindings: Iterable[Inputs]) -> dict[str, list[str]]:
    """Warns of what the input of some queries has that is odd, and returns the sentences for the report."""
    queries = [Query(one, "warnings").statement() for one in bindings]
    found = dict.fromkeys(sentence for text in queries for sentence in engine.query(text)["message"].to_pylist())
    for sentence in found:
        warn(sentence)
    return {"warnings": list(found)} if found else {}


def warned(
    engine: Engine, bindings: Sequence[Inputs], values: Iterable[tuple[str | None, str, float | None]]
) -> dict[str, list[str]]:
    """Warns of models without a hit if recs and truth have nothing in common, and of rows that options leave out.

    `values` are models, metric names as asked for, and results. The tables are read again only if no value of a model proves a
    hit, or if rows are left out. Returns the sentences for the report.
    """
    if narrowed := [one for one in bindings if is_narrowed(one)]:
        return told(engine, narrowed)
    proving = {name: proves for binding in bindings for name, proves in proofs(binding).items()}
    if not proving or "recs" not in bindings[0].tables:
        return {}
    shown = {(model, bool(value) and proving[name]) for model, name, value in values if name in proving}
    if shown and {model for model, _ in shown} == {model for model, hit in shown if hit}:
        return {}
    return told(engine, bindings[:1])
