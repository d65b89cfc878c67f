"""The macro file: what people read in it, and that its macros give what Python gives, to the bit.

If it fails, the shell's macros give other bits than Python, or the file can't be read by people.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.base.text import LITERAL, quoted
from recsql.catalog import catalog
from recsql.shell import File, macros, save_database
from tests.support import OF_ITEMS, assert_current, default_file, file_of

ROOT = Path(__file__).parents[2]
MOVIES, SHOP = ROOT / "examples/movietweetings", ROOT / "examples/online_retail"
RECS, TRUTH, RATINGS, ITEMS = (str(MOVIES / f"{name}.parquet") for name in ("recs", "truth", "ratings", "items"))
DATA = {"movies": (RECS, TRUTH), "shop": (str(SHOP / "recs.parquet"), str(SHOP / "truth.parquet"))}
LIKE = [None, "trec_eval", "ranx", "sklearn", "recbole", "rectools", "torchmetrics"]
BY_KS = ("precision", "f1", "mean_precision")  # the metrics without a value for the whole list


@pytest.fixture
def loaded(con: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection whose temporary tables have the example's names, and some of its users."""
    with con.cursor() as cursor:
        cursor.execute(f"create temporary table recs as from {quoted(RECS)} where user_id % 4 = 0")
        cursor.execute(f"create temporary table truth as from {quoted(TRUTH)} where user_id % 4 = 0")
        yield cursor


# -- the text


def test_the_files_are_current() -> None:
    assert_current("sql/recsql.sql", default_file().text)
    assert_current("sql/check.sql", default_file().check)


@pytest.mark.parametrize("name", ["recsql", "check", "trec_eval", "ranx", "rectools"])
def test_people_can_read_it(name: str) -> None:
    text = default_file().check if name == "check" else file_of(None if name == "recsql" else name).text
    assert len(text) <= 408_000 and text.endswith(";\n")
    assert max(map(len, text.splitlines())) <= 160
    assert "\t" not in text and not re.search(r"[ ]+$", text, re.MULTILINE)
    created = re.split(r"^(?=create or replace macro )", text, flags=re.MULTILINE)[1:]
    assert max(one.partition(";\n")[0].count("\n") for one in created) <= 270
    code = re.sub(rf"--[^\n]*|{LITERAL.pattern}", "''", text)
    texts = [line for line in code.splitlines() if re.search(r"\bquery\s*\(", line)]
    assert all("id_texts(" in one for one in texts), "a query as text, but that for a CSV file"
    assert not re.search(r"[«»¦]", code), "a mark of a template"
    assert not re.search(r"\b(SELECT|FROM|WHERE|CASE|JOIN|AS|WITH)\b", code)


def test_the_head_has_the_command_on_one_line() -> None:
    text = recsql.macros("other", "ndcg", train="a\nb.parquet", seen="drop")
    assert ": recsql macros --schema other --metric ndcg --train 'a b.parquet' --seen drop.\n" in text


def test_each_macro_over_tables_has_a_comment_and_stands_in_the_contents(con: duckdb.DuckDBPyConnection) -> None:
    named = "schema_name = 'recsql' and function_type = 'table_macro'"
    found = dict(con.execute(f"select function_name, comment from duckdb_functions() where {named}").fetchall())
    head = "".join(recsql.macros(check=check).partition("begin transaction")[0] for check in (False, True))
    specs = file_of(None).specs
    assert len(specs) > 20
    for spec in specs:
        assert found[spec.name].splitlines()[0] == spec.about
        assert f"--     {spec.name}: {spec.about}\n" in head
    commented = [name for name, comment in found.items() if comment]
    assert {*commented} == {spec.name for spec in specs} | {"unnest_lists", "read_trec_run", "read_trec_qrels"}


# -- the values


@pytest.mark.parametrize("like", [*LIKE[:2], *(pytest.param(one, marks=pytest.mark.thorough) for one in LIKE[2:])])
@pytest.mark.parametrize("data", DATA)
@pytest.mark.filterwarnings("ignore")
def test_every_metric_has_the_bits_of_python(con: duckdb.DuckDBPyConnection, like: str | None, data: str) -> None:
    file, tables = file_of(like), ", ".join(map(quoted, DATA[data]))
    con.execute(file.text)
    options = {} if like is None else {"like": like}
    cutoffs: list[list[int | str]] = [[5, "all"]] if like else [[3, 10], [5, "all"]]
    for ks in cutoffs:
        texts = [str(k) for k in ks]
        rows = con.execute(f"from {file.schema}.evaluate({tables}, k := {texts}, metrics := 'all')").fetchall()
        cut = {row[1] for row in rows if row[2] is None} if "all" in ks else {row[1] for row in rows}
        for metrics in (
            [name for name in dict.fromkeys(row[1] for row in rows) if (name in cut) is has_all] for has_all in (True, False)
        ):
            if metrics:
                python = recsql.evaluate(*DATA[data], metrics, ks if metrics[0] in cut else ks[:1], **options)
                expected = [tuple(one.values()) for one in python.drop_columns("definition").to_pylist()]
                assert [row for row in rows if row[1] in metrics] == expected
        found = con.sql(f"from {file.schema}.per_user({tables}, k := {texts})").to_arrow_table()
        kept = [name for name in found.column_names[5:] if name in cut]
        python_rows = recsql.per_user(*DATA[data], kept, ks, **options)
        assert found.select([*found.column_names[:5], *kept]).to_pylist() == python_rows.to_pylist()


