"""What macros repeat for each slice of a call: its columns, their ranges and so on.

A `for` over such a list becomes a text of its own, and a value of the text around it. The program of a macro puts the value
together when it is called, after the values that it contains. Until the text around it is complete, the text of the loop stands
in it, so that filters such as `indent` apply to both.
"""

import re
from collections.abc import Callable
from typing import Any

from recsql.conditions import MARK, VALUE, laid, names_in
from recsql.symbols import Several

BEGIN, TEXT, END = "\x04", "\x05", "\x06"  # around a loop: begin, the name of its list, its text, end
INNERMOST = re.compile(f"{BEGIN}([^{BEGIN}{TEXT}{END}]*){TEXT}([^{BEGIN}{END}]*){END}")
HIDDEN = str.maketrans({"\x02": "\x10", "\x03": "\x11"})  # the marks of values in the text of a loop
SHOWN = str.maketrans({"\x10": "\x02", "\x11": "\x03"})
IN_LOOP, AFTER = "\x0e", "\x0f"  # around the conditions there
FACTS = ("by_activity", "by_table")  # of the call, that the texts of loops may have conditions on


class Repeated(Several):
    """A list that is known when a macro is called. `entry` has the symbols of one of its entries."""

    def __init__(self, name: str, entry: Callable[[], Any]) -> None:
        self.name, self.entry = name, entry

    def each(self, body: Callable[[Any], str]) -> str:
        text = MARK.sub(rf"{IN_LOOP}\1{AFTER}", body(self.entry())).translate(HIDDEN)
        return f"{BEGIN}{self.name}{TEXT}{text}{END}"


class Loops:
    """The texts of loops, by the names of their values."""

    def __init__(self) -> None:
        self.names: dict[tuple[str, str], str] = {}

    def taken_from(self, text: str) -> str:
        """A rendered text as a macro keeps it, with the value of each loop in its place."""
        while BEGIN in text:
            text = INNERMOST.sub(lambda found: self.value(found[1], shown(found[2])), text)
        return laid(shown(text))

    def value(self, name: str, text: str) -> str:
        """The value of a loop over the list of a name; raises ValueError if its text has conditions that are not known yet."""
        kept = laid(text)
        if unknown := {one for one in names_in(kept) if one[0] != "." and one not in FACTS}:
            raise ValueError(f"a loop over {name} has a condition on {', '.join(sorted(unknown))}, which is not known there")
        number = self.names.setdefault((name, kept), f".{name}.{len(self.names) + 1}")
        return VALUE.format(number).translate(HIDDEN)

    def of(self, name: str) -> dict[str, str]:
        """The texts of the loops over a list, by the names of their values."""
        return {value: text for (of, text), value in self.names.items() if of == name}


def shown(text: str) -> str:
    """The text of a loop with its marks."""
    return text.translate(SHOWN).replace(IN_LOOP, "{%").replace(AFTER, "%}")
