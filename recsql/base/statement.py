"""Rendered queries, and the queries for the rows of their steps."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache

from recsql.base.text import code

READS = re.compile(r"\b(?:from|join)\s+([a-z_]+)\b|¦(\w+)¦")  # in a macro, a step between marks is read by its name
PROBLEMS = "select p.message\nfrom problems as p"


@lru_cache(maxsize=4096)
def reads_in(text: str) -> Sequence[str]:
    """The steps and tables that a rendered text reads, repeated if it reads them several times."""
    return [plain or marked for plain, marked in READS.findall(code(text))]


def steps_in(text: str) -> frozenset[str]:
    """The steps and tables that a rendered text reads."""
    return frozenset(reads_in(text))


@lru_cache(maxsize=4096)
def columns_read(step: str, text: str) -> frozenset[str]:
    """The columns of a step that a rendered text reads; `*` stands for all of them."""
    text = code(text)
    aliases = re.findall(rf"\b(?:from|join)\s+{step}\s+as\s+(\w+)", text)
    return frozenset(column for alias in aliases for column in re.findall(rf"\b{alias}\.(\w+|\*)", text))


class Statement(str):
    """A rendered query; `steps` has its CTEs by name, `last` the final SELECT."""

    steps: Mapping[str, str]
    last: str
    kept: Collection[str]  # steps that are read more than once and should be computed once
    sized: Collection[str]  # steps to compute first, because the plan of the rest depends on their number of rows

    @classmethod
    def of(cls, steps: Mapping[str, str], last: str, kept: Collection[str] = (), sized: Collection[str] = ()) -> "Statement":
        made = cls("with\n" + ",\n\n".join(steps.values()) + f"\n\n{last}")
        made.steps, made.last, made.kept, made.sized = steps, last, kept, sized
        return made

    def reading(self, names: Collection[str], elsewhere: Callable[[str, "Statement"], str]) -> "Statement":
        """The statement with the steps `names` replaced.

        `elsewhere` gets a step's name and the query for its rows, and returns the text that follows AS.
        """
        steps: dict[str, str] = {}
        left = {*self.sized} - {*names}
        for name, step in self.steps.items():
            steps[name] = step
            if name in names:
                steps[name] = f"{name} as {elsewhere(name, Statement.over(steps, f'select * from {name}', left))}"
        return Statement.over(steps, self.last, left)

    @classmethod
    def over(cls, steps: Mapping[str, str], last: str, sized: Collection[str] = ()) -> "Statement":
        """The statement with only those steps that are read."""
        read = set(steps_in(last))
        for name in reversed(list(steps)):
            if name in read:
                read |= steps_in(steps[name])
        there = {name: step for name, step in steps.items() if name in read}
        return cls.of(there, last, sized={*sized} & there.keys())

    @property
    def problems(self) -> "Statement":
        """The query for the problems of the input. Each row is a sentence with which the statement itself would fail."""
        return Statement.over(self.steps, PROBLEMS)


class Joined(str):
    """Several statements combined into one; `parts` has them."""

    parts: Sequence[Statement]

    @classmethod
    def of(cls, text: str, parts: Sequence[Statement]) -> "Joined":
        made = cls(text)
        made.parts = parts
        return made
