"""From what a call asks for to its SQL."""
