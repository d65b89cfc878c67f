"""What the macros over two lists cost: one call on literals, and a row of many, against goals in milliseconds and microseconds.

Run from the root of the repository: python -m tests.benchmarks.lists. CPU seconds of one thread, medians of several runs.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import duckdb

import recsql
from tests.benchmarks.benchmark import machine

ROWS = 100_000
LITERALS = "['a', 'b', 'c'], ['b', 'd'], 10"
COLUMNS = "items, relevant, 10"
GRADED = ", relevance := relevance"
METRICS = {"precision": 3, "recall": 3, "hit": 3, "rr": 3, "ap": 5, "ndcg": 5, "f1": 5}  # microseconds a row, at most


@dataclass(frozen=True)
class Row:
    """One row of the table: what was measured, as a number of some unit, and what it may be at most."""

    work: str
    found: float
    most: float
    unit: str

    def __str__(self) -> str:
        met = "met" if self.found <= self.most else "missed"
        return f"| {self.work} | {self.found:.2f} {self.unit} | at most {self.most:g} | {met} |"


class Lists:
    """A database with tables of two lists a row: 50 recommended items, 5 relevant ones, 3 of which are hits."""

    def __init__(self, rows: int, repeat: int) -> None:
        self.rows, self.repeat = rows, repeat
        self.con = duckdb.connect(config={"threads": 1})
        self.con.execute(recsql.macros())
        self.con.execute(
            f"""
            create table few as
            with lists as (
                select n, list_distinct([cast(hash(n * 1000 + i) % 50000 as integer) for i in range(56)])[:50] as items
                from range({2 * rows}) as r(n)
            )
            select
                l.n,
                l.items,
                [l.items[3], l.items[17], l.items[30], 50001, 50002] as relevant,
                [1e0, 2e0, 3e0, 1e0, 2e0] as relevance
            from lists as l
            """
        )
        self.con.execute("create table twice as from few")
        self.con.execute(f"delete from few where n >= {rows}")
        self.con.execute("create table text as select items::varchar[] as items, relevant::varchar[] as relevant from few")
        self.con.execute(f"create table equal as select l.* from few as l, range({rows}) where l.n = 0")

    def literal(self, call: str) -> float:
        """Milliseconds of one call."""
        return 1e3 * self.seconds(lambda: self.con.execute(f"select recsql.{call}").fetchall(), 5 * self.repeat)

    def row(self, call: str, table: str = "few") -> float:
        """Microseconds of a row."""
        query = f"select sum(recsql.{call}) from {table}"
        return 1e6 * self.seconds(lambda: self.con.execute(query).fetchall(), self.repeat) / self.rows

    def seconds(self, run: Callable[[], object], times: int) -> float:
        run()
        found = []
        for _ in range(times):
            start = time.process_time()
            run()
            found.append(time.process_time() - start)
        return median(found)


def measured(rows: int, repeat: int) -> list[Row]:
    lists = Lists(rows, repeat)
    found = [Row(f"{name}, one call on literals", lists.literal(f"{name}({LITERALS})"), 5, "ms") for name in METRICS]
    found += [Row(f"{name}, a row", lists.row(f"{name}({COLUMNS})"), most, "us") for name, most in METRICS.items()]
    found += [Row(f"{name}, a row with relevance", lists.row(f"{name}({COLUMNS}{GRADED})"), 10, "us") for name in METRICS]
    for name in ("precision", "ndcg"):
        plain = lists.row(f"{name}({COLUMNS})")
        ratios = {
            "twice the rows / these": (lists.row(f"{name}({COLUMNS})", "twice") / plain, 2.2),
            "equal rows / different ones": (lists.row(f"{name}({COLUMNS})", "equal") / plain, 1.1),
            "text ids / integers": (lists.row(f"{name}({COLUMNS})", "text") / plain, 2),
        }
        found += [Row(f"{name}, {work}", ratio, most, "") for work, (ratio, most) in ratios.items()]
    return found


def table(rows: int, repeat: int) -> str:
    return "\n".join(["| over two lists | | goal | |", "|---|---|---|---|", *map(str, measured(rows, repeat))])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5, help="5 by default")
    parser.add_argument("--rows", type=int, default=ROWS, help=f"{ROWS} by default")
    asked = parser.parse_args()
    print(table(asked.rows, asked.repeat), machine(), sep="\n\n")


if __name__ == "__main__":
    main()
