{#
row = "one row per row of recs, with recsql's column names"
inline = true
#}
{% if rendering.sample %}
select r.* from sampled_recs as r
{% else %}
{{ inputs.tables["recs"].select }}
{% endif %}
