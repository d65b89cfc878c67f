"""The report: one HTML page to decide by."""
