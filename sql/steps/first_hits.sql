{#
row = "one row per model and user in the mean: the user's columns, and the first cut-off at which the user has a hit"
#}
{% set sums = rendering.sums("hits") %}
select
    u.model,
    u.user_id,
    {{ rendering.expression("expressions/known.sql") }},
    {{ "h.k" if sums else "null" }} as first_k
from population as u
{% if sums %}
left join (
    select h.model, h.user_id, min(h.k) as k
    from hits_at_k as h
    group by h.model, h.user_id
) as h on h.model is not distinct from u.model and h.user_id = u.user_id
{% endif %}
