{#
row = "one row per model, item and cut-off (and group of users, for intervals): how often the item is in the top k, but below the next smaller cut-off"
grain = "item"
#}
{# Exposures are in units of 1e-18, which add up exactly. #}
{% if parts %}
select
    {{ key_columns("p") }}p.item_id,
    p.k,
{% if needs.exposures %}
    sum(p.exposure) as exposure,
{% endif %}
    sum(p.times) as times
from given_parts as p
where p.times is not null
group by {{ keys("p") }}p.item_id, p.k
{% else %}
select
{% if modelled %}
    r.model,
{% endif %}
{% if sliced %}
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
{% endif %}
    r.item_id,
{% if item_groups %}
    u.part,
{% endif %}
    {{ band_of_rank() }} as k,
{% if needs.exposures %}
    {{ sql.exact_units("1e0") if discount == "none" else sql.exact_units(discount_at("r.rank")) }} as exposure,
{% endif %}
    count(*) as times
from listed as r
{% if sliced %}
{{ with_segments("r") }}
{% endif %}
{% if item_groups %}
inner join list_groups as u on {{ same_model("u", "r") }}u.user_id = r.user_id
{% endif %}
cross join bands as b
group by {{ model("r") }}{{ "s.slice, " ~ segment_joined() ~ ", " if sliced }}r.item_id, {{ "u.part, " if item_groups }}{{ band_of_rank() }}
{% endif %}
