"""The sentences about the files of a split and of labels: the rows of each part, and how events were counted."""

from collections.abc import Iterator, Mapping, Sequence

from recsql.base.text import counted
from recsql.catalog.headers import Value
from recsql.query.parts import OF_ONE_PART
from recsql.query.results import Row

DROPPED = {
    "cold_user": "of users without train",
    "cold_item": "of items without train",
    "repeat": "of items that the user has in train",
    "not_target": "that target = {target} leaves out",
}


# -- a split


def of_split(counts: Sequence[Row], options: Mapping[str, Value]) -> Iterator[str]:
    """The rows of each part, and the truth that models can't know or know already; `counts` has a row per fold and part."""
    for fold in dict.fromkeys(row["fold"] for row in counts):
        parts = {row["part"]: row for row in counts if row["fold"] == fold}
        told = [
            f"{part} {counted(parts[part]['interactions'], 'interaction')} of {counted(parts[part]['users'], 'user')}"
            for part in OF_ONE_PART
            if part in parts
        ]
        if unused := sum(row["interactions"] for part, row in parts.items() if part not in OF_ONE_PART):
            told.append(f"unused {counted(unused, 'interaction')}")
        yield f"{'' if fold is None else f'Fold {fold}: '}{'; '.join(told)}."
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
    for start, numbers in (("The truth has ", unknown), ("Taken out of the truth: ", dropped)):
        if any(numbers.values()):
            found = (f"{counted(number, 'interaction')} {words}" for words, number in numbers.items() if number)
            yield f"{start}{', '.join(found)}."
    truth = [row for row in counts if row["part"] == "truth" and row["before_end_of_train"]]
    if truth and options["protocol"] != "temporal":  # models can learn from the future
        share = sum(row["before_end_of_train"] for row in truth) / sum(row["interactions"] for row in truth)
        last = "of the truth lies before the last interaction in train"
        yield f"{share:.1%} {last}, so models can learn from the future; protocol='temporal' avoids that."


# -- labels


def of_labels(counts: Mapping[str, int], known: Mapping[str, Value]) -> str:
    """How impressions and events were counted, what has labels, and how `evaluate` reads them."""
    others = {"before the start": counts["early"], "after the window": counts["late"]}  # that no labelled request has
    told = []
    if "requests" in counts:
        told = [f"{counted(counts['impressions'], 'impression')} in {counted(counts['requests'], 'request')}"]
        kept = " (kept)" if known["organic"] == "keep" else ""
        others = {
            "after the window": counts["late"],
            f"before it was shown{kept}": counts["early"],
            f"never shown{kept}": counts["organic"],
        }
        others["in a request that is left out"] = counts["events"] - counts["credited"] - sum(others.values())
    fates = [f"{counts['credited']:,} credited", *(f"{number:,} {words}" for words, number in others.items() if number)]
    told.append(f"{counted(counts['events'], 'event')}: {', '.join(fates)}" if counts["events"] else "no events")
    if still := counts.get("open_requests"):
        fate = "kept" if known["complete"] == "keep" else "left out"
        told.append(f"{counted(still, 'request')} {'is' if still == 1 else 'are'} still open ({fate})")
    if nowhere := counts.get("unexpected"):
        told.append(f"{counted(nowhere, 'item')} shown only where the curve is 0 {'has' if nowhere == 1 else 'have'} no label")
    unit = "request" if "requests" in counts and known["unit"] == "request" else "user"
    with_labels = f"{counted(counts['labelled'], unit)} with labels {'has' if counts['labelled'] == 1 else 'have'}"
    relevant = f"{counts['relevant']:,} of {with_labels} a relevant item"
    if counts["labelled"] != counts["relevant"]:
        of_user = "no_truth='zero' counts the others as 0 in the mean"
        of_request = "evaluate gives the mean over these, and the mean over all with the others as 0"
        relevant += f": {of_request if unit == 'request' else of_user}"
    found = ["; ".join(told), relevant]
    if unit == "request" and counts["models"] > 1:
        found.append(f"each request belongs to one of {counts['models']} models: no_recs='skip' averages each over its own")
    return " ".join(f"{one[0].upper()}{one[1:]}." for one in found)
