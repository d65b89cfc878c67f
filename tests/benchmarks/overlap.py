"""Overlap and rank-biased overlap of two models with 500,000 lists of 10 items, in CPU seconds of one thread: the least of three.

Run from the root of the repository: python -m tests.benchmarks.overlap. The goal is 2 CPU seconds.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import duckdb

import recsql

GOAL = 2
SEEN = "hash(u * 31 + r)"
MADE = {  # the second model has two thirds of the items of the first one, in another order
    "a": "select u as user_id, cast(hash(u * 1000003 + r) % 400 as bigint) * 10 + r as item_id, r as rank from rows",
    "b": f"""select u as user_id, cast(hash(u * 1000003 + r) % 400 as bigint) * 10 + r
        + case when hash(u * 17 + r) % 3 = 0 then 100000 else 0 end as item_id,
        row_number() over (partition by u order by {SEEN}) as rank from rows""",
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=500_000)
    users = parser.parse_args(arguments).users
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(config={"threads": 1}) as con:
        con.execute(f"create view rows as select u.range as u, r.range as r from range({users}) as u, range(1, 11) as r")
        paths = {name: str(Path(folder) / f"{name}.parquet") for name in MADE}
        for name, text in MADE.items():
            con.execute(f"copy ({text} order by user_id, rank) to '{paths[name]}'")
        seconds = []
        for _ in range(3):
            before = process_time()
            [row] = recsql.overlap(paths, 10, connection=con).to_pylist()
            seconds.append(process_time() - before)
    print(f"{users:,} users: {min(seconds):.2f} CPU seconds (goal: {GOAL}); overlap {row['overlap']:.4f}, rbo {row['rbo']:.4f}")
    return 0


if __name__ == "__main__":
    main()
