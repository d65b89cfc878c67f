"""The plain steps of sql/steps give what their fast forms give, to the last bit.

If it fails, a fast form changes a value, or refuses what the plain step accepts.

So they do for the hand-made cases, and refuse the same input: see test_cases.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.catalog import catalog
from tests.promises.test_needs import each_option
from tests.random_data import random_data

Outcome = str | tuple[str, list[str]]


def outcome(call: Callable[[], pa.Table]) -> Outcome:
    """The columns and the rows in some order, each double to its last bit; or the sentence that refuses the call."""
    try:
        found = call()
    except recsql.RecsqlError as fault:
        return str(fault)
    return str(found.schema.remove_metadata()), sorted(map(repr, found.to_pylist()))


@pytest.fixture
def same(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], pa.Table]], Outcome]:
    """Makes a call with the fast forms and without them, and gives the outcome of both."""

    def compared(call: Callable[[], pa.Table]) -> Outcome:
        found = []
        for fast in ("off", "on"):
            monkeypatch.setenv("RECSQL_FAST", fast)
            found.append(outcome(call))
        assert found[0] == found[1]
        return found[0]

    return compared


Same = Callable[[Callable[[], pa.Table]], Outcome]


def tables(seed: int, **further: Any) -> dict[str, pa.Table]:
    """Random tables by name, of one model or two. Some items are in the truth twice, scores are tied, and ranks have gaps."""
    ids: Any = {"users": 12, "text": seed % 2 == 0}
    models: tuple[str | None, ...] = (None,) if seed % 4 == 0 else ("a", "b")
    recs = random_data(seed, models=models, ties=seed % 3 == 0, gaps=seed % 3 == 1, **ids)
    truth = random_data(seed + 100, copies=True, **ids, **further)
    return {
        "recs": recs.recs_table(*["model"][: len(models) - 1], "user_id", "item_id", "rank", "score"),
        "truth": truth.truth_table("user_id", "item_id", "relevance", "rank"),
    }


@pytest.mark.thorough
@pytest.mark.parametrize("like", catalog().presets)
def test_the_presets(con: duckdb.DuckDBPyConnection, same: Same, like: str) -> None:
    """The means and the values of users in turn; test_needs shows that they agree."""
    above = {"relevances": (0.0, 1.0, 2.0)} if like == "pyspark_udf" else {}  # it adds up the gains of all items
    for name, rows in tables(3, **above).items():
        con.register(name, rows)
    function = (recsql.evaluate, recsql.per_user)[[*catalog().presets].index(like) % 2]
    call = partial(function, "recs", "truth", "all", [2, 5], connection=con, like=like, catalog_size=60)
    assert not isinstance(same(call), str)


@pytest.mark.thorough
def test_each_option(con: duckdb.DuckDBPyConnection, same: Same) -> None:
    """With ranks and with scores, for the whole list too."""
    for name, rows in tables(3).items():
        con.register(name, rows)
    compared = 0
    for call in drawn(con):
        compared += not isinstance(same(call), str)
    assert compared > 50


def drawn(con: duckdb.DuckDBPyConnection) -> Iterator[Callable[[], pa.Table]]:
    """Every value of every option, with functions, orders and cut-offs in turn."""
    for turn, options in enumerate([*each_option("user"), *each_option("item")]):
        given = {"catalog_size": 40, "rank_by": ("rank", "score")[turn % 2], **options}
        ks: Any = ([3, 7], [1, 4], ["all", 5])[turn % 3]
        function = (recsql.evaluate, recsql.per_user)[turn // 2 % 2]
        metrics = ("all", ["ndcg", "hit"], ["recall", "ap", "rr"])[turn // 3 % 3]
        yield partial(function, "recs", "truth", metrics, ks, connection=con, **given)


def test_parts_and_lists(con: duckdb.DuckDBPyConnection, same: Same, tmp_path: Path) -> None:
    """Sums of parts, merged, and recs with a LIST per row."""
    for name, rows in tables(5).items():
        con.register(name, rows)
    con.execute(
        "create or replace table listed as select model, user_id, list(item_id order by rank) as items from recs group by all"
    )

    def merged() -> pa.Table:
        part = str(tmp_path / "part.parquet")
        with suppress(FileNotFoundError):
            Path(part).unlink()
        recsql.partial("recs", "truth", part, k=[2, 5], connection=con)
        return recsql.merge(part, connection=con)

    for call in (
        merged,
        lambda: recsql.evaluate("listed", "truth", "all", [2, 5], catalog_size=40, connection=con),
        lambda: recsql.per_user("listed", "truth", "all", [2, "all"], catalog_size=40, connection=con),
        lambda: recsql.hits("recs", "truth", 4, connection=con),
        lambda: recsql.ideal("truth", 4, connection=con),
    ):
        assert not isinstance(same(call), str)


def test_each_form_says_what_it_buys() -> None:
    """A further step of a form has its place, and a figure of its own or that of the form that reads it."""
    for source in (one for one in catalog().sources.values() if one.folder == "fast"):
        keys = {"buys"} if source.name in catalog().fast else {"row"}
        assert all(source.header.get(key) for key in keys), source.path


def test_a_word_that_is_neither_on_nor_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECSQL_FAST", "0")
    recs, truth = tables(1).values()
    with pytest.raises(recsql.RecsqlError, match=r"^RECSQL_FAST is '0'; set it to on or off$"):
        recsql.evaluate(recs, truth)
