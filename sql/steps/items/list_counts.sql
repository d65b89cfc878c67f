{#
row = "one row per model (segment, for slices, and group of users, for intervals): the number of lists"
grain = "item"
#}
{% if parts %}
select
    {{ key_columns("p") }}cast(sum(p.lists_of_users) as bigint) as lists
from given_parts as p
where p.lists_of_users is not null
group by {{ keys("p") | trim(", ") }}
{% else %}
select
{% if modelled %}
    l.model,
{% endif %}
{% if sliced %}
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
{% endif %}
{% if item_groups %}
    o.part,
{% endif %}
    count(*) as lists
from lists as l
{% if fixed %}
inner join given_users as u on u.user_id = l.user_id
{% endif %}
{% if item_groups %}
inner join list_groups as o on {{ same_model("o", "l") }}o.user_id = l.user_id
{% endif %}
{% if sliced %}
{{ with_segments("l") }}
{% endif %}
group by {{ model("l") }}{{ "s.slice, " ~ segment_joined() if sliced }}{{ ", " if sliced and item_groups }}{{ "o.part" if item_groups }}
{% endif %}
