"""Queries written for Spark without one: what is spelt otherwise, and what tables are taken to have. tests/spark runs them.

If it fails, the text for Spark has something that only DuckDB understands.
"""

from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recsql
from recsql.cli import main
from recsql.query.templates import spelt
from tests.sql.test_rendering import RECS, TRUTH


def test_literals_and_names_are_spelt_for_the_engine() -> None:
    text = 'select \'it\'\'s a \\ here\' as "a `b` ""c""" -- a user\'s "comment"\nfrom "t"'
    assert spelt(text, "spark") == "select 'it\\'s a \\\\ here' as `a ``b`` \"c\"` -- a user's \"comment\"\nfrom `t`"
    assert spelt(text, "duckdb") == text


def test_files_here_are_looked_at(tmp_path: Path) -> None:
    odd = tmp_path / "o'hara`s.parquet"
    pq.write_table(pa.table({"wer": [1], "was": [2], "platz": [1]}), odd)
    text = recsql.sql(str(odd), str(odd), "hit", 5, dialect="spark", user="wer", item="was", rank="platz")
    assert f"parquet.`{str(odd).replace('`', '``')}`" in text
    assert "r.platz as rank" in text
    with pytest.raises(recsql.BadInput, match=r"recs: .*no column|there is no column user_id"):
        recsql.sql(str(odd), str(odd), "hit", 5, dialect="spark")


def test_tables_have_what_is_named() -> None:
    plain = recsql.sql("lake.recs", "lake.truth", ["ndcg", "hit"], 5, dialect="spark")
    assert "from lake.recs as r" in plain
    assert "r.model" not in plain
    assert "1e0 as relevance" in plain
    named = recsql.sql("recs", "s3://lake/truth", "ndcg", 5, dialect="spark", model="model", relevance="stars", score="how_good")
    assert "cast(r.model as string) as model" in named
    assert "cast(t.stars as double) as relevance" in named
    assert "from parquet.`s3://lake/truth` as t" in named
    assert "r.how_good as score" in named
    assert "cast(null as bigint) as rank" in named


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("lake.`my-recs`", "lake.`my-recs`"),
        ("`a b`", "`a b`"),
        ("`it's ``odd```.recs", "`it's ``odd```.recs"),
        ("db.2024", "db.`2024`"),
        ("delta.`/x/y`", "delta.`/x/y`"),
        ("{{ ref('recs') }}", "{{ ref('recs') }}"),
        ('{{ source("lake", "recs") }}', '{{ source("lake", "recs") }}'),
        ("{{ schema }}.recs", "{{ schema }}.recs"),
        ("dbfs:/x/y.parquet", "parquet.`dbfs:/x/y.parquet`"),
        ("/mnt/lake/recs", "parquet.`/mnt/lake/recs`"),
        ("/mnt/lake/recs/*.parquet", "parquet.`/mnt/lake/recs/*.parquet`"),
    ],
)
def test_names_of_tables_and_paths_elsewhere(name: str, read: str) -> None:
    text = recsql.sql(name, "lake.truth", "hit", 5, dialect="spark")
    assert f"from {read} as r\n" in text
    assert text.count("{{") == name.count("{{")  # none in the sentences of the checks


def test_a_table_that_duckdb_does_not_see_is_taken_as_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that can't be inspected may have ids of any type. Visible tables are inspected. A folder is not a table."""
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    text = recsql.sql("{{ ref('recs') }}", "{{ source('shop', 'truth') }}", "hit", 5, dialect="duckdb", model="model")
    assert "from {{ ref('recs') }} as r\n" in text
    assert "from {{ source('shop', 'truth') }} as t\n" in text
    assert text.count("{{") == 2
    assert "r.model" in text
    with duckdb.connect() as connection:
        connection.execute("create table recs as select 1 as user_id, 'a' as item_id, 1 as rank, 'pop' as model")
        mixed = recsql.sql("recs", "later", "hit", 5, dialect="duckdb", connection=connection)
        assert "r.model" in mixed  # found, though not named
        connection.execute("create table later as select 1 as user_id, 'a' as item_id")
        assert connection.sql(mixed).fetchall() == [("pop", "hit", 5, 1.0, 1, 1, "hit")]
    with pytest.raises(recsql.BadInput, match="folder: the folder has no file"):
        recsql.sql("recs", "folder", "hit", 5, dialect="duckdb")
    with pytest.raises(recsql.BadInput, match="recs: no such file or table"):
        recsql.sql("recs", "truth", "hit", 5)
    assert main(["sql", "recs", "truth", "-m", "hit@5", "--dialect", "duckdb"]) == 0


