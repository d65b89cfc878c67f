{#
row = "one row per recommended item that may be relevant: its bits are set for the user"
inline = true
#}
{# Users stand together in most files, so that this is cheaper than to look up each user and item; what is left are few. #}
{% set last = ", r.last" if condition(ties="expected best worst").possible %}
select r.model, r.user_id, r.item_id, r.rank{{ last }}
from (
    select r.model, r.user_id, r.item_id, r.rank{{ last }}
    from recommended as r
    union all
    select null as model, t.user_id, t.item_id, null as rank{{ ", null as last" if last }}
    from given_truth as t
    where false
) as r
inner join fingerprints as f
    on
        f.user_id = r.user_id
        and {{ sql.has_bit("f.bits", "r.item_id", 1) }}
        and {{ sql.has_bit("f.other_bits", "r.item_id", 2) }}
