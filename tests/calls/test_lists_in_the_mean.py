"""The column lists: how many users in the mean have a list.

If it fails, a result hides that a mean is over users who mostly have no list.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.display.notes import notes
from recsql.display.output import comma_separated
from tests.random_data import Data, Id, random_data

METRICS = ["hit", "ndcg", "recall"]
OF_ALL_LISTS = ["entropy", "entropy(scope=list)"]
NOBODY = pa.table({"model": ["a", "a", "b"], "user_id": ["u1", "u2", "u1"], "item_id": ["i1", "i2", "i1"], "rank": [1, 1, 1]})
TRUTH = pa.table({"user_id": ["1", "2", "3"], "item_id": ["i1", "i2", "i3"], "side": ["x", "x", "y"]})
Counts = dict[tuple[str | None, str | None, str | None], set[int]]  # by model, slice and segment
pytestmark = pytest.mark.filterwarnings("ignore:recs")  # rows of lists that don't count, and ids that never match
CHOICES: dict[str, list[Any]] = {
    "no_recs": ["zero", "skip"],
    "no_truth": ["skip", "zero", "zero_below_threshold", "one_if_both_empty"],
    "users": ["truth", "intersection", "union", "table"],
    "relevance_threshold": [None, 2],
    "judged_only": ["false", "true"],
    "seen": ["keep", "drop"],
    "duplicates": ["first", "count"],
    "rank_by": ["rank", "score"],
}


# -- ids that never match


@pytest.mark.parametrize("settings", [{}, {"interval": 0.9}, {"by": "side"}, {"no_truth": "zero_below_threshold"}])
def test_ids_that_never_match(settings: Mapping[str, Any]) -> None:
    found = recsql.evaluate(NOBODY, TRUTH, METRICS, [1, 2], **settings)
    assert found.schema.field("lists").type == pa.int64()
    assert set(found["lists"].to_pylist()) == {0} and set(found["model"].to_pylist()) == {"a", "b"}


def test_one_model_has_other_ids() -> None:
    good = pa.table({"user_id": ["1", "9"], "item_id": ["i1", "i1"], "rank": [1, 1]})
    found = recsql.evaluate({"good": good, "bad": NOBODY.drop_columns("model")}, TRUTH, "hit", 1)
    assert {row["model"]: row["lists"] for row in found.to_pylist()} == {"good": 1, "bad": 0}


def test_metrics_of_all_lists_count_the_lists() -> None:
    found = recsql.item_metrics(NOBODY, OF_ALL_LISTS, 1)
    assert found.column_names == ["model", "metric", "k", "value", "users", "lists", "definition"]
    assert {row["model"]: row["lists"] for row in found.to_pylist()} == {"a": 2, "b": 1}


# -- against counting


@dataclass(frozen=True)
class Trial:
    """Data, options and two tables of users, drawn from one seed; a few users have no side."""

    data: Data
    options: dict[str, Any]
    chosen: list[Id]
    sides: dict[Id, str]
    sliced: bool
    metrics: list[str]

    def members(self) -> Iterator[tuple[str | None, Id, bool]]:
        """Each model's users in the mean, and whether they have a list."""
        options, least = self.options, self.options["relevance_threshold"] or 1
        judged, table = {row.user_id for row in self.data.truth}, set(self.chosen if options["users"] == "table" else ())
        relevant = {row.user_id for row in self.data.truth if row.relevance >= least}
        for model in {row.model for row in self.data.recs}:
            listed = {row.user_id for row in self.data.recs if row.model == model}
            beside = listed if options["users"] == "union" else set()
            if options["no_truth"] != "skip":
                beside = beside | judged | (set() if options["no_truth"] == "zero_below_threshold" else listed | table)
            for user in relevant | beside:
                served_alone = options["no_recs"] == "skip" or options["users"] == "intersection"
                if (options["users"] != "table" or user in table) and (user in listed or not served_alone):
                    yield model, user, user in listed

    def lists(self) -> Iterator[tuple[str | None, Id, bool]]:
        """All lists that count: with intersection, those of users with relevant items."""
        least = self.options["relevance_threshold"] or 1
        relevant = [row.user_id for row in self.data.truth if row.relevance >= least]
        for model, user in {(row.model, row.user_id) for row in self.data.recs}:
            counts = {"table": self.chosen, "intersection": relevant}.get(self.options["users"], [user])
            if user in counts:
                yield model, user, True

    def counted(self, rows: Iterable[tuple[str | None, Id, bool]]) -> Counts:
        """The number of lists of each model, and of each side."""
        found: dict[tuple[str | None, str | None, str | None], set[Id]] = {}
        for model, user, has_list in rows:
            for key in [(model, None, None), (model, "side", self.sides.get(user))][: 1 + self.sliced]:
                found.setdefault(key, set()).update({user} if has_list else ())
        return {key: {len(users)} for key, users in found.items()}


