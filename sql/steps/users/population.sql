{#
row = "one row per model and user in the mean, with the number of relevant items"
plain_row = "one row per model and user in the mean"
inline = true

[options.no_recs]
about = "what happens to a user with relevant items but no list; skip leaves out all users without a list, whatever no_truth says"
topic = "population"
default = "zero"

[options.no_recs.values]
zero = "counted as 0"
skip = "left out"
#}
{% set relevant_read = is_read("population", "relevant") %}
select
{% if modelled %}
    m.model,
{% endif %}
    {{ "u" if plain_population else "m" }}.user_id{% if profiled %},
    u.profile{% endif %}{% if needs.entries %},
    e.entries{% endif %}{% if needs.lengths %},
    l.returned{% endif %}{% if needs.ranks %},
    g.ranks{% endif %}{% if relevant_read %},
    {{ "u.relevant" if users_read else "0 as relevant" }}{% endif %}

{% if plain_population %}
from models as m
cross join users as u{% else %}
from members as m{% if users_read and relevant_read %}

left join users as u on u.user_id = m.user_id{% endif %}{% endif %}{% if needs.entries %}

left join entries as e on e.user_id = {{ "u" if plain_population else "m" }}.user_id{% endif %}{% if needs.lengths %}

left join lists as l on {{ same_model("l", "m") }}l.user_id = {{ "u" if plain_population else "m" }}.user_id{% endif %}{% if needs.ranks %}

left join gaps as g on {{ same_model("g", "m") }}g.user_id = {{ "u" if plain_population else "m" }}.user_id{% endif %}
