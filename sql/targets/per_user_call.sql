{# The call with every option known; where a preset computes some metrics apart, their columns are from there. #}
from recsql.{{ under }}(
    {{ most }}
)
{% if apart %}
where recsql.apart("like") = []
union all
select
    coalesce(m.model, o.model) as model,
    coalesce(m.user_id, o.user_id) as user_id,
    coalesce(m.k, o.k) as k{% for metric in metrics %},
    {{ "case when list_contains(recsql.apart(\"like\"), '" ~ metric ~ "') then o." ~ metric ~ " else m." ~ metric ~ " end as " ~ metric if metric in apart else "m." ~ metric }}
{%- endfor %}

from recsql.{{ under }}(
    {{ most }}
) as m
full join recsql.{{ under }}(
    {{ others }}
) as o on o.model is not distinct from m.model and o.user_id = m.user_id and o.k = m.k
where recsql.apart("like") <> []
{% endif %}
