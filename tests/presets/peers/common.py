"""What the scripts of the libraries share. Each runs in its library's environment: python NAME.py < samples.json > values.json.

A sample is recommendations, each list best first, and truth; its values are an object by metric, as recsql writes it.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

KS = (1, 3, 5, 10)
WHOLE = 100  # beyond the longest list and the longest truth
Rows = list[dict[str, Any]]
Values = dict[str, Any]


def give(values: Callable[[Rows, Rows], Values]) -> None:
    """Writes the values of every sample."""
    found = [values(sample["recs"], sample["truth"]) for sample in json.load(sys.stdin)]
    json.dump([{name: float(value) for name, value in one.items()} for one in found], sys.stdout)


def nested(rows: Rows, value: str, kind: type) -> dict[str, dict[str, Any]]:
    """The rows as a dictionary of dictionaries: by user, by item."""
    by_user: dict[str, dict[str, Any]] = {}
    for row in rows:
        by_user.setdefault(row["user_id"], {})[row["item_id"]] = kind(row[value])
    return by_user
