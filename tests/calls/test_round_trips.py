"""Tables that recsql makes go back in with the names that they were made with.

If it fails, a user who named a column has to rename it in our own result.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.cli import main

IDS: dict[str, Any] = {"user": "uid", "item": "the sku"}
ORDERS: dict[str, Any] = {"rank": "place", "score": "points"}
MINE = {**IDS, **ORDERS, "model": "algo"}
TO_MINE = {"user_id": "uid", "item_id": "the sku", "rank": "place", "score": "points", "model": "algo"}
PAST = pd.DataFrame(
    {"user_id": [1, 1, 2, 3, 3], "item_id": [*"abcab"], "ts": pd.to_datetime(["2026-01-01", "2026-01-02"] * 2 + ["2026-01-03"])}
)
TRUTH = pd.DataFrame({"user_id": [1, 2, 3], "item_id": [*"cad"]})
SCORED = pd.DataFrame({"user_id": [1, 1, 2, 3], "item_id": [*"acad"], "score": [0.9, 0.8, 0.7, 0.6]})
ITEMS = pd.DataFrame({"item_id": [*"abcdefgh"]})
Made = Callable[..., Any]
MAKES: dict[str, tuple[Made, set[str]]] = {  # how to make a table, and which names it reads
    "popularity": (lambda own, **names: recsql.popularity(own(PAST), 2, own(TRUTH), **names), {"user", "item", "model", "rank"}),
    "rank_by_score": (lambda own, **names: recsql.rank_by_score(own(SCORED), 2, **names), {*IDS, *ORDERS}),
    "several ranked": (lambda own, **names: recsql.rank_by_score({"a": own(SCORED)}, 2, **names), {*IDS, *ORDERS}),
    "fuse": (
        lambda own, **names: recsql.fuse({"a": own(SCORED), "b": own(SCORED.assign(rank=[1, 2, 1, 1]))}, **names),
        {*IDS, *ORDERS},
    ),
    "segments": (lambda own, **names: recsql.segments(own(PAST), own(TRUTH), **names), {"user", "item"}),
    "candidates": (lambda own, **names: recsql.candidates(own(TRUTH), own(ITEMS), own(PAST), 2, **names), {"user", "item"}),
    "split": (lambda own, **names: recsql.split(own(PAST), protocol="last_n", order_by="ts", **names), {"user", "item"}),
    "leave_one_out": (lambda own, **names: recsql.leave_one_out(own(PAST), "ts", **names), {"user", "item"}),
    "labels": (lambda own, **names: recsql.labels(own(PAST), start="2026-01-01", **names), {"user", "item", "model", "rank"}),
}


def renamed(table: pd.DataFrame) -> pd.DataFrame:
    return table.rename(columns=TO_MINE)


def sorted_rows(table: pa.Table) -> list[str]:
    return sorted(map(repr, table.to_pylist()))


@pytest.mark.parametrize("name", MAKES)
def test_a_table_has_the_names_of_the_call(tmp_path: Path, name: str) -> None:
    make, read = MAKES[name]
    ours = make(lambda table: table)
    names = {argument: MINE[argument] for argument in sorted(read)}
    theirs = {column: TO_MINE[column] for column in ours.column_names if column.partition("_")[0] in read}
    expected = ours.rename_columns([theirs.get(column, column) for column in ours.column_names])
    assert len(theirs) >= len(read) - ("score" in read and "score" not in ours.column_names) - (name == "segments")
    assert make(renamed, **names).column_names == expected.column_names
    assert sorted_rows(make(renamed, **names)) == sorted_rows(expected)
    assert make(renamed, **names, into=str(tmp_path / "kept.parquet")) is None
    assert sorted_rows(pq.read_table(tmp_path / "kept.parquet")) == sorted_rows(expected)


def test_it_goes_back_with_the_same_names() -> None:
    made = {name: make(renamed, **{argument: MINE[argument] for argument in read}) for name, (make, read) in MAKES.items()}
    plain = {name: make(lambda table: table) for name, (make, _) in MAKES.items()}

    def value(tables: dict[str, Any], own: Made, recs: Any, **settings: Any) -> list[Any]:
        settings = {name: tables.get(one, one) if isinstance(one, str) else one for name, one in settings.items()}
        return list(recsql.evaluate(recs, own(TRUTH), "ndcg@2", **settings)["value"].to_pylist())

    for name in ("popularity", "rank_by_score", "several ranked", "fuse"):
        orders = {"rank": "place", **({"score": "points"} if name != "popularity" else {"model": "algo"})}
        orders |= {"rank_by": "rank"}
        assert value(made, renamed, made[name], **IDS, **orders) == value(plain, lambda one: one, plain[name], rank_by="rank"), (
            name
        )
    both = {"pop": made["popularity"], "mine": renamed(SCORED)}
    assert len(value(made, renamed, both, **IDS, **ORDERS)) == 2
    for options in ({"segments": "segments", "by": ["warm"]}, {"candidates": "candidates"}):
        found = value(made, renamed, renamed(SCORED), **IDS, score="points", **options)
        assert found == value(plain, lambda one: one, SCORED, **options)
    parts = made["split"].to_pandas()
    train, truth = (parts[parts["part"] == part] for part in ("train", "truth"))
    lists = recsql.popularity(train, 2, truth, **IDS)
    assert recsql.evaluate(lists, truth, "hit@2", **IDS)["users"].to_pylist() == [len(truth)]
    assert recsql.evaluate(lists, made["labels"], "hit@2", **IDS)["users"].to_pylist() == [3]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_labels_of_requests(tmp_path: Path) -> None:
    shown = pd.DataFrame({"uid": [1, 1], "the sku": ["a", "z"], "ts": pd.to_datetime(["2025-12-31"] * 2), "place": [1, 2]})
    shown = shown.assign(algo="m", req=[7, 7], screen="home")
    names: dict[str, Any] = {**IDS, "rank": "place", "model": "algo", "request": "req", "surface": "screen"}
    rows = recsql.labels(renamed(PAST), shown, complete="keep", **names)
    assert rows.column_names == ["part", "algo", "uid", "req", "the sku", "place", "relevance", "events", "screen"]
    files = {part: str(tmp_path / f"{part}.parquet") for part in ("recs", "truth")}
    recsql.labels(renamed(PAST), shown, complete="keep", **files, **names)
    found = {part: pq.read_table(path).column_names for part, path in files.items()}
    assert found["recs"] == ["algo", "uid", "person_id", "the sku", "place", "screen"]
    assert found["truth"] == ["uid", "person_id", "the sku", "relevance", "rank", "events", "screen"]
    asked: dict[str, Any] = {**IDS, "rank": "place", "model": "algo"}
    assert recsql.evaluate(files["recs"], files["truth"], "rr", 2, no_truth="skip", **asked)["value"].to_pylist() == [1.0]
    person: dict[str, Any] = {"user": "person_id", "item": "the sku", "rank": "place"}  # the column that the files also have
    events, shown = (one.rename(columns={"uid": "person_id"}) for one in (renamed(PAST), shown))
    recsql.labels(events, shown, complete="keep", **files, **person)
    assert pq.read_table(files["truth"]).column_names[:2] == ["user_id", "person_id"]


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, table in {"past": PAST, "truth": TRUTH, "mine": SCORED}.items():
        renamed(table).drop(columns="ts", errors="ignore").to_csv(tmp_path / f"{name}.csv", index=False)
    past, truth, mine, lists, groups = (
        str(tmp_path / name) for name in ("past.csv", "truth.csv", "mine.csv", "pop.csv", "g.csv")
    )
    names = ["--user", "uid", "--item", "the sku"]
    assert main(["popularity", past, "-k", "2", "--users", truth, *names, "-o", lists]) == 0
    assert main(["segments", past, truth, *names, "-o", groups]) == 0
    asked = ["-m", "hit", "-k", "2", "--segments", groups, "--by", "warm", "--score", "points"]
    assert main(["evaluate", f"pop={lists}", f"mine={mine}", truth, *names, *asked]) == 0
    assert Path(lists).read_text().startswith("model,uid,the sku,rank\n") and Path(groups).read_text().startswith("uid,activity")
    assert "hit@2   warm   none" in capsys.readouterr().out


def test_rows_for_a_join_name_users_and_items_as_the_tables_do() -> None:
    recs, truth = renamed(SCORED), renamed(TRUTH)
    assert recsql.per_user(recs, truth, "hit", 1, **IDS, score="points").column_names[:3] == ["model", "uid", "k"]
    assert recsql.hits(recs, truth, 1, **IDS, score="points").column_names[:4] == ["model", "uid", "the sku", "rank"]
    assert recsql.ideal(truth, 1, **IDS).column_names[:3] == ["uid", "the sku", "rank"]
    assert recsql.check(recs, truth, k=2, rows="short_lists", **IDS, score="points").column_names == ["uid", "items"]
    nested = recsql.per_user({1: {"c": 0.5}}, truth, "hit", 1, **IDS)  # without names of its own
    assert nested.column_names[:2] == ["model", "uid"]
    with pytest.raises(recsql.RecsqlError, match=r"^user: the result already has a column warm; rename yours"):
        recsql.segments(PAST.rename(columns={"user_id": "warm"}), TRUTH.rename(columns={"user_id": "warm"}), user="warm")
