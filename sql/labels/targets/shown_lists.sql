{# The lists that were shown, as recommendations: a request is a user. #}
select
{% if modelled %}
    s.model,
{% endif %}
    s.request_id as user_id,
    s.user_id as person_id,
    s.item_id,
    s.rank{% if surfaced %},
    s.surface{% endif %}

from shown as s
{% if complete == "drop" %}
where not s.is_open
{% endif %}