def call(name: str, *tables: str, **given: Any) -> str:
    arguments = [
        *map(quoted, tables),
        *(f"{key} := {quoted(one) if isinstance(one, str) else one}" for key, one in given.items()),
    ]
    return f"from recsql.{name}({', '.join(arguments)})"


def logged(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(f"create or replace temporary table log as from {quoted(str(ROOT / 'examples/log/events.csv'))}")
    con.execute(f"create or replace temporary table shown as from {quoted(str(ROOT / 'examples/log/shown.csv'))}")
    con.execute(
        "create or replace temporary table bought as select user_id, item_id, timestamp '2026-01-01'"
        f" + to_minutes(cast(hash(user_id, item_id) % 200000 as integer)) as timestamp from {quoted(RATINGS)}"
        " where user_id % 4 = 0"
    )
    con.execute(
        "create or replace temporary table rated as select user_id, item_id, rating, rating + hash(item_id) % 3 - 1 as prediction"
        f" from {quoted(RATINGS)}"
    )


SAME: dict[str, tuple[str, Callable[[duckdb.DuckDBPyConnection], pa.Table]]] = {
    "hits": (call("hits", RECS, TRUTH, k=10), lambda con: recsql.hits(RECS, TRUTH, 10)),
    "ideal": (call("ideal", TRUTH, k=10), lambda con: recsql.ideal(TRUTH, 10)),
    "rank_by_score": (
        call("rank_by_score", RECS, k=5),
        lambda con: recsql.rank_by_score(RECS, 5),
    ),
    "compare": (call("compare", RECS, TRUTH, k=10), lambda con: recsql.compare(RECS, TRUTH, k=10)),
    "compare with one": (
        call("compare", RECS, TRUTH, k=[5, 10], baseline="pop", metrics=["rr", "fn"], confidence=0.9),
        lambda con: recsql.compare(RECS, TRUTH, ["rr", "fn"], [5, 10], baseline="pop", interval=0.9),
    ),
    "ranks": (
        call("rank", RECS, TRUTH, k=[5, 10], metrics=["ndcg", "fn", "f1"], beta=2, confidence=0.9),
        lambda con: recsql.rank(RECS, TRUTH, ["ndcg", "fn", "f1"], [5, 10], f1_average="per_user", beta=2, interval=0.9),
    ),
    "evaluate_with_interval": (
        call("evaluate_with_interval", RECS, TRUTH, k=10, metrics="all"),
        lambda con: recsql.evaluate(RECS, TRUTH, file_metrics(), 10, interval=0.95),
    ),
    "evaluate_by": (
        call("evaluate_by", RECS, TRUTH, "some segments", k=10, min_users=50),
        lambda con: recsql.evaluate(
            RECS, TRUTH, k=10, by=["activity", "warm", "mainstream"], segments="some segments", min_users=50, connection=con
        ),
    ),
    "item_metrics": (call("item_metrics", RECS), lambda con: recsql.item_metrics(RECS)),
    "item_metrics, items": (call("item_metrics", RECS, items=ITEMS), lambda con: recsql.item_metrics(RECS, items=ITEMS)),
    "item_metrics, train": (call("item_metrics", RECS, train=RATINGS), lambda con: recsql.item_metrics(RECS, train=RATINGS)),
    "item_metrics, a number": (
        call("item_metrics", RECS, catalog_size=20000),
        lambda con: recsql.item_metrics(RECS, catalog_size=20000),
    ),
    "rating_metrics": (call("rating_metrics", "rated"), lambda con: recsql.evaluate_ratings("rated", connection=con)),
    "rating_metrics_joined": (
        call("rating_metrics_joined", "rated", RATINGS),
        lambda con: recsql.evaluate_ratings("rated", RATINGS, connection=con),
    ),
    "popularity": (call("popularity", RATINGS, k=3), lambda con: recsql.popularity(RATINGS, 3)),
    "popularity, users": (
        call("popularity", RATINGS, k=3, users=TRUTH),
        lambda con: recsql.popularity(RATINGS, 3, TRUTH),
    ),
    "segments": (call("segments", RATINGS, TRUTH), lambda con: recsql.segments(RATINGS, TRUTH)),
    "candidates": (
        call("candidates", TRUTH, ITEMS, RATINGS, n=5, seed=3),
        lambda con: recsql.candidates(TRUTH, ITEMS, RATINGS, 5, seed=3),
    ),
    "labels": (
        call("labels", "log", start="2026-03-01", period="30 days"),
        lambda con: recsql.labels("log", start="2026-03-01", window="30 days", connection=con),
    ),
    "labels_of_impressions": (
        call("labels_of_impressions", "log", "shown", period="1 day", until="2026-12-01"),
        lambda con: recsql.labels("log", "shown", window="1 day", until="2026-12-01", connection=con),
    ),
}
SPLITS: dict[str, dict[str, Any]] = {
    "temporal": {"cut": "2026-03-01 12:30+02"},
    "temporal, a window": {"cut": "2026-03-01", "window": "1 month"},
    "temporal, a fraction": {"fraction": 0.2},
    "backtest": {"cut": "2026-03-01", "window": "10 days"},
    "backtest, two": {"cut": "2026-03-01", "window": "10 days", "folds": 2},
    "last_n": {"n": 2},
    "last_fraction": {"fraction": 0.3},
    "leave_one_out": {},
    "random": {"fraction": 0.1, "seed": 3},
    "users": {"fraction": 0.2},
    "k_fold": {"folds": 3},
}


def file_metrics() -> list[str]:
    return [column.metric for column in file_of(None).queries["evaluate"].inputs.columns]


@pytest.mark.parametrize("name", SAME)
def test_the_other_macros_give_the_rows_of_python(loaded: duckdb.DuckDBPyConnection, name: str) -> None:
    query, python = SAME[name]
    logged(loaded)
    loaded.register("some segments", recsql.segments(RATINGS, TRUTH))
    expected = python(loaded).to_pylist()
    found = loaded.sql(query).to_arrow_table().to_pylist()
    shared = [one for one in expected[0] if one in found[0]]
    assert len(found) == len(expected) > 0 and len(shared) > 1
    assert {*expected[0]} - {"surface", "definition"} == {*found[0]} - {"surface", "segments_left_out"}
    in_order = name.startswith(("compare", "evaluate", "item", "rating", "ranks"))
    rows = [[tuple(row[one] for one in shared) for row in rows] for rows in (found, expected)]
    assert rows[0] == rows[1] if in_order else sorted(rows[0], key=repr) == sorted(rows[1], key=repr)


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("kind", "zone"),
    [("timestamptz", "UTC"), *((kind, "America/New_York") for kind in ("timestamp", "timestamptz", "date", "bigint"))],
)
def test_splits_are_those_of_python_in_every_zone(loaded: duckdb.DuckDBPyConnection, kind: str, zone: str) -> None:
    """A cut is in UTC, and an offset in it counts, whatever the session's time zone is."""
    logged(loaded)
    made = {"timestamptz": "timezone('UTC', timestamp)", "bigint": "cast(epoch(timestamp) as bigint)"}
    place = made.get(kind, f"cast(timestamp as {kind})")
    loaded.execute(f"create temporary table log_{kind} as select user_id, item_id, {place} as timestamp from bought")
    loaded.execute(f"set timezone = '{zone}'")
    for name, options in SPLITS.items():
        protocol = name.partition(",")[0]
        numbers = {"cut": 1772323200.5, "window": 864000} if kind == "bigint" else {}
        given = {key: numbers.get(key, one) for key, one in options.items()}
        arguments = {"period" if key == "window" else key: one for key, one in given.items()}
        rows = loaded.execute(
            f"select count(*), bit_xor(hash(s)) from ({call(f'split_{protocol}', f'log_{kind}', **arguments)}) as s"
        )
        found = rows.fetchall()
        recsql.split(f"log_{kind}", into=f'"split {kind}"', protocol=protocol, connection=loaded, **given)
        assert found == loaded.execute(f'select count(*), bit_xor(hash(s)) from "split {kind}" as s').fetchall(), name
        loaded.execute(f'drop table "split {kind}"')


