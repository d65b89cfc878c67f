"""The reference program of the field, on its own test data: what trec_eval 10.0 prints, to the printed digits.

If it fails, values under like='trec_eval' are not those of trec_eval.

data/trec_eval has its test collections, runs and outputs as Parquet files, and the notice they come with.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

import recsql
from recsql.base.text import quoted

DATA = Path(__file__).parents[1] / "data" / "trec_eval"
PRINTED = 0.00005
DEEPEST = 1000  # beyond the longest list

CUT = {
    "P": "precision",
    "recall": "recall",
    "relative_P": "precision(denominator=achievable)",
    "map_cut": "ap(denominator=relevant)",
    "ndcg_cut": "ndcg",
    "success": "hit",
}
MAPPED = "ndcg_1=3,2=9,4=4.5"
UNCUT = {
    "map": ["ap(denominator=relevant)"],
    "recip_rank": ["rr(cutoff=none)"],
    "ndcg": ["ndcg"],
    MAPPED: ["ndcg(gain=map)"],
    "set_P": ["precision"],
    "set_recall": ["recall"],
    "set_F": ["f1"],
    "Rprec": ["r_precision"],
    "bpref": ["bpref"],
    "num_rel_ret": ["hits"],
    "num_ret": ["tp", "fp"],
    "num_rel": ["tp", "fn"],
}
SUMMED = {"num_rel_ret", "num_ret", "num_rel"}  # over queries, where the others are averaged
NOT_OURS = re.compile(
    r"num_q|num_nonrel_judged_ret|gm_.*|Rprec_.*|infAP|iprec_at_recall_.*|11pt_avg.*|utility.*|(bin)?G|ndcg_rel|Rndcg|rbp.*"
    r"|set_map|set_relative_P|unj_.*|relstring.*"
)
GAIN_MAP = {1: 3, 2: 9, 4: 4.5}


@dataclass(frozen=True)
class Output:
    """One output file: what was run, and the values by query (or `all`) and measure."""

    name: str
    qrels: str
    run: str
    options: str
    values: dict[tuple[str, str], float]

    @property
    def ours(self) -> list[str]:
        """The measures that we have."""
        return sorted({measure for _, measure in self.values if named_here(measure)})

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "user": "query_id",
            "item": "doc_id",
            "relevance": "rel",
            "rank_by": "score",
            "ties": "item_desc",
            "no_recs": "zero" if "-c" in self.options.split() else "skip",
            "no_truth": "zero_below_threshold",
        }


def named_here(measure: str) -> list[str]:
    """Our metrics whose sum a measure of trec_eval is, with their cut-off; none for a measure that isn't here."""
    if measure in UNCUT:
        return [f"{metric}@all" for metric in UNCUT[measure]]
    name, _, k = measure.rpartition("_")
    return [f"{CUT[name]}@{k}"] if name in CUT else []


def outputs() -> list[Output]:
    found: dict[str, Output] = {}
    with duckdb.connect() as con:
        columns = "file, qrels_file, run_file, options, query_id, metric, value"
        rows = con.execute(f"select {columns} from {quoted(f'{DATA}/expected.parquet')} order by file").fetchall()
    for name, qrels, run, options, query, measure, value in rows:
        found.setdefault(name, Output(name, qrels, run, options, {})).values[query, measure] = value
    return list(found.values())


OUTPUTS = outputs()


@pytest.mark.parametrize("output", OUTPUTS, ids=[output.name for output in OUTPUTS])
def test_output(output: Output) -> None:
    wanted = {key: value for key, value in output.values.items() if key[1] in output.ours}
    found = {key: value for key, value in values(output).items() if key in wanted}
    assert found == {key: pytest.approx(value, rel=0, abs=PRINTED) for key, value in wanted.items()}


def values(output: Output) -> dict[tuple[str, str], float]:
    """Our values, by query (or `all`) and measure."""
    found: dict[tuple[str, str], float] = {}
    with duckdb.connect() as con:
        load(con, output)
        for measures, options in groups(output):
            for query, computed in by_query(con, measures, output.settings | options).items():
                found |= {(query, measure): sum(computed[metric] for metric in named_here(measure)) for measure in measures}
    return found


