{#
row = "one row per model, cut-off and user or group of alike users: the statistics that the metrics read"
#}
{% set statistics = rendering.statistics("per_user") %}
{% set texts = statistics.values() | join(" ") %}
select
    u.model,
    u.user_id,
{% if rendering.alike %}
    u.users,
{% endif %}
    u.k{% for name, text in statistics.items() if name != "k" %},
    {{ text }}{{ " as " ~ name if not text.endswith("." ~ name) }}
{%- endfor %}

from users_at_k as u
{% for alias, step in rendering.summed("at_k", texts).items() if alias != "u" %}
left join {{ step }} as {{ alias }} on {{ whole_list().on if step == "hits_of_list" }}{{ alias }}.model is not distinct from u.model and {{ alias }}.user_id = u.user_id and {{ alias }}.k = u.k
{% endfor %}
{% for join in rendering.joins(statistics.values()) %}
{{ join }}
{% endfor %}
