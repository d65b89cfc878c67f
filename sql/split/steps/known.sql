{#
row = "one row per interaction; truth that models can't know, or know already, is a part of its own"
grain = "interaction"

[options.cold_users]
about = "truth of users who have nothing in train or fold_in"
topic = "parts"
default = "keep"

[options.cold_users.values]
keep = "it stays"
drop = "it is unused"

[options.cold_items]
about = "truth whose items are not in train or fold_in"
topic = "parts"
default = "keep"

[options.cold_items.values]
keep = "it stays"
drop = "it is unused"

[options.repeats]
about = "truth whose user has the item in train or fold_in already"
topic = "parts"
default = "keep"

[options.repeats.values]
keep = "it stays"
drop = "it is unused"
#}
{% set rows = divided() %}
{% set fold = "t.fold, " if in_folds else "" %}
{% set learnt = "from " ~ rows ~ " as t where t.part in ('train', 'fold_in')" %}
select
    {{ sql.without("t", "part") }},
    case
{% if cold_users == "drop" %}
        when t.part in ('truth', 'validation') and u.user_id is null then 'cold_user'
{% endif %}
{% if cold_items == "drop" %}
        when t.part in ('truth', 'validation') and i.item_id is null then 'cold_item'
{% endif %}
{% if repeats == "drop" %}
        when t.part in ('truth', 'validation') and p.item_id is not null then 'repeat'
{% endif %}
        else t.part
    end as part
from {{ rows }} as t{% if cold_users == "drop" %}

left join (
    select distinct {{ fold }}{{ names.user_id }} as user_id
    {{ learnt }}
) as u on {{ "u.fold = t.fold and " if in_folds else "" }}u.user_id = {{ names.user_id }}{% endif %}{% if cold_items == "drop" %}

left join (
    select distinct {{ fold }}{{ names.item_id }} as item_id
    {{ learnt }}
) as i on {{ "i.fold = t.fold and " if in_folds else "" }}i.item_id = {{ names.item_id }}{% endif %}{% if repeats == "drop" %}

left join (
    select distinct {{ fold }}{{ names.user_id }} as user_id, {{ names.item_id }} as item_id
    {{ learnt }}
) as p on {{ "p.fold = t.fold and " if in_folds else "" }}p.user_id = {{ names.user_id }} and p.item_id = {{ names.item_id }}{% endif %}
