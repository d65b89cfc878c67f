"""The metadata of results, and the names of their columns."""

import json
from collections.abc import Mapping
from typing import Any, TypedDict, cast

import pyarrow as pa

from recsql.catalog.headers import Given

FOLD, SPREAD = "fold", "spread"  # further columns of a result with folds
SEGMENT = ("slice", "segment")  # with slices
INTERVAL = ("low", "high", "std_error", "few")  # with intervals
USER_OF_A_PART = "user of a part"  # the unit of the mean if parts share users, as daily exports do

Row = Mapping[str, Any]  # a row of a result, by the names of its columns


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

    options: list[dict[str, Given]]  # of each query
    metrics: dict[str, dict[str, str]]  # each with its definition and options
    zeros: list[str]  # the metrics that are 0 for a user without a list
    presets: dict[str, str]
    versions: dict[str, str]
    notes: list[str]
    warnings: list[str]
    models: list[OfModel]
    pairs: list[OfPair]
    judged: list[Judged]
    read_apart: list[Row]  # of `compare`: what a list of each model reads, if some read far less than others
    judged_apart: list[Row]  # of `compare`: on judged items alone, with the share of judged items of both models
    reasons: list[Reason]  # of `conventions`
    unfit: list[Row]  # of a budget: the lists of each model whose first row is above the smallest cut-off
    sample: dict[str, float]  # of `conventions`: its share, users and all users `of` the truth, and the coverage of the intervals
    not_checked: dict[str, str]  # of `check`: findings, each with the table or column that it lacks
    baseline: str | None
    clustered: bool
    folds: list[str]
    parts: int
    unit: str


def metadata_of(result: pa.Table) -> Metadata:
    """What recsql wrote into the metadata of a result; empty if it is lost."""
    metadata: Mapping[bytes, bytes] = result.schema.metadata or {}
    return cast(Metadata, json.loads(metadata.get(b"recsql", b"{}")))
