{#
row = "one row per model, user and cut-off: the statistics that the metrics are made of"
#}
{% set statistics = rendering.statistics("per_user") %}
{% set texts = statistics.values() | join(" ") %}
{% set sparse = rendering.sparse %}
select
    u.model,
    u.user_id{% for name, text in statistics.items() %},
    {{ text }}{{ " as " ~ name if not text.endswith("." ~ name) }}
{%- endfor %}

{% if "h." in texts and sparse.certain %}
{# Few users have hits: begin with them, as an engine that joins in the order that is written gets many rows less. #}
from hits_at_k as h
inner join population as u on u.model is not distinct from h.model and u.user_id = h.user_id
inner join cutoffs as c on c.k = h.k
{% else %}
from population as u
cross join cutoffs as c
{% if "h." in texts %}
left join hits_at_k as h on h.model is not distinct from u.model and h.user_id = u.user_id and h.k = c.k
{% endif %}
{% endif %}
{% for alias, step in rendering.summed("at_k", texts).items() if alias != "h" %}
left join {{ step }} as {{ alias }} on {{ whole_list().on if step == "hits_of_list" }}{{ alias }}.model is not distinct from u.model and {{ alias }}.user_id = u.user_id and {{ alias }}.k = c.k
{% endfor %}
{% for join in rendering.joins(statistics.values()) %}
{{ join }}
{% endfor %}
{% if "h." in texts and not sparse.certain %}
{{ sparse.filter("h.user_id is not null") }}
{% endif %}
