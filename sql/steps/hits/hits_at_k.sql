{#
row = "one row per model, user with a hit and cut-off: the statistics of the hits in the top k"
sums = { over = "hits", alias = "u", reader = "at_k" }
#}
select
{% if modelled %}
    h.model,
{% endif %}
    h.user_id,
    h.k{% for one in statistics("hits") %},
    {{ text_of(one) }} as {{ one }}{% endfor %}

from {{ "readings" if needs.readings else "hits_in_force" }} as h
{% for join in joins("hits") %}
{{ join }}
{% endfor %}
group by {{ model("h") }}h.user_id, h.k