def test_a_metric_is_the_same_among_others(loaded: duckdb.DuckDBPyConnection) -> None:
    """And alone: test_cases asks for each one."""
    values = "select model, metric, k, value, users from recsql.evaluate('recs', 'truth', k := ['5', 'all'], metrics := {})"
    names = file_metrics()
    among_all = loaded.execute(values.format("'all'")).fetchall()
    assert {row[1] for row in among_all} == {*names} and len(names) >= 14
    for metrics in (names[:1], names[::2], names[1::2], names[::-1]):
        asked = metrics if not {*metrics} & {*BY_KS} else [name for name in metrics if name not in BY_KS]
        found = loaded.execute(values.format(asked)).fetchall() if asked else []
        assert sorted(found, key=repr) == sorted((row for row in among_all if row[1] in asked), key=repr)
        assert [row[1] for row in found if row[0] == "pop" and row[2] == 5] == asked


# -- what the macros are called with


def test_tables_of_every_kind_are_the_same(loaded: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    expected = loaded.execute("from recsql.evaluate('recs', 'truth', k := 10)").fetchall()
    folder = tmp_path / "a folder; with 'quotes', \"two kinds\" -- and dots.v2"
    folder.mkdir()
    for name in ("recs", "truth"):
        loaded.execute(f"copy {name} to {quoted(str(folder / f'{name}.csv'))}")
        loaded.execute(f"copy (from {name}) to {quoted(str(folder / f'{name}.1.parquet'))}")
        loaded.execute(f'create or replace temporary view "a view; of {name}" as from {name}')
        (tmp_path / name).mkdir()
        loaded.execute(f"copy (from {name}) to {quoted(str(tmp_path / name / 'part.parquet'))}")
    ways = {
        "views": ['"a view; of recs"', '"a view; of truth"'],
        "files": [str(folder / "recs.1.parquet"), str(folder / "truth.1.parquet")],
        "globs": [str(tmp_path / "recs/*.parquet"), str(tmp_path / "tru*/*.parquet")],
        "folders": [f"{tmp_path}/recs/", f"{tmp_path}/truth/"],
        "folders without a slash": [f"{tmp_path}/recs", f"{tmp_path}/truth"],
    }
    for way, tables in ways.items():
        assert loaded.execute(call("evaluate", *tables, k=10)).fetchall() == expected, way
    text = "select * replace (cast(user_id as bigint) as user_id) from read_csv({}, types = {{'item_id': 'VARCHAR'}})"
    given = [text.format(quoted(str(folder / f"{name}.csv"))) for name in ("recs", "truth")]
    ctes = f"with hits as ({given[0]}), relevant as ({given[1]})"
    assert loaded.execute(f"{ctes} from recsql.evaluate('hits', 'relevant', k := 10)").fetchall() == expected
    prepared = "from recsql.evaluate('recs', 'truth', k := ?, metrics := ?)"
    assert loaded.execute(prepared, [10, ["rr"]]).fetchall() == [row for row in expected if row[1] == "rr"]
    loaded.execute("create temporary view means as from recsql.evaluate('recs', 'truth', k := 10)")
    assert loaded.execute("from means").fetchall() == expected


def test_columns_named_like_parameters_stay_columns(loaded: duckdb.DuckDBPyConnection) -> None:
    expected = loaded.execute("from recsql.compare('recs', 'truth', k := 5)").fetchall()
    names = ["k", "metrics", "beta", "p", "recs", "truth", "confidence", "baseline", "margin", "hits", "relevant", "users"]
    further = ", ".join(f"'x' as {name}" for name in names)
    loaded.execute(f"create temporary table many_recs as select *, {further} from recs")
    loaded.execute(f"create temporary table many_truth as select *, {further} from truth")
    assert loaded.execute("from recsql.compare('many_recs', 'many_truth', k := 5)").fetchall() == expected


def test_the_tables_are_read_as_often_as_by_python(loaded: duckdb.DuckDBPyConnection) -> None:
    """A step gets the names of the caller's CTEs, so that no table is read once for each step."""

    def scans(query: str) -> int:
        [[_, plan]] = loaded.execute(f"explain {query}").fetchall()
        return len(re.findall(r"(?:READ_PARQUET|PARQUET_SCAN)", plan))

    python = scans(recsql.sql(RECS, TRUTH, k=[5, 10]))
    macro = scans(call("evaluate", RECS, TRUTH, k=[5, 10]))
    assert macro <= python + 6, (macro, python)  # the check of repeated ranks, of columns and of long ids are apart


def test_a_step_can_be_called_alone(loaded: duckdb.DuckDBPyConnection) -> None:
    found = "select h.nth, h.rank from recsql_steps.hits_of('found') as h where h.user_id = 1 order by h.nth"
    rows = "select null as model, 1 as user_id, r as item_id, r as rank, 1e0 as gain, 1 as copies from (values (4), (2)) as t(r)"
    assert loaded.execute(f"with found as ({rows}) {found}").fetchall() == [(1, 2), (2, 4)]


# -- sentences


DAYS = "{day: dt, user_id: user_id} as user_id"
REFUSED = {
    "evaluate('recs', 'truth', metrics := [])": "metrics: the list is empty; name a metric, pass 'all', or leave metrics out",
    "evaluate('recs', 'truth', metrics := ['ndgc'])": "unknown metric 'ndgc'; did you mean ndcg? choose one of ndcg, recall",
    "evaluate('recs', 'truth', metrics := 'gini')": "gini is not available here; use item_metrics",
    "evaluate('recs', 'truth', metrics := 'novelty')": "novelty is not among the metrics of this file; render one that has it",
    "evaluate('recs', 'truth', metrics := 'err')": "err is not among the metrics of this file; render one that has it",
    "item_metrics('recs', metrics := 'gini')": "gini needs items or train or catalog_size",
    "item_metrics('recs', catalog_size := 5)": "catalog_size: 5 is too small; at k = 20 there are ",
    "item_metrics('recs', catalog_size := 5000.5)": "catalog_size: 5000.5 is not a whole number",
    "evaluate('recs', 'truth', k := 0)": "k: a cut-off is a whole number from 1 to 1000000, or all; found 0",
    "evaluate('recs', 'truth', k := 'x')": "k: a cut-off is a whole number from 1 to 1000000, or all; found x",
    "evaluate('recs', 'truth', k := [])": "k: a cut-off is a whole number from 1 to 1000000, or all; found none",
    "evaluate('recs', 'truth', k := null)": "k: a cut-off is a whole number from 1 to 1000000, or all; found none",
    "evaluate('recs', 'truth', k := range(1, 20000))": "k: there are more than 10000 cut-offs; give fewer",
    "evaluate('recs', 'truth', k := 'all', metrics := 'precision')": "precision: precision_denominator = k needs a cut-off",
    "hits('recs', 'truth', k := [3, 4])": "k: this macro takes one cut-off, and not 2; give the largest",
    "evaluate('recs', 'truth', beta := -1)": "beta: -1 is not above 0 and at most 1000000",
    "evaluate('recs', 'truth', beta := 'nan'::double)": "beta: nan is not above 0 and at most 1000000",
    "evaluate_with_interval('recs', 'truth', confidence := 95)": "confidence: 95 is not above 0.5 and below 1",
    "evaluate_by('recs', 'truth', 'truth', min_users := 0)": "min_users: 0 is not at least 1",
    "evaluate(null, 'truth')": "NULL; give the name of a table or a file",
    "evaluate('truth', 'truth')": "truth: there is no column rank or score; it has user_id, item_id, relevance",
    "compare('recs', 'truth', baseline := 'popp')": "baseline: popp is not among the models of recs; did you mean pop",
    "evaluate('mixed', 'truth')": "item_id is INTEGER in mixed and VARCHAR in truth; cast one of them to the other's type",
    "split_temporal('recs', cut := '2026-01-01')": "recs: there is no column timestamp; it has model, user_id, item_id",
    "split_last_n('bought', n := 0)": "n: 0 is not at least 1",
    "split_temporal('bought')": "split_temporal needs either a cut or a fraction",
    "split_temporal('bought', cut := '2026-03-01', fraction := 0.1)": "split_temporal needs either a cut or a fraction",
    "split_backtest('bought', cut := '2026-03-01')": "period: give the length of the truth of each fold, such as 7 days",
    "split_temporal('bought', cut := '2030-01-01')": "there is no interaction on or after 2030-01-01 00:00:00",
    "labels('log')": "start: without impressions, labels need the time from which events count",
    "labels('truth', start := '2026-03-01')": "truth: there is no column ts; it has user_id, item_id, relevance",
    "labels('log', start := '2030-01-01')": "log: no event is in the window from 2030-01-01 00:00:00",
    "evaluate('twice', 'ones')": "twice: item a appears more than once in the list of user 1; list it once, or choose how it "
    "counts with recsql macros --duplicates first -o FILE; or does the table hold several lists of a user? "
    f"for days, write {DAYS} in both tables",
    "evaluate('tied', 'ones')": "tied: items a and b have the same rank 1 in the list of user 1; number each list with "
    "row_number(), or choose how equal scores count with recsql macros --rank-by score --ties expected -o FILE; "
    f"or are these several lists of a user? for days, write {DAYS} in both tables",
    "compare('recs', 'truth', baseline := 1)": "baseline: 1 is not among the models of recs; choose one of ",
    "evaluate_by('recs', 'truth', 'people')": "people: it has no column besides user_id; give it one for each slice",
    "evaluate('recs', 'truth', beta := 'x')": "beta: x is not above 0 and at most 1000000",
    "compare('recs', 'truth', margin := 'x')": "margin: x is not at least -1000000000 and at most 1000000000",
    "split_last_n('bought', n := 'x')": "n: x is not at least 1",
    "evaluate('texts_as_ranks', 'ones')": "texts_as_ranks: rank is first for user 1, item a; ranks are whole numbers",
    "hits('recs', 'truth', missed := 3)": "missed: 3 is not one of false, true",
    "unnest_lists('recs')": "recs: there is no LIST column items; rename the LIST of ids to items, in a view or a CTE",
    "unnest_lists('texts')": "texts: items is VARCHAR, not a LIST",
    "unnest_lists('structs')": "structs: items is STRUCT(a INTEGER), not a LIST",
    "evaluate('long', 'long_truth')": "long: item_id is DOUBLE and has ids beyond 2^53, whose last digits are lost",
    "evaluate('folded', 'truth')": "folded: it has the column fold, and a macro can't keep folds or data sets apart",
    "compare('suite', 'truth')": "suite: it has the column Dataset, and a macro can't keep folds or data sets apart",
    "rank('suite', 'truth')": "suite: it has the column Dataset, and a macro can't keep folds or data sets apart",
    "rank('recs', 'truth', metrics := ['ndcg', 'idcg'])": "idcg: neither its high nor its low values are better, so it ranks",
    "rank('recs', 'truth', confidence := 95)": "confidence: 95 is not above 0.5 and below 1",
}


def test_numbers_are_also_texts(loaded: duckdb.DuckDBPyConnection) -> None:
    loaded.execute(
        "create temporary table numbered as select * replace (ascii(model) as model, cast(rank as varchar) as rank) from recs"
    )
    texts = "k := '5', beta := '2', metrics := 'f1'"
    query = "select model, value from recsql.evaluate('{}', 'truth', {}) order by model"
    expected = loaded.execute(query.format("recs", "k := 5, beta := 2, metrics := 'f1'")).fetchall()
    found = loaded.execute(query.format("numbered", texts)).fetchall()
    assert sorted(value for _, value in found) == sorted(value for _, value in expected)
    models = [model for model, _ in found]
    for baseline in (models[0], f"'{models[0]}'"):
        rows = loaded.execute(
            f"select distinct baseline from recsql.compare('numbered', 'truth', k := 5, baseline := {baseline})"
        )
        assert rows.fetchall() == [(models[0],)]


def test_segments_are_dates(loaded: duckdb.DuckDBPyConnection) -> None:
    day = "date '2026-01-01' + cast(user_id // 4 % 2 as integer)"
    loaded.execute(f"create temporary table days as select distinct user_id, {day} as segment from truth")
    rows = loaded.execute(
        "select distinct segment from recsql.evaluate_by('recs', 'truth', 'days', k := 5) order by all"
    ).fetchall()
    assert {one for [one] in rows} == {None, "2026-01-01", "2026-01-02"}


@pytest.mark.parametrize("called", REFUSED)
def test_a_wrong_call_gets_one_sentence(loaded: duckdb.DuckDBPyConnection, called: str) -> None:
    logged(loaded)
    loaded.execute("create temporary table mixed as select 1 as user_id, 1 as item_id, 1 as rank")
    loaded.execute("create temporary table long_truth as select 1 as user_id, 12345678901234567891::double as item_id")
    loaded.execute("create temporary table long as select 1 as user_id, 12345678901234567890::double as item_id, 1 as rank")
    loaded.execute("create temporary table twice as select 1 as user_id, 'a' as item_id, unnest([1, 2]) as rank")
    loaded.execute("create temporary table tied as select 1 as user_id, unnest(['a', 'b']) as item_id, 1 as rank")
    loaded.execute("create temporary table ones as select 1 as user_id, 'a' as item_id")
    loaded.execute("create temporary table people as select distinct user_id from truth")
    loaded.execute("create temporary table texts_as_ranks as select 1 as user_id, 'a' as item_id, 'first' as rank")
    loaded.execute("create temporary table folded as select 1 as user_id, 'a' as item_id, 1 as rank, 1 as fold")
    loaded.execute("create temporary table suite as select 1 as user_id, 'a' as item_id, 1 as rank, 'm' as model, 'x' as Dataset")
    loaded.execute("create temporary table texts as select 1 as user_id, 'a b' as items")
    loaded.execute("create temporary table structs as select 1 as user_id, {'a': 1} as items")
    with pytest.raises(duckdb.Error) as refused:
        loaded.execute(f"from recsql.{called}").fetchall()
    assert REFUSED[called] in str(refused.value)


CHANGED = {  # two ids of a CSV file, and how DuckDB reads them if it changes the first one
    "3.10 4.5": "DOUBLE",
    "1e3 2.5": "DOUBLE",
    "0x1F 0x20": "BIGINT",
    "12:30 13:00": "TIME",
    "True False": "BOOLEAN",
    "2024-1-5 2024-01-06": "DATE",
    "01/02/2024 02/02/2024": "DATE",
    "2024-01-05T10:00:00Z 2024-01-06T10:00:00Z": "TIMESTAMP WITH TIME ZONE",
    "1.0 2.0": "",
    "5 6": "",
    "007 008": "",
    "true false": "",
    "2024-01-05 2024-01-06": "",
}


@pytest.mark.parametrize("ids", CHANGED)
def test_ids_that_are_read_as_others(loaded: duckdb.DuckDBPyConnection, ids: str, tmp_path: Path) -> None:
    """3.10 and 3.1 are one number, but two ids; a type alone is no reason, and a table may have numbers."""
    one, other = ids.split()
    recs, truth = tmp_path / "recs.csv", tmp_path / "truth.csv"
    recs.write_text(f"user_id,item_id,rank\nu,{one},1\nu,{other},2\n")
    truth.write_text(f"user_id,item_id\nu,{one}\nu,{other}\n")
    call = f"select e.value from recsql.evaluate('{recs}', '{truth}', k := 2, metrics := 'hit') as e"
    if CHANGED[ids]:
        said = f"{recs}: item_id {one} is read as {CHANGED[ids]}, which changes it; read it as text, in a view over read_csv"
        with pytest.raises(duckdb.Error, match=re.escape(f"{said}('...', types = {{'item_id': 'VARCHAR'}})")):
            loaded.execute(call)
    else:
        assert loaded.execute(call).fetchall() == [(1.0,)]
    for name, file in {"changed_recs": recs, "changed_truth": truth}.items():
        loaded.execute(f"create or replace temporary view {name} as from read_csv('{file}', types = {{'item_id': 'VARCHAR'}})")
    assert loaded.execute("select value from recsql.evaluate('changed_recs', 'changed_truth', metrics := 'hit')").fetchall()


def test_a_renamed_schema_leaves_sentences_whole() -> None:
    with duckdb.connect() as con:
        con.execute(macros("other", candidates="table"))
        con.execute("create table recs as select 1 as user_id, 1 as item_id, 1 as rank")
        con.execute("create table truth as select 1 as user_id, 2 as item_id")
        with pytest.raises(duckdb.Error, match=r"add the truth, as recsql\.candidates does"):
            con.execute("from other.evaluate('recs', 'truth', 'recs')").fetchall()


# -- files under options


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "options",
    [
        {"gain": "exp2", "ndcg": None},
        {"users": "looked_at"},
        {"train": "seen", "seen": "drop"},
        {"no_recs": "skip", "ties": "error", "split_ties": "together"},
        {"relevance_threshold": 8, "beta": 2, "discount": "none"},
        {"sample": 0.5},
    ],
)
def test_options_are_rendered_and_tables_become_parameters(loaded: duckdb.DuckDBPyConnection, options: dict[str, Any]) -> None:
    options = {name: one for name, one in options.items() if one is not None}
    loaded.execute("create temporary table looked_at as select distinct user_id from truth where hash(user_id) % 2 = 0")
    loaded.execute("create temporary table seen as select user_id, item_id from recs where rank = 1")
    loaded.execute(macros("under", **options))
    tables = [one for one in ("looked_at", "seen") if one in options.values()]
    query = call("evaluate", "recs", "truth", *tables, k=10, metrics=["ndcg", "f1"]).replace("recsql.", "under.")
    found = loaded.execute(query).fetchall()
    python = {name: one for name, one in options.items() if name != "split_ties"}
    expected = recsql.evaluate("recs", "truth", ["ndcg", "f1"], 10, connection=loaded, **python).drop_columns("definition")
    assert found == [tuple(row.values()) for row in expected.to_pylist()]


