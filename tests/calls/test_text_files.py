"""CSV, TSV and JSON, folders and tables of DuckDB's files: the numbers of the same rows in memory, or one sentence.

If it fails, the same rows give other numbers from a text file than from memory.
"""

import gzip
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.catalog import catalog
from recsql.cli import main
from recsql.engines.duckdb import DuckDB
from tests.random_data import random_data

DATA = random_data(3, ties=True)
RECS, TRUTH = DATA.recs_table("model", "user_id", "item_id", "rank", "score"), DATA.truth_table()
METRICS = ["ndcg@3", "ap(denominator=relevant)@5", "recall", "fp"]
ITEMS = pa.table({"item_id": list(range(100, 112)), "category": ["a", "b", "c"] * 4})
CASES = Path(__file__).parents[1] / "data/cases"
RANKED = "user_id,item_id,rank\n"


def as_csv(table: pa.Table, path: Path, delimiter: str = ",") -> None:
    pa_csv.write_csv(table, path, pa_csv.WriteOptions(delimiter=delimiter))


def as_json(table: pa.Table, path: Path) -> None:
    path.write_text(json.dumps(table.to_pylist()))


def as_lines(table: pa.Table, path: Path) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in table.to_pylist()))


def zipped(write: Callable[[pa.Table, Path], None]) -> Callable[[pa.Table, Path], None]:
    def written(table: pa.Table, path: Path) -> None:
        write(table, path)
        path.write_bytes(gzip.compress(path.read_bytes()))

    return written


WRITERS: dict[str, Callable[[pa.Table, Path], None]] = {
    "csv": as_csv,
    "tsv": lambda table, path: as_csv(table, path, "\t"),
    "csv.gz": zipped(as_csv),
    "json": as_json,
    "ndjson": as_lines,
    "jsonl": as_lines,
    "json.gz": zipped(as_lines),
}


