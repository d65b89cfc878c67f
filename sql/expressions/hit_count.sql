{#
about = "the number of hits h that meet a condition `x`, or its expected value if ties spread the hits over several ranks"
#}
{% if expected %}
{{ sql.exact_sum("case when " ~ x ~ " then h.probability else 0e0 end") }}
{% else %}
count(case when {{ x }} then 1 end)
{% endif %}
