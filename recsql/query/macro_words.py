"""What a macro says in sentences: steps after those of a comparison."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from recsql.base.text import cases, quoted
from recsql.catalog import catalog
from recsql.catalog.headers import Value
from recsql.query.macro_query import MacroQuery, Step
from recsql.query.metric import Metric
from recsql.query.templates import rendered


def worded(query: MacroQuery, margin: Value, tables: Sequence[str]) -> tuple[Step, list[Step]]:
    """The step of the means, which is the first of a verdict, and those from the rows of a comparison on, its last ones.

    `query` has the tests of the comparison, and `tables` are the further ones that the means need.
    """

    def named(condition: Callable[[Metric], bool]) -> str:
        columns = (replace(one, of_query=one.options) for one in query.inputs.columns)
        return ", ".join(quoted(one.metric) for one in columns if condition(one))

    def step(name: str, row: str, piece: str) -> Step:
        return Step(name, f"{name}_of", row, query.mark_steps(rendered(catalog().report[piece].path, known)))

    steps = {"values": "compared", "further": "model_means", "told": "told"}
    known = {
        **query.context,
        **{name: f"query_table(¦{one}¦)" for name, one in steps.items()},
        "tables_of_means": tables,
        "raw": True,
        "margin": margin,
        "baseline": "cast(«baseline» as varchar)",
        "cases": cases(float(str(query.context["power"]))),
        "lower": named(lambda one: one.header.get("better") == "lower"),
        "neither": named(lambda one: one.header.get("better") == "neither"),
        "unbounded": named(lambda one: not (one.bounded and one.within_bounds)),
        "at_most_one": named(lambda one: one.best_is_one),
        "one_metric": query.usual_metrics[0],
    }
    means = step("model_means", "one row per model: its mean, the best model first", "model_means")
    return means, [
        Step("compared", "compared_of", "one row per comparison", query.last),
        step("told", "one row per comparison: the sentence on it", "compared"),
        step("told_verdict", "one row per line: the headline, the sentences under it, and a doubt", "verdict"),
    ]
