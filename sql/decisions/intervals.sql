{# Intervals: of means, or from the values without each of some groups of users. #}
{% set spread = interval is not none and target in ["evaluate", "rating_metrics"] %}
{% set spread_rows = "model_spreads" if target == "rank" and vary == "datasets" else "dataset_spreads" if target in ["dataset_means", "rank"] else "spreads" %}
{# A comparison over data sets is one of the means over these; one alone is compared as without the column. #}
{% set pairs_combined = ((target == "compare" or ranked) and (datasets > 1 or (datasets == 1 and vary == "datasets"))) or "scores" in tables %}
{% set contrast_rows = "combined_contrasts" if pairs_combined else "contrasts" %}
{% set item_groups = item_metrics and (spread or jackknifed) %}
{% set user_groups = spread and has_interval_by("user", "groups") %}
{% set rating_groups = spread and has_interval_by("rating", "groups") %}
{% set pair_groups = jackknifed and of_pairs and by_groups(user_columns) | length > 0 %}
{% set grouping = item_groups or user_groups or pair_groups or rating_groups %}
{% set each_user = user_groups or (clustered and (spread or target == "partial")) %}

{# In a macro, users belong to clusters if its truth has a column cluster, which is known when the macro is called. #}
{% set perhaps_clustered = (
    named
    and not sliced
    and not ranked
    and ((spread and user_metrics and target == "evaluate") or (target in ["paired", "compare"] and test == "t" and looks == "one"))
) %}
{% set by_cluster = clustered or perhaps_clustered %}

{# Of a comparison, the metrics that are means: their sums are enough. #}
{% set means_of_users = user_columns | selectattr("shown") | list | length - by_groups(user_columns) | length %}
{% set pair_sums = target == "paired" and user_metrics and (not jackknifed or means_of_users > 0) %}
