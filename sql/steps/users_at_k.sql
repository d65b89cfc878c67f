{#
row = "one row per model, cut-off and user or group of alike users: the columns of the user, and the statistics of the hits"
#}
{% set sums = rendering.sums("hits") %}
{% macro columns(k, users, hits) %}
    u.model,
    u.user_id,
    {{ k }},
{% if rendering.alike %}
    {{ users }},
{% endif %}
{% for name in sums %}
    {{ hits }}{{ name }},
{% endfor %}
    {{ rendering.expression("expressions/known.sql") }}
{% endmacro %}
{% set from_hits = sums and (rendering.alike or rendering.sparse.certain) %}
{% if from_hits %}
{# Few users have hits. The join starts with them, so an engine that joins in the written order handles far fewer rows. #}
select
{{ columns("h.k", "1 as users", "h.") }}
from hits_at_k as h
inner join {{ "first_hits" if rendering.alike and not rendering.sparse.possible else "population" }} as u on u.model is not distinct from h.model and u.user_id = h.user_id
{{ "union all" if rendering.alike }}
{% endif %}
{% if rendering.alike %}
select
{{ columns("c.k", "u.users", "null as ") }}
from alike as u
inner join cutoffs as c on c.k < u.first_k or u.first_k is null
{{ rendering.sparse.negated.where }}
{% elif not from_hits %}
select
{{ columns("c.k", "", "h.") }}
from population as u
cross join cutoffs as c
{% if sums %}
left join hits_at_k as h on h.model is not distinct from u.model and h.user_id = u.user_id and h.k = c.k
{% endif %}
{% endif %}
