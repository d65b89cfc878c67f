{#
row = "one row per model, user, cut-off and category of the user's train: its share there, and in the list"
grain = "list"
#}
select
{% if modelled %}
    n.model,
{% endif %}
    n.user_id,
    n.k,
    t.share as wanted,
    coalesce(g.share, 0e0) / n.total as listed
from (
    select {{ model("g") }}g.user_id, g.k, {{ sql.exact_sum("g.share") }} as total
    from category_counts as g
    where g.category is not null
    group by {{ model("g") }}g.user_id, g.k
) as n
inner join user_tastes as t on t.user_id = n.user_id
left join category_counts as g
    on {{ same_model("g", "n") }}g.user_id = n.user_id and g.k = n.k and g.category = t.category
