"""A floor for one model: a condition of --fail-if on the means, such as ndcg@10.low < 0.02."""

import re
from argparse import ArgumentTypeError

import pyarrow as pa

from recsql.base.errors import RecsqlError
from recsql.base.text import literal
from recsql.display.gate import ALTERNATIVES, FAIL, PASS, Outcome
from recsql.query.over_result import over_result

NUMBER = r"[-+]?[0-9]*\.?[0-9]+(?:e[-+]?[0-9]+)?"
WRITTEN = re.compile(rf"\s*(?P<metric>.+?)(?:\.(?P<what>low|high|value))?\s*(?P<sign><=?|>=?)\s*(?P<limit>{NUMBER})\s*")


def condition_in(text: str) -> dict[str, str]:
    """The parts of a condition; raises the error of argparse if the text is none."""
    if (found := WRITTEN.fullmatch(text)) is None:
        raise ArgumentTypeError(f"{text!r} is no condition on a value; write it like 'ndcg@10.low < 0.02'")
    return found.groupdict(default="value")


def gate_in(text: str) -> str | dict[str, str]:
    """What --fail-if of a comparison takes."""
    return text if text in ALTERNATIVES else condition_in(text)


def apply_floor(means: pa.Table, condition: dict[str, str], baseline: str | None = None) -> Outcome:
    """Judges the values of all models but the baseline. Raises RecsqlError if there are none of the metric."""
    quoted = {"metric": literal(condition["metric"]), "baseline": literal(baseline or "")}
    rows = over_result("floor", means, sliced="slice" in means.column_names, **condition | quoted)
    if not rows.num_rows:
        known = ", ".join(dict.fromkeys(means["metric"].to_pylist()))
        raise RecsqlError(f"--fail-if: there is no value of {condition['metric']}; choose one of {known}")
    return Outcome(FAIL if any(rows["fails"].to_pylist()) else PASS, rows["line"].to_pylist())
