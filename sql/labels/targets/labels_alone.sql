{# The labels, as truth: a request is a user. #}
select
{% if by_request %}
    l.request_id as user_id,
    l.user_id as person_id,
{% else %}
    l.user_id,
{% endif %}
    l.item_id,
    l.relevance,
    l.rank,
    l.events{% if "shown_by" in names %},
    l.model as shown_by{% endif %}{% if by_request and surfaced %},
    l.surface{% endif %}

from labelled as l
