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


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    for name in ("users", "recs", "truth", "items"):
        parser.add_argument(name, type=int)
    parser.add_argument("--text", action="store_true", help="text ids instead of numbers")
    make(**vars(parser.parse_args()))
