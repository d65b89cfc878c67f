{# The columns of several pipelines side by side. list_length and relevant come from a pipeline with the options of the call, if there is one. #}
{% macro first_of(name, numbers) %}{{ "coalesce(" if numbers | length > 1 }}{% for i in numbers %}q{{ i }}.{{ name }}{{ ", " if not loop.last }}{% endfor %}{{ ")" if numbers | length > 1 }}{% endmacro %}
{% set all = range(1, queries | length + 1) | list %}
select
    {{ first_of("model", all) }} as model,
    {{ first_of("user_id", all) }} as {{ user_column }},
    {{ "cast(nullif(" ~ first_of("k", all) ~ ", " ~ whole ~ ") as integer)" if uncut else first_of("k", all) }} as k,
    {{ first_of("list_length", ordinary_first) }} as list_length,
    {{ first_of("relevant", ordinary_first) }} as relevant{% for one in slices %},
    {{ first_of(one.title, all) }} as {{ one.title }}{% endfor %}{% for column in numbered %},
    q{{ column.number }}.{{ column.title }}{% endfor %}

from (
{{ queries[0] | indent(4, first=true) }}
) as q1
{% for query in queries[1:] %}
{% set q = "q" ~ (loop.index + 1) %}
{% set before = all[:loop.index] %}
full join (
{{ query | indent(4, first=true) }}
) as {{ q }} on {{ q }}.model is not distinct from {{ first_of("model", before) }} and {{ q }}.user_id = {{ first_of("user_id", before) }} and {{ q }}.k = {{ first_of("k", before) }}
{% endfor %}
order by {{ turn(first_of("model", all)) }} asc nulls first, {{ first_of("user_id", all) }} asc, {{ first_of("k", all) }} asc
