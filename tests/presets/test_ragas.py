"""The preset ragas on the golden cases, by the library's own names, and its sentences for names that need a language model.

If it fails, somebody who comes from ragas gets other numbers, or no reason why there are none.
"""

import json
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

import recsql
from recsql.cli import main

NAMES = {"precision(denominator=returned)": "id_based_context_precision", "recall": "id_based_context_recall"}
NAMES |= {"ap(denominator=hits)": "context_precision"}
RECS, TRUTH = "examples/small/ease.csv", "examples/small/truth.csv"


def test_the_golden_cases(shared: Path, con: duckdb.DuckDBPyConnection) -> None:
    golden = json.loads((shared / "retrieval" / "golden.json").read_text(encoding="utf-8"))["cases"]
    con = con.cursor()
    cases = [case for case in golden if case["id"].startswith("ragas")]
    for case in cases:
        recs, truth = (pa.table(list(zip(*case[one], strict=True)), case[f"{one}_columns"]) for one in ("recs", "truth"))
        name = NAMES[case["metric"]]
        [row] = recsql.evaluate(recs, truth, name, like="ragas").to_pylist()
        assert (row["k"], row["value"]) == (None, pytest.approx(case["expected"], rel=0, abs=1e-12)), case["id"]
        con.execute(recsql.macros(metrics=name, like="ragas", schema="ragas"))
        for role, table in (("recs", recs), ("truth", truth)):
            con.register("given", table)
            con.execute(f"create or replace temporary table {role} as from given")
        query = f"select k, value from ragas.evaluate('recs', 'truth', k := 'all', metrics := '{name}')"
        assert con.sql(query).fetchall() == [(None, pytest.approx(case["expected"], rel=0, abs=1e-12))]
    assert len(cases) == 6


@pytest.mark.parametrize("name", ["faithfulness", "context_recall"])
def test_what_needs_a_language_model_says_so(
    name: str, con: duckdb.DuckDBPyConnection, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whether the call names the library or not."""
    told = f"metric '{name}' of ragas is a judgement that needs a language model, which recsql does not have"
    for like in (None, "ragas"):
        with pytest.raises(recsql.UnknownName) as caught:
            recsql.evaluate(RECS, TRUTH, name, like=like)
        assert str(caught.value) == f"{told}; choose one of precision, recall, ap"
    assert main(["evaluate", RECS, TRUTH, "-m", name, "--like", "ragas"]) == 1
    assert capsys.readouterr().err == f"recsql: {told}; choose one of precision, recall, ap\n"
    with pytest.raises(duckdb.Error, match=told):
        con.execute(f"from recsql.evaluate('{RECS}', '{TRUTH}', metrics := '{name}')").fetchall()
