"""How far recsql is from its goals: ratios of seconds, each measured side by side in one run, medians of several.

Run from the root of the repository: python -m tests.benchmarks.goals. Every contender runs in a process of its own. The data of
each row is made for it and removed after it, largest last; rows that the disk has no room for are left out, and said to be.
"""

import argparse
import shutil
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from tests.benchmarks import lists
from tests.benchmarks.benchmark import PEERS, Contender, machine, prepare


@dataclass(frozen=True)
class Data:
    """What is measured on: its kind (see make_data.py) and size; `room`: bytes of disk that it may take, with what is spilled."""

    kind: str
    users: int
    recs: int
    truth: int
    items: int

    @property
    def room(self) -> int:
        return self.users * self.recs * (80 if self.kind == "models" else 20)

    def scaled(self, scale: float) -> list[str]:
        users = max(100, int(self.users * scale))
        return [str(users), str(self.recs), str(self.truth), str(self.items), "--kind", self.kind]


@dataclass(frozen=True)
class Goal:
    """One row: a contender's seconds, over those of another, at most (or at least) so much; `per`: of so many times the rows."""

    work: str
    data: Data
    name: str
    against: str
    most: float
    limit: str = ""
    against_limit: str = ""
    against_data: Data | None = None
    per: float = 1
    faster: bool = False  # the other over the contender, at least

    @property
    def runs(self) -> list[tuple[Data, str, str]]:
        return [(self.data, self.name, self.limit), (self.against_data or self.data, self.against, self.against_limit)]


MAIN = Data("plain", 1_000_000, 50, 5, 50_000)
LESS = Data("plain", 100_000, 50, 5, 50_000)  # ranx takes more memory than most machines have for ten times as many
TIED = Data("tied", 1_000_000, 50, 5, 50_000)
TEXT = Data("text", 1_000_000, 50, 5, 50_000)
FOUR = Data("models", 1_000_000, 50, 5, 50_000)
SOME = Data("models", 125_000, 50, 5, 50_000)
RUNS = Data("runs", 300, 100, 50, 5_000)
MANY_RUNS = Data("runs", 6_667, 100, 50, 5_000)
DENSE = Data("dense", 200_000, 50, 100, 600)
LONG, LONGER, LONGEST = (Data("long", users, 100, 5, 1_000_003) for users in (500_000, 5_000_000, 10_000_000))
LOG = Data("log", 500_000, 10, 2, 20_000)  # requests instead of users
SPANS = Data("spans", 500_000, 20, 2, 100_000)
TINY = Data("plain", 100, 10, 5, 100)
GOALS = [
    Goal("six metrics at four cut-offs, Python / floor", MAIN, "python", "floor", 1.6),
    Goal("the same through the macro / floor", MAIN, "macro", "floor", 2.0),
    Goal("the same through the macro / Python", MAIN, "macro", "python", 1.2),
    Goal("Polars by hand / Python, 5 million rows, import and all", LESS, "python", "polars", 1, faster=True),
    Goal("Polars by hand / Python", MAIN, "python", "polars", 2.2, faster=True),
    Goal("RecTools / Python", MAIN, "python", "rectools", 15, faster=True),
    Goal("ranx / Python, 5 million rows", LESS, "python", "ranx", 60, faster=True),
    Goal("all metrics of lists at ten cut-offs / the six at four", MAIN, "all_at_ten", "python", 2),
    Goal("per_user as a file / evaluate", MAIN, "per_user_file", "python", 1.5),
    Goal("cold_share / the lists joined with an attribute", MAIN, "cold_share", "joined", 1.3),
    Goal("ild of 10 times the lists", MAIN, "ild", "ild", 11, against_data=LESS),
    Goal("personalisation of 10 times the lists", MAIN, "personalisation", "personalisation", 11, against_data=LESS),
    Goal("check, quick / evaluate", MAIN, "checked_quickly", "python", 1.5),
    Goal("check, full / evaluate", MAIN, "checked", "python", 4),
    Goal("score given, no ties / rank given", MAIN, "by_score", "python", 2.5),
    Goal("score given, ten items a score / rank given", TIED, "by_score", "python", 2.5),
    Goal("text ids / floor on them", TEXT, "python", "floor", 1.7),
    Goal("four models in one file / one", FOUR, "python", "python", 4.4, against_data=MAIN),
    Goal("four models with intervals / without", FOUR, "with_interval", "python", 1.3),
    Goal("three models against a baseline / evaluated", FOUR, "compared", "python", 1.5),
    Goal("the same by Wilcoxon's test / evaluated", FOUR, "compared_by_ranks", "python", 3),
    Goal("four models in five segments / all users", FOUR, "by_segment", "python", 2),
    Goal("conventions of 25 million rows / evaluate", SOME, "conventions", "ndcg", 8),
    Goal("runs of 2 million rows in TREC's format / as Parquet", MANY_RUNS, "runs", "runs_as_parquet", 1.5),
    Goal("a report of 300 queries and 3 runs / evaluate", RUNS, "reported", "runs", 8),
    Goal("labels of 5 million impressions and 1 million events / the ASOF join", LOG, "labelled", "last_impressions", 2.2),
    Goal("the same as two files / the ASOF join", LOG, "labelled_files", "last_impressions", 3),
    Goal("dense: half of each list relevant / floor", DENSE, "python", "floor", 1.8),
    Goal("a cut in time / interactions read and written", MAIN, "split_by_cut", "copied", 2),
    Goal("the last five of each user / interactions read and written", MAIN, "split_last", "copied", 2),
    Goal("recall of a million spans / of items", SPANS, "recall_of_spans", "recall_of_items", 2.2, "2GB", "2GB"),
    Goal("all metrics of spans / recall of items", SPANS, "all_of_spans", "recall_of_items", 6, "2GB", "2GB"),
    Goal("recall of spans in budgets / of items at ranks", SPANS, "recall_in_budgets", "recall_of_items", 2.5, "2GB", "2GB"),
    Goal("recall of items in budgets / at ranks", SPANS, "items_in_budgets", "recall_of_items", 2.5, "2GB", "2GB"),
    Goal("within 250MB / without limit", MAIN, "python", "python", 4, limit="250MB"),
    Goal("500 million rows / 50 million, per row", LONGER, "python", "python", 1.3, against_data=LONG, per=10),
    Goal("a billion rows within 4GB / floor", LONGEST, "python", "floor", 2, limit="4GB", against_limit="4GB"),
]


