"""What the events and the impressions came to, in sentences."""

from collections.abc import Iterator, Mapping

from recsql.catalog.headers import Value

Counts = Mapping[str, int]


def sentence(counts: Counts, known: Mapping[str, Value]) -> str:
    """The sentences about the labels of a call with these options."""
    return " ".join(f"{one[0].upper()}{one[1:]}." for one in (told(counts, known), *labelled(counts, known)))


def told(counts: Counts, known: Mapping[str, Value]) -> str:
    """What became of each impression and of each event."""
    shown = (
        [f"{number(counts['impressions'], 'impression')} in {number(counts['requests'], 'request')}"]
        if "requests" in counts
        else []
    )
    fates = [f"{counts['credited']:,} credited", *(f"{n:,} {words}" for words, n in others(counts, known).items() if n)]
    events = f"{number(counts['events'], 'event')}: {', '.join(fates)}" if counts["events"] else "no events"
    return "; ".join([*shown, events, *left_open(counts, known)])


def others(counts: Counts, known: Mapping[str, Value]) -> dict[str, int]:
    """The events that no labelled request has."""
    if "requests" not in counts:
        return {"before the start": counts["early"], "after the window": counts["late"]}
    kept = " (kept)" if known["organic"] == "keep" else ""
    found = {
        "after the window": counts["late"],
        f"before it was shown{kept}": counts["early"],
        f"never shown{kept}": counts["organic"],
    }
    return found | {"in a request that is left out": counts["events"] - counts["credited"] - sum(found.values())}


def left_open(counts: Counts, known: Mapping[str, Value]) -> Iterator[str]:
    if still := counts.get("open_requests"):
        fate = "kept" if known["complete"] == "keep" else "left out"
        yield f"{number(still, 'request')} {'is' if still == 1 else 'are'} still open ({fate})"


def labelled(counts: Counts, known: Mapping[str, Value]) -> Iterator[str]:
    """What has labels, and how `evaluate` counts it."""
    unit = "request" if "requests" in counts and known["unit"] == "request" else "user"
    without = counts["labelled"] - counts["relevant"]
    with_labels = f"{number(counts['labelled'], unit)} with labels {'has' if counts['labelled'] == 1 else 'have'}"
    both = "evaluate gives the mean over these, and the mean over all with the others as 0"
    as_zero = "no_truth='zero' counts the others as 0 in the mean"
    way = "" if not without else both if unit == "request" else as_zero
    yield f"{counts['relevant']:,} of {with_labels} a relevant item{way and ': '}{way}"
    if unit == "request" and counts["models"] > 1:
        yield f"each request belongs to one of {counts['models']} models: no_recs='skip' averages each over its own"


def number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
