"""The macro check, which gives what Python's check gives of the findings that it has.

If it fails, people in the shell trust a number that check in Python warns of, or doubt one that it does not.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest

import recsql
from recsql.base.text import quoted
from recsql.catalog import catalog
from recsql.shell import File
from tests.findings.test_findings import CASES, given
from tests.support import without_advice

ROOT = Path(__file__).parents[2]
FINDINGS = [name for name in catalog().findings if f"{name}_of(" in (ROOT / "sql/check.sql").read_text()]
OF_HITS = ("no_hits", "perfect_score", "saturated")  # which the macro looks for with the metric hit
OF_TWO_TABLES = {"recs", "truth", "k", "metrics"}  # what a case may have that the macro takes


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """The cases of the findings that the macro has, without further tables: one that has it, and the first that nearly has."""
    for name in FINDINGS:
        nearly = CASES[name]["nearly"]
        for case in (CASES[name]["has"], nearly[0] if isinstance(nearly, list) else nearly):
            if not {"train", "items", "users", "candidates"} & {*case} and not {"level", "relevance"} & {
                *case.get("options", {})
            }:
                yield name, given(case)


@cache
def loaded(**options: Any) -> duckdb.DuckDBPyConnection:
    """A connection with the macros under some options."""
    con = duckdb.connect()
    file = File("recsql", None, options)
    con.execute(file.text)
    con.execute(file.check)
    return con


@pytest.mark.parametrize(("name", "case"), [pytest.param(*one, id=f"{one[0]}-{n}") for n, one in enumerate(cases())])
def test_it_finds_what_python_finds(name: str, case: dict[str, Any]) -> None:
    con = loaded(**{option: value for option, value in case.items() if option not in OF_TWO_TABLES}).cursor()
    con.register("recs", case["recs"])
    con.register("truth", case["truth"])
    call = f"recsql.check('recs', 'truth', k := {case.get('k', 10)})"
    found = con.sql(f"from {call} where finding = '{name}'").to_arrow_table()
    of_hits = {"metrics": "hit"} if name in OF_HITS else {}
    expected = recsql.check(**case | of_hits, ignore=[one for one in catalog().findings if one != name])
    counted = [{**row, "count": None} if name == "ids_differ_by_type" else row for row in found.to_pylist()]
    assert without_advice(counted) == without_advice(expected.to_pylist())


@pytest.mark.parametrize("data", ["movietweetings", "online_retail"])
def test_it_gives_the_report_of_the_examples(data: str) -> None:
    recs, truth = (str(ROOT / f"examples/{data}/{name}.parquet") for name in ("recs", "truth"))
    found = loaded().sql(f"from recsql.check({quoted(recs)}, {quoted(truth)})").to_arrow_table()
    expected = [row for row in recsql.check(recs, truth, metrics="hit").to_pylist() if row["finding"] in FINDINGS]
    assert without_advice(found.to_pylist()) == without_advice(expected) and expected


def test_a_table_of_users_is_a_parameter() -> None:
    con = loaded(users="users").cursor()
    con.execute(f"create temp table recs as from {quoted(str(ROOT / 'examples/movietweetings/recs.parquet'))}")
    con.execute(f"create temp table truth as from {quoted(str(ROOT / 'examples/movietweetings/truth.parquet'))}")
    con.execute("create temp table users as select distinct user_id from recs where model = 'ease'")
    found = con.sql("from recsql.check('recs', 'truth', 'users', k := 5)").to_arrow_table()
    expected = recsql.check("recs", "truth", users="users", k=5, metrics="hit", connection=con)
    rows = [row for row in expected.to_pylist() if row["finding"] in FINDINGS]
    assert without_advice(found.to_pylist()) == without_advice(rows) != []


def test_ids_of_two_types_are_a_finding() -> None:
    con = loaded().cursor()
    con.execute("create temp table recs as select 1 as user_id, 'a' as item_id, 1 as rank")
    con.execute("create temp table truth as select 1 as user_id, 5 as item_id")
    rows = con.execute("select finding, severity, example from recsql.check('recs', 'truth')").fetchall()
    sentence = "item_id is VARCHAR in recs and INTEGER in truth; cast one of them to the other's type"
    assert rows == [("ids_differ_by_type", "error", sentence)]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("'r', 't', k := [5, 10]", "k: this macro takes one cut-off, and not 2; give the largest"),
        ("'r', 't', k := 'x'", "k: a cut-off is a whole number from 1 to 1000000, or all; found x"),
        ("'t', 't'", "t: there is no column rank or score; it has user_id, item_id; rename it in a view"),
    ],
)
def test_it_refuses_what_it_cannot_check(call: str, sentence: str) -> None:
    con = loaded().cursor()
    con.execute("create temp table t as select 1 as user_id, 5 as item_id; create temp table r as select t.*, 1 as rank from t")
    with pytest.raises(duckdb.Error, match=re.escape(sentence)):
        con.execute(f"from recsql.check({call})")
