{# The call with every option known. If a preset computes some metrics with options of their own, a second call gives their columns. #}
select
    p.model,
    p.user_id,
    cast(nullif(p.k, {{ whole }}) as integer) as k,
    p.list_length,
    p.relevant,
    columns(lambda c: list_contains(recsql.columns_of({{ asked }}, {{ names }}), c))
from (
    from recsql.{{ under }}(
        {{ most | indent }}
    )
{% if apart %}
    where recsql.apart("like") = []
    union all
    select
        coalesce(m.model, o.model) as model,
        coalesce(m.user_id, o.user_id) as user_id,
        coalesce(m.k, o.k) as k,
        coalesce(m.list_length, o.list_length) as list_length,
        coalesce(m.relevant, o.relevant) as relevant{% for metric in metrics %},
        {{ "case when list_contains(recsql.apart(\"like\"), '" ~ metric ~ "') then o." ~ metric ~ " else m." ~ metric ~ " end as " ~ metric if metric in apart else "m." ~ metric }}
{%- endfor %}

    from recsql.{{ under }}(
        {{ most | indent }}
    ) as m
    full join recsql.{{ under }}(
        {{ others | indent }}
    ) as o on o.model is not distinct from m.model and o.user_id = m.user_id and o.k = m.k
    where recsql.apart("like") <> []
{% endif %}
) as p
where recsql.all_known({{ asked }}, {{ names }})
order by p.model asc nulls first, p.user_id asc, p.k asc
