{#
row = "one row per user and item in the core, where each user has enough items and each item enough users"
grain = "interaction"

[options.core]
about = "before the split, keep only the core, in which each user has at least so many items and each item at least so many users"
topic = "parts"
type = "integer"
at_least = 2
#}
{% if "core" in tables %}
{{ tables.core.select }}
{% else %}
with recursive rounds as (
    select
        1 as round,
        p.user_id,
        p.item_id,
        count(*) over (partition by p.user_id) as items,
        count(*) over (partition by p.item_id) as users
    from (
        select distinct {{ names.user_id }} as user_id, {{ names.item_id }} as item_id
        from given_interactions as t
    ) as p
    union all
    select
        r.round + 1 as round,
        r.user_id,
        r.item_id,
        count(*) over (partition by r.user_id) as items,
        count(*) over (partition by r.item_id) as users
    from (
        select a.*, min(least(a.items, a.users)) over () as fewest
        from rounds as a
    ) as r
    where r.fewest < {{ core }} and r.items >= {{ core }} and r.users >= {{ core }}
)

select l.user_id, l.item_id
from rounds as l
where
    l.round = (select max(m.round) from rounds as m)
    and l.items >= {{ core }}
    and l.users >= {{ core }}
{% endif %}
