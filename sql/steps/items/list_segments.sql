{#
row = "one row per model, slice and segment: the number of lists, and their share of all"
grain = "item"
when = "sliced and of_items"
#}
select
    {{ key_columns("n") }}n.lists,
    {{ double("n.lists") }} / max(case when n.slice = 0 then n.lists end) over ({{ "partition by n.model" if modelled }}) as share
from (
    select {{ model("l") }}s.slice, {{ segment_joined() }}{{ " as segment" if by_activity }}, count(*) as lists
    from lists as l
{% if fixed %}
    inner join given_users as u on u.user_id = l.user_id
{% endif %}
    {{ with_segments("l") | indent }}
    group by {{ model("l") }}s.slice, {{ segment_joined() }}
) as n
