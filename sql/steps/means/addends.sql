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
cross join models as m
left join owners as o on o.part = p.part and o.model is not distinct from m.model
where
    case
        when p.has_lists then p.model is not distinct from m.model
        else o.part is null -- the rows of no model stand for a model without lists in the part
    end
    and p.place is not null
