{#
row = "one row per model, user, cut-off and component: the sum of the unit vectors of the items, and that of their squares"
grain = "list"
#}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    c.k,
    v.place,
    {{ sql.exact_sum("v.value / n.length") }} as total,
    {{ sql.exact_sum("v.value / n.length * v.value / n.length") }} as squares
from listed as r
inner join cutoffs as c on c.k >= r.rank
inner join item_vectors as v on v.item_id = r.item_id
inner join (
    select v.item_id, sqrt({{ sql.square_sum("v.value") | indent(4) }}) as length
    from item_vectors as v
    group by v.item_id
) as n on n.item_id = v.item_id
group by {{ model("r") }}r.user_id, c.k, v.place
