{#
about = "one row per user with segments, if the columns of tables are unknown: the values of the columns"
#}
{# If the columns of tables are unknown, each table may have some: the step segment_tables says which. The values are text, and a number if one is cut. #}
{% macro value_of(one, before, after) %}
case (select c.role from segment_tables as c where c.ours = '{{ one.ours }}')
{% if by_table %}
    when 'segments' then {{ before }}s.{{ one.ours ~ after }}
{% endif %}
{% if "truth" in tables %}
    when 'truth' then {{ before }}t.{{ one.ours ~ after }}
{% endif %}
    when 'recs' then {{ before }}r.{{ one.ours ~ after }}
end
{%- endmacro %}
{% macro by_user(role, alias) %}
left join (
    select {{ alias }}.user_id{% for one in segment_columns %}, min({{ alias }}.{{ one.ours }}) as {{ one.ours }}{% endfor %}

    from given_{{ role }} as {{ alias }}
    where exists (select 1 from segment_tables as c where c.role = '{{ role }}')
    group by {{ alias }}.user_id
) as {{ alias }} on {{ alias }}.user_id = u.user_id
{%- endmacro %}
{# Ids of two types can't be mixed in coalesce(), so that no check would say which ones; a union can have both. #}
select
    u.user_id{% for one in segment_columns %},
    {{ value_of(one, "cast(", " as varchar)") | indent }} as {{ one.ours }}{% if one.is_cut %},
    {{ value_of(one, "try_cast(", " as double)") | indent }} as {{ one.ours }}_number{% endif %}{% endfor %}{% if by_activity %},
    a.events as {{ activity }}{% endif %}

from (
    select distinct r.user_id
    from given_recs as r
    where exists (select 1 from segment_tables as c where c.role = 'recs'){% if "truth" in tables %}

    union
    select t.user_id
    from given_truth as t
    where exists (select 1 from segment_tables as c where c.role = 'truth'){{ guard("id_types", left="recs", right="truth", columns=["user_id"]) | indent }}{% endif %}{% if by_table %}

    union
    select s.user_id
    from given_segments as s{{ guard("id_types", before="where", left="recs", right="segments", columns=["user_id"]) | indent }}{% endif %}{% if by_activity %}

    union
    select a.user_id
    from activities as a{% endif %}

) as u
{{ by_user("recs", "r") }}{% if "truth" in tables %}

{{ by_user("truth", "t") }}{% endif %}{% if by_table %}

left join (
    select s.user_id{% for one in segment_columns %}, {{ one.ours }}.value as {{ one.ours }}{% endfor %}

    from given_segments as s{% for one in segment_columns %}

    left join lateral (select unnest([s.{{ one.ours }}], max_depth := 2) as value) as {{ one.ours }} on true{% endfor %}

) as s on s.user_id = u.user_id{% endif %}{% if by_activity %}

left join activities as a on a.user_id = u.user_id{% endif %}
