{#
row = "one row per request: what a user was shown at one time, by one model and on one surface; numbered"
grain = "event"
#}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    r.ts{% if surfaced %},
    r.surface{% endif %},
    row_number() over (order by r.user_id asc, r.ts asc{{ ", r.model asc nulls first" if modelled }}{{ ", r.surface asc nulls first" if surfaced }}) as request_id
from (
    select distinct {{ model("i") }}i.user_id, i.ts{{ ", i.surface" if surfaced }}
    from given_impressions as i
) as r