def load(con: duckdb.DuckDBPyConnection, output: Output) -> None:
    deepest = 100 if "-M100" in output.options else DEEPEST
    con.execute(f"create table truth as from {quoted(f'{DATA}/qrels.parquet')} where file = '{output.qrels}'")
    con.execute(
        f"""
        create table recs as
        from {quoted(f"{DATA}/run.parquet")}
        where file = '{output.run}'
        qualify row_number() over (partition by query_id order by score desc, doc_id desc) <= {deepest}
        """
    )


def by_query(con: duckdb.DuckDBPyConnection, measures: list[str], settings: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Our metrics of each query, and under `all` over the queries: the sum for a metric of SUMMED, else the mean."""
    metrics = sorted({metric for measure in measures for metric in named_here(measure)})
    totals = {metric for measure in SUMMED for metric in named_here(measure)}
    found: dict[str, dict[str, float]] = {"all": {}}
    for row in recsql.per_user("recs", "truth", metrics, connection=con, **settings).to_pylist():
        found.setdefault(row[settings["user"]], {}).update({f"{name}@{row['k'] or 'all'}": value for name, value in row.items()})
    for row in recsql.evaluate("recs", "truth", metrics, connection=con, **settings).to_pylist():
        metric = f"{row['metric']}@{row['k'] or 'all'}"
        found["all"][metric] = row["value"] * (row["users"] if metric in totals else 1)
    return found


def groups(output: Output) -> list[tuple[list[str], dict[str, Any]]]:
    """The measures with the options of their own.

    The level of -l makes a document relevant, but nDCG gains from every level; what measures a set divides by what was retrieved.
    """
    level = {"relevance_threshold": 2} if "-l2" in output.options else {}
    kinds: dict[str, list[str]] = {"ndcg": [], "set": [], "other": []}
    for measure in output.ours:
        prefix = measure.partition("_")[0]
        kinds[prefix if prefix in kinds else "other"].append(measure)
    gains = {"gain_map": GAIN_MAP} if MAPPED in output.ours else {}
    options: dict[str, dict[str, Any]] = {"ndcg": gains, "set": level | {"precision_denominator": "returned"}, "other": level}
    return [(measures, options[kind]) for kind, measures in kinds.items() if measures]


def test_every_measure_is_used_or_is_not_ours() -> None:
    measures = {measure for output in OUTPUTS for _, measure in output.values}
    used = {measure for measure in measures if named_here(measure)}
    assert {measure for measure in measures if NOT_OURS.fullmatch(measure)} == measures - used
    assert (len(used), len(measures)) == (66, 111)
    assert sum(bool(named_here(measure)) for output in OUTPUTS for _, measure in output.values) == 1067


@pytest.mark.parametrize("output", [one for one in OUTPUTS if one.options == "-m all_trec"], ids=lambda one: one.name)
def test_its_own_names_are_its_measures(output: Output) -> None:
    """Those without a cut-off are of the whole list."""
    names = [
        name
        for name in ("map", "ndcg", "recip_rank", "set_P", "set_recall", "P_10", "map_cut_10")
        if ("all", name) in output.values
    ]
    assert len(names) > 4
    with duckdb.connect() as con:
        load(con, output)
        columns = {name: value for name, value in output.settings.items() if name in ("user", "item", "relevance")}
        asked = {name: recsql.evaluate("recs", "truth", name, like="trec_eval", connection=con, **columns) for name in names}
    rows = {name: result.to_pylist()[0] for name, result in asked.items()}
    assert {name: row["k"] for name, row in rows.items()} == {name: 10 if name.endswith("_10") else None for name in names}
    assert {name: row["value"] for name, row in rows.items()} == {
        name: pytest.approx(output.values["all", name], abs=PRINTED) for name in names
    }
