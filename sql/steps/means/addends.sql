{#
row = "one row per model, part, metric and cut-off: the sum of the metric in that part"
#}
select
    m.model,
{% if sliced %}
    p.slice,
    p.segment,
{% endif %}
    p.part,
    p.place,
    p.k,
    p.headcount,
    p.served,
    p.users,
    p.sum,
{% if spread %}
    p.squares,
    p.zeros,
{% endif %}
{% if spread and clustered %}
    p.cluster_squares,
    p.cluster_products,
    p.cluster_sizes,
    p.clusters,
{% endif %}
    p.users_with_truth,
    p.lists,
    p.lists_without_truth,
    p.longest_list
from given_parts as p
{{ of_model("models") }}
    and p.place is not null
    and p.user_part is null{% if baseline is not none and user_metrics %}

    and p.baseline is null{% endif %}

