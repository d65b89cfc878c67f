"""Values of options that models have of their own in fusion: a weight, and which end of the scores is the best."""

from collections.abc import Mapping
from typing import Self

from recsql.base.text import quoted, real

MOST = 1_000_000  # so that exact sums of weighted scores have room
ENDS = ("desc", "asc")


class ByModel(str):
    """A value for each model, as the command line has it: bm25=0.7,dense=0.3."""

    models: Mapping[str, str]

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parses a mapping or its text; raises ValueError for anything else, KeyError for a model given twice."""
        given = value.items() if isinstance(value, Mapping) else [pair.rpartition("=")[::2] for pair in str(value).split(",")]
        found = [(str(model).strip(), cls.value(str(one).strip())) for model, one in given]
        names = [model for model, _ in found]
        if not all(names) or not names:
            raise ValueError
        if twice := [name for name in names if names.count(name) > 1]:
            raise KeyError(twice[0])
        made = cls(",".join(f"{model}={one}" for model, one in found))
        made.models = dict(found)
        return made

    @classmethod
    def value(cls, text: str) -> str:
        """The value of one model; raises ValueError if it is none."""
        raise NotImplementedError


class Weights(ByModel):
    """A weight for each model."""

    @classmethod
    def value(cls, text: str) -> str:
        if not 0 <= float(text) <= MOST:
            raise ValueError
        return real(float(text))

    def of(self, x: str) -> str:
        """SQL for the weight of the model `x`; NULL if it has none."""
        return f"case {x} {' '.join(f'when {quoted(model)} then {one}' for model, one in self.models.items())} end"


class Ends(ByModel):
    """The end of the scores that is the best, of all models or of each."""

    @classmethod
    def parse(cls, value: object) -> Self:
        word = str(value).strip().lower()
        return cls(word) if word in ENDS else super().parse(value)

    @classmethod
    def value(cls, text: str) -> str:
        return ENDS[ENDS.index(text.lower())]

    def ascend(self, x: str) -> str:
        """SQL for the condition that the lowest scores of the model `x` are the best."""
        of_asc = [quoted(model) for model, end in self.models.items() if end == "asc"]
        return f"{x} in ({', '.join(of_asc)})" if of_asc else "false"
