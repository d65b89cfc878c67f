{#
row = "one row per recommended item that may be relevant: its bits are set for the user"
inline = true
sized = true
#}
{% set last = ", r.last" if unordered().possible %}
select r.model, r.user_id, r.item_id, r.rank{{ last }}
from (
    select r.model, r.user_id, r.item_id, r.rank{{ last }}
    from recommended as r
    union all
    select null as model, t.user_id, t.item_id, null as rank{{ ", null as last" if last }}
    from given_truth as t
    where false
) as r
{{ rendering.expression("expressions/bits_set.sql") }}
