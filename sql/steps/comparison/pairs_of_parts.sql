{#
row = "one row per pair of models, part, metric and cut-off: the sums of that part, or a difference with its number of users"
grain = "pair"
when = "parts and of_pairs"
#}
{# If a part has no list of a model, the part's rows of the model without lists stand for it. #}
select
    m.pair,
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
{% if clustered %}
    p.cluster_squares,
    p.cluster_products,
    p.cluster_sizes,
    p.clusters,
{% endif %}
    p.difference
from given_parts as p
cross join model_pairs as m
left join owners as o on o.part = p.part and o.model is not distinct from m.model
where
    p.baseline is not null
    and case
        when p.has_lists then p.model is not distinct from m.model
        else o.part is null
    end
