"""The sentences about a split: what each part has, and what in the truth no model can know of, or knows already."""

from collections.abc import Iterator, Mapping, Sequence

from recsql.base.text import counted
from recsql.catalog.headers import Value
from recsql.query.results import Row

Counts = Sequence[Row]  # one row per fold and part
OF_ONE_PART = ("train", "fold_in", "validation", "truth")
DROPPED = {
    "cold_user": "of users without train",
    "cold_item": "of items without train",
    "repeat": "of items that the user has in train",
    "not_target": "that target = {target} leaves out",
}


def notes(counts: Counts, options: Mapping[str, Value]) -> list[str]:
    """The sentences, from the counts of a split."""
    sizes = [size_of(fold, counts) for fold in dict.fromkeys(row["fold"] for row in counts)]
    held = [row for row in counts if row["part"] in ("truth", "validation")]
    total = {name: sum(row[name] for row in held) for name in ("cold_users", "of_cold_users", "of_cold_items", "repeats")}
    unknown = {
        f"of {counted(total['cold_users'], 'user')} without train": total["of_cold_users"],
        DROPPED["cold_item"]: total["of_cold_items"],
        DROPPED["repeat"]: total["repeats"],
    }
    dropped = {
        words.format(target=options["split__target"]): sum(row["interactions"] for row in counts if row["part"] == part)
        for part, words in DROPPED.items()
    }
    lists = [*in_words("The truth has ", unknown), *in_words("Taken out of the truth: ", dropped)]
    return [*sizes, *lists, *leak(counts, options)]


def size_of(fold: int | None, counts: Counts) -> str:
    """The parts of a fold, with their interactions and users."""
    parts = {row["part"]: row for row in counts if row["fold"] == fold}
    told = [
        f"{part} {counted(parts[part]['interactions'], 'interaction')} of {counted(parts[part]['users'], 'user')}"
        for part in OF_ONE_PART
        if part in parts
    ]
    if unused := sum(row["interactions"] for part, row in parts.items() if part not in OF_ONE_PART):
        told.append(f"unused {counted(unused, 'interaction')}")
    return f"{'' if fold is None else f'Fold {fold}: '}{'; '.join(told)}."


def in_words(start: str, interactions: Mapping[str, int]) -> Iterator[str]:
    """A sentence on numbers of interactions that are not 0."""
    if told := [f"{counted(number, 'interaction')} {words}" for words, number in interactions.items() if number]:
        yield f"{start}{', '.join(told)}."


def leak(counts: Counts, options: Mapping[str, Value]) -> Iterator[str]:
    """The share of the truth that lies before the end of train, under protocols that let models see the future."""
    truth = [row for row in counts if row["part"] == "truth" and row["before_end_of_train"]]
    if truth and options["protocol"] != "temporal":
        share = sum(row["before_end_of_train"] for row in truth) / sum(row["interactions"] for row in truth)
        yield (
            f"{share:.1%} of the truth lies before the last interaction in train, so models can learn from the future; "
            "protocol='temporal' avoids that."
        )
