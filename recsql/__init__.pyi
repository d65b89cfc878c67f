"""Made by `python -m tests.generate recsql/__init__.pyi`: the public functions, with the options that each takes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack, overload

import pyarrow as pa

from recsql.calls.call import Connection, Metrics, Table
from recsql.catalog.grammar import Cutoffs
from recsql.base.errors import BadInput as BadInput
from recsql.display.drawing import Chart as Chart
from recsql.base.errors import EngineError as EngineError
from recsql.base.errors import FailedCheck as FailedCheck
from recsql.base.errors import NoSuchFile as NoSuchFile
from recsql.base.errors import OtherTypes as OtherTypes
from recsql.page.page import Page as Page
from recsql.query.parts import Parts as Parts
from recsql.base.errors import RecsqlError as RecsqlError
from recsql.base.errors import RoundedIds as RoundedIds
from recsql.base.errors import UnknownName as UnknownName

__all__ = [
    "BadInput",
    "Chart",
    "EngineError",
    "FailedCheck",
    "NoSuchFile",
    "OtherTypes",
    "Page",
    "Parts",
    "RecsqlError",
    "RoundedIds",
    "UnknownName",
    "candidates",
    "check",
    "compare",
    "concat",
    "conventions",
    "curve",
    "differences",
    "evaluate",
    "evaluate_ratings",
    "explain",
    "forest",
    "fuse",
    "help",
    "hits",
    "ideal",
    "item_metrics",
    "judge",
    "labels",
    "leave_one_out",
    "macros",
    "merge",
    "metrics",
    "options",
    "overlap",
    "partial",
    "per_user",
    "plan",
    "popularity",
    "rank",
    "rank_by_score",
    "report",
    "segments",
    "show",
    "split",
    "sql",
    "to_dict",
    "to_latex",
    "to_markdown",
    "wide",
]
__version__: str

class _Settings0(TypedDict, total=False):
    aggregate: Literal['max', 'sum', 'count', 'last'] | None
    attribution: Literal['last', 'first', 'all'] | None
    cap: float | None
    complete: Literal['drop', 'keep'] | None
    curve: Table | Literal['none', 'observed', 'power'] | None
    eta: float | None
    examined: Literal['all', 'to_last_event'] | None
    gains: Mapping[str, Any] | str | None
    organic: Literal['drop', 'keep'] | None
    other: float | None
    tolerance: timedelta | str | None
    unit: Literal['request', 'user'] | None
    until: date | str | None
    window: timedelta | str | None

class _Settings1(TypedDict, total=False):
    alternative: Literal['two_sided', 'greater', 'less'] | None
    contributions: Literal['false', 'true'] | bool | None
    correction: Literal['holm', 'bonferroni', 'bh', 'none'] | None
    effect: Literal['cohen', 'hedges'] | None
    family: Literal['all', 'metric'] | None
    looks: Literal['one', 'many'] | None
    outcome: Literal['false', 'true'] | bool | None
    planned_users: int | None
    test: Literal['t', 'randomisation', 'wilcoxon', 'sign'] | None

class _Settings2(TypedDict, total=False):
    ap_denominator: Literal['achievable', 'relevant', 'achievable_returned', 'hits', 'k'] | None
    ap_mean: Literal['users', 'geometric'] | None
    arhr_denominator: Literal['none', 'relevant'] | None
    auc_candidates: Literal['catalog', 'unseen'] | None
    auc_empty: Literal['hit', 'zero', 'half', 'one', 'null'] | None
    auc_mean: Literal['users', 'weighted'] | None
    auc_negatives: Literal['returned', 'k'] | None
    auc_over: Literal['candidates', 'top_k', 'list'] | None
    auc_unlisted: Literal['half', 'worst', 'drop'] | None
    beta: float | None
    bpref_empty: Literal['one', 'null'] | None
    bpref_mean: Literal['users', 'geometric'] | None
    budget: str | None
    category_recall_denominator: Literal['relevant', 'all'] | None
    crossing: Literal['out', 'first', 'in'] | None
    dcg_mean: Literal['users', 'micro'] | None
    discovery_depth: Literal['k', 'returned'] | None
    err_max_grade: int | None
    err_normalize: Literal['none', 'ideal'] | None
    f1_average: Literal['per_user', 'of_means'] | None
    first_rank_missing: Literal['null', 'k', 'returned'] | None
    fp_count: Literal['returned', 'k'] | None
    gain: Literal['linear', 'binary', 'exp2', 'exp2_shifted', 'map'] | Mapping[int, float] | Mapping[float, float] | None
    gain_map: Mapping[int, float] | Mapping[float, float] | str | None
    hit_at_least: int | Literal['all'] | None
    ideal: Literal['truth', 'constant', 'truth_uncut', 'truth_returned', 'candidates', 'truth_as_given'] | None
    interpolated_precision_recall: float | None
    interpolated_precision_rounding: Literal['nearest', 'up'] | None
    judged_denominator: Literal['returned', 'k'] | None
    match: Literal['any', 'share', 'iou'] | None
    match_threshold: float | None
    ndcg_mean: Literal['users', 'geometric'] | None
    no_recs: Literal['zero', 'skip'] | None
    no_truth: Literal['skip', 'zero', 'zero_below_threshold', 'one', 'one_if_both_empty', 'error'] | None
    pauc_insufficient: Literal['zero', 'skip', 'error'] | None
    pauc_negatives: int | None
    percentile_rank_mean: Literal['users', 'weighted'] | None
    precision_denominator: Literal['k', 'returned', 'achievable'] | None
    precision_mean: Literal['users', 'micro'] | None
    propensity_floor: float | None
    propensity_power: float | None
    propensity_unseen: Literal['one', 'zero'] | None
    r_precision_cut: Literal['list', 'k'] | None
    rbp_normalize: Literal['none', 'achievable'] | None
    rbp_p: float | None
    recall_denominator: Literal['relevant', 'achievable'] | None
    recall_mean: Literal['users', 'micro'] | None
    relevance_threshold: float | None
    relevant: Literal['positive', 'present'] | None
    rr_cutoff: Literal['k', 'none'] | None
    rr_mean: Literal['users', 'geometric'] | None
    spans: Literal['false', 'true'] | bool | None
    truth_check: Literal['any', 'leave_one_out'] | None
    truth_window: Literal['all', 'k', 'rank'] | None
    user_coverage_at_least: int | None
    utility_fn: float | None
    utility_fp: float | None
    utility_tn: float | None
    utility_tp: float | None
    weighting: Literal['none', 'ips', 'snips'] | None
    zero_ideal: Literal['null', 'skip', 'zero', 'one'] | None

class _Settings3(TypedDict, total=False):
    awrf_target: Literal['catalog', 'train', 'uniform'] | None
    calibration_alpha: float | None
    category_coverage_denominator: Literal['all', 'k'] | None
    category_separator: str | None
    coverage_denominator: Literal['catalog', 'train', 'count'] | None
    coverage_restrict: Literal['true', 'false'] | bool | None
    entropy_base: Literal['2', 'e', '10'] | int | None
    entropy_normalize: Literal['none', 'distinct', 'log_catalog'] | None
    entropy_scope: Literal['items', 'list', 'category'] | None
    gini_divide: Literal['n', 'n_minus_1'] | None
    gini_orientation: Literal['inequality', 'equality'] | None
    gini_population: Literal['catalog', 'recommended'] | None
    gini_weight: Literal['count', 'exposure'] | None
    grouped_by: Literal['category', 'popularity'] | None
    ild_distance: Literal['cosine', 'hamming', 'jaccard', 'vector'] | None
    ild_divide: Literal['pairs', 'length'] | None
    ild_single: Literal['null', 'zero'] | None
    novelty_base: Literal['users', 'interactions'] | None
    novelty_divide: Literal['returned', 'k'] | None
    novelty_log: Literal['2', 'e', '10'] | int | None
    novelty_mean: Literal['lists', 'rows'] | None
    novelty_normalize: Literal['none', 'log_users'] | None
    novelty_unseen: Literal['one', 'skip', 'zero', 'max'] | None
    personalisation_assume: Literal['returned', 'k'] | None
    popularity_base: Literal['users', 'interactions'] | None
    popularity_normalize: Literal['none', 'sum', 'max', 'rank'] | None
    popularity_unseen: Literal['zero', 'skip', 'error'] | None
    rsp_ungrouped: Literal['out', 'group'] | None
    several_groups: Literal['equal', 'whole'] | None
    smoothing: float | None
    sufficiency_deep: Literal['false', 'true'] | bool | None
    tail_share_head: float | None
    tail_share_part: Literal['interactions', 'items', 'rows'] | None
    tail_share_ratio: float | None
    tail_share_rows: int | None
    unrepeated_deep: Literal['false', 'true'] | bool | None

class _Settings4(TypedDict, total=False):
    baseline: str | None
    draw: Literal['uniform', 'popularity'] | None
    impressions: Table | None
    protocol: Literal['temporal', 'backtest', 'last_n', 'last_fraction', 'leave_one_out', 'random', 'users', 'k_fold'] | None
    ratings: Table | None

class _Settings5(TypedDict, total=False):
    by: str | Sequence[str] | None

class _Settings6(TypedDict, total=False):
    candidates: Table | None
    catalog_size: int | None
    discount: Literal['log2p1', 'jk2002', 'ln1p', 'geometric', 'none'] | None
    discount_p: float | None
    discovery_unseen: Literal['one', 'max'] | None
    judged_only: Literal['false', 'true'] | bool | None
    multiple: Literal['each', 'error'] | None
    sample: float | None
    seen: Literal['keep', 'drop', 'error'] | None
    segments: Table | None
    users: Table | Literal['truth', 'intersection', 'union'] | None

class _Settings7(TypedDict, total=False):
    category: str | None
    vector: str | None

class _Settings8(TypedDict, total=False):
    cluster: str | None
    document: str | None
    end: str | None

class _Settings9(TypedDict, total=False):
    cold_items: Literal['keep', 'drop'] | None
    cold_users: Literal['keep', 'drop'] | None
    core: int | None
    cut: float | date | str | None
    exact: Literal['false', 'true'] | bool | None
    fold_in: float | None
    folds: int | None
    fraction: float | None
    gap: float | timedelta | str | None
    item_min: int | None
    per: Literal['row', 'user'] | None
    repeats: Literal['keep', 'drop'] | None
    rounding: Literal['ceil', 'floor', 'nearest', 'nearest_even', 'train_nearest_even'] | None
    seed: int | None
    single: Literal['train', 'truth'] | None
    step: float | timedelta | str | None
    target: Literal['all', 'first', 'last'] | None
    train_window: float | timedelta | str | None
    user_min: int | None
    validation: Literal['false', 'true'] | bool | None

class _Settings10(TypedDict, total=False):
    comparisons: int | None
    losses: float | None
    value: float | None
    wins: float | None

class _Settings11(TypedDict, total=False):
    connection: Connection
    item: str | None
    user: str | None

class _Settings12(TypedDict, total=False):
    corpus: Table | None

class _Settings13(TypedDict, total=False):
    correlation: float | None

class _Settings14(TypedDict, total=False):
    dataset: str | None

class _Settings15(TypedDict, total=False):
    denominator: Literal['k', 'returned', 'shorter', 'union'] | None
    depth: Literal['k', 'longer'] | None
    kind: Literal['extrapolated', 'least', 'most', 'truncated'] | None
    p: float | None

class _Settings16(TypedDict, total=False):
    duplicates: Literal['error', 'first', 'hole', 'count', 'set', 'last'] | None
    rank_by: Literal['rank', 'score', 'position'] | None
    ties: Literal['item_asc', 'item_desc', 'input', 'expected', 'best', 'worst', 'error'] | None

class _Settings17(TypedDict, total=False):
    ece_binning: Literal['width', 'quantile'] | None
    ece_bins: int | None
    ece_norm: Literal['mean', 'max'] | None
    logloss_clip: float | None
    mape_zero: Literal['skip', 'error', 'epsilon'] | None
    mean: Literal['micro', 'users'] | None
    missing: Literal['skip', 'error'] | None
    nmae_scale: float | None
    threshold: float | None

class _Settings18(TypedDict, total=False):
    examination: str | None
    request: str | None
    surface: str | None
    ts: str | None
    type: str | None

class _Settings19(TypedDict, total=False):
    exposure_share_relative: Literal['none', 'catalog', 'train'] | None

class _Settings20(TypedDict, total=False):
    findings: Literal['warn', 'error', 'off'] | None
    input: Literal['parquet', 'csv', 'json', 'trec'] | None

class _Settings21(TypedDict, total=False):
    grade: float | None

class _Settings22(TypedDict, total=False):
    groups: int | None

class _Settings23(TypedDict, total=False):
    interval: float | None

class _Settings24(TypedDict, total=False):
    interval_method: Literal['auto', 'wilson', 't', 'groups'] | None

class _Settings25(TypedDict, total=False):
    items: Table | None
    train: Table | None

class _Settings26(TypedDict, total=False):
    like: Literal['cornac', 'elliot', 'evidently', 'hivemall', 'implicit', 'ir_measures', 'jurity', 'lenskit', 'pyspark_udf', 'ragas', 'ranx', 'recbole', 'recommenders', 'recpack', 'rectools', 'replay', 'returned', 'sklearn', 'spark', 'torchmetrics', 'trec_eval'] | None

class _Settings27(TypedDict, total=False):
    margin: float | None
    power: float | None

class _Settings28(TypedDict, total=False):
    min_users: int | None

class _Settings29(TypedDict, total=False):
    missed: Literal['false', 'true'] | bool | None

class _Settings30(TypedDict, total=False):
    missing: Literal['error', 'leave_out', 'common'] | None

class _Settings31(TypedDict, total=False):
    model: str | None

class _Settings32(TypedDict, total=False):
    n: int | None

class _Settings33(TypedDict, total=False):
    names: Literal['beir'] | None
    truth_item: str | None
    truth_user: str | None

class _Settings34(TypedDict, total=False):
    order: Literal['desc', 'asc'] | None

class _Settings35(TypedDict, total=False):
    order: Mapping[str, str] | str | None
    weights: Mapping[str, float] | str | None

class _Settings36(TypedDict, total=False):
    order_by: str | None

class _Settings37(TypedDict, total=False):
    prediction: str | None
    rating: str | None

class _Settings38(TypedDict, total=False):
    propensity: str | None
    start: str | None

class _Settings39(TypedDict, total=False):
    rank: str | None

class _Settings40(TypedDict, total=False):
    relevance: str | None

class _Settings41(TypedDict, total=False):
    score: str | None

class _Settings42(TypedDict, total=False):
    ties: Literal['item', 'row_last', 'row_first', 'together', 'error'] | None
    window: float | timedelta | str | None

class _Settings43(TypedDict, total=False):
    truth_rank: str | None

class _Settings44(TypedDict, total=False):
    vary: Literal['users', 'datasets'] | None

class _Settings45(TypedDict, total=False):
    words: Literal['user', 'query'] | None

class _Candidates(_Settings11, _Settings20, _Settings33, _Settings40, total=False): ...

class _Check(_Settings2, _Settings3, _Settings5, _Settings6, _Settings7, _Settings8, _Settings11, _Settings12, _Settings14, _Settings16, _Settings20, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings28, _Settings31, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings45, total=False): ...

class _Compare(_Settings1, _Settings2, _Settings3, _Settings5, _Settings6, _Settings7, _Settings8, _Settings11, _Settings14, _Settings16, _Settings20, _Settings22, _Settings24, _Settings25, _Settings26, _Settings27, _Settings28, _Settings31, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings44, _Settings45, total=False): ...

class _Conventions(_Settings2, _Settings3, _Settings6, _Settings7, _Settings8, _Settings11, _Settings14, _Settings16, _Settings20, _Settings22, _Settings24, _Settings25, _Settings28, _Settings31, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings45, total=False): ...

class _Curve(_Settings2, _Settings3, _Settings5, _Settings6, _Settings7, _Settings8, _Settings11, _Settings14, _Settings16, _Settings20, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings28, _Settings31, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings45, total=False): ...

class _Differences(_Settings2, _Settings3, _Settings5, _Settings6, _Settings7, _Settings8, _Settings11, _Settings14, _Settings16, _Settings20, _Settings22, _Settings24, _Settings25, _Settings26, _Settings31, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings45, total=False): ...

class _Evaluate(_Settings2, _Settings3, _Settings5, _Settings6, _Settings7, _Settings8, _Settings14, _Settings16, _Settings20, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings28, _Settings33, _Settings34, _Settings38, _Settings45, total=False): ...

class _EvaluateRatings(_Settings11, _Settings17, _Settings20, _Settings22, _Settings23, _Settings24, _Settings31, _Settings37, total=False): ...

class _Explain(_Settings2, _Settings3, _Settings5, _Settings6, _Settings7, _Settings8, _Settings11, _Settings14, _Settings16, _Settings20, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings28, _Settings31, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings45, total=False): ...

class _Fuse(_Settings11, _Settings14, _Settings16, _Settings20, _Settings31, _Settings35, _Settings39, _Settings41, total=False): ...

class _Hits(_Settings2, _Settings5, _Settings6, _Settings8, _Settings11, _Settings14, _Settings16, _Settings20, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings28, _Settings31, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings45, total=False): ...

class _Ideal(_Settings2, _Settings5, _Settings6, _Settings8, _Settings11, _Settings14, _Settings16, _Settings20, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings28, _Settings29, _Settings31, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings45, total=False): ...

class _ItemMetrics(_Settings3, _Settings5, _Settings6, _Settings7, _Settings11, _Settings14, _Settings16, _Settings19, _Settings20, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings28, _Settings31, _Settings34, _Settings39, _Settings41, _Settings45, total=False): ...

class _Judge(_Settings2, _Settings5, _Settings6, _Settings8, _Settings11, _Settings14, _Settings16, _Settings20, _Settings21, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings28, _Settings31, _Settings32, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings45, total=False): ...

class _Labels(_Settings0, _Settings11, _Settings18, _Settings20, _Settings31, _Settings38, _Settings39, total=False): ...

class _LeaveOneOut(_Settings9, _Settings11, _Settings20, _Settings26, _Settings32, _Settings42, total=False): ...

class _Macros(_Settings0, _Settings1, _Settings2, _Settings3, _Settings4, _Settings5, _Settings6, _Settings9, _Settings15, _Settings16, _Settings17, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings27, _Settings28, _Settings32, _Settings34, _Settings36, _Settings38, _Settings44, total=False): ...

class _Merge(_Settings11, _Settings20, _Settings23, _Settings24, _Settings25, total=False): ...

class _Overlap(_Settings11, _Settings14, _Settings15, _Settings16, _Settings20, _Settings31, _Settings34, _Settings39, _Settings41, total=False): ...

class _Partial(_Settings2, _Settings3, _Settings5, _Settings6, _Settings7, _Settings8, _Settings11, _Settings14, _Settings16, _Settings20, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings28, _Settings31, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings45, total=False): ...

class _PerUser(_Settings2, _Settings3, _Settings5, _Settings6, _Settings7, _Settings8, _Settings11, _Settings14, _Settings16, _Settings20, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings28, _Settings31, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings45, total=False): ...

class _Plan(_Settings2, _Settings5, _Settings6, _Settings8, _Settings10, _Settings11, _Settings13, _Settings14, _Settings16, _Settings20, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings27, _Settings28, _Settings31, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings45, total=False): ...

class _Popularity(_Settings11, _Settings20, total=False): ...

class _Rank(_Settings2, _Settings3, _Settings5, _Settings6, _Settings7, _Settings8, _Settings11, _Settings13, _Settings14, _Settings16, _Settings20, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings28, _Settings30, _Settings31, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings44, _Settings45, total=False): ...

class _RankByScore(_Settings2, _Settings5, _Settings6, _Settings8, _Settings11, _Settings14, _Settings16, _Settings20, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings28, _Settings29, _Settings31, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings45, total=False): ...

class _Report(_Settings1, _Settings2, _Settings3, _Settings5, _Settings6, _Settings7, _Settings8, _Settings11, _Settings14, _Settings16, _Settings20, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings27, _Settings28, _Settings31, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings44, _Settings45, total=False): ...

class _Segments(_Settings11, _Settings20, _Settings33, _Settings40, total=False): ...

class _Split(_Settings9, _Settings11, _Settings20, _Settings26, _Settings32, _Settings36, _Settings42, total=False): ...

class _Sql(_Settings2, _Settings3, _Settings5, _Settings6, _Settings7, _Settings8, _Settings11, _Settings14, _Settings16, _Settings20, _Settings22, _Settings23, _Settings24, _Settings25, _Settings26, _Settings28, _Settings31, _Settings33, _Settings34, _Settings38, _Settings39, _Settings40, _Settings41, _Settings43, _Settings45, total=False): ...

@overload
def candidates(
    truth: Table,
    items: Table,
    train: Table,
    n: int = 100,
    draw: str = 'uniform',
    seed: int = 0,
    *,
    into: None = None,
    **settings: Unpack[_Candidates],
) -> pa.Table: ...
@overload
def candidates(
    truth: Table,
    items: Table,
    train: Table,
    n: int = 100,
    draw: str = 'uniform',
    seed: int = 0,
    *,
    into: str | PathLike[str],
    **settings: Unpack[_Candidates],
) -> None: ...
def check(
    recs: Table,
    truth: Table,
    *,
    metrics: Metrics = ...,
    k: int | str = 10,
    level: str = 'full',
    ignore: Collection[str] = ...,
    severity: Mapping[str, str] | None = None,
    rows: str | None = None,
    **settings: Unpack[_Check],
) -> pa.Table: ...
def compare(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    baseline: str | None = None,
    interval: float | None = None,
    **settings: Unpack[_Compare],
) -> pa.Table: ...
def concat(
    results: Iterable[pa.Table] | Mapping[str, pa.Table],
) -> pa.Table: ...
def conventions(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = 10,
    **settings: Unpack[_Conventions],
) -> pa.Table: ...
def curve(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = ...,
    **settings: Unpack[_Curve],
) -> Chart: ...
@overload
def differences(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    baseline: str | None = None,
    texts: Table = None,
    into: None = None,
    **settings: Unpack[_Differences],
) -> pa.Table: ...
@overload
def differences(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    baseline: str | None = None,
    texts: Table = None,
    into: str | PathLike[str],
    **settings: Unpack[_Differences],
) -> None: ...
def evaluate(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    user: str = 'user_id',
    item: str = 'item_id',
    rank: str = 'rank',
    score: str | None = None,
    model: str = 'model',
    relevance: str | None = 'relevance',
    truth_rank: str = 'rank',
    connection: Connection = None,
    **options: Unpack[_Evaluate],
) -> pa.Table: ...
def evaluate_ratings(
    predictions: Table,
    ratings: Table | None = None,
    metrics: Metrics = None,
    **settings: Unpack[_EvaluateRatings],
) -> pa.Table: ...
def explain(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    **settings: Unpack[_Explain],
) -> pa.Table: ...
def forest(
    comparison: pa.Table,
    *,
    width: int = 720,
) -> Chart: ...
@overload
def fuse(
    recs: Table,
    method: str = 'rrf',
    k: float = 60,
    *,
    into: None = None,
    **settings: Unpack[_Fuse],
) -> pa.Table: ...
@overload
def fuse(
    recs: Table,
    method: str = 'rrf',
    k: float = 60,
    *,
    into: str | PathLike[str],
    **settings: Unpack[_Fuse],
) -> None: ...
def help(
    name: str = '',
) -> None: ...
@overload
def hits(
    recs: Table,
    truth: Table,
    k: int | str = 10,
    *,
    user_id: Any = None,
    missed: bool = False,
    texts: Table = None,
    into: None = None,
    **settings: Unpack[_Hits],
) -> pa.Table: ...
@overload
def hits(
    recs: Table,
    truth: Table,
    k: int | str = 10,
    *,
    user_id: Any = None,
    missed: bool = False,
    texts: Table = None,
    into: str | PathLike[str],
    **settings: Unpack[_Hits],
) -> None: ...
@overload
def ideal(
    truth: Table,
    k: int | str = 10,
    *,
    into: None = None,
    **settings: Unpack[_Ideal],
) -> pa.Table: ...
@overload
def ideal(
    truth: Table,
    k: int | str = 10,
    *,
    into: str | PathLike[str],
    **settings: Unpack[_Ideal],
) -> None: ...
def item_metrics(
    recs: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    **settings: Unpack[_ItemMetrics],
) -> pa.Table: ...
def judge(
    recs: Table,
    truth: Table,
    metric: str,
    k: int | str = 10,
    *,
    baseline: str | None = None,
    bounds: bool = False,
    **settings: Unpack[_Judge],
) -> pa.Table: ...
@overload
def labels(
    events: Table,
    impressions: Table | None = None,
    *,
    recs: None = None,
    truth: None = None,
    into: None = None,
    **settings: Unpack[_Labels],
) -> pa.Table: ...
@overload
def labels(
    events: Table,
    impressions: Table | None = None,
    *,
    recs: None = None,
    truth: None = None,
    into: str | PathLike[str],
    **settings: Unpack[_Labels],
) -> None: ...
@overload
def labels(
    events: Table,
    impressions: Table | None = None,
    *,
    recs: str | PathLike[str] | None = None,
    truth: str | PathLike[str],
    into: None = None,
    **settings: Unpack[_Labels],
) -> str: ...
@overload
def leave_one_out(
    interactions: Table,
    order_by: str = 'timestamp',
    *,
    into: None = None,
    **settings: Unpack[_LeaveOneOut],
) -> Parts: ...
@overload
def leave_one_out(
    interactions: Table,
    order_by: str = 'timestamp',
    *,
    into: str | PathLike[str],
    **settings: Unpack[_LeaveOneOut],
) -> None: ...
def macros(
    schema: str = 'recsql',
    metrics: str | Sequence[str] | None = None,
    *,
    check: bool = False,
    **options: Unpack[_Macros],
) -> str: ...
def merge(
    parts: str | Path | Iterable[str | Path],
    **settings: Unpack[_Merge],
) -> pa.Table: ...
def metrics(
) -> pa.Table: ...
def options(
    topic: str | None = None,
) -> pa.Table: ...
@overload
def overlap(
    recs: Table,
    k: int | str = 10,
    *,
    baseline: str | None = None,
    per_user: bool = False,
    into: None = None,
    **settings: Unpack[_Overlap],
) -> pa.Table: ...
@overload
def overlap(
    recs: Table,
    k: int | str = 10,
    *,
    baseline: str | None = None,
    per_user: bool = False,
    into: str | PathLike[str],
    **settings: Unpack[_Overlap],
) -> None: ...
def partial(
    recs: Table,
    truth: Table,
    path: str,
    metrics: Metrics = None,
    k: Cutoffs = None,
    **settings: Unpack[_Partial],
) -> None: ...
@overload
def per_user(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    into: None = None,
    **settings: Unpack[_PerUser],
) -> pa.Table: ...
@overload
def per_user(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    into: str | PathLike[str],
    **settings: Unpack[_PerUser],
) -> None: ...
def plan(
    truth: Table,
    recs: Table = None,
    metrics: Metrics = None,
    k: Cutoffs = 10,
    **settings: Unpack[_Plan],
) -> pa.Table: ...
@overload
def popularity(
    train: Table,
    k: int | str = 100,
    users: Table | None = None,
    *,
    seen: str = 'drop',
    into: None = None,
    **settings: Unpack[_Popularity],
) -> pa.Table: ...
@overload
def popularity(
    train: Table,
    k: int | str = 100,
    users: Table | None = None,
    *,
    seen: str = 'drop',
    into: str | PathLike[str],
    **settings: Unpack[_Popularity],
) -> None: ...
def rank(
    recs: Table,
    truth: Table = None,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    pairs_out: str | None = None,
    **settings: Unpack[_Rank],
) -> pa.Table: ...
@overload
def rank_by_score(
    scored: Table,
    k: int | str = 100,
    *,
    into: None = None,
    **settings: Unpack[_RankByScore],
) -> pa.Table: ...
@overload
def rank_by_score(
    scored: Table,
    k: int | str = 100,
    *,
    into: str | PathLike[str],
    **settings: Unpack[_RankByScore],
) -> None: ...
def report(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = 10,
    *,
    baseline: str | None = None,
    main: str | None = None,
    cases: int = 5,
    texts: Table = None,
    conventions: bool = True,
    check: bool = True,
    sql: bool = True,
    title: str | None = None,
    notes: str | None = None,
    out: str | PathLike[str] | None = None,
    **settings: Unpack[_Report],
) -> Page: ...
@overload
def segments(
    train: Table,
    truth: Table,
    *,
    into: None = None,
    **settings: Unpack[_Segments],
) -> pa.Table: ...
@overload
def segments(
    train: Table,
    truth: Table,
    *,
    into: str | PathLike[str],
    **settings: Unpack[_Segments],
) -> None: ...
def show(
    result: pa.Table | Parts,
    rows: str | None = None,
    *,
    sort: str | None = None,
) -> None: ...
@overload
def split(
    interactions: Table,
    protocol: str | None = None,
    *,
    train: None = None,
    truth: None = None,
    into: None = None,
    **settings: Unpack[_Split],
) -> Parts: ...
@overload
def split(
    interactions: Table,
    protocol: str | None = None,
    *,
    train: None = None,
    truth: None = None,
    into: str | PathLike[str],
    **settings: Unpack[_Split],
) -> None: ...
@overload
def split(
    interactions: Table,
    protocol: str | None = None,
    *,
    train: str | PathLike[str],
    truth: str | PathLike[str],
    into: None = None,
    **settings: Unpack[_Split],
) -> None: ...
def sql(
    recs: Table,
    truth: Table,
    metrics: Metrics = None,
    k: Cutoffs = None,
    *,
    dialect: str | None = None,
    stop_after: str | None = None,
    plain: bool = False,
    **settings: Unpack[_Sql],
) -> str: ...
def to_dict(
    result: pa.Table,
    *,
    plain: bool = False,
) -> dict[str, Any]: ...
def to_latex(
    result: pa.Table,
) -> str: ...
def to_markdown(
    result: pa.Table,
) -> str: ...
def wide(
    result: pa.Table,
) -> pa.Table: ...
