"""Further entries of the metadata: counts of users and lists, the judged share, and warnings about the input."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import pyarrow as pa

from recsql.base.errors import BadInput, warn
from recsql.base.wording import either, said
from recsql.catalog import catalog
from recsql.engines import Engine
from recsql.query.binding import Inputs
from recsql.query.render import Query
from recsql.query.results import Judged, Row

OF_LISTS = ("all_lists", "lists_without_truth", "longest_list", "tied_lists")
REPORTED = ("users_in_mean", "users_with_truth", *OF_LISTS, "segments_left_out")
OF_PAIRS = (*(f"base_{name}" for name in REPORTED), "shared_lists", "warning")
IDLE_TRUTH = "idle_truth"
COUNTS = (*REPORTED, *OF_PAIRS, IDLE_TRUTH)  # columns of queries that go into the metadata
WARN, ERROR, OFF = ON_ODDITY = ("warn", "error", "off")  # what to do about an oddity of the tables
FEW = 687  # the most users whose lack of hits proves nothing: 0.99 ^ 688 is 0.001
# The checks that only warn, and without which no value can be above 0.
APART = ("no_common_users", "no_common_items", "no_common_documents")


class Mean(NamedTuple):
    """One result: the model, the name of the metric as asked for, its value, and the number of users in it."""

    model: str | None
    metric: str
    value: float | None
    users: int


class Warned(NamedTuple):
    """A sentence on an oddity of the input; `is_error` says that it makes the numbers wrong, not only doubtful."""

    sentence: str
    is_error: bool = False


def drop_counts(rows: pa.Table) -> pa.Table:
    """The rows of a query without the columns that go into the metadata."""
    return rows.drop_columns([name for name in COUNTS if name in rows.column_names])


def count_models(rows: pa.Table, model: str = "model", prefix: str = "") -> list[Row]:
    """The counts of each model, from its first row, because metrics can count users differently."""
    columns = {f"{prefix}{name}": name.removeprefix("all_") for name in REPORTED if f"{prefix}{name}" in rows.column_names}
    first: dict[str | None, dict[str, int]] = {}
    for row in rows.to_pylist():
        first.setdefault(row[model], {name: row[column] for column, name in columns.items()})
    for counts in first.values():
        counts["users_without_list"] = counts["users_with_truth"] - (counts["lists"] - counts["lists_without_truth"])
    return [{"model": name, **counts} for name, counts in first.items()]


def count_pairs(rows: pa.Table) -> dict[str, list[Row]]:
    """The counts of each model and of each pair in a comparison; nothing if its parts have none."""
    known = rows.filter(rows["shared_lists"].is_valid())
    names = ["shared_lists", *({"segments_left_out"} & {*rows.column_names})]
    pairs = {(row["model"], row["baseline"]): row for row in known.select(["model", "baseline", *names]).to_pylist()}
    of_one = known.drop_columns(names)
    models = {one["model"]: one for one in [*count_models(of_one), *count_models(of_one, "baseline", "base_")]}
    return {"models": [*models.values()], "pairs": [*pairs.values()]} if pairs else {}


def add_models(counts: Iterable[Mapping[str, Sequence[Row]]]) -> dict[str, list[Row]]:
    """The counts of each model over several data sets, from those of each, as `count_pairs` has them."""
    each = pa.Table.from_pylist([one for found in counts for one in found["models"]])
    names = [name for name in each.column_names if name != "model"]
    added = each.group_by("model", use_threads=False)
    rows = added.aggregate([(name, "max" if name == "longest_list" else "sum") for name in names])
    return {"models": rows.rename_columns(["model", *names]).sort_by("model").to_pylist()}  # pairs come in any order


def count_judged(engine: Engine, bindings: Iterable[Inputs]) -> dict[str, list[Judged]]:
    """With judged_only, the number of judged items in each model's lists, of users with truth; otherwise empty."""
    for binding in bindings:
        if binding.known["judged_only"] == "true" and "recs" in binding.tables:
            return {"judged": engine.query(Query(binding, "judged_share").statement()).to_pylist()}
    return {}


def count_unfit(engine: Engine, bindings: Iterable[Inputs]) -> dict[str, object]:
    """With a budget, the number of each model's lists, and of those whose first row is above the smallest cut-off; else empty."""
    for binding in bindings:
        if binding.known["budget"] is not None and binding.known["crossing"] == "out":
            return {"unfit": engine.query(Query(binding, "unfit").statement()).to_pylist()}
    return {}


def count_weights(engine: Engine, bindings: Iterable[Inputs]) -> dict[str, list[Row]]:
    """With weights, how many relevant items have them, how many of equal weight tell as much, and the largest; else empty."""
    names = ("propensity", "propensity_power", "propensity_unseen", "propensity_floor")
    found: dict[str, list[Row]] = {}
    for one in (one for one in bindings if one.known["weighting"] != "none" and "truth" in one.tables):
        chosen = [f"{name}={one.known[name]!r}" for name in names if one.known[name] != catalog().options[name].default]
        found[", ".join(chosen)] = engine.query(Query(one, "weights").statement()).to_pylist()
    return {"weights": [{"of": name, **row} for name, rows in found.items() for row in rows]} if found else {}


