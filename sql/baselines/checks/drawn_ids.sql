{#
message = "{truth}: {column} is {kind}, which engines convert to text differently; cast it to a whole number or to text so that every engine draws the same items"
place = 2
on = ["drawn", "given_truth"]
#}
{% set of_user = sql.is_written_differently("t.user_id") %}
select
    {{ sentence(
        column="case when " ~ of_user ~ " then 'user_id' else 'item_id' end",
        kind="case when " ~ of_user ~ " then " ~ sql.type_of("t.user_id") ~ " else " ~ sql.type_of("t.item_id") ~ " end",
    ) | indent }} as message
from given_truth as t
where {{ of_user }} or {{ sql.is_written_differently("t.item_id") }}
limit 1
