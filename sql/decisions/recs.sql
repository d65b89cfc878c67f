{# The lists. If the columns of recs are unknown, they may be ordered by rank or by score. #}
{% set by_rank = rank_by != "score" %}
{% set by_score = rank_by != "rank" %}
{% set any_order = by_rank and by_score %}
{% set unordered = ties in ["expected", "best", "worst"] %}
{% set better = ">" if order == "desc" else "<" %}
{% set bounds = ties in ["best", "worst"] %}
{% set expected = ties == "expected" %}
{% set listed = fast and not finding and lists_query != "" and "truth" in tables and not by_score and not unordered and judged_only == "false" and seen == "keep" and candidates is none and duplicates in ["error", "hole", "count"] and not sampled and not (needs.preferences or needs.judgements) %}
{% set closed = duplicates in ["first", "last"] %}
{% set folded = duplicates in ["first", "last", "set"] %}
{% set judged_alone = judged_only == "true" and "truth" in tables and (of_users or of_items or reported or target in ["hits", "judged_share"]) %}
{% set listing = "owners" if parts else "given_lists" if listed else "given_recs" %}
{% set with_seen = train is not none and "recs" in tables %}
{% set unseen_alone = seen == "drop" and with_seen and (of_users or of_items or reported or target in ["hits", "judged_share", "rank_by_score"]) %}
{% set candidates_alone = candidates is not none and "recs" in tables and (of_users or of_items or reported or target in ["hits", "judged_share", "rank_by_score"]) %}
{% set closed_up = judged_alone or unseen_alone or candidates_alone %}
{% set narrowed_recs = "candidate_recs" if candidates_alone else "unseen_recs" if unseen_alone else "given_recs" %}
{% set recs = "judged_recs" if judged_alone else narrowed_recs %}
{% set ranked_rows = "ranked" if fast or by_score or closed or unordered else recs %}
{% set look_swapped = swapped == "score" or (swapped == "rank" and truth_window == "all" and ideal != "truth_as_given") %}
