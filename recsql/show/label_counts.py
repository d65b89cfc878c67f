"""What became of the events and the impressions, in sentences."""

from collections.abc import Iterator, Mapping

from recsql.base.text import counted
from recsql.catalog.headers import Value

Counts = Mapping[str, int]


def sentence(counts: Counts, known: Mapping[str, Value]) -> str:
    """The sentences about the labels of a call with these options."""
    return " ".join(f"{one[0].upper()}{one[1:]}." for one in (outcome(counts, known), *labelled(counts, known)))


def outcome(counts: Counts, known: Mapping[str, Value]) -> str:
    """What became of each impression and of each event."""
    others = {"before the start": counts["early"], "after the window": counts["late"]}  # that no labelled request has
    if "requests" in counts:
        kept = " (kept)" if known["organic"] == "keep" else ""
        others = {
            "after the window": counts["late"],
            f"before it was shown{kept}": counts["early"],
            f"never shown{kept}": counts["organic"],
        }
        others["in a request that is left out"] = counts["events"] - counts["credited"] - sum(others.values())
    fates = [f"{counts['credited']:,} credited", *(f"{number:,} {words}" for words, number in others.items() if number)]
    told = [f"{counted(counts['events'], 'event')}: {', '.join(fates)}" if counts["events"] else "no events"]
    if "requests" in counts:
        told.insert(0, f"{counted(counts['impressions'], 'impression')} in {counted(counts['requests'], 'request')}")
    if still := counts.get("open_requests"):
        fate = "kept" if known["complete"] == "keep" else "left out"
        told.append(f"{counted(still, 'request')} {'is' if still == 1 else 'are'} still open ({fate})")
    return "; ".join(told)


def labelled(counts: Counts, known: Mapping[str, Value]) -> Iterator[str]:
    """What has labels, and how `evaluate` counts it."""
    unit = "request" if "requests" in counts and known["unit"] == "request" else "user"
    with_labels = f"{counted(counts['labelled'], unit)} with labels {'has' if counts['labelled'] == 1 else 'have'}"
    relevant = f"{counts['relevant']:,} of {with_labels} a relevant item"
    if counts["labelled"] == counts["relevant"]:
        yield relevant
    elif unit == "request":
        yield f"{relevant}: evaluate gives the mean over these, and the mean over all with the others as 0"
    else:
        yield f"{relevant}: no_truth='zero' counts the others as 0 in the mean"
    if unit == "request" and counts["models"] > 1:
        yield f"each request belongs to one of {counts['models']} models: no_recs='skip' averages each over its own"
