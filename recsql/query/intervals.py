"""Intervals: the columns of a result with them, and how much those of a comparison cover."""

COLUMNS = ("low", "high", "std_error", "few")
COMPARED = 0.95  # unless the call says otherwise