def test_metrics_with_steps_of_their_own_are_in_a_file_that_names_them(loaded: duckdb.DuckDBPyConnection) -> None:
    loaded.execute(macros("more", ["err", "bpref", "mean_precision", "fp", "novelty"], err_max_grade=10))
    names = ["err", "bpref", "mean_precision", "fp"]
    found = loaded.execute("from more.evaluate('recs', 'truth', k := 10, metrics := 'all')").fetchall()
    expected = recsql.evaluate("recs", "truth", names, 10, err_max_grade=10, connection=loaded).to_pylist()
    assert [(row[0], *row[2:5]) for row in found] == [(row["model"], *list(row.values())[2:5]) for row in expected]
    loaded.execute(f"create temporary table train as from {quoted(RATINGS)}")
    rows = loaded.execute("from more.list_metrics('recs', k := 10, train := 'train')").fetchall()
    expected = recsql.item_metrics("recs", "novelty", 10, train="train", connection=loaded).to_pylist()
    assert [row[:5] for row in rows] == [tuple(row.values())[:5] for row in expected]


SMALL = {
    "recs": """
        select m.model, u.user_id, (u.user_id * 3 + r.rank) % 7 as item_id, r.rank
        from (values ('a'), ('b')) as m(model), range(1, 5) as u(user_id), range(1, 4) as r(rank)
        where m.model = 'a' or r.rank > 1""",
    "truth": "select user_id, item_id from recs where rank = 2",
    "items": "select item_id, 'c' || item_id % 3 as category from range(1, 9) as i(item_id)",
    "train": "select user_id, item_id + 1 as item_id from recs",
    "ratings": "select user_id, item_id, rank % 2 as rating, 0.3 as prediction from recs",
}
RUN = {  # the macros with the metrics of a grain
    "user": [
        "evaluate('recs', 'truth'",
        "evaluate_with_interval('recs', 'truth'",
        "compare('recs', 'truth'",
        "rank('recs', 'truth'",
    ],
    "list": ["list_metrics('recs', items := 'items', train := 'train'"],
    "item": ["item_metrics('recs', items := 'items', train := 'train'"],
    "item_group": ["group_metrics('recs', items := 'items', train := 'train'"],
    "rating": ["rating_metrics('ratings'"],
}


