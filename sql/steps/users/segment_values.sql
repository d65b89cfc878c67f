{#
row = "one row per user with segments (and row of the user in the table segments): the values of the columns"
when = "segmented"
#}
{# Several LISTs of a row are unnested one after the other, so that each value of one meets each of the others. #}
{% macro of_segments(columns, lists) %}
select s.user_id{% for key in columns %}, {{ sql.elements("s." ~ key.ours) ~ " as " ~ key.ours if lists and key == lists[-1] else "s." ~ key.ours }}{% endfor %}

{% if lists | length > 1 %}
from (
    {{ of_segments(columns, lists[:-1]) | trim | indent }}
) as s
{% else %}
from given_segments as s
{% endif %}
{% endmacro %}
{# If the columns of tables are unknown, each table may have some: the step segment_tables says which. The values are text, and a number if one is cut. #}
{% macro value_of(one, before, after) %}
case (select c.role from segment_tables as c where c.ours = '{{ one.ours }}')
{% if by_table %}
    when 'segments' then {{ before }}s.{{ one.ours ~ after }}
{% endif %}
{% if "truth" in tables %}
    when 'truth' then {{ before }}t.{{ one.ours ~ after }}
{% endif %}
    else {{ before }}r.{{ one.ours ~ after }}
end
{%- endmacro %}
{% macro by_user(role, alias) %}
select {{ alias }}.user_id{% for one in segment_columns %}, min({{ alias }}.{{ one.ours }}) as {{ one.ours }}{% endfor %}

from given_{{ role }} as {{ alias }}
where exists (select 1 from segment_tables as c where c.role = '{{ role }}'){{ guard("id_types", left="recs", right="truth", columns=["user_id"]) if role == "truth" }}
group by {{ alias }}.user_id
{% endmacro %}
{% macro rows(one) %}
{% if one.role == "segments" %}
{{ of_segments(one.columns, one.columns | selectattr("is_list") | list) }}
{% elif one.role == "train" %}
select a.user_id, a.events as {{ one.columns[0].ours }}
from activities as a
{% else %}
select {{ one.alias }}.user_id{% for key in one.columns %}, min({{ one.alias }}.{{ key.ours }}) as {{ key.ours }}{% endfor %}

from given_{{ one.role }} as {{ one.alias }}
group by {{ one.alias }}.user_id
{% endif %}
{% endmacro %}
{% if named %}
select
    coalesce({{ "s.user_id, " if by_table }}{{ "t.user_id, " if "truth" in tables }}r.user_id{{ ", a.user_id" if by_activity }}) as user_id{% for one in segment_columns %},
    {{ value_of(one, "cast(", " as varchar)") | indent }} as {{ one.ours }}{% if one.is_cut %},
    {{ value_of(one, "try_cast(", " as double)") | indent }} as {{ one.ours }}_number{% endif %}{% endfor %}{% if by_activity %},
    a.events as {{ activity }}{% endif %}

from (
    {{ by_user("recs", "r") | trim | indent }}
) as r{% if "truth" in tables %}

full join (
    {{ by_user("truth", "t") | trim | indent }}
) as t on t.user_id = r.user_id{% endif %}{% if by_table %}

full join (
    select s.user_id{% for one in segment_columns %}, {{ one.ours }}.value as {{ one.ours }}{% endfor %}

    from given_segments as s{% for one in segment_columns %}

    left join lateral (select unnest([s.{{ one.ours }}], max_depth := 2) as value) as {{ one.ours }} on true{% endfor %}

    {{ guard("id_types", before="where", left="recs", right="segments", columns=["user_id"]) | trim | indent }}
) as s on s.user_id = {{ "coalesce(r.user_id, t.user_id)" if "truth" in tables else "r.user_id" }}{% endif %}{% if by_activity %}

full join activities as a on a.user_id = coalesce({{ "s.user_id, " if by_table }}{{ "t.user_id, " if "truth" in tables }}r.user_id){% endif %}

{% elif segment_sources | length == 1 %}
{{ rows(segment_sources[0]) | trim }}
{% else %}
{# A user may be in one of the tables only. #}
{% set users = segment_sources | map(attribute="alias") | join(".user_id, ") ~ ".user_id" %}
select
    coalesce({{ users }}) as user_id{% for one in segment_sources %}{% for key in one.columns %},
    {{ one.alias }}.{{ key.ours }}{% endfor %}{% endfor %}

from (
    {{ rows(segment_sources[0]) | trim | indent }}
) as {{ segment_sources[0].alias }}
{% for one in segment_sources[1:] %}
{% set before = segment_sources[:loop.index] | map(attribute="alias") | join(".user_id, ") ~ ".user_id" %}
full join (
    {{ rows(one) | trim | indent }}
) as {{ one.alias }} on {{ one.alias }}.user_id = {{ "coalesce(" ~ before ~ ")" if loop.index > 1 else before }}
{% endfor %}
{% endif %}
