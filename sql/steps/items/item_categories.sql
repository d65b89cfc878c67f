{#
row = "one row per item and category of the item"
grain = "item"
#}
{% if needs.category_shares %}
select i.item_id, i.category, {{ double("count(*) over (partition by i.item_id)") }} as categories
from (
    select distinct i.item_id, i.category
    from given_items as i
    where i.item_id is not null and i.category is not null
) as i
{% else %}
select distinct i.item_id, i.category
from given_items as i
where i.item_id is not null and i.category is not null
{% endif %}