@pytest.mark.engine
@pytest.mark.parametrize("part", range(4))
def test_every_choice_of_metrics_can_be_read_and_run(part: int) -> None:
    """Each metric alone and some together, in the DuckDB of a shell; of two files, only the macros that differ are created."""
    with duckdb.connect() as con:
        for name, rows in SMALL.items():
            con.execute(f"create table {name} as {rows}")
        con.execute("create schema recsql; create schema recsql_steps")
        created: dict[str, str] = {}
        for chosen in choices()[part::4]:
            text = recsql.macros(metrics=chosen, catalog_size=30) if needs_size(chosen) else recsql.macros(metrics=chosen)
            for one in re.split(r"^(?=create or replace macro )", text, flags=re.MULTILINE)[1:]:
                name, statement = one.partition("(")[0], one.partition(";\n")[0]
                if created.get(name) != statement:
                    con.execute(statement)
                    created[name] = statement
            for grain in {catalog().metrics[metric].grain for metric in chosen}:
                for call in RUN[grain]:
                    if call.startswith("rank") and any(
                        catalog().metrics[one].header.get("better") == "neither" for one in chosen
                    ):
                        continue  # it has no order of models
                    k = "" if grain == "rating" else ", k := [1, 3]"
                    assert con.execute(f"from recsql.{call}{k}, metrics := 'all')").fetchall(), (chosen, call)