@pytest.mark.usefixtures("own_databases")
def test_a_table_of_a_database_file_has_the_name_that_duckdb_gives_it(tmp_path: Path) -> None:
    """Another file of that name is under a name of its own, for this call."""
    for path in (tmp_path / "my-shop.v2.duckdb", tmp_path / "other/my-shop.duckdb"):
        path.parent.mkdir(exist_ok=True)
        with duckdb.connect(path) as connection:
            connection.execute("create table recs as select 1 as user_id, 'a' as item_id, 1 as rank; create schema s")
            connection.execute("create table s.truth as from recs")
    text = recsql.sql(f"{tmp_path}/my-shop.v2.duckdb:recs", f"{tmp_path}/my-shop.v2.duckdb:s.truth", "hit", 5)
    assert 'from "my-shop"."main"."recs" as r\n' in text
    assert 'from "my-shop"."s"."truth" as t\n' in text
    with duckdb.connect(tmp_path / "my-shop.v2.duckdb") as connection:
        assert connection.sql(text).fetchall() == [(None, "hit", 5, 1.0, 1, 1, "hit")]
    tables = f"{tmp_path}/my-shop.v2.duckdb:recs", f"{tmp_path}/other/my-shop.duckdb:s.truth"
    with duckdb.connect() as connection:
        assert recsql.evaluate(*tables, "hit", 5, connection=connection)["value"].to_pylist() == [1.0]
        assert connection.sql("from duckdb_databases() where path is not null").fetchall() == []


def test_what_is_neither_here_nor_a_table() -> None:
    with pytest.raises(recsql.BadInput, match=r"rces\.parquet: no such file"):
        recsql.sql("rces.parquet", TRUTH, "hit", 5, dialect="spark")
    with pytest.raises(recsql.BadInput, match=r"truht\.parquet: no such file; did you mean .*truth\.parquet\?"):
        recsql.sql(RECS, str(Path(TRUTH).resolve().with_name("truht.parquet")), "hit", 5, dialect="spark")
    with pytest.raises(recsql.BadInput, match=r"my-recs: no such file or table"):
        recsql.sql("lake.my-recs", TRUTH, "hit", 5, dialect="spark")
    with pytest.raises(recsql.UnknownName, match=r"dialect: unknown value 'spork'; choose one of duckdb, spark"):
        recsql.sql(RECS, TRUTH, "hit", 5, dialect="spork")


def test_the_usual_dialect() -> None:
    assert recsql.sql(RECS, TRUTH, "hit", 5) == recsql.sql(RECS, TRUTH, "hit", 5, dialect="duckdb")


def test_only_a_text_can_be_asked_for_in_a_dialect() -> None:
    with pytest.raises(recsql.UnknownName, match="unknown option 'dialect'"):
        recsql.evaluate(RECS, TRUTH, "hit", 5, dialect="spark")  # type: ignore[call-arg]


def test_a_session_and_another_dialect() -> None:
    session = type("SparkSession", (), {"version": "4.3.0", "__module__": "pyspark.sql.session"})()
    with pytest.raises(recsql.BadInput, match=r"^dialect: a Spark session can't inspect tables for duckdb"):
        recsql.sql(RECS, TRUTH, "hit", 5, dialect="duckdb", connection=session)


def test_an_old_spark() -> None:
    old = type("SparkSession", (), {"version": "3.5.9", "__module__": "pyspark.sql.session"})()
    with pytest.raises(recsql.BadInput, match=r"^connection: Spark 3\.5\.9 is too old; recsql runs on Spark 4\.0 or newer$"):
        recsql.evaluate(RECS, TRUTH, "hit", 5, connection=old)
