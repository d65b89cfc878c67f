{#
row = "one row per model, cut-off and user in the mean: the columns of the user, and the statistics of the hits"
plain_row = "one row per model, cut-off and user in the mean: the statistics of the hits, NULL without a hit"
#}
{% set of_user = read_of("users_at_k", of_user().split(", "), ", ") %}
select
{% if modelled %}
    u.model,
{% endif %}
    u.user_id,
    c.k{% for one in statistics("hits") %},
    h.{{ one }}{% endfor %}{% if of_user %},
    {{ of_user }}{% endif %}

from population as u
cross join cutoffs as c{% if needs.hits_at_k %}

left join hits_at_k as h on {{ same_model("h", "u") }}h.user_id = u.user_id and h.k = c.k{% endif %}

