{#
row = "one row per row of truth, with recsql's column names"
inline = true
#}
{% if sampled %}
select t.* from sampled_truth as t
{% elif finding and named %}
{# Without rows if ids differ in type, because these can't be joined. #}
select t.*
from recsql.given_truth_of({{ tables.truth.name }}) as t
where not exists (select c.message from {{ types_that_differ() | trim }} as c)
{% else %}
{{ rows_of("truth") }}
{% endif %}
