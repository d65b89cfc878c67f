{#
message = "{truth}: rank is {rank} for user {user}, item {item}; truth_window and ideal = 'truth_as_given' need the position of each item, starting at 1, in the truth's column rank"
place = 4
#}
{% set ordered = condition(truth_window="k rank") | either(condition(ideal="truth_as_given")) %}
{% if ordered.possible %}
select
    {{ sentence(rank="t.rank", user="t.user_id", item="t.item_id") }} as message
from given_truth as t
where
    (t.rank is null or t.rank < 1)
    {{ ordered.also }}
order by t.user_id asc, t.item_id asc
limit 1
{% endif %}
