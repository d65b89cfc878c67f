{#
row = "one row per model, cut-off and user or group of alike users: the columns of the user, and the statistics of the hits"
buys = "all metrics of 50 million rows at ten cut-offs take 5.9 CPU seconds instead of 9.0, six metrics at four 3.6 instead of 4.2"
when = "grouped or (sparse and needs.hits_at_k)"
#}
{% macro columns(k, users, hits) %}
{% if modelled %}
    u.model,
{% endif %}
    u.user_id,
    {{ k }},
{% if grouped %}
    {{ users }},
{% endif %}
{% for one in statistics("hits") %}
    {{ hits }}{{ one }},
{% endfor %}
    {{ of_user() }}
{% endmacro %}
{% if sparse %}
{# The join starts with users who have hits, who are few: an engine that joins in the written order then handles fewer rows. #}
select
{{ columns("h.k", "", "h.") }}
from hits_at_k as h
inner join population as u on {{ same_model("u", "h") }}u.user_id = h.user_id
{% else %}
{% if needs.hits_at_k %}
select
{{ columns("h.k", "1 as users", "h.") }}
from hits_at_k as h
inner join first_hits as u on {{ same_model("u", "h") }}u.user_id = h.user_id
union all
{% endif %}
select
{{ columns("c.k", "u.users", "null as ") }}
from alike as u
inner join cutoffs as c on c.k < u.first_k or u.first_k is null
{% endif %}
