{#
row = "one row per row of truth, under our names"
inline = true
#}
{% if rendering.sample %}
select t.* from sampled_truth as t
{% else %}
{{ inputs.tables["truth"].select }}
{% endif %}