def rows_of(recs: Any, truth: Any, **settings: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = recsql.evaluate(recs, truth, METRICS, [1, 4], **settings).to_pylist()
    return rows


EXPECTED = rows_of(RECS, TRUTH)


def in_text(table: pa.Table, *names: str) -> pa.Table:
    """The table with some columns as text."""
    return table.cast(pa.schema([pa.field(one.name, pa.string() if one.name in names else one.type) for one in table.schema]))


def rows_in(table: pa.Table) -> list[str]:
    """The rows in an order, with ids as text, and scores as doubles: CSV has no 3.0."""
    table = table.cast(pa.schema([one.with_type(pa.float64()) if one.name == "score" else one for one in table.schema]))
    return sorted(map(str, in_text(table, "user_id", "item_id").to_pylist()))


@pytest.mark.few(3)
@pytest.mark.parametrize("ending", WRITERS)
def test_every_format_and_mixtures(tmp_path: Path, ending: str) -> None:
    for name, table in {"recs": RECS, "truth": TRUTH}.items():
        WRITERS[ending](table, tmp_path / f"{name}.{ending}")
        pq.write_table(table, tmp_path / f"{name}.parquet")
    recs, truth = tmp_path / f"recs.{ending}", str(tmp_path / f"truth.{ending}")
    assert rows_of(recs, tmp_path / "truth.parquet") == EXPECTED
    assert rows_of(tmp_path / "recs.parquet", truth) == EXPECTED
    assert rows_of(recs, in_text(TRUTH, "user_id", "item_id")) == EXPECTED
    assert rows_of(in_text(RECS, "user_id"), truth) == EXPECTED
    with duckdb.connect() as own:
        assert rows_of(recs, truth, connection=own) == EXPECTED
        assert own.execute("from duckdb_tables()").fetchall() == []


def in_memory() -> dict[str, pa.Table]:
    """A table for each role, by its name."""
    ids = [pc.add(RECS[name], 100) for name in ("user_id", "item_id")]  # so that text has the order of the numbers
    recs = RECS.set_column(1, "user_id", ids[0]).set_column(2, "item_id", ids[1])
    ids = [pc.add(TRUTH[name], 100) for name in ("user_id", "item_id")]
    return {
        "recs": recs,
        "truth": TRUTH.set_column(0, "user_id", ids[0]).set_column(1, "item_id", ids[1]),
        "items": ITEMS,
        "users": pa.table({"user_id": [101, 102, 103]}),
        "rated": pa.table({"user_id": [1, 1, 2], "item_id": [1, 2, 1], "rating": [4.5, 3.0, 1.0], "prediction": [4, 4, 1]}),
        "bought": pa.table({"user_id": [1, 1, 2], "item_id": [7, 8, 7], "timestamp": [30, 4, 5]}),
    }


def found(given: Mapping[str, Any]) -> list[list[str]]:
    """What each function gives, with each table that options name; of the presets, as few as have several queries."""
    few = {name: preset for name, preset in catalog().presets.items() if name in ("cornac", "returned")}
    with patch.object(catalog(), "presets", few):
        conventions = recsql.conventions(given["recs"], given["truth"], "hit", 2).drop_columns(["because"])  # it names the files
    results = [
        recsql.per_user(given["recs"], given["truth"], "ndcg", 3, users=given["users"]),
        recsql.hits(given["recs"], given["truth"], 3),
        recsql.item_metrics(given["recs"], ["coverage", "entropy(scope=category)"], 3, items=given["items"]),
        recsql.rank_by_score(given["recs"], 2),
        recsql.evaluate_ratings(given["rated"]),
        recsql.leave_one_out(given["bought"]),
        conventions,
    ]
    return [rows_in(one) for one in results]


@pytest.fixture(scope="module")
def expected() -> list[list[str]]:
    return found(in_memory())


@pytest.mark.few(3)
@pytest.mark.parametrize("ending", WRITERS)
def test_the_same_everywhere(tmp_path: Path, ending: str, expected: list[list[str]]) -> None:
    """Each function, and each table that options name, reads what it reads from memory."""
    for name, table in in_memory().items():
        WRITERS[ending](table, tmp_path / f"{name}.{ending}")
    assert found({name: str(tmp_path / f"{name}.{ending}") for name in in_memory()}) == expected


def test_ids_of_two_text_files_are_text(tmp_path: Path) -> None:
    """007 stays 007, and is not 7."""
    (tmp_path / "recs.csv").write_text(f"{RANKED}007,1,1\n7,2,1\n")
    (tmp_path / "truth.tsv").write_text("user_id\titem_id\n007\t1\n7\t1\n")
    rows = recsql.per_user(tmp_path / "recs.csv", tmp_path / "truth.tsv", "hit", 1).to_pylist()
    assert {row["user_id"]: row["hit"] for row in rows} == {"007": 1.0, "7": 0.0}


def test_ids_are_text_in_each_of_several_files(tmp_path: Path) -> None:
    """Though DuckDB finds numbers in one of them."""
    (tmp_path / "recs1.csv").write_text(f"{RANKED}007,1,1\n")
    (tmp_path / "recs2.csv").write_text(f"{RANKED}x,2,1\n")
    truth = pa.table({"user_id": ["007", "x"], "item_id": ["1", "3"]})
    [row] = recsql.evaluate(str(tmp_path / "recs*.csv"), truth, "hit", 1).to_pylist()
    assert (row["value"], row["users"]) == (0.5, 2)


@pytest.mark.parametrize(
    ("kind", "ids"),
    [
        (pa.int32(), [7, 8]),
        (pa.uint64(), [7, 2**63 + 1]),
        (pa.float64(), [7, 8.5]),
        (pa.decimal128(38, 0), [7, 10**30]),
        (pa.string(), ["007", "8"]),
    ],
    ids=str,
)
def test_ids_are_what_they_are_in_the_other_table(tmp_path: Path, kind: pa.DataType, ids: list[Any]) -> None:
    truth = pa.table({"user_id": pa.array(ids, kind), "item_id": [1, 1]})
    written = ["007", str(ids[1])]
    (tmp_path / "recs.csv").write_text(RANKED + "".join(f"{one},1.0,1\n" for one in written))
    assert recsql.evaluate(tmp_path / "recs.csv", truth, "hit", 1)["value"].to_pylist() == [1.0]
    (tmp_path / "recs.json").write_text(json.dumps([{"user_id": one, "item_id": "1", "rank": 1} for one in written]))
    assert recsql.evaluate(tmp_path / "recs.json", truth, "hit", 1)["value"].to_pylist() == [1.0]


def test_one_type_for_all_tables(tmp_path: Path) -> None:
    """The table of items has numbers; so they are numbers in both text files."""
    (tmp_path / "recs.csv").write_text(f"{RANKED}u,01,1\n")
    (tmp_path / "truth.csv").write_text("user_id,item_id\nu,1\n")
    found = recsql.evaluate(
        tmp_path / "recs.csv", tmp_path / "truth.csv", ["hit", "coverage"], 1, items=pa.table({"item_id": [1, 2]})
    )
    assert found["value"].to_pylist() == [1.0, 0.5]
    with pytest.raises(recsql.BadInput, match=r"^item_id is VARCHAR in items and BIGINT in train; "):
        recsql.evaluate(
            tmp_path / "recs.csv",
            tmp_path / "truth.csv",
            "coverage",
            1,
            items=pa.table({"item_id": ["1"]}),
            train=pa.table({"item_id": [1]}),
        )


NO_NUMBER = "but in truth it is BIGINT; correct it, or give both tables ids of one type$"


@pytest.mark.parametrize("found", ["x", "7.5", "1e1", "9223372036854775808"])
def test_an_id_that_is_no_number(tmp_path: Path, found: str) -> None:
    truth = pa.table({"user_id": [7], "item_id": [1]})
    path = tmp_path / "[1] recs.csv"
    path.write_text(f"{RANKED}7,1,1\n{found},1,1\n")
    with pytest.raises(recsql.BadInput, match=f": line 3: user_id is '{found}', {NO_NUMBER}") as refused:
        recsql.evaluate(path, truth, "hit", 1)
    assert str(refused.value).startswith(f"{path}: ")
    lists = tmp_path / "recs.ndjson"
    lists.write_text(f'{{"user_id": "7", "items": ["1", "2"]}}\n{{"user_id": "8", "items": ["{found}"]}}\n')
    with pytest.raises(recsql.BadInput, match=f"recs.ndjson: row 2: items is '{found}', but in truth it is BIGINT"):
        recsql.evaluate(lists, truth, "hit", 1)


def test_lists_in_json(tmp_path: Path) -> None:
    grouped: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for row in RECS.to_pylist():
        grouped.setdefault((row["model"], row["user_id"]), []).append((row["rank"], row["item_id"]))
    lists: list[dict[str, Any]] = [
        {"model": model, "user_id": user, "items": [item for _, item in sorted(items)]}
        for (model, user), items in grouped.items()
    ]
    (tmp_path / "recs.ndjson").write_text("".join(f"{json.dumps(row)}\n" for row in lists))
    text = [row | {"items": [str(item) for item in row["items"]]} for row in lists]
    (tmp_path / "text.json").write_text(json.dumps(text))
    expected = rows_of(pa.Table.from_pylist(lists), TRUTH)
    for name in ("recs.ndjson", "text.json"):
        assert rows_of(tmp_path / name, TRUTH) == expected
        assert rows_of(tmp_path / name, in_text(TRUTH, "item_id")) == expected
        with duckdb.connect() as own:
            query = recsql.sql(str(tmp_path / name), "truth", METRICS, [1, 4], connection=registered(own, truth=TRUTH))
            assert in_arrow(own, query) == expected


def in_arrow(connection: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = connection.sql(query).to_arrow_table().to_pylist()
    return rows


def registered(connection: duckdb.DuckDBPyConnection, **tables: pa.Table) -> duckdb.DuckDBPyConnection:
    for name, table in tables.items():
        connection.register(name, table)
    return connection


def test_the_text_of_a_query_reads_the_files_itself(tmp_path: Path) -> None:
    for name, table in {"recs": RECS, "truth": TRUTH}.items():
        as_csv(table, tmp_path / f"{name}.csv")
    pq.write_table(TRUTH, tmp_path / "truth.parquet")
    for truth in ("truth.csv", "truth.parquet"):
        query = recsql.sql(str(tmp_path / "recs.csv"), str(tmp_path / truth), METRICS, [1, 4])
        with duckdb.connect() as own:
            assert in_arrow(own, query) == EXPECTED


def test_values_beyond_the_first_lines(tmp_path: Path) -> None:
    """DuckDB looks at 20,000 lines for the types; what comes later counts as it is."""
    lines = [f"u,{n},{30_000 - n}\n" for n in range(25_000)]
    (tmp_path / "recs.csv").write_text("".join(["user_id,item_id,score\n", *lines, "u,last,0.5\n"]))
    truth = pa.table({"user_id": ["u"], "item_id": ["last"]})
    [row] = recsql.evaluate(tmp_path / "recs.csv", truth, "rr", 30_000).to_pylist()
    assert row["value"] == pytest.approx(1 / 25_001, rel=1e-9)
    objects = [{"user_id": "u", "item_id": f"i{n}"} for n in range(25_000)]
    (tmp_path / "truth.ndjson").write_text("".join(f"{json.dumps(one)}\n" for one in [*objects, objects[0] | {"relevance": 3}]))
    with pytest.raises(recsql.BadInput, match="relevance is NULL for user u, item i"):
        recsql.evaluate(tmp_path / "recs.csv", tmp_path / "truth.ndjson", "dcg", 5)


def test_models_and_categories_are_text(tmp_path: Path) -> None:
    (tmp_path / "recs.csv").write_text("model,user_id,item_id,rank\n01,1,a,1\n1,1,b,1\n")
    (tmp_path / "items.csv").write_text("item_id,category\na,01\nb,1\n")
    truth = pa.table({"user_id": [1, 2], "item_id": ["a", "b"]})
    found = recsql.evaluate(tmp_path / "recs.csv", truth, "hit", 1).to_pylist()
    assert {row["model"]: row["value"] for row in found} == {"01": 0.5, "1": 0.0}
    [row] = recsql.item_metrics(
        pa.table({"user_id": [1, 1], "item_id": ["a", "b"], "rank": [1, 2]}),
        "entropy(scope=category)",
        2,
        items=tmp_path / "items.csv",
    ).to_pylist()
    assert row["value"] == 1.0


def test_what_looks_like_a_comment_is_a_row(tmp_path: Path) -> None:
    (tmp_path / "recs.csv").write_text(f"{RANKED}#1,a,1\n#2,a,1\n3,a,1\n")
    truth = pa.table({"user_id": ["#1", "#2", "3"], "item_id": ["a", "a", "a"]})
    assert recsql.evaluate(tmp_path / "recs.csv", truth, "hit", 1)["value"].to_pylist() == [1.0]


WRONG: dict[str, tuple[str, bytes, str]] = {
    "empty": ("r.csv", b"", "the file is empty; its first line must name the columns$"),
    "no header": (
        "r.csv",
        b"1,7,1\n1,8,2\n",
        "no column user_id; it has 1, 7, 1_1; the first line seems to be data, so add a line",
    ),
    "other names": (
        "r.csv",
        b"user,item,rank\n1,2,1\n",
        "no column user_id; did you mean user.* it has user, item, rank; name the column",
    ),
    "two of a name": (
        "r.csv",
        b"user_id,item_id,item_id\n1,2,3\n",
        "its first line names the column item_id twice; rename one of them$",
    ),
    "a short line": (
        "r.csv",
        b"user_id,item_id,rank\n1,1,1\n7,2\n",
        "line 3 has 2 fields, and the header has 3; correct the line$",
    ),
    "a long line": (
        "r.tsv",
        b"user_id\titem_id\trank\n1\t2\t3\t4\n",
        "line 2 has 4 fields, and the header has 3; correct the line$",
    ),
    "no UTF-8": ("r.csv", b"user_id,item_id,rank\n1,caf\xe9,1\n", "line 2 is not in UTF-8; convert the file first"),
    "no rank": (
        "r.csv",
        b"user_id,item_id,rank\n1,1,one\n",
        "line 2 has 'one' for rank, which is not a number; correct the value$",
    ),
    "no score": ("r.csv", b"user_id,item_id,score\n1,1,2\n1,2,n/a\n", "line 3 has 'n/a' for score, which is not a number"),
    "no id": ("r.csv", b"user_id,item_id,rank\n,1,1\n", "user_id is NULL in a row"),
    "no JSON": ("r.json", b'{"user_id":1,', "it can't be read as JSON: value 2: unexpected end of data$"),
    "no UTF-8 in JSON": ("r.json", b'{"user_id":"\xe9"}', "it can't be read as JSON: value .: invalid UTF-8"),
    "no rows in JSON": ("r.json", b"[]", "it has no objects; give one object per row"),
    "fractions in JSON": (
        "r.json",
        b'{"user_id":1.5,"item_id":1,"rank":1}',
        "user_id has fractions, or whole numbers of more than",
    ),
    "large numbers in JSON": (
        "r.json",
        b'{"user_id":18446744073709551617,"item_id":1,"rank":1}',
        "user_id has fractions, or whole",
    ),
    "text for a rank in JSON": (
        "r.json",
        b'{"user_id":1,"item_id":1,"rank":"one"}',
        'line 1: Failed to cast value .*"one"; correct it$',
    ),
    "a line break in JSON": ("r.json", b'{"user\\nid":1}', "the column name 'user.*id' has a line break; rename it$"),
    "Parquet under another ending": (
        "r.csv",
        (CASES / "als.parquet").read_bytes(),
        "it is Parquet, not CSV; give its name the ending",
    ),
    "a database under another ending": (
        "r.json",
        b"any\0database",
        "it is a binary file, not JSON; give its name the ending of its format$",
    ),
    "SQLite's database": (
        "r.db",
        b"SQLite format 3\0",
        r"it is a database of SQLite, not Parquet; write its table as Parquet, with",
    ),
    "UTF-16": (
        "r.csv",
        "user_id,item_id,rank\n1,2,1\n".encode("utf-16"),
        "it is text in UTF-16, not CSV; write it in UTF-8, as with iconv -f UTF-16 -t UTF-8$",
    ),
    "UTF-16 of the other order": (
        "r.csv",
        "\ufeffuser_id,item_id".encode("utf-16-be"),
        "it is text in UTF-16, not CSV; write it in",
    ),
    "a workbook": (
        "r.xlsx",
        b"PK\3\4",
        "it is a workbook of a spreadsheet program, not Parquet; save the sheet as CSV in UTF-8$",
    ),
    "a zip archive": ("r.csv.zip", b"PK\3\4", "it is a zip archive, not Parquet; unpack it, and give the files in it$"),
    "gzip under another ending": ("r.csv", gzip.compress(b"user_id"), "it is compressed with gzip, not CSV; let its name end in"),
    "bzip2": (
        "r.csv.bz2",
        b"BZh91AY",
        "it is compressed with bzip2, not Parquet; unpack it, as with bunzip2, or compress it with gzip$",
    ),
    "Feather": (
        "r.feather",
        b"ARROW1\0\0",
        "it is a file of Arrow .Feather., not Parquet; write it as Parquet, as with pandas.read_feather",
    ),
    "a pickle": (
        "r.pkl",
        b"\x80\5\x95",
        "it is a pickle of Python, not Parquet; write it as Parquet, as with pandas.read_pickle",
    ),
    "ORC": ("r.orc", b"ORC\n\3", "it is ORC, not Parquet; write it as Parquet, as with pandas.read_orc"),
    "a web page": (
        "r.parquet",
        b"<!DOCTYPE html>",
        "it is a web page, not Parquet; look at it: it may be the page of an error or of a login$",
    ),
    "a decimal comma": (
        "r.csv",
        b"user_id;item_id;score\n1;1;0,9\n",
        "line 2 has '0,9' for score, with a decimal comma; write a point, or read it in a view with decimal_separator = ','$",
    ),
    "MovieLens' other": (
        "ratings.dat",
        b"1::1193::5::9\n1::661::3::9\n",
        "its columns are divided by ::, as in 1::1193::5::9; write",
    ),
    "MovieLens' own": (
        "r.csv",
        b"1::1193::5::9\n1::661::3::9\n",
        "its columns are divided by ::, as in 1::1193::5::9; write it as CSV",
    ),
    "a LIST per column": (
        "r.json",
        b'{"user_id": ["q1"], "item_id": ["d1"], "rank": [1]}',
        "item_id has the values of all rows; write one object per row, as pandas' to_json.orient='records'. does$",
    ),
    "an item without an id": ("r.json", b'{"q1": [{"chunk": "d1"}]}', "item_id is NULL in a row"),
    "zeros": ("r.csv", bytes(500), "it is a binary file, not CSV; give its name the ending of its format$"),
    "no columns": (
        "r.csv",
        b'c\t" 1 \x02\n" a\x02#a1\t\r"|aaa',
        "it can't be read as CSV: no delimiter divides its lines into columns$",
    ),
    "another ending": (
        "r.xlsx",
        b"user_id,item_id,rank\n",
        "it can't be read as Parquet: .*; name its format with input=, one of",
    ),
}


@pytest.mark.parametrize(("name", "content", "says"), WRONG.values(), ids=WRONG)
def test_one_sentence(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(recsql.BadInput, match=says) as refused:
        recsql.evaluate(path, pa.table({"user_id": ["1"], "item_id": ["1"]}), "hit", 1)
    assert str(refused.value).startswith(f"{path}: ")
    assert "\n" not in str(refused.value)


def test_ids_of_twenty_digits() -> None:
    """No ids are equal because their last digits were lost, as when DuckDB 1.5 reads such a column as DOUBLE."""
    for name, value in (("ids", 0.0), ("users", 0.75)):
        recs, truth = (CASES / f"long-{name}-{role}.csv" for role in ("recs", "truth"))
        assert recsql.evaluate(recs, truth, "rr@10")["value"].to_pylist() == [value]


def test_the_sentence_in_a_transaction_of_the_user_s(tmp_path: Path) -> None:
    """An error of DuckDB's ends it; the sentence is not lost."""
    (tmp_path / "recs.csv").write_text(f"{RANKED}1,1,one\n")
    with duckdb.connect() as own:
        own.begin()
        with pytest.raises(recsql.BadInput, match=r"recs\.csv: line 2 has 'one' for rank, which is not a number"):
            recsql.evaluate(tmp_path / "recs.csv", TRUTH, connection=own)
        own.rollback()
        assert own.execute("from duckdb_tables()").fetchall() == []


def test_a_relevance_that_is_no_number_has_its_line(tmp_path: Path) -> None:
    (tmp_path / "truth.csv").write_text("user_id,item_id,relevance\n1,1,1\n1,2,high\n")
    with pytest.raises(
        recsql.BadInput, match=r"truth\.csv: line 3 has 'high' for relevance, which is not a number; correct the value$"
    ):
        recsql.evaluate(RECS, tmp_path / "truth.csv")


def test_files_whose_ending_says_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_csv(RECS, tmp_path / "recs.out")
    as_csv(TRUTH, tmp_path / "truth.txt")
    pq.write_table(TRUTH, tmp_path / "truth.parquet")
    for truth in ("truth.txt", "truth.parquet"):
        assert rows_of(tmp_path / "recs.out", tmp_path / truth, input="csv") == EXPECTED
    recs, truth = str(tmp_path / "recs.out"), str(tmp_path / "truth.parquet")
    assert main(["evaluate", recs, truth, "-m", "hit", "--input", "csv"]) == 0
    capsys.readouterr()
    assert main(["evaluate", recs, truth, "-m", "hit"]) == 1
    assert "; name its format with --input, one of parquet, csv, json, trec" in capsys.readouterr().err
    pq.write_table(RECS, tmp_path / "recs.dat")
    assert rows_of(tmp_path / "recs.dat", TRUTH, input="parquet") == EXPECTED
    as_csv(TRUTH, tmp_path / "truth.csv")
    with pytest.raises(recsql.BadInput, match=r"truth.csv: it is CSV, and .*truth.parquet is Parquet; give files of one format$"):
        recsql.evaluate(RECS, [tmp_path / "truth.parquet", tmp_path / "truth.csv"])


@pytest.mark.parametrize("ending", ["parquet", "csv", "ndjson.gz"])
def test_folders(tmp_path: Path, ending: str) -> None:
    """Also those whose names are columns."""
    write = {"parquet": pq.write_table, "csv": as_csv, "ndjson.gz": zipped(as_lines)}[ending]
    for model in ("a", "b"):
        folder = tmp_path / "all of them" / f"model={model}"
        folder.mkdir(parents=True)
        write(RECS.filter(pc.equal(RECS["model"], model)).drop_columns(["model"]), folder / f"recs.{ending}")
        (folder / "_SUCCESS").touch()
    assert rows_of(tmp_path / "all of them", TRUTH) == EXPECTED
    assert rows_of(str(tmp_path / "all of them" / "*" / "recs*"), TRUTH) == EXPECTED
    (tmp_path / "all of them" / "notes.json").write_text("{}")
    (tmp_path / "all of them" / "more.csv").write_text("a")
    with pytest.raises(recsql.BadInput, match="all of them: the files have several formats"):
        rows_of(tmp_path / "all of them", TRUTH)


# -- tables by name


@pytest.fixture
def database(tmp_path: Path, own_databases: None) -> Path:
    path = tmp_path / "data.duckdb"
    with registered(duckdb.connect(str(path)), staged=RECS, judged=TRUTH) as one:
        one.execute('create table recs as from staged; create schema odd; create table odd."my ""truth""" as from judged')
        one.execute("create view of_view as from recs")
    return path


def test_tables_of_a_file(database: Path) -> None:
    truth = f'{database}:odd."my ""truth"""'
    for recs in ("recs", "of_view", "main.recs", '"RECS"'):
        assert rows_of(f"{database}:{recs}", truth) == EXPECTED
    with duckdb.connect() as own:
        before = own.execute("from duckdb_databases()").fetchall()
        assert rows_of(f"{database}:recs", truth, connection=own) == EXPECTED
        assert own.execute("from duckdb_databases()").fetchall() == before
    with duckdb.connect(str(database)) as own:
        assert rows_of(f"{database}:recs", truth, connection=own) == EXPECTED
        assert rows_of("recs", TRUTH, connection=own) == EXPECTED


def test_tables_that_a_file_has_not(database: Path) -> None:
    for given, says in {
        f"{database}:rces": f"^{database}: table rces does not exist; did you mean recs. the tables are: of_view, recs, odd.my",
        str(database): f"^{database}: it is a database; name a table in it, such as {database}:recs$",
        f"{database}x.duckdb:recs": "no such file",
    }.items():
        with pytest.raises(recsql.BadInput, match=says):
            recsql.evaluate(given, TRUTH)
    broken = database.with_name("broken.db")
    broken.write_text("no database")
    with pytest.raises(recsql.BadInput, match=r"broken\.db: the database can't be opened: "):
        recsql.evaluate(f"{broken}:recs", TRUTH)


QUOTED = ["my recs", "a.b", 'say "so"', "year=2026", "Größe", "order"]


@pytest.mark.parametrize("name", QUOTED)
def test_quoted_names(name: str) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    with registered(duckdb.connect(), staged=RECS) as own:
        own.execute(
            f"create schema {quoted}; create table {quoted} as from staged; create table {quoted}.{quoted} as from {quoted}"
        )
        for given in (quoted, f"main.{quoted}", f"memory.main.{quoted}", f"{quoted}.{quoted}", f'"memory".{quoted}.{quoted}'):
            assert rows_of(given, TRUTH, connection=own) == EXPECTED
        assert recsql.rank_by_score("staged", 3, into='"kept, too"', connection=own) is None
        assert recsql.rank_by_score("staged", 3, into=f"{quoted}.kept", connection=own) is None
        assert recsql.rank_by_score("staged", 3, into='"kept.csv"', connection=own) is None
        names = own.execute("select table_name from duckdb_tables() where table_name like 'kept%' order by all").fetchall()
        assert names == [("kept",), ("kept, too",), ("kept.csv",)]
        with pytest.raises(recsql.BadInput, match='table "KEPT, too" already exists'):
            recsql.rank_by_score("staged", 3, into='"KEPT, too"', connection=own)


def test_quoted_names_of_several_databases(tmp_path: Path) -> None:
    with registered(duckdb.connect(), staged=RECS) as own:
        own.execute(f'attach \'{tmp_path / "x"}\' as "my db"; create table "my db"."my recs" as from staged')
        for given in ('"my db"."my recs"', '"my db".main."my recs"', '"MY DB"."My Recs"'):
            assert rows_of(given, TRUTH, connection=own) == EXPECTED
        with pytest.raises(recsql.BadInput, match=r'^"my recs": no such file or table$'):
            rows_of('"my recs"', TRUTH, connection=own)


def test_a_file_is_read_once_for_all_queries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is behind its name is gone after the first look, and the metrics take two queries."""
    as_csv(RECS, tmp_path / "recs.csv")
    expected = recsql.evaluate(RECS, TRUTH, ["rr", "recall(no_recs=skip)"], 3)
    keep = DuckDB.keep_once

    def then_gone(self: DuckDB, name: str, text: str) -> str:
        table = keep(self, name, text)
        os.unlink(tmp_path / "recs.csv")
        return table

    monkeypatch.setattr(DuckDB, "keep_once", then_gone)
    assert recsql.evaluate(tmp_path / "recs.csv", TRUTH, ["rr", "recall(no_recs=skip)"], 3) == expected


def test_a_table_whose_name_has_a_line_break() -> None:
    with duckdb.connect() as connection:
        connection.execute('create table "a\nb" as select 1 as user_id, 2 as item_id, 1 as rank')
        for name in ('"a\nb"', "a\nb"):
            with pytest.raises(
                recsql.BadInput, match=r"^.*a\\nb.*: the name of the table has a line break; rename it, or make a view"
            ):
                recsql.evaluate(name, pa.table({"user_id": [1], "item_id": [2]}), connection=connection)


def test_a_name_with_a_line_break() -> None:
    with pytest.raises(recsql.BadInput, match=r"recs: the column name 'user\\nid' has a line break; rename it"):
        recsql.evaluate(RECS.rename_columns(["model", "user\nid", "item_id", "rank", "score"]), TRUTH, user="user\nid")


def test_ids_that_a_number_writes_otherwise(tmp_path: Path) -> None:
    """3.10 is another id than 3.1, and 3 the same as 3.0, if a table has numbers as ids."""
    recs = pa.table({"user_id": [1, 1], "item_id": [3.1, 4.0], "rank": [1, 2]})
    truth = tmp_path / "truth.csv"
    truth.write_text("user_id,item_id\n1,3.1\n1,4\n")
    assert recsql.evaluate(recs, truth, "hits", 2)["value"].to_pylist() == [2.0]
    truth.write_text("user_id,item_id\n1,3.10\n1,4\n")
    with pytest.raises(recsql.BadInput, match=r"truth.csv: line 2: item_id is '3.10', but in recs it is DOUBLE; correct it, or"):
        recsql.evaluate(recs, truth, "hits", 2)


def test_objects_with_hundreds_of_keys(tmp_path: Path) -> None:
    """DuckDB takes them for maps."""
    features = {f"feature_{number}": number for number in range(300)}
    rows = [{"user_id": user, "item_id": 3, "rank": 1, **features} for user in range(3)]
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, rows)))
    truth = pa.table({"user_id": [0, 1], "item_id": [3, 4]})
    assert recsql.evaluate(tmp_path / "r.jsonl", truth, "hit", 1)["value"].to_pylist() == [0.5]


def test_a_list_as_id() -> None:
    """The LIST that the call names is one of items, and so is item_id; a LIST of LISTs is not."""
    recs = pa.table({"query": ["q1"], "items": [["d2", "d1"]]})
    truth = pa.table({"query": ["q1"], "expected": [["d1"]]})
    assert recsql.evaluate(recs, truth, "rr", 2, user="query", truth_item="expected")["value"].to_pylist() == [0.5]
    recs, truth = (pa.table({"user_id": [1], "item_id": [items]}) for items in (["d2", "d1"], ["d1"]))
    assert recsql.evaluate(recs, truth, "rr", 2)["value"].to_pylist() == [0.5]
    with pytest.raises(recsql.BadInput, match=r"^truth: item_id is a LIST of LISTs, and not of ids; make a view with a row per"):
        recsql.evaluate(recs, pa.table({"user_id": [1], "item_id": [[["d1"]]]}))


def test_lists_of_both_tables_in_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each table names its own LIST, of ids or of STRUCTs with a score or a relevance."""
    found = [{"score": 0.9, "page": 7, "id": "d1"}, {"score": 0.95, "page": 3, "id": "d2"}]
    rows = [
        {"query": "q1", "expected": ["d2"], "graded": [{"id": "d2", "relevance": 3}], "ids": ["d1", "d2"], "found": found},
        {"query": "q2", "expected": ["d9"], "graded": [{"id": "d9", "relevance": 1}], "ids": [], "found": []},
    ]
    path = tmp_path / "eval.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    for item, of_truth, by, value in (
        ("ids", "expected", {}, 0.25),
        ("found", "graded", {}, 0.25),
        ("found", "expected", {"rank_by": "score"}, 0.5),
    ):
        names = {"user": "query", "item": item, "truth_item": of_truth}
        assert recsql.evaluate(path, path, "rr", 2, **names, **by)["value"].to_pylist() == [value]
    dcg = recsql.evaluate(path, path, "dcg", 2, user="query", item="found", truth_item="graded", rank_by="score")
    assert dcg["value"].to_pylist() == [1.5]
    flags = ["--user", "query", "--item", "ids", "--truth-item", "expected", "-m", "rr", "-k", "2", "--format", "csv"]
    assert main(["evaluate", str(path), str(path), *flags]) == 0
    assert ",rr,2,0.25," in capsys.readouterr().out


@pytest.mark.parametrize(
    ("inside", "what"), [("metadata/v1.metadata.json", "Iceberg"), (".hoodie/a", "Hudi"), ("_versions/1.manifest", "Lance")]
)
def test_other_lakehouse_tables(tmp_path: Path, inside: str, what: str) -> None:
    recs = pa.table({"user_id": [1], "item_id": [2], "rank": [1]})
    for path in (tmp_path / inside, tmp_path / "data" / "a.parquet"):
        path.parent.mkdir()
        path.write_text("{}")
    for path in (tmp_path, tmp_path / "data"):
        with pytest.raises(
            recsql.BadInput, match=f": it is (in )?a table of {what}, with files of earlier versions; write its rows as Parquet"
        ):
            recsql.evaluate(path, recs)


@pytest.mark.parametrize("ending", ["tab", "psv", "dat", "data"])
def test_other_endings_of_text(tmp_path: Path, ending: str) -> None:
    mark = "|" if ending == "psv" else "\t"
    (tmp_path / f"r.{ending}").write_text("user_id,item_id,rank\n1,2,1\n".replace(",", mark))
    assert recsql.evaluate(tmp_path / f"r.{ending}", pa.table({"user_id": [1], "item_id": [2]}), "hit", 1)[
        "value"
    ].to_pylist() == [1.0]


def test_a_store_without_its_extension(tmp_path: Path) -> None:
    """The sentence names the extension that DuckDB lacks."""
    with duckdb.connect(config={"extension_directory": str(tmp_path), "autoinstall_known_extensions": "false"}) as own:
        says = r"^s3://b/r.parquet: DuckDB reads it with its extension httpfs, which can't be downloaded; install it where"
        with pytest.raises(recsql.BadInput, match=says):
            recsql.evaluate("s3://b/r.parquet", pa.table({"user_id": [1], "item_id": [2]}), connection=own)


def test_a_lakehouse_table(tmp_path: Path) -> None:
    """Its folder has the files of earlier versions."""
    (tmp_path / "_delta_log").mkdir()
    (tmp_path / "day=1").mkdir()
    recs = pa.table({"user_id": [1], "item_id": [2], "rank": [1]})
    pq.write_table(recs, tmp_path / "day=1" / "a.parquet")
    for path in (tmp_path, tmp_path / "day=1", tmp_path / "**" / "*.parquet"):
        with pytest.raises(
            recsql.BadInput,
            match=r": it is (in )?a table of Delta Lake, with files of earlier versions; write its rows as Parquet, with copy",
        ):
            recsql.evaluate(str(path), recs, "hit", 1)
    assert recsql.evaluate(str(tmp_path / "day=1" / "a.parquet"), recs, "hit", 1)["value"].to_pylist() == [1.0]
