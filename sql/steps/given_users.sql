{#
row = "one row per user of the fixed population"
inline = true
also = "item"

[options.users]
about = "who is in the mean: a policy, or a table of the user ids to look at"
topic = "population"
default = "truth"
type = "table"

[options.users.values]
truth = "the users with something relevant, as no_recs and no_truth say"
intersection = "of these, the users with a list"
union = "the users with something relevant or with a list"
#}
{% if rendering.sample %}
select g.user_id
from (
    {{ inputs.tables["users"].select | indent }}
) as g
inner join sampled as a on a.user_id = g.user_id
{% else %}
{{ inputs.tables["users"].select }}
{% endif %}
