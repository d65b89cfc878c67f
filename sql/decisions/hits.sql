{# The columns of a hit that only some metrics read, from the truth. #}
{% macro from_truth(a) %}{{ ", " ~ a ~ ".truth_rank" if needs.truth_rank }}{{ ", " ~ a ~ ".weight" if needs.propensities }}{% endmacro %}

{# The fast flow leaves users without a hit out, if each metric is 0 for them, and counts them (sparse). #}
{% set others_are_zero = (
    users == "truth"
    and no_truth in ["skip", "zero", "zero_below_threshold", "error"]
    and zero_ideal in ["null", "zero", "one"]
) %}
{% set pairs_by_sums = (
    plain_population
    and user_columns | rejectattr("method", "eq", "wilson") | list | length == 0
    and not (by_signs or clustered or pairs_sliced or named)
) %}
{% set sparse = (
    fast
    and averaged
    and not (each_user or perhaps_clustered)
    and others_are_zero
    and (pairs_by_sums or not of_pairs)
    and zero_without_hits()
) %}

{# Otherwise, alike users without a hit share a row (grouped). #}
{% set apart = each_user or sliced or of_pairs or partial %}
{% set by_list = needs.rows_at_k or needs.hit_categories_at_k or needs.relevant_positions or needs.whole_list or needs.candidate_counts or needs.judgements or unordered or lists_summed %}
{% set grouped = fast and averaged and not (sparse or apart or by_list) %}

{# With a budget, the places of all rows are only needed if all rows count, or the text in them: those of hits are cheaper. #}
{% set rows_of_lists = "spent" if budgeted and needs.rows_at_k else "recommended" %}
