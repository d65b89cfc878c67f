"""The lines under a table of metrics: who is in the mean, how others are treated, and how far to trust the values."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from recsql.base.text import on_one_line, span
from recsql.base.wording import either
from recsql.catalog import catalog
from recsql.catalog.grammar import labelled, name_in
from recsql.query.needs import made_from, needs_of
from recsql.query.results import USER_OF_A_PART, OfModel, Row, metadata_of

Options = Mapping[str, str]
Averaged = Mapping[str, Options]  # the metrics that are means over users, with their definitions and options
ENOUGH = 200  # users: with more, an interval has few only if nearly all values are 0, or clusters are few
MANY = 12  # models: of more, a line has a range in place of a count for each
TIED = 0.05  # the share of lists with ties at a cut-off above which a line reports them
ROUNDING = 1e-9  # the most that rounding adds to a sum of shares


def notes(result: pa.Table) -> list[str]:
    """One line per fact. If the metadata is lost, the lines are only about few users and slices."""
    lines = [*population(result), *of_input(result), *few(result)]
    models = metadata_of(result).get("models", ())
    if any(model.get("segments_left_out") for model in models):
        lines.append(left_out(result, by_model(models, [int(model["segments_left_out"]) for model in models])))
    return [*lines, *shared_users(result)] if "slice" in result.column_names else lines


def definitions(result: pa.Table) -> Iterator[str]:
    """The line on metrics with options that their names don't show, of each model if they differ between models."""
    rows = [*zip(*(result[name].to_pylist() for name in ("metric", "definition", "model")), strict=True)]
    meanings = Counter(metric for metric, _ in {(metric, one) for metric, one, _ in rows})
    apart = {metric for metric, count in meanings.items() if count > 1 and "preset" not in result.column_names}
    told = [f"{metric} is {one}" for metric, one, _ in rows if one not in (metric, name_in(one)) and metric not in apart]
    told += [f"{metric} of {on_one_line(str(model))} is {one}" for metric, one, model in rows if metric in apart]
    if told:
        yield f"Definitions: {', '.join(dict.fromkeys(told))}."


def of_sample(result: pa.Table) -> Iterator[str]:
    """The line on the sample of users that `conventions` drew."""
    if drawn := metadata_of(result).get("sample"):
        size = f"{drawn['users']:,} of {drawn['of']:,} users, with {100 * drawn['interval']:g} % intervals"
        yield f"The values are those of a sample: {size}; {either('sample=1', '--sample 1')} takes all users."


def of_input(result: pa.Table) -> Iterator[str]:
    """The lines on the input: the judged share of the lists, ties at a cut-off, and a column of truth that is not read."""
    metadata = metadata_of(result)
    counts = [(one, f"{one['judged']:,} of {one['items']:,}") for one in metadata.get("judged", ()) if one["items"]]
    told = [f"{named(one['model'])}{text} ({one['judged'] / one['items']:.1%})" for one, text in counts]
    if told:
        yield f"Judged items in the whole lists of users with truth: {first(told)}."
    tied = [one for one in metadata.get("models", ()) if one.get("tied_lists", 0) > TIED * one["lists"]]
    if tied:
        of_each = [f"{named(one['model'])}{one['tied_lists']:,} of {one['lists']:,} lists" for one in tied]
        expected = either("ties='expected'", "--ties expected")
        yield f"Tied scores at the cut: {first(of_each)}; {expected} averages over their orders."
    unfit = [one for one in metadata.get("unfit", ()) if one["unfit"]]
    if unfit:
        of_each = [f"{named(one['model'])}{one['unfit']:,} of {one['lists']:,} lists" for one in unfit]
        yield f"Nothing fits: {first(of_each)} at {unfit[0]['k']}."
    for one in metadata.get("weights", ()):
        floor = f"; {one['at_floor']:,} are at the floor" if one["at_floor"] else ""
        yield (
            f"Weights by {one['of']}: the {one['found']:,} relevant rows of truth tell as much as {one['effective']:,.0f} "
            f"of equal weight; the largest has {one['largest']:.2%} of the weight{floor}."
        )
    yield from metadata.get("notes", ())


# -- users and lists


def population(result: pa.Table) -> Iterator[str]:
    """The lines on the users in the mean, also of a comparison, and on lists in other metrics if models have more than others."""
    known = {name for name, options in metadata_of(result).get("metrics", {}).items() if "no_recs" not in options}
    of_all = [row for row in result.to_pylist() if row.get("slice") is None] if "lists" in result.column_names else []
    lists = {row["model"]: row["lists"] for row in of_all if row["metric"] in known}
    if len({*lists.values()}) > 1:
        told = by_model([{"model": model} for model in lists], [*lists.values()])
        yield f"The models are measured on different lists: {told}."
    metadata = metadata_of(result)
    models = metadata.get("models", ())
    averaged = {name: options for name, options in metadata.get("metrics", {}).items() if "no_recs" in options}
    if not models or not averaged:
        return
    every = result.to_pylist()
    if {*(row["model"] for row in every)} - {one["model"] for one in models}:
        yield "The counts of users of some models are lost; recsql.concat, in place of Arrow's own function, keeps those of all."
        return
    rows = [row for row in every if row["metric"] in averaged and row.get("slice") is None]
    in_the_mean = {row["users"] for row in rows if row["users"] is not None} or {0}
    # If the number varies, the table has a column users.
    is_one = len(in_the_mean) == 1 or {"baseline", "rank"} & {*result.column_names}
    users = span([*in_the_mean]) if is_one else "see the column users"
    with_truth = by_model(models, [model["users_with_truth"] for model in models])
    yield f"Users in the mean: {users}. Users with truth: {with_truth}."

    def meaning(options: Options, name: str) -> str:
        return dict(catalog().options[name].values)[options[name]]

    zeros = [averaged[name] for name in metadata.get("zeros", ()) if name in averaged]

    def without_list(options: Options) -> str:
        if options["users"] == "intersection" or options["no_recs"] == "skip":
            return "left out"
        return "counted as 0" if options in zeros else "counted as an empty list"

    def without_truth(options: Options) -> str:
        counted = options["users"] == "union" and options["no_truth"] not in ("one", "one_if_both_empty")
        return "counted as 0" if counted else meaning(options, "no_truth")

    for who, policy, counts in (
        ("Without a list", without_list, [model["users_without_list"] for model in models]),
        ("Lists without truth", without_truth, [model["lists_without_truth"] for model in models]),
    ):
        if any(counts):
            effects = {policy(options) for options in averaged.values()}
            effect = f" ({effects.pop()})" if len(effects) == 1 else ""  # empty if metrics differ in it
            yield f"{who}{effect}: {by_model(models, counts)}."
    yield from short_lists(rows, models, averaged)
    if metadata.get("unit") == USER_OF_A_PART:
        yield "Some users are in several parts and count once in each."


