{#
row = "one row per value that is not a mean: its standard error by the jackknife, the degrees of freedom, and the bounds of the metric"
#}
{# If the values without each group are equal, rounding leaves a small error. #}
select
    {{ key_columns("s") }}s.place,
{% if not rating_groups %}
    s.k,
{% endif %}
    s.value,
    j.groups - 1e0 as df,
    case when j.std_error <= 1e-13 * abs(s.value) then 0e0 else j.std_error end as std_error,
    case s.place
{% for column in shown_columns %}{% if column.method == "groups" %}
        when {{ column.place }} then {{ column.bounds[0] | default("cast(null as double)") }}
{% endif %}{% endfor %}
    end as least,
    case s.place
{% for column in shown_columns %}{% if column.method == "groups" %}
        when {{ column.place }} then {{ column.bounds[1] | default("cast(null as double)") }}
{% endif %}{% endfor %}
    end as most,
    {{ "coalesce(s.users, o.users, 0)" if item_groups else "s.users" }} < {{ 40 if rating_groups else 200 }} as few
from {{ "rating_summary" if rating_groups else "summary" }} as s
{% if item_groups %}
left join served_users as o on {{ on_keys("o", "s") }}
{% endif %}
left join jackknives as j on {{ same_keys("j", "s") }}j.place = s.place{{ "" if rating_groups else " and j.k = s.k" }}
where
    case s.place
{% for column in shown_columns %}{% if column.method == "groups" %}
        when {{ column.place }} then true
{% endif %}{% endfor %}
    end
