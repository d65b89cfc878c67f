"""Results for people: tables, lines under them, charts."""
