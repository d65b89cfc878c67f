{# The call with every option known, its metrics named by what is not the default. #}
select
    e.model,
    {{ label }} as metric,
    e.k,
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
order by e.model asc nulls first, e.metric asc, e.k asc
