{#
row = "one row per model, user with a hit and cut-off: the statistics of the hits in the top k"
sums = { over = "hits", alias = "u", reader = "at_k" }
#}
{% set statistics = rendering.sums("hits") %}
select
    h.model,
    h.user_id,
    h.k{% for name, sum in statistics.items() %},
    {{ sum }} as {{ name }}
{%- endfor %}

from hits_in_force as h
{% for join in rendering.joins(statistics.values()) %}
{{ join }}
{% endfor %}
group by h.model, h.user_id, h.k