def test_a_metric_of_hits_with_a_table_of_items() -> None:
    """The table is a parameter of the macros: of the hit a and the miss b, the list has one of two categories."""
    with duckdb.connect() as con:
        con.execute(recsql.macros(metrics="category_recall", items="items"))
        con.execute("create table recs as select 'u' as user_id, 'a' as item_id, 1 as rank")
        con.execute("create table truth as select 'u' as user_id, unnest(['a', 'b']) as item_id")
        con.execute("create table things as select unnest(['a', 'b']) as item_id, unnest(['x', 'y']) as category")
        assert con.execute("select value from recsql.evaluate('recs', 'truth', 'things', k := 3)").fetchall() == [(0.5,)]


def choices() -> list[list[str]]:
    """Of the metrics that a file can have without a table of its own, every fourth alone, and draws of 2 to 5: each is in one.

    test_cases has a file for each metric alone.
    """
    without = ("serendipity", "category_recall", "reo", "efd", "epc")  # they need tables that these macros don't take
    draw, names = random.Random(52), [name for name in OF_ITEMS if name not in without]
    shuffled, drawn = iter(draw.sample(names, len(names))), list[list[str]]()
    while some := [*islice(shuffled, draw.randint(2, 5))]:
        drawn.append(some)
    return [*([name] for name in names[::4]), *drawn]


