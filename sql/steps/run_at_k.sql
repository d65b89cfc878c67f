{#
row = "one row per model and cut-off: the statistics that the metrics of all lists together read"
grain = "item"
#}
{% set statistics = rendering.statistics("per_run") %}
select
    m.model,
    c.k{% for name, text in statistics.items() if name != "k" %},
    {{ text }}{{ " as " ~ name if not text.endswith("." ~ name) }}
{%- endfor %}

from models as m
cross join cutoffs as c
{% for alias, step in rendering.summed("run_at_k", statistics.values() | join(" ")).items() %}
left join {{ step }} as {{ alias }} on {{ alias }}.model is not distinct from m.model and {{ alias }}.k = c.k
{% endfor %}
