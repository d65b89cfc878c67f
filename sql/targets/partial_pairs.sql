{# The sums behind a comparison, to be added to those of other users. #}
select
    nullif(s.model, chr(1)) as model,
    s.model is distinct from chr(1) as has_lists,
    {{ literal_of(baseline) }} as baseline,
{% if pairs_sliced %}
    s.slice,
    s.segment,
{% endif %}
    s.metric,
    s.k,
    s.users,
    s.unpaired,
    s.wins,
    s.losses,
    s.sum,
    s.base_sum,
    s.squares,
    s.base_squares,
    s.products,
{% if clustered %}
    s.cluster_squares,
    s.cluster_products,
    s.cluster_sizes,
    s.clusters,
{% endif %}
    cast(null as double) as difference,
    s.place
from paired as s
where {{ measurable() }}
