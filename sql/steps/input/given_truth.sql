{#
row = "one row per row of truth, with recsql's column names"
inline = true
when = "'truth' in tables and (finding or of_users or reported or judged_alone or by_truth or target in ['hits', 'ideal', 'origin', 'warnings', 'segments', 'candidates'])"
#}
{% if sampled %}
select t.* from sampled_truth as t
{% else %}
{{ tables.truth.select }}
{% endif %}
