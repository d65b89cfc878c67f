{#
row = "one row per user with segments (and row of the user in the table segments): the values of the columns"
#}
{# Several LISTs of a row are unnested one after the other, which combines each value with all values of the others. #}
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
{% if segment_sources | length == 1 %}
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
