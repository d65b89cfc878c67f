{# The rows of several pipelines, one after the other. #}
{% for query in queries %}
select * from (
{{ query | indent(4, first=true) }}
) as q{{ loop.index }}
{{ "union all" if not loop.last }}
{% endfor %}
