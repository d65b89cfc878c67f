{# The hits. If every metric is 0 without a hit, users without one are only counted (sparse); else alike users share a row (grouped). #}
{% set hits_read = target == "hits" or (of_users and (needs.hits_at_k or needs.hits_of_list or needs.splits_at_k)) %}
{% set sparse = fast and averaged and not each_user and zero_without_hits() and users == "truth" and no_truth in ["skip", "zero", "zero_below_threshold", "error"] and zero_ideal in ["null", "zero", "one"] and (not of_pairs or (plain_population and user_columns | rejectattr("method", "eq", "wilson") | list | length == 0 and not by_signs and not clustered and not pairs_sliced)) %}
{% set grouped = fast and averaged and not needs.whole_list and not unordered and not partial and not needs.judgements and not sparse and not each_user and not sliced and not of_pairs and not lists_summed %}
{% set recommended_read = (hits_read and not listed) or of_items or lists_summed or target == "hits" or (of_users and needs.judgements) %}
{% set ranked_read = recommended_read or (of_users and needs.ranks) or (target == "fuse" and method == "rrf") %}

{# By score, only items that may be relevant need a rank. #}
{% set ranks_of_hits = fast and rank_by == "score" and recommended_read and not of_items and not lists_summed and not needs.ranks and not (needs.preferences or needs.judgements) and not closed_up and (target in ["evaluate", "per_user", "partial"] or of_pairs) and duplicates != "last" and ties != "error" and not (unordered and duplicates in ["hole", "count", "set"]) %}

{# The rows that steps read: those that a fast form finds, or all; and what only fast forms have. #}
{% set hits_from = "possible_hits" if fast else "recommended" %}
{% set repeats_from = "doubtful_recs" if fast else "given_recs" %}
{% set profiled = fast and ideals %}
