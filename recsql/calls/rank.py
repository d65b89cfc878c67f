"""Ranks models, with an interval of each rank, from all pairs of them."""

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from os import PathLike, fspath

import pyarrow as pa

from recsql.base.errors import BadInput, RecsqlError
from recsql.base.paths import refuse_to_replace
from recsql.base.text import plain
from recsql.calls.call import Metrics, Table, measure
from recsql.calls.compare import options_of_tests, refuse_one_model, refuse_tests, sums_of, with_dataset, with_groups
from recsql.calls.open_call import open_engine, opened, parse_settings
from recsql.calls.warnings import add_models, count_pairs, find_differing_lists, find_warnings
from recsql.catalog import catalog
from recsql.catalog.grammar import WHOLE, Cutoffs
from recsql.catalog.headers import Given, Value
from recsql.catalog.roles import Role
from recsql.display.output import writer
from recsql.engines.duckdb import DuckDB
from recsql.query.binding import Inputs, Relation
from recsql.query.over_result import over_result
from recsql.query.plan import RANKS, options_in, usual
from recsql.query.render import Query
from recsql.query.results import of_words
from recsql.query.templates import dialect
from recsql.tables.find import Finder

SCORES = ("model", "dataset", "user_id", "metric", "k", "value", "std_error", "users")  # the columns of scores
OF_SCORES = ("interval", "vary", "rank__missing", "rank__correlation")  # the options that can matter for them


def rank(
    recs: Table,
    truth: Table = None,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    pairs_out: str | None = None,
    **settings: Given,
) -> pa.Table:
    """Ranks models by their means, with intervals of the ranks that hold for all models at once.

    Args:
        recs, truth, metrics, k: As in `compare`. Without truth, recs has values per user (model, user_id, value, and perhaps
            dataset, metric and k) or scores (the same without user_id, and perhaps std_error and users).
        pairs_out: A file for the pairs of models that the ranks are from: Parquet, CSV or JSON, by its ending.
        settings: The settings of `evaluate`, and vary, missing and correlation.

    Returns:
        One row per metric, cut-off and model, in the order of rank. docs/ranks.md explains its columns.

    >>> scores = [{"model": "a", "value": 0.5, "users": 99}, {"model": "b", "value": 0.2, "users": 99}]
    >>> recsql.rank(scores)["rank_high"].to_pylist()
    [1, 2]
    """
    given = {**settings, "interval": settings.get("interval") or True}
    for name in ("baseline", *options_of_tests()):
        if settings.get(name) is not None and name not in ("interval", "vary"):
            raise RecsqlError(f"rank: {name} is for single differences, and ranks are from all pairs of models; use compare")
    if pairs_out is not None:
        writer(pairs_out)  # refuses other endings first
        refuse_to_replace([fspath(one) for one in (recs, truth) if isinstance(one, str | PathLike)], pairs_out)
    if truth is None:
        return rank_scores(recs, given, {"metrics": metrics, "k": k}, pairs_out)
    with opened({"recs": recs, "truth": truth}, RANKS, given, metrics, k, apart=["dataset"]) as call:
        refuse_one_model(call)
        refuse_tests(call)
        known = call.pipelines[0].options
        for name in (name for name in ("by", "rank__correlation") if known[name]):
            raise RecsqlError(f"{catalog().options[name].called}: lists are ranked for all users, pair by pair; leave it out")
        parts = call.folds or {"": call}
        each = {one: with_groups(replace(part, inputs=replace(part.inputs, ranked=True))) for one, part in parts.items()}
        shown = sorted((one for each in call.pipelines for one in each.columns if one.shown), key=lambda one: one.order)
        sums = {one: sums_of(part) for one, part in each.items()}
        tables = {"paired": with_dataset(sums)}
        inputs = next(iter(each.values())).inputs
        if inputs.clustered or inputs.jackknifed:  # the intervals of values need more than sums of pairs
            means = {one: replace(part, inputs=replace(part.inputs, combined=True)) for one, part in parts.items()}
            tables["means"] = with_dataset({one: measure(part)[0] for one, part in means.items()})
        lower = lower_of({one.heading: one.metric for one in shown})
        inputs = replace(inputs, columns=shown, lower=lower, uncut=any(WHOLE in one.ks for one in shown))
        rows, told = ranked(tables, inputs, known, pairs_out)
        of_input = chain(*(find_warnings(one.engine, one.bindings(), recs=call.recs) for one in each.values()))
        found = dict.fromkeys(chain(find_differing_lists(rows), of_input))
        models = add_models(map(count_pairs, sums.values()))
        return call.described(drop_unsaid(rows), found, datasets=[*call.folds], told=told, **models)


