"""The verdict: in a few sentences, which model is better and whether the numbers can be trusted."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pyarrow as pa

from recsql.base.errors import BadInput
from recsql.base.text import counted, on_one_line
from recsql.display import findings_text
from recsql.display.comparison import Pair, settings_from, settings_of
from recsql.display.comparison_text import hidden, name_of, told_of, unequal_lines
from recsql.display.pivoted import segment_of
from recsql.page.evidence import LIST, RELEVANT, Evidence, sql_of
from recsql.query.plan import usual
from recsql.query.results import Row, metadata_of

MEANS = pa.schema(  # the columns that the verdict reads of each model
    [
        *((name, pa.string()) for name in ("model", "name", "metric")),
        *((name, pa.int64()) for name in ("turn", "k", "users", "orientation")),
        *((name, pa.float64()) for name in ("value", "low", "high")),
    ]
)
MOST = 3  # errors in the verdict
CONCENTRATED = 0.5  # the least share of the difference for which the verdict names a segment
MORE = 1.2  # the segment's share of the difference must exceed its share of the users so many times
NEARLY_ALL = 0.95  # the share of the difference that counts as all of it
DISTRUST = ("saturated",)  # findings whose example is a metric, on which they change the verdict


class Verdict(NamedTuple):
    """A headline, the paragraphs below it, and whether errors in the data make the numbers void."""

    headline: str
    paragraphs: Sequence[str]
    is_void: bool = False


def judge(evidence: Evidence, findings: Sequence[Sequence[Row]], *, conventions: bool) -> Verdict:
    """The verdict on the main metric. `findings` are the rows of each finding. `conventions`: whether to ask others."""
    if errors := errors_in(findings):
        return Verdict(f"These numbers can't be trusted: {counted(len(errors), 'error')} in the data.", errors[:MOST], True)
    decided = decide(evidence, findings)
    headline, *sentences = (row["line"] for row in decided if row["kind"] != "doubt")
    judged = unequal_lines(evidence.comparison, str(evidence.main)) if evidence.comparison is not None else ()
    told = [*sentences, " ".join(judged), origin(evidence), made_from_train(evidence), *doubts(findings)]
    told += [row["line"] for row in decided if row["kind"] == "doubt"]
    if conventions and len(evidence.ranking) > 1 and evidence.differing:
        _, others = evidence.by_convention
        drawn = metadata_of(evidence.conventions).get("sample")
        among = f" for a sample of {drawn['users']:,} users" if drawn else ""
        told.append(f"{len(evidence.differing)} of {len(others)} other conventions name another best model{among}.")
    return Verdict(headline, [*filter(None, told)])


def refuse(refused: BadInput, findings: Sequence[Sequence[Row]]) -> Verdict:
    """The verdict on tables that evaluate refuses."""
    return Verdict("These tables can't be evaluated.", list(dict.fromkeys([str(refused), *errors_in(findings)]))[:MOST], True)


def errors_in(findings: Sequence[Sequence[Row]]) -> list[str]:
    """The sentences on findings that make the numbers wrong."""
    errors = [rows for rows in findings if rows[0]["severity"] == "error"]
    return [f"{findings_text.what(rows)} {findings_text.why(rows[0])}" for rows in errors]


def decide(evidence: Evidence, findings: Sequence[Sequence[Row]]) -> list[Row]:
    """The rows of the headline on the main metric, the sentences under it, and a doubt."""
    main, settings = evidence.main, settings_of(evidence.comparison) if evidence.comparison is not None else None
    settings = settings or settings_from({**usual(None), "interval": evidence.level})  # of one model, no test is told
    beside = [pair for pair in evidence.compared if (pair.metric, pair.k) == main[:2]]
    rivals = evidence.against_best if any(pair.winner == pair.model for pair in beside) else []
    pairs = [*beside, *(pair for pair in rivals if pair.baseline != evidence.baseline)]
    means = [
        {**evidence.value(model), "turn": place, "name": name_of(model), "orientation": main.orientation}
        for place, model in enumerate(evidence.ranking, 1)
    ]
    distrusted = any(row["finding"] in DISTRUST and row["example"] == main.metric for rows in findings for row in rows)
    given = {"baseline": sql_of(evidence.named_baseline), "saturated": distrusted, "told": "told"}
    return told_of(pairs, settings, "verdict", pa.Table.from_pylist(means, MEANS), **given)


def origin(evidence: Evidence) -> str:
    """Where most of the difference comes from, and where none was found; empty if it is spread evenly."""
    if not evidence.slices or not evidence.slices[0].difference or evidence.slices[0].winner is None:
        return ""
    whole, *segments = evidence.slices
    shares = [(pair, (pair.contribution or 0.0) / (whole.difference or 1)) for pair in segments if pair.share]
    concentrated = [(pair, share) for pair, share in shares if share >= CONCENTRATED and share > MORE * (pair.share or 1)]
    if not concentrated:
        return ""
    most, share = max(concentrated, key=lambda one: one[1] - (one[0].share or 0))
    size, lost = "The whole" if share >= NEARLY_ALL else "Most of the", "loss" if whole.winner == whole.baseline else "gain"
    told = f"{size} {lost} of {name_of(whole.model)} comes from {described(most)}: {most.difference_text}."
    others = (one for one in segments if one.slice == most.slice and one is not most and one.difference)
    rest = [one for one in others if one.winner != whole.winner]
    if not rest:
        return told
    other = max(rest, key=lambda one: one.users)
    after = hidden(other, evidence.level)
    lacking = f"a difference is not shown{after}" if after else "no difference was found"
    found = lacking if other.winner is None else f"{name_of(other.winner)} is better"
    return f"{told} For {described(other)}, {found}: {other.difference_text}."


def made_from_train(evidence: Evidence) -> str:
    """That the baseline was made from train, or why it could not be; empty for a baseline among the models."""
    if evidence.popularity_of:
        return f"The baseline, popularity, was made from train: {evidence.made}."
    if evidence.no_popularity:
        first = "best model" if evidence.main.orientation else "model with the highest value"
        return f"No baseline was made from train, so the {first} is the baseline: {evidence.no_popularity}."
    return ""


def doubts(findings: Sequence[Sequence[Row]]) -> Iterator[str]:
    """The sentences on models that are measured on different users."""
    for first, *_ in findings:
        if first["finding"] == "coverage_differs" and first["severity"] == "warning":
            lacking = f"{name_of(first['model'])} has no list for {findings_text.quantity(first)} of another model"
            yield f"The models are measured on different users: {lacking}."


def described(pair: Pair) -> str:
    """The users of a segment in words."""
    users = counted(pair.users, "user")
    if pair.slice == LIST:
        return f"the {users} with a list {pair.segment}"
    if pair.slice == RELEVANT:
        return f"the {users} with {pair.segment} relevant items"
    return on_one_line(f"the {users} with {pair.slice} = {segment_of(pair.slice, pair.segment)}")
