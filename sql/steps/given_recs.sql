{#
row = "one row per row of recs, under our names"
inline = true
#}
{% if rendering.sample %}
select r.* from sampled_recs as r
{% else %}
{{ inputs.tables["recs"].select }}
{% endif %}
