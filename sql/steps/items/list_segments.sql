{#
row = "one row per model, slice and segment: the number of lists, and their share of all"
grain = "item"
#}
select
    {{ key_columns("n") }}n.lists,
    {{ double("n.lists") }} / max(case when n.slice = 0 then n.lists end) over ({{ "partition by n.model" if modelled }}) as share
{% if item_groups %}
from (
    select {{ keys("c") }}cast(sum(c.lists) as bigint) as lists
    from list_counts as c
    group by {{ keys("c") | trim(", ") }}
) as n
{% else %}
from list_counts as n
{% endif %}
