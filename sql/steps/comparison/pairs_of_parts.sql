{#
row = "one row per pair of models, part, metric and cut-off: the sums of that part, or a difference with its number of users"
grain = "pair"
#}
select
    m.pair,
    p.part,
{% if pair_groups %}
    p.user_part,
{% endif %}
{% if pairs_sliced %}
    p.slice,
    p.segment,
{% endif %}
    p.place,
    p.k,
    p.users,
    p.unpaired,
    p.wins,
    p.losses,
    p.sum,
    p.base_sum,
    p.squares,
    p.base_squares,
    p.products,
{% for name in pair_counts %}
    p.{{ name }},
{% endfor %}
{% if clustered %}
    p.cluster_squares,
    p.base_cluster_squares,
    p.base_cluster_products,
    p.cluster_products,
    p.cluster_sizes,
    p.clusters,
{% endif %}
    p.difference
from given_parts as p
{{ of_model("model_pairs") }}
    and p.baseline is not null
