{#
row = "one row per row of truth, with recsql's column names"
inline = true
when = "'truth' in tables and (finding or of_users or reported or judged_alone or by_truth or target in ['hits', 'ideal', 'origin', 'warnings', 'segments', 'candidates'])"
#}
{% if sampled %}
select t.* from sampled_truth as t
{% elif finding and named %}
{# Without rows if ids differ in type, because these can't be joined. #}
select t.*
from recsql.given_truth_of({{ tables.truth.name }}) as t
where not exists (select c.message from {{ types_that_differ() | trim }} as c)
{% else %}
{{ tables.truth.select }}
{% endif %}
