{#
row = "one row per column of slices: the first of segments, truth and recs that has it, and its type there"
when = "segmented and named"
#}
{# The type of a column that a table lacks is "NULL". first() has a type without any rows, so that no table is read. #}
{% macro types_in(role) %}
(
    select [{% for one in segment_columns %}{{ ", " if one.place > 1 }}typeof(first(x.{{ one.quoted }})){% endfor %}] as types
    from (
        from {{ tables[role].source }}{% if by_column %}

        union all by name
        select {% for one in segment_columns %}{{ ", " if one.place > 1 }}null as {{ one.quoted }}{% endfor %}

        where false{% endif %}

    ) as x
    where false
)
{%- endmacro %}
select
    {{ sql.text("c.ours") }} as ours,
    {{ sql.text("c.name") }} as name,
    coalesce({% if by_table %}nullif(c.in_segments, '"NULL"'), {% endif %}{% if "truth" in tables %}nullif(c.in_truth, '"NULL"'), {% endif %}nullif(c.in_recs, '"NULL"')) as type,
    case
{% if by_table %}
        when c.in_segments <> '"NULL"' then 'segments'
{% endif %}
{% if "truth" in tables %}
        when c.in_truth <> '"NULL"' then 'truth'
{% endif %}
        when c.in_recs <> '"NULL"' then 'recs'
    end as role
from (
    select
        unnest([{% for one in segment_columns %}{{ ", " if one.place > 1 }}'{{ one.ours }}'{% endfor %}]) as ours,
        unnest([{% for one in segment_columns %}{{ ", " if one.place > 1 }}{{ literal_of(one.column) }}{% endfor %}]) as name,
{% if by_table %}
        unnest(s.types) as in_segments,
{% endif %}
{% if "truth" in tables %}
        unnest(t.types) as in_truth,
{% endif %}
        unnest(r.types) as in_recs
    from {{ types_in("recs") | indent }} as r{% if "truth" in tables %}

    cross join {{ types_in("truth") | indent }} as t{% endif %}{% if by_table %}

    cross join {{ types_in("segments") | indent }} as s{% endif %}

) as c
