{#
row = "one row per pair of items in a list: the lower of their ranks, and the Jaccard distance of their categories"
grain = "list"
#}
{# The lower rank is the cut-off from which both items are in the list. Items without a category have distance 0 to each other. #}
select
{% if modelled %}
    p.model,
{% endif %}
    p.user_id,
    p.rank,
    coalesce(1e0 - p.shared / nullif(coalesce(a.categories, 0e0) + coalesce(b.categories, 0e0) - p.shared, 0e0), 0e0) as distance
from (
    select {{ model("r") }}r.user_id, r.item_id, s.item_id as other_id, s.rank, {{ double("count(b.category)") }} as shared
    from listed as r
    inner join listed as s
        on {{ same_model("s", "r") }}s.user_id = r.user_id and (s.rank > r.rank or (s.rank = r.rank and s.item_id > r.item_id))
    left join item_categories as a on a.item_id = r.item_id
    left join item_categories as b on b.item_id = s.item_id and b.category = a.category
    group by {{ model("r") }}r.user_id, r.item_id, r.rank, s.item_id, s.rank
) as p
left join categorised as a on a.item_id = p.item_id
left join categorised as b on b.item_id = p.other_id
