"""Representative cases for slow runs, on Spark and on DuckDB 1.5; tests/cases/chosen.txt has their names.

Together with the further calls of tests/spark they use every file, macro and SQL function that any case uses, in every dialect,
and raise every error. All cases test what each option does, on DuckDB. To choose again: python -m tests.generate

If it fails, there is a step or option that no test on Spark ever runs.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any
from unittest.mock import patch

import duckdb
import pyarrow as pa
import pytest

import recsql
import recsql.calls.open_call
import recsql.tables.folds
from recsql.base.text import code
from recsql.calls.warnings import COUNTS
from recsql.catalog import catalog
from recsql.engines.duckdb import DuckDB
from recsql.query.templates import dialect, environment, spelt
from recsql.query.ties import without_mean
from recsql.tables.find import Finder
from tests.cases.test_cases import CHOSEN, NAMED, Found, case_of
from tests.spark.test_api import CALLS, PARTS, tables
from tests.spark.test_cases import ON_SPARK, PLAIN
from tests.support import load

FUNCTION = re.compile(r"\b[a-z_0-9]+\(")
NO_ROWS = pa.table(dict.fromkeys(["model", "baseline", "metric", "k", "value", "message", *COUNTS], pa.array([], pa.int64())))
FOLDERS = ("steps", "fast", "statistics", "metrics", "expressions", "checks")
ELSEWHERE = {  # what neither has, and why
    "statistics/users.sql: k": "the cut-off, which at_k has without it",
    "checks/calls.sql: ideal": "macros, whose tables, cut-offs, metrics and numbers are parameters: test_macro_file",
    "checks/calls.sql: cutoff_count": "the same",
    "checks/calls.sql: cutoffs": "the same",
    "checks/recs.sql: fold_column": "the same",
    "checks/slices.sql: clusters_unread": "the same",
    "checks/slices.sql: clusters_unranked": "the same",
    "checks/calls.sql: unrankable": "the same",
    "checks/slices.sql: no_slices": "the same",
    "checks/ids.sql: changed_ids": "the same",
    "checks/ids.sql: long_ids": "the same",
    "checks/calls.sql: metric_names": "the same",
    "checks/calls.sql: missing_columns": "the same",
    "labels/checks.sql: no_start": "the same",
    "checks/calls.sql: numbers": "the same",
    "checks/calls.sql: one_cutoff": "the same",
    "checks/calls.sql: requirements": "the same",
    "checks/calls.sql: whole_list": "the same",
    "expressions/calls.sql: asked_rows": "the same",
    "split/expressions.sql: cuts_of_macro": "the same",
    "steps/input.sql: table_columns": "the same",
    "steps/users.sql: metric_values": "the same",
    "steps/findings.sql: likely_relevance": "the same",
    "checks/catalogue.sql: category_lists": "the same",
    "split/checks.sql: part_column": "the same",
    "split/checks.sql: two_dates": "the same",
    "split/checks.sql: text_times": "refused texts: test_split",
    "expressions/ids.sql: ids_that_differ": "findings about what ran before, or the types of ids: test_findings",
    "expressions/ids.sql: float_ids_of_tables": "the same",
    "expressions/ids.sql: types_that_differ": "the same",
    "steps/findings.sql: given_refusal": "the same",
    "checks/recs.sql: tied_copies": "refused ties: test_ties",
    "steps/input.sql: given_lists (fast)": "recs as a LIST a row, DuckDB's alone: test_listed",
    "steps/problems.sql: unproven_recs (fast)": "the same",
    "steps/text.sql: rows_at_k": "more than five cut-offs: test_spans_oracle",
    "statistics/text.sql: rows_in_force": "the same",
    "statistics/text.sql: text_found": "the same",
    "statistics/text.sql: text_read": "the same",
    "statistics/text.sql: useful": "the same",
    "steps/truth.sql: ideals": "always in its fast form: test_fast, and tests/spark/test_cases.py",
    "steps/hits.sql: reached": "the same",
    "steps/text.sql: covers": "the same",
    "steps/means.sql: means": "the same",
    "steps/flips.sql: units": "flips of signs: test_every_way_to_find_p_of_flips in tests/spark/test_api.py",
    "steps/flips.sql: flipped": "the same",
    "steps/flips.sql: drawn_signs": "the same",
    "expressions/distributions.sql: reaches": "the same",
    "checks/truth.sql: unread_grades": "a relevance by another name is refused: test_warnings",
    "expressions/recs.sql: scores_are_grades": "the same",
    "dialects/duckdb.sql: items_of": "the same",
    "dialects/spark.sql: items_of": "the same",
    "dialects/duckdb.sql: turned": "the same",
    "dialects/spark.sql: turned": "the same",
    "dialects/duckdb.sql: place_in": "the same",
    "dialects/spark.sql: place_in": "the same",
    "dialects/duckdb.sql: places_of": "the same",
    "dialects/spark.sql: places_of": "the same",
    "dialects/spark.sql: likeness": "the name nearest to one, which is another expression there",
    "dialects/duckdb.sql: likeness": "the same",
    "dialects/spark.sql: parquet": "files: test_inputs reads them",
    "dialects/duckdb.sql: parquet": "the same",
    "dialects/duckdb.sql: nested_score": "mappings of users to items: test_shapes",
    "dialects/duckdb.sql: found_in": "the same",
    "dialects/spark.sql: found_in": "the same",
    "dialects/duckdb.sql: id_in": "the same",
    "dialects/spark.sql: id_in": "the same",
    "dialects/duckdb.sql: entry": "the same",
    "dialects/spark.sql: entry": "the same",
    "dialects/duckdb.sql: entries_of": "the same",
    "dialects/spark.sql: entries_of": "the same",
    "dialects/duckdb.sql: scored": "the same",
    "dialects/spark.sql: scored": "the same",
    "dialects/duckdb.sql: users_in": "the same",
    "dialects/spark.sql: users_in": "the same",
    "dialects/spark.sql: nested_score": "the same",
    "dialects/duckdb.sql: nested_relevance": "the same",
    "dialects/spark.sql: nested_relevance": "the same",
    "dialects/duckdb.sql: nested_models": "the same",
    "dialects/spark.sql: nested_models": "the same",
    "dialects/duckdb.sql: entries": "the same",
    "dialects/spark.sql: entries": "the same",
    "dialects/duckdb.sql: object": "the same",
    "dialects/spark.sql: object": "the same",
    "dialects/duckdb.sql: csv": "text files, which DuckDB reads alone: test_text_files",
    "dialects/spark.sql: csv": "the same",
    "dialects/duckdb.sql: json": "the same",
    "dialects/spark.sql: json": "the same",
    "dialects/duckdb.sql: struct": "the same",
    "dialects/spark.sql: struct": "the same",
    "dialects/duckdb.sql: with_ids": "the same",
    "dialects/spark.sql: with_ids": "the same",
    "dialects/duckdb.sql: id_of": "the same",
    "dialects/spark.sql: id_of": "the same",
    "dialects/duckdb.sql: is_whole": "the same",
    "dialects/duckdb.sql: wide_json": "the same",
    "dialects/duckdb.sql: read_as": "the same",
    "dialects/spark.sql: is_whole": "the same",
    "dialects/spark.sql: wide_json": "the same",
    "dialects/spark.sql: read_as": "the same",
    "dialects/duckdb.sql: files": "the same",
    "dialects/spark.sql: files": "the same",
    "dialects/duckdb.sql: united": "the same",
    "dialects/spark.sql: united": "the same",
    "labels/checks.sql: all_open": "labels: test_truth_labels, and tests/spark/test_labels.py",
    "labels/checks.sql: event_types": "the same",
    "labels/checks.sql: events": "the same",
    "labels/checks.sql: impressions": "the same",
    "labels/checks.sql: no_events": "the same",
    "labels/checks.sql: no_impressions": "the same",
    "labels/checks.sql: no_log_rows": "the same",
    "labels/checks.sql: organic_surfaces": "the same",
    "labels/checks.sql: request_items": "the same",
    "labels/checks.sql: request_owners": "the same",
    "labels/checks.sql: shown_ranks": "the same",
    "labels/checks.sql: shown_twice": "the same",
    "labels/checks.sql: surfaces": "the same",
    "labels/expressions.sql: duration": "the same",
    "labels/expressions.sql: end_of_events": "the same",
    "labels/expressions.sql: gain_of_event": "the same",
    "labels/expressions.sql: has_label": "the same",
    "labels/expressions.sql: label_key": "the same",
    "labels/expressions.sql: latest_of_event": "the same",
    "labels/steps.sql: attributed": "the same",
    "labels/steps.sql: credited": "the same",
    "labels/steps.sql: examined_to": "the same",
    "labels/steps.sql: first_shown": "the same",
    "labels/steps.sql: labelled": "the same",
    "labels/steps.sql: outcomes": "the same",
    "labels/steps.sql: requests": "the same",
    "labels/steps.sql: shown": "the same",
    "labels/steps.sql: touched": "the same",
    "labels/steps.sql: given_events": "the same",
    "labels/steps.sql: given_impressions": "the same",
    "labels/checks.sql: curve_organic": "the same",
    "labels/checks.sql: curve_ranks": "the same",
    "labels/checks.sql: no_eta": "the same",
    "labels/checks.sql: propensity_of_last": "the same",
    "labels/steps.sql: click_rates": "the same",
    "labels/steps.sql: corrected": "the same",
    "labels/steps.sql: expected": "the same",
    "labels/steps.sql: given_curve": "the same",
    "dialects/duckdb.sql: beside": "the same",
    "dialects/spark.sql: beside": "the same",
    "dialects/duckdb.sql: first_after": "the same",
    "dialects/spark.sql: first_after": "the same",
    "dialects/duckdb.sql: last_before": "the same",
    "dialects/spark.sql: last_before": "the same",
    "dialects/duckdb.sql: time": "the same",
    "dialects/spark.sql: time": "the same",
    "dialects/duckdb.sql: utc": "the same",
    "dialects/spark.sql: utc": "the same",
    "split/checks.sql: no_protocol": "splits: test_splits, on DuckDB",
    "split/checks.sql: cut_or_fraction": "the same",
    "split/checks.sql: no_folds": "the same",
    "split/checks.sql: no_window": "the same",
    "split/checks.sql: tied_parts": "the same",
    "split/checks.sql: row_order": "the same",
    "split/checks.sql: unread_order": "the same",
    "split/checks.sql: unread_seed": "the same",
    "checks/calls.sql: of_scores": "fusion by scores: test_idle_options",
    "overlap/checks.sql: copies_in_overlap": "refused options of overlap: test_overlap, on DuckDB",
    "overlap/checks.sql: no_k_of_overlap": "the same",
    "overlap/steps.sql: common_items (fast)": "lists of two named models: test_overlap",
    "baselines/checks.sql: fused_names": "refused weights and orders of fuse: test_fusion, on DuckDB",
    "baselines/checks.sql: no_weights": "the same",
    "checks/calls.sql: no_truth_to_share": "item_metrics with users=intersection: test_lists_in_the_mean, on DuckDB",
    "steps/pairs.sql: common_values": "ranks over users with a value of every model: test_rank",
    "steps/ranks.sql: model_spreads": "ranks of a sample of data sets: test_rank, on DuckDB",
    "steps/ranks.sql: score_rows": "ranks of scores: test_rank, on DuckDB",
    "steps/ranks.sql: score_contrasts": "the same",
    "steps/users.sql: missed": "hits with missed=True: test_names, on DuckDB",
    "split/steps.sql: validated": "the same",
    "split/steps.sql: validation_cuts": "the same",
    "dialects/duckdb.sql: in_utc": "the same",
    "dialects/spark.sql: in_utc": "the same",
    "checks/catalogue.sql: seen_items": "items that users have: test_seen",
    "dialects/duckdb.sql: place_of_bit": "part of has_bit and bit, which don't ask the engine for it",
    "dialects/duckdb.sql: units": "part of exact_sum, which doesn't ask the engine for it",
}


def rendered(call: Callable[[], object]) -> set[str]:
    """What a call over DuckDB renders in all dialects: files by their paths, dialects/ENGINE.sql: MACRO, ENGINE: FUNCTION(."""
    recsql.metrics()  # the first call renders each metric under all options
    found: set[str] = set()
    for name in catalog().dialects:
        with (
            patch.object(recsql.calls.open_call, "DuckDB", writer(name, found)),
            patch.object(Finder, "is_unseen", return_value=False),  # the writer has the tables
            noting(name, found),
            patch.object(recsql.tables.folds, "find_folds", return_value=["a", "b"]),
            suppress(ValueError, KeyError),
        ):  # for bad input, and for missing rows and columns
            call()
    return found


def writer(name: str, found: set[str]) -> type[DuckDB]:
    """A DuckDB with its tables that gets queries in a dialect, and runs none of them."""

    class Writer(DuckDB):
        dialect = name

        def query(self, text: str) -> pa.Table:
            found.update(f"{name}: {function}" for function in FUNCTION.findall(code(spelt(text, name))))
            return NO_ROWS

        def write(self, text: str, path: str, metadata: Mapping[str, str]) -> None:
            self.query(text)

    return Writer


@contextmanager
def noting(name: str, found: set[str]) -> Iterator[None]:
    """Records the rendered files and macros of a dialect in `found`; not those of a look at ties, which runs no query."""
    aside: list[str] = []

    def noted(function: Callable[..., Any], macro: str = "") -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            found.update([] if aside else [macro or given[0]])
            return function(*given, **named)

        return call

    def looked(*given: Any) -> str:
        aside.append("")
        try:
            return without_mean(*given)
        finally:
            aside.pop()

    dialects = (dialect(name), dialect(name, plain=False))  # two objects, as their caller says more or less; rendered once
    with ExitStack() as patches:
        patches.enter_context(patch("recsql.query.plan.without_mean", looked))
        patches.enter_context(patch.object(environment(), "get_template", noted(environment().get_template)))
        for sql in dialects:
            for macro, function in list(vars(sql).items()):
                patches.enter_context(patch.object(sql, macro, noted(function, f"dialects/{name}.sql: {macro}")))
        yield


def chosen(found: Mapping[str, set[str]]) -> list[str]:
    """A few names that together cover everything found: time and again the one that adds most, then without those not needed."""
    left, picked = set[str]().union(*found.values()), list[str]()
    while left:
        picked.append(max(found, key=lambda name: len(found[name] & left)))
        left -= found[picked[-1]]
    while spare := superfluous({name: found[name] for name in picked}):
        picked.remove(spare[0])
    return [name for name in found if name in picked]


def superfluous(found: Mapping[str, set[str]]) -> list[str]:
    """The names of which the others have everything."""
    counts = Counter(one for things in found.values() for one in things)
    return [name for name, things in found.items() if all(counts[one] > 1 for one in things)]


def of_case(con: duckdb.DuckDBPyConnection, found: Found) -> set[str]:
    """What a case renders. A refused case computes nothing, but runs its checks and gives the error."""
    text = rendered(call_of(con, found))
    if "error" in found:
        return {found["error"]} | {name for name in text if "checks/" in name}
    return text


def choice() -> str:
    """The text of chosen.txt."""
    with duckdb.connect() as con:
        return "".join(f"{name}\n" for name in chosen({name: of_case(con, case) for name, case in NAMED.items()}))


def call_of(con: duckdb.DuckDBPyConnection, found: Found) -> Callable[[], object]:
    """The call of a case, with its tables in DuckDB: of users' values if it states them."""
    case = case_of(con, found)
    load(con, case)
    given = {"metrics": case.metric, "connection": con, **case.cutoff, **case.options}
    if "per_user" in case.results:
        return lambda: recsql.per_user(*case.evaluated, **given, into="no.parquet")
    measure, _ = case.measured
    return lambda: measure(*case.evaluated, **given)


@pytest.fixture(scope="module")
def by_case() -> dict[str, set[str]]:
    """What each chosen case has."""
    with duckdb.connect() as con:
        return {name: of_case(con, case) for name, case in CHOSEN.items()}


@pytest.fixture(scope="module")
def by_cases(by_case: dict[str, set[str]]) -> set[str]:
    """What the chosen cases have."""
    return set().union(*by_case.values())


@pytest.fixture(scope="module")
def by_calls(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What the calls of tests/spark/test_api.py have."""
    part, other, clustered = (str(tmp_path_factory.mktemp("parts") / "part.parquet") for _ in range(3))
    with duckdb.connect() as con:
        for name, rows in tables().items():
            con.register(name, rows)
        given = {**PARTS, "connection": con}
        recsql.partial("recs", "truth", part, **given)
        recsql.partial("recs", "truth", clustered, "ndcg", 5, cluster="user_id", connection=con)
        calls = [partial(call, con) for call in CALLS.values()]
        calls += [partial(recsql.partial, "recs", "truth", other, **given), partial(recsql.merge, part, connection=con)]
        calls += [partial(recsql.merge, clustered, interval=0.9, connection=con)]
        return set().union(*map(rendered, calls))


def everything() -> set[str]:
    """The files that a query is made of, checks without a query left out, and the macros of the dialects."""
    findings = {one.path for name, one in catalog().findings.items() if name not in catalog().checks}
    files = {path for path, source in catalog().sources.items() if source.folder in FOLDERS} - findings
    sentences = {check.path for check in catalog().checks.values() if "place" not in check.header}
    macros = {f"dialects/{engine}.sql: {macro}" for engine in catalog().dialects for macro in vars(dialect(engine))}
    return files - sentences | macros


def test_together_they_have_all_that_there_is(by_cases: set[str], by_calls: set[str]) -> None:
    """To cover a new step or macro: choose again, or add a call in tests/spark/test_api.py."""
    assert everything() - by_cases - by_calls == ELSEWHERE.keys()


def test_spark_leaves_out_no_case_that_has_more_than_its_calls(by_case: dict[str, set[str]], by_calls: set[str]) -> None:
    on_spark = by_calls.union(*(by_case[name] for name in ON_SPARK))
    missing = set().union(*(by_case[name] for name in by_case.keys() - set(ON_SPARK))) - on_spark
    assert everything() & missing | {name for name in missing if name.startswith("spark: ")} == set()


def test_spark_has_all_plain_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECSQL_FAST", "off")
    with duckdb.connect() as con:
        found = set().union(*(of_case(con, CHOSEN[name]) for name in ON_SPARK if name.startswith(PLAIN)))
    assert {catalog().steps[name].path for name in ("lists", "ideals", "relevant", "users")} <= found


@pytest.mark.parametrize("folder", ["metrics", "statistics"])
def test_the_cases_have_all_that_is_measured(by_cases: set[str], folder: str) -> None:
    assert {path for path in catalog().sources if path.startswith(folder)} - ELSEWHERE.keys() <= by_cases


def test_none_is_superfluous(by_case: dict[str, set[str]]) -> None:
    assert superfluous(by_case) == [], "choose again: python -m tests.generate tests/cases/chosen.txt"


def test_every_error_is_among_them() -> None:
    assert {case.get("error") for case in CHOSEN.values()} == {case.get("error") for case in NAMED.values()}


def test_they_are_few() -> None:
    assert len(CHOSEN) < 0.26 * len(NAMED)
