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
    s.groups{% endif %}{% for name in pair_counts %},
    n.{{ name }}{% endfor %}

from paired as s
{% if pairs_reported %}
left join pair_reports as n on n.model is not distinct from s.model and n.baseline is not distinct from s.baseline
{% endif %}
where {{ measurable() }}
