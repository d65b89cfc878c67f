"""The ways from Parquet files to metrics; run as a script, one of them in a process of its own.

Each gives, at 5, 10, 20 and 50, precision, recall, AP, nDCG, reciprocal rank and hit rate, or entropy, coverage and Gini index of
the items, or both; under the names of recsql where its convention is recsql's default; what a peer defines otherwise has the
peer's own name.
"""

import json
import resource
import sys
import time
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

KS = [5, 10, 20, 50]
METRICS = ["precision", "recall", "ap", "ndcg", "rr", "hit"]
ITEM_METRICS = ["entropy", "coverage", "gini"]
OF_SPANS = [5, 10, 20]  # cut-offs
SPAN_METRICS = ["hits", "recall", "miss_rate", "hit", "rr", "first_rank", "cg", "precision"]
SPAN_METRICS += ["text_recall", "text_precision", "text_iou"]
Values = dict[str, float]


def floor(folder: Path, memory_limit: str) -> Values:
    """What nobody can skip: the two files joined, and the hits counted per user."""
    query = f"""
        select sum(n)
        from (
            select user_id, count(*) as n
            from '{folder}/recs.parquet'
            join '{folder}/truth.parquet' using (user_id, item_id)
            where rank <= {max(KS)}
            group by user_id
        )"""
    [(hits,)] = connect(folder, memory_limit).execute(query).fetchall()
    return {"hits": float(hits)}


def python(folder: Path, memory_limit: str) -> Values:
    return of_python(folder, memory_limit, METRICS)


def python_and_items(folder: Path, memory_limit: str) -> Values:
    return of_python(folder, memory_limit, METRICS + ITEM_METRICS, catalog_size=catalog_size(folder))


def of_python(folder: Path, memory_limit: str, metrics: list[str], **options: Any) -> Values:
    recsql: Any = import_module("recsql")
    recs, truth = f"{folder}/recs.parquet", f"{folder}/truth.parquet"
    rows = recsql.evaluate(recs, truth, metrics, k=KS, connection=connect(folder, memory_limit), **options).to_pylist()
    return named((row["metric"], row["k"], row["value"]) for row in rows)


def macro(folder: Path, memory_limit: str) -> Values:
    call = f"evaluate('{folder}/recs.parquet', '{folder}/truth.parquet', k := {KS}, metrics := {METRICS})"
    return of_macro(folder, memory_limit, call)


def macro_all(folder: Path, memory_limit: str) -> Values:
    return of_macro(
        folder, memory_limit, f"evaluate('{folder}/recs.parquet', '{folder}/truth.parquet', k := {KS}, metrics := 'all')"
    )


def of_macro(folder: Path, memory_limit: str, call: str) -> Values:
    con = connect(folder, memory_limit)
    con.execute((folder / "macros.sql").read_text(encoding="utf-8"))
    return named(con.execute(f"select m.metric, m.k, m.value from recsql.{call} as m").fetchall())


def all_at_ten(folder: Path, memory_limit: str) -> Values:
    """Every metric of the lists, at ten cut-offs."""
    recsql: Any = import_module("recsql")
    recs, truth = f"{folder}/recs.parquet", f"{folder}/truth.parquet"
    rows = recsql.evaluate(recs, truth, "all", k=[1, 3, 5, 10, 15, 20, 25, 30, 40, 50], connection=connect(folder, memory_limit))
    return named((row["metric"], row["k"], row["value"]) for row in rows.to_pylist())


def ndcg(folder: Path, memory_limit: str) -> Values:
    return of_python(folder, memory_limit, ["ndcg"])


def conventions(folder: Path, memory_limit: str) -> Values:
    """One metric under every preset; the values are those of the default, for each model."""
    recsql: Any = import_module("recsql")
    con = connect(folder, memory_limit)
    rows = recsql.conventions(f"{folder}/recs.parquet", f"{folder}/truth.parquet", "ndcg", 10, connection=con).to_pylist()
    return named((f"conventions {row['model']} ndcg", 10, row["value"]) for row in rows if row["preset"] == "default")


