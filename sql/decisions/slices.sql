{# Slices: in a result of means, each group of users has rows of its own. #}
{% set pairs_sliced = by is not none and target in ["paired", "compare"] %}
{% set sliced = by is not none and (
    target in ["evaluate", "partial", "partial_items"]
    or (target == "paired" and item_metrics)
) %}
{% set segmented = by is not none and not parts and (
    target in ["evaluate", "partial", "partial_items", "per_user"]
    or (of_pairs and (user_metrics or item_metrics))
) %}
{% set by_table = segmented and (
    (segments is not none) if named else segment_sources | selectattr("role", "eq", "segments") | list | length > 0
) %}
{% set by_activity = segmented and segment_sources | selectattr("role", "eq", "train") | list | length > 0 %}
{% set small = (target == "evaluate" and sliced or target == "compare" and pairs_sliced) and (min_users is string or min_users > 1) %}

{# In a macro, metrics of users are rows, so that only those that the call names are computed. #}
{% set in_rows = (named and of_users and (target == "evaluate" or of_pairs)) or target == "value_sums" %}
