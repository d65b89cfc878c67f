{# The sums behind the means over users, to be added to those of other users. One extra model stands for models without a list in this part. #}
select
    nullif(p.model, chr(1)) as model,
    p.model is distinct from chr(1) as has_lists,
{% if sliced %}
    p.slice,
    p.segment,
{% endif %}
    p.metric,
    p.k,
    p.headcount,
    p.served,
    p.users,
    p.sum,
    p.squares,
    p.zeros,
{% if clustered %}
    p.cluster_squares,
    p.cluster_products,
    p.cluster_sizes,
    p.clusters,
{% endif %}
    n.users_with_truth,
    n.lists,
    n.lists_without_truth,
    n.longest_list,
    p.place,
    p.definition
from portions as p
left join report as n on n.model is not distinct from p.model
where {{ measurable() }}
order by p.model asc nulls first, {{ "p.slice asc, p.segment asc nulls last, " if sliced }}p.place asc, p.k asc
