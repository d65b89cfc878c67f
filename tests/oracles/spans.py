"""Metrics of spans by their definitions, over sets of positions, and those of three packages by theirs; nothing of recsql."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

Positions = set[tuple[str, int]]


@dataclass(frozen=True)
class Range:
    """From `start` up to `end`, which is no part of it."""

    document: str
    start: int
    end: int

    @property
    def length(self) -> int:
        return self.end - self.start

    @property
    def positions(self) -> Positions:
        return {(self.document, place) for place in range(self.start, self.end)}


@dataclass(frozen=True)
class Row:
    """One row of a list."""

    text: Range
    rank: int
    tokens: int = 0


@dataclass(frozen=True)
class Question:
    """A list, and the judged spans with their relevance, in which a span may be there twice."""

    rows: Sequence[Row]
    judged: Sequence[tuple[Range, int]]

    @property
    def spans(self) -> dict[Range, int]:
        """The relevant spans with their gains: of equal ones, the highest."""
        spans: dict[Range, int] = {}
        for span, relevance in self.judged:
            if relevance > 0:
                spans[span] = max(relevance, spans.get(span, 0))
        return spans


@dataclass(frozen=True)
class Way:
    """When a row finds a span, and which rows are in force at a cut-off."""

    match: str = "any"
    threshold: float = 0.5
    crossing: str | None = None  # of a budget in tokens; None: cut-offs are ranks

    def finds(self, row: Row, span: Range) -> bool:
        ours, theirs = row.text.positions, span.positions
        shared = len(ours & theirs)
        if self.match == "any":
            return shared > 0
        whole = len(theirs) if self.match == "share" else len(ours | theirs)
        return shared / whole >= self.threshold

    def in_force(self, rows: Iterable[Row], k: float) -> list[Row]:
        if self.crossing is None:
            return [row for row in rows if row.rank <= k]
        taken: list[Row] = []
        spent = 0
        for row in sorted(rows, key=lambda row: row.rank):
            fits = spent < k if self.crossing == "in" else spent + row.tokens <= k
            if not (fits or (self.crossing == "first" and not taken)):
                break
            taken.append(row)
            spent += row.tokens
        return taken


def values(question: Question, k: float, way: Way) -> dict[str, float | None]:
    """All metrics of spans of one question with a relevant span."""
    spans, rows = question.spans, way.in_force(question.rows, k)
    finding = {row.rank: [span for span in spans if way.finds(row, span)] for row in rows}
    ranks = [rank for rank, found in finding.items() if found]
    found = {span for some in finding.values() for span in some}
    relevant: Positions = set().union(*(span.positions for span in spans))
    had = relevant.intersection(set().union(*(row.text.positions for row in rows)))
    read = sum(row.text.length for row in rows)
    return {
        "hits": len(found),
        "recall": len(found) / len(spans),
        "miss_rate": 1 - len(found) / len(spans),
        "hit": float(len(found) >= 1),
        "hit(at_least=2)": float(len(found) >= 2),
        "hit(at_least=all)": float(len(found) == len(spans)),
        "rr": 1 / min(ranks) if ranks else 0.0,
        "first_rank": min(ranks, default=None),
        "cg": sum(spans[span] for span in found),
        "precision": len(ranks) / k,
        "precision(denominator=returned)": len(ranks) / len(rows) if rows else 0.0,
        "text_recall": len(had) / len(relevant),
        "text_precision": len(had) / read if read else 0.0,
        "text_iou": len(had) / (read + len(relevant) - len(had)),
    }


# -- packages: None is what one does not define, or defines otherwise


def shared(one: Range, other: Range) -> Range | None:
    """What two ranges have in common; None if nothing."""
    both = Range(one.document, max(one.start, other.start), min(one.end, other.end))
    return both if one.document == other.document and both.length > 0 else None


def united(ranges: Iterable[Range]) -> int:
    """The length of the union of some ranges."""
    total, reached = 0, dict[str, int]()
    for one in sorted(ranges, key=lambda one: (one.document, one.start)):
        total += max(0, one.end - max(one.start, reached.get(one.document, one.start)))
        reached[one.document] = max(one.end, reached.get(one.document, one.end))
    return total


def are_apart(ranges: Sequence[Range]) -> bool:
    return united(ranges) == sum(one.length for one in ranges)


def chunking_evaluation(question: Question, k: float) -> Mapping[str, float] | None:
    """Its questions are about one document, and its spans are apart; without text it divides by zero."""
    rows, spans = [row.text for row in question.rows if row.rank <= k], [*question.spans]
    read, relevant = sum(row.length for row in rows), sum(span.length for span in spans)
    if len({span.document for span in spans}) > 1 or not are_apart(spans) or not read:
        return None
    had = united(both for row in rows for span in spans if (both := shared(row, span)))
    return {"text_recall": had / relevant, "text_precision": had / read, "text_iou": had / (read + relevant - had)}


def legalbench_rag(question: Question, k: float) -> Mapping[str, float] | None:
    """It adds up what each row and each span share, so neither may overlap."""
    rows, spans = [row.text for row in question.rows if row.rank <= k], [*question.spans]
    if not (are_apart(rows) and are_apart(spans)):
        return None
    had = sum(both.length for row in rows for span in spans if (both := shared(row, span)))
    read, relevant = sum(row.length for row in rows), sum(span.length for span in spans)
    return {"text_recall": had / relevant, "text_precision": had / read if read else 0.0}


def anchor_eval(question: Question, k: float, threshold: float) -> Mapping[str, float] | None:
    """One row of enough intersection over union finds a span. A list shorter than k is no hit; equal spans are several."""
    rows, spans = [row.text for row in question.rows if row.rank <= k], [*question.spans]
    if len(rows) < k or len(spans) < sum(relevance > 0 for _, relevance in question.judged):
        return None

    def share(row: Range, span: Range) -> float:
        both = shared(row, span)
        return both.length / (row.length + span.length - both.length) if both else 0.0

    found = [any(share(row, span) >= threshold for row in rows) for span in spans]
    return {"hit": float(any(found)), "hit(at_least=all)": float(all(found)), "recall": sum(found) / len(found)}


PACKAGES: Mapping[str, Callable[[Question, float], Mapping[str, float] | None]] = {
    "chunking_evaluation": chunking_evaluation,
    "LegalBench-RAG": legalbench_rag,
}
