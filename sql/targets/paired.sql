{# The sums behind a comparison, a row per pair of models, metric and cut-off. #}
select
    s.model,
    s.baseline,
{% if pairs_sliced %}
    s.slice,
    s.segment,
{% endif %}
    s.place,
    s.metric,
{% if not named %}
    s.definition,
{% endif %}
    s.k,
    s.users,
    s.unpaired,
    s.wins,
    s.losses,
    s.sum,
    s.base_sum,
    s.squares,
    s.base_squares,
    s.products{% if clustered %},
    s.cluster_squares,
    s.base_cluster_squares,
    s.base_cluster_products,
    s.cluster_products,
    s.cluster_sizes,
    s.clusters{% endif %}{% if by_signs %},
    s.z,
    s.flipped,
    s.p_method{% endif %}{% if jackknifed %},
    s.value,
    s.baseline_value,
    s.std_error,
    s.groups{% endif %}

from paired as s
where {{ measurable() }}
