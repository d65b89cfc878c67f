{#
about = "the last line of a query with a row per model: of the rows with the alias `x`"
#}
{% if modelled %}
group by {{ x }}.model
{% endif %}
