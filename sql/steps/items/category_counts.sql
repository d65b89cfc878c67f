{#
row = "one row per model, user, cut-off and category: how many items of the list have it; category is NULL for items without one"
grain = "item"
#}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    c.k,
    g.category,
{% if needs.category_shares %}
    {{ sql.exact_sum("1e0 / g.categories") }} as share,
    {{ sql.exact_sum("1e0 / sqrt(g.categories)") }} as weight,
{% endif %}
    count(g.category) as items
from listed as r
inner join cutoffs as c on c.k >= r.rank
left join item_categories as g on g.item_id = r.item_id
group by {{ model("r") }}r.user_id, c.k, g.category
