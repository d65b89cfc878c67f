{#
message = "{impressions}: request {request} has {found}; a request belongs to one user, one model and one surface"
place = 4
on = ["given_impressions"]
when = "requested"
#}
{% set users = "count(distinct i.user_id)" %}
{% set several = "case when " ~ users ~ " > 1 then " ~ sql.text(users) ~ " || ' users'" ~ (" when count(distinct i.model) > 1 then " ~ sql.text("count(distinct i.model)") ~ " || ' models'" if modelled else "") ~ (" when count(distinct i.surface) > 1 then " ~ sql.text("count(distinct i.surface)") ~ " || ' surfaces'" if surfaced else "") ~ " end" %}
select
    {{ sentence(request="r.request_id", found="r.several") | indent }} as message
from (
    select i.request_id, {{ several }} as several
    from given_impressions as i
    group by i.request_id
) as r
where r.request_id is not null and r.several is not null
order by r.request_id asc
limit 1
