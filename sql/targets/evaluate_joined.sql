{# The union of the rows of several pipelines. #}
{% for query in queries %}
select * from (
{{ query | indent(4, first=true) }}
) as q{{ loop.index }}
{{ "union all" if not loop.last }}
{% endfor %}
