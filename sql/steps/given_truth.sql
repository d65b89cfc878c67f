{#
row = "one row per row of truth, with recsql's column names"
inline = true
#}
{% if rendering.sample %}
select t.* from sampled_truth as t
{% else %}
{{ inputs.tables["truth"].select }}
{% endif %}