def add_judged(metadata: Iterable[Row]) -> dict[str, list[Judged]]:
    """The judged items of several parts or folds together, from their metadata."""
    found: dict[str | None, Judged] = {}
    counted = [one["judged"] for one in metadata if "judged" in one]
    for row in chain(*counted):
        of_model = found.setdefault(row["model"], {"model": row["model"], "items": 0, "judged": 0})
        of_model["items"] += row["items"]
        of_model["judged"] += row["judged"]
    return {"judged": [*found.values()]} if counted else {}


def find_warnings(
    engine: Engine,
    bindings: Iterable[Inputs],
    values: Iterable[Mean] | None = None,
    models: Iterable[Row] = (),
    idle_truth: int | None = None,
    recs: str = "recs",
) -> Iterator[Warned]:
    """The warnings about the input of some queries. The tables are read only if a check applies and the warnings are.

    `values` are the results of a call with metrics: one may prove that a model has a hit. `models` are the counts of each model.
    `idle_truth` is the number of rows of the truth that are not relevant, or repeated, if it is known: without any, no item is
    judged twice. `recs` is the name of the lists.
    """
    bindings, without = list(bindings), dict[str | None, int]()
    if values is not None:
        proving = {name: proves for binding in bindings for name, proves in proofs(binding).items()}
        shown = [one for one in values if one.metric in proving]
        hitting = {one.model for one in shown if one.value and proving[one.metric]}
        without = {one.model: one.users for one in shown if one.model not in hitting and proving[one.metric]}
        unproven = bool(proving) and not (shown and hitting >= {one.model for one in shown}) and "recs" in bindings[0].tables
        bindings = [replace(one, unproven=unproven, repeated=idle_truth != 0) for one in bindings]
    bindings[0] = replace(bindings[0], columns=tuple(chain.from_iterable(one.columns for one in bindings)))
    # Options of a further query can leave out rows: items that users have in train, or that are not candidates.
    narrowed = [one for one in bindings[1:] if one.known.get("seen") == "drop" or one.known.get("candidates") is not None]
    queries = [Query(one, "warnings") for one in (bindings[0], *(one for one in narrowed if "recs" in one.tables))]
    rows = [row for query in queries if query.warnings() for row in engine.query(query.statement()).to_pylist()]
    found = [Warned(row["message"], row["finding"] in APART) for row in rows]
    if not any(row["finding"] in (*APART, "no_rows") for row in rows):
        found += [*find_no_hits(recs, bindings[0], without), *find_missing_lists(recs, bindings[0], models)]
    yield from dict.fromkeys(found)


def find_no_hits(recs: str, inputs: Inputs, users: Mapping[str | None, int]) -> Iterator[Warned]:
    """The warning about models without a hit; `users` has the number of users in their means."""
    counted = {model: count for model, count in users.items() if count}
    if counted and inputs.known["candidates"] is None and "recs" in inputs.tables:
        sentence = f"no list{of([*counted])} has a hit in its top k; run {either('recsql.check', 'recsql check')} to see why"
        yield Warned(f"{recs}: {sentence}", max(counted.values()) > FEW)


def find_missing_lists(recs: str, inputs: Inputs, models: Iterable[Row]) -> Iterator[Warned]:
    """The warning about models without lists for more than half of the users with truth, who count as 0."""
    lacking = [one for one in models if one["lists"] and one["users_without_list"] * 2 > one["users_with_truth"]]
    if lacking and (inputs.known["no_recs"], inputs.known["users"]) == ("zero", "truth"):
        first = max(lacking, key=lambda one: one["users_without_list"])
        count = f"{first['users_without_list']:,} of {first['users_with_truth']:,} users with truth"
        names = of([first["model"], *(one["model"] for one in lacking if one is not first)])
        effect = "count as 0" if all(zeros(inputs).values()) else "count as an empty list"
        yield Warned(f"{recs}: {count} have no list{names} and {effect}; no_recs='skip' leaves them out")


def zeros(inputs: Inputs) -> dict[str, bool]:
    """For each metric of users' lists, whether it is known to be 0 for a user without a hit."""
    return {one.heading: one.zero_without_hits for one in Query(inputs, "evaluate").columns["user"]}


def proofs(inputs: Inputs) -> dict[str, bool]:
    """For each metric of users' lists, whether a value above 0 proves that a user has a hit."""
    judged = inputs.known["no_truth"] in ("skip", "zero", "zero_below_threshold", "error")
    return {name: judged and is_zero for name, is_zero in zeros(inputs).items()}


def of(models: Sequence[str | None]) -> str:
    """The models of a sentence, as in ` of model pop and 2 more`; empty if recs have no models."""
    first, *others = models
    return "" if first is None else f" of model {first}{f' and {len(others)} more' if others else ''}"


def find_differing_lists(rows: pa.Table) -> list[Warned]:
    """The warnings about models with lists for different users, from the rows of a comparison."""
    return [Warned(sentence) for sentence in dict.fromkeys(rows["warning"].to_pylist()) if sentence]


def issue_warnings(warnings: Iterable[Warned], on_oddity: str = WARN) -> list[str]:
    """Issues the warnings and returns their sentences. `on_oddity` can ignore all, or raise BadInput for the first error."""
    found = [] if on_oddity == OFF else [one._replace(sentence=said(one.sentence)) for one in warnings]
    for one in found:
        if one.is_error and on_oddity == ERROR:
            raise BadInput(one.sentence)
        warn(one.sentence)
    return [one.sentence for one in found]
