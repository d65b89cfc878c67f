{#
message = "order_by = hash: {column} is {kind}, which engines convert to text differently; cast it to a whole number or to text so that every engine draws the same rows"
place = 2
#}
{% set drawn = condition(order_by="hash") %}
{% set user, item = inputs.names["user_id"], inputs.names["item_id"] %}
{% set of_user = sql.is_written_differently(user) %}
{% if drawn.possible %}
select
    {{ sentence(
        column="case when " ~ of_user ~ " then 'user_id' else 'item_id' end",
        kind="case when " ~ of_user ~ " then " ~ sql.type_of(user) ~ " else " ~ sql.type_of(item) ~ " end",
    ) }} as message
from given_interactions as t
where
    ({{ of_user }} or {{ sql.is_written_differently(item) }})
    {{ drawn.also }}
order by {{ user }} asc, {{ item }} asc
limit 1
{% endif %}
