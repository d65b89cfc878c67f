"""The verdict: in a few sentences, which model is better and whether the numbers can be trusted."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recsql.base.errors import BadInput
from recsql.base.text import counted, on_one_line
from recsql.display import findings_text
from recsql.display.comparison import Pair, Settings, decimals, settings_of
from recsql.display.comparison_text import hidden, name_of, sentences, unequal_lines
from recsql.display.output import cell
from recsql.display.pivoted import segment_of
from recsql.page.evidence import LIST, RELEVANT, Evidence
from recsql.query.results import Row, metadata_of

FEW = 200  # users; fewer are doubtful
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
    headline, sentences = decide(evidence, findings)
    judged = unequal_lines(evidence.comparison, str(evidence.main)) if evidence.comparison is not None else ()
    told = [*sentences, " ".join(judged), origin(evidence), made_from_train(evidence), *doubts(evidence, findings)]
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


def decide(evidence: Evidence, findings: Sequence[Sequence[Row]]) -> tuple[str, list[str]]:
    """Which model is best at the main metric, and why."""
    main, [first, *others] = evidence.main, evidence.ranking
    if not others or evidence.comparison is None:
        row = evidence.value(first)
        interval = "" if row["low"] is None else f" [{decimals(row['low'])}, {decimals(row['high'])}]"
        about = f"{main} is {cell(row['value'])}{interval}, the mean over {counted(row['users'], 'user')}."
        return f"{name_of(first) if first is not None else 'The model'} has {main} of {cell(row['value'])}.", [
            about,
            "There is no other model to compare it with.",
        ]
    settings = settings_of(evidence.comparison)
    assert settings is not None  # a comparison that was just made has its metadata
    if not main.orientation:
        return no_judgement(evidence, settings)
    if any(row["finding"] in DISTRUST and row["example"] == main.metric for rows in findings for row in rows):
        return f"Nothing is left to win on {main}.", [
            f"Nearly all users have the best possible value in every model, so {main} can't tell the models apart. "
            "Use a smaller cut-off, another metric or harder test data."
        ]
    beside = [pair for pair in evidence.compared if (pair.metric, pair.k) == main[:2]]
    winners = [model for model in evidence.ranking if any(pair.winner == pair.model == model for pair in beside)]
    contender = next(pair for pair in beside if pair.model == evidence.contender)
    named = evidence.named_baseline
    if named is not None and not winners:
        return no_winner(contender, beside, settings)
    against = {pair.model: pair for pair in evidence.against_best if pair.difference is not None}
    ahead = [pair for pair in against.values() if pair.winner == pair.model]
    most = "highest" if main.orientation > 0 else "lowest"
    if ahead:
        headline = f"No model is best on {main}: {name_of(first)} has the {most} mean, over other users."
        return headline, sentences(ahead[:MOST], settings)
    close = [model for model in others if model in against and against[model].winner is None]
    runner_up = against.get(str((close or others)[0]))
    told = [runner_up] if runner_up is not None else []
    if named in (first, (close or others)[0]):
        told = [contender]
    elif named is not None:
        told.insert(0, next(pair for pair in beside if pair.model in winners))
    why = sentences(told, settings)
    if not close:
        return f"{name_of(first)} is the best model on {main}.", why
    if all(against[model].verdict == "untested" for model in close):
        return f"{name_of(first)} has the {most} {main}, but that can't be tested.", why
    names = f"{name_of(first)} and {name_of(close[0]) if len(close) == 1 else f'{len(close)} other models'}"
    beaten = ""
    if named is not None and winners:
        all_win = {first, *close} <= {*winners}
        who = ("Both" if len(close) == 1 else "All of them") if all_win else " and ".join(map(name_of, winners))
        beaten = f" {who} beat{'s' if not all_win and len(winners) == 1 else ''} {name_of(named)}."
    return f"{names} are too close to call on {main}.{beaten}", why


def no_judgement(evidence: Evidence, settings: Settings) -> tuple[str, list[str]]:
    """The verdict on a metric of which neither high nor low values are better."""
    main, pairs = evidence.main, [pair for pair in evidence.compared if (pair.metric, pair.k) == evidence.main[:2]]
    shown = [pair for pair in pairs if pair.is_shown]
    who = " and ".join(map(name_of, evidence.ranking)) if len(evidence.ranking) == 2 else "The models"
    neither = f"Neither high nor low values of {main.metric} are better, so none of the models is the best."
    told = sentences((shown or pairs)[:MOST], settings)
    return f"{who} {'differ' if shown else 'are not shown to differ'} on {main}; none is better.", [*told, neither]


def no_winner(contender: Pair, beside: Sequence[Pair], settings: Settings) -> tuple[str, list[str]]:
    """The verdict if no model is shown to be better than the baseline."""
    baseline, closest = name_of(contender.baseline), "" if len(beside) == 1 else "The closest: "
    headline = f"No model beats {baseline}." if len(beside) > 1 else f"{name_of(contender.model)} does not beat {baseline}."
    if any(pair.winner is None for pair in beside):
        headline = f"No model is shown to beat {baseline}."
    return headline, [closest + sentences([contender], settings)[0]]


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


def doubts(evidence: Evidence, findings: Sequence[Sequence[Row]]) -> Iterator[str]:
    """The sentences on models that are measured on different users, and on few users."""
    for first, *_ in findings:
        if first["finding"] == "coverage_differs" and first["severity"] == "warning":
            lacking = f"{name_of(first['model'])} has no list for {findings_text.quantity(first)} of another model"
            yield f"The models are measured on different users: {lacking}."
    users = evidence.value(evidence.ranking[0])["users"]
    if users < FEW:
        only = f"There {'is' if users == 1 else 'are'} only {counted(users, 'user')}"
        yield f"{only}, and the intervals may be too narrow. Measure more before you decide."


def described(pair: Pair) -> str:
    """The users of a segment in words."""
    users = counted(pair.users, "user")
    if pair.slice == LIST:
        return f"the {users} with a list {pair.segment}"
    if pair.slice == RELEVANT:
        return f"the {users} with {pair.segment} relevant items"
    return on_one_line(f"the {users} with {pair.slice} = {segment_of(pair.slice, pair.segment)}")