def trial(seed: int) -> Trial:
    draw = random.Random(seed)
    data = random_data(seed, models=draw.choice([[None], ["a", "b", "c"]]), text=draw.random() < 0.5, ties=True)
    ids = sorted({row.user_id for row in data.recs} | {row.user_id for row in data.truth}, key=str)
    return Trial(
        data,
        {name: draw.choice(values) for name, values in CHOICES.items()},
        draw.sample(ids, len(ids) // 2),
        {user: draw.choice("xy") for user in ids if draw.random() < 0.8},
        draw.random() < 0.5,
        METRICS + draw.choice([[], OF_ALL_LISTS]),
    )


def given(connection: duckdb.DuckDBPyConnection, one: Trial) -> dict[str, Any]:
    """The tables registered, and the options as recsql is asked for them."""
    connection.register("recs", one.data.recs_table("model", "user_id", "item_id", "rank", "score"))
    connection.register("truth", one.data.truth_table())
    connection.register("chosen", pa.table({"user_id": one.chosen}))
    connection.register("train", one.data.recs_table("user_id", "item_id").slice(0, len(one.data.recs) // 3))
    connection.register("segments", pa.table({"user_id": list(one.sides), "side": list(one.sides.values())}))
    users = "chosen" if one.options["users"] == "table" else one.options["users"]
    by = {"by": "side", "segments": "segments"} if one.sliced else {}
    return {**one.options, **by, "users": users, "train": "train", "connection": connection}


def counts_in(rows: Iterable[Mapping[str, Any]], metrics: Iterable[str]) -> Counts:
    """The numbers of lists in the rows of some metrics; a set has one, as all metrics of a kind agree."""
    found: Counts = {}
    for row in rows:
        if row["metric"].partition("(")[0] in metrics:
            found.setdefault((row["model"], row.get("slice"), row.get("segment")), set()).add(row["lists"])
    return found


@pytest.mark.few(12)
@pytest.mark.parametrize("seed", range(40))
def test_lists_are_counted(seed: int) -> None:
    one, connection = trial(seed), duckdb.connect()
    settings = given(connection, one)
    if not (members := list(one.members())):
        return
    found = recsql.evaluate("recs", "truth", one.metrics, [1, 3], **settings)
    assert found.column_names[found.column_names.index("users") + 1] == "lists"
    rows = found.to_pylist()
    expected, counts = one.counted(members), counts_in(rows, METRICS)
    nobody = {key: {0} for key in counts}  # a segment of other models, or a model without a user in the mean
    assert counts == {**nobody, **expected}
    assert all(row["lists"] <= row["users"] for row in rows if row["metric"].startswith(("hit", "recall")))
    counts = counts_in(rows, ["entropy"])
    assert counts == ({**{key: {0} for key in counts}, **one.counted(one.lists())} if one.metrics != METRICS else {})
    text = recsql.sql("recs", "truth", one.metrics, [1, 3], **settings)
    assert connection.sql(text).to_arrow_table()["lists"].to_pylist() == found["lists"].to_pylist()


@pytest.mark.few(6)
@pytest.mark.parametrize("seed", range(40, 60))
def test_parts_add_up(seed: int, tmp_path: Path) -> None:
    one, connection = trial(seed), duckdb.connect()
    settings, metrics = given(connection, one), [name for name in one.metrics if name != "entropy(scope=list)"]
    if not list(one.members()) or (one.options["users"] == "table" and one.options["no_truth"] in ("zero", "one_if_both_empty")):
        return  # the users of a table would count in every part
    for part in (0, 1):
        for table in ("recs", "truth"):
            connection.execute(f"create table {table}_{part} as from {table} where hash(user_id) % 2 = {part}")
        recsql.partial(f"recs_{part}", f"truth_{part}", f"{tmp_path}/{part}.parquet", metrics, [1, 3], **settings)
    catalogue: dict[str, Any] = {} if metrics == METRICS else {"train": "train", "connection": connection}
    merged = recsql.merge(f"{tmp_path}/*.parquet", **catalogue)
    assert merged.equals(recsql.evaluate("recs", "truth", metrics, [1, 3], **settings))


# -- who shows it


def test_the_table_for_people_has_the_lines_below_it(capsys: pytest.CaptureFixture[str]) -> None:
    recs = NOBODY.set_column(1, "user_id", pa.array(["1", "2", "4"]))
    result = recsql.evaluate(recs, TRUTH, ["hit", "rr"], 1)
    recsql.show(result)
    shown = capsys.readouterr().out
    assert shown.splitlines()[0].split() == ["metric", "a", "b"] and "Without a list" in shown
    assert comma_separated(result).splitlines()[0] == "model,metric,k,value,users,lists,definition"


def test_the_mean_over_folds_has_no_number_of_lists() -> None:
    recs = pa.table({"fold": [1, 1, 2], "user_id": [1, 2, 1], "item_id": [1, 1, 1], "rank": [1, 1, 1]})
    truth = pa.table({"fold": [1, 2, 2], "user_id": [1, 1, 3], "item_id": [1, 1, 1]})
    rows = recsql.evaluate(recs, truth, "hit", 1).to_pylist()
    assert [(row["fold"], row["users"], row["lists"]) for row in rows] == [(1, 1, 1), (2, 2, 1), (None, None, None)]


def test_conventions_and_curves() -> None:
    recs = pa.table({"user_id": ["1", "9"], "item_id": ["i1", "i1"], "rank": [1, 1]})
    found = recsql.conventions(recs, TRUTH, "hit", 1).to_pylist()
    assert {row["lists"] for row in found if row["value"] is not None} <= {1, 2}
    assert recsql.curve(recs, TRUTH, "ndcg", [1, 2]).data["lists"].to_pylist() == [1, 1]


def test_lists_of_users_with_relevant_items() -> None:
    """Users 1 and 2 have both. All lists of a are six different items but one, x; those of 1 and 2 are x, y, x, z."""
    recs = pa.table({"user_id": [1, 1, 2, 2, 3, 3], "item_id": list("xyxzvw"), "rank": [1, 2] * 3})
    truth = pa.table({"user_id": [1, 2, 4], "item_id": ["x", "y", "x"]})
    train = pa.table({"user_id": [1, 1, 1, 9, 9], "item_id": ["x", "x", "y", "z", "w"]})
    lists = {"all": recs, "some": recs.slice(0, 4)}
    found = recsql.evaluate(lists, truth, ["entropy", "coverage", "popularity"], 2, train=train, users="intersection")
    rows = {(row["model"], row["metric"]): (row["value"], row["lists"], row["definition"]) for row in found.to_pylist()}
    for metric, value in (("entropy", 1.5), ("coverage", 3 / 4), ("popularity", (3 / 2 + 3 / 2) / 2)):
        for model in lists:
            assert rows[model, metric] == (pytest.approx(value), 2, f"{metric}(users=intersection)")
    [pair] = recsql.compare(lists, truth, "entropy", 2, users="intersection", findings="off").to_pylist()
    assert (pair["value"], pair["baseline_value"], pair["users"]) == (1.5, 1.5, 2)
    assert notes(recsql.evaluate(lists, truth, "entropy", 2)) == ["The models are measured on different lists: all 3, some 2."]
    assert not notes(found)
    for metric in ("entropy", "novelty"):
        with pytest.raises(recsql.BadInput, match="users: 'intersection' leaves out lists of users without relevant items, and"):
            recsql.item_metrics(recs, metric, 2, users="intersection", train=train)
