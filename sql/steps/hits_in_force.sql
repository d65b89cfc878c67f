{#
row = "one row per hit and cut-off at which it counts"
#}
{% set windowed = condition(truth_window="k") %}
{% set likely = ", h.probability, h.leads" if condition(ties="expected").possible %}
{% if not windowed.certain %}
select h.model, h.user_id, h.item_id, c.k, h.rank, h.gain, h.nth{{ likely }}
from hits as h
inner join cutoffs as c on c.k >= h.rank
{{ windowed.negated.where }}
{% endif %}
{{ windowed.union_all }}
{% if windowed.possible %}
select
    h.model,
    h.user_id,
    h.item_id,
    c.k,
    h.rank,
    h.gain,
    row_number() over (partition by h.model, h.user_id, c.k order by h.rank asc, h.nth asc) as nth{{ likely }}
from hits as h
inner join cutoffs as c on c.k >= greatest(h.rank, h.truth_rank)
{{ windowed.where }}
{% endif %}
