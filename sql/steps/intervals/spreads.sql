{#
row = "one row per model, metric and cut-off: the standard error, its degrees of freedom, and what the interval needs"
kept = true
#}
{% macro rows(from, scored, bounded) %}
select
    {{ key_columns("s") }}s.place,
{% if target == "evaluate" %}
    s.k,
{% endif %}
    s.value,
    {{ "s.is_scored" if scored else "false as is_scored" }},
    s.df,
    s.std_error,
    {{ "s.effective_users" if scored else "cast(null as double) as effective_users" }},
    {{ "s.least" if bounded else "cast(null as double) as least" }},
    {{ "s.most" if bounded else "cast(null as double) as most" }},
    s.few
from {{ from }} as s
{%- endmacro %}
{% set means = has_interval_by("user", "wilson", "t") %}
{% set ratings = has_interval_by("rating", "clusters", "t") %}
{% if means %}{{ rows("cluster_spreads" if clustered else "mean_spreads", true, false) }}{% endif %}
{% if ratings %}{{ rows("rating_spreads", false, false) }}{% endif %}
{% if grouping and (means or ratings) %}

union all
{% endif %}
{% if grouping %}{{ rows("group_spreads", false, true) }}{% endif %}

