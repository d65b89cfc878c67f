"""The functions for Python: check what was asked, render, run, give Arrow back."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from importlib.metadata import version
from typing import Any

import duckdb
import pyarrow as pa

from recsql.catalog import Value, catalog
from recsql.engines.duckdb import DuckDB
from recsql.errors import BadInput
from recsql.inputs import Given, check_types, find, mapped, relation_of_recs, relation_of_truth, relation_of_users
from recsql.macro_file import options_of
from recsql.plan import Pipeline, plan
from recsql.render import Inputs, Relation, Rendering

Table = Any  # a path, a glob, a list of paths, a table's name, a DuckDB relation, Arrow data, a data frame
Metrics = str | Iterable[str] | None
Cutoffs = int | Sequence[int]
NOTHING = Relation("", "''")
COUNTS = ("users_with_truth", "lists", "lists_without_truth")


@dataclass(frozen=True)
class Names:
    """What the columns are called in the user's tables."""

    user: str = "user_id"
    item: str = "item_id"
    rank: str = "rank"
    score: str | None = None
    model: str = "model"
    relevance: str = "relevance"
    truth_rank: str = "rank"


def evaluate(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = (5, 10, 20),
    *,
    user: str = "user_id",
    item: str = "item_id",
    rank: str = "rank",
    score: str | None = None,
    model: str = "model",
    relevance: str = "relevance",
    truth_rank: str = "rank",
    connection: duckdb.DuckDBPyConnection | None = None,
    **options: Value,
) -> pa.Table:
    """The metrics averaged over users.

    Args:
        recs: what was recommended: a path, glob or list of paths of Parquet files, the name of a table in `connection`, a DuckDB
            relation, an Arrow table, reader or dataset, a data frame. Columns user_id, item_id, rank (from 1) or score, and
            optionally model; or a LIST column `items` a user, in order.
        truth: what turned out to be relevant, likewise: user_id, item_id and optionally relevance.
        metrics: names such as "ndcg@10", "ap(denominator=relevant)@100" or "ndcg" (at every k); all of them by default.
        k: the cut-offs of the metrics named without one.
        user, item, rank, score, model, relevance: the columns' names in both tables; `score` ranks by that column.
        truth_rank: the column of truth that has the place of an item in an ordered truth.
        connection: a DuckDB connection to run in; by default one of its own.
        options: any option that `recsql.metrics()` lists, such as gain="exp2" or no_recs="skip".

    Returns:
        One row per model, metric and cut-off: model, metric, k, value, and users: over how many the mean is. The schema's
        metadata has under "recsql" a JSON object: options, versions, and for each model how many users have truth, how many
        of these have no list, and how many lists have no truth.

    Raises:
        RecsqlError: for input that can't be measured and for names that don't exist, in one sentence.
    """
    names = {
        "user": user,
        "item": item,
        "rank": rank,
        "score": score,
        "model": model,
        "relevance": relevance,
        "truth_rank": truth_rank,
    }
    with calling(recs, truth, metrics, k, names | {"connection": connection} | options) as call:
        tables = [
            call.engine.query(rendering.query("targets/evaluate.sql"))
            for rendering in call.renderings(averaged=True, counted=True)
        ]
        return described(tables, call)


def per_user(recs: Table, truth: Table, metrics: Metrics = None, k: Cutoffs = (5, 10, 20), **settings: Value) -> pa.Table:
    """The metrics of each user: model, user_id, k, then a column per metric (ndcg, ap(denominator=relevant)).

    Takes what `evaluate` takes and raises what it raises. The order of the rows is not fixed.
    """
    with calling(recs, truth, metrics, k, settings) as call:
        return call.engine.query(call.text("per_user"))


def hits(recs: Table, truth: Table, k: int = 10, **settings: Value) -> pa.Table:
    """Every recommended row down to rank k, with what its list has come to so far.

    Takes the columns' names, connection and options of `evaluate`. Returns model, user_id, item_id, rank, relevance (NULL where
    the truth lacks the item), gain, hit, the hits and the precision so far, the rank's discount and the dcg so far.
    """
    with calling(recs, truth, "hits", k, settings) as call:
        return call.engine.query(call.text("hits"))


def ideal(truth: Table, k: int = 10, **settings: Value) -> pa.Table:
    """The best list there could be for each user, down to rank k.

    Takes the columns' names, connection and options of `evaluate`. Returns user_id, item_id, rank, relevance, gain, the rank's
    discount and the idcg so far.
    """
    with calling(None, truth, "idcg", k, settings) as call:
        return call.engine.query(call.text("ideal"))


def sql(recs: Table, truth: Table, metrics: Metrics = None, k: Cutoffs = (5, 10, 20), **settings: Value) -> str:
    """The query that `evaluate` would run: one statement that gives its table. Takes what `evaluate` takes.

    `evaluate` reads the counts of its metadata in the same run, as three further columns; they are left out here.
    """
    with calling(recs, truth, metrics, k, settings) as call:
        return call.text("evaluate", averaged=True)


def save_per_user(
    path: str, recs: Table, truth: Table, metrics: Metrics = None, k: Cutoffs = (5, 10, 20), **settings: Value
) -> None:
    """Writes what `per_user` gives into a Parquet file, without holding it in memory."""
    with calling(recs, truth, metrics, k, settings) as call:
        call.engine.write(call.text("per_user"), path)