def runs(folder: Path, memory_limit: str) -> Values:
    """Three runs in TREC's format."""
    return of_models(folder, memory_limit, runs_in(folder))


def runs_as_parquet(folder: Path, memory_limit: str) -> Values:
    """The same with the runs as Parquet."""
    return of_models(folder, memory_limit, {model: f"{folder}/{model}.parquet" for model in "abc"})


def of_models(folder: Path, memory_limit: str, models: dict[str, str]) -> Values:
    recsql: Any = import_module("recsql")
    rows = recsql.evaluate(models, f"{folder}/truth.qrels", METRICS, 10, connection=connect(folder, memory_limit)).to_pylist()
    return named((f"{row['model']} {row['metric']}", 10, row["value"]) for row in rows)


def reported(folder: Path, memory_limit: str) -> Values:
    """The report on them."""
    recsql: Any = import_module("recsql")
    page = recsql.report(runs_in(folder), f"{folder}/truth.qrels", METRICS, 10, connection=connect(folder, memory_limit))
    rows = page.evidence.values.to_pylist()
    return named((f"{row['model']} {row['metric']}", 10, row["value"]) for row in rows)


def runs_in(folder: Path) -> dict[str, str]:
    return {model: f"{folder}/{model}.run" for model in "abc"}


def per_user_file(folder: Path, memory_limit: str) -> Values:
    """The metrics of each user, as a file."""
    recsql: Any = import_module("recsql")
    recs, truth, out = (f"{folder}/{name}.parquet" for name in ("recs", "truth", "per_user"))
    recsql.per_user(recs, truth, METRICS, KS, into=out, connection=connect(folder, memory_limit))
    query = f"select k, {', '.join(f'avg({name})' for name in METRICS)} from '{out}' group by k"
    rows = connect(folder, memory_limit).execute(query).fetchall()
    return named((name, k, value) for k, *values in rows for name, value in zip(METRICS, values, strict=True))


def checked(folder: Path, memory_limit: str, level: str = "full") -> Values:
    """What is odd about the tables: the number of each finding."""
    recsql: Any = import_module("recsql")
    recs, truth = (f"{folder}/{name}.parquet" for name in ("recs", "truth"))
    rows = recsql.check(recs, truth, level=level, connection=connect(folder, memory_limit)).to_pylist()
    return named((f"{level} {row['finding']}", 10, float(row["count"])) for row in rows)


def checked_quickly(folder: Path, memory_limit: str) -> Values:
    """The same, without what needs a sort."""
    return checked(folder, memory_limit, "quick")


def by_score(folder: Path, memory_limit: str) -> Values:
    """The lists ranked by their scores; under names of its own, as ties make other lists."""
    values = of_python(folder, memory_limit, METRICS, rank_by="score")
    return {f"{name.replace('@', '(rank_by=score)@')}": value for name, value in values.items()}


def with_interval(folder: Path, memory_limit: str) -> Values:
    """The metrics with their intervals."""
    return of_python(folder, memory_limit, METRICS, interval=0.95)


def compared(folder: Path, memory_limit: str) -> Values:
    """Each model against the first; the values are differences."""
    return of_comparison(folder, memory_limit, test="t")


def compared_by_ranks(folder: Path, memory_limit: str) -> Values:
    """The same by Wilcoxon's test, which needs the difference of each user."""
    return of_comparison(folder, memory_limit, test="wilcoxon")


def of_comparison(folder: Path, memory_limit: str, test: str) -> Values:
    recsql: Any = import_module("recsql")
    con = connect(folder, memory_limit)
    recs, truth = f"{folder}/recs.parquet", f"{folder}/truth.parquet"
    [(first,)] = con.execute(f"select min(model) from '{recs}'").fetchall()
    rows = recsql.compare(recs, truth, METRICS, KS, baseline=first, test=test, connection=con).to_pylist()
    return named((f"{row['model']} {row['metric']}", row["k"], row["difference"]) for row in rows)


