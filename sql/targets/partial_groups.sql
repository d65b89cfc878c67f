{# The sums and the number of users of each group, for values without one group. #}
{% macro of_metric(text) %}
case a.place
{% for column in user_columns %}
        when {{ column.place }} then {{ text.format(name=column.name, order=column.order) }}
{% endfor %}
    end
{%- endmacro %}
{% if user_groups %}
select
    nullif(t.model, chr(1)) as model,
    t.model is distinct from chr(1) as has_lists,
{% if sliced %}
    t.slice,
    t.segment,
{% endif %}
    t.part as user_group,
    a.metric,
    t.k,
    t.users as headcount,
    t.users - {{ of_metric("t.{name}_missing") }} as users,
    coalesce({{ of_metric("t.{name}") }}, 0) as sum,
    {{ of_metric("{order}") }} as place,
    cast(null as bigint) as users_in_groups,
    a.definition
from group_totals as t
cross join asked as a
where {{ measurable() }} and {{ of_metric("true") }}
union all
{% endif %}
select
    {{ sql.text("null") }} as model,
    false as has_lists,
{% if user_groups %}
{% if sliced %}
    null as slice,
    null as segment,
{% endif %}
    null as user_group,
    null as metric,
    null as k,
    null as headcount,
    null as users,
    null as sum,
    null as place,
{% endif %}
    count(*) as users_in_groups{% if user_groups %},
    null as definition{% endif %}

from user_groups as u
where {{ measurable() }}
