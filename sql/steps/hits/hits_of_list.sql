{#
row = "one row per model, user with a hit and cut-off: the statistics of the hits in the whole list"
sums = { over = "list", alias = "w", reader = "at_k" }
#}
select
{% if modelled %}
    h.model,
{% endif %}
    h.user_id,
    c.k{% for one in statistics("list") %},
    {{ text_of(one) }} as {{ one }}{% endfor %}

from hits as h
cross join cutoffs as c
{% for join in joins("list") %}
{{ join }}
{% endfor %}
{% if truth_window == "k" %}
where h.truth_rank <= c.k
{% endif %}
group by {{ model("h") }}h.user_id, c.k
