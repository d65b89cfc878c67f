"""The table of commands.

To add a command, add a row. To add a flag to one command, add a line to its row: an `Argument` if it is an argument of the
function, else a `Flag`, which the command's own run reads. The flags that several commands share are in `flags.py`.
"""

from functools import partial

import recsql
from recsql.base.package import SKILLS, skill
from recsql.calls.check import LEVELS, SEVERITIES
from recsql.calls.curve import CUTOFFS
from recsql.calls.judge import JUDGING
from recsql.catalog.grammar import DEFAULT_CUTOFF
from recsql.cli import commands, flags
from recsql.cli.commands import NEVER, PAGE
from recsql.cli.flags import ENGINE, GATE, INPUT, LISTS, WRITTEN, Argument, Flag, columns, measured, one_cutoff, output
from recsql.cli.makers import MAKERS
from recsql.cli.row import Command
from recsql.cli.running import GITHUB, calls
from recsql.display.output import FORMATS
from recsql.query import plan

ITSELF = "recsql itself"
TABLE = {  # the commands by what they are for
    "evaluate": {
        "evaluate": Command(
            "the metrics averaged over users",
            commands.calls_or_stops(recsql.evaluate),
            (*flags.SUITE, *measured(), *flags.STEP, flags.FLOOR, flags.ODD, *flags.SHAPED, *flags.OF_LISTS_AND_ITEMS, *ENGINE),
            (
                "recsql evaluate recs.parquet truth.parquet",
                "recsql evaluate recs.parquet truth.parquet -k 10 -m ndcg,recall --like ranx",
                "recsql evaluate pop=pop.parquet ease=ease.csv truth.csv",
                "recsql evaluate recs.parquet truth.parquet --no-recs skip -o result.csv",
            ),
            plan.LISTS_AND_ITEMS,
        ),
        "per-user": Command(
            "the metrics of each user, one column per metric",
            commands.calls_or_stops(recsql.per_user, is_long=True),
            (*LISTS, *measured(), *flags.STEP, flags.ODD, *WRITTEN, *flags.OF_LISTS_AND_ITEMS, *ENGINE),
            ["recsql per-user recs.parquet truth.parquet -k 10 -m ndcg -o per_user.parquet"],
            plan.USERS,
        ),
        "item-metrics": Command(
            "the metrics of all lists together",
            calls(recsql.item_metrics),
            (*flags.RECS, *measured(), *flags.SHAPED, *flags.OF_RECS_AND_ITEMS, *ENGINE),
            ["recsql item-metrics recs.parquet -k 10 --items items.parquet"],
            plan.ITEMS,
        ),
        "rate": Command(
            "how far predictions are from ratings",
            calls(recsql.evaluate_ratings),
            (flags.PREDICTIONS, INPUT, flags.METRIC, *WRITTEN, *columns("user item rating prediction model"), *ENGINE),
            ["recsql rate predictions.parquet -m mae,rmse"],
            plan.RATINGS,
        ),
        "curve": Command(
            "draw metrics over k",
            commands.curve,
            (*LISTS, *measured(f"{CUTOFFS[0]}..{CUTOFFS[-1]}"), flags.CHART, *flags.OF_LISTS_AND_ITEMS, *ENGINE),
            ["recsql curve recs.parquet truth.parquet -m ndcg -o curve.svg"],
            plan.LISTS_AND_ITEMS,
        ),
        "partial": Command(
            "evaluate some of the users, as a file for merge",
            commands.partial,
            (*LISTS, *measured(), output("the Parquet file to write", required=True), *flags.OF_LISTS_AND_ITEMS, *ENGINE),
            ["recsql partial recs.parquet truth.parquet -k 10 -m ndcg -o part.parquet"],
            plan.LISTS_AND_ITEMS,
        ),
        "merge": Command(
            "combine files of partial into the result for all users",
            calls(recsql.merge),
            (flags.PARTS, flags.of_merge, *flags.OF_PAIRS, *ENGINE, *flags.SHAPED),
            ("recsql merge part.parquet", "recsql merge part.parquet --interval"),
        ),
    },
    "compare": {
        "compare": Command(
            "compare models in pairs, with intervals and tests",
            commands.compare,
            (
                *flags.SUITE,
                *measured(),
                flags.of_comparison,
                *flags.FAIL_IF,
                flags.ODD,
                Flag("--worst", "N", "also show the N users who lose most", type=int),
                Flag("--texts", "TABLE", f"for --worst: {flags.ABOUT_TEXTS}"),
                Flag("--users-out", "FILE", "each user's difference, as a Parquet file"),
                *WRITTEN,
                *flags.OF_LISTS_AND_ITEMS,
                *ENGINE,
            ),
            (
                "recsql compare recs.parquet truth.parquet -k 10 -m ndcg --baseline pop",
                "recsql compare pop=pop.parquet ease=ease.csv truth.csv -k 10 -o comparison.csv",
            ),
            plan.PAIRS,
        ),
        "rank": Command("ranks of models, with intervals", commands.rank, flags.OF_RANKS, flags.RANK, plan.RANKS),
        "forest": Command(
            "draw the differences between models",
            commands.forest,
            (*LISTS, *measured(), flags.of_comparison, flags.ODD, flags.CHART, *flags.OF_LISTS_AND_ITEMS, *ENGINE),
            ["recsql forest recs.parquet truth.parquet -k 10 --baseline pop -o forest.svg"],
            plan.PAIRS,
        ),
        "report": Command(
            "one HTML file that says which model is better",
            commands.report,
            (
                *LISTS,
                *measured(str(DEFAULT_CUTOFF)),
                partial(flags.of_comparison, flags.BASELINE),
                Argument("--main", "METRIC", "the metric that decides (default: the first one)"),
                *flags.OF_PAGE,
                flags.TEXTS,
                output(f"the file to write (default: {PAGE})"),
                Flag("--summary", "FILE", "also write the verdict, in Markdown"),
                *flags.FAIL_IF,
                Flag("--fail-on", "", "exit status 3 if check finds this or worse", GATE, choices=SEVERITIES),
                *flags.OF_LISTS_AND_ITEMS,
                *ENGINE,
            ),
            ["recsql report recs.parquet truth.parquet --baseline pop --items items.parquet"],
            plan.PAIRS,
        ),
        "overlap": Command(
            "how alike the lists of models are, without truth",
            calls(recsql.overlap),
            (
                *flags.RECS,
                one_cutoff("cut-off", DEFAULT_CUTOFF),
                partial(flags.own, "baseline", "overlap__denominator", "overlap__kind", "overlap__p", "overlap__depth"),
                Argument("--per-user", "", "the values of each user", action="store_true"),
                *WRITTEN,
                *flags.OF_RECS,
                *ENGINE,
            ),
            ("recsql overlap recs.parquet -k 10", "recsql overlap pop=pop.parquet ease=ease.csv -k 10 --kind most --per-user"),
            ("overlap",),
        ),
        "judge": Command(
            "which unjudged items decide a comparison, and bounds",
            calls(recsql.judge),
            (
                *LISTS,
                Argument("-m/--metric", "METRIC", "precision, hits, cg, dcg or rbp; or any other of bounds", required=True),
                one_cutoff("cut-off", DEFAULT_CUTOFF),
                flags.OptionFlag("-n/--n", "N", "the number of items (default: 20)"),
                partial(flags.own, "baseline", "judge__grade"),
                Argument("--bounds", "", "the bounds of each model's mean", action="store_true"),
                *WRITTEN,
                *flags.OF_LISTS,
                *ENGINE,
            ),
            (
                "recsql judge recs.parquet truth.parquet -m dcg -k 10 -n 20 -o judge.csv",
                "recsql judge recs.parquet truth.parquet -m ndcg -k 10 --bounds",
            ),
            JUDGING,
        ),
        "plan": Command(
            "what a test set can show, and how many users it needs",
            calls(recsql.plan),
            (*flags.PLANNED, *measured("10"), partial(flags.own, "plan__margin"), *WRITTEN, *flags.OF_LISTS, *ENGINE),
            ("recsql plan truth.parquet -m hit --margin 0.02", "recsql plan recs.parquet truth.parquet -m ndcg --margin 0.01"),
            plan.PLAN,
        ),
        "conventions": Command(
            "every preset, and what each of its options changes",
            calls(recsql.conventions),
            (*LISTS, *measured(str(DEFAULT_CUTOFF)), *WRITTEN, *flags.OF_LISTS_AND_ITEMS, *ENGINE),
            ["recsql conventions recs.parquet truth.parquet -k 10 -m hit"],
            plan.LISTS_AND_ITEMS,
        ),
    },
    "look closer": {
        "check": Command(
            "what is odd about the tables, and what to do about it",
            commands.check,
            (
                *LISTS,
                one_cutoff("cut-off", DEFAULT_CUTOFF),
                flags.METRIC,
                Argument("--level", "", "quick leaves out what needs a sort (default: full)", choices=LEVELS),
                Argument("--ignore", "FINDING", "findings to leave out", action="append", read=flags.metric_names),
                Argument("--severity", "FINDING=LEVEL", "another severity for a finding", action="append", read=flags.severities),
                Argument("--rows", "FINDING", "the rows that have this finding, in place of the report"),
                Flag("--fail-on", "", "exit status 3 from this severity on", choices=[*SEVERITIES, NEVER], default=SEVERITIES[0]),
                Flag("--format", "FORMAT", f"{flags.ABOUT_FORMAT}; or github, for annotations", choices=(*FORMATS, GITHUB)),
                output(),
                *flags.OF_LISTS_AND_ITEMS,
                *ENGINE,
            ),
            (
                "recsql check recs.parquet truth.parquet --items items.parquet",
                "recsql check recs.parquet truth.parquet --rows short_lists",
                "recsql check recs.parquet truth.parquet --fail-on error --format github",
            ),
            plan.FINDINGS,
        ),
        "hits": Command(
            "every recommended row in the top k, with running totals",
            calls(recsql.hits, is_long=True),
            (*LISTS, one_cutoff("cut-off", DEFAULT_CUTOFF), *flags.OF_HITS, *WRITTEN, *flags.OF_LISTS, *ENGINE),
            (
                "recsql hits recs.parquet truth.parquet -k 10 -o hits.parquet",
                "recsql hits recs.parquet truth.parquet --user-id 15558,4 --missed",
            ),
            plan.HITS,
        ),
        "explain": Command(
            "the steps of the query of evaluate, with their rows",
            commands.explain,
            (*LISTS, *measured(), flags.USER_ID, *WRITTEN, *flags.OF_LISTS_AND_ITEMS, *ENGINE),
            (
                "recsql explain recs.parquet truth.parquet",
                "recsql explain recs.parquet truth.parquet -k 10 -m ndcg --user-id 15558",
            ),
            plan.LISTS_AND_ITEMS,
        ),
        "sql": Command(
            "the query that evaluate runs",
            calls(recsql.sql),
            (
                *LISTS,
                *measured(),
                flags.STOP_AFTER,
                Argument("--plain", "", "a query to read: plain steps and sums, no checks of the input", action="store_true"),
                flags.of_dialect,
                output(),
                *flags.OF_LISTS_AND_ITEMS,
                *ENGINE,
            ),
            (
                "recsql sql recs.parquet truth.parquet -k 10 -m ndcg",
                "recsql sql recs.parquet truth.parquet -k 10 -m ndcg --plain",
                "recsql sql lake.recs lake.truth -k 10 -m ndcg --dialect spark",
                "recsql sql \"{{ ref('recs') }}\" \"{{ ref('truth') }}\" -m ndcg --dialect duckdb",
            ),
            plan.LISTS_AND_ITEMS,
        ),
    },
    "make lists, truth and segments": MAKERS,
    ITSELF: {
        "metrics": Command("all metrics, by group", commands.metrics, WRITTEN, ["recsql metrics --format csv"]),
        "help": Command(
            "help on a command, topic, option or metric",
            commands.show_help,
            [Flag("subject", "NAME", "a command, a topic, an option or a metric", nargs="?")],
            ("recsql help evaluate", "recsql help ties", "recsql help ndcg"),
        ),
        "macros": Command(
            "the macros of the DuckDB shell, as SQL or a database",
            commands.macros,
            (flags.METRIC, flags.SCHEMA, flags.CHECK, output()),
            (
                "recsql macros -o recsql.duckdb",
                "recsql macros --like trec_eval --schema trec_eval -o trec_eval.sql",
                "recsql macros -m err,ndcg --gain exp2 -o exp2.sql",
            ),
            (*plan.PAIRS, *plan.RATINGS, "overlap", "segment", "interaction", "event", "popular", "draw"),
        ),
        "skill": Command(
            "what agents that write code read to use recsql",
            calls(skill),
            [Argument("--link", "FOLDER", f"link it into a folder of skills (default: {SKILLS})", nargs="?", const=SKILLS)],
            ("recsql skill", "recsql skill --link", "recsql skill --link .claude/skills"),
        ),
        "new": Command(
            "write the files of a new metric into a checkout of recsql",
            calls(commands.new_metric),
            (
                Flag("kind", "metric", "what to add: metric", choices=["metric"]),
                Argument("name", "NAME", "the name of the metric"),
            ),
            ["recsql new metric my_metric"],
        ),
        "completion": Command(
            "the script that completes commands and options in a shell",
            commands.completion,
            [Flag("shell", "SHELL", "one of bash, zsh, fish", choices=("bash", "zsh", "fish"))],
            (
                "recsql completion bash >> ~/.bash_completion",
                "recsql completion zsh > ~/.zfunc/_recsql",
                "recsql completion fish > ~/.config/fish/completions/recsql.fish",
            ),
        ),
    },
}
COMMANDS = {name: row for rows in TABLE.values() for name, row in rows.items()}