def by_segment(folder: Path, memory_limit: str) -> Values:
    """The metrics in five segments of the users, whose table is made first; those of all users are the last of their names."""
    recsql: Any = import_module("recsql")
    con = connect(folder, memory_limit)
    recs, truth = f"{folder}/recs.parquet", f"{folder}/truth.parquet"
    con.execute(f"create table segments as select distinct user_id, user_id % 5 as segment from '{truth}'")
    rows = recsql.evaluate(recs, truth, METRICS, k=KS, by="segment", segments="segments", connection=con).to_pylist()
    return named((row["metric"], row["k"], row["value"]) for row in rows if row["slice"] is None)


def imports(folder: Path, memory_limit: str) -> Values:
    """What every use of recsql from Python begins with."""
    import_module("duckdb")
    import_module("pyarrow")
    return {}


def cold(folder: Path, memory_limit: str) -> Values:
    """The first result of a fresh process."""
    return python(folder, memory_limit)


def macro_file(folder: Path, memory_limit: str) -> Values:
    """The macro file read, beyond opening a database."""
    con, text = connect(folder, memory_limit), (folder / "macros.sql").read_text(encoding="utf-8")
    start = time.perf_counter()
    con.execute(text)
    return {"load": time.perf_counter() - start}


def macro_database(folder: Path, memory_limit: str) -> Values:
    """A database of the macros attached, beyond opening a database."""
    shell: Any = import_module("recsql.shell")
    shell.save_database(shell.File("recsql", None, {}), str(folder / "recsql.duckdb"))
    con = connect(folder, memory_limit)
    start = time.perf_counter()
    con.execute(f"attach '{folder / 'recsql.duckdb'}' as recsql (read_only)")
    con.execute("select recsql.steps.cutoff('1')")
    return {"load": time.perf_counter() - start}


def count(folder: Path, memory_limit: str) -> Values:
    """What nobody can skip for the metrics of items: how often each is recommended, down to each cut-off."""
    query = f"""
        select r.item_id, c.k, count(*) as n
        from '{folder}/recs.parquet' as r
        join (select unnest({KS}) as k) as c on r.rank <= c.k
        group by r.item_id, c.k"""
    return counted(folder, memory_limit, [query])


def count_each(folder: Path, memory_limit: str) -> Values:
    """The same, in a query for each cut-off."""
    recs = f"{folder}/recs.parquet"
    queries = [f"select item_id, {k} as k, count(*) as n from '{recs}' where rank <= {k} group by item_id" for k in KS]
    return counted(folder, memory_limit, queries)


def counted(folder: Path, memory_limit: str, queries: list[str]) -> Values:
    con, size = connect(folder, memory_limit), catalog_size(folder)
    rows = [row for query in queries for row in con.execute(f"select k, count(*), sum(n) from ({query}) group by k").fetchall()]
    return {f"coverage@{k}": items / size for k, items, _ in rows} | {f"count@{k}": float(total) for k, _, total in rows}


def items_python(folder: Path, memory_limit: str) -> Values:
    recsql: Any = import_module("recsql")
    con = connect(folder, memory_limit)
    result = recsql.item_metrics(f"{folder}/recs.parquet", ITEM_METRICS, k=KS, catalog_size=catalog_size(folder), connection=con)
    return named((row["metric"], row["k"], row["value"]) for row in result.to_pylist())


def items_macro(folder: Path, memory_limit: str) -> Values:
    options = f"k := {KS}, metrics := {ITEM_METRICS}, catalog_size := {catalog_size(folder)}"
    return of_macro(folder, memory_limit, f"item_metrics('{folder}/recs.parquet', {options})")


