"""The sentences about a split: what each part has, and what in the truth no model can know of, or knows already."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recsql.catalog.headers import Value

Counts = Sequence[Mapping[str, Any]]  # one row per fold and part
OF_ONE_PART = ("train", "fold_in", "validation", "truth")
DROPPED = {
    "cold_user": "of users without train",
    "cold_item": "of items without train",
    "repeat": "of items that the user has in train",
    "not_target": "that target = {target} leaves out",
}


def notes(counts: Counts, options: Mapping[str, Value]) -> list[str]:
    """The sentences, from the counts of a split."""
    folds = list(dict.fromkeys(row["fold"] for row in counts))
    told = [sizes(fold, [row for row in counts if row["fold"] == fold]) for fold in folds]
    return [*told, *cold(counts), *dropped(counts, options), *leak(counts, options)]


def sizes(fold: int | None, counts: Counts) -> str:
    """The parts of a fold, with their interactions and users."""
    named = {row["part"]: row for row in counts}
    parts = [
        f"{part} {of(named[part]['interactions'], 'interaction')} of {of(named[part]['users'], 'user')}"
        for part in OF_ONE_PART
        if part in named
    ]
    unused = sum(row["interactions"] for part, row in named.items() if part not in OF_ONE_PART)
    rest = [f"unused {of(unused, 'interaction')}"] if unused else []
    return f"{'' if fold is None else f'Fold {fold}: '}{'; '.join([*parts, *rest])}."


def cold(counts: Counts) -> Iterator[str]:
    """How much of the truth belongs to users or items that are not in train, or is in train already."""
    held = [row for row in counts if row["part"] in ("truth", "validation")]
    total = {name: sum(row[name] for row in held) for name in ("cold_users", "of_cold_users", "of_cold_items", "repeats")}
    told = []
    if total["of_cold_users"]:
        told.append(f"{of(total['of_cold_users'], 'interaction')} of {of(total['cold_users'], 'user')} without train")
    if total["of_cold_items"]:
        told.append(f"{of(total['of_cold_items'], 'interaction')} of items without train")
    if total["repeats"]:
        told.append(f"{of(total['repeats'], 'interaction')} of items that the user has in train")
    if told:
        yield f"The truth has {', '.join(told)}."


def dropped(counts: Counts, options: Mapping[str, Value]) -> Iterator[str]:
    """How much was taken out of the truth."""
    numbers = {part: sum(row["interactions"] for row in counts if row["part"] == part) for part in DROPPED}
    told = [
        f"{of(number, 'interaction')} {DROPPED[part].format(target=options['split__target'])}"
        for part, number in numbers.items()
        if number
    ]
    if told:
        yield f"Taken out of the truth: {', '.join(told)}."


def leak(counts: Counts, options: Mapping[str, Value]) -> Iterator[str]:
    """The share of the truth that lies before the end of train, under protocols that let models see the future."""
    truth = [row for row in counts if row["part"] == "truth" and row["before_end_of_train"]]
    if truth and options["protocol"] != "temporal":
        share = sum(row["before_end_of_train"] for row in truth) / sum(row["interactions"] for row in truth)
        yield (
            f"{share:.1%} of the truth lies before the last interaction in train, so models can learn from the future; "
            "protocol='temporal' avoids that."
        )


def of(number: int, noun: str) -> str:
    """A number of things, in words."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
