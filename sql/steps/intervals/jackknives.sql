{#
row = "one row per model, metric and cut-off: the standard error from the values without each group of users, and the number of groups"
#}
{% macro rows(columns, from) %}
select
    {{ key_columns("m") }}a.place,
{% if not rating_groups %}
    m.k,
{% endif %}
    m.part,
    case a.place
{% for column in columns %}{% if column.shown and column.method == "groups" %}
        when {{ column.place }} then m.{{ column.name }}
{% endif %}{% endfor %}
    end as value
from {{ from }} as m
cross join asked as a
where m.part is not null
{% endmacro %}
{% set all_keys = keys("l") ~ "l.place" ~ ("" if rating_groups else ", l.k") %}
{# In the order of the groups, so that the last bits don't depend on the order of the rows. #}
select
    {{ all_keys }},
    {{ sql.length("l.entries") }} as groups,
    {{ jackknife_error("l.entries", mean="l.mean") | indent }} as std_error
from (
    select {{ all_keys }}, l.entries, {{ sql.total("l.entries") }} / {{ sql.length("l.entries") }} as mean
    from (
        select {{ all_keys }}, {{ sql.ordered_list("l.value", "l.part") }} as entries
        from (
{% if item_groups %}
            {{ rows(item_columns, "per_run") | trim | indent(12) }}
{% endif %}
{% if item_groups and user_groups %}
            union all
{% endif %}
{% if user_groups %}
            {{ rows(user_columns, "left_out_means") | trim | indent(12) }}
{% endif %}
{% if rating_groups %}
            {{ rows(rating_columns, "left_out_metrics") | trim | indent(12) }}
{% endif %}
        ) as l
        where l.value is not null
        group by {{ all_keys }}
    ) as l
) as l