def metrics() -> pa.Table:
    """The catalogue: metric, aliases, title, formula, reference, and the options that change its value."""
    shown = ("aliases", "title", "formula", "reference")
    return pa.Table.from_pylist(
        [
            {"metric": name, **{key: source.header[key] for key in shown}, "options": options_of(name)}
            for name, source in catalog().metrics.items()
        ]
    )


# -- one call, from what was asked to what is run


@dataclass(frozen=True)
class Call:
    """One call, its inputs found and its options checked."""

    engine: DuckDB
    inputs: Inputs
    pipelines: Sequence[Pipeline]

    def renderings(self, *, averaged: bool = False, counted: bool = False) -> Iterator[Rendering]:
        """One rendering a pipeline over the call's inputs."""
        for pipeline in self.pipelines:
            yield Rendering(
                replace(
                    self.inputs,
                    cutoffs="\nunion all\n".join(f"select {k} as k" for k in pipeline.ks),
                    depth=str(max(pipeline.ks)),
                    columns=pipeline.columns,
                    known=dict(pipeline.options) | dict(self.inputs.known),
                    averaged=averaged,
                    counted=counted,
                )
            )

    def text(self, target: str, *, averaged: bool = False) -> str:
        """The statement of a target; of several pipelines, joined."""
        renderings = list(self.renderings(averaged=averaged))
        queries = [rendering.query(f"targets/{target}.sql") for rendering in renderings]
        if len(queries) == 1:
            return queries[0]
        columns = [pipeline.columns for pipeline in self.pipelines]
        return renderings[0].template(f"targets/{target}_joined.sql", queries=queries, columns_of=columns).strip()


@contextmanager
def calling(recs: Table | None, truth: Table, metrics: Metrics, k: Cutoffs, settings: Mapping[str, Value]) -> Iterator[Call]:
    """A call with its inputs found and checked; what it registered is gone afterwards. Without `recs`, truth alone."""
    columns = {field.name for field in fields(Names)}
    names = Names(**{name: value for name, value in settings.items() if name in columns})
    options = {name: value for name, value in settings.items() if name not in columns and name != "connection"}
    users = options.get("users")
    fixed = not (users is None or (isinstance(users, str) and users in catalog().options["users"].choices))
    pipelines = plan(metrics, k, options | ({"users": "truth"} if fixed else {}))
    known = {"users": "table"} if fixed else {}
    engine = DuckDB(settings.get("connection"))
    try:
        judged = judged_by(engine, truth, names)
        listed = NOTHING
        if recs is not None:
            found = listed_in(engine, recs, names)
            check_types(found, judged)
            known["rank_by"] = order(found, options.get("rank_by") or ("score" if names.score else None))
            listed = relation_of_recs(found)
        looked_at = relation_of_users(mapped(find(engine, "users", users), {"user_id": names.user}, {})) if fixed else NOTHING
        inputs = Inputs(listed, relation_of_truth(judged), users=looked_at, known=known, dialect=engine.dialect)
        yield Call(engine, inputs, pipelines)
    finally:
        engine.release()


def listed_in(engine: DuckDB, recs: Table, names: Names) -> Given:
    """The recommendations, with our names for their columns."""
    return with_columns(find(engine, "recs", recs), names, rank="rank", score="score", model="model")


def judged_by(engine: DuckDB, truth: Table, names: Names) -> Given:
    """The truth, with our names for its columns."""
    return with_columns(find(engine, "truth", truth), names, relevance="relevance", rank="truth_rank")


def with_columns(found: Given, names: Names, **others: str) -> Given:
    """A table with our names for its columns: the ids, and others by the names' fields, which must be there if they were said."""
    wanted, optional = {"user_id": names.user, "item_id": names.item}, {}
    for ours, argument in others.items():
        name, default = getattr(names, argument), getattr(Names, argument)
        if name == default:
            optional[ours] = name or ours
        else:
            wanted[ours] = name
    return mapped(found, wanted, optional)


def order(found: Given, asked: str | None) -> str:
    """What the lists are ordered by; raises BadInput where the column for it is missing."""
    by = asked or ("rank" if found.has("rank") else "score")
    needed = "score" if by == "score" else "rank"
    if not found.has(needed):
        what = "no column rank and no column score" if asked is None else f"no column {needed} to order the lists by"
        raise BadInput(
            f"{found.name}: there is {what} (say which it is with rank='...' or score='...'); it has {', '.join(found.types)}"
        )
    return by


def described(tables: Sequence[pa.Table], call: Call) -> pa.Table:
    """The rows of all pipelines as one table, model by model, with the report in the schema's metadata."""
    rows = pa.concat_tables([table.drop_columns(list(COUNTS)) for table in tables])
    models = rows["model"].to_pylist()
    if len(tables) > 1:
        rows = rows.take(sorted(range(len(models)), key=lambda i: (models[i] is not None, models[i] or "")))
    counts = {row["model"]: {name: row[name] for name in COUNTS} for row in tables[0].select(["model", *COUNTS]).to_pylist()}
    report = {
        "options": [dict(pipeline.options) | dict(call.inputs.known) for pipeline in call.pipelines],
        "metrics": [str(column.asked) for pipeline in call.pipelines for column in pipeline.columns if column.shown],
        "versions": {"recsql": version("recsql"), "duckdb": duckdb.__version__},
        "models": [{"model": name, **count, "users_without_list": unserved(count)} for name, count in counts.items()],
    }
    return rows.replace_schema_metadata({"recsql": json.dumps(report, default=str)})


def unserved(count: Mapping[str, int]) -> int:
    return count["users_with_truth"] - (count["lists"] - count["lists_without_truth"])
