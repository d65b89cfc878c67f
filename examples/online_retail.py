"""A walk through recsql in Python, over real data.

From the root of the repository:

    python examples/online_retail.py
"""

from pathlib import Path

import duckdb
import pyarrow as pa

import recsql

DATA = Path(__file__).parent / "online_retail"
RECS, TRUTH, USERS = (str(DATA / f"{name}.parquet") for name in ("recs", "truth", "users"))


def show(title: str, table: pa.Table) -> None:
    """A small Arrow table as text."""
    shown = [[f"{value:.4f}" if isinstance(value, float) else str(value) for value in row.values()] for row in table.to_pylist()]
    rows = [table.column_names, *shown]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    print(f"\n{title}\n")
    for row in rows:
        print("  ".join(map(str.ljust, row, widths)).rstrip())


# One row per model, metric and k. A metric without @ is taken at every k.
show("Means over users", recsql.evaluate(RECS, TRUTH, ["ndcg", "recall@10"], k=[5, 10]))

# How much is a product worth that was bought on many invoices? With exp2, 17 of them outweigh everything else.
linear = recsql.evaluate(RECS, TRUTH, ["ndcg@10"])
exp2 = recsql.evaluate(RECS, TRUTH, ["ndcg@10"], gain="exp2")
show("nDCG@10, linear gain against exp2", linear.select(["model", "value"]).append_column("exp2", exp2["value"]))

# An option may also stand in the brackets of one metric: AP divided by all relevant items, of which customers have 22 and more.
show("AP, two denominators", recsql.evaluate(RECS, TRUTH, ["ap@10", "ap(denominator=relevant)@10"]))

# Another population: new customers have no list, and count 0 unless they are left out.
show("nDCG@10 of the customers with a list", recsql.evaluate(RECS, TRUTH, ["ndcg@10"], no_recs="skip"))

# The values of each user are a table like any other: here joined with the customers' countries.
per_user = recsql.per_user(RECS, TRUTH, ["ndcg@10", "hit@10"])
connection = duckdb.connect()
connection.register("per_user", per_user)
connection.read_parquet(USERS).create_view("customers")
print("\nease by country, the largest five\n")
connection.sql(
    """
    select u.country, count(*) as users, round(avg(p.ndcg), 4) as ndcg, round(avg(p.hit), 4) as hit
    from per_user as p
    join customers as u using (user_id)
    where p.model = 'ease'
    group by u.country
    order by users desc, u.country
    limit 5"""
).show()

# What runs is one statement of SQL, to read, to keep and to run elsewhere.
print("\nThe query behind recall@10:\n")
print(recsql.sql(RECS, TRUTH, ["recall@10"]))
