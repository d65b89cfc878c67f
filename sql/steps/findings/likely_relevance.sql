{#
row = "one row if the truth has a column that is likely the relevance, and no relevance: its name, the number of its rows, and that of values of 0 or less"
#}
{# Only in a macro: elsewhere the columns are known. The first of these names is taken. #}
{% set names = likely.unread + likely.rated %}
select t.name, count(*) as stated, count(case when t.found <= 0 then 1 end) as low
from (
    select
        case
{% for name in names %}
            when recsql.is_number(t.{{ name }}) then '{{ name }}'
{% endfor %}
        end as name,
        case
{% for name in names %}
            when recsql.is_number(t.{{ name }}) then try_cast({{ sql.text("t." ~ name) }} as double)
{% endfor %}
        end as found
    from (
        from {{ tables.truth.source }}
        union all by name
        select null as relevance, {% for name in names %}null as {{ name }}{{ ", " if not loop.last }}{% endfor %}

        where false
    ) as t
    where typeof(t.relevance) = '"NULL"'
) as t
where t.name is not null
group by t.name
