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


# One row per model, metric and k. A metric without @ is computed at every k.
show("Means over users", recsql.evaluate(RECS, TRUTH, ["ndcg", "recall@10"], k=[5, 10]))

# The relevance is the number of invoices. With exp2, a product on 17 invoices outweighs everything else.
linear = recsql.evaluate(RECS, TRUTH, ["ndcg@10"])
exp2 = recsql.evaluate(RECS, TRUTH, ["ndcg@10"], gain="exp2")
show("nDCG@10, linear gain against exp2", linear.select(["model", "value"]).append_column("exp2", exp2["value"]))

# Brackets hold the options of one metric. Here AP is divided by all relevant items: half of the customers have 22 or more.
show("AP, two denominators", recsql.evaluate(RECS, TRUTH, ["ap@10", "ap(denominator=relevant)@10"]))

# Another population: new customers have no list, and count as 0 unless they are left out.
show("nDCG@10 of the customers with a list", recsql.evaluate(RECS, TRUTH, ["ndcg@10"], no_recs="skip"))

# The values of each user are a table like any other. Here they are joined with the customers' countries.
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

# The query is one statement of SQL that you can read, keep and run elsewhere.
print("\nThe query behind recall@10:\n")
print(recsql.sql(RECS, TRUTH, ["recall@10"]))
