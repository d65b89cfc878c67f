{# The lists. If the columns of recs are unknown, they may be ordered by rank or by score. #}
{% set by_rank = rank_by != "score" %}
{% set by_score = rank_by != "rank" %}
{% set any_order = by_rank and by_score %}
{% set better = ">" if order == "desc" else "<" %}
{# In fuse, models may differ in the best end of their scores. #}
{% set one_end = order if target != "fuse" else fusion__order if fusion__order in ["desc", "asc"] else "" %}
{% set best_first = (
    "r.score " ~ one_end if one_end else "case when " ~ fusion__order.ascend(named_model("r")) ~ " then r.score end asc, r.score desc"
) %}

{# Ties that have no order: a hit has all ranks that it can have, or one of the bounds of these. #}
{% set expected = ties == "expected" %}
{% set bounds = ties in ["best", "worst"] %}
{% set unordered = expected or bounds %}

{# Repeated items. `closed` lists move up where one is left out. #}
{% set closed = duplicates in ["first", "last"] %}
{% set folded = duplicates in ["first", "last", "set"] %}

{# The rows that count: without items that a user has, only candidates, only judged items. #}
{% set recs_count = of_users or of_items or reported or target in ["hits", "judged_share", "judged_apart", "unfit"] %}
{% set recs_ranked = recs_count or target == "rank_by_score" %}
{% set judged_alone = judged_only == "true" and "truth" in tables and recs_count %}
{% set with_seen = train is not none and "recs" in tables %}
{% set unseen_alone = seen == "drop" and with_seen and recs_ranked %}
{% set candidates_alone = candidates is not none and "recs" in tables and recs_ranked %}
{% set closed_up = judged_alone or unseen_alone or candidates_alone %}
{% set narrowed_recs = "candidate_recs" if candidates_alone else "unseen_recs" if unseen_alone else "given_recs" %}
{% set recs = "judged_recs" if judged_alone else narrowed_recs %}
{% set ranked_rows = "ranked" if fast or by_score or closed or unordered else recs %}

{# Whether the fast flow looks relevant items up in a LIST per user, and does not unnest the lists. #}
{% set plain_lists = (
    judged_only == "false"
    and seen == "keep"
    and candidates is none
    and duplicates in ["error", "hole", "count"]
    and not sampled
) %}
{% set from_lists = (
    fast
    and not finding
    and lists_query != ""
    and "truth" in tables
    and not (by_score or unordered)
    and plain_lists
    and not (needs.preferences or needs.judgements or judging)
) %}
{% set listing = "owners" if parts else "given_lists" if from_lists else "given_recs" %}
{% set look_swapped = swapped in ["score", "relevance"] or (swapped == "rank" and truth_window == "all" and ideal != "truth_as_given") %}