def needs_size(metrics: Sequence[str]) -> bool:
    return any("catalog_size" in one.one_of for name in metrics for one in catalog().metrics[name].requires)


NO_FILE: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown option": ({"gian": "exp2"}, "unknown option 'gian'; did you mean gain?"),
    "an unknown value": ({"gain": "exp"}, "gain: unknown value 'exp'; did you mean exp2?"),
    "slices": ({"by": "country"}, "by: the macro evaluate_by takes the table segments; leave by= out"),
    "an interval": ({"interval": 0.9}, "interval: the macros evaluate_with_interval and compare take it as confidence"),
    "a protocol": ({"protocol": "last_n"}, "protocol: each protocol has a macro of its own, such as split_last_n"),
    "a schema": ({"schema": "My schema"}, "schema: 'My schema' is not a name of lower-case letters"),
    "no schema": ({"schema": 5}, "schema: 5 is not a name of lower-case letters"),
    "a metric": ({"metrics": "ndgc"}, "unknown metric 'ndgc'; did you mean ndcg?"),
    "a cut-off": ({"metrics": "ndcg@5"}, "metrics: ndcg@5 has a cut-off, which a macro takes as k; write ndcg"),
    "a metric of train and truth": (
        {"metrics": ["ndcg", "efd"]},
        "metrics: efd needs train, which macros of users don't take; use Python",
    ),
    "train that nothing reads": ({"train": "train"}, "train: it is read only for"),
    "seen without train": ({"seen": "drop"}, "seen='drop': it removes or refuses what users have in train"),
    "wilcoxon": ({"test": "wilcoxon"}, "test='wilcoxon': the macro compare has the tests t and sign; take one of them"),
    "randomisation": ({"test": "randomisation"}, "test='randomisation': the macro compare has the tests t and sign"),
    "several queries": ({"metrics": ["ndcg", "recall"], "like": "torchmetrics"}, "a macro is one query, and"),
}