def measured(goals: list[Goal], repeat: int, scale: float) -> dict[tuple[Data, str, str], Contender]:
    """All that the goals need, data by data; what is not installed or finds no room is missing."""
    wanted = dict.fromkeys(run for goal in goals for run in goal.runs)
    found: dict[tuple[Data, str, str], Contender] = {}
    for data in dict.fromkeys(data for data, _, _ in wanted):
        with tempfile.TemporaryDirectory() as name:
            folder, free = Path(name), shutil.disk_usage(name).free
            if data.room * scale > free:
                rows = f"{data.kind}, {data.users * data.recs:,} rows"
                print(f"{rows}: {free / 1e9:.0f} GB of disk are free, {data.room / 1e9:.0f} needed")
                continue
            runs = {run: Contender(run[1], run[1], run[2]) for run in wanted if run[0] == data and installed(run[1])}
            prepare(folder, data.scaled(scale))
            for _ in range(repeat):
                for run in runs.values():
                    run.run(folder)
            found |= runs
    return found


def installed(name: str) -> bool:
    return name not in PEERS or find_spec(name) is not None


def table(goals: list[Goal], found: dict[tuple[Data, str, str], Contender]) -> str:
    rows = ["| | seconds | against | ratio | goal | |", "|---|---|---|---|---|---|"]
    for goal in goals:
        if all(run in found for run in goal.runs):
            ours, theirs = (median(found[run].seconds) for run in goal.runs)
            ratio = theirs / ours if goal.faster else ours / theirs / goal.per
            met = ratio >= goal.most if goal.faster else ratio <= goal.most
            bound = f"{'at least' if goal.faster else 'at most'} {goal.most:g}"
            rows.append(f"| {goal.work} | {ours:.2f} | {theirs:.2f} | {ratio:.2f} | {bound} | {'met' if met else 'missed'} |")
    return "\n".join(rows)


def at_start(found: list[Contender]) -> str:
    seconds = {one.name: median(one.seconds) for one in found}
    more = seconds["cold"] - seconds["imports"]
    return (
        f"The first result of a fresh process, on a tiny file: {more:.2f} s more than importing duckdb and pyarrow (goal: 0.25). "
        f"The macro file loads in {seconds['macro_file']:.2f} s (goal: 0.1), a database with the macros opens in "
        f"{seconds['macro_database']:.2f} s."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5, help="5 by default")
    parser.add_argument("--scale", type=float, default=1, help="of the number of users; 1 by default")
    parser.add_argument("--only", nargs="*", default=[], help="rows by words of theirs: --only billion dense")
    asked = parser.parse_args()
    goals = [goal for goal in GOALS if not asked.only or any(word in goal.work for word in asked.only)]
    if asked.scale != 1:
        print(f"A smoke run, {asked.scale:g} of the users: the goals are for all of them, and so are the rows named.\n")
    found = measured(goals, asked.repeat, asked.scale)
    print(table(goals, found), machine(), sep="\n\n")
    if not asked.only:
        start = [Contender(name, name) for name in ("imports", "cold", "macro_file", "macro_database")]
        with tempfile.TemporaryDirectory() as name:
            prepare(Path(name), TINY.scaled(1))
            for _ in range(asked.repeat):
                for one in start:
                    one.run(Path(name))
        print(f"\n{at_start(start)}", lists.table(max(100, int(lists.ROWS * asked.scale)), asked.repeat), sep="\n\n")
    peaks = {f"{run.name}, {data.users * data.recs:,} rows": max(run.peaks) for (data, _, limit), run in found.items() if limit}
    for label, peak in peaks.items():
        print(f"{label}: {peak / 1e9:.2f} GB at most")


if __name__ == "__main__":
    main()
