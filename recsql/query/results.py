"""The metadata of results, and the names of their columns."""

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, TypedDict, cast

import pyarrow as pa

from recsql.base.wording import SPOKEN, USER, spoken
from recsql.catalog.headers import Given

SPREAD = "spread"  # a further column of a result with folds or data sets
SEGMENT = ("slice", "segment")  # with slices
INTERVAL = ("low", "high", "std_error", "few")  # with intervals
NAMED = ("model", "baseline", *SEGMENT, "table", "column", "example")  # columns with names and ids of the caller
PAIR = re.compile(r"user (.+), item (.+)|.* items? in .*|.* of the users can be hit\)")  # an example with words of recsql
USER_OF_A_PART = "user of a part"  # the unit of the mean if parts share users, as daily exports do

Row = Mapping[str, Any]  # a row of a result, by the names of its columns


@dataclass(frozen=True)
class Apart:
    """A column that keeps the rows of recs and truth apart, and what is said of it."""

    name: str
    one: str
    several: str
    keepers: str  # the functions that keep its values apart
    shares: bool  # its values share users and items, so that further tables may lack the column
    way: str = ""  # out of it, at the end of a sentence


FOLDS = Apart("fold", "fold", "folds", "evaluate", True)
NO_DATASETS = "; if the column means something else, dataset='none'"
DATASETS = Apart("dataset", "data set", "data sets", "evaluate, compare and rank", False, NO_DATASETS)


class OfModel(TypedDict, total=False):
    """The counts of one model."""

    model: str | None
    users_in_mean: int
    users_with_truth: int
    users_without_list: int
    lists: int
    lists_without_truth: int
    longest_list: int
    tied_lists: int  # with equal scores on both sides of a cut-off, if scores order them
    segments_left_out: int


class OfPair(TypedDict, total=False):
    """The counts of a pair of models."""

    model: str | None
    baseline: str | None
    shared_lists: int
    segments_left_out: int


class Judged(TypedDict):
    """How much of the lists of a model is judged."""

    model: str | None
    items: int
    judged: int


class Reason(TypedDict):
    """Why a value differs from the default convention's: an option with the change that it makes alone, or a sentence."""

    model: str | None
    preset: str
    metric: str
    k: int | None
    because: str
    change: float | None


class Metadata(TypedDict, total=False):
    """What recsql writes into the metadata of a result: how its values were computed, and counts of users and lists."""

    words: str  # what people read in place of users and items
    options: list[dict[str, Given]]  # of each query
    metrics: dict[str, dict[str, str]]  # each with its definition and options
    zeros: list[str]  # the metrics that are 0 for a user without a list
    presets: dict[str, str]
    versions: dict[str, str]
    told: list[str]  # the sentences on a plan
    notes: list[str]
    warnings: list[str]
    models: list[OfModel]
    pairs: list[OfPair]
    judged: list[Judged]
    read_apart: list[Row]  # of `compare`: what a list of each model reads, if some read far less than others
    judged_apart: list[Row]  # of `compare`: on judged items alone, with the share of judged items of both models
    reasons: list[Reason]  # of `conventions`
    unfit: list[Row]  # of a budget: the lists of each model whose first row is above the smallest cut-off
    weights: list[Row]  # of `weighting`: what the weights of each source of propensities are worth
    sample: dict[str, float]  # of `conventions`: its share, users and all users `of` the truth, and the coverage of the intervals
    not_checked: dict[str, str]  # of `check`: findings, each with the table or column that it lacks
    baseline: str | None
    clustered: bool
    folds: list[str]
    datasets: list[str]
    each: "dict[str, Metadata]"  # of `compare` with a baseline: the counts of each data set
    parts: int
    unit: str


def metadata_of(result: pa.Table) -> Metadata:
    """What recsql wrote into the metadata of a result; empty if it is lost."""
    metadata: Mapping[bytes, bytes] = result.schema.metadata or {}
    return cast(Metadata, json.loads(metadata.get(b"recsql", b"{}")))


def of_words() -> dict[str, str]:
    """The entry of the metadata for the words in force; none for users and items."""
    return {} if SPOKEN.get()[0] == USER else {"words": SPOKEN.get()[0]}


def names_in(result: pa.Table) -> list[str | None]:
    """The names and ids of the caller in a result, which no words of recsql replace."""
    texts = [str(text) for name in NAMED if name in result.column_names for text in result[name].unique().to_pylist()]
    pairs = {text: PAIR.fullmatch(text) for text in texts}
    return [one for text, pair in pairs.items() for one in (pair.groups() if pair else [text])]


def in_words_of(result: pa.Table, names: Iterable[str | None] = ()) -> AbstractContextManager[None]:
    """Makes sentences about a result say its words; `names` are further ones of the caller."""
    return spoken(metadata_of(result).get("words", USER), [*names_in(result), *names])
