"""The columns of results."""

SEGMENT = ("slice", "segment")
