"""The functions that run the commands."""

import argparse
from contextlib import suppress
from pathlib import Path

import recsql
from recsql import shell
from recsql.base.errors import RecsqlError, nearest
from recsql.base.printing import print_text
from recsql.base.wording import flag
from recsql.calls.compare import options_of_tests
from recsql.calls.curve import drawer
from recsql.calls.split import PARTS, divided
from recsql.catalog import catalog
from recsql.catalog.grammar import DEFAULT_CUTOFF, DEFAULT_LENGTH, named
from recsql.catalog.headers import Topic, canonical
from recsql.cli import results
from recsql.cli.asked import cutoff_text, cutoffs, metric_names, options, parquet_out, settings, users_out
from recsql.cli.completing import script
from recsql.cli.gate import settings_for, show_judged
from recsql.cli.new import new_metric
from recsql.cli.process import say
from recsql.cli.results import show
from recsql.cli.stepping import rows_after, walk
from recsql.cli.topics import metric_text, metrics_text, topic_text


def evaluate(asked: argparse.Namespace) -> None:
    if not stops("evaluate", asked):
        show(recsql.evaluate(asked.recs, asked.truth, metric_names(asked), cutoffs(asked), **settings(asked)), asked)


def per_user(asked: argparse.Namespace) -> None:
    if not stops("per_user", asked):
        rows = recsql.per_user(
            asked.recs, asked.truth, metric_names(asked), cutoffs(asked), into=parquet_out(asked), **settings(asked)
        )
        show(rows, asked)


def stops(target: str, asked: argparse.Namespace) -> bool:
    """Shows the rows of a step if the command should stop after one; returns whether it should."""
    if asked.stop_after is not None:
        show(rows_after(target, asked), asked)
    elif asked.user_id is not None:
        raise RecsqlError("--user-id: it chooses rows of a step; add --stop-after STEP, or use recsql explain")
    return asked.stop_after is not None


def explain(asked: argparse.Namespace) -> None:
    width = None if asked.output else results.width()
    if asked.user_id is None:
        show(recsql.explain(asked.recs, asked.truth, metric_names(asked), cutoffs(asked), **settings(asked)), asked, width)
    elif results.kind_of(asked) == "table":
        results.show_text("\n\n".join(walk(asked, width)), asked)
    else:
        raise RecsqlError("--format: with --user-id, explain only has tables for people; try recsql evaluate --stop-after STEP")


def hits(asked: argparse.Namespace) -> None:
    k, into = cutoff_text(asked) or DEFAULT_CUTOFF, parquet_out(asked)
    show(recsql.hits(asked.recs, asked.truth, k, user_id=asked.user_id, into=into, **settings(asked)), asked)


def partial(asked: argparse.Namespace) -> None:
    recsql.partial(asked.recs, asked.truth, asked.output, metric_names(asked), cutoffs(asked), **settings(asked))


def merge(asked: argparse.Namespace) -> None:
    show(recsql.merge(asked.parts, **settings(asked)), asked)


def curve(asked: argparse.Namespace) -> None:
    drawer(asked.output)  # first, so that nothing is computed if it can't be drawn
    recsql.curve(asked.recs, asked.truth, metric_names(asked), cutoffs(asked), **settings(asked)).save(asked.output)


def compare(asked: argparse.Namespace) -> None:
    given = settings_for(settings(asked), asked.fail_if, asked.max_missing)
    into = users_out(asked)
    result = recsql.compare(asked.recs, asked.truth, metric_names(asked), cutoffs(asked), **given)
    if into is not None:
        of_users = {name: value for name, value in given.items() if name not in (*options_of_tests(), "min_users")}
        recsql.differences(asked.recs, asked.truth, metric_names(asked), cutoffs(asked), into=into, **of_users)
    show_judged(result, asked)


def conventions(asked: argparse.Namespace) -> None:
    show(recsql.conventions(asked.recs, asked.truth, metric_names(asked), cutoffs(asked), **settings(asked)), asked)


def item_metrics(asked: argparse.Namespace) -> None:
    show(recsql.item_metrics(asked.recs, metric_names(asked), cutoffs(asked), **settings(asked)), asked)


def rate(asked: argparse.Namespace) -> None:
    show(recsql.evaluate_ratings(asked.predictions, metrics=metric_names(asked), **settings(asked)), asked)


