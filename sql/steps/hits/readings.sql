{#
row = "one row per hit and cut-off at which it counts, with the probability that a reader gets to it"
#}
{% set earlier %}
(
    partition by {{ model("h") }}h.user_id, h.k
    order by h.nth asc
    rows between unbounded preceding and 1 preceding
)
{%- endset %}
select
{% if modelled %}
    h.model,
{% endif %}
    h.user_id,
    {{ read_of("readings", ["h.item_id", "h.k", "h.rank", "h.gain", "h.nth"]) }},
    coalesce({{ sql.running_product("1 - " ~ stop_chance("h.gain"), earlier) | indent }}, 1e0) as reached
from hits_in_force as h
