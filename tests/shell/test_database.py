"""The macros as a database: what it lists, its examples, its bytes, and databases and files side by side.

If it fails, people can't attach the macros, or what the shell lists of them is wrong.
"""

import shutil
from hashlib import sha256
from pathlib import Path

import duckdb
import pytest

import recsql
from recsql.base.text import quoted
from recsql.shell import File, save_database
from tests.support import ROOT, file_of

LIKE = [None, "trec_eval", "ranx", "rectools"]

SEARCH, MOVIES, LOG = (ROOT / "examples" / name for name in ("search", "movietweetings", "log"))
RECS, TRUTH, RATINGS, ITEMS, PREDICTIONS = (
    str(MOVIES / f"{name}.parquet") for name in ("recs", "truth", "ratings", "items", "predictions")
)
LISTED = "select function_name, comment from duckdb_functions() where database_name = ? and schema_name = ?"
SOME = "where user_id % 40 = 0"
TABLES = {  # the files of the examples in comments
    "recs": f"from {quoted(RECS)} {SOME}",
    "truth": f"from {quoted(TRUTH)} {SOME}",
    "segments": f"select user_id, user_id % 3 as third from {quoted(TRUTH)} group by user_id",
    "users": f"select distinct user_id from {quoted(TRUTH)}",
    "items": f"select item_id, genres[1] as category from {quoted(ITEMS)}",
    "train": f"select user_id, item_id, timestamp from {quoted(RATINGS)} {SOME}",
    "interactions": f"select user_id, item_id, timestamp + interval 13 years as timestamp from {quoted(RATINGS)}",
    "predictions": f"from {quoted(PREDICTIONS)} {SOME}",
    "ratings": f"select user_id, item_id, any_value(rating) as rating from {quoted(PREDICTIONS)} {SOME} group by all",
    "scored": f"select * exclude (rank), 1 / rank as score from {quoted(RECS)} {SOME}",
    "lists": f"select model, user_id, list(item_id order by rank) as items from {quoted(RECS)} {SOME} group by all",
    "events": f"from {quoted(str(LOG / 'events.csv'))}",
    "impressions": f"from {quoted(str(LOG / 'shown.csv'))}",
}


