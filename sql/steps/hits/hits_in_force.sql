{#
row = "one row per hit and cut-off at which it counts"
#}
{% if truth_window == "k" %}
{% set nth = "row_number() over (partition by " ~ model("h") ~ "h.user_id, c.k order by h.rank asc, h.nth asc) as nth" %}
select
{% if modelled %}
    h.model,
{% endif %}
    h.user_id,
    {{ read_of("hits_in_force", ["h.item_id", "c.k", "h.rank", "h.gain", nth]) }}{{ ", h.probability, h.leads" if expected }}
from hits as h
inner join cutoffs as c on c.k >= greatest(h.rank, h.truth_rank)
{% else %}
{# Without their numbers, the hits are what was found. #}
{% set numbered = unordered or truth_window == "rank" or is_read("hits_in_force", "nth") %}
{% set columns = ["h.item_id", "c.k", "h.rank", "h.gain", "h.nth"] + (["h.probability", "h.leads"] if expected else []) %}
select {{ model("h") }}h.user_id, {{ read_of("hits_in_force", columns, ", ") }}
from {{ "hits" if numbered else "found" }} as h
inner join cutoffs as c on c.k >= h.rank
{% endif %}
