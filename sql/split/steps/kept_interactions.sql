{#
row = "one row per interaction of the users and items that have enough"
grain = "interaction"

[options.user_min]
about = "keep only users with at least so many items, before the split"
topic = "parts"
type = "integer"
at_least = 2

[options.item_min]
about = "keep only items with at least so many users, before the split"
topic = "parts"
type = "integer"
at_least = 2
#}
select t.*
from given_interactions as t{% if core is not none %}

inner join core_pairs as p on p.user_id = {{ names.user_id }} and p.item_id = {{ names.item_id }}{% endif %}{% if user_min is not none %}

inner join (
    select {{ names.user_id }} as user_id
    from given_interactions as t
    group by {{ names.user_id }}
    having count(distinct {{ names.item_id }}) >= {{ user_min }}
) as u on u.user_id = {{ names.user_id }}{% endif %}{% if item_min is not none %}

inner join (
    select {{ names.item_id }} as item_id
    from given_interactions as t
    group by {{ names.item_id }}
    having count(distinct {{ names.user_id }}) >= {{ item_min }}
) as i on i.item_id = {{ names.item_id }}{% endif %}