def joined(folder: Path, memory_limit: str) -> Values:
    """What a mean over lists can't skip: the lists joined with an attribute of their items, averaged in each list."""
    con = with_items(folder, memory_limit)
    per_list = f"""
        select count(*) - count(t.item_id) as cold, count(*) as items
        from '{folder}/recs.parquet' as r left join past as t using (item_id)
        group by r.user_id"""
    return named([("cold_share", None, con.execute(f"select avg(cold / items) from ({per_list})").fetchall()[0][0])])


def cold_share(folder: Path, memory_limit: str) -> Values:
    return of_each_list(folder, memory_limit, "cold_share", "all")


def ild(folder: Path, memory_limit: str) -> Values:
    return of_each_list(folder, memory_limit, "ild", 10)


def personalisation(folder: Path, memory_limit: str) -> Values:
    return of_each_list(folder, memory_limit, "personalisation", 10)


def of_each_list(folder: Path, memory_limit: str, metric: str, k: Any) -> Values:
    recsql: Any = import_module("recsql")
    con = with_items(folder, memory_limit)
    rows = recsql.item_metrics(f"{folder}/recs.parquet", metric, k, items="things", train="past", connection=con).to_pylist()
    return named((row["metric"], row["k"], row["value"]) for row in rows)


def with_items(folder: Path, memory_limit: str) -> Any:
    """A connection with the table `past`, which has four items of five, and `things`, with one to three of 20 categories."""
    con = connect(folder, memory_limit)
    items = f"select item_id from '{folder}/truth.parquet' union select item_id from '{folder}/recs.parquet'"
    con.execute(f"create table past as select item_id from ({items}) where hash(item_id) % 5 > 0")
    categories = "list_transform(range(1 + cast(hash(item_id) % 3 as int)), lambda n: hash(item_id, n) % 20)"
    con.execute(f"create table things as select item_id, {categories} as category from ({items})")
    return con


def ap(folder: Path, memory_limit: str) -> Values:
    return of_python(folder, memory_limit, ["ap"])


def catalog_size(folder: Path) -> int:
    return int((folder / "catalog_size").read_text(encoding="utf-8"))


def last_impressions(folder: Path, memory_limit: str) -> Values:
    """The floor of labels: each event with the last impression of its item before it."""
    query = f"""
        select count(*), sum(i.rank)
        from '{folder}/events.parquet' as e
        asof join '{folder}/impressions.parquet' as i
            on i.user_id = e.user_id and i.item_id = e.item_id and i.ts <= e.ts
        where e.ts < i.ts + interval '7 days'"""
    [(credited, _)] = connect(folder, memory_limit).execute(query).fetchall()
    return {"credited": float(credited)}


def labelled(folder: Path, memory_limit: str) -> Values:
    """The labels of a log, as rows of a table."""
    return of_labels(folder, memory_limit, into="labelled")


def labelled_files(folder: Path, memory_limit: str) -> Values:
    """The same as two files."""
    return of_labels(folder, memory_limit, recs=f"{folder}/shown.parquet", truth=f"{folder}/labels.parquet")


def of_labels(folder: Path, memory_limit: str, **places: str) -> Values:
    recsql: Any = import_module("recsql")
    con = connect(folder, memory_limit)
    recsql.labels(f"{folder}/events.parquet", f"{folder}/impressions.parquet", complete="keep", connection=con, **places)
    table = "labelled where part = 'truth'" if "into" in places else f"'{places['truth']}'"
    [(credited,)] = con.execute(f"select sum(events) from {table}").fetchall()
    return {"credited": float(credited)}


def recall_of_items(folder: Path, memory_limit: str) -> Values:
    """Recall of chunks by their ids."""
    return of_retrieval(folder, memory_limit, "truth", ["recall"], OF_SPANS)


def recall_of_spans(folder: Path, memory_limit: str) -> Values:
    """Recall of spans in the same lists."""
    return of_retrieval(folder, memory_limit, "spans", ["recall"], OF_SPANS)