def rank_scores(data: Table, given: Mapping[str, Given], asked: Mapping[str, Given], pairs_out: str | None) -> pa.Table:
    """The ranks from a table of values per user or of scores."""
    faults: list[RecsqlError] = []
    names, further = parse_settings(given)
    options = options_in(further, RANKS, faults)
    idle = [*(name for name, one in asked.items() if one is not None), *(one for one in options if one not in OF_SCORES)]
    for fault in (*faults, *(RecsqlError(f"{name}: scores are ranked as they are; leave it out") for name in idle)):
        raise fault
    with open_engine(given) as engine:
        found = Finder(engine, names, given.get("input")).find(Role("scores", "s", ()), data)
        called = {**{one: one for one in SCORES}, "model": names.model, "dataset": names.dataset, "user_id": names.user}
        theirs = {ours: plain(one) for ours, one in called.items() if one in found.types}
        for lacking in (one for one in ("model", "value") if one not in theirs):
            raise BadInput(f"{found.name}: there is no column {called[lacking]}; it has {', '.join(found.types)}")
        columns = ", ".join(f"{theirs.get(ours, 'null')} as {ours}" for ours in SCORES)
        rows = engine.query(f"select {columns} from {found.rows(dialect(engine.reads))}")
    known, of_users = {**usual(None, grains=RANKS), **options}, "user_id" in theirs
    of_lists = catalog().metrics_of("item")  # which are no means over users
    rows = over_result("scores", rows, whole=WHOLE, datasets="dataset" in theirs)
    for row in over_result("unfit_scores", rows, of_users=of_users, of_lists=of_lists, given=options, **known).to_pylist():
        raise BadInput(f"{found.name}: {row['problem']}")
    inputs = Inputs(
        {}, ranked=True, lower=lower_of({one: one.partition("@")[0] for one in rows["metric"].to_pylist()}), uncut=True
    )
    if of_users:
        tables = {"paired": queried("value_sums", {"scores": rows}, inputs, known)}
    else:
        tables = {"scores": rows}
        known["vary"] = "users" if rows["users"].null_count + rows["given_error"].null_count < 2 * len(rows) else "datasets"
    result, told = ranked(tables, inputs, known | options, pairs_out)
    return drop_unsaid(result).replace_schema_metadata({"recsql": json.dumps({**of_words(), "told": told})})


def ranked(
    tables: Mapping[str, pa.Table], inputs: Inputs, known: Mapping[str, Value], pairs_out: str | None
) -> tuple[pa.Table, list[str]]:
    """The ranks from sums of pairs of models or from scores, and the sentences on them; writes the pairs to their file."""
    rows = queried("rank", tables, inputs, known)
    if pairs_out is not None:
        writer(pairs_out)(queried("rank_pairs", tables, inputs, known))
    told = over_result("ranked", rows, scored="scores" in tables, **known)["line"].to_pylist()
    return rows, told


def drop_unsaid(rows: pa.Table) -> pa.Table:
    """The rows without what follows the definition, which is for sentences."""
    return rows.select(rows.column_names[: rows.column_names.index("definition") + 1])


def queried(target: str, tables: Mapping[str, pa.Table], inputs: Inputs, known: Mapping[str, Value]) -> pa.Table:
    """The rows of a target over tables that the call has computed."""
    with open_engine({}) as local:
        found = {role: Relation(f"select * from {local.register(role, rows)}", "") for role, rows in tables.items()}
        datasets = len(next(iter(tables.values()))["dataset"].unique())
        return local.query(
            Query(replace(inputs, tables=found, known=known, datasets=datasets, dialect=DuckDB.dialect), target).statement()
        )


def lower_of(metrics: Mapping[str, str]) -> list[str]:
    """The headings of the metrics whose low values are the better ones; of metrics that recsql lacks, high ones are."""
    better = {one: catalog().metrics[name].header.get("better") for one, name in metrics.items() if name in catalog().metrics}
    for one in (one for one, which in better.items() if which == "neither"):
        raise RecsqlError(catalog().message("unrankable").format(metric=one))
    return [one for one, which in better.items() if which == "lower"]
