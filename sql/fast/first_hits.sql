{#
row = "one row per model and user in the mean: the user's columns, and the first cut-off at which the user has a hit"
before = "alike"
#}
select
{% if modelled %}
    u.model,
{% endif %}
    u.user_id,
    {{ of_user() }},
    {{ "h.k" if needs.hits_at_k else "null" }} as first_k
from population as u{% if needs.hits_at_k %}

left join (
    select {{ model("h") }}h.user_id, min(h.k) as k
    from hits_at_k as h
    group by {{ model("h") }}h.user_id
) as h on {{ same_model("h", "u") }}h.user_id = u.user_id{% endif %}