def all_of_spans(folder: Path, memory_limit: str) -> Values:
    """All metrics of spans."""
    return of_retrieval(folder, memory_limit, "spans", SPAN_METRICS, OF_SPANS)


def recall_in_budgets(folder: Path, memory_limit: str) -> Values:
    """Recall of spans within three numbers of tokens."""
    return of_retrieval(folder, memory_limit, "spans", ["recall"], [1000, 2000, 4000], budget="tokens")


def items_in_budgets(folder: Path, memory_limit: str) -> Values:
    """Recall of chunks by their ids, within the same."""
    return of_retrieval(folder, memory_limit, "truth", ["recall"], [1000, 2000, 4000], budget="tokens")


def of_retrieval(folder: Path, memory_limit: str, truth: str, metrics: list[str], ks: list[int], **options: Any) -> Values:
    recsql: Any = import_module("recsql")
    recs, judged = f"{folder}/recs.parquet", f"{folder}/{truth}.parquet"
    rows = recsql.evaluate(recs, judged, metrics, ks, connection=connect(folder, memory_limit), **options).to_pylist()
    return named((f"{truth} {row['metric']}", row["k"], row["value"]) for row in rows)


def connect(folder: Path, memory_limit: str) -> Any:
    duckdb: Any = import_module("duckdb")
    config = {"memory_limit": memory_limit} if memory_limit else {}
    return duckdb.connect(config=config | {"temp_directory": f"{folder}/spilled"})


def named(rows: Iterable[tuple[str, int | None, float]]) -> Values:
    return {f"{metric}@{k}": value for metric, k, value in rows}


def polars(folder: Path, memory_limit: str) -> Values:
    """Written by hand, lazily and streaming."""
    pl: Any = import_module("polars")
    col = pl.col
    truth = pl.scan_parquet(folder / "truth.parquet")
    nth = pl.int_range(1, pl.len() + 1).over("user_id")
    recs = pl.scan_parquet(folder / "recs.parquet").select("user_id", "item_id", "rank").filter(col("rank") <= max(KS))
    hits = recs.join(truth, on=["user_id", "item_id"]).sort("user_id", "rank").with_columns(nth=nth)
    best = truth.sort("user_id", "relevance", descending=[False, True]).with_columns(rank=nth)
    discounted = col("relevance") / (col("rank") + 1).log(2)
    of_hits, of_ideal, means = [col("rank").min().alias("first")], [pl.len().alias("relevant")], []
    for k in KS:
        top = col("rank") <= k
        of_hits += [
            top.sum().alias(f"hits{k}"),
            (col("nth") / col("rank")).filter(top).sum().alias(f"precisions{k}"),
            discounted.filter(top).sum().alias(f"dcg{k}"),
        ]
        of_ideal += [discounted.filter(top).sum().alias(f"idcg{k}")]
        means += [
            (col(f"hits{k}") / k).mean().alias(f"precision@{k}"),
            (col(f"hits{k}") / col("relevant")).mean().alias(f"recall@{k}"),
            (col(f"precisions{k}") / pl.min_horizontal("relevant", k)).mean().alias(f"ap@{k}"),
            (col(f"dcg{k}") / col(f"idcg{k}")).mean().alias(f"ndcg@{k}"),
            pl.when(col("first").is_between(1, k)).then(1 / col("first")).otherwise(0).mean().alias(f"rr@{k}"),
            (col(f"hits{k}") > 0).mean().alias(f"hit@{k}"),
        ]
    users = best.group_by("user_id").agg(of_ideal).join(hits.group_by("user_id").agg(of_hits), on="user_id", how="left")
    [row] = users.fill_null(0).select(means).collect(engine="streaming").to_dicts()
    return dict(row)