def short_lists(rows: Sequence[Row], models: Sequence[OfModel], averaged: Averaged) -> Iterator[str]:
    """The line on lists shorter than a cut-off by which metrics divide all the same; None if the lists are long enough."""
    files = {metric: made_from(name_in(options["definition"])) for metric, options in averaged.items()}
    dividing = {one for one, sources in files.items() if any("cutoff" in needs_of(source, averaged[one]) for source in sources)}
    rows = [row for row in rows if row["metric"] in dividing and row["k"]]
    deepest = max((row["k"] for row in rows), default=0)
    lengths = [model["longest_list"] for model in models]
    if any(0 < length < deepest for length in lengths):
        told = by_model(models, lengths)
        at_most = f"Lists have at most {told} item{'s' if lengths[0] > 1 else ''}"
        longest = at_most if len({*lengths}) == 1 else f"Items in the longest list: {told}"
        metrics = dict.fromkeys(labelled(row["metric"], deepest) for row in rows if row["k"] == deepest)
        yield f"{longest}; {' and '.join(metrics)} divide{'' if len(metrics) > 1 else 's'} by {deepest}."


def by_model(models: Sequence[OfModel], counts: Sequence[int]) -> str:
    """A count for all models, or one per model if they differ; of more than `MANY` models, the least and the most."""
    told = [(count, named(model["model"])) for model, count in zip(models, counts, strict=True)]
    if len({*counts}) > 1 and len(models) > MANY:
        return " to ".join(f"{count:,} ({name.strip()})" for count, name in (min(told), max(told)))
    return f"{counts[0]:,}" if len({*counts}) == 1 else ", ".join(f"{name}{count:,}" for count, name in told)


def first(texts: Sequence[str]) -> str:
    """The texts on `MANY` models, and the number of the others."""
    return ", ".join([*texts[:MANY], *([f"and {len(texts) - MANY} more"] if len(texts) > MANY else [])])


def named(model: str | None) -> str:
    """The name of a model as the beginning of a text; empty for a model without a name."""
    return "" if model is None else f"{on_one_line(model)} "


# -- intervals


def few(result: pa.Table) -> Iterator[str]:
    """The coverage of the intervals, if the metadata says it; then the intervals with few users."""
    if "few" not in result.column_names:
        return
    metadata = metadata_of(result)
    for level in dict.fromkeys(made["interval"] for made in metadata.get("options", ()) if made["interval"] is not None):
        yield f"Intervals: {100 * level:g} %."
    rows = [row for row in result.to_pylist() if row["few"]]
    if not rows:
        return
    which = f"{len(rows):,} intervals"
    if len(rows) == 1:
        [row] = rows
        of_model = "" if row["model"] is None else f" of {on_one_line(row['model'])}"
        in_segment = "" if row.get("slice") is None else f" in a segment of {row['slice']}"
        which = f"the interval of {labelled(row['metric'], row['k'])}{of_model}{in_segment}"
    users = [row["users"] for row in rows if row["users"] is not None]
    size = why = ""
    if users and metadata and max(users) >= ENOUGH:
        why = "fewer than 50 of them not 0" + (" or in fewer than 40 clusters" if metadata.get("clustered") else "")
        why = f", {why if min(users) >= ENOUGH else f'fewer than {ENOUGH} or {why}'}"
    if users:
        size = f" ({span(users)} user{'' if max(users) == 1 else 's'}{why})"
    yield f"* few users: {which} may be too narrow{size}."


# -- slices


def left_out(result: pa.Table, counts: str) -> str:
    return f"Segments with fewer than {metadata_of(result)['options'][0]['min_users']} users (left out): {counts}."


def shared_users(result: pa.Table) -> Iterator[str]:
    """A line for each slice with shares that add up to more than 1."""
    sums: dict[tuple[str | None, ...], float] = {}
    for row in result.to_pylist():
        key = tuple(row.get(name) for name in ("slice", "model", "baseline", "metric", "k"))
        sums[key] = sums.get(key, 0.0) + (row["share"] or 0.0)
    for name in dict.fromkeys(key[0] for key, total in sums.items() if key[0] is not None and total > 1 + ROUNDING):
        yield f"Some users are in several segments of {name} and count in each, so the shares add up to more than 1."
