{# The labels; if requests are labelled, the shown lists come first. #}
{% if by_request %}
select
    'recs' as part,
    {{ model_of("s") }},
    s.user_id,
    s.request_id,
    s.item_id,
    s.rank,
    cast(null as double) as relevance,
    cast(null as bigint) as events{% if surfaced %},
    s.surface{% endif %}

from shown as s
{% if complete == "drop" %}
where not s.is_open
{% endif %}
union all
{% endif %}
select
    'truth' as part,
    {{ model_of("l") if by_request else sql.text("null") ~ " as model" }},
    l.user_id,
    {{ "l.request_id" if by_request else "cast(null as bigint) as request_id" }},
    l.item_id,
    l.rank,
    l.relevance,
    l.events{% if by_request and surfaced %},
    l.surface{% endif %}

from labelled as l{% if named %}

where {{ measurable() }}{% endif %}
