{#
row = "one row per row of recs, with recsql's column names"
inline = true
#}
{% if sampled %}
select r.* from sampled_recs as r
{% elif finding and named %}
{# Without rows if ids differ in type, because these can't be joined. #}
select r.*
from recsql.given_recs_of({{ tables.recs.name }}) as r
where not exists (select c.message from {{ types_that_differ() | trim }} as c)
{% else %}
{{ rows_of("recs") }}
{% endif %}
