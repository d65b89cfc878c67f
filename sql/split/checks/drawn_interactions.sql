{#
message = "{interactions}: {column} is {kind}, which engines convert to text differently; cast it to a whole number or to text, so that every engine draws the same rows"
place = 2
on = ["given_interactions"]
when = "drawn"
#}
{% set user, item = names.user_id, names.item_id %}
{% set of_user = sql.is_written_differently(user) %}
select
    {{ sentence(
        column="case when " ~ of_user ~ " then 'user_id' else 'item_id' end",
        kind="case when " ~ of_user ~ " then " ~ sql.type_of(user) ~ " else " ~ sql.type_of(item) ~ " end",
    ) | indent }} as message
from given_interactions as t
where {{ of_user }} or {{ sql.is_written_differently(item) }}
order by {{ user }} asc, {{ item }} asc
limit 1
