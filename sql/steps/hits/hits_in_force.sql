{#
row = "one row per hit and cut-off at which it counts"
#}
{% if truth_window == "k" %}
select
{% if modelled %}
    h.model,
{% endif %}
    h.user_id,
    h.item_id,
    c.k,
    h.rank,
    h.gain,
    row_number() over (partition by {{ model("h") }}h.user_id, c.k order by h.rank asc, h.nth asc) as nth{{ ", h.probability, h.leads" if expected }}
from hits as h
inner join cutoffs as c on c.k >= greatest(h.rank, h.truth_rank)
{% else %}
select {{ model("h") }}h.user_id, h.item_id, c.k, h.rank, h.gain, h.nth{{ ", h.probability, h.leads" if expected }}
from hits as h
inner join cutoffs as c on c.k >= h.rank
{% endif %}
