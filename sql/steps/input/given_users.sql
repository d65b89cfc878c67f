{#
row = "one row per user in the table users"
inline = true
also = "item"

[options.users]
about = "which users are in the mean: a policy, or a table of user ids"
topic = "population"
default = "truth"
type = "table"

[options.users.values]
truth = "users with relevant items, subject to no_recs and no_truth"
intersection = "users with relevant items and a list"
union = "users with relevant items or a list"
#}
{% if sampled %}
select g.user_id
from (
    {{ tables.users.select | indent }}
) as g
inner join sampled as a on a.user_id = g.user_id
{% else %}
{{ tables.users.select }}
{% endif %}
