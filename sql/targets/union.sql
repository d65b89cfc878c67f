{# The rows of several queries. #}
{% for query in queries %}
select * from (
{{ query | indent(4, first=true) }}
) as q{{ loop.index }}
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
