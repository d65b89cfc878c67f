{# How many users have each difference that is not 0, to be added to the numbers of other users. #}
select
    nullif(p.model, chr(1)) as model,
    p.model is distinct from chr(1) as has_lists,
    {{ literal(baseline) }} as baseline,
{% if pairs_sliced %}
    g.slice,
    g.segment,
{% endif %}
    a.metric,
    d.k,
    d.users,
    d.difference,
    {{ of_metric("{order}", of="a") | indent }} as place,
    a.definition
from alike_differences as d
{% if pairs_sliced %}
inner join segment_pairs as g on g.number = d.pair
{% endif %}
inner join model_pairs as p on p.pair = {{ "g" if pairs_sliced else "d" }}.pair
inner join asked as a on a.place = d.place
where {{ measurable() }}
