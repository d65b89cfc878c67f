"""The commands that make lists, truth and segments: rows of the table of commands."""

from functools import partial

import recsql
from recsql.catalog.grammar import DEFAULT_LENGTH
from recsql.cli import commands, flags
from recsql.cli.flags import ENGINE, INPUT, WRITTEN, Argument, Flag, columns, one_cutoff, output
from recsql.cli.row import Command
from recsql.cli.running import calls

MAKERS = {
    "split": Command(
        "divide interactions into train and truth, by a protocol",
        commands.split,
        (
            Argument("interactions", "INTERACTIONS", "a table of user_id, item_id, timestamp (or --order-by)"),
            INPUT,
            Flag("--train", "FILE", "default: train.parquet, if no such file exists"),
            Flag("--truth", "FILE", "default: truth.parquet, if no such file exists"),
            output("write all rows with the column part, and fold if there are several, to one file instead"),
            *flags.OF_PAIRS,
            *ENGINE,
        ),
        (
            "recsql split ratings.parquet --protocol temporal --fraction 0.2 -o p.parquet",
            "recsql split ratings.parquet --protocol last_n --n 2 --train a.pq --truth t.pq",
            "recsql split ratings.parquet --protocol k_fold -o folds.parquet",
        ),
        ("interaction",),
    ),
    "labels": Command(
        "make the truth from a log of events, in Parquet files",
        commands.labels,
        (
            Argument("events", "EVENTS", "a table of user_id, item_id, ts and perhaps type"),
            INPUT,
            flags.new_file("recs", "the file for the shown lists"),
            flags.new_file("truth", "the file for the labels"),
            *columns("user item ts type rank model request surface examination"),
            *ENGINE,
        ),
        (
            "recsql labels log.csv --start 2026-03-01 --truth after.parquet",
            "recsql labels log.csv --impressions shown.csv --recs r.pq --truth t.pq",
        ),
        ("event",),
    ),
    "popularity": Command(
        "the most popular items of each user, as lists",
        calls(recsql.popularity, is_long=True),
        (
            flags.TRAIN,
            INPUT,
            one_cutoff("the length of the lists", DEFAULT_LENGTH),
            Argument("--users", "TABLE", "a table of user_id, such as the truth: these users also get lists"),
            partial(flags.own, "popularity__seen"),
            *WRITTEN,
            *flags.OF_PAIRS,
            *ENGINE,
        ),
        ["recsql popularity ratings.parquet -k 10 -o popularity.parquet"],
        ("popular",),
    ),
    "segments": Command(
        "the segments of each user: activity, warm and mainstream",
        calls(recsql.segments, is_long=True),
        (flags.TRAIN, flags.TRUTH, INPUT, *WRITTEN, *flags.OF_TRUTH, *ENGINE),
        ["recsql segments ratings.parquet truth.parquet -o segments.parquet"],
    ),
    "candidates": Command(
        "the truth of each user and n items that are new to them",
        calls(recsql.candidates, is_long=True),
        (flags.TRUTH, flags.ITEMS, flags.TRAIN, INPUT, *WRITTEN, *flags.OF_TRUTH, *ENGINE),
        ["recsql candidates truth.parquet items.parquet ratings.parquet -o drawn.parquet"],
        ("draw",),
    ),
    "fuse": Command(
        "fuse the lists of several models into one",
        calls(recsql.fuse, is_long=True),
        (*flags.RECS, partial(flags.own, "method", "fusion__k", "weights"), *WRITTEN, *flags.OF_RECS, *ENGINE),
        (
            "recsql fuse recs.parquet -o fused.parquet",
            "recsql fuse pop=pop.parquet ease=ease.csv --method comb_mnz -o fused.parquet",
        ),
        ("fusion",),
    ),
}
