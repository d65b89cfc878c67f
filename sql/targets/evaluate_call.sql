{# The call with every option known. The names of its metrics include the options that are not the default. #}
select
    e.model,
    {{ label }} as metric,
    cast(nullif(e.k, {{ whole }}) as integer) as k,
    e.value,
    e.users
from (
    from recsql.{{ under }}(
        {{ most | indent }}
    )
{% if apart %}
    union all
    from recsql.{{ under }}(
        {{ others | indent }}
    )
    where recsql.apart("like") <> []
{% endif %}
) as e
order by e.model asc nulls first, list_position({{ names }}, e.metric) asc, e.k asc
