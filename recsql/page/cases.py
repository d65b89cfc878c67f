"""Users for whom two models differ most, with both lists, and the items that a model misses most often."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from recsql.base.statement import Statement
from recsql.base.text import literal
from recsql.calls.call import Call
from recsql.catalog import catalog
from recsql.page.evidence import Evidence, sql_of
from recsql.query.render import Query
from recsql.query.results import Row
from recsql.query.templates import rendered

MISSED = 8  # the most items that are shown
LONGEST = 160  # characters of a text or a title


class Case(NamedTuple):
    """A user for whom two models differ: the values, both lists with their hits, and the relevant items."""

    user: str
    text: str | None
    value: float
    baseline_value: float
    difference: float
    lists: Sequence[Sequence[tuple[str, bool]]]  # of the model, and of the baseline
    wanted: Sequence[str]


def find_cases(evidence: Evidence, most: int) -> list[Case]:
    """The users with lists of both models for whom these differ most: `most` in either direction, the lowest difference first."""
    models = (evidence.contender, evidence.baseline)
    if evidence.contender is None or not most:
        return []
    two = {"model": sql_of(models[0]), "baseline": sql_of(models[1])}
    rows = evidence.read("cases", most=most, **two).to_pylist()
    users = [str(row["user_id"]) for row in rows]
    if not users:
        return []
    of_users = ", ".join(map(literal, users))
    with evidence.open() as call:
        wanted, shown = (over(call, name, of_users=of_users) for name in ("wanted", "lists"))
        titles = told_of(call, "titles", {row["item_id"] for row in [*wanted, *shown]})
        texts = told_of(call, "questions", users)
    lists: dict[tuple[str, str | None], list[tuple[str, bool]]] = {}
    for row in shown:
        item = titles.get(row["item_id"], row["item_id"])
        lists.setdefault((row["user_id"], row["model"]), []).append((item, row["is_hit"]))
    return [
        Case(
            user,
            texts.get(user),
            row["value"],
            row["baseline_value"],
            row["difference"],
            [lists.get((user, model), []) for model in models],
            [titles.get(one["item_id"], one["item_id"]) for one in wanted if one["user_id"] == user],
        )
        for user, row in zip(users, rows, strict=True)
    ]


def find_missed(evidence: Evidence) -> list[Row]:
    """The relevant items that the lists of the best other model miss most often: their title, users, hits and lists."""
    model = evidence.contender if evidence.contender is not None else evidence.ranking[0]
    with evidence.open() as call:
        only = f".model = {sql_of(model)}"
        rows = over(call, "missed", most=MISSED, of_model=lambda a: "true" if model is None else f"{a}{only}")
        titles = told_of(call, "titles", {row["item_id"] for row in rows})
    return [{**row, "title": titles.get(row["item_id"], row["item_id"])} for row in rows]


def over(call: Call, name: str, **context: object) -> list[Row]:
    """The rows of a query of `sql/report` over the hits: those of the metric, if it has them and ranks whole lists."""
    [binding] = call.bindings()
    queries = (Query(binding, target) for target in ("per_user", "hits"))
    made = ((one, one.statement()) for one in queries if not one.context["ranks_of_hits"])
    query, whole = next((one, text) for one, text in made if {"hits_in_force", "recommended"} <= {*text.steps})
    last = rendered(catalog().report[name].path, {**query.context, **context})
    return list(call.engine.query(Statement.over(whole.steps, last)).to_pylist())


def told_of(call: Call, name: str, ids: Collection[str]) -> Mapping[str, str]:
    """What some ids stand for: the `titles` of items or the `questions` of users; empty without a column of them."""
    table = call.inputs.tables.get(name)
    if table is None or not ids:
        return {}
    short = f"case when length(i.told) > {LONGEST} then left(i.told, {LONGEST - 1}) || '\u2026' else i.told end"
    text = f"select i.id, {short} as told from ({table.select}) as i where i.id in ({', '.join(map(literal, sorted(ids)))})"
    return {row["id"]: row["told"] for row in call.engine.query(text).to_pylist() if row["told"] is not None}