def build(folder: Path, schema: str, file: File) -> None:
    save_database(file, str(folder / f"{schema}.duckdb"))


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the examples."""
    folder = tmp_path_factory.mktemp("examples")
    with duckdb.connect() as con:
        for name, query in TABLES.items():
            con.execute(f"copy ({query}) to {quoted(str(folder / f'{name}.parquet'))}")
    for name in ("bm25.run", "qrels.txt"):
        shutil.copy(SEARCH / name, folder)
    return folder


def has_three_lines(name: str, comment: str, schema: str) -> bool:
    """Whether a comment says what a macro gives, its parameters with their defaults, and a call."""
    about, signature, call = comment.splitlines()
    return len(about) > 10 and signature.startswith(f"{name}(") and f"{schema}.{name}(" in call


@pytest.mark.parametrize("like", [*LIKE[:2], *(pytest.param(one, marks=pytest.mark.thorough) for one in LIKE[2:])])
@pytest.mark.filterwarnings("ignore")
def test_every_example_of_a_comment_runs(
    tmp_path: Path, examples: Path, monkeypatch: pytest.MonkeyPatch, like: str | None
) -> None:
    schema = like or "recsql"
    build(tmp_path, schema, file_of(like))
    monkeypatch.chdir(examples)
    with duckdb.connect() as con:
        con.execute(f"attach {quoted(str(tmp_path / f'{schema}.duckdb'))} as {schema} (read_only)")
        public = con.execute(LISTED, [schema, "main"]).fetchall()
        assert len(public) > 40
        for name, comment in public:
            assert has_three_lines(name, comment, schema), comment
            if name == "ideal" and like == "rectools":  # its ideal list is not one of the truth
                with pytest.raises(duckdb.Error, match="ideal supports only ideal='truth'"):
                    con.execute(comment.splitlines()[2])
            else:
                assert con.execute(comment.splitlines()[2]).fetchall(), comment
        behind = con.execute(LISTED, [schema, "steps"]).fetchall()
        assert len(behind) > 100 and not any(comment for _, comment in behind)


OTHERS = {  # files for other tables
    "items": {"metrics": ["coverage", "gini", "entropy"]},
    "lists": {"metrics": ["novelty", "popularity", "ild"]},
    "chosen": {"users": "users.parquet"},
}


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.filterwarnings("ignore")
def test_the_examples_of_a_file_fit_its_options(examples: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    options = dict(OTHERS[name])
    file = File(name, options.pop("metrics", None), options)
    monkeypatch.chdir(examples)
    with duckdb.connect() as con:
        con.execute(file.text)
        public = con.execute(LISTED, ["memory", name]).fetchall()
        for one, comment in public:
            assert has_three_lines(one, comment, name), comment
            con.execute(comment.splitlines()[2]).fetchall()
    assert len(public) > 20


@pytest.mark.parametrize("option", ["spans", "budget"])
def test_the_examples_of_spans_and_budgets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str) -> None:
    file = File(option, None, {"spans": "true"} if option == "spans" else {"budget": "tokens"})
    monkeypatch.chdir(tmp_path)
    place = ", 0 as start, 9 as end" if option == "spans" else ""
    ids = "'d' as document" if option == "spans" else "'i' as item_id"
    with duckdb.connect() as con:
        for name, further in {
            "recs": ", 1 as rank, 1 as score, 5 as tokens",
            "truth": "",
            "scored": ", 1 as score, 5 as tokens",
        }.items():
            con.execute(f"copy (select unnest(['a', 'b']) as model, 'u' as user_id, {ids}{place}{further}) to '{name}.parquet'")
        con.execute("copy (select 'u' as user_id, 1 as third) to 'segments.parquet'")
        con.execute(file.text)
        calls = dict(con.execute(LISTED, ["memory", option]).fetchall())
        asked = [
            one
            for one in ("evaluate", "evaluate_with_interval", "evaluate_by", "per_user", "compare", "hits", "rank_by_score")
            if one in calls
        ]
        assert len(asked) > 5
        for one in asked:
            assert con.execute(calls[one].splitlines()[2]).fetchall(), one


def test_two_builds_have_the_same_bytes(tmp_path: Path) -> None:
    made = set()
    for number in range(2):
        (tmp_path / str(number)).mkdir()
        build(tmp_path / str(number), "recsql", File("recsql", None, {}))
        made.add(sha256((tmp_path / str(number) / "recsql.duckdb").read_bytes()).hexdigest())
    assert len(made) == 1


@pytest.mark.parametrize("schema", ["recsql", "trec_eval"])
@pytest.mark.engine
@pytest.mark.filterwarnings("ignore")
def test_one_attach_loads_it(tmp_path: Path, schema: str) -> None:
    file = file_of(None if schema == "recsql" else schema)
    build(tmp_path, schema, file)
    assert [one.name for one in tmp_path.iterdir()] == [f"{schema}.duckdb"]
    call = f"from {schema}.evaluate({quoted(RECS)}, {quoted(TRUTH)}, k := 10)"
    with duckdb.connect() as attached, duckdb.connect() as read:
        attached.execute(f"attach {quoted(str(tmp_path / f'{schema}.duckdb'))} as {schema} (read_only)")
        read.execute(file.text)
        assert attached.execute(call).fetchall() == read.execute(call).fetchall()


@pytest.mark.engine
@pytest.mark.filterwarnings("ignore")
def test_databases_and_files_side_by_side(tmp_path: Path) -> None:
    """Two databases are attached, and two files are read; each has steps of its own."""
    both = {"recsql": file_of(None), "trec_eval": file_of("trec_eval")}
    calls = [f"from {name}.evaluate({quoted(RECS)}, {quoted(TRUTH)}, k := 10, metrics := 'ndcg')" for name in both]
    with duckdb.connect() as attached, duckdb.connect() as read:
        for name, file in both.items():
            build(tmp_path, name, file)
            attached.execute(f"attach {quoted(str(tmp_path / f'{name}.duckdb'))} as {name} (read_only)")
            read.execute(file.text)
        found = [attached.execute(call).fetchall() for call in calls]
        assert found == [read.execute(call).fetchall() for call in calls]
        assert found[0] != found[1]
        schemas = {name for (name,) in read.execute("select schema_name from duckdb_schemas()").fetchall()}
    assert {"recsql", "recsql_steps", "trec_eval", "trec_eval_steps"} <= schemas


def test_a_database_is_not_called_steps(tmp_path: Path) -> None:
    with pytest.raises(
        recsql.RecsqlError, match=r"^schema: steps is the name of a schema in each database of macros; choose another"
    ):
        build(tmp_path, "steps", File("steps", "ndcg", {}))
    assert not [*tmp_path.iterdir()]


def test_a_database_has_one_name(tmp_path: Path) -> None:
    build(tmp_path, "recsql", file_of(None))
    with duckdb.connect() as con:
        con.execute(f"attach {quoted(str(tmp_path / 'recsql.duckdb'))} as other (read_only)")
        with pytest.raises(duckdb.Error, match=r'schema "recsql.steps" does not exist|"recsql" does not exist'):
            con.execute(f"from other.evaluate({quoted(RECS)}, {quoted(TRUTH)})")


@pytest.mark.parametrize("name", ["recsql", "recsql_steps"])
def test_a_database_of_the_schemas_name_is_refused(tmp_path: Path, name: str) -> None:
    with (
        duckdb.connect(str(tmp_path / f"{name}.duckdb")) as con,
        pytest.raises(duckdb.Error, match=f"has the name of the schema, {name}, .* attach it under another name"),
    ):
        con.execute(recsql.macros())
