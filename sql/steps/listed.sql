{#
row = "one row per recommended item of the lists that count"
grain = "item"
inline = true
#}
{% set fixed = is_table("users") %}
{% set once = condition(duplicates="hole set") %}
{% set looked_at = "inner join given_users as g on g.user_id = r.user_id" if fixed.possible %}
{% if not once.certain %}
select r.model, r.user_id, r.item_id, r.rank
from recommended as r
{{ looked_at }}
{{ once.negated.where }}
{% endif %}
{{ once.union_all }}
{% if once.possible %}
select r.model, r.user_id, r.item_id, min(r.rank) as rank
from recommended as r
{{ looked_at }}
{{ once.where }}
group by r.model, r.user_id, r.item_id
{% endif %}
