{#
row = "one row per row of recs, with recsql's column names"
inline = true
when = "'recs' in tables"
#}
{% if sampled %}
select r.* from sampled_recs as r
{% else %}
{{ tables.recs.select }}
{% endif %}
