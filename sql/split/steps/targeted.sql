{#
row = "one row per interaction; of the truth of each user, one interaction counts"
grain = "interaction"

[options.split__target]
about = "which interactions of a user's truth count; the others are unused"
topic = "parts"
default = "all"

[options.split__target.values]
all = "all"
first = "the first one, with ties by item, then by all other columns"
last = "the last one, with ties by item, then by all other columns"
#}
{% set direction = "asc" if split__target == "first" else "desc" %}
select
    {{ sql.without("t", "part") }},
    case
        when
            t.part in ('truth', 'validation')
            and row_number() over (
                partition by {{ "t.fold, " if in_folds else "" }}t.part, {{ names.user_id }}
                order by {{ names.order_by }} {{ direction }}, {{ names.item_id }} {{ direction }}{{ and_others(direction) }}
            ) > 1
            then 'not_target'
        else t.part
    end as part
from {{ "known" if dropped else divided() }} as t
