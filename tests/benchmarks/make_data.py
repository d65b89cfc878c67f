"""Makes recs.parquet and truth.parquet of a given size; the same arguments give the same rows.

Items are drawn log-uniformly, so that few are popular. A user has 1 to 2 x truth - 1 relevant items of relevance 1 to 5.
Lists have no gaps, and scores no ties.
"""

import argparse
from pathlib import Path

import duckdb


def drawn(users: int, draws: str, items: int, salt: str) -> str:
    """The distinct items of each user in `draws` draws, out of a hash instead of a random state."""
    share = f"hash(u.u, d.d, '{salt}') / 18446744073709551616.0"
    item = f"cast(floor(power({items}, {share})) as bigint) - 1"
    return f"select distinct u.u, {item} as i from range({users}) as u(u), range({draws}) as d(d)"


def make(folder: Path, users: int, recs: int, truth: int, items: int, text: bool) -> None:
    """Writes both files into `folder`."""
    ids = "printf('u%09d', u) as user_id, printf('item-%06d', i) as item_id" if text else "u as user_id, i as item_id"
    con = duckdb.connect()
    con.execute(
        f"""copy (
            select {ids}, rank, 1 - rank / 1e5 as score
            from (
                select u, i, cast(row_number() over (partition by u order by hash(u, i)) as integer) as rank
                from ({drawn(users, f"{2 * recs}", items, "recs")})
            )
            where rank <= {recs}
        ) to '{folder / "recs.parquet"}'"""
    )
    con.execute(
        f"""copy (
            select {ids}, cast(1 + hash(u, i, 'relevance') % 5 as integer) as relevance
            from ({drawn(users, f"cast(1 + hash(u.u) % {2 * truth - 1} as bigint)", items, "truth")})
        ) to '{folder / "truth.parquet"}'"""
    )


def make_tied(folder: Path, users: int, recs: int, truth: int, items: int) -> None:
    """The same with scores that ten items of a list share."""
    make(folder, users, recs, truth, items, text=False)
    con = duckdb.connect()
    tied = f"select r.* replace (-floor(r.rank / 1e1) as score) from '{folder}/recs.parquet' as r"
    con.execute(f"copy ({tied}) to '{folder}/tied.parquet'")
    (folder / "tied.parquet").replace(folder / "recs.parquet")


def make_models(folder: Path, users: int, recs: int, truth: int, items: int) -> None:
    """The same with the lists of four models, each with the items in turned order."""
    make(folder, users, recs, truth, items, text=False)
    con = duckdb.connect()
    turned = f"(r.rank - 1 + m.turn) % {recs} + 1"
    four = f"""
        select m.model, r.* replace (cast({turned} as integer) as rank, 1 / ({turned}) as score)
        from '{folder}/recs.parquet' as r cross join (values ('a', 0), ('b', 3), ('c', 7), ('d', 20)) as m(model, turn)"""
    con.execute(f"copy ({four}) to '{folder}/four.parquet'")
    (folder / "four.parquet").replace(folder / "recs.parquet")


def make_runs(folder: Path, users: int, recs: int, truth: int, items: int) -> None:
    """Three of these models as runs in TREC's format and as Parquet, and the truth as judgements."""
    make_models(folder, users, recs, truth, items)
    con = duckdb.connect()
    for model in "abc":
        run = f"select user_id, 'Q0', item_id, rank, score, model from '{folder}/recs.parquet' where model = '{model}'"
        con.execute(f"copy ({run}) to '{folder}/{model}.run' (format csv, delimiter ' ', header false)")
        rows = f"select cast(user_id as varchar) as user_id, cast(item_id as varchar) as item_id, score from ({run})"
        con.execute(f"copy ({rows}) to '{folder}/{model}.parquet'")
    judged = f"select user_id, 0, item_id, relevance from '{folder}/truth.parquet'"
    con.execute(f"copy ({judged}) to '{folder}/truth.qrels' (format csv, delimiter ' ', header false)")


def make_dense(folder: Path, users: int, recs: int, truth: int, items: int) -> None:
    """Half of each list is relevant."""
    con = duckdb.connect()
    listed = f"case when j.j % 2 = 0 then j.j else {truth} + hash(u.u, j.j) % {items} * {recs} + j.j end"
    con.execute(
        f"""copy (
            select u.u as user_id, cast({listed} as bigint) as item_id, cast(j.j + 1 as integer) as rank, 1 / (j.j + 1) as score
            from range({users}) as u(u), range({recs}) as j(j)
        ) to '{folder / "recs.parquet"}'"""
    )
    con.execute(
        f"""copy (
            select u.u as user_id, j.j as item_id, cast(1 + hash(u.u, j.j) % 5 as integer) as relevance
            from range({users}) as u(u), range({truth}) as j(j)
        ) to '{folder / "truth.parquet"}'"""
    )