def labels(asked: argparse.Namespace) -> None:
    given = settings(asked)
    impressions = given.pop("impressions", None)
    with_lists = impressions is not None and given.get("unit", "request") == "request"
    files = {"recs": asked.recs_file, "truth": asked.truth_file}
    for part in ("recs", "truth") if with_lists else ("truth",):
        files[part] = files[part] or free(f"{part}.parquet", part)
    say(recsql.labels(asked.events, impressions, **files, **given))


def free(file: str, part: str) -> str:
    """The usual file of a part; raises RecsqlError if it is already there."""
    if Path(file).exists():
        raise RecsqlError(f"{file}: it already exists; choose another file with {flag(part)}")
    return file


def split(asked: argparse.Namespace) -> None:
    parts = PARTS
    if asked.output is not None:
        files = {part: getattr(asked, part) for part in parts}
        if any(files.values()):
            raise RecsqlError("--output: it is for all rows with the column part; give it, or --train and --truth")
        rows, told = divided(asked.interactions, files, parquet_out(asked), settings(asked))
        show(rows, asked)
    else:
        files = {part: getattr(asked, part) or free(f"{part}.parquet", part) for part in parts}
        _, told = divided(asked.interactions, files, None, settings(asked))
    for sentence in told:
        say(sentence)


def popularity(asked: argparse.Namespace) -> None:
    k = cutoff_text(asked) or DEFAULT_LENGTH
    show(recsql.popularity(asked.train, k, asked.users, into=parquet_out(asked), **settings(asked)), asked)


def segments(asked: argparse.Namespace) -> None:
    show(recsql.segments(asked.train, asked.truth, into=parquet_out(asked), **settings(asked)), asked)


def candidates(asked: argparse.Namespace) -> None:
    tables = asked.truth, asked.items, asked.train
    show(recsql.candidates(*tables, into=parquet_out(asked), **settings(asked)), asked)


def sql(asked: argparse.Namespace) -> None:
    names, ks = metric_names(asked), cutoffs(asked)
    text = recsql.sql(asked.recs, asked.truth, names, ks, stop_after=asked.stop_after, plain=asked.plain, **settings(asked))
    results.show_text(text, asked)


def macros(asked: argparse.Namespace) -> None:
    file = shell.File(asked.schema, metric_names(asked), options(asked))
    if asked.output and asked.output.endswith(shell.DATABASE):
        shell.save_database(file, asked.output)
    else:
        results.show_text(file.text.rstrip("\n"), asked)


def metrics(asked: argparse.Namespace) -> None:
    if results.kind_of(asked) == "table" and not asked.output and results.width():
        print_text(metrics_text())
    else:
        show(recsql.metrics(), asked)


def new(asked: argparse.Namespace) -> None:
    print_text(new_metric(asked.name))


def show_help(asked: argparse.Namespace) -> None:
    """The help of a command, a metric, a topic, or the topic of an option; without a name, all commands and topics."""
    name, top = asked.subject, asked.parser()
    if name is None:
        text = top.format_help()
    elif name in top.commands.choices:
        text = top.commands.choices[name].format_help()
    else:
        metric, topics = metric_called(name), catalog().topics
        texts = [metric_text(metric)] if metric else []
        texts += [topic_text(topic_called(name, asked))] if not metric or name in topics else []
        text = "\n\n".join(texts)
    print_text(text.rstrip())


def metric_called(name: str) -> str | None:
    """The metric of that name; None if there is none, or if it is the name of several."""
    with suppress(RecsqlError):
        return named(name.partition("@")[0]).metric
    return None


def topic_called(name: str, asked: argparse.Namespace) -> Topic:
    """The topic with that name, or that of the option with that name; it is wrong usage if there is none."""
    topics, options = catalog().topics, catalog().options
    first = sorted(options.values(), key=lambda option: option.name == option.called)
    known = {option.called: topics[option.topic] for option in first} | topics
    if (found := canonical(name.lstrip("-"))) not in known:
        hint = nearest(name, [*asked.parser().commands.choices, *known, *catalog().names])
        asked.command.error(f"there is no command, topic, option or metric {name}; {hint}")
    return known[found]


def completion(asked: argparse.Namespace) -> None:
    print_text(script(asked.parser(), asked.shell))
