"""What a split returns. If it fails, `train, truth = recsql.split(...)` is an error, or a call reads the wrong part."""

import copy
import pickle
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pytest

import recsql

DAYS = [*range(1, 7), *range(1, 7)]
LOG = pa.table({"user_id": ["u1"] * 6 + ["u2"] * 6, "item_id": [*"abcdef", *"bcdefg"], "timestamp": DAYS})


@pytest.fixture(scope="module")
def parts() -> recsql.Parts:
    found = recsql.split(LOG, "temporal", cut=5)
    assert isinstance(found, recsql.Parts)
    return found


def test_it_unpacks_into_train_and_truth(parts: recsql.Parts) -> None:
    train, truth = parts
    assert (train.num_rows, truth.num_rows) == (8, 4)
    assert train.column_names == truth.column_names == LOG.column_names
    assert b"recsql" in truth.schema.metadata
    assert parts["train"].equals(train) and parts["truth"].equals(truth)


def test_further_parts_come_in_the_order_of_time() -> None:
    train, validation, truth = recsql.split(LOG, "temporal", cut=6, window=1, validation=True)
    assert [one.num_rows for one in (train, validation, truth)] == [8, 2, 2]
    train, fold_in, truth = recsql.split(LOG, "users", fraction=0.5, fold_in=0.5)
    assert [one.num_rows for one in (train, fold_in, truth)] == [6, 3, 3]


def test_folds_stay_in_a_column() -> None:
    train, truth = recsql.split(LOG, "k_fold", folds=2)
    assert train.column_names[-1] == truth.column_names[-1] == "fold" and truth.num_rows == 12
    train, truth = recsql.leave_one_out(LOG)
    assert truth.num_rows == 2


def test_it_is_also_the_table_of_all_rows(parts: recsql.Parts) -> None:
    assert parts.num_rows == len(parts) == 12 and parts.column_names == [*LOG.column_names, "part"]
    assert parts["part"].to_pylist().count("train") == 8
    assert duckdb.execute("select count(*) from parts where part = 'truth'").fetchall() == [(4,)]
    assert pl.DataFrame(parts).height == len(parts.to_pandas()) == 12
    for again in (copy.copy(parts), pickle.loads(pickle.dumps(parts))):
        assert again.rows.equals(parts.rows)


def test_a_call_reads_the_part_that_it_asks_for(parts: recsql.Parts) -> None:
    train, truth = parts
    calls: list[Any] = [
        lambda train, _: recsql.popularity(train, 3),
        recsql.segments,
        lambda train, truth: recsql.evaluate(recsql.popularity(train, 3), truth, "novelty@3", train=train, no_truth="zero"),
    ]
    for call in calls:
        of_parts, of_tables = (sorted(map(str, call(*given).to_pylist())) for given in ((parts, parts), (train, truth)))
        assert of_parts == of_tables  # rows have no order


def test_show_has_the_counts_and_what_is_odd(parts: recsql.Parts, capsys: pytest.CaptureFixture[str]) -> None:
    recsql.show(parts)
    said = "train 8 interactions of 2 users; truth 4 interactions of 2 users.\n"
    assert capsys.readouterr().out == f"{said}The truth has 3 interactions of items without train.\n"
    assert f"{said}The truth" in repr(parts) + "\n"
    lost = recsql.Parts(parts.rows.replace_schema_metadata())  # as Spark returns it
    recsql.show(lost)
    assert capsys.readouterr().out == "train 8 interactions; truth 4 interactions.\n"


def test_the_protocol_must_be_given(tmp_path: Any) -> None:
    with pytest.raises(recsql.RecsqlError, match=r"\bprotocol\b"):
        recsql.split(LOG)
    with pytest.raises(recsql.UnknownName, match=r"^protocol: unknown value 'train.parquet'; choose one of temporal, "):
        recsql.split(LOG, "train.parquet", truth="truth.parquet", train="x")
    assert recsql.split(LOG, "last_n", train=str(tmp_path / "a.parquet"), truth=str(tmp_path / "b.parquet")) is None