def make_long(folder: Path, users: int, recs: int, truth: int, items: int) -> None:
    """Without windows or distinct rows, so that a billion take a minute: a list runs through the items in steps."""
    con = duckdb.connect()
    con.execute("set preserve_insertion_order = false")
    item = f"cast((hash(g.u) % {items} + g.r * 7919) % {items} as bigint)"
    con.execute(
        f"""copy (
            select g.u as user_id, {item} as item_id, cast(g.r as integer) as rank
            from (select u.u, unnest(range(1, {recs} + 1)) as r from range({users}) as u(u)) as g
        ) to '{folder / "recs.parquet"}'"""
    )
    con.execute(
        f"""copy (
            select g.u as user_id, {item} as item_id, cast(1 + hash(g.u, g.r) % 5 as integer) as relevance
            from (select u.u, 1 + hash(u.u, 'first') % 37 + unnest(range({truth})) * 37 as r from range({users}) as u(u)) as g
        ) to '{folder / "truth.parquet"}'"""
    )


def make_log(folder: Path, users: int, recs: int, truth: int, items: int) -> None:
    """A log: `users` requests of a fifth as many users within 23 days, and `truth` events for each, up to 10 days later."""
    con = duckdb.connect()
    at = "timestamp '2026-03-01' + to_seconds(cast(hash(u.u) % 2000000 as bigint))"
    of_request = f"select u.u, {at} as ts, unnest(range(1, {recs} + 1)) as r from range({users}) as u(u)"
    item = f"hash(u, r, 'item') % {items} as item_id"
    con.execute(
        f"""copy (
            select distinct on (user_id, item_id, ts) u % {max(1, users // 5)} as user_id, {item}, ts, r as rank
            from ({of_request})
        ) to '{folder / "impressions.parquet"}'"""
    )
    con.execute(
        f"""copy (
            select
                user_id,
                item_id,
                ts + to_seconds(cast(hash(user_id, item_id) % 900000 as bigint)) as ts,
                case when hash(item_id, rank) % 5 = 0 then 'buy' else 'click' end as type
            from '{folder / "impressions.parquet"}'
            where hash(user_id, item_id, ts) % {recs} < {truth}
        ) to '{folder / "events.parquet"}'"""
    )


def make_spans(folder: Path, users: int, recs: int, truth: int, items: int) -> None:
    """Lists of chunks of documents, which overlap; the truth as spans in spans.parquet, as a chunk of each in truth.parquet."""
    con = duckdb.connect()
    chunk = "cast((hash(u, r % 4) % 20 + r // 4 * 3) % 20 as bigint)"
    con.execute(
        f"""copy (
            select
                u as user_id,
                document * 20 + chunk as item_id,
                document,
                chunk * 900 as start,
                chunk * 900 + 1000 as "end",
                cast(r + 1 as integer) as rank,
                cast(100 + hash(u, r) % 200 as integer) as tokens
            from (
                select u.u, r.r, cast((hash(u.u) % {items} + r.r % 4 * 7919) % {items} as bigint) as document, {chunk} as chunk
                from range({users}) as u(u), range({recs}) as r(r)
            )
        ) to '{folder / "recs.parquet"}'"""
    )
    con.execute(
        f"""create table spans as
            select
                u.u as user_id,
                cast((hash(u.u) % {items} + t.t % 5 * 7919) % {items} as bigint) as document,
                cast(hash(u.u, t.t) % 17000 as bigint) as start,
                cast(20 + hash(t.t, u.u) % 200 as bigint) as length
            from range({users}) as u(u), range({2 * truth - 1}) as t(t)
            where t.t <= hash(u.u, 'spans') % {2 * truth - 1}"""
    )
    spans = 'select user_id, document, start, start + length as "end" from spans'
    con.execute(f"copy ({spans}) to '{folder / 'spans.parquet'}'")
    labels = "select distinct user_id, document * 20 + start // 900 as item_id from spans"
    con.execute(f"copy ({labels}) to '{folder / 'truth.parquet'}'")


def make_text(folder: Path, users: int, recs: int, truth: int, items: int) -> None:
    make(folder, users, recs, truth, items, text=True)


def make_plain(folder: Path, users: int, recs: int, truth: int, items: int) -> None:
    make(folder, users, recs, truth, items, text=False)


KINDS = {
    "plain": make_plain,
    "text": make_text,
    "tied": make_tied,
    "models": make_models,
    "runs": make_runs,
    "dense": make_dense,
    "long": make_long,
    "log": make_log,
    "spans": make_spans,
}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    for name in ("users", "recs", "truth", "items"):
        parser.add_argument(name, type=int)
    parser.add_argument("--kind", choices=KINDS, default="plain")
    asked = vars(parser.parse_args())
    KINDS[asked.pop("kind")](**asked)