def rectools(folder: Path, memory_limit: str) -> Values:
    pd: Any = import_module("pandas")
    kinds: Any = import_module("rectools.metrics")
    classes = {
        "precision": kinds.Precision,
        "recall": kinds.Recall,
        "rectools MAP": kinds.MAP,
        "rectools NDCG": kinds.NDCG,
        "rr": kinds.MRR,
        "hit": kinds.HitRate,
    }
    recs = pd.read_parquet(folder / "recs.parquet", columns=["user_id", "item_id", "rank"])
    truth = pd.read_parquet(folder / "truth.parquet", columns=["user_id", "item_id"])
    wanted = {f"{name}@{k}": kind(k) for name, kind in classes.items() for k in KS}
    return {name: float(value) for name, value in kinds.calc_metrics(wanted, recs, truth).items()}


def ranx(folder: Path, memory_limit: str) -> Values:
    pd: Any = import_module("pandas")
    library: Any = import_module("ranx")
    names = {"precision": "precision", "recall": "recall", "map": "ranx map", "ndcg": "ndcg", "mrr": "rr", "hit_rate": "hit"}
    recs, truth = (
        pd.read_parquet(folder / f"{name}.parquet").astype({"user_id": str, "item_id": str}) for name in ("recs", "truth")
    )
    columns = {"q_id_col": "user_id", "doc_id_col": "item_id"}
    run = library.Run.from_df(recs, score_col="score", **columns)
    qrels = library.Qrels.from_df(truth.astype({"relevance": int}), score_col="relevance", **columns)
    values = library.evaluate(qrels, run, [f"{name}@{k}" for name in names for k in KS], make_comparable=True)
    return {f"{ours}@{k}": float(values[f"{theirs}@{k}"]) for theirs, ours in names.items() for k in KS}


def copied(folder: Path, memory_limit: str) -> Values:
    """Interactions read and written: what a split can't go below."""
    connect(folder, memory_limit).execute(f"copy (from '{folder}/recs.parquet') to '{folder}/copy.parquet'")
    return {}


def split_by_cut(folder: Path, memory_limit: str) -> Values:
    """A cut in time, with the ranks as times."""
    return of_split(folder, memory_limit, protocol="temporal", cut=40)


def split_last(folder: Path, memory_limit: str) -> Values:
    """The last five interactions of each user."""
    return of_split(folder, memory_limit, protocol="last_n", n=5)


def of_split(folder: Path, memory_limit: str, **options: Any) -> Values:
    recsql: Any = import_module("recsql")
    rows, train, truth = (f"{folder}/{name}.parquet" for name in ("recs", "part_train", "part_truth"))
    recsql.split(rows, train=train, truth=truth, order_by="rank", connection=connect(folder, memory_limit), **options)
    return {}


LISTS = (
    floor,
    python,
    python_and_items,
    macro,
    macro_all,
    all_at_ten,
    ndcg,
    conventions,
    runs,
    runs_as_parquet,
    reported,
    per_user_file,
    joined,
    cold_share,
    ild,
    personalisation,
    ap,
    checked,
    checked_quickly,
    by_score,
    imports,
    cold,
    macro_file,
    macro_database,
)
STATISTICS = (with_interval, compared, compared_by_ranks, by_segment)
SPLITS = (copied, split_by_cut, split_last)
LOGGED = (last_impressions, labelled, labelled_files)
RETRIEVAL = (recall_of_items, recall_of_spans, all_of_spans, recall_in_budgets, items_in_budgets)
OURS = (*LISTS, *LOGGED, *RETRIEVAL, count, count_each, items_python, items_macro)
CONTENDERS = {one.__name__: one for one in (*OURS, *STATISTICS, *SPLITS, polars, rectools, ranx)}


def main(name: str, folder: str, memory_limit: str) -> None:
    start = time.perf_counter()
    values = CONTENDERS[name](Path(folder), memory_limit)
    seconds = values.pop("load", time.perf_counter() - start)
    used = resource.getrusage(resource.RUSAGE_SELF)
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(json.dumps({"seconds": seconds, "cpu": used.ru_utime + used.ru_stime, "peak": peak, "values": values}))


if __name__ == "__main__":
    main(*sys.argv[1:])