@pytest.mark.parametrize("case", NO_FILE)
def test_what_no_macro_can_have_is_refused(case: str) -> None:
    options, says = NO_FILE[case]
    with pytest.raises(recsql.RecsqlError, match=re.escape(says)):
        macros(**options)


def test_no_schema_has_a_name_that_duckdb_keeps(tmp_path: Path) -> None:
    """All that it names itself, and a sample of the words of its language; a database is attached under the name."""
    words = "select keyword_name from duckdb_keywords() where keyword_category = 'reserved' and keyword_name like '%e'"
    own = "select database_name from duckdb_databases() union select schema_name from duckdb_schemas()"
    with duckdb.connect() as fresh:
        kept = {name for (name,) in fresh.execute(f"{words} union {own}").fetchall()} | {"null", "select"}
    assert {"temp", "system", "information_schema", "pg_catalog", "table", "true"} <= kept
    for name in kept - {"main"}:
        with pytest.raises(
            recsql.RecsqlError, match=f"^schema: {name} is a name that DuckDB keeps for itself; choose another one"
        ):
            macros(name)
    file, path = File("main", "dcg", {}), str(tmp_path / "main.duckdb")
    with duckdb.connect() as fresh:
        fresh.execute(file.text)
    with pytest.raises(recsql.RecsqlError, match=r"^schema: main is a name that DuckDB keeps for itself; choose another one"):
        save_database(file, path)
    assert not [*tmp_path.iterdir()]


def test_a_preset_with_several_queries_names_what_its_file_lacks() -> None:
    with pytest.warns(
        UserWarning,
        match="ndcg needs options of its own in it, so this file does not have it; render another for it with metrics=",
    ):
        file = File("torchmetrics", None, {"like": "torchmetrics"})
    assert "ndcg" not in file.queries["evaluate"].found


def parameters() -> Sequence[tuple[str, str]]:
    return [(spec.name, one) for spec in file_of(None).specs for one in file_of(None).parameters(spec)]


def test_parameters_are_no_keywords(con: duckdb.DuckDBPyConnection) -> None:
    """Each can be written without quotes, also in DuckDB 1.5, whose shell has a test of it."""
    words = {
        word
        for [word] in con.execute("select keyword_name from duckdb_keywords() where keyword_category = 'reserved'").fetchall()
    }
    names = {one.partition(" ")[0] for _, one in parameters()}
    assert len(names) > 20 and not names & (words | {"window", "interval", "by", "like"})


def test_evaluate_computes_only_what_its_metrics_read(con: duckdb.DuckDBPyConnection) -> None:
    """What DuckDB plans: no cast that may fail, which keeps filters from a file; users without a hit only where they count."""

    def planned(metric: str) -> str:
        query = f"explain (format json) from recsql.evaluate({quoted(RECS)}, {quoted(TRUTH)}, metrics := {quoted(metric)})"
        [(_, plan)] = con.execute(query).fetchall()
        return str(plan)

    assert "first_k" in planned("fn")
    for word in ("TRY_CAST(relevance", "TRY_CAST(rank", "first_k", "persistent_gain"):
        assert word not in planned("rr")
