{#
row = "one row per model, item and cut-off (and group of users, for intervals): how often the item is in the top k, but below the next smaller cut-off"
grain = "item"
when = "items_counted"
#}
{# Exposures are in units of 1e-18, which add up exactly. #}
{% if parts %}
select
    p.model,
    p.item_id,
    p.k,
{% if needs.exposures %}
    sum(p.exposure) as exposure,
{% endif %}
    sum(p.times) as times
from given_parts as p
where p.item_id is not null
group by p.model, p.item_id, p.k
{% else %}
{# A rank beyond the largest numeric cut-off belongs to the whole list, if that is requested. #}
{% set band = sql.nth("b.cutoffs", "try_cast(r.rank as bigint)") %}
{% set band = "coalesce(" ~ band ~ ", " ~ whole ~ ")" if uncut else band %}
select
    {{ key_columns("r") }}r.item_id,
{% if item_groups %}
    g.part,
{% endif %}
    {{ band }} as k,
{% if needs.exposures %}
    {{ sql.exact_units("1e0") if discount == "none" else sql.exact_units(discount_at("r.rank")) }} as exposure,
{% endif %}
    count(*) as times
from listed as r
{% if item_groups %}
inner join user_groups as g on g.user_id = r.user_id
{% endif %}
cross join bands as b
group by {{ keys("r") }}r.item_id, {{ "g.part, " if item_groups }}{{ band }}
{% endif %}
